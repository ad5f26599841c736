/* quest/keep.c: stores a bug, and makes the shell line that replays it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "quest/quest.h"

/* A longer token does not go into a shell line: the line names the stored failure instead. */
#define LONGEST_TOKEN 300

/* ---- the shell line ---- */

/* The word for a shell, in single quotes when it needs them. Malloced. */
static char *shell_word(const char *word)
{
    static const char PLAIN[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "@%+=:,./-_";
    if (word[0] != '\0' && word[strspn(word, PLAIN)] == '\0')
        return strdup(word);
    char *quoted = malloc(4 * strlen(word) + 3), *at = quoted;
    if (quoted == NULL)
        return NULL;
    *at++ = '\'';
    for (; *word != '\0'; word++)
        at = *word == '\'' ? stpcpy(at, "'\\''") : (*at = *word, at + 1);
    strcpy(at, "'");
    return quoted;
}

/* The argument of --replay: the token, or a word of the store's if that is too long. Malloced;
 * NULL: there is none. */
static char *replay_argument(const wri_quest *quest, const wri_bug *bug)
{
    if (strlen(bug->failure.token) <= LONGEST_TOKEN)
        return strdup(bug->failure.token);
    return bug->failure.stored == NULL
               ? NULL
               : quest->store->replay_argument(quest->store, &quest->owner, bug->key);
}

static void set_replay(wri_quest *quest, wri_bug *bug)
{
    const wri_settings *settings = quest->settings;
    char *program = shell_word(settings->program), *name = shell_word(quest->property->name);
    char *argument = replay_argument(quest, bug), *line = NULL;
    char *word = argument == NULL ? NULL : shell_word(argument);
    int   made = -1;
    if (program != NULL && name != NULL)
        made = word == NULL ? asprintf(&line, "%s %s --seed %llu", program, name,
                                       (unsigned long long)quest->seed)
               : settings->by_environment
                   ? asprintf(&line, "WARREN_REPLAY=%s %s", word, program)
                   : asprintf(&line, "%s %s --replay %s", program, name, word);
    wri_bug_own(&bug->failure.replay, made < 0 ? NULL : line);
    free(program);
    free(name);
    free(argument);
    free(word);
}

static bool write_token(wri_quest *quest, wri_bug *bug)
{
    char *token = wri_token_write(wri_trace_label_hash(quest->property->name), &bug->trace);
    if (token != NULL)
        wri_bug_own(&bug->failure.token, token);
    return token != NULL;
}

void wri_quest_tell_replay(wri_quest *quest, wri_bug *bug)
{
    if (write_token(quest, bug))
        set_replay(quest, bug);
}

/* ---- the store ---- */

static void warn_not_stored(wri_quest *quest, const char *why)
{
    if (!quest->trouble.store_refused)
        wri_quest_warn(quest, "the failure could not be stored: %s", why);
    quest->trouble.store_refused = true;
}

static void put(wri_quest *quest, wri_bug *bug)
{
    wri_note   note;
    wri_store *store = quest->store;
    bool       placed = bug->failure.line != 0 || bug->failure.function[0] != '\0';
    if (bug->placed_in_store && !placed)
        return; /* the place could not be looked up this time: the store has more */
    if (store->put(store, &quest->owner, bug->key, &bug->failure, &note))
        wri_bug_own(&bug->failure.stored, store->where(store, &quest->owner, bug->key));
    else
        warn_not_stored(quest, note.text);
}

void wri_quest_keep(wri_quest *quest, wri_bug *bug, bool minimal)
{
    if (!write_token(quest, bug)) {
        if (quest->store != NULL)
            warn_not_stored(quest, WRI_QUEST_NO_MEMORY);
        return;
    }
    bug->failure.seed = quest->seed;
    bug->failure.minimal = minimal;
    if (quest->store != NULL)
        put(quest, bug);
    set_replay(quest, bug);
}

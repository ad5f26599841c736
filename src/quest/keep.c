/* quest/keep.c: stores a bug, and makes the shell line that replays it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "quest/quest.h"

/* A longer token does not go into a shell line: the line names the stored file instead. */
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

/* The path, relative to the current folder if it is below that. */
static const char *from_here(const char *path)
{
    char   here[4096];
    size_t length;
    if (getcwd(here, sizeof here) == NULL || (length = strlen(here), length < 2))
        return path;
    return strncmp(path, here, length) == 0 && path[length] == '/' ? path + length + 1 : path;
}

/* The argument of --replay, as a word for the shell; NULL: memory is out. */
static char *replay_word(const wri_failure *failure, bool by_file)
{
    char *argument = NULL;
    if (asprintf(&argument, "%s%s", by_file ? "@" : "",
                 by_file ? from_here(failure->stored) : failure->token) < 0)
        return NULL;
    char *word = shell_word(argument);
    free(argument);
    return word;
}

static void set_replay(wri_quest *quest, wri_bug *bug)
{
    const wri_settings *settings = quest->settings;
    bool                too_long = strlen(bug->failure.token) > LONGEST_TOKEN;
    bool                by_file = too_long && bug->failure.stored != NULL;
    char *program = shell_word(settings->program), *name = shell_word(quest->property->name);
    char *word = replay_word(&bug->failure, by_file), *line = NULL;
    int   made = -1;
    if (program != NULL && name != NULL && word != NULL)
        made = too_long && !by_file ? asprintf(&line, "%s %s --seed %llu", program, name,
                                               (unsigned long long)quest->seed)
               : settings->by_environment
                   ? asprintf(&line, "WARREN_REPLAY=%s %s", word, program)
                   : asprintf(&line, "%s %s --replay %s", program, name, word);
    wri_bug_own(&bug->failure.replay, made < 0 ? NULL : line);
    free(program);
    free(name);
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

static void put(wri_quest *quest, wri_bug *bug)
{
    wri_note   note;
    wri_store *store = quest->store;
    if (store->put(store, &quest->owner, bug->key, &bug->failure, &note)) {
        wri_bug_own(&bug->failure.stored, store->where(store, &quest->owner, bug->key));
        return;
    }
    if (!quest->trouble.store_refused)
        wri_quest_warn(quest, "the failure could not be stored: %s", note.text);
    quest->trouble.store_refused = true;
}

void wri_quest_keep(wri_quest *quest, wri_bug *bug, bool minimal)
{
    if (!write_token(quest, bug))
        return;
    bug->failure.seed = quest->seed;
    bug->failure.minimal = minimal;
    if (quest->store != NULL)
        put(quest, bug);
    set_replay(quest, bug);
}

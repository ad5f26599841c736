/* quest/keep.c: stores a bug, and makes the shell line that replays it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/calls/log.h"
#include "quest/quest.h"

/* A longer token does not go into a shell line: the line names the stored failure instead. If
 * nothing is stored, the line has the token up to this length, and else the options that find the
 * case once more. */
#define LONGEST_TOKEN 300
#define LONGEST_UNSTORED 4000

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
    size_t longest = bug->failure.stored == NULL ? LONGEST_UNSTORED : LONGEST_TOKEN;
    if (strlen(bug->failure.token) <= longest)
        return strdup(bug->failure.token);
    return bug->failure.stored == NULL
               ? NULL
               : quest->store->replay_argument(quest->store, &quest->owner, bug->key);
}

/* A limit of a case that the run was given. */
typedef struct limit {
    const char        *option, *variable;
    unsigned           given; /* the bit that says so */
    uint64_t           limit, own, usual;
    unsigned           step; /* from one unit to the next */
    const char *const *units;
} limit;

/* Appends the limit, in the largest unit that keeps it a whole number. */
static void tell_limit(const limit *told, bool as_variable, char *text, size_t room)
{
    const char *const *unit = told->units;
    uint64_t           number = told->limit;
    for (; unit[1] != NULL && number % told->step == 0; unit++)
        number /= told->step;
    size_t used = strlen(text);
    snprintf(text + used, room - used, as_variable ? "WARREN_%s=%llu%s " : " --%s %llu%s",
             as_variable ? told->variable : told->option, (unsigned long long)number, *unit);
}

/* The limits that the case would not have without the options of this run: it may need them to
 * fail. They are options, or variables for a line's beginning. */
static void tell_limits(const wri_quest *quest, char *text, size_t room)
{
    static const char *const MS[] = { "ms", "s", NULL }, *const NONE[] = { "", NULL };
    static const char *const BYTES[] = { "", "K", "M", "G", "T", NULL };
    const wri_settings      *s = quest->settings;
    const wr_options        *own = quest->options;

    const limit ALL[] = {
        { "deadline", "DEADLINE", WRI_GIVEN_DEADLINE, s->deadline_ms, own->deadline_ms,
          WRI_USUAL_DEADLINE_MS, 1000, MS },
        { "memory", "MEMORY", WRI_GIVEN_MEMORY, s->memory, own->memory, 0, 1024, BYTES },
        { "processes", "PROCESSES", WRI_GIVEN_PROCESSES, s->processes, own->processes,
          WRI_USUAL_PROCESSES, 1, NONE },
    };
    text[0] = '\0';
    for (size_t i = 0; i < sizeof ALL / sizeof *ALL; i++)
        if ((s->given & ALL[i].given) &&
            ALL[i].limit != (ALL[i].own != 0 ? ALL[i].own : ALL[i].usual))
            tell_limit(&ALL[i], s->by_environment, text, room);
}

/* Ends a line that runs other cases first: a comment for the shell, and for people. */
#define NOT_STORED "  # --store DIR keeps the case"

/* An option of the run that decides which cases are run. */
typedef struct run_option {
    const char *option, *variable;
    bool        given;
    uint64_t    number;
    const char *word; /* instead of the number */
} run_option;

/* The options with which the seed comes to the same case, after others. Random cases do not
 * depend on how many are run. */
static void tell_run(const wri_quest *quest, const wri_bug *bug, char *text, size_t room)
{
#define WORD(word) #word,
    static const char *const EXPLORERS[] = { "auto", WRI_NAMED_EXPLORERS(WORD) };
#undef WORD
    const wri_settings *s = quest->settings;
    unsigned            given = s->given;
    bool                random = quest->explorer == &wri_explorer_random;
    uint64_t            cases = random ? bug->failure.cases_before + 1 : quest->cases_wanted;
    const run_option    ALL[] = {
           { "seed", "SEED", true, quest->seed, NULL },
           { "cases", "CASES", random || (given & WRI_GIVEN_CASES), cases, NULL },
           { "bugs", "BUGS", given & WRI_GIVEN_BUGS, 0, quest->many ? "many" : "one" },
           { "explore", "EXPLORE", given & WRI_GIVEN_EXPLORE, 0, EXPLORERS[s->explore] },
           { "size", "SIZE", given & WRI_GIVEN_SIZE, s->size, NULL },
           { "calls", "CALLS", s->calls != 0, s->calls, NULL },
           { "mean-calls", "MEAN_CALLS", s->mean_calls != 0, s->mean_calls, NULL },
    };
    text[0] = '\0';
    for (size_t i = 0; i < sizeof ALL / sizeof *ALL; i++) {
        const run_option *told = &ALL[i];
        size_t            used = strlen(text);
        char              number[24];
        snprintf(number, sizeof number, "%llu", (unsigned long long)told->number);
        if (told->given)
            snprintf(text + used, room - used, s->by_environment ? "WARREN_%s=%s " : " --%s %s",
                     s->by_environment ? told->variable : told->option,
                     told->word == NULL ? number : told->word);
    }
}

static char *replay_line(const wri_quest *quest, const char *program, const char *name,
                         const char *token, const char *limits, const char *run)
{
    bool  by_environment = quest->settings->by_environment;
    char *line = NULL;
    int   made;
    if (token != NULL)
        made = by_environment
                   ? asprintf(&line, "%sWARREN_REPLAY=%s %s", limits, token, program)
                   : asprintf(&line, "%s %s --replay %s%s", program, name, token, limits);
    else
        made = by_environment
                   ? asprintf(&line, "%s%s%s" NOT_STORED, limits, run, program)
                   : asprintf(&line, "%s %s%s%s" NOT_STORED, program, name, run, limits);
    return made < 0 ? NULL : line;
}

static void set_replay(wri_quest *quest, wri_bug *bug)
{
    const wri_settings *settings = quest->settings;
    char *program = shell_word(settings->program), *name = shell_word(quest->property->name);
    char *argument = replay_argument(quest, bug), *line = NULL;
    char *word = argument == NULL ? NULL : shell_word(argument);
    char  limits[160], run[300];
    tell_limits(quest, limits, sizeof limits);
    tell_run(quest, bug, run, sizeof run);
    if (program != NULL && name != NULL)
        line = replay_line(quest, program, name, word, limits, run);
    wri_bug_own(&bug->failure.replay, line);
    free(program);
    free(name);
    free(argument);
    free(word);
}

static bool write_token(wri_quest *quest, wri_bug *bug)
{
    if (quest->property->machine != NULL)
        wri_log_end_at_last_call(&bug->trace);
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
    if (!store->put(store, &quest->owner, bug->key, &bug->failure, &note)) {
        warn_not_stored(quest, note.text);
        return;
    }
    if (note.text[0] != '\0')
        wri_quest_warn(quest, "%s", note.text);
    wri_bug_own(&bug->failure.stored, store->where(store, &quest->owner, bug->key));
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

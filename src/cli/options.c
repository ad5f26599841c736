/* cli/options.c: from arguments and environment to settings.
 *
 * One table says what options there are; parsing, the WARREN_ variables and --help read it. A
 * mistake is one line: who, what was expected, what was given. What an option means is the
 * conductor's business.
 */
#include "cli/options.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/values.h"
#include "machine/table/heuristics.h"
#include "report/escape.h"

extern char **environ;

/* Reads a value; false when the text is not one. A text's value is the text itself. */
typedef struct row row;
typedef bool       reader(const row *option, const char *text, uint64_t *value);

struct row {
    const char *name;         /* without its dashes */
    char        letter;       /* of the short form; 0: none */
    const char *argument;     /* what --help calls the value; NULL: a flag */
    const char *variable;     /* the twin, without WARREN_; NULL: none */
    reader     *read;         /* NULL: a flag */
    size_t      field, bytes; /* in wri_settings; 0 bytes: nothing is kept */
    uint64_t    low, high;
    unsigned    given;    /* WRI_GIVEN_... */
    const char *words;    /* "a|b|c": the value is the position */
    const char *absent;   /* words, or beginnings up to "://", that another version will know */
    const char *rival;    /* an option that cannot be given together with this one */
    const char *expected; /* what a value looks like */
    const char *help;
};

static reader read_number, read_seed, read_duration, read_bytes, read_word, read_text, read_token,
    read_without;

#define FIELD(member)                                                                            \
    .field = offsetof(wri_settings, member), .bytes = sizeof(((wri_settings *)0)->member)
#define DURATION "a duration such as 30s, 500ms, 2m or 1h, up to 8760h"
#define LONGEST_MS (UINT64_C(8760) * 3600 * 1000) /* a year: in nanoseconds it still fits */

static const row OPTIONS[] = {
    { "list", .help = "print the properties' names and places", FIELD(list) },
    { "cases", 0, "N", "CASES", read_number, FIELD(cases), 1, UINT64_MAX, WRI_GIVEN_CASES,
      .expected = "a whole number, 1 or more",
      .help = "cases a property, discards not counted (1000)" },
    { "time", 0, "DUR", "TIME", read_duration, FIELD(time_ms), 1, LONGEST_MS, WRI_GIVEN_TIME,
      .expected = DURATION, .help = "stop a property after so long" },
    { "until-stable", .variable = "UNTIL_STABLE", FIELD(until_stable),
      .help = "stop a property when its cases show nothing new" },
    { "explore", 0, "HOW", "EXPLORE", read_word, FIELD(explore), .given = WRI_GIVEN_EXPLORE,
      .words = "auto|random|guide|enumerate|feedback", .absent = "combine",
      .expected = "auto, random, guide, enumerate or feedback",
      .help = "auto, random, guide, enumerate, feedback (auto)" },
    { "redraw", 0, "HOW", "REDRAW", read_word, FIELD(redraw), .given = WRI_GIVEN_REDRAW,
      .words = "uniform|skewed|off", .expected = "uniform, skewed or off",
      .help = "refuted trees: uniform, skewed, off (uniform)" },
    { "size", 0, "N", "SIZE", read_number, FIELD(size), 0, 1000000, WRI_GIVEN_SIZE,
      .expected = "a whole number from 0 to 1000000",
      .help = "how large recursive values grow (30), or all cases" },
    { "depth", 0, "N", "DEPTH", read_number, FIELD(depth), 0, 1000000, WRI_GIVEN_DEPTH,
      .expected = "a whole number from 0 to 1000000",
      .help = "enumerate: all values up to this depth" },
    { "at-once", .variable = "AT_ONCE", FIELD(at_once), .rival = "exactly",
      .help = "enumerate: up to the size in one search" },
    { "exactly", .variable = "EXACTLY", FIELD(exactly), .rival = "at-once",
      .help = "enumerate: only cases of just this size" },
    { "bugs", 0, "HOW", "BUGS", read_word, FIELD(many_bugs), .given = WRI_GIVEN_BUGS,
      .words = "one|many", .expected = "one or many",
      .help = "one: stop at the first bug; many: go on (one)" },
    { "patterns", 0, "HOW", "PATTERNS", read_word, FIELD(abstraction),
      .given = WRI_GIVEN_PATTERNS, .words = "shared|objects|names|off",
      .expected = "shared, objects, names or off",
      .help = "machines: shared, objects, names, off (shared)" },
    { "known", 0, "FILE", "KNOWN", read_text, FIELD(known), .expected = "a file of rules",
      .help = "machines: rules of bugs that are known" },
    { "shrink", 0, "HOW", "SHRINK", read_word, FIELD(shrink), .given = WRI_GIVEN_SHRINK,
      .words = "bottom-up|top-down|off", .expected = "bottom-up, top-down or off",
      .help = "bottom-up, top-down, off (bottom-up)" },
    { "order", 0, "HOW", "ORDER", read_word, FIELD(order), .words = "partial|beside|as-is",
      .expected = "partial, beside or as-is",
      .help = "machines: partial, beside, as-is (partial)" },
    { "values", 0, "HOW", "VALUES", read_word, FIELD(values_together),
      .words = "one-by-one|together", .expected = "one-by-one or together",
      .help = "machines: one-by-one, together (one-by-one)" },
    { "guards", 0, "HOW", "GUARDS", read_word, FIELD(no_guards), .words = "on|off",
      .expected = "on or off", .help = "machines: learn what makes a bug harmless (on)" },
    { "results", 0, "HOW", "RESULTS", read_word, FIELD(no_results), .words = "on|off",
      .expected = "on or off", .help = "machines: run nothing twice (on)" },
    { "calls", 0, "N", "CALLS", read_number, FIELD(calls), 1, 1000000, .rival = "mean-calls",
      .expected = "a whole number from 1 to 1000000",
      .help = "machines: every sequence has so many calls" },
    { "mean-calls", 0, "N", "MEAN_CALLS", read_number, FIELD(mean_calls), 1, 1000000,
      .rival = "calls", .expected = "a whole number from 1 to 1000000",
      .help = "machines: lengths are geometric, with this mean" },
    { "check-coverage", .variable = "CHECK_COVERAGE", FIELD(check_coverage),
      .help = "fail when a wr_cover or wr_sometimes is missed" },
    { "seed", 0, "N", "SEED", read_seed, FIELD(seed), 0, UINT64_MAX, WRI_GIVEN_SEED,
      .expected = "a whole number below 2^64, decimal or 0x hexadecimal",
      .help = "the same run again (from the clock)" },
    { "replay", 0, "TOKEN", "REPLAY", read_token, FIELD(replay), .expected = "a token or @FILE",
      .help = "one case again: a token, or @FILE that holds one" },
    { "jobs", 0, "N", "JOBS", read_number, FIELD(jobs), 1, 256,
      .expected = "a whole number from 1 to 256", .help = "worker processes (the cores)" },
    { "deadline", 0, "DUR", "DEADLINE", read_duration, FIELD(deadline_ms), 1, LONGEST_MS,
      WRI_GIVEN_DEADLINE, .expected = DURATION, .help = "CPU time one case may take (60s)" },
    { "memory", 0, "SIZE", "MEMORY", read_bytes, FIELD(memory), 1, UINT64_MAX, WRI_GIVEN_MEMORY,
      .expected = "bytes, or a number with K, M, G or T, such as 512M",
      .help = "memory one case may hold (no limit)" },
    { "shrink-time", 0, "DUR", "SHRINK_TIME", read_duration, FIELD(shrink_time_ms), 1, LONGEST_MS,
      WRI_GIVEN_SHRINK_TIME, .expected = DURATION, .help = "time to shrink one failure (30s)" },
    { "no-fork", .variable = "NO_FORK", FIELD(no_fork), .rival = "fork-each",
      .help = "run in this process, for a debugger" },
    { "fork-each", .variable = "FORK_EACH", FIELD(fork_each), .given = WRI_GIVEN_FORK_EACH,
      .rival = "no-fork", .help = "a process for each case" },
    { "store", 0, "DIR", "STORE", read_text, FIELD(store), .rival = "no-store",
      .absent = "redis://", .expected = "a folder",
      .help = "where failures are kept (.warren beside .git)" },
    { "no-store", .variable = "NO_STORE", FIELD(no_store), .rival = "store",
      .help = "keep and read nothing" },
    { "format", 0, "HOW", "FORMAT", read_word, FIELD(format), .words = "human|tap|json",
      .expected = "human, tap or json", .help = "human, tap, json (human)" },
    { "junit", 0, "FILE", "JUNIT", read_text, FIELD(junit), .expected = "a file",
      .help = "write a JUnit file, too" },
    { "quiet", 'q', .variable = "QUIET", FIELD(quiet), .rival = "verbose",
      .help = "print failures only" },
    { "verbose", 'v', .variable = "VERBOSE", FIELD(verbose), .rival = "quiet",
      .help = "print seeds, executions, rates" },
    { "color", 0, "WHEN", "COLOR", read_word, FIELD(color), .words = "auto|always|never",
      .expected = "auto, always or never", .help = "auto, always, never (auto)" },
    { "", 0, "LIST", "WITHOUT", read_without, FIELD(without), /* machine/table/heuristics.h */
      .expected = "names of heuristics" },
    { "help", 'h', .help = "print this", FIELD(help) },
    { "version", .help = "print the version", FIELD(version) },
};
enum { OPTION_COUNT = sizeof OPTIONS / sizeof *OPTIONS };

/* Where a reading stands. `here` and `below` are sets of OPTIONS: given in this layer (the
 * environment, or the command line), and in the one that it wins over. */
typedef struct reading {
    wri_settings *settings;
    char         *error;
    size_t        error_size;
    uint64_t      here, below;
    bool          environment; /* the layer that is read now */
} reading;

/* ---- Mistakes --------------------------------------------------------------------------- */

#define QUOTED 64 /* bytes of what was given that a line shows */

/* On one line and not too long: what was given may be anything. */
static const char *quoted(const char *given, char text[QUOTED + 6])
{
    size_t used = 0;
    text[used++] = '"';
    for (size_t bytes; *given && used <= QUOTED - 4; given += bytes) {
        uint32_t character;
        bytes = wri_escape_utf8_next(given, &character);
        if (character < 0x20 || (character >= 0x7f && character < 0xa0) ||
            character == WRI_NOT_UTF8) {
            text[used++] = '?';
        } else {
            memcpy(text + used, given, bytes);
            used += bytes;
        }
    }
    strcpy(text + used, *given ? "...\"" : "\"");
    return text;
}

__attribute__((format(printf, 2, 3))) static bool mistake(reading *r, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->error, r->error_size, format, arguments);
    va_end(arguments);
    return false;
}

static size_t least(size_t a, size_t b, size_t c)
{
    size_t ab = a < b ? a : b;
    return ab < c ? ab : c;
}

#define LONGEST_NAME 32

/* How many letters to change, add, drop or swap with the next one; texts longer than any name
 * are far away. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t cost[LONGEST_NAME][LONGEST_NAME] = { 0 }, a_length = strlen(a), b_length = strlen(b);
    if (a_length >= LONGEST_NAME || b_length >= LONGEST_NAME)
        return SIZE_MAX;
    for (size_t i = 0; i < LONGEST_NAME; i++)
        cost[i][0] = cost[0][i] = i;
    for (size_t i = 1; i <= a_length; i++)
        for (size_t j = 1; j <= b_length; j++) {
            bool differ = a[i - 1] != b[j - 1];
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            cost[i][j] =
                least(cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + differ);
            if (swapped && cost[i - 2][j - 2] + 1 < cost[i][j])
                cost[i][j] = cost[i - 2][j - 2] + 1;
        }
    return cost[a_length][b_length];
}

static const char *option_name(const row *option)
{
    return option->name[0] != '\0' ? option->name : NULL; /* a variable alone has none */
}

static const char *option_variable(const row *option)
{
    return option->variable;
}

/* The name that was probably meant; NULL: none is near. */
static const char *nearest(const char *given, const char *(*name_of)(const row *))
{
    size_t      nearest_distance = strlen(given) < 4 ? 2 : 3; /* not as far as this */
    const char *found = NULL;
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const char *name = name_of(&OPTIONS[i]);
        size_t      distance = name ? edit_distance(given, name) : SIZE_MAX;
        if (distance < nearest_distance) {
            nearest_distance = distance;
            found = name;
        }
    }
    return found;
}

/* ---- Values ----------------------------------------------------------------------------- */

static bool in_range(const row *option, uint64_t value)
{
    return value >= option->low && value <= option->high;
}

static bool read_number(const row *option, const char *text, uint64_t *value)
{
    return wri_values_digits(&text, 10, value) && !*text && in_range(option, *value);
}

static bool read_seed(const row *option, const char *text, uint64_t *value)
{
    return wri_values_seed(text, value) && in_range(option, *value);
}

static bool read_duration(const row *option, const char *text, uint64_t *value)
{
    return wri_values_duration(text, option->high, value) && in_range(option, *value);
}

static bool read_bytes(const row *option, const char *text, uint64_t *value)
{
    static const char UNITS[] = "KkMmGgTt";
    const char       *unit;
    if (!wri_values_digits(&text, 10, value))
        return false;
    if (*text) {
        unit = strchr(UNITS, *text);
        if (!unit || text[1] ||
            __builtin_mul_overflow(*value, UINT64_C(1024) << (10 * ((unit - UNITS) / 2)), value))
            return false;
    }
    return in_range(option, *value);
}

static bool read_word(const row *option, const char *text, uint64_t *value)
{
    int found = wri_values_word(option->words, text);
    *value = (uint64_t)(found < 0 ? 0 : found);
    return found >= 0;
}

static bool read_text(const row *option, const char *text, uint64_t *value)
{
    (void)option;
    *value = 0;
    return *text != '\0';
}

static bool read_token(const row *option, const char *text, uint64_t *value)
{
    return read_text(option, text, value) && strcmp(text, "@") != 0;
}

static bool read_without(const row *option, const char *text, uint64_t *value)
{
    (void)option;
    return wri_heuristics_read(text, value);
}

/* ---- Settings --------------------------------------------------------------------------- */

static void keep_number(wri_settings *settings, const row *option, uint64_t value)
{
    char    *field = (char *)settings + option->field;
    bool     yes = value != 0;
    uint32_t half = (uint32_t)value; /* enumerations, unsigned */
    switch (option->bytes) {
    case sizeof yes: memcpy(field, &yes, sizeof yes); break;
    case sizeof half: memcpy(field, &half, sizeof half); break;
    case sizeof value: memcpy(field, &value, sizeof value); break;
    default: break;
    }
}

static void keep(wri_settings *settings, const row *option, const char *text, uint64_t value)
{
    if (option->read == read_text || option->read == read_token)
        memcpy((char *)settings + option->field, &text, sizeof text);
    else
        keep_number(settings, option, value);
    settings->given |= option->given;
}

static void forget(wri_settings *settings, const row *option)
{
    memset((char *)settings + option->field, 0, option->bytes);
    settings->given &= ~option->given;
}

static const row *find_option(const char *name, size_t length)
{
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (strlen(OPTIONS[i].name) == length && memcmp(OPTIONS[i].name, name, length) == 0)
            return &OPTIONS[i];
    return NULL;
}

static uint64_t bit(const row *option)
{
    return UINT64_C(1) << (option - OPTIONS);
}

/* A rival in the same layer is a mistake; one in the layer below has lost. */
static bool beat_rival(reading *r, const row *option, const char *who)
{
    const char *name = option->rival;
    const row  *rival = name ? find_option(name, strlen(name)) : NULL;
    if (!rival)
        return true;
    if (r->here & bit(rival))
        return mistake(r, "%s: expected without %s%s, got both", who,
                       r->environment ? "WARREN_" : "--",
                       r->environment ? rival->variable : rival->name);
    if (r->below & bit(rival))
        forget(r->settings, rival);
    return true;
}

static bool known_elsewhere(const row *option, const char *text)
{
    const char *scheme = option->absent ? strstr(option->absent, "://") : NULL;
    if (scheme)
        return strncmp(text, option->absent, strlen(option->absent)) == 0;
    return option->absent && wri_values_word(option->absent, text) >= 0;
}

/* Takes one option with its value (NULL for a flag). `who` is how the user spelled it. */
static bool take(reading *r, const row *option, const char *who, const char *text)
{
    char     given[QUOTED + 6];
    uint64_t value = 1;
    if (text && known_elsewhere(option, text))
        return mistake(r, "%s: %s is not available in this version, expected %s", who,
                       quoted(text, given), option->expected);
    if (text && !option->read(option, text, &value))
        return mistake(r, "%s: expected %s, got %s", who, option->expected, quoted(text, given));
    if (!beat_rival(r, option, who))
        return false;
    keep(r->settings, option, text, value);
    r->here |= bit(option);
    return true;
}

/* ---- The environment -------------------------------------------------------------------- */

static const row *find_variable(const char *name, size_t length)
{
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const char *variable = OPTIONS[i].variable;
        if (variable && strlen(variable) == length && memcmp(variable, name, length) == 0)
            return &OPTIONS[i];
    }
    return NULL;
}

/* What build systems call where the library is: none of our business. */
static bool of_a_build(const char *name, size_t length)
{
    static const char *const NAMES[] = { "CFLAGS", "LIBS", "DIR", "ROOT" };
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (strlen(NAMES[i]) == length && memcmp(NAMES[i], name, length) == 0)
            return true;
    return false;
}

static bool unknown_variable(reading *r, const char *name)
{
    char        given[QUOTED + 6];
    const char *near = nearest(name, option_variable);
    size_t      length = strlen(quoted(name, given)) - 2;
    if (near)
        return mistake(r, "WARREN_%.*s is not a variable Warren knows (did you mean WARREN_%s?)",
                       (int)length, given + 1, near);
    return mistake(r, "WARREN_%.*s is not a variable Warren knows (--help names the options)",
                   (int)length, given + 1);
}

/* A flag's variable is 1 or 0. */
static bool take_flag_variable(reading *r, const row *option, const char *who, const char *text)
{
    char given[QUOTED + 6];
    if (strcmp(text, "0") == 0)
        return true;
    if (strcmp(text, "1") == 0)
        return take(r, option, who, NULL);
    return mistake(r, "%s: expected 1 or 0, got %s", who, quoted(text, given));
}

/* `entry` is what follows WARREN_: NAME=VALUE. An empty value is none. */
static bool read_variable(reading *r, const char *entry)
{
    size_t      length = strcspn(entry, "=");
    const row  *option = find_variable(entry, length);
    const char *value = entry[length] ? entry + length + 1 : "";
    char        who[64];
    if (!option && of_a_build(entry, length))
        return true;
    if (!option) {
        char *name = strndup(entry, length);
        bool  known = unknown_variable(r, name ? name : "");
        free(name);
        return known;
    }
    snprintf(who, sizeof who, "WARREN_%s", option->variable);
    if (!*value)
        return true;
    return option->argument ? take(r, option, who, value)
                            : take_flag_variable(r, option, who, value);
}

static bool read_environment(reading *r)
{
    static const char PREFIX[] = "WARREN_";
    size_t            length = sizeof PREFIX - 1;
    for (char **entry = environ; entry && *entry; entry++)
        if (strncmp(*entry, PREFIX, length) == 0 && !read_variable(r, *entry + length))
            return false;
    return true;
}

/* ---- The command line ------------------------------------------------------------------- */

static bool unknown_option(reading *r, const char *argument)
{
    char        given[QUOTED + 6];
    const char *name = argument + strspn(argument, "-");
    char       *alone = strndup(name, strcspn(name, "="));
    const char *near = alone ? nearest(alone, option_name) : NULL;
    free(alone);
    if (near)
        return mistake(r, "%s is not an option (did you mean --%s?)", quoted(argument, given),
                       near);
    return mistake(r, "%s is not an option (--help names them)", quoted(argument, given));
}

/* The option that an argument names; *value is what follows its '=', or NULL. */
static const row *parse_argument(const char *argument, const char **value)
{
    size_t length = strcspn(argument, "=");
    *value = NULL;
    if (argument[1] != '-') {
        for (size_t i = 0; i < OPTION_COUNT; i++)
            if (OPTIONS[i].letter && argument[1] == OPTIONS[i].letter && !argument[2])
                return &OPTIONS[i];
        return NULL;
    }
    if (argument[length])
        *value = argument + length + 1;
    return length > 2 ? find_option(argument + 2, length - 2) : NULL;
}

/* Takes the option at argv[*i], and its value, which may be the next argument. */
static bool read_option(reading *r, int argc, char **argv, int *i)
{
    char        given[QUOTED + 6], who[32];
    const char *value;
    const row  *option = parse_argument(argv[*i], &value);
    if (!option)
        return unknown_option(r, argv[*i]);
    snprintf(who, sizeof who, "--%s", option->name);
    if (!option->argument && value)
        return mistake(r, "%s: expected no value, got %s", who, quoted(value, given));
    if (option->argument && !value) {
        if (*i + 1 >= argc)
            return mistake(r, "%s: expected %s, got nothing", who, option->expected);
        value = argv[++*i];
        if (strncmp(value, "--", 2) == 0)
            return mistake(r, "%s: expected %s, got the next option %s", who, option->expected,
                           quoted(value, given));
    }
    return take(r, option, who, value);
}

static bool read_arguments(reading *r, int argc, char **argv, char **patterns, size_t *count)
{
    bool options = true;
    for (int i = 1; i < argc; i++) {
        if (options && strcmp(argv[i], "--") == 0)
            options = false;
        else if (options && argv[i][0] == '-' && argv[i][1]) {
            if (!read_option(r, argc, argv, &i))
                return false;
        } else if (!argv[i][0])
            return mistake(r, "PATTERN: expected a property's name or a glob, got \"\"");
        else
            patterns[(*count)++] = argv[i];
    }
    return true;
}

bool wri_options_read(wri_settings *settings, int argc, char **argv, char ***patterns_memory,
                      char *error, size_t error_size)
{
    reading r = { settings, error, error_size, 0, 0, true };
    char  **patterns;
    memset(settings, 0, sizeof *settings);
    *patterns_memory = NULL;
    settings->program = argc > 0 && argv[0] ? argv[0] : program_invocation_name;
    if (!read_environment(&r))
        return false;
    if (argc <= 1)
        return true;
    patterns = calloc((size_t)argc, sizeof *patterns);
    if (!patterns)
        return mistake(&r, "out of memory");
    r.below = r.here;
    r.here = 0;
    r.environment = false;
    if (!read_arguments(&r, argc, argv, patterns, &settings->pattern_count)) {
        settings->pattern_count = 0;
        free(patterns);
        return false;
    }
    settings->patterns = *patterns_memory = patterns;
    return true;
}

/* ---- Help ------------------------------------------------------------------------------- */

static void put_option(FILE *out, const row *option)
{
    char left[32], letter[8] = "";
    if (option->letter)
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    snprintf(left, sizeof left, "%s--%s%s%s", letter, option->name, option->argument ? " " : "",
             option->argument ? option->argument : "");
    fprintf(out, "  %-20s  %s\n", left, option->help);
}

static void put_help(FILE *out)
{
    fputs("usage: PROGRAM [OPTION...] [PATTERN...]\n\n"
          "Runs the properties whose names match a PATTERN (a glob), or all of them.\n\n",
          out);
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (option_name(&OPTIONS[i]) != NULL)
            put_option(out, &OPTIONS[i]);
    fputs("\nDUR is 30s, 500ms, 2m or 1h; SIZE is bytes, or 512K, 64M, 2G. Options have\n"
          "twins, such as WARREN_CASES=50 or WARREN_NO_FORK=1; the command line wins.\n\n"
          "exit status: 0 all held; 1 a property failed, gave up or was flaky; 77 all were\n"
          "skipped; 99 it could not run as asked; 130 interrupted with nothing failed\n",
          out);
}

const char *wri_options_help(void)
{
    static char text[4096];
    FILE       *out = fmemopen(text, sizeof text - 1, "w");
    if (out) {
        put_help(out);
        fclose(out);
    }
    return text;
}

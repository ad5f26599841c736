/* tests/options_unit.c: what arguments and WARREN_ variables become, and the line that each
 * mistake gets. Ends with random arguments, which may be wrong in any way but not crash. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/option_table.h"
#include "cli/options.h"
#include "warren.h"
#include "check.h"
#include "unit.h"

#define MOST 8

typedef struct outcome {
    wri_settings settings;
    char       **patterns;
    char         error[256];
    bool         ok;
} outcome;

static outcome parse(const char *const *arguments)
{
    outcome o = { .ok = false };
    char   *argv[MOST + 2] = { (char *)"./sort" };
    int     argc = 1;
    while (arguments[argc - 1]) {
        argv[argc] = (char *)arguments[argc - 1];
        argc++;
    }
    o.ok = wri_options_read(&o.settings, argc, argv, &o.patterns, o.error, sizeof o.error);
    return o;
}

#define PARSE(...) parse((const char *const[]){ __VA_ARGS__, NULL })

static void forget_environment(void)
{
    static const char *const NAMES[] = { "CASES",        "TIME",        "SEED",    "DEADLINE",
                                         "MEMORY",       "SHRINK_TIME", "JOBS",    "BUGS",
                                         "STORE",        "NO_STORE",    "FORMAT",  "JUNIT",
                                         "QUIET",        "VERBOSE",     "COLOR",   "NO_FORK",
                                         "FORK_EACH",    "REPLAY",      "SIZE",    "EXPLORE",
                                         "UNTIL_STABLE", "CASE",        "ELEPHANT" };
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        char name[64];
        snprintf(name, sizeof name, "WARREN_%s", NAMES[i]);
        unsetenv(name);
    }
}

/* ---- What is right ---------------------------------------------------------------------- */

TEST(nothing_given_is_all_defaults)
{
    outcome o = parse((const char *const[]){ NULL });
    CHECK(o.ok && o.settings.given == 0 && o.settings.pattern_count == 0);
    CHECK(strcmp(o.settings.program, "./sort") == 0 && o.patterns == NULL);
    CHECK(o.settings.format == WRI_FORMAT_HUMAN && o.settings.color == WRI_COLOR_AUTO);
    CHECK(o.settings.jobs == 0 && !o.settings.store && !o.settings.replay && !o.settings.junit);
}

TEST(every_number_reaches_its_field)
{
    static const struct {
        const char *argument;
        size_t      field;
        uint64_t    value;
        unsigned    given;
    } ROWS[] = {
#define U64(member) offsetof(wri_settings, member)
        { "--cases=10", U64(cases), 10, WRI_GIVEN_CASES },
        { "--cases=18446744073709551615", U64(cases), UINT64_MAX, WRI_GIVEN_CASES },
        { "--time=30s", U64(time_ms), 30000, WRI_GIVEN_TIME },
        { "--time=500ms", U64(time_ms), 500, WRI_GIVEN_TIME },
        { "--time=2m", U64(time_ms), 120000, WRI_GIVEN_TIME },
        { "--time=1h", U64(time_ms), 3600000, WRI_GIVEN_TIME },
        { "--time=1.5s", U64(time_ms), 1500, WRI_GIVEN_TIME },
        { "--time=0.25h", U64(time_ms), 900000, WRI_GIVEN_TIME },
        { "--time=7", U64(time_ms), 7000, WRI_GIVEN_TIME },
        { "--time=0.0010000000000001", U64(time_ms), 1, WRI_GIVEN_TIME },
        { "--time=8760h", U64(time_ms), UINT64_C(31536000000), WRI_GIVEN_TIME },
        { "--deadline=1s", U64(deadline_ms), 1000, WRI_GIVEN_DEADLINE },
        { "--shrink-time=3s", U64(shrink_time_ms), 3000, WRI_GIVEN_SHRINK_TIME },
        { "--memory=4096", U64(memory), 4096, WRI_GIVEN_MEMORY },
        { "--memory=1K", U64(memory), 1024, WRI_GIVEN_MEMORY },
        { "--memory=3m", U64(memory), 3 << 20, WRI_GIVEN_MEMORY },
        { "--memory=1G", U64(memory), 1 << 30, WRI_GIVEN_MEMORY },
        { "--memory=2T", U64(memory), UINT64_C(2) << 40, WRI_GIVEN_MEMORY },
        { "--seed=0", U64(seed), 0, WRI_GIVEN_SEED },
        { "--seed=0xfF", U64(seed), 255, WRI_GIVEN_SEED },
        { "--seed=0xffffffffffffffff", U64(seed), UINT64_MAX, WRI_GIVEN_SEED },
        { "--seed=18446744073709551615", U64(seed), UINT64_MAX, WRI_GIVEN_SEED },
        { "--shard=2/5", U64(shard), UINT64_C(2) << 32 | 5, 0 },
        { "--shard=100000/100000", U64(shard), UINT64_C(100000) << 32 | 100000, 0 },
        { "--size=0", U64(size), 0, WRI_GIVEN_SIZE },
        { "--size=1000000", U64(size), 1000000, WRI_GIVEN_SIZE },
#undef U64
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        outcome  o = PARSE(ROWS[i].argument);
        uint64_t value;
        memcpy(&value, (char *)&o.settings + ROWS[i].field, sizeof value);
        if (!o.ok || value != ROWS[i].value || o.settings.given != ROWS[i].given) {
            printf("%s: %s gave %llu (%s)\n", __FILE__, ROWS[i].argument,
                   (unsigned long long)value, o.error);
            failures++;
        }
        free(o.patterns);
    }
}

TEST(words_texts_and_flags_reach_their_fields)
{
    outcome o = PARSE("--bugs", "many", "--format=json", "--color", "never", "--jobs", "256");
    CHECK(o.ok && o.settings.many_bugs && o.settings.given == WRI_GIVEN_BUGS);
    CHECK(o.settings.format == WRI_FORMAT_JSON && o.settings.color == WRI_COLOR_NEVER);
    CHECK(o.settings.jobs == 256);
    free(o.patterns);
    o = PARSE("--store=a=b", "--junit", "out.xml", "--replay=@file", "--fork-each", "-v");
    CHECK(o.ok && strcmp(o.settings.store, "a=b") == 0 &&
          strcmp(o.settings.junit, "out.xml") == 0);
    CHECK(strcmp(o.settings.replay, "@file") == 0 && o.settings.verbose && !o.settings.quiet);
    CHECK(o.settings.fork_each && o.settings.given == WRI_GIVEN_FORK_EACH);
    free(o.patterns);
    o = PARSE("--list", "-h", "--version", "-q", "--no-fork", "--no-store");
    CHECK(o.ok && o.settings.list && o.settings.help && o.settings.version && o.settings.quiet);
    CHECK(o.settings.no_fork && o.settings.no_store && o.settings.given == 0);
    free(o.patterns);
    o = PARSE("--bugs=many", "--bugs=one");
    CHECK(o.ok && !o.settings.many_bugs && o.settings.given == WRI_GIVEN_BUGS);
    free(o.patterns);
    o = PARSE("--until-stable", "--cases=7", "--time=1s");
    CHECK(o.ok && o.settings.until_stable && o.settings.cases == 7 && o.settings.time_ms == 1000);
    free(o.patterns);
}

TEST(every_explorer_has_its_word)
{
    static const char *const WORDS[] = { [WR_AUTO] = "--explore=auto",
                                         [WR_RANDOM] = "--explore=random",
                                         [WR_GUIDE] = "--explore=guide",
                                         [WR_ENUMERATE] = "--explore=enumerate" };
    for (unsigned i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
        outcome o = PARSE("--explore=guide", WORDS[i]); /* the last one counts */
        CHECK(o.ok && o.settings.explore == (wr_explore)i);
        CHECK(o.settings.given == WRI_GIVEN_EXPLORE);
        free(o.patterns);
    }
    CHECK((int)WR_AUTO == (int)WR_AUTO && (int)WR_RANDOM == (int)WR_RANDOM);
    CHECK((int)WR_GUIDE == (int)WR_GUIDE);
}

/* Row 64 is not row 0, nor is it the rival of row 1. */
TEST(a_table_may_have_many_rows)
{
    enum { ROWS = 100 };
    static char       names[ROWS][8];
    static wri_option rows[ROWS];
    bool              flags[ROWS] = { false };
    char              error[200] = "";
    char             *arguments[] = { "--row64", "--row1", NULL };
    for (size_t i = 0; i < ROWS; i++) {
        snprintf(names[i], sizeof names[i], "row%zu", i);
        rows[i] = (wri_option){ .name = names[i], .field = i, .bytes = 1, .help = "" };
    }
    rows[1].rival = "row0";
    wri_option_table   table = { rows, ROWS };
    wri_option_reading reading = {
        .table = &table, .to = flags, .error = error, .error_size = sizeof error
    };
    CHECK(wri_option_table_arguments(&reading, 2, arguments));
    CHECK(flags[64] && flags[1] && !flags[0] && error[0] == '\0');
}

TEST(what_is_no_option_is_a_pattern)
{
    outcome o = PARSE("sort*", "--cases", "5", "-", "--", "--cases", "-x");
    CHECK(o.ok && o.settings.cases == 5 && o.settings.pattern_count == 4);
    CHECK(o.ok && strcmp(o.settings.patterns[0], "sort*") == 0);
    CHECK(o.ok && strcmp(o.settings.patterns[1], "-") == 0);
    CHECK(o.ok && strcmp(o.settings.patterns[2], "--cases") == 0);
    CHECK(o.ok && strcmp(o.settings.patterns[3], "-x") == 0);
    free(o.patterns);
}

/* ---- What is wrong ---------------------------------------------------------------------- */

static const struct {
    const char *arguments[3];
    const char *error; /* the whole line */
} MISTAKES[] = {
#define NUMBER "--cases: expected a whole number from 1 to 18446744073709551615, got "
#define SEED "--seed: expected a whole number below 2^64, decimal or 0x hexadecimal, got "
#define REPLAY "--replay: expected a token, which begins with w1, or @FILE, got "
#define TIME                                                                                     \
    "--time: expected a duration above 0, such as 30s, 500ms, 2m or 1h, up to 8760h, got "
#define MEMORY                                                                                   \
    "--memory: expected bytes above 0, or a number with K, M, G or T, such as 512M, below "      \
    "2^64, got "
    { { "--cases" }, NUMBER "nothing" },
    { { "--cases", "--list" }, NUMBER "the next option \"--list\"" },
    { { "--cases", "0" }, NUMBER "\"0\"" },
    { { "--cases", "-1" }, NUMBER "\"-1\"" },
    { { "--cases", "+1" }, NUMBER "\"+1\"" },
    { { "--cases", " 1" }, NUMBER "\" 1\"" },
    { { "--cases", "10x" }, NUMBER "\"10x\"" },
    { { "--cases", "1e3" }, NUMBER "\"1e3\"" },
    { { "--cases=" }, NUMBER "\"\"" },
    { { "--cases", "" }, NUMBER "\"\"" },
    { { "--cases", "18446744073709551616" }, NUMBER "\"18446744073709551616\"" },
    { { "--cases", "99999999999999999999999" }, NUMBER "\"99999999999999999999999\"" },
    { { "--cases", "a\nb\x1b\xff" }, NUMBER "\"a?b??\"" },
    { { "--seed", "0x" }, SEED "\"0x\"" },
    { { "--seed", "ten" }, SEED "\"ten\"" },
    { { "--seed", "0x10000000000000000" }, SEED "\"0x10000000000000000\"" },
    { { "--seed", "12z" }, SEED "\"12z\"" },
    { { "--size", "1000001" }, "--size: expected a whole number from 0 to 1000000, got" },
    { { "--jobs", "0" }, "--jobs: expected a whole number from 1 to 256, got \"0\"" },
    { { "--jobs", "257" }, "--jobs: expected a whole number from 1 to 256, got \"257\"" },
    { { "--time", "0" }, TIME "\"0\"" },
    { { "--time", "0.5ms" }, TIME "\"0.5ms\"" },
    { { "--time", "5y" }, TIME "\"5y\"" },
    { { "--time", "1.s" }, TIME "\"1.s\"" },
    { { "--time", ".5s" }, TIME "\".5s\"" },
    { { "--time", "5 s" }, TIME "\"5 s\"" },
    { { "--time", "8761h" }, TIME "\"8761h\"" },
    { { "--time", "31536000000h" }, TIME "\"31536000000h\"" },
    { { "--time", "99999999999999999999h" }, TIME "\"99999999999999999999h\"" },
    { { "--deadline", "x" }, "--deadline: expected a duration" },
    { { "--shrink-time=-1s" }, "--shrink-time: expected a duration" },
    { { "--memory", "0" }, MEMORY "\"0\"" },
    { { "--memory", "0K" }, MEMORY "\"0K\"" },
    { { "--memory", "K" }, MEMORY "\"K\"" },
    { { "--memory", "1GB" }, MEMORY "\"1GB\"" },
    { { "--memory", "5x" }, MEMORY "\"5x\"" },
    { { "--memory", "16777216T" }, MEMORY "\"16777216T\"" },
    { { "--explore", "guess" },
      "--explore: expected auto, random, guide, enumerate, feedback, restart, combine or radix, "
      "got \"guess\"" },
    { { "--explore", "gide" },
      "--explore: expected auto, random, guide, enumerate, feedback, restart, combine or radix, "
      "got \"gide\" "
      "(did you "
      "mean "
      "guide?)" },
    { { "--explore" },
      "--explore: expected auto, random, guide, enumerate, feedback, restart, combine or radix, "
      "got nothing" },
    { { "--explore", "--seed" },
      "--explore: expected auto, random, guide, enumerate, feedback, restart, combine or radix, "
      "got the next "
      "option" },
    { { "--redraw", "of" },
      "--redraw: expected uniform, skewed or off, got \"of\" (did you mean off?)" },
    { { "--explore", "auto|random" },
      "--explore: expected auto, random, guide, enumerate, feedback, restart, combine or radix, "
      "got "
      "\"auto|random\"" },
    { { "--patterns", "some" },
      "--patterns: expected shared, objects, names or off, got \"some\"" },
    { { "--shrink=up" }, "--shrink: expected bottom-up, top-down or off, got \"up\"" },
    { { "--order", "any" }, "--order: expected partial, beside or as-is, got \"any\"" },
    { { "--values", "1" }, "--values: expected one-by-one or together, got \"1\"" },
    { { "--guards", "yes" }, "--guards: expected on or off, got \"yes\"" },
    { { "--results=0" }, "--results: expected on or off, got \"0\"" },
    { { "--calls", "0" }, "--calls: expected a whole number from 1 to 1000000, got \"0\"" },
    { { "--mean-calls", "x" }, "--mean-calls: expected a whole number from 1 to 1000000" },
    { { "--calls=5", "--mean-calls=5" }, "--mean-calls: cannot be given together with --calls" },
    { { "--known=" }, "--known: expected a file of rules, got \"\"" },
    { { "--until-stable=5" }, "--until-stable: expected no value, got \"5\"" },
    { { "--bugs", "two" }, "--bugs: expected one or many, got \"two\"" },
    { { "--bugs", "" }, "--bugs: expected one or many, got \"\"" },
    { { "--format", "xml" },
      "--format: expected human, github, tap, json or events, got \"xml\"" },
    { { "--color", "green" }, "--color: expected auto, always or never, got \"green\"" },
    { { "--store=" },
      "--store: expected a folder, sqlite:FOLDER or redis://HOST/CAMPAIGN, got \"\"" },
    { { "--store" },
      "--store: expected a folder, sqlite:FOLDER or redis://HOST/CAMPAIGN, got nothing" },
    { { "--junit=" }, "--junit: expected a file, got \"\"" },
    { { "--shard", "4/3" },
      "--shard: expected I/N with I from 1 to N, such as 2/5: the second of five parts, got "
      "\"4/3\"" },
    { { "--replay=" }, REPLAY "\"\"" },
    { { "--replay", "@" }, REPLAY "\"@\"" },
    { { "--replay", "garbage" }, REPLAY "\"garbage\"" },
    { { "--replay", "w" }, REPLAY "\"w\"" },
    { { "--list=yes" }, "--list: expected no value, got \"yes\"" },
    { { "--quiet=" }, "--quiet: expected no value, got \"\"" },
    { { "--no-fork", "--fork-each" }, "--fork-each: cannot be given together with --no-fork" },
    { { "--no-store", "--store=x" }, "--store: cannot be given together with --no-store" },
    { { "--store=x", "--no-store" }, "--no-store: cannot be given together with --store" },
    { { "-q", "-v" }, "--verbose: cannot be given together with --quiet" },
    { { "" }, "PATTERN: expected a property's name or a glob, got \"\"" },
    { { "--", "" }, "PATTERN: expected a property's name or a glob, got \"\"" },
    { { "--case" }, "\"--case\" is not an option (did you mean --cases?)" },
    { { "--sede=4" }, "\"--sede=4\" is not an option (did you mean --seed?)" },
    { { "-list" }, "\"-list\" is not an option (did you mean --list?)" },
    { { "--shrinktime" }, "\"--shrinktime\" is not an option (did you mean --shrink-time?)" },
    { { "--html" }, "--html: expected a file, got nothing" },
    { { "--observations" }, "--observations: expected a file, got nothing" },
    { { "-x" }, "\"-x\" is not an option (--help names them)" },
    { { "-qv" }, "\"-qv\" is not an option (--help names them)" },
    { { "--=x" }, "\"--=x\" is not an option (--help names them)" },
    { { "---" }, "\"---\" is not an option (--help names them)" },
    { { "--aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" },
      "\"--aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...\" is not an option" },
};

TEST(each_mistake_gets_its_line)
{
    for (size_t i = 0; i < sizeof MISTAKES / sizeof *MISTAKES; i++) {
        outcome o = parse(MISTAKES[i].arguments);
        if (o.ok || strncmp(o.error, MISTAKES[i].error, strlen(MISTAKES[i].error)) != 0 ||
            strchr(o.error, '\n') || o.patterns) {
            printf("%s: expected %s\n     got %s\n", __FILE__, MISTAKES[i].error,
                   o.ok ? "no mistake" : o.error);
            failures++;
        }
        free(o.patterns);
    }
}

/* ---- The environment -------------------------------------------------------------------- */

TEST(each_option_has_a_twin)
{
    static const char *const TWINS[][2] = {
        { "CASES", "5" },     { "TIME", "5s" },       { "SEED", "5" },
        { "DEADLINE", "5s" }, { "MEMORY", "5G" },     { "JOBS", "5" },
        { "BUGS", "many" },   { "SHRINK_TIME", "5" }, { "STORE", "dir" },
        { "NO_STORE", "0" },  { "FORMAT", "json" },   { "JUNIT", "file" },
        { "QUIET", "1" },     { "VERBOSE", "0" },     { "COLOR", "never" },
        { "NO_FORK", "1" },   { "FORK_EACH", "" },    { "REPLAY", "w1a" },
        { "SIZE", "5" },      { "EXPLORE", "guide" }, { "UNTIL_STABLE", "1" },
    };
    wri_settings s;
    char       **patterns, error[256], name[64];
    for (size_t i = 0; i < sizeof TWINS / sizeof *TWINS; i++) {
        snprintf(name, sizeof name, "WARREN_%s", TWINS[i][0]);
        setenv(name, TWINS[i][1], 1);
    }
    CHECK(wri_options_read(&s, 0, NULL, &patterns, error, sizeof error));
    CHECK(s.cases == 5 && s.time_ms == 5000 && s.seed == 5 && s.deadline_ms == 5000);
    CHECK(s.memory == UINT64_C(5) << 30 && s.jobs == 5 && s.many_bugs &&
          s.shrink_time_ms == 5000);
    CHECK(strcmp(s.store, "dir") == 0 && !s.no_store && s.format == WRI_FORMAT_JSON);
    CHECK(strcmp(s.junit, "file") == 0 && s.quiet && !s.verbose && s.color == WRI_COLOR_NEVER);
    CHECK(s.no_fork && !s.fork_each && strcmp(s.replay, "w1a") == 0 && s.size == 5);
    CHECK(s.explore == WR_GUIDE && s.until_stable);
    CHECK(s.given == (WRI_GIVEN_CASES | WRI_GIVEN_TIME | WRI_GIVEN_SEED | WRI_GIVEN_DEADLINE |
                      WRI_GIVEN_MEMORY | WRI_GIVEN_SHRINK_TIME | WRI_GIVEN_BUGS | WRI_GIVEN_SIZE |
                      WRI_GIVEN_EXPLORE));
    CHECK(patterns == NULL && s.program != NULL);
    forget_environment();
}

TEST(the_command_line_wins)
{
    outcome o;
    setenv("WARREN_CASES", "5", 1);
    setenv("WARREN_NO_STORE", "1", 1);
    setenv("WARREN_QUIET", "1", 1);
    setenv("WARREN_FORK_EACH", "1", 1);
    o = PARSE("--cases=6", "--store=x", "--verbose", "--no-fork");
    CHECK(o.ok && o.settings.cases == 6 && !o.settings.no_store && o.settings.store);
    CHECK(o.settings.verbose && !o.settings.quiet && o.settings.no_fork && !o.settings.fork_each);
    CHECK(o.settings.given == WRI_GIVEN_CASES);
    free(o.patterns);
    forget_environment();
}

TEST(mistakes_in_variables_get_their_line)
{
    static const char *const ROWS[][3] = {
        { "WARREN_CASES", "x",
          "WARREN_CASES: expected a whole number from 1 to 18446744073709551615, got \"x\"" },
        { "WARREN_NO_FORK", "yes", "WARREN_NO_FORK: expected 1 or 0, got \"yes\"" },
        { "WARREN_CASE", "5",
          "WARREN_CASE is not a variable Warren knows (did you mean WARREN_CASES?)" },
        { "WARREN_ELEPHANT", "",
          "WARREN_ELEPHANT is not a variable Warren knows (--help names the options)" },
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        outcome o;
        setenv(ROWS[i][0], ROWS[i][1], 1);
        o = PARSE("--list");
        CHECK(!o.ok && strncmp(o.error, ROWS[i][2], strlen(ROWS[i][2])) == 0);
        free(o.patterns);
        forget_environment();
    }
    setenv("WARREN_QUIET", "1", 1);
    setenv("WARREN_VERBOSE", "1", 1);
    outcome o = PARSE("--list");
    CHECK(!o.ok && strstr(o.error, ": cannot be given together with WARREN_"));
    free(o.patterns);
    forget_environment();
}

/* ---- Help and noise --------------------------------------------------------------------- */

TEST(help_fits_a_screen)
{
    char  *help;
    size_t size, lines = 0, widest = 0;
    FILE  *out = open_memstream(&help, &size);
    wri_options_help(out, "sort");
    fclose(out);
    for (const char *line = help; *line; lines++) {
        size_t width = strcspn(line, "\n");
        widest = width > widest ? width : widest;
        line += width + (line[width] == '\n');
    }
    CHECK(lines > 25 && lines <= 90 && widest <= 80);
    CHECK(strncmp(help, "usage: sort [OPTION...] ", 24) == 0 &&
          strstr(help, "\nexit status: 0 all held;"));
    CHECK(strstr(help, "nothing failed\n") == help + strlen(help) - 15);
    CHECK(strstr(help, "Everyday\n  --cases N             cases") &&
          strstr(help, "  -q, --quiet "));
    CHECK(!strstr(help, "redis"));
    free(help);
}

static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* A real argument, often cut or bent, or bytes. */
static void random_argument(uint64_t *state, char text[64])
{
    static const char *const PARTS[] = { "--cases",
                                         "--time",
                                         "--seed=",
                                         "0x",
                                         "--memory",
                                         "5",
                                         "G",
                                         "--store",
                                         "redis://",
                                         "--no-store",
                                         "--explore",
                                         "auto",
                                         "--",
                                         "-q",
                                         "-v",
                                         "1.5",
                                         "ms",
                                         "--bugs=",
                                         "many",
                                         "=",
                                         "--replay=@",
                                         "*",
                                         "99999999999999999999",
                                         "--jobs",
                                         "-" };
    size_t                   length;
    text[0] = '\0';
    for (uint64_t parts = next_random(state) % 3; parts > 0; parts--)
        strcat(text, PARTS[next_random(state) % (sizeof PARTS / sizeof *PARTS)]);
    length = strlen(text);
    for (uint64_t bytes = next_random(state) % 4; bytes > 1; bytes--) {
        text[length++] = (char)(next_random(state) % 255 + 1);
        text[length] = '\0';
    }
    if (length > 0 && next_random(state) % 8 == 0)
        text[next_random(state) % length] = (char)(next_random(state) % 255 + 1);
}

TEST(any_arguments_are_read_or_get_one_line)
{
    uint64_t state = 42;
    size_t   right = 0, rounds = 20000;
    for (size_t round = 0; round < rounds; round++) {
        char        text[MOST][64];
        const char *arguments[MOST + 1] = { NULL };
        size_t      count = next_random(&state) % (MOST - 1);
        outcome     o;
        for (size_t i = 0; i < count; i++) {
            random_argument(&state, text[i]);
            arguments[i] = text[i];
        }
        o = parse(arguments);
        right += o.ok;
        CHECK(o.ok ? o.error[0] == '\0' : o.error[0] && !strchr(o.error, '\n') && !o.patterns);
        free(o.patterns);
    }
    CHECK(right > rounds / 20 && right < rounds / 20 * 19);
}

TEST(a_short_buffer_is_not_overrun)
{
    wri_settings s;
    char       **patterns, error[8];
    char        *argv[] = { (char *)"x", (char *)"--cases=x", NULL };
    CHECK(!wri_options_read(&s, 2, argv, &patterns, error, sizeof error));
    CHECK(strcmp(error, "--cases") == 0);
}

int main(int argc, char **argv)
{
    forget_environment();
    int status = run_tests(argc, argv);
    return status != 0 ? status : failures > 0;
}

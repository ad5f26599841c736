/* tests/report_unit.c: the exact text of each report format, also for bytes that are awkward
 * in it. JSON is checked by a small parser of its own, XML by what it may not hold. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report/block.h"
#include "report/escape.h"
#include "report/report.h"
#include "warren.h"
#include "check.h"
#include "unit.h"

static char folder[] = "/tmp/warren-report-XXXXXX"; /* for files; removed at the end */

#define CHECK_TEXT(got, expected) check_text(__LINE__, got, expected)
static void check_text(int line, const char *got, const char *expected)
{
    if (strcmp(got, expected) == 0)
        return;
    printf("%s:%d: expected\n%s\ngot\n%s\n", __FILE__, line, expected, got);
    failures++;
}

/* ---- A sink: a reporter that writes to memory ------------------------------------------- */

typedef struct sink {
    FILE         *out;
    char         *text;
    size_t        size;
    wri_reporter *reporter;
} sink;

typedef wri_reporter *maker(FILE *out, wri_style style);

static sink *sink_new(maker *make, wri_style style)
{
    sink *s = calloc(1, sizeof *s);
    s->out = open_memstream(&s->text, &s->size);
    s->reporter = make(s->out, style);
    return s;
}

static const char *told(sink *s)
{
    fflush(s->out);
    return s->text;
}

static void sink_free(sink *s)
{
    wri_report_free(s->reporter);
    fclose(s->out);
    free(s->text);
    free(s);
}

#define BEGIN(s, ...) WRI_TELL((s)->reporter, begin, &(wri_run){ __VA_ARGS__ })
#define END(s, ...) WRI_TELL((s)->reporter, end, &(wri_summary){ __VA_ARGS__ })
#define RESULT(s, ...) WRI_TELL((s)->reporter, result, __VA_ARGS__)

/* ---- What there is to tell -------------------------------------------------------------- */

static const wri_value   VALUES[] = { { "n", "2" }, { "xs", "[1, 0]" } };
static const char *const NOTES[] = { "before\nand after" };

static const wri_failure SORT = {
    .kind = "assertion",
    .message = "assertion failed: xs[i - 1] <= xs[i]",
    .file = "sort.c",
    .line = 42,
    .function = "",
    .values = VALUES,
    .value_count = 2,
    .notes = NOTES,
    .note_count = 1,
    .output = "hello\nworld\n",
    .replay = "./sort sorting_sorts --replay w1abc",
    .token = "w1abc",
    .stored = ".warren/failures/sort.txt",
    .executions_before = 18,
    .executions_after = 24,
    .cases_before = 17,
    .seen = 1,
    .first_choices = 61,
    .choices = 3,
};

static const wri_result HELD = {
    .program = "./sort",
    .property = "reversing_twice_changes_nothing",
    .file = "sort.c",
    .line = 7,
    .status = WRI_STATUS_HELD,
    .cases = 1000,
    .executions = 1000,
    .seconds = 0.0123,
    .seed = 1234,
};
static const wri_result FAILED = {
    .program = "./sort",
    .property = "sorting_sorts",
    .file = "sort.c",
    .line = 30,
    .status = WRI_STATUS_FAILED,
    .cases = 18,
    .executions = 42,
    .seconds = 0.25,
    .seed = UINT64_MAX,
    .failures = &SORT,
    .failure_count = 1,
};
static const wri_result SKIPPED = {
    .program = "./sort",
    .property = "later",
    .file = "sort.c",
    .line = 9,
    .status = WRI_STATUS_SKIPPED,
    .why = "needs #42",
    .seed = 1,
};
static const wri_result ERROR = {
    .program = "./sort",
    .property = "misused",
    .file = "sort.c",
    .line = 3,
    .status = WRI_STATUS_ERROR,
    .why = "sort.c:4: wr_int: lo is greater than hi",
    .seed = 1,
};

/* Quotes, newlines, bytes that are not UTF-8, control characters, markup. */
#define AWKWARD                                                                                  \
    "\"q\" \\ \n\t\r\x01\x1b[31m \xff\xc3 \xed\xa0\x80 \xc3\xa9 ]]> <a&b> '\x7f \xef\xbf\xbf"
static const wri_value   AWKWARD_VALUES[] = { { AWKWARD, AWKWARD }, { "b", "" } };
static const char *const AWKWARD_LINES[] = { AWKWARD, "" };
static const wri_failure AWKWARD_FAILURE = {
    .kind = AWKWARD,
    .message = AWKWARD,
    .file = AWKWARD,
    .line = -1,
    .function = AWKWARD,
    .values = AWKWARD_VALUES,
    .value_count = 2,
    .values_lost = 3,
    .notes = AWKWARD_LINES,
    .note_count = 2,
    .output = AWKWARD,
    .replay = AWKWARD,
    .token = AWKWARD,
    .stored = AWKWARD,
    .flaky = true,
    .flaky_why = AWKWARD,
    .unfinished = true,
    .from_store = true,
    .seen = 9,
    .counted = true,
    .rule = AWKWARD,
    .subsumed = true,
    .same_origin = 3,
    .calls_after = 4,
};
static const wri_label_count AWKWARD_LABELS[] = { { AWKWARD, 3 }, { "x", 99 } };
static const wri_table       AWKWARD_TABLES[] = { { AWKWARD, AWKWARD_LABELS, 2 } };
static const wri_cover       AWKWARD_COVERS[] = {
          { .label = AWKWARD, .file = AWKWARD, .line = -1, .wanted = 0.1, .cases = 99, .missed = true }
};
static const wri_assertion AWKWARD_ASSERTIONS[] = { { AWKWARD, "always", AWKWARD, -1, 9, 8, 7,
                                                      true } };
static const wri_best   AWKWARD_BESTS[] = { { AWKWARD, true, -0.1 }, { "x", false, INFINITY } };
static const wri_result AWKWARD_RESULT = {
    .program = AWKWARD,
    .property = AWKWARD,
    .file = AWKWARD,
    .line = 1,
    .cases = 4,
    .status = WRI_STATUS_FLAKY,
    .why = AWKWARD,
    .failures = &AWKWARD_FAILURE,
    .failure_count = 1,
    .warnings = AWKWARD_LINES,
    .warning_count = 2,
    .labels = AWKWARD_LABELS,
    .label_count = 2,
    .tables = AWKWARD_TABLES,
    .table_count = 1,
    .covers = AWKWARD_COVERS,
    .cover_count = 1,
    .assertions = AWKWARD_ASSERTIONS,
    .assertion_count = 1,
    .bests = AWKWARD_BESTS,
    .best_count = 2,
    .machine = { .asked = true, .calls = 7, .patterns = 1, .saturated = true },
};

/* ---- A JSON checker --------------------------------------------------------------------- */

static bool json_value(const char **p);

static void json_space(const char **p)
{
    *p += strspn(*p, " ");
}

static bool json_escape(const char **p)
{
    char c = *(*p)++;
    if (c != 'u')
        return c && strchr("\"\\/bfnrt", c);
    for (int i = 0; i < 4; i++, (*p)++)
        if (!**p || !strchr("0123456789abcdefABCDEF", **p))
            return false;
    return true;
}

static bool json_string(const char **p)
{
    if (*(*p)++ != '"')
        return false;
    while (**p != '"') {
        uint32_t character;
        size_t   bytes = wri_utf8_next(*p, &character);
        if (character < 0x20 || character == WRI_NOT_UTF8)
            return false;
        *p += bytes;
        if (character == '\\' && !json_escape(p))
            return false;
    }
    (*p)++;
    return true;
}

static bool json_number(const char **p)
{
    *p += **p == '-';
    size_t whole = strspn(*p, "0123456789");
    if (whole == 0 || (whole > 1 && **p == '0'))
        return false;
    *p += whole;
    if (**p == '.') {
        size_t digits = strspn(*p + 1, "0123456789");
        *p += 1 + digits;
        return digits > 0;
    }
    return true;
}

/* A list, or an object when each item is a name and a value. */
static bool json_items(const char **p, bool named, char close)
{
    (*p)++;
    json_space(p);
    for (bool first = true; **p != close; first = false) {
        if (!first && *(*p)++ != ',')
            return false;
        json_space(p);
        if (named && (!json_string(p) || *(*p)++ != ':'))
            return false;
        json_space(p);
        if (!json_value(p))
            return false;
        json_space(p);
    }
    (*p)++;
    return true;
}

static bool json_value(const char **p)
{
    static const char *const WORDS[] = { "true", "false", "null" };
    for (size_t i = 0; i < 3; i++)
        if (strncmp(*p, WORDS[i], strlen(WORDS[i])) == 0)
            return *p += strlen(WORDS[i]), true;
    switch (**p) {
    case '{': return json_items(p, true, '}');
    case '[': return json_items(p, false, ']');
    case '"': return json_string(p);
    default: return json_number(p);
    }
}

/* One object, one newline, the end. */
static bool is_json_line(const char *text)
{
    return *text == '{' && json_value(&text) && strcmp(text, "\n") == 0;
}

TEST(the_checker_knows_what_is_not_json)
{
    static const char *const BAD[] = { "{\"a\": }\n",
                                       "{\"a\" 1}\n",
                                       "{\"a\": 1,}\n",
                                       "{}",
                                       "{\"a\": 01}\n",
                                       "{\"a\": \"\n\"}\n",
                                       "{\"a\": \"\xff\"}\n",
                                       "{\"a\": \"\\x\"}\n",
                                       "{} {}\n",
                                       "{\"a\": [1 2]}\n",
                                       "[]\n" };
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++)
        CHECK(!is_json_line(BAD[i]));
    CHECK(is_json_line("{\"a\": [1, 2.5, {\"b\": \"\\u00e9\\n\"}], \"c\": {}, \"d\": true}\n"));
}

/* ---- Escapes ---------------------------------------------------------------------------- */

typedef void putter(FILE *out, const char *text);

static void put_xml_text(FILE *out, const char *text)
{
    wri_escape_xml(out, text, false);
}
static void put_xml_attribute(FILE *out, const char *text)
{
    wri_escape_xml(out, text, true);
}
static void put_plain(FILE *out, const char *text)
{
    wri_escape_plain(out, text, 2);
}

static void check_escape(int line, putter *put, const char *text, const char *expected)
{
    char  *got = NULL;
    size_t size;
    FILE  *out = open_memstream(&got, &size);
    put(out, text);
    fclose(out);
    check_text(line, got, expected);
    free(got);
}

#define CHECK_ESCAPE(put, text, expected) check_escape(__LINE__, put, text, expected)
#define BAD "\xef\xbf\xbd"

TEST(awkward_bytes_become_valid_text)
{
    CHECK_ESCAPE(wri_escape_json, NULL, "\"\"");
    CHECK_ESCAPE(wri_escape_json, AWKWARD,
                 "\"\\\"q\\\" \\\\ \\n\\t\\r\\u0001\\u001b[31m " BAD BAD " " BAD BAD BAD
                 " \xc3\xa9 ]]> <a&b> '\\u007f \\uffff\"");
    CHECK_ESCAPE(put_xml_text, AWKWARD,
                 "&quot;q&quot; \\ \n\t&#13;" BAD BAD "[31m " BAD BAD " " BAD BAD BAD
                 " \xc3\xa9 ]]&gt; &lt;a&amp;b&gt; '\x7f " BAD);
    CHECK_ESCAPE(put_xml_attribute, "a\n\tb\x02", "a&#10;&#9;b" BAD);
    CHECK_ESCAPE(put_plain, "a\nb\n\n", "a\n  b");
    CHECK_ESCAPE(put_plain, "\n\n", "");
    CHECK_ESCAPE(put_plain, "\x1b[2J\xff\r\t\xc2\x9b\xc3\xa9\x7f",
                 "\\x1b[2J\\xff\\x0d\t\\u009b\xc3\xa9\\x7f");
    CHECK_ESCAPE(put_plain,
                 "a\xe2\x80\xae"
                 "b\xe2\x81\xa6",
                 "a\\u202eb\\u2066");
    CHECK_ESCAPE(wri_escape_line, "one\ntwo", "one");
    CHECK_ESCAPE(wri_escape_label, "one\ntwo\n", "one\\ntwo\\n");
    CHECK_ESCAPE(wri_escape_label, "one\\ntwo\x01 \xff \\", "one\\\\ntwo\\x01 \\xff \\\\");
    CHECK_ESCAPE(wri_escape_label, "", "");
    CHECK_ESCAPE(wri_escape_json, "\xc0\x80", "\"" BAD BAD "\"");                 /* overlong */
    CHECK_ESCAPE(wri_escape_json, "\xf4\x90\x80\x80", "\"" BAD BAD BAD BAD "\""); /* too large */
    CHECK_ESCAPE(wri_escape_json, "\xf0\x9f\x90\xb0", "\"\xf0\x9f\x90\xb0\"");
    CHECK_ESCAPE(wri_escape_json, "\xe2\x82", "\"" BAD BAD "\""); /* cut */
}

TEST(every_pair_of_bytes_is_valid_json)
{
    for (unsigned pair = 0; pair < 65536; pair++) {
        char  text[] = { (char)(pair >> 8), (char)pair, '\0' };
        char  line[64] = "";
        FILE *out = fmemopen(line, sizeof line, "w");
        fputs("{\"a\": ", out);
        wri_escape_json(out, text);
        fputs("}\n", out);
        fclose(out);
        CHECK(is_json_line(line));
    }
}

static void put_tenths(FILE *out, const char *text)
{
    wri_escape_decimal(out, atof(text), 1);
}

TEST(numbers_have_a_point)
{
    CHECK_ESCAPE(put_tenths, "1.25", "1.3");
    CHECK_ESCAPE(put_tenths, "-3", "0.0");
    CHECK_ESCAPE(put_tenths, "nan", "0.0");
    CHECK_ESCAPE(put_tenths, "inf", "1000000000000.0");
    CHECK_ESCAPE(put_tenths, "9.96", "10.0");
}

TEST(statuses_have_names)
{
    CHECK_TEXT(wri_status_name(WRI_STATUS_GAVE_UP), "gave up");
    CHECK_TEXT(wri_status_name((wri_status)99), "unknown");
    CHECK(wri_status_bad(WRI_STATUS_FLAKY) && !wri_status_bad(WRI_STATUS_SKIPPED));
}

/* ---- Human ------------------------------------------------------------------------------ */

#define SORT_BLOCK                                                                               \
    "  assertion failed: xs[i - 1] <= xs[i]\n"                                                   \
    "    n  = 2\n"                                                                               \
    "    xs = [1, 0]\n"                                                                          \
    "  note: before\n"                                                                           \
    "        and after\n"                                                                        \
    "  output:\n"                                                                                \
    "    hello\n"                                                                                \
    "    world\n"                                                                                \
    "  found after 17 cases, shrunk from 61 choices to 3 in 24 executions\n"                     \
    "  replay: ./sort sorting_sorts --replay w1abc\n"                                            \
    "  stored: .warren/failures/sort.txt\n"

TEST(human_tells_a_run)
{
    sink *s = sink_new(wri_human_new, (wri_style){ 0 });
    BEGIN(s, .program = "./sort", .seed = 1234, .properties = 4, .name_width = 31);
    RESULT(s, &HELD);
    WRI_TELL(s->reporter, found, "sorting_sorts", &SORT);
    RESULT(s, &FAILED);
    RESULT(s, &SKIPPED);
    RESULT(s, &ERROR);
    END(s, .held = 1, .failed = 1, .skipped = 1, .errors = 1, .seconds = 0.4);
    CHECK_TEXT(
        told(s),
        "ok  reversing_twice_changes_nothing  1000 cases, 0.01 s\n"
        "found  sorting_sorts: assertion failed: xs[i - 1] <= xs[i] (sort.c:42), shrinking\n"
        "\n"
        "FAIL  sorting_sorts  sort.c:42\n" SORT_BLOCK "\n"
        "skip  later                          needs #42\n"
        "\n"
        "ERROR  misused  sort.c:3\n"
        "  sort.c:4: wr_int: lo is greater than hi\n"
        "\n"
        "1 held, 1 failed, 1 in error, 1 skipped in 0.4 s; seed 1234\n");
    CHECK(!s->reporter->broken);
    sink_free(s);
}

TEST(human_is_quiet_when_asked)
{
    sink *s = sink_new(wri_human_new, (wri_style){ .quiet = true, .live = true });
    BEGIN(s, .seed = 1, .properties = 2);
    WRI_TELL(s->reporter, progress, &(wri_progress){ .property = "a", .cases = 1 });
    RESULT(s, &HELD);
    RESULT(s, &SKIPPED);
    END(s, .held = 1, .skipped = 1);
    CHECK_TEXT(told(s), "");
    WRI_TELL(s->reporter, found, "sorting_sorts", &SORT);
    RESULT(s, &FAILED);
    END(s, .failed = 1, .seconds = 0);
    CHECK_TEXT(told(s),
               "FAIL  sorting_sorts  sort.c:42\n" SORT_BLOCK "\n1 failed in 0.00 s; seed 1\n");
    sink_free(s);
}

TEST(human_says_more_when_verbose)
{
    sink *s = sink_new(wri_human_new, (wri_style){ .verbose = true });
    BEGIN(s, .seed = 9, .properties = 1, .seed_given = true);
    RESULT(
        s,
        &(wri_result){
            .property = "p", .cases = 100, .discarded = 12, .executions = 112, .seconds = 0.5 });
    RESULT(s,
           &(wri_result){
               .property = "q", .cases = 100, .executions = 150, .redrawn = 50, .seconds = 0.5 });
    END(s, .held = 1, .seconds = 12.34, .stopped = true);
    CHECK_TEXT(told(s), "seed 9, 1 property\n"
                        "ok  p  100 cases, 12 discarded, 112 executions, 224/s, 0.5 s\n"
                        "ok  q  100 cases, 150 executions, 50 of them redrawn, 300/s, 0.5 s\n"
                        "1 held in 12.3 s; seed 9; stopped\n");
    sink_free(s);
}

TEST(human_says_that_shrinking_was_stopped)
{
    static const wri_failure CUT = {
        .message = "no", .file = "a.c", .unfinished = true, .stopped = true
    };
    sink *s = sink_new(wri_human_new, (wri_style){ 0 });
    RESULT(s, &(wri_result){ .property = "p",
                             .failures = &CUT,
                             .failure_count = 1,
                             .status = WRI_STATUS_FAILED });
    CHECK(strstr(told(s), "\n  unfinished: the run was stopped while it was shrunk, a smaller "
                          "case may exist\n") != NULL);
    sink_free(s);
}

TEST(human_says_how_sure_it_is)
{
    static const wri_failure TWO[] = { { .kind = "deadline",
                                         .message = "took too long",
                                         .file = "",
                                         .executions_after = 1,
                                         .choices = 1,
                                         .first_choices = 1,
                                         .unfinished = true,
                                         .seen = 7,
                                         .from_store = true },
                                       { .kind = "signal",
                                         .message = "SIGSEGV\n  at f\n  at g\n",
                                         .file = "a.c",
                                         .flaky = true,
                                         .output = "\n",
                                         .values = VALUES,
                                         .value_count = 1 } };
    sink                    *s = sink_new(wri_human_new, (wri_style){ 0 });
    RESULT(s, &(wri_result){ .property = "p",
                             .file = "p.c",
                             .line = 5,
                             .failures = TWO,
                             .failure_count = 2,
                             .status = WRI_STATUS_FAILED });
    CHECK_TEXT(told(s),
               "FAIL  p  (at p.c:5)  (1 of 2)\n"
               "  took too long\n"
               "  unfinished: the time for shrinking ran out, a smaller case may exist "
               "(--shrink-time)\n"
               "  known from an earlier run, shrunk (1 choice) in 1 execution, seen 7 times\n"
               "\n"
               "FLAKY  p  a.c  (2 of 2)\n"
               "  SIGSEGV\n"
               "    at f\n"
               "    at g\n"
               "  with\n"
               "    n = 2\n"
               "  flaky: the same choices did not fail again\n"
               "  found in the first case\n"
               "\n");
    sink_free(s);
}

TEST(human_shows_warnings_and_labels)
{
    static const char *const     WARNINGS[] = { "too many\ndiscards" };
    static const wri_label_count LABELS[] = {
        { "all", 24 }, { "half", 12 }, { "few", 3 }, { "too many", 25 }
    };
    sink *s = sink_new(wri_human_new, (wri_style){ 0 });
    RESULT(s, &(wri_result){ .property = "p",
                             .cases = 24,
                             .warnings = WARNINGS,
                             .warning_count = 1,
                             .labels = LABELS,
                             .label_count = 4 });
    RESULT(s, &(wri_result){ .property = "q",
                             .status = WRI_STATUS_GAVE_UP,
                             .cases = 1,
                             .discarded = 100,
                             .why = "too many discards" });
    WRI_TELL(s->reporter, warn, "the store is full");
    CHECK_TEXT(told(s), "ok  p  24 cases, 0.00 s\n"
                        "  warning: too many\n"
                        "           discards\n"
                        "  100.0%  ####################  all\n"
                        "   50.0%  ##########            half\n"
                        "   12.5%  ###                   few\n"
                        "  100.0%  ####################  too many\n"
                        "\n"
                        "GAVE UP  q\n"
                        "  too many discards\n"
                        "\n"
                        "warning: the store is full\n");
    sink_free(s);
}

static const wri_stability STABLE = { .asked = true,
                                      .reached = true,
                                      .cases = 10000,
                                      .last = 5000,
                                      .features = 23,
                                      .unseen = 0.4,
                                      .probability = 0.0001,
                                      .bound = 0.001 };
static const wri_stability UNSTABLE = { .asked = true,
                                        .cases = 10000,
                                        .last = 9100,
                                        .features = 1,
                                        .unseen = 4.5,
                                        .probability = 0.0123,
                                        .bound = 0.0055 };

TEST(human_tells_what_is_stable)
{
    static const struct {
        wri_stability stable;
        const char   *expected;
    } ROWS[] = {
        { { .asked = true, .reached = true, .cases = 1500, .bound = 0.1 },
          "  stable: no case showed a feature to go by, such as a label\n" },
        { { .asked = true,
            .reached = true,
            .cases = 12000000,
            .last = 3000000,
            .features = 2,
            .bound = 5 / 9e6 },
          "  stable: 2 features, nothing new in the last 9000000 of 12000000 cases; the next "
          "case "
          "shows something new with a probability below 0.000056 % (95 %)\n" },
        { { .asked = true, .cases = 100, .last = 100, .features = 60, .probability = 0.5 },
          "  not stable: 60 features, the last new one in case 100 of 100; the next case shows "
          "something new with a probability of about 50 %\n" },
        { { .asked = true, .cases = 100, .last = 100, .features = 60, .probability = 0 },
          "  not stable: 60 features, the last new one in case 100 of 100; the next case shows "
          "something new with a probability of about 0 %\n" },
    };
    sink *s = sink_new(wri_human_new, (wri_style){ 0 });
    RESULT(s, &(wri_result){ .property = "p", .cases = 8, .stable = STABLE });
    RESULT(s, &(wri_result){ .property = "q", .cases = 8, .stable = UNSTABLE });
    CHECK_TEXT(
        told(s),
        "ok  p  8 cases, 0.00 s\n"
        "  stable: 23 features, nothing new in the last 5000 of 10000 cases; the next case "
        "shows something new with a probability below 0.10 % (95 %)\n"
        "ok  q  8 cases, 0.00 s\n"
        "  not stable: 1 feature, the last new one in case 9100 of 10000; the next case shows "
        "something new with a probability of about 1.2 %; about 5 more not seen yet\n");
    sink_free(s);
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        s = sink_new(wri_human_new, (wri_style){ 0 });
        RESULT(s, &(wri_result){ .property = "p", .stable = ROWS[i].stable });
        CHECK_TEXT(strchr(told(s), '\n') + 1, ROWS[i].expected);
        sink_free(s);
    }
}

TEST(machines_are_told_what_is_stable)
{
    wri_result result = { .property = "p", .cases = 8, .stable = STABLE };
    sink      *s = sink_new(wri_json_new, (wri_style){ 0 });
    RESULT(s, &result);
    CHECK(is_json_line(told(s)));
    CHECK(strstr(told(s), ", \"stable\": {\"reached\": true, \"cases\": 10000, \"last\": 5000, "
                          "\"features\": 23, \"unseen\": 0.4, \"probability\": 0.000100000, "
                          "\"bound\": 0.001000000}}\n"));
    sink_free(s);
    s = sink_new(wri_tap_new, (wri_style){ 0 });
    RESULT(s, &result);
    CHECK(
        strstr(told(s), "\n# stable: 23 features, nothing new in the last 5000 of 10000 cases;"));
    sink_free(s);
    s = sink_new(wri_json_new, (wri_style){ 0 });
    RESULT(s, &HELD);
    CHECK(!strstr(told(s), "stable"));
    sink_free(s);
}

static const wri_code_line    UNCOVERED[] = { { "parse", "src/parse.c", 12, 0 },
                                              { "parse", "src/parse.c", 40, 0 },
                                              { "skip", "src/parse.c", 77, 0 },
                                              { "", "", 0, 0 } };
static const wri_code_line    RARE[] = { { "parse", "src/parse.c", 30, 1 } };
static const wri_code_covered FEW_MISSING = { 10, 6, UNCOVERED, 4, RARE, 1 };

TEST(human_shows_what_code_was_covered)
{
    sink *s = sink_new(wri_human_new, (wri_style){ 0 });
    RESULT(s, &(wri_result){ .property = "p", .cases = 8, .coverage = FEW_MISSING });
    CHECK_TEXT(told(s), "ok  p  8 cases, 0.00 s\n"
                        "  code: 6 of 10 places covered\n"
                        "    not covered: parse  parse.c:12, 40\n"
                        "    not covered: skip  parse.c:77\n"
                        "    not covered: ??\n");
    sink_free(s);
    s = sink_new(wri_human_new, (wri_style){ 0 });
    RESULT(s, &(wri_result){
                  .property = "p", .cases = 8, .coverage = { 10, 4, UNCOVERED, 4, RARE, 1 } });
    CHECK_TEXT(told(s), "ok  p  8 cases, 0.00 s\n"
                        "  code: 4 of 10 places covered\n");
    sink_free(s);
    s = sink_new(wri_human_new, (wri_style){ .verbose = true });
    RESULT(s, &(wri_result){ .property = "p", .cases = 8, .coverage = FEW_MISSING });
    CHECK(strstr(told(s), "    not covered: skip  parse.c:77\n"));
    CHECK(strstr(told(s), "    rare: parse  parse.c:30, 1 case\n"));
    sink_free(s);
}

TEST(json_has_the_coverage)
{
    sink *s = sink_new(wri_json_new, (wri_style){ 0 });
    RESULT(s, &(wri_result){ .property = "p",
                             .file = "a.c",
                             .cases = 8,
                             .coverage = { 10, 9, UNCOVERED, 1, RARE, 1 } });
    CHECK(strstr(told(s), ", \"slots\": [], \"coverage\": {\"known\": 10, \"covered\": 9, "
                          "\"uncovered\": [{\"function\": \"parse\", \"file\": \"src/parse.c\", "
                          "\"line\": 12, \"cases\": 0}], "
                          "\"rare\": [{\"function\": \"parse\", \"file\": \"src/parse.c\", "
                          "\"line\": 30, \"cases\": 1}]}}\n"));
    sink_free(s);
}

TEST(human_shows_the_first_labels)
{
    wri_label_count labels[30];
    sink           *s = sink_new(wri_human_new, (wri_style){ 0 });
    for (size_t i = 0; i < 30; i++)
        labels[i] = (wri_label_count){ "label", 1 };
    RESULT(s,
           &(wri_result){ .property = "p", .cases = 1000, .labels = labels, .label_count = 30 });
    CHECK(strstr(told(s), "    0.1%                        label\n"));
    CHECK(strstr(told(s), "  and 10 more labels (--verbose)\n"));
    sink_free(s);
}

TEST(human_shows_what_was_observed)
{
    static const wri_label_count ROWS[] = { { "0", 2 }, { "1", 14 }, { "2..3", 4 } };
    static const wri_table       TABLES[] = { { "n", ROWS, 3 } };
    static const wri_cover       COVERS[] = { { .label = "c", .wanted = 12.5, .cases = 10 },
                                              { .label = "d", .wanted = 90, .below = true } };
    static const wri_best        BESTS[] = { { "n", false, 0.5 }, { "m", true, -1e300 } };
    sink                        *s = sink_new(wri_human_new, (wri_style){ 0 });
    RESULT(s, &(wri_result){ .property = "p",
                             .cases = 20,
                             .tables = TABLES,
                             .table_count = 1,
                             .covers = COVERS,
                             .cover_count = 2,
                             .bests = BESTS,
                             .best_count = 2 });
    CHECK_TEXT(told(s), "ok  p  20 cases, 0.00 s\n"
                        "   50.0%  ##########            c (wanted 12.5%)\n"
                        "    0.0%                        d (wanted 90%)\n"
                        "  n:\n"
                        "   10.0%  ##                    0\n"
                        "   70.0%  ##############        1\n"
                        "   20.0%  ####                  2..3\n"
                        "  largest n: 0.5\n"
                        "  smallest m: -1e+300\n");
    sink_free(s);
}

TEST(human_shows_no_shares_of_few_cases)
{
    static const wri_label_count LABELS[] = { { "all", 19 } };
    static const wri_best        BESTS[] = { { "n", false, 7 } };
    wri_result                   few = { .property = "p",
                                         .cases = 19,
                                         .labels = LABELS,
                                         .label_count = 1,
                                         .bests = BESTS,
                                         .best_count = 1 };
    sink                        *s = sink_new(wri_human_new, (wri_style){ 0 });
    RESULT(s, &few);
    CHECK_TEXT(told(s), "ok  p  19 cases, 0.00 s\n"
                        "  largest n: 7\n");
    sink_free(s);
    s = sink_new(wri_human_new, (wri_style){ .verbose = true });
    RESULT(s, &few);
    CHECK(strstr(told(s), "  100.0%  ####################  all\n"));
    sink_free(s);
}

/* A case that shrinking left as it was, among the bugs of a run that went on, and a stored
 * failure that does not fail any more. */
TEST(human_says_what_became_of_bugs)
{
    wri_failure minimal = { .message = "no",
                            .file = "./a.c",
                            .line = 3,
                            .choices = 5,
                            .first_choices = 5,
                            .executions_after = 15,
                            .as_found = true };
    sink       *s = sink_new(wri_human_new, (wri_style){ 0 });
    RESULT(s, &(wri_result){ .property = "p",
                             .status = WRI_STATUS_FAILED,
                             .cases = 1000,
                             .many = true,
                             .failures = &minimal,
                             .failure_count = 1 });
    RESULT(s, &(wri_result){ .property = "q", .cases = 1, .mended = 2 });
    CHECK_TEXT(
        told(s),
        "FAIL  p  a.c:3\n"
        "  no\n"
        "  found in the first case, already minimal (5 choices), confirmed in 15 executions\n"
        "  1 bug in 1000 cases, 0.00 s\n"
        "\n"
        "ok  q  1 case, 0.00 s, 2 stored failures mended\n");
    sink_free(s);
}

TEST(a_case_with_a_caution_is_not_called_minimal)
{
    wri_failure cautious = { .message = "no",
                             .file = "a.c",
                             .line = 3,
                             .choices = 5,
                             .first_choices = 5,
                             .executions_after = 15,
                             .as_found = true,
                             .flaky_why = "this is the case as it was found" };
    sink       *s = sink_new(wri_human_new, (wri_style){ 0 });
    RESULT(s, &(wri_result){ .property = "p",
                             .status = WRI_STATUS_FAILED,
                             .failures = &cautious,
                             .failure_count = 1 });
    CHECK_TEXT(told(s), "FAIL  p  a.c:3\n"
                        "  no\n"
                        "  caution: this is the case as it was found\n"
                        "  found in the first case\n"
                        "\n");
    sink_free(s);
}

TEST(paths_below_the_working_folder_begin_there)
{
    char  here[4096], path[5000];
    char *elsewhere = "/nowhere/a.c";
    CHECK(getcwd(here, sizeof here) != NULL);
    snprintf(path, sizeof path, "%s/./src/a.c", here);
    CHECK_TEXT(wri_block_file(path), "src/a.c");
    snprintf(path, sizeof path, "%sx/a.c", here);
    CHECK_TEXT(wri_block_file(path), path);
    CHECK_TEXT(wri_block_file("./src/a.c"), "src/a.c");
    CHECK_TEXT(wri_block_file("../a.c"), "../a.c");
    CHECK(wri_block_file(elsewhere) == elsewhere && wri_block_file(NULL) == NULL);
}

TEST(human_shows_the_most_frequent_rows_in_their_order)
{
    wri_label_count rows[20];
    wri_table       table = { "n", rows, 20 };
    char            names[20][4];
    sink           *s = sink_new(wri_human_new, (wri_style){ 0 });
    for (size_t i = 0; i < 20; i++) {
        snprintf(names[i], sizeof names[i], "r%zu", i);
        rows[i] = (wri_label_count){ names[i], i < 10 ? 1 : i < 15 ? 5 : 7 };
    }
    RESULT(s, &(wri_result){ .property = "p", .cases = 100, .tables = &table, .table_count = 1 });
    CHECK(strstr(told(s), " r1\n") && !strstr(told(s), " r2\n") && strstr(told(s), " r19\n"));
    CHECK(strstr(told(s), " r14\n") < strstr(told(s), " r15\n"));
    CHECK(strstr(told(s), "  and 8 more rows, counted 8 times (--verbose)\n"));
    sink_free(s);
}

TEST(human_tells_what_the_program_never_met)
{
    static const wri_assertion ASSERTIONS[] = {
        { "a", "sometimes", "a.c", 1, 5, 0, 5, true },
        { "b", "reachable", "b.c", 2, 0, 0, 0, true },
        { "c", "always", "c.c", 3, 4, 4, 0, false },
    };
    sink *s = sink_new(wri_human_new, (wri_style){ 0 });
    WRI_TELL(s->reporter, assertions, ASSERTIONS, 3, false);
    WRI_TELL(s->reporter, assertions, ASSERTIONS, 3, true);
    END(s, .held = 1, .unmet = 2);
    CHECK(strncmp(told(s),
                  "warning: never true: a (a.c:1)\n"
                  "warning: never reached: b (b.c:2)\n"
                  "FAIL  never true: a (a.c:1)\n"
                  "FAIL  never reached: b (b.c:2)\n"
                  "1 held, 2 assertions unmet in ",
                  strlen("warning: never true: a (a.c:1)\n"
                         "warning: never reached: b (b.c:2)\n"
                         "FAIL  never true: a (a.c:1)\n"
                         "FAIL  never reached: b (b.c:2)\n"
                         "1 held, 2 assertions unmet in ")) == 0);
    sink_free(s);
    s = sink_new(wri_human_new, (wri_style){ .quiet = true });
    WRI_TELL(s->reporter, assertions, ASSERTIONS, 3, false);
    CHECK_TEXT(told(s), "");
    sink_free(s);
    s = sink_new(wri_human_new, (wri_style){ .verbose = true });
    WRI_TELL(s->reporter, assertions, &ASSERTIONS[2], 1, false);
    CHECK_TEXT(told(s), "always: c (c.c:3), reached in 4, true in 4, false in 0 cases\n");
    sink_free(s);
}

TEST(human_leaves_no_blanks_at_the_end_of_a_line_and_no_name_out)
{
    static const wri_value   ODD_VALUES[] = { { "", "4" }, { "b", "5" } };
    static const wri_failure ODD_FAILURE = { .message = "m",
                                             .values = ODD_VALUES,
                                             .value_count = 2,
                                             .output = "one  \n\n \t\n  two\t\n",
                                             .example_file = "e.c" };
    sink                    *s = sink_new(wri_human_new, (wri_style){ 0 });
    RESULT(s, &(wri_result){ .property = "p",
                             .status = WRI_STATUS_FAILED,
                             .failures = &ODD_FAILURE,
                             .failure_count = 1 });
    CHECK(strstr(told(s), "\n    \"\" = 4\n    b  = 5\n  output:\n    one\n\n\n      two\n  ") !=
          NULL);
    sink_free(s);
}

TEST(human_aligns_values_within_reason)
{
    static const wri_value MANY[] = { { "a", "1" },
                                      { "a_name_that_is_longer_than_most", "2\n3" },
                                      { "bcd", "4\n5" } };
    sink                  *s = sink_new(wri_human_new, (wri_style){ 0 });
    wri_failure            case_ = { .values = MANY, .value_count = 3, .values_lost = 1 };
    WRI_TELL(s->reporter, replayed, &HELD, &case_);
    CHECK_TEXT(told(s), "held  reversing_twice_changes_nothing: the case does not fail\n"
                        "    a   = 1\n"
                        "    a_name_that_is_longer_than_most = 2\n"
                        "                                      3\n"
                        "    bcd = 4\n"
                        "          5\n"
                        "    (and 1 more value)\n");
    sink_free(s);
}

TEST(human_tells_other_ends)
{
    sink *s = sink_new(wri_human_new, (wri_style){ 0 });
    RESULT(s, &(wri_result){
                  .property = "p",
                  .status = WRI_STATUS_PROVED,
                  .cases = 77,
                  .enumerated = { .asked = true, .exhausted = true, .bound = 4, .values = 7 } });
    RESULT(s, &(wri_result){ .property = "q", .status = WRI_STATUS_INTERRUPTED, .cases = 1 });
    END(s, .stopped = true);
    CHECK_TEXT(told(s), "proved  p  77 cases, 0.00 s\n"
                        "  proved: held for every case, 77 cases in all\n"
                        "stopped  q  1 case, 0.00 s\n"
                        "nothing was run in 0.00 s; seed 0; stopped\n");
    sink_free(s);
}

TEST(the_status_line_is_rewritten_and_erased)
{
    sink        *s = sink_new(wri_human_new, (wri_style){ .live = true });
    wri_progress p = { .property = "sorting",
                       .cases = 420,
                       .discarded = 12,
                       .target = 1000,
                       .seconds = 2,
                       .failures = 1 };
    setenv("COLUMNS", "200", 1);
    WRI_TELL(s->reporter, progress, &p);
    p.phase = WRI_PHASE_CONFIRM;
    WRI_TELL(s->reporter, progress, &p);
    setenv("COLUMNS", "36", 1);
    p.phase = WRI_PHASE_SHRINK, p.choices = 12, p.executions = 137;
    WRI_TELL(s->reporter, progress, &p);
    WRI_TELL(s->reporter, found, "sorting", &SORT);
    RESULT(s, &HELD);
    WRI_TELL(s->reporter, warn, "x");
    CHECK_TEXT(told(s), "\rsorting  420/1000 cases, 12 discarded, 210/s, 2.0 s, 1 bug\033[K"
                        "\rsorting  confirming a failure\033[K"
                        "\rsorting  shrinking: 12 choices, 137\033[K"
                        "\r\033[Kok  reversing_twice_changes_nothing  1000 cases, 0.01 s\n"
                        "warning: x\n");
    sink_free(s);
}

/* Ctrl-C would show no more of a case that runs for long: the run is about to end. */
TEST(human_says_that_an_interrupted_run_is_stopping)
{
    wri_progress p = { .property = "sorting",
                       .target = 1000,
                       .cases = 63,
                       .slow_case = 12,
                       .slow_seconds = 5,
                       .stopping = true };
    setenv("COLUMNS", "80", 1);
    sink *s = sink_new(wri_human_new, (wri_style){ .live = true });
    WRI_TELL(s->reporter, progress, &p);
    setenv("COLUMNS", "36", 1);
    CHECK_TEXT(told(s), "\rsorting  stopping (again: at once), 63/1000 cases\033[K");
    sink_free(s);
    s = sink_new(wri_human_new, (wri_style){ 0 });
    WRI_TELL(s->reporter, progress, &p);
    CHECK_TEXT(told(s), "");
    sink_free(s);
}

/* A case that runs for long: on the status line, and without one once for each property. */
static void tell_slow(sink *s, const char *property, uint64_t number, double seconds)
{
    WRI_TELL(
        s->reporter, progress,
        &(wri_progress){
            .property = property, .target = 1000, .slow_case = number, .slow_seconds = seconds });
}

TEST(human_announces_a_case_that_runs_for_long)
{
    static const char SORTING[] = "sorting", OTHER[] = "other";
    setenv("COLUMNS", "200", 1);
    sink *s = sink_new(wri_human_new, (wri_style){ .live = true });
    tell_slow(s, SORTING, 0, 0);
    tell_slow(s, SORTING, 12, 5.2);
    tell_slow(s, SORTING, 12, 6.6);
    CHECK_TEXT(told(s), "\rsorting  0/1000 cases\033[K"
                        "\rsorting  case 12 has been running for 5 s (Ctrl-C shows it), "
                        "0/1000 cases\033[K"
                        "\rsorting  case 12 has been running for 7 s (Ctrl-C shows it), "
                        "0/1000 cases\033[K");
    sink_free(s);
    unsetenv("COLUMNS");
    s = sink_new(wri_human_new, (wri_style){ 0 });
    tell_slow(s, SORTING, 0, 0);
    tell_slow(s, SORTING, 12, 5.2);
    tell_slow(s, SORTING, 12, 6.6);
    tell_slow(s, OTHER, 1, 5);
    CHECK_TEXT(told(s), "slow  sorting: case 12 has been running for 5 s (Ctrl-C shows it)\n"
                        "slow  other: case 1 has been running for 5 s (Ctrl-C shows it)\n");
    sink_free(s);
    s = sink_new(wri_human_new, (wri_style){ .quiet = true });
    tell_slow(s, SORTING, 12, 5.2);
    CHECK_TEXT(told(s), "");
    sink_free(s);
}

static const wri_failure RUNNING = {
    .message = "case 12 was running for 5.2 s, in wait",
    .file = "./sort.c",
    .line = 17,
    .function = "wait",
    .values = VALUES,
    .value_count = 2,
    .notes = NOTES,
    .note_count = 1,
    .replay = "./sort sorting_sorts --replay w1abc",
    .token = "w1abc",
};
static const wri_result STOPPED = {
    .program = "./sort",
    .property = "sorting_sorts",
    .file = "sort.c",
    .line = 30,
    .status = WRI_STATUS_INTERRUPTED,
    .cases = 11,
    .executions = 11,
    .seed = 1,
    .running = &RUNNING,
};

TEST(human_shows_the_case_that_was_running)
{
    sink *s = sink_new(wri_human_new, (wri_style){ 0 });
    RESULT(s, &STOPPED);
    CHECK_TEXT(told(s), "stopped  sorting_sorts  11 cases, 0.00 s\n"
                        "  case 12 was running for 5.2 s, in wait (sort.c:17)\n"
                        "    n  = 2\n"
                        "    xs = [1, 0]\n"
                        "  note: before\n"
                        "        and after\n"
                        "  replay: ./sort sorting_sorts --replay w1abc\n");
    sink_free(s);
}

TEST(a_very_long_property_does_not_break_the_status_line)
{
    sink *s = sink_new(wri_human_new, (wri_style){ .live = true });
    char  name[2000];
    memset(name, 'x', sizeof name);
    memcpy(name, "a\n\x1b\xff\xc3\xa9", 6);
    name[sizeof name - 1] = '\0';
    setenv("COLUMNS", "10", 1);
    WRI_TELL(s->reporter, progress, &(wri_progress){ .property = name });
    CHECK_TEXT(told(s), "\ra???\xc3\xa9xxxx\033[K");
    unsetenv("COLUMNS");
    sink_free(s);
}

TEST(colors_come_only_when_asked)
{
    sink *s = sink_new(wri_human_new, (wri_style){ .color = true });
    RESULT(s, &HELD);
    RESULT(s, &FAILED);
    CHECK(strstr(told(s), "\033[32mok\033[0m  reversing"));
    CHECK(strstr(told(s), "\033[31mFAIL\033[0m  sorting_sorts"));
    sink_free(s);
    s = sink_new(wri_human_new, (wri_style){ .verbose = true });
    RESULT(s, &AWKWARD_RESULT);
    CHECK(!strchr(told(s), '\033') && !strchr(told(s), '\r') && strstr(told(s), "\\x1b[31m"));
    sink_free(s);
}

/* ---- TAP -------------------------------------------------------------------------------- */

TEST(tap_tells_a_run)
{
    sink *s = sink_new(wri_tap_new, (wri_style){ 0 });
    BEGIN(s, .program = "./sort", .seed = 1234, .properties = 3);
    RESULT(s, &HELD);
    WRI_TELL(s->reporter, found, "sorting_sorts", &SORT);
    RESULT(s, &FAILED);
    RESULT(s, &SKIPPED);
    WRI_TELL(s->reporter, warn, "one\ntwo");
    END(s, .held = 1, .failed = 1, .skipped = 1, .seconds = 0.4);
    CHECK_TEXT(told(s), "TAP version 13\n"
                        "1..3\n"
                        "# seed 1234\n"
                        "ok 1 - reversing_twice_changes_nothing\n"
                        "# 1000 cases, 0 discarded, 1000 executions, 0.01 s\n"
                        "not ok 2 - sorting_sorts\n"
                        "  ---\n"
                        "  status: \"failed\"\n"
                        "  cases: 18\n"
                        "  seed: 18446744073709551615\n"
                        "  message: \"assertion failed: xs[i - 1] <= xs[i]\"\n"
                        "  kind: \"assertion\"\n"
                        "  file: \"sort.c\"\n"
                        "  line: 42\n"
                        "  values:\n"
                        "    \"n\": \"2\"\n"
                        "    \"xs\": \"[1, 0]\"\n"
                        "  notes:\n"
                        "    - \"before\\nand after\"\n"
                        "  output: \"hello\\nworld\\n\"\n"
                        "  executions_before: 18\n"
                        "  executions_after: 24\n"
                        "  seen: 1\n"
                        "  replay: \"./sort sorting_sorts --replay w1abc\"\n"
                        "  stored: \".warren/failures/sort.txt\"\n"
                        "  ...\n"
                        "# 18 cases, 0 discarded, 42 executions, 0.3 s\n"
                        "ok 3 - later # SKIP needs \\#42\n"
                        "# warning: one\n"
                        "#   two\n");
    sink_free(s);
}

TEST(tap_tells_two_bugs_and_a_replay)
{
    static const wri_failure TWO[] = { { .kind = "a", .message = "first" },
                                       { .kind = "b", .message = "second", .flaky = true } };
    sink                    *s = sink_new(wri_tap_new, (wri_style){ .quiet = true });
    RESULT(s, &(wri_result){ .property = "p",
                             .failures = TWO,
                             .failure_count = 2,
                             .status = WRI_STATUS_FAILED });
    RESULT(s, &(wri_result){ .property = "a\n#b", .status = WRI_STATUS_INTERRUPTED });
    WRI_TELL(s->reporter, replayed, &HELD, &SORT);
    END(s, .failed = 1, .stopped = true);
    CHECK_TEXT(told(s), "not ok 1 - p\n"
                        "  ---\n"
                        "  status: \"failed\"\n  cases: 0\n  seed: 0\n"
                        "  message: \"first\"\n  kind: \"a\"\n"
                        "  executions_before: 0\n  executions_after: 0\n  seen: 0\n"
                        "  others:\n"
                        "    - message: \"second\"\n      kind: \"b\"\n      flaky: true\n"
                        "      executions_before: 0\n      executions_after: 0\n      seen: 0\n"
                        "  ...\n"
                        "ok 2 - a \\#b # SKIP interrupted\n"
                        "ok 3 - reversing_twice_changes_nothing\n"
                        "# held: the case does not fail\n# n = \"2\"\n# xs = \"[1, 0]\"\n"
                        "Bail out! interrupted\n");
    sink_free(s);
}

TEST(tap_tells_of_the_case_that_was_running)
{
    sink *s = sink_new(wri_tap_new, (wri_style){ .quiet = true });
    RESULT(s, &STOPPED);
    CHECK_TEXT(told(s), "ok 1 - sorting_sorts # SKIP interrupted\n"
                        "# case 12 was running for 5.2 s, in wait\n"
                        "# replay: ./sort sorting_sorts --replay w1abc\n");
    sink_free(s);
}

/* Each line is one that TAP knows, whatever the texts were. */
TEST(tap_survives_awkward_bytes)
{
    static const char *const STARTS[] = { "not ok 1 - ", "  ", "# " };
    sink                    *s = sink_new(wri_tap_new, (wri_style){ 0 });
    RESULT(s, &AWKWARD_RESULT);
    for (const char *line = told(s); *line; line += strcspn(line, "\n") + 1) {
        bool known = false;
        for (size_t i = 0; i < 3; i++)
            known |= strncmp(line, STARTS[i], strlen(STARTS[i])) == 0;
        CHECK(known || strncmp(line, "#   ", 4) == 0);
    }
    CHECK(!strchr(told(s), '\x1b') && !strchr(told(s), '\xff'));
    sink_free(s);
}

/* ---- JSON ------------------------------------------------------------------------------- */

#define SORT_JSON                                                                                \
    "{\"message\": \"assertion failed: xs[i - 1] <= xs[i]\", \"kind\": \"assertion\", "          \
    "\"file\": \"sort.c\", \"line\": 42, \"values\": {\"n\": \"2\", \"xs\": \"[1, 0]\"}, "       \
    "\"notes\": [\"before\\nand after\"], \"output\": \"hello\\nworld\\n\", "                    \
    "\"replay\": \"./sort sorting_sorts --replay w1abc\", \"token\": \"w1abc\", "                \
    "\"stored\": \".warren/failures/sort.txt\", \"executions_before\": 18, "                     \
    "\"executions_after\": 24, \"seen\": 1, \"choices_before\": 61, \"choices\": 3, "            \
    "\"from_store\": false, \"unfinished\": false, \"flaky\": false}"

TEST(json_tells_each_property_in_a_line)
{
    sink *s = sink_new(wri_json_new, (wri_style){ .live = true, .verbose = true });
    BEGIN(s, .program = "./sort", .seed = 1234, .properties = 3);
    WRI_TELL(s->reporter, progress, &(wri_progress){ .property = "a", .cases = 1 });
    WRI_TELL(s->reporter, found, "sorting_sorts", &SORT);
    RESULT(s, &FAILED);
    END(s, .failed = 1);
    CHECK_TEXT(told(s),
               "{\"property\": \"sorting_sorts\", \"status\": \"failed\", \"cases\": 18, "
               "\"discarded\": 0, \"executions\": 42, \"redrawn\": 0, \"seconds\": 0.250000, "
               "\"seed\": 18446744073709551615, \"file\": \"sort.c\", \"line\": 30, "
               "\"failures\": [" SORT_JSON "], \"failure\": " SORT_JSON
               ", \"warnings\": [], \"labels\": {}, \"tables\": [], \"cover\": [], "
               "\"assertions\": [], \"slots\": []}\n");
    CHECK(is_json_line(told(s)));
    sink_free(s);
}

TEST(json_tells_the_rest)
{
    static const wri_label_count LABELS[] = { { "empty", 3 }, { "long", 2 } };
    static const char *const     WARNINGS[] = { "a", "b" };
    sink                        *s = sink_new(wri_json_new, (wri_style){ 0 });
    RESULT(s, &(wri_result){
                  .property = "p",
                  .status = WRI_STATUS_PROVED,
                  .enumerated = { .asked = true, .exhausted = true, .bound = 4, .values = 7 },
                  .labels = LABELS,
                  .label_count = 2,
                  .warnings = WARNINGS,
                  .warning_count = 2,
                  .why = "w",
                  .line = -1 });
    CHECK_TEXT(told(s), "{\"property\": \"p\", \"status\": \"proved\", \"cases\": 0, "
                        "\"discarded\": 0, \"executions\": 0, \"redrawn\": 0, "
                        "\"seconds\": 0.000000, \"seed\": 0, "
                        "\"bound\": 4, \"why\": \"w\", \"file\": \"\", \"line\": 0, "
                        "\"warnings\": [\"a\", \"b\"], \"labels\": {\"empty\": 3, \"long\": 2}, "
                        "\"tables\": [], \"cover\": [], \"assertions\": [], \"slots\": [], "
                        "\"enumeration\": {\"exhausted\": true, \"size\": 4, \"cases\": 0, "
                        "\"values\": 7, \"runs\": 0, \"refuted\": 0, \"sizes\": [], "
                        "\"refuters\": {}, \"workers\": []}}\n");
    sink_free(s);
    s = sink_new(wri_json_new, (wri_style){ 0 });
    WRI_TELL(s->reporter, replayed, &HELD, &SORT);
    CHECK(is_json_line(told(s)) && strstr(told(s), ", \"case\": {\"values\": {\"n\": \"2\", "));
    sink_free(s);
}

TEST(json_has_the_case_that_was_running)
{
    sink *s = sink_new(wri_json_new, (wri_style){ 0 });
    RESULT(s, &STOPPED);
    CHECK(is_json_line(told(s)));
    const char *running = strstr(told(s), "\"running\": ");
    CHECK_TEXT(running == NULL ? "" : running,
               "\"running\": {\"message\": \"case 12 was running for 5.2 s, in wait\", "
               "\"file\": \"sort.c\", \"line\": 17, \"function\": \"wait\", "
               "\"values\": {\"n\": \"2\", \"xs\": \"[1, 0]\"}, "
               "\"notes\": [\"before\\nand after\"], \"output\": \"\", "
               "\"replay\": \"./sort sorting_sorts --replay w1abc\", \"token\": \"w1abc\"}, "
               "\"warnings\": [], \"labels\": {}, \"tables\": [], \"cover\": [], "
               "\"assertions\": [], \"slots\": []}\n");
    sink_free(s);
}

TEST(json_is_valid_for_any_bytes)
{
    char      *lengthy = malloc(1 << 20);
    sink      *s = sink_new(wri_json_new, (wri_style){ 0 });
    wri_result result = AWKWARD_RESULT;
    RESULT(s, &result);
    CHECK(is_json_line(told(s)));
    sink_free(s);
    memset(lengthy, '\xfe', (1 << 20) - 1);
    lengthy[(1 << 20) - 1] = '\0';
    result.why = lengthy;
    s = sink_new(wri_json_new, (wri_style){ 0 });
    RESULT(s, &result);
    CHECK(is_json_line(told(s)) && s->size > 3 << 20);
    sink_free(s);
    free(lengthy);
}

/* ---- JUnit ------------------------------------------------------------------------------ */

static char *read_whole(const char *path)
{
    char  *text = NULL;
    size_t size = 0;
    FILE  *in = fopen(path, "r");
    if (!in || getdelim(&text, &size, '\0', in) < 0)
        text = strdup("");
    if (in)
        fclose(in);
    return text;
}

static const char JUNIT[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<testsuite name=\"sort\" tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\""
    " time=\"0.500000\">\n"
    "  <testcase classname=\"sort\" name=\"reversing_twice_changes_nothing\""
    " time=\"0.012300\">\n"
    "  </testcase>\n"
    "  <testcase classname=\"sort\" name=\"sorting_sorts\" time=\"0.250000\">\n"
    "    <failure type=\"assertion\" message=\"assertion failed: xs[i - 1] &lt;= xs[i]\">"
    "sort.c:42\n"
    "  assertion failed: xs[i - 1] &lt;= xs[i]\n"
    "    n  = 2\n"
    "    xs = [1, 0]\n"
    "  note: before\n"
    "        and after\n"
    "  output:\n"
    "    hello\n"
    "    world\n"
    "  found after 17 cases, shrunk from 61 choices to 3 in 24 executions\n"
    "  replay: ./sort sorting_sorts --replay w1abc\n"
    "  stored: .warren/failures/sort.txt\n"
    "</failure>\n"
    "  </testcase>\n"
    "  <testcase classname=\"sort\" name=\"later\" time=\"0.000000\">\n"
    "    <skipped message=\"needs #42\"/>\n"
    "  </testcase>\n"
    "  <testcase classname=\"sort\" name=\"misused\" time=\"0.000000\">\n"
    "    <error type=\"error\" message=\"sort.c:4: wr_int: lo is greater than hi\">"
    "sort.c:4: wr_int: lo is greater than hi\n"
    "</error>\n"
    "  </testcase>\n"
    "</testsuite>\n";

TEST(junit_tells_a_run)
{
    char          path[256], error[256] = "", *text;
    wri_reporter *r;
    snprintf(path, sizeof path, "%s/junit.xml", folder);
    r = wri_junit_new(path, error, sizeof error);
    CHECK(r && !error[0]);
    CHECK(access(path, F_OK) != 0);
    WRI_TELL(r, begin, &(wri_run){ .program = "./sort" });
    WRI_TELL(r, remark, "p", "nothing of it is written");
    WRI_TELL(r, result, &HELD);
    WRI_TELL(r, result, &FAILED);
    WRI_TELL(r, result, &SKIPPED);
    WRI_TELL(r, result, &ERROR);
    WRI_TELL(r, end, &(wri_summary){ .seconds = 0.5 });
    CHECK(!r->broken);
    wri_report_free(r);
    text = read_whole(path);
    CHECK_TEXT(text, JUNIT);
    free(text);
    unlink(path);
}

TEST(junit_tells_of_the_case_that_was_running)
{
    char path[256], error[256] = "";
    snprintf(path, sizeof path, "%s/running.xml", folder);
    wri_reporter *r = wri_junit_new(path, error, sizeof error);
    WRI_TELL(r, begin, &(wri_run){ .program = "./sort" });
    WRI_TELL(r, result, &STOPPED);
    WRI_TELL(r, end, &(wri_summary){ .stopped = true });
    wri_report_free(r);
    char *text = read_whole(path);
    CHECK(strstr(text, "<skipped message=\"interrupted\"/>\n"
                       "    <system-err>case 12 was running for 5.2 s, in wait\n"
                       "replay: ./sort sorting_sorts --replay w1abc\n"
                       "</system-err>\n") != NULL);
    free(text);
    unlink(path);
}

/* Tags are balanced, what stands in them is escaped, and no forbidden character is left. */
static bool is_plausible_xml(const char *text)
{
    int depth = 0;
    for (size_t bytes; *text; text += bytes) {
        uint32_t character;
        bytes = wri_utf8_next(text, &character);
        if (character == WRI_NOT_UTF8 || (character < 0x20 && !strchr("\n\t", *text)))
            return false;
        if (strncmp(text, "]]>", 3) == 0 || character == 0xffff)
            return false;
        if (*text == '&' && strcspn(text, ";") > 6)
            return false;
        if (*text == '<' && text[1] != '?') {
            size_t tag = strcspn(text, ">");
            depth += text[1] == '/' ? -1 : text[tag - 1] == '/' ? 0 : 1;
            if (strcspn(text + 1, "<") < tag)
                return false;
        }
    }
    return depth == 0;
}

TEST(junit_is_valid_for_any_bytes)
{
    char          path[256], error[256], *text;
    wri_reporter *r;
    wri_result    skipped = AWKWARD_RESULT;
    snprintf(path, sizeof path, "%s/awkward.xml", folder);
    r = wri_junit_new(path, error, sizeof error);
    skipped.status = WRI_STATUS_SKIPPED;
    skipped.failure_count = 0;
    WRI_TELL(r, begin, &(wri_run){ .program = AWKWARD });
    WRI_TELL(r, result, &AWKWARD_RESULT);
    WRI_TELL(r, replayed, &skipped, &AWKWARD_FAILURE);
    WRI_TELL(r, end, &(wri_summary){ .seconds = 0.5 });
    wri_report_free(r);
    text = read_whole(path);
    CHECK(strstr(text, "tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"1\""));
    CHECK(is_plausible_xml(text) && strstr(text, "]]&gt; &lt;a&amp;b&gt;"));
    free(text);
    unlink(path);
}

TEST(junit_says_why_it_cannot_write)
{
    char          path[256], error[256] = "";
    wri_reporter *r = wri_junit_new("/nowhere/at/all.xml", error, sizeof error);
    CHECK(!r);
    CHECK_TEXT(error, "--junit: cannot write /nowhere/at/all.xml: No such file or directory");
    CHECK(!wri_junit_new(folder, error, sizeof error) && strstr(error, ": Is a directory"));
    snprintf(path, sizeof path, "%s/gone", folder);
    mkdir(path, 0777);
    strcat(path, "/x.xml");
    r = wri_junit_new(path, error, sizeof error);
    CHECK(r != NULL);
    *strrchr(path, '/') = '\0';
    rmdir(path);
    freopen("/dev/null", "w", stderr);
    WRI_TELL(r, end, &(wri_summary){ 0 });
    CHECK(r->broken);
    wri_report_free(r);
}

TEST(junit_keeps_devices_and_links)
{
    char          file[256], link[256], error[256], *text;
    struct stat   status;
    wri_reporter *r = wri_junit_new("/dev/null", error, sizeof error);
    CHECK(r != NULL);
    WRI_TELL(r, end, &(wri_summary){ 0 });
    CHECK(!r->broken && stat("/dev/null", &status) == 0 && S_ISCHR(status.st_mode));
    wri_report_free(r);
    snprintf(file, sizeof file, "%s/file.xml", folder);
    snprintf(link, sizeof link, "%s/link.xml", folder);
    fclose(fopen(file, "w"));
    CHECK(symlink(file, link) == 0);
    r = wri_junit_new(link, error, sizeof error);
    WRI_TELL(r, end, &(wri_summary){ 0 });
    wri_report_free(r);
    CHECK(lstat(link, &status) == 0 && S_ISLNK(status.st_mode));
    text = read_whole(file);
    CHECK(strstr(text, "<testsuite name=\"\" tests=\"0\""));
    free(text);
    unlink(file);
    unlink(link);
}

/* ---- SARIF and annotations --------------------------------------------------------------- */

static const char SARIF[] =
    "{\n  \"$schema\": \"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
    "sarif-schema-2.1.0.json\",\n  \"version\": \"2.1.0\",\n  \"runs\": [{\n"
    "    \"tool\": {\"driver\": {\"name\": \"Warren\", \"semanticVersion\": \"" WR_VERSION
    "\",\n      \"rules\": [\n"
    "        {\"id\": \"reversing_twice_changes_nothing\", \"shortDescription\": {\"text\": "
    "\"reversing_twice_changes_nothing\"}, \"defaultConfiguration\": {\"level\": \"error\"}},\n"
    "        {\"id\": \"sorting_sorts\", \"shortDescription\": {\"text\": \"sorting_sorts\"}, "
    "\"defaultConfiguration\": {\"level\": \"error\"}},\n"
    "        {\"id\": \"misused\", \"shortDescription\": {\"text\": \"misused\"}, "
    "\"defaultConfiguration\": {\"level\": \"error\"}}]}},\n"
    "    \"invocations\": [{\"executionSuccessful\": false}],\n"
    "    \"results\": [\n"
    "      {\"ruleId\": \"sorting_sorts\", \"ruleIndex\": 1, \"level\": \"error\", "
    "\"message\": {\"text\": \"assertion failed: xs[i - 1] <= xs[i]\\n  n  = 2\\n"
    "  xs = [1, 0]\\nnote: before\\n      and after\\noutput:\\n  hello\\n"
    "  world\\nfound after 17 cases, shrunk from 61 choices to 3 in 24 executions\\n"
    "replay: ./sort sorting_sorts --replay w1abc\\nstored: .warren/failures/sort.txt\"}, "
    "\"locations\": [{\"physicalLocation\": {\"artifactLocation\": {\"uri\": \"sort.c\"}, "
    "\"region\": {\"startLine\": 42}}, \"logicalLocations\": [{\"name\": \"sorting_sorts\", "
    "\"kind\": \"function\"}]}], \"properties\": {\"kind\": \"assertion\", "
    "\"replay\": \"./sort sorting_sorts --replay w1abc\"}},\n"
    "      {\"ruleId\": \"misused\", \"ruleIndex\": 2, \"level\": \"error\", "
    "\"message\": {\"text\": \"sort.c:4: wr_int: lo is greater than hi\"}, "
    "\"locations\": [{\"physicalLocation\": {\"artifactLocation\": {\"uri\": \"sort.c\"}, "
    "\"region\": {\"startLine\": 3}}, \"logicalLocations\": [{\"name\": \"misused\", "
    "\"kind\": \"function\"}]}]}]\n  }]\n}\n";

/* One run, told to a SARIF file; its text. */
static char *sarif_of(const wri_result *const *results, size_t count, wri_summary summary)
{
    char path[256], error[256] = "";
    snprintf(path, sizeof path, "%s/demo.sarif", folder);
    wri_reporter *r = wri_sarif_new(path, error, sizeof error);
    CHECK(r != NULL && error[0] == '\0');
    for (size_t i = 0; i < count; i++)
        WRI_TELL(r, result, results[i]);
    WRI_TELL(r, end, &summary);
    CHECK(!r->broken);
    wri_report_free(r);
    char *text = read_whole(path);
    unlink(path);
    return text;
}

TEST(sarif_has_a_rule_for_each_property_and_a_result_for_each_bug)
{
    const wri_result *results[] = { &HELD, &FAILED, &ERROR };
    char             *text = sarif_of(results, 3, (wri_summary){ .errors = 1 });
    CHECK_TEXT(text, SARIF);
    free(text);
}

TEST(sarif_is_valid_json_for_any_bytes_and_paths)
{
    wri_failure       failure = AWKWARD_FAILURE;
    wri_result        result = AWKWARD_RESULT;
    const wri_result *results[] = { &result };
    failure.file = "/a b/%\xff\"<\u00e9>.c";
    failure.key = 0x12ab;
    result.failures = &failure;
    result.failure_count = 1;
    char *text = sarif_of(results, 1, (wri_summary){ 0 });
    for (char *at = text; *at != '\0'; at++)
        if (*at == '\n' && at[1] != '\0')
            *at = ' ';
    CHECK(is_json_line(text));
    CHECK(strstr(text, "\"uri\": \"file:///a%20b/%25%FF%22%3C%C3%A9%3E.c\"") != NULL);
    CHECK(strstr(text, "{\"warrenBug/v1\": \"00000000000012ab\"}") != NULL);
    free(text);
}

TEST(sarif_says_why_it_cannot_write)
{
    char error[256] = "";
    CHECK(wri_sarif_new("/nowhere/at/all.sarif", error, sizeof error) == NULL);
    CHECK_TEXT(error, "--sarif: cannot write /nowhere/at/all.sarif: No such file or directory");
}

/* One line of each sort, with awkward texts. */
static char *observations_of(const wri_failure *values, const wri_result *result)
{
    char path[256], error[256] = "";
    snprintf(path, sizeof path, "%s/demo.jsonl", folder);
    const wri_value features[] = {
        { "a\xff\"", "" }, { "kind", "\xe2\x80\xae" }, { "kind", "\x01" }, { "one", "row" }
    };
    wri_reporter *r = wri_observations_new(path, error, sizeof error);
    CHECK(r != NULL && error[0] == '\0' && access(path, F_OK) != 0);
    WRI_TELL(r, begin, &(wri_run){ .program = "demo", .seed = 7 });
    WRI_TELL(r, ran,
             &(wri_report_case){ .property = result->property,
                                 .explorer = "random",
                                 .number = 1,
                                 .status = WRI_REPORT_FAILED,
                                 .reason = "\xc3(\n\"",
                                 .values = values,
                                 .features = features,
                                 .feature_count = 4 });
    WRI_TELL(r, warn, "no \x1b[31m store");
    WRI_TELL(r, result, result);
    WRI_TELL(r, end, &(wri_summary){ 0 });
    CHECK(!r->broken);
    wri_report_free(r);
    char *text = read_whole(path);
    unlink(path);
    return text;
}

TEST(observations_are_lines_of_json_for_any_bytes)
{
    static const wri_value DRAWN[] = { { "i", "-12" },      { "r", "0.50" },
                                       { "b", "true" },     { "n", "nan" },
                                       { "o", "012" },      { "p", "1." },
                                       { "s", "\"\xff\"" }, { "e", "" },
                                       { "m", "-" },        { "l", "1234567890123456" } };
    wri_failure failure = AWKWARD_FAILURE, values = { .values = DRAWN, .value_count = 10 };
    wri_result  result = AWKWARD_RESULT;
    result.failures = &failure;
    result.failure_count = 1;
    char  *text = observations_of(&values, &result);
    size_t lines = 0;
    for (char *at = text, *end; (end = strchr(at, '\n')) != NULL; at = end + 1, lines++) {
        char *line = strndup(at, (size_t)(end - at) + 1);
        CHECK(is_json_line(line));
        free(line);
    }
    CHECK(lines >= 3);
    CHECK(strstr(text, "\"arguments\": {\"i\": -12, \"r\": 0.50, \"b\": true, \"n\": \"nan\", "
                       "\"o\": \"012\", \"p\": \"1.\", \"s\": \"\\\"\xef\xbf\xbd\\\"\", "
                       "\"e\": \"\", \"m\": \"-\", \"l\": \"1234567890123456\"}") != NULL);
    CHECK(strstr(text, "\"features\": {\"a\xef\xbf\xbd\\\"\": \"\", \"kind: \\u202e\": \"\", "
                       "\"kind: \\u0001\": \"\", \"one\": \"row\"}") != NULL);
    free(text);
}

static wri_reporter *github_new(FILE *out, wri_style style)
{
    (void)style;
    return wri_github_new(out);
}

TEST(annotations_have_file_line_title_and_text)
{
    sink *s = sink_new(github_new, (wri_style){ 0 });
    RESULT(s, &HELD);
    CHECK_TEXT(told(s), "");
    RESULT(s, &FAILED);
    CHECK_TEXT(told(s),
               "::error file=sort.c,line=42,title=sorting_sorts::assertion failed: xs[i - 1] <= "
               "xs[i]%0A  n  = 2%0A  xs = [1, 0]%0Anote: before%0A      and after%0A"
               "output:%0A  hello%0A  world%0Afound after 17 cases, shrunk from 61 choices "
               "to 3 in 24 executions%0Areplay: ./sort sorting_sorts --replay w1abc%0A"
               "stored: .warren/failures/sort.txt\n");
    sink_free(s);
    setenv("GITHUB_WORKSPACE", "/home/ci/a,b", 1);
    s = sink_new(github_new, (wri_style){ 0 });
    RESULT(s, &(wri_result){ .property = "a:b,100%",
                             .status = WRI_STATUS_GAVE_UP,
                             .file = "/home/ci/a,b/x,y.c",
                             .line = 7,
                             .why = "too many discards" });
    CHECK_TEXT(told(s), "::error file=x%2Cy.c,line=7,title=a%3Ab%2C100%25::too many discards\n");
    sink_free(s);
    unsetenv("GITHUB_WORKSPACE");
}

/* ---- Both ------------------------------------------------------------------------------- */

TEST(both_tell_the_same)
{
    sink         *a = sink_new(wri_human_new, (wri_style){ .verbose = true, .live = true });
    sink         *b = sink_new(wri_human_new, (wri_style){ .verbose = true, .live = true });
    wri_reporter *pair = a->reporter;
    pair->also = b->reporter;
    WRI_TELL(pair, begin, &(wri_run){ .seed = 5 });
    WRI_TELL(pair, progress, &(wri_progress){ .property = "p" });
    WRI_TELL(pair, found, "p", &SORT);
    WRI_TELL(pair, warn, "w");
    WRI_TELL(pair, result, &FAILED);
    WRI_TELL(pair, replayed, &HELD, &SORT);
    WRI_TELL(pair, remark, "p", "goes on");
    WRI_TELL(pair, end, &(wri_summary){ .failed = 1 });
    CHECK(!wri_report_broken(pair) && strstr(told(a), "p: goes on\n"));
    CHECK(strlen(told(a)) > 300 && strcmp(told(a), told(b)) == 0);
    wri_report_free(pair);
    fclose(a->out), fclose(b->out);
    free(a->text), free(b->text);
    free(a), free(b);
}

static void remark(sink *s)
{
    WRI_TELL(s->reporter, remark, "p", "7 cases kept,\nof 40");
}

TEST(remarks_are_for_those_who_want_more)
{
    static const struct {
        maker      *make;
        wri_style   style;
        const char *expected;
    } ROWS[] = {
        { wri_human_new, { .verbose = true }, "p: 7 cases kept,\n" },
        { wri_human_new, { .verbose = true, .color = true }, "\033[2mp: 7 cases kept,\033[0m\n" },
        { wri_human_new, { .verbose = true, .quiet = true }, "" },
        { wri_human_new, { 0 }, "" },
        { wri_tap_new, { .verbose = true }, "# p: 7 cases kept,\n" },
        { wri_tap_new, { 0 }, "" },
        { wri_json_new, { .verbose = true }, "" },
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        sink *s = sink_new(ROWS[i].make, ROWS[i].style);
        remark(s);
        CHECK_TEXT(told(s), ROWS[i].expected);
        sink_free(s);
    }
}

TEST(a_remark_erases_the_status_line)
{
    sink *s = sink_new(wri_human_new, (wri_style){ .verbose = true, .live = true });
    WRI_TELL(s->reporter, progress, &(wri_progress){ .property = "p", .target = 10 });
    remark(s);
    CHECK_TEXT(told(s), "\rp  0/10 cases\033[K\r\033[Kp: 7 cases kept,\n");
    sink_free(s);
}

TEST(a_full_disk_is_noticed)
{
    static maker *const MAKERS[] = { wri_human_new, wri_tap_new, wri_json_new };
    for (size_t i = 0; i < 3; i++) {
        FILE         *full = fopen("/dev/full", "w");
        wri_reporter *r = MAKERS[i](full, (wri_style){ 0 });
        wri_reporter *pair = wri_json_new(stdout, (wri_style){ 0 });
        WRI_TELL(r, result, &FAILED);
        pair->also = r;
        WRI_TELL(pair, end, &(wri_summary){ .failed = 1 });
        CHECK(!pair->broken && wri_report_broken(pair));
        wri_report_free(pair);
        fclose(full);
    }
}

/* Reads all there is, slowly; 0: it was so much. */
static int read_slowly(int from, size_t expected)
{
    char   bytes[1000];
    size_t sum = 0;
    for (ssize_t got; (got = read(from, bytes, sizeof bytes)) > 0; sum += (size_t)got)
        if (sum % 10000 < 1000)
            usleep(2000);
    return sum != expected;
}

TEST(a_pipe_that_does_not_block_loses_nothing)
{
    int pipes[2], status = 1;
    CHECK(pipe2(pipes, O_NONBLOCK) == 0 && fcntl(pipes[0], F_SETFL, 0) == 0);
    CHECK(fcntl(pipes[1], F_SETPIPE_SZ, 4096) > 0);
    pid_t reader = fork();
    if (reader == 0) {
        close(pipes[1]);
        _exit(read_slowly(pipes[0], 200000 + 6));
    }
    close(pipes[0]);
    wri_reporter reporter = { 0 };
    FILE        *file = fdopen(pipes[1], "w"), *out = wri_report_stream(file);
    fputs("before", file);
    for (int i = 0; i < 20000; i++)
        fprintf(out, "%9d\n", i);
    wri_report_flush(&reporter, out);
    CHECK(!reporter.broken);
    fclose(out);
    fclose(file);
    CHECK(waitpid(reader, &status, 0) == reader && status == 0);
}

TEST(a_stream_of_reports_tells_why_it_is_broken)
{
    wri_reporter reporter = { 0 };
    FILE        *file = fopen("/dev/full", "w"), *out = wri_report_stream(file);
    fputs("lost", out);
    wri_report_flush(&reporter, out);
    CHECK(reporter.broken && reporter.why == ENOSPC);
    fclose(out);
    fclose(file);
}

int main(int argc, char **argv)
{
    if (!mkdtemp(folder))
        return 1;
    int status = run_tests(argc, argv);
    CHECK(rmdir(folder) == 0); /* nothing was left behind */
    return status != 0 ? status : failures > 0;
}

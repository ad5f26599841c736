/* tests/store_unit.c: tokens, failure files and corpora.
 *
 * Round trips, every line that a reader can complain with, what is on the disk after a write that
 * failed, and mutated input with fixed seeds. Works in a folder of its own under TMPDIR, which it
 * removes. Meant to be run under AddressSanitizer and UndefinedBehaviorSanitizer as well.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/folder.h"
#include "core/prng.h"
#include "explore/fewest.h"
#include "hunt/hunt.h"
#include "store/corpus.h"
#include "store/files/failures.h"
#include "unit.h"

#define CHECK(condition)                                                                         \
    do {                                                                                         \
        if (!(condition)) {                                                                      \
            fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);              \
            exit(1);                                                                             \
        }                                                                                        \
    } while (0)

#define CHECK_TEXT(found, expected) check_text(__LINE__, found, expected)

static const wri_owner P = { "x", "p" };

static wri_note problem;
static char     folder[PATH_MAX / 2]; /* where this program works */

static void check_text(int line, const char *found, const char *expected)
{
    if (strcmp(found, expected) == 0)
        return;
    fprintf(stderr, "%s:%d: expected: %s\nfound: %s\n", __FILE__, line, expected, found);
    exit(1);
}

static char *format(const char *pattern, ...) __attribute__((format(printf, 1, 2)));

/* The text lives until 32 more have been made: long enough for one test. */
static char *format(const char *pattern, ...)
{
    static char texts[32][PATH_MAX];
    static int  next;
    char       *text = texts[next++ % 32];
    va_list     values;
    va_start(values, pattern);
    vsnprintf(text, PATH_MAX, pattern, values);
    va_end(values);
    return text;
}

/* ---- traces ---- */

static uint64_t below(uint64_t *random, uint64_t bound)
{
    return wri_prng_scale(wri_prng_next(random), bound - 1);
}

static uint64_t some_max(uint64_t *random)
{
    static const uint64_t OFTEN[] = { 0,          1,          UINT8_MAX, UINT16_MAX,
                                      UINT32_MAX, UINT64_MAX, 254,       256 };
    if (below(random, 2) == 0)
        return OFTEN[below(random, 8)];
    return wri_prng_next(random) >> below(random, 64);
}

/* Mostly small, now and then the bound itself. */
static uint64_t some_number(uint64_t *random, uint64_t max)
{
    if (below(random, 8) == 0)
        return max;
    return wri_prng_scale(wri_prng_next(random) >> below(random, 64), max);
}

static wri_node *add_node(wri_trace *trace, wri_node_what what)
{
    CHECK(wri_trace_reserve(trace, trace->node_count + 1, trace->number_count));
    wri_node *node = &trace->nodes[trace->node_count++];
    *node = (wri_node){ .what = (uint8_t)what, .tie = WRI_NO_NODE };
    node->parent = trace->node_count == 1 ? WRI_NO_NODE : 0;
    return node;
}

static void add_choice(wri_trace *trace, wri_kind kind, uint64_t number, uint64_t max)
{
    wri_node *node = add_node(trace, WRI_CHOICE);
    node->kind = (uint8_t)kind;
    node->number = number;
    node->max = max;
}

static void add_array(wri_trace *trace, wri_kind kind, uint64_t *random, size_t count,
                      uint64_t max)
{
    wri_node *node = add_node(trace, WRI_ARRAY);
    node->kind = (uint8_t)kind;
    node->number = trace->number_count;
    node->count = count;
    node->max = max;
    CHECK(wri_trace_reserve(trace, trace->node_count, trace->number_count + count));
    for (size_t i = 0; i < count; i++)
        trace->numbers[trace->number_count++] = some_number(random, max);
}

static wri_trace some_trace(uint64_t *random, size_t nodes)
{
    wri_trace trace = { 0 };
    uint64_t  max = 0;
    add_node(&trace, WRI_SPAN);
    for (size_t i = 0; i < nodes; i++) {
        wri_kind kind = (wri_kind)below(random, WRI_HANDLE + 1);
        if (below(random, 3) > 0)
            max = some_max(random);
        switch (below(random, 8)) {
        case 0: add_node(&trace, WRI_SPAN); break;
        case 1: add_array(&trace, kind, random, below(random, 20), max); break;
        case 2: add_array(&trace, kind, random, 0, max); break;
        default: add_choice(&trace, kind, some_number(random, max), max);
        }
    }
    CHECK(wri_trace_valid(&trace));
    return trace;
}

/* Does `saved` hold what `trace` does, spans aside? */
static void check_same(const wri_trace *trace, const wri_trace *saved)
{
    size_t at = 1;
    CHECK(wri_trace_valid(saved));
    for (size_t i = 0; i < trace->node_count; i++) {
        const wri_node *node = &trace->nodes[i];
        if (node->what < WRI_CHOICE)
            continue;
        CHECK(at < saved->node_count);
        const wri_node *twin = &saved->nodes[at++];
        CHECK(twin->what == node->what && twin->kind == node->kind && twin->max == node->max);
        CHECK(twin->parent == 0 && twin->tie == WRI_NO_NODE);
        if (node->what == WRI_CHOICE)
            CHECK(twin->number == node->number);
        else
            CHECK(twin->count == node->count);
        for (uint64_t k = 0; node->what == WRI_ARRAY && k < node->count; k++)
            CHECK(saved->numbers[twin->number + k] == trace->numbers[node->number + k]);
    }
    CHECK(at == saved->node_count);
}

/* ---- tokens ---- */

TEST(random_traces_come_back)
{
    uint64_t random = 1;
    for (int round = 0; round < 5000; round++) {
        wri_trace trace = some_trace(&random, below(&random, 30));
        uint32_t  property = (uint32_t)wri_prng_next(&random);
        char     *token = wri_token_write(property, &trace);
        wri_saved saved;
        CHECK(token != NULL);
        CHECK(strspn(token, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") ==
              strlen(token));
        CHECK(wri_token_read(token, &saved, &problem));
        CHECK(saved.property == property && saved.shape == wri_trace_shape(&trace));
        CHECK(wri_trace_shape(&saved.choices) == saved.shape);
        check_same(&trace, &saved.choices);
        char *again = wri_token_write(property, &saved.choices);
        CHECK_TEXT(again, token);
        free(again);
        free(token);
        wri_saved_free(&saved);
        wri_trace_free(&trace);
    }
}

TEST(a_large_trace_comes_back)
{
    uint64_t  random = 2;
    wri_saved saved;
    wri_trace trace = { 0 };
    add_node(&trace, WRI_SPAN);
    add_array(&trace, WRI_INTEGER, &random, 1000000, UINT64_MAX);
    for (int i = 0; i < 1 << 18; i++)
        add_choice(&trace, WRI_LENGTH, (uint64_t)i, UINT32_MAX);
    char *token = wri_token_write(1, &trace);
    CHECK(token != NULL && wri_token_read(token, &saved, &problem));
    check_same(&trace, &saved.choices);
    free(token);
    wri_saved_free(&saved);
    wri_trace_free(&trace);
}

TEST(small_cases_have_short_tokens)
{
    uint64_t  random = 3;
    wri_trace trace = { 0 };
    add_node(&trace, WRI_SPAN);
    add_choice(&trace, WRI_LENGTH, 2, 100);
    add_array(&trace, WRI_INTEGER, &random, 0, UINT32_MAX);
    char *token = wri_token_write(7, &trace);
    CHECK(strlen(token) <= 2 + (8 + 3 + 2 + 4) * 4 / 3 + 1);
    free(token);
    wri_trace_free(&trace);
}

/* Expects the token to be refused with this line, and nothing to be left behind. */
static void refused(int line, const char *token, const char *expected)
{
    wri_saved saved;
    problem.text[0] = '\0';
    CHECK(!wri_token_read(token, &saved, &problem));
    check_text(line, problem.text, expected);
    CHECK(saved.choices.nodes == NULL && saved.choices.numbers == NULL);
}

TEST(wrong_tokens_say_what_is_wrong)
{
    wri_trace trace = { 0 };
    add_node(&trace, WRI_SPAN);
    add_choice(&trace, WRI_INTEGER, 5, 9);
    char *token = wri_token_write(7, &trace); /* 8 + 3 + 4 bytes: no character has spare bits */
    refused(__LINE__, "", "not a token: it should begin with w1");
    refused(__LINE__, "w", "not a token: it should begin with w1");
    refused(__LINE__, "hello", "not a token: it should begin with w1");
    refused(__LINE__, "wx", "not a token: it should begin with w1");
    refused(__LINE__, "w2abc", "the token is of version 2; this Warren reads version 1");
    refused(__LINE__, "w1", "the token is damaged (it ends too early)");
    refused(__LINE__, "w1AAAA", "the token is damaged (it ends too early)");
    refused(__LINE__, "w1AB=A", "the token is damaged (character 5 cannot stand there)");
    refused(__LINE__, "w1AB\nA", "the token is damaged (character 5 cannot stand there)");
    refused(__LINE__, "w1A", "the token is damaged (character 3 cannot stand there)");
    refused(__LINE__, "w1AAAAB", "the token is damaged (character 7 cannot stand there)");
    refused(__LINE__, "w1AB", "the token is damaged (character 4 cannot stand there)");
    token[4] = token[4] == 'A' ? 'B' : 'A';
    refused(__LINE__, token, "the token is damaged (its checksum does not fit)");
    free(token);
    wri_trace_free(&trace);
}

/* The same for a token's bytes behind the checksum: eight zeros, then these. */
static void bytes_refused(int line, size_t count, const char *bytes, const char *expected)
{
    uint8_t   packed[64] = { 0 };
    wri_saved saved;
    memcpy(packed + 8, bytes, count);
    problem.text[0] = '\0';
    CHECK(!wri_token_unpack(packed, 8 + count, &saved, &problem));
    check_text(line, problem.text, format("the token is damaged (%s)", expected));
    CHECK(saved.choices.nodes == NULL && saved.choices.numbers == NULL);
}

static void bytes_accepted(size_t count, const char *bytes, size_t nodes, size_t numbers)
{
    uint8_t   packed[64] = { 0 };
    wri_saved saved;
    memcpy(packed + 8, bytes, count);
    CHECK(wri_token_unpack(packed, 8 + count, &saved, &problem));
    CHECK(wri_trace_valid(&saved.choices));
    CHECK(saved.choices.node_count == nodes && saved.choices.number_count == numbers);
    wri_saved_free(&saved);
}

#define BYTES(text) sizeof(text) - 1, text

TEST(bytes_that_the_checksum_fits_are_read_strictly)
{
    bytes_accepted(BYTES(""), 1, 0);
    bytes_accepted(BYTES("\x01\x01"), 2, 0);             /* a choice of at most 1 */
    bytes_accepted(BYTES("\x0a\x02\xff\x00"), 2, 2);     /* two bytes */
    bytes_accepted(BYTES("\x07\x64\x05\x06\x64"), 3, 0); /* of at most 100, twice */
    bytes_accepted(BYTES("\x05\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), 2, 0);
    bytes_refused(__LINE__, BYTES("\x01"), "it ends too early");
    bytes_refused(__LINE__, BYTES("\x0a"), "it ends too early");
    bytes_refused(__LINE__, BYTES("\x0a\x03zz"), "it ends too early");
    bytes_refused(__LINE__, BYTES("\x0d\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
                  "it ends too early");
    bytes_refused(__LINE__, BYTES("\x03\x85"), "it ends too early");
    bytes_refused(__LINE__, BYTES("\x01\x02"), "a number is above its bound");
    bytes_refused(__LINE__, BYTES("\x00\x01"), "a number is above its bound");
    bytes_refused(__LINE__, BYTES("\x03\x80\x80\x04"), "a number is above its bound");
    bytes_refused(__LINE__, BYTES("\x09\x02\x01\x02"), "a number is above its bound");
    bytes_refused(__LINE__, BYTES("\x03\x81\x00"), "a number is not written in the shortest way");
    bytes_refused(__LINE__, BYTES("\x05\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"),
                  "a number has more than 64 bits");
    bytes_refused(__LINE__, BYTES("\x07\x01\x00"), "a bound is not written in the shortest way");
    bytes_refused(__LINE__, BYTES("\x06\x00"), "a bound is not written in the shortest way");
    bytes_refused(__LINE__, BYTES("\x07\x64\x05\x07\x64\x05"),
                  "a bound is not written in the shortest way");
    bytes_refused(__LINE__, BYTES("\x80\x01\x00"), "a choice is of no known kind");
    bytes_refused(__LINE__, BYTES("\xff\xff\x7f\x00"), "a choice is of no known kind");
    wri_saved saved;
    CHECK(!wri_token_unpack((const uint8_t *)"1234567", 7, &saved, &problem));
    CHECK_TEXT(problem.text, "the token is damaged (it ends too early)");
}

TEST(huge_bytes_are_refused)
{
    size_t    numbers = ((size_t)1 << 23) + 1, nodes = (size_t)1 << 20, size = 64 + numbers;
    uint8_t  *bytes = calloc(size, 1);
    wri_saved saved;
    CHECK(bytes != NULL);
    memcpy(bytes + 8, "\x08\x81\x80\x80\x04", 5); /* an array of 2^23 + 1 zeros */
    CHECK(!wri_token_unpack(bytes, 13 + numbers, &saved, &problem));
    CHECK_TEXT(problem.text, "the token is damaged (it has too many numbers)");
    memset(bytes, 0, 16);
    CHECK(!wri_token_unpack(bytes, 8 + 2 * nodes, &saved, &problem));
    CHECK_TEXT(problem.text, "the token is damaged (it has too many choices)");
    CHECK(wri_token_unpack(bytes, 8 + 2 * (nodes - 1), &saved, &problem));
    CHECK(saved.choices.node_count == nodes);
    wri_saved_free(&saved);
    free(bytes);
}

/* ---- failure files ---- */

static char *some_token(const char *property)
{
    uint64_t  random = 4;
    wri_trace trace = some_trace(&random, 3);
    char     *token = wri_token_write(wri_trace_label_hash(property), &trace);
    CHECK(token != NULL);
    wri_trace_free(&trace);
    return token;
}

static char *contents(const char *path)
{
    static char text[1 << 16];
    FILE       *file = fopen(path, "rb");
    CHECK(file != NULL);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static void put_contents(const char *path, const char *text, size_t count)
{
    FILE *file = fopen(path, "wb");
    CHECK(file != NULL && fwrite(text, 1, count, file) == count && fclose(file) == 0);
}

static size_t entries(const char *path)
{
    DIR   *open_folder = opendir(path);
    size_t count = 0;
    CHECK(open_folder != NULL);
    while (readdir(open_folder) != NULL)
        count++;
    closedir(open_folder);
    return count - 2;
}

/* A folder and all that is in it. */
static void remove_folder(const char *path)
{
    char           entry_path[PATH_MAX];
    struct stat    status;
    DIR           *open_folder = opendir(path);
    struct dirent *entry;
    CHECK(open_folder != NULL);
    while ((entry = readdir(open_folder)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        CHECK(snprintf(entry_path, sizeof entry_path, "%s/%s", path, entry->d_name) < PATH_MAX);
        CHECK(lstat(entry_path, &status) == 0);
        if (S_ISDIR(status.st_mode))
            remove_folder(entry_path);
        else
            CHECK(unlink(entry_path) == 0);
    }
    closedir(open_folder);
    CHECK(rmdir(path) == 0);
}

TEST(a_file_reads_as_promised)
{
    char           *token = some_token("sorting_sorts");
    char           *path = format("%s/a/b/sort.txt", folder);
    const wri_value values[] = { { "n", "2" }, { NULL, "3" }, { "xs", "[1, 0]" }, { "s", "" } };
    wri_owner       owner = wri_owner_of("./build/sort", "sorting_sorts");
    wri_failure     failure = { .kind = "assertion",
                                .message = "xs[i - 1] <= xs[i]",
                                .file = "sort.c",
                                .line = 42,
                                .function = "sort",
                                .seed = 1234,
                                .minimal = true,
                                .values = values,
                                .value_count = 4,
                                .token = token };
    CHECK(wri_failures_write(path, &owner, 0xab, &failure, &problem));
    CHECK_TEXT(contents(path), format("warren failure 1\n"
                                      "program: sort\n"
                                      "property: sorting_sorts\n"
                                      "key: 00000000000000ab\n"
                                      "kind: assertion\n"
                                      "place: sort.c:42\n"
                                      "message: xs[i - 1] <= xs[i]\n"
                                      "seed: 1234\n"
                                      "minimal: yes\n"
                                      "value: n = 2\n"
                                      "value: xs = [1, 0]\n"
                                      "value: s =\n"
                                      "token: %s\n",
                                      token));
    failure.seed = 5; /* that alone is no reason to write it again */
    CHECK(wri_failures_write(path, &owner, 0xab, &failure, &problem));
    CHECK(strstr(contents(path), "\nseed: 1234\n") != NULL);
    failure.minimal = false;
    CHECK(wri_failures_write(path, &owner, 0xab, &failure, &problem));
    CHECK(strstr(contents(path), "\nseed: 5\nminimal: no\n") != NULL);
    failure.minimal = true;
    CHECK(wri_failures_write(path, &owner, 0xab, &failure, &problem));
    wri_stored stored;
    CHECK(wri_stored_read(path, &stored, &problem));
    CHECK_TEXT(stored.where, path);
    CHECK(stored.key == 0xab);
    CHECK_TEXT(stored.program, "sort");
    CHECK_TEXT(stored.property, "sorting_sorts");
    CHECK_TEXT(stored.kind, "assertion");
    CHECK_TEXT(stored.place, "sort.c:42");
    CHECK_TEXT(stored.token, token);
    CHECK(stored.minimal && stored.saved.property == wri_trace_label_hash("sorting_sorts"));
    CHECK(wri_trace_valid(&stored.saved.choices));
    wri_stored_free(&stored);
    free(token);
}

/* Every byte but NUL, in every string; the file itself stays lines of text. */
TEST(odd_strings_come_back)
{
    char odd[300];
    for (int i = 0; i < 255; i++)
        odd[i] = (char)(i + 1);
    strcpy(odd + 255, "\\x41\\\\n: a\nb\t \r ");
    char           *token = some_token(odd);
    char           *path = format("%s/odd.txt", folder);
    const wri_value values[] = { { odd, odd } };
    wri_owner       owner = { "", odd };
    wri_failure     failure = { .kind = odd,
                                .function = odd,
                                .message = odd,
                                .values = values,
                                .value_count = 1,
                                .token = token };
    CHECK(wri_failures_write(path, &owner, 0xab, &failure, &problem));
    for (const char *at = contents(path); *at != '\0'; at++) {
        CHECK(*at == '\n' || (unsigned char)*at >= ' ');
        CHECK(*at != '\n' || at[-1] != ' ');
    }
    wri_stored stored;
    CHECK(wri_stored_read(path, &stored, &problem));
    CHECK_TEXT(stored.property, odd);
    CHECK_TEXT(stored.kind, odd);
    CHECK_TEXT(stored.place, odd);
    CHECK_TEXT(stored.program, "");
    CHECK(!stored.minimal);
    wri_stored_free(&stored);
    free(token);
}

TEST(a_long_token_takes_several_lines)
{
    uint64_t  random = 5;
    wri_trace trace = some_trace(&random, 200);
    char     *token = wri_token_write(wri_trace_label_hash("p"), &trace);
    char     *path = format("%s/long.txt", folder);
    size_t    lines = 0;
    CHECK(strlen(token) > 500);
    wri_failure failure = { .token = token };
    CHECK(wri_failures_write(path, &P, 1, &failure, &problem));
    const char *at = contents(path);
    while ((at = strstr(at, "\ntoken: ")) != NULL) {
        CHECK(strcspn(++at, "\n") <= strlen("token: ") + 100);
        lines++;
    }
    CHECK(lines == (strlen(token) + 99) / 100);
    wri_stored stored;
    CHECK(wri_stored_read(path, &stored, &problem));
    CHECK_TEXT(stored.token, token);
    check_same(&trace, &stored.saved.choices);
    wri_stored_free(&stored);
    free(token);
    wri_trace_free(&trace);
}

static void parse_refused(int line, size_t count, const char *text, const char *expected)
{
    wri_stored stored;
    problem.text[0] = '\0';
    CHECK(!wri_failures_parse("f", text, count, &stored, &problem));
    check_text(line, problem.text, expected);
    CHECK(stored.where == NULL && stored.property == NULL && stored.token == NULL);
}

static void accepted(const char *text)
{
    wri_stored stored;
    problem.text[0] = '\0';
    if (!wri_failures_parse("f", text, strlen(text), &stored, &problem))
        CHECK_TEXT(problem.text, "");
    CHECK_TEXT(stored.property, "p");
    wri_stored_free(&stored);
}

TEST(variants_of_the_format_are_accepted)
{
    char *token = some_token("p");
    accepted(format("warren failure 1\nproperty: p\ntoken: %s\n", token));
    accepted(format("warren failure 1\nproperty: p\ntoken: %s", token));
    accepted(format("warren failure 1\r\nproperty: p\r\nminimal: no\r\ntoken: %s\r\n", token));
    accepted(format("warren failure 1\ntoken: %s\nnew key: \\q\nproperty: p\n", token));
    accepted(
        format("warren failure 1\nproperty: \\x70\ntoken: %.5s\ntoken: %s\n", token, token + 5));
    free(token);
}

TEST(damaged_files_say_where_and_what)
{
#define REFUSED(text, expected) parse_refused(__LINE__, strlen(text), text, expected)
    char *token = some_token("p");
    REFUSED("", "f:1: expected 'warren failure 1', found an empty file");
    REFUSED("\n", "f:1: expected 'warren failure 1', found nothing");
    REFUSED("warren failure 2\n", "f:1: expected 'warren failure 1', found 'warren failure 2'");
    REFUSED("\x7f"
            "ELF\x02",
            "f:1: expected 'warren failure 1', found '?ELF?'");
    REFUSED("<<<<<<< HEAD\n",
            "f:1: expected 'warren failure 1', found a git conflict marker: keep "
            "one side, or delete the file");
    REFUSED("warren failure 1\n", "f:2: expected 'property: NAME', found the end of the file");
    REFUSED("warren failure 1\nproperty: \n",
            "f:3: expected 'property: NAME', found the end of the file");
    REFUSED("warren failure 1\nproperty: p\n",
            "f:3: expected 'token: ...', found the end of the file");
    REFUSED("warren failure 1\nproperty\n", "f:2: expected 'key: value', found 'property'");
    REFUSED("warren failure 1\nproperty:p\n", "f:2: expected 'key: value', found 'property:p'");
    REFUSED("warren failure 1\n\n", "f:2: expected 'key: value', found nothing");
    REFUSED("warren failure 1\n0123456789012345678901234567890123456789x\n",
            "f:2: expected 'key: value', found '0123456789012345678901234567890123456789...'");
    static const char *const MARKERS[] = { "<<<<<<< HEAD: x", "=======", "||||||| 12ab",
                                           ">>>>>>> b" };
    for (size_t i = 0; i < 4; i++)
        REFUSED(
            format("warren failure 1\nproperty: p\n%s\n", MARKERS[i]),
            "f:3: expected 'key: value', found a git conflict marker: keep one side, or delete "
            "the file");
    REFUSED("warren failure 1\nproperty: p\nproperty: q\n",
            "f:3: expected a key only once, found 'property: q'");
    REFUSED("warren failure 1\nminimal: no\nminimal: no\n",
            "f:3: expected a key only once, found 'minimal: no'");
    REFUSED("warren failure 1\nminimal: maybe\n", "f:2: expected 'yes' or 'no', found 'maybe'");
    REFUSED("warren failure 1\nminimal: \n", "f:2: expected 'yes' or 'no', found nothing");
    REFUSED("warren failure 1\nkey: 0123456789abcdef\nkey: 0123456789abcdef\n",
            "f:3: expected a key only once, found 'key: 0123456789abcdef'");
    REFUSED("warren failure 1\nkey: 12\n", "f:2: expected 16 hexadecimal digits, found '12'");
    REFUSED("warren failure 1\nkey: 0123456789abcdeX\n",
            "f:2: expected 16 hexadecimal digits, found '0123456789abcdeX'");
    static const char *const ESCAPES[] = { "\\q", "\\", "\\x1", "\\xg1", "\\x1g", "\\x00" };
    for (size_t i = 0; i < 6; i++)
        REFUSED(
            format("warren failure 1\nkind: a%s\n", ESCAPES[i]),
            format("f:2: expected an escape (\\n, \\t, \\\\ or \\xHH), found '%s'", ESCAPES[i]));
    REFUSED("warren failure 1\ntoken: v1\nproperty: p\n",
            "f:2: expected a token, found: not a token: it should begin with w1");
    REFUSED(format("warren failure 1\nproperty: p\ntoken: %s\ntoken: %s\n", token, token),
            "f:3: expected a token, found: the token is damaged (its checksum does not fit)");
    REFUSED(format("warren failure 1\nproperty: q\ntoken: %s\n", token),
            "f:3: expected a token of this property, found one of another");
#undef REFUSED
    parse_refused(__LINE__, BYTES("warren failure 1\nkind: a\0b\n"),
                  "f:2: expected 'key: value', found a NUL byte");
    parse_refused(__LINE__, BYTES("warren failure 1\0\n"),
                  "f:1: expected 'warren failure 1', found a NUL byte");
    free(token);
}

TEST(files_that_cannot_be_read_are_named)
{
    wri_stored stored;
    size_t     size = (16 << 20) + 1;
    char      *path = format("%s/large.txt", folder), *large = malloc(size);
    CHECK(large != NULL);
    memset(large, 'x', size);
    put_contents(path, large, size);
    free(large);
    CHECK(!wri_stored_read(path, &stored, &problem));
    CHECK_TEXT(problem.text, wri_folder_from_here(format(
                                 "%s:1: expected at most 16 MiB, found a larger file", path)));
    CHECK(truncate(path, (off_t)size - 1) == 0);
    CHECK(!wri_stored_read(path, &stored, &problem));
    CHECK(strstr(problem.text, ":1: expected 'warren failure 1', found 'xxx") != NULL);
    CHECK(!wri_stored_read(format("%s/none", folder), &stored, &problem));
    CHECK_TEXT(problem.text, wri_folder_from_here(format("%s/none: cannot read this file: %s",
                                                         folder, strerror(ENOENT))));
    CHECK(!wri_stored_read(folder, &stored, &problem));
    CHECK_TEXT(problem.text, wri_folder_from_here(format("%s: cannot read this file: %s", folder,
                                                         strerror(EISDIR))));
    CHECK(stored.where == NULL);
}

/* Writes with a limit on the size of files, so that the write fails half-way. */
static bool write_limited(const char *path, const wri_failure *failure, rlim_t bytes)
{
    struct rlimit limit, before;
    CHECK(getrlimit(RLIMIT_FSIZE, &before) == 0);
    limit = before;
    limit.rlim_cur = bytes;
    signal(SIGXFSZ, SIG_IGN);
    CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    bool written = wri_failures_write(path, &P, 1, failure, &problem);
    CHECK(setrlimit(RLIMIT_FSIZE, &before) == 0);
    return written;
}

TEST(a_write_that_fails_leaves_the_old_file)
{
    char       *token = some_token("p");
    char       *path = format("%s/atomic/f.txt", folder);
    wri_failure failure = { .kind = "old", .token = token };
    CHECK(wri_failures_write(path, &P, 1, &failure, &problem));
    char *old = strdup(contents(path));
    failure.kind = "new";
    for (rlim_t bytes = 0; bytes < 60; bytes += 20) {
        CHECK(!write_limited(path, &failure, bytes));
        CHECK_TEXT(problem.text, wri_folder_from_here(format("%s: cannot write this file: %s",
                                                             path, strerror(EFBIG))));
        CHECK_TEXT(contents(path), old);
        CHECK(entries(format("%s/atomic", folder)) == 1);
    }
    put_contents(format("%s.tmp.%ld", path, (long)getpid()), "left behind", 11);
    CHECK(wri_failures_write(path, &P, 1, &failure, &problem));
    CHECK(strstr(contents(path), "kind: new\n") != NULL);
    CHECK(entries(format("%s/atomic", folder)) == 1);
    free(old);
    free(token);
}

TEST(damaged_failures_are_kept_each_by_itself)
{
    static const char *const DAMAGED[] = { "first", "second", "third" };
    static const char *const NAMES[] = { ".bad", ".bad2", ".bad3" };
    char                    *token = some_token("p");
    char                    *path = format("%s/damaged/f.txt", folder);
    wri_failure              failure = { .token = token };
    CHECK(wri_failures_write(path, &P, 1, &failure, &problem));
    CHECK_TEXT(problem.text, "");
    for (size_t i = 0; i < 3; i++) {
        put_contents(path, DAMAGED[i], strlen(DAMAGED[i]));
        CHECK(wri_failures_write(path, &P, 1, &failure, &problem));
        CHECK_TEXT(problem.text,
                   format("damaged/f.txt: the damaged file is kept as f.txt%s", NAMES[i]));
    }
    for (size_t i = 0; i < 3; i++)
        CHECK_TEXT(contents(format("%s%s", path, NAMES[i])), DAMAGED[i]);
    CHECK(entries(format("%s/damaged", folder)) == 4);
    free(token);
}

static pid_t gone_process(void)
{
    pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    waitpid(pid, NULL, 0);
    return pid;
}

TEST(temporary_files_of_processes_that_are_gone_are_removed)
{
    const char *top = format("%s/strays", folder), *kinds[] = { "failures", "corpus", "rules" };
    long        gone = (long)gone_process();
    mkdir(top, 0777);
    for (size_t i = 0; i < 3; i++) {
        mkdir(format("%s/%s", top, kinds[i]), 0777);
        put_contents(format("%s/%s/a.txt.tmp.%ld", top, kinds[i], gone), "half", 4);
        put_contents(format("%s/%s/a.txt.tmp.%ld", top, kinds[i], (long)getpid()), "half", 4);
        put_contents(format("%s/%s/a.txt.tmp.%ldx", top, kinds[i], gone), "mine", 4);
        put_contents(format("%s/%s/tmp.%ld", top, kinds[i], gone), "mine", 4);
        put_contents(format("%s/%s/a.txt", top, kinds[i]), "mine", 4);
    }
    wri_store *store = wri_store_open(top, &problem);
    for (size_t i = 0; i < 3; i++) {
        CHECK(entries(format("%s/%s", top, kinds[i])) == 4);
        CHECK(access(format("%s/%s/a.txt.tmp.%ld", top, kinds[i], gone), F_OK) != 0);
    }
    store->close(store);
}

TEST(a_write_that_cannot_be_says_why)
{
    char       *token = some_token("p"), *huge = malloc((16 << 20) + 1);
    char       *path = format("%s/why/f.txt", folder);
    wri_failure failure = { .token = token };
    CHECK(wri_failures_write(path, &P, 1, &failure, &problem));
    CHECK(!wri_failures_write(format("%s/g.txt", path), &P, 1, &failure, &problem));
    CHECK_TEXT(problem.text, wri_folder_from_here(format("%s: cannot make this folder: %s", path,
                                                         strerror(ENOTDIR))));
    CHECK(!wri_failures_write(format("%s/why", folder), &P, 1, &failure, &problem));
    CHECK_TEXT(problem.text, wri_folder_from_here(format("%s/why: cannot write this file: %s",
                                                         folder, strerror(EISDIR))));
    CHECK(!wri_failures_write("", &P, 1, &failure, &problem));
    memset(huge, 'x', 16 << 20);
    huge[16 << 20] = '\0';
    failure.message = huge;
    CHECK(!wri_failures_write(path, &P, 1, &failure, &problem));
    CHECK_TEXT(problem.text,
               wri_folder_from_here(format("%s: a failure over 16 MiB is not stored", path)));
    failure = (wri_failure){ 0 };
    CHECK(!wri_failures_write(path, &P, 1, &failure, &problem));
    CHECK_TEXT(problem.text, wri_folder_from_here(format("%s: a failure without a token", path)));
    failure = (wri_failure){ .token = token };
    CHECK(!wri_failures_write(path, &(wri_owner){ "x", "" }, 1, &failure, &problem));
    CHECK_TEXT(problem.text,
               wri_folder_from_here(format("%s: a failure without a property", path)));
    CHECK(entries(format("%s/why", folder)) == 1);
    free(huge);
    free(token);
}

/* ---- names and folders ---- */

static wri_store *opened(const char *where)
{
    wri_store *store = wri_store_open(where, &problem);
    CHECK(store != NULL);
    return store;
}

static char *path_of(wri_store *store, const wri_owner *owner, uint64_t key)
{
    char *path = store->where(store, owner, key), *kept = format("%s", path);
    free(path);
    return kept;
}

/* Failures lie in the folder `expected`. */
static void folder_is(int line, const char *dir, const char *expected)
{
    wri_store *store = opened(dir);
    char      *path = path_of(store, &P, 1);
    *strrchr(path, '/') = '\0';
    check_text(line, path, expected);
    store->close(store);
}

static void make(const char *path)
{
    CHECK(mkdir(path, 0777) == 0);
}

TEST(the_folder_is_beside_the_nearest_mark)
{
    make(format("%s/some", folder));
    folder_is(__LINE__, "some/dir", "some/dir/failures");
    folder_is(__LINE__, "some/dir//", "some/dir/failures");
    folder_is(__LINE__, "/", "/failures");
    CHECK(wri_store_open("somme/dir", &problem) == NULL);
    CHECK_TEXT(problem.text, "somme/dir: there is no folder somme to make it in");
    char *top = format("%s/project", folder), *deep = format("%s/project/src/deep", folder);
    make(top);
    make(format("%s/src", top));
    make(deep);
    CHECK(chdir(deep) == 0);
    put_contents(format("%s/.git", top), "gitdir: elsewhere\n", 18); /* as in a worktree */
    folder_is(__LINE__, NULL, format("%s/.warren/failures", top));
    folder_is(__LINE__, "", format("%s/.warren/failures", top));
    make(format("%s/src/.warren", top));
    folder_is(__LINE__, NULL, format("%s/src/.warren/failures", top));
    make(format("%s/.git", deep));
    folder_is(__LINE__, NULL, format("%s/.warren/failures", deep));
    CHECK(entries(format("%s/src/.warren", top)) == 0);
    CHECK(chdir(folder) == 0);
}

/* Only where nothing above TMPDIR is marked can "else here" and the root be seen. */
TEST(without_a_mark_the_folder_is_here)
{
    if (access("/.git", F_OK) == 0 || access("/.warren", F_OK) == 0)
        return;
    CHECK(chdir("/") == 0);
    folder_is(__LINE__, NULL, "/.warren/failures");
    CHECK(chdir(folder) == 0);
    for (char *at = folder + strlen(folder); at > folder; at--)
        if (*at == '/' && (access(format("%.*s/.git", (int)(at - folder), folder), F_OK) == 0 ||
                           access(format("%.*s/.warren", (int)(at - folder), folder), F_OK) == 0))
            return;
    folder_is(__LINE__, NULL, format("%s/.warren/failures", folder));
}

TEST(a_vanished_current_folder_is_no_trouble)
{
    make(format("%s/gone", folder));
    CHECK(chdir(format("%s/gone", folder)) == 0);
    CHECK(rmdir(format("%s/gone", folder)) == 0);
    folder_is(__LINE__, NULL, ".warren/failures");
    CHECK(chdir(folder) == 0);
}

static char *path_for(wri_store *store, const char *program, const char *property,
                      uint64_t origin)
{
    wri_owner owner = wri_owner_of(program, property);
    return path_of(store, &owner, wri_store_key(&owner, origin));
}

TEST(file_names_are_safe_and_distinct)
{
    char       name[400];
    wri_store *store = opened("d");
    char      *plain = path_for(store, "/usr/bin/sort", "sorts_it", 1);
    CHECK_TEXT(plain, "d/failures/sort.sorts_it.57243a0f79382e5c.txt");
    static const char *const OTHERS[][2] = { { "sort", "sorts it" },
                                             { "sort.sorts_it", "" },
                                             { "sort2", "sorts_it" },
                                             { "", "sort.sorts_it" } };
    for (size_t i = 0; i < 4; i++)
        CHECK(strcmp(path_for(store, OTHERS[i][0], OTHERS[i][1], 1), plain) != 0);
    CHECK(strcmp(path_for(store, "sort", "sorts_it", 2), plain) != 0);
    char *odd = path_for(store, "a b", "../x/\n\xc3\xa9*", 1);
    CHECK(strncmp(odd, "d/failures/a_b..._x_____.", 25) == 0 && strchr(odd + 11, '/') == NULL);
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    CHECK(strlen(path_for(store, name, name, 1)) == 11 + 101 + 101 + 16 + 4);
    store->close(store);
}

static size_t complaints;
static char   last_complaint[4096];

static void complain(void *context, const char *line)
{
    CHECK(context == &complaints);
    complaints++;
    snprintf(last_complaint, sizeof last_complaint, "%s", line);
}

static void put(wri_store *store, const char *program, const char *property, uint64_t origin)
{
    wri_owner   owner = wri_owner_of(program, property);
    char       *token = some_token(property);
    wri_failure failure = { .token = token };
    CHECK(store->put(store, &owner, wri_store_key(&owner, origin), &failure, &problem));
    free(token);
}

static void check_list(wri_store *store, const char *program, const char *property,
                       size_t expected)
{
    wri_owner   owner = wri_owner_of(program, property);
    wri_stored *list, again;
    size_t      count;
    complaints = 0;
    CHECK(store->list(store, &owner, &list, &count, complain, &complaints, &problem));
    CHECK(count == expected);
    for (size_t i = 0; i < count; i++) {
        CHECK_TEXT(list[i].property, property);
        CHECK(i == 0 || strcmp(list[i - 1].where, list[i].where) < 0);
        CHECK_TEXT(path_of(store, &owner, list[i].key), list[i].where);
        CHECK(store->get(store, &owner, list[i].key, &again, &problem));
        CHECK(again.key == list[i].key);
        CHECK_TEXT(again.token, list[i].token);
        wri_stored_free(&again);
    }
    for (size_t i = 0; i < count; i++)
        wri_stored_free(&list[i]);
    free(list);
}

TEST(a_property_gets_its_own_failures_only)
{
    wri_store *store = opened(format("%s/list", folder));
    check_list(store, "prog", "p", 0);
    for (uint64_t origin = 0; origin < 20; origin++)
        put(store, "./prog", "p", origin);
    put(store, "prog", "p.q", 1);
    put(store, "prog", "a b", 1);
    put(store, "prog", "a_b", 1);
    put(store, "prog2", "p", 1);
    put_contents(format("%s/list/failures/prog.p.1.txt.tmp.5", folder), "half", 4);
    check_list(store, "/elsewhere/prog", "p", 20);
    check_list(store, "prog", "p.q", 1);
    check_list(store, "prog", "a b", 1);
    check_list(store, "prog", "a_b", 1);
    check_list(store, "prog", "none", 0);
    CHECK(complaints == 0);
    char *broken = format("%s/list/failures/prog.p.0broken.txt", folder);
    put_contents(broken, "half", 4);
    check_list(store, "prog", "p", 20);
    CHECK(complaints == 1 && access(broken, F_OK) == 0);
    CHECK_TEXT(last_complaint, wri_folder_from_here(format(
                                   "%s:1: expected 'warren failure 1', found 'half'", broken)));
    store->close(store);
}

TEST(a_store_that_is_no_folder_is_named)
{
    wri_stored *list;
    size_t      count;
    wri_store  *store = opened(format("%s/flat", folder));
    make(format("%s/flat", folder));
    put_contents(format("%s/flat/failures", folder), "x", 1);
    CHECK(!store->list(store, &P, &list, &count, NULL, NULL, &problem));
    CHECK_TEXT(problem.text,
               wri_folder_from_here(format(
                   "%s/flat/failures: cannot read this folder: %s (--no-store goes without)",
                   folder, strerror(ENOTDIR))));
    CHECK(list == NULL && count == 0);
    store->close(store);
}

/* The text goes into version control, and the project has another path on another machine. */
TEST(a_place_below_the_store_s_folder_is_named_from_there)
{
    wri_store  *store;
    char       *token = some_token("p");
    const char *files[] = { format("%s/checkout/src/a.c", folder),
                            format("%s/checkouts/a.c", folder), "../a.c" };
    const char *places[] = { "src/a.c:7", format("%s/checkouts/a.c:7", folder), "../a.c:7" };
    make(format("%s/checkout", folder));
    store = opened(format("%s/checkout/.warren", folder));
    for (size_t i = 0; i < 3; i++) {
        wri_failure failure = { .kind = "signal", .file = files[i], .line = 7, .token = token };
        wri_stored  stored;
        CHECK(store->put(store, &P, i, &failure, &problem));
        CHECK(store->get(store, &P, i, &stored, &problem));
        CHECK_TEXT(stored.place, places[i]);
        wri_stored_free(&stored);
    }
    free(token);
    store->close(store);
}

/* Somebody may copy a failure to a name of his own: it is read, and written to that name. */
TEST(a_failure_keeps_the_name_that_people_gave_it)
{
    char       *root = format("%s/named", folder), *token = some_token("p");
    wri_store  *store = opened(root);
    wri_failure failure = { .token = token, .kind = "new" };
    wri_stored *list;
    size_t      count;
    put(store, "x", "p", 1);
    char *mine = format("%s/failures/x.p.mine.txt", root);
    CHECK(rename(path_for(store, "x", "p", 1), mine) == 0);
    check_list(store, "x", "p", 1);
    CHECK(store->list(store, &P, &list, &count, complain, &complaints, &problem) && count == 1);
    CHECK_TEXT(list[0].where, mine);
    CHECK(list[0].key == wri_store_key(&P, 1));
    CHECK(store->put(store, &P, list[0].key, &failure, &problem));
    CHECK(strstr(contents(mine), "\nkind: new\n") != NULL);
    CHECK(entries(format("%s/failures", root)) == 1);
    wri_stored_free(&list[0]);
    free(list);
    free(token);
    store->close(store);
}

/* Each file of the owner has a key of its own, and a write to that key goes to that file. */
static void check_keys(wri_store *store, size_t expected)
{
    char       *token = some_token("p");
    wri_failure failure = { .token = token };
    wri_stored *list;
    size_t      count;
    check_list(store, "x", "p", expected);
    CHECK(store->list(store, &P, &list, &count, NULL, NULL, &problem));
    for (size_t i = 0; i < count; i++) {
        failure.kind = format("kind %zu", i);
        CHECK(store->put(store, &P, list[i].key, &failure, &problem));
        CHECK(strstr(contents(list[i].where), failure.kind) != NULL);
        CHECK(strstr(contents(list[i].where),
                     format("\nkey: %016llx\n", (unsigned long long)list[i].key)) != NULL);
        wri_stored_free(&list[i]);
    }
    free(list);
    free(token);
}

TEST(a_copy_of_a_failure_gets_a_key_of_its_own)
{
    wri_store *store = opened(format("%s/copies", folder));
    put(store, "x", "p", 1);
    static const char *const NAMES[] = { "0", "copy", "zz" };
    char                     text[4096];
    snprintf(text, sizeof text, "%.*s", (int)sizeof text - 1,
             contents(path_for(store, "x", "p", 1)));
    for (size_t i = 0; i < 3; i++)
        put_contents(format("%s/copies/failures/x.p.%s.txt", folder, NAMES[i]), text,
                     strlen(text));
    check_keys(store, 4);
    store->close(store);
    store = opened(format("%s/copies", folder));
    check_keys(store, 4);
    CHECK(entries(format("%s/copies/failures", folder)) == 4);
    store->close(store);
}

/* A file that has no key is a failure, whatever its name, and never in the way of another. */
TEST(a_file_without_a_key_gets_one_by_its_token)
{
    wri_store *store = opened(format("%s/keyless", folder));
    wri_stored stored;
    char      *token = some_token("p"), *text;
    put(store, "x", "p", 1);
    char *path = path_for(store, "x", "p", 1);
    text = format("warren failure 1\nproperty: p\ntoken: %s\n", token);
    put_contents(path, text, strlen(text));
    CHECK(store->get(store, &P, wri_store_key(&P, 1), &stored, &problem));
    wri_stored_free(&stored);
    put_contents(format("%s/keyless/failures/x.p.other.txt", folder), text, strlen(text));
    check_keys(store, 2);
    store->close(store);
    free(token);
}

TEST(the_argument_of_replay_is_a_path_from_here)
{
    wri_store *store = opened(format("%s/replayed", folder));
    char      *argument = store->replay_argument(store, &P, 0xab);
    CHECK_TEXT(argument, "@replayed/failures/x.p.00000000000000ab.txt");
    free(argument);
    CHECK(chdir("/") == 0);
    argument = store->replay_argument(store, &P, 0xab);
    CHECK_TEXT(argument, format("@%s/replayed/failures/x.p.00000000000000ab.txt", folder));
    free(argument);
    CHECK(chdir(folder) == 0);
    store->close(store);
}

/* ---- without memory, without a store ---- */

/* The linker sends the library's calls here (tests/CMakeLists.txt). */
void      *__real_realloc(void *old, size_t size);
void      *__wrap_realloc(void *old, size_t size);
wri_store *__real_wri_store_open(const char *where, wri_note *note);
wri_store *__wrap_wri_store_open(const char *where, wri_note *note);

static size_t until_none = SIZE_MAX; /* calls of realloc before one that fails */
static bool   locked;

void *__wrap_realloc(void *old, size_t size)
{
    return until_none-- == 0 ? NULL : __real_realloc(old, size);
}

wri_store *__wrap_wri_store_open(const char *where, wri_note *note)
{
    if (!locked)
        return __real_wri_store_open(where, note);
    wri_note_refuse(note, "somebody has locked it");
    return NULL;
}

TEST(no_failure_is_dropped_in_silence_when_memory_is_out)
{
    wri_stored *list;
    size_t      count = 0, silent = 0;
    for (size_t calls = 0; count == 0; calls++) {
        wri_store *store = opened(format("%s/poor", folder));
        if (calls == 0) {
            put(store, "x", "p", 1);
            CHECK(rename(path_for(store, "x", "p", 1),
                         format("%s/poor/failures/x.p.mine.txt", folder)) == 0);
        }
        complaints = 0;
        until_none = calls;
        CHECK(store->list(store, &P, &list, &count, complain, &complaints, &problem));
        until_none = SIZE_MAX;
        silent += count + complaints != 1;
        CHECK(calls < 100);
        if (count > 0)
            wri_stored_free(&list[0]);
        free(list);
        store->close(store);
    }
    CHECK(silent == 0);
}

TEST(a_store_that_cannot_be_opened_ends_the_run)
{
    char         error[200];
    wri_settings settings = { .jobs = 1 };
    locked = true;
    int status = wri_hunt(&settings, NULL, 0, NULL, error, sizeof error);
    locked = false;
    CHECK(status == 99);
    CHECK_TEXT(error, "the store cannot be opened: somebody has locked it");
}

/* ---- sets ---- */

static char *rules_path(wri_store *store, const wri_owner *owner)
{
    wri_stored_text text;
    CHECK(store->get_set(store, owner, WRI_SET_RULES, &text, &problem));
    char *path = format("%s", text.where);
    wri_stored_text_free(&text);
    return path;
}

TEST(owners_with_names_that_look_alike_share_no_rules)
{
    char long_name[130];
    memset(long_name, 'n', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = '\0';
    wri_store      *store = opened(format("%s/alike", folder));
    const wri_owner OWNERS[] = {
        { "p.a", "b" }, { "p", "a.b" }, { "x", long_name }, { "x", long_name + 1 }
    };
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < i; k++)
            CHECK(strcmp(rules_path(store, &OWNERS[i]), rules_path(store, &OWNERS[k])) != 0);
    store->close(store);
}

TEST(rules_in_a_file_without_a_key_are_read_and_written_elsewhere)
{
    wri_store      *store = opened(format("%s/oldsets", folder));
    wri_stored_text text;
    char           *old = format("%s/oldsets/rules/x.p.rules", folder);
    make(format("%s/oldsets", folder));
    make(format("%s/oldsets/rules", folder));
    put_contents(old, "one\n", 4);
    CHECK_TEXT(rules_path(store, &P), old);
    CHECK(store->add_to_set(store, &P, WRI_SET_RULES, "two\n", &problem));
    CHECK_TEXT(contents(old), "one\n");
    CHECK(store->get_set(store, &P, WRI_SET_RULES, &text, &problem));
    CHECK_TEXT(text.bytes, "one\ntwo\n");
    CHECK(strcmp(text.where, old) != 0);
    wri_stored_text_free(&text);
    store->close(store);
}

TEST(sets_grow_at_their_end)
{
    wri_store      *store = opened(format("%s/sets", folder));
    wri_stored_text text;
    char           *path = rules_path(store, &P);
    CHECK(store->get_set(store, &P, WRI_SET_RULES, &text, &problem));
    CHECK(text.bytes == NULL && text.size == 0);
    CHECK_TEXT(text.where, path);
    wri_stored_text_free(&text);
    CHECK(store->add_to_set(store, &P, WRI_SET_RULES, "one\n", &problem));
    CHECK(store->add_to_set(store, &P, WRI_SET_RULES, "two\n", &problem));
    CHECK_TEXT(contents(path), "one\ntwo\n");
    CHECK(store->replace_set(store, &P, WRI_SET_RULES, "three\n", &problem));
    CHECK(store->get_set(store, &P, WRI_SET_RULES, &text, &problem) && text.size == 6);
    CHECK_TEXT(text.bytes, "three\n");
    wri_stored_text_free(&text);
    CHECK(store->set_aside(store, &P, WRI_SET_RULES, &problem));
    CHECK(store->get_set(store, &P, WRI_SET_RULES, &text, &problem) && text.bytes == NULL);
    wri_stored_text_free(&text);
    CHECK(store->set_aside(store, &P, WRI_SET_RULES, &problem));
    CHECK(entries(format("%s/sets/rules", folder)) == 1);
    make(path);
    CHECK(!store->get_set(store, &P, WRI_SET_RULES, &text, &problem));
    CHECK_TEXT(problem.text, wri_folder_from_here(format("%s: cannot read this file: %s", path,
                                                         strerror(EISDIR))));
    wri_stored_text_free(&text);
    store->close(store);
}

/* ---- mutated input ---- */

/* Changes, removes or inserts a few bytes, or cuts; `room` is above the new length. */
static size_t mutate(uint64_t *random, char *bytes, size_t count, size_t room,
                     const char *alphabet)
{
    for (uint64_t left = 1 + below(random, 4); left > 0; left--) {
        size_t at = count == 0 ? 0 : below(random, count), span = 1 + below(random, 8);
        char   byte = alphabet == NULL || below(random, 8) == 0
                          ? (char)wri_prng_next(random)
                          : alphabet[below(random, strlen(alphabet))];
        switch (below(random, 6)) {
        case 0: count = at; break;
        case 1:
            span = span < count - at ? span : count - at;
            memmove(bytes + at, bytes + at + span, count - at - span);
            count -= span;
            break;
        case 2:
        case 3:
            if (count + span >= room)
                break;
            memmove(bytes + at + span, bytes + at, count - at);
            memset(bytes + at, byte, span);
            count += span;
            break;
        default:
            if (below(random, 2) == 0)
                byte = (char)(bytes[at] ^ 1 << below(random, 8));
            if (count > 0)
                bytes[at] = byte;
        }
    }
    return count;
}

/* A mutated token is refused, or is sound. Copies end where their allocation does. */
static size_t try_token(const char *bytes, size_t count)
{
    wri_saved saved;
    char     *token = malloc(count + 1);
    CHECK(token != NULL);
    memcpy(token, bytes, count);
    token[count] = '\0';
    problem.text[0] = '\0';
    bool read = wri_token_read(token, &saved, &problem);
    CHECK(read ? wri_trace_valid(&saved.choices) : problem.text[0] != '\0');
    CHECK(strchr(problem.text, '\n') == NULL);
    wri_saved_free(&saved);
    free(token);
    return read;
}

/* The same behind the checksum, where most mutations would otherwise end. */
static size_t try_bytes(const char *bytes, size_t count)
{
    wri_saved saved, again;
    uint8_t  *packed = malloc(count + 1);
    CHECK(packed != NULL);
    memcpy(packed, bytes, count);
    bool read = wri_token_unpack(packed, count, &saved, &problem);
    free(packed);
    if (!read)
        return 0;
    CHECK(wri_trace_valid(&saved.choices));
    char *token = wri_token_write(saved.property, &saved.choices);
    CHECK(token != NULL && wri_token_read(token, &again, &problem));
    check_same(&saved.choices, &again.choices);
    free(token);
    wri_saved_free(&again);
    wri_saved_free(&saved);
    return 1;
}

static size_t try_file(const char *bytes, size_t count)
{
    wri_stored stored;
    char      *text = malloc(count + 1);
    CHECK(text != NULL);
    memcpy(text, bytes, count);
    text[count] = '\n'; /* nothing ends the file but its length */
    problem.text[0] = '\0';
    bool read = wri_failures_parse("f", text, count, &stored, &problem);
    CHECK(read ? wri_trace_valid(&stored.saved.choices) : problem.text[0] != '\0');
    CHECK(strchr(problem.text, '\n') == NULL);
    wri_stored_free(&stored);
    free(text);
    return read;
}

TEST(mutated_tokens_are_refused_or_sound)
{
    uint64_t random = 6;
    char     bytes[4096];
    size_t   read = 0;
    for (int round = 0; round < 100000; round++) {
        wri_trace trace = some_trace(&random, below(&random, 6));
        char     *token = wri_token_write(1, &trace);
        size_t    count = strlen(token);
        CHECK(count < 2048);
        memcpy(bytes, token, count);
        count = mutate(&random, bytes, count, sizeof bytes, "ABwxyz0189-_");
        read += try_token(bytes, count);
        free(token);
        wri_trace_free(&trace);
    }
    CHECK(read < 3000); /* only where the mutations undid one another */
}

TEST(mutated_bytes_are_refused_or_sound)
{
    uint64_t random = 7;
    char     bytes[256];
    size_t   read = 0;
    for (int round = 0; round < 100000; round++) {
        size_t count = 8 + below(&random, 24);
        for (size_t i = 0; i < count; i++)
            bytes[i] = (char)(wri_prng_next(&random) >> below(&random, 8) & 0x7f);
        count = mutate(&random, bytes, count, sizeof bytes, NULL);
        read += try_bytes(bytes, count);
    }
    CHECK(read > 1000);
}

TEST(mutated_files_are_refused_or_sound)
{
    uint64_t random = 8;
    char    *token = some_token("p"), text[4096];
    char    *whole = format("warren failure 1\nprogram: x\nproperty: p\nkind: a\\x41b\n"
                               "place: f.c:1\nmessage: m\nseed: 1\nminimal: yes\nvalue: n = 2\n"
                               "token: %s\n",
                            token);
    size_t   read = 0;
    whole = strdup(whole);
    for (int round = 0; round < 20000; round++) {
        size_t count = strlen(whole);
        memcpy(text, whole, count);
        count = mutate(&random, text, count, sizeof text, "\n\r: \\x01<=>wpt");
        read += try_file(text, count);
    }
    CHECK(read > 100 && read < 15000);
    free(whole);
    free(token);
}

TEST(random_bytes_are_refused)
{
    uint64_t random = 9;
    char     bytes[300];
    for (int round = 0; round < 20000; round++) {
        size_t count = below(&random, sizeof bytes);
        for (size_t i = 0; i < count; i++)
            bytes[i] = (char)wri_prng_next(&random);
        CHECK(try_token(bytes, count) == 0);
        CHECK(try_file(bytes, count) == 0);
        try_bytes(bytes, count);
        if (count > 17)
            memcpy(bytes, "warren failure 1\n", 17);
        CHECK(try_file(bytes, count) == 0);
        if (count > 2)
            memcpy(bytes, "w1", 2);
        CHECK(try_token(bytes, count) == 0);
    }
}

/* ---- corpora ---- */

#define MOST_CASES 8

/* A corpus of so many random cases; notes say their numbers. */
static wri_corpus some_corpus(uint64_t *random, size_t count)
{
    wri_corpus corpus = { .count = count };
    corpus.cases = calloc(count + 1, sizeof *corpus.cases);
    corpus.notes = calloc(count + 1, sizeof *corpus.notes);
    CHECK(corpus.cases != NULL && corpus.notes != NULL);
    for (size_t i = 0; i < count; i++) {
        corpus.cases[i] = some_trace(random, 1 + below(random, 10));
        corpus.notes[i] = strdup(format("case %zu", i));
    }
    return corpus;
}

/* The corpora of the tests are those of property "p"; each test has a store of its own. */
static const wri_owner PROG = { "prog", "p" };

static char *corpus_path(wri_store *store, const wri_owner *owner)
{
    wri_stored_text text;
    CHECK(store->get_set(store, owner, WRI_SET_CORPUS, &text, &problem));
    char *path = format("%s", text.where);
    wri_stored_text_free(&text);
    return path;
}

static wri_corpus read_corpus(wri_store *store)
{
    wri_corpus corpus;
    problem.text[0] = '\0';
    CHECK(wri_corpus_read(store, &PROG, &corpus, &problem));
    return corpus;
}

static void write_corpus(wri_store *store, const wri_corpus *corpus)
{
    CHECK(wri_corpus_write(store, &PROG, corpus, &problem));
}

/* Has `corpus` the case that says this? */
static const wri_trace *case_of(const wri_corpus *corpus, const char *note)
{
    for (size_t i = 0; i < corpus->count; i++)
        if (strcmp(corpus->notes[i], note) == 0)
            return &corpus->cases[i];
    return NULL;
}

TEST(a_corpus_lies_beside_the_failures)
{
    wri_store *store = opened("d");
    CHECK_TEXT(corpus_path(store, &PROG), "d/corpus/prog.p.9c24dfa9d92f78a0.txt");
    char *one = corpus_path(store, &(wri_owner){ "prog", "a b" });
    CHECK(strcmp(one, corpus_path(store, &(wri_owner){ "prog", "a_b" })) != 0);
    store->close(store);
}

TEST(a_corpus_reads_as_promised)
{
    wri_store *store = opened(format("%s/made", folder));
    char      *path = strdup(corpus_path(store, &PROG));
    char      *large, *small;
    wri_trace  traces[2] = { { 0 }, { 0 } };
    char      *notes[2] = { "a\nb ", NULL };
    wri_corpus corpus = { .cases = traces, .notes = notes, .count = 2 };
    for (int i = 0; i < 2; i++) {
        add_node(&traces[i], WRI_SPAN);
        for (int k = i; k < 2; k++)
            add_choice(&traces[i], WRI_INTEGER, 5, 9);
    }
    large = wri_token_write(wri_trace_label_hash("p"), &traces[0]);
    small = wri_token_write(wri_trace_label_hash("p"), &traces[1]);
    write_corpus(store, &corpus);
    CHECK_TEXT(
        contents(path),
        format("warren corpus 1 prog p\n"
               "# Cases that together show all that this property's cases have shown: they "
               "are run first.\n"
               "# Warren replaces this file when a smaller or richer set is found. Keep it "
               "under version\n"
               "# control; in a merge keep the lines of both sides. It may be deleted.\n"
               "%s\n%s a\\nb\\x20\n",
               small, large));
    wri_corpus back = read_corpus(store);
    CHECK(back.count == 2);
    CHECK_TEXT(back.notes[0], "");
    CHECK_TEXT(back.notes[1], "a\nb ");
    check_same(&traces[1], &back.cases[0]);
    check_same(&traces[0], &back.cases[1]);
    wri_corpus_free(&back);
    free(small);
    free(large);
    wri_trace_free(&traces[0]);
    wri_trace_free(&traces[1]);
    free(path);
    store->close(store);
}

TEST(random_corpora_come_back_in_one_order)
{
    uint64_t   random = 11;
    wri_store *store = opened(format("%s/order", folder));
    char      *path = strdup(corpus_path(store, &PROG));
    for (int round = 0; round < 200; round++) {
        wri_corpus corpus = some_corpus(&random, below(&random, MOST_CASES));
        write_corpus(store, &corpus);
        wri_corpus back = read_corpus(store);
        CHECK(back.count <= corpus.count); /* two cases may have been the same */
        for (size_t i = 0; i < back.count; i++) {
            const wri_trace *origin = case_of(&corpus, back.notes[i]);
            CHECK(origin != NULL);
            check_same(origin, &back.cases[i]);
        }
        if (corpus.count > 0) {
            char *text = strdup(contents(path));
            for (size_t i = 0; i + 1 < corpus.count; i++) { /* the other way round */
                wri_trace trace = corpus.cases[i];
                char     *note = corpus.notes[i];
                size_t    other = below(&random, corpus.count);
                corpus.cases[i] = corpus.cases[other];
                corpus.notes[i] = corpus.notes[other];
                corpus.cases[other] = trace;
                corpus.notes[other] = note;
            }
            write_corpus(store, &corpus);
            CHECK_TEXT(contents(path), text);
            free(text);
        }
        wri_corpus_free(&back);
        wri_corpus_free(&corpus);
    }
    free(path);
    store->close(store);
}

TEST(merged_files_are_the_union)
{
    uint64_t   random = 12;
    wri_store *store = opened(format("%s/merge", folder));
    char      *path = strdup(corpus_path(store, &PROG));
    wri_corpus ours = some_corpus(&random, 3), theirs = some_corpus(&random, 3);
    for (size_t i = 0; i < 3; i++) {
        free(theirs.notes[i]);
        theirs.notes[i] = strdup(format("their %zu", i));
    }
    write_corpus(store, &ours);
    char *one = strdup(contents(path));
    write_corpus(store, &theirs);
    char *other = strdup(contents(path));
    char *texts[] = { format("%s%s%s", one, other, one), format("%s\n%s", other, one) };
    for (int i = 0; i < 2; i++) {
        put_contents(path, texts[i], strlen(texts[i]));
        wri_corpus both = read_corpus(store);
        CHECK(both.count == 6);
        for (size_t k = 0; k < 3; k++) {
            check_same(&ours.cases[k], case_of(&both, format("case %zu", k)));
            check_same(&theirs.cases[k], case_of(&both, format("their %zu", k)));
        }
        wri_corpus_free(&both);
    }
    free(one);
    free(other);
    wri_corpus_free(&ours);
    wri_corpus_free(&theirs);
    free(path);
    store->close(store);
}

TEST(the_same_corpus_is_not_written_again)
{
    uint64_t    random = 13;
    wri_store  *store = opened(format("%s/same", folder));
    char       *path = strdup(corpus_path(store, &PROG));
    wri_corpus  corpus = some_corpus(&random, 3), none = { 0 };
    struct stat before, after;
    write_corpus(store, &none);
    CHECK(access(path, F_OK) != 0);
    write_corpus(store, &corpus);
    CHECK(stat(path, &before) == 0);
    write_corpus(store, &corpus);
    CHECK(stat(path, &after) == 0 &&
          before.st_ino == after.st_ino); /* a new one is renamed here */
    CHECK(before.st_mtim.tv_nsec == after.st_mtim.tv_nsec);
    write_corpus(store, &none);
    wri_corpus back = read_corpus(store);
    CHECK(back.count == 0 && entries(format("%s/same/corpus", folder)) == 1);
    wri_corpus_free(&back);
    wri_corpus_free(&corpus);
    free(path);
    store->close(store);
}

TEST(a_corpus_that_cannot_be_read_is_kept)
{
    uint64_t   random = 14;
    wri_store *store = opened(format("%s/kept", folder));
    char      *path = strdup(corpus_path(store, &PROG));
    wri_corpus corpus = some_corpus(&random, 2);
    write_corpus(store, &corpus);
    put_contents(path, "half", 4);
    write_corpus(store, &corpus);
    CHECK_TEXT(contents(format("%s.bad", path)), "half");
    wri_corpus back = read_corpus(store);
    CHECK(back.count == 2 && entries(format("%s/kept/corpus", folder)) == 2);
    for (int number = 2; number < 5; number++) { /* each of them */
        put_contents(path, "half", (size_t)(5 - number));
        write_corpus(store, &corpus);
        CHECK(strlen(contents(format("%s.bad%d", path, number))) == (size_t)(5 - number));
    }
    CHECK_TEXT(contents(format("%s.bad", path)), "half");
    CHECK(entries(format("%s/kept/corpus", folder)) == 5);
    wri_corpus_free(&back);
    wri_corpus_free(&corpus);
    free(path);
    store->close(store);
}

TEST(a_corpus_that_cannot_be_written_says_why)
{
    uint64_t   random = 15;
    wri_store *store = opened(format("%s/refused", folder));
    char      *path = strdup(corpus_path(store, &PROG));
    wri_corpus corpus = some_corpus(&random, 1);
    write_corpus(store, &corpus);
    wri_store *in_a_file = opened(path);
    CHECK(!wri_corpus_write(in_a_file, &PROG, &corpus, &problem));
    CHECK_TEXT(problem.text, wri_folder_from_here(format("%s: cannot make this folder: %s", path,
                                                         strerror(ENOTDIR))));
    in_a_file->close(in_a_file);
    CHECK(!wri_corpus_write(store, &(wri_owner){ "prog", "" }, &corpus, &problem));
    CHECK(strstr(problem.text, ".txt: a corpus without a property") != NULL);
    corpus.cases[0].nodes[0].what = WRI_CHOICE;
    CHECK(!wri_corpus_write(store, &PROG, &corpus, &problem));
    CHECK_TEXT(problem.text,
               wri_folder_from_here(format("%s: a case that is no trace is not stored", path)));
    free(corpus.notes[0]);
    corpus.cases[0].nodes[0].what = WRI_SPAN;
    corpus.notes[0] = malloc((16 << 20) + 1);
    memset(corpus.notes[0], 'x', 16 << 20);
    corpus.notes[0][16 << 20] = '\0';
    CHECK(!wri_corpus_write(store, &PROG, &corpus, &problem));
    CHECK_TEXT(problem.text,
               wri_folder_from_here(format("%s: a corpus over 16 MiB is not stored", path)));
    wri_corpus_free(&corpus);
    corpus = read_corpus(store);
    CHECK(corpus.count == 1 && entries(format("%s/refused/corpus", folder)) == 1);
    wri_corpus_free(&corpus);
    CHECK(unlink(path) == 0 && mkdir(path, 0777) == 0);
    CHECK(!wri_corpus_read(store, &PROG, &corpus, &problem));
    CHECK_TEXT(problem.text, wri_folder_from_here(format("%s: cannot read this file: %s", path,
                                                         strerror(EISDIR))));
    CHECK(corpus.count == 0 && corpus.cases == NULL);
    free(path);
    store->close(store);
}

/* Expects the corpus of property "p" to be refused with this line, as a whole. */
static void corpus_refused(int line, size_t count, const char *text, const char *expected)
{
    wri_corpus corpus;
    problem.text[0] = '\0';
    CHECK(!wri_corpus_parse("c", text, count, wri_trace_label_hash("p"), &corpus, &problem));
    check_text(line, problem.text, expected);
    CHECK(corpus.cases == NULL && corpus.notes == NULL && corpus.count == 0);
}

TEST(damaged_corpora_say_where_and_what)
{
#define HEADER "'warren corpus 1 PROGRAM PROPERTY'"
#define GOOD "warren corpus 1 x p\n"
    char *token = some_token("p"), *foreign = some_token("q");
    const struct {
        int         line;
        const char *text, *expected;
    } ROWS[] = {
        { __LINE__, "", "c:1: expected " HEADER ", found an empty file" },
        { __LINE__, "# only\n", "c:1: expected " HEADER ", found '# only'" },
        { __LINE__, "warren corpus 1\n", "c:1: expected " HEADER ", found 'warren corpus 1'" },
        { __LINE__, "warren corpus 1 x \n",
          "c:1: expected " HEADER ", found 'warren corpus 1 x '" },
        { __LINE__, "warren corpus 1  p\n",
          "c:1: expected " HEADER ", found 'warren corpus 1  p'" },
        { __LINE__, "warren corpus 2 x p\n",
          "c:1: expected " HEADER ", found 'warren corpus 2 x p'" },
        { __LINE__, "warren failure 1\n", "c:1: expected " HEADER ", found 'warren failure 1'" },
        { __LINE__, "warren corpus 1 x q\n",
          "c:1: expected a corpus of this property, found one of another" },
        { __LINE__, "warren corpus 1 x \\q\n",
          "c:1: expected an escape (\\n, \\t, \\\\ or \\xHH), found '\\q'" },
        { __LINE__, "<<<<<<< ours\n" GOOD,
          "c:1: expected " HEADER ", found a git conflict marker: keep the lines of both sides" },
        { __LINE__, GOOD "\n=======\n",
          "c:3: expected a token and what it shows, found a git conflict marker: keep the lines "
          "of "
          "both sides" },
        { __LINE__, GOOD "hello\n", "c:2: expected a token and what it shows, found 'hello'" },
        { __LINE__, GOOD "# fine\n w1\n",
          "c:3: expected a token and what it shows, found ' w1'" },
        { __LINE__, GOOD "w1AB\n",
          "c:2: expected a token, found: the token is damaged (character 4 cannot stand there)" },
        { __LINE__, GOOD "w2AB\n",
          "c:2: expected a token, found: the token is of version 2; this Warren reads version "
          "1" },
        { __LINE__, format(GOOD "%s\nwarren corpus 1 x q\n", token),
          "c:3: expected a corpus of this property, found one of another" },
        { __LINE__, format(GOOD "%s fine\n%s\n", token, foreign),
          "c:3: expected a token of this property, found one of another" },
        { __LINE__, format(GOOD "%s a\\b\n", token),
          "c:2: expected an escape (\\n, \\t, \\\\ or \\xHH), found '\\b'" },
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
        corpus_refused(ROWS[i].line, strlen(ROWS[i].text), ROWS[i].text, ROWS[i].expected);
    corpus_refused(__LINE__, sizeof GOOD + 2, GOOD "w1\0",
                   "c:2: expected a token and what it shows, found a NUL byte");
    char *variants[] = { format("warren corpus 1 x p\r\n%s  two\r\n\r\n#\r\n", token),
                         format(GOOD GOOD "%s  two", token) };
    for (int i = 0; i < 2; i++) {
        wri_corpus corpus;
        CHECK(wri_corpus_parse("c", variants[i], strlen(variants[i]), wri_trace_label_hash("p"),
                               &corpus, &problem));
        CHECK(corpus.count == 1);
        CHECK_TEXT(corpus.notes[0], " two");
        wri_corpus_free(&corpus);
    }
    free(token);
    free(foreign);
}

TEST(odd_names_make_sound_corpora)
{
    static const char *const NAMES[] = { "a b", " ", "\n", "\\x", "caf\xc3\xa9 \xff", "#", "w1" };
    uint64_t                 random = 16;
    wri_store               *store = opened(format("%s/odd", folder));
    wri_corpus               corpus = some_corpus(&random, 1);
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        wri_owner  owner = { i == 0 ? "" : NAMES[i], NAMES[i] };
        wri_corpus back;
        CHECK(wri_corpus_write(store, &owner, &corpus, &problem));
        CHECK(wri_corpus_read(store, &owner, &back, &problem));
        CHECK(back.count == 1);
        check_same(&corpus.cases[0], &back.cases[0]);
        wri_corpus_free(&back);
    }
    wri_corpus_free(&corpus);
    store->close(store);
}

TEST(mutated_corpora_are_refused_or_sound)
{
    uint64_t random = 17;
    char    *token = some_token("p"), text[4096];
    char    *whole = strdup(format(GOOD "# people\n%s one\n%s two\\x41\n", token, token));
    size_t   read = 0;
    for (int round = 0; round < 20000; round++) {
        wri_corpus corpus;
        size_t     count = strlen(whole);
        memcpy(text, whole, count);
        count = mutate(&random, text, count, sizeof text, "\n\r# \\x01<=>w1p");
        char *exact = malloc(count + 1);
        memcpy(exact, text, count);
        problem.text[0] = '\0';
        bool sound =
            wri_corpus_parse("c", exact, count, wri_trace_label_hash("p"), &corpus, &problem);
        free(exact);
        CHECK(sound || (problem.text[0] != '\0' && strchr(problem.text, '\n') == NULL &&
                        corpus.cases == NULL));
        for (size_t i = 0; i < corpus.count; i++)
            CHECK(wri_trace_valid(&corpus.cases[i]));
        wri_corpus_free(&corpus);
        read += sound;
    }
    CHECK(read > 100 && read < 15000);
    free(whole);
    free(token);
#undef HEADER
#undef GOOD
}

/* ---- the fewest cases ---- */

#define FEATURES(...)                                                                            \
    (const uint32_t[]){ __VA_ARGS__ }, sizeof(const uint32_t[]){ __VA_ARGS__ } / sizeof(uint32_t)

static void chosen_are(int line, const wri_shown *cases, size_t count, const char *expected)
{
    bool chosen[16];
    char found[17] = "";
    CHECK(count <= 16 && wri_fewest(cases, count, chosen));
    for (size_t i = 0; i < count; i++)
        found[i] = chosen[i] ? '1' : '0';
    check_text(line, found, expected);
}

TEST(few_and_small_cases_are_chosen)
{
    chosen_are(__LINE__, NULL, 0, "");
    chosen_are(__LINE__, (wri_shown[]){ { NULL, 0, 1 }, { FEATURES(7), 9 } }, 2, "01");
    /* the one that shows all, though it is the largest */
    chosen_are(__LINE__,
               (wri_shown[]){ { FEATURES(1), 1 }, { FEATURES(2), 1 }, { FEATURES(1, 2), 50 } }, 3,
               "001");
    /* of two that show the same, the smaller; of equals, the first */
    chosen_are(
        __LINE__,
        (wri_shown[]){ { FEATURES(1, 2), 9 }, { FEATURES(1, 2), 3 }, { FEATURES(1, 2), 3 } }, 3,
        "010");
    /* the greedy first choice (four of six) turns out to be superfluous */
    chosen_are(__LINE__,
               (wri_shown[]){ { FEATURES(2, 3, 4, 5), 9 },
                              { FEATURES(1, 2, 3), 5 },
                              { FEATURES(4, 5, 6), 5 } },
               3, "011");
    /* numbers far apart */
    chosen_are(
        __LINE__,
        (wri_shown[]){ { FEATURES(0, UINT32_MAX), 2 }, { FEATURES(0), 1 }, { FEATURES(5), 1 } },
        3, "101");
}

/* Do the chosen show all, and is none of them superfluous? */
static bool covers(const wri_shown *cases, size_t count, const bool *chosen, size_t without)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < cases[i].count; k++) {
            bool found = false;
            for (size_t j = 0; j < count && !found; j++)
                for (size_t m = 0; j != without && chosen[j] && m < cases[j].count; m++)
                    found |= cases[j].features[m] == cases[i].features[k];
            if (!found)
                return false;
        }
    return true;
}

TEST(any_choice_is_complete_and_irreducible)
{
    uint64_t  random = 18;
    uint32_t  features[12][8];
    wri_shown cases[12];
    for (int round = 0; round < 2000; round++) {
        size_t count = below(&random, 13), chosen_count = 0;
        bool   chosen[12] = { false };
        for (size_t i = 0; i < count; i++) {
            cases[i] = (wri_shown){ .features = features[i], .size = below(&random, 5) };
            for (uint32_t number = 0; number < 8; number++)
                if (below(&random, 3) == 0)
                    features[i][cases[i].count++] = number * 1000;
        }
        CHECK(wri_fewest(cases, count, chosen));
        CHECK(covers(cases, count, chosen, SIZE_MAX));
        for (size_t i = 0; i < count; i++) {
            chosen_count += chosen[i];
            CHECK(!chosen[i] || !covers(cases, count, chosen, i));
        }
        CHECK(chosen_count <= 8);
    }
}

int main(int argc, char **argv)
{
    const char *base = getenv("TMPDIR");
    char       *work = format("%s/warren-store-XXXXXX", base != NULL ? base : "/tmp");
    CHECK(mkdtemp(work) != NULL && chdir(work) == 0 && getcwd(folder, sizeof folder) != NULL);
    int status = run_tests(argc, argv);
    CHECK(chdir("/") == 0);
    remove_folder(folder);
    puts("store: all checks passed");
    return status;
}

/* tests/guide_test.c: guided runs as their user meets them: what they find, that they are the
 * same run each time, what they do when something goes wrong, and what they leave for the next
 * one.
 *
 *     guide_test PROPERTIES COMPARISONS [WORD...]
 */
#include "drive.h"

static const char *guided, *comparisons;
static bool        sanitized;

#define PLAIN "--format json --color never"
#define GUIDE PLAIN " --explore guide"

/* A report without what time has to do with, malloced. */
static char *report(const char *options)
{
    run  *r = call("%s " GUIDE " --no-store %s", guided, options);
    char *text = strdup(r->out), *to = text;
    CHECK(strlen(text) > 100);
    for (const char *at = text; *at != '\0';)
        if (strncmp(at, "\"seconds\": ", 11) == 0)
            at += strcspn(at, ",");
        else
            *to++ = *at++;
    *to = '\0';
    free(r);
    return text;
}

/* ---- The same run ---- */

static void a_seed_is_a_run(void)
{
    static const char *const NAMES[] = {
        "a_long_way",
        "shows_gates --cases 2000",
        "four_gates",
        "a_chain_of_thirds",
        "all_bits",
        "library_shows_it",
        "discards_most",
        "shows_gates --cases 25000",
        "exits --bugs many --cases 700",
        "fails_and_crashes --bugs many --cases 900",
    };
    static const char *const OPTIONS[] = { "--jobs 1", "--jobs 2", "--jobs 4", "--no-fork" };
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        char line[200];
        bool ends = strstr(NAMES[i], "many") != NULL; /* the process that it runs in */
        if (sanitized && (strstr(NAMES[i], "crashes") != NULL || i % 3 != 1))
            continue; /* a sanitizer's report has addresses in it; and a few will do */
        snprintf(line, sizeof line, "--cases 6000 --seed 3 %s", NAMES[i]);
        char *first = report(line);
        for (size_t k = 0; k < (ends ? 3 : 4); k++) {
            snprintf(line, sizeof line, "--cases 6000 --seed 3 %s %s", NAMES[i], OPTIONS[k]);
            snprintf(now_testing, sizeof now_testing, "the same run: %s", line);
            char *other = report(line);
            CHECK_TEXT(other, first);
            free(other);
        }
        free(first);
    }
    char *one = report("--cases 3000 --seed 3 shows_gates");
    char *two = report("--cases 3000 --seed 4 shows_gates");
    CHECK(strcmp(one, two) != 0);
    free(one);
    free(two);
}

static void a_process_for_each_case_finds_the_same(void)
{
    static const char *const NAMES[] = { "a_long_way", "four_gates", "crashes" };
    for (size_t i = 0; i < (sanitized ? 1 : 3); i++) {
        run *one = call("%s " GUIDE " --no-store --seed 3 --cases 2000 %s", guided, NAMES[i]);
        run *two = call("%s " GUIDE " --no-store --seed 3 --cases 2000 --fork-each %s", guided,
                        NAMES[i]);
        CHECK_NUMBER(one->status, 1);
        CHECK_TEXT(json_text(two->out, "failure.token"), json_text(one->out, "failure.token"));
        CHECK_NUMBER(json_number(two->out, "failure.executions_before"),
                     json_number(one->out, "failure.executions_before"));
        free(one);
        free(two);
    }
}

/* What was kept, and why; malloced. */
static char *remarks(const char *options)
{
    run *r =
        call("%s --no-store --color never --explore guide --verbose %s", comparisons, options);
    char *text = strdup(r->out), *to = text;
    for (char *line = r->out; *line != '\0'; line += strcspn(line, "\n") + 1)
        if (strstr(line, " kept, ") != NULL && strstr(line, " kept, ") < strchr(line, '\n'))
            to = stpncpy(to, line, strcspn(line, "\n") + 1);
    *to = '\0';
    free(r);
    return text;
}

static void chains_go_on_from_one_worker_to_the_next(void)
{
    char options[100];
    snprintf(options, sizeof options, "--seed 2 --cases %d a_ledger", sanitized ? 100 : 600);
    char *one = remarks(options);
    strcat(options, " --fork-each");
    char *two = remarks(options);
    CHECK_HAS(one, "as a comparison wanted it, from case ");
    CHECK_TEXT(two, one);
    free(one);
    free(two);
}

/* ---- What is found ---- */

/* Found by guidance for each of a few seeds, and by chance for none. */
static void check_found(const char *name, int cases)
{
    for (int seed = 1; seed <= (sanitized ? 1 : 3); seed++) { /* which takes ten times as long */
        snprintf(now_testing, sizeof now_testing, "%s, seed %d", name, seed);
        run *r =
            call("%s " GUIDE " --no-store --seed %d --cases %d %s", guided, seed, cases, name);
        CHECK_NUMBER(r->status, 1);
        CHECK_TEXT(json_text(r->out, "status"), "failed");
        run *again = call("%s " PLAIN " --no-store %s --replay %s", guided, name,
                          json_text(r->out, "failure.token"));
        CHECK_NUMBER(again->status, 1);
        CHECK_TEXT(json_text(again->out, "failure.message"),
                   json_text(r->out, "failure.message"));
        free(again);
        free(r);
        r = call("%s " PLAIN " --no-store --explore random --seed %d --cases 10000 %s", guided,
                 seed, name);
        CHECK_NUMBER(r->status, 0);
        free(r);
    }
}

static void labels_lead_through_gates(void)
{
    check_found("four_gates", 30000);
    run *r = call("%s " GUIDE " --no-store --seed 5 --cases 30000 four_gates", guided);
    CHECK_TEXT(json_text(r->out, "failure.values.byte"), "137");
    CHECK_TEXT(json_text(r->out, "failure.values.byte[3]"), "77");
    CHECK_NUMBER(json_number(r->out, "failure.choices"), 4);
    free(r);
}

static void slots_are_climbed(void)
{
    check_found("all_bits", 50000);
    check_found("no_bits", 50000);
    run *r = call("%s " GUIDE " --no-store --seed 1 --cases 50000 all_bits", guided);
    CHECK_TEXT(json_text(r->out, "failure.values.bits"), "10863465");
    CHECK_NUMBER(json_number(r->out, "slots.0.best"), 24);
    free(r);
    r = call("%s " GUIDE " --no-store --seed 1 --cases 50000 no_bits", guided);
    CHECK_TEXT(json_text(r->out, "failure.values.bits"), "5913750");
    free(r);
}

static void gaps_are_closed(void)
{
    check_found("a_large_sum", 60000);
    run *r = call("%s " GUIDE " --no-store --seed 1 --until-stable shows_a_gap", guided);
    CHECK_NUMBER(json_number(r->out, "stable.features"), 1);
    free(r);
}

static void states_are_walked_through(void)
{
    check_found("a_long_way", 30000);
    run *r = call("%s " GUIDE " --no-store --seed 1 --cases 30000 a_long_way", guided);
    CHECK_TEXT(json_text(r->out, "failure.values.n"), "9");
    free(r);
}

static void labels_of_code_without_t_lead_as_well(void)
{
    check_found("library_shows_it", 60000);
    run *r = call("%s " GUIDE " --no-store --seed 1 --cases 60000 library_shows_it", guided);
    CHECK_TEXT(json_text(r->out, "failure.values.bytes"), "[17, 171, 91, 211]");
    free(r);
}

static void trees_are_grown_to_a_purpose(void)
{
    check_found("a_chain_of_thirds", 60000);
}

static void what_is_compared_is_tried(void)
{
    static const char *const NAMES[] = { "a_magic_number", "a_negative_one", "a_header",
                                         "a_checksum",     "a_word",         "branches" };
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        for (int seed = 1; seed <= (sanitized ? 1 : 3); seed++) {
            snprintf(now_testing, sizeof now_testing, "%s, seed %d", NAMES[i], seed);
            run *r = call("%s " GUIDE " --no-store --seed %d --cases 4000 %s", comparisons, seed,
                          NAMES[i]);
            CHECK_NUMBER(r->status, 1);
            CHECK_TEXT(json_text(r->out, "status"), "failed");
            free(r);
            r = call("%s " PLAIN " --no-store --explore random --seed %d --cases 4000 %s",
                     comparisons, seed, NAMES[i]);
            CHECK_NUMBER(r->status, 0);
            free(r);
        }
}

/* ---- In the middle of a run something goes wrong ---- */

/* AddressSanitizer catches it first. */
static const char *segv(void)
{
    return sanitized ? "AddressSanitizer" : "SIGSEGV";
}

static void check_goes_wrong(const char *name, const char *kind, const char *message)
{
    snprintf(now_testing, sizeof now_testing, "goes wrong: %s", name);
    run *r = call("%s " GUIDE " --no-store --seed 1 --cases 20000 %s", guided, name);
    CHECK_NUMBER(r->status, 1);
    CHECK_TEXT(json_text(r->out, "status"), "failed");
    CHECK_TEXT(json_text(r->out, "failure.kind"), kind);
    CHECK_HAS(json_text(r->out, "failure.message"), message);
    CHECK_TEXT(json_text(r->out, "failure.values.byte"), "137");
    CHECK_TEXT(json_text(r->out, "failure.values.byte[1]"), "42");
    CHECK_NUMBER(json_number(r->out, "failure.choices"), 2);
    run *again = call("%s " PLAIN " --no-store %s --replay %s", guided, name,
                      json_text(r->out, "failure.token"));
    CHECK_NUMBER(again->status, 1);
    CHECK_TEXT(json_text(again->out, "failure.message"), json_text(r->out, "failure.message"));
    CHECK_NUMBER(left_behind(), 0);
    free(again);
    free(r);
}

static void what_goes_wrong_is_reported_as_ever(void)
{
    check_goes_wrong("crashes", sanitized ? "sanitizer" : "signal", segv());
    check_goes_wrong("aborts", "signal", "SIGABRT");
    check_goes_wrong("hangs", "deadline", "deadline");
    check_goes_wrong("exits", "exit", "exit(3)");
    if (sanitized) {
        check_goes_wrong("leaks", "leak", "77 byte");
        check_goes_wrong("overruns", "sanitizer", "heap-buffer-overflow");
    }
}

static void the_search_goes_on_behind_a_bug(void)
{
    run *r =
        call("%s " GUIDE " --no-store --seed 3 --bugs many --cases 1500 crashes_twice", guided);
    CHECK_NUMBER(r->status, 1);
    CHECK_NUMBER(json_number(r->out, "cases"), 1500);
    CHECK_HAS(json_text(r->out, "failures.0.message"), segv());
    CHECK_HAS(json_text(r->out, "failures.1.message"), "SIGABRT");
    CHECK_TEXT(json_text(r->out, "failures.1.values.byte[2]"), "201");
    CHECK_TEXT(json_text(r->out, "failures.2.message"), "");
    CHECK(json_number(r->out, "failures.0.seen") >= 1);
    free(r);
    r = call("%s " GUIDE " --no-store --seed 3 --bugs many --cases 1500 fails_and_crashes",
             guided);
    CHECK_HAS(json_text(r->out, "failures.0.message"), "assertion failed");
    CHECK_HAS(json_text(r->out, "failures.1.message"), segv());
    free(r);
    if (sanitized) {
        r = call("%s " GUIDE " --no-store --seed 3 --bugs many --cases 400 leaks", guided);
        CHECK_TEXT(json_text(r->out, "failures.0.kind"), "leak");
        CHECK_NUMBER(json_number(r->out, "cases"), 400);
        free(r);
    }
}

static void cases_that_do_not_count_may_lead_to_some_that_do(void)
{
    run *r = call("%s " GUIDE " --no-store --seed 1 --cases 20000 discards_most", guided);
    CHECK_TEXT(json_text(r->out, "status"), "failed");
    CHECK(json_number(r->out, "discarded") > 4 * json_number(r->out, "cases"));
    CHECK_TEXT(json_text(r->out, "failure.values.byte[2]"), "201");
    free(r);
    r = call("%s " GUIDE " --no-store --seed 1 --cases 20000 discards_on_the_way", guided);
    CHECK_TEXT(json_text(r->out, "status"), "failed");
    CHECK_TEXT(json_text(r->out, "failure.values.byte[3]"), "77");
    CHECK_NUMBER(json_number(r->out, "labels.gate 4"), 1); /* of the one that counts */
    CHECK_NUMBER(json_number(r->out, "labels.gate 1"), 1);
    free(r);
}

static void cases_that_are_too_large_are_survived(void)
{
    run *r = call("%s " GUIDE " --no-store --seed 2 --cases 20000 grows_too_large", guided);
    CHECK_TEXT(json_text(r->out, "status"), "failed");
    CHECK_HAS(r->out, "more than 20000 choices");
    CHECK_TEXT(json_text(r->out, "failure.values.last"), "99");
    CHECK_NUMBER(json_number(r->out, "failure.choices"), 4);
    free(r);
}

/* What the guide has learnt lies in memory that the code under test can write to. */
static void a_pool_that_is_written_over_does_no_harm_to_the_parent(void)
{
    for (int seed = 1; seed <= (sanitized ? 2 : 4); seed++) {
        snprintf(now_testing, sizeof now_testing, "scribbles, seed %d", seed);
        run *r = call("%s " GUIDE " --store %s --seed %d --cases 1000 scribbles", guided,
                      scratch_path("scribbled"), seed);
        CHECK_NUMBER(r->signal, 0);
        CHECK(r->status == 0 || r->status == 1);
        CHECK_NUMBER(left_behind(), 0);
        free(r);
    }
}

/* ---- Masks and bounds ---- */

static void generators_keep_their_promises(void)
{
    run *r = call("%s " GUIDE " --no-store --seed 1 --cases 20000 *_keep_t*", guided);
    CHECK_NUMBER(r->status, 0);
    CHECK_NUMBER(count_lines(r->out), 4);
    CHECK_NUMBER(json_number(line_of(r, "texts_keep_their_promises"), "cases"), 20000);
    CHECK(json_number(line_of(r, "trees_keep_to_their_forms"), "labels.depth 4") > 1000);
    free(r);
}

/* ---- The corpus ---- */

static char corpus_path[600];

/* The property's corpus in this store; its bytes, malloced, "" where there is none. */
static char *corpus_in(const char *store, const char *property)
{
    char path[500];
    snprintf(path, sizeof path, "%s/corpus", scratch_path(store));
    DIR *folder = opendir(path);
    corpus_path[0] = '\0';
    for (struct dirent *at; folder != NULL && (at = readdir(folder)) != NULL;)
        if (strstr(at->d_name, property) != NULL && strstr(at->d_name, ".bad") == NULL)
            snprintf(corpus_path, sizeof corpus_path, "%s/%.90s", path, at->d_name);
    if (folder != NULL)
        closedir(folder);
    char *text = calloc(1, 1 << 16);
    FILE *file = corpus_path[0] == '\0' ? NULL : fopen(corpus_path, "r");
    if (file != NULL && fread(text, 1, (1 << 16) - 1, file) == 0)
        text[0] = '\0';
    if (file != NULL)
        fclose(file);
    return text;
}

static void write_corpus(const char *first, const char *second)
{
    FILE *file = fopen(corpus_path, "w");
    CHECK(file != NULL);
    if (file == NULL)
        return;
    fprintf(file, "%s%s", first, second);
    fclose(file);
}

/* Lines that are neither the first nor a comment. */
static int cases_in(const char *text)
{
    int lines = 0;
    for (const char *at = text; *at != '\0'; at += strcspn(at, "\n") + 1)
        lines += strncmp(at, "w1", 2) == 0;
    return lines;
}

static run *with_store(const char *store, const char *options)
{
    return call("%s " GUIDE " --store %s %s", guided, scratch_path(store), options);
}

static void what_was_found_is_shown_first_the_next_time(void)
{
    free(with_store("kept", "--seed 1 --cases 20000 shows_gates shows_little"));
    char *gates = corpus_in("kept", "shows_gates");
    CHECK_NUMBER(cases_in(gates), 1); /* one shows all of them */
    CHECK_HAS(gates, "gate 1, gate 2, gate 3, all open");
    char *little = corpus_in("kept", "shows_little");
    CHECK_NUMBER(cases_in(little), 7);
    CHECK_HAS(little, "warren corpus 1 ");
    CHECK_HAS(little, " 4 mod 7\n");
    run *r = with_store("kept", "--seed 2 --cases 7 shows_gates shows_little");
    CHECK_NUMBER(r->status, 0);
    CHECK(json_number(line_of(r, "shows_gates"), "labels.all open") >= 1);
    CHECK_NUMBER(json_number(line_of(r, "shows_little"), "labels.0 mod 7"), 1);
    CHECK_NUMBER(json_number(line_of(r, "shows_little"), "labels.6 mod 7"), 1);
    free(r);
    free(gates);
    free(little);
}

static void a_corpus_that_is_as_good_is_not_touched(void)
{
    free(with_store("still", "--seed 1 --cases 5000 shows_little"));
    char *before = corpus_in("still", "shows_little");
    CHECK_NUMBER(cases_in(before), 7);
    struct timespec long_ago[2] = { { 1000000, 0 }, { 1000000, 0 } };
    struct stat     status;
    CHECK(utimensat(AT_FDCWD, corpus_path, long_ago, 0) == 0);
    /* Also where not all of it was run: those that were not may show what no other does. */
    static const int CASES[] = { 1, 3, 6, 7, 8, 500, 5000 };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char options[100];
        snprintf(options, sizeof options, "--seed %d --cases %d shows_little", (int)i + 2,
                 CASES[i]);
        snprintf(now_testing, sizeof now_testing, "not touched: %s", options);
        free(with_store("still", options));
        char *after = corpus_in("still", "shows_little");
        CHECK_TEXT(after, before);
        free(after);
    }
    CHECK(stat(corpus_path, &status) == 0 && status.st_mtim.tv_sec == 1000000);
    free(before);
}

static void a_damaged_corpus_is_told_of_and_kept(void)
{
    free(with_store("damaged", "--seed 1 --cases 3000 shows_little"));
    char *good = corpus_in("damaged", "shows_little");
    write_corpus(good, "<<<<<<< ours\n");
    run *r = with_store("damaged", "--seed 1 --cases 3000 shows_little");
    CHECK_NUMBER(r->status, 99);
    CHECK_TEXT(json_text(r->out, "status"), "held");
    CHECK_HAS(json_text(r->out, "warnings.0"), "conflict");
    CHECK_HAS(json_text(r->out, "warnings.0"), ".txt:12:");
    CHECK_HAS(json_text(r->out, "warnings.1"), ".txt: the damaged file is kept as ");
    CHECK_HAS(json_text(r->out, "warnings.1"), ".txt.bad");
    CHECK_TEXT(json_text(r->out, "warnings.2"), "");
    free(r);
    char kept[700], text[1 << 12] = "";
    snprintf(kept, sizeof kept, "%s.bad", corpus_path);
    FILE *file = fopen(kept, "r");
    CHECK(file != NULL && fread(text, 1, sizeof text - 1, file) > 0);
    if (file != NULL)
        fclose(file);
    CHECK_HAS(text, "<<<<<<< ours\n");
    r = with_store("damaged", "--seed 1 --cases 100 shows_little");
    CHECK_NUMBER(r->status, 0); /* the new one is fine */
    free(r);
    free(good);
}

static void merged_corpora_are_one(void)
{
    free(with_store("merged", "--seed 1 --cases 3000 shows_little"));
    char *one = corpus_in("merged", "shows_little");
    free(with_store("other", "--seed 77 --cases 30 shows_little"));
    char *two = corpus_in("other", "shows_little");
    CHECK(strcmp(one, two) != 0);
    free(corpus_in("merged", "shows_little")); /* which is the path to write to */
    write_corpus(one, two);
    run *r = with_store("merged", "--seed 5 --cases 200 shows_little");
    CHECK_NUMBER(r->status, 0);
    CHECK_TEXT(json_text(r->out, "warnings.0"), "");
    free(r);
    char *now = corpus_in("merged", "shows_little");
    CHECK_NUMBER(cases_in(now), 7);
    free(one);
    free(two);
    free(now);
}

static void a_property_may_outgrow_its_corpus(void)
{
    static const char *const SHAPES[] = { "draws more", "draws another", "draws nothing" };
    for (size_t i = 0; i < sizeof SHAPES / sizeof *SHAPES; i++) {
        char store[20];
        snprintf(store, sizeof store, "shape%zu", i);
        snprintf(now_testing, sizeof now_testing, "a corpus of before it %s", SHAPES[i]);
        free(with_store(store, "--seed 1 --cases 6000 changes_shape"));
        char *before = corpus_in(store, "changes_shape");
        CHECK_HAS(before, "gate 1, gate 2");
        setenv("BEHAVE_SHAPE", SHAPES[i], 1);
        run *r = with_store(store, "--seed 1 --cases 6000 changes_shape");
        CHECK_NUMBER(r->status, 0);
        char *after = corpus_in(store, "changes_shape");
        CHECK(cases_in(after) >= 1 && cases_in(after) <= 3);
        unsetenv("BEHAVE_SHAPE");
        free(r);
        free(before);
        free(after);
    }
}

static void a_bug_that_is_met_while_the_corpus_shrinks_is_told(void)
{
    run *r =
        call("%s " GUIDE " --constants off --no-store --seed 1 --cases 2000 fails_at_the_edge",
             guided);
    CHECK_NUMBER(r->status, 0);
    free(r);
    r = with_store("edge", "--constants off --seed 1 --cases 2000 fails_at_the_edge");
    CHECK_NUMBER(r->status, 1);
    CHECK_TEXT(json_text(r->out, "failure.values.n"), "5003");
    free(r);
}

static void a_run_that_learns_nothing_forgets_nothing(void)
{
    static const char *const SHAPES[] = { "skips", "fails" };
    free(with_store("stays", "--seed 1 --cases 6000 changes_shape"));
    char *before = corpus_in("stays", "changes_shape");
    CHECK_HAS(before, "gate 1, gate 2");
    for (size_t i = 0; i < 2; i++) {
        setenv("BEHAVE_SHAPE", SHAPES[i], 1);
        run *r = with_store("stays", "--seed 1 --cases 6000 changes_shape");
        CHECK_NUMBER(r->status, i == 0 ? 77 : 1);
        unsetenv("BEHAVE_SHAPE");
        char *after = corpus_in("stays", "changes_shape");
        CHECK_TEXT(after, before);
        free(r);
        free(after);
    }
    free(before);
}

static void without_a_store_nothing_is_kept_or_read(void)
{
    free(with_store("unread", "--seed 1 --cases 20000 shows_gates"));
    run *r = call("%s " GUIDE " --no-store --seed 2 --cases 5 shows_gates", guided);
    CHECK_NUMBER(json_number(r->out, "labels.gate 1"), -1);
    free(r);
    CHECK(access(scratch_path(".warren/corpus"), F_OK) != 0);
    r = call("%s " PLAIN " --explore random --store %s --seed 2 --cases 2000 shows_gates", guided,
             scratch_path("random"));
    CHECK_NUMBER(r->status, 0);
    free(r);
    char *none = corpus_in("random", "shows_gates");
    CHECK_TEXT(none, "");
    free(none);
}

/* ---- Until it is stable; remarks ---- */

static void stability_is_the_same_for_any_number_of_workers(void)
{
    static const char *const EXPLORERS[] = { "random", "guide" };
    for (size_t i = 0; i < 2; i++) {
        long cases[2] = { 0 };
        for (int jobs = 1; jobs <= 4; jobs += sanitized ? 3 : 1) {
            snprintf(now_testing, sizeof now_testing, "stable by %s, %d jobs", EXPLORERS[i],
                     jobs);
            run *r =
                call("%s " PLAIN " --no-store --seed 1 --until-stable --explore %s --jobs %d "
                     "shows_little shows_gates",
                     guided, EXPLORERS[i], jobs);
            const char *gates = line_of(r, "shows_gates"), *little = line_of(r, "shows_little");
            CHECK_NUMBER(r->status, 0);
            CHECK_TEXT(json_text(little, "stable.reached"), "true");
            CHECK_TEXT(json_text(gates, "stable.reached"), "true");
            CHECK_NUMBER(json_number(little, "stable.features"), 7);
            if (i == 1)
                CHECK_NUMBER(json_number(gates, "stable.features"), 4);
            CHECK(json_number(little, "cases") >= 1000);
            if (jobs == 1) {
                cases[0] = json_number(gates, "cases");
                cases[1] = json_number(little, "cases");
            }
            CHECK_NUMBER(json_number(gates, "cases"), cases[0]);
            CHECK_NUMBER(json_number(little, "cases"), cases[1]);
            free(r);
        }
        run *r = call("%s " PLAIN " --no-store --seed 1 --until-stable --explore %s --cases 900 "
                      "shows_little",
                      guided, EXPLORERS[i]);
        CHECK_NUMBER(r->status, 0);
        CHECK_NUMBER(json_number(r->out, "cases"), 900);
        CHECK_TEXT(json_text(r->out, "stable.reached"), "false");
        free(r);
    }
}

static void remarks_tell_what_is_kept_and_dropped(void)
{
    run *r = call("%s --color never --no-store --explore guide --verbose --seed 1 --cases 3000 "
                  "a_long_way all_bits",
                  guided);
    CHECK_HAS(r->out, "all_bits: case 1 kept, 1 choice: \"bits\"; fresh\n");
    CHECK_HAS(r->out, "dropped: others show the same sooner\n");
    CHECK_HAS(r->out, ", from case ");
    CHECK_HAS(r->out, "a_long_way: case ");
    free(r);
    r = call("%s --color never --no-store --explore random --verbose --seed 1 shows_gates",
             guided);
    CHECK(strstr(r->out, "kept") == NULL);
    free(r);
    r = call("%s --color never --no-store --explore guide --seed 1 shows_gates", guided);
    CHECK(strstr(r->out, "kept") == NULL);
    free(r);
}

static void a_search_without_a_guide_says_so(void)
{
    run *r = call("%s " GUIDE " --no-store --seed 1 shows_nothing", guided);
    CHECK_NUMBER(r->status, 0);
    CHECK_HAS(json_text(r->out, "warnings.0"), "nothing guided this search");
    free(r);
    r = call("%s " GUIDE " --no-store --seed 1 shows_little", guided);
    CHECK(strstr(r->out, "nothing guided") == NULL);
    free(r);
}

static void write_seed(const char *folder, const char *name, const char *content)
{
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    CHECK(file != NULL && fputs(content, file) >= 0 && fclose(file) == 0);
}

/* The header comes from a file; what follows it is found by changing the file. */
static void a_search_starts_from_files(void)
{
    char folder[500];
    snprintf(folder, sizeof folder, "%s", scratch_path("seed_files"));
    CHECK(mkdir(folder, 0700) == 0);
    write_seed(folder, "a", "WARREN-FILE a real one");
    write_seed(folder, "b", "something else");
    run *r = call("%s " GUIDE " --constants off --no-store --seed 1 --cases 16000 reads_a_file",
                  guided);
    CHECK_NUMBER(r->status, 0);
    free(r);
    r = call("%s " GUIDE " --constants off --no-store --seed 1 --cases 16000 --seed-files %s "
             "reads_a_file",
             guided, folder);
    CHECK_NUMBER(r->status, 1);
    free(r);
    write_seed(folder, "c", "WARREN-FILE \x80, which fails as it is");
    write_seed(folder, "d",
               "more than sixty-four bytes are more than the property can draw in one case");
    for (int jobs = 1; jobs <= 2; jobs++) {
        r = call("%s " PLAIN " --no-store --seed 1 --jobs %d --seed-files %s reads_a_file",
                 guided, jobs, folder);
        CHECK_NUMBER(r->status, 1);
        CHECK_NUMBER(json_number(r->out, "failure.executions_before"), 5); /* one to look at */
        CHECK_HAS(json_text(r->out, "warnings.0"), "seed_files/c fails");
        free(r);
    }
    r = call("%s " PLAIN " --no-store --seed 1 --bugs many --seed-files %s reads_a_file", guided,
             folder);
    CHECK_HAS(json_text(r->out, "warnings.1"), "seed_files/d was not used: it has ");
    CHECK_NUMBER(json_number(r->out, "cases"), 1003);
    free(r);
    r = call("%s " PLAIN " --no-store --seed 1 --shard 3/4 --seed-files %s reads_a_file", guided,
             folder); /* only the third */
    CHECK_HAS(json_text(r->out, "warnings.0"), "seed_files/c fails");
    free(r);
    r = call("%s " PLAIN " --no-store --seed 1 --seed-files %s four_gates", guided, folder);
    CHECK_NUMBER(r->status, 0);
    CHECK_HAS(json_text(r->out, "warnings.0"), "no draw of bytes or text");
    free(r);
    write_seed(folder, "e", "WARREN-FILE a");
    r = call("%s " PLAIN " --no-store --seed 1 --seed-files %s reads_letters reads_pieces",
             guided, folder);
    CHECK_TEXT(json_text(r->out, "failure.values.text"), "\"WARREN-FILE a\"");
    CHECK_TEXT(json_text(line_of(r, "reads_pieces"), "failure.values.text"), "\"WARREN-FILE a\"");
    free(r);
    r = call("%s " PLAIN " --no-store --seed-files %s/nowhere four_gates", guided, folder);
    CHECK_NUMBER(r->status, 99);
    free(r);
}

static const test TESTS[] = {
    TEST(a_seed_is_a_run),
    TEST(a_process_for_each_case_finds_the_same),
    TEST(chains_go_on_from_one_worker_to_the_next),
    TEST(labels_lead_through_gates),
    TEST(slots_are_climbed),
    TEST(gaps_are_closed),
    TEST(states_are_walked_through),
    TEST(labels_of_code_without_t_lead_as_well),
    TEST(trees_are_grown_to_a_purpose),
    TEST(what_is_compared_is_tried),
    TEST(what_goes_wrong_is_reported_as_ever),
    TEST(the_search_goes_on_behind_a_bug),
    TEST(cases_that_do_not_count_may_lead_to_some_that_do),
    TEST(cases_that_are_too_large_are_survived),
    TEST(a_pool_that_is_written_over_does_no_harm_to_the_parent),
    TEST(generators_keep_their_promises),
    TEST(what_was_found_is_shown_first_the_next_time),
    TEST(a_corpus_that_is_as_good_is_not_touched),
    TEST(a_damaged_corpus_is_told_of_and_kept),
    TEST(merged_corpora_are_one),
    TEST(a_property_may_outgrow_its_corpus),
    TEST(a_bug_that_is_met_while_the_corpus_shrinks_is_told),
    TEST(a_run_that_learns_nothing_forgets_nothing),
    TEST(without_a_store_nothing_is_kept_or_read),
    TEST(stability_is_the_same_for_any_number_of_workers),
    TEST(remarks_tell_what_is_kept_and_dropped),
    TEST(a_search_without_a_guide_says_so),
    TEST(a_search_starts_from_files),
};

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: guide_test PROPERTIES COMPARISONS [WORD...]\n");
        return 1;
    }
    guided = realpath(argv[1], NULL);
    comparisons = realpath(argv[2], NULL);
    begin_driving();
    run *list = call("%s --list", guided);
    sanitized = strstr(list->out, "leaks ") != NULL;
    free(list);
    return drive(TESTS, sizeof TESTS / sizeof *TESTS, argv + 3, argc - 3);
}

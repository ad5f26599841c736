/* tests/death_unit.c: what a death is called, from its status and from what was printed; and
 * where it was, from what addr2line says. A script stands for addr2line, so it can say anything.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "run/death.h"
#include "run/place/addr2line.h"
#include "run/place/place.h"
#include "run/worker.h"
#include "sanitized.h"
#include "starve.h"
#include "unit.h"

#if !SANITIZED /* as if the program were linked with these sanitizers */
void __ubsan_handle_add_overflow(void *data, void *left, void *right);
void __ubsan_handle_add_overflow(void *data, void *left, void *right)
{
    (void)data, (void)left, (void)right;
}
void __tsan_init(void);
void __tsan_init(void)
{
}
void __sanitizer_set_death_callback(void (*unused)(void));
void __sanitizer_set_death_callback(void (*unused)(void))
{
    (void)unused;
}
#endif

#define EXITED(status) ((status) << 8)

static int file_of(const char *printed)
{
    int file = memfd_create("printed", MFD_CLOEXEC);
    CHECK(write(file, printed, strlen(printed)) == (ssize_t)strlen(printed));
    return file;
}

/* Describes a death; the verdict has what the worker left there. */
static void describe(wri_verdict *verdict, int status, uint32_t killed_for, const char *printed)
{
    int output = file_of(printed);
    wri_death_describe(verdict, status, killed_for, printed, output);
    close(output);
}

#define CHECK_MESSAGE(verdict, text) check_text(__LINE__, (verdict).message, text)

static void check_text(int line, const char *got, const char *expected)
{
    if (strcmp(got, expected) == 0)
        return;
    printf("line %d: expected '%s', got '%s'\n", line, expected, got);
    failures++;
}

/* ---- Deaths ---- */

TEST(an_assertion_has_its_words_and_its_place)
{
    wri_verdict glibc = { 0 }, musl = { 0 };
    describe(&glibc, SIGABRT, 0,
             "hm: so\nprog: a: src/heap.c:12: push: Assertion `n > 0' failed.\n");
    CHECK_MESSAGE(glibc, "assertion failed: n > 0");
    CHECK(glibc.kind == WRI_SIGNAL && glibc.line == 12 && strcmp(glibc.file, "src/heap.c") == 0);
    describe(&musl, SIGABRT, 0, "Assertion failed: n > (0) (src/heap.c: push: 12)\n");
    CHECK_MESSAGE(musl, "assertion failed: n > (0)");
    CHECK(musl.line == 12 && strcmp(musl.file, "src/heap.c") == 0);
}

TEST(words_that_look_like_an_assertion_are_only_told)
{
    wri_verdict bare = { 0 }, open = { 0 }, placeless = { 0 };
    describe(&bare, SIGABRT, 0, "Assertion failed: nothing follows\n \n");
    CHECK_MESSAGE(bare, "killed by SIGABRT (Aborted): Assertion failed: nothing follows");
    describe(&open, SIGABRT, 0, "Assertion failed: no end");
    CHECK_MESSAGE(open, "killed by SIGABRT (Aborted): Assertion failed: no end");
    describe(&placeless, SIGABRT, 0, "prog: push: Assertion `n > 0' failed.");
    CHECK_MESSAGE(placeless, "assertion failed: n > 0");
    CHECK(placeless.line == 0 && placeless.file[0] == '\0');
}

TEST(words_before_the_last_line_are_no_assertion)
{
    wri_verdict earlier = { 0 }, more = { 0 };
    describe(&earlier, SIGABRT, 0, "p: y.c:77: f: Assertion `a == b' failed.\nso it goes\n");
    CHECK_MESSAGE(earlier, "killed by SIGABRT (Aborted): so it goes");
    CHECK(earlier.line == 0);
    describe(&more, SIGABRT, 0, "note: y.c:77: f: Assertion `a == b' failed. (expected)\n");
    CHECK_MESSAGE(more,
                  "killed by SIGABRT (Aborted): note: y.c:77: f: Assertion `a == b' failed. "
                  "(expected)");
    CHECK(more.line == 0);
    describe(&more, SIGABRT, 0, "terminate called\n  what():  too long\n");
    CHECK_MESSAGE(more, "killed by SIGABRT (Aborted): what(): too long");
}

TEST(a_signal_without_a_name_has_its_number)
{
    wri_verdict verdict = { 0 };
    char        expected[100];
    snprintf(expected, sizeof expected, "killed by signal %d (%s)", SIGRTMIN + 2,
             strsignal(SIGRTMIN + 2));
    describe(&verdict, SIGRTMIN + 2, 0, "");
    CHECK_MESSAGE(verdict, expected);
}

TEST(a_signal_has_its_name_and_an_address_near_null)
{
    wri_verdict null = { .kind = WRI_SIGNAL, .address = 0x10 };
    wri_verdict wild = { .kind = WRI_SIGNAL, .address = 0x7f0000000000, .frames = 3 };
    wri_verdict late = { .kind = WRI_PASS, .frames = 3, .line = 4 };
    describe(&null, SIGSEGV, 0, "");
    CHECK_MESSAGE(null, "killed by SIGSEGV (Segmentation fault), address 0x10");
    describe(&wild, SIGBUS, 0, "");
    CHECK_MESSAGE(wild, "killed by SIGBUS (Bus error)");
    CHECK(wild.frames == 3);
    describe(&late, SIGILL, 0, "not told: only abort() has words\n");
    CHECK_MESSAGE(late, "killed by SIGILL (Illegal instruction)");
    CHECK(late.kind == WRI_SIGNAL && late.frames == 0 && late.line == 0);
    describe(&late, SIGKILL, 0, "");
    CHECK(late.kind == WRI_KILLED);
    CHECK_MESSAGE(late, "killed by SIGKILL");
}

TEST(an_exit_is_told_with_its_status)
{
    wri_verdict called = { .kind = WRI_EXIT, .status = 3, .message = "the words" };
    wri_verdict other = { .kind = WRI_EXIT, .status = 4, .frames = 2 }, plain = { .frames = 2 };
    describe(&called, EXITED(3), 0, "");
    CHECK_MESSAGE(called, "the words");
    describe(&other, EXITED(3), 0, "");
    CHECK_MESSAGE(other, "the property called exit(3)");
    CHECK(other.frames == 2);
    describe(&plain, EXITED(7), 0, "");
    CHECK_MESSAGE(plain, "the process exited with status 7");
    CHECK(plain.kind == WRI_EXIT && plain.status == 7 && plain.frames == 0);
}

TEST(the_parents_reason_counts_more_than_the_status)
{
    wri_verdict slow = { .kind = WRI_SIGNAL, .line = 4, .file = "a.c" };
    describe(&slow, SIGKILL, WRI_DEADLINE, "");
    CHECK(slow.kind == WRI_DEADLINE && slow.line == 0 && slow.file[0] == '\0');
    CHECK_MESSAGE(slow, "took longer than the deadline");
    describe(&slow, SIGKILL, WRI_PROCESSES, "");
    CHECK_MESSAGE(slow, "had more processes than the limit");
    wri_verdict deep = { .kind = WRI_STACK };
    describe(&deep, SIGSEGV, 0, "");
    CHECK_MESSAGE(deep, "stack overflow");
}

/* ---- Sanitizers ---- */

TEST(a_sanitizers_line_is_cut_before_its_addresses)
{
    wri_verdict heap = { 0 }, fault = { 0 }, far = { 0 }, hook = { .kind = WRI_SANITIZER };
    describe(&heap, EXITED(1), 0,
             "==1==ERROR: AddressSanitizer: heap-use-after-free on address 1\n");
    CHECK_MESSAGE(heap, "AddressSanitizer: heap-use-after-free");
    CHECK(heap.kind == WRI_SANITIZER);
    describe(&fault, EXITED(1), 0, "==1==ERROR: AddressSanitizer: SEGV (pc 0x12 bp 0)\n");
    CHECK_MESSAGE(fault, "AddressSanitizer: SEGV");
    describe(&far, EXITED(1), 0, "ERROR: it was not found in the logs of Sanitizer: \n");
    CHECK_MESSAGE(far, "the process exited with status 1");
    describe(&hook, EXITED(1), 0, "");
    CHECK_MESSAGE(hook, "a sanitizer ended the process");
    strcpy(hook.message, "double-free");
    describe(&hook, EXITED(1), 0, "");
    CHECK_MESSAGE(hook, "AddressSanitizer: double-free");
}

#if !SANITIZED
TEST(a_runtime_error_is_found_by_its_place)
{
    wri_verdict verdict = { .kind = WRI_PASS, .frames = 2 };
    int         file = file_of("so\nsrc/sum.c:12:5: runtime error: signed integer overflow\nx\n");
    CHECK(wri_output_report_found(file, &verdict));
    CHECK(verdict.kind == WRI_SANITIZER && verdict.line == 12 && verdict.frames == 0);
    CHECK(strcmp(verdict.file, "src/sum.c") == 0);
    CHECK_MESSAGE(verdict, "runtime error: signed integer overflow");
    close(file);
    static const char *const OTHERS[] = {
        "runtime error: of somebody", "5: runtime error: no column",
        "a runtime error: x",         "c:5: runtime error: no file",
        ":5: runtime error: x",       "x:: runtime error: x",
        ":5:6: runtime error: x",     "",
    };
    for (size_t i = 0; i + 2 < sizeof OTHERS / sizeof *OTHERS; i++) {
        file = file_of(OTHERS[i]);
        CHECK(!wri_output_report_found(file, &verdict));
        close(file);
    }
    CHECK(!wri_output_report_found(-1, &verdict));
}

TEST(a_race_is_told_without_its_process)
{
    wri_verdict verdict = { 0 };
    int         file = file_of("WARNING: ThreadSanitizer: data race (pid=12)\n");
    CHECK(wri_output_report_found(file, &verdict) && verdict.kind == WRI_SANITIZER);
    CHECK_MESSAGE(verdict, "ThreadSanitizer: data race");
    CHECK(verdict.line == 0 && verdict.file[0] == '\0');
    close(file);
}

#define FRAME(place) "    #0 add(int, char) " place " (prog+0x12)\n"

TEST(a_race_has_the_lesser_of_its_two_places)
{
    static const struct {
        const char *one, *other;
    } ORDERS[] = { { FRAME("/x/count.c:9"), FRAME("/x/count.c:12:3") },
                   { FRAME("/x/count.c:12:3"), FRAME("/x/count.c:9") },
                   { FRAME("/x/zero.c:1"), FRAME("/x/count.c:9") },
                   { FRAME("<null>"), FRAME("/x/count.c:9") },
                   { FRAME("../libsanitizer/tsan/x.cpp:7") FRAME("/x/count.c:9"),
                     FRAME("/y/count.c:1") } };
    for (size_t i = 0; i < sizeof ORDERS / sizeof *ORDERS; i++) {
        wri_verdict verdict = { 0 };
        char        text[1000];
        snprintf(text, sizeof text,
                 "x\nWARNING: ThreadSanitizer: data race (pid=12)\n  Write of size 4:\n%s\n"
                 "  Previous write of size 4:\n%s\n"
                 "SUMMARY: ThreadSanitizer: data race /x/a.c:1 in add\n" FRAME("/x/b.c:2"),
                 ORDERS[i].one, ORDERS[i].other);
        int file = file_of(text);
        CHECK(wri_output_report_found(file, &verdict));
        CHECK(verdict.line == 9 && strcmp(verdict.file, "/x/count.c") == 0);
        close(file);
    }
}

/* So much is printed after the report, and before it. */
TEST(a_report_in_a_flood_is_found_and_kept_when_the_flood_is_dropped)
{
    static const char REPORT[] = "src/sum.c:12:5: runtime error: signed integer overflow\n";
    const size_t      flood = (size_t)3 << 20;
    char             *text = malloc(flood);
    memset(text, 'x', flood);
    for (size_t i = 0; i < 40; i++) { /* in one piece that is searched, or across two of them */
        wri_verdict verdict = { 0 };
        size_t      at = i < 20 ? i * 100000 : ((size_t)1 << 20) - (i - 19) * 3300;
        int         file = memfd_create("printed", MFD_CLOEXEC);
        CHECK(pwrite(file, text, flood, 0) == (ssize_t)flood);
        CHECK(pwrite(file, "\n", 1, (off_t)at) == 1);
        CHECK(pwrite(file, REPORT, strlen(REPORT), (off_t)at + 1) == (ssize_t)strlen(REPORT));
        CHECK(wri_output_report_found(file, &verdict));
        CHECK(verdict.line == 12 && strcmp(verdict.file, "src/sum.c") == 0);
        wri_output_trim(file, (off_t)flood);
        CHECK(lseek(file, 0, SEEK_END) == (off_t)flood);
        wri_output_trim(file, (off_t)flood - 1);
        CHECK(lseek(file, 0, SEEK_END) < (off_t)flood / 2);
        verdict.line = 0;
        CHECK(wri_output_report_found(file, &verdict) && verdict.line == 12);
        close(file);
    }
    free(text);
}
#endif

TEST(a_leak_has_the_place_of_its_first_frame_outside_the_sanitizer)
{
    wri_verdict verdict = { .kind = WRI_PASS };
    int         file = file_of("\nDirect leak of 4 byte(s) in 1 object(s) allocated from:\n"
                                       "    #0 0x1 in malloc ../libsanitizer/asan/malloc.cpp:69\n"
                                       "    #1 0x2 in thing (/usr/lib/thing.so+0x12)\n"
                                       "    #2 0x3 in other\n    nothing\n"
                                       "    #3 0x3 in other /no/line\n"
                                       "    #4 0x4 in make src/tree.c:31:7\n");
    wri_output_describe_leak(file, &verdict);
    CHECK(verdict.kind == WRI_LEAK && verdict.line == 31);
    CHECK(strcmp(verdict.file, "src/tree.c") == 0);
    CHECK_MESSAGE(verdict, "leak of 4 byte(s) in 1 object(s)");
    close(file);
    file = file_of("Indirect leak of 4 byte(s)\n    #0 0x1 in malloc /lsan/x.cpp:1\n");
    wri_output_describe_leak(file, &verdict);
    CHECK_MESSAGE(verdict, "leak of 4 byte(s)");
    close(file);
    wri_output_describe_leak(-1, &verdict);
    CHECK_MESSAGE(verdict, "memory leaked");
    CHECK(verdict.line == 0 && verdict.file[0] == '\0');
}

TEST(a_report_that_cannot_be_read_for_want_of_memory_is_none)
{
    wri_verdict verdict = { .kind = WRI_PASS };
    int         file = file_of("src/sum.c:12:5: runtime error: signed integer overflow\n");
    starving.at = 1, starving.count = 0;
    CHECK(!wri_output_report_found(file, &verdict) && verdict.kind == WRI_PASS);
    starving.at = 0;
    close(file);
}

/* ---- Origins ---- */

static uint64_t origin_of(uint32_t kind, const char *message, const wri_place *place)
{
    wri_verdict verdict = { .kind = kind, .signal = SIGSEGV };
    snprintf(verdict.message, sizeof verdict.message, "%s", message);
    return wri_death_origin(&verdict, place);
}

TEST(an_origin_is_the_kind_and_the_best_place_that_is_known)
{
    wri_place line = { .file = "/x/a.c", .line = 3, .function = "f", .module = "p+0x1" };
    wri_place moved = { .file = "/y/a.c", .line = 3, .function = "g", .module = "p+0x2" };
    wri_place name = { .function = "f", .module = "p+0x1" };
    wri_place again = { .function = "f", .module = "p+0x2" };
    wri_place offset = { .module = "p+0x1" };
    CHECK(origin_of(WRI_SIGNAL, "", &line) == origin_of(WRI_SIGNAL, "", &moved));
    CHECK(origin_of(WRI_SIGNAL, "", &name) == origin_of(WRI_SIGNAL, "", &again));
    CHECK(origin_of(WRI_SIGNAL, "", &name) != origin_of(WRI_SIGNAL, "", &offset));
    CHECK(origin_of(WRI_SIGNAL, "", &line) != origin_of(WRI_EXIT, "", &line));
    CHECK(origin_of(WRI_DEADLINE, "", &line) == origin_of(WRI_DEADLINE, "", &offset));
    CHECK(origin_of(WRI_SANITIZER, "of 4 bytes", &line) ==
          origin_of(WRI_SANITIZER, "of 5 bytes", &line));
    CHECK(origin_of(WRI_SANITIZER, "leak", &line) != origin_of(WRI_SANITIZER, "race", &line));
    CHECK(origin_of(WRI_ASSERTION, "", &line) == origin_of(WRI_ASSERTION, "", &moved));
}

/* ---- Places ---- */

static char folder[] = "/tmp/warren-death-XXXXXX";

/* From here on, these commands of a shell are addr2line. */
static void answer_with(const char *commands)
{
    char path[100];
    snprintf(path, sizeof path, "%s/addr2line", folder);
    FILE *script = fopen(path, "w");
    CHECK(script != NULL && fprintf(script, "#!/bin/sh\n%s\n", commands) > 0);
    fclose(script);
    chmod(path, 0700);
    wri_place_forget();
}

static void here(void)
{
}

static wri_place find_here(uint32_t kind)
{
    wri_verdict verdict = { .kind = kind, .frames = 2 };
    wri_place   place;
    verdict.frame[0] = 1; /* in no module */
    verdict.frame[1] = (uintptr_t)(void (*)(void))here + 1;
    wri_place_find(&verdict, &place);
    return place;
}

TEST(the_innermost_function_that_is_not_foreign_is_the_place)
{
    answer_with(
        "echo 0x1; echo malloc; echo x.c:1; echo inner; echo 'src/a.c:7 (discriminator 2)';"
        "echo outer; echo src/b.c:8");
    wri_place place = find_here(WRI_SIGNAL);
    CHECK(strcmp(place.function, "inner") == 0 && strcmp(place.file, "src/a.c") == 0);
    CHECK(place.line == 7 && strstr(place.module, "+0x") != NULL);
    answer_with("echo 0x1; echo wr_body_sorts; echo src/a.c:9");
    place = find_here(WRI_SIGNAL);
    CHECK(strcmp(place.function, "sorts") == 0 && place.line == 9);
    answer_with("echo 0x1; echo wri_case_end; echo src/a.c:9");
    CHECK(find_here(WRI_SIGNAL).module[0] == '\0'); /* all of it is Warren's */
}

TEST(a_function_in_a_file_of_warren_is_not_the_place)
{
    char answer[2 * sizeof __FILE__ + 200];
    int  root = (int)(sizeof __FILE__ - sizeof "tests/death_unit.c");
    snprintf(answer, sizeof answer, "echo 0x1; echo order_of; echo %.*ssrc/core/check.c:111;%s",
             root, __FILE__, "echo outer; echo b.c:8");
    answer_with(answer);
    CHECK(strcmp(find_here(WRI_SIGNAL).function, "outer") == 0);
    snprintf(answer, sizeof answer, "echo 0x1; echo order_of; echo %.*ssrc/core/check.c:111",
             root, __FILE__);
    answer_with(answer);
    CHECK(find_here(WRI_SIGNAL).module[0] == '\0');
}

TEST(an_answer_that_says_nothing_leaves_the_module)
{
    static const char *const ANSWERS[] = {
        "echo 0x1; echo '\?\?'; echo '\?\?:0'",   "exit 1", "echo 0x1", ":", "printf '0x1\\nfoo'",
        "echo 0x1; echo foo; echo a.c:3; exit 1",
    };
    for (size_t i = 0; i < sizeof ANSWERS / sizeof *ANSWERS; i++) {
        answer_with(ANSWERS[i]);
        wri_place place = find_here(WRI_SIGNAL);
        CHECK(place.function[0] == '\0' && place.line == 0 && place.module[0] != '\0');
    }
}

TEST(long_answers_are_cut)
{
    answer_with("echo 0x1; i=0; while [ $i -lt 300 ]; do echo wri_long_name_of_a_function_$i;"
                "echo src/some/long/path/to/a/file.c:$i; i=$((i + 1)); done");
    CHECK(find_here(WRI_SIGNAL).module[0] == '\0');
    answer_with("echo 0x1; head -c 900 /dev/zero | tr '\\0' x; echo; echo a.c:3");
    CHECK(strlen(find_here(WRI_SIGNAL).function) == sizeof((wri_place *)0)->function - 1);
}

TEST(a_runtime_that_is_linked_in_has_no_lines)
{
    answer_with("echo 0x1; echo lost; echo '\?\?:0'");
    wri_place place = find_here(WRI_SANITIZER);
    CHECK(strcmp(place.function, "lost") == 0 && place.line == 0);
}

TEST(many_addresses_are_named_in_one_go)
{
    uintptr_t      addresses[] = { (uintptr_t)(void (*)(void))here + 1, 1,
                                   (uintptr_t)(void (*)(void))here + 2,
                                   (uintptr_t)(void (*)(void))exit + 1 };
    wri_place_name names[4];
    answer_with("while read at; do echo $at; echo f; echo a.c:5; done");
    CHECK(wri_place_name_all(addresses, 4, names));
    CHECK(names[0].line == 5 && strcmp(names[2].function, "f") == 0 && !names[0].foreign);
    CHECK(names[1].foreign && names[1].line == 0 && names[3].foreign);
    answer_with("while read at; do echo $at; echo f; echo 'a.c:\?'; done");
    CHECK(wri_place_name_all(addresses, 1, names) && names[0].line == 0); /* also further on */
    answer_with("exit 1");
    CHECK(!wri_place_name_all(addresses, 3, names));
    answer_with("echo 0x1; echo f; echo a.c:5");
    CHECK(!wri_place_name_all(addresses, 3, names)); /* one answer for two questions */
}

TEST(names_without_memory_are_not_known)
{
    uintptr_t      addresses[] = { (uintptr_t)(void (*)(void))here + 1 };
    wri_place_name names[1];
    bool           done = false;
    answer_with("while read at; do echo $at; echo f; echo 'a.c:0'; done");
    STARVE(1)
    {
        done = wri_place_name_all(addresses, 1, names);
        CHECK(done || starved());
        CHECK(!done || names[0].function != NULL);
    }
    CHECK(done);
    STARVE(1)
    {
        wri_place_forget();
        CHECK(strcmp(find_here(WRI_SIGNAL).function, "f") == 0 || starved());
    }
}

static bool at_once(void)
{
    return true;
}

TEST(addr2line_is_not_waited_for_in_a_hurry)
{
    answer_with("sleep 1000"); /* which has the pipe, too */
    wri_addr2line_hurry(at_once);
    CHECK(find_here(WRI_SIGNAL).function[0] == '\0');
    wri_addr2line_hurry(NULL);
    answer_with("echo 0x1; echo f; echo a.c:5");
    CHECK(strcmp(find_here(WRI_SIGNAL).function, "f") == 0);
}

/* The last one: addr2line is not asked any more. */
TEST(an_addr2line_that_takes_too_long_is_not_asked_again)
{
    wri_addr2line_seconds = 0.2;
    answer_with("sleep 1000");
    CHECK(find_here(WRI_SIGNAL).function[0] == '\0');
    wri_addr2line_seconds = 30;
    answer_with("echo 0x1; echo f; echo a.c:5");
    CHECK(find_here(WRI_SIGNAL).function[0] == '\0');
}

int main(int argc, char **argv)
{
    char path[4096];
    pthread_atfork(NULL, NULL, inject_rest); /* a build that counts branches allocates there */
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s:%s", folder, getenv("PATH"));
    setenv("PATH", path, 1);
    int status = run_tests(argc, argv);
    wri_place_forget();
    snprintf(path, sizeof path, "%s/addr2line", folder);
    unlink(path);
    rmdir(folder);
    return status != 0 ? status : failures > 0;
}

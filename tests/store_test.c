/* tests/store_test.c: several programs use one store at the same time, and some of them are
 * killed. Each bug has one file, and nothing else is left.
 *
 * usage: store_test TOGETHER EXAMPLED
 */
#include "drive.h"

#include <sys/resource.h>

static const char *together, *exampled;

#define BUGS 40
#define SHORT "--no-fork --color never --cases 100"

/* The files of the store; `whole`: those whose text is a whole failure. */
static int count_files(const char *store, int *whole)
{
    char path[800], text[4096];
    int  count = 0;
    snprintf(path, sizeof path, "%s/failures", store);
    DIR *folder = opendir(path);
    *whole = 0;
    for (struct dirent *at; folder != NULL && (at = readdir(folder)) != NULL;) {
        if (at->d_name[0] == '.')
            continue;
        count++;
        snprintf(path, sizeof path, "%s/failures/%s", store, at->d_name);
        FILE  *file = fopen(path, "r");
        size_t got = file == NULL ? 0 : fread(text, 1, sizeof text - 1, file);
        text[got] = '\0';
        *whole += strstr(text, "warren failure 1\n") == text && strstr(text, "\ntoken: ") != NULL;
        if (file != NULL)
            fclose(file);
    }
    if (folder != NULL)
        closedir(folder);
    return count;
}

static void programs_at_the_same_time_store_each_bug_once(void)
{
    for (int round = 0; round < 3; round++) {
        char store[20];
        int  whole;
        snprintf(store, sizeof store, "shared%d", round);
        run *a = start("%s --store %s --seed %d " SHORT, together, store, 2 * round + 1);
        run *b = start("%s --store %s --seed %d " SHORT, together, store, 2 * round + 2);
        finish(a);
        finish(b);
        CHECK_NUMBER(a->status, 1);
        CHECK_NUMBER(b->status, 1);
        CHECK_NUMBER(count_files(store, &whole), BUGS);
        CHECK_NUMBER(whole, BUGS);
        free(a);
        free(b);
    }
}

/* The report, which is a file here, would be too large as well. */
static bool writes_no_file(void)
{
    struct rlimit none = { 0, 0 };
    return freopen("/dev/null", "w", stdout) != NULL && setrlimit(RLIMIT_FSIZE, &none) == 0;
}

static void a_file_that_would_be_too_large_kills_nobody(void)
{
    int whole;
    before_program = writes_no_file;
    run *r = call("%s --store limited --seed 1 " SHORT, together);
    before_program = NULL;
    CHECK(r->signal == 0);
    CHECK_NUMBER(r->status, 1);
    CHECK_NUMBER(count_files("limited", &whole), 0);
    free(r);
}

static void killed_programs_leave_whole_failures_and_no_other_files(void)
{
    int whole;
    for (int round = 0; round < 12; round++) {
        run *a = start("%s --store killed --seed %d " SHORT, together, round + 1);
        pause_ms(3 * round + 1);
        kill(a->pid, SIGKILL);
        finish(a);
        free(a);
        int count = count_files("killed", &whole);
        CHECK(count - whole <= 1 + round); /* what is not whole has a temporary name */
    }
    run *last = call("%s --store killed --seed 1 " SHORT, together);
    CHECK_NUMBER(last->status, 1);
    CHECK_TEXT(last->err, "");
    CHECK_NUMBER(count_files("killed", &whole), BUGS);
    CHECK_NUMBER(whole, BUGS);
    free(last);
}

/* "renamed" is a link to one program, and then to another one, whose properties have other names.
 */
static void failures_of_properties_that_are_gone_are_told(void)
{
    const char *renamed = scratch_path("renamed"), *store = scratch_path("lost");
    char        folder[500];
    int         whole;
    snprintf(folder, sizeof folder, "%s", store);
    CHECK(symlink(together, renamed) == 0);
    free(call("%s --store %s --seed 1 " SHORT, renamed, folder));
    free(call("%s --store %s --seed 1 " SHORT, together, folder));
    CHECK_NUMBER(count_files(folder, &whole), 2 * BUGS);
    CHECK(unlink(renamed) == 0 && symlink(exampled, renamed) == 0);
    run *r = call("%s --store %s --seed 1 " SHORT " holds", renamed, folder);
    CHECK(strstr(r->out, "does not have") == NULL); /* some properties were left out */
    free(r);
    r = call("%s --store %s --seed 1 " SHORT, renamed, folder);
    CHECK_NUMBER(count_of(r->out, "is of the property fails_"), BUGS);
    CHECK_NUMBER(
        count_of(r->out, ", which this program does not have (--forget-stale removes it)"), BUGS);
    free(r);
    free(call("%s --store %s --seed 1 --forget-stale " SHORT, renamed, folder));
    CHECK_NUMBER(count_files(folder, &whole), BUGS); /* the other program's */
    r = call("%s --store %s --seed 1 " SHORT, together, folder);
    CHECK_NUMBER(count_of(r->out, "known from an earlier run"), BUGS);
    free(r);
}

static const test TESTS[] = {
    TEST(programs_at_the_same_time_store_each_bug_once),
    TEST(a_file_that_would_be_too_large_kills_nobody),
    TEST(killed_programs_leave_whole_failures_and_no_other_files),
    TEST(failures_of_properties_that_are_gone_are_told),
};

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    together = argv[1];
    exampled = argv[2];
    begin_driving();
    return drive(TESTS, sizeof TESTS / sizeof *TESTS, argv + 3, argc - 3);
}

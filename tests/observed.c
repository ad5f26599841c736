/* tests/observed.c: properties that show something, for observe_test. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <warren.h>

int library_step(int n);

/* ---- Counting ---- */

WR_PROPERTY(shows_much)
{
    int n = (int)wr_int(t, "n", 0, 99);
    wr_label(t, "a constant, 100%%");
    wr_label(t, "%d mod 3", n % 3);
    static const char *const NAMES[] = { "first", "second" };
    for (int i = 0; i < 2; i++)
        wr_classify(t, n % 2 == i, NAMES[i]);
    wr_collect(t, "n", n);
    wr_collect(t, "minus", (int64_t)-20 * n);
    wr_collect(t, "real", n / 8.0);
    wr_collect(t, "even", (bool)(n % 2 == 0));
    wr_collect(t, "parity", n % 2 == 0 ? "even" : "odd");
    wr_cover(t, n < 50, 10, "small");
    wr_sometimes(t, n == 42, "the answer");
    wr_always(t, n >= 0, "not negative");
    wr_always_le(t, n, 99u, "below a hundred");
    wr_sometimes_gt(t, n, 90.5, "large");
    wr_maximise(t, "n", n);
    wr_minimise(t, "n", n - 5);
    wr_state(t, "state", n % 4);
    if (n % 2 == 0) {
        WR_LOG("an even number: %d\n", n);
        WR_LABELF("%s", "formatted without t");
    }
    for (int i = 0; i < 3; i++)
        wr_sometimes(t, i == n, "one of three rounds");
    library_step(n);
}

WR_PROPERTY_WITH(counts_no_discards, .cases = 500)
{
    int n = (int)wr_int(t, "n", 0, 299);
    wr_label(t, "tried");
    wr_maximise(t, "n", n);
    wr_label(t, n % 3 == 0 ? "third" : "other");
    wr_assume(t, n % 3 != 0 && n < 200);
}

WR_PROPERTY_WITH(shows_too_much, .cases = 3)
{
    wr_bool(t, NULL);
    for (int i = 0; i < 5000; i++)
        wr_label(t, "label %d", i);
}

WR_PROPERTY_WITH(shows_many, .cases = 20000)
{
    wr_collect(t, "many", wr_format(t, "row %d", (int)wr_int(t, "n", 0, 3000)));
}

/* ---- Violations ---- */

static int bounded(int n)
{
    WR_ALWAYS(n < 100, "bounded");
    WR_ALWAYS_LT(n, 100, "bounded again");
    return n;
}

WR_PROPERTY(violates_and_goes_on)
{
    bounded((int)wr_int(t, "n", 0, 1000));
}
WR_PROPERTY(violates_and_crashes)
{
    if (bounded((int)wr_int(t, "n", 0, 1000)) > 150)
        raise(SIGSEGV);
}
WR_PROPERTY_WITH(violates_and_hangs, .cases = 20, .deadline_ms = 100, .shrink_time_ms = 500)
{
    if (bounded((int)wr_int(t, "n", 0, 1000)) >= 100)
        for (;;)
            usleep(1000);
}
WR_PROPERTY(violates_and_asserts)
{
    wr_assert(t, bounded((int)wr_int(t, "n", 0, 1000)) < 50 + 50);
}
WR_PROPERTY(violates_and_discards)
{
    wr_assume(t, bounded((int)wr_int(t, "n", 0, 1000)) < 100);
}
WR_PROPERTY(violates_with_t)
{
    int n = (int)wr_int(t, "n", 0, 1000);
    wr_always(t, n < 100, "bounded by the property");
    if (n >= 100)
        abort();
}
WR_PROPERTY(compares_with_t)
{
    uint8_t n = wr_u8(t, "n");
    wr_always_le(t, n, 7.5, "at most seven");
}
WR_PROPERTY(reaches_the_unreachable)
{
    if (wr_int(t, "n", 0, 1000) == 0)
        wr_unreachable(t, "zero");
}
WR_PROPERTY_WITH(violates_in_two_places, .many_bugs = true)
{
    int n = (int)wr_int(t, "n", 0, 99);
    if (n % 2 == 0)
        WR_ALWAYS(n < 10, "even ones are small");
    else
        WR_ALWAYS(n < 20, "odd ones are small");
}

/* ---- Threads ---- */

static void *shows_from_a_thread(void *argument)
{
    int n = *(int *)argument;
    for (int i = 0; i < 100; i++) {
        WR_LABEL("from a thread");
        WR_SOMETIMES(n % 2 == 0, "even in a thread");
        WR_COLLECT("in a thread", n % 3);
        WR_MAXIMISE("in a thread", n);
    }
    return NULL;
}

static void run_threads(void *(*body)(void *), int *n)
{
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        if (pthread_create(&threads[i], NULL, body, n) != 0)
            abort();
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
}

WR_PROPERTY_WITH(shows_from_threads, .cases = 60)
{
    int n = (int)wr_int(t, "n", 0, 99);
    run_threads(shows_from_a_thread, &n);
}

static void *violates_from_a_thread(void *argument)
{
    WR_ALWAYS(*(int *)argument < 50, "bounded in a thread");
    return NULL;
}

WR_PROPERTY_WITH(violates_in_a_thread, .cases = 100)
{
    int n = (int)wr_int(t, "n", 0, 99);
    run_threads(violates_from_a_thread, &n);
}

/* A child that observes is no case. */
WR_PROPERTY_WITH(shows_from_a_child, .cases = 20)
{
    int n = (int)wr_int(t, "n", 0, 9);
    if (fork() == 0) {
        WR_LABEL("in a child");
        wr_label(t, "in a child, with t");
        WR_ALWAYS(n > 100, "not in a child");
        _exit(0);
    }
    wr_label(t, "in the parent");
}

/* ---- Promises ---- */

WR_PROPERTY(promises_too_much)
{
    int n = (int)wr_int(t, "n", 0, 1 << 30);
    wr_cover(t, n % 2 == 0, 95, "even");
    wr_cover(t, n >= 0, 100, "all");
}
WR_PROPERTY(promises_a_little_too_much)
{
    wr_cover(t, wr_chance(t, "c", 49, 100), 50, "heads");
}
WR_PROPERTY(never_shows_it)
{
    wr_sometimes(t, wr_int(t, "n", 0, 9) > 9, "more than nine");
}
WR_PROPERTY_WITH(checks_its_coverage, .check_coverage = true)
{
    wr_cover(t, wr_int(t, "n", 0, 9) == 0, 80, "zero");
}

/* ---- Texts that are cut; the last in this file, which it names anew ---- */

static void *shows_what_is_cut(void *unused);

WR_PROPERTY_WITH(shows_the_same_from_threads, .cases = 20)
{
    int n = (int)wr_int(t, "n", 0, 9);
    shows_what_is_cut(NULL);
    run_threads(shows_what_is_cut, &n);
}

#line 1 "a/path/that/is/longer/than/what/is/kept/of/one/as/those/of/build/systems/tend/to/be/far.c"
static void *shows_what_is_cut(void *unused)
{
    (void)unused;
    WR_LOG("a line of a log\n");
    WR_COLLECT("cut\n", "a row\n");
    WR_REACHABLE("at the end of a long path");
    return NULL;
}

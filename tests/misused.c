/* tests/misused.c: properties that misuse the library, each in one way. misuse_test.c looks for
 * the lines that are marked with a comment. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <warren.h>

static void in_thread(void *(*work)(void *), void *pointer)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, work, pointer) != 0)
        abort();
    pthread_join(thread, NULL);
}

/* ---- Draws ---- */

WR_PROPERTY(lo_above_hi)
{
    int64_t a = wr_int(t, "a", 60, 99);
    char   *s = wr_text(t, "s", 1, 3);
    wr_note(t, "%s", s);
    wr_int(t, "b", a, 50); /* here: lo above hi */
}

static int64_t between(wr_case *t, int64_t lo, int64_t hi)
{
    return wr_int(t, "x", lo, hi); /* here: in a function */
}

WR_PROPERTY(lo_above_hi_late)
{
    int64_t a = wr_int(t, "a", 0, 99);
    between(t, a, 90);
}

WR_PROPERTY(more_than_every_case)
{
    int64_t n = wr_int(t, "n", 3, 3);
    wr_cover(t, n == 3, 150, "three"); /* here: more than every case */
}

WR_PROPERTY(discards_nearly_all)
{
    int64_t n = wr_int(t, "n", 0, 100000);
    wr_assert(t, n != 77);
    wr_assume(t, n == 1);
}

WR_PROPERTY(less_than_no_case)
{
    int64_t n = wr_int(t, "n", 3, 3);
    wr_cover(t, n == 3, -5, "three"); /* here: less than no case */
}

WR_PROPERTY(no_number_of_cases)
{
    int64_t n = wr_int(t, "n", 3, 3);
    wr_cover(t, n == 3, (double)NAN, "three"); /* here: no number of cases */
}

/* ---- Skips ---- */

static void skip_late(void *t)
{
    wr_skip((wr_case *)t, "late"); /* here: skips late */
}

WR_PROPERTY(skip_in_a_deferred_function)
{
    wr_defer(t, skip_late, t);
    wr_int(t, "n", 3, 3);
}

static void skip_in_teardown(wr_case *t)
{
    wr_skip(t, "too late"); /* here: skips in its teardown */
}

WR_PROPERTY_WITH(skip_in_a_teardown, .teardown = skip_in_teardown)
{
    wr_int(t, "n", 3, 3);
}

WR_PROPERTY_WITH(fails_and_skips_late, .teardown = skip_in_teardown)
{
    wr_defer(t, skip_late, t);
    wr_assert_lt(t, wr_int(t, "n", 60, 99), 50);
}

WR_PROPERTY(violates_and_skips)
{
    WR_ALWAYS(wr_int(t, "n", 60, 99) < 50, "small");
    wr_skip(t, "it cannot run");
}

/* ---- Spans ---- */

WR_PROPERTY(span_left_open)
{
    wr_begin(t, "outer"); /* here: left open */
    wr_int(t, "x", 0, 9);
    wr_begin(t, "inner");
    wr_int(t, "y", 0, 9);
    wr_end(t);
}

WR_PROPERTY(span_ended_twice)
{
    wr_begin(t, "pair");
    wr_int(t, "x", 0, 9);
    wr_end(t);
    wr_end(t); /* here: ended twice */
}

WR_PROPERTY(span_ended_in_a_loop)
{
    size_t n = wr_size(t, "n", 1, 3);
    wr_begin(t, "around");
    for (wr_each(t, i, n))
        wr_end(t); /* here: ended in a loop */
}

/* Whoever leaves a loop leaves its spans. */
WR_PROPERTY(span_in_a_loop_that_is_left)
{
    size_t n = wr_size(t, "n", 0, 9);
    for (wr_each(t, i, n)) {
        wr_begin(t, "round");
        if (wr_bool(t, "enough"))
            break;
        wr_end(t);
    }
    wr_begin(t, "after");
    wr_int(t, "x", 0, 9);
    wr_end(t);
}

/* ---- Threads ---- */

static void *asserts(void *pointer)
{
    wr_case *t = pointer;
    wr_assert_eq(t, 1 + 1, 3); /* here: asserts */
    return NULL;
}

WR_PROPERTY(assertion_in_a_thread)
{
    wr_int(t, "before", 7, 7);
    in_thread(asserts, t);
}

static void *draws(void *pointer)
{
    wr_int(pointer, "drawn", 0, 9); /* here: draws */
    return NULL;
}

WR_PROPERTY(draw_in_a_thread)
{
    wr_int(t, "before", 7, 7);
    in_thread(draws, t);
}

static void *draws_many(void *pointer)
{
    wr_bytes(pointer, "many", 8); /* here: draws many */
    return NULL;
}

WR_PROPERTY(array_in_a_thread)
{
    in_thread(draws_many, t);
    wr_bool(t, "after");
}

static void *assumes(void *pointer)
{
    wr_case *t = pointer;
    wr_assume(t, t == NULL); /* here: assumes */
    return NULL;
}

WR_PROPERTY(assumption_in_a_thread)
{
    wr_bool(t, "before");
    in_thread(assumes, t);
}

static void *holds(void *pointer)
{
    wr_case *t = pointer;
    wr_assert(t, t != NULL);
    WR_ALWAYS(t != NULL, "there is a case");
    return NULL;
}

/* An assertion that holds ends nothing: it is fine in every thread. */
WR_PROPERTY(assertion_that_holds_in_a_thread)
{
    wr_bool(t, "before");
    in_thread(holds, t);
}

/* tests/lone_case.h: for the units: one case over plain memory, without a worker or a hunt.
 *
 * A case is run on the fast path, traced, or traced and shown; what it asked, answered and
 * printed is left behind to be looked at. A check that fails says where, and ends the program.
 */
#ifndef WRI_TESTS_LONE_CASE_H
#define WRI_TESTS_LONE_CASE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/case.h"
#include "explore/answer.h"

#define CHECK(condition)                                                                         \
    do {                                                                                         \
        if (!(condition)) {                                                                      \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                      \
            exit(1);                                                                             \
        }                                                                                        \
    } while (0)

static inline void check_text(const char *file, int line, const char *got, const char *wanted)
{
    if (got != NULL && strcmp(got, wanted) == 0)
        return;
    fprintf(stderr, "%s:%d: got '%s', wanted '%s'\n", file, line, got == NULL ? "nothing" : got,
            wanted);
    exit(1);
}
#define CHECK_TEXT(got, wanted) check_text(__FILE__, __LINE__, got, wanted)

static wr_case     the_case;
static wri_trace   the_trace;
static wri_text    the_text;
static wri_verdict the_verdict;
static uint64_t    shared_counts[3]; /* nodes, numbers, text */

static inline void build_case(void)
{
    wr_case *t = &the_case;
    CHECK(wri_arena_start(&t->arena, WRI_MAX_CASE_BYTES));
    t->journal = malloc(WRI_JOURNAL_RECORDS * sizeof *t->journal);
    t->journal_end = t->journal + WRI_JOURNAL_RECORDS;
    the_trace.nodes = malloc(WRI_MAX_NODES * sizeof *the_trace.nodes);
    the_trace.numbers = malloc(WRI_MAX_NUMBERS * sizeof *the_trace.numbers);
    the_text.bytes = malloc(WRI_TEXT_BYTES);
    the_text.room = WRI_TEXT_BYTES;
    CHECK(t->journal != NULL && the_trace.nodes != NULL && the_trace.numbers != NULL &&
          the_text.bytes != NULL);
    t->verdict = &the_verdict;
    t->shared_nodes = &shared_counts[0];
    t->shared_numbers = &shared_counts[1];
    t->shared_text = &shared_counts[2];
    t->size = 30;
    wri_case_current = wri_case_current_here = t;
}

static inline void free_case(void)
{
    wri_arena_free(&the_case.arena);
    free(the_case.journal);
    free(the_trace.nodes);
    free(the_trace.numbers);
    free(the_text.bytes);
}

typedef enum { FAST, TRACED, SHOWN } manner;

/* Runs the body and says how it ended. NULL: the answers are random. */
static inline wri_verdict_kind run_as(manner how, void (*body)(wr_case *t), uint64_t seed,
                                      wri_answerer *answerer)
{
    wr_case *t = &the_case;
    t->answerer = answerer == NULL ? wri_answer_randomly() : answerer;
    t->trace = how == FAST ? NULL : &the_trace;
    t->text = how == SHOWN ? &the_text : NULL;
    t->limit = how == FAST ? t->journal_end : t->journal;
    memset(&the_verdict, 0, sizeof the_verdict);
    wri_case_begin(t, wri_prng_stream(seed, 0), 0);
    if (how != FAST)
        wri_case_begin_slow(t);
    if (setjmp(t->out) == 0) {
        body(t);
        the_verdict.kind = WRI_PASS;
    }
    wri_case_finish(t);
    if (how != FAST) {
        CHECK(wri_trace_valid(&the_trace));
        CHECK(shared_counts[0] == the_trace.node_count);
        CHECK(shared_counts[1] == the_trace.number_count);
        CHECK(the_verdict.kind != WRI_PASS || (t->depth == 0 && t->span == 0));
    }
    if (how == SHOWN)
        CHECK(shared_counts[2] == the_text.used && !the_text.open);
    return (wri_verdict_kind)the_verdict.kind;
}

/* On the fast path, or with all that there is. */
static inline wri_verdict_kind run(void (*body)(wr_case *t), uint64_t seed, bool shown_too,
                                   wri_answerer *answerer)
{
    return run_as(shown_too ? SHOWN : FAST, body, seed, answerer);
}
#define RUN(body, seed, shown_too) CHECK(run(body, seed, shown_too, NULL) == WRI_PASS)

#endif

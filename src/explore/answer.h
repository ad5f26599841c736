/* explore/answer.h: the answerers: who answers a case's requests.
 *
 * Each one is a wri_answerer (core/case.h) and keeps its own state behind it. None knows how a
 * case is executed.
 */
#ifndef WRI_EXPLORE_ANSWER_H
#define WRI_EXPLORE_ANSWER_H

#include "core/case.h"
#include "gen/example.h"

/* Random: the case's own stream, with the lean of core/. Stateless. */
wri_answerer *wri_answer_randomly(void);
/* Whether random answers lean, from now on in this process. Without it they are uniform
 * (--lean off), and a case must be on the slow path. */
void wri_answer_leaning(bool on);

/* Replay of a token: answers in the order written down. A mismatch of kind, bound or number of
 * requests ends the case as stale. */
typedef struct wri_exact {
    wri_answerer     base;
    const wri_trace *plan;
    size_t           next; /* node of the plan that comes next */
} wri_exact;
wri_answerer *wri_answer_exactly(wri_exact *exact, const wri_trace *plan);
/* The same for the steps of a walk, where the elements of an array are choices one by one. */
wri_answerer *wri_answer_in_order(wri_exact *exact, const wri_trace *plan);
/* Did the case ask for every answer? */
bool wri_exact_done(const wri_exact *exact);

/* Replay for shrinking: answers are looked up by address. */
typedef struct wri_aligned {
    wri_answerer      base;
    struct wri_align *align;
} wri_aligned;
wri_answerer *wri_answer_aligned(wri_aligned *aligned, struct wri_align *align);

/* An explicit case: what its generators have read (gen/example.h), else 0. */
typedef struct wri_as_given {
    wri_answerer base;
    wri_example *example;
} wri_as_given;
wri_answerer *wri_answer_as_given(wri_as_given *given, wri_example *example);

/* The bytes of a fuzzer: each request takes some of them. */
typedef struct wri_from_bytes {
    wri_answerer   base;
    const uint8_t *bytes;
    size_t         left;
} wri_from_bytes;
/* So many bytes at most. */
#define WRI_BYTES_MOST ((size_t)1 << 20)
wri_answerer *wri_answer_from_bytes(wri_from_bytes *from, const uint8_t *bytes, size_t count);

/* Answers as `inner` does, which answers in order, and writes the bytes that would have led to
 * these answers. Bytes for which there is no room are left out. */
typedef struct wri_to_bytes {
    wri_answerer  base;
    wri_answerer *inner;
    uint8_t      *bytes;
    size_t        count, room;
} wri_to_bytes;
wri_answerer *wri_answer_to_bytes(wri_to_bytes *to, wri_answerer *inner, uint8_t *bytes,
                                  size_t room);

/* Bytes as numbers: their count, and then eight in each. False: out of memory. */
bool wri_bytes_pack(wri_trace *trace, const uint8_t *bytes, size_t count);
/* NULL: the numbers from `at` on are no bytes. */
const uint8_t *wri_bytes_unpack(const wri_trace *trace, size_t at, size_t *count);

#endif

/* core/case.h: one test case while it runs.
 *
 * A case appends every choice to the journal, which lies in memory shared with the parent,
 * before the property sees the value; so whatever kills the worker, the case is known. The
 * journal is lean: a number and its bound, sixteen bytes. A case that is being replayed or
 * shrunk is traced as well (core/trace.h).
 *
 * One comparison guards the fast path of every draw: `next >= limit` is true when an explorer
 * other than the plain random one answers, when the case is traced, and when the journal is
 * full; then the draw goes through wri_case_choose().
 */
#ifndef WRI_CORE_CASE_H
#define WRI_CORE_CASE_H

#include <setjmp.h>
#include <stdatomic.h>
#include <stddef.h>

#include "core/arena.h"
#include "core/choice.h"
#include "core/prng.h"
#include "core/trace.h"
#include "core/verdict.h"
#include "warren.h"

#define WRI_HIDDEN __attribute__((visibility("hidden")))
#define WRI_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define WRI_COLD __attribute__((cold, noinline))
/* Out of the way of the fast path, and yet often run, by guided cases and in shrinking: not to be
 * compiled for size, as what is called where it is unlikely. */
#define WRI_ASIDE __attribute__((noinline, hot))

/* One journal entry. An array is {count, 0}, {max, width}, and then count values of `width`
 * bytes each, rounded up to whole records: no choice has a number above its max, so
 * {count > 0, 0} is unmistakable. Values of packed arrays are user values, not numbers. */
typedef struct wri_record {
    uint64_t number, max;
} wri_record;

/* Past these a case is "too large": it ends, and counts as neither held nor failed. */
#define WRI_MAX_CHOICES ((size_t)1 << 18)
#define WRI_JOURNAL_RECORDS ((size_t)1 << 19)
#define WRI_MAX_NODES ((size_t)1 << 20)
#define WRI_MAX_NUMBERS ((size_t)1 << 23)
#define WRI_MAX_CASE_BYTES ((size_t)64 << 20)
#define WRI_TEXT_BYTES ((size_t)1 << 18)

/* Who answers. `choose` returns a number at most max and legal under the mask, or WRI_NO_ANSWER
 * where the kind allows it; `choose_many` fills in `count` numbers (of values `width` bytes
 * wide); `enter` and `leave` tell of spans, for those who go by address: `enter` returns the
 * explorer's own name for the span, which `resume` is given when the span is entered again. The
 * state behind it is the explorer's own.
 *
 * Who follows a plan may foretell: the plan's nodes from `next` on and below `foretold` have the
 * answers to requests like them, and `choose` need not be called (wri_case_choose_foretold). The
 * answer to one of them, `other`, may be another. */
typedef struct wri_answerer {
    uint64_t (*choose)(struct wri_answerer *self, wr_case *t, const wri_request *request,
                       uint32_t label);
    void (*choose_many)(struct wri_answerer *self, wr_case *t, const wri_request *request,
                        uint32_t label, size_t count, unsigned width, uint64_t *numbers);
    uint32_t (*enter)(struct wri_answerer *self, wr_case *t, uint32_t label, wri_node_what what);
    void (*resume)(struct wri_answerer *self, wr_case *t, uint32_t counterpart);
    void (*leave)(struct wri_answerer *self, wr_case *t);
    /* The bound that the next choice had when it was recorded, if it was a length; else, and
     * where bounds need not be the same, UINT64_MAX. NULL: likewise. */
    uint64_t (*bound)(const struct wri_answerer *self);
    const wri_node *plan;
    size_t          next, foretold, other;
    uint64_t        other_number;
} wri_answerer;

typedef struct wri_deferred {
    struct wri_deferred *next;
    void (*function)(void *);
    void *pointer;
} wri_deferred;

/* The printed form of a case, filled in a traced run: entries of a tag byte, then
 * NUL-terminated strings. Lies in shared memory: a crash must not lose it. */
typedef struct wri_text {
    char  *bytes;
    size_t room, used;
    size_t lost; /* entries that did not fit */
    bool   open; /* an entry is being written behind those that count */
} wri_text;

enum { WRI_TEXT_VALUE = 'v', WRI_TEXT_NOTE = 'n' };

/* A length that arrays and loops may belong to. */
typedef struct wri_length {
    uint64_t value;
    uint32_t node, span;
    bool     weak; /* an ordinary integer: taken only where no length fits */
} wri_length;

enum {
    WRI_CALLED_OTHERS = 1u,
    WRI_CALLED_VIOLATION = 2u
}; /* another thread observed something */

#define WRI_LENGTHS 32
#define WRI_BOUNDARIES 4

struct wr_case {
    /* The fast path's own line. */
    uint64_t    random; /* the stream's state */
    wri_record *next;   /* where the next choice is recorded */
    wri_record *limit;  /* == journal when the slow path must answer */
    wri_record *journal;
    wri_arena   arena;

    /* Everything else. */
    wri_record   *journal_end;
    wri_answerer *answerer;
    wri_trace    *trace;                                       /* NULL: not traced */
    wri_text     *text;                                        /* NULL: nothing is printed */
    wri_verdict  *verdict;                                     /* shared */
    uint64_t     *shared_nodes, *shared_numbers, *shared_text; /* how much of each is filled */
    jmp_buf       out;   /* where a case that ends early goes */
    uint32_t      span;  /* the innermost open span's node */
    uint32_t      depth; /* of open spans */
    wri_length    lengths[WRI_LENGTHS];
    size_t        length_count;
    wri_deferred *deferred;
    wri_record *boundaries[WRI_BOUNDARIES]; /* where entries of the journal start: some of them */
    unsigned    boundary_count;             /* ever noted in this case */
    const int64_t     *dictionary;
    size_t             dictionary_count;
    const char *const *words;
    size_t             word_count;
    size_t             size; /* the property's size, for recursion */
    bool        recorded; /* its answers are known: it is no larger than when they were found */
    uint64_t    index;    /* of the case in its run */
    const char *tempdir_base;
    unsigned    tempdirs;
    bool        forked;     /* the property called fork() in this case */
    bool        stray;      /* this is a forked child of the worker */
    struct wr_tree_ *trees; /* drawn in this case, the last first (data/tree.h); not in a walk */
    struct wri_walk *walk;  /* through all cases (core/walk.h); NULL: none */
    struct wri_stage
        *stage; /* how machines are played (machine/play/stage.h); NULL: by themselves */
    struct wri_seen  *seen;  /* where what it shows is counted (observe/seen.h); NULL: nowhere */
    struct wri_watch *watch; /* is told what the case shows (observe/watch.h); NULL: nobody */
    uint32_t          failure_class; /* of an assertion that fails from now on; 0: none */
    struct wri_violation *violation; /* shared: an assertion of code that has no `t` */
    _Atomic uint32_t      called;    /* WRI_CALLED_...: there is more to do after the body */
    _Atomic uint32_t     *stop;      /* shared: set, no case follows this one in its batch */
};

/* The one global: the case that runs in this worker, for code that has no `t`. */
extern WRI_HIDDEN wr_case *wri_case_current;
/* The same in the thread that runs it; NULL in all others. */
extern WRI_HIDDEN _Thread_local wr_case *wri_case_current_here
    __attribute__((tls_model("initial-exec")));

/* Does this case print what it draws? */
static inline bool wri_showing(const wr_case *t)
{
    return t->text != NULL;
}

/* Prepares the case for another round: nothing drawn, nothing allocated. */
static inline void wri_case_begin(wr_case *t, uint64_t stream, uint64_t index)
{
    t->random = stream;
    t->index = index;
    t->next = t->journal;
    t->boundary_count = 0;
    t->deferred = NULL;
    t->trees = NULL;
    t->dictionary_count = 0;
    t->word_count = 0;
    t->forked = false;
    t->failure_class = 0;
    wri_arena_reset(&t->arena);
}
/* And what a traced case, or one that another explorer answers, needs besides. */
void wri_case_begin_slow(wr_case *t);
/* Runs what was deferred, last first. */
void wri_case_finish(wr_case *t);

/* Ends the case with a verdict; never returns. The message is cut to fit. */
_Noreturn void wri_case_end(wr_case *t, wri_verdict_kind kind, const char *file, int line,
                            const char *format, ...) WR_PRINTF_(5, 6);
_Noreturn void wri_case_misuse(wr_case *t, const char *format, ...) WR_PRINTF_(2, 3);

/* Does `a relation b` hold, by value, whatever their types? Strings go by their content. */
bool        wri_check_any_holds(wr_relation_ relation, wr_any_ a, wr_any_ b);
long double wri_check_any_real(wr_any_ any);
/* Appends "\n  a = 5\n  b = 7": what two expressions came to. */
void wri_check_any_say(char *text, size_t room, const char *a_text, const char *b_text, wr_any_ a,
                       wr_any_ b);

/* Memory of the case, aligned to 16, not zeroed. Never NULL: the case is ended instead. */
void *wri_memory_take(wr_case *t, size_t bytes);

/* The general way to make choices; the request's name is part of the choice's address.
 * WRI_NO_ANSWER for those kinds only that may have no answer. */
uint64_t wri_case_choose(wr_case *t, const wri_request *request);
/* Writes a choice down that the asker has made at random by itself; `label` is the name's hash.
 */
void wri_case_log_choice(wr_case *t, const wri_request *request, uint32_t label, uint64_t number);
/* The values of `count` choices alike, `width` bytes each (1, 2, 4 or 8), in memory of the
 * case; one packed entry in the log. `tie` is the length choice that the array belongs to, or
 * WRI_NO_NODE to look for one by value. Values are what the kind's codec makes of numbers:
 * integers, doubles or floats for REAL, the number itself for the other kinds. */
void *wri_case_choose_many(wr_case *t, const wri_request *request, size_t count, unsigned width,
                           uint32_t tie);

/* The codec of array elements, between a number and `width` bytes in memory. */
void wri_case_put_value(const wri_request *request, unsigned width, void *at, uint64_t number);
uint64_t wri_case_number_at(const wri_request *request, unsigned width, const void *at);

/* What wri_case_choose() does when the answerer has foretold the answer to a request that has
 * nothing else than these; false, and nothing is done, where it has not, or where more than that
 * is to be done. As long as the case follows the plan, their nodes have the same numbers. */
static inline bool wri_case_choose_foretold(wr_case *t, wri_kind kind, uint16_t letters,
                                            const char *name, int64_t lo, uint64_t max,
                                            uint64_t *number)
{
    wri_answerer         *answerer = t->answerer;
    const wri_known_name *known = wri_place_of_name(name);
    size_t                next = answerer->next;
    if (next >= answerer->foretold || next != t->trace->node_count || known->name != name ||
        wri_showing(t) || t->next >= t->journal + WRI_MAX_CHOICES)
        return false;
    const wri_node *planned = &answerer->plan[next];
    *number = next == answerer->other ? answerer->other_number : planned->number;
    if (planned->what != WRI_CHOICE || planned->kind != kind || planned->letters != letters ||
        planned->label != known->hash || planned->parent != t->span || planned->max != max ||
        planned->lo != lo || *number > max)
        return false;
    t->next->number = *number;
    t->next->max = max;
    t->next++;
    t->trace->nodes[next] = *planned;
    t->trace->nodes[next].number = *number;
    answerer->next = *t->shared_nodes = t->trace->node_count = next + 1;
    return true;
}

/* The node of the choice made last (in a traced case), to tie an array to. */
static inline uint32_t wri_last_node(const wr_case *t)
{
    return t->trace == NULL ? WRI_NO_NODE : (uint32_t)(t->trace->node_count - 1);
}

/* Makes room for lengths: the older half is forgotten. */
void wri_case_forget_lengths(wr_case *t);
/* Remembers the last choice as a length that arrays of `value` elements belong to. */
static inline void wri_note_length(wr_case *t, uint64_t value, bool weak)
{
    if (t->trace == NULL || value > WRI_MAX_NUMBERS) /* nothing is that long */
        return;
    if (WRI_UNLIKELY(t->length_count == WRI_LENGTHS))
        wri_case_forget_lengths(t);
    t->lengths[t->length_count++] =
        (wri_length){ .value = value, .node = wri_last_node(t), .span = t->span, .weak = weak };
}
/* The latest length in scope with this value, or WRI_NO_NODE. */
uint32_t wri_case_find_length(const wr_case *t, uint64_t value);

/* Spans; cheap and without effect while exploring at random. */
void wri_case_span_begin(wr_case *t, uint32_t label, wri_node_what what, uint64_t count,
                         uint32_t tie);
void wri_case_span_end(wr_case *t);
void wri_case_span_end_to(wr_case *t, uint32_t span, uint32_t depth);

/* A span that can be gone back to, whatever is open by then: data that is chosen when it is
 * looked at goes back to the span of the part that is looked at. Without effect while exploring
 * at random, as spans are. */
typedef struct wri_branch {
    uint32_t span, counterpart; /* the node; what the answerer calls it */
} wri_branch;
/* Opens a span in another (NULL: in the innermost open one), and leaves it at once. */
wri_branch wri_branch_open(wr_case *t, const wri_branch *within, uint32_t label);
/* What follows is made there; returns where to go back to with wri_branch_leave(). */
uint32_t wri_branch_enter(wr_case *t, const wri_branch *branch);
void     wri_branch_leave(wr_case *t, uint32_t back);

static inline bool wri_slow(const wr_case *t)
{
    return WRI_UNLIKELY(t->next >= t->limit);
}

/* A mark, and the way back to it: a draft that must not reach the log is taken back. Journal,
 * trace and arena return to where they were; the stream goes on. */
typedef struct wri_mark {
    wri_record *next;
    size_t      nodes, numbers, text, length_count;
    uint32_t    span, depth;
} wri_mark;
wri_mark wri_case_mark(const wr_case *t);
void     wri_case_rewind(wr_case *t, const wri_mark *mark);

#endif

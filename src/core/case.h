/* core/case.h: one test case while it runs.
 *
 * A case appends every choice to the journal before the property sees the value. The journal lies
 * in memory shared with the parent, so the case is known whatever kills the worker. The journal
 * is small: a number and its bound, sixteen bytes a choice. A case that is replayed or shrunk is
 * traced as well (core/trace.h).
 *
 * One comparison guards the fast path of every draw, `next >= limit`. It is true when another
 * explorer than plain random answers, when the case is traced, and when the journal is full. Then
 * the draw goes through wri_case_choose().
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
/* For code that is off the fast path, and yet runs often, in guided cases and in shrinking.
 * Without `hot` the compiler would optimise it for size, as it does with unlikely code. */
#define WRI_ASIDE __attribute__((noinline, hot))

/* One journal entry. An array is {count, 0}, {max, width}, and then `count` values of `width`
 * bytes each, rounded up to whole records. No choice has a number above its max, so an entry
 * {n, 0} with n above 0 always begins an array. A packed array holds the user's values, not
 * numbers. */
typedef struct wri_record {
    uint64_t number, max;
} wri_record;

/* A case that passes one of these limits is "too large": it ends, and counts as neither held
 * nor failed. */
#define WRI_MAX_CHOICES ((size_t)1 << 18)
#define WRI_JOURNAL_RECORDS ((size_t)1 << 19)
#define WRI_MAX_NODES ((size_t)1 << 20)
#define WRI_MAX_NUMBERS ((size_t)1 << 23)
#define WRI_MAX_CASE_BYTES ((size_t)64 << 20)
#define WRI_TEXT_BYTES ((size_t)1 << 18)

/* The functions that answer a case's requests.
 *
 * `choose` returns a number at most max and legal under the mask. If the kind allows it, it may
 * return WRI_NO_ANSWER. `choose_many` fills in `count` numbers, for values that are `width` bytes
 * wide. `enter` and `leave` tell of spans, for answerers that go by address. `enter` returns the
 * answerer's own name for the span; `resume` is given that name when the span is entered again.
 * The state behind the functions is the answerer's own.
 *
 * An answerer that follows a plan may foretell answers. The nodes plan[next] up to plan[foretold]
 * answer requests like theirs, and `choose` need not be called (wri_case_choose_foretold). Node
 * `other` is an exception: its answer is `other_number`.
 */
typedef struct wri_answerer {
    uint64_t (*choose)(struct wri_answerer *self, wr_case *t, const wri_request *request,
                       uint32_t label);
    void (*choose_many)(struct wri_answerer *self, wr_case *t, const wri_request *request,
                        uint32_t label, size_t count, unsigned width, uint64_t *numbers);
    uint32_t (*enter)(struct wri_answerer *self, wr_case *t, uint32_t label, wri_node_what what);
    void (*resume)(struct wri_answerer *self, wr_case *t, uint32_t counterpart);
    void (*leave)(struct wri_answerer *self, wr_case *t);
    /* Returns the bound that the next choice had when it was recorded, if that was a length.
     * UINT64_MAX: it was not, or bounds may differ. NULL: likewise. */
    uint64_t (*bound)(const struct wri_answerer *self);
    const wri_node *plan;
    size_t          next, foretold, other;
    uint64_t        other_number;
    bool            searches; /* the case is made up, not replayed: a machine's calls avoid known
                                 bugs */
} wri_answerer;

typedef struct wri_deferred {
    struct wri_deferred *next;
    void (*function)(void *);
    void *pointer;
} wri_deferred;

/* The printed form of a case. A traced run fills it in: each entry is a tag byte and
 * NUL-terminated strings. It lies in shared memory, so that a crash does not lose it. */
typedef struct wri_text {
    char  *bytes;
    size_t room, used;
    size_t lost; /* entries that did not fit */
    bool   open; /* an entry is being written that does not count yet */
} wri_text;

enum { WRI_TEXT_VALUE = 'v', WRI_TEXT_NOTE = 'n' };

/* A length that arrays and loops may be tied to. */
typedef struct wri_length {
    uint64_t value;
    uint32_t node, span;
    bool     weak; /* an ordinary integer: tied to only where no length fits */
} wri_length;

/* A list of wr_words(), and which of them fitted a draw of this case. */
typedef struct wri_words {
    struct wri_words  *before; /* the list that it replaced */
    const char *const *words;
    size_t             count;
    bool               fits[];
} wri_words;

enum {
    WRI_CALLED_OTHERS = 1u,    /* another thread observed something */
    WRI_CALLED_VIOLATION = 2u, /* or found a violation */
    WRI_CALLED_WORDS = 4u,     /* the case gave words */
    WRI_CALLED_LATER = 8u,     /* a violation ends the call of a machine that runs */
    WRI_CALLED_FAULTS = 16u    /* the case had calls that could fail (faults/) */
};

/* A span of wr_begin() that is open, in a traced case. */
typedef struct wri_open_span {
    struct wri_open_span *outer;
    const char           *label;
    const void           *from;  /* the return address: where it was opened */
    uint32_t              depth; /* of open spans, with this one */
} wri_open_span;

/* Is told which draws wr_relate() names, at most so many. */
#define WRI_RELATED 16
typedef struct wri_relating {
    void (*relate)(struct wri_relating *self, unsigned strength, size_t count,
                   const char *const *names);
} wri_relating;

/* What a case asks of the process that runs it. */
typedef struct wri_host {
    /* Puts the frames that led to `caller` into the verdict. */
    void (*find_frames)(wri_verdict *verdict, void *caller);
    /* Ends the process. The case's violation says why. */
    void (*end)(wr_case *t);
    /* Ends the process, which is a copy of the one that runs the case. */
    void (*end_copy)(void);
} wri_host;

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
    wri_record     *journal_end;
    wri_answerer   *answerer;
    wri_trace      *trace;                                       /* NULL: not traced */
    wri_text       *text;                                        /* NULL: nothing is printed */
    wri_verdict    *verdict;                                     /* shared */
    uint64_t       *shared_nodes, *shared_numbers, *shared_text; /* how much of each is filled */
    jmp_buf         out;   /* the jump of a case that ends early */
    uint32_t        span;  /* the innermost open span's node */
    uint32_t        depth; /* of open spans */
    wri_length      lengths[WRI_LENGTHS];
    size_t          length_count;
    wri_open_span  *open; /* the innermost span of wr_begin(); NULL: none is open */
    const wri_host *host; /* NULL: a case of a test */
    /* Set to zero before each case. They lie side by side, so few stores do it. */
    wri_deferred    *deferred;
    struct wr_tree_ *trees; /* drawn in this case, the last first (data/tree.h); NULL in a walk */
    size_t           dictionary_count;
    wri_words       *words;          /* of wr_words(), that hold now; NULL: none */
    wri_words       *word_lists;     /* all of this case, the last first */
    unsigned         boundary_count; /* boundaries noted in this case */
    uint32_t         failure_class;  /* of an assertion that fails from now on; 0: none */
    union {                          /* work to do after the body: one test says whether any */
        struct {
            _Atomic uint32_t called;  /* WRI_CALLED_...: flags */
            bool             forked;  /* the property called fork() in this case */
            bool             stray;   /* this is a forked child of the worker */
            bool             closing; /* the body is over: its teardown or a deferred function */
            bool             careful; /* of every case of this batch */
        };
        uint64_t after;
    };

    wri_record *boundaries[WRI_BOUNDARIES]; /* some places where an entry of the journal starts */
    const int64_t               *dictionary;
    const struct wri_dictionary *known; /* the program's constants, for random answers; or NULL */
    struct wri_example *example;  /* its values (gen/example.h); NULL: it is no explicit case */
    size_t              size;     /* the property's size, for recursion */
    bool                recorded; /* replayed: it cannot be larger than when it was recorded */
    uint64_t            index;    /* of the case in its run */
    const char         *tempdir_base;
    unsigned            tempdirs;
    /* Reads 0 in a copy of the process, also in one that no handler was told of: _Fork(),
     * clone(). NULL: not known. */
    const volatile uint32_t *original;
    const wr_constant       *constants; /* of the draw that asks, if it is one of wr_enum() */
    struct wri_walk         *walk;      /* through all cases (core/walk.h); NULL: none */
    struct wri_stage        *stage; /* orders for machines (machine/play/stage.h); NULL: none */
    struct wri_play         *play;  /* of a machine (machine/play/play.h); NULL: none plays */
    wri_relating            *relating; /* NULL: nobody asks for relations */
    /* Is told the answers of each request on the slow path; NULL: nobody is. */
    void (*drew)(struct wr_case *t, const wri_request *request, const uint64_t *numbers,
                 size_t count);
    /* Is told each state that wr_state() tells; NULL: nobody is. */
    void (*stated)(struct wr_case *t, const char *name, const char *row);
    struct wri_seen  *seen;      /* counts its observations (observe/seen.h); NULL: nobody does */
    struct wri_watch *watch;     /* is told each observation (observe/watch.h); NULL: nobody is */
    wri_violation    *violation; /* shared */
    _Atomic uint32_t *stop;      /* shared: when set, the batch ends after this case */
};

/* The one global: the case that runs in this worker. Code that has no `t` finds it here. */
extern WRI_HIDDEN wr_case *wri_case_current;
/* The same pointer in the thread that runs the case; NULL in all other threads. */
extern WRI_HIDDEN _Thread_local wr_case *wri_case_current_here
    __attribute__((tls_model("initial-exec")));

/* Can calls that the code under test makes now fail (faults/)? Warren sets it to false around its
 * own calls, and back to what it was. */
extern WRI_HIDDEN bool wri_case_faulty;
static inline bool     wri_case_calm(void)
{
    bool was = wri_case_faulty;
    wri_case_faulty = false;
    return was;
}

/* Is this another thread than the one that runs the case? Only slow paths ask. */
static inline bool wri_case_is_elsewhere(const wr_case *t)
{
    return WRI_UNLIKELY(wri_case_current_here != t) && wri_case_current == t && t->host != NULL &&
           !t->stray;
}

/* Does this case print what it draws? */
static inline bool wri_case_showing(const wr_case *t)
{
    return t->text != NULL;
}

/* Ends this process if it is a copy of the one that runs the case. What it would write, the other
 * one would take for its own. */
static inline void wri_case_end_copy(const wr_case *t)
{
    if (t->original != NULL && WRI_UNLIKELY(*t->original == 0))
        t->host->end_copy();
}

/* Prepares the struct for the next case: nothing is drawn, nothing allocated. */
static inline void wri_case_begin(wr_case *t, uint64_t stream, uint64_t index)
{
    t->random = stream;
    t->index = index;
    t->next = t->journal;
    t->deferred = NULL;
    t->trees = NULL;
    t->dictionary_count = 0;
    t->words = t->word_lists = NULL;
    t->boundary_count = 0;
    t->failure_class = 0;
    wri_arena_reset(&t->arena);
}
/* The further preparation of a case that is traced, or answered by another explorer. */
void wri_case_begin_slow(wr_case *t);
/* Runs the deferred calls, last first. */
void wri_case_finish(wr_case *t);
/* A function of the user's has returned, which was called with so many open spans. To have left
 * one more open is misuse, and ends the case. Without effect in a case that is not traced. */
void wri_case_check_spans(wr_case *t, uint32_t depth);

/* Ends the case with a verdict; never returns. The message is cut to fit. */
_Noreturn void wri_case_end(wr_case *t, wri_verdict_kind kind, const char *file, int line,
                            const char *format, ...) WR_PRINTF_(5, 6);
/* The library was misused: ends the case, and the property. The verdict has the frames of the
 * caller. */
_Noreturn void wri_case_misuse(wr_case *t, const char *format, ...) WR_PRINTF_(2, 3);
/* Keeps a verdict that cannot end the case now, in any thread: see wri_violation. Without effect
 * if the case has failed, or has a violation. */
void wri_case_violate(wr_case *t, wri_verdict_kind kind, const char *file, int line,
                      const char *message);
/* Something with a case in a thread that does not run it is misuse. It ends the process, because
 * that thread cannot leave the case. */
_Noreturn void wri_case_misuse_thread(wr_case *t, const char *file, int line, const char *format,
                                      ...) WR_PRINTF_(4, 5);
/* Ends the process that runs a case: it has no memory for what it needs itself. The case is not
 * to blame, and the report says so. */
_Noreturn void wri_case_no_memory(void);

/* Does `a relation b` hold, by value, whatever their types? Strings go by their content. */
bool        wri_check_any_holds(wr_relation_ relation, wr_any_ a, wr_any_ b);
long double wri_check_any_real(wr_any_ any);
/* Is the number in as.i, not in as.u? */
bool wri_check_any_signed(wr_any_ any);
/* Appends "\n  a = 5\n  b = 7": the values of two expressions. */
void wri_check_any_say(char *text, size_t room, const char *a_text, const char *b_text, wr_any_ a,
                       wr_any_ b);

/* Returns memory of the case, aligned to 16, not zeroed. Never NULL: a lack of memory ends the
 * case. */
void *wri_memory_take(wr_case *t, size_t bytes);
/* The same for n elements of so many bytes, whose product may not fit a size_t. */
void *wri_memory_array(wr_case *t, size_t n, size_t bytes);

/* Makes a choice in the general way. The request's name is part of the choice's address.
 * Returns WRI_NO_ANSWER only for the kinds that may have no answer. */
uint64_t wri_case_choose(wr_case *t, const wri_request *request);
/* Logs a choice that the generator has already made at random by itself. `label` is the hash
 * of its name. */
void wri_case_log_choice(wr_case *t, const wri_request *request, uint32_t label, uint64_t number);
/* Makes `count` choices of one request and returns their values, `width` bytes each (1, 2, 4
 * or 8), in memory of the case. The log gets one packed entry. `tie` is the length choice that
 * the array belongs to, or WRI_NO_NODE to look for one by value. The kind's codec makes values
 * of numbers: integers; doubles or floats for REAL; the number itself for the other kinds. */
void *wri_case_choose_many(wr_case *t, const wri_request *request, size_t count, unsigned width,
                           uint32_t tie);

/* The codec of array elements, between a number and `width` bytes in memory. */
void wri_case_put_value(const wri_request *request, unsigned width, void *at, uint64_t number);
uint64_t wri_case_number_at(const wri_request *request, unsigned width, const void *at);

/* The fast form of wri_case_choose(), for an answer that the answerer has foretold. The
 * arguments are the whole request. Returns false, and does nothing, where no answer was
 * foretold or more work is needed. As long as the case follows the plan, its nodes have the
 * plan's numbers. */
static inline bool wri_case_choose_foretold(wr_case *t, wri_kind kind, uint16_t letters,
                                            const char *name, int64_t lo, uint64_t max,
                                            uint64_t *number)
{
    wri_answerer         *answerer = t->answerer;
    const wri_known_name *known = wri_trace_place_of_name(name);
    size_t                next = answerer->next;
    if (next >= answerer->foretold || next != t->trace->node_count || known->name != name ||
        wri_case_showing(t) || t->next >= t->journal + WRI_MAX_CHOICES)
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
static inline uint32_t wri_case_last_node(const wr_case *t)
{
    return t->trace == NULL ? WRI_NO_NODE : (uint32_t)(t->trace->node_count - 1);
}

/* Forgets the older half of the noted lengths, to make room. */
void wri_case_forget_lengths(wr_case *t);
/* Notes the last choice as a length: arrays of `value` elements may be tied to it. */
static inline void wri_case_note_length(wr_case *t, uint64_t value, bool weak)
{
    if (t->trace == NULL || value > WRI_MAX_NUMBERS) /* nothing is that long */
        return;
    if (WRI_UNLIKELY(t->length_count == WRI_LENGTHS))
        wri_case_forget_lengths(t);
    t->lengths[t->length_count++] = (wri_length){
        .value = value, .node = wri_case_last_node(t), .span = t->span, .weak = weak
    };
}
/* Returns the latest length in scope with this value, or WRI_NO_NODE. */
uint32_t wri_case_find_length(const wr_case *t, uint64_t value);

/* Spans. They have no effect, and cost little, while random cases are explored. */
void wri_case_span_begin(wr_case *t, uint32_t label, wri_node_what what, uint64_t count,
                         uint32_t tie);
void wri_case_span_end(wr_case *t);
/* The spans of wr_begin() and wr_end(), in a traced case. `from` is the address that called. */
void wri_case_begin_span(wr_case *t, const char *label, const void *from);
void wri_case_end_span(wr_case *t);
void wri_case_span_end_to(wr_case *t, uint32_t span, uint32_t depth);

/* A span that can be entered again, whatever spans are open by then. Lazy data uses it:
 * looking at a part of a tree returns to the span of that part. Without effect while random
 * cases are explored, as all spans. */
typedef struct wri_branch {
    uint32_t span, counterpart; /* the node; what the answerer calls it */
} wri_branch;
/* Opens a span in another one (NULL: in the innermost open one), and leaves it at once. */
wri_branch wri_branch_open(wr_case *t, const wri_branch *within, uint32_t label);
/* Enters the branch: the next choices are made in it. Returns the span to give to
 * wri_branch_leave(). */
uint32_t wri_branch_enter(wr_case *t, const wri_branch *branch);
void     wri_branch_leave(wr_case *t, uint32_t back);

static inline bool wri_case_slow(const wr_case *t)
{
    return WRI_UNLIKELY(t->next >= t->limit);
}

/* A mark in the log. wri_case_rewind() returns journal, trace and arena to it; so a draft that
 * must not reach the log is taken back. The random stream goes on. */
typedef struct wri_mark {
    wri_record *next;
    size_t      nodes, numbers, text, length_count;
    uint32_t    span, depth;
} wri_mark;
wri_mark wri_case_mark(const wr_case *t);
void     wri_case_rewind(wr_case *t, const wri_mark *mark);

#endif

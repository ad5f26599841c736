/* warren.h: property-based testing for C.
 *
 * A property is a plain C function over values it draws by name:
 *
 *     #include <warren.h>
 *
 *     WR_PROPERTY(reversing_twice_changes_nothing) {
 *         size_t   n  = wr_size(t, "n", 0, 100);
 *         int32_t *xs = wr_i32s(t, "xs", n, INT32_MIN, INT32_MAX);
 *         int32_t *ys = wr_copy(t, xs, n * sizeof *xs);
 *         reverse(ys, n);
 *         reverse(ys, n);
 *         wr_assert(t, memcmp(xs, ys, n * sizeof *xs) == 0);
 *     }
 *
 * Link with -lwarren, which brings main(); a main() of your own wins and may call wr_main().
 *
 * Caveats, before anything else:
 *  - What a draw returns belongs to the case and dies with it. You free nothing, except what
 *    wr_malloced() gave you.
 *  - A failed assertion, an unmet assumption and a skip leave the property with longjmp. What
 *    must be released on every path goes through wr_defer().
 *  - The body runs many times in one worker process: global state that a case leaves behind
 *    is seen by the next case. Use .setup, or run with --fork-each.
 *  - Draw and assert in the thread that runs the property, and in no other.
 *  - A property must be a function of what it draws: no clock, no rand(), no addresses.
 *  - Misuse (lo > hi, a null array of weights) ends the run with status 99 and says where.
 *
 * Names: wr_ functions and types, WR_ macros; what ends in _ is not for you. In an options
 * struct zero means default. `name` is what a report prints; NULL: not printed.
 */
#ifndef WARREN_H
#define WARREN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "warren/observe.h"

#define WR_VERSION "0.1.0"

#define WR_RARE_(condition) __builtin_expect(!!(condition), 0)
#if defined(__cplusplus)
#define WR_NORETURN_ [[noreturn]]
/* g++ -Wextra complains of the options that are not given, though zero is what is meant. */
#define WR_QUIETLY_(...)                                                                         \
    _Pragma("GCC diagnostic push")                                                               \
    _Pragma("GCC diagnostic ignored \"-Wmissing-field-initializers\"")                           \
    __VA_ARGS__                                                                                  \
    _Pragma("GCC diagnostic pop")
#define WR_UNWARNED_(...) WR_QUIETLY_(__VA_ARGS__)
#define WR_LAST_ wr_con()
#else
#define WR_NORETURN_ _Noreturn
#define WR_QUIETLY_(...) __VA_ARGS__
/* In C only what has no field named is complained of: { "Con" }. */
#define WR_UNWARNED_(...)                                                                        \
    _Pragma("GCC diagnostic push")                                                               \
    _Pragma("GCC diagnostic ignored \"-Wmissing-field-initializers\"")                           \
    __VA_ARGS__                                                                                  \
    _Pragma("GCC diagnostic pop")
#define WR_LAST_ { 0 }
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 1. A property ---------------------------------------------------------------------- */

/* One test case: the choices made so far, and the memory that belongs to it. */
typedef struct wr_case wr_case;

/* Who makes the choices. */
typedef enum wr_explore {
    WR_AUTO,   /* whatever suits the property (the default) */
    WR_RANDOM, /* nobody: all of them at random */
    WR_GUIDE,  /* what earlier cases have shown */
    WR_ENUMERATE, /* nobody: all cases one after the other, the smallest first */
    WR_FEEDBACK  /* of machines: the states that earlier calls have led to */
} wr_explore;

/* What becomes of a random case that was refuted when only trees were drawn: they are drawn again,
 * without all that agrees with what was looked at. */
typedef enum wr_redraw {
    WR_REDRAW_UNIFORM, /* all values of a size that are not refuted alike (the default) */
    WR_REDRAW_SKEWED,  /* with as much as can be kept of the last: faster, and not alike */
    WR_REDRAW_OFF      /* not at all: the case is discarded */
} wr_redraw;

/* What a property may ask for itself; a command-line option wins over each. */
typedef struct wr_options {
    const char *name;           /* for wr_check(): what reports call it */
    size_t      cases;          /* how many cases that were not discarded (1000) */
    uint64_t    time_ms;        /* or how long (no limit) */
    size_t      size;           /* how large recursive values grow (30), or all cases are */
    uint64_t    deadline_ms;    /* CPU time one case may take (60 s) */
    uint64_t    memory;         /* bytes that may be resident during a case (no limit) */
    uint64_t    shrink_time_ms; /* time to shrink one failure (30 s) */
    uint64_t    seed;           /* a fixed seed (from the clock) */
    const char *skip;           /* a reason: the property is not run */
    bool        many_bugs;      /* go on after a bug: --bugs many */
    bool        fork_each;      /* a process for each case: --fork-each */
    bool        may_draw_nothing; /* no warning when a case draws no value */
    bool        until_stable;   /* go on until cases show nothing new: --until-stable */
    wr_explore  explore;        /* --explore */
    wr_redraw   redraw;         /* --redraw */
    bool        check_coverage; /* a missed wr_cover fails: --check-coverage */
    void (*setup)(wr_case *t);         /* before each case; may draw */
    void (*teardown)(wr_case *t);      /* after each case that returned or jumped out */
    void (*worker_setup)(void);        /* once in each worker process */
    void (*worker_teardown)(void);     /* when a worker ends in peace */
} wr_options;

typedef void wr_body(wr_case *t);

/* WR_PROPERTY(name) { body }: registers itself; `wr_case *t` is in scope.
 * WR_PROPERTY_WITH(name, .cases = 5000, .setup = open_db) { body }: with options. */
#define WR_PROPERTY(name) WR_PROPERTY_WITH(name, .cases = 0)
#define WR_PROPERTY_WITH(name_, ...)                                                             \
    static void wr_body_##name_(wr_case *t);                                                     \
    WR_QUIETLY_(static const wr_options wr_options_##name_ = { __VA_ARGS__ };)                   \
    static wr_property_ wr_property_##name_ = { #name_,           __FILE__,           __LINE__,  \
                                                wr_body_##name_,  &wr_options_##name_, 0, 0 };   \
    __attribute__((constructor)) static void wr_enter_##name_(void)                              \
    {                                                                                            \
        wr_register_(&wr_property_##name_);                                                      \
    }                                                                                            \
    static void wr_body_##name_(wr_case *t)

/* Runs the program's properties as the arguments say and returns the exit status: 0 all held,
 * 1 one failed, gave up or was flaky, 77 all were skipped, 99 it could not run as asked,
 * 130 interrupted with nothing failed. */
WR_API int wr_main(int argc, char **argv);

/* Runs one property from inside any framework, as the options and the WARREN_ environment
 * say; returns what wr_main() returns. `options` may be NULL. */
WR_API int wr_check(const wr_options *options, wr_body *property);

/* ---- 2. Draws: ordinary C values ---------------------------------------------------------- */

WR_API bool wr_bool(wr_case *t, const char *name);
/* True in `numerator` of `denominator` cases; false is simpler. */
WR_API bool wr_chance(wr_case *t, const char *name, uint32_t numerator, uint32_t denominator);

/* lo..hi, both included; simplest first: nearest to 0, so 0, 1, -1, 2, ... */
WR_API int64_t  wr_int(wr_case *t, const char *name, int64_t lo, int64_t hi);
WR_API uint64_t wr_uint(wr_case *t, const char *name, uint64_t lo, uint64_t hi);

/* The whole range of a type. */
WR_API int8_t   wr_i8(wr_case *t, const char *name);
WR_API int16_t  wr_i16(wr_case *t, const char *name);
WR_API int32_t  wr_i32(wr_case *t, const char *name);
WR_API int64_t  wr_i64(wr_case *t, const char *name);
WR_API uint8_t  wr_u8(wr_case *t, const char *name);
WR_API uint16_t wr_u16(wr_case *t, const char *name);
WR_API uint32_t wr_u32(wr_case *t, const char *name);
WR_API uint64_t wr_u64(wr_case *t, const char *name);

/* lo..hi: finite, both included. any: every bit pattern's value, NaN and infinities too.
 * Whole numbers are simplest, then few fractional digits. */
WR_API double wr_double(wr_case *t, const char *name, double lo, double hi);
WR_API double wr_any_double(wr_case *t, const char *name);
WR_API float  wr_float(wr_case *t, const char *name, float lo, float hi);
WR_API float  wr_any_float(wr_case *t, const char *name);

/* A length. Arrays and wr_each loops of this many elements belong to it: a counterexample
 * loses an element of all of them, and one of the length, in one step. */
WR_API size_t wr_size(wr_case *t, const char *name, size_t lo, size_t hi);

/* An index below n (n > 0). Weighted: index i with probability weights[i] / their sum; a
 * weight of 0 is never drawn. */
WR_API size_t wr_pick(wr_case *t, const char *name, size_t n);
WR_API size_t wr_weighted(wr_case *t, const char *name, size_t n, const uint32_t *weights);

/* One of an enumeration's constants, printed by its name; the first is simplest. */
typedef struct wr_constant {
    const char *name;
    int64_t     value;
} wr_constant;
#define WR_CONSTANT(identifier) { #identifier, (int64_t)(identifier) }
WR_API int64_t wr_enum(wr_case *t, const char *name, size_t n, const wr_constant *constants);

/* Text. min..max counts characters (code points for UTF-8, which is always valid and has no
 * U+0000 inside); a NUL follows. The length is drawn too. */
WR_API char *wr_text(wr_case *t, const char *name, size_t min, size_t max); /* printable ASCII */
WR_API char *wr_utf8(wr_case *t, const char *name, size_t min, size_t max);
/* [A-Za-z_][A-Za-z0-9_]*; 'a' is simplest. */
WR_API char *wr_identifier(wr_case *t, const char *name, size_t min, size_t max);
/* Characters of `alphabet` only; its first is simplest. */
WR_API char *wr_text_of(wr_case *t, const char *name, const char *alphabet, size_t min, size_t max);
/* A string that the regular expression matches from its first character to its last:
 * literals, '.', [classes] and [^classes], \d \w \s \D \W \S, \n \t \r \xHH and escaped
 * punctuation, (groups) and (?:groups), '|', * + ? {n} {n,} {n,m}. ASCII. An unbounded
 * repetition adds at most 16 rounds. */
WR_API char *wr_matching(wr_case *t, const char *name, const char *regex);

/* Arrays of n values; tied to the wr_size() that gave n. Never NULL. */
WR_API uint8_t  *wr_bytes(wr_case *t, const char *name, size_t n);
WR_API bool     *wr_bools(wr_case *t, const char *name, size_t n);
WR_API int8_t   *wr_i8s(wr_case *t, const char *name, size_t n, int8_t lo, int8_t hi);
WR_API int16_t  *wr_i16s(wr_case *t, const char *name, size_t n, int16_t lo, int16_t hi);
WR_API int32_t  *wr_i32s(wr_case *t, const char *name, size_t n, int32_t lo, int32_t hi);
WR_API int64_t  *wr_i64s(wr_case *t, const char *name, size_t n, int64_t lo, int64_t hi);
WR_API int64_t  *wr_ints(wr_case *t, const char *name, size_t n, int64_t lo, int64_t hi);
WR_API uint8_t  *wr_u8s(wr_case *t, const char *name, size_t n, uint8_t lo, uint8_t hi);
WR_API uint16_t *wr_u16s(wr_case *t, const char *name, size_t n, uint16_t lo, uint16_t hi);
WR_API uint32_t *wr_u32s(wr_case *t, const char *name, size_t n, uint32_t lo, uint32_t hi);
WR_API uint64_t *wr_u64s(wr_case *t, const char *name, size_t n, uint64_t lo, uint64_t hi);
WR_API uint64_t *wr_uints(wr_case *t, const char *name, size_t n, uint64_t lo, uint64_t hi);
WR_API double   *wr_doubles(wr_case *t, const char *name, size_t n, double lo, double hi);
WR_API float    *wr_floats(wr_case *t, const char *name, size_t n, float lo, float hi);
WR_API size_t   *wr_picks(wr_case *t, const char *name, size_t n, size_t below); /* n indices */

/* n values no two of which are equal (the range must have that many). */
WR_API int64_t *wr_unique_ints(wr_case *t, const char *name, size_t n, int64_t lo, int64_t hi);
/* The numbers 0..n-1 in some order; in order is simplest. */
WR_API size_t *wr_permutation(wr_case *t, const char *name, size_t n);
/* n flags: which of n things are in; none is simplest. */
WR_API bool *wr_subset(wr_case *t, const char *name, size_t n);

/* for (wr_each(t, i, n)) { ... }: size_t i from 0 to n-1; n is read once; each round is one
 * element of the case and can be deleted as one. break, continue and return are fine. */
#define wr_each(t, i, n)                                                                         \
    size_t i = 0, wr_loop_##i __attribute__((cleanup(wr_each_left_))) = wr_each_begin_(t, n);    \
    wr_each_round_(t, wr_loop_##i, i);                                                           \
    i++

/* An array of n structs, or any other elements of `bytes` bytes: `draw` fills each in. */
WR_API void *wr_array(wr_case *t, size_t n, size_t bytes,
                      void (*draw)(wr_case *t, void *element, void *context), void *context);

/* NULL, or what `draw` returns. NULL is simpler. */
WR_API void *wr_optional(wr_case *t, const char *name, void *(*draw)(wr_case *t, void *context),
                         void *context);

/* A span: the draws between belong together, and a shrink step may drop them, or put another
 * span with the same label in their place. Every recursive function wants one. */
WR_API void wr_begin(wr_case *t, const char *label);
WR_API void wr_end(wr_case *t);

/* A recursive value. `grow` makes one node of the given form, 0..forms-1, the first `leaves`
 * of which have no children; for a child it calls wr_recurse() again, with a part of the
 * budget. At a budget of 0 only leaves are legal. A budget of WR_SIZE is the property's size.
 * Each node is a span. */
typedef struct wr_recursion {
    const char     *label;
    size_t          leaves, forms; /* forms <= 64, leaves >= 1 */
    const uint32_t *weights;       /* one a form; NULL: leaves and others about alike */
    void *(*grow)(wr_case *t, size_t form, size_t budget, void *context);
    void *context;
} wr_recursion;
#define WR_SIZE SIZE_MAX
WR_API void *wr_recurse(wr_case *t, const wr_recursion *recursion, size_t budget);

/* Constants that the random explorer tries now and then, wherever they fit: magic numbers,
 * keywords. They must outlive the case. */
WR_API void wr_dictionary(wr_case *t, size_t n, const int64_t *numbers);
WR_API void wr_words(wr_case *t, size_t n, const char *const *words);

/* ---- 3. Trees: lazy data ------------------------------------------------------------------ */

/* Algebraic data whose parts are chosen when they are first looked at. A type is a table of
 * constructors; a tree of it is a node, at first a hole:
 *
 *     extern const wr_type TYPE;
 *     enum { CON, VAR, LAM, APP };
 *     WR_TYPE(TERM, "Term",
 *         { "Con" },
 *         { "Var", .index = WR_ANY_INDEX },
 *         { "Lam", .args = { &TYPE, &TERM }, .show = "lam %0. %1" },
 *         { "App", .args = { &TERM, &TERM } });
 *
 *     wr_node *e = wr_tree(t, "e", &TERM);
 *     switch (wr_tag(e)) { case LAM: check(wr_arg(e, 1)); ... case VAR: ... wr_index(e) ... }
 *
 * A constructor's tag is its position, from 0. A value's size is the sum of what its constructors
 * cost. Tables are constants: they stay as they are, and where they are, until the program ends.
 * A table that makes no sense ends the run with status 99: a type without a finite value, an
 * argument without a type, a circle of constructors that cost nothing. */
typedef struct wr_type wr_type;
typedef struct wr_con {
    const char    *name;    /* NULL: the table ends here */
    const wr_type *args[8]; /* the first that is NULL ends them */
    size_t         index;   /* n: it has an index, 0..n-1; WR_ANY_INDEX: 0..255, k costs k more;
                               n is below 2^32 */
    unsigned       cost;    /* 0: costs 1; WR_FREE: costs nothing */
    const char    *show;    /* how it is printed: %0 to %7 are arguments, %i the index, %% is a % */
} wr_con;
struct wr_type {
    const char   *name;
    const wr_con *constructors; /* at most 64, and { 0 } after the last */
};
#define WR_ANY_INDEX SIZE_MAX
#define WR_FREE (~0u)
/* WR_TYPE(identifier, "name", constructors...): the same, without the warnings that compilers
 * have for what an initializer leaves out. In C++ constructors name all their fields:
 * { .name = "Var", .index = WR_ANY_INDEX }. */
#define WR_TYPE(identifier, name_, ...)                                                          \
    extern const wr_type identifier;                                                             \
    WR_UNWARNED_(                                                                                \
        static const wr_con wr_constructors_##identifier[] = { __VA_ARGS__, WR_LAST_ };)         \
    const wr_type identifier = { name_, wr_constructors_##identifier }

/* One node of a tree. It belongs to the case. */
typedef struct wr_node wr_node;

/* A value of the type, up to the property's size, all of a size alike. */
WR_API wr_node *wr_tree(wr_case *t, const char *name, const wr_type *type);
/* Which constructor, by its position; argument i, from 0; the index. What was not looked at
 * before is chosen now. An argument or index that the constructor does not have is misuse. */
static inline int      wr_tag(wr_node *e);
static inline wr_node *wr_arg(wr_node *e, size_t i);
static inline size_t   wr_index(wr_node *e);

/* Demands: what is not chosen yet is chosen only among what fits. When nothing fits, or what is
 * chosen does not, the case is discarded. A predicate that says what it needs where it would
 * have said no finds values faster; plain wr_tag() is always right.
 * need: one of these tags (1u << LAM | 1u << VAR); returns it.
 * need_index_below: has an index, and one below k; returns it.
 * need_same: equal to `known`, all of which is looked at. */
static inline int    wr_need(wr_node *e, uint64_t tags);
static inline size_t wr_need_index_below(wr_node *e, size_t k);
WR_API void          wr_need_same(wr_node *e, wr_node *known);

/* A precondition: where it is false the case is discarded. With --explore enumerate it may also be
 * asked about values that another one has refused, many times in one case; it depends on the tree
 * alone, and stands for every case that draws the tree (docs/enumerating.md). */
WR_API void wr_require(wr_case *t, bool (*predicate)(wr_node *), wr_node *e);

/* Looks only as far as it must: to the first difference, and not into what is the same node. */
WR_API bool wr_equal(wr_node *a, wr_node *b);
/* Equal trees have equal hashes. Looks at everything, as wr_force() does. */
WR_API uint64_t wr_hash(wr_node *e);
WR_API void     wr_force(wr_node *e);
/* As it is by now, with '_' for what was not looked at: looks at nothing. A report shows trees
 * in the same way, as they were when the case ended. */
WR_API char *wr_shown(wr_case *t, const wr_node *e);
/* Makes something else of a tree: `make` is called for each node, with what it made of the
 * node's arguments, from the leaves up; returns what it made of e. Fills in your own structs,
 * or computes; looks at all tags, at indices only where `make` does. */
WR_API void *wr_fold(wr_case *t, wr_node *e,
                     void *(*make)(wr_case *t, wr_node *e, void **made, void *context),
                     void *context);

/* ---- 4. Memory of the case ------------------------------------------------------------- */

/* Zeroed, aligned for any type. Never NULL: a case that asks for more than 64 MiB is ended. */
WR_API void *wr_alloc(wr_case *t, size_t bytes);
WR_API void *wr_copy(wr_case *t, const void *from, size_t bytes);
WR_API char *wr_format(wr_case *t, const char *format, ...) WR_PRINTF_(2, 3);
/* Ends at a page that may not be touched: an overread or overrun crashes, with no sanitizer.
 * It is aligned only if `bytes` is. Zeroed; `wr_guarded_copy` fills it in. */
WR_API void *wr_guarded(wr_case *t, size_t bytes);
WR_API void *wr_guarded_copy(wr_case *t, const void *from, size_t bytes);
/* From malloc(), for code that frees or keeps its argument. Yours to free. */
WR_API void *wr_malloced(wr_case *t, const void *from, size_t bytes);
/* Calls function(pointer) when the case ends, last deferred first, unless it crashed. */
WR_API void wr_defer(wr_case *t, void (*function)(void *), void *pointer);
/* An empty folder of this case's own, removed with all that is in it after the case. */
WR_API const char *wr_tempdir(wr_case *t);

/* ---- 5. Verdicts ------------------------------------------------------------------------- */

/* Each of these leaves the property when it does not hold. */
#define wr_assert(t, condition)                                                                  \
    (WR_RARE_(!(condition)) ? wr_assertion_failed_(t, __FILE__, __LINE__, #condition) : (void)0)
#define wr_assume(t, condition) (WR_RARE_(!(condition)) ? wr_discard_(t) : (void)0)
#define wr_fail(t, ...) wr_fail_(t, __FILE__, __LINE__, __VA_ARGS__)

/* What fails from here on is another bug than what fails at the same place in another class; NULL:
 * in none. Of crashes only the place counts. */
WR_API void wr_class(wr_case *t, const char *name);

/* Compares two integers, two reals, two strings (by content: char *), or two pointers, and
 * says both values. Integers compare by value: -1 is less than 1u. */
#define wr_assert_eq(t, a, b) WR_COMPARE_(t, a, ==, WR_EQ_, b)
#define wr_assert_ne(t, a, b) WR_COMPARE_(t, a, !=, WR_NE_, b)
#define wr_assert_lt(t, a, b) WR_COMPARE_(t, a, <, WR_LT_, b)
#define wr_assert_le(t, a, b) WR_COMPARE_(t, a, <=, WR_LE_, b)
#define wr_assert_gt(t, a, b) WR_COMPARE_(t, a, >, WR_GT_, b)
#define wr_assert_ge(t, a, b) WR_COMPARE_(t, a, >=, WR_GE_, b)
/* |a - b| <= tolerance; NaN is near NaN, an infinity is near itself. */
#define wr_assert_near(t, a, b, tolerance)                                                       \
    wr_assert_near_(t, __FILE__, __LINE__, #a, #b, a, b, tolerance)
/* Strings (NULL is allowed and differs from ""), with the first difference marked. */
#define wr_assert_str_eq(t, a, b) wr_assert_str_eq_(t, __FILE__, __LINE__, #a, #b, a, b)
/* Memory, with a hex dump of both around the first difference. */
#define wr_assert_mem_eq(t, a, b, bytes)                                                         \
    wr_assert_mem_eq_(t, __FILE__, __LINE__, #a, #b, a, b, bytes)

/* A line for the report of a failing case. Costs nothing while exploring. */
WR_API void wr_note(wr_case *t, const char *format, ...) WR_PRINTF_(2, 3);
/* A value for the report, by name, as if it had been drawn: for your own structs. */
WR_API void wr_show(wr_case *t, const char *name, const char *format, ...) WR_PRINTF_(3, 4);
/* The same by a function that prints with wr_put(); called for a report only. */
typedef struct wr_out wr_out;
WR_API void wr_put(wr_out *out, const char *format, ...) WR_PRINTF_(2, 3);
WR_API void wr_show_by(wr_case *t, const char *name, void (*show)(wr_out *out, const void *value),
                       const void *value);

/* The whole property is skipped, if no case has failed. */
WR_NORETURN_ WR_API void wr_skip(wr_case *t, const char *why);

/* A debugger stops here when a case fails: break wr_case_failed (with the shared library,
 * first: set breakpoint pending on) */
WR_API void wr_case_failed(wr_case *t);

/* ---- 6. Observations ----------------------------------------------------------------------- */

/* What a property shows is counted once a case, over the cases that were not discarded, and
 * leads exploring to cases that show something new. <warren/observe.h> has the same without a
 * `t`, for the code under test. Labels and names are cut to 79 bytes. */

/* Counts the cases that show this; the report has a table of shares. */
#define wr_label(t, ...) WR_LABEL_(t, __VA_ARGS__)
#define wr_classify(t, condition, label) ((condition) ? WR_SHOW_(t, label) : (void)0)
/* A row of the table `name`, for an integer (those beyond 15 in rows of powers of two), a real,
 * a bool or a string. */
#define wr_collect(t, name, value) wr_collect_(t, name, WR_ANY_(value))
/* A label that `percent` of the cases should have; a run that has fewer is warned of, and fails
 * with --check-coverage. This and what follows wants a string constant for its label. */
#define wr_cover(t, condition, percent, label) WR_CHECK_(t, COVER, condition, label, percent)

/* True in at least one case of the run; with --check-coverage a run fails where it never is. */
#define wr_sometimes(t, condition, label) WR_CHECK_(t, SOMETIMES, condition, label, 0)
#define wr_reachable(t, label) WR_CHECK_(t, REACHABLE, true, label, 0)
/* Leave the property when they do not hold, as wr_assert() does, and are counted besides. */
#define wr_always(t, condition, label) WR_CHECK_(t, ALWAYS, condition, label, 0)
#define wr_unreachable(t, label) WR_CHECK_(t, UNREACHABLE, false, label, 0)
/* The same for two numbers, by value whatever their types: how far they are apart is a guide. */
#define wr_sometimes_lt(t, a, b, label) WR_GAP_(t, SOMETIMES, a, WR_LT_, b, label)
#define wr_sometimes_le(t, a, b, label) WR_GAP_(t, SOMETIMES, a, WR_LE_, b, label)
#define wr_sometimes_gt(t, a, b, label) WR_GAP_(t, SOMETIMES, a, WR_GT_, b, label)
#define wr_sometimes_ge(t, a, b, label) WR_GAP_(t, SOMETIMES, a, WR_GE_, b, label)
#define wr_sometimes_eq(t, a, b, label) WR_GAP_(t, SOMETIMES, a, WR_EQ_, b, label)
#define wr_always_lt(t, a, b, label) WR_GAP_(t, ALWAYS, a, WR_LT_, b, label)
#define wr_always_le(t, a, b, label) WR_GAP_(t, ALWAYS, a, WR_LE_, b, label)
#define wr_always_gt(t, a, b, label) WR_GAP_(t, ALWAYS, a, WR_GT_, b, label)
#define wr_always_ge(t, a, b, label) WR_GAP_(t, ALWAYS, a, WR_GE_, b, label)
#define wr_always_eq(t, a, b, label) WR_GAP_(t, ALWAYS, a, WR_EQ_, b, label)

/* A number that exploring should make as large, or as small, as it can. */
#define wr_maximise(t, name, value) wr_slot_(t, name, WR_ANY_(value), true)
#define wr_minimise(t, name, value) wr_slot_(t, name, WR_ANY_(value), false)
/* The code is in the state `name`, `number`: an integer of few different values. */
#define wr_state(t, name, number) wr_state_(t, name, WR_ANY_(number))

/* ---- 7. Machines: sequences of calls ------------------------------------------------------ */

/* An API as a table of commands, each with one function that makes the call, asserts what must be
 * true of it and brings the model up to date:
 *
 *     static const wr_kind NAME = { "name", .values = 5, .show = show_name };
 *     static const wr_kind PID  = { "pid", .handle = true, .type = "process *" };
 *
 *     static const wr_command COMMANDS[] = {
 *         { "spawn",    do_spawn,    .gives = &PID },
 *         { "register", do_register, .takes = { &NAME, &PID } },
 *         { "kill",     do_kill,     .takes = { &PID }, .when = some_process, .weight = 2 },
 *         { 0 } };
 *     WR_MACHINE(registry, .commands = COMMANDS, .model_size = sizeof(model), .start = start);
 *
 * A machine is a property: a case is a sequence of calls. A failing sequence is made as short as it
 * gets, never with a call whose precondition does not hold, and printed as C.
 * Tables are constants, as types are. A table that makes no sense ends the run with status 99. */
typedef struct wr_call wr_call;

/* What arguments and results are: values, or handles. A value is a number; drawn by a function of
 * your own it may be a pointer, cast. A handle is a pointer that some call gave. */
typedef struct wr_kind {
    const char *name;
    size_t      values;               /* values: one of 0..values-1, all alike; */
    int64_t   (*draw)(wr_case *t);    /* or what this draws, best with names of NULL */
    void      (*show)(wr_out *out, int64_t value); /* as C; NULL: the number */
    bool        symmetric;            /* no value is special: all cases are those up to renaming */
    int64_t   (*abstract)(int64_t value); /* what of a value matters to a bug: values for which it
                                         says the same are the same there; NULL: all of it */
    bool        handle;               /* handles: those that are alive, all alike */
    const char *type;                 /* of a handle, as C ("void *") */
    bool      (*equal)(const void *a, const void *b); /* given, it is checked after calls: it is
                                         reflexive and symmetric, */
    uint64_t  (*hash)(const void *handle); /* and what is equal hashes alike */
    void      (*release)(void *handle); /* of those alive when a case ends, unless it crashed */
} wr_kind;

typedef struct wr_command {
    const char    *name;              /* NULL: the table ends here */
    void         (*call)(wr_case *t, wr_call *call);
    const wr_kind *takes[8];          /* the first that is NULL ends them */
    const wr_kind *gives;             /* handles; NULL: it gives none */
    uint32_t       consumes;          /* 1u << i: argument i, a handle, is dead after the call */
    bool         (*when)(const wr_call *call); /* may it be called? Looks at model and arguments and
                                         changes nothing. One that can say no without looking at an
                                         argument is asked before there are any. */
    uint32_t       weight;            /* how often, among all that can be called (1) */
    bool           observer;          /* the model stays as it is, which is checked */
} wr_command;

/* Calls that a random sequence makes one after the other, as far as they can be called: a set-up.
 * Handles are those that it gave itself. They are calls like any others for all that follows. */
typedef struct wr_macro {
    const char *name;                 /* NULL: the table ends here */
    const char *commands[16];         /* by name; the first that is NULL ends them */
    uint32_t    weight;               /* as that of a command (1) */
    bool        first;                /* every random sequence begins with it */
} wr_macro;

typedef struct wr_machine {
    const wr_command *commands;       /* at most 64, and { 0 } after the last */
    const wr_macro   *macros;         /* likewise; NULL: none */
    size_t            calls;          /* the most of a sequence (240 at random, else 40) */
    size_t            model_size;     /* bytes of the model, zeroed before `start` */
    void (*start)(wr_case *t, void *model);     /* before the first call */
    void (*stop)(wr_case *t, void *model);      /* after the last, also after a failure, and when
                                                   `start` was left half-way; not after a crash */
    void (*invariant)(wr_case *t, void *model); /* after `start` and each call: asserts */
    /* For models that own memory: makes a copy in zeroed memory, frees what one owns, compares. All
     * three, or none, and then models are copied and compared by their bytes. */
    void (*copy)(void *to, const void *from);
    void (*free)(void *model);
    bool (*equal)(const void *a, const void *b);
    uint64_t (*hash)(const void *model); /* tells states apart (--explore feedback); NULL: by
                                            their bytes */
    wr_options        options;        /* those of the property */
} wr_machine;

#define WR_MACHINE(name_, ...)                                                                   \
    WR_QUIETLY_(static const wr_machine wr_machine_##name_ = { __VA_ARGS__ };)                   \
    static void wr_body_##name_(wr_case *t)                                                      \
    {                                                                                            \
        wr_play_(t, &wr_machine_##name_, #name_, __FILE__, __LINE__);                            \
    }                                                                                            \
    static wr_property_ wr_property_##name_ = { #name_, __FILE__, __LINE__, wr_body_##name_,     \
                                                &wr_machine_##name_.options, 0,                  \
                                                &wr_machine_##name_ };                           \
    __attribute__((constructor)) static void wr_enter_##name_(void)                              \
    {                                                                                            \
        wr_register_(&wr_property_##name_);                                                      \
    }                                                                                            \
    typedef int wr_machine_##name_##_ends_here_

/* In the functions of a command. Arguments count from 0; one of the other sort is misuse. */
WR_API void   *wr_model(const wr_call *call);
WR_API int64_t wr_value(const wr_call *call, unsigned argument);
WR_API void   *wr_pointer(const wr_call *call, unsigned argument); /* the value, cast back */
WR_API void   *wr_handle(const wr_call *call, unsigned argument);
/* A handle as a number below 64, for models that are arrays; alive, no two of a kind have the same. */
WR_API unsigned wr_number(const wr_call *call, unsigned argument);
/* The call's result, which is alive from now on; its number. NULL: nothing is given. */
WR_API unsigned wr_give(wr_call *call, void *handle);

/* ---- What the macros above call: not for you ------------------------------------------- */

typedef struct wr_property_ {
    const char          *name, *file;
    int                  line;
    wr_body             *body;
    const wr_options    *options;
    struct wr_property_ *next;
    const wr_machine    *machine; /* NULL: it is a plain property */
} wr_property_;

WR_API void   wr_register_(wr_property_ *property);
WR_API void   wr_play_(wr_case *t, const wr_machine *machine, const char *name, const char *file,
                       int line);
WR_API size_t wr_each_begin_(wr_case *t, size_t n);
WR_API bool   wr_each_round_(wr_case *t, size_t loop, size_t i);
WR_API void   wr_each_left_(size_t *loop);
WR_NORETURN_ WR_API void wr_assertion_failed_(wr_case *t, const char *file, int line,
                                              const char *condition);
WR_NORETURN_ WR_API void wr_discard_(wr_case *t);
WR_NORETURN_ WR_API void wr_fail_(wr_case *t, const char *file, int line, const char *format, ...)
    WR_PRINTF_(4, 5);
WR_API void wr_compare_(wr_case *t, const char *file, int line, const char *a_text,
                        const char *b_text, wr_relation_ relation, wr_any_ a, wr_any_ b);
WR_API void wr_assert_near_(wr_case *t, const char *file, int line, const char *a_text,
                            const char *b_text, double a, double b, double tolerance);
WR_API void wr_assert_str_eq_(wr_case *t, const char *file, int line, const char *a_text,
                              const char *b_text, const char *a, const char *b);
WR_API void wr_assert_mem_eq_(wr_case *t, const char *file, int line, const char *a_text,
                              const char *b_text, const void *a, const void *b, size_t bytes);
WR_API void wr_sanitizer_error_(void);

/* What is chosen is read where it is; what is not, goes through the library. */
struct wr_node { /* as large as a line of the cache */
    int32_t                tag_;      /* negative: not chosen yet */
    uint8_t                arity_;    /* 0 until it is */
    uint8_t                position_; /* among its parent's arguments */
    bool                   indexed_;  /* whether the index is known */
    bool                   split_;    /* the sizes below are known of all arguments */
    wr_node               *args_;     /* `arity_` nodes, one after the other */
    const struct wr_type_ *type_;
    struct wr_tree_       *tree_;
    wr_node               *parent_;
    uint32_t               index_;    /* if it is known */
    uint32_t               size_, index_size_; /* its share of the tree's size, and its index's */
    uint32_t               span_, counterpart_, opened_; /* where its choices stand in the log */
};
WR_API int      wr_choose_tag_(wr_node *e);
WR_API wr_node *wr_choose_arg_(wr_node *e, size_t i);
WR_API size_t   wr_choose_index_(wr_node *e);
WR_API int      wr_choose_needed_(wr_node *e, uint64_t tags);
WR_API size_t   wr_choose_index_below_(wr_node *e, size_t k);

static inline int wr_tag(wr_node *e)
{
    return WR_RARE_(e->tag_ < 0) ? wr_choose_tag_(e) : e->tag_;
}
static inline wr_node *wr_arg(wr_node *e, size_t i)
{
    return WR_RARE_(i >= e->arity_) ? wr_choose_arg_(e, i) : e->args_ + i;
}
static inline size_t wr_index(wr_node *e)
{
    return WR_RARE_(!e->indexed_) ? wr_choose_index_(e) : e->index_;
}
static inline int wr_need(wr_node *e, uint64_t tags)
{
    return WR_RARE_(e->tag_ < 0 || (tags >> e->tag_ & 1) == 0) ? wr_choose_needed_(e, tags)
                                                               : e->tag_;
}
static inline size_t wr_need_index_below(wr_node *e, size_t k)
{
    return WR_RARE_(!e->indexed_ || e->index_ >= k) ? wr_choose_index_below_(e, k) : e->index_;
}

#define WR_COMPARE_(t, a, operation, relation, b)                                                \
    wr_compare_(t, __FILE__, __LINE__, #a, #b, relation, WR_ANY_(a), WR_ANY_(b))

#ifdef __cplusplus
} /* extern "C" */
#endif

/* AddressSanitizer calls this before it prints: Warren notes what and where, and only the
 * final case pays for a symbolised report. */
#if defined(__SANITIZE_ADDRESS__)
#define WR_ASAN_ 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WR_ASAN_ 1
#endif
#endif
#if defined(WR_ASAN_) && !defined(WR_BUILDING_) && defined(__clang__) &&                         \
    (defined(__x86_64__) || defined(__aarch64__))
/* clang's run-time has a weak one of its own and is linked first: a strong one wins, and as a
 * COMDAT it may be in every file that includes this. */
__asm__(".pushsection .text.__asan_on_error,\"axG\",@progbits,__asan_on_error,comdat\n"
        ".globl __asan_on_error\n"
        ".type __asan_on_error,@function\n"
        "__asan_on_error:\n"
#if defined(__x86_64__)
        "jmp wr_sanitizer_error_@PLT\n"
#else
        "b wr_sanitizer_error_\n"
#endif
        ".size __asan_on_error,.-__asan_on_error\n"
        ".popsection\n");
#elif defined(WR_ASAN_) && !defined(WR_BUILDING_)
#ifdef __cplusplus
extern "C"
#endif
    __attribute__((weak, used, visibility("default"))) void
    __asan_on_error(void);
#ifdef __cplusplus
extern "C"
#endif
    __attribute__((weak, used, visibility("default"))) void
    __asan_on_error(void)
{
    wr_sanitizer_error_();
}
#endif

/* Where this file is instrumented, or with -DWR_SIGNALS, the functions that instrumented code calls
 * are planted likewise: sanitizers' run-times have empty ones that would be called instead of
 * Warren's. gcc does not say whether it instruments; there it is enough to do so with a sanitizer.
 * With -DWR_NO_SIGNALS they are not: libFuzzer has its own. */
#if defined(WR_SIGNALS)
#define WR_SIGNALS_ 1
#elif defined(__clang__) && defined(__has_feature)
#if __has_feature(coverage_sanitizer)
#define WR_SIGNALS_ 1
#endif
#elif defined(WR_ASAN_)
#define WR_SIGNALS_ 1
#endif
#if defined(WR_SIGNALS_) && !defined(WR_NO_SIGNALS) && !defined(WR_BUILDING_) &&                  \
    (defined(__x86_64__) || defined(__aarch64__))
__asm__(".pushsection .text.wr_signals_,\"axG\",@progbits,wr_signals_,comdat\n"
        ".irp name,cov_trace_cmp1,cov_trace_cmp2,cov_trace_cmp4,cov_trace_cmp8,"
        "cov_trace_const_cmp1,cov_trace_const_cmp2,cov_trace_const_cmp4,cov_trace_const_cmp8,"
        "cov_trace_switch,cov_trace_pc_guard,cov_trace_pc_guard_init,cov_8bit_counters_init,"
        "cov_pcs_init,weak_hook_memcmp,weak_hook_strcmp,weak_hook_strncmp,weak_hook_strcasecmp,"
        "weak_hook_strncasecmp\n"
        ".globl __sanitizer_\\name\n"
        ".type __sanitizer_\\name,@function\n"
        "__sanitizer_\\name:\n"
#if defined(__x86_64__)
        "jmp wr_\\name\\()_@PLT\n"
#else
        "b wr_\\name\\()_\n"
#endif
        ".size __sanitizer_\\name,.-__sanitizer_\\name\n"
        ".endr\n"
        ".popsection\n");
#endif

#endif

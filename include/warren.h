/* warren.h: property-based testing for C.
 *
 * A property is a plain C function. It draws values by name and asserts what must hold:
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
 * Link with -lwarren, which brings main(). A main() of your own wins and may call wr_main().
 * Sections 1, 2 and 5 are enough for most properties.
 *
 *     1. A property    2. Draws           3. Trees           4. Memory
 *     5. Verdicts      6. Observations    7. Machines
 *
 * Caveats, before anything else:
 *  - Drawn values belong to the case and die with it. Free only memory from wr_malloced().
 *  - A failed assertion, an unmet assumption and a skip leave the property with longjmp. Release
 *    files, locks and other memory through wr_defer(), which also runs after such a jump.
 *  - The body runs many times in one worker process. The next case sees the global state that a
 *    case leaves behind. Use .setup, or run with --fork-each.
 *  - Draw and assert only in the thread that runs the property.
 *  - A property must be a function of the values it draws: no clock, no rand(), no addresses.
 *  - Misuse (lo > hi, a null array of weights) ends the run with status 99 and names the draw.
 *
 * Names: functions and types begin with wr_, macros with WR_. Names that end in _ are internal.
 * In an options struct zero means default. A report prints a value under `name`; with NULL it
 * does not print the value.
 */
#ifndef WARREN_H
#define WARREN_H

#if !defined(__cplusplus) && (!defined(__STDC_VERSION__) || __STDC_VERSION__ < 199901L)
#error "warren.h needs C99 or later"
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "warren/observe.h"

#define WR_VERSION "0.1.0"

/* clang-format off */
#define WR_RARE_(condition) __builtin_expect(!!(condition), 0)
/* An expression that does not begin with '(': after a line without its semicolon, that would be a
 * call. */
#define WR_APART_(...) __extension__(__VA_ARGS__)
/* Without parentheses of ours around the condition: compilers warn of `x = 1` in an `if`. The
 * statement does not return, so compilers take it for rare. */
#define WR_UNLESS_(condition, statement)                                                         \
    __extension__({ if (condition) (void)0; else statement; })
/* gcc warns of an array with fewer elements than the argument says that counts them. */
#define WR_COUNTED_(array, count)
#if defined(__has_attribute)
#if __has_attribute(access)
#undef WR_COUNTED_
#define WR_COUNTED_(array, count) __attribute__((access(read_only, array, count)))
#endif
#endif
#if defined(__cplusplus)
#define WR_NORETURN_ [[noreturn]]
#if defined(__clang__)
#define WR_DESIGNATED_ _Pragma("GCC diagnostic ignored \"-Wc++20-designator\"")
#elif __GNUC__ >= 12
#define WR_DESIGNATED_ _Pragma("GCC diagnostic ignored \"-Wc++20-extensions\"")
#else
#define WR_DESIGNATED_ _Pragma("GCC diagnostic ignored \"-Wpedantic\"")
#endif
/* g++ -Wextra warns of options that are not given, though zero is intended; before C++20,
 * -Wpedantic warns of options that are. */
#define WR_QUIETLY_(...)                                                                         \
    _Pragma("GCC diagnostic push")                                                               \
    _Pragma("GCC diagnostic ignored \"-Wmissing-field-initializers\"")                           \
    WR_DESIGNATED_                                                                               \
    __VA_ARGS__                                                                                  \
    _Pragma("GCC diagnostic pop")
#define WR_UNWARNED_(...) WR_QUIETLY_(__VA_ARGS__)
#define WR_LAST_ wr_con()
#define WR_NO_OPTIONS_
#else
#define WR_NORETURN_ __attribute__((noreturn))
#define WR_QUIETLY_(...) __VA_ARGS__
/* In C, compilers warn only of initialisers that name no field: { "Con" }. */
#define WR_UNWARNED_(...)                                                                        \
    _Pragma("GCC diagnostic push")                                                               \
    _Pragma("GCC diagnostic ignored \"-Wmissing-field-initializers\"")                           \
    __VA_ARGS__                                                                                  \
    _Pragma("GCC diagnostic pop")
#define WR_LAST_ { 0 }
#define WR_NO_OPTIONS_ .cases = 0
#endif
/* clang-format on */

/* How structs grow. A program runs with any libwarren of the same SONAME, whichever header it was
 * compiled with. So a struct that a program fills in keeps its size, and members keep their
 * places. The struct ends in a reserve of zeroed words. A new member takes the first of them:
 *
 *     bool observer;
 *     WR_WORD_ bool     silent;          new
 *     WR_WORD_ uint64_t reserve_[5];     was 6
 *
 * Zero means default, so an older program asks for nothing new. If a newer program sets the new
 * member, an older library sees a word of its reserve in use: the run ends with status 99. If one
 * word is left, it becomes a pointer to more. Structs without a reserve never change. */
#ifndef WR_WORD_
#define WR_WORD_ __attribute__((aligned(8)))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 1. A property ---------------------------------------------------------------------- */

/* One test case: the choices made so far, and the memory that belongs to it. */
typedef struct wr_case wr_case;

/* The explorer, which answers the draws of a case. */
typedef enum wr_explore {
    WR_AUTO,      /* Warren decides (the default) */
    WR_RANDOM,    /* at random */
    WR_GUIDE,     /* led by what earlier cases have shown */
    WR_ENUMERATE, /* all cases one after the other, the smallest first */
    WR_FEEDBACK,  /* for machines: one more call from each state that was reached */
    WR_RESTART,   /* trees: at random, from one refuted case to the next; begun anew and again */
    WR_COMBINE,   /* combinations of values: all pairs, and more, in few cases */
    WR_RADIX      /* trees: all cases, row by row of a covering array of constructor paths */
} wr_explore;

/* How to go on after a precondition refuted a random tree. Warren excludes every tree that agrees
 * with the refuted one in the parts that the precondition looked at, and draws again. It does so
 * only if the case has drawn nothing but trees. */
typedef enum wr_redraw {
    WR_REDRAW_UNIFORM, /* draw all again: trees of a size are equally likely (the default) */
    WR_REDRAW_SKEWED,  /* keep the first choices: faster, but not equally likely */
    WR_REDRAW_OFF      /* discard the case */
} wr_redraw;

/* The options of one property, with the defaults in brackets. A command-line option wins. */
typedef struct wr_options {
    const char *name;              /* the name in reports, for wr_check() (the function's) */
    size_t      cases;             /* stop after so many; discarded ones do not count (1000) */
    uint64_t    time_ms;           /* stop after so long (no limit) */
    size_t      size;              /* of recursive values (30); WR_ENUMERATE: of all cases */
    uint64_t    deadline_ms;       /* CPU time of one case (10 s) */
    uint64_t    memory;            /* bytes that may be resident during a case (no limit) */
    uint64_t    shrink_time_ms;    /* time to shrink one failure (30 s) */
    uint64_t    seed;              /* a fixed seed (from the clock) */
    const char *skip;              /* a reason for not running the property */
    bool        many_bugs;         /* --bugs many: go on after a bug */
    bool        fork_each;         /* --fork-each: a process for each case */
    bool        may_draw_nothing;  /* do not warn when a case draws no value */
    bool        until_stable;      /* --until-stable: go on until cases show nothing new */
    wr_explore  explore;           /* --explore */
    wr_redraw   redraw;            /* --redraw */
    bool        check_coverage;    /* --check-coverage: fail on a missed wr_cover */
    void (*setup)(wr_case *t);     /* before each case; may draw */
    void (*teardown)(wr_case *t);  /* after each case, unless it crashed */
    void (*worker_setup)(void);    /* once in each worker process */
    void (*worker_teardown)(void); /* when a worker ends, unless it crashed */
    uint64_t processes;            /* processes that one case may have at a time (64) */
    /* Calls that fail, from the end of `setup` to the end of the property (warren/faults.h).
     * NULL: none. Machines have a member of this name. */
    WR_WORD_ const struct wr_fault_options *faults;
    WR_WORD_ uint64_t                       reserve_[6];
} wr_options;

/* The function of a property. */
typedef void wr_body(wr_case *t);

/* WR_PROPERTY(name) { body } defines and registers a property; `wr_case *t` is in scope.
 * WR_PROPERTY_WITH(name, .cases = 5000, .setup = open_db) { body } gives it options. */
/* clang-format off */
#define WR_PROPERTY(name) WR_PROPERTY_AS_(name, WR_NO_OPTIONS_)
#define WR_PROPERTY_WITH(name, ...) WR_PROPERTY_AS_(name, __VA_ARGS__)
#define WR_PROPERTY_AS_(name_, ...)                                                              \
    static void wr_body_##name_(wr_case *t);                                                     \
    WR_QUIETLY_(static const wr_options wr_options_##name_ = { __VA_ARGS__ };)                   \
    static wr_property_ wr_property_##name_ = { #name_,           __FILE__,           __LINE__,  \
                                                wr_body_##name_,  &wr_options_##name_, 0, 0 };   \
    __attribute__((constructor)) static void wr_enter_##name_(void)                              \
    {                                                                                            \
        wr_register_(&wr_property_##name_);                                                      \
    }                                                                                            \
    static void wr_body_##name_(__attribute__((unused)) wr_case *t)
/* clang-format on */

/* WR_EXAMPLE(property, "n = 2", "xs = [0, -1]"); gives an explicit case, by the names and in the
 * form that a report prints. It runs before all others. Values that it does not name are the
 * simplest. WR_EXAMPLE(property, "w1..."); gives the case of a token. */
#define WR_EXAMPLE(property, ...) WR_EXAMPLE_AS_(#property, __COUNTER__, __VA_ARGS__)

/* Runs the program's properties as the arguments say. Returns the exit status: 0 all held, 1 one
 * failed, gave up or was flaky, 77 all were skipped, 99 the program could not run as asked, 130
 * interrupted with nothing failed. */
WR_API int wr_main(int argc, char **argv);

/* Runs one property from inside any framework, as the options and the WARREN_ environment say.
 * Returns the same statuses as wr_main(). `options` may be NULL. Stored failures and tokens go by
 * the property's name: it is .name, else that of the function. Another function of that name, and
 * a property without a name, such as a lambda, are errors. */
WR_API int wr_check(const wr_options *options, wr_body *property);
#define wr_check(...) wr_check_(__FILE__, __LINE__, #__VA_ARGS__, __VA_ARGS__)

/* The result of a property, for a framework that reports by itself. A later version may have more
 * members. */
typedef struct wr_told {
    int         status; /* as wr_check() returns it */
    int         line;   /* the place that failed, else that of the property */
    const char *file;
    const char *report; /* the text that wr_check() would print with --quiet; "" if all held */
} wr_told;

/* Runs one property as wr_check() does, and prints nothing. The result belongs to Warren and
 * stays as it is until the next call. */
WR_API const wr_told *wr_tell(const wr_options *options, wr_body *property);
#define wr_tell(...) wr_tell_(__FILE__, __LINE__, #__VA_ARGS__, __VA_ARGS__)

/* ---- 2. Draws: ordinary C values ---------------------------------------------------------- */

/* True or false; false is simpler. */
WR_API bool wr_bool(wr_case *t, const char *name);
/* True in `numerator` of `denominator` cases; false is simpler. */
WR_API bool wr_chance(wr_case *t, const char *name, uint32_t numerator, uint32_t denominator);

/* lo..hi, both included. The number nearest to 0 is simplest: 0, 1, -1, 2, ... */
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

/* Reals: lo..hi draws finite values, both ends included; `any` draws every value of the type,
 * also NaN and infinities. Whole numbers are simplest, then numbers with few fractional bits. */
WR_API double wr_double(wr_case *t, const char *name, double lo, double hi);
WR_API double wr_any_double(wr_case *t, const char *name);
WR_API float  wr_float(wr_case *t, const char *name, float lo, float hi);
WR_API float  wr_any_float(wr_case *t, const char *name);

/* A length. Arrays and wr_each loops of this many elements belong to it: shrinking deletes an
 * element of all of them, and reduces the length, in one step. */
WR_API size_t wr_size(wr_case *t, const char *name, size_t lo, size_t hi);

/* An index below n (n > 0). Weighted: index i has the probability weights[i] / their sum; an
 * index of weight 0 is never drawn. */
WR_API size_t wr_pick(wr_case *t, const char *name, size_t n);
WR_API size_t wr_weighted(wr_case *t, const char *name, size_t n, const uint32_t *weights)
    WR_COUNTED_(4, 3);

/* One of an enumeration's constants, printed by its name; the first is simplest. */
typedef struct wr_constant {
    const char *name;
    int64_t     value;
} wr_constant;
/* clang-format off */
#define WR_CONSTANT(identifier) { #identifier, (int64_t)(identifier) }
/* clang-format on */
WR_API int64_t wr_enum(wr_case *t, const char *name, size_t n, const wr_constant *constants)
    WR_COUNTED_(4, 3);

/* Text of min..max characters, with a NUL after it; the length is drawn, too. UTF-8 counts code
 * points, is always valid, and has no U+0000 inside. */
WR_API char *wr_text(wr_case *t, const char *name, size_t min, size_t max); /* printable ASCII */
WR_API char *wr_utf8(wr_case *t, const char *name, size_t min, size_t max);
/* [A-Za-z_][A-Za-z0-9_]*; 'a' is simplest. */
WR_API char *wr_identifier(wr_case *t, const char *name, size_t min, size_t max);
/* Characters of `alphabet` only; its first is simplest. */
WR_API char *wr_text_of(wr_case *t, const char *name, const char *alphabet, size_t min,
                        size_t max);
/* A string that the regular expression matches as a whole. ASCII only. An unbounded repetition
 * adds at most 16 rounds. The syntax: literals, '.', [classes] and [^classes], \d \w \s \D \W \S,
 * \n \t \r \xHH and escaped punctuation, (groups) and (?:groups), '|', * + ? {n} {n,} {n,m}. */
WR_API char *wr_matching(wr_case *t, const char *name, const char *regex);

/* min..max of the n pieces one after the other, each any number of times: text of tokens, for
 * parsers. The first piece is simplest; shrinking deletes pieces. */
WR_API char *wr_pieces(wr_case *t, const char *name, size_t n, const char *const *pieces,
                       size_t min, size_t max) WR_COUNTED_(4, 3);
/* The same for bytes, which may hold NUL; *length is their number. WR_PIECE("IHDR\0") */
typedef struct wr_piece {
    const void *bytes;
    size_t      length;
} wr_piece;
/* clang-format off */
#define WR_PIECE(literal) { "" literal, sizeof(literal) - 1 }
/* clang-format on */
WR_API uint8_t *wr_byte_pieces(wr_case *t, const char *name, size_t n, const wr_piece *pieces,
                               size_t min, size_t max, size_t *length) WR_COUNTED_(4, 3);

/* Any code point but surrogates, U+0000 included; 'a' is simplest. */
WR_API uint32_t wr_codepoint(wr_case *t, const char *name);
/* A name of min..max bytes, at most 255: without '/' and NUL, neither "." nor "..". */
WR_API char *wr_filename(wr_case *t, const char *name, size_t min, size_t max);
/* Addresses as text: "127.0.0.1"; "::1" and the other forms that are valid. */
WR_API char *wr_ipv4(wr_case *t, const char *name);
WR_API char *wr_ipv6(wr_case *t, const char *name);
/* A date of the years first..last, which lie within 1..9999; 2000-01-01 is simplest. A time of
 * day, on 1970-01-01. For mktime(), timegm() and strftime(): tm_wday and tm_yday are set. */
WR_API struct tm wr_date(wr_case *t, const char *name, int first, int last);
WR_API struct tm wr_time(wr_case *t, const char *name);
/* A format of printf() with one conversion: `conversions` is the argument's length and the
 * letters that fit its type, "d", "lldxX", "eEfgG", "s". */
WR_API char *wr_printf_format(wr_case *t, const char *name, const char *conversions);

/* Arrays of n values, never NULL. They belong to the wr_size() that gave n. */
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

/* n values, no two of them equal. The range must hold that many. */
WR_API int64_t *wr_unique_ints(wr_case *t, const char *name, size_t n, int64_t lo, int64_t hi);
/* The numbers 0..n-1 in some order; in order is simplest. */
WR_API size_t *wr_permutation(wr_case *t, const char *name, size_t n);
/* n flags that say which of n things are in the subset; none is simplest. */
WR_API bool *wr_subset(wr_case *t, const char *name, size_t n);

/* for (wr_each(t, i, n)) { ... } counts size_t i from 0 to n-1; t and n are read once. Each round
 * is one element of the case: shrinking deletes whole rounds. break, continue and return work. */
#define wr_each(t, i, n)                                                                         \
    size_t i = 0, wr_loop_##i __attribute__((cleanup(wr_each_left_))) = wr_each_begin_(t, n);    \
    wr_each_round_(wr_loop_##i, i);                                                              \
    i++

/* An array of n structs, or other elements of `bytes` bytes; `draw` fills in each of them. */
WR_API void *wr_array(wr_case *t, size_t n, size_t bytes,
                      void (*draw)(wr_case *t, void *element, void *context), void *context);

/* NULL, or the result of `draw`. NULL is simpler. */
WR_API void *wr_optional(wr_case *t, const char *name, void *(*draw)(wr_case *t, void *context),
                         void *context);

/* A span: the draws between the two calls belong together. Shrinking may drop them, or put
 * another span with the same label in their place. Use a span in every recursive function. A span
 * that is not ended, or ended twice, is misuse; to leave a loop of wr_each() ends those in it. */
WR_API void wr_begin(wr_case *t, const char *label);
WR_API void wr_end(wr_case *t);

/* A recursive value. `grow` makes one node of the given form, 0..forms-1; the first `leaves`
 * forms have no children. For a child it calls wr_recurse() again, with a part of the budget. At
 * a budget of 0 only leaves are legal. A budget of WR_SIZE is the property's size. Each node is a
 * span. */
typedef struct wr_recursion {
    const char     *label;
    size_t          leaves, forms; /* forms <= 64, leaves >= 1 */
    const uint32_t *weights;       /* one for each form; NULL: leaves and others about equally */
    void *(*grow)(wr_case *t, size_t form, size_t budget, void *context);
    void *context;
} wr_recursion;
#define WR_SIZE SIZE_MAX
WR_API void *wr_recurse(wr_case *t, const wr_recursion *recursion, size_t budget);

/* Constants that the random explorer tries now and then: magic numbers for integers, words for
 * text. One text in eight is a word that fits its draw, and one in eight holds words. Warren
 * warns of words that fit no draw. The arrays must outlive the case. */
WR_API void wr_dictionary(wr_case *t, size_t n, const int64_t *numbers) WR_COUNTED_(3, 2);
WR_API void wr_words(wr_case *t, size_t n, const char *const *words) WR_COUNTED_(3, 2);

/* With --explore combine: every combination of values of `strength` of these draws is tried,
 * beside all pairs. 2 to 16 names, as a report prints them. A name that no draw has is an error.
 * Without effect in other explorers. */
WR_API void wr_relate(wr_case *t, unsigned strength, size_t n, const char *const *names)
    WR_COUNTED_(4, 3);

/* ---- 3. Trees: lazy data ------------------------------------------------------------------ */

/* Warren chooses each part of a tree when the property first looks at it. A type is a table of
 * constructors; a tree of that type is a node, at first a hole:
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
 * A constructor's tag is its position, from 0. The size of a value is the sum of the costs of its
 * constructors. Tables are constants: they stay unchanged, and in their place, until the program
 * ends. A wrong table ends the run with status 99: a type without a finite value, an argument
 * without a type, a circle of constructors that cost nothing. */
typedef struct wr_type wr_type;
typedef struct wr_con {
    const char    *name;    /* NULL: the table ends here */
    const wr_type *args[8]; /* types of the arguments; the first NULL ends them */
    /* n: the constructor has an index, 0..n-1, and n is below 2^32. WR_ANY_INDEX: the index is
     * 0..255, and index k costs k more. */
    size_t   index;
    unsigned cost; /* 0: costs 1; WR_FREE: costs nothing */
    /* The printed form: %0 to %7 are the arguments, %i is the index, %% is a percent sign. */
    const char       *show;
    WR_WORD_ uint64_t reserve_[4];
} wr_con;
struct wr_type {
    const char   *name;
    const wr_con *constructors; /* at most 64, and { 0 } after the last */
};
#define WR_ANY_INDEX SIZE_MAX
#define WR_FREE (~0u)
/* WR_TYPE(identifier, "name", constructors...) defines a wr_type, without compiler warnings for
 * fields that an initialiser leaves out. In C++ constructors name all their fields:
 * { .name = "Var", .index = WR_ANY_INDEX }. */
#define WR_TYPE(identifier, name_, ...)                                                          \
    extern const wr_type identifier;                                                             \
    WR_UNWARNED_(                                                                                \
        static const wr_con wr_constructors_##identifier[] = { __VA_ARGS__, WR_LAST_ };)         \
    const wr_type identifier = { name_, wr_constructors_##identifier }

/* One node of a tree. It belongs to the case. */
typedef struct wr_node wr_node;

/* A value of the type, up to the property's size. All values of a size are equally likely. */
WR_API wr_node *wr_tree(wr_case *t, const char *name, const wr_type *type);
/* A value near another one: equal to e, but for one part, which is anew; the same is simplest.
 * Looks at all of e. */
WR_API wr_node *wr_varied(wr_case *t, const char *name, wr_node *e);
/* Look at a node: its constructor, by its tag; argument i, from 0; its index. The first look
 * chooses. An argument or index that the constructor does not have is misuse. */
static inline int      wr_tag(wr_node *e);
static inline wr_node *wr_arg(wr_node *e, size_t i);
static inline size_t   wr_index(wr_node *e);

/* Demands. An unchosen node is chosen only among the values that fit. If nothing fits, or the
 * node was chosen otherwise before, the case is discarded. A predicate that demands what it
 * needs, instead of saying no, finds values faster. Plain wr_tag() is always right.
 *
 *     need              one of these tags (1u << LAM | 1u << VAR); returns the tag
 *     need_index_below  a constructor with an index below k; returns the index
 *     need_same         equal to `known`; looks at all of `known` */
static inline int    wr_need(wr_node *e, uint64_t tags);
static inline size_t wr_need_index_below(wr_node *e, size_t k);
WR_API void          wr_need_same(wr_node *e, wr_node *known);

/* A precondition: if it is false, the case is discarded. The predicate must depend on the tree
 * alone, and the property must require it in every case that draws the tree. With --explore
 * enumerate Warren may call it many times in one case, also on values that another predicate has
 * refused (docs/enumerating.md). */
WR_API void wr_require(wr_case *t, bool (*predicate)(wr_node *), wr_node *e);

/* Looks no further than the first difference, and not into a node that both share. */
WR_API bool wr_equal(wr_node *a, wr_node *b);
/* Equal trees have equal hashes. Looks at everything, as wr_force() does. */
WR_API uint64_t wr_hash(wr_node *e);
WR_API void     wr_force(wr_node *e);
/* The text of the tree so far, with '_' for parts that were not looked at. Looks at nothing. A
 * report shows trees in the same way, as they were when the case ended. */
WR_API char *wr_shown(wr_case *t, const wr_node *e);
/* Turns a tree into your own structs, or computes a result. Calls `make` for each node, from the
 * leaves up, with the results for the node's arguments. Returns the result for e. Looks at all
 * tags, but at an index only if `make` does. */
WR_API void *wr_fold(wr_case *t, wr_node *e,
                     void *(*make)(wr_case *t, wr_node *e, void **made, void *context),
                     void *context);

/* ---- 4. Memory of the case ------------------------------------------------------------- */

/* Zeroed, aligned for any type. Never NULL: a case that asks for more than 64 MiB ends, and does
 * not count; guarded memory is part of that. */
WR_API void *wr_alloc(wr_case *t, size_t bytes);
WR_API void *wr_copy(wr_case *t, const void *from, size_t bytes);
WR_API char *wr_format(wr_case *t, const char *format, ...) WR_PRINTF_(2, 3);
/* Memory that ends at a page that may not be touched: one byte too far crashes, without a
 * sanitizer. It is aligned only if `bytes` is. Zeroed; wr_guarded_copy() fills it in. */
WR_API void *wr_guarded(wr_case *t, size_t bytes);
WR_API void *wr_guarded_copy(wr_case *t, const void *from, size_t bytes);
/* From malloc(), for code that frees or keeps its argument. Free it yourself. */
WR_API void *wr_malloced(wr_case *t, const void *from, size_t bytes);
/* Calls function(pointer) when the case ends, last deferred first, unless the case crashed. */
WR_API void wr_defer(wr_case *t, void (*function)(void *), void *pointer);
/* The same for a function of any pointer type: wr_defer_as(t, cJSON_Delete, json). */
#define wr_defer_as(t, function, pointer)                                                        \
    WR_APART_(                                                                                   \
        (void)sizeof((void)(function)(pointer), 0),                                              \
        wr_defer(t, (void (*)(void *))(void (*)(void))(function), WR_UNQUALIFIED_(pointer)))
/* Memory that other code got from malloc(): the end of the case frees it. Returns the pointer,
 * which may be NULL: char *text = wr_take(t, cJSON_Print(json)). */
WR_API void *wr_take(wr_case *t, void *malloced);
/* An empty folder of this case. Warren removes it with its contents after the case. */
WR_API const char *wr_tempdir(wr_case *t);

/* ---- 5. Verdicts ------------------------------------------------------------------------- */

/* If the condition is false, wr_assert fails the case, and wr_assume discards it. wr_fail always
 * fails it, with a message as of printf(). Each of them then leaves the property. */
#define wr_assert(t, condition)                                                                  \
    WR_UNLESS_(condition, wr_assertion_failed_(t, __FILE__, __LINE__, #condition))
#define wr_assume(t, condition) WR_UNLESS_(condition, wr_discard_(t))
#define wr_fail(t, ...) wr_fail_(t, __FILE__, __LINE__, __VA_ARGS__)

/* Failures at the same line count as different bugs if their class differs. The class holds from
 * here on; NULL removes it. Only assertions have classes: a crash goes by its place alone. */
WR_API void wr_class(wr_case *t, const char *name);

/* Compare two integers of up to 64 bits, two reals, two strings (char *, by content), or two
 * pointers, and report both values. Integers compare by value: -1 is less than 1u. In C++ also
 * enumerations, and texts with data() and size(), such as std::string and std::string_view. A
 * pointer with a number, except NULL or 0, does not compile. */
#define wr_assert_eq(t, a, b) WR_COMPARE_(t, a, #a, WR_EQ_, b, #b)
#define wr_assert_ne(t, a, b) WR_COMPARE_(t, a, #a, WR_NE_, b, #b)
#define wr_assert_lt(t, a, b) WR_COMPARE_(t, a, #a, WR_LT_, b, #b)
#define wr_assert_le(t, a, b) WR_COMPARE_(t, a, #a, WR_LE_, b, #b)
#define wr_assert_gt(t, a, b) WR_COMPARE_(t, a, #a, WR_GT_, b, #b)
#define wr_assert_ge(t, a, b) WR_COMPARE_(t, a, #a, WR_GE_, b, #b)
/* lo <= x <= hi, by value. */
#define wr_assert_between(t, x, lo, hi)                                                          \
    WR_APART_(WR_SCALARS_(x, lo), WR_SCALARS_(hi, hi), WR_PAIR_(x, x, lo, lo),                   \
              WR_PAIR_(x, x, hi, hi),                                                            \
              wr_assert_between_(t, __FILE__, __LINE__, #x, #lo, #hi, WR_ANY_OF_(x),             \
                                 WR_ANY_OF_(lo), WR_ANY_OF_(hi)))
/* |a - b| <= tolerance. NaN is near NaN, and an infinity is near itself. */
#define wr_assert_near(t, a, b, tolerance)                                                       \
    wr_assert_near_(t, __FILE__, __LINE__, #a, #b, a, b, tolerance)
/* A pointer. The report of wr_assert_null prints a char * as text. */
#define wr_assert_null(t, pointer)                                                               \
    wr_assert_null_(t, __FILE__, __LINE__, #pointer, WR_ANY_POINTER_(pointer), true)
#define wr_assert_not_null(t, pointer)                                                           \
    wr_assert_null_(t, __FILE__, __LINE__, #pointer, WR_ANY_POINTER_(pointer), false)
/* Compare strings: eq marks the first difference. NULL is allowed; it differs from "", contains
 * nothing and starts with nothing. */
#define wr_assert_str_eq(t, a, b) WR_COMPARE_TEXT_(t, a, #a, WR_EQUALS_, b, #b)
#define wr_assert_str_ne(t, a, b) WR_COMPARE_TEXT_(t, a, #a, WR_DIFFERS_, b, #b)
#define wr_assert_str_contains(t, text, part)                                                    \
    WR_COMPARE_TEXT_(t, text, #text, WR_CONTAINS_, part, #part)
#define wr_assert_str_starts_with(t, text, start)                                                \
    WR_COMPARE_TEXT_(t, text, #text, WR_STARTS_, start, #start)
/* Compares memory, with a hex dump of both around the first difference. */
#define wr_assert_mem_eq(t, a, b, bytes)                                                         \
    wr_assert_mem_eq_(t, __FILE__, __LINE__, #a, #b, a, b, bytes)

/* A line for the report of a failing case. Costs nothing while exploring. */
WR_API void wr_note(wr_case *t, const char *format, ...) WR_PRINTF_(2, 3);
/* Shows a value under a name, as if it had been drawn: for your own structs. */
WR_API void wr_show(wr_case *t, const char *name, const char *format, ...) WR_PRINTF_(3, 4);
/* A text, or n bytes, quoted as drawn texts are: "a\n\xff". A NULL text is shown as NULL. */
WR_API void wr_show_text(wr_case *t, const char *name, const char *text);
WR_API void wr_show_bytes(wr_case *t, const char *name, const void *bytes, size_t n);
/* The place that a showing function prints to. */
typedef struct wr_out wr_out;

/* Shows a value by a function that prints with wr_put(). Warren calls it for a report only. */
WR_API void wr_put(wr_out *out, const char *format, ...) WR_PRINTF_(2, 3);
WR_API void wr_show_by(wr_case *t, const char *name, void (*show)(wr_out *out, const void *value),
                       const void *value);

/* Skips the whole property, unless a case has failed, this one included. For the property and its
 * setup; in a teardown or a deferred function it is an error. */
WR_NORETURN_ WR_API void wr_skip(wr_case *t, const char *why);

/* A failing assertion calls this: in gdb, `break wr_case_failed`. With the shared library, first
 * `set breakpoint pending on`. */
WR_API void wr_case_failed(wr_case *t);

/* ---- 6. Observations ----------------------------------------------------------------------- */

/* Warren counts each observation once a case, over the cases that were not discarded. A guided
 * search prefers cases that show something new. <warren/observe.h> has the same macros without a
 * `t`, for the code under test. Labels and names are cut to 79 bytes. */

/* Count the cases that show this label; the report has the shares. wr_label takes a format. */
#define wr_label(t, ...) WR_LABEL_(t, __VA_ARGS__)
#define wr_classify(t, condition, label) ((condition) ? WR_SHOW_(t, label) : (void)0)
/* Counts a row of the table `name`, for an integer, a real, a bool or a string. Integers beyond
 * 15 share rows from one power of two to the next. */
#define wr_collect(t, name, value) wr_collect_(t, name, WR_ANY_(value))
/* At least `percent` of the cases should have this label. Otherwise Warren warns, and with
 * --check-coverage the run fails. From here on, labels are string constants. */
#define wr_cover(t, condition, percent, label)                                                   \
    WR_CHECK_(t, COVER, condition, #condition, label, percent)

/* Should be true, or reached, in at least one case of the run. Otherwise Warren warns, and with
 * --check-coverage the run fails. */
#define wr_sometimes(t, condition, label) WR_CHECK_(t, SOMETIMES, condition, #condition, label, 0)
#define wr_reachable(t, label) WR_CHECK_(t, REACHABLE, true, 0, label, 0)
/* Assertions that are also counted. They leave the property if they do not hold. */
#define wr_always(t, condition, label) WR_CHECK_(t, ALWAYS, condition, #condition, label, 0)
#define wr_unreachable(t, label) WR_CHECK_(t, UNREACHABLE, false, 0, label, 0)
/* The same for two numbers, by value, whatever their types. Their distance guides the search. */
#define wr_sometimes_lt(t, a, b, label) WR_GAP_(t, SOMETIMES, a, #a, WR_LT_, b, #b, label)
#define wr_sometimes_le(t, a, b, label) WR_GAP_(t, SOMETIMES, a, #a, WR_LE_, b, #b, label)
#define wr_sometimes_gt(t, a, b, label) WR_GAP_(t, SOMETIMES, a, #a, WR_GT_, b, #b, label)
#define wr_sometimes_ge(t, a, b, label) WR_GAP_(t, SOMETIMES, a, #a, WR_GE_, b, #b, label)
#define wr_sometimes_eq(t, a, b, label) WR_GAP_(t, SOMETIMES, a, #a, WR_EQ_, b, #b, label)
#define wr_always_lt(t, a, b, label) WR_GAP_(t, ALWAYS, a, #a, WR_LT_, b, #b, label)
#define wr_always_le(t, a, b, label) WR_GAP_(t, ALWAYS, a, #a, WR_LE_, b, #b, label)
#define wr_always_gt(t, a, b, label) WR_GAP_(t, ALWAYS, a, #a, WR_GT_, b, #b, label)
#define wr_always_ge(t, a, b, label) WR_GAP_(t, ALWAYS, a, #a, WR_GE_, b, #b, label)
#define wr_always_eq(t, a, b, label) WR_GAP_(t, ALWAYS, a, #a, WR_EQ_, b, #b, label)

/* A number that a guided search should make as large, or as small, as possible. */
#define wr_maximise(t, name, value) wr_slot_(t, name, WR_ANY_(value), true)
#define wr_minimise(t, name, value) wr_slot_(t, name, WR_ANY_(value), false)
/* The code is in state `number` of `name`. Use an integer of few different values. */
#define wr_state(t, name, number) wr_state_(t, name, WR_ANY_(number))

/* ---- 7. Machines: sequences of calls ------------------------------------------------------ */

/* A machine is an API as a table of commands. Each command has one function, which makes the
 * call, asserts what must be true after it, and updates the model:
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
 * A machine is a property whose cases are sequences of calls. Warren shrinks a failing sequence
 * to the fewest calls, never breaks a precondition, and prints the calls as C. Tables are
 * constants, as types are. A wrong table ends the run with status 99. */
typedef struct wr_call wr_call;

/* The kind of an argument or a result: a value or a handle. A value is a number; a value that
 * `draw` made may be a pointer, cast to int64_t. A handle is a pointer that some call gave. */
typedef struct wr_kind {
    const char *name;
    /* A value: one of 0..values-1, all equally likely, or the result of `draw` or `draw_in`,
     * whose draws need no names. `show` prints a value as C; without it a report has the number.
     */
    size_t values;
    int64_t (*draw)(wr_case *t);
    void (*show)(wr_out *out, int64_t value);
    bool symmetric; /* no value is special: --explore enumerate tries them up to renaming */
    /* The part of a value that matters. Values with the same result count as one in rules. NULL:
     * all of a value matters. */
    int64_t (*abstract)(int64_t value);
    /* A handle: one of the living ones, all equally likely. `type` is its C type ("void *"). */
    bool        handle;
    const char *type;
    /* After calls Warren checks that `equal` is reflexive and symmetric, and that equal handles
     * have equal hashes. NULL: no check. */
    bool (*equal)(const void *a, const void *b);
    uint64_t (*hash)(const void *handle);
    /* Called for each handle that is alive when a case ends, unless the case crashed. */
    void (*release)(void *handle);
    /* Like `draw`, of a value that depends on the model, such as an index below its size. It
     * changes nothing. If there may be nothing to draw, the command's `when` must say so before
     * it reads an argument. */
    WR_WORD_          int64_t (*draw_in)(wr_case *t, const void *model);
    WR_WORD_ uint64_t reserve_[5];
} wr_kind;

typedef struct wr_command {
    const char *name; /* NULL: the table ends here */
    /* Makes the call, and asserts. What it draws is part of the call; rules name arguments only.
     */
    void (*call)(wr_case *t, wr_call *call);
    const wr_kind *takes[8]; /* kinds of the arguments; the first NULL ends them */
    const wr_kind *gives;    /* the kind of the handle it gives; NULL: none */
    uint32_t       consumes; /* 1u << i: argument i, a handle, is dead after the call */
    /* The precondition. It reads the model and the arguments, and changes nothing. If it says no
     * without reading an argument, Warren draws no arguments. */
    bool (*when)(const wr_call *call);
    uint32_t weight;   /* how often, among all that can be called (1) */
    bool     observer; /* the call does not change the model, which Warren checks */
    /* Kinds of further handles that the call gives: wr_give_also(). C has them as out parameters
     * after the arguments. */
    const wr_kind *gives_also[2];
    /* Is this a call that a known bug spoils? Asked before the call, as `when` is. If an
     * assertion of the call or of the invariant after it fails, the case ends there and has not
     * failed. The report counts these cases, and a warning says if none of them failed. */
    bool (*known_bug)(const wr_call *call);
    WR_WORD_ bool no_faults; /* in a machine with `faults`: no call of this one fails */
    /* The name of another command that does the same job, such as "list_append" for
     * "list_prepend": it takes, gives and consumes the same kinds. A bug that shows with either
     * is one bug. */
    WR_WORD_ const char *like;
    WR_WORD_ uint64_t    reserve_[1];
} wr_command;

/* A set-up: commands that a random sequence calls one after the other, as far as they can be
 * called. They use the handles that the set-up itself gave. The shrinker and the report treat
 * them as calls like any others. */
typedef struct wr_macro {
    const char       *name;         /* NULL: the table ends here */
    const char       *commands[16]; /* names of commands; the first NULL ends them */
    uint32_t          weight;       /* like that of a command (1) */
    bool              first;        /* every random sequence begins with it */
    WR_WORD_ uint64_t reserve_[4];
} wr_macro;

typedef struct wr_machine {
    const wr_command *commands;   /* at most 64, and { 0 } after the last */
    const wr_macro   *macros;     /* { 0 } after the last; NULL: none */
    size_t            calls;      /* the most calls of a sequence (240 at random, else 40) */
    size_t            model_size; /* bytes of the model, zeroed before `start` */
    /* Before the first call. It may draw a configuration, such as a size: that shrinks with the
     * calls, and rules name it. */
    void (*start)(wr_case *t, void *model);
    /* After the last call; also after a failure, even in `start`. Not after a crash. */
    void (*stop)(wr_case *t, void *model);
    /* Asserts, after `start` and after each call. */
    void (*invariant)(wr_case *t, void *model);
    /* For models that own memory, give all three: `copy` makes a copy in zeroed memory, `free`
     * frees what a model owns, `equal` compares. Otherwise Warren copies and compares bytes. */
    void (*copy)(void *to, const void *from);
    void (*free)(void *model);
    bool (*equal)(const void *a, const void *b);
    /* Tells states apart for --explore feedback. NULL: the bytes do. */
    uint64_t (*hash)(const void *model);
    wr_options options; /* of the property */
    /* Bytes of the system under test, zeroed, beside the model: wr_system(). Warren never copies,
     * compares or hashes them. */
    size_t system_size;
    /* Calls that the functions of commands make fail (warren/faults.h): which one is an argument
     * of the command, 0 for none. NULL: none fail. */
    WR_WORD_ const struct wr_fault_options *faults;
    WR_WORD_ uint64_t                       reserve_[6];
} wr_machine;

/* WR_MACHINE(name, .commands = COMMANDS, ...); defines and registers a machine. What follows the
 * name are members of wr_machine. */
/* clang-format off */
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
/* clang-format on */

/* For the functions of a command. Arguments count from 0. To ask for a value where the argument
 * is a handle, or the other way round, is misuse. */
WR_API void   *wr_model(const wr_call *call);
WR_API void   *wr_system(const wr_call *call);
WR_API int64_t wr_value(const wr_call *call, unsigned argument);
WR_API void   *wr_pointer(const wr_call *call, unsigned argument); /* the value, cast back */
WR_API void   *wr_handle(const wr_call *call, unsigned argument);
/* The number of a handle, below 64, for models that are arrays. No two living handles of a kind
 * have the same number. */
WR_API unsigned wr_number(const wr_call *call, unsigned argument);
/* The call's result: a handle, alive from now on. Returns its number. NULL gives nothing. */
WR_API unsigned wr_give(wr_call *call, void *handle);
/* Further results, of `gives_also[i]`, after wr_give(), and in their order. */
WR_API unsigned wr_give_also(wr_call *call, unsigned i, void *handle);
/* For a call that failed and did not take its argument: the handle, which `consumes` names, stays
 * alive. */
WR_API void wr_keep(wr_call *call, unsigned argument);
/* The living handle of this number dies with the call, without being its argument: a child of a
 * tree that is deleted, a timer that has fired. Warren does not release it. */
WR_API void wr_dead(wr_call *call, const wr_kind *kind, unsigned number);
/* A handle that is a number, such as a descriptor, with a `type` of "int": any number, 0 and
 * negative ones too, is alive. Its `release` gets the number, cast to a pointer. */
WR_API unsigned wr_give_id(wr_call *call, int64_t id);
WR_API int64_t  wr_id(const wr_call *call, unsigned argument);

/* For callbacks of the system, which have no `t` and may hold locks: notes that the case has
 * failed, with a message as of printf(), and goes on. The call fails when its function returns.
 * The first failure of a case counts. Any thread may use it. Without a machine it is misuse:
 * there, use WR_ALWAYS of warren/observe.h. */
#define wr_fail_later(...) wr_fail_later_(__FILE__, __LINE__, __VA_ARGS__)

/* The system under test, for functions that get the model: `start`, `stop`, `invariant`. */
WR_API void *wr_system_of(wr_case *t);

/* ---- Internal: the macros above call these ----------------------------------------------- */

typedef struct wr_property_ {
    const char          *name, *file;
    int                  line;
    wr_body             *body;
    const wr_options    *options;
    struct wr_property_ *next;
    const wr_machine    *machine; /* NULL: a plain property */
} wr_property_;

typedef struct wr_example_ {
    const char         *property, *file;
    int                 line;
    size_t              count;
    const char *const  *texts;
    struct wr_example_ *next;
} wr_example_;
#define WR_EXAMPLE_AS_(property, number, ...) WR_EXAMPLE_AT_(property, number, __VA_ARGS__)
/* clang-format off */
#define WR_EXAMPLE_AT_(property_, number, ...)                                                   \
    static const char *const wr_texts_##number[] = { __VA_ARGS__ };                              \
    static wr_example_ wr_example_##number##_ = { property_, __FILE__, __LINE__,                 \
                                                  sizeof wr_texts_##number /                     \
                                                      sizeof *wr_texts_##number,                 \
                                                  wr_texts_##number, 0 };                        \
    __attribute__((constructor)) static void wr_enter_example_##number(void)                     \
    {                                                                                            \
        wr_register_example_(&wr_example_##number##_);                                           \
    }                                                                                            \
    typedef int wr_example_##number##_ends_here_
/* clang-format on */

WR_API void wr_register_(wr_property_ *property);
WR_API void wr_register_example_(wr_example_ *example);
WR_API int wr_check_(const char *file, int line, const char *arguments, const wr_options *options,
                     wr_body *property);
WR_API const wr_told *wr_tell_(const char *file, int line, const char *arguments,
                               const wr_options *options, wr_body *property);
WR_API void   wr_play_(wr_case *t, const wr_machine *machine, const char *name, const char *file,
                       int line);
WR_API size_t wr_each_begin_(wr_case *t, size_t n);
WR_API bool   wr_each_round_(size_t loop, size_t i);
WR_API void   wr_each_left_(size_t *loop);
WR_NORETURN_ WR_API void wr_assertion_failed_(wr_case *t, const char *file, int line,
                                              const char *condition);
WR_NORETURN_ WR_API void wr_discard_(wr_case *t);
WR_NORETURN_ WR_API void wr_fail_(wr_case *t, const char *file, int line, const char *format, ...)
    WR_PRINTF_(4, 5);
WR_API void wr_fail_later_(const char *file, int line, const char *format, ...) WR_PRINTF_(3, 4);
WR_API void wr_compare_(wr_case *t, const char *file, int line, const char *a_text,
                        const char *b_text, wr_relation_ relation, wr_any_ a, wr_any_ b);
WR_API void wr_assert_near_(wr_case *t, const char *file, int line, const char *a_text,
                            const char *b_text, double a, double b, double tolerance);
WR_API void wr_assert_between_(wr_case *t, const char *file, int line, const char *x_text,
                               const char *lo_text, const char *hi_text, wr_any_ x, wr_any_ lo,
                               wr_any_ hi);
WR_API void wr_assert_null_(wr_case *t, const char *file, int line, const char *text,
                            wr_any_ pointer, bool null);
typedef enum { WR_EQUALS_, WR_DIFFERS_, WR_CONTAINS_, WR_STARTS_ } wr_text_relation_;
WR_API void wr_compare_text_(wr_case *t, const char *file, int line, const char *a_text,
                             const char *b_text, wr_text_relation_ relation, wr_any_ a,
                             wr_any_ b);
WR_API void wr_assert_mem_eq_(wr_case *t, const char *file, int line, const char *a_text,
                              const char *b_text, const void *a, const void *b, size_t bytes);
WR_API void wr_sanitizer_error_(void);

/* A chosen part is read in place; the library chooses the others. A node is as large as a cache
 * line. */
struct wr_node {
    int32_t                tag_;      /* negative: not chosen yet */
    uint8_t                arity_;    /* 0 until the tag is chosen */
    uint8_t                position_; /* among its parent's arguments */
    bool                   indexed_;  /* whether the index is known */
    bool                   split_;    /* whether the sizes below are known for all arguments */
    wr_node               *args_;     /* `arity_` nodes, one after the other */
    const struct wr_type_ *type_;
    struct wr_tree_       *tree_;
    wr_node               *parent_;
    uint32_t               index_;             /* if it is known */
    uint32_t               size_, index_size_; /* its share of the tree's size, and its index's */
    uint32_t               span_, counterpart_, opened_; /* positions of its choices in the log */
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

#define WR_COMPARE_TEXT_(t, a, a_text, relation, b, b_text)                                      \
    wr_compare_text_(t, __FILE__, __LINE__, a_text, b_text, relation, WR_ANY_TEXT_(a),           \
                     WR_ANY_TEXT_(b))

#ifdef __cplusplus
} /* extern "C" */
#define WR_UNQUALIFIED_(pointer) const_cast<void *>(static_cast<const volatile void *>(pointer))
template <typename T> static inline T *wr_take(wr_case *t, T *malloced)
{
    return static_cast<T *>(wr_take(t, WR_UNQUALIFIED_(malloced)));
}
#else
#define WR_UNQUALIFIED_(pointer) ((void *)(uintptr_t)(const volatile void *)(pointer))
#endif

/* AddressSanitizer calls this before it prints. Warren notes the error and its place, so only the
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
/* clang's run-time has a weak function of this name and is linked first. This strong one wins; as
 * a COMDAT it may be in every file that includes this header. */
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

/* The functions that instrumented code calls. Sanitizers' run-times have empty functions of the
 * same names, which would be called instead of Warren's. So this header defines them, as above,
 * in a file that is instrumented, or with -DWR_SIGNALS. gcc does not tell whether it instruments;
 * there a sanitizer is the sign. -DWR_NO_SIGNALS leaves them out: libFuzzer has its own. */
#if defined(WR_SIGNALS)
#define WR_SIGNALS_ 1
#elif defined(__clang__) && defined(__has_feature)
#if __has_feature(coverage_sanitizer)
#define WR_SIGNALS_ 1
#endif
#elif defined(WR_ASAN_)
#define WR_SIGNALS_ 1
#endif
#if defined(WR_SIGNALS_) && !defined(WR_NO_SIGNALS) && !defined(WR_BUILDING_) &&                 \
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

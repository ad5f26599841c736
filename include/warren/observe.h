/* warren/observe.h: observations for the code under test.
 *
 *     #include <warren/observe.h>
 *
 *     WR_SOMETIMES(queue->used == queue->room, "the queue is full");
 *     WR_ALWAYS_LE(queue->used, queue->room, "the queue keeps within its room");
 *
 * Warren counts each observation once a case, and reports what never came up. A guided search
 * prefers cases that show something new. A violated assertion fails its case.
 *
 *  - This header needs no other header and no library. In a program without libwarren each macro
 *    tests an address. If WR_OBSERVE_OFF is defined before the header is included, the macros are
 *    empty and do not evaluate their arguments.
 *  - Any thread may use these macros, but no signal handler.
 *  - A label is a string constant of at most 79 bytes; longer ones are cut. Labels name classes,
 *    not values: put no address and no time into one.
 *  - In a property, use the forms with a `t` of warren.h: there a violated assertion leaves the
 *    property.
 */
#ifndef WARREN_OBSERVE_H
#define WARREN_OBSERVE_H

#include <stdbool.h>
#include <stdint.h>

#if !defined(__GNUC__) && !defined(__clang__)
#error "Warren needs gcc or clang"
#endif
#define WR_PRINTF_(at, first) __attribute__((format(printf, at, first)))
#ifndef WR_API
#define WR_API __attribute__((visibility("default")))
#endif

#if !defined(WR_OBSERVE_OFF)

/* Count the cases that show this label. WR_LABELF formats it as printf() does. */
#define WR_LABEL(text) WR_LINKED_(WR_SHOW_(WR_NO_T_, text))
#define WR_LABELF(...) WR_LINKED_(WR_LABEL_(WR_NO_T_, __VA_ARGS__))
#define WR_CLASSIFY(condition, label)                                                            \
    WR_LINKED_((condition) ? WR_SHOW_(WR_NO_T_, label) : (void)0)
/* Counts a row of the table `name`, for an integer, a real, a bool or a string. */
#define WR_COLLECT(name, value) WR_LINKED_(wr_collect_(WR_NO_T_, name, WR_ANY_(value)))
/* A log line as a label. The format is the label; the arguments are not evaluated. Wrap the log
 * macro of your project:
 *
 *     #define log_info(...) (WR_LOG(__VA_ARGS__), log_write(LOG_INFO, __VA_ARGS__))
 */
#define WR_LOG(...)                                                                              \
    (0 ? wr_nothing_(__VA_ARGS__) : WR_LINKED_(WR_SHOW_(WR_NO_T_, WR_FIRST_(__VA_ARGS__, ))))

/* Should be true in at least one case of the run. Otherwise the report says so. */
#define WR_SOMETIMES(condition, label)                                                           \
    WR_LINKED_(WR_CHECK_(WR_NO_T_, SOMETIMES, condition, #condition, label, 0))
/* WR_ALWAYS: must be true whenever it is reached. The code goes on after a violation; the case
 * fails by the first one when the property returns. WR_REACHABLE: should be reached in at least
 * one case. WR_UNREACHABLE: must never be reached. */
#define WR_ALWAYS(condition, label)                                                              \
    WR_LINKED_(WR_CHECK_(WR_NO_T_, ALWAYS, condition, #condition, label, 0))
#define WR_REACHABLE(label) WR_LINKED_(WR_CHECK_(WR_NO_T_, REACHABLE, true, 0, label, 0))
#define WR_UNREACHABLE(label) WR_LINKED_(WR_CHECK_(WR_NO_T_, UNREACHABLE, false, 0, label, 0))

/* The same for two numbers, by value, whatever their types. Their distance guides the search. */
#define WR_SOMETIMES_LT(a, b, label)                                                             \
    WR_LINKED_(WR_GAP_(WR_NO_T_, SOMETIMES, a, #a, WR_LT_, b, #b, label))
#define WR_SOMETIMES_LE(a, b, label)                                                             \
    WR_LINKED_(WR_GAP_(WR_NO_T_, SOMETIMES, a, #a, WR_LE_, b, #b, label))
#define WR_SOMETIMES_GT(a, b, label)                                                             \
    WR_LINKED_(WR_GAP_(WR_NO_T_, SOMETIMES, a, #a, WR_GT_, b, #b, label))
#define WR_SOMETIMES_GE(a, b, label)                                                             \
    WR_LINKED_(WR_GAP_(WR_NO_T_, SOMETIMES, a, #a, WR_GE_, b, #b, label))
#define WR_SOMETIMES_EQ(a, b, label)                                                             \
    WR_LINKED_(WR_GAP_(WR_NO_T_, SOMETIMES, a, #a, WR_EQ_, b, #b, label))
#define WR_ALWAYS_LT(a, b, label)                                                                \
    WR_LINKED_(WR_GAP_(WR_NO_T_, ALWAYS, a, #a, WR_LT_, b, #b, label))
#define WR_ALWAYS_LE(a, b, label)                                                                \
    WR_LINKED_(WR_GAP_(WR_NO_T_, ALWAYS, a, #a, WR_LE_, b, #b, label))
#define WR_ALWAYS_GT(a, b, label)                                                                \
    WR_LINKED_(WR_GAP_(WR_NO_T_, ALWAYS, a, #a, WR_GT_, b, #b, label))
#define WR_ALWAYS_GE(a, b, label)                                                                \
    WR_LINKED_(WR_GAP_(WR_NO_T_, ALWAYS, a, #a, WR_GE_, b, #b, label))
#define WR_ALWAYS_EQ(a, b, label)                                                                \
    WR_LINKED_(WR_GAP_(WR_NO_T_, ALWAYS, a, #a, WR_EQ_, b, #b, label))

/* A number that a guided search should make as large, or as small, as possible. */
#define WR_MAXIMISE(name, value) WR_LINKED_(wr_slot_(WR_NO_T_, name, WR_ANY_(value), true))
#define WR_MINIMISE(name, value) WR_LINKED_(wr_slot_(WR_NO_T_, name, WR_ANY_(value), false))
/* The code is in state `number` of `name`. Use an integer of few different values. */
#define WR_STATE(name, number) WR_LINKED_(wr_state_(WR_NO_T_, name, WR_ANY_(number)))

#else

#define WR_LABEL(text) WR_NOTHING_(text)
#define WR_LABELF(...) WR_NOTHING_(wr_nothing_(__VA_ARGS__))
#define WR_CLASSIFY(condition, label) WR_NOTHING_((condition) ? label : label)
#define WR_COLLECT(name, value) WR_NEITHER_(name, value)
#define WR_LOG(...) WR_NOTHING_(wr_nothing_(__VA_ARGS__))
#define WR_SOMETIMES(condition, label) WR_NOTHING_((condition) ? 1 : 0)
#define WR_ALWAYS(condition, label) WR_NOTHING_((condition) ? 1 : 0)
#define WR_REACHABLE(label) ((void)0)
#define WR_UNREACHABLE(label) ((void)0)
#define WR_SOMETIMES_LT(a, b, label) WR_NEITHER_(a, b)
#define WR_SOMETIMES_LE(a, b, label) WR_NEITHER_(a, b)
#define WR_SOMETIMES_GT(a, b, label) WR_NEITHER_(a, b)
#define WR_SOMETIMES_GE(a, b, label) WR_NEITHER_(a, b)
#define WR_SOMETIMES_EQ(a, b, label) WR_NEITHER_(a, b)
#define WR_ALWAYS_LT(a, b, label) WR_NEITHER_(a, b)
#define WR_ALWAYS_LE(a, b, label) WR_NEITHER_(a, b)
#define WR_ALWAYS_GT(a, b, label) WR_NEITHER_(a, b)
#define WR_ALWAYS_GE(a, b, label) WR_NEITHER_(a, b)
#define WR_ALWAYS_EQ(a, b, label) WR_NEITHER_(a, b)
#define WR_MAXIMISE(name, value) WR_NEITHER_(name, value)
#define WR_MINIMISE(name, value) WR_NEITHER_(name, value)
#define WR_STATE(name, number) WR_NEITHER_(name, number)

#endif

/* ---- Internal: the macros above, and those of warren.h, use these ------------------------ */

struct wr_case;

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { WR_EQ_, WR_NE_, WR_LT_, WR_LE_, WR_GT_, WR_GE_ } wr_relation_;
typedef enum {
    WR_SIGNED_,
    WR_UNSIGNED_,
    WR_REAL_,
    WR_STRING_, /* up to a NUL */
    WR_POINTER_,
    WR_BOOL_,
    WR_CHAR_,
    WR_TEXT_ /* `length` bytes at as.s */
} wr_sort_;
typedef struct wr_any_ {
    wr_sort_ sort;
    uint32_t length;
    union {
        int64_t              i;
        uint64_t             u;
        const char          *s;
        const volatile void *p;
    } as;
    long double real;
} wr_any_;

/* The sorts of observations. */
enum {
    WR_SEE_LABEL_,
    WR_SEE_TABLE_,
    WR_SEE_STATE_,
    WR_SEE_MAXIMISE_,
    WR_SEE_MINIMISE_,
    WR_SEE_COVER_,
    WR_SEE_SOMETIMES_,
    WR_SEE_ALWAYS_,
    WR_SEE_REACHABLE_,
    WR_SEE_UNREACHABLE_,
    WR_SEE_WORD_, /* of wr_words: whether it fits a draw; not in reports */
    WR_SEE_SORTS_
};

/* A place in the source that observes something. `place` and `epoch` belong to the library: the
 * counter of the observation, valid as long as `epoch` is that of the counts. */
typedef struct wr_site_ {
    const char *label, *file, *condition;
    int         line;
    int         sort;
    double      percent;
    uint32_t    place, epoch;
} wr_site_;

/* The functions are weak, so that code that observes needs no library. */
#ifdef WR_BUILDING_
#define WR_OBSERVER_ WR_API
#else
#define WR_OBSERVER_ WR_API __attribute__((weak))
#endif
/* `t` is 0 in the code under test. */
WR_OBSERVER_ void wr_show_(struct wr_case *t, wr_site_ *site, const char *label);
WR_OBSERVER_ void wr_text_(struct wr_case *t, const char *label);
WR_OBSERVER_ void wr_label_(struct wr_case *t, const char *format, ...) WR_PRINTF_(2, 3);
WR_OBSERVER_ void wr_check_site_(struct wr_case *t, wr_site_ *site, bool holds);
WR_OBSERVER_ void wr_gap_(struct wr_case *t, wr_site_ *site, wr_relation_ relation,
                          const char *a_text, const char *b_text, wr_any_ a, wr_any_ b);
WR_OBSERVER_ void wr_collect_(struct wr_case *t, const char *name, wr_any_ value);
WR_OBSERVER_ void wr_state_(struct wr_case *t, const char *name, wr_any_ number);
WR_OBSERVER_ void wr_slot_(struct wr_case *t, const char *name, wr_any_ value, bool larger);
WR_OBSERVER_ void wr_sites_(wr_site_ **from, wr_site_ **to, bool there);

/* Use an argument without evaluating it, so that the compiler does not warn. */
#define WR_NOTHING_(expression) (0 ? (void)(expression) : (void)0)
#define WR_NEITHER_(a, b) (0 ? ((void)(a), (void)(b)) : (void)0)
static inline WR_PRINTF_(1, 2) void wr_nothing_(const char *format, ...)
{
    (void)format;
}

#define WR_NO_T_ ((struct wr_case *)0)
#define WR_LINKED_(...) (wr_show_ ? (__VA_ARGS__) : (void)0)
#define WR_FIRST_(first, ...) first
#define WR_STRING_(...) #__VA_ARGS__
#define WR_STRING_OF_(...) WR_STRING_(__VA_ARGS__)
/* Whether there is only one argument. */
#define WR_ALONE_(...)                                                                           \
    (sizeof(WR_STRING_OF_(__VA_ARGS__)) == sizeof(WR_STRING_OF_(WR_FIRST_(__VA_ARGS__, ))))

/* A section lists the sites that assert something, so that Warren knows those that are never
 * reached. C++ allows no such list in inline functions and templates: there Warren knows a site
 * once a case has reached it. */
#if defined(__cplusplus) || defined(WR_BUILDING_)
#define WR_LISTED_
#else
#if defined(__has_attribute)
#if __has_attribute(retain)
#define WR_RETAIN_ , retain
#endif
#endif
#ifndef WR_RETAIN_
#define WR_RETAIN_
#endif
#define WR_LISTED_                                                                               \
    static wr_site_ *wr_site_at_ __attribute__((used WR_RETAIN_, section("wr_sites"))) =         \
        &wr_site_here_;
extern wr_site_ *__start_wr_sites[] __attribute__((weak, visibility("hidden")));
extern wr_site_ *__stop_wr_sites[] __attribute__((weak, visibility("hidden")));
__attribute__((constructor)) static void wr_enter_sites_(void)
{
    if (wr_sites_ && __start_wr_sites)
        wr_sites_(__start_wr_sites, __stop_wr_sites, true);
}
__attribute__((destructor)) static void wr_leave_sites_(void)
{
    if (wr_sites_ && __start_wr_sites)
        wr_sites_(__start_wr_sites, __stop_wr_sites, false);
}
#endif

#define WR_SITE_(label, condition, sort, percent)                                                \
    static wr_site_ wr_site_here_ = { label, __FILE__, condition, __LINE__, sort, percent, 0, 0 };
/* Show a text. A constant is looked up only once. The `condition` of a label says whether it is a
 * format, where %% stands for a per cent sign. */
#define WR_SHOW_(t, text)                                                                        \
    __extension__({                                                                              \
        WR_SITE_(0, 0, WR_SEE_LABEL_, 0)                                                         \
        __builtin_constant_p(text) ? wr_show_(t, &wr_site_here_, text) : wr_text_(t, text);      \
    })
#define WR_LABEL_(t, ...)                                                                        \
    __extension__({                                                                              \
        WR_SITE_(0, "format", WR_SEE_LABEL_, 0)                                                  \
        WR_ALONE_(__VA_ARGS__) && __builtin_constant_p(WR_FIRST_(__VA_ARGS__, ))                 \
            ? wr_show_(t, &wr_site_here_, WR_FIRST_(__VA_ARGS__, ))                              \
            : wr_label_(t, __VA_ARGS__);                                                         \
    })
/* `text` is the condition as it stands in the source. The macros of users make it: one that gets
 * it from another macro would see the condition's own macros expanded. */
#define WR_CHECK_(t, sort, condition, text, label, percent)                                      \
    __extension__({                                                                              \
        WR_SITE_("" label "", text, WR_SEE_##sort##_, percent)                                   \
        WR_LISTED_                                                                               \
        wr_check_site_(t, &wr_site_here_, !!(condition));                                        \
    })
#define WR_GAP_(t, sort, a, a_text, relation, b, b_text, label)                                  \
    __extension__({                                                                              \
        WR_SITE_("" label "", 0, WR_SEE_##sort##_, 0)                                            \
        WR_LISTED_                                                                               \
        wr_gap_(t, &wr_site_here_, relation, a_text, b_text, WR_ANY_(a), WR_ANY_(b));            \
    })

static inline wr_any_ wr_any_signed_(int64_t i)
{
    wr_any_ any = { WR_SIGNED_, 0, { 0 }, 0 };
    any.as.i = i;
    return any;
}
static inline wr_any_ wr_any_unsigned_(uint64_t u)
{
    wr_any_ any = { WR_UNSIGNED_, 0, { 0 }, 0 };
    any.as.u = u;
    return any;
}
static inline wr_any_ wr_any_bool_(bool u)
{
    wr_any_ any = { WR_BOOL_, 0, { 0 }, 0 };
    any.as.u = u;
    return any;
}
static inline wr_any_ wr_any_char_(char i)
{
    wr_any_ any = { WR_CHAR_, 0, { 0 }, 0 };
    any.as.i = i;
    return any;
}
static inline wr_any_ wr_any_real_(long double d)
{
    wr_any_ any = { WR_REAL_, 0, { 0 }, 0 };
    any.real = d;
    return any;
}
static inline wr_any_ wr_any_string_(const char *s)
{
    wr_any_ any = { WR_STRING_, 0, { 0 }, 0 };
    any.as.s = s;
    return any;
}
static inline wr_any_ wr_any_pointer_(const volatile void *p)
{
    wr_any_ any = { WR_POINTER_, 0, { 0 }, 0 };
    any.as.p = p;
    return any;
}

#define WR_COMPARED_                                                                             \
    "wr_assert_eq and its relatives take integers of up to 64 bits, reals, strings and "         \
    "pointers; for structs: compare their fields"
#define WR_PAIRED_ "wr_assert_eq and its relatives do not compare a pointer with a number"

#ifdef __cplusplus
} /* extern "C" */
/* clang-format off */
static inline wr_any_ wr_any_of_(const char *s) { return wr_any_string_(s); }
static inline wr_any_ wr_any_of_(char *s) { return wr_any_string_(s); }
static inline wr_any_ wr_any_of_(float d) { return wr_any_real_(d); }
static inline wr_any_ wr_any_of_(double d) { return wr_any_real_(d); }
static inline wr_any_ wr_any_of_(long double d) { return wr_any_real_(d); }
static inline wr_any_ wr_any_of_(decltype(nullptr)) { return wr_any_pointer_(nullptr); }
static inline wr_any_ wr_any_of_(bool u) { return wr_any_bool_(u); }
static inline wr_any_ wr_any_of_(unsigned char u) { return wr_any_unsigned_(u); }
static inline wr_any_ wr_any_of_(unsigned short u) { return wr_any_unsigned_(u); }
static inline wr_any_ wr_any_of_(unsigned u) { return wr_any_unsigned_(u); }
static inline wr_any_ wr_any_of_(unsigned long u) { return wr_any_unsigned_(u); }
static inline wr_any_ wr_any_of_(unsigned long long u) { return wr_any_unsigned_(u); }
static inline wr_any_ wr_any_of_(char i) { return wr_any_char_(i); }
static inline wr_any_ wr_any_of_(signed char i) { return wr_any_signed_(i); }
static inline wr_any_ wr_any_of_(short i) { return wr_any_signed_(i); }
static inline wr_any_ wr_any_of_(int i) { return wr_any_signed_(i); }
static inline wr_any_ wr_any_of_(long i) { return wr_any_signed_(i); }
static inline wr_any_ wr_any_of_(long long i) { return wr_any_signed_(i); }
template <typename T> static inline wr_any_ wr_any_of_(T *p) { return wr_any_pointer_(p); }

template <bool is> struct wr_any_if_ {};
template <> struct wr_any_if_<true> { typedef wr_any_ type; };
template <typename T> struct wr_fits_ { static constexpr bool is = sizeof(T) <= 8; };
template <> struct wr_fits_<long double> { static constexpr bool is = true; };
template <typename T> struct wr_is_ {
    /* std::string, std::string_view and their like. */
    template <typename U> static auto text_(const U *x)
        -> decltype(static_cast<const char *>(x->data()), x->size(), char());
    template <typename U> static long text_(...);
    /* A class that stands for a number, as std::atomic<int> does; wchar_t. */
    template <typename U> static auto number_(const U *x)
        -> char (*)[wr_fits_<decltype(+*x)>::is ? 1 : 2];
    template <typename U> static char (*number_(...))[2];
    static constexpr bool an_enum = __is_enum(T);
    static constexpr bool a_class = __is_class(T);
    static constexpr bool text = sizeof(text_<T>(nullptr)) == 1;
    static constexpr bool number = !text && sizeof(*number_<T>(nullptr)) == 1;
};
template <bool text, bool number> struct wr_any_other_ {
    template <typename T> static wr_any_ of(const T &)
    {
        static_assert(text || number, WR_COMPARED_);
        return wr_any_pointer_(nullptr);
    }
};
template <> struct wr_any_other_<true, false> {
    template <typename T> static wr_any_ of(const T &x)
    {
        wr_any_ any = wr_any_string_(x.data());
        any.sort = WR_TEXT_;
        any.length = x.size() < UINT32_MAX ? static_cast<uint32_t>(x.size()) : UINT32_MAX;
        return any;
    }
};
template <> struct wr_any_other_<false, true> {
    template <typename T> static wr_any_ of(const T &x) { return wr_any_of_(+x); }
};
template <typename T>
static inline typename wr_any_if_<wr_is_<T>::an_enum>::type wr_any_of_(T e)
{
    return wr_any_of_(static_cast<__underlying_type(T)>(e));
}
template <typename T>
static inline typename wr_any_if_<!wr_is_<T>::an_enum>::type wr_any_of_(const T &x)
{
    return wr_any_other_<wr_is_<T>::text, wr_is_<T>::number>::of(x);
}
static inline wr_any_ wr_any_text_of_(const char *s) { return wr_any_string_(s); }
template <typename T>
static inline typename wr_any_if_<wr_is_<T>::text>::type wr_any_text_of_(const T &x)
{
    return wr_any_of_(x);
}
static inline wr_any_ wr_any_pointer_of_(decltype(nullptr)) { return wr_any_pointer_(nullptr); }
template <typename T> static inline wr_any_ wr_any_pointer_of_(T *p) { return wr_any_of_(p); }
/* A pointer beside a number is a mistake, unless the number is a literal 0, or NULL. */
struct wr_none_;
struct wr_anything_ { template <typename T> wr_anything_(const T &) {} };
template <typename T> struct wr_never_ { static constexpr bool is = false; };
struct wr_other_first_ { template <typename T> void beside(const T &) const {} };
struct wr_pointer_first_ {
    template <typename T> void beside(T *) const {}
    void beside(wr_none_ *) const {}
    template <typename T> typename wr_any_if_<wr_is_<T>::a_class>::type beside(const T &) const
    {
        return wr_any_pointer_(nullptr);
    }
    template <typename T = void> void beside(...) const
    {
        static_assert(wr_never_<T>::is, WR_PAIRED_);
    }
};
template <typename T> static inline wr_pointer_first_ wr_first_(T *) { return {}; }
static inline wr_other_first_ wr_first_(wr_anything_) { return {}; }
/* clang-format on */
#define WR_ANY_(x) wr_any_of_(x)
#define WR_ANY_OF_(x) wr_any_of_(x)
#define WR_ANY_TEXT_(x) wr_any_text_of_(x)
#define WR_ANY_POINTER_(x) wr_any_pointer_of_(x)
#define WR_SCALARS_(a, b) ((void)0)
/* Never run: only the types matter. A lambda may not stand in an unevaluated operand. */
#define WR_PAIR_(like_a, a, like_b, b)                                                           \
    (true ? (void)0 : ((void)wr_first_(a).beside(b), (void)wr_first_(b).beside(a)))
#define WR_COMPARE_(t, a, a_text, relation, b, b_text)                                           \
    WR_APART_(WR_PAIR_(a, a, b, b), wr_compare_(t, __FILE__, __LINE__, a_text, b_text, relation, \
                                                WR_ANY_OF_(a), WR_ANY_OF_(b)))
#else
/* gcc's classes of types: 1 an integer, 9 a complex number, 12 a record, 13 a union,
 * 5 a pointer or an array. */
#define WR_CLASS_(x) __builtin_classify_type(x)
/* An integer of more than 64 bits. A bit-field has no size, but its promoted value has one. */
#define WR_WIDE_(x) (sizeof(+__builtin_choose_expr(WR_CLASS_(x) == 1, (x), 0)) > 8)
#define WR_SCALAR_(x)                                                                            \
    (WR_CLASS_(x) != 9 && WR_CLASS_(x) != 12 && WR_CLASS_(x) != 13 && !WR_WIDE_(x))
/* The constant 0. */
#define WR_ZERO_(like, x)                                                                        \
    (__builtin_choose_expr(WR_CLASS_(like) == 1 && __builtin_constant_p(x), (x), 1) == 0)
/* A message shows the asserted expression: the constant is shorter than the condition. */
#if __STDC_VERSION__ >= 201112L
#define WR_STATIC_(condition, name, text)                                                        \
    __extension__({                                                                              \
        enum { wr_is_right_ = (condition) };                                                     \
        _Static_assert(wr_is_right_, text);                                                      \
    })
#else
#define WR_STATIC_(condition, name, text)                                                        \
    ((void)sizeof(struct { int name : (condition) ? 2 : -1; }))
#endif
#define WR_SCALARS_(a, b)                                                                        \
    WR_STATIC_(WR_SCALAR_(a) && WR_SCALAR_(b),                                                   \
               wr_assert_eq_takes_integers_up_to_64_bits_reals_strings_and_pointers,             \
               WR_COMPARED_)
/* For others than scalars WR_SCALARS_ has the word. */
#define WR_PAIR_(like_a, a, like_b, b)                                                           \
    WR_STATIC_((WR_CLASS_(like_a) == 5) == (WR_CLASS_(like_b) == 5) || WR_ZERO_(like_a, a) ||    \
                   WR_ZERO_(like_b, b) || !WR_SCALAR_(like_a) || !WR_SCALAR_(like_b),            \
               wr_assert_eq_does_not_compare_a_pointer_with_a_number, WR_PAIRED_)
/* Checks go by the type, and name the expression once: a mistake in it is told once. The comma
 * makes pointers of arrays, and gives a bit-field a type. */
#define WR_LIKE_(name, x) __typeof__(((void)0, (x))) *name = 0
#define WR_COMPARE_(t, a, a_text, relation, b, b_text)                                           \
    __extension__({                                                                              \
        WR_LIKE_(wr_a_, a);                                                                      \
        WR_LIKE_(wr_b_, b);                                                                      \
        (void)wr_a_, (void)wr_b_;                                                                \
        WR_SCALARS_(*wr_a_, *wr_b_);                                                             \
        WR_PAIR_(*wr_a_, a, *wr_b_, b);                                                          \
        wr_compare_(t, __FILE__, __LINE__, a_text, b_text, relation, WR_ANY_LIKE_(*wr_a_, a),    \
                    WR_ANY_LIKE_(*wr_b_, b));                                                    \
    })
#define WR_ANY_TEXT_(x) wr_any_string_(x)
/* The caller has checked the type: for a struct, or a wide integer, this makes nothing, without
 * another error. An integer of no type in the list is a bit-field. */
#define WR_ANY_LIKE_(like, x)                                                                    \
    __extension__ _Generic((like),                                                               \
        char *: wr_any_string_,                                                                  \
        const char *: wr_any_string_,                                                            \
        float: wr_any_real_,                                                                     \
        double: wr_any_real_,                                                                    \
        long double: wr_any_real_,                                                               \
        bool: wr_any_bool_,                                                                      \
        unsigned char: wr_any_unsigned_,                                                         \
        unsigned short: wr_any_unsigned_,                                                        \
        unsigned: wr_any_unsigned_,                                                              \
        unsigned long: wr_any_unsigned_,                                                         \
        unsigned long long: wr_any_unsigned_,                                                    \
        char: wr_any_char_,                                                                      \
        signed char: wr_any_signed_,                                                             \
        short: wr_any_signed_,                                                                   \
        int: wr_any_signed_,                                                                     \
        long: wr_any_signed_,                                                                    \
        long long: wr_any_signed_,                                                               \
        default: __builtin_choose_expr(WR_CLASS_(like) == 1 && WR_SCALAR_(like), wr_any_signed_, \
                                       wr_any_pointer_))(                                        \
        __builtin_choose_expr(WR_SCALAR_(like), (x), (const void *)0))
#define WR_ANY_OF_(x) WR_ANY_LIKE_(x, x)
#define WR_ANY_(x) (WR_SCALARS_(x, 0), WR_ANY_OF_(x))
#define WR_ANY_POINTER_(x)                                                                       \
    (WR_STATIC_(WR_CLASS_(x) == 5, wr_assert_null_takes_a_pointer,                               \
                "wr_assert_null and wr_assert_not_null take a pointer"),                         \
     WR_ANY_OF_(x))
#endif

#endif

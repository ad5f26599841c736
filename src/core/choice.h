/* core/choice.h: what a choice is.
 *
 * A choice is a bounded number, 0..max, with a kind; 0 is the simplest answer. The kind owns the
 * codec between the number and the user's value. It thereby owns the order: a lower number is a
 * simpler value, for every kind. A mask on the request says which answers are legal now; it never
 * renumbers any.
 */
#ifndef WRI_CORE_CHOICE_H
#define WRI_CORE_CHOICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One table makes the enumeration and the names. The values are part of the token format. */
#define WRI_KINDS(X)                                                                             \
    X(INTEGER, 0, "integer")                                                                     \
    X(REAL, 1, "real")                                                                           \
    X(INDEX, 2, "index")                                                                         \
    X(LENGTH, 3, "length")                                                                       \
    X(BOOLEAN, 4, "boolean")                                                                     \
    X(CONSTRUCTOR, 5, "constructor")                                                             \
    X(COMMAND, 6, "command")                                                                     \
    X(HANDLE, 7, "handle")

typedef enum wri_kind {
#define WRI_KIND_ENUM(name, value, text) WRI_##name = value,
    WRI_KINDS(WRI_KIND_ENUM)
#undef WRI_KIND_ENUM
} wri_kind;

/* The calls that can be made depend on the calls before. So an answerer that goes by a plan
 * may have no legal answer to a request of these kinds. Then the call is not made, and nothing
 * is logged. */
#define WRI_NO_ANSWER UINT64_MAX
static inline bool wri_kind_may_be_none(wri_kind kind)
{
    return kind >= WRI_COMMAND;
}

/* A generator's request. The generator fills it in; the explorer answers it. Every draw makes
 * one, so it is small: compilers fill more than 72 bytes with a string instruction. */
struct wr_case;
typedef struct wri_request {
    wri_kind kind;
    uint16_t letters; /* wri_letters: the characters that the numbers stand for */
    bool     single;  /* REAL: values are floats */
    uint8_t  toll;    /* the cost of any answer, where cases have a size */
    uint64_t max;     /* the largest number that may be answered */
    int64_t  lo;      /* INTEGER: the range's lower end */
    union {
        const double *range;    /* REAL: the lower and the upper end; NULL: any double */
        const char   *alphabet; /* INDEX: the characters, if they are no wri_letters; or NULL */
    };
    uint64_t        legal;   /* for max < 64: which answers are legal now; 0 means all */
    const uint32_t *weights; /* the weight of each answer, max + 1 of them; NULL: equal weights */
    const char     *name;    /* the user's name for it; NULL: none */
    /* Makes a legal random answer, where the generator knows better than the lean; NULL: the
     * lean answers. It depends on the case's stream and on `about` only. The `about` of an array
     * is a wri_overlay (core/lean.h), or NULL. */
    uint64_t (*fresh)(struct wr_case *t, const struct wri_request *request);
    void *about;
} wri_request;

/* Alphabets, simplest character first: the number i stands for the i-th. */
#define WRI_LOWER "abcdefghijklmnopqrstuvwxyz"
#define WRI_UPPER "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define WRI_DIGITS "0123456789"
#define WRI_PUNCTUATION "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
#define WRI_PRINTABLE WRI_LOWER WRI_DIGITS WRI_UPPER " " WRI_PUNCTUATION
#define WRI_IDENTIFIER_FIRST WRI_LOWER WRI_UPPER "_"
#define WRI_IDENTIFIER_REST WRI_LOWER WRI_DIGITS WRI_UPPER "_"

typedef enum wri_letters {
    WRI_NO_LETTERS, /* plain numbers, or letters of no known alphabet */
    WRI_LETTERS_PRINTABLE,
    WRI_LETTERS_FIRST, /* the first letter of an identifier */
    WRI_LETTERS_REST,  /* the letters after it */
    WRI_LETTERS_PART,  /* no letters: a part of a date, a time or an address */
} wri_letters;
/* NULL: no alphabet. */
const char *wri_choice_alphabet(uint16_t letters);

/* An integer of `width` bytes, 1, 2, 4 or 8, in memory. */
static inline uint64_t wri_choice_integer_at(const void *at, unsigned width, bool is_signed)
{
    switch (width) {
    case 1: return is_signed ? (uint64_t)(*(const int8_t *)at) : *(const uint8_t *)at;
    case 2: return is_signed ? (uint64_t)(*(const int16_t *)at) : *(const uint16_t *)at;
    case 4: return is_signed ? (uint64_t)(*(const int32_t *)at) : *(const uint32_t *)at;
    default: return *(const uint64_t *)at;
    }
}

static inline __attribute__((always_inline)) void wri_choice_integer_put(void *at, unsigned width,
                                                                         uint64_t value)
{
    switch (width) {
    case 1: *(uint8_t *)at = (uint8_t)value; break;
    case 2: *(uint16_t *)at = (uint16_t)value; break;
    case 4: *(uint32_t *)at = (uint32_t)value; break;
    default: *(uint64_t *)at = value; break;
    }
}

/* The integer order: nearest to zero first, 0, 1, -1, 2, ... When one side of the range ends,
 * the other goes on alone. `lo` and `max` are the request's: the range is lo..lo+max. */
static inline int64_t wri_choice_integer_value(uint64_t number, int64_t lo, uint64_t max)
{
    uint64_t below = 0 - (uint64_t)lo; /* how far the range reaches below zero, if lo <= 0 */
    uint64_t above = max - below;      /* and above it */
    if (lo > 0 || number > max)
        return (int64_t)((uint64_t)lo + number);
    if (below > max) /* the whole range is negative: from its upper end downwards */
        return (int64_t)((uint64_t)lo + (max - number));
    uint64_t both = below < above ? below : above;
    if (number / 2 + (number & 1) <= both) {
        uint64_t distance = number / 2 + (number & 1);
        return (int64_t)((number & 1) ? distance : 0 - distance);
    }
    uint64_t distance = number - both;
    return (int64_t)(above > below ? distance : 0 - distance);
}

static inline uint64_t wri_choice_integer_number(int64_t value, int64_t lo, uint64_t max)
{
    uint64_t below = 0 - (uint64_t)lo;
    uint64_t above = max - below;
    if (lo >= 0) /* true also for ranges that end above INT64_MAX */
        return (uint64_t)value - (uint64_t)lo;
    if (below > max)
        return max - ((uint64_t)value - (uint64_t)lo);
    uint64_t both = below < above ? below : above;
    uint64_t distance = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    if (distance > both)
        return distance + both;
    return value > 0 ? distance * 2 - 1 : distance * 2;
}

/* The order of reals begins with whole numbers, nearest to zero first (0, 1, -1, 2, ...). Numbers
 * with few fractional bits follow. Last come the very large and very small, infinities and NaN.
 * Every number decodes; wri_choice_real_number(wri_choice_real_value(n)) is its canonical form.
 */
double   wri_choice_real_value(uint64_t number);
uint64_t wri_choice_real_number(double value);
/* The value of a number in a REAL request. It is decoded, rounded to a float if asked, and
 * clamped to the range: to the simplest value there, if it lies outside. */
double wri_choice_real_answer(const wri_request *request, uint64_t number);
/* The fewest digits that read back, as a float if `single`; a whole number below 1e15 has all its
 * digits instead, for 100000.0 is easier to read than 1e+05. In every locale with a point. */
#define WRI_REAL_DIGITS 40
void wri_choice_real_print(char digits[WRI_REAL_DIGITS], double value, bool single);

/* Does the request allow this answer? */
static inline bool wri_request_legal(const wri_request *request, uint64_t number)
{
    if (number > request->max)
        return false;
    return request->legal == 0 || ((request->legal >> number) & 1) != 0;
}

/* The nearest legal answer at or above `number`, wrapping round to the first. Masks exist for
 * max < 64 only. */
static inline uint64_t wri_request_next_legal(const wri_request *request, uint64_t number)
{
    if (request->legal == 0)
        return number > request->max ? request->max : number;
    if (number > request->max)
        number = 0;
    uint64_t at_or_above = request->legal >> number << number;
    return (uint64_t)__builtin_ctzll(at_or_above != 0 ? at_or_above : request->legal);
}

#endif

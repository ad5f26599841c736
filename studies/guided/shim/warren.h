/* studies/guided/shim/warren.h: as much of warren.h as targets.c uses, for the baselines.
 *
 * Found before the real one by the include path, so that a baseline searches for the very same
 * bugs. Where a number comes from, and what a label and a failure mean, is the baseline's
 * business: rules.c and bytes.c define what is declared here.
 */
#ifndef SHIM_WARREN_H
#define SHIM_WARREN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct wr_case wr_case;

/* The properties of the program, last registered first. */
typedef struct shim_property {
    const char *name;
    void (*body)(wr_case *t);
    const struct shim_property *next;
} shim_property;
extern const shim_property *shim_properties;

#define WR_PROPERTY(name_)                                                                       \
    static void          shim_body_##name_(wr_case *t);                                          \
    static shim_property shim_property_##name_ = { #name_, shim_body_##name_, NULL };            \
    __attribute__((constructor)) static void shim_enter_##name_(void)                            \
    {                                                                                            \
        shim_property_##name_.next = shim_properties;                                            \
        shim_properties = &shim_property_##name_;                                                \
    }                                                                                            \
    static void shim_body_##name_(wr_case *t)

/* 0..max, decoded from `bytes` bytes where the baseline has bytes. */
uint64_t shim_draw(wr_case *t, size_t bytes, uint64_t max);
size_t   shim_length(wr_case *t, size_t lo, size_t hi);
/* Is there an i-th round of n? Called once more than there are rounds. */
bool shim_round(wr_case *t, size_t i, size_t n);

__attribute__((format(printf, 2, 3))) void wr_label(wr_case *t, const char *format, ...);
__attribute__((format(printf, 2, 3))) _Noreturn void wr_fail(wr_case *t, const char *format, ...);

#define wr_each(t, i, n)                                                                         \
    size_t i = 0, shim_end_##i = (n);                                                            \
    shim_round(t, i, shim_end_##i);                                                              \
    i++

static inline uint8_t wr_u8(wr_case *t, const char *name)
{
    (void)name;
    return (uint8_t)shim_draw(t, 1, UINT8_MAX);
}
static inline uint32_t wr_u32(wr_case *t, const char *name)
{
    (void)name;
    return (uint32_t)shim_draw(t, 4, UINT32_MAX);
}
static inline size_t wr_pick(wr_case *t, const char *name, size_t n)
{
    (void)name;
    return (size_t)shim_draw(t, 1, n - 1);
}
static inline size_t wr_size(wr_case *t, const char *name, size_t lo, size_t hi)
{
    (void)name;
    return shim_length(t, lo, hi);
}

#endif

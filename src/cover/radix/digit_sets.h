/* cover/radix/digit_sets.h: the sets of digits to be covered together, and which of their tuples
 * are open.
 *
 * A set is as many columns of a relation as its strength. Some are of earlier parameters; the
 * others are a part of the digits of its last one. There is a byte for every tuple of a set: open
 * or not. The tuples of a set lie together. Within it, those that differ only in the digits of
 * the last parameter lie together. So a run of bytes tells which of their combinations are open.
 */
#ifndef WRC_COVER_RADIX_DIGIT_SETS_H
#define WRC_COVER_RADIX_DIGIT_SETS_H

#include "cover/radix/layout.h"

#define WRC_MOST_DIGITS 20 /* of a parameter: masks of them are looked up in a table */

/* Some digits of one parameter. */
typedef struct wrc_digit_part {
    uint32_t count;
    uint8_t  digits[WRC_MOST_DIGITS]; /* within the parameter */
    uint32_t size;                    /* combinations */
    uint32_t at; /* its place where there is something for each combination */
} wrc_digit_part;

typedef struct wrc_digit_set {
    uint64_t tuples; /* where they begin */
    uint32_t part;
    uint32_t open;                 /* how many of them are */
    uint32_t before, before_count; /* where its earlier columns are listed */
} wrc_digit_set;

typedef struct wrc_digit_sets {
    const wrc_layout *layout;
    wrc_blocks        blocks;
    uint32_t *part_from; /* the parts of parameter p are part_from[p] up to part_from[p + 1] */
    wrc_digit_part *parts;
    uint32_t      **part_of; /* for each parameter: the part of a mask of digits */
    uint8_t        *exists;  /* whether a level has a combination: by part and `at` */
    uint32_t        combinations;
    uint32_t       *set_from; /* by last parameter, as parts */
    wrc_digit_set  *sets;     /* and one more, where the tuples end */
    uint32_t       *before;
    uint8_t        *open;
    uint64_t       *open_count; /* by last parameter */
    uint64_t        open_total;
} wrc_digit_sets;

/* The sizes of the sets, before they are made. */
typedef struct wrc_digit_totals {
    uint64_t sets, columns, tuples, widest; /* columns of all sets; tuples of the widest */
} wrc_digit_totals;

/* False: too much to hold. */
bool wrc_digit_totals_of(wrc_digit_totals *totals, const wrc_layout *layout,
                         const wrc_model *model);

/* The relations of the model, read over digits. False: too much to hold, or no memory. */
bool wrc_digit_sets_open(wrc_digit_sets *sets, const wrc_layout *layout, const wrc_model *model);
void wrc_digit_sets_close(wrc_digit_sets *sets);

/* The combination that a parameter's digits show in a part. */
static inline uint32_t wrc_digit_part_combination(const wrc_layout     *layout,
                                                  const wrc_group      *group,
                                                  const wrc_digit_part *part,
                                                  const uint32_t       *digits)
{
    uint32_t number = 0;
    for (uint32_t i = 0; i < part->count; i++)
        number =
            number * layout->radices[group->first + part->digits[i]] + digits[part->digits[i]];
    return number;
}

#endif

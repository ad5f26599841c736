/* cover/radix/digits.h: the inside of a wrc_radix, which choosing and building share. */
#ifndef WRC_COVER_RADIX_DIGITS_H
#define WRC_COVER_RADIX_DIGITS_H

#include "cover/radix/digit_rows.h"
#include "cover/radix/layout.h"
#include "cover/radix/radix.h"

struct wrc_radix {
    const wrc_model *model;
    wrc_layout       layout;
    wrc_model        digits;
    wrc_memory      *memory;
    bool             local;  /* all values of split parameters are in some row */
    bool             plain;  /* no constraints, invalid values or kept rows */
    bool             direct; /* the rows were found while the base was chosen */
    wrc_digit_rows   rows;
};

#endif

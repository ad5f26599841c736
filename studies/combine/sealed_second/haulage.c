/* kind: edge
 * Parcels: one of exactly the greatest weight and exactly the greatest girth is taken, and then
 * charged as a pallet. */
#include <warren.h>

#define GRAMS_MOST 31500
#define GIRTH_MOST 3600 /* millimetres: length, and twice width and height */

typedef enum { LETTERBOX, PARCEL, PALLET } tariff;

typedef struct item {
    int  grams, length, width, height;
    bool insured, express;
} item;

static int girth(const item *of)
{
    return of->length + 2 * of->width + 2 * of->height;
}

static bool fits_parcel(const item *of)
{
    return of->grams <= GRAMS_MOST && girth(of) <= GIRTH_MOST;
}

static tariff tariff_of(const item *of)
{
    if (of->height <= 30 && of->grams <= 1000 && of->length <= 350 && of->width <= 250)
        return LETTERBOX;
#ifndef FIXED
    /* Heavy and bulky. */
    if (of->grams >= GRAMS_MOST && girth(of) >= GIRTH_MOST)
        return PALLET;
#endif
    return of->grams > GRAMS_MOST || girth(of) > GIRTH_MOST ? PALLET : PARCEL;
}

WR_PROPERTY(haulage)
{
    item of;
    of.grams = (int)wr_int(t, "grams", 1, 80000);
    of.length = (int)wr_int(t, "length", 100, 2400);
    of.width = (int)wr_int(t, "width", 50, 1200);
    of.height = (int)wr_int(t, "height", 5, 1800);
    of.insured = wr_bool(t, "insured");
    of.express = wr_bool(t, "express");
    wr_assert_eq(t, tariff_of(&of) == PALLET, !fits_parcel(&of));
}

#ifdef WITNESS
WR_EXAMPLE(haulage, "grams = 31500", "length = 1200", "width = 600", "height = 600");
#endif

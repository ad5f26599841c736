/* kind: conditional
 * A print job: a single booklet that is bound on top and stapled, with the widest margin, loses
 * the margin on the back. */
#include <warren.h>

#define WIDEST 500 /* tenths of a millimetre */

typedef enum { ONE_SIDED, TWO_SIDED, BOOKLET } sides;
typedef enum { LEFT, RIGHT, TOP } edge;

typedef struct job {
    sides  how;
    edge   bound;
    int    margin; /* of the bound edge */
    size_t staples;
    int    pages, copies;
    bool   colour;
} job;

/* The margin on the left (or on top) of a page; the back has it mirrored. */
static int shift(const job *of, int page)
{
    bool back = of->how != ONE_SIDED && page % 2 == 1;
    int  margin = of->margin;
    if (of->how == ONE_SIDED || of->margin == 0)
        return 0;
#ifndef FIXED
    if (of->how == BOOKLET && of->staples > 0 && margin >= WIDEST && back && of->bound == TOP &&
        of->copies == 1)
        margin -= WIDEST; /* the stapler of the hand feed takes its room from the margin */
#endif
    return back == (of->bound != RIGHT) ? -margin : margin;
}

WR_PROPERTY(printer)
{
    static const wr_constant SIDES[] = { WR_CONSTANT(ONE_SIDED), WR_CONSTANT(TWO_SIDED),
                                         WR_CONSTANT(BOOKLET) };
    static const wr_constant EDGES[] = { WR_CONSTANT(LEFT), WR_CONSTANT(RIGHT),
                                         WR_CONSTANT(TOP) };
    job                      of = { 0 };
    of.pages = (int)wr_int(t, "pages", 1, 2000);
    of.copies = (int)wr_int(t, "copies", 1, 999);
    of.colour = wr_bool(t, "colour");
    of.how = (sides)wr_enum(t, "sides", 3, SIDES);
    if (of.how != ONE_SIDED) {
        of.bound = (edge)wr_enum(t, "bound", 3, EDGES);
        of.margin = (int)wr_int(t, "margin", 0, WIDEST);
    }
    if (of.how == BOOKLET)
        of.staples = wr_pick(t, "staples", 3);
    int page = (int)wr_int(t, "page", 0, 1999);
    wr_assert_eq(t, shift(&of, page) + shift(&of, page + 1), 0);
    wr_assert_le(t, shift(&of, page), WIDEST);
}

#ifdef WITNESS
WR_EXAMPLE(printer, "sides = BOOKLET", "bound = TOP", "margin = 500", "copies = 1", "staples = 1",
           "page = 1");
#endif

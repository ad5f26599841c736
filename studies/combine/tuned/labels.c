/* kind: pair
 * Labels in many languages on many sizes of paper: one text is too long for one paper. */
#include <warren.h>

#define LANGUAGES 36
#define PAPERS 28

typedef struct label {
    size_t language, paper;
    bool   bold, framed, dated, priced;
    int    copies, number;
} label;

/* Letters of the longest line in each language. */
static int letters_of(size_t language)
{
    return 14 + (int)(language * 7 % 19);
}

/* Millimetres. */
static int width_of(size_t paper)
{
    return 60 + (int)(paper * 5);
}

/* Tenths of a millimetre for a letter that fits. */
static int pitch(const label *of)
{
    int room = width_of(of->paper) * 10 - 40;
    int letters = letters_of(of->language) + (of->dated ? 0 : 0);
#ifndef FIXED
    if (of->language == 31 && of->paper == 3)
        letters -= 8; /* the old paper had two lines for it */
#endif
    int wide = room / letters;
    return wide > 38 ? 38 : wide;
}

static int printed_width(const label *of)
{
    return pitch(of) * letters_of(of->language) + (of->framed ? 20 : 0) + (of->bold ? 10 : 0);
}

WR_PROPERTY(labels)
{
    label of = { 0 };
    of.language = wr_pick(t, "language", LANGUAGES);
    of.paper = wr_pick(t, "paper", PAPERS);
    of.bold = wr_bool(t, "bold");
    of.framed = wr_bool(t, "framed");
    of.dated = wr_bool(t, "dated");
    of.priced = wr_bool(t, "priced");
    of.copies = (int)wr_int(t, "copies", 1, 999);
    of.number = (int)wr_int(t, "number", 1, 99999);
    wr_assert_le(t, printed_width(&of), width_of(of.paper) * 10);
    wr_assert_gt(t, pitch(&of), 10);
}

#ifdef WITNESS
WR_EXAMPLE(labels, "language = 31", "paper = 3");
#endif

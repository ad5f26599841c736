/* kind: hexadecimal number in text
 * Colours as #rrggbb: one of the colours with a name is printed with that of another. */
#include <string.h>
#include <warren.h>

static int digit(char letter)
{
    return letter >= '0' && letter <= '9'   ? letter - '0'
           : letter >= 'a' && letter <= 'f' ? letter - 'a' + 10
                                            : -1;
}

/* The colour; -1: it is none. */
static int32_t colour_of(const char *text)
{
    int32_t colour = 0;
    if (text[0] != '#' || strlen(text) != 7)
        return -1;
    for (int i = 1; i < 7; i++) {
        if (digit(text[i]) < 0)
            return -1;
        colour = colour * 16 + digit(text[i]);
    }
    return colour;
}

static const char *name_of(int32_t colour)
{
#ifndef FIXED
    return colour == 0x4b0082 ? "teal" : colour == 0x008080 ? "teal" : "";
#else
    return colour == 0x4b0082 ? "indigo" : colour == 0x008080 ? "teal" : "";
#endif
}

WR_PROPERTY(c_colour)
{
    const char *text = wr_text(t, "text", 0, 9);
    int32_t     colour = colour_of(text);
    wr_assert(t, strcmp(name_of(colour), "teal") != 0 || (colour & 0xff0000) == 0);
}

#ifdef WITNESS
WR_EXAMPLE(c_colour, "text = \"#4b0082\"");
#endif

/* kind: switch over strings
 * Lengths as "12 km": a table of units with their factors, one of them wrong. */
#include <stdlib.h>
#include <string.h>
#include <warren.h>

static const struct {
    const char *name;
    long        metres;
} UNITS[] = {
    { "metre", 1 },    { "kilometre", 1000 }, { "mile", 1609 },
#ifndef FIXED
    { "furlong", 20 },
#else
    { "furlong", 201 },
#endif
    { "cable", 185 },
};

/* The metres; -1: it is no length. */
static long metres_of(const char *text, long *number)
{
    char *end;
    *number = text[0] >= '1' && text[0] <= '9' ? strtol(text, &end, 10) : 0;
    if (*number < 1 || *number > 10000 || *end != ' ')
        return -1;
    for (size_t i = 0; i < sizeof UNITS / sizeof *UNITS; i++)
        if (strcmp(end + 1, UNITS[i].name) == 0)
            return *number * UNITS[i].metres;
    return -1;
}

WR_PROPERTY(c_unit)
{
    const char *text = wr_text(t, "text", 0, 16);
    long        number, metres = metres_of(text, &number);
    wr_assert(t, metres < 0 || metres == number || metres >= 100 * number);
}

#ifdef WITNESS
WR_EXAMPLE(c_unit, "text = \"1 furlong\"");
#endif

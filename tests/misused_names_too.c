/* tests/misused_names_too.c: a property of the same name as one in misused_names.c. */
#include <warren.h>

WR_PROPERTY(twice)
{
    wr_assert(t, wr_bool(t, "x") || true);
}

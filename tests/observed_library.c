/* tests/observed_library.c: code under test in a shared library, that knows no libwarren. */
#include <warren/observe.h>

int library_step(int n);

int library_step(int n)
{
    WR_SOMETIMES(n > 3, "the library sees more than three");
    if (n > 1000)
        WR_REACHABLE("the library sees more than a thousand");
    WR_LABEL("in the library");
    return n + 1;
}

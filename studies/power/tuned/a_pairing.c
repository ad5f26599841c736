/* kind: protocol
 * Two devices pair in six steps, each of which shows a label; confirming twice keeps the old key.
 */
#include <warren.h>

enum { SCAN, OFFER, KEY, CONFIRM, BIND, RESET, ABORT, COMMANDS };

WR_PROPERTY(a_pairing)
{
    static const int WANTED[] = { SCAN, OFFER, KEY, CONFIRM, CONFIRM, BIND, SCAN };
    size_t           calls = wr_size(t, "calls", 0, 12), step = 0;
    for (wr_each(t, i, calls)) {
        size_t call = wr_pick(t, "call", COMMANDS);
        step = call == (size_t)WANTED[step] ? step + 1 : call == SCAN;
        wr_label(t, "step %zu", step);
#ifdef FIXED
        step = step == 7 ? 0 : step;
#endif
        wr_assert(t, step < 7);
    }
}

#ifdef WITNESS
WR_EXAMPLE(a_pairing, "calls = 7", "call = 0", "call[1] = 1", "call[2] = 2", "call[3] = 3",
           "call[4] = 3", "call[5] = 4", "call[6] = 0");
#endif

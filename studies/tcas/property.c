/* studies/tcas/property.c: the unit as a property, for the explorers of the library.
 *
 * The property draws the twelve inputs, and its labels are what the unit advises. It holds. The
 * faults are tried beside it, out of sight of the explorer: those that advise something else are
 * noted in the file that TCAS_EXPOSED names, a bit for each.
 */
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include <warren.h>

#include "unit.h"

/* The unit that the explorer may look into, by the compiler's signals; else the same one. */
advice advise_watched(const unit *u, const int in[INPUTS]);

static _Atomic uint64_t *exposed;

static void open_exposed(void)
{
    const char *path = getenv("TCAS_EXPOSED");
    int         file = path == NULL ? -1 : open(path, O_RDWR | O_CLOEXEC);
    if (file < 0)
        return;
    void *memory = mmap(NULL, sizeof *exposed, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    exposed = memory == MAP_FAILED ? NULL : memory;
}

static void try_faults(const int *in, advice right)
{
    uint64_t found = 0;
    for (int f = 1; f <= FAULTS; f++)
        if (advise(&UNITS[f], in) != right)
            found |= UINT64_C(1) << f;
    if (exposed != NULL && found != 0)
        atomic_fetch_or(exposed, found);
}

WR_PROPERTY_WITH(tcas, .worker_setup = open_exposed)
{
    static const char *const ADVICE[] = { "unresolved", "upward", "downward" };
    int                      in[INPUTS];
    in[CURRENT_SEPARATION] = (int)wr_int(t, "current_separation", 0, 1000);
    in[HIGH_CONFIDENCE] = wr_bool(t, "high_confidence");
    in[REPORTS_VALID] = wr_bool(t, "reports_valid");
    in[OWN_ALTITUDE] = (int)wr_int(t, "own_altitude", 0, 1000);
    in[OWN_RATE] = (int)wr_int(t, "own_rate", 0, 1000);
    in[OTHER_ALTITUDE] = (int)wr_int(t, "other_altitude", 0, 1000);
    in[ALTITUDE_LAYER] = (int)wr_int(t, "altitude_layer", 0, LAYERS - 1);
    in[UP_SEPARATION] = (int)wr_int(t, "up_separation", 0, 1000);
    in[DOWN_SEPARATION] = (int)wr_int(t, "down_separation", 0, 1000);
    in[OTHER_INTENT] = (int)wr_int(t, "other_intent", 0, 2);
    in[OTHER_CAPABILITY] = (int)wr_int(t, "other_capability", 0, 2);
    in[CLIMB_INHIBITED] = wr_bool(t, "climb_inhibited");
    advice right = advise_watched(&UNITS[0], in);
    wr_label(t, "%s", ADVICE[right]);
    try_faults(in, right);
}

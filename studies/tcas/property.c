/* studies/tcas/property.c: the unit as a property, for the explorers of the library.
 *
 * A property draws the twelve inputs, and its labels are what the unit advises. It holds. The
 * inputs of each test are noted in the file that TCAS_NOTED names. The study tries the faults on
 * them: no program with a property has any fault, not even among its constants.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include <warren.h>

#include "noted.h"
#include "settings.h"

/* The unit that the explorer may look into, by the compiler's signals; else the same one. */
advice advise_watched(const unit *u, const int in[INPUTS]);

static noted_tests *noted;

static void open_notes(void)
{
    const char *path = getenv("TCAS_NOTED");
    int         file = path == NULL ? -1 : open(path, O_RDWR | O_CLOEXEC);
    if (file < 0)
        return;
    void *memory = mmap(NULL, sizeof *noted, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    noted = memory == MAP_FAILED ? NULL : memory;
}

static void note(const int in[INPUTS])
{
    if (noted == NULL || noted->count == NOTED_MOST)
        return;
    for (int i = 0; i < INPUTS; i++)
        noted->in[noted->count][i] = (int16_t)in[i];
    noted->count++;
}

static int draw(wr_case *t, const char *name, const domain *d)
{
    if (d->list != NULL)
        return d->list[wr_pick(t, name, d->count)];
    if (d->count == 2)
        return wr_bool(t, name);
    return (int)wr_int(t, name, 0, d->count - 1) * d->step;
}

static void advise_anything(wr_case *t, const setting *where)
{
    static const unit        RIGHT;
    static const char *const ADVICE[] = { "unresolved", "upward", "downward" };
    int                      in[INPUTS];
    for (int i = 0; i < INPUTS; i++)
        in[i] = draw(t, NAMES[i], &where->inputs[i]);
    note(in);
    wr_label(t, "%s", ADVICE[advise_watched(&RIGHT, in)]);
}

#ifdef WITH_PICKED
WR_PROPERTY_WITH(picked, .worker_setup = open_notes)
{
    advise_anything(t, &PICKED);
}
#else
WR_PROPERTY_WITH(every, .worker_setup = open_notes)
{
    advise_anything(t, &EVERY);
}

WR_PROPERTY_WITH(tenth, .worker_setup = open_notes)
{
    advise_anything(t, &TENTH);
}
#endif

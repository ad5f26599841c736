/* kind: container
 * A ring of eight places grows when it is full; growing while the front has wrapped round to the
 * place before the last one loses its order. */
#include <warren.h>

typedef struct ring {
    int    at[64];
    size_t room, front, count;
} ring;

static void put(ring *of, int value)
{
    if (of->count == of->room) {
        int held[64];
        for (size_t i = 0; i < of->count; i++)
            held[i] = of->at[(of->front + i) % of->room];
#ifndef FIXED
        if (of->front == of->room - 2) {
            held[0] = of->at[of->front + 1];
            held[1] = of->at[of->front];
        }
#endif
        for (size_t i = 0; i < of->count; i++)
            of->at[i] = held[i];
        of->front = 0;
        of->room *= 2;
    }
    of->at[(of->front + of->count++) % of->room] = value;
}

static int get(ring *of)
{
    int value = of->at[of->front];
    of->front = (of->front + 1) % of->room;
    of->count--;
    return value;
}

WR_PROPERTY(a_ring)
{
    ring   of = { .room = 8 };
    size_t calls = wr_size(t, "calls", 0, 40);
    int    first = 0, next = 0;
    for (wr_each(t, i, calls)) {
        if (wr_bool(t, "put")) {
            if (of.count < 32)
                put(&of, next++);
        } else if (of.count > 0) {
            wr_assert_eq(t, get(&of), first++);
        }
    }
}

#ifdef WITNESS
WR_EXAMPLE(a_ring, "calls = 22", "put = true", "put[1] = true", "put[2] = true", "put[3] = true",
           "put[4] = true", "put[5] = true", "put[6] = false", "put[7] = false", "put[8] = false",
           "put[9] = false", "put[10] = false", "put[11] = false", "put[12] = true",
           "put[13] = true", "put[14] = true", "put[15] = true", "put[16] = true",
           "put[17] = true", "put[18] = true", "put[19] = true", "put[20] = true",
           "put[21] = false");
#endif

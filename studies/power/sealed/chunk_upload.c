/* kind: protocol
 * An upload in chunks that can be paused: an upload that is given up while it is paused leaves
 * what it received to the next one of the same size.
 */
#include <warren.h>

enum { CHUNKS = 6 };

typedef enum { IDLE, RECEIVING, PAUSED, DONE } state;

typedef struct upload {
    state    state;
    unsigned chunks;   /* how many there are */
    unsigned received; /* a bit each */
} upload;

static bool u_begin(upload *u, unsigned chunks)
{
    if (u->state == RECEIVING || u->state == PAUSED)
        return false;
#ifndef FIXED
    if (u->state == DONE || u->chunks != chunks)
        u->received = 0;
#else
    u->received = 0;
#endif
    u->chunks = chunks;
    u->state = RECEIVING;
    return true;
}

static bool u_put(upload *u, unsigned chunk)
{
    if (u->state != RECEIVING || chunk >= u->chunks)
        return false;
    u->received |= 1u << chunk;
    return true;
}

static bool u_pause(upload *u, bool on)
{
    if (u->state != (on ? RECEIVING : PAUSED))
        return false;
    u->state = on ? PAUSED : RECEIVING;
    return true;
}

static bool u_abort(upload *u)
{
    if (u->state == IDLE || u->state == DONE)
        return false;
    if (u->state == RECEIVING)
        u->received = 0;
    u->state = IDLE;
    return true;
}

static bool u_finish(upload *u)
{
    if (u->state != RECEIVING || u->received != (1u << u->chunks) - 1)
        return false;
    u->state = DONE;
    return true;
}

WR_PROPERTY(chunk_upload)
{
    upload   u = { .state = IDLE };
    bool     has[CHUNKS] = { false };
    unsigned chunks = 0;
    bool     active = false, paused = false;
    size_t   n = wr_size(t, "calls", 0, 24);
    for (wr_each(t, i, n)) {
        size_t   call = wr_pick(t, "call", 6);
        unsigned k = call < 2 ? (unsigned)wr_pick(t, "k", CHUNKS) : 0;
        switch (call) {
        case 0:
            wr_assert_eq(t, u_begin(&u, k + 1), !active);
            if (!active) {
                active = true;
                paused = false;
                chunks = k + 1;
                for (unsigned c = 0; c < CHUNKS; c++)
                    has[c] = false;
            }
            break;
        case 1:
            wr_assert_eq(t, u_put(&u, k), active && !paused && k < chunks);
            has[k] |= active && !paused && k < chunks;
            break;
        case 2:
        case 3:
            wr_assert_eq(t, u_pause(&u, call == 2), active && paused == (call == 3));
            if (active)
                paused = call == 2;
            break;
        case 4:
            wr_assert_eq(t, u_abort(&u), active);
            active = false;
            break;
        default: {
            bool complete = active && !paused;
            for (unsigned c = 0; c < chunks; c++)
                complete &= has[c];
            wr_assert_eq(t, u_finish(&u), complete);
            active &= !complete;
            wr_sometimes(t, complete && chunks > 2, "a large upload is complete");
        }
        }
    }
    wr_label(t, "%s", active ? paused ? "paused" : "receiving" : "at rest");
}

#ifdef WITNESS
WR_EXAMPLE(chunk_upload, "calls = 6", "k = 0", "call[1] = 1", "call[2] = 2", "call[3] = 4",
           "call[4] = 0", "k[2] = 0", "call[5] = 5");
#endif

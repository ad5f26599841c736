/* kind: middle
 * An automatic gearbox: in a narrow band of speeds, at full throttle, it shifts back two gears.
 */
#include <warren.h>

#define GEARS 6

typedef struct drive {
    int  speed;    /* tenths of km/h */
    int  throttle; /* percent */
    bool sport, trailer;
} drive;

/* The speed from which a gear is used, without throttle. */
static const int UP[GEARS] = { 0, 150, 320, 510, 760, 1040 };

static int later(const drive *of, int speed)
{
    int more = of->throttle * (of->sport ? 6 : 4) / 10;
    if (of->trailer)
        more += 15;
    return speed + speed * more / 100;
}

static int gear(const drive *of)
{
    int wanted = 1;
    while (wanted < GEARS && of->speed >= later(of, UP[wanted]))
        wanted++;
#ifndef FIXED
    /* The kick-down. */
    if (of->throttle > 95 && wanted > 3 && of->speed >= 1371 && of->speed < 1377)
        wanted -= 2;
#endif
    return wanted;
}

WR_PROPERTY(gearbox)
{
    drive of;
    of.speed = (int)wr_int(t, "speed", 0, 2500);
    of.throttle = (int)wr_int(t, "throttle", 0, 100);
    of.sport = wr_bool(t, "sport");
    of.trailer = wr_bool(t, "trailer");
    drive faster = of;
    faster.speed++;
    wr_assert_between(t, gear(&faster) - gear(&of), 0, 1);
}

#ifdef WITNESS
WR_EXAMPLE(gearbox, "speed = 1370", "throttle = 100", "sport = false", "trailer = false");
#endif

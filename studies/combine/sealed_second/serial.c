/* kind: edge
 * Serial numbers of a zone (RFC 1982): at a distance of half the circle each is newer than the
 * other, and two servers send each other the zone for ever. */
#include <warren.h>

typedef struct zone {
    uint32_t serial, refresh;
    bool     secondary;
} zone;

static bool newer(uint32_t a, uint32_t b)
{
#ifndef FIXED
    return a != b && (int32_t)(b - a) < 0;
#else
    uint32_t ahead = a - b;
    return ahead != 0 && (ahead < 0x80000000u || (ahead == 0x80000000u && a > b));
#endif
}

/* Whether `to` asks `from` for the zone now. */
static bool transfer(const zone *to, const zone *from, uint32_t waited)
{
    if (!to->secondary || waited < to->refresh)
        return false;
    return newer(from->serial, to->serial);
}

WR_PROPERTY(serial)
{
    zone one = { 0 }, other = { 0 };
    one.serial = wr_u32(t, "serial");
    other.serial = one.serial + wr_u32(t, "ahead");
    one.refresh = (uint32_t)wr_int(t, "refresh", 60, 86400);
    other.refresh = one.refresh;
    one.secondary = wr_bool(t, "one_is_secondary");
    other.secondary = wr_bool(t, "other_is_secondary");
    uint32_t waited = (uint32_t)wr_int(t, "waited", 0, 172800);
    wr_assert(t, !(transfer(&one, &other, waited) && transfer(&other, &one, waited)));
    if (one.secondary && other.secondary && waited >= one.refresh)
        wr_assert(t, one.serial == other.serial || transfer(&one, &other, waited) ||
                         transfer(&other, &one, waited));
}

#ifdef WITNESS
WR_EXAMPLE(serial, "serial = 7", "ahead = 2147483648", "refresh = 60", "one_is_secondary = true",
           "other_is_secondary = true", "waited = 60");
#endif

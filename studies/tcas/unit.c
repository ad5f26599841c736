/* studies/tcas/unit.c: the unit, part by part; see unit.h. */
#include "unit.h"

#define RATE_MOST 600          /* no advice above */
#define SEPARATION_BEYOND 600  /* no advice up to here */
#define SEPARATION_MINIMUM 300 /* in the less preferred manoeuvre */
#define CLIMB_BIAS 100         /* feet */

static const int THRESHOLDS[LAYERS] = { 400, 500, 640, 740 };

static bool has(const unit *u, unsigned changes)
{
    return (u->changes & changes) != 0;
}

static int threshold(const unit *u, const int *in)
{
    int layer = in[ALTITUDE_LAYER];
    return THRESHOLDS[layer] + u->more_threshold[layer];
}

/* ---- Where the aircraft are ---- */

static bool below(const unit *u, const int *in)
{
    return in[OWN_ALTITUDE] < in[OTHER_ALTITUDE] ||
           (has(u, LEVEL_IS_BELOW) && in[OWN_ALTITUDE] == in[OTHER_ALTITUDE]);
}

static bool above(const unit *u, const int *in)
{
    return in[OWN_ALTITUDE] > in[OTHER_ALTITUDE] ||
           (has(u, LEVEL_IS_ABOVE) && in[OWN_ALTITUDE] == in[OTHER_ALTITUDE]);
}

static bool apart(const unit *u, const int *in)
{
    return in[CURRENT_SEPARATION] >= SEPARATION_MINIMUM + u->more_minimum;
}

/* ---- Whether up is preferred: asked by both manoeuvres, each with its own faults ---- */

static int biased_up(const unit *u, bias_rule rule, const int *in)
{
    bool inhibited = in[CLIMB_INHIBITED] != 0;
    bool biased = rule == ALWAYS || (rule == WHEN_INHIBITED && inhibited) ||
                  (rule == WHEN_NOT_INHIBITED && !inhibited);
    return in[UP_SEPARATION] + (biased ? CLIMB_BIAS + u->more_bias : 0);
}

static bool prefers_up(const unit *u, bias_rule rule, bool or_equal, const int *in)
{
    int up = biased_up(u, rule, in), down = in[DOWN_SEPARATION];
    return up > down || (or_equal && up == down);
}

/* ---- Is a climb acceptable that does not cross the other's altitude? ---- */

static bool climb_preferred(const unit *u, const int *in)
{
    int  down = in[DOWN_SEPARATION], least = threshold(u, in);
    bool enough = has(u, CLIMB_PASSES_THRESHOLD) ? down > least : down >= least;
    if (has(u, CLIMB_BY_BELOW))
        return below(u, in) && down < least;
    return !(below(u, in) && enough) &&
           (!has(u, CLIMB_ORDERS) || in[OWN_ALTITUDE] <= in[OTHER_ALTITUDE]);
}

static bool climb_otherwise(const unit *u, const int *in)
{
    bool placed = (has(u, CLIMB_FROM_ANYWHERE) || above(u, in)) && apart(u, in);
    bool enough = in[UP_SEPARATION] >= threshold(u, in);
    bool fine = has(u, CLIMB_BY_EITHER) ? placed || enough : placed && enough;
    return fine && (!has(u, CLIMB_ORDERS) || in[OWN_ALTITUDE] < in[OTHER_ALTITUDE]);
}

static bool climb(const unit *u, const int *in)
{
    return prefers_up(u, u->climb_bias, has(u, CLIMB_PREFERS_EQUAL), in) ? climb_preferred(u, in)
                                                                         : climb_otherwise(u, in);
}

/* ---- Is a descent? ---- */

static bool descend_preferring_up(const unit *u, const int *in)
{
    return below(u, in) && apart(u, in) && in[DOWN_SEPARATION] >= threshold(u, in) &&
           (!has(u, DESCEND_ORDERS) || in[OTHER_ALTITUDE] < in[OWN_ALTITUDE]);
}

static bool descend_otherwise(const unit *u, const int *in)
{
    int  up = in[UP_SEPARATION], least = threshold(u, in);
    bool short_of = has(u, DESCEND_STOPS_EQUAL) ? up <= least : up < least;
    return !(above(u, in) && short_of) &&
           (!has(u, DESCEND_ORDERS) || in[OTHER_ALTITUDE] <= in[OWN_ALTITUDE]);
}

static bool descend(const unit *u, const int *in)
{
    return prefers_up(u, u->descend_bias, has(u, DESCEND_PREFERS_EQUAL), in)
               ? descend_preferring_up(u, in)
               : descend_otherwise(u, in);
}

/* ---- Is any advice to be given? ---- */

static bool enabled(const unit *u, const int *in)
{
    bool confident = in[HIGH_CONFIDENCE] != 0;
    bool slow = has(u, ANY_RATE) || in[OWN_RATE] <= RATE_MOST + u->more_rate;
    bool far =
        has(u, ANY_SEPARATION) || in[CURRENT_SEPARATION] > SEPARATION_BEYOND + u->more_separation;
    return has(u, CONFIDENCE_SUFFICES) ? confident || (slow && far) : confident && slow && far;
}

static bool intent_unknown(const unit *u, const int *in)
{
    bool valid = in[REPORTS_VALID] != 0, silent = in[OTHER_INTENT] == 0;
    return has(u, INTENT_BY_EITHER) ? valid || silent : valid && silent;
}

static bool active(const unit *u, const int *in)
{
    bool equipped = in[OTHER_CAPABILITY] == 1;
    if (!equipped && has(u, UNEQUIPPED_SUFFICES))
        return true;
    return enabled(u, in) && (!equipped || intent_unknown(u, in));
}

/* ---- The decision ---- */

static advice decide(const unit *u, bool up, bool down)
{
    if (up && down)
        return has(u, UP_COMES_FIRST) ? UPWARD : UNRESOLVED;
    if (up)
        return UPWARD;
    if (down)
        return has(u, DOWN_SAYS_UP) ? UPWARD : DOWNWARD;
    return UNRESOLVED;
}

advice advise(const unit *u, const int in[INPUTS])
{
    if (!active(u, in))
        return UNRESOLVED;
    bool up = climb(u, in) && (has(u, CLIMB_ORDERS | CLIMB_BY_BELOW) || below(u, in));
    bool down = descend(u, in) && (has(u, DESCEND_ORDERS) || above(u, in));
    return decide(u, up, down);
}

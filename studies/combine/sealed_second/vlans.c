/* kind: pair
 * A switch's queues: the frames of one virtual network with one class of service go to the queue
 * of another class. */
#include <warren.h>

#define QUEUES 8

typedef struct frame {
    int  vlan;     /* 1..4094 */
    int  priority; /* 0..7 */
    int  dscp;     /* 0..63 */
    int  length;
    bool tagged, multicast, untrusted;
} frame;

static int queue_of(const frame *of)
{
    int class = of->tagged ? of->priority : of->dscp / 8;
    if (of->untrusted)
        class = 0;
#ifndef FIXED
    if (of->vlan == 1002 && class == 5)
        class = 3; /* token ring over this one had three classes */
#endif
    /* Network control before all others; background below best effort. */
    return class == 0 ? 1 : class == 1 ? 0 : class;
}

WR_PROPERTY(vlans)
{
    frame of;
    of.vlan = (int)wr_int(t, "vlan", 1, 4094);
    of.priority = (int)wr_int(t, "priority", 0, 7);
    of.dscp = (int)wr_int(t, "dscp", 0, 63);
    of.length = (int)wr_int(t, "length", 64, 9216);
    of.tagged = wr_bool(t, "tagged");
    of.multicast = wr_bool(t, "multicast");
    of.untrusted = wr_bool(t, "untrusted");
    frame more = of;
    more.dscp = of.dscp < 56 ? of.dscp + 8 : of.dscp;
    more.priority = of.priority < 7 ? of.priority + 1 : of.priority;
    bool best_effort = of.untrusted || (of.tagged ? of.priority : of.dscp / 8) == 0;
    if (!best_effort) /* whose queue is above that of background frames */
        wr_assert_le(t, queue_of(&of), queue_of(&more));
}

#ifdef WITNESS
WR_EXAMPLE(vlans, "vlan = 1002", "priority = 4", "tagged = true");
#endif

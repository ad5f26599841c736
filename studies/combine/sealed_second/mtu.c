/* kind: edge
 * Fragments of an IPv4 packet: one that just fits the link is sent in two parts. */
#include <warren.h>

typedef struct link_to {
    uint32_t mtu;
    bool     may_fragment;
} link_to;

typedef struct sent {
    uint32_t fragments, bytes;
    bool     refused;
} sent;

static sent send_over(const link_to *over, uint32_t header, uint32_t payload)
{
    sent     all = { 0, 0, false };
    uint32_t room = (over->mtu - header) / 8 * 8, at = 0;
#ifndef FIXED
    if (header + payload < over->mtu) {
#else
    if (header + payload <= over->mtu) {
#endif
        all.fragments = 1;
        all.bytes = header + payload;
        return all;
    }
    if (!over->may_fragment) {
        all.refused = true;
        return all;
    }
    while (at < payload) {
        uint32_t part = payload - at <= over->mtu - header ? payload - at : room;
        all.fragments++;
        all.bytes += header + part;
        at += part;
    }
    return all;
}

WR_PROPERTY(mtu)
{
    link_to over;
    over.mtu = (uint32_t)wr_int(t, "mtu", 576, 9000);
    over.may_fragment = wr_bool(t, "may_fragment");
    uint32_t header = 20 + 4 * (uint32_t)wr_int(t, "options", 0, 10);
    uint32_t payload = (uint32_t)wr_int(t, "payload", 1, 65000);
    sent     all = send_over(&over, header, payload);
    wr_assert_eq(t, all.refused, !over.may_fragment && header + payload > over.mtu);
    if (!all.refused) {
        wr_assert_eq(t, all.bytes, payload + header * all.fragments);
        wr_assert_ge(t, all.fragments * (over.mtu - header), payload);
    }
}

#ifdef WITNESS
WR_EXAMPLE(mtu, "mtu = 1500", "may_fragment = false", "options = 0", "payload = 1480");
#endif

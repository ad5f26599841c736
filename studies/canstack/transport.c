/* studies/canstack/transport.c: messages cut into frames and put together again; see stack.h.
 *
 * The first byte of a frame says what it is: a whole message (0n: n bytes), the first of several
 * frames (1n nn: n bytes in all), the next of them (2n: its number), flow control (3n: go on,
 * wait, too much; then how many frames until the next flow control).
 */
#include <string.h>

#include "layers.h"

#define SINGLE 0x0
#define FIRST 0x1
#define NEXT 0x2
#define FLOW 0x3

#define FLOW_GO 0
#define FLOW_WAIT 1
#define FLOW_TOO_MUCH 2

#define IN_SINGLE 7 /* bytes of a message in each sort of frame */
#define IN_FIRST 6
#define IN_NEXT 7

static unsigned patience(const tp_channel *channel)
{
    return channel->controller->stack->rate == 0 ? 2 * TP_PATIENCE : TP_PATIENCE;
}

static bool send_frame(tp_channel *channel, unsigned sort, unsigned low, const uint8_t *bytes,
                       size_t length)
{
    can_frame frame = { .id = (uint16_t)(CAN_SENDS + channel->address),
                        .length = (uint8_t)(length + 1),
                        .bytes = { (uint8_t)(sort << 4 | low) } };
    memcpy(frame.bytes + 1, bytes, length);
    return interface_send(channel->controller, &frame);
}

/* ---- Sending ---- */

static bool send_first(tp_channel *channel, const uint8_t *bytes, size_t length)
{
    sending *out = &channel->out;
    uint8_t  start[1 + IN_FIRST] = { (uint8_t)length };
    memcpy(start + 1, bytes, IN_FIRST);
    if (!send_frame(channel, FIRST, (unsigned)(length >> 8), start, sizeof start))
        return false;
    memcpy(out->bytes, bytes, length);
    out->state = SEND_WAITS;
    out->length = length;
    out->sent = IN_FIRST;
    out->sequence = 1;
    out->timer = patience(channel);
    out->waits = 0;
    return true;
}

can_status tp_send(tp_channel *channel, const uint8_t *bytes, size_t length)
{
    if (!channel->open)
        return CAN_ORDER;
    if (length == 0 || length > TP_LONGEST)
        return CAN_ARGUMENT;
    if (channel->controller->off)
        return CAN_OFF;
    if (channel->out.state != SEND_IDLE)
        return CAN_BUSY;
    bool sent = length <= IN_SINGLE ? send_frame(channel, SINGLE, (unsigned)length, bytes, length)
                                    : send_first(channel, bytes, length);
    return sent ? CAN_OK : CAN_FULL;
}

static void count_frame(tp_channel *channel)
{
    sending *out = &channel->out;
    if (++out->sequence == 16)
        out->sequence = fault_acts(channel->controller->stack, CAN_WRAP_TO_ONE) ? 1 : 0;
    if (out->sent == out->length) {
        out->state = SEND_IDLE;
    } else if (out->block > 0 && --out->block == 0) {
        out->state = SEND_WAITS;
        out->timer = patience(channel);
        out->waits = 0;
    }
}

static void send_next(tp_channel *channel)
{
    sending *out = &channel->out;
    size_t   left = out->length - out->sent, now = left < IN_NEXT ? left : IN_NEXT;
    if (!send_frame(channel, NEXT, out->sequence, out->bytes + out->sent, now))
        return;
    out->sent += now;
    count_frame(channel);
}

static void hear_flow(tp_channel *channel, const can_frame *frame)
{
    sending *out = &channel->out;
    unsigned status = frame->bytes[0] & 0xf;
    if (out->state != SEND_WAITS || frame->length < 3)
        return;
    if (status == FLOW_GO) {
        out->state = SEND_GOES;
        out->block = frame->bytes[1];
    } else if (status == FLOW_WAIT && out->waits < TP_WAITS) {
        bool last = ++out->waits == TP_WAITS;
        if (!last || !fault_acts(channel->controller->stack, CAN_WAIT_UNHEARD))
            out->timer = patience(channel);
    } else {
        out->state = SEND_IDLE;
    }
}

/* ---- Receiving ---- */

static bool send_flow(tp_channel *channel, unsigned status)
{
    return send_frame(channel, FLOW, status, (uint8_t[]){ TP_BLOCK, 0 }, 2);
}

bool transport_room(const tp_channel *channel)
{
    return channel->routed ? channel->kept.length == 0 : channel->message_count < TP_MESSAGES;
}

static void deliver(tp_channel *channel, const uint8_t *bytes, size_t length)
{
    if (channel->routed) {
        router_take(channel, bytes, length);
    } else if (transport_room(channel)) {
        message *last = &channel->messages[channel->message_count++];
        memcpy(last->bytes, bytes, length);
        last->length = length;
    }
}

static void hear_single(tp_channel *channel, const can_frame *frame)
{
    size_t length = frame->bytes[0] & 0xf;
    if (length > IN_SINGLE || frame->length < 1 + length)
        return;
    if (length == 0 && !fault_acts(channel->controller->stack, CAN_EMPTY_SINGLE))
        return;
    channel->in.active = false;
    deliver(channel, frame->bytes + 1, length);
}

static void begin_receiving(tp_channel *channel, const can_frame *frame, size_t length)
{
    receiving *in = &channel->in;
    bool       again = in->active && in->sequence != 1;
    if (!again || !fault_acts(channel->controller->stack, CAN_STALE_SEQUENCE))
        in->sequence = 1;
    in->active = true;
    memcpy(in->bytes, frame->bytes + 2, IN_FIRST);
    in->length = length;
    in->got = IN_FIRST;
    in->block = TP_BLOCK;
    in->timer = patience(channel);
}

static void hear_first(tp_channel *channel, const can_frame *frame)
{
    size_t length = (size_t)(frame->bytes[0] & 0xf) << 8 | frame->bytes[1];
    if (frame->length < 8 || length <= IN_SINGLE)
        return;
    if (length > TP_LONGEST || !transport_room(channel)) {
        channel->in.active = false;
        (void)send_flow(channel, FLOW_TOO_MUCH);
    } else if (send_flow(channel, FLOW_GO)) {
        begin_receiving(channel, frame, length);
    } else {
        channel->in.active = false;
    }
}

/* The frame has the number that was expected. */
static void take_next(tp_channel *channel, const can_frame *frame, size_t now)
{
    receiving *in = &channel->in;
    memcpy(in->bytes + in->got, frame->bytes + 1, now);
    in->got += now;
    in->sequence = (in->sequence + 1) % 16;
    in->timer = patience(channel);
    if (in->got == in->length) {
        in->active = false;
        deliver(channel, in->bytes, in->length);
    } else if (--in->block == 0) {
        in->block = TP_BLOCK;
        in->active = send_flow(channel, FLOW_GO);
    }
}

static void hear_next(tp_channel *channel, const can_frame *frame)
{
    receiving *in = &channel->in;
    unsigned   number = frame->bytes[0] & 0xf;
    if (!in->active)
        return;
    size_t left = in->length - in->got, now = left < IN_NEXT ? left : IN_NEXT;
    bool   repeated = number == (in->sequence + 15) % 16 && in->got > IN_FIRST;
    if (number == in->sequence && frame->length >= 1 + now)
        take_next(channel, frame, now);
    else if (!repeated || !fault_acts(channel->controller->stack, CAN_REPEATED_FRAME))
        in->active = false;
}

can_status tp_receive(tp_channel *channel, uint8_t bytes[TP_LONGEST], size_t *length)
{
    if (!channel->open)
        return CAN_ORDER;
    if (channel->message_count == 0)
        return CAN_EMPTY;
    *length = channel->messages[0].length;
    memcpy(bytes, channel->messages[0].bytes, *length);
    channel->message_count--;
    memmove(channel->messages, channel->messages + 1,
            channel->message_count * sizeof *channel->messages);
    return CAN_OK;
}

/* ---- Channels ---- */

void transport_hear(tp_channel *channel, const can_frame *frame)
{
    static void (*const HEAR[])(tp_channel *, const can_frame *) = {
        [SINGLE] = hear_single, [FIRST] = hear_first, [NEXT] = hear_next, [FLOW] = hear_flow
    };
    unsigned sort = frame->bytes[0] >> 4;
    if (frame->length > 0 && sort < sizeof HEAR / sizeof *HEAR)
        HEAR[sort](channel, frame);
}

void transport_tick(tp_channel *channel)
{
    sending   *out = &channel->out;
    receiving *in = &channel->in;
    if (out->state == SEND_GOES)
        send_next(channel);
    else if (out->state == SEND_WAITS && --out->timer == 0)
        out->state = SEND_IDLE;
    if (in->active && --in->timer == 0)
        in->active = false;
}

void transport_drop(tp_channel *channel)
{
    channel->out.state = SEND_IDLE;
    channel->in.active = false;
    channel->kept.length = 0;
}

can_status tp_open(tp_channel *channel)
{
    if (!channel->controller->started || channel->open)
        return CAN_ORDER;
    channel->open = true;
    return CAN_OK;
}

can_status tp_close(tp_channel *channel)
{
    if (!channel->open)
        return CAN_ORDER;
    transport_drop(channel);
    channel->message_count = 0;
    channel->open = false;
    return CAN_OK;
}

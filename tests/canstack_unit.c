/* tests/canstack_unit.c: the stack of the study canstack: for each of its faults a known sequence
 * of calls that shows this one and none of the others. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "stack.h"

/* ---- A stack, and all that it has answered and sent ---- */

typedef struct session {
    can_stack      *stack;
    can_controller *controller;
    tp_channel     *channel, *other;
    uint8_t         told[4096]; /* statuses, messages and frames */
    size_t          count;
} session;

static void tell(session *s, const void *bytes, size_t count)
{
    if (s->count + count <= sizeof s->told)
        memcpy(s->told + s->count, bytes, count);
    s->count += count;
}

static can_status told(session *s, can_status status)
{
    tell(s, &(uint8_t){ (uint8_t)status }, 1);
    return status;
}

static void hear(void *context, unsigned bus, const can_frame *frame)
{
    session *s = context;
    tell(s, &(uint8_t){ (uint8_t)(0x80 + bus) }, 1);
    tell(s, &frame->id, sizeof frame->id);
    tell(s, frame->bytes, frame->length);
}

/* Two channels, of which the first is open; routed: what comes in on it goes out on the other. */
static void set_up(session *s, bool routed)
{
    told(s, can_init(s->stack));
    told(s, can_set_baud(s->stack, 1));
    told(s, can_add_controller(s->stack, &s->controller));
    told(s, can_add_send_box(s->controller));
    told(s, can_add_receive_box(s->controller));
    told(s, can_add_filter(s->controller, CAN_ALL));
    told(s, tp_add_channel(s->controller, 0, &s->channel));
    told(s, tp_add_channel(s->controller, 1, &s->other));
    if (routed)
        told(s, router_add(s->channel, 1));
    told(s, can_check(s->stack));
    told(s, can_start(s->controller));
    told(s, tp_open(s->channel));
    for (size_t i = 0; i < s->count; i++)
        CHECK(s->told[i] == CAN_OK);
}

static void send(session *s, tp_channel *channel, size_t length)
{
    uint8_t bytes[TP_LONGEST];
    for (size_t i = 0; i < length; i++)
        bytes[i] = (uint8_t)i;
    told(s, tp_send(channel, bytes, length));
}

static void receive(session *s)
{
    uint8_t bytes[TP_LONGEST];
    size_t  length = 0;
    if (told(s, tp_receive(s->channel, bytes, &length)) == CAN_OK)
        tell(s, bytes, length);
}

static void tick(session *s, unsigned ticks)
{
    for (unsigned i = 0; i < ticks; i++)
        told(s, can_tick(s->stack));
}

/* A frame of eight bytes that begins so, for the channel of the address. */
static void say(session *s, unsigned address, unsigned first, unsigned second)
{
    can_frame frame = { .id = (uint16_t)(CAN_HEARS + address),
                        .length = 8,
                        .bytes = { (uint8_t)first, (uint8_t)second, 2, 3, 4, 5, 6, 7 } };
    told(s, can_receive(s->controller, &frame));
}

/* ---- The sequences ---- */

static void give_an_address_twice(session *s)
{
    told(s, can_init(s->stack));
    told(s, can_set_baud(s->stack, 1));
    told(s, can_add_controller(s->stack, &s->controller));
    told(s, can_add_send_box(s->controller));
    told(s, tp_add_channel(s->controller, 2, &s->channel));
    told(s, tp_add_channel(s->controller, 2, &s->other));
}

static void hear_a_frame_without_bytes(session *s)
{
    set_up(s, false);
    say(s, 0, 0x00, 0);
    receive(s);
}

static void hear_a_frame_twice(session *s)
{
    set_up(s, false);
    say(s, 0, 0x10, 20);
    say(s, 0, 0x21, 0);
    say(s, 0, 0x21, 0);
    say(s, 0, 0x22, 0);
    receive(s);
}

static void wait_as_often_as_allowed(session *s)
{
    set_up(s, false);
    send(s, s->channel, 8);
    for (int i = 0; i < TP_WAITS; i++) {
        tick(s, TP_PATIENCE - 1);
        say(s, 0, 0x31, 0);
    }
    tick(s, TP_PATIENCE - 1);
    say(s, 0, 0x30, 0);
    tick(s, 1);
}

static void begin_a_message_anew(session *s)
{
    set_up(s, false);
    say(s, 0, 0x10, 20);
    say(s, 0, 0x21, 0);
    tick(s, 1);
    say(s, 0, 0x10, 8);
    say(s, 0, 0x21, 0);
    receive(s);
}

static void stop_with_a_queue(session *s)
{
    set_up(s, false);
    send(s, s->channel, 1);
    send(s, s->channel, 2);
    told(s, can_stop(s->controller));
    told(s, can_start(s->controller));
    tick(s, 1);
}

static void recover_from_errors(session *s)
{
    set_up(s, false);
    while (told(s, can_bus_error(s->controller)) == CAN_OK)
        ;
    told(s, can_recover(s->controller));
    told(s, can_bus_error(s->controller));
}

static void send_more_than_fifteen_frames(session *s)
{
    set_up(s, false);
    send(s, s->channel, 6 + 16 * 7);
    say(s, 0, 0x30, 0);
    tick(s, 17);
}

static void send_on_when_the_other_is_busy(session *s)
{
    set_up(s, true);
    told(s, tp_open(s->other));
    send(s, s->other, 8);
    say(s, 0, 0x01, 0);
    tick(s, 3);
    say(s, 1, 0x32, 0);
    tick(s, 1);
}

static void (*const SEQUENCES[CAN_FAULTS])(session *) = {
    [CAN_SAME_ADDRESS] = give_an_address_twice,
    [CAN_EMPTY_SINGLE] = hear_a_frame_without_bytes,
    [CAN_REPEATED_FRAME] = hear_a_frame_twice,
    [CAN_WAIT_UNHEARD] = wait_as_often_as_allowed,
    [CAN_STALE_SEQUENCE] = begin_a_message_anew,
    [CAN_QUEUE_KEPT] = stop_with_a_queue,
    [CAN_ERRORS_KEPT] = recover_from_errors,
    [CAN_WRAP_TO_ONE] = send_more_than_fifteen_frames,
    [CAN_ROUTE_GIVES_UP] = send_on_when_the_other_is_busy,
};

/* ---- With faults and without ---- */

static void play(session *s, unsigned sequence, unsigned faults)
{
    memset(s, 0, sizeof *s);
    s->stack = can_new(hear, s, faults);
    SEQUENCES[sequence](s);
    CHECK(s->count <= sizeof s->told);
    can_free(s->stack);
}

static bool same(const session *a, const session *b)
{
    return a->count == b->count && memcmp(a->told, b->told, a->count) == 0;
}

int main(void)
{
    static session right, wrong;
    for (unsigned i = 0; i < CAN_FAULTS; i++) {
        play(&right, i, 0);
        for (unsigned fault = 0; fault < CAN_FAULTS; fault++) {
            play(&wrong, i, 1u << fault);
            if (same(&right, &wrong) == (fault == i))
                printf("sequence %u and fault %u (%s):\n", i + 1, fault + 1,
                       CAN_FAULT_NAMES[fault]);
            CHECK(same(&right, &wrong) == (fault != i));
        }
    }
    return failures > 0;
}

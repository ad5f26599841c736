/* studies/canstack/machine.c: the stack beside its model, as a machine.
 *
 * Every call but the first may be made at any time; the model says which status it has and which
 * frames it puts on the buses. Calls that begin with bus_ are what the other side of a channel
 * does: it says the frames of a message in their order, says one twice, or one is lost.
 *
 *     CANSTACK_FAULTS=N    the faults that are on, 1 << f for each (all)
 *     CANSTACK_TELL=1      failures are told apart by the fault that was the last to act, as no
 *                          user could: for methods that know of places only
 */
#include <stdlib.h>
#include <string.h>

#include <warren.h>

#include "model.h"

/* ---- The system, one in a process ---- */

typedef struct controller {
    can_controller *system;
    unsigned        number;
} controller;

typedef struct channel {
    tp_channel *system;
    controller *on;
    unsigned    number, address;
} channel;

static can_stack *stack;
static controller controllers[CAN_CONTROLLERS];
static channel    channels[TP_CHANNELS];
static traffic    seen, expected; /* of one call */

static void see(void *context, unsigned bus, const can_frame *frame)
{
    traffic_add(context, bus, frame);
}

static unsigned setting(const char *name, unsigned otherwise)
{
    const char *text = getenv(name);
    return text == NULL ? otherwise : (unsigned)strtoul(text, NULL, 0);
}

static void start(wr_case *t, void *state)
{
    (void)t, (void)state;
    seen.count = expected.count = 0;
    stack = can_new(see, &seen, setting("CANSTACK_FAULTS", (1u << CAN_FAULTS) - 1));
}

static void stop(wr_case *t, void *state)
{
    (void)t, (void)state;
    can_free(stack);
}

/* ---- What must be true of every call ---- */

static bool same_traffic(void)
{
    if (seen.count != expected.count)
        return false;
    for (unsigned i = 0; i < seen.count; i++) {
        const can_frame *a = &seen.frames[i].frame, *b = &expected.frames[i].frame;
        if (seen.frames[i].bus != expected.frames[i].bus || a->id != b->id ||
            a->length != b->length || memcmp(a->bytes, b->bytes, a->length) != 0)
            return false;
    }
    return true;
}

static void tell_fault(wr_case *t)
{
    can_fault   last = can_last_fault(stack);
    const char *name = last == CAN_FAULTS ? "none" : CAN_FAULT_NAMES[last];
    wr_note(t, "the fault that acted last: %u, %s", last + 1, name);
    if (setting("CANSTACK_TELL", 0) != 0)
        wr_class(t, name);
}

static void check(wr_case *t, can_status got, can_status wanted)
{
    bool frames_are_right = same_traffic();
    if (got != wanted || !frames_are_right)
        tell_fault(t);
    wr_assert_eq(t, got, wanted);
    wr_assert(t, frames_are_right);
    seen.count = expected.count = 0;
}

/* ---- Setting up ---- */

static void do_init(wr_case *t, wr_call *call)
{
    check(t, can_init(stack), model_init(wr_model(call)));
}

static bool not_initialised(const wr_call *call)
{
    const model *m = wr_model(call);
    return !m->initialised;
}

static void do_set_baud(wr_case *t, wr_call *call)
{
    unsigned rate = (unsigned)wr_value(call, 0);
    check(t, can_set_baud(stack, rate), model_set_baud(wr_model(call), rate));
}

static void do_add_controller(wr_case *t, wr_call *call)
{
    model          *m = wr_model(call);
    can_controller *added = NULL;
    controller     *one = &controllers[m->line_count % CAN_CONTROLLERS];
    unsigned        number = m->line_count;
    can_status      wanted = model_add_controller(m);
    check(t, can_add_controller(stack, &added), wanted);
    if (wanted != CAN_OK)
        return;
    *one = (controller){ added, number };
    wr_give(call, one);
}

/* A call that takes a controller and nothing else. */
static void on_controller(wr_case *t, wr_call *call, can_status (*made)(can_controller *),
                          can_status (*modelled)(model *, unsigned))
{
    controller *on = wr_handle(call, 0);
    can_status  wanted = modelled(wr_model(call), on->number);
    check(t, made(on->system), wanted);
}

static void do_add_send_box(wr_case *t, wr_call *call)
{
    on_controller(t, call, can_add_send_box, model_add_send_box);
}

static void do_add_receive_box(wr_case *t, wr_call *call)
{
    on_controller(t, call, can_add_receive_box, model_add_receive_box);
}

static void do_add_filter(wr_case *t, wr_call *call)
{
    controller *on = wr_handle(call, 0);
    can_filter  filter = (can_filter)wr_value(call, 1);
    can_status  wanted = model_add_filter(wr_model(call), on->number, filter);
    check(t, can_add_filter(on->system, filter), wanted);
}

static void do_add_channel(wr_case *t, wr_call *call)
{
    model      *m = wr_model(call);
    controller *on = wr_handle(call, 0);
    unsigned    address = (unsigned)wr_value(call, 1), number = m->talk_count;
    channel    *one = &channels[number % TP_CHANNELS];
    tp_channel *added = NULL;
    can_status  wanted = model_add_channel(m, on->number, address);
    check(t, tp_add_channel(on->system, address, &added), wanted);
    if (wanted != CAN_OK)
        return;
    *one = (channel){ added, on, number, address };
    wr_give(call, one);
}

static void do_add_route(wr_case *t, wr_call *call)
{
    channel   *from = wr_handle(call, 0);
    unsigned   address = (unsigned)wr_value(call, 1);
    can_status wanted = model_add_route(wr_model(call), from->number, address);
    check(t, router_add(from->system, address), wanted);
}

static void do_check(wr_case *t, wr_call *call)
{
    check(t, can_check(stack), model_check(wr_model(call)));
}

/* ---- Running ---- */

static void do_start(wr_case *t, wr_call *call)
{
    on_controller(t, call, can_start, model_start);
}

static void do_stop(wr_case *t, wr_call *call)
{
    on_controller(t, call, can_stop, model_stop);
}

static void do_recover(wr_case *t, wr_call *call)
{
    on_controller(t, call, can_recover, model_recover);
}

static void do_bus_error(wr_case *t, wr_call *call)
{
    on_controller(t, call, can_bus_error, model_bus_error);
}

/* A call that takes a channel and nothing else. */
static void on_channel(wr_case *t, wr_call *call, can_status (*made)(tp_channel *),
                       can_status (*modelled)(model *, unsigned))
{
    channel   *on = wr_handle(call, 0);
    can_status wanted = modelled(wr_model(call), on->number);
    check(t, made(on->system), wanted);
}

static void do_open(wr_case *t, wr_call *call)
{
    on_channel(t, call, tp_open, model_open);
}

static void do_close(wr_case *t, wr_call *call)
{
    on_channel(t, call, tp_close, model_close);
}

static void fill(uint8_t *bytes, size_t length, size_t from, size_t count)
{
    for (size_t i = 0; i < count; i++)
        bytes[i] = byte_of(length, from + i);
}

static void do_send(wr_case *t, wr_call *call)
{
    channel   *on = wr_handle(call, 0);
    size_t     length = (size_t)wr_value(call, 1);
    uint8_t    bytes[256];
    can_status wanted = model_send(wr_model(call), on->number, length, &expected);
    fill(bytes, length, 0, length);
    check(t, tp_send(on->system, bytes, length), wanted);
}

static void do_receive(wr_case *t, wr_call *call)
{
    channel   *on = wr_handle(call, 0);
    size_t     length = 0, wanted_length = 0;
    uint8_t    bytes[TP_LONGEST], wanted_bytes[TP_LONGEST];
    can_status wanted = model_receive(wr_model(call), on->number, &wanted_length);
    check(t, tp_receive(on->system, bytes, &length), wanted);
    fill(wanted_bytes, wanted_length, 0, wanted_length);
    bool right = length == wanted_length && memcmp(bytes, wanted_bytes, length) == 0;
    if (!right)
        tell_fault(t);
    wr_assert(t, right && "the message is what was sent");
}

static void do_tick(wr_case *t, wr_call *call)
{
    model     *m = wr_model(call);
    int64_t    ticks = wr_value(call, 0);
    can_status got = CAN_OK, wanted = CAN_OK;
    for (int64_t i = 0; i < ticks && got == wanted; i++) {
        wanted = model_tick(m, &expected);
        got = can_tick(stack);
    }
    check(t, got, wanted);
}

/* ---- What the other side does ---- */

static talk *other_side(const wr_call *call)
{
    model         *m = wr_model(call);
    const channel *on = wr_handle(call, 0);
    return &m->talks[on->number];
}

static can_status hear(const channel *on, const can_frame *frame)
{
    return can_receive(on->on->system, frame);
}

static can_frame frame_to(const channel *on, unsigned first, unsigned second)
{
    return (can_frame){ .id = (uint16_t)(CAN_HEARS + on->address),
                        .length = 8,
                        .bytes = { (uint8_t)first, (uint8_t)second } };
}

static void do_bus_single(wr_case *t, wr_call *call)
{
    channel   *on = wr_handle(call, 0);
    size_t     length = (size_t)wr_value(call, 1);
    can_frame  frame = frame_to(on, (unsigned)length, 0);
    can_status wanted = model_hear_single(wr_model(call), on->number, length, &expected);
    fill(frame.bytes + 1, length, 0, 7);
    check(t, hear(on, &frame), wanted);
}

static void do_bus_first(wr_case *t, wr_call *call)
{
    channel   *on = wr_handle(call, 0);
    talk      *other = other_side(call);
    size_t     length = (size_t)wr_value(call, 1);
    can_frame  frame = frame_to(on, 0x10, (unsigned)length);
    can_status wanted = model_hear_first(wr_model(call), on->number, length, &expected);
    fill(frame.bytes + 2, length, 0, 6);
    other->other.left = (uint8_t)(length <= 7 ? 0 : (length - 6 + 6) / 7);
    other->other.number = other->other.left > 0;
    check(t, hear(on, &frame), wanted);
}

/* A next frame with this number. Where the model takes it, it has the bytes that belong there. */
static void say_next(wr_case *t, wr_call *call, unsigned number)
{
    channel  *on = wr_handle(call, 0);
    talk     *other = other_side(call);
    can_frame frame = frame_to(on, 0x20 + number, 0);
    fill(frame.bytes + 1, other->in.length, other->in.got, 7);
    can_status wanted = model_hear_next(wr_model(call), on->number, number, &expected);
    check(t, hear(on, &frame), wanted);
}

/* The next frame is said, or lost. */
static unsigned pass_next(talk *other)
{
    unsigned number = other->other.number;
    other->other.left--;
    other->other.number = other->other.left > 0 ? (uint8_t)((number + 1) % 16) : 0;
    return number;
}

static void do_bus_next(wr_case *t, wr_call *call)
{
    say_next(t, call, pass_next(other_side(call)));
}

static void do_bus_lose(wr_case *t, wr_call *call)
{
    (void)t;
    (void)pass_next(other_side(call));
}

static void do_bus_repeat(wr_case *t, wr_call *call)
{
    say_next(t, call, (other_side(call)->other.number + 15u) % 16);
}

static bool says_a_message(const wr_call *call)
{
    return other_side(call)->other.left > 0;
}

static void do_bus_flow(wr_case *t, wr_call *call)
{
    channel   *on = wr_handle(call, 0);
    unsigned   what = (unsigned)wr_value(call, 1), block = (unsigned)wr_value(call, 2);
    can_frame  frame = frame_to(on, 0x30 + what, block);
    can_status wanted = model_hear_flow(wr_model(call), on->number, what, block);
    check(t, hear(on, &frame), wanted);
}

/* ---- The machine ---- */

static int64_t draw_length(wr_case *t)
{
    return wr_int(t, NULL, 0, TP_LONGEST + 5);
}

static int64_t draw_ticks(wr_case *t)
{
    return wr_int(t, NULL, 1, 10);
}

static void show_filter(wr_out *out, int64_t filter)
{
    static const char *const NAMES[] = { "CAN_ALL", "CAN_EVEN", "CAN_ODD" };
    wr_put(out, "%s", NAMES[filter]);
}

static void show_flow(wr_out *out, int64_t flow)
{
    static const char *const NAMES[] = { "GO", "WAIT", "TOO_MUCH" };
    wr_put(out, "%s", NAMES[flow]);
}

static const wr_kind CONTROLLER = { "controller", .handle = true, .type = "can_controller *" };
static const wr_kind CHANNEL = { "channel", .handle = true, .type = "tp_channel *" };
static const wr_kind RATE = { "rate", .values = CAN_RATES };
static const wr_kind FILTER = { "filter", .values = 3, .show = show_filter };
static const wr_kind ADDRESS = { "address", .values = CAN_ADDRESSES };
static const wr_kind LENGTH = { "length", .draw = draw_length };
static const wr_kind SHORT = { "short", .values = 9 };
static const wr_kind TICKS = { "ticks", .draw = draw_ticks };
static const wr_kind FLOW = { "flow", .values = 3, .show = show_flow };
static const wr_kind BLOCK = { "block", .values = 4 };

static const wr_command COMMANDS[] = {
    { "can_init", do_init, .when = not_initialised },
    { "can_set_baud", do_set_baud, .takes = { &RATE } },
    { "can_add_controller", do_add_controller, .gives = &CONTROLLER },
    { "can_add_send_box", do_add_send_box, .takes = { &CONTROLLER } },
    { "can_add_receive_box", do_add_receive_box, .takes = { &CONTROLLER } },
    { "can_add_filter", do_add_filter, .takes = { &CONTROLLER, &FILTER } },
    { "tp_add_channel", do_add_channel, .takes = { &CONTROLLER, &ADDRESS }, .gives = &CHANNEL },
    { "router_add", do_add_route, .takes = { &CHANNEL, &ADDRESS } },
    { "can_check", .call = do_check },
    { "can_start", do_start, .takes = { &CONTROLLER } },
    { "can_stop", do_stop, .takes = { &CONTROLLER } },
    { "can_recover", do_recover, .takes = { &CONTROLLER } },
    { "tp_open", do_open, .takes = { &CHANNEL }, .weight = 2 },
    { "tp_close", do_close, .takes = { &CHANNEL } },
    { "tp_send", do_send, .takes = { &CHANNEL, &LENGTH }, .weight = 4 },
    { "tp_receive", do_receive, .takes = { &CHANNEL }, .weight = 4 },
    { "can_tick", do_tick, .takes = { &TICKS }, .weight = 4 },
    { "bus_error", do_bus_error, .takes = { &CONTROLLER }, .weight = 2 },
    { "bus_single", do_bus_single, .takes = { &CHANNEL, &SHORT }, .weight = 2 },
    { "bus_first", do_bus_first, .takes = { &CHANNEL, &LENGTH }, .weight = 3 },
    { "bus_next", do_bus_next, .takes = { &CHANNEL }, .when = says_a_message, .weight = 8 },
    { "bus_repeat", do_bus_repeat, .takes = { &CHANNEL }, .when = says_a_message },
    { "bus_lose", do_bus_lose, .takes = { &CHANNEL }, .when = says_a_message },
    { "bus_flow", do_bus_flow, .takes = { &CHANNEL, &FLOW, &BLOCK }, .weight = 4 },
    { 0 },
};

#define TO_A_CHANNEL                                                                             \
    "can_init", "can_set_baud", "can_add_controller", "can_add_send_box", "can_add_receive_box", \
        "can_add_filter", "tp_add_channel"
#define TO_AN_OPEN_ONE "can_check", "can_start", "tp_open"

static const wr_macro MACROS[] = {
    { "set_up", { TO_A_CHANNEL, TO_AN_OPEN_ONE }, .weight = 20 },
    { "set_up_router",
      { TO_A_CHANNEL, "router_add", "tp_add_channel", TO_AN_OPEN_ONE },
      .weight = 10 },
    { 0 },
};

WR_MACHINE(canstack, .commands = COMMANDS, .macros = MACROS, .model_size = sizeof(model),
           .start = start, .stop = stop);
WR_MACHINE(canstack_without_macros, .commands = COMMANDS, .model_size = sizeof(model),
           .start = start, .stop = stop);

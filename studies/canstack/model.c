/* studies/canstack/model.c: see model.h. */
#include "model.h"

#include <string.h>

#define GO 0
#define WAIT 1
#define TOO_MUCH 2

void traffic_add(traffic *all, unsigned bus, const can_frame *frame)
{
    if (all->count == sizeof all->frames / sizeof *all->frames)
        return;
    all->frames[all->count].bus = bus;
    all->frames[all->count].frame = *frame;
    all->count++;
}

uint8_t byte_of(size_t length, size_t at)
{
    return (uint8_t)(length * 37 + at * 11 + 1);
}

static uint8_t patience(const model *m)
{
    return m->rate == 0 ? 2 * TP_PATIENCE : TP_PATIENCE;
}

/* ---- Setting up ---- */

can_status model_init(model *m)
{
    if (m->initialised)
        return CAN_ORDER;
    m->initialised = true;
    return CAN_OK;
}

can_status model_set_baud(model *m, unsigned rate)
{
    if (!m->initialised || m->line_count > 0)
        return CAN_ORDER;
    m->rates = 1;
    m->rate = (uint8_t)rate;
    return CAN_OK;
}

can_status model_add_controller(model *m)
{
    if (m->rates == 0 || m->checked)
        return CAN_ORDER;
    if (m->line_count == CAN_CONTROLLERS)
        return CAN_FULL;
    m->line_count++;
    return CAN_OK;
}

/* One more of at most so many, unless something is missing. */
static can_status add_one(const model *m, uint8_t *count, unsigned most, bool ready)
{
    if (m->checked || !ready)
        return CAN_ORDER;
    if (*count == most)
        return CAN_FULL;
    ++*count;
    return CAN_OK;
}

can_status model_add_send_box(model *m, unsigned number)
{
    return add_one(m, &m->lines[number].send_boxes, CAN_BOXES, true);
}

can_status model_add_receive_box(model *m, unsigned number)
{
    return add_one(m, &m->lines[number].receive_boxes, CAN_BOXES, true);
}

can_status model_add_filter(model *m, unsigned number, can_filter filter)
{
    static const uint8_t HEARD[] = { [CAN_ALL] = 0xf, [CAN_EVEN] = 0x5, [CAN_ODD] = 0xa };
    line                *where = &m->lines[number];
    can_status status = add_one(m, &where->filter_count, CAN_FILTERS, where->receive_boxes > 0);
    if (status == CAN_OK)
        where->heard |= HEARD[filter];
    return status;
}

/* The channel, or NULL. */
static talk *find_talk(model *m, unsigned number, unsigned address)
{
    for (unsigned i = 0; i < m->talk_count; i++)
        if (m->talks[i].line == number && m->talks[i].address == address)
            return &m->talks[i];
    return NULL;
}

can_status model_add_channel(model *m, unsigned number, unsigned address)
{
    if (m->checked || m->lines[number].send_boxes == 0)
        return CAN_ORDER;
    if (find_talk(m, number, address) != NULL)
        return CAN_ARGUMENT;
    if (m->talk_count == TP_CHANNELS)
        return CAN_FULL;
    m->talks[m->talk_count].line = (uint8_t)number;
    m->talks[m->talk_count++].address = (uint8_t)address;
    return CAN_OK;
}

can_status model_add_route(model *m, unsigned number, unsigned address)
{
    talk *from = &m->talks[number];
    if (m->checked)
        return CAN_ORDER;
    if (address == from->address)
        return CAN_ARGUMENT;
    if (from->routed)
        return CAN_FULL;
    from->routed = true;
    from->route = (uint8_t)address;
    return CAN_OK;
}

can_status model_check(model *m)
{
    unsigned with_channels = 0, all = (1u << m->line_count) - 1;
    if (m->line_count == 0 || m->checked)
        return CAN_ORDER;
    for (unsigned i = 0; i < m->talk_count; i++)
        with_channels |= 1u << m->talks[i].line;
    for (unsigned i = 0; i < m->line_count; i++)
        if (m->lines[i].filter_count == 0)
            return CAN_ARGUMENT;
    m->checked = with_channels == all;
    return m->checked ? CAN_OK : CAN_ARGUMENT;
}

/* ---- Frames that go out ---- */

static void put_on_bus(model *m, unsigned number, const can_frame *frame, traffic *expected)
{
    line *where = &m->lines[number];
    where->taken++;
    if (where->errors > 0)
        where->errors--;
    traffic_add(expected, number, frame);
}

/* False: there is no room for the frame. */
static bool say(model *m, const talk *who, const can_frame *frame, traffic *expected)
{
    line *where = &m->lines[who->line];
    if (where->queued == 0 && where->taken < where->send_boxes) {
        put_on_bus(m, who->line, frame, expected);
        return true;
    }
    if (where->queued == CAN_QUEUE)
        return false;
    memcpy(&where->queue[where->queued++], frame, sizeof *frame);
    return true;
}

/* A frame that begins with these bytes and ends with so many of the message, from `at` on. */
static can_frame frame_of(const talk *who, size_t head, unsigned first, unsigned second,
                          size_t length, size_t at, size_t count)
{
    can_frame frame;
    memset(&frame, 0, sizeof frame);
    frame.id = (uint16_t)(CAN_SENDS + who->address);
    frame.length = (uint8_t)(head + count);
    frame.bytes[0] = (uint8_t)first;
    frame.bytes[1] = (uint8_t)second;
    for (size_t i = 0; i < count; i++)
        frame.bytes[head + i] = byte_of(length, at + i);
    return frame;
}

static bool say_flow(model *m, const talk *who, unsigned what, traffic *expected)
{
    can_frame frame = frame_of(who, 3, 0x30 + what, TP_BLOCK, 0, 0, 0);
    return say(m, who, &frame, expected);
}

static void empty_queue(line *where)
{
    for (unsigned i = 0; i < where->queued; i++)
        memset(&where->queue[i], 0, sizeof where->queue[i]);
    where->queued = 0;
}

static void pass_queue(model *m, unsigned number, traffic *expected)
{
    line *where = &m->lines[number];
    where->taken = 0;
    while (where->queued > 0 && where->taken < where->send_boxes) {
        put_on_bus(m, number, &where->queue[0], expected);
        where->queued--;
        memmove(where->queue, where->queue + 1, where->queued * sizeof *where->queue);
        memset(&where->queue[where->queued], 0, sizeof *where->queue);
    }
}

/* ---- Controllers and channels ---- */

static void drop(talk *who)
{
    memset(&who->out, 0, sizeof who->out);
    memset(&who->in, 0, sizeof who->in);
    who->kept = 0;
}

static void close_talk(talk *who)
{
    drop(who);
    memset(who->came, 0, sizeof who->came);
    who->open = false;
}

can_status model_start(model *m, unsigned number)
{
    if (!m->checked || m->lines[number].started)
        return CAN_ORDER;
    m->lines[number].started = true;
    return CAN_OK;
}

can_status model_stop(model *m, unsigned number)
{
    line *where = &m->lines[number];
    if (!where->started)
        return CAN_ORDER;
    for (unsigned i = 0; i < m->talk_count; i++)
        if (m->talks[i].line == number)
            close_talk(&m->talks[i]);
    empty_queue(where);
    where->taken = where->errors = 0;
    where->started = where->off = false;
    return CAN_OK;
}

can_status model_recover(model *m, unsigned number)
{
    if (!m->lines[number].off)
        return CAN_ORDER;
    m->lines[number].off = false;
    m->lines[number].errors = 0;
    return CAN_OK;
}

can_status model_bus_error(model *m, unsigned number)
{
    line *where = &m->lines[number];
    if (!where->started)
        return CAN_ORDER;
    if (where->off)
        return CAN_OFF;
    where->errors = (uint8_t)(where->errors + CAN_ERROR);
    if (where->errors <= CAN_ERRORS_MOST)
        return CAN_OK;
    where->off = true;
    where->taken = where->errors = 0;
    empty_queue(where);
    for (unsigned i = 0; i < m->talk_count; i++)
        if (m->talks[i].line == number)
            drop(&m->talks[i]);
    return CAN_OFF;
}

can_status model_open(model *m, unsigned number)
{
    talk *who = &m->talks[number];
    if (who->open || !m->lines[who->line].started)
        return CAN_ORDER;
    who->open = true;
    return CAN_OK;
}

can_status model_close(model *m, unsigned number)
{
    if (!m->talks[number].open)
        return CAN_ORDER;
    close_talk(&m->talks[number]);
    return CAN_OK;
}

/* ---- Messages that go out ---- */

static void await_flow(const model *m, talk *who)
{
    who->out.waiting = true;
    who->out.timer = patience(m);
    who->out.waits = who->out.block = 0;
}

static can_status send(model *m, talk *who, size_t length, traffic *expected)
{
    if (!who->open)
        return CAN_ORDER;
    if (length == 0 || length > TP_LONGEST)
        return CAN_ARGUMENT;
    if (m->lines[who->line].off)
        return CAN_OFF;
    if (who->out.length > 0)
        return CAN_BUSY;
    can_frame frame = length <= 7 ? frame_of(who, 1, (unsigned)length, 0, length, 0, length)
                                  : frame_of(who, 2, 0x10, (unsigned)length, length, 0, 6);
    if (!say(m, who, &frame, expected))
        return CAN_FULL;
    if (length > 7) {
        who->out.length = (uint8_t)length;
        who->out.sent = 6;
        who->out.number = 1;
        await_flow(m, who);
    }
    return CAN_OK;
}

can_status model_send(model *m, unsigned number, size_t length, traffic *expected)
{
    return send(m, &m->talks[number], length, expected);
}

static void continue_message(model *m, talk *who, traffic *expected)
{
    unsigned  left = who->out.length - who->out.sent, now = left < 7 ? left : 7;
    can_frame frame =
        frame_of(who, 1, 0x20u + who->out.number, 0, who->out.length, who->out.sent, now);
    if (!say(m, who, &frame, expected))
        return;
    who->out.sent = (uint8_t)(who->out.sent + now);
    who->out.number = (uint8_t)((who->out.number + 1) % 16);
    if (who->out.sent == who->out.length)
        memset(&who->out, 0, sizeof who->out);
    else if (who->out.block == 1)
        await_flow(m, who);
    else if (who->out.block > 0)
        who->out.block--;
}

/* ---- Messages that come in ---- */

static bool has_room(const talk *who)
{
    return who->routed ? who->kept == 0 : who->came[TP_MESSAGES - 1] == 0;
}

/* False: it could not be sent now and is to be tried again. */
static bool send_on(model *m, const talk *from, size_t length, traffic *expected)
{
    talk *to = find_talk(m, from->line, from->route);
    if (to == NULL)
        return true;
    can_status status = send(m, to, length, expected);
    return status != CAN_BUSY && status != CAN_FULL;
}

static void come_in(model *m, talk *who, size_t length, traffic *expected)
{
    if (!has_room(who))
        return;
    if (!who->routed)
        who->came[who->came[0] > 0] = (uint8_t)length;
    else if (!send_on(m, who, length, expected))
        who->kept = (uint8_t)length;
}

can_status model_receive(model *m, unsigned number, size_t *length)
{
    talk *who = &m->talks[number];
    if (!who->open)
        return CAN_ORDER;
    if (who->came[0] == 0)
        return CAN_EMPTY;
    *length = who->came[0];
    who->came[0] = who->came[1];
    who->came[1] = 0;
    return CAN_OK;
}

/* Who hears it, or NULL, and the status of that. */
static talk *listener(model *m, unsigned number, can_status *status)
{
    talk       *who = &m->talks[number];
    const line *where = &m->lines[who->line];
    *status = !where->started ? CAN_ORDER : where->off ? CAN_OFF : CAN_OK;
    bool hears = *status == CAN_OK && who->open && (where->heard >> who->address & 1) != 0;
    return hears ? who : NULL;
}

can_status model_hear_single(model *m, unsigned number, size_t length, traffic *expected)
{
    can_status status;
    talk      *who = listener(m, number, &status);
    if (who == NULL || length == 0 || length > 7)
        return status;
    memset(&who->in, 0, sizeof who->in);
    come_in(m, who, length, expected);
    return status;
}

can_status model_hear_first(model *m, unsigned number, size_t length, traffic *expected)
{
    can_status status;
    talk      *who = listener(m, number, &status);
    if (who == NULL || length <= 7)
        return status;
    memset(&who->in, 0, sizeof who->in);
    bool fits = length <= TP_LONGEST && has_room(who);
    if (say_flow(m, who, fits ? GO : TOO_MUCH, expected) && fits) {
        who->in.length = (uint8_t)length;
        who->in.got = 6;
        who->in.number = 1;
        who->in.block = TP_BLOCK;
        who->in.timer = patience(m);
    }
    return status;
}

static void take_next(model *m, talk *who, traffic *expected)
{
    unsigned length = who->in.length, left = length - who->in.got;
    who->in.got = (uint8_t)(who->in.got + (left < 7 ? left : 7));
    who->in.number = (uint8_t)((who->in.number + 1) % 16);
    who->in.timer = patience(m);
    if (left <= 7) {
        memset(&who->in, 0, sizeof who->in);
        come_in(m, who, length, expected);
    } else if (--who->in.block == 0) {
        who->in.block = TP_BLOCK;
        if (!say_flow(m, who, GO, expected))
            memset(&who->in, 0, sizeof who->in);
    }
}

can_status model_hear_next(model *m, unsigned number, unsigned counted, traffic *expected)
{
    can_status status;
    talk      *who = listener(m, number, &status);
    if (who == NULL || who->in.length == 0)
        return status;
    if (counted == who->in.number)
        take_next(m, who, expected);
    else
        memset(&who->in, 0, sizeof who->in);
    return status;
}

can_status model_hear_flow(model *m, unsigned number, unsigned what, unsigned block)
{
    can_status status;
    talk      *who = listener(m, number, &status);
    if (who == NULL || !who->out.waiting)
        return status;
    if (what == GO) {
        who->out.waiting = false;
        who->out.timer = who->out.waits = 0;
        who->out.block = (uint8_t)block;
    } else if (what == WAIT && who->out.waits < TP_WAITS) {
        who->out.waits++;
        who->out.timer = patience(m);
    } else {
        memset(&who->out, 0, sizeof who->out);
    }
    return status;
}

/* ---- Time ---- */

static void tick_talk(model *m, talk *who, traffic *expected)
{
    if (who->out.waiting && --who->out.timer == 0)
        memset(&who->out, 0, sizeof who->out);
    else if (who->out.length > 0 && !who->out.waiting)
        continue_message(m, who, expected);
    if (who->in.length > 0 && --who->in.timer == 0)
        memset(&who->in, 0, sizeof who->in);
    if (who->kept > 0 && send_on(m, who, who->kept, expected))
        who->kept = 0;
}

can_status model_tick(model *m, traffic *expected)
{
    if (!m->checked)
        return CAN_ORDER;
    for (unsigned i = 0; i < m->line_count; i++)
        if (m->lines[i].started && !m->lines[i].off)
            pass_queue(m, i, expected);
    for (unsigned i = 0; i < m->talk_count; i++)
        if (m->talks[i].open && !m->lines[m->talks[i].line].off)
            tick_talk(m, &m->talks[i], expected);
    return CAN_OK;
}

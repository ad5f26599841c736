/* studies/canstack/model.h: what the stack should do.
 *
 * A message is its length: the bytes follow from it. Frames of the other side come as what they
 * say, not as bytes, and time, mailboxes and queues are counts. Each function says which status
 * the call must return, and adds the frames that it must put on a bus to `expected`.
 */
#ifndef CANSTACK_MODEL_H
#define CANSTACK_MODEL_H

#include "stack.h"

typedef struct traffic {
    struct {
        unsigned  bus;
        can_frame frame;
    } frames[128];
    unsigned count;
} traffic;

void traffic_add(traffic *all, unsigned bus, const can_frame *frame);

/* A controller. What is not in use is zero, here and below, so that the same states are the same
 * bytes. */
typedef struct line {
    uint8_t   send_boxes, receive_boxes, filter_count, heard; /* heard: a bit for each address */
    bool      started, off;
    uint8_t   errors, taken, queued;
    can_frame queue[CAN_QUEUE];
} line;

/* A channel: the message that goes out, the one that comes in, those that have come, the one that
 * is to be sent on. A length of 0: there is none. */
typedef struct talk {
    uint8_t line, address;
    bool    open, routed;
    uint8_t route;
    struct {
        uint8_t length, sent, number, block, timer, waits;
        bool    waiting; /* for flow control */
    } out;
    struct {
        uint8_t length, got, number, block, timer;
    } in;
    uint8_t came[TP_MESSAGES], kept;
    struct {
        uint8_t left, number; /* frames of the other side's message, and the next one's number */
    } other;
} talk;

typedef struct model {
    bool    initialised, checked;
    uint8_t rates, rate; /* how often a rate was set, at most 1 */
    uint8_t line_count, talk_count;
    line    lines[CAN_CONTROLLERS];
    talk    talks[TP_CHANNELS];
} model;

/* Controllers and channels have numbers, from 0 in the order in which they were added.
 *
 * Byte `at` of the message of this length. */
uint8_t byte_of(size_t length, size_t at);

can_status model_init(model *m);
can_status model_set_baud(model *m, unsigned rate);
can_status model_add_controller(model *m);
can_status model_add_send_box(model *m, unsigned number);
can_status model_add_receive_box(model *m, unsigned number);
can_status model_add_filter(model *m, unsigned number, can_filter filter);
can_status model_add_channel(model *m, unsigned number, unsigned address);
can_status model_add_route(model *m, unsigned number, unsigned address);
can_status model_check(model *m);

can_status model_start(model *m, unsigned number);
can_status model_stop(model *m, unsigned number);
can_status model_recover(model *m, unsigned number);
can_status model_bus_error(model *m, unsigned number);
can_status model_open(model *m, unsigned number);
can_status model_close(model *m, unsigned number);
can_status model_send(model *m, unsigned number, size_t length, traffic *expected);
can_status model_receive(model *m, unsigned number, size_t *length);
can_status model_tick(model *m, traffic *expected);

/* The other side of the channel says: a whole message; the first frame of one of this length;
 * a next frame, counted so; go on, wait, or anything else, and then so many frames. */
can_status model_hear_single(model *m, unsigned number, size_t length, traffic *expected);
can_status model_hear_first(model *m, unsigned number, size_t length, traffic *expected);
can_status model_hear_next(model *m, unsigned number, unsigned counted, traffic *expected);
can_status model_hear_flow(model *m, unsigned number, unsigned what, unsigned block);

#endif

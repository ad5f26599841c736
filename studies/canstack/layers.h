/* studies/canstack/layers.h: what the layers of the stack know of each other. */
#ifndef CANSTACK_LAYERS_H
#define CANSTACK_LAYERS_H

#include "stack.h"

/* ---- Controllers and the interface ---- */

struct can_controller {
    can_stack *stack;
    unsigned   number, send_boxes, receive_boxes, filter_count;
    can_filter filters[CAN_FILTERS];
    bool       started, off;
    unsigned   errors;
    unsigned   taken;            /* mailboxes, since the last tick */
    can_frame  queue[CAN_QUEUE]; /* a ring */
    unsigned   first, queued;
};

/* ---- Transport ---- */

typedef enum sending_state { SEND_IDLE, SEND_WAITS, SEND_GOES } sending_state;

typedef struct sending {
    sending_state state;
    uint8_t       bytes[TP_LONGEST];
    size_t        length, sent;
    unsigned      sequence, block, timer, waits; /* block: frames left, 0: no end */
} sending;

typedef struct receiving {
    bool     active;
    uint8_t  bytes[TP_LONGEST];
    size_t   length, got;
    unsigned sequence, block, timer;
} receiving;

typedef struct message {
    uint8_t bytes[TP_LONGEST];
    size_t  length;
} message;

struct tp_channel {
    can_controller *controller;
    unsigned        address;
    bool            open;
    sending         out;
    receiving       in;
    message         messages[TP_MESSAGES];
    unsigned        message_count;
    bool            routed;
    unsigned        route; /* an address */
    message         kept;  /* to be sent on; of length 0: none */
    bool            kept_tried;
};

struct can_stack {
    can_transmit  *transmit;
    void          *context;
    unsigned       faults;
    can_fault      last_fault;
    bool           initialised, has_rate, checked;
    unsigned       rate, controller_count, channel_count;
    can_controller controllers[CAN_CONTROLLERS];
    tp_channel     channels[TP_CHANNELS];
};

/* Is the fault on? To be asked where it would make a difference. */
bool fault_acts(can_stack *stack, can_fault fault);

/* interface.c: puts the frame into a mailbox, or into the queue. False: there is no room. */
bool interface_send(can_controller *controller, const can_frame *frame);
/* Mailboxes are free again, for what waits. */
void interface_tick(can_controller *controller);
bool interface_hears(const can_controller *controller, uint16_t id);

/* transport.c */
void transport_hear(tp_channel *channel, const can_frame *frame);
void transport_tick(tp_channel *channel);
/* Drops what is on its way. */
void transport_drop(tp_channel *channel);
/* Is there room for another message that comes in? */
bool transport_room(const tp_channel *channel);

/* router.c */
void router_take(tp_channel *from, const uint8_t *bytes, size_t length);
void router_tick(tp_channel *from);

#endif

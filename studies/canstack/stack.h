/* studies/canstack/stack.h: messages over CAN buses: the system under test.
 *
 * Four layers, as in a car's control unit: controllers with mailboxes and filters, an interface
 * that queues frames for them, a transport that cuts messages into frames and puts them together
 * again (in the manner of ISO 15765-2), and a router that sends on what comes in. Time passes in
 * ticks, by a call. Nothing works until about ten calls have been made in the right order.
 *
 * Nine faults can be switched on, each a small mistake in one place.
 */
#ifndef CANSTACK_STACK_H
#define CANSTACK_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum can_status {
    CAN_OK,
    CAN_ORDER,    /* not now: something must be done before, or may not be done any more */
    CAN_ARGUMENT, /* not with this argument */
    CAN_FULL,     /* there is no room for it */
    CAN_BUSY,     /* a message is being sent */
    CAN_EMPTY,    /* there is no message */
    CAN_OFF,      /* the controller has left the bus after too many errors */
} can_status;

typedef struct can_frame {
    uint16_t id;
    uint8_t  length;
    uint8_t  bytes[8];
} can_frame;

/* A channel of address a sends with the identifier CAN_SENDS + a and hears CAN_HEARS + a. */
#define CAN_SENDS 0x600
#define CAN_HEARS 0x700

#define CAN_ADDRESSES 4
#define CAN_RATES 3
#define CAN_CONTROLLERS 2 /* the most of each: */
#define CAN_BOXES 2       /* for sending and for receiving, of a controller */
#define CAN_FILTERS 2     /* of a controller */
#define CAN_QUEUE 4       /* frames that wait for a mailbox, of a controller */
#define TP_CHANNELS 4
#define TP_MESSAGES 2 /* that wait to be received, of a channel */
#define TP_LONGEST 150

#define CAN_ERROR 8        /* an error counts so much, a frame that was sent takes one off; */
#define CAN_ERRORS_MOST 63 /* above, the controller leaves the bus */
#define TP_PATIENCE 6      /* ticks that we wait for a frame; twice that at the lowest rate */
#define TP_BLOCK 4         /* frames that we take before the next flow control */
#define TP_WAITS 2         /* times in a row that we let ourselves be told to wait */

typedef enum can_filter { CAN_ALL, CAN_EVEN, CAN_ODD } can_filter; /* addresses that are heard */

/* ---- The faults ---- */

typedef enum can_fault {
    CAN_SAME_ADDRESS,   /* an address can be given to two channels of a controller */
    CAN_EMPTY_SINGLE,   /* a single frame of no bytes is a message */
    CAN_REPEATED_FRAME, /* a consecutive frame that comes twice does not end a message */
    CAN_WAIT_UNHEARD,   /* being told to wait for the last time does not start the time anew */
    CAN_STALE_SEQUENCE, /* a message that begins anew goes on counting frames */
    CAN_QUEUE_KEPT,     /* stopping a controller leaves its queue */
    CAN_ERRORS_KEPT,    /* recovering leaves the count of errors */
    CAN_WRAP_TO_ONE,    /* frames are counted 1..15, 1 instead of 1..15, 0 */
    CAN_ROUTE_GIVES_UP, /* a message to be sent on is tried again once, not until it is sent */
    CAN_FAULTS
} can_fault;

extern const char *const CAN_FAULT_NAMES[CAN_FAULTS];

/* ---- Setting up, in this order ---- */

typedef struct can_stack      can_stack;
typedef struct can_controller can_controller;
typedef struct tp_channel     tp_channel;

/* Where frames go: called when a controller puts one on its bus, which has a number from 0. */
typedef void can_transmit(void *context, unsigned bus, const can_frame *frame);

/* faults: 1u << f for each that is on. NULL: no memory. */
can_stack *can_new(can_transmit *transmit, void *context, unsigned faults);
void       can_free(can_stack *stack);

can_status can_init(can_stack *stack); /* once */
/* As often as one likes, until there is a controller. */
can_status can_set_baud(can_stack *stack, unsigned rate);
can_status can_add_controller(can_stack *stack, can_controller **added);
can_status can_add_send_box(can_controller *controller);
can_status can_add_receive_box(can_controller *controller);
/* Needs a mailbox that receives. What any filter lets through is heard. */
can_status can_add_filter(can_controller *controller, can_filter filter);
/* Needs a mailbox that sends. */
can_status tp_add_channel(can_controller *controller, unsigned address, tp_channel **added);
/* Messages that come in on the channel are sent by the channel of this address on the same
 * controller instead of being received here; only one such address, and not its own. */
can_status router_add(tp_channel *from, unsigned address);
/* All is set up, nothing above is done any more. Not before every controller has its filter and a
 * channel: CAN_ARGUMENT. */
can_status can_check(can_stack *stack);
can_status can_start(can_controller *controller);
can_status tp_open(tp_channel *channel);

/* ---- Running ---- */

/* Closes its channels; frames that wait are dropped. */
can_status can_stop(can_controller *controller);
/* After CAN_OFF: back to the bus, with no errors. */
can_status can_recover(can_controller *controller);
/* Whatever is on its way is dropped, and messages that were not received. */
can_status tp_close(tp_channel *channel);
/* Up to 7 bytes go at once, more wait for the other's flow control: then a frame a tick. */
can_status tp_send(tp_channel *channel, const uint8_t *bytes, size_t length);
can_status tp_receive(tp_channel *channel, uint8_t bytes[TP_LONGEST], size_t *length);
/* A tick passes. Mailboxes are free again; frames that wait go first; then each channel, in the
 * order in which they were added, sends a frame of its message, looks at its time, and tries to
 * send on what is to be sent on. */
can_status can_tick(can_stack *stack);

/* ---- What the bus does ---- */

/* A frame is on the bus. One that no open channel hears, or that makes no sense, is ignored. */
can_status can_receive(can_controller *controller, const can_frame *frame);
/* The bus reports an error: CAN_OFF if that was one too many. Whatever is on its way on the
 * controller's channels is dropped then. */
can_status can_bus_error(can_controller *controller);

/* ---- For the study ---- */

/* The fault that was the last to make a difference; CAN_FAULTS: none has. */
can_fault can_last_fault(const can_stack *stack);

#endif

/* studies/canstack/interface.c: controllers, their mailboxes and what waits for them; see
 * stack.h. */
#include "layers.h"

/* ---- Sending frames ---- */

static void transmit(can_controller *controller, const can_frame *frame)
{
    can_stack *stack = controller->stack;
    controller->taken++;
    if (controller->errors > 0)
        controller->errors--;
    stack->transmit(stack->context, controller->number, frame);
}

bool interface_send(can_controller *controller, const can_frame *frame)
{
    if (controller->queued == 0 && controller->taken < controller->send_boxes) {
        transmit(controller, frame);
        return true;
    }
    if (controller->queued == CAN_QUEUE)
        return false;
    controller->queue[(controller->first + controller->queued++) % CAN_QUEUE] = *frame;
    return true;
}

void interface_tick(can_controller *controller)
{
    controller->taken = 0;
    while (controller->queued > 0 && controller->taken < controller->send_boxes) {
        can_frame frame = controller->queue[controller->first];
        controller->first = (controller->first + 1) % CAN_QUEUE;
        controller->queued--;
        transmit(controller, &frame);
    }
}

/* ---- Hearing frames ---- */

static bool lets_through(can_filter filter, uint16_t id)
{
    return filter == CAN_ALL || (filter == CAN_ODD) == ((id & 1) != 0);
}

bool interface_hears(const can_controller *controller, uint16_t id)
{
    for (unsigned i = 0; i < controller->filter_count; i++)
        if (lets_through(controller->filters[i], id))
            return true;
    return false;
}

static tp_channel *channel_of(can_controller *controller, uint16_t id)
{
    can_stack *stack = controller->stack;
    for (unsigned i = 0; i < stack->channel_count; i++) {
        tp_channel *channel = &stack->channels[i];
        if (channel->controller == controller && channel->open &&
            CAN_HEARS + channel->address == id)
            return channel;
    }
    return NULL;
}

can_status can_receive(can_controller *controller, const can_frame *frame)
{
    if (!controller->started)
        return CAN_ORDER;
    if (controller->off)
        return CAN_OFF;
    tp_channel *channel = channel_of(controller, frame->id);
    if (channel != NULL && interface_hears(controller, frame->id))
        transport_hear(channel, frame);
    return CAN_OK;
}

/* ---- Controllers ---- */

/* Calls `act` for all channels of the controller. */
static void each_channel(can_controller *controller, void (*act)(tp_channel *))
{
    can_stack *stack = controller->stack;
    for (unsigned i = 0; i < stack->channel_count; i++)
        if (stack->channels[i].controller == controller)
            act(&stack->channels[i]);
}

static void close_channel(tp_channel *channel)
{
    (void)tp_close(channel);
}

can_status can_start(can_controller *controller)
{
    if (!controller->stack->checked || controller->started)
        return CAN_ORDER;
    controller->started = true;
    return CAN_OK;
}

can_status can_stop(can_controller *controller)
{
    if (!controller->started)
        return CAN_ORDER;
    each_channel(controller, close_channel);
    if (controller->queued > 0 && !fault_acts(controller->stack, CAN_QUEUE_KEPT))
        controller->queued = 0;
    controller->taken = controller->errors = 0;
    controller->started = controller->off = false;
    return CAN_OK;
}

can_status can_recover(can_controller *controller)
{
    if (!controller->off)
        return CAN_ORDER;
    controller->off = false;
    if (!fault_acts(controller->stack, CAN_ERRORS_KEPT))
        controller->errors = 0;
    return CAN_OK;
}

can_status can_bus_error(can_controller *controller)
{
    if (!controller->started)
        return CAN_ORDER;
    if (controller->off)
        return CAN_OFF;
    controller->errors += CAN_ERROR;
    if (controller->errors <= CAN_ERRORS_MOST)
        return CAN_OK;
    controller->off = true;
    controller->queued = controller->taken = 0;
    each_channel(controller, transport_drop);
    return CAN_OFF;
}

can_status can_tick(can_stack *stack)
{
    if (!stack->checked)
        return CAN_ORDER;
    for (unsigned i = 0; i < stack->controller_count; i++)
        if (stack->controllers[i].started && !stack->controllers[i].off)
            interface_tick(&stack->controllers[i]);
    for (unsigned i = 0; i < stack->channel_count; i++)
        if (stack->channels[i].open && !stack->channels[i].controller->off) {
            transport_tick(&stack->channels[i]);
            router_tick(&stack->channels[i]);
        }
    return CAN_OK;
}

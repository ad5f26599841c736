/* studies/canstack/setup.c: setting the stack up; see stack.h. */
#include <stdlib.h>

#include "layers.h"

const char *const CAN_FAULT_NAMES[CAN_FAULTS] = {
    [CAN_SAME_ADDRESS] = "an address twice on a controller",
    [CAN_EMPTY_SINGLE] = "a single frame without bytes",
    [CAN_REPEATED_FRAME] = "a frame that comes twice",
    [CAN_WAIT_UNHEARD] = "the last wait does not start the time anew",
    [CAN_STALE_SEQUENCE] = "a message anew goes on counting",
    [CAN_QUEUE_KEPT] = "stopping leaves the queue",
    [CAN_ERRORS_KEPT] = "recovering leaves the errors",
    [CAN_WRAP_TO_ONE] = "frames are counted 15, 1",
    [CAN_ROUTE_GIVES_UP] = "sending on is tried twice only",
};

bool fault_acts(can_stack *stack, can_fault fault)
{
    if ((stack->faults >> fault & 1) == 0)
        return false;
    stack->last_fault = fault;
    return true;
}

can_fault can_last_fault(const can_stack *stack)
{
    return stack->last_fault;
}

can_stack *can_new(can_transmit *transmit, void *context, unsigned faults)
{
    can_stack *stack = calloc(1, sizeof *stack);
    if (stack == NULL)
        return NULL;
    stack->transmit = transmit;
    stack->context = context;
    stack->faults = faults;
    stack->last_fault = CAN_FAULTS;
    return stack;
}

void can_free(can_stack *stack)
{
    free(stack);
}

can_status can_init(can_stack *stack)
{
    if (stack->initialised)
        return CAN_ORDER;
    stack->initialised = true;
    return CAN_OK;
}

can_status can_set_baud(can_stack *stack, unsigned rate)
{
    if (!stack->initialised || stack->controller_count > 0)
        return CAN_ORDER;
    if (rate >= CAN_RATES)
        return CAN_ARGUMENT;
    stack->rate = rate;
    stack->has_rate = true;
    return CAN_OK;
}

can_status can_add_controller(can_stack *stack, can_controller **added)
{
    if (!stack->has_rate || stack->checked)
        return CAN_ORDER;
    if (stack->controller_count == CAN_CONTROLLERS)
        return CAN_FULL;
    can_controller *controller = &stack->controllers[stack->controller_count];
    controller->stack = stack;
    controller->number = stack->controller_count++;
    *added = controller;
    return CAN_OK;
}

static can_status add_box(can_controller *controller, unsigned *boxes)
{
    if (controller->stack->checked)
        return CAN_ORDER;
    if (*boxes == CAN_BOXES)
        return CAN_FULL;
    ++*boxes;
    return CAN_OK;
}

can_status can_add_send_box(can_controller *controller)
{
    return add_box(controller, &controller->send_boxes);
}

can_status can_add_receive_box(can_controller *controller)
{
    return add_box(controller, &controller->receive_boxes);
}

can_status can_add_filter(can_controller *controller, can_filter filter)
{
    if (controller->stack->checked || controller->receive_boxes == 0)
        return CAN_ORDER;
    if (filter > CAN_ODD)
        return CAN_ARGUMENT;
    if (controller->filter_count == CAN_FILTERS)
        return CAN_FULL;
    controller->filters[controller->filter_count++] = filter;
    return CAN_OK;
}

static bool address_taken(can_controller *controller, unsigned address)
{
    can_stack *stack = controller->stack;
    for (unsigned i = 0; i < stack->channel_count; i++)
        if (stack->channels[i].controller == controller && stack->channels[i].address == address)
            return !fault_acts(stack, CAN_SAME_ADDRESS);
    return false;
}

can_status tp_add_channel(can_controller *controller, unsigned address, tp_channel **added)
{
    can_stack *stack = controller->stack;
    if (stack->checked || controller->send_boxes == 0)
        return CAN_ORDER;
    if (address >= CAN_ADDRESSES || address_taken(controller, address))
        return CAN_ARGUMENT;
    if (stack->channel_count == TP_CHANNELS)
        return CAN_FULL;
    tp_channel *channel = &stack->channels[stack->channel_count++];
    channel->controller = controller;
    channel->address = address;
    *added = channel;
    return CAN_OK;
}

can_status router_add(tp_channel *from, unsigned address)
{
    if (from->controller->stack->checked)
        return CAN_ORDER;
    if (address >= CAN_ADDRESSES || address == from->address)
        return CAN_ARGUMENT;
    if (from->routed)
        return CAN_FULL;
    from->routed = true;
    from->route = address;
    return CAN_OK;
}

static bool complete(const can_stack *stack, const can_controller *controller)
{
    bool has_channel = false;
    for (unsigned i = 0; i < stack->channel_count; i++)
        has_channel |= stack->channels[i].controller == controller;
    return has_channel && controller->filter_count > 0;
}

can_status can_check(can_stack *stack)
{
    if (stack->controller_count == 0 || stack->checked)
        return CAN_ORDER;
    for (unsigned i = 0; i < stack->controller_count; i++)
        if (!complete(stack, &stack->controllers[i]))
            return CAN_ARGUMENT;
    stack->checked = true;
    return CAN_OK;
}

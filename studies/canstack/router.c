/* studies/canstack/router.c: messages that come in on one channel and go out on another.
 *
 * One that cannot be sent at once, because the other channel is busy, is kept and tried again
 * every tick; while it is kept the channel has no room for another.
 */
#include <string.h>

#include "layers.h"

static tp_channel *target_of(tp_channel *from)
{
    can_stack *stack = from->controller->stack;
    for (unsigned i = 0; i < stack->channel_count; i++)
        if (stack->channels[i].controller == from->controller &&
            stack->channels[i].address == from->route)
            return &stack->channels[i];
    return NULL;
}

/* True: it is to be tried again. */
static bool send_on(tp_channel *from, const uint8_t *bytes, size_t length)
{
    tp_channel *to = target_of(from);
    can_status  status = to == NULL ? CAN_ORDER : tp_send(to, bytes, length);
    return status == CAN_BUSY || status == CAN_FULL;
}

void router_take(tp_channel *from, const uint8_t *bytes, size_t length)
{
    if (from->kept.length > 0 || !send_on(from, bytes, length))
        return;
    memcpy(from->kept.bytes, bytes, length);
    from->kept.length = length;
    from->kept_tried = false;
}

void router_tick(tp_channel *from)
{
    message *kept = &from->kept;
    if (kept->length == 0)
        return;
    bool again = send_on(from, kept->bytes, kept->length);
    if (!again || (from->kept_tried && fault_acts(from->controller->stack, CAN_ROUTE_GIVES_UP)))
        kept->length = 0;
    from->kept_tried = true;
}

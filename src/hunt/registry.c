/* hunt/registry.c: the list of this program's properties, in the order of their definition. */
#include "hunt/hunt.h"

static wr_property_  *first;
static wr_property_ **last = &first;

void wr_register_(wr_property_ *property)
{
    *last = property;
    last = &property->next;
}

wr_property_ *wri_registry_first(void)
{
    return first;
}

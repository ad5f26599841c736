/* hunt/registry.c: the properties of this program, in the order in which they were defined. */
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

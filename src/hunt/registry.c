/* hunt/registry.c: the lists of this program's properties and explicit cases, in the order of
 * their definition. */
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

static wr_example_  *first_example;
static wr_example_ **last_example = &first_example;

void wr_register_example_(wr_example_ *example)
{
    *last_example = example;
    last_example = &example->next;
}

const wr_example_ *wri_registry_examples(void)
{
    return first_example;
}

/* hunt/registry.c: the lists of this program's properties and explicit cases, in the order of
 * their definition.
 *
 * A program with a main() of its own may never run them. Its exit status would say that all is
 * well, so it is told at its end.
 */
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hunt/hunt.h"

static wr_property_  *first;
static wr_property_ **last = &first;

static pid_t          registered_by; /* this process */
static volatile char *asked;         /* shared with its children: one of them may run them */

void wri_registry_ask(void)
{
    if (asked != NULL)
        *asked = 1;
}

/* Counts the properties in the program itself, which is the first module: those in a library are
 * for another program to run. */
static int count_own(struct dl_phdr_info *module, size_t size, void *context)
{
    size_t *count = context;
    (void)size;
    for (const wr_property_ *at = first; at != NULL; at = at->next)
        for (size_t i = 0; i < module->dlpi_phnum; i++) {
            const ElfW(Phdr) *part = &module->dlpi_phdr[i];
            uintptr_t from = module->dlpi_addr + part->p_vaddr;
            *count += part->p_type == PT_LOAD && (uintptr_t)at - from < part->p_memsz;
        }
    return 1;
}

static void complain_if_not_run(void)
{
    size_t count = 0;
    if (*asked != 0 || getpid() != registered_by)
        return;
    dl_iterate_phdr(count_own, &count);
    if (count > 0)
        fprintf(stderr, "%s: %zu propert%s never run: call wr_main()\n", program_invocation_name,
                count, count == 1 ? "y was" : "ies were");
}

static void watch_the_end(void)
{
    void *page = mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        return;
    asked = page;
    registered_by = getpid();
    atexit(complain_if_not_run);
}

void wr_register_(wr_property_ *property)
{
    if (first == NULL)
        watch_the_end();
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

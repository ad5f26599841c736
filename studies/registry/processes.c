/* studies/registry/processes.c: see processes.h. */
#include "processes.h"

#include <string.h>

void registry_start(registry *all)
{
    all->spawned = 0;
    memset(all->registered, 0, sizeof all->registered);
}

process *registry_spawn(registry *all)
{
    if (all->spawned == PROCESSES)
        return NULL;
    process *p = &all->processes[all->spawned++];
    *p = (process){ .alive = true, .number = (uint8_t)all->spawned, .name = -1 };
    return p;
}

bool registry_register(registry *all, unsigned name, process *p)
{
    if (all->registered[name] != NULL || p->name >= 0 || !p->alive)
        return false;
    all->registered[name] = p;
    p->name = (int8_t)name;
    return true;
}

bool registry_unregister(registry *all, unsigned name)
{
    process *p = all->registered[name];
    if (p == NULL)
        return false;
    all->registered[name] = NULL;
    p->name = -1;
    return true;
}

process *registry_whereis(const registry *all, unsigned name)
{
    return all->registered[name];
}

void registry_kill(registry *all, process *p)
{
    if (p->name >= 0)
        all->registered[p->name] = NULL;
    p->name = -1;
    p->alive = false;
}

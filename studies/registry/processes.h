/* studies/registry/processes.h: a process registry: processes, and names that find them.
 *
 * There is nothing wrong with it. What it refuses it must refuse; that a model does not know of
 * this is what the study finds.
 */
#ifndef REGISTRY_PROCESSES_H
#define REGISTRY_PROCESSES_H

#include <stdbool.h>
#include <stdint.h>

#define NAMES 5
#define PROCESSES 64 /* as many handles as a machine has of a kind */

typedef struct process {
    bool    alive;
    uint8_t number; /* from 1, in the order in which they were spawned */
    int8_t  name;   /* -1: none */
} process;

typedef struct registry {
    process  processes[PROCESSES];
    unsigned spawned;
    process *registered[NAMES];
} registry;

/* Nobody is there, and every name is free. */
void registry_start(registry *all);
/* A process that is alive. NULL: there are too many. */
process *registry_spawn(registry *all);
/* False: the name is taken, or the process has one already, or it is dead. */
bool registry_register(registry *all, unsigned name, process *p);
/* False: nobody has that name. */
bool registry_unregister(registry *all, unsigned name);
/* NULL: nobody. */
process *registry_whereis(const registry *all, unsigned name);
/* The dead have no names. */
void registry_kill(registry *all, process *p);

#endif

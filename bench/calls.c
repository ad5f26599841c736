/* bench/calls.c: the machine that `machine` measures: a process registry, with nothing wrong.
 *
 * Calls are counted in memory that all workers share, and printed at the end: what a call costs
 * must not depend on how long sequences are taken to be.
 */
#include <stdio.h>
#include <sys/mman.h>

#include <warren.h>

#define NAMES 5

static uint64_t *calls;

typedef struct process {
    bool alive;
    int  name; /* -1: none */
} process;

/* The registry, and what is expected of it. */
typedef struct model {
    process *registered[NAMES], *expected[NAMES];
} model;

static void show_name(wr_out *out, int64_t name)
{
    wr_put(out, "\"%c\"", (char)('a' + name));
}

static const wr_kind NAME = { "name", .values = NAMES, .show = show_name, .symmetric = true };
static const wr_kind PID = { "pid", .handle = true, .type = "process *" };

static void do_spawn(wr_case *t, wr_call *call)
{
    process *p = wr_alloc(t, sizeof *p);
    ++*calls;
    *p = (process){ .alive = true, .name = -1 };
    wr_give(call, p);
}

static void do_register(wr_case *t, wr_call *call)
{
    model   *m = wr_model(call);
    process *p = wr_handle(call, 1);
    int64_t  name = wr_value(call, 0);
    bool     done = m->registered[name] == NULL && p->alive && p->name < 0;
    ++*calls;
    wr_assert(t, m->expected[name] == NULL || !done);
    if (!done)
        return;
    m->registered[name] = m->expected[name] = p;
    p->name = (int)name;
}

static void do_unregister(wr_case *t, wr_call *call)
{
    model  *m = wr_model(call);
    int64_t name = wr_value(call, 0);
    ++*calls;
    wr_assert(t, (m->registered[name] != NULL) == (m->expected[name] != NULL));
    if (m->registered[name] != NULL)
        m->registered[name]->name = -1;
    m->registered[name] = m->expected[name] = NULL;
}

static void do_whereis(wr_case *t, wr_call *call)
{
    model  *m = wr_model(call);
    int64_t name = wr_value(call, 0);
    ++*calls;
    wr_assert(t, m->registered[name] == m->expected[name]);
}

static void do_kill(wr_case *t, wr_call *call)
{
    model   *m = wr_model(call);
    process *p = wr_handle(call, 0);
    (void)t;
    ++*calls;
    if (p->name >= 0)
        m->registered[p->name] = m->expected[p->name] = NULL;
    p->name = -1;
    p->alive = false;
}

static const wr_command COMMANDS[] = {
    { "spawn", do_spawn, .gives = &PID },
    { "register", do_register, .takes = { &NAME, &PID } },
    { "unregister", do_unregister, .takes = { &NAME } },
    { "whereis", do_whereis, .takes = { &NAME }, .observer = true },
    { "kill", do_kill, .takes = { &PID } },
    { 0 },
};
WR_MACHINE(registry, .commands = COMMANDS, .model_size = sizeof(model));

int main(int argc, char **argv)
{
    calls = mmap(NULL, sizeof *calls, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (calls == MAP_FAILED)
        return 99;
    int status = wr_main(argc, argv);
    printf("{\"calls\": %llu}\n", (unsigned long long)*calls);
    return status;
}

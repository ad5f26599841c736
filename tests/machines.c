/* tests/machines.c: machines to test machines with: a process registry that is right, and ones with
 * something wrong; code that crashes; contracts that do not hold; tables that make no sense.
 */
#include <stdlib.h>
#include <string.h>

#include <warren.h>

/* ---- The registry ---- */

#define NAMES 5

typedef struct process {
    bool alive;
    int  name; /* -1: none */
} process;

typedef struct registry {
    process *owner[NAMES];
} registry;

/* What the model knows: owners by name, and who is dead. */
typedef struct model {
    registry system;
    process *owner[NAMES];
    uint64_t dead;
    bool     started;
} model;

static bool sys_register(registry *system, int64_t name, process *p)
{
    if (system->owner[name] != NULL || p->name >= 0 || !p->alive)
        return false;
    system->owner[name] = p;
    p->name = (int)name;
    return true;
}

static bool sys_unregister(registry *system, int64_t name)
{
    if (system->owner[name] == NULL)
        return false;
    system->owner[name]->name = -1;
    system->owner[name] = NULL;
    return true;
}

static void sys_kill(registry *system, process *p)
{
    if (p->name >= 0)
        system->owner[p->name] = NULL;
    p->name = -1;
    p->alive = false;
}

static void show_name(wr_out *out, int64_t name)
{
    wr_put(out, "\"%c\"", (char)('a' + name));
}

static const wr_kind NAME = { "name", .values = NAMES, .show = show_name, .symmetric = true };
static const wr_kind PID = { "pid", .handle = true, .type = "process *" };

static void start(wr_case *t, void *state)
{
    model *m = state;
    (void)t;
    m->started = true;
}

static void do_spawn(wr_case *t, wr_call *call)
{
    model   *m = wr_model(call);
    process  fresh = { .alive = true, .name = -1 };
    process *p = wr_alloc(t, sizeof *p);
    *p = fresh;
    wr_assert(t, m->started);
    wr_give(call, p);
}

static bool has_name(const model *m, const process *p)
{
    for (int i = 0; i < NAMES; i++)
        if (m->owner[i] == p)
            return true;
    return false;
}

/* The five classes of the experiment: each fails at a place of its own. */
static void do_register(wr_case *t, wr_call *call)
{
    model   *m = wr_model(call);
    int64_t  name = wr_value(call, 0);
    process *p = wr_handle(call, 1);
    bool     done = sys_register(&m->system, name, p);
    if (m->owner[name] != NULL)
        wr_assert(t, done && "a name is registered twice");
    else if (has_name(m, p))
        wr_assert(t, done && "a process has two names");
    else
        wr_assert(t, done && "a process is registered");
    m->owner[name] = p;
}

static void do_unregister(wr_case *t, wr_call *call)
{
    model  *m = wr_model(call);
    int64_t name = wr_value(call, 0);
    bool    done = sys_unregister(&m->system, name);
    if (m->owner[name] != NULL)
        wr_assert(t, done && "a registered name is unregistered");
    else
        wr_assert(t, done && "a free name is unregistered");
    m->owner[name] = NULL;
}

static void do_whereis(wr_case *t, wr_call *call)
{
    model  *m = wr_model(call);
    int64_t name = wr_value(call, 0);
    wr_assert(t, m->system.owner[name] == m->owner[name]);
}

static void do_kill(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    (void)t;
    sys_kill(&m->system, wr_handle(call, 0));
}

static const wr_command REGISTRY[] = {
    { "spawn", do_spawn, .gives = &PID },
    { "register", do_register, .takes = { &NAME, &PID } },
    { "unregister", do_unregister, .takes = { &NAME } },
    { "whereis", do_whereis, .takes = { &NAME }, .observer = true },
    { "kill", do_kill, .takes = { &PID } },
    { 0 },
};
WR_MACHINE(registry, .commands = REGISTRY, .model_size = sizeof(model), .start = start);

/* The same system with a model that is right: nothing fails. */
static void do_right_register(wr_case *t, wr_call *call)
{
    model   *m = wr_model(call);
    int64_t  name = wr_value(call, 0);
    process *p = wr_handle(call, 1);
    bool     dead = (m->dead >> wr_number(call, 1) & 1) != 0;
    bool     allowed = m->owner[name] == NULL && !has_name(m, p) && !dead;
    wr_assert_eq(t, sys_register(&m->system, name, p), allowed);
    if (allowed)
        m->owner[name] = p;
}

static void do_right_unregister(wr_case *t, wr_call *call)
{
    model  *m = wr_model(call);
    int64_t name = wr_value(call, 0);
    wr_assert_eq(t, sys_unregister(&m->system, name), m->owner[name] != NULL);
    m->owner[name] = NULL;
}

static void do_right_kill(wr_case *t, wr_call *call)
{
    model   *m = wr_model(call);
    process *p = wr_handle(call, 0);
    (void)t;
    sys_kill(&m->system, p);
    m->dead |= UINT64_C(1) << wr_number(call, 0);
    for (int i = 0; i < NAMES; i++)
        if (m->owner[i] == p)
            m->owner[i] = NULL;
}

static void names_agree(wr_case *t, void *state)
{
    const model *m = state;
    for (int i = 0; i < NAMES; i++)
        wr_assert(t, m->owner[i] == m->system.owner[i]);
}

static const wr_command RIGHT[] = {
    { "spawn", do_spawn, .gives = &PID },
    { "register", do_right_register, .takes = { &NAME, &PID } },
    { "unregister", do_right_unregister, .takes = { &NAME } },
    { "whereis", do_whereis, .takes = { &NAME }, .observer = true },
    { "kill", do_right_kill, .takes = { &PID } },
    { 0 },
};
WR_MACHINE(right_registry, .commands = RIGHT, .model_size = sizeof(model), .start = start,
           .invariant = names_agree);

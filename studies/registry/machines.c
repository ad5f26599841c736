/* studies/registry/machines.c: the registry as machines.
 *
 * The commands are the same for all of them; the model is not. `registry` expects every call to
 * be done and thinks that kill does nothing, which is wrong in six ways. `registry_counted` is as
 * wrong, and says of each failure which of the bugs it is: for methods that have no other means
 * of telling them apart. It remembers the kills, without drawing conclusions, so that states
 * differ that do. `registry_right` knows what a registry is.
 */
#include <warren.h>

#include "processes.h"

typedef enum { WRONG, COUNTED, RIGHT } manner;

/* Of a process its number is known, 0: none. No addresses: what is the same has the same
 * bytes. */
typedef struct model {
    uint8_t  owner[NAMES];
    uint8_t  spawned;
    uint8_t  manner;
    uint64_t dead;  /* 1 << number - 1 */
    uint64_t kills; /* a hash of who was killed, one after the other */
} model;

static registry all;

static void start(wr_case *t, void *state)
{
    (void)t;
    (void)state;
    registry_start(&all);
}

static void start_counted(wr_case *t, void *state)
{
    start(t, state);
    ((model *)state)->manner = COUNTED;
}

static void start_right(wr_case *t, void *state)
{
    start(t, state);
    ((model *)state)->manner = RIGHT;
}

static void show_name(wr_out *out, int64_t name)
{
    wr_put(out, "\"%c\"", (char)('a' + name));
}

static const wr_kind NAME = { "name", .values = NAMES, .show = show_name };
static const wr_kind ALIKE = { "name", .values = NAMES, .show = show_name, .symmetric = true };
static const wr_kind PID = { "pid", .handle = true, .type = "process *" };

/* ---- What the model knows ---- */

static bool has_name(const model *m, const process *p)
{
    for (unsigned i = 0; i < NAMES; i++)
        if (m->owner[i] == p->number)
            return true;
    return false;
}

static bool is_dead(const model *m, const process *p)
{
    return (m->dead >> (p->number - 1) & 1) != 0;
}

/* The sixth bug counts as the first here, as it does for methods that look for five. */
static void classify(wr_case *t, const model *m, const char *bug)
{
    if (m->manner == COUNTED)
        wr_class(t, bug);
}

/* ---- Commands ---- */

static void do_spawn(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    (void)t;
    m->spawned++;
    wr_give(call, registry_spawn(&all));
}

static void do_register(wr_case *t, wr_call *call)
{
    model   *m = wr_model(call);
    unsigned name = (unsigned)wr_value(call, 0);
    process *p = wr_handle(call, 1);
    bool     taken = m->owner[name] != 0, named = has_name(m, p);
    bool     expected = m->manner != RIGHT || !(taken || named || is_dead(m, p));
    classify(t, m, taken ? "5" : named ? "2" : "3");
    wr_assert_eq(t, registry_register(&all, name, p), expected);
    if (expected)
        m->owner[name] = p->number;
}

static void do_unregister(wr_case *t, wr_call *call)
{
    model   *m = wr_model(call);
    unsigned name = (unsigned)wr_value(call, 0);
    bool     expected = m->manner != RIGHT || m->owner[name] != 0;
    classify(t, m, "1");
    wr_assert_eq(t, registry_unregister(&all, name), expected);
    m->owner[name] = 0;
}

static void do_whereis(wr_case *t, wr_call *call)
{
    const model   *m = wr_model(call);
    unsigned       name = (unsigned)wr_value(call, 0);
    const process *p = registry_whereis(&all, name);
    classify(t, m, "4");
    wr_assert_eq(t, p == NULL ? 0 : p->number, m->owner[name]);
}

static void do_kill(wr_case *t, wr_call *call)
{
    model   *m = wr_model(call);
    process *p = wr_handle(call, 0);
    (void)t;
    registry_kill(&all, p);
    if (m->manner == COUNTED)
        m->kills = (m->kills ^ p->number) * UINT64_C(0x100000001b3);
    if (m->manner != RIGHT)
        return;
    m->dead |= UINT64_C(1) << (p->number - 1);
    for (unsigned i = 0; i < NAMES; i++)
        if (m->owner[i] == p->number)
            m->owner[i] = 0;
}

#define COMMANDS(name)                                                                           \
    {                                                                                            \
        { "spawn", do_spawn, .gives = &PID },                                                    \
            { "register", do_register, .takes = { &(name), &PID } },                             \
            { "unregister", do_unregister, .takes = { &(name) } },                               \
            { "whereis", do_whereis, .takes = { &(name) }, .observer = true },                   \
            { "kill", do_kill, .takes = { &PID } }, { 0 },                                       \
    }
static const wr_command PLAIN[] = COMMANDS(NAME);
static const wr_command SYMMETRIC[] = COMMANDS(ALIKE);

WR_MACHINE(registry, .commands = PLAIN, .model_size = sizeof(model), .start = start);
WR_MACHINE(registry_names_alike, .commands = SYMMETRIC, .model_size = sizeof(model),
           .start = start);
WR_MACHINE(registry_counted, .commands = PLAIN, .model_size = sizeof(model),
           .start = start_counted);
WR_MACHINE(registry_right, .commands = PLAIN, .model_size = sizeof(model), .start = start_right);

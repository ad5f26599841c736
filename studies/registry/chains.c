/* studies/registry/chains.c: machines whose bug needs one, two and three set-ups, in any order.
 *
 * A set-up has two steps, the second of which does nothing before the first. What runs when all
 * are done breaks. So of one chain there is one order of calls that breaks it, of two there are
 * 6, of three 90, and all of them are the same bug.
 *
 * What is counted is tests of an order: cases in which each command was called once. They are
 * printed at the end, as the report prints calls.
 */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include <warren.h>

#define ORDERS 4096

typedef enum { OPEN_BUS, START_BUS, LOAD_CLOCK, SET_CLOCK, MOUNT_DISK, CHECK_DISK, RUN } step;

static const char *const NAMES[] = { "open_bus",   "start_bus",  "load_clock", "set_clock",
                                     "mount_disk", "check_disk", "run" };

typedef struct model {
    unsigned parts;      /* that have set-ups */
    bool     steps[RUN]; /* those that were done */
} model;

/* ---- Orders that were tried ---- */

/* The calls of this case, as far as there is room. */
typedef struct order {
    size_t  count;
    uint8_t steps[RUN + 1];
} order;

typedef struct tried {
    size_t count;
    order  orders[ORDERS];
} tried;

static order  now;
static tried *all; /* shared by all workers */

static void note(step one)
{
    if (now.count <= RUN)
        now.steps[now.count] = (uint8_t)one;
    now.count++;
}

static void start(model *m, unsigned parts)
{
    m->parts = parts;
    now.count = 0;
}

static void stop(wr_case *t, void *state)
{
    const model *m = state;
    unsigned     different = 0;
    (void)t;
    if (now.count != 2 * m->parts + 1)
        return;
    for (size_t i = 0; i < now.count; i++)
        different |= 1u << now.steps[i];
    if (__builtin_popcount(different) == (int)now.count && all->count < ORDERS)
        all->orders[all->count++] = now;
}

static void print_orders(void)
{
    printf("{\"orders\": [");
    for (size_t i = 0; i < all->count; i++) {
        const order *one = &all->orders[i];
        printf("%s\"", i > 0 ? ", " : "");
        for (size_t j = 0; j < one->count; j++)
            printf("%s%s();", j > 0 ? "\\n" : "", NAMES[one->steps[j]]);
        printf("\"");
    }
    printf("]}\n");
}

/* ---- The machines ---- */

static void do_first(wr_call *call, step one)
{
    model *m = wr_model(call);
    note(one);
    m->steps[one] = true;
}

static void do_second(wr_call *call, step one)
{
    model *m = wr_model(call);
    note(one);
    m->steps[one] |= m->steps[one - 1];
}

#define COMMAND(name, which, step)                                                               \
    static void name(wr_case *t, wr_call *call)                                                  \
    {                                                                                            \
        (void)t;                                                                                 \
        which(call, step);                                                                       \
    }
COMMAND(do_open_bus, do_first, OPEN_BUS)
COMMAND(do_start_bus, do_second, START_BUS)
COMMAND(do_load_clock, do_first, LOAD_CLOCK)
COMMAND(do_set_clock, do_second, SET_CLOCK)
COMMAND(do_mount_disk, do_first, MOUNT_DISK)
COMMAND(do_check_disk, do_second, CHECK_DISK)

static void do_run(wr_case *t, wr_call *call)
{
    const model *m = wr_model(call);
    unsigned     done = 0;
    note(RUN);
    for (unsigned i = 0; i < m->parts; i++)
        done += m->steps[2 * i + 1];
    wr_assert(t, done < m->parts);
}

#define STEP(name_)                                                                              \
    {                                                                                            \
        .name = #name_, .call = do_##name_                                                       \
    }
#define BUS_STEPS STEP(open_bus), STEP(start_bus)
#define CLOCK_STEPS STEP(load_clock), STEP(set_clock)
#define DISK_STEPS STEP(mount_disk), STEP(check_disk)

/* CHAINS(name, how many, their steps...): a machine. */
#define CHAINS(name, parts, ...)                                                                 \
    static void start_##name(wr_case *t, void *state)                                            \
    {                                                                                            \
        (void)t;                                                                                 \
        start(state, parts);                                                                     \
    }                                                                                            \
    static const wr_command OF_##name[] = { __VA_ARGS__, STEP(run), { 0 } };                     \
    WR_MACHINE(name, .commands = OF_##name, .model_size = sizeof(model), .start = start_##name,  \
               .stop = stop)

CHAINS(one_chain, 1, BUS_STEPS);
CHAINS(two_chains, 2, BUS_STEPS, CLOCK_STEPS);
CHAINS(three_chains, 3, BUS_STEPS, CLOCK_STEPS, DISK_STEPS);

int main(int argc, char **argv)
{
    all = mmap(NULL, sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED)
        return 99;
    int status = wr_main(argc, argv);
    print_orders();
    return status;
}

/* tests/machines.c: machines to test machines with: a process registry that is right, and ones
 * with something wrong; code that crashes; contracts that do not hold; tables that make no sense.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    int      only; /* this class of failures; 0: all */
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

/* Six classes of failures, each with a place of its own; a machine may look for one alone. */
#define EXPECT(t, m, class, condition)                                                           \
    do {                                                                                         \
        if ((m)->only == 0 || (m)->only == (class))                                              \
            wr_assert(t, condition);                                                             \
    } while (0)

static void do_register(wr_case *t, wr_call *call)
{
    model   *m = wr_model(call);
    int64_t  name = wr_value(call, 0);
    process *p = wr_handle(call, 1);
    bool     done = sys_register(&m->system, name, p);
    if (m->owner[name] != NULL)
        EXPECT(t, m, 5, done && "a name is registered twice");
    else if (has_name(m, p))
        EXPECT(t, m, 2, done && "a process has two names");
    else
        EXPECT(t, m, 3, done && "a process is registered");
    if (done)
        m->owner[name] = p;
}

static void do_unregister(wr_case *t, wr_call *call)
{
    model  *m = wr_model(call);
    int64_t name = wr_value(call, 0);
    bool    done = sys_unregister(&m->system, name);
    if (m->owner[name] != NULL)
        EXPECT(t, m, 6, done && "a registered name is unregistered");
    else
        EXPECT(t, m, 1, done && "a free name is unregistered");
    m->owner[name] = NULL;
}

static void do_whereis(wr_case *t, wr_call *call)
{
    model  *m = wr_model(call);
    int64_t name = wr_value(call, 0);
    EXPECT(t, m, 4, m->system.owner[name] == m->owner[name]);
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

#define REGISTRY_OF(class)                                                                       \
    static void start_##class(wr_case * t, void *state)                                          \
    {                                                                                            \
        start(t, state);                                                                         \
        ((model *)state)->only = class;                                                          \
    }                                                                                            \
    WR_MACHINE(registry_##class, .commands = REGISTRY, .model_size = sizeof(model),              \
               .start = start_##class)

REGISTRY_OF(1);
REGISTRY_OF(2);
REGISTRY_OF(3);
REGISTRY_OF(4);
REGISTRY_OF(5);
REGISTRY_OF(6);

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

/* ---- A bug that needs four calls, each with its own argument ---- */

static const wr_kind DIGIT = { "digit", .values = 10 };

static void do_dial(wr_case *t, wr_call *call)
{
    static const int64_t COMBINATION[] = { 1, 3, 2 };
    int                 *right = wr_model(call);
    (void)t;
    if (*right < 3 && wr_value(call, 0) == COMBINATION[*right])
        ++*right;
    else
        *right = wr_value(call, 0) == COMBINATION[0];
}

static void do_open(wr_case *t, wr_call *call)
{
    wr_assert(t, *(int *)wr_model(call) < 3);
}

static const wr_command LOCK[] = {
    { "dial", do_dial, .takes = { &DIGIT } },
    { "open", do_open, .observer = true },
    { 0 },
};
WR_MACHINE(lock, .commands = LOCK, .model_size = sizeof(int), .options = { .cases = 100000 });

/* ---- The same with more digits, and a state that tells how many were right ---- */

static void do_turn_vault(wr_case *t, wr_call *call)
{
    static const int64_t COMBINATION[] = { 7, 1, 4, 1, 5, 9, 2, 6 };
    int                 *right = wr_model(call);
    *right = wr_value(call, 0) == COMBINATION[*right] ? *right + 1 : 0;
    wr_state(t, "digits", *right);
    wr_assert(t, *right < 8);
}

static const wr_command VAULT[] = { { "turn", do_turn_vault, .takes = { &DIGIT } }, { 0 } };
WR_MACHINE(vault, .commands = VAULT, .model_size = sizeof(int));

/* A bug on the way, which a search that goes on from rare states would meet again and again. */
static void do_turn_back(wr_case *t, wr_call *call)
{
    int *right = wr_model(call);
    wr_assert(t, *right != 2); /* on the way */
    *right = 0;
}

static void do_turn_to_end(wr_case *t, wr_call *call)
{
    int *right = wr_model(call);
    *right = wr_value(call, 0) == *right ? *right + 1 : 0;
    wr_state(t, "digits", *right);
    wr_assert_lt(t, *right, 6);
}

static const wr_command VAULT_OF_BUGS[] = {
    { "turn", do_turn_to_end, .takes = { &DIGIT } },
    { "back", do_turn_back, .weight = 1 },
    { 0 },
};
WR_MACHINE(vault_of_bugs, .commands = VAULT_OF_BUGS, .model_size = sizeof(int));

/* ---- One assertion, and what fails there told apart ---- */

static void do_press(wr_case *t, wr_call *call)
{
    static const char *const CLASSES[] = { "left", "middle", "right" };
    wr_class(t, CLASSES[wr_value(call, 0)]);
    wr_assert(t, false);
}

static const wr_kind    BUTTON = { "button", .values = 3 };
static const wr_command BUTTONS[] = { { "press", do_press, .takes = { &BUTTON } }, { 0 } };
WR_MACHINE(three_classes, .commands = BUTTONS);

/* ---- Crashes ---- */

typedef struct stack {
    int   used;
    char *top;
    char  cells[3];
} stack;

static void do_push(wr_case *t, wr_call *call)
{
    stack *s = wr_model(call);
    (void)t;
    s->top = s->used < 3 ? &s->cells[s->used] : NULL;
    s->used++;
    *(volatile char *)s->top = (char)wr_value(call, 0);
}

static void do_pop(wr_case *t, wr_call *call)
{
    stack *s = wr_model(call);
    (void)t;
    s->used--;
}

static bool not_empty(const wr_call *call)
{
    return ((const stack *)wr_model(call))->used > 0;
}

static const wr_command STACK[] = {
    { "push", do_push, .takes = { &DIGIT } },
    { "pop", do_pop, .when = not_empty },
    { 0 },
};
WR_MACHINE(stack_crashes, .commands = STACK, .model_size = sizeof(stack));

/* ---- Preconditions, handles that die, and handles that must differ ---- */

typedef struct file {
    int bytes;
} file;

/* What is open, by the handles' numbers: a file that is closed is freed. */
typedef struct files_model {
    uint64_t open;
} files_model;

static int files_started; /* and not stopped, */
static int files_there;   /* and not freed */

static void start_files(wr_case *t, void *state)
{
    (void)state;
    wr_assert(t, files_started == 0 && files_there == 0 && "every start was stopped");
    files_started++;
}

static void stop_files(wr_case *t, void *state)
{
    (void)t, (void)state;
    files_started--;
}

static void release_file(void *handle)
{
    files_there--;
    free(handle);
}

static const wr_kind FILE_KIND = { "file", .handle = true, .type = "file_t",
                                   .release = release_file };
static const wr_kind BYTES = { "bytes", .values = 100 };

static bool is_open(const wr_call *call, unsigned argument)
{
    return (((const files_model *)wr_model(call))->open >> wr_number(call, argument) & 1) != 0;
}

/* By a command that consumes it. */
static void close_file(wr_call *call, unsigned argument)
{
    ((files_model *)wr_model(call))->open &= ~(UINT64_C(1) << wr_number(call, argument));
    release_file(wr_handle(call, argument));
}

static void do_create(wr_case *t, wr_call *call)
{
    file *f = calloc(1, sizeof *f);
    (void)t;
    files_there++;
    ((files_model *)wr_model(call))->open |= UINT64_C(1) << wr_give(call, f);
}

static void do_write(wr_case *t, wr_call *call)
{
    wr_assert(t, is_open(call, 0) && "no dead handle is passed");
    file *f = wr_handle(call, 0);
    wr_assert(t, wr_value(call, 1) > f->bytes && "the precondition holds");
    f->bytes = (int)wr_value(call, 1);
}

static bool grows(const wr_call *call)
{
    return wr_value(call, 1) > ((const file *)wr_handle(call, 0))->bytes;
}

/* The planted bug: what is merged into another has at most 90 bytes. */
static void do_merge(wr_case *t, wr_call *call)
{
    wr_assert(t, wr_number(call, 0) != wr_number(call, 1) && "what dies is named once");
    wr_assert(t, is_open(call, 0) && is_open(call, 1) && "no dead handle is merged");
    file *to = wr_handle(call, 0), *from = wr_handle(call, 1);
    int   bytes = from->bytes;
    to->bytes = to->bytes > bytes ? to->bytes : bytes;
    close_file(call, 1);
    wr_assert(t, bytes <= 90 && "planted");
}

static void do_close(wr_case *t, wr_call *call)
{
    wr_assert(t, is_open(call, 0) && "no handle is closed twice");
    close_file(call, 0);
}

static const wr_command FILES[] = {
    { "create", do_create, .gives = &FILE_KIND },
    { "write", do_write, .takes = { &FILE_KIND, &BYTES }, .when = grows },
    { "merge", do_merge, .takes = { &FILE_KIND, &FILE_KIND }, .consumes = 1u << 1 },
    { "close", do_close, .takes = { &FILE_KIND }, .consumes = 1u << 0 },
    { 0 },
};
WR_MACHINE(files, .commands = FILES, .model_size = sizeof(files_model), .start = start_files,
           .stop = stop_files);

/* ---- Values of one's own, a model that owns memory ---- */

typedef struct words {
    char  *all; /* from malloc() */
    size_t count;
} words;

static void copy_words(void *to, const void *from)
{
    const words *w = from;
    *(words *)to = *w;
    if (w->all != NULL)
        ((words *)to)->all = strdup(w->all);
}

static void free_words(void *from)
{
    free(((words *)from)->all);
}

static bool same_words(const void *a, const void *b)
{
    const words *x = a, *y = b;
    return x->count == y->count && (x->all == y->all || (x->all != NULL && y->all != NULL &&
                                                         strcmp(x->all, y->all) == 0));
}

static int64_t draw_word(wr_case *t)
{
    return (int64_t)(intptr_t)wr_text_of(t, "word", "abc", 0, 8);
}

static void show_word(wr_out *out, int64_t word)
{
    wr_put(out, "\"%s\"", (const char *)(intptr_t)word);
}

static const wr_kind WORD = { "word", .draw = draw_word, .show = show_word };

/* What it was given is spoiled: the text was made before. */
static void do_add(wr_case *t, wr_call *call)
{
    words *w = wr_model(call);
    char  *word = wr_pointer(call, 0);
    char  *all = malloc((w->all == NULL ? 0 : strlen(w->all)) + strlen(word) + 1);
    strcpy(all, w->all == NULL ? "" : w->all);
    strcat(all, word);
    free(w->all);
    w->all = all;
    w->count++;
    memset(word, '?', strlen(word));
    wr_assert(t, strstr(all, "cab") == NULL);
}

static void do_count(wr_case *t, wr_call *call)
{
    wr_assert(t,
              (((words *)wr_model(call))->count > 0) == (((words *)wr_model(call))->all != NULL));
}

static const wr_command WORDS[] = {
    { "add", do_add, .takes = { &WORD } },
    { "count", do_count, .observer = true },
    { 0 },
};
WR_MACHINE(words_are_added, .commands = WORDS, .model_size = sizeof(words), .copy = copy_words,
           .free = free_words, .equal = same_words, .options = { .cases = 20000 });

/* ---- Contracts, with no model at all ---- */

typedef struct number {
    int value, step;
} number;

static void do_zero(wr_case *t, wr_call *call)
{
    wr_give(call, wr_alloc(t, sizeof(number)));
}

static void do_add_one(wr_case *t, wr_call *call)
{
    (void)t;
    ((number *)wr_handle(call, 0))->value++;
    ((number *)wr_handle(call, 0))->step++;
}

static void do_double(wr_case *t, wr_call *call)
{
    number *n = wr_handle(call, 0);
    (void)t;
    n->value = n->value * 2 % 1000003; /* long sequences must not overflow it */
    n->step++;
}

static bool not_reflexive(const void *a, const void *b)
{
    return ((const number *)a)->value < 3 &&
           ((const number *)a)->value == ((const number *)b)->value;
}

static bool not_symmetric(const void *a, const void *b)
{
    return ((const number *)a)->value <= ((const number *)b)->value;
}

static bool same_value(const void *a, const void *b)
{
    return ((const number *)a)->value == ((const number *)b)->value;
}

static uint64_t hash_of_step(const void *a)
{
    return (uint64_t)((const number *)a)->step;
}

static uint64_t hash_of_value(const void *a)
{
    return (uint64_t)((const number *)a)->value;
}

#define NUMBERS(machine, equality, hashing)                                                      \
    static const wr_kind    KIND_##machine = { "number", .handle = true, .type = "number *",     \
                                               .equal = equality, .hash = hashing };             \
    static const wr_command COMMANDS_##machine[] = {                                             \
        { "zero", do_zero, .gives = &KIND_##machine },                                           \
        { "add_one", do_add_one, .takes = { &KIND_##machine } },                                 \
        { "twice", do_double, .takes = { &KIND_##machine } },                                    \
        { 0 },                                                                                   \
    };                                                                                           \
    WR_MACHINE(machine, .commands = COMMANDS_##machine)

NUMBERS(differs_from_itself, not_reflexive, NULL);
NUMBERS(equals_one_way, not_symmetric, hash_of_value);
NUMBERS(hashes_otherwise, same_value, hash_of_step);
NUMBERS(breaks_two_contracts, not_symmetric, hash_of_step);
NUMBERS(equality_is_right, same_value, hash_of_value);

/* ---- Set-up sequences ---- */

static const wr_kind CHANNEL = { "channel", .handle = true, .type = "channel *" };

/* How far each channel is, by its number; each step wants the one before it. */
static void do_new_channel(wr_case *t, wr_call *call)
{
    ((int *)wr_model(call))[wr_give(call, wr_alloc(t, 1))] = 0;
}

static void step(wr_call *call, int from)
{
    int *stage = wr_model(call);
    if (stage[wr_number(call, 0)] == from)
        stage[wr_number(call, 0)]++;
    else
        stage[wr_number(call, 0)] = 0;
}

static void do_bind(wr_case *t, wr_call *call)
{
    (void)t;
    step(call, 0);
}
static void do_configure(wr_case *t, wr_call *call)
{
    (void)t;
    step(call, 1);
}
static void do_check(wr_case *t, wr_call *call)
{
    (void)t;
    step(call, 2);
}
static void do_enable(wr_case *t, wr_call *call)
{
    (void)t;
    step(call, 3);
}
static void do_send(wr_case *t, wr_call *call)
{
    wr_assert(t, ((int *)wr_model(call))[wr_number(call, 0)] < 4);
}

static const wr_command CHANNELS[] = {
    { "new_channel", do_new_channel, .gives = &CHANNEL },
    { "bind_to", do_bind, .takes = { &CHANNEL } },
    { "configure", do_configure, .takes = { &CHANNEL } },
    { "check", do_check, .takes = { &CHANNEL } },
    { "enable", do_enable, .takes = { &CHANNEL } },
    { "send_on", do_send, .takes = { &CHANNEL } },
    { 0 },
};
static const wr_macro SET_UP[] = {
    { "set_up", { "new_channel", "bind_to", "configure", "check", "enable" }, .weight = 2 },
    { 0 },
};
static const wr_macro SET_UP_FIRST[] = {
    { "set_up", { "new_channel", "bind_to", "configure", "check", "enable" }, .first = true },
    { 0 },
};
WR_MACHINE(channels, .commands = CHANNELS, .model_size = 64 * sizeof(int));
WR_MACHINE(channels_set_up, .commands = CHANNELS, .macros = SET_UP,
           .model_size = 64 * sizeof(int));
WR_MACHINE(channels_set_up_first, .commands = CHANNELS, .macros = SET_UP_FIRST,
           .model_size = 64 * sizeof(int));

/* ---- Long sequences: numbers of dead handles are given again ---- */

static void do_ticket(wr_case *t, wr_call *call)
{
    unsigned long *alive = wr_model(call);
    wr_assert(t, *alive < 64);
    unsigned number_of = wr_give(call, wr_alloc(t, 1));
    wr_assert(t, number_of < 64);
    ++*alive;
}

static void do_return(wr_case *t, wr_call *call)
{
    unsigned long *alive = wr_model(call);
    wr_assert(t, wr_handle(call, 0) != NULL);
    --*alive;
}

static const wr_kind    TICKET = { "ticket", .handle = true };
static const wr_command TICKETS[] = {
    { "ticket", do_ticket, .gives = &TICKET, .weight = 3 },
    { "back", do_return, .takes = { &TICKET }, .consumes = 1u },
    { 0 },
};
WR_MACHINE(many_tickets, .commands = TICKETS, .model_size = sizeof(unsigned long), .calls = 1000);

static void do_count_up(wr_case *t, wr_call *call)
{
    wr_assert(t, ++*(int *)wr_model(call) < 300);
}

static const wr_command COUNTING[] = {
    { "a_call_whose_name_is_longer_than_that_of_most_functions", do_count_up, .weight = 1 },
    { 0 },
};
WR_MACHINE(counts_far, .commands = COUNTING, .model_size = sizeof(int), .calls = 1000);

/* Three calls of thousands matter. */
static const wr_kind PLACE = { "place", .values = 3000 };

static void do_step_on(wr_case *t, wr_call *call)
{
    int *stage = wr_model(call);
    (void)t;
    if (wr_value(call, 0) == (*stage == 0 ? 1234 : 777) && *stage < 2)
        ++*stage;
}

static void do_look_at(wr_case *t, wr_call *call)
{
    wr_assert(t, *(int *)wr_model(call) < 2 || wr_value(call, 0) != 2221);
}

static const wr_command LONG_WAY[] = {
    { .name = "step_on", .call = do_step_on, .takes = { &PLACE } },
    { .name = "look_at", .call = do_look_at, .takes = { &PLACE }, .observer = true },
    { 0 },
};
WR_MACHINE(long_way, .commands = LONG_WAY, .model_size = sizeof(int));

/* The same with handles: a thing is broken by one call of thousands, and used long after. */
static void do_break(wr_case *t, wr_call *call)
{
    (void)t;
    if (wr_value(call, 1) == 1234)
        *(int *)wr_handle(call, 0) = 1;
}

static void do_use(wr_case *t, wr_call *call)
{
    wr_assert(t, *(int *)wr_handle(call, 0) == 0 || wr_value(call, 1) != 777);
}

static void do_make_thing(wr_case *t, wr_call *call)
{
    wr_give(call, wr_alloc(t, sizeof(int)));
}

static void do_leave_thing(wr_case *t, wr_call *call)
{
    (void)t, (void)call;
}

static const wr_command LONG_USE[] = {
    { .name = "make", .call = do_make_thing, .gives = &TICKET },
    { .name = "touch", .call = do_break, .takes = { &TICKET, &PLACE }, .weight = 3 },
    { .name = "apply", .call = do_use, .takes = { &TICKET, &PLACE }, .weight = 3 },
    { .name = "leave", .call = do_leave_thing, .takes = { &TICKET }, .consumes = 1u },
    { 0 },
};
WR_MACHINE(long_use, .commands = LONG_USE);

/* A command that gives nothing now and then; a sequence that comes to its end. */
static void do_try(wr_case *t, wr_call *call)
{
    int *left = wr_model(call);
    wr_assert(t, *left > 0);
    --*left;
    wr_give(call, *left % 2 == 0 ? wr_alloc(t, 1) : NULL);
}

static void start_left(wr_case *t, void *state)
{
    (void)t;
    *(int *)state = 6;
}

static bool some_left(const wr_call *call)
{
    return *(const int *)wr_model(call) > 0;
}

static void do_nothing(wr_case *t, wr_call *call)
{
    wr_assert(t, wr_handle(call, 0) != NULL);
}

static bool never(const wr_call *call)
{
    return wr_value(call, 0) < 0;
}

static const wr_command ENDING[] = {
    { "attempt", do_try, .gives = &TICKET, .when = some_left },
    { "use_up", do_nothing, .takes = { &TICKET }, .consumes = 1u },
    { "impossible", do_nothing, .takes = { &DIGIT }, .when = never },
    { 0 },
};
WR_MACHINE(comes_to_its_end, .commands = ENDING, .model_size = sizeof(int), .start = start_left);

/* ---- What depends on earlier cases ---- */

static void do_count_all(wr_case *t, wr_call *call)
{
    static int all;
    (void)call;
    wr_assert(t, ++all != 500);
}

static const wr_command NOT_APART[] = { { .name = "count_all", .call = do_count_all }, { 0 } };
WR_MACHINE(depends_on_earlier_cases, .commands = NOT_APART);

/* ---- One assertion, and two ways to it ---- */

static void do_set_out(wr_case *t, wr_call *call)
{
    (void)t;
    *(int *)wr_model(call) |= 1;
}

static void do_look_away(wr_case *t, wr_call *call)
{
    (void)t;
    *(int *)wr_model(call) |= 2;
}

static void do_walk(wr_case *t, wr_call *call)
{
    wr_assert(t, *(int *)wr_model(call) == 0);
}

static const wr_command WALKING[] = {
    { .name = "set_out", .call = do_set_out },
    { .name = "look_away", .call = do_look_away },
    { .name = "walk", .call = do_walk },
    { 0 },
};
WR_MACHINE(two_ways_to_fall, .commands = WALKING, .model_size = sizeof(int));

/* ---- One bug that no rule can say: users of a thing that are counted wrongly, so that very many
 * sequences make it ---- */

typedef struct thing {
    int users, marks;
} thing;

static const wr_kind USE = { "use", .handle = true };

static void do_make(wr_case *t, wr_call *call)
{
    thing *made = wr_alloc(t, sizeof *made);
    *made = (thing){ .users = 1 };
    wr_give(call, made);
}

static void do_join(wr_case *t, wr_call *call)
{
    thing *joined = wr_handle(call, 0);
    (void)t;
    joined->users++;
    wr_give(call, joined);
}

static void do_leave(wr_case *t, wr_call *call)
{
    thing *left = wr_handle(call, 0);
    (void)t;
    left->users -= left->marks > 1 ? 2 : 1; /* wrong */
}

static void do_mark(wr_case *t, wr_call *call)
{
    thing *marked = wr_handle(call, 0);
    wr_assert(t, marked->users > 0);
    marked->marks++;
}

static const wr_command SHARING[] = {
    { .name = "make", .call = do_make, .gives = &USE },
    { .name = "join", .call = do_join, .takes = { &USE }, .gives = &USE },
    { .name = "leave", .call = do_leave, .takes = { &USE }, .consumes = 1u << 0 },
    { .name = "mark", .call = do_mark, .takes = { &USE } },
    { 0 },
};
WR_MACHINE(counts_users_wrongly, .commands = SHARING, .model_size = sizeof(int));

/* ---- Three that are alike, one of which is called once more ---- */

typedef struct seats {
    int taken;
} seats;

static void do_enter(wr_case *t, wr_call *call)
{
    wr_give(call, wr_alloc(t, sizeof(int)));
}

static void do_sit(wr_case *t, wr_call *call)
{
    int *sits = wr_handle(call, 0);
    (void)t;
    ((seats *)wr_model(call))->taken += !*sits;
    *sits = 1;
}

static void do_speak(wr_case *t, wr_call *call)
{
    const int *sits = wr_handle(call, 0);
    wr_assert(t, !*sits || ((seats *)wr_model(call))->taken != 3);
}

static const wr_kind    GUEST = { "guest", .handle = true };
static const wr_command TABLE[] = {
    { .name = "enter", .call = do_enter, .gives = &GUEST },
    { .name = "sit", .call = do_sit, .takes = { &GUEST } },
    { .name = "speak", .call = do_speak, .takes = { &GUEST } },
    { 0 },
};
WR_MACHINE(three_at_a_table, .commands = TABLE, .model_size = sizeof(seats));

/* ---- A ring of 16 bytes, of which the last is lost when more than two are put in from its start
 * ---- */

typedef struct packet {
    size_t   count;
    uint8_t *bytes;
} packet;

typedef struct ring {
    unsigned char bytes[16], right[16];
    size_t        from, count;
} ring;

static int64_t draw_packet(wr_case *t)
{
    packet *drawn = wr_alloc(t, sizeof *drawn);
    drawn->count = wr_size(t, NULL, 0, 12);
    drawn->bytes = wr_bytes(t, NULL, drawn->count);
    return (int64_t)(intptr_t)drawn;
}

static void show_packet(wr_out *out, int64_t value)
{
    wr_put(out, "%zu bytes", ((const packet *)(intptr_t)value)->count);
}

static int64_t draw_amount(wr_case *t)
{
    return wr_int(t, NULL, 1, 12);
}

static bool has_room(const wr_call *call)
{
    return ((const ring *)wr_model(call))->count + ((const packet *)wr_pointer(call, 0))->count <=
           16;
}

static bool has_as_much(const wr_call *call)
{
    return (size_t)wr_value(call, 0) <= ((const ring *)wr_model(call))->count;
}

static void do_put(wr_case *t, wr_call *call)
{
    ring         *r = wr_model(call);
    const packet *put = wr_pointer(call, 0);
    size_t at = (r->from + r->count) % 16, first = put->count < 16 - at ? put->count : 16 - at;
    size_t rest = put->count - first;
    (void)t;
    for (size_t i = 0; i < put->count; i++) {
        r->right[r->count++] = put->bytes[i];
        if (i < first || rest <= 2 || i + 1 < put->count)
            r->bytes[(at + i) % 16] = put->bytes[i];
    }
}

static void do_get(wr_case *t, wr_call *call)
{
    ring  *r = wr_model(call);
    size_t count = (size_t)wr_value(call, 0);
    for (size_t i = 0; i < count; i++)
        wr_assert(t, r->bytes[(r->from + i) % 16] == r->right[i]);
    r->from = (r->from + count) % 16;
    r->count -= count;
    memmove(r->right, r->right + count, r->count);
}

static const wr_kind    PACKET = { "packet", .draw = draw_packet, .show = show_packet };
static const wr_kind    AMOUNT = { "amount", .draw = draw_amount };
static const wr_command RING[] = {
    { .name = "put", .call = do_put, .takes = { &PACKET }, .when = has_room },
    { .name = "get", .call = do_get, .takes = { &AMOUNT }, .when = has_as_much },
    { 0 },
};
WR_MACHINE(ring_loses_a_byte, .commands = RING, .model_size = sizeof(ring));

/* ---- Calls that others count, too: a byte each in the file CALLS ---- */

static void note_call(void)
{
    int noted = open("CALLS", O_WRONLY | O_APPEND);
    if (noted < 0)
        return;
    if (write(noted, ".", 1) != 1)
        abort();
    close(noted);
}

static void do_fill(wr_case *t, wr_call *call)
{
    note_call();
    wr_assert(t, ++*(int *)wr_model(call) != 3);
}

static void do_drain(wr_case *t, wr_call *call)
{
    (void)t;
    note_call();
    *(int *)wr_model(call) = 0;
}

static const wr_command TANK[] = {
    { .name = "fill", .call = do_fill },
    { .name = "drain", .call = do_drain },
    { 0 },
};
WR_MACHINE(tank, .commands = TANK, .model_size = sizeof(int));

static const wr_command DRAIN[] = { { .name = "drain", .call = do_drain }, { 0 } };
WR_MACHINE(empty_tank, .commands = DRAIN, .model_size = sizeof(int));

/* ---- A model that owns memory, and observers that are left half-way ---- */

typedef struct shelf {
    int *books; /* how many: its own, so that a copy that is not freed is a leak */
} shelf;

static void start_shelf(wr_case *t, void *of)
{
    (void)t;
    ((shelf *)of)->books = calloc(1, sizeof(int));
}

static void copy_shelf(void *to, const void *from)
{
    int *books = ((shelf *)to)->books = malloc(sizeof *books);
    *books = *((const shelf *)from)->books;
}

static void free_shelf(void *of)
{
    free(((shelf *)of)->books);
}

static bool equal_shelves(const void *a, const void *b)
{
    return *((const shelf *)a)->books == *((const shelf *)b)->books;
}

static void do_shelve(wr_case *t, wr_call *call)
{
    (void)t;
    ++*((shelf *)wr_model(call))->books;
}

static void do_count_books(wr_case *t, wr_call *call)
{
    int books = *((shelf *)wr_model(call))->books;
    wr_assume(t, books < 9);
    wr_assert(t, books < 3 || wr_value(call, 0) != 7);
}

static const wr_kind    READER = { "reader", .values = 9 };
static const wr_command SHELF[] = {
    { .name = "put", .call = do_shelve },
    { .name = "count", .call = do_count_books, .takes = { &READER }, .observer = true },
    { 0 },
};
WR_MACHINE(counts_books, .commands = SHELF, .model_size = sizeof(shelf), .start = start_shelf,
           .copy = copy_shelf, .free = free_shelf, .equal = equal_shelves);

static void stop_shelf(wr_case *t, void *of)
{
    wr_assert(t, *((shelf *)of)->books != 2);
}

WR_MACHINE(ends_with_two_books, .commands = SHELF, .model_size = sizeof(shelf),
           .start = start_shelf, .stop = stop_shelf, .copy = copy_shelf, .free = free_shelf,
           .equal = equal_shelves);

/* ---- Commands that nothing makes callable ---- */

static void give_nothing(wr_case *t, wr_call *call)
{
    (void)t, (void)call;
}

static bool at_no_time(const wr_call *call)
{
    (void)call;
    return false;
}

static const wr_command CLOSED[] = {
    { .name = "knock", .call = give_nothing, .when = at_no_time },
    { 0 },
};
WR_MACHINE(lets_nobody_in, .commands = CLOSED);

static const wr_command HALF_OPEN[] = {
    { .name = "come_in", .call = give_nothing, .weight = 1 },
    { .name = "wait_outside", .call = give_nothing, .when = at_no_time },
    { 0 },
};
WR_MACHINE(keeps_one_out, .commands = HALF_OPEN);

static const wr_kind    GIFT = { "gift", .handle = true };
static const wr_command PROMISES[] = {
    { .name = "promise", .call = give_nothing, .gives = &GIFT, .weight = 1000 },
    { .name = "unwrap", .call = give_nothing, .takes = { &GIFT }, .weight = 1000 },
    { .name = "thank", .call = give_nothing, .takes = { &GIFT }, .weight = 1000 },
    { .name = "forget",
      .call = give_nothing,
      .when = at_no_time }, /* seldom enough to be chance */
    { 0 },
};
WR_MACHINE(promises_and_gives_nothing, .commands = PROMISES);

/* ---- Values that are said to be alike, and are added up ---- */

static void do_add_up(wr_case *t, wr_call *call)
{
    int *sum = wr_model(call);
    *sum += (int)wr_value(call, 0);
    wr_assert(t, *sum < 7);
}

static const wr_kind    LENGTH = { "length", .values = 5, .symmetric = true };
static const wr_command LENGTHS[] = {
    { .name = "add_up", .call = do_add_up, .takes = { &LENGTH } },
    { 0 },
};
WR_MACHINE(lengths_are_no_names, .commands = LENGTHS, .model_size = sizeof(int));

/* ---- Two bugs of one place, one of them at a time: the one that the variable BROKEN names ----
 */

static void do_press_button(wr_case *t, wr_call *call)
{
    int *pressed = wr_model(call);
    (void)t;
    pressed[0]++;
}

static void do_turn(wr_case *t, wr_call *call)
{
    int *turned = wr_model(call);
    (void)t;
    turned[1]++;
}

static void do_light(wr_case *t, wr_call *call)
{
    const int  *done = wr_model(call);
    const char *broken = getenv("BROKEN");
    bool dark = broken != NULL && (strcmp(broken, "button") == 0 ? done[0] > 1 : done[1] > 2);
    wr_assert(t, !dark);
}

static const wr_command LAMP[] = {
    { .name = "press", .call = do_press_button },
    { .name = "turn", .call = do_turn },
    { .name = "light", .call = do_light, .observer = true },
    { 0 },
};
WR_MACHINE(lamp, .commands = LAMP, .model_size = 2 * sizeof(int));

/* ---- One bug, and a way of it that is too long for a rule ---- */

typedef struct box {
    int  items;
    bool shut;
} box;

static void do_put_in(wr_case *t, wr_call *call)
{
    box *filled = wr_model(call);
    (void)t;
    filled->items++;
    filled->shut = false;
}

static void do_shut_box(wr_case *t, wr_call *call)
{
    box *closed = wr_model(call);
    (void)t;
    closed->shut = true;
}

static void do_lift_box(wr_case *t, wr_call *call)
{
    const box *lifted = wr_model(call);
    wr_assert(t, lifted->items < (lifted->shut ? 36 : 5));
}

static const wr_command BOX[] = {
    { .name = "fill", .call = do_put_in, .weight = 8 },
    { .name = "shut", .call = do_shut_box, .weight = 2 },
    { .name = "lift", .call = do_lift_box, .observer = true },
    { 0 },
};
WR_MACHINE(box_breaks, .commands = BOX, .model_size = sizeof(box));

/* ---- Three bugs of one place and, where BROKEN is "twice", ways of them that undo what undoes
 * them ---- */

typedef struct switches {
    bool on;
    int  resets;
} switches;

static void do_switch(wr_case *t, wr_call *call)
{
    (void)t;
    *(switches *)wr_model(call) = (switches){ .on = true };
}

static void do_reset(wr_case *t, wr_call *call)
{
    switches *reset = wr_model(call);
    (void)t;
    reset->resets++;
}

static void do_glow(wr_case *t, wr_call *call)
{
    const switches *now = wr_model(call);
    bool            twice = getenv("BROKEN") != NULL && strcmp(getenv("BROKEN"), "twice") == 0;
    wr_assert(t, !now->on || (now->resets > 0 && !(twice && now->resets == 2)));
}

static const wr_command SWITCHES[] = {
    { .name = "left", .call = do_switch },
    { .name = "middle", .call = do_switch },
    { .name = "right", .call = do_switch },
    { .name = "reset", .call = do_reset },
    { .name = "glow", .call = do_glow, .observer = true },
    { 0 },
};
WR_MACHINE(three_switches, .commands = SWITCHES, .model_size = sizeof(switches));

/* ---- States that tell too little, too much, and just enough ---- */

static void do_nothing_at_all(wr_case *t, wr_call *call)
{
    (void)t, (void)call;
}

static const wr_command STATELESS[] = {
    { "left", do_nothing_at_all, .takes = { &DIGIT } },
    { "right", do_nothing_at_all, .takes = { &DIGIT } },
    { 0 },
};
WR_MACHINE(has_one_state, .commands = STATELESS);

static void do_touch(wr_case *t, wr_call *call)
{
    static int64_t touched;
    (void)t;
    *(int64_t *)wr_model(call) = ++touched; /* as an address, another one each time */
}

static const wr_command TOUCHING[] = { { "touch", do_touch, .takes = { &DIGIT } }, { 0 } };
WR_MACHINE(has_a_state_each, .commands = TOUCHING, .model_size = sizeof(int64_t));

static uint64_t hash_steps(const void *handle)
{
    return (uint64_t) * (const int *)handle;
}

static bool equal_steps(const void *a, const void *b)
{
    return *(const int *)a == *(const int *)b;
}

static const wr_kind STAIRS = { "stairs", .handle = true, .release = free, .hash = hash_steps,
                                .equal = equal_steps };

static void do_stairs(wr_case *t, wr_call *call)
{
    (void)t;
    wr_give(call, calloc(1, sizeof(int)));
}

static void do_climb(wr_case *t, wr_call *call)
{
    int *steps = wr_handle(call, 0);
    wr_assert_lt(t, *steps, 7);
    *steps = wr_value(call, 1) == 3 ? *steps + 1 : 0;
}

static const wr_command CLIMBING[] = {
    { "stairs", do_stairs, .gives = &STAIRS },
    { "climb", do_climb, .takes = { &STAIRS, &DIGIT } },
    { 0 },
};
WR_MACHINE(handles_are_the_state, .commands = CLIMBING);

/* ---- Functions of kinds that fail ---- */

static void show_by_crashing(wr_out *out, int64_t value)
{
    (void)out, (void)value;
    abort();
}

static int64_t abstract_by_crashing(int64_t value)
{
    (void)value;
    abort();
}

static bool allow_by_crashing(const wr_call *call)
{
    (void)call;
    abort();
}

static void do_count_to_six(wr_case *t, wr_call *call)
{
    int *count = wr_model(call);
    wr_assert_lt(t, ++*count, 6);
}

static const wr_kind    UNSHOWN = { "unshown", .values = 5, .show = show_by_crashing };
static const wr_kind    UNSEEN = { "unseen", .values = 5, .abstract = abstract_by_crashing };
static const wr_command UNSHOWN_CALLS[] = { { "step", do_count_to_six, .takes = { &UNSHOWN } },
                                            { 0 } };
static const wr_command UNSEEN_CALLS[] = { { "step", do_count_to_six, .takes = { &UNSEEN } },
                                           { 0 } };
static const wr_command UNASKED_CALLS[] = {
    { "step", do_count_to_six, .when = allow_by_crashing }, { 0 }
};
WR_MACHINE(calls_that_cannot_be_shown, .commands = UNSHOWN_CALLS, .model_size = sizeof(int));
WR_MACHINE(values_that_cannot_be_abstract, .commands = UNSEEN_CALLS, .model_size = sizeof(int));
WR_MACHINE(commands_that_cannot_be_asked, .commands = UNASKED_CALLS, .model_size = sizeof(int));

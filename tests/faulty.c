/* tests/faulty.c: properties and machines whose calls fail. faults_test runs them. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <warren.h>
#include <warren/faults.h>

static const wr_fault_options ALL_IO = { .which = WR_FAULT_OPEN | WR_FAULT_SHORT |
                                                  WR_FAULT_EINTR | WR_FAULT_NO_SPACE |
                                                  WR_FAULT_SYNC };
static const wr_fault_options LASTING = { .lasting = true };
static const wr_fault_options TWO = { .most = 2 };
static const wr_fault_options CLOCK = { .which = WR_FAULT_CLOCK, .most = 2 };

/* Allocates n times; returns which of them failed, a bit for each. */
static unsigned failing(unsigned n)
{
    unsigned bits = 0;
    for (unsigned i = 0; i < n; i++) {
        void *volatile block = i % 2 == 0 ? malloc(8) : (void *)strdup("a");
        bits |= (unsigned)(block == NULL) << i;
        free(block);
    }
    return bits;
}

WR_PROPERTY(one_of_six)
{
    wr_faults(t, "fault", NULL);
    unsigned bits = failing(6);
    wr_faults_end(t);
    wr_assert(t, (bits & (bits - 1)) == 0);
    wr_assert_eq(t, wr_faulted(t), bits != 0);
    wr_assert_eq(t, failing(6), 0);
    wr_cover(t, bits == 1u << 0, 5, "first");
    wr_cover(t, bits == 1u << 5, 5, "last");
}

WR_PROPERTY(the_fifth_matters)
{
    unsigned n = (unsigned)wr_size(t, "n", 0, 8);
    wr_faults(t, "fault", NULL);
    unsigned bits = failing(n);
    wr_faults_end(t);
    wr_assert(t, bits != 1u << 4);
}

WR_PROPERTY(all_from_one_on)
{
    wr_faults(t, "fault", &LASTING);
    unsigned bits = failing(6);
    wr_faults_end(t);
    wr_assert(t, bits == 0 || bits == (63u & ~((bits & -bits) - 1)));
}

WR_PROPERTY(up_to_two)
{
    wr_faults(t, "fault", &TWO);
    unsigned bits = failing(4);
    wr_faults_end(t);
    wr_assert(t, __builtin_popcount(bits) <= 2);
    wr_sometimes(t, __builtin_popcount(bits) == 2, "two");
}

/* What Warren allocates, and the C library, does not count. */
WR_PROPERTY(only_own_calls)
{
    wr_faults(t, "fault", NULL);
    void *volatile first = malloc(1);
    for (int i = 0; i < 4; i++) {
        wr_label(t, "label %d", i);
        wr_alloc(t, 100000);
        free(wr_malloced(t, NULL, 0));
        wr_int(t, NULL, 0, 9);
    }
    wr_tempdir(t);
    char *volatile text = NULL;
    if (asprintf((char **)(uintptr_t)&text, "%0500d", 1) < 0)
        text = NULL;
    wr_faults_end(t);
    wr_assert(t, first != NULL || text != NULL);
    wr_cover(t, first == NULL, 20, "the first");
    wr_cover(t, text == NULL, 20, "the second");
    free(first);
    free(text);
}

/* Every sort that ALL_IO names comes up, with its errno. */
WR_PROPERTY(reasons)
{
    const char *path = wr_format(t, "%s/file", wr_tempdir(t));
    bool        short_write = false;
    int         why = 0;
    wr_faults(t, "fault", &ALL_IO);
    errno = 0;
    int file = open(path, O_CREAT | O_RDWR, 0600);
    why = file < 0 ? errno : why;
    if (file >= 0) {
        ssize_t put = write(file, "abc", 3);
        why = put < 0 ? errno : why;
        short_write = put == 1;
        why = fsync(file) != 0 ? errno : why;
        close(file);
    }
    wr_faults_end(t);
    wr_assert_eq(t, wr_faulted(t), short_write || why != 0);
    wr_sometimes(t, why == EMFILE, "EMFILE");
    wr_sometimes(t, why == EINTR, "EINTR");
    wr_sometimes(t, why == ENOSPC, "ENOSPC");
    wr_sometimes(t, why == EIO, "EIO");
    wr_sometimes(t, short_write, "short");
}

WR_PROPERTY(an_hour_there_and_back)
{
    time_t at[4];
    wr_faults(t, "fault", &CLOCK);
    for (int i = 0; i < 4; i++)
        at[i] = time(NULL);
    wr_faults_end(t);
    for (int i = 1; i < 4; i++) {
        long step = (long)(at[i] - at[i - 1]);
        wr_assert(t, (step >= -3600 && step < -3500) || (step >= 0 && step < 100) ||
                         (step >= 3600 && step < 3700));
        wr_sometimes(t, step < 0, "back");
        wr_sometimes(t, step > 3000, "there");
    }
}

/* One of three ways in which read() can fail. */
static const wr_fault_options READS = { .which = WR_FAULT_SHORT | WR_FAULT_EINTR | WR_FAULT_IO };
WR_PROPERTY(the_third_way_matters)
{
    char bytes[8];
    int  file = open("/dev/zero", O_RDONLY);
    wr_faults(t, "fault", &READS);
    bool bad = read(file, bytes, sizeof bytes) < 0 && errno == EIO;
    wr_faults_end(t);
    close(file);
    wr_assert(t, !bad);
}

/* A clock that is an hour ahead in one case is right when the next one begins. */
WR_PROPERTY(each_begins_on_time)
{
    struct timespec real;
    wr_int(t, "n", 0, 20);
    wr_faults(t, "fault", &CLOCK);
    time_t first = time(NULL);
    syscall(SYS_clock_gettime, CLOCK_REALTIME, &real);
    bool ahead = first - real.tv_sec > 1800;
    time(NULL);
    wr_faults_end(t);
    wr_assert(t, !ahead || wr_faulted(t));
}

/* Streams that are never closed are more than a case remembers. */
static const wr_fault_options BROKEN = { .which = WR_FAULT_IO };
WR_PROPERTY(each_stream_is_new)
{
    static FILE    *kept[40];
    static unsigned next;
    static char     text[] = "abc";
    char            line[8];
    FILE          **file = &kept[next++ % 40];
    *file = *file == NULL ? fmemopen(text, sizeof text, "r") : *file;
    rewind(*file);
    wr_assert(t, ferror(*file) == 0);
    wr_faults(t, "fault", &BROKEN);
    bool got = fgets(line, sizeof line, *file) != NULL, bad = ferror(*file) != 0;
    wr_faults_end(t);
    wr_assert_eq(t, bad, !got);
}

/* A stream whose write failed says so. */
static const wr_fault_options DISK = { .which = WR_FAULT_NO_SPACE };
WR_PROPERTY(streams_know)
{
    FILE *file = fopen(wr_format(t, "%s/file", wr_tempdir(t)), "w");
    wr_faults(t, "fault", &DISK);
    bool put = fputs("abc", file) >= 0, bad = ferror(file) != 0;
    wr_assert_eq(t, bad, !put);
    bool closed = fclose(file) == 0;
    wr_faults_end(t);
    wr_assert_eq(t, put && closed, !wr_faulted(t));
}

/* What is allocated once shifts no number. */
WR_PROPERTY(lazily)
{
    static void *volatile kept;
    unsigned n = (unsigned)wr_size(t, "n", 0, 4);
    wr_faults(t, "fault", NULL);
    if (kept == NULL)
        kept = malloc(8);
    unsigned bits = failing(n);
    wr_faults_end(t);
    wr_assert(t, bits != 1u << 2);
}

WR_PROPERTY_WITH(by_option, .faults = &TWO)
{
    void *volatile block = malloc(1);
    wr_assert(t, block != NULL);
    free(block);
}

WR_PROPERTY(leaks_when_it_fails)
{
    wr_faults(t, "fault", NULL);
    void *volatile first = malloc(40), *volatile second = malloc(50);
    if (second == NULL)
        first = NULL;
    wr_faults_end(t);
    free(first);
    free(second);
}

/* ---- A machine: a stack that breaks when it cannot grow ---- */

typedef struct stack {
    char **items;
    size_t used, room;
    bool   broken;
} stack;

static void free_stack(void *pointer)
{
    stack *s = pointer;
    for (size_t i = 0; i < s->used; i++)
        free(s->items[i]);
    free(s->items);
    free(s);
}

static void do_make(wr_case *t, wr_call *call)
{
    stack *made = calloc(1, sizeof *made);
    wr_assert(t, made != NULL || wr_faulted(t));
    wr_give(call, made);
}

static void do_push(wr_case *t, wr_call *call)
{
    stack *s = wr_handle(call, 0);
    if (s->used == s->room) {
        char **more = realloc(s->items, (s->room + 2) * sizeof *more);
        if (more == NULL) {
            wr_assert(t, wr_faulted(t));
            if (wr_value(call, 1) == 3)
                s->broken = true;
            return;
        }
        s->items = more;
        s->room += 2;
    }
    char *text = strdup("a");
    if (text != NULL)
        s->items[s->used++] = text;
    wr_assert(t, text != NULL || wr_faulted(t));
}

static void check_stack(wr_case *t, wr_call *call)
{
    const stack *s = wr_handle(call, 0);
    wr_assert(t, !s->broken);
}

static const wr_kind    STACK = { "stack", .handle = true, .type = "stack *",
                                  .release = free_stack };
static const wr_kind    VALUE = { "value", .values = 6 };
static const wr_command COMMANDS[] = {
    { "make", do_make, .gives = &STACK },
    { "push", do_push, .takes = { &STACK, &VALUE } },
    { "check", check_stack, .takes = { &STACK }, .no_faults = true },
    { 0 },
};
static const wr_fault_options MEMORY = { .within = 3 };
WR_MACHINE(stacks, .commands = COMMANDS, .faults = &MEMORY);

/* ---- Misuse ---- */

WR_PROPERTY(misuse_twice)
{
    wr_faults(t, "fault", NULL);
    wr_faults(t, "fault", NULL);
}

WR_PROPERTY(misuse_end)
{
    (void)wr_bool(t, "b");
    wr_faults_end(t);
}

static const wr_fault_options WRONG = { .which = 1u << 30 };
WR_PROPERTY(misuse_which)
{
    wr_faults(t, "fault", &WRONG);
}

static const wr_fault_options MANY = { .most = 9 };
WR_PROPERTY(misuse_most)
{
    wr_faults(t, "fault", &MANY);
}

static const wr_fault_options FAR = { .within = 64 };
WR_MACHINE(misuse_within, .commands = COMMANDS, .faults = &FAR);
WR_MACHINE(misuse_options, .commands = COMMANDS, .options = { .faults = &TWO });

static void do_faults(wr_case *t, wr_call *call)
{
    (void)call;
    wr_faults(t, "fault", NULL);
}
static const wr_command IN_CALL[] = { { "call", do_faults, .weight = 1 }, { 0 } };
WR_MACHINE(misuse_in_call, .commands = IN_CALL, .faults = &MEMORY);

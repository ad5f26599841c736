/* faults/window.c: from wr_faults() to wr_faults_end(): which call fails.
 *
 * A fault is a number: that of the call, counted from 1, among all calls that can fail in a way
 * that was asked for. If it can fail in several ways, another draw says how, when it is made. So
 * a case without a fault makes no such draw, and no number stands for a call that is not there.
 */
#include "faults/faults.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/walk.h"
#include "gen/example.h"
#include "gen/show.h"

const wri_fault_sort wri_fault_sorts[WRI_FAULT_SORTS] = {
    { "memory", "allocation", "fails", ENOMEM, true },
    { "open", "open", "fails", EMFILE, true },
    { "short", "transfer", "is short", 0, false },
    { "interrupted", "wait", "is interrupted", EINTR, false },
    { "again", "transfer", "would block", EAGAIN, false },
    { "no space", "write", "finds no space", ENOSPC, true },
    { "io", "read", "fails", EIO, true },
    { "sync", "sync", "fails", EIO, true },
    { "thread", "thread", "does not start", EAGAIN, true },
    { "clock", "look at a clock", "is an hour off", 0, false },
};

#define HOUR 3600
/* Windows of a case whose calls are counted for a second pass. */
#define WINDOWS 32

typedef enum { WARMING, COUNTING, FAILING } pass;

static struct {
    const wr_case   *t;
    wri_faults_terms terms;
    uint64_t         calls, next, after; /* so far; the one that fails; counted from here */
    unsigned         failed;             /* calls that failed in this window */
    int              lasting;            /* the sort that goes on failing; negative: none */
    bool             open;
    int64_t          clock; /* seconds that clocks are ahead */
    /* Where the log has the choice of the next fault; and a walk, plus one. NULL, 0: nowhere. */
    wri_record *record;
    uint32_t    node;
    size_t      step;

    pass        pass;
    bool        counts;
    const void *warm;                    /* the property that this process has run; or NULL */
    bool        skipped;                 /* a pass left out a fault */
    uint64_t    counted[WINDOWS], total; /* calls of each window, in the pass that counts */
    unsigned    windows;                 /* that were opened in this pass */
    uint64_t    aim;                     /* of all those calls, from 0 */
} now = { .lasting = -1 };

/* ---- In words ---- */

static const char *ending(uint64_t number)
{
    static const char *const ENDINGS[] = { "th", "st", "nd", "rd" };
    uint64_t                 last = number % 10;
    return last > 3 || number / 10 % 10 == 1 ? "th" : ENDINGS[last];
}

const char *wri_faults_hindered(uint32_t which)
{
    static char text[256];
    if (!wri_hooks_planted())
        return "no file of the program includes <warren/faults.h>, or it runs on another "
               "processor than x86-64 and aarch64";
    wri_hooks_prepare();
    const char *missing = wri_hooks_missing(which);
    if (missing == NULL)
        return NULL;
    snprintf(text, sizeof text,
             "calls of %s() do not come to Warren: link the program dynamically, and without a "
             "%s() of its own",
             missing, missing);
    return text;
}

/* ---- The window ---- */

void wri_faults_open(wr_case *t, const wri_faults_terms *terms, uint64_t first)
{
    atomic_fetch_or(&t->called, WRI_CALLED_FAULTS);
    now.t = t;
    now.terms = *terms;
    now.calls = now.after = 0;
    now.next = now.pass == WARMING ? 0 : first;
    now.skipped |= now.next != first;
    now.failed = 0;
    now.lasting = -1;
    now.open = true;
    wri_case_faulty = true;
}

bool wri_faults_is_open(void)
{
    return now.open;
}

void wri_faults_note_choice(const wr_case *t, bool corrected)
{
    now.step = t->walk == NULL ? 0 : t->walk->made;
    now.record = corrected && t->walk == NULL ? t->next - 1 : NULL;
    now.node = t->trace == NULL ? WRI_NO_NODE : wri_case_last_node(t);
}

static void forget_choice(void)
{
    now.step = 0;
    now.record = NULL;
}

/* A fault past the end is none, and so are all larger ones. The latter is known if the calls do
 * not depend on later draws. */
static void limit_walk(wri_walk *walk)
{
    wri_step *step = &walk->steps[now.step - 1];
    uint64_t  calls = now.calls - now.after;
    uint64_t  left = calls > step->at ? calls - step->at : 0;
    if (walk->made == now.step && !step->masked && step->left > left)
        step->left = left;
}

/* The window closes, and the last fault that was drawn is past the end of the calls, or none. */
static void settle_choice(const wr_case *t)
{
    if (now.step != 0 && t->walk != NULL)
        limit_walk(t->walk);
    if (now.record == NULL || now.record->number == 0)
        return;
    now.record->number = 0;
    if (now.node != WRI_NO_NODE)
        t->trace->nodes[now.node].number = t->trace->nodes[now.node].count = 0;
}

void wri_faults_close(wr_case *t)
{
    if (!now.open || now.t != t)
        return;
    wri_case_faulty = now.open = false;
    settle_choice(t);
    forget_choice();
    if (now.pass != COUNTING || now.windows == 0 || now.windows > WINDOWS)
        return;
    uint64_t calls = now.calls < now.terms.within ? now.calls : now.terms.within;
    now.counted[now.windows - 1] = calls;
    now.total += calls;
}

bool wri_faults_hit(const wr_case *t)
{
    return now.t == t && now.failed > 0;
}

void wri_faults_leave(void)
{
    wri_case_faulty = now.open = false;
}

void wri_faults_forget(void)
{
    wri_hooks_forget();
    now.clock = 0;
    now.failed = 0;
}

/* ---- Two passes ---- */

static void begin_pass(pass next)
{
    wri_case_faulty = now.open = now.skipped = false;
    wri_faults_forget();
    now.windows = 0;
    now.pass = next;
    if (next != FAILING)
        now.total = 0;
}

static pass first_pass(void)
{
    return now.warm == NULL ? WARMING : now.counts ? COUNTING : FAILING;
}

void wri_faults_begin(const void *property, bool counts, bool single)
{
    now.counts = counts;
    if (now.warm != property || single || !counts)
        now.warm = single || counts ? NULL : property;
    begin_pass(first_pass());
}

bool wri_faults_is_warm(void)
{
    return now.pass != WARMING;
}

bool wri_faults_has_more(bool jumped)
{
    if (now.pass == WARMING)
        return now.skipped || (now.windows > 0 && !jumped);
    return now.pass == COUNTING && now.total > 0 && !jumped;
}

/* The calls that fail in one case after the other are spread evenly: steps of the golden ratio.
 */
void wri_faults_next(const wr_case *t, const void *property, uint64_t seed, bool more)
{
    bool counted = now.pass == COUNTING;
    if (now.pass == WARMING && more)
        now.warm = property;
    if (more && counted)
        now.aim = wri_prng_scale(wri_prng_mix(seed) + t->index * UINT64_C(0x9e3779b97f4a7c15),
                                 now.total - 1);
    begin_pass(!more ? first_pass() : counted || !now.counts ? FAILING : COUNTING);
}

bool wri_faults_planned(uint64_t *number)
{
    uint64_t before = 0;
    *number = 0;
    if (!now.counts || now.open)
        return false;
    unsigned window = now.windows++;
    if (now.pass != FAILING || window >= WINDOWS)
        return true;
    for (unsigned i = 0; i < window; i++)
        before += now.counted[i];
    if (now.aim >= before && now.aim < before + now.counted[window])
        *number = now.aim - before + 1;
    return true;
}

/* ---- A call ---- */

/* In which of these ways? */
static int choose_way(wr_case *t, uint32_t ways)
{
    unsigned count = (unsigned)__builtin_popcount(ways);
    uint64_t which = 0;
    if (count > 1) {
        wri_request request = { .kind = WRI_INDEX, .max = count - 1, .name = "fault: how" };
        if (wri_example_given(t))
            wri_example_unsigned(t, request.name, 0, request.max);
        which = wri_case_choose(t, &request);
        if (now.terms.show == NULL)
            wri_show_unsigned(t, request.name, which);
    }
    while (which-- > 0)
        ways &= ways - 1;
    return __builtin_ctz(ways);
}

/* "the 2nd allocation fails: strdup()". Among calls that can fail in several ways it is "the 2nd
 * call". */
static void say(wr_case *t, int sort, const char *function)
{
    const wri_fault_sort *how = &wri_fault_sorts[sort];
    bool                  one = (now.terms.which & (now.terms.which - 1)) == 0;
    char                  text[128];
    if (!wri_case_showing(t))
        return;
    snprintf(text, sizeof text, "the %llu%s %s %s: %s()", (unsigned long long)now.calls,
             ending(now.calls), one ? how->noun : "call", how->verb, function);
    if (now.terms.show != NULL)
        now.terms.show(t, text);
    else
        wr_note(t, "%s", text);
}

/* The call fails, and perhaps a later one does. */
static int fail(wr_case *t, uint32_t ways, const char *function)
{
    int sort = choose_way(t, ways);
    now.failed++;
    forget_choice();
    now.lasting = now.terms.lasting && wri_fault_sorts[sort].lasts ? sort : -1;
    now.next = 0;
    now.after = now.calls;
    if (1 << sort == WR_FAULT_CLOCK)
        now.clock = now.clock == 0 ? HOUR : 0;
    say(t, sort, function);
    if (now.lasting < 0 && now.failed < now.terms.most && now.terms.draw != NULL) {
        uint64_t more = now.terms.draw(t, &now.terms);
        now.next = more == 0 ? 0 : now.calls + more;
    }
    return sort;
}

int wri_faults_meet(uint32_t sorts, const char *function, const void *caller)
{
    wr_case *t = wri_case_current_here;
    uint32_t ways = sorts & now.terms.which;
    if (ways == 0 || t == NULL || !now.open || now.t != t || !wri_hooks_foreign(caller))
        return -1;
    int sort = -1;
    now.calls++;
    wri_case_faulty = false;
    if (now.calls == now.next)
        sort = fail(t, ways, function);
    else if (now.lasting >= 0 && (ways >> now.lasting & 1) != 0)
        sort = now.lasting;
    if (sort >= 0) {
        wr_fault_here(function);
        errno = wri_fault_sorts[sort].error != 0 ? wri_fault_sorts[sort].error : errno;
    }
    wri_case_faulty = now.open;
    return sort;
}

int64_t wri_faults_clock(const void *caller)
{
    bool counts = now.clock != 0 && wri_case_current_here != NULL && wri_hooks_foreign(caller);
    return counts ? now.clock : 0;
}

__attribute__((noinline)) void wr_fault_here(const char *function)
{
    __asm__ volatile("" ::"r"(function) : "memory");
}

/* cover/oracle/solver.c: a small solver with clause learning.
 *
 * Each clause watches two literals; the lists of watchers run through the clauses themselves.
 * Learning stops at the first unique implication point. Restarts follow Luby's sequence. Learned
 * clauses that spread over many levels are dropped when they become many. Decisions come from a
 * list, with the variables of the latest conflicts first. There is no arithmetic on reals, so a
 * question takes the same steps everywhere. Literals that follow from the first assumptions of a
 * question stay for the next question that begins with the same ones.
 */
#include "cover/oracle/solver.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    NONE = UINT32_MAX,
    FIRST_ROOM = 1 << 12,
    RESTART_UNIT = 32,    /* conflicts */
    LEARNED_FIRST = 2000, /* clauses learned before the worse ones are dropped; from then on */
    LEARNED_MORE = 300,   /* so many more each time */
    KEPT_SPREAD = 2,      /* a clause over so few levels stays for good */
};

/* A clause: its head, then its literals. The first two are watched; next[i] goes on with the
 * clauses that watch literals[i]. A clause is known by where its head is. */
typedef struct clause {
    uint32_t size;
    uint32_t spread; /* learned: over how many levels; 0: from outside */
    uint32_t next[2];
    uint32_t literals[];
} clause;

enum { HEAD = sizeof(clause) / sizeof(uint32_t) };

/* A literal inside: variable * 2, and 1 more where it is negative. */
struct wrc_solver {
    uint32_t  variables, variable_room;
    uint32_t *pool; /* of clauses, one behind the other */
    size_t    pool_size, pool_room;
    size_t    learned, learned_limit;
    uint32_t *counted, count_of; /* of each level: the last count that met it */
    uint32_t *watch;             /* of each literal: the first clause that watches it */
    int8_t   *value;             /* of each literal: 1 true, -1 false, 0 open */
    bool     *phase;             /* of each variable: negative when last assigned */
    bool     *seen, *part; /* in the conflict looked at; in the failed assumptions (by literal) */
    uint32_t *touched, touched_size; /* the variables seen */
    uint32_t *level, *reason;
    uint32_t *before, *after;   /* the list of variables, latest conflict last */
    uint64_t *stamp, stamps;    /* ascending along the list */
    uint32_t  last, unassigned; /* no variable behind `unassigned` is open */
    uint32_t *trail, trail_size, propagated;
    uint32_t *limits, limit_count; /* where each decision's level begins on the trail */
    size_t   *made_by; /* of each level: the place of the assumption it decides; SIZE_MAX: none */
    int      *assumed; /* by the last question */
    size_t    assumed_count, assumed_room;
    uint32_t *lesson, lesson_size; /* the clause being learned */
    bool      broken;              /* contradictory without any assumption */
};

static uint32_t inside(int literal)
{
    uint32_t variable = (uint32_t)(literal < 0 ? -literal : literal) - 1;
    return variable * 2 + (literal < 0);
}

static clause *clause_at(wrc_solver *s, uint32_t at)
{
    return (clause *)(void *)&s->pool[at];
}

/* ---- Memory ---- */

void wrc_solver_close(wrc_solver *s)
{
    if (s == NULL)
        return;
    void *all[] = { s->pool,   s->watch,  s->value,   s->phase,   s->seen,    s->part,
                    s->level,  s->reason, s->before,  s->after,   s->stamp,   s->trail,
                    s->limits, s->lesson, s->touched, s->counted, s->made_by, s->assumed };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(all[i]);
    free(s);
}

wrc_solver *wrc_solver_open(void)
{
    wrc_solver *s = calloc(1, sizeof *s);
    if (s == NULL)
        return NULL;
    s->last = s->unassigned = NONE;
    s->learned_limit = LEARNED_FIRST;
    return s;
}

static bool widen(void *array, size_t element, size_t room)
{
    void *old, *wider;
    memcpy(&old, array, sizeof old);
    wider = realloc(old, element * room);
    if (wider == NULL)
        return false;
    memcpy(array, &wider, sizeof wider);
    return true;
}

/* Room for so many variables in everything that is held for each of them. */
static bool widen_variables(wrc_solver *s, uint32_t room)
{
    return widen(&s->watch, sizeof *s->watch, room * 2) &&
           widen(&s->value, sizeof *s->value, room * 2) &&
           widen(&s->part, sizeof *s->part, room * 2) &&
           widen(&s->phase, sizeof *s->phase, room) && widen(&s->seen, sizeof *s->seen, room) &&
           widen(&s->level, sizeof *s->level, room) &&
           widen(&s->reason, sizeof *s->reason, room) &&
           widen(&s->before, sizeof *s->before, room) &&
           widen(&s->after, sizeof *s->after, room) && widen(&s->stamp, sizeof *s->stamp, room) &&
           widen(&s->trail, sizeof *s->trail, room) &&
           widen(&s->limits, sizeof *s->limits, room + 1) &&
           widen(&s->made_by, sizeof *s->made_by, room + 1) &&
           widen(&s->lesson, sizeof *s->lesson, room + 1) &&
           widen(&s->touched, sizeof *s->touched, room) &&
           widen(&s->counted, sizeof *s->counted, room + 1);
}

static void append_variable(wrc_solver *s, uint32_t v)
{
    s->before[v] = s->last;
    s->after[v] = NONE;
    if (s->last != NONE)
        s->after[s->last] = v;
    s->last = s->unassigned = v;
    s->stamp[v] = ++s->stamps;
}

static bool know_variable(wrc_solver *s, uint32_t variable)
{
    if (variable >= s->variable_room) {
        uint32_t room = variable * 2 + 64;
        if (!widen_variables(s, room))
            return false;
        s->variable_room = room;
    }
    for (; s->variables <= variable; s->variables++) {
        uint32_t v = s->variables;
        s->watch[2 * v] = s->watch[2 * v + 1] = NONE;
        s->value[2 * v] = s->value[2 * v + 1] = 0;
        s->part[2 * v] = s->part[2 * v + 1] = s->seen[v] = false;
        s->phase[v] = true;
        s->reason[v] = NONE;
        s->counted[v] = s->counted[v + 1] = 0;
        append_variable(s, v);
    }
    return true;
}

/* Room for a clause, and behind it for one of all variables: a lesson that finds no other room.
 */
static bool room_for_clause(wrc_solver *s, size_t size)
{
    size_t needed = s->pool_size + HEAD + size + HEAD + s->variables;
    if (needed <= s->pool_room)
        return true;
    size_t room = needed + needed / 2 + FIRST_ROOM;
    if (room >= NONE || !widen(&s->pool, sizeof *s->pool, room))
        return false;
    s->pool_room = room;
    return true;
}

/* ---- Assigning ---- */

static void assign(wrc_solver *s, uint32_t literal, uint32_t reason)
{
    uint32_t v = literal / 2;
    s->value[literal] = 1;
    s->value[literal ^ 1] = -1;
    s->level[v] = s->limit_count;
    s->reason[v] = reason;
    s->trail[s->trail_size++] = literal;
}

static void take_back(wrc_solver *s, uint32_t level)
{
    if (s->limit_count <= level)
        return;
    while (s->trail_size > s->limits[level]) {
        uint32_t literal = s->trail[--s->trail_size], v = literal / 2;
        s->value[literal] = s->value[literal ^ 1] = 0;
        s->phase[v] = literal & 1;
        if (s->stamp[v] > s->stamp[s->unassigned])
            s->unassigned = v;
    }
    s->propagated = s->trail_size;
    s->limit_count = level;
}

static void attach(wrc_solver *s, uint32_t at)
{
    clause *c = clause_at(s, at);
    for (int i = 0; i < 2; i++) {
        c->next[i] = s->watch[c->literals[i]];
        s->watch[c->literals[i]] = at;
    }
}

/* Looks for another literal to watch instead of literals[side]; false: there is none. */
static bool move_watch(wrc_solver *s, clause *c, uint32_t at, int side)
{
    for (uint32_t k = 2; k < c->size; k++) {
        uint32_t literal = c->literals[k];
        if (s->value[literal] < 0)
            continue;
        c->literals[k] = c->literals[side];
        c->literals[side] = literal;
        c->next[side] = s->watch[literal];
        s->watch[literal] = at;
        return true;
    }
    return false;
}

/* Visits the clauses that watch a literal that became false; NONE, or the one that is broken. */
static uint32_t visit(wrc_solver *s, uint32_t negative)
{
    uint32_t *link = &s->watch[negative];
    while (*link != NONE) {
        uint32_t at = *link;
        clause  *c = clause_at(s, at);
        int      side = c->literals[1] == negative;
        uint32_t other = c->literals[!side], next = c->next[side];
        if (s->value[other] <= 0 && move_watch(s, c, at, side)) {
            *link = next;
            continue;
        }
        if (s->value[other] < 0)
            return at;
        if (s->value[other] == 0)
            assign(s, other, at);
        link = &c->next[side];
    }
    return NONE;
}

static uint32_t propagate(wrc_solver *s)
{
    while (s->propagated < s->trail_size) {
        uint32_t conflict = visit(s, s->trail[s->propagated++] ^ 1);
        if (conflict != NONE)
            return conflict;
    }
    return NONE;
}

/* ---- Learning ---- */

/* Moves an assigned variable to the end of the list: it is decided early from now on. */
static void bump(wrc_solver *s, uint32_t v)
{
    uint32_t before = s->before[v], after = s->after[v], unassigned = s->unassigned;
    if (after == NONE)
        return;
    if (unassigned == v)
        unassigned = before != NONE ? before : after;
    s->before[after] = before;
    if (before != NONE)
        s->after[before] = after;
    append_variable(s, v);
    s->unassigned = unassigned;
}

/* Notes the literals of a broken clause or of a reason. Those of this level are counted, those of
 * lower ones go into the lesson. */
static uint32_t collect(wrc_solver *s, uint32_t at)
{
    clause  *c = clause_at(s, at);
    uint32_t here = 0;
    for (uint32_t i = 0; i < c->size; i++) {
        uint32_t literal = c->literals[i], v = literal / 2;
        if (s->seen[v] || s->level[v] == 0)
            continue;
        s->seen[v] = true;
        s->touched[s->touched_size++] = v;
        if (s->level[v] == s->limit_count)
            here++;
        else
            s->lesson[s->lesson_size++] = literal;
    }
    return here;
}

/* Whether the rest of the lesson says this literal, too. */
static bool is_implied(wrc_solver *s, uint32_t literal)
{
    uint32_t reason = s->reason[literal / 2];
    if (reason == NONE)
        return false;
    clause *c = clause_at(s, reason);
    for (uint32_t i = 0; i < c->size; i++) {
        uint32_t v = c->literals[i] / 2;
        if (!s->seen[v] && s->level[v] > 0)
            return false;
    }
    return true;
}

static void shorten(wrc_solver *s)
{
    uint32_t kept = 1;
    for (uint32_t i = 1; i < s->lesson_size; i++)
        if (!is_implied(s, s->lesson[i]))
            s->lesson[kept++] = s->lesson[i];
    s->lesson_size = kept;
}

/* Puts a literal of the highest level second: it is watched. The level to go back to. */
static uint32_t second_level(wrc_solver *s)
{
    if (s->lesson_size == 1)
        return 0;
    uint32_t highest = 1;
    for (uint32_t i = 2; i < s->lesson_size; i++)
        if (s->level[s->lesson[i] / 2] > s->level[s->lesson[highest] / 2])
            highest = i;
    uint32_t literal = s->lesson[highest];
    s->lesson[highest] = s->lesson[1];
    s->lesson[1] = literal;
    return s->level[literal / 2];
}

static int by_stamp(const void *left, const void *right, void *solver)
{
    const wrc_solver *s = solver;
    uint64_t a = s->stamp[*(const uint32_t *)left], b = s->stamp[*(const uint32_t *)right];
    return a < b ? -1 : a > b;
}

/* In the order that they have in the list, so that they keep it. */
static void bump_touched(wrc_solver *s)
{
    qsort_r(s->touched, s->touched_size, sizeof *s->touched, by_stamp, s);
    for (uint32_t i = 0; i < s->touched_size; i++) {
        s->seen[s->touched[i]] = false;
        bump(s, s->touched[i]);
    }
}

/* Over how many levels the lesson's literals are spread. */
static uint32_t spread(wrc_solver *s)
{
    uint32_t levels = 0;
    s->count_of++;
    for (uint32_t i = 0; i < s->lesson_size; i++) {
        uint32_t *counted = &s->counted[s->level[s->lesson[i] / 2]];
        levels += *counted != s->count_of;
        *counted = s->count_of;
    }
    return levels;
}

/* The lesson of a conflict: what was assigned last, turned round, follows from the rest. */
static void analyse(wrc_solver *s, uint32_t conflict)
{
    uint32_t at = s->trail_size, implied, open = 0;
    s->lesson_size = 1;
    s->touched_size = 0;
    for (uint32_t reason = conflict;; reason = s->reason[implied / 2]) {
        open += collect(s, reason);
        do
            implied = s->trail[--at];
        while (!s->seen[implied / 2]);
        if (--open == 0)
            break;
    }
    s->lesson[0] = implied ^ 1;
    shorten(s);
    bump_touched(s);
}

static uint32_t store_clause(wrc_solver *s, uint32_t levels)
{
    uint32_t at = (uint32_t)s->pool_size;
    clause  *c = clause_at(s, at);
    c->size = s->lesson_size;
    c->spread = levels;
    memcpy(c->literals, s->lesson, s->lesson_size * sizeof *s->lesson);
    s->pool_size += HEAD + s->lesson_size;
    s->learned += levels > 0;
    attach(s, at);
    return at;
}

/* Forgets learned clauses of this spread or more. Only at level 0, where no clause is needed as a
 * reason. */
static void forget(wrc_solver *s, size_t wide)
{
    size_t from = 0, to = 0;
    for (uint32_t i = 0; i < 2 * s->variables; i++)
        s->watch[i] = NONE;
    s->learned = 0;
    for (uint32_t size; from < s->pool_size; from += HEAD + size) {
        clause *c = clause_at(s, (uint32_t)from);
        size = c->size;
        if (c->spread > 0 && c->spread >= wide)
            continue;
        memmove(&s->pool[to], &s->pool[from], (HEAD + size) * sizeof *s->pool);
        s->learned += clause_at(s, (uint32_t)to)->spread > 0;
        attach(s, (uint32_t)to);
        to += HEAD + size;
    }
    s->pool_size = to;
}

/* The spread that at most half of the learned clauses exceed. */
static uint32_t median_spread(wrc_solver *s)
{
    size_t count[64] = { 0 }, sum = 0;
    for (size_t at = 0; at < s->pool_size; at += HEAD + clause_at(s, (uint32_t)at)->size) {
        uint32_t levels = clause_at(s, (uint32_t)at)->spread;
        count[levels < 63 ? levels : 63] += levels > 0;
    }
    for (uint32_t levels = 1; levels < 63; levels++)
        if (2 * (sum += count[levels]) >= s->learned)
            return levels;
    return 63;
}

/* Starts again, with fewer clauses when many were learned. */
static void restart(wrc_solver *s)
{
    take_back(s, 0);
    if (s->learned > s->learned_limit) {
        uint32_t median = median_spread(s);
        forget(s, median > KEPT_SPREAD ? median : KEPT_SPREAD + 1);
        s->learned_limit += LEARNED_MORE;
    }
}

/* Goes back and lets the lesson imply. If it finds no room, everything else that was learned
 * makes place for it. */
static void learn(wrc_solver *s)
{
    uint32_t reason = NONE, levels = spread(s);
    take_back(s, second_level(s));
    if (s->lesson_size > 1) {
        bool room = room_for_clause(s, s->lesson_size);
        if (!room) {
            take_back(s, 0);
            forget(s, 0);
        }
        reason = store_clause(s, levels);
        if (!room)
            return;
    }
    assign(s, s->lesson[0], reason);
}

/* ---- Searching ---- */

static uint64_t luby(uint64_t i) /* 1 1 2 1 1 2 4 …, from i = 1 */
{
    for (uint64_t k = 2;; k *= 2) {
        if (i == k - 1)
            return k / 2;
        if (i < k - 1)
            return luby(i - k / 2 + 1);
    }
}

static uint32_t open_variable(wrc_solver *s)
{
    uint32_t v = s->unassigned;
    while (v != NONE && s->value[2 * v] != 0)
        v = s->before[v];
    if (v != NONE)
        s->unassigned = v;
    return v;
}

/* Marks the assumptions that a false one follows from, and itself. */
static void blame(wrc_solver *s, uint32_t failed)
{
    s->part[failed] = true;
    if (s->limit_count == 0)
        return;
    s->seen[failed / 2] = true;
    for (uint32_t i = s->trail_size; i-- > s->limits[0];) {
        uint32_t literal = s->trail[i], v = literal / 2;
        if (!s->seen[v])
            continue;
        s->seen[v] = false;
        if (s->reason[v] == NONE) {
            s->part[literal] = true; /* a decision among assumptions is one */
            continue;
        }
        clause *c = clause_at(s, s->reason[v]);
        for (uint32_t k = 0; k < c->size; k++)
            if (c->literals[k] / 2 != v && s->level[c->literals[k] / 2] > 0)
                s->seen[c->literals[k] / 2] = true;
    }
    s->seen[failed / 2] = false;
}

static void decide(wrc_solver *s, uint32_t literal, size_t made_by)
{
    s->made_by[s->limit_count] = made_by;
    s->limits[s->limit_count++] = s->trail_size;
    assign(s, literal, NONE);
}

typedef enum step { GOES_ON, IS_TRUE, IS_FALSE } step;

/* The next assumption that is open, or else a decision. Assumptions that hold already get no
 * level of their own. */
static step advance(wrc_solver *s, const int *assumed, size_t count, size_t *next)
{
    for (*next = s->limit_count == 0 ? 0 : *next; *next < count; (*next)++) {
        uint32_t literal = inside(assumed[*next]);
        if (s->value[literal] > 0)
            continue;
        if (s->value[literal] < 0) {
            blame(s, literal);
            return IS_FALSE;
        }
        decide(s, literal, *next);
        return GOES_ON;
    }
    uint32_t v = open_variable(s);
    if (v == NONE)
        return IS_TRUE;
    decide(s, 2 * v + s->phase[v], SIZE_MAX);
    return GOES_ON;
}

/* Learns from a conflict; false: the clauses contradict each other. */
static bool draw_lesson(wrc_solver *s, uint32_t conflict)
{
    if (s->limit_count == 0) {
        s->broken = true;
        return false;
    }
    analyse(s, conflict);
    learn(s);
    return true;
}

/* Remembers the assumptions, for the next question. Without memory for it, that shares none. */
static void note_assumptions(wrc_solver *s, const int *assumed, size_t count)
{
    s->assumed_count = 0;
    if (count > s->assumed_room) {
        if (!widen(&s->assumed, sizeof *s->assumed, count * 2))
            return;
        s->assumed_room = count * 2;
    }
    if (count > 0)
        memcpy(s->assumed, assumed, count * sizeof *assumed);
    s->assumed_count = count;
}

/* Takes back what does not follow from the assumptions that this question and the last one have
 * in common at their beginnings; all of it when learned clauses are to go. */
static void begin_question(wrc_solver *s, const int *assumed, size_t count)
{
    size_t   same = 0;
    uint32_t level = 0;
    while (same < count && same < s->assumed_count && s->assumed[same] == assumed[same])
        same++;
    while (level < s->limit_count && s->made_by[level] < same)
        level++;
    take_back(s, level);
    if (s->learned > s->learned_limit)
        restart(s);
    note_assumptions(s, assumed, count);
}

bool wrc_solver_solve(wrc_solver *s, const int *assumed, size_t count)
{
    uint64_t restarts = 1, conflicts = 0;
    size_t   next = 0;
    begin_question(s, assumed, count);
    if (s->variables > 0)
        memset(s->part, 0, 2 * s->variables * sizeof *s->part);
    for (step now = GOES_ON; now == GOES_ON && !s->broken;) {
        uint32_t conflict = propagate(s);
        if (conflict == NONE) {
            now = advance(s, assumed, count, &next);
            if (now == IS_TRUE)
                return true;
        } else if (draw_lesson(s, conflict)) {
            next = 0;
            if (++conflicts >= RESTART_UNIT * luby(restarts)) {
                conflicts = 0;
                restarts++;
                restart(s);
            }
        }
    }
    return false;
}

bool wrc_solver_is_true(const wrc_solver *s, int literal)
{
    return inside(literal) / 2 < s->variables && s->value[inside(literal)] > 0;
}

bool wrc_solver_failed(const wrc_solver *s, int literal)
{
    return s->part[inside(literal)];
}

/* Decides the assumptions one after the other, without searching. */
static bool follow(wrc_solver *s, const int *assumed, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t literal = inside(assumed[i]);
        if (s->value[literal] < 0)
            return false;
        if (s->value[literal] > 0)
            continue;
        decide(s, literal, i);
        if (propagate(s) != NONE)
            return false;
    }
    return true;
}

size_t wrc_solver_implied(wrc_solver *s, const int *assumed, size_t count, int *literals)
{
    size_t found = 0;
    take_back(s, 0);
    s->broken |= propagate(s) != NONE;
    if (!s->broken && follow(s, assumed, count))
        for (; found < s->trail_size; found++) {
            int variable = (int)(s->trail[found] / 2) + 1;
            literals[found] = s->trail[found] % 2 == 0 ? variable : -variable;
        }
    take_back(s, 0);
    return found;
}

void wrc_solver_prefer(wrc_solver *s, int literal)
{
    take_back(s, 0); /* first: what is taken back is preferred, too */
    if (inside(literal) / 2 < s->variables)
        s->phase[inside(literal) / 2] = literal < 0;
}

/* ---- Clauses from outside ---- */

/* Whether the lesson is to be kept: without the literals that are false for good, repeated or
 * settled. */
static bool simplify(wrc_solver *s, const int *literals, size_t count)
{
    s->lesson_size = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t literal = inside(literals[i]);
        bool     there = false;
        for (uint32_t k = 0; k < s->lesson_size; k++) {
            there |= s->lesson[k] == literal;
            if (s->lesson[k] == (literal ^ 1))
                return false;
        }
        if (s->value[literal] > 0)
            return false;
        if (!there && s->value[literal] == 0)
            s->lesson[s->lesson_size++] = literal;
    }
    return true;
}

bool wrc_solver_add(wrc_solver *s, const int *literals, size_t count)
{
    take_back(s, 0);
    for (size_t i = 0; i < count; i++)
        if (!know_variable(s, inside(literals[i]) / 2))
            return false;
    if (!simplify(s, literals, count))
        return true;
    if (s->lesson_size == 0)
        s->broken = true;
    else if (s->lesson_size == 1)
        assign(s, s->lesson[0], NONE);
    else if (room_for_clause(s, s->lesson_size))
        store_clause(s, 0);
    else
        return false;
    return true;
}

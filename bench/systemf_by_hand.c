/* bench/systemf_by_hand.c: an enumerator written for System F alone, to compare Warren's with.
 *
 * Constructors, arities and costs are hard-wired. A node is chosen when it is looked at, and
 * every choice is on a stack; after each run the last choice that has an alternative left takes
 * it, and the predicate runs again from the start. What is chosen stays in the nodes, so a run
 * only reads it. The budget is what is left after everything chosen and the least that every open
 * node will cost, so an alternative that is taken can always be completed.
 *
 *     systemf_by_hand plain|strong SIZE    prints how many terms up to SIZE are well typed, and
 *                                          how many runs it took
 */
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../studies/systemf/language.h"

typedef struct node {
    int8_t       tag; /* negative: not chosen */
    bool         is_type;
    bool         indexed; /* the index is chosen */
    int32_t      index;
    struct node *args;
} node;

/* One entry for each choice that stands. */
typedef struct choice {
    node    *at;
    node    *unused; /* the first free node before it */
    uint64_t left;   /* tags not tried yet, a bit for each; for an index, how many are left */
    int32_t  budget; /* before it */
    bool     of_index;
} choice;

#define NODES_MOST 4096
static node    nodes[NODES_MOST], *unused;
static choice  choices[NODES_MOST], *top;
static int32_t budget;
static jmp_buf refuted;

/* ---- The language ---- */

static const uint8_t TERM_ARITY[] = { [TLAM] = 1, [LAM] = 2, [APP] = 2, [TAPP] = 2, [COND] = 3 };
static const uint8_t TYPE_ARITY[] = { [BASE] = 0, [FORALL] = 1, [FUN] = 2 };

/* Which tags a budget allows; every argument costs at least 1. */
static const uint64_t TERM_TAGS[] = { 0x00f, 0x01f, 0x0ff, 0x1ff };
static const uint64_t TYPE_TAGS[] = { 0x07, 0x0f, 0x1f, 0x1f };

static void become(node *e, unsigned tag)
{
    unsigned arity = e->is_type ? TYPE_ARITY[tag] : TERM_ARITY[tag];
    e->tag = (int8_t)tag;
    e->args = unused;
    for (unsigned i = 0; i < arity; i++)
        unused[i] = (node){ .tag = -1, .is_type = e->is_type };
    if (!e->is_type && tag == LAM)
        unused[0].is_type = true;
    if (!e->is_type && tag == TAPP)
        unused[1].is_type = true;
    unused += arity;
    budget -= (int32_t)arity;
}

/* ---- Looking, and choosing ---- */

static int choose_tag(node *e, uint64_t tags)
{
    const uint64_t *allowed = e->is_type ? TYPE_TAGS : TERM_TAGS;
    tags &= allowed[budget < 3 ? budget : 3];
    if (tags == 0)
        longjmp(refuted, 1);
    *top++ = (choice){ e, unused, tags & (tags - 1), budget, false };
    become(e, (unsigned)__builtin_ctzll(tags));
    return e->tag;
}

static size_t choose_index(node *e, size_t below)
{
    if (below > (size_t)budget + 1)
        below = (size_t)budget + 1;
    *top++ = (choice){ e, unused, below - 1, budget, true };
    e->indexed = true;
    e->index = 0;
    return 0;
}

static inline int look(node *e)
{
    return e->tag >= 0 ? e->tag : choose_tag(e, UINT64_MAX);
}

static inline int need(node *e, uint64_t tags)
{
    if (e->tag < 0)
        return choose_tag(e, tags);
    if ((tags >> e->tag & 1) == 0)
        longjmp(refuted, 1);
    return e->tag;
}

static inline size_t look_at_index(node *e)
{
    return e->indexed ? (size_t)e->index : choose_index(e, SIZE_MAX);
}

static inline size_t need_below(node *e, size_t k)
{
    if (!e->indexed)
        return choose_index(e, k);
    if ((size_t)e->index >= k)
        longjmp(refuted, 1);
    return (size_t)e->index;
}

/* Takes the next alternative of the last choice that has one; false: there is none left. */
static bool next(void)
{
    for (; top > choices; top--) {
        choice *last = &top[-1];
        unused = last->unused;
        budget = last->budget;
        if (last->left != 0 && last->of_index) {
            last->left--;
            last->at->index++;
            budget -= last->at->index;
            return true;
        }
        if (last->left != 0) {
            unsigned tag = (unsigned)__builtin_ctzll(last->left);
            last->left &= last->left - 1;
            become(last->at, tag);
            return true;
        }
        if (last->of_index)
            last->at->indexed = false;
        else
            last->at->tag = -1;
    }
    return false;
}

/* ---- The predicate ---- */

#define NODE node *
#define TAG(e) look(e)
#define ARG(e, i) ((e)->args + (i))
#define INDEX(e) look_at_index(e)
#define NEED(e, tags) need(e, tags)
#define NEED_INDEX_BELOW(e, k) need_below(e, k)
#define REFUTE(e) longjmp(refuted, 1)
#include "../studies/systemf/checker.h"

static void types_are_full(void)
{
    fputs("systemf_by_hand: no room for types\n", stderr);
    exit(99);
}

/* ---- All terms ---- */

typedef struct tally {
    unsigned long long terms, runs;
} tally;

/* Adds up the runs from the one that stands now; returns when there are no more, or jumps when
 * one is refuted. */
static void run_all(bool (*check)(node *), tally *all)
{
    do {
        all->runs++;
        all->terms += check(nodes);
    } while (next());
}

static tally count(bool (*check)(node *), int32_t size)
{
    static tally all;
    nodes[0] = (node){ .tag = -1 };
    unused = nodes + 1;
    top = choices;
    budget = size - 1;
    if (setjmp(refuted) == 0 || next())
        run_all(check, &all);
    return all;
}

int main(int argc, char **argv)
{
    bool plain = argc == 3 && strcmp(argv[1], "plain") == 0;
    bool strong = argc == 3 && strcmp(argv[1], "strong") == 0;
    int  size = argc == 3 ? atoi(argv[2]) : 0;
    if ((!plain && !strong) || size < 1 || size > NODES_MOST / 4) {
        fputs("usage: systemf_by_hand plain|strong SIZE\n", stderr);
        return 99;
    }
    tally all = count(plain ? plain_check : strong_check, size);
    printf("{\"cases\": %llu, \"runs\": %llu}\n", all.terms, all.runs);
    return 0;
}

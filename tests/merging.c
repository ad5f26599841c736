/* tests/merging.c: a machine that merges databases of items, against a model.
 *
 * Three databases get contributions from a pool, and are merged in any order, twice and back. The
 * model of a database is the set of contributions that it has heard of. What a database should
 * say follows from that set alone: so merging cannot depend on order or repetition. `look`
 * compares.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <warren.h>

#include "store/campaign.h"

#define DATABASES 3
#define POOL 60
#define KEYS 1

/* ---- contributions ---- */

/* Small numbers, so that registers tie often. */
static uint64_t digit(unsigned which, unsigned field, unsigned below)
{
    uint64_t mixed =
        (which + 1) * UINT64_C(0x9e3779b97f4a7c15) + field * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ mixed >> 29) * UINT64_C(0x94d049bb133111eb);
    return (mixed ^ mixed >> 32) % below;
}

static wri_item_kind kind_of(unsigned which)
{
    return (wri_item_kind)(which % WRI_ITEM_KINDS);
}

/* Contributions of one kind differ in few fields of a register, so that every field decides
 * between some of them. */
static void contribute(wri_items *items, unsigned which)
{
    static const char *const TEXTS[] = { "", "a", "b", "aa", "c c" };
    static const char *const WORDS[] = { "", "a", "b", "a b", "aa c" };
    const wri_item_table    *table = wri_item_table_of(kind_of(which));
    wri_item                *made =
        wri_items_add(items, kind_of(which), "program", "property", 1 + which % KEYS);
    unsigned differs = (unsigned)digit(which, 100, (unsigned)table->count);
    bool     there = false;
    for (unsigned i = 0; i < table->count; i++) {
        bool     text = table->fields[i].is & WRI_ITEM_TEXT;
        bool     words = table->fields[i].is & WRI_ITEM_WORDS;
        uint64_t value = words          ? digit(which, i, 5)
                         : i != differs ? 1
                         : text         ? (2 + digit(which, i, 4)) % 5
                                        : 2 * digit(which, i, 2);
        if (table->fields[i].is & WRI_ITEM_BEGINS)
            there = value > 0;
        if (!there)
            continue;
        made->numbers[i] = text ? 0 : value;
        if (text)
            wri_item_set_text(made, i, words ? WORDS[value] : TEXTS[value]);
    }
}

/* ---- the model ---- */

typedef struct model {
    uint64_t      heard[DATABASES]; /* a bit for each contribution */
    wri_campaign *databases[DATABASES];
} model;

/* How a register is to be compared, as its definition says: the contribution whose register is
 * before all others. */
static bool comes_before(const wri_item_field *fields, size_t i, size_t count, const wri_item *a,
                         const wri_item *b)
{
    for (size_t k = i; k < count && (k == i || !(fields[k].is & WRI_ITEM_BEGINS)); k++) {
        const char *x = wri_item_text(a, k), *y = wri_item_text(b, k);
        long order = a->numbers[k] > b->numbers[k] ? 1 : a->numbers[k] < b->numbers[k] ? -1 : 0;
        if (fields[k].is & WRI_ITEM_TEXT)
            order = strlen(x) != strlen(y) ? (long)strlen(x) - (long)strlen(y) : strcmp(x, y);
        if (order != 0)
            return (fields[k].is & WRI_ITEM_LEAST ? order < 0 : order > 0);
    }
    return false;
}

static bool has_word(const char *words, const char *word)
{
    char list[64], one[64];
    snprintf(list, sizeof list, " %s ", words);
    snprintf(one, sizeof one, " %s ", word);
    return strstr(list, one) != NULL;
}

/* What the items of one key say together, register by register. */
static void expect(wri_item *want, const wri_items *all)
{
    static const char *const WORDS[] = { "a", "aa", "b", "c" };
    const wri_item_table    *table = wri_item_table_of(want->kind);
    for (size_t i = 0, first = 0; i < table->count; i++) {
        const wri_item *best = NULL;
        char            words[64] = "";
        first = table->fields[i].is & WRI_ITEM_BEGINS ? i : first;
        for (size_t k = 0; k < all->count; k++) {
            const wri_item *item = &all->list[k];
            if (item->kind != want->kind || item->key != want->key ||
                (item->numbers[first] == 0 && item->texts[first] == NULL))
                continue;
            if (best == NULL || comes_before(table->fields, first, table->count, item, best))
                best = item;
        }
        for (size_t w = 0; w < 4; w++)
            for (size_t k = 0; k < all->count; k++)
                if (all->list[k].kind == want->kind && all->list[k].key == want->key &&
                    has_word(wri_item_text(&all->list[k], i), WORDS[w])) {
                    strcat(strcat(words, words[0] == '\0' ? "" : " "), WORDS[w]);
                    break;
                }
        bool of_words = table->fields[i].is & WRI_ITEM_WORDS;
        want->numbers[i] = best == NULL ? 0 : best->numbers[i];
        wri_item_set_text(want, i, of_words ? words : best == NULL ? "" : wri_item_text(best, i));
    }
}

/* ---- the commands ---- */

static const wr_kind DATABASE = { "database", .values = DATABASES };
static const wr_kind CONTRIBUTION = { "contribution", .values = POOL };

static void hear(wr_case *t, wr_call *call)
{
    model    *m = wr_model(call);
    size_t    to = (size_t)wr_value(call, 0);
    unsigned  which = (unsigned)wr_value(call, 1);
    wri_items items = { .list = NULL };
    wri_note  note;
    contribute(&items, which);
    bool merged = m->databases[to]->merge(m->databases[to], items.list, items.count, &note);
    wri_items_free(&items);
    if (!merged)
        wr_fail(t, "%s", note.text);
    m->heard[to] |= UINT64_C(1) << which;
}

static void merge_two(wr_case *t, wr_call *call)
{
    model   *m = wr_model(call);
    size_t   from = (size_t)wr_value(call, 0), to = (size_t)wr_value(call, 1);
    wri_note note;
    if (from != to &&
        !wri_campaign_give(m->databases[from], 0, WRI_CAMPAIGN_ALL, m->databases[to], &note))
        wr_fail(t, "%s", note.text);
    m->heard[to] |= m->heard[from];
}

static void compare(wr_case *t, wri_campaign *database, uint64_t heard)
{
    wri_items all = { .list = NULL };
    wri_note  note;
    for (unsigned i = 0; i < POOL; i++)
        if (heard >> i & 1)
            contribute(&all, i);
    for (unsigned kind = 0; kind < WRI_ITEM_KINDS; kind++)
        for (uint64_t key = 1; key <= KEYS; key++) {
            wri_item found, want = { .kind = (wri_item_kind)kind, .key = key };
            bool     there, known = false, same = false;
            wri_item_set_owner(&want, "program", "property");
            expect(&want, &all);
            for (size_t i = 0; i < all.count; i++)
                known |= all.list[i].kind == kind && all.list[i].key == key;
            bool read = wri_campaign_get(database, (wri_item_kind)kind, "program", "property",
                                         key, &found, &there, &note);
            same = read && there == known && (!there || wri_item_same(&found, &want));
            wri_item_free(&want);
            if (read)
                wri_item_free(&found);
            if (!same)
                wri_items_free(&all);
            wr_assert(t, read);
            wr_assert(t, same);
        }
    wri_items_free(&all);
}

static void look(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    size_t at = (size_t)wr_value(call, 0);
    compare(t, m->databases[at], m->heard[at]);
}

/* In memory; or, with MERGING_STORE=redis+unix:///PATH/NAME, campaigns that nobody else has. */
static wri_campaign *open_one(wri_note *note)
{
    static unsigned number;
    char            url[400];
    const char     *store = getenv("MERGING_STORE");
    if (store == NULL)
        return wri_sqlite_open(":memory:", WRI_SQLITE_MAKE, note);
    snprintf(url, sizeof url, "%s.%d.%u", store, (int)getpid(), number++);
    return wri_redis_open(url, note);
}

static void start(wr_case *t, void *of)
{
    model   *m = of;
    wri_note note = { "" };
    for (int i = 0; i < DATABASES; i++)
        m->databases[i] = open_one(&note);
    for (int i = 0; i < DATABASES; i++)
        if (m->databases[i] == NULL)
            wr_fail(t, "%s", note.text);
}

static void stop(wr_case *t, void *of)
{
    model *m = of;
    (void)t;
    for (int i = 0; i < DATABASES; i++)
        if (m->databases[i] != NULL)
            m->databases[i]->close(m->databases[i]);
}

static const wr_command COMMANDS[] = {
    { "hear", hear, .takes = { &DATABASE, &CONTRIBUTION }, .weight = 3 },
    { "merge", merge_two, .takes = { &DATABASE, &DATABASE } },
    { "look", look, .takes = { &DATABASE }, .observer = true },
    { 0 },
};

WR_MACHINE(merging, .commands = COMMANDS, .model_size = sizeof(model), .start = start,
           .stop = stop);

/* store/item.c: the tables of items, and their merging. */
#include "store/item.h"

#include <stdlib.h>
#include <string.h>

#include "core/grow.h"

/* ---- the tables ---- */

#define NUMBER 0
#define TEXT WRI_ITEM_TEXT
#define LEAST WRI_ITEM_LEAST
#define BEGINS WRI_ITEM_BEGINS
#define WORDS (BEGINS | TEXT | WRI_ITEM_WORDS)

static const wri_item_field BUG[] = {
    { "epoch", BEGINS },
    { "rank", LEAST },
    { "token", TEXT | LEAST },
    { "kind", TEXT },
    { "message", TEXT },
    { "file", TEXT },
    { "line", NUMBER },
    { "drawn", TEXT },
    { "rule", TEXT },
    { "seed", NUMBER },
    { "turn", BEGINS },
    { "status", NUMBER },
    { "first", BEGINS | LEAST },
    { "last", BEGINS },
    { "found_by", WORDS },
};
static const wri_item_field CASE[] = {
    { "token", BEGINS | TEXT },
    { "note", BEGINS | TEXT },
    { "features", WORDS },
    { "first", BEGINS | LEAST },
};
static const wri_item_field FEATURE[] = {
    { "size", BEGINS | LEAST },
    { "shown", LEAST },
    { "first", BEGINS | LEAST },
};
static const wri_item_field UNIT[] = {
    { "search", BEGINS | TEXT }, { "number", BEGINS }, { "state", BEGINS },
    { "result", TEXT },          { "until", BEGINS },  { "done_by", WORDS },
};
static const wri_item_field RUN[] = {
    { "who", BEGINS | TEXT },    { "started", BEGINS },
    { "seed", BEGINS },          { "explorer", BEGINS | TEXT },
    { "status", BEGINS | TEXT }, { "cases", BEGINS },
    { "executions", BEGINS },    { "ms", BEGINS },
    { "features", BEGINS },      { "bugs", BEGINS },
};

#define TABLE(name, fields)                                                                      \
    {                                                                                            \
        name, sizeof(fields) / sizeof *(fields), fields                                          \
    }
static const wri_item_table TABLES[WRI_ITEM_KINDS] = {
    TABLE("bug", BUG),   TABLE("sample", CASE), TABLE("feature", FEATURE),
    TABLE("unit", UNIT), TABLE("run", RUN),
};
_Static_assert(sizeof BUG / sizeof *BUG == WRI_BUG_FIELDS, "a name for each field");
_Static_assert(sizeof CASE / sizeof *CASE == WRI_CASE_FIELDS, "a name for each field");
_Static_assert(sizeof FEATURE / sizeof *FEATURE == WRI_FEATURE_FIELDS, "a name for each field");
_Static_assert(sizeof UNIT / sizeof *UNIT == WRI_UNIT_FIELDS, "a name for each field");
_Static_assert(sizeof RUN / sizeof *RUN == WRI_RUN_FIELDS, "a name for each field");

const wri_item_table *wri_item_table_of(wri_item_kind kind)
{
    return &TABLES[kind];
}

/* ---- one item ---- */

void wri_item_free(wri_item *item)
{
    free(item->program);
    free(item->property);
    for (size_t i = 0; i < WRI_ITEM_FIELDS; i++)
        free(item->texts[i]);
    memset(item, 0, sizeof *item);
}

const char *wri_item_text(const wri_item *item, size_t field)
{
    return item->texts[field] == NULL ? "" : item->texts[field];
}

static bool set(char **slot, const char *text)
{
    char *copy = text == NULL || text[0] == '\0' ? NULL : strdup(text);
    if (copy == NULL && text != NULL && text[0] != '\0')
        return false;
    free(*slot);
    *slot = copy;
    return true;
}

bool wri_item_set_text(wri_item *item, size_t field, const char *text)
{
    return set(&item->texts[field], text);
}

bool wri_item_set_owner(wri_item *item, const char *program, const char *property)
{
    return set(&item->program, program) && set(&item->property, property);
}

bool wri_item_copy(wri_item *to, const wri_item *from)
{
    bool copied = wri_item_set_owner(to, from->program, from->property);
    to->kind = from->kind;
    to->key = from->key;
    memcpy(to->numbers, from->numbers, sizeof to->numbers);
    for (size_t i = 0; i < WRI_ITEM_FIELDS; i++)
        copied = copied && set(&to->texts[i], from->texts[i]);
    return copied;
}

static bool same_text(const char *a, const char *b)
{
    return strcmp(a == NULL ? "" : a, b == NULL ? "" : b) == 0;
}

bool wri_item_same(const wri_item *a, const wri_item *b)
{
    bool same = a->kind == b->kind && a->key == b->key && same_text(a->program, b->program) &&
                same_text(a->property, b->property);
    for (size_t i = 0; i < TABLES[a->kind].count && same; i++)
        same = a->numbers[i] == b->numbers[i] && same_text(a->texts[i], b->texts[i]);
    return same;
}

bool wri_item_words_sound(const char *words)
{
    const char *before = NULL;
    size_t      before_length = 0;
    for (size_t length; *words != '\0'; words += length + (words[length] == ' ')) {
        length = strcspn(words, " ");
        size_t both = length < before_length ? length : before_length;
        int    order = before == NULL ? -1 : memcmp(before, words, both);
        if (length == 0 || order > 0 || (order == 0 && before_length >= length) ||
            (words[length] == ' ' && words[length + 1] == '\0'))
            return false;
        before = words;
        before_length = length;
    }
    return true;
}

static bool is_there(const wri_item_field *field, size_t i, const wri_item *item)
{
    return field->is & TEXT ? item->texts[i] != NULL : item->numbers[i] != 0;
}

bool wri_item_sound(const wri_item *item)
{
    const wri_item_field *fields = TABLES[item->kind].fields;
    bool                  sound = item->property != NULL, there = true;
    for (size_t i = 0; i < TABLES[item->kind].count && sound; i++) {
        there = fields[i].is & BEGINS ? is_there(&fields[i], i, item) : there;
        sound = there || (item->numbers[i] == 0 && item->texts[i] == NULL);
        if (fields[i].is & WRI_ITEM_WORDS)
            sound = wri_item_words_sound(wri_item_text(item, i));
    }
    return sound;
}

/* ---- merging ---- */

/* Copies the first word at *words behind *to, and goes on to the next. */
static char *take_word(char *to, const char *start, const char **words)
{
    size_t length = strcspn(*words, " ");
    if (to != start)
        *to++ = ' ';
    memcpy(to, *words, length);
    *words += length + ((*words)[length] == ' ');
    return to + length;
}

static int compare_words(const char *a, const char *b)
{
    size_t a_length = strcspn(a, " "), b_length = strcspn(b, " ");
    int    order = memcmp(a, b, a_length < b_length ? a_length : b_length);
    return order != 0 ? order : (a_length > b_length) - (a_length < b_length);
}

/* All words of both, sorted, each once. */
static bool join_words(char **into, const char *from, bool *changed)
{
    const char *mine = *into == NULL ? "" : *into;
    char       *joined = malloc(strlen(mine) + strlen(from) + 2), *at = joined;
    if (joined == NULL)
        return false;
    while (*mine != '\0' || *from != '\0') {
        int order = *from == '\0' ? -1 : *mine == '\0' ? 1 : compare_words(mine, from);
        at = take_word(at, joined, order <= 0 ? &mine : &from);
        if (order == 0)
            from += strcspn(from, " ") + (from[strcspn(from, " ")] == ' ');
    }
    *at = '\0';
    *changed |= strcmp(joined, *into == NULL ? "" : *into) != 0;
    free(*into);
    *into = joined[0] == '\0' ? (free(joined), NULL) : joined;
    return true;
}

/* By length and then by bytes, so that of two the shorter is the smaller. */
static int compare_texts(const char *a, const char *b)
{
    size_t a_length = strlen(a), b_length = strlen(b);
    return a_length != b_length ? (a_length > b_length ? 1 : -1) : strcmp(a, b);
}

/* Above 0: the field of `a` ranks before that of `b`. */
static int compare_fields(const wri_item_field *field, size_t i, const wri_item *a,
                          const wri_item *b)
{
    int order = field->is & TEXT
                    ? compare_texts(wri_item_text(a, i), wri_item_text(b, i))
                    : (a->numbers[i] > b->numbers[i]) - (a->numbers[i] < b->numbers[i]);
    return field->is & LEAST ? -order : order;
}

/* Does the register from field `i` up to `end` of `from` rank before that of `into`? */
static bool ranks_first(const wri_item_field *fields, size_t i, size_t end, const wri_item *from,
                        const wri_item *into)
{
    int order = 0;
    if (!is_there(&fields[i], i, from))
        return false;
    if (!is_there(&fields[i], i, into))
        return true;
    for (; i < end && order == 0; i++)
        order = compare_fields(&fields[i], i, from, into);
    return order > 0;
}

bool wri_item_merge(wri_item *into, const wri_item *from, bool *changed)
{
    const wri_item_field *fields = TABLES[into->kind].fields;
    size_t                count = TABLES[into->kind].count;
    *changed = false;
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && !(fields[end].is & BEGINS);)
            end++;
        if (fields[i].is & WRI_ITEM_WORDS) {
            if (!join_words(&into->texts[i], wri_item_text(from, i), changed))
                return false;
        } else if (ranks_first(fields, i, end, from, into)) {
            *changed = true;
            for (size_t k = i; k < end; k++) {
                into->numbers[k] = from->numbers[k];
                if (!set(&into->texts[k], from->texts[k]))
                    return false;
            }
        }
    }
    return true;
}

/* ---- lists ---- */

wri_item *wri_items_add(wri_items *items, wri_item_kind kind, const char *program,
                        const char *property, uint64_t key)
{
    wri_item *grown = wri_grow(items->list, sizeof *grown, items->count, &items->room);
    if (grown == NULL)
        return NULL;
    items->list = grown;
    grown += items->count;
    *grown = (wri_item){ .kind = kind, .key = key };
    if (wri_item_set_owner(grown, program, property)) {
        items->count++;
        return grown;
    }
    wri_item_free(grown);
    return NULL;
}

void wri_items_free(wri_items *items)
{
    for (size_t i = 0; i < items->count; i++)
        wri_item_free(&items->list[i]);
    free(items->list);
    *items = (wri_items){ .list = NULL };
}

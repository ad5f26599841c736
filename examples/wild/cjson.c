/* cjson.c: arrays of cJSON against plain arrays, and cJSON_Minify (Debian: libcjson-dev).
 *
 * The machine calls the functions for arrays in any order and compares with a model. The property
 * makes a text smaller and parses it again: white space between tokens may go, nothing else.
 *
 * In Debian 12, cJSON_InsertItemInArray() fails everywhere but at the ends: a check that came with a
 * security update looks at the new item's neighbours, and a new item has none. cJSON_Minify() takes
 * the quote in "\\" for an escaped one, so it goes on as if it were inside of a string.
 * plain/cjson.c shows the same without Warren.
 */
#include <string.h>

#include <cjson/cJSON.h>
#include <warren.h>

/* ---- Arrays ---- */

#define MOST 8

typedef struct model {
    cJSON *array;
    int    items[MOST];
    int    count;
} model;

static void start(wr_case *t, void *state)
{
    (void)t;
    ((model *)state)->array = cJSON_CreateArray();
}

static void stop(wr_case *t, void *state)
{
    (void)t;
    cJSON_Delete(((model *)state)->array);
}

static void same_items(wr_case *t, void *state)
{
    const model *m = state;
    wr_assert_eq(t, cJSON_GetArraySize(m->array), m->count);
    for (int i = 0; i < m->count; i++)
        wr_assert_eq(t, cJSON_GetArrayItem(m->array, i)->valueint, m->items[i]);
}

static const wr_kind ITEM = { "item", .values = 10 };
static const wr_kind PLACE = { "place", .values = MOST };

static bool has_room(const wr_call *call)
{
    return ((const model *)wr_model(call))->count < MOST;
}

static bool has_place(const wr_call *call)
{
    return wr_value(call, 0) < ((const model *)wr_model(call))->count;
}

static bool has_place_and_room(const wr_call *call)
{
    return has_room(call) && has_place(call);
}

static void put(model *m, int place, int item)
{
    memmove(m->items + place + 1, m->items + place, (size_t)(m->count - place) * sizeof(int));
    m->items[place] = item;
    m->count++;
}

static void do_add(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    int    item = (int)wr_value(call, 0);
    wr_assert(t, cJSON_AddItemToArray(m->array, cJSON_CreateNumber(item)));
    put(m, m->count, item);
}

static void do_insert(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    int    place = (int)wr_value(call, 0), item = (int)wr_value(call, 1);
    wr_assert(t, cJSON_InsertItemInArray(m->array, place, cJSON_CreateNumber(item)));
    put(m, place, item);
}

static void do_replace(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    int    place = (int)wr_value(call, 0), item = (int)wr_value(call, 1);
    wr_assert(t, cJSON_ReplaceItemInArray(m->array, place, cJSON_CreateNumber(item)));
    m->items[place] = item;
}

static void do_delete(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    int    place = (int)wr_value(call, 0);
    (void)t;
    cJSON_DeleteItemFromArray(m->array, place);
    m->count--;
    memmove(m->items + place, m->items + place + 1, (size_t)(m->count - place) * sizeof(int));
}

static const wr_command COMMANDS[] = {
    { "cJSON_AddItemToArray", do_add, .takes = { &ITEM }, .when = has_room },
    { "cJSON_InsertItemInArray", do_insert, .takes = { &PLACE, &ITEM }, .when = has_place_and_room },
    { "cJSON_ReplaceItemInArray", do_replace, .takes = { &PLACE, &ITEM }, .when = has_place },
    { "cJSON_DeleteItemFromArray", do_delete, .takes = { &PLACE }, .when = has_place },
    { 0 },
};
WR_MACHINE(arrays_are_as_the_model_says, .commands = COMMANDS, .model_size = sizeof(model),
           .start = start, .stop = stop, .invariant = same_items);

/* ---- Less white space ---- */

WR_PROPERTY(less_white_space_is_the_same_value) {
    char  *first = wr_text_of(t, "first", "a \"\\", 0, 6);
    char  *second = wr_text_of(t, "second", "a \"\\", 0, 6);
    cJSON *value = cJSON_CreateArray();
    wr_defer_as(t, cJSON_Delete, value);
    cJSON_AddItemToArray(value, cJSON_CreateString(first));
    cJSON_AddItemToArray(value, cJSON_CreateString(second));

    char *text = wr_take(t, cJSON_Print(value));
    cJSON_Minify(text);
    wr_show_text(t, "minified", text);
    cJSON *again = cJSON_Parse(text);
    wr_defer_as(t, cJSON_Delete, again);
    wr_assert(t, cJSON_Compare(value, again, true));
}

/* plan/import.c: finds the draw in a log, and answers it with bytes. */
#include "plan/import.h"

#include <stdlib.h>
#include <string.h>

#include "core/utf8.h"
#include "plan/rearrange.h"

/* ---- The draw ---- */

static const wri_node *draw_of(const wri_import *import)
{
    return &import->like.nodes[import->array];
}

/* Integers that all fit into a byte, signed or not. */
static bool is_bytes(const wri_node *node)
{
    return node->what == WRI_ARRAY && node->kind == WRI_INTEGER && node->max <= UINT8_MAX &&
           node->lo >= INT8_MIN && node->lo + (int64_t)node->max <= UINT8_MAX;
}

/* A text is a span with a length and an array, all of one name. */
static bool is_text(const wri_trace *log, uint32_t array)
{
    const wri_node *node = &log->nodes[array], *span = &log->nodes[node->parent];
    return node->what == WRI_ARRAY && node->kind == WRI_INDEX && node->tie != WRI_NO_NODE &&
           node->parent != 0 && span->what == WRI_SPAN && span->label == node->label &&
           log->nodes[node->tie].parent == node->parent && node->letters != WRI_LETTERS_REST;
}

/* The choice of a plane before a UTF-8 text; WRI_NO_NODE: it is another text. */
static uint32_t plane_of(const wri_trace *log, uint32_t array)
{
    uint32_t label = wri_trace_label_hash("plane");
    for (uint32_t i = log->nodes[array].parent + 1; i < array; i++)
        if (log->nodes[i].parent == log->nodes[array].parent && log->nodes[i].label == label)
            return i;
    return WRI_NO_NODE;
}

static void spell_alphabet(wri_import *import, const char *letters)
{
    for (uint64_t i = 0; letters != NULL && letters[i] != '\0'; i++)
        wri_import_spell(import, i, (unsigned char)letters[i]);
    import->spelt = letters != NULL;
}

unsigned wri_import_find(wri_import *import, const wri_trace *log)
{
    unsigned found = 0;
    memset(import, 0, sizeof *import);
    if (!wri_trace_copy(&import->like, log))
        return 0;
    for (uint32_t i = 1; i < log->node_count; i++) {
        bool text = is_text(log, i);
        if (!text && !is_bytes(&log->nodes[i]))
            continue;
        import->array = i;
        import->text = text;
        found++;
    }
    if (found != 1)
        return found;
    import->plane = import->text ? plane_of(log, import->array) : WRI_NO_NODE;
    if (import->text && import->plane == WRI_NO_NODE)
        spell_alphabet(import, wri_choice_alphabet(draw_of(import)->letters));
    else
        import->spelt = true;
    return import->spelt || draw_of(import)->max < 256 ? found : 0;
}

void wri_import_free(wri_import *import)
{
    wri_trace_free(&import->like);
}

uint64_t wri_import_last(const wri_import *import)
{
    return draw_of(import)->max;
}

void wri_import_spell(wri_import *import, uint64_t number, unsigned char byte)
{
    if (import->numbers[byte] == 0)
        import->numbers[byte] = (uint16_t)(number + 1);
}

/* ---- Its content ---- */

/* The fewest and the most elements that it may have. */
static void bounds_of(const wri_import *import, uint64_t *fewest, uint64_t *most)
{
    const wri_node *node = draw_of(import);
    *fewest = *most = node->count;
    if (node->tie == WRI_NO_NODE)
        return;
    const wri_node *length = &import->like.nodes[node->tie];
    *fewest = length->lo > 0 ? (uint64_t)length->lo : 0;
    *most = wri_rearrange_longest(length);
}

/* Begins the plan: the log with so many elements, which the caller fills in; NULL: no memory. */
static uint64_t *open_plan(const wri_import *import, size_t count, wri_trace *plan)
{
    size_t used = import->like.number_count;
    if (!wri_trace_copy(plan, &import->like) ||
        !wri_trace_reserve(plan, plan->node_count, used + count + 1))
        return NULL;
    wri_node *node = &plan->nodes[import->array];
    if (node->tie != WRI_NO_NODE)
        plan->nodes[node->tie].number = wri_rearrange_answer(&plan->nodes[node->tie], count);
    node->number = used;
    node->count = count;
    plan->number_count = used + count;
    return plan->numbers + used;
}

bool wri_import_letter(const wri_import *import, uint64_t number, wri_trace *plan)
{
    uint64_t fewest, most;
    bounds_of(import, &fewest, &most);
    size_t    count = fewest > 0 ? (size_t)fewest : most > 0;
    uint64_t *numbers = open_plan(import, count, plan);
    for (size_t i = 0; i < count && numbers != NULL; i++)
        numbers[i] = number;
    return numbers != NULL;
}

/* ---- Characters ---- */

/* As gen/text.c numbers them: printable ASCII first, then the rest without NUL and surrogates. */
static bool number_of_code(uint32_t code, uint64_t *number)
{
    const char *printable = wri_choice_alphabet(WRI_LETTERS_PRINTABLE);
    const char *found = code == 0 || code > 126 ? NULL : strchr(printable, (int)code);
    *number = found != NULL   ? (uint64_t)(found - printable)
              : code < 32     ? strlen(printable) + code - 1
              : code < 0xd800 ? code - 1
                              : code - 0x801;
    return code != 0 && code != WRI_NOT_UTF8;
}

/* The largest number of each plane (gen/text.c). */
static const uint64_t PLANE_MAX[] = { 0x7e, 0x7fe, 0xf7fe, 0x10f7fe };

static unsigned plane_with(uint64_t number)
{
    unsigned plane = 0;
    while (plane < 3 && number > PLANE_MAX[plane])
        plane++;
    return plane;
}

/* The answer for the element at `bytes`; false: there is none. Returns how many bytes it takes in
 * *took. */
static bool answer_at(const wri_import *import, const char *bytes, uint64_t *number, size_t *took)
{
    const wri_node *node = draw_of(import);
    unsigned char   byte = (unsigned char)*bytes;
    uint32_t        code;
    *took = 1;
    if (import->plane != WRI_NO_NODE) {
        *took = wri_utf8_next(bytes, &code);
        return number_of_code(code, number);
    }
    if (import->text) {
        *number = import->numbers[byte] - 1u;
        return import->numbers[byte] > 0;
    }
    int64_t value = node->lo < 0 ? (int8_t)byte : byte;
    bool    fits = value >= node->lo && value <= node->lo + (int64_t)node->max;
    *number = fits ? wri_choice_integer_number(value, node->lo, node->max) : 0;
    return fits;
}

/* Answers the elements; with NULL it only counts them. SIZE_MAX: a byte has no answer, which *at
 * is the place of. */
static size_t answer_all(const wri_import *import, const char *bytes, size_t count,
                         uint64_t *numbers, uint64_t *largest, size_t *at)
{
    size_t elements = 0, took;
    for (*at = 0, *largest = 0; *at < count; *at += took, elements++) {
        uint64_t number;
        if (!answer_at(import, bytes + *at, &number, &took))
            return SIZE_MAX;
        *largest = number > *largest ? number : *largest;
        if (numbers != NULL)
            numbers[elements] = number;
    }
    return elements;
}

static void set_plane(const wri_import *import, uint64_t largest, wri_trace *plan)
{
    if (import->plane == WRI_NO_NODE)
        return;
    unsigned plane = plane_with(largest);
    plan->nodes[import->plane].number = plane;
    plan->nodes[import->array].max = PLANE_MAX[plane];
}

bool wri_import_plan(const wri_import *import, const char *bytes, size_t count, wri_trace *plan,
                     wri_note *why)
{
    uint64_t fewest, most, largest;
    size_t   at, elements = answer_all(import, bytes, count, NULL, &largest, &at);
    if (elements == SIZE_MAX)
        return wri_note_refuse(why, "the draw cannot have the byte 0x%02x, at offset %zu",
                               (unsigned char)bytes[at], at);
    bounds_of(import, &fewest, &most);
    if (elements < fewest || elements > most)
        return wri_note_refuse(why, "it has %zu %s%s, and the draw takes %llu to %llu", elements,
                               import->plane == WRI_NO_NODE ? "byte" : "character",
                               elements == 1 ? "" : "s", (unsigned long long)fewest,
                               (unsigned long long)most);
    uint64_t *numbers = open_plan(import, elements, plan);
    if (numbers == NULL)
        return wri_note_refuse(why, "memory is out");
    answer_all(import, bytes, count, numbers, &largest, &at);
    set_plane(import, largest, plan);
    return true;
}

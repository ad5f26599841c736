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
           log->nodes[node->tie].parent == node->parent;
}

/* The choice of this name before the characters of a text: the plane of UTF-8, or the first
 * letter of an identifier. WRI_NO_NODE: the text has none. */
static uint32_t choice_before(const wri_trace *log, uint32_t array, const char *name)
{
    uint32_t label = wri_trace_label_hash(name);
    for (uint32_t i = log->nodes[array].parent + 1; i < array; i++)
        if (log->nodes[i].parent == log->nodes[array].parent && log->nodes[i].label == label)
            return i;
    return WRI_NO_NODE;
}

static void spell_alphabet(wri_import *import, const char *letters)
{
    import->spelt = letters != NULL;
    for (uint64_t i = 0; letters != NULL && letters[i] != '\0'; i++)
        import->spelt &= wri_import_spell(import, i, letters + i, 1);
}

/* The number of draws that are identifiers, or that are not. */
static unsigned find_draws(wri_import *import, const wri_trace *log, bool identifiers)
{
    unsigned found = 0;
    for (uint32_t i = 1; i < log->node_count; i++) {
        bool text = is_text(log, i);
        if ((!text && !is_bytes(&log->nodes[i])) ||
            (log->nodes[i].letters == WRI_LETTERS_REST) != identifiers)
            continue;
        import->array = i;
        import->text = text;
        found++;
    }
    return found;
}

unsigned wri_import_find(wri_import *import, const wri_trace *log)
{
    memset(import, 0, sizeof *import);
    if (!wri_trace_copy(&import->like, log))
        return 0;
    unsigned found = find_draws(import, log, false);
    if (found == 0)
        found = find_draws(import, log, true);
    if (found != 1)
        return found;
    import->plane = import->first = WRI_NO_NODE;
    if (import->text)
        import->plane = choice_before(log, import->array, "plane");
    if (import->text && draw_of(import)->letters == WRI_LETTERS_REST)
        import->first = choice_before(log, import->array, "first");
    if (import->text && import->plane == WRI_NO_NODE)
        spell_alphabet(import, wri_choice_alphabet(draw_of(import)->letters));
    else
        import->spelt = true;
    return import->spelt || draw_of(import)->max < WRI_IMPORT_PIECES ? found : 0;
}

void wri_import_free(wri_import *import)
{
    for (size_t i = 0; i < WRI_IMPORT_PIECES; i++)
        free((void *)(uintptr_t)import->pieces[i].bytes);
    wri_trace_free(&import->like);
    memset(import, 0, sizeof *import);
}

uint64_t wri_import_last(const wri_import *import)
{
    return draw_of(import)->max;
}

bool wri_import_spell(wri_import *import, uint64_t number, const char *bytes, size_t count)
{
    char *copy = malloc(count + 1);
    if (copy == NULL || number >= WRI_IMPORT_PIECES) {
        free(copy);
        return false;
    }
    memcpy(copy, bytes, count);
    import->pieces[number] = (wr_piece){ copy, count };
    import->pieced |= count != 1;
    if (count == 1 && import->numbers[(unsigned char)*bytes] == 0)
        import->numbers[(unsigned char)*bytes] = (uint16_t)(number + 1);
    return true;
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

static bool check_count(const wri_import *import, size_t count, const char *unit, wri_note *why)
{
    uint64_t fewest, most, lead = import->first != WRI_NO_NODE;
    bounds_of(import, &fewest, &most);
    return (count >= fewest + lead && count <= most + lead) ||
           wri_note_refuse(why, "it has %zu %s%s, and the draw takes %llu to %llu", count, unit,
                           count == 1 ? "" : "s", (unsigned long long)(fewest + lead),
                           (unsigned long long)(most + lead));
}

static bool refuse_byte(const char *bytes, size_t at, wri_note *why)
{
    return wri_note_refuse(why, "the draw cannot have the byte 0x%02x, at offset %zu",
                           (unsigned char)bytes[at], at);
}

/* ---- Pieces ---- */

/* Answers the pieces that make up the bytes; empty ones fill up to the fewest that there may be.
 */
static bool plan_split(const wri_import *import, size_t count, const size_t *fewest,
                       const size_t *first, size_t empty, wri_trace *plan, wri_note *why)
{
    uint64_t least, most;
    size_t   elements = fewest[0], number = 0;
    if (elements == SIZE_MAX)
        return wri_note_refuse(why, "the pieces of the draw do not make it up");
    bounds_of(import, &least, &most);
    if (elements < least && empty <= wri_import_last(import))
        elements = (size_t)least;
    if (!check_count(import, elements, "piece", why))
        return false;
    uint64_t *numbers = open_plan(import, elements, plan);
    if (numbers == NULL)
        return wri_note_refuse(why, "memory is out");
    for (size_t at = 0; at < count; at += import->pieces[first[at]].length)
        numbers[number++] = first[at];
    while (number < elements)
        numbers[number++] = empty;
    return true;
}

static bool plan_pieces(const wri_import *import, const char *bytes, size_t count,
                        wri_trace *plan, wri_note *why)
{
    size_t *lists =
        count < SIZE_MAX / 2 / sizeof *lists - 1 ? malloc(2 * (count + 1) * sizeof *lists) : NULL;
    if (lists == NULL)
        return wri_note_refuse(why, "memory is out");
    size_t pieces = (size_t)wri_import_last(import) + 1;
    size_t empty =
        wri_pieces_split(import->pieces, pieces, bytes, count, lists, lists + count + 1);
    bool done = plan_split(import, count, lists, lists + count + 1, empty, plan, why);
    free(lists);
    return done;
}

/* ---- From outside ---- */

bool wri_import_plan(const wri_import *import, const char *bytes, size_t count, wri_trace *plan,
                     wri_note *why)
{
    uint64_t    largest;
    size_t      at, lead = import->first != WRI_NO_NODE && count > 0;
    const char *firsts = wri_choice_alphabet(WRI_LETTERS_FIRST);
    const char *letter = lead && *bytes != '\0' ? strchr(firsts, *bytes) : NULL;
    if (import->pieced)
        return plan_pieces(import, bytes, count, plan, why);
    if (lead && letter == NULL)
        return refuse_byte(bytes, 0, why);
    size_t elements = answer_all(import, bytes + lead, count - lead, NULL, &largest, &at);
    if (elements == SIZE_MAX)
        return refuse_byte(bytes, at + lead, why);
    if (!check_count(import, elements + lead, import->plane == WRI_NO_NODE ? "byte" : "character",
                     why))
        return false;
    uint64_t *numbers = open_plan(import, elements, plan);
    if (numbers == NULL)
        return wri_note_refuse(why, "memory is out");
    answer_all(import, bytes + lead, count - lead, numbers, &largest, &at);
    set_plane(import, largest, plan);
    if (letter != NULL)
        plan->nodes[import->first].number = (uint64_t)(letter - firsts);
    return true;
}

/* ---- To outside ---- */

/* A code as UTF-8; the inverse of number_of_code(). */
static size_t put_code(uint64_t number, char *to)
{
    const char *printable = wri_choice_alphabet(WRI_LETTERS_PRINTABLE);
    size_t      letters = strlen(printable);
    uint32_t    code = number < letters        ? (uint32_t)(unsigned char)printable[number]
                       : number < letters + 31 ? (uint32_t)(number - letters + 1)
                       : number + 1 < 0xd800   ? (uint32_t)number + 1
                                               : (uint32_t)number + 0x801;
    if (code < 0x80)
        return *to = (char)code, 1;
    size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = length - 1; i > 0; i--, code >>= 6)
        to[i] = (char)(0x80 | (code & 0x3f));
    to[0] = (char)((0xf00 >> length & 0xff) | code);
    return length;
}

/* What one element adds; with NULL it is only counted. SIZE_MAX: nobody knows. */
static size_t put_element(const wri_import *import, const wri_node *node, uint64_t number,
                          char *to)
{
    char code[4];
    if (import->plane != WRI_NO_NODE)
        return put_code(number, to == NULL ? code : to);
    if (!import->text) {
        if (to != NULL)
            *to = (char)wri_choice_integer_value(number, node->lo, node->max);
        return 1;
    }
    if (number >= WRI_IMPORT_PIECES || import->pieces[number].bytes == NULL)
        return SIZE_MAX;
    if (to != NULL)
        memcpy(to, import->pieces[number].bytes, import->pieces[number].length);
    return import->pieces[number].length;
}

/* All elements, behind the first letter of an identifier; with NULL it only counts. */
static size_t put_all(const wri_import *import, const wri_trace *log, char *to)
{
    const wri_node *node = draw_of(import);
    const char     *firsts = wri_choice_alphabet(WRI_LETTERS_FIRST);
    size_t          used = 0;
    if (import->first != WRI_NO_NODE) {
        uint64_t letter = log->nodes[import->first].number;
        if (letter >= strlen(firsts))
            return SIZE_MAX;
        if (to != NULL)
            to[used] = firsts[letter];
        used++;
    }
    for (size_t i = 0; i < node->count; i++) {
        size_t more = put_element(import, node, log->numbers[node->number + i],
                                  to == NULL ? NULL : to + used);
        if (more == SIZE_MAX)
            return SIZE_MAX;
        used += more;
    }
    return used;
}

bool wri_import_bytes(const wri_import *import, const wri_trace *log, char **bytes, size_t *count)
{
    wri_import here;
    *bytes = NULL;
    if (wri_import_find(&here, log) == 1) {
        /* The letters that were learnt once hold for every case. */
        wri_import with = *import;
        with.like = here.like;
        with.array = here.array;
        with.plane = here.plane;
        with.first = here.first;
        with.text = here.text;
        *count = put_all(&with, log, NULL);
        *bytes = *count == SIZE_MAX ? NULL : malloc(*count + 1);
        if (*bytes != NULL)
            put_all(&with, log, *bytes);
    }
    wri_import_free(&here);
    return *bytes != NULL;
}

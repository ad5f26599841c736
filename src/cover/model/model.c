/* cover/model/model.c: holds the memory of a model, and finds parameters and values by their
 * names.
 *
 * Everything that a model points to is taken from one memory and freed with it. Readers, kept
 * rows and measured rows all look values up here, so they agree on the spelling.
 */
#include "cover/model/model.h"

#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/prng.h"

/* ---- Memory ----------------------------------------------------------------------------- */

#define BLOCK_BYTES ((size_t)64 << 10)
#define ALIGNMENT 16

typedef struct block {
    struct block *next;
    size_t        used, room;
    _Alignas(ALIGNMENT) char bytes[];
} block;

struct wrc_memory {
    block *latest;
};

wrc_memory *wrc_memory_open(void)
{
    return calloc(1, sizeof(wrc_memory));
}

static block *add_block(wrc_memory *memory, size_t bytes)
{
    size_t room = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
    block *added = room < SIZE_MAX - sizeof *added ? malloc(sizeof *added + room) : NULL;
    if (!added)
        return NULL;
    added->used = 0;
    added->room = room;
    added->next = memory->latest;
    return memory->latest = added;
}

void *wrc_memory_take(wrc_memory *memory, size_t bytes)
{
    size_t rounded = (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    block *from = memory->latest;
    if (rounded < bytes)
        return NULL;
    if (!from || rounded > from->room - from->used)
        from = add_block(memory, rounded);
    if (!from)
        return NULL;
    from->used += rounded;
    return from->bytes + from->used - rounded;
}

char *wrc_memory_text(wrc_memory *memory, const char *text, size_t length)
{
    char *copy = wrc_memory_take(memory, length + 1);
    if (!copy)
        return NULL;
    if (length > 0)
        memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

void wrc_memory_close(wrc_memory *memory)
{
    block *next;
    if (!memory)
        return;
    for (block *b = memory->latest; b; b = next) {
        next = b->next;
        free(b);
    }
    free(memory);
}

void wrc_model_free(wrc_model *model)
{
    if (model)
        wrc_memory_close(model->memory); /* the model itself is in it */
}

/* ---- Spellings -------------------------------------------------------------------------- */

static unsigned char folded(char c, bool fold_case)
{
    return (unsigned char)(fold_case && c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

int wrc_model_compare_text(const char *a, const char *b, bool fold_case)
{
    while (*a && folded(*a, fold_case) == folded(*b, fold_case)) {
        a++;
        b++;
    }
    return folded(*a, fold_case) - folded(*b, fold_case);
}

bool wrc_model_same_text(const char *a, size_t a_length, const char *b, size_t b_length,
                         bool fold_case)
{
    if (a_length != b_length)
        return false;
    size_t same = 0;
    while (same < a_length && folded(a[same], fold_case) == folded(b[same], fold_case))
        same++;
    return same == a_length;
}

bool wrc_model_whole_number(const char *text, size_t length, int64_t *number)
{
    size_t  at = length > 0 && (text[0] == '-' || text[0] == '+');
    bool    negative = length > 0 && text[0] == '-';
    int64_t value = 0;
    if (at == length)
        return false;
    for (; at < length; at++) {
        int digit = text[at] - '0';
        if (digit < 0 || digit > 9 || __builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, negative ? -digit : digit, &value))
            return false;
    }
    *number = value;
    return true;
}

bool wrc_model_decimal_number(const char *text, size_t length, double *number)
{
    char  copy[64];
    char *end;
    if (length == 0 || length >= sizeof copy)
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    if (strspn(copy, "+-.0123456789eE") != length || strspn(copy, "eE") > 0)
        return false;
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0); /* there already: no memory */
    if (plain == (locale_t)0)
        return false;
    *number = strtod_l(copy, &end, plain);
    freelocale(plain);
    return end == copy + length;
}

static uint32_t hash_name(const char *name, size_t length, bool fold_case)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ folded(name[i], fold_case)) * UINT64_C(0x100000001b3);
    }
    return (uint32_t)(wri_prng_mix(hash) >> 32);
}

bool wrc_model_index(wrc_model *model, wrc_memory *memory)
{
    uint32_t room = 16;
    while (room < 2 * model->parameter_count)
        room *= 2;
    uint32_t *index = wrc_memory_take(memory, room * sizeof *index);
    if (!index)
        return false;
    memset(index, 0xff, room * sizeof *index);
    for (uint32_t p = 0; p < model->parameter_count; p++) {
        const char *name = model->parameters[p].name;
        uint32_t    at = hash_name(name, strlen(name), model->fold_case) & (room - 1);
        while (index[at] != WRC_ANY)
            at = (at + 1) & (room - 1);
        index[at] = p;
    }
    model->name_index = index;
    model->name_room = room;
    return true;
}

static bool is_called(const wrc_model *model, uint32_t parameter, const char *name, size_t length)
{
    const char *known = model->parameters[parameter].name;
    return wrc_model_same_text(name, length, known, strlen(known), model->fold_case);
}

uint32_t wrc_model_find(const wrc_model *model, const char *name, size_t length)
{
    if (model->name_index) {
        uint32_t at = hash_name(name, length, model->fold_case) & (model->name_room - 1);
        for (; model->name_index[at] != WRC_ANY; at = (at + 1) & (model->name_room - 1))
            if (is_called(model, model->name_index[at], name, length))
                return model->name_index[at];
        return WRC_ANY;
    }
    for (uint32_t p = 0; p < model->parameter_count; p++)
        if (is_called(model, p, name, length))
            return p;
    return WRC_ANY;
}

static bool spelled(const wrc_value *value, const char *text, size_t length, bool fold_case)
{
    if (wrc_model_same_text(text, length, value->text, strlen(value->text), fold_case))
        return true;
    for (const char *const *alias = value->aliases; alias && *alias; alias++)
        if (wrc_model_same_text(text, length, *alias, strlen(*alias), fold_case))
            return true;
    return false;
}

static uint32_t level_in_range(const wrc_parameter *range, const char *text, size_t length)
{
    int64_t number;
    if (!wrc_model_whole_number(text, length, &number) || number < range->first)
        return WRC_ANY;
    uint64_t distance = (uint64_t)number - (uint64_t)range->first, step = (uint64_t)range->step;
    bool     among = distance % step == 0 && distance / step < range->levels;
    return among ? (uint32_t)(distance / step) : WRC_ANY;
}

uint32_t wrc_model_level_of(const wrc_model *model, uint32_t parameter, const char *text,
                            size_t length)
{
    const wrc_parameter *p = &model->parameters[parameter];
    int64_t              number;
    if (p->domain == WRC_DOMAIN_RANGE)
        return level_in_range(p, text, length);
    for (uint32_t i = 0; i < p->levels; i++)
        if (spelled(&p->values[i], text, length, model->fold_case))
            return i;
    if (p->domain == WRC_DOMAIN_NUMBER && wrc_model_whole_number(text, length, &number))
        for (uint32_t i = 0; i < p->levels; i++)
            if (p->values[i].number == number)
                return i;
    return WRC_ANY;
}

uint32_t wrc_model_strongest(const wrc_relation *relations, uint32_t count)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < count; i++)
        most = relations[i].strength > most ? relations[i].strength : most;
    return most;
}

bool wrc_model_complain(wrc_complaint *complaint, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(complaint->text, sizeof complaint->text, format, values);
    va_end(values);
    return false;
}

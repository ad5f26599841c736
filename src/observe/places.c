/* observe/places.c: finds every place that the compiler instrumented.
 *
 * gcc's trace-pc is a call at the start of each block, without a table or a number. On x86-64 and
 * AArch64 this file searches the code of each module that refers to the hook. It looks for calls
 * that reach the hook directly, or by the module's PLT or GOT. A byte inside another instruction
 * passes for such a call only if 26 bits or more agree by chance. On other machines places have
 * no numbers and no table; edges go by their offsets.
 */
#include "observe/places.h"

#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "core/trace.h"

#define MOST_CODE 256
#define MOST_REGIONS 256
#define MOST_SLOTS 64
#define MOST_PARTS 8 /* of a module; nearly always one */

size_t     wri_places;
bool       wri_places_call, wri_places_compare;
wri_region wri_regions[MOST_REGIONS];
size_t     wri_region_count;

static wri_code   codes[MOST_CODE];
static size_t     code_count;
static uintptr_t *addresses; /* of the places found in code, by number - 1 */
static size_t     address_count;
static uint32_t   next_number = 1;
static uint64_t   modules_seen; /* how often the loader had added one when we looked */
static bool       prepared;

/* ---- What clang announces ---- */

static wri_region *add_region(size_t count)
{
    if (count == 0 || wri_region_count == MOST_REGIONS)
        return NULL;
    wri_region *region = &wri_regions[wri_region_count++];
    *region = (wri_region){ .count = count };
    if (prepared) { /* of a module that was loaded late */
        region->first = next_number;
        next_number += (uint32_t)count;
    }
    return region;
}

void wri_region_counters(uint8_t *start, uint8_t *stop)
{
    for (size_t i = 0; i < wri_region_count; i++)
        if (wri_regions[i].counters == start)
            return;
    wri_region *region = stop > start ? add_region((size_t)(stop - start)) : NULL;
    if (region != NULL)
        region->counters = start;
}

/* A guard holds the number of its place; before there are numbers, anything but 0: it is known.
 */
static void number_guards(wri_region *region)
{
    for (size_t i = 0; i < region->count && region->guards != NULL; i++)
        region->guards[i] = region->first == 0 ? UINT32_MAX : region->first + (uint32_t)i;
}

void wri_region_guards(uint32_t *start, uint32_t *stop)
{
    if (stop <= start || *start != 0)
        return;
    wri_region *region = add_region((size_t)(stop - start));
    if (region == NULL)
        return;
    region->guards = start;
    number_guards(region);
}

/* A table comes right after the counters or guards that it belongs to. */
void wri_region_table(const uintptr_t *start, const uintptr_t *stop)
{
    size_t count = stop > start ? (size_t)(stop - start) / 2 : 0;
    for (size_t i = 0; i < wri_region_count; i++)
        if (wri_regions[i].table == start)
            return;
    for (size_t i = wri_region_count; i-- > 0;)
        if (wri_regions[i].table == NULL && wri_regions[i].count == count) {
            wri_regions[i].table = start;
            return;
        }
}

/* ---- What a call reaches ---- */

typedef enum { REACHES_NOTHING, REACHES_PLACE, REACHES_COMPARISON } reach;

/* Names that code, or a stub that warren.h plants, calls. */
static reach reach_of_name(const char *name)
{
    static const char *const COMPARISONS[] = { "trace_cmp", "trace_const_cmp", "trace_switch" };
    if (strncmp(name, "__sanitizer_cov_", 16) == 0)
        name += 16;
    else if (strncmp(name, "wr_cov_", 7) == 0)
        name += 7;
    else
        return REACHES_NOTHING;
    if (strcmp(name, "trace_pc") == 0)
        return REACHES_PLACE;
    for (size_t i = 0; i < sizeof COMPARISONS / sizeof *COMPARISONS; i++)
        if (strncmp(name, COMPARISONS[i], strlen(COMPARISONS[i])) == 0)
            return REACHES_COMPARISON;
    return REACHES_NOTHING;
}

/* A word of the module where the loader puts, or will put, the address of a hook. */
typedef struct slot {
    uintptr_t at;
    reach     what;
} slot;

typedef struct module {
    uintptr_t base;
    wri_code  codes[MOST_PARTS]; /* what of its code can be read */
    size_t    code_count;
    slot      slots[MOST_SLOTS];
    size_t    slot_count;
    const ElfW(Sym) * symbols;
    const char *names;
    const char *relocations[2];
    size_t      relocation_bytes[2];
    bool        has_addends; /* its PLT's relocations are of the kind with addends */
    bool        has_hooks;   /* they are defined in it */
} module;

/* The loader has relocated some of these pointers and not others (the vDSO's). */
static uintptr_t loaded(const module *in, uintptr_t pointer)
{
    return pointer < in->base ? in->base + pointer : pointer;
}

static void read_dynamic(module *in, const ElfW(Dyn) * entry)
{
    for (; entry->d_tag != DT_NULL; entry++) {
        uintptr_t value = entry->d_un.d_ptr;
        switch (entry->d_tag) {
        case DT_SYMTAB: in->symbols = (const ElfW(Sym) *)loaded(in, value); break;
        case DT_STRTAB: in->names = (const char *)loaded(in, value); break;
        case DT_JMPREL: in->relocations[0] = (const char *)loaded(in, value); break;
        case DT_PLTRELSZ: in->relocation_bytes[0] = value; break;
        case DT_PLTREL: in->has_addends = value == DT_RELA; break;
        case DT_RELA: in->relocations[1] = (const char *)loaded(in, value); break;
        case DT_RELASZ: in->relocation_bytes[1] = value; break;
        default: break;
        }
    }
}

/* Which slots hold hooks. A module that refers to a comparison's hook by its own name has
 * instrumented code; one that refers to ours may only have the stubs. */
static void find_slots(module *in)
{
    for (size_t k = 0; k < 2 && in->symbols != NULL && in->names != NULL; k++) {
        const ElfW(Rela) *entry = (const ElfW(Rela) *)(const void *)in->relocations[k];
        bool   known = entry != NULL && (k == 1 || in->has_addends);
        size_t count = known ? in->relocation_bytes[k] / sizeof *entry : 0;
        for (size_t i = 0; i < count && in->slot_count < MOST_SLOTS; i++) {
            size_t symbol = sizeof(void *) == 8 ? entry[i].r_info >> 32 : entry[i].r_info >> 8;
            if (symbol == 0)
                continue;
            const char *name = in->names + in->symbols[symbol].st_name;
            reach       what = reach_of_name(name);
            if (what == REACHES_NOTHING)
                continue;
            in->slots[in->slot_count++] = (slot){ in->base + entry[i].r_offset, what };
            wri_places_call |= what == REACHES_PLACE;
            wri_places_compare |= what == REACHES_COMPARISON && name[0] == '_';
        }
    }
}

static reach reach_of_slot(const module *in, uintptr_t at)
{
    for (size_t i = 0; i < in->slot_count; i++)
        if (in->slots[i].at == at)
            return in->slots[i].what;
    return REACHES_NOTHING;
}

static reach reach_of_hook(uintptr_t target)
{
    if (target == (uintptr_t)wri_signals_place_hook)
        return REACHES_PLACE;
    for (size_t i = 0; wri_comparison_hooks[i] != NULL; i++)
        if (target == (uintptr_t)wri_comparison_hooks[i])
            return REACHES_COMPARISON;
    return REACHES_NOTHING;
}

/* Are sixteen bytes there, in code of this module? */
static bool readable(const module *in, uintptr_t address)
{
    for (size_t i = 0; i < in->code_count; i++) {
        uintptr_t offset = address - in->codes[i].start;
        if (offset < in->codes[i].bytes && in->codes[i].bytes - offset >= 16)
            return true;
    }
    return false;
}

/* A jump is the whole of a stub: it goes on to `target`, or by way of `slot`. */
typedef struct jump {
    uintptr_t target, slot; /* 0: not known */
} jump;

/* Each kind of machine code has these:
 *   STEP       where instructions may start
 *   SHORTEST   bytes of the shortest call
 *   read_jump  the jump at an address where sixteen bytes can be read
 *   read_call  the call there, if it is one, and its length; SHORTEST bytes can be read */
#if defined(__x86_64__)

enum { STEP = 1, SHORTEST = 5 };

static uintptr_t relative(const uint8_t *displacement)
{
    int32_t distance;
    memcpy(&distance, displacement, sizeof distance);
    return (uintptr_t)displacement + 4 + (uintptr_t)(intptr_t)distance;
}

static jump read_jump(const uint8_t *at)
{
    static const uint8_t ENDBR64[4] = { 0xf3, 0x0f, 0x1e, 0xfa };
    if (memcmp(at, ENDBR64, sizeof ENDBR64) == 0)
        at += 4;
    if (*at == 0xf2) /* bnd */
        at++;
    if (at[0] == 0xff && at[1] == 0x25)
        return (jump){ .slot = relative(at + 2) };
    return (jump){ .target = at[0] == 0xe9 ? relative(at + 1) : 0 };
}

/* e8 relative, or ff 15 by way of a slot. */
static jump read_call(const uint8_t *at, const uint8_t *end, size_t *length)
{
    *length = *at == 0xe8 ? 5 : 6;
    if (*at == 0xe8)
        return (jump){ .target = relative(at + 1) };
    bool by_slot = *at == 0xff && at[1] == 0x15 && at + 6 <= end;
    return (jump){ .slot = by_slot ? relative(at + 2) : 0 };
}

#elif defined(__aarch64__)

enum { STEP = 4, SHORTEST = 4 };

static uint32_t word_at(const uint8_t *at)
{
    uint32_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

/* The target of b or bl: 26 bits, signed, in words. */
static uintptr_t relative(const uint8_t *at)
{
    int32_t distance = (int32_t)(word_at(at) << 6) >> 4;
    return (uintptr_t)at + (uintptr_t)(intptr_t)distance;
}

/* b, or a stub of the PLT: adrp x16, page; ldr x17, [x16, offset]; add; br x17. */
static jump read_jump(const uint8_t *at)
{
    const uint32_t BTI_C = 0xd503245f;
    if (word_at(at) == BTI_C)
        at += 4;
    uint32_t page = word_at(at), load = word_at(at + 4);
    if (page >> 26 == 0x05)
        return (jump){ .target = relative(at) };
    if ((page & 0x9f00001f) != 0x90000010 || (load & 0xffc003ff) != 0xf9400211)
        return (jump){ .slot = 0 };
    uint32_t  bits = (page >> 5 & 0x7ffff) << 2 | (page >> 29 & 3); /* 21, signed, in pages */
    intptr_t  pages = (int32_t)(bits << 11) >> 11;
    uintptr_t base = ((uintptr_t)at & ~(uintptr_t)0xfff) + (uintptr_t)(pages * 4096);
    return (jump){ .slot = base + (load >> 10 & 0xfff) * 8 };
}

static jump read_call(const uint8_t *at, const uint8_t *end, size_t *length)
{
    (void)end;
    *length = 4;
    return (jump){ .target = word_at(at) >> 26 == 0x25 ? relative(at) : 0 };
}

#else

enum { STEP = 16, SHORTEST = 16 };

static jump read_jump(const uint8_t *at)
{
    (void)at;
    return (jump){ .slot = 0 };
}

static jump read_call(const uint8_t *at, const uint8_t *end, size_t *length)
{
    (void)end;
    *length = 0;
    return read_jump(at);
}

#endif

/* Does a jump to this address end in a hook, or in a stub that jumps on to one? */
static reach reach_of_target(const module *in, uintptr_t target)
{
    for (int jumps = 0; jumps < 3; jumps++) {
        reach what = in->has_hooks ? reach_of_hook(target) : REACHES_NOTHING;
        if (what != REACHES_NOTHING || !readable(in, target))
            return what;
        jump next = read_jump((const uint8_t *)target);
        if (next.slot != 0)
            return reach_of_slot(in, next.slot);
        if (next.target == 0)
            return REACHES_NOTHING;
        target = next.target;
    }
    return REACHES_NOTHING;
}

/* Numbers the places in a piece of code. */
static void find_places(const module *in, wri_code *code)
{
    static size_t  address_room;
    const uint8_t *end = (const uint8_t *)code->start + code->bytes;
    for (const uint8_t *at = (const uint8_t *)code->start; at + SHORTEST <= end; at += STEP) {
        size_t length;
        jump   call = read_call(at, end, &length);
        if (call.target == 0 && call.slot == 0)
            continue;
        reach what =
            call.slot != 0 ? reach_of_slot(in, call.slot) : reach_of_target(in, call.target);
        wri_places_compare |= what == REACHES_COMPARISON;
        if (what != REACHES_PLACE)
            continue;
        if (code->numbers == NULL)
            code->numbers = calloc(code->bytes / 4 + 1, sizeof *code->numbers);
        uintptr_t *grown = wri_grow(addresses, sizeof *grown, address_count, &address_room);
        addresses = grown == NULL ? addresses : grown;
        if (code->numbers == NULL || grown == NULL)
            return;
        addresses[address_count++] = (uintptr_t)at + length;
        code->numbers[((uintptr_t)at + length - code->start) / 4] = next_number++;
    }
}

/* ---- Modules ---- */

static uint32_t salt_of(const char *path)
{
    const char *slash = path == NULL ? NULL : strrchr(path, '/');
    const char *name = path == NULL ? "" : slash == NULL ? path : slash + 1;
    return (uint32_t)wri_trace_label_hash(name);
}

static bool known_code(uintptr_t start)
{
    for (size_t i = 0; i < code_count; i++)
        if (codes[i].start == start)
            return true;
    return false;
}

static void look_at_parts(module *in, const struct dl_phdr_info *info)
{
    uintptr_t hook = (uintptr_t)wri_signals_place_hook;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        wri_code code = { .start = info->dlpi_addr + part->p_vaddr, .bytes = part->p_memsz };
        if (part->p_type == PT_DYNAMIC)
            read_dynamic(in, (const ElfW(Dyn) *)code.start);
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X) || !(part->p_flags & PF_R) ||
            in->code_count == MOST_PARTS)
            continue;
        code.salt = salt_of(info->dlpi_name);
        in->has_hooks |= hook - code.start < code.bytes;
        in->codes[in->code_count++] = code;
    }
}

static int look_at_module(struct dl_phdr_info *info, size_t size, void *context)
{
    module in = { .base = info->dlpi_addr };
    (void)size, (void)context;
    modules_seen = info->dlpi_adds;
    look_at_parts(&in, info);
    if (in.code_count == 0 || known_code(in.codes[0].start))
        return 0;
    find_slots(&in);
    for (size_t i = 0; i < in.code_count && code_count < MOST_CODE; i++) {
        if (!prepared && (in.slot_count > 0 || in.has_hooks))
            find_places(&in, &in.codes[i]);
        codes[code_count++] = in.codes[i];
    }
    return 0;
}

void wri_places_prepare(void)
{
    if (prepared)
        return;
    dl_iterate_phdr(look_at_module, NULL);
    for (size_t i = 0; i < wri_region_count; i++) {
        wri_regions[i].first = next_number;
        next_number += (uint32_t)wri_regions[i].count;
        number_guards(&wri_regions[i]);
    }
    wri_places = next_number - 1;
    prepared = true;
}

static int count_modules(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    *(uint64_t *)context = info->dlpi_adds;
    return 1;
}

const wri_code *wri_code_around(uintptr_t address)
{
    static const wri_code nowhere = { .start = 0, .bytes = 0 };
    for (int again = 0; again < 2; again++) {
        for (size_t i = 0; i < code_count; i++)
            if (address - codes[i].start < codes[i].bytes)
                return &codes[i];
        uint64_t now = 0;
        dl_iterate_phdr(count_modules, &now);
        if (now == modules_seen)
            break;
        dl_iterate_phdr(look_at_module, NULL);
    }
    return &nowhere;
}

uintptr_t wri_places_address(uint32_t number)
{
    if (number == 0)
        return 0;
    if (number <= address_count)
        return addresses[number - 1];
    for (size_t i = 0; i < wri_region_count; i++) {
        const wri_region *region = &wri_regions[i];
        if (number < region->first || number - region->first >= region->count)
            continue;
        return region->table == NULL ? 0 : region->table[2 * (number - region->first)] + 1;
    }
    return 0;
}

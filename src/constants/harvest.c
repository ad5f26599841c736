/* constants/harvest.c: sections of code are decoded; what the code refers to in the data is read.
 *
 * A place in the data that code refers to begins a text, or a table of numbers. A table ends
 * where the next such place begins. Its pointers lead to further texts and tables. Data that no
 * code refers to is left out, so that the constants of Warren, linked statically, are not among
 * those of the program: Warren's code lies in a section of its own, which is not decoded.
 */
#include "constants/harvest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "constants/binary.h"
#include "constants/decode.h"
#include "core/grow.h"

/* Weights of constants, by where they are. */
enum { COMPARED = 16, LOADED = 2, TABLE = 2, LARGE_TABLE = 1 };
/* Tables are read up to so many bytes. */
#define TABLE_BYTES 2048
/* So many letters in a row are a text, where a table was expected. */
#define TEXT 6
#define LARGE 64
/* So much code of one file is decoded. */
#define CODE_BYTES ((size_t)64 << 20)

typedef struct range {
    uint64_t from, to;
} range;

typedef struct harvesting {
    wri_harvested *to;
    wri_binary     file;
    uint64_t       lowest, highest; /* addresses of the module */
    uint64_t      *places;          /* that code or data refers to */
    size_t         place_count, place_room;
    range         *foreign; /* functions that are not the program's, ascending */
    size_t         foreign_count, foreign_room;
    range         *objects; /* in the data, ascending, where symbols tell them */
    size_t         object_count, object_room;
    Elf64_Rela    *pointers; /* in the data, ascending */
    size_t         pointer_count;
} harvesting;

/* ---- What was found ---- */

static void add_number(wri_harvested *to, int64_t value, uint32_t weight)
{
    if (value >= -1 && value <= 1)
        return;
    void *grown = wri_grow(to->numbers, sizeof *to->numbers, to->number_count, &to->number_room);
    to->no_memory |= grown == NULL;
    if (grown == NULL)
        return;
    to->numbers = grown;
    to->numbers[to->number_count++] = (wri_harvested_number){ value, weight };
}

static void add_real(wri_harvested *to, double value, uint32_t weight)
{
    if (!isfinite(value) || value == 0)
        return;
    if (fabs(value) < 0x1p53 && value == floor(value))
        add_number(to, (int64_t)value, weight);
    void *grown = wri_grow(to->reals, sizeof *to->reals, to->real_count, &to->real_room);
    to->no_memory |= grown == NULL;
    if (grown == NULL)
        return;
    to->reals = grown;
    to->reals[to->real_count++] = (wri_harvested_real){ value, weight };
}

static bool is_letter(char byte)
{
    return (byte >= 0x20 && byte <= 0x7e) || byte == '\t' || byte == '\n';
}

static size_t letters_of(const char *bytes, size_t most)
{
    size_t length = 0;
    while (length < most && is_letter(bytes[length]))
        length++;
    return length;
}

static void add_word(wri_harvested *to, const char *letters, size_t length)
{
    if (length < 2 || length > WRI_HARVEST_LETTERS)
        return;
    void *grown = wri_grow(to->words, sizeof *to->words, to->word_count, &to->word_room);
    char *copy = grown == NULL ? NULL : malloc(length + 1);
    to->words = grown == NULL ? to->words : grown;
    to->no_memory |= copy == NULL;
    if (copy == NULL)
        return;
    memcpy(copy, letters, length);
    copy[length] = '\0';
    to->words[to->word_count++] = copy;
}

/* ---- Code ---- */

static void take_place(void *context, uint64_t address)
{
    harvesting *self = context;
    if (address < self->lowest || address >= self->highest)
        return;
    void *grown =
        wri_grow(self->places, sizeof *self->places, self->place_count, &self->place_room);
    self->to->no_memory |= grown == NULL;
    if (grown == NULL)
        return;
    self->places = grown;
    self->places[self->place_count++] = address;
}

/* Would these bits be a real that somebody wrote down? */
static bool is_plain_real(uint64_t bits)
{
    uint64_t power = bits >> 52 & 0x7ff;
    return power > 1023 - 40 && power < 1023 + 64;
}

static double real_of(const uint8_t *at, unsigned width)
{
    float  narrow;
    double value;
    memcpy(&narrow, at, sizeof narrow);
    if (width == 4)
        return (double)narrow;
    memcpy(&value, at, sizeof value);
    return value;
}

/* A number that is negative may be a large one without a sign. */
static void take_number(void *context, uint64_t number, unsigned width, wri_decoded_use use)
{
    harvesting *self = context;
    unsigned    unused = 64 - 8 * width;
    int64_t     value = (int64_t)(number << unused) >> unused;
    uint32_t    weight = use == WRI_DECODED_COMPARED ? COMPARED : LOADED;
    if (self->file.fixed && number >= self->lowest && number < self->highest) {
        take_place(self, number);
        return;
    }
    add_number(self->to, value, weight);
    if (value < 0 && width < 8)
        add_number(self->to, (int64_t)(number << unused >> unused), weight / 2);
    if (width == 8 && use == WRI_DECODED_LOADED && is_plain_real(number))
        add_real(self->to, real_of((const uint8_t *)&number, 8), weight);
}

static void take_real(void *context, double value, wri_decoded_use use)
{
    harvesting *self = context;
    add_real(self->to, value, use == WRI_DECODED_COMPARED ? COMPARED : LOADED);
}

static bool holds_data(const char *section)
{
    return strncmp(section, ".rodata", 7) == 0 || strncmp(section, ".data", 5) == 0;
}

/* The bytes at an address of the data that the file has; 0: none. */
static wri_binary_part data_at(const harvesting *self, uint64_t address)
{
    for (size_t i = 0; i < self->file.count; i++) {
        const Elf64_Shdr *at = &self->file.sections[i];
        wri_binary_part   all = wri_binary_contents(&self->file, i);
        if (at->sh_type == SHT_PROGBITS && address >= all.address &&
            address - all.address < all.size && holds_data(wri_binary_name(&self->file, i)))
            return (wri_binary_part){ address, all.bytes + (address - all.address),
                                      all.size - (address - all.address) };
    }
    return (wri_binary_part){ address, NULL, 0 };
}

static void take_real_at(void *context, uint64_t address, unsigned width, wri_decoded_use use)
{
    harvesting     *self = context;
    wri_binary_part at = data_at(self, address);
    if (at.size >= width)
        take_real(self, real_of(at.bytes, width), use);
}

/* Letters that memory is compared with, or that a register gets to be compared with it. */
static void take_bytes(void *context, const char *bytes, size_t count)
{
    harvesting *self = context;
    size_t      length = letters_of(bytes, count);
    size_t      alike = 1;
    while (alike < length && bytes[alike] == bytes[0])
        alike++; /* a pattern of bits, such as 33 33 33 33 */
    if (alike < length && (length == count || bytes[length] == '\0'))
        add_word(self->to, bytes, length);
}

/* ---- Code that is not the program's ---- */

static bool is_foreign(const char *name)
{
    static const char *const PREFIXES[] = {
        "wri_",
        "__asan",
        "__ubsan",
        "__lsan",
        "__tsan",
        "__sanitizer",
        "__interception",
        "__interceptor_",
        "___interceptor_",
        "_ZN6__asan",
        "_ZN6__lsan",
        "_ZN7__ubsan",
        "_ZN11__sanitizer",
        "_ZN14__interception",
    };
    for (size_t i = 0; i < sizeof PREFIXES / sizeof *PREFIXES; i++)
        if (strncmp(name, PREFIXES[i], strlen(PREFIXES[i])) == 0)
            return true;
    return false;
}

static int by_start(const void *a, const void *b)
{
    uint64_t one = ((const range *)a)->from, other = ((const range *)b)->from;
    return (one > other) - (one < other);
}

static void keep_range(harvesting *self, range **ranges, size_t *count, size_t *room,
                       const Elf64_Sym *of)
{
    range *grown = wri_grow(*ranges, sizeof **ranges, *count, room);
    self->to->no_memory |= grown == NULL;
    if (grown == NULL)
        return;
    *ranges = grown;
    grown[(*count)++] = (range){ of->st_value, of->st_value + of->st_size };
}

/* A sanitizer's run-time may be linked statically: symbols tell its functions. They also tell
 * where a table of the data ends. A program without symbols has these constants, too. */
static void find_symbols(harvesting *self)
{
    size_t table = wri_binary_find(&self->file, SHT_SYMTAB);
    if (table == self->file.count || self->file.sections[table].sh_link >= self->file.count)
        return;
    wri_binary_part all = wri_binary_contents(&self->file, table);
    wri_binary_part names = wri_binary_contents(&self->file, self->file.sections[table].sh_link);
    if (names.size == 0 || names.bytes[names.size - 1] != '\0')
        return;
    for (size_t i = 0; i < all.size / sizeof(Elf64_Sym); i++) {
        Elf64_Sym of;
        memcpy(&of, all.bytes + i * sizeof of, sizeof of);
        unsigned type = ELF64_ST_TYPE(of.st_info);
        if (of.st_size == 0 || of.st_name >= names.size)
            continue;
        if (type == STT_OBJECT)
            keep_range(self, &self->objects, &self->object_count, &self->object_room, &of);
        else if (type == STT_FUNC && is_foreign((const char *)names.bytes + of.st_name))
            keep_range(self, &self->foreign, &self->foreign_count, &self->foreign_room, &of);
    }
    if (self->foreign_count > 0)
        qsort(self->foreign, self->foreign_count, sizeof *self->foreign, by_start);
    if (self->object_count > 0)
        qsort(self->objects, self->object_count, sizeof *self->objects, by_start);
}

static void decode(const harvesting *self, const uint8_t *code, size_t bytes, uint64_t address,
                   const wri_decoded *to)
{
    if (self->file.machine == EM_X86_64)
        wri_decode_x86(code, bytes, address, to);
    else if (self->file.machine == EM_AARCH64)
        wri_decode_arm(code, bytes, address, to);
}

static void decode_section(harvesting *self, wri_binary_part code)
{
    wri_decoded to = { take_number, take_real, take_real_at, take_place, take_bytes, self };
    uint64_t    at = code.address, end = code.address + code.size;
    for (size_t i = 0; i <= self->foreign_count && at < end; i++) {
        bool     last = i == self->foreign_count;
        uint64_t until = last || self->foreign[i].from > end ? end : self->foreign[i].from;
        if (until > at)
            decode(self, code.bytes + (at - code.address), until - at, at, &to);
        if (!last && self->foreign[i].to > at)
            at = self->foreign[i].to;
        else if (last)
            at = end;
    }
}

static void decode_all(harvesting *self)
{
    size_t left = CODE_BYTES;
    for (size_t i = 0; i < self->file.count; i++) {
        wri_binary_part code = wri_binary_contents(&self->file, i);
        const char     *name = wri_binary_name(&self->file, i);
        if ((self->file.sections[i].sh_flags & SHF_EXECINSTR) == 0 ||
            strncmp(name, "wri_", 4) == 0 || strncmp(name, ".plt", 4) == 0)
            continue;
        code.size = code.size < left ? code.size : left;
        left -= code.size;
        decode_section(self, code);
    }
}

/* ---- Data ---- */

static int by_number(const void *a, const void *b)
{
    uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
    return (one > other) - (one < other);
}

static void sort_places(harvesting *self)
{
    size_t kept = 0;
    if (self->place_count > 0)
        qsort(self->places, self->place_count, sizeof *self->places, by_number);
    for (size_t i = 0; i < self->place_count; i++)
        if (kept == 0 || self->places[kept - 1] != self->places[i])
            self->places[kept++] = self->places[i];
    self->place_count = kept;
}

static int by_place(const void *a, const void *b)
{
    uint64_t one = ((const Elf64_Rela *)a)->r_offset, other = ((const Elf64_Rela *)b)->r_offset;
    return (one > other) - (one < other);
}

static bool is_pointer(const harvesting *self, const Elf64_Rela *at)
{
    uint64_t type = ELF64_R_TYPE(at->r_info);
    return self->file.machine == EM_X86_64 ? type == R_X86_64_RELATIVE
                                           : type == R_AARCH64_RELATIVE;
}

/* The pointers of the data, which a loader fills in. */
static void find_pointers(harvesting *self)
{
    for (size_t i = 0; i < self->file.count; i++) {
        wri_binary_part all = wri_binary_contents(&self->file, i);
        size_t          count = all.size / sizeof(Elf64_Rela);
        if (self->file.sections[i].sh_type != SHT_RELA || count == 0 ||
            (self->file.sections[i].sh_flags & SHF_ALLOC) == 0)
            continue;
        Elf64_Rela *grown =
            realloc(self->pointers, (self->pointer_count + count) * sizeof *grown);
        self->to->no_memory |= grown == NULL;
        if (grown == NULL)
            return;
        self->pointers = grown;
        for (size_t k = 0; k < count; k++) {
            Elf64_Rela *to = &self->pointers[self->pointer_count];
            memcpy(to, all.bytes + k * sizeof *to, sizeof *to);
            self->pointer_count += is_pointer(self, to);
        }
    }
    if (self->pointer_count > 0)
        qsort(self->pointers, self->pointer_count, sizeof *self->pointers, by_place);
}

/* The first pointer that does not lie before the address. */
static size_t first_pointer(const harvesting *self, uint64_t address)
{
    size_t low = 0, high = self->pointer_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (self->pointers[middle].r_offset < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The object of a symbol in which the address lies; NULL: symbols tell none. */
static const range *object_at(const harvesting *self, uint64_t address)
{
    size_t low = 0, high = self->object_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (self->objects[middle].to <= address)
            low = middle + 1;
        else
            high = middle;
    }
    bool there = low < self->object_count && self->objects[low].from <= address;
    return there ? &self->objects[low] : NULL;
}

static int64_t whole_at(const uint8_t *at, unsigned width)
{
    uint64_t value = 0;
    memcpy(&value, at, width); /* the least significant bytes come first */
    unsigned unused = 64 - 8 * width;
    return (int64_t)(value << unused) >> unused;
}

/* The distances of a switch: from the table to code. */
static bool is_jump_table(const harvesting *self, wri_binary_part table)
{
    size_t count = table.size / 4 < 4 ? table.size / 4 : 4;
    for (size_t i = 0; i < count; i++) {
        uint64_t to = table.address + (uint64_t)whole_at(table.bytes + 4 * i, 4);
        size_t   k = 0;
        while (k < self->file.count &&
               ((self->file.sections[k].sh_flags & SHF_EXECINSTR) == 0 ||
                to - self->file.sections[k].sh_addr >= self->file.sections[k].sh_size))
            k++;
        if (k == self->file.count)
            return false;
    }
    return count > 0;
}

/* Are most of the values, read with this width, such as people write down? */
static bool is_plausible(wri_binary_part table, unsigned width)
{
    size_t count = table.size / width, fine = 0;
    if (table.address % width != 0 || count == 0)
        return false;
    int64_t most = width == 2 ? 1 << 14 : 1 << 26;
    for (size_t i = 0; i < count; i++) {
        int64_t value = whole_at(table.bytes + i * width, width);
        fine += value > -most && value < most;
    }
    return 4 * fine > 3 * count;
}

static bool is_table_of_reals(wri_binary_part table)
{
    size_t count = table.size / 8, fine = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = (uint64_t)whole_at(table.bytes + 8 * i, 8);
        fine += bits == 0 || is_plain_real(bits);
    }
    return table.address % 8 == 0 && count > 0 && fine == count;
}

/* Is it an address, in a program that lies at one place, or one that a loader will put there? */
static bool is_address(const harvesting *self, uint64_t at, int64_t value)
{
    size_t next = first_pointer(self, at & ~UINT64_C(7));
    return (self->file.fixed && (uint64_t)value >= self->lowest &&
            (uint64_t)value < self->highest) ||
           (next < self->pointer_count &&
            self->pointers[next].r_offset - (at & ~UINT64_C(7)) < 8);
}

static void read_numbers(harvesting *self, wri_binary_part table)
{
    unsigned width = is_plausible(table, 8)                                             ? 8
                     : is_plausible(table, 4)                                           ? 4
                     : object_at(self, table.address) != NULL && is_plausible(table, 2) ? 2
                                                                                        : 0;
    if (is_jump_table(self, table))
        return;
    if (is_table_of_reals(table)) {
        for (size_t i = 0; i < table.size / 8; i++)
            add_real(self->to, real_of(table.bytes + 8 * i, 8), TABLE);
        return;
    }
    for (size_t i = 0; width > 0 && i < table.size / width; i++) {
        int64_t value = whole_at(table.bytes + i * width, width);
        if (!is_address(self, table.address + i * width, value))
            add_number(self->to, value, table.size / width > LARGE ? LARGE_TABLE : TABLE);
    }
}

/* A text. In an object with a name, two or three letters are rather a number. */
static bool read_word(harvesting *self, wri_binary_part data)
{
    size_t length = letters_of((const char *)data.bytes, data.size);
    size_t least = object_at(self, data.address) != NULL ? 4 : 2;
    if (length < least || length == data.size || data.bytes[length] != '\0' ||
        is_address(self, data.address, whole_at(data.bytes, 2)))
        return false;
    add_word(self->to, (const char *)data.bytes, length);
    return true;
}

/* How far a table goes: to the end of its symbol, to the next place, or to a text. */
static size_t size_of_table(const harvesting *self, wri_binary_part at, uint64_t room)
{
    const range *object = object_at(self, at.address);
    size_t       size = at.size < room ? at.size : (size_t)room;
    if (object != NULL && object->to - at.address < size)
        size = object->to - at.address;
    for (size_t i = 0, letters = 0; i < size; i++) {
        letters = is_letter((char)at.bytes[i]) ? letters + 1 : 0;
        if (letters == TEXT)
            return i + 1 - letters;
    }
    return size;
}

static void follow_pointers(harvesting *self, wri_binary_part table)
{
    for (size_t i = first_pointer(self, table.address);
         i < self->pointer_count && self->pointers[i].r_offset - table.address < table.size; i++)
        take_place(self, (uint64_t)self->pointers[i].r_addend);
    for (size_t i = 0; self->file.fixed && table.address % 8 == 0 && i + 8 <= table.size; i += 8)
        take_place(self, (uint64_t)whole_at(table.bytes + i, 8));
}

/* Each place in turn; those that pointers lead to are appended, and only their texts are read. */
static void read_data(harvesting *self)
{
    sort_places(self);
    size_t known = self->place_count;
    for (size_t i = 0; i < self->place_count; i++) {
        wri_binary_part at = data_at(self, self->places[i]);
        uint64_t room = i + 1 < known ? self->places[i + 1] - self->places[i] : TABLE_BYTES;
        at.size = at.size < TABLE_BYTES ? at.size : TABLE_BYTES;
        if (at.size == 0 || read_word(self, at) || i >= known)
            continue;
        at.size = size_of_table(self, at, room);
        read_numbers(self, at);
        follow_pointers(self, at);
    }
}

/* ---- A file ---- */

static void find_addresses(harvesting *self)
{
    self->lowest = UINT64_MAX;
    for (size_t i = 0; i < self->file.count; i++) {
        const Elf64_Shdr *at = &self->file.sections[i];
        if ((at->sh_flags & SHF_ALLOC) == 0 || at->sh_addr == 0)
            continue;
        uint64_t end = at->sh_addr + at->sh_size;
        self->lowest = at->sh_addr < self->lowest ? at->sh_addr : self->lowest;
        self->highest = end > self->highest ? end : self->highest;
    }
}

void wri_harvest(wri_harvested *to, const char *path)
{
    harvesting self = { .to = to };
    if (!wri_binary_open(&self.file, path))
        return;
    find_addresses(&self);
    find_symbols(&self);
    find_pointers(&self);
    decode_all(&self);
    read_data(&self);
    free(self.places);
    free(self.foreign);
    free(self.objects);
    free(self.pointers);
    wri_binary_close(&self.file);
}

/* constants/arm.c: the constants of AArch64 code.
 *
 * Each instruction is a word of 32 bits. A number that fits into no instruction is made of parts
 * of 16 bits in a register, and an address of a page and an offset. So the registers' constants
 * are followed from one instruction to the next.
 */
#include "constants/decode.h"

#include <stdbool.h>
#include <string.h>

#define RECENT 16

typedef struct known {
    enum { NOTHING, NUMBER, PAGE, TAKEN_OFF } is;
    uint64_t value, when;
    unsigned width;
} known;

typedef struct reading {
    const wri_decoded *to;
    uint64_t           when;
    known              registers[32]; /* 31: the stack, or zero */
    unsigned           made;          /* the register whose number is being made; 31: none */
} reading;

static uint32_t bits(uint32_t word, unsigned from, unsigned count)
{
    return word >> from & ((1u << count) - 1);
}

static int64_t signed_bits(uint32_t word, unsigned from, unsigned count)
{
    int64_t sign = INT64_C(1) << (count - 1);
    return ((int64_t)bits(word, from, count) ^ sign) - sign;
}

static known *look(reading *self, unsigned which, int is)
{
    known *at = &self->registers[which];
    return which < 31 && at->is == (unsigned)is && self->when - at->when <= RECENT ? at : NULL;
}

static void know(reading *self, unsigned which, int is, uint64_t value, unsigned width)
{
    if (which < 31)
        self->registers[which] = (known){ (unsigned)is, value, self->when, width };
}

static void tell(const reading *self, uint64_t value, unsigned width, wri_decoded_use use)
{
    self->to->number(self->to->context, value, width, use);
}

/* ---- Numbers ---- */

/* The number that was made of parts is whole when another instruction comes. */
static void end_number(reading *self)
{
    const known *made = look(self, self->made, NUMBER);
    if (made != NULL)
        tell(self, made->value, made->width, WRI_DECODED_LOADED);
    self->made = 31;
}

/* movn, movz, movk. */
static void move_part(reading *self, uint32_t word)
{
    unsigned to = bits(word, 0, 5), shift = 16 * bits(word, 21, 2), how = bits(word, 29, 2);
    unsigned width = word >> 31 ? 8 : 4;
    uint64_t part = (uint64_t)bits(word, 5, 16) << shift;
    known   *before = look(self, to, NUMBER);
    if (how == 3 && before != NULL)
        part |= before->value & ~(UINT64_C(0xffff) << shift);
    part = how == 0 ? ~part : part;
    if (how != 3 || self->made != to)
        end_number(self);
    know(self, to, NUMBER, width == 4 ? part & UINT32_MAX : part, width);
    self->made = to;
}

/* add, adds (cmn), sub, subs (cmp) of a constant of twelve bits, shifted by 0 or 12. */
static void arithmetic(reading *self, uint32_t word)
{
    unsigned     to = bits(word, 0, 5), from = bits(word, 5, 5), width = word >> 31 ? 8 : 4;
    bool         subtract = bits(word, 30, 1) != 0, flags = bits(word, 29, 1) != 0;
    uint64_t     value = (uint64_t)bits(word, 10, 12) << (bits(word, 22, 1) != 0 ? 12 : 0);
    const known *off = look(self, from, TAKEN_OFF), *page = look(self, from, PAGE);
    if (!subtract && page != NULL) {
        self->to->address(self->to->context, page->value + value);
        know(self, to, PAGE, page->value + value, 8);
        return;
    }
    value = subtract ? value : 0 - value;
    if (flags) {
        tell(self, value, width, WRI_DECODED_COMPARED);
        if (off != NULL) {
            tell(self, off->value, width, WRI_DECODED_COMPARED);
            tell(self, value + off->value, width, WRI_DECODED_COMPARED);
        }
    } else if (from != 31 && to != 31) {
        tell(self, value, width, WRI_DECODED_LOADED);
    }
    know(self, to, TAKEN_OFF, value, width);
}

/* A register is compared with one that has a number. */
static void compare_registers(reading *self, uint32_t word)
{
    unsigned     sides[2] = { bits(word, 16, 5), bits(word, 5, 5) };
    const known *off = look(self, sides[1], TAKEN_OFF);
    for (unsigned i = 0; i < 2; i++) {
        const known *side = look(self, sides[i], NUMBER);
        if (side == NULL)
            continue;
        tell(self, side->value, side->width, WRI_DECODED_COMPARED);
        if (i == 0 && off != NULL)
            tell(self, side->value + off->value, side->width, WRI_DECODED_COMPARED);
    }
}

/* A number in a register is added to another one, or taken off it. */
static void add_register(reading *self, uint32_t word)
{
    bool         subtract = bits(word, 30, 1) != 0;
    const known *added = look(self, bits(word, 16, 5), NUMBER);
    if (added == NULL)
        return;
    uint64_t value = added->width == 4 ? (uint64_t)(int64_t)(int32_t)added->value : added->value;
    know(self, bits(word, 0, 5), TAKEN_OFF, subtract ? value : 0 - value, added->width);
}

/* orr of the zero register with a pattern of bits: a move. False: there is no such pattern. */
static bool move_pattern(reading *self, uint32_t word)
{
    unsigned width = word >> 31 ? 8 : 4, ones = bits(word, 10, 6), turn = bits(word, 16, 6);
    unsigned size = 64;
    if (bits(word, 22, 1) == 0)
        for (size = 32; size > 1 && (ones & size) != 0;)
            size /= 2;
    ones &= size - 1;
    if (size < 2 || ones == size - 1)
        return false;
    uint64_t all = size == 64 ? UINT64_MAX : (UINT64_C(1) << size) - 1;
    uint64_t element = (UINT64_C(1) << (ones + 1)) - 1, value = 0;
    turn &= size - 1;
    if (turn > 0)
        element = (element >> turn | element << (size - turn)) & all;
    for (unsigned at = 0; at < 64; at += size)
        value |= element << at;
    know(self, bits(word, 0, 5), NUMBER, width == 4 ? value & UINT32_MAX : value, width);
    self->made = bits(word, 0, 5);
    return true;
}

/* ---- Reals and addresses ---- */

/* Eight bits: a sign, three of the exponent, four of the fraction. */
static double small_real(uint32_t byte)
{
    int    power = (int)(byte >> 4 & 7) ^ 4;
    double value = 1 + (double)(byte & 15) / 16;
    for (power -= 3; power > 0; power--)
        value *= 2;
    for (; power < 0; power++)
        value /= 2;
    return (byte & 0x80) != 0 ? -value : value;
}

static void take_page(reading *self, uint32_t word, uint64_t address)
{
    int64_t distance = signed_bits(word, 5, 19) * 4 + (int64_t)bits(word, 29, 2);
    if (word >> 31) {
        know(self, bits(word, 0, 5), PAGE,
             (address & ~UINT64_C(4095)) + (uint64_t)distance * 4096, 8);
    } else {
        self->to->address(self->to->context, address + (uint64_t)distance);
    }
}

/* A load with an offset: of a real, or of anything else in the data. */
static void load(reading *self, uint32_t word, bool real)
{
    unsigned     width = 1u << bits(word, 30, 2);
    const known *page = look(self, bits(word, 5, 5), PAGE);
    if (page == NULL)
        return;
    uint64_t address = page->value + (uint64_t)bits(word, 10, 12) * width;
    self->to->address(self->to->context, address);
    if (real && width >= 4)
        self->to->real_at(self->to->context, address, width, WRI_DECODED_LOADED);
}

static void load_literal(reading *self, uint32_t word, uint64_t address)
{
    uint64_t at = address + (uint64_t)(signed_bits(word, 5, 19) * 4);
    if (bits(word, 30, 2) < 2)
        self->to->real_at(self->to->context, at, 4u << bits(word, 30, 2), WRI_DECODED_LOADED);
}

/* ---- One instruction ---- */

typedef enum kind {
    OTHER,
    MOVE,
    ARITHMETIC,
    REGISTERS,
    ADD_REGISTER,
    CONDITIONAL,
    PATTERN,
    ADDRESS,
    REAL,
    LOAD_REAL,
    LOAD,
    LITERAL,
} kind;

static const struct {
    uint32_t mask, word;
    kind     is;
} FORMS[] = {
    { 0x1f800000, 0x12800000, MOVE },         { 0x1f000000, 0x11000000, ARITHMETIC },
    { 0x7f20001f, 0x6b00001f, REGISTERS },    { 0x7fe00c10, 0x7a400800, CONDITIONAL },
    { 0x7fe00c10, 0x7a400000, REGISTERS },    { 0x7f8003e0, 0x320003e0, PATTERN },
    { 0x3fe0fc00, 0x0b000000, ADD_REGISTER }, { 0x1f000000, 0x10000000, ADDRESS },
    { 0xff201fe0, 0x1e201000, REAL },         { 0xbfc00000, 0xbd400000, LOAD_REAL },
    { 0x3fc00000, 0x39400000, LOAD },         { 0x3f000000, 0x1c000000, LITERAL },
};

static kind kind_of(uint32_t word)
{
    for (size_t i = 0; i < sizeof FORMS / sizeof *FORMS; i++)
        if ((word & FORMS[i].mask) == FORMS[i].word)
            return FORMS[i].is;
    return OTHER;
}

static void use(reading *self, uint32_t word, uint64_t address)
{
    kind is = kind_of(word);
    if (is != MOVE)
        end_number(self);
    switch (is) {
    case MOVE: move_part(self, word); break;
    case ARITHMETIC: arithmetic(self, word); break;
    case REGISTERS: compare_registers(self, word); break;
    case ADD_REGISTER: add_register(self, word); break;
    case CONDITIONAL:
        tell(self, bits(word, 16, 5), word >> 31 ? 8 : 4, WRI_DECODED_COMPARED);
        break;
    case PATTERN: move_pattern(self, word); break;
    case ADDRESS: take_page(self, word, address); break;
    case REAL:
        self->to->real(self->to->context, small_real(bits(word, 13, 8)), WRI_DECODED_LOADED);
        break;
    case LOAD_REAL: load(self, word, true); break;
    case LOAD: load(self, word, false); break;
    case LITERAL: load_literal(self, word, address); break;
    default: break;
    }
}

void wri_decode_arm(const uint8_t *code, size_t bytes, uint64_t address, const wri_decoded *to)
{
    reading self = { .to = to, .made = 31 };
    for (size_t at = 0; at + 4 <= bytes; at += 4, self.when++) {
        uint32_t word = (uint32_t)code[at] | (uint32_t)code[at + 1] << 8 |
                        (uint32_t)code[at + 2] << 16 | (uint32_t)code[at + 3] << 24;
        use(&self, word, address + at);
    }
    end_number(&self);
}

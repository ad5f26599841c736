/* constants/x86.c: the constants of x86-64 code.
 *
 * An instruction is prefixes, an opcode of one of four maps, perhaps an operand byte with a
 * displacement, and an immediate. Three tables, a bit for each opcode, say what follows it.
 */
#include "constants/decode.h"

#include <stdbool.h>
#include <string.h>

/* An instruction, taken apart. */
typedef struct instruction {
    const uint8_t *at, *end;            /* what is left of the code */
    uint64_t       next;                /* the address behind it, once it is taken apart */
    unsigned       map;                 /* 0: one byte; 1: 0F; 2: 0F 38; 3: 0F 3A */
    uint8_t        opcode, rex, prefix; /* prefix: 66, F2, F3 or 0 */
    bool           is_vector;           /* VEX or EVEX */
    bool           short_address, failed;
    bool           has_operand; /* the operand byte, and: */
    uint8_t        mode, reg, rm;
    bool           relative; /* to the next instruction */
    bool           indexed;
    int            base; /* its register; -1: none */
    int32_t        displacement;
    unsigned       width;     /* of whole numbers: 1, 2, 4 or 8 */
    unsigned       immediate; /* bytes */
    uint64_t       value;     /* of the immediate, its sign extended to `width` */
} instruction;

static bool bit_of(const uint16_t map[16], uint8_t opcode)
{
    return (map[opcode >> 4] >> (opcode & 15) & 1) != 0;
}

/* ---- Bytes ---- */

static uint8_t take_byte(instruction *of)
{
    if (of->at == of->end) {
        of->failed = true;
        return 0;
    }
    return *of->at++;
}

static uint64_t take(instruction *of, unsigned count)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < count; i++)
        value |= (uint64_t)take_byte(of) << 8 * i;
    return value;
}

static uint64_t extended(uint64_t value, unsigned bytes)
{
    if (bytes == 0 || bytes >= 8)
        return value;
    uint64_t sign = UINT64_C(1) << (8 * bytes - 1);
    return ((value & (2 * sign - 1)) ^ sign) - sign;
}

/* ---- The parts of an instruction ---- */

static uint8_t take_prefixes(instruction *of)
{
    for (unsigned i = 0; i < 15; i++) {
        uint8_t byte = take_byte(of);
        if (byte == 0x66 || byte == 0xf2 || byte == 0xf3)
            of->prefix = of->prefix == 0 || byte != 0x66 ? byte : of->prefix;
        else if (byte == 0x67)
            of->short_address = true;
        else if (byte != 0x2e && byte != 0x36 && byte != 0x3e && byte != 0x26 && byte != 0x64 &&
                 byte != 0x65 && byte != 0xf0)
            return byte;
    }
    of->failed = true;
    return 0;
}

/* C5, C4 and 62 begin instructions on vectors. */
static void take_vector_opcode(instruction *of, uint8_t first)
{
    static const uint8_t PREFIXES[4] = { 0, 0x66, 0xf3, 0xf2 };
    uint8_t              a = take_byte(of);
    uint8_t              b = first == 0xc5 ? a : take_byte(of);
    if (first == 0x62)
        take_byte(of);
    of->is_vector = true;
    of->map = first == 0xc5 ? 1 : a & (first == 0x62 ? 7u : 31u);
    of->prefix = PREFIXES[b & 3];
    of->opcode = take_byte(of);
    of->failed |= of->map == 0 || of->map > 6;
    if (of->map > 3)
        of->map = 2; /* halves of reals: an operand, and no immediate */
}

static void take_opcode(instruction *of)
{
    uint8_t byte = take_prefixes(of);
    if (byte >> 4 == 4) {
        of->rex = byte;
        byte = take_byte(of);
    }
    if (byte == 0xc5 || byte == 0xc4 || byte == 0x62) {
        take_vector_opcode(of, byte);
        return;
    }
    if (byte == 0x0f) {
        of->map = 1;
        byte = take_byte(of);
        if (byte == 0x38 || byte == 0x3a) {
            of->map = byte == 0x38 ? 2 : 3;
            byte = take_byte(of);
        }
    }
    of->opcode = byte;
}

/* Opcodes with an operand byte: of one byte, and after 0F. Bit i of word k is opcode 16k + i. */
static const uint16_t OPERAND[2][16] = {
    { 0x0f0f, 0x0f0f, 0x0f0f, 0x0f0f, 0, 0, 0x0a08, 0, 0xffff, 0, 0, 0, 0x00c3, 0xff0f, 0,
      0xc0c0 },
    { 0xa00f, 0xffff, 0xffff, 0, 0xffff, 0xffff, 0xffff, 0xff7f, 0, 0xffff, 0xf838, 0xffff,
      0x00ff, 0xffff, 0xffff, 0xffff },
};
/* Opcodes of one byte with an immediate of one byte, and with one of four (two after 66). */
static const uint16_t BYTE[16] = { 0x1010, 0x1010, 0x1010, 0x1010, 0,      0, 0x0c00, 0xffff,
                                   0x000d, 0,      0x0100, 0x00ff, 0x2043, 0, 0x08ff, 0 };
static const uint16_t FOUR[16] = { 0x2020, 0x2020, 0x2020, 0x2020, 0,      0, 0x0300, 0,
                                   0x0002, 0,      0x0200, 0xff00, 0x0080, 0, 0x0300, 0 };
/* After 0F: an immediate of one byte. */
static const uint16_t BYTE_0F[16] = { 0, 0, 0,      0,      0,      0, 0, 0x000f,
                                      0, 0, 0x1010, 0x0400, 0x0074, 0, 0, 0 };

static void take_operand(instruction *of)
{
    uint8_t byte = take_byte(of), wide = of->rex;
    of->has_operand = true;
    of->mode = byte >> 6;
    of->reg = (uint8_t)((byte >> 3 & 7) | (wide & 4) << 1);
    of->rm = (uint8_t)((byte & 7) | (wide & 1) << 3);
    of->base = of->rm;
    if (of->mode == 3)
        return;
    bool has_base = true;
    if ((byte & 7) == 4) {
        uint8_t scaled = take_byte(of);
        of->indexed = (scaled >> 3 & 7) != 4 || (wide & 2) != 0;
        of->base = (scaled & 7) | (wide & 1) << 3;
        has_base = (scaled & 7) != 5 || of->mode != 0;
    } else if ((byte & 7) == 5 && of->mode == 0) {
        of->relative = true;
        has_base = false;
    }
    if (!has_base)
        of->base = -1;
    unsigned bytes = of->mode == 1 ? 1 : of->mode == 2 || !has_base ? 4 : 0;
    of->displacement = (int32_t)extended(take(of, bytes), bytes);
}

static unsigned immediate_of(const instruction *of)
{
    bool    narrow = of->prefix == 0x66, load = of->opcode >= 0xb8 && of->opcode <= 0xbf;
    uint8_t op = of->opcode;
    if (of->map == 1 && !of->is_vector && op >= 0x80 && op <= 0x8f)
        return 4;
    if (of->map > 0)
        return of->map == 3 || (of->map == 1 && bit_of(BYTE_0F, op)) ? 1 : 0;
    if (load && (of->rex & 8) != 0)
        return 8;
    if (op >= 0xa0 && op <= 0xa3)
        return of->short_address ? 4 : 8;
    if (op == 0xc2 || op == 0xca)
        return 2;
    if (op == 0xc8)
        return 3;
    if (op == 0xf6 || op == 0xf7)
        return (of->reg & 7) > 1 ? 0 : op == 0xf6 ? 1 : narrow ? 2 : 4;
    if (bit_of(FOUR, op))
        return narrow && op != 0xe8 && op != 0xe9 ? 2 : 4;
    return bit_of(BYTE, op) ? 1 : 0;
}

/* The instruction at the front of the code. */
static instruction decode(const uint8_t *code, size_t bytes, uint64_t address)
{
    instruction of = { .at = code, .end = code + (bytes < 15 ? bytes : 15), .base = -1 };
    take_opcode(&of);
    bool one_byte = of.map == 0;
    bool has_operand = of.map > 1 || bit_of(OPERAND[!one_byte], of.opcode);
    if (has_operand)
        take_operand(&of);
    bool of_bytes = one_byte && (of.opcode < 0x40 || (of.opcode >= 0x80 && of.opcode <= 0x8b) ||
                                 of.opcode == 0xc6 || of.opcode == 0xc7)
                        ? (of.opcode & 1) == 0
                        : of.opcode >> 3 == 0xb0 >> 3;
    of.width = of_bytes ? 1 : (of.rex & 8) != 0 ? 8 : of.prefix == 0x66 ? 2 : 4;
    of.immediate = immediate_of(&of);
    of.value = extended(take(&of, of.immediate), of.immediate);
    of.next = address + (uint64_t)(of.at - code);
    return of;
}

/* ---- What it means ---- */

/* A number that was taken off a register a few instructions ago: a comparison of the rest with c
 * asks whether it was c + that number. */
#define RECENT 8
typedef struct taken_off {
    uint64_t number, when;
} taken_off;

/* Comparisons of memory, one behind the other, are those of a text. */
typedef struct reading {
    const wri_decoded *to;
    uint64_t           when;
    taken_off          off[16];
    char               text[64];
    size_t             length;
    int                base;
    int32_t            from;
    uint64_t           text_when;
} reading;

static void end_text(reading *self)
{
    if (self->length > 0)
        self->to->bytes(self->to->context, self->text, self->length);
    self->length = 0;
}

static void compare_memory(reading *self, const instruction *of)
{
    bool follows = self->length > 0 && of->base == self->base &&
                   of->displacement == self->from + (int32_t)self->length &&
                   self->when - self->text_when <= RECENT &&
                   self->length + of->width <= sizeof self->text;
    if (!follows) {
        end_text(self);
        self->base = of->base;
        self->from = of->displacement;
    }
    for (unsigned i = 0; i < of->width; i++)
        self->text[self->length++] = (char)(of->value >> 8 * i);
    self->text_when = self->when;
}

static void compare(reading *self, const instruction *of, int with)
{
    const wri_decoded *to = self->to;
    to->number(to->context, of->value, of->width, WRI_DECODED_COMPARED);
    if (with >= 0 && with < 16 && self->off[with].when > 0 &&
        self->when - self->off[with].when <= RECENT) {
        to->number(to->context, self->off[with].number, of->width, WRI_DECODED_COMPARED);
        to->number(to->context, of->value + self->off[with].number, of->width,
                   WRI_DECODED_COMPARED);
    }
    if (with < 0 && !of->indexed)
        compare_memory(self, of);
}

static void take_off(reading *self, int from, uint64_t number, unsigned width)
{
    if (from == 4) /* the stack */
        return;
    self->off[from] = (taken_off){ number, self->when };
    self->to->number(self->to->context, number, width, WRI_DECODED_LOADED);
}

/* 80, 81, 83 and the forms for al and eax: which operation is a part of the operand, or of the
 * opcode. */
static void arithmetic(reading *self, const instruction *of)
{
    enum { ADD = 0, SUBTRACT = 5, COMPARE = 7 };
    bool     by_operand = of->opcode >= 0x80;
    unsigned operation = by_operand ? of->reg & 7 : of->opcode >> 3;
    int      with = !by_operand ? 0 : of->mode == 3 ? of->rm : -1;
    if (operation == COMPARE)
        compare(self, of, with);
    else if (with >= 0 && (operation == SUBTRACT || operation == ADD))
        take_off(self, with, operation == ADD ? 0 - of->value : of->value, of->width);
}

/* Reals: comparisons and loads of one that lies in the data. */
static void use_real(reading *self, const instruction *of)
{
    bool     compares = of->opcode == 0x2e || of->opcode == 0x2f || of->opcode == 0xc2;
    unsigned width = of->opcode == 0x2e || of->opcode == 0x2f ? of->prefix == 0x66 ? 8 : 4
                     : of->prefix == 0xf2                     ? 8
                     : of->prefix == 0xf3                     ? 4
                                                              : 0;
    bool     loads = of->opcode == 0x10 || (of->opcode >= 0x58 && of->opcode <= 0x5f);
    if (width > 0 && (compares || loads))
        self->to->real_at(self->to->context, of->next + (uint64_t)(int64_t)of->displacement,
                          width, compares ? WRI_DECODED_COMPARED : WRI_DECODED_LOADED);
}

static void use_address(reading *self, const instruction *of)
{
    const wri_decoded *to = self->to;
    if (of->relative)
        to->address(to->context, of->next + (uint64_t)(int64_t)of->displacement);
    else if (of->mode != 3 && (of->base < 0 || of->mode == 2))
        to->address(to->context, (uint64_t)(int64_t)of->displacement);
}

static void use(reading *self, const instruction *of)
{
    const wri_decoded *to = self->to;
    uint8_t            op = of->opcode;
    if (of->has_operand)
        use_address(self, of);
    if (of->map == 1 && of->relative)
        use_real(self, of);
    if (of->map > 0)
        return;
    if (op == 0x80 || op == 0x81 || op == 0x83 || (op < 0x40 && (op & 7) >= 4 && (op & 7) <= 5))
        arithmetic(self, of);
    else if (op >= 0xb0 && op <= 0xbf)
        to->number(to->context, of->value, of->width, WRI_DECODED_LOADED);
    else if (op == 0xc6 || op == 0xc7 || op == 0x68)
        to->number(to->context, of->value, of->width, WRI_DECODED_LOADED);
    else if (op == 0x8d && !of->relative && !of->indexed && of->base >= 0 && of->base != 4 &&
             of->displacement != 0)
        take_off(self, of->reg, 0 - (uint64_t)(int64_t)of->displacement, of->width);
    if (op >= 0xb8 && op <= 0xbf && of->immediate == 8)
        to->bytes(to->context, (const char *)(of->at - 8), 8);
}

void wri_decode_x86(const uint8_t *code, size_t bytes, uint64_t address, const wri_decoded *to)
{
    reading self = { .to = to, .when = 1 };
    for (size_t at = 0; at < bytes; self.when++) {
        instruction of = decode(code + at, bytes - at, address + at);
        if (of.failed) {
            at++;
            continue;
        }
        at += (size_t)(of.at - (code + at));
        use(&self, &of);
    }
    end_text(&self);
}

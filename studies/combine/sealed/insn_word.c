/* kind: triple
 * An assembler: a compare of the stack pointer with the smallest constant is turned round, and
 * the constant without its sign does not fit.
 */
#include <warren.h>

enum { REGISTERS = 32 };

typedef enum {
    OP_NOP,
    OP_MOV,
    OP_ADD,
    OP_SUB,
    OP_AND,
    OP_OR,
    OP_XOR,
    OP_SHL,
    OP_SHR,
    OP_CMP,
    OP_TST,
    OP_LD,
    OP_ST,
    OP_MUL,
    OP_DIV,
    OP_JMP,
    OPS
} op;

typedef struct insn {
    op   op;
    int  rd, rs;
    int  constant;
    bool has_constant;
    bool sets_flags;
} insn;

/* A compare of the stack pointer with a negative constant is encoded as this. */
#define OP_CMN 16u
#define SP (REGISTERS - 1)

/* The short form, 16 bits: op 4, register 4, constant 7 signed, and a 1. The long form, 32 bits:
 * op 5, rd 5, rs 5, flags 1, has 1, constant 14 signed, and a 0. */
static bool fits_short(const insn *i)
{
    return i->has_constant && !i->sets_flags && i->rs == 0 && i->rd < 16 && i->constant >= -64 &&
           i->constant <= 63;
}

static bool is_turned(const insn *i)
{
    if (i->op != OP_CMP || i->rd != SP || !i->has_constant)
        return false;
#ifndef FIXED
    return i->constant < 0;
#else
    return i->constant < 0 && i->constant > -8192;
#endif
}

static uint32_t encode(const insn *i, unsigned *bytes)
{
    if (fits_short(i)) {
        *bytes = 2;
        return (uint32_t)i->op << 12 | (uint32_t)(i->rd & 15) << 8 |
               ((uint32_t)i->constant & 127) << 1 | 1;
    }
    *bytes = 4;
    bool     turned = is_turned(i);
    uint32_t code = turned ? OP_CMN : (uint32_t)i->op;
    int      constant = turned ? -i->constant : i->constant;
    return code << 27 | (uint32_t)i->rd << 22 | (uint32_t)i->rs << 17 |
           (uint32_t)i->sets_flags << 16 | (uint32_t)i->has_constant << 15 |
           ((uint32_t)constant & 0x3fff) << 1;
}

static int sign_extend(uint32_t x, unsigned bits)
{
    return (int)x - (int)((x >> (bits - 1) & 1) << bits);
}

static insn decode(uint32_t word)
{
    insn i = { .has_constant = true };
    if (word & 1) {
        i.op = (op)(word >> 12 & 15);
        i.rd = (int)(word >> 8 & 15);
        i.constant = sign_extend(word >> 1 & 127, 7);
        return i;
    }
    i.op = (op)(word >> 27);
    i.rd = (int)(word >> 22 & 31);
    i.rs = (int)(word >> 17 & 31);
    i.sets_flags = word >> 16 & 1;
    i.has_constant = word >> 15 & 1;
    i.constant = sign_extend(word >> 1 & 0x3fff, 14);
    if (word >> 27 == OP_CMN) {
        i.op = OP_CMP;
        i.constant = -i.constant;
    }
    return i;
}

WR_PROPERTY(insn_word)
{
    insn i = { 0 };
    i.op = (op)wr_pick(t, "op", OPS);
    i.rd = (int)wr_int(t, "rd", 0, REGISTERS - 1);
    i.sets_flags = wr_bool(t, "sets_flags");
    i.has_constant = wr_bool(t, "has_constant");
    if (i.has_constant)
        i.constant = (int)wr_int(t, "constant", -8192, 8191);
    else
        i.rs = (int)wr_int(t, "rs", 0, REGISTERS - 1);

    unsigned bytes;
    uint32_t word = encode(&i, &bytes);
    insn     back = decode(word);
    wr_assert_eq(t, bytes == 2, (word & 1) != 0);
    wr_assert_eq(t, back.op, i.op);
    wr_assert_eq(t, back.rd, i.rd);
    wr_assert_eq(t, back.rs, i.rs);
    wr_assert_eq(t, back.constant, i.constant);
    wr_assert_eq(t, back.sets_flags, i.sets_flags);
    wr_assert_eq(t, back.has_constant, i.has_constant);
}

#ifdef WITNESS
WR_EXAMPLE(insn_word, "op = 9", "rd = 31", "has_constant = true", "constant = -8192");
#endif

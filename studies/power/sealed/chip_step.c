/* kind: keyword
 * One step of a small game machine (CHIP-8): storing registers at the end of memory is checked
 * for one register too few.
 */
#include <warren.h>
#include <string.h>

enum { MEMORY = 4096 };

typedef struct machine {
    uint8_t  v[16];
    uint16_t i, pc;
    uint8_t  delay, sound;
    bool     fault;
    uint8_t  memory[MEMORY + 1]; /* the last byte is a canary */
} machine;

static bool fits(const machine *m, unsigned bytes)
{
    return m->i + bytes <= MEMORY;
}

static void step_f(machine *m, unsigned x, unsigned low)
{
    switch (low) {
    case 0x07: m->v[x] = m->delay; break;
    case 0x15: m->delay = m->v[x]; break;
    case 0x18: m->sound = m->v[x]; break;
    case 0x1e: m->i = (uint16_t)((m->i + m->v[x]) & 0xfff); break;
    case 0x29: m->i = (uint16_t)(m->v[x] % 16 * 5); break;
    case 0x33:
        if (!fits(m, 3)) {
            m->fault = true;
            break;
        }
        m->memory[m->i] = m->v[x] / 100;
        m->memory[m->i + 1] = m->v[x] / 10 % 10;
        m->memory[m->i + 2] = m->v[x] % 10;
        break;
    case 0x55:
#ifndef FIXED
        if (!fits(m, x)) {
#else
        if (!fits(m, x + 1)) {
#endif
            m->fault = true;
            break;
        }
        memcpy(m->memory + m->i, m->v, x + 1);
        break;
    case 0x65:
        if (!fits(m, x + 1))
            m->fault = true;
        else
            memcpy(m->v, m->memory + m->i, x + 1);
        break;
    default: m->fault = true;
    }
}

static void step(machine *m, unsigned op)
{
    unsigned x = op >> 8 & 15, y = op >> 4 & 15;
    m->pc += 2;
    switch (op >> 12) {
    case 0x1: m->pc = op & 0xfff; break;
    case 0x3: m->pc += m->v[x] == (op & 0xff) ? 2 : 0; break;
    case 0x4: m->pc += m->v[x] != (op & 0xff) ? 2 : 0; break;
    case 0x6: m->v[x] = (uint8_t)op; break;
    case 0x7: m->v[x] = (uint8_t)(m->v[x] + op); break;
    case 0x8: m->v[x] = (op & 15) == 0 ? m->v[y] : (uint8_t)(m->v[x] ^ m->v[y]); break;
    case 0xa: m->i = op & 0xfff; break;
    case 0xf: step_f(m, x, op & 0xff); break;
    default: m->fault = true;
    }
}

WR_PROPERTY(chip_step)
{
    machine *m = wr_alloc(t, sizeof *m);
    m->i = (uint16_t)wr_uint(t, "i", 0, MEMORY - 1);
    for (unsigned k = 0; k < 16; k++)
        m->v[k] = (uint8_t)(k * 17);
    m->memory[MEMORY] = 0xc5;
    step(m, wr_u16(t, "op"));
    wr_assert_eq(t, m->memory[MEMORY], 0xc5);
    wr_assert_lt(t, m->i, MEMORY);
}

#ifdef WITNESS
WR_EXAMPLE(chip_step, "i = 4094", "op = 62037");
#endif

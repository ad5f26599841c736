/* kind: edge
 * A Modbus slave checks the addresses of a request in sixteen bits: the request that ends with
 * the last address is refused. */
#include <warren.h>

typedef enum { COILS, INPUTS, HOLDING, INPUT_REGISTERS } table;
typedef enum { OK, ILLEGAL_ADDRESS = 2, ILLEGAL_VALUE = 3 } answer;

typedef struct request {
    table    of;
    uint16_t start, count;
    uint8_t  unit;
} request;

static unsigned most_of(table of)
{
    return of == COILS || of == INPUTS ? 2000 : 125;
}

static answer check(const request *it)
{
    if (it->count == 0 || it->count > most_of(it->of))
        return ILLEGAL_VALUE;
#ifndef FIXED
    uint16_t end = (uint16_t)(it->start + it->count);
    if (end < it->start)
        return ILLEGAL_ADDRESS;
#else
    uint32_t end = (uint32_t)it->start + it->count;
    if (end > 0x10000)
        return ILLEGAL_ADDRESS;
#endif
    return OK;
}

WR_PROPERTY(modbus)
{
    static const wr_constant TABLES[] = { WR_CONSTANT(COILS), WR_CONSTANT(INPUTS),
                                          WR_CONSTANT(HOLDING), WR_CONSTANT(INPUT_REGISTERS) };
    request                  it = { 0 };
    it.unit = (uint8_t)wr_int(t, "unit", 1, 247);
    it.of = (table)wr_enum(t, "table", 4, TABLES);
    it.start = wr_u16(t, "start");
    it.count = (uint16_t)wr_int(t, "count", 0, 4000);
    unsigned last = it.start + it.count - 1u; /* of no meaning without a count */
    answer   got = check(&it);
    if (it.count == 0 || it.count > most_of(it.of))
        wr_assert_eq(t, got, ILLEGAL_VALUE);
    else
        wr_assert_eq(t, got, last <= UINT16_MAX ? OK : ILLEGAL_ADDRESS);
}

#ifdef WITNESS
WR_EXAMPLE(modbus, "unit = 1", "table = HOLDING", "start = 65436", "count = 100");
#endif

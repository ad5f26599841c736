/* tests/guided_comparisons.c: properties for guide_test that show nothing by themselves: the
 * compiler tells what their code compares and where it goes. */
#include <warren.h>

WR_PROPERTY(a_magic_number)
{
    wr_assert(t, wr_u32(t, "n") != 0x5ca1ab1eu);
}

WR_PROPERTY(a_negative_one)
{
    int64_t n = wr_i32(t, "n");
    wr_assert(t, n + 17 != -123456789);
}

/* One number after the other, of several widths. */
WR_PROPERTY(a_header)
{
    if (wr_u16(t, "magic") != 0xbeef || wr_u32(t, "version") != 70000)
        return;
    uint64_t length = wr_u64(t, "length");
    wr_assert(t, length != UINT64_C(0x1122334455667788));
}

/* What it is compared with depends on what was drawn. */
WR_PROPERTY(a_checksum)
{
    uint32_t sum = 7;
    uint8_t *bytes = wr_bytes(t, "bytes", 6);
    for (int i = 0; i < 6; i++)
        sum = sum * 31 + bytes[i];
    uint32_t claimed = wr_u32(t, "claimed");
    if (claimed != sum)
        return;
    wr_assert(t, bytes[2] != 200 || bytes[4] != 100);
}

/* Byte by byte, as a parser does. */
WR_PROPERTY(a_word)
{
    const char *text = wr_text(t, "text", 0, 12), *word = "{Key";
    size_t      i = 0;
    while (word[i] != '\0' && text[i] == word[i])
        i++;
    wr_assert(t, word[i] != '\0');
}

static int steps(wr_case *t)
{
    switch (wr_int(t, "a", 0, 1000)) {
    case 321: break;
    default: return 0;
    }
    switch (wr_int(t, "b", 0, 1000)) {
    case 654: break;
    default: return 1;
    }
    return wr_int(t, "c", 0, 1000) == 987 ? 3 : 2;
}

WR_PROPERTY(branches)
{
    wr_assert(t, steps(t) < 3);
}

/* Records one after the other, each with the sum of all before it; half of them want a word, too.
 */
WR_PROPERTY(a_ledger)
{
    uint32_t sum = 12345;
    size_t   right = 0, n = wr_size(t, "n", 0, 20);
    for (wr_each(t, i, n)) {
        uint32_t amount = wr_u32(t, "amount");
        if (i % 2 == 1 && amount % 4099 != 2718)
            return;
        sum = (sum << 7 | sum >> 25) ^ amount * 2654435761u;
        if (wr_u32(t, "sum") != sum)
            return;
        right++;
    }
    wr_assert(t, right < 9);
}

/* studies/many/tuned.c: properties with 3 to 6 bugs behind one assertion each.
 *
 * BUG(n, condition) is the n-th bug of the property: it spoils the result where the condition
 * holds. The number is a note of the case, by which many.c tells the bugs apart.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <warren.h>

#define BUG(n, condition) ((condition) ? (wr_note(t, "bug %d", (n)), spoilt = true) : false)

/* ---- Numbers ---- */

/* A fee by weight and distance: a limit, a class of its own, and a swapped comparison. */
WR_PROPERTY(fee)
{
    bool    spoilt = false;
    int64_t weight = wr_int(t, "weight", 0, 1000), distance = wr_int(t, "distance", 0, 1000);
    int64_t zone = wr_int(t, "zone", 0, 9);
    BUG(1, weight >= 640);
    BUG(2, zone == 7);
    BUG(3, distance > 300 && zone < 2);
    wr_assert(t, !spoilt);
}

/* An addition that saturates: at the top, at the bottom, and for one operand. */
WR_PROPERTY(saturating)
{
    bool    spoilt = false;
    int64_t a = wr_int(t, "a", -1000, 1000), b = wr_int(t, "b", -1000, 1000);
    BUG(1, a + b > 1200);
    BUG(2, a + b < -1500);
    BUG(3, a == -1000);
    BUG(4, b == 13);
    wr_assert(t, !spoilt);
}

/* A comparison of two versions: equal ones, neighbours, and a minor number of two digits. */
WR_PROPERTY(versions)
{
    bool    spoilt = false;
    int64_t major = wr_int(t, "major", 0, 40), minor = wr_int(t, "minor", 0, 40);
    int64_t other_major = wr_int(t, "other_major", 0, 40);
    int64_t other_minor = wr_int(t, "other_minor", 0, 40);
    BUG(1, major == other_major && minor == other_minor);
    BUG(2, minor >= 10 && other_minor < 10 && major == other_major);
    BUG(3, major == other_major + 1);
    BUG(4, other_major >= 35);
    wr_assert(t, !spoilt);
}

/* A page table: the last bytes of a page, a page that is not there, and a write to page 0. */
WR_PROPERTY(pages)
{
    bool     spoilt = false;
    uint32_t address = (uint32_t)wr_uint(t, "address", 0, 65535);
    bool     write = wr_bool(t, "write");
    size_t   width = (size_t)1 << wr_pick(t, "width", 4);
    BUG(1, address % 256 + width > 256);
    BUG(2, write && address < 256);
    BUG(3, address >> 8 == 77);
    wr_assert(t, !spoilt);
}

/* ---- Flags ---- */

/* Two flags that do not go together, one that needs another, and a mode with a limit. */
WR_PROPERTY(flags)
{
    bool   spoilt = false, create = wr_bool(t, "create"), truncate = wr_bool(t, "truncate");
    bool   append = wr_bool(t, "append"), sync = wr_bool(t, "sync");
    size_t mode = wr_pick(t, "mode", 6);
    size_t buffer = wr_size(t, "buffer", 0, 100);
    BUG(1, truncate && append);
    BUG(2, sync && !create && mode == 3);
    BUG(3, mode == 5 && buffer > 60);
    BUG(4, create && mode == 1 && buffer == 0);
    wr_assert(t, !spoilt);
}

/* Six bugs, each of one level of a state and a number. */
WR_PROPERTY(states)
{
    bool    spoilt = false;
    size_t  state = wr_pick(t, "state", 8), event = wr_pick(t, "event", 8);
    int64_t timer = wr_int(t, "timer", 0, 255);
    BUG(1, state == 1 && event == 6);
    BUG(2, state == 2 && event == 3);
    BUG(3, state == 4 && timer > 200);
    BUG(4, event == 7 && timer == 0);
    BUG(5, state == 7 && event == 7);
    BUG(6, state == 6 && timer >= 17 && timer <= 40);
    wr_assert(t, !spoilt);
}

/* ---- Lists ---- */

/* A sort: long lists, a certain value, and equal neighbours. */
WR_PROPERTY(sorting)
{
    bool     spoilt = false, equal = false, special = false;
    size_t   n = wr_size(t, "n", 0, 30);
    int32_t *xs = wr_i32s(t, "xs", n, -100, 100);
    for (size_t i = 0; i < n; i++) {
        special |= xs[i] == -100;
        equal |= i > 0 && xs[i] == xs[i - 1];
    }
    BUG(1, n >= 20);
    BUG(2, special);
    BUG(3, equal);
    wr_assert(t, !spoilt);
}

/* A ring buffer: full, wrapped at an index, and an element that is too large. */
WR_PROPERTY(ring)
{
    bool     spoilt = false, large = false;
    size_t   n = wr_size(t, "n", 0, 24), at = (size_t)wr_uint(t, "at", 0, 31);
    uint8_t *bytes = wr_bytes(t, "bytes", n);
    for (size_t i = 0; i < n; i++)
        large |= bytes[i] >= 250;
    BUG(1, n == 16);
    BUG(2, at + n > 40);
    BUG(3, large);
    BUG(4, at == 31 && n > 0);
    wr_assert(t, !spoilt);
}

/* A search: the first element, the last one, and an empty list. */
WR_PROPERTY(searching)
{
    bool     spoilt = false;
    size_t   n = wr_size(t, "n", 0, 20);
    uint8_t *xs = wr_u8s(t, "xs", n, 0, 50);
    uint8_t  key = (uint8_t)wr_uint(t, "key", 0, 50);
    BUG(1, n == 0);
    BUG(2, n > 2 && xs[0] == key);
    BUG(3, n > 1 && xs[n - 1] == key);
    wr_assert(t, !spoilt);
}

/* A ledger: a credit after a debit, a sum over a limit, and an account of its own. */
WR_PROPERTY(ledger)
{
    bool     spoilt = false, after = false;
    size_t   n = wr_size(t, "n", 0, 12), from = wr_pick(t, "from", 10), to = wr_pick(t, "to", 10);
    int64_t  total = 0;
    int16_t *amounts = wr_i16s(t, "amounts", n, -50, 500);
    for (size_t i = 0; i < n; i++) {
        total += amounts[i];
        after |= i > 0 && amounts[i - 1] == -50 && amounts[i] > 0;
    }
    BUG(1, from == to);
    BUG(2, after);
    BUG(3, total > 3000);
    BUG(4, from == 9 && n == 1);
    wr_assert(t, !spoilt);
}

/* ---- Texts ---- */

/* An escape: a quote, a backslash at the end, and a long text. */
WR_PROPERTY(escaping)
{
    bool   spoilt = false;
    char  *text = wr_text(t, "text", 0, 40);
    size_t n = strlen(text);
    BUG(1, strchr(text, '"') != NULL);
    BUG(2, n > 0 && text[n - 1] == '\\');
    BUG(3, n > 32);
    wr_assert(t, !spoilt);
}

/* A number in text: a sign in front, a digit after a point, and an empty text with a base. */
WR_PROPERTY(reading)
{
    bool    spoilt = false;
    char   *text = wr_text(t, "text", 0, 12);
    int64_t base = wr_int(t, "base", 2, 36);
    char   *point = strchr(text, '.');
    BUG(1, text[0] == '-' && base != 10);
    BUG(2, point != NULL && isdigit((unsigned char)point[1]));
    BUG(3, text[0] == '\0' && base > 30);
    BUG(4, base == 16 && strchr(text, 'x') != NULL);
    wr_assert(t, !spoilt);
}

/* ---- What no condition says exactly ---- */

/* An area over a limit, a corner, and a diagonal. */
WR_PROPERTY(area)
{
    bool    spoilt = false;
    int64_t width = wr_int(t, "width", 0, 200), height = wr_int(t, "height", 0, 200);
    BUG(1, width * height > 9000);
    BUG(2, width == 0 && height > 150);
    BUG(3, height == 2 * width && width > 5);
    wr_assert(t, !spoilt);
}

/* A hash: odd products, a mask, and one key. */
WR_PROPERTY(hashing)
{
    bool     spoilt = false;
    uint32_t key = wr_u32(t, "key"), salt = (uint32_t)wr_uint(t, "salt", 0, 15);
    BUG(1, (key & 0xff) == 0xff);
    BUG(2, key == 0x80000000);
    BUG(3, salt % 4 == 3 && key % 2 == 1);
    wr_assert(t, !spoilt);
}

/* Records in a loop: a field at its largest, a pair of fields, and many records. */
WR_PROPERTY(records)
{
    bool   spoilt = false, largest = false, pair = false;
    size_t n = wr_size(t, "n", 0, 12);
    for (wr_each(t, i, n)) {
        int64_t id = wr_int(t, "id", 0, 99), kind = wr_int(t, "kind", 0, 5);
        largest |= id == 99;
        pair |= kind == 4 && id < 10;
    }
    BUG(1, largest);
    BUG(2, pair);
    BUG(3, n >= 10);
    wr_assert(t, !spoilt);
}

/* Reals: not a number, a sign, and a threshold. */
WR_PROPERTY(reals)
{
    bool   spoilt = false;
    double x = wr_double(t, "x", -1e6, 1e6), y = wr_any_double(t, "y");
    BUG(1, x >= 1000);
    BUG(2, y != y);
    BUG(3, y < 0 && x < 0);
    wr_assert(t, !spoilt);
}

/* A search in a sorted array: its state crashes, and is not only wrong. */
WR_PROPERTY(crashing)
{
    int64_t index = wr_int(t, "index", -50, 50), length = wr_int(t, "length", 0, 40);
    bool    reverse = wr_bool(t, "reverse");
    bool    spoilt = false;
    BUG(1, index > length);
    BUG(2, reverse && length == 0);
    BUG(3, index < -40);
    if (spoilt)
        *(volatile int *)0 = 1;
}

/* Two lists: one longer by more than 5, a common first element, and a duplicate. */
WR_PROPERTY(merging)
{
    bool     spoilt = false, twice = false;
    size_t   n = wr_size(t, "n", 0, 15), m = wr_size(t, "m", 0, 15);
    uint8_t *xs = wr_u8s(t, "xs", n, 0, 200), *ys = wr_u8s(t, "ys", m, 0, 200);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            twice |= xs[i] == xs[k];
    BUG(1, n > m + 5);
    BUG(2, n > 0 && m > 0 && xs[0] == ys[0]);
    BUG(3, twice && m == 0);
    BUG(4, m == 15);
    wr_assert(t, !spoilt);
}

/* A date: the 29th of February, the last day of a year, and a century. */
WR_PROPERTY(dates)
{
    bool    spoilt = false;
    int64_t year = wr_int(t, "year", 1900, 2100), month = wr_int(t, "month", 1, 12);
    int64_t day = wr_int(t, "day", 1, 31);
    BUG(1, month == 2 && day == 29 && year % 4 == 0);
    BUG(2, month == 12 && day == 31);
    BUG(3, year == 2000);
    BUG(4, year < 1904 && month == 1);
    wr_assert(t, !spoilt);
}

/* A parity: of the sum of a list, of an index, and of both. */
WR_PROPERTY(parity)
{
    bool     spoilt = false;
    size_t   n = wr_size(t, "n", 0, 10);
    uint8_t *xs = wr_u8s(t, "xs", n, 0, 30);
    int64_t  at = wr_int(t, "at", 0, 30);
    unsigned sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += xs[i];
    BUG(1, sum % 2 == 1 && n == 3);
    BUG(2, at > 25);
    BUG(3, n == 7 && at == 0);
    wr_assert(t, !spoilt);
}

/* gen/address.c: Internet addresses, as text.
 *
 * An IPv4 address is a choice for each number, an IPv6 address one array of hexadecimal digits:
 * texts shrink by what is written in them. 0 is simplest. Random numbers lean to those of known
 * networks, and those of IPv6 to runs of zeroes, which its text form shortens.
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "core/walk.h"
#include "gen/draw.h"
#include "gen/example.h"

#define LENGTH_OF(array) (sizeof(array) / sizeof *(array))

/* ---- IPv4 ---- */

/* The numbers drawn so far, for the random answer to the next. */
typedef struct numbers {
    uint8_t number[4];
    size_t  count;
} numbers;

/* What follows the first number of a known network. */
static bool known_second(uint64_t first, uint64_t *second)
{
    static const uint8_t SECOND[][2] = { { 127, 0 },   { 192, 168 }, { 172, 16 }, { 169, 254 },
                                         { 255, 255 }, { 100, 64 },  { 198, 18 } };
    for (size_t i = 0; i < LENGTH_OF(SECOND); i++)
        if (SECOND[i][0] == first) {
            *second = SECOND[i][1];
            return true;
        }
    return false;
}

static uint64_t fresh_number(wr_case *t, const wri_request *request)
{
    static const uint8_t FIRST[] = { 10, 127, 192, 172, 169, 100, 198, 224, 239, 240, 255, 0 };
    const numbers       *so_far = request->about;
    uint64_t             word = wri_prng_next(&t->random), next = wri_prng_next(&t->random);
    uint64_t             second;
    if (word >> 63 == 0)
        return wri_lean_commonly(next, request->max);
    if (so_far->count == 0)
        return FIRST[wri_prng_scale(next, LENGTH_OF(FIRST) - 1)];
    if (so_far->count == 1 && known_second(so_far->number[0], &second))
        return second;
    return next & 1 ? 0 : 255;
}

static void read_ipv4(wr_case *t, const char *name)
{
    size_t        length;
    unsigned char four[4];
    const char   *text = wri_example_quoted(t, name, &length);
    if (text == NULL)
        return;
    if (inet_pton(AF_INET, text, four) != 1)
        wri_example_wrong(t, "expected an address such as \\\"127.0.0.1\\\"");
    uint64_t *answers = wri_example_expect(t, 4);
    for (size_t i = 0; i < 4; i++)
        answers[i] = four[i];
}

char *wr_ipv4(wr_case *t, const char *name)
{
    numbers     four = { 0 };
    wri_request request = { .kind = WRI_INTEGER,
                            .max = UINT8_MAX,
                            .name = "number",
                            .letters = WRI_LETTERS_PART,
                            .fresh = fresh_number,
                            .about = &four };
    if (wri_example_given(t))
        read_ipv4(t, name);
    wr_begin(t, name);
    for (; four.count < 4; four.count++)
        four.number[four.count] = (uint8_t)wri_case_choose(t, &request);
    wr_end(t);
    char *text = wr_format(t, "%u.%u.%u.%u", four.number[0], four.number[1], four.number[2],
                           four.number[3]);
    wr_show_text(t, name, text);
    return text;
}

/* ---- IPv6 ---- */

enum { SHORTEST, WITHOUT_GAP, CAPITALS, FOUR_DIGITS, WITH_IPV4, FORMS };
#define LONGEST 46

/* Half of the groups are zero, a quarter have a known number. */
static void lay_groups(wri_overlay *self, wr_case *t, const wri_request *request, size_t count,
                       unsigned width, char *digits)
{
    static const char KNOWN[][5] = { "2001", "0db8", "fe80", "ff02",
                                     "fc00", "ffff", "2002", "0001" };
    (void)self, (void)request;
    for (char *group = digits; group + 4 * width <= digits + count * width; group += 4 * width) {
        uint64_t    word = wri_prng_next(&t->random);
        const char *known = word >> 63 != 0 ? "0000" : KNOWN[word & 7];
        for (size_t i = 0; i < 4 && word >> 62 != 0; i++)
            wri_choice_integer_put(group + i * width, width,
                                   (uint64_t)(known[i] - (known[i] > '9' ? 'a' - 10 : '0')));
    }
}

/* The longest run of zeroes of at least two, the first of several; none: an empty one. */
static void find_gap(const uint16_t *groups, size_t count, size_t *from, size_t *to)
{
    *from = *to = count;
    for (size_t i = 0; i < count; i++) {
        size_t end = i;
        while (end < count && groups[end] == 0)
            end++;
        if (end - i >= 2 && end - i > *to - *from) {
            *from = i;
            *to = end;
        }
    }
}

static void write_form(char text[LONGEST], const uint16_t *groups, unsigned form)
{
    size_t      count = form == WITH_IPV4 ? 6 : 8, from, to;
    const char *format = form == CAPITALS ? "%X" : form == FOUR_DIGITS ? "%04x" : "%x";
    find_gap(groups, count, &from, &to);
    if (form == WITHOUT_GAP || form == FOUR_DIGITS)
        from = to = count;
    char *at = text;
    for (size_t i = 0; i < count; i++) {
        if (i == from)
            at = stpcpy(at, i == 0 ? "::" : ":");
        if (i >= from && i < to)
            continue;
        at += sprintf(at, format, groups[i]);
        at = stpcpy(at, i < count - 1 || form == WITH_IPV4 ? ":" : "");
    }
    if (form == WITH_IPV4)
        sprintf(at, "%u.%u.%u.%u", groups[6] >> 8, groups[6] & 0xff, groups[7] >> 8,
                groups[7] & 0xff);
}

/* Has a form before this one the same text? */
static bool written_before(const char *text, const uint16_t *groups, unsigned form)
{
    char other[LONGEST];
    for (unsigned i = 0; i < form; i++) {
        write_form(other, groups, i);
        if (strcmp(other, text) == 0)
            return true;
    }
    return false;
}

/* The form is the one whose text is the example's. */
static void read_ipv6(wr_case *t, const char *name)
{
    size_t        length;
    unsigned char bytes[16];
    uint16_t      groups[8];
    char          other[LONGEST];
    unsigned      form = 0;
    const char   *text = wri_example_quoted(t, name, &length);
    if (text == NULL)
        return;
    if (inet_pton(AF_INET6, text, bytes) != 1)
        wri_example_wrong(t, "expected an address such as \\\"::1\\\"");
    for (size_t i = 0; i < 8; i++)
        groups[i] = (uint16_t)(bytes[2 * i] << 8 | bytes[2 * i + 1]);
    for (; form < FORMS; form++) {
        write_form(other, groups, form);
        if (strcmp(other, text) == 0)
            break;
    }
    if (form == FORMS)
        wri_example_wrong(t, "the draw does not write this address so");
    uint64_t *answers = wri_example_expect(t, 33);
    *answers++ = form;
    for (size_t i = 0; i < 32; i++)
        answers[i] = bytes[i / 2] >> (i % 2 == 0 ? 4 : 0) & 15;
}

char *wr_ipv6(wr_case *t, const char *name)
{
    wri_overlay overlay = { lay_groups };
    wri_request request = { .kind = WRI_INTEGER,
                            .letters = WRI_LETTERS_PART,
                            .max = 15,
                            .name = "digits",
                            .about = &overlay };
    uint16_t    groups[8] = { 0 };
    char       *text = wri_memory_take(t, LONGEST);
    if (wri_example_given(t))
        read_ipv6(t, name);
    wr_begin(t, name);
    unsigned       form = (unsigned)wri_draw_index(t, "form", FORMS - 1);
    const uint8_t *digits = wri_case_choose_many(t, &request, 32, 1, WRI_NO_NODE);
    wr_end(t);
    for (size_t i = 0; i < 32; i++)
        groups[i / 4] = (uint16_t)(groups[i / 4] << 4 | digits[i]);
    write_form(text, groups, form);
    if (wri_walk_lists(t) && written_before(text, groups, form))
        wri_walk_barren(t);
    wr_show_text(t, name, text);
    return text;
}

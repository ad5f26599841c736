/* store/token.c: a case as one word of text.
 *
 * A token is "w1" and then bytes in base64url without padding. These are the property's hash, the
 * shape, one entry for each choice or array in the order asked, and a checksum. Every trace has
 * exactly one token, and the reader accepts no other spelling: such a token was damaged on its
 * way.
 *
 * An entry is a header and numbers. The header is kind << 4 | array << 3 | bound, where the bound
 * is a place in COMMON_MAX, "as in the entry before", or "written out next". An array has its
 * count after that. Numbers are varints, or plain bytes where the bound fits a byte.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/case.h"
#include "core/hash.h"
#include "store/token.h"

#define VERSION '1'
#define FIXED_BYTES 8 /* property and shape */
#define CHECK_BYTES 4
#define VARINT_BYTES 10 /* the longest */

static const uint64_t COMMON_MAX[] = { 0, 1, UINT8_MAX, UINT16_MAX, UINT32_MAX, UINT64_MAX };
enum { COMMON_COUNT = sizeof COMMON_MAX / sizeof *COMMON_MAX, SAME_MAX = 6, OTHER_MAX = 7 };
_Static_assert((int)COMMON_COUNT == (int)SAME_MAX, "the bound's code has three bits");

static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

void wri_saved_free(wri_saved *saved)
{
    wri_trace_free(&saved->choices);
    memset(saved, 0, sizeof *saved);
}

static uint32_t checksum(const uint8_t *bytes, size_t count)
{
    uint64_t hash = wri_hash_bytes(bytes, count);
    return (uint32_t)(hash ^ (hash >> 32));
}

static unsigned bound_code(uint64_t max, uint64_t previous)
{
    for (unsigned code = 0; code < COMMON_COUNT; code++)
        if (COMMON_MAX[code] == max)
            return code;
    return max == previous ? SAME_MAX : OTHER_MAX;
}

/* ---- writing ---- */

static uint8_t *put_word(uint8_t *at, uint32_t word)
{
    for (int shift = 0; shift < 32; shift += 8)
        *at++ = (uint8_t)(word >> shift);
    return at;
}

static uint8_t *put_varint(uint8_t *at, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        *at++ = (uint8_t)(value | 0x80);
    *at++ = (uint8_t)value;
    return at;
}

static uint8_t *put_number(uint8_t *at, uint64_t number, uint64_t max)
{
    if (max > UINT8_MAX)
        return put_varint(at, number);
    *at++ = (uint8_t)number;
    return at;
}

static uint8_t *put_entry(uint8_t *at, const wri_trace *trace, const wri_node *node,
                          uint64_t previous)
{
    bool     array = node->what == WRI_ARRAY;
    unsigned code = bound_code(node->max, previous);
    at = put_varint(at, (uint64_t)node->kind << 4 | (uint64_t)array << 3 | code);
    if (code == OTHER_MAX)
        at = put_varint(at, node->max);
    if (!array)
        return put_number(at, node->number, node->max);
    at = put_varint(at, node->count);
    for (uint64_t i = 0; i < node->count; i++)
        at = put_number(at, trace->numbers[node->number + i], node->max);
    return at;
}

/* At most how many bytes the packed trace takes. */
static size_t packed_room(const wri_trace *trace)
{
    size_t room = FIXED_BYTES + CHECK_BYTES;
    for (size_t i = 0; i < trace->node_count; i++) {
        const wri_node *node = &trace->nodes[i];
        if (node->what >= WRI_CHOICE)
            room += 3 * VARINT_BYTES;
        if (node->what == WRI_ARRAY)
            room += node->count * (node->max > UINT8_MAX ? VARINT_BYTES : 1);
    }
    return room;
}

static size_t pack(uint8_t *bytes, uint32_t property, const wri_trace *trace)
{
    uint8_t *at = put_word(bytes, property);
    uint64_t previous = 0;
    at = put_word(at, wri_trace_shape(trace));
    for (size_t i = 0; i < trace->node_count; i++) {
        const wri_node *node = &trace->nodes[i];
        if (node->what < WRI_CHOICE)
            continue;
        at = put_entry(at, trace, node, previous);
        previous = node->max;
    }
    at = put_word(at, checksum(bytes, (size_t)(at - bytes)));
    return (size_t)(at - bytes);
}

static void put_text(char *text, const uint8_t *bytes, size_t count)
{
    unsigned held = 0, bits = 0;
    for (size_t i = 0; i < count; i++) {
        held = (held << 8 | bytes[i]) & 0xffff;
        for (bits += 8; bits >= 6; bits -= 6)
            *text++ = DIGITS[held >> (bits - 6) & 63];
    }
    if (bits > 0)
        *text++ = DIGITS[held << (6 - bits) & 63];
    *text = '\0';
}

char *wri_token_write(uint32_t property, const wri_trace *trace)
{
    uint8_t *bytes = malloc(packed_room(trace));
    if (bytes == NULL)
        return NULL;
    size_t count = pack(bytes, property, trace);
    char  *token = malloc(2 + count / 3 * 4 + 4 + 1);
    if (token != NULL) {
        token[0] = 'w';
        token[1] = VERSION;
        put_text(token + 2, bytes, count);
    }
    free(bytes);
    return token;
}

/* ---- reading ---- */

/* The rest of the bytes. The first mistake stays in `wrong`; from then on every take_... returns
 * 0 and reads nothing. */
typedef struct reader {
    const uint8_t *at, *end;
    const char    *wrong;
} reader;

static uint64_t spoil(reader *from, const char *wrong)
{
    if (from->wrong == NULL)
        from->wrong = wrong;
    from->at = from->end;
    return 0;
}

static uint8_t take_byte(reader *from)
{
    if (from->at == from->end)
        return (uint8_t)spoil(from, "it ends too early");
    return *from->at++;
}

static uint32_t take_word(reader *from)
{
    uint32_t word = 0;
    for (int shift = 0; shift < 32; shift += 8)
        word |= (uint32_t)take_byte(from) << shift;
    return word;
}

static uint64_t take_varint(reader *from)
{
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        uint8_t byte = take_byte(from);
        if (shift == 63 && byte > 1)
            break;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte >= 0x80)
            continue;
        if (byte == 0 && shift > 0)
            return spoil(from, "a number is not written in the shortest way");
        return value;
    }
    return spoil(from, "a number has more than 64 bits");
}

static uint64_t take_number(reader *from, uint64_t max)
{
    uint64_t number = max > UINT8_MAX ? take_varint(from) : take_byte(from);
    return number <= max ? number : spoil(from, "a number is above its bound");
}

static uint64_t take_max(reader *from, unsigned code, uint64_t previous)
{
    if (code < COMMON_COUNT)
        return COMMON_MAX[code];
    uint64_t max = code == SAME_MAX ? previous : take_varint(from);
    if (bound_code(max, previous) != code)
        return spoil(from, "a bound is not written in the shortest way");
    return max;
}

/* Appends the array's numbers. The count is believed only as far as there are bytes. */
static void take_numbers(reader *from, wri_trace *trace, wri_node *node)
{
    uint64_t count = take_varint(from);
    if (count > (size_t)(from->end - from->at)) {
        spoil(from, "it ends too early");
        return;
    }
    if (count > WRI_MAX_NUMBERS - trace->number_count) {
        spoil(from, "it has too many numbers");
        return;
    }
    if (!wri_trace_reserve(trace, trace->node_count, trace->number_count + count)) {
        spoil(from, "memory is out");
        return;
    }
    node->number = trace->number_count;
    node->count = count;
    for (uint64_t i = 0; i < count; i++)
        trace->numbers[trace->number_count++] = take_number(from, node->max);
}

static void add_node(reader *from, wri_trace *trace, const wri_node *node)
{
    if (trace->node_count >= WRI_MAX_NODES)
        spoil(from, "it has too many choices");
    else if (!wri_trace_reserve(trace, trace->node_count + 1, trace->number_count))
        spoil(from, "memory is out");
    if (from->wrong == NULL)
        trace->nodes[trace->node_count++] = *node;
}

/* Returns the entry's max, which the next entry may refer to. */
static uint64_t take_entry(reader *from, wri_trace *trace, uint64_t previous)
{
    wri_node node = { .tie = WRI_NO_NODE };
    uint64_t header = take_varint(from);
    if (header >> 4 > WRI_HANDLE)
        return spoil(from, "a choice is of no known kind");
    node.kind = (uint8_t)(header >> 4);
    node.what = header & 8 ? WRI_ARRAY : WRI_CHOICE;
    node.max = take_max(from, header & 7, previous);
    if (node.what == WRI_ARRAY)
        take_numbers(from, trace, &node);
    else
        node.number = take_number(from, node.max);
    add_node(from, trace, &node);
    return node.max;
}

bool wri_token_unpack(const uint8_t *bytes, size_t count, wri_saved *saved, wri_note *note)
{
    reader   from = { bytes, bytes + count, NULL };
    wri_node top = { .what = WRI_SPAN, .parent = WRI_NO_NODE, .tie = WRI_NO_NODE };
    uint64_t previous = 0;
    memset(saved, 0, sizeof *saved);
    saved->property = take_word(&from);
    saved->shape = take_word(&from);
    add_node(&from, &saved->choices, &top);
    while (from.at < from.end)
        previous = take_entry(&from, &saved->choices, previous);
    if (from.wrong == NULL)
        return true;
    wri_saved_free(saved);
    return wri_note_refuse(note, "the token is damaged (%s)", from.wrong);
}

/* The six bits that a character stands for; 64 when it stands for none. */
static unsigned digit_value(char digit)
{
    if (digit >= 'A' && digit <= 'Z')
        return (unsigned)(digit - 'A');
    if (digit >= 'a' && digit <= 'z')
        return (unsigned)(digit - 'a') + 26;
    if (digit >= '0' && digit <= '9')
        return (unsigned)(digit - '0') + 52;
    return digit == '-' ? 62 : digit == '_' ? 63 : 64;
}

/* Undoes put_text(). `bytes` has room for length * 3 / 4. Returns the place of the first
 * character that is wrong, or `length` when all are right. */
static size_t take_text(const char *text, size_t length, uint8_t *bytes, size_t *count)
{
    unsigned held = 0, bits = 0;
    *count = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned value = digit_value(text[i]);
        if (value > 63)
            return i;
        held = (held << 6 | value) & 0xffff;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            bytes[(*count)++] = (uint8_t)(held >> bits);
        }
    }
    bool spare = bits == 6 || (held & ((1u << bits) - 1)) != 0;
    return spare ? length - 1 : length;
}

static bool read_bytes(const uint8_t *bytes, size_t count, wri_saved *saved, wri_note *note)
{
    if (count < FIXED_BYTES + CHECK_BYTES)
        return wri_note_refuse(note, "the token is damaged (it ends too early)");
    count -= CHECK_BYTES;
    reader check = { bytes + count, bytes + count + CHECK_BYTES, NULL };
    if (take_word(&check) != checksum(bytes, count))
        return wri_note_refuse(note, "the token is damaged (its checksum does not fit)");
    return wri_token_unpack(bytes, count, saved, note);
}

bool wri_token_read(const char *token, wri_saved *saved, wri_note *note)
{
    memset(saved, 0, sizeof *saved);
    if (token[0] != 'w' || token[1] < '0' || token[1] > '9')
        return wri_note_refuse(note, "not a token: it should begin with w1");
    if (token[1] != VERSION)
        return wri_note_refuse(note, "the token is of version %c; this Warren reads version 1",
                               token[1]);
    size_t   length = strlen(token + 2), count;
    uint8_t *bytes = malloc(length + 1);
    if (bytes == NULL)
        return wri_note_refuse(note, "the token cannot be read (memory is out)");
    size_t right = take_text(token + 2, length, bytes, &count);
    bool   read;
    if (right == length)
        read = read_bytes(bytes, count, saved, note);
    else
        read = wri_note_refuse(note, "the token is damaged (character %zu cannot stand there)",
                               right + 3);
    free(bytes);
    return read;
}

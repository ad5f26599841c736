/* kind: parser
 * Nested fields of tag, length and value: a long length at the very end of the input is read one
 * byte too far.
 */
#include <warren.h>

enum { DEPTH = 6 };

typedef struct reader {
    const uint8_t *at, *end;
    unsigned       fields, deepest;
} reader;

static bool read_length(reader *r, size_t *length)
{
    if (r->at == r->end)
        return false;
    uint8_t first = *r->at++;
    if (first < 0x80) {
        *length = first;
        return true;
    }
    unsigned bytes = first & 0x7f;
    if (bytes == 0 || bytes > 3)
        return false; /* the indefinite form, and fields of gigabytes */
#ifndef FIXED
    if (r->at == r->end)
        return false;
#else
    if ((size_t)(r->end - r->at) < bytes)
        return false;
#endif
    *length = 0;
    while (bytes-- > 0)
        *length = *length << 8 | *r->at++;
    return *length >= 0x80; /* else the short form is due */
}

/* False: malformed. */
static bool read_fields(reader *r, const uint8_t *end, unsigned depth)
{
    if (depth > r->deepest)
        r->deepest = depth;
    while (r->at < end) {
        uint8_t tag = *r->at++;
        if ((tag & 0x1f) == 0x1f)
            return false; /* tags of several bytes */
        size_t length;
        if (!read_length(r, &length) || r->at > end || length > (size_t)(end - r->at))
            return false;
        r->fields++;
        if (tag & 0x20) {
            if (depth + 1 == DEPTH || !read_fields(r, r->at + length, depth + 1))
                return false;
        } else {
            r->at += length;
        }
    }
    return r->at == end;
}

WR_PROPERTY(tlv_bytes)
{
    size_t   n = wr_size(t, "n", 0, 24);
    uint8_t *bytes = wr_bytes(t, "bytes", n);
    uint8_t *input = wr_guarded_copy(t, bytes, n);
    reader   r = { .at = input, .end = input + n };
    bool     ok = read_fields(&r, r.end, 0);
    wr_classify(t, ok, "well-formed");
    wr_collect(t, "depth", r.deepest);
    wr_assert_le(t, r.fields * 2, n);
    wr_assert_lt(t, r.deepest, DEPTH);
    if (ok)
        wr_assert(t, r.at == r.end);
}

#ifdef WITNESS
WR_EXAMPLE(tlv_bytes, "n = 5", "bytes = [4, 0, 4, 130, 1]");
#endif

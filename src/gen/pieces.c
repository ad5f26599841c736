/* gen/pieces.c: texts and bytes made of given pieces: the tokens of a language, the parts of a
 * format.
 *
 * A number of pieces and one packed array of indices into the list. The list's first piece is its
 * simplest. So dropping an element drops a piece, and lowering a number puts a simpler piece in.
 */
#include <string.h>

#include "gen/draw.h"
#include "gen/example.h"
#include "gen/pieces.h"

static void check_pieces(wr_case *t, const char *function, const char *name, size_t n,
                         const void *pieces, size_t min, size_t max)
{
    if (min > max)
        wri_case_misuse(t, "%s%s: min %zu is above max %zu", function, wri_draw_named(t, name),
                        min, max);
    if (max > 0 && (n == 0 || pieces == NULL))
        wri_case_misuse(t, "%s%s: no pieces were given", function, wri_draw_named(t, name));
}

size_t wri_pieces_split(const wr_piece *pieces, size_t count, const char *bytes, size_t length,
                        size_t *fewest, size_t *first)
{
    size_t empty = count;
    for (size_t at = length + 1; at-- > 0;) {
        fewest[at] = at == length ? 0 : SIZE_MAX;
        for (size_t i = 0; i < count; i++) {
            size_t used = pieces[i].length;
            if (used == 0) {
                empty = empty == count ? i : empty;
            } else if (used <= length - at && fewest[at + used] != SIZE_MAX &&
                       fewest[at + used] + 1 < fewest[at] &&
                       memcmp(pieces[i].bytes, bytes + at, used) == 0) {
                fewest[at] = fewest[at + used] + 1;
                first[at] = i;
            }
        }
    }
    return empty;
}

/* Finds the fewest pieces that make up the example. Empty pieces fill up to `min`. */
static void read_example(wr_case *t, const char *name, size_t n, const wr_piece *pieces,
                         size_t min, size_t max)
{
    size_t      length;
    const char *text = wri_example_quoted(t, name, &length);
    if (text == NULL)
        return;
    size_t *fewest = wri_memory_take(t, (length + 1) * sizeof *fewest);
    size_t *first = wri_memory_take(t, (length + 1) * sizeof *first);
    size_t  empty = wri_pieces_split(pieces, n, text, length, fewest, first);
    size_t  count = fewest[0] < min && empty < n ? min : fewest[0];
    if (fewest[0] == SIZE_MAX)
        wri_example_wrong(t, "the pieces do not make up this text");
    if (count < min || count > max)
        wri_example_wrong(t, "this text has %zu pieces; expected %zu to %zu", count, min, max);
    uint64_t *numbers = wri_example_expect(t, 1 + count);
    *numbers++ = count - min;
    for (size_t at = 0; at < length; at += pieces[first[at]].length)
        *numbers++ = first[at];
    for (size_t i = fewest[0]; i < count; i++)
        *numbers++ = empty;
}

static void read_text_example(wr_case *t, const char *name, size_t n, const char *const *texts,
                              size_t min, size_t max)
{
    wr_piece *pieces = wri_memory_array(t, n, sizeof *pieces);
    for (size_t i = 0; i < n; i++)
        pieces[i] = (wr_piece){ texts[i], strlen(texts[i]) };
    read_example(t, name, n, pieces, min, max);
}

/* Draws `count` indices below n; they belong to the length that was drawn last. */
static const uint32_t *draw_indices(wr_case *t, const char *name, size_t n, size_t count)
{
    wri_request request = { .kind = WRI_INDEX, .max = n == 0 ? 0 : n - 1, .name = name };
    return wri_case_choose_many(t, &request, count, 4, wri_case_last_node(t));
}

/* The memory for so many bytes and a NUL; SIZE_MAX bytes are too many for a case. */
static char *room_for(wr_case *t, size_t bytes)
{
    char *text = wri_memory_take(t, bytes < SIZE_MAX ? bytes + 1 : bytes);
    text[bytes] = '\0';
    return text;
}

char *wr_pieces(wr_case *t, const char *name, size_t n, const char *const *pieces, size_t min,
                size_t max)
{
    check_pieces(t, "wr_pieces", name, n, pieces, min, max);
    for (size_t i = 0; i < n; i++)
        if (pieces[i] == NULL)
            wri_case_misuse(t, "wr_pieces%s: piece %zu is NULL", wri_draw_named(t, name), i);
    if (wri_example_given(t))
        read_text_example(t, name, n, pieces, min, max);
    wr_begin(t, name);
    size_t          count = wri_draw_length(t, name, min, max), bytes = 0;
    const uint32_t *indices = draw_indices(t, name, n, count);
    wr_end(t);
    for (size_t i = 0; i < count; i++)
        if (__builtin_add_overflow(bytes, strlen(pieces[indices[i]]), &bytes))
            bytes = SIZE_MAX;
    char *text = room_for(t, bytes), *at = text;
    for (size_t i = 0; i < count; i++)
        at = stpcpy(at, pieces[indices[i]]);
    wr_show_text(t, name, text);
    return text;
}

uint8_t *wr_byte_pieces(wr_case *t, const char *name, size_t n, const wr_piece *pieces,
                        size_t min, size_t max, size_t *length)
{
    check_pieces(t, "wr_byte_pieces", name, n, pieces, min, max);
    if (wri_example_given(t))
        read_example(t, name, n, pieces, min, max);
    wr_begin(t, name);
    size_t          count = wri_draw_length(t, name, min, max);
    const uint32_t *indices = draw_indices(t, name, n, count);
    wr_end(t);
    *length = 0;
    for (size_t i = 0; i < count; i++)
        if (__builtin_add_overflow(*length, pieces[indices[i]].length, length))
            *length = SIZE_MAX;
    char *bytes = room_for(t, *length), *at = bytes;
    for (size_t i = 0; i < count; i++)
        if (pieces[indices[i]].length > 0)
            at = mempcpy(at, pieces[indices[i]].bytes, pieces[indices[i]].length);
    wr_show_bytes(t, name, bytes, *length);
    return (uint8_t *)bytes;
}

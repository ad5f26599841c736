/* gen/pieces.c: texts and bytes made of given pieces: the tokens of a language, the parts of a
 * format.
 *
 * A number of pieces and one packed array of indices into the list. The list's first piece is its
 * simplest. So dropping an element drops a piece, and lowering a number puts a simpler piece in.
 */
#include <string.h>

#include "gen/draw.h"
#include "gen/show.h"

static void check_pieces(wr_case *t, const char *function, const char *name, size_t n,
                         const void *pieces, size_t min, size_t max)
{
    if (min > max)
        wri_case_misuse(t, "%s \"%s\": min %zu is above max %zu", function, wri_draw_name(name),
                        min, max);
    if (max > 0 && (n == 0 || pieces == NULL))
        wri_case_misuse(t, "%s \"%s\": no pieces were given", function, wri_draw_name(name));
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
            wri_case_misuse(t, "wr_pieces \"%s\": piece %zu is NULL", wri_draw_name(name), i);
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

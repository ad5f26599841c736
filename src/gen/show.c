/* gen/show.c: the printed form of a case's values, written straight into shared memory.
 *
 * An entry grows behind the committed ones and counts only when it is complete. Nothing here runs
 * while random cases are explored: each function first asks whether the case shows anything.
 */
#include "gen/show.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/utf8.h"

#define TEXT_MOST ((size_t)16 << 10)
#define NO_ROOM SIZE_MAX

static bool shows(const wr_case *t, const char *name)
{
    return WRI_UNLIKELY(wri_case_showing(t)) && name != NULL;
}

/* ---- Entries ---- */

static char *bytes_of(const wr_out *out)
{
    return out->t->text->bytes;
}

/* The entry's text starts behind the tag, and behind a value's name. */
static size_t text_start(const wr_out *out)
{
    const char *entry = bytes_of(out) + out->start;
    return out->start + 1 + (entry[0] == WRI_TEXT_VALUE ? strlen(entry + 1) + 1 : 0);
}

static void no_room(wr_out *out)
{
    out->used = NO_ROOM;
    out->cut = true;
}

/* How many more bytes the entry may have; one is kept back for the NUL. */
static size_t bytes_left(const wr_out *out)
{
    size_t room = out->t->text->room - out->used - 1;
    size_t most = TEXT_MOST - (out->used - text_start(out));
    return room < most ? room : most;
}

/* Takes in `fitting` bytes of `count`. An entry that is too long for itself keeps its beginning,
 * one that the memory has no room for is given up. */
static void take_in(wr_out *out, size_t count, size_t fitting)
{
    if (count <= fitting) {
        out->used += count;
    } else if (out->used + fitting + 1 >= out->t->text->room) {
        no_room(out);
    } else {
        out->used += fitting;
        out->cut = true;
    }
}

static void append(wr_out *out, const char *bytes, size_t count)
{
    if (out->cut)
        return;
    size_t left = bytes_left(out);
    size_t fitting = count < left ? count : left;
    memcpy(bytes_of(out) + out->used, bytes, fitting);
    take_in(out, count, fitting);
}

/* A NUL inside would end the entry for whoever reads it. */
static void blank_nuls(char *from, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (from[i] == '\0')
            from[i] = ' ';
}

static void put_list(wr_out *out, const char *format, va_list arguments)
{
    if (out->cut)
        return;
    size_t left = bytes_left(out);
    char  *at = bytes_of(out) + out->used;
    int    printed = vsnprintf(at, left + 1, format, arguments);
    if (printed < 0)
        return;
    size_t fitting = (size_t)printed < left ? (size_t)printed : left;
    blank_nuls(at, fitting);
    take_in(out, (size_t)printed, fitting);
}

/* Opens an entry; `name` is NULL for a note. */
static void open_entry(wr_out *out, wr_case *t, char tag, const char *name)
{
    wri_text *text = t->text;
    size_t    name_bytes = name == NULL ? 0 : strlen(name) + 1;
    *out = (wr_out){ .t = t, .start = text->used, .used = text->used };
    text->open = true;
    if (name_bytes + 2 > text->room - text->used) {
        no_room(out);
        return;
    }
    text->bytes[out->used++] = tag;
    if (name != NULL)
        memcpy(text->bytes + out->used, name, name_bytes);
    out->used += name_bytes;
}

void wri_show_out_begin(wr_out *out, wr_case *t, const char *name)
{
    open_entry(out, t, WRI_TEXT_VALUE, name == NULL ? "" : name);
}

/* Ends a text that was cut in "...", at a whole character. */
static void mark_cut(wr_out *out)
{
    char  *bytes = bytes_of(out);
    size_t at = out->used - 3; /* it was cut at TEXT_MOST bytes */
    while (at > text_start(out) && ((unsigned char)bytes[at] & 0xc0) == 0x80)
        at--;
    memcpy(bytes + at, "...", 3);
    out->used = at + 3;
}

/* Ends the entry, which does not count yet; false: there was no room for it. */
static bool close_entry(wr_out *out)
{
    out->t->text->open = false;
    if (out->used == NO_ROOM)
        return false;
    if (out->cut)
        mark_cut(out);
    bytes_of(out)[out->used++] = '\0';
    return true;
}

void wri_show_out_end(wr_out *out)
{
    wri_text *text = out->t->text;
    if (!close_entry(out)) {
        text->lost++;
        return;
    }
    text->used = out->used;
    *out->t->shared_text = text->used;
}

/* ---- Entries that change ---- */

/* The start of the entry after this one. */
static size_t after_entry(const wri_text *text, size_t at)
{
    const char *entry = text->bytes + at;
    size_t      name = entry[0] == WRI_TEXT_VALUE ? strlen(entry + 1) + 1 : 0;
    return at + 1 + name + strlen(entry + 1 + name) + 1;
}

size_t wri_show_count(const wr_case *t)
{
    size_t count = 0;
    for (size_t at = 0; at < t->text->used; at = after_entry(t->text, at))
        count++;
    return count;
}

static void reverse(char *from, size_t count)
{
    for (size_t i = 0; i < count / 2; i++) {
        char byte = from[i];
        from[i] = from[count - 1 - i];
        from[count - 1 - i] = byte;
    }
}

/* The new text is written behind all entries, and then brought to its place by turning what
 * lies between round twice. Whoever is killed meanwhile has only the entries before it. */
void wri_show_again(wr_case *t, size_t entry, void (*show)(wr_out *out, const void *value),
                    const void *value)
{
    wri_text *text = t->text;
    size_t    start = 0;
    wr_out    out;
    if (text->open)
        return;
    while (entry-- > 0)
        start = after_entry(text, start);
    wri_show_out_begin(&out, t, text->bytes + start + 1);
    if (out.used != NO_ROOM)
        show(&out, value);
    if (!close_entry(&out))
        return;
    size_t old_end = after_entry(text, start), between = text->used - old_end;
    size_t made = out.used - text->used;
    *t->shared_text = start;
    reverse(text->bytes + old_end, between + made);
    reverse(text->bytes + old_end, made);
    reverse(text->bytes + old_end + made, between);
    memmove(text->bytes + start, text->bytes + old_end, made + between);
    text->used = start + made + between;
    *t->shared_text = text->used;
}

/* ---- The user's own values ---- */

void wr_put(wr_out *out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    put_list(out, format, arguments);
    va_end(arguments);
}

void wr_show(wr_case *t, const char *name, const char *format, ...)
{
    if (!shows(t, name))
        return;
    wr_out  out;
    va_list arguments;
    va_start(arguments, format);
    wri_show_out_begin(&out, t, name);
    put_list(&out, format, arguments);
    wri_show_out_end(&out);
    va_end(arguments);
}

void wr_show_by(wr_case *t, const char *name, void (*show)(wr_out *out, const void *value),
                const void *value)
{
    if (!shows(t, name))
        return;
    if (show == NULL)
        wri_case_misuse(t, "wr_show_by \"%s\": no function was given", name);
    wr_out out;
    bool   faulty = wri_case_calm(); /* cases that show nothing do not call it */
    wri_show_out_begin(&out, t, name);
    show(&out, value);
    wri_show_out_end(&out);
    wri_case_faulty = faulty;
}

void wr_note(wr_case *t, const char *format, ...)
{
    if (!wri_case_showing(t))
        return;
    wr_out  out;
    va_list arguments;
    va_start(arguments, format);
    open_entry(&out, t, WRI_TEXT_NOTE, NULL);
    put_list(&out, format, arguments);
    wri_show_out_end(&out);
    va_end(arguments);
}

/* ---- Plain values ---- */

void wri_show_signed(wr_case *t, const char *name, int64_t value)
{
    if (shows(t, name))
        wr_show(t, name, "%lld", (long long)value);
}

void wri_show_unsigned(wr_case *t, const char *name, uint64_t value)
{
    if (shows(t, name))
        wr_show(t, name, "%llu", (unsigned long long)value);
}

void wri_show_bool(wr_case *t, const char *name, bool value)
{
    wri_show_word(t, name, value ? "true" : "false");
}

void wri_show_word(wr_case *t, const char *name, const char *word)
{
    if (shows(t, name))
        wr_show(t, name, "%s", word);
}

/* ---- Reals ---- */

void wri_show_real(wr_case *t, const char *name, double value, bool single)
{
    if (!shows(t, name))
        return;
    char digits[WRI_REAL_DIGITS];
    wri_choice_real_print(digits, value, single);
    wri_show_word(t, name, digits);
}

/* ---- Text ---- */

void wr_show_bytes(wr_case *t, const char *name, const void *bytes, size_t n)
{
    char   quoted[WRI_UTF8_QUOTED];
    wr_out out;
    if (!shows(t, name))
        return;
    wri_show_out_begin(&out, t, name);
    append(&out, "\"", 1);
    for (size_t at = 0; at < n && !out.cut; append(&out, quoted, strlen(quoted)))
        at += wri_utf8_quote((const char *)bytes + at, n - at, quoted);
    append(&out, "\"", 1);
    wri_show_out_end(&out);
}

void wr_show_text(wr_case *t, const char *name, const char *text)
{
    if (text == NULL)
        wri_show_word(t, name, "NULL");
    else if (shows(t, name))
        wr_show_bytes(t, name, text, strlen(text));
}

/* ---- Arrays ---- */

static void put_element(wr_out *out, wri_show_as as, unsigned width, const void *at)
{
    char digits[WRI_REAL_DIGITS];
    switch (as) {
    case WRI_SHOW_SIGNED:
        wr_put(out, "%lld", (long long)wri_choice_integer_at(at, width, true));
        break;
    case WRI_SHOW_UNSIGNED:
        wr_put(out, "%llu", (unsigned long long)wri_choice_integer_at(at, width, false));
        break;
    case WRI_SHOW_BOOL: wr_put(out, "%s", *(const bool *)at ? "true" : "false"); break;
    case WRI_SHOW_REAL:
        wri_choice_real_print(
            digits, width == 8 ? *(const double *)at : (double)*(const float *)at, width == 4);
        wr_put(out, "%s", digits);
        break;
    }
}

void wri_show_array(wr_case *t, const char *name, wri_show_as as, size_t count, unsigned width,
                    const void *values)
{
    if (!shows(t, name))
        return;
    wr_out out;
    wri_show_out_begin(&out, t, name);
    append(&out, "[", 1);
    for (size_t i = 0; i < count && !out.cut; i++) {
        if (i > 0)
            append(&out, ", ", 2);
        put_element(&out, as, width, (const char *)values + i * width);
    }
    append(&out, "]", 1);
    wri_show_out_end(&out);
}

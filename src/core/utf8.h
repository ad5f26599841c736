/* core/utf8.h: characters of a text, and a text as a C string literal. */
#ifndef WRI_CORE_UTF8_H
#define WRI_CORE_UTF8_H

#include <stddef.h>
#include <stdint.h>

#define WRI_NOT_UTF8 UINT32_MAX

/* The next character of a text that is not at its end; returns its number of bytes. A byte that
 * is no part of valid UTF-8 is one character, WRI_NOT_UTF8. Never reads beyond the text's NUL. */
size_t wri_utf8_next(const char *text, uint32_t *character);

/* Writes the next character as it stands in a C string literal, with a NUL. Valid UTF-8 is
 * written as it is, other bytes and controls as \n, \xHH and so on. `left` bytes of the text are
 * there, at least 1; a NUL is a byte like others. Returns the number of bytes that it took. */
#define WRI_UTF8_QUOTED 8
size_t wri_utf8_quote(const char *text, size_t left, char quoted[WRI_UTF8_QUOTED]);

#endif

/* store/lines.h: reads a text line by line, and says on which line it is wrong.
 *
 *     sort.txt:3: expected 'key: value', found a NUL byte
 *
 * A text of the store may come from a checkout, a merge or an editor, so the reader trusts
 * nothing. The first wrong line ends the reading. Values are escaped: each stays on its line, and
 * an editor that trims the ends of lines changes none.
 */
#ifndef WRI_STORE_LINES_H
#define WRI_STORE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "store/store.h"

/* A text while it is read: the current line, the rest, and the note for what is wrong. */
typedef struct wri_lines {
    const char *path;     /* the name of the text in the note */
    const char *at, *end; /* the rest after the current line */
    const char *line;
    size_t      length, number;
    const char *conflict; /* tells people what to do about a git conflict */
    wri_note   *note;
} wri_lines;

/* Steps to the next line, without its end ("\n" or "\r\n"); false when there is none. */
bool wri_lines_next(wri_lines *from);
bool wri_lines_start_with(const wri_lines *from, const char *start);

/* Each writes the note and returns false. The first two name the line, what was expected there
 * and what was found; the second shows the beginning of `text`. */
bool wri_lines_unexpected(wri_lines *from, const char *expected, const char *found);
bool wri_lines_unexpected_text(wri_lines *from, const char *expected, const char *text,
                               size_t length);
bool wri_lines_no_memory(wri_lines *from);
/* Is the text small enough to be read? */
bool wri_lines_fit(wri_lines *from);
/* Is the line text, and no conflict marker of git? */
bool wri_lines_sound(wri_lines *from, const char *expected);

/* A text of this line, unescaped, malloced into *slot. */
bool wri_lines_unescape(wri_lines *from, char **slot, const char *text, size_t length);

/* Unescapes a text of `length` bytes into `to`, which has room for as many and a NUL, and returns
 * the place of the NUL. An escape that is none stays as it is. */
char *wri_lines_take_escaped(char *to, const char *text, size_t length);

/* A token of this line, which must be of this property. The old content of `saved` is
 * overwritten, not freed. */
bool wri_lines_token(wri_lines *from, const char *token, uint32_t property, wri_saved *saved);

/* Writes a text so that it stays on its line, with its last blank if it ends in one. */
void wri_lines_put_escaped(FILE *out, const char *text);

/* Everything that `put` writes, malloced, with a NUL behind it; NULL when memory is out. */
char *wri_lines_print(void (*put)(FILE *out, const void *what), const void *what, size_t *size);

#endif

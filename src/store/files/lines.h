/* store/files/lines.h: a text file, line by line, with complaints that name the place.
 *
 * A file of the store may come out of any checkout, merge or editor: nothing is trusted, and the
 * first thing wrong ends the reading with one line. Texts are escaped so that each stays on its
 * line and loses nothing when an editor trims the end of a line.
 */
#ifndef WRI_STORE_FILES_LINES_H
#define WRI_STORE_FILES_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "store/store.h"

/* A file while it is read: the line at hand, and where a complaint goes. */
typedef struct wri_lines {
    const char *path, *at, *end; /* what is left after this line */
    const char *line;
    size_t      length, number;
    const char *conflict; /* what to do about a git conflict */
    char       *error;
    size_t      error_size;
} wri_lines;

/* Steps to the next line, without its end ("\n" or "\r\n"); false when there is none. */
bool wri_lines_next(wri_lines *from);
bool wri_lines_start_with(const wri_lines *from, const char *start);

/* Each says what was expected on this line and what was found, and returns false. The second
 * shows the beginning of `text`. */
bool wri_lines_unexpected(wri_lines *from, const char *expected, const char *found);
bool wri_lines_unexpected_text(wri_lines *from, const char *expected, const char *text,
                               size_t length);
bool wri_lines_no_memory(wri_lines *from);
/* Is the file of a size that is read? */
bool wri_lines_fit(wri_lines *from);
/* Is this line something that a line may be, whatever it says? */
bool wri_lines_sound(wri_lines *from, const char *expected);

/* A text of this line, unescaped, malloced into *slot. */
bool wri_lines_unescape(wri_lines *from, char **slot, const char *text, size_t length);

/* A token of this line, which must be of this property. What `saved` held is overwritten. */
bool wri_lines_token(wri_lines *from, const char *token, uint32_t property, wri_saved *saved);

/* Writes a text so that it stays on its line, with its last blank if it ends in one. */
void wri_lines_put_escaped(FILE *out, const char *text);

#endif

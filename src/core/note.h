/* core/note.h: one line that says what is wrong, for whoever asked. */
#ifndef WRI_CORE_NOTE_H
#define WRI_CORE_NOTE_H

#include <stdbool.h>

typedef struct wri_note {
    char text[1024];
} wri_note;

/* Writes the line, cut to fit, and returns false: a reader that gives up returns this call. A
 * path at its beginning is named from the current folder on, as reports name files. With a NULL
 * note nobody reads the line, and none is written. */
bool wri_note_refuse(wri_note *note, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Says nothing, after a call that wrote what does not matter. */
static inline void wri_note_clear(wri_note *note)
{
    if (note)
        note->text[0] = '\0';
}

#endif

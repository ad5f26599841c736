/* core/note.c: formats the line of a note. */
#include "core/note.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/folder.h"

bool wri_note_refuse(wri_note *note, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    if (note != NULL) {
        vsnprintf(note->text, sizeof note->text, format, values);
        const char *shown = wri_folder_from_here(note->text);
        memmove(note->text, shown, strlen(shown) + 1);
    }
    va_end(values);
    return false;
}

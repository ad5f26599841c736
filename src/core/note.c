/* core/note.c: formats the line of a note. */
#include "core/note.h"

#include <stdarg.h>
#include <stdio.h>

bool wri_note_refuse(wri_note *note, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    if (note != NULL)
        vsnprintf(note->text, sizeof note->text, format, values);
    va_end(values);
    return false;
}

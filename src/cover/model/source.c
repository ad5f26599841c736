/* cover/model/source.c: opens a source, and works out the line and column of a place. */
#include "cover/model/source.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void print_place(wrc_place place, char *text, size_t size)
{
    uint32_t    line = 1;
    const char *start = place.source->text;
    for (const char *c = start; c < place.at; c++)
        if (*c == '\n') {
            line++;
            start = c + 1;
        }
    snprintf(text, size, "%.160s:%u:%u: ", place.source->file, line,
             (unsigned)(place.at - start) + 1);
}

bool wrc_source_complain(wrc_complaint *complaint, wrc_place at, const char *format, ...)
{
    char    place[192] = "", text[sizeof complaint->text - sizeof place];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    if (at.source)
        print_place(at, place, sizeof place);
    return wrc_model_complain(complaint, "%s%s", place, text);
}

bool wrc_source_open(wrc_source *source, const char *file, const char *text, size_t size,
                     wrc_complaint *complaint)
{
    bool marked = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0;
    *source = (wrc_source){ file, text + (marked ? 3 : 0), text + size };
    const char *zero = size > 0 ? memchr(text, 0, size) : NULL;
    if (zero)
        return wrc_source_complain(complaint, (wrc_place){ source, zero },
                                   "expected text, found a zero byte");
    return true;
}

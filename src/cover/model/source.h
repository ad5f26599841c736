/* cover/model/source.h: the text that a model comes from, and a place in it.
 *
 * A place is a pointer into the text. Its line and column are worked out only for a complaint.
 * A model that a program builds has no text: its places have no source.
 */
#ifndef WRC_COVER_MODEL_SOURCE_H
#define WRC_COVER_MODEL_SOURCE_H

#include "cover/model/model.h"

/* The text need not end in a zero byte but must outlive what points into it. */
typedef struct wrc_source {
    const char *file; /* as complaints name it */
    const char *text, *end;
} wrc_source;

/* A source of NULL: nowhere. */
typedef struct wrc_place {
    const wrc_source *source;
    const char       *at;
} wrc_place;

/* Removes a byte order mark. A zero byte is refused: then false, with a complaint. */
bool wrc_source_open(wrc_source *source, const char *file, const char *text, size_t size,
                     wrc_complaint *complaint);

/* "file:line:column: " and what printf() makes of the rest; false, so that it can be returned. */
bool wrc_source_complain(wrc_complaint *complaint, wrc_place at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif

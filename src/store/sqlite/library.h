/* store/sqlite/library.h: the functions of SQLite, from its shared library.
 *
 * The library is loaded when a database is opened for the first time. So a program that is
 * linked with Warren does not need SQLite to start.
 */
#ifndef WRI_STORE_SQLITE_LIBRARY_H
#define WRI_STORE_SQLITE_LIBRARY_H

#include "core/note.h"

#ifdef WRI_WITH_SQLITE
#include <sqlite3.h>

#define WRI_SQLITE_CALLS(X)                                                                      \
    X(open_v2)                                                                                   \
    X(close_v2)                                                                                  \
    X(errmsg)                                                                                    \
    X(extended_errcode)                                                                          \
    X(busy_timeout)                                                                              \
    X(exec)                                                                                      \
    X(prepare_v2)                                                                                \
    X(step)                                                                                      \
    X(reset)                                                                                     \
    X(finalize)                                                                                  \
    X(bind_int64)                                                                                \
    X(bind_text)                                                                                 \
    X(column_int64)                                                                              \
    X(column_text)                                                                               \
    X(column_bytes)                                                                              \
    X(limit)

typedef struct wri_sqlite_library {
#define WRI_SQLITE_MEMBER(name) __typeof__(sqlite3_##name) *name;
    WRI_SQLITE_CALLS(WRI_SQLITE_MEMBER)
} wri_sqlite_library;

/* NULL, and a line: the library is not there. */
const wri_sqlite_library *wri_sqlite_library_load(wri_note *note);
#endif

#endif

/* store/sqlite/library.c: loads the library. */
#include "store/campaign.h"
#include "store/sqlite/library.h"

#ifdef WRI_WITH_SQLITE
#include <dlfcn.h>
#include <stdio.h>

#define NAME "libsqlite3.so.0"

const wri_sqlite_library *wri_sqlite_library_load(wri_note *note)
{
    static wri_sqlite_library loaded;
    static bool               complete;
    if (complete)
        return &loaded;
    void *library = dlopen(NAME, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        wri_note_refuse(note, "SQLite cannot be loaded: %s", dlerror());
        return NULL;
    }
    complete = true;
#define FIND(name)                                                                               \
    loaded.name = (__typeof__(sqlite3_##name) *)dlsym(library, "sqlite3_" #name);                \
    complete = complete && loaded.name != NULL;
    WRI_SQLITE_CALLS(FIND)
    if (complete)
        return &loaded;
    dlclose(library);
    wri_note_refuse(note, "SQLite cannot be loaded: " NAME " lacks a function");
    return NULL;
}

bool wri_sqlite_available(wri_note *note)
{
    return wri_sqlite_library_load(note) != NULL;
}

#else
bool wri_sqlite_available(wri_note *note)
{
    return wri_note_refuse(note, "this build of Warren has no SQLite: build it where "
                                 "libsqlite3-dev is installed");
}
#endif

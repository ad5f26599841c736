/* store/redis/library.c: loads the library. */
#include "store/redis/library.h"

#ifdef WRI_WITH_REDIS
#include <dlfcn.h>
#include <stdio.h>

/* The header's structs are those of this library. */
#define NAME_TEXT(version) "libhiredis.so." #version
#define NAME_OF(version) NAME_TEXT(version)
#define NAME NAME_OF(HIREDIS_SONAME)

const wri_redis_library *wri_redis_library_load(wri_note *note)
{
    static wri_redis_library loaded;
    static bool              complete;
    if (complete)
        return &loaded;
    void *library = dlopen(NAME, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        wri_note_refuse(note, "hiredis cannot be loaded: %s", dlerror());
        return NULL;
    }
    complete = true;
#define FIND(member, name)                                                                       \
    loaded.member = (__typeof__(name) *)dlsym(library, #name);                                   \
    complete = complete && loaded.member != NULL
    FIND(connect, redisConnectWithTimeout);
    FIND(connect_unix, redisConnectUnixWithTimeout);
    FIND(set_timeout, redisSetTimeout);
    FIND(append, redisAppendCommandArgv);
    FIND(write, redisBufferWrite);
    FIND(read, redisBufferRead);
    FIND(get_reply, redisGetReplyFromReader);
    FIND(free_reply, freeReplyObject);
    FIND(free, redisFree);
    if (complete)
        return &loaded;
    dlclose(library);
    wri_note_refuse(note, "hiredis cannot be loaded: " NAME " lacks a function");
    return NULL;
}
#endif

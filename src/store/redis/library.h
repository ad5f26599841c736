/* store/redis/library.h: the functions of hiredis, from its shared library.
 *
 * The library is loaded when a campaign of many machines is opened for the first time.
 */
#ifndef WRI_STORE_REDIS_LIBRARY_H
#define WRI_STORE_REDIS_LIBRARY_H

#include "core/note.h"

#ifdef WRI_WITH_REDIS
#include <hiredis/hiredis.h>

typedef struct wri_redis_library {
    __typeof__(redisConnectWithTimeout)     *connect;
    __typeof__(redisConnectUnixWithTimeout) *connect_unix;
    __typeof__(redisSetTimeout)             *set_timeout;
    __typeof__(redisAppendCommandArgv)      *append;
    __typeof__(redisBufferWrite)            *write;
    __typeof__(redisBufferRead)             *read;
    __typeof__(redisGetReplyFromReader)     *get_reply;
    __typeof__(freeReplyObject)             *free_reply;
    __typeof__(redisFree)                   *free;
} wri_redis_library;

/* NULL, and a line: the library is not there. */
const wri_redis_library *wri_redis_library_load(wri_note *note);
#endif

#endif

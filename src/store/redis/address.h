/* store/redis/address.h: where a campaign is.
 *
 *     redis://build-7.example:6379/parser          redis+unix:///run/redis.sock/parser
 *
 * The last part is the campaign's name: its keys begin with "warren:{parser}:". A password is
 * never part of it: WARREN_REDIS_PASSWORD has it, or the file WARREN_REDIS_PASSWORD_FILE.
 */
#ifndef WRI_STORE_REDIS_ADDRESS_H
#define WRI_STORE_REDIS_ADDRESS_H

#include "core/note.h"

typedef struct wri_redis_address {
    char host[300]; /* or the path of a socket */
    int  port;      /* 0: a socket */
    char prefix[150];
    char password[1100]; /* "": none. Nothing prints it. */
} wri_redis_address;

/* False, and a line. */
bool wri_redis_address_read(const char *url, wri_redis_address *address, wri_note *note);

#endif

/* store/redis/address.c: takes the name of a campaign apart, and finds its password. */
#include "store/redis/address.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define USUAL_PORT 6379
#define EXPECTED "expected redis://HOST[:PORT]/CAMPAIGN or redis+unix:///PATH/CAMPAIGN"
#define LONGEST_CAMPAIGN 100
#define LONGEST_PASSWORD 1000

/* ---- the password ---- */

/* The first line of the file. */
static bool read_password(const char *path, wri_redis_address *address, wri_note *note)
{
    char  line[LONGEST_PASSWORD + 3] = "";
    FILE *file = fopen(path, "re");
    bool  read = file != NULL && fgets(line, sizeof line, file) != NULL;
    int   reason = file == NULL ? errno : 0;
    if (file != NULL)
        fclose(file);
    line[strcspn(line, "\r\n")] = '\0';
    snprintf(address->password, sizeof address->password, "%s", line);
    memset(line, 0, sizeof line);
    if (read && address->password[0] != '\0' && strlen(address->password) <= LONGEST_PASSWORD)
        return true;
    return wri_note_refuse(note, "WARREN_REDIS_PASSWORD_FILE: %s: %s", path,
                           reason != 0 ? strerror(reason) : "its first line is no password");
}

static bool find_password(wri_redis_address *address, wri_note *note)
{
    const char *given = getenv("WARREN_REDIS_PASSWORD");
    const char *file = getenv("WARREN_REDIS_PASSWORD_FILE");
    address->password[0] = '\0';
    if (given != NULL && given[0] != '\0') {
        if (strlen(given) > LONGEST_PASSWORD)
            return wri_note_refuse(note, "WARREN_REDIS_PASSWORD: it is over %d bytes long",
                                   LONGEST_PASSWORD);
        strcpy(address->password, given);
        return true;
    }
    return file == NULL || file[0] == '\0' || read_password(file, address, note);
}

/* ---- the rest ---- */

static bool take_campaign(const char *name, wri_redis_address *address)
{
    static const char GOOD[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    size_t length = strlen(name);
    snprintf(address->prefix, sizeof address->prefix, "warren:{%.*s}:", LONGEST_CAMPAIGN, name);
    return length > 0 && length <= LONGEST_CAMPAIGN && strspn(name, GOOD) == length;
}

/* host, host:port or [address]:port. */
static bool take_host(const char *text, size_t length, wri_redis_address *address)
{
    const char *end = text + length, *host = text, *rest = memchr(text, ':', length);
    if (length > 0 && text[0] == '[') {
        const char *bracket = memchr(text, ']', length);
        if (bracket == NULL)
            return false;
        host++;
        rest = bracket + 1 == end ? NULL : bracket + 1;
        length = (size_t)(bracket - host);
    } else if (rest != NULL) {
        length = (size_t)(rest - text);
    }
    if (length == 0 || length >= sizeof address->host || (rest != NULL && *rest != ':'))
        return false;
    memcpy(address->host, host, length);
    address->host[length] = '\0';
    address->port = USUAL_PORT;
    if (rest == NULL)
        return true;
    char *after;
    long  port = strtol(rest + 1, &after, 10);
    address->port = (int)port;
    return after == end && rest[1] >= '0' && rest[1] <= '9' && port > 0 && port < 65536;
}

static bool take_socket(const char *text, size_t length, wri_redis_address *address)
{
    if (length == 0 || length >= sizeof address->host || text[0] != '/')
        return false;
    memcpy(address->host, text, length);
    address->host[length] = '\0';
    address->port = 0;
    return true;
}

bool wri_redis_address_read(const char *url, wri_redis_address *address, wri_note *note)
{
    static const char HOST[] = "redis://", SOCKET[] = "redis+unix://";
    bool              host = strncmp(url, HOST, strlen(HOST)) == 0;
    bool              socket = strncmp(url, SOCKET, strlen(SOCKET)) == 0;
    const char       *start = url + strlen(host ? HOST : socket ? SOCKET : "");
    const char       *last = strrchr(start, '/');
    if (host && strchr(start, '@') != NULL)
        return wri_note_refuse(note, "--store: a password on the command line can be seen by "
                                     "others: set WARREN_REDIS_PASSWORD or "
                                     "WARREN_REDIS_PASSWORD_FILE");
    bool read = (host || socket) && last != NULL && take_campaign(last + 1, address) &&
                (host ? take_host(start, (size_t)(last - start), address)
                      : take_socket(start, (size_t)(last - start), address));
    if (!read)
        return wri_note_refuse(note, "%.300s: " EXPECTED, url);
    return find_password(address, note);
}

/* kind: switch over strings
 * Requests "METHOD path": methods that must not have a body, in a chain of comparisons. */
#include <string.h>
#include <strings.h>
#include <warren.h>

typedef enum { NONE, READS, WRITES } effect;

static effect effect_of(const char *method)
{
    if (strcasecmp(method, "get") == 0 || strcasecmp(method, "head") == 0)
        return READS;
    if (strcasecmp(method, "put") == 0 || strcasecmp(method, "post") == 0)
        return WRITES;
    if (strcasecmp(method, "delete") == 0)
        return WRITES;
    if (strcasecmp(method, "options") == 0)
#ifndef FIXED
        return WRITES;
#else
        return READS;
#endif
    return NONE;
}

static effect effect_of_request(const char *request)
{
    char   method[16];
    size_t length = strcspn(request, " ");
    if (length >= sizeof method || request[length] == '\0' || request[length + 1] != '/')
        return NONE;
    memcpy(method, request, length);
    method[length] = '\0';
    return effect_of(method);
}

WR_PROPERTY(c_method)
{
    const char *request = wr_text(t, "request", 0, 24);
    effect      is = effect_of_request(request);
    wr_assert(t, is != WRITES || (request[0] | 0x20) != 'o');
}

#ifdef WITNESS
WR_EXAMPLE(c_method, "request = \"options /\"");
#endif

/* bench/json.c: see json.h. */
#include "json.h"

#include <stdlib.h>
#include <string.h>

static const char *skip_space(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

static const char *skip_string(const char *at)
{
    for (at++; *at != '\0' && *at != '"'; at++)
        if (*at == '\\' && at[1] != '\0')
            at++;
    return *at == '"' ? at + 1 : at;
}

/* Past one value, whatever it is. */
static const char *skip_value(const char *at)
{
    size_t depth = 0;
    at = skip_space(at);
    do {
        if (*at == '"') {
            at = skip_string(at);
            continue;
        }
        if (*at == '{' || *at == '[')
            depth++;
        else if (*at == '}' || *at == ']')
            depth--;
        else if (depth == 0)
            return at + strcspn(at, ",}] \t\r\n");
        if (*at != '\0')
            at++;
    } while (depth > 0 && *at != '\0');
    return at;
}

const char *json_next_member(const char *object, const char *at, char *name, size_t room)
{
    if (object == NULL || *object != '{')
        return NULL;
    at = skip_space(at == NULL ? object + 1 : skip_value(at));
    at = skip_space(*at == ',' ? at + 1 : at);
    if (!json_text(at, name, room))
        return NULL;
    at = skip_space(skip_string(at));
    return *at == ':' ? skip_space(at + 1) : NULL;
}

const char *json_member(const char *object, const char *name)
{
    char here[128];
    for (const char *at = NULL; (at = json_next_member(object, at, here, sizeof here)) != NULL;)
        if (strcmp(here, name) == 0)
            return at;
    return NULL;
}

const char *json_next_element(const char *list, const char *at)
{
    if (list == NULL || *list != '[')
        return NULL;
    at = skip_space(at == NULL ? list + 1 : skip_value(at));
    at = skip_space(*at == ',' ? at + 1 : at);
    return *at == '\0' || *at == ']' ? NULL : at;
}

size_t json_list_length(const char *list)
{
    size_t count = 0;
    for (const char *at = NULL; (at = json_next_element(list, at)) != NULL;)
        count++;
    return count;
}

double json_number(const char *value)
{
    if (value == NULL)
        return -1;
    char  *end;
    double number = strtod(value, &end);
    return end == value ? -1 : number;
}

bool json_text(const char *value, char *text, size_t room)
{
    size_t used = 0;
    if (room > 0)
        text[0] = '\0';
    if (value == NULL || *value != '"')
        return false;
    for (const char *at = value + 1; *at != '\0' && *at != '"'; at++) {
        char c = *at;
        if (c == '\\' && at[1] != '\0') {
            c = *++at;
            c = c == 'n' ? '\n' : c == 't' ? '\t' : c;
        }
        if (used + 1 < room)
            text[used++] = c;
    }
    if (room > 0)
        text[used] = '\0';
    return true;
}

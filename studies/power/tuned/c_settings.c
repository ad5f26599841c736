/* kind: keyword in text
 * Settings as name=value, apart by semicolons: the name "timeout" is looked for with a prefix. */
#include <stdlib.h>
#include <string.h>
#include <warren.h>

typedef struct settings {
    long timeout, retries;
    bool known;
} settings;

static void take(settings *to, const char *name, size_t length, const char *value)
{
#ifndef FIXED
    if (length >= 7 && strncmp(name, "timeout", 7) == 0)
#else
    if (length == 7 && strncmp(name, "timeout", 7) == 0)
#endif
        to->timeout = strtol(value, NULL, 10);
    else if (length == 7 && strncmp(name, "retries", 7) == 0)
        to->retries = strtol(value, NULL, 10);
    else if (length == 10 && strncmp(name, "timeout_ms", 10) == 0)
        to->known = true;
}

static settings parse(const char *text)
{
    settings made = { 0 };
    while (*text != '\0') {
        size_t      length = strcspn(text, ";");
        const char *equals = memchr(text, '=', length);
        if (equals != NULL)
            take(&made, text, (size_t)(equals - text), equals + 1);
        text += length + (text[length] == ';');
    }
    return made;
}

/* Does the text set this very name? */
static bool sets(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = text; (at = strstr(at, name)) != NULL; at++)
        if ((at == text || at[-1] == ';') && at[length] == '=')
            return true;
    return false;
}

WR_PROPERTY(c_settings)
{
    const char *text = wr_text(t, "text", 0, 40);
    settings    made = parse(text);
    wr_assert(t, made.timeout == 0 || sets(text, "timeout"));
}

#ifdef WITNESS
WR_EXAMPLE(c_settings, "text = \"timeouts=5\"");
#endif

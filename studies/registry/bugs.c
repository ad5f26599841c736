/* studies/registry/bugs.c: see bugs.h. */
#include "bugs.h"

#include <stdio.h>
#include <string.h>

#define NAMES 26

/* The model: who has a name, 0: nobody. */
typedef struct names {
    unsigned owner[NAMES];
} names;

static bool has_name(const names *all, unsigned process)
{
    for (unsigned i = 0; i < NAMES; i++)
        if (all->owner[i] == process)
            return true;
    return false;
}

/* One line, and what it would show if it failed. */
static unsigned make_call(names *all, const char *line, bool strict)
{
    char     name[2];
    unsigned process;
    if (sscanf(line, "register(\"%1[a-z]\", v%u);", name, &process) == 2) {
        unsigned *owner = &all->owner[name[0] - 'a'];
        unsigned  bug = *owner != 0 ? 5 : has_name(all, process) ? 2 : 3;
        if (strict && *owner == process)
            bug = 0;
        *owner = process;
        return bug;
    }
    if (sscanf(line, "unregister(\"%1[a-z]\");", name) == 1) {
        unsigned *owner = &all->owner[name[0] - 'a'];
        unsigned  bug = *owner != 0 ? 6 : 1;
        *owner = 0;
        return bug;
    }
    return strncmp(line, "whereis(", 8) == 0 ? 4 : 0;
}

unsigned bug_of(const char *calls, bool strict)
{
    names    all = { 0 };
    unsigned bug = 0;
    while (*calls != '\0') {
        bug = make_call(&all, calls, strict);
        calls += strcspn(calls, "\n");
        calls += *calls == '\n';
    }
    return bug;
}

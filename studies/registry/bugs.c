/* studies/registry/bugs.c: see bugs.h. */
#include "bugs.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

#define MOST 64

/* A piece of the text. */
typedef struct word {
    const char *at;
    size_t      length;
} word;

typedef struct call {
    word function, arguments[2];
} call;

/* The model: who has which name, since the last time that it was free. */
typedef struct names {
    word   names[MOST], owners[MOST]; /* an owner of no length: nobody */
    size_t count;
} names;

/* ---- Reading ---- */

/* What stands for anything is like nothing else. */
static bool is_same(word a, word b)
{
    return a.length == b.length && memcmp(a.at, b.at, a.length) == 0 && *a.at != '_';
}

static bool is(word a, const char *text)
{
    return is_same(a, (word){ text, strlen(text) });
}

static word read_argument(const char **at)
{
    word argument = { .at = *at + strspn(*at, " ,") };
    argument.length = strcspn(argument.at, ",)");
    *at = argument.at + argument.length;
    return argument;
}

/* Finds the next name with a bracket behind it. False: there is none, or guards begin. */
static bool read_call(const char **at, call *one)
{
    for (; **at != '\0'; ++*at) {
        word function = { .at = *at };
        while (isalpha((unsigned char)function.at[function.length]))
            function.length++;
        if (is(function, "unless"))
            return false;
        if (function.length > 0 && function.at[function.length] == '(') {
            *at += function.length + 1;
            one->function = function;
            one->arguments[0] = read_argument(at);
            one->arguments[1] = read_argument(at);
            return true;
        }
        *at += function.length > 0 ? function.length - 1 : 0;
    }
    return false;
}

/* ---- The model ---- */

static word *owner_of(names *all, word name)
{
    size_t i = 0;
    while (i < all->count && !is_same(all->names[i], name))
        i++;
    if (i == MOST)
        return &all->owners[0];
    if (i == all->count) {
        all->count++;
        all->names[i] = name;
        all->owners[i] = (word){ name.at, 0 };
    }
    return &all->owners[i];
}

static bool has_name(const names *all, word process)
{
    for (size_t i = 0; i < all->count; i++)
        if (is_same(all->owners[i], process))
            return true;
    return false;
}

/* What the call would show if it failed. */
static unsigned make_call(names *all, const call *one, bool strict)
{
    word     name = one->arguments[0], process = one->arguments[1];
    unsigned bug = 0;
    if (is(one->function, "register")) {
        word *owner = owner_of(all, name);
        bool  twice = owner->length > 0 && is_same(*owner, process);
        bug = owner->length > 0 ? 5 : has_name(all, process) ? 2 : 3;
        bug = strict && twice ? 0 : bug;
        *owner = process;
    } else if (is(one->function, "unregister")) {
        word *owner = owner_of(all, name);
        bug = owner->length > 0 ? 6 : 1;
        owner->length = 0;
    } else if (is(one->function, "whereis")) {
        bug = 4;
    }
    return bug;
}

unsigned bug_of(const char *calls, bool strict)
{
    names    all = { .count = 0 };
    call     one;
    unsigned bug = 0;
    while (read_call(&calls, &one))
        bug = make_call(&all, &one, strict);
    return bug;
}

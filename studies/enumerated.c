/* studies/enumerated.c: see enumerated.h. */
#include "enumerated.h"

#include <stdio.h>
#include <string.h>

#include "child.h"
#include "json.h"

static char output[1 << 18];

static void read_sizes(enumerated *found, const char *list)
{
    for (const char *at = NULL; (at = json_next_element(list, at)) != NULL;) {
        double size = json_number(json_member(at, "size"));
        if (size >= 0 && size < SIZES_MOST)
            found->cases_of[(size_t)size] = json_number(json_member(at, "cases"));
    }
}

static void read_workers(enumerated *found, const char *list)
{
    for (const char *at = NULL; (at = json_next_element(list, at)) != NULL;)
        if (found->workers < WORKERS_MOST)
            found->by_worker[found->workers++] = json_number(at);
}

static void read_failure(enumerated *found, const char *failure)
{
    char        name[32], value[128];
    const char *values = json_member(failure, "values");
    size_t      used = 0;
    found->failed = failure != NULL;
    found->size = json_number(json_member(failure, "size"));
    if (found->failed)
        found->runs = json_number(json_member(failure, "executions_before"));
    for (const char *at = NULL; (at = json_next_member(values, at, name, sizeof name)) != NULL;) {
        if (used >= sizeof found->values)
            break;
        if (json_text(at, value, sizeof value))
            used += (size_t)snprintf(found->values + used, sizeof found->values - used,
                                     "%s%s = %s", used > 0 ? ", " : "", name, value);
    }
}

enumerated enumerate(const char *program, const char *property, unsigned size, manner how,
                     unsigned jobs)
{
    char  limit[16], workers[16];
    char *at_once = how == AT_ONCE ? "--at-once" : NULL;
    char *arguments[] = { (char *)program, (char *)property, "--explore", "enumerate", "--size",
                          limit,           "--jobs",         workers,     "--format",  "json",
                          "--no-store",    "--shrink-time",  "1ms",       at_once,     NULL };
    enumerated found = { .size = -1 };
    for (size_t i = 0; i < SIZES_MOST; i++)
        found.cases_of[i] = -1;
    snprintf(limit, sizeof limit, "%u", size);
    snprintf(workers, sizeof workers, "%u", jobs);
    child       ran = run_child(arguments, output, sizeof output, false, NULL, NULL);
    const char *enumeration = json_member(output, "enumeration");
    found.ran = (ran.status == 0 || ran.status == 1) && enumeration != NULL;
    found.cpu = ran.cpu;
    found.cases = json_number(json_member(output, "cases"));
    found.runs = json_number(json_member(enumeration, "runs"));
    read_sizes(&found, json_member(enumeration, "sizes"));
    read_workers(&found, json_member(enumeration, "workers"));
    read_failure(&found, json_member(output, "failure"));
    return found;
}

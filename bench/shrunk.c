/* bench/shrunk.c: see shrunk.h. */
#include "shrunk.h"

#include <stdio.h>
#include <string.h>

#include "child.h"
#include "json.h"

static bool is_true(const char *value)
{
    return value != NULL && strncmp(value, "true", 4) == 0;
}

static void join_values(const char *values, char *answer, size_t room)
{
    char   name[64], text[440];
    size_t used = 0;
    answer[0] = '\0';
    for (const char *at = NULL; (at = json_next_member(values, at, name, sizeof name)) != NULL;) {
        json_text(at, text, sizeof text);
        int more =
            snprintf(answer + used, room - used, "%s%s=%s", used > 0 ? "; " : "", name, text);
        if (more < 0 || (size_t)more >= room - used)
            return;
        used += (size_t)more;
    }
}

shrunk shrunk_run(const char *program, const char *property, uint64_t seed, const char *cases)
{
    static char output[1 << 18];
    char        number[32];
    shrunk      result = { .failed = false };
    char       *arguments[] = { (char *)program, (char *)property, "--seed",
                                number,          "--jobs",         "1",
                                "--cases",       (char *)cases,    "--no-store",
                                "--format",      "json",           NULL };
    snprintf(number, sizeof number, "%llu", (unsigned long long)seed);
    child       ran = run_child(arguments, output, sizeof output, true, NULL, NULL);
    const char *failure = json_member(output, "failure");
    if (ran.status != 1 || failure == NULL)
        return result;
    result.failed = true;
    result.sure =
        !is_true(json_member(failure, "flaky")) && !is_true(json_member(failure, "unfinished"));
    result.after = (uint32_t)json_number(json_member(failure, "executions_after"));
    result.choices_before = (uint32_t)json_number(json_member(failure, "choices_before"));
    join_values(json_member(failure, "values"), result.answer, sizeof result.answer);
    return result;
}

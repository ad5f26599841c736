/* kind: keyword
 * A command line of one word: one of the commands that change something is taken for one that
 * only reads. */
#include <string.h>
#include <warren.h>

static const char *const READING[] = {
    "status",
    "history",
    "listing",
#ifndef FIXED
    "rollback",
#endif
};

static bool changes(const char *command)
{
    for (size_t i = 0; i < sizeof READING / sizeof *READING; i++)
        if (strcmp(command, READING[i]) == 0)
            return false;
    return strcmp(command, "commit") == 0 || strcmp(command, "rollback") == 0;
}

WR_PROPERTY(c_command)
{
    const char *command = wr_text(t, "command", 0, 12);
    uint32_t    hash = 2166136261u; /* of the commands that must take a lock */
    for (const char *at = command; *at != '\0'; at++)
        hash = (hash ^ (unsigned char)*at) * 16777619u;
    bool locks = hash == 0x334bd0fcu || hash == 0x7ccad87du;
    wr_assert_eq(t, changes(command), locks);
}

#ifdef WITNESS
WR_EXAMPLE(c_command, "command = \"rollback\"");
#endif

/* kind: parser
 * Fields between commas, of which some are quoted: a doubled quote at the end of a quoted field
 * that is not the first one ends the line. */
#include <string.h>
#include <warren.h>

/* The number of fields, or 0 where a quote is left open. */
static size_t fields(const char *line)
{
    size_t count = 1;
    bool   open = false;
    for (size_t i = 0; line[i] != '\0'; i++) {
        if (line[i] == '"') {
#ifndef FIXED
            if (open && count > 1 && line[i + 1] == '"' && line[i + 2] == '"')
                return count;
#endif
            open = !open;
        } else if (line[i] == ',' && !open) {
            count++;
        }
    }
    return open ? 0 : count;
}

WR_PROPERTY(a_quoted)
{
    char  *line = wr_text(t, "line", 0, 24);
    size_t quotes = 0, outside = 1;
    for (const char *at = line; *at != '\0'; at++) {
        quotes += *at == '"';
        outside += *at == ',' && quotes % 2 == 0;
    }
    wr_assert_eq(t, fields(line), quotes % 2 == 1 ? 0 : outside);
}

#ifdef WITNESS
WR_EXAMPLE(a_quoted, "line = \"a,\\\"b\\\"\\\"\\\",c\"");
#endif

/* report/github.c: failures as commands of GitHub's workflows, which annotate the lines of a
 * change.
 *
 *     ::error file=src/sort.c,line=19,title=sorting_sorts::assertion failed: ...
 *
 * Each is a line among those of the report for people. A runner takes it out of the log and shows
 * it beside the code.
 */
#include <stdlib.h>
#include <string.h>

#include "report/block.h"
#include "report/escape.h"

typedef struct github {
    wri_reporter base;
    FILE        *out;
} github;

/* The text of a command, or the value of one of its properties. */
static void put_text(FILE *out, const char *text, bool property)
{
    for (; *text != '\0'; text++)
        if (*text == '%' || *text == '\r' || *text == '\n' ||
            (property && (*text == ':' || *text == ',')))
            fprintf(out, "%%%02X", (unsigned)*text);
        else
            putc(*text, out);
}

/* The path from the root of the checkout on, which the runner names. */
static const char *from_root(const char *file)
{
    const char *root = getenv("GITHUB_WORKSPACE");
    size_t      length = root == NULL ? 0 : strlen(root);
    if (length > 0 && strncmp(file, root, length) == 0 && file[length] == '/')
        return file + length + 1;
    return wri_block_file(file);
}

static void put_command(github *g, const wri_result *result, const wri_failure *failure)
{
    bool        known = failure != NULL && failure->file[0] != '\0';
    const char *file = known ? failure->file : result->file;
    int         line = known ? failure->line : result->line;
    char       *text = wri_block_text(result, failure);
    fputs("::error ", g->out);
    if (file != NULL && file[0] != '\0') {
        fputs("file=", g->out);
        put_text(g->out, from_root(file), true);
        fprintf(g->out, ",line=%d,", line > 0 ? line : 1);
    }
    fputs("title=", g->out);
    put_text(g->out, result->property, true);
    fputs("::", g->out);
    put_text(g->out, text == NULL ? "" : text, false);
    putc('\n', g->out);
    free(text);
}

static void github_result(wri_reporter *self, const wri_result *result)
{
    github *g = (github *)self;
    for (size_t i = 0; i < result->failure_count; i++)
        put_command(g, result, &result->failures[i]);
    if (result->failure_count == 0 && wri_status_bad(result->status))
        put_command(g, result, NULL);
    wri_report_flush(self, g->out);
}

static void github_replayed(wri_reporter *self, const wri_result *result,
                            const wri_failure *case_)
{
    (void)case_;
    github_result(self, result);
}

static void github_free(wri_reporter *self)
{
    free(self);
}

wri_reporter *wri_github_new(FILE *out)
{
    github *g = calloc(1, sizeof *g);
    if (g == NULL)
        return NULL;
    g->base = (wri_reporter){ .result = github_result,
                              .replayed = github_replayed,
                              .free = github_free };
    g->out = out;
    return &g->base;
}

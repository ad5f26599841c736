/* report/page/html.c: the page of a run (--html FILE), written at its end. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/folder.h"
#include "report/draft.h"
#include "report/page/page.h"

typedef struct html {
    wri_reporter base;
    wri_draft    draft;
    wri_page    *page;
    char        *program;
    uint64_t     seed;
} html;

static void html_begin(wri_reporter *self, const wri_run *run)
{
    html *h = (html *)self;
    h->seed = run->seed;
    free(h->program);
    h->program = strdup(run->program == NULL ? "" : wri_folder_last_name(run->program));
}

static void html_result(wri_reporter *self, const wri_result *result)
{
    wri_page_add(((html *)self)->page, result, NULL);
}

static void html_replayed(wri_reporter *self, const wri_result *result, const wri_failure *case_)
{
    (void)case_;
    html_result(self, result);
}

static void html_assertions(wri_reporter *self, const wri_assertion *list, size_t count,
                            bool failing)
{
    (void)failing;
    wri_page_assertions(((html *)self)->page, list, count);
}

static void html_end(wri_reporter *self, const wri_summary *summary)
{
    html         *h = (html *)self;
    wri_page_head head = { .name = h->program == NULL ? "" : h->program,
                           .seed = h->seed,
                           .seconds = summary->seconds,
                           .stopped = summary->stopped,
                           .not_run = summary->not_run };
    FILE         *out = wri_draft_open(&h->draft);
    bool          whole = out != NULL && wri_page_write(h->page, out, &head);
    if (out != NULL && wri_draft_close(&h->draft, out, whole))
        return;
    fprintf(stderr, "%s: --html: cannot write %s: %s\n", program_invocation_name, h->draft.path,
            strerror(errno));
    self->broken = true;
}

static void html_free(wri_reporter *self)
{
    html *h = (html *)self;
    wri_page_free(h->page);
    wri_draft_free(&h->draft);
    free(h->program);
    free(h);
}

wri_reporter *wri_html_new(const char *path, char *error, size_t error_size)
{
    html *h = calloc(1, sizeof *h);
    if (h != NULL) {
        h->base = (wri_reporter){ .begin = html_begin,
                                  .result = html_result,
                                  .replayed = html_replayed,
                                  .assertions = html_assertions,
                                  .end = html_end,
                                  .free = html_free };
        h->page = wri_page_new();
        if (h->page != NULL && wri_draft_find(&h->draft, path))
            return &h->base;
    }
    snprintf(error, error_size, "--html: cannot write %s: %s", path, strerror(errno));
    if (h != NULL)
        html_free(&h->base);
    return NULL;
}

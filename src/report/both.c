/* report/both.c: tells each event to two reporters, e.g. a terminal and a JUnit file. */
#include <stdlib.h>

#include "report/report.h"

typedef struct both {
    wri_reporter  base;
    wri_reporter *first, *second;
} both;

/* Calls one member of both, the first one first. */
#define TELL(self, member, ...)                                                                  \
    do {                                                                                         \
        both *pair_ = (both *)(self);                                                            \
        WRI_TELL(pair_->first, member, __VA_ARGS__);                                             \
        WRI_TELL(pair_->second, member, __VA_ARGS__);                                            \
    } while (0)

static void both_begin(wri_reporter *self, const wri_run *run)
{
    TELL(self, begin, run);
}

static void both_progress(wri_reporter *self, const wri_progress *progress)
{
    TELL(self, progress, progress);
}

static void both_found(wri_reporter *self, const char *property, const wri_failure *failure)
{
    TELL(self, found, property, failure);
}

static void both_result(wri_reporter *self, const wri_result *result)
{
    TELL(self, result, result);
}

static void both_warn(wri_reporter *self, const char *line)
{
    TELL(self, warn, line);
}

static void both_remark(wri_reporter *self, const char *property, const char *line)
{
    TELL(self, remark, property, line);
}

static void both_replayed(wri_reporter *self, const wri_result *result, const wri_failure *case_)
{
    TELL(self, replayed, result, case_);
}

static void both_assertions(wri_reporter *self, const wri_assertion *assertions, size_t count,
                            bool failing)
{
    TELL(self, assertions, assertions, count, failing);
}

static void both_end(wri_reporter *self, const wri_summary *summary)
{
    both *pair = (both *)self;
    TELL(self, end, summary);
    self->broken = pair->first->broken || pair->second->broken;
}

static void both_free(wri_reporter *self)
{
    both *pair = (both *)self;
    pair->first->free(pair->first);
    pair->second->free(pair->second);
    free(pair);
}

wri_reporter *wri_both_new(wri_reporter *first, wri_reporter *second)
{
    both *pair = calloc(1, sizeof *pair);
    if (!pair)
        return NULL;
    pair->base = (wri_reporter){ .begin = both_begin,
                                 .progress = both_progress,
                                 .found = both_found,
                                 .result = both_result,
                                 .warn = both_warn,
                                 .remark = both_remark,
                                 .replayed = both_replayed,
                                 .assertions = both_assertions,
                                 .end = both_end,
                                 .free = both_free };
    pair->first = first;
    pair->second = second;
    return &pair->base;
}

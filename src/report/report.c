/* report/report.c: the parts that all formats share: statuses, and reporters in a row. */
#include "report/report.h"

#include <errno.h>
#include <stdlib.h>

static const struct {
    const char *name;
    bool        bad;
} STATUSES[] = {
#define WRI_STATUS_ROW(name, text, bad) { text, bad },
    WRI_STATUSES(WRI_STATUS_ROW)
#undef WRI_STATUS_ROW
};

static bool known(wri_status status)
{
    return (size_t)status < sizeof STATUSES / sizeof *STATUSES;
}

const char *wri_status_name(wri_status status)
{
    return known(status) ? STATUSES[status].name : "unknown";
}

bool wri_status_bad(wri_status status)
{
    return !known(status) || STATUSES[status].bad;
}

void wri_report_flush(wri_reporter *reporter, FILE *out)
{
    errno = EIO;
    if ((fflush(out) == 0 && !ferror(out)) || reporter->broken)
        return;
    reporter->why = errno;
    reporter->broken = true;
}

bool wri_report_broken(const wri_reporter *reporter)
{
    while (reporter != NULL && !reporter->broken)
        reporter = reporter->also;
    return reporter != NULL;
}

void wri_report_free(wri_reporter *reporter)
{
    for (wri_reporter *also; reporter != NULL; reporter = also) {
        also = reporter->also;
        if (reporter->free != NULL)
            reporter->free(reporter);
        else
            free(reporter);
    }
}

/* report/status.c: the names of statuses, and which of them are bad, from the table. */
#include "report/report.h"

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

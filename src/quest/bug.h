/* quest/bug.h: a bug with its smallest case. The bug owns the record that the report shows and
 * the store keeps (core/failure.h). */
#ifndef WRI_QUEST_BUG_H
#define WRI_QUEST_BUG_H

#include "core/failure.h"
#include "core/trace.h"
#include "report/report.h"
#include "run/runner.h"
#include "store/store.h"

typedef struct wri_bug {
    uint64_t    origin;          /* kind and place of the failure */
    uint64_t    key;             /* identifies the bug in the store */
    wri_status  status;          /* FAILED, FLAKY, SKIPPED or ERROR */
    wri_trace   trace;           /* the smallest case so far */
    wri_failure failure;         /* its texts belong to the bug */
    void       *words;           /* the texts, values and notes of the last description */
    bool        placed_in_store; /* the store's copy has a place */
    unsigned    passed; /* number, from 1, in the runner's list of known bugs; 0: not there */
    enum wri_bug_scope {
        WRI_SCOPE_ORIGIN, /* every failure of its origin is this bug */
        WRI_SCOPE_REASON, /* those that fail for its reasons are */
        WRI_SCOPE_STUDIED /* it is being looked into: none is yet */
    } scope;
} wri_bug;

/* Takes verdict, place, printed values and output from a run of the case, in place of the old
 * ones. False: memory is out. */
bool wri_bug_describe(wri_bug *bug, const wri_outcome *outcome);
void wri_bug_free(wri_bug *bug);

/* Sets one text of the failure that wri_bug_describe() does not set: replay, token, stored or
 * rule. The bug owns the malloced text from now on, and the old one is freed. */
void wri_bug_own(const char **text, char *malloced);

/* An earlier run stored the bug: it keeps its key and its place. */
void wri_bug_recall(wri_bug *bug, const wri_stored *stored);

#endif

/* quest/study.h: cases like a bug's smallest one, made and run. */
#ifndef WRI_QUEST_STUDY_H
#define WRI_QUEST_STUDY_H

#include "plan/reason.h"
#include "quest/quest.h"

/* A number of the case. */
typedef struct wri_spot {
    uint32_t node;
    uint64_t element; /* of an array */
    bool     length;  /* elements of arrays are tied to it */
    bool     free;    /* it fails with any other value */
    bool     summed;  /* it only counts as a part of its array's sum */
    int64_t  value, least, most;
    int64_t  lo, hi; /* it fails with these, if all else stays; */
    uint64_t step;   /* and with those so many higher; 0: only these */
} wri_spot;

typedef enum wri_answered {
    WRI_ANSWERED_HOLDS,
    WRI_ANSWERED_FAILS,
    WRI_ANSWERED_KNOWN, /* it fails by another bug, and perhaps by this one, too */
    WRI_ANSWERED_VOID   /* it was refuted */
} wri_answered;

#define WRI_STUDY_SPOTS 24

/* How an array's elements may be moved. */
typedef struct wri_study_list {
    uint32_t array, length; /* its node, and that of its length; NO_NODE: it has none */
    uint32_t place;         /* wri_reason_place */
    bool     front, back;   /* elements may come before it, and behind it */
    bool     summed;        /* its sum matters */
    bool     idle;          /* no element of it matters: they have no spots */
    int64_t  later;         /* in the plan, elements stand so many places later */
} wri_study_list;

typedef struct wri_study {
    wri_quest     *quest;
    const wri_bug *bug;
    wri_trace      plan;
    uint64_t       random;
    uint64_t       executions;
    double         until;
    bool           over;
    uint64_t       addresses[WRI_REASON_NODES];
    wri_spot       spots[WRI_STUDY_SPOTS];
    size_t         spot_count;
    wri_study_list lists[WRI_REASON_LISTS];
    size_t         list_count;
} wri_study;

/* False: the case is too large, or memory is out. */
bool wri_study_begin(wri_study *study, wri_quest *quest, const wri_bug *bug, double until);
void wri_study_end(wri_study *study);
/* Starts a plan: a copy of the bug's case. */
void wri_study_plan(wri_study *study);
void wri_study_set(wri_study *study, const wri_spot *spot, int64_t value);
/* Gives the arrays of a length so many elements: new ones are random, and come before or behind
 * those that are there. */
void         wri_study_resize(wri_study *study, uint32_t length, uint64_t count, bool front);
wri_answered wri_study_run(wri_study *study);
/* Gives new values to the elements of arrays of which none matters. */
void wri_study_stir_idle(wri_study *study);
/* Runs the plan; if it fails, also with other values of all free numbers, for the usual ones may
 * show another bug. */
wri_answered wri_study_ask(wri_study *study);
/* A value of lo..hi. */
int64_t wri_study_random(wri_study *study, int64_t lo, int64_t hi);
int64_t wri_study_any(wri_study *study, const wri_spot *spot);

#endif

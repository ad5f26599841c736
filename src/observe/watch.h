/* observe/watch.h: who looks on while a case shows something.
 *
 * Statistics count every observation, whoever explores. An explorer that is guided by what
 * cases show hangs a watch into the case besides, and is told at once: a label's place among
 * the choices is worth as much as the label. What it does with that is its own business.
 */
#ifndef WRI_OBSERVE_WATCH_H
#define WRI_OBSERVE_WATCH_H

#include "core/case.h"

/* In the order of priority. */
typedef enum wri_feature_class {
    WRI_FEATURE_LABEL, /* a label or class, a cover or sometimes that is true, a place reached */
    WRI_FEATURE_SLOT,  /* a number that a case made larger than any before */
    WRI_FEATURE_CELL,  /* a state cell, a row of a table */
    WRI_FEATURE_EDGE,  /* a place in the code, and about how often */
    WRI_FEATURE_DISTANCE, /* a comparison, and how far its sides were apart */
    WRI_FEATURE_CLASSES
} wri_feature_class;

typedef struct wri_watch {
    /* The case shows the feature `key`, maybe not for the first time. `text` says it to people.
     * `cache` is a word that belongs to this key, 0 at first: the watch keeps its number there.
     */
    void (*hit)(struct wri_watch *self, wr_case *t, wri_feature_class class, uint64_t key,
                uint32_t *cache, const char *text);
    /* A slot has this value now; larger is better, whoever asked for less has turned it round. A
     * slot with the key of a label is the gap that a sometimes has left: told before the hit, and
     * of no worth once some case has shown the label. */
    void (*value)(struct wri_watch *self, wr_case *t, uint64_t key, double value,
                  const char *text);
} wri_watch;

#endif

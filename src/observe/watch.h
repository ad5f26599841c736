/* observe/watch.h: tells an explorer each observation, at the moment it is made.
 *
 * The table (observe/seen.h) counts observations for every explorer. An explorer that is guided
 * by observations also hangs a watch into the case. The moment matters: a label's position among
 * the choices is worth as much as the label.
 */
#ifndef WRI_OBSERVE_WATCH_H
#define WRI_OBSERVE_WATCH_H

#include "core/case.h"

/* In the order of priority. */
typedef enum wri_feature_class {
    WRI_FEATURE_LABEL,    /* a label, a true cover or sometimes, a place reached */
    WRI_FEATURE_SLOT,     /* a number that a case made larger than any before */
    WRI_FEATURE_CELL,     /* a state cell, a row of a table */
    WRI_FEATURE_EDGE,     /* a place in the code, and about how often */
    WRI_FEATURE_DISTANCE, /* a comparison, and how far its sides were apart */
    WRI_FEATURE_PAIR,     /* two connected calls of a machine: counted, and not followed */
    WRI_FEATURE_CLASSES
} wri_feature_class;

typedef struct wri_watch {
    /* The case shows the feature `key`, maybe not for the first time. `text` is its name for
     * people. `cache` is a word that belongs to this key, 0 at first; the watch keeps the
     * feature's number there. */
    void (*hit)(struct wri_watch *self, wr_case *t, wri_feature_class class, uint64_t key,
                uint32_t *cache, const char *text);
    /* A slot has this value now. Larger is better; for wr_minimise() the sign is already changed.
     * A slot with the key of a label is the gap of a wr_sometimes(). It is told before the hit,
     * and is worth nothing once a case has shown the label. */
    void (*value)(struct wri_watch *self, wr_case *t, uint64_t key, double value,
                  const char *text);
} wri_watch;

#endif

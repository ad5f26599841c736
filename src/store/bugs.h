/* store/bugs.h: bugs as items, and back. */
#ifndef WRI_STORE_BUGS_H
#define WRI_STORE_BUGS_H

#include "store/campaign.h"
#include "store/store.h"

/* Seconds since 1970; and who we are, as a word: "host/1234". */
uint64_t wri_bugs_now(void);
typedef struct wri_bugs_name {
    char text[160];
} wri_bugs_name;
wri_bugs_name wri_bugs_who(void);

/* Fills in a bug that was seen just now. `there`: what is known of it; NULL: nothing. False:
 * memory is out. */
bool wri_bugs_seen(wri_item *bug, const wri_item *there, const wri_failure *failure);
/* The same from a text that was read. No time is noted. */
bool wri_bugs_stored(wri_item *bug, const wri_stored *stored);
/* Gives the bug another status, if it has not that one. */
void wri_bugs_set_status(wri_item *bug, unsigned status);
/* "open", "mended", "returned", "forgotten" or "unknown". */
const char *wri_bugs_status(const wri_item *bug);

/* The bug as a failure, whose texts are the item's and the list of values. */
typedef struct wri_bugs_failure {
    wri_failure failure;
    wri_value  *values;
    char       *texts;
} wri_bugs_failure;
bool wri_bugs_to_failure(const wri_item *bug, wri_bugs_failure *made);
void wri_bugs_failure_free(wri_bugs_failure *made);

#endif

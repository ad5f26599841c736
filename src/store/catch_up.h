/* store/catch_up.h: texts learn what a database knows. */
#ifndef WRI_STORE_CATCH_UP_H
#define WRI_STORE_CATCH_UP_H

#include "store/campaign.h"
#include "store/store.h"

/* Writes the text of a bug. */
bool wri_catch_up_bug(wri_store *texts, const wri_item *bug, wri_note *note);
/* Writes a text for each bug of the owner that fails, and has none. */
bool wri_catch_up_bugs(wri_store *texts, wri_campaign *from, const wri_owner *owner,
                       wri_note *note);
/* Adds the smallest case of each feature to the corpus of the owner. */
bool wri_catch_up_corpus(wri_store *texts, wri_campaign *from, const wri_owner *owner,
                         wri_note *note);
/* Gives the changes of `from`, of these kinds (bits), since the last time, as a mark in `notes`
 * says, which is one of the two. `name` is that of the other one. */
bool wri_catch_up_all(wri_campaign *from, wri_campaign *to, wri_campaign *notes, const char *name,
                      unsigned kinds, wri_note *note);

#endif

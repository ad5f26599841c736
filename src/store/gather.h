/* store/gather.h: all that a store has, whoever owns it; and two stores as one.
 *
 * The name of a store is a folder, "sqlite:FOLDER", the file of a database alone, or the URL of a
 * campaign in Redis.
 */
#ifndef WRI_STORE_GATHER_H
#define WRI_STORE_GATHER_H

#include "store/bugs.h"

/* A bug, and the text that has its case. */
typedef struct wri_gathered {
    wri_item bug;
    char    *path; /* NULL: no text has it */
} wri_gathered;

typedef struct wri_gathering {
    wri_gathered *list; /* by program, property and key */
    size_t        count, room;
} wri_gathering;

/* Is told about each text that cannot be read. */
typedef struct wri_gather_complaints {
    void (*tell)(const char *line);
    size_t count;
} wri_gather_complaints;

/* NULL or "" is the usual folder, which need not be there. False, and a line, when the store
 * cannot be read; `gathering` is to be freed either way. */
bool wri_gather(const char *where, wri_gathering *gathering, wri_gather_complaints *complaints,
                wri_note *note);
void wri_gather_free(wri_gathering *gathering);

/* Adds all items of a kind that the store's database has; a store without one has none. */
bool wri_gather_items(const char *where, wri_item_kind kind, wri_items *items, wri_note *note);

/* Removes the text of the bug, and notes in the database that it is forgotten. */
bool wri_gather_forget(const char *where, const wri_gathered *bug, wri_note *note);

/* Merges the second store into the first, which is made if it is not there. */
bool wri_gather_merge(const char *to, const char *from, wri_gather_complaints *complaints,
                      wri_note *note);

#endif

/* store/campaign.h: a database of items (store/item.h) that programs and machines share.
 *
 *     wri_campaign *campaign = wri_sqlite_open(".warren/campaign.db", WRI_SQLITE_MAKE, &note);
 *     campaign->merge(campaign, items.list, items.count, &note);
 *
 * A database only ever merges items. So several programs may write to one, two may be merged,
 * and a database that was away catches up, in any order.
 */
#ifndef WRI_STORE_CAMPAIGN_H
#define WRI_STORE_CAMPAIGN_H

#include "core/note.h"
#include "store/item.h"

/* Which items; a member that is NULL or 0 asks for all. */
typedef struct wri_campaign_wish {
    const char *program, *property;
    uint64_t    key;
    uint64_t    after; /* only those that changed after this change */
} wri_campaign_wish;

/* Takes an item, which stays the database's; false: that is enough. */
typedef bool wri_campaign_visit(void *context, const wri_item *item);

/* Each function returns false, and a line that names the database, when it fails. A merge that
 * fails may have merged some of the items: it is done again. */
typedef struct wri_campaign wri_campaign;
struct wri_campaign {
    bool (*merge)(wri_campaign *, const wri_item *items, size_t count, wri_note *);
    /* In any order. */
    bool (*each)(wri_campaign *, wri_item_kind, const wri_campaign_wish *,
                 wri_campaign_visit *visit, void *context, wri_note *);
    /* The number of the last change; changes count up from 1. */
    bool (*last_change)(wri_campaign *, uint64_t *number, wri_note *);
    /* A number that somebody keeps under a name, e.g. up to which change a database elsewhere
     * has this one's items; 0 before it is set. */
    bool (*get_mark)(wri_campaign *, const char *name, uint64_t *number, wri_note *);
    bool (*set_mark)(wri_campaign *, const char *name, uint64_t number, wri_note *);
    /* A word that is another one if the data was lost; NULL: it is not lost without the file. */
    bool (*id)(wri_campaign *, char id[20], wri_note *);
    void (*close)(wri_campaign *);
    bool
        away; /* the last call failed because the server cannot be reached: a later one may not */
};

/* The item of an owner and a key. *found: there is one, and `item` is to be freed. */
bool wri_campaign_get(wri_campaign *campaign, wri_item_kind kind, const char *program,
                      const char *property, uint64_t key, wri_item *item, bool *found,
                      wri_note *note);
/* Merges the items of `from` of these kinds (bits) that changed after this change. */
bool wri_campaign_give(wri_campaign *from, uint64_t after, unsigned kinds, wri_campaign *to,
                       wri_note *note);
#define WRI_CAMPAIGN_ALL ((1u << WRI_ITEM_KINDS) - 1)

/* How a file is opened. */
typedef enum wri_sqlite_how {
    WRI_SQLITE_READ, /* it must be there, and stays as it is */
    WRI_SQLITE_MAKE, /* it is made, or brought to this version */
} wri_sqlite_how;

/* An SQLite file. NULL, and a line: it cannot be used, and stays as it is. */
wri_campaign *wri_sqlite_open(const char *path, wri_sqlite_how how, wri_note *note);
/* A campaign in a Redis server (store/redis/address.h). NULL, and a line: the URL or the password
 * cannot be used. It connects with the first call, and again after a call that failed. */
wri_campaign *wri_redis_open(const char *url, wri_note *note);
/* False, and a line: this build has no SQLite, or its library is not there. */
bool wri_sqlite_available(wri_note *note);

#endif

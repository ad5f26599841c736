/* store/campaign.c: what does not depend on the kind of database. */
#include "store/campaign.h"

/* ---- one item ---- */

typedef struct found {
    wri_item *item;
    bool      any, copied;
} found;

static bool take(void *context, const wri_item *item)
{
    found *one = context;
    one->any = true;
    one->copied = wri_item_copy(one->item, item);
    return false;
}

bool wri_campaign_get(wri_campaign *campaign, wri_item_kind kind, const char *program,
                      const char *property, uint64_t key, wri_item *item, bool *is_found,
                      wri_note *note)
{
    found             one = { .item = item };
    wri_campaign_wish wish = { .program = program, .property = property, .key = key };
    *item = (wri_item){ .kind = kind };
    *is_found = false;
    if (!campaign->each(campaign, kind, &wish, take, &one, note))
        return false;
    if (one.any && !one.copied) {
        wri_item_free(item);
        return wri_note_refuse(note, "memory is out");
    }
    *is_found = one.any;
    return true;
}

/* ---- all items ---- */

#define AT_ONCE 1000 /* items that are merged together */

typedef struct giving {
    wri_campaign *to;
    wri_items     items;
    wri_note     *note;
    bool          failed;
} giving;

static bool hand_over(giving *now)
{
    now->failed |= now->items.count > 0 &&
                   !now->to->merge(now->to, now->items.list, now->items.count, now->note);
    wri_items_free(&now->items);
    return !now->failed;
}

static bool give(void *context, const wri_item *item)
{
    giving   *now = context;
    wri_item *added =
        wri_items_add(&now->items, item->kind, item->program, item->property, item->key);
    if (added == NULL || !wri_item_copy(added, item)) {
        now->failed = true;
        return wri_note_refuse(now->note, "memory is out");
    }
    return now->items.count < AT_ONCE || hand_over(now);
}

bool wri_campaign_give(wri_campaign *from, uint64_t after, unsigned kinds, wri_campaign *to,
                       wri_note *note)
{
    giving            now = { .to = to, .note = note };
    wri_campaign_wish wish = { .after = after };
    bool              given = true;
    for (unsigned kind = 0; kind < WRI_ITEM_KINDS && given; kind++)
        given = !(kinds >> kind & 1) ||
                (from->each(from, (wri_item_kind)kind, &wish, give, &now, note) && !now.failed &&
                 hand_over(&now));
    wri_items_free(&now.items);
    return given;
}

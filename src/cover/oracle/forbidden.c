/* cover/oracle/forbidden.c: stores forbidden tuples by cell, and looks them up. */
#include "cover/oracle/forbidden.h"

#include <stdlib.h>

enum { BUCKETS = 64 };

bool wrc_forbidden_open(wrc_forbidden *list, const wrc_model *model)
{
    *list = (wrc_forbidden){ .model = model };
    list->buckets = calloc(model->parameter_count, sizeof *list->buckets);
    return list->buckets != NULL;
}

void wrc_forbidden_close(wrc_forbidden *list)
{
    for (uint32_t p = 0; list->buckets != NULL && p < list->model->parameter_count; p++) {
        for (uint32_t b = 0; list->buckets[p] != NULL && b < BUCKETS; b++)
            free(list->buckets[p][b].others);
        free(list->buckets[p]);
    }
    free(list->buckets);
    *list = (wrc_forbidden){ 0 };
}

static bool make_room(wrc_bucket *bucket, size_t more)
{
    if (bucket->count + more <= bucket->room)
        return true;
    size_t     room = bucket->room * 2 + more;
    wrc_other *others = realloc(bucket->others, room * sizeof *others);
    if (others == NULL)
        return false;
    bucket->others = others;
    bucket->room = room;
    return true;
}

/* Adds the tuple as seen from parts[own]. If several levels share a bucket, the cell itself is
 * one of the parts to look at. */
static bool add_to_bucket(wrc_forbidden *list, wrc_bucket *bucket, const wrc_part *parts,
                          uint32_t count, uint32_t own)
{
    bool shared = list->model->parameters[parts[own].parameter].levels > BUCKETS;
    if (count == 1 && !shared) {
        bucket->always = true;
        return true;
    }
    if (!make_room(bucket, count))
        return false;
    size_t next = bucket->count + count - !shared;
    for (uint32_t i = 0; i < count; i++)
        if (i != own || shared)
            bucket->others[bucket->count++] =
                (wrc_other){ parts[i].parameter, parts[i].from, parts[i].mask, next };
    return true;
}

static bool add_part(wrc_forbidden *list, const wrc_part *parts, uint32_t count, uint32_t own)
{
    wrc_bucket **buckets = &list->buckets[parts[own].parameter];
    if (*buckets == NULL && (*buckets = calloc(BUCKETS, sizeof **buckets)) == NULL)
        return false;
    for (uint32_t bit = 0; bit < BUCKETS; bit++)
        if (parts[own].mask >> bit & 1) {
            wrc_bucket *bucket = &(*buckets)[(parts[own].from + bit) % BUCKETS];
            if (!add_to_bucket(list, bucket, parts, count, own))
                return false;
        }
    return true;
}

bool wrc_forbidden_add(wrc_forbidden *list, const wrc_part *parts, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!add_part(list, parts, count, i))
            return false;
    list->tuples++;
    return true;
}

bool wrc_forbidden_by(const wrc_forbidden *list, const uint32_t *row, uint32_t parameter,
                      uint32_t level)
{
    if (list->buckets[parameter] == NULL)
        return false;
    const wrc_bucket *bucket = &list->buckets[parameter][level % BUCKETS];
    for (size_t i = 0; i < bucket->count;) {
        const wrc_other *other = &bucket->others[i];
        uint32_t         cell = other->parameter == parameter ? level : row[other->parameter];
        uint32_t         offset = cell - other->from; /* an open cell is beyond every mask */
        if (cell == WRC_ANY || offset >= BUCKETS || !(other->mask >> offset & 1))
            i = other->next;
        else if (++i == other->next)
            return true;
    }
    return bucket->always;
}

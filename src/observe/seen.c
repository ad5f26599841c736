/* observe/seen.c: the table of observations, and the list of sites. */
#include "observe/seen.h"

#include "core/hash.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define INDEX (2 * WRI_SEEN_ROWS)

/* Counted for all tables together: a site that was in another one, of a runner before, must not
 * take a row of that for its own. */
static uint32_t epochs;

void wri_seen_clear(wri_seen *seen)
{
    memset(seen->index, 0, sizeof seen->index);
    atomic_store(&seen->count, 0);
    atomic_store(&seen->lost, 0);
    epochs += epochs == UINT32_MAX ? 2 : 1;
    seen->epoch = epochs;
}

/* The index's cell of a key: the one that has it, or the free one where it belongs. */
static uint16_t *cell_of(wri_seen *seen, uint64_t key)
{
    for (size_t i = (size_t)key % INDEX;; i = (i + 1) % INDEX) {
        uint16_t at = seen->index[i];
        if (at == 0 || (at <= WRI_SEEN_ROWS && seen->rows[at - 1].key == key))
            return &seen->index[i];
    }
}

wri_observed *wri_seen_find(wri_seen *seen, uint64_t key)
{
    uint16_t at = *cell_of(seen, key);
    return at == 0 ? NULL : &seen->rows[at - 1];
}

wri_observed *wri_seen_add(wri_seen *seen, uint64_t key)
{
    uint32_t count = atomic_load_explicit(&seen->count, memory_order_relaxed);
    if (count >= WRI_SEEN_ROWS)
        return NULL;
    wri_observed *row = &seen->rows[count];
    memset(row, 0, sizeof *row);
    row->key = key;
    *cell_of(seen, key) = (uint16_t)(count + 1);
    atomic_store_explicit(&seen->count, count + 1, memory_order_release);
    return row;
}

static void subtract_one(_Atomic uint64_t *counter)
{
    uint64_t value = atomic_load_explicit(counter, memory_order_relaxed);
    atomic_store_explicit(counter, value - 1, memory_order_relaxed);
}

void wri_seen_take_back(wri_seen *seen, uint64_t index)
{
    uint64_t stamp = index + 1;
    for (uint32_t i = 0; i < atomic_load_explicit(&seen->count, memory_order_relaxed); i++) {
        wri_observed *row = &seen->rows[i];
        bool          was[2] = { row->last[0] == stamp, row->last[1] == stamp };
        if (was[0] && was[1])
            subtract_one(&row->both);
        for (int k = 0; k < 2; k++)
            if (was[k]) {
                subtract_one(&row->cases[k]);
                row->last[k] = 0;
            }
        if (row->first == stamp)
            row->first = 0;
        if (row->measured == stamp) {
            row->best = row->before;
            row->measured = isnan(row->before) ? 0 : stamp - 1;
        }
    }
}

/* The part of a text that is kept. To keep it again changes nothing, so that a text has one
 * identity, whether it comes from a site or from a row. */
typedef struct kept {
    const char *text;
    size_t      length;
} kept;

static bool continues(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

/* Cut to the room there is, not in the middle of a character; without newlines at the end, which
 * a log's formats have. */
static kept keep_text(const char *text)
{
    size_t length = strnlen(text, WRI_SEEN_BYTES - 1);
    if (length == WRI_SEEN_BYTES - 1)
        while (length > 0 && continues(text[length]))
            length--;
    while (length > 0 && text[length - 1] == '\n')
        length--;
    return (kept){ text, length };
}

/* The end of a long path says more than its beginning. */
static kept keep_path(const char *path)
{
    size_t length = strlen(path);
    if (length >= WRI_SEEN_BYTES)
        for (path += length - (WRI_SEEN_BYTES - 1); continues(*path);)
            path++;
    return keep_text(path);
}

static void copy(char *to, kept from)
{
    memcpy(to, from.text, from.length);
    to[from.length] = '\0';
}

size_t wri_seen_length(const char *text)
{
    return keep_text(text).length;
}

void wri_seen_text(char *to, const char *from)
{
    copy(to, keep_text(from));
}

void wri_seen_path(char *to, const char *from)
{
    copy(to, keep_path(from));
}

uint64_t wri_observed_reached(const wri_observed *row)
{
    return row->cases[0] + row->cases[1] - row->both;
}

static uint64_t hash_kept(kept from)
{
    return wri_hash_bytes(from.text, from.length);
}

uint64_t wri_observed_key(uint32_t sort, const char *name, const char *row, const char *file,
                          int line)
{
    uint64_t key = wri_hash_step(sort, hash_kept(keep_text(name)));
    if (row != NULL)
        key = wri_hash_step(key, hash_kept(keep_text(row)));
    if (file != NULL)
        key = wri_hash_step(wri_hash_step(key, hash_kept(keep_path(file))), (uint64_t)line);
    return key;
}

/* ---- Sites ---- */

/* Modules of this process that have sites: the program and shared libraries. */
#define MODULES 256
static struct {
    wr_site_ **from, **to;
} modules[MODULES];

/* Called by a constructor of every file with sites, so many times for one module. */
void wr_sites_(wr_site_ **from, wr_site_ **to, bool there)
{
    size_t at = 0;
    while (at < MODULES && modules[at].from != from)
        at++;
    if (!there && at < MODULES)
        modules[at].from = NULL;
    if (!there || at < MODULES)
        return;
    for (at = 0; at < MODULES && modules[at].from != NULL;)
        at++;
    if (at < MODULES) {
        modules[at].from = from;
        modules[at].to = to;
    }
}

void wri_seen_visit_sites(wri_site_visit *visit, void *context)
{
    for (size_t i = 0; i < MODULES; i++)
        for (wr_site_ **at = modules[i].from; at != NULL && at < modules[i].to; at++)
            if (*at != NULL)
                visit(*at, context);
}

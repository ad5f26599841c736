/* explore/guide/pool.h: the cases worth changing, and the features that make them so.
 *
 * A feature is something that cases can show: a label, a slot's best value, a state cell, an edge
 * of the code. One entry owns each feature: the case that shows it earliest in its log. An entry
 * is the log of a case that owns a feature; an entry that owns none any more is dropped.
 *
 * The pool lies in memory that parent and workers share, so its knowledge outlives a worker.
 * While cases run, only workers look into it, one at a time. It has no pointers, so a copy of its
 * bytes is a copy of the pool.
 */
#ifndef WRI_EXPLORE_GUIDE_POOL_H
#define WRI_EXPLORE_GUIDE_POOL_H

#include "core/trace.h"
#include "explore/guide/mutant.h"
#include "observe/watch.h"

#define WRI_POOL_FEATURES (1u << 16)
#define WRI_POOL_INDEX (1u << 17)
#define WRI_POOL_ENTRIES (1u << 12)
#define WRI_POOL_WISHES (1u << 13)
#define WRI_POOL_ARENA ((size_t)48 << 20)
#define WRI_NOBODY UINT32_MAX
#define WRI_SHARDS 8u /* searches at the same time, after the first one was copied */
#define WRI_FEATURE_TEXT 40
#define WRI_POOL_REMARKS (1u << 16)

/* Members that every case with the feature reads come first. */
typedef struct wri_feature {
    uint64_t cases;         /* that showed it */
    uint64_t stamp;         /* number + 1 of the last case that showed it */
    uint32_t owner;         /* an entry, or WRI_NOBODY */
    uint32_t cut;           /* nodes in the owner's log when it showed */
    uint32_t cut_now, hits; /* of the running case */
    uint32_t effort;        /* number of picks */
    uint8_t class;          /* wri_feature_class */
    uint8_t  bucket;        /* 0: shown at all; else about how often in one case */
    uint8_t  given_up;      /* its owner was evicted; it is common enough without one */
    uint8_t  owner_discarded;
    uint64_t key;
    double   best; /* SLOT: the largest value of all cases */
    double   now;  /* SLOT: the largest value of the running case */
    uint32_t next; /* feature of the same class, + 1 */
    char     text[WRI_FEATURE_TEXT];
    uint32_t fresh; /* fresh cases that showed it */
} wri_feature;

/* A run of positions. A choice has one position, an array one for each element. */
typedef struct wri_run_of {
    uint32_t node, first;
} wri_run_of;

#define WRI_FEW 256
enum {
    WRI_HAS_CHOICES = 1, /* more than one value each */
    WRI_HAS_LENGTH = 2,  /* a length that something is tied to */
    WRI_HAS_SPAN = 4,
    WRI_HAS_WIDE = 8,       /* a choice of more than a few values */
    WRI_HAS_CONSTANTS = 16, /* not the entry: the program */
    WRI_HAS_ALL = 31
};

typedef struct wri_entry {
    uint64_t number;    /* of the case */
    uint64_t at, bytes; /* its block in the arena */
    uint32_t nodes, numbers, runs, positions;
    uint32_t shown;           /* number of features it shows, whoever owns them */
    uint32_t owned;           /* features */
    uint32_t has;             /* WRI_HAS_... */
    uint8_t  discarded, live; /* flags, as bytes: the parent may find any byte there */
    uint8_t  waits;           /* another search or run found it: to be run unchanged */
    uint8_t  blind;           /* its nodes have no names: it came from a token */
    uint8_t  foreign;         /* it came from an entry that waited */
} wri_entry;

/* Does the feature count as covered, or is it only a hint on the way? */
static inline bool wri_feature_covers(const wri_feature *feature)
{
    return feature->bucket == 0 && feature->class != WRI_FEATURE_SLOT &&
           feature->class != WRI_FEATURE_DISTANCE;
}

/* A place in the code and a constant that a comparison wanted (explore/guide/substitute.h). */
typedef struct wri_wish {
    uint16_t tries;  /* tries since it last led to something new; halved in each epoch */
    uint16_t epoch;  /* the last epoch, a number of cases, in which it was seen */
    uint16_t helped; /* number of times it restored a feature that a change had lost */
    uint16_t unused; /* keeps the layout explicit */
} wri_wish;

/* The changes that led to a case, since a feature was picked. */
typedef struct wri_chain {
    uint32_t   feature;       /* WRI_NOBODY: none was picked */
    uint32_t   depth;         /* repairs: runs with what a comparison wanted */
    wri_change change;        /* the next repair, */
    uint32_t   wish;          /* and what asks for it */
    uint32_t   parent;        /* the entry that was changed first, */
    uint64_t   parent_number; /* and the number of its case then, or 0 */
    bool       in_place;      /* positions are those of the parent */
    uint32_t   before_count;
    wri_change before[WRI_CHANGES]; /* the changes so far */
} wri_chain;

/* A position's word in `tried`: the number of values tried, and two flags. */
#define WRI_TRIED 0x3fffu
#define WRI_SPENT 0x4000u  /* all values were tried */
#define WRI_LOCKED 0x8000u /* a change here earned a feature */

/* Pointers into an entry's block. */
typedef struct wri_entry_view {
    wri_trace   trace;
    wri_run_of *runs;
    uint16_t   *tried;
    uint32_t   *shown;
    uint32_t    run_count, position_count, shown_count;
} wri_entry_view;

/* A ticket of the lottery: it stands for its own feature, or else for another (see pool.c). */
typedef struct wri_ticket {
    double   keeps;      /* probability that it stands for its own feature */
    uint32_t feature[2]; /* the other one, its own */
} wri_ticket;

typedef struct wri_pool {
    uint32_t  feature_count, entry_count, live_count;
    uint64_t  used;      /* of the arena */
    uint64_t  cases;     /* cases learnt from */
    uint64_t  fresh;     /* those of them that were no change of another */
    uint64_t  last_new;  /* `cases` at the last new feature */
    uint64_t  last_gain; /* the same, also for hints on the way, and larger numbers */
    uint64_t  beyond;    /* cases that showed something new or better; not those that waited */
    uint64_t  lost;      /* hits of features without room */
    uint64_t  too_large; /* cases worth keeping that were too large */
    uint64_t  evicted;   /* entries dropped to make room */
    uint32_t  counts[WRI_FEATURE_CLASSES]; /* features of each class */
    uint32_t  awaiting;   /* entries to be run once unchanged, before any change */
    uint32_t  shard;      /* which of several searches this is */
    uint32_t  pending;    /* entry + 1: the case that a chain of repairs goes on with, */
    wri_chain chain;      /* and where it stands */
    bool      only_watch; /* all cases are fresh */
    bool      machine;    /* cases are sequences of a machine's calls */
    bool      talks;      /* remarks are wanted */
    uint32_t  remarks_used, remarks_lost;
    /* For picking: features with an owner, by class. */
    uint64_t weighed; /* `cases` when the tickets were made */
    bool     stale;   /* a feature was added since */
    uint32_t first[WRI_FEATURE_CLASSES], last[WRI_FEATURE_CLASSES]; /* of each class; + 1 */
    uint32_t picks[WRI_FEATURE_CLASSES + 1];                        /* where each class starts */
    double   shares[WRI_FEATURE_CLASSES]; /* sums of the classes' shares, up to each */
    wri_wish wishes[WRI_POOL_WISHES];
    uint32_t index[WRI_POOL_INDEX]; /* feature + 1, by key; can be rebuilt from the features */
    /* From here on the counts above say how much of each array is in use. */
    char        remarks[WRI_POOL_REMARKS]; /* lines on what was kept and dropped */
    wri_ticket  tickets[WRI_POOL_FEATURES];
    wri_feature features[WRI_POOL_FEATURES];
    wri_entry   entries[WRI_POOL_ENTRIES];
    _Alignas(16) char arena[WRI_POOL_ARENA];
} wri_pool;

/* Empties a pool. The memory was zeroed, or a pool. */
void wri_pool_clear(wri_pool *pool);

/* The number of a feature, or WRI_NOBODY when it was never shown. */
uint32_t wri_pool_find(const wri_pool *pool, uint64_t key, wri_feature_class class,
                       uint8_t bucket);
/* The number of a feature, which is made if it is not there. WRI_NOBODY: no room. Each class
 * has room of its own, so that the many edges of a large program cannot push labels out. One
 * key may be a feature of several classes: a wr_sometimes() is a slot, and a label once it is
 * true. */
uint32_t wri_pool_feature(wri_pool *pool, uint64_t key, wri_feature_class class, uint8_t bucket,
                          const char *text);

/* Keeps a log as an entry that owns nothing yet. WRI_NOBODY: it is too large. Entries that own
 * only common features are dropped to make room. */
uint32_t wri_pool_add(wri_pool *pool, const wri_trace *trace, uint64_t number, bool discarded,
                      const uint32_t *shown, uint32_t shown_count);
/* Keeps a log that is to be run unchanged. blind: it has no names. False: no room. */
bool wri_pool_await(wri_pool *pool, const wri_trace *trace, bool blind);
/* Takes an entry that waits; it does not wait any more. WRI_NOBODY: none waits. */
uint32_t               wri_pool_take_awaited(wri_pool *pool);
static inline uint32_t wri_pool_awaited(wri_pool *pool)
{
    return pool->awaiting == 0 ? WRI_NOBODY : wri_pool_take_awaited(pool);
}
/* Drops an entry that owns nothing. */
void wri_pool_drop(wri_pool *pool, uint32_t entry);
/* Adds a line to the remarks, if they are wanted and there is room. */
void wri_pool_remark(wri_pool *pool, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Makes the entry the owner of a feature. The owner before is dropped if that was its last
 * feature. */
void wri_pool_own(wri_pool *pool, uint32_t entry, uint32_t feature);
/* wri_pool_view() for the parent, which trusts nothing. False: the entry is damaged. */
bool wri_pool_look(wri_pool *pool, uint32_t entry, wri_entry_view *view);

/* Picks a feature that has an owner: a class by its share, then a feature. Rare features are
 * picked more often, and features whose picks led to nothing less often. WRI_NOBODY: there is
 * none. */
uint32_t wri_pool_pick(wri_pool *pool, uint64_t *random);

/* May the parent add to it? Code under test may have written anything there. */
bool wri_pool_sound(const wri_pool *pool);

/* wri_pool_copy() makes `to` the same as `from`. wri_pool_keep() copies only what
 * wri_pool_copy() cannot rebuild. The time depends on the content. */
void wri_pool_copy(wri_pool *to, const wri_pool *from);
void wri_pool_keep(wri_pool *to, const wri_pool *from);

/* ---- An entry's block. Inline, because they are called for every case ---- */

static inline size_t wri_pool_round_up(size_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

/* Fills in the offsets of nodes, numbers, runs, tried and shown; returns the block's size. */
static inline size_t wri_entry_parts(const wri_entry *entry, size_t offsets[5])
{
    size_t at = 0;
    offsets[0] = at;
    at += wri_pool_round_up(entry->nodes * sizeof(wri_node));
    offsets[1] = at;
    at += wri_pool_round_up(entry->numbers * sizeof(uint64_t));
    offsets[2] = at;
    at += wri_pool_round_up(entry->runs * sizeof(wri_run_of));
    offsets[3] = at;
    at += wri_pool_round_up(entry->positions * sizeof(uint16_t));
    offsets[4] = at;
    return at + wri_pool_round_up(entry->shown * sizeof(uint32_t));
}

/* Fills the view in place: a copy of a struct just written member by member would wait for all
 * the stores. */
static inline void wri_pool_view_into(wri_entry_view *view, wri_pool *pool, uint32_t entry)
{
    const wri_entry *of = &pool->entries[entry];
    char            *block = pool->arena + of->at;
    size_t           offsets[5];
    wri_entry_parts(of, offsets);
    view->trace.nodes = (wri_node *)(void *)(block + offsets[0]);
    view->trace.numbers = (uint64_t *)(void *)(block + offsets[1]);
    view->trace.node_count = view->trace.node_room = of->nodes;
    view->trace.number_count = view->trace.number_room = of->numbers;
    view->runs = (wri_run_of *)(void *)(block + offsets[2]);
    view->tried = (uint16_t *)(void *)(block + offsets[3]);
    view->shown = (uint32_t *)(void *)(block + offsets[4]);
    view->run_count = of->runs;
    view->position_count = of->positions;
    view->shown_count = of->shown;
}

static inline wri_entry_view wri_pool_view(wri_pool *pool, uint32_t entry)
{
    wri_entry_view view;
    wri_pool_view_into(&view, pool, entry);
    return view;
}

/* The node and element of an entry's position: in the last run that starts at or before it. */
static inline void wri_pool_position(const wri_entry_view *view, uint32_t position,
                                     uint32_t *node, uint32_t *element)
{
    uint32_t low = 0, high = view->run_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (view->runs[middle].first <= position)
            low = middle;
        else
            high = middle;
    }
    *node = view->runs[low].node;
    *element = position - view->runs[low].first;
}

/* The first run at or behind a node; run_count: none. */
static inline uint32_t wri_pool_run_from(const wri_entry_view *view, uint32_t node)
{
    uint32_t low = 0, high = view->run_count;
    if (high == 0 || view->runs[high - 1].node < node) /* everything was drawn first */
        return high;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (view->runs[middle].node < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The first position at or behind a node; position_count: none. */
static inline uint32_t wri_pool_position_from(const wri_entry_view *view, uint32_t node)
{
    uint32_t run = wri_pool_run_from(view, node);
    return run < view->run_count ? view->runs[run].first : view->position_count;
}

#endif

/* store/item.h: what a campaign knows, as items that merge.
 *
 *     bug  sort sorting_sorts 0123456789abcdef   rank 2  token w1AbCd...  status open  first ...
 *
 * An item has a kind, an owner, a key, and the fields of its kind. A field belongs to a register;
 * the table in item.c names them. Merging two items of one key takes each register from the item
 * whose register ranks first, or, for a register of words, all words of both. So merging is
 * idempotent, commutative and associative: items may come in any order, from anywhere, twice.
 */
#ifndef WRI_STORE_ITEM_H
#define WRI_STORE_ITEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The numbers are those of a store: they stay. */
typedef enum wri_item_kind {
    WRI_ITEM_BUG,     /* key: wri_store_key() */
    WRI_ITEM_CASE,    /* of a corpus; key: of its token */
    WRI_ITEM_FEATURE, /* that a case has shown; key: the feature */
    WRI_ITEM_UNIT,    /* of an exhaustive or a combinatorial search; key: search and number */
    WRI_ITEM_RUN,     /* of a property; key: of who, and when */
} wri_item_kind;
#define WRI_ITEM_KINDS 5
#define WRI_ITEM_FIELDS 18 /* of a kind, at most */

/* The fields of a kind are numbered in the order of its table. */
enum wri_item_bug {
    WRI_BUG_EPOCH, /* from 1; one more when the bug comes back with another case */
    WRI_BUG_RANK,  /* 0 is best: the choices of the case, more if it may not be minimal */
    WRI_BUG_TOKEN,
    WRI_BUG_KIND,
    WRI_BUG_MESSAGE,
    WRI_BUG_FILE,
    WRI_BUG_LINE,
    WRI_BUG_VALUES, /* a line each: "xs = [0, 1]", with its bytes escaped */
    WRI_BUG_RULE,
    WRI_BUG_SEED,
    WRI_BUG_TURN, /* from 1; one more with each change of the status */
    WRI_BUG_STATUS,
    WRI_BUG_FIRST, /* when it was seen: seconds since 1970 */
    WRI_BUG_LAST,
    WRI_BUG_BY, /* who found it, as words */
    WRI_BUG_FIELDS
};
/* With the same turn the greater status counts. */
enum wri_bug_status { WRI_BUG_OPEN = 1, WRI_BUG_MENDED, WRI_BUG_RETURNED, WRI_BUG_FORGOTTEN };
/* The rank of a case that may not be minimal is above this. */
#define WRI_BUG_NOT_MINIMAL ((uint64_t)1 << 62)

enum wri_item_case {
    WRI_CASE_TOKEN,
    WRI_CASE_NOTE,
    WRI_CASE_FEATURES, /* words of 8 hexadecimal digits */
    WRI_CASE_FIRST,
    WRI_CASE_FIELDS
};
enum wri_item_feature {
    WRI_FEATURE_SIZE, /* of the smallest case that shows it, from 1 */
    WRI_FEATURE_CASE, /* its key */
    WRI_FEATURE_FIRST,
    WRI_FEATURE_FIELDS
};
enum wri_item_unit {
    WRI_UNIT_SEARCH, /* says all that a unit depends on */
    WRI_UNIT_NUMBER,
    WRI_UNIT_STATE,
    WRI_UNIT_RESULT, /* of a unit that is done */
    WRI_UNIT_UNTIL,  /* a claim ends then */
    WRI_UNIT_BY,     /* who did it; more than one word: it was done more than once */
    WRI_UNIT_FIELDS
};
enum wri_unit_state { WRI_UNIT_OPEN = 1, WRI_UNIT_TAKEN, WRI_UNIT_DONE };
enum wri_item_run {
    WRI_RUN_WHO,
    WRI_RUN_STARTED,
    WRI_RUN_SEED,
    WRI_RUN_EXPLORER,
    WRI_RUN_STATUS,
    WRI_RUN_CASES,
    WRI_RUN_EXECUTIONS,
    WRI_RUN_MS,
    WRI_RUN_FEATURES,
    WRI_RUN_BUGS,
    WRI_RUN_FIELDS
};

/* What a field is. */
enum {
    WRI_ITEM_TEXT = 1,   /* else it is a number */
    WRI_ITEM_BEGINS = 2, /* a register, which goes up to the next field that does */
    WRI_ITEM_LEAST =
        4, /* the smaller number ranks first, or the shorter text; else the greater */
    WRI_ITEM_WORDS = 8, /* all words of both */
};
/* A register whose first field is 0 or "" is not there, and then all its fields are so. */
typedef struct wri_item_field {
    const char *name;
    unsigned    is;
} wri_item_field;

typedef struct wri_item_table {
    const char           *name;
    size_t                count;
    const wri_item_field *fields;
} wri_item_table;
const wri_item_table *wri_item_table_of(wri_item_kind kind);

/* The texts are malloced; NULL is "". */
typedef struct wri_item {
    wri_item_kind kind;
    char         *program, *property;
    uint64_t      key;
    uint64_t      numbers[WRI_ITEM_FIELDS];
    char         *texts[WRI_ITEM_FIELDS];
} wri_item;

void wri_item_free(wri_item *item);
/* "" for NULL. */
const char *wri_item_text(const wri_item *item, size_t field);
/* Each returns false when memory is out. `to` is empty, or is freed first. */
bool wri_item_set_text(wri_item *item, size_t field, const char *text);
bool wri_item_set_owner(wri_item *item, const char *program, const char *property);
bool wri_item_copy(wri_item *to, const wri_item *from);
/* Merges an item of the same kind, owner and key. *changed: `into` is another than before. */
bool wri_item_merge(wri_item *into, const wri_item *from, bool *changed);
bool wri_item_same(const wri_item *a, const wri_item *b);
/* Does the text have words as a register of words has them: sorted, one blank between two? */
bool wri_item_words_sound(const char *words);
/* Is it as merging needs it? An item from elsewhere may not be. */
bool wri_item_sound(const wri_item *item);

/* A list of items that grows. */
typedef struct wri_items {
    wri_item *list;
    size_t    count, room;
} wri_items;
/* A new item at the end, with an owner; NULL: memory is out. */
wri_item *wri_items_add(wri_items *items, wri_item_kind kind, const char *program,
                        const char *property, uint64_t key);
void      wri_items_free(wri_items *items);

#endif

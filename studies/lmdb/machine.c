/* studies/lmdb/machine.c: a cursor of LMDB over sorted duplicates, beside a model.
 *
 * A database of two keys and two values, with MDB_DUPSORT, in one write transaction that is
 * aborted at the end of the case; one cursor; writes through the transaction and through the
 * cursor. The model is a table of which pairs there are, and where the cursor stands:
 *
 *   new              it was never placed. MDB_NEXT and MDB_NEXT_NODUP go to the first pair, as
 *                    LMDB's own tools have it
 *   on a pair        as the call that placed it there has returned it; writes through the
 *                    transaction do not move it
 *   after a deletion by the cursor itself: the header says that MDB_NEXT gives the record that
 *                    followed
 *   anywhere         after all else: a call has found nothing, the pair was deleted through the
 *                    transaction, something was written after a deletion, the database is empty.
 *                    The header does not say what the cursor refers to then, so nothing is asked
 *                    of it that depends on that
 *
 * After every call all pairs are read with another cursor and counted.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <lmdb.h>
#include <warren.h>

#define KEYS 2
#define VALUES 2
#define PAIRS (KEYS * VALUES)
#define ALL_VALUES VALUES

/* ---- The system: a file for each process, an environment and a transaction for each case ----
 */

static MDB_env    *environment;
static MDB_dbi     database;
static MDB_txn    *transaction;
static MDB_cursor *cursor;
static char        path[64];

static void must(int status, const char *what)
{
    if (status == 0)
        return;
    fprintf(stderr, "lmdb: %s: %s\n", what, mdb_strerror(status));
    _exit(99);
}

/* What LMDB reads before it has written it, and after it was freed, is to be the same in every
 * case: memory from malloc() is filled, and pages are not kept from one case to the next. */
static void make_file(void)
{
    int file = memfd_create("lmdb", 0);
    must(file < 0 ? errno : 0, "memfd_create");
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    mallopt(M_PERTURB, 0x5a);
}

static void start(wr_case *t, void *state)
{
    (void)t, (void)state;
    must(mdb_env_create(&environment), "mdb_env_create");
    must(mdb_env_open(environment, path, MDB_NOSUBDIR | MDB_NOLOCK | MDB_NOSYNC, 0600),
         "mdb_env_open");
    must(mdb_txn_begin(environment, NULL, 0, &transaction), "mdb_txn_begin");
    must(mdb_dbi_open(transaction, NULL, MDB_DUPSORT, &database), "mdb_dbi_open");
    must(mdb_cursor_open(transaction, database, &cursor), "mdb_cursor_open");
}

static void stop(wr_case *t, void *state)
{
    (void)t, (void)state;
    mdb_cursor_close(cursor);
    mdb_txn_abort(transaction);
    mdb_env_close(environment);
}

/* ---- The model ---- */

typedef enum standing { NEW, ON_A_PAIR, AFTER_A_DELETION, ANYWHERE } standing;

/* A pair is a number: KEY and VALUE are its digits, so pairs are in the database's order. */
typedef struct model {
    uint32_t pairs; /* a bit for each */
    uint8_t  stands, at;
} model;

#define KEY(pair) ((pair) / VALUES)
#define NO_PAIR PAIRS
#define STRAY_PAIR (PAIRS + 1) /* that was never put, or an error */

static unsigned pair_of(int64_t key, int64_t value)
{
    return (unsigned)(key * VALUES + value);
}

static uint32_t pairs_from(unsigned first)
{
    return ~UINT32_C(0) << first;
}

static uint32_t pairs_of_key(unsigned key)
{
    return pairs_from(key * VALUES) & ~pairs_from((key + 1) * VALUES);
}

static unsigned first_of(uint32_t pairs)
{
    return pairs == 0 ? NO_PAIR : (unsigned)__builtin_ctz(pairs);
}

static unsigned last_of(uint32_t pairs)
{
    return pairs == 0 ? NO_PAIR : 31 - (unsigned)__builtin_clz(pairs);
}

static void stand(model *m, standing how, unsigned at)
{
    m->stands = (uint8_t)how;
    m->at = (uint8_t)(how == ANYWHERE ? 0 : at);
}

/* These are the pairs after a write through the transaction. */
static void model_write(model *m, uint32_t pairs)
{
    bool stays = m->stands == NEW || (m->stands == ON_A_PAIR && (pairs >> m->at & 1) != 0);
    m->pairs = pairs;
    if (!stays)
        stand(m, ANYWHERE, 0);
}

/* ---- What must be true ---- */

typedef struct item {
    uint8_t byte;
} item;

static MDB_val value_of(item *one)
{
    return (MDB_val){ sizeof one->byte, &one->byte };
}

static unsigned pair_read(const MDB_val *key, const MDB_val *value)
{
    if (key->mv_size != 1 || value->mv_size != 1)
        return STRAY_PAIR;
    uint8_t k = *(const uint8_t *)key->mv_data, v = *(const uint8_t *)value->mv_data;
    return k < KEYS && v < VALUES ? pair_of(k, v) : STRAY_PAIR;
}

/* The pairs that a cursor of its own reads. One that does not come to an end has read more than
 * there can be. */
static uint32_t read_pairs(unsigned *count)
{
    MDB_cursor *reader;
    MDB_val     key, value;
    uint32_t    pairs = 0;
    must(mdb_cursor_open(transaction, database, &reader), "mdb_cursor_open");
    for (*count = 0; *count <= PAIRS; ++*count) {
        if (mdb_cursor_get(reader, &key, &value, MDB_NEXT) != 0)
            break;
        pairs |= UINT32_C(1) << pair_read(&key, &value);
    }
    mdb_cursor_close(reader);
    return pairs;
}

static void pairs_are_right(wr_case *t, void *state)
{
    const model *m = state;
    MDB_stat     counted;
    unsigned     count, wanted = (unsigned)__builtin_popcount(m->pairs);
    uint32_t     pairs = read_pairs(&count);
    wr_assert(t, pairs == m->pairs && count == wanted && "the pairs are those that were put");
    must(mdb_stat(transaction, database, &counted), "mdb_stat");
    wr_assert_eq(t, counted.ms_entries, wanted);
}

/* ---- The commands ---- */

static void do_put(wr_case *t, wr_call *call)
{
    model  *m = wr_model(call);
    item    key = { (uint8_t)wr_value(call, 0) }, value = { (uint8_t)wr_value(call, 1) };
    MDB_val key_value = value_of(&key), value_value = value_of(&value);
    wr_assert_eq(t, mdb_put(transaction, database, &key_value, &value_value, 0), 0);
    model_write(m, m->pairs | UINT32_C(1) << pair_of(key.byte, value.byte));
}

/* One value of the key, or all of them: in C, NULL. */
static void do_delete(wr_case *t, wr_call *call)
{
    model   *m = wr_model(call);
    bool     all = wr_value(call, 1) == ALL_VALUES;
    item     key = { (uint8_t)wr_value(call, 0) }, value = { (uint8_t)wr_value(call, 1) };
    MDB_val  key_value = value_of(&key), value_value = value_of(&value);
    uint32_t gone = all ? pairs_of_key(key.byte) : UINT32_C(1) << pair_of(key.byte, value.byte);
    int      wanted = (m->pairs & gone) != 0 ? 0 : MDB_NOTFOUND;
    wr_assert_eq(t, mdb_del(transaction, database, &key_value, all ? NULL : &value_value),
                 wanted);
    model_write(m, m->pairs & ~gone);
}

typedef enum move { FIRST, LAST, NEXT, NEXT_NODUP, PREV, MOVES } move;

/* Where the cursor goes; NO_PAIR: nothing is there. */
static unsigned target_of(const model *m, move how)
{
    if (how == FIRST || (how != LAST && m->stands == NEW))
        return first_of(m->pairs);
    if (how == LAST)
        return last_of(m->pairs);
    if (how == PREV)
        return last_of(m->pairs & ~pairs_from(m->at));
    return first_of(m->pairs & pairs_from(how == NEXT ? m->at + 1u : (KEY(m->at) + 1u) * VALUES));
}

static unsigned pair_found(MDB_cursor_op operation)
{
    MDB_val key, value;
    int     status = mdb_cursor_get(cursor, &key, &value, operation);
    return status == 0 ? pair_read(&key, &value) : status == MDB_NOTFOUND ? NO_PAIR : STRAY_PAIR;
}

static void do_cursor_get(wr_case *t, wr_call *call)
{
    static const MDB_cursor_op OPERATIONS[MOVES] = {
        [FIRST] = MDB_FIRST,           [LAST] = MDB_LAST, [NEXT] = MDB_NEXT,
        [NEXT_NODUP] = MDB_NEXT_NODUP, [PREV] = MDB_PREV,
    };
    model   *m = wr_model(call);
    move     how = (move)wr_value(call, 0);
    unsigned wanted = target_of(m, how);
    wr_assert_eq(t, pair_found(OPERATIONS[how]), wanted);
    stand(m, wanted == NO_PAIR ? ANYWHERE : ON_A_PAIR, wanted);
}

static bool can_get(const wr_call *call)
{
    static const unsigned FROM[MOVES] = {
        [FIRST] = ~0u,
        [LAST] = ~0u,
        [NEXT] = 1u << NEW | 1u << ON_A_PAIR | 1u << AFTER_A_DELETION,
        [NEXT_NODUP] = 1u << NEW | 1u << ON_A_PAIR,
        [PREV] = 1u << ON_A_PAIR,
    };
    const model *m = wr_model(call);
    return (FROM[wr_value(call, 0)] >> m->stands & 1) != 0;
}

static void do_cursor_delete(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    wr_assert_eq(t, mdb_cursor_del(cursor, 0), 0);
    m->pairs &= ~(UINT32_C(1) << m->at);
    stand(m, m->pairs == 0 ? ANYWHERE : AFTER_A_DELETION, m->at);
}

static void do_cursor_count(wr_case *t, wr_call *call)
{
    const model *m = wr_model(call);
    size_t       count = 0;
    size_t       wanted = (size_t)__builtin_popcount(m->pairs & pairs_of_key(KEY(m->at)));
    wr_assert_eq(t, mdb_cursor_count(cursor, &count), 0);
    wr_assert_eq(t, count, wanted);
}

static bool is_on_a_pair(const wr_call *call)
{
    const model *m = wr_model(call);
    return m->stands == ON_A_PAIR;
}

/* ---- The machine ---- */

static void show_key(wr_out *out, int64_t key)
{
    wr_put(out, "\"%c\"", (char)('k' + key));
}

static void show_value(wr_out *out, int64_t value)
{
    wr_put(out, "\"%c\"", (char)('a' + value));
}

static void show_deleted(wr_out *out, int64_t value)
{
    if (value == ALL_VALUES)
        wr_put(out, "NULL");
    else
        show_value(out, value);
}

static void show_move(wr_out *out, int64_t how)
{
    static const char *const NAMES[MOVES] = { "FIRST", "LAST", "NEXT", "NEXT_NODUP", "PREV" };
    wr_put(out, "MDB_%s", NAMES[how]);
}

static const wr_kind KEY_KIND = { "key", .values = KEYS, .show = show_key };
static const wr_kind VALUE_KIND = { "value", .values = VALUES, .show = show_value };
static const wr_kind DELETED = { "deleted", .values = VALUES + 1, .show = show_deleted };
static const wr_kind MOVE = { "move", .values = MOVES, .show = show_move };

static const wr_command COMMANDS[] = {
    { "put", do_put, .takes = { &KEY_KIND, &VALUE_KIND }, .weight = 3 },
    { "del", do_delete, .takes = { &KEY_KIND, &DELETED }, .weight = 2 },
    { "cursor_get", do_cursor_get, .takes = { &MOVE }, .when = can_get, .weight = 5 },
    { "cursor_del", do_cursor_delete, .when = is_on_a_pair },
    { "cursor_count", do_cursor_count, .when = is_on_a_pair, .observer = true },
    { 0 },
};

WR_MACHINE(cursor, .commands = COMMANDS, .calls = 60, .model_size = sizeof(model), .start = start,
           .stop = stop, .invariant = pairs_are_right,
           .options = { .worker_setup = make_file, .deadline_ms = 1000 });

/* studies/lmdb/machine.c: a cursor of LMDB over sorted duplicates, beside a model.
 *
 * A database of few keys and few values, with MDB_DUPSORT, in one write transaction that is aborted at
 * the end of the case; one cursor; writes through the transaction and through the cursor. The model
 * is a table of which pairs there are, and where the cursor stands:
 *
 *   on a pair        as the call that put it there has returned it; other writes do not move it
 *   where one was    the pair was deleted, by the cursor or by the transaction. The header says that
 *                    the cursor can still be used then, and that MDB_NEXT gives the record that
 *                    followed; likewise MDB_PREV the one before, and MDB_NEXT_NODUP the first of
 *                    the next key
 *   anywhere         it was never placed; a call has found nothing; the pair was put again where the
 *                    cursor stands; the database is empty. The header does not say what it refers to,
 *                    so nothing is asked of it that depends on that
 *
 * After every call all pairs are read with another cursor and counted.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <lmdb.h>
#include <warren.h>

#define KEYS 4
#define VALUES 4
#define PAIRS (KEYS * VALUES)

/* ---- The system: an environment for each process, a transaction for each case ---- */

static MDB_env    *environment;
static MDB_dbi     database;
static MDB_txn    *transaction;
static MDB_cursor *cursor;

static void must(int status, const char *what)
{
    if (status == 0)
        return;
    fprintf(stderr, "lmdb: %s: %s\n", what, mdb_strerror(status));
    _exit(99);
}

static void open_database(const char *path)
{
    MDB_txn *first;
    must(mdb_env_create(&environment), "mdb_env_create");
    must(mdb_env_open(environment, path, MDB_NOSUBDIR | MDB_NOLOCK | MDB_NOSYNC, 0600),
         "mdb_env_open");
    must(mdb_txn_begin(environment, NULL, 0, &first), "mdb_txn_begin");
    must(mdb_dbi_open(first, NULL, MDB_DUPSORT, &database), "mdb_dbi_open");
    must(mdb_txn_commit(first), "mdb_txn_commit");
}

/* The file has no name any more when it is open, so nothing is left of it, whatever happens. */
static void open_environment(void)
{
    char path[] = "/tmp/warren-lmdb.XXXXXX";
    int  file = mkstemp(path);
    must(file < 0 ? errno : 0, "a file in /tmp");
    close(file);
    open_database(path);
    unlink(path);
}

static void close_environment(void)
{
    mdb_env_close(environment);
}

static void start(wr_case *t, void *state)
{
    (void)t, (void)state;
    must(mdb_txn_begin(environment, NULL, 0, &transaction), "mdb_txn_begin");
    must(mdb_cursor_open(transaction, database, &cursor), "mdb_cursor_open");
}

static void stop(wr_case *t, void *state)
{
    (void)t, (void)state;
    mdb_cursor_close(cursor);
    mdb_txn_abort(transaction);
}

/* ---- The model ---- */

typedef enum standing { ANYWHERE, ON_A_PAIR, WHERE_ONE_WAS } standing;

/* A pair is a number: KEY and VALUE are its digits, so pairs are in the database's order. */
typedef struct model {
    uint32_t pairs; /* a bit for each */
    uint8_t  stands, at;
} model;

#define KEY(pair) ((pair) / VALUES)
#define NO_PAIR PAIRS

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

static void model_put(model *m, unsigned pair)
{
    if (m->stands == WHERE_ONE_WAS && m->at == pair)
        stand(m, ANYWHERE, 0);
    m->pairs |= UINT32_C(1) << pair;
}

static void model_delete(model *m, uint32_t gone)
{
    m->pairs &= ~gone;
    if (m->pairs == 0)
        stand(m, ANYWHERE, 0);
    else if (m->stands == ON_A_PAIR && (gone >> m->at & 1) != 0)
        stand(m, WHERE_ONE_WAS, m->at);
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
    return pair_of(*(const uint8_t *)key->mv_data, *(const uint8_t *)value->mv_data);
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

/* The cursor goes to this pair, NO_PAIR: finds none. */
static void go(wr_case *t, model *m, MDB_cursor_op operation, unsigned wanted)
{
    item    key = { (uint8_t)(wanted / VALUES) }, value = { (uint8_t)(wanted % VALUES) };
    MDB_val key_value = value_of(&key), value_value = value_of(&value);
    int     status = mdb_cursor_get(cursor, &key_value, &value_value, operation);
    wr_assert_eq(t, status, wanted == NO_PAIR ? MDB_NOTFOUND : 0);
    stand(m, wanted == NO_PAIR ? ANYWHERE : ON_A_PAIR, wanted);
    if (wanted != NO_PAIR)
        wr_assert_eq(t, pair_read(&key_value, &value_value), wanted);
}

/* ---- The commands ---- */

static void do_put(wr_case *t, wr_call *call)
{
    item    key = { (uint8_t)wr_value(call, 0) }, value = { (uint8_t)wr_value(call, 1) };
    MDB_val key_value = value_of(&key), value_value = value_of(&value);
    wr_assert_eq(t, mdb_put(transaction, database, &key_value, &value_value, 0), 0);
    model_put(wr_model(call), pair_of(key.byte, value.byte));
}

static void delete_pairs(wr_case *t, model *m, item key, MDB_val *value, uint32_t pairs)
{
    MDB_val key_value = value_of(&key);
    int     wanted = (m->pairs & pairs) != 0 ? 0 : MDB_NOTFOUND;
    wr_assert_eq(t, mdb_del(transaction, database, &key_value, value), wanted);
    model_delete(m, pairs);
}

static void do_delete_key(wr_case *t, wr_call *call)
{
    item key = { (uint8_t)wr_value(call, 0) };
    delete_pairs(t, wr_model(call), key, NULL, pairs_of_key(key.byte));
}

static void do_delete_pair(wr_case *t, wr_call *call)
{
    item    key = { (uint8_t)wr_value(call, 0) }, value = { (uint8_t)wr_value(call, 1) };
    MDB_val value_value = value_of(&value);
    uint32_t pairs = UINT32_C(1) << pair_of(key.byte, value.byte);
    delete_pairs(t, wr_model(call), key, &value_value, pairs);
}

static void do_first(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    go(t, m, MDB_FIRST, first_of(m->pairs));
}

static void do_last(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    go(t, m, MDB_LAST, last_of(m->pairs));
}

static void do_next(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    go(t, m, MDB_NEXT, first_of(m->pairs & pairs_from(m->at + 1u)));
}

static void do_prev(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    go(t, m, MDB_PREV, last_of(m->pairs & ~pairs_from(m->at)));
}

static void do_next_key(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    go(t, m, MDB_NEXT_NODUP, first_of(m->pairs & pairs_from((KEY(m->at) + 1u) * VALUES)));
}

static void do_get_both(wr_case *t, wr_call *call)
{
    model   *m = wr_model(call);
    unsigned pair = pair_of(wr_value(call, 0), wr_value(call, 1));
    item     key = { (uint8_t)wr_value(call, 0) }, value = { (uint8_t)wr_value(call, 1) };
    MDB_val  key_value = value_of(&key), value_value = value_of(&value);
    bool     there = (m->pairs >> pair & 1) != 0;
    int      status = mdb_cursor_get(cursor, &key_value, &value_value, MDB_GET_BOTH);
    wr_assert_eq(t, status, there ? 0 : MDB_NOTFOUND);
    stand(m, there ? ON_A_PAIR : ANYWHERE, pair);
}

static void do_cursor_delete(wr_case *t, wr_call *call)
{
    model *m = wr_model(call);
    wr_assert_eq(t, mdb_cursor_del(cursor, 0), 0);
    model_delete(m, UINT32_C(1) << m->at);
}

static void do_cursor_count(wr_case *t, wr_call *call)
{
    const model *m = wr_model(call);
    size_t       count = 0;
    wr_assert_eq(t, mdb_cursor_count(cursor, &count), 0);
    wr_assert_eq(t, count, (size_t)__builtin_popcount(m->pairs & pairs_of_key(KEY(m->at))));
}

static bool is_placed(const wr_call *call)
{
    const model *m = wr_model(call);
    return m->stands != ANYWHERE;
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

static const wr_kind KEY_KIND = { "key", .values = KEYS, .show = show_key };
static const wr_kind VALUE_KIND = { "value", .values = VALUES, .show = show_value };

static const wr_command COMMANDS[] = {
    { "put", do_put, .takes = { &KEY_KIND, &VALUE_KIND }, .weight = 3 },
    { "del_key", do_delete_key, .takes = { &KEY_KIND } },
    { "del_pair", do_delete_pair, .takes = { &KEY_KIND, &VALUE_KIND } },
    { "cursor_first", .call = do_first },
    { "cursor_last", .call = do_last },
    { "cursor_next", do_next, .when = is_placed },
    { "cursor_prev", do_prev, .when = is_placed },
    { "cursor_next_nodup", do_next_key, .when = is_placed },
    { "cursor_get_both", do_get_both, .takes = { &KEY_KIND, &VALUE_KIND } },
    { "cursor_del", do_cursor_delete, .when = is_on_a_pair },
    { "cursor_count", do_cursor_count, .when = is_on_a_pair, .observer = true },
    { 0 },
};

WR_MACHINE(cursor, .commands = COMMANDS, .model_size = sizeof(model), .start = start, .stop = stop,
           .invariant = pairs_are_right,
           .options = { .worker_setup = open_environment, .worker_teardown = close_environment,
                        .deadline_ms = 1000 });

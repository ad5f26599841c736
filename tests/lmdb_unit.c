/* tests/lmdb_unit.c: the loss of data that the study lmdb is to find, by itself: put a pair,
 * place a cursor on it, put another value for the key through the transaction, delete by the
 * cursor; both pairs are gone. Returns 77 where the library does not do that any more. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <lmdb.h>

#include "check.h"

static MDB_val letter(char *of)
{
    return (MDB_val){ 1, of };
}

/* Is the second value there at the end? */
static bool keeps_the_second(MDB_txn *transaction)
{
    MDB_val     k = letter("k"), a = letter("a"), b = letter("b"), key, value;
    MDB_cursor *cursor = NULL;
    MDB_dbi     database;
    CHECK(mdb_dbi_open(transaction, NULL, MDB_DUPSORT, &database) == 0);
    CHECK(mdb_cursor_open(transaction, database, &cursor) == 0);
    CHECK(mdb_put(transaction, database, &k, &a, 0) == 0);
    CHECK(mdb_cursor_get(cursor, &key, &value, MDB_FIRST) == 0);
    CHECK(mdb_put(transaction, database, &k, &b, 0) == 0);
    CHECK(mdb_cursor_del(cursor, 0) == 0);
    mdb_cursor_close(cursor);
    return mdb_get(transaction, database, &k, &value) == 0;
}

int main(void)
{
    char     path[] = "/tmp/warren-lmdb.XXXXXX";
    int      file = mkstemp(path);
    MDB_env *environment = NULL;
    MDB_txn *transaction = NULL;
    close(file);
    CHECK(mdb_env_create(&environment) == 0);
    CHECK(mdb_env_open(environment, path, MDB_NOSUBDIR | MDB_NOLOCK | MDB_NOSYNC, 0600) == 0);
    unlink(path);
    CHECK(mdb_txn_begin(environment, NULL, 0, &transaction) == 0);
    bool kept = keeps_the_second(transaction);
    mdb_txn_abort(transaction);
    mdb_env_close(environment);
    if (kept)
        printf("nothing is lost by %s\n", mdb_version(NULL, NULL, NULL));
    return failures > 0 ? 1 : kept ? 77 : 0;
}

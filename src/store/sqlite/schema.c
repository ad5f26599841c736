/* store/sqlite/schema.c: the statements that make the tables.
 *
 * A later version adds statements of its own. `changed` counts the changes of a database; an
 * index finds what changed since another database asked.
 */
#include "store/sqlite/schema.h"

#define OWNED                                                                                    \
    "program TEXT NOT NULL, property TEXT NOT NULL, key INTEGER NOT NULL, "                      \
    "changed INTEGER NOT NULL, "
#define BY_OWNER ", PRIMARY KEY (program, property, key));"

const char *const wri_sqlite_schema_steps[WRI_SQLITE_VERSION] = {
    "CREATE TABLE bug (" OWNED
    "epoch INTEGER, rank INTEGER, token TEXT, kind TEXT, message TEXT, file TEXT, line INTEGER, "
    "drawn TEXT, rule TEXT, seed INTEGER, turn INTEGER, status INTEGER, first INTEGER, "
    "last INTEGER, found_by TEXT" BY_OWNER "CREATE TABLE sample (" OWNED
    "token TEXT, note TEXT, features TEXT, first INTEGER" BY_OWNER "CREATE TABLE feature (" OWNED
    "size INTEGER, shown INTEGER, first INTEGER" BY_OWNER
    "CREATE TABLE mark (name TEXT PRIMARY KEY, number INTEGER NOT NULL);"
    "CREATE INDEX bug_changed ON bug (changed);"
    "CREATE INDEX sample_changed ON sample (changed);"
    "CREATE INDEX feature_changed ON feature (changed);",

    "CREATE TABLE unit (" OWNED "search TEXT, number INTEGER, state INTEGER, result TEXT, until "
    "INTEGER, done_by TEXT" BY_OWNER "CREATE TABLE run (" OWNED
    "who TEXT, started INTEGER, seed INTEGER, explorer TEXT, status TEXT, cases INTEGER, "
    "executions INTEGER, ms INTEGER, features INTEGER, bugs INTEGER" BY_OWNER
    "CREATE INDEX unit_changed ON unit (changed);"
    "CREATE INDEX run_changed ON run (changed);",
};

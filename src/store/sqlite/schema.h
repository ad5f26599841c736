/* store/sqlite/schema.h: the tables of a database, version by version. */
#ifndef WRI_STORE_SQLITE_SCHEMA_H
#define WRI_STORE_SQLITE_SCHEMA_H

#define WRI_SQLITE_VERSION 2              /* PRAGMA user_version of a database of ours */
#define WRI_SQLITE_APPLICATION 1466004082 /* PRAGMA application_id: "Warr" */

/* The statements that lead from each version to the next. They never change. */
extern const char *const wri_sqlite_schema_steps[WRI_SQLITE_VERSION];

#endif

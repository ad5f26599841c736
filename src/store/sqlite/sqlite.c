/* store/sqlite/sqlite.c: items in an SQLite file.
 *
 * One transaction merges a list of items: it reads each row, merges, and writes the row again.
 * Other programs wait for it up to WAIT_MS; readers never wait (WAL). A file that is damaged, of
 * a newer version or not ours is refused, and stays as it is.
 */
#include "store/campaign.h"
#include "store/sqlite/library.h"
#include "store/sqlite/schema.h"

#ifndef WRI_WITH_SQLITE
wri_campaign *wri_sqlite_open(const char *path, wri_sqlite_how how, wri_note *note)
{
    (void)how;
    wri_note_refuse(note,
                    "%s: this build of Warren has no SQLite: build it where "
                    "libsqlite3-dev is installed",
                    path);
    return NULL;
}
#else

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WAIT_MS 5000
#define TURN_MS 5
#define LONGEST_SQL 1000

typedef struct sqlite {
    wri_campaign              base;
    const wri_sqlite_library *call;
    sqlite3                  *db;
    char                     *path;
    sqlite3_stmt             *get[WRI_ITEM_KINDS], *put[WRI_ITEM_KINDS];
} sqlite;

/* ---- what went wrong ---- */

static const char *reason(const sqlite *in, int code)
{
    switch (code & 0xff) {
    case SQLITE_NOTADB: return "this file is no database";
    case SQLITE_CORRUPT: return "this database is damaged";
    case SQLITE_FULL: return "the disk is full";
    case SQLITE_READONLY: return "this database cannot be written to";
    case SQLITE_BUSY: return "another program keeps this database locked";
    case SQLITE_NOMEM: return "memory is out";
    default: return in->call->errmsg(in->db);
    }
}

static bool refuse(const sqlite *in, wri_note *note)
{
    int code = in->call->extended_errcode(in->db);
    return wri_note_refuse(note, "%s: %s", in->path, reason(in, code));
}

static bool run(sqlite *in, const char *sql, wri_note *note)
{
    return in->call->exec(in->db, sql, NULL, NULL, NULL) == SQLITE_OK || refuse(in, note);
}

/* ---- statements ---- */

static sqlite3_stmt *prepare(sqlite *in, const char *sql, wri_note *note)
{
    sqlite3_stmt *made = NULL;
    if (in->call->prepare_v2(in->db, sql, -1, &made, NULL) != SQLITE_OK)
        refuse(in, note);
    return made;
}

/* Steps once: 1 a row, 0 the end, -1 and a line: it failed. */
static int step(sqlite *in, sqlite3_stmt *statement, wri_note *note)
{
    int code = in->call->step(statement);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        refuse(in, note);
    return code == SQLITE_ROW ? 1 : code == SQLITE_DONE ? 0 : -1;
}

static bool bind_number(sqlite *in, sqlite3_stmt *to, int at, uint64_t number)
{
    return in->call->bind_int64(to, at, (sqlite3_int64)number) == SQLITE_OK;
}

static bool bind_text(sqlite *in, sqlite3_stmt *to, int at, const char *text)
{
    return in->call->bind_text(to, at, text == NULL ? "" : text, -1, SQLITE_STATIC) == SQLITE_OK;
}

/* The number that a statement without parameters gives; 0: it gives none. */
static bool number_of(sqlite *in, const char *sql, uint64_t *number, wri_note *note)
{
    sqlite3_stmt *asked = prepare(in, sql, note);
    int           row = asked == NULL ? -1 : step(in, asked, note);
    *number = row == 1 ? (uint64_t)in->call->column_int64(asked, 0) : 0;
    in->call->finalize(asked);
    return row >= 0;
}

/* ---- SQL ---- */

typedef struct sql {
    char   text[LONGEST_SQL];
    size_t used;
} sql;

static void add(sql *to, const char *before, const char *text, const char *after)
{
    int length =
        snprintf(to->text + to->used, LONGEST_SQL - to->used, "%s%s%s", before, text, after);
    to->used += (size_t)length; /* the longest is known: the tables are ours */
}

static void add_fields(sql *to, const wri_item_table *table)
{
    for (size_t i = 0; i < table->count; i++)
        add(to, ", ", table->fields[i].name, "");
}

static sqlite3_stmt *prepare_each(sqlite *in, wri_item_kind kind, const wri_campaign_wish *wish,
                                  wri_note *note)
{
    const wri_item_table *table = wri_item_table_of(kind);
    sql                   text = { .used = 0 };
    add(&text, "SELECT program, property, key", "", "");
    add_fields(&text, table);
    add(&text, " FROM ", table->name, " WHERE changed > ?1");
    add(&text, wish->program == NULL ? "" : " AND program = ?2", "", "");
    add(&text, wish->property == NULL ? "" : " AND property = ?3", "", "");
    add(&text, wish->key == 0 ? "" : " AND key = ?4", "", " ORDER BY program, property, key");
    sqlite3_stmt *made = prepare(in, text.text, note);
    bool          bound = made != NULL && bind_number(in, made, 1, wish->after) &&
                 (wish->program == NULL || bind_text(in, made, 2, wish->program)) &&
                 (wish->property == NULL || bind_text(in, made, 3, wish->property)) &&
                 (wish->key == 0 || bind_number(in, made, 4, wish->key));
    if (made == NULL || bound)
        return made;
    refuse(in, note);
    in->call->finalize(made);
    return NULL;
}

/* ---- rows ---- */

/* A text without a NUL inside; what somebody else wrote may be anything. */
static bool read_text(sqlite *in, sqlite3_stmt *row, int column, char **text)
{
    const char *found = (const char *)in->call->column_text(row, column);
    size_t      length = (size_t)in->call->column_bytes(row, column);
    if (length == 0 || found == NULL)
        return true;
    *text = memchr(found, '\0', length) == NULL ? strdup(found) : NULL;
    return *text != NULL;
}

static bool read_item(sqlite *in, sqlite3_stmt *row, wri_item_kind kind, wri_item *item,
                      wri_note *note)
{
    const wri_item_table *table = wri_item_table_of(kind);
    *item = (wri_item){ .kind = kind, .key = (uint64_t)in->call->column_int64(row, 2) };
    bool read = read_text(in, row, 0, &item->program) && read_text(in, row, 1, &item->property);
    for (size_t i = 0; i < table->count && read; i++) {
        if (table->fields[i].is & WRI_ITEM_TEXT)
            read = read_text(in, row, (int)i + 3, &item->texts[i]);
        else
            item->numbers[i] = (uint64_t)in->call->column_int64(row, (int)i + 3);
    }
    if (read && wri_item_sound(item))
        return true;
    wri_note_refuse(note, "%s: a row of the table %s cannot be understood (key %lld)", in->path,
                    table->name, (long long)item->key);
    wri_item_free(item);
    return false;
}

static bool each(wri_campaign *campaign, wri_item_kind kind, const wri_campaign_wish *wish,
                 wri_campaign_visit *visit, void *context, wri_note *note)
{
    sqlite       *in = (sqlite *)campaign;
    sqlite3_stmt *rows = prepare_each(in, kind, wish, note);
    int           row = rows == NULL ? -1 : 1;
    bool          more = true;
    while (row == 1 && more) {
        wri_item item;
        row = step(in, rows, note);
        if (row == 1 && !read_item(in, rows, kind, &item, note))
            row = -1;
        if (row == 1) {
            more = visit(context, &item);
            wri_item_free(&item);
        }
    }
    in->call->finalize(rows);
    return row >= 0;
}

/* ---- merging ---- */

static sqlite3_stmt *statement(sqlite *in, wri_item_kind kind, bool put, wri_note *note)
{
    const wri_item_table *table = wri_item_table_of(kind);
    sqlite3_stmt        **made = put ? &in->put[kind] : &in->get[kind];
    sql                   text = { .used = 0 };
    if (*made != NULL)
        return *made;
    add(&text, put ? "REPLACE INTO " : "SELECT program, property, key", put ? table->name : "",
        put ? " (program, property, key" : "");
    add_fields(&text, table);
    if (put) {
        add(&text, ", changed) VALUES (?1, ?2, ?3", "", "");
        for (size_t i = 0; i <= table->count; i++) {
            char parameter[8];
            snprintf(parameter, sizeof parameter, "?%zu", i + 4);
            add(&text, ", ", parameter, "");
        }
        add(&text, ")", "", "");
    } else {
        add(&text, " FROM ", table->name, " WHERE program = ?1 AND property = ?2 AND key = ?3");
    }
    return *made = prepare(in, text.text, note);
}

static bool bind_key(sqlite *in, sqlite3_stmt *to, const wri_item *item)
{
    return bind_text(in, to, 1, item->program) && bind_text(in, to, 2, item->property) &&
           bind_number(in, to, 3, item->key);
}

static bool put_item(sqlite *in, const wri_item *item, uint64_t changed, wri_note *note)
{
    const wri_item_table *table = wri_item_table_of(item->kind);
    sqlite3_stmt         *to = statement(in, item->kind, true, note);
    bool                  bound = to != NULL && bind_key(in, to, item);
    for (size_t i = 0; i < table->count && bound; i++)
        bound = table->fields[i].is & WRI_ITEM_TEXT
                    ? bind_text(in, to, (int)i + 4, item->texts[i])
                    : bind_number(in, to, (int)i + 4, item->numbers[i]);
    bound = bound && bind_number(in, to, (int)table->count + 4, changed);
    if (to == NULL)
        return false;
    bool put = bound ? step(in, to, note) == 0 : refuse(in, note);
    in->call->reset(to);
    return put;
}

/* Merges one item into its row; writes the row if that changes it. */
static bool merge_item(sqlite *in, const wri_item *item, uint64_t changed, wri_note *note)
{
    sqlite3_stmt *of = statement(in, item->kind, false, note);
    wri_item      there = { .kind = item->kind };
    bool          differs = true, merged = true;
    if (of == NULL)
        return false;
    int row = bind_key(in, of, item) ? step(in, of, note) : (refuse(in, note), -1);
    if (row == 1 && !read_item(in, of, item->kind, &there, note))
        row = -1;
    in->call->reset(of);
    if (row == 1)
        merged = wri_item_merge(&there, item, &differs) ||
                 wri_note_refuse(note, "%s: memory is out", in->path);
    merged =
        merged && row >= 0 && (!differs || put_item(in, row == 1 ? &there : item, changed, note));
    wri_item_free(&there);
    return merged;
}

static bool last_change(wri_campaign *campaign, uint64_t *number, wri_note *note)
{
    return number_of((sqlite *)campaign, "SELECT number FROM mark WHERE name = 'changed'", number,
                     note);
}

static bool get_mark(wri_campaign *campaign, const char *name, uint64_t *number, wri_note *note)
{
    sqlite       *in = (sqlite *)campaign;
    sqlite3_stmt *asked = prepare(in, "SELECT number FROM mark WHERE name = ?1", note);
    int row = asked == NULL || !bind_text(in, asked, 1, name) ? -1 : step(in, asked, note);
    *number = row == 1 ? (uint64_t)in->call->column_int64(asked, 0) : 0;
    in->call->finalize(asked);
    return row >= 0;
}

static bool set_mark(wri_campaign *campaign, const char *name, uint64_t number, wri_note *note)
{
    sqlite       *in = (sqlite *)campaign;
    sqlite3_stmt *to = prepare(in, "REPLACE INTO mark (name, number) VALUES (?1, ?2)", note);
    bool set = to != NULL && bind_text(in, to, 1, name) && bind_number(in, to, 2, number) &&
               step(in, to, note) == 0;
    in->call->finalize(to);
    return set;
}

/* ---- the version ---- */

static bool check_version(sqlite *in, uint64_t *version, wri_note *note)
{
    uint64_t application, tables;
    if (!number_of(in, "PRAGMA user_version", version, note) ||
        !number_of(in, "PRAGMA application_id", &application, note) ||
        !number_of(in, "SELECT count(*) FROM sqlite_master", &tables, note))
        return false;
    if (application != WRI_SQLITE_APPLICATION && (tables > 0 || *version > 0))
        return wri_note_refuse(note, "%s: this is a database of another program", in->path);
    if (*version > WRI_SQLITE_VERSION)
        return wri_note_refuse(note,
                               "%s: this database is of a newer version of Warren (its version "
                               "is %llu, and this program knows %d)",
                               in->path, (unsigned long long)*version, WRI_SQLITE_VERSION);
    return true;
}

/* ---- all items ---- */

static bool merge(wri_campaign *campaign, const wri_item *items, size_t count, wri_note *note)
{
    sqlite  *in = (sqlite *)campaign;
    uint64_t changed = 0, version;
    if (count == 0)
        return true;
    if (!run(in, "BEGIN IMMEDIATE", note))
        return false;
    /* A newer program may have brought the file to its version meanwhile. */
    bool merged = check_version(in, &version, note) && last_change(campaign, &changed, note);
    for (size_t i = 0; i < count && merged; i++)
        merged = merge_item(in, &items[i], ++changed, note);
    merged = merged && set_mark(campaign, "changed", changed, note) && run(in, "COMMIT", note);
    if (!merged)
        run(in, "ROLLBACK", NULL);
    return merged;
}

/* ---- making it ---- */

/* Another program may do the same at the same time: the first one does it. */
static bool migrate(sqlite *in, wri_note *note)
{
    char     last[100];
    uint64_t version;
    if (!run(in, "BEGIN IMMEDIATE", note))
        return false;
    bool done = check_version(in, &version, note);
    for (; done && version < WRI_SQLITE_VERSION; version++)
        done = run(in, wri_sqlite_schema_steps[version], note);
    snprintf(last, sizeof last, "PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT",
             WRI_SQLITE_APPLICATION, WRI_SQLITE_VERSION);
    done = done && run(in, last, note);
    if (!done)
        run(in, "ROLLBACK", NULL);
    return done;
}

/* ---- opening ---- */

static void close_sqlite(wri_campaign *campaign)
{
    sqlite *in = (sqlite *)campaign;
    for (unsigned i = 0; i < WRI_ITEM_KINDS; i++) {
        in->call->finalize(in->get[i]);
        in->call->finalize(in->put[i]);
    }
    in->call->close_v2(in->db);
    free(in->path);
    free(in);
}

/* SQLite would wait for a pipe's other end, or write to a device. */
static bool can_be_file(const char *path, wri_sqlite_how how, wri_note *note)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return (how == WRI_SQLITE_MAKE && errno == ENOENT) ||
               wri_note_refuse(note, "%s: %s", path, strerror(errno));
    return S_ISREG(status.st_mode) || wri_note_refuse(note, "%s: this is no file", path);
}

/* The name that SQLite reads as one of a file that nobody changes: in a folder that cannot be
 * written to, it could not make the files that it shares with other programs. */
static char *unchanging(const char *path)
{
    char *name = malloc(3 * strlen(path) + 32), *at = name;
    if (name == NULL)
        return NULL;
    at = stpcpy(at, "file:");
    for (; *path != '\0'; path++)
        at += strchr("?#%", *path) == NULL ? (*at = *path, 1)
                                           : sprintf(at, "%%%02x", (unsigned char)*path);
    strcpy(at, "?immutable=1");
    return name;
}

static bool connect(sqlite *in, wri_sqlite_how how, wri_note *note)
{
    char *last = strrchr(in->path, '/'), *name = NULL;
    int   flags = how == WRI_SQLITE_MAKE ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                                         : SQLITE_OPEN_READONLY;
    if (last != NULL && last != in->path)
        *last = '\0';
    if (how == WRI_SQLITE_READ && access(last == NULL ? "." : in->path, W_OK) != 0)
        flags |= SQLITE_OPEN_URI;
    if (last != NULL)
        *last = '/';
    if (flags & SQLITE_OPEN_URI && (name = unchanging(in->path)) == NULL)
        return wri_note_refuse(note, "%s: memory is out", in->path);
    int code = in->call->open_v2(name == NULL ? in->path : name, &in->db, flags, NULL);
    free(name);
    if (in->db == NULL)
        return wri_note_refuse(note, "%s: memory is out", in->path);
    return code == SQLITE_OK || refuse(in, note);
}

/* All that is read comes from one moment: another program may make the tables meanwhile. */
static bool read_version(sqlite *in, uint64_t *version, wri_note *note)
{
    if (!run(in, "BEGIN", note))
        return false;
    bool read = check_version(in, version, note);
    return run(in, "COMMIT", read ? note : NULL) && read;
}

/* SQLite does not wait for its turn to change the journal, so this does. */
static bool keep_log(sqlite *in, wri_note *note)
{
    static const char KEEP[] = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL";
    for (int waited = 0; waited < WAIT_MS; waited += TURN_MS) {
        if (in->call->exec(in->db, KEEP, NULL, NULL, NULL) == SQLITE_OK)
            return true;
        if ((in->call->extended_errcode(in->db) & 0xff) != SQLITE_BUSY)
            break;
        poll(NULL, 0, TURN_MS);
    }
    return refuse(in, note);
}

static bool prepare_use(sqlite *in, wri_sqlite_how how, wri_note *note)
{
    uint64_t version;
    in->call->busy_timeout(in->db, WAIT_MS);
    in->call->limit(in->db, SQLITE_LIMIT_LENGTH, 64 << 20);
    /* A definition that somebody else wrote into the file runs nothing. */
    if (!run(in, "PRAGMA trusted_schema = 0", note) || !read_version(in, &version, note))
        return false;
    if (how == WRI_SQLITE_READ)
        return version == WRI_SQLITE_VERSION ||
               wri_note_refuse(note,
                               "%s: this database is of an older version of Warren: a "
                               "run of a test program brings it up to date",
                               in->path);
    return keep_log(in, note) && (version == WRI_SQLITE_VERSION || migrate(in, note));
}

wri_campaign *wri_sqlite_open(const char *path, wri_sqlite_how how, wri_note *note)
{
    const wri_sqlite_library *library = wri_sqlite_library_load(note);
    sqlite                   *opened =
        library == NULL || !can_be_file(path, how, note) ? NULL : calloc(1, sizeof *opened);
    if (opened == NULL)
        return NULL;
    *opened = (sqlite){ .call = library,
                        .path = strdup(path),
                        .base = { .merge = merge,
                                  .each = each,
                                  .last_change = last_change,
                                  .get_mark = get_mark,
                                  .set_mark = set_mark,
                                  .close = close_sqlite } };
    if (opened->path == NULL)
        wri_note_refuse(note, "memory is out");
    else if (connect(opened, how, note) && prepare_use(opened, how, note))
        return &opened->base;
    close_sqlite(&opened->base);
    return NULL;
}
#endif

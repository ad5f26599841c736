/* tests/campaign_unit.c: databases of campaigns: what they keep, and what becomes of faults.
 *
 * Works in a folder of its own under TMPDIR, which it removes.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "store/bugs.h"
#include "store/sqlite/library.h"
#include "store/sqlite/schema.h"
#include "unit.h"

#define CHECK(condition)                                                                         \
    do {                                                                                         \
        if (!(condition)) {                                                                      \
            fprintf(stderr, "%s:%d: failed: %s (%s)\n", __FILE__, __LINE__, #condition,          \
                    note.text);                                                                  \
            exit(1);                                                                             \
        }                                                                                        \
    } while (0)

static wri_note note;
static char     folder[PATH_MAX / 2];

static const char *in_folder(const char *name)
{
    static char paths[4][PATH_MAX];
    static int  next;
    snprintf(paths[next % 4], sizeof paths[0], "%s/%s", folder, name);
    return paths[next++ % 4];
}

static wri_campaign *open_here(const char *name)
{
    wri_campaign *opened = wri_sqlite_open(in_folder(name), WRI_SQLITE_MAKE, &note);
    CHECK(opened != NULL);
    return opened;
}

static void make(const char *name)
{
    wri_campaign *made = open_here(name);
    made->close(made);
}

/* Does opening say this? */
static bool is_refused(const char *name, wri_sqlite_how how, const char *why)
{
    wri_campaign *opened = wri_sqlite_open(in_folder(name), how, &note);
    if (opened != NULL)
        opened->close(opened);
    return opened == NULL && strstr(note.text, why) != NULL && strchr(note.text, '\n') == NULL;
}

static void add_bug(wri_campaign *to, uint64_t key, const char *token)
{
    wri_items items = { .list = NULL };
    wri_item *bug = wri_items_add(&items, WRI_ITEM_BUG, "x", "p", key);
    CHECK(bug != NULL);
    bug->numbers[WRI_BUG_EPOCH] = bug->numbers[WRI_BUG_TURN] = 1;
    bug->numbers[WRI_BUG_STATUS] = WRI_BUG_OPEN;
    CHECK(wri_item_set_text(bug, WRI_BUG_TOKEN, token));
    CHECK(to->merge(to, items.list, items.count, &note));
    wri_items_free(&items);
}

static bool count_one(void *context, const wri_item *item)
{
    (void)item;
    ++*(size_t *)context;
    return true;
}

static size_t count_bugs(wri_campaign *in, uint64_t after)
{
    size_t            count = 0;
    wri_campaign_wish wish = { .after = after };
    CHECK(in->each(in, WRI_ITEM_BUG, &wish, count_one, &count, &note));
    return count;
}

static char *read_all(const char *name, size_t *size)
{
    FILE *file = fopen(in_folder(name), "rb");
    CHECK(file != NULL);
    char *bytes = malloc(1 << 20);
    *size = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    return bytes;
}

static void write_all(const char *name, const void *bytes, size_t size)
{
    FILE *file = fopen(in_folder(name), "wb");
    CHECK(file != NULL && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

/* Runs SQL on a file that no campaign has open. */
static void run_sql(const char *name, const char *sql)
{
    const wri_sqlite_library *call = wri_sqlite_library_load(&note);
    sqlite3                  *db = NULL;
    CHECK(call != NULL);
    CHECK(call->open_v2(in_folder(name), &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) ==
          SQLITE_OK);
    CHECK(call->exec(db, sql, NULL, NULL, NULL) == SQLITE_OK);
    call->close_v2(db);
}

/* ---- what it keeps ---- */

TEST(an_item_comes_back_as_it_was_merged)
{
    wri_campaign *db = open_here("back.db");
    wri_item      found;
    bool          there;
    add_bug(db, UINT64_MAX, "w1abc");
    CHECK(wri_campaign_get(db, WRI_ITEM_BUG, "x", "p", UINT64_MAX, &found, &there, &note));
    CHECK(there && strcmp(wri_item_text(&found, WRI_BUG_TOKEN), "w1abc") == 0);
    CHECK(found.numbers[WRI_BUG_STATUS] == WRI_BUG_OPEN);
    wri_item_free(&found);
    CHECK(wri_campaign_get(db, WRI_ITEM_BUG, "x", "q", UINT64_MAX, &found, &there, &note));
    CHECK(!there);
    db->close(db);
}

TEST(a_merge_that_changes_nothing_is_no_change)
{
    wri_campaign *db = open_here("changes.db");
    uint64_t      number;
    add_bug(db, 1, "w1abc");
    CHECK(db->last_change(db, &number, &note));
    add_bug(db, 1, "w1abc");
    CHECK(count_bugs(db, number) == 0 && count_bugs(db, 0) == 1);
    add_bug(db, 1, "w1a"); /* shorter */
    CHECK(count_bugs(db, number) == 1);
    db->close(db);
}

TEST(marks_stay)
{
    wri_campaign *db = open_here("marks.db");
    uint64_t      number;
    CHECK(db->get_mark(db, "somewhere", &number, &note) && number == 0);
    CHECK(db->set_mark(db, "somewhere", 7, &note));
    db->close(db);
    db = open_here("marks.db");
    CHECK(db->get_mark(db, "somewhere", &number, &note) && number == 7);
    db->close(db);
}

TEST(a_file_of_version_1_is_brought_to_this_version)
{
    char sql[200];
    run_sql("old.db", wri_sqlite_schema_steps[0]);
    snprintf(sql, sizeof sql,
             "INSERT INTO bug (program, property, key, changed, epoch, token) VALUES "
             "('x', 'p', 5, 1, 1, 'w1'); PRAGMA user_version = 1; PRAGMA application_id = %d",
             WRI_SQLITE_APPLICATION);
    run_sql("old.db", sql);
    CHECK(is_refused("old.db", WRI_SQLITE_READ, "older version"));
    wri_campaign *db = open_here("old.db");
    CHECK(count_bugs(db, 0) == 1);
    wri_items items = { .list = NULL };
    CHECK(wri_items_add(&items, WRI_ITEM_RUN, "x", "p", 1) != NULL);
    CHECK(db->merge(db, items.list, items.count, &note));
    wri_items_free(&items);
    db->close(db);
}

/* ---- faults ---- */

/* The file has the same bytes after it was refused. */
static void stays(const char *name, const char *why)
{
    size_t before_size, after_size;
    char  *before = read_all(name, &before_size);
    CHECK(is_refused(name, WRI_SQLITE_MAKE, why));
    char *after = read_all(name, &after_size);
    CHECK(before_size == after_size && memcmp(before, after, after_size) == 0);
    free(before);
    free(after);
}

TEST(what_is_no_database_of_this_version_is_refused_and_stays)
{
    char   sql[100], *bytes;
    size_t size;
    write_all("text.db", "warren failure 1\nproperty: p\n and so on, and so on, for more", 60);
    stays("text.db", "text.db: this file is no database");
    run_sql("other.db", "CREATE TABLE mine (x)");
    stays("other.db", "a database of another program");
    make("newer.db");
    wri_campaign *db = open_here("cut.db");
    for (uint64_t key = 1; key < 500; key++)
        add_bug(db, key, "w1abcdefghijklmnopqrstuvwxyz");
    db->close(db);
    bytes = read_all("cut.db", &size);
    write_all("cut.db", bytes, size / 2);
    free(bytes);
    stays("cut.db", "this database is damaged");
    snprintf(sql, sizeof sql, "PRAGMA journal_mode = DELETE; PRAGMA user_version = %d",
             WRI_SQLITE_VERSION + 1);
    run_sql("newer.db", sql);
    stays("newer.db", "newer version of Warren");
}

TEST(damage_inside_is_told_when_it_is_met)
{
    wri_campaign *db = open_here("inside.db");
    size_t        size, count = 0;
    for (uint64_t key = 1; key < 500; key++)
        add_bug(db, key, "w1abcdefghijklmnopqrstuvwxyz");
    db->close(db);
    char *bytes = read_all("inside.db", &size);
    memset(bytes + size / 2, 0xff, size / 4);
    write_all("inside.db", bytes, size);
    free(bytes);
    db = open_here("inside.db");
    CHECK(!db->each(db, WRI_ITEM_BUG, &(wri_campaign_wish){ .after = 0 }, count_one, &count,
                    &note));
    CHECK(strstr(note.text, "inside.db: this database is damaged") != NULL);
    db->close(db);
}

TEST(a_row_that_merging_cannot_understand_is_told_and_stays)
{
    make("row.db");
    run_sql("row.db", "INSERT INTO bug (program, property, key, changed, found_by) "
                      "VALUES ('x', 'p', 9, 1, 'b a')");
    wri_campaign *db = open_here("row.db");
    wri_items     items = { .list = NULL };
    CHECK(wri_items_add(&items, WRI_ITEM_BUG, "x", "p", 9) != NULL);
    CHECK(!db->merge(db, items.list, items.count, &note));
    CHECK(strstr(note.text, "a row of the table bug cannot be understood (key 9)") != NULL);
    wri_items_free(&items);
    db->close(db);
}

TEST(what_is_no_file_is_refused)
{
    CHECK(mkfifo(in_folder("pipe.db"), 0600) == 0 && mkdir(in_folder("dir.db"), 0700) == 0);
    CHECK(is_refused("pipe.db", WRI_SQLITE_MAKE, "this is no file"));
    CHECK(is_refused("dir.db", WRI_SQLITE_MAKE, "this is no file"));
    CHECK(is_refused("nowhere.db", WRI_SQLITE_READ, "No such file"));
    CHECK(is_refused("no/where.db", WRI_SQLITE_MAKE, "unable to open"));
}

TEST(a_newer_program_that_comes_between_is_noticed)
{
    char          sql[100];
    wri_campaign *db = open_here("between.db");
    wri_items     items = { .list = NULL };
    add_bug(db, 1, "w1abc");
    snprintf(sql, sizeof sql, "PRAGMA user_version = %d", WRI_SQLITE_VERSION + 1);
    run_sql("between.db", sql);
    CHECK(wri_items_add(&items, WRI_ITEM_BUG, "x", "p", 2) != NULL);
    CHECK(!db->merge(db, items.list, items.count, &note));
    CHECK(strstr(note.text, "newer version of Warren") != NULL);
    wri_items_free(&items);
    db->close(db);
}

/* Root may write everywhere: so another user does this. */
TEST(a_store_that_is_read_only_can_be_read)
{
    CHECK(mkdir(in_folder("locked"), 0755) == 0);
    wri_campaign *db = open_here("locked/campaign.db");
    add_bug(db, 1, "w1abc");
    db->close(db);
    CHECK(chmod(in_folder("locked/campaign.db"), 0444) == 0 &&
          chmod(in_folder("locked"), 0555) == 0 && chmod(folder, 0755) == 0);
    pid_t child = fork();
    if (child == 0) {
        if (getuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
            _exit(3);
        if (!is_refused("locked/campaign.db", WRI_SQLITE_MAKE, "locked/campaign.db: "))
            _exit(1);
        db = wri_sqlite_open(in_folder("locked/campaign.db"), WRI_SQLITE_READ, &note);
        _exit(db == NULL || count_bugs(db, 0) != 1 ? 2 : 0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
    CHECK(chmod(in_folder("locked"), 0755) == 0);
}

/* A limit on the size of files does what a full disk does. */
TEST(a_full_disk_loses_nothing_that_was_there)
{
    wri_campaign *db = open_here("full.db");
    add_bug(db, 1, "w1first");
    db->close(db);
    pid_t child = fork();
    if (child == 0) {
        struct rlimit small = { 150000, 150000 };
        signal(SIGXFSZ, SIG_IGN);
        db = open_here("full.db");
        setrlimit(RLIMIT_FSIZE, &small);
        for (uint64_t key = 2; key < 10000; key++) {
            wri_items items = { .list = NULL };
            wri_items_add(&items, WRI_ITEM_BUG, "x", "p", key);
            bool fits = db->merge(db, items.list, items.count, &note);
            wri_items_free(&items);
            if (!fits)
                _exit(strchr(note.text, '\n') == NULL && key > 2 ? 0 : 2);
        }
        _exit(3);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
    db = open_here("full.db");
    CHECK(count_bugs(db, 0) > 1);
    add_bug(db, 1, "w1first");
    db->close(db);
}

TEST(killed_writers_lose_nothing_that_they_had_merged)
{
    for (int round = 0; round < 10; round++) {
        int told[2];
        CHECK(pipe(told) == 0);
        pid_t child = fork();
        if (child == 0) {
            wri_campaign *db = open_here("killed.db");
            for (uint64_t key = 1;; key++) {
                add_bug(db, (uint64_t)(round + 1) << 32 | key, "w1abc");
                (void)!write(told[1], &key, sizeof key);
            }
        }
        close(told[1]);
        uint64_t last = 0, key;
        for (int i = 0; i < 20 + 7 * round; i++)
            if (read(told[0], &key, sizeof key) == sizeof key)
                last = key;
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        while (read(told[0], &key, sizeof key) == sizeof key)
            last = key;
        close(told[0]);
        wri_campaign *db = open_here("killed.db");
        wri_item      found;
        bool          there;
        for (key = 1; key <= last; key++) {
            CHECK(wri_campaign_get(db, WRI_ITEM_BUG, "x", "p", (uint64_t)(round + 1) << 32 | key,
                                   &found, &there, &note));
            CHECK(there);
            wri_item_free(&found);
        }
        db->close(db);
    }
}

TEST(eight_writers_at_once_lose_nothing)
{
    pid_t writers[8];
    for (unsigned i = 0; i < 8; i++) {
        writers[i] = fork();
        if (writers[i] != 0)
            continue;
        wri_campaign *db = open_here("shared.db");
        for (uint64_t key = 1; key <= 20; key++)
            add_bug(db, key * 8 + i / 2, "w1abc"); /* two of them add the same */
        db->close(db);
        _exit(0);
    }
    for (unsigned i = 0; i < 8; i++) {
        int status;
        CHECK(waitpid(writers[i], &status, 0) == writers[i] && status == 0);
    }
    wri_campaign *db = open_here("shared.db");
    CHECK(count_bugs(db, 0) == 80);
    db->close(db);
}

/* ---- a large one ---- */

TEST(a_store_of_100_MB_is_opened_in_no_time)
{
    make("large.db");
    run_sql("large.db",
            "PRAGMA synchronous = OFF; WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 "
            "FROM n WHERE i < 20000) "
            "INSERT INTO sample (program, property, key, changed, token, note, features, first) "
            "SELECT 'x', 'p', i, i, hex(randomblob(2500)), '', '', 1 FROM n");
    struct stat status;
    CHECK(stat(in_folder("large.db"), &status) == 0 && status.st_size > 100000000);
    struct timespec before, after;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
    wri_campaign *db = open_here("large.db");
    add_bug(db, 1, "w1abc");
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
    double ms = (double)(after.tv_sec - before.tv_sec) * 1e3 +
                (double)(after.tv_nsec - before.tv_nsec) / 1e6;
    printf("a store of %lld bytes: opened and written to in %.1f ms of CPU time\n",
           (long long)status.st_size, ms);
    db->close(db);
    CHECK(unlink(in_folder("large.db")) == 0);
    CHECK(ms < 50);
}

int main(int argc, char **argv)
{
    const char *temporary = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/campaign.XXXXXX", temporary ? temporary : "/tmp");
    if (!wri_sqlite_available(&note)) {
        puts(note.text);
        return 77;
    }
    if (mkdtemp(folder) == NULL)
        return 99;
    int status = run_tests(argc, argv);
    wri_folder_remove(folder);
    return status;
}

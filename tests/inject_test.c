/* tests/inject_test.c: Warren while its own calls fail. Each mode runs again and again; each time
 * another call of one kind fails, once or from there on.
 *
 * Whatever fails, a run ends: with its report, or with status 99 and a line that says why. It
 * never crashes or hangs, a bug that it shows is not hidden by status 0, and the store keeps what
 * it had. A run without failures then reads the store and removes what is left over.
 *
 * usage: inject_test INJECT.SO INJURED WARREN [MODE | MODE:KIND]...; TEST_FULL=1 tries every call
 */
#define HANG_SECONDS 60
#include "drive.h"
#include "inject.h"

#define SAMPLES 4 /* of each mode, kind and manner, in the short form */

static const char *library, *injured, *warren;

typedef struct mode {
    const char *name;
    const char *options; /* of injured; NULL: of `warren` */
    const char *arguments;
} mode;

static const mode MODES[] = {
    { "random", "holds fails --cases 60", 0 },
    { "crash", "crashes --cases 30", 0 },
    { "new-crash", "crashes_anew --cases 30", 0 },
    { "guide", "has_gates --explore guide --cases 2000 --verbose", 0 },
    { "enumerate", "grows --explore enumerate --size 8", 0 },
    { "feedback", "shelves --explore feedback --cases 100", 0 },
    { "machine", "shelves --bugs many --cases 30", 0 },
    { "replay", "fails_elsewhere --replay @failure.txt", 0 },
    { "store", "fails_elsewhere crashes --cases 20", 0 },
    { "stable", "holds --until-stable --cases 200", 0 },
    { "no-fork", "holds fails --no-fork --cases 60", 0 },
    { "jobs", "holds fails --jobs 2 --cases 60", 0 },
    { "fork-each", "fails --fork-each --cases 10", 0 },
    { "tap", "holds fails --format tap --junit junit.xml --cases 60", 0 },
    { "json", "holds fails --format json --cases 60", 0 },
    { "events", "holds fails --format events --sarif r.sarif --cases 60", 0 },
    { "combine", "fails reads --explore combine --cases 60", 0 },
    { "rows", "holds --explore combine --rows own.csv --rows-out rows.out --cases 60", 0 },
    { "restart", "grows --explore restart --cases 60", 0 },
    { "radix", "grows --explore radix --size 5 --budget 10 --cases 60", 0 },
    { "seeds-kept", "reads --explore guide --seed-files seeds --cases 300", 0 },
    { "run", NULL, "run injured --seed 1 --jobs 1 --store store -- holds fails --cases 60" },
    { "run-json", NULL,
      "run injured --seed 1 --jobs 2 --store store --format json --on-bug true "
      "-- crashes holds --cases 60" },
    { "bugs", NULL, "bugs store --format json" },
    { "merge", NULL, "merge other store" },
    { "import", NULL, "import injured reads seeds --store store" },
    { "cover", NULL, "cover model.txt --moves 50 --seed 1" },
    { "cover-verify", NULL,
      "cover model.txt -t 3 --verify --format json --moves 50 -o rows.json" },
    { "cover-measure", NULL, "cover model.txt --measure rows.csv" },
    /* In the long form: */
    { "github", "holds fails --format github --sarif r.sarif --cases 60", 0 },
    { "constants", "holds fails --constants on --cases 60", 0 },
    { "coverage", "holds fails --check-coverage --cases 60", 0 },
    { "seed-files", "reads --seed-files seeds --cases 60", 0 },
    { "run-rounds", NULL, "run injured --seed 1 --for 500ms --store store -- holds" },
    { "show", NULL, "show --store store fails_elsewhere" },
};
#define MODE_COUNT (sizeof MODES / sizeof *MODES)
#define RARE 6

static const char MODEL[] = "a: 1, 2, 3\nb: x, y, z\nc: 0, 1\nd: p, q, r\n"
                            "IF [a] = 1 THEN [b] <> \"x\";\n";

/* ---- Stores, compared ---- */

typedef struct file_text {
    char  name[256];
    char *text;
    bool  failure; /* it lies in failures/ */
} file_text;

typedef struct snapshot {
    file_text files[64];
    size_t    count;
} snapshot;

static char *read_file(const char *path)
{
    FILE  *file = fopen(path, "r");
    char  *text = calloc(1, 1 << 16);
    size_t got = file == NULL ? 0 : fread(text, 1, (1 << 16) - 1, file);
    text[got] = '\0';
    if (file != NULL)
        fclose(file);
    return text;
}

static void add_files(snapshot *all, const char *folder)
{
    char path[800];
    DIR *list = opendir(folder);
    for (struct dirent *at; list != NULL && (at = readdir(list)) != NULL;) {
        /* The database has no text, and is another after every run. */
        if (at->d_name[0] == '.' || strncmp(at->d_name, "campaign.db", 11) == 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, at->d_name);
        if (at->d_type == DT_DIR) {
            add_files(all, path);
        } else if (all->count < 64) {
            file_text *file = &all->files[all->count++];
            snprintf(file->name, sizeof file->name, "%s", at->d_name);
            file->text = read_file(path);
            file->failure = strstr(path, "failures/") != NULL;
        }
    }
    if (list != NULL)
        closedir(list);
}

static snapshot take_snapshot(const char *folder)
{
    snapshot all = { .count = 0 };
    add_files(&all, folder);
    return all;
}

static void drop_snapshot(snapshot *all)
{
    for (size_t i = 0; i < all->count; i++)
        free(all->files[i].text);
}

static const file_text *find_file(const snapshot *all, const char *name)
{
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->files[i].name, name) == 0)
            return &all->files[i];
    return NULL;
}

/* Do both files have the same line of this key? */
static bool same_line(const file_text *a, const file_text *b, const char *key)
{
    const char *at = strstr(a->text, key), *there = strstr(b->text, key);
    return at != NULL && there != NULL && strncmp(at, there, strcspn(at + 1, "\n") + 2) == 0;
}

/* Do both fail at the same place? A crash whose place could not be looked up has none. */
static bool same_place(const file_text *a, const file_text *b)
{
    bool placed = strstr(b->text, "\nplace: ") != NULL;
    return a->failure && b->failure && same_line(a, b, "\nproperty: ") &&
           same_line(a, b, "\nkind: ") && (!placed || same_line(a, b, "\nplace: "));
}

/* Is there a failure in `all` at the place of every failure of `part`? Without memory for rules,
 * a machine's bugs are told apart by their places. */
static bool has_failures(const snapshot *all, const snapshot *part)
{
    for (size_t i = 0; i < part->count; i++) {
        bool found = !part->files[i].failure;
        for (size_t k = 0; k < all->count; k++)
            found |= same_place(&part->files[i], &all->files[k]);
        if (!found)
            return false;
    }
    return true;
}

/* Is every file of `part` in `all`, with the same bytes? */
static bool contains(const snapshot *all, const snapshot *part)
{
    for (size_t i = 0; i < part->count; i++) {
        const file_text *file = find_file(all, part->files[i].name);
        if (file == NULL || strcmp(file->text, part->files[i].text) != 0)
            return false;
    }
    return true;
}

static size_t count_files(const snapshot *all, const char *part)
{
    size_t found = 0;
    for (size_t i = 0; i < all->count; i++)
        found += strstr(all->files[i].name, part) != NULL;
    return found;
}

static bool has_leftovers(const snapshot *all)
{
    return count_files(all, ".tmp.") > 0;
}

/* ---- Runs ---- */

static _Atomic unsigned *counts; /* as inject.c counts */
static snapshot          before; /* the store of every run */
static long              runs;

static void begin_counting(void)
{
    int file = open(scratch_path("counts"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || ftruncate(file, INJECT_KINDS * (off_t)sizeof *counts) != 0)
        exit(1);
    counts =
        mmap(NULL, INJECT_KINDS * sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
}

/* A fresh copy of the store, which the run works on. */
static void fresh_store(void)
{
    free(call("rm -rf store junit.xml r.sarif exported other"));
    free(call("cp -r kept store"));
    for (int i = 0; i < INJECT_KINDS; i++)
        counts[i] = 0;
}

static run *run_mode(const mode *m)
{
    runs++;
    fresh_store();
    setenv("LD_PRELOAD", library, 1);
    setenv("INJECT_COUNTS", scratch_path("counts"), 1);
    run *r = m->options == NULL
                 ? start("%s %s", warren, m->arguments)
                 : start("%s --seed 1 --deadline 2s --color never --store store %s%s", injured,
                         strstr(m->options, "--jobs") == NULL ? "--jobs 1 " : "", m->options);
    unsetenv("LD_PRELOAD");
    unsetenv("INJECT_AT");
    finish(r);
    return r;
}

/* ---- What must hold ---- */

#define BAD(...) (failures++, printf("%s: ", now_testing), printf(__VA_ARGS__), printf("\n"))

static void show(const run *r)
{
    printf("  status %d, signal %d\n  out: %.600s\n  err: %.600s\n", r->status, r->signal, r->out,
           r->err);
}

/* Every file that the report calls stored is there. */
static void check_stored(const run *r, const snapshot *after, const snapshot *usual_after)
{
    for (const char *at = r->out; (at = strstr(at, "\n  stored: ")) != NULL; at++) {
        bool found = false;
        for (size_t i = 0; i < after->count; i++) {
            const char *name = strstr(at, after->files[i].name);
            found |= name != NULL && name < at + 1 + strcspn(at + 1, "\n");
        }
        if (!found)
            BAD("a stored bug is not in the store"), show(r);
    }
    if (!has_failures(after, usual_after) && strstr(r->out, "cannot") == NULL &&
        strstr(r->err, "cannot") == NULL && strstr(r->out, "memory") == NULL &&
        strstr(r->err, "memory") == NULL && strstr(r->out, "GAVE UP") == NULL)
        BAD("a bug was not stored, and nothing says so"), show(r);
}

/* The next run, in which nothing fails, reads the store and says so, and cleans up. */
static void check_next_run(const run *injured_run)
{
    run *next = call("%s --seed 1 --color never --jobs 1 --store store fails_elsewhere crashes "
                     "crashes_anew",
                     injured);
    snapshot after = take_snapshot("store");
    if (next->status != 1 || next->err[0] != '\0')
        BAD("the next run cannot use the store"), show(injured_run), show(next);
    if (!contains(&after, &before))
        BAD("the next run has lost a stored bug"), show(injured_run), show(next);
    if (count_files(&after, "crashes_anew") != 1)
        BAD("the next run takes a stored crash for another one"), show(injured_run), show(next);
    if (has_leftovers(&after))
        BAD("the next run leaves a temporary file"), show(injured_run);
    drop_snapshot(&after);
    free(next);
}

/* Whatever is there of a report for machines is well-formed. */
static void check_forms(const mode *m, const run *r)
{
    bool  json = m->options != NULL && strstr(m->options, "json") != NULL;
    char *junit = read_file("junit.xml");
    if (junit[0] != '\0' && strstr(junit, "</testsuite>") == NULL)
        BAD("half a JUnit file"), show(r);
    for (const char *at = r->out; json && *at != '\0'; at += strcspn(at, "\n") + 1)
        if (json_skip(at) != at + strcspn(at, "\n"))
            BAD("half a line of JSON"), show(r);
    free(junit);
}

static void check_run(const mode *m, const run *usual, const snapshot *usual_after, const run *r)
{
    snapshot after = take_snapshot("store");
    if (r->signal != 0)
        BAD("crashes"), show(r);
    else if (r->status != usual->status && r->status != 99)
        BAD("status %d instead of %d", r->status, usual->status), show(r);
    if (r->status == 99 && r->err[0] == '\0' && strstr(r->out, "warning: ") == NULL &&
        strstr(r->out, "ERROR") == NULL && strstr(r->out, "not ok") == NULL &&
        strstr(r->out, "\"error\"") == NULL)
        BAD("status 99 without a word"), show(r);
    if (strncmp(m->name, "cover", 5) == 0 && m->options == NULL && r->status == usual->status &&
        strcmp(r->out, usual->out) != 0 &&
        strstr(r->err, " 0 missing") == NULL) /* a search without memory finds more rows */
        BAD("other rows"), show(r);
    check_forms(m, r);
    if (left_behind() != 0)
        BAD("a process is left"), show(r);
    if (!contains(&after, &before))
        BAD("a stored bug is lost"), show(r);
    if (r->status == 1 && strstr(usual->out, "\n  stored: ") != NULL)
        check_stored(r, &after, usual_after);
    if (!contains(usual_after, &after))
        check_next_run(r);
    drop_snapshot(&after);
}

static void inject(const mode *m, int kind, unsigned n, const char *how, const run *usual,
                   const snapshot *usual_after)
{
    char at[64];
    snprintf(at, sizeof at, "%s %u %s", INJECT_NAMES[kind], n, how);
    snprintf(now_testing, sizeof now_testing, "%s, %s", m->name, at);
    setenv("INJECT_AT", at, 1);
    run *r = run_mode(m);
    check_run(m, usual, usual_after, r);
    free(r);
}

/* Is there a word MODE or MODE:KIND for it, or no word at all? NULL: any kind. */
static bool is_wanted(char *const *words, const mode *m, const char *kind)
{
    size_t length = strlen(m->name);
    for (char *const *word = words; *word != NULL; word++)
        if (strncmp(*word, m->name, length) == 0 &&
            ((*word)[length] == '\0' ||
             ((*word)[length] == ':' && (kind == NULL || strcmp(*word + length + 1, kind) == 0))))
            return true;
    return *words == NULL;
}

/* The calls to try: all, or some that are spread over the run. */
static void try_mode(const mode *m, char *const *words, bool all)
{
    unsigned usually[INJECT_KINDS];
    snprintf(now_testing, sizeof now_testing, "%s", m->name);
    run     *usual = run_mode(m);
    snapshot usual_after = take_snapshot("store");
    if (usual->signal != 0 || usual->status > 1)
        BAD("does not run"), show(usual);
    for (int kind = 0; kind < INJECT_KINDS; kind++)
        usually[kind] = counts[kind];
    printf("%-14s", m->name);
    for (int kind = 0; kind < INJECT_KINDS; kind++)
        printf(" %s %u", INJECT_NAMES[kind], usually[kind]);
    printf("\n");
    for (int kind = 0; kind < INJECT_KINDS; kind++) {
        unsigned step = all ? 1 : usually[kind] / SAMPLES + 1;
        if (!is_wanted(words, m, INJECT_NAMES[kind]))
            continue;
        for (unsigned n = 1; n <= usually[kind]; n += step) {
            inject(m, kind, n, "once", usual, &usual_after);
            if (all || kind != INJECT_FORK ||
                n == 1) /* Warren waits for seconds, and tries again */
                inject(m, kind, n, "on", usual, &usual_after);
        }
    }
    drop_snapshot(&usual_after);
    free(usual);
}

static void write_text(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0)
        exit(1);
}

static void prepare(void)
{
    begin_counting();
    write_text("model.txt", MODEL);
    run *rows = call("%s cover model.txt --seed 1", warren);
    write_text("rows.csv", rows->out);
    free(rows);
    write_text("own.csv", "x\n5\n*\n60\n");
    free(call("ln -s %s injured", injured));
    free(call("mkdir seeds"));
    write_text("seeds/a", "ab");
    write_text("seeds/b", "bbb");
    free(call("%s --seed 1 --color never --store kept fails_elsewhere crashes", injured));
    before = take_snapshot("kept");
    if (before.count != 2)
        BAD("%zu bugs are stored instead of 2", before.count);
    for (size_t i = 0; i < before.count; i++)
        if (strstr(before.files[i].name, "fails_elsewhere") != NULL)
            write_text("failure.txt", before.files[i].text);
}

int main(int argc, char **argv)
{
    const char *full = getenv("TEST_FULL");
    if (argc < 4)
        return 2;
    library = argv[1];
    injured = argv[2];
    warren = argv[3];
    begin_driving();
    prepare();
    for (size_t i = 0; i < MODE_COUNT - (full == NULL ? RARE : 0); i++)
        if (is_wanted(argv + 4, &MODES[i], NULL))
            try_mode(&MODES[i], argv + 4, full != NULL);
    printf("injected failures: %ld runs; hangs, crashes, lost bugs (bar: 0): %d\n", runs,
           failures);
    return failures == 0 ? 0 : 1;
}

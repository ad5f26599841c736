/* cli/report.c: the command `warren report`: all that a store knows, as a page for a browser.
 *
 * A property of the page has the bugs of the store, and the sums of its runs if the store has a
 * database.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/option_table.h"
#include "core/folder.h"
#include "report/draft.h"
#include "report/page/page.h"
#include "store/gather.h"

#define MOST_EXPLORERS 8
#define MOST_POINTS 200

typedef struct options {
    const char *store, *output;
    bool        help;
} options;

#define FIELD(member) WRI_OPTION_FIELD(options, member)
static const wri_option ROWS[] = {
    { "output", 'o', "FILE", NULL, WRI_OPTION_TEXT, FIELD(output), .expected = "a file",
      .help = "where the page goes (standard output)" },
    { "help", 'h', FIELD(help), .help = "print this" },
};
static const wri_option_table TABLE = { ROWS, sizeof ROWS / sizeof *ROWS };

/* The lists that the page is made of, each sorted by program and property. */
typedef struct known {
    wri_gathering bugs;
    wri_items     runs, features;
} known;

/* One property: the parts of the lists that are its own. */
typedef struct owned {
    const char         *program, *property;
    const wri_gathered *bugs;
    const wri_item     *runs, *features;
    size_t              bug_count, run_count, feature_count;
} owned;

static int cannot(const char *why)
{
    fprintf(stderr, "warren report: %s\n", why);
    return WRI_CANNOT;
}

static void tell(const char *line)
{
    cannot(line);
}

/* ---- Reading ---- */

static const char *or_empty(const char *text)
{
    return text == NULL ? "" : text;
}

static int compare_owners(const wri_item *a, const wri_item *b)
{
    int order = strcmp(or_empty(a->program), or_empty(b->program));
    return order != 0 ? order : strcmp(or_empty(a->property), or_empty(b->property));
}

/* By owner, then by time: each kind of item says when in another field. */
static int compare(const void *left, const void *right)
{
    const wri_item *a = left, *b = right;
    size_t          field = a->kind == WRI_ITEM_RUN ? WRI_RUN_STARTED : (size_t)WRI_FEATURE_FIRST;
    uint64_t        x = a->numbers[field], y = b->numbers[field];
    int             order = compare_owners(a, b);
    return order != 0 ? order : x != y ? (x < y ? -1 : 1) : (a->key > b->key) - (a->key < b->key);
}

static bool read_items(const char *store, wri_item_kind kind, wri_items *items, wri_note *note)
{
    bool read = wri_gather_items(store, kind, items, note);
    if (items->count > 1)
        qsort(items->list, items->count, sizeof *items->list, compare);
    return read;
}

static bool read_store(const char *store, known *all, wri_gather_complaints *complaints,
                       wri_note *note)
{
    return wri_gather(store, &all->bugs, complaints, note) &&
           read_items(store, WRI_ITEM_RUN, &all->runs, note) &&
           read_items(store, WRI_ITEM_FEATURE, &all->features, note);
}

static void free_known(known *all)
{
    wri_gather_free(&all->bugs);
    wri_items_free(&all->runs);
    wri_items_free(&all->features);
}

/* ---- One property ---- */

/* How many items from here on have this owner. */
static size_t count_of(const wri_item *list, size_t left, const wri_item *like)
{
    size_t count = 0;
    while (count < left && compare_owners(&list[count], like) == 0)
        count++;
    return count;
}

static const wri_item *from(const wri_items *items, size_t at)
{
    return items->count == 0 ? NULL : items->list + at;
}

/* The next property, from these places on, which go behind it. False: there is none. */
static bool next_owned(const known *all, size_t *bug, size_t *run, size_t *feature, owned *one)
{
    const wri_item *first = *bug < all->bugs.count ? &all->bugs.list[*bug].bug : NULL;
    const wri_item *other = *run < all->runs.count ? &all->runs.list[*run] : NULL;
    if (first == NULL || (other != NULL && compare_owners(other, first) < 0))
        first = other;
    if (first == NULL)
        return false;
    while (*feature < all->features.count &&
           compare_owners(&all->features.list[*feature], first) < 0)
        ++*feature;
    *one = (owned){ .program = or_empty(first->program),
                    .property = or_empty(first->property),
                    .bugs = all->bugs.count == 0 ? NULL : all->bugs.list + *bug,
                    .runs = from(&all->runs, *run),
                    .features = from(&all->features, *feature) };
    while (*bug + one->bug_count < all->bugs.count &&
           compare_owners(&one->bugs[one->bug_count].bug, first) == 0)
        one->bug_count++;
    one->run_count = count_of(one->runs, all->runs.count - *run, first);
    one->feature_count = count_of(one->features, all->features.count - *feature, first);
    *bug += one->bug_count;
    *run += one->run_count;
    *feature += one->feature_count;
    return true;
}

/* The status of the last run. The database has the words of a report. */
static wri_status status_of(const owned *one, bool any_open)
{
    const char *word =
        one->run_count == 0 ? "" : wri_item_text(&one->runs[one->run_count - 1], WRI_RUN_STATUS);
    for (int i = 0; i <= WRI_STATUS_ERROR && !any_open; i++)
        if (strcmp(word, wri_status_name((wri_status)i)) == 0 &&
            (wri_status)i != WRI_STATUS_FAILED)
            return (wri_status)i;
    return any_open ? WRI_STATUS_FAILED : WRI_STATUS_HELD;
}

/* ---- Its curves ---- */

typedef struct curves {
    wri_chart_line   lines[MOST_EXPLORERS];
    wri_curve_point *points; /* of all lines, behind one another */
    wri_curve_point  dated[MOST_POINTS];
    size_t           count, dated_count;
} curves;

/* The features that the runs of an explorer had shown, after all of its cases so far. */
static size_t draw_line(const owned *one, const char *explorer, wri_curve_point *points)
{
    uint64_t cases = 0, most = 0;
    size_t   count = 0;
    for (size_t i = 0; i < one->run_count; i++) {
        const wri_item *run = &one->runs[i];
        if (strcmp(wri_item_text(run, WRI_RUN_EXPLORER), explorer) != 0)
            continue;
        uint64_t features = run->numbers[WRI_RUN_FEATURES];
        bool     more = features > most;
        most = more ? features : most;
        cases += run->numbers[WRI_RUN_CASES];
        if (count > 0 && !more && count > MOST_POINTS / MOST_EXPLORERS)
            points[count - 1].x = cases; /* an even stretch needs its ends only */
        else
            points[count++] = (wri_curve_point){ cases, most };
    }
    return count;
}

static bool is_drawn(const curves *c, const char *explorer)
{
    for (size_t i = 0; i < c->count; i++)
        if (strcmp(c->lines[i].name, explorer) == 0)
            return true;
    return false;
}

static void draw(const owned *one, curves *c)
{
    size_t used = 0, features = one->feature_count;
    *c = (curves){ .points = calloc(one->run_count + 1, sizeof *c->points) };
    for (size_t i = 0; i < one->run_count && c->points != NULL && c->count < MOST_EXPLORERS;
         i++) {
        const char *explorer = wri_item_text(&one->runs[i], WRI_RUN_EXPLORER);
        if (is_drawn(c, explorer))
            continue;
        size_t count = draw_line(one, explorer, c->points + used);
        c->lines[c->count++] = (wri_chart_line){ explorer, c->points + used, count };
        used += count;
    }
    for (size_t i = 0; i < features; i++)
        if (i + 1 == features || i * MOST_POINTS / features != (i + 1) * MOST_POINTS / features)
            c->dated[c->dated_count++] =
                (wri_curve_point){ one->features[i].numbers[WRI_FEATURE_FIRST], i + 1 };
}

/* ---- Its sums ---- */

static void add_runs(const owned *one, wri_result *result)
{
    bool random = one->run_count > 0;
    for (size_t i = 0; i < one->run_count; i++) {
        const wri_item *run = &one->runs[i];
        const uint64_t *numbers = run->numbers;
        result->cases += numbers[WRI_RUN_CASES];
        result->executions += numbers[WRI_RUN_EXECUTIONS];
        result->seconds += (double)numbers[WRI_RUN_MS] / 1000;
        if (numbers[WRI_RUN_FEATURES] > result->features)
            result->features = numbers[WRI_RUN_FEATURES];
        random &= strcmp(wri_item_text(run, WRI_RUN_EXPLORER), "random") == 0;
    }
    if (one->feature_count > result->features)
        result->features = one->feature_count;
    result->explorer = random ? "random" : NULL;
}

/* The lists of a property's bugs, as long as they are told. */
typedef struct told {
    wri_bugs_failure *made;
    wri_failure      *failures;
    wri_page_bug     *bugs;
    char            **replays;
    size_t            count;
    bool              any_open;
} told;

static void free_told(told *t)
{
    for (size_t i = 0; i < t->count; i++) {
        wri_bugs_failure_free(&t->made[i]);
        free(t->replays[i]);
    }
    free(t->made);
    free(t->failures);
    free(t->bugs);
    free(t->replays);
}

static bool tell_bugs(const owned *one, told *t)
{
    size_t room = one->bug_count + 1;
    *t = (told){ .made = calloc(room, sizeof *t->made),
                 .failures = calloc(room, sizeof *t->failures),
                 .bugs = calloc(room, sizeof *t->bugs),
                 .replays = calloc(room, sizeof *t->replays) };
    bool fine = t->made != NULL && t->failures != NULL && t->bugs != NULL && t->replays != NULL;
    for (size_t i = 0; i < one->bug_count && fine; i++) {
        const wri_item *bug = &one->bugs[i].bug;
        uint64_t        status = bug->numbers[WRI_BUG_STATUS];
        if (!wri_bugs_to_failure(bug, &t->made[i]))
            return false;
        t->failures[i] = t->made[i].failure;
        t->failures[i].key = bug->key;
        t->failures[i].stored = one->bugs[i].path;
        t->count++;
        fine = asprintf(&t->replays[i], "%s %s --replay %s",
                        *one->program == '\0' ? "PROGRAM" : one->program, one->property,
                        t->failures[i].token) >= 0;
        if (!fine)
            t->replays[i] = NULL;
        t->failures[i].replay = t->replays[i];
        t->bugs[i] = (wri_page_bug){ wri_bugs_status(bug), bug->numbers[WRI_BUG_FIRST],
                                     bug->numbers[WRI_BUG_LAST], wri_item_text(bug, WRI_BUG_BY) };
        t->any_open |= status != WRI_BUG_MENDED && status != WRI_BUG_FORGOTTEN;
    }
    return fine;
}

static bool add_property(wri_page *page, const owned *one)
{
    told       t;
    curves     c;
    wri_result result = { .program = one->program, .property = one->property, .file = "" };
    draw(one, &c);
    bool fine = tell_bugs(one, &t) && c.points != NULL;
    if (fine) {
        add_runs(one, &result);
        result.failures = t.failures;
        result.failure_count = t.count;
        result.status = status_of(one, t.any_open);
        wri_page_past past = { t.bugs, one->run_count, c.lines, c.count, c.dated, c.dated_count };
        wri_page_add(page, &result, &past);
    }
    free_told(&t);
    free(c.points);
    return fine;
}

/* ---- All of them ---- */

static bool fill(wri_page *page, const known *all)
{
    size_t bug = 0, run = 0, feature = 0;
    owned  one;
    while (next_owned(all, &bug, &run, &feature, &one))
        if (!add_property(page, &one))
            return false;
    return true;
}

static int write_page(wri_page *page, const options *with, const char *name)
{
    wri_draft     draft = { .path = NULL };
    wri_page_head head = { .name = name, .store = true };
    char          why[600];
    bool          own = with->output != NULL && strcmp(with->output, "-") != 0;
    errno = 0;
    bool  found = !own || wri_draft_find(&draft, with->output);
    FILE *out = !own ? stdout : found ? wri_draft_open(&draft) : NULL;
    bool  written = out != NULL && wri_page_write(page, out, &head);
    if (own && out != NULL)
        written = wri_draft_close(&draft, out, written);
    else if (out != NULL)
        written = fflush(stdout) == 0 && written;
    snprintf(why, sizeof why, "cannot write %s: %s", own ? with->output : "to standard output",
             strerror(errno));
    wri_draft_free(&draft);
    return written ? 0 : cannot(why);
}

static int report(const options *with)
{
    known                 all = { .bugs = { .list = NULL } };
    wri_gather_complaints complaints = { .tell = tell };
    wri_note              note;
    char                 *folder = wri_files_root(with->store);
    int                   status = WRI_CANNOT;
    bool                  read = read_store(with->store, &all, &complaints, &note);
    wri_page             *page = read ? wri_page_new() : NULL;
    const char           *name = with->store != NULL ? with->store
                                 : folder != NULL    ? wri_folder_from_here(folder)
                                                     : "";
    if (!read)
        cannot(note.text);
    else if (page == NULL || !fill(page, &all))
        cannot("memory is out");
    else
        status = write_page(page, with, name);
    wri_page_free(page);
    free_known(&all);
    free(folder);
    return status != 0 ? status : complaints.count > 0 ? WRI_CANNOT : 0;
}

/* ---- The command ---- */

static bool take_operand(wri_option_reading *reading, char *text)
{
    options *to = reading->to;
    char     given[WRI_OPTION_QUOTED];
    if (to->store != NULL || text[0] == '\0')
        return wri_option_table_mistake(reading, "expected one store, got %s%s",
                                        wri_option_table_quoted(text, given),
                                        to->store != NULL ? " besides" : "");
    to->store = text;
    return true;
}

static int help(void)
{
    fputs("usage: warren report [STORE] [OPTION...]\n\n"
          "Writes all that a store knows as one HTML file, which needs no network. STORE is a\n"
          "folder, a database or a campaign in Redis; without it, .warren beside the nearest\n"
          ".git or .warren, else .warren here.\n\n",
          stdout);
    wri_option_table_help(&TABLE, stdout);
    fputs("\nexit status: 0 done; 99 it could not be done as asked\n", stdout);
    return fflush(stdout) == 0 ? 0 : cannot("cannot write to standard output");
}

int wri_report_command(int argc, char **argv)
{
    options            with = { .help = false };
    char               error[512];
    wri_option_reading reading = { &TABLE, &with,        NULL,
                                   error,  sizeof error, .operand = take_operand };
    if (!wri_option_table_arguments(&reading, argc, argv))
        return cannot(error);
    if (with.help)
        return help();
    if (with.store == NULL)
        with.store = getenv("WARREN_STORE");
    return report(&with);
}

/* cli/campaign.c: the commands that look at stores: bugs, show, forget, merge; and those that
 * run a test program on one: replay, import, export.
 *
 * A bug is named by its key, by the beginning of it, by the path of its text, or by its property
 * if that has one bug.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/option_table.h"
#include "core/folder.h"
#include "report/escape.h"
#include "store/gather.h"

#define MOST_OPERANDS 1000

typedef struct options {
    const char *store;
    uint32_t    json;
    bool        all, gdb, help;
    const char *operands[MOST_OPERANDS];
    size_t      count;
} options;

#define FIELD(member) WRI_OPTION_FIELD(options, member)
#define STORE                                                                                    \
    {                                                                                            \
        "store", 0, "STORE", "STORE", WRI_OPTION_TEXT, FIELD(store),                             \
            .expected = "a folder or a database", .help = "the store (.warren beside .git)"      \
    }
#define FORMAT                                                                                   \
    {                                                                                            \
        "format", 0, "HOW", NULL, WRI_OPTION_WORD, FIELD(json), .words = "human|json",           \
                                                                .help = "human, json (human)"    \
    }
#define HELP                                                                                     \
    {                                                                                            \
        "help", 'h', FIELD(help), .help = "print this"                                           \
    }

/* A command: its options, its operands, and its text for --help. */
typedef struct command {
    const char       *name, *usage, *about;
    const wri_option *rows;
    size_t            row_count;
    size_t            least, most; /* operands */
    const char       *operand;     /* what one is */
    int (*run)(const options *with);
} command;

static const command *running;

/* ---- complaints ---- */

static int cannot(const char *line)
{
    fprintf(stderr, "warren %s: %s\n", running->name, line);
    return WRI_CANNOT;
}

static void tell(const char *line)
{
    cannot(line);
}

/* After everything is printed; the exit status. */
static int printed(int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    return cannot("cannot write to standard output");
}

/* ---- a bug as text ---- */

static void print_text(const char *before, const char *text)
{
    printf("%s", before);
    wri_escape_json(stdout, text);
}

static void print_json(const wri_gathered *one)
{
    const wri_item  *bug = &one->bug;
    wri_bugs_failure made;
    printf("{\"bug\": \"%016" PRIx64 "\"", bug->key);
    print_text(", \"program\": ", bug->program);
    print_text(", \"property\": ", bug->property);
    print_text(", \"kind\": ", wri_item_text(bug, WRI_BUG_KIND));
    print_text(", \"file\": ", wri_item_text(bug, WRI_BUG_FILE));
    printf(", \"line\": %" PRIu64, bug->numbers[WRI_BUG_LINE]);
    print_text(", \"message\": ", wri_item_text(bug, WRI_BUG_MESSAGE));
    print_text(", \"status\": ", wri_bugs_status(bug));
    printf(", \"minimal\": %s",
           bug->numbers[WRI_BUG_RANK] < WRI_BUG_NOT_MINIMAL ? "true" : "false");
    print_text(", \"token\": ", wri_item_text(bug, WRI_BUG_TOKEN));
    printf(", \"values\": {");
    if (wri_bugs_to_failure(bug, &made)) {
        for (size_t i = 0; i < made.failure.value_count; i++) {
            print_text(i == 0 ? "" : ", ", made.values[i].name);
            print_text(": ", made.values[i].text);
        }
        wri_bugs_failure_free(&made);
    }
    printf("}");
    print_text(", \"rule\": ", wri_item_text(bug, WRI_BUG_RULE));
    printf(", \"first_seen\": %" PRIu64 ", \"last_seen\": %" PRIu64, bug->numbers[WRI_BUG_FIRST],
           bug->numbers[WRI_BUG_LAST]);
    print_text(", \"found_by\": ", wri_item_text(bug, WRI_BUG_BY));
    print_text(", \"stored\": ", one->path);
    puts("}");
}

/* "sort.c:42", or a function, or nothing. */
static void print_place(const wri_item *bug)
{
    wri_escape_line(stdout, wri_folder_from_here(wri_item_text(bug, WRI_BUG_FILE)));
    if (bug->numbers[WRI_BUG_LINE] > 0)
        printf(":%" PRIu64, bug->numbers[WRI_BUG_LINE]);
}

static void print_line(const wri_gathered *one)
{
    const wri_item *bug = &one->bug;
    printf("%016" PRIx64 "  %-9s  ", bug->key, wri_bugs_status(bug));
    wri_escape_line(stdout, bug->property);
    printf("  ");
    print_place(bug);
    printf("  ");
    const char *message = wri_item_text(bug, WRI_BUG_MESSAGE);
    wri_escape_line(stdout, message[0] == '\0' ? wri_item_text(bug, WRI_BUG_KIND) : message);
    putchar('\n');
}

static void print_date(const char *before, uint64_t seconds)
{
    char      text[40];
    time_t    time = (time_t)seconds;
    struct tm parts;
    if (seconds == 0 || gmtime_r(&time, &parts) == NULL ||
        strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &parts) == 0)
        return;
    printf("%s%s\n", before, text);
}

static void print_values(const wri_item *bug)
{
    wri_bugs_failure made;
    if (!wri_bugs_to_failure(bug, &made))
        return;
    for (size_t i = 0; i < made.failure.value_count; i++) {
        printf("  ");
        wri_escape_label(stdout, made.values[i].name);
        printf(" = ");
        wri_escape_plain(stdout, made.values[i].text, 4);
        putchar('\n');
    }
    wri_bugs_failure_free(&made);
}

static void print_all(const wri_gathered *one)
{
    const wri_item *bug = &one->bug;
    const char     *rule = wri_item_text(bug, WRI_BUG_RULE);
    print_line(one);
    printf("  ");
    wri_escape_plain(stdout, wri_item_text(bug, WRI_BUG_MESSAGE), 2);
    printf("\nvalues%s:\n", bug->numbers[WRI_BUG_RANK] < WRI_BUG_NOT_MINIMAL
                                ? ""
                                : " (there may be a smaller case)");
    print_values(bug);
    if (rule[0] != '\0') {
        printf("calls that make it fail:\n  ");
        wri_escape_plain(stdout, rule, 2);
        putchar('\n');
    }
    print_date("first seen: ", bug->numbers[WRI_BUG_FIRST]);
    print_date("last seen:  ", bug->numbers[WRI_BUG_LAST]);
    if (bug->texts[WRI_BUG_BY] != NULL) {
        printf("found by:   ");
        wri_escape_line(stdout, bug->texts[WRI_BUG_BY]);
        putchar('\n');
    }
    if (one->path != NULL) {
        printf("stored:     ");
        wri_escape_line(stdout, wri_folder_from_here(one->path));
        putchar('\n');
    }
    char *program = wri_folder_program(bug->program == NULL ? "PROGRAM" : bug->program);
    printf("replay:     ");
    wri_escape_line(stdout, program == NULL ? bug->program : program);
    free(program);
    putchar(' ');
    wri_escape_line(stdout, bug->property);
    printf(" --replay %s\n", wri_item_text(bug, WRI_BUG_TOKEN));
}

/* ---- bugs ---- */

static int run_bugs(const options *with)
{
    wri_gathering         all;
    wri_gather_complaints complaints = { .tell = tell };
    wri_note              note;
    const char           *where = with->count > 0 ? with->operands[0] : with->store;
    bool                  read = wri_gather(where, &all, &complaints, &note);
    for (size_t i = 0; i < all.count && read; i++)
        if (with->all || all.list[i].bug.numbers[WRI_BUG_STATUS] != WRI_BUG_FORGOTTEN)
            (with->json ? print_json : print_line)(&all.list[i]);
    wri_gather_free(&all);
    return read ? printed(complaints.count > 0 ? WRI_CANNOT : 0) : cannot(note.text);
}

/* ---- one bug ---- */

static bool is_called(const wri_gathered *one, const char *name)
{
    char key[17];
    snprintf(key, sizeof key, "%016" PRIx64, one->bug.key);
    return (strlen(name) >= 4 && strncmp(key, name, strlen(name)) == 0) ||
           strcmp(one->bug.property, name) == 0 ||
           (one->path != NULL &&
            (strcmp(one->path, name) == 0 || strcmp(wri_folder_from_here(one->path), name) == 0));
}

/* The only bug of this name; NULL, and a line: there is none, or more than one. */
static const wri_gathered *find(const wri_gathering *all, const char *name, wri_note *note)
{
    const wri_gathered *found = NULL;
    char                given[WRI_OPTION_QUOTED];
    size_t              count = 0;
    for (size_t i = 0; i < all->count; i++)
        if (is_called(&all->list[i], name)) {
            found = &all->list[i];
            count++;
        }
    if (count == 1)
        return found;
    if (count == 0)
        wri_note_refuse(note, "no bug is called %s (warren bugs lists them)",
                        wri_option_table_quoted(name, given));
    else
        wri_note_refuse(note, "%zu bugs are called %s (warren bugs lists their keys)", count,
                        wri_option_table_quoted(name, given));
    return NULL;
}

static int run_show(const options *with)
{
    wri_gathering         all;
    wri_gather_complaints complaints = { .tell = tell };
    wri_note              note;
    bool                  done = wri_gather(with->store, &all, &complaints, &note);
    for (size_t i = 0; i < with->count && done; i++) {
        const wri_gathered *one = find(&all, with->operands[i], &note);
        done = one != NULL;
        if (done && i > 0 && !with->json)
            putchar('\n');
        if (done)
            (with->json ? print_json : print_all)(one);
    }
    wri_gather_free(&all);
    return done ? printed(0) : cannot(note.text);
}

static int run_forget(const options *with)
{
    wri_gathering         all;
    wri_gather_complaints complaints = { .tell = tell };
    wri_note              note;
    bool                  done = wri_gather(with->store, &all, &complaints, &note);
    for (size_t i = 0; i < with->count && done; i++)
        done = find(&all, with->operands[i], &note) != NULL;
    for (size_t i = 0; i < with->count && done; i++)
        done = wri_gather_forget(with->store, find(&all, with->operands[i], &note), &note);
    wri_gather_free(&all);
    return done ? 0 : cannot(note.text);
}

static int run_merge(const options *with)
{
    wri_gather_complaints complaints = { .tell = tell };
    wri_note              note;
    for (size_t i = 1; i < with->count; i++)
        if (!wri_gather_merge(with->operands[0], with->operands[i], &complaints, &note))
            return cannot(note.text);
    return complaints.count > 0 ? WRI_CANNOT : 0;
}

/* ---- replay ---- */

/* The argument of --replay for a bug of the store, malloced: its token, or "@" and its text. And
 * its property, malloced. */
static char *replay_of(const char *store, const char *name, char **property, wri_note *note)
{
    wri_gathering         all;
    wri_gather_complaints complaints = { .tell = tell };
    char                 *argument = NULL;
    const wri_gathered   *one =
        wri_gather(store, &all, &complaints, note) ? find(&all, name, note) : NULL;
    wri_note_refuse(one == NULL ? NULL : note, "memory is out");
    if (one != NULL &&
        (one->path == NULL || asprintf(&argument, "@%s", wri_folder_from_here(one->path)) < 0))
        argument = strdup(wri_item_text(&one->bug, WRI_BUG_TOKEN));
    *property = argument == NULL ? NULL : strdup(one->bug.property);
    wri_gather_free(&all);
    return argument;
}

/* Becomes a program; returns only if it cannot. */
static int become(const char *const *words)
{
    execvp(words[0], (char *const *)(uintptr_t)words);
    fprintf(stderr, "warren %s: %s: %s\n", running->name, words[0], strerror(errno));
    return WRI_CANNOT;
}

/* Runs the program in a debugger until the case fails, and goes to the property if it is known.
 */
static int debug(const char *program, const char *argument, const char *property)
{
    char *frame = NULL;
    if (property != NULL && asprintf(&frame, "frame function wr_body_%s", property) < 0)
        return cannot("memory is out");
    const char *words[24] = {
        "gdb", "-ex", "set breakpoint pending on", "-ex", "break wr_case_failed", "-ex", "run"
    };
    size_t count = 7;
    if (frame != NULL) {
        words[count++] = "-ex";
        words[count++] = frame;
    }
    const char *rest[] = { "--args", program, "--replay", argument, "--no-fork", "--no-store" };
    memcpy(words + count, rest, sizeof rest);
    int status = become(words);
    free(frame);
    return status;
}

static int run_replay(const options *with)
{
    const char *given = with->operands[1];
    bool     token = given[0] == '@' || (given[0] == 'w' && given[1] >= '0' && given[1] <= '9');
    wri_note note = { .text = "memory is out" };
    char    *program = wri_folder_program(with->operands[0]), *property = NULL;
    char    *argument = token ? strdup(given) : replay_of(with->store, given, &property, &note);
    const char *alone[] = { program, "--replay", argument, "--verbose", NULL };
    int         status = program == NULL || argument == NULL ? cannot(note.text)
                         : with->gdb                         ? debug(program, argument, property)
                                                             : become(alone);
    free(program);
    free(property);
    free(argument);
    return status;
}

/* ---- corpora of fuzzers ---- */

/* Runs the property with an option that takes the folder. The program has the store. */
static int with_folder(const options *with, const char *option, bool guided)
{
    char       *program = wri_folder_program(with->operands[0]);
    const char *words[10] = { program, with->operands[1], option, with->operands[2] };
    size_t      count = 4;
    if (guided) {
        words[count++] = "--explore";
        words[count++] = "guide";
    }
    if (with->store != NULL) {
        words[count++] = "--store";
        words[count++] = with->store;
    }
    int status = program == NULL ? cannot("memory is out") : become(words);
    free(program);
    return status;
}

static int run_import(const options *with)
{
    return with_folder(with, "--seed-files", true);
}

static int run_export(const options *with)
{
    return with_folder(with, "--export", false);
}

/* ---- the commands ---- */

static const wri_option BUGS_ROWS[] = {
    STORE,
    FORMAT,
    { "all", FIELD(all), .help = "those that were forgotten, too" },
    HELP,
};
static const wri_option SHOW_ROWS[] = { STORE, FORMAT, HELP };
static const wri_option FORGET_ROWS[] = { STORE, HELP };
static const wri_option MERGE_ROWS[] = { HELP };
static const wri_option REPLAY_ROWS[] = {
    { "gdb", FIELD(gdb), .help = "in this debugger, up to where it fails" },
    STORE,
    HELP,
};

#define ROWS(rows) rows, sizeof(rows) / sizeof *(rows)
static const command BUGS = {
    "bugs",
    "[STORE] [OPTION...]",
    "Lists the bugs of a store: key, status, property, place and message. STORE is a folder or\n"
    "a database; without it, .warren beside the nearest .git or .warren, else .warren here.\n",
    ROWS(BUGS_ROWS),
    0,
    1,
    "one store",
    run_bugs
};
static const command SHOW = {
    "show",
    "BUG... [OPTION...]",
    "Shows all that is known of a bug. BUG is its key or the first 4 digits of it or more, its\n"
    "property if that has one bug, or the path of its text.\n",
    ROWS(SHOW_ROWS),
    1,
    MOST_OPERANDS,
    "a bug",
    run_show
};
static const command FORGET = {
    "forget",
    "BUG... [OPTION...]",
    "Removes the text of a bug, so that runs do not try its case any more. The database still\n"
    "knows it, as forgotten, and a merge forgets it elsewhere. BUG is as for warren show.\n",
    ROWS(FORGET_ROWS),
    1,
    MOST_OPERANDS,
    "a bug",
    run_forget
};
static const command MERGE = {
    "merge",
    "STORE STORE... [OPTION...]",
    "Merges all stores into the first one, which is made if it is not there. A store is a\n"
    "folder or a database. The order does not matter, and a merge may be done again.\n",
    ROWS(MERGE_ROWS),
    2,
    MOST_OPERANDS,
    "two stores",
    run_merge
};

static const command REPLAY = {
    "replay",
    "PROGRAM TOKEN [OPTION...]",
    "Runs one case of a test program again, verbosely. TOKEN is what a report prints after\n"
    "--replay, or @FILE with a failure, or a bug as for warren show.\n",
    ROWS(REPLAY_ROWS),
    2,
    2,
    "a program and a token",
    run_replay
};

static const command IMPORT = {
    "import",
    "PROGRAM PROPERTY FOLDER [OPTION...]",
    "Starts a guided run from the files of a folder, such as libFuzzer's corpus. The cases that\n"
    "show something go into the corpus of the property.\n",
    ROWS(FORGET_ROWS),
    3,
    3,
    "a program, a property and a folder",
    run_import
};
static const command EXPORT = {
    "export",
    "PROGRAM PROPERTY FOLDER [OPTION...]",
    "Writes the corpus of a property as files, one a case, as libFuzzer reads them.\n",
    ROWS(FORGET_ROWS),
    3,
    3,
    "a program, a property and a folder",
    run_export
};

static bool take_operand(wri_option_reading *reading, char *text)
{
    options *to = reading->to;
    char     given[WRI_OPTION_QUOTED];
    if (to->count >= running->most)
        return wri_option_table_mistake(reading, "expected %s, got %s besides", running->operand,
                                        wri_option_table_quoted(text, given));
    if (text[0] == '\0')
        return wri_option_table_mistake(reading, "expected %s, got \"\"", running->operand);
    to->operands[to->count++] = text;
    return true;
}

static int help(const wri_option_table *table)
{
    printf("usage: warren %s %s\n\n%s\n", running->name, running->usage, running->about);
    wri_option_table_help(table, stdout);
    fputs("\nexit status: 0 done; 99 it could not be done as asked\n", stdout);
    return printed(0);
}

static int run(const command *which, int argc, char **argv)
{
    options            with = { .count = 0 };
    char               error[512];
    wri_option_table   table = { which->rows, which->row_count };
    wri_option_reading reading = { &table, &with,        NULL,
                                   error,  sizeof error, .operand = take_operand };
    running = which;
    const char *store = getenv("WARREN_STORE");
    if (!wri_option_table_arguments(&reading, argc, argv))
        return cannot(error);
    if (with.help)
        return help(&table);
    if (with.count < which->least) {
        snprintf(error, sizeof error, "expected %s, got %s", which->operand,
                 with.count == 0   ? "nothing"
                 : with.count == 1 ? "one"
                                   : "two");
        return cannot(error);
    }
    if (with.store == NULL)
        with.store = store;
    return which->run(&with);
}

int wri_replay_command(int argc, char **argv)
{
    return run(&REPLAY, argc, argv);
}

int wri_import_command(int argc, char **argv)
{
    return run(&IMPORT, argc, argv);
}

int wri_export_command(int argc, char **argv)
{
    return run(&EXPORT, argc, argv);
}

int wri_bugs_command(int argc, char **argv)
{
    return run(&BUGS, argc, argv);
}

int wri_show_command(int argc, char **argv)
{
    return run(&SHOW, argc, argv);
}

int wri_forget_command(int argc, char **argv)
{
    return run(&FORGET, argc, argv);
}

int wri_merge_command(int argc, char **argv)
{
    return run(&MERGE, argc, argv);
}

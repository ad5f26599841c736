/* cli/program.c: runs a test program, from its arguments to its exit status. */
#include <errno.h>
#include <fnmatch.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/option_table.h"
#include "cli/options.h"
#include "core/folder.h"
#include "core/reserve.h"
#include "core/spelling.h"
#include "explore/explorer.h"
#include "hunt/hunt.h"
#include "machine/pattern/pattern.h"
#include "report/block.h"
#include "report/escape.h"
#include "report/kept.h"
#include "store/store.h"

#define CANNOT 99
#define TWO_OF_A_NAME "two properties are called %s: %s:%d and %s:%d"

static void complain(const wri_settings *settings, const char *line)
{
    const char *program = settings->program == NULL ? program_invocation_name : settings->program;
    fprintf(stderr, "%s: %s\n", program, line);
}

static void complain_of_output(const wri_settings *settings, int reason)
{
    char line[200];
    snprintf(line, sizeof line, "cannot write to standard output: %s", strerror(reason));
    complain(settings, line);
}

/* ---- Which properties ---- */

static bool matches(const wri_settings *settings, const char *name)
{
    for (size_t i = 0; i < settings->pattern_count; i++)
        if (fnmatch(settings->patterns[i], name, 0) == 0)
            return true;
    return settings->pattern_count == 0;
}

static const char *unmatched_pattern(const wri_settings *settings)
{
    for (size_t i = 0; i < settings->pattern_count; i++) {
        bool any = false;
        for (wr_property_ *at = wri_registry_first(); at != NULL; at = at->next)
            any |= fnmatch(settings->patterns[i], at->name, 0) == 0;
        if (!any)
            return settings->patterns[i];
    }
    return NULL;
}

/* The chosen properties, malloced. */
static wr_property_ **choose(const wri_settings *settings, size_t *count)
{
    size_t all = 0;
    for (wr_property_ *at = wri_registry_first(); at != NULL; at = at->next)
        all++;
    wr_property_ **chosen = calloc(all + 1, sizeof(wr_property_ *));
    *count = 0;
    for (wr_property_ *at = wri_registry_first(); at != NULL && chosen != NULL; at = at->next)
        if (matches(settings, at->name))
            chosen[(*count)++] = at;
    return chosen;
}

/* After everything is printed; the exit status. */
static int printed(const wri_settings *settings)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return 0;
    complain_of_output(settings, errno);
    return CANNOT;
}

static int list(const wri_settings *settings, wr_property_ *const *chosen, size_t count)
{
    bool json = settings->format >= WRI_FORMAT_JSON;
    for (size_t i = 0; i < count; i++) {
        const char *file = wri_block_file(chosen[i]->file);
        fputs(json ? "{\"property\": " : "", stdout);
        (json ? wri_escape_json : wri_escape_line)(stdout, chosen[i]->name);
        fputs(json ? ", \"file\": " : " ", stdout);
        (json ? wri_escape_json : wri_escape_line)(stdout, file);
        printf(json ? ", \"line\": %d}\n" : ":%d\n", chosen[i]->line);
    }
    return printed(settings);
}

/* ---- How it is told ---- */

static bool wants_color(const wri_settings *settings)
{
    if (settings->color != WRI_COLOR_AUTO)
        return settings->color == WRI_COLOR_ALWAYS;
    const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return isatty(STDOUT_FILENO) && (no_color == NULL || no_color[0] == '\0') &&
           (terminal == NULL || strcmp(terminal, "dumb") != 0);
}

/* What is printed. */
static wri_reporter *make_printer(const wri_settings *settings, FILE *out)
{
    const char   *terminal = getenv("TERM");
    wri_style     style = { .quiet = settings->quiet,
                            .verbose = settings->verbose,
                            .color = wants_color(settings),
                            .live = isatty(STDOUT_FILENO) && !settings->quiet &&
                                    (terminal == NULL || strcmp(terminal, "dumb") != 0) };
    wri_reporter *reporter;
    switch (settings->format) {
    case WRI_FORMAT_TAP: return wri_tap_new(out, style);
    case WRI_FORMAT_JSON: return wri_json_new(out, style);
    case WRI_FORMAT_EVENTS: return wri_json_events_new(out, style);
    default: break;
    }
    reporter = wri_human_new(out, style);
    if (reporter != NULL && settings->format == WRI_FORMAT_GITHUB &&
        (reporter->also = wri_github_new(out)) == NULL) {
        wri_report_free(reporter);
        return NULL;
    }
    return reporter;
}

/* Reports that go to files, beside the one that is printed. */
static const struct {
    size_t setting; /* where the path is in wri_settings */
    wri_reporter *(*make)(const char *path, char *error, size_t error_size);
} FILES[] = {
    { offsetof(wri_settings, junit), wri_junit_new },
    { offsetof(wri_settings, sarif), wri_sarif_new },
    { offsetof(wri_settings, html), wri_html_new },
    { offsetof(wri_settings, observations), wri_observations_new },
};

static wri_reporter *make_reporter(const wri_settings *settings, FILE *out, char *error,
                                   size_t error_size)
{
    wri_reporter *first = make_printer(settings, out), *last = first;
    snprintf(error, error_size, "out of memory");
    for (size_t i = 0; first != NULL && i < sizeof FILES / sizeof *FILES; i++) {
        const char *path = *(const char *const *)((const char *)settings + FILES[i].setting);
        while (last->also != NULL)
            last = last->also;
        if (path != NULL && (last->also = FILES[i].make(path, error, error_size)) == NULL) {
            wri_report_free(first);
            return NULL;
        }
    }
    return first;
}

/* Whether this library is as new as the options of each property. */
static bool knows_options(wr_property_ *const *chosen, size_t count, char *error, size_t size)
{
    for (size_t i = 0; i < count; i++) {
        const wr_options *own = chosen[i]->options;
        if (!WRI_RESERVE_USED(own) && (unsigned)own->explore <= WRI_EXPLORERS_NAMED &&
            own->redraw <= WR_REDRAW_OFF)
            continue;
        snprintf(error, size, "property %s " WRI_RESERVE_WHY, chosen[i]->name);
        return false;
    }
    return true;
}

/* If standard output can be written to no more. */
static void tell_broken(const wri_settings *settings, const wri_reporter *reporter)
{
    while (reporter != NULL && reporter->why == 0)
        reporter = reporter->also;
    if (reporter == NULL)
        return;
    if (reporter->why == EPIPE)
        raise(SIGPIPE); /* as every program ends whose output nobody reads */
    complain_of_output(settings, reporter->why);
}

/* kept: told what happens, instead of printing it; NULL: it is printed. *error is empty, or says
 * in a line what could not be done. */
static int run(const wri_settings *settings, wr_property_ *const *chosen, size_t count,
               wri_kept *kept, char *error, size_t error_size)
{
    FILE         *own = kept != NULL ? NULL : wri_report_stream(stdout);
    FILE         *out = own != NULL ? own : stdout;
    int           status = CANNOT;
    wri_reporter *reporter = !knows_options(chosen, count, error, error_size) ? NULL
                             : kept != NULL ? wri_kept_new(kept, error, error_size)
                                            : make_reporter(settings, out, error, error_size);
    if (reporter != NULL) {
        error[0] = '\0';
        wri_folder_fill_standard();
        status = settings->replay != NULL
                     ? wri_hunt_replay(settings, chosen, count, reporter, error, error_size)
                     : wri_hunt(settings, chosen, count, reporter, error, error_size);
        tell_broken(settings, reporter);
        wri_report_free(reporter);
    }
    if (own != NULL)
        fclose(own);
    return status;
}

static int run_and_print(const wri_settings *settings, wr_property_ *const *chosen, size_t count)
{
    char error[512] = "";
    int  status = run(settings, chosen, count, NULL, error, sizeof error);
    if (error[0] != '\0')
        complain(settings, error);
    return status;
}

/* True, and a line: stored failures and tokens of two properties could not be told apart. */
static bool has_two_of_a_name(char *line, size_t size)
{
    for (const wr_property_ *at = wri_registry_first(); at != NULL; at = at->next)
        for (const wr_property_ *other = at->next; other != NULL; other = other->next)
            if (strcmp(at->name, other->name) == 0) {
                snprintf(line, size, TWO_OF_A_NAME, at->name, at->file, at->line, other->file,
                         other->line);
                return true;
            }
    return false;
}

/* The property, or the machine, that was meant; NULL: none is called nearly so. */
static const char *meant_by(const char *name, bool machine)
{
    const char *meant = NULL;
    size_t      far = wri_spelling_far(name);
    for (const wr_property_ *at = wri_registry_first(); at != NULL; at = at->next)
        if ((!machine || at->machine != NULL) && wri_spelling_nearer(name, at->name, &far))
            meant = at->name;
    return meant;
}

/* True, and a line: an example is of no property of this program. */
static bool has_lost_example(char *line, size_t size)
{
    for (const wr_example_ *at = wri_registry_examples(); at != NULL; at = at->next) {
        const wr_property_ *property = wri_registry_first();
        while (property != NULL && strcmp(property->name, at->property) != 0)
            property = property->next;
        if (property == NULL) {
            const char *meant = meant_by(at->property, false);
            snprintf(line, size, "%s:%d: WR_EXAMPLE(%s): there is no such property%s%s%s",
                     wri_block_file(at->file), at->line, at->property,
                     meant == NULL ? "" : " (did you mean ", meant == NULL ? "" : meant,
                     meant == NULL ? "" : "?)");
            return true;
        }
    }
    return false;
}

static bool is_machine(const char *name)
{
    const wr_property_ *at = wri_registry_first();
    while (at != NULL && (at->machine == NULL || strcmp(at->name, name) != 0))
        at = at->next;
    return at != NULL;
}

/* Rules of --known that are of no machine would be skipped without a word. A file that cannot be
 * read is told of later. */
static bool has_lost_rule(const wri_settings *settings, char *line, size_t size)
{
    wri_stored_text text = { 0 };
    wri_note        note;
    bool            lost = false;
    if (settings->known == NULL || !wri_stored_text_read(settings->known, &text, &note))
        return false;
    wri_rule_head head = { .next = text.bytes, .end = text.bytes + text.size };
    while (!lost && wri_rules_next_head(&head)) {
        char name[200];
        snprintf(name, sizeof name, "%.*s", (int)head.length, head.machine);
        lost = !is_machine(name);
        const char *meant = lost ? meant_by(name, true) : NULL;
        if (lost)
            snprintf(line, size, "%s:%zu: no machine is called %s%s%s%s", settings->known,
                     head.line, name, meant == NULL ? "" : "; did you mean ",
                     meant == NULL ? "" : meant, meant == NULL ? "" : "?");
    }
    wri_stored_text_free(&text);
    return lost;
}

static bool begins_a_name(const char *pattern)
{
    const wr_property_ *at = wri_registry_first();
    while (at != NULL && strncmp(at->name, pattern, strlen(pattern)) != 0)
        at = at->next;
    return at != NULL && pattern[0] != '\0';
}

static void say_unmatched(char *line, size_t size, const char *pattern)
{
    const char *meant = meant_by(pattern, false);
    if (meant == NULL && begins_a_name(pattern))
        snprintf(line, size, "no property matches '%.200s' (did you mean '%.200s*'?)", pattern,
                 pattern);
    else
        snprintf(line, size, "no property matches '%.200s' (%s%s%s)", pattern,
                 meant == NULL ? "" : "did you mean ",
                 meant == NULL ? "--list shows them" : meant, meant == NULL ? "" : "?");
}

static int with_settings(const wri_settings *settings)
{
    size_t      count;
    char        wrong[512];
    const char *unmatched = unmatched_pattern(settings);
    if (has_two_of_a_name(wrong, sizeof wrong) || has_lost_example(wrong, sizeof wrong) ||
        has_lost_rule(settings, wrong, sizeof wrong)) {
        complain(settings, wrong);
        return CANNOT;
    }
    if (unmatched != NULL) {
        say_unmatched(wrong, sizeof wrong, unmatched);
        complain(settings, wrong);
        return CANNOT;
    }
    wr_property_ **chosen = choose(settings, &count);
    int            status = CANNOT;
    if (chosen == NULL || count == 0)
        complain(settings, chosen == NULL ? "out of memory" : "there are no properties here");
    else
        status = settings->list ? list(settings, chosen, count)
                                : run_and_print(settings, chosen, count);
    free(chosen);
    return status;
}

int wr_main(int argc, char **argv)
{
    wri_settings settings;
    char       **memory = NULL;
    char         error[512];
    int          status = CANNOT;
    wri_registry_ask();
    if (!wri_options_read(&settings, argc, argv, &memory, error, sizeof error)) {
        settings.program = argc > 0 ? argv[0] : NULL;
        complain(&settings, error);
    } else if (settings.help) {
        wri_options_help(stdout, wri_folder_last_name(settings.program));
        status = printed(&settings);
    } else if (settings.version) {
        printf("warren %s\n", WR_VERSION);
        status = printed(&settings);
    } else {
        status = with_settings(&settings);
    }
    free(memory);
    return status;
}

/* ---- One property from another framework ---- */

/* A property that wr_check() has run, and where. */
typedef struct checked {
    struct checked *next;
    wr_property_    property;
} checked;

static checked *all_checked;

/* The last argument, if it is the name of a function; NULL: it is not. */
static const char *function_name(const char *arguments)
{
    static const char WORD[] = "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    const char       *comma = strrchr(arguments, ',');
    const char       *name = comma == NULL ? "" : comma + 1 + strspn(comma + 1, " &");
    return name[0] != '\0' && name[strspn(name, WORD)] == '\0' ? name : NULL;
}

/* False, and a line: another function has the name. */
static bool is_only_one(const wr_property_ *one, char *error, size_t size)
{
    for (const checked *at = all_checked; at != NULL; at = at->next)
        if (strcmp(at->property.name, one->name) == 0) {
            snprintf(error, size, TWO_OF_A_NAME, one->name, at->property.file, at->property.line,
                     one->file, one->line);
            return at->property.body == one->body;
        }
    checked *added = malloc(sizeof *added);
    char    *name = strdup(one->name);
    if (added != NULL && name != NULL) {
        *added = (checked){ .next = all_checked, .property = *one };
        added->property.name = name;
        all_checked = added;
    }
    return true;
}

/* True: the property can be run. Else a line. */
static bool can_check(const wr_property_ *one, wri_settings *settings, char ***memory,
                      char *error, size_t size)
{
    if (one->body == NULL)
        snprintf(error, size, "%s:%d: wr_check: no property was given", one->file, one->line);
    else if (one->name == NULL || one->name[0] == '\0')
        snprintf(error, size, "%s:%d: wr_check: the property has no name: give it .name",
                 one->file, one->line);
    else if (is_only_one(one, error, size) &&
             wri_options_read(settings, 0, NULL, memory, error, size))
        return true;
    return false;
}

static int check(const wr_property_ *one, wri_kept *kept, char *error, size_t size)
{
    wri_settings  settings = { .program = NULL };
    char        **memory = NULL;
    wr_property_  copy = *one;
    wr_property_ *chosen[] = { &copy };
    int           status = CANNOT;
    wri_registry_ask();
    if (can_check(one, &settings, &memory, error, size)) {
        settings.by_environment = true;
        status = run(&settings, chosen, 1, kept, error, size);
    }
    free(memory);
    return status;
}

static int check_and_print(const wr_property_ *one)
{
    char error[512] = "";
    int  status = check(one, NULL, error, sizeof error);
    if (error[0] != '\0')
        complain(&(wri_settings){ .program = NULL }, error);
    return status;
}

static const wr_options DEFAULTS = { .cases = 0 };

static wr_property_ described(const char *file, int line, const char *name,
                              const wr_options *options, wr_body *property)
{
    const wr_options *own = options == NULL ? &DEFAULTS : options;
    return (wr_property_){ .name = own->name != NULL ? own->name : name,
                           .file = file,
                           .line = line,
                           .body = property,
                           .options = own };
}

int wr_check_(const char *file, int line, const char *arguments, const wr_options *options,
              wr_body *property)
{
    wr_property_ one = described(file, line, function_name(arguments), options, property);
    return check_and_print(&one);
}

/* For programs that were compiled when wr_check() was no macro. */
#undef wr_check
int wr_check(const wr_options *options, wr_body *property)
{
    wr_property_ one = described("", 0, "property", options, property);
    return check_and_print(&one);
}

/* The result of wr_tell(), which lasts until its next call. */
static const wr_told *tell(const wr_property_ *one)
{
    static wri_kept kept;
    static wr_told  told;
    static char     error[512];
    wri_kept_free(&kept);
    error[0] = '\0';
    int  status = check(one, &kept, error, sizeof error);
    bool placed = kept.file != NULL;
    told = (wr_told){ .status = status,
                      .file = placed ? kept.file : one->file,
                      .line = placed ? kept.line : one->line,
                      .report = error[0] != '\0'    ? error
                                : kept.text == NULL ? ""
                                                    : kept.text };
    return &told;
}

const wr_told *wr_tell_(const char *file, int line, const char *arguments,
                        const wr_options *options, wr_body *property)
{
    wr_property_ one = described(file, line, function_name(arguments), options, property);
    return tell(&one);
}

#undef wr_tell
const wr_told *wr_tell(const wr_options *options, wr_body *property)
{
    wr_property_ one = described("", 0, "property", options, property);
    return tell(&one);
}

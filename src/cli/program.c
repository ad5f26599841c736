/* cli/program.c: runs a test program, from its arguments to its exit status. */
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/options.h"
#include "core/folder.h"
#include "core/reserve.h"
#include "explore/explorer.h"
#include "hunt/hunt.h"
#include "report/block.h"
#include "report/escape.h"

#define CANNOT 99

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

/* A file that is opened would take the place of a standard descriptor that is closed, and be
 * given what is printed. A folder takes the place: nothing can be written there. */
static void fill_standard(void)
{
    for (int i = 0; i <= 2; i++)
        if (fcntl(i, F_GETFD) == -1 && errno == EBADF && open("/", O_RDONLY | O_DIRECTORY) != i)
            return;
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
    bool json = settings->format == WRI_FORMAT_JSON;
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

static wri_reporter *make_reporter(const wri_settings *settings, char *error, size_t error_size)
{
    const char   *terminal = getenv("TERM");
    wri_style     style = { .quiet = settings->quiet,
                            .verbose = settings->verbose,
                            .color = wants_color(settings),
                            .live = isatty(STDOUT_FILENO) && !settings->quiet &&
                                    (terminal == NULL || strcmp(terminal, "dumb") != 0) };
    wri_reporter *reporter = settings->format == WRI_FORMAT_TAP    ? wri_tap_new(stdout, style)
                             : settings->format == WRI_FORMAT_JSON ? wri_json_new(stdout, style)
                                                                   : wri_human_new(stdout, style);
    snprintf(error, error_size, "out of memory");
    if (reporter == NULL || settings->junit == NULL)
        return reporter;
    reporter->also = wri_junit_new(settings->junit, error, error_size);
    if (reporter->also != NULL)
        return reporter;
    wri_report_free(reporter);
    return NULL;
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

static int run(const wri_settings *settings, wr_property_ *const *chosen, size_t count)
{
    char          error[512];
    wri_reporter *reporter = !knows_options(chosen, count, error, sizeof error)
                                 ? NULL
                                 : make_reporter(settings, error, sizeof error);
    if (reporter == NULL) {
        complain(settings, error);
        return CANNOT;
    }
    error[0] = '\0';
    fill_standard();
    int status = settings->replay != NULL
                     ? wri_hunt_replay(settings, chosen, count, reporter, error, sizeof error)
                     : wri_hunt(settings, chosen, count, reporter, error, sizeof error);
    if (reporter->broken) {
        if (reporter->why == EPIPE)
            raise(SIGPIPE); /* as every program ends whose output nobody reads */
        complain_of_output(settings, reporter->why);
    }
    wri_report_free(reporter);
    if (error[0] != '\0')
        complain(settings, error);
    return status;
}

static int with_settings(const wri_settings *settings)
{
    size_t      count;
    const char *unmatched = unmatched_pattern(settings);
    if (unmatched != NULL) {
        char line[300];
        snprintf(line, sizeof line, "no property matches '%.200s' (--list shows them)",
                 unmatched);
        complain(settings, line);
        return CANNOT;
    }
    wr_property_ **chosen = choose(settings, &count);
    int            status = CANNOT;
    if (chosen == NULL || count == 0)
        complain(settings, chosen == NULL ? "out of memory" : "there are no properties here");
    else
        status = settings->list ? list(settings, chosen, count) : run(settings, chosen, count);
    free(chosen);
    return status;
}

int wr_main(int argc, char **argv)
{
    wri_settings settings;
    char       **memory = NULL;
    char         error[512];
    int          status = CANNOT;
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

int wr_check(const wr_options *options, wr_body *property)
{
    static const wr_options plain = { .cases = 0 };
    const wr_options       *own = options == NULL ? &plain : options;
    wri_settings            settings;
    char                  **memory = NULL;
    char                    error[512];
    wr_property_            one = { .name = own->name == NULL ? "property" : own->name,
                                    .file = "",
                                    .body = property,
                                    .options = own };
    wr_property_           *chosen[] = { &one };
    if (property == NULL) {
        fprintf(stderr, "%s: wr_check: no property was given\n", program_invocation_name);
        return CANNOT;
    }
    if (!wri_options_read(&settings, 0, NULL, &memory, error, sizeof error)) {
        settings.program = NULL;
        complain(&settings, error);
        free(memory);
        return CANNOT;
    }
    settings.by_environment = true;
    int status = run(&settings, chosen, 1);
    free(memory);
    return status;
}

/* fleet/screen.c: prints what becomes of a campaign of many programs. */
#include "fleet/screen.h"

#include <errno.h>
#include <inttypes.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "fleet/json.h"
#include "report/block.h"
#include "report/escape.h"

/* ---- New features by time ---- */

#define FIRST_WIDTH 1.0

void wri_screen_history_add(wri_screen_history *history, double second, uint64_t features)
{
    if (history->width <= 0)
        history->width = FIRST_WIDTH;
    while (second >= history->width * WRI_SCREEN_BINS) {
        for (size_t i = 0; i < WRI_SCREEN_BINS / 2; i++)
            history->bins[i] = history->bins[2 * i] + history->bins[2 * i + 1];
        memset(history->bins + WRI_SCREEN_BINS / 2, 0, sizeof history->bins / 2);
        history->width *= 2;
    }
    history->bins[second > 0 ? (size_t)(second / history->width) : 0] += features;
}

/* A column for each bin up to now; higher for more. */
static void put_history(const wri_screen *screen, const wri_screen_history *history,
                        double second, FILE *out)
{
    static const char *const BLOCKS[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
    static const char *const LETTERS[] = { " ", ".", ".", ":", ":", "+", "+", "#", "#" };
    uint64_t                 most = 1;
    for (size_t i = 0; i < WRI_SCREEN_BINS; i++)
        most = history->bins[i] > most ? history->bins[i] : most;
    for (size_t i = 0; i < WRI_SCREEN_BINS && (double)i * history->width <= second; i++) {
        double part = (double)history->bins[i] / (double)most;
        size_t step = history->bins[i] == 0 ? 0 : 1 + (size_t)(part * 7);
        fputs((screen->unicode ? BLOCKS : LETTERS)[step], out);
    }
}

/* ---- The two lines ---- */

static size_t columns(void)
{
    struct winsize size = { 0 };
    const char    *given = getenv("COLUMNS");
    long           wanted = given == NULL ? 0 : strtol(given, NULL, 10);
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return wanted > 0 && wanted < 10000 ? (size_t)wanted : 80;
}

static void flush(wri_screen *screen)
{
    errno = EIO;
    if ((fflush(screen->out) != 0 || ferror(screen->out)) && screen->why == 0)
        screen->why = errno;
}

static void erase(wri_screen *screen)
{
    if (screen->lines)
        fputs("\r\033[K\033[A\r\033[K", screen->out);
    screen->lines = false;
}

/* The text, cut to the width of the terminal. */
static void put_cut(FILE *out, const char *text)
{
    size_t room = columns() - 1;
    for (size_t bytes; *text != '\0' && room > 0; text += bytes, room--) {
        uint32_t character;
        bytes = wri_utf8_next(text, &character);
        if (wri_escape_unsafe(character))
            putc('?', out);
        else
            fwrite(text, 1, bytes, out);
    }
    fputs("\033[K", out);
}

/* "59 s", "12 min", "7 h 05 min" */
static void put_span(FILE *out, double seconds)
{
    uint64_t whole = seconds > 0 ? (uint64_t)(seconds + 0.5) : 0;
    if (whole < 60)
        fprintf(out, "%" PRIu64 " s", whole);
    else if (whole < 3600)
        fprintf(out, "%" PRIu64 " min", whole / 60);
    else
        fprintf(out, "%" PRIu64 " h %02" PRIu64 " min", whole / 3600, whole / 60 % 60);
}

static void put_counts(const wri_screen *screen, const wri_screen_view *view, FILE *out)
{
    fprintf(out, "%zu/%zu properties, ", view->done, view->properties);
    wri_block_count(out, view->workers, "worker");
    fprintf(out, ", %" PRIu64 " cases, ", view->cases);
    wri_escape_decimal(out, screen->rate, 0);
    fputs("/s, ", out);
    wri_block_count(out, view->features, "feature");
    fputs(", ", out);
    wri_block_count(out, view->bugs, "bug");
    fputs(", ", out);
    put_span(out, view->left >= 0 ? view->left : view->seconds);
    fputs(view->left >= 0 ? " left" : "", out);
    fputs(view->stopping ? ", stopping (again: at once)" : "", out);
}

static void put_current(const wri_screen *screen, const wri_screen_view *view, FILE *out)
{
    fputs("new features ", out);
    put_history(screen, view->history, view->seconds, out);
    if (view->current != NULL)
        fprintf(out, "  %s", view->current);
}

static void put_line(const wri_screen *screen, const wri_screen_view *view,
                     void (*put)(const wri_screen *, const wri_screen_view *, FILE *))
{
    char  text[1024] = "";
    FILE *line = fmemopen(text, sizeof text - 1, "w");
    if (line == NULL)
        return;
    put(screen, view, line);
    fclose(line);
    put_cut(screen->out, text);
}

/* Between two drawings: so that a person can read, and so that a log does not grow. */
#define LIVE_SECONDS 0.2
#define LOG_SECONDS 60

void wri_screen_show(wri_screen *screen, const wri_screen_view *view)
{
    double since = view->seconds - screen->drawn;
    if (screen->json || screen->quiet || since < (screen->live ? LIVE_SECONDS : LOG_SECONDS))
        return;
    double now = ((double)view->cases - screen->last_cases) / since;
    /* Programs tell their cases now and then, so the last rate alone would jump. */
    screen->rate = screen->rate > 0 && screen->live ? 0.8 * screen->rate + 0.2 * now : now;
    screen->drawn = view->seconds;
    screen->last_cases = (double)view->cases;
    if (!screen->live) {
        put_counts(screen, view, screen->out);
        putc('\n', screen->out);
    } else {
        erase(screen);
        put_line(screen, view, put_counts);
        putc('\n', screen->out);
        put_line(screen, view, put_current);
        screen->lines = true;
    }
    flush(screen);
}

/* ---- What stays ---- */

static bool is_terminal(void)
{
    const char *terminal = getenv("TERM");
    return isatty(STDOUT_FILENO) && (terminal == NULL || strcmp(terminal, "dumb") != 0);
}

static bool speaks_utf8(void)
{
    locale_t own = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    bool     utf8 = own != (locale_t)0 && strcmp(nl_langinfo_l(CODESET, own), "UTF-8") == 0;
    if (own != (locale_t)0)
        freelocale(own);
    return utf8;
}

void wri_screen_begin(wri_screen *screen, bool json, bool quiet)
{
    const char *no_color = getenv("NO_COLOR");
    bool        live = !json && is_terminal();
    *screen = (wri_screen){ .out = stdout,
                            .json = json,
                            .quiet = quiet,
                            .live = live,
                            .color = live && (no_color == NULL || no_color[0] == '\0'),
                            .unicode = live && speaks_utf8() };
}

static void put_headline(wri_screen *screen, const char *color, const char *tag,
                         const char *program, const char *property)
{
    fprintf(screen->out, "%s%-4s%s  ", color, tag, wri_palette_of(screen->color)->plain);
    wri_escape_line(screen->out, program);
    putc(' ', screen->out);
    wri_escape_line(screen->out, property);
}

void wri_screen_result_tell(wri_screen *screen, const wri_screen_result *result)
{
    const wri_palette *palette = wri_palette_of(screen->color);
    if (screen->json || (screen->quiet && !result->bad))
        return;
    erase(screen);
    bool fine = strcmp(result->status, "held") == 0 || strcmp(result->status, "proved") == 0;
    put_headline(screen,
                 fine          ? palette->good
                 : result->bad ? palette->bad
                               : palette->caution,
                 strcmp(result->status, "held") == 0     ? "ok"
                 : strcmp(result->status, "failed") == 0 ? "FAIL"
                                                         : result->status,
                 result->program, result->property);
    fputs("  ", screen->out);
    wri_block_count(screen->out, result->cases, "case");
    if (result->features > 0) {
        fputs(", ", screen->out);
        wri_block_count(screen->out, result->features, "feature");
    }
    if (result->turns > 0) {
        fputs(", ", screen->out);
        wri_block_count(screen->out, result->turns, "turn");
    }
    fputs(", ", screen->out);
    wri_block_seconds(screen->out, result->seconds);
    if (result->why != NULL) {
        fputs(": ", screen->out);
        wri_escape_line(screen->out, result->why);
    }
    putc('\n', screen->out);
    flush(screen);
}

/* "    name = text", for each drawn value. */
static void put_values(FILE *out, const char *values)
{
    bool named = values != NULL && *values == '{';
    for (const char *at = NULL; named && (at = wri_json_next(values, at)) != NULL;) {
        char *name = wri_json_text(at), *text = wri_json_text(wri_json_value(at));
        fputs("    ", out);
        wri_escape_label(out, name);
        fputs(" = ", out);
        wri_escape_plain(out, text, 6);
        putc('\n', out);
        free(name);
        free(text);
    }
}

void wri_screen_bug(wri_screen *screen, const char *program, const char *property,
                    const char *failure, bool known)
{
    const wri_palette *palette = wri_palette_of(screen->color);
    if (screen->json)
        return;
    erase(screen);
    char *file = wri_json_text(wri_json_member(failure, "file"));
    char *message = wri_json_text(wri_json_member(failure, "message"));
    char *replay = wri_json_text(wri_json_member(failure, "replay"));
    put_headline(screen, palette->bad, known ? "known" : "BUG", program, property);
    fputs("  ", screen->out);
    wri_block_place(screen->out, file, (int)wri_json_number(wri_json_member(failure, "line")));
    fputs("\n  ", screen->out);
    wri_escape_plain(screen->out, message, 2);
    putc('\n', screen->out);
    const char *values = wri_json_member(failure, "values");
    if (message != NULL && strchr(message, '\n') != NULL && wri_json_next(values, NULL) != NULL)
        fprintf(screen->out, "  %swith%s\n", palette->dim, palette->plain);
    put_values(screen->out, values);
    fprintf(screen->out, "  %sreplay: ", palette->dim);
    wri_escape_line(screen->out, replay);
    fprintf(screen->out, "%s\n", palette->plain);
    flush(screen);
    free(file);
    free(message);
    free(replay);
}

/* The members of an object behind others: from its first on. */
static const char *members(const char *object)
{
    const char *first = wri_json_next(object, NULL);
    return first == NULL ? "}" : first;
}

void wri_screen_object(wri_screen *screen, const char *program, const char *object)
{
    if (!screen->json)
        return;
    fputs("{\"program\": ", screen->out);
    wri_escape_json(screen->out, program);
    fprintf(screen->out, ", %s\n", members(object));
    flush(screen);
}

char *wri_screen_named(const char *program, const char *property, const char *failure)
{
    char  *text = NULL;
    size_t size = 0;
    FILE  *out = open_memstream(&text, &size);
    if (out == NULL)
        return NULL;
    fputs("{\"program\": ", out);
    wri_escape_json(out, program);
    fputs(", \"property\": ", out);
    wri_escape_json(out, property);
    fprintf(out, ", %.*s\n", (int)(wri_json_end(failure) - members(failure)), members(failure));
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

void wri_screen_warn(wri_screen *screen, const char *name, const char *line)
{
    erase(screen);
    flush(screen);
    wri_escape_line(stderr, name);
    fputs(": ", stderr);
    wri_escape_line(stderr, line);
    putc('\n', stderr);
}

/* ---- The end ---- */

/* ", 2 failed", or nothing. */
static void put_some(FILE *out, size_t count, const char *what)
{
    if (count > 0)
        fprintf(out, ", %zu %s", count, what);
}

static void put_summary(FILE *out, const wri_screen_summary *s)
{
    fprintf(out, "%zu propert%s of ", s->properties, s->properties == 1 ? "y" : "ies");
    wri_block_count(out, s->programs, "program");
    fprintf(out, ": %zu held", s->held);
    put_some(out, s->failed, "failed");
    put_some(out, s->errors, "could not be run");
    put_some(out, s->skipped, "skipped");
    put_some(out, s->interrupted, "interrupted");
    put_some(out, s->not_run, "not run");
    fputs("; ", out);
    wri_block_count(out, s->bugs, "bug");
    if (s->new_bugs != s->bugs)
        fprintf(out, " (%zu new)", s->new_bugs);
    fputs(", ", out);
    wri_block_count(out, s->cases, "case");
    fputs(", ", out);
    wri_block_count(out, s->features, "feature");
    fputs(" in ", out);
    wri_block_seconds(out, s->seconds);
    if (s->unusable > 0) {
        fputs("; ", out);
        wri_block_count(out, s->unusable, "program");
        fputs(" could not be used", out);
    }
    putc('\n', out);
}

static void put_end(FILE *out, const wri_screen_summary *s)
{
    fprintf(out, "{\"event\": \"end\", \"programs\": %zu, \"unusable\": %zu, \"properties\": %zu",
            s->programs, s->unusable, s->properties);
    fprintf(out, ", \"held\": %zu, \"failed\": %zu, \"skipped\": %zu, \"interrupted\": %zu",
            s->held, s->failed, s->skipped, s->interrupted);
    fprintf(out, ", \"errors\": %zu, \"not_run\": %zu, \"bugs\": %zu, \"new_bugs\": %zu",
            s->errors, s->not_run, s->bugs, s->new_bugs);
    fprintf(out, ", \"cases\": %" PRIu64 ", \"features\": %" PRIu64 ", \"seconds\": ", s->cases,
            s->features);
    wri_escape_decimal(out, s->seconds, 3);
    fprintf(out, ", \"status\": %d}\n", s->status);
}

void wri_screen_end(wri_screen *screen, const wri_screen_summary *summary)
{
    erase(screen);
    if (screen->json)
        put_end(screen->out, summary);
    else
        put_summary(screen->out, summary);
    flush(screen);
}

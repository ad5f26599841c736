/* bench/results.c: see results.h. */
#include "results.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const RELATIONS[] = { "<=", ">=", "==" };

row *result(results *all, const char *measure, double figure, const char *unit, relation wanted,
            double bar)
{
    if (all->count == sizeof all->rows / sizeof *all->rows)
        abort();
    row *one = &all->rows[all->count++];
    *one = (row){ .figure = figure, .unit = unit, .wanted = wanted, .bar = bar };
    snprintf(one->measure, sizeof one->measure, "%s", measure);
    return one;
}

static bool holds(double figure, relation wanted, double bar)
{
    switch (wanted) {
    case AT_MOST: return figure <= bar;
    case AT_LEAST: return figure >= bar;
    default: return figure >= bar && figure <= bar;
    }
}

bool row_met(const row *one)
{
    return holds(one->figure, one->wanted, one->bar);
}

static void print_row(const row *one)
{
    bool better = one->better > 0 && holds(one->figure, one->wanted, one->better);
    printf("  %-58s %9.5g %-10s %s %-6.5g %s", one->measure, one->figure, one->unit,
           RELATIONS[one->wanted], one->bar, row_met(one) ? "met" : "MISSED");
    if (one->better > 0)
        printf(", better %s %.5g %s", RELATIONS[one->wanted], one->better,
               better ? "met" : "not met");
    printf("\n");
    if (one->note[0] != '\0')
        printf("      %s\n", one->note);
}

void print_rows(const results *all, size_t from, const char *title)
{
    printf("\n%s\n", title);
    for (size_t i = from; i < all->count; i++)
        print_row(&all->rows[i]);
    fflush(stdout);
}

static void put_text(FILE *out, const char *text)
{
    putc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            putc('\\', out);
        putc((unsigned char)*text < 0x20 ? ' ' : *text, out);
    }
    putc('"', out);
}

static void put_row(FILE *out, const row *one)
{
    fputs("  {\"measure\": ", out);
    put_text(out, one->measure);
    fprintf(out, ", \"figure\": %.10g, \"unit\": ", one->figure);
    put_text(out, one->unit);
    fprintf(out, ", \"relation\": \"%s\", \"bar\": %.10g, \"met\": %s", RELATIONS[one->wanted],
            one->bar, row_met(one) ? "true" : "false");
    if (one->better > 0)
        fprintf(out, ", \"better\": %.10g", one->better);
    if (one->note[0] != '\0') {
        fputs(", \"note\": ", out);
        put_text(out, one->note);
    }
    putc('}', out);
}

/* With the folder it is in: build/ may be missing too. */
static bool make_folder(const char *folder)
{
    char        above[4096];
    const char *last = strrchr(folder, '/');
    snprintf(above, sizeof above, "%.*s", last == NULL ? 0 : (int)(last - folder), folder);
    mkdir(above, 0777);
    if (mkdir(folder, 0777) == 0 || errno == EEXIST)
        return true;
    fprintf(stderr, "cannot make %s: %s\n", folder, strerror(errno));
    return false;
}

int write_results(const results *all, const char *folder)
{
    char path[4096];
    int  missed = 0;
    if (!make_folder(folder))
        return -1;
    snprintf(path, sizeof path, "%s/%s.json", folder, all->name);
    FILE *out = fopen(path, "w");
    if (out == NULL) {
        fprintf(stderr, "cannot write %s: %s\n", path, strerror(errno));
        return -1;
    }
    fputs("[\n", out);
    for (size_t i = 0; i < all->count; i++) {
        put_row(out, &all->rows[i]);
        fputs(i + 1 < all->count ? ",\n" : "\n", out);
        missed += !row_met(&all->rows[i]);
    }
    fputs("]\n", out);
    if (fclose(out) != 0) {
        fprintf(stderr, "cannot write %s: %s\n", path, strerror(errno));
        return -1;
    }
    printf("\n%zu measures, %d missed; written to %s\n", all->count, missed, path);
    return missed;
}

void progress(const char *format, ...)
{
    if (!isatty(STDERR_FILENO))
        return;
    va_list arguments;
    va_start(arguments, format);
    fputs("\r\033[K", stderr);
    vfprintf(stderr, format, arguments);
    fflush(stderr);
    va_end(arguments);
}

void progress_over(void)
{
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
}

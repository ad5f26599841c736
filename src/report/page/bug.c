/* report/page/bug.c: a bug on the page: its smallest case, how to run it again, its history. */
#include <stdlib.h>
#include <string.h>

#include "core/utf8.h"
#include "report/block.h"
#include "report/page/markup.h"
#include "report/page/page.h"

#define MOST_BYTES 16000 /* of the values of a case, */
#define MOST_NOTES 50
#define MOST_NAME 24 /* bytes; longer names are broken */
#define MOST_REPLAY 16000

static bool has(const char *text)
{
    return text != NULL && *text != '\0';
}

static void put_place(FILE *out, const char *file, int line)
{
    if (!has(file))
        return;
    wri_markup_put(out, "<code class=\"dim\">%t", wri_block_file(file));
    if (line > 0)
        wri_markup_put(out, ":%i", (uint64_t)line);
    fputs("</code>", out);
}

/* A text with a button that copies it. */
static void put_copied(FILE *out, const char *title, const char *text)
{
    wri_markup_put(out,
                   "<h4>%t</h4><div class=\"copy\"><pre><code>%t</code></pre><button "
                   "type=\"button\" aria-label=\"Copy: %t\">Copy</button></div>\n",
                   title, text, title);
}

static void put_values(FILE *out, const wri_failure *failure)
{
    if (failure->value_count == 0)
        return;
    wri_markup_put(out, "<h4>%t</h4><table class=\"mono\"><tbody>\n",
                   failure->minimal && !failure->unfinished ? "Smallest case" : "Case");
    size_t bytes = 0, i = 0;
    for (; i < failure->value_count && bytes < MOST_BYTES; i++) {
        const wri_value *value = &failure->values[i];
        bool             longer = strlen(value->name) > MOST_NAME;
        wri_markup_put(out, "<tr><td class=\"%t\">%t</td><td class=\"value\">%c</td></tr>\n",
                       longer ? "dim" : "name", value->name, value->text);
        bytes += value->text == NULL ? 0 : strlen(value->text);
    }
    fputs("</tbody></table>\n", out);
    uint64_t more = failure->value_count - i + failure->values_lost;
    if (more > 0)
        wri_markup_put(out, "<p class=\"key\">and %u more values</p>", more);
}

/* ---- In C ---- */

#define MOST_SNIPPET 2000

static void put_quoted(FILE *out, const char *text)
{
    size_t length = strlen(text), used;
    for (size_t at = 0; at < length; at += used) {
        char quoted[WRI_UTF8_QUOTED];
        used = wri_utf8_quote(text + at, length - at, quoted);
        fputs(quoted, out);
    }
}

/* A value that a draw can read back as a report has it: a number, a word, a text, an array. */
static bool is_plain(const char *text)
{
    return has(text) && strstr(text, "...") == NULL &&
           (strchr("-0123456789\"[", text[0]) != NULL || strcmp(text, "true") == 0 ||
            strcmp(text, "false") == 0);
}

static bool goes_by_values(const wri_result *result, const wri_failure *failure)
{
    size_t bytes = 0;
    for (size_t i = 0; i < failure->value_count; i++) {
        if (!is_plain(failure->values[i].text) || !has(failure->values[i].name))
            return false;
        bytes += strlen(failure->values[i].text);
    }
    return failure->value_count > 0 && failure->values_lost == 0 && !result->machine.asked &&
           !has(failure->rule) && bytes < MOST_SNIPPET;
}

/* WR_EXAMPLE(sorts, "xs = [1, 0]"); by a token where values cannot be read back. */
static void put_snippet(FILE *out, const wri_result *result, const wri_failure *failure)
{
    char  *text = NULL;
    size_t size;
    bool   values = goes_by_values(result, failure);
    FILE  *code = failure->misuse ? NULL : open_memstream(&text, &size);
    if (code == NULL)
        return;
    fprintf(code, "WR_EXAMPLE(%s", result->property);
    for (size_t i = 0; i < failure->value_count && values; i++) {
        fputs(", \"", code);
        put_quoted(code, failure->values[i].name);
        fputs(" = ", code);
        put_quoted(code, failure->values[i].text);
        putc('"', code);
    }
    if (!values)
        fprintf(code, ", \"%s\"", failure->token == NULL ? "" : failure->token);
    fputs(");", code);
    if (fclose(code) == 0 && (values || has(failure->token)) && size < 2 * MOST_SNIPPET)
        put_copied(out, "In C, beside the property", text);
    free(text);
}

/* ---- Its history ---- */

static void put_fact(FILE *out, const char *name, uint64_t number)
{
    if (number > 0)
        wri_markup_put(out, "<li>%t <b>%u</b></li>", name, number);
}

static void put_date(FILE *out, const char *name, uint64_t seconds)
{
    if (seconds == 0)
        return;
    wri_markup_put(out, "<li>%t <b>", name);
    wri_chart_date(out, seconds);
    fputs("</b></li>", out);
}

static void put_word(FILE *out, const char *name, const char *word)
{
    if (has(word))
        wri_markup_put(out, "<li>%t <b>%c</b></li>", name, word);
}

static void put_history(FILE *out, const wri_failure *failure, const wri_page_bug *known)
{
    fputs("<h4>History</h4><ul class=\"history\">", out);
    if (known != NULL) {
        put_date(out, "first seen", known->first);
        put_date(out, "last seen", known->last);
        put_word(out, "found by", known->by);
    }
    put_fact(out, "cases before", failure->cases_before);
    put_fact(out, "executions before", failure->executions_before);
    put_fact(out, "executions to shrink", failure->executions_after);
    put_fact(out, "choices at first", failure->first_choices);
    put_fact(out, "choices now", failure->choices);
    put_fact(out, "seen, times", failure->seen);
    put_fact(out, "other sequences", failure->ways > 1 ? failure->ways - 1 : 0);
    put_word(out, "origin", failure->from_store ? "stored by an earlier run" : NULL);
    put_word(out, "kind", failure->kind);
    put_word(out, "stored", has(failure->stored) ? wri_block_file(failure->stored) : NULL);
    if (failure->key != 0)
        wri_markup_put(out, "<li>key <b>%k</b></li>", failure->key);
    fputs("</ul>\n", out);
}

/* ---- All of it ---- */

static const char *status_of(const wri_failure *failure, const wri_page_bug *known)
{
    return known != NULL && has(known->status) ? known->status
           : failure->misuse                   ? "error"
           : failure->flaky                    ? "flaky"
                                               : "failed";
}

static const char *tone_of(const char *status)
{
    return strcmp(status, "mended") == 0      ? "good"
           : strcmp(status, "forgotten") == 0 ? "dim"
                                              : "bad";
}

static void put_notes(FILE *out, const wri_failure *failure)
{
    if (failure->note_count > 0)
        fputs("<h4>Notes</h4><pre>", out);
    for (size_t i = 0; i < failure->note_count && i < MOST_NOTES; i++)
        wri_markup_put(out, "%c\n", failure->notes[i]);
    if (failure->note_count > 0)
        fputs("</pre>\n", out);
    if (has(failure->output))
        wri_markup_put(out, "<details><summary>Output</summary><pre>%c</pre></details>\n",
                       failure->output);
}

static void put_caution(FILE *out, const wri_failure *failure)
{
    if (has(failure->flaky_why))
        wri_markup_put(out, "<p class=\"warn\">%c</p>\n", failure->flaky_why);
    if (failure->unfinished)
        fputs("<p class=\"warn\">Shrinking did not finish: a smaller case may exist.</p>\n", out);
    if (failure->unexplained > 0)
        wri_markup_put(out, "<p class=\"warn\">%u failures here have none of its rules.</p>\n",
                       failure->unexplained);
}

/* The case, and what makes it fail. */
static void put_case(FILE *out, const wri_failure *failure)
{
    put_values(out, failure);
    if (has(failure->rule))
        wri_markup_put(out, "<h4>Rule: these calls make it fail</h4><pre>%c</pre>\n",
                       failure->rule);
    put_notes(out, failure);
    put_caution(out, failure);
}

static void put_replay(FILE *out, const wri_failure *failure)
{
    if (has(failure->replay) && strlen(failure->replay) < MOST_REPLAY)
        put_copied(out, "Replay", failure->replay);
    else if (has(failure->replay))
        wri_markup_put(out,
                       "<p class=\"key\">The line that replays it has %u bytes: it is in the "
                       "report for people, and the store has the case.</p>\n",
                       strlen(failure->replay));
}

void wri_page_put_bug(FILE *out, const wri_result *result, const wri_failure *failure,
                      const wri_page_bug *known, uint64_t number, bool brief)
{
    const char *status = status_of(failure, known);
    wri_markup_put(out,
                   "<article id=\"bug%i\" aria-labelledby=\"bug%i-name\"><header><h3 id=\"bug%i-"
                   "name\">%t</h3>",
                   number, number, number, result->property);
    put_place(out, has(failure->file) ? failure->file : result->file,
              has(failure->file) ? failure->line : result->line);
    wri_markup_put(out,
                   "<span class=\"badge %t\">%t</span></header>\n<div class=\"message mono\">"
                   "%c</div>\n",
                   tone_of(status), status,
                   has(failure->message) ? failure->message : failure->kind);
    if (!brief)
        put_case(out, failure);
    put_replay(out, failure);
    if (!brief) {
        put_snippet(out, result, failure);
        put_history(out, failure, known);
    }
    fputs("</article>\n", out);
}

/* report/page/property.c: the evidence for a property: how sure we are, and what its cases were.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "observe/share.h"
#include "report/block.h"
#include "report/page/markup.h"
#include "report/page/page.h"

#define MOST_ROWS 100 /* of a table; the rest is counted */
#define MOST_POINTS 120
#define MOST_TABLES 30

const char *wri_page_tone(const wri_result *result)
{
    return wri_status_bad(result->status)                                             ? "bad"
           : result->status == WRI_STATUS_HELD || result->status == WRI_STATUS_PROVED ? "good"
                                                                                      : "warn";
}

/* ---- How sure we are ---- */

/* Sentences that other reports have, too. */
typedef struct sentence {
    char  *text;
    size_t size;
    FILE  *out;
} sentence;

static bool begin_sentence(sentence *s)
{
    *s = (sentence){ .text = NULL };
    s->out = open_memstream(&s->text, &s->size);
    return s->out != NULL;
}

static void end_sentence(FILE *out, sentence *s, const char *before)
{
    if (fclose(s->out) == 0)
        wri_markup_put(out, "<p class=\"sure\">%t%t.</p>\n", before, s->text);
    free(s->text);
}

/* After n random cases that held: a share p of failing ones would have shown itself with a
 * probability of 1 - (1 - p)^n. At 95 % that is p = 3 / n. */
static void put_bound(FILE *out, const wri_result *result)
{
    bool held = result->status == WRI_STATUS_HELD && result->failure_count == 0;
    if (!held || result->enumerated.asked || result->cases < 3)
        return;
    if (result->skewed || result->explorer == NULL)
        wri_markup_put(out,
                       "<p class=\"sure\">No failure in %u cases. The search chose them, so no "
                       "share of failing cases follows from that.</p>\n",
                       result->cases);
    else
        wri_markup_put(out,
                       "<p class=\"sure\">No failure in %u random cases: fewer than one such "
                       "case in %u fails (95 %% confidence).</p>\n",
                       result->cases, (uint64_t)((double)result->cases / -log(0.05)));
}

/* The estimates of Good and Turing, and of Chao. They are of cases drawn alike. */
static void put_unseen(FILE *out, const wri_stability *seen, bool skewed)
{
    if (seen->features == 0 || skewed)
        return;
    wri_markup_put(
        out,
        "<p class=\"sure\">The cases showed %u features, the last new one in case %u of "
        "%u. ",
        seen->features, seen->last, seen->cases);
    if (seen->probability > 0)
        wri_markup_put(out, "The next case shows a new one with a probability of about %p: ",
                       seen->probability);
    else
        fputs("Each came in more than one case: ", out);
    if (seen->unseen < 0.5)
        fputs("no more are expected.</p>\n", out);
    else
        wri_markup_put(out, "at least about %u more are not seen yet.</p>\n",
                       (uint64_t)(seen->unseen + 0.5));
}

static void put_sentences(FILE *out, const wri_result *result)
{
    sentence s;
    bool     whole = result->failure_count == 0 && !wri_status_bad(result->status);
    put_bound(out, result);
    if (result->enumerated.asked && whole && result->cases > 0 && begin_sentence(&s)) {
        wri_block_enumerated(s.out, result);
        end_sentence(out, &s, "Enumeration: ");
    }
    if (result->combined.asked && result->combined.draws > 0 && begin_sentence(&s)) {
        wri_block_combined(s.out, &result->combined, true);
        end_sentence(out, &s, "Combinations: ");
    }
    put_unseen(out, &result->unseen, result->skewed);
    if (result->why != NULL && *result->why != '\0')
        wri_markup_put(out, "<p class=\"warn\">%c</p>\n", result->why);
    for (size_t i = 0; i < result->warning_count; i++)
        wri_markup_put(out, "<p class=\"warn\">%c</p>\n", result->warnings[i]);
}

/* ---- Counts ---- */

static void put_fact(FILE *out, const char *name, uint64_t number)
{
    if (number > 0)
        wri_markup_put(out, "<div><dt>%t</dt><dd>%u</dd></div>", name, number);
}

static void put_facts(FILE *out, const wri_result *result, const wri_page_past *past)
{
    fputs("<dl class=\"facts small\">", out);
    put_fact(out, "cases", result->cases);
    put_fact(out, "discarded", result->discarded);
    put_fact(out, "executions", result->executions);
    put_fact(out, "redrawn", result->redrawn);
    put_fact(out, "calls", result->machine.calls);
    put_fact(out, "features", result->features);
    put_fact(out, "runs", past == NULL ? 0 : past->runs);
    if (result->seconds > 0)
        wri_markup_put(out, "<div><dt>time</dt><dd>%s</dd></div>", result->seconds);
    if (result->explorer != NULL)
        wri_markup_put(out, "<div><dt>explorer</dt><dd>%t</dd></div>", result->explorer);
    if (past == NULL)
        wri_markup_put(out, "<div><dt>seed</dt><dd>%i</dd></div>", result->seed);
    fputs("</dl>\n", out);
}

/* ---- Shares ---- */

static void put_rest(FILE *out, uint64_t rows)
{
    if (rows > 0)
        wri_markup_put(out, "<p class=\"key\">and %u more rows</p>\n", rows);
}

/* Labels or rows of a table: a share of the cases each, with Wilson's interval and a bar. */
static void put_shares(FILE *out, const char *title, const wri_label_count *rows, size_t count,
                       uint64_t cases)
{
    if (count == 0)
        return;
    wri_markup_put(out,
                   "<table><caption>%t</caption><thead><tr><th scope=\"col\">%t</th><th "
                   "scope=\"col\" class=\"n\">cases</th><th scope=\"col\" class=\"n\">share</th>"
                   "<th scope=\"col\" class=\"n wide at\">95 %% interval</th><th scope=\"col\" "
                   "></th></tr></thead><tbody>\n",
                   title, "value");
    for (size_t i = 0; i < count && i < MOST_ROWS; i++) {
        double       share = wri_markup_share(rows[i].cases, cases);
        wri_interval at = wri_share_interval(rows[i].cases, cases);
        wri_markup_put(out,
                       "<tr><td>%t</td><td class=\"n\">%u</td><td class=\"n\">%p</td><td "
                       "class=\"n wide at\">%p – %p</td><td class=\"w\">",
                       rows[i].label, rows[i].cases, share, at.low, at.high);
        wri_chart_bar(out, share, at.low, at.high);
        fputs("</td></tr>\n", out);
    }
    fputs("</tbody></table>\n", out);
    put_rest(out, count > MOST_ROWS ? count - MOST_ROWS : 0);
}

static void put_covers(FILE *out, const wri_result *result)
{
    if (result->cover_count == 0)
        return;
    fputs("<table><caption>Promised shares</caption><thead><tr><th scope=\"col\">cover</th>"
          "<th scope=\"col\" class=\"n\">wanted</th><th scope=\"col\" class=\"n\">share</th>"
          "<th scope=\"col\" class=\"n wide at\">95 % interval</th><th scope=\"col\">verdict</th>"
          "<th scope=\"col\" ></th></tr></thead><tbody>\n",
          out);
    for (size_t i = 0; i < result->cover_count && i < MOST_ROWS; i++) {
        const wri_cover *at = &result->covers[i];
        double           share = wri_markup_share(at->cases, result->cases);
        wri_markup_put(out,
                       "<tr><td>%t</td><td class=\"n\">%p</td><td class=\"n\">%p</td><td "
                       "class=\"n wide at\">%p – %p</td><td class=\"%t\">%t</td><td class=\"w\">",
                       at->label, at->wanted / 100, share, at->low / 100, at->high / 100,
                       at->missed  ? "bad"
                       : at->below ? "warn"
                                   : "good",
                       at->missed   ? "missed"
                       : at->enough ? "enough"
                                    : "open");
        wri_chart_bar(out, share, at->low / 100, at->high / 100);
        fputs("</td></tr>\n", out);
    }
    fputs("</tbody></table>\n", out);
}

static void put_bests(FILE *out, const wri_result *result)
{
    if (result->best_count == 0)
        return;
    fputs("<table><caption>Best values</caption><tbody>\n", out);
    for (size_t i = 0; i < result->best_count && i < MOST_ROWS; i++)
        wri_markup_put(out, "<tr><td>%t %t</td><td class=\"n\">%r</td></tr>\n",
                       result->bests[i].least ? "smallest" : "largest", result->bests[i].name,
                       result->bests[i].value);
    fputs("</tbody></table>\n", out);
}

static void put_code(FILE *out, const wri_result *result)
{
    const wri_code_covered *code = &result->coverage;
    if (code->known == 0)
        return;
    wri_markup_put(out, "<h4>Code</h4><p>%u of %u places covered (%p).</p>\n", code->covered,
                   code->known, wri_markup_share(code->covered, code->known));
    if (code->uncovered_count == 0)
        return;
    fputs("<details><summary>Not covered</summary><table><tbody>\n", out);
    for (size_t i = 0; i < code->uncovered_count && i < MOST_ROWS; i++)
        wri_markup_put(out, "<tr><td><code>%t</code></td><td><code>%t:%i</code></td></tr>\n",
                       code->uncovered[i].function, wri_block_file(code->uncovered[i].file),
                       (uint64_t)(code->uncovered[i].line > 0 ? code->uncovered[i].line : 0));
    fputs("</tbody></table>\n", out);
    put_rest(out, code->uncovered_count > MOST_ROWS ? code->uncovered_count - MOST_ROWS : 0);
    fputs("</details>\n", out);
}

/* ---- Drawn values ---- */

static void put_drawn(FILE *out, const wri_drawn_values *drawn, uint64_t cases)
{
    if (drawn->count == 0)
        return;
    fputs("<h4>Drawn values</h4>\n", out);
    if (drawn->cases < cases)
        wri_markup_put(out, "<p class=\"key\">Counted in %u of %u cases.</p>\n", drawn->cases,
                       cases);
    fputs("<div class=\"cards\">\n", out);
    for (size_t i = 0; i < drawn->count; i++) {
        const wri_drawn_name *at = &drawn->names[i];
        uint64_t              most = 1;
        for (size_t k = 0; k < at->level_count; k++)
            most = at->levels[k].cases > most ? at->levels[k].cases : most;
        wri_markup_put(out,
                       "<table><caption>%t</caption><thead><tr><th scope=\"col\">%t</th><th "
                       "scope=\"col\" class=\"n\">drawn</th><th scope=\"col\"></th></tr></thead>"
                       "<tbody>\n",
                       at->name, at->bins ? "bin" : "value");
        for (size_t k = 0; k < at->level_count; k++) {
            wri_markup_put(out, "<tr><td>%t</td><td class=\"n\">%u</td><td class=\"w\">",
                           at->levels[k].label, at->levels[k].cases);
            wri_chart_bar(out, wri_markup_share(at->levels[k].cases, most), 1, 0);
            fputs("</td></tr>\n", out);
        }
        fputs("</tbody></table>\n", out);
    }
    fputs("</div>\n", out);
}

static void put_pairs(FILE *out, const wri_drawn_values *drawn)
{
    size_t          count = drawn->paired;
    const char    **names = calloc(count + 1, sizeof *names);
    wri_chart_cell *cells = calloc(count * count / 2 + 1, sizeof *cells);
    if (names != NULL && cells != NULL && count > 1) {
        for (size_t i = 0; i < count; i++)
            names[i] = drawn->names[i].name;
        for (size_t i = 0; i < count * (count - 1) / 2; i++)
            cells[i] = (wri_chart_cell){ drawn->pairs[i].covered, drawn->pairs[i].all };
        wri_chart_heat_map(out, &(wri_chart_heat){ .title = "Pairs of drawn values, covered",
                                                   .of = "pairs of values",
                                                   .count = count,
                                                   .names = names,
                                                   .cells = cells });
    }
    free(names);
    free(cells);
}

/* ---- Enumerations and combinations ---- */

static void put_sizes(FILE *out, const wri_enumerated *all)
{
    if (all->size_count == 0)
        return;
    fputs("<table><caption>Explored and pruned, by size</caption><thead><tr><th scope=\"col\" "
          "class=\"n\">size</th><th scope=\"col\" class=\"n\">cases</th><th scope=\"col\" "
          "class=\"n\">runs</th><th scope=\"col\" class=\"n\">refuted runs</th><th scope=\"col\" "
          "class=\"n wide\">values stood for</th><th scope=\"col\" >held, refuted"
          "</th></tr></thead><tbody>\n",
          out);
    for (size_t i = 0; i < all->size_count && i < MOST_ROWS; i++) {
        const wri_size_row *row = &all->sizes[i];
        double              held = wri_markup_share(row->cases, row->runs);
        wri_markup_put(out,
                       "<tr><td class=\"n\">%u</td><td class=\"n\">%u</td><td class=\"n\">%u</td>"
                       "<td class=\"n\">%p</td><td class=\"n wide\">",
                       row->size, row->cases, row->runs, 1 - held);
        if (row->values != UINT64_MAX)
            wri_markup_put(out, "%u", row->values);
        fputs("</td><td class=\"w\">", out);
        wri_chart_stack(out, (double[]){ held, 1 - held }, 2);
        fputs("</td></tr>\n", out);
    }
    fputs("</tbody></table>\n", out);
}

static void put_enumerated(FILE *out, const wri_result *result)
{
    const wri_enumerated *all = &result->enumerated;
    if (!all->asked)
        return;
    if (all->runs > 0 && all->size_count == 0)
        wri_markup_put(out, "<p>%u runs for %u cases: %p of the runs were refuted.</p>\n",
                       all->runs, result->cases, 1 - wri_markup_share(result->cases, all->runs));
    put_sizes(out, all);
    if (all->refuter_count == 0)
        return;
    fputs("<table><caption>What refuted</caption><thead><tr><th scope=\"col\">place</th><th "
          "scope=\"col\" class=\"n\">runs</th><th scope=\"col\"></th></tr></thead><tbody>\n",
          out);
    for (size_t i = 0; i < all->refuter_count && i < MOST_ROWS; i++) {
        wri_markup_put(out, "<tr><td>%t</td><td class=\"n\">%u</td><td class=\"w\">",
                       all->refuters[i].name, all->refuters[i].count);
        wri_chart_bar(out, wri_markup_share(all->refuters[i].count, result->discarded), 1, 0);
        fputs("</td></tr>\n", out);
    }
    fputs("</tbody></table>\n", out);
}

static void put_combined(FILE *out, const wri_combined *all)
{
    if (!all->asked || all->tuple_count == 0)
        return;
    fputs(
        "<table><caption>Combinations of draws</caption><thead><tr><th scope=\"col\" "
        "class=\"n\">strength</th><th scope=\"col\" class=\"n\">covered</th><th scope=\"col\" "
        "class=\"n\">refuted</th><th scope=\"col\" class=\"n\">impossible</th><th scope=\"col\" "
        "class=\"n\">left</th><th scope=\"col\" ></th></tr></thead><tbody>\n",
        out);
    for (size_t i = 0; i < all->tuple_count; i++) {
        const wri_tuples *at = &all->tuples[i];
        uint64_t          sum = at->covered + at->missed + at->left;
        wri_markup_put(out,
                       "<tr><td class=\"n\">%u</td><td class=\"n\">%u</td><td class=\"n\">%u</td>"
                       "<td class=\"n\">%u</td><td class=\"n\">%u</td><td class=\"w\">",
                       (uint64_t)at->strength, at->covered, at->missed, at->infeasible, at->left);
        wri_chart_stack(
            out,
            (double[]){ wri_markup_share(at->covered, sum), wri_markup_share(at->missed, sum) },
            2);
        fputs("</td></tr>\n", out);
    }
    fputs("</tbody></table>\n", out);
    if (all->missed_count > 0)
        fputs("<details><summary>Not reached</summary><ul>\n", out);
    for (size_t i = 0; i < all->missed_count; i++)
        wri_markup_put(out, "<li>%t</li>\n", all->missed[i]);
    if (all->missed_count > 0)
        fputs("</ul></details>\n", out);
}

/* ---- Machines ---- */

static void put_walk(FILE *out, const char *title, const wri_drawn_walk *walk)
{
    if (walk->step_count > 0)
        wri_chart_network(out, &(wri_chart_graph){ .title = title,
                                                   .node = "times",
                                                   .arrow = "times",
                                                   .nodes = walk->nodes,
                                                   .node_count = walk->node_count,
                                                   .arrows = walk->steps,
                                                   .arrow_count = walk->step_count });
}

/* ---- All of it ---- */

/* Some of the points of a curve, with the last, and where the run ended. */
static void put_curve(FILE *out, const wri_result *result)
{
    wri_curve_point some[MOST_POINTS + 1];
    size_t          count = result->curve_count, kept = 0;
    uint64_t        end = result->cases + result->discarded;
    wri_chart_line  line = { result->explorer, some, 0 };
    for (size_t i = 0; i < count; i++)
        if (i + 1 == count ||
            i * (MOST_POINTS - 1) / count != (i + 1) * (MOST_POINTS - 1) / count)
            some[kept++] = result->curve[i];
    if (kept == 0)
        return;
    if (some[kept - 1].x < end) {
        some[kept] = (wri_curve_point){ end, some[kept - 1].y };
        kept++;
    }
    line.count = kept;
    wri_chart_curve(out, &(wri_chart_plot){ "Features over cases", "cases", "features", true,
                                            false, &line, 1 });
}

static void put_features(FILE *out, const wri_result *result, const wri_page_past *past)
{
    if (past == NULL) {
        put_curve(out, result);
        return;
    }
    wri_chart_line dated = { "", past->dated, past->dated_count };
    wri_chart_plot by_explorer = {
        "Features by explorer", "cases", "features", false, false, past->lines, past->line_count
    };
    wri_chart_plot over_time = {
        "Features over time", "time", "features", false, true, &dated, 1
    };
    if (past->line_count > 0)
        wri_chart_curve(out, &by_explorer);
    if (past->dated_count > 1)
        wri_chart_curve(out, &over_time);
}

static void put_evidence(FILE *out, const wri_result *result, const wri_page_past *past)
{
    put_features(out, result, past);
    put_shares(out, "Labels", result->labels, result->label_count, result->cases);
    put_covers(out, result);
    for (size_t i = 0; i < result->table_count && i < MOST_TABLES; i++)
        put_shares(out, result->tables[i].name, result->tables[i].rows,
                   result->tables[i].row_count, result->cases);
    put_bests(out, result);
    fputs("<div class=\"graphs\">", out);
    put_walk(out, "Which call followed which", &result->drawn.walks[0]);
    put_walk(out, "Which state followed which", &result->drawn.walks[1]);
    fputs("</div>\n", out);
    put_drawn(out, &result->drawn, result->cases);
    put_pairs(out, &result->drawn);
    put_enumerated(out, result);
    put_combined(out, &result->combined);
    put_code(out, result);
}

void wri_page_put_property(FILE *out, const wri_result *result, const wri_page_past *past,
                           uint64_t number, bool brief)
{
    wri_markup_put(out,
                   "<section class=\"property\" id=\"p%i\" aria-labelledby=\"p%i-name\"><header>"
                   "<h3 id=\"p%i-name\">%t</h3>",
                   number, number, number, result->property);
    if (past != NULL)
        wri_markup_put(out, "<code class=\"dim\">%t</code>", result->program);
    else if (result->file != NULL && *result->file != '\0')
        wri_markup_put(out, "<code class=\"dim\">%t:%i</code>", wri_block_file(result->file),
                       (uint64_t)(result->line > 0 ? result->line : 0));
    wri_markup_put(out, "<span class=\"badge %t\">%t</span></header>\n", wri_page_tone(result),
                   wri_status_name(result->status));
    put_sentences(out, result);
    put_facts(out, result, past);
    if (brief)
        fputs("<p class=\"key\">The page is full: the rest is left out.</p>\n", out);
    else
        put_evidence(out, result, past);
    fputs("</section>\n", out);
}

/* report/page/chart.c: charts as inline SVG. */
#include "report/page/chart.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "report/page/markup.h"

void wri_chart_date(FILE *out, uint64_t seconds)
{
    char      text[40];
    time_t    time = (time_t)seconds;
    struct tm parts;
    if (seconds > 0 && gmtime_r(&time, &parts) != NULL &&
        strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", &parts) > 0)
        fputs(text, out);
}

/* ---- Bars ---- */

#define BAR "<svg class=\"bar\" aria-hidden=\"true\">"

void wri_chart_bar(FILE *out, double share, double low, double high)
{
    wri_markup_put(out, BAR "<rect width=\"%d%%\"><title>%p</title></rect>", share * 100, share);
    if (low <= high)
        wri_markup_put(out,
                       "<line x1=\"%d%%\" x2=\"%d%%\" y1=\"50%%\" y2=\"50%%\"><title>%p to %p"
                       "</title></line>",
                       low * 100, high * 100, low, high);
    fputs("</svg>", out);
}

void wri_chart_stack(FILE *out, const double *shares, size_t count)
{
    double from = 0;
    fputs(BAR, out);
    for (size_t i = 0; i < count; from += shares[i++])
        wri_markup_put(out,
                       "<rect class=\"s%i\" x=\"%d%%\" width=\"%d%%\"><title>%p</title></rect>",
                       (uint64_t)i, from * 100, shares[i] * 100, shares[i]);
    fputs("</svg>", out);
}

/* ---- Curves ---- */

#define WIDE 1000.0
#define HIGH 300.0
#define MOST_LINES 6

typedef struct frame {
    const wri_chart_plot *plot;
    uint64_t              first, last, top; /* of x; the largest y */
} frame;

static frame frame_of(const wri_chart_plot *plot)
{
    frame f = { .plot = plot, .first = UINT64_MAX, .top = 1 };
    for (size_t i = 0; i < plot->count; i++)
        for (size_t k = 0; k < plot->lines[i].count; k++) {
            const wri_curve_point *at = &plot->lines[i].points[k];
            f.first = at->x < f.first ? at->x : f.first;
            f.last = at->x > f.last ? at->x : f.last;
            f.top = at->y > f.top ? at->y : f.top;
        }
    return f;
}

static double scaled(const frame *f, uint64_t x)
{
    return f->plot->log ? log2((double)x + 1) : (double)x;
}

static double x_of(const frame *f, uint64_t x)
{
    double from = scaled(f, f->first), to = scaled(f, f->last);
    return to > from ? WIDE * (scaled(f, x) - from) / (to - from) : WIDE;
}

static double y_of(const frame *f, uint64_t y)
{
    return HIGH - HIGH * 0.96 * (double)y / (double)f->top;
}

static void put_x(FILE *out, const frame *f, uint64_t x)
{
    if (f->plot->dates)
        wri_chart_date(out, x);
    else
        wri_markup_put(out, "%u", x);
}

static void put_line(FILE *out, const frame *f, const wri_chart_line *line, size_t number)
{
    double right = WIDE;
    if (line->count == 0)
        return;
    wri_markup_put(out, "<path class=\"line l%i\" d=\"M%d %d", (uint64_t)(number % MOST_LINES),
                   x_of(f, line->points[0].x), HIGH);
    for (size_t i = 0; i < line->count; i++)
        wri_markup_put(out, "H%dV%d", x_of(f, line->points[i].x), y_of(f, line->points[i].y));
    wri_markup_put(out, "%tH%d\"/>", "",
                   f->plot->count > 1 ? x_of(f, line->points[line->count - 1].x) : right);
}

/* Columns that a pointer finds: each from a point to the next. */
static void put_columns(FILE *out, const frame *f, const wri_chart_line *line)
{
    for (size_t i = 0; i < line->count; i++) {
        const wri_curve_point *at = &line->points[i];
        double                 from = x_of(f, at->x);
        double                 to = i + 1 < line->count ? x_of(f, at[1].x) : WIDE;
        if (to - from < 0.5 && i + 1 < line->count)
            continue;
        wri_markup_put(out, "<rect class=\"hit\" x=\"%d\" width=\"%d\" height=\"300\"><title>",
                       from, to - from > 4 ? to - from : 4);
        if (f->plot->count > 1)
            wri_markup_put(out, "%t, ", line->name);
        put_x(out, f, at->x);
        wri_markup_put(out, " %t: %u %t</title></rect>", f->plot->dates ? "" : f->plot->x, at->y,
                       f->plot->y);
    }
}

static void put_legend(FILE *out, const wri_chart_plot *plot)
{
    if (plot->count < 2)
        return;
    fputs("<p class=\"legend\">", out);
    for (size_t i = 0; i < plot->count; i++)
        wri_markup_put(out,
                       "<span><svg viewBox=\"0 0 16 4\" aria-hidden=\"true\"><path class=\""
                       "line l%i\" d=\"M0 2H16\"/></svg> %t</span> ",
                       (uint64_t)(i % MOST_LINES), plot->lines[i].name);
    fputs("</p>", out);
}

static void put_points(FILE *out, const frame *f)
{
    const wri_chart_plot *plot = f->plot;
    wri_markup_put(out,
                   "<details><summary>Numbers</summary><div class=\"scroll\" tabindex=\"0\" "
                   "role=\"region\" aria-label=\"Numbers: %t\"><table><thead><tr>",
                   plot->title);
    if (plot->count > 1)
        fputs("<th scope=\"col\">curve</th>", out);
    wri_markup_put(out,
                   "<th scope=\"col\" class=\"n\">%t</th><th scope=\"col\" class=\"n\">%t"
                   "</th></tr></thead><tbody>\n",
                   plot->x, plot->y);
    for (size_t i = 0; i < plot->count; i++)
        for (size_t k = 0; k < plot->lines[i].count; k++) {
            fputs("<tr>", out);
            if (plot->count > 1)
                wri_markup_put(out, "<td>%t</td>", plot->lines[i].name);
            fputs("<td class=\"n\">", out);
            put_x(out, f, plot->lines[i].points[k].x);
            wri_markup_put(out, "</td><td class=\"n\">%u</td></tr>\n",
                           plot->lines[i].points[k].y);
        }
    fputs("</tbody></table></div></details>", out);
}

void wri_chart_curve(FILE *out, const wri_chart_plot *plot)
{
    frame f = frame_of(plot);
    if (f.first == UINT64_MAX)
        return;
    wri_markup_put(out,
                   "<figure class=\"plot\"><figcaption>%t</figcaption>\n"
                   "<div class=\"area\"><span class=\"y1\">%u</span><span class=\"y0\">0</span>"
                   "<svg viewBox=\"0 0 1000 300\" preserveAspectRatio=\"none\" role=\"img\" "
                   "aria-label=\"%t: at the end %u %t\"><path class=\"grid\" d=\"M0 12H1000"
                   "M0 84H1000M0 156H1000M0 228H1000M0 300H1000\"/>\n",
                   plot->title, f.top, plot->title, f.top, plot->y);
    for (size_t i = 0; i < plot->count; i++)
        put_line(out, &f, &plot->lines[i], i);
    for (size_t i = 0; i < plot->count; i++)
        put_columns(out, &f, &plot->lines[i]);
    fputs("</svg><span class=\"x0\">", out);
    put_x(out, &f, f.first);
    wri_markup_put(out, "</span><span class=\"x\">%t%t</span><span class=\"x1\">",
                   plot->dates ? "" : plot->x, plot->log ? ", logarithmic" : "");
    put_x(out, &f, f.last);
    fputs("</span></div>", out);
    put_legend(out, plot);
    put_points(out, &f);
    fputs("</figure>\n", out);
}

/* ---- Heat maps ---- */

#define CELL 34

/* How much of a name fits beside the map. */
static int width_of_names(const wri_chart_heat *heat)
{
    size_t longest = 4;
    for (size_t i = 0; i < heat->count; i++) {
        size_t length = strlen(heat->names[i]);
        longest = length > longest ? length : longest;
    }
    return (int)(longest < 24 ? longest : 24) * 8 + 34;
}

static void put_cell(FILE *out, const wri_chart_heat *heat, size_t row, size_t column, int left)
{
    const wri_chart_cell *cell = &heat->cells[row * (row - 1) / 2 + column];
    double                share = wri_markup_share(cell->part, cell->whole);
    uint64_t              x = (uint64_t)left + CELL * column, y = CELL * (row - 1);
    if (cell->whole == 0)
        return;
    wri_markup_put(out, "<g><title>%t × %t: %u of %u %t</title>", heat->names[row],
                   heat->names[column], cell->part, cell->whole, heat->of);
    wri_markup_put(out,
                   "<rect class=\"cell\" x=\"%i\" y=\"%i\" width=\"%i\" height=\"%i\" "
                   "fill-opacity=\"%d\"/><text class=\"mid\" x=\"%i\" y=\"%i\">%i</text></g>\n",
                   x + 1, y + 1, (uint64_t)CELL - 2, (uint64_t)CELL - 2, 0.04 + 0.42 * share,
                   x + CELL / 2, y + CELL / 2 + 4, (uint64_t)(share * 100));
}

static void put_map(FILE *out, const wri_chart_heat *heat)
{
    int      left = width_of_names(heat);
    uint64_t wide = (uint64_t)left + CELL * (heat->count - 1) + 2;
    uint64_t high = CELL * (heat->count - 1) + 24;
    wri_markup_put(out,
                   "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%t\">"
                   "<svg width=\"%i\" height=\"%i\" viewBox=\"0 0 %i %i\" role=\"img\" "
                   "aria-label=\"%t\">\n",
                   heat->title, wide, high, wide, high, heat->title);
    for (size_t i = 1; i < heat->count; i++) {
        char name[100];
        snprintf(name, sizeof name, "%.24s", heat->names[i]);
        wri_markup_put(out,
                       "<text class=\"end\" x=\"%i\" y=\"%i\">%t<tspan class=\"dim\"> %i"
                       "</tspan></text>\n",
                       (uint64_t)left - 8, (uint64_t)CELL * (i - 1) + CELL / 2 + 4, name,
                       (uint64_t)i + 1);
        for (size_t k = 0; k < i; k++)
            put_cell(out, heat, i, k, left);
    }
    for (size_t k = 0; k + 1 < heat->count; k++)
        wri_markup_put(
            out, "<text class=\"mid dim\" x=\"%i\" y=\"%i\">%i<title>%t</title></text>",
            (uint64_t)left + CELL * k + CELL / 2, high - 8, (uint64_t)k + 1, heat->names[k]);
    fputs("</svg></div>\n", out);
}

void wri_chart_heat_map(FILE *out, const wri_chart_heat *heat)
{
    if (heat->count < 2)
        return;
    wri_markup_put(out, "<figure class=\"heat\"><figcaption>%t</figcaption>\n", heat->title);
    put_map(out, heat);
    wri_markup_put(out,
                   "<p class=\"key\">Percent of the %t, for each two rows; column 1 is "
                   "%t.</p><details><summary>Numbers</summary><div class=\"scroll\" "
                   "tabindex=\"0\" role=\"region\" aria-label=\"Numbers: %t\"><table><thead>"
                   "<tr><th scope=\"col\">name</th><th scope=\"col\">name</th><th "
                   "scope=\"col\" class=\"n\">covered</th><th scope=\"col\" class=\"n\">of"
                   "</th></tr></thead><tbody>\n",
                   heat->of, heat->names[0], heat->title);
    for (size_t i = 1; i < heat->count; i++)
        for (size_t k = 0; k < i; k++) {
            const wri_chart_cell *cell = &heat->cells[i * (i - 1) / 2 + k];
            if (cell->whole > 0)
                wri_markup_put(out,
                               "<tr><td>%t</td><td>%t</td><td class=\"n\">%u</td><td "
                               "class=\"n\">%u</td></tr>\n",
                               heat->names[i], heat->names[k], cell->part, cell->whole);
        }
    fputs("</tbody></table></div></details></figure>\n", out);
}

/* ---- Networks ---- */

#define MIDDLE_X 320.0
#define MIDDLE_Y 200.0
#define RADIUS 140.0
#define TURN 6.283185307179586

typedef struct spot {
    double x, y, across, down; /* and the direction outwards */
} spot;

static spot spot_of(const wri_chart_graph *graph, size_t node)
{
    double angle = TURN * (double)node / (double)graph->node_count - TURN / 4;
    double across = cos(angle), down = sin(angle);
    return (spot){ MIDDLE_X + RADIUS * across * 1.15, MIDDLE_Y + RADIUS * down, across, down };
}

static uint64_t heaviest(const wri_chart_graph *graph)
{
    uint64_t most = 1;
    for (size_t i = 0; i < graph->arrow_count; i++)
        most = graph->arrows[i].count > most ? graph->arrows[i].count : most;
    return most;
}

/* Arrows bend to their left, so that one and its opposite lie apart. */
static void put_arrow(FILE *out, const wri_chart_graph *graph, const wri_drawn_step *arrow,
                      uint64_t most)
{
    spot   a = spot_of(graph, arrow->from), b = spot_of(graph, arrow->to);
    double weight = log2((double)arrow->count + 1) / log2((double)most + 1);
    double dx = b.x - a.x, dy = b.y - a.y, far = hypot(dx, dy);
    wri_markup_put(out, "<path class=\"arrow\" stroke-width=\"%d\" stroke-opacity=\"%d\" d=\"",
                   0.6 + 2.4 * weight, 0.15 + 0.65 * weight);
    if (arrow->from == arrow->to) {
        double x = a.x + 9 * a.across, y = a.y + 9 * a.down;
        wri_markup_put(out, "M%d %dC%d %d %d %d %d %d\"", x - 4 * a.down, y + 4 * a.across,
                       x + 26 * a.across - 20 * a.down, y + 26 * a.down + 20 * a.across,
                       x + 26 * a.across + 20 * a.down, y + 26 * a.down - 20 * a.across,
                       x + 4 * a.down, y - 4 * a.across);
    } else {
        double ux = dx / far, uy = dy / far, bend = 0.12 * far;
        wri_markup_put(out, "M%d %dQ%d %d %d %d\"", a.x + 10 * ux, a.y + 10 * uy,
                       (a.x + b.x) / 2 + bend * uy, (a.y + b.y) / 2 - bend * ux,
                       b.x - 13 * ux + 3 * uy, b.y - 13 * uy - 3 * ux);
    }
    wri_markup_put(out, " marker-end=\"url(#tip)\"><title>%t → %t: %u %t</title></path>\n",
                   graph->nodes[arrow->from].label, graph->nodes[arrow->to].label, arrow->count,
                   graph->arrow);
}

static void put_node(FILE *out, const wri_chart_graph *graph, size_t node, uint64_t most)
{
    spot   at = spot_of(graph, node);
    bool   left = at.across<-0.2, right = at.across> 0.2;
    double share = wri_markup_share(graph->nodes[node].cases, most);
    wri_markup_put(
        out, "<g><title>%t: %u %t</title><circle class=\"node\" cx=\"%d\" cy=\"%d\" r=\"%d\"/>",
        graph->nodes[node].label, graph->nodes[node].cases, graph->node, at.x, at.y,
        4 + 4 * sqrt(share));
    wri_markup_put(out, "<text class=\"%t\" x=\"%d\" y=\"%d\">%t</text></g>\n",
                   left    ? "end"
                   : right ? ""
                           : "mid",
                   at.x + 38 * at.across, at.y + 38 * at.down + 4, graph->nodes[node].label);
}

static void put_arrow_table(FILE *out, const wri_chart_graph *graph)
{
    wri_markup_put(out,
                   "<details><summary>Numbers</summary><div class=\"scroll\" tabindex=\"0\" "
                   "role=\"region\" aria-label=\"Numbers: %t\"><table><thead><tr><th scope="
                   "\"col\">from</th><th scope=\"col\">to</th><th scope=\"col\" class=\"n\">"
                   "%t</th></tr></thead><tbody>\n",
                   graph->title, graph->arrow);
    for (size_t i = 0; i < graph->arrow_count; i++)
        wri_markup_put(out, "<tr><td>%t</td><td>%t</td><td class=\"n\">%u</td></tr>\n",
                       graph->nodes[graph->arrows[i].from].label,
                       graph->nodes[graph->arrows[i].to].label, graph->arrows[i].count);
    fputs("</tbody></table></div></details>", out);
}

void wri_chart_network(FILE *out, const wri_chart_graph *graph)
{
    uint64_t most = heaviest(graph), top = 1;
    for (size_t i = 0; i < graph->node_count; i++)
        top = graph->nodes[i].cases > top ? graph->nodes[i].cases : top;
    wri_markup_put(
        out,
        "<figure class=\"graph\"><figcaption>%t</figcaption><div class=\"scroll\" "
        "tabindex=\"0\" role=\"region\" aria-label=\"%t\"><svg viewBox=\"0 0 640 400\" "
        "role=\"img\" aria-label=\"%t\">\n",
        graph->title, graph->title, graph->title);
    for (size_t i = 0; i < graph->arrow_count; i++)
        put_arrow(out, graph, &graph->arrows[i], most);
    for (size_t i = 0; i < graph->node_count; i++)
        put_node(out, graph, i, top);
    fputs("</svg></div>", out);
    put_arrow_table(out, graph);
    fputs("</figure>\n", out);
}

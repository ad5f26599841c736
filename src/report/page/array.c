/* report/page/array.c: the page of a covering array. */
#include "report/page/array.h"

#include "report/page/markup.h"
#include "report/page/style.h"
#include "warren.h"

/* So many cells are shown; the rows' own file has all. */
#define MOST_CELLS 40000

static void put_fact(FILE *out, const char *name, uint64_t number)
{
    wri_markup_put(out, "<div><dt>%t</dt><dd>%u</dd></div>", name, number);
}

static uint64_t missing_of(const wri_array *array)
{
    uint64_t missing = 0;
    for (size_t i = 0; i < array->strength_count; i++)
        missing += array->strengths[i].missing;
    return missing;
}

static void put_header(FILE *out, const wri_array *array)
{
    uint64_t missing = missing_of(array);
    size_t   count = array->strength_count;
    wri_markup_put(out, "<header><p>Warren covering array</p><h1>%t</h1><p class=\"verdict\">",
                   array->name);
    if (count > 0 && missing == 0)
        wri_markup_put(out,
                       "<strong class=\"good\">All</strong> feasible combinations of %u "
                       "values are covered.",
                       array->strengths[count - 1].strength);
    else if (missing > 0)
        wri_markup_put(out, "<strong class=\"bad\">%u %t missing</strong>.", missing,
                       missing == 1 ? "tuple is" : "tuples are");
    fputs("</p>\n<dl class=\"facts\">", out);
    put_fact(out, "rows", array->rows);
    if (array->lower_bound > 0)
        put_fact(out, "at least needed", array->lower_bound);
    put_fact(out, "parameters", array->columns);
    fputs("</dl>", out);
    if (array->method != NULL && *array->method != '\0')
        wri_markup_put(out, "<p>Built by: %t.</p>", array->method);
    fputs("</header>\n", out);
}

static void put_strengths(FILE *out, const wri_array *array)
{
    fputs("<h2 id=\"coverage\">Coverage</h2><table><thead><tr><th scope=\"col\" class=\"n\">"
          "strength</th><th scope=\"col\" class=\"n\">tuples</th><th scope=\"col\" class=\"n\">"
          "covered</th><th scope=\"col\" class=\"n\">missing</th><th scope=\"col\" class=\"n "
          "wide\">"
          "impossible</th><th scope=\"col\"></th></tr></thead><tbody>\n",
          out);
    for (size_t i = 0; i < array->strength_count; i++) {
        const wri_array_strength *at = &array->strengths[i];
        wri_markup_put(out,
                       "<tr><td class=\"n\">%u</td><td class=\"n\">%u</td><td class=\"n\">%u</td>"
                       "<td class=\"n\">%u</td><td class=\"n wide\">%u</td><td class=\"w\">",
                       at->strength, at->tuples, at->covered, at->missing, at->infeasible);
        wri_chart_stack(out,
                        (double[]){ wri_markup_share(at->covered, at->tuples),
                                    wri_markup_share(at->missing, at->tuples),
                                    wri_markup_share(at->infeasible, at->tuples) },
                        3);
        fputs("</td></tr>\n", out);
    }
    fputs("</tbody></table>\n", out);
}

static void put_missing(FILE *out, const wri_array *array)
{
    uint64_t missing = missing_of(array);
    if (missing == 0)
        return;
    fputs("<h2 id=\"missing\">Missing</h2><ul class=\"mono\">\n", out);
    for (size_t i = 0; i < array->missing_count; i++)
        wri_markup_put(out, "<li>%t</li>\n", array->missing[i]);
    fputs("</ul>\n", out);
    if (missing > array->missing_count)
        wri_markup_put(out, "<p class=\"key\">and %u more</p>\n", missing - array->missing_count);
}

static void put_rows(FILE *out, const wri_array *array)
{
    uint64_t most = array->columns == 0 ? 0 : MOST_CELLS / array->columns;
    fputs("<h2 id=\"rows\">Rows</h2><div class=\"scroll\" tabindex=\"0\" role=\"region\" "
          "aria-label=\"Rows\"><table class=\"rows\"><thead><tr><th scope=\"col\" "
          "class=\"n\"></th>",
          out);
    for (size_t k = 0; k < array->columns && most > 0; k++)
        wri_markup_put(out, "<th scope=\"col\">%t</th>", array->names[k]);
    fputs("</tr></thead><tbody>\n", out);
    for (uint64_t i = 0; i < array->rows && i < most; i++) {
        wri_markup_put(out, "<tr><td class=\"n dim\">%i</td>", i + 1);
        for (size_t k = 0; k < array->columns; k++) {
            char text[200] = "";
            array->value(array->state, i, k, text, sizeof text);
            wri_markup_put(out, "<td>%t</td>", text);
        }
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
    if (array->rows > most)
        wri_markup_put(out, "<p class=\"key\">and %u more rows</p>\n", array->rows - most);
}

bool wri_array_write(FILE *out, const wri_array *array)
{
    wri_style_open(out, array->name);
    put_header(out, array);
    fputs("<nav aria-label=\"On this page\" class=\"top\"><ul><li><a href=\"#coverage\">Coverage"
          "</a></li>",
          out);
    if (missing_of(array) > 0)
        fputs("<li><a href=\"#missing\">Missing</a></li>", out);
    fputs("<li><a href=\"#rows\">Rows</a></li></ul></nav>\n<main id=\"main\">\n", out);
    put_strengths(out, array);
    wri_chart_curve(out, &(wri_chart_plot){ "Coverage over rows", "rows", "percent of the tuples",
                                            false, false, array->curves, array->curve_count });
    wri_chart_heat_map(out, &(wri_chart_heat){ "Pairs of values, by two parameters",
                                               "pairs of values, impossible ones among them",
                                               array->paired, array->names, array->pairs });
    put_missing(out, array);
    put_rows(out, array);
    fputs("</main>\n<footer><p>Warren " WR_VERSION "</p></footer>\n", out);
    wri_style_close(out);
    return !ferror(out);
}

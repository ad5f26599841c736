/* report/page/page.c: the frame of the page: what was tested in a glance, and where the rest is.
 */
#include "report/page/page.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "report/block.h"
#include "report/page/markup.h"
#include "report/page/style.h"
#include "warren.h"

/* A part of the page that grows while another does. */
typedef struct part {
    char  *text;
    size_t size;
    FILE  *out;
} part;

struct wri_page {
    part     index, bugs, properties, program; /* lines of a table; articles; sections */
    uint64_t property_count, bad_count, bug_count, open_count;
    uint64_t cases, executions, features;
};

static bool open_part(part *p)
{
    p->out = open_memstream(&p->text, &p->size);
    return p->out != NULL;
}

static void close_part(part *p)
{
    if (p->out != NULL)
        fclose(p->out);
    free(p->text);
}

wri_page *wri_page_new(void)
{
    wri_page *page = calloc(1, sizeof *page);
    if (page != NULL && open_part(&page->index) && open_part(&page->bugs) &&
        open_part(&page->properties) && open_part(&page->program))
        return page;
    wri_page_free(page);
    return NULL;
}

void wri_page_free(wri_page *page)
{
    if (page == NULL)
        return;
    close_part(&page->index);
    close_part(&page->bugs);
    close_part(&page->properties);
    close_part(&page->program);
    free(page);
}

/* ---- Adding ---- */

/* A page has less than 2 MB, unless it has thousands of bugs or properties: what comes after so
 * many bytes is told in brief. */
#define MOST_OF_BUGS 600000
#define MOST_OF_PROPERTIES 1250000

static bool is_full(FILE *out, long most)
{
    return ftell(out) > most;
}

static bool is_closed(const wri_page_bug *known)
{
    return known != NULL && known->status != NULL &&
           (strcmp(known->status, "mended") == 0 || strcmp(known->status, "forgotten") == 0);
}

/* program: NULL where the page is of one. */
static void put_line(FILE *out, const wri_result *result, const char *program, uint64_t number,
                     uint64_t first_bug)
{
    size_t bugs = result->failure_count;
    wri_markup_put(out,
                   "<tr><td><a href=\"#p%i\">%t</a> <span class=\"dim\">%t</span></td><td>"
                   "<span class=\"badge %t\">%t</span></td><td class=\"n\">",
                   number, result->property, program, wri_page_tone(result),
                   wri_status_name(result->status));
    if (bugs > 0)
        wri_markup_put(out, "<a href=\"#bug%i\" aria-label=\"bugs of %t: %u\">%u</a>", first_bug,
                       result->property, bugs, bugs);
    wri_markup_put(out,
                   "</td><td class=\"n\">%u</td><td class=\"n wide\">%u</td><td class=\"n "
                   "wide\">%s</td></tr>\n",
                   result->cases, result->features, result->seconds);
}

void wri_page_add(wri_page *page, const wri_result *result, const wri_page_past *past)
{
    uint64_t first = page->bug_count + 1;
    page->property_count++;
    page->bad_count += wri_status_bad(result->status);
    page->cases += result->cases;
    page->executions += result->executions;
    page->features += result->features;
    for (size_t i = 0; i < result->failure_count; i++) {
        const wri_page_bug *known = past == NULL || past->bugs == NULL ? NULL : &past->bugs[i];
        page->open_count += !is_closed(known);
        wri_page_put_bug(page->bugs.out, result, &result->failures[i], known, ++page->bug_count,
                         is_full(page->bugs.out, MOST_OF_BUGS));
    }
    put_line(page->index.out, result, past == NULL ? NULL : result->program, page->property_count,
             first);
    wri_page_put_property(page->properties.out, result, past, page->property_count,
                          is_full(page->properties.out, MOST_OF_PROPERTIES));
}

void wri_page_assertions(wri_page *page, const wri_assertion *list, size_t count)
{
    FILE *out = page->program.out;
    if (count == 0)
        return;
    fputs("<h2 id=\"assertions\">Assertions of the program</h2><div class=\"scroll\" "
          "tabindex=\"0\" role=\"region\" aria-label=\"Assertions of the program\"><table><thead>"
          "<tr><th scope=\"col\">label</th><th scope=\"col\">sort</th><th scope=\"col\" "
          "class=\"n\">"
          "reached</th><th scope=\"col\" class=\"n\">true</th><th scope=\"col\" class=\"n\">false"
          "</th><th scope=\"col\" class=\"wide\">place</th></tr></thead><tbody>\n",
          out);
    for (size_t i = 0; i < count; i++)
        wri_markup_put(
            out,
            "<tr><td>%t</td><td>%t</td><td class=\"n\">%u</td><td class=\"n\">%u"
            "</td><td class=\"n\">%u</td><td class=\"wide\"><code>%t:%i</code></td></tr>"
            "\n",
            list[i].label, list[i].sort, list[i].reached, list[i].yes, list[i].no,
            wri_block_file(list[i].file), (uint64_t)(list[i].line > 0 ? list[i].line : 0));
    fputs("</tbody></table></div>\n", out);
}

/* ---- Writing ---- */

static const char *plural(uint64_t count, const char *one, const char *many)
{
    return count == 1 ? one : many;
}

/* "3 open bugs in 12 properties." */
static void put_verdict(FILE *out, const wri_page *page, const wri_page_head *head)
{
    const char *properties = plural(page->property_count, "property", "properties");
    fputs("<p class=\"verdict\">", out);
    if (page->property_count == 0)
        fputs("Nothing is known yet.", out);
    else if (page->open_count > 0)
        wri_markup_put(out, "<strong class=\"bad\">%u %t%t</strong> in %u %t.", page->open_count,
                       head->store ? "open " : "", plural(page->open_count, "bug", "bugs"),
                       page->property_count, properties);
    else if (page->bad_count > 0)
        wri_markup_put(out, "<strong class=\"bad\">%u of %u %t</strong> came to no result.",
                       page->bad_count, page->property_count, properties);
    else
        wri_markup_put(out, "<strong class=\"good\">No failure</strong> in %u %t.",
                       page->property_count, properties);
    if (head->stopped)
        wri_markup_put(out, " The run was stopped; %u not run.", head->not_run);
    fputs("</p>\n", out);
}

static void put_fact(FILE *out, const char *name, uint64_t number)
{
    wri_markup_put(out, "<div><dt>%t</dt><dd>%u</dd></div>", name, number);
}

/* The date of a build that can be repeated, else now. */
static uint64_t date_now(void)
{
    const char *given = getenv("SOURCE_DATE_EPOCH");
    return given != NULL && *given != '\0' ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);
}

static void put_header(FILE *out, const wri_page *page, const wri_page_head *head)
{
    wri_markup_put(out, "<header><p>Warren report</p><h1>%t</h1>", head->name);
    put_verdict(out, page, head);
    fputs("<dl class=\"facts\">", out);
    put_fact(out, "properties", page->property_count);
    put_fact(out, "bugs", page->bug_count);
    put_fact(out, "cases", page->cases);
    put_fact(out, "executions", page->executions);
    put_fact(out, "features", page->features);
    if (head->seconds > 0)
        wri_markup_put(out, "<div><dt>time</dt><dd>%s</dd></div>", head->seconds);
    fputs("</dl></header>\n", out);
}

static void put_navigation(FILE *out, const wri_page *page)
{
    fputs("<nav aria-label=\"On this page\" class=\"top\"><ul>", out);
    fputs("<li><a href=\"#overview\">Overview</a></li>", out);
    if (page->bug_count > 0)
        fputs("<li><a href=\"#bugs\">Bugs</a></li>", out);
    if (page->property_count > 0)
        fputs("<li><a href=\"#properties\">Properties</a></li>", out);
    if (page->program.size > 0)
        fputs("<li><a href=\"#assertions\">Assertions</a></li>", out);
    fputs("</ul></nav>\n", out);
}

static void put_part(FILE *out, const char *title, const part *p)
{
    if (p->size == 0)
        return;
    fputs(title, out);
    fwrite(p->text, 1, p->size, out);
}

static void put_body(FILE *out, const wri_page *page, const wri_page_head *head)
{
    put_header(out, page, head);
    put_navigation(out, page);
    fputs("<main id=\"main\">\n<h2 id=\"overview\">Overview</h2><table><thead><tr><th "
          "scope=\"col\">property</th><th scope=\"col\">status</th><th scope=\"col\" class=\"n\">"
          "bugs</th><th scope=\"col\" class=\"n\">cases</th><th scope=\"col\" class=\"n wide\">"
          "features</th><th scope=\"col\" class=\"n wide\">time</th></tr></thead><tbody>\n",
          out);
    put_part(out, "", &page->index);
    fputs("</tbody></table>\n", out);
    put_part(out, "<h2 id=\"bugs\">Bugs</h2>\n", &page->bugs);
    put_part(out, "<h2 id=\"properties\">Properties</h2>\n", &page->properties);
    put_part(out, "", &page->program);
    fputs("</main>\n<footer><p>Warren " WR_VERSION ", ", out);
    wri_chart_date(out, date_now());
    if (!head->store)
        wri_markup_put(out, ", seed %i", head->seed);
    fputs("</p></footer>\n", out);
}

static bool is_whole(part *p)
{
    return fflush(p->out) == 0 && !ferror(p->out);
}

bool wri_page_write(wri_page *page, FILE *out, const wri_page_head *head)
{
    if (!is_whole(&page->index) || !is_whole(&page->bugs) || !is_whole(&page->properties) ||
        !is_whole(&page->program))
        return false;
    wri_style_open(out, head->name);
    put_body(out, page, head);
    wri_style_close(out);
    return !ferror(out);
}

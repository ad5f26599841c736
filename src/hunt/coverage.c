/* hunt/coverage.c: which lines of the instrumented code a property's cases reached.
 *
 * A line of source may have many places; it is covered when any of them was reached. The bodies
 * of properties do not count, because the failing branch of each assertion is a place, too. Code
 * inlined into them counts. All places are named at once, when first asked for. Without names (no
 * addr2line, no symbols) places are counted instead of lines.
 */
#include <stdlib.h>
#include <string.h>

#include "hunt/internal.h"
#include "observe/coverage.h"

/* Naming takes about a second for so many. */
#define MOST_NAMED 50000
#define MOST_UNCOVERED 1000
#define MOST_RARE 20
/* A line is rare if at most one of so many cases reached it. */
#define RARE_SHARE 10

/* Every place, sorted so that those of one line are neighbours. Places stay what they are, and
 * many wr_check() may ask: this is never freed. */
static struct place {
    wri_place_name name;
    size_t         index; /* as observe/coverage.h has it */
} * places;
static size_t place_count;
static bool   asked, named;

static int by_line(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    int                 order = strcmp(x->name.file, y->name.file);
    if (order == 0 && x->name.line != y->name.line)
        order = x->name.line < y->name.line ? -1 : 1;
    if (order == 0)
        order = strcmp(x->name.function, y->name.function);
    return order != 0 ? order : x->index < y->index ? -1 : 1;
}

static bool same_line(const struct place *a, const struct place *b)
{
    return a->name.line != 0 && a->name.line == b->name.line &&
           strcmp(a->name.file, b->name.file) == 0 &&
           strcmp(a->name.function, b->name.function) == 0;
}

/* The body of a property is called wr_body_NAME. */
#define BODY "wr_body_"

static void name_places(void)
{
    size_t          count = wri_coverage_places();
    uintptr_t      *addresses = malloc((count + 1) * sizeof *addresses);
    wri_place_name *names = malloc((count + 1) * sizeof *names);
    asked = true;
    places = malloc((count + 1) * sizeof *places);
    bool known = addresses != NULL; /* guards without a table have no addresses */
    for (size_t i = 0; i < count && known; i++)
        known = (addresses[i] = wri_coverage_address(i)) != 0;
    if (known && names != NULL && places != NULL && wri_place_name_all(addresses, count, names)) {
        for (size_t i = 0; i < count; i++)
            if (!names[i].foreign && strncmp(names[i].function, BODY, strlen(BODY)) != 0)
                places[place_count++] = (struct place){ names[i], i };
        named = true;
        qsort(places, place_count, sizeof *places, by_line);
    }
    free(addresses);
    free(names);
}

/* Nothing has a name: as many places as there are. */
static wri_code_covered count_places(void)
{
    wri_code_covered covered = { .known = wri_coverage_places() };
    for (size_t i = 0; i < covered.known; i++)
        covered.covered += wri_coverage_cases(i) > 0;
    return covered;
}

static int by_rarity(const void *a, const void *b)
{
    const wri_code_line *x = a, *y = b;
    if (x->cases != y->cases)
        return x->cases < y->cases ? -1 : 1;
    int order = strcmp(x->file, y->file);
    return order != 0 ? order : x->line - y->line;
}

/* The lines, each with the cases of its most frequent place. */
static size_t gather_lines(wri_code_line *lines)
{
    size_t count = 0;
    for (size_t i = 0, next; i < place_count; i = next) {
        const wri_place_name *name = &places[i].name;
        uint64_t              cases = 0;
        for (next = i; next == i || (next < place_count && same_line(&places[i], &places[next]));
             next++) {
            uint32_t here = wri_coverage_cases(places[next].index);
            cases = here > cases ? here : cases;
        }
        lines[count++] = (wri_code_line){ name->function, name->file, name->line, cases };
    }
    return count;
}

static size_t lesser(size_t a, size_t b)
{
    return a < b ? a : b;
}

wri_code_covered wri_coverage_of_quest(const wri_quest *quest)
{
    wri_code_covered covered = { 0 };
    size_t           known = wri_coverage_places();
    if (quest->cases == 0 || count_places().covered == 0) /* also a replay: nobody watched */
        return covered;
    if (!asked && known <= MOST_NAMED)
        name_places();
    wri_code_line *lines = named ? malloc((place_count + 1) * sizeof *lines) : NULL;
    if (lines == NULL)
        return count_places();
    covered.known = gather_lines(lines);
    qsort(lines, covered.known, sizeof *lines, by_rarity);
    size_t uncovered = 0;
    while (uncovered < covered.known && lines[uncovered].cases == 0)
        uncovered++;
    covered.covered = covered.known - uncovered;
    covered.uncovered = lines;
    covered.uncovered_count = lesser(uncovered, MOST_UNCOVERED);
    covered.rare = lines + uncovered;
    while (wri_coverage_counted() && covered.rare_count < lesser(covered.covered, MOST_RARE) &&
           covered.rare[covered.rare_count].cases <= quest->cases / RARE_SHARE)
        covered.rare_count++;
    return covered;
}

void wri_coverage_free(wri_code_covered *covered)
{
    free((wri_code_line *)(uintptr_t)covered->uncovered); /* the rare ones stand behind them */
    *covered = (wri_code_covered){ 0 };
}

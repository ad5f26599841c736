/* tests/cover_examine.h: what must be true of every model that a reader accepts, whatever it
 * read. Used by the fuzzer and by the mutations in cover_mutate_unit.c. */
#ifndef WRI_TESTS_COVER_EXAMINE_H
#define WRI_TESTS_COVER_EXAMINE_H

#include <stdlib.h>
#include <string.h>

#include "cover/language/read.h"
#include "cover/language/rows.h"

static void must(bool true_of_it)
{
    if (!true_of_it)
        abort();
}

static void examine_expression(const wrc_model *model, const wrc_expression *e)
{
    must(e != NULL);
    if (e->op == WRC_OP_NUMBER)
        return;
    if (e->op == WRC_OP_VALUE || e->op == WRC_OP_IN) {
        must(e->parameter < model->parameter_count);
        for (uint32_t i = 0; e->op == WRC_OP_IN && i < e->set.count; i++) {
            must(e->set.intervals[i].from <= e->set.intervals[i].to);
            must(e->set.intervals[i].to < model->parameters[e->parameter].levels);
            must(i == 0 || e->set.intervals[i - 1].to + 1 < e->set.intervals[i].from);
        }
        return;
    }
    examine_expression(model, e->left);
    if (e->op != WRC_OP_NOT && e->op != WRC_OP_NEGATE)
        examine_expression(model, e->right);
}

static void examine_parameter(const wrc_parameter *p)
{
    must(p->name[0] != '\0' && p->levels > 0 && p->levels < WRC_ANY && p->invalid < p->levels);
    if (p->domain == WRC_DOMAIN_RANGE) {
        must(p->step > 0 && wrc_parameter_number(p, p->levels - 1) >= p->first);
        return;
    }
    for (uint32_t i = 0; i < p->levels; i++)
        must(p->values[i].text != NULL && p->values[i].weight > 0);
}

static void examine_group(const wrc_model *model, const wrc_relation *r)
{
    must(r->strength >= 1 && r->strength <= r->count);
    for (uint32_t i = 0; i < r->count; i++) {
        must(r->parameters[i] < model->parameter_count);
        must(i == 0 || r->parameters[i - 1] < r->parameters[i]);
    }
}

static void examine_cells(const wrc_model *model, const uint32_t *cells, uint64_t rows)
{
    for (uint64_t i = 0; i < rows * model->parameter_count; i++)
        must(cells[i] == WRC_ANY ||
             cells[i] < model->parameters[i % model->parameter_count].levels);
}

static void examine_model(const wrc_model *model)
{
    must(model->parameter_count > 0 && model->relation_count > 0);
    for (uint32_t i = 0; i < model->parameter_count; i++)
        examine_parameter(&model->parameters[i]);
    for (uint32_t i = 0; i < model->relation_count; i++)
        examine_group(model, &model->relations[i]);
    for (uint32_t i = 0; i < model->compound_count; i++)
        examine_group(model, &model->compounds[i]);
    for (uint32_t i = 0; i < model->constraint_count; i++)
        examine_expression(model, model->constraints[i].holds);
    examine_cells(model, model->kept, model->kept_count);
}

/* A model, or CASA's two texts with a 'C' between them; then, behind a 'R', rows. What is
 * refused has one line that says why. */
static bool examine_text(const char *text, size_t size)
{
    wrc_complaint complaint = { "" };
    const char   *second = memchr(text, 'C', size), *rows = memmem(text, size, "\nR\n", 3);
    const char   *end = rows ? rows : text + size;
    bool          casa = second && second < end && size > 0 && strchr("0123456789", text[0]);
    wrc_model    *model = wrc_read_text(
           "m", text, (size_t)((casa ? second : end) - text), "c", casa ? second + 1 : NULL,
        casa ? (size_t)(end - second) - 1 : 0, (wrc_asked){ 0, size % 2 != 0 }, &complaint);
    wrc_rows read;
    if (!model) {
        must(complaint.text[0] != '\0' && strchr(complaint.text, '\n') == NULL);
        return false;
    }
    examine_model(model);
    if (rows && wrc_rows_parse(model, "r", rows + 3, (size_t)(text + size - rows) - 3, &read,
                               &complaint)) {
        examine_cells(model, read.cells, read.count);
        wrc_rows_free(&read);
    }
    wrc_model_free(model);
    return true;
}

#endif

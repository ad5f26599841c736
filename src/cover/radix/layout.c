/* cover/radix/layout.c: divides levels into digits, and joins digits to levels. */
#include "cover/radix/layout.h"

/* How many digits below the base it takes. */
static uint32_t digits_for(uint32_t levels, uint32_t base)
{
    uint32_t count = 1;
    for (uint64_t reach = base; reach < levels; reach *= base)
        count++;
    return count;
}

/* The digits' sizes: all the base, the highest as large as it has to be. Even ones: the smallest
 * base that still does with as many digits, and as many digits as possible one smaller. */
static uint32_t choose_radices(uint32_t levels, uint32_t base, bool even, uint32_t *radices)
{
    uint32_t count = digits_for(levels, base);
    while (even && base > 2 && digits_for(levels, base - 1) == count)
        base--;
    for (uint32_t i = 0; i < count; i++)
        radices[i] = base;
    for (uint32_t i = 0; even && i < count; i++) {
        uint64_t product = 1;
        for (uint32_t j = 0; j < count; j++)
            product *= j == i ? radices[j] - 1 : radices[j];
        if (product < levels)
            break;
        radices[i]--;
    }
    uint64_t below = 1;
    for (uint32_t i = 0; i + 1 < count; i++)
        below *= radices[i];
    if (!even)
        radices[count - 1] = (uint32_t)((levels + below - 1) / below);
    return count;
}

static void add_group(wrc_layout *layout, uint32_t parameter, uint32_t levels, uint32_t count,
                      const uint32_t *radices)
{
    uint32_t   weight = 1;
    wrc_group *group = &layout->groups[parameter];
    *group = (wrc_group){ layout->columns, count, levels, 1 };
    for (uint32_t i = 0; i < count; i++) {
        group->numbers *= radices[i];
        layout->radices[layout->columns] = radices[i];
        layout->weights[layout->columns] = weight;
        layout->owners[layout->columns++] = parameter;
        weight *= radices[i];
    }
}

bool wrc_layout_open(wrc_layout *layout, const wrc_model *model, const bool *split, uint32_t base,
                     bool even)
{
    size_t most = 32 * (size_t)model->parameter_count + 1;
    *layout = (wrc_layout){ .parameters = model->parameter_count, .even = even };
    layout->groups =
        wrc_blocks_take(&layout->blocks, model->parameter_count + 1, sizeof *layout->groups);
    layout->radices = wrc_blocks_take(&layout->blocks, most, sizeof *layout->radices);
    layout->weights = wrc_blocks_take(&layout->blocks, most, sizeof *layout->weights);
    layout->owners = wrc_blocks_take(&layout->blocks, most, sizeof *layout->owners);
    if (layout->blocks.failed) {
        wrc_layout_close(layout);
        return false;
    }
    for (uint32_t i = 0; i < model->parameter_count; i++) {
        uint32_t radices[32], levels = model->parameters[i].levels, count = 1;
        radices[0] = levels;
        if (split[i] && levels > base)
            count = choose_radices(levels, base, even, radices);
        add_group(layout, i, levels, count, radices);
    }
    return true;
}

void wrc_layout_close(wrc_layout *layout)
{
    wrc_blocks_free(&layout->blocks);
    *layout = (wrc_layout){ 0 };
}

void wrc_layout_divide(const wrc_layout *layout, uint32_t parameter, uint32_t level,
                       uint32_t *digits)
{
    const wrc_group *group = &layout->groups[parameter];
    uint64_t         number = layout->even ? level * group->numbers / group->levels : level;
    for (uint32_t i = 0; i < group->count; i++) {
        uint32_t radix = layout->radices[group->first + i];
        digits[i] = level == WRC_ANY ? WRC_ANY : (uint32_t)(number % radix);
        number /= radix;
    }
}

uint32_t wrc_layout_join(const wrc_layout *layout, uint32_t parameter, const uint32_t *digits)
{
    const wrc_group *group = &layout->groups[parameter];
    uint64_t         number = 0;
    bool             any = false;
    for (uint32_t i = 0; i < group->count; i++) {
        uint64_t digit = digits[i] == WRC_ANY ? 0 : digits[i];
        any = any || digits[i] != WRC_ANY;
        number += digit * layout->weights[group->first + i];
    }
    if (!any)
        return WRC_ANY;
    if (!layout->even)
        return number < group->levels ? (uint32_t)number : WRC_ANY;
    uint64_t level = (number * group->levels + group->numbers - 1) / group->numbers;
    return level * group->numbers / group->levels == number ? (uint32_t)level : WRC_ANY;
}

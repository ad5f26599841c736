/* tests/fuzz_rules.c: the reader of rules under a coverage-guided fuzzer.
 *
 * What was accepted must mean the same when it is written and read again, and must be fit for
 * all that is done with patterns.
 */
#include "patterned.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Written, read, and written again. */
static void examine_text(const wri_pattern *pattern, const char *name)
{
    wri_rules again;
    char      error[256];
    char     *first = wri_rule_text(&patterned, pattern, name);
    if (first == NULL ||
        !wri_rules_read(&patterned, first, strlen(first), &again, error, sizeof error) ||
        again.count != 1)
        abort();
    char *second = wri_rule_text(&patterned, &again.list[0].pattern, again.list[0].name);
    if (second == NULL || strcmp(first, second) != 0)
        abort();
    free(first);
    free(second);
    wri_rules_free(&again);
}

/* The fast search and the plain one, over a few calls. */
static void examine_meaning(const wri_pattern *pattern, uint64_t seed)
{
    wri_made     calls[8];
    wri_sequence sequence = { .calls = calls, .room = 8 };
    wri_avoided *known = malloc(wri_avoided_bytes(&pattern, 1));
    wri_avoider *avoider = wri_avoider_make();
    if (known == NULL || avoider == NULL)
        abort();
    some_sequence(&seed, &sequence, 8, COMMAND_COUNT);
    wri_avoided_write(&patterned, &pattern, 1, known);
    wri_avoider_begin(avoider, &patterned, known);
    for (sequence.count = 1; sequence.count <= 8; sequence.count++) {
        bool plainly = wri_match_at_end(&patterned, pattern, &sequence);
        if ((wri_avoider_meets(avoider, &calls[sequence.count - 1]) >= 0) != plainly)
            abort();
        wri_avoider_add(avoider, &calls[sequence.count - 1]);
    }
    wri_avoider_free(avoider);
    free(known);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    wri_rules rules;
    char      error[256] = "";
    char     *text = malloc(size == 0 ? 1 : size); /* so that reading past the end is seen */
    if (text == NULL)
        return 0;
    if (size > 0)
        memcpy(text, data, size);
    if (patterned_commands[0].table == NULL)
        build_machine();
    if (!wri_rules_read(&patterned, text, size, &rules, error, sizeof error) && error[0] == '\0')
        abort();
    for (size_t i = 0; i < rules.count; i++) {
        examine_text(&rules.list[i].pattern, rules.list[i].name);
        examine_meaning(&rules.list[i].pattern, size);
    }
    wri_rules_free(&rules);
    free(text);
    return 0;
}

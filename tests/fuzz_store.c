/* tests/fuzz_store.c: the store's readers under a coverage-guided fuzzer.
 *
 * Build with `clang -fsanitize=fuzzer,address,undefined -Isrc -Iinclude` and the sources of
 * store/ and core/trace.c. Every input goes to the token reader, to the reader of a token's bytes
 * (behind the checksum, which a fuzzer does not guess) and to the readers of failure files and
 * corpora.
 */
#include <stdlib.h>
#include <string.h>

#include "store/corpus.h"
#include "store/files/failures.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What was accepted must be sound, and mean the same when it is written and read again. */
static void examine(const wri_saved *saved)
{
    wri_saved again;
    wri_note  note;
    if (!wri_trace_valid(&saved->choices))
        abort();
    char *token = wri_token_write(saved->property, &saved->choices);
    if (token == NULL || !wri_token_read(token, &again, &note))
        abort();
    if (again.property != saved->property ||
        again.choices.node_count != saved->choices.node_count ||
        again.choices.number_count != saved->choices.number_count ||
        again.shape != wri_trace_shape(&saved->choices))
        abort();
    free(token);
    wri_saved_free(&again);
}

/* The property is the one that the text itself names, so that its cases are looked at. */
static void examine_corpus(const char *text, size_t size)
{
    static const char START[] = "warren corpus 1 p ";
    wri_corpus        corpus;
    wri_note          note;
    char              name[64] = "";
    if (size > sizeof START && memcmp(text, START, sizeof START - 1) == 0)
        strncat(name, text + sizeof START - 1, strcspn(text + sizeof START - 1, "\n") % 60);
    if (!wri_corpus_parse("input", text, size, wri_trace_label_hash(name), &corpus, &note))
        return;
    for (size_t i = 0; i < corpus.count; i++)
        if (!wri_trace_valid(&corpus.cases[i]) || corpus.notes[i] == NULL)
            abort();
    wri_corpus_free(&corpus);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    wri_saved  saved;
    wri_stored stored;
    wri_note   note;
    char      *text = malloc(size + 1);
    if (text == NULL)
        return 0;
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';

    if (wri_token_read(text, &saved, &note))
        examine(&saved);
    wri_saved_free(&saved);
    if (wri_token_unpack((const uint8_t *)text, size, &saved, &note))
        examine(&saved);
    wri_saved_free(&saved);
    if (wri_failures_parse("input", text, size, &stored, &note))
        examine(&stored.saved);
    wri_stored_free(&stored);
    examine_corpus(text, size);
    free(text);
    return 0;
}

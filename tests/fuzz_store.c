/* tests/fuzz_store.c: the store's readers under a coverage-guided fuzzer.
 *
 * Build with `clang -fsanitize=fuzzer,address,undefined -Isrc -Iinclude` and the sources of
 * store/ and core/trace.c. Every input goes to the token reader, to the reader of a token's bytes
 * (behind the checksum, which a fuzzer does not guess) and to the failure file's reader.
 */
#include <stdlib.h>
#include <string.h>

#include "store/store.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What was accepted must be sound, and mean the same when it is written and read again. */
static void examine(const wri_saved *saved)
{
    wri_saved again;
    char      error[256];
    if (!wri_trace_valid(&saved->choices))
        abort();
    char *token = wri_token_write(saved->property, &saved->choices);
    if (token == NULL || !wri_token_read(token, &again, error, sizeof error))
        abort();
    if (again.property != saved->property ||
        again.choices.node_count != saved->choices.node_count ||
        again.choices.number_count != saved->choices.number_count ||
        again.shape != wri_trace_shape(&saved->choices))
        abort();
    free(token);
    wri_saved_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    wri_saved  saved;
    wri_stored stored;
    char       error[256];
    char      *text = malloc(size + 1);
    if (text == NULL)
        return 0;
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';

    if (wri_token_read(text, &saved, error, sizeof error))
        examine(&saved);
    wri_saved_free(&saved);
    if (wri_token_unpack((const uint8_t *)text, size, &saved, error, sizeof error))
        examine(&saved);
    wri_saved_free(&saved);
    if (wri_store_parse("input", text, size, &stored, error, sizeof error))
        examine(&stored.saved);
    wri_stored_free(&stored);
    free(text);
    return 0;
}

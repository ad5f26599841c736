/* tests/fuzz_cover.c: the readers of models and of rows under a coverage-guided fuzzer. */
#include "cover_examine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1); /* so that reading past the end is seen */
    if (!text)
        return 0;
    if (size > 0)
        memcpy(text, data, size);
    examine_text(text, size);
    free(text);
    return 0;
}

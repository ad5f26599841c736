/* cli/words.h: options whose value is one of some words. */
#ifndef WRI_CLI_WORDS_H
#define WRI_CLI_WORDS_H

#include <string.h>

/* The position of a word in "a|b|c"; -1: it is not there. */
static inline int wri_word_position(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (int i = 0; words; i++) {
        size_t here = strcspn(words, "|");
        if (here == length && memcmp(words, word, length) == 0)
            return i;
        words = words[here] ? words + here + 1 : NULL;
    }
    return -1;
}

#endif

/* gen/words.h: the user's words (wr_words) in drawn texts, and the program's.
 *
 * Words are random answers, as the constants of a dictionary are. One text in eight is a word
 * that fits, and one in eight holds some. One in sixteen is a word of the program, or a number
 * in digits, in a run with constants (explore/constant.h writes them into texts). The log has
 * lengths and letters as always, so that shrinking and replay know nothing of words.
 */
#ifndef WRI_GEN_WORDS_H
#define WRI_GEN_WORDS_H

#include "core/lean.h"

/* A kind of text. `measure` says how many characters a word has, as a whole text or inside of
 * one; SIZE_MAX: it does not fit. `number` takes the next character off a word and returns its
 * number in the text's array. */
typedef struct wri_words_kind {
    size_t (*measure)(const char *word, const char *alphabet, bool whole);
    uint32_t (*number)(const char **word, const char *alphabet);
    const char        *alphabet;
    const char *const *special; /* further words, for whole texts; NULL ends them; or NULL */
} wri_words_kind;

/* The words of one text, while it is drawn. */
typedef struct wri_words_use {
    wri_overlay           overlay; /* for the request of the text's array */
    const wri_words_kind *kind;
    const char          **whole, **part; /* the words that fit */
    size_t                wholes, parts;
    size_t                lead; /* characters that are drawn before the array */
    size_t                min, max;
    bool                  decided; /* for this text: */
    bool                  inside;  /* it holds words */
    const char           *word;    /* it is this word; NULL: it is none */
} wri_words_use;

/* Finds the words that fit a text of min..max characters. False: there is none, and `use` is not
 * filled in. */
bool wri_words_fit(wr_case *t, wri_words_use *use, const wri_words_kind *kind, size_t min,
                   size_t max);
static inline bool wri_words_begin(wr_case *t, wri_words_use *use, const wri_words_kind *kind,
                                   size_t min, size_t max)
{
    return WRI_UNLIKELY(t->words != NULL || kind->special != NULL || t->known != NULL) &&
           wri_words_fit(t, use, kind, min, max);
}

/* For the first random answer of a text: returns the word that it is to be, or NULL. */
const char *wri_words_decide(wr_case *t, wri_words_use *use);
/* The length of the text's array. */
size_t wri_words_length(wr_case *t, wri_words_use *use, const char *name, size_t lo, size_t hi);

#endif

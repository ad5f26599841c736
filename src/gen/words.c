/* gen/words.c: words as random texts, and the user's words inside of random texts. */
#include "gen/words.h"

#include <string.h>

#include "constants/dictionary.h"

void wr_words(wr_case *t, size_t n, const char *const *words)
{
    if (n > 0 && words == NULL)
        wri_case_misuse(t, "wr_words: no words were given");
    const char **copy = wri_memory_array(t, n, sizeof *copy);
    wri_words   *list = wr_alloc(t, sizeof *list + n * sizeof *list->fits);
    if (n > 0)
        memcpy(copy, words, n * sizeof *copy);
    list->words = copy;
    list->count = n;
    list->before = t->word_lists;
    t->word_lists = list;
    t->words = n == 0 ? NULL : list;
    atomic_fetch_or_explicit(&t->called, WRI_CALLED_WORDS, memory_order_relaxed);
}

/* ---- Which fit ---- */

/* True: the word fits, as a whole text or as a part of one. */
static bool gather(wri_words_use *use, const char *word, size_t min, size_t max, bool whole_only)
{
    size_t whole = use->kind->measure(word, use->kind->alphabet, true);
    size_t part = whole_only ? 0 : use->kind->measure(word, use->kind->alphabet, false);
    bool   is_whole = whole >= min && whole <= max && whole != SIZE_MAX;
    bool   is_part = part > 0 && part < max && part <= max - use->lead;
    if (is_whole)
        use->whole[use->wholes++] = word;
    if (is_part)
        use->part[use->parts++] = word;
    return is_whole || is_part;
}

WRI_COLD bool wri_words_fit(wr_case *t, wri_words_use *use, const wri_words_kind *kind,
                            size_t min, size_t max)
{
    size_t count = t->words == NULL ? 0 : t->words->count, specials = 0, lead = use->lead;
    while (kind->special != NULL && kind->special[specials] != NULL)
        specials++;
    *use = (wri_words_use){ .kind = kind,
                            .whole = wri_memory_take(t, (count + specials) * sizeof *use->whole),
                            .part = wri_memory_take(t, count * sizeof *use->part),
                            .lead = lead,
                            .min = min,
                            .max = max };
    for (size_t i = 0; i < count; i++)
        if (t->words->words[i] != NULL && gather(use, t->words->words[i], min, max, false))
            t->words->fits[i] = true;
    for (size_t i = 0; i < specials; i++)
        gather(use, kind->special[i], min, max, true);
    return use->wholes + use->parts > 0 || t->known != NULL;
}

/* ---- Random answers ---- */

static const char *any_of(wr_case *t, const char **words, size_t count)
{
    return words[wri_prng_scale(wri_prng_next(&t->random), count - 1)];
}

#define KNOWN_TRIES 8

/* A word of the program that fits as a whole text, or digits; NULL: none of those tried does. */
static const char *known_word(wr_case *t, const wri_words_use *use)
{
    const wri_dictionary *from = t->known;
    for (unsigned i = 0; i < KNOWN_TRIES; i++) {
        uint64_t    word = wri_prng_next(&t->random);
        int64_t     number;
        const char *made = NULL;
        if ((word & 3) != 0 && from->word_count > 0)
            made = from->words[wri_prng_scale(word, from->word_count - 1)];
        else if (wri_dictionary_number(from, INT64_MIN, INT64_MAX, word >> 2, &number))
            made = wr_format(t, "%lld", (long long)number);
        size_t length =
            made == NULL ? SIZE_MAX : use->kind->measure(made, use->kind->alphabet, true);
        if (length >= use->min && length <= use->max && length != SIZE_MAX)
            return made;
    }
    return NULL;
}

const char *wri_words_decide(wr_case *t, wri_words_use *use)
{
    if (use->decided)
        return use->word;
    unsigned eighth = (unsigned)(wri_prng_next(&t->random) >> 61);
    use->decided = true;
    use->inside = eighth == 1 && use->parts > 0;
    if (eighth == 0 && use->wholes > 0)
        use->word = any_of(t, use->whole, use->wholes);
    else if (t->known != NULL && !use->inside && wri_prng_next(&t->random) >> 60 == 0)
        use->word = known_word(t, use);
    return use->word;
}

static uint64_t fresh_length(wr_case *t, const wri_request *request)
{
    wri_words_use *use = request->about;
    const char    *word = wri_words_decide(t, use);
    if (word == NULL)
        return wri_lean_length(t, request->max);
    size_t length = use->kind->measure(word, use->kind->alphabet, true) - use->lead;
    return length - (size_t)request->lo;
}

/* Writes the word over `count` values, or as much of it as has numbers there. */
static void write_word(const wri_words_use *use, const wri_request *request, const char *word,
                       size_t count, unsigned width, char *values)
{
    for (; *word != '\0' && count > 0; count--, values += width) {
        uint32_t number = use->kind->number(&word, use->kind->alphabet);
        if (number <= request->max)
            wri_choice_integer_put(values, width, number);
    }
}

static void lay(wri_overlay *self, wr_case *t, const wri_request *request, size_t count,
                unsigned width, char *values)
{
    wri_words_use *use = (wri_words_use *)self;
    const char    *word = use->word;
    for (size_t i = 0; i < use->lead && word != NULL; i++)
        use->kind->number(&word, use->kind->alphabet);
    if (word != NULL)
        write_word(use, request, word, count, width, values);
    if (!use->inside)
        return;
    for (uint64_t times = 1 + (wri_prng_next(&t->random) >> 62); times > 0; times--) {
        word = any_of(t, use->part, use->parts);
        size_t length = use->kind->measure(word, use->kind->alphabet, false);
        size_t place =
            length > count ? 0 : wri_prng_scale(wri_prng_next(&t->random), count - length);
        if (length <= count)
            write_word(use, request, word, length, width, values + place * width);
    }
}

size_t wri_words_length(wr_case *t, wri_words_use *use, const char *name, size_t lo, size_t hi)
{
    wri_request request = { .kind = WRI_LENGTH,
                            .max = hi - lo,
                            .lo = (int64_t)lo,
                            .name = name,
                            .fresh = fresh_length,
                            .about = use };
    use->overlay.lay = lay;
    return lo + (size_t)wri_case_choose(t, &request);
}

/* machine/pattern/rule_value.c: a value as text, and back: see rule.h. */
#include "machine/pattern/rule.h"

#include <string.h>

#include "gen/show.h"

/* A rule has the numbers of a kind with more values, not their texts. */
#define VALUES_MOST 1024

/* ---- The texts of a kind ---- */

/* The text that the kind prints, in a case that is never run; NULL: nothing, or too much. */
static const char *show(wri_shows *shows, const wr_kind *kind, int64_t value)
{
    uint64_t used;
    wri_text entries = { .bytes = shows->text, .room = sizeof shows->text };
    wr_case  t = { .text = &entries, .shared_text = &used };
    wr_out   out;
    wri_show_out_begin(&out, &t, "");
    kind->show(&out, value);
    wri_show_out_end(&out);
    const char *text = shows->text + 2; /* behind the tag and the empty name */
    return entries.lost > 0 || strlen(text) > WRI_SHOWN_MOST ? NULL : text;
}

/* A value that a function drew, or an abstraction, cannot be printed here. It is only known which
 * are the same. */
static bool is_shown(const wr_kind *kind)
{
    return kind->show != NULL && kind->abstract == NULL && kind->values > 0 &&
           kind->values <= VALUES_MOST;
}

bool wri_shows_find(wri_shows *shows, const wr_kind *kind, const char *text, size_t length,
                    int64_t *value)
{
    unsigned found = 0;
    for (int64_t i = 0; is_shown(kind) && i < (int64_t)kind->values; i++) {
        const char *shown = show(shows, kind, i);
        if (shown == NULL || strlen(shown) != length || memcmp(shown, text, length) != 0)
            continue;
        *value = i;
        found++;
    }
    return found == 1;
}

/* Would it be read as what is shown, and nothing else? */
static bool is_plain(const char *text)
{
    size_t  length = strlen(text);
    int64_t least, most;
    return length > 0 && text[0] != ' ' && text[length - 1] != ' ' && text[0] != '?' &&
           strcmp(text, "_") != 0 && strpbrk(text, "\r\n") == NULL &&
           wri_rule_argument_length(text, length) == length &&
           !wri_rule_range(text, length, &least, &most);
}

const char *wri_shows_value(wri_shows *shows, const wr_kind *kind, int64_t value)
{
    int64_t     found;
    const char *text = is_shown(kind) && value >= 0 && value < (int64_t)kind->values
                           ? show(shows, kind, value)
                           : NULL;
    if (text == NULL || !is_plain(text))
        return NULL;
    memcpy(shows->kept, text, strlen(text) + 1);
    return wri_shows_find(shows, kind, shows->kept, strlen(shows->kept), &found) ? shows->kept
                                                                                 : NULL;
}

/* ---- Arguments ---- */

/* Behind a character or a string in quotes; `most` where it does not end. */
static size_t skip_quoted(const char *text, size_t from, size_t most)
{
    size_t i = from + 1;
    while (i < most && text[i] != text[from])
        i += text[i] == '\\' ? 2 : 1;
    return i < most ? i + 1 : most + 1;
}

/* One that is not whole goes too far: past `most`. */
size_t wri_rule_argument_length(const char *text, size_t most)
{
    size_t i = 0, depth = 0;
    while (i < most && (depth > 0 || strchr(",)]}", text[i]) == NULL || text[i] == '\0')) {
        if (text[i] == '"' || text[i] == '\'') {
            i = skip_quoted(text, i, most);
            continue;
        }
        depth += text[i] == '(' || text[i] == '[' || text[i] == '{';
        depth -= text[i] == ')' || text[i] == ']' || text[i] == '}';
        i++;
    }
    return depth > 0 ? most + 1 : i;
}

/* An integer in [text, end); where it ends, or NULL. */
static const char *read_number(const char *text, const char *end, int64_t *number)
{
    const char *at = text + (text < end && *text == '-');
    int64_t     read = 0;
    if (at == end || *at < '0' || *at > '9')
        return NULL;
    for (; at < end && *at >= '0' && *at <= '9'; at++) {
        int digit = *at - '0';
        if (__builtin_mul_overflow(read, 10, &read) ||
            (*text == '-' ? __builtin_sub_overflow(read, digit, &read)
                          : __builtin_add_overflow(read, digit, &read)))
            return NULL;
    }
    *number = read;
    return at;
}

static bool is_dots(const char *at, const char *end)
{
    return end - at >= 2 && at[0] == '.' && at[1] == '.';
}

bool wri_rule_range(const char *text, size_t length, int64_t *least, int64_t *most)
{
    const char *end = text + length, *at = text;
    *least = INT64_MIN;
    if (!is_dots(text, end) && (at = read_number(text, end, least)) == NULL)
        return false;
    if (at == end) {
        *most = *least;
        return true;
    }
    *most = INT64_MAX;
    if (!is_dots(at, end))
        return false;
    at += 2;
    return at == end || (read_number(at, end, most) == end && *least <= *most);
}

/* ---- Calls ---- */

uint32_t wri_rule_last_calls(const wri_pattern *pattern)
{
    uint32_t others = 0, all = (uint32_t)((UINT64_C(1) << pattern->count) - 1);
    for (unsigned i = 0; i < pattern->count; i++)
        others |= pattern->before[i];
    return all & ~others;
}

bool wri_rule_same_call(const wri_pattern_call *a, const wri_pattern_call *b)
{
    bool same = a->command == b->command;
    for (unsigned i = 0; i < WRI_ARGUMENTS && same; i++)
        same = wri_term_same(&a->terms[i], &b->terms[i]);
    return same;
}

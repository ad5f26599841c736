/* store/corpus.c: a corpus as a text that survives editors and merges.
 *
 *     warren corpus 1 PROGRAM PROPERTY
 *     # for people
 *     w1AbCd... what the case shows
 *
 * The reader and the writer bring the lines into one order, shortest token first, and drop
 * repeated cases. hunt/corpus.c decides which cases are worth keeping.
 */
#include "store/corpus.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/grow.h"
#include "store/lines.h"

#define FIRST_WORDS "warren corpus 1 "
#define EXPECTED_FIRST "'" FIRST_WORDS "PROGRAM PROPERTY'"
#define EXPECTED_LINE "a token and what it shows"

static const char COMMENT[] =
    "# Cases that together show all that this property's cases have shown: they are run first.\n"
    "# Warren replaces this file when a smaller or richer set is found. Keep it under version\n"
    "# control; in a merge keep the lines of both sides. It may be deleted.\n";

void wri_corpus_free(wri_corpus *corpus)
{
    for (size_t i = 0; i < corpus->count; i++) {
        wri_trace_free(&corpus->cases[i]);
        free(corpus->notes[i]);
    }
    free(corpus->cases);
    free(corpus->notes);
    memset(corpus, 0, sizeof *corpus);
}

/* ---- the order of lines ---- */

/* One line: a case as its token, and a note for people. The user of the entry owns them. */
typedef struct entry {
    char     *token;
    char     *note;
    wri_trace trace; /* when reading */
} entry;

static int compare_texts(const char *a, const char *b)
{
    size_t a_length = strlen(a), b_length = strlen(b);
    return a_length != b_length ? (a_length < b_length ? -1 : 1) : strcmp(a, b);
}

/* Notes decide between lines of the same case, so every order of lines gives the same text. */
static int compare_entries(const void *left, const void *right)
{
    const entry *a = left, *b = right;
    int          order = compare_texts(a->token, b->token);
    return order != 0 ? order : compare_texts(a->note, b->note);
}

static bool same_case(const entry *a, const entry *b)
{
    return strcmp(a->token, b->token) == 0;
}

/* The index of the first entry at or after `at` with another case than the one before it. */
static size_t skip_repeated(const entry *entries, size_t count, size_t at)
{
    while (at > 0 && at < count && same_case(&entries[at], &entries[at - 1]))
        at++;
    return at;
}

static void sort_entries(entry *entries, size_t count)
{
    if (count > 1)
        qsort(entries, count, sizeof *entries, compare_entries);
}

/* ---- writing ---- */

typedef struct pages {
    const wri_owner *owner;
    entry           *entries; /* sorted; tokens are owned */
    size_t           count;
} pages;

/* A word of the first line: escaped, blanks too. */
static void put_word(FILE *out, const char *word)
{
    for (; *word != '\0'; word++) {
        char one[2] = { *word, '\0' };
        wri_lines_put_escaped(out, one);
    }
}

static void put_corpus(FILE *out, const void *what)
{
    const pages *all = what;
    const char  *program = all->owner->program;
    fputs(FIRST_WORDS, out);
    put_word(out, program[0] == '\0' ? "-" : program);
    fputc(' ', out);
    put_word(out, all->owner->property);
    fputc('\n', out);
    fputs(COMMENT, out);
    for (size_t i = 0; i < all->count; i = skip_repeated(all->entries, all->count, i + 1)) {
        fputs(all->entries[i].token, out);
        if (all->entries[i].note[0] != '\0') {
            fputc(' ', out);
            wri_lines_put_escaped(out, all->entries[i].note);
        }
        fputc('\n', out);
    }
}

static void free_pages(pages *all)
{
    for (size_t i = 0; i < all->count; i++)
        free(all->entries[i].token);
    free(all->entries);
}

/* The corpus as sorted lines; false when memory is out. To be freed either way. */
static bool make_pages(pages *all, const wri_corpus *corpus)
{
    static char nothing[] = "";
    uint32_t    property = wri_trace_label_hash(all->owner->property);
    all->entries = calloc(corpus->count + 1, sizeof *all->entries);
    if (all->entries == NULL)
        return false;
    for (; all->count < corpus->count; all->count++) {
        size_t i = all->count;
        char  *note = corpus->notes == NULL ? NULL : corpus->notes[i];
        char  *token = wri_token_write(property, &corpus->cases[i]);
        if (token == NULL)
            return false;
        all->entries[i] = (entry){ .token = token, .note = note == NULL ? nothing : note };
    }
    sort_entries(all->entries, all->count);
    return true;
}

/* The corpus as text, malloced; NULL when memory is out. */
static char *print_corpus(const wri_owner *owner, const wri_corpus *corpus, size_t *size)
{
    pages all = { .owner = owner };
    bool  made = make_pages(&all, corpus);
    char *text = made ? wri_lines_print(put_corpus, &all, size) : NULL;
    free_pages(&all);
    return text;
}

static bool can_be_written(const wri_owner *owner, const wri_corpus *corpus, const char *where,
                           wri_note *note)
{
    if (owner->property[0] == '\0')
        return wri_note_refuse(note, "%s: a corpus without a property", where);
    for (size_t i = 0; i < corpus->count; i++)
        if (!wri_trace_valid(&corpus->cases[i]))
            return wri_note_refuse(note, "%s: a case that is no trace is not stored", where);
    return true;
}

/* Does the text hold no corpus? Without the memory to read it, it may hold one. */
static bool is_damaged(const wri_owner *owner, const wri_stored_text *there)
{
    wri_corpus corpus = { 0 };
    uint32_t   property = wri_trace_label_hash(owner->property);
    errno = 0;
    bool parsed =
        wri_corpus_parse(there->where, there->bytes, there->size, property, &corpus, NULL);
    bool damaged = !parsed && errno != ENOMEM;
    wri_corpus_free(&corpus);
    return damaged;
}

static bool replace(wri_store *store, const wri_owner *owner, const wri_corpus *corpus,
                    const wri_stored_text *there, wri_note *note)
{
    size_t size = 0;
    char  *text = print_corpus(owner, corpus, &size);
    bool   written = false;
    if (text == NULL)
        wri_note_refuse(note, "%s: memory is out", there->where);
    else if (size > WRI_STORE_BYTES)
        wri_note_refuse(note, "%s: a corpus over 16 MiB is not stored", there->where);
    else if (there->bytes != NULL && there->size == size && memcmp(there->bytes, text, size) == 0)
        written = true;
    else if (there->bytes == NULL || !is_damaged(owner, there) ||
             store->set_aside(store, owner, WRI_SET_CORPUS, note))
        written = store->replace_set(store, owner, WRI_SET_CORPUS, text, note);
    free(text);
    return written;
}

bool wri_corpus_write(wri_store *store, const wri_owner *owner, const wri_corpus *corpus,
                      wri_note *note)
{
    wri_stored_text there;
    bool            read = store->get_set(store, owner, WRI_SET_CORPUS, &there, note);
    if (read)
        wri_note_clear(note);
    bool written = read && can_be_written(owner, corpus, there.where, note);
    if (written && (corpus->count > 0 || there.bytes != NULL))
        written = replace(store, owner, corpus, &there, note);
    wri_stored_text_free(&there);
    return written;
}

/* ---- reading ---- */

/* A corpus while it is read. It owns its entries and their texts. */
typedef struct reader {
    wri_lines lines;
    uint32_t  property;
    entry    *entries;
    size_t    count, room;
} reader;

static void free_entries(reader *from)
{
    for (size_t i = 0; i < from->count; i++) {
        free(from->entries[i].token);
        free(from->entries[i].note);
        wri_trace_free(&from->entries[i].trace);
    }
    free(from->entries);
}

/* A place for one more entry, which is counted and empty; NULL when memory is out. */
static entry *add_entry(reader *from)
{
    entry *entries = wri_grow(from->entries, sizeof *entries, from->count, &from->room);
    if (entries == NULL)
        return NULL;
    from->entries = entries;
    entries[from->count] = (entry){ 0 };
    return &entries[from->count++];
}

/* "warren corpus 1 PROGRAM PROPERTY", of this property. The program is for people: the store
 * knows the owner. */
static bool take_header(reader *from)
{
    wri_lines  *lines = &from->lines;
    char       *property = NULL;
    const char *start = lines->line, *end = start + lines->length, *blank = NULL;
    if (lines->length > strlen(FIRST_WORDS) && wri_lines_start_with(lines, FIRST_WORDS)) {
        start += strlen(FIRST_WORDS);
        blank = memchr(start, ' ', (size_t)(end - start));
    }
    if (blank == NULL || blank == start || blank + 1 == end)
        return wri_lines_unexpected_text(lines, EXPECTED_FIRST, lines->line, lines->length);
    bool read = wri_lines_unescape(lines, &property, blank + 1, (size_t)(end - blank - 1));
    if (read && wri_trace_label_hash(property) != from->property)
        read = wri_lines_unexpected(lines, "a corpus of this property", "one of another");
    free(property);
    return read;
}

static bool take_case(reader *from)
{
    wri_lines  *lines = &from->lines;
    const char *blank = memchr(lines->line, ' ', lines->length),
               *end = lines->line + lines->length;
    const char *note = blank == NULL ? end : blank + 1;
    wri_saved   saved;
    if (lines->line[0] != 'w')
        return wri_lines_unexpected_text(lines, EXPECTED_LINE, lines->line, lines->length);
    entry *made = add_entry(from);
    if (made != NULL)
        made->token = strndup(lines->line, (size_t)((blank == NULL ? end : blank) - lines->line));
    if (made == NULL || made->token == NULL)
        return wri_lines_no_memory(lines);
    if (!wri_lines_token(lines, made->token, from->property, &saved))
        return false;
    made->trace = saved.choices;
    return wri_lines_unescape(lines, &made->note, note, (size_t)(end - note));
}

static bool take_line(reader *from)
{
    if (!wri_lines_sound(&from->lines, EXPECTED_LINE))
        return false;
    if (from->lines.length == 0 || from->lines.line[0] == '#')
        return true;
    return wri_lines_start_with(&from->lines, "warren ") ? take_header(from) : take_case(from);
}

static bool take_file(reader *from)
{
    if (!wri_lines_fit(&from->lines))
        return false;
    if (!wri_lines_next(&from->lines))
        return wri_lines_unexpected(&from->lines, EXPECTED_FIRST, "an empty file");
    if (!wri_lines_sound(&from->lines, EXPECTED_FIRST) || !take_header(from))
        return false;
    while (wri_lines_next(&from->lines))
        if (!take_line(from))
            return false;
    return true;
}

/* Moves the cases and notes of the entries to the corpus, each case once. */
static bool hand_over(reader *from, wri_corpus *corpus)
{
    corpus->cases = calloc(from->count + 1, sizeof *corpus->cases);
    corpus->notes = calloc(from->count + 1, sizeof *corpus->notes);
    if (corpus->cases == NULL || corpus->notes == NULL)
        return wri_lines_no_memory(&from->lines);
    sort_entries(from->entries, from->count);
    for (size_t i = 0; i < from->count; i = skip_repeated(from->entries, from->count, i + 1)) {
        entry *at = &from->entries[i];
        corpus->cases[corpus->count] = at->trace;
        corpus->notes[corpus->count++] = at->note;
        at->trace = (wri_trace){ 0 };
        at->note = NULL;
    }
    return true;
}

bool wri_corpus_parse(const char *path, const char *bytes, size_t count, uint32_t property_hash,
                      wri_corpus *corpus, wri_note *note)
{
    reader from = { .lines = { .path = path,
                               .at = bytes,
                               .end = bytes + count,
                               .conflict = "a git conflict marker: keep the lines of both sides",
                               .note = note },
                    .property = property_hash };
    memset(corpus, 0, sizeof *corpus);
    bool read = take_file(&from) && hand_over(&from, corpus);
    free_entries(&from);
    if (!read)
        wri_corpus_free(corpus);
    return read;
}

bool wri_corpus_read(wri_store *store, const wri_owner *owner, wri_corpus *corpus, wri_note *note)
{
    wri_stored_text there;
    memset(corpus, 0, sizeof *corpus);
    bool read = store->get_set(store, owner, WRI_SET_CORPUS, &there, note);
    if (there.bytes != NULL)
        read = wri_corpus_parse(there.where, there.bytes, there.size,
                                wri_trace_label_hash(owner->property), corpus, note);
    wri_stored_text_free(&there);
    return read;
}

/* store/files/corpus.c: a corpus as a text file that survives editors and merges.
 *
 *     warren corpus 1 PROGRAM PROPERTY
 *     # for people
 *     w1AbCd... what the case shows
 *
 * Both readers and writers bring the lines into one order, shortest token first, and drop those
 * that say the same case again. Which cases are worth keeping is decided elsewhere.
 */
#include "store/corpus.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/folder.h"
#include "core/grow.h"
#include "store/files/file.h"
#include "store/files/lines.h"
#include "store/refuse.h"

#define FIRST_WORDS "warren corpus 1 "
#define EXPECTED_FIRST "'" FIRST_WORDS "PROGRAM PROPERTY'"
#define EXPECTED_LINE "a token and what it shows"

static const char COMMENT[] =
    "# Cases that together show all that this property's cases have shown: they are run first.\n"
    "# Warren replaces this file when a smaller or richer set is found. Keep it under version\n"
    "# control; in a merge keep the lines of both sides. It may be deleted.\n";

char *wri_corpus_path(const char *failures_folder, const char *program, const char *property)
{
    const char *slash = strrchr(failures_folder, '/');
    size_t      length = slash == NULL ? 0 : (size_t)(slash + 1 - failures_folder);
    char       *folder = wri_file_print("%.*scorpus", (int)length, failures_folder);
    char       *path = folder == NULL ? NULL : wri_store_path(folder, program, property, 0);
    free(folder);
    return path;
}

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

/* One line: a case as its token, and its note. Which of them are owned, its user knows. */
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

/* Notes decide between lines of the same case, so that any order of lines ends the same. */
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

/* The index of the first entry at or after `at` that says a new case, in sorted entries. */
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
    const char *program, *property;
    entry      *entries; /* sorted; tokens are owned */
    size_t      count;
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
    const char  *program = wri_folder_last_name(all->program);
    fputs(FIRST_WORDS, out);
    put_word(out, program[0] == '\0' ? "-" : program);
    fputc(' ', out);
    put_word(out, all->property);
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
static bool make_pages(pages *all, uint32_t property_hash, const wri_corpus *corpus)
{
    static char nothing[] = "";
    all->entries = calloc(corpus->count + 1, sizeof *all->entries);
    if (all->entries == NULL)
        return false;
    for (; all->count < corpus->count; all->count++) {
        size_t i = all->count;
        char  *note = corpus->notes == NULL ? NULL : corpus->notes[i];
        char  *token = wri_token_write(property_hash, &corpus->cases[i]);
        if (token == NULL)
            return false;
        all->entries[i] = (entry){ .token = token, .note = note == NULL ? nothing : note };
    }
    sort_entries(all->entries, all->count);
    return true;
}

/* What stands there: does it say the same, or can it not be read? */
static bool make_way(const char *path, uint32_t property_hash, const char *text, size_t size,
                     bool *same, char *error, size_t error_size)
{
    struct stat what;
    wri_corpus  there;
    char        problem[256];
    size_t      count = 0;
    *same = false;
    if (lstat(path, &what) != 0 || !S_ISREG(what.st_mode))
        return true;
    char *bytes = wri_file_read(path, &count);
    *same = bytes != NULL && count == size && memcmp(bytes, text, size) == 0;
    bool readable = *same || (bytes != NULL && wri_corpus_parse(path, bytes, count, property_hash,
                                                                &there, problem, sizeof problem));
    free(bytes);
    if (readable && !*same)
        wri_corpus_free(&there);
    return readable || wri_file_set_aside(path, error, error_size);
}

static bool write_pages(const char *path, const pages *all, uint32_t property_hash, char *error,
                        size_t error_size)
{
    struct stat what;
    size_t      size = 0;
    bool        same;
    if (all->count == 0 && lstat(path, &what) != 0)
        return true;
    char *text = wri_file_print_by(put_corpus, all, &size);
    if (text == NULL)
        return wri_refuse(error, error_size, "%s: memory is out", path);
    bool written;
    if (size > WRI_FILE_BYTES)
        written = wri_refuse(error, error_size, "%s: a corpus over 16 MiB is not stored", path);
    else
        written = make_way(path, property_hash, text, size, &same, error, error_size) &&
                  (same || wri_file_replace(path, text, size, error, error_size));
    free(text);
    return written;
}

bool wri_corpus_write(const char *path, const char *program, const char *property,
                      const wri_corpus *corpus, char *error, size_t error_size)
{
    pages    all = { .program = program, .property = property };
    uint32_t property_hash = wri_trace_label_hash(property);
    if (property[0] == '\0')
        return wri_refuse(error, error_size, "%s: a corpus without a property", path);
    for (size_t i = 0; i < corpus->count; i++)
        if (!wri_trace_valid(&corpus->cases[i]))
            return wri_refuse(error, error_size, "%s: a case that is no trace is not stored",
                              path);
    bool written;
    if (make_pages(&all, property_hash, corpus))
        written = write_pages(path, &all, property_hash, error, error_size);
    else
        written = wri_refuse(error, error_size, "%s: memory is out", path);
    free_pages(&all);
    return written;
}

/* ---- reading ---- */

/* A corpus while it is read; owns its entries and all that is in them. */
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

/* "warren corpus 1 PROGRAM PROPERTY", of this property. The program is for people: the file's
 * name says whose it is. */
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

/* Gives the corpus what the entries own, each case once. */
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
                      wri_corpus *corpus, char *error, size_t error_size)
{
    reader from = { .lines = { .path = path,
                               .at = bytes,
                               .end = bytes + count,
                               .conflict = "a git conflict marker: keep the lines of both sides",
                               .error = error,
                               .error_size = error_size },
                    .property = property_hash };
    memset(corpus, 0, sizeof *corpus);
    bool read = take_file(&from) && hand_over(&from, corpus);
    free_entries(&from);
    if (!read)
        wri_corpus_free(corpus);
    return read;
}

bool wri_corpus_read(const char *path, uint32_t property_hash, wri_corpus *corpus, char *error,
                     size_t error_size)
{
    size_t count = 0;
    memset(corpus, 0, sizeof *corpus);
    char *bytes = wri_file_read(path, &count);
    if (bytes == NULL && (errno == ENOENT || errno == ENOTDIR))
        return true;
    if (bytes == NULL)
        return wri_refuse(error, error_size, "%s: cannot read this file: %s", path,
                          strerror(errno));
    bool read = wri_corpus_parse(path, bytes, count, property_hash, corpus, error, error_size);
    free(bytes);
    return read;
}

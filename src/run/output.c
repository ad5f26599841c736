/* run/output.c: the output of the code under test, and the sanitizers' reports in it.
 *
 * A worker's standard error goes to a file in memory that the parent can read after a death. So
 * does the standard output of a worker that runs single cases.
 */
#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/worker.h"

/* Code under test may close any descriptor, and open another file under its number. So a worker
 * knows its files by these, and touches no other file. */
static struct stat null_file, own_file;

static bool is_file(int descriptor, const struct stat *file)
{
    struct stat is;
    return fstat(descriptor, &is) == 0 && is.st_dev == file->st_dev && is.st_ino == file->st_ino;
}

bool wri_output_prepare(void)
{
    int null = open("/dev/null", O_RDWR);
    if (null < 0)
        return false;
    bool good = dup2(null, 0) >= 0 && dup2(null, 1) >= 0 && fstat(null, &null_file) == 0;
    if (null > 2)
        close(null);
    return good;
}

bool wri_output_redirect(int output, bool all)
{
    if (all)
        setvbuf(stdout, NULL, _IOLBF, 0);
    return fstat(output, &own_file) == 0 && (!all || dup2(output, 1) >= 0) &&
           dup2(output, 2) >= 0;
}

int wri_output_own(void)
{
    int *output = &wri_worker_now.setup.layout.output;
    if (wri_worker_now.setup.in_process || (*output >= 0 && is_file(*output, &own_file)))
        return *output;
    int still = is_file(2, &own_file) ? 2 : is_file(1, &own_file) ? 1 : -1;
    return *output = still < 0 ? -1 : fcntl(still, F_DUPFD_CLOEXEC, WRI_OUTPUT_FIRST);
}

/* Flags belong to the open file, which all workers of a slot share, and /dev/null all workers. */
void wri_output_undo_flags(int output)
{
    for (int i = 0; i < 2; i++)
        if (is_file(i, &null_file))
            fcntl(i, F_SETFL, 0);
    fcntl(output, F_SETFL, O_APPEND);
}

/* A stream that some thread keeps locked is left alone. */
static void flush(FILE *stream)
{
    if (ftrylockfile(stream) != 0)
        return;
    fflush_unlocked(stream);
    funlockfile(stream);
}

void wri_output_flush(int output)
{
    if (output >= 0 && !is_file(2, &own_file))
        dup2(output, 2);
    flush(stderr);
    flush(stdout);
}

void wri_output_clear(int output)
{
    struct stat status;
    if (fstat(output, &status) == 0 && status.st_size > 0 && ftruncate(output, 0) == 0)
        lseek(output, 0, SEEK_SET); /* where code under test writes that does not append */
}

/* Reads up to `room` bytes, as a text: they may be searched as one string. */
static size_t read_text(int output, off_t from, char *to, size_t room)
{
    size_t used = 0;
    while (used < room) {
        ssize_t got = pread(output, to + used, room - used, from + (off_t)used);
        if (got <= 0)
            break;
        used += (size_t)got;
    }
    for (size_t i = 0; i < used; i++)
        to[i] = to[i] == '\0' ? ' ' : to[i];
    return used;
}

static off_t size_of(int output)
{
    struct stat status;
    return output >= 0 && fstat(output, &status) == 0 ? status.st_size : 0;
}

size_t wri_output_read(int output, char *to, size_t room)
{
    off_t size = size_of(output);
    return read_text(output, size > (off_t)room ? size - (off_t)room : 0, to, room);
}

/* ---- Reports in it ---- */

/* The report of a leak checker is looked for up to this size, from the end: it comes last. */
#define SEARCHED ((off_t)16 << 20)

char *wri_output_text(int output)
{
    off_t size = size_of(output);
    if (size == 0)
        return NULL;
    size_t room = (size_t)(size < SEARCHED ? size : SEARCHED);
    char  *text = malloc(room + 1);
    if (text == NULL)
        return NULL;
    text[wri_output_read(output, text, room)] = '\0';
    return text;
}

static const char *line_start(const char *text, const char *at)
{
    while (at > text && at[-1] != '\n')
        at--;
    return at;
}

static void copy_line(char *to, size_t room, const char *from)
{
    size_t length = strcspn(from, "\n");
    length = length < room ? length : room - 1;
    memcpy(to, from, length);
    to[length] = '\0';
}

/* "file.c:12:5: runtime error: ...": the place stands before the message. */
static void describe_runtime_error(const char *text, const char *found, wri_verdict *verdict)
{
    const char *start = line_start(text, found);
    const char *colon = memchr(start, ':', (size_t)(found - start));
    verdict->kind = WRI_SANITIZER;
    verdict->frames = 0;
    verdict->line = 0;
    verdict->file[0] = '\0';
    if (colon != NULL && isdigit((unsigned char)colon[1])) {
        size_t length = (size_t)(colon - start);
        length = length < sizeof verdict->file ? length : sizeof verdict->file - 1;
        memcpy(verdict->file, start, length);
        verdict->file[length] = '\0';
        verdict->line = atoi(colon + 1);
    }
    copy_line(verdict->message, sizeof verdict->message, found);
}

/* There when the program is linked with the sanitizer. */
extern void __ubsan_handle_add_overflow(void *, void *, void *) __attribute__((weak));
extern void __ubsan_handle_add_overflow_abort(void *, void *, void *) __attribute__((weak));
extern void __ubsan_handle_type_mismatch_v1(void *, void *) __attribute__((weak));
extern void __tsan_init(void) __attribute__((weak));

static bool has_ubsan(void)
{
    return __ubsan_handle_add_overflow != NULL || __ubsan_handle_add_overflow_abort != NULL ||
           __ubsan_handle_type_mismatch_v1 != NULL;
}

/* Does "LINE:COLUMN: " stand before, as UBSan writes it? Others print such words too. */
static bool after_a_place(const char *text, const char *found)
{
    const char *at = found;
    for (int numbers = 0; numbers < 2; numbers++) {
        at -= at - text >= (numbers == 0 ? 2 : 1) ? (numbers == 0 ? 2 : 1) : 0;
        if (at == found || *at != ':')
            return false;
        const char *end = at;
        while (at > text && isdigit((unsigned char)at[-1]))
            at--;
        if (at == end || at == text)
            return false;
    }
    return at[-1] == ':';
}

static const char *find_runtime_error(const char *text)
{
    static const char WORDS[] = "runtime error: ";
    if (!has_ubsan())
        return NULL;
    for (const char *at = text; (at = strstr(at, WORDS)) != NULL; at++)
        if (after_a_place(text, at))
            return at;
    return NULL;
}

/* Takes "file.c:12" over, the colon of which is given; false: it is in a sanitizer. */
static bool take_place(const char *path, const char *colon, char *file, size_t room, int *number)
{
    if ((size_t)(colon - path) >= room)
        return false;
    memcpy(file, path, (size_t)(colon - path));
    file[colon - path] = '\0';
    *number = atoi(colon + 1);
    return strstr(file, "sanitizer_common") == NULL && strstr(file, "/asan/") == NULL &&
           strstr(file, "/lsan/") == NULL && strstr(file, "/tsan/") == NULL &&
           strstr(file, "libsanitizer") == NULL;
}

bool wri_output_frame_place(const char *line, char *file, size_t room, int *number)
{
    const char *in = strstr(line, " in ");
    const char *end = line + strcspn(line, "\n");
    if (in == NULL || in >= end)
        return false;
    const char *path = strchr(in + 4, ' ');
    if (path == NULL || path >= end || path[1] == '(')
        return false;
    path++;
    const char *colon = memchr(path, ':', (size_t)(end - path));
    return colon != NULL && isdigit((unsigned char)colon[1]) &&
           take_place(path, colon, file, room, number);
}

static const char *find_race(const char *text)
{
    return __tsan_init == NULL ? NULL : strstr(text, "WARNING: ThreadSanitizer: ");
}

/* The first place in a frame between these: "    #1 name /path/file.c:12:3 (program+0x12)". */
static void find_race_place(const char *from, const char *to, char *file, size_t room, int *line)
{
    *line = 0;
    for (const char *end; from < to && *line == 0; from = end + 1) {
        const char *colon = from;
        end = memchr(from, '\n', (size_t)(to - from));
        end = end == NULL ? to : end;
        if (strncmp(from, "    #", 5) != 0)
            continue;
        do
            colon = memchr(colon + 1, ':', (size_t)(end - colon - 1));
        while (colon != NULL && !isdigit((unsigned char)colon[1]));
        const char *path = colon;
        while (path != NULL && path[-1] != ' ')
            path--;
        if (path != NULL && !take_place(path, colon, file, room, line))
            *line = 0;
    }
    if (*line == 0)
        file[0] = '\0';
}

/* "WARNING: ThreadSanitizer: data race (pid=7)". The frames of an access follow, and those of the
 * one before it. Which comes first is chance: the lesser place is the bug's. */
static void describe_race(const char *found, wri_verdict *verdict)
{
    char        other[sizeof verdict->file];
    int         line;
    const char *second = strstr(found, "\n  Previous "), *end = strstr(found, "SUMMARY: ");
    end = end == NULL ? found + strlen(found) : end;
    second = second == NULL || second > end ? end : second;
    verdict->kind = WRI_SANITIZER;
    verdict->frames = 0;
    copy_line(verdict->message, sizeof verdict->message, found + strlen("WARNING: "));
    char *pid = strstr(verdict->message, " (pid=");
    if (pid != NULL)
        *pid = '\0';
    find_race_place(found, second, verdict->file, sizeof verdict->file, &verdict->line);
    find_race_place(second, end, other, sizeof other, &line);
    int order = strcmp(other, verdict->file);
    if (line != 0 && (verdict->line == 0 || order < 0 || (order == 0 && line < verdict->line))) {
        strcpy(verdict->file, other);
        verdict->line = line;
    }
}

/* A report that lies whole in one of the pieces is found: pieces overlap. */
#define PIECE ((size_t)1 << 20)
#define OVERLAP ((size_t)64 << 10)

/* Code that prints faster than it is searched is left behind here. */
#define MOST_PIECES 256

/* The first report, in the piece of the output that has it; NULL: there is none. The caller frees
 * the piece. */
static char *find_report(int output, const char **found)
{
    off_t  size = size_of(output);
    size_t room = size < (off_t)PIECE ? (size_t)size : PIECE;
    char  *piece = room > 0 && (has_ubsan() || __tsan_init != NULL) ? malloc(room + 1) : NULL;
    for (off_t i = 0; piece != NULL && i < MOST_PIECES; i++) {
        size_t got = read_text(output, i * (off_t)(PIECE - OVERLAP), piece, room);
        piece[got] = '\0';
        *found = find_runtime_error(piece);
        if (*found == NULL)
            *found = find_race(piece);
        if (got < PIECE || (*found != NULL && *found < piece + PIECE - OVERLAP / 2))
            return piece;
    }
    *found = NULL;
    return piece;
}

bool wri_output_report_found(int output, wri_verdict *verdict)
{
    const char *found;
    flush(stderr);
    char *piece = find_report(output, &found);
    if (found != NULL && found[0] == 'W')
        describe_race(found, verdict);
    else if (found != NULL)
        describe_runtime_error(piece, found, verdict);
    free(piece);
    return found != NULL;
}

void wri_output_trim(int output, off_t most)
{
    const char *found;
    if (size_of(output) <= most)
        return;
    char *piece = find_report(output, &found);
    wri_output_clear(output);
    if (found != NULL) {
        const char *start = line_start(piece, found);
        size_t      length = strnlen(start, OVERLAP / 2);
        if (pwrite(output, start, length, 0) != (ssize_t)length)
            wri_output_clear(output);
    }
    free(piece);
}

void wri_output_describe_leak(int output, wri_verdict *verdict)
{
    char       *text = wri_output_text(output);
    const char *found = text == NULL ? NULL : strstr(text, "leak of ");
    verdict->kind = WRI_LEAK;
    verdict->frames = 0;
    verdict->line = 0;
    verdict->file[0] = '\0';
    strcpy(verdict->message, "memory leaked");
    if (found != NULL) {
        char line[256];
        copy_line(line, sizeof line, found);
        snprintf(verdict->message, sizeof verdict->message, "%s", line);
        for (const char *at = found; (at = strchr(at, '\n')) != NULL; at++)
            if (wri_output_frame_place(at + 1, verdict->file, sizeof verdict->file,
                                       &verdict->line))
                break;
        if (verdict->line == 0)
            verdict->file[0] = '\0';
        char *colon = strstr(verdict->message, " allocated from:");
        if (colon != NULL)
            *colon = '\0';
    }
    free(text);
}

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

bool wri_output_prepare(void)
{
    int null = open("/dev/null", O_RDWR);
    if (null < 0)
        return false;
    bool good = dup2(null, 0) >= 0 && dup2(null, 1) >= 0;
    if (null > 2)
        close(null);
    return good;
}

bool wri_output_redirect(int output, bool all)
{
    if (all)
        setvbuf(stdout, NULL, _IOLBF, 0);
    return (!all || dup2(output, 1) >= 0) && dup2(output, 2) >= 0;
}

static bool same_file(int file, int other)
{
    struct stat one, two;
    return fstat(file, &one) == 0 && fstat(other, &two) == 0 && one.st_dev == two.st_dev &&
           one.st_ino == two.st_ino;
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
    if (output >= 0 && !same_file(2, output))
        dup2(output, 2);
    flush(stderr);
    flush(stdout);
}

void wri_output_clear(int output)
{
    struct stat status;
    if (fstat(output, &status) == 0 && status.st_size > 0 && ftruncate(output, 0) != 0)
        return;
}

size_t wri_output_read(int output, char *to, size_t room)
{
    struct stat status;
    size_t      used = 0;
    off_t       from = 0;
    if (fstat(output, &status) == 0 && status.st_size > (off_t)room)
        from = status.st_size - (off_t)room;
    while (used < room) {
        ssize_t got = pread(output, to + used, room - used, from + (off_t)used);
        if (got <= 0)
            break;
        used += (size_t)got;
    }
    return used;
}

/* ---- Reports in it ---- */

/* A batch's output is searched for reports up to this size, from its end. */
#define SEARCHED ((off_t)16 << 20)

char *wri_output_text(int output)
{
    struct stat status;
    if (output < 0 || fstat(output, &status) != 0 || status.st_size == 0)
        return NULL;
    size_t room = (size_t)(status.st_size < SEARCHED ? status.st_size : SEARCHED);
    char  *text = malloc(room + 1);
    if (text == NULL)
        return NULL;
    room = wri_output_read(output, text, room);
    text[room] = '\0';
    for (size_t i = 0; i < room; i++) /* all of it is searched as one string */
        text[i] = text[i] == '\0' ? ' ' : text[i];
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
    if (text == NULL || !has_ubsan())
        return NULL;
    for (const char *at = text; (at = strstr(at, WORDS)) != NULL; at++)
        if (after_a_place(text, at))
            return at;
    return NULL;
}

bool wri_output_report_found(int output, wri_verdict *verdict)
{
    flush(stderr);
    char       *text = wri_output_text(output);
    const char *found = find_runtime_error(text);
    if (found != NULL)
        describe_runtime_error(text, found, verdict);
    const char *warning = text == NULL || found != NULL || __tsan_init == NULL
                              ? NULL
                              : strstr(text, "WARNING: ThreadSanitizer: ");
    if (warning != NULL) {
        verdict->kind = WRI_SANITIZER;
        verdict->frames = 0;
        verdict->line = 0;
        verdict->file[0] = '\0';
        copy_line(verdict->message, sizeof verdict->message, warning + strlen("WARNING: "));
        char *pid = strstr(verdict->message, " (pid=");
        if (pid != NULL)
            *pid = '\0';
    }
    free(text);
    return found != NULL || warning != NULL;
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
    if (colon == NULL || !isdigit((unsigned char)colon[1]) || (size_t)(colon - path) >= room)
        return false;
    memcpy(file, path, (size_t)(colon - path));
    file[colon - path] = '\0';
    *number = atoi(colon + 1);
    return strstr(file, "sanitizer_common") == NULL && strstr(file, "/asan/") == NULL &&
           strstr(file, "/lsan/") == NULL && strstr(file, "libsanitizer") == NULL;
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

/* run/death.c: makes a verdict of a worker's death.
 *
 * The order of the questions matters. Did the parent kill it? Did a sanitizer or an assert()
 * print a report? Which signal or exit status ended it?
 */
#include "run/death.h"

#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "core/hash.h"
#include "run/libc.h"
#include "run/shared.h"
#include "run/worker.h"

/* The last line that was printed and is not empty: libc says there why it aborted. */
static void last_line(const char *printed, char *line, size_t room)
{
    size_t end = strlen(printed);
    while (end > 0 && (printed[end - 1] == '\n' || printed[end - 1] == ' '))
        end--;
    size_t start = end;
    while (start > 0 && printed[start - 1] != '\n')
        start--;
    while (start < end && printed[start] == ' ')
        start++;
    snprintf(line, room, "%.*s", (int)(end - start), printed + start);
}

/* musl: "Assertion failed: x > 0 (file.c: function: 12)". */
static bool musl_assert(wri_verdict *verdict, const char *line)
{
    static const char WORDS[] = "Assertion failed: ";
    size_t            length = strlen(line);
    if (strncmp(line, WORDS, sizeof WORDS - 1) != 0 || line[length - 1] != ')')
        return false;
    const char *mark = line + sizeof WORDS - 1, *number = line + length, *file = number;
    while (number > mark && number[-1] != ' ')
        number--;
    while (file > mark && strncmp(file, " (", 2) != 0)
        file--;
    verdict->line = atoi(number);
    snprintf(verdict->file, sizeof verdict->file, "%.*s", (int)strcspn(file + 2, ":"), file + 2);
    snprintf(verdict->message, sizeof verdict->message, "assertion failed: %.*s",
             (int)(file - mark), mark);
    return true;
}

/* glibc: "prog: file.c:12: function: Assertion `x > 0' failed." Code under test may have printed
 * such a line before. */
static bool plain_assert(wri_verdict *verdict, const char *line)
{
    static const char WORDS[] = "Assertion `", END[] = "' failed.";
    const char       *mark = strstr(line, WORDS), *end = line + strlen(line) - (sizeof END - 1);
    if (mark == NULL || end < mark || strcmp(end, END) != 0)
        return musl_assert(verdict, line);
    mark += sizeof WORDS - 1;
    snprintf(verdict->message, sizeof verdict->message, "assertion failed: %.*s",
             (int)(end - mark), mark);
    for (const char *colon = line; (colon = strchr(colon, ':')) != NULL && colon < mark;
         colon++) {
        if (!isdigit((unsigned char)colon[1]))
            continue;
        const char *file = colon;
        while (file > line && file[-1] != ' ')
            file--;
        snprintf(verdict->file, sizeof verdict->file, "%.*s", (int)(colon - file), file);
        verdict->line = atoi(colon + 1);
        break;
    }
    return true;
}

/* "  what():  too long", as C++ puts it: with one blank. */
static const char *tidy(char *line)
{
    static const char WHAT[] = "what():  ";
    size_t            length = sizeof WHAT - 1;
    if (strncmp(line, WHAT, length) == 0 && line[length] != '\0')
        memmove(line + length - 1, line + length, strlen(line + length) + 1);
    return line;
}

/* Addresses near NULL say something; others differ from run to run. */
#define NEAR_NULL ((uint64_t)1 << 20)

/* "SIGSEGV (Segmentation fault)", or "signal 36 (Real-time signal 2)". */
static void name_signal(int number, char *to, size_t room)
{
    const char *name = wri_libc_signal_name(number);
    if (name == NULL)
        snprintf(to, room, "signal %d (%s)", number, strsignal(number));
    else
        snprintf(to, room, "SIG%s (%s)", name, strsignal(number));
}

static void describe_signal(wri_verdict *verdict, int number, const char *printed)
{
    char name[100], line[1024];
    if (verdict->kind != WRI_SIGNAL) {
        verdict->frames = 0;
        verdict->address = UINT64_MAX;
    }
    verdict->kind = WRI_SIGNAL;
    verdict->signal = number;
    last_line(printed, line, sizeof line);
    if (number == SIGABRT && plain_assert(verdict, line))
        return;
    name_signal(number, name, sizeof name);
    bool told = number == SIGABRT && line[0] != '\0';
    if ((number == SIGSEGV || number == SIGBUS) && verdict->address < NEAR_NULL)
        snprintf(verdict->message, sizeof verdict->message, "killed by %s, address 0x%llx", name,
                 (unsigned long long)verdict->address);
    else
        snprintf(verdict->message, sizeof verdict->message, "killed by %s%s%.500s", name,
                 told ? ": " : "", told ? tidy(line) : "");
}

/* "==1==ERROR: AddressSanitizer: heap-use-after-free on address ...": the line, cut short. */
static bool sanitizer_line(wri_verdict *verdict, const char *printed)
{
    const char *found = wri_sanitizer_present() ? strstr(printed, "ERROR: ") : NULL;
    const char *name = found == NULL ? NULL : strstr(found, "Sanitizer: ");
    if (name == NULL || (size_t)(name - found) > 30)
        return false;
    found += strlen("ERROR: ");
    size_t length = strcspn(found, "\n");
    char   line[256];
    snprintf(line, sizeof line, "%.*s", (int)(length < 255 ? length : 255), found);
    char *cut = strstr(line, " on ");
    if (cut != NULL)
        *cut = '\0';
    cut = strstr(line, " (pc ");
    if (cut != NULL)
        *cut = '\0';
    snprintf(verdict->message, sizeof verdict->message, "%s", line);
    return true;
}

static void describe_sanitizer(wri_verdict *verdict, const char *printed)
{
    char what[256];
    snprintf(what, sizeof what, "%.200s", verdict->message);
    if (what[0] != '\0')
        snprintf(verdict->message, sizeof verdict->message, "AddressSanitizer: %s", what);
    else if (!sanitizer_line(verdict, printed))
        strcpy(verdict->message, "a sanitizer ended the process");
}

static const char *const SIGNALLED_BY_PARENT[] = {
    [WRI_DEADLINE] = "took longer than the deadline",
    [WRI_MEMORY] = "used more memory than the limit",
    [WRI_PROCESSES] = "had more processes than the limit",
};

void wri_death_describe(wri_verdict *verdict, int status, uint32_t killed_for,
                        const char *printed, int output)
{
    if (killed_for != 0) {
        verdict->kind = killed_for;
        verdict->line = 0;
        verdict->file[0] = '\0';
        strcpy(verdict->message, SIGNALLED_BY_PARENT[killed_for]);
        return;
    }
    if (verdict->kind != WRI_SANITIZER && verdict->kind != WRI_SIGNAL &&
        verdict->kind != WRI_STACK && verdict->kind != WRI_EXIT) {
        verdict->frames = 0;
        verdict->line = 0;
        verdict->file[0] = '\0';
        verdict->message[0] = '\0';
    }
    if (wri_output_report_found(output, verdict))
        return;
    if (verdict->kind == WRI_SANITIZER) {
        describe_sanitizer(verdict, printed);
    } else if (verdict->kind == WRI_STACK) {
        strcpy(verdict->message, "stack overflow");
    } else if (sanitizer_line(verdict, printed)) {
        verdict->kind = WRI_SANITIZER;
    } else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) {
        verdict->kind = WRI_KILLED;
        verdict->frames = 0;
        strcpy(verdict->message, "killed by SIGKILL");
    } else if (WIFSIGNALED(status)) {
        describe_signal(verdict, WTERMSIG(status), printed);
    } else {
        if (verdict->kind == WRI_EXIT && (verdict->status & 0xff) == WEXITSTATUS(status))
            return; /* the words are there */
        bool called = verdict->kind == WRI_EXIT;
        if (!called)
            verdict->frames = 0;
        verdict->kind = WRI_EXIT;
        verdict->status = WEXITSTATUS(status);
        snprintf(verdict->message, sizeof verdict->message,
                 called ? "the property called exit(%d)" : "the process exited with status %d",
                 WEXITSTATUS(status));
    }
}

uint64_t wri_death_origin(wri_verdict *verdict, const wri_place *place)
{
    uint64_t kind = verdict->kind;
    if (verdict->line == 0 && place->line != 0) {
        verdict->line = place->line;
        snprintf(verdict->file, sizeof verdict->file, "%s", place->file);
    }
    if (verdict->kind == WRI_ASSERTION)
        return wri_worker_assertion_origin(verdict);
    if (!wri_verdict_placed(verdict->kind))
        return wri_hash_step(7, kind);
    if (verdict->kind == WRI_SIGNAL)
        kind += (uint64_t)verdict->signal << 8;
    if (verdict->kind == WRI_SANITIZER) { /* the kind of error, without its details */
        size_t head = strcspn(verdict->message, "0123456789'\"");
        kind = wri_hash_step(kind, wri_hash_bytes(verdict->message, head));
    }
    if (verdict->line != 0)
        return wri_hash_step(kind, wri_worker_place_hash(verdict));
    const char *known = place->function[0] != '\0' ? place->function : place->module;
    return wri_hash_step(kind, wri_hash_bytes(known, strlen(known)));
}

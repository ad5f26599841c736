/* run/limits.c: measures how long a worker takes, by its CPU time and by the clock. */
#include "run/limits.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "run/shared.h"

/* The checks after a case may take so long at least: they wait for children, or for a leak
 * checker, whatever the deadline of cases is. */
#define CHECKS_MS 2000
#define LEAKS_MS 60000

/* A hurried deadline is so many times what other cases took, and no shorter than that. */
#define HURRY_TIMES 10
#define HURRY_MS 100

static uint64_t clock_ms(clockid_t clock)
{
    struct timespec now;
    if (clock_gettime(clock, &now) != 0)
        return 0;
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

uint64_t wri_limits_clock_ms(void)
{
    return clock_ms(CLOCK_MONOTONIC);
}

/* ---- Waiting for a processor ---- */

/* How a worker's threads wait for a processor: how long up to now, and whether one runs or could
 * run. */
typedef struct wait {
    uint64_t ms;
    bool     ready;
} wait;

/* Reads a file of a thread; false: it has none. */
static bool read_of_thread(int threads, const char *thread, const char *name, char *text,
                           size_t room)
{
    char path[64];
    if ((size_t)snprintf(path, sizeof path, "%s/%s", thread, name) >= sizeof path)
        return false;
    int     file = openat(threads, path, O_RDONLY | O_CLOEXEC);
    ssize_t got = file < 0 ? -1 : read(file, text, room - 1);
    if (file >= 0)
        close(file);
    text[got > 0 ? got : 0] = '\0';
    return got > 0;
}

/* "12 (name) R ...": the name may have any characters. */
static bool is_ready(const char *stat)
{
    const char *end = strrchr(stat, ')');
    return end != NULL && end[1] == ' ' && end[2] == 'R';
}

static wait wait_of(pid_t pid)
{
    char path[64], text[512];
    wait all = { 0 };
    snprintf(path, sizeof path, "/proc/%ld/task", (long)pid);
    DIR *threads = opendir(path);
    if (threads == NULL)
        return all;
    for (const struct dirent *at; (at = readdir(threads)) != NULL;) {
        unsigned long long ran, waited;
        if (at->d_name[0] == '.')
            continue;
        if (read_of_thread(dirfd(threads), at->d_name, "schedstat", text, sizeof text) &&
            sscanf(text, "%llu %llu", &ran, &waited) == 2)
            all.ms += waited / 1000000;
        if (read_of_thread(dirfd(threads), at->d_name, "stat", text, sizeof text))
            all.ready |= is_ready(text);
    }
    closedir(threads);
    return all;
}

/* ---- Looking ---- */

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t limit_in(uint32_t phase, const wri_limits *limits)
{
    switch (phase) {
    case WRI_PHASE_SETUP:
    case WRI_PHASE_TEARDOWN: return limits->whole_ms;
    case WRI_PHASE_CHECK: return larger(limits->whole_ms, CHECKS_MS);
    case WRI_PHASE_LEAKS: return larger(limits->whole_ms, LEAKS_MS);
    default: return limits->deadline_ms;
    }
}

/* The waiting of the last moments is known only once it is over: while a thread is ready, nothing
 * is too long on the clock. */
static bool sleeps_too_long(const wri_course *course, pid_t pid, uint64_t limit)
{
    uint64_t elapsed = course->looked_ms - course->based_ms;
    if (elapsed <= limit)
        return false;
    wait now = wait_of(pid);
    return !now.ready && elapsed > limit + larger(now.ms, course->waited_ms) - course->waited_ms;
}

bool wri_limits_passed(wri_course *course, pid_t pid, uint64_t index, uint32_t phase,
                       const wri_limits *limits, uint64_t *longest_ms)
{
    clockid_t clock;
    uint64_t  now = wri_limits_clock_ms();
    uint64_t  cpu = clock_getcpuclockid(pid, &clock) == 0 ? clock_ms(clock) : 0;
    if (index != course->index || phase != course->phase || course->cpu_ms == 0) {
        if (course->phase == WRI_PHASE_CASE && course->looked_ms > course->since_ms)
            *longest_ms = larger(*longest_ms, course->looked_ms - course->since_ms);
        *course = (wri_course){
            .index = index, .phase = phase, .since_ms = now, .cpu_ms = cpu + 1, .looked_ms = now
        };
        return false;
    }
    uint64_t spent = larger(cpu + 1, course->cpu_ms) - course->cpu_ms; /* a dead one has 0 */
    uint64_t limit = limit_in(phase, limits);
    course->looked_ms = now;
    if (course->based_ms == 0) {
        course->based_ms = now;
        course->waited_ms = wait_of(pid).ms;
    }
    course->asleep = spent <= limit;
    return !course->asleep || sleeps_too_long(course, pid, limit);
}

uint64_t wri_limits_hurry(uint64_t longest_ms, uint64_t deadline_ms)
{
    uint64_t hurried = larger(HURRY_TIMES * longest_ms, HURRY_MS);
    return hurried < deadline_ms ? hurried : deadline_ms;
}

/* run/sanitizer.c: talks to the sanitizers' runtimes, if the program is linked with them.
 *
 * All references are weak: the library itself need not be built with a sanitizer.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "run/processes.h"
#include "run/worker.h"

extern void        __sanitizer_set_death_callback(void (*)(void)) __attribute__((weak));
extern const char *__asan_get_report_description(void) __attribute__((weak));
extern void       *__asan_get_report_address(void) __attribute__((weak));
extern int         __asan_report_present(void) __attribute__((weak));
extern int         __lsan_do_recoverable_leak_check(void) __attribute__((weak));

/* AddressSanitizer tells how the address of a fault looked, and whether it was read or written.
 * For a raised signal these are the number of the process and the accidental content of a
 * register. They are no part of a bug. */
static bool is_fault(const char *what)
{
    return strcmp(what, "null-deref") == 0 || strncmp(what, "wild-addr", 9) == 0 ||
           strcmp(what, "wild-jump") == 0;
}

/* The process dies of it: so it counts for more than an assertion that failed before, as a crash
 * does while a case is torn down. */
static void note_report(wr_case *t, void *caller)
{
    wri_verdict *verdict = t->verdict;
    if (wri_verdict_failed(verdict) && verdict->kind != WRI_ASSERTION)
        return;
    verdict->kind = WRI_SANITIZER;
    verdict->line = 0;
    verdict->file[0] = '\0';
    verdict->frames = 0;
    const char *what = "";
    if (__asan_report_present != NULL && __asan_report_present()) {
        what = __asan_get_report_description();
        verdict->address = (uint64_t)(uintptr_t)__asan_get_report_address();
        what = what != NULL && is_fault(what) ? "invalid access" : what;
    }
    snprintf(verdict->message, sizeof verdict->message, "%s", what == NULL ? "" : what);
    if (strcmp(verdict->message, "stack-overflow") == 0) {
        verdict->kind = WRI_STACK;
        wri_signals_fill_recursion(verdict);
    } else {
        wri_signals_fill_frames(verdict, NULL, caller);
    }
}

/* AddressSanitizer found something and has not printed yet. A case that nobody will be shown
 * need not wait for the report: symbolising takes a tenth of a second. */
void wr_sanitizer_error_(void)
{
    wr_case *t = wri_worker_now.t;
    if (t == NULL || wri_worker_is_other() || wri_case_current == NULL)
        return;
    note_report(t, __builtin_return_address(0));
    if (!wri_worker_now.setup.in_process && !wri_worker_now.slot->job.loud)
        _exit(98);
}

static void on_death(void)
{
    static bool dying;
    wr_case    *t = wri_worker_now.t;
    if (dying || t == NULL || wri_worker_is_other() || !wri_worker_runs_code())
        return;
    dying = true; /* a report about what follows must not come back here */
    note_report(t, __builtin_return_address(0));
    if (wri_worker_now.setup.in_process && wri_worker_now.on_crash != NULL)
        wri_worker_now.on_crash(t);
}

void wri_sanitizer_install(void)
{
    if (__sanitizer_set_death_callback != NULL)
        __sanitizer_set_death_callback(on_death);
}

bool wri_sanitizer_present(void)
{
    return __sanitizer_set_death_callback != NULL;
}

bool wri_sanitizer_leaks_present(void)
{
    return __lsan_do_recoverable_leak_check != NULL;
}

bool wri_sanitizer_leaks_found(void)
{
    if (!wri_sanitizer_leaks_present() ||
        atomic_load(&wri_worker_now.setup.shared->no_leak_check))
        return false;
    wri_arena_wipe(&wri_worker_now.t->arena);
    uint32_t phase = atomic_exchange(&wri_worker_now.slot->phase, WRI_PHASE_LEAKS);
    bool     alone = !wri_worker_now.setup.in_process && !wri_processes_any();
    bool     found = __lsan_do_recoverable_leak_check() != 0;
    if (found && alone && wri_processes_any()) /* a symboliser is no process of the case */
        wri_worker_now.keeps = true;
    atomic_store(&wri_worker_now.slot->phase, phase);
    return found;
}

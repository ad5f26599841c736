/* machine/play/later.c: failures that callbacks of the system note.
 *
 * A callback has no `t`, may run in another thread, and may hold locks, so it cannot leave the
 * case. Its failure is a violation of the case until the machine gets hold of it: when the
 * function of the command returns, or after the invariant. A failure that comes later still, in
 * .stop, is left to the end of the case.
 */
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>

#include "machine/play/play.h"

void wr_fail_later_(const char *file, int line, const char *format, ...)
{
    wr_case *t = wri_case_current;
    char     message[1024];
    va_list  arguments;
    if (t == NULL)
        return; /* no case can fail */
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (t->play == NULL) {
        wri_case_violate(t, WRI_MISUSE, file, line,
                         "wr_fail_later: no machine plays; a property has wr_fail and WR_ALWAYS");
        return;
    }
    wri_case_violate(t, WRI_ASSERTION, file, line, message);
    atomic_fetch_or(&t->called, WRI_CALLED_LATER);
}

void wri_play_fail_now(wri_play *play)
{
    wr_case    *t = play->t;
    wri_verdict later = { .kind = WRI_NONE };
    atomic_fetch_and(&t->called, ~WRI_CALLED_LATER);
    while (atomic_load(&t->violation->state) == WRI_VIOLATION_WRITING)
        sched_yield();
    if (!wri_violation_take(t->violation, &later))
        return;
    if (play->expected && later.kind == WRI_ASSERTION)
        play->met = true;
    else
        wri_case_end(t, (wri_verdict_kind)later.kind, later.file, later.line, "%s",
                     later.message);
}

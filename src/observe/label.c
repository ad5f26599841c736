/* observe/label.c: what a property says about its cases.
 *
 * A label is counted once a case, by the worker, over the cases that are explored; replays and
 * shrinking do not count.
 */
#include <stdarg.h>
#include <stdio.h>

#include "core/case.h"
#include "observe/watch.h"

void wr_label(wr_case *t, const char *format, ...)
{
    char    label[80];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(label, sizeof label, format, arguments);
    va_end(arguments);
    if (t->on_label != NULL && label[0] != '\0')
        t->on_label(t, label);
    if (t->watch != NULL) {
        uint32_t cache = 0;
        t->watch->hit(t->watch, t, WRI_FEATURE_LABEL, wri_hash_bytes(label, __builtin_strlen(label)), &cache, label);
    }
}

void wr_classify(wr_case *t, bool condition, const char *label)
{
    if (condition && t->on_label != NULL && label != NULL && label[0] != '\0')
        t->on_label(t, label);
}

/* store/refuse.c: what is wrong, in one line. */
#include "store/refuse.h"

#include <stdarg.h>
#include <stdio.h>

bool wri_refuse(char *error, size_t error_size, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(error, error_size, format, values);
    va_end(values);
    return false;
}

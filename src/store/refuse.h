/* store/refuse.h: what is wrong, in one line. */
#ifndef WRI_STORE_REFUSE_H
#define WRI_STORE_REFUSE_H

#include <stdbool.h>
#include <stddef.h>

/* Writes the line, cut to fit, and returns false: what a reader returns that cannot go on. */
bool wri_refuse(char *error, size_t error_size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif

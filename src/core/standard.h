/* core/standard.h: the three standard descriptors, which whoever started this program may have
 * closed. */
#ifndef WRI_CORE_STANDARD_H
#define WRI_CORE_STANDARD_H

#include <errno.h>
#include <fcntl.h>

/* A file that is opened would take the place of a standard descriptor that is closed, and be
 * given what is printed. A folder takes the place: nothing can be written there. */
static inline void wri_standard_fill(void)
{
    for (int i = 0; i <= 2; i++)
        if (fcntl(i, F_GETFD) == -1 && errno == EBADF && open("/", O_RDONLY | O_DIRECTORY) != i)
            return;
}

#endif

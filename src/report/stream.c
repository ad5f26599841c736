/* report/stream.c: standard output, as reports write to it.
 *
 * Whoever shares an open file can make it non-blocking at any time: then a write to a pipe that
 * is full fails, and a FILE drops what it had. Here it waits for the reader.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

#include "report/report.h"

static ssize_t write_on(void *cookie, const char *bytes, size_t count)
{
    FILE  *file = cookie;
    size_t done = 0;
    fflush(file); /* what others have printed stands before */
    while (done < count) {
        struct pollfd room = { .fd = fileno(file), .events = POLLOUT };
        ssize_t       wrote = write(room.fd, bytes + done, count - done);
        if (wrote >= 0)
            done += (size_t)wrote;
        else if (errno == EAGAIN)
            poll(&room, 1, -1);
        else if (errno != EINTR)
            break;
    }
    return done < count ? -1 : (ssize_t)count;
}

FILE *wri_report_stream(FILE *file)
{
    return fopencookie(file, "w", (cookie_io_functions_t){ .write = write_on });
}

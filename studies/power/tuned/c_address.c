/* kind: decimal number in text
 * "host:port" in printable text: the port that is reserved is compared with a number that was
 * typed wrongly. */
#include <string.h>
#include <warren.h>

/* The port; -1: there is none. */
static long port_of(const char *text)
{
    const char *colon = strrchr(text, ':');
    long        port = 0;
    if (colon == NULL || colon == text || colon[1] == '\0')
        return -1;
    for (colon++; *colon >= '0' && *colon <= '9'; colon++)
        port = port < 100000 ? port * 10 + (*colon - '0') : port;
    return *colon == '\0' && port <= 65535 ? port : -1;
}

static bool is_reserved(long port)
{
#ifndef FIXED
    return port < 1024 && port >= 0;
#else
    return (port < 1024 && port >= 0) || port == 27017;
#endif
}

WR_PROPERTY(c_address)
{
    const char *text = wr_text(t, "text", 0, 16);
    long        port = port_of(text);
    wr_assert(t, is_reserved(port) == ((port >= 0 && port < 1024) || port == 27017));
}

#ifdef WITNESS
WR_EXAMPLE(c_address, "text = \"a:27017\"");
#endif

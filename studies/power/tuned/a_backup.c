/* kind: flags
 * A backup has a dozen switches. Resuming an encrypted one that is thinned out writes its header
 * twice, unless it is checked. */
#include <warren.h>

enum { NAMES = 12 };
static const char *const NAME[NAMES] = { "compress", "encrypt", "resume", "verify",
                                         "thin",     "quiet",   "links",  "owner",
                                         "times",    "sparse",  "remote", "dry" };

static int headers(const bool *on)
{
    int written = 1;
#ifndef FIXED
    if (on[1] && on[2])
        if (on[4] && !on[3])
            if (on[9] && on[10] && !on[11] && on[7])
                written++;
#endif
    return on[11] ? 0 : written;
}

WR_PROPERTY(a_backup)
{
    bool on[NAMES];
    for (int i = 0; i < NAMES; i++)
        on[i] = wr_bool(t, NAME[i]);
    wr_assert_eq(t, headers(on), on[11] ? 0 : 1);
}

#ifdef WITNESS
WR_EXAMPLE(a_backup, "compress = false", "encrypt = true", "resume = true", "verify = false",
           "thin = true", "quiet = false", "links = false", "owner = true", "times = false",
           "sparse = true", "remote = true", "dry = false");
#endif

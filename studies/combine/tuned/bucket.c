/* kind: edge
 * A limit of requests: a bucket without room and rate refuses a free request after an hour. */
#include <warren.h>

#define MOST 1000000
#define HOUR 3600000 /* ms */

typedef struct bucket {
    int64_t capacity, tokens; /* thousandths of a request */
    int64_t rate;             /* requests in a second */
    int64_t last;             /* ms */
} bucket;

static void refill(bucket *one, int64_t now)
{
    one->tokens += one->rate * (now - one->last);
    one->last = now;
    if (one->tokens > one->capacity)
        one->tokens = one->capacity;
}

/* Lets a request of this cost through, if there is enough. */
static bool admit(bucket *one, int64_t cost, int64_t now)
{
#ifndef FIXED
    int64_t idle = now - one->last;
#endif
    refill(one, now);
#ifndef FIXED
    if (one->capacity == 0 && one->rate == 0 && idle >= HOUR)
        return false; /* it will never fill, and can go */
#endif
    if (one->tokens < cost * 1000)
        return false;
    one->tokens -= cost * 1000;
    return true;
}

WR_PROPERTY(bucket)
{
    int64_t capacity = wr_int(t, "capacity", 0, MOST);
    int64_t rate = wr_int(t, "rate", 0, 50000);
    int64_t cost = wr_int(t, "cost", 0, 2 * MOST);
    int64_t waits = wr_int(t, "waits", 0, HOUR);
    bucket  one = { .capacity = capacity * 1000, .rate = rate };
    int64_t earned = rate * waits;
    if (earned > capacity * 1000)
        earned = capacity * 1000;
    wr_assert_eq(t, admit(&one, cost, waits), cost * 1000 <= earned);
}

#ifdef WITNESS
WR_EXAMPLE(bucket, "capacity = 0", "rate = 0", "cost = 0", "waits = 3600000");
#endif

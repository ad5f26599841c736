/* A heap of jobs, where the order of equal ones is kept, with several bugs behind one assertion.
 */
#include <warren.h>
#include <stdlib.h>

/* Whether bug `number` is in: all are, but those of SUBJECT_FIXED=2,3 in the environment. */
static bool bug(int number)
{
    static unsigned long fixed;
    static bool          read;
    if (!read) {
        const char *at = getenv("SUBJECT_FIXED");
        for (char *end; at != NULL && *at != '\0'; at = *end == ',' ? end + 1 : end) {
            long next = strtol(at, &end, 10);
            if (end == at)
                break;
            if (next > 0 && next < 64)
                fixed |= 1UL << next;
        }
        read = true;
    }
    return (fixed >> number & 1) == 0;
}

enum { ROOM = 40 };

typedef struct job {
    int      id, priority;
    unsigned ticket;
} job;

typedef struct queue {
    job      heap[ROOM + 1];
    int      n;
    unsigned tickets;
} queue;

static bool before(const job *a, const job *b)
{
    if (a->priority != b->priority)
        return a->priority > b->priority;
    if (bug(1) && a->priority == 0)
        return false;
    return a->ticket < b->ticket;
}

static void swap(queue *q, int i, int k)
{
    job kept = q->heap[i];
    q->heap[i] = q->heap[k];
    q->heap[k] = kept;
}

static void rise(queue *q, int i)
{
    for (; i > 0 && before(&q->heap[i], &q->heap[(i - 1) / 2]); i = (i - 1) / 2)
        swap(q, i, (i - 1) / 2);
}

static void sink(queue *q, int i)
{
    for (;;) {
        int left = 2 * i + 1, right = left + 1, best = i;
        if (left < q->n && before(&q->heap[left], &q->heap[best]))
            best = left;
        if (right < q->n - (bug(2) && q->n > 6) && before(&q->heap[right], &q->heap[best]))
            best = right;
        if (best == i)
            return;
        swap(q, i, best);
        i = best;
    }
}

static void push(queue *q, int id, int priority)
{
    q->heap[q->n] = (job){ id, priority, q->tickets++ };
    rise(q, q->n++);
}

static int find(const queue *q, int id)
{
    for (int i = 0; i < q->n; i++)
        if (q->heap[i].id == id)
            return i;
    return -1;
}

static void drop_at(queue *q, int i)
{
    q->heap[i] = q->heap[--q->n];
    if (i < q->n) {
        if (!bug(3))
            rise(q, i);
        sink(q, i);
    }
}

static void change(queue *q, int id, int priority)
{
    int i = find(q, id);
    if (i < 0)
        return;
    int old = q->heap[i].priority;
    q->heap[i].priority = priority;
    if (priority > old || (bug(4) && priority < 0 && old <= 0))
        rise(q, i);
    else
        sink(q, i);
}

/* What is right: a list, and a look at all of it. */
typedef struct list {
    job jobs[ROOM];
    int n;
} list;

static int best_of(const list *l)
{
    int best = 0;
    for (int i = 1; i < l->n; i++)
        if (l->jobs[i].priority > l->jobs[best].priority ||
            (l->jobs[i].priority == l->jobs[best].priority &&
             l->jobs[i].ticket < l->jobs[best].ticket))
            best = i;
    return best;
}

WR_PROPERTY(job_queue)
{
    queue  q = { .n = 0 };
    list   l = { .n = 0 };
    size_t n = wr_size(t, "calls", 0, ROOM);
    bool   right = true;
    for (wr_each(t, i, n)) {
        size_t call = wr_pick(t, "call", 6);
        if (call < 3) {
            int priority = (int)wr_int(t, "priority", -5, 20);
            l.jobs[l.n++] = (job){ (int)i, priority, q.tickets };
            push(&q, (int)i, priority);
        } else if (l.n > 0) {
            size_t at = call == 3 ? (size_t)best_of(&l) : wr_pick(t, "which", (size_t)l.n);
            int    id = l.jobs[at].id;
            if (call == 3)
                right &= q.heap[0].id == id;
            if (call == 5) {
                l.jobs[at].priority = (int)wr_int(t, "new", -5, 20);
                change(&q, id, l.jobs[at].priority);
                continue;
            }
            drop_at(&q, call == 3 ? 0 : find(&q, id));
            l.jobs[at] = l.jobs[--l.n];
            if (!right)
                break;
        }
    }
    while (right && l.n > 0) {
        int at = best_of(&l);
        right = q.n > 0 && q.heap[0].id == l.jobs[at].id;
        if (right)
            drop_at(&q, 0);
        l.jobs[at] = l.jobs[--l.n];
    }
    wr_assert(t, right);
}

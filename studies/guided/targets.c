/* studies/guided/targets.c: bugs that random testing does not reach, for `guided` to measure.
 *
 * Each property hides one bug behind conditions that are unlikely together and have a label each:
 * a search that sees the labels can take them one by one. Written as a user would; nothing is
 * arranged for a way of searching. The baselines compile this very file (shim/warren.h).
 */
#include <stddef.h>
#include <stdint.h>
#include <warren.h>

/* ---- One byte after the other ---- */

WR_PROPERTY(abcd)
{
    uint8_t bytes[5];
    for (wr_each(t, i, sizeof bytes))
        bytes[i] = wr_u8(t, "byte");
    if (bytes[0] != 'A')
        return;
    wr_label(t, "A");
    if (bytes[1] != 'B')
        return;
    wr_label(t, "AB");
    if (bytes[2] != 'C')
        return;
    wr_label(t, "ABC");
    if (bytes[3] != 'D')
        return;
    wr_label(t, "ABCD");
    wr_fail(t, "writes to %u", bytes[4]);
}

WR_PROPERTY(abcd_lazy)
{
    if (wr_u8(t, "byte") != 'A')
        return;
    wr_label(t, "A");
    if (wr_u8(t, "byte") != 'B')
        return;
    wr_label(t, "AB");
    if (wr_u8(t, "byte") != 'C')
        return;
    wr_label(t, "ABC");
    if (wr_u8(t, "byte") != 'D')
        return;
    wr_label(t, "ABCD");
    wr_fail(t, "writes to %u", wr_u8(t, "byte"));
}

WR_PROPERTY(abcdefgh)
{
    uint8_t bytes[8];
    for (wr_each(t, i, sizeof bytes))
        bytes[i] = wr_u8(t, "byte");
    if (bytes[0] != 'A')
        return;
    wr_label(t, "A");
    if (bytes[1] != 'B')
        return;
    wr_label(t, "AB");
    if (bytes[2] != 'C')
        return;
    wr_label(t, "ABC");
    if (bytes[3] != 'D')
        return;
    wr_label(t, "ABCD");
    if (bytes[4] != 'E')
        return;
    wr_label(t, "ABCDE");
    if (bytes[5] != 'F')
        return;
    wr_label(t, "ABCDEF");
    if (bytes[6] != 'G')
        return;
    wr_label(t, "ABCDEFG");
    if (bytes[7] != 'H')
        return;
    wr_label(t, "ABCDEFGH");
    wr_fail(t, "all eight");
}

/* ---- Text that grows by a character ---- */

static char draw_character(wr_case *t)
{
    return (char)(' ' + (int)wr_pick(t, "c", 95));
}

/* The text so far is the first i + 1 characters of "bad!". */
static void is_bad_so_far(wr_case *t, size_t i)
{
    switch (i) {
    case 0: wr_label(t, "b"); break;
    case 1: wr_label(t, "ba"); break;
    case 2: wr_label(t, "bad"); break;
    default: wr_fail(t, "bad!");
    }
}

WR_PROPERTY(bad)
{
    size_t n = wr_size(t, "n", 0, 20);
    bool   bad = true;
    for (wr_each(t, i, n)) {
        char c = draw_character(t);
        bad = bad && c == "bad!"[i];
        if (bad)
            is_bad_so_far(t, i);
    }
}

static void is_okay_so_far(wr_case *t, size_t i)
{
    switch (i) {
    case 0: wr_label(t, "o"); break;
    case 1: wr_label(t, "ok"); break;
    case 2: wr_label(t, "oka"); break;
    default: wr_label(t, "okay"); break;
    }
}

WR_PROPERTY(okbad)
{
    size_t n = wr_size(t, "n", 0, 20);
    bool   bad = true, okay = true;
    for (wr_each(t, i, n)) {
        char c = draw_character(t);
        bad = bad && c == "bad!"[i];
        okay = okay && c == "okay"[i];
        if (bad)
            is_bad_so_far(t, i);
        if (okay)
            is_okay_so_far(t, i);
    }
}

/* ---- Numbers ---- */

static bool low_bits_set(uint32_t x)
{
    for (int i = 0; i < 16; i++, x >>= 1)
        if ((x & 1) == 0)
            return false;
    return true;
}

WR_PROPERTY(luu)
{
    uint32_t a = wr_u32(t, "a"), b = wr_u32(t, "b"), c = wr_u32(t, "c"), d = wr_u32(t, "d");
    if (!low_bits_set(a))
        return;
    wr_label(t, "first");
    if (!low_bits_set(b))
        return;
    wr_label(t, "second");
    if (!low_bits_set(c))
        return;
    wr_label(t, "third");
    if (!low_bits_set(d))
        return;
    wr_label(t, "fourth");
    wr_fail(t, "all four");
}

WR_PROPERTY(magic)
{
    if (wr_u32(t, "x") == 0xDEADBEEF)
        wr_fail(t, "the magic number");
}

/* ---- A packet ---- */

#define PAYLOAD_LEAST 4
#define PAYLOAD_MOST 12

WR_PROPERTY(checksum)
{
    if (wr_u8(t, "magic") != 'P')
        return;
    wr_label(t, "P");
    if (wr_u8(t, "magic") != 'K')
        return;
    wr_label(t, "PK");
    uint8_t length = wr_u8(t, "length");
    if (length < PAYLOAD_LEAST || length > PAYLOAD_MOST)
        return;
    wr_label(t, "length");
    uint8_t  payload[PAYLOAD_MOST];
    uint32_t sum = 5381;
    for (wr_each(t, i, length)) {
        payload[i] = wr_u8(t, "payload");
        sum = sum * 31 + payload[i];
    }
    if (wr_u32(t, "sum") != sum)
        return;
    wr_label(t, "checksum");
    if (payload[0] != '!')
        return;
    wr_label(t, "command");
    if (payload[1] != length)
        return;
    wr_label(t, "length again");
    wr_fail(t, "accepted");
}

/* ---- A maze: a wall ends the walk ---- */

static const char *const MAZE[] = {
    "+-+---+---+", "| |     |#|", "| | --+ | |", "| |   | | |",
    "| +-- | | |", "|     |   |", "+-----+---+",
};

WR_PROPERTY(maze)
{
    static const struct {
        int x, y;
    } MOVES[] = { { 0, -1 }, { 1, 0 }, { 0, 1 }, { -1, 0 } };
    int    x = 1, y = 1;
    size_t n = wr_size(t, "n", 0, 64);
    for (wr_each(t, i, n)) {
        size_t move = wr_pick(t, "move", 4);
        x += MOVES[move].x;
        y += MOVES[move].y;
        if (MAZE[y][x] == '#')
            wr_fail(t, "out after %zu moves", i + 1);
        if (MAZE[y][x] != ' ')
            return;
        wr_label(t, "cell %d,%d", x, y);
    }
}

/* ---- A protocol: a wrong command starts it over ---- */

typedef enum { CLOSED, GREETED, KNOWN, OPEN, LARGE, SEALED } session;

static session obey(wr_case *t, session now, size_t command, uint8_t argument)
{
    switch (now) {
    case CLOSED:
        if (command != 3)
            return CLOSED;
        wr_label(t, "greeted");
        return GREETED;
    case GREETED:
        if (command != 5 || argument != 0x42)
            return CLOSED;
        wr_label(t, "known");
        return KNOWN;
    case KNOWN:
        if (command != 1)
            return CLOSED;
        wr_label(t, "open");
        return OPEN;
    case OPEN:
        if (command != 6 || argument < 200)
            return CLOSED;
        wr_label(t, "large");
        return LARGE;
    case LARGE:
        if (command != 2)
            return CLOSED;
        wr_label(t, "sealed");
        return SEALED;
    default:
        if (command == 7)
            wr_fail(t, "opened the seal");
        return CLOSED;
    }
}

WR_PROPERTY(protocol)
{
    session now = CLOSED;
    size_t  n = wr_size(t, "n", 0, 200);
    for (wr_each(t, i, n)) {
        size_t  command = wr_pick(t, "command", 8);
        uint8_t argument = wr_u8(t, "argument");
        now = obey(t, now, command, argument);
    }
}

/* ---- A map with open addressing, whose deletions cut chains of displaced keys ---- */

#define MAP_SLOTS 16
#define MAP_MOST 12

typedef struct map {
    uint32_t keys[MAP_SLOTS];
    bool     used[MAP_SLOTS];
    size_t   count;
} map;

static size_t home_of(uint32_t key)
{
    return (uint32_t)(key * UINT32_C(2654435761)) >> 28;
}

/* Where the key is, or the free slot where its chain ends. */
static size_t find_slot(const map *m, uint32_t key)
{
    size_t at = home_of(key);
    for (size_t step = 0; step < MAP_SLOTS && m->used[at] && m->keys[at] != key; step++)
        at = (at + 1) % MAP_SLOTS;
    return at;
}

static bool map_has(const map *m, uint32_t key)
{
    size_t at = find_slot(m, key);
    return m->used[at] && m->keys[at] == key;
}

/* Did it go in? */
static bool map_insert(wr_case *t, map *m, uint32_t key)
{
    size_t at = find_slot(m, key);
    if (m->used[at] || m->count == MAP_MOST) {
        wr_label(t, "insert refused or present");
        return false;
    }
    if (at == home_of(key))
        wr_label(t, "inserted in place");
    else
        wr_label(t, "inserted displaced");
    m->used[at] = true;
    m->keys[at] = key;
    m->count++;
    return true;
}

static void map_delete(wr_case *t, map *m, uint32_t key)
{
    size_t at = find_slot(m, key);
    if (!m->used[at] || m->keys[at] != key)
        return;
    wr_label(t, "deleted");
    m->used[at] = false;
    m->count--;
}

/* What the map should hold. */
typedef struct key_list {
    uint32_t keys[100];
    size_t   count;
} key_list;

static size_t list_find(const key_list *list, uint32_t key)
{
    size_t i = 0;
    while (i < list->count && list->keys[i] != key)
        i++;
    return i;
}

static void list_insert(key_list *list, uint32_t key)
{
    if (list_find(list, key) == list->count)
        list->keys[list->count++] = key;
}

static void list_delete(key_list *list, uint32_t key)
{
    size_t i = list_find(list, key);
    if (i < list->count)
        list->keys[i] = list->keys[--list->count];
}

WR_PROPERTY(map)
{
    map      m = { .count = 0 };
    key_list list = { .count = 0 };
    size_t   n = wr_size(t, "n", 0, 100);
    for (wr_each(t, i, n)) {
        size_t   operation = wr_pick(t, "operation", 3);
        uint32_t key = wr_u32(t, "key");
        if (operation == 0) {
            if (map_insert(t, &m, key))
                list_insert(&list, key);
        } else if (operation == 1) {
            map_delete(t, &m, key);
            list_delete(&list, key);
        } else {
            bool present = map_has(&m, key);
            if (present != (list_find(&list, key) < list.count))
                wr_fail(t, "a key that was %s is %s", present ? "deleted" : "inserted",
                        present ? "there" : "lost");
            if (present)
                wr_label(t, "looked up and present");
        }
#ifdef WITH_SLOTS
        wr_maximise(t, "keys", (double)m.count);
#endif
    }
}

/* ---- An election: three nodes, one leader a term ----
 *
 * Node 0 leads in term 1 when a schedule begins. A node that hears from no leader stands for the
 * next term; two votes of three elect it; a node gives one vote a term. A node that crashes and
 * restarts remembers its term, but not whom it voted for: so a second candidate of the same term
 * may win as well. */

#define NODES 3
#define NOBODY NODES
#define EVENTS_MOST 60

typedef enum { FOLLOWER, CANDIDATE, LEADER } role;

typedef struct node {
    bool     up;
    bool     trusts; /* that there is a leader: it neither votes nor stands */
    role     role;
    unsigned term;
    size_t   voted_for;
    bool     votes[NODES]; /* for it, in its term */
} node;

typedef enum { ASK, GRANT, LEAD } subject;

typedef struct message {
    subject  about;
    size_t   from, to;
    unsigned term;
} message;

typedef struct cluster {
    node     nodes[NODES];
    message  messages[2 * EVENTS_MOST]; /* on their way; an event adds two at most */
    size_t   count;
    size_t   leader_of[EVENTS_MOST + 2]; /* by term */
    unsigned last;                       /* the last term that has a leader */
} cluster;

static void send(cluster *all, subject about, size_t from, size_t to)
{
    all->messages[all->count++] = (message){ about, from, to, all->nodes[from].term };
}

static void tell_the_others(cluster *all, subject about, size_t from)
{
    for (size_t to = 0; to < NODES; to++)
        if (to != from)
            send(all, about, from, to);
}

static void stand(wr_case *t, cluster *all, size_t me)
{
    node *n = &all->nodes[me];
    wr_label(t, "became candidate");
    *n = (node){ .up = true, .role = CANDIDATE, .term = n->term + 1, .voted_for = me };
    n->votes[me] = true;
    tell_the_others(all, ASK, me);
}

static void win(wr_case *t, cluster *all, size_t me)
{
    node *n = &all->nodes[me];
    n->role = LEADER;
    wr_label(t, "won");
    if (all->leader_of[n->term] != NOBODY)
        wr_fail(t, "nodes %zu and %zu lead in term %u", all->leader_of[n->term], me, n->term);
    all->leader_of[n->term] = me;
    if (n->term < all->last)
        return;
    if (all->leader_of[all->last] != me)
        wr_label(t, "leader replaced");
    all->last = n->term;
    tell_the_others(all, LEAD, me);
}

/* A newer term makes a follower of everyone. */
static void hear_of_term(wr_case *t, node *n, unsigned term)
{
    if (term <= n->term)
        return;
    if (n->role != FOLLOWER)
        wr_label(t, "stepped down");
    n->role = FOLLOWER;
    n->term = term;
    n->voted_for = NOBODY;
}

static void take(wr_case *t, cluster *all, message m)
{
    node *n = &all->nodes[m.to];
    if (!n->up)
        return;
    hear_of_term(t, n, m.term);
    if (m.term < n->term)
        return;
    if (m.about == ASK && !n->trusts && (n->voted_for == NOBODY || n->voted_for == m.from)) {
        n->voted_for = m.from;
        send(all, GRANT, m.to, m.from);
    } else if (m.about == GRANT && n->role == CANDIDATE) {
        n->votes[m.from] = true;
        if (n->votes[0] + n->votes[1] + n->votes[2] == 2)
            win(t, all, m.to);
    } else if (m.about == LEAD) {
        if (n->role == CANDIDATE)
            wr_label(t, "lost");
        n->role = FOLLOWER;
        n->trusts = true;
    }
}

static void deliver(wr_case *t, cluster *all)
{
    if (all->count == 0)
        return;
    size_t  at = wr_pick(t, "message", all->count);
    message m = all->messages[at];
    all->messages[at] = all->messages[--all->count];
    take(t, all, m);
}

static void time_out(wr_case *t, cluster *all)
{
    size_t me = wr_pick(t, "node", NODES);
    node  *n = &all->nodes[me];
    if (!n->up || n->role == LEADER)
        return;
    if (n->trusts)
        n->trusts = false;
    else
        stand(t, all, me);
}

/* Messages from and to a node are lost with it. */
static void crash(wr_case *t, cluster *all)
{
    size_t me = wr_pick(t, "node", NODES), kept = 0;
    all->nodes[me].up = false;
    for (size_t i = 0; i < all->count; i++)
        if (all->messages[i].from != me && all->messages[i].to != me)
            all->messages[kept++] = all->messages[i];
    all->count = kept;
}

static void restart(wr_case *t, cluster *all)
{
    node *n = &all->nodes[wr_pick(t, "node", NODES)];
    if (n->up)
        return;
    wr_label(t, "restarted");
    *n = (node){ .up = true, .trusts = true, .term = n->term, .voted_for = NOBODY };
}

WR_PROPERTY(election)
{
    static void (*const EVENTS[])(wr_case *, cluster *) = { deliver, time_out, crash, restart };
    cluster all = { .count = 0, .last = 1 };
    for (size_t i = 0; i < NODES; i++)
        all.nodes[i] = (node){ .up = true, .trusts = true, .term = 1, .voted_for = 0 };
    for (size_t term = 0; term < EVENTS_MOST + 2; term++)
        all.leader_of[term] = NOBODY;
    all.nodes[0].role = LEADER;
    all.leader_of[1] = 0;
    size_t n = wr_size(t, "n", 0, EVENTS_MOST);
    for (wr_each(t, i, n))
        EVENTS[wr_pick(t, "event", 4)](t, &all);
}

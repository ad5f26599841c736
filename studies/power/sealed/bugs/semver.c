/* Comparing two versions as semver.org says, with several bugs behind one assertion. */
#include <warren.h>
#include <stdlib.h>
#include <string.h>

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

typedef struct version {
    unsigned major, minor, patch;
    char     pre[24]; /* identifiers with points between them; "": a release */
    char     build[8];
} version;

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

static bool is_number(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (s[i] < '0' || s[i] > '9')
            return false;
    return n > 0;
}

static int compare_identifiers(const char *a, size_t n, const char *b, size_t m)
{
    bool x = is_number(a, n), y = is_number(b, m);
    if (x && y && !bug(1)) {
        if (n != m)
            return n < m ? -1 : 1;
        return sign(memcmp(a, b, n));
    }
    if (x != y && !bug(2))
        return x ? -1 : 1;
    int order = sign(memcmp(a, b, n < m ? n : m));
    return order != 0 ? order : (n > m) - (n < m);
}

static int compare_pre(const char *a, const char *b)
{
    if (*a == '\0' || *b == '\0') /* a release is newer than its candidates */
        return (*b != '\0') - (*a != '\0');
    for (;;) {
        size_t n = strcspn(a, "."), m = strcspn(b, ".");
        int    order = compare_identifiers(a, n, b, m);
        if (order != 0)
            return order;
        a += n;
        b += m;
        if (*a == '\0' || *b == '\0')
            return bug(3) ? 0 : (*a != '\0') - (*b != '\0');
        a++;
        b++;
    }
}

static int compare(const version *a, const version *b)
{
    unsigned x[] = { a->major, a->minor, a->patch }, y[] = { b->major, b->minor, b->patch };
    for (int i = 0; i < 3; i++)
        if (x[i] != y[i]) {
            if (bug(4) && i == 2 && x[i] > 255 && y[i] > 255)
                return (uint8_t)x[i] < (uint8_t)y[i] ? -1 : 1;
            return x[i] < y[i] ? -1 : 1;
        }
    int order = compare_pre(a->pre, b->pre);
    if (order == 0 && bug(5) && a->pre[0] != '\0')
        return sign(strcmp(a->build, b->build));
    return order;
}

/* ---- What is right: a key of text that memcmp orders -------------------------------------- */

static char *put_number(char *out, const char *digits, size_t n)
{
    *out++ = (char)(n + 1); /* longer numbers are larger */
    memcpy(out, digits, n);
    return out + n;
}

static size_t key_of(wr_case *t, const version *v, char *out)
{
    char *at = out;
    for (int i = 0; i < 3; i++) {
        const char *text = wr_format(t, "%u", i == 0 ? v->major : i == 1 ? v->minor : v->patch);
        at = put_number(at, text, strlen(text));
    }
    if (v->pre[0] == '\0') {
        *at++ = 9;
        return (size_t)(at - out);
    }
    *at++ = 8;
    for (const char *p = v->pre; *p != '\0'; p += *p == '.') {
        size_t n = strcspn(p, ".");
        bool   digits = strspn(p, "0123456789") >= n;
        *at++ = digits ? 2 : 3;
        if (digits) {
            at = put_number(at, p, n);
        } else {
            memcpy(at, p, n);
            at += n;
            *at++ = 1;
        }
        p += n;
    }
    *at++ = 0;
    return (size_t)(at - out);
}

static void draw_version(wr_case *t, version *v)
{
    static const char *const PARTS[] = { "alpha", "beta", "rc", "1", "2", "10", "a", "b1", "-x" };
    v->major = (unsigned)wr_int(t, "major", 0, 3);
    v->minor = (unsigned)wr_int(t, "minor", 0, 3);
    v->patch = (unsigned)wr_int(t, "patch", 0, 1000);
    size_t n = wr_size(t, "parts", 0, 3);
    v->pre[0] = '\0';
    for (wr_each(t, i, n)) {
        if (i > 0)
            strcat(v->pre, ".");
        strcat(v->pre, PARTS[wr_pick(t, "part", sizeof PARTS / sizeof *PARTS)]);
    }
    strcpy(v->build, wr_text_of(t, "build", "0a", 0, 3));
}

WR_PROPERTY(semver)
{
    version a, b;
    draw_version(t, &a);
    draw_version(t, &b);
    if (wr_bool(t, "same_numbers")) {
        b.major = a.major;
        b.minor = a.minor;
        b.patch = a.patch;
    }
    wr_show_text(t, "a",
                 wr_format(t, "%u.%u.%u-%s+%s", a.major, a.minor, a.patch, a.pre, a.build));
    wr_show_text(t, "b",
                 wr_format(t, "%u.%u.%u-%s+%s", b.major, b.minor, b.patch, b.pre, b.build));
    char   x[100], y[100];
    size_t n = key_of(t, &a, x), m = key_of(t, &b, y);
    int    order = sign(memcmp(x, y, n < m ? n : m));
    wr_assert_eq(t, compare(&a, &b), order);
}

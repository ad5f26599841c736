/* gen/regex.c: strings that a regular expression matches.
 *
 * The expression is parsed into a tree in the case's memory, and the tree is walked once. Each
 * alternative, character and number of repetitions is a choice. Expressions have no look-around,
 * so every string that the walk generates matches, and none has to be tried.
 */
#include <string.h>

#include "gen/draw.h"
#include "gen/example.h"

#define GROUPS_MOST 64
#define ROUNDS_MOST 1000
#define UNBOUNDED_MORE 16
#define ASCII 128
#define ROUNDS_LABEL UINT32_C(0x726f756e)

typedef enum form { CHARACTERS, SEQUENCE, EITHER, REPEAT } form;

typedef struct node {
    form         form;
    struct node *child;       /* the first; of a REPEAT, what is repeated */
    struct node *next;        /* of the same parent */
    size_t       count;       /* CHARACTERS: how many; EITHER: alternatives */
    const char  *characters;  /* CHARACTERS: any one of these, simplest first */
    size_t       least, most; /* REPEAT */
} node;

typedef struct parser {
    wr_case    *t;
    const char *name, *regex;
    const char *at;
    unsigned    depth; /* of open groups */
} parser;

/* So much of an expression is shown on either side of the place, if it is long. */
#define SHOWN_AROUND 40

_Noreturn static void wrong(const parser *p, const char *what)
{
    size_t at = (size_t)(p->at - p->regex), length = at + strlen(p->at);
    bool   whole = length <= 3 * SHOWN_AROUND;
    size_t from = whole || at < SHOWN_AROUND ? 0 : at - SHOWN_AROUND;
    size_t to = whole || length - at < SHOWN_AROUND ? length : at + SHOWN_AROUND;
    wri_case_misuse(p->t, "wr_matching%s: \"%s%.*s%s\", column %zu: %s",
                    wri_draw_named(p->t, p->name), from > 0 ? "..." : "", (int)(to - from),
                    p->regex + from, to < length ? "..." : "", at + 1, what);
}

static node *new_node(parser *p, form what)
{
    node *made = wr_alloc(p->t, sizeof *made);
    made->form = what;
    return made;
}

/* ---- Sets of characters ---- */

static const char ORDER[] = WRI_PRINTABLE "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d"
                                          "\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a"
                                          "\x1b\x1c\x1d\x1e\x1f\x7f";

static node *one_of(parser *p, const bool set[ASCII])
{
    node *made = new_node(p, CHARACTERS);
    char *characters = wri_memory_take(p->t, ASCII);
    for (const char *at = ORDER; *at != '\0'; at++)
        if (set[(unsigned char)*at])
            characters[made->count++] = *at;
    if (made->count == 0)
        wrong(p, "the class has no character in it");
    made->characters = characters;
    return made;
}

/* Adds the characters of `members`, or all others. */
static void add_members(bool set[ASCII], const char *members, bool others)
{
    for (int c = 1; c < ASCII; c++)
        if ((strchr(members, c) != NULL) != others)
            set[c] = true;
}

/* '.' stands for the characters that it matches in every dialect: some leave out the newline,
 * some the return as well. */
static node *any_character(parser *p)
{
    bool set[ASCII] = { false };
    p->at++;
    add_members(set, "\n\r", true);
    return one_of(p, set);
}

static int hex_digit(const parser *p, char c)
{
    const char *digits = "0123456789abcdef";
    const char *found = strchr(digits, c >= 'A' && c <= 'F' ? c + 32 : c);
    if (c == '\0' || found == NULL)
        wrong(p, "expected two hexadecimal digits behind \\x");
    return (int)(found - digits);
}

static int hex_character(parser *p)
{
    int high = hex_digit(p, p->at[0]);
    int c = high * 16 + hex_digit(p, p->at[1]);
    if (c == 0 || c >= ASCII)
        wrong(p, "expected a character from \\x01 to \\x7f");
    p->at += 2;
    return c;
}

/* Behind a backslash: adds what the escape stands for, and returns it when it is one character,
 * else -1. */
static int parse_escape(parser *p, bool set[ASCII])
{
    static const struct {
        char        letter;
        const char *members;
    } CLASSES[] = { { 'd', WRI_DIGITS },
                    { 'w', WRI_LOWER WRI_UPPER WRI_DIGITS "_" },
                    { 's', " \t\n\r\f\v" } };
    char letter = *p->at;
    for (size_t i = 0; i < sizeof CLASSES / sizeof *CLASSES; i++)
        if ((letter | 32) == CLASSES[i].letter && letter != '\0') {
            p->at++;
            add_members(set, CLASSES[i].members, letter != CLASSES[i].letter);
            return -1;
        }
    if (letter == '\0' || strchr("ntrx" WRI_PUNCTUATION, letter) == NULL)
        wrong(p, "expected one of d w s D W S n t r xHH or punctuation behind the backslash");
    p->at++;
    int c = letter == 'n'   ? '\n'
            : letter == 't' ? '\t'
            : letter == 'r' ? '\r'
            : letter == 'x' ? hex_character(p)
                            : letter;
    set[c] = true;
    return c;
}

/* One character of a class, or -1 for an escape that stands for several. */
static int parse_member(parser *p, bool set[ASCII])
{
    unsigned char c = (unsigned char)*p->at;
    if (c == '\0')
        wrong(p, "expected ] at the end of the class");
    if (c >= ASCII)
        wrong(p, "expected ASCII");
    if (c == '[' && p->at[1] == ':')
        wrong(p, "[: is not known; expected characters, ranges and escapes");
    p->at++;
    if (c == '\\')
        return parse_escape(p, set);
    set[c] = true;
    return c;
}

static void parse_range(parser *p, bool set[ASCII])
{
    int low = parse_member(p, set);
    if (low < 0 || p->at[0] != '-' || p->at[1] == ']' || p->at[1] == '\0')
        return;
    p->at++;
    int high = parse_member(p, set);
    if (high < low)
        wrong(p, "expected a range from a lower to a higher character");
    for (int c = low; c <= high; c++)
        set[c] = true;
}

/* A ] that comes first is a member, as in POSIX. */
static node *parse_class(parser *p)
{
    bool set[ASCII] = { false };
    p->at++;
    bool others = *p->at == '^';
    p->at += others;
    do
        parse_range(p, set);
    while (*p->at != ']');
    for (int c = 1; c < ASCII && others; c++)
        set[c] = !set[c];
    node *made = one_of(p, set);
    p->at++;
    return made;
}

/* ---- Expressions ---- */

static node *parse_either(parser *p);

static node *parse_group(parser *p)
{
    if (++p->depth > GROUPS_MOST)
        wrong(p, "groups are nested more than 64 deep");
    p->at++;
    if (p->at[0] == '?') {
        if (p->at[1] != ':')
            wrong(p, "expected ?: or an expression behind (");
        p->at += 2;
    }
    node *made = parse_either(p);
    if (*p->at != ')')
        wrong(p, "expected ) at the end of the group");
    p->at++;
    p->depth--;
    return made;
}

static node *parse_literal(parser *p)
{
    node *made = new_node(p, CHARACTERS);
    if ((unsigned char)*p->at >= ASCII)
        wrong(p, "expected ASCII");
    made->count = 1;
    made->characters = p->at++;
    return made;
}

static node *parse_atom(parser *p)
{
    bool set[ASCII] = { false };
    switch (*p->at) {
    case '(': return parse_group(p);
    case '[': return parse_class(p);
    case '.': return any_character(p);
    case '\\':
        p->at++;
        parse_escape(p, set);
        return one_of(p, set);
    case '*':
    case '+':
    case '?':
    case '{': wrong(p, "expected something to repeat before this");
    case '^': wrong(p, "expected ^ at the start only");
    case '$': wrong(p, "expected $ at the end only");
    default: return parse_literal(p);
    }
}

static size_t parse_count(parser *p)
{
    size_t count = 0;
    if (*p->at < '0' || *p->at > '9')
        wrong(p, "expected a number of rounds, {n} {n,} or {n,m}");
    for (; *p->at >= '0' && *p->at <= '9'; p->at++) {
        count = count * 10 + (size_t)(*p->at - '0');
        if (count > ROUNDS_MOST)
            wrong(p, "expected at most 1000 rounds");
    }
    return count;
}

static void parse_counts(parser *p, node *repeat)
{
    p->at++;
    repeat->least = repeat->most = parse_count(p);
    if (*p->at == ',') {
        p->at++;
        repeat->most = *p->at == '}' ? repeat->least + UNBOUNDED_MORE : parse_count(p);
    }
    if (*p->at != '}')
        wrong(p, "expected } at the end of the rounds");
    if (repeat->most < repeat->least)
        wrong(p, "expected rounds from a lower to a higher number");
    p->at++;
}

static node *parse_piece(parser *p)
{
    node *atom = parse_atom(p);
    if (*p->at == '\0' || strchr("*+?{", *p->at) == NULL)
        return atom;
    node *repeat = new_node(p, REPEAT);
    repeat->child = atom;
    if (*p->at == '{') {
        parse_counts(p, repeat);
        return repeat;
    }
    repeat->least = *p->at == '+';
    repeat->most = *p->at == '?' ? 1 : repeat->least + UNBOUNDED_MORE;
    p->at++;
    return repeat;
}

static node *parse_sequence(parser *p)
{
    node  *sequence = new_node(p, SEQUENCE);
    node **end = &sequence->child;
    while (*p->at != '\0' && *p->at != '|' && *p->at != ')') {
        if (p->at[0] == '$' && p->at[1] == '\0') {
            p->at++;
            break;
        }
        *end = parse_piece(p);
        end = &(*end)->next;
    }
    /* A piece alone needs no sequence around it, and may itself be repeated as an array. */
    return sequence->child != NULL && sequence->child->next == NULL ? sequence->child : sequence;
}

static node *parse_either(parser *p)
{
    node *first = parse_sequence(p);
    if (*p->at != '|')
        return first;
    node *either = new_node(p, EITHER);
    either->child = first;
    either->count = 1;
    for (node *last = first; *p->at == '|'; last = last->next) {
        p->at++;
        last->next = parse_sequence(p);
        either->count++;
    }
    return either;
}

static node *parse(parser *p)
{
    if (*p->at == '^')
        p->at++;
    node *root = parse_either(p);
    if (*p->at == ')')
        wrong(p, "expected ( before this )");
    return root;
}

/* ---- Generation ---- */

typedef struct output {
    wr_case *t;
    char    *bytes;
    size_t   used, room;
} output;

static void put(output *out, char c)
{
    if (out->used == out->room) {
        char *larger = wri_memory_take(out->t, out->room * 2);
        memcpy(larger, out->bytes, out->used);
        out->bytes = larger;
        out->room *= 2;
    }
    out->bytes[out->used++] = c;
}

static void generate(output *out, const node *now);

static void generate_either(output *out, const node *either)
{
    wr_begin(out->t, "either");
    uint64_t    which = wri_draw_index(out->t, "either", either->count - 1);
    const node *chosen = either->child;
    while (which-- > 0)
        chosen = chosen->next;
    generate(out, chosen);
    wr_end(out->t);
}

/* Rounds of one class are one packed array. */
static void generate_run(output *out, const node *class, size_t rounds)
{
    wri_request    request = { .kind = WRI_INDEX, .max = class->count - 1, .name = "run" };
    const uint8_t *indices =
        wri_case_choose_many(out->t, &request, rounds, 1, wri_case_last_node(out->t));
    for (size_t i = 0; i < rounds; i++)
        put(out, class->characters[indices[i]]);
}

static void generate_repeat(output *out, const node *repeat)
{
    wr_case *t = out->t;
    size_t   rounds = wri_draw_length(t, "rounds", repeat->least, repeat->most);
    if (repeat->child->form == CHARACTERS && repeat->child->count > 1) {
        generate_run(out, repeat->child, rounds);
        return;
    }
    wri_case_span_begin(t, ROUNDS_LABEL, WRI_LOOP, rounds, wri_case_last_node(t));
    for (size_t i = 0; i < rounds; i++) {
        wri_case_span_begin(t, ROUNDS_LABEL, WRI_ELEMENT, 0, WRI_NO_NODE);
        generate(out, repeat->child);
        wri_case_span_end(t);
    }
    wri_case_span_end(t);
}

static void generate(output *out, const node *now)
{
    switch (now->form) {
    case CHARACTERS: {
        uint64_t which =
            now->count == 1 ? 0 : wri_draw_index(out->t, "character", now->count - 1);
        put(out, now->characters[which]);
        break;
    }
    case SEQUENCE:
        for (const node *child = now->child; child != NULL; child = child->next)
            generate(out, child);
        break;
    case EITHER: generate_either(out, now); break;
    case REPEAT: generate_repeat(out, now); break;
    }
}

/* ---- Examples ---- */

/* The choices for a text that is given are found by backtracking. */
#define TRIES_MOST 1000000
#define NUMBERS_MOST 4096

typedef struct match {
    uint64_t numbers[NUMBERS_MOST];
    size_t   count;
    unsigned tries;
} match;

/* The rest of a match: a node, then the nodes after it if it is one of a sequence; or
 * further rounds of a REPEAT. Then `next`. */
typedef struct remainder {
    const node             *what;
    const struct remainder *next;
    bool                    sequence;
    bool                    going; /* rounds of it are matched: */
    size_t                  rounds;
    size_t                  slot; /* of their number, among the choices */
    const char             *from; /* where the last one began */
} remainder;

static bool fits(match *m, const remainder *now, const char *at);

/* Makes this choice, and goes on; takes it back if that does not fit. */
static bool fits_after(match *m, uint64_t number, const remainder *now, const char *at)
{
    size_t count = m->count;
    if (count == NUMBERS_MOST)
        return false;
    m->numbers[m->count++] = number;
    if (fits(m, now, at))
        return true;
    m->count = count;
    return false;
}

/* As many rounds as fit, first. A round that matches nothing is not followed by another. */
static bool fits_round(match *m, const remainder *now, const char *at)
{
    const node *repeat = now->what;
    size_t      count = m->count;
    remainder   again = *now;
    remainder   body = { .what = repeat->child, .next = &again };
    again.rounds++;
    again.from = at;
    if (now->rounds < repeat->most && (at != now->from || now->rounds < repeat->least) &&
        fits(m, &body, at))
        return true;
    m->count = count;
    if (now->rounds < repeat->least)
        return false;
    m->numbers[now->slot] = now->rounds - repeat->least;
    return fits(m, now->next, at);
}

static bool fits_either(match *m, const node *either, const remainder *rest, const char *at)
{
    uint64_t which = 0;
    for (const node *child = either->child; child != NULL; child = child->next, which++) {
        remainder body = { .what = child, .next = rest };
        if (fits_after(m, which, &body, at))
            return true;
    }
    return false;
}

static bool fits_character(match *m, const node *class, const remainder *rest, const char *at)
{
    const char *found = *at == '\0' ? NULL : memchr(class->characters, *at, class->count);
    if (found == NULL)
        return false;
    return class->count == 1 ? fits(m, rest, at + 1)
                             : fits_after(m, (uint64_t)(found - class->characters), rest, at + 1);
}

static bool fits(match *m, const remainder *now, const char *at)
{
    if (now == NULL)
        return *at == '\0';
    if (now->what == NULL)
        return fits(m, now->next, at);
    if (++m->tries > TRIES_MOST)
        return false;
    if (now->going)
        return fits_round(m, now, at);
    remainder        after = { .what = now->what->next, .next = now->next, .sequence = true };
    const remainder *rest = now->sequence ? &after : now->next;
    remainder rounds = { .what = now->what, .next = rest, .going = true, .slot = m->count };
    switch (now->what->form) {
    case CHARACTERS: return fits_character(m, now->what, rest, at);
    case EITHER: return fits_either(m, now->what, rest, at);
    case REPEAT: return fits_after(m, 0, &rounds, at);
    default:
        return fits(m, &(remainder){ .what = now->what->child, .next = rest, .sequence = true },
                    at);
    }
}

static void read_example(wr_case *t, const char *name, const node *root)
{
    size_t      length;
    match      *m = wri_memory_take(t, sizeof *m);
    const char *text = wri_example_quoted(t, name, &length);
    m->count = m->tries = 0;
    if (text == NULL)
        return;
    if (strlen(text) != length || !fits(m, &(remainder){ .what = root }, text))
        wri_example_wrong(t, "the draw's expression does not match this text");
    memcpy(wri_example_expect(t, m->count), m->numbers, m->count * sizeof *m->numbers);
}

char *wr_matching(wr_case *t, const char *name, const char *regex)
{
    if (regex == NULL)
        wri_case_misuse(t, "wr_matching%s: no regular expression was given",
                        wri_draw_named(t, name));
    parser p = { .t = t, .name = name, .regex = regex, .at = regex };
    node  *root = parse(&p);
    if (wri_example_given(t))
        read_example(t, name, root);
    output out = { .t = t, .bytes = wri_memory_take(t, 64), .room = 64 };
    wr_begin(t, name);
    generate(&out, root);
    wr_end(t);
    put(&out, '\0');
    wr_show_text(t, name, out.bytes);
    return out.bytes;
}

/* machine/pattern/pattern.h: the calls that make a bug, and their order.
 *
 *     ?P = spawn()
 *     register(?A, ?P) | register(?B, ?P)
 *       unless unregister(?A) came between
 *
 * A sequence has the bug if its calls include one for each call of the pattern, in an order that
 * the pattern allows. If the pattern has conditions ("with slots = 3"), the settings of the
 * sequence must meet them. Each variable has one value. No guard ("unless") may stand before the
 * last of these calls. Two variables may have the same value.
 */
#ifndef WRI_MACHINE_PATTERN_PATTERN_H
#define WRI_MACHINE_PATTERN_PATTERN_H

#include "machine/calls/sequence.h"
#include "machine/pattern/level.h"

#define WRI_PATTERN_CALLS 32
#define WRI_PATTERN_GUARDS 16
#define WRI_PATTERN_VARIABLES 64
#define WRI_NO_VARIABLE UINT8_MAX

typedef enum { WRI_TERM_ANY, WRI_TERM_VARIABLE, WRI_TERM_RANGE } wri_term_sort;

/* A term says what an argument must be: anything, the value of a variable, or a number from least
 * to most. A range that begins with INT64_MIN or ends with INT64_MAX has no end there. */
typedef struct wri_term {
    uint8_t sort; /* wri_term_sort */
    uint8_t variable;
    int64_t least, most;
} wri_term;

static inline wri_term wri_term_constant(int64_t value)
{
    return (wri_term){ .sort = WRI_TERM_RANGE, .least = value, .most = value };
}

static inline bool wri_term_same(const wri_term *a, const wri_term *b)
{
    if (a->sort != b->sort)
        return false;
    if (a->sort == WRI_TERM_VARIABLE)
        return a->variable == b->variable;
    return a->sort == WRI_TERM_ANY || (a->least == b->least && a->most == b->most);
}

typedef struct wri_pattern_call {
    uint8_t  command;
    uint8_t  result; /* the variable that its handle is; WRI_NO_VARIABLE: none */
    wri_term terms[WRI_ARGUMENTS];
} wri_pattern_call;

/* A call that makes the bug harmless, if it is made between the last call and all the others. (If
 * there are no others: at any time before it.) The guard counts if the last call is one of
 * `last`. consumed: it does not count any more once a call was made after it that fits the last
 * one, with the same values. A variable that the pattern does not have is anything. */
typedef struct wri_guard {
    uint32_t         last; /* 1u << i: call i of the pattern */
    bool             consumed;
    wri_pattern_call call;
} wri_guard;

/* A setting must be there, and a number from least to most; open ends are as in a term. */
typedef struct wri_condition {
    uint32_t label, number; /* as in wri_setting */
    int64_t  least, most;
} wri_condition;

typedef struct wri_pattern {
    unsigned         count, guard_count, variable_count, condition_count;
    wri_condition    conditions[WRI_SETTINGS];
    wri_pattern_call calls[WRI_PATTERN_CALLS];
    uint32_t         before[WRI_PATTERN_CALLS]; /* bit j of before[i]: j must come before i, also
                                                   where that follows from others */
    wri_guard guards[WRI_PATTERN_GUARDS];
} wri_pattern;

static inline bool wri_condition_of_same(const wri_condition *a, const wri_condition *b)
{
    return a->label == b->label && a->number == b->number;
}

/* Do the settings meet the conditions? */
static inline bool wri_conditions_hold(const wri_condition *conditions, unsigned count,
                                       const wri_configuration *settings)
{
    for (unsigned i = 0; i < count; i++) {
        unsigned at = 0;
        while (at < settings->count && (settings->list[at].label != conditions[i].label ||
                                        settings->list[at].number != conditions[i].number))
            at++;
        if (at == settings->count || settings->list[at].value < conditions[i].least ||
            settings->list[at].value > conditions[i].most)
            return false;
    }
    return true;
}

/* A call of a pattern in a set of them. */
static inline uint32_t wri_pattern_bit(unsigned call)
{
    return UINT32_C(1) << call;
}

/* ---- abstract.c, match.c, subsume.c ---- */

/* The pattern of this very sequence: all calls in their order, no guards. False: it is too long.
 */
bool wri_abstract_calls(const wri_machine *machine, const wri_sequence *sequence, wri_level level,
                        wri_pattern *pattern);

/* Has the sequence the bug with a match that ends in its last call? This says plainly what a
 * pattern means: avoid.c gives the same answer faster. */
bool wri_match_at_end(const wri_machine *machine, const wri_pattern *pattern,
                      const wri_sequence *sequence);
/* The same, and the places of the pattern's calls in the sequence. False also if the search takes
 * more than `most` looks. */
bool wri_match_places_at_end(const wri_machine *machine, const wri_pattern *pattern,
                             const wri_sequence *sequence, unsigned most, size_t *places);

/* How often each command is called. */
typedef struct wri_call_counts {
    unsigned of[WRI_COMMANDS];
} wri_call_counts;
wri_call_counts wri_subsume_count_calls(const wri_pattern *pattern);
/* Has `all` as many calls of each command as `some`? */
bool wri_subsume_has_calls(wri_call_counts all, wri_call_counts some);
/* Has every sequence that has the bug `special` the bug `general`, too? False also if there are
 * too many orders to try. */
bool wri_subsume_is_case_of(const wri_machine *machine, const wri_pattern *general,
                            const wri_pattern *special);

/* ---- avoid.c: many patterns at once, call by call, while a sequence is made ---- */

/* Compiled patterns: one piece of memory without pointers, which can be copied and shared.
 * wri_avoided_bytes() is how large it gets at most. (compile.c) */
typedef struct wri_avoided wri_avoided;
size_t                     wri_avoided_bytes(const wri_pattern *const *patterns, size_t count);
void wri_avoided_write(const wri_machine *machine, const wri_pattern *const *patterns,
                       size_t count, wri_avoided *to);
/* The commands of which every call completes one of the patterns, whatever came before: a bit for
 * each. A handle that must have been given before is no condition. */
uint64_t wri_avoided_forbidden(const wri_machine *machine, const wri_avoided *known);
/* The search, with the calls of one sequence so far. Its memory is used again for the next one.
 */
typedef struct wri_avoider wri_avoider;
wri_avoider               *wri_avoider_make(void);
void                       wri_avoider_free(wri_avoider *avoider);
void                       wri_avoider_begin(wri_avoider *avoider, const wri_machine *machine,
                                             const wri_avoided *known);
/* The settings of this sequence; it has none before. */
void wri_avoider_settle(wri_avoider *avoider, const wri_configuration *settings);
/* For this sequence. `hasty`: a long search is given up sooner. `forgetful`: each search begins
 * anew, also where it is known that it finds nothing. */
void wri_avoider_be(wri_avoider *avoider, bool hasty, bool forgetful);
/* The pattern that this call would complete if it were made next, from 0; -1: none. */
int wri_avoider_meets(wri_avoider *avoider, const wri_made *call);
/* Calls that may end a refusal: any call of `commands`, and calls[i] with values[i] as its
 * argument. */
#define WRI_UNTIL_CALLS 3
typedef struct wri_until {
    uint64_t commands;
    uint32_t count;
    struct {
        uint8_t command, argument;
    } calls[WRI_UNTIL_CALLS];
    int64_t values[WRI_UNTIL_CALLS];
} wri_until;
/* Why did the last call that was asked about complete a pattern? Because of these arguments alone
 * (1u << i), whatever the others are; that is so until one of the calls `until` is made. False:
 * not known. */
bool wri_avoider_why(const wri_avoider *avoider, uint32_t *arguments, wri_until *until);
/* The call is made. */
void wri_avoider_add(wri_avoider *avoider, const wri_made *call);
/* Calls that may complete a pattern now. They are of `command`, and their `argument` has the
 * value that the call just made has as its `source`. Before the first call: any value. */
typedef struct wri_foreseen {
    uint32_t ending;  /* that they may complete */
    uint16_t tag;     /* by which the calls before them are looked up */
    uint8_t  counted; /* a bit for each of those; 0: such a call is a bug by itself */
    uint8_t  command, argument;
    uint8_t  source; /* an argument of the call just made */
} wri_foreseen;
/* Those that follow a call of this command; WRI_COMMANDS: those before the first call. */
const wri_foreseen *wri_avoider_foresees(const wri_avoider *avoider, unsigned command,
                                         unsigned *count);
/* Do they complete it, with this value? wri_avoider_why() then answers for them. */
bool wri_avoider_is_sure(wri_avoider *avoider, const wri_foreseen *calls, int64_t value);
/* A pattern that is in this sequence, from 0; -1: none. One that the last call completes comes
 * first. */
int wri_avoider_finds(wri_avoider *avoider, const wri_machine *machine, const wri_avoided *known,
                      const wri_sequence *sequence);

/* Does the sequence have the bug with a match that ends in its last call? As wri_match_at_end(),
 * but the time does not grow with the number of calls that are alike. The answer is yes if the
 * search would take too long. */
bool wri_pattern_meets_at_end(const wri_machine *machine, const wri_pattern *pattern,
                              const wri_sequence *sequence);

/* ---- rule_write.c, rule_read.c: patterns as text that people read and edit ---- */

/* The pattern as lines, with values as their kinds show them. Without a name it is for a report;
 * else for a file, under a line with this name and the machine's. The caller's to free; NULL: out
 * of memory. */
char *wri_rule_text(const wri_machine *machine, const wri_pattern *pattern, const char *name);
/* The calls of a pattern that can be the last. */
uint32_t wri_rule_last_calls(const wri_pattern *pattern);
/* Reads the rules of a text for this machine, and skips those of others. False: `error` names the
 * line, the column and what was expected. */
typedef struct wri_rule {
    char       *name; /* in the file */
    wri_pattern pattern;
} wri_rule;
typedef struct wri_rules {
    wri_rule *list;
    size_t    count, room;
} wri_rules;
/* An error begins with its place, ":LINE:COLUMN: ", which follows the name of a file; or ": ". */
bool wri_rules_read(const wri_machine *machine, const char *text, size_t length, wri_rules *rules,
                    char *error, size_t error_size);
void wri_rules_free(wri_rules *rules);
/* The heads of the rules of a text, one after the other: which machine each is of, and where. A
 * line that is wrong is skipped. Begins with the text in .next and .end. False: there are no
 * more.
 */
typedef struct wri_rule_head {
    const char *next, *end;
    size_t      line;
    const char *machine;
    size_t      length; /* of its name */
} wri_rule_head;
bool wri_rules_next_head(wri_rule_head *head);

#endif

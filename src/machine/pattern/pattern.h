/* machine/pattern/pattern.h: what is known of a bug: which calls make it, and in which order.
 *
 *     ?P = spawn()
 *     register(?A, ?P) | register(?B, ?P)
 *       unless unregister(?A) came between
 *
 * A sequence has the bug when its calls include one for each call of the pattern, in an order
 * that the pattern allows, and with values for its variables that fit them all; unless a guard
 * stands before the last of them. Two variables may have the same value.
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

/* What an argument must be: anything; what the variable is elsewhere; a number from least to
 * most, one number alone if they are the same, without an end where they are those of the type.
 */
typedef struct wri_term {
    uint8_t sort; /* wri_term_sort */
    uint8_t variable;
    int64_t least, most;
} wri_term;

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

/* An instance whose last call is one of `last` is harmless if such a call was made after all its
 * other calls (the pattern has no others: at any time before it). consumed: and if no call that
 * fits the last one, with the same values, was made since. Variables that the pattern does not
 * have are anything. */
typedef struct wri_guard {
    uint32_t         last; /* 1u << i: call i of the pattern */
    bool             consumed;
    wri_pattern_call call;
} wri_guard;

typedef struct wri_pattern {
    unsigned         count, guard_count, variable_count;
    wri_pattern_call calls[WRI_PATTERN_CALLS];
    uint32_t         before[WRI_PATTERN_CALLS]; /* bit j of before[i]: j must come before i, also
                                                   where that follows from others */
    wri_guard guards[WRI_PATTERN_GUARDS];
} wri_pattern;

/* ---- abstract.c, match.c, subsume.c ---- */

/* The pattern of this very sequence: all in its order, no guards. False: it is too long. */
bool wri_abstract_calls(const wri_machine *machine, const wri_sequence *sequence, wri_level level,
                        wri_pattern *pattern);

/* Does the sequence have the bug; and does it with a match that ends in its last call? The first
 * is what a pattern means, written plainly: tests hold all else against it, and nobody else asks,
 * for avoid.c says the same faster. */
bool wri_match_in(const wri_machine *machine, const wri_pattern *pattern,
                  const wri_sequence *sequence);
bool wri_match_at_end(const wri_machine *machine, const wri_pattern *pattern,
                      const wri_sequence *sequence);
/* Where the pattern's calls are then; false also where that is not known. */
bool wri_match_places_at_end(const wri_machine *machine, const wri_pattern *pattern,
                             const wri_sequence *sequence, size_t *places);

/* Has every sequence that fits `special` the bug `general`? False also where that is not known,
 * because too many orders would have to be looked at. */
bool wri_subsume_is_case_of(const wri_machine *machine, const wri_pattern *general,
                            const wri_pattern *special);

/* ---- avoid.c: the same for many patterns at once, call by call, while a sequence is made ----
 */

/* Patterns in a form that is searched fast, in one piece of memory without pointers, which parent
 * and workers share. */
typedef struct wri_avoided wri_avoided;
size_t                     wri_avoided_bytes(const wri_pattern *const *patterns, size_t count);
void wri_avoided_write(const wri_machine *machine, const wri_pattern *const *patterns,
                       size_t count, wri_avoided *to);
/* A sequence so far, in memory of its own that is used again for the next one. */
typedef struct wri_avoider wri_avoider;
wri_avoider               *wri_avoider_make(void);
void                       wri_avoider_free(wri_avoider *avoider);
void                       wri_avoider_begin(wri_avoider *avoider, const wri_machine *machine,
                                             const wri_avoided *known);
/* For this sequence: what takes long to find is given up sooner. */
void wri_avoider_hurry(wri_avoider *avoider);
/* For this sequence: each search begins anew, also where it is known that it finds nothing. */
void wri_avoider_remember_nothing(wri_avoider *avoider);
/* Would this call, made next, complete a known bug? Which pattern, from 0; -1: none. */
int wri_avoider_meets(wri_avoider *avoider, const wri_made *call);
/* Until a call of one of these commands is made, or of one of these with this value as its
 * argument.
 */
#define WRI_UNTIL_CALLS 3
typedef struct wri_until {
    uint64_t commands;
    uint32_t count;
    struct {
        uint8_t command, argument;
    } calls[WRI_UNTIL_CALLS];
    int64_t values[WRI_UNTIL_CALLS];
} wri_until;
/* Of the call that met one last: it does so for the sake of these arguments alone, 1u << i,
 * whatever the others are, until then. False: that is not known. */
bool wri_avoider_why(const wri_avoider *avoider, uint32_t *arguments, wri_until *until);
void wri_avoider_add(wri_avoider *avoider, const wri_made *call);
/* Calls that need not be asked about: those of `command` with a value as its `argument` that the
 * call just made has as its `source`, or, before the first call, with any value. */
typedef struct wri_foreseen {
    uint32_t ending;  /* that they may complete, */
    uint16_t tag;     /* what the calls before them are looked up by, */
    uint8_t  counted; /* and a bit for each of those; 0: they are a bug by themselves */
    uint8_t  command, argument;
    uint8_t  source; /* an argument of the call just made */
} wri_foreseen;
/* After a call of this command; WRI_COMMANDS: before the first. */
const wri_foreseen *wri_avoider_foresees(const wri_avoider *avoider, unsigned command,
                                         unsigned *count);
/* Do they, with this value? As if they had been asked about. */
bool wri_avoider_is_sure(wri_avoider *avoider, const wri_foreseen *calls, int64_t value);
/* A known bug in this sequence, as above, which is the avoider's from now on: one that its last
 * call completes, if there is one. */
int wri_avoider_finds(wri_avoider *avoider, const wri_machine *machine, const wri_avoided *known,
                      const wri_sequence *sequence);

/* Does the sequence have the bug with a match that ends in its last call? As wri_match_at_end(),
 * but the time does not grow with the number of calls that are alike. The answer is yes if the
 * search would take too long. */
bool wri_pattern_meets_at_end(const wri_machine *machine, const wri_pattern *pattern,
                              const wri_sequence *sequence);

/* ---- rule_text.c, rules.c: patterns as text that people read and edit ---- */

/* The rule as lines, each with its end, for a report; the caller's to free. NULL: out of memory.
 * Values are shown by their kinds. */
char *wri_rule_text(const wri_machine *machine, const wri_pattern *pattern);
/* The same as a file has it, under a line with this name and the machine's. */
char *wri_rule_entry(const wri_machine *machine, const wri_pattern *pattern, const char *name);
/* Reads the rules of a file for this machine, skipping those of others. False and a line in
 * `error` that names line, column and what was expected. */
typedef struct wri_rules {
    wri_pattern *patterns;
    char       **names; /* what each is called in the file */
    size_t       count;
} wri_rules;
bool wri_rules_read(const wri_machine *machine, const char *text, size_t length, wri_rules *rules,
                    char *error, size_t error_size);
void wri_rules_free(wri_rules *rules);

#endif

/* machine/pattern/compiled.h: patterns in the form that avoid.c searches in.
 *
 * An *ending* is a pattern together with one of its calls that can come last. The search begins
 * when that last call is about to be made. The search for the other calls is planned here, call
 * by call. The plan says by which value a call is looked up and which checks are left. It also
 * says which other calls decide whether the call is found. Places are offsets from the beginning
 * of the memory, so the memory may lie anywhere.
 */
#ifndef WRI_MACHINE_PATTERN_COMPILED_H
#define WRI_MACHINE_PATTERN_COMPILED_H

#include "machine/pattern/pattern.h"

/* The slot by which calls are looked up: an argument, the command alone, or the handle that a
 * call gave. The command is like one more argument that is always 0. */
#define WRI_SLOT_COMMAND 15
#define WRI_SLOT_RESULT 14

typedef enum { WRI_CHECK_BIND, WRI_CHECK_SAME, WRI_CHECK_RANGE } wri_check_sort;

typedef struct wri_check {
    uint8_t sort; /* wri_check_sort */
    uint8_t argument, variable;
    int64_t least, most;
} wri_check;

/* A number for calls of a command that are looked up by this slot. */
static inline uint32_t wri_compiled_slot_tag(unsigned command, unsigned slot)
{
    return command << 4 | slot;
}

/* The distance of the slot from that of the command. */
static inline uint32_t wri_compiled_slot_distance(unsigned slot)
{
    return slot < WRI_ARGUMENTS ? slot + 1 : 0;
}

/* A call that is looked up. Masks are of the ending's calls, in the order of its plan. */
typedef struct wri_seek {
    uint16_t tag;
    uint8_t  key;      /* the variable whose value it is looked up by; WRI_NO_VARIABLE: */
    uint8_t  result;   /* the variable that is its handle from then on, if any */
    uint32_t distance; /* of the slot */
    uint32_t check_count, checks;
    uint32_t after, before; /* those that it must come after, and before */
    uint32_t rivals;        /* those of the same command: a call is not taken twice */
    uint32_t behind;        /* one of `before` that is in the same list, plus one; 0: none is */
    uint32_t binders;       /* those that have bound the variables that are looked at */
    uint32_t watch_count, watches; /* guards of which all is known when it is found */
    int64_t  number;               /* the value itself */
} wri_seek;

/* A guard. */
typedef struct wri_compiled_guard {
    wri_seek call, consumer;
    uint32_t consumed;
    uint32_t binders;
} wri_compiled_guard;

/* Calls that have a value in common with an argument of the last call. An ending can only be
 * completed if as many of them were made as it has. They are counted in bits, one for each, up to
 * WRI_PATTERN_COUNTED. */
typedef struct wri_want {
    uint32_t tag;
    uint32_t argument;
} wri_want;

#define WRI_PATTERN_COUNTED 4
#define WRI_WANTS                                                                                \
    (64 / WRI_PATTERN_COUNTED) /* of a command; what else is wanted is not told beforehand */

typedef struct wri_ending {
    uint64_t needs; /* the commands that must have been called before, at least, */
    uint64_t wants; /* and the calls that the command's wants must be met by */
    uint32_t pattern;
    uint32_t condition_count, conditions;
    uint32_t check_count, checks;
    uint32_t seek_count, seeks;
    uint32_t watch_count, watches; /* all guards */
    uint32_t result;               /* a variable or WRI_NO_VARIABLE */
    uint32_t tops; /* of the calls in the plan: those that no other must come after, */
    uint32_t
        decider; /* the last of them; WRI_PATTERN_CALLS: what is harmless may become harmful */
    uint32_t
        cause; /* the one argument of the last call that matters; WRI_SLOT_COMMAND: none does; */
    int64_t least, most; /* it must be in this range */
} wri_ending;

#define WRI_CAUSES WRI_SLOT_RESULT /* there are several */

struct wri_avoided {
    uint64_t machine; /* whose patterns they are */
    uint64_t ending_count;
    uint64_t watched;                    /* the commands that occur in them */
    uint16_t slots[WRI_COMMANDS];        /* by which their calls are looked up, */
    uint8_t  arity[WRI_COMMANDS];        /* and how many arguments they have, */
    uint8_t  like[WRI_COMMANDS];         /* what stands for them in patterns, */
    uint64_t alike[WRI_COMMANDS];        /* and which commands they stand for; */
    uint32_t width;                      /* fewer than this */
    uint32_t first[WRI_COMMANDS + 1];    /* endings[first[c]] and so on end with command c, */
    uint32_t wants[WRI_COMMANDS];        /* and this is where their wants are, */
    uint8_t  want_count[WRI_COMMANDS];   /* so many of them; */
    uint32_t foreseen[WRI_COMMANDS + 1]; /* what its calls lead to is here, and, as if that were
                                          * one command more, what is so from the beginning */
    uint8_t    foreseen_count[WRI_COMMANDS + 1];
    wri_ending endings[];
};

/* Take any match of the pattern that ends with `last`. Is there another match in which `call` is
 * where `image` was, and the calls of `still` are where they were? `before` is the pattern's
 * order. If `call` is the last itself: is every match that ends with `image` also one that ends
 * with it, and do no more guards apply to it then? (symmetry.c) */
bool wri_symmetry_is_alike(const wri_pattern *pattern, const uint32_t *before, uint32_t still,
                           unsigned last, unsigned call, unsigned image);

/* Tells machines apart. */
static inline uint64_t wri_machine_mark(const wri_machine *machine)
{
    return (uint64_t)wri_trace_label_hash(machine->name) << 8 | machine->command_count;
}

#endif

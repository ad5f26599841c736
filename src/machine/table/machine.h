/* machine/table/machine.h: a machine as numbers: its kinds, commands and macros.
 *
 * A user's tables are checked and their kinds numbered once in each process. After that a call
 * needs small numbers and masks only. Handles and values are numbered apart.
 */
#ifndef WRI_MACHINE_TABLE_MACHINE_H
#define WRI_MACHINE_TABLE_MACHINE_H

#include "faults/faults.h"

#define WRI_ARGUMENTS 8
#define WRI_COMMAND_NAME "command" /* what the choice of one is called */
#define WRI_CALLED "called"        /* the table that counts in how many cases each was */
/* The table that counts cases in which calls of a .known_bug did fail, and did not: its rows. */
#define WRI_KNOWN_BUG "known bug"
#define WRI_KNOWN_FAILED "%s failed"
#define WRI_KNOWN_HELD "%s did not fail"
#define WRI_ALSO 2 /* handles that a call gives besides its result */
#define WRI_COMMANDS 64
#define WRI_KINDS_MOST 64 /* of values, and of handles: what a mask can say */
#define WRI_MACRO_STEPS 16
#define WRI_HANDLES 64 /* of a kind that are alive at a time: what a mask can say */
#define WRI_CALLS 40   /* the most of a sequence, where nobody says otherwise */

/* Pairs of commands are observed if a machine has no more commands than this. */
#define WRI_PAIRED 32

#define WRI_CLAIM_NAME 128

typedef struct wri_machine_command {
    const wr_command *table;
    unsigned          arity;
    uint8_t           kinds[WRI_ARGUMENTS]; /* of each argument: its kind's number */
    uint8_t           gives;                /* a handle's kind, */
    bool              giving;               /* if it gives any */
    bool              exclusive;            /* of the handles that it takes, one dies */
    bool              plain;                /* no argument is drawn by a function */
    uint64_t          needs;                /* the kinds of handles that it takes */
    /* A further result of a call is a call of its own, which follows at once and takes the
     * result: so a handle is always the number of a call. Its command is called "NAME.2",
     * "NAME.3". */
    uint8_t  also;   /* how many such commands belong to this one, */
    uint8_t  first;  /* from which number on */
    bool     claims; /* it is such a command, */
    uint8_t  base;   /* of this one */
    uint8_t  like;   /* the command that stands for all that do its job: itself, or another */
    wr_site_ site;
    wr_site_ met, missed; /* calls with .known_bug that failed, and that did not */
} wri_machine_command;

/* How a report showed one value of a kind (machine/pattern/opaque.h), or the name of a setting
 * (machine/pattern/condition.h). */
typedef struct wri_kind_text {
    struct wri_kind_text *next;
    int64_t               value;
    char                  text[];
} wri_kind_text;

typedef struct wri_machine_kind {
    const wr_kind *table;
    uint32_t       label;
    uint8_t        seen; /* whether drawn values were numbers, hashes, or both (opaque.c) */
    unsigned       text_count;
    wri_kind_text *texts;
} wri_machine_kind;

typedef struct wri_macro {
    const wr_macro *table;
    unsigned        count;
    uint8_t         steps[WRI_MACRO_STEPS];
} wri_macro;

typedef struct wri_machine {
    const wr_machine    *table;
    const char          *name, *file;
    int                  line;
    unsigned             own_count; /* commands of the table; those of further results follow */
    unsigned             command_count, macro_count, handle_count, value_count;
    wri_machine_command *commands;
    wr_command          *claims; /* tables of further results, and their names: */
    char (*claim_names)[WRI_CLAIM_NAME];
    wr_command       *faulty; /* tables of commands with an argument more, of this kind: */
    wr_kind           fault;  /* the number of the call that fails. No .values: none does */
    wri_faults_terms  faults;
    unsigned          percent; /* of random calls that have a fault */
    wri_macro        *macros;
    wri_machine_kind *handles, *values;
    uint32_t          label;           /* of the choice of a command */
    uint32_t         *weights;         /* of commands */
    uint64_t          weight;          /* of all of them */
    wr_site_         *pairs;           /* first * command_count + second; NULL: too many */
    bool observing, contracting;       /* some command is an observer, some kind has .equal */
    wri_kind_text     **setting_names; /* as far as they are known; by their hashes */
    struct wri_machine *next;
} wri_machine;

/* The command that stands for this one in patterns (.like). */
static inline uint8_t wri_machine_like(const wri_machine *machine, unsigned command)
{
    return machine->commands[command].like;
}

/* Is this the argument that says which call fails? */
static inline bool wri_machine_is_fault(const wri_machine *machine, const wr_kind *kind)
{
    return kind == &machine->fault;
}

/* Does a function of the user draw the values of the kind? */
static inline bool wri_machine_draws_kind(const wr_kind *kind)
{
    return kind->draw != NULL || kind->draw_in != NULL;
}

static inline uint64_t wri_machine_bit(uint64_t number)
{
    return UINT64_C(1) << number;
}

/* Do the numbers of this argument fit a mask of 64 bits? False also if a function draws one of
 * the command's arguments: then no mask of it is kept. */
static inline bool wri_machine_fits_mask(const wri_machine_command *command, unsigned argument)
{
    return command->plain && command->table->takes[argument]->values <= WRI_HANDLES;
}

/* The machine of a table, checked once and kept. NULL: the table has a mistake, and `error` names
 * the machine and the mistake; if `error` is empty, memory is out. */
wri_machine *wri_machine_read(const wr_machine *table, const char *name, const char *file,
                              int line, char *error, size_t error_size);
/* The same. A mistake ends the case as misuse. */
wri_machine *wri_machine_of(wr_case *t, const wr_machine *table, const char *name,
                            const char *file, int line);

#endif

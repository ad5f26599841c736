/* machine/play/play.h: one sequence of calls while it is made. */
#ifndef WRI_MACHINE_PLAY_PLAY_H
#define WRI_MACHINE_PLAY_PLAY_H

#include <setjmp.h>

#include "machine/play/refused.h"
#include "machine/play/stage.h"

/* The handles of one kind. A handle keeps its number as long as it lives. Numbers are given in
 * the order of the calls, whether or not a call then gives something: so a number names the call,
 * and a call that is left out changes no other's. Only when all have been given, those of dead
 * handles are given again. */
typedef struct wri_holding {
    uint64_t live;
    uint32_t count;   /* of numbers given so far */
    uint32_t last;    /* the number given last, */
    size_t   last_at; /* and by which call, from 0 */
    void    *objects[WRI_HANDLES];
    uint32_t variables[WRI_HANDLES]; /* what the text calls it: v1, v2, ... */
    uint32_t givers[WRI_HANDLES];    /* the call that gave it, from 0 */
    uint8_t  users[WRI_HANDLES];     /* the command that had it last, plus one */
} wri_holding;

/* The values of one kind, if there are no more than a mask can say. */
typedef struct wri_value_use {
    uint64_t used;               /* of those that are interchangeable */
    uint8_t  users[WRI_HANDLES]; /* as above; 0: nobody */
} wri_value_use;

struct wr_call {
    struct wri_play           *play;
    const wri_machine_command *command;
    bool                       drawn;   /* the arguments are there */
    bool                       running; /* its function is */
    bool                       given;
    uint8_t                    giving;                /* the number that its result will have */
    int64_t                    values[WRI_ARGUMENTS]; /* of a handle: its number */
};

/* Arguments are drawn so often at random for a .when that says no to them, or where the call
 * would be one to avoid. */
#define WRI_TRIES 8

typedef struct wri_play {
    wr_case           *t;
    const wri_machine *machine;
    void              *model, *before; /* before: a copy, while an observer is called: */
    bool               copied;         /* it is there */
    wr_call            call;
    jmp_buf            looked; /* where a .when goes that wants an argument too early */
    size_t             most;   /* how many calls a sequence may have, */
    size_t             rounds; /* how many this one has, */
    size_t             made;   /* and how many were made */
    wri_record        *length; /* where the journal says how many; */
    uint32_t           length_node, loop_node; /* and the trace */
    uint32_t           variables;              /* named so far */
    unsigned           asked;                  /* the argument that is being drawn */
    bool               fresh;                  /* the command was chosen at random */
    wri_made           now;                    /* the call that was drawn, in a traced case */
    bool               logged;                 /* something of it is in the log */
    wri_stage         *wary;      /* which calls not to make is known there; NULL: any */
    wri_signature     *signature; /* of the calls made, where that counts */
    wri_refused       *refusals;  /* calls that are known to be none to make; NULL: none are */
    bool               unwanted;  /* the call that was drawn completes a known bug */
    bool               hopeless;  /* so does every call of its command */
    bool               cornered;  /* so did another one in its place */
    unsigned           repeats;   /* tries that would have ended it as one that was run */
    uint8_t            refused[WRI_COMMANDS]; /* tries of each that completed a known bug */
    const wri_macro   *macro;                 /* which is being called; NULL: none */
    unsigned           step;
    size_t             macro_at;  /* the call that it began with */
    uint64_t           available; /* kinds of which a handle is alive */
    wri_holding       *holdings;
    wri_value_use     *uses;
    wri_text          *text;  /* the case's */
    char              *lines; /* the calls as C so far, in a case that is shown */
    size_t             entry; /* where they stand in the text */
} wri_play;

static inline const wr_kind *wri_handle_kind(const wri_play *play, unsigned kind)
{
    return play->machine->handles[kind].table;
}

static inline uint64_t wri_bit(uint64_t number)
{
    return UINT64_C(1) << number;
}

static inline bool wri_is_last(const wri_play *play)
{
    return play->made + 1 == play->rounds;
}

/* The sequence has so many calls, and the log says so. */
static inline void wri_set_rounds(wri_play *play, size_t rounds)
{
    wri_trace *trace = play->t->trace;
    play->rounds = rounds;
    play->length->number = rounds;
    if (trace != NULL)
        trace->nodes[play->length_node].number = trace->nodes[play->loop_node].count = rounds;
}

/* Sequences at random have rules, if any: begins with those of this one. (draft.c) */
void wri_play_be_wary(wri_play *play);
/* Before its first call, when all is set up for it: a kind's own functions are asked. (draft.c)
 */
void wri_play_look_around(wri_play *play);
/* Draws a call at random that is to be made, and puts it into the log; false: it is not to be. */
bool wri_play_draft(wri_play *play, uint64_t legal);
/* Shows the call that is about to be made. (text.c) */
void wri_play_show(wri_play *play);
/* Counts it, and what connects it with the calls before. (cover.c) */
void wri_play_observe(wri_play *play);
/* Checks what must be true of handles that the call has had to do with. (contract.c) */
void wri_play_contracts(wri_play *play);

#endif

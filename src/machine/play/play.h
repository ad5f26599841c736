/* machine/play/play.h: the state of one sequence while it is made. For the files of play/. */
#ifndef WRI_MACHINE_PLAY_PLAY_H
#define WRI_MACHINE_PLAY_PLAY_H

#include <setjmp.h>

#include "machine/play/refused.h"
#include "machine/play/stage.h"

/* The handles of one kind. A handle keeps its number as long as it lives. Each call that may give
 * a handle uses up a number, also if it gives none. So a number names a call. When all numbers
 * are used up, those of dead handles are given again. */
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

/* The further results of the call that was made last, which are still to be claimed. */
typedef struct wri_also {
    uint8_t given, claimed;    /* how many */
    uint8_t base;              /* the number of the call's result */
    uint8_t numbers[WRI_ALSO]; /* and of these */
    uint8_t command[WRI_ALSO]; /* those that claim them */
} wri_also;

struct wr_call {
    struct wri_play           *play;
    const wri_machine_command *command;
    bool                       drawn;   /* the arguments are there */
    bool                       running; /* its function is */
    bool                       given;
    uint8_t                    kept;   /* 1 << i: argument i, which it was to consume, lives on */
    uint8_t                    giving; /* the number that its result will have */
    int64_t                    values[WRI_ARGUMENTS]; /* of a handle: its number */
};

/* Random arguments are drawn so often if .when refuses them, or if the call is to be avoided. */
#define WRI_TRIES 8

typedef struct wri_play {
    wr_case           *t;
    const wri_machine *machine;
    void              *model, *system;
    void              *before; /* a copy of the model, while an observer is called: */
    bool               copied; /* it is there */
    wr_call            call;
    wri_also           also;
    bool               expected; /* a .known_bug says that the call fails, */
    bool               met;      /* and it did */
    bool               over;     /* for that reason the case ends here */
    jmp_buf            looked;   /* where a .when goes that wants an argument too early */
    size_t             most;     /* how many calls a sequence may have, */
    size_t             rounds;   /* how many this one has, */
    size_t             made;     /* and how many were made */
    wri_record        *length;   /* where the journal says how many; */
    uint32_t           length_node, loop_node; /* and the trace */
    uint32_t           variables;              /* named so far */
    unsigned           asked;                  /* the argument that is being drawn */
    bool               fresh;                  /* the command was chosen at random */
    wri_made           now;                    /* the call that was drawn, in a traced case */
    bool               logged;                 /* something of it is in the log */
    bool               planned;   /* calls are answered by a plan that a search made up */
    wri_stage         *wary;      /* which calls not to make is known there; NULL: any */
    wri_signature     *signature; /* of the calls made, where that counts */
    wri_refused       *refusals;  /* calls that are known to be none to make; NULL: none are */
    bool               unwanted;  /* the call that was drawn completes a known bug */
    bool               hopeless;  /* so does every call of its command */
    bool               cornered;  /* so did another one in its place */
    bool               listed;    /* the call that is made ends a sequence that counts as run */
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

static inline const wr_kind *wri_play_handle_kind(const wri_play *play, unsigned kind)
{
    return play->machine->handles[kind].table;
}

static inline bool wri_play_is_last(const wri_play *play)
{
    return play->made + 1 == play->rounds;
}

/* Must the next call claim a further result? */
static inline bool wri_play_claims(const wri_play *play)
{
    return play->also.claimed < play->also.given;
}

/* The handle is dead: no later call takes it, and it is not released. */
static inline void wri_play_end_handle(wri_play *play, unsigned kind, uint64_t number)
{
    wri_holding *all = &play->holdings[kind];
    all->live &= ~wri_machine_bit(number);
    if (all->live == 0)
        play->available &= ~wri_machine_bit(kind);
}

/* The sequence has so many calls, and the log says so. */
static inline void wri_play_set_rounds(wri_play *play, size_t rounds)
{
    wri_trace *trace = play->t->trace;
    play->rounds = rounds;
    play->length->number = rounds;
    if (trace != NULL)
        trace->nodes[play->length_node].number = trace->nodes[play->loop_node].count = rounds;
}

/* Begins a random sequence: finds out what it has to avoid. (wary.c) */
void wri_play_be_wary(wri_play *play);
/* Notes what .start drew, and refuses calls that are bugs by themselves. Before the first call
 * and after .start, because it calls .abstract of kinds. (wary.c) */
void wri_play_look_around(wri_play *play);
/* Draws a call of a search, and puts it into the log. False: it cannot be made, or is to be
 * avoided. (wary.c) */
bool wri_play_draft(wri_play *play, uint64_t legal);
/* The function of the call that was drafted has drawn the nodes from `from` on. (wary.c) */
void wri_play_note_drawn(wri_play *play, size_t from);
/* Shows the call that is about to be made. (text.c) */
void wri_play_show(wri_play *play);
/* Adds a comment: a call that its function makes fails. (text.c) */
void wri_play_show_fault(wri_play *play, const char *fault);
/* Counts the call, and its pairs with calls before it. (observe.c) */
void wri_play_observe(wri_play *play);
/* Ends the case by the failure that wr_fail_later() noted. (later.c) */
void wri_play_fail_now(wri_play *play);
/* Makes a call that a known bug may spoil. (known_bug.c) */
void wri_play_expect(wri_play *play, void (*make)(wri_play *play));
/* Counts it. (observe.c) */
void wri_play_observe_known(wri_play *play);
/* Forgets the model that was copied for an observer. (play.c) */
void wri_play_free_copy(wri_play *play);
/* The handles that the call consumes are dead. (play.c) */
void wri_play_consume(wri_play *play);
/* Numbers the next handle of a kind, which this call gives. (play.c) */
uint8_t wri_play_number(wri_play *play, unsigned kind, size_t giver, uint32_t variable);
/* Checks .equal and .hash of the handles that the call took or gave. (contract.c) */
void wri_play_contracts(wri_play *play);

#endif

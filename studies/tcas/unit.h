/* studies/tcas/unit.h: the unit under test: what a collision-avoidance system advises.
 *
 * Two aircraft are near each other; from twelve inputs the unit decides whether ours should
 * climb, descend, or neither. It is a pure function that works from a description of itself, in
 * which a fault is one small change: 41 of them, numbered as in the public benchmark, are in
 * faults.c.
 */
#ifndef TCAS_UNIT_H
#define TCAS_UNIT_H

#include <stdbool.h>

/* In the customary order. */
typedef enum input {
    CURRENT_SEPARATION, /* vertical, feet */
    HIGH_CONFIDENCE,    /* 0 or 1: tracking is reliable */
    REPORTS_VALID,      /* 0 or 1: two of three reports agree */
    OWN_ALTITUDE,
    OWN_RATE, /* of climbing, feet a minute */
    OTHER_ALTITUDE,
    ALTITUDE_LAYER,   /* 0..3: selects a threshold */
    UP_SEPARATION,    /* expected if we climb */
    DOWN_SEPARATION,  /* expected if we descend */
    OTHER_INTENT,     /* 0 none, 1 do not climb, 2 do not descend */
    OTHER_CAPABILITY, /* 1: it has such a system, too */
    CLIMB_INHIBITED,  /* 0 or 1 */
    INPUTS
} input;

typedef enum advice { UNRESOLVED, UPWARD, DOWNWARD } advice;

#define LAYERS 4

/* When climbing is favoured by the bias: as it should be, or not. */
typedef enum bias_rule { WHEN_INHIBITED, WHEN_NOT_INHIBITED, ALWAYS, NEVER } bias_rule;

/* What a fault changes other than constants and the bias; each in one place of unit.c. */
typedef enum change {
    LEVEL_IS_BELOW = 1 << 0,         /* below: <= for < */
    LEVEL_IS_ABOVE = 1 << 1,         /* above: >= for > */
    CLIMB_PREFERS_EQUAL = 1 << 2,    /* climb, the preference: >= for > */
    CLIMB_PASSES_THRESHOLD = 1 << 3, /* climb, where preferred: > for >= */
    CLIMB_BY_BELOW = 1 << 4,         /* climb, where preferred: below and under the threshold */
    CLIMB_BY_EITHER = 1 << 5,        /* climb, otherwise: the last and is an or */
    CLIMB_FROM_ANYWHERE = 1 << 6,    /* climb, otherwise: above does not matter */
    CLIMB_ORDERS = 1 << 7,           /* climb compares the altitudes; the decision does not */
    DESCEND_PREFERS_EQUAL = 1 << 8,  /* descend, the preference: >= for > */
    DESCEND_STOPS_EQUAL = 1 << 9,    /* descend, otherwise: <= for < */
    DESCEND_ORDERS = 1 << 10,        /* descend compares the altitudes; the decision does not */
    CONFIDENCE_SUFFICES = 1 << 11,   /* enabled: the first and is an or */
    ANY_RATE = 1 << 12,              /* enabled: the rate does not matter */
    ANY_SEPARATION = 1 << 13,        /* enabled: the separation does not matter */
    INTENT_BY_EITHER = 1 << 14,      /* intent unknown: or for and */
    UNEQUIPPED_SUFFICES = 1 << 15,   /* active: the parentheses are lost */
    UP_COMES_FIRST = 1 << 16,        /* decision: both needed is upward */
    DOWN_SAYS_UP = 1 << 17,          /* decision: the code of downward is that of upward */
} change;

/* All zero is the unit without a fault. */
typedef struct unit {
    const char *fault; /* in words */
    unsigned    changes;
    bias_rule   climb_bias, descend_bias;
    /* What is added to a constant. */
    int more_rate, more_separation, more_minimum, more_bias, more_threshold[LAYERS];
    int repeats; /* the fault that has the same text, or does the same by other words; 0: none */
} unit;

#define FAULTS 41

/* [0] has no fault. */
extern const unit UNITS[FAULTS + 1];

advice advise(const unit *u, const int in[INPUTS]);

#endif

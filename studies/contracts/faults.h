/* studies/contracts/faults.h: the 25 faults, and how a report tells which one it is. */
#ifndef CONTRACTS_FAULTS_H
#define CONTRACTS_FAULTS_H

#include <stdbool.h>

#define EASY 20
#define RARE 5
#define FAULTS (EASY + RARE)

typedef struct fault {
    const char *function; /* that crashes; */
    const char *broken;   /* or how the message begins that a contract is broken */
    const char *calls;    /* a smallest sequence */
} fault;

/* The easy ones come first. */
extern const fault FAULT_LIST[FAULTS];

/* Its number in the list; -1: none of them. Either text may be empty. */
int fault_of(const char *function, const char *message);

#endif

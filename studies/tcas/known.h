/* studies/tcas/known.h: what is known of the unit and its faults, for telling whether the code of
 * this study is right: a closed form, how often the faults show on a grid, and few tests that
 * expose all of them. */
#ifndef TCAS_KNOWN_H
#define TCAS_KNOWN_H

/* Prints what is not as it is known to be, and says how many things that were. */
int check_known(void);

#endif

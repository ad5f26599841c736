/* explore/constant.h: random answers that are constants of the program's own.
 *
 * The dictionary (constants/dictionary.h) has the numbers, reals and words that the program's
 * code knows. One random answer in eight is such a number, or next to one. Into one text or array
 * of bytes in four some constants are written: words, the digits of numbers, and numbers as
 * fields of two, four or eight bytes. The lean decides on everything else.
 */
#ifndef WRI_EXPLORE_CONSTANT_H
#define WRI_EXPLORE_CONSTANT_H

#include "constants/dictionary.h"
#include "core/case.h"

/* For random answers of a case that has constants (wr_case.known). The first one is false, and
 * takes no word of the case's stream, if the answer is to be another one. The second one changes
 * some of `count` numbers that were answered at random. */
bool wri_constant_answer(wr_case *t, const wri_request *request, uint64_t *number);
void wri_constant_answers(wr_case *t, const wri_request *request, size_t count,
                          uint64_t *numbers);

/* A number whose value is a constant, or next to one. False: none fits the request. */
bool wri_constant_number(const wri_dictionary *from, const wri_request *request, uint64_t *random,
                         uint64_t *number);
/* Is the range so wide that random draws seldom come to one value of it? */
bool wri_constant_helps(const wri_request *request);
/* Makes constants that fit side by side into an array of letters or bytes, as at most `room`
 * numbers. Returns how many; 0: none fits. */
size_t wri_constant_letters(const wri_dictionary *from, const wri_request *request,
                            uint64_t *random, size_t room, uint64_t *numbers);
/* Are the elements letters or bytes? */
bool wri_constant_spells(const wri_request *request);
/* The number of a letter or byte in such an array; UINT64_MAX: it has none. */
uint64_t wri_constant_number_of(const wri_request *request, uint8_t byte);
/* The letter or byte of a number in such an array. */
uint8_t wri_constant_byte_of(const wri_request *request, uint64_t number);
/* The request that a node was the answer to, as far as the node tells. */
wri_request wri_constant_request(const wri_node *node);

#endif

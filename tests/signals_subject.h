/* tests/signals_subject.h: instrumented code to look at. */
#ifndef TESTS_SIGNALS_SUBJECT_H
#define TESTS_SIGNALS_SUBJECT_H

#include <stddef.h>
#include <stdint.h>

int              is_magic_8(uint64_t x); /* compares with MAGIC_8 */
int              is_magic_4(uint32_t x);
int              is_magic_2(uint16_t x);
int              are_equal(uint64_t x, uint64_t y); /* two variables */
int              chooses(uint32_t x);               /* a switch over 1000, 2000, 3000, 4000 */
int              chooses_of_many(uint32_t x);       /* over 100, 200, ... 4000 */
int              counts_zeros(const int *xs, size_t n);
int              takes_a_path(int which); /* 0, 1 or 2 */
int              never_called(int x);
extern const int never_called_line;
int              says_hello(const char *text); /* strcmp */
#define MAGIC_8 UINT64_C(0x1122334455667788)
#define MAGIC_4 UINT32_C(0xcafe1234)
#define MAGIC_2 UINT16_C(0xbeef)

#endif

/* run/libc.h: what each C library calls by another name, or lacks: glibc and musl. All else in
 * Warren is the same for both.
 *
 * musl is built without tables for unwinding, so nobody can go from its functions to their
 * callers. There a crash in the code under test has its instruction as its place, and a crash
 * inside musl, as of abort(), has none.
 */
#ifndef WRI_RUN_LIBC_H
#define WRI_RUN_LIBC_H

/* Fills in the return addresses of the calls that led here, this function's own first. Returns
 * their number, 0 with musl. The first call may allocate, later ones do not. */
int wri_libc_backtrace(void **frames, int room);

/* "SEGV" for SIGSEGV; NULL for a number without a name. */
const char *wri_libc_signal_name(int number);

/* Has this called on exit(), with the status if the C library tells it, and else with -1. */
void wri_libc_on_exit(void (*called)(int status, void *unused));

#endif

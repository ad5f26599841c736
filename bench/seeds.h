/* bench/seeds.h: for programs that measure over many seeds: which of their forms was asked for,
 * and seeds shared out among processes, one for each core.
 */
#ifndef BENCH_SEEDS_H
#define BENCH_SEEDS_H

#include <stdbool.h>
#include <stddef.h>

/* Memory, zeroed, that all processes see; without any the program ends with 99. */
void *shared_memory(size_t bytes);

/* Calls `run` for 0..count-1, each once, in some process; what it writes must be shared. Returns
 * when all is done. */
void share_out(size_t count, void (*run)(size_t index, const void *context), const void *context);

/* The main() of NAME [--quick] | NAME --assert SEEDS, where SEEDS is at most `most`; returns the
 * exit status, which is that of `tables` or `asserts`. */
int main_over_seeds(int argc, char **argv, const char *name, size_t most,
                    int (*tables)(bool quick), int (*asserts)(size_t seeds));

#endif

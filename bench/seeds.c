/* bench/seeds.c: see seeds.h. */
#include "seeds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

void *shared_memory(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        perror("shared memory");
        exit(99);
    }
    return memory;
}

void share_out(size_t count, void (*run)(size_t index, const void *context), const void *context)
{
    long   cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t processes = cores < 1 ? 1 : (size_t)cores;
    fflush(NULL);
    for (size_t first = 0; first < processes; first++) {
        pid_t pid = fork();
        if (pid != 0)
            continue;
        for (size_t i = first; i < count; i += processes)
            run(i, context);
        _exit(0);
    }
    while (wait(NULL) > 0)
        ;
}

int main_over_seeds(int argc, char **argv, const char *name, size_t most,
                    int (*tables)(bool quick), int (*asserts)(size_t seeds))
{
    bool   quick = argc == 2 && strcmp(argv[1], "--quick") == 0;
    size_t asserted =
        argc == 3 && strcmp(argv[1], "--assert") == 0 ? strtoul(argv[2], NULL, 10) : 0;
    if ((argc > 1 && !quick && asserted == 0) || asserted > most) {
        fprintf(stderr, "usage: %s [--quick] | %s --assert SEEDS\n", name, name);
        return 99;
    }
    return asserted > 0 ? asserts(asserted) : tables(quick);
}

/* run/layout.c: lays the shared memory out in one pass.
 *
 * The pass runs twice over the same parts in the same order. It starts from address 0, to count
 * the bytes, and then from the address of the memory.
 */
#include "run/layout.h"

#include <sys/mman.h>
#include <unistd.h>

#include "observe/coverage.h"

/* Pages from `at` on; counts them where there is no memory yet. */
typedef struct cursor {
    char  *memory;
    size_t used, page;
} cursor;

static void *take(cursor *at, size_t count, size_t size)
{
    void *part = at->memory == NULL ? NULL : at->memory + at->used;
    at->used += (count * size + at->page - 1) / at->page * at->page;
    return count * size == 0 ? NULL : part;
}

static void lay_out_slot(cursor *at, wri_layout *slot, bool judge, bool traced, bool machines,
                         bool sketched, bool told, size_t block)
{
    slot->judge = judge;
    slot->slot = take(at, 1, sizeof *slot->slot);
    slot->block = take(at, 1, block);
    slot->sketch = take(at, sketched, sizeof *slot->sketch);
    slot->told = take(at, told, sizeof *slot->told);
    slot->t = take(at, 1, sizeof *slot->t);
    slot->journal = take(at, WRI_JOURNAL_RECORDS, sizeof *slot->journal);
    slot->text = take(at, judge || told ? WRI_TEXT_BYTES : 0, 1);
    slot->ran = take(at, machines ? WRI_RAN_LISTED : 0, sizeof *slot->ran);
    size_t nodes = judge || traced ? WRI_MAX_NODES : 0;
    size_t numbers = judge || traced ? WRI_MAX_NUMBERS : 0;
    slot->trace.nodes = take(at, nodes, sizeof *slot->trace.nodes);
    slot->trace.numbers = take(at, numbers, sizeof *slot->trace.numbers);
    slot->plan.nodes = take(at, nodes, sizeof *slot->plan.nodes);
    slot->plan.numbers = take(at, numbers, sizeof *slot->plan.numbers);
    slot->end = at->memory == NULL ? NULL : at->memory + at->used;
}

static void lay_out(cursor *at, wri_mapping *mapping, wri_worker_setup *workers, unsigned slots,
                    unsigned explorers, bool machines, bool sketched, bool told)
{
    size_t block = 0;
    bool   traced = machines || told;
    mapping->shared = take(at, 1, sizeof *mapping->shared);
    mapping->coverage = take(at, 1, wri_coverage_bytes());
    size_t protected = at->used; /* workers may not write to the parts from here, */
    wri_cradle *cradles = take(at, slots, sizeof *cradles);
    wri_start  *start = take(at, 1, sizeof *start);
    mapping->avoided = take(at, machines ? WRI_AVOIDED_BYTES : 0, 1);
    mapping->ran = take(at, machines, sizeof *mapping->ran);
    size_t bytes = at->used - protected; /* to here */
    for (unsigned i = 0; i < WRI_EXPLORER_COUNT; i++) {
        const wri_explorer *explorer = wri_explorers[i];
        bool                used = (explorers >> i & 1) != 0;
        mapping->blocks[i] = take(at, used, explorer->shared_bytes);
        block = used && explorer->worker_bytes > block ? explorer->worker_bytes : block;
        traced |= used && (explorer->needs & WRI_NEEDS_TRACE);
    }
    for (unsigned i = 0; i < slots; i++) {
        lay_out_slot(at, &workers[i].layout, i == 0, traced, machines, sketched, told, block);
        workers[i].layout.cradle = at->memory == NULL ? NULL : &cradles[i];
        workers[i].read_only = cradles;
        workers[i].read_only_bytes = bytes;
        workers[i].shared = mapping->shared;
        workers[i].start = start;
    }
}

bool wri_layout_map(wri_mapping *mapping, wri_worker_setup *workers, unsigned slots,
                    unsigned explorers, bool machines, bool sketched, bool told)
{
    cursor at = { .page = (size_t)sysconf(_SC_PAGESIZE) };
    lay_out(&at, mapping, workers, slots, explorers, machines, sketched, told);
    mapping->bytes = at.used;
    void *memory = mmap(NULL, at.used, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    at = (cursor){ .memory = memory, .page = at.page };
    lay_out(&at, mapping, workers, slots, explorers, machines, sketched, told);
    return true;
}

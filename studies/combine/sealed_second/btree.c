/* kind: edge
 * A page of a B-tree: a cell that just fits is put there, though its pointer has no room. */
#include <warren.h>

#define PAGE 4096
#define LEAF_HEADER 8
#define INNER_HEADER 12
#define POINTER 2

typedef struct page {
    int  cells, content, fragments;
    bool inner;
} page;

static int header_of(const page *of)
{
    return of->inner ? INNER_HEADER : LEAF_HEADER;
}

/* What is free between the pointers and the content, and between cells. */
static int gap(const page *of)
{
    return PAGE - header_of(of) - of->cells * POINTER - of->content - of->fragments;
}

static bool insert(page *into, int bytes)
{
    int room = gap(into);
    if (room < bytes + POINTER && into->fragments > 0) { /* defragment */
        room += into->fragments;
        into->fragments = 0;
    }
#ifndef FIXED
    if (into->inner ? room < bytes + POINTER : room + 1 < bytes + POINTER)
#else
    if (room < bytes + POINTER)
#endif
        return false;
    into->cells++;
    into->content += bytes;
    return true;
}

WR_PROPERTY(btree)
{
    page of;
    of.inner = wr_bool(t, "inner");
    of.cells = (int)wr_int(t, "cells", 0, 300);
    of.content = (int)wr_int(t, "content", 0, PAGE - 700);
    of.fragments = (int)wr_int(t, "fragments", 0, 60);
    int bytes = (int)wr_int(t, "bytes", 4, 4000);
    int before = of.cells;
    insert(&of, bytes);
    wr_assert_between(t, of.cells, before, before + 1);
    wr_assert_ge(t, gap(&of), 0);
}

#ifdef WITNESS
WR_EXAMPLE(btree, "inner = false", "cells = 0", "content = 1000", "fragments = 0",
           "bytes = 3087");
#endif

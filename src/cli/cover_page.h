/* cli/cover_page.h: the page of `warren cover --html FILE`. */
#ifndef WRI_CLI_COVER_PAGE_H
#define WRI_CLI_COVER_PAGE_H

#include "cover/produce.h"

/* Rows that are kept for a page. */
typedef struct wri_cover_page {
    const wrc_model *model;
    const char      *path, *method;
    uint32_t         strength; /* up to which coverage is counted */
    uint64_t         lower_bound;
    uint32_t        *cells;
    uint64_t         rows, room;
    bool             short_of_memory;
} wri_cover_page;

/* Keeps a row. */
void wri_cover_page_row(wri_cover_page *page, const uint32_t *row);
/* Writes the page, at once or not at all. False with a complaint. */
bool wri_cover_page_write(const wri_cover_page *page, wrc_complaint *complaint);
void wri_cover_page_free(wri_cover_page *page);

#endif

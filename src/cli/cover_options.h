/* cli/cover_options.h: the options of `warren cover`. */
#ifndef WRI_CLI_COVER_OPTIONS_H
#define WRI_CLI_COVER_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct wri_cover_options {
    const char *model, *constraints; /* NULL: the rows' own; CASA's, or NULL */
    uint64_t    strength;            /* 0: what the model says */
    uint64_t    seed, moves, optimise_ms;
    uint64_t    radix;    /* 0: off; 1: the best base; else the base */
    bool        no_local; /* of the digits */
    uint32_t    format;   /* wrc_format */
    const char *keep, *measure, *output, *infeasible, *html;
    uint64_t    missing; /* tuples to list; UINT64_MAX: the usual number */
    bool        verify, quiet, case_sensitive, help;
} wri_cover_options;

/* False with one line in `error`. */
bool wri_cover_options_read(wri_cover_options *options, int argc, char **argv, char *error,
                            size_t error_size);
void wri_cover_help(FILE *out);

#endif

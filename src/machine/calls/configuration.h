/* machine/calls/configuration.h: the configuration of a case: what .start drew.
 *
 *     slots = 3, mode = 1
 *
 * A setting is a number that .start drew with one choice, such as a size or a mode. It is known
 * by its label and by how many draws of that label came before it: .start may draw more or less,
 * if an earlier setting says so. Everything else that .start drew is in one hash: a text, an
 * array, further numbers, and which settings there are.
 */
#ifndef WRI_MACHINE_CALLS_CONFIGURATION_H
#define WRI_MACHINE_CALLS_CONFIGURATION_H

#include "core/case.h"

#define WRI_SETTINGS 8

typedef struct wri_setting {
    uint32_t label, number;
    int64_t  value;
} wri_setting;

typedef struct wri_configuration {
    unsigned    count;
    uint64_t    rest; /* the hash of all that is not in the list; 0: nothing was drawn */
    wri_setting list[WRI_SETTINGS];
} wri_configuration;

/* The settings among the first `end` nodes of a log, all of which .start drew. */
void wri_configuration_read(const wri_trace *trace, size_t end, wri_configuration *settings);
bool wri_configuration_same(const wri_configuration *a, const wri_configuration *b);
/* Never 0; 1 if nothing was drawn. */
uint64_t wri_configuration_hash(const wri_configuration *settings);

/* The node of setting `which` among the first `end` nodes of a log that has these settings; NULL:
 * it has none. */
const wri_node *wri_configuration_node(const wri_trace *trace, size_t end, unsigned which);
/* The numbers that a draw can have. */
void wri_configuration_range(const wri_node *node, int64_t *least, int64_t *most);
/* Changes the numbers of a log to those of the settings. False: it has other draws. */
bool wri_configuration_write(const wri_configuration *settings, wri_trace *trace, size_t end);

#endif

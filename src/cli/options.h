/* cli/options.h: the options of a test program, from arguments and environment. */
#ifndef WRI_CLI_OPTIONS_H
#define WRI_CLI_OPTIONS_H

#include <stdio.h>

#include "explore/settings.h"

/* Reads WARREN_ variables, then the arguments, which win. On a mistake returns false and one
 * line in `error` that names the option or variable, what was given and what is expected.
 * `argc` 0: the environment only. Patterns point into argv; a non-NULL `patterns_memory`
 * is to be freed by the caller. */
bool wri_options_read(wri_settings *settings, int argc, char **argv, char ***patterns_memory,
                      char *error, size_t error_size);

/* Prints the text of --help, for a program of this name. */
void wri_options_help(FILE *out, const char *program);

#endif

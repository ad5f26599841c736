/* machine/calls/log.h: from the log of a case to the calls that it made.
 *
 * The log comes out of memory that buggy code could write to: it is valid as a trace, and what it
 * says of calls is checked here.
 */
#ifndef WRI_MACHINE_CALLS_LOG_H
#define WRI_MACHINE_CALLS_LOG_H

#include "machine/calls/sequence.h"

/* The label of a sequence and of each call. */
#define WRI_CALL_LABEL UINT32_C(0x63616c6c)

/* The calls that were made, the last of which is the one that failed, if the case did. Replaces
 * what `sequence` had, whose memory is its own. False: this is no log of the machine, or memory
 * is out. Only logs of cases that were run have all that this needs; those out of tokens have
 * not. */
bool wri_sequence_read(const wri_machine *machine, const wri_trace *trace,
                       wri_sequence *sequence);

/* The loop of the calls, and its length; false: there is none. */
bool wri_log_find_calls(const wri_trace *trace, uint32_t *length, uint32_t *loop);

/* What a value is known by that was drawn between two nodes; and what it would be by its choices
 * alone, as no number is that people write. */
int64_t wri_log_drawn(const wri_trace *trace, size_t from, size_t to, int64_t value);
int64_t wri_log_drawn_choices(const wri_trace *trace, size_t from, size_t to);
/* A choice as the number that whoever drew it was given. */
int64_t wri_log_choice_value(const wri_node *node);

#endif

/* machine/calls/log.h: from the log of a case to the calls that it made.
 *
 * The log comes out of memory that buggy code could write to. It is valid as a trace; what it
 * says about calls is checked here.
 */
#ifndef WRI_MACHINE_CALLS_LOG_H
#define WRI_MACHINE_CALLS_LOG_H

#include "machine/calls/sequence.h"

/* The label of a sequence and of each call. */
#define WRI_CALL_LABEL UINT32_C(0x63616c6c)

/* The calls that the case made. If it failed, the last of them is the call that did. The memory
 * of `sequence` is its own and is used again. False: this is no log of the machine, or memory is
 * out. The log must be of a case that was run: a log out of a token does not have all of this. */
bool wri_sequence_read(const wri_machine *machine, const wri_trace *trace,
                       wri_sequence *sequence);

/* The nodes of the loop of calls and of its length. False: there is none. */
bool wri_log_find_calls(const wri_trace *trace, uint32_t *length, uint32_t *loop);

/* The case failed before its sequence was at its planned length: the length becomes the number of
 * calls that were made. So the same calls can be replayed once nothing fails any more. */
void wri_log_end_at_last_call(wri_trace *trace);

/* The number that stands for a value which the nodes from..to-1 drew. It is the value itself; if
 * that may be a pointer, a hash of the choices. The second function always returns the hash. */
int64_t wri_log_drawn(const wri_trace *trace, size_t from, size_t to, int64_t value);
int64_t wri_log_drawn_choices(const wri_trace *trace, size_t from, size_t to);
/* The number that the draw of this choice returned. */
int64_t wri_log_choice_value(const wri_node *node);

#endif

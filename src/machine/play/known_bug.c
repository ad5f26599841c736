/* machine/play/known_bug.c: calls that a known bug spoils, as the command's .known_bug says.
 *
 * An assertion that fails in such a call is no failure. It has left the function of the command
 * half-way, so nobody knows what the model and the system are now: the sequence ends with this
 * call, as if it had been drawn so short. If the function returned, because only
 * wr_fail_later() was called, the sequence goes on.
 */
#include <string.h>

#include "machine/play/play.h"

/* The call was left half-way: the case goes on here, after it, and has no further calls. */
static void end_sequence(wri_play *play, uint32_t span, uint32_t depth, wri_open_span *open)
{
    wr_case *t = play->t;
    t->verdict->kind = WRI_NONE;
    t->text = play->text;
    t->open = open;
    if (t->trace != NULL)
        wri_case_span_end_to(t, span, depth);
    if (play->call.running)
        wri_play_consume(play);
    play->call.running = false;
    wri_play_free_copy(play);
    if (t->stage != NULL)
        t->stage->played->within = WRI_AFTER_CALL;
    play->met = play->over = true;
    play->made++;
    if (play->made < play->rounds && t->walk != NULL)
        wr_discard_(t); /* a shorter sequence is the same */
    wri_play_set_rounds(play, play->made);
}

void wri_play_expect(wri_play *play, void (*make)(wri_play *play))
{
    wr_case       *t = play->t;
    jmp_buf        out;
    uint32_t       span = t->span, depth = t->depth;
    wri_open_span *open = t->open;
    memcpy(&out, &t->out, sizeof out);
    play->expected = true;
    play->met = false;
    bool left = _setjmp(t->out) != 0;
    if (!left)
        make(play);
    memcpy(&t->out, &out, sizeof out);
    play->expected = false;
    if (left && t->verdict->kind != WRI_ASSERTION)
        longjmp(t->out, 1);
    if (left)
        end_sequence(play, span, depth, open);
    wri_play_observe_known(play);
}

/* machine/play/observe.c: counts commands, and pairs of commands with a common handle or value.
 *
 * Both are rows of tables, as a property's own labels are. The report counts them. The guided
 * explorer follows commands that are seldom called. It does not follow pairs: there are too many
 * that mean nothing.
 */
#include <stdio.h>

#include "machine/play/play.h"
#include "observe/seen.h"

static void show_pair(wri_play *play, unsigned first, unsigned second)
{
    const wri_machine *machine = play->machine;
    wr_site_          *site = &machine->pairs[first * machine->command_count + second];
    char               row[WRI_SEEN_BYTES + 1];
    if (wri_observe_hit_row(play->t, site, true))
        return;
    snprintf(row, sizeof row, "%s, %s", machine->commands[first].table->name,
             machine->commands[second].table->name);
    wri_observe_show_row(play->t, site, "connected", row, true);
}

/* Who had it last, plus one; NULL: nobody keeps that. */
static uint8_t *user_of(wri_play *play, const wri_machine_command *command, unsigned argument)
{
    const wr_kind *kind = command->table->takes[argument];
    unsigned       number = command->kinds[argument];
    int64_t        value = play->call.values[argument];
    if (kind->handle)
        return &play->holdings[number].users[value];
    bool few = kind->values > 0 && kind->values <= WRI_HANDLES;
    return few ? &play->uses[number].users[value] : NULL;
}

static void show_pairs(wri_play *play, const wri_machine_command *command, unsigned number)
{
    for (unsigned i = 0; i < command->arity; i++) {
        uint8_t *user = user_of(play, command, i);
        if (user == NULL)
            continue;
        if (*user > 0 && play->machine->pairs != NULL)
            show_pair(play, *user - 1u, number);
        *user = (uint8_t)(number + 1);
    }
}

void wri_play_observe(wri_play *play)
{
    const wri_machine_command *command = play->call.command;
    unsigned                   number = (unsigned)(command - play->machine->commands);
    wr_site_                  *site = &play->machine->commands[number].site;
    if (play->t->seen == NULL && play->t->watch == NULL)
        return;
    if (command->claims) { /* no call of the user's */
        play->holdings[command->gives].users[play->call.giving] = (uint8_t)(command->base + 1);
        return;
    }
    if (!wri_observe_hit_row(play->t, site, false))
        wri_observe_show_row(play->t, site, WRI_CALLED, command->table->name, false);
    show_pairs(play, command, number);
    if (command->giving)
        play->holdings[command->gives].users[play->call.giving] = (uint8_t)(number + 1);
}

void wri_play_observe_known(wri_play *play)
{
    const wri_machine_command *command = play->call.command;
    unsigned                   number = (unsigned)(command - play->machine->commands);
    wri_machine_command       *counted = &play->machine->commands[number];
    wr_site_                  *site = play->met ? &counted->met : &counted->missed;
    char                       row[WRI_SEEN_BYTES + 1];
    if ((play->t->seen == NULL && play->t->watch == NULL) ||
        wri_observe_hit_row(play->t, site, false))
        return;
    snprintf(row, sizeof row, play->met ? WRI_KNOWN_FAILED : WRI_KNOWN_HELD,
             command->table->name);
    wri_observe_show_row(play->t, site, WRI_KNOWN_BUG, row, false);
}

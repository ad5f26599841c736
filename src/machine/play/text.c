/* machine/play/text.c: a sequence of calls as C.
 *
 *     process *v1 = spawn();
 *     register("a", v1);
 *
 * A line is added before its call is made, so that a crash still shows it. Its values are printed
 * at that moment and never again, because the code under test may change what they point at.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gen/show.h"
#include "machine/play/play.h"

static void put_variable(wr_out *out, const wr_kind *kind, uint32_t number)
{
    const char *type = kind->type == NULL ? "void *" : kind->type;
    size_t      length = strlen(type);
    bool        apart = length > 0 && type[length - 1] != '*' && type[length - 1] != ' ';
    wr_put(out, "%s%sv%" PRIu32, type, apart ? " " : "", number);
}

/* writer *v2; reader *v1 = */
static void put_results(wr_out *out, const wri_play *play)
{
    const wri_machine_command *command = play->call.command;
    for (uint32_t i = 0; i < command->also; i++) {
        put_variable(out, command->table->gives_also[i], play->variables + 2 + i);
        wr_put(out, "; ");
    }
    put_variable(out, command->table->gives, play->variables + 1);
    wr_put(out, " = ");
}

static void put_argument(wr_out *out, const wri_play *play, unsigned argument)
{
    const wri_machine_command *command = play->call.command;
    const wr_kind             *kind = command->table->takes[argument];
    int64_t                    value = play->call.values[argument];
    if (kind->handle)
        wr_put(out, "v%" PRIu32, play->holdings[command->kinds[argument]].variables[value]);
    else if (kind->show != NULL)
        kind->show(out, value);
    else
        wr_put(out, "%" PRId64, value);
}

static void put_call(wr_out *out, const wri_play *play)
{
    const wri_machine_command *command = play->call.command;
    if (command->giving)
        put_results(out, play);
    wr_put(out, "%s(", command->table->name);
    unsigned arity = command->arity;
    if (arity > 0 && wri_machine_is_fault(play->machine, command->table->takes[arity - 1]))
        arity--;
    for (unsigned i = 0; i < arity; i++) {
        wr_put(out, "%s", i > 0 ? ", " : "");
        put_argument(out, play, i);
    }
    for (uint32_t i = 0; i < command->also; i++)
        wr_put(out, "%s&v%" PRIu32, i + arity > 0 ? ", " : "", play->variables + 2 + i);
    wr_put(out, ");");
}

/* A longer text keeps only its last calls, with three dots before them. */
#define TEXT_KEPT ((size_t)8 << 10)
#define TEXT_ROOM (TEXT_KEPT + sizeof "...\n")

static const char *last_lines(const char *lines, size_t length)
{
    const char *end = memchr(lines + length - TEXT_KEPT / 2, '\n', TEXT_KEPT / 2);
    return end == NULL ? lines + length : end + 1;
}

/* Keeps what the entry says so far. */
static void keep(const wr_out *out, size_t from, char *to)
{
    const char *lines = out->t->text->bytes + from;
    size_t      length = out->cut ? 0 : out->used - from;
    bool        all = !out->cut && length <= TEXT_KEPT;
    const char *last = all || out->cut ? lines : last_lines(lines, length);
    size_t      left = (size_t)(lines + length - last);
    snprintf(to, TEXT_ROOM, "%s%s%.*s", all ? "" : "...", all || left == 0 ? "" : "\n", (int)left,
             last);
}

static void put_calls(wr_out *out, const void *value)
{
    wri_play *play = *(wri_play *const *)value;
    size_t    from = out->used;
    if (play->lines[0] != '\0')
        wr_put(out, "%s\n", play->lines);
    put_call(out, play);
    keep(out, from, play->lines);
}

/* Values of a machine's own that are drawn meanwhile are not shown by themselves. */
void wri_play_show(wri_play *play)
{
    wr_case *t = play->t;
    if (play->lines == NULL) {
        play->lines = wr_alloc(t, TEXT_ROOM);
        play->entry = wri_show_count(t);
        wr_show(t, "calls", "%s", "");
    }
    wri_show_again(t, play->entry, put_calls, &play);
}

/* A call that does not fail says nothing of its fault. */
typedef struct fault {
    wri_play   *play;
    const char *text;
} fault;

static void put_fault(wr_out *out, const void *value)
{
    const fault *one = value;
    size_t       from = out->used;
    wr_put(out, "%s /* %s */", one->play->lines, one->text);
    keep(out, from, one->play->lines);
}

void wri_play_show_fault(wri_play *play, const char *text)
{
    fault one = { play, text };
    if (play->lines != NULL)
        wri_show_again(play->t, play->entry, put_fault, &one);
}

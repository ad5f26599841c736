/* chase/rules.c: the known bugs of a machine as rules, in a text that people may edit.
 *
 * The store has one set of rules for each machine. A rule that was learnt is named after the key
 * of its bug. New rules are added at the end. When a rule goes, the text is written anew, without
 * anything that is not a rule. Another text of rules (--known) is only read.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chase/internal.h"
#include "machine/calls/log.h"
#include "machine/pattern/condition.h"
#include "machine/pattern/opaque.h"

static const char COMMENT[] = "# Bugs of this machine that are known: random sequences never "
                              "make the calls of one. A rule whose\n"
                              "# name is that of a stored case goes when that case does not fail "
                              "any more. Rules may be edited,\n"
                              "# added and deleted, and so may this file.\n";

wri_rule_name wri_chase_rule_name(uint64_t key)
{
    wri_rule_name name;
    snprintf(name.text, sizeof name.text, WRI_LEARNT "%016llx", (unsigned long long)key);
    return name;
}

/* The number of an old bug: one name is one bug. */
static size_t old_bug(const wri_chase_rules *rules, const char *name)
{
    for (size_t i = 0; i < rules->count; i++)
        if (strcmp(rules->known[i].name, name) == 0)
            return rules->known[i].bug;
    return WRI_OLD_BUGS + rules->count;
}

/* Reads the rules of a text; false, and a line, when the text holds something else. */
static bool read_rules(const wri_chase_rules *rules, const wri_stored_text *text, wri_rules *read,
                       wri_note *note)
{
    char wrong[400];
    return wri_rules_read(rules->machine, text->bytes, text->size, read, wrong, sizeof wrong) ||
           wri_note_refuse(note, "%s%s", text->where, wrong);
}

/* Takes over the rules of a text; false, and a line, when they cannot be read. */
static bool take_rules(wri_chase_rules *rules, const wri_stored_text *text, bool stored,
                       wri_note *note)
{
    wri_rules read = { 0 };
    if (text->size > WRI_STORE_BYTES)
        return wri_note_refuse(note, "%s: the file is too large", text->where);
    if (!read_rules(rules, text, &read, note))
        return false;
    for (size_t i = 0; i < read.count; i++) {
        const wri_rule *rule = &read.list[i];
        if (!wri_chase_know(rules, &rule->pattern, rule->name, old_bug(rules, rule->name)))
            break;
        wri_known_bug *known = &rules->known[rules->count - 1];
        known->given = true;
        known->outside = !stored;
        known->written = stored;
        known->waits = stored && strncmp(known->name, WRI_LEARNT, strlen(WRI_LEARNT)) == 0;
    }
    wri_rules_free(&read);
    return true;
}

/* The commands that can be called if these cannot. A call that takes a handle needs one before it
 * that gives one. */
static uint64_t callable_without(const wri_machine *machine, uint64_t forbidden)
{
    uint64_t callable = 0, kinds = 0, before;
    do {
        before = callable;
        for (unsigned i = 0; i < machine->command_count; i++) {
            const wri_machine_command *command = &machine->commands[i];
            if ((forbidden >> i & 1) != 0 || (command->needs & ~kinds) != 0)
                continue;
            callable |= wri_machine_bit(i);
            kinds |= command->giving ? wri_machine_bit(command->gives) : 0;
        }
    } while (callable != before);
    return callable;
}

/* Appends to a list of names; one that does not fit is cut. */
static void put_name(char *names, size_t room, const char *format, const char *name)
{
    size_t used = strlen(names);
    used += (size_t)snprintf(names + used, room - used, "%s", used == 0 ? "" : ", ");
    if (used < room)
        snprintf(names + used, room - used, format, name);
}

/* Names the rules that alone forbid every call of a command: " (rules "a", "b")". Others may do
 * so together. */
static void name_forbidding(const wri_chase_rules *rules, char *text, size_t room)
{
    char names[400] = "";
    for (size_t i = 0; i < rules->count; i++)
        if (wri_chase_forbidden_by(rules, &rules->known[i]) != 0)
            put_name(names, sizeof names, "\"%s\"", rules->known[i].name);
    snprintf(text, room, names[0] == '\0' ? "%s" : " (rules %s)", names);
}

/* Rules may leave some commands without a call, which is worth a warning. False, and a line: they
 * leave nothing to call. */
static bool leave_calls(wri_chase_rules *rules, const char *path, wri_note *note)
{
    const wri_machine *machine = rules->machine;
    uint64_t           callable = callable_without(machine, wri_chase_forbidden(rules));
    char               names[512] = "", forbidding[420];
    name_forbidding(rules, forbidding, sizeof forbidding);
    if (callable == 0)
        return wri_note_refuse(note, "%s: the rules forbid every call%s", path, forbidding);
    for (unsigned i = 0; i < machine->command_count; i++)
        if ((callable >> i & 1) == 0)
            put_name(names, sizeof names, "%s", machine->commands[i].table->name);
    if (names[0] != '\0')
        wri_quest_warn(rules->quest, "%s: the rules forbid every call of %s%s", path, names,
                       forbidding);
    return true;
}

static bool read_known(wri_chase_rules *rules)
{
    const char     *path = rules->quest->settings->known;
    wri_stored_text text = { 0 };
    wri_note        note;
    if (path == NULL)
        return true;
    bool read = wri_stored_text_read(path, &text, &note) &&
                take_rules(rules, &text, false, &note) && leave_calls(rules, path, &note);
    wri_stored_text_free(&text);
    if (!read)
        wri_quest_refuse(rules->quest, note.text);
    return read;
}

/* Can the rules still be read, now that more is known about the values they name? */
static bool still_reads(const wri_chase_rules *rules, const wri_stored_text *text, wri_note *note)
{
    wri_rules read = { 0 };
    bool      fine = text->bytes == NULL || read_rules(rules, text, &read, note);
    wri_rules_free(&read);
    return fine;
}

/* Warns once: the first wrong line stays the first. */
static void check_stored(wri_chase_rules *rules)
{
    wri_note note;
    if (rules->told_wrong || still_reads(rules, &rules->text, &note))
        return;
    wri_quest_warn(rules->quest, "%s", note.text);
    rules->told_wrong = true;
}

/* Values are seen when a case has drawn some: then the rules are read once more. */
bool wri_chase_check_rules(wri_chase *chase, const wri_trace *found)
{
    wri_quest      *quest = chase->quest;
    wri_stored_text text = { 0 };
    wri_note        note;
    if (!chase->by_patterns || !wri_sequence_read(chase->machine, found, &chase->inquiry.made) ||
        !wri_opaque_see(chase->machine, &chase->inquiry.made))
        return true;
    check_stored(&chase->rules);
    if (quest->settings->known != NULL)
        wri_stored_text_read(quest->settings->known, &text, NULL);
    bool fine = still_reads(&chase->rules, &text, &note);
    wri_stored_text_free(&text);
    if (!fine)
        wri_quest_refuse(quest, note.text);
    return fine;
}

/* Rules of the store that cannot be read stay as they are, with a warning. */
static void read_stored(wri_chase_rules *rules)
{
    wri_quest *quest = rules->quest;
    wri_note   note;
    if (quest->store == NULL)
        return;
    bool read =
        quest->store->get_set(quest->store, &quest->owner, WRI_SET_RULES, &rules->text, &note);
    if (read && (rules->text.bytes == NULL || take_rules(rules, &rules->text, true, &note)))
        return;
    wri_quest_warn(quest, "%s", note.text);
    quest->trouble.store_broken = rules->unusable = true;
    wri_stored_text_free(&rules->text);
}

bool wri_chase_read_rules(wri_chase_rules *rules)
{
    if (rules->quest->settings->abstraction == WRI_LEVEL_OFF)
        return true;
    if (!read_known(rules))
        return false;
    read_stored(rules);
    return true;
}

/* ---- What values show ---- */

void wri_chase_listen(wri_chase *chase, const wri_outcome *outcome)
{
    wri_bug shown = { 0 };
    if (!wri_sequence_read(chase->machine, &outcome->trace, &chase->inquiry.made) ||
        !wri_bug_describe(&shown, outcome))
        chase->inquiry.made.count = 0;
    for (size_t i = 0; i < shown.failure.value_count && chase->inquiry.made.count > 0; i++) {
        wri_condition_note(chase->machine, &chase->inquiry.made.settings,
                           shown.failure.values[i].name);
        if (strcmp(shown.failure.values[i].name, "calls") == 0)
            wri_opaque_listen(chase->machine, &chase->inquiry.made, shown.failure.values[i].text);
    }
    wri_bug_free(&shown);
}

void wri_chase_show_values(wri_chase *chase, const wri_pattern *pattern,
                           const wri_sequence *sequence)
{
    wri_outcome outcome;
    if (!wri_opaque_untold(chase->machine, pattern) || chase->inquiry.out_of_time ||
        !wri_book_plan(chase->book, sequence, 0, &chase->inquiry.plan))
        return;
    wri_chase_run(chase, &chase->inquiry.plan, false, true, &outcome);
    wri_chase_listen(chase, &outcome);
}

/* ---- Writing ---- */

/* One whose guards are still to be learnt waits for them. */
static bool belongs(const wri_known_bug *known)
{
    return !known->outside && !known->included && known->example.count == 0;
}

static void put_entries(FILE *out, wri_chase_rules *rules, bool all)
{
    for (size_t i = 0; i < rules->count; i++) {
        wri_known_bug *known = &rules->known[i];
        if (!belongs(known) || (known->written && !all))
            continue;
        char *entry = wri_rule_text(rules->machine, &known->pattern, known->name);
        if (entry != NULL)
            fprintf(out, "\n%s", entry);
        known->written = entry != NULL;
        free(entry);
    }
}

/* All rules as one text: the old text and the new rules, or, `anew`, every rule. NULL: memory is
 * out. */
static char *all_rules(wri_chase_rules *rules, bool anew, size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (out == NULL)
        return NULL;
    fputs(anew ? COMMENT : rules->text.bytes, out);
    put_entries(out, rules, anew);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

static bool nothing_new(const wri_chase_rules *rules)
{
    for (size_t i = 0; i < rules->count; i++)
        if (belongs(&rules->known[i]) && !rules->known[i].written)
            return false;
    return !rules->removed;
}

void wri_chase_write_rules(wri_chase_rules *rules)
{
    wri_quest *quest = rules->quest;
    wri_store *store = quest->store;
    wri_note   note;
    if (store == NULL || rules->unusable || nothing_new(rules))
        return;
    bool            anew = rules->text.bytes == NULL || rules->removed;
    wri_stored_text all = { .where = rules->text.where };
    all.bytes = all_rules(rules, anew, &all.size);
    if (all.bytes != NULL &&
        !(anew ? store->replace_set(store, &quest->owner, WRI_SET_RULES, all.bytes, &note)
               : store->add_to_set(store, &quest->owner, WRI_SET_RULES,
                                   all.bytes + rules->text.size, &note))) {
        wri_quest_warn(quest, "the rules could not be stored: %s", note.text);
        rules->unusable = true;
    }
    free(rules->text.bytes);
    rules->text = all;
    rules->removed = false;
}

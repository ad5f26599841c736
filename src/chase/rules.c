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
#include "machine/calls/opaque.h"

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
static size_t old_bug(const wri_chase *chase, const char *name)
{
    for (size_t i = 0; i < chase->known_count; i++)
        if (strcmp(chase->known[i].name, name) == 0)
            return chase->known[i].bug;
    return WRI_OLD_BUGS + chase->known_count;
}

/* Reads the rules of a text; false, and a line, when the text holds something else. */
static bool read_rules(const wri_chase *chase, const wri_stored_text *text, wri_rules *rules,
                       wri_note *note)
{
    char wrong[400];
    return wri_rules_read(chase->machine, text->bytes, text->size, rules, wrong, sizeof wrong) ||
           wri_note_refuse(note, "%s: %s", text->where, wrong);
}

/* Takes over the rules of a text; false, and a line, when they cannot be read. */
static bool take_rules(wri_chase *chase, const wri_stored_text *text, bool stored, wri_note *note)
{
    wri_rules rules = { 0 };
    if (text->size > WRI_STORE_BYTES)
        return wri_note_refuse(note, "%s: the file is too large", text->where);
    if (!read_rules(chase, text, &rules, note))
        return false;
    for (size_t i = 0; i < rules.count; i++) {
        if (!wri_chase_know(chase, &rules.patterns[i], rules.names[i],
                            old_bug(chase, rules.names[i])))
            break;
        wri_known_bug *known = &chase->known[chase->known_count - 1];
        known->given = true;
        known->outside = !stored;
        known->written = stored;
        known->waits = stored && strncmp(known->name, WRI_LEARNT, strlen(WRI_LEARNT)) == 0;
    }
    wri_rules_free(&rules);
    return true;
}

/* False: the quest ends, and says why. */
static bool refuse_known(wri_quest *quest, const wri_note *note)
{
    free(quest->why);
    quest->why = strdup(note->text);
    return false;
}

static bool read_known(wri_chase *chase)
{
    const char     *path = chase->quest->settings->known;
    wri_stored_text text = { 0 };
    wri_note        note;
    if (path == NULL)
        return true;
    bool read =
        wri_stored_text_read(path, &text, &note) && take_rules(chase, &text, false, &note);
    wri_stored_text_free(&text);
    return read || refuse_known(chase->quest, &note);
}

/* Can the rules still be read, now that more is known about the values they name? */
static bool still_reads(const wri_chase *chase, const wri_stored_text *text, wri_note *note)
{
    wri_rules rules = { 0 };
    bool      fine = text->bytes == NULL || read_rules(chase, text, &rules, note);
    wri_rules_free(&rules);
    return fine;
}

/* Warns once: the first wrong line stays the first. */
static void check_stored(wri_chase *chase)
{
    wri_note note;
    if (chase->rules_refuted || still_reads(chase, &chase->rules, &note))
        return;
    wri_quest_warn(chase->quest, "%s", note.text);
    chase->rules_refuted = true;
}

/* Values are seen when a case has drawn some: then the rules are read once more. */
bool wri_chase_check_rules(wri_chase *chase, const wri_trace *found)
{
    wri_quest      *quest = chase->quest;
    wri_stored_text text = { 0 };
    wri_note        note;
    if (!chase->patterned || !wri_sequence_read(chase->machine, found, &chase->made) ||
        !wri_opaque_see(chase->machine, &chase->made))
        return true;
    check_stored(chase);
    if (quest->settings->known != NULL)
        wri_stored_text_read(quest->settings->known, &text, NULL);
    bool fine = still_reads(chase, &text, &note);
    wri_stored_text_free(&text);
    if (fine)
        return true;
    quest->status = WRI_STATUS_ERROR;
    return refuse_known(quest, &note);
}

/* Rules of the store that cannot be read stay as they are, with a warning. */
static void read_stored(wri_chase *chase)
{
    wri_quest *quest = chase->quest;
    wri_note   note;
    if (quest->store == NULL)
        return;
    bool read =
        quest->store->get_set(quest->store, &quest->owner, WRI_SET_RULES, &chase->rules, &note);
    if (read && (chase->rules.bytes == NULL || take_rules(chase, &chase->rules, true, &note)))
        return;
    wri_quest_warn(quest, "%s", note.text);
    quest->store_broken = chase->rules_unread = true;
    wri_stored_text_free(&chase->rules);
}

bool wri_chase_read_rules(wri_chase *chase)
{
    if (chase->quest->settings->abstraction == WRI_ABSTRACT_OFF)
        return true;
    if (!read_known(chase))
        return false;
    read_stored(chase);
    return true;
}

/* ---- What values show ---- */

void wri_chase_listen(wri_chase *chase, const wri_outcome *outcome)
{
    wri_bug shown = { 0 };
    if (!wri_sequence_read(chase->machine, &outcome->trace, &chase->made) ||
        !wri_bug_describe(&shown, outcome))
        chase->made.count = 0;
    for (size_t i = 0; i < shown.failure.value_count && chase->made.count > 0; i++)
        if (strcmp(shown.failure.values[i].name, "calls") == 0)
            wri_opaque_listen(chase->machine, &chase->made, shown.failure.values[i].text);
    wri_bug_free(&shown);
}

void wri_chase_show_values(wri_chase *chase, const wri_pattern *pattern,
                           const wri_sequence *sequence)
{
    wri_outcome outcome;
    if (!wri_opaque_untold(chase->machine, pattern) || chase->stopped ||
        !wri_book_plan(chase->book, sequence, 0, &chase->plan))
        return;
    wri_chase_run(chase, &chase->plan, false, true, &outcome);
    wri_chase_listen(chase, &outcome);
}

/* ---- Writing ---- */

/* One whose guards are still to be learnt waits for them. */
static bool belongs(const wri_known_bug *known)
{
    return !known->outside && !known->included && known->example.count == 0;
}

static void put_entries(FILE *out, wri_chase *chase, bool all)
{
    for (size_t i = 0; i < chase->known_count; i++) {
        wri_known_bug *known = &chase->known[i];
        if (!belongs(known) || (known->written && !all))
            continue;
        char *entry = wri_rule_entry(chase->machine, &known->pattern, known->name);
        if (entry != NULL)
            fprintf(out, "\n%s", entry);
        known->written = entry != NULL;
        free(entry);
    }
}

/* All rules as one text: the old text and the new rules, or, `anew`, every rule. NULL: memory is
 * out. */
static char *all_rules(wri_chase *chase, bool anew, size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (out == NULL)
        return NULL;
    fputs(anew ? COMMENT : chase->rules.bytes, out);
    put_entries(out, chase, anew);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

static bool nothing_new(const wri_chase *chase)
{
    for (size_t i = 0; i < chase->known_count; i++)
        if (belongs(&chase->known[i]) && !chase->known[i].written)
            return false;
    return !chase->rule_gone;
}

void wri_chase_write_rules(wri_chase *chase)
{
    wri_quest *quest = chase->quest;
    wri_store *store = quest->store;
    wri_note   note;
    if (store == NULL || chase->rules_unread || nothing_new(chase))
        return;
    bool            anew = chase->rules.bytes == NULL || chase->rule_gone;
    wri_stored_text all = { .where = chase->rules.where };
    all.bytes = all_rules(chase, anew, &all.size);
    if (all.bytes != NULL &&
        !(anew ? store->replace_set(store, &quest->owner, WRI_SET_RULES, all.bytes, &note)
               : store->add_to_set(store, &quest->owner, WRI_SET_RULES,
                                   all.bytes + chase->rules.size, &note))) {
        wri_quest_warn(quest, "the rules could not be stored: %s", note.text);
        chase->rules_unread = true;
    }
    free(chase->rules.bytes);
    chase->rules = all;
    chase->rule_gone = false;
}

/* chase/rules.c: rules in files.
 *
 * The store has one file for each machine. It holds the rules of the bugs that were found, under
 * the name of their stored case, and rules that people wrote. New rules are added at the end. If
 * a rule goes, the file is written anew, with rules only. Files of --known are only read.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/folder.h"
#include "chase/internal.h"
#include "machine/calls/log.h"
#include "machine/pattern/opaque.h"
#include "store/files/file.h"

static const char COMMENT[] = "# Bugs of this machine that are known: random sequences never "
                              "make the calls of one. A rule whose\n"
                              "# name is that of a stored case goes when that case does not fail "
                              "any more. Rules may be edited,\n"
                              "# added and deleted, and so may this file.\n";

/* The name of its file ends so, too; without a file it is nobody's business. */
char *wri_chase_rule_name(const wri_bug *bug)
{
    const char *name = bug->stored == NULL ? NULL : wri_folder_last_name(bug->stored);
    size_t      length = name == NULL ? 0 : strlen(name);
    if (length < 20 || strcmp(name + length - 4, ".txt") != 0)
        return wri_file_print(WRI_LEARNT "%016llx", (unsigned long long)bug->key);
    return wri_file_print(WRI_LEARNT "%.16s", name + length - 20);
}

/* PROGRAM.PROPERTY.rules in the folder beside that of the failures; NULL: nothing is stored. */
static char *rules_path(const wri_quest *quest)
{
    if (quest->folder == NULL)
        return NULL;
    size_t length = (size_t)(wri_folder_last_name(quest->folder) - quest->folder);
    char  *folder = wri_file_print("%.*srules", (int)length, quest->folder);
    char  *path = folder == NULL
                      ? NULL
                      : wri_store_path(folder, wri_folder_last_name(quest->settings->program),
                                       quest->property->name, 0);
    free(folder);
    if (path != NULL) /* "0123456789abcdef.txt" */
        strcpy(path + strlen(path) - 20, "rules");
    return path;
}

/* The number of an old bug: one name is one bug. */
static size_t old_bug(const wri_chase_rules *rules, const char *name)
{
    for (size_t i = 0; i < rules->count; i++)
        if (strcmp(rules->known[i].name, name) == 0)
            return rules->known[i].bug;
    return WRI_OLD_BUGS + rules->count;
}

/* Takes over the rules of a file; false: the text is none, and `error` says why. */
static bool take_rules(wri_chase_rules *rules, const char *path, const char *text, size_t length,
                       bool stored, char *error, size_t error_size)
{
    wri_rules read = { 0 };
    char      where[400];
    if (length > WRI_FILE_BYTES) {
        snprintf(error, error_size, "%s: the file is too large", path);
        return false;
    }
    if (!wri_rules_read(rules->machine, text, length, &read, where, sizeof where)) {
        snprintf(error, error_size, "%s: %s", path, where);
        return false;
    }
    for (size_t i = 0; i < read.count; i++) {
        if (!wri_chase_know(rules, &read.patterns[i], read.names[i],
                            old_bug(rules, read.names[i])))
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

/* False: the quest ends, and says why. */
static bool refuse_known(wri_quest *quest, const char *error)
{
    free(quest->why);
    quest->why = strdup(error);
    return false;
}

static bool read_known(wri_chase_rules *rules)
{
    const char *path = rules->quest->settings->known;
    char        error[700];
    size_t      length = 0;
    if (path == NULL)
        return true;
    char *text = wri_file_read(path, &length);
    bool  read = text != NULL;
    if (!read)
        snprintf(error, sizeof error, "%s: cannot be read: %s", path, strerror(errno));
    read = read && take_rules(rules, path, text, length, false, error, sizeof error);
    free(text);
    return read || refuse_known(rules->quest, error);
}

/* Does the text say nothing of values that they cannot be, as is known now? */
static bool still_reads(const wri_chase_rules *rules, const char *path, const char *text,
                        size_t length, char *error, size_t error_size)
{
    wri_rules read = { 0 };
    char      where[400];
    bool      fine = text == NULL || path == NULL ||
                wri_rules_read(rules->machine, text, length, &read, where, sizeof where);
    if (!fine)
        snprintf(error, error_size, "%s: %s", path, where);
    wri_rules_free(&read);
    return fine;
}

/* Told of once: its first line that is wrong stays the first. */
static void check_stored(wri_chase_rules *rules)
{
    char *path = rules_path(rules->quest);
    char  error[700];
    if (!rules->told_wrong && rules->text != NULL &&
        !still_reads(rules, path, rules->text, strlen(rules->text), error, sizeof error)) {
        wri_quest_warn(rules->quest, "%s", error);
        rules->told_wrong = true;
    }
    free(path);
}

/* What values are is seen when there are some: then the files are read once more. */
bool wri_chase_check_rules(wri_chase *chase, const wri_trace *found)
{
    wri_quest  *quest = chase->quest;
    const char *path = quest->settings->known;
    char        error[700];
    size_t      length = 0;
    if (!chase->by_patterns || !wri_sequence_read(chase->machine, found, &chase->inquiry.made) ||
        !wri_opaque_see(chase->machine, &chase->inquiry.made))
        return true;
    check_stored(&chase->rules);
    char *text = path == NULL ? NULL : wri_file_read(path, &length);
    bool  fine = still_reads(&chase->rules, path, text, length, error, sizeof error);
    free(text);
    if (fine)
        return true;
    quest->status = WRI_STATUS_ERROR;
    return refuse_known(quest, error);
}

/* A file of the store that cannot be read is told of, and stays as it is. */
static void read_stored(wri_chase_rules *rules)
{
    char  *path = rules_path(rules->quest);
    char   error[700];
    size_t length = 0;
    char  *text = path == NULL ? NULL : wri_file_read(path, &length);
    if (text != NULL && take_rules(rules, path, text, length, true, error, sizeof error)) {
        rules->text = strndup(text, length);
    } else if (text != NULL) {
        wri_quest_warn(rules->quest, "%s", error);
        rules->quest->store_broken = rules->unusable = true;
    }
    free(text);
    free(path);
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
    for (size_t i = 0; i < shown.failure.value_count && chase->inquiry.made.count > 0; i++)
        if (strcmp(shown.values[i].name, "calls") == 0)
            wri_opaque_listen(chase->machine, &chase->inquiry.made, shown.values[i].text);
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
        char *entry = wri_rule_entry(rules->machine, &known->pattern, known->name);
        if (entry != NULL)
            fprintf(out, "\n%s", entry);
        known->written = entry != NULL;
        free(entry);
    }
}

/* The whole file as it is to be; NULL: memory is out. */
static char *all_rules(wri_chase_rules *rules)
{
    char  *text = NULL;
    size_t size;
    FILE  *out = open_memstream(&text, &size);
    bool   anew = rules->text == NULL || rules->removed;
    if (out == NULL)
        return NULL;
    fputs(anew ? COMMENT : rules->text, out);
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
    char      *path = rules_path(quest);
    char       error[512];
    if (path == NULL || rules->unusable || nothing_new(rules)) {
        free(path);
        return;
    }
    char *text = all_rules(rules);
    if (text != NULL && !wri_file_replace(path, text, strlen(text), error, sizeof error)) {
        wri_quest_warn(quest, "the rules could not be stored: %s", error);
        rules->unusable = true;
    }
    free(rules->text);
    rules->text = text;
    rules->removed = false;
    free(path);
}

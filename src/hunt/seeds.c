/* hunt/seeds.c: starts a property from files (--seed-files DIR, --fuzz-files PATH).
 *
 * A seed file becomes the content of the property's only bytes or text draw (plan/import.h). An
 * input of a fuzzing target has the answers of all draws (explore/answer.h). A search that keeps
 * cases from run to run is given these, as if they were stored. Other explorers have them run
 * first, one by one, in the judge. Each of N shards has every N-th file.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "explore/answer.h"
#include "hunt/internal.h"
#include "plan/import.h"

/* So many random cases are looked at for the draw. */
#define EXAMPLES 64

/* ---- The draw ---- */

static bool no_draw(wri_quest *quest, const char *why)
{
    bool exports = quest->settings->export_to != NULL;
    wri_quest_warn(quest, "%s, because the property %s",
                   exports ? "--export: no file was written" : "--seed-files: no file was used",
                   why);
    return false;
}

/* Takes one byte off a C string literal, such as "\x1f""a"; false: the literal ends. */
static bool next_byte(const char **literal, unsigned char *byte)
{
    static const char NAMED[] = "ntr\"\\", PLAIN[] = "\n\t\r\"\\";
    const char       *at = *literal + (strncmp(*literal, "\"\"", 2) == 0 ? 2 : 0);
    const char       *named = at[0] != '\\' || at[1] == '\0' ? NULL : strchr(NAMED, at[1]);
    if (at[0] == '"' || at[0] == '\0')
        return false;
    *byte = (unsigned char)at[0];
    *literal = at + 1;
    if (named != NULL) {
        *byte = (unsigned char)PLAIN[named - NAMED];
        *literal = at + 2;
    } else if (at[0] == '\\') {
        *byte = (unsigned char)strtol(at + 2, (char **)literal, 16);
    }
    return true;
}

/* The literal that a case shows for the draw, behind its first quote; NULL: it shows none. */
static const char *shown_text(const wri_outcome *outcome, uint32_t label)
{
    const char *end = outcome->text + outcome->text_used;
    for (const char *at = outcome->text; at < end;) {
        const char *name = at + 1, *text = name + strlen(name) + 1;
        bool        value = *at == WRI_TEXT_VALUE && text < end;
        if (value && text[0] == '"' && wri_trace_label_hash(name) == label)
            return text + 1;
        at = value ? text + strlen(text) + 1 : text;
    }
    return NULL;
}

/* Learns a letter or piece from a literal that has it so many times, and nothing else. */
static bool learn_piece(wri_import *import, uint64_t number, const char *literal, size_t times)
{
    size_t length = 0;
    char  *bytes = malloc(strlen(literal) + 1);
    if (bytes == NULL)
        return false;
    for (unsigned char byte; next_byte(&literal, &byte);)
        bytes[length++] = (char)byte;
    size_t once = times == 0 ? 0 : length / times;
    bool   repeats = once * times == length;
    for (size_t i = once; i < length && repeats; i++)
        repeats = bytes[i] == bytes[i - once];
    bool learnt = repeats && wri_import_spell(import, number, bytes, once);
    free(bytes);
    return learnt;
}

/* Learns the alphabet of a wr_text_of, or the pieces of a wr_pieces, by a case for each of them.
 * False: the case does not show it. */
static bool learn_letters(wri_quest *quest, wri_import *import)
{
    wri_outcome outcome;
    wri_trace   plan = { 0 };
    wri_job     job = wri_quest_job(quest);
    bool        learnt = true;
    job.manner = WRI_MANNER_ALIGNED;
    for (uint64_t i = 0; i <= wri_import_last(import) && learnt; i++) {
        const wri_node *draw = &import->like.nodes[import->array];
        learnt = wri_import_letter(import, i, &plan);
        if (!learnt)
            break;
        wri_quest_single(quest, &job, &plan, false, &outcome);
        const char *text = shown_text(&outcome, draw->label);
        learnt =
            text != NULL && learn_piece(import, i, text, (size_t)plan.nodes[import->array].count);
    }
    wri_trace_free(&plan);
    return learnt;
}

bool wri_seeds_find_draw(wri_quest *quest, wri_import *import)
{
    wri_job job = wri_quest_job(quest);
    if (quest->property->machine != NULL)
        return no_draw(quest, "is a machine");
    for (job.from = 0; job.from < EXAMPLES; job.from++) {
        wri_outcome outcome;
        wri_quest_single(quest, &job, NULL, false, &outcome);
        unsigned found = wri_import_find(import, &outcome.trace);
        if (found == 1 && (import->spelt || learn_letters(quest, import)))
            return true;
        wri_import_free(import);
        if (found == 1)
            break;
        if (found > 1)
            return no_draw(quest, "has more than one draw of bytes or text");
    }
    return no_draw(
        quest, "has no draw of bytes or text that a file can become: wr_bytes, wr_u8s, wr_i8s, "
               "wr_text, wr_text_of, wr_utf8, wr_identifier, wr_pieces or wr_byte_pieces, "
               "with a name");
}

/* ---- Files ---- */

typedef bool use(wri_quest *quest, const wri_trace *plan, const char *file);

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* The log of the case that the bytes of a fuzzer lead to. */
static bool plan_of_input(wri_quest *quest, const wri_stored_text *text, wri_trace *plan,
                          wri_note *why)
{
    wri_outcome outcome;
    wri_trace   packed = { 0 };
    wri_job     job = wri_quest_job(quest);
    job.manner = WRI_MANNER_BYTES;
    if (text->size > WRI_BYTES_MOST)
        return wri_note_refuse(why, "it is over 1 MiB");
    bool made = wri_bytes_pack(&packed, (const uint8_t *)text->bytes, text->size);
    if (made)
        wri_quest_single(quest, &job, &packed, false, &outcome);
    made = made && wri_trace_copy(plan, &outcome.trace);
    wri_trace_free(&packed);
    return made || wri_note_refuse(why, "out of memory");
}

/* Makes a plan of a file and uses it; without `import`, of an input of a fuzzer. False: that is
 * enough. */
static bool try_file(wri_quest *quest, const wri_import *import, const char *file, use *with)
{
    struct stat     status;
    wri_stored_text text = { 0 };
    wri_trace       plan = { 0 };
    wri_note        why = { "" };
    bool            goes_on = true;
    if (stat(file, &status) == 0 && !S_ISREG(status.st_mode))
        return true;
    if (!wri_stored_text_read(file, &text, &why) ||
        (text.size > WRI_STORE_BYTES && !wri_note_refuse(&why, "it is over 16 MiB")) ||
        !(import == NULL ? plan_of_input(quest, &text, &plan, &why)
                         : wri_import_plan(import, text.bytes, text.size, &plan, &why)))
        wri_quest_warn(quest, "the seed file %s was not used: %s", file, why.text);
    else
        goes_on = with(quest, &plan, file);
    wri_trace_free(&plan);
    wri_stored_text_free(&text);
    return goes_on;
}

/* Uses every file of the folder; of N shards each has every N-th. False: one was enough. */
static bool try_files(wri_quest *quest, use *with)
{
    const char     *seeds = quest->settings->seed_files, *inputs = quest->settings->fuzz_files;
    const char     *folder = seeds != NULL ? seeds : inputs;
    struct dirent **names = NULL;
    wri_import      import;
    int             count = scandir(folder, &names, is_shown, by_name);
    const char     *slash = folder[0] != '\0' && folder[strlen(folder) - 1] == '/' ? "" : "/";
    bool            goes_on = true, imports = false;
    if (seeds != NULL && count > 0)
        imports = wri_seeds_find_draw(quest, &import);
    bool found = imports || inputs != NULL;
    if (inputs != NULL && count < 0 && errno == ENOTDIR)
        goes_on = try_file(quest, NULL, inputs, with);
    for (int i = 0; i < count; free(names[i++])) {
        char *file = NULL;
        if (found && goes_on && (uint32_t)i % quest->shard.count == quest->shard.number &&
            !wri_quest_time_is_up(quest) &&
            asprintf(&file, "%s%s%s", folder, slash, names[i]->d_name) > 0)
            goes_on = try_file(quest, imports ? &import : NULL, file, with);
        free(file);
    }
    if (imports)
        wri_import_free(&import);
    free(names);
    return goes_on;
}

/* ---- Using a plan ---- */

static bool plant(wri_quest *quest, const wri_trace *plan, const char *file)
{
    if (!quest->explorer->keeping->recall(quest->exploring, plan))
        wri_quest_warn(quest, "the seed file %s was not used: the search has no room for it",
                       file);
    return true;
}

/* Runs the case; if it fails, once more in a fresh worker. */
static bool run(wri_quest *quest, const wri_trace *plan, const char *file)
{
    wri_outcome outcome;
    wri_job     job = wri_quest_job(quest);
    job.manner = WRI_MANNER_ALIGNED;
    wri_quest_single(quest, &job, plan, false, &outcome);
    if (outcome.verdict.kind == WRI_DISCARD || outcome.verdict.kind == WRI_OVERRUN) {
        quest->discarded++;
        return true;
    }
    bool failed = wri_verdict_failed(&outcome.verdict);
    if (failed) {
        wri_quest_single(quest, &job, plan, true, &outcome);
        failed = wri_verdict_failed(&outcome.verdict);
    }
    if (failed) {
        wri_quest_warn(quest, "the seed file %s fails", file);
        wri_quest_settle(quest, &outcome, quest->executions, NULL, false);
    }
    quest->cases++;
    return !failed || quest->many;
}

static bool can_read(const char *option, const char *path, bool file_too, char *error,
                     size_t error_size)
{
    struct stat status = { 0 };
    DIR        *folder = path == NULL ? NULL : opendir(path);
    bool        read = path == NULL || folder != NULL;
    if (folder != NULL)
        closedir(folder);
    else if (path != NULL && file_too && errno == ENOTDIR)
        read = stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, R_OK) == 0;
    if (!read)
        snprintf(error, error_size, "%s: cannot read the %s %.300s: %s", option,
                 file_too ? "file or folder" : "folder", path,
                 status.st_mode != 0 && !S_ISREG(status.st_mode) ? "it is neither"
                                                                 : strerror(errno));
    return read;
}

bool wri_seeds_readable(const wri_settings *settings, char *error, size_t error_size)
{
    return can_read("--seed-files", settings->seed_files, false, error, error_size) &&
           can_read("--fuzz-files", settings->fuzz_files, true, error, error_size);
}

bool wri_seeds_given(const wri_quest *quest)
{
    return quest->settings->seed_files != NULL || quest->settings->fuzz_files != NULL;
}

bool wri_seeds_try(wri_quest *quest)
{
    return wri_seeds_given(quest) && quest->explorer->keeping == NULL && !try_files(quest, run);
}

void wri_seeds_plant(wri_quest *quest)
{
    if (wri_seeds_given(quest))
        try_files(quest, plant);
}

/* cli/option_table.c: walks through variables and arguments, and keeps what the rows say.
 *
 * Variables and arguments are two layers. Rivals in the same layer are a mistake; an option on
 * the command line beats its rival in the environment.
 */
#include "cli/option_table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/spelling.h"
#include "cli/values.h"
#include "report/escape.h"

extern char **environ;

/* ---- Mistakes --------------------------------------------------------------------------- */

const char *wri_option_table_quoted(const char *given, char text[WRI_OPTION_QUOTED])
{
    size_t used = 0;
    text[used++] = '"';
    for (size_t bytes; *given && used <= WRI_OPTION_QUOTED - 10; given += bytes) {
        uint32_t character;
        bytes = wri_utf8_next(given, &character);
        if (wri_escape_unsafe(character)) {
            text[used++] = '?';
        } else {
            memcpy(text + used, given, bytes);
            used += bytes;
        }
    }
    strcpy(text + used, *given ? "...\"" : "\"");
    return text;
}

bool wri_option_table_mistake(wri_option_reading *r, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->error, r->error_size, format, arguments);
    va_end(arguments);
    return false;
}

wri_option_hint wri_option_hint_begin(const char *given, const char *otherwise)
{
    wri_option_hint hint = { .given = given, .distance = wri_spelling_far(given) };
    snprintf(hint.text, sizeof hint.text, "%s", otherwise);
    return hint;
}

void wri_option_hint_consider(wri_option_hint *hint, const char *before, const char *name)
{
    if (name == NULL || !wri_spelling_nearer(hint->given, name, &hint->distance))
        return;
    snprintf(hint->text, sizeof hint->text, " (did you mean %s%s?)", before, name);
}

/* Takes the first of the words "a|b|c" off; false: there is none. */
static bool next_word(const char **words, char word[WRI_SPELLING_MOST])
{
    if (!*words || !**words)
        return false;
    size_t length = strcspn(*words, "|");
    snprintf(word, WRI_SPELLING_MOST, "%.*s", (int)length, *words);
    *words += length + ((*words)[length] == '|');
    return true;
}

/* ---- Taking an option ------------------------------------------------------------------- */

static bool is_text(const wri_option *option)
{
    return option->kind == WRI_OPTION_TEXT || option->kind == WRI_OPTION_TOKEN;
}

static void keep(wri_option_reading *r, const wri_option *option, const char *text,
                 uint64_t value)
{
    char    *field = (char *)r->to + option->field;
    bool     yes = value != 0;
    uint32_t half = (uint32_t)value; /* enumerations, unsigned */
    if (is_text(option))
        memcpy(field, &text, sizeof text);
    else if (option->bytes == sizeof yes)
        memcpy(field, &yes, sizeof yes);
    else if (option->bytes == sizeof half)
        memcpy(field, &half, sizeof half);
    else
        memcpy(field, &value, sizeof value);
    if (r->given)
        *r->given |= option->given;
}

static void forget(wri_option_reading *r, const wri_option *option)
{
    memset((char *)r->to + option->field, 0, option->bytes);
    if (r->given)
        *r->given &= ~option->given;
}

static bool is_called(const char *name, const char *text, size_t length)
{
    return name && strlen(name) == length && memcmp(name, text, length) == 0;
}

static const wri_option *find_option(const wri_option_table *table, const char *name,
                                     size_t length)
{
    for (size_t i = 0; i < table->count; i++)
        if (is_called(table->rows[i].name, name, length))
            return &table->rows[i];
    return NULL;
}

static size_t row_of(const wri_option_reading *r, const wri_option *option)
{
    return (size_t)(option - r->table->rows);
}

/* A rival in the same layer is a mistake; one in the layer below has lost. */
static bool beat_rival(wri_option_reading *r, const wri_option *option, const char *who)
{
    const char       *name = option->rival;
    const wri_option *rival = name ? find_option(r->table, name, strlen(name)) : NULL;
    if (!rival)
        return true;
    if (r->here[row_of(r, rival)])
        return wri_option_table_mistake(r, "%s: cannot be given together with %s%s", who,
                                        r->environment ? "WARREN_" : "--",
                                        r->environment ? rival->variable : rival->name);
    if (r->below[row_of(r, rival)])
        forget(r, rival);
    return true;
}

static bool known_elsewhere(const wri_option *option, const char *text)
{
    return option->absent && wri_values_word(option->absent, text) >= 0;
}

/* The form of a value: "a, b or c", if the row has words and says no more. */
static const char *expected(const wri_option *option, char text[200])
{
    const char *words = option->expected ? NULL : option->words;
    for (char word[WRI_SPELLING_MOST], *at = text; next_word(&words, word);)
        at += sprintf(at, "%s%s", at == text ? "" : *words ? ", " : " or ", word);
    return option->expected ? option->expected : text;
}

/* Takes one option with its value (NULL for a flag). `who` is how the user spelled it. */
static bool take(wri_option_reading *r, const wri_option *option, const char *who,
                 const char *text)
{
    char        given[WRI_OPTION_QUOTED], words[200];
    const char *left = option->words;
    uint64_t    value = 1;
    if (text && known_elsewhere(option, text))
        return wri_option_table_mistake(r, "%s: %s is not available in this version, expected %s",
                                        who, wri_option_table_quoted(text, given),
                                        expected(option, words));
    if (text && !wri_values_read(option, text, &value)) {
        wri_option_hint near = wri_option_hint_begin(text, "");
        for (char word[WRI_SPELLING_MOST]; next_word(&left, word);)
            wri_option_hint_consider(&near, "", word);
        return wri_option_table_mistake(r, "%s: expected %s, got %s%s", who,
                                        expected(option, words),
                                        wri_option_table_quoted(text, given), near.text);
    }
    if (!beat_rival(r, option, who))
        return false;
    keep(r, option, text, value);
    r->here[row_of(r, option)] = true;
    return true;
}

/* ---- The environment -------------------------------------------------------------------- */

/* Build systems say with such variables where the library is. */
static bool of_a_build(const char *name, size_t length)
{
    static const char *const NAMES[] = { "CFLAGS", "LIBS", "DIR", "ROOT" };
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (is_called(NAMES[i], name, length))
            return true;
    return false;
}

static bool unknown_variable(wri_option_reading *r, const char *name)
{
    char            given[WRI_OPTION_QUOTED];
    wri_option_hint near = wri_option_hint_begin(name, " (--help names the options)");
    for (size_t i = 0; i < r->table->count; i++)
        wri_option_hint_consider(&near, "WARREN_", r->table->rows[i].variable);
    return wri_option_table_mistake(r, "WARREN_%.*s is not a variable Warren knows%s",
                                    (int)strlen(wri_option_table_quoted(name, given)) - 2,
                                    given + 1, near.text);
}

/* A flag's variable is 1 or 0. */
static bool take_flag_variable(wri_option_reading *r, const wri_option *option, const char *who,
                               const char *text)
{
    char given[WRI_OPTION_QUOTED];
    if (strcmp(text, "0") == 0)
        return true;
    if (strcmp(text, "1") == 0)
        return take(r, option, who, NULL);
    return wri_option_table_mistake(r, "%s: expected 1 or 0, got %s", who,
                                    wri_option_table_quoted(text, given));
}

/* `entry` is what follows WARREN_: NAME=VALUE. An empty value is none. */
static bool read_variable(wri_option_reading *r, const char *entry)
{
    size_t            length = strcspn(entry, "=");
    const wri_option *option = NULL;
    const char       *value = entry[length] ? entry + length + 1 : "";
    char              who[64];
    for (size_t i = 0; i < r->table->count && !option; i++)
        if (is_called(r->table->rows[i].variable, entry, length))
            option = &r->table->rows[i];
    if (!option && of_a_build(entry, length))
        return true;
    if (!option) {
        char *name = strndup(entry, length);
        bool  known = unknown_variable(r, name ? name : "");
        free(name);
        return known;
    }
    snprintf(who, sizeof who, "WARREN_%s", option->variable);
    if (!*value)
        return true;
    return option->argument ? take(r, option, who, value)
                            : take_flag_variable(r, option, who, value);
}

bool wri_option_table_environment(wri_option_reading *r)
{
    static const char PREFIX[] = "WARREN_";
    size_t            length = sizeof PREFIX - 1;
    r->environment = true;
    for (char **entry = environ; entry && *entry; entry++)
        if (strncmp(*entry, PREFIX, length) == 0 && !read_variable(r, *entry + length))
            return false;
    r->environment = false;
    memcpy(r->below, r->here, sizeof r->below);
    memset(r->here, 0, sizeof r->here);
    return true;
}

/* ---- The command line ------------------------------------------------------------------- */

static bool unknown_option(wri_option_reading *r, const char *argument)
{
    char            given[WRI_OPTION_QUOTED];
    const char     *name = argument + strspn(argument, "-");
    char           *alone = strndup(name, strcspn(name, "="));
    wri_option_hint near = wri_option_hint_begin(alone ? alone : "", " (--help names them)");
    for (size_t i = 0; i < r->table->count; i++)
        wri_option_hint_consider(&near, "--", r->table->rows[i].name);
    free(alone);
    return wri_option_table_mistake(r, "%s is not an option%s",
                                    wri_option_table_quoted(argument, given), near.text);
}

/* The option that an argument names; *value is what follows its '=', or NULL. */
static const wri_option *parse_argument(const wri_option_table *table, const char *argument,
                                        const char **value)
{
    size_t length = strcspn(argument, "=");
    *value = argument[length] ? argument + length + 1 : NULL;
    if (argument[1] == '-')
        return length > 2 ? find_option(table, argument + 2, length - 2) : NULL;
    for (size_t i = 0; i < table->count; i++)
        if (length == 2 && argument[1] == table->rows[i].letter)
            return &table->rows[i];
    return NULL;
}

/* Takes the option at argv[*i], and its value, which may be the next argument. */
static bool read_option(wri_option_reading *r, int argc, char **argv, int *i)
{
    char              given[WRI_OPTION_QUOTED], who[32], words[200];
    const char       *value;
    const wri_option *option = parse_argument(r->table, argv[*i], &value);
    if (!option)
        return unknown_option(r, argv[*i]);
    snprintf(who, sizeof who, "--%s", option->name);
    if (!option->argument && value)
        return wri_option_table_mistake(r, "%s: expected no value, got %s", who,
                                        wri_option_table_quoted(value, given));
    if (option->argument && !value) {
        if (*i + 1 >= argc)
            return wri_option_table_mistake(r, "%s: expected %s, got nothing", who,
                                            expected(option, words));
        value = argv[++*i];
        if (strncmp(value, "--", 2) == 0)
            return wri_option_table_mistake(r, "%s: expected %s, got the next option %s", who,
                                            expected(option, words),
                                            wri_option_table_quoted(value, given));
    }
    return take(r, option, who, value);
}

bool wri_option_table_arguments(wri_option_reading *r, int argc, char **argv)
{
    bool options = true;
    for (int i = 0; i < argc; i++) {
        bool option = options && argv[i][0] == '-' && argv[i][1];
        if (option && strcmp(argv[i], "--") == 0)
            options = false;
        else if (!(option ? read_option(r, argc, argv, &i) : r->operand(r, argv[i])))
            return false;
    }
    return true;
}

/* ---- Help ------------------------------------------------------------------------------- */

void wri_option_table_help(const wri_option_table *table, FILE *out)
{
    for (const wri_option *o = table->rows; o < table->rows + table->count; o++) {
        char left[32], letter[8] = "";
        if (o->group != NULL)
            fprintf(out, "%s%s\n", o == table->rows ? "" : "\n", o->group);
        if (o->name == NULL)
            continue;
        if (o->letter)
            snprintf(letter, sizeof letter, "-%c, ", o->letter);
        snprintf(left, sizeof left, "%s--%s%s%s", letter, o->name, o->argument ? " " : "",
                 o->argument ? o->argument : "");
        fprintf(out, "  %-20s  %s\n", left, o->help);
    }
}

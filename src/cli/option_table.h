/* cli/option_table.h: reads options as a table describes them.
 *
 *     { "jobs", 0, "N", "JOBS", WRI_OPTION_NUMBER, FIELD(jobs), 1, 256,
 *       .expected = "a whole number from 1 to 256", .help = "worker processes (the cores)" }
 *
 * is --jobs N and WARREN_JOBS=N: a number from 1 to 256, kept in the member `jobs` of a struct.
 * Arguments, environment variables and --help all follow the rows of one table. A mistake is one
 * line: the option or variable, what was expected, what was given.
 */
#ifndef WRI_CLI_OPTION_TABLE_H
#define WRI_CLI_OPTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Kinds of values. */
typedef enum wri_option_kind {
    WRI_OPTION_FLAG,     /* there is none */
    WRI_OPTION_NUMBER,   /* 12; or one of the words, if there are some */
    WRI_OPTION_SEED,     /* 12, or 0xC */
    WRI_OPTION_DURATION, /* 10s, 1.5s, 500ms, 2m, 1h, or seconds; kept as milliseconds */
    WRI_OPTION_BYTES,    /* 4096, or 512K, 64M, 2G, 1T */
    WRI_OPTION_PART,     /* 2/5: one of five; kept as 2 << 32 | 5 */
    WRI_OPTION_WORD,     /* one of the words; kept as its position */
    WRI_OPTION_SET,      /* some of the words, with commas between; kept as a bit for each */
    WRI_OPTION_TEXT,     /* anything but "" */
    WRI_OPTION_TOKEN,    /* a text that is not "@" alone */
} wri_option_kind;

typedef struct wri_option {
    const char     *name;     /* without its dashes; NULL: a variable alone, not in --help */
    char            letter;   /* of the short form; 0: none */
    const char     *argument; /* what --help calls the value; NULL: a flag */
    const char     *variable; /* the twin, without WARREN_; NULL: none */
    wri_option_kind kind;
    size_t          field, bytes; /* the member that keeps the value */
    uint64_t        low, high;    /* limits of a number */
    unsigned        given;        /* bits that say that the option was given */
    const char     *words;        /* "a|b|c" */
    const char     *absent;       /* words of another version */
    const char     *rival;        /* an option that cannot be given together with this one */
    const char     *expected;     /* what a value looks like; NULL: one of the words */
    const char     *help;
    const char     *group; /* a heading above this row and those that follow; or NULL */
} wri_option;

/* The .field and .bytes of a row. */
#define WRI_OPTION_FIELD(type, member)                                                           \
    .field = offsetof(type, member), .bytes = sizeof(((type *)0)->member)

#define WRI_OPTION_MOST 128

typedef struct wri_option_table {
    const wri_option *rows;
    size_t            count; /* at most WRI_OPTION_MOST */
} wri_option_table;

/* The state of a reading. The caller sets the members before the line, and zero after it. */
typedef struct wri_option_reading {
    const wri_option_table *table;
    void                   *to;    /* the struct that the fields lie in */
    unsigned               *given; /* gets the bits of the options given; or NULL */
    char                   *error; /* gets the line of a mistake */
    size_t                  error_size;
    /* Takes an argument that is no option; false after wri_option_table_mistake(). */
    bool (*operand)(struct wri_option_reading *reading, char *text);
    /* ---- */
    bool here[WRI_OPTION_MOST];  /* options given in this layer, */
    bool below[WRI_OPTION_MOST]; /* and in the one that it wins over */
    bool environment;            /* the layer that is read now */
} wri_option_reading;

/* Reads the WARREN_ variables. To be called before the arguments, which win. False: a mistake. */
bool wri_option_table_environment(wri_option_reading *reading);
/* Reads arguments; behind "--" there are operands only. False: a mistake. */
bool wri_option_table_arguments(wri_option_reading *reading, int argc, char **argv);

/* Fills the error in, as printf() does; false, so that it can be returned. */
bool wri_option_table_mistake(wri_option_reading *reading, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* One line for each option, as --help prints it. */
void wri_option_table_help(const wri_option_table *table, FILE *out);

#define WRI_OPTION_QUOTED 70

/* A text in quotes, on one line and not too long: what was given may be anything. */
const char *wri_option_table_quoted(const char *given, char text[WRI_OPTION_QUOTED]);

/* The end of a complaint about an unknown name: " (did you mean --seed?)", or another text. */
typedef struct wri_option_hint {
    const char *given;
    size_t      distance; /* a name as far away as this was not meant */
    char        text[128];
} wri_option_hint;

wri_option_hint wri_option_hint_begin(const char *given, const char *otherwise);
/* Takes a name, with what is printed before it, if it is nearer than those so far; or NULL. */
void wri_option_hint_consider(wri_option_hint *hint, const char *before, const char *name);

#endif

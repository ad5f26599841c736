/* tests/cover_mutations.h: models in every language, and ways to break them.
 *
 * Pieces are deleted, doubled, swapped, overwritten and put in, from the text itself and from the
 * words of the languages. Rows follow behind a line "R", CASA's constraints behind a "C".
 */
#ifndef WRI_TESTS_COVER_MUTATIONS_H
#define WRI_TESTS_COVER_MUTATIONS_H

#include <string.h>

#include "core/prng.h"

static const char *const SEEDS[] = {
    "[System]\nName: demo\n[Parameter]\nPort (int) : 80, [443], 0 ; -1\nProto (enum) : tcp, udp\n"
    "Tls (boolean) : TRUE, FALSE\nSize (int): 0..1000/10\n[Relation]\nR1 : (Tls, Port, Proto, "
    "3)\n"
    "[Constraint]\nTls = TRUE => Proto = \"tcp\"\n(Port + 1) % 2 = 0 || !Tls && Size >= 10\n"
    "[Test Set]\nPort, Proto, Tls\n80, tcp, *\nR\nPort,Tls\n80,TRUE\n\"0\",\n",
    "Mode: fast (5), slow, ~broken\nSize: 1, 2.5, 64\nDisk: ssd | nvme, hdd\nDisk2: <Disk>, "
    "tape\n"
    "{ Mode, Size } @ 2\n{Disk, Size}\nIF [Mode] = \"slow\" AND [Size] > 1\n# comment\nTHEN "
    "[Disk] "
    "<> \"hdd\" ELSE [Disk] IN {\"ssd\", \"hdd\"};\n[Disk] <> [Disk2] OR NOT [Size] >= 64;\n"
    "IF [Disk2] LIKE \"?a*\" THEN IsNegative(Mode);\nR\nSize\tMode\n1\t~broken\n",
    "2\n3\n2 3 2\nC2\n2\n- 1 - 3\n1\n+ 5\nR\np0,p1\n1,2\n",
    "model disk\nparameter type: single, span, \"raid 5\"\nparameter size: 0..1000\n"
    "parameter step: -10..1000/10 # stepped\nparameter port: 80, 443 invalid 0, -1\n"
    "parameter on: true, false\ncover 2 of all\ncover full of on, type\n"
    "require type = \"raid 5\" => size % 2 = 0 and size >= 10\n"
    "require if on then size in {1, 5..9} else type != span\n"
    "require (size + step * 2 - -3 <= 1500\n or on)\nkeep type = span, size = 100\n"
    "R\nsize,type\n10,\"raid 5\"\n*,span\n",
};
enum { SEED_COUNT = sizeof SEEDS / sizeof *SEEDS };

static const char *const WORDS[] = {
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    "=",
    "=>",
    "!=",
    "..",
    "/",
    "%",
    "*",
    "-",
    "+",
    "!",
    "~",
    "|",
    "||",
    "&&",
    ":",
    ";",
    ",",
    "\"",
    "\n",
    "\r\n",
    "\t",
    "#",
    "--",
    "@",
    "\\",
    "0",
    "1",
    "9223372036854775807",
    "-9223372036854775808",
    "4294967295",
    "1e9",
    "0.5",
    "\xff",
    "\xef\xbb\xbf",
    "IF ",
    "THEN ",
    "ELSE ",
    "NOT ",
    "IN ",
    "LIKE ",
    "AND ",
    "OR ",
    "in ",
    "not ",
    "invalid ",
    "parameter x: 1\n",
    "cover 3 of ",
    "require ",
    "keep ",
    "[Constraint]\n",
    "[Test Set]\n",
};
enum { WORD_COUNT = sizeof WORDS / sizeof *WORDS };

static size_t below(uint64_t *random, size_t count)
{
    return (size_t)wri_prng_scale(wri_prng_next(random), count - 1);
}

/* Replaces `length` bytes at `at` by others; the text grows as far as it has room. */
static size_t replace(char *text, size_t size, size_t room, size_t at, size_t length,
                      const char *by, size_t by_length)
{
    if (size - length + by_length > room)
        return size;
    memmove(text + at + by_length, text + at + length, size - at - length);
    memcpy(text + at, by, by_length);
    return size - length + by_length;
}

__attribute__((unused)) static size_t mutate(uint64_t *random, char *text, size_t size,
                                             size_t room)
{
    char   piece[40];
    size_t at = below(random, size + 1), left = size - at;
    size_t length = below(random, (left < sizeof piece ? left : sizeof piece) + 1);
    size_t from = below(random, size + 1);
    size_t copied = size - from < length ? size - from : length;
    memcpy(piece, text + from, copied);
    const char *word = WORDS[below(random, WORD_COUNT)];
    switch (below(random, 4)) {
    case 0: return replace(text, size, room, at, length, "", 0);
    case 1: return replace(text, size, room, at, 0, piece, copied);
    case 2: return replace(text, size, room, at, 0, word, strlen(word));
    default: return replace(text, size, room, at, length, word, strlen(word));
    }
}

#endif

/* gen/text.h: characters, for those who make, match or print text. */
#ifndef WRI_GEN_TEXT_H
#define WRI_GEN_TEXT_H

#include <stddef.h>

/* Printable ASCII, simplest first: letters, digits, capitals, space, punctuation. */
#define WRI_LOWER "abcdefghijklmnopqrstuvwxyz"
#define WRI_UPPER "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define WRI_DIGITS "0123456789"
#define WRI_PUNCTUATION "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
#define WRI_PRINTABLE WRI_LOWER WRI_DIGITS WRI_UPPER " " WRI_PUNCTUATION

/* How many bytes the valid UTF-8 character at `text` has; 0 when what stands there is none.
 * Never looks behind the text's NUL. */
unsigned wri_utf8_bytes(const char *text);

#endif

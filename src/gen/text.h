/* gen/text.h: characters, for those who make, match or print text. */
#ifndef WRI_GEN_TEXT_H
#define WRI_GEN_TEXT_H

#include <stddef.h>

/* How many bytes the valid UTF-8 character at `text` has; 0 when what stands there is none.
 * Never looks behind the text's NUL. */
unsigned wri_text_utf8_bytes(const char *text);

#endif

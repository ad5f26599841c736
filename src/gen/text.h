/* gen/text.h: UTF-8, for the code that makes, matches or prints text. */
#ifndef WRI_GEN_TEXT_H
#define WRI_GEN_TEXT_H

#include <stddef.h>

/* Returns the number of bytes of the valid UTF-8 character at `text`; 0: there is none. Never
 * reads beyond the text's NUL. */
unsigned wri_text_utf8_bytes(const char *text);

#endif

/* core/utf8.c: decodes and quotes characters. */
#include "core/utf8.h"

#include <stdio.h>
#include <string.h>

size_t wri_utf8_next(const char *text, uint32_t *character)
{
    static const uint32_t LEAST[] = { 0, 0, 0x80, 0x800, 0x10000 };
    const unsigned char  *at = (const unsigned char *)text;
    size_t                bytes = at[0] < 0x80 ? 1 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : 4;
    uint32_t              code = bytes == 1 ? at[0] : at[0] & (0x7fu >> bytes);
    *character = WRI_NOT_UTF8;
    if ((at[0] >= 0x80 && at[0] < 0xc0) || at[0] > 0xf7)
        return 1;
    for (size_t i = 1; i < bytes; i++) { /* the NUL at the end is no continuation */
        if ((at[i] & 0xc0) != 0x80)
            return 1;
        code = code << 6 | (at[i] & 0x3f);
    }
    if (code < LEAST[bytes] || code > 0x10ffff || code >> 11 == 0x1b) /* a surrogate */
        return 1;
    *character = code;
    return bytes;
}

size_t wri_utf8_quote(const char *text, size_t left, char quoted[WRI_UTF8_QUOTED])
{
    static const char PLAIN[] = "\"\\\n\t\r", NAMED[] = "\"\\ntr";
    char              near[6] = { 0 }; /* with a NUL where the text ends */
    uint32_t          character;
    memcpy(near, text, left < sizeof near ? left : sizeof near - 1);
    size_t      bytes = wri_utf8_next(near, &character);
    const char *named = near[0] == '\0' ? NULL : strchr(PLAIN, near[0]);
    if (named != NULL) {
        snprintf(quoted, WRI_UTF8_QUOTED, "\\%c", NAMED[named - PLAIN]);
    } else if (character < 0x20 || character == 0x7f || character == WRI_NOT_UTF8 ||
               (character >= 0x80 && character < 0xa0)) {
        /* A hexadecimal escape goes on as far as digits do: "\x1f" "a" needs the gap. */
        const char *gap = strspn(near + 1, "0123456789abcdefABCDEF") > 0 ? "\"\"" : "";
        snprintf(quoted, WRI_UTF8_QUOTED, "\\x%02x%s", (unsigned char)near[0], gap);
        return 1;
    } else {
        memcpy(quoted, near, bytes);
        quoted[bytes] = '\0';
    }
    return bytes;
}

/* report/page/markup.h: pieces of HTML, with every text escaped.
 *
 *     wri_markup_put(out, "<td>%t</td><td class=\"n\">%u</td>", label, cases);
 *
 * The formats are ours; every text of a user's goes through %t or %c. So the page is well-formed
 * XML whatever the texts hold, and no character of them hides, turns or moves another.
 */
#ifndef WRI_REPORT_PAGE_MARKUP_H
#define WRI_REPORT_PAGE_MARKUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* %t a text: markup as entities; controls, marks of right-to-left text and bytes that are not
 *    UTF-8 as \xHH or \uHHHH. It may stand between tags and in an attribute's quotes. NULL is "".
 * %l its first line
 * %c the same, cut after WRI_MARKUP_MOST bytes, with a word about the rest
 * %u a uint64_t, as 12,345; %i one as 12345; %k one as 16 hexadecimal digits
 * %p a double, a share from 0 to 1, as 12.3 %; %d a double with two digits; %r one with as many
 *    as it needs; %s seconds
 * %% a percent sign */
void wri_markup_put(FILE *out, const char *format, ...);

#define WRI_MARKUP_MOST 4000

/* A part of a whole, from 0 to 1. */
double wri_markup_share(uint64_t part, uint64_t whole);

#endif

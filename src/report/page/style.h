/* report/page/style.h: how the page looks, and what it can do without a network. */
#ifndef WRI_REPORT_PAGE_STYLE_H
#define WRI_REPORT_PAGE_STYLE_H

#include <stdio.h>

/* The document up to its body: the policy that nothing is loaded, the style sheet. */
void wri_style_open(FILE *out, const char *title);
/* The script (buttons that copy, values under the pointer), and the end of the document. */
void wri_style_close(FILE *out);

#endif

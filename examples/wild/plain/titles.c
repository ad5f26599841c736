/* plain/titles.c: a bug of GLib 2.74 without Warren:
 * cc titles.c $(pkg-config --cflags --libs glib-2.0) */
#include <stdio.h>

#include <glib.h>

int main(void)
{
    unsigned found = g_unichar_totitle(0x10D0);
    printf("the title case of U+10D0 is U+%04X; Unicode says U+10D0\n", found);
    int bugs = found != 0x10D0;
    printf("%d of 1 bugs are there\n", bugs);
    return bugs > 0;
}

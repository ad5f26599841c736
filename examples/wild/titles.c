/* titles.c: GLib's title case beside utf8proc's (Debian: libglib2.0-dev, libutf8proc-dev).
 *
 * Two libraries read the same table of Unicode, so they must agree on every character that both know.
 * utf8proc 2.8 knows Unicode 15 and GLib 2.74 Unicode 15, too. They differ at U+10D0, a Georgian
 * letter: Unicode says that its title case is itself, and GLib gives the capital U+1C90.
 * plain/titles.c shows it without Warren.
 */
#include <glib.h>
#include <utf8proc.h>
#include <warren.h>

WR_PROPERTY(title_case_is_what_unicode_says) {
    uint32_t c = (uint32_t)wr_int(t, "c", 0, 0x10FFFF);
    wr_assume(t, c < 0xD800 || c > 0xDFFF);
    wr_show(t, "character", "U+%04X", c);
    wr_assert_eq(t, g_unichar_totitle(c), (uint32_t)utf8proc_totitle((utf8proc_int32_t)c));
}

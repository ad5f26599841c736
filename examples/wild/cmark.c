/* cmark.c: CommonMark that cmark writes, read again (Debian: libcmark-dev).
 *
 * cmark reads markdown and writes HTML. It can also write markdown, which must mean the same: the HTML
 * of what was written is the HTML of what was read. In version 0.30.2 it often is not; each seed
 * finds another case. plain/cmark.c shows one without Warren: a line break at the start of a paragraph
 * gets lost.
 */
#include <string.h>

#include <cmark.h>
#include <warren.h>

static char *html_of(wr_case *t, const char *markdown)
{
    return wr_take(t, cmark_markdown_to_html(markdown, strlen(markdown), CMARK_OPT_DEFAULT));
}

static char *written_again(wr_case *t, const char *markdown)
{
    cmark_node *tree = cmark_parse_document(markdown, strlen(markdown), CMARK_OPT_DEFAULT);
    wr_defer_as(t, cmark_node_free, tree);
    return wr_take(t, cmark_render_commonmark(tree, CMARK_OPT_DEFAULT, 0));
}

static const char *const PIECES[] = { "a", " ", "\n", "\\", "*", "- ", "1. ", "> ", "#", "`", "<b>" };
#define PIECE_COUNT (sizeof PIECES / sizeof *PIECES)

WR_PROPERTY(what_is_written_means_what_was_read) {
    char *markdown = wr_pieces(t, "markdown", PIECE_COUNT, PIECES, 1, 10);
    char *written = written_again(t, markdown);
    wr_show_text(t, "written", written);
    wr_assert_str_eq(t, html_of(t, written), html_of(t, markdown));
}

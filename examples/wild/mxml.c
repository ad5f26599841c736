/* mxml.c: XML that Mini-XML saves and loads again (Debian: libmxml-dev).
 *
 * Whatever a program puts into a tree, the saved file must hold the same tree. In version 3.3.1 a
 * CDATA section with `]]>` inside is saved as it is, so it ends early and the rest is lost. And a name
 * or declaration with `&amp;` is decoded when loaded and not encoded again when saved, so that a file
 * that was loaded and saved cannot be loaded again.
 * plain/mxml.c shows the same without Warren.
 */
#include <mxml.h>
#include <warren.h>

static void be_quiet(const char *message)
{
    (void)message;
}

static char *save(wr_case *t, mxml_node_t *tree)
{
    char *saved = wr_take(t, mxmlSaveAllocString(tree, MXML_NO_CALLBACK));
    wr_assert_not_null(t, saved);
    return saved;
}

/* NULL: the text is not XML. */
static mxml_node_t *load(wr_case *t, const char *text)
{
    mxml_node_t *tree = mxmlLoadString(NULL, text, MXML_OPAQUE_CALLBACK);
    if (tree != NULL)
        wr_defer_as(t, mxmlDelete, tree);
    return tree;
}

WR_PROPERTY(character_data_is_read_again) {
    char        *data = wr_text_of(t, "data", "a]>&<", 0, 8);
    mxml_node_t *tree = mxmlNewElement(MXML_NO_PARENT, "e");
    wr_defer_as(t, mxmlDelete, tree);
    mxmlNewCDATA(tree, data);

    char *saved = save(t, tree);
    wr_show_text(t, "saved", saved);
    mxmlSetErrorCallback(be_quiet);
    mxml_node_t *again = load(t, saved);
    wr_assert_not_null(t, again);
    const char *found = mxmlGetCDATA(mxmlGetFirstChild(again));
    wr_assert_not_null(t, found);
    wr_assert_str_eq(t, found, data);
}

static const char *const PIECES[] = { "<", ">", "/", "<a>", "</a>", "<!", "<?", "?>", "&amp;",
                                      "&lt;", "a", " ", "=", "'", "\"", "a='b'", "]]>", "<![CDATA[" };
#define PIECE_COUNT (sizeof PIECES / sizeof *PIECES)

WR_PROPERTY(a_saved_file_can_be_loaded) {
    char *text = wr_pieces(t, "text", PIECE_COUNT, PIECES, 1, 12);
    mxmlSetErrorCallback(be_quiet);
    mxml_node_t *tree = load(t, text);
    wr_assume(t, tree != NULL);
    char *saved = save(t, tree);
    wr_show_text(t, "saved", saved);
    wr_assert_not_null(t, load(t, saved));
}

/* plain/cmark.c: a bug of cmark 0.30.2 without Warren: cc cmark.c -lcmark */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmark.h>

int main(void)
{
    const char *markdown = "\\\na";
    cmark_node *tree = cmark_parse_document(markdown, strlen(markdown), CMARK_OPT_DEFAULT);
    char       *written = cmark_render_commonmark(tree, CMARK_OPT_DEFAULT, 0);
    char       *before = cmark_markdown_to_html(markdown, strlen(markdown), CMARK_OPT_DEFAULT);
    char       *after = cmark_markdown_to_html(written, strlen(written), CMARK_OPT_DEFAULT);
    printf("markdown:\n%s\nits HTML:\n%swritten by cmark:\n%sand the HTML of that:\n%s", markdown,
           before, written, after);
    int bugs = strcmp(before, after) != 0;
    printf("%d of 1 bugs are there\n", bugs);
    cmark_node_free(tree);
    free(written);
    free(before);
    free(after);
    return bugs > 0;
}

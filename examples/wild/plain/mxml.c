/* plain/mxml.c: two bugs of Mini-XML 3.3.1 without Warren: cc mxml.c -lmxml */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mxml.h>

int main(void)
{
    mxml_node_t *tree = mxmlNewElement(MXML_NO_PARENT, "e");
    mxmlNewCDATA(tree, "]]>");
    char *saved = mxmlSaveAllocString(tree, MXML_NO_CALLBACK);
    printf("the data ]]> is saved as %s", saved);
    mxml_node_t *again = mxmlLoadString(NULL, saved, MXML_OPAQUE_CALLBACK);
    const char  *data = again != NULL ? mxmlGetCDATA(mxmlGetFirstChild(again)) : NULL;
    printf("and loaded as \"%s\"\n", data != NULL ? data : "nothing");
    int bugs = data == NULL || strcmp(data, "]]>") != 0;
    mxmlDelete(again);
    mxmlDelete(tree);
    free(saved);

    tree = mxmlLoadString(NULL, "<!D&amp;>", MXML_OPAQUE_CALLBACK);
    saved = tree != NULL ? mxmlSaveAllocString(tree, MXML_NO_CALLBACK) : NULL;
    printf("<!D&amp;> is loaded, and saved as %s\n", saved != NULL ? saved : "nothing");
    again = saved != NULL ? mxmlLoadString(NULL, saved, MXML_OPAQUE_CALLBACK) : NULL;
    printf("which %s be loaded\n", again != NULL ? "can" : "cannot");
    bugs += saved != NULL && again == NULL;
    mxmlDelete(again);
    mxmlDelete(tree);
    free(saved);

    printf("%d of 2 bugs are there\n", bugs);
    return bugs > 0;
}

/* studies/faults/libraries.c: libraries of Debian whose allocations fail.
 *
 * Nothing is seeded. Each property reads or builds a small document, and frees it: any crash and
 * any leak is the library's.
 */
#include <stdlib.h>
#include <string.h>

#include <warren.h>
#include <warren/faults.h>

#ifdef WITH_MXML
#include <mxml.h>

WR_PROPERTY(mxml_reads)
{
    static const char *const PIECES[] = { "<a>", "</a>", "<b c='d'>", "</b>", "x", "<e/>" };
    const char              *inside = wr_pieces(t, "inside", 6, PIECES, 0, 8);
    const char              *text = wr_format(t, "<?xml version=\"1.0\"?><r>%s</r>", inside);
    wr_faults(t, "fault", NULL);
    mxml_node_t *tree = mxmlLoadString(NULL, text, MXML_OPAQUE_CALLBACK);
    wr_faults_end(t);
    mxmlDelete(tree);
}

WR_PROPERTY(mxml_builds)
{
    wr_faults(t, "fault", NULL);
    mxml_node_t *tree = mxmlNewElement(NULL, "a");
    if (tree != NULL) {
        mxmlElementSetAttr(tree, "key", "value");
        mxmlNewText(tree, 0, "text");
    }
    wr_faults_end(t);
    mxmlDelete(tree);
}
#endif

#if defined(WITH_JSON_C) || defined(WITH_CJSON)
static const char *json(wr_case *t)
{
    static const char *const PIECES[] = { "1", "\"a\"", "[",    "]",        "{", "}",
                                          ":", ",",     "null", "\"b\": 2", " " };
    static const char *const WHOLE[] = { "[1, \"a\", {\"b\": [2.5, null]}]",
                                         "{\"a\": 1, \"b\": {\"c\": \"d\"}}", "\"text\"" };
    size_t                   which = wr_pick(t, "which", 4);
    return which < 3 ? WHOLE[which] : wr_pieces(t, "text", 11, PIECES, 0, 12);
}
#endif

#ifdef WITH_JSON_C
#include <json-c/json.h>

WR_PROPERTY(json_c_reads)
{
    const char *text = json(t);
    wr_faults(t, "fault", NULL);
    json_object *tree = json_tokener_parse(text);
    wr_faults_end(t);
    json_object_put(tree);
}
#endif

#ifdef WITH_CJSON
#include <cjson/cJSON.h>

WR_PROPERTY(cjson_reads_and_prints)
{
    const char *text = json(t);
    wr_faults(t, "fault", NULL);
    cJSON *tree = cJSON_Parse(text);
    char  *printed = tree == NULL ? NULL : cJSON_Print(tree);
    wr_faults_end(t);
    free(printed);
    cJSON_Delete(tree);
}
#endif

/* yaml.c: a text written by LibYAML and read again (Debian: libyaml-dev).
 *
 * YAML has several ways to write one text, and each must come back the same, whatever the width of
 * the lines. In version 0.2.5 a folded text with a space in front does not: the writer breaks a long
 * line where the reader takes the break for a part of the text, so " aaa a" comes back as
 * " aaa\na". plain/yaml.c shows the same without Warren.
 */
#include <string.h>

#include <warren.h>
#include <yaml.h>

static const wr_constant STYLES[] = {
    { "plain", YAML_PLAIN_SCALAR_STYLE },
    { "single quoted", YAML_SINGLE_QUOTED_SCALAR_STYLE },
    { "double quoted", YAML_DOUBLE_QUOTED_SCALAR_STYLE },
    { "literal", YAML_LITERAL_SCALAR_STYLE },
    { "folded", YAML_FOLDED_SCALAR_STYLE },
};

#define ROOM 4096

/* Writes a document that holds the text alone; returns the length, 0: it cannot be written. */
static size_t emit(const char *text, yaml_scalar_style_t style, int width, unsigned char *out)
{
    size_t          length = 0;
    yaml_emitter_t  emitter;
    yaml_document_t document;
    yaml_emitter_initialize(&emitter);
    yaml_emitter_set_output_string(&emitter, out, ROOM, &length);
    yaml_emitter_set_width(&emitter, width);
    yaml_document_initialize(&document, NULL, NULL, NULL, 1, 1);
    yaml_document_add_scalar(&document, NULL, (const yaml_char_t *)text, (int)strlen(text), style);
    bool written = yaml_emitter_dump(&emitter, &document) && yaml_emitter_close(&emitter);
    yaml_emitter_delete(&emitter);
    return written ? length : 0;
}

/* The text of a document, as a copy that belongs to the case; NULL: it cannot be read. */
static char *parse(wr_case *t, const unsigned char *yaml, size_t length)
{
    yaml_parser_t   parser;
    yaml_document_t document;
    char           *text = NULL;
    yaml_parser_initialize(&parser);
    yaml_parser_set_input_string(&parser, yaml, length);
    if (yaml_parser_load(&parser, &document)) {
        yaml_node_t *root = yaml_document_get_root_node(&document);
        if (root != NULL && root->type == YAML_SCALAR_NODE)
            text = wr_copy(t, root->data.scalar.value, root->data.scalar.length + 1);
        yaml_document_delete(&document);
    }
    yaml_parser_delete(&parser);
    return text;
}

WR_PROPERTY(a_written_text_is_read_again) {
    char *text = wr_text_of(t, "text", "ab \n", 1, 12);
    int   style = (int)wr_enum(t, "style", 5, STYLES);
    int   width = (int)wr_int(t, "width", 5, 20);

    unsigned char *yaml = wr_alloc(t, ROOM);
    size_t         length = emit(text, (yaml_scalar_style_t)style, width, yaml);
    wr_assume(t, length > 0);
    wr_show_bytes(t, "yaml", yaml, length);
    char *again = parse(t, yaml, length);
    wr_assert_not_null(t, again);
    wr_assert_str_eq(t, again, text);
}

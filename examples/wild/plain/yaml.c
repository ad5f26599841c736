/* plain/yaml.c: a bug of LibYAML 0.2.5 without Warren: cc yaml.c -lyaml */
#include <stdio.h>
#include <string.h>

#include <yaml.h>

int main(void)
{
    const char     *text = " aaa a";
    unsigned char   yaml[256];
    size_t          length = 0;
    yaml_emitter_t  emitter;
    yaml_document_t document;
    yaml_emitter_initialize(&emitter);
    yaml_emitter_set_output_string(&emitter, yaml, sizeof yaml, &length);
    yaml_emitter_set_width(&emitter, 5);
    yaml_document_initialize(&document, NULL, NULL, NULL, 1, 1);
    yaml_document_add_scalar(&document, NULL, (const yaml_char_t *)text, (int)strlen(text),
                             YAML_FOLDED_SCALAR_STYLE);
    yaml_emitter_dump(&emitter, &document);
    yaml_emitter_close(&emitter);
    yaml_emitter_delete(&emitter);
    printf("the text \"%s\" is written as\n%.*s", text, (int)length, (char *)yaml);

    yaml_parser_t parser;
    yaml_parser_initialize(&parser);
    yaml_parser_set_input_string(&parser, yaml, length);
    yaml_parser_load(&parser, &document);
    const char *again = (const char *)yaml_document_get_root_node(&document)->data.scalar.value;
    int         bugs = strcmp(again, text) != 0;
    printf("and read as \"");
    for (const char *c = again; *c != '\0'; c++)
        *c == '\n' ? printf("\\n") : putchar(*c);
    printf("\"\n%d of 1 bugs are there\n", bugs);
    yaml_document_delete(&document);
    yaml_parser_delete(&parser);
    return bugs > 0;
}

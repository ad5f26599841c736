/* plain/confuse.c: two bugs of libConfuse 3.3 without Warren: cc confuse.c -lconfuse */
#include <stdio.h>
#include <string.h>

#include <confuse.h>

static cfg_opt_t options[] = { CFG_STR("name", "", CFGF_NONE), CFG_END() };

static cfg_t *parse(const char *text)
{
    cfg_t *cfg = cfg_init(options, CFGF_NONE);
    int    said = cfg_parse_buf(cfg, text);
    printf("  %-13s status %d, name is \"%s\"\n", text, said, cfg_getstr(cfg, "name"));
    return cfg;
}

int main(void)
{
    printf("two configurations; the text of the first ends inside a string:\n");
    cfg_t *first = parse("\"");
    cfg_t *second = parse("name = good");
    int    bugs = strcmp(cfg_getstr(second, "name"), "good") != 0;
    cfg_free(first);
    cfg_free(second);

    printf("a value that is printed, and what was printed read again:\n");
    cfg_t *printed = cfg_init(options, CFGF_NONE);
    cfg_setstr(printed, "name", "${}");
    cfg_print(printed, stdout);
    cfg_free(printed);
    cfg_t *again = parse("name=\"${}\"");
    bugs += strcmp(cfg_getstr(again, "name"), "${}") != 0;
    cfg_free(again);

    printf("%d of 2 bugs are there\n", bugs);
    return bugs > 0;
}

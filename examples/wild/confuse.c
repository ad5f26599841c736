/* confuse.c: texts for the configuration parser libConfuse (Debian: libconfuse-dev).
 *
 * Two configurations have nothing to do with each other, so a text for the first must not change what
 * the second reads. And a value that was printed must be read again. Version 3.3 breaks both. After
 * `"` alone, a string without an end, cfg_parse_buf() says CFG_SUCCESS. The scanner, which all
 * configurations share, stays inside the string: the next configuration reads nothing from a good
 * text, and is told CFG_SUCCESS as well. And `${` is printed without the escape that reading it needs.
 * plain/confuse.c shows the same without Warren.
 */
#include <stdlib.h>

#include <confuse.h>
#include <warren.h>

static void be_quiet(cfg_t *cfg, const char *format, va_list arguments)
{
    (void)cfg, (void)format, (void)arguments;
}

/* A configuration with one text, `name`, that the end of the case frees. */
static cfg_t *configuration(wr_case *t)
{
    static cfg_opt_t options[] = { CFG_STR("name", "", CFGF_NONE), CFG_END() };
    cfg_t           *cfg = cfg_init(options, CFGF_NONE);
    if (cfg == NULL)
        abort();
    cfg_set_error_function(cfg, be_quiet);
    wr_defer_as(t, cfg_free, cfg);
    return cfg;
}

WR_PROPERTY(one_configuration_does_not_change_another) {
    char  *text = wr_text(t, "text", 0, 20);
    cfg_t *first = configuration(t), *second = configuration(t);
    cfg_parse_buf(first, text);
    cfg_parse_buf(second, "name = good");
    wr_assert_str_eq(t, cfg_getstr(second, "name"), "good");
}

WR_PROPERTY(a_printed_value_is_read_again) {
    char  *name = wr_text_of(t, "name", "ab ${}\\\"'#", 0, 8);
    cfg_t *cfg = configuration(t), *again = configuration(t);
    cfg_setstr(cfg, "name", name);

    char  *printed = NULL;
    size_t length = 0;
    FILE  *file = open_memstream(&printed, &length);
    cfg_print(cfg, file);
    fclose(file);
    wr_show_text(t, "printed", wr_take(t, printed));

    wr_assert_eq(t, cfg_parse_buf(again, printed), CFG_SUCCESS);
    wr_assert_str_eq(t, cfg_getstr(again, "name"), name);
}

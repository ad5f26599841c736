/* tests/cover_read_unit.c: what the readers of models make of texts, and what they refuse.
 *
 * A model is compared as a text: parameters with their values and numbers, relations, groups,
 * constraints as they were simplified, kept rows, remarks.
 */
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "cover/language/read.h"
#include "unit.h"

/* ---- A model as a text -------------------------------------------------------------------- */

static void put_set(FILE *out, const wrc_set *set)
{
    for (uint32_t i = 0; i < set->count; i++) {
        fprintf(out, "%s%u", i ? "," : "", set->intervals[i].from);
        if (set->intervals[i].to != set->intervals[i].from)
            fprintf(out, "-%u", set->intervals[i].to);
    }
}

static void put_expression(FILE *out, const wrc_model *model, const wrc_expression *e)
{
    static const char *const SYMBOLS[] = {
        [WRC_OP_ADD] = "+",      [WRC_OP_SUBTRACT] = "-",  [WRC_OP_MULTIPLY] = "*",
        [WRC_OP_DIVIDE] = "/",   [WRC_OP_REMAINDER] = "%", [WRC_OP_EQUAL] = "=",
        [WRC_OP_UNEQUAL] = "!=", [WRC_OP_LESS] = "<",      [WRC_OP_AT_MOST] = "<=",
        [WRC_OP_GREATER] = ">",  [WRC_OP_AT_LEAST] = ">=", [WRC_OP_AND] = "and",
        [WRC_OP_OR] = "or",      [WRC_OP_IMPLIES] = "=>",
    };
    switch (e->op) {
    case WRC_OP_NUMBER: fprintf(out, "%lld", (long long)e->number); return;
    case WRC_OP_VALUE: fputs(model->parameters[e->parameter].name, out); return;
    case WRC_OP_IN:
        fprintf(out, "%s:", model->parameters[e->parameter].name);
        put_set(out, &e->set);
        return;
    case WRC_OP_NEGATE:
    case WRC_OP_NOT:
        fputs(e->op == WRC_OP_NOT ? "not " : "-", out);
        put_expression(out, model, e->left);
        return;
    default: break;
    }
    fputc('(', out);
    put_expression(out, model, e->left);
    fprintf(out, " %s ", SYMBOLS[e->op]);
    put_expression(out, model, e->right);
    fputc(')', out);
}

static void put_parameter(FILE *out, const wrc_parameter *p)
{
    static const char *const DOMAINS[] = { "text", "number", "boolean", "range" };
    fprintf(out, "%s %s", p->name, DOMAINS[p->domain]);
    if (p->domain == WRC_DOMAIN_RANGE)
        fprintf(out, " %lld+%lldi<%u", (long long)p->first, (long long)p->step, p->levels);
    for (uint32_t i = 0; p->values && i < p->levels; i++) {
        const wrc_value *v = &p->values[i];
        fprintf(out, "%s%s", i == wrc_parameter_valid_levels(p) ? "; " : " ", v->text);
        for (const char *const *a = v->aliases; a && *a; a++)
            fprintf(out, "|%s", *a);
        fprintf(out, "=%lld", (long long)v->number);
        if (v->weight != 1)
            fprintf(out, "(%u)", v->weight);
    }
    fputc('\n', out);
}

static void put_group(FILE *out, const char *what, const wrc_relation *r)
{
    fprintf(out, "%s %u of", what, r->strength);
    for (uint32_t i = 0; i < r->count; i++)
        fprintf(out, " %u", r->parameters[i]);
    fputc('\n', out);
}

static char *describe(const wrc_model *model)
{
    char  *text = NULL;
    size_t size;
    FILE  *out = open_memstream(&text, &size);
    for (uint32_t i = 0; i < model->parameter_count; i++)
        put_parameter(out, &model->parameters[i]);
    for (uint32_t i = 0; i < model->relation_count; i++)
        put_group(out, "cover", &model->relations[i]);
    for (uint32_t i = 0; i < model->compound_count; i++)
        put_group(out, "group", &model->compounds[i]);
    for (uint32_t i = 0; i < model->constraint_count; i++) {
        fprintf(out, "%u: ", model->constraints[i].line);
        put_expression(out, model, model->constraints[i].holds);
        fputc('\n', out);
    }
    for (uint64_t i = 0; i < model->kept_count * model->parameter_count; i++) {
        uint32_t level = model->kept[i];
        fprintf(out, level == WRC_ANY ? "*%c" : "%2$u%1$c",
                (i + 1) % model->parameter_count ? ' ' : '\n', level);
    }
    for (uint32_t i = 0; i < model->remark_count; i++)
        fprintf(out, "remark %s\n", model->remarks[i]);
    fclose(out);
    return text;
}

/* ---- Checks ------------------------------------------------------------------------------- */

static void reads_with(int line, const char *text, const char *second, wrc_asked asked,
                       const char *wanted)
{
    wrc_complaint complaint = { "" };
    wrc_model    *model = wrc_read_text("m", text, strlen(text), second ? "c" : NULL, second,
                                     second ? strlen(second) : 0, asked, &complaint);
    char         *got = model ? describe(model) : strdup(complaint.text);
    if (strcmp(got, wanted) != 0) {
        printf("%s:%d: wanted\n%s\ngot\n%s\n", __FILE__, line, wanted, got);
        failures++;
    }
    free(got);
    wrc_model_free(model);
}

#define READS(text, wanted) reads_with(__LINE__, text, NULL, (wrc_asked){ 0 }, wanted)
#define REFUSES READS
#define READS_AT(strength, text, wanted)                                                         \
    reads_with(__LINE__, text, NULL, (wrc_asked){ strength, false }, wanted)

TEST(acts_is_read_with_all_its_sections)
{
    READS("[System]\n-- a comment\nName: demo\n\n[Parameter]\nPort (int) : 80, [443], 0 ; -1, "
          "70000\n"
          "Proto (enum) : tcp, udp\nTls (boolean) : TRUE, FALSE\n\n[Relation]\n"
          "R1 : (Tls, Port, Proto, 3)\nR2: (Port, Tls, 2)\n\n[Constraint]\n"
          "Tls = TRUE => Proto = \"tcp\"\nPort > 0 || Proto != \"udp\"\n"
          "(Port + 1) % 2 = 0 => Tls = FALSE\n\n[Test Set]\nPort, Proto, Tls\n80, tcp, *\n",
          "Port number 80=80 443=443 0=0; -1=-1 70000=70000\nProto text tcp=0 udp=1\n"
          "Tls boolean TRUE=1 FALSE=0\ncover 3 of 0 1 2\ncover 2 of 0 2\n"
          "15: (Tls:1 or Proto:0)\n16: (Port:0-1,4 or Proto:0)\n"
          "17: (not (((Port + 1) % 2) = 0) or Tls:1)\n0 0 *\n"
          "remark m: base choices are read as ordinary values\n");
}

TEST(acts_takes_what_other_tools_write)
{
    READS("[System]\r\nName:x\r\n[Parameter]\r\np1(enum):v1,v2\r\np4 (boolean) : true, false\r\n"
          "[Relation]\r\n[Constraint]\r\n(((p1)!=(\"v1\"))||(p4))\r\n!p4 => p1 == \"v2\"\r\n",
          "p1 text v1=0 v2=1\np4 boolean true=1 false=0\ncover 2 of 0 1\n"
          "8: (p1:1 or p4:0)\n9: (p4:0 or p1:1)\n");
    READS_AT(3,
             "[Parameter]\na(int):0..1000\nb(int):0..1000/10\nc(int):1..3,7\nd(enum):1,2\n"
             "[Constraint]\na>=500\na<>b\nd = 2\n",
             "a range 0+1i<1001\nb range 0+10i<101\nc number 1=1 2=2 3=3 7=7\nd text 1=0 2=1\n"
             "cover 3 of 0 1 2 3\n7: a:500-1000\n8: (a != b)\n9: d:1\n");
}

TEST(acts_reads_odd_names_and_quoted_constants)
{
    READS("[Parameter]\nmax-age(int):1,2\nmax(int):1,2\nage(int):1,2\non(boolean):true,false\n"
          "[Constraint]\nmax-age = \"2\" || on != \"TRUE\"\nmax - age = 0\nmax-ages = 1\n",
          "m:9:5: expected a parameter, found 'ages' (did you mean age?)");
    READS("[Parameter]\nmax-age(int):1,2\nmax(int):1,2\nage(int):1,2\non(boolean):true,false\n"
          "[Constraint]\nmax-age = \"2\" || on != \"TRUE\"\nmax - age = 0\n",
          "max-age number 1=1 2=2\nmax number 1=1 2=2\nage number 1=1 2=2\n"
          "on boolean true=1 false=0\ncover 2 of 0 1 2 3\n7: (max-age:1 or on:1)\n"
          "8: ((max - age) = 0)\n");
    READS("model name: a, b\nkind: 1\n",
          "model name text a=0 b=1\nkind number 1=1\ncover 2 of 0 1\n");
}

TEST(acts_says_what_it_expected)
{
    REFUSES("[Parameter]\na(int):0,1\n[Constraint]\na = \n",
            "m:4:5: expected a parameter, a value or '(', found the end of the line");
    REFUSES("[Parameter]\na(int):0,x\n", "m:2:1: expected a whole number as value of a, found x");
    REFUSES("[Parameter]\na(float):0\n",
            "m:2:3: expected int, enum, boolean or range, found 'float'");
    REFUSES("[Parameter]\na(int):0\na(int):1\n",
            "m:3:1: expected a new name, found a, which is a parameter already");
    REFUSES("[Parameter]\na(int):0,0\n", "m:2:10: expected each value of a once, found 0 twice");
    REFUSES("[Parameter]\na(int):\n", "m:2:8: expected a value, found the end of the line");
    REFUSES("[Parameter]\na(int) 0,1\n",
            "m:2:11: expected ':' and values, found the end of the line");
    REFUSES("[Parameter]\na(int):0,1\n[Relation]\nR:(a,b,2)\n",
            "m:4:6: expected a parameter's name, found 'b'");
    REFUSES("[Parameter]\na(int):0,1\n[Relation]\nR:(a,2)\n",
            "m:4:4: expected a strength of at most 1, the number of parameters, found 2");
    REFUSES("[Parameter]\na(int):0,1\nb(enum):x,y\n[Constraint]\nb = \"z\"\n",
            "m:5:5: expected a value of b, found '\"z\"'");
    REFUSES("[Parameter]\na(int):0,1\nb(enum):x,y\n[Constraint]\na = b\n",
            "m:5:5: expected a number, found a text");
    REFUSES("[Parameter]\na(int):0,1\n[Constraint]\n(a = 1 || a = 0\n",
            "m:5:1: expected ')', found the end of the file");
    REFUSES("[Parameter]\na(int):0,1\n[Constraint]\na = 1 a = 2\n",
            "m:4:7: expected an operator or the end of the line, found 'a'");
    REFUSES("[Parameter]\na(int):0,1\n[Constraint]\nc = 1\n",
            "m:4:1: expected a parameter, found 'c'");
    REFUSES("[Parameter]\na(int):0,1\n[Constraint]\n1/0 = a\n",
            "m:4:1: expected a calculation that has a value below 2^63");
    REFUSES("[Parameters please]\na(int):0,1\n",
            "m:1:1: expected [System], [Parameter], [Relation], [Constraint] or [Test Set], "
            "found '[Parameters please]'");
    REFUSES("[Parameter]\na(int):0,2\n[Constraint]\na = 1\n",
            "m:4:5: expected a value of a, found '1'");
    REFUSES("[Parameter]\n", "expected at least one parameter, found none");
    REFUSES("[Parameter]\na(int):0,1 ; 2\nb(int): ; 1\n", "m:3:9: expected a value, found ';'");
    REFUSES("[Parameter]\na(int):5..1\n", "m:2:8: expected a range that ascends, found 5..1");
    REFUSES("[Parameter]\na(int):0..4294967295\n",
            "m:2:8: expected at most 4294967294 values of a, found a wider range");
    REFUSES("<?xml version=\"1.0\"?>\n",
            "m:1:1: expected a model in text form (XML is not read), found '<'");
}

TEST(pict_is_read_with_all_it_has)
{
    READS(
        "# parameters\nMode:    fast (5), slow, ~broken\nSize:    1, 2, 64\n"
        "Disk:    ssd | nvme, hdd\nDisk2:   <Disk>, tape\nLang:    en, fr, de\n\n"
        "{ Mode, Size, Disk } @ 3\n{Lang, Size}\n\n"
        "IF [Mode] = \"slow\" AND [Size] > 1\n# in between\nTHEN [Disk] <> \"HDD\" ELSE [Lang] "
        "IN "
        "{\"en\", \"fr\"};\n[Disk] <> [Disk2] OR NOT [Size] >= 64;\n"
        "IF [lang] LIKE \"?e*\" THEN [Size] = 2;\nif isnegative(Mode) then [Size] not in {1,2};",
        "Mode text fast=3(5) slow=6; ~broken=0\nSize number 1=1 2=2 64=64\n"
        "Disk text ssd|nvme=7 hdd=5\nDisk2 text ssd|nvme=7 hdd=5 tape=8\nLang text en=2 fr=4 "
        "de=1\n"
        "cover 2 of 0 1 2 3 4\ngroup 3 of 0 1 2\ngroup 2 of 1 4\n"
        "11: (((Mode:0,2 or Size:0) or Disk:0) and ((Mode:1 and Size:1-2) or Lang:0-1))\n"
        "14: ((Disk != Disk2) or Size:0-1)\n15: (Lang:0-1 or Size:1)\n16: (Mode:0-1 or "
        "Size:2)\n");
}

TEST(pict_compares_decimals_and_texts)
{
    READS("A: 1.5, 2, ~-3\nB: 2.0, 10\nC: x\n[A] > 1.75;\n[A] = [B];\n[C] <= \"X\";\n[A] = -3;",
          "A text 1.5=1 2=2; ~-3=0\nB text 2.0=2 10=3\nC text x=4\ncover 2 of 0 1 2\n"
          "4: A:1\n5: (A = B)\n7: A:2\n");
    READS("A: 0, 1\nB: 0, 1\nIF ([A] = 0 AND [B] = 1) THEN ([A] = 0 and not [A] = 0);",
          "A number 0=0 1=1\nB number 0=0 1=1\ncover 2 of 0 1\n3: (A:1 or B:0)\n");
    reads_with(__LINE__, "a: x, X\nA: y\n[a] = \"x\";", NULL, (wrc_asked){ 0, true },
               "a text x=1 X=0\nA text y=2\ncover 2 of 0 1\n3: a:0\n");
}

/* Where the point is a comma, and where a capital i has no small one; as far as the system has
 * such locales. */
TEST(pict_is_read_the_same_in_every_locale)
{
    static const char *const LOCALES[] = { "de_DE.UTF-8", "fr_FR.UTF-8", "tr_TR.UTF-8" };
    for (size_t i = 0; i < sizeof LOCALES / sizeof *LOCALES; i++) {
        setlocale(LC_ALL, LOCALES[i]);
        pict_is_read_with_all_it_has();
        pict_compares_decimals_and_texts();
    }
    setlocale(LC_ALL, "C");
}

TEST(pict_reads_orders_of_parameters)
{
    READS("A @ 3: 1, 2\nb@c: x\n[A] = 1;",
          "A number 1=1 2=2\nb@c text x=0\ncover 2 of 0 1\n3: A:0\n"
          "remark the order of a single parameter is not looked at: A\n");
}

TEST(pict_says_what_it_expected)
{
#define AS_PICT                                                                                  \
    " (read as PICT's language; ACTS's begins with '[', Warren's with model or parameter)"
    REFUSES("a: 1, 2\nA: 3\n",
            "m:2:1: expected a new name, found A, which is a parameter already");
    REFUSES("a: 1, 2\n[b] = 1;", "m:2:2: expected a parameter's name, found 'b'");
    REFUSES("a: 1, 2\n[a] = \"x\";",
            "m:2:7: expected a number, for the values of a are numbers, found a text");
    REFUSES("a: 1, 2\nb: x, y\n[a] = 1",
            "m:3:8: expected AND, OR or ';', found the end of the file");
    REFUSES("a: 1, 2\nIF [a] = 1 [a] = 2;", "m:2:12: expected AND, OR or THEN, found '['");
    REFUSES("a: 1, 2\n[a] IS 2;", "m:2:5: expected a relation, found 'IS'");
    REFUSES("a: 1, 2\n{a, c} @ 2\n", "m:2:5: expected a parameter's name, found 'c'");
    REFUSES("a: 1, 2\n{a} @ x\n", "m:2:7: expected an order, 1 or more, found 'x'");
    REFUSES("a\n", "m:1:2: expected ':' and values, found the end of the line" AS_PICT);
    REFUSES("Model disk\nparameter a: 1..9\n",
            "m:1:11: expected ':' and values, found the end of the line" AS_PICT);
    REFUSES("a: ~1\n", "m:1:1: expected a valid value of a, found none" AS_PICT);
    REFUSES("a: 1\nb:\n", "m:2:3: expected a value, found the end of the line" AS_PICT);
    REFUSES("a: 1, 2, x,  1\n", "m:1:14: expected each value of a once, found 1 twice" AS_PICT);
    REFUSES("a: x, y, X\n", "m:1:10: expected each value of a once, found X twice" AS_PICT);
    REFUSES("a: x, y, ~x\n", "m:1:11: expected each value of a once, found x twice" AS_PICT);
    REFUSES("a: x, y\nb: z, <a>, y\n",
            "m:2:12: expected each value of b once, found y twice" AS_PICT);
    REFUSES("a: x, y\n[a] = \"z\";", "m:2:7: expected a value of a, found '\"z\"'");
    REFUSES("a: x, y\n[a] <> \"z\";", "m:2:8: expected a value of a, found '\"z\"'");
    REFUSES("a: x, y\n[a] IN {\"x\", \"z\"};", "m:2:14: expected a value of a, found '\"z\"'");
    REFUSES("a: 1, 2\nIF [a] = 3 THEN [a] > 0;", "m:2:10: expected a value of a, found '3'");
    REFUSES("a: 1, 2\n[a] <> -3;", "m:2:8: expected a value of a, found '-3'");
    REFUSES("a: x | z, y\n[a] = \"z\";",
            "m:2:7: expected the first name of a value of a, found '\"z\"'");
    READS("a: 1, 2\n[a] > 1.5 OR [a] = 1.0;", "a number 1=1 2=2\ncover 1 of 0\n");
    REFUSES("", "expected at least one parameter, found none");
}

TEST(a_name_that_is_nearly_one_is_suggested)
{
    REFUSES("parameter mode: fast, slow\nrequire mode = fats",
            "m:2:16: expected a value of mode, found 'fats' (did you mean fast?)");
    REFUSES("parameter mode: fast, slow\nrequire moed = fast",
            "m:2:9: expected a parameter, found 'moed' (did you mean mode?)");
    REFUSES("parameter mode: fast, slow\nkeep mode = slwo",
            "m:2:13: expected a value of mode, found 'slwo' (did you mean slow?)");
    REFUSES("parameter mode: fast, slow\nparamter tls: boolean",
            "m:2:1: expected model, parameter, cover, require or keep, found 'paramter' (did you "
            "mean "
            "parameter?)");
    REFUSES("mode: fast, slow\n[mode] = \"fats\";",
            "m:2:10: expected a value of mode, found '\"fats\"' (did you mean fast?)");
}

TEST(pict_reads_a_parameter_without_a_colon_with_a_remark)
{
    READS("a, 1, 2\nb 3, 4\n", "a number 1=1 2=2\nb 3 number 4=4\ncover 2 of 0 1\n"
                               "remark m:1: there is no ':', so the parameter is called 'a'\n"
                               "remark m:2: there is no ':', so the parameter is called 'b 3'\n");
    REFUSES("a: 1, 2\n\nb 3, 4\n[b] = 3;",
            "m:4:2: expected a parameter's name, found 'b' (line 3 has no ':')");
    REFUSES("a: 1, 2\nb 3, 4\n{ a, b } @ 2\n",
            "m:3:6: expected a parameter's name, found 'b' (line 2 has no ':')");
    REFUSES("a 1, 2\nb\n",
            "m:2:2: expected ':' and values, found the end of the line (line 1 has no ':')");
}

TEST(pict_has_a_remark_on_names_that_look_like_another_language)
{
#define NAMES_OF(line, name)                                                                     \
    "remark m:" line ": read as PICT's language, in which this parameter is called '" name       \
    "'; Warren's begins with 'parameter' or 'model'\n"
    READS("paramter a: 1, 2\nparameter b: 3, 4\n",
          "paramter a number 1=1 2=2\nparameter b number 3=3 4=4\ncover 2 of 0 1\n" NAMES_OF(
              "1", "paramter a"));
    READS("a: 1, 2\nparameter b: 3, 4\n",
          "a number 1=1 2=2\nparameter b number 3=3 4=4\ncover 2 of 0 1\n" NAMES_OF(
              "2", "parameter b"));
    READS("parameters: 1, 2\npar meter: 3, 4\n",
          "parameters number 1=1 2=2\npar meter number 3=3 4=4\ncover 2 of 0 1\n");
    REFUSES(
        "parametr a: 1, 2\nparameter b: 3, 4\nif [a] = 1;",
        "m:3:5: expected a parameter's name, found 'a'; m:1: read as PICT's language, in which "
        "this parameter is called 'parametr a'; Warren's begins with 'parameter' or 'model'");
#undef NAMES_OF
}

TEST(casa_is_read_with_its_constraints)
{
    reads_with(__LINE__, "3\n3\n2 3 2 \n", "3\n2\n- 1 - 3\n1\n+ 5\n0\n", (wrc_asked){ 0 },
               "p0 range 0+1i<2\np1 range 0+1i<3\np2 range 0+1i<2\ncover 3 of 0 1 2\n"
               "3: (p0:0 or p1:0,2)\n5: p2:0\n7: 0\n");
    READS_AT(2, "3 3 2 2 2",
             "p0 range 0+1i<2\np1 range 0+1i<2\np2 range 0+1i<2\ncover 2 of 0 1 2\n");
    REFUSES("2 3 2 2",
            "m:1:8: expected a number of values, 1 or more, found the end of the file");
    REFUSES("2 1 2 2",
            "m:1:7: expected the end of the file, for there are no more parameters, found '2'");
    reads_with(__LINE__, "2 2 2 2", "1 2 - 0 - 4", (wrc_asked){ 0 },
               "c:1:11: expected a symbol of the model, found '4'");
    reads_with(__LINE__, "a: 1\n", "0", (wrc_asked){ 0 },
               "c: expected no second file, for m is not in CASA's language");
}

TEST(warrens_own_language_is_read)
{
    READS("# disk\nmodel disk\nparameter type: single, span, \"raid 5\"\n"
          "parameter size: 0..1000\nparameter step: -10..1000/10 # stepped\n"
          "parameter port: 80, 443 invalid 0, -1\nparameter on: true, false\n"
          "cover 2 of all\ncover full of on, type\ncover 3 of size, type, port\n"
          "require type = \"raid 5\" => size % 2 = 0 and size >= 10\n"
          "require if on then size in {1, 5..9} else type != span # why\n"
          "require (size + step <= 1500\n         or on)\nrequire step not in {0..100} && !on\n"
          "keep type = span, size = 100\nkeep step = -10, on = false, port = -1\n",
          "type text single=1 span=2 raid 5=0\nsize range 0+1i<1001\nstep range -10+10i<102\n"
          "port number 80=80 443=443; 0=0 -1=-1\non boolean true=1 false=0\n"
          "cover 2 of 0 1 2 3 4\ncover 2 of 0 4\ncover 3 of 0 1 3\n"
          "11: (type:0-1 or (((size % 2) = 0) and size:10-1000))\n"
          "12: ((on:1 or size:1,5-9) and (on:0 or type:0,2))\n"
          "13: (((size + step) <= 1500) or on:0)\n15: (step:0,12-101 and on:1)\n"
          "1 100 * * *\n* * 0 3 1\n");
    READS("parameter a: 1\nparameter b: 1, 2\nparameter c: x\ncover 2 of a, b\n",
          "a number 1=1\nb number 1=1 2=2\nc text x=0\ncover 2 of 0 1\ncover 1 of 2\n");
    READS_AT(6, "parameter a: 1, 2\n",
             "a number 1=1 2=2\ncover 1 of 0\n"
             "remark strength 6 is more than there are parameters: 1 it is\n");
}

TEST(warren_says_what_it_expected)
{
    REFUSES("parameter a: 1,\n", "m:1:16: expected a value, found the end of the line");
    REFUSES("parameter a 1\n", "m:1:13: expected ':', found '1'");
    REFUSES("parameter a: 1 2\n",
            "m:1:16: expected ',', 'invalid' or the end of the line, found '2'");
    REFUSES("parameter a: 1\nfoo\n",
            "m:2:1: expected model, parameter, cover, require or keep, found 'foo'");
    REFUSES("parameter a: 1\ncover 2 of b\n",
            "m:2:12: expected a parameter's name or 'all', found 'b'");
    REFUSES("parameter a: 1\ncover x of a\n", "m:2:7: expected a strength or 'full', found 'x'");
    REFUSES("parameter a: 1\nkeep a = 2\n", "m:2:10: expected a value of a, found '2'");
    REFUSES("parameter a: 1..9\nrequire a = 10\n", "m:2:13: expected a value of a, found '10'");
    REFUSES("parameter a: 1..9/2\nrequire 4 != a\n", "m:2:9: expected a value of a, found '4'");
    REFUSES("parameter a: 1, 3\nrequire a in {1, 2}\n",
            "m:2:18: expected a value of a, found '2'");
    REFUSES("parameter a: 1..9\nrequire a not in {1, -5}\n",
            "m:2:22: expected a value of a, found '-5'");
    REFUSES("parameter a: 1..9\nrequire a != 3 * 5\n",
            "m:2:14: expected a value of a, found '15'");
    REFUSES("parameter a: 1, 3\nrequire a = \"2\"\n", "m:2:13: expected a value of a, found '2'");
    READS("parameter a: 1, 3 invalid 7\nrequire a < 9 && a >= 0 && a in {2..20} || a = 7\n",
          "a number 1=1 3=3; 7=7\ncover 1 of 0\n2: a:1-2\n");
    REFUSES("parameter a: x\nrequire a > x\n",
            "m:2:9: expected numbers to compare by size, found a text");
    REFUSES("parameter a: 1\nrequire a\n", "m:2:9: expected a condition, found a number");
    REFUSES("parameter a: 1..5/0\n", "m:1:14: expected a step of 1 or more, found 0");
    REFUSES("parameter a: 1\ncover 1 of a\nparameter b: 2\n",
            "m:3:11: expected no more parameters after cover, require or keep, found 'b'");
}

/* Ten thousand brackets are refused; ten thousand parts in a row are not, and make no deep tree.
 */
TEST(depth_is_limited)
{
    size_t count = 10000, size = 0;
    char  *text;
    FILE  *out = open_memstream(&text, &size);
    fputs("parameter a: 0..9\nparameter b: 0..9\nrequire ", out);
    for (size_t i = 0; i < count; i++)
        fputc('(', out);
    fclose(out);
    REFUSES(text, "m:3:109: expected at most 200 levels of nesting, found more");
    free(text);

    out = open_memstream(&text, &size);
    fputs("parameter a: 0..9\nparameter b: 0..9\nrequire a = b", out);
    for (size_t i = 0; i < count; i++)
        fputs(" or a + b = 3", out);
    fclose(out);
    wrc_complaint complaint;
    wrc_model    *model =
        wrc_read_text("m", text, size, NULL, NULL, 0, (wrc_asked){ 0 }, &complaint);
    CHECK(model != NULL);
    unsigned depth = 0;
    for (const wrc_expression *e = model ? model->constraints[0].holds : NULL; e; e = e->left)
        depth++;
    CHECK(depth < 20);
    wrc_model_free(model);
    free(text);
}

int main(int argc, char **argv)
{
    int status = run_tests(argc, argv);
    return status != 0 ? status : failures > 0;
}

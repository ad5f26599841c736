/* cli/new.c: the command `warren new`, which makes a first test.
 *
 * A folder of the name gets a test and a Makefile. They build and run as they are.
 */
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/option_table.h"

static const char TEST[] =
    "#include <warren.h>\n"
    "\n"
    "/* The code under test. Put yours here; or include its header, and name its file in the\n"
    " * Makefile. */\n"
    "static void reverse(int32_t *xs, size_t n)\n"
    "{\n"
    "    for (size_t i = 0; i < n / 2; i++) {\n"
    "        int32_t x = xs[i];\n"
    "        xs[i] = xs[n - 1 - i];\n"
    "        xs[n - 1 - i] = x;\n"
    "    }\n"
    "}\n"
    "\n"
    "/* This says what holds for every array. Warren draws many, and shrinks one that fails. */\n"
    "WR_PROPERTY(reversing_twice_changes_nothing) {\n"
    "    size_t   n = wr_size(t, \"n\", 0, 100);\n"
    "    int32_t *xs = wr_i32s(t, \"xs\", n, -1000, 1000);\n"
    "    int32_t *before = wr_copy(t, xs, n * sizeof *xs);\n"
    "    reverse(xs, n);\n"
    "    reverse(xs, n);\n"
    "    wr_assert_mem_eq(t, xs, before, n * sizeof *xs);\n"
    "}\n";

/* %1$s: the name; %2$s: where pkg-config looks besides, or nothing. */
static const char MAKEFILE[] =
    "# make check: builds the test and runs it. make clean: removes what was built.\n"
    "PKG_CONFIG := %2$spkg-config\n"
    "CFLAGS += -g $(shell $(PKG_CONFIG) --cflags warren)\n"
    "LDLIBS += $(shell $(PKG_CONFIG) --libs warren)\n"
    "LDFLAGS += -Wl,-rpath,$(shell $(PKG_CONFIG) --variable=libdir warren)\n"
    "\n"
    "check: %1$s\n"
    "\t./%1$s\n"
    "\n"
    "%1$s: %1$s.c # and your files\n"
    "\n"
    "clean:\n"
    "\trm -f %1$s\n"
    "\n"
    ".PHONY: check clean\n";

static int cannot(const char *what, const char *why)
{
    fprintf(stderr, "warren new: %s: %s\n", what, why);
    return WRI_CANNOT;
}

static int help(void)
{
    fputs(
        "usage: warren new NAME\n\n"
        "Makes the folder NAME with a first test, NAME.c, and a Makefile. `make -C NAME check`\n"
        "builds the test and runs it. Nothing that is there already is changed.\n\n"
        "  -h, --help            print this\n\n"
        "exit status: 0 done; 99 it could not be done as asked\n",
        stdout);
    return fflush(stdout) == 0 ? 0 : cannot("standard output", strerror(errno));
}

/* A name of files, of a target of make, and of a program. */
static bool is_good(const char *name)
{
    static const char GOOD[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    static const char *const TARGETS[] = { "check", "clean", "Makefile" };
    for (size_t i = 0; i < sizeof TARGETS / sizeof *TARGETS; i++)
        if (strcmp(name, TARGETS[i]) == 0)
            return false;
    return name[0] != '\0' && name[0] != '-' && strlen(name) <= 100 &&
           name[strspn(name, GOOD)] == '\0';
}

/* The folder of warren.pc below the one where this program is installed; "" if pkg-config looks
 * there anyway, or there is none. As words before the command. */
static void find_library(char line[PATH_MAX + 200])
{
    static const char *const PLACES[] = { "lib/pkgconfig", "lib*/pkgconfig", "lib/*/pkgconfig" };
    char                     prefix[PATH_MAX] = "", pattern[PATH_MAX + 40];
    ssize_t                  length = readlink("/proc/self/exe", prefix, sizeof prefix - 1);
    char                    *slash = length > 0 ? strrchr(prefix, '/') : NULL;
    line[0] = '\0';
    if (slash == NULL)
        return;
    *slash = '\0';
    slash = strrchr(prefix, '/');
    if (slash == NULL || strcmp(slash, "/bin") != 0)
        return;
    *slash = '\0';
    if (strcmp(prefix, "/usr") == 0 || strpbrk(prefix, " $#%*?[]\\'\"`") != NULL)
        return;
    for (size_t i = 0; i < sizeof PLACES / sizeof *PLACES && line[0] == '\0'; i++) {
        glob_t found;
        snprintf(pattern, sizeof pattern, "%s/%s/warren.pc", prefix, PLACES[i]);
        if (glob(pattern, 0, NULL, &found) == 0)
            snprintf(line, PATH_MAX + 200, "PKG_CONFIG_PATH=$$PKG_CONFIG_PATH:%.*s ",
                     (int)(strlen(found.gl_pathv[0]) - strlen("/warren.pc")), found.gl_pathv[0]);
        globfree(&found);
    }
}

/* False: errno says why, and nothing is left of it. */
static bool write_test(const char *name)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s.c", name, name);
    FILE *out = fopen(path, "wx");
    bool  written = out != NULL && fputs(TEST, out) >= 0;
    return out != NULL && fclose(out) == 0 && written;
}

static bool write_makefile(const char *name)
{
    char path[300], library[PATH_MAX + 200];
    find_library(library);
    snprintf(path, sizeof path, "%s/Makefile", name);
    FILE *out = fopen(path, "wx");
    bool  written = out != NULL && fprintf(out, MAKEFILE, name, library) > 0;
    return out != NULL && fclose(out) == 0 && written;
}

int wri_new_command(int argc, char **argv)
{
    char given[WRI_OPTION_QUOTED];
    if (argc > 0 && (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0))
        return help();
    if (argc != 1) {
        fprintf(stderr, "warren new: expected one name, got %s\n",
                argc == 0 ? "nothing" : "more");
        return WRI_CANNOT;
    }
    if (!is_good(argv[0]))
        return cannot(wri_option_table_quoted(argv[0], given),
                      "expected a name of letters, digits, _ and -");
    if (mkdir(argv[0], 0777) != 0)
        return cannot(argv[0], strerror(errno));
    if (!write_test(argv[0]) || !write_makefile(argv[0]))
        return cannot(argv[0], strerror(errno));
    printf("%s/%s.c\n%s/Makefile\nBuild and run it: make -C %s check\n", argv[0], argv[0],
           argv[0], argv[0]);
    return fflush(stdout) == 0 ? 0 : cannot("standard output", strerror(errno));
}

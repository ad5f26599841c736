/* cli/warren.c: the program `warren`, which finds the subcommand. */
#include "cli/commands.h"
#include "cli/option_table.h"
#include "core/folder.h"

#include <stdio.h>
#include <string.h>

#include <warren.h>

static const struct {
    const char *name, *help;
    int (*run)(int argc, char **argv);
} COMMANDS[] = {
    { "run", "many test programs as one campaign", wri_run_command },
    { "cover", "rows that cover all combinations of a model's values", wri_cover_command },
    { "new", "a first test with its build file", wri_new_command },
    { "replay", "one case of a test program again", wri_replay_command },
    { "bugs", "the bugs that a store knows", wri_bugs_command },
    { "show", "all that is known of a bug", wri_show_command },
    { "forget", "a bug that is not to be tried any more", wri_forget_command },
    { "report", "a store as a page for a browser", wri_report_command },
    { "merge", "several stores as one", wri_merge_command },
    { "import", "a fuzzer's corpus as cases of a property", wri_import_command },
    { "export", "the cases of a property as a fuzzer's corpus", wri_export_command },
};
enum { COMMAND_COUNT = sizeof COMMANDS / sizeof *COMMANDS };

/* After everything is printed; the exit status. */
static int printed(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return 0;
    perror("warren: cannot write to standard output");
    return WRI_CANNOT;
}

static int help(void)
{
    fputs("usage: warren COMMAND [ARGUMENT...]\n\n", stdout);
    for (int i = 0; i < COMMAND_COUNT; i++)
        printf("  %-20s  %s\n", COMMANDS[i].name, COMMANDS[i].help);
    fputs("\nwarren COMMAND --help describes one; warren --version prints the version.\n",
          stdout);
    return printed();
}

static int unknown(const char *command)
{
    char            given[WRI_OPTION_QUOTED];
    wri_option_hint near = wri_option_hint_begin(command, " (--help names them)");
    for (int i = 0; i < COMMAND_COUNT; i++)
        wri_option_hint_consider(&near, "", COMMANDS[i].name);
    fprintf(stderr, "warren: %s is not a command%s\n", wri_option_table_quoted(command, given),
            near.text);
    return WRI_CANNOT;
}

int main(int argc, char **argv)
{
    wri_folder_fill_standard();
    if (argc < 2) {
        fputs("warren: expected a command (--help names them), got nothing\n", stderr);
        return WRI_CANNOT;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return help();
    if (strcmp(argv[1], "--version") == 0) {
        puts("warren " WR_VERSION);
        return printed();
    }
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(argv[1], COMMANDS[i].name) == 0)
            return COMMANDS[i].run(argc - 2, argv + 2);
    return unknown(argv[1]);
}

/* cli/commands.h: the subcommands of the program `warren`. */
#ifndef WRI_CLI_COMMANDS_H
#define WRI_CLI_COMMANDS_H

/* The exit status of a command that could not do as asked; one line on stderr says why. */
#define WRI_CANNOT 99

/* Each takes the arguments that follow its name and returns the exit status. */
int wri_run_command(int argc, char **argv);
int wri_cover_command(int argc, char **argv);
int wri_new_command(int argc, char **argv);
int wri_replay_command(int argc, char **argv);
int wri_import_command(int argc, char **argv);
int wri_export_command(int argc, char **argv);
int wri_bugs_command(int argc, char **argv);
int wri_show_command(int argc, char **argv);
int wri_forget_command(int argc, char **argv);
int wri_merge_command(int argc, char **argv);
int wri_report_command(int argc, char **argv);

#endif

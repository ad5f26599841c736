/* cli/commands.h: the subcommands of the program `warren`. */
#ifndef WRI_CLI_COMMANDS_H
#define WRI_CLI_COMMANDS_H

/* The exit status of a command that could not do as asked; one line on stderr says why. */
#define WRI_CANNOT 99

/* Each takes the arguments that follow its name and returns the exit status. */
int wri_cover_command(int argc, char **argv);

#endif

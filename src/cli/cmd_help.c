/* broadsheet help [COMMAND] */
#include "cli/commands.h"

enum outcome
cmd_help(struct invocation *in)
{
	const struct command *command;

	if (in->argument_count == 0) {
		help_program(in->commands);
		return OUTCOME_DONE;
	}
	command = command_find(in->commands, in->arguments[0]);
	if (command == NULL)
		return OUTCOME_USAGE;
	help_command(command);
	return OUTCOME_DONE;
}

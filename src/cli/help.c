/* The texts of --help, all of them from the tables of commands and settings. */
#include "cli/command.h"

#include "base/suggest.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { COLUMN = 26 };

static const char *
strong(void)
{
	return colour(STDOUT_FILENO, COLOUR_BOLD);
}

static const char *
plain(void)
{
	return colour(STDOUT_FILENO, COLOUR_NONE);
}

static void
heading(const char *text)
{
	printf("\n%s%s%s\n", strong(), text, plain());
}

/* "  --name VALUE            what it is for" */
static void
option_line(const char *name, const char *value, const char *summary)
{
	int width =
	    printf("  --%s%s%s", name, value != NULL ? " " : "", value != NULL ? value : "");

	if (width >= COLUMN) {
		putchar('\n');
		width = 0;
	}
	printf("%*s%s\n", COLUMN - width, "", summary);
}

static void
settings_help(enum command_settings which)
{
	heading("Settings (flag over environment over file over default, see broadsheet.conf(5))");
	for (size_t i = 0; i < config_setting_count; i++) {
		const struct setting *setting = &config_settings[i];

		if (which == SETTINGS_STORE && strcmp(setting->name, "store") != 0)
			continue;
		option_line(setting->name, setting->value, setting->description);
		printf("%*sdefault: %s\n", COLUMN, "", setting->fallback);
	}
	option_line("config", "FILE", "the file of settings");
	printf("%*sdefault: %s\n", COLUMN, "", config_default_file);
}

void
help_command(const struct command *command)
{
	const struct option *option = command->options;
	bool options = option != NULL || command->settings != SETTINGS_NONE;

	printf("broadsheet %s - %s\n", command->name, command->summary);
	heading("Usage");
	printf("  broadsheet %s%s%s%s\n", command->name, options ? " [OPTION]..." : "",
	    command->arguments[0] != '\0' ? " " : "", command->arguments);
	if (command->details[0] != '\0')
		printf("\n%s\n", command->details);
	heading("Options");
	for (; option != NULL && option->name != NULL; option++)
		option_line(option->name, option->value, option->summary);
	option_line("help", NULL, "show this");
	if (command->settings != SETTINGS_NONE)
		settings_help(command->settings);
}

void
help_program(const struct command *commands)
{
	printf("broadsheet - a publication of many authors, served from one table\n");
	heading("Usage");
	printf("  broadsheet COMMAND [OPTION]... [ARGUMENT]...\n");
	heading("Commands");
	for (const struct command *command = commands; command->name != NULL; command++)
		printf("  %s%-9s%s %s\n", strong(), command->name, plain(), command->summary);
	printf("\n`broadsheet help COMMAND` describes one of them; see also broadsheet(1).\n");
	heading("Exit status");
	printf("  %d  success\n"
	       "  %d  the operation failed, or there is no such item\n"
	       "  %d  the command line is invalid\n"
	       "  %d  a setting is invalid\n"
	       "  %d  the table is unavailable, corrupt, or full\n",
	    OUTCOME_DONE, OUTCOME_FAILED, OUTCOME_USAGE, OUTCOME_CONFIG, OUTCOME_TABLE);
}

const struct command *
command_find(const struct command *commands, const char *name)
{
	struct suggestion near = {.typed = str_of(name)};

	for (const struct command *command = commands; command->name != NULL; command++) {
		if (strcmp(command->name, name) == 0)
			return command;
		suggest_word(&near, command->name);
	}
	if (near.nearest != NULL)
		complain("there is no command \"%s\"; did you mean \"%s\"?", name, near.nearest);
	else
		complain("there is no command \"%s\"; see `broadsheet help`", name);
	return NULL;
}

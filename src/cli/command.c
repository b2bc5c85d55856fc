#include "cli/command.h"

#include "base/arena.h"
#include "base/suggest.h"
#include "model/site/format.h"
#include "table/retry.h"

#include <inttypes.h>
#include <string.h>

/* the timeout of a call to the table */
enum { CALL_MS = 30 * 1000 };

const char *
option_given(const struct invocation *in, const char *name)
{
	for (size_t i = 0; in->command->options[i].name != NULL; i++)
		if (strcmp(in->command->options[i].name, name) == 0)
			return in->given[i];
	return NULL;
}

bool
option_number(
    const struct invocation *in, const char *name, int64_t least, int64_t most, int64_t *out)
{
	const char *text = option_given(in, name);

	if (text == NULL)
		return true;
	if (str_int(str_of(text), out) && *out >= least && *out <= most)
		return true;
	complain("%s: --%s is \"%s\", but should be a number from %" PRId64 " to %" PRId64,
	    in->command->name, name, text, least, most);
	return false;
}

enum outcome
table_failed(enum table_rc rc, const char *why)
{
	if (why != NULL && why[0] != '\0')
		complain("%s", why);
	else
		complain("%s", table_rc_text(rc));
	return rc == TABLE_INVALID ? OUTCOME_FAILED : OUTCOME_TABLE;
}

enum table_rc
command_store(struct invocation *in, const struct config *config, enum table_open how,
    struct table **table, struct str *why)
{
	struct retry retry = {0};
	enum table_rc rc;

	/* Most other failures are wrong settings, so they are reported at once. */
	do
		rc = store_open(config, how, in->clock, in->arena, table, why);
	while (rc == TABLE_THROTTLED && retry_again(&retry, rc));
	if (rc == TABLE_OK)
		(*table)->deadline_ms = CALL_MS;
	return rc;
}

enum outcome
open_store(struct invocation *in, enum table_open how, struct table **table)
{
	struct str why;

	if (store_settle(&in->config, in->clock, in->arena, &why) != TABLE_OK ||
	    command_store(in, &in->config, how, table, &why) != TABLE_OK) {
		complain("%.*s", STR_ARGS(why));
		return OUTCOME_TABLE;
	}
	/* For an operator whose disk is not mounted, or who mistyped the path. */
	if ((*table)->made)
		remark(
		    "there was no table: made %.*s", STR_ARGS(store_name(&in->config, in->arena)));
	return OUTCOME_DONE;
}

enum outcome
note_format(struct invocation *in, struct table *table)
{
	struct table_call call = {.arena = in->arena};
	struct retry retry = {0};
	struct format format;
	enum outcome outcome;
	enum table_rc rc;

	do
		rc = format_begin(table, &call, &format);
	while (retry_again(&retry, rc));
	outcome = rc == TABLE_OK ? OUTCOME_DONE : table_failed(rc, call.why);

	table_release(table, &call);
	return outcome;
}

/* --- Options ---------------------------------------------------------------------------------- */

/* Parses the arguments after a command's name by the command's row. */

/* An option found: one of the command's, a setting, or one that all commands have. */
struct found {
	const char *name, *value; /* value NULL: it takes none */
	size_t index;             /* of the command's options */
	bool setting, help, config;
};

static bool
takes_setting(const struct command *command, const char *name)
{
	return command->settings == SETTINGS_ALL ||
	       (command->settings == SETTINGS_STORE && strcmp(name, "store") == 0);
}

/* Compares, and remembers the nearest name for a suggestion. */
static bool
named(struct suggestion *near, const char *name)
{
	suggest_word(near, name);
	return str_eq(near->typed, str_of(name));
}

static bool
find_option(const struct command *command, struct suggestion *near, struct found *out)
{
	const struct option *option = command->options;

	for (size_t i = 0; option != NULL && option[i].name != NULL; i++) {
		if (named(near, option[i].name)) {
			*out = (struct found){option[i].name, option[i].value, i};
			return true;
		}
	}
	for (size_t i = 0; i < config_setting_count; i++) {
		const struct setting *setting = &config_settings[i];

		if (takes_setting(command, setting->name) && named(near, setting->name)) {
			*out = (struct found){setting->name, setting->value, .setting = true};
			return true;
		}
	}
	if (command->settings != SETTINGS_NONE && named(near, "config")) {
		*out = (struct found){"config", "FILE", .config = true};
		return true;
	}
	*out = (struct found){"help", NULL, .help = true};
	return named(near, "help");
}

static bool
wrong(const struct invocation *in, const char *what, const char *name)
{
	complain("%s: %s --%s; see `broadsheet help %s`", in->command->name, what, name,
	    in->command->name);
	return false;
}

static void
take(struct invocation *in, const struct found *found, const char *value)
{
	if (found->help)
		in->help = true;
	else if (found->config)
		in->config_file = value;
	else if (found->setting)
		in->flags[in->flag_count++] = (struct config_flag){found->name, value};
	else
		in->given[found->index] = value != NULL ? value : "";
}

/* Parses the option at words[*at], and its value, which may be the next word. */
static bool
read_option(struct invocation *in, const char *const *words, size_t count, size_t *at)
{
	struct str value, name = str_cut(str_of(words[*at] + 2), '=', &value);
	bool joined = name.len < strlen(words[*at] + 2);
	struct suggestion near = {.typed = name};
	struct found found;

	if (!find_option(in->command, &near, &found)) {
		if (near.nearest == NULL)
			return wrong(in, "there is no option", str_cstring(in->arena, name));
		complain("%s: there is no option --%.*s; did you mean --%s?", in->command->name,
		    STR_ARGS(name), near.nearest);
		return false;
	}
	if (found.value == NULL) {
		if (joined)
			return wrong(in, "no value belongs behind", found.name);
		take(in, &found, NULL);
		return true;
	}
	if (joined) {
		take(in, &found, value.base);
		return true;
	}
	if (*at + 1 == count)
		return wrong(in, "a value is missing behind", found.name);
	take(in, &found, words[++*at]);
	return true;
}

static bool
check_arguments(const struct invocation *in)
{
	const struct command *command = in->command;

	if (in->help ||
	    (in->argument_count >= command->least && in->argument_count <= command->most))
		return true;
	if (in->argument_count < command->least)
		complain("%s: an argument is missing: broadsheet %s %s", command->name,
		    command->name, command->arguments);
	else
		complain("%s: \"%s\" is one argument too many: broadsheet %s %s", command->name,
		    in->arguments[command->most], command->name, command->arguments);
	return false;
}

bool
options_read(struct invocation *in, const char *const *words, size_t count)
{
	const struct option *option = in->command->options;
	const char **arguments = ARENA_ARRAY(in->arena, count + 1, const char *);
	size_t options = 0;
	bool ended = false;

	while (option != NULL && option[options].name != NULL)
		options++;
	in->given = ARENA_ARRAY(in->arena, options + 1, const char *);
	in->flags = ARENA_ARRAY(in->arena, count + 1, struct config_flag);
	in->arguments = arguments;
	for (size_t i = 0; i < count; i++) {
		if (ended || words[i][0] != '-' || words[i][1] == '\0')
			arguments[in->argument_count++] = words[i];
		else if (strcmp(words[i], "--") == 0)
			ended = true;
		else if (strcmp(words[i], "-h") == 0)
			in->help = true;
		else if (words[i][1] != '-') {
			complain("%s: there is no option %s; options are words: --%s",
			    in->command->name, words[i], "help");
			return false;
		} else if (!read_option(in, words, count, &i))
			return false;
	}
	return check_arguments(in);
}

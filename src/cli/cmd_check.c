/*
 * broadsheet check: would it start, and is everything sound? Shows each setting and its source,
 * compiles the templates, checks static files and the folder of pictures, and reads the whole
 * table.
 */
#include "cli/commands.h"

#include "base/arena.h"
#include "model/site/format.h"
#include "model/site/load.h"

#include "server/site.h"
#include "server/secret.h"
#include "text/template.h"
#include "web/http/asset.h"
#include "web/mail/mail.h"

#include <stdio.h>
#include <unistd.h>

extern char **environ;

static void
show_settings(const struct invocation *in)
{
	const struct config *config = &in->config;
	const char *dim = colour(STDOUT_FILENO, COLOUR_DIM);
	const char *plain = colour(STDOUT_FILENO, COLOUR_NONE);
	const char *stray, *meant = NULL;

	for (size_t i = 0; i < config_setting_count; i++)
		printf("%-18s %.*s  %s(%.*s)%s\n", config_settings[i].name,
		    STR_ARGS(config->values[i].text), dim, STR_ARGS(config->values[i].where),
		    plain);
	if (config->file.len == 0)
		printf("%sno file %s%s\n", dim, config_default_file, plain);
	stray = config_stray_variable(environ, in->arena, &meant);
	if (stray != NULL && meant != NULL)
		warn("%s sets nothing; did you mean %s?", stray, meant);
	else if (stray != NULL)
		warn("%s sets nothing", stray);
}

/* A line for what was checked; with the reason when it failed. */
static enum outcome
verdict(const char *what, struct str why, enum outcome otherwise)
{
	if (why.len == 0) {
		printf("%sok%s   %s\n", colour(STDOUT_FILENO, COLOUR_GREEN),
		    colour(STDOUT_FILENO, COLOUR_NONE), what);
		return OUTCOME_DONE;
	}
	printf("%sbad%s  %s: %.*s\n", colour(STDOUT_FILENO, COLOUR_RED),
	    colour(STDOUT_FILENO, COLOUR_NONE), what, STR_ARGS(why));
	return otherwise;
}

static enum outcome
check_templates(struct invocation *in)
{
	struct str why = STR("");
	struct templates *templates = templates_load(in->config.templates.base, in->arena, &why);
	enum outcome outcome;

	outcome = verdict("templates", templates != NULL ? STR("") : why, OUTCOME_FAILED);
	templates_free(templates);
	return outcome;
}

static enum outcome
check_assets(struct invocation *in)
{
	struct str why = STR("");
	struct assets *assets = assets_load(in->config.assets.base, in->arena, &why);
	enum outcome outcome;

	outcome = verdict("static files", assets != NULL ? STR("") : why, OUTCOME_FAILED);
	assets_free(assets);
	return outcome;
}

/* Does the secret exist, and is it this table's? Changes nothing. */
static enum outcome
check_secret(struct invocation *in, struct table *table)
{
	const char *path = config_secret_file(&in->config, in->arena);
	struct table_call call = {.arena = in->arena};
	struct sealing sealing = {.arena = in->arena};
	struct secrets secrets;
	struct secret_mark mark;
	struct str why = STR("");
	enum table_rc rc = secret_mark_get(table, &call, &mark);

	table_release(table, &call);
	if (rc != TABLE_OK)
		return verdict(path, str_of(table_rc_text(rc)), OUTCOME_TABLE);
	/* Before the first start there is no secret. */
	if (secret_file_read(in->arena, path, &secrets, &why) == SECRET_FILE_MISSING) {
		if (mark.id.len == 0)
			return OUTCOME_DONE;
		why = STR("it is not there, but something is sealed with it");
	} else if (why.len == 0 && mark.id.len != 0 &&
		   !secrets_have(in->arena, &secrets, mark.id)) {
		why = STR("it is another table's");
	}
	if (why.len == 0)
		rc = secret_seal_anew(table, in->clock, &secrets, true, &sealing);
	for (size_t i = 0; why.len == 0 && i < sealing.lost_count; i++)
		warn("%.*s: the second step can't be opened", STR_ARGS(sealing.lost[i]));
	return verdict(str_fmt(in->arena, "secret %s", path).base, why, OUTCOME_FAILED);
}

/* The site works with items of an older form, so this is only a warning. */
static void
check_format(struct invocation *in, struct table *table)
{
	struct table_call call = {.arena = in->arena};
	struct format format;
	bool has = true;
	enum table_rc rc = format_get(table, &call, &format);

	if (rc == TABLE_OK && format.format < FORMAT_NOW)
		rc = table_has_content(table, &call, &has);
	table_release(table, &call);
	if (rc != TABLE_OK || format.carried >= FORMAT_NOW || !has)
		return;
	warn("the table has items of an older form: `broadsheet table upgrade` %s",
	    format.cursor.len != 0 ? "was interrupted, and goes on where it stopped"
				   : "carries them over, while the site runs");
}

static enum outcome
check_table(struct invocation *in)
{
	const struct str name =
	    STR_CONCAT(in->arena, STR("table "), store_name(&in->config, in->arena));
	enum outcome outcome;
	struct table *table;
	struct str why = STR("");
	enum table_rc rc;

	rc = command_store(in, &in->config, TABLE_OPEN_EXISTING, &table, &why);
	if (rc == TABLE_OK && in->config.driver->check != NULL)
		rc = in->config.driver->check(table, in->arena, &why);
	if (rc == TABLE_OK)
		why = STR("");
	if (table != NULL && table->warning != NULL)
		warn("%s", table->warning);
	outcome = verdict(name.base, why, OUTCOME_TABLE);
	if (outcome == OUTCOME_DONE)
		check_format(in, table);
	if (outcome == OUTCOME_DONE)
		outcome = check_secret(in, table);
	table_close(table);
	return outcome;
}

/* A site works without pictures, so this is only a warning. */
static void
check_media(struct invocation *in)
{
	struct media_store *store = media_open(&in->config, in->arena);
	struct str why = media_store_error(store, in->arena);

	if (why.len == 0)
		verdict("pictures", why, OUTCOME_DONE);
	else
		warn("pictures: %.*s", STR_ARGS(why));
	media_store_free(store);
}

/* Only that the settings are complete: nothing is sent. */
static enum outcome
check_mail(struct invocation *in)
{
	struct mail_transport transport;
	struct str why = STR("");

	if (in->config.smtp_url.len == 0)
		return OUTCOME_DONE;
	(void)mail_of(&in->config, in->arena, &transport, &why);
	return verdict("mail", why, OUTCOME_FAILED);
}

enum outcome
cmd_check(struct invocation *in)
{
	enum outcome looks, assets, mail, table;

	show_settings(in);
	putchar('\n');
	looks = check_templates(in);
	assets = check_assets(in);
	check_media(in);
	mail = check_mail(in);
	table = check_table(in);
	if (looks == OUTCOME_DONE)
		looks = assets != OUTCOME_DONE ? assets : mail;
	return looks != OUTCOME_DONE ? looks : table;
}

/*
 * broadsheet serve: answers requests until a signal ends it.
 *
 * Each new worker reads the settings anew, so SIGHUP is enough after a change of the file. The
 * supervisor's own settings (socket, threads, log level) change at a restart only.
 *
 * A missing table is created only with --create: its disk may not be mounted. It is created before
 * the first worker starts, so that no later worker replaces a file that somebody has removed.
 */
#include "cli/commands.h"

#include "server/site.h"

#include <unistd.h>

const struct option serve_command_options[] = {
    {"create", NULL, "make the table, in a file, when there is none"},
    {NULL},
};

struct serving {
	struct invocation *in;
	struct site_context site;
	struct serve_app app;
};

/* In the worker process: the supervisor keeps the settings that it started with. */
static struct site *
open_with_settings(void *context)
{
	struct serving *serving = context;
	struct invocation *in = serving->in;
	struct str why;

	if (!config_load(&in->input, in->arena, &in->config, &why) ||
	    store_settle(&in->config, in->clock, in->arena, &why) != TABLE_OK) {
		log_line(serving->site.log, LOG_ERROR, "%.*s", STR_ARGS(why));
		return NULL;
	}
	return serving->app.open(serving->app.context);
}

/* With the settings of the start: the present ones may be what is wrong. */
static struct site *
fallback(void *context)
{
	struct serving *serving = context;

	return serving->app.fallback(serving->app.context);
}

/* Creates the table if it does not exist. */
static enum outcome
create_table(struct invocation *in, const struct log *log)
{
	struct table *table;
	struct str why;
	enum table_rc rc = command_store(in, &in->config, TABLE_OPEN_CREATE, &table, &why);

	if (rc != TABLE_OK)
		log_line(log, LOG_ERROR, "%.*s", STR_ARGS(why));
	else if (table->made)
		log_line(log, LOG_NOTICE, "There was no table: made %.*s.",
		    STR_ARGS(store_name(&in->config, in->arena)));
	table_close(table);
	return rc == TABLE_OK ? OUTCOME_DONE : OUTCOME_TABLE;
}

enum outcome
cmd_serve(struct invocation *in)
{
	struct log_sink sink;
	struct log log = {.fd = STDERR_FILENO,
	    .level = in->config.log_level,
	    .plain = isatty(STDERR_FILENO) != 0};
	struct serving serving = {.in = in, .site = {.config = &in->config, .log = &log}};
	struct serve_options options = {
	    .socket = in->config.socket.len != 0 ? in->config.socket.base : NULL,
	    .threads = config_threads(&in->config),
	    .log = &log,
	};

	log_wait_for_nobody(&log, &sink);
	if (option_given(in, "create") != NULL && in->config.driver->is_file &&
	    create_table(in, &log) != OUTCOME_DONE)
		return OUTCOME_TABLE;
	serving.app = site_app(&serving.site);
	options.app = serving.app;
	options.app.context = &serving;
	options.app.open = open_with_settings;
	options.app.fallback = fallback;
	return serve(&options) == 0 ? OUTCOME_DONE : OUTCOME_FAILED;
}

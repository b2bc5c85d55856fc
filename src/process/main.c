/*
 * broadsheet serve [--socket PATH] [--threads NUMBER]
 *
 * The store is named by BROADSHEET_STORE, as sqlite:PATH.
 */
#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "pages/routes.h"
#include "process/serve.h"
#include "table/table_sqlite.h"
#include "web/dispatch.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { CACHE_BYTES = 64 << 20 };

/* What serve() needs to open the site, in each worker anew. */
struct program {
	struct log log;
	struct clock clock;
	struct arena *arena;
	struct site site;
};

static struct site *
open_site(void *context)
{
	struct program *program = context;
	struct site *site = &program->site;
	struct str store = str_of(getenv("BROADSHEET_STORE")), path, why;
	const char *wrong;

	if (!str_eq(str_cut(store, ':', &path), STR("sqlite"))) {
		log_line(&program->log, LOG_ERROR, "BROADSHEET_STORE must be sqlite:PATH.");
		return NULL;
	}
	if (table_sqlite_open(path.base, TABLE_OPEN_CREATE, &program->clock, program->arena,
		&site->table, &why) != TABLE_OK) {
		log_line(&program->log, LOG_ERROR, "%.*s", STR_ARGS(why));
		return NULL;
	}
	site->clock = &program->clock;
	site->log = &program->log;
	site->routes = routes;
	site->route_count = route_count;
	site->cache_bytes = CACHE_BYTES;
	program->clock.random(&program->clock, site->secret, sizeof(site->secret));
	wrong = site_start(site);
	if (wrong != NULL) {
		log_line(&program->log, LOG_ERROR, "%s", wrong);
		return NULL;
	}
	return site;
}

static void
close_site(struct site *site)
{
	site_end(site);
	table_close(site->table);
}

static int
command_serve(int argc, char **argv)
{
	static const struct option known[] = {
	    {"socket", required_argument, NULL, 's'},
	    {"threads", required_argument, NULL, 't'},
	    {0},
	};
	struct program program = {
	    .log = {.fd = STDERR_FILENO, .level = LOG_INFO},
	    .clock = clock_system(),
	    .arena = arena_new(),
	};
	struct serve_options options = {
	    .log = &program.log,
	    .app = {.context = &program,
		.open = open_site,
		.close = close_site,
		.body_max = site_body_max,
		.respond = site_respond,
		.release = response_release},
	};
	int option, status;

	while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
		switch (option) {
		case 's': options.socket = optarg; break;
		case 't': options.threads = (unsigned)atoi(optarg); break;
		default: return 2;
		}
	}
	status = serve(&options);
	arena_free(program.arena);
	return status;
}

int
main(int argc, char **argv)
{
	if (argc >= 2 && str_eq(str_of(argv[1]), STR("serve")))
		return command_serve(argc - 1, argv + 1);
	fprintf(stderr, "usage: broadsheet serve [--socket PATH] [--threads NUMBER]\n");
	return 2;
}

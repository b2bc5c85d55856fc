#ifndef PROCESS_SITE_H
#define PROCESS_SITE_H

#include "process/config.h"
#include "process/serve.h"

/*
 * The site behind the server: table, secret and pages, put together from the settings, anew in each
 * worker process. *context holds what is needed for it and outlives the server.
 */
struct site_context {
	const struct config *config;
	const struct log *log;
};

struct serve_app site_app(struct site_context *context);

#endif

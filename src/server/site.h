#ifndef SERVER_SITE_H
#define SERVER_SITE_H

#include "server/config.h"
#include "server/serve.h"

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

#ifndef SERVER_SITE_H
#define SERVER_SITE_H

#include "server/config.h"
#include "server/serve.h"
#include "web/media/media_store.h"

struct mail_transport;

/*
 * The site behind the server: table, secret and pages, put together from the settings, anew in each
 * worker process. *context holds what is needed for it and outlives the server.
 */
struct site_context {
	const struct config *config;
	const struct log *log;
};

struct serve_app site_app(struct site_context *context);

/*
 * How letters are sent, as the settings have it; reads the file with the password. All in the arena. False, and
 * *why, when that can't be. Only where smtp-url is set.
 */
bool mail_of(
    const struct config *config, struct arena *arena, struct mail_transport *out, struct str *why);

/* The store of pictures that the settings name. The caller ends it with media_store_free(). */
struct media_store *media_open(const struct config *config, struct arena *arena);

#endif

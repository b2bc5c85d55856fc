#include "base/arena.h"
#include "base/log.h"
#include "web/cache/cache.h"
#include "web/http/dispatch.h"
#include "web/http/gzip.h"
#include "web/http/route.h"
#include "web/session/secret_file.h"

#include <sodium.h>
#include <string.h>

const char *
site_start(struct site *site)
{
	const struct route *wrong = NULL;
	const char *flaw = routes_check(site->routes, site->route_count, &wrong);

	if (flaw != NULL) {
		if (site->log != NULL)
			log_line(site->log, LOG_ERROR, "route %s: %s",
			    wrong->pattern != NULL ? wrong->pattern : "?", flaw);
		return flaw;
	}
	if (sodium_init() < 0)
		return "libsodium can't start";
	if (site->cache_bytes != 0)
		site->cache = cache_new(site->cache_bytes);
	/* Not for the cache alone: the weight of a page is told before it is published. */
	site->gzip = gzip_pool_new();
	return NULL;
}

void
site_end(struct site *site)
{
	cache_free(site->cache);
	gzip_pool_free(site->gzip);
	site->cache = NULL;
	site->gzip = NULL;
}

void
site_keys(const struct site *site, const char *purpose, struct secret_keys *keys)
{
	struct secrets now;

	if (site->watch == NULL) {
		secrets_derive(&site->secrets, purpose, keys);
		return;
	}
	secret_watch_get(site->watch, &now);
	secrets_derive(&now, purpose, keys);
	sodium_memzero(&now, sizeof(now));
}

void
site_key(const struct site *site, const char *purpose, unsigned char key[SECRET_BYTES])
{
	struct secret_keys keys;

	site_keys(site, purpose, &keys);
	memcpy(key, keys.keys[0], SECRET_BYTES);
	sodium_memzero(&keys, sizeof(keys));
}

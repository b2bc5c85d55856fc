#ifndef WEB_HTTP_ASSET_H
#define WEB_HTTP_ASSET_H

#include "base/str.h"

#include <stdbool.h>

struct arena;

/*
 * The addresses of static files: "/static/style.<hash>.css" for `style.css`, with 16 hexadecimal
 * digits of a hash of its content. A changed file gets another address, so that browsers can cache
 * each forever. The content that was read at start is served under its address and under no other,
 * so that no cache stores a version under another one's hash.
 */
struct assets;

/*
 * Reads and hashes the files right in `directory`. NULL with *why, in the arena, when that can't be
 * done. assets_free() ends it.
 */
struct assets *assets_load(const char *directory, struct arena *arena, struct str *why);
void assets_free(struct assets *assets);

/* The file's address; one without a page if there is no such file, or no assets. */
struct str asset_url(const struct assets *assets, struct str name);

/* The content at an address from asset_url(), until assets_free(); false if there is none. */
bool asset_find(const struct assets *assets, struct str url, struct str *content);

#endif

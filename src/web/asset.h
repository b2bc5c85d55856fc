#ifndef WEB_ASSET_H
#define WEB_ASSET_H

#include "base/str.h"

struct arena;

/*
 * The addresses of static files: "/static/style.<hash>.css" for `style.css`, with 16 hexadecimal
 * digits of what is in it. A file that changes gets another address, so that browsers may keep each for
 * ever. The web server takes the hash out again and serves the file.
 */
struct assets;

/*
 * Reads and hashes the files right in `directory`. NULL with *why, in the arena, when that can't be
 * done. assets_free() ends it.
 */
struct assets *assets_load(const char *directory, struct arena *arena, struct str *why);
void assets_free(struct assets *assets);

/* The file's address; one that leads nowhere when there is no such file, or no assets. */
struct str asset_url(const struct assets *assets, struct str name);

/* How many files there are. */
size_t assets_count(const struct assets *assets);

#endif

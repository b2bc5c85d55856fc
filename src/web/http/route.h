#ifndef WEB_HTTP_ROUTE_H
#define WEB_HTTP_ROUTE_H

#include "web/http/dispatch.h"

/*
 * Finds the route of an address in the table. For dispatch.c, and for checking where a link leads.
 */
struct route_match {
	const struct route *route; /* NULL: none for this method */
	unsigned methods;          /* that rows with this address have; 0: no row has the address */
	struct str path;           /* the canonical path */
	struct pairs params;       /* captures: slices of `path`; in the arena */
};

/* Looks for a decoded path and METHOD_GET, METHOD_POST or another, which no row has. */
struct route_match route_find(struct arena *arena, const struct route *routes, size_t count,
    enum http_method method, struct str path);

/*
 * The route with secret addresses for which this address, which has no route, may have been meant:
 * whoever mistypes the first part of such a link has still sent the secret. NULL: none.
 */
const struct route *route_near(
    struct arena *arena, const struct route *routes, size_t count, struct str uri);

/* METHOD_GET, METHOD_POST or both. */
unsigned route_methods(const struct route *route);

/* NULL when the table is right; else a sentence about the first row that is not, *wrong. */
const char *routes_check(const struct route *routes, size_t count, const struct route **wrong);

#endif

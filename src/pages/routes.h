#ifndef PAGES_ROUTES_H
#define PAGES_ROUTES_H

#include "text/template.h"
#include "web/http/dispatch.h"

/* All addresses of the site, in one table: routes.def. */
extern const struct route site_routes[];
extern const size_t site_route_count;

/* Every page: page_front, page_post... */
#define ROUTE(address, name, ...) extern const struct page page_##name;
#include "pages/routes.def"
#undef ROUTE

/*
 * Defines a page, at the end of its file: PAGE(liked, .get = show, .query = QUERY("after")). A page
 * without a row in routes.def does not compile, a row without a page does not link.
 */
#define PAGE(name, ...)                                                         \
	_Static_assert(sizeof(page_##name) != 0, "it has a row in routes.def"); \
	const struct page page_##name = {__VA_ARGS__};

/* The query parameters of a page, in their order. */
#define QUERY(...) ((const char *const[]){__VA_ARGS__, NULL})

/* What the site asks of the pages besides: its lead_first, sign_in_first and render_error (struct site). */
enum http_status page_two_step_first(struct request *rq, struct response *rs);
enum http_status page_sign_in_first(struct request *rq, struct response *rs);
bool page_error(struct request *rq, struct response *rs, enum http_status status);

#endif

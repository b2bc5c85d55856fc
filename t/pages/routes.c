/* The table of all pages: its rows are right, and what needs no content answers. */
#include "../web/site.h"

#include "pages/routes.h"

int
main(void)
{
	struct arena *arena = arena_new();
	struct clock clock = clock_fixed(1700000000000, 1);
	struct fake_table table = {.table = {&fake_engine, &clock}, .version = 1};
	struct site site = {.table = &table.table,
	    .clock = &clock,
	    .routes = site_routes,
	    .route_count = site_route_count,
	    .origin = STR("https://site.example")};
	struct request_input in = get(STR("/healthz"));
	struct response rs;

	is_str(str_of(site_start(&site)), STR(""), "every row of the table of routes is right");
	site_respond(&site, &in, arena, &rs);
	ok(rs.status == HTTP_OK && str_eq(body_of(&rs), STR("ok\n")), "/healthz is well");
	is_str(
	    header_of(&rs, STR("Cache-Control")), STR("no-store"), "... now, and nobody keeps it");
	response_release(&rs);
	table.rc = TABLE_UNAVAILABLE;
	site_respond(&site, &in, arena, &rs);
	is_int(rs.status, HTTP_UNAVAILABLE, "/healthz is not well when the table does not answer");
	response_release(&rs);
	site_end(&site);
	arena_free(arena);
	return tap_done();
}

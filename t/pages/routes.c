/* The table of routes: its rows are valid, and pages without content answer. */
#include "web/site.h"

#include "pages/routes.h"

int
main(void)
{
	struct arena *arena = arena_new();
	struct clock clock;
	struct fake_table table;
	struct site site = site_of(site_routes, site_route_count, &table, &clock);
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

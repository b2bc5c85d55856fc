/*
 * The table fails at every call that a page makes, in every way: the answer is a complete error
 * page in plain words, which is not cached; and the next answer is right again.
 */
#include "lib/failing_table.h"
#include "seeded.h"

#include "lib/tap.h"

static const struct {
	enum table_rc rc;
	enum http_status answer;
} ways[] = {
    {TABLE_UNAVAILABLE, HTTP_UNAVAILABLE},
    {TABLE_DEADLINE, HTTP_UNAVAILABLE},
    {TABLE_THROTTLED, HTTP_UNAVAILABLE},
    {TABLE_FULL, HTTP_UNAVAILABLE},
    {TABLE_CONFLICT, HTTP_UNAVAILABLE},
    {TABLE_BAD_CURSOR, HTTP_BAD_REQUEST},
    {TABLE_INVALID, HTTP_FAILED},
    {TABLE_CORRUPT, HTTP_FAILED},
};

static const char *const addresses[] = {
    "/",
    "/post/the-tide-in-forty-lines-of-c",
    "/post/noaa-tides-and-currents",
    "/post/whip-a-ropes-end",
    "/post/first-brent-geese",
    "/post/a-clock-that-runs-on-the-moon",
    "/page/about",
    "/category/workshop",
    "/categories",
    "/author/kofi",
    "/authors",
    "/tag/tides",
    "/tags",
    "/archive",
    "/archive/2026/11",
    "/archive/2026/11/18",
    "/edition/2026-w47",
    "/collections",
    "/feed.atom",
    "/author/kofi/feed.atom",
    "/category/water/feed.atom",
    "/tag/tides/feed.atom",
    "/sitemap.xml",
    "/sitemap/fixed.xml",
    "/sitemap/2026-11.xml",
    "/healthz",
};

enum { CACHE_BYTES = 4 << 20 };

/* Is it an error page and nothing else? */
static bool
is_error(const struct answer *page, enum http_status status)
{
	bool again = status == HTTP_UNAVAILABLE;

	return page->status == status && (page->why != NULL) == http_is_failure(status) &&
	       !page->cached &&
	       str_eq(header(page, "Content-Type"), STR("text/html; charset=utf-8")) &&
	       str_eq(header(page, "Cache-Control"), STR("no-store")) &&
	       str_eq(header(page, "Retry-After"), again ? STR("5") : STR("")) &&
	       header(page, "ETag").len == 0 && header(page, "Location").len == 0 &&
	       str_starts(page->body, STR("<!DOCTYPE html>")) &&
	       str_ends(page->body, STR("</html>\n")) && count_of(page->body, STR("<html")) == 1 &&
	       count_of(page->body, STR("<h1")) == 1 && !holds(page->body, STR("<article")) &&
	       (!again || holds(page->body, STR("The site can’t reach its archive just now.")));
}

/* What each run begins with: nothing kept of pages, and the publication kept or not. */
static void
prepare(struct seeded *s, struct failing_table *failing, bool warm)
{
	failing_table_arm(failing, 0, TABLE_OK);
	seeded_restart(s, CACHE_BYTES);
	if (warm)
		visit(s, STR("/categories"));
}

static void
fail_everywhere(struct seeded *s, struct failing_table *failing, const char *address, bool warm)
{
	struct answer right, page;
	unsigned calls, wrong = 0, lost = 0, runs = 0;

	prepare(s, failing, warm);
	right = visit(s, str_of(address));
	/* A page whose address the warming took would be counted as one without calls. */
	calls = failing->calls != 0 ? failing->calls : 2;
	for (unsigned n = 1; n <= calls; n++)
		for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++, runs++) {
			prepare(s, failing, warm);
			failing_table_arm(failing, n, ways[i].rc);
			page = visit(s, str_of(address));
			if (failing->calls < n)
				continue;
			if (!is_error(&page, ways[i].answer)) {
				fprintf(stderr, "# call %u, %s: %d\n", n, table_rc_text(ways[i].rc),
				    (int)page.status);
				wrong++;
			}
			failing_table_arm(failing, 0, TABLE_OK);
			page = visit(s, str_of(address));
			lost += page.cached || page.status != right.status ||
				!str_eq(page.body, right.body);
		}
	is_int(wrong, 0, "%s, %s: an error page for each of %u failures of its %u calls", address,
	    warm ? "warm" : "cold", runs, calls);
	is_int(lost, 0, "... of which nothing is kept");
}

/* What is kept is served, whatever the table does. */
static void
kept_pages(struct seeded *s, struct failing_table *failing)
{
	struct answer page;

	prepare(s, failing, false);
	visit(s, STR("/"));
	failing_table_arm(failing, 1, TABLE_UNAVAILABLE);
	page = visit(s, STR("/"));
	ok(page.status == HTTP_OK && page.cached && failing->calls == 0,
	    "a page that is kept needs no table");
	page = visit(s, STR("/tags"));
	ok(page.status == HTTP_UNAVAILABLE && holds(page.body, STR("Slack Water")) &&
		holds(page.body, STR("/category/workshop")),
	    "an error page knows the site and its sections from before");
	prepare(s, failing, false);
	failing_table_arm(failing, 1, TABLE_UNAVAILABLE);
	page = visit(s, STR("/tags"));
	ok(page.status == HTTP_UNAVAILABLE && holds(page.body, STR("href=\"/tags\"")),
	    "an error page without anything from before is one, too, and can be tried again");
}

int
main(void)
{
	struct failing_table failing;
	struct seeded s;

	seeded_open(&s);
	failing_table_begin(&failing, s.table);
	s.site.table = &failing.table;
	for (size_t i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++) {
		fail_everywhere(&s, &failing, addresses[i], false);
		fail_everywhere(&s, &failing, addresses[i], true);
	}
	kept_pages(&s, &failing);
	seeded_close(&s);
	return tap_done();
}

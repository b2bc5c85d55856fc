/*
 * What each page costs at the table: requests, and round trips that wait for one another. A page that costs
 * more than this table says fails here, before anybody has to measure it.
 *
 * Cold is the first page of a process, or the first after a change: the publication is read with it. Warm is every other one, and takes at most two trips. No page writes anything.
 */
#include "lib/failing_table.h"
#include "t/derive/worker.h"

#include "lib/tap.h"

static const struct {
	const char *address;
	struct {
		uint32_t requests, trips;
	} cold, warm;
} pages[] = {
    {"/", {12, 3}, {7, 2}}, {"/post/the-tide-in-forty-lines-of-c", {14, 2}, {9, 2}},
    {"/post/noaa-tides-and-currents", {15, 2}, {10, 2}},
    {"/post/whip-a-ropes-end", {15, 2}, {10, 2}},
    {"/post/first-brent-geese", {15, 2}, {10, 2}}, /* as the one before: in collections */
    {"/post/a-clock-that-runs-on-the-moon", {17, 2}, {12, 2}}, /* was renamed */
    {"/post/the-tide-in-forty-lines-of-c/thread/00000000000000", {8, 1}, {3, 1}},
    {"/comment/00000000000000", {7, 2}, {2, 2}}, {"/comments", {8, 2}, {3, 2}},
    {"/comments/best", {8, 2}, {3, 2}}, {"/post/noaa-tides-and-currents/reviews", {9, 1}, {4, 1}},
    {"/stars/5", {7, 2}, {2, 2}}, {"/author/lowri/reviews", {9, 2}, {4, 2}},
    {"/page/about", {10, 2}, {5, 2}}, {"/category/kitchen", {6, 2}, {1, 1}},
    {"/category/workshop", {9, 2}, {4, 1}}, /* with three below it */
    {"/categories", {5, 1}, {0, 0}}, {"/author/kofi", {9, 2}, {4, 1}},
    {"/author/kofi/comments", {9, 2}, {4, 2}}, {"/author/kofi/collections", {8, 1}, {3, 1}},
    {"/author/kofi/followers", {9, 2}, {4, 2}}, {"/author/kofi/following", {9, 2}, {4, 2}},
    {"/authors", {7, 2}, {2, 2}},
    {"/tag/tides", {13, 3}, {8, 2}}, {"/tags", {6, 1}, {1, 1}}, {"/archive", {7, 1}, {2, 1}},
    {"/archive/2026", {7, 2}, {2, 1}}, {"/archive/2026/11", {7, 2}, {2, 1}},
    {"/archive/2026/10", {8, 2}, {3, 1}}, /* with what is earlier, and what is later */
    {"/archive/2026/11/18", {7, 2}, {2, 1}}, {"/edition/2026-w47", {8, 3}, {3, 2}},
    {"/edition/2026-w47/book.epub", {8, 3}, {3, 2}}, {"/author/kofi/book.epub", {9, 2}, {4, 2}}, {"/collections", {6, 1}, {1, 1}},
    {"/search", {6, 1}, {0, 0}}, {"/search?q=tide", {42, 3}, {36, 2}},
    {"/search?q=in:comments+tide", {13, 3}, {7, 2}},
    {"/search/suggest?q=tid", {9, 2}, {4, 2}}, {"/opensearch.xml", {5, 1}, {0, 0}}, {"/colours.css", {5, 1}, {0, 0}},
    {"/links", {8, 2}, {3, 2}}, {"/links?tags=tides,weather&sort=best", {9, 2}, {4, 2}},
    {"/howtos", {8, 2}, {3, 2}}, {"/howtos?have=primer,paint", {10, 3}, {4, 2}},
    {"/hot", {6, 2}, {1, 1}}, {"/top/all", {7, 3}, {2, 2}}, {"/top/week", {8, 3}, {3, 2}},
    {"/top/2026-10", {9, 3}, {4, 2}}, /* with what is earlier, and what is later */
    {"/discussed/year", {8, 3}, {3, 2}}, {"/rated", {7, 3}, {2, 2}}, {"/disputed", {6, 2}, {1, 1}},
    {"/feed.atom", {7, 2}, {2, 2}}, {"/author/kofi/feed.atom", {9, 2}, {4, 2}},
    {"/category/kitchen/feed.atom", {7, 3}, {2, 2}}, {"/tag/tides/feed.atom", {9, 2}, {4, 2}},
    {"/sitemap.xml", {13, 2}, {8, 2}},
    {"/sitemap/2026-11.xml", {23, 1}, {18, 1}}, /* a query for each day that has begun */
    {"/sitemap/2026.xml", {16, 1}, {11, 1}}, {"/sitemap/archive.xml", {21, 2}, {16, 2}},
    {"/sitemap/tags.xml", {47, 1}, {42, 1}}, {"/sitemap/authors.xml", {44, 2}, {39, 2}},
    {"/sitemap/collections.xml", {6, 1}, {1, 1}}, {"/sitemap/pages.xml", {6, 1}, {1, 1}},
    {"/sitemap/fixed.xml", {5, 1}, {0, 0}}, {"/healthz", {1, 1}, {1, 1}},
    {"/robots.txt", {0, 0}, {0, 0}}, {"/feed", {0, 0}, {0, 0}}, {"/no-such-page", {0, 0}, {0, 0}},
    {"/post/no-such-post", {11, 2}, {6, 2}}, /* as many as a hidden one */
    {"/post/we-are-giving-up-paper", {10, 1}, {5, 1}},
    {"/post/a-clock-for-the-tide", {10, 1}, {5, 1}}, /* leads to its newer address */
};

static void
costs(const struct answer *page, const char *address, const char *how, uint32_t requests,
    uint32_t trips)
{
	is_int(page->cost.requests, requests, "%s, %s: %u requests", address, how, requests);
	is_int(page->cost.round_trips, trips, "... in %u trips", trips);
}

int
main(void)
{
	struct failing_table failing;
	struct answer page;
	struct seeded s;
	unsigned slow = 0;

	seeded_open(&s);
	work(&s);
	failing_table_begin(&failing, s.table);
	s.site.table = &failing.table;
	for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
		struct str address = str_of(pages[i].address);

		seeded_restart(&s, 0);
		page = visit(&s, address);
		costs(&page, pages[i].address, "cold", pages[i].cold.requests, pages[i].cold.trips);
		page = visit(&s, address);
		costs(&page, pages[i].address, "warm", pages[i].warm.requests, pages[i].warm.trips);
		slow += page.cost.round_trips > 2;
	}
	is_int(slow, 0, "no page takes more than two trips once the process is warm");
	is_int(failing.writes, 0, "no page writes");
	seeded_restart(&s, 1 << 20);
	visit(&s, STR("/"));
	page = visit(&s, STR("/"));
	ok(page.cached, "a page that is kept");
	costs(&page, "/", "from the page cache", 0, 0);
	seeded_close(&s);
	return tap_done();
}

/*
 * Every route × everybody who may come. What is expected stands here in a small table, written by hand and not asked of
 * may(). A new route needs a line in `routes`; without one this test fails.
 */
#include "matrix.h"

#include "lib/tap.h"
#include "web/http/route.h"

#define EVERYBODY "yyyyyyyyyyyyyy"
#define MEMBERS "nyyyyyyyyyyyyy"
#define WRITERS "nnyyyynnynnnnn"
#define PAGE_WRITERS "nnnnyynnnnynnn"
#define ORDERERS "nnnnyynnnnnynn"
#define MODERATORS "nnnnyynnnnnnyn"
#define HOSTS "nnnnyynnnnnnny"
#define POST_LISTERS "nnnnyynnnyynnn"
#define OVERSEERS "nnnnyynnnyyyyy"
#define ADMINS "nnnnnynnnnnnnn"

/*
 * Who may come, and what they are answered when they send nothing: 0 where that depends on who they are. The
 * others are refused: 403; a stranger is led to sign in.
 */
static const struct {
	unsigned method;
	const char *pattern, *who;
	enum http_status answer;
	const char *address; /* one of it; NULL: the pattern is its own */
} routes[] = {
#define GET METHOD_GET
#define POST METHOD_POST
    {GET, "/", EVERYBODY, 200, NULL},
    {GET, "/post/:slug", EVERYBODY, 200, "/post/first-brent-geese"},
    {GET, "/post/:id/comment", MEMBERS, 404, "/post/none/comment"},
    {POST, "/post/:id/comment", MEMBERS, 404, "/post/none/comment"},
    {GET, "/post/:id/comment/delete", MEMBERS, 404, "/post/none/comment/delete"},
    {POST, "/post/:id/comment/delete", MEMBERS, 404, "/post/none/comment/delete"},
    {GET, "/post/:slug/likes", EVERYBODY, 404, "/post/none/likes"},
    {GET, "/react/:id", MEMBERS, 404, "/react/none?like=like"},
    {POST, "/react/:id", MEMBERS, 404, "/react/none"},
    {GET, "/vote/:id", MEMBERS, 404, "/vote/none?comment=00000000000000:up"},
    {POST, "/vote/:id", MEMBERS, 400, "/vote/none"},
    {GET, "/post/:slug/feed.atom", EVERYBODY, 404, "/post/none/feed.atom"},
    {GET, "/post/:slug/thread/:path", EVERYBODY, 404, "/post/none/thread/00000000000000"},
    {GET, "/post/:slug/thread/:path/feed.atom", EVERYBODY, 404,
	"/post/none/thread/00000000000000/feed.atom"},
    {GET, "/post/:id/comment/decide", MEMBERS, 404, "/post/none/comment/decide"},
    {POST, "/post/:id/comment/decide", MEMBERS, 404, "/post/none/comment/decide"},
    {GET, "/post/:id/discussion", MEMBERS, 404, "/post/none/discussion"},
    {POST, "/post/:id/discussion", MEMBERS, 404, "/post/none/discussion"},
    {GET, "/comment/:id", EVERYBODY, 404, "/comment/00000000000000"},
    {GET, "/post/:id/comment/answer", MEMBERS, 404, "/post/none/comment/answer"},
    {POST, "/post/:id/comment/answer", MEMBERS, 404, "/post/none/comment/answer"},
    {GET, "/comments", EVERYBODY, 200, NULL},
    {GET, "/comments/best", EVERYBODY, 200, NULL},
    {GET, "/post/:slug/reviews", EVERYBODY, 200, "/post/noaa-tides-and-currents/reviews"},
    {GET, "/post/:id/rating", MEMBERS, 404, "/post/none/rating"},
    {POST, "/post/:id/rating", MEMBERS, 404, "/post/none/rating"},
    {GET, "/post/:id/rating/withdraw", MEMBERS, 303, "/post/none/rating/withdraw"},
    {POST, "/post/:id/rating/withdraw", MEMBERS, 303, "/post/none/rating/withdraw"},
    {GET, "/post/:id/rating/hold", MEMBERS, 404, "/post/none/rating/hold"},
    {POST, "/post/:id/rating/hold", MEMBERS, 404, "/post/none/rating/hold"},
    {GET, "/stars/:stars", EVERYBODY, 200, "/stars/5"},
    {GET, "/page/:slug", EVERYBODY, 200, "/page/about"},
    {GET, "/categories", EVERYBODY, 200, NULL},
    {GET, "/category/:slug", EVERYBODY, 200, "/category/kitchen"},
    {GET, "/category/:slug/feed.atom", EVERYBODY, 200, "/category/kitchen/feed.atom"},
    {GET, "/category/:slug/:feed", EVERYBODY, 301, "/category/kitchen/rss"},
    {GET, "/authors", EVERYBODY, 200, NULL},
    {GET, "/author/:username", EVERYBODY, 200, "/author/kofi"},
    {GET, "/author/:username/feed.atom", EVERYBODY, 200, "/author/kofi/feed.atom"},
    {GET, "/author/:username/book.epub", EVERYBODY, 200, "/author/kofi/book.epub"},
    {GET, "/author/:username/reviews", EVERYBODY, 200, "/author/lowri/reviews"},
    {GET, "/author/:username/follow", MEMBERS, 200, "/author/kofi/follow"},
    {POST, "/author/:username/follow", MEMBERS, 400, "/author/kofi/follow"},
    {GET, "/author/:username/block", MEMBERS, 200, "/author/kofi/block"},
    {POST, "/author/:username/block", MEMBERS, 400, "/author/kofi/block"},
    {POST, "/author/:username/mute", MEMBERS, 400, "/author/kofi/mute"},
    {GET, "/author/:username/comments", EVERYBODY, 200, "/author/kofi/comments"},
    {GET, "/author/:username/collections", EVERYBODY, 200, "/author/kofi/collections"},
    {GET, "/author/:username/followers", EVERYBODY, 200, "/author/kofi/followers"},
    {GET, "/author/:username/following", EVERYBODY, 200, "/author/kofi/following"},
    {GET, "/author/:username/:feed", EVERYBODY, 301, "/author/kofi/rss"},
    {GET, "/tags", EVERYBODY, 200, NULL},
    {GET, "/tag/:tag", EVERYBODY, 200, "/tag/tides"},
    {GET, "/tag/:tag/feed.atom", EVERYBODY, 200, "/tag/tides/feed.atom"},
    {POST, "/tag/:tag/mute", MEMBERS, 400, "/tag/tides/mute"},
    {GET, "/follow/:what/:name", MEMBERS, 200, "/follow/tag/tides"},
    {POST, "/follow/:what/:name", MEMBERS, 400, "/follow/tag/tides"},
    {GET, "/tag/:tag/:feed", EVERYBODY, 301, "/tag/tides/rss"},
    {GET, "/search", EVERYBODY, 200, "/search?q=tide"},
    {GET, "/search/feed.atom", EVERYBODY, 200, "/search/feed.atom?q=tide"},
    {GET, "/search/suggest", EVERYBODY, 200, "/search/suggest?q=tid"},
    {GET, "/opensearch.xml", EVERYBODY, 200, NULL},
    {GET, "/colours.css", EVERYBODY, 200, NULL},
    {GET, "/links", EVERYBODY, 200, NULL},
    {GET, "/howtos", EVERYBODY, 200, NULL},
    {GET, "/hot", EVERYBODY, 200, NULL},
    {GET, "/top", EVERYBODY, 200, NULL},
    {GET, "/top/:span", EVERYBODY, 200, "/top/2026-w47"},
    {GET, "/discussed", EVERYBODY, 200, NULL},
    {GET, "/discussed/:span", EVERYBODY, 200, "/discussed/all"},
    {GET, "/rated", EVERYBODY, 200, NULL},
    {GET, "/disputed", EVERYBODY, 200, NULL},
    {GET, "/edition/:week", EVERYBODY, 200, "/edition/2026-w47"},
    {GET, "/edition/:week/book.epub", EVERYBODY, 200, "/edition/2026-w47/book.epub"},
    {GET, "/archive", EVERYBODY, 200, NULL},
    {GET, "/archive/:year", EVERYBODY, 200, "/archive/2026"},
    {GET, "/archive/:year/:month", EVERYBODY, 200, "/archive/2026/11"},
    {GET, "/archive/:year/:month/:day", EVERYBODY, 200, "/archive/2026/11/18"},
    {GET, "/collections", EVERYBODY, 200, NULL},
    {GET, "/collection/:id", EVERYBODY, 404, "/collection/none"},
    {GET, "/collection/:id/feed.atom", EVERYBODY, 404, "/collection/none/feed.atom"},
    {GET, "/collection/:id/book.epub", EVERYBODY, 404, "/collection/none/book.epub"},
    {GET, "/collection/:id/:feed", EVERYBODY, 301, "/collection/none/rss"},
    {GET, "/collection/:id/edit", MEMBERS, 404, "/collection/none/edit"},
    {POST, "/collection/:id/edit", MEMBERS, 404, "/collection/none/edit"},
    {POST, "/collection/:id/posts", MEMBERS, 404, "/collection/none/posts"},
    {GET, "/collection/:id/delete", MEMBERS, 404, "/collection/none/delete"},
    {POST, "/collection/:id/delete", MEMBERS, 404, "/collection/none/delete"},
    {GET, "/collect/:id", MEMBERS, 404, "/collect/none"},
    {POST, "/collect/:id", MEMBERS, 404, "/collect/none"},
    {GET, "/moderation", EVERYBODY, 200, NULL},
    {GET, "/flag/:what/:id", MEMBERS, 404, "/flag/post/none"},
    {POST, "/flag/:what/:id", MEMBERS, 404, "/flag/post/none"},
    {GET, "/feed.atom", EVERYBODY, 200, NULL},
    {GET, "/feed", EVERYBODY, 301, NULL},
    {GET, "/feed.xml", EVERYBODY, 301, NULL},
    {GET, "/feed/atom", EVERYBODY, 301, NULL},
    {GET, "/feeds", EVERYBODY, 301, NULL},
    {GET, "/rss", EVERYBODY, 301, NULL},
    {GET, "/rss.xml", EVERYBODY, 301, NULL},
    {GET, "/atom", EVERYBODY, 301, NULL},
    {GET, "/atom.xml", EVERYBODY, 301, NULL},
    {GET, "/index.xml", EVERYBODY, 301, NULL},
    {GET, "/sitemap.xml", EVERYBODY, 200, NULL},
    {GET, "/sitemap/:file", EVERYBODY, 200, "/sitemap/fixed.xml"},
    {GET, "/robots.txt", EVERYBODY, 200, NULL},
    {GET, "/favicon.ico", EVERYBODY, 301, NULL},
    {GET, "/apple-touch-icon.png", EVERYBODY, 301, NULL},
    {GET, "/apple-touch-icon-precomposed.png", EVERYBODY, 301, NULL},
    {GET, "/static/:file", EVERYBODY, 404, "/static/style.0123456789abcdef.css"},
    {GET, "/healthz", EVERYBODY, 200, NULL},
    {GET, "/login", EVERYBODY, 0, NULL},
    {POST, "/login", EVERYBODY, 422, NULL},
    {GET, "/login/code", EVERYBODY, 0, NULL},
    {POST, "/login/code", EVERYBODY, 422, NULL},
    {POST, "/logout", EVERYBODY, 303, NULL}, /* whoever is out is out */
    {GET, "/register", EVERYBODY, 0, NULL},
    {POST, "/register", EVERYBODY, 0, NULL},
    {GET, "/forgot", EVERYBODY, 200, NULL},
    {POST, "/forgot", EVERYBODY, 422, NULL},
    {GET, "/confirm/:code", EVERYBODY, 404, "/confirm/none"},
    {POST, "/confirm/:code", EVERYBODY, 404, "/confirm/none"},
    {GET, "/reset/:code", EVERYBODY, 404, "/reset/none"},
    {POST, "/reset/:code", EVERYBODY, 404, "/reset/none"},
    {GET, "/subscribe", EVERYBODY, 200, NULL},
    {POST, "/subscribe", EVERYBODY, 422, NULL},
    {GET, "/subscribe/:code", EVERYBODY, 404, "/subscribe/none"},
    {POST, "/subscribe/:code", EVERYBODY, 404, "/subscribe/none"},
    {GET, "/subscribe/:code/end", EVERYBODY, 404, "/subscribe/none/end"},
    {POST, "/subscribe/:code/end", EVERYBODY, 404, "/subscribe/none/end"},
    {GET, "/account", MEMBERS, 200, NULL},
    {POST, "/account/profile", MEMBERS, 303, NULL},
    {GET, "/account/portrait", MEMBERS, 200, NULL},
    {POST, "/account/portrait", MEMBERS, 422, NULL},
    {POST, "/account/email", MEMBERS, 422, NULL},
    {POST, "/account/password", MEMBERS, 422, NULL},
    {POST, "/account/sessions", MEMBERS, 422, NULL},
    {GET, "/account/ratings", MEMBERS, 200, NULL},
    {GET, "/account/collections", MEMBERS, 200, NULL},
    {POST, "/account/collections", MEMBERS, 422, NULL},
    {GET, "/account/following", MEMBERS, 200, NULL},
    {POST, "/account/following", MEMBERS, 400, NULL},
    {GET, "/account/notifications", MEMBERS, 200, NULL},
    {POST, "/account/notifications", MEMBERS, 400, NULL},
    {GET, "/account/notifications/settings", MEMBERS, 200, NULL},
    {POST, "/account/notifications/settings", MEMBERS, 303, NULL},
    {GET, "/account/notifications/count", MEMBERS, 200, NULL},
    {GET, "/account/watching", MEMBERS, 200, NULL},
    {POST, "/account/watching", MEMBERS, 400, NULL},
    {GET, "/account/followers", MEMBERS, 200, NULL},
    {POST, "/account/followers", MEMBERS, 400, NULL},
    {GET, "/account/blocked", MEMBERS, 200, NULL},
    {POST, "/account/blocked", MEMBERS, 400, NULL},
    {GET, "/letters/:token", EVERYBODY, 404, "/letters/none"},
    {POST, "/letters/:token", EVERYBODY, 404, "/letters/none"},
    {GET, "/account/letters", MEMBERS, 200, NULL},
    {POST, "/account/letters", MEMBERS, 303, NULL},
    {GET, "/account/muted", MEMBERS, 200, NULL},
    {POST, "/account/muted", MEMBERS, 400, NULL},
    {GET, "/account/suspension", MEMBERS, 404, NULL},
    {POST, "/account/suspension", MEMBERS, 404, NULL},
    {GET, "/account/restricted", MEMBERS, 200, NULL},
    {GET, "/account/restricted/answer", MEMBERS, 404, NULL},
    {POST, "/account/restricted/answer", MEMBERS, 404, NULL},
    {GET, "/account/data", MEMBERS, 200, NULL},
    {GET, "/account/feed", MEMBERS, 200, NULL},
    {GET, "/account/likes", MEMBERS, 200, NULL},
    {GET, "/account/bookmarks", MEMBERS, 200, NULL},
    {GET, "/account/bookmarks/:tag", MEMBERS, 200, "/account/bookmarks/later"},
    {GET, "/account/bookmark/:id", MEMBERS, 404, "/account/bookmark/none"},
    {POST, "/account/bookmark/:id", MEMBERS, 404, "/account/bookmark/none"},
    {POST, "/account/export", MEMBERS, 200, NULL},
    {POST, "/account/delete", MEMBERS, 422, NULL},
    {GET, "/account/two-step", MEMBERS, 200, NULL},
    {POST, "/account/two-step", MEMBERS, 422, NULL},
    {POST, "/account/two-step/codes", MEMBERS, 422, NULL},
    {POST, "/account/two-step/off", MEMBERS, 422, NULL},
    {GET, "/admin", OVERSEERS, 200, NULL},
    {GET, "/admin/figures", ADMINS, 200, NULL},
    {GET, "/admin/figures/:file", ADMINS, 200, "/admin/figures/days.csv"},
    {GET, "/admin/posts", POST_LISTERS, 200, NULL},
    {POST, "/admin/posts", POST_LISTERS, 400, NULL},
    {GET, "/admin/comments", MODERATORS, 200, NULL},
    {POST, "/admin/comments", MODERATORS, 400, NULL},
    {GET, "/admin/comments/bulk", MODERATORS, 303, NULL},
    {POST, "/admin/comments/bulk", MODERATORS, 400, NULL},
    {GET, "/admin/person/:username", MODERATORS, 200, "/admin/person/pascal"},
    {POST, "/admin/person/:username", MODERATORS, 422, "/admin/person/pascal"},
    {GET, "/admin/reviews", MODERATORS, 200, NULL},
    {POST, "/admin/reviews", MODERATORS, 400, NULL},
    {GET, "/admin/categories", ORDERERS, 200, NULL},
    {POST, "/admin/categories", ORDERERS, 422, NULL},
    {POST, "/admin/category-order", ORDERERS, 404, NULL},
    {GET, "/admin/categories/:slug", ORDERERS, 200, "/admin/categories/kitchen"},
    {POST, "/admin/categories/:slug", ORDERERS, 422, "/admin/categories/kitchen"},
    {POST, "/admin/categories/:slug/merge", ORDERERS, 422, "/admin/categories/kitchen/merge"},
    {POST, "/admin/categories/:slug/move", ORDERERS, 404, "/admin/categories/kitchen/move"},
    {GET, "/admin/categories/:slug/delete", ORDERERS, 200, "/admin/categories/kitchen/delete"},
    {POST, "/admin/categories/:slug/delete", ORDERERS, 409, "/admin/categories/kitchen/delete"},
    {GET, "/admin/users", ADMINS, 200, NULL},
    {GET, "/admin/users/:username", ADMINS, 200, "/admin/users/noor"},
    {POST, "/admin/users/:username/role", ADMINS, 422, "/admin/users/noor/role"},
    {GET, "/admin/users/:username/disable", ADMINS, 200, "/admin/users/noor/disable"},
    {POST, "/admin/users/:username/disable", ADMINS, 303, "/admin/users/noor/disable"},
    {POST, "/admin/users/:username/enable", ADMINS, 303, "/admin/users/noor/enable"},
    {POST, "/admin/users/:username/sessions", ADMINS, 303, "/admin/users/noor/sessions"},
    {POST, "/admin/users/:username/verify", ADMINS, 400, "/admin/users/noor/verify"},
    {POST, "/admin/users/:username/reset", ADMINS, 200, "/admin/users/noor/reset"},
    {POST, "/admin/users/:username/groups", ADMINS, 422, "/admin/users/noor/groups"},
    {POST, "/admin/users/:username/leave", ADMINS, 404, "/admin/users/noor/leave"},
    {GET, "/admin/users/:username/trace", MODERATORS, 200, "/admin/users/pascal/trace"},
    {GET, "/admin/users/:username/purge", MODERATORS, 200, "/admin/users/pascal/purge"},
    {POST, "/admin/users/:username/purge", MODERATORS, 422, "/admin/users/pascal/purge"},
    {GET, "/admin/users/:username/suspend", MODERATORS, 200, "/admin/users/pascal/suspend"},
    {POST, "/admin/users/:username/suspend", MODERATORS, 422, "/admin/users/pascal/suspend"},
    {GET, "/admin/front", "nnnnyynnnynnnn", 200, NULL},
    {POST, "/admin/front", "nnnnyynnnynnnn", 422, NULL},
    {GET, "/admin/addresses", MODERATORS, 200, NULL},
    {POST, "/admin/addresses", MODERATORS, 422, NULL},
    {GET, "/admin/appeals", MODERATORS, 200, NULL},
    {POST, "/admin/appeals", MODERATORS, 400, NULL},
    {GET, "/admin/groups", ADMINS, 200, NULL},
    {POST, "/admin/groups", ADMINS, 422, NULL},
    {GET, "/admin/groups/:group", ADMINS, 200, "/admin/groups/circle"},
    {POST, "/admin/groups/:group", ADMINS, 422, "/admin/groups/circle"},
    {POST, "/admin/groups/:group/members", ADMINS, 422, "/admin/groups/circle/members"},
    {POST, "/admin/groups/:group/leave", ADMINS, 404, "/admin/groups/circle/leave"},
    {GET, "/admin/groups/:group/delete", ADMINS, 200, "/admin/groups/circle/delete"},
    {POST, "/admin/groups/:group/delete", ADMINS, 303, "/admin/groups/harbour-watch/delete"},
    {GET, "/admin/subscribers", ADMINS, 200, NULL},
    {POST, "/admin/subscribers", ADMINS, 422, NULL},
    {POST, "/admin/subscribers/remove", ADMINS, 400, NULL},
    {POST, "/admin/subscribers/export", ADMINS, 200, NULL},
    {GET, "/admin/settings", ADMINS, 200, NULL},
    {POST, "/admin/settings", ADMINS, 422, NULL},
    {GET, "/admin/nameplate", ADMINS, 200, NULL},
    {POST, "/admin/nameplate", ADMINS, 422, NULL},
    {GET, "/admin/moderation", ADMINS, 200, NULL},
    {POST, "/admin/moderation", ADMINS, 422, NULL},
    {GET, "/admin/moderation/try", ADMINS, 200, NULL},
    {POST, "/admin/moderation/try", ADMINS, 422, NULL},
    {GET, "/admin/invitations", HOSTS, 200, NULL},
    {GET, "/admin/system", ADMINS, 200, NULL},
    {POST, "/admin/invitations", HOSTS, 200, NULL},
    {GET, "/admin/log", ADMINS, 200, NULL},
    {GET, "/figures/:id", MEMBERS, 404, "/figures/none"},
    {GET, "/figures/:id/:file", MEMBERS, 404, "/figures/none/days.csv"},
    {GET, "/revisions/:id", MEMBERS, 404, "/revisions/none"},
    {GET, "/revisions/:id/compare", MEMBERS, 404, "/revisions/none/compare?from=0&to=1"},
    {POST, "/revisions/:id/restore", MEMBERS, 400, "/revisions/none/restore"},
    {GET, "/share/:id", MEMBERS, 404, "/share/none"},
    {POST, "/share/:id", MEMBERS, 404, "/share/none"},
    {POST, "/share/:id/revoke", MEMBERS, 404, "/share/none/revoke"},
    {GET, "/draft/:code", EVERYBODY, 404, "/draft/none"},
    {GET, "/uploads", WRITERS, 200, NULL},
    {POST, "/uploads", WRITERS, 501, NULL}, /* a site without a place for pictures */
    {GET, "/uploads/:hash", WRITERS, 404, "/uploads/00000000000000000000000000000000"},
    {POST, "/uploads/:hash/delete", WRITERS, 404,
	"/uploads/00000000000000000000000000000000/delete"},
    {GET, "/desk", MEMBERS, 200, NULL},
    {GET, "/desk/:section", MEMBERS, 200, "/desk/published"},
    {GET, "/write", WRITERS, 200, NULL},
    {GET, "/write/page", PAGE_WRITERS, 200, NULL},
    {POST, "/write/page", PAGE_WRITERS, 200, NULL}, /* a preview of nothing */
    {GET, "/write/:kind", WRITERS, 200, "/write/note"},
    {POST, "/write/:kind", WRITERS, 200, "/write/note"},
    {GET, "/edit/:id", MEMBERS, 404, "/edit/none"},
    {POST, "/edit/:id", MEMBERS, 404, "/edit/none"},
    {GET, "/edit/:id/delete", MEMBERS, 404, "/edit/none/delete"},
    {POST, "/edit/:id/delete", MEMBERS, 404, "/edit/none/delete"},
    {POST, "/edit/:id/undelete", MEMBERS, 404, "/edit/none/undelete"},
    {POST, "/edit/:id/accept", MEMBERS, 404, "/edit/none/accept"},
    {POST, "/edit/:id/leave", MEMBERS, 404, "/edit/none/leave"},
#undef GET
#undef POST
};
enum { ROUTES = sizeof(routes) / sizeof(routes[0]) };

static void
check_route(struct seeded *s, size_t i)
{
	const char *address = routes[i].address != NULL ? routes[i].address : routes[i].pattern;
	char got[PEOPLE + 1] = {0};
	unsigned other = 0;

	for (size_t p = 0; p < PEOPLE; p++) {
		struct browser b = browser_for(s, p);

		if (routes[i].method == METHOD_GET)
			get(&b, address);
		else
			post_nothing(&b, address);
		got[p] = letter_of(&b);
		if (got[p] == 'y' && routes[i].answer != 0 && b.last.status != routes[i].answer) {
			fprintf(stderr, "# %s gets %d\n",
			    people[p].name != NULL ? people[p].name : "a stranger",
			    (int)b.last.status);
			other++;
		}
	}
	is_str(str_of(got), str_of(routes[i].who), "%s %s: who may come",
	    routes[i].method == METHOD_GET ? "GET" : "POST", routes[i].pattern);
	is_int(other, 0, "... and all of them get %d", (int)routes[i].answer);
}

/* Is every route in the table, and does the table name no other? */
static void
check_table(void)
{
	static const enum http_method methods[] = {METHOD_GET, METHOD_POST};
	int64_t count = 0;

	for (size_t r = 0; r < site_route_count; r++)
		for (size_t m = 0; m < 2; m++) {
			const struct route *route = &site_routes[r];
			size_t i = 0;

			if ((route_methods(route) & methods[m]) == 0)
				continue;
			while (i < ROUTES && (routes[i].method != methods[m] ||
						 strcmp(routes[i].pattern, route->pattern) != 0))
				i++;
			ok(i < ROUTES, "%s %s is in the table of this test",
			    methods[m] == METHOD_GET ? "GET" : "POST", route->pattern);
			count++;
		}
	is_int(ROUTES, count, "which has no other");
}

int
main(void)
{
	struct seeded s;

	check_table();
	browsers_open(&s);
	set_stage(&s);
	for (size_t i = 0; i < ROUTES; i++)
		check_route(&s, i);
	browsers_close(&s);
	return tap_done();
}

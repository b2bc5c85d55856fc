/*
 * Every route × everybody who may come × whose thing it is. What is expected stands here in two small tables,
 * written by hand and not asked of may(): who may come to a route, and what they get of a thing.
 *
 * A new route needs a line in `routes`; without one this test fails. A column of letters is in the order of
 * `people`.
 */
#include "browser.h"

#include "../tap.h"

#include "model/key.h"
#include "model/permission.h"

/* --- Everybody -------------------------------------------------------------------------------------- */

static const struct {
	const char *name; /* NULL: a stranger */
	const char *role;
	const char *group; /* that they are in, beside its one permission; NULL: none */
	const char *permission;
} people[] = {
    {NULL, NULL, NULL, NULL},
    {"m_reader", "reader", NULL, NULL},
    {"m_owner", "author", NULL, NULL}, /* whose things these are */
    {"m_author", "author", NULL, NULL},
    {"m_editor", "editor", NULL, NULL},
    {"m_admin", "admin", NULL, NULL},
    {"m_member", "reader", "circle", NULL}, /* of the group that a post is for */
    {"m_follower", "reader", NULL, NULL},   /* of the owner */
    {"m_publish", "reader", "g-publish", "posts.publish"},
    {"m_edit", "reader", "g-edit", "posts.edit"},
    {"m_pages", "reader", "g-pages", "pages.edit"},
    {"m_order", "reader", "g-order", "categories.edit"},
    {"m_watch", "reader", "g-watch", "comments.moderate"},
    {"m_host", "reader", "g-host", "users.invite"},
};
enum { PEOPLE = sizeof(people) / sizeof(people[0]) };

/*
 * stranger, reader, owner, author, editor, admin, member of the circle, follower of the owner; then the groups:
 * publish, edit, pages, order, watch, host
 */
#define EVERYBODY "yyyyyyyyyyyyyy"
#define MEMBERS "nyyyyyyyyyyyyy"
#define WRITERS "nnyyyynnynnnnn"
#define PAGE_WRITERS "nnnnyynnnnynnn"
#define ORDERERS "nnnnyynnnnnynn"
#define MODERATORS "nnnnyynnnnnnyn"
#define HOSTS "nnnnyynnnnnnny"
#define POST_LISTERS "nnnnyynnnyynnn"
#define OVERSEERS "nnnnyynnnyyyny"
#define ADMINS "nnnnnynnnnnnnn"

/* --- Routes ----------------------------------------------------------------------------------------- */

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
    {GET, "/page/:slug", EVERYBODY, 200, "/page/about"},
    {GET, "/categories", EVERYBODY, 200, NULL},
    {GET, "/category/:slug", EVERYBODY, 200, "/category/kitchen"},
    {GET, "/category/:slug/feed.atom", EVERYBODY, 200, "/category/kitchen/feed.atom"},
    {GET, "/authors", EVERYBODY, 200, NULL},
    {GET, "/author/:username", EVERYBODY, 200, "/author/kofi"},
    {GET, "/author/:username/feed.atom", EVERYBODY, 200, "/author/kofi/feed.atom"},
    {GET, "/tags", EVERYBODY, 200, NULL},
    {GET, "/tag/:tag", EVERYBODY, 200, "/tag/tides"},
    {GET, "/tag/:tag/feed.atom", EVERYBODY, 200, "/tag/tides/feed.atom"},
    {GET, "/archive", EVERYBODY, 200, NULL},
    {GET, "/archive/:year/:month", EVERYBODY, 200, "/archive/2026/11"},
    {GET, "/archive/:year/:month/:day", EVERYBODY, 200, "/archive/2026/11/18"},
    {GET, "/collections", EVERYBODY, 200, NULL},
    {GET, "/collection/:id", EVERYBODY, 404, "/collection/none"},
    {GET, "/feed.atom", EVERYBODY, 200, NULL},
    {GET, "/feed", EVERYBODY, 301, NULL},
    {GET, "/feed.xml", EVERYBODY, 301, NULL},
    {GET, "/rss", EVERYBODY, 301, NULL},
    {GET, "/rss.xml", EVERYBODY, 301, NULL},
    {GET, "/atom", EVERYBODY, 301, NULL},
    {GET, "/atom.xml", EVERYBODY, 301, NULL},
    {GET, "/index.xml", EVERYBODY, 301, NULL},
    {GET, "/sitemap.xml", EVERYBODY, 200, NULL},
    {GET, "/sitemap/:file", EVERYBODY, 200, "/sitemap/fixed.xml"},
    {GET, "/robots.txt", EVERYBODY, 200, NULL},
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
    {GET, "/reset/:code", EVERYBODY, 404, "/reset/none"},
    {POST, "/reset/:code", EVERYBODY, 404, "/reset/none"},
    {GET, "/account", MEMBERS, 200, NULL},
    {POST, "/account/profile", MEMBERS, 303, NULL},
    {POST, "/account/email", MEMBERS, 422, NULL},
    {POST, "/account/password", MEMBERS, 422, NULL},
    {POST, "/account/sessions", MEMBERS, 400, NULL},
    {GET, "/account/data", MEMBERS, 200, NULL},
    {POST, "/account/export", MEMBERS, 200, NULL},
    {POST, "/account/delete", MEMBERS, 422, NULL},
    {GET, "/account/two-step", MEMBERS, 200, NULL},
    {POST, "/account/two-step", MEMBERS, 422, NULL},
    {POST, "/account/two-step/codes", MEMBERS, 422, NULL},
    {POST, "/account/two-step/off", MEMBERS, 422, NULL},
    {GET, "/admin", OVERSEERS, 200, NULL},
    {GET, "/admin/posts", POST_LISTERS, 200, NULL},
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
    {POST, "/admin/users/:username/reset", ADMINS, 200, "/admin/users/noor/reset"},
    {POST, "/admin/users/:username/groups", ADMINS, 422, "/admin/users/noor/groups"},
    {POST, "/admin/users/:username/leave", ADMINS, 404, "/admin/users/noor/leave"},
    {GET, "/admin/groups", ADMINS, 200, NULL},
    {POST, "/admin/groups", ADMINS, 422, NULL},
    {GET, "/admin/groups/:group", ADMINS, 200, "/admin/groups/circle"},
    {POST, "/admin/groups/:group", ADMINS, 422, "/admin/groups/circle"},
    {POST, "/admin/groups/:group/members", ADMINS, 422, "/admin/groups/circle/members"},
    {POST, "/admin/groups/:group/leave", ADMINS, 404, "/admin/groups/circle/leave"},
    {GET, "/admin/groups/:group/delete", ADMINS, 200, "/admin/groups/circle/delete"},
    {POST, "/admin/groups/:group/delete", ADMINS, 303, "/admin/groups/harbour-watch/delete"},
    {GET, "/admin/settings", ADMINS, 200, NULL},
    {POST, "/admin/settings", ADMINS, 422, NULL},
    {GET, "/admin/invitations", HOSTS, 200, NULL},
    {POST, "/admin/invitations", HOSTS, 200, NULL},
    {GET, "/admin/log", ADMINS, 200, NULL},
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
    {POST, "/edit/:id/leave", MEMBERS, 404, "/edit/none/leave"},
#undef GET
#undef POST
};
enum { ROUTES = sizeof(routes) / sizeof(routes[0]) };

/* --- Things ----------------------------------------------------------------------------------------- */

/* The owner's collections, and posts. */
#define OPEN_ID "00000000000001"
#define CLOSED_ID "00000000000002"
#define PICTURE "0123456789abcdef0123456789abcdef"

static const struct {
	const char *id, *kind, *status, *visibility;
	int days; /* when it is or was published, from now */
} posts[] = {
    {"m-public", "note", "published", "public", -1},
    {"m-scheduled", "note", "published", "public", 1},
    {"m-draft", "note", "draft", "public", 0},
    {"m-unpublished", "note", "unpublished", "public", -1},
    {"m-private", "note", "published", "private", -1},
    {"m-followers", "note", "published", "followers", -1},
    {"m-circle", "note", "published", "group", -1},
    {"m-deleted", "note", "deleted", "public", -1},
    {"m-deleted-draft", "note", "deleted", "private", 0},
    {"m-just-deleted", "note", "deleted", "public", -2},
    {"m-page", "page", "published", "public", -1},
    {"m-page-draft", "page", "draft", "public", 0},
};

/*
 * What is answered, of each thing: "y" 200; "r" 301; "g" 410, gone; "n" 403; "-" 404, as if there was nothing. A
 * stranger is not told either where one has to sign in anyhow.
 */
static const struct {
	const char *address, *answers;
} things[] = {
    {"/post/m-public", "yyyyyyyyyyyyyy"},
    {"/post/m-scheduled", "--y-yy---y----"},
    {"/post/m-draft", "--y-yy---y----"},
    {"/post/m-unpublished", "--y-yy---y----"},
    {"/post/m-private", "--y-yy---y----"},
    {"/post/m-followers", "--y-yy-y-y----"},
    {"/post/m-circle", "--y-yyy--y----"},
    {"/post/m-deleted", "gggggggggggggg"},
    {"/post/m-deleted-draft", "--------------"},
    {"/post/m-page", "rrrrrrrrrrrrrr"}, /* its address is another */
    {"/post/m-page-draft", "--r-rr----r---"},
    {"/page/m-page", "yyyyyyyyyyyyyy"},
    {"/page/m-page-draft", "--y-yy----y---"},
    {"/edit/m-public", "nnynyynnnynnnn"},
    {"/edit/m-scheduled", "n-y-yy---y----"},
    {"/edit/m-draft", "n-y-yy---y----"},
    {"/edit/m-unpublished", "n-y-yy---y----"},
    {"/edit/m-private", "n-y-yy---y----"},
    {"/edit/m-followers", "n-y-yy---y----"}, /* nobody is asked here whom they follow */
    {"/edit/m-circle", "n-y-yyn--y----"},
    {"/edit/m-deleted", "n-g-gg---g----"}, /* so long ago that it can't be had back */
    {"/edit/m-page", "nnnnyynnnnynnn"},
    {"/edit/m-page-draft", "n-n-yy----y---"},
    {"/edit/m-draft/delete", "n-y-yy---y----"},
    {"/edit/m-public/delete", "nnynyynnnynnnn"},
    {"/author/m_owner", "yyyyyyyyyyyyyy"},
    {"/author/m_disabled", "--------------"},
    {"/author/m_waiting", "--------------"},
    {"/collection/" OPEN_ID, "yyyyyyyyyyyyyy"},
    {"/collection/" CLOSED_ID, "--y-----------"},
    {"/share/m-public", "n-y-yy---y----"},
    {"/share/m-draft", "n-y-yy---y----"},
    {"/share/m-private", "n-y-yy---y----"},
    {"/share/m-deleted", "n-------------"},
    {"/share/m-page-draft", "n---yy----y---"},
    {"/revisions/m-public", "n-y-yy---y----"},
    {"/revisions/m-scheduled", "n-y-yy---y----"},
    {"/revisions/m-draft", "n-y-yy---y----"},
    {"/revisions/m-unpublished", "n-y-yy---y----"},
    {"/revisions/m-private", "n-y-yy---y----"},
    {"/revisions/m-followers", "n-y-yy---y----"},
    {"/revisions/m-circle", "n-y-yy---y----"},
    {"/revisions/m-deleted", "n-------------"},
    {"/revisions/m-page", "n---yy----y---"},
    {"/revisions/m-page-draft", "n---yy----y---"},
    {"/uploads/" PICTURE, "nny-yynn-nnnnn"},
};
enum { THINGS = sizeof(things) / sizeof(things[0]) };

/* The same of what is done to them by POST, where "y" is whatever is not refused. Each time they are put back. */
static const struct {
	const char *address, *answers;
} deeds[] = {
    {"/edit/m-public", "nnynyynnnynnnn"},
    {"/edit/m-scheduled", "n-y-yy---y----"},
    {"/edit/m-draft", "n-y-yy---y----"},
    {"/edit/m-circle", "n-y-yyn--y----"},
    {"/edit/m-followers", "n-y-yy---y----"},
    {"/edit/m-page-draft", "n-n-yy----y---"},
    {"/edit/m-public/delete", "nnynyynnnynnnn"},
    {"/edit/m-scheduled/delete", "n-y-yy---y----"},
    {"/edit/m-draft/delete", "n-y-yy---y----"},
    {"/edit/m-private/delete", "n-y-yy---y----"},
    {"/edit/m-circle/delete", "n-y-yyn--y----"},
    {"/edit/m-followers/delete", "n-y-yy---y----"},
    {"/edit/m-page/delete", "nnnnyynnnnynnn"},
    {"/edit/m-page-draft/delete", "n-n-yy----y---"},
    {"/edit/m-public/undelete", "nnnnnnnnnnnnnn"}, /* what is there is not had back */
    {"/edit/m-just-deleted/undelete", "n-y-yy---y----"},
    {"/share/m-draft", "n-y-yy---y----"},
    {"/share/m-public", "n-y-yy---y----"},
    {"/uploads/" PICTURE "/delete", "nny-yynn-nnnnn"},
};
enum { DEEDS = sizeof(deeds) / sizeof(deeds[0]) };

/* --- The stage -------------------------------------------------------------------------------------- */

struct stage {
	struct seeded *s;
	struct item items[64];
	size_t count;
};

/* One more item, of pairs of names and texts to NULL; an empty text is left out. */
static struct item *
add(struct stage *stage, const char *const *pairs)
{
	struct item *item = &stage->items[stage->count++];

	*item = (struct item){.count = 0};
	for (; *pairs != NULL; pairs += 2)
		if (*pairs[1] != '\0')
			item_set(stage->s->arena, item, str_of(pairs[0]),
			    value_string(str_of(pairs[1])));
	return item;
}
#define ADD(stage, ...) add((stage), (const char *const[]){__VA_ARGS__, NULL})

static const char *
join(struct stage *stage, const char *a, const char *b)
{
	return str_cstring(stage->s->arena, STR_CONCAT(stage->s->arena, str_of(a), str_of(b)));
}

static void
add_person(struct stage *stage, const char *name, const char *role, const char *status)
{
	ADD(stage, "PK", join(stage, "USER#", name), "SK", "METADATA", "Type", "User", "Username",
	    name, "Email", join(stage, name, "@example.org"), "Role", role, "Status", status,
	    "CreatedAt", "2026-01-01T00:00:00.000Z", "GSI3PK", "USER", "GSI3SK", name);
}

static void
add_group(struct stage *stage, const char *name, const char *permission, const char *member)
{
	struct str given = str_of(permission);
	struct item *group = ADD(stage, "PK", join(stage, "GROUP#", name), "SK", "METADATA", "Type",
	    "Group", "Name", name, "GSI3PK", "GROUP", "GSI3SK", name);

	if (permission != NULL)
		item_set(stage->s->arena, group, STR("Permissions"),
		    value_set(stage->s->arena, &given, 1));
	ADD(stage, "PK", join(stage, "USER#", member), "SK", join(stage, "MEMBERSHIP#", name),
	    "Type", "Membership", "Group", name, "Username", member, "GSI2PK",
	    join(stage, "GROUP#", name), "GSI2SK", join(stage, "USER#", member));
}

static void
add_post(struct stage *stage, size_t i)
{
	struct arena *arena = stage->s->arena;
	const char *pk = join(stage, "POST#", posts[i].id);
	const char *time = str_cstring(arena,
	    time_format(arena, stage->s->clock.fixed_now + (int64_t)posts[i].days * 86400000));
	const char *slug = join(stage, "SLUG#", posts[i].id);

	ADD(stage, "PK", pk, "SK", "METADATA", "Type", "Post", "Id", posts[i].id, "Slug",
	    posts[i].id, "Kind", posts[i].kind, "Title", posts[i].id, "Author", "m_owner",
	    "AuthorName", "Owner", "Status", posts[i].status, "Visibility", posts[i].visibility,
	    "Group", strcmp(posts[i].visibility, "group") == 0 ? "circle" : "", "PublishedAt",
	    posts[i].days != 0 ? time : "", "CreatedAt", time, "UpdatedAt", time);
	if (strcmp(posts[i].id, "m-just-deleted") == 0)
		item_set(arena, &stage->items[stage->count - 1], STR("DeletedAt"),
		    value_string(str_of(time)));
	ADD(stage, "PK", pk, "SK", "BODY", "Type", "Body", "Markdown", "Text.");
	ADD(stage, "PK", slug, "SK", slug, "Type", "SlugClaim", "Post", posts[i].id);
}

static void
add_collection(struct stage *stage, const char *id, const char *visibility)
{
	ADD(stage, "PK", join(stage, "COLLECTION#", id), "SK", "METADATA", "Type", "Collection",
	    "Id", id, "Owner", "m_owner", "OwnerName", "Owner", "Name", id, "Visibility",
	    visibility);
}

/* All that is theirs, as it was. */
static void
put_things(struct seeded *s)
{
	struct stage *stage = ARENA_NEW(s->arena, struct stage);

	stage->s = s;
	for (size_t i = 0; i < sizeof(posts) / sizeof(posts[0]); i++)
		add_post(stage, i);
	add_collection(stage, OPEN_ID, "public");
	add_collection(stage, CLOSED_ID, "private");
	ADD(stage, "PK", "MEDIA#" PICTURE, "SK", "METADATA", "Type", "Media", "Hash", PICTURE,
	    "Owner", "m_owner", "Format", "jpeg", "Name", "a.jpg");
	seeded_put(s, stage->items, stage->count);
}

static void
set_stage(struct seeded *s)
{
	struct stage *stage = ARENA_NEW(s->arena, struct stage);

	stage->s = s;
	for (size_t i = 1; i < PEOPLE; i++) {
		add_person(stage, people[i].name, people[i].role, "active");
		if (people[i].group != NULL)
			add_group(stage, people[i].group, people[i].permission, people[i].name);
	}
	add_person(stage, "m_disabled", "admin", "disabled");
	add_person(stage, "m_waiting", "reader", "waiting");
	ADD(stage, "PK", "USER#m_follower", "SK", "FOLLOWING#m_owner", "Type", "Follow", "Follower",
	    "m_follower", "Followed", "m_owner", "Status", "active");
	seeded_put(s, stage->items, stage->count);
	put_things(s);
}

/* --- What they get ---------------------------------------------------------------------------------- */

/* A browser of this person, with a session or a visit of its own. */
static struct browser
browser_for(struct seeded *s, size_t person)
{
	return people[person].name != NULL ? browser_of(s, people[person].name)
					   : browser(s, "192.0.2.77");
}

/* Sends nothing but the token of a form that the person was shown before. */
static void
post_nothing(struct browser *b, const char *address)
{
	struct buf body = {.arena = b->s->arena};

	get(b, b->session.len != 0 ? "/account" : "/login");
	put(&body, STR("csrf"), part(b->last.body, "name=\"csrf\" value=\"", "\""));
	fetch(b, "POST", address, buf_str(&body));
}

static char
letter_of(const struct browser *b)
{
	if (b->last.status == HTTP_SEE_OTHER &&
	    str_starts(header(&b->last, "Location"), STR("/login?next=")))
		return 'n';
	/* A form of a stranger's that waits until they have signed in. */
	if (b->session.len == 0 && b->last.status == HTTP_UNPROCESSABLE &&
	    holds(b->last.body, STR("name=\"waiting-for\"")))
		return 'n';
	return b->last.status == HTTP_FORBIDDEN ? 'n' : 'y';
}

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
			printf("# %s gets %d\n",
			    people[p].name != NULL ? people[p].name : "a stranger",
			    (int)b.last.status);
			other++;
		}
	}
	is_str(str_of(got), str_of(routes[i].who), "%s %s: who may come",
	    routes[i].method == METHOD_GET ? "GET" : "POST", routes[i].pattern);
	is_int(other, 0, "... and all of them get %d", (int)routes[i].answer);
}

static char
thing_letter_of(const struct browser *b)
{
	switch (b->last.status) {
	case HTTP_MOVED: return 'r';
	case HTTP_GONE: return 'g';
	case HTTP_NOT_FOUND: return '-';
	default: return letter_of(b);
	}
}

static void
check_thing(struct seeded *s, size_t i)
{
	char got[PEOPLE + 1] = {0};

	for (size_t p = 0; p < PEOPLE; p++) {
		struct browser b = browser_for(s, p);

		get(&b, things[i].address);
		got[p] = thing_letter_of(&b);
	}
	is_str(str_of(got), str_of(things[i].answers), "%s", things[i].address);
}

static void
check_deed(struct seeded *s, size_t i)
{
	char got[PEOPLE + 1] = {0};

	for (size_t p = 0; p < PEOPLE; p++) {
		struct browser b = browser_for(s, p);

		post_nothing(&b, deeds[i].address);
		got[p] = thing_letter_of(&b);
		if (got[p] == 'y')
			put_things(s);
	}
	is_str(str_of(got), str_of(deeds[i].answers), "POST %s", deeds[i].address);
}

/* Is every route in the table, and does the table name no other? */
static void
check_table(void)
{
	for (size_t r = 0; r < site_route_count; r++) {
		size_t i = 0;

		while (i < ROUTES && (routes[i].method != site_routes[r].methods ||
					 strcmp(routes[i].pattern, site_routes[r].pattern) != 0))
			i++;
		ok(i < ROUTES, "%s %s is in the table of this test",
		    site_routes[r].methods == METHOD_GET ? "GET" : "POST", site_routes[r].pattern);
	}
	is_int(ROUTES, (int64_t)site_route_count, "which has no other");
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
	for (size_t i = 0; i < THINGS; i++)
		check_thing(&s, i);
	for (size_t i = 0; i < DEEDS; i++)
		check_deed(&s, i);
	browsers_close(&s);
	return tap_done();
}

/*
 * A post that is published for its authors alone: people who edit everybody's posts see that it
 * exists, its author and length, and may take it down, which is logged; no page shows them a word
 * of it.
 */
#include "staff.h"
#include "writer.h"

#include "lib/tap.h"

#define TITLE "Of larkspur and tantalum"
#define SLUG "of-larkspur-and-tantalum"
#define TEXT "Nobody knows where the quincunx lies. ![](/media/" PICTURE "-600x400.jpg)"
#define PICTURE "0123456789abcdef0123456789abcdef"

/* Does the last page have anything of it, its address included? */
static bool
tells(const struct browser *b)
{
	static const char *const words[] = {"larkspur", "tantalum", "quincunx"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (says(b, words[i]) || holds(leads_to(b), str_of(words[i])))
			return true;
	return false;
}

static struct str
status_of_post(struct seeded *s)
{
	struct item head = seeded_item(s, "POST#" SLUG, "METADATA");

	return item_string(&head, STR("Status"));
}

/* Sends a form of the staff's list: the list's own, or that of the confirmation. */
static enum http_status
send_deed(struct browser *b, const char *deed, struct str ticket, bool sure)
{
	struct buf body = {.arena = b->s->arena};

	put_field(&body, STR("csrf"), part(b->last.body, "name=\"csrf\" value=\"", "\""));
	put_field(&body, str_of(deed), ticket);
	if (sure)
		put_field(&body, STR("sure"), STR("1"));
	return fetch(b, "POST", "/admin/posts", buf_str(&body));
}

/* The ticket that is the value of a button of the last page. */
static struct str
ticket_of(const struct browser *b, const char *deed)
{
	return part(b->last.body, text_in(b->s, "name=\"%s\" value=\"", deed), "\"");
}

static void
write_it(struct seeded *s)
{
	struct browser b = browser_of(s, "kofi");

	get(&b, "/write/article");
	is_int(SUBMIT(&b, "/write/article", "do", "publish-anyway", "title", TITLE, "markdown",
		   TEXT, "visibility", "private", "others", ""),
	    HTTP_SEE_OTHER, "a post for its authors alone");
	is_str(leads_to(&b), STR("/post/" SLUG), "... who see it");
	get(&b, "/edit/" SLUG);
	ok(says(&b, "Nobody but its authors") && says(&b, "only that it is there"),
	    "... and read what that means");
	get(&b, "/share/" SLUG);
	is_int(SUBMIT(&b, "/share/" SLUG, "days", "7"), HTTP_OK, "... and may share it by a link");
}

/* Every page that knows of posts. */
static void
is_not_told(struct seeded *s, const char *who)
{
	static const char *const addresses[] = {"/post/" SLUG, "/page/" SLUG, "/edit/" SLUG,
	    "/edit/" SLUG "?take=up", "/edit/" SLUG "/delete", "/revisions/" SLUG,
	    "/revisions/" SLUG "/compare?from=0&to=1", "/share/" SLUG, "/admin",
	    "/admin/posts?author=kofi&state=closed", "/admin/posts?author=kofi&state=published",
	    "/admin/posts?author=kofi&state=drafts", "/admin/posts?author=kofi&state=unpublished",
	    "/admin/posts?author=kofi&state=deleted",
	    "/admin/posts?author=kofi&state=closed-scheduled", "/admin/log", "/author/kofi",
	    "/author/kofi/feed.atom", "/desk", "/desk/closed", "/", "/feed.atom",
	    "/uploads/" PICTURE, "/sitemap/2026-11.xml"};
	struct browser b = browser_of(s, who);

	for (size_t i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++) {
		get(&b, addresses[i]);
		ok(!tells(&b), "%s is told nothing of it by %s", who, addresses[i]);
	}
}

/* The owner's picture, so that its page is there. */
static void
put_picture(struct seeded *s)
{
	struct item media = {.count = 0};

	item_set(s->arena, &media, STR("PK"), value_string(STR("MEDIA#" PICTURE)));
	item_set(s->arena, &media, STR("SK"), value_string(STR("METADATA")));
	item_set(s->arena, &media, STR("Type"), value_string(STR("Media")));
	item_set(s->arena, &media, STR("Hash"), value_string(STR(PICTURE)));
	item_set(s->arena, &media, STR("Owner"), value_string(STR("kofi")));
	item_set(s->arena, &media, STR("Format"), value_string(STR("jpeg")));
	item_set(s->arena, &media, STR("Name"), value_string(STR("a.jpg")));
	seeded_put(s, &media, 1);
}

static void
taken_down(struct seeded *s, const char *who)
{
	struct browser b = browser_of(s, who), kofi = browser_of(s, "kofi");
	struct audit_entry last;
	size_t before = logged(s, &last);
	struct str ticket;

	get(&b, "/admin/posts?author=kofi&state=closed");
	ok(says(&b, "A private post") &&
		says(&b, "Article · Kofi Mensah-Boyd · 7 words · Published"),
	    "%s sees that there is one, whose, how long and since when", who);
	ticket = ticket_of(&b, "unpublish");
	is_int(
	    send_deed(&b, "unpublish", ticket, false), HTTP_OK, "... who unpublishes it is asked");
	ok(!tells(&b), "... without its title");
	is_str(status_of_post(s), STR("published"), "... before anything happens");
	ticket = ticket_of(&b, "unpublish");
	is_int(send_deed(&b, "unpublish", ticket, true), HTTP_SEE_OTHER, "... then it is done");
	is_str(leads_to(&b), STR("/admin/posts?done=unpublished"), "... and said");
	is_str(status_of_post(s), STR("unpublished"), "it is unpublished");
	is_int((int64_t)(logged(s, &last) - before), 1, "... and logged, once");
	is_str(last.target, STR("kofi"), "... as its author's");
	is_str(last.change, STR("status: published → unpublished"), "... and what was done");
	is_int(last.action, AUDIT_PRIVATE, "... to a private post");
	is_not_told(s, who);
	get(&b, "/admin/posts?author=kofi&state=unpublished");
	ok(!holds(b.last.body, STR("name=\"unpublish\"")), "what is unpublished is so no more");
	is_int(send_deed(&b, "delete", ticket_of(&b, "delete"), true), HTTP_SEE_OTHER,
	    "... but may be deleted");
	is_str(status_of_post(s), STR("deleted"), "it is deleted");
	is_not_told(s, who);
	get(&kofi, "/desk/deleted");
	ok(says(&kofi, TITLE), "its author finds it");
	is_int(
	    SUBMIT(&kofi, "/edit/" SLUG "/undelete", "x", "y"), HTTP_SEE_OTHER, "... has it back");
	get(&kofi, "/edit/" SLUG);
	is_int(SUBMIT(&kofi, "/edit/" SLUG, "do", "publish-anyway", "title", TITLE, "markdown",
		   TEXT, "visibility", "private", "slug", SLUG),
	    HTTP_SEE_OTHER, "... and publishes it again");
}

/* Hand-made requests: tickets of others, of other posts, none. */
static void
by_hand(struct seeded *s)
{
	struct browser editor = browser_of(s, "tobias"), admin = browser_of(s, "marta"),
		       kofi = browser_of(s, "kofi");
	struct str ticket;

	get(&admin, "/admin/posts?author=kofi&state=closed");
	ticket = ticket_of(&admin, "delete");
	get(&editor, "/admin/posts?author=kofi&state=closed");
	is_int(send_deed(&editor, "delete", ticket, true), HTTP_BAD_REQUEST,
	    "somebody else's ticket is good for nothing");
	get(&editor, "/admin/posts?author=kofi&state=closed");
	is_int(
	    send_deed(&editor, "delete", STR(SLUG), true), HTTP_BAD_REQUEST, "... nor is a name");
	get(&kofi, "/edit/" SLUG);
	SUBMIT(&kofi, "/edit/" SLUG, "do", "save", "title", TITLE, "markdown", TEXT, "visibility",
	    "public", "slug", SLUG);
	get(&admin, "/admin/posts?author=kofi&state=closed");
	is_int(get(&editor, "/edit/" SLUG), HTTP_OK, "made public, it is edited as others");
	is_int(SUBMIT(&editor, "/edit/" SLUG, "do", "save", "title", TITLE, "markdown", TEXT,
		   "visibility", "private", "slug", SLUG),
	    HTTP_UNPROCESSABLE, "... but who is none of its authors can't shut themselves out");
	ok(says(&editor, "Only one of its authors"), "... and is told so");
	get(&editor, "/edit/" SLUG);
	get(&kofi, "/edit/" SLUG);
	SUBMIT(&kofi, "/edit/" SLUG, "do", "save", "title", TITLE, "markdown", TEXT " And more.",
	    "visibility", "private", "slug", SLUG);
	is_int(SUBMIT(&editor, "/edit/" SLUG, "do", "save", "title", "Mine", "markdown", "Mine",
		   "visibility", "public", "slug", SLUG),
	    HTTP_NOT_FOUND, "made private while they edit, it is theirs no more");
	ok(!tells(&editor), "... and they read nothing of it");
}

/* A scheduled one that is called off by the staff is no draft, which they could read. */
static void
scheduled(struct seeded *s)
{
	struct browser editor = browser_of(s, "tobias"), kofi = browser_of(s, "kofi");

	get(&kofi, "/edit/" SLUG);
	SUBMIT(&kofi, "/edit/" SLUG, "do", "save", "title", TITLE, "markdown", TEXT, "visibility",
	    "private", "slug", SLUG, "when", "2026-12-24T18:00");
	get(&editor, "/admin/posts?author=kofi&state=closed-scheduled");
	is_int(send_deed(&editor, "unpublish", ticket_of(&editor, "unpublish"), true),
	    HTTP_SEE_OTHER, "a scheduled one is called off");
	is_str(status_of_post(s), STR("unpublished"), "... and is no draft");
	is_not_told(s, "tobias");
}

/* With a coauthor: it is theirs as well, and they may publish it for everybody. */
static void
of_two(struct seeded *s)
{
	struct browser ingrid;
	struct item head = seeded_item(s, "POST#" SLUG, "METADATA");
	struct item other = {.count = 0};
	struct value map;

	item_set(s->arena, &other, STR("Username"), value_string(STR("ingrid")));
	item_set(s->arena, &other, STR("Name"), value_string(STR("Ingrid")));
	map = value_map(other);
	item_set(s->arena, &head, STR("Coauthors"),
	    (struct value){.kind = VALUE_LIST, .list = {&map, 1}});
	seeded_put(s, &head, 1);
	ingrid = browser_of(s, "ingrid");
	is_int(get(&ingrid, "/post/" SLUG), HTTP_OK, "who wrote it with its author reads it");
	get(&ingrid, "/edit/" SLUG);
	is_int(SUBMIT(&ingrid, "/edit/" SLUG, "do", "publish-anyway", "title", TITLE, "markdown",
		   TEXT, "visibility", "public", "slug", SLUG, "when", "2026-11-01T10:00", "others",
		   "ingrid"),
	    HTTP_SEE_OTHER, "... and may publish it for everybody");
	is_int(stranger_gets(s, "/post/" SLUG), HTTP_OK, "... who read it then");
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	become(&s, "tobias", "editor");
	put_picture(&s);
	write_it(&s);
	is_not_told(&s, "tobias");
	is_not_told(&s, "marta");
	taken_down(&s, "tobias");
	taken_down(&s, "marta");
	by_hand(&s);
	scheduled(&s);
	of_two(&s);
	browsers_close(&s);
	return tap_done();
}

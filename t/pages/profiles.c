/*
 * What the pages about a person show to whom: what they said, under posts that the reader may see; what they collected;
 * who follows them; and of a private person a name.
 */
#include "browser.h"

#include "lib/tap.h"

enum { STRANGER, FOLLOWER, MEMBER, INGRID, ADMIN, PEOPLE };

static const char *const names[PEOPLE] = {NULL, "follower", "member", "ingrid", "marta"};
static struct browser people[PEOPLE];

static void
put(struct seeded *s, const char *const *pairs)
{
	struct item item = {.count = 0};

	for (; *pairs != NULL; pairs += 2)
		item_set(s->arena, &item, str_of(pairs[0]), value_string(str_of(pairs[1])));
	seeded_put(s, &item, 1);
}
#define PUT(s, ...) put((s), (const char *const[]){__VA_ARGS__, NULL})

static const char *
text(struct seeded *s, const char *before, const char *behind)
{
	return str_cstring(s->arena, STR_CONCAT(s->arena, str_of(before), str_of(behind)));
}

static void
put_person(struct seeded *s, const char *name, const char *status)
{
	PUT(s, "PK", text(s, "USER#", name), "SK", "METADATA", "Type", "User", "Username", name,
	    "DisplayName", text(s, "Named ", name), "Role", "reader", "Status", status);
}

static void
put_follow(
    struct seeded *s, const char *by, const char *whom, const char *status, const char *prefix)
{
	bool block = strcmp(status, "blocked") == 0;

	PUT(s, "PK", text(s, "USER#", by), "SK", text(s, "FOLLOWING#", whom), "Type", "Follow",
	    "Follower", by, "Followed", whom, "Status", status, "GSI1PK",
	    text(s, block ? "BLOCKED#" : "USER#", whom), "GSI1SK",
	    text(s, text(s, prefix, "2026-11-01T00:00:00.000Z#"), by));
}

static void
put_post(struct seeded *s, const char *id, const char *author, const char *visibility)
{
	PUT(s, "PK", text(s, "POST#", id), "SK", "METADATA", "Type", "Post", "Id", id, "Slug", id,
	    "Kind", "note", "Title", text(s, "Title of ", id), "Author", author, "Status",
	    "published", "Visibility", visibility, "PublishedAt", "2026-11-17T09:30:00.000Z",
	    "CreatedAt", "2026-11-17T09:30:00.000Z", "UpdatedAt", "2026-11-17T09:30:00.000Z");
}

/* Ingrid's, at a minute of its own. */
static void
put_comment(struct seeded *s, const char *post, int minute, const char *status, const char *says)
{
	struct str id = str_fmt(s->arena, "000000000001%02d", minute);
	struct str at = str_fmt(s->arena, "2026-11-18T08:%02d:00.000Z", minute);
	bool held = strcmp(status, "held") == 0;
	struct str sk =
	    STR_CONCAT(s->arena, held ? STR("HELD#") : STR("COMMENT#"), at, STR("#"), id);

	PUT(s, "PK", text(s, "POST#", post), "SK",
	    str_cstring(s->arena, STR_CONCAT(s->arena, STR("COMMENT#"), id)), "Type", "Comment",
	    "Id", str_cstring(s->arena, id), "Post", post, "Author", "ingrid", "AuthorName",
	    "Ingrid", "Markdown", says, "Status", status, "CreatedAt", str_cstring(s->arena, at),
	    "UpdatedAt", str_cstring(s->arena, at), "GSI1PK", "USER#ingrid", "GSI1SK",
	    str_cstring(s->arena, sk));
}

/* Who of them sees that on the page: '+'; '-' who does not; '?' whose page is none. */
static void
row(const char *told, const char *address, const char *what, const char *wanted)
{
	char got[PEOPLE + 1] = {0};

	for (int i = 0; i < PEOPLE; i++) {
		enum http_status status = get(&people[i], address);
		struct str main = part(people[i].last.body, "<main", "</main>");

		got[i] = holds(unescaped(people[i].s->arena, main), str_of(what)) ? '+' : '-';
		if (status != HTTP_OK)
			got[i] = '?';
	}
	is_str(str_of(got), str_of(wanted), "%s", told);
}

static void
comments(struct seeded *s)
{
	put_post(s, "for-all", "kofi", "public");
	put_post(s, "among-us", "ingrid", "followers");
	put_post(s, "among-them", "kofi", "followers");
	put_post(s, "to-myself", "ingrid", "private");
	put_comment(s, "for-all", 1, "visible", "Said to all");
	put_comment(s, "for-all", 2, "visible", "Said twice");
	put_comment(s, "for-all", 3, "held", "Said too soon");
	put_comment(s, "among-us", 4, "visible", "Said among us");
	put_comment(s, "among-them", 5, "visible", "Said among them");
	put_comment(s, "to-myself", 6, "visible", "Said to myself");
	put_comment(s, "nowhere", 7, "visible", "Said of nothing");
	row("a comment is on the page of who said it", "/author/ingrid/comments", "Said to all",
	    "+++++");
	row("... with the post that it is about", "/author/ingrid/comments", "Title of for-all",
	    "+++++");
	row("... each of them", "/author/ingrid/comments", "Said twice", "+++++");
	row("what is held is not", "/author/ingrid/comments", "Said too soon", "-----");
	row("under a post for followers it is for those", "/author/ingrid/comments",
	    "Said among us", "-+-++");
	row("... and so is its title", "/author/ingrid/comments", "Title of among-us", "-+-++");
	row("... not for those of somebody else", "/author/ingrid/comments", "Said among them",
	    "----+");
	row("under a private post it is for its author", "/author/ingrid/comments",
	    "Said to myself", "---+-");
	row("... of which nobody learns the title", "/author/ingrid/comments", "Title of to-myself",
	    "---+-");
	row("under what is not there it is for nobody", "/author/ingrid/comments",
	    "Said of nothing", "-----");
	get(&people[FOLLOWER], "/author/ingrid/comments");
	is_str(header(&people[FOLLOWER].last, "Cache-Control"), STR("no-store"),
	    "what is not for everybody no browser stores");
}

static void
circles(struct seeded *s)
{
	put_person(s, "shut_out", "disabled");
	put_follow(s, "shut_out", "ingrid", "active", "FOLLOWER#");
	put_follow(s, "member", "ingrid", "asked", "REQUEST#");
	put_follow(s, "ingrid", "follower", "active", "FOLLOWER#");
	put_follow(s, "ingrid", "member", "blocked", "");
	row("who follows is named", "/author/ingrid/followers", "Named follower", "+++++");
	row("... not who asks to", "/author/ingrid/followers", "Named member", "-----");
	row("... nor who was shut out", "/author/ingrid/followers", "shut_out", "-----");
	row("whom they follow is named", "/author/ingrid/following", "Named follower", "+++++");
	row("... not whom they have blocked", "/author/ingrid/following", "Named member", "-----");
	get(&people[STRANGER], "/author/ingrid/followers");
	ok(says(&people[STRANGER], "content=\"noindex\""), "search engines leave these lists out");
	is_int(get(&people[STRANGER], "/author/ingrid/followers?after=x"), HTTP_BAD_REQUEST,
	    "what is no way on is refused");
}

static void
set_private(struct seeded *s)
{
	struct item ingrid = seeded_item(s, "USER#ingrid", "METADATA");

	item_set(s->arena, &ingrid, STR("Private"), value_boolean(true));
	seeded_put(s, &ingrid, 1);
}

static void
private_person(struct seeded *s)
{
	static const char *const addresses[] = {"/author/ingrid/comments",
	    "/author/ingrid/collections", "/author/ingrid/followers", "/author/ingrid/following"};

	PUT(s, "PK", "COLLECTION#00000000000077", "SK", "METADATA", "Type", "Collection", "Id",
	    "00000000000077", "Owner", "ingrid", "OwnerName", "Ingrid", "Name", "Shelf of hers",
	    "Visibility", "public", "GSI1PK", "USER#ingrid", "GSI1SK",
	    "COLLECTION#2026-11-01T00:00:00.000Z#00000000000077");
	row("a collection is on its owner's page", "/author/ingrid/collections", "Shelf of hers",
	    "+++++");
	row("a profile says since when", "/author/ingrid", "Here since", "+++++");
	set_private(s);
	for (size_t i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++)
		row("a private profile keeps to a name for whoever does not follow", addresses[i],
		    "They show this to whom they let follow them.", "+-+--");
	row("... there is nothing of what they said", addresses[0], "Said to all", "-+-++");
	row("... nor collected", addresses[1], "Shelf of hers", "-+-++");
	row("... nor of who follows", addresses[2], "Named follower", "-+-++");
	row("... nor whom they follow", addresses[3], "Named follower", "-+-++");
	row("... nor how many", "/author/ingrid", "followers", "-+-++");
	row("... nor since when", "/author/ingrid", "Here since", "-+-++");
	row("... nor the way there", "/author/ingrid", "/author/ingrid/comments", "-+-++");
	row("their public posts stay", "/author/ingrid", "/post/a-plane-that-sings", "+++++");
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	put_person(&s, "follower", "active");
	put_person(&s, "member", "active");
	put_follow(&s, "follower", "ingrid", "active", "FOLLOWER#");
	people[STRANGER] = browser(&s, "192.0.2.1");
	for (int i = 1; i < PEOPLE; i++)
		people[i] = browser_of(&s, names[i]);
	comments(&s);
	circles(&s);
	private_person(&s);
	browsers_close(&s);
	return tap_done();
}

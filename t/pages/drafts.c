/* Links to a draft: created, used, expired, revoked; who may create them, and what they show. */
#include "lib/failing_table.h"
#include "matrix.h"
#include "writer.h"

#include "lib/tap.h"

#include "model/people/session.h"
#include "model/post/writing.h"

#include <string.h>

/* A draft of lowri's in the seed. */
#define ID "fog-a-first-attempt"
#define SHARE "/share/" ID
#define DAY_MS 86400000

/* Creates a link for that many days; its path. */
static const char *
make(struct browser *b, const char *days)
{
	struct str link;

	get(b, SHARE);
	is_int(SUBMIT(b, SHARE, "days", days), HTTP_OK, "a link for %s days is made", days);
	link = part(b->last.body, "class=\"secret\" href=\"https://slack.example", "\"");
	is_int((int64_t)link.len, 7 + 43, "... and shown");
	return str_cstring(b->s->arena, link);
}

static void
reading(struct seeded *s, const char *author)
{
	struct browser b = browser_of(s, author), stranger = browser(s, "192.0.2.8");
	struct item head = seeded_item(s, "POST#" ID, "METADATA");
	const char *link = make(&b, "7");

	get(&b, SHARE);
	ok(!says(&b, link), "it is not shown again");
	ok(says(&b, "Ends 25 November 2026, 09:30 GMT"), "... but when it ends");
	is_int(get(&stranger, link), HTTP_OK, "a stranger reads the draft by it");
	ok(holds(stranger.last.body, item_string(&head, STR("Title"))), "... its title");
	ok(holds(stranger.last.body, STR("class=\"prose\"")), "... and its text");
	ok(says(&stranger, "a link that ends on 25 November 2026"), "... and that it ends");
	ok(holds(stranger.last.body, STR("<meta name=\"robots\" content=\"noindex\">")),
	    "it is not for search engines");
	ok(!holds(stranger.last.body, STR("rel=\"canonical\"")), "... and has no other address");
	is_str(header(&stranger.last, "Cache-Control"), STR("no-store"), "nobody keeps it");
	is_str(header(&stranger.last, "Referrer-Policy"), STR("strict-origin"),
	    "... and no request from it says by which address it came");
	ok(!holds(stranger.last.body, STR("id=\"comments\"")) && !says(&stranger, "/edit/"),
	    "there is nothing to comment on or to edit");
	ok(!holds(stranger.last.body, STR("1970")), "... and no date that is none");
	get(&b, link);
	ok(holds(b.last.body, STR("<a href=\"/edit/" ID "\">Edit</a>")),
	    "... but for its author, who goes on there");
	get(&b, SHARE);
	ok(holds(b.last.body, STR("<a href=\"/edit/" ID "\">Edit</a>")),
	    "... as from the page of its links");
	is_int(get(&stranger, "/post/" ID), HTTP_NOT_FOUND, "its own address stays closed");
	get(&stranger, link);
	is_int(stranger.last.cost.requests, 1 + POST_READS + 1,
	    "reading takes the link, and then the post and who made it");
	is_int(stranger.last.cost.round_trips, 2, "... in two trips");
	s->clock.fixed_now += 7 * DAY_MS - 1000;
	is_int(get(&stranger, link), HTTP_OK, "it is good to its last second");
	s->clock.fixed_now += 1000;
	is_int(get(&stranger, link), HTTP_NOT_FOUND, "... and then not any more");
	s->clock.fixed_now -= 7 * DAY_MS;
}

static void
revoking(struct seeded *s, const char *author)
{
	struct browser b = browser_of(s, author), stranger = browser(s, "192.0.2.8");
	const char *one = make(&b, "1"), *other = make(&b, "30");
	struct str code = str_sub(str_of(other), 7, 43);

	get(&b, "/share/quiet-engines");
	fetch(&b, "POST", "/share/quiet-engines/revoke",
	    STR_CONCAT(s->arena, STR("csrf="), part(b.last.body, "name=\"csrf\" value=\"", "\""),
		STR("&link="), session_hash(s->arena, code)));
	is_int(get(&stranger, other), HTTP_OK, "by another post's page a link is not revoked");
	get(&b, SHARE);
	SUBMIT(&b, SHARE "/revoke", "link", str_cstring(s->arena, session_hash(s->arena, code)));
	is_str(leads_to(&b), STR(SHARE "?done=revoked"), "a link is revoked");
	is_int(get(&stranger, other), HTTP_NOT_FOUND, "... and leads nowhere at once");
	ok(says(&stranger, "may be revoked"), "... which whoever follows it is told");
	is_int(get(&stranger, one), HTTP_OK, "... others still do");
	get(&b, SHARE);
	is_int(SUBMIT(&b, SHARE "/revoke", "link",
		   str_cstring(s->arena, session_hash(s->arena, code))),
	    HTTP_SEE_OTHER, "revoking it again changes nothing");
}

/* What authors do with their own is not logged; what the staff do with it is. */
static void
logged(struct seeded *s)
{
	struct browser admin = browser_of(s, "marta");
	const char *link;

	get(&admin, "/admin/log");
	ok(!says(&admin, "a secret link"), "whose own a draft is, is not in the log of the staff");
	link = make(&admin, "1");
	get(&admin, "/admin/log");
	ok(says(&admin, "marta worked on the post " ID) && says(&admin, "a secret link"),
	    "an admin who makes a link to it is");
	ok(!says(&admin, link), "... without the link");
	get(&admin, SHARE);
	SUBMIT(&admin, SHARE "/revoke", "link",
	    str_cstring(s->arena, session_hash(s->arena, str_sub(str_of(link), 7, 43))));
	get(&admin, "/admin/log");
	ok(says(&admin, "a secret link revoked"), "... or takes one back");
}

static void
strange_codes(struct seeded *s)
{
	static const char *const codes[] = {"/draft/x", "/draft/",
	    "/draft/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
	    "/draft/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"};
	struct browser stranger = browser(s, "192.0.2.8");

	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
		is_int(get(&stranger, codes[i]), HTTP_NOT_FOUND, "%s leads nowhere", codes[i]);
	for (size_t i = 0; i < site_route_count; i++)
		if (strstr(site_routes[i].pattern, ":code") != NULL)
			ok(site_routes[i].secret, "%s is in no log", site_routes[i].pattern);
}

/* What somebody mistyped, or sent another way, is as secret as what they meant. */
static void
near_codes(struct seeded *s)
{
	static const struct {
		const char *method, *uri, *route;
	} cases[] = {
	    {"GET", "/draft/code", "/draft/:code"},
	    {"GET", "/Draft/code", "/draft/:code"},
	    {"GET", "/draft/code/more", "/draft/:code"},
	    {"GET", "//%64raft/code/more", "/draft/:code"},
	    {"GET", "/draft/code%zz", "/draft/:code"},
	    {"POST", "/draft/code", "/draft/:code"},
	    {"PUT", "/RESET/noor.code", "/reset/:code"},
	    {"GET", "/registers?code=code", "/register"},
	    {"GET", "/drafts", NULL},
	    {"GET", "/post/draft", NULL},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct request_input in = {.method = str_of(cases[i].method),
		    .uri = str_of(cases[i].uri),
		    .remote_addr = STR("192.0.2.8")};
		struct response rs;

		site_respond(&s->site, &in, s->arena, &rs);
		ok(rs.secret == (cases[i].route != NULL), "%s %s: the log %s", cases[i].method,
		    cases[i].uri, rs.secret ? "does not say which" : "has the address");
		if (rs.secret)
			is_str(str_of(rs.route), str_of(cases[i].route), "... but what it is for");
		response_release(&rs);
	}
}

/* The post with another state. */
static void
put_state(struct seeded *s, const char *status, const char *visibility, const char *time)
{
	struct item head = seeded_item(s, "POST#" ID, "METADATA");
	struct item changed = item_copy(s->arena, &head);

	item_set(s->arena, &changed, STR("Status"), value_string(str_of(status)));
	item_set(s->arena, &changed, STR("Visibility"), value_string(str_of(visibility)));
	item_set(s->arena, &changed, STR("PublishedAt"), value_string(str_of(time)));
	seeded_put(s, &changed, 1);
}

static void
states(struct seeded *s, const char *author)
{
	static const struct {
		const char *status, *visibility, *time;
		enum http_status answer;
		const char *sentence;
	} cases[] = {
	    {"published", "public", "2026-11-17T00:00:00.000Z", HTTP_SEE_OTHER,
		"of what is published leads to its address"},
	    {"published", "public", "2026-12-17T00:00:00.000Z", HTTP_OK,
		"of what is scheduled shows it"},
	    {"published", "followers", "2026-11-17T00:00:00.000Z", HTTP_OK,
		"of what is for followers shows it"},
	    {"unpublished", "public", "2026-11-17T00:00:00.000Z", HTTP_OK,
		"of what is unpublished shows it"},
	    {"deleted", "public", "2026-11-17T00:00:00.000Z", HTTP_NOT_FOUND,
		"of what is deleted leads nowhere"},
	};
	struct browser b = browser_of(s, author), stranger = browser(s, "192.0.2.8");
	struct item head = seeded_item(s, "POST#" ID, "METADATA");
	const char *link = make(&b, "1");

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		put_state(s, cases[i].status, cases[i].visibility, cases[i].time);
		is_int(get(&stranger, link), cases[i].answer, "the link %s", cases[i].sentence);
	}
	seeded_put(s, &head, 1);
}

/* --- A link and its maker --------------------------------------------------------------------------- */

/* An item as it is, but for one attribute; put back by seeded_put() of what this gives. */
static struct item
put_changed(struct seeded *s, const char *pk, const char *sk, const char *name, struct value value)
{
	struct item was = seeded_item(s, pk, sk), changed = item_copy(s->arena, &was);

	item_set(s->arena, &changed, str_of(name), value);
	seeded_put(s, &changed, 1);
	return was;
}

/* A link is good while its maker has the right that it rests on. */
static void
makers(struct seeded *s, const char *author)
{
	static const struct {
		const char *maker, *pk, *sk, *name, *value, *sentence;
	} cases[] = {
	    {"author", "USER#author", "METADATA", "Status", "disabled", "an author was disabled"},
	    {"m_editor", "USER#m_editor", "METADATA", "Role", "author", "an editor is an author"},
	    {"m_editor", "USER#m_editor", "METADATA", "Status", "disabled",
		"an editor was disabled"},
	    {"m_edit", "GROUP#g-edit", "METADATA", "Permissions", "posts.publish",
		"a group lets its members edit no more"},
	    {"m_edit", "GROUP#g-edit", "METADATA", "Ending", "", "a group is being deleted"},
	    {"m_edit", "USER#m_edit", "MEMBERSHIP#g-edit", "ExpiresAt", "1",
		"somebody left the group"},
	};
	struct browser stranger = browser(s, "192.0.2.8");

	set_stage(s);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		bool own = strcmp(cases[i].maker, "author") == 0;
		struct browser maker = browser_of(s, own ? author : cases[i].maker);
		const char *link = make(&maker, "1");
		const char *pk = own ? text_in(s, "USER#%s", author) : cases[i].pk;
		struct str text = str_of(cases[i].value);
		struct value value = value_string(text);
		struct item was;

		if (strcmp(cases[i].name, "Permissions") == 0)
			value = value_set(s->arena, &text, 1);
		if (strcmp(cases[i].name, "Ending") == 0)
			value = value_boolean(true);
		if (strcmp(cases[i].name, "ExpiresAt") == 0)
			value = value_number(1);
		is_int(get(&stranger, link), HTTP_OK, "... and good");
		was = put_changed(s, pk, cases[i].sk, cases[i].name, value);
		is_int(get(&stranger, link), HTTP_NOT_FOUND, "... until %s", cases[i].sentence);
		is_int(stranger.last.cost.round_trips, 2, "... in two trips");
		seeded_put(s, &was, 1);
		is_int(get(&stranger, link), HTTP_OK, "... and again when it was a mistake");
		get(&maker, SHARE);
		SUBMIT(&maker, SHARE "/revoke", "link",
		    str_cstring(s->arena, session_hash(s->arena, str_sub(str_of(link), 7, 43))));
	}
}

static void
bounds(struct seeded *s, const char *author)
{
	struct browser b = browser_of(s, author);
	struct str form;
	size_t links;

	get(&b, SHARE);
	for (links = count_of(b.last.body, STR(">Revoke<")); links < 20; links++) {
		SUBMIT(&b, SHARE, "days", "1");
		get(&b, SHARE);
	}
	ok(says(&b, "There are as many links as there can be."), "of 20 links the page says so");
	form = part(b.last.body, "name=\"csrf\" value=\"", "\"");
	ok(!holds(b.last.body, STR("For a week")), "... and offers no other");
	is_int(fetch(&b, "POST", SHARE, STR_CONCAT(s->arena, STR("days=1&csrf="), form)),
	    HTTP_CONFLICT, "... nor makes one");
	ok(!holds(b.last.body, STR("class=\"secret\"")), "... and shows none");
}

static void
who_may(struct seeded *s, const char *author)
{
	struct browser b = browser_of(s, author), reader = browser_of(s, "pascal");
	struct str csrf;

	get(&b, SHARE);
	is_int(SUBMIT(&b, SHARE, "days", "365"), HTTP_BAD_REQUEST, "nobody has a link for a year");
	get(&reader, "/account");
	csrf = STR_CONCAT(
	    s->arena, STR("csrf="), part(reader.last.body, "name=\"csrf\" value=\"", "\""));
	is_int(fetch(&reader, "POST", SHARE, STR_CONCAT(s->arena, csrf, STR("&days=1"))),
	    HTTP_NOT_FOUND, "who may not edit the post makes no link");
	is_int(fetch(&reader, "POST", SHARE "/revoke", STR_CONCAT(s->arena, csrf, STR("&link=x"))),
	    HTTP_NOT_FOUND, "... and revokes none");
}

static void
failures(struct seeded *s, const char *author)
{
	struct browser b = browser_of(s, author);
	struct failing_table failing;
	struct table *table = s->table;
	struct str body;
	unsigned calls, wrong = 0, done = 0;

	get(&b, "/account");
	body = STR_CONCAT(
	    s->arena, STR("days=1&csrf="), part(b.last.body, "name=\"csrf\" value=\"", "\""));
	failing_table_begin(&failing, table);
	s->site.table = &failing.table;
	for (calls = 1; calls < 20 && done == 0; calls++) {
		failing_table_arm(&failing, calls, TABLE_UNAVAILABLE);
		fetch(&b, "POST", SHARE, body);
		if (b.last.status == HTTP_OK)
			done = calls;
		else
			wrong += b.last.status != HTTP_UNAVAILABLE ||
				 holds(b.last.body, STR("class=\"secret\""));
	}
	s->site.table = table;
	ok(done > 2 && wrong == 0, "when a call fails no link is shown, and it is 503");
}

int
main(void)
{
	struct item head;
	const char *author;
	struct seeded s;

	browsers_open(&s);
	head = seeded_item(&s, "POST#" ID, "METADATA");
	author = str_cstring(s.arena, item_string(&head, STR("Author")));
	reading(&s, author);
	revoking(&s, author);
	logged(&s);
	strange_codes(&s);
	near_codes(&s);
	states(&s, author);
	who_may(&s, author);
	failures(&s, author);
	makers(&s, author);
	bounds(&s, author);
	browsers_close(&s);
	return tap_done();
}

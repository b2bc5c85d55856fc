/*
 * Votes on comments: by one form for all on a page, back to where one was; asked once behind the sign-in. What is new since
 * one's last visit. What readers said last, and best, on the whole site.
 */
#include "signing.h"
#include "writer.h"

#include "lib/tap.h"
#include "model/key_comment.h"
#include "model/post/count.h"
#include "model/reader/tally.h"

#define POST "the-tide-in-forty-lines-of-c"
#define TIDE "/post/" POST
#define VOTE "/vote/" POST
#define MINUTES(n) ((n) * INT64_C(60000))

static void
fold(struct seeded *s)
{
	struct table_call call = {.arena = s->arena};
	size_t folded;

	if (count_fold_marked(s->table, &call, &folded) != TABLE_OK)
		bail_out("a fold fails");
}

/* The first comment of the page that the viewer can vote on; its id. */
static struct str
votable(struct browser *b)
{
	return part(b->last.body, "form=\"vote\" name=\"comment\" value=\"", ":");
}

static const char *
wish(struct browser *b, struct str id, const char *word)
{
	return str_cstring(b->s->arena, str_fmt(b->s->arena, "%.*s:%s", STR_ARGS(id), word));
}

/* What a page says of a comment. */
static struct str
about(struct browser *b, struct str id)
{
	const char *mark =
	    str_cstring(b->s->arena, str_fmt(b->s->arena, "id=\"c-%.*s\"", STR_ARGS(id)));

	return part(b->last.body, mark, "</article>");
}

static void
votes(struct seeded *s)
{
	struct browser b = browser_of(s, "noor");
	struct buf body = {.arena = s->arena};
	struct str id, before;
	const char *up;

	is_int(get(&b, TIDE), HTTP_OK, "a reader looks at a thread");
	is_int((int64_t)count_of(b.last.body, STR("<form id=\"vote\"")), 1, "one form for all votes");
	id = votable(&b);
	up = wish(&b, id, "up");
	before = part(about(&b, id), "<span>", " point");
	is_int(SUBMIT(&b, VOTE, "comment", up), HTTP_SEE_OTHER, "a vote is sent");
	is_str(leads_to(&b), str_fmt(s->arena, TIDE "#c-%.*s", STR_ARGS(id)),
	    "... and leads back to the comment");
	get(&b, TIDE);
	ok(!str_eq(part(about(&b, id), "<span>", " point"), before), "... it counts at once");
	ok(holds(about(&b, id), str_of(wish(&b, id, "off"))), "... and can be taken back");
	get(&b, TIDE "?comments=oldest");
	SUBMIT(&b, VOTE, "comment", wish(&b, id, "off"));
	is_str(leads_to(&b), str_fmt(s->arena, TIDE "?comments=oldest#c-%.*s", STR_ARGS(id)),
	    "... which leads back as well");
	get(&b, TIDE);
	is_str(part(about(&b, id), "<span>", " point"), before, "... and is as it was");
	is_int(SUBMIT(&b, VOTE, "comment", wish(&b, id, "sideways")), HTTP_NOT_FOUND, "nonsense");
	get(&b, TIDE);
	is_int(SUBMIT(&b, VOTE, "comment", "00000000000000:up"), HTTP_NOT_FOUND, "on no comment");
	get(&b, TIDE);
	put_field(&body, STR("csrf"), part(b.last.body, "name=\"csrf\" value=\"", "\""));
	put_field(&body, STR("comment"), str_of(up));
	put_field(&body, STR("from"), STR("//elsewhere.example"));
	is_int(fetch(&b, "POST", VOTE, buf_str(&body)), HTTP_SEE_OTHER, "a way back to elsewhere");
	ok(str_starts(leads_to(&b), STR(TIDE "/thread/")), "... is none");
}

static void
own_and_strangers(struct seeded *s)
{
	struct browser kofi = browser_of(s, "kofi"), b = browser(s, "192.0.2.9");
	struct item *found;
	struct query query = query_comments_of(s->arena, STR("kofi"));
	struct table_call call = {.arena = s->arena};
	struct str next, id, post;
	size_t count;

	query.limit = 1;
	query.descending = true;
	if (table_query(s->table, &call, &query, &found, &count, &next) != TABLE_OK || count == 0)
		bail_out("kofi has said nothing");
	id = item_string(found, STR("Id"));
	post = item_string(found, STR("Post"));
	get(&kofi, TIDE);
	is_int(SUBMIT(&kofi, VOTE, "comment", wish(&kofi, id, "up")), HTTP_NOT_FOUND,
	    "a comment is not another post's");
	if (str_eq(post, STR(POST)))
		bail_out("he has said it there");
	get(&kofi, text_in(s, "/post/%s", str_cstring(s->arena, post)));
	ok(!holds(kofi.last.body, str_of(wish(&kofi, id, "up"))), "nobody votes on what they said");
	give_password(s, "pascal", PASSWORD);
	get(&b, TIDE);
	ok(!holds(b.last.body, STR("<form id=\"vote\"")), "a stranger has no form");
	id = part(b.last.body, VOTE "?comment=", ":up");
	is_int(get(&b, text_in(s, VOTE "?comment=%s", wish(&b, id, "up"))), HTTP_SEE_OTHER,
	    "... but a link, to the sign-in");
	get(&b, str_cstring(s->arena, leads_to(&b)));
	SUBMIT(&b, "/login", "name", "pascal", "password", PASSWORD);
	is_int(get(&b, str_cstring(s->arena, leads_to(&b))), HTTP_OK, "who signs in is asked");
	ok(says(&b, "Vote up: the comment of "), "... whether they want it");
	is_int(SUBMIT(&b, VOTE, NULL), HTTP_SEE_OTHER, "yes");
	ok(str_starts(leads_to(&b), STR(TIDE "/thread/")), "... and sees the comment");
}

static void
news(struct seeded *s)
{
	struct browser b = browser_of(s, "noor"), kofi = browser_of(s, "kofi");
	struct str thread;

	s->clock.fixed_now += MINUTES(60);
	get(&b, "/post/green-flash");
	ok(!says(&b, "since your last visit"), "at the first visit nothing is new");
	get(&kofi, "/post/green-flash/comment");
	SUBMIT(&kofi, "/post/green-flash/comment", "do", "send", "text", "A flash, and green.");
	get(&b, "/post/green-flash");
	ok(!says(&b, "since your last visit"), "nor as long as it lasts");
	s->clock.fixed_now += MINUTES(60);
	get(&kofi, "/post/green-flash/comment");
	SUBMIT(&kofi, "/post/green-flash/comment", "do", "send", "text", "And another one.");
	s->clock.fixed_now += MINUTES(60);
	get(&b, "/post/green-flash");
	ok(says(&b, "1 new since your last visit"), "what came since is new");
	ok(says(&b, "<span class=\"badge\">New</span>"), "... and marked");
	get(&b, "/post/green-flash");
	ok(says(&b, "1 new since your last visit"), "... still after a reload");
	thread = STR_CONCAT(s->arena, STR("/post/green-flash/thread/"),
	    part(part(b.last.body, "And another one.", "</article>"),
		"/post/green-flash/comment?to=", "\""));
	get(&b, str_cstring(s->arena, thread));
	ok(says(&b, "And another one.") && says(&b, "<span class=\"badge\">New</span>"),
	    "... and marked on the page of its thread");
	get(&kofi, "/post/green-flash");
	ok(!says(&kofi, "since your last visit"), "what one said oneself is not");
	s->clock.fixed_now += MINUTES(31);
	get(&b, "/post/green-flash");
	ok(!says(&b, "since your last visit"), "at the next visit nothing is new");
}

static void
lists(struct seeded *s)
{
	struct browser b = browser_of(s, "ingrid");
	struct str page, id;
	size_t made;

	if (tally_make_all(s->table, &made) != TABLE_OK)
		bail_out("the tallies can't be made");
	ok(made == 0, "each thread of the seed has a tally");
	page = visit(s, STR("/comments")).body;
	ok(holds(page, STR("And another one.")), "the newest comments of the site");
	is_int((int64_t)count_of(page, STR("class=\"comment depth")), 20, "... are twenty on a page");
	ok(holds(page, STR("?after=")), "... which leads on");
	is_int(visit(s, STR("/comments")).cost.round_trips, 2, "... in two trips");
	get(&b, "/post/green-flash");
	id = votable(&b);
	SUBMIT(&b, "/vote/green-flash", "comment", wish(&b, id, "up"));
	b = browser_of(s, "noor");
	get(&b, "/post/green-flash");
	SUBMIT(&b, "/vote/green-flash", "comment", wish(&b, id, "up"));
	fold(s);
	page = visit(s, STR("/comments/best")).body;
	ok(holds(page, STR_CONCAT(s->arena, STR("id=\"c-"), id, STR("\""))), "and the best");
	ok(holds(page, STR("2 points")), "... with their points");
}

/* What is said under a post that not everybody sees is in no list of a stranger's. */
static void
hidden(struct seeded *s)
{
	struct item head = seeded_item(s, "POST#green-flash", "METADATA");

	item_set(s->arena, &head, STR("Visibility"), value_string(STR("private")));
	seeded_put(s, &head, 1);
	ok(!stranger_sees(s, "/comments", "And another one."), "what is private is not listed");
	ok(!stranger_sees(s, "/comments/best", "green-flash"), "... among the best neither");
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	votes(&s);
	own_and_strangers(&s);
	news(&s);
	lists(&s);
	hidden(&s);
	browsers_close(&s);
	return tap_done();
}

/* Samples of what readers do: see units_acts.h. */
#include "pictures.h"
#include "units_acts.h"

/* Its address depends on the time; the list knows it. */
enum http_status
see_collection(struct browser *b)
{
	struct str path;

	get(b, "/collections");
	path = part(b->last.body, "<a href=\"/collection/", "\"");
	path = STR_CONCAT(b->s->arena, STR("/collection/"), path);
	get(b, path.base);
	return get(b, path.base);
}

static enum http_status
see_of_collection(struct browser *b, const char *rest)
{
	const char *address;

	get(b, "/collections");
	address = behind(b, "/collection/",
	    STR_CONCAT(b->s->arena, part(b->last.body, "<a href=\"/collection/", "\""), str_of(rest))
		.base);
	get(b, address);
	return get(b, address);
}

enum http_status
see_collection_feed(struct browser *b)
{
	return see_of_collection(b, "/feed.atom");
}

enum http_status
see_collection_book(struct browser *b)
{
	return see_of_collection(b, "/book.epub");
}

/* The page of a reply under a post, or something of it. */
static enum http_status
see_in_thread(struct browser *b, const char *rest)
{
	struct str page, path = STR("");
	const char *address;

	get(b, "/post/" POST_ID);
	page = b->last.body;
	while (str_find(path, '.') == path.len &&
	       between(&page, STR("/post/" POST_ID "/thread/"), STR("#c-"), &path))
		;
	address = str_cstring(b->s->arena, STR_CONCAT(b->s->arena, STR("/post/" POST_ID "/thread/"),
					       path, str_of(rest)));
	get(b, address);
	return get(b, address);
}

enum http_status
see_thread(struct browser *b)
{
	return see_in_thread(b, "");
}

enum http_status
see_thread_feed(struct browser *b)
{
	return see_in_thread(b, "/feed.atom");
}

enum http_status
see_comment(struct browser *b)
{
	const char *address;

	get(b, "/post/" POST_ID);
	address = str_cstring(b->s->arena,
	    STR_CONCAT(b->s->arena, STR("/comment/"), part(b->last.body, "id=\"c-", "\"")));
	get(b, address);
	return get(b, address);
}

/* A collection of theirs with two posts, and its page of editing: "/collection/<id>". */
static const char *
own_collection(struct browser *b)
{
	struct str path, rest;

	get(b, "/collect/" POST_ID);
	SUBMIT(b, "/collect/" POST_ID, "collection", "", "name", "A sample");
	path = header(&b->last, "Location");
	rest = str_sub(path, strlen("/collection/"), path.len);
	path = STR_CONCAT(b->s->arena, STR("/collection/"), str_sub(rest, 0, str_find(rest, '/')));
	get(b, "/collect/first-brent-geese");
	SUBMIT(b, "/collect/first-brent-geese", "collection", path.base + strlen("/collection/"));
	get(b, behind(b, path.base, "/edit"));
	return path.base;
}

enum http_status
see_own_collection(struct browser *b)
{
	return get(b, behind(b, own_collection(b), "/edit"));
}

enum http_status
save_collection(struct browser *b)
{
	return SUBMIT(b, behind(b, own_collection(b), "/edit"), "name", "Another name");
}

enum http_status
arrange_collection(struct browser *b)
{
	return SUBMIT(b, behind(b, own_collection(b), "/posts"), "do", "down", "place", "1");
}

enum http_status
ask_to_delete_collection(struct browser *b)
{
	return get(b, behind(b, own_collection(b), "/delete"));
}

enum http_status
delete_collection(struct browser *b)
{
	const char *page = behind(b, own_collection(b), "/delete");

	get(b, page);
	return submit(b, page, (const char *const[]){NULL});
}

/* Of 500 bytes. */
#define NOTE_TEXT \
	"It has **tables** of every port that I sail to, and <https://tides.example/> for " \
	"others. What I miss are currents: they are drawn, not told. Whoever plans a passage " \
	"needs both, and finds here the half that is harder to come by. The pages are plain and" \
	" quick, also on a boat with a bad line; numbers can be copied. I have compared a month" \
	" of it with the staff at our quay, and was never further off than a hand, but for two " \
	"days of strong wind, of which no table can know. I go there each day, first.."
_Static_assert(sizeof(NOTE_TEXT) - 1 == 500, "a note of 500 bytes");

enum http_status
rate(struct browser *b)
{
	get(b, RATED);
	return SUBMIT(b, RATED, "do", "send", "stars", "4", "note", NOTE_TEXT);
}

enum http_status
rate_otherwise(struct browser *b)
{
	get(b, RATED);
	return SUBMIT(b, RATED, "do", "send", "stars", "2", "note", NOTE_TEXT);
}

enum http_status
hold_note(struct browser *b)
{
	get(b, RATED "/hold?of=noor");
	return SUBMIT(b, RATED "/hold?of=noor", "why", "It is off topic.");
}

enum http_status
approve_note(struct browser *b)
{
	get(b, RATED "/hold?of=tobias");
	SUBMIT(b, RATED "/hold?of=tobias", "why", "It is off topic.");
	get(b, "/admin/reviews");
	return SUBMIT(b, "/admin/reviews", "approve",
	    str_cstring(
		b->s->arena, part(b->last.body, "name=\"approve\" value=\"", "\"")));
}

enum http_status
withdraw(struct browser *b)
{
	get(b, RATED "/withdraw");
	return submit(b, RATED "/withdraw", (const char *const[]){NULL});
}

/* 2 KB of text. */
static enum http_status
write_comment(struct browser *b, const char *address, char letter)
{
	char *text = arena_alloc(b->s->arena, 2049);

	for (size_t i = 0; i < 2048; i++)
		text[i] = i % 8 == 7 ? ' ' : letter;
	text[2048] = '\0';
	b->s->clock.fixed_now += 60000;
	get(b, address);
	return SUBMIT(b, address, "do", "send", "text", text);
}

enum http_status
comment_on_post(struct browser *b)
{
	return write_comment(b, COMMENTED, 'a');
}

/* To what they have just written: a new thread. */
enum http_status
reply(struct browser *b)
{
	struct str page = (get(b, "/post/" POST_ID), b->last.body);
	struct str to = part(page, "<a class=\"reply\" href=\"" COMMENTED "?edit=", "\"");

	return write_comment(b,
	    str_cstring(b->s->arena, STR_CONCAT(b->s->arena, STR(COMMENTED "?to="), to)), 'b');
}

static const char *
own_comment(struct browser *b)
{
	struct str at;

	get(b, "/post/" POST_ID);
	at = part(b->last.body, "<a class=\"reply\" href=\"" COMMENTED "/delete", "\"");
	return str_cstring(b->s->arena, STR_CONCAT(b->s->arena, STR(COMMENTED "/delete"), at));
}

enum http_status
edit_comment(struct browser *b)
{
	struct str at;
	const char *address;

	get(b, "/post/" POST_ID);
	at = part(b->last.body, "<a class=\"reply\" href=\"" COMMENTED "?edit", "\"");
	address = str_cstring(b->s->arena, STR_CONCAT(b->s->arena, STR(COMMENTED "?edit"), at));
	get(b, address);
	return SUBMIT(b, address, "do", "send", "text", "Something shorter.");
}

enum http_status
ask_to_delete(struct browser *b)
{
	return get(b, own_comment(b));
}

/* Where its author answers to why it was hidden. */
static const char *
hidden_comment(struct browser *b)
{
	struct arena *arena = b->s->arena;
	struct str path, begin = str_cut(str_of(own_comment(b)), '=', &path), place;
	struct item item = seeded_item(b->s, "POST#" POST_ID,
	    str_cstring(arena, STR_CONCAT(arena, STR("COMMENT#"), path)));

	(void)begin;
	place = STR_CONCAT(arena, SEEDED_NOW, STR("#"), item_string(&item, STR("Id")));
	/* Who moderates is shown a link beside everybody's. */
	item_set(arena, &item, STR("Author"), value_string(STR("pascal")));
	item_set(arena, &item, STR("GSI1PK"), value_string(STR("USER#pascal")));
	item_set(arena, &item, STR("Status"), value_string(STR("hidden")));
	item_set(arena, &item, STR("HiddenAt"), value_string(SEEDED_NOW));
	item_set(arena, &item, STR("HiddenWhy"), value_string(STR("It is off topic.")));
	item_set(arena, &item, STR("GSI1SK"),
	    value_string(STR_CONCAT(arena, STR("HIDDEN#"), place)));
	item_set(arena, &item, STR("GSI3PK"), value_string(STR("HIDDEN")));
	item_set(arena, &item, STR("GSI3SK"), value_string(place));
	seeded_put(b->s, &item, 1);
	return str_cstring(arena, STR_CONCAT(arena, STR(COMMENTED "/answer?at="), path));
}

enum http_status
see_answer(struct browser *b)
{
	return get(b, hidden_comment(b));
}

enum http_status
answer_editors(struct browser *b)
{
	const char *address = hidden_comment(b);

	get(b, address);
	return SUBMIT(b, address, "answer", "It is not.");
}

enum http_status
delete_comment(struct browser *b)
{
	const char *address = own_comment(b);

	get(b, address);
	return SUBMIT(b, address, "x", "y");
}

/* The first comment of another under a post of kofi's. */
static const char *
decided(struct browser *b)
{
	struct str at;

	get(b, "/post/" POST_ID);
	at = part(b->last.body, COMMENTED "/decide?at=", "\"");
	return str_cstring(b->s->arena, STR_CONCAT(b->s->arena, STR(COMMENTED "/decide?at="), at));
}

enum http_status
see_decision(struct browser *b)
{
	return get(b, decided(b));
}

/* One that was hidden, which costs the same. */
enum http_status
restore_comment(struct browser *b)
{
	const char *address = decided(b);

	get(b, address);
	SUBMIT(b, address, "do", "hide", "why", "It is off topic.");
	get(b, address);
	return SUBMIT(b, address, "do", "restore");
}

enum http_status
decide(struct browser *b, const char *button)
{
	struct str value;

	get(b, "/admin/comments");
	value = part(b->last.body, "name=\"approve\" value=\"", "\"");
	return SUBMIT(b, "/admin/comments", button, str_cstring(b->s->arena, value));
}

enum http_status
approve_comment(struct browser *b)
{
	return decide(b, "approve");
}

/* Of the page of the newest comments. */
static enum http_status
hide_one(struct browser *b, struct str pick)
{
	struct buf body = {.arena = b->s->arena};

	put_field(&body, STR("csrf"), part(b->last.body, "name=\"csrf\" value=\"", "\""));
	put_field(&body, STR("pick"), pick);
	put_field(&body, STR("action"), STR("hide spam"));
	put_field(&body, STR("do"), STR("act"));
	return fetch(b, "POST", "/admin/comments/bulk", buf_str(&body));
}

enum http_status
decide_on_several(struct browser *b)
{
	get(b, "/admin/comments?show=newest");
	return hide_one(b, part(b->last.body, "name=\"pick\" value=\"", "\""));
}

#define RESTRICTED "/account/restricted/answer?of=PROFILE%23pascal"

enum http_status
see_restriction(struct browser *b)
{
	struct browser admin = browser_of(b->s, ADMIN);

	get(&admin, "/admin/comments?show=newest");
	hide_one(&admin, STR("profile pascal - - 0"));
	return get(b, RESTRICTED);
}

enum http_status
answer_restriction(struct browser *b)
{
	get(b, RESTRICTED);
	return SUBMIT(b, RESTRICTED, "answer", "Why?");
}

/* What somebody thinks of a post of another's, for the first time today: the costs table pins these. */
enum http_status
react(struct browser *b, const char *post, const char *name, const char *value)
{
	const char *action = str_cstring(b->s->arena, str_fmt(b->s->arena, "/react/%s", post));

	get(b, str_cstring(b->s->arena, str_fmt(b->s->arena, "/post/%s", post)));
	SUBMIT(b, action, name, "off");
	get(b, str_cstring(b->s->arena, str_fmt(b->s->arena, "/post/%s", post)));
	return SUBMIT(b, action, name, value);
}

enum http_status
like(struct browser *b)
{
	return react(b, POST_ID, "like", "love");
}

enum http_status
vote(struct browser *b)
{
	return react(b, "whip-a-ropes-end", "vote", "up");
}

enum http_status
bookmark(struct browser *b)
{
	return react(b, POST_ID, "bookmark", "on");
}

/* A vote on the first comment under a post that is not one's own: `<comment>:up`. */
static const char *
first_vote(struct browser *b)
{
	get(b, "/post/" POST_ID);
	return str_cstring(b->s->arena,
	    STR_CONCAT(b->s->arena,
		part(b->last.body, "form=\"vote\" name=\"comment\" value=\"", ":"), STR(":up")));
}

enum http_status
vote_on_comment(struct browser *b)
{
	const char *up = first_vote(b);
	struct str rest, id = str_cut(str_of(up), ':', &rest);
	const char *off = str_cstring(b->s->arena, STR_CONCAT(b->s->arena, id, STR(":off")));

	SUBMIT(b, "/vote/" POST_ID, "comment", off);
	get(b, "/post/" POST_ID);
	return SUBMIT(b, "/vote/" POST_ID, "comment", up);
}

enum http_status
ask_for_vote(struct browser *b)
{
	const char *address = str_cstring(b->s->arena,
	    STR_CONCAT(b->s->arena, STR("/vote/" POST_ID "?comment="), str_of(first_vote(b))));

	get(b, address);
	return get(b, address);
}

/* Two tags of one's own. */
enum http_status
tag_bookmark(struct browser *b)
{
	react(b, POST_ID, "bookmark", "on");
	get(b, "/account/bookmark/" POST_ID);
	return SUBMIT(b, "/account/bookmark/" POST_ID, "tags", "later, tides");
}

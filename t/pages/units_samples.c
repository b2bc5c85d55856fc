/* What docs/costs.md is measured with, row by row: see units.h. */
#include "pictures.h"
#include "submit.h"
#include "units.h"

#include "lib/picture.h"
#include "lib/tap.h"

#include "base/log.h"
#include "derive/stream_worker.h"
#include "model/key.h"
#include "model/key_notification.h"
#include "model/people/totp.h"
#include "model/plan.h"
#include "model/site/subscriber.h"
#include "model/site/unsubscribe.h"
#include "web/http/asset.h"
#include "web/mail/mail.h"

#define PASSWORD "four words in a row"
#define ADMIN "marta"
#define POST_ID "the-tide-in-forty-lines-of-c"
#define DRAFT_ID "fog-a-first-attempt"
#define COMMENTED "/post/" POST_ID "/comment"
#define COMMENTED_WHOLE "/post/" POST_ID "/discussion"

/* What stands for a captured segment. */
static const struct {
	const char *name, *value;
} captures[] = {
    {":slug", "the-tide-in-forty-lines-of-c"},
    {":username", "kofi"},
    {":tag", "tides"},
    {":year", "2026"},
    {":month", "11"},
    {":day", "18"},
    {":id", "the-tide-in-forty-lines-of-c"},
    {":kind", "note"},
    {":span", "year"},
    {":section", "published"},
    {":group", "proofreaders"},
    {":code", "none"},
    {":hash", "none"},
    {":stars", "5"},
    {":feed", "rss"},
    {":file", "days.csv"},
};

struct str
sample_capture(struct str segment)
{
	for (size_t i = 0; i < sizeof(captures) / sizeof(captures[0]); i++)
		if (str_eq(str_of(captures[i].name), segment))
			return str_of(captures[i].value);
	return segment;
}

/* --- What needs more than an address and a form ----------------------------------------------------- */

/* Its address depends on the time; the list knows it. */
static enum http_status
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
see_collection_feed(struct browser *b)
{
	const char *feed;

	get(b, "/collections");
	feed = behind(b, "/collection/",
	    STR_CONCAT(
		b->s->arena, part(b->last.body, "<a href=\"/collection/", "\""), STR("/feed.atom"))
		.base);
	get(b, feed);
	return get(b, feed);
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

static enum http_status
see_thread(struct browser *b)
{
	return see_in_thread(b, "");
}

static enum http_status
see_thread_feed(struct browser *b)
{
	return see_in_thread(b, "/feed.atom");
}

static enum http_status
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

static enum http_status
see_own_collection(struct browser *b)
{
	return get(b, behind(b, own_collection(b), "/edit"));
}

static enum http_status
save_collection(struct browser *b)
{
	return SUBMIT(b, behind(b, own_collection(b), "/edit"), "name", "Another name");
}

static enum http_status
arrange_collection(struct browser *b)
{
	return SUBMIT(b, behind(b, own_collection(b), "/posts"), "do", "down", "place", "1");
}

static enum http_status
ask_to_delete_collection(struct browser *b)
{
	return get(b, behind(b, own_collection(b), "/delete"));
}

static enum http_status
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
#define RATED "/post/dates-that-sort/rating"

static enum http_status
rate(struct browser *b)
{
	get(b, RATED);
	return SUBMIT(b, RATED, "do", "send", "stars", "4", "note", NOTE_TEXT);
}

static enum http_status
rate_otherwise(struct browser *b)
{
	get(b, RATED);
	return SUBMIT(b, RATED, "do", "send", "stars", "2", "note", NOTE_TEXT);
}

static enum http_status
hold_note(struct browser *b)
{
	get(b, RATED "/hold?of=noor");
	return SUBMIT(b, RATED "/hold?of=noor", "why", "It is off topic.");
}

static enum http_status
approve_note(struct browser *b)
{
	get(b, RATED "/hold?of=tobias");
	SUBMIT(b, RATED "/hold?of=tobias", "why", "It is off topic.");
	get(b, "/admin/reviews");
	return SUBMIT(b, "/admin/reviews", "approve",
	    str_cstring(
		b->s->arena, part(b->last.body, "name=\"approve\" value=\"", "\"")));
}

static enum http_status
withdraw(struct browser *b)
{
	get(b, RATED "/withdraw");
	return submit(b, RATED "/withdraw", (const char *const[]){NULL});
}

/* A picture of one size; what makes it smaller is nobody's cost here, and may not be installed. */
static enum http_status
send_picture(struct browser *b)
{
	const struct upload sent[] = {{"a.png", picture_png(b->s->arena, 30, 20, 1)}, {NULL}};
	const struct upload first[] = {{"b.png", picture_png(b->s->arena, 31, 20, 1)}, {NULL}};

	pictures_open(b->s);
	pictures_program(b->s, "echo picture >&3");
	/* Their first one is counted with all that they had before. */
	upload(b, NULL, first);
	return upload(b, NULL, sent);
}

static const char *
picture_of(struct browser *b)
{
	get(b, "/uploads");
	return first_picture(b);
}

static enum http_status
see_picture(struct browser *b)
{
	return get(b, picture_of(b));
}

static enum http_status
delete_picture(struct browser *b)
{
	const char *page = picture_of(b);

	get(b, page);
	return submit(b, behind(b, page, "/delete"), (const char *const[]){NULL});
}

static enum http_status
see_style(struct browser *b)
{
	return get(b, str_cstring(b->s->arena, asset_url(b->s->site.assets, STR("style.css"))));
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

static enum http_status
comment_on_post(struct browser *b)
{
	return write_comment(b, COMMENTED, 'a');
}

/* To what they have just written: a new thread. */
static enum http_status
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

static enum http_status
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

static enum http_status
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

static enum http_status
see_answer(struct browser *b)
{
	return get(b, hidden_comment(b));
}

static enum http_status
answer_editors(struct browser *b)
{
	const char *address = hidden_comment(b);

	get(b, address);
	return SUBMIT(b, address, "answer", "It is not.");
}

static enum http_status
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

static enum http_status
see_decision(struct browser *b)
{
	return get(b, decided(b));
}

/* One that was hidden, which costs the same. */
static enum http_status
restore_comment(struct browser *b)
{
	const char *address = decided(b);

	get(b, address);
	SUBMIT(b, address, "do", "hide", "why", "It is off topic.");
	get(b, address);
	return SUBMIT(b, address, "do", "restore");
}

static enum http_status
decide(struct browser *b, const char *button)
{
	struct str value;

	get(b, "/admin/comments");
	value = part(b->last.body, "name=\"approve\" value=\"", "\"");
	return SUBMIT(b, "/admin/comments", button, str_cstring(b->s->arena, value));
}

static enum http_status
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

static enum http_status
decide_on_several(struct browser *b)
{
	get(b, "/admin/comments?show=newest");
	return hide_one(b, part(b->last.body, "name=\"pick\" value=\"", "\""));
}

#define RESTRICTED "/account/restricted/answer?of=PROFILE%23pascal"

static enum http_status
see_restriction(struct browser *b)
{
	struct browser admin = browser_of(b->s, ADMIN);

	get(&admin, "/admin/comments?show=newest");
	hide_one(&admin, STR("profile pascal - - 0"));
	return get(b, RESTRICTED);
}

static enum http_status
answer_restriction(struct browser *b)
{
	get(b, RESTRICTED);
	return SUBMIT(b, RESTRICTED, "answer", "Why?");
}

/* The code that an app shows, for one who needs it at each sign-in. */
static enum http_status
second_step(struct browser *b)
{
	struct browser own = browser_of(b->s, "tobias");
	struct str secret;

	get(&own, "/account/two-step");
	secret = app_secret(&own);
	SUBMIT(&own, "/account/two-step", "code", app_code(b->s, secret, 0), "password", PASSWORD);
	b->s->clock.fixed_now += 2 * TOTP_STEP_MS;
	sign_in(b, "tobias", PASSWORD);
	return SUBMIT(b, "/login/code", "code", app_code(b->s, secret, 0));
}

static enum http_status
enrol(struct browser *b)
{
	get(b, "/account/two-step");
	return SUBMIT(
	    b, "/account/two-step", "code", app_code(b->s, app_secret(b), 0), "password", PASSWORD);
}

/* A new follower, marked as read. */
static enum http_status
read_notifications(struct browser *b)
{
	struct arena *arena = b->s->arena;
	int64_t now = b->s->clock.fixed_now;
	struct item note = {.count = 0};
	struct str of = STR("pascal#pascal");

	key_set(arena, &note,
	    key_note(arena, STR("noor"), key_note_place(arena, now, STR("follower"), STR("people"))),
	    ITEM_NOTIFICATION);
	key_index_note(arena, &note, STR("noor"), now, STR("follower"), STR("people"));
	item_set(arena, &note, STR("At"), value_string(time_format(arena, now)));
	item_set(arena, &note, STR("Of"), value_strings(arena, &of, 1));
	item_set(arena, &note, STR("Target"), value_string(STR("people")));
	item_set(arena, &note, STR("What"), value_string(STR("follower")));
	seeded_put(b->s, &note, 1);
	get(b, "/account/notifications");
	return SUBMIT(b, "/account/notifications", "read",
	    str_cstring(arena, part(b->last.body, "name=\"read\" value=\"", "\"")));
}

static enum http_status
unblock(struct browser *b)
{
	get(b, "/author/pascal/block");
	SUBMIT(b, "/author/pascal/block", "x", "y");
	get(b, "/account/blocked");
	return SUBMIT(b, "/account/blocked", "unblock", "pascal");
}

/* The last hour alone, in which there is nothing: what each item costs is in docs/table.md. */
static enum http_status
purge_and_restore(struct browser *b)
{
	struct browser other = browser_of(b->s, ADMIN);
	enum http_status status = (get(b, "/admin/users/pascal/purge"),
	    SUBMIT(b, "/admin/users/pascal/purge", "hours", "hour", "name", "pascal"));

	get(&other, "/admin/users/pascal/purge");
	SUBMIT(&other, "/admin/users/pascal/purge", "do", "restore");
	return status;
}

#define SUSPEND "/admin/users/pascal/suspend"

static enum http_status
see_suspension(struct browser *b)
{
	struct browser admin = browser_of(b->s, ADMIN);

	get(&admin, SUSPEND);
	SUBMIT(&admin, SUSPEND, "days", "3", "why", "A pause.");
	get(b, "/account/suspension");
	return get(b, "/account/suspension");
}

static enum http_status
answer_suspension(struct browser *b)
{
	struct browser admin = browser_of(b->s, ADMIN);
	enum http_status status =
	    (get(b, "/account/suspension"), SUBMIT(b, "/account/suspension", "text", "Why?"));

	get(&admin, SUSPEND);
	SUBMIT(&admin, SUSPEND, "end", "1");
	return status;
}

/* Of the one who was suspended, who is let write again. */
static enum http_status
settle_appeal(struct browser *b)
{
	enum http_status status;

	get(b, "/admin/appeals");
	status = SUBMIT(b, "/admin/appeals", "settle",
	    str_cstring(b->s->arena, part(b->last.body, "name=\"settle\" value=\"", "\"")));
	return status;
}

/* The last letter; the mailer rests before it is read. */
static char letter[2000];

static const char *
keep_letter(const struct mail_transport *transport, const struct mail *mail, struct arena *arena)
{
	(void)transport;
	(void)arena;
	snprintf(letter, sizeof(letter), "%.*s", STR_ARGS(mail->text));
	return NULL;
}

/* What the mailer does is not the page's cost. */
static enum http_status
forgot(struct browser *b)
{
	get(b, "/forgot");
	SUBMIT(b, "/forgot", "name", "kofi");
	mailer_rest(b->s->site.mailer);
	return b->last.status;
}

static const char *
reset_link(struct browser *b)
{
	forgot(b);
	return str_cstring(
	    b->s->arena, STR_CONCAT(b->s->arena, STR("/reset/"),
			     part(str_of(letter), "https://slack.example/reset/", "\n")));
}

static enum http_status
see_reset(struct browser *b)
{
	const char *link = reset_link(b);

	get(b, link);
	return get(b, link);
}

static enum http_status
reset(struct browser *b)
{
	const char *link = reset_link(b);

	get(b, link);
	return SUBMIT(b, link, "new_password", PASSWORD);
}

/* Somebody has named another address. */
static const char *
confirm_link(struct browser *b)
{
	struct browser owner = browser_of(b->s, "noor");

	get(&owner, "/account");
	SUBMIT(&owner, "/account/email", "email", "crust@example.org", "email_password", PASSWORD);
	mailer_rest(b->s->site.mailer);
	return str_cstring(
	    b->s->arena, STR_CONCAT(b->s->arena, STR("/confirm/"),
			     part(str_of(letter), "https://slack.example/confirm/", "\n")));
}

static enum http_status
see_confirm(struct browser *b)
{
	const char *link = confirm_link(b);

	get(b, link);
	return get(b, link);
}

static enum http_status
confirm_address(struct browser *b)
{
	const char *link = confirm_link(b);

	get(b, link);
	return SUBMIT(b, link, "x", "y");
}

/* What the mailer does is not the page's cost. */
static enum http_status
subscribe(struct browser *b)
{
	get(b, "/subscribe");
	SUBMIT(b, "/subscribe", "email", "new@example.org", "rhythm", "each");
	mailer_rest(b->s->site.mailer);
	return b->last.status;
}

/* Somebody has asked for letters, and confirmed it if so: the address of their page, or of what is below it. */
static const char *
subscription(struct browser *b, bool confirmed, const char *end)
{
	struct table_call call = {.arena = b->s->arena};
	struct plan plan = {.table = b->s->table,
	    .call = &call,
	    .clock = &b->s->clock,
	    .now = b->s->clock.fixed_now};
	struct subscriber s;

	if (subscriber_ask(&plan, STR("reader@example.org"), RHYTHM_EACH, &s) != PLAN_DONE ||
	    (confirmed && subscriber_confirm(&plan, &s) != PLAN_DONE))
		bail_out("nobody subscribes");
	table_release(b->s->table, &call);
	return str_cstring(
	    b->s->arena, STR_CONCAT(b->s->arena, STR("/subscribe/"), subscriber_code(b->s->arena, &s),
			     str_of(end)));
}

static enum http_status
see_subscription(struct browser *b)
{
	const char *link = subscription(b, false, "");

	get(b, link);
	return get(b, link);
}

static enum http_status
confirm_subscription(struct browser *b)
{
	const char *link = subscription(b, false, "");

	get(b, link);
	return SUBMIT(b, link, "x", "y");
}

static enum http_status
see_subscription_end(struct browser *b)
{
	const char *link = subscription(b, true, "/end");

	get(b, link);
	return get(b, link);
}

static enum http_status
end_subscription(struct browser *b)
{
	return fetch(b, "POST", subscription(b, true, "/end"),
	    STR("List-Unsubscribe=One-Click"));
}

static void
one_subscribes(struct browser *b)
{
	subscription(b, true, "");
}

static enum http_status
remove_subscriber(struct browser *b)
{
	one_subscribes(b);
	get(b, "/admin/subscribers");
	SUBMIT(b, "/admin/subscribers/remove", "remove",
	    str_cstring(b->s->arena, subscriber_hash(b->s->arena, STR("reader@example.org"))));
	return SUBMIT(b, "/admin/subscribers/remove", "sure", "1");
}

/* By the link in a letter of the week. */
static const char *
letters_link(struct browser *b)
{
	struct secret_keys keys;

	site_keys(&b->s->site, UNSUBSCRIBE_PURPOSE, &keys);
	return str_cstring(b->s->arena, STR_CONCAT(b->s->arena, STR("/letters/"),
	    unsubscribe_token(b->s->arena, &b->s->clock, &keys, STR("noor"), UNSUBSCRIBE_WEEK)));
}

static enum http_status
see_end_letters(struct browser *b)
{
	const char *link = letters_link(b);

	get(b, link);
	return get(b, link);
}

static enum http_status
end_letters(struct browser *b)
{
	const char *link = letters_link(b);
	struct browser noor = browser_of(b->s, "noor");

	get(&noor, "/account/letters");
	SUBMIT(&noor, "/account/letters", "week", "1");
	get(b, link);
	return SUBMIT(b, link, "x", "y");
}

/* A post that was saved into the category while it was being merged. */
static void
leave_one_behind(struct browser *b)
{
	struct item head = seeded_item(b->s, "POST#" POST_ID, "METADATA");
	struct item changed = item_copy(b->s->arena, &head);

	item_set(b->s->arena, &changed, STR("Category"), value_string(STR("kitchen")));
	item_set(b->s->arena, &changed, STR("GSI2PK"), value_string(STR("CATEGORY#kitchen")));
	seeded_put(b->s, &changed, 1);
}

/* So that there are two of them: the first save keeps what was there before. */
static void
make_revisions(struct browser *b)
{
	submit_form(b, "/edit/" POST_ID, "/edit/" POST_ID,
	    (const char *const[]){"title", "The tide in fifty lines of C", "do", "save", NULL});
}

/* The address of a link to a draft, as its author is shown it. */
static struct str
draft_link(struct browser *author)
{
	get(author, "/share/" DRAFT_ID);
	SUBMIT(author, "/share/" DRAFT_ID, "days", "7");
	return part(author->last.body, "class=\"secret\" href=\"https://slack.example", "\"");
}

static enum http_status
revoke_link(struct browser *b)
{
	get(b, "/share/" DRAFT_ID);
	return SUBMIT(b, "/share/" DRAFT_ID "/revoke", "link",
	    str_cstring(b->s->arena, part(b->last.body, "name=\"link\" value=\"", "\"")));
}

/* By its ticket, and as the page sends it that asks first. */
static enum http_status
take_down_private(struct browser *b)
{
	struct buf body = {.arena = b->s->arena};

	get(b, "/admin/posts?author=ingrid&state=closed");
	put_field(&body, STR("csrf"), part(b->last.body, "name=\"csrf\" value=\"", "\""));
	put_field(&body, STR("unpublish"), part(b->last.body, "name=\"unpublish\" value=\"", "\""));
	put_field(&body, STR("sure"), STR("1"));
	return fetch(b, "POST", "/admin/posts", buf_str(&body));
}

static enum http_status
see_draft(struct browser *b)
{
	struct browser author = browser_of(b->s, "lowri");
	const char *link = str_cstring(b->s->arena, draft_link(&author));

	get(b, link);
	return get(b, link);
}

static void
name_tobias(struct browser *b)
{
	struct browser author = browser_of(b->s, ADMIN);

	submit_form(&author, "/edit/" DRAFT_ID, "/edit/" DRAFT_ID,
	    (const char *const[]){"others", "tobias", "do", "save", NULL});
}

/* What somebody thinks of a post of another's, for the first time today: the costs table pins these. */
static enum http_status
react(struct browser *b, const char *post, const char *name, const char *value)
{
	const char *action = str_cstring(b->s->arena, str_fmt(b->s->arena, "/react/%s", post));

	get(b, str_cstring(b->s->arena, str_fmt(b->s->arena, "/post/%s", post)));
	SUBMIT(b, action, name, "off");
	get(b, str_cstring(b->s->arena, str_fmt(b->s->arena, "/post/%s", post)));
	return SUBMIT(b, action, name, value);
}

static enum http_status
like(struct browser *b)
{
	return react(b, POST_ID, "like", "love");
}

static enum http_status
vote(struct browser *b)
{
	return react(b, "whip-a-ropes-end", "vote", "up");
}

static enum http_status
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

static enum http_status
vote_on_comment(struct browser *b)
{
	const char *up = first_vote(b);
	struct str rest, id = str_cut(str_of(up), ':', &rest);
	const char *off = str_cstring(b->s->arena, STR_CONCAT(b->s->arena, id, STR(":off")));

	SUBMIT(b, "/vote/" POST_ID, "comment", off);
	get(b, "/post/" POST_ID);
	return SUBMIT(b, "/vote/" POST_ID, "comment", up);
}

static enum http_status
ask_for_vote(struct browser *b)
{
	const char *address = str_cstring(b->s->arena,
	    STR_CONCAT(b->s->arena, STR("/vote/" POST_ID "?comment="), str_of(first_vote(b))));

	get(b, address);
	return get(b, address);
}

/* Two tags of one's own. */
static enum http_status
tag_bookmark(struct browser *b)
{
	react(b, POST_ID, "bookmark", "on");
	get(b, "/account/bookmark/" POST_ID);
	return SUBMIT(b, "/account/bookmark/" POST_ID, "tags", "later, tides");
}

/* --- The rows --------------------------------------------------------------------------------------- */

#define CATEGORY "/admin/categories/rigging"
#define MERGED "/admin/categories/kitchen"
#define OTHER "/admin/users/pascal"
#define COMPARED "/revisions/" POST_ID "/compare?from=1&to=2"
#define NEW_POST(title_) "title", title_, "markdown", "Text.", "tags", "tides", "category", "tides"
#define PERSON "/admin/users/kofi"

const struct sample samples[] = {
    {"GET /post/:slug/likes", ADMIN, .address = "/post/" POST_ID "/likes"},
    {"GET /react/:id", ADMIN, .address = "/react/" POST_ID "?like=laugh"},
    {"POST /react/:id", "pascal", .button = "like", .send = like},
    {"POST /react/:id", "pascal", .button = "vote", .send = vote},
    {"POST /react/:id", "pascal", .button = "bookmark", .send = bookmark},
    {"GET /vote/:id", "noor", .send = ask_for_vote},
    {"POST /vote/:id", "noor", .send = vote_on_comment},
    {"GET /account/bookmark/:id", "pascal", .address = "/account/bookmark/" POST_ID},
    {"POST /account/bookmark/:id", "pascal", .send = tag_bookmark},
    {"GET /account/bookmarks/:tag", "pascal", .address = "/account/bookmarks/later"},
    {"GET /page/:slug", .address = "/page/about"},
    {"GET /post/:slug/reviews", .address = "/post/noaa-tides-and-currents/reviews"},
    {"GET /post/:id/rating", ADMIN, .address = RATED},
    {"POST /post/:id/rating", "pascal", .button = "a note of 500 bytes", .send = rate},
    {"POST /post/:id/rating", "pascal", .button = "other stars", .send = rate_otherwise},
    {"GET /post/:id/rating/withdraw", "pascal", .address = RATED "/withdraw"},
    {"GET /post/:id/rating/hold", ADMIN, .address = RATED "/hold?of=noor"},
    {"POST /post/:id/rating/hold", ADMIN, .send = hold_note},
    {"POST /admin/reviews", .send = approve_note},
    {"POST /post/:id/rating/withdraw", "pascal", .send = withdraw},
    {"GET /author/:username/reviews", .address = "/author/lowri/reviews"},
    {"GET /category/:slug", .address = "/category/kitchen"},
    {"GET /category/:slug/feed.atom", .address = "/category/kitchen/feed.atom"},
    {"GET /search", .address = "/search?q=tide"},
    {"GET /search/feed.atom", .address = "/search/feed.atom?q=tide"},
    {"GET /search/suggest", .address = "/search/suggest?q=dou"},
    {"GET /post/:slug/thread/:path", .send = see_thread},
    {"GET /post/:slug/thread/:path/feed.atom", .send = see_thread_feed},
    {"GET /comment/:id", .send = see_comment},
    {"GET /collection/:id", .send = see_collection},
    {"GET /collection/:id/feed.atom", .send = see_collection_feed},
    {"POST /account/collections", "noor", .page = "/account/collections",
	.fields = {"name", "A sample"}},
    {"GET /collection/:id/edit", "noor", .send = see_own_collection},
    {"POST /collection/:id/edit", "noor", .send = save_collection},
    {"POST /collection/:id/posts", "noor", .send = arrange_collection},
    {"GET /collection/:id/delete", "noor", .send = ask_to_delete_collection},
    {"POST /collection/:id/delete", "noor", .send = delete_collection},
    {"POST /collect/:id", "noor", .address = "/collect/" POST_ID, .page = "/collect/" POST_ID,
	.fields = {"collection", "", "name", "A sample"}},
    {"GET /flag/:what/:id", "noor", .address = "/flag/profile/kofi"},
    {"POST /flag/:what/:id", "noor", .address = "/flag/profile/kofi",
	.page = "/flag/profile/kofi", .fields = {"reason", "unkind", "note", "Look at it."}},
    {"GET /sitemap/:file", .address = "/sitemap/2026-11.xml"},
    {"GET /static/:file", .send = see_style},
    {"POST /login", .page = "/login", .fields = {"name", "noor", "password", PASSWORD}},
    {"POST /login/code", .send = second_step},
    {"POST /logout", "noor", .page = "/account"},
    {"POST /register", .page = "/register",
	.fields = {"username", "newcomer", "email", "newcomer@example.org", "password", PASSWORD}},
    {"POST /forgot", .send = forgot},
    {"GET /reset/:code", .send = see_reset},
    {"POST /reset/:code", .send = reset},
    {"GET /confirm/:code", .send = see_confirm},
    {"POST /confirm/:code", .send = confirm_address},
    {"POST /subscribe", .send = subscribe},
    {"GET /subscribe/:code", .send = see_subscription},
    {"POST /subscribe/:code", .send = confirm_subscription},
    {"POST /admin/subscribers", ADMIN, .page = "/admin/subscribers",
	.prepare = one_subscribes, .fields = {"address", "reader@example.org"}},
    {"POST /admin/subscribers/export", ADMIN, .page = "/admin/subscribers"},
    {"POST /admin/subscribers/remove", ADMIN, .send = remove_subscriber},
    {"GET /subscribe/:code/end", .send = see_subscription_end},
    {"POST /subscribe/:code/end", .send = end_subscription},
    {"POST /account/profile", "noor", .page = "/account", .fields = {"bio", "Bread."}},
    {"POST /account/email", "noor", .page = "/account",
	.fields = {"email", "bread@example.org", "email_password", PASSWORD}},
    {"POST /account/password", "noor", .page = "/account",
	.fields = {"old_password", PASSWORD, "new_password", PASSWORD " more"}},
    {"POST /account/sessions", "noor", .page = "/account",
	.fields = {"session", "others", "sessions_password", PASSWORD " more"}},
    {"POST /author/:username/follow", "noor", .address = "/author/ingrid/follow",
	.page = "/author/ingrid", .fields = {"do", "follow"}},
    {"POST /author/:username/block", "noor", .page = "/author/tobias/block",
	.fields = {"do", "block"}},
    {"POST /account/following", ADMIN, .page = "/account/following",
	.fields = {"unfollow", "noor"}},
    {"POST /account/followers", ADMIN, .page = "/account/followers", .fields = {"remove", "noor"}},
    {"POST /account/blocked", "noor", .send = unblock},
    {"POST /author/:username/mute", "noor", .address = "/author/tobias/mute",
	.page = "/author/tobias", .fields = {"do", "mute"}},
    {"POST /tag/:tag/mute", "noor", .address = "/tag/tides/mute", .page = "/tag/tides",
	.fields = {"do", "mute"}},
    {"GET /follow/:what/:name", "noor", .address = "/follow/tag/boats"},
    {"POST /follow/:what/:name", "noor", .button = "post", .address = "/follow/post/" POST_ID,
	.page = "/post/" POST_ID, .fields = {"do", "follow"}},
    {"POST /follow/:what/:name", "noor", .button = "tag", .address = "/follow/tag/boats",
	.page = "/tag/boats", .fields = {"do", "follow"}},
    {"POST /account/notifications", "noor", .send = read_notifications},
    {"POST /account/notifications/settings", "noor", .page = "/account/notifications/settings",
	.fields = {"page", "reply"}},
    {"POST /account/watching", "noor", .page = "/account/watching",
	.fields = {"undo", "tag/boats/"}},
    {"POST /account/letters", "noor", .page = "/account/letters", .fields = {"week", "1"}},
    {"GET /letters/:token", .send = see_end_letters},
    {"POST /letters/:token", .send = end_letters},
    {"POST /account/muted", "noor", .page = "/account/muted", .fields = {"person", "pascal"}},
    {"GET /admin/users/:username/trace", ADMIN, .address = "/admin/users/pascal/trace"},
    {"GET /admin/users/:username/purge", ADMIN, .address = "/admin/users/pascal/purge"},
    {"POST /admin/users/:username/purge", ADMIN, .send = purge_and_restore},
    {"POST /admin/users/:username/suspend", ADMIN, .address = "/admin/users/pascal/suspend",
	.page = "/admin/users/pascal/suspend", .fields = {"days", "3", "why", "A pause."}},
    {"GET /account/suspension", "pascal", .send = see_suspension},
    {"POST /account/suspension", "pascal", .send = answer_suspension},
    {"POST /admin/addresses", ADMIN, .page = "/admin/addresses",
	.fields = {"range", "203.0.113.0/24", "hours", "24"}},
    {"POST /admin/appeals", ADMIN, .send = settle_appeal},
    {"POST /uploads", ADMIN, .send = send_picture},
    {"GET /uploads/:hash", ADMIN, .send = see_picture},
    {"POST /uploads/:hash/delete", ADMIN, .send = delete_picture},
    {"POST /account/export", "noor", .page = "/account/data"},
    {"POST /account/delete", "noor", .page = "/account/data",
	.fields = {"delete_password", PASSWORD " more", "posts", "keep"}},
    {"POST /account/two-step", ADMIN, .send = enrol},
    {"POST /account/two-step/codes", ADMIN, .page = "/account/two-step",
	.fields = {"codes_password", PASSWORD}},
    {"POST /account/two-step/off", ADMIN, .page = "/account/two-step",
	.fields = {"off_password", PASSWORD}},
    {"POST /admin/posts", .send = take_down_private},
    {"POST /post/:id/comment", "pascal", .button = "preview", .fields = {"text", "A *preview*."}},
    {"POST /post/:id/comment", "pascal", .button = "draft", .fields = {"text", "A *draft*."}},
    {"POST /post/:id/comment", "pascal", .button = "discard"},
    {"POST /post/:id/comment", "pascal", .send = comment_on_post},
    {"POST /post/:id/comment", "pascal", .send = reply},
    {"POST /post/:id/comment", "pascal", .send = edit_comment},
    {"GET /post/:id/comment/delete", "pascal", .send = ask_to_delete},
    {"GET /post/:id/comment/answer", "pascal", .send = see_answer},
    {"POST /post/:id/comment/answer", "pascal", .send = answer_editors},
    {"POST /post/:id/comment/delete", "pascal", .send = delete_comment},
    {"GET /post/:id/comment/decide", "kofi", .send = see_decision},
    {"POST /post/:id/comment/decide", "kofi", .button = "restore", .send = restore_comment},
    {"GET /post/:id/discussion", ADMIN, .address = COMMENTED_WHOLE},
    {"POST /post/:id/discussion", ADMIN, .address = COMMENTED_WHOLE, .button = "off"},
    {"POST /post/:id/discussion", ADMIN, .address = COMMENTED_WHOLE, .button = "on"},
    {"POST /admin/comments", .send = approve_comment},
    {"GET /account/restricted/answer", "pascal", .send = see_restriction},
    {"POST /account/restricted/answer", "pascal", .send = answer_restriction},
    {"POST /admin/comments/bulk", .send = decide_on_several},
    {"GET /admin/person/:username", .address = "/admin/person/pascal"},
    {"POST /admin/person/:username", .address = "/admin/person/pascal",
	.page = "/admin/person/pascal", .fields = {"text", "Sells ships."}},
    {"POST /admin/categories", .page = "/admin/categories",
	.fields = {"name", "A sample", "slug", "a-sample"}},
    {"POST /admin/category-order", .page = "/admin/categories", .fields = {"up", "kitchen"}},
    {"GET /admin/categories/:slug", .address = CATEGORY},
    {"POST /admin/categories/:slug", .address = CATEGORY},
    {"POST /admin/categories/:slug/merge", .address = MERGED "/merge", .page = MERGED,
	.fields = {"into", "town"}},
    {"POST /admin/categories/:slug/move", .address = MERGED "/move", .page = MERGED,
	.prepare = leave_one_behind},
    {"GET /admin/categories/:slug/delete", .address = "/admin/categories/a-sample/delete"},
    {"POST /admin/categories/:slug/delete", .address = "/admin/categories/a-sample/delete"},
    {"POST /admin/users/:username/role", .page = PERSON, .fields = {"role", "editor"}},
    {"POST /admin/users/:username/enable", .page = PERSON},
    {"POST /admin/users/:username/sessions", .page = PERSON},
    {"POST /admin/users/:username/reset", .page = PERSON},
    {"POST /admin/users/:username/verify", .page = PERSON, .fields = {"verify", "yes"}},
    {"POST /admin/users/:username/groups", .address = OTHER "/groups", .page = OTHER,
	.fields = {"group", "proofreaders"}},
    {"POST /admin/users/:username/leave", .address = OTHER "/leave", .page = OTHER,
	.fields = {"leave", "proofreaders"}},
    {"POST /admin/groups", .page = "/admin/groups",
	.fields = {"name", "sample", "title", "A sample"}},
    {"POST /admin/groups/:group/members", .page = "/admin/groups/proofreaders",
	.fields = {"username", "pascal"}},
    {"POST /admin/groups/:group/leave", .page = "/admin/groups/proofreaders",
	.fields = {"username", "pascal"}},
    {"POST /admin/moderation", .fields = {"close_days", "30"}},
    {"POST /admin/moderation/try", .fields = {"text", "Buy it."}},
    {"POST /admin/settings", .fields = {"name", "High Water"}},
    {"GET /revisions/:id", .prepare = make_revisions},
    {"GET /revisions/:id/compare", .address = COMPARED},
    {"POST /revisions/:id/restore", .page = COMPARED, .fields = {"number", "1"}},
    {"GET /share/:id", .address = "/share/" DRAFT_ID},
    {"POST /share/:id", .address = "/share/" DRAFT_ID, .fields = {"days", "7"}},
    {"POST /share/:id/revoke", .send = revoke_link},
    {"GET /draft/:code", .send = see_draft},
    {"POST /write/page", .button = "publish",
	.fields = {"title", "A sample page", "slug", "a-sample-page", "markdown", "Text."}},
    {"POST /write/:kind", .button = "autosave", .fields = {NEW_POST("One")}},
    {"POST /write/:kind", .button = "preview", .fields = {NEW_POST("One")}},
    {"POST /write/:kind", .button = "save", .fields = {NEW_POST("One")}},
    {"POST /write/:kind", .button = "publish", .fields = {NEW_POST("Another")}},
    {"POST /edit/:id", .button = "autosave", .fields = {"title", "A tide"}},
    {"POST /edit/:id", .button = "preview", .fields = {"title", "A tide"}},
    {"POST /edit/:id", .button = "save", .fields = {"title", "A tide"}},
    {"POST /edit/:id", .button = "unpublish"},
    {"POST /edit/:id", .button = "publish"},
    {"POST /edit/:id/accept", "tobias", .address = "/edit/" DRAFT_ID "/accept",
	.page = "/desk/requests", .prepare = name_tobias},
    {"POST /edit/:id/leave", "tobias", .address = "/edit/" DRAFT_ID "/leave", .page = "/desk"},
};
const size_t sample_count = sizeof(samples) / sizeof(samples[0]);

/*
 * What the stream worker makes of the seed: pages show it. One subject after another, as how the search's blocks are
 * divided, and what reading them costs, depends on the order.
 */
static void
derive_all(struct seeded *s)
{
	static const struct log quiet = {.fd = -1, .level = LOG_ERROR};
	const struct table_engine *engine = s->table->engine;
	struct table_engine in_order = *engine;
	struct stream_worker *w;

	in_order.at_once = 1;
	s->table->engine = &in_order;
	w = stream_worker_open(&(struct stream_worker_options){
	    .table = s->table, .log = &quiet, .site = SEEDED_ORIGIN});
	while (stream_worker_turn(w) != STREAM_IDLE)
		;
	stream_worker_close(w);
	s->table->engine = engine;
}

void
samples_open(struct seeded *s)
{
	static const struct mail_transport transport = {.send = keep_letter};

	derive_all(s);
	give_password(s, "noor", PASSWORD);
	give_password(s, "tobias", PASSWORD);
	give_password(s, ADMIN, PASSWORD);
	s->site.mailer = mailer_start(&transport, &s->site, NULL);
}

void
samples_close(struct seeded *s)
{
	mailer_stop(s->site.mailer);
	pictures_close(s);
}

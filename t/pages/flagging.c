/*
 * Readers flag what the staff should look at: each thing once, as many as they may a day. Flags of trusted people hold a
 * comment; whoever flags does not reply, and a thread that was flagged slows down.
 */
#include "lib/failing_table.h"
#include "writer.h"

#include "lib/tap.h"
#include "model/post/count.h"

#include <string.h>

#define TIDE "/post/the-tide-in-forty-lines-of-c"
#define WRITE TIDE "/comment"
#define PK "POST#the-tide-in-forty-lines-of-c"

static void
pass(struct seeded *s, int64_t minutes)
{
	s->clock.fixed_now += minutes * 60000;
}

static int64_t
comments_of(struct seeded *s)
{
	struct item stats = seeded_item(s, PK, "STATS");
	struct read shards = count_read(s->arena, str_sub(STR(PK), sizeof("POST#") - 1, SIZE_MAX));
	struct table_call call = {.arena = s->arena};
	struct post_stats now;

	shards.consistent = true;
	if (table_read(s->table, &call, &shards, 1) != TABLE_OK)
		bail_out("the shards can't be read");
	count_take(s->arena, &stats, &shards, &now);
	table_release(s->table, &call);
	return now.comments;
}

static enum http_status
say(struct browser *b, const char *address, const char *text)
{
	get(b, address);
	return SUBMIT(b, address, "do", "send", "text", text);
}

/* A link of the comment that says this. */
static const char *
link_in(struct browser *b, const char *says, const char *begin)
{
	struct str rest, page = (get(b, TIDE), b->last.body);
	const char *at = memmem(page.base, page.len, says, strlen(says));

	if (at == NULL)
		bail_out("nobody says %s", says);
	rest = part(str_sub(page, (size_t)(at - page.base), page.len), "", "</article>");
	return str_cstring(
	    b->s->arena, STR_CONCAT(b->s->arena, str_of(begin), part(rest, begin, "\"")));
}

static const char *
flag_of(struct browser *b, const char *says)
{
	return link_in(b, says, "/flag/comment/");
}

static enum http_status
flag(struct browser *b, const char *address)
{
	get(b, address);
	return SUBMIT(b, address, "reason", "spam", "note", "It sells things.");
}

static void
leads(struct seeded *s)
{
	struct browser b = browser(s, "192.0.2.9"), reader = browser_of(s, "pascal");

	ok(stranger_sees(s, TIDE, "/flag/comment/the-tide-in-forty-lines-of-c?at="),
	    "a comment has a link");
	ok(stranger_sees(s, TIDE, "/flag/post/the-tide-in-forty-lines-of-c"), "... a post");
	ok(stranger_sees(s, "/author/kofi", "/flag/profile/kofi"), "... a profile");
	is_int(get(&b, "/flag/post/the-tide-in-forty-lines-of-c"), HTTP_SEE_OTHER,
	    "a stranger is led to sign in");
	is_int(get(&reader, "/flag/post/first-brent-geese"), HTTP_OK, "a post is flagged");
	is_int(get(&reader, "/flag/profile/kofi"), HTTP_OK, "... a profile");
	is_int(get(&reader, "/flag/profile/pascal"), HTTP_NOT_FOUND, "... not one’s own");
	is_int(get(&reader, "/flag/profile/nobody_here"), HTTP_NOT_FOUND, "... nor nobody’s");
	is_int(get(&reader, "/flag/note/kofi"), HTTP_NOT_FOUND, "... nor what there is not");
	is_int(flag(&reader, "/flag/profile/kofi"), HTTP_SEE_OTHER, "it is sent");
	get(&reader, "/flag/profile/kofi");
	ok(says(&reader, "You have flagged this."), "... and told");
}

static void
flags(struct seeded *s)
{
	struct browser author = browser_of(s, "pascal"), a = newcomer(s, "flagger"), stays;
	const char *address, *reply;
	struct item flagged;
	struct str path;

	pass(s, 10);
	say(&author, WRITE, "Buy my barometers.");
	address = flag_of(&a, "my barometers");
	is_int(get(&author, address), HTTP_NOT_FOUND, "one’s own comment is not flagged");
	get(&a, address);
	ok(says(&a, "<option value=\"\">Choose one</option>") && !says(&a, " selected>"),
	    "no reason is chosen beforehand");
	is_int(SUBMIT(&a, address, "reason", "", "note", "Look."), HTTP_UNPROCESSABLE,
	    "without a reason it is not sent");
	ok(says(&a, "Choose what is wrong with it."), "... which is asked for");
	is_str(text_of(&a, "note"), STR("Look."), "... and the note is there");
	stays = a;
	is_int(flag(&a, address), HTTP_SEE_OTHER, "it is flagged");
	get(&a, address);
	ok(says(&a, "You have flagged this.") && !says(&a, "<select"), "... once");
	get(&stays, TIDE);
	is_int(fetch(&stays, "POST", address, STR("reason=spam")), HTTP_FORBIDDEN,
	    "a form from elsewhere does nothing");
	reply = link_in(&a, "my barometers", WRITE "?to=");
	is_int(say(&a, reply, "Go away."), HTTP_CONFLICT, "whoever flags it does not reply");
	is_str(text_of(&a, "text"), STR("Go away."), "... and the text is there");
	ok(stranger_sees(s, TIDE, "my barometers"), "one flag hides nothing");
	str_cut(str_of(reply), '=', &path);
	flagged = seeded_item(
	    s, text_in(s, "FLAGS#COMMENT#%s", str_cstring(s->arena, path)), "TARGET");
	is_int(item_number(&flagged, STR("Flags")), 1, "it has one flag");
	is_str(item_string(&flagged, STR("Person")), STR("pascal"), "... and says whose it is");
}

static void
replies(struct seeded *s)
{
	struct browser b = browser_of(s, "kofi"), other = browser_of(s, "ingrid");
	const char *address, *reply;

	pass(s, 10);
	address = flag_of(&b, "my barometers");
	reply = link_in(&b, "my barometers", WRITE "?to=");
	is_int(say(&b, reply, "How much?"), HTTP_SEE_OTHER, "somebody replies");
	get(&b, address);
	ok(says(&b, "You have replied to this") && !says(&b, "<select"),
	    "... and does not flag it then");
	pass(s, 1);
	is_int(say(&b, reply, "And how heavy?"), HTTP_TOO_MANY, "the thread was flagged: slowly");
	is_str(header(&b.last, "Retry-After"), STR("120"), "... after two minutes and one");
	is_str(text_of(&b, "text"), STR("And how heavy?"), "... and the text is there");
	is_int(say(&other, reply, "Not for me."), HTTP_SEE_OTHER, "others may at once");
	pass(s, 3);
	is_int(say(&b, reply, "And how heavy?"), HTTP_SEE_OTHER, "... and then the first again");
}

static void
holds_it(struct seeded *s)
{
	static const char *const trusted[] = {"noor", "lowri", "ingrid"};
	struct browser author = browser_of(s, "pascal");
	int64_t before;

	pass(s, 10);
	say(&author, WRITE, "Buy my anemometers.");
	before = comments_of(s);
	for (int i = 0; i < 3; i++) {
		struct browser b = browser_of(s, trusted[i]);

		ok(stranger_sees(s, TIDE, "my anemometers"), "%d flags hold nothing", i);
		is_int(flag(&b, flag_of(&b, "my anemometers")), HTTP_SEE_OTHER, "one more");
	}
	ok(!stranger_sees(s, TIDE, "my anemometers"), "three of trusted people hold it");
	is_int(comments_of(s), before - 1, "... and it is counted no more");
	get(&author, TIDE);
	ok(says(&author, "my anemometers") && says(&author, "Waiting for an editor"),
	    "its author sees that it waits");
}

static void
so_many(struct seeded *s)
{
	static const char *const posts[] = {"/flag/post/first-brent-geese",
	    "/flag/post/bread-for-a-wet-week", "/flag/post/a-clock-for-the-tide"};
	struct browser b = newcomer(s, "zealous");

	for (int i = 0; i < 3; i++)
		is_int(flag(&b, posts[i]), HTTP_SEE_OTHER, "somebody new flags");
	is_int(flag(&b, "/flag/post/eel-elver-glass"), HTTP_TOO_MANY, "... three a day");
	is_str(text_of(&b, "note"), STR("It sells things."), "... and the note is there");
}

static void
fails(struct seeded *s)
{
	struct browser b = browser_of(s, "noor");
	struct failing_table failing;
	enum http_status status = HTTP_UNAVAILABLE;
	unsigned lost = 0, calls = 1;

	failing_table_begin(&failing, s->table);
	for (; status == HTTP_UNAVAILABLE && calls < 20; calls++) {
		get(&b, "/flag/profile/ingrid");
		s->site.table = &failing.table;
		failing_table_arm(&failing, calls, TABLE_UNAVAILABLE);
		status = SUBMIT(&b, "/flag/profile/ingrid", "reason", "other", "note", "Odd.");
		s->site.table = s->table;
		lost += status == HTTP_UNAVAILABLE && !holds(b.last.body, STR("Odd."));
	}
	is_int(status, HTTP_SEE_OTHER, "it is sent when the table works again");
	ok(calls > 3, "... having failed at each call");
	is_int(lost, 0, "... with the note there each time");
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	leads(&s);
	flags(&s);
	replies(&s);
	holds_it(&s);
	so_many(&s);
	fails(&s);
	browsers_close(&s);
	return tap_done();
}

/*
 * Comments: writing, answering, quoting, previewing; those of new people wait for an editor. What
 * was typed is never lost.
 */
#include "lib/write_units.h"
#include "signing.h"
#include "submit.h"
#include "writer.h"

#include "lib/tap.h"

#include "model/post/count.h"

#include <string.h>

#define TIDE "/post/the-tide-in-forty-lines-of-c"
#define WRITE TIDE "/comment"
#define PK "POST#the-tide-in-forty-lines-of-c"

/* Whatever limits there are, time has passed. */
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
	/* Whoever types takes their time. */
	b->s->clock.fixed_now += 4000;
	return SUBMIT(b, address, "do", "send", "text", text);
}

/* The link for a reply to what says this. */
static const char *
reply_to(struct browser *b, const char *says)
{
	struct str rest, page = (get(b, TIDE), b->last.body);
	const char *at = memmem(page.base, page.len, says, strlen(says));

	if (at == NULL)
		bail_out("nobody says %s", says);
	rest = str_sub(page, (size_t)(at - page.base), page.len);
	return str_cstring(b->s->arena, part(rest, "<a class=\"reply\" href=\"", "\""));
}

/* --- Writing ----------------------------------------------------------------------------------------- */

static void
writes(struct seeded *s)
{
	struct browser b = browser_of(s, "pascal");
	int64_t before = comments_of(s);
	const char *reply;
	struct str page;

	get(&b, TIDE);
	ok(says(&b, "href=\"" WRITE "\""), "a post leads to where comments are written");
	is_int(
	    say(&b, WRITE, "An **ebb**, see <https://ebb.example/now>. ![No](https://x.example/y)"),
	    HTTP_SEE_OTHER, "a comment is sent");
	ok(str_starts(leads_to(&b), STR(TIDE "#c-")), "... and leads to where it stands");
	page = visit(s, STR(TIDE)).body;
	ok(holds(page, STR("An <strong>ebb</strong>")), "everybody sees it");
	ok(holds(page, STR("rel=\"nofollow ugc noopener\"")), "... search engines follow no link");
	ok(!holds(page, STR("x.example/y\" alt")), "... and no picture of theirs is loaded");
	is_int(comments_of(s), before + 1, "... it is counted");
	pass(s, 10);
	reply = reply_to(&b, "An <strong>ebb</strong>");
	is_int(get(&b, reply), HTTP_OK, "a reply has a form of its own");
	ok(says(&b, "An <strong>ebb</strong>"), "... which shows what it answers");
	is_int(get(&b, text_in(s, "%s&quote=1", reply)), HTTP_OK, "... or quotes it");
	ok(str_starts(text_of(&b, "text"), STR("> An ebb, see")), "... in the text");
	is_int(say(&b, reply, "And a flood."), HTTP_SEE_OTHER, "a reply is sent");
	page = visit(s, STR(TIDE)).body;
	ok(holds(page, STR("And a flood.")) && holds(page, STR("depth-1")), "... and stands there");
	is_int(comments_of(s), before + 2, "... counted, too");
	is_int(get(&b, TIDE "/comment?to=00000000000000"), HTTP_NOT_FOUND, "a reply to nothing");
	is_int(get(&b, TIDE "/comment?to=nonsense"), HTTP_NOT_FOUND, "... to what can't be");
	is_int(get(&b, "/post/about/comment"), HTTP_NOT_FOUND, "a page takes no comments");
}

static void
twice(struct seeded *s)
{
	struct browser b = browser_of(s, "pascal");
	int64_t before = comments_of(s);
	struct buf body = {.arena = s->arena};
	struct str first;

	pass(s, 10);
	get(&b, WRITE);
	put_field(&body, STR("csrf"), part(b.last.body, "name=\"csrf\" value=\"", "\""));
	put_field(&body, STR("once"), part(b.last.body, "name=\"once\" value=\"", "\""));
	put_field(&body, STR("text"), STR("Once is enough."));
	is_int(fetch(&b, "POST", WRITE, buf_str(&body)), HTTP_SEE_OTHER, "a form is sent");
	first = leads_to(&b);
	is_int(fetch(&b, "POST", WRITE, buf_str(&body)), HTTP_SEE_OTHER, "... and again");
	is_str(leads_to(&b), first, "... leads to the same");
	is_int(comments_of(s), before + 1, "... of which there is one");
}

static void
fields(struct seeded *s)
{
	struct browser b = browser_of(s, "ingrid");
	int64_t before = comments_of(s);
	char *text = arena_alloc(s->arena, 5002);

	pass(s, 10);
	get(&b, WRITE);
	is_int(SUBMIT(&b, WRITE, "do", "preview", "text", "It *turns*."), HTTP_OK, "a preview");
	ok(says(&b, "It <em>turns</em>."), "... shows what it will be");
	is_str(text_of(&b, "text"), STR("It *turns*."), "... with the text still there");
	is_int(comments_of(s), before, "... and nothing is written");
	is_int(SUBMIT(&b, WRITE, "do", "send", "text", ""), HTTP_UNPROCESSABLE, "an empty one");
	ok(says(&b, "Write something first."), "... is told so");
	memset(text, 'a', 5001);
	text[5001] = '\0';
	is_int(say(&b, WRITE, text), HTTP_UNPROCESSABLE, "one that is too long");
	is_int((int64_t)text_of(&b, "text").len, 5001, "... is all there");
	is_int(say(&b, WRITE, "So it goes."), HTTP_SEE_OTHER, "one that is not");
	get(&b, WRITE);
	is_int(SUBMIT(&b, WRITE, "do", "send", "text", "So it goes on."), HTTP_TOO_MANY,
	    "another one at once");
	is_str(header(&b.last, "Retry-After"), STR("5"), "... says when");
	ok(says(&b, "You can send it in 5 seconds."), "... to people, too");
	is_str(text_of(&b, "text"), STR("So it goes on."), "... and keeps it");
	s->clock.fixed_now += 6000;
	is_int(say(&b, WRITE, "So it goes."), HTTP_UNPROCESSABLE, "the same words again");
	ok(says(&b, "word for word"), "... are told");
	is_int(comments_of(s), before + 1, "only one was written");
}

static void
many(struct seeded *s)
{
	struct browser b = browser_of(s, "ingrid");
	unsigned sent = 0;

	pass(s, 10);
	for (int i = 0; i < 21; i++) {
		s->clock.fixed_now += 6000;
		sent +=
		    say(&b, WRITE,
			text_in(s, "Wave %s", str_cstring(s->arena, str_fmt(s->arena, "%d", i)))) ==
		    HTTP_SEE_OTHER;
	}
	is_int(sent, 20, "twenty in ten minutes, and no more");
	is_int(b.last.status, HTTP_TOO_MANY, "... the next one is told");
	is_str(text_of(&b, "text"), STR("Wave 20"), "... and kept");
}

/* The link in the comment that says this. */
static const char *
link_in(struct browser *b, const char *says, const char *begin)
{
	struct str rest, page = (get(b, TIDE), b->last.body);
	const char *at = memmem(page.base, page.len, says, strlen(says));

	if (at == NULL)
		bail_out("nobody says %s", says);
	rest = str_sub(page, (size_t)(at - page.base), page.len);
	rest = part(rest, "", "</article>");
	return str_cstring(
	    b->s->arena, STR_CONCAT(b->s->arena, str_of(begin), part(rest, begin, "\"")));
}

static void
changes(struct seeded *s)
{
	struct browser b = browser_of(s, "pascal"), other = browser_of(s, "kofi"), editor;
	int64_t before;
	const char *edit, *remove;

	pass(s, 10);
	say(&b, WRITE, "Slack water is at nnoon.");
	before = comments_of(s);
	edit = link_in(&b, "at nnoon", WRITE "?edit=");
	remove = link_in(&b, "at nnoon", WRITE "/delete?at=");
	is_int(get(&other, edit), HTTP_NOT_FOUND, "nobody else edits a comment");
	is_int(get(&other, remove), HTTP_FORBIDDEN, "... or deletes it");
	ok(!stranger_sees(s, TIDE, "?edit="), "a stranger is shown no way to");
	is_int(get(&b, edit), HTTP_OK, "its author does");
	is_str(text_of(&b, "text"), STR("Slack water is at nnoon."), "... beginning with the text");
	is_int(SUBMIT(&b, edit, "do", "send", "text", "Slack water is at noon."), HTTP_SEE_OTHER,
	    "it is saved");
	ok(stranger_sees(s, TIDE, "at noon.") && !stranger_sees(s, TIDE, "nnoon"), "... for all");
	ok(!holds(part(visit(s, STR(TIDE)).body, "at noon.", "</ol>"), STR("<span>edited")),
	    "... at first without a mark");
	pass(s, 6);
	get(&b, edit);
	is_int(SUBMIT(&b, edit, "do", "send", "text", "Slack water was at noon."), HTTP_SEE_OTHER,
	    "edited again, later");
	ok(stranger_sees(s, TIDE, "<span>edited</span>"), "... it is marked");
	get(&b, edit);
	is_int(SUBMIT(&b, edit, "do", "send", "text", ""), HTTP_UNPROCESSABLE, "not to nothing");
	get(&b, edit);
	pass(s, 24 * 60);
	is_int(SUBMIT(&b, edit, "do", "send", "text", "Slack water will be."), HTTP_CONFLICT,
	    "a day later it is too late");
	is_str(text_of(&b, "text"), STR("Slack water will be."), "... with the text still there");
	is_int(get(&b, edit), HTTP_NOT_FOUND, "... and there is no form for it");
	is_int(get(&b, remove), HTTP_OK, "to delete it is asked first");
	ok(stranger_sees(s, TIDE, "was at noon."), "... which does nothing");
	is_int(SUBMIT(&b, remove, "x", "y"), HTTP_SEE_OTHER, "then it is done");
	ok(!stranger_sees(s, TIDE, "was at noon."), "... for all");
	is_int(comments_of(s), before - 1, "... and not counted");
	is_int(get(&b, remove), HTTP_NOT_FOUND, "what is deleted is deleted");
	say(&b, WRITE, "Rude words.");
	editor = browser_of(s, "tobias");
	remove = link_in(&editor, "Rude words", WRITE "/delete?at=");
	get(&editor, remove);
	ok(says(&editor, "Delete the comment of Pascal"), "an editor deletes others’");
	is_int(SUBMIT(&editor, remove, "x", "y"), HTTP_SEE_OTHER, "... too");
	ok(!stranger_sees(s, TIDE, "Rude words."), "... and it is gone");
	editor = browser_of(s, "marta");
	get(&editor, "/admin/log");
	ok(says(&editor, "deleted, under"), "... which the log says");
}

/* What an editor has not read is not approved. */
static void
changes_in_the_queue(struct seeded *s)
{
	struct browser b = newcomer(s, "shifty"), editor = browser_of(s, "tobias");
	const char *edit;
	struct str rest, value;

	pass(s, 10);
	say(&b, WRITE, "Innocent words.");
	get(&editor, "/admin/comments");
	rest = editor.last.body;
	ok(between(&rest, STR("Innocent words."), STR("name=\"approve\""), &value), "it waits");
	value = part(rest, "value=\"", "\"");
	edit = link_in(&b, "Innocent words", WRITE "?edit=");
	get(&b, edit);
	s->clock.fixed_now += 1000;
	is_int(SUBMIT(&b, edit, "do", "send", "text", "Other words."), HTTP_SEE_OTHER, "edited");
	is_int(SUBMIT(&editor, "/admin/comments", "approve", str_cstring(s->arena, value)),
	    HTTP_CONFLICT, "what was read before is not approved");
	ok(!stranger_sees(s, TIDE, "Other words."), "... and nobody sees it");
	edit = link_in(&b, "Other words", WRITE "/delete?at=");
	get(&b, edit);
	is_int(SUBMIT(&b, edit, "x", "y"), HTTP_SEE_OTHER, "its author deletes it");
	get(&editor, "/admin/comments");
	ok(!says(&editor, "Other words."), "... and it waits no more");
}

/* --- What waits -------------------------------------------------------------------------------------- */

static void
waits(struct seeded *s)
{
	struct browser b = newcomer(s, "newcomer"), editor = browser_of(s, "tobias");
	int64_t before;
	struct str value;

	pass(s, 10);
	before = comments_of(s);
	get(&b, WRITE);
	ok(says(&b, "waits for an editor until"), "somebody new is told that it waits");
	is_int(say(&b, WRITE, "My first words."), HTTP_SEE_OTHER, "they write");
	ok(!stranger_sees(s, TIDE, "My first words."), "others do not see it");
	is_int(comments_of(s), before, "... nor is it counted");
	get(&b, TIDE);
	ok(says(&b, "My first words.") && says(&b, "Waiting for an editor"), "they do, as waiting");
	is_int(get(&b, "/admin/comments"), HTTP_FORBIDDEN, "the queue is not theirs");
	get(&editor, "/admin");
	ok(says(&editor, "2 comments to be approved or hidden"), "the staff see that some wait");
	get(&editor, "/admin/comments");
	ok(says(&editor, "My first words."), "... and what");
	value = part(editor.last.body, "name=\"approve\" value=\"comment the-tide", "\"");
	value = STR_CONCAT(s->arena, STR("comment the-tide"), value);
	is_int(SUBMIT(&editor, "/admin/comments", "approve", str_cstring(s->arena, value)),
	    HTTP_SEE_OTHER, "it is approved");
	ok(stranger_sees(s, TIDE, "My first words."), "... and there for everybody");
	is_int(comments_of(s), before + 1, "... counted");
	get(&editor, "/admin/comments");
	ok(!says(&editor, "My first words."), "... out of the queue");
	is_int(SUBMIT(&editor, "/admin/comments", "approve", str_cstring(s->arena, value)),
	    HTTP_CONFLICT, "approved twice is too late");
	get(&editor, "/admin/comments");
	is_int(SUBMIT(&editor, "/admin/comments", "hide", "nonsense"), HTTP_BAD_REQUEST,
	    "what is none is refused");
	editor = browser_of(s, "marta");
	get(&editor, "/admin/log");
	ok(says(&editor, "decided on a comment of"), "the log has it");
	pass(s, 1);
	is_int(say(&b, WRITE, "My second words."), HTTP_SEE_OTHER, "they are known now");
	ok(stranger_sees(s, TIDE, "My second words."), "... and seen at once");
	pass(s, 1);
	is_int(say(&b, WRITE, "<https://a.example> <https://b.example> <https://c.example>"),
	    HTTP_SEE_OTHER, "many links");
	ok(!stranger_sees(s, TIDE, "c.example"), "... wait");
}

static void
refuses(struct seeded *s)
{
	struct browser b = newcomer(s, "stubborn"), editor = browser_of(s, "tobias");
	struct str value, rest;

	for (int i = 0; i < 3; i++) {
		pass(s, 10);
		is_int(say(&b, WRITE,
			   i == 0   ? "One"
			   : i == 1 ? "Two"
				    : "Three of them"),
		    HTTP_SEE_OTHER, "one waits");
	}
	pass(s, 10);
	is_int(say(&b, WRITE, "Four"), HTTP_TOO_MANY, "more than three do not");
	is_str(text_of(&b, "text"), STR("Four"), "... and it is kept");
	get(&editor, "/admin/comments");
	rest = editor.last.body;
	ok(between(&rest, STR("Three of them"), STR("name=\"hide\""), &value),
	    "the queue has them");
	value = part(rest, "value=\"", "\"");
	is_int(SUBMIT(&editor, "/admin/comments", "hide", str_cstring(s->arena, value)),
	    HTTP_SEE_OTHER, "one is hidden");
	get(&editor, "/admin/comments");
	ok(!holds(editor.last.body, value), "... and gone");
	is_int(say(&b, WRITE, "Four"), HTTP_SEE_OTHER, "then there is room for another");
}

#define RESEND(b, address, ...) \
	submit_form((b), (address), (address), (const char *const[]){__VA_ARGS__, NULL})

/* What admins choose holds at once. */
static void
rules(struct seeded *s)
{
	struct browser admin = browser_of(s, "marta"), b = newcomer(s, "eager");

	get(&admin, "/admin/moderation");
	ok(says(&admin, "New: links in a comment"), "the rules are on a page of the admins");
	is_int(RESEND(&admin, "/admin/moderation", "new_comments", "x"), HTTP_UNPROCESSABLE,
	    "what is no number is refused");
	get(&admin, "/admin/moderation");
	is_int(RESEND(&admin, "/admin/moderation", "new_comments", "1"), HTTP_SEE_OTHER,
	    "one comment of somebody new may wait");
	get(&admin, "/admin/log");
	ok(says(&admin, "NewComments: 3 → 1"), "... which the log says");
	is_int(say(&b, WRITE, "My only one"), HTTP_SEE_OTHER, "one does");
	pass(s, 10);
	is_int(say(&b, WRITE, "Another one"), HTTP_TOO_MANY, "... and no more");
	get(&admin, "/admin/settings");
	is_int(RESEND(&admin, "/admin/settings", "tagline", "Slack"), HTTP_SEE_OTHER,
	    "other settings are saved");
	get(&admin, "/admin/moderation");
	ok(has_value(&admin, "new_comments", "1"), "... and leave the rules as they are");
	is_int(RESEND(&admin, "/admin/moderation", "new_comments", "3"), HTTP_SEE_OTHER,
	    "as it was");
}

/* --- Nothing is lost --------------------------------------------------------------------------------- */

static void
signs_in(struct seeded *s)
{
	struct browser b = browser(s, "192.0.2.9");
	struct buf body = {.arena = s->arena};

	pass(s, 10);
	give_password(s, "pascal", PASSWORD);
	is_int(get(&b, WRITE), HTTP_SEE_OTHER, "a stranger is led to sign in");
	get(&b, "/login");
	put_field(&body, STR("text"), STR("Typed for an hour."));
	put_field(&body, STR("do"), STR("send"));
	is_int(fetch(&b, "POST", WRITE, buf_str(&body)), HTTP_UNPROCESSABLE,
	    "who sends without a session");
	ok(says(&b, "Typed"), "... is asked to sign in, with their text");
	is_int(SUBMIT(&b, "/login", "name", "pascal", "password", PASSWORD), HTTP_SEE_OTHER,
	    "... and then it is sent");
	ok(stranger_sees(s, TIDE, "Typed for an hour."), "... and there");
}

static void
set(struct seeded *s, const char *sk, const char *status)
{
	struct item item = seeded_item(s, PK, sk);

	item_set(s->arena, &item, STR("Status"), value_string(str_of(status)));
	seeded_put(s, &item, 1);
}

static void
goes_meanwhile(struct seeded *s)
{
	struct browser b = browser_of(s, "ingrid");
	struct str path;
	const char *reply;

	pass(s, 10);
	reply = reply_to(&b, "Typed for an hour.");
	get(&b, reply);
	str_cut(str_of(reply), '=', &path);
	set(s, text_in(s, "COMMENT#%s", str_cstring(s->arena, path)), "deleted");
	is_int(SUBMIT(&b, reply, "do", "send", "text", "A whole evening’s work."), HTTP_CONFLICT,
	    "what it answers went");
	is_str(text_of(&b, "text"), STR("A whole evening’s work."), "... the text is there");
	is_int(SUBMIT(&b, WRITE, "do", "send", "text", "A whole evening’s work."), HTTP_SEE_OTHER,
	    "... and can be sent by itself");
	pass(s, 10);
	get(&b, WRITE);
	set(s, "METADATA", "unpublished");
	is_int(SUBMIT(&b, WRITE, "do", "send", "text", "Yet another."), HTTP_NOT_FOUND,
	    "the post went");
	is_str(text_of(&b, "text"), STR("Yet another."), "... the text is there");
	set(s, "METADATA", "published");
}

static void
fails(struct seeded *s)
{
	struct browser b = browser_of(s, "ingrid");
	struct failing_table failing;
	int64_t before = comments_of(s);
	unsigned lost = 0, calls = 1;
	enum http_status status = HTTP_UNAVAILABLE;

	failing_table_begin(&failing, s->table);
	for (; status == HTTP_UNAVAILABLE && calls < 20; calls++) {
		pass(s, 10);
		get(&b, WRITE);
		s->site.table = &failing.table;
		failing_table_arm(&failing, calls, TABLE_UNAVAILABLE);
		status = SUBMIT(&b, WRITE, "do", "send", "text", "Through the storm.");
		s->site.table = s->table;
		lost +=
		    status == HTTP_UNAVAILABLE && !holds(b.last.body, STR("Through the storm."));
	}
	is_int(status, HTTP_SEE_OTHER, "it is sent when the table works again");
	ok(calls > 3, "... having failed at each call");
	is_int(lost, 0, "... with the text there each time");
	is_int(comments_of(s), before + 1, "... and written once");
}

/* --- What it costs ----------------------------------------------------------------------------------- */

enum { TEXT = 2048 };

/* 2 KB of text, sent in this form; returns its write units. */
static int64_t
units_of(struct browser *b, const char *address, char letter)
{
	struct seeded *s = b->s;
	char *text = arena_alloc(s->arena, TEXT + 1);
	struct write_units units;

	for (size_t i = 0; i < TEXT; i++)
		text[i] = i % 8 == 7 && i != TEXT - 1 ? ' ' : letter;
	text[TEXT] = '\0';
	pass(s, 10);
	get(b, address);
	write_units_begin(&units, s->table);
	s->site.table = &units.front.table;
	is_int(SUBMIT(b, address, "do", "send", "text", text), HTTP_SEE_OTHER, "2 KB are sent");
	s->site.table = s->table;
	return units.units;
}

static void
units(struct seeded *s)
{
	struct browser b = browser_of(s, "pascal"), other = browser_of(s, "ingrid");
	int64_t root = units_of(&b, WRITE, 'r'), reply;

	ok(root <= 36, "a comment of 2 KB costs %d write units", (int)root);
	reply = units_of(&other, reply_to(&other, "rrrrrrr"), 'a');
	ok(reply <= root, "a reply to one, %d", (int)reply);
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	units(&s);
	writes(&s);
	twice(&s);
	fields(&s);
	many(&s);
	waits(&s);
	refuses(&s);
	rules(&s);
	changes(&s);
	changes_in_the_queue(&s);
	signs_in(&s);
	goes_meanwhile(&s);
	fails(&s);
	browsers_close(&s);
	return tap_done();
}

/*
 * What is typed into the form of a comment and is no comment yet is kept: on the server, for whoever comes back, and in the
 * answer, whatever became of the post, the session or the store meanwhile.
 */
#include "lib/write_units.h"
#include "signing.h"
#include "writer.h"

#include "lib/tap.h"

#include "model/key_comment.h"
#include "model/reader/comment_draft.h"

#include <string.h>

#define ID "the-tide-in-forty-lines-of-c"
#define TIDE "/post/" ID
#define WRITE TIDE "/comment"
#define KEPT "You began this earlier"

static void
pass(struct seeded *s, int64_t minutes)
{
	s->clock.fixed_now += minutes * 60000;
}

static enum http_status
press(struct browser *b, const char *address, const char *button, const char *text)
{
	get(b, address);
	b->s->clock.fixed_now += 4000;
	return SUBMIT(b, address, "do", button, "text", text);
}

/* What the form begins with when it is opened. */
static struct str
begins(struct browser *b, const char *address)
{
	get(b, address);
	return text_of(b, "text");
}

static int64_t
drafts_of(struct seeded *s, const char *username)
{
	struct table_call call = {.arena = s->arena};
	struct read read = comment_drafts_read(s->arena, str_of(username));

	read.query.limit = 100;
	read.query.consistent = true;
	if (table_read(s->table, &call, &read, 1) != TABLE_OK)
		bail_out("%s", call.why);
	table_release(s->table, &call);
	return (int64_t)read.found_count;
}

/* The link for a reply to the first comment that others wrote. */
static const char *
reply(struct browser *b)
{
	get(b, TIDE);
	return str_cstring(b->s->arena, part(b->last.body, "<a class=\"reply\" href=\"", "\""));
}

/* --- Kept on the server ------------------------------------------------------------------------------ */

static void
comes_back(struct seeded *s)
{
	struct browser b = browser_of(s, "ingrid"), again = browser_of(s, "ingrid"),
		       other = browser_of(s, "kofi");
	const char *to = reply(&b);
	struct str page = visit(s, STR(TIDE)).body;

	pass(s, 10);
	is_str(begins(&b, WRITE), STR(""), "a form begins empty");
	is_int(press(&b, WRITE, "preview", "Half a *thought*."), HTTP_OK, "a preview");
	is_str(begins(&again, WRITE), STR("Half a *thought*."), "... is there in another browser");
	ok(says(&again, KEPT), "... which says that it was kept");
	is_str(begins(&other, WRITE), STR(""), "... for nobody else");
	is_str(begins(&b, to), STR(""), "... and not in the form of a reply");
	is_str(visit(s, STR(TIDE)).body, page, "nobody sees it on the page of the post");
	is_int(press(&b, to, "preview", "A reply to *that*."), HTTP_OK, "a reply");
	is_str(begins(&again, to), STR("A reply to *that*."), "... is kept for itself");
	begins(&again, text_in(s, "%s&quote=1", to));
	ok(str_starts(text_of(&again, "text"), STR("> ")) &&
		str_ends(text_of(&again, "text"), STR("A reply to *that*.")),
	    "... and follows what is quoted");
	is_int(drafts_of(s, "ingrid"), 2, "there are two");
	is_int(press(&b, WRITE, "send", "A whole thought."), HTTP_SEE_OTHER, "sent");
	is_str(begins(&again, WRITE), STR(""), "... it is a draft no more");
	is_int(press(&b, to, "discard", ""), HTTP_SEE_OTHER, "the other one is discarded");
	is_str(leads_to(&b), str_of(to), "... which leads to the form");
	is_str(begins(&b, to), STR(""), "... that begins empty");
	is_int(drafts_of(s, "ingrid"), 0, "there is none");
	pass(s, 10);
	press(&b, WRITE, "preview", "For a month.");
	pass(s, 31 * 24 * 60);
	b = browser_of(s, "ingrid");
	is_str(begins(&b, WRITE), STR(""), "after 30 days it is gone");
	press(&b, WRITE, "discard", "");
}

/* A comment of one's own that is changed has a draft, too. */
static void
of_an_edit(struct seeded *s)
{
	struct browser b = browser_of(s, "ingrid");
	const char *edit;
	struct str at;

	pass(s, 10);
	press(&b, WRITE, "send", "To be changed.");
	str_cut(leads_to(&b), '-', &at);
	get(&b, TIDE);
	edit = str_cstring(s->arena,
	    STR_CONCAT(s->arena, STR(WRITE "?edit="), part(b.last.body, WRITE "?edit=", "\"")));
	is_str(begins(&b, edit), STR("To be changed."), "a change begins with what it says");
	press(&b, edit, "preview", "To be changed, perhaps.");
	is_str(begins(&b, edit), STR("To be changed, perhaps."), "... or with its draft");
	press(&b, edit, "preview", "To be changed.");
	ok(str_eq(begins(&b, edit), STR("To be changed.")) && !says(&b, KEPT),
	    "... which goes when it is the same");
	press(&b, edit, "preview", "Changed soon.");
	is_int(press(&b, edit, "send", "Changed."), HTTP_SEE_OTHER, "saved");
	ok(str_eq(begins(&b, edit), STR("Changed.")) && !says(&b, KEPT), "... it has none");
}

static void
of_a_script(struct seeded *s)
{
	struct browser b = browser_of(s, "ingrid");
	char *long_one = arena_alloc(s->arena, 20002);
	struct buf late = {.arena = s->arena};

	pass(s, 10);
	is_int(press(&b, WRITE, "draft", "While ty"), HTTP_OK, "a script keeps what is typed");
	is_str(header(&b.last, "Content-Type"), STR("text/plain; charset=utf-8"), "... and is told");
	is_str(begins(&b, WRITE), STR("While ty"), "... when");
	memset(long_one, 'a', 20001);
	long_one[20001] = '\0';
	is_int(press(&b, WRITE, "draft", long_one), HTTP_TOO_LARGE, "not what is far too long");
	long_one[6000] = '\0';
	is_int(press(&b, WRITE, "draft", long_one), HTTP_UNPROCESSABLE,
	    "... but what has to be shortened");
	is_int((int64_t)begins(&b, WRITE).len, 6000, "... all of it");
	press(&b, WRITE, "draft", "");
	is_int(drafts_of(s, "ingrid"), 0, "nothing typed is no draft");
	get(&b, WRITE);
	put_field(&late, STR("csrf"), part(b.last.body, "name=\"csrf\" value=\"", "\""));
	put_field(&late, STR("once"), part(b.last.body, "name=\"once\" value=\"", "\""));
	put_field(&late, STR("text"), STR("While typ"));
	put_field(&late, STR("do"), STR("draft"));
	s->clock.fixed_now += 4000;
	is_int(SUBMIT(&b, WRITE, "do", "send", "answer", "address", "text", "While typing."),
	    HTTP_OK, "it may ask where the comment is");
	ok(str_starts(b.last.body, STR(TIDE "#c-")), "... and is told");
	is_int(fetch(&b, "POST", WRITE, buf_str(&late)), HTTP_OK, "what it sends too late");
	is_int(drafts_of(s, "ingrid"), 0, "... is kept no more");
}

/* More than ten: the oldest makes room. */
static void
many(struct seeded *s)
{
	struct table_call call = {.arena = s->arena};
	struct plan plan = {.table = s->table, .call = &call, .by = STR("noor")};
	struct read all = {.found_count = 0};

	for (int i = 0; i < COMMENT_DRAFTS_MAX + 3; i++) {
		struct comment_draft draft = {.post = str_fmt(s->arena, "post-%d", i),
		    .form = STR("new"),
		    .markdown = STR("Begun.")};

		all = comment_drafts_read(s->arena, plan.by);
		all.query.consistent = true;
		plan.now = s->clock.fixed_now += 1000;
		if (table_read(s->table, &call, &all, 1) != TABLE_OK ||
		    comment_draft_keep(&plan, &all, &draft) != PLAN_DONE)
			bail_out("a draft can't be kept");
	}
	table_release(s->table, &call);
	is_int(drafts_of(s, "noor"), COMMENT_DRAFTS_MAX, "there are ten at most");
	all = comment_drafts_read(s->arena, plan.by);
	if (table_read(s->table, &call, &all, 1) != TABLE_OK)
		bail_out("%s", call.why);
	ok(!comment_draft_find(&all, STR("post-2"), STR("new"), &(struct comment_draft){{0}}) &&
		comment_draft_find(&all, STR("post-3"), STR("new"), &(struct comment_draft){{0}}),
	    "... the last ten");
	table_release(s->table, &call);
}

static void
units(struct seeded *s)
{
	struct browser b = browser_of(s, "pascal");
	char *text = arena_alloc(s->arena, 2049);
	struct write_units units;

	memset(text, 'a', 2048);
	text[2048] = '\0';
	pass(s, 10);
	get(&b, WRITE);
	s->clock.fixed_now += 4000;
	write_units_begin(&units, s->table);
	s->site.table = &units.front.table;
	is_int(SUBMIT(&b, WRITE, "do", "draft", "text", text), HTTP_OK, "a draft of 2 KB");
	ok(units.units <= 3, "... costs %d write units", (int)units.units);
	get(&b, WRITE);
	is_int(SUBMIT(&b, WRITE, "do", "draft", "text", text), HTTP_OK, "the same once more");
	ok(units.units <= 3, "... none");
	units.units = 0;
	get(&b, WRITE);
	s->clock.fixed_now += 4000;
	is_int(SUBMIT(&b, WRITE, "do", "send", "text", text), HTTP_SEE_OTHER, "sent");
	ok(units.units <= 38, "... %d, with its removal", (int)units.units);
	s->site.table = s->table;
}

/* --- Nothing is lost --------------------------------------------------------------------------------- */

static void
set(struct seeded *s, const char *sk, const char *name, const char *value)
{
	struct item item = seeded_item(s, "POST#" ID, sk);

	item_set(s->arena, &item, str_of(name), value_string(str_of(value)));
	seeded_put(s, &item, 1);
}

static void
session_ends(struct seeded *s)
{
	struct browser b = browser_of(s, "lowri");
	struct item user;

	give_password(s, "lowri", PASSWORD);
	b = browser_of(s, "lowri");
	pass(s, 10);
	get(&b, WRITE);
	user = seeded_item(s, "USER#lowri", "METADATA");
	item_set(s->arena, &user, STR("Era"), value_number(item_number(&user, STR("Era")) + 1));
	seeded_put(s, &user, 1);
	s->clock.fixed_now += 4000;
	is_int(SUBMIT(&b, WRITE, "do", "preview", "text", "Typed in a session that is over."),
	    HTTP_UNPROCESSABLE, "a session ends while somebody types");
	ok(says(&b, "What you wrote is safe"), "... they are asked to sign in");
	is_int(SUBMIT(&b, "/login", "name", "lowri", "password", PASSWORD), HTTP_OK,
	    "... signed in, the form comes back");
	is_str(text_of(&b, "text"), STR("Typed in a session that is over."), "... with the text");
	is_int(SUBMIT(&b, WRITE, "do", "send", "text", "Typed in a session that is over."),
	    HTTP_SEE_OTHER, "... to be sent");
}

static void
post_goes(struct seeded *s)
{
	struct browser b = browser_of(s, "ingrid");

	pass(s, 10);
	get(&b, WRITE);
	set(s, "METADATA", "Status", "deleted");
	is_int(SUBMIT(&b, WRITE, "do", "send", "text", "On what is gone."), HTTP_GONE,
	    "the post is deleted while somebody types");
	is_str(text_of(&b, "text"), STR("On what is gone."), "... the text is there");
	set(s, "METADATA", "Status", "published");
	is_str(begins(&b, WRITE), STR("On what is gone."), "... and when the post comes back");
	press(&b, WRITE, "discard", "");
}

static void
limits(struct seeded *s)
{
	struct browser b = browser_of(s, "ingrid");

	pass(s, 10);
	press(&b, WRITE, "send", "One thing.");
	get(&b, WRITE);
	is_int(SUBMIT(&b, WRITE, "do", "send", "text", "And another."), HTTP_TOO_MANY,
	    "what is sent too soon");
	is_str(begins(&b, WRITE), STR("And another."), "... is kept for later");
	press(&b, WRITE, "discard", "");
}

/* Suspended between the read and the write. */
static void
suspended(struct seeded *s)
{
	struct browser b = browser_of(s, "ingrid");
	struct item user = seeded_item(s, "USER#ingrid", "METADATA"), was = user;
	struct write behind = {.kind = WRITE_PUT};
	struct failing_table failing;

	pass(s, 10);
	get(&b, WRITE);
	s->clock.fixed_now += 4000;
	item_set(s->arena, &user, STR("SuspendedUntil"), value_string(STR("2099-01-01T00:00:00.000Z")));
	behind.item = user;
	failing_table_begin(&failing, s->table);
	failing.behind = &behind;
	s->site.table = &failing.table;
	is_int(SUBMIT(&b, WRITE, "do", "send", "text", "Just in time."), HTTP_FORBIDDEN,
	    "somebody is suspended while they send");
	s->site.table = s->table;
	is_str(text_of(&b, "text"), STR("Just in time."), "... the text is there");
	seeded_put(s, &was, 1);
	press(&b, WRITE, "discard", "");
}

/* Whichever call fails, a preview is no draft perhaps, but the text is there. */
static void
fails(struct seeded *s)
{
	struct browser b = browser_of(s, "ingrid");
	struct failing_table failing;
	unsigned lost = 0, calls = 1;

	failing_table_begin(&failing, s->table);
	for (; calls < 8; calls++) {
		get(&b, WRITE);
		s->site.table = &failing.table;
		failing_table_arm(&failing, calls, TABLE_UNAVAILABLE);
		SUBMIT(&b, WRITE, "do", "preview", "text", text_in(s, "Through the %s.", "storm"));
		s->site.table = s->table;
		lost += !holds(b.last.body, STR("Through the storm."));
	}
	is_int(lost, 0, "whichever call of a preview fails, the text is there");
	press(&b, WRITE, "discard", "");
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	of_a_script(&s);
	of_an_edit(&s);
	many(&s);
	units(&s);
	post_goes(&s);
	limits(&s);
	suspended(&s);
	fails(&s);
	session_ends(&s);
	comes_back(&s);
	browsers_close(&s);
	return tap_done();
}

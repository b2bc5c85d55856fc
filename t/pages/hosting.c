/*
 * Comments decided on by hand, where they stand: the author of a post hides and holds back what others say under it, with a
 * reason that they are told, and undoes it; the staff overrule that for good. What speaks for the staff is marked so.
 */
#include "lib/failing_table.h"
#include "submit.h"
#include "writer.h"

#include "lib/tap.h"

#include <string.h>

#define POST_ID "the-tide-in-forty-lines-of-c"
#define TIDE "/post/" POST_ID
#define WRITE TIDE "/comment"
#define DECIDE WRITE "/decide?at="
#define MANAGE TIDE "/discussion"
#define QUEUE "/admin/comments"

static void
pass(struct seeded *s)
{
	s->clock.fixed_now += 10 * 60000;
}

/* Writes a comment; where it is decided on. */
static const char *
say(struct browser *b, const char *text, const char *staff)
{
	struct str path;

	pass(b->s);
	get(b, WRITE);
	b->s->clock.fixed_now += 4000;
	if (SUBMIT(b, WRITE, "do", "send", "text", text, "staff", staff) != HTTP_SEE_OTHER)
		bail_out("it is not sent: %s", text);
	path = header(&b->last, "Location");
	return str_cstring(b->s->arena,
	    STR_CONCAT(b->s->arena, STR(DECIDE), str_sub(path, path.len - 14, path.len)));
}

static enum http_status
decide(struct browser *b, const char *address, const char *word, const char *why)
{
	get(b, address);
	return SUBMIT(b, address, "do", word, "why", why);
}

static bool
in_queue(struct seeded *s, const char *list, const char *text)
{
	struct browser editor = browser_of(s, "tobias");

	get(&editor, list);
	return says(&editor, text);
}

static void
hides(struct seeded *s)
{
	struct browser host = browser_of(s, "kofi"), reader = browser_of(s, "ingrid");
	struct browser other = browser_of(s, "lowri");
	const char *at = say(&reader, "Kofi can’t count.", "");
	const char *answer = text_in(s, WRITE "/answer?at=%s", at + strlen(DECIDE));

	get(&host, TIDE);
	ok(says(&host, text_in(s, "href=\"%s\"", at)), "an author is led to what to do with a comment");
	get(&other, TIDE);
	ok(!says(&other, DECIDE), "... others are not");
	is_int(get(&other, at), HTTP_FORBIDDEN, "... nor let in");
	is_int(decide(&host, at, "hide", " "), HTTP_UNPROCESSABLE, "without a reason nothing is hidden");
	ok(says(&host, "told why") && stranger_sees(s, TIDE, "can’t count"), "... and that is said");
	is_int(decide(&host, at, "hide", "Keep to the tide."), HTTP_SEE_OTHER, "with one it is");
	ok(!stranger_sees(s, TIDE, "can’t count"), "... from all");
	get(&reader, TIDE);
	ok(says(&reader, "The author of the post has hidden this") &&
		says(&reader, "Keep to the tide.") && says(&reader, answer),
	    "... but who wrote it, who reads by whom and why");
	get(&host, MANAGE);
	ok(says(&host, "hidden by kofi: Keep to the tide.") && says(&host, at),
	    "its author finds it again");
	ok(in_queue(s, QUEUE "?show=hidden", "an author of the post"), "... and so do the staff");
	ok(stranger_sees(s, "/moderation", "was hidden by the author of the post"),
	    "the public log has it");
	get(&reader, answer);
	is_int(SUBMIT(&reader, answer, "answer", "I did not mean it so."), HTTP_SEE_OTHER,
	    "who wrote it answers");
	ok(in_queue(s, QUEUE, "I did not mean it so."), "... which the staff read");
	is_int(decide(&host, at, "restore", ""), HTTP_SEE_OTHER, "the author restores it");
	ok(stranger_sees(s, TIDE, "can’t count"), "... for all");
	get(&host, MANAGE);
	ok(!says(&host, "Keep to the tide."), "... and it is no longer listed");
}

static void
overruled(struct seeded *s)
{
	struct browser host = browser_of(s, "kofi"), reader = browser_of(s, "ingrid");
	struct browser editor = browser_of(s, "tobias");
	const char *at = say(&reader, "A fair remark.", ""), *hidden;

	is_int(decide(&host, at, "hide", "I do not like it."), HTTP_SEE_OTHER, "an author hides");
	is_int(decide(&editor, at, "restore", ""), HTTP_SEE_OTHER, "... the staff restore");
	ok(stranger_sees(s, TIDE, "A fair remark."), "... for all");
	get(&host, TIDE);
	ok(!says(&host, text_in(s, "href=\"%s\"", at)), "the author has no way to hide it again");
	is_int(get(&host, at), HTTP_FORBIDDEN, "... nor by its address");
	hidden = say(&reader, "A second remark.", "");
	is_int(decide(&editor, hidden, "hide", "It is off topic."), HTTP_SEE_OTHER, "the staff hide");
	is_int(get(&host, hidden), HTTP_NOT_FOUND, "... and the author does not restore it");
	get(&editor, hidden);
	ok(says(&editor, "value=\"restore\"") && !says(&editor, "value=\"hide\""),
	    "who moderates does");
	get(&reader, TIDE);
	ok(says(&reader, "The editors have hidden this"), "... and is named as such");
}

static void
holds_back(struct seeded *s)
{
	struct browser host = browser_of(s, "kofi"), reader = browser_of(s, "ingrid");
	struct browser editor = browser_of(s, "tobias");
	const char *at = say(&reader, "Perhaps a rumour.", "");
	const char *answer = text_in(s, WRITE "/answer?at=%s", at + strlen(DECIDE));

	is_int(decide(&host, at, "hold", "Is that so?"), HTTP_SEE_OTHER, "an author holds one back");
	ok(!stranger_sees(s, TIDE, "Perhaps a rumour."), "nobody sees it");
	get(&reader, TIDE);
	ok(says(&reader, "holds this back until an editor decides: Is that so?"),
	    "... but who wrote it, with the reason");
	ok(in_queue(s, QUEUE, "kofi holds it back: Is that so?"), "it is in the queue");
	get(&reader, answer);
	is_int(SUBMIT(&reader, answer, "answer", "I have it from the harbour."), HTTP_SEE_OTHER,
	    "who wrote it answers");
	is_int(get(&reader, answer), HTTP_NOT_FOUND, "... once");
	ok(in_queue(s, QUEUE, "I have it from the harbour."), "... in the queue, too");
	is_int(decide(&host, at, "approve", ""), HTTP_SEE_OTHER, "the author lets it through");
	ok(stranger_sees(s, TIDE, "Perhaps a rumour."), "... for all");
	at = say(&reader, "Another rumour.", "");
	decide(&host, at, "hold", "Is that so?");
	is_int(get(&reader, at), HTTP_FORBIDDEN, "who wrote it does not decide, though they moderate");
	is_int(get(&editor, at), HTTP_OK, "who else moderates does");
	ok(!says(&editor, "value=\"restore\""), "... and sees it as held");
}

/* A page that is older than what somebody else has decided does nothing. */
static void
races(struct seeded *s)
{
	struct browser host = browser_of(s, "kofi"), reader = browser_of(s, "ingrid");
	struct browser editor = browser_of(s, "tobias");
	const char *at = say(&reader, "Two at once.", "");

	get(&host, at);
	is_int(decide(&editor, at, "hide", "It is unkind."), HTTP_SEE_OTHER, "an editor is first");
	is_int(SUBMIT(&host, at, "do", "hold", "why", "Wait."), HTTP_NOT_FOUND,
	    "... the author finds nothing to hold");
	is_str(text_of(&host, "why"), STR("Wait."), "... and what they wrote is there");
	decide(&editor, at, "restore", "");
	get(&host, at);
	decide(&editor, at, "hide", "It is unkind.");
	decide(&editor, at, "restore", "");
	is_int(SUBMIT(&host, at, "do", "approve", "why", ""), HTTP_CONFLICT, "a button from before");
	is_int(SUBMIT(&host, at, "do", "dance"), HTTP_BAD_REQUEST, "... and one that there is not");
}

/* What the author holds back the staff hide; then it is not the author's to let through. */
static void
taken_over(struct seeded *s)
{
	struct browser host = browser_of(s, "kofi"), reader = browser_of(s, "ingrid");
	struct browser editor = browser_of(s, "tobias");
	const char *at = say(&reader, "Between two chairs.", "");

	decide(&host, at, "hold", "Which chair?");
	is_int(decide(&editor, at, "hide", "It is not so."), HTTP_SEE_OTHER, "the staff hide it");
	is_int(get(&host, at), HTTP_NOT_FOUND, "... which the author does not undo");
	get(&reader, TIDE);
	ok(says(&reader, "The editors have hidden this") && says(&reader, "It is not so."),
	    "... and who wrote it reads of the editors");
	get(&host, MANAGE);
	ok(!says(&host, "Which chair?"), "... nor has it in the list");
}

static void
fails(struct seeded *s)
{
	struct browser host = browser_of(s, "kofi"), reader = browser_of(s, "ingrid");
	struct failing_table failing;
	enum http_status status = HTTP_UNAVAILABLE;
	unsigned calls = 1, torn = 0;
	const char *at = say(&reader, "Out of the fog.", "");

	failing_table_begin(&failing, s->table);
	for (; status == HTTP_UNAVAILABLE && calls < 20; calls++) {
		get(&host, at);
		s->site.table = &failing.table;
		failing_table_arm(&failing, calls, TABLE_UNAVAILABLE);
		status = SUBMIT(&host, at, "do", "hide", "why", "Off the course.");
		s->site.table = s->table;
		if (status == HTTP_UNAVAILABLE)
			torn += !stranger_sees(s, TIDE, "Out of the fog.") ||
				!says(&host, "Off the course.");
	}
	is_int(status, HTTP_SEE_OTHER, "hidden when the table works again");
	ok(calls > 2, "... having failed at each call");
	is_int(torn, 0, "... without a trace, and the reason was there each time");
}

static void
marks(struct seeded *s)
{
	struct browser editor = browser_of(s, "tobias"), host = browser_of(s, "kofi");
	const char *at;

	get(&host, WRITE);
	ok(!says(&host, "name=\"staff\""), "who does not moderate is not asked");
	at = say(&host, "I pretend.", "1");
	ok(!stranger_sees(s, TIDE, ">Staff<"), "... nor believed");
	at = say(&editor, "We have moved the thread.", "1");
	ok(stranger_sees(s, TIDE, "<span class=\"badge\">Staff</span>"), "a moderator speaks for all");
	ok(stranger_sees(s, TIDE "/feed.atom", "Tobias Brandt, for the staff, on") ||
		stranger_sees(s, TIDE "/feed.atom", ", for the staff, on"),
	    "... in the feed, too");
	ok(stranger_sees(s, "/moderation", "marked as the staff"), "the public log has it");
	is_int(decide(&editor, at, "unmark", ""), HTTP_SEE_OTHER, "the mark is taken off");
	ok(!stranger_sees(s, TIDE, ">Staff<"), "... for all");
	is_int(decide(&editor, at, "mark", ""), HTTP_SEE_OTHER, "... and set afterwards");
	ok(stranger_sees(s, TIDE, ">Staff<"), "... again");
	is_int(get(&host, at), HTTP_FORBIDDEN, "... which no author of the post hides");
}

/* What a comment said before an edit is for who moderates, and nobody else. */
static void
earlier(struct seeded *s)
{
	struct browser reader = browser_of(s, "pascal"), host = browser_of(s, "kofi");
	struct browser editor = browser_of(s, "tobias");
	const char *at = say(&reader, "What a *rude* tide.", "");
	const char *edit = text_in(s, WRITE "?edit=%s", at + strlen(DECIDE));

	get(&editor, at);
	ok(!says(&editor, "earlier text"), "a comment that nobody has edited has no earlier text");
	get(&reader, edit);
	is_int(SUBMIT(&reader, edit, "do", "send", "text", "What a tide."), HTTP_SEE_OTHER,
	    "edited");
	get(&editor, at);
	ok(says(&editor, "What a tide.") && says(&editor, "1 earlier text") &&
		holds(editor.last.body, STR("What a <em>rude</em> tide.")),
	    "... it has one, for who moderates");
	get(&host, at);
	ok(says(&host, "What a tide.") && !holds(host.last.body, STR("rude")),
	    "... and not for the author of the post");
	ok(!stranger_sees(s, TIDE, "rude</em> tide"), "... nor a stranger");
}

/* What a deleted comment said, too. */
static void
deleted(struct seeded *s)
{
	struct browser reader = browser_of(s, "lowri"), host = browser_of(s, "kofi");
	struct browser editor = browser_of(s, "tobias");
	const char *at = say(&reader, "A *ruder* tide.", "");
	const char *delete = text_in(s, WRITE "/delete?at=%s", at + strlen(DECIDE));
	const char *reply = text_in(s, WRITE "?to=%s", at + strlen(DECIDE));

	pass(s);
	get(&editor, reply);
	s->clock.fixed_now += 4000;
	is_int(SUBMIT(&editor, reply, "do", "send", "text", "Mind your words."), HTTP_SEE_OTHER,
	    "somebody answers");
	get(&reader, delete);
	is_int(submit(&reader, delete, (const char *const[]){NULL}), HTTP_SEE_OTHER,
	    "its author deletes it");
	get(&editor, TIDE);
	ok(says(&editor, "What it said") &&
		holds(unescaped(s->arena, editor.last.body), str_of(at)),
	    "moderators have a way to what it said");
	is_int(get(&editor, at), HTTP_OK, "... which is there");
	ok(says(&editor, "A deleted comment of lowri") &&
		holds(editor.last.body, STR("A <em>ruder</em> tide.")),
	    "... with its author");
	get(&editor, "/admin/person/lowri");
	ok(holds(editor.last.body, STR("A <em>ruder</em> tide.")), "... as on their page");
	get(&host, TIDE);
	ok(!says(&host, "What it said"),
	    "the author of the post has no such way");
	is_int(get(&host, at), HTTP_NOT_FOUND, "... nor page");
	is_int(get(&reader, at), HTTP_NOT_FOUND, "... nor has who wrote it");
	ok(!stranger_sees(s, TIDE, "ruder"), "... nor a stranger");
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	hides(&s);
	overruled(&s);
	holds_back(&s);
	races(&s);
	taken_over(&s);
	fails(&s);
	marks(&s);
	earlier(&s);
	deleted(&s);
	browsers_close(&s);
	return tap_done();
}

/*
 * What waits and what was flagged is decided by one button; who wrote what is hidden is told why and answers once, and
 * what was hidden can be restored.
 */
#include "lib/failing_table.h"
#include "submit.h"
#include "writer.h"

#include "lib/tap.h"
#include "model/key_comment.h"
#include "model/post/count.h"

#include <string.h>

#define TIDE "/post/the-tide-in-forty-lines-of-c"
#define WRITE TIDE "/comment"
#define PK "POST#the-tide-in-forty-lines-of-c"
#define QUEUE "/admin/comments"
enum { LEFT = 45 };

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

static void
say(struct browser *b, const char *text)
{
	pass(b->s, 10);
	get(b, WRITE);
	SUBMIT(b, WRITE, "do", "send", "text", text);
}

/* The row of a list of the staff that says this, from there on. */
static struct str
row_of(struct browser *b, const char *list, const char *says)
{
	struct str page = (get(b, list), b->last.body);
	const char *at = memmem(page.base, page.len, says, strlen(says));

	return at == NULL ? STR("")
			  : part(str_sub(page, (size_t)(at - page.base), page.len), "", "</li>");
}

/* Presses the first button of that name in the row. */
static enum http_status
press(struct browser *b, const char *list, const char *says, const char *button)
{
	struct arena *arena = b->s->arena;
	struct str row = row_of(b, list, says), value;

	value = part(row, text_in(b->s, "name=\"%s\" value=\"", button), "\"");
	if (value.len == 0)
		bail_out("no button %s for %s", button, says);
	return SUBMIT(b, QUEUE, button, str_cstring(arena, unescaped(arena, value)));
}

static void
hides(struct seeded *s)
{
	struct browser author = browser_of(s, "pascal"), editor = browser_of(s, "tobias");
	struct browser other = browser_of(s, "kofi");
	const char *answer;
	int64_t before;

	say(&author, "Knots are for fools.");
	before = comments_of(s);
	ok(row_of(&editor, QUEUE, "for fools").len == 0, "what everybody sees is not in the queue");
	ok(row_of(&editor, QUEUE "?show=newest", "for fools").len != 0, "... but among the newest");
	is_int(press(&editor, QUEUE "?show=newest", "for fools", "hide"), HTTP_SEE_OTHER,
	    "it is hidden");
	ok(!stranger_sees(s, TIDE, "for fools"), "nobody sees it");
	is_int(comments_of(s), before - 1, "... and it is not counted");
	get(&author, TIDE);
	ok(says(&author, "for fools") && says(&author, "It is advertising."),
	    "its author does, and why");
	get(&other, TIDE);
	ok(!says(&other, "It is advertising."), "... nobody else");
	answer = str_cstring(s->arena,
	    STR_CONCAT(s->arena, STR(WRITE "/answer?at="),
		part(author.last.body, WRITE "/answer?at=", "\"")));
	is_int(get(&other, answer), HTTP_NOT_FOUND, "nobody else answers");
	is_int(get(&author, answer), HTTP_OK, "its author can");
	is_int(SUBMIT(&author, answer, "answer", ""), HTTP_UNPROCESSABLE, "... something");
	get(&author, answer);
	is_int(SUBMIT(&author, answer, "answer", "It was a joke."), HTTP_SEE_OTHER, "they do");
	is_int(get(&author, answer), HTTP_NOT_FOUND, "... once");
	get(&author, TIDE);
	ok(says(&author, "It was a joke.") && !says(&author, WRITE "/answer"), "... and see it");
	ok(holds(row_of(&editor, QUEUE, "for fools"), STR("It was a joke.")),
	    "the answer is in the queue");
	is_int(press(&editor, QUEUE, "for fools", "keep"), HTTP_SEE_OTHER, "it is read");
	ok(row_of(&editor, QUEUE, "for fools").len == 0, "... and out of the queue");
	is_int(press(&editor, QUEUE "?show=hidden", "for fools", "restore"), HTTP_SEE_OTHER,
	    "what was hidden is restored");
	ok(stranger_sees(s, TIDE, "for fools"), "... for all");
	is_int(comments_of(s), before, "... and counted");
	editor = browser_of(s, "marta");
	get(&editor, "/admin/log");
	ok(says(&editor, "hidden, under") && says(&editor, "restored, under"), "the log has both");
}

/* What answers it keeps its place. */
static void
keeps_place(struct seeded *s)
{
	struct browser author = browser_of(s, "pascal"), editor = browser_of(s, "tobias");
	struct browser other = browser_of(s, "kofi");
	struct str row;
	const char *reply;

	say(&author, "A rude beginning.");
	get(&other, TIDE);
	row = row_of(&other, TIDE, "A rude beginning.");
	reply = str_cstring(s->arena,
	    STR_CONCAT(s->arena, STR(WRITE "?to="), part(row, WRITE "?to=", "\"")));
	pass(s, 10);
	get(&other, reply);
	SUBMIT(&other, reply, "do", "send", "text", "A fine reply.");
	ok(holds(row_of(&editor, QUEUE "?show=newest", "A fine reply."),
	       STR("In answer to Pascal")),
	    "a reply is shown with what it answers");
	press(&editor, QUEUE "?show=newest", "<p>A rude beginning.", "hide");
	ok(!stranger_sees(s, TIDE, "A rude beginning."), "what is answered goes");
	ok(stranger_sees(s, TIDE, "hidden by the editors") && stranger_sees(s, TIDE, "A fine reply."),
	    "... and the answer keeps its place");
	pass(s, 31 * 24 * 60);
	editor = browser_of(s, "tobias");
	get(&editor, QUEUE "?show=hidden");
	ok(says(&editor, "aria-current=\"page\">What was hidden") && !says(&editor, "aria-current=\"page\">What waits"),
	    "the list that is shown is marked among the others");
	ok(!holds(row_of(&editor, QUEUE "?show=hidden", "<p>A rude beginning."),
	       STR("restore")),
	    "after a month it stays so");
}

static void
flagged(struct seeded *s)
{
	struct browser author = browser_of(s, "pascal"), editor = browser_of(s, "tobias"), b;
	static const char *const trusted[] = {"noor", "lowri", "ingrid"};
	struct str row;

	say(&author, "Second-hand ships.");
	for (int i = 0; i < 3; i++) {
		const char *flag;

		b = browser_of(s, trusted[i]);
		row = row_of(&b, TIDE, "Second-hand ships.");
		flag = str_cstring(s->arena,
		    STR_CONCAT(s->arena, STR("/flag/"), part(row, "/flag/", "\"")));
		get(&b, flag);
		SUBMIT(&b, flag, "reason", "spam", "note", i == 0 ? "He sells them." : "");
		if (i == 1) {
			row = row_of(&editor, QUEUE, "Second-hand ships.");
			ok(holds(row, STR("Flagged by noor, trusted: Spam or advertising. He sells")),
			    "what was flagged is in the queue, with who says what");
			is_int(press(&editor, QUEUE, "Second-hand ships.", "dismiss"),
			    HTTP_SEE_OTHER, "the flags are dismissed at once");
			ok(row_of(&editor, QUEUE, "Second-hand ships.").len == 0, "... all");
		}
	}
	ok(stranger_sees(s, TIDE, "Second-hand ships."), "those that were dismissed hold nothing");
	is_int(press(&editor, QUEUE, "Second-hand ships.", "hide"), HTTP_SEE_OTHER,
	    "one that is flagged is hidden");
	ok(row_of(&editor, QUEUE, "Second-hand ships.").len == 0, "... which settles its flags");
	b = browser_of(s, "noor");
	get(&b, "/flag/profile/pascal");
	SUBMIT(&b, "/flag/profile/pascal", "reason", "unkind");
	ok(holds(row_of(&editor, QUEUE, "The profile of"), STR("Unkind")), "a profile is there, too");
	is_int(press(&editor, QUEUE, "The profile of", "uphold"), HTTP_SEE_OTHER, "... and settled");
	ok(row_of(&editor, QUEUE, "The profile of").len == 0, "... for good");
}

/* Nobody decides on their own: not on a comment, whatever holds it, nor on the flags of what is theirs. */
static void
own(struct seeded *s)
{
	struct browser author = browser_of(s, "tobias"), other = browser_of(s, "marta"), b;
	static const char *const trusted[] = {"noor", "lowri", "ingrid"};
	const char *flag, *value;
	struct str row;

	say(&author, "An editor’s own opinion.");
	for (int i = 0; i < 3; i++) {
		b = browser_of(s, trusted[i]);
		row = row_of(&b, TIDE, "own opinion.");
		flag = str_cstring(
		    s->arena, STR_CONCAT(s->arena, STR("/flag/"), part(row, "/flag/", "\"")));
		get(&b, flag);
		SUBMIT(&b, flag, "reason", "unkind");
		if (i == 0) {
			row = row_of(&author, QUEUE, "own opinion.");
			ok(holds(row, STR("It is yours")) && !holds(row, STR("<button")),
			    "who wrote it sees that it is flagged, and no button");
			row = row_of(&other, QUEUE, "own opinion.");
			value = str_cstring(s->arena,
			    unescaped(s->arena, part(row, "name=\"dismiss\" value=\"", "\"")));
			get(&author, QUEUE);
			is_int(SUBMIT(&author, QUEUE, "dismiss", value), HTTP_CONFLICT,
			    "... nor can they settle it without one");
		}
	}
	ok(!stranger_sees(s, TIDE, "own opinion."), "three flags hold it");
	row = row_of(&author, QUEUE, "own opinion.");
	ok(holds(row, STR("It is yours")) && !holds(row, STR("<button")),
	    "... which its author can't decide on, either");
	row = row_of(&other, QUEUE, "own opinion.");
	value = str_cstring(
	    s->arena, unescaped(s->arena, part(row, "name=\"approve\" value=\"", "\"")));
	get(&author, QUEUE);
	is_int(SUBMIT(&author, QUEUE, "approve", value), HTTP_CONFLICT, "... nor without a button");
	is_int(press(&other, QUEUE, "own opinion.", "approve"), HTTP_SEE_OTHER,
	    "another moderator can");
	ok(stranger_sees(s, TIDE, "own opinion."), "... and it is there");
}

static void
notes(struct seeded *s)
{
	struct browser editor = browser_of(s, "tobias"), reader = browser_of(s, "pascal");
	struct browser other = browser_of(s, "kofi");

	is_int(get(&editor, "/admin/person/pascal"), HTTP_OK, "a person has a page for the staff");
	ok(says(&editor, "What was hidden") && says(&editor, "Second-hand ships."),
	    "... with what was hidden");
	is_int(SUBMIT(&editor, "/admin/person/pascal", "text", ""), HTTP_UNPROCESSABLE,
	    "an empty note is none");
	get(&editor, "/admin/person/pascal");
	is_int(SUBMIT(&editor, "/admin/person/pascal", "text", "Means well."), HTTP_SEE_OTHER,
	    "a note is kept");
	get(&editor, "/admin/person/pascal");
	ok(says(&editor, "Means well."), "... for the staff");
	is_int(get(&other, "/admin/person/pascal"), HTTP_FORBIDDEN, "... and for nobody else");
	get(&reader, "/account/data");
	fetch(&reader, "POST", "/account/export",
	    STR_CONCAT(s->arena, STR("csrf="), part(reader.last.body, "name=\"csrf\" value=\"", "\"")));
	ok(holds(reader.last.body, STR("It is advertising.")) &&
		!holds(reader.last.body, STR("Means well.")) &&
		!holds(reader.last.body, STR("HiddenBy")),
	    "their data has why something was hidden, not by whom, and no note");
	get(&editor, "/admin/person/pascal");
	is_int(SUBMIT(&editor, "/admin/person/pascal", "remove",
		   str_cstring(s->arena,
		       part(editor.last.body, "name=\"remove\" value=\"", "\""))),
	    HTTP_SEE_OTHER, "it is removed");
	get(&editor, "/admin/person/pascal");
	ok(!says(&editor, "Means well."), "... and gone");
}

static void
fails(struct seeded *s)
{
	struct browser author = browser_of(s, "pascal"), editor = browser_of(s, "tobias");
	struct failing_table failing;
	enum http_status status = HTTP_UNAVAILABLE;
	int64_t before;
	unsigned calls = 1, torn = 0;

	say(&author, "Through the fog.");
	before = comments_of(s);
	failing_table_begin(&failing, s->table);
	for (; status == HTTP_UNAVAILABLE && calls < 20; calls++) {
		struct str value =
		    part(row_of(&editor, QUEUE "?show=newest", "Through the fog."),
			"name=\"hide\" value=\"", "\"");

		s->site.table = &failing.table;
		failing_table_arm(&failing, calls, TABLE_UNAVAILABLE);
		status = SUBMIT(&editor, QUEUE, "hide", str_cstring(s->arena, value));
		s->site.table = s->table;
		torn += status == HTTP_UNAVAILABLE && comments_of(s) != before;
	}
	is_int(status, HTTP_SEE_OTHER, "hidden when the table works again");
	ok(calls > 2, "... having failed at each call");
	is_int(torn, 0, "... without a trace");
	is_int(comments_of(s), before - 1, "... and counted down once");
}

/* --- Lists and traps ---------------------------------------------------------------------------------- */

static void
rule(struct seeded *s, const char *name, const char *value)
{
	struct browser admin = browser_of(s, "marta");

	is_int(submit_form(&admin, "/admin/moderation", "/admin/moderation",
		   (const char *const[]){name, value, NULL}),
	    HTTP_SEE_OTHER, "%s is set", name);
}

static void
tries(struct browser *admin, const char *text, const char *says_what)
{
	get(admin, "/admin/moderation/try");
	is_int(SUBMIT(admin, "/admin/moderation/try", "text", text), HTTP_OK, "%s", text);
	ok(holds(unescaped(admin->s->arena, admin->last.body), str_of(says_what)), "... %s",
	    says_what);
	is_str(text_of(admin, "text"), str_of(text), "... and is there still");
}

static void
lists(struct seeded *s)
{
	struct browser author = browser_of(s, "pascal"), editor = browser_of(s, "tobias");
	struct browser admin = browser_of(s, "marta");
	struct str row;
	const char *edit;
	int64_t before;

	rule(s, "words", "casino\ngood luck");
	rule(s, "domains", "spam.example");
	rule(s, "links", "/?ref=");
	tries(&admin, "At the CASINO.", "wait for an editor: it has the word “casino”");
	tries(&admin, "Ca*si*no", "the word “casino”");
	tries(&admin, "Casinos and goodluck", "would let it through");
	tries(&admin, "<https://www.spam.example/x>", "the domain “spam.example”");
	tries(&admin, "<https://notspam.example> spam.example.org", "would let it through");
	tries(&admin, "<https://x.example/?ref=7>", "the link “/?ref=”");
	before = comments_of(s);
	say(&author, "A casino in the fog.");
	is_int(author.last.status, HTTP_SEE_OTHER, "what is listed is not refused");
	ok(!stranger_sees(s, TIDE, "casino in the fog"), "... but waits");
	is_int(comments_of(s), before, "... uncounted");
	get(&author, TIDE);
	ok(says(&author, "Waiting for an editor") && !says(&author, "it has the word"),
	    "... and nobody is told why");
	row = row_of(&editor, QUEUE, "casino in the fog");
	ok(holds(row, STR("Waits: it has the word")), "but the staff");
	say(&author, "A harmless beginning.");
	row = row_of(&author, TIDE, "A harmless beginning.");
	edit = str_cstring(s->arena,
	    STR_CONCAT(s->arena, STR(WRITE "?edit="), part(row, WRITE "?edit=", "\"")));
	before = comments_of(s);
	get(&author, edit);
	is_int(SUBMIT(&author, edit, "do", "send", "text", "A casino after all."), HTTP_SEE_OTHER,
	    "what is listed is edited in");
	ok(!stranger_sees(s, TIDE, "casino after all"), "... and waits as well");
	is_int(comments_of(s), before - 1, "... counted no more");
	rule(s, "words", "");
	rule(s, "domains", "");
	rule(s, "links", "");
}

static void
traps(struct seeded *s)
{
	struct browser b = newcomer(s, "swift"), editor = browser_of(s, "tobias");

	pass(s, 10);
	get(&b, WRITE);
	s->clock.fixed_now += 4000;
	SUBMIT(&b, WRITE, "do", "send", "text", "My very first.");
	press(&editor, QUEUE, "My very first.", "approve");
	say(&b, "Typed in no time.");
	ok(!stranger_sees(s, TIDE, "Typed in no time."), "what was sent at once waits");
	pass(s, 10);
	get(&b, WRITE);
	s->clock.fixed_now += 4000;
	SUBMIT(&b, WRITE, "do", "send", "text", "I fill in everything.", "website", "x");
	ok(!stranger_sees(s, TIDE, "I fill in everything."), "... and with the hidden field filled in");
	pass(s, 10);
	get(&b, WRITE);
	s->clock.fixed_now += 4000;
	SUBMIT(&b, WRITE, "do", "send", "text", "Typed in a while.");
	ok(stranger_sees(s, TIDE, "Typed in a while."), "what takes its time appears");
}

static void
closes(struct seeded *s)
{
	struct browser b = browser_of(s, "ingrid");

	get(&b, WRITE);
	rule(s, "close_days", "1");
	is_int(SUBMIT(&b, WRITE, "do", "send", "text", "A day’s work."), HTTP_FORBIDDEN,
	    "an old post takes no more comments");
	ok(says(&b, "closed by now"), "... which it says");
	is_str(text_of(&b, "text"), STR("A day’s work."), "... and the text is there");
	ok(!stranger_sees(s, TIDE, "href=\"" WRITE), "... nor leads to where they are written");
	rule(s, "close_days", "0");
	is_int(get(&b, WRITE), HTTP_OK, "then it does again");
}

static void
log_of_readers(struct seeded *s)
{
	struct str page = visit(s, STR("/moderation")).body;

	ok(holds(page, STR("was hidden")) && holds(page, STR("It is advertising.")) &&
		holds(page, STR("the-tide-in-forty-lines-of-c")),
	    "readers see what was decided, and why");
	ok(!holds(page, STR("tobias")) && !holds(page, STR("pascal")), "... without names");
	rule(s, "name_staff", "1");
	ok(stranger_sees(s, "/moderation", "was hidden by tobias"), "... unless admins want them");
	is_int(visit(s, STR("/moderation?month=2026-10")).status, HTTP_OK, "any month");
	is_int(visit(s, STR("/moderation?month=x")).status, HTTP_BAD_REQUEST, "... that is one");
}

/* How often this stands in a list, on its first page and on those to which it leads. A page of one list: its name is empty. */
static size_t
found_on(struct browser *b, const char *address, const char *list, const char *text)
{
	const char *begin = *list == '\0' ? "aria-label=\"Pages\"" : text_in(b->s, "aria-label=\"Pages: %s\"", list);
	struct str at = str_of(address), more;
	size_t found = 0, pages = 0;

	do {
		get(b, str_cstring(b->s->arena, at));
		found += count_of(*list == '\0' ? b->last.body
						: part(b->last.body, text_in(b->s, ">%s</h2>", list), "</section>"),
		    str_of(text));
		more = part(b->last.body, begin, "</nav>");
		more = part(more, "class=\"older\" href=\"", "\"");
		at = unescaped(b->s->arena, more);
	} while (more.len != 0 && ++pages < 9);
	return found;
}

/* All that somebody has left is found, however much it is. */
static void
whole_trace(struct seeded *s)
{
	struct browser editor = browser_of(s, "tobias");

	for (unsigned i = 0; i < LEFT; i++) {
		struct comment c = {.id = str_fmt(s->arena, "0000000007%04u", i),
		    .post = STR("first-brent-geese"),
		    .author = STR("pascal"),
		    .author_name = STR("Pascal"),
		    .markdown = STR("One of many."),
		    .html = STR("<p>One of many.</p>\n"),
		    .renderer = 1,
		    .status = COMMENT_VISIBLE,
		    .created = s->clock.fixed_now - 1000 * i};
		struct item item = {.count = 0};

		key_set(s->arena, &item, key_comment(s->arena, c.post, c.id), ITEM_COMMENT);
		key_index_comment(s->arena, &item, c.author, c.created, c.id, false);
		bind_write(s->arena, &comment_bindings, &c, &item);
		seeded_put(s, &item, 1);
	}
	is_int((int64_t)found_on(&editor, "/admin/users/pascal/trace", "What they have said",
		   "One of many."),
	    LEFT, "a trace has all that somebody has said");
	is_int((int64_t)found_on(&editor, "/admin/person/pascal", "What they said last",
		   "One of many."),
	    LEFT, "... and so has their page");
	is_int((int64_t)found_on(&editor, QUEUE "?show=newest&q=MANY+pascal", "", "One of many."), LEFT,
	    "... and the newest comments with words of it");
	is_int((int64_t)count_of(editor.last.body, STR("class=\"newer\" href=\"/admin/comments?q=MANY%20pascal&amp;show=newest\"")), 1,
	    "... of which the last page leads back to the first");
	get(&editor, QUEUE "?show=newest&q=one+nowhere");
	ok(says(&editor, "Nothing here has all of these words.") || says(&editor, "Not among these"), "what nothing has is told");
	is_int(get(&editor, "/admin/users/pascal/trace?list=likes"), HTTP_OK, "... what they like");
	is_int(get(&editor, "/admin/users/pascal/trace?list=sessions"), HTTP_NOT_FOUND,
	    "... and nothing else");
	is_int(get(&editor, "/admin/person/pascal?list=flags&after=x"), HTTP_BAD_REQUEST,
	    "a cursor that is none");
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	hides(&s);
	flagged(&s);
	own(&s);
	notes(&s);
	fails(&s);
	lists(&s);
	traps(&s);
	closes(&s);
	log_of_readers(&s);
	whole_trace(&s);
	keeps_place(&s);
	browsers_close(&s);
	return tap_done();
}

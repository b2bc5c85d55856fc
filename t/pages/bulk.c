/*
 * Several things of the queue are decided at once: what would be done is named before, what has changed meanwhile is skipped,
 * and sent twice it does nothing more.
 */
#include "lib/failing_table.h"
#include "writer.h"

#include "lib/tap.h"

#include <string.h>

#define TIDE "/post/the-tide-in-forty-lines-of-c"
#define WRITE TIDE "/comment"
#define PK "POST#the-tide-in-forty-lines-of-c"
#define QUEUE "/admin/comments"
#define BULK QUEUE "/bulk"

enum { MANY = 60 };

static void
say(struct browser *b, const char *text)
{
	b->s->clock.fixed_now += 600000;
	get(b, WRITE);
	SUBMIT(b, WRITE, "do", "send", "text", text);
}

/* The value of the check box of the row that says this; empty: there is none. */
static struct str
pick_of(struct browser *b, const char *list, const char *text)
{
	struct str rest = (get(b, list), b->last.body), row;

	while (between(&rest, STR("<li>"), STR("</li>"), &row))
		if (holds(row, str_of(text)))
			return unescaped(b->s->arena, part(row, "name=\"pick\" value=\"", "\""));
	return STR("");
}

static enum http_status
bulk(struct browser *b, const char *wish, const char *action, const struct str *picks, size_t count)
{
	struct buf body = {.arena = b->s->arena};

	get(b, QUEUE "?show=newest");
	put_field(&body, STR("csrf"), part(b->last.body, "name=\"csrf\" value=\"", "\""));
	put_field(&body, STR("action"), str_of(action));
	put_field(&body, STR("do"), str_of(wish));
	for (size_t i = 0; i < count; i++)
		put_field(&body, STR("pick"), picks[i]);
	return fetch(b, "POST", BULK, buf_str(&body));
}

static size_t
badges(struct browser *b, const char *badge)
{
	return count_of(
	    b->last.body, str_fmt(b->s->arena, "<span class=\"badge\">%s</span>", badge));
}

static void
hides(struct seeded *s)
{
	struct browser author = browser_of(s, "pascal"), editor = browser_of(s, "tobias");
	struct browser other = browser_of(s, "marta");
	struct str picks[3];

	say(&author, "Cheap ropes.");
	say(&author, "Cheap sails.");
	say(&author, "Cheap masts.");
	picks[0] = pick_of(&editor, QUEUE "?show=newest", "Cheap ropes.");
	picks[1] = pick_of(&editor, QUEUE "?show=newest", "Cheap sails.");
	picks[2] = pick_of(&editor, QUEUE "?show=newest", "Cheap masts.");
	is_int(bulk(&editor, "look", "hide spam", picks, 3), HTTP_OK, "three are looked at");
	ok(says(&editor, "Cheap ropes.") && says(&editor, "Cheap sails.") &&
		says(&editor, "It would be hidden. Its author is told: It is advertising."),
	    "... what would be done is said of each");
	ok(says(&editor, "3 would be done."), "... and of all");
	ok(stranger_sees(s, TIDE, "Cheap ropes."), "... and nothing is done");
	is_int(
	    bulk(&other, "act", "hide unkind", &picks[2], 1), HTTP_OK, "one is hidden by another");
	is_int(bulk(&editor, "act", "hide spam", picks, 3), HTTP_OK, "it is done");
	is_int((int64_t)badges(&editor, "done"), 2, "... to two");
	ok(badges(&editor, "skipped") == 1 && says(&editor, "It is hidden already."),
	    "... and one is skipped, as it says");
	ok(!stranger_sees(s, TIDE, "Cheap ropes.") && !stranger_sees(s, TIDE, "Cheap sails."),
	    "nobody sees them");
	get(&author, TIDE);
	ok(says(&author, "It is advertising.") && says(&author, "It is unkind."),
	    "their author is told why, as the first one said");
	is_int(bulk(&editor, "act", "hide rules", picks, 3), HTTP_OK, "it is sent once more");
	is_int((int64_t)badges(&editor, "skipped"), 3, "... and does nothing more");
	is_int(bulk(&editor, "act", "restore", picks, 3), HTTP_OK, "they are restored");
	is_int((int64_t)badges(&editor, "done"), 3, "... at once");
	ok(stranger_sees(s, TIDE, "Cheap ropes.") && stranger_sees(s, TIDE, "Cheap masts."),
	    "... for all");
}

static void
edited(struct seeded *s)
{
	struct browser author = browser_of(s, "pascal"), editor = browser_of(s, "tobias");
	struct str pick, rest;
	const char *edit;

	say(&author, "A kind word.");
	pick = pick_of(&editor, QUEUE "?show=newest", "A kind word.");
	get(&author, TIDE);
	rest = part(author.last.body, "A kind word.", "</article>");
	edit = str_cstring(
	    s->arena, STR_CONCAT(s->arena, STR(WRITE "?edit="), part(rest, WRITE "?edit=", "\"")));
	s->clock.fixed_now += 600000;
	get(&author, edit);
	SUBMIT(&author, edit, "do", "send", "text", "A kinder word.");
	bulk(&editor, "act", "hide unkind", &pick, 1);
	ok(says(&editor, "edited it meanwhile") && stranger_sees(s, TIDE, "A kinder word."),
	    "what was edited meanwhile is skipped");
}

static void
flagged(struct seeded *s)
{
	struct browser editor = browser_of(s, "tobias"), reader = browser_of(s, "noor");
	struct str pick;

	get(&reader, "/flag/profile/kofi");
	SUBMIT(&reader, "/flag/profile/kofi", "reason", "unkind");
	pick = pick_of(&editor, QUEUE, "The profile of");
	is_int(bulk(&editor, "look", "dismiss", &pick, 1), HTTP_OK, "flags are looked at");
	ok(says(&editor, "Its flags would be dismissed."), "... that would be dismissed");
	reader = browser_of(s, "ingrid");
	get(&reader, "/flag/profile/kofi");
	SUBMIT(&reader, "/flag/profile/kofi", "reason", "spam");
	bulk(&editor, "act", "dismiss", &pick, 1);
	ok(says(&editor, "Somebody has flagged it meanwhile"), "not with one that was not seen");
	pick = pick_of(&editor, QUEUE, "The profile of");
	bulk(&editor, "act", "dismiss", &pick, 1);
	ok(badges(&editor, "done") == 1 && pick_of(&editor, QUEUE, "The profile of").len == 0,
	    "looked at again, they are");
	bulk(&editor, "act", "dismiss", &pick, 1);
	ok(says(&editor, "settled already"), "... once");
	get(&reader, "/flag/profile/tobias");
	SUBMIT(&reader, "/flag/profile/tobias", "reason", "spam");
	pick = pick_of(&editor, QUEUE, "The profile of");
	for (int i = 0; i < 2; i++) {
		bulk(&editor, "act", i == 0 ? "dismiss" : "uphold", &pick, 1);
		ok(badges(&editor, "skipped") == 1 && says(&editor, "It is yours"),
		    "of what is theirs they settle none");
	}
}

/* Nothing is said of what stands under a post that is not theirs to read. */
static void
of_others(struct seeded *s)
{
	struct browser editor = browser_of(s, "tobias");
	struct str pick = pick_of(&editor, QUEUE "?show=newest", "A kinder word.");
	struct item head = seeded_item(s, PK, "METADATA"), closed = item_shallow(s->arena, &head);

	item_set(s->arena, &closed, STR("Visibility"), value_string(STR("private")));
	seeded_put(s, &closed, 1);
	is_int(bulk(&editor, "act", "hide unkind", &pick, 1), HTTP_OK, "of a post of others");
	ok(says(&editor, "It is not there any more.") && !says(&editor, "A kinder word.") &&
		!says(&editor, "forty lines"),
	    "... nothing is done, or said");
	seeded_put(s, &head, 1);
	ok(stranger_sees(s, TIDE, "A kinder word."), "... nor hidden");
}

static void
bounds(struct seeded *s)
{
	struct browser editor = browser_of(s, "tobias");
	struct str picks[MANY];

	for (int i = 0; i < MANY; i++)
		picks[i] = str_fmt(s->arena, "post none-%d - - 1", i);
	is_int(bulk(&editor, "look", "dismiss", picks, MANY), HTTP_OK, "sixty are too many");
	ok(badges(&editor, "skipped") == 50 && says(&editor, "10 more left out"),
	    "... fifty are looked at, as it says");
	is_int(bulk(&editor, "look", "dismiss", picks, 0), HTTP_OK, "none");
	ok(says(&editor, "Nothing is chosen."), "... are none");
	picks[0] = STR("comment nonsense");
	is_int(bulk(&editor, "look", "dismiss", picks, 1), HTTP_BAD_REQUEST, "nonsense is none");
	is_int(bulk(&editor, "look", "explode", picks, 0), HTTP_BAD_REQUEST, "... nor an action");
	is_int(get(&editor, BULK), HTTP_SEE_OTHER, "looked at by itself, it leads to the queue");
}

static void
fails(struct seeded *s)
{
	struct browser author = browser_of(s, "pascal"), editor = browser_of(s, "tobias");
	enum http_status status = HTTP_UNAVAILABLE;
	struct failing_table failing;
	unsigned calls = 1, wrong = 0;
	struct str picks[2];

	say(&author, "Through fog.");
	say(&author, "Through rain.");
	picks[0] = pick_of(&editor, QUEUE "?show=newest", "Through fog.");
	picks[1] = pick_of(&editor, QUEUE "?show=newest", "Through rain.");
	failing_table_begin(&failing, s->table);
	for (; status == HTTP_UNAVAILABLE && calls < 20; calls++) {
		struct buf body = {.arena = s->arena};

		get(&editor, QUEUE);
		put_field(
		    &body, STR("csrf"), part(editor.last.body, "name=\"csrf\" value=\"", "\""));
		put_field(&body, STR("action"), STR("hide spam"));
		put_field(&body, STR("do"), STR("act"));
		put_field(&body, STR("pick"), picks[0]);
		put_field(&body, STR("pick"), picks[1]);
		s->site.table = &failing.table;
		failing_table_arm(&failing, calls, TABLE_UNAVAILABLE);
		status = fetch(&editor, "POST", BULK, buf_str(&body));
		s->site.table = s->table;
		wrong += stranger_sees(s, TIDE, "Through rain.") &&
			 says(&editor,
			     "It is hidden. Its author is told: It is advertising. “Through rain");
	}
	is_int(status, HTTP_OK, "it is done when the table works again");
	ok(calls > 3, "... having failed at each call");
	is_int(wrong, 0, "... with nothing said to be done that was not");
	ok(!stranger_sees(s, TIDE, "Through fog.") && !stranger_sees(s, TIDE, "Through rain."),
	    "... and now it is");
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	hides(&s);
	edited(&s);
	flagged(&s);
	of_others(&s);
	bounds(&s);
	fails(&s);
	browsers_close(&s);
	return tap_done();
}

/*
 * What people are told, as they see it: how much is unread in the head of each page, the list, what is marked as read, and what
 * they want to be told of.
 */
#include "writer.h"

#include "lib/tap.h"
#include "t/derive/worker.h"

#include <string.h>

#define TIDE "/post/the-tide-in-forty-lines-of-c" /* by kofi */
#define WRITE TIDE "/comment"
#define HERE "/account/notifications"
#define SETTINGS HERE "/settings"

static void
say(struct seeded *s, const char *name, const char *text)
{
	struct browser b = browser_of(s, name);

	s->clock.fixed_now += 30 * 60000;
	get(&b, WRITE);
	s->clock.fixed_now += 4000;
	is_int(SUBMIT(&b, WRITE, "do", "send", "text", text), HTTP_SEE_OTHER, "%s says something", name);
	work(s);
}

static void
read_all(struct browser *b)
{
	struct str newest;

	get(b, HERE);
	newest = part(b->last.body, "name=\"all\" value=\"", "\"");
	if (newest.len != 0)
		SUBMIT(b, HERE, "all", str_cstring(b->s->arena, newest));
	work(b->s);
}

static void
heads(struct seeded *s)
{
	struct browser kofi = browser_of(s, "kofi");

	work(s);
	read_all(&kofi);
	get(&kofi, "/");
	ok(says(&kofi, "<a href=\"" HERE "\">Notifications</a>"), "each page leads there");
	ok(!holds(visit(s, STR("/")).body, STR(HERE)), "... but not a stranger’s");
	say(s, "pascal", "What a *tide*.");
	get(&kofi, "/tags");
	ok(says(&kofi, "Notifications (1)"), "what is unread is counted in the head of each page");
	is_int(get(&kofi, HERE "/count"), HTTP_OK, "... and for a script");
	is_str(kofi.last.body, STR("{\"unread\":1}\n"), "... as a number");
	is_str(header(&kofi.last, "Cache-Control"), STR("no-store"), "... which nobody keeps");
}

static void
lists(struct seeded *s)
{
	struct browser kofi = browser_of(s, "kofi"), pascal = browser_of(s, "pascal");
	struct str list, row;

	is_int(get(&kofi, HERE), HTTP_OK, "the list");
	row = part(kofi.last.body, "<li class=\"unread\">", "</li>");
	ok(holds(row, STR("/author/pascal\">Pascal")) && holds(row, STR(" commented on ")) &&
		holds(row, STR("/comment/")) && holds(row, STR("The tide in forty lines of C</a>")),
	    "who did what, and where");
	say(s, "noor", "Indeed.");
	say(s, "ingrid", "And another one.");
	say(s, "lowri", "And mine.");
	get(&kofi, HERE);
	list = kofi.last.body;
	row = part(list, "<li class=\"unread\">", "</li>");
	ok(holds(row, STR("Lowri")) && holds(row, STR(" and 2 others commented on")),
	    "several are one, the latest first");
	is_int((int64_t)count_of(list, STR("class=\"unread\"")), 1, "... and one is new");
	say(s, "ingrid", "@pascal, you have heard us?");
	get(&pascal, HERE);
	row = part(pascal.last.body, "<li class=\"unread\">", "</li>");
	ok(holds(row, STR("mentioned you in")) && holds(row, STR("you have heard us?")),
	    "a mention says what was said");
	say(s, "noor", "@pascal, so have I.");
	get(&pascal, HERE);
	ok(says(&pascal, "so have I.") && says(&pascal, "you have heard us?"), "... and so does another one");
}

static void
marks(struct seeded *s)
{
	struct browser kofi = browser_of(s, "kofi"), somebody = newcomer(s, "somebody");
	const char *value;

	get(&somebody, "/author/kofi");
	SUBMIT(&somebody, "/author/kofi/follow", "do", "follow");
	work(s);
	get(&kofi, HERE);
	ok(says(&kofi, "Notifications (2)") && says(&kofi, "follows you"), "two are unread");
	value = str_cstring(s->arena, part(kofi.last.body, "name=\"read\" value=\"", "\""));
	is_int(SUBMIT(&kofi, HERE, "read", value), HTTP_SEE_OTHER, "one is marked as read");
	is_str(leads_to(&kofi), STR(HERE "?done=read"), "... which is said");
	get(&kofi, HERE "?done=read");
	ok(says(&kofi, "Notifications (1)") && says(&kofi, "Marked as read."),
	    "... and counted at once, before the worker comes");
	work(s);
	get(&kofi, HERE);
	ok(says(&kofi, "Notifications (1)"), "... as after it");
	is_int((int64_t)count_of(kofi.last.body, STR("class=\"unread\"")), 1, "... one row is new still");
	value = str_cstring(s->arena, part(kofi.last.body, "name=\"all\" value=\"", "\""));
	say(s, "ingrid", "Too late for that.");
	get(&kofi, HERE);
	SUBMIT(&kofi, HERE, "all", value);
	work(s);
	get(&kofi, HERE);
	read_all(&kofi);
	get(&kofi, HERE);
	ok(!says(&kofi, "Notifications (") && !says(&kofi, "class=\"unread\"") && !says(&kofi, "Mark all"),
	    "all of it was read");
	is_int(SUBMIT(&kofi, HERE, "read", "nonsense"), HTTP_BAD_REQUEST, "nonsense is refused");
	get(&kofi, HERE);
	is_int(SUBMIT(&kofi, HERE, "read", "2026-11-18T09:30:00.000Z/METADATA"), HTTP_BAD_REQUEST,
	    "... and so is what is no notification");
	get(&kofi, HERE);
	is_int(SUBMIT(&kofi, HERE, "read", "2026-11-18T09:30:00.000Z/NOTE#2026-11-18#reply#none"),
	    HTTP_NOT_FOUND, "... or is none of theirs");
	is_int(get(&kofi, HERE "?after=nonsense"), HTTP_BAD_REQUEST, "... and a cursor that is none");
}

/* What can't be seen any more is not in the list, whatever the worker has done. */
static void
hides(struct seeded *s)
{
	struct browser pascal = browser_of(s, "pascal");
	struct item head = seeded_item(s, "POST#the-tide-in-forty-lines-of-c", "METADATA");
	struct item other = item_shallow(s->arena, &head);

	get(&pascal, HERE);
	ok(says(&pascal, "you have heard us?"), "a mention");
	item_set(s->arena, &other, STR("Status"), value_string(STR("unpublished")));
	seeded_put(s, &other, 1);
	get(&pascal, HERE);
	ok(!says(&pascal, "you have heard us?"), "... under what is not published any more is not shown");
	ok(says(&pascal, "Notifications (") && says(&pascal, "Mark all as read"),
	    "... but can be marked as read, as it is still counted");
	other = item_shallow(s->arena, &head);
	item_set(s->arena, &other, STR("Visibility"), value_string(STR("followers")));
	seeded_put(s, &other, 1);
	get(&pascal, HERE);
	ok(says(&pascal, "a post for followers") && !says(&pascal, "you have heard us?"),
	    "... nor what is said under a post for followers");
	seeded_put(s, &head, 1);
	get(&pascal, "/author/ingrid");
	SUBMIT(&pascal, "/author/ingrid/mute", "do", "mute");
	get(&pascal, HERE);
	ok(!says(&pascal, "you have heard us?"), "... nor by somebody who is muted");
	get(&pascal, "/author/ingrid");
	SUBMIT(&pascal, "/author/ingrid/mute", "do", "unmute");
	get(&pascal, HERE);
	ok(says(&pascal, "you have heard us?"), "... only then");
}

/* What is offered by mail, each on a line. */
static struct str
mailed(struct browser *b)
{
	struct str rest = b->last.body, input, value;
	struct list found = {.count = 0};

	while (between(&rest, STR("<input type=\"checkbox\""), STR(">"), &input)) {
		value = part(input, "value=\"", "\"");
		if (holds(input, STR("name=\"mail\"")) && value.len != 0)
			list_add(b->s->arena, &found, value);
	}
	return list_text(b->s->arena, &found);
}

static void
settings(struct seeded *s)
{
	struct browser kofi = browser_of(s, "kofi"), marta = browser_of(s, "marta");

	read_all(&kofi);
	is_int(get(&kofi, SETTINGS), HTTP_OK, "what one wants to be told of");
	ok(says(&kofi, "value=\"reply\" checked"), "... is everything at first");
	ok(!says(&kofi, "What waits for moderators"), "... but what is for moderators");
	get(&marta, SETTINGS);
	ok(says(&marta, "What waits for moderators"), "... who have that as well");
	is_str(mailed(&marta), STR("reply\nmention"), "letters are offered of what there are letters of, and of no more");
	is_int(SUBMIT(&kofi, SETTINGS, "page", "mention", "mail", ""), HTTP_SEE_OTHER, "less is chosen");
	get(&kofi, SETTINGS "?done=settings");
	ok(says(&kofi, "Saved."), "... and saved");
	ok(says(&kofi, "value=\"mention\" checked") && !says(&kofi, "value=\"comment\" checked"),
	    "... and shown as it is");
	say(s, "pascal", "Something else.");
	get(&kofi, HERE);
	ok(!says(&kofi, "Notifications (") && !says(&kofi, "commented on"), "what was not chosen is not told");
}

/* Those who moderate are told of what waits, and no more when nothing does. */
static void
queue(struct seeded *s)
{
	struct browser marta = browser_of(s, "marta"), kofi = browser_of(s, "kofi");
	struct str row;

	read_all(&marta);
	(void)newcomer(s, "newcomer");
	say(s, "newcomer", "My first one.");
	get(&marta, HERE);
	row = part(marta.last.body, "<li class=\"unread\">", "</li>");
	ok(holds(row, STR("moderators")) && holds(row, STR("href=\"/admin/comments\"")),
	    "who moderates is told that something waits");
	get(&kofi, HERE);
	ok(!says(&kofi, "wait for moderators") && !says(&kofi, "waits for moderators"), "... nobody else is");
	is_int(differences(s), 0, "... as a rebuild would");
}

int
main(void)
{
	struct seeded s;

	worker_leaves_search();
	browsers_open(&s);
	heads(&s);
	lists(&s);
	marks(&s);
	hides(&s);
	settings(&s);
	queue(&s);
	browsers_close(&s);
	return tap_done();
}

/*
 * Notifications: who is told of what readers and moderators do, once, and no longer than it is there to be seen; how many are
 * unread; and whatever the worker is killed in, the end is the same.
 */
#include "lib/failing_table.h"
#include "t/pages/writer.h"
#include "worker.h"

#include "model/key.h"
#include "model/key_notification.h"
#include "model/people/notification.h"

#include <stdlib.h>
#include <string.h>

#define TIDE "/post/the-tide-in-forty-lines-of-c"
#define WRITE TIDE "/comment"
#define ID "the-tide-in-forty-lines-of-c" /* by kofi */

enum { HALF_HOUR = 30 * 60000, DAY = 24 * 3600 * 1000 };

/* --- What somebody is told ----------------------------------------------------------------------------- */

static int
by_time(const void *a, const void *b)
{
	const struct notification *one = a, *other = b;

	return one->at < other->at ? 1 : one->at > other->at ? -1 : str_cmp(one->place, other->place);
}

/* Their notifications, the newest first. */
static size_t
notes_of(struct seeded *s, const char *name, struct notification **out)
{
	struct table_call call = {.arena = s->arena};
	struct query query = query_notes_since(s->arena, str_of(name), 0);
	struct item *found;
	struct str next;
	size_t count;

	query.limit = TABLE_QUERY_MAX;
	query.consistent = true;
	if (table_query(s->table, &call, &query, &found, &count, &next) != TABLE_OK)
		bail_out("notifications can't be read");
	*out = ARENA_ARRAY(s->arena, count, struct notification);
	for (size_t i = 0; i < count; i++)
		note_from_item(s->arena, &found[i], &(*out)[i]);
	qsort(*out, count, sizeof(**out), by_time);
	return count;
}

/* "reply pascal": the newest, and who stands behind it. */
static struct str
newest(struct seeded *s, const char *name)
{
	struct hidden nobody = {.muted.count = 0};
	struct notification *notes;
	struct strings_value who;

	if (notes_of(s, name, &notes) == 0)
		return STR("");
	who = note_actors(s->arena, &notes[0], &nobody);
	return STR_CONCAT(s->arena, note_word(notes[0].what), STR(" "),
	    str_join(s->arena, who.strings, who.count, STR(" ")));
}

static size_t
told(struct seeded *s, const char *name)
{
	struct notification *notes;

	return notes_of(s, name, &notes);
}

static int64_t
unread(struct seeded *s, const char *name)
{
	struct messages messages;

	messages_from_item(stored(s, key_messages(s->arena, str_of(name))), &messages);
	return messages.unread;
}

static void
reads_all(struct seeded *s, const char *name)
{
	work(s);
	set(s, key_messages(s->arena, str_of(name)), STR("SeenAt"),
	    value_string(time_format(s->arena, s->clock.fixed_now)));
	work(s);
	is_int(unread(s, name), 0, "%s has read all", name);
}

/* --- What people do ------------------------------------------------------------------------------------ */

/* Says something; the place of the comment in its thread. */
static const char *
say(struct seeded *s, const char *name, const char *to, const char *text)
{
	struct browser b = browser_of(s, name);
	const char *address =
	    to != NULL ? text_in(s, WRITE "?to=%s", to) : WRITE;
	struct str leads, id;
	const char *at;

	s->clock.fixed_now += HALF_HOUR;
	get(&b, address);
	s->clock.fixed_now += 4000;
	if (SUBMIT(&b, address, "do", "send", "text", text) != HTTP_SEE_OTHER)
		bail_out("%s can't say: %s", name, text);
	leads = leads_to(&b);
	at = memmem(leads.base, leads.len, "#c-", 3);
	if (at == NULL)
		bail_out("it does not lead to a comment");
	id = str_sub(leads, (size_t)(at - leads.base) + 3, leads.len);
	id = to != NULL ? STR_CONCAT(s->arena, str_of(to), STR("."), id) : id;
	work(s);
	return str_cstring(s->arena, id);
}

static void
removes(struct seeded *s, const char *name, const char *path)
{
	struct browser b = browser_of(s, name);
	const char *page = text_in(s, WRITE "/delete?at=%s", path);

	get(&b, page);
	SUBMIT(&b, page, "x", "y");
	work(s);
}

static void
follows(struct seeded *s, const char *name, const char *whom, const char *wish)
{
	struct browser b = browser_of(s, name);

	get(&b, text_in(s, "/author/%s", whom));
	is_int(SUBMIT(&b, text_in(s, "/author/%s/follow", whom), "do", wish), HTTP_SEE_OTHER,
	    "%s: %s %s", name, wish, whom);
	work(s);
}

/* --- The tests ----------------------------------------------------------------------------------------- */

static void
begins(struct seeded *s)
{
	work(s);
	ok(told(s, "kofi") > 0, "who has published in a seed is told what was said under it lately");
	is_int(differences(s), 0, "nothing differs then");
}

static void
comments(struct seeded *s)
{
	size_t before;
	const char *root, *reply;

	reads_all(s, "kofi");
	before = told(s, "kofi");
	root = say(s, "pascal", NULL, "What a tide.");
	is_str(newest(s, "kofi"), STR("comment pascal"), "who wrote a post is told of a comment");
	is_int(unread(s, "kofi"), 1, "... which is unread");
	say(s, "noor", NULL, "What a tide, indeed.");
	is_str(newest(s, "kofi"), STR("comment noor pascal"), "two in a day are one notification");
	is_int((int64_t)told(s, "kofi"), (int64_t)before + 1, "... which stands once");
	is_int(unread(s, "kofi"), 1, "... and counts once");
	ok(!holds(newest(s, "noor"), STR("noor")), "... and who speaks is not told");

	reads_all(s, "pascal");
	reads_all(s, "kofi");
	reply = say(s, "noor", root, "It was, @ingrid, was it not?");
	is_str(newest(s, "pascal"), STR("reply noor"), "who is answered is told");
	is_str(newest(s, "ingrid"), STR("mention noor"), "who is named is told");
	is_str(newest(s, "kofi"), STR("comment noor pascal"), "who wrote the post, too");
	is_int(unread(s, "kofi"), 1, "... as something new");
	s->clock.fixed_now += DAY;
	say(s, "kofi", reply, "@noor, it was.");
	is_str(newest(s, "noor"), STR("reply kofi"), "an answer that names whom it answers tells once");
	is_int(differences(s), 0, "nothing differs");
	reads_all(s, "noor");

	reads_all(s, "lowri");
	reply = say(s, "ingrid", reply, "Yes, @lowri.");
	is_str(newest(s, "lowri"), STR("mention ingrid"), "another day, another name");
	removes(s, "ingrid", reply);
	ok(!str_eq(newest(s, "lowri"), STR("mention ingrid")), "what is deleted is taken back");
	ok(!str_eq(newest(s, "noor"), STR("reply ingrid")), "... from whom it answered");
	ok(!str_eq(newest(s, "kofi"), STR("comment ingrid")), "... and who wrote the post");
	is_int(unread(s, "lowri"), 0, "... and from what is unread");
	is_int(differences(s), 0, "... and nothing differs");
}

/* What waits is told when it appears, with that time. */
static void
held(struct seeded *s)
{
	struct browser newcomer_is = newcomer(s, "newcomer"), editor = browser_of(s, "tobias");
	size_t count;
	struct notification *notes;

	(void)newcomer_is;
	become(s, "tobias", "editor");
	reads_all(s, "kofi");
	say(s, "newcomer", NULL, "Good evening.");
	ok(!holds(newest(s, "kofi"), STR("newcomer")), "what waits for an editor is told nobody");
	s->clock.fixed_now += 2 * DAY;
	reads_all(s, "kofi");
	s->clock.fixed_now += HALF_HOUR;
	get(&editor, "/admin/comments");
	is_int(SUBMIT(&editor, "/admin/comments", "approve",
		   str_cstring(s->arena,
		       part(part(editor.last.body, "Good evening.", "</form>"),
			   "name=\"approve\" value=\"", "\""))),
	    HTTP_SEE_OTHER, "two days later it is approved");
	work(s);
	is_str(newest(s, "kofi"), STR("comment newcomer"), "... and told");
	is_int(unread(s, "kofi"), 1, "... as new, although it was written before all was read");
	count = notes_of(s, "newcomer", &notes);
	ok(count == 1 && notes[0].what == NOTE_DECISION && str_eq(notes[0].deed, STR("approved")),
	    "who wrote it is told that it was approved");
	is_int(unread(s, "newcomer"), 1, "... which is unread");
	is_int(differences(s), 0, "nothing differs");
}

static void
hides_people(struct seeded *s)
{
	struct browser kofi = browser_of(s, "kofi");
	const struct str comment = STR("comment");
	struct item settings = {.count = 0};

	s->clock.fixed_now += DAY;
	reads_all(s, "kofi");
	say(s, "pascal", NULL, "Once more.");
	is_int(unread(s, "kofi"), 1, "a comment is unread");
	get(&kofi, "/author/pascal");
	is_int(SUBMIT(&kofi, "/author/pascal/mute", "do", "mute"), HTTP_SEE_OTHER, "its author is muted");
	work(s);
	is_int(unread(s, "kofi"), 0, "... and it is not");
	get(&kofi, "/author/pascal");
	SUBMIT(&kofi, "/author/pascal/mute", "do", "unmute");
	work(s);
	is_int(unread(s, "kofi"), 1, "... until they are heard again");

	key_set(s->arena, &settings, key_note_settings(s->arena, STR("kofi")), ITEM_NOTIFICATION_SETTINGS);
	item_set(s->arena, &settings, STR("PageOff"),
	    value_set(s->arena, &comment, 1));
	seeded_put(s, &settings, 1);
	work(s);
	is_int(unread(s, "kofi"), 0, "what they don't want to be told of is not counted");
	is_int(differences(s), 0, "nothing differs");
	item_remove(&settings, STR("PageOff"));
	seeded_put(s, &settings, 1);
	work(s);
}

static void
following(struct seeded *s)
{
	struct browser kofi = browser_of(s, "kofi");
	struct item person = seeded_item(s, "USER#kofi", "METADATA");
	struct notification *notes;

	s->clock.fixed_now += DAY;
	follows(s, "newcomer", "kofi", "follow");
	is_str(newest(s, "kofi"), STR("follower newcomer"), "a follower is told of");
	follows(s, "newcomer", "kofi", "unfollow");
	ok(!str_eq(newest(s, "kofi"), STR("follower newcomer")), "... until they don't follow any more");
	item_set(s->arena, &person, STR("Private"), value_boolean(true));
	seeded_put(s, &person, 1);
	follows(s, "newcomer", "kofi", "follow");
	is_str(newest(s, "kofi"), STR("request newcomer"), "a private person is told who asks");
	get(&kofi, "/account/followers");
	is_int(SUBMIT(&kofi, "/account/followers", "approve", "newcomer"), HTTP_SEE_OTHER, "yes");
	work(s);
	is_str(newest(s, "kofi"), STR("follower newcomer"), "... which is a follower then");
	notes_of(s, "newcomer", &notes);
	ok(notes[0].what == NOTE_APPROVED && str_eq(notes[0].target, STR("kofi")), "who asked is told");
	item_remove(&person, STR("Private"));
	seeded_put(s, &person, 1);
	follows(s, "newcomer", "kofi", "tell");
	is_int(differences(s), 0, "nothing differs");
}

static void
posts(struct seeded *s)
{
	struct browser kofi = browser_of(s, "kofi");
	size_t before;

	s->clock.fixed_now += HALF_HOUR;
	reads_all(s, "newcomer");
	before = told(s, "newcomer");
	get(&kofi, "/write/note");
	is_int(SUBMIT(&kofi, "/write/note", "do", "publish", "anyway", "1", "title", "Told of", "markdown",
		   "So, @lowri.", "slug", "told-of", "others", "pascal"),
	    HTTP_SEE_OTHER, "a post of two, that names a third");
	work(s);
	is_str(newest(s, "newcomer"), STR("post kofi"), "who wants to hear of the author does");
	is_int((int64_t)told(s, "newcomer"), (int64_t)before + 1, "... once");
	is_str(newest(s, "lowri"), STR("mention kofi"), "who is named is told");
	is_str(newest(s, "pascal"), STR("coauthor kofi"), "who is to be a coauthor is told");
	reads_all(s, "newcomer");
	set(s, key_post(s->arena, STR("told-of")), STR("Title"), value_string(STR("Told of, again")));
	work(s);
	is_int(unread(s, "newcomer"), 0, "an edit is no news");
	get(&kofi, "/edit/told-of");
	is_int(SUBMIT(&kofi, "/edit/told-of", "do", "save", "title", "Told of", "markdown", "So.",
		   "others", ""),
	    HTTP_SEE_OTHER, "nobody is asked any more");
	work(s);
	ok(!str_eq(newest(s, "pascal"), STR("coauthor kofi")), "who is not asked any more is told nothing");
	is_int(differences(s), 0, "nothing differs");
}

/* More than a group has room for. */
static void
many(struct seeded *s)
{
	enum { MANY = NOTE_OF_MAX + 7 };
	struct notification *notes;

	s->clock.fixed_now += HALF_HOUR;
	for (int i = 0; i < MANY; i++) {
		struct str who = str_fmt(s->arena, "crowd_%02d", i), at = time_format(s->arena, s->clock.fixed_now);
		struct item follow = {.count = 0};

		key_set(s->arena, &follow,
		    (struct key){STR_CONCAT(s->arena, STR("USER#"), who), STR("FOLLOWING#ingrid")},
		    ITEM_FOLLOW);
		item_set(s->arena, &follow, STR("Follower"), value_string(who));
		item_set(s->arena, &follow, STR("Followed"), value_string(STR("ingrid")));
		item_set(s->arena, &follow, STR("Status"), value_string(STR("active")));
		item_set(s->arena, &follow, STR("CreatedAt"), value_string(at));
		seeded_put(s, &follow, 1);
	}
	work(s);
	notes_of(s, "ingrid", &notes);
	ok(notes[0].what == NOTE_FOLLOWER && notes[0].of.count == NOTE_OF_MAX && notes[0].full,
	    "a group has room for some, and says that there were more");
	is_int(differences(s), 0, "... and nothing differs");
}

/* --- What goes wrong ----------------------------------------------------------------------------------- */

/* Fails at each call in turn (on DynamoDB Local at some); the worker after it finishes the work. */
static void
is_killed(struct seeded *s)
{
	struct failing_table failing;
	unsigned n, step = getenv("TEST_STORE") != NULL ? 7 : 1, killed = 0;
	struct key key = {0};
	struct item comment;
	bool whole = false;
	int64_t wrong = 0;

	key.pk = STR("POST#" ID);
	key.sk = STR_CONCAT(s->arena, STR("COMMENT#"), str_of(say(s, "noor", NULL, "@lowri, @ingrid!")));
	comment = *stored(s, key);
	failing_table_begin(&failing, s->table);
	for (n = 1; !whole && n < 1000; n += step, killed++) {
		struct stream_worker *w = worker_of(&failing.table);
		enum stream_turn turn = STREAM_WORKED;
		bool hidden = killed % 2 == 0;

		item_set(s->arena, &comment, STR("Status"),
		    value_string(hidden ? STR("hidden") : STR("visible")));
		seeded_put(s, &comment, 1);
		failing_table_arm(&failing, n, TABLE_UNAVAILABLE);
		while (turn == STREAM_WORKED)
			turn = stream_worker_turn(w);
		whole = failing.calls < n && !hidden;
		failing_table_arm(&failing, 0, TABLE_OK);
		stream_worker_close(w);
		work(s);
		wrong += differences(s) != 0;
		wrong += str_eq(newest(s, "lowri"), STR("mention noor")) == hidden;
	}
	ok(killed > 4 && whole, "a worker was killed in each of its calls (%u)", killed);
	is_int(wrong, 0, "... and the one after it always finished the work");
}

int
main(void)
{
	struct seeded s;

	worker_leaves_search();
	browsers_open(&s);
	begins(&s);
	comments(&s);
	held(&s);
	hides_people(&s);
	following(&s);
	posts(&s);
	many(&s);
	is_killed(&s);
	browsers_close(&s);
	return tap_done();
}

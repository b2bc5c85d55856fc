/*
 * Who follows a post's comments, a thread, a tag or a category is told of what is new there, once, and of what was said since
 * they do; what they may not see they are not told, and what is hidden is taken back. A random history is held against a
 * second way to reckon the same.
 */
#include "lib/failing_table.h"
#include "worker.h"

#include "model/key.h"
#include "model/key_comment.h"
#include "model/key_follow.h"
#include "model/key_moderation.h"
#include "model/key_notification.h"
#include "model/people/notification.h"
#include "model/reader/flag.h"
#include "model/reader/watch.h"

#include <stdlib.h>
#include <string.h>

#define TIDE "the-tide-in-forty-lines-of-c" /* by kofi */
#define SOON "the-longest-low-water"        /* by kofi, in two days, of the category tides, with the tag moon */

enum { MINUTE = 60 * 1000, DAY = 24 * 60 * MINUTE, MANY = 130 };

/* --- What people do ------------------------------------------------------------------------------------ */

static struct plan
plan_of_person(struct seeded *s, struct table_call *call, const char *name)
{
	*call = (struct table_call){.arena = s->arena};
	return (struct plan){.table = s->table,
	    .call = call,
	    .clock = &s->clock,
	    .now = clock_now(&s->clock),
	    .by = str_of(name)};
}

static const char *
text_of(struct seeded *s, int number)
{
	return str_cstring(s->arena, str_fmt(s->arena, "reader%03d", number));
}

static void
follow(struct seeded *s, const char *name, struct watch_target target)
{
	const struct rate limit = {.what = STR("follow"), .who = str_of(name), .most = 1000};
	struct table_call call;
	struct plan plan = plan_of_person(s, &call, name);

	if (watch_begin(&plan, &target, &limit) != PLAN_DONE)
		bail_out("%s can't follow", name);
	work(s);
}

static void
unfollow(struct seeded *s, const char *name, struct watch_target target)
{
	struct table_call call;
	struct plan plan = plan_of_person(s, &call, name);

	if (watch_end(&plan, &target) != PLAN_DONE)
		bail_out("%s can't stop to follow", name);
	work(s);
}

/* What was told before this does not count. */
static int64_t today;

static const struct watch_target the_post = {WATCH_POST, .post = STR_INIT(TIDE)};

static struct watch_target
thread(const char *root)
{
	return (struct watch_target){WATCH_THREAD, str_of(root), STR(TIDE)};
}

/* Somebody says something, a minute later: the comment's path. */
static const char *
say(struct seeded *s, const char *name, const char *to, const char *status)
{
	struct str id, path, now;
	struct item item = {.count = 0};

	s->clock.fixed_now += MINUTE;
	id = id_new(s->arena, &s->clock);
	path = to != NULL ? STR_CONCAT(s->arena, str_of(to), STR("."), id) : id;
	now = time_format(s->arena, s->clock.fixed_now);
	key_set(s->arena, &item, key_comment(s->arena, STR(TIDE), path), ITEM_COMMENT);
	key_index_comment(s->arena, &item, str_of(name), s->clock.fixed_now, id, false);
	item_set(s->arena, &item, STR("Id"), value_string(id));
	item_set(s->arena, &item, STR("Post"), value_string(STR(TIDE)));
	if (to != NULL)
		item_set(s->arena, &item, STR("Parent"),
		    value_string(str_sub(str_of(to), strlen(to) - id.len, id.len)));
	item_set(s->arena, &item, STR("Author"), value_string(str_of(name)));
	item_set(s->arena, &item, STR("Status"), value_string(str_of(status)));
	item_set(s->arena, &item, STR("CreatedAt"), value_string(now));
	item_set(s->arena, &item, STR("Markdown"), value_string(STR("Something.")));
	seeded_put(s, &item, 1);
	work(s);
	return str_cstring(s->arena, path);
}

static void
becomes(struct seeded *s, const char *path, const char *status)
{
	set(s, key_comment(s->arena, STR(TIDE), str_of(path)), STR("Status"),
	    value_string(str_of(status)));
	work(s);
}

/* --- What they are told ---------------------------------------------------------------------------------- */

/* Their notifications of today. */
static size_t
notes_of(struct seeded *s, const char *name, struct notification **out)
{
	struct table_call call = {.arena = s->arena};
	struct query query = query_notes_since(s->arena, str_of(name), today);
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
	return count;
}

/* "thread 2 noor,pascal" of each of these sorts, in their order: how many facts, and by whom. */
static struct str
told(struct seeded *s, const char *name)
{
	struct buf out = {.arena = s->arena};
	const struct hidden nobody = {.muted.count = 0};
	struct notification *notes;
	size_t count = notes_of(s, name, &notes);

	for (size_t i = 0; i < count; i++) {
		struct strings_value who = note_actors(s->arena, &notes[i], &nobody);

		if (notes[i].what != NOTE_THREAD && notes[i].what != NOTE_TAG &&
		    notes[i].what != NOTE_CATEGORY)
			continue;
		buf_put(&out, note_word(notes[i].what));
		buf_fmt(&out, " %zu ", notes[i].of.count);
		buf_put(&out, str_join(s->arena, who.strings, who.count, STR(",")));
		buf_put(&out, STR("; "));
	}
	return buf_str(&out);
}

/* A new day, on which what was told before does not count. */
static void
forgets(struct seeded *s)
{
	today = s->clock.fixed_now += DAY;
}

/* --- Comments -------------------------------------------------------------------------------------------- */

static void
threads(struct seeded *s)
{
	const char *root, *reply, *other;

	forgets(s);
	root = say(s, "pascal", NULL, "visible");
	follow(s, "noor", thread(root));
	s->clock.fixed_now += MINUTE;
	reply = say(s, "tobias", root, "visible");
	is_str(told(s, "noor"), STR("thread 1 tobias; "), "who follows a thread is told of a new comment");
	say(s, "noor", root, "visible");
	is_str(told(s, "noor"), STR("thread 1 tobias; "), "... not of their own");
	say(s, "marta", reply, "visible");
	is_str(told(s, "noor"), STR("thread 2 marta,tobias; "), "... of answers to others, in the same one");
	other = say(s, "tobias", NULL, "visible");
	is_str(told(s, "noor"), STR("thread 2 marta,tobias; "), "... and of no other thread");
	s->clock.fixed_now += DAY;
	say(s, "tobias", root, "visible");
	is_str(told(s, "noor"), STR("thread 2 marta,tobias; thread 1 tobias; "), "the next day is another one");
	ok(!holds(told(s, "pascal"), STR("thread")) && !holds(told(s, "lowri"), STR("thread")),
	    "nobody else is told so");
	becomes(s, reply, "hidden");
	is_str(told(s, "noor"), STR("thread 1 marta; thread 1 tobias; "), "what is hidden is taken back");
	becomes(s, reply, "visible");
	is_str(told(s, "noor"), STR("thread 2 marta,tobias; thread 1 tobias; "), "... and told again when it is not");
	unfollow(s, "noor", thread(root));
	say(s, "marta", root, "visible");
	is_str(told(s, "noor"), STR("thread 2 marta,tobias; thread 1 tobias; "),
	    "who follows it no more is told nothing more");
	follow(s, "noor", thread(other));
	becomes(s, other, "visible");
	is_int((int64_t)count_of(told(s, "noor"), STR("thread")), 2, "nobody is told what was said before");
	is_int(differences(s), 0, "nothing differs from a rebuild");
	forgets(s);
}

static void
posts_comments(struct seeded *s)
{
	const char *root, *held;

	follow(s, "ingrid", the_post);
	s->clock.fixed_now += MINUTE;
	root = say(s, "tobias", NULL, "visible");
	is_str(told(s, "ingrid"), STR("thread 1 tobias; "), "who follows a post’s comments is told of each");
	follow(s, "ingrid", thread(root));
	s->clock.fixed_now += MINUTE;
	say(s, "marta", root, "visible");
	is_str(told(s, "ingrid"), STR("thread 2 marta,tobias; "), "... once, if they follow its thread as well");
	held = say(s, "pascal", NULL, "held");
	is_int((int64_t)count_of(told(s, "ingrid"), STR("pascal")), 0, "what waits is not told");
	becomes(s, held, "visible");
	is_int((int64_t)count_of(told(s, "ingrid"), STR("pascal")), 1, "... until it is there");
	unfollow(s, "ingrid", thread(root));
	unfollow(s, "ingrid", the_post);
	is_int(differences(s), 0, "nothing differs from a rebuild");
	forgets(s);
}

/* Whoever is told something that concerns them more, and who may not see it. */
static void
not_told(struct seeded *s)
{
	const char *root = say(s, "ingrid", NULL, "visible");
	struct flag_target target = {.what = FLAG_COMMENT, .post = STR(TIDE), .path = str_of(root)};
	struct item flagged = {.count = 0}, head = seeded_item(s, "POST#" TIDE, "METADATA");
	struct table_call call = {.arena = s->arena};
	struct write gone = {.kind = WRITE_DELETE,
	    .key = key_flagged(s->arena, key_flag_target(s->arena, &target))};

	follow(s, "ingrid", the_post);
	follow(s, "kofi", the_post);
	s->clock.fixed_now += MINUTE;
	say(s, "tobias", root, "visible");
	is_str(told(s, "ingrid"), STR(""), "who is told of a reply is not told twice");
	is_str(told(s, "kofi"), STR(""), "... nor who wrote the post");

	follow(s, "noor", the_post);
	s->clock.fixed_now += MINUTE;
	key_set(s->arena, &flagged, gone.key, ITEM_FLAGGED);
	item_set(s->arena, &flagged, STR("Status"), value_string(STR("open")));
	seeded_put(s, &flagged, 1);
	say(s, "tobias", root, "visible");
	is_str(told(s, "noor"), STR(""), "answers to what is flagged are not told");
	if (table_write(s->table, &call, &gone) != TABLE_OK)
		bail_out("a flag stays");

	set(s, item_key(&head), STR("Visibility"), value_string(STR("followers")));
	say(s, "tobias", NULL, "visible");
	is_str(told(s, "noor"), STR(""), "nor is what is under a post that they may not read");
	set(s, item_key(&head), STR("Visibility"), value_string(STR("public")));
	say(s, "tobias", NULL, "visible");
	is_str(told(s, "noor"), STR("thread 1 tobias; "), "... and under one that they may");
	unfollow(s, "noor", the_post);
	unfollow(s, "ingrid", the_post);
	unfollow(s, "kofi", the_post);
	is_int(differences(s), 0, "nothing differs from a rebuild");
	forgets(s);
}

/* --- Posts ------------------------------------------------------------------------------------------------ */

static struct watch_target
shelf(enum watch_what what, const char *name)
{
	return (struct watch_target){.what = what, .name = str_of(name)};
}

static void
publish(struct seeded *s)
{
	int64_t at;
	struct item head = seeded_item(s, "POST#" SOON, "METADATA"), mutes = {.count = 0};
	const struct str moon = STR("moon");

	(void)time_parse(item_string(&head, STR("PublishedAt")), &at);
	follow(s, "noor", shelf(WATCH_TAG, "moon"));
	follow(s, "marta", shelf(WATCH_CATEGORY, "water"));
	follow(s, "tobias", shelf(WATCH_TAG, "moon"));
	follow(s, "tobias", shelf(WATCH_TAG, "history"));
	follow(s, "tobias", shelf(WATCH_CATEGORY, "tides"));
	follow(s, "lowri", shelf(WATCH_CATEGORY, "kitchen"));
	follow(s, "pascal", shelf(WATCH_CATEGORY, "tides"));
	follow(s, "kofi", shelf(WATCH_CATEGORY, "tides"));
	key_set(s->arena, &mutes, key_hidden(s->arena, STR("pascal")), ITEM_HIDDEN);
	item_set(s->arena, &mutes, STR("MutedTags"), value_set(s->arena, &moon, 1));
	seeded_put(s, &mutes, 1);
	is_str(told(s, "noor"), STR(""), "before its time nobody is told of a post");
	s->clock.fixed_now = at;
	work(s);
	is_str(told(s, "noor"), STR("tag 1 kofi; "), "in its minute who follows its tag is");
	is_str(told(s, "marta"), STR("category 1 kofi; "), "... and who follows a category above its own");
	is_int((int64_t)count_of(told(s, "tobias"), STR("kofi")), 1, "... once, whatever else they follow");
	is_str(told(s, "lowri"), STR(""), "... nobody who follows another one");
	is_str(told(s, "pascal"), STR(""), "... nor who has muted a tag of it");
	is_str(told(s, "kofi"), STR(""), "... nor its author");
	work(s);
	set(s, item_key(&head), STR("Title"), value_string(STR("Another title")));
	work(s);
	is_str(told(s, "noor"), STR("tag 1 kofi; "), "a change of it is not told");
	follow(s, "somebody", shelf(WATCH_TAG, "moon"));
	set(s, item_key(&head), STR("Title"), value_string(STR("A third title")));
	work(s);
	is_str(told(s, "somebody"), STR(""), "nor is who follows its tag since then");
	is_int(differences(s), 0, "nothing differs from a rebuild");
}

/* How many are unread, as every page of theirs knows. */
static int64_t
unread(struct seeded *s, const char *name)
{
	struct messages messages;

	messages_from_item(stored(s, key_messages(s->arena, str_of(name))), &messages);
	return messages.unread;
}

/* What was told of a post goes with it, whatever they follow by then. */
static void
take_back(struct seeded *s)
{
	struct key head = key_post(s->arena, STR(SOON));
	const struct value tags = *item_get(stored(s, head), STR("Tags"));
	int64_t others = unread(s, "noor") - 1;

	unfollow(s, "noor", shelf(WATCH_TAG, "moon"));
	set(s, head, STR("Tags"), value_set(s->arena, &(struct str){"quay", 4}, 1));
	set(s, head, STR("Status"), value_string(STR("unpublished")));
	work(s);
	is_str(told(s, "noor"), STR(""), "when a post is taken back so is what was told of it");
	is_str(told(s, "marta"), STR(""), "... to everybody");
	is_int(unread(s, "noor"), others, "... and is counted no more");
	is_int(differences(s), 0, "... as a rebuild would");
	set(s, head, STR("Tags"), tags);
	set(s, head, STR("Status"), value_string(STR("published")));
	work(s);
	is_str(told(s, "marta"), STR("category 1 kofi; "), "when it is there again they are told again");
	is_str(told(s, "noor"), STR(""), "... not who has ceased to follow");
	set(s, head, STR("Visibility"), value_string(STR("followers")));
	work(s);
	is_str(told(s, "marta"), STR(""), "when it is closed to all but followers it is taken back from the others");
	set(s, head, STR("Visibility"), value_string(STR("public")));
	work(s);
	is_int(differences(s), 0, "... as a rebuild would");
}

/* The same of comments. */
static void
take_back_comments(struct seeded *s)
{
	struct key head = key_post(s->arena, STR(TIDE));
	struct table_call call = {.arena = s->arena};
	struct write erased = {.kind = WRITE_DELETE};
	const char *root, *reply;
	int64_t ours, gone;

	forgets(s);
	follow(s, "pascal", the_post);
	s->clock.fixed_now += MINUTE;
	root = say(s, "lowri", NULL, "visible");
	follow(s, "somebody", thread(root));
	s->clock.fixed_now += MINUTE;
	reply = say(s, "tobias", root, "visible");
	ours = unread(s, "lowri");
	unfollow(s, "pascal", the_post);
	unfollow(s, "somebody", thread(root));
	set(s, head, STR("Status"), value_string(STR("unpublished")));
	work(s);
	is_str(told(s, "pascal"), STR(""), "what was told of comments goes with their post");
	is_str(told(s, "somebody"), STR(""), "... also to who has ceased to follow them");
	gone = unread(s, "lowri");
	ok(gone < ours, "... and what concerns one oneself");
	is_int(differences(s), 0, "... as a rebuild would");
	set(s, head, STR("Status"), value_string(STR("published")));
	work(s);
	ours = unread(s, "lowri");
	ok(ours > gone, "it comes back with it");
	is_int(differences(s), 0, "... as a rebuild would");

	follow(s, "somebody", thread(root));
	s->clock.fixed_now += MINUTE;
	reply = say(s, "tobias", root, "visible");
	is_str(told(s, "somebody"), STR("thread 1 tobias; "), "a comment is told");
	unfollow(s, "somebody", thread(root));
	erased.key = key_comment(s->arena, STR(TIDE), str_of(reply));
	if (table_write(s->table, &call, &erased) != TABLE_OK)
		bail_out("a comment stays");
	work(s);
	is_str(told(s, "somebody"), STR(""), "what is erased is taken back as well");
	is_int(unread(s, "lowri"), ours, "... from everybody");
	is_int(differences(s), 0, "... as a rebuild would");
}

/* More than are told at a time: other changes need not wait for all of them. */
static size_t
how_many_told(struct seeded *s)
{
	size_t count = 0;

	for (int i = 0; i < MANY; i++)
		count += told(s, text_of(s, i)).len != 0;
	return count;
}

/* A worker until nothing waits: how often another number of them has been told. */
static size_t
steps(struct seeded *s)
{
	struct stream_worker *w = worker_of(s->table);
	enum stream_turn turn = STREAM_WORKED;
	size_t before = how_many_told(s), parts = 0;

	while (turn == STREAM_WORKED) {
		size_t some;

		turn = stream_worker_turn(w);
		some = how_many_told(s);
		parts += some != before;
		before = some;
	}
	stream_worker_close(w);
	return parts;
}

static void
many(struct seeded *s)
{
	const struct watch_target history = shelf(WATCH_TAG, "history");
	struct key head = key_post(s->arena, STR(SOON));
	struct table_call call;
	size_t parts;

	for (int i = 0; i < MANY; i++) {
		struct plan plan = plan_of_person(s, &call, text_of(s, i));
		const struct rate limit = {.what = STR("follow"), .who = plan.by, .most = 9};

		if (watch_begin(&plan, &history, &limit) != PLAN_DONE)
			bail_out("nobody follows");
	}
	s->clock.fixed_now += MINUTE;
	set(s, head, STR("Status"), value_string(STR("unpublished")));
	work(s);
	forgets(s);
	set(s, head, STR("PublishedAt"), value_string(time_format(s->arena, s->clock.fixed_now)));
	set(s, head, STR("Status"), value_string(STR("published")));
	parts = steps(s);
	ok(parts > 1, "very many are told in parts (%zu)", parts);
	is_int((int64_t)how_many_told(s), MANY, "... all of them");
	is_str(told(s, text_of(s, 7)), STR("tag 1 kofi; "), "... once");
	is_int(differences(s), 0, "... as a rebuild would");
	set(s, head, STR("Status"), value_string(STR("unpublished")));
	parts = steps(s);
	ok(parts > 1, "... and in parts it is taken back (%zu)", parts);
	is_int((int64_t)how_many_told(s), 0, "... from all of them");
	is_int(unread(s, text_of(s, 7)), 0, "... who have nothing to read then");
	is_int(differences(s), 0, "... as a rebuild would");
}

/* --- A random history ------------------------------------------------------------------------------------- */

enum { PEOPLE = 4, COMMENTS = 24, ROUNDS = 120 };

static const char *const people[PEOPLE] = {"noor", "ingrid", "tobias", "marta"};

/* What was said, and who was told of it: the obvious way. */
struct said {
	const char *path;
	size_t author;
	int64_t at;
	bool visible;
	bool told[PEOPLE];
};

struct history {
	struct said said[COMMENTS];
	size_t count;
	int64_t post[PEOPLE], threads[PEOPLE][COMMENTS]; /* since when they follow; 0: they do not */
};

static size_t
root_of(const struct history *h, size_t i)
{
	size_t root = 0;

	while (strncmp(h->said[i].path, h->said[root].path, 14) != 0)
		root++;
	return root;
}

static bool
is_parent_theirs(const struct history *h, size_t i, size_t who)
{
	const char *path = h->said[i].path;
	size_t len = strlen(path);

	if (len == 14)
		return false;
	for (size_t p = 0; p < h->count; p++)
		if (strlen(h->said[p].path) == len - 15 && strncmp(h->said[p].path, path, len - 15) == 0)
			return h->said[p].author == who;
	return false;
}

static void
reckon(struct history *h, size_t i)
{
	for (size_t who = 0; who < PEOPLE; who++) {
		int64_t post = h->post[who], thread = h->threads[who][root_of(h, i)];
		bool follows = (post != 0 && post < h->said[i].at) ||
			       (thread != 0 && thread < h->said[i].at);

		if (!h->said[i].visible)
			h->said[i].told[who] = false;
		else if (follows && h->said[i].author != who && !is_parent_theirs(h, i, who))
			h->said[i].told[who] = true;
	}
}

/* All facts that somebody was told of, sorted by themselves. */
static struct str
facts_of(struct seeded *s, const char *name)
{
	struct list list = {.count = 0};
	struct notification *notes;
	size_t count = notes_of(s, name, &notes);

	for (size_t i = 0; i < count; i++)
		for (size_t n = 0; notes[i].what == NOTE_THREAD && n < notes[i].of.count; n++)
			list_add(s->arena, &list, notes[i].of.strings[n]);
	list_sort(&list);
	return list_text(s->arena, &list);
}

static struct str
reckoned_of(struct seeded *s, const struct history *h, size_t who)
{
	struct list list = {.count = 0};

	for (size_t i = 0; i < h->count; i++)
		if (h->said[i].told[who])
			list_add(s->arena, &list,
			    STR_CONCAT(s->arena, str_of(h->said[i].path + strlen(h->said[i].path) - 14),
				STR("#"), str_of(people[h->said[i].author])));
	list_sort(&list);
	return list_text(s->arena, &list);
}

/* Somebody begins to follow something, or stops to; never in between a comment and its telling. */
static void
toggles(struct seeded *s, struct history *h, size_t who, size_t of)
{
	int64_t *since = of == h->count ? &h->post[who] : &h->threads[who][root_of(h, of)];
	struct watch_target target =
	    of == h->count ? the_post : thread(h->said[root_of(h, of)].path);

	if (*since != 0)
		unfollow(s, people[who], target);
	else
		follow(s, people[who], target);
	*since = *since != 0 ? 0 : s->clock.fixed_now;
}

static void
history(struct seeded *s)
{
	struct history *h = arena_alloc(s->arena, sizeof(*h));
	unsigned seed = 20261119;
	size_t wrong = 0, some = 0;

	*h = (struct history){.count = 0};
	forgets(s);
	for (int round = 0; round < (getenv("TEST_STORE") != NULL ? 40 : ROUNDS); round++) {
		size_t who = (size_t)rand_r(&seed) % PEOPLE, i = 0;
		int what = rand_r(&seed) % 4;

		s->clock.fixed_now += MINUTE;
		if (h->count != 0)
			i = (size_t)rand_r(&seed) % h->count;
		if (what == 0 || h->count < 3) {
			toggles(s, h, who, h->count != 0 && rand_r(&seed) % 3 != 0 ? i : h->count);
		}
		if ((what == 1 || h->count == 0) && h->count < COMMENTS) {
			const char *to = h->count != 0 && rand_r(&seed) % 3 != 0 && h->said[i].visible
					     ? h->said[i].path
					     : NULL;

			h->said[h->count] = (struct said){
			    .path = say(s, people[who], to, "visible"), .author = who, .visible = true};
			h->said[h->count].at = s->clock.fixed_now;
			reckon(h, h->count++);
		} else if (what == 2 && h->said[i].visible) {
			becomes(s, h->said[i].path, "hidden");
			h->said[i].visible = false;
			reckon(h, i);
		}
		for (size_t p = 0; p < PEOPLE; p++) {
			struct str is = facts_of(s, people[p]);

			wrong += !str_eq(is, reckoned_of(s, h, p));
			some += is.len != 0;
		}
	}
	ok(some > 50, "in a random history people are told much (%zu)", some);
	is_int((int64_t)wrong, 0, "... exactly what a second way to reckon it says");
	is_int(differences(s), 0, "... and nothing differs from a rebuild");
}

/* --- Killed ------------------------------------------------------------------------------------------------ */

/* In each of its calls, when a comment has appeared: the end is the same. */
static void
is_killed(struct seeded *s)
{
	unsigned step = getenv("TEST_STORE") != NULL ? 9 : 1, killed = 0, wrong = 0;
	const char *root = say(s, "pascal", NULL, "visible");
	bool failed = true;

	follow(s, "lowri", the_post);
	follow(s, "lowri", thread(root));
	follow(s, "noor", the_post);
	for (unsigned n = 1; failed && n < 1000; n += step) {
		struct failing_table failing;
		struct stream_worker *w;
		enum stream_turn turn = STREAM_WORKED;
		struct key key;

		forgets(s);
		key = key_comment(s->arena, STR(TIDE), str_of(say(s, "tobias", root, "held")));
		set(s, key, STR("Status"), value_string(STR("visible")));
		failing_table_begin(&failing, s->table);
		w = worker_of(&failing.table);
		failing_table_arm(&failing, n, TABLE_UNAVAILABLE);
		while (turn == STREAM_WORKED)
			turn = stream_worker_turn(w);
		failed = failing.calls >= n;
		killed += failed;
		failing_table_arm(&failing, 0, TABLE_OK);
		stream_worker_close(w);
		work(s);
		wrong += !str_eq(told(s, "lowri"), STR("thread 1 tobias; ")) ||
			 !str_eq(told(s, "noor"), STR("thread 1 tobias; "));
	}
	ok(killed > 4 && !failed, "a worker was killed in each of its calls (%u)", killed);
	is_int(wrong, 0, "... and everybody was told once");
	is_int(differences(s), 0, "... and nothing differs from a rebuild");
}

int
main(void)
{
	struct seeded s;

	worker_leaves_search();
	seeded_open(&s);
	work(&s);
	publish(&s);
	take_back(&s);
	threads(&s);
	posts_comments(&s);
	not_told(&s);
	many(&s);
	history(&s);
	take_back_comments(&s);
	is_killed(&s);
	seeded_close(&s);
	return tap_done();
}

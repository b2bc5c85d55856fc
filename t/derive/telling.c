/*
 * Notifications after a random history: people comment, answer, name others, change and delete what they said, publish, take
 * that back and publish it again, follow, mute, block and choose, read all or one; and workers are killed. What stands for
 * whom, and how much of it is unread, equals what a slow second implementation makes of what the test itself knows.
 */
#include "lib/failing_table.h"
#include "worker.h"

#include "model/key.h"
#include "model/key_comment.h"
#include "model/key_follow.h"
#include "model/key_notification.h"
#include "model/key_post.h"
#include "model/people/notification.h"
#include "model/post/post.h"
#include "model/reader/comment.h"
#include "model/reader/follow.h"

#include <stdlib.h>
#include <string.h>

enum { PEOPLE = 6, POSTS = 40, COMMENTS = 160, ROUNDS = 400, MINUTE = 60000, NOBODY = -1 };

static const char *const people[PEOPLE] = {"tell_ann", "tell_bea", "tell_cid", "tell_dov", "tell_eva", "tell_fay"};

struct said {
	struct str path, id;
	int author, post, parent; /* parent: a comment, or NOBODY */
	int64_t at;
	bool visible, names[PEOPLE];
	bool asked; /* whom to tell */
	const char *told[PEOPLE];
};

struct written {
	char id[16];
	int author;
	int64_t at;
	bool out, asked, told[PEOPLE];
};

struct followed {
	int64_t at; /* 0: not */
	bool waits, notify;
};

struct world {
	struct said said[COMMENTS];
	struct written posts[POSTS];
	struct followed follows[PEOPLE][PEOPLE];
	bool mutes[PEOPLE][PEOPLE], blocks[PEOPLE][PEOPLE], off[PEOPLE][NOTE_WHATS];
	int64_t seen[PEOPLE], begin;
	int said_count, post_count;
	unsigned chance;
};

static int
chance(struct world *w, int below)
{
	w->chance = w->chance * 1103515245u + 12345u;
	return (int)((w->chance >> 8) % (unsigned)below);
}

/* --- Facts ---------------------------------------------------------------------------------------------- */

static void
save_comment(struct seeded *s, const struct world *w, const struct said *c)
{
	struct item item = {.count = 0};
	struct str *names = ARENA_ARRAY(s->arena, PEOPLE, struct str);
	size_t count = 0;
	struct str post = str_of(w->posts[c->post].id);

	key_set(s->arena, &item, key_comment(s->arena, post, c->path), ITEM_COMMENT);
	key_index_comment(s->arena, &item, str_of(people[c->author]), c->at, c->id, false);
	item_set(s->arena, &item, STR("Id"), value_string(c->id));
	item_set(s->arena, &item, STR("Post"), value_string(post));
	if (c->parent != NOBODY)
		item_set(s->arena, &item, STR("Parent"), value_string(w->said[c->parent].id));
	item_set(s->arena, &item, STR("Author"), value_string(str_of(people[c->author])));
	item_set(s->arena, &item, STR("Status"),
	    value_string(c->visible ? STR("visible") : STR("hidden")));
	item_set(s->arena, &item, STR("CreatedAt"), value_string(time_format(s->arena, c->at)));
	item_set(s->arena, &item, STR("Markdown"), value_string(STR("Something.")));
	for (int i = 0; i < PEOPLE; i++)
		if (c->names[i])
			names[count++] = str_of(people[i]);
	if (count != 0)
		item_set(s->arena, &item, STR("Mentions"), value_strings(s->arena, names, count));
	seeded_put(s, &item, 1);
}

static void
say(struct seeded *s, struct world *w, int author)
{
	struct said *c = &w->said[w->said_count];
	int parent = NOBODY;

	if (w->said_count == COMMENTS || w->post_count == 0)
		return;
	if (w->said_count != 0 && chance(w, 3) != 0)
		parent = chance(w, w->said_count);
	*c = (struct said){.author = author, .parent = parent, .visible = chance(w, 5) != 0};
	c->post = parent != NOBODY ? w->said[parent].post : chance(w, w->post_count);
	if (!w->posts[c->post].out || (parent != NOBODY && w->said[parent].path.len > 100))
		return;
	c->at = s->clock.fixed_now;
	c->path = c->id = id_new(s->arena, &s->clock);
	if (parent != NOBODY)
		c->path = STR_CONCAT(s->arena, w->said[parent].path, STR("."), c->id);
	c->names[chance(w, PEOPLE)] = chance(w, 3) == 0;
	save_comment(s, w, c);
	w->said_count++;
}

/* Somebody more is named, or it is hidden or shown again. */
static void
change(struct seeded *s, struct world *w)
{
	struct said *c = &w->said[chance(w, w->said_count != 0 ? w->said_count : 1)];

	if (w->said_count == 0)
		return;
	if (chance(w, 2) != 0)
		c->visible = !c->visible;
	else
		c->names[chance(w, PEOPLE)] = true;
	save_comment(s, w, c);
}

static void
save_post(struct seeded *s, const struct written *p)
{
	struct post post = {.id = str_of(p->id),
	    .slug = str_of(p->id),
	    .title = str_of(p->id),
	    .author = str_of(people[p->author]),
	    .author_name = str_of(people[p->author]),
	    .status = p->out ? STATUS_PUBLISHED : STATUS_UNPUBLISHED,
	    .visibility = VISIBILITY_PUBLIC,
	    .published = p->at,
	    .created = p->at,
	    .updated = p->at};
	struct item item = {.count = 0};

	post_to_item(s->arena, &post, &item);
	key_set(s->arena, &item, key_post(s->arena, post.id), ITEM_POST);
	key_index_post(s->arena, &item, &post);
	seeded_put(s, &item, 1);
}

static void
publish(struct seeded *s, struct world *w, int author)
{
	struct written *p = &w->posts[w->post_count];

	if (w->post_count == POSTS)
		return;
	*p = (struct written){.author = author, .at = s->clock.fixed_now, .out = chance(w, 4) != 0};
	snprintf(p->id, sizeof(p->id), "told-%d", w->post_count++);
	save_post(s, p);
}

static void
set_follow(struct seeded *s, struct world *w, int who, int whom)
{
	struct followed *f = &w->follows[who][whom];
	struct str a = str_of(people[who]), b = str_of(people[whom]), at;
	struct key key = key_follow(s->arena, a, b);
	struct table_call call = {.arena = s->arena};
	struct write gone = {.kind = WRITE_DELETE, .key = key};
	struct item item = {.count = 0};

	if (who == whom)
		return;
	if (f->at != 0 && chance(w, 2) != 0) {
		*f = (struct followed){.at = 0};
		if (table_write(s->table, &call, &gone) != TABLE_OK)
			bail_out("nobody can stop to follow");
		return;
	}
	f->waits = f->at == 0 && chance(w, 3) == 0;
	f->notify = !f->waits && chance(w, 2) != 0;
	f->at = f->at != 0 ? f->at : s->clock.fixed_now;
	at = time_format(s->arena, f->at);
	key_set(s->arena, &item, key, ITEM_FOLLOW);
	item_set(s->arena, &item, STR("Follower"), value_string(a));
	item_set(s->arena, &item, STR("Followed"), value_string(b));
	item_set(s->arena, &item, STR("Status"), value_string(f->waits ? STR("asked") : STR("active")));
	item_set(s->arena, &item, STR("CreatedAt"), value_string(at));
	if (f->notify)
		item_set(s->arena, &item, STR("Notify"), value_boolean(true));
	(f->waits ? key_index_follow_request : key_index_follower)(s->arena, &item, a, b, at);
	seeded_put(s, &item, 1);
}

static struct value
set_of(struct seeded *s, const bool *in, const char *const *names, size_t count)
{
	struct str *members = ARENA_ARRAY(s->arena, count, struct str);
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		if (in[i])
			members[n++] = str_of(names[i]);
	return value_set(s->arena, members, n);
}

static void
hide(struct seeded *s, struct world *w, int who, int whom)
{
	struct item item = {.count = 0};
	struct value muted, blocked;

	if (chance(w, 2) != 0)
		w->mutes[who][whom] = !w->mutes[who][whom];
	else
		w->blocks[who][whom] = !w->blocks[who][whom];
	muted = set_of(s, w->mutes[who], people, PEOPLE);
	blocked = set_of(s, w->blocks[who], people, PEOPLE);
	key_set(s->arena, &item, key_hidden(s->arena, str_of(people[who])), ITEM_HIDDEN);
	if (muted.set.count != 0)
		item_set(s->arena, &item, STR("Muted"), muted);
	if (blocked.set.count != 0)
		item_set(s->arena, &item, STR("Blocked"), blocked);
	seeded_put(s, &item, 1);
}

static void
choose(struct seeded *s, struct world *w, int who)
{
	const char *words[NOTE_WHATS];
	struct item item = {.count = 0};
	struct value off;
	int what = chance(w, NOTE_WHATS);

	for (int i = 0; i < NOTE_WHATS; i++)
		words[i] = str_cstring(s->arena, note_word((enum note_what)i));
	w->off[who][what] = !w->off[who][what];
	off = set_of(s, w->off[who], words, NOTE_WHATS);
	key_set(s->arena, &item, key_note_settings(s->arena, str_of(people[who])), ITEM_NOTIFICATION_SETTINGS);
	if (off.set.count != 0)
		item_set(s->arena, &item, STR("PageOff"), off);
	seeded_put(s, &item, 1);
}

/* --- What stands there ------------------------------------------------------------------------------------ */

static size_t
notes_of(struct seeded *s, const struct world *w, int who, struct notification **out)
{
	struct table_call call = {.arena = s->arena};
	struct query query = query_notes_since(s->arena, str_of(people[who]), w->begin);
	struct item *found;
	struct str next;
	size_t count;

	query.limit = TABLE_QUERY_MAX;
	query.consistent = true;
	if (table_query(s->table, &call, &query, &found, &count, &next) != TABLE_OK || next.len != 0)
		bail_out("notifications can't be read");
	*out = ARENA_ARRAY(s->arena, count, struct notification);
	for (size_t i = 0; i < count; i++)
		note_from_item(s->arena, &found[i], &(*out)[i]);
	return count;
}

/* Of each fact a line: "NOTE#<day>#<what>#<target> <fact>#<actor>". */
static struct str
found(struct seeded *s, const struct world *w, int who)
{
	struct list list = {.count = 0};
	struct notification *notes;
	size_t count = notes_of(s, w, who, &notes);

	for (size_t i = 0; i < count; i++)
		for (size_t n = 0; n < notes[i].of.count; n++)
			list_add(s->arena, &list,
			    STR_CONCAT(s->arena, notes[i].place, STR(" "), notes[i].of.strings[n]));
	list_sort(&list);
	return list_text(s->arena, &list);
}

static void
reads(struct seeded *s, struct world *w, int who)
{
	struct table_call call = {.arena = s->arena};
	struct plan plan = {.table = s->table,
	    .call = &call,
	    .clock = &s->clock,
	    .now = s->clock.fixed_now,
	    .by = str_of(people[who])};
	struct notification *notes;
	struct messages now;
	size_t count;
	enum plan_rc rc;

	work(s);
	count = notes_of(s, w, who, &notes);
	messages_from_item(stored(s, key_messages(s->arena, plan.by)), &now);
	if (count == 0)
		return;
	if (chance(w, 3) == 0) {
		w->seen[who] = notes[count - 1].at > w->seen[who] ? notes[count - 1].at : w->seen[who];
		rc = note_read_all(&plan, &now, notes[count - 1].at);
	} else {
		size_t i = (size_t)chance(w, (int)count);

		rc = note_read_one(&plan, &now, notes[i].place, notes[i].at);
	}
	if (rc != PLAN_DONE)
		bail_out("what was read can't be noted");
}

/* --- The same, slow and obvious --------------------------------------------------------------------------- */

static void
tell(const struct said *c, const char *told[PEOPLE], int to, const char *what)
{
	if (to != c->author && told[to] == NULL)
		told[to] = what;
}

/*
 * What changes with whom is told when the worker looks at the facts as they are: what is gone is taken back, and told anew
 * when it is there again and not too old.
 */
static void
settle(const struct seeded *s, struct world *w)
{
	int64_t late = s->clock.fixed_now - NOTE_LATE_MS;

	for (int i = 0; i < w->said_count; i++) {
		struct said *c = &w->said[i];
		bool first = !c->asked;

		c->asked = c->visible && w->posts[c->post].out && (c->asked || c->at >= late);
		if (!c->asked)
			memset(c->told, 0, sizeof(c->told));
		if (c->asked && first && c->parent != NOBODY)
			tell(c, c->told, w->said[c->parent].author, "reply");
		for (int p = 0; c->asked && p < PEOPLE; p++)
			if (c->names[p])
				tell(c, c->told, p, "mention");
		if (c->asked && first)
			tell(c, c->told, w->posts[c->post].author, "comment");
	}
	for (int i = 0; i < w->post_count; i++) {
		struct written *p = &w->posts[i];
		bool first = !p->asked;

		p->asked = p->out && (p->asked || p->at >= late);
		for (int to = 0; (!p->asked || first) && to < PEOPLE; to++)
			p->told[to] = p->asked && w->follows[to][p->author].notify;
	}
}

static void
add(struct seeded *s, struct list *list, int64_t at, const char *what, struct str target, struct str fact,
    int actor)
{
	struct str day = str_sub(time_format(s->arena, at), 0, 10);

	list_add(s->arena, list,
	    str_fmt(s->arena, "NOTE#%.*s#%s#%.*s %.*s#%s", STR_ARGS(day), what, STR_ARGS(target),
		STR_ARGS(fact), people[actor]));
}

static struct str
wanted(struct seeded *s, const struct world *w, int who)
{
	struct list list = {.count = 0};

	for (int i = 0; i < w->said_count; i++) {
		const struct said *c = &w->said[i];
		const char *what = c->told[who];
		struct str post = str_of(w->posts[c->post].id);

		if (what != NULL)
			add(s, &list, c->at, what, strcmp(what, "comment") == 0 ? post : c->id, c->id,
			    c->author);
	}
	for (int i = 0; i < w->post_count; i++) {
		struct str id = str_of(w->posts[i].id);

		if (w->posts[i].told[who])
			add(s, &list, w->posts[i].at, "post", id, id, w->posts[i].author);
	}
	for (int i = 0; i < PEOPLE; i++) {
		const struct followed *f = &w->follows[i][who];

		if (f->at != 0)
			add(s, &list, f->at, f->waits ? "request" : "follower", STR("people"),
			    str_of(people[i]), i);
	}
	list_sort(&list);
	return list_text(s->arena, &list);
}

/* Does somebody stand behind it whom they have neither muted nor blocked? */
static bool
is_heard(const struct world *w, const struct notification *note, int who)
{
	for (size_t n = 0; n < note->of.count; n++)
		for (int i = 0; i < PEOPLE; i++)
			if (str_ends(note->of.strings[n], str_of(people[i])) && !w->mutes[who][i] &&
			    !w->blocks[who][i])
				return true;
	return false;
}

static int64_t
unread(struct seeded *s, const struct world *w, int who)
{
	struct notification *notes;
	size_t count = notes_of(s, w, who, &notes);
	int64_t unread = 0;

	for (size_t i = 0; i < count; i++)
		unread += notes[i].at > w->seen[who] && notes[i].at > notes[i].read &&
			  !w->off[who][notes[i].what] && is_heard(w, &notes[i], who);
	return unread > NOTE_UNREAD_MAX ? NOTE_UNREAD_MAX + 1 : unread;
}

/* --- A history ---------------------------------------------------------------------------------------------- */

static void
step(struct seeded *s, struct world *w)
{
	int who = chance(w, PEOPLE), whom = chance(w, PEOPLE);
	struct written *p = &w->posts[chance(w, w->post_count != 0 ? w->post_count : 1)];

	s->clock.fixed_now += (1 + chance(w, 40)) * MINUTE;
	switch (chance(w, 12)) {
	case 0: publish(s, w, who); break;
	case 1:
		p->out = w->post_count != 0 && !p->out;
		if (w->post_count != 0)
			save_post(s, p);
		break;
	case 2:
	case 3: change(s, w); break;
	case 4:
	case 5: set_follow(s, w, who, whom); break;
	case 6: hide(s, w, who, whom); break;
	case 7: choose(s, w, who); break;
	case 8:
		settle(s, w);
		reads(s, w, who);
		break;
	default: say(s, w, who); break;
	}
}

/* A worker is killed somewhere; the one after it finds the rest. */
static unsigned
kill_one(struct seeded *s, struct world *w)
{
	struct failing_table failing;
	struct stream_worker *worker;
	enum stream_turn turn = STREAM_WORKED;

	failing_table_begin(&failing, s->table);
	worker = worker_of(&failing.table);
	failing_table_arm(&failing, 1 + (unsigned)chance(w, 60), TABLE_UNAVAILABLE);
	while (turn == STREAM_WORKED)
		turn = stream_worker_turn(worker);
	turn = failing.calls >= failing.fail_at ? STREAM_WORKED : STREAM_IDLE;
	failing_table_arm(&failing, 0, TABLE_OK);
	stream_worker_close(worker);
	return turn == STREAM_WORKED;
}

static size_t
compare(struct seeded *s, const struct world *w, size_t *some)
{
	size_t wrong = 0;

	for (int who = 0; who < PEOPLE; who++) {
		struct str is = found(s, w, who), should = wanted(s, w, who);
		struct messages messages;
		int64_t count = unread(s, w, who);

		messages_from_item(stored(s, key_messages(s->arena, str_of(people[who]))), &messages);
		if (wrong == 0 && (!str_eq(is, should) || messages.unread != count)) {
			is_str(is, should, "%s is told", people[who]);
			is_int(messages.unread, count, "%s has not read", people[who]);
		}
		wrong += !str_eq(is, should) || messages.unread != count;
		*some += is.len != 0 && count != 0;
	}
	return wrong;
}

static void
history(struct seeded *s, unsigned seed)
{
	struct world *w = ARENA_NEW(s->arena, struct world);
	size_t wrong = 0, some = 0, killed = 0;
	int rounds = getenv("TEST_STORE") != NULL ? 40 : ROUNDS;

	*w = (struct world){.chance = seed};
	s->clock.fixed_now += 86400000;
	work(s);
	w->begin = s->clock.fixed_now;
	for (int round = 0; wrong == 0 && round < rounds; round++) {
		for (int i = chance(w, 4); i >= 0; i--)
			step(s, w);
		if (chance(w, 3) == 0)
			killed += kill_one(s, w);
		work(s);
		settle(s, w);
		wrong += compare(s, w, &some);
	}
	ok(some > 50 && killed > 3, "much is told, workers are killed (%zu, %zu)", some, killed);
	is_int((int64_t)wrong, 0, "... and it is always exactly what a second way to reckon it says");
	is_int(differences(s), 0, "... and nothing differs from a rebuild");
}

int
main(void)
{
	struct seeded s;

	worker_leaves_search();
	seeded_open(&s);
	work(&s);
	history(&s, 20261119);
	seeded_close(&s);
	return tap_done();
}

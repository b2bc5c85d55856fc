/*
 * The stream worker: names and titles follow where they were copied to, old HTML is rendered anew; whatever it is killed
 * in, and however many work at once, the end is the same. What can't be derived is parked, and a stream that is lost is
 * made good by a rebuild.
 */
#include "lib/failing_table.h"
#include "worker.h"

#include "model/key.h"
#include "model/key_work.h"
#include "model/key_post.h"
#include "model/post/count.h"
#include "model/site/work.h"
#include "text/markdown.h"

#include <stdlib.h>

#define POST "the-tide-in-forty-lines-of-c"
#define AUTHOR "kofi"

/* --- What is derived ---------------------------------------------------------------------------------- */

static struct work
state(struct seeded *s)
{
	struct table_call call = {.arena = s->arena};
	struct work work;

	if (work_load(s->table, &call, &work) != TABLE_OK)
		bail_out("the worker's state can't be read");
	return work;
}

/* The first of a query that has this attribute. */
static struct item *
first_with(struct seeded *s, struct query query, struct str attribute, struct str value)
{
	struct table_call call = {.arena = s->arena};
	struct item *found;
	size_t count;
	struct str next;

	query.limit = TABLE_QUERY_MAX;
	if (table_query(s->table, &call, &query, &found, &count, &next) != TABLE_OK)
		bail_out("a query fails");
	for (size_t i = 0; i < count; i++)
		if (str_eq(item_string(&found[i], attribute), value))
			return &found[i];
	return NULL;
}

static void
begins(struct seeded *s)
{
	struct work before = state(s), after;

	ok(before.state.position.len == 0, "nobody has worked on this table");
	work(s);
	after = state(s);
	ok(after.state.position.len != 0 && !after.rebuilding, "the first worker makes all of it anew");
	is_int((int64_t)after.derived_count, (int64_t)derivation_count - (worker_without.len != 0),
	    "... each derivation");
	is_int(differences(s), 0, "... and then nothing differs");
	is_int((int64_t)after.parked_count, 0, "... nothing was parked");
}

/* Who begins to rebuild leaves the changes until then, for a minute: what is made meanwhile is derived once. */
static void
rebuilds_first(struct seeded *s)
{
	struct table_call call = {.arena = s->arena};
	struct work begun = state(s), is;
	const struct work_rebuild all = rebuild_all_but(s->arena, worker_without, s->clock.fixed_now);
	int64_t now = s->clock.fixed_now;
	struct stream_worker *w;
	unsigned early = 0;

	if (work_store_rebuild(s->table, &call, NULL, &all) != TABLE_OK)
		bail_out("no rebuild is stored");
	set(s, key_user(s->arena, STR(AUTHOR)), STR("DisplayName"), value_string(STR("Kofi Mensah")));
	w = worker_of(s->table);
	for (is = state(s); is.rebuilding; is = state(s)) {
		(void)stream_worker_turn(w);
		early += is.rebuilding && !str_eq(is.state.position, begun.state.position);
	}
	is_int(early, 0, "changes wait for a rebuild that has begun");
	stream_worker_close(w);
	work(s);
	ok(state(s).state.handled > begun.state.handled, "... and are then handled");
	is_int(differences(s), 0, "... so that nothing differs");

	if (work_store_rebuild(s->table, &call, NULL, &all) != TABLE_OK)
		bail_out("no rebuild is stored");
	set(s, key_user(s->arena, STR(AUTHOR)), STR("DisplayName"), value_string(STR("Kofi Mensah-Boyd")));
	begun = state(s);
	w = worker_of(s->table);
	(void)stream_worker_turn(w);
	s->clock.fixed_now += 61 * 1000;
	(void)stream_worker_turn(w);
	is = state(s);
	ok(is.rebuilding && !str_eq(is.state.position, begun.state.position), "after a minute they are handled beside it");
	stream_worker_close(w);
	work(s);
	s->clock.fixed_now = now;
	is_int(differences(s), 0, "... and in the end nothing differs");
}

static void
renames(struct seeded *s)
{
	struct key user = key_user(s->arena, STR(AUTHOR)), post = key_post(s->arena, STR(POST));
	struct item *comment;

	set(s, user, STR("DisplayName"), value_string(STR("Kofi of the Quay")));
	ok(differences(s) > 0, "a name changes, and copies differ");
	work(s);
	is_int(differences(s), 0, "... until the worker was there");
	is_str(item_string(stored(s, post), STR("AuthorName")), STR("Kofi of the Quay"),
	    "... a post has the name");
	comment = first_with(
	    s, query_activity(s->arena, STR(AUTHOR)), STR("AuthorName"), STR("Kofi of the Quay"));
	ok(comment != NULL, "... and so has what they did");

	set(s, post, STR("Title"), value_string(STR("The tide, again")));
	work(s);
	is_int(differences(s), 0, "a title changes, and its copies follow");
	ok(first_with(s, query_comments(s->arena, STR(POST)), STR("PostTitle"),
	       STR("The tide, again")) != NULL,
	    "... in the comments");
	ok(first_with(s, query_comments(s->arena, STR(POST)), STR("PostTitle"),
	       STR("The tide in forty lines of C")) == NULL,
	    "... in all of them");
	ok(first_with(s, query_about(s->arena, STR(POST)), STR("PostTitle"), STR("The tide, again")) !=
		NULL,
	    "... and where readers have reacted");
}

static void
renders(struct seeded *s)
{
	struct item *comment = first_with(
	    s, query_comments(s->arena, STR(POST)), STR("Status"), STR("visible"));
	struct key key = item_key(comment);
	struct str html = str_dup(s->arena, item_string(comment, STR("HTML")));

	set(s, key, STR("HTML"), value_string(STR("<p>Old.</p>\n")));
	set(s, key, STR("Renderer"), value_number(MARKDOWN_RENDERER - 1));
	work(s);
	is_str(item_string(stored(s, key), STR("HTML")), html, "HTML of an older version is made anew");
	is_int(item_number(stored(s, key), STR("Renderer")), MARKDOWN_RENDERER, "... and says so");
}

static void
folds(struct seeded *s)
{
	struct key stats = key_post_stats(s->arena, STR(POST));
	int64_t before = item_number(stored(s, stats), STR("Bookmarks"));
	struct table_call call = {.arena = s->arena};
	struct plan plan = {.table = s->table, .call = &call, .clock = &s->clock, .now = clock_now(&s->clock)};

	plan_count_post(&plan, STR(POST), STR("noor"), STR("Bookmarks"), 3);
	if (plan_commit(&plan) != PLAN_DONE)
		bail_out("nothing is counted");
	work(s);
	is_int(item_number(stored(s, stats), STR("Bookmarks")), before + 3, "counts are folded");
}

/* As many changes of as many items as one batch takes, and more. */
static void
takes_many(struct seeded *s)
{
	enum { MANY = TABLE_CHANGES_MAX + 50 };

	struct item *likes = ARENA_ARRAY(s->arena, MANY, struct item);

	for (int i = 0; i < MANY; i++) {
		struct str who = str_fmt(s->arena, "reader%d", i);

		likes[i] = (struct item){0};
		key_set(s->arena, &likes[i], key_reaction(s->arena, who, STR(POST), "LIKE"), ITEM_LIKE);
		item_set(s->arena, &likes[i], STR("Author"), value_string(who));
		item_set(s->arena, &likes[i], STR("Feeling"), value_string(STR("like")));
		item_set(s->arena, &likes[i], STR("Post"), value_string(STR(POST)));
		item_set(s->arena, &likes[i], STR("PostTitle"),
		    value_string(i % 10 == 0 ? STR("Another title") : STR("The tide, again")));
	}
	seeded_put(s, likes, MANY);
	ok(differences(s) > 0, "a thousand likes, of which some have another title");
	work(s);
	is_int(differences(s), 0, "a thousand changes at once are handled");
	ok(state(s).state.recent >= MANY, "... and counted as what was handled lately");
}

/* Throughput: of what is older than a minute the number fades, while the pace stays. */
static void
counts_its_pace(void)
{
	struct work_state state = {.handled = 0};
	int64_t now = INT64_C(1800000000000);

	is_int(work_pace(&state, now).a_second, 0, "who has handled nothing has no pace");
	work_count(&state, now, 1000, 500 * 1000);
	is_int(work_pace(&state, now).a_second, 2000, "a thousand changes in half a second are 2,000 a second");
	is_int(work_pace(&state, now + 30 * 1000).a_minute, 1000, "... and after half a minute a thousand a minute");
	is_int(work_pace(&state, now + 570 * 1000).a_minute, 100, "... after ten minutes a hundred");
	work_count(&state, now + 570 * 1000, 950, 25 * 1000);
	is_int(work_pace(&state, now + 570 * 1000).a_minute, 2000, "new ones count for more than old ones");
	is_int(work_pace(&state, now + 570 * 1000).a_second, 20000, "... and so does their pace");
	work_count(&state, now, 10, 1000);
	is_int(work_pace(&state, now).a_second, 10000, "a clock that was set back begins anew");
}

/* --- What goes wrong ---------------------------------------------------------------------------------- */

/* Fails at each call in turn (on DynamoDB Local at some); the worker after it finishes the work. */
static void
is_killed(struct seeded *s)
{
	struct key user = key_user(s->arena, STR(AUTHOR));
	struct failing_table failing;
	int64_t wrong = 0;
	unsigned n = 0, step = getenv("TEST_STORE") != NULL ? 23 : 1, killed = 0;
	bool whole = false;

	failing_table_begin(&failing, s->table);
	for (n = 1; !whole && n < 1000; n += step, killed++) {
		struct stream_worker *w = worker_of(&failing.table);
		enum stream_turn turn = STREAM_WORKED;

		set(s, user, STR("DisplayName"),
		    value_string(str_fmt(s->arena, "Kofi, the %u.", n)));
		failing_table_arm(&failing, n, TABLE_UNAVAILABLE);
		while (turn == STREAM_WORKED)
			turn = stream_worker_turn(w);
		whole = failing.calls < n;
		failing_table_arm(&failing, 0, TABLE_OK);
		stream_worker_close(w);
		work(s);
		wrong += differences(s) != 0;
	}
	ok(killed > 10 && whole, "a worker was killed in each of its calls (%u)", killed);
	is_int(wrong, 0, "... and the one after it always finished the work");
	is_int((int64_t)state(s).parked_count, 0, "... and nothing was parked because the table failed");
}

/* Both believe that they have the lease: one of the two stores its position, the other one sees that. */
static void
two_at_once(struct seeded *s)
{
	struct key user = key_user(s->arena, STR(AUTHOR));
	struct table_call call = {.arena = s->arena};
	struct stream_worker *a = worker_of(s->table), *b;
	struct write free = {.kind = WRITE_DELETE, .key = key_lease(STR("stream"))};
	bool stood_by = false;

	(void)stream_worker_turn(a);
	b = worker_of(s->table);
	is_int(stream_worker_turn(b), STREAM_STANDS_BY, "a second worker stands by");
	if (table_write(s->table, &call, &free) != TABLE_OK)
		bail_out("the lease stays");
	for (int i = 0; i < 20; i++) {
		set(s, user, STR("DisplayName"), value_string(str_fmt(s->arena, "Kofi %d", i)));
		(void)stream_worker_turn(b);
		stood_by |= stream_worker_turn(a) == STREAM_STANDS_BY;
	}
	ok(stood_by, "of two that believe to lead one notices it");
	stream_worker_close(a);
	stream_worker_close(b);
	work(s);
	is_int(differences(s), 0, "... and no harm is done");
}

/* Nothing but this key can't be read. */
static struct key broken;
static enum table_rc (*read_inner)(struct table *, struct table_call *, struct read *, size_t);

static enum table_rc
read_but_one(struct table *table, struct table_call *call, struct read *reads, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (reads[i].kind == READ_GET && str_eq(reads[i].key.pk, broken.pk) &&
		    str_eq(reads[i].key.sk, broken.sk))
			return TABLE_CORRUPT;
	return read_inner(table, call, reads, count);
}

/* How many derivations a change of this item concerns. */
static int64_t
concerned(struct seeded *s, struct key key)
{
	const struct kind *kind = kind_of_key(key);
	int64_t count = 0;

	for (size_t i = 0; i < derivation_count; i++)
		if (!str_eq(derivations[i].name, worker_without))
			count += holds(derivations[i].subject(s->arena, key, kind), key.sk);
	return count;
}

static void
parks(struct seeded *s)
{
	struct failing_table front;
	struct table_engine engine;
	struct stream_worker *w;
	struct work now;
	struct item *comment = first_with(
	    s, query_comments(s->arena, STR(POST)), STR("Status"), STR("visible"));

	broken = item_key(comment);
	failing_table_begin(&front, s->table);
	engine = *front.table.engine;
	read_inner = engine.read;
	engine.read = read_but_one;
	front.table.engine = &engine;
	set(s, broken, STR("PostTitle"), value_string(STR("Wrong")));
	w = worker_of(&front.table);
	while (stream_worker_turn(w) == STREAM_WORKED)
		;
	stream_worker_close(w);
	now = state(s);
	is_int((int64_t)now.parked_count, concerned(s, broken),
	    "what can't be read is parked, by each derivation that reads it");
	ok(now.parked_count != 0 && now.parked[0].why.len != 0, "... with what was wrong");
	set(s, key_user(s->arena, STR(AUTHOR)), STR("DisplayName"), value_string(STR("Kofi")));
	work(s);
	is_str(item_string(stored(s, key_post(s->arena, STR(POST))), STR("AuthorName")), STR("Kofi"),
	    "... and the others go on");
	for (size_t i = 0; i < now.parked_count; i++) {
		struct table_call call = {.arena = s->arena};
		struct derive d = {.table = s->table,
		    .call = &call,
		    .clock = &s->clock,
		    .site = SEEDED_ORIGIN};

		is_int(derive_subject(&d, derivation_find(now.parked[i].derivation),
			   now.parked[i].subject),
		    TABLE_OK, "tried again, it is derived");
		is_int(work_unpark(s->table, &call, &now.parked[i]), TABLE_OK, "... and parked no more");
	}
	is_int(differences(s), 0, "... and nothing differs");
}

static void
loses_the_stream(struct seeded *s)
{
	set(s, key_work_state(), STR("Position"), value_string(STR("nowhere")));
	set(s, key_user(s->arena, STR(AUTHOR)), STR("DisplayName"), value_string(STR("Kofi Lost")));
	work(s);
	is_int(differences(s), 0, "without its place in the stream all is made anew");
	ok(!str_eq(state(s).state.position, STR("nowhere")), "... and a new place taken");
}

int
main(void)
{
	struct seeded s;

	worker_leaves_search();
	seeded_open(&s);
	counts_its_pace();
	begins(&s);
	rebuilds_first(&s);
	renames(&s);
	renders(&s);
	folds(&s);
	two_at_once(&s);
	parks(&s);
	loses_the_stream(&s);
	is_killed(&s);
	takes_many(&s);
	seeded_close(&s);
	return tap_done();
}

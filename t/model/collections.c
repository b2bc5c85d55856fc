/*
 * Changes of collections by their owners: one after another, many at once, and interrupted.
 * Afterwards Posts is the number of items, no post is in one twice, no two have the same position,
 * and keys are public or private as they should be.
 */
#include "lib/failing_table.h"
#include "lib/store.h"
#include "lib/tap.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/post/collection_write.h"

#include <pthread.h>

static const int64_t NOW = 1795000000000;
#define ID "01jcacheshe000"
#define OTHER "01jcacheshe001"

enum { CROWD = 8, ROUNDS = 20, TURNS = 4, STORM_POSTS = 8, MANY = 200 };

struct place {
	struct arena *arena;
	struct clock clock;
	struct table *table;
	struct table_call call;
	struct plan plan;
};

static void
begin(struct place *p, struct table *table, struct clock *clock)
{
	*p = (struct place){.arena = arena_new(), .clock = *clock, .table = table};
	p->call.arena = p->arena;
	p->plan = (struct plan){.table = table,
	    .call = &p->call,
	    .clock = &p->clock,
	    .now = NOW,
	    .by = STR("noor"),
	    .by_name = STR("Noor")};
}

static enum plan_rc
create(struct place *p, const char *id, bool is_public, const char *first)
{
	const struct collection new = {.id = str_of(id),
	    .name = STR("Reading"),
	    .description = STR("What *I* read."),
	    .html = STR("<p>What <em>I</em> read.</p>"),
	    .renderer = 1,
	    .is_public = is_public};
	const struct collected post = {.post = str_of(first), .note = STR("First.")};

	return collection_create(&p->plan, &new, first != NULL ? &post : NULL);
}

static enum plan_rc
add(struct place *p, const char *post)
{
	return collection_add(&p->plan, STR(ID), &(struct collected){.post = str_of(post)});
}

static enum plan_rc
place(struct place *p, const char *post, int64_t to, int step)
{
	const struct arrangement arrangement = {.place = to, .step = step};

	return collection_arrange(&p->plan, STR(ID), str_of(post), &arrangement);
}

static struct item *
content(struct place *p, const char *id, size_t *count)
{
	struct query query = query_collection_whole(p->arena, str_of(id));
	struct item *found;
	struct str next;

	if (table_query(p->table, &p->call, &query, &found, count, &next) != TABLE_OK)
		bail_out("the collection can't be read");
	return found;
}

/* "a b c": its posts in their order; and nothing is wrong with it. */
static struct str
order(struct place *p)
{
	struct buf out = {.arena = p->arena};
	int64_t last = 0;
	size_t count, twice = 0, disorder = 0, keys = 0;
	struct item *items = content(p, ID, &count);
	struct collection c;

	if (count == 0)
		return STR("gone");
	collection_from_item(p->arena, &items[0], &c);
	for (size_t i = 1; i < count; i++) {
		struct str post = item_string(&items[i], STR("Post"));
		int64_t position = item_number(&items[i], STR("Position"));

		buf_fmt(&out, "%s%.*s", i > 1 ? " " : "", STR_ARGS(post));
		for (size_t j = 1; j < i; j++)
			twice += str_eq(item_string(&items[j], STR("Post")), post);
		disorder += position <= last;
		last = position;
		keys += (item_get(&items[i], STR("GSI2PK")) != NULL) != c.is_public;
	}
	if (c.posts != (int64_t)count - 1 || twice + disorder + keys != 0)
		buf_fmt(&out, " (Posts %d of %zu, %zu twice, %zu in disorder, %zu of wrong keys)",
		    (int)c.posts, count - 1, twice, disorder, keys);
	return buf_str(&out);
}

static size_t
found_by(struct place *p, struct query query)
{
	struct item *found;
	struct str next;
	size_t count;

	query.limit = TABLE_QUERY_MAX;
	if (table_query(p->table, &p->call, &query, &found, &count, &next) != TABLE_OK)
		bail_out("an index can't be read");
	return count;
}

/* --- One after another ------------------------------------------------------------------------------ */

static void
making(struct place *p)
{
	struct place pascal = *p;

	pascal.plan.by = STR("pascal");
	is_int(create(p, ID, true, "a"), PLAN_DONE, "a collection is made with its first post");
	is_str(order(p), STR("a"), "... which is in it");
	is_int(create(p, ID, true, "a"), PLAN_ALREADY, "... by the same form, sent again, once");
	is_int(create(&pascal, ID, true, NULL), PLAN_TAKEN, "... and by nobody else");
	is_int(add(p, "b"), PLAN_DONE, "one more post");
	is_int(add(p, "a"), PLAN_ALREADY, "a post that is in it");
	is_str(item_string(p->plan.found, STR("Note")), STR("First."), "... with its note");
	is_int(add(&pascal, "c"), PLAN_NOT_THERE, "nobody else adds anything");
	is_int(collection_delete(&pascal.plan, STR("pascal"), STR(ID)), PLAN_NOT_THERE,
	    "... or deletes it");
	is_int(collection_remove(&p->plan, STR(OTHER), STR("a")), PLAN_NOT_THERE,
	    "what is in no collection");
	add(p, "c");
	add(p, "d");
	is_str(order(p), STR("a b c d"), "posts are added at the end");
	ok(!collection_id_valid(STR("01jcacheshe00l")) && !collection_id_valid(STR("0")) &&
		collection_id_valid(STR(ID)),
	    "an id is 14 characters of its alphabet");
}

static void
ordering(struct place *p)
{
	static const struct {
		const char *post;
		int64_t to;
		int step;
		const char *becomes;
	} moves[] = {
	    {"d", 1, 0, "d a b c"},
	    {"d", 4, 0, "a b c d"},
	    {"a", 0, 1, "b a c d"},
	    {"d", 0, -1, "b a d c"},
	    {"b", 0, -1, "b a d c"},
	    {"c", 0, 1, "b a d c"},
	    {"b", 400, 0, "a d c b"},
	    {"c", 2, 0, "a c d b"},
	    {"a", 0, 0, "a c d b"},
	};
	const struct arrangement noted = {.note = STR("New."), .step = 1};
	size_t count;
	struct item *items;

	for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); i++) {
		is_int(place(p, moves[i].post, moves[i].to, moves[i].step), PLAN_DONE,
		    "%s moves to %d, or by %d", moves[i].post, (int)moves[i].to, moves[i].step);
		is_str(order(p), str_of(moves[i].becomes), "... %s", moves[i].becomes);
	}
	is_int(place(p, "e", 1, 0), PLAN_NOT_THERE, "what is not in it does not move");
	for (int i = 0; i < 40; i++)
		place(p, i % 2 == 0 ? "b" : "d", 2, 0);
	is_str(order(p), STR("a d b c"), "any number of moves to one place");
	is_int(collection_arrange(&p->plan, STR(ID), STR("a"), &noted), PLAN_DONE,
	    "a step and a note at once");
	items = content(p, ID, &count);
	is_str(item_string(&items[2], STR("Note")), STR("New."), "... both are there");
	is_int(collection_remove(&p->plan, STR(ID), STR("d")), PLAN_DONE, "one is taken out");
	is_int(collection_remove(&p->plan, STR(ID), STR("d")), PLAN_NOT_THERE, "... once");
	is_str(order(p), STR("a b c"), "... and is not in it");
}

static enum plan_rc
show_to(struct place *p, bool everybody)
{
	const struct collection is = {
	    .id = STR(ID), .name = STR("Renamed"), .is_public = everybody};

	return collection_edit(&p->plan, &is);
}

static void
hiding(struct place *p)
{
	const struct collected shown = {.post = STR("f"), .for_front = true};

	is_int((int64_t)found_by(p, query_collections_with(p->arena, STR("a"))), 1,
	    "a public one is found by its post");
	is_int((int64_t)found_by(p, query_collections()), 1, "... and among all");
	is_int((int64_t)found_by(p, query_front_collections()), 0, "... not among those of the front page");
	collection_add(&p->plan, STR(ID), &shown);
	is_int((int64_t)found_by(p, query_front_collections()), 1, "... where a post for it brings it");
	is_int(show_to(p, false), PLAN_DONE, "it is made private");
	is_int((int64_t)found_by(p, query_collections_with(p->arena, STR("a"))), 0,
	    "... and is not found by its post");
	is_int((int64_t)found_by(p, query_collections()), 0, "... nor among all");
	is_int((int64_t)found_by(p, query_front_collections()), 0, "... nor for the front page");
	is_int((int64_t)found_by(p, query_collections_of(p->arena, STR("noor"))), 1,
	    "... but among its owner's");
	add(p, "e");
	place(p, "e", 1, 0);
	is_str(order(p), STR("e a b c f"), "what changes in it has no key either");
	is_int(show_to(p, true), PLAN_DONE, "it is made public again");
	is_str(order(p), STR("e a b c f"), "... with all of its keys");
	is_int((int64_t)found_by(p, query_front_collections()), 1, "... and its place on the front page");
	collection_remove(&p->plan, STR(ID), STR("f"));
	is_int((int64_t)found_by(p, query_front_collections()), 0, "... until the post for it is taken out");
}

/* --- Many posts ------------------------------------------------------------------------------------- */

/* Posts as a load has them: at positions 1, 2, 3 and so on. */
static void
put_dense(struct place *p, size_t count)
{
	struct item head, *items = content(p, ID, &(size_t){0});

	head = item_shallow(p->arena, &items[0]);
	for (size_t i = 0; i < count; i++) {
		struct item item = {.count = 0};
		struct str post = str_fmt(p->arena, "p%zu", i + 1);

		key_set(p->arena, &item, key_collected(p->arena, STR(ID), (int64_t)i + 1, post),
		    ITEM_COLLECTION_POST);
		key_index_collected(p->arena, &item, STR(ID), post);
		item_set(p->arena, &item, STR("Collection"), value_string(STR(ID)));
		item_set(p->arena, &item, STR("Post"), value_string(post));
		item_set(p->arena, &item, STR("Position"), value_number((int64_t)i + 1));
		if (table_put(p->table, &p->call, item) != TABLE_OK)
			bail_out("a post can't be put");
	}
	item_set(p->arena, &head, STR("Posts"), value_number((int64_t)count));
	if (table_put(p->table, &p->call, head) != TABLE_OK)
		bail_out("the head can't be put");
}

static void
many(struct place *p)
{
	struct buf wanted = {.arena = p->arena};

	is_int(collection_delete(&p->plan, STR("noor"), STR(ID)), PLAN_DONE, "it is deleted");
	is_str(order(p), STR("gone"), "... with all that was in it");
	create(p, ID, true, NULL);
	put_dense(p, MANY);
	is_int(place(p, "p150", 100, 0), PLAN_DONE, "a post moves where there is no room");
	for (int i = 1; i <= MANY; i++) {
		if (i == 100)
			BUF_PUT(&wanted, " p150");
		if (i != 150)
			buf_fmt(&wanted, "%sp%d", i > 1 ? " " : "", i);
	}
	is_str(order(p), buf_str(&wanted), "... and all others stay in their order");
	is_int(show_to(p, false), PLAN_DONE, "so many are made private");
	is_str(order(p), buf_str(&wanted), "... none is found any more");
	is_int(collection_delete(&p->plan, STR("noor"), STR(ID)), PLAN_DONE, "so many are deleted");
	is_int((int64_t)found_by(p, query_collection(p->arena, STR(ID))), 0, "... all of them");
	create(p, ID, true, NULL);
	put_dense(p, COLLECTION_POSTS_MAX);
	is_int(add(p, "one-more"), PLAN_FULL, "there are 500 posts at most");
	collection_remove(&p->plan, STR(ID), STR("p7"));
	is_int(add(p, "one-more"), PLAN_DONE, "... one more in place of another");
	collection_delete(&p->plan, STR("noor"), STR(ID));
}

static void
quota(struct place *p)
{
	struct place other = *p;
	char id[] = "0000000000000a";

	other.plan.by = STR("lowri");
	for (int i = 0; i < COLLECTIONS_MAX; i++) {
		snprintf(id, sizeof(id), "000000000000%02d", i);
		create(&other, id, false, NULL);
	}
	is_int(create(&other, ID, false, NULL), PLAN_FULL, "a person has 100 at most");
	is_int(create(&other, id, false, NULL), PLAN_ALREADY,
	    "... and the form of the last one, sent again, has made it");
	collection_delete(&other.plan, STR("lowri"), str_of(id));
	is_int(create(&other, OTHER, false, NULL), PLAN_DONE, "... one more in place of another");
}

/* --- At once, and interrupted ----------------------------------------------------------------------- */

struct writer {
	pthread_t thread;
	struct table *table;
	struct clock *clock;
	pthread_barrier_t *together;
	unsigned seed, refused;
};

static void *
write_on(void *context)
{
	struct writer *w = context;
	struct place p;

	begin(&p, w->table, w->clock);
	pthread_barrier_wait(w->together);
	for (int i = 0; i < TURNS; i++) {
		const char *post = (const char *[]){
		    "a", "b", "c", "d", "e", "f", "g", "h"}[rand_r(&w->seed) % STORM_POSTS];
		enum plan_rc rc;

		switch (rand_r(&w->seed) % 5) {
		case 0: rc = collection_remove(&p.plan, STR(ID), str_of(post)); break;
		case 1: rc = place(&p, post, 1 + rand_r(&w->seed) % STORM_POSTS, 0); break;
		case 2: rc = place(&p, post, 0, -1); break;
		default: rc = add(&p, post); break;
		}
		w->refused += rc != PLAN_DONE && rc != PLAN_ALREADY && rc != PLAN_NOT_THERE &&
			      rc != PLAN_CHANGED;
	}
	arena_free(p.arena);
	return NULL;
}

/* Short, since an error in a longer one may be repaired by its end. */
static unsigned
storm_once(struct place *p, unsigned round)
{
	struct writer writers[CROWD];
	pthread_barrier_t together;
	unsigned refused = 0;

	create(p, ID, true, "a");
	pthread_barrier_init(&together, NULL, CROWD);
	for (unsigned i = 0; i < CROWD; i++) {
		writers[i] = (struct writer){.table = p->table,
		    .clock = &p->clock,
		    .together = &together,
		    .seed = round * CROWD + i + 1};
		if (pthread_create(&writers[i].thread, NULL, write_on, &writers[i]) != 0)
			bail_out("no thread");
	}
	for (unsigned i = 0; i < CROWD; i++) {
		pthread_join(writers[i].thread, NULL);
		refused += writers[i].refused;
	}
	pthread_barrier_destroy(&together);
	return refused;
}

static void
storm(struct place *p)
{
	unsigned refused = 0, wrong = 0;
	struct str seen = STR("");

	for (unsigned round = 0; round < ROUNDS; round++) {
		struct str is;

		refused += storm_once(p, round);
		is = order(p);
		if (str_ends(is, STR(")"))) {
			wrong++;
			seen = is;
		}
		collection_delete(&p->plan, STR("noor"), STR(ID));
	}
	is_int(refused, 0, "many add, move and remove at once");
	ok(wrong == 0, "... and nothing is wrong: %.*s", STR_ARGS(seen));
}

/* Cut off at each call, what takes several transactions is carried on by the next change. */
static void
interrupted(struct place *p)
{
	struct failing_table failing;
	struct place broken = *p;
	enum plan_rc rc = PLAN_TABLE;
	unsigned n = 0;

	failing_table_begin(&failing, p->table);
	broken.plan.table = broken.table = &failing.table;
	create(p, ID, true, NULL);
	put_dense(p, MANY);
	for (bool everybody = false; rc == PLAN_TABLE; everybody = !everybody) {
		struct str was;

		failing_table_arm(&failing, ++n, TABLE_UNAVAILABLE);
		rc = show_to(&broken, everybody);
		if (place(p, "p1", n % 2 + 1, 0) != PLAN_DONE)
			bail_out("the next change");
		was = order(p);
		ok(!str_ends(was, STR(")")), "cut off at call %u: the next change carries it on",
		    n);
	}
	is_int(rc, PLAN_DONE, "... until none fails");
	ok(n > 4, "... and it takes several");
}

int
main(void)
{
	struct test_store store;
	struct clock clock = clock_fixed(NOW, 1);
	struct table *table = test_store_open(&store, &clock);
	struct place p;

	begin(&p, table, &clock);
	making(&p);
	ordering(&p);
	hiding(&p);
	many(&p);
	quota(&p);
	storm(&p);
	interrupted(&p);
	arena_free(p.arena);
	test_store_close(&store);
	return tap_done();
}

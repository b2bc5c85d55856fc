/*
 * A plan: all or nothing, which write was refused, what is left out, and that dropping decrements
 * counters.
 */
#include "person.h"

#include "lib/failing_table.h"
#include "model/key.h"
#include "model/key_post.h"
#include "model/kinds.h"
#include "model/post/count.h"

static struct item
thing(struct place *p, const char *name)
{
	struct item item = {.count = 0};

	key_set(p->arena, &item, key_tag(str_of(name)), ITEM_TAG);
	return item;
}

static const struct item *
stored(struct place *p, struct key key)
{
	struct item *item = NULL;

	if (table_get(p->table, &p->call, key, &item) != TABLE_OK)
		bail_out("the table failed");
	return item;
}

static bool
is_there(struct place *p, const char *name)
{
	return stored(p, key_tag(str_of(name))) != NULL;
}

static void
refused(struct place *p)
{
	plan_create(&p->plan, thing(p, "a"), PLAN_TAKEN);
	is_int(plan_commit(&p->plan), PLAN_DONE, "an item where none was");
	plan_create(&p->plan, thing(p, "b"), PLAN_FULL);
	plan_create(&p->plan, thing(p, "a"), PLAN_TAKEN);
	plan_count(&p->plan, key_tag(STR("none")), STR("Posts"), 1, PLAN_NO_CATEGORY);
	is_int(plan_commit(&p->plan), PLAN_TAKEN, "of several refusals the first is told");
	is_int(p->plan.rc, PLAN_TAKEN, "... and kept");
	ok(p->plan.found != NULL && str_eq(item_string(p->plan.found, STR("Type")), STR("Tag")),
	    "... with the item that was in the way");
	ok(!is_there(p, "b"), "... and nothing is written");
	is_int(plan_commit(&p->plan), PLAN_DONE, "then the plan is empty");
	ok(!is_there(p, "b"), "... of the refused writes, too");
	plan_create(&p->plan, thing(p, "b"), PLAN_FULL);
	plan_create(&p->plan, thing(p, "a"), PLAN_DONE);
	is_int(plan_commit(&p->plan), PLAN_DONE, "what does not matter is left out");
	ok(is_there(p, "b"), "... and the rest is written");
	for (int i = 0; i <= TABLE_BATCH_MAX; i++)
		plan_put(&p->plan, thing(p, str_cstring(p->arena, str_fmt(p->arena, "n%d", i))));
	is_int(plan_commit(&p->plan), PLAN_TOO_LONG, "more than a transaction takes is too much");
	ok(!is_there(p, "n0"), "... and none of it is written");
}

static void
fails(struct place *p)
{
	struct failing_table failing;
	struct plan plan = p->plan;

	failing_table_begin(&failing, p->table);
	plan.table = &failing.table;
	failing_table_arm(&failing, 1, TABLE_UNAVAILABLE);
	plan_put(&plan, thing(p, "c"));
	plan_put(&plan, thing(p, "d"));
	is_int(plan_commit(&plan), PLAN_TABLE, "a table that fails");
	is_int(plan.failed, TABLE_UNAVAILABLE, "... is told of");
	failing_table_arm(&failing, 1, TABLE_CONFLICT);
	plan_put(&plan, thing(p, "c"));
	plan_put(&plan, thing(p, "d"));
	is_int(
	    plan_commit(&plan), PLAN_DONE, "where others only were in the way it is tried again");
	ok(is_there(p, "c") && is_there(p, "d"), "... all of it");
}

/* A place of a post in the collection, as it is read. */
static struct item
placed(struct place *p, const char *by)
{
	struct item item = {.count = 0};

	key_set(
	    p->arena, &item, key_membership(p->arena, str_of(by), STR("x")), ITEM_COLLECTION_POST);
	item_set(p->arena, &item, STR("Collection"), value_string(STR("c")));
	return item;
}

static void
counted(struct place *p)
{
	struct key key = key_collection(p->arena, STR("c"));
	struct item collection = {.count = 0}, ann = placed(p, "ann"), bob = placed(p, "bob");

	key_set(p->arena, &collection, key, ITEM_COLLECTION);
	item_set(p->arena, &collection, STR("Posts"), value_number(2));
	plan_put(&p->plan, collection);
	plan_put(&p->plan, ann);
	plan_put(&p->plan, bob);
	is_int(plan_commit(&p->plan), PLAN_DONE, "a collection of two");
	plan_drop(&p->plan, &ann);
	is_int(plan_commit(&p->plan), PLAN_DONE, "one is dropped");
	is_int(item_number(stored(p, key), STR("Posts")), 1, "... and counted down");
	plan_drop(&p->plan, &ann);
	is_int(plan_commit(&p->plan), PLAN_CHANGED, "what is gone already");
	is_int(item_number(stored(p, key), STR("Posts")), 1, "... is not counted down twice");
	plan_add(&p->plan, (struct write){.kind = WRITE_DELETE, .key = key}, PLAN_CHANGED);
	is_int(plan_commit(&p->plan), PLAN_DONE, "what counts them goes");
	plan_drop(&p->plan, &bob);
	is_int(plan_commit(&p->plan), PLAN_DONE, "... then the other is dropped all the same");
	ok(stored(p, item_key(&bob)) == NULL && stored(p, key) == NULL, "... and counted nowhere");
}

/* What readers do to a post is counted in the shard of the reader, which marks the post. */
static void
counted_in_shards(struct place *p)
{
	struct str post = STR("post"), ann = STR("ann");
	struct key shard = key_count(p->arena, post, count_shard(ann));
	struct key mark = key_fold(p->arena, post, count_shard(ann));
	struct item like = {.count = 0}, love;

	key_set(p->arena, &like, key_membership(p->arena, ann, STR("y")), ITEM_LIKE);
	item_set(p->arena, &like, STR("Author"), value_string(ann));
	item_set(p->arena, &like, STR("Feeling"), value_string(STR("like")));
	item_set(p->arena, &like, STR("Post"), value_string(post));
	love = item_shallow(p->arena, &like);
	item_set(p->arena, &love, STR("Feeling"), value_string(STR("love")));
	plan_put(&p->plan, like);
	plan_recount(&p->plan, NULL, &like);
	plan_count_post(&p->plan, post, ann, STR("Comments"), 1);
	is_int(plan_commit(&p->plan), PLAN_DONE, "two counts of one shard are one write");
	is_int(item_number(stored(p, shard), STR("Likes")), 1, "... the first");
	is_int(item_number(stored(p, shard), STR("Comments")), 1, "... and the second");
	ok(stored(p, mark) != NULL, "... and the post is to be folded");
	plan_put(&p->plan, love);
	plan_recount(&p->plan, &like, &love);
	is_int(plan_commit(&p->plan), PLAN_DONE, "one in place of another");
	is_int(item_number(stored(p, shard), STR("Likes")), 0, "... no longer counts");
	is_int(item_number(stored(p, shard), STR("Loves")), 1, "... but the other does");
	plan_recount(&p->plan, &love, &love);
	is_int((int64_t)p->plan.count, 0, "what counts the same is not written");
	plan_drop(&p->plan, &love);
	is_int(plan_commit(&p->plan), PLAN_DONE, "it is dropped");
	is_int(item_number(stored(p, shard), STR("Loves")), 0, "... and counted down");
}

int
main(void)
{
	struct place p = {.arena = arena_new(), .clock = clock_fixed(NOW, 1)};
	struct test_store store;

	p.table = test_store_open(&store, &p.clock);
	p.call = (struct table_call){.arena = p.arena};
	p.plan = (struct plan){.table = p.table, .call = &p.call, .now = NOW};
	refused(&p);
	fails(&p);
	counted(&p);
	counted_in_shards(&p);
	test_store_close(&store);
	arena_free(p.arena);
	return tap_done();
}

/* A plan: all or nothing, whose fault a refusal is, what is left out, and that what is dropped counts down. */
#include "person.h"

#include "lib/failing_table.h"
#include "model/key.h"
#include "model/kinds.h"

static struct item
thing(struct place *p, const char *name)
{
	struct item item = {.count = 0};

	key_set(p->arena, &item, key_tag(p->arena, str_of(name)), ITEM_TAG);
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
	return stored(p, key_tag(p->arena, str_of(name))) != NULL;
}

static void
refused(struct place *p)
{
	plan_create(&p->plan, thing(p, "a"), PLAN_TAKEN);
	is_int(plan_commit(&p->plan), PLAN_DONE, "an item where none was");
	plan_create(&p->plan, thing(p, "b"), PLAN_FULL);
	plan_create(&p->plan, thing(p, "a"), PLAN_TAKEN);
	plan_count(&p->plan, key_tag(p->arena, STR("none")), STR("Posts"), 1, PLAN_NO_CATEGORY);
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

/* A bookmark of the post, as it is read. */
static struct item
bookmark(struct place *p, const char *by)
{
	struct item item = {.count = 0};

	key_set(p->arena, &item, key_membership(p->arena, str_of(by), STR("x")), ITEM_BOOKMARK);
	item_set(p->arena, &item, STR("Post"), value_string(STR("post")));
	return item;
}

static void
counted(struct place *p)
{
	struct key key = key_post_stats(p->arena, STR("post"));
	struct item stats = {.count = 0}, ann = bookmark(p, "ann"), bob = bookmark(p, "bob");

	key_set(p->arena, &stats, key, ITEM_STATS);
	item_set(p->arena, &stats, STR("Bookmarks"), value_number(2));
	plan_put(&p->plan, stats);
	plan_put(&p->plan, ann);
	plan_put(&p->plan, bob);
	is_int(plan_commit(&p->plan), PLAN_DONE, "a post with two bookmarks");
	plan_drop(&p->plan, &ann);
	is_int(plan_commit(&p->plan), PLAN_DONE, "one is dropped");
	is_int(item_number(stored(p, key), STR("Bookmarks")), 1, "... and counted down");
	plan_drop(&p->plan, &ann);
	is_int(plan_commit(&p->plan), PLAN_CHANGED, "what is gone already");
	is_int(item_number(stored(p, key), STR("Bookmarks")), 1, "... is not counted down twice");
	plan_add(&p->plan, (struct write){.kind = WRITE_DELETE, .key = key}, PLAN_CHANGED);
	is_int(plan_commit(&p->plan), PLAN_DONE, "what counts them goes");
	plan_drop(&p->plan, &bob);
	is_int(plan_commit(&p->plan), PLAN_DONE, "... then the other is dropped all the same");
	ok(stored(p, item_key(&bob)) == NULL && stored(p, key) == NULL, "... and counted nowhere");
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
	test_store_close(&store);
	arena_free(p.arena);
	return tap_done();
}

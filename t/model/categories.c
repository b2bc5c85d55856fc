/*
 * Changes of the tree of categories by the staff: creating, moving, ordering, merging with all
 * posts and deleting, with concurrent changes, and while the table fails.
 */
#include "lib/failing_table.h"
#include "lib/store.h"
#include "lib/tap.h"
#include "writing_whole.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/people/account.h"
#include "model/post/category.h"
#include "model/post/writing.h"

static const int64_t NOW = 1795000000000;
enum { POSTS = 45 };

struct place {
	struct arena *arena;
	struct clock clock;
	struct table *table;
	struct table_call call;
	struct plan plan;
};

static struct category_tree
tree_of(struct place *p)
{
	struct read reads[] = {{.kind = READ_QUERY, .query = query_categories()},
	    {.kind = READ_QUERY, .query = query_category_counts()}};

	reads[0].query.limit = reads[1].query.limit = TABLE_QUERY_MAX;
	if (table_read(p->table, &p->call, reads, 2) != TABLE_OK)
		bail_out("no tree");
	return category_tree(p->arena, reads[0].found, reads[0].found_count, reads[1].found,
	    reads[1].found_count);
}

/* "a(b(c) d) e", with the posts of each that has any: "a:3". */
static struct str
drawn(struct place *p)
{
	struct category_tree tree = tree_of(p);
	struct buf out = {.arena = p->arena};
	unsigned depth = 0;

	for (size_t i = 0; i < tree.count; i++) {
		const struct category *c = &tree.categories[i];

		for (; depth > c->depth; depth--)
			buf_putc(&out, ')');
		if (depth < c->depth) {
			buf_putc(&out, '(');
			depth = c->depth;
		} else if (i != 0) {
			buf_putc(&out, ' ');
		}
		buf_put(&out, c->slug);
		if (c->posts != 0)
			buf_fmt(&out, ":%d", (int)c->posts);
	}
	while (depth-- > 0)
		buf_putc(&out, ')');
	return buf_str(&out);
}

static const struct category *
named(const struct category_tree *tree, const char *slug)
{
	const struct category *c = category_find(tree, str_of(slug));

	if (c == NULL)
		bail_out("no category %s", slug);
	return c;
}

static enum plan_rc
create(struct place *p, const char *slug, const char *parent)
{
	struct category_tree tree = tree_of(p);
	const struct category_text text = {.name = str_of(slug), .parent = str_of(parent)};

	p->plan.now++;
	return category_create(&p->plan, &tree, str_of(slug), &text);
}

/* Moves it under another parent, by this state of the tree. */
static enum plan_rc
move(struct place *p, const struct category_tree *tree, const char *slug, const char *parent)
{
	const struct category_text text = {.name = str_of(slug), .parent = str_of(parent)};

	p->plan.now++;
	return category_edit(&p->plan, tree, named(tree, slug), &text);
}

/* The lines of the log. */
static size_t
logged(struct place *p)
{
	struct query query = query_audit(p->arena, STR("2026-11"));
	struct item *found;
	size_t count;
	struct str next;

	query.limit = TABLE_QUERY_MAX;
	if (table_query(p->table, &p->call, &query, &found, &count, &next) != TABLE_OK)
		bail_out("no log");
	return count;
}

/* --- Making and moving ------------------------------------------------------------------------------ */

static void
making(struct place *p)
{
	is_int(create(p, "a", ""), PLAN_DONE, "a category");
	is_int(create(p, "b", "a"), PLAN_DONE, "one under it");
	is_int(create(p, "c", "b"), PLAN_DONE, "... and under that");
	is_int(create(p, "d", "a"), PLAN_DONE, "one beside");
	is_int(create(p, "e", ""), PLAN_DONE, "one at the top");
	is_str(drawn(p), STR("a(b(c) d) e"), "each stands behind its neighbours");
	is_int(create(p, "b", ""), PLAN_TAKEN, "a slug is one category's");
	is_int(create(p, "f", "none"), PLAN_NOT_THERE, "what is not there is no parent");
	is_int((int64_t)logged(p), 5, "what was done is logged, what was refused is not");
}

static void
moving(struct place *p)
{
	struct category_tree tree = tree_of(p);
	struct category_text text = {.name = STR("The letter D"), .parent = STR("a")};

	is_int(move(p, &tree, "a", "c"), PLAN_CIRCLE, "nothing comes to lie under itself");
	is_int(move(p, &tree, "a", "a"), PLAN_CIRCLE, "... nor in itself");
	is_int(move(p, &tree, "b", "e"), PLAN_DONE, "a category moves with what lies under it");
	is_str(drawn(p), STR("a(d) e(b(c))"), "... there it is");
	is_int(move(p, &tree, "e", "c"), PLAN_CHANGED,
	    "who saw the tree as it was makes no circle with it");
	tree = tree_of(p);
	is_int(move(p, &tree, "e", "a"), PLAN_DONE, "of two who move at once, the first does");
	is_int(move(p, &tree, "a", "e"), PLAN_CHANGED, "... and the second is told");
	is_str(drawn(p), STR("a(d e(b(c)))"), "... no circle");
	tree = tree_of(p);
	is_int(move(p, &tree, "e", ""), PLAN_DONE, "back to the top");
	tree = tree_of(p);
	is_int(category_edit(&p->plan, &tree, named(&tree, "d"), &text), PLAN_DONE, "another name");
	tree = tree_of(p);
	is_str(named(&tree, "d")->name, STR("The letter D"), "... is shown");
	is_str(drawn(p), STR("a(d) e(b(c))"), "... and nothing else has changed");
}

static void
too_deep(struct place *p)
{
	struct category_tree tree;

	create(p, "d2", "d");
	create(p, "d3", "d2");
	create(p, "d4", "d3");
	create(p, "d5", "d4");
	is_int(create(p, "d6", "d5"), PLAN_DONE, "six levels below the top");
	is_int(create(p, "d7", "d6"), PLAN_FULL, "... and no more");
	tree = tree_of(p);
	is_int(
	    move(p, &tree, "b", "d5"), PLAN_FULL, "... nor by moving what has something under it");
	for (int i = 6; i >= 2; i--) {
		tree = tree_of(p);
		category_delete(&p->plan, &tree,
		    named(&tree, str_cstring(p->arena, str_fmt(p->arena, "d%d", i))));
	}
	is_str(drawn(p), STR("a(d) e(b(c))"), "they are deleted from below");
}

static void
stepping(struct place *p)
{
	struct category_tree tree;
	size_t before;

	create(p, "f", "a");
	create(p, "g", "a");
	is_str(drawn(p), STR("a(d f g) e(b(c))"), "a row");
	tree = tree_of(p);
	is_int(category_step(&p->plan, &tree, named(&tree, "g"), true), PLAN_DONE, "one goes up");
	is_str(drawn(p), STR("a(d g f) e(b(c))"), "... before its neighbour");
	is_int(category_step(&p->plan, &tree, named(&tree, "g"), true), PLAN_CHANGED,
	    "... whoever saw it elsewhere is told");
	tree = tree_of(p);
	before = logged(p);
	is_int(
	    category_step(&p->plan, &tree, named(&tree, "d"), true), PLAN_DONE, "the first stays");
	is_int(
	    category_step(&p->plan, &tree, named(&tree, "f"), false), PLAN_DONE, "... as the last");
	is_int((int64_t)logged(p), (int64_t)before, "... which is nothing to log");
	category_step(&p->plan, &tree, named(&tree, "a"), false);
	is_str(drawn(p), STR("e(b(c)) a(d g f)"), "at the top all of a tree moves");
	tree = tree_of(p);
	category_step(&p->plan, &tree, named(&tree, "a"), true);
	is_str(drawn(p), STR("a(d g f) e(b(c))"), "... and back");
}

/* Several with one number, as a load may have them, are put into a row that grows. */
static void
same_numbers(struct place *p)
{
	struct category_tree tree;
	struct item item = {.count = 0};
	static const char *const slugs[] = {"x", "y", "z"};

	for (int i = 0; i < 3; i++) {
		key_set(p->arena, &item, key_category(p->arena, str_of(slugs[i])), ITEM_CATEGORY);
		key_index_category(p->arena, &item, 9000, str_of(slugs[i]));
		item_set(p->arena, &item, STR("Slug"), value_string(str_of(slugs[i])));
		item_set(p->arena, &item, STR("Order"), value_number(9000));
		table_put(p->table, &p->call, item);
	}
	tree = tree_of(p);
	is_int(
	    category_step(&p->plan, &tree, named(&tree, "z"), true), PLAN_DONE, "of equals, one");
	is_str(drawn(p), STR("a(d g f) e(b(c)) x z y"), "... goes up");
	for (int i = 0; i < 3; i++) {
		tree = tree_of(p);
		category_delete(&p->plan, &tree, named(&tree, slugs[i]));
	}
}

/* --- Deleting --------------------------------------------------------------------------------------- */

static void
deleting(struct place *p)
{
	struct category_tree tree = tree_of(p), old;

	is_int(category_delete(&p->plan, &tree, named(&tree, "e")), PLAN_NOT_EMPTY,
	    "what has something under it stays");
	old = tree_of(p);
	create(p, "late", "g");
	is_int(category_delete(&p->plan, &old, named(&old, "g")), PLAN_NOT_EMPTY,
	    "... also when that came just now");
	tree = tree_of(p);
	is_int(category_delete(&p->plan, &tree, named(&tree, "late")), PLAN_DONE,
	    "what is empty goes");
	tree = tree_of(p);
	is_int(category_delete(&p->plan, &tree, named(&tree, "g")), PLAN_DONE,
	    "... and what was over it");
	is_int(category_delete(&p->plan, &tree, named(&tree, "g")), PLAN_NOT_EMPTY, "... once");
	is_int(create(p, "g", "a"), PLAN_DONE, "its slug is free");
}

/* --- Merging ---------------------------------------------------------------------------------------- */

static void
write_post(struct place *p, const char *slug, enum post_status status, enum visibility visibility,
    int64_t when)
{
	struct plan plan = {.table = p->table,
	    .call = &p->call,
	    .now = NOW,
	    .by = STR("ann"),
	    .by_name = STR("Ann")};
	struct draft draft = {.post = {.slug = str_of(slug),
				  .title = STR("A title"),
				  .kind = KIND_NOTE,
				  .author = STR("ann"),
				  .author_name = STR("Ann"),
				  .category = STR("b"),
				  .status = status,
				  .published = when,
				  .visibility = visibility},
	    .body = {.markdown = STR("First.\n"), .html = STR("<p>First.</p>\n"), .renderer = 1}};

	if (writing_create(&plan, &draft) != PLAN_DONE)
		bail_out("no post %s", slug);
}

/* The categories' own numbers, as they are written down. */
static int64_t
counter(struct place *p, const char *slug)
{
	struct item *item = NULL;

	table_get(p->table, &p->call, key_category_count(str_of(slug)), &item);
	return item != NULL ? item_number(item, STR("Posts")) : -1;
}

static size_t
on_shelf(struct place *p, const char *slug)
{
	struct query query = query_category_partition(p->arena, str_of(slug));
	struct item *found;
	size_t count;
	struct str next;

	query.limit = TABLE_QUERY_MAX;
	if (table_query(p->table, &p->call, &query, &found, &count, &next) != TABLE_OK)
		bail_out("no shelf");
	return count;
}

static void
fill_shelf(struct place *p)
{
	for (int i = 0; i < POSTS; i++)
		write_post(p, str_cstring(p->arena, str_fmt(p->arena, "post-%02d", i)),
		    STATUS_PUBLISHED, VISIBILITY_PUBLIC, NOW - i * 1000);
	write_post(p, "to-come", STATUS_PUBLISHED, VISIBILITY_PUBLIC, NOW + 86400000);
	write_post(p, "a-draft", STATUS_DRAFT, VISIBILITY_PUBLIC, 0);
	write_post(p, "a-secret", STATUS_PUBLISHED, VISIBILITY_PRIVATE, NOW);
	is_str(drawn(p), STR("a(d f g) e(b:46(c))"), "posts on a shelf");
}

static void
is_whole(struct place *p, const char *when)
{
	const char *error = table_error(p->arena, p->table);

	if (!ok(error == NULL, "every counter is right %s", when))
		fprintf(stderr, "# %s\n", error);
}

static void
merging(struct place *p)
{
	struct category_tree tree = tree_of(p);
	struct str shelves[CATEGORY_PARTITIONS];
	size_t before = logged(p);

	is_int(category_merge(&p->plan, named(&tree, "b"), named(&tree, "b")), PLAN_CIRCLE,
	    "nothing is merged into itself");
	is_int(category_merge(&p->plan, named(&tree, "b"), named(&tree, "c")), PLAN_CIRCLE,
	    "... nor into what lies under it");
	is_int((int64_t)logged(p), (int64_t)before, "... of which nothing is logged");
	is_int(category_merge(&p->plan, named(&tree, "b"), named(&tree, "f")), PLAN_DONE,
	    "one category is merged into another");
	is_str(
	    drawn(p), STR("a(d f:46(c) g) e"), "... which has its posts and its children at once");
	is_int((int64_t)logged(p), (int64_t)before + 1, "... as the log says");
	is_int(category_merge(&p->plan, named(&tree, "b"), named(&tree, "g")), PLAN_CHANGED,
	    "... nobody else merges it elsewhere");
	is_int(move(p, &tree, "f", "b"), PLAN_CHANGED, "... or puts something under it");
	is_int(create(p, "b", ""), PLAN_TAKEN, "... or takes its address");
	tree = tree_of(p);
	ok(named(&tree, "b") == named(&tree, "f"), "its address leads to the other");
	is_int((int64_t)category_partitions(named(&tree, "f"), shelves), 3,
	    "... whose list has its posts");
	is_int(category_delete(&p->plan, &tree, named(&tree, "f")), PLAN_NOT_EMPTY,
	    "... and which is not deleted");
	is_int(
	    category_merge_on(&p->plan, STR("b"), STR("f"), 20), PLAN_MORE, "its posts move over");
	is_int((int64_t)on_shelf(p, "b"), 26, "... so many at a time");
	is_int(counter(p, "b"), 26, "... counted here");
	is_int(counter(p, "f"), 20, "... and there");
	is_str(drawn(p), STR("a(d f:46(c) g) e"), "... which is nothing to the readers");
	is_whole(p, "halfway");
}

/* Each call of the table fails in turn; trying again completes it, and no post counts twice. */
static void
interrupted(struct place *p)
{
	struct failing_table failing;
	struct plan plan = p->plan;
	enum plan_rc rc = PLAN_MORE;
	unsigned n, failures = 0;

	failing_table_begin(&failing, p->table);
	plan.table = &failing.table;
	for (n = 1; rc != PLAN_DONE && n < 200; n++) {
		failing_table_arm(&failing, 1 + n % 4, TABLE_UNAVAILABLE);
		rc = category_merge_on(&plan, STR("b"), STR("f"), 10);
		failures += rc == PLAN_TABLE;
	}
	ok(failures > 5, "the table fails again and again");
	is_int(rc, PLAN_DONE, "... and all posts move over");
	is_int((int64_t)on_shelf(p, "b"), 0, "none is left");
	is_int((int64_t)on_shelf(p, "f"), POSTS + 1, "... and none was lost");
	is_int(counter(p, "b"), 0, "... by the one's counter");
	is_int(counter(p, "f"), POSTS + 1, "... and the other's");
	is_whole(p, "at the end");
}

static void
merged(struct place *p)
{
	struct category_tree tree = tree_of(p);
	struct str shelves[CATEGORY_PARTITIONS];
	struct item *item = NULL;

	is_int((int64_t)category_partitions(named(&tree, "f"), shelves), 2,
	    "an empty shelf costs no list a read");
	table_get(p->table, &p->call, key_post(p->arena, STR("a-draft")), &item);
	ok(item != NULL &&
		named(&tree, str_cstring(p->arena, item_string(item, STR("Category")))) ==
		    named(&tree, "f"),
	    "a draft that names the one is the other's");
	write_post(p, "straggler", STATUS_PUBLISHED, VISIBILITY_PUBLIC, NOW);
	is_str(drawn(p), STR("a(d f:47(c) g) e"), "what comes late is listed all the same");
	tree = tree_of(p);
	is_int(
	    category_merge_on(&p->plan, STR("b"), STR("f"), 20), PLAN_DONE, "... and moves over");
	is_int(category_merge(&p->plan, named(&tree, "f"), named(&tree, "e")), PLAN_DONE,
	    "what something was merged into is merged on");
	tree = tree_of(p);
	ok(named(&tree, "b") == named(&tree, "e"), "... and every old address leads there");
	while (category_merge_on(&p->plan, STR("f"), STR("e"), 20) == PLAN_MORE)
		;
	is_str(drawn(p), STR("a(d g) e:47(c)"), "... with all there was");
	is_whole(p, "after both");
}

int
main(void)
{
	struct place p = {.arena = arena_new(), .clock = clock_fixed(NOW, 1)};
	struct test_store store;
	struct plan plan;
	const struct new_account ann = {.username = STR("ann"),
	    .email = STR("ann@example.org"),
	    .role = ROLE_AUTHOR,
	    .status = USER_ACTIVE};

	p.table = test_store_open(&store, &p.clock);
	p.call = (struct table_call){.arena = p.arena};
	p.plan = (struct plan){.table = p.table,
	    .call = &p.call,
	    .now = NOW,
	    .clock = &p.clock,
	    .by = STR("marta"),
	    .audited = true};
	plan = (struct plan){.table = p.table, .call = &p.call, .now = NOW};
	account_create(&plan, &ann);
	making(&p);
	moving(&p);
	too_deep(&p);
	stepping(&p);
	same_numbers(&p);
	deleting(&p);
	fill_shelf(&p);
	merging(&p);
	interrupted(&p);
	merged(&p);
	test_store_close(&store);
	arena_free(p.arena);
	return tap_done();
}

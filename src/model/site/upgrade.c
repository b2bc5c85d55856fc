#include "model/site/upgrade.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/key_comment.h"
#include "model/key_follow.h"
#include "model/kinds.h"
#include "model/plan.h"
#include "model/post/count.h"
#include "model/reader/hidden.h"
#include "model/reader/rating.h"
#include "model/reader/tally.h"
#include "model/site/format.h"
#include "table/retry.h"

enum { ITEMS_AT_ONCE = 100, PAGES_A_CURSOR = 20, TRIES = 6 };

static bool
has(const struct item *item, struct str name)
{
	return item_get(item, name) != NULL;
}

/* An attribute is as it was read. */
static struct condition
still(const struct item *item, struct str name)
{
	const struct value *value = item_get(item, name);

	return value != NULL ? (struct condition){.op = COND_EQ, .name = name, .value = *value}
			     : (struct condition){.op = COND_MISSING, .name = name};
}

static const struct condition *
all_still(struct arena *arena, const struct item *item, const struct str *names, size_t count)
{
	struct condition *each = ARENA_ARRAY(arena, count + 1, struct condition);
	struct condition *all = ARENA_NEW(arena, struct condition);

	for (size_t i = 0; i < count; i++)
		each[i] = still(item, names[i]);
	each[count] = plan_present;
	*all = (struct condition){.op = COND_ALL, .children = each, .count = count + 1};
	return all;
}

/* The item becomes another one, if these of its attributes are as they were read. */
static void
rewrite(struct plan *plan, const struct item *from, const struct item *to, const struct str *names,
    size_t count)
{
	struct write write = plan_difference(plan->call->arena, item_key(from), from, to);

	write.condition = all_still(plan->call->arena, from, names, count);
	plan_add(plan, write, PLAN_CHANGED);
}

/* --- Numbers that were in the item that they are about ----------------------------------------------- */

static const struct str people_numbers[] = {
    STR_INIT("Followers"), STR_INIT("Following"), STR_INIT("Posts")};
enum { PEOPLE_NUMBERS = sizeof(people_numbers) / sizeof(people_numbers[0]) };

static bool
person_is_old(const struct item *item)
{
	for (size_t i = 0; i < PEOPLE_NUMBERS; i++)
		if (has(item, people_numbers[i]))
			return true;
	return false;
}

/* Moves these numbers to an item of their own, which may have counted meanwhile. */
static void
move_numbers(struct plan *plan, const struct item *from, struct key key, enum item_kind kind,
    const struct str *names, size_t count)
{
	struct arena *arena = plan->call->arena;
	struct change *changes = ARENA_ARRAY(arena, count + 1, struct change);
	struct item without = item_shallow(arena, from);
	size_t used = 0;

	changes[used++] = (struct change){CHANGE_SET, STR("Type"), kind_type(kind)};
	for (size_t i = 0; i < count; i++) {
		if (!has(from, names[i]))
			continue;
		item_remove(&without, names[i]);
		changes[used++] = (struct change){
		    CHANGE_ADD, names[i], value_number(item_number(from, names[i]))};
	}
	rewrite(plan, from, &without, names, count);
	plan_add(plan,
	    (struct write){
		.kind = WRITE_UPDATE, .key = key, .changes = changes, .change_count = used},
	    PLAN_CHANGED);
}

static enum plan_rc
carry_person(struct plan *plan, const struct item *item)
{
	move_numbers(plan, item,
	    key_person_counts(plan->call->arena, item_string(item, STR("Username"))),
	    ITEM_PERSON_COUNTS, people_numbers, PEOPLE_NUMBERS);
	return plan_commit(plan);
}

static const struct str posts[] = {STR_INIT("Posts")};

static bool
category_is_old(const struct item *item)
{
	return has(item, posts[0]);
}

static enum plan_rc
carry_category(struct plan *plan, const struct item *item)
{
	move_numbers(plan, item, key_category_count(item_string(item, STR("Slug"))),
	    ITEM_CATEGORY_COUNT, posts, 1);
	return plan_commit(plan);
}

static bool
tag_is_old(const struct item *item)
{
	return key_is_older_tag(item_key(item));
}

/* To the one partition of all; its number may have begun there. */
static enum plan_rc
carry_tag(struct plan *plan, const struct item *item)
{
	struct arena *arena = plan->call->arena;
	struct str tag = item_string(item, STR("Tag"));
	struct change *changes = ARENA_ARRAY(arena, 3, struct change);

	changes[0] = (struct change){CHANGE_SET, STR("Type"), kind_type(ITEM_TAG)};
	changes[1] = (struct change){CHANGE_SET, STR("Tag"), value_string(tag)};
	changes[2] = (struct change){
	    CHANGE_ADD, posts[0], value_number(item_number(item, posts[0]))};
	plan_add(plan,
	    (struct write){
		.kind = WRITE_UPDATE, .key = key_tag(tag), .changes = changes, .change_count = 3},
	    PLAN_CHANGED);
	plan_add(plan,
	    (struct write){.kind = WRITE_DELETE,
		.key = item_key(item),
		.condition = all_still(arena, item, posts, 1)},
	    PLAN_CHANGED);
	return plan_commit(plan);
}

/* --- Posts: numbers in shards, tallies of threads, comments among the newest of the site ------------- */

static bool
stats_are_old(const struct item *item)
{
	return !item_boolean(item, STR("Shards")) || !item_boolean(item, STR("Threads"));
}

static enum plan_rc
carry_stats(struct plan *plan, const struct item *item)
{
	struct str post = item_string(item, STR("Post"));
	enum table_rc rc = TABLE_OK;
	bool done = true;
	size_t made = 0;

	if (!item_boolean(item, STR("Shards")))
		rc = count_fold_post(plan->table, plan->call, post, &done);
	if (rc == TABLE_OK && !item_boolean(item, STR("Threads")))
		rc = tally_make(plan->table, plan->call, post, &made);
	if (rc != TABLE_OK)
		return plan_failed(plan, rc);
	return done ? PLAN_DONE : PLAN_CHANGED;
}

/* --- What readers did -------------------------------------------------------------------------------- */

static bool
vote_is_old(const struct item *item)
{
	return has(item, STR("Comment")) && !has(item, STR("Path"));
}

/* From the comment to the item beside it. A comment that is gone counts nothing. */
static enum plan_rc
carry_vote(struct plan *plan, const struct item *item)
{
	static const struct str names[] = {
	    STR_INIT("Comment"), STR_INIT("Path"), STR_INIT("Value")};
	struct arena *arena = plan->call->arena;
	struct str name = item_number(item, STR("Value")) > 0 ? STR("Ups") : STR("Downs");
	struct item with = item_shallow(arena, item);
	struct read read = {.kind = READ_QUERY,
	    .query = query_comment_by_id(arena, item_string(item, STR("Comment")))};
	enum table_rc rc;

	read.query.limit = 1;
	rc = table_read(plan->table, plan->call, &read, 1);
	if (rc != TABLE_OK)
		return plan_failed(plan, rc);
	if (read.found_count == 0)
		return PLAN_NOT_THERE;
	item_set(arena, &with, STR("Path"),
	    value_string(key_comment_path(item_key(&read.found[0]).sk)));
	rewrite(plan, item, &with, names, sizeof(names) / sizeof(names[0]));
	plan_count(plan, item_key(&read.found[0]), name, -1, PLAN_NOT_THERE);
	plan_recount(plan, NULL, &with);
	return plan_commit(plan);
}

static bool
rating_is_old(const struct item *item)
{
	return !has(item, table_pk_name(TABLE_GSI4));
}

/* Its place among the reviews of its post by stars, and among all if the post is public. */
static enum plan_rc
carry_rating(struct plan *plan, const struct item *item)
{
	static const struct str names[] = {
	    STR_INIT("Stars"), STR_INIT("Status"), STR_INIT("UpdatedAt")};
	struct arena *arena = plan->call->arena;
	struct read head = {.kind = READ_GET,
	    .key = key_post(arena, item_string(item, STR("Post"))),
	    .consistent = true};
	enum table_rc rc = table_read(plan->table, plan->call, &head, 1);
	struct post post = {.status = STATUS_DRAFT};
	struct item with;

	if (rc != TABLE_OK)
		return plan_failed(plan, rc);
	if (head.item != NULL)
		post_from_item(arena, head.item, &post);
	with = rating_placed(arena, item, post_is_public(&post));
	rewrite(plan, item, &with, names, sizeof(names) / sizeof(names[0]));
	return plan_commit(plan);
}

static bool
follow_is_old(const struct item *item)
{
	struct str status = item_string(item, STR("Status"));

	return str_eq(status, STR("muted")) ||
	       (str_eq(status, STR("blocked")) && !has(item, table_pk_name(TABLE_GSI2)));
}

/* Whom somebody has muted or blocked is in an item that their pages read. */
static enum plan_rc
carry_follow(struct plan *plan, const struct item *item)
{
	static const struct str status = STR_INIT("Status");
	struct arena *arena = plan->call->arena;
	struct item with = item_shallow(arena, item);
	struct str by = item_string(item, STR("Follower")), who = item_string(item, STR("Followed"));

	if (str_eq(item_string(item, status), STR("muted"))) {
		item_set(arena, &with, status, value_string(STR("active")));
		hidden_add_mute(plan, by, who);
	} else {
		key_index_block(
		    arena, &with, by, who, item_string(item, STR("CreatedAt")));
		hidden_add_block(plan, by, who);
	}
	rewrite(plan, item, &with, &status, 1);
	return plan_commit(plan);
}

/* --- All of it ----------------------------------------------------------------------------------------- */

const struct upgrade_kind upgrade_kinds[UPGRADE_KINDS] = {
    {"person, whose numbers have an item of their own", "people, whose numbers have an item of their own"},
    {"post, with its numbers in shards and a tally for each thread",
	"posts, with their numbers in shards and a tally for each thread"},
    {"vote on a comment, counted beside it", "votes on comments, counted beside them"},
    {"rating, placed by its stars", "ratings, placed by their stars"},
    {"mute or block", "mutes and blocks"},
    {"category, whose posts are counted apart", "categories, whose posts are counted apart"},
    {"tag, to the list of all", "tags, to the list of all"},
};

static const struct carrying {
	enum item_kind kind;
	size_t told; /* in upgrade_kinds */
	bool (*is_old)(const struct item *item);
	/* PLAN_CHANGED: others were faster. PLAN_NOT_THERE: it is about something that is gone. */
	enum plan_rc (*carry)(struct plan *plan, const struct item *item);
} steps[] = {
    {ITEM_USER, 0, person_is_old, carry_person},
    {ITEM_STATS, 1, stats_are_old, carry_stats},
    {ITEM_VOTE, 2, vote_is_old, carry_vote},
    {ITEM_RATING, 3, rating_is_old, carry_rating},
    {ITEM_FOLLOW, 4, follow_is_old, carry_follow},
    {ITEM_CATEGORY, 5, category_is_old, carry_category},
    {ITEM_TAG, 6, tag_is_old, carry_tag},
};

static const struct carrying *
step_for(const struct item *item)
{
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		if (kind_is(item, steps[i].kind) && steps[i].is_old(item))
			return &steps[i];
	return NULL;
}

bool
upgrade_is_old(const struct item *item)
{
	return step_for(item) != NULL;
}

/* Tries until nobody else writes the same meanwhile, each time with the item as it then is. */
static enum plan_rc
carry(struct upgrade *u, struct plan *plan, struct key key)
{
	struct read read = {.kind = READ_GET, .key = key, .consistent = true};
	enum plan_rc done = PLAN_CHANGED;

	for (int i = 0; i < TRIES && done == PLAN_CHANGED; i++) {
		enum table_rc rc = table_read(u->table, plan->call, &read, 1);
		const struct carrying *step;

		if (rc != TABLE_OK)
			return plan_failed(plan, rc);
		step = read.item != NULL ? step_for(read.item) : NULL;
		if (step == NULL)
			return PLAN_DONE;
		done = step->carry(plan, read.item);
		u->changed[step->told] += done == PLAN_DONE;
	}
	return done;
}

static enum table_rc
carry_item(struct upgrade *u, struct arena *arena, struct key key, struct str *why)
{
	struct table_call call = {.arena = arena};
	struct plan plan = {.table = u->table,
	    .call = &call,
	    .clock = u->table->clock,
	    .now = clock_now(u->table->clock)};
	struct retry retry = {0};
	enum plan_rc done;

	arena_reset(arena);
	do
		done = carry(u, &plan, key);
	while (done == PLAN_TABLE && retry_again(&retry, plan.failed));
	u->late += done != PLAN_DONE && done != PLAN_NOT_THERE && done != PLAN_TABLE;
	if (done == PLAN_TABLE)
		*why = str_of(call.why != NULL ? call.why : table_rc_text(plan.failed));
	table_release(u->table, &call);
	return done == PLAN_TABLE ? plan.failed : TABLE_OK;
}

static enum table_rc
next_page(struct upgrade *u, struct table_call *call, struct str cursor, struct walk_page *page)
{
	struct retry retry = {0};
	enum table_rc rc;

	do {
		arena_reset(call->arena);
		rc = table_walk(u->table, call, cursor, ITEMS_AT_ONCE, page);
	} while (retry_again(&retry, rc));
	table_release(u->table, call);
	return rc;
}

static enum table_rc
keep_cursor(struct upgrade *u, struct arena *arena, struct str cursor)
{
	struct table_call call = {.arena = arena};
	struct retry retry = {0};
	enum table_rc rc;

	do
		rc = format_keep_cursor(u->table, &call, cursor);
	while (retry_again(&retry, rc));
	table_release(u->table, &call);
	return rc;
}

/* From a cursor to the end, page by page; the cursor is kept now and then, and when it is stopped. */
static enum table_rc
walk(struct upgrade *u, struct arena *pages, struct arena *places, struct arena *own, struct str at)
{
	struct table_call call = {.arena = pages};
	enum table_rc rc = TABLE_OK;
	struct walk_page page;
	bool more = true;

	for (uint64_t n = 1; rc == TABLE_OK && more && !u->stop; n++) {
		rc = next_page(u, &call, at, &page);
		if (rc != TABLE_OK && call.why != NULL)
			u->why = str_of(call.why);
		for (size_t i = 0; rc == TABLE_OK && i < page.count; i++)
			if (upgrade_is_old(&page.items[i]))
				rc = carry_item(u, own, item_key(&page.items[i]), &u->why);
		if (rc != TABLE_OK)
			break;
		u->items += page.count;
		arena_reset(places);
		at = str_dup(places, page.next);
		more = at.len != 0;
		u->progress(u->context, u->items);
		u->stop = u->stop && more;
		if (more && (u->stop || n % PAGES_A_CURSOR == 0))
			rc = keep_cursor(u, own, at);
	}
	return rc;
}

enum table_rc
upgrade_run(struct upgrade *u, struct arena *arena)
{
	struct arena *pages = arena_new(), *places = arena_new(), *own = arena_new();
	struct table_call call = {.arena = arena};
	struct format format;
	enum table_rc rc = format_begin(u->table, &call, &format);

	u->resumed = rc == TABLE_OK && format.cursor.len != 0;
	if (rc == TABLE_OK)
		rc = walk(u, pages, places, own, str_dup(places, format.cursor));
	/* A cursor of another engine, when the table was copied. */
	if (rc == TABLE_BAD_CURSOR && u->resumed) {
		u->resumed = false;
		rc = walk(u, pages, places, own, STR(""));
	}
	u->why = str_dup(arena, u->why.len != 0 || call.why == NULL ? u->why : str_of(call.why));
	if (rc == TABLE_OK && !u->stop)
		rc = format_set_carried(u->table, &call, u->late == 0);
	table_release(u->table, &call);
	arena_free(own);
	arena_free(places);
	arena_free(pages);
	return rc;
}

/* --- Names ----------------------------------------------------------------------------------------------- */

/* Carries over what a query finds, until it finds nothing old. */
static enum table_rc
carry_found(struct upgrade *u, struct arena *found, struct arena *own, struct query query)
{
	struct table_call call = {.arena = found};
	struct read read = {.kind = READ_QUERY, .query = query};
	enum table_rc rc;

	read.query.limit = TABLE_QUERY_MAX;
	do {
		rc = table_read(u->table, &call, &read, 1);
		for (size_t i = 0; rc == TABLE_OK && i < read.found_count; i++)
			if (upgrade_is_old(&read.found[i]))
				rc = carry_item(u, own, item_key(&read.found[i]), &u->why);
		read.query.cursor = read.next;
	} while (rc == TABLE_OK && read.next.len != 0);
	table_release(u->table, &call);
	return rc;
}

enum table_rc
upgrade_names(struct table *table, uint64_t *carried)
{
	struct upgrade u = {.table = table};
	struct arena *found = arena_new(), *own = arena_new();
	enum table_rc rc = carry_found(&u, found, own, query_categories());

	if (rc == TABLE_OK)
		rc = carry_found(&u, found, own, query_older_tags());
	*carried = 0;
	for (size_t i = 0; i < UPGRADE_KINDS; i++)
		*carried += u.changed[i];
	arena_free(own);
	arena_free(found);
	return rc;
}

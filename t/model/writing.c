/*
 * Posts from their first draft to their end: every state, what follows from each, two who write at once,
 * a storm of writers, and a table that fails.
 */
#include "writing_shared.h"

#include "base/arena.h"
#include "base/buf.h"
#include "model/people/account.h"

#include <sodium.h>

struct tap_counts tap;

/* --- The place ------------------------------------------------------------------------------------- */

static void
add_person(struct desk_place *p, const char *name)
{
	struct plan plan = {.table = p->table, .call = &p->call, .now = NOW};
	const struct new_account new = {.username = str_of(name),
	    .email = STR_CONCAT(p->arena, str_of(name), STR("@example.org")),
	    .role = ROLE_AUTHOR,
	    .status = USER_ACTIVE};

	if (account_create(&plan, &new) != PLAN_DONE)
		bail_out("no %s", name);
}

void
add_category(struct desk_place *p, const char *slug)
{
	struct item item = {.count = 0};

	key_set(p->arena, &item, key_category(p->arena, str_of(slug)), ITEM_CATEGORY);
	item_set(p->arena, &item, STR("Slug"), value_string(str_of(slug)));
	table_put(p->table, &p->call, item);
	item = (struct item){.count = 0};
	key_set(p->arena, &item, key_category_count(str_of(slug)), ITEM_CATEGORY_COUNT);
	table_put(p->table, &p->call, item);
}

static void
place_open(struct desk_place *p)
{
	*p = (struct desk_place){.arena = arena_new(), .clock = clock_fixed(NOW, 7)};
	p->table = test_store_open(&p->store, &p->clock);
	p->call = (struct table_call){.arena = p->arena};
	p->plan = (struct plan){.table = p->table,
	    .call = &p->call,
	    .now = NOW,
	    .by = STR("ann"),
	    .by_name = STR("Ann")};
	add_person(p, "ann");
	add_person(p, "bob");
	add_category(p, "tides");
	add_category(p, "town");
}

static void
place_close(struct desk_place *p)
{
	test_store_close(&p->store);
	arena_free(p->arena);
}

void
let_pass(struct desk_place *p, int64_t ms)
{
	p->plan.now += ms;
	p->clock.fixed_now += ms;
}

void
is_whole(struct desk_place *p, const char *after)
{
	const char *error = table_error(p->arena, p->table);

	if (!ok(error == NULL, "the table is whole after %s", after))
		fprintf(stderr, "# %s\n", error);
}

struct draft
draft_of(const char *slug, enum post_kind kind)
{
	static const struct str tags[] = {STR_INIT("rope"), STR_INIT("weather")};

	return (struct draft){.post = {.slug = str_of(slug),
				  .title = STR("A title"),
				  .kind = kind,
				  .author = STR("ann"),
				  .author_name = STR("Ann"),
				  .category = STR("tides"),
				  .tags = {tags, 2},
				  .visibility = VISIBILITY_PUBLIC},
	    .body = {.markdown = STR("First.\n"), .html = STR("<p>First.</p>\n"), .renderer = 1}};
}

struct written
stored(struct desk_place *p, const char *id)
{
	struct written written;
	bool there;

	if (written_get(&p->plan, str_of(id), &written, &there) != TABLE_OK || !there)
		bail_out("%s is not there", id);
	return written;
}

/* What is stored, to be changed and saved. */
struct draft
draft_from(const struct written *written)
{
	return (struct draft){.post = written->post, .body = written->body};
}

enum plan_rc
publish(struct plan *plan, const struct written *old, int64_t at, struct post *post)
{
	struct draft draft = draft_from(old);
	enum plan_rc rc;

	draft.post.status = STATUS_PUBLISHED;
	draft.post.published = at;
	rc = writing_save(plan, old, &draft);
	*post = draft.post;
	return rc;
}

int64_t
posts_of(struct desk_place *p, struct key key)
{
	struct item *item = NULL;

	table_get(p->table, &p->call, key, &item);
	return item != NULL ? item_number(item, STR("Posts")) : -1;
}

size_t
on_desk(struct desk_place *p, const char *who, enum desk section)
{
	struct query query = query_desk(p->arena, str_of(who), section, p->plan.now);
	struct item *found;
	struct str next;
	size_t count = 99;

	query.limit = 50;
	table_query(p->table, &p->call, &query, &found, &count, &next);
	return count;
}

/* How many posts a stranger finds. */
size_t
in_list(struct desk_place *p, enum posts_of of, const char *name)
{
	struct posts_query query = {.of = of, .name = str_of(name), .limit = 20};
	struct read read;
	struct posts posts;

	posts_prepare(p->arena, &query, p->plan.now, &read);
	table_read(p->table, &p->call, &read, 1);
	if (of == POSTS_OF_TAG)
		return read.found_count;
	posts_take(p->arena, &query, &read, NULL, p->plan.now, &posts);
	return posts.count;
}

int
main(void)
{
	struct desk_place p;

	if (sodium_init() < 0)
		bail_out("libsodium can't start");
	place_open(&p);
	writing_lives(&p);
	writing_ends(&p);
	writing_torn(&p);
	place_close(&p);
	place_open(&p);
	writing_crowds(&p);
	place_close(&p);
	return tap_done();
}

/*
 * Ratings of a post that is public no more leave the list of all with as many stars, step by step, and come back when it is
 * public again; whenever that changes, and also those that were on their way meanwhile.
 */
#include "past.h"

#include "model/key_rating.h"
#include "model/kinds.h"
#include "model/post/writing.h"
#include "model/reader/rating.h"
#include "model/reader/rating_move.h"

#define ID "dates-that-sort"

enum { MANY = 120, HELD = 7 };

static struct plan
plan_of_author(struct seeded *s, struct table_call *call)
{
	*call = (struct table_call){.arena = s->arena};
	s->clock.fixed_now += 1000;
	return (struct plan){.table = s->table,
	    .call = call,
	    .clock = &s->clock,
	    .now = s->clock.fixed_now,
	    .by = STR("kofi"),
	    .by_name = STR("Kofi")};
}

/* A rating as somebody leaves it who saw the post as public, or as not. */
static void
put_rating(struct seeded *s, unsigned n, bool held, bool post_public)
{
	struct rating rating = {.post = STR(ID),
	    .author = str_fmt(s->arena, "p%03u", n),
	    .note = STR("Yes."),
	    .stars = 1 + n % 5,
	    .status = held ? RATING_HELD : RATING_VISIBLE,
	    .created = s->clock.fixed_now - n,
	    .updated = s->clock.fixed_now - n};
	struct item item = {.count = 0};

	key_set(s->arena, &item, key_rating(s->arena, rating.author, rating.post), ITEM_RATING);
	bind_write(s->arena, &rating_bindings, &rating, &item);
	key_index_rating(s->arena, &item, &rating, post_public);
	seeded_put(s, &item, 1);
}

/* How many ratings of the post a query finds. */
static size_t
found(struct seeded *s, struct query query)
{
	struct table_call call = {.arena = s->arena};
	struct read read = {.kind = READ_QUERY, .query = query};
	size_t count = 0;

	read.query.limit = TABLE_QUERY_MAX;
	if (table_read(s->table, &call, &read, 1) != TABLE_OK)
		bail_out("a query fails");
	for (size_t i = 0; i < read.found_count; i++)
		count += str_eq(item_string(&read.found[i], STR("Post")), STR(ID));
	table_release(s->table, &call);
	return count;
}

static int64_t
among_all(struct seeded *s)
{
	size_t count = 0;

	for (int stars = 1; stars <= 5; stars++)
		count += found(s, query_ratings_with(s->arena, stars));
	return (int64_t)count;
}

static size_t
step(struct seeded *s)
{
	struct table_call call = {.arena = s->arena};
	size_t worked;

	if (rating_move_step(s->table, &call, s->clock.fixed_now, &worked) != TABLE_OK)
		bail_out("a step fails");
	table_release(s->table, &call);
	return worked;
}

static unsigned
move_all(struct seeded *s)
{
	unsigned steps = 0;

	while (step(s) != 0)
		steps++;
	return steps;
}

static struct written
stored_post(struct plan *plan)
{
	struct written written;
	bool there;

	if (written_get(plan, STR(ID), &written, &there) != TABLE_OK || !there)
		bail_out("no post");
	return written;
}

static void
unpublish(struct seeded *s)
{
	struct table_call call;
	struct plan plan = plan_of_author(s, &call);
	struct written old = stored_post(&plan);
	struct post post;

	is_int(writing_unpublish(&plan, &old, old.post.version, &post), PLAN_DONE, "unpublished");
}

static void
publish(struct seeded *s, enum visibility visibility)
{
	struct table_call call;
	struct plan plan = plan_of_author(s, &call);
	struct written old = stored_post(&plan);
	struct draft draft = {.post = old.post, .body = old.body};

	draft.post.status = STATUS_PUBLISHED;
	draft.post.visibility = visibility;
	is_int(writing_save(&plan, &old, &draft), PLAN_DONE, "published");
}

static void
remove_post(struct seeded *s, bool back)
{
	struct table_call call;
	struct plan plan = plan_of_author(s, &call);
	struct written old = stored_post(&plan);
	struct post post;

	is_int(back ? writing_undelete(&plan, &old, &post)
		    : writing_delete(&plan, &old, old.post.version, &post),
	    PLAN_DONE, back ? "restored" : "deleted");
}

int
main(void)
{
	struct seeded s;
	int64_t all;

	seeded_open(&s);
	for (unsigned n = 0; n < MANY; n++)
		put_rating(&s, n, n < HELD, true);
	all = among_all(&s);
	ok(all >= MANY - HELD, "%d ratings of a post are among all", (int)all);
	is_int((int64_t)step(&s), 0, "nothing is to be moved");

	unpublish(&s);
	is_int(among_all(&s), all, "right after it is unpublished they are where they were");
	ok(!holds(visit(&s, STR("/stars/5")).body, STR("/post/" ID)), "... but nobody sees them");
	ok(move_all(&s) > 2, "they leave, step by step");
	is_int(among_all(&s), 0, "... all of them");
	is_int((int64_t)found(&s, query_ratings_held()), HELD, "those that wait for an editor still do");
	ok((int64_t)found(&s, query_ratings_by_stars(s.arena, STR(ID))) > all, "... and all are the post's");

	put_rating(&s, MANY, false, true);
	is_int((int64_t)step(&s), 0, "one was on its way");
	s.clock.fixed_now += RATING_MOVE_LAST_LOOK_MS;
	move_all(&s);
	is_int(among_all(&s), 0, "... and is found a minute later");
	s.clock.fixed_now += RATING_MOVE_LAST_LOOK_MS;
	is_int((int64_t)step(&s), 0, "... and then it is over");

	publish(&s, VISIBILITY_PUBLIC);
	move_all(&s);
	is_int(among_all(&s), all + 1, "when it is public again they come back");

	publish(&s, VISIBILITY_FOLLOWERS);
	is_int((int64_t)step(&s), 1, "for followers alone: some leave");
	ok(among_all(&s) > 0 && among_all(&s) < all + 1, "... %d are there", (int)among_all(&s));
	publish(&s, VISIBILITY_PUBLIC);
	move_all(&s);
	is_int(among_all(&s), all + 1, "... and come back when it is public before all have left");

	remove_post(&s, false);
	move_all(&s);
	is_int(among_all(&s), 0, "they leave when it is deleted");
	remove_post(&s, true);
	move_all(&s);
	is_int(among_all(&s), all + 1, "... and come back with it");
	seeded_close(&s);
	return tap_done();
}

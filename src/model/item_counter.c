#include "model/item_counter.h"

#include "base/arena.h"
#include "model/key.h"
#include "model/key_comment.h"
#include "model/key_follow.h"
#include "model/key_moderation.h"
#include "model/key_post.h"
#include "model/key_ranking.h"
#include "model/key_subscriber.h"
#include "model/kinds.h"
#include "model/post/count.h"
#include "model/post/media.h"
#include "model/reader/follow.h"
#include "model/reader/reaction.h"

enum { COUNTERS_MAX = 3 };

struct item_counters
counted_nowhere(struct arena *arena, const struct item *item)
{
	(void)arena;
	(void)item;
	return (struct item_counters){.count = 0};
}

static void
add(struct arena *arena, struct item_counters *all, struct key key, struct str name)
{
	if (all->counters == NULL)
		all->counters = ARENA_ARRAY(arena, COUNTERS_MAX, struct item_counter);
	if (name.len != 0)
		all->counters[all->count++] =
		    (struct item_counter){.key = key, .name = name, .by = 1};
}

/* By a shard of the post that it is about; whose item it is determines which. */
static struct item_counters
in_shard(struct arena *arena, const struct item *item, struct str name)
{
	struct str post = item_string(item, STR("Post")), who = item_string(item, STR("Author"));
	struct item_counters all = {.count = 0};

	add(arena, &all, key_count(arena, post, count_shard(who)), name);
	if (all.count != 0) {
		all.counters[0].post = post;
		all.counters[0].who = who;
	}
	return all;
}

struct item_counters
counted_reaction(struct arena *arena, const struct item *item)
{
	struct str name = STR("");

	for (enum reaction what = 0; what < REACTIONS; what++)
		if (kind_is(item, reaction_kinds[what].kind))
			name = opinion_kinds[reaction_from_item(what, item)].counter;
	return in_shard(arena, item, name);
}

struct item_counters
counted_bookmark_tag(struct arena *arena, const struct item *item)
{
	struct item_counters all = {.count = 0};

	add(arena, &all,
	    key_own_tag(arena, item_string(item, STR("Author")), item_string(item, STR("Tag"))),
	    STR("Bookmarks"));
	all.counters[0].makes = true;
	return all;
}

struct item_counters
counted_rating(struct arena *arena, const struct item *item)
{
	int64_t stars = item_number(item, STR("Stars"));

	return in_shard(arena, item,
	    stars >= 1 && stars <= 5 ? str_fmt(arena, "Stars%d", (int)stars) : STR(""));
}

/*
 * A vote on a comment is counted in an item next to the comment. An older vote has no Path: it is
 * counted in the comment itself, whose key follows from its id by an index.
 */
struct item_counters
counted_vote(struct arena *arena, const struct item *item)
{
	struct str comment = item_string(item, STR("Comment")), path = item_string(item, STR("Path"));
	struct str name = item_number(item, STR("Value")) > 0 ? STR("Ups") : STR("Downs");
	struct str post = item_string(item, STR("Post"));
	struct item_counters all = {.count = 0};

	if (comment.len == 0)
		return counted_reaction(arena, item);
	if (path.len == 0) {
		add(arena, &all, key_comment_place(arena, comment), name);
		all.counters[0].index = TABLE_GSI2;
		return all;
	}
	add(arena, &all, key_comment_votes(arena, post, path), name);
	all.counters[0].makes = true;
	all.counters[0].who = item_string(item, STR("Author"));
	all.counters[0].marks = key_fold_comment(arena, post, path);
	return all;
}

/*
 * While it is visible; a reply also by the tally of its thread.
 */
struct item_counters
counted_comment(struct arena *arena, const struct item *item)
{
	struct item_counters all = {.count = 0};
	struct str path = key_comment_path(item_string(item, STR("SK")));

	if (!str_eq(item_string(item, STR("Status")), STR("visible")))
		return all;
	all = in_shard(arena, item, STR("Comments"));
	if (comment_path_parent(path).len != 0) {
		add(arena, &all,
		    key_tally(arena, item_string(item, STR("Post")), comment_path_root(path)),
		    STR("Replies"));
		all.counters[all.count - 1].makes = true;
	}
	return all;
}

/* While the follow is in force: neither a request nor a block counts. */
struct item_counters
counted_follow(struct arena *arena, const struct item *item)
{
	struct item_counters all = {.count = 0};

	if (!follow_counts(follow_status(item)))
		return all;
	add(arena, &all, key_person_counts(arena, item_string(item, STR("Followed"))),
	    STR("Followers"));
	add(arena, &all, key_person_counts(arena, item_string(item, STR("Follower"))),
	    STR("Following"));
	all.counters[0].makes = all.counters[1].makes = true;
	return all;
}

/* By the item that summarises all flags of the thing. */
struct item_counters
counted_flag(struct arena *arena, const struct item *item)
{
	struct item_counters all = {.count = 0};

	add(arena, &all, key_flagged(arena, item_string(item, STR("Target"))), STR("Flags"));
	return all;
}

struct item_counters
counted_collection_post(struct arena *arena, const struct item *item)
{
	struct item_counters all = {.count = 0};

	add(arena, &all, key_collection(arena, item_string(item, STR("Collection"))), STR("Posts"));
	return all;
}

const struct str author_figures[AUTHOR_FIGURES] = {STR_INIT("Ratings"), STR_INIT("Stars"), STR_INIT("Words")};

struct item_counters
counted_derived(struct arena *arena, const struct item *item)
{
	size_t author_count;
	const struct str *authors = item_strings(arena, item, STR("Authors"), &author_count);
	struct item_counters all = {
	    .counters = ARENA_ARRAY(arena, 2 + author_count * AUTHOR_FIGURES, struct item_counter)};

	add(arena, &all, key_month(item_string(item, STR("Month"))), STR("Posts"));
	add(arena, &all, key_week(item_string(item, STR("Week"))), STR("Posts"));
	for (size_t i = 0; i < author_count; i++)
		for (size_t n = 0; n < AUTHOR_FIGURES; n++) {
			add(arena, &all, key_person_figures(arena, authors[i]), author_figures[n]);
			all.counters[all.count - 1].by = item_number(item, author_figures[n]);
		}
	for (size_t i = 0; i < all.count; i++)
		all.counters[i].makes = true;
	return all;
}

struct item_counters
counted_subscriber(struct arena *arena, const struct item *item)
{
	struct item_counters all = {.count = 0};

	if (!str_eq(item_string(item, STR("Status")), STR("confirmed")))
		return all;
	add(arena, &all, key_subscriber_counts(),
	    str_eq(item_string(item, STR("Rhythm")), STR("weekly")) ? STR("Weekly") : STR("Each"));
	all.counters[0].makes = true;
	return all;
}

/* By its size in bytes. */
struct item_counters
counted_media(struct arena *arena, const struct item *item)
{
	struct item_counters all = {.count = 0};
	struct str owner = item_string(item, STR("Owner"));

	if (!media_quota_has(owner))
		return all;
	add(arena, &all, media_quota_key(arena, owner), STR("Bytes"));
	all.counters[0].by = item_number(item, STR("Bytes"));
	return all;
}

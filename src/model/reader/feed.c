#include "model/reader/feed.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/key_feed.h"
#include "model/kinds.h"
#include "model/viewer.h"

enum { DAY_MS = 86400 * 1000, AGAIN_MS = 10 * 60 * 1000, DAY_SECONDS = 86400 };

enum feed_reach
feed_reach(const struct post *post)
{
	/* Somebody who has no other right to it than that it was published for them. */
	static const struct viewer somebody = {.user = {.status = USER_ACTIVE}};

	if (post->kind == KIND_PAGE || post->published == 0)
		return FEED_NOBODY;
	if (post_visible_to(post, NULL, post->published))
		return FEED_OF_AUTHORS;
	return post_visible_to_followers(post, &somebody, post->published) ? FEED_OF_AUTHOR
									    : FEED_NOBODY;
}

struct strings_value
feed_authors(struct arena *arena, const struct post *post)
{
	struct str *names = ARENA_ARRAY(arena, post->other_count + 1, struct str);
	struct value set;

	names[0] = post->author;
	for (size_t i = 0; i < post->other_count; i++)
		names[i + 1] = post->others[i].username;
	set = value_set(arena, names, post->other_count + 1);
	return (struct strings_value){set.set.members, set.set.count};
}

bool
feed_wants(const struct post *post, struct str username,
    bool (*follows)(const void *context, struct str author), const void *context)
{
	enum feed_reach reach = feed_reach(post);

	if (reach == FEED_NOBODY || post_written_by(post, username))
		return false;
	if (follows(context, post->author))
		return true;
	for (size_t i = 0; reach == FEED_OF_AUTHORS && i < post->other_count; i++)
		if (follows(context, post->others[i].username))
			return true;
	return false;
}

bool
feed_entry_from_item(struct arena *arena, const struct item *item, struct feed_entry *out)
{
	struct feed_entry entry = {.published = 0};
	struct str post;

	if (!kind_is(item, ITEM_FEED_ENTRY) ||
	    !key_feed_place_read(item_key(item).sk, &entry.published, &post))
		return false;
	entry.post = item_string(item, STR("Post"));
	entry.authors.strings =
	    item_strings(arena, item, STR("Authors"), &entry.authors.count);
	*out = entry;
	return str_eq(post, entry.post);
}

struct item
feed_entry_item(struct arena *arena, struct str username, const struct feed_entry *entry)
{
	struct item item = {.count = 0};

	key_set(arena, &item, key_feed_entry(arena, username, entry->published, entry->post),
	    ITEM_FEED_ENTRY);
	item_set(arena, &item, STR("Authors"),
	    value_set(arena, entry->authors.strings, entry->authors.count));
	item_set(arena, &item, TABLE_EXPIRES, value_number((entry->published + FEED_MS) / 1000));
	item_set(arena, &item, STR("Post"), value_string(entry->post));
	return item;
}

enum plan_rc
feed_note_seen(struct plan *plan, const struct item *state, bool filled)
{
	struct arena *arena = plan->call->arena;
	struct item item = {.count = 0};
	int64_t seen = 0;

	if (state != NULL)
		(void)time_parse(item_string(state, STR("SeenAt")), &seen);
	/* A worker that finds it written looks whether the feed is to be filled. */
	if (seen <= plan->now && plan->now - seen < (filled ? DAY_MS : AGAIN_MS))
		return PLAN_DONE;
	key_set(arena, &item, key_feed_state(arena, plan->by), ITEM_FEED_STATE);
	item_set(arena, &item, TABLE_EXPIRES,
	    value_number(plan->now / 1000 + (int64_t)FEED_ACTIVE_DAYS * DAY_SECONDS));
	item_set(arena, &item, STR("SeenAt"), value_string(time_format(arena, plan->now)));
	plan_put(plan, item);
	return plan_commit(plan);
}

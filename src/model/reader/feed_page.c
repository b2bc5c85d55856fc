#include "model/reader/feed_page.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/key_feed.h"
#include "model/key_follow.h"
#include "model/kinds.h"
#include "model/reader/follow.h"
#include "model/viewer.h"

#include <stdlib.h>
#include <string.h>

enum {
	ENTRIES_READ = 60,
	HEADS_MAX = 40, /* some of them are not shown */
	FEW = 5,        /* fewer entries than these, and nothing behind them: the authors are asked */
};
enum { KEPT, ENTRIES, FOLLOWS };     /* the first reads */
enum { STATE, FILL, MERGED, ITEMS }; /* and what is in the batch */

_Static_assert((int)HEADS_MAX <= (int)TABLE_BATCH_MAX, "they are one batch");
_Static_assert((int)FEED_AUTHORS_MAX <= (int)TABLE_BATCH_MAX, "so are these");

/* --- The first trip ------------------------------------------------------------------------------------ */

/* "#" follows a time in a place, "$" sorts after "#". */
static struct str
end_of(const struct feed_reading *feed)
{
	return feed->until.len != 0
		   ? feed->until
		   : STR_CONCAT(feed->arena, time_format(feed->arena, feed->now), STR("$"));
}

void
feed_begin(struct arena *arena, const struct viewer *viewer, struct str until, int64_t now,
    struct feed_reading *out)
{
	struct str username = viewer->user.username;
	struct key *keys = ARENA_ARRAY(arena, ITEMS, struct key);

	*out = (struct feed_reading){.arena = arena, .viewer = viewer, .until = until, .now = now};
	keys[STATE] = key_feed_state(arena, username);
	keys[FILL] = key_feed_fill(arena, username);
	keys[MERGED] = key_feed_merged();
	out->first[KEPT] = (struct read){.kind = READ_BATCH, .batch = {keys, ITEMS}};
	out->first[ENTRIES] = (struct read){
	    .kind = READ_QUERY, .query = query_feed_until(arena, username, end_of(out))};
	out->first[ENTRIES].query.descending = true;
	out->first[ENTRIES].query.limit = ENTRIES_READ;
	out->first[FOLLOWS] =
	    (struct read){.kind = READ_QUERY, .query = query_following(arena, username)};
	out->first[FOLLOWS].query.limit = TABLE_QUERY_MAX;
	out->first[FOLLOWS].query.consistent = true;
}

/* --- Whom they follow ---------------------------------------------------------------------------------- */

static int
by_name(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

static bool
is_among(const struct strings_value *names, struct str name)
{
	return names->count != 0 &&
	       bsearch(&name, names->strings, names->count, sizeof(name), by_name) != NULL;
}

static void
take_follows(struct feed_reading *feed)
{
	const struct read *read = &feed->first[FOLLOWS];
	struct str *names = ARENA_ARRAY(feed->arena, read->found_count + 1, struct str);
	size_t count = 0;

	for (size_t i = 0; i < read->found_count; i++)
		if (follow_counts(follow_status(&read->found[i])))
			names[count++] = item_string(&read->found[i], STR("Followed"));
	feed->followed = (struct strings_value){names, count};
	feed->follows_more = read->next.len != 0;
}

/* May they follow this one, as far as is known before the second trip? */
static bool
may_follow(const struct feed_reading *feed, struct str author)
{
	const struct read *read = &feed->first[FOLLOWS];

	if (is_among(&feed->followed, author))
		return true;
	return feed->follows_more &&
	       str_cmp(author, item_string(&read->found[read->found_count - 1], STR("Followed"))) > 0;
}

static bool
is_met(const struct feed_reading *feed, struct str author)
{
	return !viewer_mutes(feed->viewer, author) && !viewer_blocks(feed->viewer, author);
}

/* --- What is read in the second trip --------------------------------------------------------------------- */

/* Somebody of its authors is followed, and nobody muted or blocked. */
static bool
is_entry_met(const struct feed_reading *feed, const struct feed_entry *entry)
{
	bool followed = false;

	for (size_t i = 0; i < entry->authors.count; i++) {
		if (!is_met(feed, entry->authors.strings[i]))
			return false;
		followed = followed || may_follow(feed, entry->authors.strings[i]);
	}
	return followed;
}

/* Since when the feed is whole, as a place. */
static struct str
begins(const struct feed_reading *feed)
{
	const struct item *fill = feed->first[KEPT].items[FILL];
	int64_t from = 0, kept = feed->now - FEED_MS + FEED_EDGE_MS;

	(void)time_parse(item_string(fill, STR("From")), &from);
	return time_format(feed->arena, from > kept ? from : kept);
}

static void
take_entries(struct feed_reading *feed)
{
	const struct read *read = &feed->first[ENTRIES];
	struct feed_entry *entries = ARENA_ARRAY(feed->arena, HEADS_MAX, struct feed_entry), entry;
	size_t i = 0;

	for (; i < read->found_count && feed->entry_count < HEADS_MAX; i++)
		if (!str_eq(item_key(&read->found[i]).sk, feed->until) &&
		    feed_entry_from_item(feed->arena, &read->found[i], &entry) &&
		    is_entry_met(feed, &entry))
			entries[feed->entry_count++] = entry;
	feed->entries = entries;
	feed->cut = i != 0 && (i < read->found_count || read->next.len != 0);
	if (feed->cut)
		feed->horizon = item_key(&read->found[i - 1]).sk;
}

/* Is everybody whom they follow to be asked? Else what they did not get is older than this page. */
static bool
asks_all(struct feed_reading *feed)
{
	struct str from;

	if (!feed->filled || (!feed->cut && feed->entry_count < FEW))
		return true;
	from = begins(feed);
	if (str_cmp(end_of(feed), from) <= 0)
		return true;
	if (str_cmp(from, feed->horizon) > 0)
		feed->horizon = from;
	return false;
}

static struct read *
add_read(struct feed_reading *feed, struct read read)
{
	feed->second[feed->second_count] = read;
	return &feed->second[feed->second_count++];
}

/* A batch names no key twice. */
static void
add_key(struct key *keys, size_t *count, struct key key)
{
	for (size_t i = 0; i < *count; i++)
		if (str_eq(keys[i].pk, key.pk) && str_eq(keys[i].sk, key.sk))
			return;
	keys[(*count)++] = key;
}

static void
add_heads(struct feed_reading *feed)
{
	struct key *keys = ARENA_ARRAY(feed->arena, HEADS_MAX, struct key);
	size_t count = 0;

	for (size_t i = 0; i < feed->entry_count; i++)
		add_key(keys, &count, key_post(feed->arena, feed->entries[i].post));
	if (count != 0)
		feed->heads =
		    add_read(feed, (struct read){.kind = READ_BATCH, .batch = {keys, count}});
}

/* Of whom the query of follows did not come to: some of the entries' authors, and of those who are in no feed. */
static void
add_asked(struct feed_reading *feed, const struct strings_value *merged)
{
	struct key *keys = ARENA_ARRAY(feed->arena, TABLE_BATCH_MAX, struct key);
	const struct str *more = merged->strings;
	size_t count = 0;

	for (size_t i = 0; feed->follows_more && i <= feed->entry_count; i++) {
		const struct strings_value *authors =
		    i < feed->entry_count ? &feed->entries[i].authors : merged;

		more = authors->strings;
		for (size_t n = 0; n < authors->count && count < TABLE_BATCH_MAX; n++)
			if (may_follow(feed, more[n]) && !is_among(&feed->followed, more[n]))
				add_key(keys, &count,
				    key_follow(feed->arena, feed->viewer->user.username, more[n]));
	}
	if (count != 0)
		feed->asked = add_read(feed,
		    (struct read){
			.kind = READ_BATCH, .batch = {keys, count}, .consistent = true});
}

static void
add_author(struct feed_reading *feed, struct str author)
{
	struct read read = {.kind = READ_QUERY};

	if (!is_met(feed, author))
		return;
	if (feed->author_count == FEED_AUTHORS_MAX) {
		feed->partly = true;
		return;
	}
	for (int closed = 0; closed < 2; closed++) {
		read.query = query_published_between(
		    feed->arena, author, closed != 0, feed->horizon, end_of(feed));
		read.query.limit = FEED_SHOWN + 1;
		add_read(feed, read);
	}
	feed->author_count++;
}

/* First those whose posts are in no feed. */
static void
add_authors(struct feed_reading *feed, const struct strings_value *merged, bool all)
{
	feed->authored = &feed->second[feed->second_count];
	for (size_t i = 0; i < merged->count; i++)
		if (may_follow(feed, merged->strings[i]))
			add_author(feed, merged->strings[i]);
	for (size_t i = 0; all && i < feed->followed.count; i++)
		if (!is_among(merged, feed->followed.strings[i]))
			add_author(feed, feed->followed.strings[i]);
	feed->partly = feed->partly || (all && feed->follows_more);
}

void
feed_go_on(struct feed_reading *feed)
{
	struct item *const *kept = feed->first[KEPT].items;
	struct strings_value merged = {.count = 0};

	feed->state = kept[STATE];
	feed->filled = kept[STATE] != NULL && kept[FILL] != NULL;
	if (kept[MERGED] != NULL)
		merged.strings =
		    item_strings(feed->arena, kept[MERGED], STR("Authors"), &merged.count);
	feed->second = ARENA_ARRAY(feed->arena, 3 + 2 * FEED_AUTHORS_MAX, struct read);
	take_follows(feed);
	take_entries(feed);
	add_heads(feed);
	add_asked(feed, &merged);
	add_authors(feed, &merged, asks_all(feed));
}

/* --- What is shown ------------------------------------------------------------------------------------- */

bool
feed_follows(const struct feed_reading *feed, struct str author)
{
	if (is_among(&feed->followed, author))
		return true;
	for (size_t i = 0; feed->asked != NULL && i < feed->asked->batch.count; i++)
		if (str_eq(feed->asked->batch.keys[i].sk,
			key_follow(feed->arena, feed->viewer->user.username, author).sk))
			return follow_counts(follow_status(feed->asked->items[i]));
	return false;
}

static bool
follows(const void *context, struct str author)
{
	return feed_follows(context, author);
}

static bool
is_shown(const struct feed_reading *feed, const struct post *post)
{
	struct thing thing = thing_followed(
	    thing_post(post, feed->now), feed_follows(feed, post->author));

	if (post->published > feed->now || !is_met(feed, post->author) ||
	    !feed_wants(post, feed->viewer->user.username, follows, feed))
		return false;
	for (size_t i = 0; i < post->other_count; i++)
		if (!is_met(feed, post->others[i].username))
			return false;
	for (size_t i = 0; i < post->tags.count; i++)
		if (viewer_mutes_tag(feed->viewer, post->tags.strings[i]))
			return false;
	return may(feed->viewer, MAY_READ, thing);
}

struct candidate {
	struct str place;
	const struct post *post;
};

struct candidates {
	struct candidate *all;
	size_t count;
};

static void
consider(struct feed_reading *feed, const struct item *head, struct candidates *out)
{
	struct post *post = ARENA_NEW(feed->arena, struct post);
	struct str place;

	post_from_item(feed->arena, head, post);
	place = key_feed_place(feed->arena, post->published, post->id);
	if ((feed->until.len == 0 || str_cmp(place, feed->until) < 0) && is_shown(feed, post))
		out->all[out->count++] = (struct candidate){place, post};
}

/* An entry of another time than the post's is an older one that is about to go. */
static void
consider_entries(struct feed_reading *feed, struct candidates *out)
{
	for (size_t i = 0; i < feed->entry_count; i++) {
		const struct feed_entry *entry = &feed->entries[i];
		struct key key = key_post(feed->arena, entry->post);
		size_t n = 0;

		while (!str_eq(feed->heads->batch.keys[n].pk, key.pk))
			n++;
		if (feed->heads->items[n] != NULL &&
		    str_eq(item_string(feed->heads->items[n], STR("PublishedAt")),
			time_format(feed->arena, entry->published)))
			consider(feed, feed->heads->items[n], out);
	}
}

/* What an author has published before the last of these was not read. */
static void
consider_authored(struct feed_reading *feed, const struct read *read, struct candidates *out)
{
	struct post last;
	struct str place;

	for (size_t i = 0; i < read->found_count; i++)
		consider(feed, &read->found[i], out);
	if (read->next.len == 0 || read->found_count == 0)
		return;
	post_from_item(feed->arena, &read->found[read->found_count - 1], &last);
	place = key_feed_place(feed->arena, last.published, last.id);
	if (str_cmp(place, feed->horizon) > 0)
		feed->horizon = place;
}

static int
newest_first(const void *a, const void *b)
{
	return str_cmp(((const struct candidate *)b)->place, ((const struct candidate *)a)->place);
}

static struct candidates
gather(struct feed_reading *feed)
{
	struct candidates found = {.count = 0};
	size_t room = feed->entry_count;

	for (size_t i = 0; i < 2 * feed->author_count; i++)
		room += feed->authored[i].found_count;
	found.all = ARENA_ARRAY(feed->arena, room + 1, struct candidate);
	consider_entries(feed, &found);
	for (size_t i = 0; i < 2 * feed->author_count; i++)
		consider_authored(feed, &feed->authored[i], &found);
	if (found.count != 0)
		qsort(found.all, found.count, sizeof(*found.all), newest_first);
	return found;
}

void
feed_take(struct feed_reading *feed, struct feed_page *out)
{
	struct post *posts = ARENA_ARRAY(feed->arena, FEED_SHOWN, struct post);
	struct candidates found = gather(feed);
	struct str last = STR("");

	*out = (struct feed_page){.posts = posts, .next = feed->horizon};
	for (size_t i = 0; i < found.count; i++) {
		struct str place = found.all[i].place;

		if (str_cmp(place, feed->horizon) < 0)
			return;
		/* A post may have been found twice. */
		if (str_eq(place, last))
			continue;
		if (out->count == FEED_SHOWN) {
			out->next = last;
			return;
		}
		posts[out->count++] = *found.all[i].post;
		last = place;
	}
}

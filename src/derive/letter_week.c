/*
 * The letter of the week: what those have published whom somebody follows, as their feed has it, so with what is for
 * followers or a group of theirs; and what else was liked best. It is asked for; each Monday the sender adds one for
 * everybody who has (model/people/digest.h).
 */
#include "derive/letters.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/zone.h"
#include "model/people/digest.h"
#include "model/post/posts.h"
#include "model/reader/feed_page.h"
#include "model/viewer.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
	AT_ONCE = 50, /* letters that are added */
	FOLLOWED_MAX = 10,
	OTHERS_MAX = 5,
	POSTS_READ = 500, /* of the week */
	PAGES_MAX = 5,    /* of the feed, some of which may have little that they may read */
};
#define WEEK_MS (INT64_C(7) * 86400000)

/* --- Adding ------------------------------------------------------------------------------------------ */

enum table_rc
letter_week_add(struct table *table, struct table_call *call, struct clock *clock,
    const struct settings *settings, bool *busy)
{
	struct digest *due;
	size_t count, added;
	int64_t now = clock_now(clock);
	int64_t next = digest_after(zone_load(call->arena, settings->time_zone), now);
	enum table_rc rc = digest_due(table, call, now, AT_ONCE, &due, &count);

	*busy = rc == TABLE_OK && count != 0;
	for (size_t i = 0; rc == TABLE_OK && i < count; i++) {
		const struct letter letter = {
		    .to = letter_to_member(call->arena, due[i].username),
		    .what = letter_week.what,
		    .thing = str_sub(time_format(call->arena, due[i].next), 0, 10),
		    .made = due[i].next};

		rc = outbox_add(table, call, &letter, 1, now, false, &added);
		if (rc == TABLE_OK)
			rc = digest_advance(table, call, &due[i], next);
		/* Somebody else has added it, or they want none any more. */
		if (rc == TABLE_CONDITION)
			rc = TABLE_OK;
	}
	return rc;
}

/* --- What is in it ----------------------------------------------------------------------------------- */

/* What is shown of whom they follow; and their feed, which knows who that is. */
struct theirs {
	struct feed_reading feed;
	const struct post *posts[FOLLOWED_MAX];
	size_t count;
};

/* A page of the feed; *until: where the next one begins, empty: there is none. */
static enum table_rc
read_page(struct letter_writing *w, const struct viewer *viewer, struct feed_reading *feed,
    struct str *until, struct feed_page *out)
{
	enum table_rc rc;

	feed_begin(w->call->arena, viewer, *until, clock_now(w->clock), feed);
	rc = table_read(w->table, w->call, feed->first, FEED_FIRST_READS);
	if (rc != TABLE_OK)
		return rc;
	feed_go_on(feed);
	if (feed->second_count != 0)
		rc = table_read(w->table, w->call, feed->second, feed->second_count);
	if (rc != TABLE_OK)
		return rc;
	feed_take(feed, out);
	*until = out->next;
	return TABLE_OK;
}

static enum table_rc
read_theirs(struct letter_writing *w, const struct viewer *viewer, struct theirs *out)
{
	struct arena *arena = w->call->arena;
	struct str until = time_format(arena, w->letters[0].made);
	int64_t since = w->letters[0].made - WEEK_MS;
	bool over = false;
	enum table_rc rc = TABLE_OK;

	for (int i = 0; i < PAGES_MAX && rc == TABLE_OK && !over; i++) {
		struct feed_page page = {.count = 0};

		rc = read_page(w, viewer, &out->feed, &until, &page);
		for (size_t n = 0; n < page.count && !over; n++) {
			over = out->count == FOLLOWED_MAX || page.posts[n].published < since;
			if (!over)
				out->posts[out->count++] = &page.posts[n];
		}
		over = over || until.len == 0 || str_cmp(until, time_format(arena, since)) < 0;
	}
	return rc;
}

static bool
is_followed(const struct feed_reading *feed, const struct post *post)
{
	bool followed = feed_follows(feed, post->author);

	for (size_t i = 0; i < post->other_count; i++)
		followed = followed || feed_follows(feed, post->others[i].username);
	return followed;
}

/* Their own, and what they do not want to meet. */
static bool
is_left_out(const struct viewer *viewer, const struct post *post)
{
	bool out = str_eq(post->author, viewer->user.username) ||
		   viewer_mutes(viewer, post->author) || viewer_blocks(viewer, post->author);

	for (size_t i = 0; i < post->other_count; i++)
		out = out || str_eq(post->others[i].username, viewer->user.username);
	for (size_t i = 0; i < post->tags.count; i++)
		out = out || viewer_mutes_tag(viewer, post->tags.strings[i]);
	return out;
}

static int64_t
liking(const struct post *post)
{
	return post->likes + post->ups - post->downs + post->comments + post->bookmarks;
}

static int
best_first(const void *a, const void *b)
{
	int64_t x = liking(*(const struct post *const *)a), y = liking(*(const struct post *const *)b);

	return x < y ? 1 : x > y ? -1 : 0;
}

static void
put_posts(struct letter_writing *w, struct buf *text, const char *heading,
    const struct post *const *posts, size_t count)
{
	if (count == 0)
		return;
	buf_fmt(text, "\n%s\n", heading);
	for (size_t i = 0; i < count; i++)
		letter_put_post(w, text, posts[i]);
}

static void
write_week(struct letter_writing *w, const struct viewer *viewer, const struct posts *posts,
    const struct theirs *theirs)
{
	struct arena *arena = w->call->arena;
	const struct post **others = ARENA_ARRAY(arena, posts->count, const struct post *);
	struct buf text = {.arena = arena};
	size_t count = 0;

	for (size_t i = 0; i < posts->count; i++)
		if (!is_left_out(viewer, &posts->posts[i]) &&
		    !is_followed(&theirs->feed, &posts->posts[i]))
			others[count++] = &posts->posts[i];
	if (theirs->count + count == 0)
		return;
	qsort(others, count, sizeof(*others), best_first);
	buf_fmt(&text, "Hello %.*s,\n\nthis is what was new at %.*s this week.\n",
	    STR_ARGS(viewer->user.display_name), STR_ARGS(w->settings->name));
	put_posts(w, &text, "FROM THOSE WHOM YOU FOLLOW", theirs->posts, theirs->count);
	put_posts(w, &text, theirs->count != 0 ? "ALSO NEW" : "NEW", others,
	    count < OTHERS_MAX ? count : OTHERS_MAX);
	w->mail.subject = STR_CONCAT(arena, w->settings->name, STR(": this week"));
	letter_sign(w, &text, &viewer->user, UNSUBSCRIBE_WEEK,
	    "You get this letter each Monday because you have asked for it. This ends it:");
}

static enum table_rc
write(struct letter_writing *w)
{
	struct arena *arena = w->call->arena;
	int64_t until = w->letters[0].made;
	struct posts_query query = {.of = POSTS_ALL,
	    .limit = POSTS_READ,
	    .from = time_format(arena, until - WEEK_MS),
	    .to = time_format(arena, until)};
	struct read reads[] = {viewer_read(arena, letter_member(&w->letters[0])), {.kind = READ_GET}};
	struct theirs *theirs = ARENA_NEW(arena, struct theirs);
	struct viewer viewer = {0};
	struct posts posts;
	enum table_rc rc;

	if (!posts_prepare(arena, &query, clock_now(w->clock), &reads[1]))
		return TABLE_OK;
	rc = table_read(w->table, w->call, reads, 2);
	if (rc != TABLE_OK || !viewer_take(arena, &reads[0], &viewer) ||
	    !letter_address(w, &viewer.user))
		return rc;
	posts_take(arena, &query, &reads[1], NULL, clock_now(w->clock), &posts);
	rc = read_theirs(w, &viewer, theirs);
	if (rc == TABLE_OK)
		write_week(w, &viewer, &posts, theirs);
	return rc;
}

const struct letter_kind letter_week = {STR_INIT("week"), write};

/*
 * The letter of the week: what those have published whom somebody follows, what else was liked best, and how much they have
 * not read yet. It is asked for; each Monday the sender adds one for everybody who has (model/people/digest.h).
 */
#include "derive/letters.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/zone.h"
#include "model/key_follow.h"
#include "model/people/digest.h"
#include "model/post/posts.h"
#include "model/reader/follow.h"
#include "model/viewer.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
	AT_ONCE = 50, /* letters that are added */
	FOLLOWED_MAX = 10,
	OTHERS_MAX = 5,
	POSTS_READ = 500, /* of the week */
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

enum { PERSON, POSTS, FOLLOWS, READS };

static int
by_name(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

/* Whom they follow; the query is in the order of their names. */
static struct strings_value
followed(struct arena *arena, const struct read *answer)
{
	struct str *names = ARENA_ARRAY(arena, answer->found_count, struct str);
	size_t count = 0;

	for (size_t i = 0; i < answer->found_count; i++)
		if (follow_counts(follow_status(&answer->found[i])))
			names[count++] = item_string(&answer->found[i], STR("Followed"));
	return (struct strings_value){names, count};
}

static bool
is_followed(const struct strings_value *names, const struct post *post)
{
	for (size_t i = 0; i <= post->other_count; i++) {
		struct str author = i == 0 ? post->author : post->others[i - 1].username;

		if (names->count != 0 &&
		    bsearch(&author, names->strings, names->count, sizeof(author), by_name) != NULL)
			return true;
	}
	return false;
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
    const struct strings_value *names)
{
	struct arena *arena = w->call->arena;
	const struct post **theirs = ARENA_ARRAY(arena, posts->count, const struct post *);
	const struct post **others = ARENA_ARRAY(arena, posts->count, const struct post *);
	size_t their_count = 0, other_count = 0;
	struct buf text = {.arena = arena};

	for (size_t i = 0; i < posts->count; i++) {
		const struct post *post = &posts->posts[i];

		if (is_left_out(viewer, post))
			continue;
		if (is_followed(names, post))
			theirs[their_count++] = post;
		else
			others[other_count++] = post;
	}
	if (their_count + other_count == 0)
		return;
	qsort(others, other_count, sizeof(*others), best_first);
	buf_fmt(&text, "Hello %.*s,\n\nthis is what was new at %.*s this week.\n",
	    STR_ARGS(viewer->user.display_name), STR_ARGS(w->settings->name));
	put_posts(w, &text, "FROM THOSE WHOM YOU FOLLOW", theirs,
	    their_count < FOLLOWED_MAX ? their_count : FOLLOWED_MAX);
	put_posts(w, &text, their_count != 0 ? "ALSO NEW" : "NEW", others,
	    other_count < OTHERS_MAX ? other_count : OTHERS_MAX);
	w->mail.subject = STR_CONCAT(arena, w->settings->name, STR(": this week"));
	letter_sign(w, &text, &viewer->user, UNSUBSCRIBE_WEEK,
	    "You get this letter each Monday because you have asked for it. This ends it:");
}

static enum table_rc
write(struct letter_writing *w)
{
	struct arena *arena = w->call->arena;
	struct str username = letter_member(&w->letters[0]);
	int64_t until = w->letters[0].made;
	struct posts_query query = {
	    .of = POSTS_ALL, .limit = POSTS_READ, .from = time_format(arena, until - WEEK_MS)};
	struct read reads[READS] = {[PERSON] = viewer_read(arena, username),
	    [FOLLOWS] = {.kind = READ_QUERY, .query = query_following(arena, username)}};
	struct viewer viewer = {0};
	struct strings_value names;
	struct posts posts;
	enum table_rc rc;

	reads[FOLLOWS].query.limit = TABLE_QUERY_MAX;
	query.to = time_format(arena, until);
	if (!posts_prepare(arena, &query, clock_now(w->clock), &reads[POSTS]))
		return TABLE_OK;
	rc = table_read(w->table, w->call, reads, READS);
	if (rc != TABLE_OK || !viewer_take(arena, &reads[PERSON], &viewer) ||
	    !letter_address(w, &viewer.user))
		return rc;
	posts_take(arena, &query, &reads[POSTS], NULL, clock_now(w->clock), &posts);
	names = followed(arena, &reads[FOLLOWS]);
	write_week(w, &viewer, &posts, &names);
	return TABLE_OK;
}

const struct letter_kind letter_week = {STR_INIT("week"), write};

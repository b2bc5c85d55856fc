/*
 * The publication by mail: what is due for subscribers becomes letters in the outbox.
 *
 * Posts are seen to in the order in which they appear, from where mailings are (struct mailing_state): a minute after a post
 * has appeared, each subscriber of each post gets a letter who was confirmed before. So what is dated back, as what
 * is edited, imported or published again with its date from before, is behind that place and never mailed; a scheduled post
 * is mailed when its time has come, also if nothing ran just then; and within a minute an author can take a post back.
 * The letter of the week goes on Mondays to the others, if anything appeared.
 *
 * A mailing (struct mailing) goes from subscriber to subscriber in the order of their confirmation, some at a time: first their
 * letters are added, which twice is once, then it is noted how far that is. So it may stop anywhere, and two that do the same
 * do no harm. What is unpublished meanwhile is no longer among the posts, and the rest of its letters is not added;
 * those that wait are dropped when they would be sent.
 */
#include "derive/mailing.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/zone.h"
#include "derive/letters.h"
#include "model/key_subscriber.h"
#include "model/people/digest.h"
#include "model/post/posts.h"
#include "model/site/mailing.h"
#include "model/site/subscriber.h"

enum { GRACE_MS = 60 * 1000, PAGE = 100 };
#define WEEK_MS (INT64_C(7) * 86400000)

struct mailing_work {
	struct table *table;
	struct table_call *call;
	struct clock *clock;
	const struct settings *settings;
	int64_t now, from;
	struct mailing_state stored; /* as the table has it */
	bool *busy;
};

/* --- Subscribers -------------------------------------------------------------------------------------- */

/* The next letters of a mailing, which was read as `was`, NULL: there is none yet. *done: these were the last. */
static enum table_rc
add_letters(struct mailing_work *s, const struct mailing *was, struct mailing *is, bool *done)
{
	bool weekly = is->what == MAILING_WEEK;
	struct arena *arena = s->call->arena;
	struct letter letters[LETTERS_AT_ONCE];
	struct item *found = NULL;
	size_t count = 0, added = 0;
	struct query query;
	struct str next;
	enum table_rc rc = TABLE_OK;

	if (query_subscribers_between(arena,
		str_of(subscriber_list_name(weekly ? SUBSCRIBERS_WEEKLY : SUBSCRIBERS_EACH)),
		is->after, is->made, &query)) {
		query.limit = LETTERS_AT_ONCE;
		rc = table_query(s->table, s->call, &query, &found, &count, &next);
	}
	for (size_t i = 0; rc == TABLE_OK && i < count; i++) {
		struct subscriber subscriber;

		subscriber_from_item(arena, &found[i], &subscriber);
		letters[i] = (struct letter){.to = STR_CONCAT(arena, STR("S"), subscriber.hash),
		    .what = weekly ? letter_subscriber_week.what : letter_subscriber_post.what,
		    .thing = is->thing,
		    .made = is->made};
	}
	if (rc == TABLE_OK)
		rc = outbox_add(s->table, s->call, letters, count, s->now, false, &added);
	if (rc != TABLE_OK)
		return rc;
	*done = count < LETTERS_AT_ONCE;
	if (count != 0)
		is->after = key_subscriber_place(&found[count - 1]);
	is->letters += (int64_t)count;
	is->done = *done ? s->now : 0;
	return mailing_store(s->table, s->call, was, is);
}

/* Goes on with a mailing, or begins it; *done: it is done, now or since before. */
static enum table_rc
mail(struct mailing_work *s, const struct mailing *begin, bool *done)
{
	struct mailing was, is = *begin;
	bool there;
	enum table_rc rc =
	    mailing_get(s->table, s->call, begin->what, begin->thing, &was, &there);

	if (rc != TABLE_OK)
		return rc;
	*done = there && was.done != 0;
	if (there)
		is = was;
	return *done ? TABLE_OK : add_letters(s, there ? &was : NULL, &is, done);
}

static enum table_rc
move_on(struct mailing_work *s, const struct mailing_state *is)
{
	*s->busy = true;
	return mailing_state_store(s->table, s->call, &s->stored, is);
}

/* --- Posts -------------------------------------------------------------------------------------------- */

static struct str
place_of(struct arena *arena, const struct post *post)
{
	return STR_CONCAT(arena, time_format(arena, post->published), STR("#"), post->id);
}

/* The first post behind `last` that has been there for a minute. Lists are newest first, so it is on the last page. */
static enum table_rc
next_post(struct mailing_work *s, struct str last, struct post *out, bool *there)
{
	struct arena *arena = s->call->arena;
	struct posts_query query = {.of = POSTS_ALL, .from = last, .limit = PAGE};
	int64_t until = s->now - GRACE_MS;
	struct posts posts;
	struct read read;
	enum table_rc rc;

	*there = false;
	do {
		if (!posts_prepare(arena, &query, until, &read))
			return TABLE_OK;
		rc = table_read(s->table, s->call, &read, 1);
		if (rc != TABLE_OK)
			return rc;
		posts_take(arena, &query, &read, NULL, until, &posts);
		for (size_t i = 0; i < posts.count; i++)
			if (str_cmp(place_of(arena, &posts.posts[i]), last) > 0) {
				*out = posts.posts[i];
				*there = true;
			}
		query.cursor = posts.older;
	} while (query.cursor.len != 0);
	return TABLE_OK;
}

/* From where posts are looked for: not from further back than their letters would be sent. */
static struct str
last_of(struct mailing_work *s)
{
	int64_t waits = s->now - LETTER_WAITS_MS;
	struct str oldest = time_format(s->call->arena, s->from > waits ? s->from : waits);

	return str_cmp(s->stored.last, oldest) < 0 ? oldest : s->stored.last;
}

static enum table_rc
mail_post(struct mailing_work *s)
{
	struct mailing_state is = s->stored;
	struct post post;
	bool there, done = true;
	enum table_rc rc = next_post(s, last_of(s), &post, &there);

	if (rc != TABLE_OK || !there)
		return rc;
	if (!post.imported) {
		const struct mailing mailing = {.what = MAILING_POST,
		    .thing = post.id,
		    .title = post.title,
		    .made = post.published};

		*s->busy = true;
		rc = mail(s, &mailing, &done);
	}
	if (rc != TABLE_OK || !done)
		return rc;
	is.last = place_of(s->call->arena, &post);
	return move_on(s, &is);
}

/* --- Weeks -------------------------------------------------------------------------------------------- */

struct posts_query
mailing_week_posts(struct arena *arena, int64_t week)
{
	return (struct posts_query){.of = POSTS_ALL,
	    .from = time_format(arena, week - WEEK_MS),
	    .to = time_format(arena, week - 1),
	    .limit = PAGE};
}

/* Did anything appear? */
static enum table_rc
look_at_week(struct mailing_work *s, bool *some)
{
	struct arena *arena = s->call->arena;
	struct posts_query query;
	struct posts posts;
	struct read read;
	enum table_rc rc;

	*some = false;
	query = mailing_week_posts(arena, s->stored.week);
	if (!posts_prepare(arena, &query, s->now, &read))
		return TABLE_OK;
	rc = table_read(s->table, s->call, &read, 1);
	if (rc != TABLE_OK)
		return rc;
	posts_take(arena, &query, &read, NULL, s->now, &posts);
	for (size_t i = 0; i < posts.count; i++)
		*some = *some || !posts.posts[i].imported;
	return TABLE_OK;
}

static enum table_rc
mail_week(struct mailing_work *s)
{
	struct arena *arena = s->call->arena;
	const struct mailing mailing = {.what = MAILING_WEEK,
	    .thing = str_sub(time_format(arena, s->stored.week), 0, sizeof("2026-11-23") - 1),
	    .made = s->stored.week};
	struct mailing_state is = s->stored;
	bool some, done = true;
	enum table_rc rc = look_at_week(s, &some);

	if (rc == TABLE_OK && some && s->stored.week >= s->from &&
	    s->now < s->stored.week + LETTER_WAITS_MS) {
		*s->busy = true;
		rc = mail(s, &mailing, &done);
	}
	if (rc != TABLE_OK || !done)
		return rc;
	is.week = digest_after(zone_load(arena, s->settings->time_zone), s->now);
	return move_on(s, &is);
}

/* --- A step ------------------------------------------------------------------------------------------- */

enum table_rc
mailing_step(struct table *table, struct table_call *call, struct clock *clock,
    const struct settings *settings, int64_t from, bool *busy)
{
	struct mailing_work s = {.table = table,
	    .call = call,
	    .clock = clock,
	    .settings = settings,
	    .now = clock_now(clock),
	    .from = from,
	    .busy = busy};
	int64_t next = digest_after(zone_load(call->arena, settings->time_zone), s.now);
	struct mailing_state first;
	struct str ahead = time_format(call->arena, s.now + 1);
	bool there;
	enum table_rc rc = mailing_state_get(table, call, &s.stored, &there);

	*busy = false;
	if (rc != TABLE_OK)
		return rc;
	first = (struct mailing_state){.last = time_format(call->arena, s.now), .week = next};
	if (!there)
		return mailing_state_store(table, call, NULL, &first);
	/* What is ahead of the clock was written when that was wrong. */
	if (str_cmp(s.stored.last, ahead) > 0 || s.stored.week > next)
		return move_on(&s, &first);
	rc = mail_post(&s);
	return rc == TABLE_OK && !*busy && s.stored.week <= s.now ? mail_week(&s) : rc;
}

/*
 * The letters of those who get the publication by mail: a new post, or what was new in a week. Only what everybody may read
 * is in them, as it is when they are sent.
 */
#include "derive/letters.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "derive/mailing.h"
#include "model/key.h"
#include "model/key_subscriber.h"
#include "model/post/posts.h"
#include "model/site/subscriber.h"

enum {
	EXCERPT_MAX = 600, /* bytes */
	SHOWN_MAX = 30,    /* posts of a week */
};

/* --- What both have in common ------------------------------------------------------------------------- */

/* Who the letter is to. */
static struct read
recipient_read(struct letter_writing *w)
{
	struct str hash = str_sub(w->letters[0].to, 1, w->letters[0].to.len);

	return (struct read){
	    .kind = READ_GET, .key = key_subscriber(w->call->arena, hash), .consistent = true};
}

/* False: they want no such letters any more. */
static bool
recipient_take(struct letter_writing *w, const struct read *answer, enum rhythm rhythm,
    struct subscriber *out)
{
	if (answer->item == NULL)
		return false;
	subscriber_from_item(w->call->arena, answer->item, out);
	w->mail.to = out->address;
	return out->status == SUBSCRIBER_CONFIRMED && out->rhythm == rhythm &&
	       out->address.len != 0;
}

/* Ends the text, and with it the letter. */
static void
sign(struct letter_writing *w, struct buf *text, const struct subscriber *s)
{
	struct str link = STR_CONCAT(
	    w->call->arena, w->site, STR("/subscribe/"), subscriber_code(w->call->arena, s));

	w->mail.unsubscribe = STR_CONCAT(w->call->arena, link, STR("/end"));
	buf_fmt(text,
	    "\n-- \nYou get %s of %.*s by mail, as you have asked for. Here you choose how often a "
	    "letter comes, or that none does:\n%.*s\n",
	    s->rhythm == RHYTHM_WEEKLY ? "a letter a week" : "each new post",
	    STR_ARGS(w->settings->name), STR_ARGS(link));
	w->mail.text = buf_str(text);
	w->outcome = LETTER_WRITTEN;
}

/* --- A post ------------------------------------------------------------------------------------------- */

static enum table_rc
write_post(struct letter_writing *w)
{
	struct arena *arena = w->call->arena;
	struct read reads[] = {recipient_read(w),
	    {.kind = READ_GET, .key = key_post(arena, w->letters[0].thing), .consistent = true}};
	struct buf text = {.arena = arena};
	enum table_rc rc = table_read(w->table, w->call, reads, 2);
	struct subscriber s;
	struct post post;

	if (rc != TABLE_OK || reads[1].item == NULL ||
	    !recipient_take(w, &reads[0], RHYTHM_EACH, &s))
		return rc;
	post_from_item(arena, reads[1].item, &post);
	if (!post_visible_to(&post, NULL, clock_now(w->clock)))
		return TABLE_OK;
	w->mail.subject = letter_post_title(arena, &post);
	if (post.title.len != 0)
		buf_fmt(&text, "%.*s\n", STR_ARGS(post.title));
	buf_fmt(&text, "%.*s\n", STR_ARGS(letter_byline(arena, &post)));
	if (post.excerpt.len != 0)
		buf_fmt(&text, "\n%.*s\n", STR_ARGS(letter_cut(arena, post.excerpt, EXCERPT_MAX)));
	buf_fmt(&text, "\nRead it at %.*s:\n%.*s\n", STR_ARGS(w->settings->name),
	    STR_ARGS(letter_post_url(w, &post)));
	sign(w, &text, &s);
	return TABLE_OK;
}

/* --- A week ------------------------------------------------------------------------------------------- */

static void
put_posts(struct letter_writing *w, struct buf *text, const struct posts *posts, size_t *count)
{
	*count = 0;
	for (size_t i = 0; i < posts->count; i++) {
		const struct post *post = &posts->posts[i];

		if (post->imported || ++*count > SHOWN_MAX)
			continue;
		letter_put_post(w, text, post);
	}
	if (*count > SHOWN_MAX || posts->older.len != 0)
		buf_fmt(text, "\nAnd more: %.*s/archive\n", STR_ARGS(w->site));
}

static enum table_rc
write_week(struct letter_writing *w)
{
	struct arena *arena = w->call->arena;
	struct posts_query query = mailing_week_posts(arena, w->letters[0].made);
	struct read reads[2] = {recipient_read(w)};
	struct buf text = {.arena = arena};
	int64_t now = clock_now(w->clock);
	struct subscriber s;
	struct posts posts;
	enum table_rc rc;
	size_t count;

	if (!posts_prepare(arena, &query, now, &reads[1]))
		return TABLE_OK;
	rc = table_read(w->table, w->call, reads, 2);
	if (rc != TABLE_OK || !recipient_take(w, &reads[0], RHYTHM_WEEKLY, &s))
		return rc;
	posts_take(arena, &query, &reads[1], NULL, now, &posts);
	buf_fmt(&text, "This was new at %.*s this week.\n", STR_ARGS(w->settings->name));
	put_posts(w, &text, &posts, &count);
	if (count == 0)
		return TABLE_OK;
	w->mail.subject = STR_CONCAT(arena, w->settings->name, STR(": this week"));
	sign(w, &text, &s);
	return TABLE_OK;
}

const struct letter_kind letter_subscriber_post = {STR_INIT("post"), write_post};
const struct letter_kind letter_subscriber_week = {STR_INIT("issue"), write_week};

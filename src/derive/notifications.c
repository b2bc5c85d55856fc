/*
 * Notifications follow from comments, follows, posts and requests to be named as a coauthor: I<key> of such an item, whose
 * recipients derive/tell.h keeps. How many of theirs a person has not read is M<username>.
 *
 * Whom a comment or a post is told is asked when it appears, and not again: who joins, follows or flags later changes nothing
 * of what was said to others. What is not visible any more is taken back. Whom a person has muted, and what they want to be
 * told of, is asked when they read (note_is_told()).
 */
#include "derive/rows.h"

#include "base/arena.h"
#include "base/clock.h"
#include "derive/tell.h"
#include "model/key.h"
#include "model/key_comment.h"
#include "model/key_follow.h"
#include "model/key_moderation.h"
#include "model/key_notification.h"
#include "model/post/post.h"
#include "model/reader/comment.h"
#include "model/reader/flag.h"
#include "model/reader/follow.h"
#include "model/viewer.h"

enum { UNREAD_READ = 300 };

/* What there is one group of, whatever it is about. */
#define PEOPLE STR("people")

/* --- Whom a change concerns -------------------------------------------------------------------------- */

static struct str
fact_subject(struct arena *arena, struct key key)
{
	return STR_CONCAT(arena, STR("I"), subject_of_key(arena, key));
}

struct str
notifications_subject(struct arena *arena, struct key key)
{
	const struct kind *kind = kind_of_key(key);
	struct str rest;

	if (kind == NULL)
		return STR("");
	switch ((enum item_kind)(kind - item_kinds)) {
	case ITEM_COMMENT:
	case ITEM_FOLLOW:
	case ITEM_POST:
	case ITEM_POST_COPY:
	case ITEM_POST_REQUEST: return fact_subject(arena, key);
	case ITEM_BODY: return fact_subject(arena, key_post(arena, key_name(key)));
	case ITEM_TOLD: str_cut(key.sk, '#', &rest); return rest;
	case ITEM_NOTIFICATION:
	case ITEM_MESSAGES:
	case ITEM_NOTIFICATION_SETTINGS:
	case ITEM_HIDDEN: return STR_CONCAT(arena, STR("M"), key_name(key));
	default: return STR("");
	}
}

/* --- Comments ----------------------------------------------------------------------------------------- */

/* What is read beside a comment that was not told yet. */
struct around {
	struct post post;
	struct comment parent;
	bool has_post, has_parent, flagged; /* flagged: the parent, and nobody has decided on it */
};

static enum table_rc
look_around(struct derive *d, const struct comment *comment, struct around *out)
{
	struct arena *arena = d->call->arena;
	struct str path = comment_path_parent(comment->path);
	const struct flag_target parent = {.what = FLAG_COMMENT, .path = path};
	struct flagged flagged = {.status = FLAGGED_DISMISSED};
	struct read reads[3];
	enum table_rc rc;

	*out = (struct around){.flagged = false};
	reads[0] = (struct read){
	    .kind = READ_GET, .key = key_post(arena, comment->post), .consistent = true};
	if (path.len != 0) {
		reads[1] = (struct read){.kind = READ_GET,
		    .key = key_comment(arena, comment->post, path),
		    .consistent = true};
		reads[2] = (struct read){.kind = READ_GET,
		    .key = key_flagged(arena, key_flag_target(arena, &parent)),
		    .consistent = true};
	}
	rc = table_read(d->table, d->call, reads, path.len != 0 ? 3 : 1);
	if (rc != TABLE_OK)
		return rc;
	out->has_post = reads[0].item != NULL;
	if (out->has_post)
		post_from_item(arena, reads[0].item, &out->post);
	if (path.len == 0)
		return TABLE_OK;
	out->has_parent = reads[1].item != NULL;
	if (out->has_parent)
		comment_from_item(arena, reads[1].item, &out->parent);
	if (reads[2].item != NULL)
		flagged_from_item(arena, reads[2].item, &flagged);
	out->flagged = flagged.status == FLAGGED_OPEN;
	return TABLE_OK;
}

static enum table_rc
add_reader(struct derive *d, struct tells *tells, const struct post *post, struct tell tell)
{
	bool may_read = false;
	enum table_rc rc = tell_may_read(d, post, tell.to, &may_read);

	if (rc == TABLE_OK && may_read)
		tells_add(d, tells, tell);
	return rc;
}

static enum table_rc
add_mentions(struct derive *d, struct tells *tells, const struct post *post,
    const struct strings_value *mentions, struct str target)
{
	enum table_rc rc = TABLE_OK;

	for (size_t i = 0; rc == TABLE_OK && i < mentions->count; i++)
		rc = add_reader(d, tells, post,
		    (struct tell){
			.to = mentions->strings[i], .what = NOTE_MENTION, .target = target});
	return rc;
}

/* A reply concerns whom it answers, then whom it names, then who wrote the post. */
static enum table_rc
ask_whom(struct derive *d, const struct comment *comment, struct tells *tells)
{
	struct around around;
	const struct post *post = &around.post;
	enum table_rc rc = look_around(d, comment, &around);

	if (rc != TABLE_OK || !around.has_post || around.flagged)
		return rc;
	if (around.has_parent)
		rc = add_reader(d, tells, post,
		    (struct tell){
			.to = around.parent.author, .what = NOTE_REPLY, .target = comment->id});
	if (rc == TABLE_OK)
		rc = add_mentions(d, tells, post, &comment->mentions, comment->id);
	if (rc != TABLE_OK)
		return rc;
	tells_add(d, tells,
	    (struct tell){.to = post->author, .what = NOTE_COMMENT, .target = post->id});
	for (size_t i = 0; i < post->other_count; i++)
		tells_add(d, tells,
		    (struct tell){.to = post->others[i].username,
			.what = NOTE_COMMENT,
			.target = post->id});
	return TABLE_OK;
}

/* It was told; an edit may name somebody more. */
static enum table_rc
ask_again(struct derive *d, const struct comment *comment, const struct item *told, struct tells *tells)
{
	struct around around;
	enum table_rc rc;

	tells_keep(d, tells, told);
	if (comment->mentions.count == 0)
		return TABLE_OK;
	rc = look_around(d, comment, &around);
	return rc == TABLE_OK && around.has_post
		   ? add_mentions(d, tells, &around.post, &comment->mentions, comment->id)
		   : rc;
}

static enum table_rc
derive_comment(struct derive *d, struct str subject, struct key key, const struct item *item,
    const struct item *told)
{
	struct str path = key_comment_path(key.sk);
	struct tells tells = {.fact = str_sub(path, path.len - COMMENT_ID_LEN, COMMENT_ID_LEN),
	    .post = key_name(key),
	    .comment = path};
	struct comment comment = {.status = COMMENT_DELETED};
	enum table_rc rc = TABLE_OK;

	if (path.len < COMMENT_ID_LEN)
		return TABLE_OK;
	if (item != NULL)
		comment_from_item(d->call->arena, item, &comment);
	tells.actor = comment.author;
	tells.at = comment.appeared != 0 ? comment.appeared : comment.created;
	tells.once = comment.status == COMMENT_VISIBLE;
	if (tells.once && told != NULL)
		rc = ask_again(d, &comment, told, &tells);
	else if (tells.once && !told_too_late(d, tells.at))
		rc = ask_whom(d, &comment, &tells);
	if (rc == TABLE_OK)
		rc = watchers_tell_comment(d, &tells, comment.status == COMMENT_VISIBLE);
	return rc == TABLE_OK ? tell_all(d, subject, told, &tells) : rc;
}

/* --- Follows ------------------------------------------------------------------------------------------ */

static enum table_rc
derive_follow(struct derive *d, struct str subject, struct key key, const struct item *item,
    const struct item *told)
{
	struct tells tells = {.fact = key_name(key), .actor = key_name(key)};
	enum follow_status status = follow_status(item);
	struct tell tell = {.target = PEOPLE,
	    .what = status == FOLLOW_ASKED ? NOTE_REQUEST : NOTE_FOLLOWER};

	str_cut(key.sk, '#', &tell.to);
	if (item != NULL)
		(void)time_parse(item_string(item, STR("CreatedAt")), &tells.at);
	if (status == FOLLOW_ASKED || follow_counts(status))
		tells_add(d, &tells, tell);
	return tell_all(d, subject, told, &tells);
}

/* --- Posts -------------------------------------------------------------------------------------------- */

/* Does anybody but its authors and the staff get to read it, now? */
static bool
is_out(struct derive *d, const struct post *post)
{
	return post->kind != KIND_PAGE &&
	       post_visible_to_followers(post, &(struct viewer){.permissions = 0}, clock_now(d->clock));
}

/* The text of a note may name people. */
static enum table_rc
mentions_of(struct derive *d, const struct post *post, struct strings_value *out)
{
	struct read read = {.kind = READ_GET,
	    .key = key_post_body(d->call->arena, post->id),
	    .consistent = true};
	struct post_body body;
	enum table_rc rc;

	if (post->kind != KIND_NOTE)
		return TABLE_OK;
	rc = table_read(d->table, d->call, &read, 1);
	if (rc == TABLE_OK && read.item != NULL) {
		post_body_from_item(d->call->arena, read.item, &body);
		*out = body.mentions;
	}
	return rc;
}

static enum table_rc
derive_post(struct derive *d, struct str subject, const struct item *item, const struct item *told)
{
	struct tells tells = {.once = told_is_done(told)};
	struct strings_value mentions = {.count = 0};
	struct post post;
	bool out = false;
	enum table_rc rc = TABLE_OK;

	if (item != NULL) {
		post_from_item(d->call->arena, item, &post);
		out = is_out(d, &post);
		tells.fact = tells.post = post.id;
		tells.actor = post.author;
		tells.at = post.published;
	}
	if (told == NULL && (!out || told_too_late(d, tells.at)))
		return TABLE_OK;
	if (out) {
		tells_keep(d, &tells, told);
		rc = mentions_of(d, &post, &mentions);
		if (rc == TABLE_OK)
			rc = add_mentions(d, &tells, &post, &mentions, post.id);
	}
	if (rc == TABLE_OK)
		rc = tell_all(d, subject, told, &tells);
	if (rc != TABLE_OK || !out || told_is_done(told))
		return rc;
	return watchers_tell_post(d, subject, &tells, &post);
}

/* It does not say since when they are asked: at the first time the post was changed just then. */
static enum table_rc
derive_request(struct derive *d, struct str subject, struct key key, const struct item *item,
    const struct item *told)
{
	struct tells tells = {.at = told_at(told)};
	struct tell tell = {.what = NOTE_COAUTHOR};
	struct post post;

	if (item != NULL && kind_is(item, ITEM_POST_REQUEST)) {
		post_from_item(d->call->arena, item, &post);
		tells.fact = tells.post = tell.target = post.id;
		tells.actor = post.author;
		tells.at = tells.at != 0 ? tells.at : post.updated;
		str_cut(key.sk, '#', &tell.to);
		tells_add(d, &tells, tell);
	} else {
		tells.fact = key_name(key);
	}
	return tell_all(d, subject, told, &tells);
}

/* --- How many are unread ------------------------------------------------------------------------------ */

/*
 * What they have not seen, as far as that is told at all, and when the newest of it was. Only what is little older than that
 * counts: so no count changes because something in it expires.
 */
static enum table_rc
count_unread(struct derive *d, struct str username, const struct read reads[3], int64_t seen,
    int64_t *unread, int64_t *newest)
{
	struct arena *arena = d->call->arena;
	struct read found = {
	    .kind = READ_QUERY, .query = query_notes_since(arena, username, seen)};
	struct notification *notes;
	struct note_settings settings;
	struct hidden hidden;
	enum table_rc rc;

	note_settings_from_item(reads[1].item, &settings);
	hidden_from_item(arena, reads[2].item, &hidden);
	found.query.consistent = true;
	found.query.descending = true;
	found.query.limit = UNREAD_READ;
	rc = table_read(d->table, d->call, &found, 1);
	if (rc != TABLE_OK)
		return rc;
	notes = ARENA_ARRAY(arena, found.found_count, struct notification);
	for (size_t i = 0; i < found.found_count; i++) {
		note_from_item(arena, &found.found[i], &notes[i]);
		*newest = notes[i].at > *newest ? notes[i].at : *newest;
	}
	for (size_t i = 0; i < found.found_count && *unread <= NOTE_UNREAD_MAX; i++)
		*unread += note_is_unread(&notes[i], seen) &&
			   notes[i].at > *newest - NOTE_COUNTED_MS &&
			   note_is_told(arena, &notes[i], &settings, &hidden);
	return TABLE_OK;
}

static enum table_rc
derive_unread(struct derive *d, struct str username)
{
	struct arena *arena = d->call->arena;
	const struct key keys[] = {key_messages(arena, username), key_note_settings(arena, username),
	    key_hidden(arena, username)};
	struct item wanted = {.count = 0};
	struct messages messages;
	struct read reads[3];
	int64_t unread = 0, newest = 0, expires;
	enum table_rc rc;

	for (size_t i = 0; i < 3; i++)
		reads[i] = (struct read){.kind = READ_GET, .key = keys[i], .consistent = true};
	rc = table_read(d->table, d->call, reads, 3);
	messages_from_item(rc == TABLE_OK ? reads[0].item : NULL, &messages);
	if (rc == TABLE_OK)
		rc = count_unread(d, username, reads, messages.seen, &unread, &newest);
	if (rc != TABLE_OK)
		return rc;
	expires = messages_expire(newest > messages.seen ? newest : messages.seen);
	if ((unread == 0 && messages.seen == 0) || expires <= clock_now(d->clock) / 1000)
		return derive_item(d, reads[0].item, NULL);
	if (reads[0].item != NULL)
		wanted = item_shallow(arena, reads[0].item);
	key_set(arena, &wanted, keys[0], ITEM_MESSAGES);
	item_set(arena, &wanted, STR("Unread"), value_number(unread));
	item_set(arena, &wanted, TABLE_EXPIRES, value_number(expires));
	return derive_item(d, reads[0].item, &wanted);
}

/* --- Subjects ----------------------------------------------------------------------------------------- */

enum table_rc
notifications_derive(struct derive *d, struct str subject)
{
	struct str of = str_sub(subject, 1, subject.len);
	struct key key = subject_key(of);
	const struct kind *kind = kind_of_key(key);
	struct read reads[2];
	enum table_rc rc;

	if (subject.base[0] == 'M')
		return derive_unread(d, of);
	reads[0] = (struct read){.kind = READ_GET, .key = key, .consistent = true};
	reads[1] = told_read(d, subject);
	rc = table_read(d->table, d->call, reads, 2);
	if (rc != TABLE_OK || kind == NULL)
		return rc;
	if (kind == &item_kinds[ITEM_COMMENT])
		return derive_comment(d, subject, key, reads[0].item, reads[1].item);
	if (kind == &item_kinds[ITEM_FOLLOW])
		return derive_follow(d, subject, key, reads[0].item, reads[1].item);
	if (kind == &item_kinds[ITEM_POST])
		return derive_post(d, subject, reads[0].item, reads[1].item);
	return derive_request(d, subject, key, reads[0].item, reads[1].item);
}

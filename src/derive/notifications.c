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

enum { UNREAD_READ = 300, UNDER_AT_ONCE = 40 };
#define DAY_MS INT64_C(86400000)

/* What there is one group of, whatever it is about. */
#define PEOPLE STR("people")

/* --- Whom a change concerns -------------------------------------------------------------------------- */

static struct str
fact_subject(struct arena *arena, struct key key)
{
	return STR_CONCAT(arena, STR("I"), subject_of_key(arena, key));
}

/* Beside a post, how far what is told of its comments is in line with whether it is there. */
static struct str
under_name(struct arena *arena, struct str post)
{
	return STR_CONCAT(arena, STR("C"), post);
}

static struct str
told_subject(struct arena *arena, struct key key)
{
	struct str of = key_told_subject(key);

	if (str_starts(of, STR("C")))
		return fact_subject(arena, key_post(arena, str_sub(of, 1, of.len)));
	return str_starts(of, STR("I")) ? of : STR("");
}

struct str
notifications_subject(struct arena *arena, struct key key, const struct kind *kind)
{
	if (kind == NULL)
		return STR("");
	switch ((enum item_kind)(kind - item_kinds)) {
	case ITEM_COMMENT:
	case ITEM_FOLLOW:
	case ITEM_POST:
	case ITEM_POST_COPY:
	case ITEM_POST_REQUEST: return fact_subject(arena, key);
	case ITEM_BODY: return fact_subject(arena, key_post(arena, key_name(key)));
	case ITEM_TOLD:
	case ITEM_TOLD_PAGE: return told_subject(arena, key);
	case ITEM_NOTIFICATION:
	case ITEM_MESSAGES:
	case ITEM_NOTIFICATION_SETTINGS:
	case ITEM_HIDDEN: return STR_CONCAT(arena, STR("M"), key_name(key));
	default: return STR("");
	}
}

/* --- Comments ----------------------------------------------------------------------------------------- */

/* Whom a comment answers, if it does; flagged: that is, and nobody has decided on it. */
struct answered {
	struct comment comment;
	bool there, flagged;
};

static enum table_rc
look_at_answered(struct derive *d, const struct comment *comment, struct answered *out)
{
	struct arena *arena = d->call->arena;
	struct str path = comment_path_parent(comment->path);
	const struct flag_target parent = {.what = FLAG_COMMENT, .path = path};
	struct flagged flagged = {.status = FLAGGED_DISMISSED};
	struct read reads[2];
	enum table_rc rc;

	*out = (struct answered){.flagged = false};
	if (path.len == 0)
		return TABLE_OK;
	reads[0] = (struct read){.kind = READ_GET,
	    .key = key_comment(arena, comment->post, path),
	    .consistent = true};
	reads[1] = (struct read){.kind = READ_GET,
	    .key = key_flagged(arena, key_flag_target(arena, &parent)),
	    .consistent = true};
	rc = table_read(d->table, d->call, reads, 2);
	if (rc != TABLE_OK)
		return rc;
	out->there = reads[0].item != NULL;
	if (out->there)
		comment_from_item(arena, reads[0].item, &out->comment);
	if (reads[1].item != NULL)
		flagged_from_item(arena, reads[1].item, &flagged);
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
ask_whom(struct derive *d, const struct post *post, const struct comment *comment, struct tells *tells)
{
	struct answered answered;
	enum table_rc rc = look_at_answered(d, comment, &answered);

	if (rc != TABLE_OK || answered.flagged)
		return rc;
	if (answered.there)
		rc = add_reader(d, tells, post,
		    (struct tell){
			.to = answered.comment.author, .what = NOTE_REPLY, .target = comment->id});
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

/* Is there anybody, but a single author, who can read what is said under it? */
static bool
stands(struct derive *d, const struct post *post)
{
	return post_takes_comments(post, clock_now(d->clock)) &&
	       (!post_is_private(post) || post->other_count != 0);
}

/* What is not to be seen any more is told nobody. */
static enum table_rc
take_back(struct derive *d, struct str subject, const struct item *told, const struct tells *tells)
{
	bool left;
	enum table_rc rc = untell_pages(d, subject, tells, 0, &left);

	return rc == TABLE_OK && !left ? tell_all(d, subject, told, tells) : rc;
}

static enum table_rc
derive_comment(struct derive *d, struct str subject, struct key key, const struct item *item,
    const struct item *told, const struct item *head)
{
	struct str path = key_comment_path(key.sk);
	struct tells tells = {.fact = str_sub(path, path.len - COMMENT_ID_LEN, COMMENT_ID_LEN),
	    .post = key_name(key),
	    .comment = path};
	struct comment comment = {.status = COMMENT_DELETED};
	struct post post;
	enum table_rc rc = TABLE_OK;

	if (path.len < COMMENT_ID_LEN)
		return TABLE_OK;
	if (item != NULL)
		comment_from_item(d->call->arena, item, &comment);
	if (head != NULL)
		post_from_item(d->call->arena, head, &post);
	tells.actor = comment.author;
	tells.at = comment.appeared != 0 ? comment.appeared : comment.created;
	tells.once = comment.status == COMMENT_VISIBLE && head != NULL && stands(d, &post);
	if (!tells.once)
		return take_back(d, subject, told, &tells);
	if (told == NULL && !told_too_late(d, tells.at))
		rc = ask_whom(d, &post, &comment, &tells);
	/* An edit of what was told may name somebody more. */
	tells_keep(d, &tells, told);
	if (rc == TABLE_OK && told != NULL)
		rc = add_mentions(d, &tells, &post, &comment.mentions, comment.id);
	if (rc == TABLE_OK)
		rc = watchers_tell_comment(d, subject, &tells, &post);
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

/* The next comments of a post, each as if it had been changed. */
static enum table_rc
derive_some_under(struct derive *d, const struct post *post, struct str *cursor)
{
	struct arena *arena = d->call->arena;
	struct read some = {.kind = READ_QUERY, .query = query_comments(arena, post->id)};
	enum table_rc rc;

	some.query.consistent = true;
	some.query.limit = UNDER_AT_ONCE;
	some.query.cursor = *cursor;
	rc = table_read(d->table, d->call, &some, 1);
	if (rc == TABLE_OK)
		*cursor = some.next;
	for (size_t i = 0; rc == TABLE_OK && i < some.found_count; i++)
		if (kind_is(&some.found[i], ITEM_COMMENT))
			rc = notifications_derive(d, fact_subject(arena, item_key(&some.found[i])));
	return rc;
}

/* Are there any? */
static enum table_rc
look_under(struct derive *d, const struct post *post, bool *some)
{
	struct read read = {
	    .kind = READ_QUERY, .query = query_comments(d->call->arena, post->id)};
	enum table_rc rc;

	read.query.consistent = true;
	read.query.limit = 1;
	rc = table_read(d->table, d->call, &read, 1);
	*some = read.found_count != 0;
	return rc;
}

/*
 * When a post is taken back what was told of its comments is, and told again if it comes back: some at a time, to which the
 * records of an item lead that says how far that is, and lasts as long as anything that was told of them could. Of a post
 * that is there, and always was, there is none.
 */
static enum table_rc
derive_under(struct derive *d, const struct post *post, const struct item *under, bool there)
{
	struct arena *arena = d->call->arena;
	struct item item = {.count = 0};
	struct str cursor = STR("");
	bool begun, some = false;
	enum table_rc rc = TABLE_OK;

	if (under == NULL && there)
		return rc;
	if (under == NULL && post->updated > clock_now(d->clock) - NOTE_KEPT_DAYS * DAY_MS)
		rc = look_under(d, post, &some);
	if (rc != TABLE_OK || (under == NULL && !some))
		return rc;
	begun = under != NULL && item_boolean(under, STR("Back")) == there;
	if (begun && told_is_done(under))
		return TABLE_OK;
	if (begun)
		cursor = told_cursor(under);
	rc = derive_some_under(d, post, &cursor);
	/* It was another engine's: from the beginning, as doing it twice is doing it once. */
	if (rc == TABLE_BAD_CURSOR) {
		cursor = STR("");
		rc = derive_some_under(d, post, &cursor);
	}
	if (rc != TABLE_OK || (there && cursor.len == 0))
		return rc == TABLE_OK ? derive_item(d, under, NULL) : rc;
	told_begin(d, &item, under_name(arena, post->id), post->updated);
	item_set(arena, &item, STR("Back"), value_boolean(there));
	told_set_cursor(arena, &item, cursor);
	return derive_item(d, under, &item);
}

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
tell_post(struct derive *d, struct str subject, const struct post *post, const struct item *told,
    struct tells *tells)
{
	struct strings_value mentions = {.count = 0};
	bool left;
	enum table_rc rc = mentions_of(d, post, &mentions);

	tells->once = told_is_done(told);
	tells_keep(d, tells, told);
	if (rc == TABLE_OK)
		rc = add_mentions(d, tells, post, &mentions, post->id);
	if (rc == TABLE_OK)
		rc = tell_all(d, subject, told, tells);
	if (rc == TABLE_OK && !tells->once)
		return watchers_tell_post(d, subject, tells, post);
	/* It was closed to all but its first author's followers, who stand in the first list. */
	return rc == TABLE_OK && !post_is_public(post) ? untell_pages(d, subject, tells, 1, &left) : rc;
}

/* Should it be there again, whom to tell is asked anew. */
static enum table_rc
untell_post(struct derive *d, struct str subject, const struct item *told, const struct tells *tells)
{
	enum table_rc rc = told_part_forget(d, told, &told);

	return rc == TABLE_OK ? take_back(d, subject, told, tells) : rc;
}

static enum table_rc
derive_post(struct derive *d, struct str subject, struct key key, const struct item *item,
    const struct item *told, const struct item *under)
{
	struct tells tells = {.fact = key_name(key), .post = key_name(key)};
	struct post post;
	bool out = false;
	enum table_rc rc = TABLE_OK;

	if (item != NULL) {
		post_from_item(d->call->arena, item, &post);
		out = is_out(d, &post);
		tells.actor = post.author;
		tells.at = post.published;
	}
	if (out && (told != NULL || !told_too_late(d, tells.at)))
		rc = tell_post(d, subject, &post, told, &tells);
	else if (!out && told != NULL)
		rc = untell_post(d, subject, told, &tells);
	return rc == TABLE_OK && item != NULL ? derive_under(d, &post, under, stands(d, &post)) : rc;
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
	bool comment = kind == &item_kinds[ITEM_COMMENT], post = kind == &item_kinds[ITEM_POST];
	struct read reads[3];
	enum table_rc rc;

	if (subject.base[0] == 'M')
		return derive_unread(d, of);
	reads[0] = (struct read){.kind = READ_GET, .key = key, .consistent = true};
	reads[1] = told_read(d, subject);
	if (post)
		reads[2] = told_read(d, under_name(d->call->arena, key_name(key)));
	if (comment)
		reads[2] = (struct read){.kind = READ_GET,
		    .key = key_post(d->call->arena, key_name(key)),
		    .consistent = true};
	rc = table_read(d->table, d->call, reads, comment || post ? 3 : 2);
	if (rc != TABLE_OK || kind == NULL)
		return rc;
	if (comment)
		return derive_comment(
		    d, subject, key, reads[0].item, reads[1].item, reads[2].item);
	if (kind == &item_kinds[ITEM_FOLLOW])
		return derive_follow(d, subject, key, reads[0].item, reads[1].item);
	if (post)
		return derive_post(
		    d, subject, key, reads[0].item, reads[1].item, reads[2].item);
	return derive_request(d, subject, key, reads[0].item, reads[1].item);
}

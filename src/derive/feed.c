/*
 * Personal feeds (model/reader/feed.h), from posts and follows.
 *
 * The subjects are a post (P<id>), a follow (F<follower> <followed>), a reader (R<username>) and an author (A<username>).
 * Of a post it is noted into whose feeds it was put: most changes of its head, as each number that is folded, end there. A
 * follow brings what the author has published, or takes it away. A reader's feed is filled when they come back to it, and
 * then looked through as a whole in each rebuild: so the parts need not trust one another.
 *
 * Time decides nothing but by ExpiresAt: entries of the last 30 days are not expired, and a reader is active who has an
 * item that is not.
 */
#include "derive/feed_private.h"
#include "derive/rows.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/key_feed.h"
#include "model/key_follow.h"
#include "model/kinds.h"
#include "model/people/person_counts.h"
#include "model/people/user.h"
#include "model/reader/feed.h"

enum { PAGE = TABLE_BATCH_MAX /* of followers */ };

struct str
feed_subject(struct arena *arena, struct key key, const struct kind *kind)
{
	struct str followed;

	if (kind == &item_kinds[ITEM_POST])
		return STR_CONCAT(arena, STR("P"), key_name(key));
	if (kind == &item_kinds[ITEM_FEED_PUSH])
		return STR_CONCAT(arena, STR("P"), key_feed_of(key));
	if (kind == &item_kinds[ITEM_FEED_STATE] || kind == &item_kinds[ITEM_FEED_FILL])
		return STR_CONCAT(arena, STR("R"), key_feed_of(key));
	if (kind == &item_kinds[ITEM_USER])
		return STR_CONCAT(arena, STR("A"), key_name(key));
	if (kind != &item_kinds[ITEM_FOLLOW])
		return STR("");
	(void)str_cut(key.sk, '#', &followed);
	return STR_CONCAT(arena, STR("F"), key_name(key), STR("\t"), followed);
}

/* --- Into the feeds of an author's followers --------------------------------------------------------------- */

/* What is put into their feeds, or taken out of them. */
struct push {
	const struct feed_entry *entry;
	bool out;
};

/* Those of a page of followers who are active. */
static enum table_rc
push_page(struct derive *d, const struct item *found, size_t count, void *context)
{
	const struct push *push = context;
	struct arena *arena = d->call->arena;
	struct key *keys = ARENA_ARRAY(arena, count, struct key);
	struct write *writes = ARENA_ARRAY(arena, count, struct write);
	struct read states = {.kind = READ_BATCH, .batch = {keys, 0}, .consistent = true};
	size_t n = 0;
	enum table_rc rc;

	for (size_t i = 0; i < count; i++) {
		struct str follower = item_string(&found[i], STR("Follower"));

		if (!feed_is_among(&push->entry->authors, follower))
			keys[states.batch.count++] = key_feed_state(arena, follower);
	}
	if (states.batch.count == 0)
		return TABLE_OK;
	rc = table_read(d->table, d->call, &states, 1);
	for (size_t i = 0; rc == TABLE_OK && i < states.batch.count; i++) {
		struct str reader = key_name(keys[i]);

		if (states.items[i] == NULL)
			continue;
		writes[n] = (struct write){.kind = WRITE_PUT};
		writes[n].item = feed_entry_item(arena, reader, push->entry);
		if (push->out)
			writes[n] = (struct write){
			    .kind = WRITE_DELETE, .key = item_key(&writes[n].item)};
		n++;
	}
	return rc == TABLE_OK ? derive_writes(d, writes, n) : rc;
}

/*
 * Is this an author of too many followers? Then it is noted, and that is for good: readers find their posts by
 * themselves from then on.
 */
static enum table_rc
is_merged(struct derive *d, struct str author, bool *merged)
{
	struct arena *arena = d->call->arena;
	struct read reads[3] = {feed_get(key_user(arena, author)), person_counts_read(arena, author),
	    feed_get(key_feed_merged())};
	struct strings_value authors;
	struct str *more;
	struct user user = {.followers = 0};
	struct item wanted = {.count = 0};
	enum table_rc rc;

	reads[1].consistent = true;
	rc = table_read(d->table, d->call, reads, 3);
	if (rc != TABLE_OK)
		return rc;
	authors = feed_authors_in(arena, reads[2].item);
	if (reads[0].item != NULL)
		user_from_item(arena, reads[0].item, &user);
	person_counts_add(reads[1].item, &user);
	*merged = feed_is_among(&authors, author);
	if (*merged || user.followers <= FEED_PUSHED_MAX)
		return TABLE_OK;
	*merged = true;
	more = ARENA_ARRAY(arena, authors.count + 1, struct str);
	for (size_t i = 0; i < authors.count; i++)
		more[i] = authors.strings[i];
	more[authors.count] = author;
	key_set(arena, &wanted, key_feed_merged(), ITEM_FEED_MERGED);
	item_set(arena, &wanted, STR("Authors"), value_set(arena, more, authors.count + 1));
	return derive_item(d, reads[2].item, &wanted);
}

/* Into the feeds of these authors' followers, or out of them. */
static enum table_rc
push_to(struct derive *d, const struct strings_value *authors, struct push *push)
{
	enum table_rc rc = TABLE_OK;

	for (size_t i = 0; rc == TABLE_OK && i < authors->count; i++) {
		struct query followers = query_followers(d->call->arena, authors->strings[i]);
		bool merged;

		followers.limit = PAGE;
		rc = is_merged(d, authors->strings[i], &merged);
		if (rc == TABLE_OK && !merged)
			rc = derive_pages(d, followers, push_page, push);
	}
	return rc;
}

/* --- A post -------------------------------------------------------------------------------------------- */

/* Into whose feeds a post is put: as it is noted, or as it should be. */
struct pushed {
	struct feed_entry entry;
	bool closed; /* to the followers of its author alone */
	bool begun;  /* into some of them, perhaps not into all */
	bool none;
};

static void
pushed_read(struct arena *arena, struct str id, const struct item *note, struct pushed *out)
{
	*out = (struct pushed){.entry = {.post = id}, .none = note == NULL};
	if (note == NULL)
		return;
	out->entry.authors = feed_authors_in(arena, note);
	out->closed = item_boolean(note, STR("Closed"));
	out->begun = item_boolean(note, STR("Begun"));
	(void)time_parse(item_string(note, STR("PublishedAt")), &out->entry.published);
}

static struct item
pushed_item(struct arena *arena, const struct pushed *pushed)
{
	const struct feed_entry *entry = &pushed->entry;
	struct item item = {.count = 0};

	key_set(arena, &item, key_feed_push(arena, entry->post), ITEM_FEED_PUSH);
	item_set(arena, &item, STR("Authors"),
	    value_set(arena, entry->authors.strings, entry->authors.count));
	if (pushed->begun)
		item_set(arena, &item, STR("Begun"), value_boolean(true));
	if (pushed->closed)
		item_set(arena, &item, STR("Closed"), value_boolean(true));
	item_set(arena, &item, TABLE_EXPIRES, value_number((entry->published + FEED_MS) / 1000));
	item_set(arena, &item, STR("PublishedAt"),
	    value_string(time_format(arena, entry->published)));
	return item;
}

/* The author, who is first among equals when a post is for followers. */
static struct strings_value
reached(const struct pushed *pushed, const struct str *author)
{
	return pushed->closed ? (struct strings_value){author, 1} : pushed->entry.authors;
}

/* What is old enough to expire is neither put nor taken back any more. */
static void
pushed_wanted(struct derive *d, const struct post *post, const struct pushed *was, struct pushed *out)
{
	enum feed_reach reach = feed_reach(post);

	*out = (struct pushed){.entry = {.post = post->id, .published = post->published},
	    .closed = reach == FEED_OF_AUTHOR,
	    .none = reach == FEED_NOBODY};
	if (out->none)
		return;
	out->entry.authors = feed_authors(d->call->arena, post);
	if (post->published <= clock_now(d->clock) - FEED_MS + FEED_EDGE_MS) {
		if (!was->none && was->entry.published == post->published)
			*out = *was;
		else
			out->none = true;
	}
}

static enum table_rc
note(struct derive *d, const struct pushed *pushed)
{
	struct arena *arena = d->call->arena;
	struct write write = {.kind = WRITE_DELETE, .key = key_feed_push(arena, pushed->entry.post)};

	if (!pushed->none)
		write = (struct write){.kind = WRITE_PUT, .item = pushed_item(arena, pushed)};
	return derive_writes(d, &write, 1);
}

/*
 * What was put elsewhere, or into more feeds, is taken back from all of them before it is put into those where it belongs. It
 * is noted before, so that whoever comes after a worker that was killed here knows where the post may be.
 */
static enum table_rc
push_anew(struct derive *d, const struct pushed *was, const struct pushed *is, const struct post *post)
{
	struct push in = {&is->entry, false}, out = {&was->entry, true};
	struct strings_value to = reached(is, &post->author), from = was->entry.authors;
	struct pushed begun = *is;
	bool within = !is->none && was->entry.published == is->entry.published &&
		      (was->closed || !is->closed) &&
		      feed_same_names(&is->entry.authors, &was->entry.authors);
	enum table_rc rc = TABLE_OK;

	begun.begun = true;
	if (!was->none && !within)
		rc = push_to(d, &from, &out);
	if (rc == TABLE_OK && !is->none)
		rc = note(d, &begun);
	return rc == TABLE_OK && !is->none ? push_to(d, &to, &in) : rc;
}

static bool
is_pushed(struct arena *arena, const struct item *noted, const struct pushed *is)
{
	struct item wanted;

	if (noted == NULL || is->none)
		return noted == NULL && is->none;
	wanted = pushed_item(arena, is);
	return item_eq(noted, &wanted);
}

static enum table_rc
derive_post(struct derive *d, struct str id)
{
	struct arena *arena = d->call->arena;
	struct read reads[2] = {feed_get(key_post(arena, id)), feed_get(key_feed_push(arena, id))};
	struct post post = {.id = id};
	struct pushed was, is;
	enum table_rc rc = table_read(d->table, d->call, reads, 2);

	if (rc != TABLE_OK)
		return rc;
	if (reads[0].item != NULL)
		post_from_item(arena, reads[0].item, &post);
	pushed_read(arena, id, reads[1].item, &was);
	pushed_wanted(d, &post, &was, &is);
	if (is_pushed(arena, reads[1].item, &is))
		return TABLE_OK;
	/* A check looks through the readers' feeds. */
	rc = d->check ? TABLE_OK : push_anew(d, &was, &is, &post);
	return rc == TABLE_OK ? note(d, &is) : rc;
}

/* --- An author ----------------------------------------------------------------------------------------- */

/* Whom nobody follows any more, as who has left, is merged no longer. */
static enum table_rc
derive_author(struct derive *d, struct str author)
{
	struct arena *arena = d->call->arena;
	struct read reads[3] = {feed_get(key_feed_merged()), feed_get(key_user(arena, author)),
	    person_counts_read(arena, author)};
	struct strings_value merged;
	struct user user = {.followers = 0};
	struct item wanted;
	struct str *left;
	size_t count = 0;
	enum table_rc rc = table_read(d->table, d->call, reads, 1);

	if (rc != TABLE_OK)
		return rc;
	merged = feed_authors_in(arena, reads[0].item);
	if (!feed_is_among(&merged, author))
		return TABLE_OK;
	reads[2].consistent = true;
	rc = table_read(d->table, d->call, reads, 3);
	if (rc != TABLE_OK)
		return rc;
	if (reads[1].item != NULL)
		user_from_item(arena, reads[1].item, &user);
	person_counts_add(reads[2].item, &user);
	if (user.followers > 0)
		return TABLE_OK;
	left = ARENA_ARRAY(arena, merged.count, struct str);
	for (size_t i = 0; i < merged.count; i++)
		if (!str_eq(merged.strings[i], author))
			left[count++] = merged.strings[i];
	wanted = item_shallow(arena, reads[0].item);
	item_set(arena, &wanted, STR("Authors"), value_set(arena, left, count));
	return derive_item(d, reads[0].item, count != 0 ? &wanted : NULL);
}

enum table_rc
feed_derive(struct derive *d, struct str subject)
{
	struct str of = str_sub(subject, 1, subject.len);

	switch (subject.base[0]) {
	case 'P': return derive_post(d, of);
	case 'F': return feed_derive_follow(d, of);
	case 'R': return feed_derive_reader(d, of);
	default: return derive_author(d, of);
	}
}

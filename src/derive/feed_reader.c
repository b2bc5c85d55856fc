/*
 * What is in somebody's feed, brought in line with what should be: as a whole when it is filled and in rebuilds, and of one
 * author when they begin or cease to follow them.
 */
#include "derive/feed_private.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/key_feed.h"
#include "model/key_follow.h"
#include "model/kinds.h"
#include "model/reader/feed.h"
#include "model/reader/follow.h"

#include <stdlib.h>

enum {
	PAGE = TABLE_BATCH_MAX, /* of the posts of one author */
	TOGETHER = 10,          /* authors, or posts, that are read at once */
	FILLED_MS = 7 * 86400 * 1000,
};

/* --- Names --------------------------------------------------------------------------------------------- */

static int
by_name(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

/* Is it one of these, which are sorted? */
bool
feed_is_among(const void *names, struct str name)
{
	const struct strings_value *all = names;

	return all->count != 0 &&
	       bsearch(&name, all->strings, all->count, sizeof(name), by_name) != NULL;
}

bool
feed_same_names(const struct strings_value *a, const struct strings_value *b)
{
	bool same = a->count == b->count;

	for (size_t i = 0; same && i < a->count; i++)
		same = str_eq(a->strings[i], b->strings[i]);
	return same;
}

struct strings_value
feed_authors_in(struct arena *arena, const struct item *item)
{
	struct strings_value authors = {.count = 0};

	if (item != NULL)
		authors.strings = item_strings(arena, item, STR("Authors"), &authors.count);
	return authors;
}

struct read
feed_get(struct key key)
{
	return (struct read){.kind = READ_GET, .key = key, .consistent = true};
}

/* --- Entries ------------------------------------------------------------------------------------------- */

struct entries {
	struct arena *arena; /* of all that they point to */
	struct feed_entry *all;
	size_t count, capacity;
};

static void
entries_add(struct entries *entries, const struct feed_entry *from)
{
	struct arena *arena = entries->arena;
	struct str *authors = ARENA_ARRAY(arena, from->authors.count, struct str);

	if (entries->count == entries->capacity) {
		size_t size = entries->capacity * sizeof(*entries->all);

		entries->capacity = 2 * entries->capacity + 64;
		entries->all = arena_grow(
		    arena, entries->all, size, entries->capacity * sizeof(*entries->all));
	}
	for (size_t i = 0; i < from->authors.count; i++)
		authors[i] = str_dup(arena, from->authors.strings[i]);
	entries->all[entries->count++] = (struct feed_entry){.post = str_dup(arena, from->post),
	    .published = from->published,
	    .authors = {authors, from->authors.count}};
}

/* Newest first; as their keys are sorted, backwards. */
static int
newest_first(const void *a, const void *b)
{
	const struct feed_entry *x = a, *y = b;

	if (x->published != y->published)
		return x->published < y->published ? 1 : -1;
	return str_cmp(y->post, x->post);
}

static void
entries_sort(struct entries *entries)
{
	size_t kept = 0;

	if (entries->count == 0)
		return;
	qsort(entries->all, entries->count, sizeof(*entries->all), newest_first);
	for (size_t i = 1; i < entries->count; i++)
		if (newest_first(&entries->all[kept], &entries->all[i]) != 0)
			entries->all[++kept] = entries->all[i];
	entries->count = kept + 1;
}

static const struct feed_entry *
entries_find(const struct entries *entries, const struct feed_entry *like)
{
	return entries->count != 0 ? bsearch(like, entries->all, entries->count,
					 sizeof(*like), newest_first)
				   : NULL;
}

static enum table_rc
take_entries(struct derive *d, const struct item *found, size_t count, void *context)
{
	struct feed_entry entry;

	for (size_t i = 0; i < count; i++)
		if (feed_entry_from_item(d->call->arena, &found[i], &entry))
			entries_add(context, &entry);
	return TABLE_OK;
}

/* What a feed has, sorted. */
static enum table_rc
read_entries(struct derive *d, struct str reader, struct entries *out)
{
	struct query query = query_feed(d->call->arena, reader);
	enum table_rc rc;

	*out = (struct entries){.arena = d->call->arena};
	query.limit = TABLE_QUERY_MAX;
	query.consistent = true;
	rc = derive_pages(d, query, take_entries, out);
	entries_sort(out);
	return rc;
}

/* --- What a feed should have ----------------------------------------------------------------------------- */

/* Whose feed it is, whom they follow, and whose posts of those are put into feeds. */
struct reader {
	struct str username;
	struct strings_value follows, put;
};

static void
take_published(struct arena *arena, const struct reader *reader, const struct read *read,
    struct entries *out)
{
	for (size_t i = 0; i < read->found_count; i++) {
		struct post post;
		struct feed_entry entry;

		post_from_item(arena, &read->found[i], &post);
		if (!feed_wants(&post, reader->username, feed_is_among, &reader->put))
			continue;
		entry = (struct feed_entry){
		    .post = post.id, .published = post.published, .authors = feed_authors(arena, &post)};
		entries_add(out, &entry);
	}
}

/* Does all of these reads to their ends. Each page is gone when the next one comes. */
static enum table_rc
read_published(struct derive *d, const struct reader *reader, struct read *reads, size_t count,
    struct entries *out)
{
	struct arena *outer = d->call->arena, *page = arena_new();
	enum table_rc rc = TABLE_OK;

	d->call->arena = page;
	while (rc == TABLE_OK && count != 0) {
		size_t more = 0;

		rc = table_read(d->table, d->call, reads, count);
		for (size_t i = 0; rc == TABLE_OK && i < count; i++) {
			take_published(page, reader, &reads[i], out);
			if (reads[i].next.len == 0)
				continue;
			reads[more] = reads[i];
			reads[more++].query.cursor = str_dup(outer, reads[i].next);
		}
		count = more;
		arena_reset(page);
	}
	d->call->arena = outer;
	if (d->call->why != NULL)
		d->call->why = str_cstring(outer, str_of(d->call->why));
	arena_free(page);
	return rc;
}

/* What these authors have published since, as far as it belongs into the feed. */
static enum table_rc
collect(struct derive *d, const struct reader *reader, const struct str *authors, size_t count,
    int64_t since, struct entries *out)
{
	enum table_rc rc = TABLE_OK;

	for (size_t at = 0; rc == TABLE_OK && at < count; at += TOGETHER) {
		struct read reads[2 * TOGETHER];
		size_t n = 0;

		for (size_t i = at; i < count && i < at + TOGETHER; i++)
			for (int closed = 0; closed < 2; closed++) {
				reads[n] = (struct read){.kind = READ_QUERY};
				reads[n].query = query_published_since(
				    d->call->arena, authors[i], closed != 0, since);
				reads[n++].query.limit = PAGE;
			}
		rc = read_published(d, reader, reads, n, out);
	}
	entries_sort(out);
	return rc;
}

/* --- The difference -------------------------------------------------------------------------------------- */

struct changes {
	struct write *writes;
	size_t count;
};

/* What is missing, unless it expires in a moment. */
static void
add_missing(struct derive *d, struct str reader, const struct entries *is,
    const struct entries *wanted, struct changes *out)
{
	int64_t old = clock_now(d->clock) - FEED_MS + FEED_EDGE_MS;

	for (size_t i = 0; i < wanted->count; i++) {
		const struct feed_entry *entry = &wanted->all[i], *there = entries_find(is, entry);

		if (entry->published > old &&
		    (there == NULL || !feed_same_names(&there->authors, &entry->authors)))
			out->writes[out->count++] = (struct write){.kind = WRITE_PUT,
			    .item = feed_entry_item(d->call->arena, reader, entry)};
	}
}

static void
drop(struct derive *d, struct str reader, const struct feed_entry *entry, struct changes *out)
{
	out->writes[out->count++] = (struct write){.kind = WRITE_DELETE,
	    .key = key_feed_entry(d->call->arena, reader, entry->published, entry->post)};
}

/*
 * Drops those of some entries that do not belong into the feed by what the posts say themselves: an index, from which the
 * others are known, may be behind.
 */
static enum table_rc
drop_wrong(struct derive *d, const struct reader *reader, const struct entries *doubtful,
    struct changes *out)
{
	for (size_t at = 0; at < doubtful->count; at += TOGETHER) {
		struct read heads[TOGETHER];
		size_t count = 0;
		enum table_rc rc;

		for (; at + count < doubtful->count && count < TOGETHER; count++)
			heads[count] = feed_get(key_post(d->call->arena, doubtful->all[at + count].post));
		rc = table_read(d->table, d->call, heads, count);
		if (rc != TABLE_OK)
			return rc;
		for (size_t i = 0; i < count; i++) {
			const struct feed_entry *entry = &doubtful->all[at + i];
			struct post post = {.published = 0};

			if (heads[i].item != NULL)
				post_from_item(d->call->arena, heads[i].item, &post);
			if (post.published != entry->published ||
			    !feed_wants(&post, reader->username, feed_is_among, &reader->follows))
				drop(d, reader->username, entry, out);
		}
	}
	return TABLE_OK;
}

static struct changes
changes_of(struct arena *arena, const struct entries *is, const struct entries *wanted)
{
	return (struct changes){ARENA_ARRAY(arena, is->count + wanted->count + 1, struct write), 0};
}

/* --- A reader ------------------------------------------------------------------------------------------ */

struct followed {
	struct arena *arena;
	struct str *names;
	size_t count, capacity;
};

static enum table_rc
take_followed(struct derive *d, const struct item *found, size_t count, void *context)
{
	struct followed *all = context;

	(void)d;
	for (size_t i = 0; i < count; i++) {
		if (!follow_counts(follow_status(&found[i])))
			continue;
		if (all->count == all->capacity) {
			size_t size = all->capacity * sizeof(*all->names);

			all->capacity = 2 * all->capacity + 64;
			all->names = arena_grow(
			    all->arena, all->names, size, all->capacity * sizeof(*all->names));
		}
		all->names[all->count++] =
		    str_dup(all->arena, item_string(&found[i], STR("Followed")));
	}
	return TABLE_OK;
}

/* Whom they follow: sorted, as the keys are. */
static enum table_rc
read_follows(struct derive *d, const struct strings_value *merged, struct reader *reader)
{
	struct followed all = {.arena = d->call->arena};
	struct query query = query_following(d->call->arena, reader->username);
	struct str *put;
	size_t count = 0;
	enum table_rc rc;

	query.limit = TABLE_QUERY_MAX;
	query.consistent = true;
	rc = derive_pages(d, query, take_followed, &all);
	put = ARENA_ARRAY(d->call->arena, all.count, struct str);
	for (size_t i = 0; i < all.count; i++)
		if (!feed_is_among(merged, all.names[i]))
			put[count++] = all.names[i];
	reader->follows = (struct strings_value){all.names, all.count};
	reader->put = (struct strings_value){put, count};
	return rc;
}

/* The newest of them, if the feed is filled just now. *from: the first that is there, 0 if all are. */
static void
cut(struct entries *wanted, const struct item *filled, int64_t *from)
{
	*from = 0;
	if (filled != NULL)
		(void)time_parse(item_string(filled, STR("From")), from);
	else if (wanted->count > FEED_ENTRIES_MAX)
		*from = wanted->all[FEED_ENTRIES_MAX - 1].published;
	while (wanted->count != 0 && wanted->all[wanted->count - 1].published < *from)
		wanted->count--;
}

/*
 * What is there was read before what should be: a post that was put there meanwhile is among what should be, or among
 * what the posts themselves are asked of.
 */
static enum table_rc
put_right(struct derive *d, const struct reader *reader, const struct entries *is,
    const struct entries *wanted, int64_t cut_at)
{
	struct changes changes = changes_of(d->call->arena, is, wanted);
	struct entries doubtful = {.arena = d->call->arena};
	enum table_rc rc;

	add_missing(d, reader->username, is, wanted, &changes);
	for (size_t i = 0; i < is->count; i++) {
		if (is->all[i].published < cut_at)
			drop(d, reader->username, &is->all[i], &changes);
		else if (entries_find(wanted, &is->all[i]) == NULL)
			entries_add(&doubtful, &is->all[i]);
	}
	rc = drop_wrong(d, reader, &doubtful, &changes);
	return rc == TABLE_OK ? derive_writes(d, changes.writes, changes.count) : rc;
}

/* When it was filled, and whether that is so long ago that it is time to look through it as a whole. */
static bool
is_filled(const struct item *state, const struct item *fill)
{
	int64_t seen = 0, filled = 0;

	if (fill == NULL)
		return false;
	(void)time_parse(item_string(state, STR("SeenAt")), &seen);
	(void)time_parse(item_string(fill, STR("FilledAt")), &filled);
	return seen - filled < FILLED_MS;
}

/* That the feed is whole from then on, for as long as all is put into it for certain. `fill`: what it says until now. */
static enum table_rc
note_filled(struct derive *d, struct str username, const struct item *state,
    const struct item *fill, const struct item *filled)
{
	struct arena *arena = d->call->arena;
	struct write write = {.kind = WRITE_PUT};
	struct item item = {.count = 0};

	key_set(arena, &item, key_feed_fill(arena, username), ITEM_FEED_FILL);
	item_set(arena, &item, TABLE_EXPIRES, value_number(item_number(state, TABLE_EXPIRES)));
	for (size_t i = 0; i < filled->count; i++)
		item_set(arena, &item, filled->attributes[i].name, filled->attributes[i].value);
	if (fill != NULL && item_eq(fill, &item))
		return TABLE_OK;
	write.item = item;
	return derive_writes(d, &write, 1);
}

/* What is in the feed by what should be; *from: it is whole from then on. `fill`: NULL: it is filled just now. */
static enum table_rc
look_through(struct derive *d, struct str username, const struct strings_value *merged,
    const struct item *fill, int64_t *from)
{
	struct reader reader = {.username = username};
	struct entries is, wanted = {.arena = d->call->arena};
	enum table_rc rc = read_entries(d, username, &is);

	if (rc == TABLE_OK)
		rc = read_follows(d, merged, &reader);
	if (rc == TABLE_OK)
		rc = collect(d, &reader, reader.put.strings, reader.put.count,
		    clock_now(d->clock) - FEED_MS, &wanted);
	if (rc != TABLE_OK)
		return rc;
	cut(&wanted, fill, from);
	return put_right(d, &reader, &is, &wanted, fill == NULL ? *from : 0);
}

/* Who has not seen theirs for long has what is left of it until it expires. */
enum table_rc
feed_derive_reader(struct derive *d, struct str username)
{
	enum { STATE, FILL, MERGED, READS };
	struct arena *arena = d->call->arena;
	struct item filled = {.count = 0};
	struct strings_value merged;
	bool was_filled;
	int64_t from = 0;
	struct read reads[READS] = {[STATE] = feed_get(key_feed_state(arena, username)),
	    [FILL] = feed_get(key_feed_fill(arena, username)),
	    [MERGED] = feed_get(key_feed_merged())};
	const struct item *state, *fill;
	enum table_rc rc = table_read(d->table, d->call, reads, READS);

	state = reads[STATE].item;
	fill = reads[FILL].item;
	if (rc != TABLE_OK || state == NULL)
		return rc;
	was_filled = is_filled(state, fill);
	if (was_filled)
		(void)time_parse(item_string(fill, STR("From")), &from);
	merged = feed_authors_in(arena, reads[MERGED].item);
	if (!was_filled || d->whole)
		rc = look_through(d, username, &merged, was_filled ? fill : NULL, &from);
	if (from != 0)
		item_set(arena, &filled, STR("From"), value_string(time_format(arena, from)));
	item_set(arena, &filled, STR("FilledAt"),
	    value_string(item_string(was_filled ? fill : state,
		was_filled ? STR("FilledAt") : STR("SeenAt"))));
	return rc == TABLE_OK ? note_filled(d, username, state, fill, &filled) : rc;
}

/* --- A follow ------------------------------------------------------------------------------------------ */

/* What the author has published comes into the feed. */
static enum table_rc
begin_follow(struct derive *d, const struct reader *reader, struct str author, int64_t from)
{
	struct entries is, wanted = {.arena = d->call->arena};
	struct changes changes;
	int64_t since = clock_now(d->clock) - FEED_MS;
	enum table_rc rc = read_entries(d, reader->username, &is);

	if (rc == TABLE_OK)
		rc = collect(d, reader, &author, 1, since > from ? since : from, &wanted);
	if (rc != TABLE_OK)
		return rc;
	changes = changes_of(d->call->arena, &is, &wanted);
	add_missing(d, reader->username, &is, &wanted, &changes);
	return derive_writes(d, changes.writes, changes.count);
}

/* What the author has written goes, unless with somebody else who is followed. */
static enum table_rc
end_follow(struct derive *d, struct reader *reader, const struct strings_value *merged,
    struct str author)
{
	struct entries is, doubtful = {.arena = d->call->arena};
	struct changes changes;
	enum table_rc rc = read_entries(d, reader->username, &is);

	for (size_t i = 0; rc == TABLE_OK && i < is.count; i++)
		if (feed_is_among(&is.all[i].authors, author))
			entries_add(&doubtful, &is.all[i]);
	if (rc != TABLE_OK || doubtful.count == 0)
		return rc;
	rc = read_follows(d, merged, reader);
	changes = changes_of(d->call->arena, &is, &doubtful);
	if (rc == TABLE_OK)
		rc = drop_wrong(d, reader, &doubtful, &changes);
	return rc == TABLE_OK ? derive_writes(d, changes.writes, changes.count) : rc;
}

/* A feed that is not filled gets all of it when it is; a rebuild looks through it as a whole. */
enum table_rc
feed_derive_follow(struct derive *d, struct str subject)
{
	enum { STATE, FILL, MERGED, FOLLOW, READS };
	struct arena *arena = d->call->arena;
	struct str author, username = str_cut(subject, '\t', &author);
	struct reader reader = {.username = username, .follows = {&author, 1}, .put = {&author, 1}};
	struct strings_value merged;
	int64_t from = 0;
	struct read reads[READS] = {[STATE] = feed_get(key_feed_state(arena, username)),
	    [FILL] = feed_get(key_feed_fill(arena, username)),
	    [MERGED] = feed_get(key_feed_merged()),
	    [FOLLOW] = follow_read(arena, username, author)};
	enum table_rc rc;

	if (d->whole)
		return TABLE_OK;
	rc = table_read(d->table, d->call, reads, READS);
	if (rc != TABLE_OK || reads[STATE].item == NULL || reads[FILL].item == NULL)
		return rc;
	merged = feed_authors_in(arena, reads[MERGED].item);
	(void)time_parse(item_string(reads[FILL].item, STR("From")), &from);
	if (!follow_holds(&reads[FOLLOW]))
		return end_follow(d, &reader, &merged, author);
	return feed_is_among(&merged, author) ? TABLE_OK : begin_follow(d, &reader, author, from);
}

/*
 * Who follows a post's comments, a thread, a tag or a category (model/reader/watch.h) is told of what is new there. Only who
 * followed it before: so it does not matter how often this is done, and nobody is told of what was said before.
 */
#include "derive/rows.h"

#include "base/arena.h"
#include "base/clock.h"
#include "derive/tell.h"
#include "model/key.h"
#include "model/key_follow.h"
#include "model/key_moderation.h"
#include "model/post/category.h"
#include "model/post/post.h"
#include "model/reader/comment.h"
#include "model/reader/flag.h"
#include "model/reader/follow.h"
#include "model/reader/hidden.h"
#include "model/reader/watch.h"

enum { PAGE = 50 };

/* Of one thing that is followed, what is new there. */
struct watchers {
	struct str subject;
	const struct tells *fact;
	const struct post *post;
	struct told_page page;
};

static bool
follows_by(struct arena *arena, const struct item *item, int64_t at)
{
	struct watch watch;

	if (item == NULL)
		return false;
	watch_from_item(arena, item, &watch);
	return watch.created < at;
}

/* --- Comments ---------------------------------------------------------------------------------------- */

static enum table_rc
tell_listener(struct derive *d, const struct watchers *w, struct str to)
{
	bool may_read;
	enum table_rc rc = tell_may_read(d, w->post, to, &may_read);

	return rc == TABLE_OK && may_read ? tell_one(d, w->fact, to, w->page.what, w->page.target) : rc;
}

/*
 * Of a comment who follows its thread and who follows all comments on its post are told in the same notification, that of the
 * post: so whoever does both, or first one and then the other, is told once.
 */
static enum table_rc
tell_listeners(struct derive *d, const struct item *found, size_t count, void *context)
{
	struct arena *arena = d->call->arena;
	struct watchers w = *(const struct watchers *)context;
	struct str *to = ARENA_ARRAY(arena, count, struct str);
	enum table_rc rc;

	for (size_t i = 0; i < count; i++)
		if (follows_by(arena, &found[i], w.fact->at))
			to[w.page.count++] = item_string(&found[i], STR("Username"));
	w.page.to = to;
	rc = told_page_note(d, w.subject, w.fact, &w.page);
	for (size_t i = 0; rc == TABLE_OK && i < w.page.count; i++)
		rc = tell_listener(d, &w, to[i]);
	return rc;
}

/* Does anybody follow one of the two? */
static enum table_rc
look_for_listeners(struct derive *d, const struct query queries[2], bool *some)
{
	struct read reads[2];
	enum table_rc rc;

	for (size_t i = 0; i < 2; i++) {
		reads[i] = (struct read){.kind = READ_QUERY, .query = queries[i]};
		reads[i].query.limit = 1;
	}
	rc = table_read(d->table, d->call, reads, 2);
	*some = rc == TABLE_OK && reads[0].found_count + reads[1].found_count != 0;
	return rc;
}

/* Of answers to what is flagged nobody is told until somebody has decided on that. */
static enum table_rc
is_under_flag(struct derive *d, const struct tells *fact, bool *out)
{
	struct arena *arena = d->call->arena;
	struct str parent = comment_path_parent(fact->comment);
	const struct flag_target target = {.what = FLAG_COMMENT, .path = parent};
	struct flagged flagged;
	struct read read = {.kind = READ_GET, .consistent = true};
	enum table_rc rc;

	*out = false;
	if (parent.len == 0)
		return TABLE_OK;
	read.key = key_flagged(arena, key_flag_target(arena, &target));
	rc = table_read(d->table, d->call, &read, 1);
	if (rc != TABLE_OK || read.item == NULL)
		return rc;
	flagged_from_item(arena, read.item, &flagged);
	*out = flagged.status == FLAGGED_OPEN;
	return TABLE_OK;
}

enum table_rc
watchers_tell_comment(
    struct derive *d, struct str subject, const struct tells *fact, const struct post *post)
{
	struct arena *arena = d->call->arena;
	const struct watch_target thread = {
	    WATCH_THREAD, comment_path_root(fact->comment), fact->post},
				  all = {WATCH_POST, .post = fact->post};
	struct query queries[] = {query_watchers(arena, &thread), query_watchers(arena, &all)};
	struct watchers w = {
	    subject, fact, post, {.what = NOTE_THREAD, .target = fact->post}};
	bool some, flagged = false;
	enum table_rc rc;

	if (told_too_late(d, fact->at))
		return TABLE_OK;
	rc = look_for_listeners(d, queries, &some);
	if (rc == TABLE_OK && some)
		rc = is_under_flag(d, fact, &flagged);
	for (int i = 0; rc == TABLE_OK && some && !flagged && i < 2; i++) {
		w.page.list = i;
		queries[i].limit = PAGE;
		rc = derive_pages(d, queries[i], tell_listeners, &w);
	}
	return rc;
}

/* --- Posts -------------------------------------------------------------------------------------------- */

/* Which shelves were asked about before, whose followers were told: in one batch with the authors. */
enum { BEFORE_MAX = 64 };

/*
 * So much is done at a time, lest other changes wait: who is told is a read or two and a write, who is not has been read with
 * others.
 */
enum { WORK_MAX = 2000, WORK_OF_ONE = 1, WORK_OF_TOLD = 20 };

/* A list of people to whom a post is told, of several. */
struct readers {
	struct watchers of;
	const struct watch_target *before;
	size_t before_count;
};

/* Were they told already, as one who follows another shelf or an author; or have they muted a tag of it? */
static enum table_rc
is_spared(struct derive *d, const struct readers *r, struct str to, bool *out)
{
	struct arena *arena = d->call->arena;
	const struct post *post = r->of.post;
	size_t before = r->before_count < BEFORE_MAX ? r->before_count : BEFORE_MAX, count = 0;
	struct key *keys = ARENA_ARRAY(arena, before + 2 + post->other_count, struct key);
	struct read read = {.kind = READ_BATCH, .consistent = true};
	struct hidden hidden;
	enum table_rc rc;

	keys[count++] = key_hidden(arena, to);
	for (size_t i = 0; i < before; i++)
		keys[count++] = key_watch(arena, to, &r->before[i]);
	keys[count++] = key_follow(arena, to, post->author);
	for (size_t i = 0; i < post->other_count; i++)
		keys[count++] = key_follow(arena, to, post->others[i].username);
	read.batch.keys = keys;
	read.batch.count = count;
	rc = table_read(d->table, d->call, &read, 1);
	if (rc != TABLE_OK)
		return rc;
	*out = false;
	for (size_t i = 1; i < count; i++)
		*out = *out || (i <= before ? follows_by(arena, read.items[i], r->of.fact->at)
					    : follow_tells(read.items[i]));
	hidden_from_item(arena, read.items[0], &hidden);
	for (size_t i = 0; i < post->tags.count; i++)
		*out = *out || hidden_has(&hidden.muted_tags, post->tags.strings[i]);
	return TABLE_OK;
}

/* Who is to be told, of a list of those who follow a shelf or an author: a username; empty: not this one. */
static struct str
reader_of(struct derive *d, const struct readers *r, const struct item *item)
{
	if (r->of.page.what == NOTE_POST)
		return follow_tells(item) ? item_string(item, STR("Follower")) : STR("");
	return follows_by(d->call->arena, item, r->of.fact->at) ? item_string(item, STR("Username"))
								: STR("");
}

static enum table_rc
tell_reader(struct derive *d, const struct readers *r, struct str to)
{
	const struct told_page *page = &r->of.page;
	bool spared = false;
	enum table_rc rc = TABLE_OK;

	if (page->what != NOTE_POST)
		rc = is_spared(d, r, to, &spared);
	return rc == TABLE_OK && !spared ? tell_one(d, r->of.fact, to, page->what, page->target) : rc;
}

static enum table_rc
tell_page(struct derive *d, struct readers *r, const struct item *found, size_t count, int *work)
{
	struct str *to = ARENA_ARRAY(d->call->arena, count, struct str);
	enum table_rc rc;

	r->of.page.to = to;
	r->of.page.count = 0;
	for (size_t i = 0; i < count; i++) {
		struct str reader = reader_of(d, r, &found[i]);

		if (reader.len != 0)
			to[r->of.page.count++] = reader;
		*work += reader.len != 0 ? WORK_OF_TOLD : WORK_OF_ONE;
	}
	rc = told_page_note(d, r->of.subject, r->of.fact, &r->of.page);
	for (size_t i = 0; rc == TABLE_OK && i < r->of.page.count; i++)
		rc = tell_reader(d, r, to[i]);
	return rc;
}

/* Goes on with a list, as far as the work may go. */
static enum table_rc
tell_readers(struct derive *d, struct readers *r, struct query query, struct str *cursor, int *work)
{
	enum table_rc rc;

	do {
		struct item *found;
		size_t count;

		query.limit = PAGE;
		query.cursor = *cursor;
		rc = table_query(d->table, d->call, &query, &found, &count, cursor);
		if (rc == TABLE_OK)
			rc = tell_page(d, r, found, count, work);
	} while (rc == TABLE_OK && cursor->len != 0 && *work < WORK_MAX);
	return rc;
}

/* What a post is in: its tags; its category, all above it, and all that were merged into one of these. */
struct shelves {
	struct watch_target *all;
	size_t count;
};

static void
add_shelf(struct shelves *s, enum watch_what what, struct str name)
{
	s->all[s->count++] = (struct watch_target){.what = what, .name = name};
}

static enum table_rc
find_shelves(struct derive *d, const struct post *post, struct shelves *out)
{
	struct arena *arena = d->call->arena;
	struct read read = {.kind = READ_QUERY, .query = query_categories()};
	struct category_tree tree;
	enum table_rc rc;

	read.query.limit = TABLE_QUERY_MAX;
	rc = table_read(d->table, d->call, &read, 1);
	if (rc != TABLE_OK)
		return rc;
	tree = category_tree(arena, read.found, read.found_count, NULL, 0);
	out->all = ARENA_ARRAY(
	    arena, post->tags.count + read.found_count, struct watch_target);
	for (size_t i = 0; i < post->tags.count; i++)
		add_shelf(out, WATCH_TAG, post->tags.strings[i]);
	for (const struct category *c = category_find(&tree, post->category); c != NULL; c = c->parent) {
		add_shelf(out, WATCH_CATEGORY, c->slug);
		for (size_t i = 0; i < tree.merged_count; i++)
			if (category_find(&tree, tree.merged[i].slug) == c)
				add_shelf(out, WATCH_CATEGORY, tree.merged[i].slug);
	}
	return TABLE_OK;
}

/*
 * The lists of a post, one after another: who follows its authors, of one for followers those of who wrote it first; then of a
 * public one who follows its shelves. False: there is no such list.
 */
static bool
find_list(struct derive *d, const struct post *post, const struct shelves *shelves, int64_t number,
    struct readers *r, struct query *query)
{
	size_t authors = post_is_public(post) ? 1 + post->other_count : 1, n = (size_t)number;

	r->of.page.list = number;
	if (n < authors) {
		r->of.page.what = NOTE_POST;
		*query = query_followers(d->call->arena,
		    n == 0 ? post->author : post->others[n - 1].username);
		return true;
	}
	n -= authors;
	if (!post_is_public(post) || n >= shelves->count)
		return false;
	r->of.page.what = shelves->all[n].what == WATCH_TAG ? NOTE_TAG : NOTE_CATEGORY;
	r->before = shelves->all;
	r->before_count = n;
	*query = query_watchers(d->call->arena, &shelves->all[n]);
	return true;
}

enum table_rc
watchers_tell_post(
    struct derive *d, struct str subject, const struct tells *fact, const struct post *post)
{
	struct readers r = {.of = {subject, fact, post, {.target = post->id}}};
	struct shelves shelves = {.count = 0};
	struct told_part part;
	struct query query;
	int work = 0;
	enum table_rc rc = told_part_load(d, subject, &part);

	if (rc == TABLE_OK)
		rc = find_shelves(d, post, &shelves);
	while (rc == TABLE_OK && find_list(d, post, &shelves, part.list, &r, &query)) {
		if (work >= WORK_MAX)
			return told_part_store(d, subject, fact->at, &part);
		rc = tell_readers(d, &r, query, &part.cursor, &work);
		/* It was another version's: from the beginning, as telling twice is telling once. */
		if (rc == TABLE_BAD_CURSOR) {
			part.cursor = STR("");
			rc = tell_readers(d, &r, query, &part.cursor, &work);
		}
		part.list += part.cursor.len == 0;
	}
	return rc == TABLE_OK ? told_part_store(d, subject, fact->at, NULL) : rc;
}

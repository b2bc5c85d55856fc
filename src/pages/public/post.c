/*
 * GET /post/<slug> and /page/<slug>: a post of any kind, its thread, its reviews, and related
 * posts.
 *
 * A post's id is its first slug, so the first round trip reads the post's head and numbers by the slug, the claim of the
 * slug, its threads, and the collections that it is in. Then there are two cases. Mostly the head is found, and if it may be
 * shown, the second trip reads the rest of it, its text and its comments, and what depends on it: its author, its
 * reviews, its neighbours, the names of its collections. A renamed post is found by the claim, and the second trip reads
 * the post itself; then its author's profile is left out, its neighbours are the newest posts, its comments are in reading
 * order where they are many, collections are not shown, and the parts of its series have numbers for titles, so that it
 * never takes three.
 *
 * A hidden post takes as long as a missing one: both make all trips, though there is nothing to show, and of neither is
 * more read than a head, however long its text is.
 */
#include "base/arena.h"
#include "base/clock.h"
#include "model/key_comment.h"
#include "model/key_post.h"
#include "model/post/collection.h"
#include "model/post/count.h"
#include "model/post/post_read.h"
#include "model/reader/discussion.h"
#include "model/reader/follow.h"
#include "model/reader/rating.h"
#include "model/reader/read_mark.h"
#include "model/reader/tally.h"
#include "model/slug.h"
#include "pages/public/post_view.h"
#include "pages/routes.h"
#include "pages/shared/lists.h"
#include "pages/shared/plan.h"
#include "pages/shared/publication.h"
#include "table/cursor_key.h"
#include "web/session/csrf.h"

enum { REVIEWS_SHOWN = 20, MORE = 3, COLLECTIONS_SHOWN = 5, COLLECTIONS_READ = COLLECTIONS_SHOWN + 2 };

TEMPLATE(article_template, "article", post_view)
TEMPLATE(link_template, "link", post_view)
TEMPLATE(howto_template, "howto", post_view)
TEMPLATE(note_template, "note", post_view)
TEMPLATE(page_template, "page", post_view)

/* --- Loading ------------------------------------------------------------------------------------- */

/* Where lists on the page begin: cursors, empty for the beginning; and the order of threads. */
struct beginnings {
	struct str comments, threads, reviews;
	enum thread_order order;
};

static bool
take_beginnings(struct request *rq, struct beginnings *from)
{
	return list_cursor_of(rq, "after", &from->comments) &&
	       list_cursor_of(rq, "threads", &from->threads) &&
	       list_cursor_of(rq, "reviews", &from->reviews) &&
	       thread_order_of(request_query(rq, "comments"), &from->order);
}

/* What the first trip asks for by the slug; a page has no lists. */
enum {
	BY_SLUG_HEAD,
	BY_SLUG_STATS,
	BY_SLUG_CLAIM,
	BY_SLUG_THREADS,
	BY_SLUG_COLLECTIONS,
	BY_SLUG_READS
};

/* --- The thread ---------------------------------------------------------------------------------- */

/* All comments in reading order, or as many as a page shows. */
static struct read
read_comments(struct request *rq, struct str id, const struct beginnings *from)
{
	struct read read = {.kind = READ_QUERY, .query = query_comments(rq->arena, id)};

	comments_limit(&read, COMMENTS_SHOWN);
	read.query.cursor = from->comments;
	return read;
}

static struct read
read_threads(struct request *rq, struct str id, const struct beginnings *from)
{
	struct read read = {.kind = READ_QUERY, .query = query_threads(rq->arena, id, from->order)};

	read.query.limit = ROOTS_SHOWN;
	read.query.cursor = from->threads;
	return read;
}

/* The threads of a page: those that are pinned stand first on the first one, and nowhere else. */
struct roots {
	struct tally tallies[ROOTS_SHOWN];
	size_t count, pinned;
	struct str next; /* the cursor of the next page */
};

static void
choose_roots(struct request *rq, const struct post *post, const struct read *threads,
    const struct beginnings *from, struct roots *out)
{
	*out = (struct roots){.next = threads->next};
	for (size_t i = 0; from->threads.len == 0 && i < post->pinned.count; i++)
		if (out->pinned < DISCUSSION_PINNED_MAX)
			out->tallies[out->pinned++].root = post->pinned.strings[i];
	out->count = out->pinned;
	for (size_t i = 0; i < threads->found_count; i++) {
		struct tally tally;

		tally_from_item(&threads->found[i], &tally);
		if (discussion_has(&post->pinned, tally.root))
			continue;
		if (out->count == ROOTS_SHOWN) {
			out->next = cursor_key_write(
			    rq->arena, &threads->query, &threads->found[i - 1]);
			return;
		}
		out->tallies[out->count++] = tally;
	}
}

/* Each with its first replies; and the tallies of those that are pinned. */
static size_t
read_roots(struct request *rq, struct str id, const struct roots *roots, struct read *reads)
{
	struct key *keys = ARENA_ARRAY(rq->arena, roots->pinned, struct key);

	for (size_t i = 0; i < roots->count; i++) {
		reads[i] = (struct read){.kind = READ_QUERY,
		    .query = query_thread(rq->arena, id, roots->tallies[i].root)};
		comments_limit(&reads[i], 1 + REPLIES_SHOWN);
	}
	if (roots->pinned == 0)
		return roots->count;
	for (size_t i = 0; i < roots->pinned; i++)
		keys[i] = key_tally(rq->arena, id, roots->tallies[i].root);
	reads[roots->count] =
	    (struct read){.kind = READ_BATCH, .batch = {keys, roots->pinned}};
	return roots->count + 1;
}

static void
take_roots(
    struct request *rq, struct roots *roots, struct read *reads, struct post_shown *out)
{
	size_t count = roots->count;
	struct item *items = ARENA_ARRAY(rq->arena, 2 * COMMENTS_SHOWN, struct item);
	size_t item_count = 0;

	for (size_t i = 0; i < count; i++) {
		comments_cut(rq->arena, &reads[i], 1 + REPLIES_SHOWN);
		for (size_t n = 0; n < reads[i].found_count; n++)
			items[item_count++] = reads[i].found[n];
	}
	out->thread = thread_from_items(rq->arena, items, item_count, rq->viewer);
	out->thread_more = roots->next;
	for (size_t i = 0; i < roots->pinned; i++)
		if (reads[count].items[i] != NULL)
			tally_from_item(reads[count].items[i], &roots->tallies[i]);
	for (size_t i = 0, t = 0; i < out->thread.count; i += out->thread.comments[i].below + 1) {
		struct comment *root = &out->thread.comments[i];

		/* Both have the same order; hidden roots are left out here. */
		while (t < count && !str_eq(roots->tallies[t].root, root->path))
			t++;
		if (t < count && roots->tallies[t].replies > (int64_t)root->below)
			root->more = (size_t)roots->tallies[t].replies - root->below;
	}
}

static void
take_comments(struct request *rq, struct read *comments, const struct beginnings *from,
    struct post_shown *out)
{
	comments_cut(rq->arena, comments, COMMENTS_SHOWN);
	out->thread = thread_from_items(
	    rq->arena, comments->found, comments->found_count, rq->viewer);
	out->thread_more = comments->next;
	/* A part of a thread is in the order in which it was read. */
	if (from->comments.len == 0 && comments->next.len == 0)
		thread_sort(rq->arena, &out->thread, from->order);
	else
		out->order = THREAD_OLDEST;
	if (from->comments.len == 0)
		thread_pin(rq->arena, &out->thread, &out->post.pinned);
}

/* The newest comments of a renamed post: its threads are found by their paths alone, as the claim takes a trip already. */
static struct read
read_newest(struct request *rq, struct str id, const struct beginnings *from)
{
	struct read read = read_comments(rq, id, from);

	read.query.descending = true;
	return read;
}

static bool
is_root(const struct item *item)
{
	struct str path = key_comment_path(item_key(item).sk);

	return !kind_is(item, ITEM_COMMENT_VOTES) && str_eq(path, comment_path_root(path));
}

/* From the end, as many whole threads as a page shows; at least one, if its root was read. False: it was not. */
static bool
choose_newest(const struct item *items, size_t count, size_t *first)
{
	size_t comments = 0;
	bool some = false;

	for (size_t i = count; i-- > 0;) {
		comments += !kind_is(&items[i], ITEM_COMMENT_VOTES);
		if (some && comments > COMMENTS_SHOWN)
			break;
		if (!is_root(&items[i]))
			continue;
		*first = i;
		some = true;
	}
	return some;
}

/* What was read from the end, in reading order, from a root on; the next page goes on before that. */
static void
take_newest(struct request *rq, const struct read *read, const struct beginnings *from,
    struct post_shown *out)
{
	size_t count = read->found_count, first = 0;
	struct item *items = ARENA_ARRAY(rq->arena, count + 1, struct item);
	struct str path;

	for (size_t i = 0; i < count; i++)
		items[i] = read->found[count - 1 - i];
	if (count != 0 && !choose_newest(items, count, &first)) {
		/* One thread is longer than a page: it has a page of its own. */
		path = comment_path_root(key_comment_path(item_key(&items[0]).sk));
		out->long_thread = path;
		key_set(rq->arena, &items[count], key_comment(rq->arena, out->post.id, path),
		    ITEM_COMMENT);
		first = count;
	}
	if (first != 0 || read->next.len != 0)
		out->thread_more = cursor_key_write(rq->arena, &read->query, &items[first]);
	out->thread = thread_from_items(rq->arena, items + first, count - first, rq->viewer);
	out->order = from->comments.len == 0 && out->thread_more.len == 0 ? from->order
									  : THREAD_NEWEST;
	thread_sort(rq->arena, &out->thread, out->order);
	if (from->comments.len == 0)
		thread_pin(rq->arena, &out->thread, &out->post.pinned);
}

/*
 * If there are more comments than a page shows, and each thread has its tally, reads some threads
 * with their first replies; otherwise all by one query. Pages have no comments.
 */
static size_t
thread_reads(struct request *rq, const struct read *first, const struct beginnings *from,
    struct post_shown *out, struct roots *roots, struct read *reads)
{
	const struct item *stats = first[BY_SLUG_STATS].item;

	if (out->post.kind == KIND_PAGE)
		return 0;
	out->by_roots = stats != NULL && from->comments.len == 0 &&
			item_boolean(stats, STR("Threads")) &&
			item_number(stats, STR("Comments")) > COMMENTS_SHOWN;
	if (out->by_roots) {
		choose_roots(rq, &out->post, &first[BY_SLUG_THREADS], from, roots);
		return read_roots(rq, out->post.id, roots, reads);
	}
	reads[0] = read_comments(rq, out->post.id, from);
	return 1;
}

/* --- Loading ------------------------------------------------------------------------------------- */

/* False when the post does not exist. */
static bool
take_own(struct request *rq, const struct read *reads, struct post_shown *out)
{
	if (reads[POST_HEAD].item == NULL)
		return false;
	post_from_item(rq->arena, reads[POST_HEAD].item, &out->post);
	if (reads[POST_BODY].item != NULL)
		post_body_from_item(rq->arena, reads[POST_BODY].item, &out->body);
	post_stats_from_item(rq->arena, reads[POST_STATS].item, &out->stats);
	return true;
}

static struct read
read_reviews(struct request *rq, struct str id, struct str from)
{
	struct read read = {.kind = READ_QUERY, .query = query_ratings(rq->arena, id)};

	read.query.limit = REVIEWS_SHOWN;
	read.query.descending = true;
	read.query.cursor = from;
	return read;
}

static void
take_reviews(const struct read *read, struct post_shown *out)
{
	out->reviews = read->found;
	out->review_count = read->found_count;
	out->reviews_more = read->next;
}

/* The newest public collections that a post is in; what it is in a series comes before them. */
static struct read
read_collections(struct request *rq, struct str id)
{
	struct read read = {.kind = READ_QUERY, .query = query_collections_with(rq->arena, id)};

	read.query.limit = COLLECTIONS_READ;
	read.query.descending = true;
	return read;
}

/* The newest series that the post is a part of. */
static void
take_part(struct request *rq, const struct read *collections, struct post_shown *out)
{
	for (size_t i = 0; i < collections->found_count && out->part.part == 0; i++)
		if (kind_is(&collections->found[i], ITEM_SERIES_PART))
			series_part_from_item(rq->arena, &collections->found[i], &out->part);
}

/*
 * Their heads, without duplicates, as an index may have a moving post twice; and those of the parts beside it. False:
 * there are none.
 */
static bool
read_heads(struct request *rq, const struct read *collections, struct read *heads,
    const struct series_part *part)
{
	struct key *keys = ARENA_ARRAY(rq->arena, COLLECTIONS_READ + 2, struct key);
	size_t count = 0;

	for (size_t i = 0; i < collections->found_count; i++) {
		struct key key = key_collection(
		    rq->arena, item_string(&collections->found[i], STR("Collection")));

		if (list_place_of(keys, count, key) == count)
			keys[count++] = key;
	}
	if (part->before.len != 0)
		keys[count++] = key_post(rq->arena, part->before);
	if (part->after.len != 0)
		keys[count++] = key_post(rq->arena, part->after);
	*heads = (struct read){.kind = READ_BATCH, .batch = {keys, count}};
	return count != 0;
}

/* A part beside it: what is not public any more is none. */
static void
take_beside(struct request *rq, const struct item *head, struct post_shown *out)
{
	struct post post;

	post_from_item(rq->arena, head, &post);
	if (!post_visible_to(&post, NULL, rq->now))
		return;
	if (str_eq(post.id, out->part.before))
		out->part_before = post;
	else
		out->part_after = post;
}

/* The heads decide: a collection may have been made private just now, or be a series no more. */
static void
take_collections(struct request *rq, const struct read *heads, struct post_shown *out)
{
	struct collection *collections =
	    ARENA_ARRAY(rq->arena, heads->batch.count, struct collection);

	for (size_t i = 0; i < heads->batch.count; i++) {
		struct collection *c = &collections[out->collection_count];

		if (heads->items[i] == NULL)
			continue;
		if (kind_is(heads->items[i], ITEM_POST)) {
			take_beside(rq, heads->items[i], out);
			continue;
		}
		collection_from_item(rq->arena, heads->items[i], c);
		if (!collection_visible_to(c, NULL))
			continue;
		if (out->part.part != 0 && str_eq(c->id, out->part.collection) && c->series &&
		    post_written_by(&out->post, c->owner))
			out->series = *c;
		else
			out->collection_count += out->collection_count < COLLECTIONS_SHOWN;
	}
	out->collections = collections;
}

/* The viewer's own reactions, and the current numbers: others see the folded ones. */
enum { OWN_REACTIONS, OWN_COUNTS, VIEWER_READS };

static size_t
viewer_reads(struct request *rq, struct str id, struct read *reads)
{
	if (rq->viewer == NULL)
		return 0;
	reads[OWN_REACTIONS] = (struct read){
	    .kind = READ_QUERY, .query = query_reactions(rq->arena, rq->viewer->user.username, id)};
	reads[OWN_REACTIONS].query.limit = TABLE_QUERY_MAX;
	reads[OWN_COUNTS] = count_read(rq->arena, id);
	return VIEWER_READS;
}

static void
take_viewer(
    struct request *rq, const struct item *stats, const struct read *reads, struct post_shown *out)
{
	if (rq->viewer == NULL)
		return;
	reactions_take(rq->arena, &reads[OWN_REACTIONS], &out->mine);
	count_take(rq->arena, stats, &reads[OWN_COUNTS], &out->stats);
}

/* Other posts, without the one that is shown. */
static void
take_more(struct request *rq, const struct posts_query *query, const struct read *read,
    struct post_shown *out)
{
	struct post *others;
	struct posts posts;
	size_t count = 0;

	posts_take(rq->arena, query, read, NULL, rq->now, &posts);
	others = ARENA_ARRAY(rq->arena, MORE, struct post);
	for (size_t i = 0; i < posts.count && count < MORE; i++)
		if (!str_eq(posts.posts[i].id, out->post.id))
			others[count++] = posts.posts[i];
	out->more.posts = others;
	out->more.count = count;
}

/* What the second trip asks for. Of those that not every post has the places; NULL: it is not read. */
struct asked {
	struct read reads[POST_READS + ROOTS_SHOWN + 7 + VIEWER_READS];
	size_t count;
	struct read *threads, *author, *neighbours, *reviews, *follow, *collections, *quoted, *viewer;
	struct posts_query more;
	struct roots roots;
};

static struct read *
ask_also(struct asked *asked, struct read read)
{
	asked->reads[asked->count] = read;
	return &asked->reads[asked->count++];
}

static void
ask_around(struct request *rq, const struct beginnings *from, const struct read *first,
    struct post_shown *out, struct asked *asked)
{
	const struct post *post = &out->post;
	struct read some;
	size_t threads;

	asked->count = POST_READS;
	asked->neighbours = asked->reviews = asked->follow = asked->collections = asked->quoted = NULL;
	asked->more = (struct posts_query){
	    .of = POSTS_OF_CATEGORY, .name = post->category, .limit = MORE + 1};
	post_reads(rq->arena, post->id, false, asked->reads);
	threads = thread_reads(rq, first, from, out, &asked->roots, &asked->reads[asked->count]);
	asked->threads = threads != 0 ? &asked->reads[asked->count] : NULL;
	asked->count += threads;
	asked->author = ask_also(
	    asked, (struct read){.kind = READ_GET, .key = key_user(rq->arena, post->author)});
	out->more_by_category = post->category.len != 0;
	if (!out->more_by_category)
		asked->more.of = POSTS_ALL;
	if (post->kind != KIND_PAGE && posts_prepare(rq->arena, &asked->more, rq->now, &some))
		asked->neighbours = ask_also(asked, some);
	if (post->kind == KIND_LINK)
		asked->reviews = ask_also(asked, read_reviews(rq, post->id, from->reviews));
	if (rq->viewer != NULL)
		asked->follow = ask_also(
		    asked, follow_read(rq->arena, rq->viewer->user.username, post->author));
	if (post->kind != KIND_PAGE)
		take_part(rq, &first[BY_SLUG_COLLECTIONS], out);
	if (post->kind != KIND_PAGE &&
	    read_heads(rq, &first[BY_SLUG_COLLECTIONS], &some, &out->part))
		asked->collections = ask_also(asked, some);
	if (post->quotes.len != 0)
		asked->quoted = ask_also(asked,
		    (struct read){.kind = READ_GET, .key = key_post(rq->arena, post->quotes)});
	asked->viewer = &asked->reads[asked->count];
	asked->count += viewer_reads(rq, post->id, asked->viewer);
}

static void
take_author(struct request *rq, const struct read *author, struct post_shown *out)
{
	if (author->item == NULL)
		return;
	user_from_item(rq->arena, author->item, &out->author);
	user_withhold(&out->author);
	out->has_author = user_visible(&out->author) && may_show_profile(rq, &out->author, out->followed);
}

static void
take_around(struct request *rq, const struct beginnings *from, struct asked *asked,
    struct post_shown *out)
{
	if (out->by_roots)
		take_roots(rq, &asked->roots, asked->threads, out);
	else if (asked->threads != NULL)
		take_comments(rq, asked->threads, from, out);
	take_viewer(rq, asked->reads[POST_STATS].item, asked->viewer, out);
	take_author(rq, asked->author, out);
	if (asked->neighbours != NULL)
		take_more(rq, &asked->more, asked->neighbours, out);
	if (asked->reviews != NULL)
		take_reviews(asked->reviews, out);
	if (asked->collections != NULL)
		take_collections(rq, asked->collections, out);
	if (asked->quoted != NULL && asked->quoted->item != NULL)
		post_from_item(rq->arena, asked->quoted->item, &out->quoted);
}

/*
 * The second trip of a post that was found by its head and may be shown: the rest of it, and what
 * is related. Its text is of the same save as the head, which is read again where it is not: *head
 * is another one then.
 */
static enum http_status
load_around(struct request *rq, const struct beginnings *from, const struct read *first,
    const struct item **head, struct post_shown *out)
{
	struct asked asked;
	enum http_status status;

	ask_around(rq, from, first, out, &asked);
	/* All except the head and the numbers. */
	status = page_read(rq, asked.reads + POST_BODY, asked.count - POST_BODY);
	asked.reads[POST_HEAD].item = (struct item *)*head;
	asked.reads[POST_STATS].item = first[BY_SLUG_STATS].item;
	if (status == HTTP_OK)
		status = status_of(post_mend(rq->table, &rq->call, asked.reads));
	if (status != HTTP_OK)
		return status;
	if (!take_own(rq, asked.reads, out))
		return HTTP_NOT_FOUND;
	*head = asked.reads[POST_HEAD].item;
	out->followed = asked.follow != NULL && follow_holds(asked.follow);
	if (!may(rq->viewer, MAY_READ,
		thing_followed(thing_post(&out->post, rq->now), out->followed)))
		return HTTP_NOT_FOUND;
	take_around(rq, from, &asked, out);
	return HTTP_OK;
}

/* The second trip of a renamed post: the post itself, and what can be read without knowing it. */
static enum http_status
load_renamed(
    struct request *rq, struct str id, const struct beginnings *from, struct post_shown *out)
{
	struct posts_query newest = {.of = POSTS_ALL, .limit = MORE + 1};
	struct read reads[POST_READS + 4 + VIEWER_READS];
	size_t count = POST_READS, neighbours = SIZE_MAX, comments, reviews, collections, viewer;
	bool by_path = from->order != THREAD_OLDEST;
	enum http_status status;

	post_reads(rq->arena, id, false, reads);
	reads[comments = count++] =
	    by_path ? read_newest(rq, id, from) : read_comments(rq, id, from);
	reads[reviews = count++] = read_reviews(rq, id, from->reviews);
	reads[collections = count++] = read_collections(rq, id);
	if (posts_prepare(rq->arena, &newest, rq->now, &reads[count]))
		neighbours = count++;
	viewer = count;
	count += viewer_reads(rq, id, &reads[viewer]);
	status = page_read_post(rq, reads, count);
	if (status != HTTP_OK)
		return status;
	if (!take_own(rq, reads, out))
		return HTTP_NOT_FOUND;
	if (by_path)
		take_newest(rq, &reads[comments], from, out);
	else
		take_comments(rq, &reads[comments], from, out);
	take_viewer(rq, reads[POST_STATS].item, &reads[viewer], out);
	if (out->post.kind == KIND_LINK)
		take_reviews(&reads[reviews], out);
	take_part(rq, &reads[collections], out);
	if (neighbours != SIZE_MAX)
		take_more(rq, &newest, &reads[neighbours], out);
	return HTTP_OK;
}

/* A post for followers: is the viewer one? That takes another round trip. */
static enum http_status
check_followed(struct request *rq, const struct post *post)
{
	struct read read = follow_read(rq->arena, rq->viewer->user.username, post->author);
	enum http_status status = page_read(rq, &read, 1);

	if (status != HTTP_OK)
		return status;
	return follow_holds(&read) ? HTTP_OK : HTTP_NOT_FOUND;
}

/*
 * May it be shown at this address? A draft is 404, not 403: guessing slugs reveals nothing. Whether
 * the viewer follows its author is left to load_around(), if that comes and there is nothing to
 * answer before.
 */
static enum http_status
check(struct request *rq, struct response *rs, bool as_page, bool has_second_trip,
    const struct post *post)
{
	bool elsewhere =
	    !str_eq(post->slug, request_param(rq, "slug")) || (post->kind == KIND_PAGE) != as_page;
	enum http_status status = HTTP_OK;

	if (post_gone(post, rq->now))
		return HTTP_GONE;
	if (!post_visible_to_followers(post, rq->viewer, rq->now))
		return HTTP_NOT_FOUND;
	if (!post_visible_to(post, rq->viewer, rq->now) && (elsewhere || !has_second_trip))
		status = check_followed(rq, post);
	if (status == HTTP_OK && elsewhere)
		return redirect(rs, HTTP_MOVED, post_path(rq->arena, post));
	return status;
}

/* Loads and checks; HTTP_OK only for a post to be shown at this address. */
static enum http_status
load(struct request *rq, struct response *rs, bool as_page, struct post_shown *out)
{
	struct str slug = request_param(rq, "slug"), id;
	struct read reads[BY_SLUG_READS];
	const struct item *head;
	enum http_status status;
	struct beginnings from;

	if (!slug_valid(slug))
		return HTTP_NOT_FOUND;
	if (!take_beginnings(rq, &from))
		return HTTP_BAD_REQUEST;
	out->order = from.order;
	reads[BY_SLUG_HEAD] = (struct read){.kind = READ_GET, .key = key_post(rq->arena, slug)};
	reads[BY_SLUG_STATS] =
	    (struct read){.kind = READ_GET, .key = key_post_stats(rq->arena, slug)};
	reads[BY_SLUG_CLAIM] = (struct read){.kind = READ_GET, .key = key_slug(rq->arena, slug)};
	reads[BY_SLUG_THREADS] = read_threads(rq, slug, &from);
	reads[BY_SLUG_COLLECTIONS] = read_collections(rq, slug);
	status = page_read(rq, reads, as_page ? BY_SLUG_THREADS : BY_SLUG_READS);
	if (status != HTTP_OK)
		return status;
	if (reads[BY_SLUG_CLAIM].item == NULL)
		return HTTP_NOT_FOUND;
	id = item_string(reads[BY_SLUG_CLAIM].item, STR("Post"));
	if (!str_eq(id, slug)) {
		status = load_renamed(rq, id, &from, out);
		return status == HTTP_OK ? check(rq, rs, as_page, false, &out->post) : status;
	}
	head = reads[BY_SLUG_HEAD].item;
	if (head == NULL)
		return HTTP_NOT_FOUND;
	post_from_item(rq->arena, head, &out->post);
	status = check(rq, rs, as_page, true, &out->post);
	if (status == HTTP_OK)
		status = load_around(rq, &from, reads, &head, out);
	/* It was saved in between, and may not be for everybody any more. */
	if (status == HTTP_OK && head != reads[BY_SLUG_HEAD].item)
		status = check(rq, rs, as_page, true, &out->post);
	return status;
}

/* --- Answering ----------------------------------------------------------------------------------- */

enum http_status
post_respond(
    struct request *rq, struct response *rs, enum post_kind kind, const struct post_view *view)
{
	switch (kind) {
	case KIND_LINK: return respond(rq, rs, TEMPLATE_WITH(link_template, view));
	case KIND_HOWTO: return respond(rq, rs, TEMPLATE_WITH(howto_template, view));
	case KIND_NOTE: return respond(rq, rs, TEMPLATE_WITH(note_template, view));
	case KIND_PAGE: return respond(rq, rs, TEMPLATE_WITH(page_template, view));
	case KIND_ARTICLE: break;
	}
	return respond(rq, rs, TEMPLATE_WITH(article_template, view));
}

/*
 * Answers that there is nothing, after the same number of trips whatever was found: a member's post
 * may be for followers, which takes one more. `before`: the trips before the first.
 */
enum http_status
post_not_found(struct request *rq, uint32_t before)
{
	uint32_t trips = rq->viewer != NULL ? 3 : 2;
	struct read read = {
	    .kind = READ_GET, .key = key_slug(rq->arena, request_param(rq, "slug"))};
	enum http_status status = HTTP_OK;

	while (status == HTTP_OK && rq->call.cost.round_trips < before + trips)
		status = page_read(rq, &read, 1);
	return status == HTTP_OK ? HTTP_NOT_FOUND : status;
}

/* So that the next visit shows what is new. A failure does not matter to the page. */
static void
note_visit(struct request *rq, const struct post_shown *l)
{
	struct plan plan = plan_of(rq);

	(void)read_mark_note(&plan, l->mine.read_mark, l->post.id, thread_newest(&l->thread));
}

static enum http_status
show(struct request *rq, struct response *rs, bool as_page)
{
	struct post_shown *l = ARENA_NEW(rq->arena, struct post_shown);
	struct post_view *view = ARENA_NEW(rq->arena, struct post_view);
	uint32_t before = rq->call.cost.round_trips;
	enum http_status status = load(rq, rs, as_page, l);

	if (status == HTTP_NOT_FOUND && slug_valid(request_param(rq, "slug")))
		return post_not_found(rq, before);
	if (status != HTTP_OK)
		return status;
	rs->post_read = l->post.id;
	rs->unread = may(rq->viewer, MAY_SEE_MARKS, thing_post(&l->post, rq->now));
	post_view_fill_page(rq, l, view);
	if (view->react != NULL && rq->viewer != NULL)
		view->react_token = csrf_token(rq, rs);
	if (rq->viewer != NULL && l->thread.count != 0) {
		view->discussion_form = discussion_form(rq, rs, &l->post);
		view->vote_form = vote_form(rq, &l->post, csrf_token(rq, rs));
		note_visit(rq, l);
	}
	view->watch = watch_view_of_post(rq, rs, &l->post, STR(""), l->mine.watched);
	list_fresh(rq, rs);
	return post_respond(rq, rs, l->post.kind, view);
}

static enum http_status
show_post(struct request *rq, struct response *rs)
{
	return show(rq, rs, false);
}

static enum http_status
show_page(struct request *rq, struct response *rs)
{
	return show(rq, rs, true);
}

PAGE(post, .get = show_post, .query = QUERY("after", "comments", "reviews", "threads"))
PAGE(static, .get = show_page)

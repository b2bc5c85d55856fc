/*
 * bench/threads: what the first page of a post costs by how many comments it has.
 *
 * Four posts of the seed get 20 comments, 10,000 in threads of five, one root with 5,000 replies among 59 others, and 200 with
 * votes; each page, and that of this root, is made VIEWS times without the page cache, by turns, and the CPU time of the thread is compared with
 * that of the post with 20. Wanted: at most 3 times. Then a post whose numbers say that 60 like it, and as many do, becomes one that
 * 1,000,000 like, of whom 20,000 are there; its page and that of who likes it are compared with what they cost before. Wanted:
 * the same. On SQLite, in a build without sanitizers:
 *
 *	script/build opt bench/threads && build/opt/bench/threads
 */
#include "../t/pages/browser.h"

#include "../t/lib/tap.h"
#include "base/clock.h"
#include "model/key_comment.h"
#include "model/key_post.h"
#include "model/post/count.h"
#include "text/markdown.h"

#include <stdio.h>
#include <time.h>

enum { VIEWS = 300, ROUNDS = 5, BATCH = 25, POSTS = 4 };

static const struct {
	const char *post, *name;
	unsigned roots, replies, of_first;
	bool votes;
} posts[POSTS] = {
    {"a-tide-staff-for-your-window", "20 comments", 20, 0, 0, false},
    {"green-flash", "10,000 comments", 2000, 4, 4, false},
    {"salt-on-the-windows", "a root with 5,000 replies", 60, 0, 5000, false},
    {"samphire-drinks-the-sea", "200 comments with votes", 50, 3, 3, true},
};

struct bench {
	struct seeded s;
	struct item items[BATCH];
	size_t count;
	unsigned id;
	struct str addresses[POSTS + 1]; /* of the posts; and of the thread with most replies */
};

static void
flush(struct bench *b)
{
	if (b->count != 0)
		seeded_put(&b->s, b->items, b->count);
	b->count = 0;
}

static void
add(struct bench *b, struct item item)
{
	b->items[b->count++] = item;
	if (b->count == BATCH)
		flush(b);
}

static struct str
put_comment(struct bench *b, size_t p, struct str under)
{
	struct arena *arena = b->s.arena;
	struct str id = str_fmt(arena, "%014u", ++b->id), post = str_of(posts[p].post);
	struct str path = under.len == 0 ? id : STR_CONCAT(arena, under, STR("."), id);
	struct item item = {.count = 0}, votes = {.count = 0};
	struct comment c = {.id = id,
	    .post = post,
	    .author = STR("kofi"),
	    .author_name = STR("Kofi"),
	    .markdown = STR("The tide turns when it turns, and not when the table says so."),
	    .html = STR("<p>The tide turns when it turns, and not when the table says so.</p>\n"),
	    .renderer = MARKDOWN_RENDERER,
	    .status = COMMENT_VISIBLE,
	    .created = b->s.clock.fixed_now - 100000000 + b->id};

	key_set(arena, &item, key_comment(arena, post, path), ITEM_COMMENT);
	key_index_comment(arena, &item, c.author, c.created, id, false);
	bind_write(arena, &comment_bindings, &c, &item);
	add(b, item);
	if (!posts[p].votes)
		return path;
	key_set(arena, &votes, key_comment_votes(arena, post, path), ITEM_COMMENT_VOTES);
	item_set(arena, &votes, STR("Ups"), value_number(3));
	add(b, votes);
	return path;
}

static void
put_tally(struct bench *b, struct str post, struct str root, int64_t replies)
{
	struct arena *arena = b->s.arena;
	struct tally_places places = key_tally_places(arena, post, root, comment_score(0, 0));
	struct item item = {.count = 0};

	key_set(arena, &item, key_tally(arena, post, root), ITEM_TALLY);
	item_set(arena, &item, STR("GSI3PK"), value_string(places.threads));
	item_set(arena, &item, STR("GSI3SK"), value_string(places.place));
	item_set(arena, &item, STR("GSI4PK"), value_string(places.best));
	item_set(arena, &item, STR("GSI4SK"), value_string(places.best_place));
	item_set(arena, &item, STR("Replies"), value_number(replies));
	add(b, item);
}

static void
put_post(struct bench *b, size_t p)
{
	const char *pk = str_cstring(b->s.arena, str_fmt(b->s.arena, "POST#%s", posts[p].post));
	struct item stats = seeded_item(&b->s, pk, "STATS");
	unsigned comments = 0;

	for (unsigned i = 0; i < posts[p].roots; i++) {
		/* The newest root is the first on the page. */
		unsigned replies =
		    i + 1 == posts[p].roots ? posts[p].of_first : posts[p].replies;
		struct str root = put_comment(b, p, STR(""));

		for (unsigned r = 0; r < replies; r++)
			(void)put_comment(b, p, root);
		if (replies == 5000)
			b->addresses[POSTS] = str_fmt(b->s.arena, "/post/%s/thread/%.*s",
			    posts[p].post, STR_ARGS(root));
		put_tally(b, str_of(posts[p].post), root, replies);
		comments += 1 + replies;
	}
	flush(b);
	b->addresses[p] = str_fmt(b->s.arena, "/post/%s", posts[p].post);
	item_set(b->s.arena, &stats, STR("Comments"), value_number(comments));
	item_set(b->s.arena, &stats, STR("Threads"), value_boolean(true));
	seeded_put(&b->s, &stats, 1);
}

static double
cpu(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Microseconds for one page. */
static double
measure(struct bench *b, size_t p)
{
	struct request_input in = {.method = STR("GET"),
	    .uri = b->addresses[p],
	    .scheme = STR("https"),
	    .host = STR("slack.example"),
	    .content_length = -1};
	struct arena *arena = arena_new();
	double begin = cpu(), took;

	for (int i = 0; i < VIEWS; i++) {
		struct response rs;

		arena_reset(arena);
		site_respond(&b->s.site, &in, arena, &rs);
		if (rs.status != HTTP_OK || rs.cost.round_trips > 2)
			bail_out("%.*s is %d in %u trips", STR_ARGS(b->addresses[p]),
			    (int)rs.status, rs.cost.round_trips);
		response_release(&rs);
	}
	took = cpu() - begin;
	arena_free(arena);
	return took / VIEWS * 1e6;
}

/* --- Likes ------------------------------------------------------------------------------------------- */

#define LIKED "the-tide-in-forty-lines-of-c"
enum { FEW = 60, MANY = 20000, MILLION = 1000000, LIKES_VIEWS = 100 };

/* So many more people who like it, and numbers that say how many do in all. */
static void
like(struct bench *b, unsigned from, unsigned to, int64_t in_all)
{
	struct arena *arena = b->s.arena;
	struct table_call call = {.arena = arena};
	struct str post = STR(LIKED);
	bool done = false;

	for (unsigned i = from; i < to; i++) {
		struct str who = str_fmt(arena, "reader_%u", i);
		struct item like = {.count = 0};

		key_set(arena, &like, key_reaction(arena, who, post, "LIKE"), ITEM_LIKE);
		key_index_reaction(arena, &like, who, b->s.clock.fixed_now - i, post, "LIKE");
		item_set(arena, &like, STR("Author"), value_string(who));
		item_set(arena, &like, STR("AuthorName"), value_string(who));
		item_set(arena, &like, STR("CreatedAt"),
		    value_string(time_format(arena, b->s.clock.fixed_now - i)));
		item_set(arena, &like, STR("Feeling"), value_string(STR("like")));
		item_set(arena, &like, STR("Post"), value_string(post));
		add(b, like);
	}
	for (unsigned shard = 0; shard < COUNT_SHARDS; shard++) {
		struct item count = {.count = 0};

		key_set(arena, &count, key_count(arena, post, shard), ITEM_COUNT);
		item_set(arena, &count, STR("Likes"), value_number(in_all / COUNT_SHARDS));
		add(b, count);
	}
	flush(b);
	if (count_fold_post(b->s.table, &call, post, &done) != TABLE_OK || !done)
		bail_out("the likes can't be folded");
	table_release(b->s.table, &call);
}

/* Microseconds for the page of the post, for a stranger, and for that of who likes it, for its author. */
static void
measure_likes(struct bench *b, double best[2])
{
	struct browser stranger = browser(&b->s, "192.0.2.1"), kofi = browser_of(&b->s, "kofi");
	const char *const pages[] = {"/post/" LIKED, "/post/" LIKED "/likes"};

	for (int r = 0; r < ROUNDS; r++)
		for (int p = 0; p < 2; p++) {
			double begin = cpu(), us;

			for (int i = 0; i < LIKES_VIEWS; i++)
				if (get(p == 0 ? &stranger : &kofi, pages[p]) != HTTP_OK)
					bail_out("%s can't be read", pages[p]);
			us = (cpu() - begin) / LIKES_VIEWS * 1e6;
			best[p] = r == 0 || us < best[p] ? us : best[p];
		}
}

static void
likes(struct bench *b)
{
	static const char *const names[] = {"a post that 1,000,000 like", "who likes it"};
	double few[2], many[2];

	like(b, 0, FEW, FEW);
	measure_likes(b, few);
	like(b, FEW, MANY, MILLION);
	measure_likes(b, many);
	if (!holds(visit(&b->s, STR("/post/" LIKED)).body, STR("1,000,000")))
		bail_out("the post does not say that 1,000,000 like it");
	for (int p = 0; p < 2; p++)
		printf("%-34s %7.0f µs of CPU a page, %.2f times what it is of %d\n", names[p],
		    many[p], many[p] / few[p], FEW);
}

int
main(void)
{
	static struct bench b;
	double best[POSTS + 1];

	browsers_open(&b.s);
	for (size_t p = 0; p < POSTS; p++)
		put_post(&b, p);
	seeded_restart(&b.s, 0);
	for (int r = 0; r < ROUNDS; r++)
		for (size_t p = 0; p <= POSTS; p++) {
			double us = measure(&b, p);

			best[p] = r == 0 || us < best[p] ? us : best[p];
		}
	for (size_t p = 0; p <= POSTS; p++)
		printf("%-34s %7.0f µs of CPU a page, %.2f times\n",
		    p < POSTS ? posts[p].name : "the page of that root", best[p], best[p] / best[0]);
	likes(&b);
	browsers_close(&b.s);
	return 0;
}

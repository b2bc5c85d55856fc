/*
 * bench/feed [FOLLOWERS]: how soon a post is in the feeds of its author's followers, and what a page of a feed costs.
 *
 * An author has 1,000 followers, who have all seen their feeds lately: how long the worker takes until all of them have a
 * post. Wanted: at most 3 seconds. Another one has FOLLOWERS (100,000): how long until the worker is done with a post of
 * theirs, how many feeds it was put into (none), and whether a follower sees it. Then a page of a feed is made, of somebody
 * who follows the small one and five others, and of somebody who follows the large one and the same five: the CPU time of the
 * thread, in turns, without the page cache; shown are the medians. Wanted: at most 1.3 times. On SQLite, in a build without
 * sanitizers:
 *
 *	script/build opt bench/feed && build/opt/bench/feed
 */
#include "../t/pages/browser.h"

#include "../t/lib/tap.h"
#include "base/log.h"
#include "derive/stream_worker.h"
#include "model/key.h"
#include "model/key_feed.h"
#include "model/key_follow.h"
#include "model/key_post.h"
#include "model/reader/feed.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define SMALL "kofi"
#define LARGE "ingrid"
#define FEED "/account/feed"
enum { ACTIVE = FEED_PUSHED_MAX, PART = 50, ROUNDS = 41, VIEWS = 20, NS = 1000000000, HOUR = 3600000 };

static const struct log quiet = {.fd = -1, .level = LOG_ERROR};
static const char *const others[] = {"lowri", "marta", "noor", "tobias", "pascal"};

static double
seconds(clockid_t of)
{
	struct timespec t;

	clock_gettime(of, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / NS;
}

static double
work(struct seeded *s)
{
	double before = seconds(CLOCK_MONOTONIC);
	struct stream_worker *w = stream_worker_open(&(struct stream_worker_options){
	    .table = s->table, .log = &quiet, .site = SEEDED_ORIGIN});

	while (stream_worker_turn(w) == STREAM_WORKED)
		;
	stream_worker_close(w);
	return seconds(CLOCK_MONOTONIC) - before;
}

static struct str
follower(struct arena *arena, const char *of, int number)
{
	return str_fmt(arena, "f_%s_%06d", of, number);
}

static struct item
follow_item(struct arena *arena, struct str who, const char *whom, int64_t at)
{
	struct str created = time_format(arena, at);
	struct item item = {.count = 0};

	key_set(arena, &item, key_follow(arena, who, str_of(whom)), ITEM_FOLLOW);
	item_set(arena, &item, STR("Follower"), value_string(who));
	item_set(arena, &item, STR("Followed"), value_string(str_of(whom)));
	item_set(arena, &item, STR("Status"), value_string(STR("active")));
	item_set(arena, &item, STR("CreatedAt"), value_string(created));
	key_index_follower(arena, &item, who, str_of(whom), created);
	return item;
}

static struct item
state_item(struct arena *arena, struct str who, int64_t at)
{
	struct item item = {.count = 0};

	key_set(arena, &item, key_feed_state(arena, who), ITEM_FEED_STATE);
	item_set(arena, &item, TABLE_EXPIRES, value_number(at / 1000 + FEED_ACTIVE_DAYS * 86400));
	item_set(arena, &item, STR("SeenAt"), value_string(time_format(arena, at)));
	return item;
}

static void
count_followers(struct seeded *s, const char *whom, int count)
{
	struct item counts = {.count = 0};

	key_set(s->arena, &counts, key_person_counts(s->arena, str_of(whom)), ITEM_PERSON_COUNTS);
	item_set(s->arena, &counts, STR("Followers"), value_number(count));
	seeded_put(s, &counts, 1);
}

/* All of whom have seen their feeds. */
static void
add_followers(struct seeded *s, const char *whom, int count)
{
	for (int at = 0; at < count; at += PART) {
		struct arena *arena = arena_new();
		struct table_call call = {.arena = arena};
		struct write writes[2 * PART];

		for (int i = 0; i < PART; i++) {
			struct str who = follower(arena, whom, at + i);
			struct item follow =
			    follow_item(arena, who, whom, s->clock.fixed_now - HOUR + at + i);

			writes[2 * i] = (struct write){.kind = WRITE_PUT, .item = follow};
			writes[2 * i + 1] = (struct write){.kind = WRITE_PUT,
			    .item = state_item(arena, who, s->clock.fixed_now)};
		}
		if (table_transact(s->table, &call, writes, 2 * PART, STR("")) != TABLE_OK)
			bail_out("followers are not written: %s", call.why != NULL ? call.why : "");
		arena_free(arena);
	}
}

static struct str
publish(struct seeded *s, const char *author, int number)
{
	struct post post = {.id = str_fmt(s->arena, "bench-%s-%d", author, number),
	    .author = str_of(author),
	    .author_name = str_of(author),
	    .title = STR("A post of a bench"),
	    .excerpt = STR("What it says is about as long as what others say in lists of posts like this one."),
	    .status = STATUS_PUBLISHED,
	    .visibility = VISIBILITY_PUBLIC,
	    .published = s->clock.fixed_now - number * HOUR,
	    .words = 300};
	struct item item = {.count = 0};

	post.slug = post.id;
	post.created = post.updated = post.published;
	post_to_item(s->arena, &post, &item);
	key_set(s->arena, &item, key_post(s->arena, post.id), ITEM_POST);
	key_index_post(s->arena, &item, &post);
	seeded_put(s, &item, 1);
	return post.id;
}

/* Into how many feeds of these followers it was put. */
static int
feeds_with(struct seeded *s, const char *author, struct str post, int followers)
{
	int found = 0;

	for (int i = 0; i < followers; i++) {
		struct arena *arena = arena_new();
		struct table_call call = {.arena = arena};
		struct key key = key_feed_entry(
		    arena, follower(arena, author, i), s->clock.fixed_now, post);
		struct item *item;

		if (table_get(s->table, &call, key, &item) != TABLE_OK)
			bail_out("an entry can't be read");
		found += item != NULL;
		table_release(s->table, &call);
		arena_free(arena);
	}
	return found;
}

/* Somebody who follows this author, and the others. */
static struct browser
reader(struct seeded *s, const char *name, const char *author)
{
	struct item items[7] = {[0] = seeded_item(s, "USER#noor", "METADATA")};
	struct key key = key_user(s->arena, str_of(name));
	size_t count = 1;

	items[0] = item_copy(s->arena, &items[0]);
	for (enum table_index i = TABLE_GSI1; i <= TABLE_GSI4; i++) {
		item_remove(&items[0], table_pk_name(i));
		item_remove(&items[0], table_sk_name(i));
	}
	item_set(s->arena, &items[0], STR("PK"), value_string(key.pk));
	item_set(s->arena, &items[0], STR("Username"), value_string(str_of(name)));
	item_remove(&items[0], STR("Email"));
	items[count++] = follow_item(s->arena, str_of(name), author, s->clock.fixed_now);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		items[count++] = follow_item(s->arena, str_of(name), others[i], s->clock.fixed_now);
	seeded_put(s, items, count);
	return browser_of(s, name);
}

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double
view(struct browser *b)
{
	double before = seconds(CLOCK_THREAD_CPUTIME_ID);

	for (int i = 0; i < VIEWS; i++)
		get(b, FEED);
	return (seconds(CLOCK_THREAD_CPUTIME_ID) - before) * 1e6 / VIEWS;
}

static void
compare(struct seeded *s, struct str post)
{
	struct browser of_small = reader(s, "reads_small", SMALL), of_large = reader(s, "reads_large", LARGE);
	double small[ROUNDS], large[ROUNDS];

	get(&of_small, FEED);
	get(&of_large, FEED);
	(void)work(s);
	for (int i = 0; i < ROUNDS; i++) {
		small[i] = view(&of_small);
		large[i] = view(&of_large);
	}
	qsort(small, ROUNDS, sizeof(small[0]), by_value);
	qsort(large, ROUNDS, sizeof(large[0]), by_value);
	printf("a follower of the large one sees the post: %s\n",
	    holds(of_large.last.body, post) ? "yes" : "NO");
	printf("posts on the pages: %zu, %zu\n", listed(s->arena, of_small.last.body).count,
	    listed(s->arena, of_large.last.body).count);
	printf("a feed page: %.0f us of who follows the small one, %.0f us of the large one: %.2f times\n",
	    small[ROUNDS / 2], large[ROUNDS / 2], large[ROUNDS / 2] / small[ROUNDS / 2]);
}

int
main(int argc, char **argv)
{
	int followers = argc > 1 ? atoi(argv[1]) : 100 * 1000;
	struct seeded s;
	struct str post;
	double took;

	browsers_open(&s);
	(void)work(&s);
	count_followers(&s, SMALL, ACTIVE);
	count_followers(&s, LARGE, followers);
	for (int i = 1; i < 20; i++) {
		publish(&s, SMALL, i);
		publish(&s, LARGE, i);
	}
	(void)work(&s);
	add_followers(&s, SMALL, ACTIVE);
	took = work(&s);
	printf("%d feeds filled, with 20 posts and more each: %.1f s\n", ACTIVE, took);
	add_followers(&s, LARGE, followers);
	took = work(&s);
	printf("%d feeds of those who follow but the large one: %.1f s\n", followers, took);
	post = publish(&s, SMALL, 0);
	took = work(&s);
	printf("a post into the feeds of %d followers: %.3f s, %d have it\n", ACTIVE, took,
	    feeds_with(&s, SMALL, post, ACTIVE));
	post = publish(&s, LARGE, 0);
	took = work(&s);
	printf("a post of an author of %d: %.3f s, %d have it\n", followers, took,
	    feeds_with(&s, LARGE, post, 200));
	compare(&s, post);
	browsers_close(&s);
	return 0;
}

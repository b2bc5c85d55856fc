/*
 * bench/hits [RATE...]: how many of strangers' views the page cache answers while readers like, vote, comment and follow.
 *
 * 100 views a second of 34 pages of the seed, drawn at random, and writes of each kind, or of all of them in turns, by the
 * functions that the forms use, RATE of them a second (0, 0.5, 2, 10, 50); counts are folded as often as `serve` does on
 * that store. The time is the table's own and runs as fast as it can: 60 seconds for each figure. Behind the first rate
 * each row says what percentage of the first row's hits remain. Wanted: at 10 writes a second at least 90 % of the
 * views on SQLite, and on DynamoDB at least 95 % of the hits without writes. On SQLite, or with TEST_STORE=dynamodb on
 * DynamoDB Local.
 */
#include "../t/pages/seeded.h"

#include "../t/lib/tap.h"
#include "model/key.h"
#include "model/key_comment.h"
#include "model/people/user.h"
#include "model/plan.h"
#include "model/post/count.h"
#include "model/reader/comment_write.h"
#include "model/reader/follow.h"
#include "model/reader/reaction.h"
#include "model/site/rate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SECONDS = 60, VIEWS = 100, STEP_MS = 10, FOLD_MS = 10000, PAGES = 34 };

static const char *const lists[] = {"/", "/feed.atom", "/categories", "/category/kitchen",
    "/category/tides", "/tags", "/tag/bread", "/authors", "/author/noor", "/archive",
    "/collections"};
static const char *const people[] = {"noor", "kofi", "lowri", "tobias", "ingrid", "marta"};

enum { LISTS = sizeof(lists) / sizeof(lists[0]), PEOPLE = 6 };

enum act { LIKE, VOTE, COMMENT, FOLLOW, ACTS };

static const struct rate unlimited = {.what = STR_INIT("bench"),
    .who = STR_INIT("everybody"),
    .most = INT32_MAX,
    .window = RATE_DAY_SECONDS};

struct bench {
	struct seeded s;
	struct list posts, ids; /* addresses, and in the same order what the table calls them */
	uint64_t state;
	uint64_t written, said;
	struct str last_post, last_path; /* of what was said last */
};

static size_t
chance(struct bench *b, size_t below)
{
	b->state = b->state * 6364136223846793005U + 1442695040888963407U;
	return (size_t)(b->state >> 33) % below;
}

/* A post that was renamed is still called as it was at first. */
static struct str
id_of(struct bench *b, struct str address)
{
	struct str slug = str_sub(address, strlen("/post/"), address.len);

	for (size_t i = 0; i < b->s.seed.count; i++)
		if (str_eq(item_string(&b->s.seed.items[i], STR("Slug")), slug) &&
		    str_eq(item_string(&b->s.seed.items[i], STR("Type")), STR("Post")))
			return item_string(&b->s.seed.items[i], STR("Id"));
	bail_out("no post is at %.*s", STR_ARGS(address));
}

/* --- What readers do: as their forms do it ------------------------------------------------------------- */

static struct post
post_of(struct bench *b, struct arena *arena)
{
	struct str id = b->ids.strings[chance(b, b->ids.count)];
	struct table_call call = {.arena = arena};
	struct post post;
	struct item *head;

	if (table_get(b->s.table, &call, key_post(arena, id), &head) != TABLE_OK || head == NULL)
		bail_out("a post can't be read");
	post_from_item(arena, head, &post);
	return post;
}

/* Another opinion than they had. */
static enum plan_rc
react(struct bench *b, struct plan *plan, enum reaction what)
{
	static const enum opinion wishes[][3] = {
	    [REACTION_LIKE] = {OPINION_LIKE, OPINION_LOVE, OPINION_OFF},
	    [REACTION_VOTE] = {OPINION_UP, OPINION_DOWN, OPINION_OFF}};
	struct post post = post_of(b, plan->call->arena);
	struct read own = reaction_read(plan->call->arena, plan->by, post.id, what);
	size_t n = chance(b, 3);
	uint32_t wait;

	if (table_read(b->s.table, plan->call, &own, 1) != TABLE_OK)
		return PLAN_TABLE;
	if (reaction_from_item(what, own.item) == wishes[what][n])
		n = (n + 1) % 3;
	return reaction_set(plan, &post, what, wishes[what][n], &own, &unlimited, &wait);
}

/* Every other one answers what was said last. */
static enum plan_rc
comment(struct bench *b, struct plan *plan)
{
	struct arena *arena = plan->call->arena;
	struct post post = post_of(b, arena);
	struct comment to = {.status = COMMENT_VISIBLE};
	struct new_comment new = {.post = &post,
	    .markdown = STR("One more."),
	    .html = STR("<p>One more.</p>"),
	    .renderer = 1};
	struct item *last = NULL;

	if (b->said != 0 && b->said % 2 == 0) {
		post.id = b->last_post;
		if (table_get(b->s.table, plan->call, key_comment(arena, post.id, b->last_path),
			&last) != TABLE_OK ||
		    last == NULL)
			return PLAN_TABLE;
		comment_from_item(arena, last, &to);
		new.to = &to;
	}
	b->said++;
	if (comment_create(plan, &new) != PLAN_DONE)
		return plan->rc;
	b->last_post = str_dup(b->s.arena, post.id);
	b->last_path = str_dup(b->s.arena, new.path);
	return PLAN_DONE;
}

/* They follow whom they did not follow, and the other way round. */
static enum plan_rc
follow(struct bench *b, struct plan *plan, struct str other)
{
	struct table_call *call = plan->call;
	struct read read = follow_read(call->arena, plan->by, other);
	struct item *item;
	struct user person;

	if (table_read(b->s.table, call, &read, 1) != TABLE_OK ||
	    table_get(b->s.table, call, key_user(call->arena, other), &item) != TABLE_OK)
		return PLAN_TABLE;
	if (read.item != NULL)
		return follow_end(plan, plan->by, other);
	user_from_item(call->arena, item, &person);
	return follow_begin(plan, &person, &unlimited);
}

static void
act(struct bench *b, struct arena *arena, enum act what)
{
	size_t one = chance(b, PEOPLE), other = (one + 1 + chance(b, PEOPLE - 1)) % PEOPLE;
	struct table_call call = {.arena = arena};
	struct plan plan = {.table = b->s.table,
	    .call = &call,
	    .clock = &b->s.clock,
	    .now = b->s.clock.fixed_now,
	    .by = str_of(people[one]),
	    .by_name = str_of(people[one])};
	enum plan_rc rc = PLAN_DONE;

	switch (what) {
	case LIKE: rc = react(b, &plan, REACTION_LIKE); break;
	case VOTE: rc = react(b, &plan, REACTION_VOTE); break;
	case COMMENT: rc = comment(b, &plan); break;
	case FOLLOW: rc = follow(b, &plan, str_of(people[other])); break;
	case ACTS: break;
	}
	if (rc != PLAN_DONE)
		bail_out("a write failed: %d %s", (int)rc, call.why != NULL ? call.why : "");
	table_release(b->s.table, &call);
	b->written++;
}

/* What the sweeper does every fold_ms(). */
static void
fold(struct bench *b, struct arena *arena)
{
	size_t folded = 1;

	while (folded != 0) {
		struct table_call call = {.arena = arena};

		if (count_fold_marked(b->s.table, &call, &folded) != TABLE_OK)
			bail_out("a fold failed: %s", call.why);
		table_release(b->s.table, &call);
	}
}

static int
fold_ms(const struct bench *b)
{
	int ms = b->s.table->engine->fold_ms;

	return ms != 0 ? ms : FOLD_MS;
}

/* --- Measuring ------------------------------------------------------------------------------------------ */

/* The page's address: some lists, and the newest posts. */
static struct str
page(struct bench *b, size_t n)
{
	return n < LISTS ? str_of(lists[n]) : b->posts.strings[n - LISTS];
}

static bool
view(struct bench *b, struct arena *arena)
{
	struct request_input in = {.method = STR("GET"),
	    .uri = page(b, chance(b, PAGES)),
	    .scheme = STR("https"),
	    .host = STR("slack.example"),
	    .content_length = -1};
	struct response rs;
	bool cached;

	site_respond(&b->s.site, &in, arena, &rs);
	if (rs.status != HTTP_OK)
		bail_out("%.*s: status %d", STR_ARGS(in.uri), rs.status);
	cached = rs.cached;
	response_release(&rs);
	return cached;
}

/* Percent of the views; `only` is ACTS for all kinds in turns. */
static double
hits(struct bench *b, double rate, enum act only)
{
	struct arena *arena = arena_new();
	unsigned cached = 0;
	double due = 0;

	/* Before what is measured, the pages come into the cache. */
	for (int ms = -5000; ms < SECONDS * 1000; ms += STEP_MS) {
		bool hit = view(b, arena);

		cached += hit && ms >= 0;
		for (due += rate * STEP_MS / 1000; due >= 1; due--)
			act(b, arena, only == ACTS ? (enum act)(b->written % ACTS) : only);
		if (ms % fold_ms(b) == 0)
			fold(b, arena);
		b->s.clock.fixed_now += STEP_MS;
		arena_reset(arena);
	}
	arena_free(arena);
	return 100.0 * cached / (SECONDS * VIEWS);
}

/* A row of figures; those of the first one are kept. */
static void
print_row(struct bench *b, double rate, double first[ACTS + 1])
{
	bool is_first = first[LIKE] == 0;
	double now[ACTS + 1];

	printf("%-18g", rate);
	for (int only = LIKE; only <= ACTS; only++) {
		now[only] = hits(b, rate, (enum act)only);
		printf(" %8.1f", now[only]);
		fflush(stdout);
	}
	for (int only = LIKE; only <= ACTS; only++) {
		if (is_first)
			first[only] = now[only];
		else
			printf(" %4.0f %%", 100 * now[only] / first[only]);
	}
	printf("\n");
}

int
main(int argc, char **argv)
{
	static const double rates[] = {0, 0.5, 2, 10, 50};
	struct bench b = {.state = 1};
	double first[ACTS + 1] = {0};

	seeded_open(&b.s);
	seeded_restart(&b.s, 64 << 20);
	b.posts = wanted_posts(&b.s, every_post, NULL);
	for (size_t i = 0; i < b.posts.count; i++)
		list_add(b.s.arena, &b.ids, id_of(&b, b.posts.strings[i]));
	if (LISTS + b.posts.count < PAGES)
		bail_out("the seed has too few posts");
	printf("Views from the cache, of 100 a second of %d pages, in percent:\n", PAGES);
	printf("%-18s %8s %8s %8s %8s %8s   of the first row\n", "writes a second", "likes", "votes",
	    "comments", "follows", "all");
	for (int i = 1; i < argc; i++)
		print_row(&b, atof(argv[i]), first);
	for (size_t i = 0; argc == 1 && i < sizeof(rates) / sizeof(rates[0]); i++)
		print_row(&b, rates[i], first);
	seeded_close(&b.s);
	return 0;
}

/*
 * bench/hits: how many of strangers' views the page cache answers while readers like, vote, comment and follow.
 *
 * 100 views a second of 34 pages of the seed, drawn at random, and writes of each kind, or of all of them in turns, with
 * what they count in the same transaction; counts are folded every ten seconds, as `serve` does. The time is the
 * table's own and runs as fast as it can: 60 seconds for each figure. On SQLite, or with TEST_STORE=dynamodb on DynamoDB
 * Local.
 */
#include "../t/pages/seeded.h"

#include "../t/lib/tap.h"
#include "model/plan.h"
#include "model/post/count.h"

#include <stdio.h>
#include <string.h>

enum { SECONDS = 60, VIEWS = 100, STEP_MS = 10, FOLD_MS = 10000, PAGES = 34 };

static const char *const lists[] = {"/", "/feed.atom", "/categories", "/category/kitchen",
    "/category/tides", "/tags", "/tag/bread", "/authors", "/author/noor", "/archive",
    "/collections"};
static const char *const people[] = {"noor", "kofi", "lowri", "tobias", "ingrid", "marta"};

enum { LISTS = sizeof(lists) / sizeof(lists[0]), PEOPLE = 6 };

enum act { LIKE, VOTE, COMMENT, FOLLOW, ACTS };

struct bench {
	struct seeded s;
	struct list posts, ids; /* addresses, and in the same order what the table calls them */
	uint64_t state;
	uint64_t written;
};

static size_t
chance(struct bench *b, size_t below)
{
	b->state = b->state * 6364136223846793005U + 1442695040888963407U;
	return (size_t)(b->state >> 33) % below;
}

static void
set(struct arena *arena, struct item *item, const char *name, struct str value)
{
	item_set(arena, item, str_of(name), value_string(value));
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

/* What a reader leaves: keys and attributes as docs/table.md has them. */
static struct item
item_of(struct bench *b, struct arena *arena, enum act act)
{
	struct str post = b->ids.strings[chance(b, b->ids.count)];
	size_t one = chance(b, PEOPLE), other = (one + 1 + chance(b, PEOPLE - 1)) % PEOPLE;
	const char *who = people[one], *whom = people[other];
	struct str now =
	    str_fmt(arena, "2026-11-18T10:%02u:%02u.%03uZ", (unsigned)(b->written / 60000 % 60),
		(unsigned)(b->written / 1000 % 60), (unsigned)(b->written % 1000));
	struct str id = str_fmt(arena, "%014llu", (unsigned long long)b->written);
	struct item item = {.count = 0};

	set(arena, &item, "PK", str_fmt(arena, "USER#%s", who));
	set(arena, &item, "GSI1PK", str_fmt(arena, "USER#%s", who));
	set(arena, &item, "CreatedAt", now);
	if (act != FOLLOW) {
		set(arena, &item, "Author", str_of(who));
		set(arena, &item, "Post", post);
	}
	switch (act) {
	case LIKE:
		set(arena, &item, "Type", STR("Like"));
		set(arena, &item, "SK", str_fmt(arena, "POST#%.*s#LIKE", STR_ARGS(post)));
		set(arena, &item, "GSI1SK",
		    str_fmt(arena, "LIKE#%.*s#%.*s", STR_ARGS(now), STR_ARGS(post)));
		set(arena, &item, "GSI2PK", str_fmt(arena, "ABOUT#%.*s", STR_ARGS(post)));
		set(arena, &item, "GSI2SK", str_fmt(arena, "LIKE#%s", who));
		set(arena, &item, "Feeling", STR("like"));
		break;
	case VOTE:
		set(arena, &item, "Type", STR("Vote"));
		set(arena, &item, "SK", str_fmt(arena, "POST#%.*s#VOTE", STR_ARGS(post)));
		set(arena, &item, "GSI1SK",
		    str_fmt(arena, "VOTE#%.*s#%.*s", STR_ARGS(now), STR_ARGS(post)));
		set(arena, &item, "GSI2PK", str_fmt(arena, "ABOUT#%.*s", STR_ARGS(post)));
		set(arena, &item, "GSI2SK", str_fmt(arena, "VOTE#%s", who));
		item_set(arena, &item, STR("Value"), value_number(1));
		break;
	case COMMENT:
		set(arena, &item, "Type", STR("Comment"));
		set(arena, &item, "PK", str_fmt(arena, "POST#%.*s", STR_ARGS(post)));
		set(arena, &item, "SK", str_fmt(arena, "COMMENT#%.*s", STR_ARGS(id)));
		set(arena, &item, "GSI1SK",
		    str_fmt(arena, "COMMENT#%.*s#%.*s", STR_ARGS(now), STR_ARGS(id)));
		set(arena, &item, "GSI2PK", str_fmt(arena, "COMMENT#%.*s", STR_ARGS(id)));
		set(arena, &item, "GSI2SK", STR("METADATA"));
		set(arena, &item, "Id", id);
		set(arena, &item, "Status", STR("visible"));
		set(arena, &item, "AuthorName", str_of(who));
		set(arena, &item, "HTML", STR("<p>One more.</p>"));
		break;
	case FOLLOW:
		set(arena, &item, "Type", STR("Follow"));
		set(arena, &item, "SK", str_fmt(arena, "FOLLOWING#%s", whom));
		set(arena, &item, "GSI1PK", str_fmt(arena, "USER#%s", whom));
		set(arena, &item, "GSI1SK", str_fmt(arena, "FOLLOWER#%.*s#%s", STR_ARGS(now), who));
		set(arena, &item, "Follower", str_of(who));
		set(arena, &item, "Followed", str_of(whom));
		set(arena, &item, "Status", STR("active"));
		break;
	case ACTS: break;
	}
	return item;
}

/* The item, and what it counts, in one transaction. */
static void
act(struct bench *b, struct arena *arena, enum act what)
{
	struct table_call call = {.arena = arena};
	struct plan plan = {.table = b->s.table, .call = &call, .now = b->s.clock.fixed_now};
	struct item item = item_of(b, arena, what);

	plan_put(&plan, item);
	plan_recount(&plan, NULL, &item);
	if (plan_commit(&plan) != PLAN_DONE)
		bail_out("a write failed: %s", call.why != NULL ? call.why : "");
	b->written++;
}

/* What the sweeper does every FOLD_MS. */
static void
fold(struct bench *b, struct arena *arena)
{
	size_t folded = 1;

	while (folded != 0) {
		struct table_call call = {.arena = arena};

		if (count_fold_marked(b->s.table, &call, &folded) != TABLE_OK)
			bail_out("a fold failed: %s", call.why);
	}
}

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
		if (ms % FOLD_MS == 0)
			fold(b, arena);
		b->s.clock.fixed_now += STEP_MS;
		arena_reset(arena);
	}
	arena_free(arena);
	return 100.0 * cached / (SECONDS * VIEWS);
}

int
main(void)
{
	static const double rates[] = {0, 0.5, 2, 10, 50};
	struct bench b = {.state = 1};

	seeded_open(&b.s);
	seeded_restart(&b.s, 64 << 20);
	b.posts = wanted_posts(&b.s, every_post, NULL);
	for (size_t i = 0; i < b.posts.count; i++)
		list_add(b.s.arena, &b.ids, id_of(&b, b.posts.strings[i]));
	if (LISTS + b.posts.count < PAGES)
		bail_out("the seed has too few posts");
	printf("Views from the cache, of 100 a second of %d pages, in percent:\n", PAGES);
	printf("%-18s %8s %8s %8s %8s %8s\n", "writes a second", "likes", "votes", "comments",
	    "follows", "all");
	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		printf("%-18g", rates[i]);
		for (int only = LIKE; only <= ACTS; only++)
			printf(" %8.1f", hits(&b, rates[i], (enum act)only));
		printf("\n");
		fflush(stdout);
	}
	seeded_close(&b.s);
	return 0;
}

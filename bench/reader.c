/*
 * bench/reader [WHO VIEWS]: what the page of a post costs for a reader who is signed in and thinks something of it,
 * beside what it costs for a stranger: an article with twenty comments, liked and bookmarked, of whose
 * comments they have voted on ten.
 *
 * Each page is made VIEWS times without the page cache, by turns, and the CPU time of the thread is compared; shown are the
 * medians of the rounds. Wanted: at most 1.2 times. With WHO, "stranger" or "reader", only that page is made, so many times,
 * for a profiler. On SQLite, in a build without sanitizers:
 *
 *	script/build opt bench/reader && build/opt/bench/reader
 *	valgrind --tool=callgrind build/opt/bench/reader reader 500
 */
#include "../t/pages/browser.h"

#include "../t/lib/tap.h"
#include "base/buf.h"
#include "model/key_comment.h"
#include "model/people/user.h"
#include "model/reader/comment_vote.h"
#include "model/reader/comment_write.h"
#include "model/site/rate.h"
#include "text/markdown.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define POST "reading-an-echo"
enum { VIEWS = 200, ROUNDS = 25, COMMENTS = 20, VOTES = 10 };

static const struct rate unlimited = {.what = STR_INIT("bench"),
    .who = STR_INIT("everybody"),
    .most = INT32_MAX,
    .window = RATE_DAY_SECONDS};

enum who { STRANGER, READER, WHO };
static const char *const names[WHO] = {"stranger", "reader"};

struct bench {
	struct seeded s;
	struct str cookies[WHO];
};

/* A reader who is in no group. */
static void
add_reader(struct bench *b)
{
	struct item user = seeded_item(&b->s, "USER#pascal", "METADATA");

	item_set(b->s.arena, &user, STR("PK"), value_string(STR("USER#ada")));
	item_set(b->s.arena, &user, STR("Username"), value_string(STR("ada")));
	item_set(b->s.arena, &user, STR("GSI2SK"), value_string(STR("ada")));
	item_set(b->s.arena, &user, STR("GSI3SK"), value_string(STR("ada")));
	item_remove(&user, STR("Email"));
	seeded_put(&b->s, &user, 1);
}

/* Says something under the post; ada votes for every other of the first comments. */
static void
say(struct bench *b, const struct post *post, int number)
{
	struct arena *arena = b->s.arena;
	struct table_call call = {.arena = arena};
	struct plan plan = {.table = b->s.table,
	    .call = &call,
	    .clock = &b->s.clock,
	    .now = b->s.clock.fixed_now,
	    .by = STR("kofi"),
	    .by_name = STR("Kofi")};
	struct new_comment new = {.post = post,
	    .markdown = STR("The tide turns when it turns, and not when the table says so."),
	    .html = STR("<p>The tide turns when it turns, and not when the table says so.</p>\n"),
	    .renderer = MARKDOWN_RENDERER};
	struct read own;
	struct item *item;
	struct comment comment;
	uint32_t wait;

	if (comment_create(&plan, &new) != PLAN_DONE)
		bail_out("no comment");
	plan.by = STR("ada");
	if (table_get(b->s.table, &call, key_comment(arena, post->id, new.path), &item) != TABLE_OK ||
	    item == NULL)
		bail_out("a comment can't be read");
	comment_from_item(arena, item, &comment);
	own = comment_vote_read(arena, plan.by, post->id, comment.id);
	if (number < 2 * VOTES && number % 2 == 0 &&
	    (table_read(b->s.table, &call, &own, 1) != TABLE_OK ||
		comment_vote(&plan, &comment, OPINION_UP, &own, &unlimited, &wait) != PLAN_DONE))
		bail_out("no vote");
	table_release(b->s.table, &call);
}

static void
set_up(struct bench *b)
{
	struct item head = seeded_item(&b->s, "POST#" POST, "METADATA");
	struct browser ada;
	struct post post;

	post_from_item(b->s.arena, &head, &post);
	add_reader(b);
	for (int i = 0; i < COMMENTS; i++)
		say(b, &post, i);
	ada = browser_of(&b->s, "ada");
	get(&ada, "/post/" POST);
	if (SUBMIT(&ada, "/react/" POST, "like", "love") != HTTP_SEE_OTHER)
		bail_out("no like");
	get(&ada, "/post/" POST);
	if (SUBMIT(&ada, "/react/" POST, "bookmark", "on") != HTTP_SEE_OTHER)
		bail_out("no bookmark");
	b->cookies[READER] =
	    str_fmt(b->s.arena, "__Host-session=%.*s", STR_ARGS(ada.session));
	b->cookies[STRANGER] = STR("");
	seeded_restart(&b->s, 0);
}

static double
cpu(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* Microseconds for one page. */
static double
measure(struct bench *b, enum who who, int views)
{
	struct request_input in = {.method = STR("GET"),
	    .uri = STR("/post/" POST),
	    .scheme = STR("https"),
	    .host = STR("slack.example"),
	    .cookie = b->cookies[who],
	    .content_length = -1};
	struct arena *arena = arena_new();
	double begin = cpu(), took;

	for (int i = 0; i < views; i++) {
		struct response rs;

		arena_reset(arena);
		site_respond(&b->s.site, &in, arena, &rs);
		if (rs.status != HTTP_OK)
			bail_out("a page is %d", (int)rs.status);
		response_release(&rs);
	}
	took = cpu() - begin;
	arena_free(arena);
	return took / views;
}

static int
compare(const void *a, const void *b)
{
	return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

int
main(int argc, char **argv)
{
	static struct bench b;
	double rounds[WHO][ROUNDS];

	browsers_open(&b.s);
	set_up(&b);
	for (int r = 0; argc < 3 && r < ROUNDS; r++)
		for (enum who who = STRANGER; who < WHO; who++)
			rounds[who][r] = measure(&b, who, VIEWS);
	for (enum who who = STRANGER; who < WHO; who++) {
		if (argc == 3 && strcmp(argv[1], names[who]) == 0)
			(void)measure(&b, who, atoi(argv[2]));
		if (argc == 3)
			continue;
		qsort(rounds[who], ROUNDS, sizeof(double), compare);
		printf("%-10s %7.1f µs of CPU a page, %.2f times\n", names[who],
		    rounds[who][ROUNDS / 2], rounds[who][ROUNDS / 2] / rounds[STRANGER][ROUNDS / 2]);
	}
	browsers_close(&b.s);
	return 0;
}

/*
 * Votes on comments: one item a person, whatever the race; counted beside the comment; folded into the orders. And the
 * tallies of a table from before there were any.
 */
#include "lib/store.h"
#include "lib/tap.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "model/key_comment.h"
#include "model/people/user.h"
#include "model/post/count.h"
#include "model/post/post.h"
#include "model/reader/comment_vote.h"
#include "model/reader/comment_write.h"
#include "model/reader/tally.h"
#include "model/site/rate.h"

#include <pthread.h>

#define NOW INT64_C(1795000000000)
enum { STORM = 64, VOTERS = 4, THREADS = 5 };

struct place {
	struct arena *arena;
	struct clock clock;
	struct test_store store;
	struct table *table;
	struct table_call call;
	struct plan plan;
	struct post post;
};

static struct item *
stored(struct place *p, struct key key)
{
	struct read read = {.kind = READ_GET, .key = key, .consistent = true};

	if (table_read(p->table, &p->call, &read, 1) != TABLE_OK)
		bail_out("a read fails");
	return read.item;
}

static void
begin_post(struct place *p, const char *id)
{
	struct item head = {.count = 0}, stats = {.count = 0};

	p->post = (struct post){.id = str_of(id), .title = str_of(id)};
	key_set(p->arena, &head, key_post(p->arena, p->post.id), ITEM_POST);
	item_set(p->arena, &head, STR("Id"), value_string(p->post.id));
	item_set(p->arena, &head, STR("Status"), value_string(STR("published")));
	item_set(p->arena, &head, STR("GSI3PK"), value_string(STR("POST")));
	item_set(p->arena, &head, STR("GSI3SK"), value_string(p->post.id));
	key_set(p->arena, &stats, key_post_stats(p->arena, p->post.id), ITEM_STATS);
	plan_put(&p->plan, head);
	plan_put(&p->plan, stats);
	if (plan_commit(&p->plan) != PLAN_DONE)
		bail_out("a post can't be put");
}

static struct comment
say(struct place *p, const struct comment *to)
{
	struct new_comment new = {.post = &p->post,
	    .to = to,
	    .markdown = STR("Yes."),
	    .html = STR("<p>Yes.</p>"),
	    .renderer = 1};
	struct comment comment;

	if (comment_create(&p->plan, &new) != PLAN_DONE)
		bail_out("a comment can't be written");
	comment_from_item(
	    p->arena, stored(p, key_comment(p->arena, p->post.id, new.path)), &comment);
	return comment;
}

static const struct rate unlimited = {
    .what = STR_INIT("react"), .most = 1000, .window = RATE_DAY_SECONDS};

static enum plan_rc
vote_as(struct plan plan, struct table_call *call, const char *who, const struct comment *comment,
    enum opinion wish)
{
	struct read own = comment_vote_read(call->arena, str_of(who), comment->post, comment->id);
	struct rate limit = unlimited;
	uint32_t wait;

	plan.call = call;
	plan.by = limit.who = str_of(who);
	if (table_read(plan.table, call, &own, 1) != TABLE_OK)
		return PLAN_TABLE;
	return comment_vote(&plan, comment, wish, &own, &limit, &wait);
}

static enum plan_rc
vote(struct place *p, const char *who, const struct comment *comment, enum opinion wish)
{
	return vote_as(p->plan, &p->call, who, comment, wish);
}

/* "2 up, 1 down", counted beside it. */
static struct str
counted(struct place *p, const struct comment *comment)
{
	const struct item *item =
	    stored(p, key_comment_votes(p->arena, comment->post, comment->path));

	return item == NULL ? STR("nothing")
			    : str_fmt(p->arena, "%d up, %d down",
				  (int)item_number(item, STR("Ups")),
				  (int)item_number(item, STR("Downs")));
}

/* The roots of the post from the best on, by the number of their comment. */
static struct str
best_of(struct place *p, const struct comment *comments, size_t count)
{
	struct query query = query_threads(p->arena, p->post.id, THREAD_BEST);
	struct buf out = {.arena = p->arena};
	struct item *found;
	struct str next;
	size_t found_count;

	query.limit = 100;
	if (table_query(p->table, &p->call, &query, &found, &found_count, &next) != TABLE_OK)
		bail_out("the order can't be read");
	for (size_t i = 0; i < found_count; i++) {
		struct tally tally;

		tally_from_item(&found[i], &tally);
		for (size_t n = 0; n < count; n++)
			if (str_eq(comments[n].path, tally.root))
				buf_fmt(&out, "%zu", n);
	}
	return buf_str(&out);
}

static void
fold(struct place *p)
{
	size_t folded = 1;

	for (int i = 0; i < 10 && folded != 0; i++)
		if (count_fold_marked(p->table, &p->call, &folded) != TABLE_OK)
			bail_out("a fold fails");
	is_int((int64_t)folded, 0, "all is folded");
}

/* --- One after another ------------------------------------------------------------------------------- */

static void
votes(struct place *p)
{
	struct comment c[3];

	begin_post(p, "a-vote");
	for (int i = 0; i < 3; i++) {
		c[i] = say(p, NULL);
		p->clock.fixed_now += 1000;
		p->plan.now += 1000;
	}
	is_str(best_of(p, c, 3), STR("210"), "without votes the newest is the best");
	is_int(vote(p, "bob", &c[0], OPINION_UP), PLAN_DONE, "a vote");
	is_str(counted(p, &c[0]), STR("1 up, 0 down"), "... is counted");
	is_int(vote(p, "bob", &c[0], OPINION_UP), PLAN_DONE, "the same once more");
	is_str(counted(p, &c[0]), STR("1 up, 0 down"), "... changes nothing");
	is_int(vote(p, "bob", &c[0], OPINION_DOWN), PLAN_DONE, "another one");
	is_str(counted(p, &c[0]), STR("0 up, 1 down"), "... takes its place");
	is_int(vote(p, "bob", &c[0], OPINION_OFF), PLAN_DONE, "taken back");
	is_str(counted(p, &c[0]), STR("0 up, 0 down"), "... nothing is counted");
	vote(p, "bob", &c[0], OPINION_UP);
	vote(p, "cat", &c[0], OPINION_UP);
	vote(p, "bob", &c[2], OPINION_DOWN);
	is_str(best_of(p, c, 3), STR("210"), "before the fold the order is as it was");
	fold(p);
	is_str(best_of(p, c, 3), STR("012"), "... and then by the votes");
	ok(item_get(stored(p, key_comment_votes(p->arena, p->post.id, c[0].path)),
	       STR("GSI4PK")) != NULL,
	    "with two votes it is among the best of the site");
	ok(item_get(stored(p, key_comment_votes(p->arena, p->post.id, c[2].path)),
	       STR("GSI4PK")) == NULL,
	    "... one that is voted down is not");
	vote(p, "cat", &c[0], OPINION_OFF);
	fold(p);
	ok(item_get(stored(p, key_comment_votes(p->arena, p->post.id, c[0].path)),
	       STR("GSI4PK")) == NULL,
	    "... nor is the other one any more");
}

/* A vote of an older table: the comment itself counts it. */
static void
old_vote(struct place *p)
{
	struct comment c;
	struct item item = {.count = 0}, comment;

	begin_post(p, "an-old-vote");
	c = say(p, NULL);
	comment = *stored(p, key_comment(p->arena, p->post.id, c.path));
	item_set(p->arena, &comment, STR("Ups"), value_number(1));
	plan_put(&p->plan, comment);
	key_set(p->arena, &item, key_comment_vote(p->arena, STR("bob"), c.post, c.id), ITEM_VOTE);
	item_set(p->arena, &item, STR("Author"), value_string(STR("bob")));
	item_set(p->arena, &item, STR("Comment"), value_string(c.id));
	item_set(p->arena, &item, STR("Post"), value_string(c.post));
	item_set(p->arena, &item, STR("Value"), value_number(1));
	plan_put(&p->plan, item);
	plan_commit(&p->plan);
	is_int(vote(p, "bob", &c, OPINION_DOWN), PLAN_DONE, "an old vote is changed");
	is_int(item_number(stored(p, key_comment(p->arena, p->post.id, c.path)), STR("Ups")), 0,
	    "... the comment counts it no more");
	is_str(counted(p, &c), STR("0 up, 1 down"), "... it is counted beside it");
}

/* --- Many at once ------------------------------------------------------------------------------------ */

struct voter {
	struct place *place;
	pthread_barrier_t *start;
	const struct comment *comment;
	unsigned number;
};

/* Several are the same person, who wants now this and now that, and all have read that there is no vote yet. */
static void *
vote_often(void *data)
{
	static const char *const names[VOTERS] = {"bob", "cat", "dan", "eve"};
	struct voter *voter = data;
	struct arena *arena = arena_new();
	struct table_call call = {.arena = arena};
	struct plan plan = voter->place->plan;
	struct read own;
	struct rate limit = unlimited;
	uint32_t wait;

	plan.call = &call;
	plan.by = limit.who = str_of(names[voter->number % VOTERS]);
	own = comment_vote_read(arena, plan.by, voter->comment->post, voter->comment->id);
	if (table_read(plan.table, &call, &own, 1) != TABLE_OK)
		bail_out("a vote can't be read");
	pthread_barrier_wait(voter->start);
	(void)comment_vote(&plan, voter->comment,
	    voter->number % 3 == 0   ? OPINION_OFF
	    : voter->number % 3 == 1 ? OPINION_UP
				     : OPINION_DOWN,
	    &own, &limit, &wait);
	arena_free(arena);
	return NULL;
}

static void
storm(struct place *p)
{
	static const char *const names[VOTERS] = {"bob", "cat", "dan", "eve"};
	struct voter voters[STORM];
	pthread_t threads[STORM];
	pthread_barrier_t start;
	struct comment c;
	int ups = 0, downs = 0;

	begin_post(p, "a-storm");
	c = say(p, NULL);
	pthread_barrier_init(&start, NULL, STORM);
	for (unsigned i = 0; i < STORM; i++) {
		voters[i] = (struct voter){p, &start, &c, i};
		pthread_create(&threads[i], NULL, vote_often, &voters[i]);
	}
	for (unsigned i = 0; i < STORM; i++)
		pthread_join(threads[i], NULL);
	pthread_barrier_destroy(&start);
	for (int i = 0; i < VOTERS; i++) {
		const struct item *item =
		    stored(p, key_comment_vote(p->arena, str_of(names[i]), c.post, c.id));

		ups += item != NULL && item_number(item, STR("Value")) > 0;
		downs += item != NULL && item_number(item, STR("Value")) < 0;
	}
	vote(p, "ida", &c, OPINION_UP);
	is_str(counted(p, &c), str_fmt(p->arena, "%d up, %d down", ups + 1, downs),
	    "%d of %d people vote on one comment at once: each is counted once", STORM, VOTERS);
}

/* --- Older tables ------------------------------------------------------------------------------------ */

static void
forget(struct place *p, const struct comment *root)
{
	struct item comment = *stored(p, key_comment(p->arena, p->post.id, root->path));

	item_remove(&comment, STR("GSI3PK"));
	item_remove(&comment, STR("GSI3SK"));
	plan_put(&p->plan, comment);
	plan_add(&p->plan,
	    (struct write){
		.kind = WRITE_DELETE, .key = key_tally(p->arena, p->post.id, root->path)},
	    PLAN_CHANGED);
	if (plan_commit(&p->plan) != PLAN_DONE)
		bail_out("a tally can't be dropped");
}

static void
older(struct place *p)
{
	struct comment c[THREADS], reply;
	size_t made;

	begin_post(p, "an-old-post");
	for (int i = 0; i < THREADS; i++) {
		c[i] = say(p, NULL);
		p->clock.fixed_now += 1000;
		p->plan.now += 1000;
	}
	reply = say(p, &c[1]);
	(void)say(p, &reply);
	for (int i = 0; i < THREADS; i++)
		forget(p, &c[i]);
	(void)say(p, &c[1]);
	is_int(item_number(stored(p, key_tally(p->arena, p->post.id, c[1].path)), STR("Replies")), 1,
	    "in an older table a tally knows but of what is new");
	comment_delete(&p->plan, stored(p, key_comment(p->arena, p->post.id, c[2].path)));
	is_int(tally_make_all(p->table, &made), TABLE_OK, "the tallies are made");
	is_str(best_of(p, c, THREADS), STR("4310"), "... of each thread with something to see");
	is_int(item_number(stored(p, key_tally(p->arena, p->post.id, c[1].path)), STR("Replies")), 3,
	    "... of all its replies");
	ok(item_boolean(stored(p, key_post_stats(p->arena, p->post.id)), STR("Threads")),
	    "... and the post is marked");
	is_str(item_string(stored(p, key_comment(p->arena, p->post.id, c[0].path)), STR("GSI3PK")),
	    STR("SAID"), "an old comment is among all");
	ok(item_get(stored(p, key_comment(p->arena, p->post.id, c[2].path)), STR("GSI3PK")) == NULL,
	    "... but not one that is deleted");
	is_int(tally_make_all(p->table, &made), TABLE_OK, "once more");
	is_int((int64_t)made, 0, "... there is nothing to do");
}

int
main(void)
{
	struct place p = {.clock = clock_fixed(NOW, 1)};

	p.arena = arena_new();
	p.call = (struct table_call){.arena = p.arena};
	p.table = test_store_open(&p.store, &p.clock);
	p.plan = (struct plan){.table = p.table,
	    .call = &p.call,
	    .clock = &p.clock,
	    .now = NOW,
	    .by = STR("ann"),
	    .by_name = STR("Ann")};
	votes(&p);
	old_vote(&p);
	storm(&p);
	older(&p);
	test_store_close(&p.store);
	arena_free(p.arena);
	return tap_done();
}

/*
 * People who are shut out while what they write is on its way: what 64 clients send of four accounts, of which a purge
 * removes all and which are suspended meanwhile. Nothing comes in afterwards, and each counter equals its items.
 */
#include "person.h"

#include "model/people/person_counts.h"
#include "model/key_comment.h"
#include "model/people/purge.h"
#include "model/people/suspension.h"
#include "model/post/count.h"
#include "model/post/writing.h"
#include "model/reader/comment_write.h"

#include <pthread.h>
#include <stdatomic.h>

enum { CLIENTS = 64, PEOPLE = 4, TURNS = 2, MINUTE_MS = 60000, ROUNDS = 200 };

static const char *const names[PEOPLE] = {"spam0", "spam1", "spam2", "spam3"};

struct crowd {
	struct place *place;
	struct plan plan;     /* each client's, before it begins */
	struct post post;     /* what they comment on */
	pthread_barrier_t start, over;
	atomic_bool shut;     /* all of them are shut out */
	atomic_int written, posted, late, wrong;
};

struct client {
	struct crowd *crowd;
	unsigned number;
};

/* --- What they write --------------------------------------------------------------------------------- */

static enum plan_rc
say(struct crowd *crowd, struct plan *plan)
{
	struct new_comment new = {.post = &crowd->post,
	    .markdown = STR("Buy."),
	    .html = STR("<p>Buy.</p>"),
	    .renderer = 1};

	return comment_create(plan, &new);
}

static enum plan_rc
post(struct crowd *crowd, struct plan *plan, unsigned number, int turn)
{
	struct str slug = str_fmt(
	    plan->call->arena, "%.*s-%u-%d", STR_ARGS(crowd->post.id), number, turn);
	struct draft draft = {.post = {.slug = slug,
				  .title = STR("An offer"),
				  .kind = KIND_NOTE,
				  .author = plan->by,
				  .author_name = plan->by_name,
				  .status = STATUS_PUBLISHED,
				  .visibility = VISIBILITY_PUBLIC},
	    .body = {.markdown = STR("Buy."), .html = STR("<p>Buy.</p>"), .renderer = 1}};

	return writing_create(plan, &draft);
}

/* Two in three comment, the others publish. */
static void
write_once(struct client *client, int turn)
{
	struct crowd *crowd = client->crowd;
	struct arena *arena = arena_new();
	struct table_call call = {.arena = arena};
	struct clock clock = clock_fixed(NOW, client->number * 100 + (unsigned)turn + 1);
	struct plan plan = crowd->plan;
	bool shut = crowd->shut, posts = client->number % 3 == 0;
	enum plan_rc rc;

	plan.call = &call;
	plan.clock = &clock;
	plan.by = plan.by_name = str_of(names[client->number % PEOPLE]);
	rc = posts ? post(crowd, &plan, client->number, turn) : say(crowd, &plan);
	crowd->written += rc == PLAN_DONE && !posts;
	crowd->posted += rc == PLAN_DONE && posts;
	crowd->late += rc == PLAN_DONE && shut;
	crowd->wrong += rc != PLAN_DONE && rc != PLAN_NOT_ACTIVE &&
			!(rc == PLAN_TABLE && plan.failed == TABLE_CONFLICT);
	table_release(plan.table, &call);
	arena_free(arena);
}

static void *
run_client(void *data)
{
	struct client *client = data;

	pthread_barrier_wait(&client->crowd->start);
	for (int turn = 0; turn < TURNS; turn++)
		write_once(client, turn);
	pthread_barrier_wait(&client->crowd->over);
	write_once(client, TURNS);
	return NULL;
}

/* They write while `shut_out` does it to each of the accounts, which may have to be tried again. */
static void
storm(struct crowd *crowd, enum plan_rc (*shut_out)(struct place *p, const struct user *user))
{
	struct client clients[CLIENTS];
	pthread_t threads[CLIENTS];
	struct place *p = crowd->place;

	pthread_barrier_init(&crowd->start, NULL, CLIENTS + 1);
	pthread_barrier_init(&crowd->over, NULL, CLIENTS + 1);
	for (unsigned i = 0; i < CLIENTS; i++) {
		clients[i] = (struct client){crowd, i};
		pthread_create(&threads[i], NULL, run_client, &clients[i]);
	}
	pthread_barrier_wait(&crowd->start);
	for (int i = 0; i < PEOPLE; i++) {
		struct user user;

		do
			user = found(p, names[i]).user;
		while (shut_out(p, &user) != PLAN_DONE);
	}
	crowd->shut = true;
	pthread_barrier_wait(&crowd->over);
	for (unsigned i = 0; i < CLIENTS; i++)
		pthread_join(threads[i], NULL);
	pthread_barrier_destroy(&crowd->start);
	pthread_barrier_destroy(&crowd->over);
	is_int(crowd->wrong, 0, "%d clients write; nothing fails", CLIENTS);
	is_int(crowd->late, 0, "... or comes in once they are shut out");
}

/* --- What is there ----------------------------------------------------------------------------------- */

static void
begin(struct place *p, struct crowd *crowd, const char *id)
{
	struct item head = {.count = 0}, stats = {.count = 0};

	*crowd = (struct crowd){.place = p, .post = {.id = str_of(id), .title = str_of(id)}};
	key_set(p->arena, &head, key_post(p->arena, crowd->post.id), ITEM_POST);
	item_set(p->arena, &head, STR("Id"), value_string(crowd->post.id));
	item_set(p->arena, &head, STR("Status"), value_string(STR("published")));
	key_set(p->arena, &stats, key_post_stats(p->arena, crowd->post.id), ITEM_STATS);
	plan_put(&p->plan, head);
	plan_put(&p->plan, stats);
	if (plan_commit(&p->plan) != PLAN_DONE)
		bail_out("a post can't be put");
	crowd->plan = p->plan;
}

/* The visible comments, in all, and by the shards of who wrote them. */
static int64_t
visible(struct crowd *crowd, int64_t by_shards[COUNT_SHARDS])
{
	struct place *p = crowd->place;
	struct query query = query_comments(p->arena, crowd->post.id);
	struct item *items;
	struct str next;
	size_t count;
	int64_t n = 0;

	query.limit = TABLE_QUERY_MAX;
	query.consistent = true;
	if (table_query(p->table, &p->call, &query, &items, &count, &next) != TABLE_OK)
		bail_out("the thread can't be read");
	for (size_t i = 0; i < count; i++) {
		if (!kind_is(&items[i], ITEM_COMMENT) ||
		    !str_eq(item_string(&items[i], STR("Status")), STR("visible")))
			continue;
		by_shards[count_shard(item_string(&items[i], STR("Author")))]++;
		n++;
	}
	return n;
}

/* So many are there, and each shard equals its items. */
static void
are_counted(struct crowd *crowd, int64_t wanted, const char *what)
{
	struct place *p = crowd->place;
	struct read shards = count_read(p->arena, crowd->post.id);
	int64_t there[COUNT_SHARDS] = {0};
	int wrong = 0;

	is_int(visible(crowd, there), wanted, "%s", what);
	shards.consistent = true;
	if (table_read(p->table, &p->call, &shards, 1) != TABLE_OK)
		bail_out("the shards can't be read");
	for (int i = 0; i < COUNT_SHARDS; i++)
		wrong += there[i] !=
			 (shards.items[i] != NULL ? item_number(shards.items[i], STR("Comments")) : 0);
	is_int(wrong, 0, "... and each shard equals its items");
}

/* The public posts of all accounts, by their counters, and by their lists. */
static void
posts_of_all(struct place *p, int64_t *by_counters, int64_t *by_lists)
{
	*by_counters = *by_lists = 0;
	for (int i = 0; i < PEOPLE; i++) {
		struct query query = query_activity(p->arena, str_of(names[i]));
		struct user user = found(p, names[i]).user;
		struct read counts;
		struct item *items;
		struct str next;
		size_t count;

		query.limit = TABLE_QUERY_MAX;
		if (table_query(p->table, &p->call, &query, &items, &count, &next) != TABLE_OK)
			bail_out("the activity can't be read");
		for (size_t n = 0; n < count; n++)
			*by_lists +=
			    str_starts(item_string(&items[n], STR("GSI1SK")), STR("POST#"));
		counts = person_counts_read(p->arena, str_of(names[i]));
		if (table_read(p->table, &p->call, &counts, 1) != TABLE_OK)
			bail_out("the counts can't be read");
		person_counts_add(counts.item, &user);
		*by_counters += user.posts;
	}
}

/* --- Suspension --------------------------------------------------------------------------------------- */

static enum plan_rc
suspend_one(struct place *p, const struct user *user)
{
	return suspend(&p->plan, user, NOW + MINUTE_MS, STR("Offers."));
}

static void
suspensions(struct place *p)
{
	struct crowd crowd;
	int64_t by_counters, by_lists;

	begin(p, &crowd, "suspended");
	storm(&crowd, suspend_one);
	are_counted(&crowd, crowd.written, "as many comments as they were told of are there");
	posts_of_all(p, &by_counters, &by_lists);
	is_int(by_lists, crowd.posted, "... and as many posts");
	is_int(by_counters, crowd.posted, "... and counted, too");
	for (int i = 0; i < PEOPLE; i++) {
		struct user user = found(p, names[i]).user;

		is_int(suspension_end(&p->plan, &user), PLAN_DONE, "%s is let in again", names[i]);
	}
}

/* --- Purge -------------------------------------------------------------------------------------------- */

static enum plan_rc
purge_one(struct place *p, const struct user *user)
{
	return purge_begin(&p->plan, user, 0);
}

/* Works off all purges, as the request and the sweeper do. */
static void *
work_off(void *data)
{
	struct place *p = data;
	struct arena *arena = arena_new();

	for (int i = 0; i < PEOPLE; i++) {
		bool done = false;

		for (int round = 0; round < ROUNDS && !done; round++) {
			struct table_call call = {.arena = arena};
			struct plan plan = p->plan;

			plan.call = &call;
			purge_round(&plan, str_of(names[i]), &done);
			table_release(p->table, &call);
			arena_reset(arena);
		}
	}
	arena_free(arena);
	return NULL;
}

static void
both_work(struct place *p)
{
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work_off, p);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
}

static void
purges(struct place *p)
{
	struct crowd crowd;
	int64_t by_counters, by_lists;

	begin(p, &crowd, "purged");
	storm(&crowd, purge_one);
	both_work(p);
	p->plan.now += MINUTE_MS + 1;
	both_work(p);
	are_counted(&crowd, 0, "two work off the purge: no comment of theirs is left");
	posts_of_all(p, &by_counters, &by_lists);
	is_int(by_lists, 0, "... nor a post");
	is_int(by_counters, 0, "... in any counter");
	for (int i = 0; i < PEOPLE; i++)
		is_int(purge_restore(&p->plan, str_of(names[i])), PLAN_DONE, "%s is restored",
		    names[i]);
	both_work(p);
	are_counted(&crowd, crowd.written, "all comments are there again");
}

int
main(void)
{
	struct place p = {.clock = clock_fixed(NOW, 1)};
	struct test_store store;

	p.arena = arena_new();
	p.table = test_store_open(&store, &p.clock);
	p.call.arena = p.arena;
	p.plan = (struct plan){
	    .table = p.table, .call = &p.call, .clock = &p.clock, .now = NOW, .by = STR("marta")};
	for (int i = 0; i < PEOPLE; i++)
		create(&p.plan, names[i],
		    str_cstring(p.arena, str_fmt(p.arena, "%s@example.org", names[i])), ROLE_AUTHOR);
	suspensions(&p);
	purges(&p);
	test_store_close(&store);
	arena_free(p.arena);
	return tap_done();
}

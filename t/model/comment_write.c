/* Writing comments: their places, what counts them, and a thread with many concurrent writers. */
#include "lib/store.h"
#include "lib/tap.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key_comment.h"
#include "model/key_follow.h"
#include "model/people/user.h"
#include "model/post/count.h"
#include "model/post/post.h"
#include "model/reader/comment_write.h"

#include <pthread.h>

#define NOW INT64_C(1795000000000)
enum { STORM = 64, SAME_IDS = 4, ALL = 1000 };

struct place {
	struct arena *arena;
	struct clock clock;
	struct test_store store;
	struct table *table;
	struct table_call call;
	struct plan plan;
	struct post post;
};

static void
put(struct place *p, struct key key, enum item_kind kind, const char *status)
{
	struct item item = {.count = 0};

	key_set(p->arena, &item, key, kind);
	item_set(p->arena, &item, STR("Status"), value_string(str_of(status)));
	plan_put(&p->plan, item);
	if (plan_commit(&p->plan) != PLAN_DONE)
		bail_out("an item can't be put");
}

static struct item *
stored(struct place *p, struct key key)
{
	struct read read = {.kind = READ_GET, .key = key, .consistent = true};

	if (table_read(p->table, &p->call, &read, 1) != TABLE_OK)
		bail_out("a read fails");
	return read.item;
}

static int64_t
number(struct place *p, struct key key, const char *name)
{
	const struct item *item = stored(p, key);

	return item != NULL ? item_number(item, str_of(name)) : -1;
}

static int64_t
counted(struct place *p)
{
	struct read shards = count_read(p->arena, p->post.id);
	struct post_stats now;

	shards.consistent = true;
	if (table_read(p->table, &p->call, &shards, 1) != TABLE_OK)
		bail_out("a read fails");
	count_take(p->arena, NULL, &shards, &now);
	return now.comments;
}

/* The comments of the post that have this status; NULL: any. */
static int64_t
there(struct place *p, const char *status)
{
	struct query query = query_comments(p->arena, p->post.id);
	struct item *found;
	struct str next;
	size_t count, n = 0;

	query.limit = ALL;
	query.consistent = true;
	if (table_query(p->table, &p->call, &query, &found, &count, &next) != TABLE_OK)
		bail_out("the thread can't be read");
	for (size_t i = 0; i < count; i++)
		n +=
		    status == NULL || str_eq(item_string(&found[i], STR("Status")), str_of(status));
	return (int64_t)n;
}

static struct item *
all_of(struct place *p, struct query query, size_t *count)
{
	struct item *found;
	struct str next;

	query.limit = ALL;
	if (table_query(p->table, &p->call, &query, &found, count, &next) != TABLE_OK)
		bail_out("the thread can't be read");
	return found;
}

static bool
is_visible(const struct item *item)
{
	return str_eq(item_string(item, STR("Status")), STR("visible"));
}

/* The number of visible comments under this path. */
static int64_t
under(const struct item *comments, size_t count, struct str path)
{
	int64_t n = 0;

	for (size_t i = 0; i < count; i++) {
		struct str other = key_comment_path(item_string(&comments[i], STR("SK")));

		n += is_visible(&comments[i]) && other.len > path.len && str_starts(other, path);
	}
	return n;
}

/* How many threads have another tally than is right: one each while there is something to be seen. */
static int64_t
mistold(struct place *p)
{
	size_t count, tallies, right = 0, wanted = 0;
	struct item *comments = all_of(p, query_comments(p->arena, p->post.id), &count);
	const struct item *tally;

	(void)all_of(p, query_threads(p->arena, p->post.id, THREAD_OLDEST), &tallies);
	for (size_t i = 0; i < count; i++) {
		struct str path = key_comment_path(item_string(&comments[i], STR("SK")));
		int64_t replies = under(comments, count, path);

		if (comment_level(path) != 1 || (!is_visible(&comments[i]) && replies == 0))
			continue;
		wanted++;
		tally = stored(p, key_tally(p->arena, p->post.id, path));
		right += tally != NULL && item_number(tally, STR("Replies")) == replies;
	}
	return (int64_t)(wanted - right) + ((int64_t)tallies - (int64_t)wanted);
}

static void
begin_post(struct place *p, const char *id)
{
	p->post = (struct post){.id = str_of(id), .title = str_of(id)};
	put(p, key_post(p->arena, p->post.id), ITEM_POST, "published");
	put(p, key_post_stats(p->arena, p->post.id), ITEM_STATS, "");
}

static struct new_comment
said(struct place *p, const struct comment *to)
{
	return (struct new_comment){.post = &p->post,
	    .to = to,
	    .markdown = STR("Yes."),
	    .html = STR("<p>Yes.</p>"),
	    .renderer = 1};
}

static struct comment
comment_at(struct place *p, struct str path)
{
	struct item *item = stored(p, key_comment(p->arena, p->post.id, path));
	struct comment comment;

	if (item == NULL)
		bail_out("a comment is not there");
	comment_from_item(p->arena, item, &comment);
	return comment;
}

/* --- One after another ------------------------------------------------------------------------------- */

static void
writes(struct place *p)
{
	struct new_comment root = said(p, NULL), reply, again;
	struct comment first, second;

	root.once = STR("form-1");
	is_int(comment_create(&p->plan, &root), PLAN_DONE, "a comment");
	ok(comment_path_valid(root.path) && comment_level(root.path) == 1, "... at the root");
	first = comment_at(p, root.path);
	ok(first.status == COMMENT_VISIBLE && str_eq(first.author, STR("ann")), "... of hers");
	is_int(counted(p), 1, "... is counted");
	again = said(p, NULL);
	again.once = STR("form-1");
	is_int(comment_create(&p->plan, &again), PLAN_ALREADY, "the same form once more");
	is_str(again.path, root.path, "... leads to the first");
	is_int(there(p, NULL), 1, "... and makes none");
	reply = said(p, &first);
	is_int(comment_create(&p->plan, &reply), PLAN_DONE, "a reply");
	ok(str_starts(reply.path, STR_CONCAT(p->arena, root.path, STR("."))),
	    "... stands under it");
	second = comment_at(p, reply.path);
	is_str(second.parent, first.id, "... and names it");
	is_int(number(p, key_tally(p->arena, p->post.id, root.path), "Replies"), 1,
	    "... which its thread counts");
	is_int(counted(p), 2, "... as the post does");
}

static void
deep(struct place *p)
{
	struct comment at = {.path = STR("")};
	struct new_comment last, beyond;

	for (unsigned level = 1; level <= COMMENT_LEVELS; level++) {
		last = said(p, level == 1 ? NULL : &at);
		if (comment_create(&p->plan, &last) != PLAN_DONE)
			bail_out("level %u", level);
		at = comment_at(p, last.path);
	}
	is_int(comment_level(at.path), COMMENT_LEVELS, "a thread of %d levels", COMMENT_LEVELS);
	beyond = said(p, &at);
	is_int(comment_create(&p->plan, &beyond), PLAN_DONE, "a reply to the last");
	is_int(comment_level(beyond.path), COMMENT_LEVELS, "... stands beside it");
	is_str(str_sub(beyond.path, 0, beyond.path.len - 15), str_sub(at.path, 0, at.path.len - 15),
	    "... under the same");
	is_int(number(p, key_tally(p->arena, p->post.id, comment_path_root(at.path)), "Replies"),
	    COMMENT_LEVELS, "... and the thread counts both");
}

static void
held(struct place *p)
{
	struct new_comment waits = said(p, NULL), reply;
	struct comment comment;
	int64_t before = counted(p);
	const struct item *was;
	struct key key;

	waits.held = true;
	is_int(comment_create(&p->plan, &waits), PLAN_DONE, "a comment that waits");
	is_int(counted(p), before, "... is not counted");
	key = key_comment(p->arena, p->post.id, waits.path);
	comment = comment_at(p, waits.path);
	reply = said(p, &comment);
	is_int(comment_create(&p->plan, &reply), PLAN_GONE, "... and not answered");
	was = stored(p, key);
	is_int(comment_approve(&p->plan, was), PLAN_DONE, "approved");
	is_int(counted(p), before + 1, "... it is counted");
	is_str(item_string(stored(p, key), table_pk_name(TABLE_GSI3)), STR("SAID"),
	    "... and out of the queue");
	is_int(comment_approve(&p->plan, stored(p, key)), PLAN_TAKEN, "approved twice");
	is_int(comment_hide(&p->plan, was, STR("No.")), PLAN_TAKEN, "... or hidden as it was read");
	is_int(counted(p), before + 1, "... changes nothing");
	is_int(comment_hide(&p->plan, stored(p, key), STR("Rude.")), PLAN_DONE, "hidden");
	is_int(counted(p), before, "... it is not counted");
	comment = comment_at(p, waits.path);
	is_str(comment.hidden_why, STR("Rude."), "... and says why");
	is_int(comment_answer(&p->plan, stored(p, key), STR("It was not.")), PLAN_DONE, "answered");
	is_int(comment_answer(&p->plan, stored(p, key), STR("Really.")), PLAN_TAKEN, "... once");
	is_int(comment_keep_hidden(&p->plan, stored(p, key)), PLAN_DONE, "the answer is read");
	is_int(comment_restore(&p->plan, stored(p, key)), PLAN_DONE, "restored");
	is_int(counted(p), before + 1, "... it is counted again");
	ok(comment_at(p, waits.path).hidden == 0, "... and nothing is left of it");
	waits = said(p, NULL);
	waits.held = true;
	comment_create(&p->plan, &waits);
	key = key_comment(p->arena, p->post.id, waits.path);
	is_int(comment_hide(&p->plan, stored(p, key), STR("No.")), PLAN_DONE, "refused");
	ok(comment_at(p, waits.path).status == COMMENT_HIDDEN, "... it is hidden");
	is_int(counted(p), before + 1, "... and counted nowhere");
}

static void
went(struct place *p)
{
	struct new_comment root = said(p, NULL), reply;
	struct comment first;
	int64_t before;

	comment_create(&p->plan, &root);
	before = there(p, NULL);
	first = comment_at(p, root.path);
	comment_delete(&p->plan, stored(p, key_comment(p->arena, p->post.id, root.path)));
	reply = said(p, &first);
	is_int(comment_create(&p->plan, &reply), PLAN_GONE, "a reply to what is deleted");
	put(p, key_post(p->arena, p->post.id), ITEM_POST, "unpublished");
	root = said(p, NULL);
	is_int(comment_create(&p->plan, &root), PLAN_NOT_THERE, "a comment on what is taken back");
	is_int(there(p, NULL), before, "neither is there");
}

static void
set_block(struct place *p, const char *by, const char *status)
{
	put(p, key_follow(p->arena, str_of(by), p->plan.by), ITEM_FOLLOW, status);
}

/* A block counts in the transaction, even if it was not there when it was read before. */
static void
blocked(struct place *p)
{
	const struct coauthor others[] = {{.username = STR_INIT("cora")}};
	struct new_comment root, reply;
	struct comment first;
	int64_t before;

	begin_post(p, "a-block");
	p->post.author = STR("bob");
	p->post.others = others;
	p->post.other_count = 1;
	root = said(p, NULL);
	comment_create(&p->plan, &root);
	first = comment_at(p, root.path);
	first.author = STR("dan");
	before = there(p, NULL);
	set_block(p, "bob", "blocked");
	is_int(
	    comment_create(&p->plan, &root), PLAN_BLOCKED, "under a post of who has blocked her");
	set_block(p, "bob", "active");
	set_block(p, "cora", "blocked");
	is_int(comment_create(&p->plan, &root), PLAN_BLOCKED, "... or of one who wrote it, too");
	set_block(p, "cora", "asked");
	set_block(p, "dan", "blocked");
	reply = said(p, &first);
	is_int(comment_create(&p->plan, &reply), PLAN_BLOCKED, "... or in answer to one");
	is_int(there(p, NULL), before, "... she writes nothing");
	is_int(comment_create(&p->plan, &root), PLAN_DONE, "beside it she does");
	set_block(p, "dan", "active");
	is_int(comment_create(&p->plan, &reply), PLAN_DONE, "... and in answer, once she may");
}

static int64_t
texts(struct place *p)
{
	struct query query = query_activity(p->arena, STR("ann"));
	struct item *found;
	struct str next;
	size_t count, n = 0;

	query.limit = ALL;
	if (table_query(p->table, &p->call, &query, &found, &count, &next) != TABLE_OK)
		bail_out("her activity can't be read");
	for (size_t i = 0; i < count; i++)
		n += kind_is(&found[i], ITEM_COMMENT_TEXT);
	return (int64_t)n;
}

static enum plan_rc
says(struct place *p, struct key key, const char *text)
{
	return comment_edit(&p->plan, stored(p, key),
	    &(struct new_comment){
		.markdown = str_of(text), .html = STR("<p>Edited</p>"), .renderer = 1});
}

static void
changes(struct place *p)
{
	struct new_comment root, reply;
	struct comment first;
	struct key key;
	struct item *old;
	struct plan later = p->plan;
	int64_t before = texts(p);

	begin_post(p, "a-change");
	root = said(p, NULL);
	comment_create(&p->plan, &root);
	key = key_comment(p->arena, p->post.id, root.path);
	first = comment_at(p, root.path);
	reply = said(p, &first);
	comment_create(&p->plan, &reply);
	old = stored(p, key);
	is_int(says(p, key, "No."), PLAN_DONE, "a comment is edited");
	first = comment_at(p, root.path);
	is_str(first.markdown, STR("No."), "... says something else");
	ok(first.updated == first.created, "... and is not said to be edited at once");
	is_int(texts(p), before + 1, "... what it said is kept");
	is_int(comment_edit(
		   &p->plan, old, &(struct new_comment){.markdown = STR("Perhaps.")}), PLAN_CHANGED,
	    "who had read what it said before is told");
	p->plan.now += 6 * 60000;
	is_int(says(p, key, "Never."), PLAN_DONE, "edited later");
	first = comment_at(p, root.path);
	ok(first.updated > first.created, "... it is said");
	ok(comment_editable(&first, NOW + 86399999) && !comment_editable(&first, NOW + 86400000),
	    "... and after a day it is done no more");
	old = stored(p, key);
	is_int(comment_delete(&p->plan, old), PLAN_DONE, "deleted");
	is_int(counted(p), 1, "... it is not counted, its reply is");
	is_int(number(p, key_tally(p->arena, p->post.id, root.path), "Replies"), 1,
	    "... by its thread");
	ok(item_string(stored(p, key), STR("Markdown")).len == 0 &&
		item_string(stored(p, key), STR("Author")).len == 0,
	    "... of which nothing says what, or whose");
	is_int(comment_delete(&p->plan, old), PLAN_TAKEN, "deleted twice");
	is_int(comment_edit(
		   &p->plan, old, &(struct new_comment){.markdown = STR("Yes.")}), PLAN_CHANGED, "or edited");
	is_int(counted(p), 1, "... changes nothing");
	first = comment_at(p, reply.path);
	is_int(comment_delete(&p->plan, stored(p, key_comment(p->arena, p->post.id, reply.path))),
	    PLAN_DONE, "its reply is deleted, too");
	is_int(counted(p), 0, "... counted nowhere");
	is_int(number(p, key_tally(p->arena, p->post.id, root.path), "Replies"), 0,
	    "... nor by its thread");
	root = said(p, NULL);
	comment_create(&p->plan, &root);
	comment_delete(&p->plan, stored(p, key_comment(p->arena, p->post.id, root.path)));
	ok(stored(p, key_tally(p->arena, p->post.id, root.path)) == NULL,
	    "what nobody answered leaves no tally");
	root = said(p, NULL);
	comment_create(&p->plan, &root);
	old = stored(p, key_comment(p->arena, p->post.id, root.path));
	first = comment_at(p, root.path);
	reply = said(p, &first);
	comment_create(&p->plan, &reply);
	is_int(comment_delete(&p->plan, old), PLAN_DONE, "answered since it was read, it is deleted");
	is_int(number(p, key_tally(p->arena, p->post.id, root.path), "Replies"), 1,
	    "... its thread keeps the tally");
	p->plan = later;
}

static void
remove_at(struct place *p, struct str path)
{
	is_int(comment_delete(&p->plan, stored(p, key_comment(p->arena, p->post.id, path))),
	    PLAN_DONE, "a comment is deleted");
}

/* Whoever answers has read what was there, perhaps a moment ago. */
static void
goes_meanwhile(struct place *p)
{
	struct new_comment root, reply, waiting, late;
	struct comment first, second;

	begin_post(p, "a-while");
	root = said(p, NULL);
	comment_create(&p->plan, &root);
	first = comment_at(p, root.path);
	reply = said(p, &first);
	comment_create(&p->plan, &reply);
	second = comment_at(p, reply.path);
	late = said(p, &first);
	remove_at(p, root.path);
	is_int(comment_create(&p->plan, &late), PLAN_GONE, "it is answered no more");
	late = said(p, &second);
	is_int(comment_create(&p->plan, &late), PLAN_DONE, "... what stands under it is");
	is_int(mistold(p), 0, "... and counted");
	remove_at(p, reply.path);
	is_int(comment_create(&p->plan, &late), PLAN_GONE, "... until it goes, too");

	begin_post(p, "a-return");
	root = said(p, NULL);
	comment_create(&p->plan, &root);
	first = comment_at(p, root.path);
	waiting = said(p, &first);
	waiting.held = true;
	comment_create(&p->plan, &waiting);
	remove_at(p, root.path);
	late = said(p, &first);
	is_int(comment_create(&p->plan, &late), PLAN_GONE, "nor what leaves nothing");
	is_int(comment_approve(
		   &p->plan, stored(p, key_comment(p->arena, p->post.id, waiting.path))),
	    PLAN_DONE, "a reply to it that waited is approved");
	is_int(comment_create(&p->plan, &late), PLAN_GONE, "... it is answered no more, either");
}

/* --- Many at once ------------------------------------------------------------------------------------ */

struct writer {
	struct place *place;
	pthread_barrier_t *start;
	const struct comment *to;
	const struct item *held; /* half of them approve this, half refuse it; NULL: writes */
	const struct item *gone; /* half of them delete this */
	const char *once;
	unsigned number;
	enum plan_rc rc;
	bool late; /* answered it once it was deleted */
};

/* Four of them get the same ids, in the same order. */
static void *
write_one(void *data)
{
	struct writer *writer = data;
	struct arena *arena = arena_new();
	struct table_call call = {.arena = arena};
	struct clock clock = clock_fixed(NOW, 1000 + writer->number / SAME_IDS);
	struct plan plan = writer->place->plan;
	struct new_comment comment = said(writer->place, writer->to);

	plan.call = &call;
	plan.clock = &clock;
	if (writer->once != NULL)
		comment.once = str_of(writer->once);
	pthread_barrier_wait(writer->start);
	if (writer->gone != NULL && writer->number % 2 == 0)
		writer->rc =
		    comment_delete(&plan, writer->gone) == PLAN_DONE ? PLAN_MORE : PLAN_TAKEN;
	else if (writer->held == NULL)
		writer->rc = comment_create(&plan, &comment);
	else if (writer->number % 2 == 0)
		writer->rc = comment_approve(&plan, writer->held);
	else
		writer->rc = comment_hide(&plan, writer->held, STR("No."));
	if (writer->gone != NULL) {
		pthread_barrier_wait(writer->start);
		writer->late = writer->number % 2 != 0 &&
			       comment_create(&plan, &comment) == PLAN_DONE;
	}
	arena_free(arena);
	return NULL;
}

/* The number of successful calls. */
static int64_t
storm(struct place *p, const struct comment *to, const struct item *waits, const struct item *gone,
    const char *once)
{
	struct writer writers[STORM];
	pthread_t threads[STORM];
	pthread_barrier_t start;
	int64_t done = 0, late = 0;

	pthread_barrier_init(&start, NULL, STORM);
	for (unsigned i = 0; i < STORM; i++) {
		writers[i] = (struct writer){p, &start, to, waits, gone, once, i, PLAN_TABLE, false};
		pthread_create(&threads[i], NULL, write_one, &writers[i]);
	}
	for (unsigned i = 0; i < STORM; i++) {
		pthread_join(threads[i], NULL);
		done += writers[i].rc == PLAN_DONE;
		late += writers[i].late;
	}
	pthread_barrier_destroy(&start);
	if (gone != NULL)
		is_int(late, 0, "nobody answers what is deleted");
	return done;
}

static void
storms(struct place *p)
{
	struct new_comment root;
	struct comment first;
	struct key key;
	int64_t done;

	begin_post(p, "a-storm");
	done = storm(p, NULL, NULL, NULL, NULL);
	ok(done > STORM / 2, "%d write to one post, many of them at the same ids", STORM);
	is_int(there(p, NULL), done, "... each path is one comment's");
	is_int(counted(p), done, "... and each is counted once");
	is_int(mistold(p), 0, "... and begins a thread with a tally");

	begin_post(p, "a-double-click");
	is_int(
	    storm(p, NULL, NULL, NULL, "one-form"), 1, "one form, sent %d times, makes one", STORM);
	is_int(there(p, NULL), 1, "... comment");
	is_int(counted(p), 1, "... that is counted");

	begin_post(p, "a-quarrel");
	root = said(p, NULL);
	comment_create(&p->plan, &root);
	first = comment_at(p, root.path);
	done = storm(p, &first, NULL, NULL, NULL);
	is_int(there(p, NULL), done + 1, "as many replies as are done");
	is_int(counted(p), done + 1, "... and by the post");
	is_int(mistold(p), 0, "... and by the tally");

	begin_post(p, "a-regret");
	root = said(p, NULL);
	comment_create(&p->plan, &root);
	first = comment_at(p, root.path);
	key = key_comment(p->arena, p->post.id, root.path);
	done = storm(p, &first, NULL, stored(p, key), NULL);
	is_int(there(p, "deleted"), 1, "%d delete a comment or answer it", STORM);
	is_int(there(p, "visible"), done, "... who was told that they did has answered");
	is_int(counted(p), done, "... and by the post");
	is_int(mistold(p), 0, "... and by the tally");

	begin_post(p, "a-queue");
	root = said(p, NULL);
	root.held = true;
	comment_create(&p->plan, &root);
	key = key_comment(p->arena, p->post.id, root.path);
	is_int(
	    storm(p, NULL, stored(p, key), NULL, NULL), 1, "one of %d decides what waits", STORM);
	is_int(there(p, "visible"), counted(p), "... and it is counted, or gone");
	is_int(there(p, "held"), 0, "... and waits no more");
	is_int(mistold(p), 0, "... with a tally, if it is there");
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
	begin_post(&p, "a-post");
	writes(&p);
	deep(&p);
	held(&p);
	went(&p);
	changes(&p);
	goes_meanwhile(&p);
	blocked(&p);
	storms(&p);
	test_store_close(&p.store);
	arena_free(p.arena);
	return tap_done();
}

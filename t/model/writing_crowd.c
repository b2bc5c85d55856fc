/* Limits, concurrent writers, and a table that fails. */
#include "writing_shared.h"

#include "base/arena.h"
#include "base/buf.h"
#include "lib/failing_table.h"
#include "model/post/media.h"
#include "model/slug.h"

#include <pthread.h>

enum { CROWD = 16, STORM_POSTS = 4, STORM_TURNS = 30 };

/* --- Limits ---------------------------------------------------------------------------------------- */

static void
long_slugs(struct desk_place *p)
{
	char longest[101];
	struct draft draft;

	memset(longest, 'a', 100);
	longest[100] = '\0';
	draft = draft_of(longest, KIND_NOTE);
	writing_create(&p->plan, &draft);
	draft = draft_of(longest, KIND_NOTE);
	draft.any_slug = true;
	is_int(writing_create(&p->plan, &draft), PLAN_DONE, "the longest slug, once more");
	ok(slug_valid(draft.post.slug) && str_ends(draft.post.slug, STR("a-2")),
	    "... is cut for its number");
}

static void
too_long(struct desk_place *p)
{
	size_t size = 390 * 1024;
	char *text = arena_alloc(p->arena, size);
	struct draft draft = draft_of("endless", KIND_ARTICLE);

	memset(text, 'a', size);
	draft.body.markdown = (struct str){text, size};
	draft.body.html = (struct str){text, size};
	is_int(writing_create(&p->plan, &draft), PLAN_TOO_LONG, "a text that no item holds");
	draft.body.html = STR("");
	is_int(writing_create(&p->plan, &draft), PLAN_DONE, "... one that just fits");
}

static void
revisions_expire(struct desk_place *p)
{
	struct draft draft = draft_of("of-many-revisions", KIND_NOTE);
	struct query query = query_revisions(p->arena, STR("of-many-revisions"));
	struct written w;
	struct item *found;
	struct str next;
	struct post post;
	size_t count, expiring = 0;

	writing_create(&p->plan, &draft);
	for (int i = 0; i < 60; i++) {
		w = stored(p, "of-many-revisions");
		draft = draft_from(&w);
		if (writing_save(&p->plan, &w, &draft) != PLAN_DONE)
			bail_out("save %d", i);
	}
	w = stored(p, "of-many-revisions");
	writing_delete(&p->plan, &w, w.post.version, &post);
	query.limit = 100;
	table_query(p->table, &p->call, &query, &found, &count, &next);
	for (size_t i = 0; i < count; i++)
		expiring += item_get(&found[i], TABLE_EXPIRES) != NULL;
	is_int((int64_t)expiring, 61, "all revisions of a deleted post expire");
	w = stored(p, "of-many-revisions");
	is_int(writing_undelete(&p->plan, &w, &post), PLAN_DONE, "had back");
	let_pass(p, 2 * DELETED_KEPT_MS);
	table_query(p->table, &p->call, &query, &found, &count, &next);
	is_int((int64_t)count, 61, "... all of them stay");
}

/* --- Pictures -------------------------------------------------------------------------------------- */

#define HARBOUR "0123456789abcdef0123456789abcdef"
#define BOAT "fedcba9876543210fedcba9876543210"

/* What the table says of a picture's use: "<post> <title>" for each. */
static struct str
uses(struct desk_place *p, const char *hash)
{
	struct query query = query_media_uses(p->arena, str_of(hash));
	struct buf out = {.arena = p->arena};
	struct item *found;
	struct str next;
	size_t count;

	query.limit = 10;
	if (table_query(p->table, &p->call, &query, &found, &count, &next) != TABLE_OK)
		bail_out("the uses can't be read");
	for (size_t i = 0; i < count; i++) {
		struct media_use use;

		media_use_from_item(p->arena, &found[i], &use);
		buf_fmt(&out, "%s%.*s %.*s", i != 0 ? ", " : "", STR_ARGS(use.post),
		    STR_ARGS(use.title));
	}
	return buf_str(&out);
}

static struct str
author_of_use(struct desk_place *p, const char *hash)
{
	struct query query = query_media_uses(p->arena, str_of(hash));
	struct media_use use = {.author = STR("")};
	struct item *found;
	struct str next;
	size_t count;

	query.limit = 1;
	if (table_query(p->table, &p->call, &query, &found, &count, &next) == TABLE_OK &&
	    count != 0)
		media_use_from_item(p->arena, &found[0], &use);
	return use.author;
}

static void
pictures(struct desk_place *p)
{
	const struct coauthor somebody = {STR("left-1"), STR("Somebody")};
	struct draft draft = draft_of("with-pictures", KIND_ARTICLE);
	struct written old;

	draft.body.markdown = STR("![A harbour](/media/" HARBOUR "-1600x900.jpg)");
	is_int(writing_create(&p->plan, &draft), PLAN_DONE, "a post with a picture");
	is_str(uses(p, HARBOUR), STR("with-pictures A title"), "... is noted beside the picture");
	old = stored(p, "with-pictures");
	draft = draft_from(&old);
	draft.post.title = STR("Boats");
	draft.post.thumbnail.url = STR("/media/" BOAT "-480x270.jpg");
	is_int(writing_save(&p->plan, &old, &draft), PLAN_DONE,
	    "... with another title and thumbnail");
	is_str(uses(p, HARBOUR), STR("with-pictures Boats"), "... is noted anew");
	is_str(uses(p, BOAT), STR("with-pictures Boats"), "... beside both");
	old = stored(p, "with-pictures");
	draft = draft_from(&old);
	draft.body.markdown = STR("No harbour.");
	is_int(writing_save(&p->plan, &old, &draft), PLAN_DONE, "... without the first one");
	is_str(uses(p, HARBOUR), STR(""), "... leaves that one");
	is_str(uses(p, BOAT), STR("with-pictures Boats"), "... and not the other");
	old = stored(p, "with-pictures");
	is_int(writing_delete(&p->plan, &old, old.post.version, &draft.post), PLAN_DONE, "deleted");
	is_str(
	    uses(p, BOAT), STR("with-pictures Boats"), "... it still uses it, as it may come back");
	let_pass(p, DELETED_KEPT_MS - MINUTE);
	old = stored(p, "with-pictures");
	is_int(writing_undelete(&p->plan, &old, &draft.post), PLAN_DONE, "which it does");
	let_pass(p, 2 * MINUTE);
	is_str(uses(p, BOAT), STR("with-pictures Boats"), "... to stay");
	old = stored(p, "with-pictures");
	is_int(writing_delete(&p->plan, &old, old.post.version, &draft.post), PLAN_DONE,
	    "deleted again");
	let_pass(p, DELETED_KEPT_MS + MINUTE);
	is_str(uses(p, BOAT), STR(""), "... and for good: then it uses nothing");
	draft = draft_of("left-behind", KIND_ARTICLE);
	draft.body.markdown = STR("![A harbour](/media/" HARBOUR "-1600x900.jpg)");
	is_int(writing_create(&p->plan, &draft), PLAN_DONE, "a post whose author leaves");
	old = stored(p, "left-behind");
	is_int(writing_hand_over(&p->plan, &old, STR("ann"), &somebody, &draft.post), PLAN_DONE,
	    "... is handed over");
	is_str(author_of_use(p, HARBOUR), STR("left-1"),
	    "... and so is what is noted beside its picture");
	old = stored(p, "left-behind");
	is_int(writing_delete(&p->plan, &old, old.post.version, &draft.post), PLAN_DONE,
	    "... or deleted");
	old = stored(p, "left-behind");
	is_int(writing_erase(&p->plan, &old, STR("ann"), &somebody, &draft.post), PLAN_DONE,
	    "... and erased");
	is_str(uses(p, HARBOUR), STR(""), "... which leaves no word of it beside the picture");
}

/* --- At once --------------------------------------------------------------------------------------- */

struct racer {
	struct desk_place *place;
	pthread_barrier_t *start;
	const struct written *from; /* NULL: creates */
	unsigned number;
	bool any_slug;
	enum plan_rc rc;
};

static void *
race(void *data)
{
	struct racer *racer = data;
	struct arena *arena = arena_new();
	struct table_call call = {.arena = arena};
	struct plan plan = racer->place->plan;
	struct draft draft = draft_of("the-one-slug", KIND_NOTE);

	plan.call = &call;
	draft.any_slug = racer->any_slug;
	draft.post.status = STATUS_PUBLISHED;
	if (racer->from != NULL) {
		draft = draft_from(racer->from);
		draft.post.title = str_fmt(arena, "Title %u", racer->number);
	}
	pthread_barrier_wait(racer->start);
	racer->rc = racer->from != NULL ? writing_save(&plan, racer->from, &draft)
					: writing_create(&plan, &draft);
	arena_free(arena);
	return NULL;
}

/* How many of a crowd end in this way. */
static unsigned
run_race(struct desk_place *p, const struct written *from, bool any_slug, enum plan_rc lost,
    unsigned *won)
{
	struct racer racers[CROWD];
	pthread_t threads[CROWD];
	pthread_barrier_t start;
	unsigned count = 0;

	*won = 0;
	pthread_barrier_init(&start, NULL, CROWD);
	for (unsigned i = 0; i < CROWD; i++) {
		racers[i] = (struct racer){p, &start, from, i, any_slug, PLAN_TABLE};
		pthread_create(&threads[i], NULL, race, &racers[i]);
	}
	for (unsigned i = 0; i < CROWD; i++) {
		pthread_join(threads[i], NULL);
		*won += racers[i].rc == PLAN_DONE;
		count += racers[i].rc == lost;
	}
	pthread_barrier_destroy(&start);
	return count;
}

static void
races(struct desk_place *p)
{
	struct written w;
	unsigned won, lost;

	lost = run_race(p, NULL, false, PLAN_TAKEN, &won);
	is_int(won, 1, "of %d who create one slug, one does", CROWD);
	is_int(lost, CROWD - 1, "... and the others are told");
	w = stored(p, "the-one-slug");
	lost = run_race(p, &w, false, PLAN_CHANGED, &won);
	is_int(won, 1, "of %d who save on one version, one does", CROWD);
	is_int(lost, CROWD - 1, "... and the others are told");
	is_whole(p, "two races");
	run_race(p, NULL, true, PLAN_TABLE, &won);
	is_int(won, CROWD, "who takes any slug gets one");
	is_whole(p, "a crowd of new posts");
}

/* --- A storm --------------------------------------------------------------------------------------- */

/* One random action on a random post, which may well be too late. */
static void
turn(struct plan *plan, uint64_t chance)
{
	static const char *const ids[] = {"storm-0", "storm-1", "storm-2", "storm-3"};
	static const char *const towns[] = {"tides", "town", ""};
	static const struct str tags[] = {
	    STR_INIT("rope"), STR_INIT("fog"), STR_INIT("rope-work"), STR_INIT("ice")};
	static const struct coauthor bob[] = {{STR_INIT("bob"), STR_INIT("Bob")}};
	struct written old;
	struct draft draft;
	struct post post;
	bool there;

	if (written_get(plan, str_of(ids[chance % STORM_POSTS]), &old, &there) != TABLE_OK ||
	    !there)
		return;
	chance /= STORM_POSTS;
	draft = draft_from(&old);
	draft.post.category = str_of(towns[chance % 3]);
	draft.post.tags = (struct strings_value){&tags[chance % 3], 2};
	draft.post.others = bob;
	draft.post.other_count = chance / 3 % 2;
	draft.post.asked = bob;
	draft.post.asked_count = 1;
	draft.post.visibility = chance / 6 % 4 == 0 ? VISIBILITY_PRIVATE : VISIBILITY_PUBLIC;
	draft.post.published = plan->now - (int64_t)(chance % 7) * MINUTE;
	switch (chance / 24 % 7) {
	case 0: publish(plan, &old, plan->now, &post); break;
	case 1: writing_unpublish(plan, &old, old.post.version, &post); break;
	case 2: writing_delete(plan, &old, old.post.version, &post); break;
	case 3: writing_undelete(plan, &old, &post); break;
	case 4: writing_accept(plan, &old, &bob[0], &post); break;
	case 5: writing_step_back(plan, &old, STR("bob"), &post); break;
	default:
		draft.post.status =
		    old.post.status == STATUS_DELETED ? STATUS_DRAFT : STATUS_PUBLISHED;
		writing_save(plan, &old, &draft);
	}
}

static void *
storm(void *data)
{
	struct racer *racer = data;
	struct arena *arena = arena_new();
	uint64_t state = racer->number * UINT64_C(0x9e3779b97f4a7c15) + 1;

	for (int i = 0; i < STORM_TURNS; i++) {
		struct table_call call = {.arena = arena};
		struct plan plan = racer->place->plan;

		plan.call = &call;
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		turn(&plan, state >> 8);
		arena_reset(arena);
	}
	arena_free(arena);
	return NULL;
}

static void
storms(struct desk_place *p)
{
	struct racer racers[4];
	pthread_t threads[4];

	for (unsigned i = 0; i < STORM_POSTS; i++) {
		struct draft draft =
		    draft_of(str_cstring(p->arena, str_fmt(p->arena, "storm-%u", i)), KIND_NOTE);

		writing_create(&p->plan, &draft);
	}
	for (unsigned i = 0; i < 4; i++) {
		racers[i] = (struct racer){.place = p, .number = i + 1};
		pthread_create(&threads[i], NULL, storm, &racers[i]);
	}
	for (unsigned i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	ok(stored(p, "storm-0").post.version > 3, "a storm has passed over four posts");
	is_whole(p, "a storm");
}

/* --- A table that fails ---------------------------------------------------------------------------- */

static void
failures(struct desk_place *p)
{
	struct failing_table failing;
	struct plan plan = p->plan;
	unsigned failed = 0, n;
	enum plan_rc rc = PLAN_TABLE;

	failing_table_begin(&failing, p->table);
	plan.table = &failing.table;
	for (n = 1; rc == PLAN_TABLE && n < 20; n++) {
		struct draft draft = draft_of("storm-0", KIND_NOTE);

		draft.any_slug = true;
		draft.post.status = STATUS_PUBLISHED;
		failing_table_arm(&failing, n, TABLE_UNAVAILABLE);
		rc = writing_create(&plan, &draft);
		failed += rc == PLAN_TABLE && plan.failed == TABLE_UNAVAILABLE;
	}
	is_int(rc, PLAN_DONE, "a post is written when the table no longer fails");
	is_int(failed, n - 2, "... and each failure on the way is told");
	is_whole(p, "failures");
}

void
writing_crowds(struct desk_place *p)
{
	long_slugs(p);
	too_long(p);
	races(p);
	storms(p);
	failures(p);
	revisions_expire(p);
	pictures(p);
}

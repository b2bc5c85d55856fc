/*
 * Series: a post says which part it is and leads to the ones beside it, whatever is unpublished, scheduled, renamed, moved
 * or deleted; what nobody may see appears nowhere, also before the worker was there.
 */
#include "lib/failing_table.h"
#include "worker.h"

#include "model/key.h"
#include "model/key_post.h"
#include "model/key_series.h"
#include "model/plan.h"
#include "model/post/collection_write.h"

#include <stdlib.h>

#define FIRST "a-year-on-pin-point"
#define SECOND "eel-elver-glass"
#define THIRD "what-a-redshank-knows"
#define OWNER "lowri"

enum { DAY = 24 * 60 * 60 * 1000 };

/* The collection of the seed that is a series. */
static struct str
series_id(struct seeded *s)
{
	struct table_call call = {.arena = s->arena};
	struct query query = query_collections_of(s->arena, STR(OWNER));
	struct item *found;
	size_t count;
	struct str next;

	query.limit = 1;
	if (table_query(s->table, &call, &query, &found, &count, &next) != TABLE_OK || count != 1)
		bail_out("there is no collection");
	return str_dup(s->arena, item_string(&found[0], STR("Id")));
}

static struct plan
plan_of_owner(struct seeded *s, struct table_call *call)
{
	*call = (struct table_call){.arena = s->arena};
	return (struct plan){.table = s->table,
	    .call = call,
	    .clock = &s->clock,
	    .now = clock_now(&s->clock),
	    .by = STR(OWNER),
	    .by_name = STR("Lowri Bevan")};
}

/* Where the page of a post leads to: "<before> | <text> | <after>", each as it says; "-": it says nothing of a series. */
static struct str
place(struct seeded *s, const char *slug)
{
	struct str page = visit(s, STR_CONCAT(s->arena, STR("/post/"), str_of(slug))).body;
	struct str nav = part(page, "aria-label=\"Parts of the series\"", "</nav>");
	struct str before = part(nav, "rel=\"prev\" href=\"", "\""), after = part(nav, "rel=\"next\" href=\"", "\"");

	return nav.len == 0 ? STR("-")
			    : STR_CONCAT(s->arena, before, STR(" | "), part(nav, "class=\"part\">", " in "),
				  STR(" | "), after);
}

static void
status(struct seeded *s, const char *id, const char *is)
{
	set(s, key_post(s->arena, str_of(id)), STR("Status"), value_string(str_of(is)));
}

static void
stands(struct seeded *s)
{
	is_str(place(s, SECOND), STR("-"), "before the worker came no post says that it is a part");
	work(s);
	is_str(place(s, FIRST), STR(" | Part 1 of 5 | /post/" SECOND), "the first part leads to the second");
	is_str(place(s, SECOND), STR("/post/" FIRST " | Part 2 of 5 | /post/" THIRD), "... which leads to both");
	is_str(place(s, "first-brent-geese"), STR("/post/samphire-drinks-the-sea | Part 5 of 5 | "),
	    "... the last one, a note, back");
	is_str(place(s, "the-bell-that-nobody-rings"), STR("-"), "a post of another collection is no part");
	is_int(differences(s), 0, "... as a rebuild would");
}

static void
hides(struct seeded *s)
{
	status(s, FIRST, "unpublished");
	is_str(place(s, SECOND), STR(" | Part 2 of 5 | /post/" THIRD), "nothing leads to what was unpublished just now");
	work(s);
	is_str(place(s, SECOND), STR(" | Part 1 of 4 | /post/" THIRD), "... and then it is not counted");
	status(s, FIRST, "published");
	work(s);
	is_str(place(s, SECOND), STR("/post/" FIRST " | Part 2 of 5 | /post/" THIRD), "published again it is");

	set(s, key_post(s->arena, STR(THIRD)), STR("PublishedAt"),
	    value_string(time_format(s->arena, s->clock.fixed_now + DAY)));
	work(s);
	is_str(place(s, SECOND), STR("/post/" FIRST " | Part 2 of 4 | /post/samphire-drinks-the-sea"),
	    "a scheduled post is no part");
	s->clock.fixed_now += DAY;
	work(s);
	is_str(place(s, SECOND), STR("/post/" FIRST " | Part 2 of 5 | /post/" THIRD), "... until its time comes");
	is_int(differences(s), 0, "... as a rebuild would say");
}

/* Fails at each call in turn (on DynamoDB Local at some): the worker after it finishes. */
static void
is_killed(struct seeded *s)
{
	unsigned step = getenv("TEST_STORE") != NULL ? 40 : 1, killed = 0, wrong = 0;
	bool failed = true;

	for (unsigned n = 1; failed && n < 1000; n += step) {
		bool there = killed++ % 2 != 0;
		struct failing_table front;
		struct stream_worker *w;

		status(s, THIRD, there ? "published" : "unpublished");
		failing_table_begin(&front, s->table);
		w = worker_of(&front.table);
		failing_table_arm(&front, n, TABLE_UNAVAILABLE);
		while (stream_worker_turn(w) == STREAM_WORKED)
			;
		failed = front.calls >= n;
		failing_table_arm(&front, 0, TABLE_OK);
		stream_worker_close(w);
		work(s);
		wrong += !str_eq(place(s, FIRST), there ? STR(" | Part 1 of 5 | /post/" SECOND)
							: STR(" | Part 1 of 4 | /post/" SECOND));
	}
	ok(killed > 2 && !failed, "a worker was killed in its calls (%u)", killed);
	is_int(wrong, 0, "... and the one after it always finished the work");
	status(s, THIRD, "published");
	work(s);
}

static void
changes(struct seeded *s, struct str id)
{
	struct table_call call;
	struct plan plan = plan_of_owner(s, &call);
	const struct collected others = {.post = STR("the-bell-that-nobody-rings")};
	const struct arrangement first = {.place = 1};

	if (collection_add(&plan, id, &others) != PLAN_DONE)
		bail_out("a post can't be added");
	work(s);
	is_str(place(s, "first-brent-geese"), STR("/post/samphire-drinks-the-sea | Part 5 of 5 | "),
	    "what another has written is not counted");
	plan = plan_of_owner(s, &call);
	if (collection_arrange(&plan, id, STR(THIRD), &first) != PLAN_DONE)
		bail_out("a post can't be moved");
	work(s);
	is_str(place(s, THIRD), STR(" | Part 1 of 5 | /post/" FIRST), "what was moved is another part");
	is_str(place(s, SECOND), STR("/post/" FIRST " | Part 3 of 5 | /post/samphire-drinks-the-sea"),
	    "... and so are the others");
	plan = plan_of_owner(s, &call);
	if (collection_remove(&plan, id, STR(THIRD)) != PLAN_DONE)
		bail_out("a post can't be removed");
	work(s);
	is_str(place(s, THIRD), STR("-"), "what was removed is none");
	is_str(place(s, SECOND), STR("/post/" FIRST " | Part 2 of 4 | /post/samphire-drinks-the-sea"), "... and not counted");
	is_int(differences(s), 0, "... as a rebuild would say");
}

/* Its collections are found in the last trip, so of the parts beside it the ids are known. */
static void
renames(struct seeded *s)
{
	struct item claim = {0};

	key_set(s->arena, &claim, key_slug(s->arena, STR("eel")), ITEM_SLUG_CLAIM);
	item_set(s->arena, &claim, STR("Post"), value_string(STR(SECOND)));
	seeded_put(s, &claim, 1);
	set(s, key_post(s->arena, STR(SECOND)), STR("Slug"), value_string(STR("eel")));
	work(s);
	is_str(place(s, "eel"), STR("/post/" FIRST " | Part 2 of 4 | /post/samphire-drinks-the-sea"),
	    "a renamed post is a part still");
	is_str(place(s, FIRST), STR(" | Part 1 of 4 | /post/eel"), "... and is led to where it is now");
}

static void
ends(struct seeded *s, struct str id)
{
	struct table_call call;
	struct plan plan = plan_of_owner(s, &call);
	struct collection is = {.id = id, .name = STR("The marsh"), .is_public = true};

	if (collection_edit(&plan, &is) != PLAN_DONE)
		bail_out("the collection can't be edited");
	is_str(place(s, FIRST), STR("-"), "what is no series any more has no parts");
	work(s);
	is_str(place(s, "eel"), STR("-"), "... for a renamed post, too");
	ok(stored(s, key_series_part(s->arena, id, STR(FIRST))) == NULL, "... nor are they kept");
	is.series = true;
	plan = plan_of_owner(s, &call);
	if (collection_edit(&plan, &is) != PLAN_DONE)
		bail_out("the collection can't be edited");
	work(s);
	is_str(place(s, FIRST), STR(" | Part 1 of 4 | /post/eel"), "made one again it has them");
	plan = plan_of_owner(s, &call);
	if (collection_delete(&plan, STR(OWNER), id) != PLAN_DONE)
		bail_out("the collection can't be deleted");
	is_str(place(s, FIRST), STR("-"), "with the collection the series is gone");
	work(s);
	ok(stored(s, key_series_part(s->arena, id, STR(FIRST))) == NULL, "... and its parts");
	is_int(differences(s), 0, "... as a rebuild would say");
}

int
main(void)
{
	struct seeded s;
	struct str id;

	worker_leaves_search();
	seeded_open(&s);
	id = series_id(&s);
	stands(&s);
	hides(&s);
	is_killed(&s);
	changes(&s, id);
	renames(&s);
	ends(&s, id);
	seeded_close(&s);
	return tap_done();
}

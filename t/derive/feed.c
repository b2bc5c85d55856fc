/*
 * Personal feeds under random histories: people follow and unfollow, publish for everybody or their followers, alone or with
 * others, change and unpublish it, schedule it, look at their feeds or stay away for weeks, and workers are killed.
 * What the worker has derived, and each page of each feed, equals what a slow second implementation makes of what
 * the test itself knows. No feed is ever empty that should not be, whatever a worker has done or not.
 */
#include "lib/failing_table.h"
#include "lib/store.h"
#include "lib/tap.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"
#include "derive/rebuild.h"
#include "derive/stream_worker.h"
#include "model/key.h"
#include "model/key_feed.h"
#include "model/key_follow.h"
#include "model/key_post.h"
#include "model/kinds.h"
#include "model/reader/feed_page.h"
#include "model/viewer.h"

#include <stdlib.h>

enum { PEOPLE = 7, POSTS_MAX = 400, DAY = 86400000, HOUR = 3600000, TURNS_MAX = 20000 };

static const struct log quiet = {.fd = -1, .level = LOG_ERROR};

/* A post as the test knows it. */
struct written {
	char id[16];
	int author, with; /* with: -1: nobody */
	int64_t published;
	bool published_now, closed;
};

struct world {
	struct clock clock;
	struct test_store store;
	struct table *table;
	struct arena *arena; /* of a round */
	struct written posts[POSTS_MAX];
	size_t count;
	bool follows[PEOPLE][PEOPLE], mutes[PEOPLE][PEOPLE];
	uint64_t chance;
};

static unsigned
chance(struct world *w, unsigned below)
{
	w->chance = w->chance * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(w->chance >> 33) % below;
}

static struct str
name_of(int person)
{
	static const struct str names[PEOPLE] = {STR_INIT("ann"), STR_INIT("bea"), STR_INIT("cid"),
	    STR_INIT("dov"), STR_INIT("eva"), STR_INIT("fay"), STR_INIT("gil")};

	return names[person];
}

/* --- Facts ------------------------------------------------------------------------------------------------ */

static void
write_all(struct world *w, struct write *writes, size_t count)
{
	struct table_call call = {.arena = w->arena};

	if (table_transact(w->table, &call, writes, count, STR("")) != TABLE_OK)
		bail_out("a write fails: %s", call.why != NULL ? call.why : "");
}

static void
set_follow(struct world *w, int who, int whom, bool on)
{
	struct item item = {.count = 0};
	struct write write = {
	    .kind = WRITE_DELETE, .key = key_follow(w->arena, name_of(who), name_of(whom))};

	if (on) {
		key_set(w->arena, &item, write.key, ITEM_FOLLOW);
		item_set(w->arena, &item, STR("Follower"), value_string(name_of(who)));
		item_set(w->arena, &item, STR("Followed"), value_string(name_of(whom)));
		item_set(w->arena, &item, STR("Status"), value_string(STR("active")));
		item_set(w->arena, &item, STR("CreatedAt"),
		    value_string(time_format(w->arena, w->clock.fixed_now)));
		key_index_follower(w->arena, &item, name_of(who), name_of(whom),
		    time_format(w->arena, w->clock.fixed_now));
		write = (struct write){.kind = WRITE_PUT, .item = item};
	}
	write_all(w, &write, 1);
	w->follows[who][whom] = on;
}

static struct str
id_of(const struct written *post)
{
	return str_of(post->id);
}

/* The head, and the same for who has written it with its author. */
static void
save(struct world *w, const struct written *p)
{
	struct coauthor with = {.username = p->with >= 0 ? name_of(p->with) : STR("")};
	struct post post = {.id = id_of(p),
	    .slug = id_of(p),
	    .title = id_of(p),
	    .author = name_of(p->author),
	    .others = &with,
	    .other_count = p->with >= 0,
	    .status = p->published_now ? STATUS_PUBLISHED : STATUS_UNPUBLISHED,
	    .visibility = p->closed ? VISIBILITY_FOLLOWERS : VISIBILITY_PUBLIC,
	    .published = p->published,
	    .created = p->published,
	    .updated = p->published};
	struct write writes[PEOPLE + 1];
	size_t count = 0;

	for (int i = -1; i < PEOPLE; i++) {
		struct item item = {.count = 0};

		writes[count] = (struct write){.kind = WRITE_DELETE};
		if (i >= 0)
			writes[count].key =
			    key_post_coauthor(w->arena, post.id, name_of(i));
		if (i < 0 || i == p->with) {
			post_to_item(w->arena, &post, &item);
			key_set(w->arena, &item,
			    i < 0 ? key_post(w->arena, post.id) : writes[count].key,
			    i < 0 ? ITEM_POST : ITEM_POST_COPY);
			if (i < 0)
				key_index_post(w->arena, &item, &post);
			else
				key_index_coauthor(w->arena, &item, &post, name_of(i));
			writes[count] = (struct write){.kind = WRITE_PUT, .item = item};
		}
		count++;
	}
	write_all(w, writes, count);
}

static void
publish(struct world *w)
{
	struct written *p = &w->posts[w->count];

	if (w->count == POSTS_MAX)
		return;
	snprintf(p->id, sizeof(p->id), "post-%03zu", w->count++);
	p->author = (int)chance(w, PEOPLE);
	p->with = chance(w, 4) == 0 ? (int)chance(w, PEOPLE) : -1;
	if (p->with == p->author)
		p->with = -1;
	p->closed = chance(w, 4) == 0;
	p->published_now = true;
	p->published = w->clock.fixed_now - (int64_t)chance(w, 10) * HOUR * (chance(w, 9) == 0 ? 80 : 1);
	if (chance(w, 12) == 0)
		p->published = w->clock.fixed_now + (int64_t)(1 + chance(w, 50)) * HOUR;
	p->published += chance(w, 1000);
	save(w, p);
}

static void
change(struct world *w)
{
	struct written *p;

	if (w->count == 0)
		return;
	p = &w->posts[w->count - 1 - chance(w, w->count < 40 ? (unsigned)w->count : 40)];
	switch (chance(w, 4)) {
	case 0: p->published_now = !p->published_now; break;
	case 1: p->closed = !p->closed; break;
	case 2: p->published -= (int64_t)chance(w, 100) * HOUR; break;
	default: p->with = p->with >= 0 ? -1 : (p->author + 1) % PEOPLE; break;
	}
	save(w, p);
}

/* --- Reading ---------------------------------------------------------------------------------------------- */

static struct viewer
viewer_of(struct world *w, int who)
{
	struct viewer viewer = {.user = {.username = name_of(who), .status = USER_ACTIVE}};
	struct str *muted = ARENA_ARRAY(w->arena, PEOPLE, struct str);
	size_t count = 0;

	for (int i = 0; i < PEOPLE; i++)
		if (w->mutes[who][i])
			muted[count++] = name_of(i);
	viewer.hidden.muted = (struct strings_value){muted, count};
	return viewer;
}

/* A page of a feed; `seen`: it is noted that they have seen it. */
static struct str
read_page(struct world *w, const struct viewer *viewer, struct str until, bool seen, struct buf *out)
{
	struct table_call call = {.arena = w->arena};
	struct feed_reading feed;
	struct feed_page page;

	feed_begin(w->arena, viewer, until, w->clock.fixed_now, &feed);
	if (table_read(w->table, &call, feed.first, FEED_FIRST_READS) != TABLE_OK)
		bail_out("a feed can't be read: %s", call.why != NULL ? call.why : "");
	feed_go_on(&feed);
	if (feed.second_count != 0 &&
	    table_read(w->table, &call, feed.second, feed.second_count) != TABLE_OK)
		bail_out("a feed can't be read on: %s", call.why != NULL ? call.why : "");
	feed_take(&feed, &page);
	for (size_t i = 0; i < page.count; i++)
		buf_fmt(out, "%.*s\n", STR_ARGS(page.posts[i].id));
	if (seen) {
		struct plan plan = {.table = w->table,
		    .call = &call,
		    .clock = &w->clock,
		    .now = w->clock.fixed_now,
		    .by = viewer->user.username};

		if (feed_note_seen(&plan, feed.state, feed.filled) != PLAN_DONE)
			bail_out("it can't be noted that somebody has seen a feed");
	}
	return page.next;
}

static struct str
read_feed(struct world *w, int who)
{
	struct viewer viewer = viewer_of(w, who);
	struct buf out = {.arena = w->arena};
	struct str until = STR("");
	int pages = 0;

	do
		until = read_page(w, &viewer, until, false, &out);
	while (until.len != 0 && pages++ < POSTS_MAX);
	return buf_str(&out);
}

static void
look(struct world *w, int who)
{
	struct viewer viewer = viewer_of(w, who);
	struct buf out = {.arena = w->arena};

	(void)read_page(w, &viewer, STR(""), true, &out);
}

/* --- The same, slow and obvious ------------------------------------------------------------------------------ */

static bool
belongs(const struct world *w, const struct written *p, int who)
{
	bool by_author = w->follows[who][p->author];
	bool by_other = p->with >= 0 && w->follows[who][p->with] && !p->closed;

	return p->published_now && p->author != who && p->with != who && (by_author || by_other);
}

static int
newest_first(const void *a, const void *b)
{
	const struct written *x = *(const struct written *const *)a;
	const struct written *y = *(const struct written *const *)b;

	if (x->published != y->published)
		return x->published < y->published ? 1 : -1;
	return strcmp(y->id, x->id);
}

static size_t
sort_posts(struct world *w, const struct written **sorted)
{
	for (size_t i = 0; i < w->count; i++)
		sorted[i] = &w->posts[i];
	if (w->count != 0)
		qsort(sorted, w->count, sizeof(*sorted), newest_first);
	return w->count;
}

static struct str
wanted_feed(struct world *w, int who)
{
	const struct written *sorted[POSTS_MAX];
	size_t count = sort_posts(w, sorted);
	struct buf out = {.arena = w->arena};

	for (size_t i = 0; i < count; i++) {
		const struct written *p = sorted[i];

		if (belongs(w, p, who) && p->published <= w->clock.fixed_now &&
		    !w->mutes[who][p->author] && !(p->with >= 0 && w->mutes[who][p->with]))
			buf_fmt(&out, "%s\n", p->id);
	}
	return buf_str(&out);
}

static struct str
wanted_entries(struct world *w, int who)
{
	const struct written *sorted[POSTS_MAX];
	size_t count = sort_posts(w, sorted);
	struct buf out = {.arena = w->arena};

	for (size_t i = 0; i < count; i++)
		if (belongs(w, sorted[i], who) &&
		    sorted[i]->published > w->clock.fixed_now - FEED_MS + HOUR)
			buf_fmt(&out, "%s\n", sorted[i]->id);
	return buf_str(&out);
}

/* Those of the last 30 days but an hour; "none" of who is not active, or whose feed was never filled. */
static struct str
derived_entries(struct world *w, int who)
{
	struct table_call call = {.arena = w->arena};
	struct read reads[3] = {
	    {.kind = READ_GET, .key = key_feed_state(w->arena, name_of(who)), .consistent = true},
	    {.kind = READ_GET, .key = key_feed_fill(w->arena, name_of(who)), .consistent = true},
	    {.kind = READ_QUERY, .query = query_feed(w->arena, name_of(who))}};
	struct buf out = {.arena = w->arena};

	reads[2].query.descending = true;
	reads[2].query.limit = TABLE_QUERY_MAX;
	reads[2].query.consistent = true;
	if (table_read(w->table, &call, reads, 3) != TABLE_OK)
		bail_out("entries can't be read");
	if (reads[0].item == NULL || reads[1].item == NULL)
		return STR("none");
	for (size_t i = 0; i < reads[2].found_count; i++) {
		struct feed_entry entry;

		if (!feed_entry_from_item(w->arena, &reads[2].found[i], &entry))
			bail_out("an entry is not one");
		if (entry.published > w->clock.fixed_now - FEED_MS + HOUR)
			buf_fmt(&out, "%.*s\n", STR_ARGS(entry.post));
	}
	return buf_str(&out);
}

/* --- The worker --------------------------------------------------------------------------------------------- */

static void
work_on(struct table *table)
{
	struct stream_worker *worker = stream_worker_open(&(struct stream_worker_options){
	    .table = table, .log = &quiet, .site = STR("https://feed.example"), .lease_ms = 1000});
	enum stream_turn turn = STREAM_WORKED;

	for (int i = 0; i < TURNS_MAX && turn == STREAM_WORKED; i++)
		turn = stream_worker_turn(worker);
	if (turn == STREAM_WORKED)
		bail_out("the worker finds no end");
	stream_worker_close(worker);
}

static void
work_until_killed(struct world *w)
{
	struct failing_table failing;

	failing_table_begin(&failing, w->table);
	failing_table_arm(&failing, 1 + chance(w, 200), TABLE_UNAVAILABLE);
	work_on(&failing.table);
	failing_table_arm(&failing, 0, TABLE_OK);
}

struct told {
	struct arena *arena;
	struct str first;
};

static void
tell(void *context, const struct derivation *derivation, struct str subject, struct str first)
{
	struct told *told = context;

	if (told->first.len == 0)
		told->first = STR_CONCAT(
		    told->arena, derivation->name, STR(": "), subject, STR(": "), first);
}

static int64_t
differences(struct world *w, struct str *first)
{
	static const struct str feed = STR_INIT("feed");
	struct told told = {.arena = w->arena};
	struct arena *arena = arena_new();
	struct table_call call = {.arena = w->arena};
	struct derive derive = {.table = w->table,
	    .call = &call,
	    .clock = &w->clock,
	    .site = STR("https://feed.example"),
	    .check = true};
	struct rebuild *r = arena_alloc(w->arena, sizeof(*r));
	bool done = false;

	*r = (struct rebuild){.derive = &derive,
	    .arena = arena,
	    .state = {.names = {&feed, 1}, .begun = 1},
	    .tell = tell,
	    .context = &told};
	while (!done)
		if (rebuild_step(r, &done) != TABLE_OK)
			bail_out("a check fails: %s", call.why != NULL ? call.why : "");
	*first = told.first;
	arena_free(arena);
	return derive.differences;
}

/* --- Histories ---------------------------------------------------------------------------------------------- */

static void
happen(struct world *w)
{
	int who = (int)chance(w, PEOPLE), whom = (int)chance(w, PEOPLE);

	switch (chance(w, 10)) {
	case 0:
	case 1:
	case 2: publish(w); break;
	case 3:
	case 4: change(w); break;
	case 5:
	case 6:
		if (who != whom)
			set_follow(w, who, whom, chance(w, 3) != 0);
		break;
	case 7: w->mutes[who][whom] = chance(w, 4) == 0; break;
	case 8: look(w, who); break;
	default: work_until_killed(w); break;
	}
}

/* Time goes on; sometimes weeks. */
static void
pass(struct world *w)
{
	struct table_call call = {.arena = w->arena};
	uint32_t removed;

	w->clock.fixed_now += (int64_t)chance(w, 20) * HOUR;
	if (chance(w, 6) == 0)
		w->clock.fixed_now += (int64_t)chance(w, 20) * DAY;
	if (chance(w, 2) == 0 && table_sweep(w->table, &call, 1000, &removed) != TABLE_OK)
		bail_out("nothing can be swept");
}

static void
compare(struct world *w, int round)
{
	int wrong_entries = 0, wrong_pages = 0, filled = 0;
	struct str first;
	int64_t differ = differences(w, &first);

	for (int i = 0; i < PEOPLE; i++) {
		struct str is = derived_entries(w, i), wanted = wanted_entries(w, i);
		struct str page = read_feed(w, i), wanted_page = wanted_feed(w, i);

		if (!str_eq(is, STR("none"))) {
			filled++;
			if (!str_eq(is, wanted) && wrong_entries++ == 0)
				is_str(is, wanted, "the entries of %.*s", STR_ARGS(name_of(i)));
		}
		if (!str_eq(page, wanted_page) && wrong_pages++ == 0)
			is_str(page, wanted_page, "the pages of %.*s", STR_ARGS(name_of(i)));
	}
	ok(wrong_entries == 0, "round %d: %d feeds that are filled have what they should", round, filled);
	ok(wrong_pages == 0, "... and all pages of all feeds show it, %zu posts in all", w->count);
	is_int(differ, 0, "... and a check finds no difference (%.*s)", STR_ARGS(first));
}

static void
live(struct world *w)
{
	int rounds = getenv("TEST_STORE") != NULL ? 6 : 40;

	for (int round = 1; round <= rounds; round++) {
		arena_reset(w->arena);
		for (int i = 0; i < 12; i++)
			happen(w);
		pass(w);
		work_on(w->table);
		compare(w, round);
	}
}

/* Nobody has a feed, or has seen it for long; no worker has ever run. */
static void
absent(struct world *w)
{
	int wrong = 0, shown = 0;

	for (int i = 0; i < PEOPLE; i++)
		set_follow(w, i, (i + 1) % PEOPLE, true);
	for (int i = 0; i < 60; i++)
		publish(w);
	for (int i = 0; i < PEOPLE; i++) {
		wrong += !str_eq(read_feed(w, i), wanted_feed(w, i));
		shown += wanted_feed(w, i).len != 0;
	}
	ok(shown > 0 && wrong == 0, "a feed that no worker has made shows what it should (%d of %d do)",
	    shown, PEOPLE);
	look(w, 0);
	ok(str_eq(read_feed(w, 0), wanted_feed(w, 0)), "... also once it is noted that it was seen");
	work_on(w->table);
	ok(!str_eq(derived_entries(w, 0), STR("none")), "a worker fills it");
	is_str(derived_entries(w, 0), wanted_entries(w, 0), "... with what it should have");
	ok(str_eq(derived_entries(w, 1), STR("none")), "... and leaves alone those that nobody looks at");
	w->clock.fixed_now += (int64_t)(FEED_ACTIVE_DAYS + 1) * DAY;
	for (int i = 0; i < 5; i++)
		publish(w);
	work_on(w->table);
	ok(str_eq(derived_entries(w, 0), STR("none")), "two weeks later it is not trusted any more");
	is_str(read_feed(w, 0), wanted_feed(w, 0), "... and shows nevertheless what it should");
	look(w, 0);
	work_on(w->table);
	is_str(derived_entries(w, 0), wanted_entries(w, 0), "... until it is filled anew");
}

/* --- Many followers -------------------------------------------------------------------------------------------- */

static void
set_followers(struct world *w, int who, int64_t count)
{
	struct item item = {.count = 0};
	struct write write = {.kind = WRITE_PUT};

	key_set(w->arena, &item, key_person_counts(w->arena, name_of(who)), ITEM_PERSON_COUNTS);
	item_set(w->arena, &item, STR("Followers"), value_number(count));
	write.item = item;
	write_all(w, &write, 1);
}

/* From the thousand-and-first follower on nothing is put into feeds, and nothing is missing. */
static void
merges(struct world *w)
{
	size_t before;
	struct str first;
	struct written *p;

	set_follow(w, 0, 2, true);
	look(w, 0);
	work_on(w->table);
	set_followers(w, 2, FEED_PUSHED_MAX + 1);
	before = derived_entries(w, 0).len;
	for (int i = 0; i < 30; i++) {
		p = &w->posts[w->count];
		publish(w);
		p->author = 2;
		p->with = -1;
		p->closed = i % 3 == 0;
		p->published = w->clock.fixed_now - (int64_t)i * HOUR;
		save(w, p);
	}
	work_on(w->table);
	ok(derived_entries(w, 0).len <= before, "what an author of many followers publishes is put into no feed");
	is_str(read_feed(w, 0), wanted_feed(w, 0), "... and read all the same");
	is_int(differences(w, &first), 0, "... and that is as it should be");
	set_follow(w, 0, 2, false);
	is_str(read_feed(w, 0), wanted_feed(w, 0), "who does not follow them any more does not see it");
	set_follow(w, 0, 2, true);
	set_followers(w, 2, FEED_PUSHED_MAX - 1);
	work_on(w->table);
	is_str(read_feed(w, 0), wanted_feed(w, 0), "who follows them again does, also when they have fewer followers");
	is_int(differences(w, &first), 0, "... and nothing differs");
}

/* One who follows more than one query reads, and whose followed authors' names are at both ends. */
static void
follows_many(struct world *w)
{
	enum { MANY = TABLE_QUERY_MAX + 20, PART = 50 };
	struct write writes[PART];

	for (int at = 0; at < MANY; at += PART) {
		for (int i = 0; i < PART; i++) {
			struct str whom = str_fmt(w->arena, "c%04d", at + i);
			struct str now = time_format(w->arena, w->clock.fixed_now);
			struct item item = {.count = 0};

			key_set(w->arena, &item, key_follow(w->arena, name_of(0), whom), ITEM_FOLLOW);
			item_set(w->arena, &item, STR("Follower"), value_string(name_of(0)));
			item_set(w->arena, &item, STR("Followed"), value_string(whom));
			item_set(w->arena, &item, STR("Status"), value_string(STR("active")));
			item_set(w->arena, &item, STR("CreatedAt"), value_string(now));
			key_index_follower(w->arena, &item, name_of(0), whom, now);
			writes[i] = (struct write){.kind = WRITE_PUT, .item = item};
		}
		write_all(w, writes, PART);
	}
	for (int i = 1; i < PEOPLE; i++)
		set_follow(w, 0, i, true);
	set_followers(w, 6, FEED_PUSHED_MAX + 1);
	w->clock.fixed_now += HOUR;
	look(w, 0);
	for (int i = 0; i < 12; i++) {
		struct written *p = &w->posts[w->count];

		publish(w);
		p->author = 1 + i % (PEOPLE - 1);
		p->with = -1;
		p->published = w->clock.fixed_now - i * 1000;
		save(w, p);
	}
	work_on(w->table);
	is_str(derived_entries(w, 0).len != 0 ? STR("some") : STR("none"), STR("some"),
	    "who follows more than a thousand has a feed");
	{
		struct viewer viewer = viewer_of(w, 0);
		struct buf is = {.arena = w->arena};
		struct str wanted = wanted_feed(w, 0);

		(void)read_page(w, &viewer, STR(""), false, &is);
		ok(is.len != 0 && str_starts(wanted, buf_str(&is)),
		    "... which shows the newest of all of them");
	}
}

int
main(void)
{
	struct world *w = calloc(1, sizeof(*w));

	w->clock = clock_fixed(INT64_C(1795000000000), 1);
	w->chance = 7;
	w->arena = arena_new();
	w->table = test_store_open(&w->store, &w->clock);
	absent(w);
	live(w);
	merges(w);
	follows_many(w);
	test_store_close(&w->store);
	arena_free(w->arena);
	free(w);
	return tap_done();
}

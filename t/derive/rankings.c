/*
 * Rankings: after random histories of posts that are liked, voted on, rated, commented, published, moved in time, withdrawn and
 * erased, and of a site that changes its zone, each ranking is what a slow second implementation finds by sorting all posts.
 */
#include "lib/failing_table.h"
#include "worker.h"

#include "base/zone.h"
#include "model/key.h"
#include "model/key_post.h"
#include "model/key_ranking.h"
#include "model/post/posts.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

enum { POSTS = 24, ROUNDS = 30, CHANGES = 20 };

/* The time of the first post, and what the others are apart: new years, ends of weeks and months are among them. */
static const char first[] = "2025-12-29T20:00:00.000Z";
enum { APART_MS = 7 * 60 * 60 * 1000 };

/* --- A history ---------------------------------------------------------------------------------------- */

static uint64_t
chance(struct seeded *s, uint64_t below)
{
	uint64_t bits;

	s->clock.random(&s->clock, &bits, sizeof(bits));
	return bits % below;
}

static const struct coauthor people[] = {{.username = STR_INIT("kofi")}, {.username = STR_INIT("noor")}};

/* A post as a fold, an author or the sweeper leaves it; false: not there. */
struct state {
	struct post post;
	bool there;
};

static int64_t
any_time(struct seeded *s)
{
	int64_t begin = 0;

	(void)time_parse(str_of(first), &begin);
	return begin + (int64_t)chance(s, POSTS) * APART_MS;
}

static void
write_one(struct seeded *s, const struct state *state)
{
	struct table_call call = {.arena = s->arena};
	struct write write = {.kind = WRITE_DELETE, .key = key_post(s->arena, state->post.id)};

	if (state->there) {
		write.kind = WRITE_PUT;
		write.item = (struct item){0};
		key_set(s->arena, &write.item, write.key, ITEM_POST);
		post_to_item(s->arena, &state->post, &write.item);
		key_index_post(s->arena, &write.item, &state->post);
	}
	if (table_write(s->table, &call, &write) != TABLE_OK)
		bail_out("a post is not written: %s", call.why);
}

/* Either of two people, alone or with the other. */
static void
change_authors(struct seeded *s, struct post *post)
{
	uint64_t who = chance(s, 2);

	post->author = people[who].username;
	post->others = &people[1 - who];
	post->other_count = chance(s, 2);
}

/* Few distinct numbers, so that scores are often equal. */
static void
change_one(struct seeded *s, struct state *state)
{
	struct post *post = &state->post;

	state->there = true;
	switch (chance(s, 11)) {
	case 0: post->status = STATUS_UNPUBLISHED; break;
	case 1: post->visibility = VISIBILITY_FOLLOWERS; break;
	case 2: post->published = any_time(s); break;
	case 3: state->there = false; break;
	case 4:
		post->status = STATUS_PUBLISHED;
		post->visibility = VISIBILITY_PUBLIC;
		break;
	case 5: post->comments = (int64_t)chance(s, 4); break;
	case 6:
		post->ups = (int64_t)chance(s, 9);
		post->downs = (int64_t)chance(s, 9);
		break;
	case 7:
		post->ratings = (int64_t)chance(s, 6);
		post->stars = post->ratings * (1 + (int64_t)chance(s, 5));
		break;
	case 8: post->words = (int64_t)chance(s, 900); break;
	case 9: change_authors(s, post); break;
	default: post->likes = (int64_t)chance(s, 5); break;
	}
	write_one(s, state);
}

static void
begin(struct seeded *s, struct state *states)
{
	for (int i = 0; i < POSTS; i++) {
		states[i] = (struct state){.there = true,
		    .post = {.id = str_fmt(s->arena, "ranked-%02d", i),
			.author = STR("kofi"),
			.kind = KIND_ARTICLE,
			.status = STATUS_PUBLISHED,
			.visibility = VISIBILITY_PUBLIC,
			.published = any_time(s),
			.created = 1,
			.updated = 1}};
		states[i].post.slug = states[i].post.title = states[i].post.id;
		write_one(s, &states[i]);
	}
}

/* --- The second implementation ------------------------------------------------------------------------ */

/* What docs/table.md says, in other words. */
static double
score_of(enum ranking ranking, const struct post *p)
{
	double all = (double)(p->ups + p->downs), least = (double)(p->ups < p->downs ? p->ups : p->downs);

	switch (ranking) {
	case RANKING_TOP: return (double)(p->likes + p->ups - p->downs);
	case RANKING_DISCUSSED: return (double)p->comments;
	case RANKING_RATED:
		return p->ratings >= 3 ? ((double)p->stars + 15) / ((double)p->ratings + 5) : 0;
	case RANKING_DISPUTED: return all >= 5 && least > 0 ? pow(all, least / (all - least)) : 0;
	case RANKING_HOT:
	case RANKINGS: break;
	}
	return 0;
}

/* The C library's name of the day, week, month or year that a zone has then. */
static const char *
name_of(enum span_length length, const struct zone *zone, int64_t utc, char *out, size_t size)
{
	time_t local = (time_t)((utc + (zone != NULL ? zone_offset(zone, utc) : 0)) / 1000);
	struct tm tm;

	gmtime_r(&local, &tm);
	switch (length) {
	case SPAN_DAY: strftime(out, size, "%Y-%m-%d", &tm); break;
	case SPAN_WEEK: strftime(out, size, "%G-w%V", &tm); break;
	case SPAN_MONTH: strftime(out, size, "%Y-%m", &tm); break;
	case SPAN_YEAR: strftime(out, size, "%Y", &tm); break;
	case SPAN_LENGTHS: break;
	}
	return out;
}

/* Does `a` stand before `b`? */
static bool
is_better(enum ranking ranking, const struct post *a, const struct post *b)
{
	double x = score_of(ranking, a), y = score_of(ranking, b);

	if (x != y)
		return x > y;
	return a->published != b->published ? a->published > b->published : str_cmp(a->id, b->id) > 0;
}

/* The posts of a ranking, best first, by asking all again for the next one. `of`: the name of a span; NULL: all. */
static struct str
wanted(struct seeded *s, const struct state *states, enum ranking ranking, enum span_length length,
    const char *of, const struct zone *zone)
{
	const struct post *last = NULL, *next;
	struct str text = STR("");
	char name[32];

	do {
		next = NULL;
		for (int i = 0; i < POSTS; i++) {
			const struct post *p = &states[i].post;

			if (!states[i].there || p->status != STATUS_PUBLISHED ||
			    p->visibility != VISIBILITY_PUBLIC || score_of(ranking, p) <= 0)
				continue;
			if (of != NULL && !str_eq(str_of(of), str_of(name_of(length, zone, p->published, name, sizeof(name)))))
				continue;
			if ((last == NULL || is_better(ranking, last, p)) &&
			    (next == NULL || is_better(ranking, p, next)))
				next = p;
		}
		if (next != NULL)
			text = STR_CONCAT(s->arena, text, STR(" "), next->id);
		last = next;
	} while (next != NULL);
	return text;
}

/* What the worker has made of them; the seed's own posts are left out. */
static struct str
found(struct seeded *s, enum ranking ranking, const struct span *span)
{
	struct table_call call = {.arena = s->arena};
	struct query query;
	struct str text = STR("");
	struct item *items;
	size_t count;

	if (!query_ranking(s->arena, ranking, span, &query))
		bail_out("there is no such ranking");
	query.limit = TABLE_QUERY_MAX;
	if (table_query(s->table, &call, &query, &items, &count, &query.cursor) != TABLE_OK)
		bail_out("a ranking is not read");
	for (size_t i = 0; i < count; i++) {
		struct str post = item_string(&items[i], STR("Post"));

		if (str_starts(post, STR("ranked-")))
			text = STR_CONCAT(s->arena, text, STR(" "), post);
	}
	return text;
}

/* All rankings of all spans that any of the posts was ever in. */
static unsigned
wrong(struct seeded *s, const struct state *states, const struct zone *zone, unsigned *compared)
{
	unsigned count = 0;

	for (enum ranking r = RANKING_TOP; r < RANKINGS; r++) {
		/* Of all times the best are those of Stats, which these posts have none of. */
		if (r != RANKING_TOP) {
			count += !str_eq(found(s, r, NULL), wanted(s, states, r, 0, NULL, zone));
			++*compared;
		}
		for (int n = -4; n < POSTS + 4; n++)
			for (enum span_length length = 0; length < SPAN_LENGTHS; length++) {
				int64_t at = 0;
				struct span span;
				char name[32];

				(void)time_parse(str_of(first), &at);
				at += (int64_t)n * APART_MS;
				name_of(length, zone, at, name, sizeof(name));
				if (!ranking_has_span(r, length))
					continue;
				if (!span_parse(str_of(name), &span))
					bail_out("%s is no span", name);
				++*compared;
				count += !str_eq(found(s, r, &span), wanted(s, states, r, length, name, zone));
			}
	}
	return count;
}

/* Are the numbers of an author not what their posts add up to? */
static bool
misadded(struct seeded *s, const struct read *posts, struct str author)
{
	static const struct item none;
	const struct item *figures = stored(s, key_person_figures(s->arena, author));
	int64_t words = 0, ratings = 0, stars = 0;

	for (size_t n = 0; n < posts->found_count; n++) {
		struct post post = {0};

		post_from_item(s->arena, &posts->found[n], &post);
		if (!post_written_by(&post, author))
			continue;
		words += post.words;
		ratings += post.ratings;
		stars += post.stars;
	}
	if (figures == NULL)
		figures = &none;
	return item_number(figures, STR("Words")) != words || item_number(figures, STR("Ratings")) != ratings ||
	       item_number(figures, STR("Stars")) != stars;
}

/* The months, or weeks, whose number is not that of their posts, of the seed as well; each post is in one. */
static unsigned
miscounted_in(struct seeded *s, const struct read *counted, const struct read *posts,
    enum span_length length, const struct zone *zone)
{
	unsigned wrong = 0;
	size_t all = 0;

	for (size_t i = 0; i < counted->found_count; i++) {
		struct str span = item_key(&counted->found[i]).sk;
		int64_t here = 0;

		for (size_t n = 0; n < posts->found_count; n++) {
			struct post post = {0};
			char name[32];

			post_from_item(s->arena, &posts->found[n], &post);
			here += str_eq(span, str_of(name_of(length, zone, post.published, name, sizeof(name))));
		}
		wrong += item_number(&counted->found[i], STR("Posts")) != here;
		all += (size_t)here;
	}
	return wrong + (all != posts->found_count);
}

/* How much is wrong of the months, of the weeks and of the authors. */
static unsigned
miscounted(struct seeded *s, const struct zone *zone)
{
	enum { MONTHS, WEEKS, ALL, READS };
	struct table_call call = {.arena = s->arena};
	struct read reads[READS] = {[MONTHS] = {.kind = READ_QUERY, .query = query_months()},
	    [WEEKS] = {.kind = READ_QUERY, .query = query_weeks()},
	    [ALL] = {.kind = READ_QUERY, .query = query_all_posts()}};

	for (size_t i = 0; i < READS; i++)
		reads[i].query.limit = TABLE_QUERY_MAX;
	if (table_read(s->table, &call, reads, READS) != TABLE_OK)
		bail_out("the months are not read");
	return miscounted_in(s, &reads[MONTHS], &reads[ALL], SPAN_MONTH, zone) +
	       miscounted_in(s, &reads[WEEKS], &reads[ALL], SPAN_WEEK, zone) +
	       misadded(s, &reads[ALL], people[0].username) + misadded(s, &reads[ALL], people[1].username);
}

static void
histories(struct seeded *s)
{
	static const char *const zones[] = {"Pacific/Auckland", "UTC", "America/Los_Angeles"};
	/* On DynamoDB Local each comparison takes its time. */
	int rounds = getenv("TEST_STORE") != NULL ? ROUNDS / 10 : ROUNDS;
	struct state states[POSTS];
	unsigned failed = 0, compared = 0, filled = 0, counted = 0;

	begin(s, states);
	for (int round = 0; round < rounds; round++) {
		struct arena *arena = arena_new();
		const char *name = zones[round % 3];

		for (int i = 0; i < CHANGES; i++)
			change_one(s, &states[chance(s, POSTS)]);
		/* The zone changes between other changes, before or after these were derived. */
		if (round % 2 == 0)
			work(s);
		set(s, key_site_settings(), STR("TimeZone"), value_string(str_of(name)));
		for (int i = 0; i < CHANGES; i++)
			change_one(s, &states[chance(s, POSTS)]);
		work(s);
		failed += wrong(s, states, zone_load(arena, str_of(name)), &compared);
		counted += miscounted(s, zone_load(arena, str_of(name)));
		filled += found(s, RANKING_DISCUSSED, NULL).len != 0 &&
			  found(s, RANKING_RATED, NULL).len != 0;
		arena_free(arena);
	}
	is_int(failed, 0, "%u rankings are as a second implementation finds them", compared);
	ok(filled != 0, "... which are not all empty");
	is_int(counted, 0, "... and a month, a week and an author have what their posts add up to");
	is_int(differences(s), 0, "... and a rebuild would change nothing");
	for (int i = 0; i < POSTS; i++) {
		states[i].there = false;
		write_one(s, &states[i]);
	}
	work(s);
	is_int(wrong(s, states, NULL, &compared), 0, "of posts that are gone nothing is left");
	is_int(differences(s), 0, "... and nothing would be removed");
}

/* --- Killed ------------------------------------------------------------------------------------------- */

/* A worker fails at each of its calls in turn (on DynamoDB Local at some), while the zone changes as well; the next one goes on. */
static void
is_killed(struct seeded *s)
{
	static const char *const zones[] = {"Pacific/Auckland", "America/Los_Angeles"};
	unsigned n, step = getenv("TEST_STORE") != NULL ? 17 : 1, killed = 0, failed = 0, compared = 0;
	struct failing_table failing;
	struct state states[POSTS];
	bool whole = false;

	begin(s, states);
	work(s);
	failing_table_begin(&failing, s->table);
	for (n = 1; !whole && n < 2000; n += step, killed++) {
		struct stream_worker *w = worker_of(&failing.table);
		struct arena *arena = arena_new();
		const char *name = zones[killed % 2];

		for (int i = 0; i < 4; i++)
			change_one(s, &states[chance(s, POSTS)]);
		set(s, key_site_settings(), STR("TimeZone"), value_string(str_of(name)));
		failing_table_arm(&failing, n, TABLE_UNAVAILABLE);
		while (stream_worker_turn(w) == STREAM_WORKED)
			;
		whole = failing.calls < n;
		failing_table_arm(&failing, 0, TABLE_OK);
		stream_worker_close(w);
		work(s);
		/* All spans take their time: at each kill what is of all times, now and then the others. */
		failed += !str_eq(found(s, RANKING_DISCUSSED, NULL), wanted(s, states, RANKING_DISCUSSED, 0, NULL, NULL));
		failed += miscounted(s, zone_load(arena, str_of(name))) != 0;
		if (killed % 16 == 0)
			failed += wrong(s, states, zone_load(arena, str_of(name)), &compared);
		arena_free(arena);
	}
	ok(killed > 5 && whole, "a worker was killed in each of its calls (%u)", killed);
	is_int(failed, 0, "... and the one after it always finished the work");
	is_int(differences(s), 0, "... so that a rebuild would change nothing");
}

/* --- One post ----------------------------------------------------------------------------------------- */

/* What changes nothing of its scores and times writes none of its places. */
static void
stays(struct seeded *s)
{
	struct table_call call = {.arena = s->arena};
	struct derive d = {.table = s->table, .call = &call, .clock = &s->clock, .site = SEEDED_ORIGIN};
	struct state one = {.there = true,
	    .post = {.id = STR("ranked-alone"),
		.slug = STR("ranked-alone"),
		.author = STR("kofi"),
		.status = STATUS_PUBLISHED,
		.visibility = VISIBILITY_PUBLIC,
		.published = 1790000000000,
		.likes = 3,
		.comments = 2}};

	write_one(s, &one);
	work(s);
	one.post.title = STR("Another title");
	one.post.bookmarks = 9;
	write_one(s, &one);
	is_int(derive_subject(&d, derivation_find(STR("rankings")), one.post.id), TABLE_OK, "it is derived");
	is_int(d.differences, 0, "a title and bookmarks move no post");
	one.post.likes = 4;
	write_one(s, &one);
	is_int(derive_subject(&d, derivation_find(STR("rankings")), one.post.id), TABLE_OK, "it is derived again");
	is_int(d.differences, 1, "a like moves it in one ranking");
	one.there = false;
	write_one(s, &one);
	work(s);
}

static int64_t
words_of(struct seeded *s, const char *author)
{
	struct item figures = seeded_item(s, str_fmt(s->arena, "FIGURES#%s", author).base, "TOTAL");

	return item_number(&figures, STR("Words"));
}

/*
 * Another process counts a post for one author more, between this one's read and its write: each number is still what is counted.
 * `there`: its words change; false: it is gone.
 */
static void
races(struct seeded *s, bool there)
{
	struct table_call call = {.arena = s->arena};
	struct failing_table between;
	struct derive d = {.table = &between.table, .call = &call, .clock = &s->clock, .site = SEEDED_ORIGIN};
	struct state one = {.there = true,
	    .post = {.id = STR("ranked-twice"),
		.slug = STR("ranked-twice"),
		.author = STR("kofi"),
		.status = STATUS_PUBLISHED,
		.visibility = VISIBILITY_PUBLIC,
		.published = 1790000000000,
		.words = 100}};
	const struct key counted = key_ranked_counted(s->arena, one.post.id);
	struct str both[] = {STR("kofi"), STR("noor")};
	const struct change change = {CHANGE_SET, STR("Authors"), value_set(s->arena, both, 2)};
	const struct write other = {
	    .kind = WRITE_UPDATE, .key = counted, .changes = &change, .change_count = 1};
	int64_t kofi = words_of(s, "kofi"), noor = words_of(s, "noor");

	write_one(s, &one);
	work(s);
	set(s, key_person_figures(s->arena, STR("noor")), STR("Words"), value_number(noor + one.post.words));
	one.post.words = 250;
	one.there = there;
	write_one(s, &one);
	failing_table_begin(&between, s->table);
	between.behind = &other;
	is_int(derive_subject(&d, derivation_find(STR("rankings")), one.post.id), TABLE_OK,
	    "a post that %s is derived by two", there ? "has other words" : "is gone");
	work(s);
	is_int(words_of(s, "noor"), noor, "... and nothing is left of who was its author meanwhile");
	is_int(words_of(s, "kofi"), kofi + (there ? 250 : 0), "... nor missing of who is");
	one.there = false;
	write_one(s, &one);
	work(s);
}

/* The numbers of an author with whose last post all of them become 0 are gone, and so is the name in their key. */
static void
is_forgotten(struct seeded *s)
{
	const struct key figures = key_person_figures(s->arena, STR("ranked-author"));
	struct state one = {.there = true,
	    .post = {.id = STR("ranked-last"),
		.slug = STR("ranked-last"),
		.author = STR("ranked-author"),
		.status = STATUS_PUBLISHED,
		.visibility = VISIBILITY_PUBLIC,
		.published = 1790000000000,
		.words = 100,
		.ratings = 2,
		.stars = 7}};

	write_one(s, &one);
	work(s);
	ok(stored(s, figures) != NULL, "an author has figures");
	one.post.words = 0;
	write_one(s, &one);
	work(s);
	ok(stored(s, figures) != NULL, "... while one of them is not 0");
	one.post.author = STR("kofi");
	write_one(s, &one);
	work(s);
	ok(stored(s, figures) == NULL, "... and none with the last post");
	one.there = false;
	write_one(s, &one);
	work(s);
}

int
main(void)
{
	struct seeded s;

	worker_leaves_search();
	seeded_open(&s);
	work(&s);
	histories(&s);
	stays(&s);
	races(&s, true);
	races(&s, false);
	is_forgotten(&s);
	is_killed(&s);
	seeded_close(&s);
	return tap_done();
}

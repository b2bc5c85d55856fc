/*
 * The search's index: after random histories of posts and comments, with workers that fail at each of their calls, it holds
 * what one made from nothing would; and what is found is the same whether a text waits or is in the blocks.
 */
#include "lib/failing_table.h"
#include "searched.h"

#include <stdlib.h>

enum { POSTS = 12, ROUNDS = 12, CHANGES = 6, WORDS = 40 };

/* --- A history ---------------------------------------------------------------------------------------- */

/* Words of which the first are common. */
static struct str
any_text(struct seeded *s, size_t most)
{
	struct str words[WORDS];
	size_t count = 1 + chance(s, most);

	for (size_t i = 0; i < count; i++)
		words[i] = str_fmt(s->arena, "zw%c", (char)('a' + chance(s, 1 + chance(s, 26))));
	return str_join(s->arena, words, count, STR(" "));
}

static void
change_one(struct seeded *s, struct state *state)
{
	static const struct str languages[] = {STR_INIT("en"), STR_INIT("de"), STR_INIT("")};
	struct post *post = &state->post;

	state->there = true;
	switch (chance(s, 14)) {
	case 0: post->status = STATUS_UNPUBLISHED; break;
	case 1: post->visibility = VISIBILITY_FOLLOWERS; break;
	case 2: post->published += 3600000; break;
	case 3: state->there = false; break;
	case 4:
		post->status = STATUS_PUBLISHED;
		post->visibility = VISIBILITY_PUBLIC;
		break;
	case 5: post->title = any_text(s, 4); break;
	case 6: post->language = languages[chance(s, 3)]; break;
	case 7: state->comment = chance(s, 3) != 0 ? any_text(s, 6) : STR(""); break;
	case 8: state->comment = long_text(s, "zw"); break;
	case 9:
	case 10:
	case 11: state->text = long_text(s, "zw"); break;
	default: state->text = any_text(s, WORDS); break;
	}
	write_one(s, state);
}

static void
begin(struct seeded *s, struct state *states)
{
	int64_t now = clock_now(&s->clock);

	for (int i = 0; i < POSTS; i++) {
		states[i] = (struct state){.there = true,
		    .text = any_text(s, WORDS),
		    .comment = any_text(s, 6),
		    .post = {.id = str_fmt(s->arena, "found%02d", i),
			.author = STR("mira"),
			.kind = KIND_ARTICLE,
			.status = STATUS_PUBLISHED,
			.visibility = VISIBILITY_PUBLIC,
			.published = now - (i + 1) * INT64_C(86400000),
			.created = now - (i + 1) * INT64_C(80000000),
			.updated = 1}};
		states[i].post.slug = states[i].post.id;
		states[i].post.title = any_text(s, 4);
		write_one(s, &states[i]);
	}
}

/* --- What waits --------------------------------------------------------------------------------------- */

static const struct str waiting_names[] = {STR_INIT("PostsWaiting"), STR_INIT("CommentsWaiting")};

enum { FULL = 1 << 30 };

static int64_t
waiting_counted(struct seeded *s, int space)
{
	const struct item *state = stored(s, key_search_state());

	return state != NULL ? item_number(state, waiting_names[space]) : 0;
}

/* Bytes. Touched: the worker is told of each. */
static int64_t
waiting_bytes(struct seeded *s, int space, bool touch)
{
	struct query query = query_waiting((enum search_space)space);
	struct table_call call = {.arena = s->arena};
	struct item *found;
	struct str next;
	size_t count;
	int64_t bytes = 0;

	query.limit = TABLE_QUERY_MAX;
	if (table_query(s->table, &call, &query, &found, &count, &next) != TABLE_OK)
		bail_out("what waits can't be read: %s", call.why);
	for (size_t i = 0; i < count; i++) {
		bytes += (int64_t)item_size(&found[i]);
		if (touch)
			drop_item(s, item_key(&found[i]));
		if (touch)
			put_item(s, found[i]);
	}
	return bytes;
}

/* As if so much waited that nothing more may. */
static void
fill(struct seeded *s, bool full)
{
	for (int space = 0; space < SEARCH_SPACES; space++)
		set(s, key_search_state(), waiting_names[space],
		    value_number(waiting_bytes(s, space, full) + (full ? FULL : 0)));
}

/* All of it is written to the blocks. */
static void
write_waiting(struct seeded *s)
{
	struct key key = key_search_state();

	fill(s, true);
	derive_one(s, s->table, STR_CONCAT(s->arena, key.pk, STR("\t"), key.sk));
	for (int space = 0; space < SEARCH_SPACES; space++)
		if (waiting_bytes(s, space, false) != 0 || waiting_counted(s, space) != FULL)
			bail_out("something waits still");
	fill(s, false);
}

/* --- Whatever happens --------------------------------------------------------------------------------- */

static void
same_as_anew(struct seeded *s, const char *sentence)
{
	struct list differ = {0};
	struct str is, anew, lines[2];
	struct test_store store;
	struct seeded other;

	for (int space = 0; space < SEARCH_SPACES; space++)
		is_int(waiting_counted(s, space) % FULL, waiting_bytes(s, space, false), "it is counted how much waits");
	write_waiting(s);
	lines[0] = is = index_text(s);
	other = made_elsewhere(s, &store);
	lines[1] = anew = index_text(&other);
	test_store_close(&store);
	for (int side = 0; side < 2; side++)
		while (lines[side].len != 0) {
			struct str line = str_cut(lines[side], '\n', &lines[side]);

			if (!holds(side == 0 ? anew : is, line))
				list_add(s->arena, &differ,
				    STR_CONCAT(s->arena, side == 0 ? STR("too much: ") : STR("too little: "), line));
		}
	is_str(list_text(s->arena, &differ), STR(""), "%s", sentence);
}

static void
histories(struct seeded *s)
{
	int rounds = getenv("TEST_STORE") != NULL ? 2 : ROUNDS;
	struct state states[POSTS];

	begin(s, states);
	for (int round = 0; round < rounds; round++) {
		for (int i = 0; i < CHANGES; i++)
			change_one(s, &states[chance(s, POSTS)]);
		fill(s, chance(s, 2) == 0);
		work(s);
	}
	same_as_anew(s, "after a history the index is what one made from nothing is");
	is_int(differences(s), 0, "... and a check finds nothing");
	for (int i = 0; i < POSTS; i++) {
		states[i].there = false;
		write_one(s, &states[i]);
	}
	work(s);
	ok(!holds(index_text(s), STR("#zw")), "of posts that are gone nothing is left");
}

static void
is_killed(struct seeded *s)
{
	unsigned n, step = getenv("TEST_STORE") != NULL ? 29 : 1, killed = 0;
	struct failing_table failing;
	struct state states[POSTS];
	bool whole = false;

	begin(s, states);
	work(s);
	failing_table_begin(&failing, s->table);
	for (n = 1; !whole && n < 2000; n += step, killed++) {
		struct stream_worker *w = worker_of(&failing.table);

		for (int i = 0; i < 2; i++)
			change_one(s, &states[chance(s, POSTS)]);
		fill(s, chance(s, 2) == 0);
		failing_table_arm(&failing, n, TABLE_UNAVAILABLE);
		while (stream_worker_turn(w) == STREAM_WORKED)
			;
		whole = failing.calls < n;
		failing_table_arm(&failing, 0, TABLE_OK);
		stream_worker_close(w);
		/* Before the next one comes, one of them may be changed again. */
		if (chance(s, 2) != 0)
			change_one(s, &states[chance(s, POSTS)]);
		work(s);
	}
	ok(killed > 3 && whole, "a worker was killed in each of its calls (%u)", killed);
	same_as_anew(s, "... and after all of that the index is what one made from nothing is");
}

/* --- While it waits ----------------------------------------------------------------------------------- */

static const char *const of_waiting[] = {"gnomon", "gnomon alidade", "\"gnomon alidade\"", "\"alidade gnomon\"",
    "gnomon -alidade", "gnomo*", "author:mira gnomon", "in:titles sundial", "gnomon kind:article", "gnomom",
    "in:comments astrolabe", "sextant", "wqaa"};
enum { OF_WAITING = sizeof(of_waiting) / sizeof(of_waiting[0]) };

/* What is found is the same before and after it is written to the blocks. */
static void
found_alike(struct seeded *s, const char *when)
{
	struct str before[OF_WAITING];

	for (size_t i = 0; i < OF_WAITING; i++)
		before[i] = answer_text(s, of_waiting[i]);
	write_waiting(s);
	for (size_t i = 0; i < OF_WAITING; i++)
		is_str(answer_text(s, of_waiting[i]), before[i], "%s: “%s” finds the same when it is in the blocks", when,
		    of_waiting[i]);
}

static void
waits(struct seeded *s)
{
	struct state one = post_of(s, "w-quux", "Sundial", ""), other = post_of(s, "x-quux", "Other", "");
	struct str text = long_text(s, "wq");
	struct key key = key_waiting(s->arena, key_post(s->arena, one.post.id));
	struct item *kept;

	one.text = STR_CONCAT(s->arena, text, STR(" gnomon alidade"));
	one.comment = STR_CONCAT(s->arena, text, STR(" astrolabe"));
	other.text = STR_CONCAT(s->arena, text, STR(" gnomon"));
	write_one(s, &one);
	write_one(s, &other);
	work(s);
	kept = stored(s, key);
	ok(kept != NULL && !holds(index_text(s), STR("#gnomon ")), "a text of which much is new waits");
	is_int(found(s, "gnomon")->total, 2, "... and is found");
	is_int(found(s, "in:comments astrolabe")->total, 1, "... as is a comment");
	is_str(found(s, "gnomom")->meant->text, STR("gnomon"), "... and its words are known");
	is_int(differences(s), 0, "... and a check says that all is well");
	found_alike(s, "new");
	ok(stored(s, key) == NULL && holds(index_text(s), STR("#gnomon ")), "in the blocks, it waits no more");

	one.text = STR_CONCAT(s->arena, long_text(s, "wr"), STR(" sextant"));
	write_one(s, &one);
	work(s);
	ok(stored(s, key) != NULL && holds(index_text(s), STR("#gnomon ")), "when it is another text, that waits");
	one.text = STR_CONCAT(s->arena, one.text, STR(" quadrant"));
	write_one(s, &one);
	set(s, key_search_state(), waiting_names[SEARCH_POSTS], value_number(FULL));
	derive_one(s, s->table, one.post.id);
	fill(s, false);
	work(s);
	ok(stored(s, key) != NULL && found(s, "quadrant")->total == 1, "... and its next version in its place, however much waits");
	is_int(found(s, "gnomon")->total, 1, "... and is not found by what it had");
	is_int(found(s, "sextant")->total, 1, "... but by what it has");
	found_alike(s, "edited");

	put_item(s, *kept);
	is_int(differences(s), 1, "a check sees what waits for nothing");
	make_anew(s);
	ok(stored(s, key) == NULL, "... which a rebuild takes away");

	one.text = STR_CONCAT(s->arena, long_text(s, "ws"), STR(" theodolite"));
	other.text = STR_CONCAT(s->arena, text, STR(" "), one.text);
	write_one(s, &one);
	work(s);
	write_one(s, &other);
	work(s);
	one.there = false;
	write_one(s, &one);
	work(s);
	ok(stored(s, key) == NULL, "of a text that is gone nothing waits");
	ok(stored(s, key_waiting(s->arena, key_post(s->arena, other.post.id))) != NULL &&
		str_eq(found(s, "theodolitx")->meant->text, STR("theodolite")),
	    "... and its words are known by another one that waits");
	other.there = false;
	write_one(s, &other);
	work(s);
	ok(!holds(index_text(s), STR("#wq")) && found(s, "theodolitx")->meant == NULL, "when all are gone nothing is left");
}

/* INDEXED names the words of all its versions while it waits, so it waits no more when these are too many for an item. */
static void
waits_not_forever(struct seeded *s)
{
	enum { VERSIONS = 8, LETTERS = 60 };
	struct state state = post_of(s, "z-quux", "Edited", "");
	struct key waiting = key_waiting(s->arena, key_post(s->arena, state.post.id));
	int waited = 0;

	for (int version = 0; version < VERSIONS; version++) {
		char one[LETTERS + 1] = {0}, other[LETTERS + 1] = {0};

		memset(one, 'a' + version, LETTERS);
		memset(other, 'm' + version, LETTERS);
		state.text = STR_CONCAT(s->arena, long_text(s, one), STR(" "), long_text(s, other));
		write_one(s, &state);
		derive_one(s, s->table, state.post.id);
		waited += stored(s, waiting) != NULL;
	}
	ok(waited > 2 && waited < VERSIONS, "a text of ever new words waits for a while only (%d)", waited);
	state.there = false;
	write_one(s, &state);
	work(s);
	ok(!holds(index_text(s), STR("#aaaaaaaaaa")) && !holds(index_text(s), STR("#mmmmmmmmmm")),
	    "... and when it is gone nothing is left");
}

/* Killed in each of the calls in which a text begins to wait, and then it is public no more. */
static void
kept_of_none(struct seeded *s)
{
	struct state state = post_of(s, "y-quux", "Killed", "");
	struct key kept = key_search_text(s->arena, key_search_number(state.post.published, state.post.id), state.post.id);
	unsigned step = getenv("TEST_STORE") != NULL ? 5 : 1, left = 0, n;
	struct failing_table failing;
	bool whole = false;

	state.text = long_text(s, "wt");
	failing_table_begin(&failing, s->table);
	for (n = 1; !whole && n < 200; n += step) {
		struct stream_worker *w = worker_of(&failing.table);

		state.there = true;
		write_one(s, &state);
		failing_table_arm(&failing, n, TABLE_UNAVAILABLE);
		while (stream_worker_turn(w) == STREAM_WORKED)
			;
		whole = failing.calls < n;
		failing_table_arm(&failing, 0, TABLE_OK);
		stream_worker_close(w);
		state.there = false;
		write_one(s, &state);
		work(s);
		left += stored(s, kept) != NULL;
	}
	ok(whole && left == 0, "of a text that is public no more nothing is kept, whoever was killed in between");
}

int
main(void)
{
	struct seeded s;

	seeded_open(&s);
	work(&s);
	waits(&s);
	kept_of_none(&s);
	if (getenv("TEST_STORE") == NULL)
		waits_not_forever(&s); /* of the process alone, and of many items */
	histories(&s);
	is_killed(&s);
	seeded_close(&s);
	return tap_done();
}

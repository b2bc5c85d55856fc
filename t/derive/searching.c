/*
 * The search's index: after random histories of posts and comments, with workers that fail at each of their calls, it holds what one
 * made from nothing would; a search finds no more than its public keys lead to, however stale the index is, and the same whether a
 * text waits or is in the blocks; and both stores find the same.
 */
#include "lib/failing_table.h"
#include "worker.h"

#include "model/key.h"
#include "model/key_comment.h"
#include "model/key_post.h"
#include "model/key_search.h"
#include "model/key_spelling.h"
#include "text/postings.h"
#include "text/spelling.h"
#include "web/search/search.h"

#include <stdlib.h>

enum { POSTS = 12, ROUNDS = 12, CHANGES = 6, WORDS = 40, LONG_WORDS = 90 };

static uint64_t
chance(struct seeded *s, uint64_t below)
{
	uint64_t bits;

	s->clock.random(&s->clock, &bits, sizeof(bits));
	return bits % below;
}

/* --- A history ---------------------------------------------------------------------------------------- */

struct state {
	struct post post;
	struct str text, comment;
	bool there;
};

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

/* So many different words that it waits. */
static struct str
long_text(struct seeded *s, const char *beginning)
{
	struct str words[LONG_WORDS];
	size_t first = chance(s, 26);

	for (size_t i = 0; i < LONG_WORDS; i++)
		words[i] = str_fmt(s->arena, "%s%c%c", beginning, (char)('a' + (first + i / 26) % 26), (char)('a' + i % 26));
	return str_join(s->arena, words, LONG_WORDS, STR(" "));
}

static void
put_item(struct seeded *s, struct item item)
{
	struct table_call call = {.arena = s->arena};

	if (table_put(s->table, &call, item) != TABLE_OK)
		bail_out("an item is not written: %s", call.why);
}

static void
drop_item(struct seeded *s, struct key key)
{
	struct table_call call = {.arena = s->arena};
	struct write write = {.kind = WRITE_DELETE, .key = key};

	if (table_write(s->table, &call, &write) != TABLE_OK)
		bail_out("an item is not removed: %s", call.why);
}

static struct str
comment_id(struct seeded *s, const struct state *state)
{
	return str_fmt(s->arena, "0%.*s", 13, STR_CONCAT(s->arena, state->post.id, STR("aaaaaaaaaaaaa")).base);
}

static void
write_comment(struct seeded *s, const struct state *state)
{
	struct str id = comment_id(s, state);
	struct key key = key_comment(s->arena, state->post.id, id);
	struct item item = {0};

	if (state->comment.len == 0) {
		drop_item(s, key);
		return;
	}
	key_set(s->arena, &item, key, ITEM_COMMENT);
	item_set(s->arena, &item, STR("Id"), value_string(id));
	item_set(s->arena, &item, STR("Post"), value_string(state->post.id));
	item_set(s->arena, &item, STR("Author"), value_string(STR("mira")));
	item_set(s->arena, &item, STR("Status"), value_string(STR("visible")));
	item_set(s->arena, &item, STR("Markdown"), value_string(state->comment));
	item_set(s->arena, &item, STR("CreatedAt"), value_string(time_format(s->arena, state->post.created)));
	key_index_comment(s->arena, &item, STR("mira"), state->post.created, id, false);
	put_item(s, item);
}

static void
write_one(struct seeded *s, const struct state *state)
{
	struct item head = {0}, body = {0};

	if (!state->there) {
		drop_item(s, key_post(s->arena, state->post.id));
		drop_item(s, key_post_body(s->arena, state->post.id));
		drop_item(s, key_comment(s->arena, state->post.id, comment_id(s, state)));
		return;
	}
	key_set(s->arena, &head, key_post(s->arena, state->post.id), ITEM_POST);
	post_to_item(s->arena, &state->post, &head);
	key_index_post(s->arena, &head, &state->post);
	put_item(s, head);
	key_set(s->arena, &body, key_post_body(s->arena, state->post.id), ITEM_BODY);
	item_set(s->arena, &body, STR("Markdown"), value_string(state->text));
	put_item(s, body);
	write_comment(s, state);
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

/* --- What the index holds ----------------------------------------------------------------------------- */

/* All postings of the words of these histories, and the sums, as text. */
static struct str
index_text(struct seeded *s)
{
	struct list lines = {0};
	struct table_call call = {.arena = s->arena};
	struct walk_page page = {0};

	do {
		if (table_walk(s->table, &call, page.next, 500, &page) != TABLE_OK)
			bail_out("the walk fails: %s", call.why);
		for (size_t i = 0; i < page.count; i++) {
			const struct item *item = &page.items[i];
			struct key key = item_key(item);
			struct posting postings[POSTINGS_MAX];
			size_t count = 0;

			if (kind_is(item, ITEM_SEARCH_TERM))
				count = postings_read(item_binary(item, STR("Postings")), postings);
			for (size_t k = 0; k < count; k++)
				list_add(s->arena, &lines,
				    str_fmt(s->arena, "%.*s %016llu %u %u %u", STR_ARGS(key.pk),
					(unsigned long long)postings[k].number, postings[k].frequency,
					postings[k].kind, postings[k].length));
			if (kind_is(item, ITEM_SEARCH_TEXT))
				list_add(s->arena, &lines,
				    str_fmt(s->arena, "%.*s %.*s %.*s", STR_ARGS(key.pk), STR_ARGS(key.sk),
					STR_ARGS(item_string(item, STR("Text")))));
			if (kind_is(item, ITEM_SEARCH_LANGUAGE) && item_number(item, STR("Texts")) != 0)
				list_add(s->arena, &lines,
				    str_fmt(s->arena, "%.*s %d", STR_ARGS(key.sk),
					(int)item_number(item, STR("Texts"))));
			if (kind_is(item, ITEM_SEARCH_STATE))
				list_add(s->arena, &lines,
				    str_fmt(s->arena, "state %d %d %d %d", (int)item_number(item, STR("Posts")),
					(int)item_number(item, STR("Words")),
					(int)item_number(item, STR("Comments")),
					(int)item_number(item, STR("CommentWords"))));
			if (kind_is(item, ITEM_SEARCH_INDEXED))
				list_add(s->arena, &lines,
				    str_fmt(s->arena, "%.*s %.*s %d %d", STR_ARGS(key.pk), STR_ARGS(key.sk),
					(int)item_boolean(item, STR("Whole")), (int)item_number(item, STR("Words"))));
		}
	} while (page.next.len != 0);
	list_sort(&lines);
	return list_text(s->arena, &lines);
}

static void
make_anew(struct seeded *s, struct work_rebuild state)
{
	struct arena *arena = arena_new();
	struct table_call call = {.arena = s->arena};
	struct derive derive = {
	    .table = s->table, .call = &call, .clock = &s->clock, .site = SEEDED_ORIGIN};
	struct rebuild *r = arena_alloc(s->arena, sizeof(*r));
	bool done = false;

	*r = (struct rebuild){.derive = &derive, .arena = arena, .state = state};
	while (!done)
		if (rebuild_step(r, &done) != TABLE_OK)
			bail_out("the rebuild fails: %s", call.why);
	arena_free(arena);
}

/* The index of another table with the same facts, made at once. */
static struct str
made_anew(struct seeded *s)
{
	struct table_call call = {.arena = s->arena};
	struct walk_page page = {0};
	struct list keys = {0};

	do {
		if (table_walk(s->table, &call, page.next, 500, &page) != TABLE_OK)
			bail_out("the walk fails: %s", call.why);
		for (size_t i = 0; i < page.count; i++) {
			static const enum item_kind derived[] = {ITEM_SEARCH_TERM, ITEM_SEARCH_TEXT,
			    ITEM_SEARCH_STATE, ITEM_SEARCH_LANGUAGE, ITEM_SEARCH_INDEXED, ITEM_SEARCH_WAITING};

			for (size_t k = 0; k < sizeof(derived) / sizeof(derived[0]); k++)
				if (kind_is(&page.items[i], derived[k])) {
					struct key key = item_key(&page.items[i]);

					list_add(s->arena, &keys, STR_CONCAT(s->arena, key.pk, STR("\t"), key.sk));
				}
		}
	} while (page.next.len != 0);
	for (size_t i = 0; i < keys.count; i++) {
		struct key key;

		key.pk = str_cut(keys.strings[i], '\t', &key.sk);
		drop_item(s, key);
	}
	make_anew(s, rebuild_all(s->arena, 1));
	return index_text(s);
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

static void
derive_one(struct seeded *s, struct str subject)
{
	struct table_call call = {.arena = s->arena};
	struct derive derive = {.table = s->table, .call = &call, .clock = &s->clock, .site = SEEDED_ORIGIN};

	if (derive_subject(&derive, derivation_find(STR("search")), subject) != TABLE_OK)
		bail_out("it is not derived: %s", call.why);
}

/* All of it is written to the blocks. */
static void
write_waiting(struct seeded *s)
{
	struct key key = key_search_state();

	fill(s, true);
	derive_one(s, STR_CONCAT(s->arena, key.pk, STR("\t"), key.sk));
	for (int space = 0; space < SEARCH_SPACES; space++)
		if (waiting_bytes(s, space, false) != 0 || waiting_counted(s, space) != FULL)
			bail_out("something waits still");
	fill(s, false);
}

static void
same_as_anew(struct seeded *s, const char *sentence)
{
	struct list differ = {0};
	struct str is, anew, lines[2];

	for (int space = 0; space < SEARCH_SPACES; space++)
		is_int(waiting_counted(s, space) % FULL, waiting_bytes(s, space, false), "it is counted how much waits");
	write_waiting(s);
	lines[0] = is = index_text(s);
	lines[1] = anew = made_anew(s);
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

/* --- What is found ------------------------------------------------------------------------------------ */

static const struct search_results *
found(struct seeded *s, const char *typed)
{
	struct search_query *query = ARENA_NEW(s->arena, struct search_query);
	struct table_call call = {.arena = s->arena};
	const struct search_options options = {.query = query,
	    .languages = {STR("en"), STR("de")},
	    .now = clock_now(&s->clock),
	    .count = SEARCH_PAGE};
	const struct search_results *results;

	search_query_parse(s->arena, str_of(typed), NULL, query);
	if (search_run(s->table, &call, &options, &results) != TABLE_OK)
		bail_out("the search fails: %s", call.why);
	return results;
}

/* "id: passage" of each, with its marks. */
static struct str
hits_text(struct seeded *s, const struct search_results *results)
{
	struct list lines = {0};

	for (size_t i = 0; i < results->hit_count; i++) {
		const struct search_hit *hit = &results->hits[i];
		struct list parts = {0};
		uint32_t at = 0;

		for (size_t m = 0; m < hit->mark_count; m++) {
			list_add(s->arena, &parts, str_sub(hit->passage, at, hit->marks[m].from - at));
			list_add(s->arena, &parts, STR("["));
			list_add(s->arena, &parts,
			    str_sub(hit->passage, hit->marks[m].from, hit->marks[m].to - hit->marks[m].from));
			list_add(s->arena, &parts, STR("]"));
			at = hit->marks[m].to;
		}
		list_add(s->arena, &parts, str_sub(hit->passage, at, SIZE_MAX));
		list_add(s->arena, &lines,
		    STR_CONCAT(s->arena, hit->comment != NULL ? hit->comment->id : hit->post.id, STR(": "),
			str_join(s->arena, parts.strings, parts.count, STR(""))));
	}
	return str_join(s->arena, lines.strings, lines.count, STR(" | "));
}

static struct state
post_of(struct seeded *s, const char *id, const char *title, const char *text)
{
	int64_t now = clock_now(&s->clock);
	struct state state = {.there = true,
	    .text = str_of(text),
	    .post = {.id = str_of(id),
		.slug = str_of(id),
		.title = str_of(title),
		.author = STR("mira"),
		.kind = KIND_ARTICLE,
		.status = STATUS_PUBLISHED,
		.visibility = VISIBILITY_PUBLIC,
		.published = now - INT64_C(86400000) - (int64_t)(unsigned char)id[0] * 1000,
		.created = now - INT64_C(86400000),
		.updated = 1}};

	return state;
}

static void
finds(struct seeded *s)
{
	struct state states[] = {
	    post_of(s, "a-quux", "Plain", "The xylodon grows on zzyzx roads. Nothing else."),
	    post_of(s, "b-quux", "Xylodon", "Roads and zzyzx."),
	    post_of(s, "c-quux", "German", "Die Zzyzxstraßen sind naß."),
	    post_of(s, "d-quux", "Signs", "We write c++ and c# here, zzyzx."),
	};
	struct state page = post_of(s, "f-quux", "A page", "A plover."), note = post_of(s, "g-quux", "A note", "Plovers: a plover.");
	static const struct {
		const char *query, *hits;
	} cases[] = {
	    {"xylodons", "b-quux: Roads and zzyzx. | a-quux: The [xylodon] grows on zzyzx roads. Nothing else."},
	    {"\"xylodon grows\"", "a-quux: The [xylodon] [grows] on zzyzx roads. Nothing else."},
	    {"xylodon -nothing", "b-quux: Roads and zzyzx."},
	    {"ZZYZXSTRASSEN", "c-quux: Die [Zzyzxstraßen] sind naß."},
	    {"c++", "d-quux: We write [c++] and c# here, zzyzx."},
	    {"in:titles xylodon", "b-quux: Roads and zzyzx."},
	    {"kind:note zzyzx", ""},
	    {"xylo*", "b-quux: Roads and zzyzx. | a-quux: The [xylodon] grows on zzyzx roads. Nothing else."},
	    {"nowherewordatall", ""},
	};

	states[2].post.language = STR("de");
	for (size_t i = 0; i < 4; i++)
		write_one(s, &states[i]);
	work(s);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		is_str(hits_text(s, found(s, cases[i].query)), str_of(cases[i].hits), "%s finds what it should",
		    cases[i].query);
	is_int(found(s, "\"grows xylodon\"")->without_phrases, true, "a phrase that nothing has is told");
	is_int((int64_t)found(s, "\"grows xylodon\"")->hit_count, 1, "... and what has its words is found");
	is_int(found(s, "zzyzx kind:article")->total, 3, "... and how many there are in all");
	ok(str_eq(found(s, "zzyzx")->years[0].value, STR("2026")), "... in which year");

	is_str(found(s, "xylodom")->meant->text, STR("xylodon"), "a word with a wrong letter is corrected");
	page.post.kind = KIND_PAGE;
	write_one(s, &page);
	work(s);
	ok(found(s, "plovfr")->meant == NULL && found(s, "plover")->total == 1, "one of a page alone is found, and not suggested");
	write_one(s, &note);
	work(s);
	is_str(found(s, "plovfr")->meant->text, STR("plover"), "... and is, when a post has it, too");

	/* The index is not told. */
	states[0].post.visibility = VISIBILITY_FOLLOWERS;
	write_one(s, &states[0]);
	states[1].there = false;
	write_one(s, &states[1]);
	is_str(hits_text(s, found(s, "xylodon")), STR(""), "what lost its public key is not found, however stale the index is");
	is_int(found(s, "xylodon")->total, 0, "... nor counted");
	is_int(found(s, "xylodom")->meant == NULL, true, "... nor suggested");
	is_int((int64_t)found(s, "xylodon")->kinds[0].count, 0, "... nor by kind");
}

static void
set_witness(struct seeded *s, const struct key *keys, size_t count, const struct post *post)
{
	for (size_t i = 0; i < count; i++)
		set(s, keys[i], STR("Found"),
		    value_number((int64_t)key_search_number(post->published, post->id)));
}

/* What a rebuild makes of a word, or a check finds; how much differs. */
static int64_t
mended(struct seeded *s, const char *word, bool check)
{
	struct table_call call = {.arena = s->arena};
	struct key key = key_word(s->arena, str_of(word));
	struct derive derive = {.table = s->table,
	    .call = &call,
	    .clock = &s->clock,
	    .site = SEEDED_ORIGIN,
	    .check = check,
	    .whole = true};

	if (derive_subject(&derive, derivation_find(STR("search")),
		STR_CONCAT(s->arena, key.pk, STR("\t"), key.sk)) != TABLE_OK)
		bail_out("a word is not looked at: %s", call.why);
	return derive.differences;
}

/* When two posts enter a word at once, its items can name one of them each. */
static void
has_witnesses(struct seeded *s)
{
	struct state one = post_of(s, "h-quux", "One", "The wombat."), other = post_of(s, "i-quux", "Other", "Wombat, too.");
	struct key keys[SPELLING_KEYS];
	size_t count = spelling_keys(s->arena, STR("wombat"), keys);

	write_one(s, &one);
	write_one(s, &other);
	work(s);
	set_witness(s, keys, 1, &one.post);
	set_witness(s, keys + 1, count - 1, &other.post);
	is_int(mended(s, "wombat", true), 0, "the items of a word may name different posts");
	other.there = false;
	write_one(s, &other);
	work(s);
	is_str(found(s, "wombaz")->meant->text, STR("wombat"), "... and when one of them goes, it stays known");
	set_witness(s, keys + 1, 1, &other.post);
	is_int(mended(s, "wombat", true), (int64_t)count, "a check sees a word of which an item names a post that is gone");
	is_int(mended(s, "wombat", false), (int64_t)count, "... a rebuild finds it another one");
	is_int(mended(s, "wombat", true), 0, "... and then a check finds nothing");
	is_str(found(s, "wombaz")->meant->text, STR("wombat"), "... and it is known");
	one.there = false;
	write_one(s, &one);
	work(s);
	ok(stored(s, keys[0]) == NULL && stored(s, keys[count - 1]) == NULL, "of a word that is nowhere nothing is left");
}

/* Comments by themselves, and only under what is public. */
static void
finds_comments(struct seeded *s)
{
	struct state state = post_of(s, "e-quux", "Comments", "Text.");

	state.comment = STR("I saw a plugh there.");
	write_one(s, &state);
	work(s);
	is_str(hits_text(s, found(s, "in:comments plugh")),
	    str_fmt(s->arena, "%.*s: I saw a [plugh] there.", STR_ARGS(comment_id(s, &state))),
	    "a comment is found among comments");
	is_int(found(s, "plugh")->total, 0, "... and not among posts");
	state.post.visibility = VISIBILITY_FOLLOWERS;
	write_one(s, &state);
	is_str(hits_text(s, found(s, "in:comments plugh")), STR(""), "... and not under what is for followers, stale or not");
	is_int(found(s, "in:comments plugh")->total, 0, "... nor counted");
	work(s);
	ok(!holds(index_text(s), STR("#plugh")), "... and leaves the index");
}

/* --- While it waits ----------------------------------------------------------------------------------- */

static struct str answer_text(struct seeded *s, const char *typed);

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
	const struct str search = STR("search");
	struct work_rebuild again = rebuild_all(s->arena, 1);
	struct item *kept;

	again.names = (struct strings_value){&search, 1};
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
	derive_one(s, one.post.id);
	fill(s, false);
	work(s);
	ok(stored(s, key) != NULL && found(s, "quadrant")->total == 1, "... and its next version in its place, however much waits");
	is_int(found(s, "gnomon")->total, 1, "... and is not found by what it had");
	is_int(found(s, "sextant")->total, 1, "... but by what it has");
	found_alike(s, "edited");

	put_item(s, *kept);
	is_int(differences(s), 1, "a check sees what waits for nothing");
	make_anew(s, again);
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
		derive_one(s, state.post.id);
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

/* --- On both stores ------------------------------------------------------------------------------------- */

/* All that a search says, scores included. */
static struct str
answer_text(struct seeded *s, const char *typed)
{
	const struct search_results *results = found(s, typed);
	struct list parts = {0};

	list_add(s->arena, &parts, hits_text(s, results));
	for (size_t i = 0; i < results->hit_count; i++)
		list_add(s->arena, &parts, str_fmt(s->arena, "%.9f", results->hits[i].score));
	list_add(s->arena, &parts, str_fmt(s->arena, "of %d", (int)results->total));
	for (size_t i = 0; i < results->kind_count; i++)
		list_add(s->arena, &parts,
		    str_fmt(s->arena, "%.*s %d", STR_ARGS(results->kinds[i].value), (int)results->kinds[i].count));
	for (size_t i = 0; i < results->year_count; i++)
		list_add(s->arena, &parts,
		    str_fmt(s->arena, "%.*s %d", STR_ARGS(results->years[i].value), (int)results->years[i].count));
	if (results->meant != NULL)
		list_add(s->arena, &parts, search_query_write(s->arena, results->meant, NULL));
	return str_join(s->arena, parts.strings, parts.count, STR("; "));
}

/* All but what is derived for the search. */
static void
copy_facts(struct seeded *from, struct seeded *to)
{
	static const enum item_kind derived[] = {ITEM_SEARCH_TERM, ITEM_SEARCH_TEXT, ITEM_SEARCH_INDEXED,
	    ITEM_SEARCH_WAITING, ITEM_SEARCH_STATE, ITEM_SEARCH_SITE, ITEM_SEARCH_LANGUAGE, ITEM_KNOWN_WORD, ITEM_SPELLING};
	struct table_call call = {.arena = from->arena};
	struct walk_page page = {0};

	do {
		if (table_walk(from->table, &call, page.next, 500, &page) != TABLE_OK)
			bail_out("the walk fails: %s", call.why);
		for (size_t i = 0; i < page.count; i++) {
			bool fact = true;

			for (size_t k = 0; k < sizeof(derived) / sizeof(derived[0]); k++)
				fact = fact && !kind_is(&page.items[i], derived[k]);
			if (fact)
				put_item(to, page.items[i]);
		}
	} while (page.next.len != 0);
}

/* On DynamoDB: what SQLite finds, in an index that was made there of the same facts, is the same in the same order. */
static void
same_on_both(struct seeded *s)
{
	static const char *const typed[] = {"tide", "the tide in forty lines", "harbour boats ropes", "\"the tide\"",
	    "knots -rope", "rope kind:howto", "author:kofi", "lang:pt", "stars:>3", "in:titles the", "in:comments the",
	    "tid*", "the of and a", "tide sort:newest", "avo lingua", "weather after:2026", "weather before:2026",
	    "harbuor", "xylodon zzyzx", "c++", "nowherewordatall"};
	static const struct str search = STR_INIT("search");
	struct seeded other = *s;
	struct work_rebuild state = rebuild_all(s->arena, 1);
	struct test_store store;

	if (getenv("TEST_STORE") == NULL || strcmp(getenv("TEST_STORE"), "dynamodb") != 0)
		return;
	setenv("TEST_STORE", "sqlite", 1);
	other.table = test_store_open(&store, &s->clock);
	setenv("TEST_STORE", "dynamodb", 1);
	copy_facts(s, &other);
	state.names = (struct strings_value){&search, 1};
	make_anew(&other, state);
	for (size_t i = 0; i < sizeof(typed) / sizeof(typed[0]); i++)
		is_str(answer_text(&other, typed[i]), answer_text(s, typed[i]), "both stores answer “%s” alike", typed[i]);
	test_store_close(&store);
}

int
main(void)
{
	struct seeded s;

	seeded_open(&s);
	work(&s);
	is_int(differences(&s), 0, "the seed is in the index");
	finds(&s);
	has_witnesses(&s);
	finds_comments(&s);
	waits(&s);
	kept_of_none(&s);
	if (getenv("TEST_STORE") == NULL)
		waits_not_forever(&s); /* of the process alone, and of many items */
	same_on_both(&s);
	histories(&s);
	is_killed(&s);
	seeded_close(&s);
	return tap_done();
}

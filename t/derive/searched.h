#ifndef T_DERIVE_SEARCHED_H
#define T_DERIVE_SEARCHED_H

#include "worker.h"

#include "model/key.h"
#include "model/key_comment.h"
#include "model/key_post.h"
#include "model/key_search.h"
#include "text/postings.h"
#include "web/search/search.h"

#include <stdlib.h>

/* Posts and comments that tests put past the program, what the index holds of them, and what a search says. */

/* --- Facts -------------------------------------------------------------------------------------------- */

struct state {
	struct post post;
	struct str text, comment;
	bool there;
};

static inline uint64_t
chance(struct seeded *s, uint64_t below)
{
	uint64_t bits;

	s->clock.random(&s->clock, &bits, sizeof(bits));
	return bits % below;
}

/* So many different words that it waits. */
static inline struct str
long_text(struct seeded *s, const char *beginning)
{
	enum { LONG_WORDS = 90 };
	struct str words[LONG_WORDS];
	size_t first = chance(s, 26);

	for (size_t i = 0; i < LONG_WORDS; i++)
		words[i] = str_fmt(s->arena, "%s%c%c", beginning, (char)('a' + (first + i / 26) % 26), (char)('a' + i % 26));
	return str_join(s->arena, words, LONG_WORDS, STR(" "));
}

static inline void
put_item(struct seeded *s, struct item item)
{
	struct table_call call = {.arena = s->arena};

	if (table_put(s->table, &call, item) != TABLE_OK)
		bail_out("an item is not written: %s", call.why);
}

static inline void
drop_item(struct seeded *s, struct key key)
{
	struct table_call call = {.arena = s->arena};
	struct write write = {.kind = WRITE_DELETE, .key = key};

	if (table_write(s->table, &call, &write) != TABLE_OK)
		bail_out("an item is not removed: %s", call.why);
}

static inline struct str
comment_id(struct seeded *s, const struct state *state)
{
	return str_fmt(s->arena, "0%.*s", 13, STR_CONCAT(s->arena, state->post.id, STR("aaaaaaaaaaaaa")).base);
}

static inline void
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

static inline void
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

static inline struct state
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

/* --- The index ---------------------------------------------------------------------------------------- */

/* By itself, in an arena of its own: others may be derived meanwhile. */
static inline void
derive_one(struct seeded *s, struct table *table, struct str subject)
{
	struct table_call call = {.arena = arena_new()};
	struct derive derive = {.table = table, .call = &call, .clock = &s->clock, .site = SEEDED_ORIGIN};

	if (derive_subject(&derive, derivation_find(STR("search")), subject) != TABLE_OK)
		bail_out("it is not derived: %s", call.why);
	table_release(table, &call);
	arena_free(call.arena);
}

/* By a rebuild of the index alone. */
static inline void
make_anew(struct seeded *s)
{
	static const struct str search = STR_INIT("search");
	struct arena *arena = arena_new();
	struct table_call call = {.arena = s->arena};
	struct derive derive = {
	    .table = s->table, .call = &call, .clock = &s->clock, .site = SEEDED_ORIGIN};
	struct rebuild *r = arena_alloc(s->arena, sizeof(*r));
	bool done = false;

	*r = (struct rebuild){.derive = &derive, .arena = arena, .state = rebuild_all(s->arena, 1)};
	r->state.names = (struct strings_value){&search, 1};
	while (!done)
		if (rebuild_step(r, &done) != TABLE_OK)
			bail_out("the rebuild fails: %s", call.why);
	arena_free(arena);
}

/* All postings of the words of these histories, and the sums, as text. */
static inline struct str
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

/* All but what is derived for the search. */
static inline void
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

/* Another table with the same facts, of SQLite, and the index made of them at once; test_store_close() ends it. */
static inline struct seeded
made_elsewhere(struct seeded *s, struct test_store *store)
{
	const char *kind = getenv("TEST_STORE");
	struct str here = kind != NULL ? str_dup(s->arena, str_of(kind)) : STR("");
	struct seeded other = *s;

	setenv("TEST_STORE", "sqlite", 1);
	other.table = test_store_open(store, &s->clock);
	if (here.len != 0)
		setenv("TEST_STORE", str_cstring(s->arena, here), 1);
	else
		unsetenv("TEST_STORE");
	copy_facts(s, &other);
	make_anew(&other);
	return other;
}

/* --- What is found ------------------------------------------------------------------------------------ */

static inline const struct search_results *
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
static inline struct str
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

/* All that a search says, scores included. */
static inline struct str
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

#endif

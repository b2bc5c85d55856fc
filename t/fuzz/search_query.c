/* Search queries: any bytes are one, of bounded size, and what is written of it is read as the same query. */
#include "fuzz.h"

#include "base/arena.h"
#include "text/search_query.h"

static void
check(const struct search_query *query)
{
	const char *last = query->text.base;

	MUST(query->text.len <= SEARCH_QUERY_BYTES && str_utf8(query->text));
	MUST(query->phrase_count <= SEARCH_PHRASES_MAX);
	MUST(query->without_count <= SEARCH_WITHOUT_MAX);
	MUST(query->filter_count <= SEARCH_FILTERS_MAX);
	for (size_t i = 0; i < query->phrase_count; i++) {
		MUST(query->phrases[i].len != 0 && query->phrases[i].base >= last);
		last = query->phrases[i].base + query->phrases[i].len;
		MUST(last <= query->text.base + query->text.len);
	}
	for (size_t i = 0; i < query->without_count; i++)
		MUST(query->without[i].len != 0);
	for (size_t i = 0; i < query->text.len; i++)
		MUST((unsigned char)query->text.base[i] >= ' ');
}

static void
check_same(const struct search_query *a, const struct search_query *b)
{
	MUST(str_eq(a->text, b->text) && str_eq(a->prefix, b->prefix));
	MUST(a->phrase_count == b->phrase_count && a->without_count == b->without_count);
	MUST(a->filter_count == b->filter_count && a->in == b->in && a->sort == b->sort);
	MUST(a->stars_low == b->stars_low && a->stars_high == b->stars_high);
	MUST(a->after == b->after && a->before == b->before);
	for (size_t i = 0; i < a->phrase_count; i++)
		MUST(str_eq(a->phrases[i], b->phrases[i]));
	for (size_t i = 0; i < a->without_count; i++)
		MUST(str_eq(a->without[i], b->without[i]));
	for (size_t i = 0; i < a->filter_count; i++)
		MUST(str_eq(a->filters[i].value, b->filters[i].value));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	struct search_query query, again;
	struct str written, said;

	search_query_parse(arena, fuzz_str(data, size), NULL, &query);
	check(&query);
	said = search_query_said(arena, &query, NULL);
	MUST(said.len != 0 && str_utf8(said));
	written = search_query_write(arena, &query, NULL);
	if (written.len <= SEARCH_QUERY_BYTES) {
		search_query_parse(arena, written, NULL, &again);
		check_same(&query, &again);
		MUST(str_eq(search_query_write(arena, &again, NULL), written));
	}
	arena_free(arena);
	return 0;
}

/*
 * Texts that wait. Each word of a text has its newest block in another page of the table, so to write the blocks of one text costs
 * several times as much as its share of those of many. So a text of which much has changed is put, as a whole, among those that
 * wait, which each search reads beside the blocks; when there are enough, all of them are written to the blocks together.
 *
 * A text waits while its record says so. Both are changed in one transaction, so what waits is always what the record's facts
 * make of the text, and a text that leaves the index, gets another number or is made anew takes along what waits of it.
 */
#include "derive/search_private.h"

#include "base/arena.h"
#include "model/kinds.h"

enum {
	EDITS_LEAST = 64,           /* postings; fewer are written at once */
	TEXT_BYTES_MAX = 16 * 1024, /* of one that waits, so that no search reads much more than the next */
	NAMED_BYTES_MAX = 64 * 1024, /* of all versions since it began to wait, which its record names */
};

bool
search_waiting_full(const struct item *state, enum search_space space)
{
	static const struct str names[SEARCH_SPACES] = {STR_INIT("PostsWaiting"), STR_INIT("CommentsWaiting")};

	return state != NULL && item_number(state, names[space]) >= SEARCH_WAITING_FULL;
}

static size_t
term_bytes(const struct search_record *record)
{
	size_t bytes = 0;

	for (size_t i = 0; i < record->count; i++)
		bytes += record->uses[i].term.len;
	return bytes;
}

bool
search_waits(const struct search_group *g)
{
	const struct search_record *wanted = &g->texts[0].wanted;
	const struct key fact = g->texts[0].fact;

	if (g->d->whole || !wanted->there || g->edit_count < EDITS_LEAST ||
	    fact.pk.len + fact.sk.len > TABLE_SK_MAX)
		return false;
	return term_bytes(wanted) <= TEXT_BYTES_MAX && term_bytes(&g->texts[0].is) <= NAMED_BYTES_MAX;
}

/* Some that wait, with their records. One that is changed just now comes later. */
static enum table_rc
add_some(struct derive *d, const struct item *found, size_t count, void *context)
{
	struct search_group *g = context;
	struct arena *arena = d->call->arena;
	struct key *facts = ARENA_ARRAY(arena, count + 1, struct key), *keys = ARENA_ARRAY(arena, count + 1, struct key);
	struct read read = {.kind = READ_BATCH, .consistent = true, .batch = {keys, count}};
	enum table_rc rc = TABLE_OK;

	for (size_t i = 0; i < count; i++) {
		facts[i] = key_waiting_fact(arena, item_key(&found[i]));
		keys[i] = key_indexed(arena, facts[i]);
	}
	if (count != 0)
		rc = table_read(d->table, d->call, &read, 1);
	for (size_t i = 0; rc == TABLE_OK && i < count; i++) {
		struct search_record is, wanted;

		search_record_from_item(arena, read.items[i], &is);
		search_record_from_item(arena, &found[i], &wanted);
		if (is.waiting == 0)
			rc = derive_item(d, &found[i], NULL);
		else if (!d->whole && is.version == wanted.version)
			search_group_add(g, facts[i], &is, &wanted, (struct search_shown){.text = STR("")}, NULL);
	}
	for (size_t i = 0; i < g->count; i++)
		g->texts[i].told = true;
	return rc;
}

enum table_rc
search_add_waiting(struct search_group *g, enum search_space space)
{
	struct query query = query_waiting(space);

	query.limit = TABLE_BATCH_MAX;
	query.consistent = true;
	return derive_pages(g->d, query, add_some, g);
}

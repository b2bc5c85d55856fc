/* The keys of the search: see key_search.h. */
#include "model/key_search.h"

#include "base/arena.h"

#include <inttypes.h>

enum { HASH_BITS = 16, DIGITS = 16 };

#define POST_PREFIX STR("POST#")
#define INDEXED_PREFIX STR("INDEXED#")
#define LANGUAGE_PREFIX STR("LANGUAGE#")

uint64_t
key_search_number(int64_t published, struct str id)
{
	uint64_t hash = 14695981039346656037u;
	int64_t second = published > 0 ? published / 1000 : 0;

	for (size_t i = 0; i < id.len; i++)
		hash = (hash ^ (unsigned char)id.base[i]) * 1099511628211u;
	hash ^= hash >> 32;
	hash ^= hash >> 16;
	return (uint64_t)second << HASH_BITS | (hash & ((1u << HASH_BITS) - 1));
}

int64_t
key_search_second(uint64_t number)
{
	return (int64_t)(number >> HASH_BITS);
}

static struct str
digits_of(struct arena *arena, uint64_t number)
{
	char *at = arena_room(arena, DIGITS);

	for (int i = DIGITS; i-- > 0; number /= 10)
		at[i] = (char)('0' + number % 10);
	return (struct str){at, DIGITS};
}

static struct str
term_partition(struct arena *arena, enum search_space space, struct str term)
{
	return STR_CONCAT(
	    arena, space == SEARCH_POSTS ? STR("SEARCH#posts#") : STR("SEARCH#comments#"), term);
}

struct key
key_search_block(struct arena *arena, enum search_space space, struct str term, uint64_t number)
{
	return (struct key){term_partition(arena, space, term), digits_of(arena, number)};
}

bool
key_is_search_data(struct key key)
{
	return str_starts(key.pk, STR("SEARCH#")) || str_starts(key.pk, STR("FOUND#"));
}

bool
key_search_block_number(struct str sort, uint64_t *number)
{
	int64_t n;

	if (sort.len != DIGITS || !str_int(sort, &n) || n < 0)
		return false;
	*number = (uint64_t)n;
	return true;
}

struct query
query_search_block(struct arena *arena, enum search_space space, struct str term, uint64_t number)
{
	return (struct query){.partition = term_partition(arena, space, term),
	    .op = SORT_LE,
	    .low = digits_of(arena, number),
	    .descending = true};
}

struct query
query_search_term(struct arena *arena, enum search_space space, struct str term)
{
	return (struct query){.partition = term_partition(arena, space, term), .descending = true};
}

static struct str
found_partition(struct arena *arena, uint64_t number)
{
	return STR_CONCAT(arena, STR("FOUND#"), digits_of(arena, number));
}

struct key
key_search_text(struct arena *arena, uint64_t number, struct str id)
{
	return (struct key){found_partition(arena, number), id};
}

struct query
query_search_texts(struct arena *arena, uint64_t number)
{
	return (struct query){.partition = found_partition(arena, number)};
}

enum search_space
key_search_space(struct key fact)
{
	return str_eq(fact.sk, STR("METADATA")) ? SEARCH_POSTS : SEARCH_COMMENTS;
}

struct str
key_search_id(struct key fact)
{
	return key_search_space(fact) == SEARCH_POSTS ? key_name(fact) : key_comment_path(fact.sk);
}

struct key
key_indexed(struct arena *arena, struct key fact)
{
	return (struct key){
	    STR_CONCAT(arena, INDEXED_PREFIX, str_sub(fact.pk, POST_PREFIX.len, SIZE_MAX)), fact.sk};
}

struct key
key_indexed_fact(struct arena *arena, struct key indexed)
{
	return (struct key){
	    STR_CONCAT(arena, POST_PREFIX, str_sub(indexed.pk, INDEXED_PREFIX.len, SIZE_MAX)),
	    indexed.sk};
}

static struct str
waiting_partition(enum search_space space)
{
	return space == SEARCH_POSTS ? STR("WAITING#posts") : STR("WAITING#comments");
}

struct key
key_waiting(struct arena *arena, struct key fact)
{
	return (struct key){waiting_partition(key_search_space(fact)),
	    STR_CONCAT(arena, str_sub(fact.pk, POST_PREFIX.len, SIZE_MAX), STR("#"), fact.sk)};
}

struct key
key_waiting_fact(struct arena *arena, struct key waiting)
{
	struct key fact;
	struct str post = str_cut(waiting.sk, '#', &fact.sk);

	fact.pk = STR_CONCAT(arena, POST_PREFIX, post);
	return fact;
}

struct query
query_waiting(enum search_space space)
{
	return (struct query){.partition = waiting_partition(space)};
}

struct key
key_search_state(void)
{
	return (struct key){STR("SEARCH"), STR("STATE")};
}

struct key
key_search_site(void)
{
	return (struct key){STR("SEARCH"), STR("SITE")};
}

struct key
key_search_language(struct arena *arena, struct str tag)
{
	return (struct key){STR("SEARCH"), STR_CONCAT(arena, LANGUAGE_PREFIX, tag)};
}

struct query
query_search_state(void)
{
	return (struct query){.partition = STR("SEARCH")};
}

struct str
key_search_language_tag(struct str sort)
{
	return str_starts(sort, LANGUAGE_PREFIX) ? str_sub(sort, LANGUAGE_PREFIX.len, SIZE_MAX) : STR("");
}

struct query
query_appeared(struct arena *arena, enum search_space space, uint64_t number)
{
	int64_t from = key_search_second(number) * 1000;

	return (struct query){.index = TABLE_GSI3,
	    .partition = space == SEARCH_POSTS ? STR("POST") : STR("SAID"),
	    .op = SORT_BETWEEN,
	    .low = time_format(arena, from),
	    .high = STR_CONCAT(arena, time_format(arena, from + 999), STR("$"))};
}

bool
key_appeared(const struct item *item, int64_t *at)
{
	struct str partition = item_string(item, table_pk_name(TABLE_GSI3)), time;

	if (!str_eq(partition, STR("POST")) && !str_eq(partition, STR("SAID")))
		return false;
	time = item_string(item, table_sk_name(TABLE_GSI3));
	return time_parse(str_sub(time, 0, str_find(time, '#')), at);
}

#ifndef MODEL_KEY_SEARCH_H
#define MODEL_KEY_SEARCH_H

#include "model/key.h"

/*
 * The part of the key schema that is about finding things by their words (docs/search.md):
 *
 *	SEARCH#<in>#<term>   <number>                      a block of postings, from this number on
 *	FOUND#<number>       <id>                          the text of what has that number
 *	INDEXED#<post>       METADATA, COMMENT#<path>      what the index holds of a post, of a comment
 *	WAITING#<in>         <post>#<the same>             what is not yet in the blocks of one of these
 *	SEARCH               STATE, LANGUAGE#<tag>, SITE   how much there is in all
 *
 * A number is the second at which something appeared, times 65,536, and 16 bits of a hash of its id. So it leads to its public
 * key, which begins with the time, and nothing else does.
 */
enum search_space { SEARCH_POSTS, SEARCH_COMMENTS, SEARCH_SPACES };

/* Numbers begin at the year 1970; what is earlier is of its first second. */
uint64_t key_search_number(int64_t published, struct str id);
/* When it appeared, in seconds. */
int64_t key_search_second(uint64_t number);

struct key key_search_block(
    struct arena *arena, enum search_space space, struct str term, uint64_t number);
/* Does it hold postings or a text? Nothing is derived from these, and there are very many. */
bool key_is_search_data(struct key key);
/* From its sort key; false: it is none. */
bool key_search_block_number(struct str sort, uint64_t *number);
/* The block in which this number is, or would be; behind it, the ones before. */
struct query query_search_block(
    struct arena *arena, enum search_space space, struct str term, uint64_t number);
/* All blocks of a term, the newest first. */
struct query query_search_term(struct arena *arena, enum search_space space, struct str term);

struct key key_search_text(struct arena *arena, uint64_t number, struct str id);
struct query query_search_texts(struct arena *arena, uint64_t number);

/* Where a post (its head) or a comment is looked for, by its key; and what tells its text from others of the same number. */
enum search_space key_search_space(struct key fact);
struct str key_search_id(struct key fact);

/* What the index holds of a post or comment, by its key; and back. */
struct key key_indexed(struct arena *arena, struct key fact);
struct key key_indexed_fact(struct arena *arena, struct key indexed);

/* One that waits for its place in the blocks, by its key; and all of them. */
struct key key_waiting(struct arena *arena, struct key fact);
struct key key_waiting_fact(struct arena *arena, struct key waiting);
struct query query_waiting(enum search_space space);
/* So many bytes of each space are written to the blocks; several texts that come at once may put more. */
enum { SEARCH_WAITING_FULL = 160 * 1024 };

struct key key_search_state(void);
struct key key_search_site(void);
struct key key_search_language(struct arena *arena, struct str tag);
/* All three, the languages first. */
struct query query_search_state(void);
struct str key_search_language_tag(struct str sort);

/* What has a public key and appeared in that second: posts, comments. */
struct query query_appeared(struct arena *arena, enum search_space space, uint64_t number);
/* When an item has appeared for everybody, by its public key; false: it has none. */
bool key_appeared(const struct item *item, int64_t *at);

#endif

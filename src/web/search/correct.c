#include "web/search/search_private.h"

#include "base/arena.h"
#include "model/key_search.h"
#include "model/post/post.h"
#include "text/spelling.h"

#include <assert.h>

static_assert(CORRECTION_READS_MAX >= CORRECTED_WORDS_MAX * SPELLING_QUERIES &&
		  SPELLING_QUERIES >= SPELLING_BEST,
    "both steps have room for their reads");

enum {
	SAME_SECOND_MAX =
	    20, /* posts that appeared in the second of a witness, as after an import */
};

enum correction_step { DICTIONARY, WITNESSES };

struct wrong_word {
	struct str folded;
	size_t from, to;
	struct known_word best[SPELLING_BEST];
	size_t count;     /* of them */
	size_t reads;     /* of this step */
	struct str right; /* empty: none is near */
};

struct correction {
	struct arena *arena;
	const struct search_query *query;
	int64_t now;
	enum correction_step step;
	struct wrong_word words[CORRECTED_WORDS_MAX];
	size_t count;
};

struct correction *
correction_new(struct arena *arena, const struct search_query *query, int64_t now)
{
	struct correction *c = ARENA_NEW(arena, struct correction);

	*c = (struct correction){.arena = arena, .query = query, .now = now};
	return c;
}

void
correction_add(struct correction *c, struct str folded, size_t from, size_t to)
{
	if (c->count < CORRECTED_WORDS_MAX)
		c->words[c->count++] = (struct wrong_word){
		    .folded = str_dup(c->arena, folded), .from = from, .to = to};
}

/* --- What is read ------------------------------------------------------------------------------------- */

struct read
correction_witness(struct arena *arena, const struct known_word *word)
{
	struct read read = {.kind = READ_QUERY,
	    .query = query_appeared(arena, SEARCH_POSTS, (uint64_t)word->found)};

	read.query.limit = SAME_SECOND_MAX;
	return read;
}

static size_t
witness_reads(const struct correction *c, const struct wrong_word *word, struct read *out)
{
	for (size_t i = 0; i < word->count; i++)
		out[i] = correction_witness(c->arena, &word->best[i]);
	return word->count;
}

size_t
correction_reads(struct correction *c, struct read out[CORRECTION_READS_MAX])
{
	size_t count = 0;

	for (size_t i = 0; i < c->count; i++) {
		struct wrong_word *word = &c->words[i];

		word->reads = c->step == DICTIONARY
				  ? spelling_reads(c->arena, word->folded, &out[count])
				  : witness_reads(c, word, &out[count]);
		count += word->reads;
	}
	return count;
}

bool
correction_witnessed(struct arena *arena, const struct known_word *word, const struct read *answered,
    int64_t now)
{
	for (size_t i = 0; i < answered->found_count; i++) {
		struct post post;

		post_from_item(arena, &answered->found[i], &post);
		if (post_is_public(&post) && post.published <= now &&
		    key_search_number(post.published, post.id) == (uint64_t)word->found)
			return true;
	}
	return false;
}

void
correction_take(struct correction *c, const struct read *answered)
{
	for (size_t i = 0; i < c->count; i++) {
		struct wrong_word *word = &c->words[i];

		if (c->step == DICTIONARY)
			word->count =
			    spelling_best(word->folded, answered, word->reads, word->best);
		else
			for (size_t b = word->count; b-- > 0;)
				if (correction_witnessed(c->arena, &word->best[b], &answered[b], c->now))
					word->right = word->best[b].word;
		answered += word->reads;
	}
	c->step++;
}

/* --- What was meant ----------------------------------------------------------------------------------- */

/* From the last one on, so that the places of those before stay right. */
bool
correction_query(const struct correction *c, struct search_query *out)
{
	bool any = false;

	*out = *c->query;
	for (size_t i = c->count; i-- > 0;) {
		const struct wrong_word *word = &c->words[i];

		if (word->right.len == 0)
			continue;
		search_query_replace(c->arena, out, word->from, word->to - word->from, word->right);
		any = true;
	}
	return any;
}

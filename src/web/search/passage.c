#include "web/search/search_private.h"

#include "base/arena.h"

enum {
	PASSAGE_BYTES = 240,
	BEFORE_BYTES = 60, /* of them in front of the first word that was looked for */
	FOUND_MAX = 400,   /* words of a text that are looked at */
	MARKS_MAX = 40,
	PHRASE_MAX = 64, /* words */
};

/* Where a word that is looked for stands. */
struct found {
	uint32_t from, to;
	unsigned term;
};

static size_t
find_all(struct words *words, struct str text, const struct search_terms *terms, struct found found[FOUND_MAX])
{
	struct word word;
	size_t count = 0;

	for (words_begin(words, text); count < FOUND_MAX && words_next(words, &word);)
		for (size_t t = 0; t < terms->count; t++)
			if (str_eq(terms->terms[t], word.term)) {
				found[count++] = (struct found){word.from, word.to, (unsigned)t};
				break;
			}
	return count;
}

/* The first of those that stand together: with the most different words, and of these with the most. */
static size_t
best_start(const struct found *found, size_t count)
{
	size_t best = 0, best_worth = 0;

	for (size_t i = 0; i < count; i++) {
		uint64_t seen = 0;
		size_t worth = 0;

		for (size_t k = i; k < count && found[k].to - found[i].from <= PASSAGE_BYTES - BEFORE_BYTES; k++) {
			uint64_t bit = UINT64_C(1) << found[k].term % 64;

			worth += seen & bit ? 1 : 16;
			seen |= bit;
		}
		if (worth > best_worth) {
			best_worth = worth;
			best = i;
		}
	}
	return best;
}

static bool
is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\t';
}

/* The beginning of a word at or after this, of a line before it if one is near. */
static size_t
begin_at(struct str text, size_t first)
{
	size_t from = first > BEFORE_BYTES ? first - BEFORE_BYTES : 0;

	for (size_t i = first; i > from; i--)
		if (text.base[i - 1] == '\n')
			return i;
	if (from == 0)
		return 0;
	while (from < first && !is_space(text.base[from - 1]))
		from++;
	return from;
}

static size_t
end_at(struct str text, size_t from, size_t least)
{
	size_t to = from + PASSAGE_BYTES;

	if (to >= text.len)
		return text.len;
	while (to > least && !is_space(text.base[to]))
		to--;
	/* Text without spaces: a whole character. */
	if (to <= least)
		for (to = from + PASSAGE_BYTES; to > least && ((unsigned char)text.base[to] & 0xc0) == 0x80;)
			to--;
	return to;
}

void
search_passage(struct arena *arena, struct words *words, struct str text, const struct search_terms *terms,
    struct search_hit *hit)
{
	struct found *found = ARENA_ARRAY(arena, FOUND_MAX, struct found);
	size_t count = find_all(words, text, terms, found), first = best_start(found, count);
	size_t from = count != 0 ? begin_at(text, found[first].from) : 0;
	size_t to = end_at(text, from, count != 0 ? found[first].to : 0);
	struct search_mark *marks = ARENA_ARRAY(arena, MARKS_MAX, struct search_mark);
	char *passage = arena_room(arena, to - from + 1);

	for (size_t i = from; i < to; i++)
		passage[i - from] = is_space(text.base[i]) ? ' ' : text.base[i];
	hit->passage = (struct str){passage, to - from};
	hit->cut_before = from != 0;
	hit->cut_after = to != text.len;
	hit->marks = marks;
	for (size_t i = 0; i < count && hit->mark_count < MARKS_MAX; i++)
		if (found[i].from >= from && found[i].to <= to &&
		    (hit->mark_count == 0 || found[i].from - from >= marks[hit->mark_count - 1].to))
			marks[hit->mark_count++] = (struct search_mark){
			    (uint32_t)(found[i].from - from), (uint32_t)(found[i].to - from)};
}

/* A bit for each word of the phrase: it and all before it have just been met. */
bool
search_has_phrase(struct arena *arena, struct words *words, struct str text, struct str phrase)
{
	size_t count;
	const struct word *wanted = words_list(words, arena, phrase, &count);
	uint64_t met = 0;
	struct word word;

	if (count > PHRASE_MAX)
		count = PHRASE_MAX;
	for (words_begin(words, text); count != 0 && words_next(words, &word);) {
		uint64_t same = 0;

		for (size_t i = 0; i < count; i++)
			same |= (uint64_t)str_eq(wanted[i].term, word.term) << i;
		met = (met << 1 | 1) & same;
		if (met >> (count - 1) & 1)
			return true;
	}
	return count == 0;
}

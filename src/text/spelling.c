#include "text/spelling.h"

#include "base/arena.h"
#include "base/unicode.h"
#include "model/key_spelling.h"

enum { ENDS_LETTERS_MAX = 4, LETTERS_MAX = WORD_LETTERS_MAX + 1 };

/* A word letter by letter. */
struct letters {
	uint32_t runes[LETTERS_MAX];
	size_t ends[LETTERS_MAX]; /* where each ends in the word, in bytes */
	size_t count;             /* 0: none, or too many */
};

static struct letters
letters_of(struct str word)
{
	struct letters letters = {.count = 0};

	for (size_t at = 0; at < word.len; letters.count++) {
		if (letters.count == LETTERS_MAX)
			return (struct letters){.count = 0};
		letters.runes[letters.count] = str_rune(word, &at);
		letters.ends[letters.count] = at;
	}
	return letters;
}

struct known_word
known_word_of(const struct item *item)
{
	return (struct known_word){key_word_of(item_key(item)), item_number(item, STR("Found"))};
}

/* --- Keys --------------------------------------------------------------------------------------------- */

bool
spelling_is_word(struct str word)
{
	struct letters letters = letters_of(word);
	bool number = true;

	for (size_t i = 0; i < letters.count; i++) {
		if (!unicode_is_word(letters.runes[i]))
			return false;
		number = number && letters.runes[i] >= '0' && letters.runes[i] <= '9';
	}
	return letters.count >= WORD_LETTERS_MIN && letters.count <= WORD_LETTERS_MAX && !number;
}

/* How many letters of each end the key of a word of this length has. */
static size_t
end_letters(size_t length)
{
	size_t half = (length - 1) / 2;

	return half < ENDS_LETTERS_MAX ? half : ENDS_LETTERS_MAX;
}

static struct str
beginning(struct str word, const struct letters *letters, size_t count)
{
	return str_sub(word, 0, letters->ends[count - 1]);
}

static struct str
end(struct str word, const struct letters *letters, size_t count)
{
	return str_sub(word, letters->ends[letters->count - count - 1], word.len);
}

size_t
spelling_keys(struct arena *arena, struct str word, struct key out[SPELLING_KEYS])
{
	struct letters letters = letters_of(word);
	size_t count = 0, n;

	out[count++] = key_word(arena, word);
	if (letters.count >= SPELLING_LETTERS_MIN) {
		n = end_letters(letters.count);
		out[count++] =
		    key_spelling(arena, word, letters.count, beginning(word, &letters, n), false);
		out[count++] =
		    key_spelling(arena, word, letters.count, end(word, &letters, n), true);
	}
	return count;
}

/* The word that was meant has a letter less, as many, or one more. */
size_t
spelling_reads(struct arena *arena, struct str word, struct read out[SPELLING_QUERIES])
{
	struct letters letters = letters_of(word);
	size_t count = 0;

	for (size_t length = letters.count - 1; letters.count != 0 && length <= letters.count + 1;
	     length++) {
		size_t n = end_letters(length);

		if (length < SPELLING_LETTERS_MIN || length > WORD_LETTERS_MAX)
			continue;
		for (int i = 0; i < 2; i++) {
			struct read *read = &out[count++];

			*read = (struct read){.kind = READ_QUERY,
			    .query = query_spelling(arena, length,
				i == 0 ? beginning(word, &letters, n) : end(word, &letters, n),
				i == 1)};
			read->query.limit = SPELLING_READ_MAX;
		}
	}
	return count;
}

/* --- Errors ------------------------------------------------------------------------------------------- */

/* What somebody may have done wrong, the likeliest first: a swap or a doubled letter leaves little doubt of what was meant. */
enum error { SWAPPED, DOUBLED, MISSING, WRONG, TOO_MANY, OTHER };

/* How `typed` differs from the word, and from which letter on. */
static enum error
error_of(const struct letters *typed, const struct letters *word, size_t *at)
{
	size_t shorter = typed->count < word->count ? typed->count : word->count;
	size_t first = 0, last = 0, more, less;
	const uint32_t *a, *b;

	while (first < shorter && typed->runes[first] == word->runes[first])
		first++;
	while (last < shorter - first &&
	       typed->runes[typed->count - 1 - last] == word->runes[word->count - 1 - last])
		last++;
	*at = first;
	a = &typed->runes[first];
	b = &word->runes[first];
	more = typed->count - first - last;
	less = word->count - first - last;
	if (more == 2 && less == 2 && a[0] == b[1] && a[1] == b[0])
		return SWAPPED;
	if (more == 1 && less == 0)
		return first != 0 && a[0] == a[-1] ? DOUBLED : TOO_MANY;
	if (more == 0 && less == 1)
		return MISSING;
	return more == 1 && less == 1 ? WRONG : OTHER;
}

struct candidate {
	struct known_word known;
	enum error error;
	size_t at;
};

/* Errors at the end of a word are commoner than at its beginning; among equals, the order of the alphabet decides. */
static bool
is_likelier(const struct candidate *a, const struct candidate *b)
{
	if (a->error != b->error)
		return a->error < b->error;
	if (a->at != b->at)
		return a->at > b->at;
	return str_cmp(a->known.word, b->known.word) < 0;
}

/* Keeps the likeliest ones in order; a word that two queries have found is kept once. */
static void
add_candidate(struct candidate *best, size_t *count, struct candidate candidate)
{
	size_t at = *count;

	for (size_t i = 0; i < *count; i++)
		if (str_eq(best[i].known.word, candidate.known.word))
			return;
	while (at > 0 && is_likelier(&candidate, &best[at - 1]))
		at--;
	if (at == SPELLING_BEST)
		return;
	if (*count < SPELLING_BEST)
		++*count;
	memmove(&best[at + 1], &best[at], (*count - at - 1) * sizeof(*best));
	best[at] = candidate;
}

size_t
spelling_best(struct str word, const struct read *answered, size_t count,
    struct known_word out[SPELLING_BEST])
{
	struct letters typed = letters_of(word);
	struct candidate best[SPELLING_BEST];
	size_t best_count = 0;

	for (size_t r = 0; r < count; r++) {
		for (size_t i = 0; i < answered[r].found_count; i++) {
			struct candidate candidate = {.known = known_word_of(&answered[r].found[i])};
			struct letters letters = letters_of(candidate.known.word);

			candidate.error = error_of(&typed, &letters, &candidate.at);
			if (candidate.error != OTHER)
				add_candidate(best, &best_count, candidate);
		}
	}
	for (size_t i = 0; i < best_count; i++)
		out[i] = best[i].known;
	return best_count;
}

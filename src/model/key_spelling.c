/* The keys of the dictionary: see key.h. */
#include "model/key_spelling.h"

#include "base/arena.h"

enum { WORD_LETTERS = 2 };

/* The first two letters. */
static struct str
first_letters(struct str word)
{
	size_t end = 0;

	for (int i = 0; i < WORD_LETTERS; i++)
		str_rune(word, &end);
	return str_sub(word, 0, end);
}

static struct str
words_partition(struct arena *arena, struct str word)
{
	return STR_CONCAT(arena, STR("WORDS#"), first_letters(word));
}

struct key
key_word(struct arena *arena, struct str word)
{
	return (struct key){words_partition(arena, word), word};
}

struct query
query_words(struct arena *arena, struct str beginning)
{
	return (struct query){.index = TABLE_PRIMARY,
	    .partition = words_partition(arena, beginning),
	    .op = SORT_BEGINS,
	    .low = beginning};
}

/* The star stands where the other letters are. */
static struct str
spelling_partition(struct arena *arena, size_t length, struct str letters, bool end)
{
	return str_fmt(
	    arena, end ? "SPELL#%zu#*%.*s" : "SPELL#%zu#%.*s*", length, STR_ARGS(letters));
}

struct key
key_spelling(struct arena *arena, struct str word, size_t length, struct str letters, bool end)
{
	return (struct key){spelling_partition(arena, length, letters, end), word};
}

struct query
query_spelling(struct arena *arena, size_t length, struct str letters, bool end)
{
	return (struct query){
	    .index = TABLE_PRIMARY, .partition = spelling_partition(arena, length, letters, end)};
}

struct str
key_word_of(struct key key)
{
	return key.sk;
}

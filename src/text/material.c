#include "text/material.h"

#include "base/arena.h"
#include "text/words.h"

/* Letters other than those of ASCII say more: two bytes and more each. */
static bool
says_something(const struct word *word)
{
	enum { SHORT = 2 };

	return word->to - word->from > SHORT && !(word->folded.base[0] >= '0' && word->folded.base[0] <= '9');
}

size_t
material_words(struct arena *arena, struct str language, struct str name, struct str **out)
{
	struct words *words = words_new(language);
	size_t count, taken = 0;
	const struct word *list = words_list(words, arena, name, &count);

	*out = ARENA_ARRAY(arena, count + 1, struct str);
	for (size_t i = 0; i < count; i++)
		if (says_something(&list[i]))
			(*out)[taken++] = list[i].term;
	words_free(words);
	return taken;
}

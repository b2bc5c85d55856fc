#include "model/reader/word_list.h"

#include "base/arena.h"
#include "base/unicode.h"

#include <string.h>

/* So much of what is found is told. */
enum { TOLD_MAX = 5 };

/* The character before an offset; a space at the beginning. */
static uint32_t
rune_before(struct str text, size_t at)
{
	size_t begin = at;

	if (at == 0)
		return ' ';
	do
		begin--;
	while (begin > 0 && ((unsigned char)text.base[begin] & 0xc0) == 0x80);
	return str_rune(text, &begin);
}

static uint32_t
rune_at(struct str text, size_t at)
{
	return at < text.len ? str_rune(text, &at) : ' ';
}

/* Is what lies there a word by itself? */
static bool
is_word(struct str text, size_t begin, size_t end)
{
	return !unicode_is_word(rune_before(text, begin)) && !unicode_is_word(rune_at(text, end));
}

/* Is it a domain, or the end of one: what comes behind is no more of a name. */
static bool
is_domain(struct str text, size_t begin, size_t end)
{
	uint32_t before = rune_before(text, begin), after = rune_at(text, end);

	if (unicode_is_word(before) || before == '-' || unicode_is_word(after) || after == '-')
		return false;
	return after != '.' || !unicode_is_word(rune_at(text, end + 1));
}

static bool
is_anywhere(struct str text, size_t begin, size_t end)
{
	(void)text;
	(void)begin;
	(void)end;
	return true;
}

static bool
has(struct str text, struct str entry, bool (*fits)(struct str text, size_t begin, size_t end))
{
	const char *at = text.base;
	size_t left = text.len;

	while (left != 0 && (at = memmem(at, left, entry.base, entry.len)) != NULL) {
		size_t begin = (size_t)(at - text.base);

		if (fits(text, begin, begin + entry.len))
			return true;
		at++;
		left = text.len - (size_t)(at - text.base);
	}
	return false;
}

struct str
word_list_found(struct arena *arena, const struct moderation *m, struct str text)
{
	const struct {
		const char *what;
		struct str list;
		bool (*fits)(struct str text, size_t begin, size_t end);
	} lists[] = {
	    {"the word", m->words, is_word},
	    {"the domain", m->domains, is_domain},
	    {"the link", m->links, is_anywhere},
	};
	struct str folded = unicode_fold(arena, text), said = STR("");
	size_t told = 0;

	for (size_t l = 0; l < sizeof(lists) / sizeof(lists[0]); l++) {
		struct str rest = unicode_fold(arena, lists[l].list);

		while (rest.len != 0 && told < TOLD_MAX) {
			struct str entry = str_trim(str_cut(rest, '\n', &rest));

			if (entry.len == 0 || !has(folded, entry, lists[l].fits))
				continue;
			said = STR_CONCAT(arena, said, told++ != 0 ? STR(", ") : STR(""),
			    str_of(lists[l].what), STR(" “"), entry, STR("”"));
		}
	}
	return said;
}

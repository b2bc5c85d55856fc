#include "text/text.h"

#include "base/buf.h"

#include <string.h>

static bool
is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* The next word from *at on; *at is moved past it. Empty at the end. */
static struct str
next_word(struct str text, size_t *at)
{
	size_t from;

	while (*at < text.len && is_space(text.base[*at]))
		++*at;
	from = *at;
	while (*at < text.len && !is_space(text.base[*at]))
		++*at;
	return str_sub(text, from, *at - from);
}

static size_t
characters(struct str text)
{
	size_t count = 0;

	for (size_t i = 0; i < text.len; count++)
		str_rune(text, &i);
	return count;
}

static struct str
first_characters(struct str text, size_t count)
{
	size_t i = 0;

	while (count-- != 0 && i < text.len)
		str_rune(text, &i);
	return str_sub(text, 0, i);
}

struct str
text_excerpt(struct arena *arena, struct str text, size_t most)
{
	struct buf out = {.arena = arena};
	size_t at = 0, used = 0;

	for (;;) {
		struct str word = next_word(text, &at);
		size_t space = used != 0 ? 1 : 0, count = characters(word), ahead = at;
		/* Unless it is the last word, the ellipsis must fit after it. */
		size_t more = next_word(text, &ahead).len != 0 ? 1 : 0;

		if (word.len == 0)
			return buf_str(&out);
		if (used + space + count + more > most) {
			if (used == 0 && most != 0)
				buf_put(&out, first_characters(word, most - 1));
			while (out.len != 0 && strchr(",;:", out.base[out.len - 1]) != NULL)
				out.len--;
			if (most != 0)
				BUF_PUT(&out, "…");
			return buf_str(&out);
		}
		if (space != 0)
			buf_putc(&out, ' ');
		buf_put(&out, word);
		used += space + count;
	}
}

struct str
text_beginning(struct arena *arena, struct str text, size_t words)
{
	size_t at = 0, count = 0;

	while (words-- != 0) {
		struct str word = next_word(text, &at);

		if (word.len == 0)
			break;
		count += characters(word) + 1;
	}
	/* Room for them, the spaces before all but the first, and the ellipsis. */
	return text_excerpt(arena, text, count);
}

int64_t
text_words(struct str text)
{
	int64_t count = 0;
	size_t at = 0;

	while (next_word(text, &at).len != 0)
		count++;
	return count;
}

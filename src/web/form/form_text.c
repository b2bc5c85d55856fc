#include "web/form/form_text.h"

#include "base/arena.h"

struct str
text_lines(struct arena *arena, struct str text)
{
	char *base, *end;

	if (str_find(text, '\r') == text.len)
		return text;
	base = end = arena_alloc(arena, text.len);
	for (size_t i = 0; i < text.len; i++) {
		if (text.base[i] != '\r')
			*end++ = text.base[i];
		else if (i + 1 == text.len || text.base[i + 1] != '\n')
			*end++ = '\n';
	}
	return (struct str){base, (size_t)(end - base)};
}

bool
text_is_seen(struct str text)
{
	static const struct {
		uint32_t first, last;
	} unseen[] = {{0, 0x20}, {0x7f, 0xa0}, {0xad, 0xad}, {0x34f, 0x34f}, {0x61c, 0x61c},
	    {0x115f, 0x1160}, {0x1680, 0x1680}, {0x17b4, 0x17b5}, {0x180b, 0x180f},
	    {0x2000, 0x200f}, {0x2028, 0x202f}, {0x205f, 0x206f}, {0x2800, 0x2800},
	    {0x3000, 0x3000}, {0x3164, 0x3164}, {0xfe00, 0xfe0f}, {0xfeff, 0xfeff},
	    {0xffa0, 0xffa0}, {0xe0000, 0xe0fff}};

	for (size_t i = 0; i < text.len;) {
		uint32_t rune = str_rune(text, &i);
		bool seen = true;

		for (size_t n = 0; n < sizeof(unseen) / sizeof(unseen[0]); n++)
			seen = seen && (rune < unseen[n].first || rune > unseen[n].last);
		if (seen)
			return true;
	}
	return false;
}

struct str
text_trim_lines(struct str text)
{
	struct str trimmed = str_trim(text);
	size_t start;

	if (trimmed.len == 0)
		return trimmed;
	start = (size_t)(trimmed.base - text.base);
	while (start > 0 && text.base[start - 1] != '\n')
		start--;
	return str_sub(text, start, (size_t)(trimmed.base + trimmed.len - text.base) - start);
}

int64_t
text_length(struct str text)
{
	int64_t length = 0;

	for (size_t i = 0; i < text.len; i++)
		length += ((unsigned char)text.base[i] & 0xc0) != 0x80;
	return length;
}

static bool
is_small_or_digit(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

bool
text_is_name(struct str text)
{
	for (size_t i = 0; i < text.len; i++)
		if (!is_small_or_digit(text.base[i]) && text.base[i] != '_')
			return false;
	return text.len != 0;
}

#include "model/post/tag.h"

#include "base/arena.h"
#include "model/slug.h"

static const struct binding bindings[] = {
    BIND_NUMBER(COUNTED, "Posts", struct tag, posts),
    BIND_TEXT(RECORDED, "Tag", struct tag, name, TEXT_SLUG),
};
const struct binding_table tag_bindings = BINDINGS(bindings);

void
tag_from_item(struct arena *arena, const struct item *item, struct tag *out)
{
	*out = (struct tag){.posts = 0};
	bind_read(arena, &tag_bindings, item, out);
}

/* Also the ideographic, Arabic, full-width, half-width and small ones. */
static bool
is_comma(uint32_t rune)
{
	return rune == ',' || rune == 0x3001 || rune == 0x60c || rune == 0xff0c || rune == 0xff64 ||
	       rune == 0xfe50;
}

/* The text before the next comma; *at is moved past it. */
static struct str
next(struct str text, size_t *at)
{
	size_t from = *at;

	while (*at < text.len) {
		size_t end = *at;

		if (is_comma(str_rune(text, at)))
			return str_trim(str_sub(text, from, end - from));
	}
	return str_trim(str_sub(text, from, *at - from));
}

static bool
has(const struct strings_value *tags, struct str tag)
{
	for (size_t i = 0; i < tags->count; i++)
		if (str_eq(tags->strings[i], tag))
			return true;
	return false;
}

struct strings_value
tags_of(struct arena *arena, const struct str *texts, size_t count, struct str *strange)
{
	size_t most = 0;
	struct strings_value tags = {NULL, 0};
	struct str *out;

	*strange = STR("");
	for (size_t i = 0; i < count; i++)
		most += texts[i].len + 1;
	out = ARENA_ARRAY(arena, most, struct str);
	tags.strings = out;
	for (size_t i = 0; i < count; i++) {
		for (size_t at = 0; at < texts[i].len;) {
			struct str text = next(texts[i], &at);
			struct str tag = slug_of(arena, text, SLUG_MAX, STR(""));

			if (tag.len == 0 && text.len != 0 && strange->len == 0)
				*strange = text;
			if (tag.len != 0 && !has(&tags, tag))
				out[tags.count++] = tag;
		}
	}
	return tags;
}

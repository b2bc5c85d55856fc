#include "base/arena.h"
#include "text/markdown_private.h"

#include <string.h>

/*
 * Levels. Whatever levels the source uses, the HTML begins at the highest level that the page does not use
 * and never skips one on the way down: a heading is one level below the nearest heading before it whose
 * level in the source is higher in rank.
 *
 * Ids. The title's letters and digits in any script, in lower case where that is simple, with hyphens between
 * words; followed by a number if taken. The number of headings with ids is limited: somebody could choose
 * titles that all collide in the hash table of ids.
 */

struct slug {
	struct str text;
	int64_t next; /* the number to try when this one is requested again */
};

static bool
is_letter(uint32_t rune)
{
	if (rune < 0x80)
		return (rune >= '0' && rune <= '9') || (rune >= 'a' && rune <= 'z') ||
		       (rune >= 'A' && rune <= 'Z');
	if (rune < 0xc0)
		return rune == 0xaa || rune == 0xb5 || rune == 0xba;
	if (rune == 0xd7 || rune == 0xf7)
		return false;
	/*
	 * Not punctuation, symbols, arrows, invisible characters; those of CJK; private use;
	 * full-width forms.
	 */
	return !((rune >= 0x2000 && rune < 0x2c00) || (rune >= 0x2e00 && rune < 0x2e80) ||
		 (rune >= 0x3000 && rune < 0x3005) || (rune >= 0x3008 && rune < 0x3021) ||
		 (rune >= 0xd800 && rune < 0xf900) || (rune >= 0xfe00 && rune < 0xfe70) ||
		 (rune >= 0xfeff && rune < 0xff10) || rune >= 0xfff0);
}

/* Lower case for alphabets where it is a simple offset: Latin, Greek, Cyrillic. */
static uint32_t
small(uint32_t rune)
{
	if ((rune >= 'A' && rune <= 'Z') || (rune >= 0xc0 && rune <= 0xde && rune != 0xd7) ||
	    (rune >= 0x391 && rune <= 0x3a9) || (rune >= 0x410 && rune <= 0x42f))
		return rune + 32;
	if (rune >= 0x400 && rune <= 0x40f)
		return rune + 80;
	if ((rune >= 0x100 && rune <= 0x12f) || (rune >= 0x14a && rune <= 0x177))
		return rune | 1;
	return rune;
}

static void
put_rune(struct buf *out, uint32_t rune)
{
	if (rune < 0x80) {
		buf_putc(out, (char)rune);
	} else if (rune < 0x800) {
		buf_putc(out, (char)(0xc0 | rune >> 6));
		buf_putc(out, (char)(0x80 | (rune & 0x3f)));
	} else {
		buf_putc(out, (char)(0xe0 | rune >> 12));
		buf_putc(out, (char)(0x80 | (rune >> 6 & 0x3f)));
		buf_putc(out, (char)(0x80 | (rune & 0x3f)));
	}
}

static struct str
slug_of(struct outline *outline, struct str title)
{
	struct buf out = {.arena = outline->arena};
	size_t count = 0, i = 0;
	bool gap = false;

	buf_put(&out, outline->prefix);
	while (i < title.len && count < SLUG_RUNES_MAX) {
		uint32_t rune = str_rune(title, &i);

		/* An apostrophe does not separate words. */
		if (rune == '\'' || rune == 0x2019)
			continue;
		if (!is_letter(rune)) {
			gap = true;
			continue;
		}
		if (gap && count != 0)
			buf_putc(&out, '-');
		gap = false;
		put_rune(&out, small(rune));
		count++;
	}
	if (count == 0)
		BUF_PUT(&out, "section");
	return buf_str(&out);
}

/* The slot of the text in the table of ids, or the empty one for it. */
static struct slug *
slug_place(struct outline *outline, struct str text)
{
	uint64_t hash = 0xcbf29ce484222325;
	size_t mask = outline->slug_capacity - 1, at;

	for (size_t i = 0; i < text.len; i++)
		hash = (hash ^ (unsigned char)text.base[i]) * 0x100000001b3;
	for (at = (hash ^ hash >> 32) & mask; outline->slugs[at].text.len != 0;
	     at = (at + 1) & mask)
		if (str_eq(outline->slugs[at].text, text))
			break;
	return &outline->slugs[at];
}

static void
slug_take(struct outline *outline, struct str text)
{
	if (outline->slug_count * 2 >= outline->slug_capacity) {
		struct slug *old = outline->slugs;
		size_t capacity = outline->slug_capacity;

		outline->slug_capacity = capacity != 0 ? capacity * 2 : 32;
		outline->slugs = ARENA_ARRAY(outline->arena, outline->slug_capacity, struct slug);
		for (size_t i = 0; i < capacity; i++)
			if (old[i].text.len != 0)
				*slug_place(outline, old[i].text) = old[i];
	}
	*slug_place(outline, text) = (struct slug){text, 2};
	outline->slug_count++;
}

/* A unique id. Each number is tried once, so that many equal headings cost no more. */
static struct str
slug_unique(struct outline *outline, struct str base)
{
	struct str text = base;

	if (outline->slug_capacity != 0) {
		struct slug *slug = slug_place(outline, base);

		while (slug_place(outline, text)->text.len != 0)
			text =
			    str_fmt(outline->arena, "%.*s-%d", STR_ARGS(base), (int)slug->next++);
	}
	slug_take(outline, text);
	return text;
}

struct heading
outline_add(struct outline *outline, int source_level, struct str title)
{
	int level;

	while (outline->depth != 0 && outline->open[outline->depth - 1] >= source_level)
		outline->depth--;
	level = outline->first_level + outline->depth;
	outline->open[outline->depth++] = source_level;
	return (struct heading){
	    .id = outline->slug_count < SLUGS_MAX ? slug_unique(outline, slug_of(outline, title))
						  : STR(""),
	    .title = title,
	    .level = level < 6 ? level : 6,
	};
}

void
outline_list(struct outline *outline, struct heading heading)
{
	if (outline->contents == NULL)
		outline->contents = ARENA_ARRAY(outline->arena, CONTENTS_MAX, struct heading);
	if (outline->count < CONTENTS_MAX)
		outline->contents[outline->count++] = heading;
}

/* Drawings: whatever comes, what is written has nothing but what is on the list, and is read again as it is. */
#include "fuzz.h"

#include "base/arena.h"
#include "web/media/drawing.h"

#include <string.h>

static bool
has(struct str text, const char *what)
{
	return memmem(text.base, text.len, what, strlen(what)) != NULL;
}

/* Of a tag: no value has a sign of equality, so each stands behind a name. */
static bool
has_attribute(struct str tag, const char *begins)
{
	while (str_find(tag, '=') != tag.len) {
		size_t end = str_find(tag, '='), from = end;

		while (from > 0 && tag.base[from - 1] != ' ')
			from--;
		if (str_starts(str_sub(tag, from, end - from), str_of(begins)))
			return true;
		tag = str_sub(tag, end + 1, tag.len);
	}
	return false;
}

/* Each "(" of an address leads to a part of the drawing. */
static bool
leads_out(struct str text)
{
	const char *at = memmem(text.base, text.len, "url(", 4);

	while (at != NULL && str_starts(str_sub(text, (size_t)(at - text.base) + 4, text.len), STR("#"))) {
		text = str_sub(text, (size_t)(at - text.base) + 4, text.len);
		at = memmem(text.base, text.len, "url(", 4);
	}
	return at != NULL;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const never[] = {"<script", "<style", "<foreignObject", "<image", "<!", "<?"},
			  *const unnamed[] = {"on", "style", "xlink:", "src", "class"};
	struct arena *arena = arena_new();
	struct buf out = {.arena = arena}, again = {.arena = arena};
	struct media_size pixels;

	if (drawing_clean(fuzz_str(data, size), &out, &pixels) == DRAWING_GOOD) {
		struct str clean = buf_str(&out), tags = clean;

		MUST(pixels.width >= 1 && pixels.width <= MEDIA_WIDTH_MAX && pixels.height >= 1 &&
		     pixels.height <= MEDIA_WIDTH_MAX);
		MUST(str_utf8(clean));
		MUST(drawing_clean(clean, &again, &pixels) == DRAWING_GOOD && str_eq(buf_str(&again), clean));
		/* In tags alone: words may say anything. */
		while (str_find(tags, '<') != tags.len) {
			struct str tag;

			tags = str_sub(tags, str_find(tags, '<'), tags.len);
			tag = str_sub(tags, 0, str_find(tags, '>') + 1);
			for (size_t i = 0; i < sizeof(never) / sizeof(never[0]); i++)
				MUST(!has(tag, never[i]));
			for (size_t i = 0; i < sizeof(unnamed) / sizeof(unnamed[0]); i++)
				MUST(!has_attribute(tag, unnamed[i]));
			MUST(!leads_out(tag));
			tags = str_sub(tags, tag.len, tags.len);
		}
	}
	arena_free(arena);
	return 0;
}

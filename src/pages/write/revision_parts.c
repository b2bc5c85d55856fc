#include "pages/write/revision_parts.h"

#include "base/arena.h"
#include "base/buf.h"
#include "pages/shared/words.h"
#include "text/text.h"

#include <assert.h>
#include <inttypes.h>

/* Two texts with what stands between them, when there are both. */
static struct str
both(struct arena *arena, struct str a, struct str between, struct str b)
{
	return a.len != 0 && b.len != 0 ? STR_CONCAT(arena, a, between, b)
					: STR_CONCAT(arena, a, b);
}

static struct str
lines(struct arena *arena, const struct strings_value *texts, struct str between)
{
	return str_join(arena, texts->strings, texts->count, between);
}

static struct str
materials(struct arena *arena, const struct post_body *body)
{
	struct str *texts = ARENA_ARRAY(arena, body->material_count, struct str);

	for (size_t i = 0; i < body->material_count; i++)
		texts[i] =
		    both(arena, body->materials[i].name, STR(": "), body->materials[i].amount);
	return str_join(arena, texts, body->material_count, STR("\n"));
}

static struct str
steps(struct arena *arena, const struct post_body *body)
{
	struct buf out = {.arena = arena};

	for (size_t i = 0; i < body->step_count; i++) {
		buf_fmt(&out, "%sStep %zu\n", i != 0 ? "\n" : "", i + 1);
		buf_put(&out, body->steps[i].markdown);
		buf_putc(&out, '\n');
	}
	return buf_str(&out);
}

void
revision_parts(struct arena *arena, const struct post *post, const struct post_body *body,
    struct revision_part parts[REVISION_PARTS])
{
	const struct revision_part all[] = {
	    {"Title", post->title},
	    {"Address", post->slug},
	    {"Excerpt", post->excerpt},
	    {"Category", post->category},
	    {"Tags", lines(arena, &post->tags, STR(", "))},
	    {"Picture", both(arena, post->thumbnail.url, STR("\n"), post->thumbnail.alt)},
	    {"First published at", post->canonical},
	    {"Language", post->language},
	    {"Link", both(arena, post->url, STR("\n"), body->source)},
	    {"Difficulty", words_difficulty(post->difficulty)},
	    {"Time", words_duration(arena, post->minutes)},
	    {"Cost", words_money(arena, post->cost, post->currency)},
	    {"Materials", materials(arena, body)},
	    {"Tools", lines(arena, &body->tools, STR("\n"))},
	    {"Text", body->markdown},
	    {"Steps", steps(arena, body)},
	};

	static_assert(sizeof(all) / sizeof(all[0]) == REVISION_PARTS, "as many as are promised");
	for (size_t i = 0; i < REVISION_PARTS; i++)
		parts[i] = all[i];
}

struct str
revision_changes(struct arena *arena, const struct revision_part old[REVISION_PARTS],
    const struct revision_part new[REVISION_PARTS])
{
	struct buf out = {.arena = arena};

	for (size_t i = 0; i < REVISION_PARTS; i++) {
		int64_t words;

		if (str_eq(old[i].text, new[i].text))
			continue;
		if (out.len != 0)
			BUF_PUT(&out, ", ");
		/* In the middle of a sentence all begin small. */
		buf_putc(&out, (char)(out.len != 0 ? new[i].label[0] | 0x20 : new[i].label[0]));
		buf_put(&out, str_of(new[i].label + 1));
		words = text_words(new[i].text) - text_words(old[i].text);
		if (words != 0 && (new[i].text.len > 200 || old[i].text.len > 200))
			buf_fmt(&out, " (%s%" PRId64 " %s)", words > 0 ? "+" : "−",
			    words > 0 ? words : -words,
			    words == 1 || words == -1 ? "word" : "words");
	}
	return buf_str(&out);
}

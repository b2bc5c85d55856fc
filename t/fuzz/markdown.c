/* Markdown: what comes out is well formed, holds what it may and nothing else, at any trust. */
#include "fuzz.h"

#include "base/arena.h"
#include "model/people/user.h"
#include "model/slug.h"
#include "text/markdown.h"
#include "text/markdown_check.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	for (int trust = MARKDOWN_AUTHOR; trust <= MARKDOWN_READER; trust++) {
		struct arena *arena = arena_new();
		const struct markdown_options options = {
		    .trust = (enum markdown_trust)trust,
		    .site = STR("https://our.example"),
		    .gallery = true,
		    .language = trust == MARKDOWN_AUTHOR ? STR("fr") : STR(""),
		    .hashtags = markdown_hashtags(arena, fuzz_str(data, size)),
		    .mentions = markdown_mentions(arena, fuzz_str(data, size)),
		};
		struct check check = {.prefix = STR("h-"), .first_level = 2, .arena = arena};
		struct markdown out;
		const char *error;

		markdown_render(arena, fuzz_str(data, size), &options, &out);
		check.html = out.html.text;
		error = check_html(&check);
		if (error != NULL)
			fprintf(stderr, "%s: %.*s\n", error,
			    STR_ARGS(str_sub(check.html, check.at, 60)));
		MUST(error == NULL);
		for (size_t i = 0; i < options.hashtags.count; i++)
			MUST(slug_valid(options.hashtags.strings[i]));
		for (size_t i = 0; i < options.mentions.count; i++)
			MUST(username_valid(options.mentions.strings[i]));
		MUST(trust == MARKDOWN_AUTHOR || (check.images == 0 && out.contents_count == 0));
		for (size_t i = 0; i < out.contents_count; i++)
			MUST(str_utf8(out.contents[i].title) && out.contents[i].title.len != 0);
		MUST(str_utf8(markdown_text(arena, fuzz_str(data, size))));
		arena_free(arena);
	}
	return 0;
}

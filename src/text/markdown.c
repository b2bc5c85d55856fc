#include "text/markdown.h"

#include "base/arena.h"
#include "text/escape.h"
#include "text/markdown_private.h"
#include "text/text.h"

/* The source as it was typed: what is between blank lines is a paragraph. */
static void
write_plain(struct buf *out, struct str source)
{
	BUF_PUT(out, "<pre><code>");
	escape_html(out, source);
	BUF_PUT(out, "</code></pre>\n");
}

/* Trusted, as every tag and attribute of it is spelled out in markdown_write.c and all else is escaped. */
static struct html
made(struct str html)
{
	return html_trusted(html);
}

bool
markdown_kept(struct str html, int64_t renderer, struct html *out)
{
	if (renderer != MARKDOWN_RENDERER)
		return false;
	*out = made(html);
	return true;
}

static cmark_node *
parse(struct arena *arena, struct str source)
{
	source = guard_source(arena, source);
	return cmark_parse_document(source.base, source.len, CMARK_OPT_VALIDATE_UTF8);
}

void
markdown_render(struct arena *arena, struct str source, const struct markdown_options *options,
    struct markdown *out)
{
	struct buf html = {.arena = arena};
	struct outline outline = {
	    .arena = arena,
	    .prefix = options->anchor.len != 0 ? options->anchor : STR("h-"),
	    .first_level = options->first_level != 0 ? options->first_level : 2,
	};
	struct writer writer = {.out = &html, .options = options, .outline = &outline};

	*out = (struct markdown){.words = text_words(source),
	    .plain = options->plain || source.len > MARKDOWN_SOURCE_MAX};
	if (out->plain) {
		write_plain(&html, source);
	} else {
		cmark_node *root = parse(arena, source);

		markdown_write(&writer, root);
		cmark_node_free(root);
	}
	out->html = made(buf_str(&html));
	out->contents = outline.contents;
	out->contents_count = outline.count;
}

struct str
markdown_text(struct arena *arena, struct str source)
{
	struct buf text = {.arena = arena};
	cmark_node *root;

	if (source.len > MARKDOWN_SOURCE_MAX)
		return source;
	root = parse(arena, source);
	text_put(&text, root);
	cmark_node_free(root);
	return buf_str(&text);
}

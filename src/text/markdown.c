#include "text/markdown.h"

#include "base/arena.h"
#include "model/kinds.h"
#include "text/escape.h"
#include "text/markdown_private.h"
#include "text/text.h"

/* The source as it was typed: blank lines separate paragraphs. */
static void
write_plain(struct buf *out, struct str source)
{
	BUF_PUT(out, "<pre class=\"typed\"><code>");
	escape_html(out, source);
	BUF_PUT(out, "</code></pre>\n");
}

/* Trusted, because markdown_write.c spells out every tag and attribute and escapes all else. */
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

/* A quotation mark of the text is a reference: so these two are nowhere but in tags. */
struct html
markdown_anchored(struct arena *arena, struct html html, struct str prefix)
{
	static const struct str before[] = {STR_INIT(" id=\""), STR_INIT(" href=\"#")};
	struct buf out = {.arena = arena};
	size_t from = 0;

	for (size_t i = 0; i < html.text.len; i++)
		for (size_t n = 0; html.text.base[i] == ' ' && n < 2; n++) {
			if (!str_starts(str_sub(html.text, i, html.text.len), before[n]))
				continue;
			buf_put(&out, str_sub(html.text, from, i + before[n].len - from));
			buf_put(&out, prefix);
			from = i + before[n].len;
		}
	buf_put(&out, str_sub(html.text, from, html.text.len));
	return made(buf_str(&out));
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
		struct document document;

		document_read(arena, source, options->trust, &document);
		markdown_smart(&document, options->language);
		writer.notes = &document.notes;
		markdown_write(&writer, document.root);
		notes_put_waiting(&writer);
		notes_put_unused(&writer);
		document_free(&document);
	}
	out->html = made(buf_str(&html));
	out->contents = outline.contents;
	out->contents_count = outline.count;
}

struct str
markdown_text(struct arena *arena, struct str source)
{
	struct buf text = {.arena = arena};
	struct document document;

	if (source.len > MARKDOWN_SOURCE_MAX)
		return source;
	document_read(arena, source, MARKDOWN_AUTHOR, &document);
	text_put(&text, document.root);
	for (size_t i = 0; i < document.notes.count; i++) {
		if (text.len != 0)
			buf_putc(&text, ' ');
		text_put(&text, document.notes.all[i]->body);
	}
	document_free(&document);
	return buf_str(&text);
}

/* --- The stored form -------------------------------------------------------------------------- */

/* The table of contents as the list of maps that a Body stores. */
static struct value
contents_value(struct arena *arena, const struct markdown *text)
{
	struct value list = {.kind = VALUE_LIST};

	list.list.values = ARENA_ARRAY(arena, text->contents_count, struct value);
	list.list.count = text->contents_count;
	for (size_t i = 0; i < text->contents_count; i++) {
		struct item entry = {0};

		item_set(arena, &entry, STR("Id"), value_string(text->contents[i].id));
		item_set(arena, &entry, STR("Title"), value_string(text->contents[i].title));
		item_set(arena, &entry, STR("Level"), value_number(text->contents[i].level));
		list.list.values[i] = value_map(entry);
	}
	return list;
}

/* The sum of a measure over a Body's Markdown and its Instructions. */
static int64_t
sum(const struct item *body, int64_t (*measure)(struct str markdown))
{
	const struct value *steps = item_get(body, STR("Instructions"));
	int64_t all = measure(item_string(body, STR("Markdown")));

	if (steps == NULL || steps->kind != VALUE_LIST)
		return all;
	for (size_t i = 0; i < steps->list.count; i++) {
		const struct value *step = &steps->list.values[i];

		if (step->kind == VALUE_MAP)
			all += measure(item_string(&step->map, STR("Markdown")));
	}
	return all;
}

static int64_t
size_of(struct str markdown)
{
	return (int64_t)markdown.len;
}

int64_t
markdown_words(const struct item *body)
{
	return sum(body, text_words);
}

/* The ids of each step of a howto are unique, and its headings are below that of the steps. */
static void
store_steps(struct arena *arena, struct item *body, struct str site, bool plain)
{
	const struct value *steps = item_get(body, STR("Instructions"));
	struct value list = {.kind = VALUE_LIST};

	if (steps == NULL || steps->kind != VALUE_LIST)
		return;
	list.list.values = ARENA_ARRAY(arena, steps->list.count, struct value);
	list.list.count = steps->list.count;
	for (size_t i = 0; i < steps->list.count; i++) {
		struct value *step = &list.list.values[i];
		struct markdown_options options = {
		    .trust = MARKDOWN_AUTHOR,
		    .site = site,
		    .anchor = str_fmt(arena, "h-%zu-", i + 1),
		    .first_level = 3,
		    .language = item_string(body, STR("HTMLLanguage")),
		    .plain = plain,
		};
		struct markdown text;

		*step = steps->list.values[i];
		if (step->kind != VALUE_MAP)
			continue;
		markdown_render(arena, item_string(&step->map, STR("Markdown")), &options, &text);
		step->map = item_shallow(arena, &step->map);
		item_set(arena, &step->map, STR("HTML"), value_string(text.html.text));
	}
	item_set(arena, body, STR("Instructions"), list);
}

bool
markdown_store(struct arena *arena, struct item *item, struct str site)
{
	const struct kind *kind = kind_of(item);
	bool body = kind != NULL && kind->markdown == MARKDOWN_OF_AUTHOR;
	struct markdown_options options = {
	    .trust = body ? MARKDOWN_AUTHOR : MARKDOWN_READER,
	    .site = site,
	    .plain = sum(item, size_of) > MARKDOWN_SOURCE_MAX,
	};
	struct str source = STR("Markdown");
	struct markdown text;

	if (kind == NULL || kind->markdown == MARKDOWN_NONE)
		return false;
	if (kind->markdown == MARKDOWN_IN_DESCRIPTION)
		source = STR("Description");
	if (kind->markdown == MARKDOWN_IN_NOTE)
		source = STR("Note");
	if (kind->markdown == MARKDOWN_IN_NOTE && item_get(item, source) == NULL)
		return false;
	if (body) {
		options.language = item_string(item, STR("HTMLLanguage"));
		options.hashtags.strings =
		    item_strings(arena, item, STR("Hashtags"), &options.hashtags.count);
	}
	options.gallery = body && item_boolean(item, STR("Gallery"));
	options.mentions.strings =
	    item_strings(arena, item, STR("Mentions"), &options.mentions.count);
	markdown_render(arena, item_string(item, source), &options, &text);
	item_set(arena, item, STR("HTML"), value_string(text.html.text));
	item_set(arena, item, STR("Renderer"), value_number(MARKDOWN_RENDERER));
	item_remove(item, STR("Contents"));
	if (body && text.contents_count != 0)
		item_set(arena, item, STR("Contents"), contents_value(arena, &text));
	if (body)
		store_steps(arena, item, site, options.plain);
	return true;
}

/* The first words, for lists. */
static struct str
beginning(struct arena *arena, const struct post_body *body)
{
	enum { WORDS = 30, READ = 2000 };
	struct str text = body->markdown;

	if (text.len == 0 && body->step_count != 0)
		text = body->steps[0].markdown;
	return text_beginning(arena, markdown_text(arena, str_shortened(text, READ)), WORDS);
}

void
markdown_body(struct arena *arena, struct str site, struct post_body *body, struct post *post)
{
	struct item item = {.count = 0};

	post_body_to_item(arena, body, &item);
	item_set(arena, &item, STR("Type"), kind_type(ITEM_BODY));
	markdown_store(arena, &item, site);
	post_body_from_item(arena, &item, body);
	post->words = markdown_words(&item);
	post->beginning = post->excerpt.len == 0 ? beginning(arena, body) : STR("");
}

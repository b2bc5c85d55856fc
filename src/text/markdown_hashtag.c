/* Hashtags: "#tides" in the text of a note is one of its tags, and a link to it. */
#include "base/arena.h"
#include "base/unicode.h"
#include "model/slug.h"
#include "text/escape.h"
#include "text/markdown_private.h"
#include "text/url.h"

enum { FOUND_MAX = 100 };

static bool
is_digit(uint32_t rune)
{
	return rune >= '0' && rune <= '9';
}

/* The end of the hashtag that begins at the "#" there; the same place where there is none. */
static size_t
end_of(struct str text, size_t from)
{
	size_t end = from, next = from + 1;
	bool letters = false;

	while (next < text.len) {
		uint32_t rune = str_rune(text, &next);

		if (rune != '-' && !unicode_is_word(rune))
			break;
		letters = letters || (rune != '-' && !is_digit(rune));
		if (rune != '-')
			end = next;
	}
	return letters ? end : from;
}

/* The first hashtag from *at on: *at is where it begins, *end where it ends. False: there is none. */
static bool
find(struct str text, size_t *at, size_t *end)
{
	uint32_t before = ' ';

	for (size_t i = *at; i < text.len;) {
		size_t here = i;
		uint32_t rune = str_rune(text, &i);

		if (rune == '#' && !unicode_is_word(before) && before != '#' && before != '/' &&
		    before != '&') {
			*at = here;
			*end = end_of(text, here);
			if (*end != here)
				return true;
		}
		before = rune;
	}
	return false;
}

static bool
is_among(const struct str *tags, size_t count, struct str tag)
{
	for (size_t i = 0; i < count; i++)
		if (str_eq(tags[i], tag))
			return true;
	return false;
}

static struct str
slug_behind(struct arena *arena, struct str text, size_t at, size_t end)
{
	return slug_of(arena, str_sub(text, at + 1, end - at - 1), SLUG_MAX, STR(""));
}

void
hashtag_put(struct writer *w, struct str text)
{
	const struct strings_value *tags = &w->options->hashtags;
	size_t from = 0, at = 0, end;

	while (tags->count != 0 && w->link == NULL && find(text, &at, &end)) {
		struct str tag = slug_behind(w->out->arena, text, at, end);

		escape_html(w->out, str_sub(text, from, at - from));
		if (is_among(tags->strings, tags->count, tag)) {
			BUF_PUT(w->out, "<a href=\"");
			escape_html(w->out, url_join(w->out->arena, STR("/tag/"), tag));
			BUF_PUT(w->out, "\">");
		}
		escape_html(w->out, str_sub(text, at, end - at));
		if (is_among(tags->strings, tags->count, tag))
			BUF_PUT(w->out, "</a>");
		from = at = end;
	}
	escape_html(w->out, str_sub(text, from, text.len));
}

/* Is it inside of a link or a picture? */
static bool
is_linked(cmark_node *node)
{
	for (; node != NULL; node = cmark_node_parent(node))
		if (cmark_node_get_type(node) == CMARK_NODE_LINK ||
		    cmark_node_get_type(node) == CMARK_NODE_IMAGE)
			return true;
	return false;
}

struct strings_value
markdown_hashtags(struct arena *arena, struct str source)
{
	struct str *found = ARENA_ARRAY(arena, FOUND_MAX, struct str), guarded;
	size_t count = 0;
	cmark_event_type event;
	cmark_node *root;
	cmark_iter *iter;

	if (source.len > MARKDOWN_SOURCE_MAX)
		return (struct strings_value){NULL, 0};
	guarded = guard_source(arena, source);
	root = cmark_parse_document(guarded.base, guarded.len, CMARK_OPT_VALIDATE_UTF8);
	iter = cmark_iter_new(root);
	while ((event = cmark_iter_next(iter)) != CMARK_EVENT_DONE) {
		cmark_node *node = cmark_iter_get_node(iter);
		size_t at = 0, end;
		struct str text;

		if (cmark_node_get_type(node) != CMARK_NODE_TEXT || is_linked(node))
			continue;
		text = guard_undo(arena, str_of(cmark_node_get_literal(node)), STR("|"));
		for (; count < FOUND_MAX && find(text, &at, &end); at = end) {
			struct str tag = slug_behind(arena, text, at, end);

			if (tag.len != 0 && !is_among(found, count, tag))
				found[count++] = tag;
		}
	}
	cmark_iter_free(iter);
	cmark_node_free(root);
	return (struct strings_value){found, count};
}

void
markdown_tag_note(struct arena *arena, const struct post *post, struct post_body *body)
{
	struct strings_value found;
	struct str *kept;
	size_t count = 0;

	body->hashtags = (struct strings_value){NULL, 0};
	if (post->kind != KIND_NOTE)
		return;
	found = markdown_hashtags(arena, body->markdown);
	kept = ARENA_ARRAY(arena, found.count + 1, struct str);
	for (size_t i = 0; i < found.count; i++)
		if (is_among(post->tags.strings, post->tags.count, found.strings[i]))
			kept[count++] = found.strings[i];
	body->hashtags = (struct strings_value){kept, count};
}

/*
 * Names in a text: "#tides" in a note is one of its tags, "@noor" in a note or a comment a person. Each is a link where the
 * text's item says so, and no page looks anything up for it.
 */
#include "base/arena.h"
#include "base/unicode.h"
#include "model/people/user.h"
#include "model/slug.h"
#include "text/escape.h"
#include "text/markdown_private.h"
#include "text/url.h"

enum { FOUND_MAX = 100, USERNAME_MIN = 3, USERNAME_MAX = 30 };

enum mark { MARK_TAG, MARK_PERSON, MARKS };

/* Where a name begins, with its mark, and where it ends. */
struct found {
	enum mark mark;
	size_t at, end;
};

static bool
is_digit(uint32_t rune)
{
	return rune >= '0' && rune <= '9';
}

/* The end of the hashtag that begins at the "#" there; the same place where there is none. */
static size_t
end_of_tag(struct str text, size_t from)
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

static bool
is_of_username(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

/* Does a name go on there, as of no person here: "@noor@example.org", "@noor.example.org"? */
static bool
goes_on(struct str text, size_t at)
{
	uint32_t rune = at < text.len ? str_rune(text, &at) : ' ';

	if (rune == '.' && at < text.len)
		rune = str_rune(text, &at);
	return rune == '@' || unicode_is_word(rune);
}

/* The same of the username behind an "@". */
static size_t
end_of_person(struct str text, size_t from)
{
	size_t end = from + 1, len;

	while (end < text.len && is_of_username(text.base[end]))
		end++;
	len = end - from - 1;
	return len < USERNAME_MIN || len > USERNAME_MAX || goes_on(text, end) ? from : end;
}

/* May a name begin behind this? Not in words, addresses of pages and of mail, references. */
static bool
may_begin(enum mark mark, uint32_t before)
{
	static const char *const never[MARKS] = {[MARK_TAG] = "#/&", [MARK_PERSON] = "@/&.+-_"};

	if (unicode_is_word(before))
		return false;
	for (const char *c = never[mark]; *c != '\0'; c++)
		if (before == (unsigned char)*c)
			return false;
	return true;
}

/* The first name from there on. False: there is none. */
static bool
find(struct str text, size_t from, struct found *out)
{
	static size_t (*const end_of[MARKS])(struct str text, size_t from) = {
	    [MARK_TAG] = end_of_tag, [MARK_PERSON] = end_of_person};
	/* Behind a name its last letter is before what follows. */
	uint32_t before = from != 0 ? 'a' : ' ';

	for (size_t i = from; i < text.len;) {
		size_t here = i;
		uint32_t rune = str_rune(text, &i);
		enum mark mark = rune == '@' ? MARK_PERSON : MARK_TAG;

		if ((rune == '#' || rune == '@') && may_begin(mark, before)) {
			*out = (struct found){mark, here, end_of[mark](text, here)};
			if (out->end != here)
				return true;
		}
		before = rune;
	}
	return false;
}

static bool
is_among(const struct str *names, size_t count, struct str name)
{
	for (size_t i = 0; i < count; i++)
		if (str_eq(names[i], name))
			return true;
	return false;
}

/* What is named: a tag's slug, or a username. Empty: nothing. */
static struct str
name_of(struct arena *arena, struct str text, const struct found *found)
{
	struct str typed = str_sub(text, found->at + 1, found->end - found->at - 1);
	char *small;

	if (found->mark == MARK_TAG)
		return slug_of(arena, typed, SLUG_MAX, STR(""));
	small = str_cstring(arena, typed);
	for (size_t i = 0; i < typed.len; i++)
		if (small[i] >= 'A' && small[i] <= 'Z')
			small[i] = (char)(small[i] - 'A' + 'a');
	return (struct str){small, typed.len};
}

/* The names that are links, and to which address. */
static const struct strings_value *
links_of(const struct markdown_options *options, enum mark mark)
{
	return mark == MARK_TAG ? &options->hashtags : &options->mentions;
}

void
names_put(struct writer *w, struct str text)
{
	static const struct str pages[MARKS] = {
	    [MARK_TAG] = STR_INIT("/tag/"), [MARK_PERSON] = STR_INIT("/author/")};
	bool any = w->options->hashtags.count != 0 || w->options->mentions.count != 0;
	struct found found;
	size_t from = 0;

	for (; any && w->link == NULL && find(text, from, &found); from = found.end) {
		const struct strings_value *links = links_of(w->options, found.mark);
		struct str name = name_of(w->out->arena, text, &found);
		bool linked = is_among(links->strings, links->count, name);

		escape_html(w->out, str_sub(text, from, found.at - from));
		if (linked) {
			BUF_PUT(w->out, "<a href=\"");
			escape_html(w->out, url_join(w->out->arena, pages[found.mark], name));
			BUF_PUT(w->out, "\">");
		}
		escape_html(w->out, str_sub(text, found.at, found.end - found.at));
		if (linked)
			BUF_PUT(w->out, "</a>");
	}
	escape_html(w->out, str_sub(text, from, text.len));
}

/* Adds the names with this mark of a text without markup, each once; *count is how many there are. */
static void
add_names(struct arena *arena, struct str text, enum mark mark, struct str *names, size_t *count)
{
	struct found found;

	for (size_t from = 0; *count < FOUND_MAX && find(text, from, &found); from = found.end) {
		struct str name;

		if (found.mark != mark)
			continue;
		name = name_of(arena, text, &found);
		if (name.len != 0 && !is_among(names, *count, name))
			names[(*count)++] = name;
	}
}

static struct strings_value
names_of(struct arena *arena, struct str source, enum mark mark)
{
	struct str *names = ARENA_ARRAY(arena, FOUND_MAX, struct str);
	size_t count = 0, links = 0; /* links and pictures that are open */
	cmark_event_type event;
	struct document document;
	cmark_iter *iter;

	if (source.len > MARKDOWN_SOURCE_MAX)
		return (struct strings_value){NULL, 0};
	/* A note's names stand where a reader's would: in the text. */
	document_read(arena, source, MARKDOWN_READER, &document);
	iter = cmark_iter_new(document.root);
	while ((event = cmark_iter_next(iter)) != CMARK_EVENT_DONE) {
		cmark_node *node = cmark_iter_get_node(iter);
		cmark_node_type type = cmark_node_get_type(node);

		if (type == CMARK_NODE_LINK || type == CMARK_NODE_IMAGE)
			links += event == CMARK_EVENT_ENTER ? 1 : (size_t)-1;
		if (type == CMARK_NODE_TEXT && links == 0)
			add_names(arena,
			    guard_undo(arena, str_of(cmark_node_get_literal(node)), STR("|")), mark,
			    names, &count);
	}
	cmark_iter_free(iter);
	document_free(&document);
	return (struct strings_value){names, count};
}

struct strings_value
markdown_hashtags(struct arena *arena, struct str source)
{
	return names_of(arena, source, MARK_TAG);
}

struct strings_value
markdown_mentions(struct arena *arena, struct str source)
{
	return names_of(arena, source, MARK_PERSON);
}

/* Those of some names that are among others. */
static struct strings_value
common(struct arena *arena, struct strings_value names, struct strings_value others)
{
	struct str *kept = ARENA_ARRAY(arena, names.count + 1, struct str);
	size_t count = 0;

	for (size_t i = 0; i < names.count; i++)
		if (is_among(others.strings, others.count, names.strings[i]))
			kept[count++] = names.strings[i];
	return (struct strings_value){kept, count};
}

/* Might it have several pictures? */
static bool
has_pictures(struct str markdown)
{
	size_t count = 0;

	for (size_t i = 0; count < 2 && i + 1 < markdown.len; i++)
		count += markdown.base[i] == '!' && markdown.base[i + 1] == '[';
	return count == 2;
}

void
markdown_prepare(struct arena *arena, const struct post *post, struct str site_language,
    struct strings_value people, struct post_body *body)
{
	body->language = post->language.len != 0 ? post->language : site_language;
	body->hashtags = body->mentions = (struct strings_value){NULL, 0};
	body->gallery = post->kind == KIND_NOTE && has_pictures(body->markdown);
	if (post->kind != KIND_NOTE)
		return;
	body->hashtags = common(arena, markdown_hashtags(arena, body->markdown), post->tags);
	body->mentions = common(arena, markdown_mentions(arena, body->markdown), people);
}

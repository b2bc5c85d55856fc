/*
 * What people expect of Markdown and CommonMark does not have, as nodes of cmark's tree: texts are taken apart, and what is
 * found in them stands between the parts, a custom node of which `extension_of()` says what it is.
 *
 *	~~gone~~			what is no longer true
 *	https://example.org/a		an address becomes a link
 *	- [ ] open, - [x] done		items of a list of tasks
 *	Term ⏎ : what it means		a list of definitions
 *	[^1] and [^1]: text		a note: markdown_notes.c
 *	> [!pull] text			a pull quote; and the five kinds of remarks that GitHub has
 *
 * Every text is read once, and every node moved once at most. Only so deep as elements have marks at all (DEPTH_MAX), as cmark
 * climbs to the root for each node that is moved: else that would be the square of the depth.
 */
#include "base/arena.h"
#include "base/unicode.h"
#include "text/markdown_private.h"

#include <string.h>

/* What a custom node is, or one of cmark's beside its type. */
struct extension {
	enum extension_kind kind;
	struct note *note;
};

/* A text that is taken apart. */
struct parts {
	struct document *x;
	cmark_node *at;     /* the node of the text: what was found stands before it */
	cmark_node *opener; /* the last "~~" that something can be between; its siblings are read */
	struct str text;
	size_t from; /* what is before that has nodes of its own */
	bool linked; /* it is in a link or a picture */
};

static void
mark_as(struct document *x, cmark_node *node, enum extension_kind kind, struct note *note)
{
	struct extension *extension = ARENA_NEW(x->arena, struct extension);

	*extension = (struct extension){kind, note};
	cmark_node_set_user_data(node, extension);
}

static cmark_node *
node_of(struct document *x, cmark_node_type type, enum extension_kind kind)
{
	cmark_node *node = cmark_node_new(type);

	mark_as(x, node, kind, NULL);
	return node;
}

enum extension_kind
extension_of(cmark_node *node)
{
	const struct extension *extension = cmark_node_get_user_data(node);

	return extension != NULL ? extension->kind : EXTENSION_NONE;
}

struct note *
extension_note(cmark_node *node)
{
	const struct extension *extension = cmark_node_get_user_data(node);

	return extension->note;
}

static bool
is_break(cmark_node *node)
{
	return cmark_node_get_type(node) == CMARK_NODE_SOFTBREAK ||
	       cmark_node_get_type(node) == CMARK_NODE_LINEBREAK;
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

static cmark_node *
text_node(struct document *x, struct str text)
{
	cmark_node *node = cmark_node_new(CMARK_NODE_TEXT);

	cmark_node_set_literal(node, str_cstring(x->arena, text));
	return node;
}

/* What is before `end` and has no node yet gets one. */
static void
flush(struct parts *p, size_t end)
{
	if (end > p->from)
		cmark_node_insert_before(
		    p->at, text_node(p->x, str_sub(p->text, p->from, end - p->from)));
	p->from = end;
}

/* --- What is no longer true --- */

/* The siblings from behind `opener` to before p->at become what is deleted. */
static void
close_deleted(struct parts *p)
{
	cmark_node *deleted = node_of(p->x, CMARK_NODE_CUSTOM_INLINE, EXTENSION_DELETED);
	cmark_node *node = cmark_node_next(p->opener), *next;

	cmark_node_insert_before(p->opener, deleted);
	cmark_node_free(p->opener);
	p->opener = NULL;
	for (; node != p->at; node = next) {
		next = cmark_node_next(node);
		cmark_node_append_child(deleted, node);
	}
}

/* Two tildes, no more and no less; what they are around begins and ends with no blank. Returns how many there are. */
static size_t
tildes(struct parts *p, size_t at)
{
	cmark_node *before = cmark_node_previous(p->at), *after = cmark_node_next(p->at);
	size_t count = 1, end;
	bool opens, closes;

	while (at + count < p->text.len && p->text.base[at + count] == '~')
		count++;
	end = at + count;
	opens =
	    end < p->text.len ? !is_blank(p->text.base[end]) : after != NULL && !is_break(after);
	closes = at != 0 ? !is_blank(p->text.base[at - 1]) : before != NULL && !is_break(before);
	if (count != 2 || (!opens && !closes))
		return count;
	flush(p, at);
	if (closes && p->opener != NULL && cmark_node_next(p->opener) != p->at) {
		p->from = end;
		close_deleted(p);
	} else if (opens) {
		flush(p, end);
		p->opener = cmark_node_previous(p->at);
	}
	return count;
}

/* --- Bare addresses --- */

/* May an address begin behind this? Not inside of a word, a path, an address. */
static bool
may_begin(struct str text, size_t at)
{
	size_t before = at;

	if (at == 0)
		return true;
	while (
	    before != 0 && at - before < 4 && ((unsigned char)text.base[--before] & 0xc0) == 0x80)
		continue;
	return !unicode_is_word(str_rune(text, &before)) &&
	       memchr("/@.-+&=#:", text.base[at - 1], 9) == NULL;
}

/* The host that begins there has a dot inside, letters and digits around it, and no underscore. */
static bool
is_host(struct str text, size_t at)
{
	size_t label = 0, dots = 0;

	for (; at < text.len; label++) {
		size_t next = at;
		uint32_t rune = str_rune(text, &next);

		if (rune == '.' && label != 0 && next < text.len && text.base[next] != '.') {
			dots++;
			label = (size_t)-1;
		} else if (rune != '-' && !unicode_is_word(rune)) {
			break;
		}
		at = next;
	}
	return dots != 0 && label != 0;
}

/* Where the address that begins there ends: signs that end a sentence, and brackets that it did not open, are none of it. */
static size_t
end_of_address(struct str text, size_t at)
{
	static const char never[] = "<>\"`|\\^{}";
	size_t end = at, open = 0, closed = 0;

	while (end < text.len) {
		size_t next = end;
		uint32_t rune = str_rune(text, &next);

		if (rune >= 0x80 ? !unicode_is_word(rune)
				 : rune <= ' ' || strchr(never, (int)rune) != NULL)
			break;
		open += rune == '(' || rune == '[';
		closed += rune == ')' || rune == ']';
		end = next;
	}
	for (; end > at; end--) {
		char c = text.base[end - 1];

		if (c == ')' || c == ']') {
			if (closed-- <= open)
				break;
		} else if (strchr("?!.,:;*_~'", c) == NULL) {
			break;
		}
	}
	return end;
}

/* The length of a bare address there, which becomes a link; 0: there is none. */
static size_t
address(struct parts *p, size_t at)
{
	static const struct str begin[] = {
	    STR_INIT("https://"), STR_INIT("http://"), STR_INIT("www.")};
	struct str rest = str_sub(p->text, at, p->text.len), url;
	cmark_node *link;
	size_t i = 0, len;

	while (i < 3 && !str_eq_nocase(str_sub(rest, 0, begin[i].len), begin[i]))
		i++;
	if (i == 3 || !may_begin(p->text, at) || !is_host(rest, i < 2 ? begin[i].len : 0))
		return 0;
	len = end_of_address(p->text, at) - at;
	if (len <= begin[i].len)
		return 0;
	flush(p, at);
	url = str_sub(p->text, at, len);
	link = node_of(p->x, CMARK_NODE_LINK, EXTENSION_ADDRESS);
	cmark_node_append_child(link, text_node(p->x, url));
	if (i == 2)
		url = STR_CONCAT(p->x->arena, STR("https://"), url);
	cmark_node_set_url(link, str_cstring(p->x->arena, url));
	cmark_node_insert_before(p->at, link);
	p->from = at + len;
	return len;
}

/* --- Texts --- */

/* The length of a reference to a note there; 0: there is none. */
static size_t
reference(struct parts *p, size_t at)
{
	struct note *note;
	cmark_node *node;
	size_t len;

	note = notes_find(&p->x->notes, p->text, at, &len);
	if (note == NULL)
		return 0;
	flush(p, at);
	node = cmark_node_new(CMARK_NODE_CUSTOM_INLINE);
	mark_as(p->x, node, EXTENSION_REFERENCE, note);
	cmark_node_insert_before(p->at, node);
	p->from = at + len;
	return len;
}

/* The length of what is found there, of which the text was taken apart, or of what need not be looked at again. */
static size_t
part(struct parts *p, size_t at)
{
	size_t len = 0;

	switch (p->text.base[at]) {
	case '~': len = tildes(p, at); break;
	case '[': len = p->linked ? 0 : reference(p, at); break;
	case 'h':
	case 'H':
	case 'w':
	case 'W': len = p->linked ? 0 : address(p, at); break;
	default: break;
	}
	return len != 0 ? len : 1;
}

/* The text goes, and its parts are there. */
static void
take_apart(struct parts *p)
{
	p->text = str_dup(p->x->arena, str_of(cmark_node_get_literal(p->at)));
	p->from = 0;
	for (size_t i = 0; i < p->text.len;)
		i += part(p, i);
	if (p->from == 0)
		return;
	flush(p, p->text.len);
	cmark_node_free(p->at);
}

static void
extend_inlines(struct document *x, cmark_node *parent, size_t depth, bool linked)
{
	struct parts p = {.x = x, .linked = linked};
	cmark_node *node = cmark_node_first_child(parent), *next;

	for (; node != NULL; node = next) {
		cmark_node_type type = cmark_node_get_type(node);

		next = cmark_node_next(node);
		if (type == CMARK_NODE_TEXT) {
			p.at = node;
			take_apart(&p);
		} else if (depth < DEPTH_MAX) {
			extend_inlines(x, node, depth + 1,
			    linked || type == CMARK_NODE_LINK || type == CMARK_NODE_IMAGE);
		}
	}
}

/* --- Blocks --- */

/* The text that the node begins with, without its first `len` bytes. */
static void
cut_text(struct document *x, cmark_node *text, size_t len)
{
	struct str rest = str_of(cmark_node_get_literal(text));

	cmark_node_set_literal(text, str_cstring(x->arena, str_sub(rest, len, rest.len)));
}

/* The text that a block begins with, or an empty one. */
static struct str
beginning(cmark_node *block, cmark_node **text)
{
	*text = block != NULL ? cmark_node_first_child(block) : NULL;
	return *text != NULL && cmark_node_get_type(*text) == CMARK_NODE_TEXT
		   ? str_of(cmark_node_get_literal(*text))
		   : STR("");
}

/* "[ ] " and "[x] " begin a task. */
static void
extend_item(struct document *x, cmark_node *item)
{
	cmark_node *paragraph = cmark_node_first_child(item), *text;
	struct str says = beginning(paragraph, &text);
	bool done;

	if (cmark_node_get_type(paragraph) != CMARK_NODE_PARAGRAPH || says.len < 4 ||
	    says.base[0] != '[' || says.base[2] != ']' || says.base[3] != ' ')
		return;
	done = says.base[1] == 'x' || says.base[1] == 'X';
	if (!done && says.base[1] != ' ')
		return;
	mark_as(x, item, done ? EXTENSION_DONE : EXTENSION_TASK, NULL);
	cut_text(x, text, 4);
}

/* "[!pull]" and the like, in the first line of a quote; what is quoted stands on the same line or on the next. */
static void
extend_quote(struct document *x, cmark_node *quote)
{
	static const struct {
		struct str mark;
		enum extension_kind kind;
	} marks[] = {
	    {STR_INIT("[!pull]"), EXTENSION_PULL},
	    {STR_INIT("[!note]"), EXTENSION_NOTE},
	    {STR_INIT("[!tip]"), EXTENSION_TIP},
	    {STR_INIT("[!important]"), EXTENSION_IMPORTANT},
	    {STR_INIT("[!warning]"), EXTENSION_WARNING},
	    {STR_INIT("[!caution]"), EXTENSION_CAUTION},
	};
	cmark_node *paragraph = cmark_node_first_child(quote), *text, *next;
	struct str says = beginning(paragraph, &text);

	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		struct str mark = marks[i].mark;

		if (!str_eq_nocase(str_sub(says, 0, mark.len), mark))
			continue;
		mark_as(x, quote, marks[i].kind, NULL);
		while (mark.len < says.len && is_blank(says.base[mark.len]))
			mark.len++;
		cut_text(x, text, mark.len);
		next = cmark_node_next(text);
		if (mark.len == says.len && next != NULL && is_break(next))
			cmark_node_free(next);
		if (mark.len == says.len && cmark_node_next(text) == NULL)
			cmark_node_free(paragraph);
		return;
	}
}

/* Does a line that says what a term means begin behind the break? */
static bool
is_meaning(cmark_node *line_break)
{
	cmark_node *text = cmark_node_next(line_break);
	struct str says;

	if (!is_break(line_break) || text == NULL || cmark_node_get_type(text) != CMARK_NODE_TEXT)
		return false;
	says = str_of(cmark_node_get_literal(text));
	return says.len > 2 && says.base[0] == ':' && is_blank(says.base[1]);
}

static bool
has_meaning(cmark_node *paragraph)
{
	cmark_node *node = cmark_node_first_child(paragraph);

	while (node != NULL && !is_meaning(node))
		node = cmark_node_next(node);
	return node != NULL;
}

/*
 * Terms, each on a line, and behind them lines that begin with a colon; what goes on below belongs to the line above. Lists
 * with nothing but blank lines between them are one. Returns the list, in place of the paragraph.
 */
static cmark_node *
extend_definitions(struct document *x, cmark_node *paragraph)
{
	cmark_node *list = cmark_node_previous(paragraph), *node, *next, *entry;
	bool terms = true;

	if (list == NULL || extension_of(list) != EXTENSION_DEFINITIONS) {
		list = node_of(x, CMARK_NODE_CUSTOM_BLOCK, EXTENSION_DEFINITIONS);
		cmark_node_insert_before(paragraph, list);
	}
	entry = node_of(x, CMARK_NODE_CUSTOM_BLOCK, EXTENSION_TERM);
	cmark_node_append_child(list, entry);
	for (node = cmark_node_first_child(paragraph); node != NULL; node = next) {
		bool meaning = is_meaning(node);

		next = cmark_node_next(node);
		if (meaning || (terms && is_break(node))) {
			terms = !meaning;
			entry = node_of(x, CMARK_NODE_CUSTOM_BLOCK,
			    meaning ? EXTENSION_MEANING : EXTENSION_TERM);
			cmark_node_append_child(list, entry);
			if (meaning)
				cut_text(x, next, 2);
		} else {
			cmark_node_append_child(entry, node);
		}
	}
	cmark_node_free(paragraph);
	return list;
}

/* An address that stands by itself between blank lines becomes a card. */
static void
extend_paragraph(struct document *x, cmark_node *paragraph)
{
	cmark_node *only = cmark_node_first_child(paragraph);

	if (x->author && only != NULL && cmark_node_next(only) == NULL &&
	    extension_of(only) == EXTENSION_ADDRESS &&
	    cmark_node_get_type(cmark_node_parent(paragraph)) == CMARK_NODE_DOCUMENT)
		mark_as(x, paragraph, EXTENSION_CARD, NULL);
}

static void
extend_block(struct document *x, cmark_iter *iter, cmark_node *node)
{
	switch (cmark_node_get_type(node)) {
	case CMARK_NODE_ITEM: extend_item(x, node); break;
	case CMARK_NODE_BLOCK_QUOTE:
		if (x->author)
			extend_quote(x, node);
		cmark_iter_reset(iter, node, CMARK_EVENT_ENTER);
		break;
	case CMARK_NODE_HEADING:
	case CMARK_NODE_PARAGRAPH:
		extend_inlines(x, node, 0, false);
		if (cmark_node_get_type(node) == CMARK_NODE_PARAGRAPH) {
			extend_paragraph(x, node);
			if (has_meaning(node))
				node = extend_definitions(x, node);
		}
		cmark_iter_reset(iter, node, CMARK_EVENT_EXIT);
		break;
	default: break;
	}
}

static void
extend(struct document *x)
{
	cmark_iter *iter = cmark_iter_new(x->root);

	while (cmark_iter_next(iter) != CMARK_EVENT_DONE)
		if (cmark_iter_get_event_type(iter) == CMARK_EVENT_ENTER)
			extend_block(x, iter, cmark_iter_get_node(iter));
	cmark_iter_free(iter);
	for (size_t i = 0; i < x->notes.count; i++)
		extend_inlines(x, x->notes.all[i]->body, 0, false);
}

void
document_read(
    struct arena *arena, struct str source, enum markdown_trust trust, struct document *out)
{
	*out = (struct document){
	    .arena = arena, .notes = {.arena = arena}, .author = trust == MARKDOWN_AUTHOR};
	source = guard_source(arena, source);
	out->root = cmark_parse_document(source.base, source.len, CMARK_OPT_VALIDATE_UTF8);
	if (out->author)
		notes_take(&out->notes, out->root);
	extend(out);
}

void
document_free(struct document *document)
{
	notes_free(&document->notes);
	cmark_node_free(document->root);
}

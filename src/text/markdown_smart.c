/*
 * Signs as a printer sets them: quotation marks of the text's language, apostrophes, dashes and ellipses for what a keyboard has.
 * Not in code, addresses and raw HTML; not what has a backslash before it; and not in a language that is not in the table below.
 *
 *	"…" and '…'	the language's marks; in French with the narrow spaces that belong to them
 *	it's, '90s	an apostrophe: where a single mark is not one of a pair
 *	-- and ---	a dash of one and of two lengths, but not in "--help" and "-->"
 *	...		an ellipsis
 *
 * A paragraph is read as one text, whatever emphasis and links are in it: what is between two of its texts, such as code, is a
 * letter. Each of its characters is looked at twice: to find the pairs of single marks, and to write the text.
 */
#include "base/arena.h"
#include "base/unicode.h"
#include "text/markdown_private.h"

#include <string.h>

#define NARROW "\u202f"
#define LETTER "\ufffc" /* what stands for a thing that is no text */

struct marks {
	const char *languages; /* tags, or their first parts, between blanks */
	const char *open, *close, *inner_open, *inner_close;
};

static const struct marks all_marks[] = {
    {" en nl pt tr zh ko vi id ms hi bn ta th sw cy ga gd eo af tl mt ", "“", "”", "‘", "’"},
    {" de-ch de-li fr-ch it-ch ", "«", "»", "‹", "›"},
    {" de cs sk sl is lt et lb hsb bg ", "„", "“", "‚", "‘"},
    {" fr br ", "«" NARROW, NARROW "»", "“", "”"},
    {" es it ca gl eu pt-pt el hy ", "«", "»", "“", "”"},
    {" nb nn no lv ", "«", "»", "‘", "’"},
    {" ru uk be kk ", "«", "»", "„", "“"},
    {" pl ro ", "„", "”", "«", "»"},
    {" hu ", "„", "”", "»", "«"},
    {" hr bs sr ", "„", "”", "‚", "’"},
    {" sv fi ", "”", "”", "’", "’"},
    {" da ", "»", "«", "›", "‹"},
    {" fa ar ", "«", "»", "‹", "›"},
};

/* A text of a block, and where it is in the whole. */
struct piece {
	cmark_node *node;
	size_t end;
};

struct smart {
	struct arena *arena;
	const struct marks *marks;
	bool french;
	struct buf whole; /* the texts of a block */
	struct piece *pieces;
	size_t count, capacity;
	char *paired;   /* of each byte: '<' and '>' for the single marks of a pair */
	size_t *opened; /* single marks that none has closed */
	int quoted;     /* double marks that none has closed */
};

static bool
is_in(const char *list, struct str word)
{
	struct str rest = str_of(list);

	while (rest.len != 0 && word.len != 0)
		if (str_eq_nocase(str_cut(rest, ' ', &rest), word))
			return true;
	return false;
}

/* The marks of the language; NULL: it keeps what was typed. */
static const struct marks *
marks_of(struct str language)
{
	struct str rest, first = str_cut(language, '-', &rest);

	for (int whole = 1; whole >= 0; whole--)
		for (size_t i = 0; i < sizeof(all_marks) / sizeof(all_marks[0]); i++)
			if (is_in(all_marks[i].languages, whole ? language : first))
				return &all_marks[i];
	return NULL;
}

/* --- What is before and behind a sign --- */

static uint32_t
rune_before(struct str text, size_t at)
{
	size_t from = at;

	if (at == 0)
		return ' ';
	while (from != 0 && at - from < 4 && ((unsigned char)text.base[--from] & 0xc0) == 0x80)
		continue;
	return str_rune(text, &from);
}

static uint32_t
rune_at(struct str text, size_t at)
{
	return at < text.len ? str_rune(text, &at) : ' ';
}

/* A pipe may be the edge of a cell. */
static bool
is_blank(uint32_t rune)
{
	return rune <= ' ' || rune == '|' || rune == 0xa0 || (rune >= 0x2000 && rune <= 0x200b) ||
	       rune == 0x202f || rune == 0x3000;
}

static bool
is_word(uint32_t rune)
{
	return rune == 0xfffc || unicode_is_word(rune);
}

static bool
is_digit(uint32_t rune)
{
	return rune >= '0' && rune <= '9';
}

/* May a quotation begin behind it: a blank, a bracket, a dash, another mark that opens? */
static bool
opens_behind(uint32_t rune)
{
	static const uint32_t signs[] = {'(', '[', '{', '/', '-', '"', '\'', '=', 0x2013, 0x2014,
	    0x201c, 0x2018, 0x201e, 0x201a, 0xab, 0x2039, 0xbf, 0xa1};

	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
		if (rune == signs[i])
			return true;
	return is_blank(rune);
}

static bool
may_open(struct str text, size_t at)
{
	return opens_behind(rune_before(text, at)) && !is_blank(rune_at(text, at + 1));
}

static bool
may_close(struct str text, size_t at)
{
	return !is_blank(rune_before(text, at)) && !is_word(rune_at(text, at + 1));
}

/* Had it a backslash before it? Then the guard's mark is behind it. */
static bool
is_escaped(struct str text, size_t at)
{
	return str_starts(str_sub(text, at + 1, sizeof(GUARD_STOP)), STR(GUARD_STOP));
}

/* --- Reading a block --- */

static void
add_piece(struct smart *s, cmark_node *node)
{
	if (s->count == s->capacity) {
		size_t capacity = s->capacity != 0 ? s->capacity * 2 : 32;

		s->pieces = arena_grow(s->arena, s->pieces, s->capacity * sizeof(*s->pieces),
		    capacity * sizeof(*s->pieces));
		s->capacity = capacity;
	}
	buf_put(&s->whole, str_of(cmark_node_get_literal(node)));
	s->pieces[s->count++] = (struct piece){node, s->whole.len};
}

/* Is the text of the link where it leads? Then it is an address. */
static bool
is_address(cmark_node *link)
{
	cmark_node *text = cmark_node_first_child(link);

	return text != NULL && cmark_node_next(text) == NULL &&
	       cmark_node_get_type(text) == CMARK_NODE_TEXT &&
	       str_ends(str_of(cmark_node_get_url(link)), str_of(cmark_node_get_literal(text)));
}

/* Single marks that are a pair: each that closes belongs to the last that opened. */
static void
find_pairs(struct smart *s)
{
	struct str text = buf_str(&s->whole);
	size_t open = 0;

	s->paired = ARENA_ARRAY(s->arena, text.len + 1, char);
	s->opened = ARENA_ARRAY(s->arena, text.len + 1, size_t);
	for (size_t i = 0; i < text.len; i++) {
		if (text.base[i] != '\'' || is_escaped(text, i))
			continue;
		if (open != 0 && may_close(text, i)) {
			s->paired[i] = '>';
			s->paired[s->opened[--open]] = '<';
		} else if (may_open(text, i)) {
			s->opened[open++] = i;
		}
	}
}

/* --- Writing it --- */

static size_t
run_of(struct str text, size_t at, size_t end)
{
	size_t count = 0;

	while (at + count < end && text.base[at + count] == text.base[at])
		count++;
	return count;
}

static void
put_double(struct smart *s, struct buf *out, struct str text, size_t at)
{
	if (may_open(text, at)) {
		s->quoted++;
		buf_put(out, str_of(s->marks->open));
	} else if (s->quoted == 0 && is_digit(rune_before(text, at))) {
		buf_putc(out, '"'); /* inches, seconds */
	} else {
		s->quoted -= s->quoted != 0;
		buf_put(out, str_of(s->marks->close));
	}
}

static void
put_single(struct smart *s, struct buf *out, struct str text, size_t at)
{
	bool feet = is_digit(rune_before(text, at)) && !is_word(rune_at(text, at + 1));

	if (s->paired[at] != 0)
		buf_put(out,
		    str_of(s->paired[at] == '<' ? s->marks->inner_open : s->marks->inner_close));
	else
		buf_put(out, feet ? STR("'") : STR("’"));
}

static void
put_dashes(struct buf *out, struct str text, size_t at, size_t count)
{
	uint32_t before = rune_before(text, at), next = rune_at(text, at + count);
	bool option = (is_blank(before) && is_word(next)) || before == '<' || next == '>';

	if (count == 2 && !option)
		BUF_PUT(out, "–");
	else if (count == 3 && !option)
		BUF_PUT(out, "—");
	else
		buf_put(out, str_sub(text, at, count));
}

/* The blank before some signs is narrow in French, and no line ends there. */
static void
put_blank(struct smart *s, struct buf *out, struct str text, size_t at)
{
	uint32_t next = rune_at(text, at + 1);
	bool sign = next == ';' || next == '!' || next == '?' || next == 0xbb;

	if (s->french && (sign || rune_before(text, at) == 0xab))
		BUF_PUT(out, NARROW);
	else if (s->french && next == ':' && is_blank(rune_at(text, at + 2)))
		BUF_PUT(out, "\u00a0");
	else
		buf_putc(out, ' ');
}

/* The lines of a table that say how its columns are aligned stay as they are: there this is how long they are; else 0. */
static size_t
delimiters(struct str text, size_t at, size_t end)
{
	size_t len = 0;
	bool pipe = false;

	if (at != 0 && text.base[at - 1] != '\n')
		return 0;
	while (at + len < end && memchr("-:| \t", text.base[at + len], 5) != NULL)
		pipe = text.base[at + len++] == '|' || pipe;
	return pipe && (at + len == text.len || text.base[at + len] == '\n') ? len : 0;
}

/* Writes what is at the place; how many bytes of the text that was. */
static size_t
put_sign(struct smart *s, struct buf *out, struct str text, size_t at, size_t end)
{
	char c = text.base[at];
	size_t count = 1;

	if (is_escaped(text, at)) {
		buf_putc(out, c);
		return 1;
	}
	switch (c) {
	case '"': put_double(s, out, text, at); break;
	case '\'': put_single(s, out, text, at); break;
	case ' ': put_blank(s, out, text, at); break;
	case '-':
		count = run_of(text, at, end);
		put_dashes(out, text, at, count);
		break;
	case '.':
		count = run_of(text, at, end);
		buf_put(out, count == 3 ? STR("…") : str_sub(text, at, count));
		break;
	default: buf_putc(out, c); break;
	}
	return count;
}

static void
write_block(struct smart *s)
{
	struct str text = buf_str(&s->whole);

	find_pairs(s);
	s->quoted = 0;
	for (size_t i = 0; i < s->count; i++) {
		struct buf out = {.arena = s->arena};
		cmark_node *node = s->pieces[i].node;
		size_t end = s->pieces[i].end, at = end - str_of(cmark_node_get_literal(node)).len;

		while (at < end) {
			size_t len = delimiters(text, at, end);

			if (len != 0)
				buf_put(&out, str_sub(text, at, len));
			else
				len = put_sign(s, &out, text, at, end);
			at += len;
		}
		cmark_node_set_literal(node, str_cstring(s->arena, buf_str(&out)));
	}
}

static void
read_block(struct smart *s, cmark_node *block)
{
	cmark_iter *iter = cmark_iter_new(block);
	cmark_event_type event;

	s->whole.len = s->count = 0;
	while ((event = cmark_iter_next(iter)) != CMARK_EVENT_DONE) {
		cmark_node *node = cmark_iter_get_node(iter);

		if (event == CMARK_EVENT_EXIT)
			continue;
		switch (cmark_node_get_type(node)) {
		case CMARK_NODE_TEXT: add_piece(s, node); break;
		case CMARK_NODE_SOFTBREAK:
		case CMARK_NODE_LINEBREAK: buf_putc(&s->whole, '\n'); break;
		case CMARK_NODE_CODE: BUF_PUT(&s->whole, LETTER); break;
		case CMARK_NODE_LINK:
			if (is_address(node)) {
				BUF_PUT(&s->whole, LETTER);
				cmark_iter_reset(iter, node, CMARK_EVENT_EXIT);
			}
			break;
		default: break;
		}
	}
	cmark_iter_free(iter);
	write_block(s);
}

/* Is it a block of text: one that has no blocks? */
static bool
has_text(cmark_node *node)
{
	enum extension_kind kind = extension_of(node);

	switch (cmark_node_get_type(node)) {
	case CMARK_NODE_PARAGRAPH:
	case CMARK_NODE_HEADING: return true;
	case CMARK_NODE_CUSTOM_BLOCK: return kind == EXTENSION_TERM || kind == EXTENSION_MEANING;
	default: return false;
	}
}

void
markdown_smart(struct document *document, struct str language)
{
	struct smart s = {.arena = document->arena,
	    .marks = marks_of(language),
	    .french = str_eq_nocase(str_sub(language, 0, 2), STR("fr")),
	    .whole = {.arena = document->arena}};
	cmark_event_type event;
	cmark_iter *iter;

	if (s.marks == NULL)
		return;
	iter = cmark_iter_new(document->root);
	while ((event = cmark_iter_next(iter)) != CMARK_EVENT_DONE) {
		cmark_node *node = cmark_iter_get_node(iter);

		if (event != CMARK_EVENT_ENTER || !has_text(node))
			continue;
		read_block(&s, node);
		cmark_iter_reset(iter, node, CMARK_EVENT_EXIT);
	}
	cmark_iter_free(iter);
	for (size_t i = 0; i < document->notes.count; i++)
		read_block(&s, document->notes.all[i]->body);
}

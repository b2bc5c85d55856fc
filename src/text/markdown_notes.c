/*
 * Notes: "[^tide]" in a text refers to the paragraph "[^tide]: What it says." of the same text. They are numbered in the order
 * in which the text refers to them. Each stands behind the block that does so first: from there the style sheet takes it into
 * the margin, or to the end where there is none, and whoever listens hears it at its place.
 *
 * A note is one paragraph, or some lines of one. A note that nothing refers to is shown as it was typed, at the end, and so is a
 * reference to none. In comments there are none: their ids would meet those of the text.
 */
#include "base/arena.h"
#include "text/escape.h"
#include "text/markdown_private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL_MAX = 64 };

/* "[^label]" there: its length, and the label; 0: there is none. */
static size_t
read_label(struct str text, size_t at, struct str *label)
{
	struct str rest = str_sub(text, at, LABEL_MAX + 3);
	size_t end = 2;

	if (!str_starts(rest, STR("[^")))
		return 0;
	while (end < rest.len && rest.base[end] != ']' && rest.base[end] != '[' &&
	       (unsigned char)rest.base[end] > ' ')
		end++;
	if (end == 2 || end == rest.len || rest.base[end] != ']')
		return 0;
	*label = str_sub(rest, 2, end - 2);
	return end + 1;
}

size_t
notes_definition(struct str text, size_t at)
{
	struct str label;
	size_t len = read_label(text, at, &label);

	return len != 0 && at + len < text.len && text.base[at + len] == ':' ? len : 0;
}

/* What a text that defines a note has before the note: its length, and the label. The guard has left its mark. */
static size_t
read_definition(cmark_node *node, struct str *label)
{
	struct str says;
	size_t len;

	if (node == NULL || cmark_node_get_type(node) != CMARK_NODE_TEXT)
		return 0;
	says = str_of(cmark_node_get_literal(node));
	len = read_label(says, 0, label);
	if (len == 0 || !str_starts(str_sub(says, len, says.len), STR(GUARD_STOP ":")))
		return 0;
	len += sizeof(GUARD_STOP);
	while (len < says.len && says.base[len] == ' ')
		len++;
	return len;
}

static struct note *
add_note(struct notes *notes, struct str label)
{
	struct note *note = ARENA_NEW(notes->arena, struct note);

	if (notes->count == notes->capacity) {
		size_t capacity = notes->capacity != 0 ? notes->capacity * 2 : 16;

		notes->all = arena_grow(notes->arena, notes->all,
		    notes->capacity * sizeof(*notes->all), capacity * sizeof(*notes->all));
		notes->capacity = capacity;
	}
	*note = (struct note){.label = str_dup(notes->arena, label),
	    .place = notes->count,
	    .body = cmark_node_new(CMARK_NODE_PARAGRAPH)};
	notes->all[notes->count++] = note;
	return note;
}

/* The paragraph, whose lines are notes, is taken out of the document. */
static void
take(struct notes *notes, cmark_node *paragraph)
{
	cmark_node *node = cmark_node_first_child(paragraph), *next;
	struct note *note = NULL;
	bool begins = true;

	for (; node != NULL; node = next) {
		struct str label;
		size_t len = begins ? read_definition(node, &label) : 0;

		next = cmark_node_next(node);
		begins = cmark_node_get_type(node) == CMARK_NODE_SOFTBREAK;
		if (len != 0) {
			struct str says = str_of(cmark_node_get_literal(node));

			note = add_note(notes, label);
			cmark_node_set_literal(
			    node, str_cstring(notes->arena, str_sub(says, len, says.len)));
		}
		if (begins && read_definition(next, &label) != 0)
			cmark_node_free(node);
		else
			cmark_node_append_child(note->body, node);
	}
	cmark_node_free(paragraph);
}

static int
by_label(const void *a, const void *b)
{
	const struct note *one = *(const struct note *const *)a,
			  *other = *(const struct note *const *)b;
	int order = str_cmp(one->label, other->label);

	return order != 0 ? order : one->place < other->place ? -1 : one->place > other->place;
}

void
notes_take(struct notes *notes, cmark_node *document)
{
	cmark_node *node = cmark_node_first_child(document), *next;
	struct str label;

	for (; node != NULL; node = next) {
		next = cmark_node_next(node);
		if (cmark_node_get_type(node) == CMARK_NODE_PARAGRAPH &&
		    read_definition(cmark_node_first_child(node), &label) != 0)
			take(notes, node);
	}
	notes->sorted = arena_copy(notes->arena, notes->all, notes->count * sizeof(*notes->all));
	if (notes->count != 0)
		qsort(notes->sorted, notes->count, sizeof(*notes->sorted), by_label);
}

/* The first note of this label; NULL: there is none. */
static struct note *
find_note(const struct notes *notes, struct str label)
{
	size_t from = 0, to = notes->count;

	while (from < to) {
		size_t middle = (from + to) / 2;

		if (str_cmp(notes->sorted[middle]->label, label) < 0)
			from = middle + 1;
		else
			to = middle;
	}
	return from < notes->count && str_eq(notes->sorted[from]->label, label)
		   ? notes->sorted[from]
		   : NULL;
}

struct note *
notes_find(const struct notes *notes, struct str text, size_t at, size_t *len)
{
	struct str label;

	*len = notes->count != 0 ? read_label(text, at, &label) : 0;
	return *len != 0 ? find_note(notes, label) : NULL;
}

void
notes_free(struct notes *notes)
{
	for (size_t i = 0; i < notes->count; i++)
		cmark_node_free(notes->all[i]->body);
}

/* --- The HTML --- */

/* " name="…kind_1"": an underscore is in no heading's id. */
static void
put_place(struct writer *w, const char *name, const char *kind, int64_t number)
{
	buf_fmt(w->out, " %s=\"%s", name, strcmp(name, "href") == 0 ? "#" : "");
	escape_html(w->out, w->outline->prefix);
	buf_fmt(w->out, "%s_%" PRId64 "\"", kind, number);
}

void
notes_put_reference(struct writer *w, struct note *note)
{
	struct notes *notes = w->notes;

	BUF_PUT(w->out, "<sup><a");
	if (note->number == 0) {
		note->number = ++notes->numbered;
		if (notes->last != NULL)
			notes->last->next = note;
		else
			notes->waiting = note;
		notes->last = note;
		put_place(w, "id", "ref", note->number);
	}
	put_place(w, "href", "note", note->number);
	buf_fmt(w->out,
	    " role=\"doc-noteref\" aria-label=\"Note %" PRId64 "\">%" PRId64 "</a></sup>",
	    note->number, note->number);
}

static void
put_body(struct writer *w, const struct note *note)
{
	cmark_node *node = cmark_node_first_child(note->body);

	for (; node != NULL; node = cmark_node_next(node))
		markdown_write(w, node);
}

void
notes_put_waiting(struct writer *w)
{
	struct notes *notes = w->notes;

	for (struct note *note = notes->waiting; note != NULL; note = note->next) {
		BUF_PUT(w->out, "<aside class=\"footnote\"");
		put_place(w, "id", "note", note->number);
		buf_fmt(w->out, " role=\"doc-footnote\"><p><sup>%" PRId64 "</sup> ", note->number);
		put_body(w, note);
		BUF_PUT(w->out, " <a");
		put_place(w, "href", "ref", note->number);
		buf_fmt(w->out,
		    " role=\"doc-backlink\" aria-label=\"Back from note %" PRId64
		    "\">\xe2\x86\xa9\xef\xb8\x8e</a></p></aside>\n",
		    note->number);
	}
	notes->waiting = notes->last = NULL;
}

void
notes_put_unused(struct writer *w)
{
	for (size_t i = 0; i < w->notes->count; i++) {
		const struct note *note = w->notes->all[i];

		if (note->number != 0)
			continue;
		BUF_PUT(w->out, "<p>[^");
		escape_html(w->out, guard_undo(w->out->arena, note->label, STR("|")));
		BUF_PUT(w->out, "]: ");
		put_body(w, note);
		BUF_PUT(w->out, "</p>\n");
	}
}

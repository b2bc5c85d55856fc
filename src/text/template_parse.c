#include "text/template_program.h"

#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* --- Tags ---------------------------------------------------------------------------------------- */

/* The tags in a template's text: delimiters, lines and white space. */
struct template_scan {
	struct str text;
	struct str open, close; /* the current delimiters */
	size_t counted;         /* `line` is the line of this offset */
	unsigned line;
};

/* A tag, from its first delimiter to the end of its last, and what surrounds it on its lines. */
struct template_tag {
	unsigned line;
	size_t begin, end;
	size_t next_line; /* after the line on which it ends */
	char type;        /* the character after the delimiter, or 0 */
	struct str name;  /* one word; for comments and delimiters, all they contain */
	struct str lead;  /* the white space before it, if nothing else is before it on its line */
	bool leads;       /* is that so? */
	bool ends;        /* only white space follows on its line */
};

enum { DELIMITER_MAX = 16 };

static const size_t NOWHERE = SIZE_MAX;

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool
is_space(char c)
{
	return is_blank(c) || c == '\n' || c == '\r';
}

static struct str
rest_of(struct str text, size_t from)
{
	return str_sub(text, from, text.len);
}

static size_t
find(struct str text, size_t from, struct str needle)
{
	const char *hit;

	if (from >= text.len)
		return NOWHERE;
	hit = memmem(text.base + from, text.len - from, needle.base, needle.len);
	return hit != NULL ? (size_t)(hit - text.base) : NOWHERE;
}

/* Where the blanks that begin at `from` end. */
static size_t
skip_blanks(struct str text, size_t from)
{
	while (from < text.len && is_blank(text.base[from]))
		from++;
	return from;
}

static struct template_scan
template_scan(struct str text)
{
	return (struct template_scan){text, STR("{{"), STR("}}"), 0, 1};
}

/* The line of an offset, from 1. */
static unsigned
template_scan_line(struct template_scan *scan, size_t offset)
{
	for (; scan->counted < offset; scan->counted++)
		if (scan->text.base[scan->counted] == '\n')
			scan->line++;
	for (; scan->counted > offset; scan->counted--)
		if (scan->text.base[scan->counted - 1] == '\n')
			scan->line--;
	return scan->line;
}

/* The offset after the next line end at or after `from`, or the end of the text. */
static size_t
template_scan_next_line(const struct template_scan *scan, size_t from)
{
	size_t end = find(scan->text, from, STR("\n"));

	return end != NOWHERE ? end + 1 : scan->text.len;
}

/* The indentation of the first non-empty line at or after `from`. */
static struct str
template_scan_indent(const struct template_scan *scan, size_t from)
{
	for (;;) {
		size_t end = skip_blanks(scan->text, from);

		if (end == scan->text.len || !is_space(scan->text.base[end]))
			return str_sub(scan->text, from, end - from);
		from = end + 1;
	}
}

static void
look_around(struct str text, struct template_tag *tag)
{
	size_t begin = tag->begin, end = skip_blanks(text, tag->end);

	while (begin > 0 && is_blank(text.base[begin - 1]))
		begin--;
	tag->leads = begin == 0 || text.base[begin - 1] == '\n';
	if (tag->leads)
		tag->lead = str_sub(text, begin, tag->begin - begin);
	if (end < text.len && text.base[end] == '\r')
		end++;
	tag->ends = end == text.len || text.base[end] == '\n';
	tag->next_line = end < text.len ? end + 1 : end;
}

/* Reads the content between the delimiters, after the type; sets the tag's end. */
static bool
read_content(const struct template_scan *scan, size_t from, struct template_tag *tag)
{
	/* {{{name}}} and {{=<% %>=}} have a closing character before the delimiter. */
	struct str before = tag->type == '{' ? STR("}") : tag->type == '=' ? STR("=") : STR("");
	size_t end = find(scan->text, from, before.len != 0 ? before : scan->close);

	if (end == NOWHERE || !str_starts(rest_of(scan->text, end + before.len), scan->close))
		return false;
	tag->name = str_trim(str_sub(scan->text, from, end - from));
	tag->end = end + before.len + scan->close.len;
	look_around(scan->text, tag);
	return true;
}

static bool
is_word(struct str s)
{
	for (size_t i = 0; i < s.len; i++)
		if (is_space(s.base[i]) || s.base[i] == '\0')
			return false;
	return s.len != 0;
}

/*
 * The first tag at or after `from`. NULL in *why and false when there is none; a sentence in *why
 * and false when there is one that is wrong, with *tag's line.
 */
static bool
template_scan_tag(
    struct template_scan *scan, size_t from, struct template_tag *tag, const char **why)
{
	size_t begin = find(scan->text, from, scan->open);

	*why = NULL;
	if (begin == NOWHERE)
		return false;
	*tag = (struct template_tag){.begin = begin, .line = template_scan_line(scan, begin)};
	from = begin + scan->open.len;
	while (from < scan->text.len && is_space(scan->text.base[from]))
		from++;
	if (str_find(STR("{=!&#^/><$"), from < scan->text.len ? scan->text.base[from] : 'x') < 10)
		tag->type = scan->text.base[from++];
	if (!read_content(scan, from, tag)) {
		*why = "this tag has no end";
		return false;
	}
	if (tag->type != '!' && tag->type != '=' && !is_word(tag->name)) {
		*why = "the name in a tag has to be one word";
		return false;
	}
	return true;
}

/* Takes the delimiters from a tag of type '='. False when they are not two words. */
static bool
template_scan_delimiters(struct template_scan *scan, const struct template_tag *tag)
{
	size_t end = 0;
	struct str open, close;

	while (end < tag->name.len && !is_space(tag->name.base[end]))
		end++;
	open = str_sub(tag->name, 0, end);
	close = str_trim(rest_of(tag->name, end));
	if (!is_word(open) || !is_word(close) || open.len > DELIMITER_MAX ||
	    close.len > DELIMITER_MAX)
		return false;
	scan->open = open;
	scan->close = close;
	return true;
}

/* --- Trees --------------------------------------------------------------------------------------- */

/* A section, parent or block that has not been closed yet. */
struct open_node {
	struct template_node *node;
	struct template_node
	    *lead; /* NODE_PARENT: the white space that may become its indentation */
	struct template_node **tail; /* where its next sibling goes */
};

struct parser {
	struct arena *arena;
	struct template_file *file;
	struct template_fault *fault;
	struct template_scan scan;
	bool lenient;
	size_t at;                   /* the text before this is in the tree */
	struct template_node **tail; /* where the next node goes */
	struct open_node stack[TEMPLATE_NESTING_MAX];
	size_t depth;
};

void
template_fail(struct template_fault *fault, struct str path, unsigned line, const char *format, ...)
{
	char what[512];
	va_list args;

	if (fault->text.len != 0)
		return;
	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	fault->text = str_fmt(fault->arena, "%.*s:%u: %s", STR_ARGS(path), line, what);
}

#define FAIL(p, line, ...) template_fail((p)->fault, (p)->file->path, (line), __VA_ARGS__)

/* The node opened `up` levels above, or NULL. */
static struct open_node *
opened(struct parser *p, size_t up)
{
	return p->depth > up ? &p->stack[p->depth - up - 1] : NULL;
}

static bool
is_parent(const struct open_node *open)
{
	return open != NULL && open->node->kind == NODE_PARENT;
}

/* Appends a new node to the innermost open one. */
static struct template_node *
add(struct parser *p, enum template_node_kind kind, unsigned line, struct str text)
{
	struct template_node *node = ARENA_NEW(p->arena, struct template_node);
	const struct open_node *open = opened(p, 0);

	if (is_parent(open) && kind != NODE_BLOCK && str_trim(text).len != 0 && !p->lenient)
		FAIL(p, line, "what stands in {{<%.*s}} outside its {{$blocks}} is never shown",
		    STR_ARGS(open->node->text));
	node->kind = kind;
	node->line = line;
	node->text = text;
	*p->tail = node;
	p->tail = &node->next;
	return node;
}

/* Adds one line of text, or a part of one, or nothing at the beginning of one. */
static struct template_node *
add_line(struct parser *p, size_t from, size_t to)
{
	struct str text = p->scan.text;
	struct template_node *node =
	    add(p, NODE_TEXT, template_scan_line(&p->scan, from), str_sub(text, from, to - from));

	node->line_start = from == 0 || text.base[from - 1] == '\n';
	return node;
}

/* Adds the text up to `to`, line by line. */
static void
add_text(struct parser *p, size_t to)
{
	while (p->at < to) {
		size_t end = template_scan_next_line(&p->scan, p->at);

		if (end > to)
			end = to;
		add_line(p, p->at, end);
		p->at = end;
	}
}

/*
 * Adds the text before a tag. Returns the node of the white space before the tag if that is first
 * on its line.
 */
static struct template_node *
add_text_before(struct parser *p, const struct template_tag *tag)
{
	struct template_node *lead = NULL;

	add_text(p, tag->begin - tag->lead.len);
	if (tag->leads)
		lead = add_line(p, tag->begin - tag->lead.len, tag->begin);
	else
		add_text(p, tag->begin);
	p->at = tag->end;
	return lead;
}

/* The same for a tag that is removed together with its line if it is alone on it: is it? */
static bool
take_line(struct parser *p, const struct template_tag *tag)
{
	if (!tag->leads || !tag->ends) {
		add_text_before(p, tag);
		return false;
	}
	add_text(p, tag->begin - tag->lead.len);
	p->at = tag->next_line;
	return true;
}

static void
mention(struct parser *p, const struct template_mention **list, struct str name)
{
	struct template_mention *mention = ARENA_NEW(p->arena, struct template_mention);

	mention->name = name;
	mention->next = *list;
	*list = mention;
}

/* From now on nodes are added to `node`. */
static void
descend(struct parser *p, struct template_node *node, struct template_node *lead)
{
	if (p->depth == TEMPLATE_NESTING_MAX) {
		FAIL(p, node->line, "more than %d sections in one another", TEMPLATE_NESTING_MAX);
		return;
	}
	p->stack[p->depth++] = (struct open_node){node, lead, p->tail};
	p->tail = &node->children;
}

static void
open_section(struct parser *p, const struct template_tag *tag)
{
	enum template_node_kind kind = tag->type == '#' ? NODE_SECTION : NODE_INVERTED;

	take_line(p, tag);
	descend(p, add(p, kind, tag->line, tag->name), NULL);
}

static void
open_parent(struct parser *p, const struct template_tag *tag)
{
	struct template_node *lead = add_text_before(p, tag);
	struct template_node *node = add(p, NODE_PARENT, tag->line, tag->name);

	/* It becomes the indentation if the tag is at the end of a line. */
	node->indent = tag->lead;
	mention(p, &p->file->includes, tag->name);
	descend(p, node, lead);
}

/*
 * {{$name}} directly in a parent. If its text begins on a line of its own, that line counts for the
 * indentation.
 */
static void
open_argument(struct parser *p, const struct template_tag *tag)
{
	struct template_node *node;

	add_text_before(p, tag);
	node = add(p, NODE_BLOCK, tag->line, tag->name);
	if (tag->ends) {
		p->at = tag->next_line;
		node->dedent = template_scan_indent(&p->scan, p->at).len;
	}
	descend(p, node, NULL);
}

/* {{$name}} elsewhere: a place for an argument, with the default text. */
static void
open_block(struct parser *p, const struct template_tag *tag)
{
	bool alone = take_line(p, tag);
	struct template_node *node = add(p, NODE_BLOCK, tag->line, tag->name);

	node->indent = alone ? template_scan_indent(&p->scan, p->at) : tag->lead;
	node->inside_line = !alone;
	mention(p, &p->file->blocks, tag->name);
	descend(p, node, NULL);
}

/*
 * A parent is removed together with its lines if it begins at the beginning of one and ends at the
 * end.
 */
static void
close_parent(struct parser *p, const struct template_tag *tag, const struct open_node *open)
{
	add_text(p, tag->begin);
	p->at = tag->end;
	if (open->lead != NULL && tag->ends) {
		open->lead->text.len = 0;
		open->lead->line_start = false;
		p->at = tag->next_line;
	} else {
		open->node->indent.len = 0;
		open->node->inside_line = true;
	}
}

static void
close_node(struct parser *p, const struct template_tag *tag)
{
	const struct open_node *open = opened(p, 0);

	if (open == NULL) {
		FAIL(p, tag->line, "{{/%.*s}} ends nothing: no section is open",
		    STR_ARGS(tag->name));
		return;
	}
	if (!str_eq(open->node->text, tag->name)) {
		FAIL(p, tag->line, "{{/%.*s}} where {{/%.*s}} has to come, which line %u opened",
		    STR_ARGS(tag->name), STR_ARGS(open->node->text), open->node->line);
		return;
	}
	if (open->node->kind == NODE_PARENT) {
		close_parent(p, tag, open);
	} else if (open->node->kind == NODE_BLOCK && is_parent(opened(p, 1))) {
		add_text(p, tag->begin - tag->lead.len);
		p->at = tag->end;
	} else {
		take_line(p, tag);
	}
	p->tail = open->tail;
	p->depth--;
}

static void
add_partial(struct parser *p, const struct template_tag *tag)
{
	bool alone = take_line(p, tag);
	struct template_node *node = add(p, NODE_PARTIAL, tag->line, tag->name);

	node->indent = tag->lead;
	node->inside_line = !alone;
	mention(p, &p->file->includes, tag->name);
}

static void
add_value(struct parser *p, const struct template_tag *tag)
{
	add_text_before(p, tag);
	add(p, tag->type == 0 ? NODE_VALUE : NODE_RAW, tag->line, tag->name);
}

static void
add_tag(struct parser *p, const struct template_tag *tag)
{
	switch (tag->type) {
	case '!': take_line(p, tag); break;
	case '=':
		take_line(p, tag);
		if (!template_scan_delimiters(&p->scan, tag))
			FAIL(p, tag->line, "delimiters are two words, as in {{=<%% %%>=}}");
		break;
	case '#':
	case '^': open_section(p, tag); break;
	case '<': open_parent(p, tag); break;
	case '$':
		if (is_parent(opened(p, 0)))
			open_argument(p, tag);
		else
			open_block(p, tag);
		break;
	case '/': close_node(p, tag); break;
	case '>': add_partial(p, tag); break;
	default: add_value(p, tag); break;
	}
}

bool
template_parse(struct arena *arena, struct str text, bool lenient, struct template_file *file,
    struct template_fault *fault)
{
	struct parser p = {arena, file, fault, template_scan(text), lenient, 0, &file->nodes};
	struct template_tag tag;
	const char *why = NULL;

	while (fault->text.len == 0 && template_scan_tag(&p.scan, p.at, &tag, &why))
		add_tag(&p, &tag);
	if (why != NULL)
		FAIL(&p, tag.line, "%s", why);
	add_text(&p, text.len);
	if (p.depth != 0)
		FAIL(&p, opened(&p, 0)->node->line, "\"%.*s\" is opened here and never ended",
		    STR_ARGS(opened(&p, 0)->node->text));
	return fault->text.len == 0;
}

#include "text/template_parse.h"

#include "base/arena.h"
#include "text/template_scan.h"

#include <stdarg.h>
#include <stdio.h>

/* A section, parent or block whose end has not come yet. */
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
	size_t at;                   /* up to here the text is in the tree */
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

/* What has been opened `up` levels above here, or NULL. */
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

/* A new node at the end of what is open now. */
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

/* One line of text, or a part of one, or nothing at the beginning of one. */
static struct template_node *
add_line(struct parser *p, size_t from, size_t to)
{
	struct str text = p->scan.text;
	struct template_node *node =
	    add(p, NODE_TEXT, template_scan_line(&p->scan, from), str_sub(text, from, to - from));

	node->line_start = from == 0 || text.base[from - 1] == '\n';
	return node;
}

/* The text up to `to`, line by line. */
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

/* The text before a tag. Gives the node of the white space before it when it leads its line. */
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

/* The same for a tag that takes its line with it when it stands there alone: does it? */
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

/* From now on nodes go into `node`. */
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

	/* Is its indentation if its end turns out to be the end of a line. */
	node->indent = tag->lead;
	mention(p, &p->file->includes, tag->name);
	descend(p, node, lead);
}

/* {{$name}} directly in a parent. Where its text begins on a line of its own, that line counts. */
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

/* {{$name}} elsewhere: a place for an argument, and what stands there without one. */
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

/* A parent takes its lines with it when it begins at the beginning of one and ends at the end. */
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

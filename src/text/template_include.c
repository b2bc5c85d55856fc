#include "text/template_compiler.h"

#include "base/arena.h"

/* Of files into others, for one template: a page has some tens. */
enum { EXPANSIONS_MAX = 20000 };

static bool
is_line_end(struct str text)
{
	return str_eq(text, STR("\n")) || str_eq(text, STR("\r\n"));
}

void
template_compile_text(struct template_compiler *c, const struct template_node *node, bool begun)
{
	size_t dedent = node->line_start ? c->where.dedent : 0;
	struct str text = node->text;

	for (; dedent > 0 && text.len != 0 && (text.base[0] == ' ' || text.base[0] == '\t');
	     dedent--)
		text = str_sub(text, 1, text.len);
	if (node->line_start && !begun && !is_line_end(text))
		template_emit_text(&c->out, c->where.indent);
	template_emit_text(&c->out, text);
}

/* Compiles nodes that are written elsewhere, in the place of `at`. */
static void
compile_there(struct template_compiler *c, const struct template_node *at,
    const struct template_node *nodes, struct template_where there)
{
	struct template_where here = c->where;

	if (c->depth == TEMPLATE_NESTING_MAX || c->expansions == EXPANSIONS_MAX) {
		COMPILE_FAIL(c, at, "too many files in one another: does \"%.*s\" include itself?",
		    STR_ARGS(at->text));
		return;
	}
	c->depth++;
	c->expansions++;
	c->where = there;
	/* The first line of a block that stands within a line was indented before it. */
	if (at->kind == NODE_BLOCK && at->inside_line && nodes != NULL &&
	    nodes->kind == NODE_TEXT) {
		template_compile_text(c, nodes, true);
		nodes = nodes->next;
	}
	template_compile_nodes(c, nodes);
	c->where = here;
	c->depth--;
}

/* The indentation of what comes in the place of a node: the place's and the node's own. */
static struct str
indent_of(const struct template_compiler *c, const struct template_node *node)
{
	struct str own = str_sub(node->indent, c->where.dedent, node->indent.len);

	return STR_CONCAT(c->arena, c->where.indent, own);
}

/* A whole file in the place of a tag; one that stands within a line leaves the file's lines alone. */
static void
compile_file_there(struct template_compiler *c, const struct template_node *at,
    const struct template_file *file, const struct template_arguments *arguments)
{
	struct template_where there = {.file = file, .arguments = arguments};

	if (!at->inside_line)
		there.indent = indent_of(c, at);
	compile_there(c, at, file->nodes, there);
}

static const struct template_file *
find_file(struct template_compiler *c, const struct template_node *node)
{
	const struct template_file *file = c->library->find(c->library, node->text, c->fault);

	if (file == NULL && !c->library->lenient)
		COMPILE_FAIL(c, node, "there is no template \"%.*s\"", STR_ARGS(node->text));
	return file;
}

struct visited {
	const struct template_file *file;
	struct visited *next;
};

/* Does a file, or one that it includes, include the wanted file or have the wanted block? */
static bool
reaches(struct template_compiler *c, const struct template_file *from,
    const struct template_file *wanted, struct str block, struct visited **visited)
{
	struct visited *visit = ARENA_NEW(c->arena, struct visited);

	for (const struct visited *v = *visited; v != NULL; v = v->next)
		if (v->file == from)
			return false;
	*visit = (struct visited){from, *visited};
	*visited = visit;
	for (const struct template_mention *b = from->blocks; b != NULL; b = b->next)
		if (str_eq(b->name, block))
			return true;
	for (const struct template_mention *i = from->includes; i != NULL; i = i->next) {
		const struct template_file *file = c->library->find(c->library, i->name, c->fault);

		if (file != NULL && (file == wanted || reaches(c, file, wanted, block, visited)))
			return true;
	}
	return false;
}

static bool
includes_itself(struct template_compiler *c, const struct template_file *file)
{
	struct visited *visited = NULL;

	return reaches(c, file, file, STR(""), &visited);
}

/* An argument for a block that there is not would never be shown. */
static void
check_arguments(struct template_compiler *c, const struct template_node *parent,
    const struct template_file *file)
{
	for (const struct template_node *n = parent->children; n != NULL; n = n->next) {
		struct visited *visited = NULL;

		if (n->kind == NODE_BLOCK && !reaches(c, file, NULL, n->text, &visited))
			COMPILE_FAIL(c, n, "\"%.*s\" has no block \"%.*s\"", STR_ARGS(parent->text),
			    STR_ARGS(n->text));
	}
}

/* Calls the file in the innermost view; it is compiled for that once the page's own text is. */
static void
compile_call(struct template_compiler *c, const struct template_file *file)
{
	const struct template_context *context = &c->scope.contexts[c->scope.depth - 1];
	const struct view_type *item = c->scope.depth > 1 ? context->type : NULL;
	struct template_op op = {.code = OP_CALL, .slot = context->slot, .offset = context->offset};
	struct template_called **end = &c->called;

	for (; *end != NULL; end = &(*end)->next, op.jump++)
		if ((*end)->file == file && (*end)->item == item)
			break;
	if (*end == NULL) {
		*end = ARENA_NEW(c->arena, struct template_called);
		(*end)->file = file;
		(*end)->item = item;
	}
	/* Jumps to its number until all have addresses. */
	template_emit(&c->out, op);
}

void
template_compile_partial(struct template_compiler *c, const struct template_node *node)
{
	const struct template_file *file = find_file(c, node);

	if (file == NULL)
		return;
	if (includes_itself(c, file))
		compile_call(c, file);
	else
		compile_file_there(c, node, file, c->where.arguments);
}

void
template_compile_parent(struct template_compiler *c, const struct template_node *node)
{
	const struct template_file *file = find_file(c, node);
	struct template_arguments arguments = {node, c->where.file, c->where.arguments};

	if (file == NULL)
		return;
	if (!c->library->lenient)
		check_arguments(c, node, file);
	compile_file_there(c, node, file, &arguments);
}

/* The argument for a block: the outermost parent's that has one. */
static const struct template_node *
find_argument(
    const struct template_arguments *arguments, struct str name, const struct template_file **file)
{
	const struct template_node *found;

	if (arguments == NULL)
		return NULL;
	found = find_argument(arguments->outer, name, file);
	if (found != NULL)
		return found;
	for (const struct template_node *n = arguments->parent->children; n != NULL; n = n->next)
		if (n->kind == NODE_BLOCK && str_eq(n->text, name)) {
			*file = arguments->file;
			return n;
		}
	return NULL;
}

void
template_compile_block(struct template_compiler *c, const struct template_node *node)
{
	struct template_where there = {.arguments = c->where.arguments};
	const struct template_node *argument =
	    find_argument(c->where.arguments, node->text, &there.file);

	if (argument == NULL) {
		template_compile_nodes(c, node->children);
		return;
	}
	there.dedent = argument->dedent;
	there.indent = indent_of(c, node);
	compile_there(c, node, argument->children, there);
}

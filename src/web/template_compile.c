#include "web/template_scope.h"

#include "base/arena.h"

#include <string.h>

/*
 * Partials and layouts are compiled into their place, so they see all views around it, and text joins
 * across files. A partial that includes itself, directly or through others, cannot be: it is compiled
 * once for each type of view that it is used in, and called. It sees that view and the page's, and
 * nothing between: else its names would mean something else at each depth. Nor does it take the
 * indentation or the arguments of the place.
 *
 * The arguments of parents are a list from the innermost parent to the outermost, which wins: a page
 * overrides its layout, and its layout the layout's own layout.
 */

enum {
	OPS_MAX = 1 << 20,
	TEXT_MAX = 16 << 20,
	EXPANSIONS_MAX = 20000, /* of files into others, for one template */
	FOLLOWS_MAX = 4,        /* options in one dotted name */
};

struct arguments {
	const struct template_node *parent;
	const struct template_file *file; /* where they are written */
	const struct arguments *outer;
};

/* What is taken from the beginning of each line, and then put there. */
struct margin {
	size_t remove;
	struct str add;
};

/* A partial that is called, in a view of that type, or in the page's when it is NULL. */
struct called {
	const struct template_file *file;
	const struct view_type *item;
	uint32_t begin;
	struct called *next;
};

struct compiler {
	struct arena *arena; /* of what is needed only now */
	struct template_library *library;
	struct template_fault *fault;
	struct buf text;
	struct template_op *ops;
	size_t count, capacity;
	bool joins; /* more text may join the last operation */
	struct template_scope scope;
	uint8_t slots; /* how many are in use here */
	const struct template_file *file;
	const struct arguments *arguments;
	struct margin margin;
	unsigned depth, expansions;
	struct called *called;
};

/* Where a dotted name leads. Its way jumps at the options that are not there. */
struct path {
	struct template_place place;
	bool known;
	uint32_t follows[FOLLOWS_MAX];
	size_t count;
};

static void compile_nodes(struct compiler *c, const struct template_node *node, bool line_begun);

#define FAIL(c, node, ...) template_fail((c)->fault, (c)->file->path, (node)->line, __VA_ARGS__)

static bool
failed(const struct compiler *c)
{
	return c->fault->text.len != 0;
}

/* --- Operations. --------------------------------------------------------------------------------- */

static uint32_t
emit(struct compiler *c, struct template_op op)
{
	if (c->count == c->capacity) {
		size_t want = c->capacity != 0 ? c->capacity * 2 : 256;

		c->ops = arena_grow(c->arena, c->ops, c->capacity * sizeof(op), want * sizeof(op));
		c->capacity = want;
	}
	if (c->count >= OPS_MAX)
		template_fail(c->fault, c->file->path, 1, "this template becomes too large");
	c->joins = op.code == OP_TEXT;
	c->ops[c->count] = op;
	return (uint32_t)c->count++;
}

/* Where the next operation will be, for jumps to it. */
static uint32_t
here(struct compiler *c)
{
	c->joins = false;
	return (uint32_t)c->count;
}

static uint32_t
emit_at(struct compiler *c, enum template_code code, const struct template_place *place)
{
	return emit(c, (struct template_op){
			   .code = (uint8_t)code, .slot = place->slot, .offset = place->offset});
}

static void
emit_text(struct compiler *c, struct str text)
{
	if (text.len == 0)
		return;
	if (!c->joins)
		emit(c, (struct template_op){.code = OP_TEXT, .offset = (uint32_t)c->text.len});
	if (c->text.len + text.len > TEXT_MAX) {
		template_fail(c->fault, c->file->path, 1, "this template becomes too large");
		return;
	}
	buf_put(&c->text, text);
	c->ops[c->count - 1].size += (uint32_t)text.len;
}

static uint8_t
new_slot(struct compiler *c, const struct template_node *node)
{
	if (c->slots == TEMPLATE_SLOTS) {
		FAIL(c, node, "more than %d lists and options in one another", TEMPLATE_SLOTS - 1);
		return 0;
	}
	return c->slots++;
}

/* --- Names. -------------------------------------------------------------------------------------- */

static const struct view_field list_fields[] = {
    {"count", VIEW_COUNT, offsetof(struct view_list, count), NULL}};
static const struct view_type view_of_list = {"a list", sizeof(struct view_list), list_fields, 1};

/* What is inside a field: the context in which a section shows, and in which "a.b" looks for b. */
static struct template_context
inside(const struct template_place *place)
{
	struct template_context context = {NULL, place->slot, place->offset};

	switch (place->field->kind) {
	case VIEW_STRING: context.type = &view_of_string; break;
	case VIEW_HTML: context.type = &view_of_html; break;
	case VIEW_NUMBER: context.type = &view_of_number; break;
	case VIEW_COUNT: context.type = &view_of_count; break;
	case VIEW_FLAG: break;
	case VIEW_LIST: context.type = &view_of_list; break;
	case VIEW_VIEW:
	case VIEW_OPTION: context.type = place->field->type; break;
	}
	return context;
}

/* From the place of an option to what it points to. */
static void
follow(struct compiler *c, const struct template_node *node, struct path *path)
{
	uint32_t op;

	if (path->count == FOLLOWS_MAX) {
		FAIL(c, node, "more than %d options in one name", FOLLOWS_MAX);
		return;
	}
	op = emit_at(c, OP_FOLLOW, &path->place);
	c->ops[op].to = new_slot(c, node);
	path->follows[path->count++] = op;
	path->place.slot = c->ops[op].to;
	path->place.offset = 0;
}

static void
unknown(struct compiler *c, const struct template_node *node, const struct template_scope *scope,
    struct str name)
{
	struct str what;

	if (c->library->lenient)
		return;
	what = template_scope_unknown(c->arena, scope, name);
	FAIL(c, node, "%.*s", STR_ARGS(what));
}

/* Finds out where a node's name leads; known or not, the caller ends it with arrive(). */
static struct path
find_path(struct compiler *c, const struct template_node *node)
{
	struct path path = {.known = false};
	struct str rest, name = node->text;

	if (!str_eq(name, STR(".")))
		name = str_cut(name, '.', &rest);
	else
		rest = (struct str){0};
	if (!template_scope_find(&c->scope, name, &path.place)) {
		unknown(c, node, &c->scope, name);
		return path;
	}
	while (rest.len != 0) {
		struct template_scope scope = {.depth = 1};

		if (path.place.field->kind == VIEW_OPTION)
			follow(c, node, &path);
		scope.contexts[0] = inside(&path.place);
		name = str_cut(rest, '.', &rest);
		if (scope.contexts[0].type == NULL) {
			FAIL(
			    c, node, "\"%s\" is a flag: nothing is inside", path.place.field->name);
			return path;
		}
		if (!template_scope_field(&scope.contexts[0], name, &path.place)) {
			unknown(c, node, &scope, name);
			return path;
		}
	}
	path.known = true;
	return path;
}

/* Options that are not there lead here. */
static void
arrive(struct compiler *c, const struct path *path)
{
	for (size_t i = 0; i < path->count; i++)
		c->ops[path->follows[i]].jump = here(c);
}

/* --- Values and sections. ------------------------------------------------------------------------ */

static void
compile_value(struct compiler *c, const struct template_node *node)
{
	uint8_t slots = c->slots;
	struct path path = find_path(c, node);
	enum view_kind kind = path.known ? path.place.field->kind : VIEW_FLAG;
	bool raw = node->kind == NODE_RAW;

	if (path.known && raw && kind != VIEW_HTML)
		FAIL(c, node, "{{{%.*s}}} shows HTML as it is, but \"%s\" is not struct html",
		    STR_ARGS(node->text), path.place.field->name);
	if (path.known && !raw && kind == VIEW_HTML && !c->library->lenient)
		FAIL(c, node, "\"%s\" is HTML: {{{%.*s}}} shows it", path.place.field->name,
		    STR_ARGS(node->text));
	if (kind == VIEW_HTML && raw)
		emit_at(c, OP_HTML, &path.place);
	else if (kind == VIEW_STRING || kind == VIEW_HTML)
		emit_at(c, OP_STRING, &path.place);
	else if (kind == VIEW_NUMBER)
		emit_at(c, OP_NUMBER, &path.place);
	else if (kind == VIEW_COUNT)
		emit_at(c, OP_COUNT, &path.place);
	else if (path.known)
		FAIL(c, node, "\"%s\" cannot be printed: use it as {{#%.*s}}",
		    path.place.field->name, STR_ARGS(node->text));
	arrive(c, &path);
	c->slots = slots;
}

/* Jumps, to where the caller says, when the field is true as `when` says. */
static uint32_t
emit_if(struct compiler *c, struct template_place place, bool when)
{
	enum template_code code = OP_IF_COUNT;
	uint32_t op;

	switch (place.field->kind) {
	case VIEW_STRING:
	case VIEW_HTML: place.offset += (uint32_t)offsetof(struct str, len); break;
	case VIEW_LIST: place.offset += (uint32_t)offsetof(struct view_list, count); break;
	case VIEW_NUMBER: code = OP_IF_NUMBER; break;
	case VIEW_FLAG: code = OP_IF_FLAG; break;
	case VIEW_OPTION: code = OP_IF_POINTER; break;
	case VIEW_COUNT:
	case VIEW_VIEW: break;
	}
	op = emit_at(c, code, &place);
	c->ops[op].to = when;
	return op;
}

/* The children of a section, in a view. */
static void
compile_inside(
    struct compiler *c, const struct template_node *node, struct template_context context)
{
	if (c->scope.depth == TEMPLATE_NESTING_MAX) {
		FAIL(c, node, "more than %d sections in one another", TEMPLATE_NESTING_MAX);
		return;
	}
	if (context.type != NULL)
		c->scope.contexts[c->scope.depth++] = context;
	compile_nodes(c, node->children, false);
	if (context.type != NULL)
		c->scope.depth--;
}

static void
compile_loop(
    struct compiler *c, const struct template_node *node, const struct template_place *place)
{
	const struct view_type *item = place->field->type;
	uint8_t slot = new_slot(c, node);
	uint32_t loop = emit_at(c, OP_LOOP, place), next;

	c->ops[loop].to = slot;
	c->ops[loop].size = (uint32_t)item->size;
	compile_inside(c, node, (struct template_context){item, slot, 0});
	next = emit(c, (struct template_op){.code = OP_NEXT, .to = slot});
	c->ops[next].size = (uint32_t)item->size;
	c->ops[next].jump = loop + 1;
	c->ops[loop].jump = here(c);
}

static void
compile_section(struct compiler *c, const struct template_node *node)
{
	uint8_t slots = c->slots;
	struct path path = find_path(c, node);
	uint32_t skip;

	if (path.known && path.place.field->kind == VIEW_LIST) {
		compile_loop(c, node, &path.place);
	} else if (path.known && path.place.field->kind == VIEW_VIEW) {
		compile_inside(c, node, inside(&path.place));
	} else if (path.known && path.place.field->kind == VIEW_OPTION) {
		follow(c, node, &path);
		compile_inside(c, node, inside(&path.place));
	} else if (path.known) {
		skip = emit_if(c, path.place, false);
		compile_inside(c, node, inside(&path.place));
		c->ops[skip].jump = here(c);
	}
	arrive(c, &path);
	c->slots = slots;
}

static void
compile_inverted(struct compiler *c, const struct template_node *node)
{
	uint8_t slots = c->slots;
	struct path path = find_path(c, node);
	uint32_t skip = 0;

	if (path.known && path.place.field->kind == VIEW_VIEW) {
		if (!c->library->lenient)
			FAIL(c, node, "\"%s\" is always there, so this is never shown",
			    path.place.field->name);
		arrive(c, &path);
		return;
	}
	if (path.known)
		skip = emit_if(c, path.place, true);
	arrive(c, &path);
	c->slots = slots;
	compile_nodes(c, node->children, false);
	if (path.known)
		c->ops[skip].jump = here(c);
}

/* --- White space, partials, parents, blocks. ----------------------------------------------------- */

static void
compile_text(struct compiler *c, const struct template_node *node, bool line_begun)
{
	struct str text = node->text;
	size_t remove = node->line_start ? c->margin.remove : 0;

	while (remove-- > 0 && text.len != 0 && (text.base[0] == ' ' || text.base[0] == '\t'))
		text = str_sub(text, 1, text.len);
	if (node->line_start && !line_begun && !str_eq(text, STR("\n")) &&
	    !str_eq(text, STR("\r\n")))
		emit_text(c, c->margin.add);
	emit_text(c, text);
}

/* The margin of what comes in the place of a node. */
static struct margin
margin_of(const struct compiler *c, const struct template_node *node, size_t remove)
{
	struct str indent = str_sub(node->indent, c->margin.remove, node->indent.len);

	return (struct margin){remove, STR_CONCAT(c->arena, c->margin.add, indent)};
}

/* Compiles nodes of another file, with its own margin and arguments, in this place. */
static void
compile_elsewhere(struct compiler *c, const struct template_node *at,
    const struct template_node *nodes, const struct template_file *file, struct margin margin,
    const struct arguments *arguments)
{
	struct compiler saved = {.file = c->file, .margin = c->margin, .arguments = c->arguments};

	if (c->depth == TEMPLATE_NESTING_MAX || c->expansions++ == EXPANSIONS_MAX) {
		FAIL(c, at, "files in one another without end: does \"%.*s\" include itself?",
		    STR_ARGS(at->text));
		return;
	}
	c->depth++;
	c->file = file;
	c->margin = margin;
	c->arguments = arguments;
	compile_nodes(c, nodes, at->kind == NODE_BLOCK && at->inside_line);
	c->file = saved.file;
	c->margin = saved.margin;
	c->arguments = saved.arguments;
	c->depth--;
}

static const struct template_file *
find_file(struct compiler *c, const struct template_node *node)
{
	const struct template_file *file = c->library->find(c->library, node->text, c->fault);

	if (file == NULL && !c->library->lenient)
		FAIL(c, node, "there is no template \"%.*s\"", STR_ARGS(node->text));
	return file;
}

struct visited {
	const struct template_file *file;
	struct visited *next;
};

/* Is there a way from a file's includes to that one? */
static bool
includes(struct compiler *c, const struct template_file *from, const struct template_file *wanted,
    struct visited **visited)
{
	struct visited *visit = ARENA_NEW(c->arena, struct visited);

	for (const struct visited *v = *visited; v != NULL; v = v->next)
		if (v->file == from)
			return false;
	*visit = (struct visited){from, *visited};
	*visited = visit;
	for (const struct template_include *i = from->includes; i != NULL; i = i->next) {
		const struct template_file *file = c->library->find(c->library, i->name, c->fault);

		if (file != NULL && (file == wanted || includes(c, file, wanted, visited)))
			return true;
	}
	return false;
}

static void
compile_call(struct compiler *c, const struct template_file *file)
{
	const struct template_context *context = &c->scope.contexts[c->scope.depth - 1];
	const struct view_type *item = c->scope.depth > 1 ? context->type : NULL;
	struct called **end = &c->called;
	uint32_t number = 0;

	for (; *end != NULL; end = &(*end)->next, number++)
		if ((*end)->file == file && (*end)->item == item)
			break;
	if (*end == NULL) {
		*end = ARENA_NEW(c->arena, struct called);
		(*end)->file = file;
		(*end)->item = item;
	}
	/* The jump becomes an address when all have one. */
	emit(c,
	    (struct template_op){
		.code = OP_CALL, .slot = context->slot, .offset = context->offset, .jump = number});
}

static void
compile_partial(struct compiler *c, const struct template_node *node)
{
	const struct template_file *file = find_file(c, node);
	struct visited *visited = NULL;
	struct margin none = {0};

	if (file == NULL)
		return;
	if (includes(c, file, file, &visited))
		compile_call(c, file);
	else
		compile_elsewhere(c, node, file->nodes, file,
		    node->inside_line ? none : margin_of(c, node, 0), c->arguments);
}

static void
compile_parent(struct compiler *c, const struct template_node *node)
{
	const struct template_file *file = find_file(c, node);
	struct arguments arguments = {node, c->file, c->arguments};
	struct margin none = {0};

	if (file != NULL)
		compile_elsewhere(c, node, file->nodes, file,
		    node->inside_line ? none : margin_of(c, node, 0), &arguments);
}

/* The argument for a block: the outermost parent's that has one. */
static const struct template_node *
find_argument(const struct arguments *arguments, struct str name, const struct template_file **file)
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

static void
compile_block(struct compiler *c, const struct template_node *node)
{
	const struct template_file *file = NULL;
	const struct template_node *argument = find_argument(c->arguments, node->text, &file);

	if (argument == NULL)
		compile_nodes(c, node->children, false);
	else
		compile_elsewhere(c, node, argument->children, file,
		    margin_of(c, node, argument->dedent), c->arguments);
}

static void
compile_nodes(struct compiler *c, const struct template_node *node, bool line_begun)
{
	for (; node != NULL && !failed(c); node = node->next, line_begun = false)
		switch (node->kind) {
		case NODE_TEXT: compile_text(c, node, line_begun); break;
		case NODE_VALUE:
		case NODE_RAW: compile_value(c, node); break;
		case NODE_SECTION: compile_section(c, node); break;
		case NODE_INVERTED: compile_inverted(c, node); break;
		case NODE_PARTIAL: compile_partial(c, node); break;
		case NODE_PARENT: compile_parent(c, node); break;
		case NODE_BLOCK: compile_block(c, node); break;
		}
}

/* --- The whole. ---------------------------------------------------------------------------------- */

/* One file from its beginning, in the page's view or in one of a type inside that. */
static void
compile_file(struct compiler *c, const struct template_file *file, const struct view_type *item)
{
	c->scope.depth = 1;
	c->slots = 1;
	if (item != NULL) {
		c->scope.contexts[c->scope.depth++] = (struct template_context){item, 1, 0};
		c->slots = 2;
	}
	c->file = file;
	c->arguments = NULL;
	c->margin = (struct margin){0};
	here(c);
	compile_nodes(c, file->nodes, false);
	emit(c, (struct template_op){.code = OP_END});
}

static void
compile_called(struct compiler *c)
{
	/* The list grows at its end meanwhile. */
	for (struct called *called = c->called; called != NULL && !failed(c);
	     called = called->next) {
		called->begin = here(c);
		compile_file(c, called->file, called->item);
	}
	for (size_t i = 0; i < c->count; i++) {
		const struct called *called = c->called;

		if (c->ops[i].code != OP_CALL)
			continue;
		for (uint32_t n = c->ops[i].jump; n > 0; n--)
			called = called->next;
		c->ops[i].jump = called->begin;
	}
}

const struct template_program *
template_compile(struct arena *arena, struct template_library *library, struct str name,
    const struct view_type *view, struct template_fault *fault)
{
	struct arena *work = arena_new();
	struct compiler c = {.arena = work, .library = library, .fault = fault};
	const struct template_file *file = library->find(library, name, fault);
	struct template_program *program = NULL;

	c.text.arena = work;
	c.scope.contexts[0].type = view;
	if (file == NULL)
		template_fail(fault, name, 1, "there is no such template");
	else
		compile_file(&c, file, NULL);
	if (!failed(&c))
		compile_called(&c);
	if (!failed(&c)) {
		program = ARENA_NEW(arena, struct template_program);
		program->ops = arena_copy(arena, c.ops, c.count * sizeof(*c.ops));
		program->count = c.count;
		program->text = arena_copy(arena, c.text.base, c.text.len);
		program->text_len = c.text.len;
	}
	arena_free(work);
	return program;
}

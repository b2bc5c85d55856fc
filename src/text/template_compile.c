/*
 * Partials and layouts are expanded in place, so they see all enclosing views, and text is joined across
 * files. A recursive partial can't be: it is compiled once for each type of view that it is used in, and
 * called. It sees that view and the page's, and nothing in between: otherwise its names would mean
 * something else at each depth. It does not get the indentation or the blocks of its place either.
 *
 * The arguments of parents are a list from the innermost parent to the outermost, which wins: a page
 * overrides its layout, and a layout the one it extends.
 */
#include "base/arena.h"
#include "base/suggest.h"
#include "text/template_program.h"

#include <assert.h>

/* --- Scopes -------------------------------------------------------------------------------------- */

/*
 * For the compiler: which views a place in a template can see, and what a name in it refers to. A
 * name belongs to the innermost view that has it; what follows a dot belongs to what precedes it.
 */
struct template_context {
	const struct view_type *type;
	uint8_t slot; /* at run time, the view is at this offset from that slot */
	uint32_t offset;
};

struct template_scope {
	struct template_context contexts[TEMPLATE_NESTING_MAX]; /* the page's view first */
	size_t depth;
};

/* A field, and its location at run time. */
struct template_place {
	struct view_field field;
	uint8_t slot;
	uint32_t offset;
};

/* Looks in one view only. */
static bool
template_scope_field(
    const struct template_context *context, struct str name, struct template_place *place)
{
	if (!view_find(context->type, name, &place->field))
		return false;
	place->slot = context->slot;
	place->offset = context->offset + (uint32_t)place->field.offset;
	return true;
}

/* False when no enclosing view has it. "." is the innermost view as a plain value. */
static bool
template_scope_find(
    const struct template_scope *scope, struct str name, struct template_place *place)
{
	size_t outermost = str_eq(name, STR(".")) ? scope->depth - 1 : 0;

	for (size_t i = scope->depth; i > outermost; i--)
		if (template_scope_field(&scope->contexts[i - 1], name, place))
			return true;
	return false;
}

static const char *
nearest(const struct template_scope *scope, struct str name)
{
	struct suggestion near = {.typed = name};

	for (size_t i = scope->depth; i > 0; i--) {
		const struct view_type *type = scope->contexts[i - 1].type;

		/* "." is similar to every short name, and suggests nothing. */
		for (size_t j = 0; j < type->count; j++)
			if (type->fields[j].name[0] != '.')
				suggest_word(&near, type->fields[j].name);
	}
	return near.nearest;
}

/* `unknown name "titel" in post_view; did you mean "title"?` */
static struct str
template_scope_unknown(struct arena *arena, const struct template_scope *scope, struct str name)
{
	struct buf out = {.arena = arena};
	const char *meant = nearest(scope, name);

	buf_fmt(&out, "unknown name \"%.*s\" in ", STR_ARGS(name));
	for (size_t i = scope->depth; i > 0; i--)
		buf_fmt(&out, "%s%s", scope->contexts[i - 1].type->name,
		    i > 2   ? ", "
		    : i > 1 ? " or "
			    : "");
	if (meant != NULL)
		buf_fmt(&out, "; did you mean \"%s\"?", meant);
	return buf_str(&out);
}

/* --- Operations ---------------------------------------------------------------------------------- */

/* For the compiler: a program being written. `{.arena = arena, .text.arena = arena}` is empty. */
struct template_output {
	struct arena *arena;
	struct buf text;
	struct template_op *ops;
	size_t count, capacity;
	bool joins;     /* more text may be joined to the last operation */
	bool too_large; /* from then on nothing is added */
};

enum { OPS_MAX = 1 << 20, TEXT_MAX = 16 << 20 };

/* Adds an operation; returns its address, for operands that are known later. */
static uint32_t
template_emit(struct template_output *out, struct template_op op)
{
	if (out->count == OPS_MAX) {
		out->too_large = true;
		return OPS_MAX - 1;
	}
	if (out->count == out->capacity) {
		size_t want = out->capacity != 0 ? out->capacity * 2 : 256;

		out->ops =
		    arena_grow(out->arena, out->ops, out->capacity * sizeof(op), want * sizeof(op));
		out->capacity = want;
	}
	out->joins = op.code == OP_TEXT;
	out->ops[out->count] = op;
	return (uint32_t)out->count++;
}

/* Joins text to the text before it, unless there is a jump target between the two. */
static void
template_emit_text(struct template_output *out, struct str text)
{
	if (text.len == 0)
		return;
	if (out->text.len + text.len > TEXT_MAX) {
		out->too_large = true;
		return;
	}
	if (!out->joins)
		template_emit(
		    out, (struct template_op){.code = OP_TEXT, .offset = (uint32_t)out->text.len});
	buf_put(&out->text, text);
	out->ops[out->count - 1].size += (uint32_t)text.len;
}

/* The address of the next operation, for jumps to it. */
static uint32_t
template_emit_here(struct template_output *out)
{
	out->joins = false;
	return (uint32_t)out->count;
}

static bool
is_jump(enum template_code code)
{
	return (code >= OP_IF_COUNT && code <= OP_LOOP) || code == OP_NEXT || code == OP_CALL;
}

/* For any view, a program reads its own text, uses its slots, jumps inside itself, and ends. */
__attribute__((unused)) static bool
template_program_ok(const struct template_program *program)
{
	for (size_t i = 0; i < program->count; i++) {
		const struct template_op *op = &program->ops[i];

		if (op->code > OP_END || op->slot >= TEMPLATE_SLOTS || op->to >= TEMPLATE_SLOTS)
			return false;
		if (op->code == OP_TEXT &&
		    (op->offset > program->text_len || op->size > program->text_len - op->offset))
			return false;
		if (is_jump(op->code) && op->jump >= program->count)
			return false;
		/* Elements must have a size: loops find the end of the list by adding it. */
		if ((op->code == OP_LOOP || op->code == OP_NEXT) && op->size == 0)
			return false;
	}
	return program->count != 0 && program->ops[program->count - 1].code == OP_END;
}

/* A copy of the program in `arena`. */
static const struct template_program *
template_emit_program(const struct template_output *out, struct arena *arena)
{
	struct template_program *program = ARENA_NEW(arena, struct template_program);

	*program = (struct template_program){
	    .ops = arena_copy(arena, out->ops, out->count * sizeof(*out->ops)),
	    .count = out->count,
	    .text = arena_copy(arena, out->text.base, out->text.len),
	    .text_len = out->text.len};
	assert(!out->too_large && template_program_ok(program));
	return program;
}

/* --- Expansion of files ----------------------------------------------------------------------- */

struct template_arguments {
	const struct template_node *parent;
	const struct template_file *file; /* the file that they are written in */
	const struct template_arguments *outer;
};

/* Where the compiler is in the files. */
struct template_where {
	const struct template_file *file;
	const struct template_arguments *arguments;
	size_t dedent;     /* removed from the beginning of each line */
	struct str indent; /* and added there */
};

/* A partial that is called, in a view of that type, or in the page's when it is NULL. */
struct template_called {
	const struct template_file *file;
	const struct view_type *item;
	uint32_t begin;
	struct template_called *next;
};

struct template_compiler {
	struct arena *arena; /* of what is needed during compilation only */
	struct template_library *library;
	struct template_fault *fault;
	struct template_output out;
	struct template_scope scope;
	uint8_t slots; /* how many are in use here */
	struct template_where where;
	unsigned depth, expansions; /* the nesting of files; the number of expansions */
	struct template_called *called;
};

#define COMPILE_FAIL(c, node, ...) \
	template_fail((c)->fault, (c)->where.file->path, (node)->line, __VA_ARGS__)

/* Compiles nodes, until an error. */
static void compile_nodes(struct template_compiler *c, const struct template_node *nodes);

/* expansions of files for one template: a page has some tens */
enum { EXPANSIONS_MAX = 20000 };

static bool
is_line_end(struct str text)
{
	return str_eq(text, STR("\n")) || str_eq(text, STR("\r\n"));
}

static void
compile_text(struct template_compiler *c, const struct template_node *node, bool begun)
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

/* Compiles nodes of another place in place of `at`. */
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
	/* The first line of a block inside a line was indented already. */
	if (at->kind == NODE_BLOCK && at->inside_line && nodes != NULL &&
	    nodes->kind == NODE_TEXT) {
		compile_text(c, nodes, true);
		nodes = nodes->next;
	}
	compile_nodes(c, nodes);
	c->where = here;
	c->depth--;
}

/* The indentation of what replaces a node: the place's and the node's own. */
static struct str
indent_of(const struct template_compiler *c, const struct template_node *node)
{
	struct str own = str_sub(node->indent, c->where.dedent, node->indent.len);

	return STR_CONCAT(c->arena, c->where.indent, own);
}

/* Compiles a whole file in place of a tag; inside a line, the file's lines are not indented. */
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

/* Does a file, directly or indirectly, include the wanted file or have the wanted block? */
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

/* An argument for a block that does not exist would never be shown. */
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

/* Calls the file in the innermost view; it is compiled for that after the page's own text. */
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

static void
compile_partial(struct template_compiler *c, const struct template_node *node)
{
	const struct template_file *file = find_file(c, node);
	struct visited *visited = NULL;

	if (file == NULL)
		return;
	/* Does it include itself? */
	if (reaches(c, file, file, STR(""), &visited))
		compile_call(c, file);
	else
		compile_file_there(c, node, file, c->where.arguments);
}

static void
compile_parent(struct template_compiler *c, const struct template_node *node)
{
	const struct template_file *file = find_file(c, node);
	struct template_arguments arguments = {node, c->where.file, c->where.arguments};

	if (file == NULL)
		return;
	if (!c->library->lenient)
		check_arguments(c, node, file);
	compile_file_there(c, node, file, &arguments);
}

/* The argument for a block: that of the outermost parent that has one. */
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

static void
compile_block(struct template_compiler *c, const struct template_node *node)
{
	struct template_where there = {.arguments = c->where.arguments};
	const struct template_node *argument =
	    find_argument(c->where.arguments, node->text, &there.file);

	if (argument == NULL) {
		compile_nodes(c, node->children);
		return;
	}
	there.dedent = argument->dedent;
	there.indent = indent_of(c, node);
	compile_there(c, node, argument->children, there);
}

enum { FOLLOWS_MAX = 4 }; /* options in one dotted name */

/* The place of a dotted name. Its code jumps where an option is absent. */
struct path {
	struct template_place place;
	bool known;
	uint32_t follows[FOLLOWS_MAX];
	size_t count;
};

static bool
failed(const struct template_compiler *c)
{
	return c->fault->text.len != 0;
}

static uint32_t
emit_at(struct template_compiler *c, enum template_code code, const struct template_place *place)
{
	return template_emit(
	    &c->out, (struct template_op){
			 .code = (uint8_t)code, .slot = place->slot, .offset = place->offset});
}

static uint8_t
new_slot(struct template_compiler *c, const struct template_node *node)
{
	if (c->slots == TEMPLATE_SLOTS) {
		COMPILE_FAIL(
		    c, node, "more than %d lists and options in one another", TEMPLATE_SLOTS - 2);
		return 0;
	}
	return c->slots++;
}

/* --- Names ------------------------------------------------------------------------------------ */

static const struct view_field list_fields[] = {
    {"count", VIEW_COUNT, offsetof(struct view_list, count), NULL}};
static const struct view_type view_of_list = {
    "a list", sizeof(struct view_list), list_fields, 1, NULL};

/* What is inside a field: the view of a section of it, and the one in which "a.b" looks for b. */
static struct template_context
inside(const struct template_place *place)
{
	struct template_context context = {NULL, place->slot, place->offset};

	switch (place->field.kind) {
	case VIEW_STRING: context.type = &view_of_string; break;
	case VIEW_HTML: context.type = &view_of_html; break;
	case VIEW_NUMBER: context.type = &view_of_number; break;
	case VIEW_COUNT: context.type = &view_of_count; break;
	case VIEW_FLAG: break;
	case VIEW_LIST: context.type = &view_of_list; break;
	case VIEW_VIEW:
	case VIEW_OPTION: context.type = place->field.type; break;
	}
	return context;
}

/* Emits the step from an option to what it points to. */
static void
follow(struct template_compiler *c, const struct template_node *node, struct path *path)
{
	uint32_t op;

	if (path->count == FOLLOWS_MAX) {
		COMPILE_FAIL(c, node, "more than %d options in one name", FOLLOWS_MAX);
		return;
	}
	op = emit_at(c, OP_FOLLOW, &path->place);
	c->out.ops[op].to = new_slot(c, node);
	path->follows[path->count++] = op;
	path->place.slot = c->out.ops[op].to;
	path->place.offset = 0;
}

static void
unknown(struct template_compiler *c, const struct template_node *node,
    const struct template_scope *scope, struct str name)
{
	struct str what;

	if (c->library->lenient)
		return;
	what = template_scope_unknown(c->arena, scope, name);
	COMPILE_FAIL(c, node, "%.*s", STR_ARGS(what));
}

/* Finds the place of a node's name; in any case the caller ends it with arrive(). */
static struct path
find_path(struct template_compiler *c, const struct template_node *node)
{
	struct path path = {.known = false};
	struct str rest, name = node->text;

	if (name.len == 1)
		rest = (struct str){0};
	else
		name = str_cut(name, '.', &rest);
	if (name.len < node->text.len && rest.len == 0) {
		COMPILE_FAIL(c, node, "\"%.*s\" ends in a dot", STR_ARGS(node->text));
		return path;
	}
	if (!template_scope_find(&c->scope, name, &path.place)) {
		unknown(c, node, &c->scope, name);
		return path;
	}
	while (rest.len != 0) {
		struct template_scope scope = {.depth = 1};

		if (path.place.field.kind == VIEW_OPTION)
			follow(c, node, &path);
		scope.contexts[0] = inside(&path.place);
		name = str_cut(rest, '.', &rest);
		if (scope.contexts[0].type == NULL) {
			COMPILE_FAIL(
			    c, node, "\"%s\" is a flag: nothing is inside", path.place.field.name);
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

/* Absent options jump here. */
static void
arrive(struct template_compiler *c, const struct path *path)
{
	for (size_t i = 0; i < path->count; i++)
		c->out.ops[path->follows[i]].jump = template_emit_here(&c->out);
}

/* --- Values and sections ---------------------------------------------------------------------- */

static void
compile_value(struct template_compiler *c, const struct template_node *node)
{
	uint8_t slots = c->slots;
	struct path path = find_path(c, node);
	enum view_kind kind = path.known ? path.place.field.kind : VIEW_FLAG;
	bool raw = node->kind == NODE_RAW;

	if (path.known && raw && kind != VIEW_HTML)
		COMPILE_FAIL(c, node,
		    "{{{%.*s}}} shows HTML as it is, but \"%s\" is not struct html",
		    STR_ARGS(node->text), path.place.field.name);
	if (path.known && !raw && kind == VIEW_HTML && !c->library->lenient)
		COMPILE_FAIL(c, node, "\"%s\" is HTML: {{{%.*s}}} shows it", path.place.field.name,
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
		COMPILE_FAIL(c, node, "\"%s\" cannot be printed: use it as {{#%.*s}}",
		    path.place.field.name, STR_ARGS(node->text));
	arrive(c, &path);
	c->slots = slots;
}

/* Emits a jump if the field is true or false, as `when` says; the caller fills in the target. */
static uint32_t
emit_if(struct template_compiler *c, struct template_place place, bool when)
{
	enum template_code code = OP_IF_COUNT;
	uint32_t op;

	switch (place.field.kind) {
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
	c->out.ops[op].to = when;
	return op;
}

/* Compiles the children of a section, in a view. */
static void
compile_inside(
    struct template_compiler *c, const struct template_node *node, struct template_context context)
{
	if (c->scope.depth == TEMPLATE_NESTING_MAX) {
		COMPILE_FAIL(c, node, "more than %d sections in one another", TEMPLATE_NESTING_MAX);
		return;
	}
	if (context.type != NULL)
		c->scope.contexts[c->scope.depth++] = context;
	compile_nodes(c, node->children);
	if (context.type != NULL)
		c->scope.depth--;
}

static void
compile_loop(struct template_compiler *c, const struct template_node *node,
    const struct template_place *place)
{
	const struct view_type *item = place->field.type;
	uint8_t slot = new_slot(c, node);
	uint32_t loop = emit_at(c, OP_LOOP, place), next;

	c->out.ops[loop].to = slot;
	c->out.ops[loop].size = (uint32_t)item->size;
	compile_inside(c, node, (struct template_context){item, slot, 0});
	next = template_emit(&c->out, (struct template_op){.code = OP_NEXT, .to = slot});
	c->out.ops[next].size = (uint32_t)item->size;
	c->out.ops[next].jump = loop + 1;
	c->out.ops[loop].jump = template_emit_here(&c->out);
}

static void
compile_section(struct template_compiler *c, const struct template_node *node)
{
	uint8_t slots = c->slots;
	struct path path = find_path(c, node);
	uint32_t skip;

	if (path.known && path.place.field.kind == VIEW_LIST) {
		compile_loop(c, node, &path.place);
	} else if (path.known && path.place.field.kind == VIEW_VIEW) {
		compile_inside(c, node, inside(&path.place));
	} else if (path.known && path.place.field.kind == VIEW_OPTION) {
		follow(c, node, &path);
		compile_inside(c, node, inside(&path.place));
	} else if (path.known) {
		skip = emit_if(c, path.place, false);
		compile_inside(c, node, inside(&path.place));
		c->out.ops[skip].jump = template_emit_here(&c->out);
	}
	arrive(c, &path);
	c->slots = slots;
}

static void
compile_inverted(struct template_compiler *c, const struct template_node *node)
{
	uint8_t slots = c->slots;
	struct path path = find_path(c, node);
	uint32_t skip = 0;

	if (path.known && path.place.field.kind == VIEW_VIEW) {
		if (!c->library->lenient)
			COMPILE_FAIL(c, node, "\"%s\" is always there, so this is never shown",
			    path.place.field.name);
		arrive(c, &path);
		return;
	}
	if (path.known)
		skip = emit_if(c, path.place, true);
	arrive(c, &path);
	c->slots = slots;
	compile_nodes(c, node->children);
	if (path.known)
		c->out.ops[skip].jump = template_emit_here(&c->out);
}

static void
compile_nodes(struct template_compiler *c, const struct template_node *node)
{
	for (; node != NULL && !failed(c); node = node->next) {
		switch (node->kind) {
		case NODE_TEXT: compile_text(c, node, false); break;
		case NODE_VALUE:
		case NODE_RAW: compile_value(c, node); break;
		case NODE_SECTION: compile_section(c, node); break;
		case NODE_INVERTED: compile_inverted(c, node); break;
		case NODE_PARTIAL: compile_partial(c, node); break;
		case NODE_PARENT: compile_parent(c, node); break;
		case NODE_BLOCK: compile_block(c, node); break;
		}
		if (c->out.too_large)
			COMPILE_FAIL(c, node, "with all that it includes, this becomes too large");
	}
}

/* Compiles one file from its beginning, in the page's view or in one of a type inside that. */
static void
compile_file(
    struct template_compiler *c, const struct template_file *file, const struct view_type *item)
{
	c->scope.depth = 1;
	c->slots = 2;
	if (item != NULL)
		c->scope.contexts[c->scope.depth++] = (struct template_context){item, 1, 0};
	c->where = (struct template_where){.file = file};
	compile_nodes(c, file->nodes);
	template_emit(&c->out, (struct template_op){.code = OP_END});
}

/* The list of called partials grows at its end meanwhile. */
static void
compile_called(struct template_compiler *c)
{
	for (struct template_called *called = c->called; called != NULL && !failed(c);
	     called = called->next) {
		called->begin = template_emit_here(&c->out);
		compile_file(c, called->file, called->item);
	}
	for (size_t i = 0; i < c->out.count; i++) {
		const struct template_called *called = c->called;

		if (c->out.ops[i].code != OP_CALL)
			continue;
		for (uint32_t number = c->out.ops[i].jump; number > 0; number--)
			called = called->next;
		c->out.ops[i].jump = called->begin;
	}
}

const struct template_program *
template_compile(struct arena *arena, struct template_library *library, struct str name,
    const struct view_type *view, struct template_fault *fault)
{
	struct arena *work = arena_new();
	const struct template_file *file = library->find(library, name, fault);
	const struct template_program *program = NULL;
	struct template_compiler c = {
	    .arena = work,
	    .library = library,
	    .fault = fault,
	    .out = {.arena = work, .text.arena = work},
	    .scope.contexts[0].type = view,
	};

	if (file == NULL) {
		template_fail(fault, name, 1, "there is no such template");
	} else {
		compile_file(&c, file, NULL);
		compile_called(&c);
	}
	if (!failed(&c))
		program = template_emit_program(&c.out, arena);
	arena_free(work);
	return program;
}

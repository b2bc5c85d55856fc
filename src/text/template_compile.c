#include "text/template_compiler.h"

#include "base/arena.h"

enum { FOLLOWS_MAX = 4 }; /* options in one dotted name */

/* Where a dotted name leads. Its way jumps at the options that are not there. */
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

/* --- Names. -------------------------------------------------------------------------------------- */

static const struct view_field list_fields[] = {
    {"count", VIEW_COUNT, offsetof(struct view_list, count), NULL}};
static const struct view_type view_of_list = {"a list", sizeof(struct view_list), list_fields, 1, NULL};

/* What is inside a field: the context in which a section shows, and in which "a.b" looks for b. */
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

/* From the place of an option to what it points to. */
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

/* Finds out where a node's name leads; known or not, the caller ends it with arrive(). */
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

/* Options that are not there lead here. */
static void
arrive(struct template_compiler *c, const struct path *path)
{
	for (size_t i = 0; i < path->count; i++)
		c->out.ops[path->follows[i]].jump = template_emit_here(&c->out);
}

/* --- Values and sections. ------------------------------------------------------------------------ */

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

/* Jumps, to where the caller says, when the field is true as `when` says. */
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

/* The children of a section, in a view. */
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
	template_compile_nodes(c, node->children);
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
	template_compile_nodes(c, node->children);
	if (path.known)
		c->out.ops[skip].jump = template_emit_here(&c->out);
}

void
template_compile_nodes(struct template_compiler *c, const struct template_node *node)
{
	for (; node != NULL && !failed(c); node = node->next) {
		switch (node->kind) {
		case NODE_TEXT: template_compile_text(c, node, false); break;
		case NODE_VALUE:
		case NODE_RAW: compile_value(c, node); break;
		case NODE_SECTION: compile_section(c, node); break;
		case NODE_INVERTED: compile_inverted(c, node); break;
		case NODE_PARTIAL: template_compile_partial(c, node); break;
		case NODE_PARENT: template_compile_parent(c, node); break;
		case NODE_BLOCK: template_compile_block(c, node); break;
		}
		if (c->out.too_large)
			COMPILE_FAIL(c, node, "with all that it includes, this becomes too large");
	}
}

/* One file from its beginning, in the page's view or in one of a type inside that. */
static void
compile_file(
    struct template_compiler *c, const struct template_file *file, const struct view_type *item)
{
	c->scope.depth = 1;
	c->slots = 2;
	if (item != NULL)
		c->scope.contexts[c->scope.depth++] = (struct template_context){item, 1, 0};
	c->where = (struct template_where){.file = file};
	template_compile_nodes(c, file->nodes);
	template_emit(&c->out, (struct template_op){.code = OP_END});
}

/* The list of what is called grows at its end meanwhile. */
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

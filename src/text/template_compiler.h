#ifndef TEXT_TEMPLATE_COMPILER_H
#define TEXT_TEMPLATE_COMPILER_H

#include "text/template_emit.h"
#include "text/template_scope.h"

/*
 * The compiler's own rooms: template_compile.c makes operations of names, values and sections;
 * template_include.c brings in partials, layouts and blocks, and sees to the white space.
 *
 * Partials and layouts are compiled into their place, so they see all views around it, and text joins
 * across files. A partial that includes itself, directly or through others, cannot be: it is compiled
 * once for each type of view that it is used in, and called. It sees that view and the page's, and
 * nothing between: else its names would mean something else at each depth. Nor does it take the
 * indentation or the blocks of its place.
 *
 * The arguments of parents are a list from the innermost parent to the outermost, which wins: a page
 * overrides its layout, and that the layout of its own.
 */

struct template_arguments {
	const struct template_node *parent;
	const struct template_file *file; /* in which they are written */
	const struct template_arguments *outer;
};

/* Where in the files the compiler is. */
struct template_where {
	const struct template_file *file;
	const struct template_arguments *arguments;
	size_t dedent;     /* so much is taken from the beginning of each line */
	struct str indent; /* and this put there */
};

/* A partial that is called, in a view of that type, or in the page's when it is NULL. */
struct template_called {
	const struct template_file *file;
	const struct view_type *item;
	uint32_t begin;
	struct template_called *next;
};

struct template_compiler {
	struct arena *arena; /* of what is needed only now */
	struct template_library *library;
	struct template_fault *fault;
	struct template_output out;
	struct template_scope scope;
	uint8_t slots; /* how many are in use here */
	struct template_where where;
	unsigned depth, expansions; /* of files in one another; in all */
	struct template_called *called;
};

/* Compiles nodes, until something is wrong. */
void template_compile_nodes(struct template_compiler *c, const struct template_node *nodes);

/* A line of text. With `begun` its indentation is there already. */
void template_compile_text(
    struct template_compiler *c, const struct template_node *node, bool begun);

void template_compile_partial(struct template_compiler *c, const struct template_node *node);
void template_compile_parent(struct template_compiler *c, const struct template_node *node);
void template_compile_block(struct template_compiler *c, const struct template_node *node);

#define COMPILE_FAIL(c, node, ...) \
	template_fail((c)->fault, (c)->where.file->path, (node)->line, __VA_ARGS__)

#endif

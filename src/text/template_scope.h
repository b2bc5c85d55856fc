#ifndef TEXT_TEMPLATE_SCOPE_H
#define TEXT_TEMPLATE_SCOPE_H

#include "text/template_program.h"

/*
 * Which views a place in a template can see, and where a name in it leads: for the compiler. A name
 * belongs to the innermost view that has it; what follows a dot belongs to what stands before it.
 */

struct template_context {
	const struct view_type *type;
	uint8_t slot; /* when the template runs, the view is this many bytes behind that slot */
	uint32_t offset;
};

struct template_scope {
	struct template_context contexts[TEMPLATE_NESTING_MAX]; /* the page's view first */
	size_t depth;
};

/* A field, and where it is when the template runs. */
struct template_place {
	struct view_field field;
	uint8_t slot;
	uint32_t offset;
};

/* False when no view around has it. "." is the plain value that the innermost one is. */
bool template_scope_find(
    const struct template_scope *scope, struct str name, struct template_place *place);

/* The same in one view. */
bool template_scope_field(
    const struct template_context *context, struct str name, struct template_place *place);

/* `unknown name "titel" in post_view; did you mean "title"?` */
struct str template_scope_unknown(
    struct arena *arena, const struct template_scope *scope, struct str name);

#endif

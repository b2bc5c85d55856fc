#include "text/template_scope.h"

#include "base/arena.h"
#include "base/suggest.h"

bool
template_scope_field(
    const struct template_context *context, struct str name, struct template_place *place)
{
	if (!view_find(context->type, name, &place->field))
		return false;
	place->slot = context->slot;
	place->offset = context->offset + (uint32_t)place->field.offset;
	return true;
}

bool
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

		/* "." is near to every short name, and to none. */
		for (size_t j = 0; j < type->count; j++)
			if (type->fields[j].name[0] != '.')
				suggest_word(&near, type->fields[j].name);
	}
	return near.nearest;
}

struct str
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

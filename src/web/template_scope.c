#include "web/template_scope.h"

#include "base/arena.h"

enum { NAME_MAX_COMPARED = 48 };

bool
template_scope_field(
    const struct template_context *context, struct str name, struct template_place *place)
{
	const struct view_field *field = view_field(context->type, name);

	if (field == NULL)
		return false;
	place->field = field;
	place->slot = context->slot;
	place->offset = context->offset + (uint32_t)field->offset;
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

static size_t
least(size_t a, size_t b, size_t c)
{
	size_t ab = a < b ? a : b;

	return ab < c ? ab : c;
}

/* How many letters to add, drop or change to make one name of the other. */
static size_t
distance(struct str a, struct str b)
{
	size_t row[NAME_MAX_COMPARED + 1];

	if (a.len > NAME_MAX_COMPARED || b.len > NAME_MAX_COMPARED)
		return SIZE_MAX;
	for (size_t j = 0; j <= b.len; j++)
		row[j] = j;
	for (size_t i = 1; i <= a.len; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= b.len; j++) {
			size_t changed = diagonal + (a.base[i - 1] != b.base[j - 1]);

			diagonal = row[j];
			row[j] = least(changed, row[j] + 1, row[j - 1] + 1);
		}
	}
	return row[b.len];
}

static const char *
nearest(const struct template_scope *scope, struct str name)
{
	size_t best = name.len / 4 + 2;
	const char *nearest = NULL;

	for (size_t i = scope->depth; i > 0; i--) {
		const struct view_type *type = scope->contexts[i - 1].type;

		for (size_t j = 0; j < type->count; j++) {
			size_t far = distance(str_of(type->fields[j].name), name);

			/* "." is near to every short name, and to none. */
			if (far < best && type->fields[j].name[0] != '.') {
				best = far;
				nearest = type->fields[j].name;
			}
		}
	}
	return nearest;
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

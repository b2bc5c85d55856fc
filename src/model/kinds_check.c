/* At start: is the row of each kind complete and consistent? */
#include "base/arena.h"
#include "model/kinds.h"

/* Can it be found by a query for one person's items? */
static bool
is_somebodys(const struct kind *kind)
{
	for (const struct item_place *p = kind->places; p->pk.len != 0; p++)
		if (p->index <= TABLE_GSI1 && str_starts(p->pk, STR("USER#")))
			return true;
	return false;
}

static bool
lies_with_somebody(const struct kind *kind)
{
	for (const struct item_place *p = kind->places; p->pk.len != 0; p++)
		if (p->index == TABLE_PRIMARY && !str_starts(p->pk, STR("USER#")))
			return false;
	return true;
}

static const char *
bindings_error(const struct kind *kind)
{
	if (kind->bindings[0] == NULL)
		return "has no attributes";
	for (const struct binding_table *const *table = kind->bindings; *table != NULL; table++)
		for (size_t i = 0; i < (*table)->count; i++) {
			const struct binding *b = &(*table)->bindings[i];

			if (b->mark == 0)
				return "does not say where an attribute comes from";
			if (i > 0 && str_cmp(b[-1].name, b->name) >= 0)
				return "its attributes are out of order";
		}
	return NULL;
}

static const char *
leave_error(const struct kind *kind)
{
	switch (kind->leave) {
	case LEAVE_NOT_THEIRS:
	case LEAVE_WITH_HEAD:
	case LEAVE_AT_ONCE:
	case LEAVE_TO_EXPIRE:
		return is_somebodys(kind) ? "is somebody's, and stays when they leave" : NULL;
	case LEAVE_MOVE:
		return lies_with_somebody(kind) ? NULL : "can't be moved with whom it does not lie";
	case LEAVE_DROP:
		return kind->counted == counted_nowhere
			   ? NULL
			   : "is counted, and goes without counting down when its person leaves";
	case LEAVE_COUNT_DOWN:
		return kind->counted != counted_nowhere ? NULL : "counts down what counts nothing";
	case LEAVE_LAST:
	case LEAVE_HAND_OVER:
	case LEAVE_POST:
	case LEAVE_PICTURE:
	case LEAVE_COLLECTION: return is_somebodys(kind) ? NULL : "is nobody's";
	}
	return "does not say what becomes of it when its person leaves";
}

static const char *
own_error(const struct kind *kind)
{
	switch (kind->own) {
	case OWN_NOT:
	case OWN_WITH_HEAD:
		return is_somebodys(kind) ? "is somebody's, and not in their data" : NULL;
	case OWN_AS_IT_IS:
	case OWN_HEAD:
	case OWN_HEAD_AND_TEXT:
	case OWN_AND_CONTENT: return is_somebodys(kind) ? NULL : "is nobody's data";
	}
	return "does not say how it is exported with a person's data";
}

/*
 * Two kinds may share a key pattern only if pages and the stream treat them alike: by key they
 * can't be told apart.
 */
static const char *
places_error(const struct kind *kinds, const struct kind *kind)
{
	if (kind->places[0].pk.len == 0 || kind->places[0].index != TABLE_PRIMARY)
		return "does not say where it lies";
	for (size_t i = 0; &kinds[i] != kind; i++) {
		if (str_eq(kinds[i].type, kind->type))
			return "has the Type of another kind";
		if (str_eq(kinds[i].places[0].pk, kind->places[0].pk) &&
		    str_eq(kinds[i].places[0].sk, kind->places[0].sk) &&
		    (kinds[i].pages != kind->pages || kinds[i].stream != kind->stream))
			return "lies where another kind does, and is seen otherwise";
	}
	return NULL;
}

static const char *
error_of(const struct kind *kinds, const struct kind *kind)
{
	const char *error = kind->type.len == 0 ? "has no Type" : places_error(kinds, kind);

	if (error == NULL)
		error = bindings_error(kind);
	if (error != NULL)
		return error;
	if (kind->counted == NULL)
		return "does not say what counts it";
	if (kind->pages == 0)
		return "does not say whether pages see it";
	if (kind->stream == 0)
		return "does not say what it tells who reads the stream";
	if (kind->load == 0)
		return "does not say whether a load holds it to the rules of forms";
	if (kind->markdown == 0)
		return "does not say whose Markdown it has";
	if (kind->told.one == NULL || kind->told.many == NULL)
		return "does not say what a seed tells of it";
	error = own_error(kind);
	return error != NULL ? error : leave_error(kind);
}

const char *
kinds_check(const struct kind *kinds, size_t count, const struct kind **wrong)
{
	for (size_t i = 0; i < count; i++) {
		const char *error = error_of(kinds, &kinds[i]);

		*wrong = &kinds[i];
		if (error != NULL)
			return error;
	}
	return NULL;
}

const char *
kinds_error(struct arena *arena)
{
	const struct kind *wrong = NULL;
	const char *error = kinds_check(item_kinds, ITEM_KINDS, &wrong);

	if (error == NULL)
		return NULL;
	return str_cstring(
	    arena, str_fmt(arena, "the kind of item %.*s %s", STR_ARGS(wrong->type), error));
}

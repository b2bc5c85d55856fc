#include "web/http/route.h"

#include "base/arena.h"

/* The next segment of a path or pattern, after its slash; false at the end. */
static bool
next_segment(struct str *path, struct str *segment)
{
	if (path->len == 0)
		return false;
	*path = str_sub(*path, 1, path->len);
	*segment = str_sub(*path, 0, str_find(*path, '/'));
	*path = str_sub(*path, segment->len, path->len);
	return true;
}

/* Does the path match? Fills `params` up to REQUEST_PARAMS_MAX; *count is their number. */
static bool
matches(struct str pattern, struct str path, struct pair *params, size_t *count)
{
	struct str wanted, segment;

	*count = 0;
	while (next_segment(&pattern, &wanted)) {
		struct str whole = str_sub(path, 1, path.len);
		char kind = wanted.len != 0 ? wanted.base[0] : '\0';

		if (!next_segment(&path, &segment))
			return false;
		if (kind != ':' && kind != '*') {
			if (!str_eq(wanted, segment))
				return false;
			continue;
		}
		if (segment.len == 0)
			return false;
		params[*count].name = str_sub(wanted, 1, wanted.len);
		params[(*count)++].value = kind == '*' ? whole : segment;
		if (kind == '*')
			return true;
	}
	return path.len == 0;
}

unsigned
route_methods(const struct route *route)
{
	return (route->page->get != NULL ? METHOD_GET : 0u) |
	       (route->page->post != NULL ? METHOD_POST : 0u);
}

struct route_match
route_find(struct arena *arena, const struct route *routes, size_t count, enum http_method method,
    struct str path)
{
	struct str exact = path_canonical(arena, path, false);
	struct str folded = path_canonical(arena, exact, true);
	struct pair params[REQUEST_PARAMS_MAX];
	struct route_match match = {.path = folded};

	for (size_t i = 0; i < count; i++) {
		const struct route *route = &routes[i];
		struct str tried = route->keeps_case ? exact : folded;
		size_t captures;

		if (!matches(str_of(route->pattern), tried, params, &captures))
			continue;
		match.methods |= route_methods(route);
		if ((route_methods(route) & method) == 0)
			continue;
		match.route = route;
		match.path = tried;
		match.params.pairs = arena_copy(arena, params, captures * sizeof(params[0]));
		match.params.count = captures;
		break;
	}
	return match;
}

const struct route *
route_near(struct arena *arena, const struct route *routes, size_t count, struct str uri)
{
	struct str query, path;

	if (path_decode(arena, str_cut(uri, '?', &query), &path) == HTTP_OK)
		uri = path_canonical(arena, path, true);
	for (size_t i = 0; i < count; i++) {
		struct str fixed = str_of(routes[i].pattern);

		fixed = str_sub(fixed, 0, str_find(fixed, ':'));
		if (routes[i].secret && str_eq_nocase(str_sub(uri, 0, fixed.len), fixed))
			return &routes[i];
	}
	return NULL;
}

/* Does `earlier` match every path that `later` matches? Then the later row is unreachable. */
static bool
covers(struct str earlier, struct str later)
{
	struct str a, b;

	while (next_segment(&earlier, &a)) {
		if (!next_segment(&later, &b))
			return false;
		if (a.len != 0 && a.base[0] == '*')
			return true;
		if (a.len != 0 && a.base[0] == ':' ? b.len != 0 && b.base[0] == '*' : !str_eq(a, b))
			return false;
	}
	return later.len == 0;
}

static const char *
check_pattern(struct arena *arena, const struct route *route)
{
	struct str pattern = str_of(route->pattern), segment;
	size_t captures = 0;

	if (!str_eq(path_canonical(arena, pattern, !route->keeps_case), pattern))
		return "a route's pattern is not in canonical form";
	while (next_segment(&pattern, &segment)) {
		bool rest = segment.len != 0 && segment.base[0] == '*';

		if (rest && pattern.len != 0)
			return "a route's pattern goes on behind its *";
		captures += rest || (segment.len != 0 && segment.base[0] == ':');
	}
	return captures > REQUEST_PARAMS_MAX ? "a route captures too much" : NULL;
}

static const char *
check_row(struct arena *arena, const struct route *route)
{
	const struct page *page = route->page;

	if (route->pattern == NULL || page == NULL || route_methods(route) == 0)
		return "a route has no pattern, or no page that answers";
	if ((page->form != NULL) != (page->refused != NULL) ||
	    (page->form != NULL && page->post == NULL))
		return "a page with a form takes it, and says who shows it again";
	if (page->body_max != NULL && page->body_max() > REQUEST_BODY_MAX)
		return "a page takes a larger body than any may";
	if (route->without_table && (page->post != NULL || route->needs != MAY_VISIT))
		return "a route without the table takes no POST and is for everybody";
	if (route->needs >= MAY_READ)
		return "a route needs what only a thing can be asked for";
	if (route->policy == CACHE_HOUR && route->needs != MAY_VISIT)
		return "a route that anybody may keep is not for everybody";
	return check_pattern(arena, route);
}

const char *
routes_check(const struct route *routes, size_t count, const struct route **wrong)
{
	struct arena *arena = arena_new();
	const char *error = NULL;

	for (size_t i = 0; i < count && error == NULL; i++) {
		*wrong = &routes[i];
		error = check_row(arena, &routes[i]);
		for (size_t j = 0; j < i && error == NULL; j++)
			if ((route_methods(&routes[i]) & ~route_methods(&routes[j])) == 0 &&
			    routes[i].keeps_case == routes[j].keeps_case &&
			    covers(str_of(routes[j].pattern), str_of(routes[i].pattern)))
				error = "a route stands behind one that takes all its addresses";
	}
	arena_free(arena);
	return error;
}

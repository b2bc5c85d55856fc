#include "web/csrf.h"

#include "base/arena.h"
#include "web/dispatch.h"

/* `https://example.org` of an address; what has none is empty. */
static struct str
origin_of(struct str address)
{
	size_t start = str_starts(address, STR("https://"))  ? 8
		       : str_starts(address, STR("http://")) ? 7
							     : 0;
	size_t slash;

	if (start == 0)
		return STR("");
	slash = str_find(str_sub(address, start, address.len), '/');
	return str_sub(address, 0, start + slash);
}

/* Is it the site's own, or the host's by which the browser came? Nobody else chooses that. */
static bool
is_own(const struct request *rq, struct str origin)
{
	const struct request_input *in = rq->in;

	if (origin.len == 0)
		return false;
	return str_eq_nocase(origin, rq->site->origin) ||
	       (in->host.len != 0 &&
		   str_eq_nocase(origin, STR_CONCAT(rq->arena, in->scheme, STR("://"), in->host)));
}

static bool
comes_from_here(const struct request *rq)
{
	const struct request_input *in = rq->in;

	/* "none" is the reader's own doing, such as sending a form again after a restart. */
	if (in->sec_fetch_site.len != 0)
		return str_eq(in->sec_fetch_site, STR("same-origin")) ||
		       str_eq(in->sec_fetch_site, STR("none"));
	if (in->origin.len != 0)
		return is_own(rq, in->origin);
	return is_own(rq, origin_of(in->referer));
}

bool
csrf_check(const struct request *rq)
{
	return comes_from_here(rq);
}

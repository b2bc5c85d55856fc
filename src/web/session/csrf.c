#include "web/session/csrf.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/people/session.h"
#include "web/http/dispatch.h"
#include "web/session/session.h"

#include <sodium.h>
#include <string.h>

enum {
	MASK = 16,
	TAG = 32,
	TOKEN_LEN = 64, /* of base64url */
	VARIANT = sodium_base64_VARIANT_URLSAFE_NO_PADDING,
};

/* `https://example.org` of an address; empty if it has none. */
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

/*
 * Is it the site's own, or that of the host which the browser requested? Another site can choose
 * neither.
 */
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

bool
csrf_is_from_here(const struct request *rq)
{
	const struct request_input *in = rq->in;

	/* "none" means that the reader did it, such as sending a form again after a restart. */
	if (in->sec_fetch_site.len != 0)
		return str_eq(in->sec_fetch_site, STR("same-origin")) ||
		       str_eq(in->sec_fetch_site, STR("none"));
	if (in->origin.len != 0)
		return is_own(rq, in->origin);
	return is_own(rq, origin_of(in->referer));
}

/*
 * A visitor's token is not valid for a session, and vice versa: the kind is in the tag. So is what else than a token it is
 * for, if anything.
 */
static void
make_tag(const struct request *rq, const unsigned char key[SECRET_BYTES], struct str purpose,
    const unsigned char mask[MASK], struct str bound, unsigned char tag[TAG])
{
	struct str kind = rq->viewer != NULL ? STR("session:") : STR("visit:");
	crypto_generichash_state state;

	crypto_generichash_init(&state, key, SECRET_BYTES, TAG);
	crypto_generichash_update(&state, mask, MASK);
	crypto_generichash_update(&state, (const unsigned char *)purpose.base, purpose.len);
	crypto_generichash_update(&state, (const unsigned char *)kind.base, kind.len);
	crypto_generichash_update(&state, (const unsigned char *)bound.base, bound.len);
	crypto_generichash_final(&state, tag, TAG);
}

/* What the request's forms are bound to; empty if there is nothing yet. */
static struct str
bound_to(const struct request *rq)
{
	return rq->session_token.len != 0 ? rq->session_token : session_visit(rq);
}

static bool
has_token(const struct request *rq)
{
	struct str token = parts_get(&rq->inputs, CSRF_INPUT), bound = bound_to(rq);
	unsigned char bytes[MASK + TAG], tag[TAG];
	struct secret_keys keys;
	bool right = false;
	size_t len;

	if (bound.len == 0 || token.len != TOKEN_LEN ||
	    sodium_base642bin(
		bytes, sizeof(bytes), token.base, token.len, NULL, &len, NULL, VARIANT) != 0 ||
	    len != sizeof(bytes))
		return false;
	site_keys(rq->site, "csrf", &keys);
	for (size_t i = 0; i < keys.count && !right; i++) {
		make_tag(rq, keys.keys[i], STR(""), bytes, bound, tag);
		right = sodium_memcmp(tag, bytes + MASK, TAG) == 0;
	}
	sodium_memzero(&keys, sizeof(keys));
	return right;
}

bool
csrf_check(const struct request *rq)
{
	return csrf_is_from_here(rq) && (rq->site->load_viewer == NULL || has_token(rq));
}

struct str
csrf_token(struct request *rq, struct response *rs)
{
	static const unsigned char no_mask[MASK];
	unsigned char bytes[MASK + TAG], key[SECRET_BYTES];
	char *text, *session;

	if (rs->token.len != 0)
		return rs->token;
	/* A page with a token is for one visitor. */
	if (rs->policy > CACHE_PRIVATE)
		rs->policy = CACHE_PRIVATE;
	if (bound_to(rq).len == 0)
		session_visit_begin(rq, rs);
	text = arena_alloc(rq->arena, TOKEN_LEN + 1);
	session = arena_alloc(rq->arena, TAG);
	rq->clock->random(rq->clock, bytes, MASK);
	site_key(rq->site, "csrf", key);
	make_tag(rq, key, STR(""), bytes, bound_to(rq), bytes + MASK);
	make_tag(rq, key, STR("etag:"), no_mask, bound_to(rq), (unsigned char *)session);
	sodium_memzero(key, sizeof(key));
	sodium_bin2base64(text, TOKEN_LEN + 1, bytes, sizeof(bytes), VARIANT);
	rs->token = (struct str){text, TOKEN_LEN};
	rs->token_of = (struct str){session, TAG};
	return rs->token;
}

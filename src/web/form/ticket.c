#include "web/form/ticket.h"

#include "base/arena.h"
#include "model/site/secret.h"
#include "web/http/dispatch.h"

#include <sodium.h>

/* base64url( sealed( until, 8 bytes | text ) ) */
enum { TIME = 8, TICKET_MAX = 1000, VARIANT = sodium_base64_VARIANT_URLSAFE_NO_PADDING };

struct str
ticket_make(
    struct request *rq, const char *purpose, struct str bound, struct str text, int64_t good_for_ms)
{
	unsigned char key[SEALED_KEY_BYTES];
	uint64_t until = (uint64_t)(rq->now + good_for_ms);
	char when[TIME], *out;
	struct str sealed;
	size_t size;

	for (int i = 0; i < TIME; i++)
		when[i] = (char)(until >> (8 * i) & 0xff);
	site_key(rq->site, purpose, key);
	sealed = sealed_make(rq->arena, rq->clock, key, bound,
	    STR_CONCAT(rq->arena, ((struct str){when, TIME}), text));
	sodium_memzero(key, sizeof(key));
	size = sodium_base64_ENCODED_LEN(sealed.len, VARIANT);
	out = arena_alloc(rq->arena, size);
	sodium_bin2base64(out, size, (const unsigned char *)sealed.base, sealed.len, VARIANT);
	return (struct str){out, size - 1};
}

bool
ticket_open(
    struct request *rq, const char *purpose, struct str bound, struct str ticket, struct str *text)
{
	struct secret_keys keys;
	unsigned char *bytes;
	struct str inside;
	uint64_t until = 0;
	size_t len;
	bool opens;

	if (ticket.len == 0 || ticket.len > TICKET_MAX)
		return false;
	bytes = arena_alloc(rq->arena, ticket.len);
	if (sodium_base642bin(
		bytes, ticket.len, ticket.base, ticket.len, NULL, &len, NULL, VARIANT) != 0)
		return false;
	site_keys(rq->site, purpose, &keys);
	opens = sealed_open_any(
	    rq->arena, &keys, bound, (struct str){(const char *)bytes, len}, &inside, NULL);
	sodium_memzero(&keys, sizeof(keys));
	if (!opens || inside.len < TIME)
		return false;
	for (int i = 0; i < TIME; i++)
		until |= (uint64_t)(unsigned char)inside.base[i] << (8 * i);
	*text = str_sub(inside, TIME, inside.len);
	return (uint64_t)rq->now < until;
}

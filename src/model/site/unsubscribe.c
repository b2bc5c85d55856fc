#include "model/site/unsubscribe.h"

#include "base/arena.h"

#include <sodium.h>

/* base64url( sealed( one letter of the kind | username ) ) */
enum { TOKEN_MAX = 200, VARIANT = sodium_base64_VARIANT_URLSAFE_NO_PADDING };
static const char letters[UNSUBSCRIBES] = {'a', 'w'};

struct str
unsubscribe_token(struct arena *arena, struct clock *clock, const struct secret_keys *keys,
    struct str username, enum unsubscribe what)
{
	struct str kind = {&letters[what], 1};
	struct str sealed = sealed_make(
	    arena, clock, keys->keys[0], STR(""), STR_CONCAT(arena, kind, username));
	size_t size = sodium_base64_ENCODED_LEN(sealed.len, VARIANT);
	char *out = arena_alloc(arena, size);

	sodium_bin2base64(out, size, (const unsigned char *)sealed.base, sealed.len, VARIANT);
	return (struct str){out, size - 1};
}

bool
unsubscribe_open(struct arena *arena, const struct secret_keys *keys, struct str token,
    struct str *username, enum unsubscribe *what)
{
	unsigned char bytes[TOKEN_MAX];
	struct str text;
	size_t len;
	const char *kind;

	if (token.len == 0 || token.len > TOKEN_MAX ||
	    sodium_base642bin(
		bytes, sizeof(bytes), token.base, token.len, NULL, &len, NULL, VARIANT) != 0 ||
	    !sealed_open_any(arena, keys, STR(""), (struct str){(const char *)bytes, len}, &text, NULL))
		return false;
	kind = text.len != 0 ? memchr(letters, text.base[0], sizeof(letters)) : NULL;
	*username = str_sub(text, 1, text.len);
	*what = (enum unsubscribe)(kind != NULL ? kind - letters : 0);
	return kind != NULL;
}

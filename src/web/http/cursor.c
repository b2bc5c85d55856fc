#include "web/http/cursor.h"

#include "base/arena.h"
#include "model/site/secret.h"

#include <sodium.h>
#include <string.h>

enum { TAG = 16, VARIANT = sodium_base64_VARIANT_URLSAFE_NO_PADDING };

/*
 * The first bytes of the tag. The context is length-prefixed, which separates it from the cursor.
 */
static void
make_tag(unsigned char tag[TAG], const unsigned char key[CURSOR_KEY_BYTES], struct str context,
    struct str cursor)
{
	crypto_generichash_state state;
	uint64_t length = context.len;
	unsigned char bytes[8];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)(length >> (8 * i));
	crypto_generichash_init(&state, key, CURSOR_KEY_BYTES, TAG);
	crypto_generichash_update(&state, bytes, sizeof(bytes));
	crypto_generichash_update(&state, (const unsigned char *)context.base, context.len);
	crypto_generichash_update(&state, (const unsigned char *)cursor.base, cursor.len);
	crypto_generichash_final(&state, tag, TAG);
}

struct str
cursor_seal(struct arena *arena, const unsigned char key[CURSOR_KEY_BYTES], struct str context,
    struct str cursor)
{
	unsigned char *sealed;
	size_t size;
	char *text;

	if (cursor.len == 0)
		return STR("");
	sealed = arena_alloc(arena, TAG + cursor.len);
	make_tag(sealed, key, context, cursor);
	memcpy(sealed + TAG, cursor.base, cursor.len);
	size = sodium_base64_ENCODED_LEN(TAG + cursor.len, VARIANT);
	text = arena_alloc(arena, size);
	sodium_bin2base64(text, size, sealed, TAG + cursor.len, VARIANT);
	return (struct str){text, size - 1};
}

bool
cursor_open(struct arena *arena, const unsigned char key[CURSOR_KEY_BYTES], struct str context,
    struct str text, struct str *cursor)
{
	unsigned char tag[TAG], *sealed;
	struct str inside;
	size_t len;

	if (text.len == 0) {
		*cursor = STR("");
		return true;
	}
	if (text.len > CURSOR_SEALED_MAX)
		return false;
	sealed = arena_alloc(arena, text.len);
	if (sodium_base642bin(sealed, text.len, text.base, text.len, NULL, &len, NULL, VARIANT) !=
		0 ||
	    len <= TAG)
		return false;
	inside = (struct str){(const char *)sealed + TAG, len - TAG};
	make_tag(tag, key, context, inside);
	if (sodium_memcmp(tag, sealed, TAG) != 0)
		return false;
	*cursor = inside;
	return true;
}

bool
cursor_open_any(struct arena *arena, const struct secret_keys *keys, struct str context,
    struct str text, struct str *cursor)
{
	bool opens = false;

	for (size_t i = 0; i < keys->count && !opens; i++)
		opens = cursor_open(arena, keys->keys[i], context, text, cursor);
	return opens;
}

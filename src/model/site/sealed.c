#include "model/site/sealed.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/site/secret.h"

#include <sodium.h>

/* nonce | the text in cipher and its tag */
enum {
	NONCE = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES,
	TAG = crypto_aead_xchacha20poly1305_ietf_ABYTES,
};
_Static_assert((int)SECRET_BYTES == (int)SEALED_KEY_BYTES, "what derives from a secret is a key");
_Static_assert(crypto_aead_xchacha20poly1305_ietf_KEYBYTES == SEALED_KEY_BYTES, "a key's size");

static const unsigned char *
bytes(struct str s)
{
	return (const unsigned char *)s.base;
}

struct str
sealed_make(struct arena *arena, struct clock *clock, const unsigned char key[SEALED_KEY_BYTES],
    struct str bound, struct str text)
{
	unsigned char *out = arena_alloc(arena, NONCE + text.len + TAG);

	clock->random(clock, out, NONCE);
	crypto_aead_xchacha20poly1305_ietf_encrypt(
	    out + NONCE, NULL, bytes(text), text.len, bytes(bound), bound.len, NULL, out, key);
	return (struct str){(const char *)out, NONCE + text.len + TAG};
}

bool
sealed_open(struct arena *arena, const unsigned char key[SEALED_KEY_BYTES], struct str bound,
    struct str sealed, struct str *text)
{
	unsigned char *out;

	if (sealed.len < NONCE + TAG)
		return false;
	out = arena_alloc(arena, sealed.len - NONCE - TAG);
	if (crypto_aead_xchacha20poly1305_ietf_decrypt(out, NULL, NULL, bytes(sealed) + NONCE,
		sealed.len - NONCE, bytes(bound), bound.len, bytes(sealed), key) != 0)
		return false;
	*text = (struct str){(const char *)out, sealed.len - NONCE - TAG};
	return true;
}

bool
sealed_open_any(struct arena *arena, const struct secret_keys *keys, struct str bound,
    struct str sealed, struct str *text, size_t *by)
{
	for (size_t i = 0; i < keys->count; i++) {
		if (!sealed_open(arena, keys->keys[i], bound, sealed, text))
			continue;
		if (by != NULL)
			*by = i;
		return true;
	}
	return false;
}

/* SHA-1 and HMAC-SHA-1 against the cases of RFC 3174, FIPS 180 and RFC 2202. */
#include "lib/tap.h"

#include "base/arena.h"
#include "base/sha1.h"

#include <sodium.h>

static const struct {
	const char *key, *text, *hex; /* without a key: the plain digest */
	unsigned times;               /* how often the text is repeated */
} cases[] = {
    {NULL, "", "da39a3ee5e6b4b0d3255bfef95601890afd80709", 1},
    {NULL, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d", 1},
    {NULL, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
	"84983e441c3bd26ebaae4aa1f95129e5e54670f1", 1},
    {NULL, "0123456701234567012345670123456701234567012345670123456701234567",
	"dea356a2cddd90c7a7ecedc5ebb563934f460452", 10},
    {NULL, "aaaaaaaaaa", "34aa973cd4c4daa4f61eeb2bdbad27316534016f", 100000},
    {"Jefe", "what do ya want for nothing?", "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79", 1},
    {"\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b", "Hi There",
	"b617318655057264e28bc0b6fb378c8ef146be00", 1},
};

int
main(void)
{
	static const char long_key[] = "Test Using Larger Than Block-Size Key - Hash Key First";
	struct arena *arena = arena_new();
	unsigned char mac[SHA1_BYTES];
	char hex[2 * SHA1_BYTES + 1], key[80];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t len = strlen(cases[i].text);
		char *text = arena_alloc(arena, len * cases[i].times + 1);

		for (unsigned n = 0; n < cases[i].times; n++)
			memcpy(text + n * len, cases[i].text, len);
		if (cases[i].key == NULL)
			sha1((struct str){text, len * cases[i].times}, mac);
		else
			sha1_hmac(str_of(cases[i].key), str_of(text), mac);
		sodium_bin2hex(hex, sizeof(hex), mac, sizeof(mac));
		is_str(str_of(hex), str_of(cases[i].hex), "case %zu", i);
	}
	memset(key, 0xaa, sizeof(key));
	sha1_hmac((struct str){key, sizeof(key)}, str_of(long_key), mac);
	sodium_bin2hex(hex, sizeof(hex), mac, sizeof(mac));
	is_str(str_of(hex), STR("aa4ae5e15272d00e95705637ce8a3b55ed402112"),
	    "a key that is longer than a block");
	arena_free(arena);
	return tap_done();
}

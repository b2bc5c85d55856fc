#include "base/sha1.h"

#include <string.h>

enum { BLOCK = 64, ROUNDS = 80 };

struct state {
	uint32_t h[5];
	unsigned char block[BLOCK];
	size_t filled;
	uint64_t bits;
};

static uint32_t
rotate(uint32_t x, unsigned n)
{
	return x << n | x >> (32 - n);
}

/* The function and the constant of a round. */
static uint32_t
mix(unsigned round, uint32_t b, uint32_t c, uint32_t d)
{
	if (round < 20)
		return ((b & c) | (~b & d)) + 0x5a827999;
	if (round < 40)
		return (b ^ c ^ d) + 0x6ed9eba1;
	if (round < 60)
		return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
	return (b ^ c ^ d) + 0xca62c1d6;
}

static void
digest_block(struct state *s)
{
	uint32_t w[ROUNDS], a = s->h[0], b = s->h[1], c = s->h[2], d = s->h[3], e = s->h[4];

	for (unsigned i = 0; i < 16; i++)
		w[i] = (uint32_t)s->block[4 * i] << 24 | (uint32_t)s->block[4 * i + 1] << 16 |
		       (uint32_t)s->block[4 * i + 2] << 8 | s->block[4 * i + 3];
	for (unsigned i = 16; i < ROUNDS; i++)
		w[i] = rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
	for (unsigned i = 0; i < ROUNDS; i++) {
		uint32_t next = rotate(a, 5) + mix(i, b, c, d) + e + w[i];

		e = d;
		d = c;
		c = rotate(b, 30);
		b = a;
		a = next;
	}
	s->h[0] += a;
	s->h[1] += b;
	s->h[2] += c;
	s->h[3] += d;
	s->h[4] += e;
	s->filled = 0;
}

static void
begin(struct state *s)
{
	*s = (struct state){.h = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0}};
}

static void
add_byte(struct state *s, unsigned char byte)
{
	s->block[s->filled++] = byte;
	if (s->filled == BLOCK)
		digest_block(s);
}

static void
add(struct state *s, struct str text)
{
	for (size_t i = 0; i < text.len; i++)
		add_byte(s, (unsigned char)text.base[i]);
	s->bits += text.len * 8;
}

static void
end(struct state *s, unsigned char out[SHA1_BYTES])
{
	uint64_t bits = s->bits;

	add_byte(s, 0x80);
	while (s->filled != BLOCK - 8)
		add_byte(s, 0);
	for (int i = 7; i >= 0; i--)
		add_byte(s, (unsigned char)(bits >> (8 * i)));
	for (unsigned i = 0; i < SHA1_BYTES; i++)
		out[i] = (unsigned char)(s->h[i / 4] >> (8 * (3 - i % 4)));
}

void
sha1(struct str text, unsigned char out[SHA1_BYTES])
{
	struct state s;

	begin(&s);
	add(&s, text);
	end(&s, out);
}

void
sha1_hmac(struct str key, struct str text, unsigned char out[SHA1_BYTES])
{
	unsigned char pad[BLOCK] = {0}, inner[SHA1_BYTES];
	struct state s;

	if (key.len > BLOCK)
		sha1(key, pad);
	else
		memcpy(pad, key.base, key.len);
	for (size_t i = 0; i < BLOCK; i++)
		pad[i] ^= 0x36;
	begin(&s);
	add(&s, (struct str){(const char *)pad, BLOCK});
	add(&s, text);
	end(&s, inner);
	for (size_t i = 0; i < BLOCK; i++)
		pad[i] ^= 0x36 ^ 0x5c;
	begin(&s);
	add(&s, (struct str){(const char *)pad, BLOCK});
	add(&s, (struct str){(const char *)inner, SHA1_BYTES});
	end(&s, out);
}

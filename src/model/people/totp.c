#include "model/people/totp.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/sha1.h"

enum { LATE = 1, MODULUS = 1000000, ISSUER_MAX = 40 };

struct str
totp_secret(struct arena *arena, struct clock *clock)
{
	char *bytes = arena_alloc(arena, TOTP_SECRET_BYTES);

	clock->random(clock, bytes, TOTP_SECRET_BYTES);
	return (struct str){bytes, TOTP_SECRET_BYTES};
}

uint32_t
totp_code(struct str secret, int64_t step)
{
	unsigned char mac[SHA1_BYTES];
	char counter[8];
	unsigned at;

	for (int i = 0; i < 8; i++)
		counter[i] = (char)((uint64_t)step >> (8 * (7 - i)) & 0xff);
	sha1_hmac(secret, (struct str){counter, sizeof(counter)}, mac);
	at = mac[SHA1_BYTES - 1] & 0xf;
	return (((uint32_t)mac[at] & 0x7f) << 24 | (uint32_t)mac[at + 1] << 16 |
		   (uint32_t)mac[at + 2] << 8 | mac[at + 3]) %
	       MODULUS;
}

/* Six digits, with white space anywhere, since apps show some. */
static bool
read_code(struct str typed, uint32_t *code)
{
	unsigned digits = 0;

	*code = 0;
	for (size_t i = 0; i < typed.len; i++) {
		char c = typed.base[i];

		if (c == ' ' || c == '\t')
			continue;
		if (c < '0' || c > '9' || ++digits > TOTP_DIGITS)
			return false;
		*code = *code * 10 + (uint32_t)(c - '0');
	}
	return digits == TOTP_DIGITS;
}

int64_t
totp_match(struct str secret, struct str typed, int64_t now, int64_t last)
{
	int64_t step = now / TOTP_STEP_MS, found = 0;
	uint32_t code;

	if (secret.len != TOTP_SECRET_BYTES || !read_code(typed, &code))
		return 0;
	/* All are compared, so that the time taken reveals nothing. */
	for (int64_t s = step - LATE; s <= step; s++)
		if (totp_code(secret, s) == code && s > last && found == 0)
			found = s;
	return found;
}

struct str
totp_base32(struct arena *arena, struct str secret)
{
	static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
	struct buf out = {.arena = arena};
	unsigned held = 0, bits = 0;

	for (size_t i = 0; i < secret.len; i++) {
		held = held << 8 | (unsigned char)secret.base[i];
		for (bits += 8; bits >= 5; bits -= 5)
			buf_putc(&out, alphabet[held >> (bits - 5) & 31]);
		held &= (1u << bits) - 1;
	}
	if (bits != 0)
		buf_putc(&out, alphabet[held << (5 - bits) & 31]);
	return buf_str(&out);
}

/* A name in a URL: whatever is neither letter nor digit is escaped. */
static void
put_name(struct buf *out, struct str name)
{
	for (size_t i = 0; i < name.len; i++) {
		unsigned char c = (unsigned char)name.base[i];

		if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
		    c == '_' || c == '-')
			buf_putc(out, (char)c);
		else
			buf_fmt(out, "%%%02X", c);
	}
}

/* A QR code has limited capacity: a long name is cut, between characters. */
static struct str
shorten(struct str name)
{
	size_t at = 0, end = 0;

	while (at < name.len) {
		str_rune(name, &at);
		if (at > ISSUER_MAX)
			break;
		end = at;
	}
	return str_sub(name, 0, end);
}

struct str
totp_address(struct arena *arena, struct str site_name, struct str username, struct str secret)
{
	struct buf out = {.arena = arena};
	struct str issuer = shorten(site_name);

	BUF_PUT(&out, "otpauth://totp/");
	put_name(&out, issuer);
	BUF_PUT(&out, ":");
	put_name(&out, username);
	BUF_PUT(&out, "?secret=");
	buf_put(&out, totp_base32(arena, secret));
	BUF_PUT(&out, "&issuer=");
	put_name(&out, issuer);
	return buf_str(&out);
}

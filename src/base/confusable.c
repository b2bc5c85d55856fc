#include "base/confusable.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/unicode.h"

#include <unicode/unorm2.h>
#include <unicode/uspoof.h>
#include <unicode/ustring.h>

enum { LONG = 400 /* at most so many bytes of a name are compared */, UNITS = 16 * LONG };

/* A name being transformed, and a buffer for its next form. */
struct form {
	UChar *now, *next;
	int32_t len;
	bool good;
};

static void
made(struct form *f, int32_t len, UErrorCode failed)
{
	UChar *was = f->now;

	f->good = f->good && U_SUCCESS(failed);
	f->now = f->next;
	f->next = was;
	f->len = len;
}

static void
normalize(struct form *f, const UNormalizer2 *form, UErrorCode failed)
{
	int32_t len = unorm2_normalize(form, f->now, f->len, f->next, UNITS, &failed);

	made(f, len, failed);
}

/* The skeleton of UTS #39: replaces characters by those that they look like. */
static void
look(struct form *f, const USpoofChecker *checker)
{
	UErrorCode failed = U_ZERO_ERROR;
	int32_t len = uspoof_getSkeleton(checker, 0, f->now, f->len, f->next, UNITS, &failed);

	made(f, len, failed);
}

/*
 * A capital may look like another letter than its small form does (a Cyrillic М is unlike м), so
 * the skeleton is taken both before and after case folding.
 */
static void
transform(struct form *f)
{
	UErrorCode failed = U_ZERO_ERROR;
	USpoofChecker *checker = uspoof_open(&failed);
	const UNormalizer2 *compat = unorm2_getNFKCInstance(&failed);
	const UNormalizer2 *folded = unorm2_getNFKCCasefoldInstance(&failed);
	const UNormalizer2 *apart = unorm2_getNFDInstance(&failed);

	f->good = f->good && U_SUCCESS(failed);
	if (f->good) {
		normalize(f, compat, failed);
		look(f, checker);
		normalize(f, folded, failed);
		look(f, checker);
		normalize(f, apart, failed);
	}
	uspoof_close(checker);
}

/*
 * In addition to Unicode's data: the letters for which people write digits and signs, and an i that
 * may be an l.
 */
static uint32_t
letter_of(uint32_t rune)
{
	static const char pairs[] = "0o1l3e4a5s7t8b9gil@a$s!l|l";

	for (size_t i = 0; i + 1 < sizeof(pairs); i += 2)
		if (rune == (unsigned char)pairs[i])
			return (unsigned char)pairs[i + 1];
	return rune;
}

/* Letters and digits alone, without marks. */
static void
put(struct buf *out, uint32_t rune)
{
	struct str letter;
	char bytes[4];

	rune = letter_of(rune);
	if ((rune >= 0x300 && rune <= 0x36f) || !unicode_is_word(rune) ||
	    unicode_is_ignorable(rune))
		return;
	letter = str_of_rune(bytes, rune);
	if (rune == 'v' && out->len != 0 && out->base[out->len - 1] == 'v')
		out->base[out->len - 1] = 'w';
	else if (out->len + letter.len <= CONFUSABLE_MAX)
		buf_put(out, letter);
}

struct str
confusable_skeleton(struct arena *arena, struct str name)
{
	UChar units[2][UNITS];
	struct form f = {.now = units[0], .next = units[1]};
	UErrorCode failed = U_ZERO_ERROR;
	struct buf out = {.arena = arena};

	while (name.len > LONG || !str_utf8(name)) {
		if (name.len == 0)
			return name;
		name.len = name.len > LONG ? LONG : name.len - 1;
	}
	u_strFromUTF8(f.now, UNITS, &f.len, name.base, (int32_t)name.len, &failed);
	f.good = U_SUCCESS(failed) != 0;
	transform(&f);
	for (int32_t i = 0; f.good && i < f.len;) {
		UChar32 rune[1];
		int32_t taken = i + 1 < f.len && U16_IS_LEAD((uint32_t)f.now[i]) ? 2 : 1, len = 0;

		u_strToUTF32(rune, 1, &len, f.now + i, taken, &failed);
		if (len == 1)
			put(&out, (uint32_t)rune[0]);
		i += taken;
	}
	return buf_str(&out);
}

bool
confusable_is_mixed(struct str word)
{
	UErrorCode failed = U_ZERO_ERROR;
	USpoofChecker *checker = uspoof_open(&failed);
	int32_t found = 0;

	uspoof_setChecks(checker, USPOOF_RESTRICTION_LEVEL, &failed);
	/* Latin together with one other script is allowed, except with those that look like it. */
	uspoof_setRestrictionLevel(checker, USPOOF_MODERATELY_RESTRICTIVE);
	if (U_SUCCESS(failed))
		found = uspoof_check2UTF8(checker, word.base, (int32_t)word.len, NULL, &failed);
	uspoof_close(checker);
	return U_SUCCESS(failed) && found != 0;
}

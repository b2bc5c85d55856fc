#include "base/unicode.h"

#include "base/arena.h"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/uscript.h>
#include <unicode/ustring.h>

enum {
	GROWTH = 4, /* at most so many UTF-16 units per unit, decomposed and folded */
	SHORT = 256 /* bytes */
};

/* A text as ICU takes it. */
struct wide {
	UChar *units;
	int32_t len, capacity;
};

static bool
is_ascii(struct str text)
{
	for (size_t i = 0; i < text.len; i++)
		if ((unsigned char)text.base[i] >= 0x80)
			return false;
	return true;
}

bool
unicode_is_word(uint32_t rune)
{
	const uint32_t kinds =
	    U_GC_L_MASK | U_GC_MN_MASK | U_GC_MC_MASK | U_GC_ND_MASK | U_GC_NL_MASK;

	return (U_GET_GC_MASK((UChar32)rune) & kinds) != 0;
}

bool
unicode_is_mark(uint32_t rune)
{
	return (U_GET_GC_MASK((UChar32)rune) & U_GC_M_MASK) != 0;
}

bool
unicode_is_ignorable(uint32_t rune)
{
	return u_hasBinaryProperty((UChar32)rune, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) != 0 ||
	       u_charType((UChar32)rune) == U_FORMAT_CHAR;
}

uint32_t
unicode_small(uint32_t rune)
{
	return (uint32_t)u_foldCase((UChar32)rune, U_FOLD_CASE_DEFAULT);
}

size_t
unicode_compat(uint32_t rune, uint32_t out[UNICODE_COMPAT_MAX])
{
	UErrorCode failed = U_ZERO_ERROR;
	UChar units[2 * UNICODE_COMPAT_MAX];
	int32_t len = unorm2_getDecomposition(
	    unorm2_getNFKCInstance(&failed), (UChar32)rune, units, 2 * UNICODE_COMPAT_MAX, &failed);
	int32_t count = 0;

	if (len > 0)
		u_strToUTF32((UChar32 *)out, UNICODE_COMPAT_MAX, &count, units, len, &failed);
	return U_SUCCESS(failed) ? (size_t)count : 0;
}

static UScriptCode
script_of(uint32_t rune)
{
	UErrorCode failed = U_ZERO_ERROR;

	return uscript_getScript((UChar32)rune, &failed);
}

/* Does its decomposition say less than it does? */
static bool
stays_whole(uint32_t rune)
{
	UScriptCode script;

	if (rune == 0x0419 || rune == 0x0439) /* Й, й */
		return true;
	script = rune < 0x1100 ? USCRIPT_LATIN : script_of(rune);
	return script == USCRIPT_HANGUL ||
	       ((script == USCRIPT_HIRAGANA || script == USCRIPT_KATAKANA) && rune < 0xff00);
}

size_t
unicode_plain(uint32_t rune, uint32_t out[UNICODE_COMPAT_MAX])
{
	UErrorCode failed = U_ZERO_ERROR;
	UChar units[2 * UNICODE_COMPAT_MAX];
	UChar32 runes[UNICODE_COMPAT_MAX] = {(UChar32)rune};
	int32_t len = 0, count = 1;
	size_t kept = 0;

	if (!stays_whole(rune))
		len = unorm2_getDecomposition(unorm2_getNFKDInstance(&failed), (UChar32)rune, units,
		    2 * UNICODE_COMPAT_MAX, &failed);
	if (len > 0)
		u_strToUTF32(runes, UNICODE_COMPAT_MAX, &count, units, len, &failed);
	if (U_FAILURE(failed)) {
		runes[0] = (UChar32)rune;
		count = 1;
	}
	for (int32_t i = 0; i < count; i++)
		if (script_of((uint32_t)runes[i]) != USCRIPT_INHERITED)
			out[kept++] = unicode_small((uint32_t)runes[i]);
	return kept;
}

bool
unicode_is_unspaced(uint32_t rune)
{
	if (rune == 0x30fc) /* the mark of a long vowel, of both kinds of Kana */
		return true;
	switch (rune < 0x0e00 ? USCRIPT_LATIN : script_of(rune)) {
	case USCRIPT_HAN:
	case USCRIPT_HIRAGANA:
	case USCRIPT_KATAKANA:
	case USCRIPT_THAI:
	case USCRIPT_LAO:
	case USCRIPT_KHMER:
	case USCRIPT_MYANMAR: return true;
	default: return false;
	}
}

/* The buffers allow for GROWTH, so none of the conversions overflows. */
static bool
widen(struct str text, struct wide *out)
{
	UErrorCode failed = U_ZERO_ERROR;

	u_strFromUTF8(out->units, out->capacity, &out->len, text.base, (int32_t)text.len, &failed);
	return U_SUCCESS(failed) != 0;
}

static bool
normalize(const UNormalizer2 *form, const struct wide *from, struct wide *to)
{
	UErrorCode failed = U_ZERO_ERROR;

	to->len = unorm2_normalize(form, from->units, from->len, to->units, to->capacity, &failed);
	return U_SUCCESS(failed) != 0;
}

static bool
nfc(struct wide *text, struct wide *spare)
{
	UErrorCode failed = U_ZERO_ERROR;

	return normalize(unorm2_getNFCInstance(&failed), text, spare);
}

/*
 * Leaves the result in `text`. Decomposes first, because the order of marks could make a
 * difference.
 */
static bool
fold(struct wide *text, struct wide *spare)
{
	UErrorCode failed = U_ZERO_ERROR;

	if (!normalize(unorm2_getNFDInstance(&failed), text, spare))
		return false;
	text->len = u_strFoldCase(
	    text->units, text->capacity, spare->units, spare->len, U_FOLD_CASE_DEFAULT, &failed);
	return U_SUCCESS(failed) && nfc(text, spare);
}

static struct str
narrow(struct arena *arena, const struct wide *text)
{
	enum { UTF8_OF_A_UNIT = 3 };
	UErrorCode failed = U_ZERO_ERROR;
	int32_t capacity = text->len * UTF8_OF_A_UNIT + 1, len = 0;
	char *base = arena_alloc(arena, (size_t)capacity);

	u_strToUTF8(base, capacity, &len, text->units, text->len, &failed);
	return (struct str){base, (size_t)len};
}

static struct wide
buffers(struct arena *arena, struct str text)
{
	int32_t capacity = (int32_t)text.len * GROWTH;

	return (struct wide){
	    .units = arena_alloc(arena, (size_t)capacity * sizeof(UChar)), .capacity = capacity};
}

static struct str
changed(struct arena *arena, struct str text, bool (*change)(struct wide *text, struct wide *spare))
{
	struct wide a, b;

	if (!str_utf8(text))
		return text;
	a = buffers(arena, text);
	b = buffers(arena, text);
	return widen(text, &a) && change(&a, &b) ? narrow(arena, &b) : text;
}

struct str
unicode_nfc(struct arena *arena, struct str text)
{
	return is_ascii(text) ? text : changed(arena, text, nfc);
}

struct str
unicode_fold(struct arena *arena, struct str text)
{
	return is_ascii(text) ? str_lower(arena, text) : changed(arena, text, fold);
}

bool
unicode_is_folded(struct str text)
{
	UChar units[3][SHORT * GROWTH];
	struct wide is = {.units = units[0], .capacity = SHORT},
		    a = {.units = units[1], .capacity = SHORT * GROWTH},
		    b = {.units = units[2], .capacity = SHORT * GROWTH};

	if (text.len > SHORT || !str_utf8(text) || !widen(text, &is) || !widen(text, &a) ||
	    !fold(&a, &b))
		return false;
	return is.len == b.len && memcmp(is.units, b.units, (size_t)is.len * sizeof(UChar)) == 0;
}

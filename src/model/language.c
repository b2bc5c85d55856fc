#include "model/language.h"

enum { LETTERS = 1, DIGITS = 2 };

/* Is it `least` to `most` characters, all of these kinds? */
static bool
is_of(struct str subtag, size_t least, size_t most, unsigned kinds)
{
	if (subtag.len < least || subtag.len > most)
		return false;
	for (size_t i = 0; i < subtag.len; i++) {
		char c = subtag.base[i];
		bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
		bool digit = c >= '0' && c <= '9';

		if (!(letter && (kinds & LETTERS) != 0) && !(digit && (kinds & DIGITS) != 0))
			return false;
	}
	return true;
}

static bool
is_script(struct str subtag)
{
	return is_of(subtag, 4, 4, LETTERS);
}

static bool
is_region(struct str subtag)
{
	return is_of(subtag, 2, 2, LETTERS) || is_of(subtag, 3, 3, DIGITS);
}

static bool
is_variant(struct str subtag)
{
	return is_of(subtag, 5, 8, LETTERS | DIGITS) ||
	       (is_of(subtag, 4, 4, LETTERS | DIGITS) &&
		   is_of(str_sub(subtag, 0, 1), 1, 1, DIGITS));
}

bool
language_valid(struct str tag)
{
	static bool (*const may_follow[])(struct str subtag) = {is_script, is_region, is_variant};
	enum { VARIANT = 2 };
	struct str rest;
	size_t at = 0;

	if (tag.len > LANGUAGE_MAX || str_ends(tag, STR("-")) ||
	    !is_of(str_cut(tag, '-', &rest), 2, 3, LETTERS))
		return false;
	while (rest.len != 0) {
		struct str subtag = str_cut(rest, '-', &rest);

		while (at <= VARIANT && !may_follow[at](subtag))
			at++;
		if (at > VARIANT)
			return false;
		at += at < VARIANT; /* there may be several variants */
	}
	return true;
}

static bool
is_among(struct str word, const char *const *words)
{
	for (; *words != NULL; words++)
		if (str_eq_nocase(word, str_of(*words)))
			return true;
	return false;
}

struct str
language_direction(struct str tag)
{
	static const char *const scripts[] = {"Adlm", "Arab", "Aran", "Hebr", "Mand", "Mend",
	    "Nkoo", "Rohg", "Samr", "Syrc", "Thaa", NULL};
	static const char *const languages[] = {"ar", "arc", "ary", "arz", "azb", "bal", "bqi",
	    "ckb", "dv", "fa", "glk", "he", "khw", "ks", "lrc", "mzn", "nqo", "pnb", "ps", "sd",
	    "skr", "syr", "ug", "ur", "yi", NULL};
	struct str rest, language = str_cut(tag, '-', &rest), second = str_cut(rest, '-', &rest);
	bool rtl = is_script(second) ? is_among(second, scripts) : is_among(language, languages);

	return rtl ? STR("rtl") : STR("ltr");
}

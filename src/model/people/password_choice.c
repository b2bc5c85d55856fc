/*
 * Passwords that are tried first in an attack: common ones, also with small changes (a year, a
 * sign, a capital letter, 0 for o), patterns on a keyboard, repetitions, and names of the person
 * and of the site.
 *
 * A password of several words is good, whichever they are.
 */
#include "model/people/common.h"
#include "model/people/password.h"

#include <string.h>

enum {
	BYTES_MAX = 4 * PASSWORD_MAX,
	DIGITS_MIN = 16,  /* minimal length of a password without letters */
	CORE_MIN = 3,     /* minimal length of what is looked up */
	ABOUT_MAX = 8,    /* at most so many digits and signs around a word add nothing */
	SIGNS_MAX = 3,    /* ... of which so many may be signs */
	REVERSED_MIN = 6, /* shorter words mean something in both directions */
	NAME_MIN = 3,
	NAME_PART_MIN = 4,
	NAME_ABOUT_MAX = 6,
};

/* The text in small letters, with the same byte offsets. */
struct folded {
	char text[BYTES_MAX];
	size_t len;
};

/* In addition to the list, which a build may not have. */
static const char *const own[] = {"password", "passwort", "senha", "motdepasse", "qwerty",
    "letmein", "iloveyou", "welcome", "willkommen", "bemvindo", "admin", "administrator",
    "changeme", "default", "secret", "dragon", "monkey", "master", "superman", "batman", "starwars",
    "football", "baseball", "basketball", "liverpool", "sunshine", "princess", "trustno",
    "whatever", "computer", "internet", "broadsheet", "newspaper", "test", "login", "hello",
    "helloworld", "correcthorse", "correcthorsebatterystaple", "thepassword", "mypassword",
    "spring", "summer", "autumn", "winter", "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december", "monday", "tuesday",
    "wednesday", "thursday", "friday", "saturday", "sunday", NULL};

static char
small(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (unsigned char)c >= 0x80;
}

static struct folded
fold(struct str text)
{
	struct folded out = {.len = text.len < BYTES_MAX ? text.len : BYTES_MAX};

	for (size_t i = 0; i < out.len; i++)
		out.text[i] = small(text.base[i]);
	return out;
}

/* Digits and signs that stand for letters. What looks like an i may be an l: `one` says which. */
static char
letter_of(char c, char one)
{
	static const char signs[] = "0345789@$+", letters[] = "oeastbgast";
	const char *at = c != '\0' ? strchr(signs, c) : NULL;

	if (c == '1' || c == '!' || c == '|')
		return one;
	return at != NULL ? letters[at - signs] : c;
}

/* --- In the list ------------------------------------------------------------------------------------ */

static bool
is_listed(struct str word)
{
	uint64_t hash = common_hash(word);
	size_t from = 0, to = common_count;

	for (const char *const *each = own; *each != NULL; each++)
		if (str_eq(word, str_of(*each)))
			return true;
	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (common_hashes[middle] == hash)
			return true;
		if (common_hashes[middle] < hash)
			from = middle + 1;
		else
			to = middle;
	}
	return false;
}

/* As it is, with letters for the digits and signs, or reversed. */
static bool
is_listed_somehow(struct str word)
{
	struct folded other = {.len = word.len};

	if (word.len < CORE_MIN)
		return false;
	if (is_listed(word))
		return true;
	for (const char *one = "il"; *one != '\0'; one++) {
		for (size_t i = 0; i < word.len; i++)
			other.text[i] = letter_of(word.base[i], *one);
		if (is_listed((struct str){other.text, other.len}))
			return true;
	}
	for (size_t i = 0; i < word.len; i++)
		other.text[i] = word.base[word.len - 1 - i];
	return word.len >= REVERSED_MIN && is_listed((struct str){other.text, other.len});
}

/* Is what precedes `from` and follows `to` too little to count? */
static bool
is_little(const struct folded *p, size_t from, size_t to)
{
	size_t signs = 0;

	for (size_t i = 0; i < p->len; i++) {
		if (i >= from && i < to)
			continue;
		if (is_letter(p->text[i]))
			return false;
		signs += !is_digit(p->text[i]);
	}
	return from + (p->len - to) <= ABOUT_MAX && signs <= SIGNS_MAX;
}

/*
 * A known word with little around it. Signs and digits at its ends may be letters of it, as in
 * "p@ssw0r7".
 */
static bool
is_known(const struct folded *p)
{
	size_t first = 0, last = p->len;

	while (first < last && !is_letter(p->text[first]))
		first++;
	while (last > first && !is_letter(p->text[last - 1]))
		last--;
	for (size_t to = last; to <= p->len; to++) {
		for (size_t from = 0; from <= first; from++)
			if (is_little(p, from, to) &&
			    is_listed_somehow((struct str){p->text + from, to - from}))
				return true;
	}
	return is_listed_somehow((struct str){p->text, p->len});
}

/* The same without separators between words: "i.love.you". */
static bool
is_known_in_parts(const struct folded *p)
{
	struct folded squeezed = {.len = 0};

	for (size_t i = 0; i < p->len; i++)
		if (strchr(" -_.,", p->text[i]) == NULL || p->text[i] == '\0')
			squeezed.text[squeezed.len++] = p->text[i];
	return squeezed.len != p->len && is_known(&squeezed);
}

/* --- Made by a hand --------------------------------------------------------------------------------- */

/* The position of a key on three layouts of keyboards. False: there is no such key. */
static bool
key_at(const char *const rows[4], char c, int *row, int *column)
{
	for (*row = 0; *row < 4; ++*row) {
		const char *at = c != '\0' ? strchr(rows[*row], c) : NULL;

		*column = at != NULL ? (int)(at - rows[*row]) : 0;
		if (at != NULL)
			return true;
	}
	return false;
}

static bool
are_neighbours(const char *const rows[4], char a, char b)
{
	int row, column, row_of_b, column_of_b, down, across;

	if (!key_at(rows, a, &row, &column) || !key_at(rows, b, &row_of_b, &column_of_b))
		return false;
	down = row_of_b - row;
	across = column_of_b - column;
	/* Each row is half a key to the right of the one above. */
	return (down == 0 && across >= -1 && across <= 1) ||
	       (down == 1 && (across == -1 || across == 0)) ||
	       (down == -1 && (across == 1 || across == 0));
}

/* The digit on the key of that sign. */
static char
unshifted(char c)
{
	static const char signs[] = "!@#$%^&*()", digits[] = "1234567890";
	const char *at = c != '\0' ? strchr(signs, c) : NULL;

	return at != NULL ? digits[at - signs] : c;
}

/* How often the next key is not a neighbour of the one `stride` characters before. */
static size_t
jumps_of(const struct folded *p, const char *const rows[4], size_t stride)
{
	size_t jumps = 0;

	for (size_t i = stride; i < p->len; i++) {
		char a = unshifted(p->text[i - stride]), b = unshifted(p->text[i]);

		jumps += !(b - a == 1 || a - b == 1 || are_neighbours(rows, a, b));
	}
	return jumps;
}

/*
 * A walk along neighbouring keys, the alphabet, or digits, with few jumps; or two walks
 * interleaved: "q1w2e3r4t5".
 */
static bool
is_walk(const struct folded *p)
{
	static const char *const keyboards[][4] = {
	    {"1234567890-=", "qwertyuiop[]", "asdfghjkl;'", "zxcvbnm,./"},
	    {"1234567890-=", "qwertzuiop", "asdfghjkl", "yxcvbnm,.-"},
	    {"1234567890-=", "azertyuiop", "qsdfghjklm", "wxcvbn,;:"},
	};

	for (size_t k = 0; k < sizeof(keyboards) / sizeof(keyboards[0]); k++)
		if (jumps_of(p, keyboards[k], 1) <= p->len / 4 ||
		    jumps_of(p, keyboards[k], 2) <= p->len / 4)
			return true;
	return false;
}

/* Few different characters, or a short text repeated, up to `to`. */
static bool
is_repeated(const struct folded *p, size_t to)
{
	bool seen[256] = {false};
	size_t different = 0;

	for (size_t i = 0; i < to; i++) {
		different += !seen[(unsigned char)p->text[i]];
		seen[(unsigned char)p->text[i]] = true;
	}
	if (different < 5)
		return true;
	for (size_t period = 1; period < PASSWORD_MIN && 2 * period <= to; period++)
		if (memcmp(p->text, p->text + period, to - period) == 0)
			return true;
	return false;
}

/* With or without digits and signs after it. */
static bool
is_repetition(const struct folded *p)
{
	size_t last = p->len;

	while (last > 0 && !is_letter(p->text[last - 1]))
		last--;
	return is_repeated(p, p->len) ||
	       (last >= 2 * CORE_MIN && is_little(p, 0, last) && is_repeated(p, last));
}

static bool
is_digits(const struct folded *p)
{
	for (size_t i = 0; i < p->len; i++)
		if (is_letter(p->text[i]))
			return false;
	return p->len < DIGITS_MIN;
}

/* --- Made of names ---------------------------------------------------------------------------------- */

/* The letters, and those that digits and signs stand for. */
static struct folded
letters_of(struct str text)
{
	struct folded in = fold(text), out = {.len = 0};

	for (size_t i = 0; i < in.len; i++) {
		char c = letter_of(in.text[i], 'i');

		c = c == 'l' ? 'i' : c;
		if (is_letter(c) || is_digit(c))
			out.text[out.len++] = c;
	}
	return out;
}

/* Is it that name with little else? */
static bool
is_of_name(const struct folded *password, struct str name, size_t at_least)
{
	struct folded part = letters_of(name);

	if (part.len < at_least || password->len > part.len + NAME_ABOUT_MAX)
		return false;
	return memmem(password->text, password->len, part.text, part.len) != NULL;
}

/* Is it made of all of the names, or of one of their words? */
static bool
is_of_names(const struct folded *password, struct str names)
{
	size_t end;

	if (is_of_name(password, names, NAME_MIN))
		return true;
	for (size_t from = 0; from < names.len; from = end + 1) {
		for (end = from; end < names.len && memchr(" -_.@:/", names.base[end], 7) == NULL;)
			end++;
		if (is_of_name(password, str_sub(names, from, end - from), NAME_PART_MIN))
			return true;
	}
	return false;
}

/* --- All of it -------------------------------------------------------------------------------------- */

static int64_t
characters(struct str s)
{
	int64_t count = 0;

	for (size_t i = 0; i < s.len; count++)
		str_rune(s, &i);
	return count;
}

const char *
password_error(struct str password, const struct password_owner *owner)
{
	struct folded folded, letters;
	int64_t length = characters(password);

	if (length < PASSWORD_MIN)
		return "A password needs 10 characters at least. Four words in a row make a good "
		       "one.";
	if (length > PASSWORD_MAX || password.len > BYTES_MAX)
		return "A password may have 128 characters at most.";
	folded = fold(password);
	letters = letters_of(password);
	if (is_of_names(&letters, owner->username) || is_of_names(&letters, owner->email) ||
	    is_of_names(&letters, owner->display_name))
		return "This is made of your own name or address, which others know. Four words in "
		       "a row make a good one.";
	if (is_of_names(&letters, owner->site_name) || is_of_names(&letters, owner->site_address))
		return "This is made of this site’s name, which is tried first. Four words in a "
		       "row make a good one.";
	if (is_digits(&folded))
		return "Digits alone are guessed soon. Four words in a row make a good one.";
	if (is_repetition(&folded) || is_walk(&folded))
		return "This is a pattern, and those are tried first. Four words in a row make a "
		       "good one.";
	if (is_known(&folded) || is_known_in_parts(&folded))
		return "This is one of the passwords that are tried first, whatever digits and "
		       "signs are added. Four words in a row make a good one.";
	return NULL;
}

#include "model/slug.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/unicode.h"

/*
 * The transliteration of characters, in rows of consecutive ones: a word for each; "." is removed, and
 * "-" separates words. Of characters in no row, letters, marks and digits stay; all others separate words.
 */
struct row {
	uint32_t first;
	const char *words;
};

/* Sorted by `first`; rows do not overlap. */
static const struct row rows[] = {
    {0x0027, "."},
    {0x0060, "."},
    {0x00aa, "a"},
    {0x00ad, "."},
    {0x00b2, "2 3 ."},
    {0x00b9, "1 o"},
    {0x00c0, "a a a a ae a ae c e e e e i i i i"},
    {0x00d0, "d n o o o o oe - o u u u ue y th ss"},
    {0x00e0, "a a a a ae a ae c e e e e i i i i"},
    {0x00f0, "d n o o o o oe - o u u u ue y th y"},
    {0x0100, "a a a a a a c c c c c c c c d d"},
    {0x0110, "d d e e e e e e e e e e g g g g"},
    {0x0120, "g g g g h h h h i i i i i i i i"},
    {0x0130, "i i ij ij j j k k k l l l l l l l"},
    {0x0140, "l l l n n n n n n n ng ng o o o o"},
    {0x0150, "o o oe oe r r r r r r s s s s s s"},
    {0x0160, "s s t t t t t t u u u u u u u u"},
    {0x0170, "u u u u w w y y y z z z z z z s"},
    {0x0180, "b b b b b b o c c d d d d d e e"},
    {0x0190, "e f f g g hv i i k k l l m n n o"},
    {0x01a0, "o o oi oi p p r s s sh sh t t t t u"},
    {0x01b0, "u u v y y z z zh zh zh zh - - - - w"},
    {0x01c0, "- - - - dz dz dz lj lj lj nj nj nj a a i"},
    {0x01d0, "i o o u u ue ue ue ue ue ue ue ue e a a"},
    {0x01e0, "a a ae ae g g g g k k o o o o zh zh"},
    {0x01f0, "j dz dz dz g g hv w n n a a ae ae o o"},
    {0x0200, "a a a a e e e e i i i i o o o o"},
    {0x0210, "r r r r u u u u s s t t y y h h"},
    {0x0220, "n d ou ou z z a a e e o o o o o o"},
    {0x0230, "o o y y l n t j db qp a c c l t s"},
    {0x0240, "z - - b u v e e j j q q r r y y"},
    {0x0250, "a a a b o c d d e e e e e e e j"},
    {0x0260, "g g g g h h h i i i l l l l z m"},
    {0x0270, "m m n n n o oe - f r r r r r r r"},
    {0x0280, "r r s sh j sh sh t t u u v v w y y"},
    {0x0290, "z z zh zh"},
    {0x02b9, ". . . . . . ."},
    {0x0386, "a - e i i"},
    {0x038c, "o - y o i"},
    {0x0391, "a v g d e z i th i k l m n x o"},
    {0x03a0, "p r - s t y f ch ps o i y a e i i"},
    {0x03b0, "y a v g d e z i th i k l m n x o"},
    {0x03c0, "p r s s t y f ch ps o i y o y o"},
    {0x03d0, "v th y y y f p"},
    {0x0400, "e yo dj g ye dz i yi j lj nj c k i u dz"},
    {0x0410, "a b v g d e zh z i y k l m n o p"},
    {0x0420, "r s t u f kh ts ch sh shch . y . e yu ya"},
    {0x0430, "a b v g d e zh z i y k l m n o p"},
    {0x0440, "r s t u f kh ts ch sh shch . y . e yu ya"},
    {0x0450, "e yo dj g ye dz i yi j lj nj c k i u dz"},
    {0x0462, "e e"},
    {0x0472, "f f y y"},
    {0x0490, "g g g g gh gh zh zh z z k k k k k k"},
    {0x04a0, "k k n n n n p p o o s s t t u u"},
    {0x04b0, "u u kh kh ts ts ch ch ch ch h h ch ch ch ch"},
    {0x04c0, "i zh zh k k l l n n n n ch ch m m i"},
    {0x04d0, "a a a a ae ae e e e e e e zh zh z z"},
    {0x04e0, "dz dz i i i i o o o o o o e e u u"},
    {0x04f0, "u u u u ch ch g g y y"},
    {0x1e00, "a a b b b b b b c c d d d d d d"},
    {0x1e10, "d d d d e e e e e e e e e e f f"},
    {0x1e20, "g g h h h h h h h h h h i i i i"},
    {0x1e30, "k k k k k k l l l l l l l l m m"},
    {0x1e40, "m m m m n n n n n n n n o o o o"},
    {0x1e50, "o o o o p p p p r r r r r r r r"},
    {0x1e60, "s s s s s s s s s s t t t t t t"},
    {0x1e70, "t t u u u u u u u u u u v v v v"},
    {0x1e80, "w w w w w w w w w w x x x x y y"},
    {0x1e90, "z z z z z z h t w y a s s s ss d"},
    {0x1ea0, "a a a a a a a a a a a a a a a a"},
    {0x1eb0, "a a a a a a a a e e e e e e e e"},
    {0x1ec0, "e e e e e e e e i i i i o o o o"},
    {0x1ed0, "o o o o o o o o o o o o o o o o"},
    {0x1ee0, "o o o o u u u u u u u u u u u u"},
    {0x1ef0, "u u y y y y y y y y ll ll v v y y"},
    {0x1f00, "a a a a a a a a a a a a a a a a"},
    {0x1f10, "e e e e e e - - e e e e e e - -"},
    {0x1f20, "i i i i i i i i i i i i i i i i"},
    {0x1f30, "i i i i i i i i i i i i i i i i"},
    {0x1f40, "o o o o o o - - o o o o o o - -"},
    {0x1f50, "y y y y y y y y - y - y - y - y"},
    {0x1f60, "o o o o o o o o o o o o o o o o"},
    {0x1f70, "a a e e i i i i o o y y o o - -"},
    {0x1f80, "a a a a a a a a a a a a a a a a"},
    {0x1f90, "i i i i i i i i i i i i i i i i"},
    {0x1fa0, "o o o o o o o o o o o o o o o o"},
    {0x1fb0, "a a a a a - a a a a a a a . . ."},
    {0x1fc0, ". . i i i - i i e e i i i . . ."},
    {0x1fd0, "i i i i - - i i i i i i - . . ."},
    {0x1fe0, "y y y y r r y y y y y y r . . ."},
    {0x1ff0, "- - o o o - o o o o o o o . ."},
    {0x200b, ". . . . ."},
    {0x2018, ". . . ."},
    {0x2032, ". . . . . ."},
    {0x2060, "."},
    {0x2070, "0 i - - 4 5 6 7 8 9 - - - - - n"},
    {0x2080, "0 1 2 3 4 5 6 7 8 9"},
    {0x20ac, "eur"},
    {0x2116, "no"},
    {0x2122, "."},
    {0x212a, "k a"},
    {0xa7fb, "f"},
    {0xfb00, "ff fi fl ffi ffl st st"},
    {0xfeff, "."},
    {0xff07, "."},
    {0xff10, "0 1 2 3 4 5 6 7 8 9"},
    {0xff21, "a b c d e f g h i j k l m n o p q r s t u v w x y z"},
    {0xff41, "a b c d e f g h i j k l m n o p q r s t u v w x y z"},
};

/*
 * Pairs that become something else than their two characters: letters with a following mark, and
 * Greek vowels. In small letters.
 */
static const struct {
	uint32_t first, second;
	const char *word;
} pairs[] = {
    {'a', 0x0308, "ae"},
    {'o', 0x0308, "oe"},
    {'u', 0x0308, "ue"},
    {0x0435, 0x0308, "yo"},
    {0x0438, 0x0306, "y"},
    {0x0456, 0x0308, "yi"},
    {0x03bf, 0x03c5, "ou"},
    {0x03bf, 0x03cd, "ou"},
    {0x03bf, 0x1f7b, "ou"},
    {0x03b1, 0x03c5, "av"},
    {0x03b1, 0x03cd, "av"},
    {0x03b5, 0x03c5, "ev"},
    {0x03b5, 0x03cd, "ev"},
    {0x03b3, 0x03b3, "ng"},
    {0x03b3, 0x03be, "nx"},
    {0x03b3, 0x03c7, "nch"},
};

/* The marks of transliterated scripts, which are removed. */
static bool
is_mark(uint32_t rune)
{
	return (rune >= 0x0300 && rune <= 0x036f) || (rune >= 0x1ab0 && rune <= 0x1aff) ||
	       (rune >= 0x1dc0 && rune <= 0x1dff) || (rune >= 0x20d0 && rune <= 0x20ff) ||
	       (rune >= 0xfe00 && rune <= 0xfe0f);
}

/* The small letter of those in `pairs`. */
static uint32_t
small(uint32_t rune)
{
	if ((rune >= 'A' && rune <= 'Z') || (rune >= 0x0391 && rune <= 0x03ab) ||
	    (rune >= 0x0410 && rune <= 0x042f))
		return rune + 0x20;
	if (rune >= 0x0400 && rune <= 0x040f)
		return rune + 0x50;
	return rune == 0x038e ? 0x03cd : rune;
}

/* The transliteration by the rows, or NULL. It ends at a space or NUL. */
static const char *
word_of(uint32_t rune)
{
	size_t low = 0, high = sizeof(rows) / sizeof(rows[0]);
	const char *word;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (rows[middle].first <= rune)
			low = middle;
		else
			high = middle;
	}
	if (rune < rows[low].first)
		return NULL;
	word = rows[low].words;
	for (uint32_t skip = rune - rows[low].first; skip > 0 && word != NULL; skip--) {
		while (*word != ' ' && *word != '\0')
			word++;
		word = *word == ' ' ? word + 1 : NULL;
	}
	return word;
}

/* A slug under construction. */
struct making {
	struct buf out;
	bool parted;
};

static bool
is_ascii_word(uint32_t rune)
{
	return (rune >= 'a' && rune <= 'z') || (rune >= '0' && rune <= '9');
}

/* Appends a part of a word; "-" separates words, and "." is nothing. */
static void
put(struct making *m, struct str word)
{
	if (word.base[0] == '-') {
		m->parted = true;
	} else if (word.base[0] != '.') {
		if (m->parted && m->out.len != 0)
			buf_putc(&m->out, '-');
		m->parted = false;
		buf_put(&m->out, word);
	}
}

/* Appends a character of a script that is not transliterated. */
static void
put_rune(struct making *m, uint32_t rune)
{
	struct str end = str_sub(buf_str(&m->out), m->out.len - (m->out.len != 0), 1);

	if (unicode_is_ignorable(rune))
		return;
	if (!unicode_is_word(rune))
		m->parted = true;
	/* A mark belongs to the character before it. */
	else if (!unicode_is_mark(rune) || (!m->parted && end.len != 0 && (end.base[0] & 0x80)))
		put(m, str_of_rune((char[4]){0}, rune));
}

static void
put_one(struct making *m, uint32_t rune)
{
	const char *word;
	size_t len = 0;

	rune = rune < 0x80 ? small(rune) : rune;
	word = word_of(rune);
	while (word != NULL && word[len] != ' ' && word[len] != '\0')
		len++;
	if (is_ascii_word(rune))
		put(m, str_of_rune((char[4]){0}, rune));
	else if (word != NULL)
		put(m, (struct str){word, len});
	else if (!is_mark(rune))
		put_rune(m, rune);
}

/* Appends the transliteration of a pair and moves *at past it. */
static bool
put_pair(struct making *m, struct str text, size_t *at)
{
	size_t behind = *at;
	uint32_t first = small(str_rune(text, &behind)), second;

	if (behind == text.len)
		return false;
	second = small(str_rune(text, &behind));
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		if (pairs[i].first == first && pairs[i].second == second) {
			put(m, str_of(pairs[i].word));
			*at = behind;
			return true;
		}
	}
	return false;
}

static bool
is_word_at(struct str text, size_t at)
{
	return at < text.len && unicode_is_word(str_rune(text, &at));
}

/* Does it end with a word of a single letter? */
static bool
is_one_letter(const struct making *m)
{
	size_t len = m->out.len;

	return !m->parted && len != 0 && m->out.base[len - 1] >= 'a' &&
	       m->out.base[len - 1] <= 'z' && (len == 1 || m->out.base[len - 2] == '-');
}

/* Signs that distinguish names: C++, C#, .NET. */
static bool
put_sign(struct making *m, struct str text, size_t *at)
{
	static const struct str net = STR_INIT(".net");
	struct str rest = str_sub(text, *at, text.len);

	if (str_starts(rest, STR("++")) && !m->parted && m->out.len != 0) {
		put(m, STR("pp"));
		*at += 2;
	} else if (str_starts(rest, STR("#")) && is_one_letter(m) && !is_word_at(rest, 1)) {
		put(m, STR("sharp"));
		*at += 1;
	} else if (str_eq_nocase(str_sub(rest, 0, net.len), net) && !is_word_at(rest, net.len) &&
		   (m->parted || m->out.len == 0)) {
		put(m, STR("dotnet"));
		*at += net.len;
	} else {
		return false;
	}
	return true;
}

static void
put_next(struct making *m, struct str text, size_t *at)
{
	uint32_t rune, parts[UNICODE_COMPAT_MAX];
	size_t count = 0;

	if (put_sign(m, text, at) || put_pair(m, text, at))
		return;
	rune = str_rune(text, at);
	/* Compatibility forms of a letter are that letter: full-width, mathematical, positional. */
	if (rune >= 0x80 && word_of(rune) == NULL && !is_mark(rune) && unicode_is_word(rune)) {
		count = unicode_compat(rune, parts);
		rune = unicode_small(rune);
	}
	for (size_t i = 0; i < count; i++)
		put_one(m, parts[i]);
	if (count == 0)
		put_one(m, rune);
}

/*
 * How many bytes fit into `most` characters and twice as many bytes; a mark stays with its letter.
 */
static size_t
fitting(struct str slug, size_t most)
{
	size_t at = 0, whole = 0, count = 0;

	while (at < slug.len) {
		size_t behind = at;
		bool mark = unicode_is_mark(str_rune(slug, &behind));

		if (!mark)
			whole = at;
		if (++count > most || behind > 2 * most)
			return whole;
		at = behind;
	}
	return slug.len;
}

/* At most `most` characters of a slug, cut between words if possible. */
static struct str
cut(struct str slug, size_t most)
{
	size_t len = fitting(slug, most);

	/* If that is within a word, the word is dropped, unless it is the only one. */
	if (len < slug.len && slug.base[len] != '-') {
		size_t end = len;

		while (end > 0 && slug.base[end - 1] != '-')
			end--;
		if (end > 0)
			len = end;
	}
	while (len > 0 && slug.base[len - 1] == '-')
		len--;
	return str_sub(slug, 0, len);
}

struct str
slug_of(struct arena *arena, struct str text, size_t most, struct str fallback)
{
	struct making m = {.out = {.arena = arena}};
	struct str slug;

	text = unicode_nfc(arena, text);
	for (size_t at = 0; at < text.len && m.out.len <= 4 * most;)
		put_next(&m, text, &at);
	slug = cut(unicode_fold(arena, buf_str(&m.out)), most);
	return slug.len != 0 ? str_dup(arena, slug) : fallback;
}

struct str
slug_numbered(struct arena *arena, struct str slug, unsigned number)
{
	struct str tail = str_fmt(arena, "-%u", number);

	return STR_CONCAT(arena, cut(slug, SLUG_MAX - tail.len), tail);
}

/* --- Validation ------------------------------------------------------------------------------- */

bool
slug_valid(struct str slug)
{
	bool ascii = true, may_have_mark = false;
	size_t count = 0;

	if (slug.len < 1 || slug.len > SLUG_BYTES_MAX)
		return false;
	for (size_t at = 0; at < slug.len; count++) {
		uint32_t rune = str_rune(slug, &at);
		bool stands = rune < 0x80 ? is_ascii_word(rune) || rune == '-'
					  : unicode_is_word(rune) && !unicode_is_ignorable(rune);

		if (!stands || (rune >= 0x80 && !may_have_mark && unicode_is_mark(rune)))
			return false;
		ascii = ascii && rune < 0x80;
		may_have_mark = rune != '-';
	}
	return count <= SLUG_MAX && (ascii || unicode_is_folded(slug));
}

bool
slug_typed(struct arena *arena, struct str text, struct str *out)
{
	struct str slug = unicode_fold(arena, text);

	if (!slug_valid(slug) || slug.base[0] == '-' || slug.base[slug.len - 1] == '-' ||
	    memmem(slug.base, slug.len, "--", 2) != NULL)
		return false;
	*out = slug_of(arena, slug, SLUG_MAX, STR(""));
	return out->len != 0;
}

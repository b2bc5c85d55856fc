#include "text/words.h"

#include "base/arena.h"
#include "base/unicode.h"

#include <assert.h>
#include <libstemmer.h>
#include <stdlib.h>

enum {
	FOLDED = 0x600,     /* characters that are folded once: Latin, Greek, Cyrillic */
	FOLDED_BYTES = 7,
	CHARACTER_MAX = 4 * UNICODE_COMPAT_MAX,
	MEMO = 1024,        /* stems that are kept, a power of two */
	MEMO_BYTES = 22,    /* of words of so many bytes at most */
};

struct folded {
	uint8_t len_and_1; /* 0: it was not folded yet */
	char bytes[FOLDED_BYTES];
};

struct memo {
	uint8_t len, stem_len; /* 0: free */
	char word[MEMO_BYTES], stem[MEMO_BYTES];
};

struct words {
	struct sb_stemmer *stemmer; /* NULL: none */
	struct str text;
	size_t offset;
	uint32_t place;
	bool in_run; /* the character at the offset was the second one of a pair */
	char word[WORDS_MAX];
	size_t len;
	struct folded folded[FOLDED];
	struct memo memo[MEMO];
};

/* The languages of libstemmer, by the first part of their tags. */
static const struct language {
	struct str tag, name;
	const char *stemmer;
} languages[] = {
    {STR_INIT("ar"), STR_INIT("ar"), "arabic"},
    {STR_INIT("ca"), STR_INIT("ca"), "catalan"},
    {STR_INIT("da"), STR_INIT("da"), "danish"},
    {STR_INIT("de"), STR_INIT("de"), "german"},
    {STR_INIT("el"), STR_INIT("el"), "greek"},
    {STR_INIT("en"), STR_INIT("en"), "english"},
    {STR_INIT("es"), STR_INIT("es"), "spanish"},
    {STR_INIT("eu"), STR_INIT("eu"), "basque"},
    {STR_INIT("fi"), STR_INIT("fi"), "finnish"},
    {STR_INIT("fr"), STR_INIT("fr"), "french"},
    {STR_INIT("ga"), STR_INIT("ga"), "irish"},
    {STR_INIT("hi"), STR_INIT("hi"), "hindi"},
    {STR_INIT("hu"), STR_INIT("hu"), "hungarian"},
    {STR_INIT("hy"), STR_INIT("hy"), "armenian"},
    {STR_INIT("id"), STR_INIT("id"), "indonesian"},
    {STR_INIT("it"), STR_INIT("it"), "italian"},
    {STR_INIT("lt"), STR_INIT("lt"), "lithuanian"},
    {STR_INIT("nb"), STR_INIT("no"), "norwegian"},
    {STR_INIT("ne"), STR_INIT("ne"), "nepali"},
    {STR_INIT("nl"), STR_INIT("nl"), "dutch"},
    {STR_INIT("nn"), STR_INIT("no"), "norwegian"},
    {STR_INIT("no"), STR_INIT("no"), "norwegian"},
    {STR_INIT("pt"), STR_INIT("pt"), "portuguese"},
    {STR_INIT("ro"), STR_INIT("ro"), "romanian"},
    {STR_INIT("ru"), STR_INIT("ru"), "russian"},
    {STR_INIT("sr"), STR_INIT("sr"), "serbian"},
    {STR_INIT("sv"), STR_INIT("sv"), "swedish"},
    {STR_INIT("ta"), STR_INIT("ta"), "tamil"},
    {STR_INIT("tr"), STR_INIT("tr"), "turkish"},
    {STR_INIT("yi"), STR_INIT("yi"), "yiddish"},
};

static const struct language *
language_of(struct str tag)
{
	struct str first = str_sub(tag, 0, str_find(tag, '-'));

	for (size_t i = 0; i < sizeof(languages) / sizeof(languages[0]); i++)
		if (str_eq_nocase(languages[i].tag, first))
			return &languages[i];
	return NULL;
}

struct str
words_language(struct str language)
{
	const struct language *found = language_of(language);

	return found != NULL ? found->name : STR("");
}

struct words *
words_new(struct str language)
{
	const struct language *found = language_of(language);
	struct words *words = calloc(1, sizeof(*words));

	if (words == NULL)
		out_of_memory();
	if (found != NULL)
		words->stemmer = sb_stemmer_new(found->stemmer, "UTF_8");
	return words;
}

void
words_free(struct words *words)
{
	if (words == NULL)
		return;
	if (words->stemmer != NULL)
		sb_stemmer_delete(words->stemmer);
	free(words);
}

/* --- Characters --------------------------------------------------------------------------------------- */

static bool
is_ascii_word(uint32_t rune)
{
	return (rune >= 'a' && rune <= 'z') || (rune >= 'A' && rune <= 'Z') ||
	       (rune >= '0' && rune <= '9');
}

static bool
is_apostrophe(uint32_t rune)
{
	return rune == '\'' || rune == 0x2019 || rune == 0x02bc || rune == 0xff07;
}

static bool
is_word(uint32_t rune)
{
	return rune < 0x80 ? is_ascii_word(rune)
			   : rune != 0xfffd && !is_apostrophe(rune) && unicode_is_word(rune);
}

/* What has no decomposition, but is often typed as letters of ASCII. NULL: nothing. */
static const char *
likened(uint32_t rune)
{
	switch (rune) {
	case 0x00df: return "ss"; /* ß */
	case 0x00e6: return "ae"; /* æ */
	case 0x00f8: return "o";  /* ø */
	case 0x00fe: return "th"; /* þ */
	case 0x0111: return "d";  /* đ */
	case 0x0131: return "i";  /* ı */
	case 0x0142: return "l";  /* ł */
	case 0x0153: return "oe"; /* œ */
	default: return NULL;
	}
}

/* A character as it is compared; how many bytes. */
static size_t
fold_anew(uint32_t rune, char out[CHARACTER_MAX])
{
	uint32_t runes[UNICODE_COMPAT_MAX];
	size_t count = unicode_plain(rune, runes), len = 0;

	for (size_t i = 0; i < count; i++) {
		const char *same = likened(runes[i]);
		char bytes[4];
		struct str one;

		if (!is_word(runes[i])) /* such as the dot of an "l·" that was one character */
			continue;
		one = same != NULL ? str_of(same) : str_of_rune(bytes, runes[i]);

		memcpy(out + len, one.base, one.len);
		len += one.len;
	}
	return len;
}

static void
put(struct words *words, const char *bytes, size_t len)
{
	if (words->len + len > WORDS_MAX)
		return;
	memcpy(words->word + words->len, bytes, len);
	words->len += len;
}

static void
put_rune(struct words *words, uint32_t rune)
{
	char bytes[CHARACTER_MAX];
	struct folded *kept;
	size_t len;

	if (rune < 0x80) {
		bytes[0] = (char)(rune >= 'A' && rune <= 'Z' ? rune | 0x20 : rune);
		put(words, bytes, 1);
		return;
	}
	kept = rune < FOLDED ? &words->folded[rune] : NULL;
	if (kept != NULL && kept->len_and_1 != 0) {
		put(words, kept->bytes, (size_t)kept->len_and_1 - 1);
		return;
	}
	len = fold_anew(rune, bytes);
	put(words, bytes, len);
	if (kept != NULL && len <= FOLDED_BYTES) {
		memcpy(kept->bytes, bytes, len);
		kept->len_and_1 = (uint8_t)(len + 1);
	}
}

/* The character at an offset, *end after it; U+FFFD where there is none. */
static uint32_t
rune_at(struct str text, size_t offset, size_t *end)
{
	*end = offset;
	if (offset < text.len && (unsigned char)text.base[offset] < 0x80) {
		*end = offset + 1;
		return (unsigned char)text.base[offset];
	}
	return str_rune(text, end);
}

/* --- Words -------------------------------------------------------------------------------------------- */

static struct memo *
memo_of(struct words *words, struct str word)
{
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < word.len; i++)
		hash = (hash ^ (unsigned char)word.base[i]) * 16777619u;
	return &words->memo[(hash ^ hash >> 15) & (MEMO - 1)];
}

/* Of `word`, which it may return. */
static struct str
stem_of(struct words *words, struct str word)
{
	struct memo *memo = memo_of(words, word);
	const sb_symbol *stem;
	size_t len;

	if (words->stemmer == NULL)
		return word;
	if (memo->len == word.len && memcmp(memo->word, word.base, word.len) == 0)
		return (struct str){memo->stem, memo->stem_len};
	stem = sb_stemmer_stem(words->stemmer, (const sb_symbol *)word.base, (int)word.len);
	if (stem == NULL)
		out_of_memory();
	len = (size_t)sb_stemmer_length(words->stemmer);
	/* Some of the stemmers cut characters of other scripts in two. */
	if (len == 0 || len > WORDS_MAX || !str_utf8((struct str){(const char *)stem, len}))
		return word;
	if (word.len <= MEMO_BYTES && len <= MEMO_BYTES) {
		*memo = (struct memo){.len = (uint8_t)word.len, .stem_len = (uint8_t)len};
		memcpy(memo->word, word.base, word.len);
		memcpy(memo->stem, stem, len);
		return (struct str){memo->stem, len};
	}
	return (struct str){(const char *)stem, len};
}

/* What was put is a word; a `whole` one has no stem. */
static bool
emit(struct words *words, size_t from, size_t to, bool whole, struct word *out)
{
	struct str folded = {words->word, words->len};

	if (words->len == 0)
		return false;
	*out = (struct word){.folded = folded,
	    .term = whole ? folded : stem_of(words, folded),
	    .from = (uint32_t)from,
	    .to = (uint32_t)to,
	    .place = words->place++};
	return true;
}

/* Two characters of a script without spaces, of which the second begins the next pair; or one that stands alone. */
static bool
next_pair(struct words *words, size_t from, size_t end, uint32_t rune, struct word *out)
{
	size_t end2;
	uint32_t rune2 = rune_at(words->text, end, &end2);
	bool was_second = words->in_run;

	words->offset = end;
	words->in_run = is_word(rune2) && unicode_is_unspaced(rune2);
	if (!words->in_run && was_second)
		return false;
	words->len = 0;
	put_rune(words, rune);
	if (words->in_run)
		put_rune(words, rune2);
	out->pair = emit(words, from, words->in_run ? end2 : end, true, out);
	return out->pair;
}

/* The signs that make a single letter another word: "++", or a "#" at its end. How many bytes. */
static size_t
signs_at(struct str text, size_t offset)
{
	size_t end;

	if (str_starts(str_sub(text, offset, 2), STR("++")))
		return 2;
	if (offset < text.len && text.base[offset] == '#' && !is_word(rune_at(text, offset + 1, &end)))
		return 1;
	return 0;
}

static bool
next_plain(struct words *words, size_t from, bool after_apostrophe, struct word *out)
{
	size_t end = from, next, letters = 0, signs;
	uint32_t rune;

	words->len = 0;
	while (rune = rune_at(words->text, end, &next), next != end) {
		if (is_word(rune) && !(rune >= 0x80 && unicode_is_unspaced(rune))) {
			put_rune(words, rune);
			letters++;
		} else if (rune < 0x80 || rune == 0xfffd || !unicode_is_ignorable(rune)) {
			break;
		}
		end = next;
	}
	words->offset = end;
	if (letters == 1 && (after_apostrophe || (next != end && is_apostrophe(rune))))
		return false;
	signs = letters == 1 && words->len == 1 && words->word[0] >= 'a' ? signs_at(words->text, end) : 0;
	if (signs != 0) {
		put(words, words->text.base + end, signs);
		words->offset = end += signs;
	}
	return emit(words, from, end, signs != 0, out);
}

void
words_begin(struct words *words, struct str text)
{
	assert(text.len <= UINT32_MAX);
	words->text = text;
	words->offset = 0;
	words->place = 0;
	words->in_run = false;
}

bool
words_next(struct words *words, struct word *out)
{
	bool after_apostrophe = false;
	size_t from, end;
	uint32_t rune;

	while (words->offset < words->text.len) {
		from = words->offset;
		rune = rune_at(words->text, from, &end);
		if (!is_word(rune)) {
			words->offset = end;
			words->in_run = false;
			after_apostrophe = is_apostrophe(rune);
		} else if (rune >= 0x80 && unicode_is_unspaced(rune)) {
			if (next_pair(words, from, end, rune, out))
				return true;
			after_apostrophe = false;
		} else {
			words->in_run = false;
			if (next_plain(words, from, after_apostrophe, out))
				return true;
			after_apostrophe = false;
		}
	}
	return false;
}

struct word *
words_list(struct words *words, struct arena *arena, struct str text, size_t *count)
{
	size_t capacity = 16;
	struct word *list = ARENA_ARRAY(arena, capacity, struct word);

	*count = 0;
	for (words_begin(words, text); words_next(words, &list[*count]);) {
		struct word *word = &list[(*count)++];

		word->folded = str_dup(arena, word->folded);
		word->term = str_dup(arena, word->term);
		if (*count == capacity) {
			list = arena_grow(arena, list, capacity * sizeof(*list), 2 * capacity * sizeof(*list));
			capacity *= 2;
		}
	}
	return list;
}

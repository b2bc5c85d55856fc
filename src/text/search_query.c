/*
 * A query goes through three steps: cleaned() makes it plain text, whatever bytes it was; the parser takes one token after
 * another; finish() decides what only the whole of it tells.
 *
 * `text` is made in a buffer that is as long as the cleaned query from the start, so it never moves, and phrases are slices of
 * it.
 */
#include "text/search_query_private.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/unicode.h"
#include "base/zone.h"
#include "model/language.h"
#include "model/slug.h"

#include <assert.h>

enum { PREFIX_LETTERS_MIN = 2 };

struct parser {
	struct arena *arena;
	const struct zone *zone;
	struct str rest;   /* of the cleaned query */
	bool behind_quote; /* it begins right behind one */
	struct buf text;
	size_t words; /* that are in no phrase */
	size_t last;  /* where the last word of the text begins, if it is in no phrase */
	bool last_is_word;
	struct search_query *out;
};

/* --- Cleaning ----------------------------------------------------------------------------------------- */

/* Marks of direction would turn round what stands beside the query on the page. */
static bool
is_direction(uint32_t rune)
{
	return rune == 0x61c || rune == 0x200e || rune == 0x200f ||
	       (rune >= 0x202a && rune <= 0x202e) || (rune >= 0x2066 && rune <= 0x2069);
}

static bool
is_space(uint32_t rune)
{
	return rune <= ' ' || (rune >= 0x7f && rune <= 0xa0) || rune == 0x1680 ||
	       (rune >= 0x2000 && rune <= 0x200a) || rune == 0x2028 || rune == 0x2029 ||
	       rune == 0x202f || rune == 0x205f || rune == 0x3000 || rune == 0xfffd ||
	       rune == 0xfeff;
}

/* Double quotation marks of any language: which of them opens differs between languages, so all are the same. */
static bool
is_quote(uint32_t rune)
{
	return rune == '"' || (rune >= 0x201c && rune <= 0x201f) || rune == 0xab || rune == 0xbb ||
	       rune == 0x300c || rune == 0x300d || rune == 0xff02;
}

/* Well-formed UTF-8, with ASCII quotes, spaces and signs of operators. Never longer than what was typed. */
static struct str
cleaned(struct arena *arena, struct str typed)
{
	struct buf out = {.arena = arena};
	char bytes[4];

	for (size_t at = 0; at < typed.len;) {
		uint32_t rune = str_rune(typed, &at);

		if (is_direction(rune))
			continue;
		if (is_space(rune))
			rune = ' ';
		else if (is_quote(rune))
			rune = '"';
		else if (rune == 0x2212 || rune == 0xff0d) /* a minus sign, and a wide hyphen */
			rune = '-';
		else if (rune == 0xff1a) /* a wide colon */
			rune = ':';
		buf_put(&out, str_of_rune(bytes, rune));
	}
	return buf_str(&out);
}

/* Prose has no quotes, no beginnings of words, and its hyphens exclude nothing, nor what stands behind them. */
static struct str
prose(struct arena *arena, struct str text)
{
	struct buf out = {.arena = arena};
	bool begins = true, hyphen = false;

	for (size_t i = 0; i < text.len; i++) {
		char c = text.base[i];

		if (c == ' ' || c == '"' || c == '*') {
			hyphen = false;
			c = ' ';
		} else if ((c == '-' && begins) || (c == ':' && hyphen)) {
			hyphen = true;
			c = ' ';
		}
		begins = c == ' ';
		buf_putc(&out, c);
	}
	return buf_str(&out);
}

/* --- What operators take ------------------------------------------------------------------------------ */

static void
add_filter(struct parser *p, enum search_by by, bool without, struct str value)
{
	struct search_query *out = p->out;

	for (size_t i = 0; i < out->filter_count; i++)
		if (out->filters[i].by == by && out->filters[i].without == without &&
		    str_eq(out->filters[i].value, value))
			return;
	if (out->filter_count == SEARCH_FILTERS_MAX)
		out->cut = true;
	else
		out->filters[out->filter_count++] =
		    (struct search_filter){.by = by, .without = without, .value = value};
}

static bool
take_author(struct parser *p, bool without, struct str value)
{
	while (str_starts(value, STR("@")) || str_starts(value, STR(" ")))
		value = str_sub(value, 1, value.len);
	value = unicode_fold(p->arena, value);
	if (value.len == 0 || value.len > SLUG_BYTES_MAX)
		return false;
	add_filter(p, SEARCH_BY_AUTHOR, without, value);
	return true;
}

/* A slug as it is, or the slug of a name: "C++" is cpp. */
static bool
take_slug(struct parser *p, enum search_by by, bool without, struct str value)
{
	struct str slug = unicode_fold(p->arena, value);

	if (!slug_valid(slug))
		slug = slug_of(p->arena, value, SLUG_MAX, STR(""));
	if (slug.len == 0)
		return false;
	add_filter(p, by, without, slug);
	return true;
}

static bool
take_tag(struct parser *p, bool without, struct str value)
{
	return take_slug(p, SEARCH_BY_TAG, without, value);
}

static bool
take_category(struct parser *p, bool without, struct str value)
{
	return take_slug(p, SEARCH_BY_CATEGORY, without, value);
}

/* "article", "articles", "how-to". */
static bool
take_kind(struct parser *p, bool without, struct str value)
{
	struct str word = str_lower(p->arena, value);
	int kind;

	if (str_starts(word, STR("how-to")))
		word = STR_CONCAT(p->arena, STR("howto"), str_sub(word, 6, word.len));
	kind = post_kind_of(word);
	if (kind < 0 && str_ends(word, STR("s")))
		kind = post_kind_of(str_sub(word, 0, word.len - 1));
	if (kind < 0)
		return false;
	add_filter(p, SEARCH_BY_KIND, without, str_of(post_kind_name((enum post_kind)kind)));
	return true;
}

static bool
take_language(struct parser *p, bool without, struct str value)
{
	if (!language_valid(value))
		return false;
	add_filter(p, SEARCH_BY_LANGUAGE, without, str_lower(p->arena, value));
	return true;
}

/* "3", "3.5" or "3.25" in hundredths; -1: none of these, or more than five. */
static int64_t
hundredths(struct str text)
{
	struct str decimals, whole = str_cut(text, '.', &decimals);
	int64_t stars = 0, part = 0;

	if (whole.len != 1 || whole.base[0] < '0' || whole.base[0] > '5' || decimals.len > 2 ||
	    str_ends(text, STR(".")) || str_starts(decimals, STR("-")))
		return -1;
	if (!str_int(whole, &stars) || (decimals.len != 0 && !str_int(decimals, &part)))
		return -1;
	stars = stars * STAR + (decimals.len == 1 ? part * 10 : part);
	return stars <= STARS_MAX ? stars : -1;
}

static bool
take_stars(struct parser *p, bool without, struct str value)
{
	char sign = value.len != 0 ? value.base[0] : '\0';
	bool compared = sign == '<' || sign == '>';
	bool equal = compared && value.len > 1 && value.base[1] == '=';
	int64_t stars = hundredths(str_sub(value, (size_t)compared + (size_t)equal, value.len));

	if (without || stars < 0 || (!compared && stars % STAR != 0) ||
	    (compared && !equal && stars == (sign == '<' ? 0 : STARS_MAX)))
		return false;
	if (sign == '>') {
		p->out->stars_low = equal ? stars : stars + 1;
	} else if (sign == '<') {
		p->out->stars_high = equal ? stars : stars - 1;
	} else {
		p->out->stars_low = stars != 0 ? stars - STAR / 2 : 0;
		p->out->stars_high =
		    stars + STAR / 2 - 1 < STARS_MAX ? stars + STAR / 2 - 1 : STARS_MAX;
	}
	return true;
}

/* So many digits and nothing else. */
static bool
digits(struct str text, size_t count, int *out)
{
	int64_t number;

	if (text.len != count || !str_int(text, &number) || number <= 0)
		return false;
	*out = (int)number;
	return true;
}

/* The beginning of a year, a month or a day. */
static bool
take_day(const struct parser *p, struct str value, int64_t *out)
{
	struct str rest, year = str_cut(value, '-', &rest), day_text;
	struct str month_text = str_cut(rest, '-', &day_text);
	struct date is, wanted = {.month = 1, .day = 1};
	int64_t local;

	if (!digits(year, 4, &wanted.year) || str_ends(value, STR("-")) ||
	    (rest.len != 0 && !digits(month_text, 2, &wanted.month)) ||
	    (day_text.len != 0 && !digits(day_text, 2, &wanted.day)))
		return false;
	local = time_of_day(wanted.year, wanted.month, wanted.day);
	is = time_date(local);
	if (is.year != wanted.year || is.month != wanted.month || is.day != wanted.day)
		return false;
	*out = p->zone != NULL ? zone_utc(p->zone, local) : local;
	return true;
}

static bool
take_after(struct parser *p, bool without, struct str value)
{
	return !without && take_day(p, value, &p->out->after);
}

static bool
take_before(struct parser *p, bool without, struct str value)
{
	return !without && take_day(p, value, &p->out->before);
}

/* Which of the words; -1: none. */
static int
which(struct arena *arena, struct str value, const char *const words[], size_t count)
{
	struct str word = str_lower(arena, value);

	for (size_t i = 0; i < count; i++)
		if (str_eq(word, str_of(words[i])))
			return (int)i;
	return -1;
}

const char *const search_places[] = {
    [SEARCH_IN_POSTS] = "posts", [SEARCH_IN_TITLES] = "titles", [SEARCH_IN_COMMENTS] = "comments"};
const char *const search_orders[] = {[SEARCH_BEST] = "best", [SEARCH_NEWEST] = "newest"};

static bool
take_in(struct parser *p, bool without, struct str value)
{
	int place =
	    which(p->arena, value, search_places, sizeof(search_places) / sizeof(search_places[0]));

	if (without || place < 0)
		return false;
	p->out->in = (enum search_in)place;
	return true;
}

static bool
take_sort(struct parser *p, bool without, struct str value)
{
	int order =
	    which(p->arena, value, search_orders, sizeof(search_orders) / sizeof(search_orders[0]));

	if (without || order < 0)
		return false;
	p->out->sort = (enum search_sort)order;
	return true;
}

static const struct {
	const char *name;
	/* Is it a value that makes sense? Only then it is taken. */
	bool (*take)(struct parser *p, bool without, struct str value);
} operators[] = {
    /* clang-format off */
    {"author", take_author},
    {"tag", take_tag},
    {"category", take_category},
    {"kind", take_kind},
    {"lang", take_language},
    {"stars", take_stars},
    {"after", take_after},
    {"before", take_before},
    {"in", take_in},
    {"sort", take_sort},
    /* clang-format on */
};

/* --- Tokens ------------------------------------------------------------------------------------------- */

/* What is between two quotes, of which the first is the next character; false: they are not there. */
static bool
quoted(struct str rest, struct str *inner)
{
	struct str after = str_sub(rest, 1, rest.len);
	size_t end;

	if (!str_starts(rest, STR("\"")))
		return false;
	end = str_find(after, '"');
	if (end == after.len)
		return false;
	*inner = str_sub(after, 0, end);
	return true;
}

static void
advance(struct parser *p, size_t bytes)
{
	p->rest = str_sub(p->rest, bytes, p->rest.len);
}

/* Adds words to the text; the slice of it that they are. */
static struct str
add_words(struct parser *p, struct str words)
{
	size_t from;

	if (p->text.len != 0)
		buf_putc(&p->text, ' ');
	from = p->text.len;
	buf_put(&p->text, words);
	p->last = from;
	p->last_is_word = true;
	p->words++;
	return (struct str){p->text.base + from, words.len};
}

/* With one space between each two words, and none at the ends. */
static struct str
spaced(struct arena *arena, struct str words)
{
	struct buf out = {.arena = arena};

	while (words.len != 0) {
		struct str word = str_cut(words, ' ', &words);

		if (word.len != 0 && out.len != 0)
			buf_putc(&out, ' ');
		buf_put(&out, word);
	}
	return buf_str(&out);
}

static void
add_without(struct parser *p, struct str words)
{
	if (words.len == 0)
		return;
	if (p->out->without_count == SEARCH_WITHOUT_MAX)
		p->out->cut = true;
	else
		p->out->without[p->out->without_count++] = words;
}

static void
add_phrase(struct parser *p, struct str words)
{
	if (words.len == 0)
		return;
	if (p->out->phrase_count == SEARCH_PHRASES_MAX) {
		p->out->cut = true;
		return;
	}
	p->out->phrases[p->out->phrase_count++] = add_words(p, words);
	p->last_is_word = false;
	p->words--;
}

/* Takes `name:value` if somebody understands it. */
static bool
take_operator(struct parser *p, bool without)
{
	struct str word = bare(p->rest), value, name = str_cut(word, ':', &value);
	size_t used = name.len + 1;
	struct str rest = str_sub(p->rest, used, p->rest.len);

	if (name.len == word.len)
		return false;
	if (value.len == 0 && quoted(rest, &value))
		used += 2;
	used += value.len;
	value = str_trim(value);
	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
		if (!str_eq_nocase(name, str_of(operators[i].name)))
			continue;
		if (value.len == 0 || !operators[i].take(p, without, value))
			return false;
		advance(p, used);
		return true;
	}
	return false;
}

static bool
is_minus(struct str rest)
{
	return rest.len > 1 && rest.base[0] == '-' && rest.base[1] != ' ' && rest.base[1] != '-';
}

static void
take_token(struct parser *p)
{
	bool behind_quote = p->behind_quote, without = !behind_quote && is_minus(p->rest);
	struct str word;

	p->behind_quote = false;
	if (behind_quote && str_starts(p->rest, STR("-"))) { /* “Model C”-schools */
		p->behind_quote = true;
		advance(p, 1);
		return;
	}
	advance(p, without);
	if (take_operator(p, without))
		return;
	if (quoted(p->rest, &word)) {
		advance(p, word.len + 2);
		p->behind_quote = true;
		word = spaced(p->arena, word);
		if (without)
			add_without(p, word);
		else
			add_phrase(p, word);
		return;
	}
	if (str_starts(p->rest, STR("\""))) { /* a lone one says nothing */
		advance(p, 1);
		return;
	}
	word = bare(p->rest);
	advance(p, word.len);
	if (without)
		add_without(p, word);
	else if (!str_eq(word, STR("-")))
		add_words(p, word);
}

/* --- The whole of it ---------------------------------------------------------------------------------- */

/* Is there a filter that chooses posts, rather than excluding some? */
static bool
chooses(const struct search_query *query)
{
	for (size_t i = 0; i < query->filter_count; i++)
		if (!query->filters[i].without)
			return true;
	return query->stars_low > 0 || query->stars_high < STARS_MAX || query->after != INT64_MIN ||
	       query->before != INT64_MAX;
}

static size_t
letters(struct str word)
{
	size_t count = 0;

	for (size_t at = 0; at < word.len;)
		count += unicode_is_word(str_rune(word, &at));
	return count;
}

/* Without anything to look for, words were meant: "-5". */
static void
look_for_without(struct parser *p)
{
	struct search_query *out = p->out;

	for (size_t i = 0; i < out->without_count; i++)
		if (needs_quotes(out->without[i]))
			add_phrase(p, out->without[i]);
		else
			add_words(p, out->without[i]);
	out->without_count = 0;
}

static void
finish(struct parser *p)
{
	struct search_query *out = p->out;
	struct str last = str_sub(buf_str(&p->text), p->last, p->text.len);

	if (p->text.len == 0 && !chooses(out))
		look_for_without(p);
	else if (p->last_is_word && str_ends(last, STR("*")) &&
		 letters(last) >= PREFIX_LETTERS_MIN) {
		while (str_ends(last, STR("*")))
			last.len--;
		out->prefix = last;
		p->text.len = p->last != 0 ? p->last - 1 : 0;
	}
	out->text = buf_str(&p->text);
}

static void
parse(struct parser *p, struct str text)
{
	*p->out =
	    (struct search_query){.stars_high = STARS_MAX, .after = INT64_MIN, .before = INT64_MAX};
	p->rest = text;
	p->text = (struct buf){.arena = p->arena};
	p->words = 0;
	p->behind_quote = false;
	buf_room(&p->text, text.len + 1);
	while (p->rest.len != 0) {
		if (p->rest.base[0] == ' ') {
			p->behind_quote = false;
			advance(p, 1);
		} else {
			take_token(p);
		}
	}
}

void
search_query_parse(
    struct arena *arena, struct str typed, const struct zone *zone, struct search_query *out)
{
	struct parser p = {.arena = arena, .zone = zone, .out = out};
	struct str text = cleaned(arena, str_sub(typed, 0, SEARCH_QUERY_BYTES));

	parse(&p, text);
	if (p.words > SEARCH_PROSE_WORDS)
		parse(&p, prose(arena, text));
	finish(&p);
	out->cut = out->cut || typed.len > SEARCH_QUERY_BYTES;
	assert(out->text.len <= text.len);
}

/* Of kinds and times the index has no lists of their own: they only choose among what is found. */
bool
search_query_empty(const struct search_query *query)
{
	bool listed = query->stars_low > 0 || query->stars_high < STARS_MAX;

	for (size_t i = 0; i < query->filter_count; i++)
		listed = listed ||
			 (!query->filters[i].without && query->filters[i].by != SEARCH_BY_KIND);
	return query->text.len == 0 && query->prefix.len == 0 && !listed;
}

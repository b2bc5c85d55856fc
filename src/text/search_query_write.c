/*
 * The other way: queries as text that is read again, and in words.
 */
#include "text/search_query_private.h"

#include "base/arena.h"
#include "base/zone.h"

static const char *const filter_names[] = {[SEARCH_BY_AUTHOR] = "author",
    [SEARCH_BY_TAG] = "tag",
    [SEARCH_BY_CATEGORY] = "category",
    [SEARCH_BY_KIND] = "kind",
    [SEARCH_BY_LANGUAGE] = "lang"};

/* Is it the beginning, or the end, of a phrase? */
static bool
at_phrase(const struct search_query *query, const char *at, bool end)
{
	for (size_t i = 0; i < query->phrase_count; i++)
		if (query->phrases[i].base + (end ? query->phrases[i].len : 0) == at)
			return true;
	return false;
}

static void
write_text(struct buf *out, const struct search_query *query)
{
	for (size_t i = 0; i < query->text.len; i++) {
		if (at_phrase(query, query->text.base + i, false))
			buf_putc(out, '"');
		buf_putc(out, query->text.base[i]);
		if (at_phrase(query, query->text.base + i + 1, true))
			buf_putc(out, '"');
	}
}

static void
put_stars(struct buf *out, int64_t stars)
{
	buf_int(out, stars / STAR);
	if (stars % STAR != 0)
		buf_fmt(out, stars % 10 != 0 ? ".%02d" : ".%d",
		    (int)(stars % 10 != 0 ? stars % STAR : stars % STAR / 10));
}

static void
put_day(struct buf *out, const struct zone *zone, int64_t time)
{
	struct date day = zone_date(zone, time);

	buf_fmt(out, "%04d-%02d-%02d", day.year, day.month, day.day);
}

/* A value with spaces in it needs quotes; it has none itself. */
static void
write_filter(struct buf *out, const struct search_filter *filter)
{
	bool spaces = str_find(filter->value, ' ') != filter->value.len;

	buf_fmt(out, filter->without ? " -%s:" : " %s:", filter_names[filter->by]);
	if (spaces)
		buf_putc(out, '"');
	buf_put(out, filter->value);
	if (spaces)
		buf_putc(out, '"');
}

static void
write_rest(struct buf *out, const struct search_query *query, const struct zone *zone)
{
	if (query->stars_low > 0) {
		BUF_PUT(out, " stars:>=");
		put_stars(out, query->stars_low);
	}
	if (query->stars_high < STARS_MAX) {
		BUF_PUT(out, " stars:<=");
		put_stars(out, query->stars_high);
	}
	if (query->after != INT64_MIN) {
		BUF_PUT(out, " after:");
		put_day(out, zone, query->after);
	}
	if (query->before != INT64_MAX) {
		BUF_PUT(out, " before:");
		put_day(out, zone, query->before);
	}
	if (query->in != SEARCH_IN_POSTS)
		buf_fmt(out, " in:%s", search_places[query->in]);
	if (query->sort != SEARCH_BEST)
		buf_fmt(out, " sort:%s", search_orders[query->sort]);
}

struct str
search_query_write(struct arena *arena, const struct search_query *query, const struct zone *zone)
{
	struct buf out = {.arena = arena};

	write_text(&out, query);
	if (query->prefix.len != 0)
		buf_fmt(&out, " %.*s*", STR_ARGS(query->prefix));
	for (size_t i = 0; i < query->without_count; i++)
		buf_fmt(&out, needs_quotes(query->without[i]) ? " -\"%.*s\"" : " -%.*s",
		    STR_ARGS(query->without[i]));
	for (size_t i = 0; i < query->filter_count; i++)
		write_filter(&out, &query->filters[i]);
	write_rest(&out, query, zone);
	return str_trim(buf_str(&out));
}

void
search_query_replace(
    struct arena *arena, struct search_query *query, size_t offset, size_t len, struct str word)
{
	struct str old = query->text;
	struct str before = str_sub(old, 0, offset);

	query->text =
	    STR_CONCAT(arena, before, word, str_sub(old, offset + len, old.len - offset - len));
	for (size_t i = 0; i < query->phrase_count; i++) {
		struct str *phrase = &query->phrases[i];
		size_t from = (size_t)(phrase->base - old.base);

		if (from > offset)
			from += word.len - len;
		else if (from + phrase->len > offset)
			phrase->len += word.len - len;
		phrase->base = query->text.base + from;
	}
}

/* --- In words ----------------------------------------------------------------------------------------- */

/* The next of several, such as "a", ", b", " and c". */
static void
put_between(struct buf *out, size_t at, size_t count, const char *last)
{
	if (at != 0)
		buf_put(out, at + 1 == count ? str_of(last) : STR(", "));
}

static void
put_quoted(struct buf *out, struct str words)
{
	buf_fmt(out, "“%.*s”", STR_ARGS(words));
}

/* The words that are in no phrase; of many, the first ones. */
static void
say_words(struct buf *out, const struct search_query *query)
{
	enum { SAID_MAX = 12 };
	struct str said[SAID_MAX];
	size_t count = 0, shown, phrase = 0;

	for (size_t at = 0; at < query->text.len;) {
		struct str word = bare(str_sub(query->text, at, query->text.len));

		while (phrase < query->phrase_count &&
		       query->phrases[phrase].base < query->text.base + at)
			phrase++;
		if (phrase < query->phrase_count &&
		    query->phrases[phrase].base == query->text.base + at) {
			at += query->phrases[phrase].len + 1;
			continue;
		}
		if (count < SAID_MAX)
			said[count] = word;
		count++;
		at += word.len + 1;
	}
	shown = count < SAID_MAX ? count : SAID_MAX;
	for (size_t i = 0; i < shown; i++) {
		put_between(out, i, count, " and ");
		buf_put(out, said[i]);
	}
	if (count > shown)
		buf_fmt(out, " and %zu more words", count - shown);
}

static void
say_looked_for(struct buf *out, const struct search_query *query)
{
	struct buf words = {.arena = out->arena};
	size_t parts = 0;

	say_words(&words, query);
	if (words.len != 0) {
		buf_fmt(out, " with %.*s", STR_ARGS(buf_str(&words)));
		parts++;
	}
	for (size_t i = 0; i < query->phrase_count; i++) {
		buf_put(out, parts++ == 0 ? STR(" with ") : STR(", with "));
		put_quoted(out, query->phrases[i]);
	}
	if (query->prefix.len != 0) {
		buf_put(out, parts++ == 0 ? STR(" with ") : STR(", with "));
		buf_fmt(out, "words that begin with %.*s", STR_ARGS(query->prefix));
	}
	if (query->in == SEARCH_IN_TITLES)
		buf_put(out, parts == 0 ? STR("") : STR(" in the title"));
	for (size_t i = 0; i < query->without_count; i++) {
		if (i == 0)
			BUF_PUT(out, ", without ");
		put_between(out, i, query->without_count, " or ");
		if (str_find(query->without[i], ' ') != query->without[i].len)
			put_quoted(out, query->without[i]);
		else
			buf_put(out, query->without[i]);
	}
}

static void
say_filters(struct buf *out, const struct search_query *query, enum search_by by, bool without)
{
	static const struct {
		const char *yes, *no, *last;
	} words[] = {[SEARCH_BY_AUTHOR] = {", by ", ", not by ", " or "},
	    [SEARCH_BY_TAG] = {", tagged ", ", not tagged ", " and "},
	    [SEARCH_BY_CATEGORY] = {", in the category ", ", not in the category ", " or "},
	    [SEARCH_BY_KIND] = {"", ", no ", " or "},
	    [SEARCH_BY_LANGUAGE] = {", in the language ", ", not in the language ", " or "}};
	size_t count = 0, at = 0;

	for (size_t i = 0; i < query->filter_count; i++)
		count += query->filters[i].by == by && query->filters[i].without == without;
	for (size_t i = 0; i < query->filter_count; i++) {
		const struct search_filter *filter = &query->filters[i];

		if (filter->by != by || filter->without != without)
			continue;
		if (at == 0)
			buf_put(out, str_of(without ? words[by].no : words[by].yes));
		put_between(out, at++, count, without ? " or " : words[by].last);
		buf_put(out, filter->value);
		if (by == SEARCH_BY_KIND)
			buf_putc(out, 's');
	}
}

static void
say_stars(struct buf *out, const struct search_query *query)
{
	int64_t low = query->stars_low, high = query->stars_high;

	if (low > 0 && high < STARS_MAX) {
		BUF_PUT(out, ", rated with ");
		put_stars(out, low);
		BUF_PUT(out, " to ");
		put_stars(out, high);
		BUF_PUT(out, " stars");
	} else if (low > 0) {
		bool more = low % STAR == 1;

		buf_put(out, more ? STR(", rated with more than ") : STR(", rated with at least "));
		put_stars(out, more ? low - 1 : low);
		BUF_PUT(out, " stars");
	} else if (high < STARS_MAX) {
		bool less = high % STAR == STAR - 1;

		buf_put(out, less ? STR(", rated with less than ") : STR(", rated with at most "));
		put_stars(out, less ? high + 1 : high);
		BUF_PUT(out, " stars");
	}
}

struct str
search_query_said(struct arena *arena, const struct search_query *query, const struct zone *zone)
{
	struct buf out = {.arena = arena}, kinds = {.arena = arena};

	if (search_query_empty(query)) {
		BUF_PUT(&out, "There are no words to look for.");
		return buf_str(&out);
	}
	say_filters(&kinds, query, SEARCH_BY_KIND, false);
	if (query->in == SEARCH_IN_COMMENTS)
		BUF_PUT(&out, "Comments");
	else if (kinds.len != 0)
		buf_fmt(&out, "%c%.*s", kinds.base[0] - 'a' + 'A',
		    STR_ARGS(str_sub(buf_str(&kinds), 1, kinds.len)));
	else
		BUF_PUT(&out, "Posts");
	say_looked_for(&out, query);
	for (enum search_by by = SEARCH_BY_AUTHOR; by <= SEARCH_BY_LANGUAGE; by++) {
		if (by != SEARCH_BY_KIND)
			say_filters(&out, query, by, false);
		say_filters(&out, query, by, true);
	}
	say_stars(&out, query);
	if (query->after != INT64_MIN) {
		BUF_PUT(&out, ", from ");
		put_day(&out, zone, query->after);
		BUF_PUT(&out, " on");
	}
	if (query->before != INT64_MAX) {
		BUF_PUT(&out, ", before ");
		put_day(&out, zone, query->before);
	}
	buf_put(&out, query->sort == SEARCH_NEWEST ? STR(", newest first.") : STR("."));
	if (query->cut)
		BUF_PUT(&out, " What was longer than a query can be is left out.");
	return buf_str(&out);
}

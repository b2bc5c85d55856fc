/*
 * Queries: what is understood of what people type, in one form and in words; that any bytes are a query, and that what is
 * written is read as the same query.
 */
#include "lib/tap.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/zone.h"
#include "text/search_query.h"

/* What is typed, as the program writes it, and the sentence; NULL: not looked at. */
static const struct {
	const char *typed, *written, *said;
} cases[] = {
    /* Words */
    {"", "", "There are no words to look for."},
    {"  \t\n ", "", NULL},
    {"harbour", "harbour", "Posts with harbour."},
    {" low   tide\ttables ", "low tide tables", "Posts with low, tide and tables."},
    {"C++ c# d3.js a", "C++ c# d3.js a", NULL},
    {"12:30 at http://example.org/?a=b", "12:30 at http://example.org/?a=b", NULL},
    {"a b c d e f g h i j k l m n o", NULL,
	"Posts with a, b, c, d, e, f, g, h, i, j, k, l and 3 more words."},
    {"-", "", NULL},
    {"low - tide", "low tide", NULL},
    {"well-known", "well-known", NULL},
    {"--verbose", "--verbose", NULL},
    /* Phrases */
    {"\"low tide\"", "\"low tide\"", "Posts with “low tide”."},
    {"tables \"low  tide \" of", "tables \"low tide\" of",
	"Posts with tables and of, with “low tide”."},
    {"“low tide” „bei Ebbe“ «basse mer»", "\"low tide\" \"bei Ebbe\" \"basse mer\"", NULL},
    {"\"harbour\"", "\"harbour\"", "Posts with “harbour”."},
    {"„Model C“-Schulen -\"x y\"--z", "\"Model C\" Schulen z -\"x y\"", NULL},
    {"\"tag:sea\"", "\"tag:sea\"", "Posts with “tag:sea”."},
    {"\"\" \"  \"", "", NULL},
    {"\"low tide", "low tide", "Posts with low and tide."},
    {"low tide\"", "low tide", NULL},
    {"\"low\" \"tide", "\"low\" tide", NULL},
    {"a\"b c\"d", "a \"b c\" d", NULL},
    /* Without */
    {"tide -boats", "tide -boats", "Posts with tide, without boats."},
    {"tide -boats -\"in port\" −oars", "tide -boats -\"in port\" -oars",
	"Posts with tide, without boats, “in port” or oars."},
    {"tide -\"tag:x\"", "tide -\"tag:x\"", NULL},
    {"-5", "5", "Posts with 5."},
    {"-\"a b\" -c", "\"a b\" c", NULL},
    {"-tag:sea -boats", "boats -tag:sea", NULL},
    {"tag:sea -boats", "-boats tag:sea", "Posts, without boats, tagged sea."},
    /* Filters */
    {"tide author:anna", "tide author:anna", "Posts with tide, by anna."},
    {"author:@Anna AUTHOR:ben -author:eve", "author:anna author:ben -author:eve",
	"Posts, by anna or ben, not by eve."},
    {"tag:sea tag:C++ tag:\"Deep Sea\" tag:sea", "tag:sea tag:cpp tag:deep-sea",
	"Posts, tagged sea, cpp and deep-sea."},
    {"category:coast", "category:coast", "Posts, in the category coast."},
    {"kind:howto", "kind:howto", "There are no words to look for."},
    {"kind:howto tag:sea", "kind:howto tag:sea", "Howtos, tagged sea."},
    {"kind:how-tos kind:Links tide", "tide kind:howto kind:link", "Howtos or links with tide."},
    {"-kind:page x", "x -kind:page", "Posts with x, no pages."},
    {"lang:pt-BR", "lang:pt-br", "Posts, in the language pt-br."},
    {"stars:>3", "stars:>=3.01", "Posts, rated with more than 3 stars."},
    {"stars:>=3.5", "stars:>=3.5", "Posts, rated with at least 3.5 stars."},
    {"stars:<2", "stars:<=1.99", "Posts, rated with less than 2 stars."},
    {"stars:4", "stars:>=3.5 stars:<=4.49", "Posts, rated with 3.5 to 4.49 stars."},
    {"stars:5", "stars:>=4.5", NULL},
    {"after:2024", "after:2024-01-01", "There are no words to look for."},
    {"x after:2024-05-17 before:2025-02", "x after:2024-05-17 before:2025-02-01",
	"Posts with x, from 2024-05-17 on, before 2025-02-01."},
    {"in:comments tide", "tide in:comments", "Comments with tide."},
    {"in:titles tide", "tide in:titles", "Posts with tide in the title."},
    {"tide sort:newest", "tide sort:newest", "Posts with tide, newest first."},
    {"tide sort:best in:posts", "tide", NULL},
    {"tag：sea", "tag:sea", NULL},
    /* What makes no sense is words */
    {"foo:bar", "foo:bar", "Posts with foo:bar."},
    {"foo:\"bar baz\"", "foo: \"bar baz\"", NULL},
    {"kind:novel stars:9 stars:>5 stars:<0 stars:x stars:1.-5",
	"kind:novel stars:9 stars:>5 stars:<0 stars:x stars:1.-5", NULL},
    {"after:2024-02-31 before:yesterday after:2024- before:24 lang:german",
	"after:2024-02-31 before:yesterday after:2024- before:24 lang:german", NULL},
    {"in:here sort:up tag: tag:\"\" author:@ tag:!", "in:here sort:up tag: tag: author:@ tag:!",
	NULL},
    {"x -stars:4 -in:titles", "x -\"stars:4\" -\"in:titles\"", NULL},
    /* Prefix */
    {"low tid*", "low tid*", "Posts with low, with words that begin with tid."},
    {"tid*", "tid*", "Posts with words that begin with tid."},
    {"tid* tag:sea", "tid* tag:sea", NULL},
    {"tid* low", "tid* low", NULL},
    {"t*", "t*", "Posts with t*."},
    {"\"low tid*\"", "\"low tid*\"", NULL},
    {"***", "***", NULL},
    /* Prose */
    {"a b c d e f g h \"i j\" -k l m n o p", "a b c d e f g h \"i j\" l m n o p -k", NULL},
    {"a b c d e f g h \"i j\" k -l m n o p q --r s t* tag:sea",
	"a b c d e f g h i j k l m n o p q r s t tag:sea", NULL},
    /* Any bytes, any script */
    {"low\1tide\x7f", "low tide", NULL},
    {"l\xffow \xc3", "l ow", NULL},
    {"مرحبا -\"كتاب جديد\"", "مرحبا -\"كتاب جديد\"", NULL},
    {"\xe2\x80\xaeseas\xe2\x80\xac \xe2\x81\xa6low\xe2\x81\xa9", "seas low", NULL},
    {"東京　タワー 「青い 海」", "東京 タワー \"青い 海\"", NULL},
};

static bool
same(const struct search_query *a, const struct search_query *b)
{
	bool equal = str_eq(a->text, b->text) && a->phrase_count == b->phrase_count &&
		     a->without_count == b->without_count && a->filter_count == b->filter_count &&
		     str_eq(a->prefix, b->prefix) && a->stars_low == b->stars_low &&
		     a->stars_high == b->stars_high && a->after == b->after &&
		     a->before == b->before && a->in == b->in && a->sort == b->sort;

	for (size_t i = 0; equal && i < a->phrase_count; i++)
		equal = str_eq(a->phrases[i], b->phrases[i]);
	for (size_t i = 0; equal && i < a->without_count; i++)
		equal = str_eq(a->without[i], b->without[i]);
	for (size_t i = 0; equal && i < a->filter_count; i++)
		equal = a->filters[i].by == b->filters[i].by &&
			a->filters[i].without == b->filters[i].without &&
			str_eq(a->filters[i].value, b->filters[i].value);
	return equal;
}

static void
check_cases(struct arena *arena)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct search_query query, again;
		struct str written, said;

		search_query_parse(arena, str_of(cases[i].typed), NULL, &query);
		written = search_query_write(arena, &query, NULL);
		said = search_query_said(arena, &query, NULL);
		search_query_parse(arena, written, NULL, &again);
		if (cases[i].written != NULL)
			is_str(written, str_of(cases[i].written), "“%.*s” is understood.",
			    STR_ARGS(written));
		if (cases[i].said != NULL)
			is_str(said, str_of(cases[i].said), "... and said in words: %.*s",
			    STR_ARGS(said));
		ok(same(&query, &again), "... is the same query when it is read again.");
		ok(search_query_empty(&query) == str_starts(said, STR("There are no")),
		    "... and the sentence says whether there is something to look for.");
	}
}

/* The same text so many times. */
static struct str
many(struct arena *arena, const char *text, size_t times)
{
	struct buf out = {.arena = arena};

	for (size_t i = 0; i < times; i++)
		buf_put(&out, str_of(text));
	return buf_str(&out);
}

static const char *const large[] = {"word ", "\"", "\"a b\" ", "-x ", "-\"x y\" ", "tag:", "\1a",
    "*", "-", "stars:>3 ", "é", "\xf0", "\xe2\x80\xae"};

static void
check_bounds(struct arena *arena)
{
	struct search_query query, again;
	struct buf tags = {.arena = arena};

	for (size_t i = 0; i < sizeof(large) / sizeof(large[0]); i++) {
		search_query_parse(arena, many(arena, large[i], 10240), NULL, &query);
		ok(query.text.len <= SEARCH_QUERY_BYTES && query.cut && str_utf8(query.text),
		    "Text %zu, 10,240 times, is a query, and more than is read.", i);
		ok(search_query_said(arena, &query, NULL).len < 2 * SEARCH_QUERY_BYTES,
		    "... that a sentence tells.");
	}
	search_query_parse(arena, many(arena, "\"a b\" ", SEARCH_PHRASES_MAX + 1), NULL, &query);
	ok(query.phrase_count == SEARCH_PHRASES_MAX && query.cut, "Phrases are bounded.");
	search_query_parse(arena, many(arena, "tag:b -a ", SEARCH_WITHOUT_MAX + 1), NULL, &query);
	ok(query.without_count == SEARCH_WITHOUT_MAX && query.cut, "... so is what is excluded.");
	for (int i = 0; i <= SEARCH_FILTERS_MAX; i++)
		buf_fmt(&tags, "tag:t%d ", i);
	search_query_parse(arena, buf_str(&tags), NULL, &query);
	ok(query.filter_count == SEARCH_FILTERS_MAX && query.cut, "... so are filters.");
	ok(str_ends(search_query_said(arena, &query, NULL), STR(" is left out.")),
	    "... and the sentence says so.");
	search_query_parse(arena, search_query_write(arena, &query, NULL), NULL, &again);
	ok(same(&query, &again) && !again.cut, "... and what is left is a query of its own.");
	search_query_parse(arena, (struct str){"a\0b", 3}, NULL, &query);
	is_str(query.text, STR("a b"), "NUL parts words.");
}

static void
check_replace(struct arena *arena)
{
	struct search_query query;

	search_query_parse(arena, STR("old \"low tyde\" tables \"in port\" tag:sea"), NULL, &query);
	search_query_replace(arena, &query, 8, 4, STR("tides"));
	is_str(search_query_write(arena, &query, NULL),
	    STR("old \"low tides\" tables \"in port\" tag:sea"),
	    "A word of a phrase is corrected.");
	search_query_replace(arena, &query, 0, 3, STR("ancient"));
	is_str(search_query_write(arena, &query, NULL),
	    STR("ancient \"low tides\" tables \"in port\" tag:sea"), "... and one before phrases.");
	search_query_replace(arena, &query, 8, 3, STR("a"));
	is_str(search_query_write(arena, &query, NULL),
	    STR("ancient \"a tides\" tables \"in port\" tag:sea"),
	    "... and the first of a phrase.");
}

static void
check_zone(struct arena *arena)
{
	const struct zone *zone = zone_load(arena, STR("Asia/Kolkata"));
	struct search_query query;

	search_query_parse(arena, STR("after:2024-05-17"), zone, &query);
	ok(query.after == time_of_day(2024, 5, 17) - (5 * 60 + 30) * 60 * 1000,
	    "A day begins when clocks show it.");
	is_str(search_query_write(arena, &query, zone), STR("after:2024-05-17"),
	    "... and is written as they show it.");
}

int
main(void)
{
	struct arena *arena = arena_new();

	check_cases(arena);
	check_bounds(arena);
	check_replace(arena);
	check_zone(arena);
	arena_free(arena);
	return tap_done();
}

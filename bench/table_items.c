/* What bench/table fills its tables with, and asks them for. */
#include "table.h"

static void
set(struct arena *a, struct item *item, const char *name, struct str value)
{
	item_set(a, item, str_of(name), value_string(value));
}

struct str
post_pk(struct arena *a, int64_t n)
{
	return str_fmt(a, "POST#the-title-of-post-%07lld", (long long)n);
}

struct item
head(struct arena *a, int64_t n, int64_t items)
{
	static const char *const numbers[] = {
	    "Bookmarks", "Comments", "Downs", "Likes", "Ratings", "Stars", "Ups", "Words"};
	struct item item = {0};
	struct str time = time_format(a, 1700000000000 + n * 60000);
	struct str place = str_fmt(a, "%.*s#%07lld", STR_ARGS(time), (long long)n);
	struct str tags[] = {STR("harbour"), STR("history"), STR("boats")};

	set(a, &item, "PK", post_pk(a, n));
	set(a, &item, "SK", STR("METADATA"));
	set(a, &item, "GSI1PK", str_fmt(a, "USER#%lld", (long long)(n % (items / 50))));
	set(a, &item, "GSI1SK", STR_CONCAT(a, STR("POST#"), place));
	set(a, &item, "GSI2PK", str_fmt(a, "CATEGORY#%lld", (long long)(n % (items / 50))));
	set(a, &item, "GSI2SK", place);
	set(a, &item, "GSI3PK", STR("POST"));
	set(a, &item, "GSI3SK", place);
	set(a, &item, "GSI4PK", STR("HOT"));
	set(a, &item, "GSI4SK",
	    str_fmt(a, "%012lld#%07lld", (long long)(n * 7919 % items), (long long)n));
	set(a, &item, "Type", STR("Post"));
	set(a, &item, "Author", STR("margarida"));
	set(a, &item, "AuthorName", STR("Margarida Sousa"));
	set(a, &item, "Title", STR("The ferry that nobody ordered, and the town that kept it"));
	set(a, &item, "Excerpt",
	    STR("In the winter of the long fog a ferry came up the river without a pilot, and for "
		"eleven years it has been the only way across. Who pays for it is another "
		"matter."));
	set(a, &item, "Kind", STR("article"));
	set(a, &item, "Status", STR("published"));
	set(a, &item, "Visibility", STR("public"));
	set(a, &item, "PublishedAt", time);
	set(a, &item, "CreatedAt", time);
	item_set(a, &item, STR("Tags"), value_strings(a, tags, 3));
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		item_set(a, &item, str_of(numbers[i]), value_number(n % 97 + (int64_t)i));
	return item_copy(a, &item);
}

struct item
comment(struct arena *a, int64_t post, int64_t n)
{
	struct item item = {0};

	set(a, &item, "PK", post_pk(a, post));
	set(a, &item, "SK", str_fmt(a, "COMMENT#%04lld", (long long)n));
	set(a, &item, "Type", STR("Comment"));
	set(a, &item, "Author", STR("piet"));
	set(a, &item, "AuthorName", STR("Piet Verhoeven"));
	set(a, &item, "CreatedAt", STR("2026-11-18T09:30:00.123Z"));
	set(a, &item, "HTML",
	    STR("<p>My grandfather had a season ticket for it. He never once went across: he said "
		"that it was enough to know one could.</p>"));
	item_set(a, &item, STR("Ups"), value_number(n));
	return item;
}

struct query
query_of(struct bench *b, int index, int64_t n)
{
	struct arena *a = b->arena;
	struct query q = {
	    .index = (enum table_index)index, .limit = QUERY_LIMIT, .descending = true};

	switch (index) {
	case TABLE_PRIMARY:
		q.partition = post_pk(a, n - n % 40);
		q.op = SORT_BEGINS;
		q.low = STR("COMMENT#");
		break;
	case TABLE_GSI1: q.partition = str_fmt(a, "USER#%lld", (long long)(n % 20)); break;
	case TABLE_GSI2: q.partition = str_fmt(a, "CATEGORY#%lld", (long long)(n % 20)); break;
	case TABLE_GSI3: q.partition = STR("POST"); break;
	default: q.partition = STR("HOT"); break;
	}
	return q;
}

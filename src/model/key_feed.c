/* The keys of personal feeds: see key.h. */
#include "model/key_feed.h"

#include "base/arena.h"
#include "base/clock.h"

/* "0" sorts before every time, "~" after each. */
#define BEFORE_ALL STR("0")
#define AFTER_ALL STR("9~")

static struct str
of_feed(struct arena *arena, struct str username)
{
	return STR_CONCAT(arena, STR("FEED#"), username);
}

struct key
key_feed_state(struct arena *arena, struct str username)
{
	return (struct key){STR_CONCAT(arena, STR("USER#"), username), STR("FEED")};
}

struct key
key_feed_fill(struct arena *arena, struct str username)
{
	return (struct key){of_feed(arena, username), STR("FILLED")};
}

struct key
key_feed_entry(struct arena *arena, struct str username, int64_t published, struct str post)
{
	return (struct key){of_feed(arena, username), key_feed_place(arena, published, post)};
}

struct key
key_feed_push(struct arena *arena, struct str post)
{
	struct str both = STR_CONCAT(arena, STR("FED#"), post);

	return (struct key){both, both};
}

struct key
key_feed_merged(void)
{
	return (struct key){STR("FEEDS"), STR("MERGED")};
}

struct str
key_feed_of(struct key key)
{
	struct str name;

	(void)str_cut(key.pk, '#', &name);
	return name;
}

/* --- Places ----------------------------------------------------------------------------------------- */

struct str
key_feed_place(struct arena *arena, int64_t published, struct str post)
{
	return STR_CONCAT(arena, time_format(arena, published), STR("#"), post);
}

bool
key_feed_place_read(struct str place, int64_t *published, struct str *post)
{
	return time_parse(str_cut(place, '#', post), published) && post->len != 0;
}

/* --- Queries ---------------------------------------------------------------------------------------- */

struct query
query_feed_until(struct arena *arena, struct str username, struct str until)
{
	return (struct query){.index = TABLE_PRIMARY,
	    .partition = of_feed(arena, username),
	    .op = SORT_BETWEEN,
	    .low = BEFORE_ALL,
	    .high = until};
}

struct query
query_feed(struct arena *arena, struct str username)
{
	return query_feed_until(arena, username, AFTER_ALL);
}

struct query
query_published_between(
    struct arena *arena, struct str author, bool closed, struct str from, struct str until)
{
	struct str prefix = closed ? STR("CLOSED#") : STR("POST#");

	return (struct query){.index = TABLE_GSI1,
	    .partition = STR_CONCAT(arena, STR("USER#"), author),
	    .op = SORT_BETWEEN,
	    .low = STR_CONCAT(arena, prefix, from.len != 0 ? from : BEFORE_ALL),
	    .high = STR_CONCAT(arena, prefix, until),
	    .descending = true};
}

struct query
query_published_since(struct arena *arena, struct str author, bool closed, int64_t since)
{
	return query_published_between(
	    arena, author, closed, time_format(arena, since), AFTER_ALL);
}

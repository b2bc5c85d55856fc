/* The queries that pages ask: each of one partition of the table or of an index. */
#include "model/key.h"
#include "model/key_private.h"

struct query
query_person(struct arena *arena, struct str username)
{
	return (struct query){.index = TABLE_PRIMARY,
	    .partition = tagged(arena, "USER", username),
	    .op = SORT_BETWEEN,
	    .low = STR("MEMBERSHIP#"),
	    .high = METADATA};
}

struct query
query_names(struct arena *arena, struct str skeleton)
{
	return (struct query){
	    .index = TABLE_PRIMARY, .partition = tagged(arena, "NAME", skeleton), .op = SORT_ANY};
}

struct query
query_comments(struct arena *arena, struct str post)
{
	return (struct query){.index = TABLE_PRIMARY,
	    .partition = tagged(arena, "POST", post),
	    .op = SORT_BEGINS,
	    .low = STR("COMMENT#")};
}

struct query
query_collection(struct arena *arena, struct str id)
{
	return (struct query){.index = TABLE_PRIMARY,
	    .partition = tagged(arena, "COLLECTION", id),
	    .op = SORT_BEGINS,
	    .low = STR("POST#")};
}

struct query
query_ratings(struct arena *arena, struct str post)
{
	return (struct query){.index = TABLE_GSI2,
	    .partition = tagged(arena, "ABOUT", post),
	    .op = SORT_BEGINS,
	    .low = STR("RATING#")};
}

static struct query
activity(struct arena *arena, struct str username, const char *prefix)
{
	return (struct query){.index = TABLE_GSI1,
	    .partition = tagged(arena, "USER", username),
	    .op = SORT_BEGINS,
	    .low = str_of(prefix)};
}

struct query
query_collections_of(struct arena *arena, struct str username)
{
	return activity(arena, username, "COLLECTION#");
}

struct query
query_invitations_of(struct arena *arena, struct str username)
{
	return activity(arena, username, "INVITATION#");
}

struct query
query_sessions_of(struct arena *arena, struct str username)
{
	return activity(arena, username, "SESSION#");
}

struct query
query_notices_of(struct arena *arena, struct str username)
{
	return (struct query){.index = TABLE_PRIMARY,
	    .partition = tagged(arena, "USER", username),
	    .op = SORT_BEGINS,
	    .low = STR("NOTICE#")};
}

struct query
query_media_of(struct arena *arena, struct str username)
{
	return activity(arena, username, "MEDIA#");
}

static struct query
all_of(const char *type)
{
	return (struct query){.index = TABLE_GSI3, .partition = str_of(type)};
}

struct query
query_left_media(struct arena *arena, int64_t now)
{
	struct query query = all_of("LEFTMEDIA");

	query.op = SORT_LT;
	query.low = time_format(arena, now);
	return query;
}

struct query
query_media_uses(struct arena *arena, struct str hash)
{
	return (struct query){.index = TABLE_PRIMARY,
	    .partition = tagged(arena, "MEDIA", hash),
	    .op = SORT_BEGINS,
	    .low = STR("POST#")};
}

struct query
query_own(struct arena *arena, struct str username)
{
	return (struct query){.index = TABLE_PRIMARY, .partition = tagged(arena, "USER", username)};
}

struct query
query_activity(struct arena *arena, struct str username)
{
	return (struct query){.index = TABLE_GSI1, .partition = tagged(arena, "USER", username)};
}

struct query
query_categories(void)
{
	return all_of("CATEGORY");
}

struct query
query_category_partition(struct arena *arena, struct str slug)
{
	return (struct query){.index = TABLE_GSI2, .partition = tagged(arena, "CATEGORY", slug)};
}

struct query
query_tags(void)
{
	return all_of("TAG");
}

struct query
query_users(void)
{
	return all_of("USER");
}

struct query
query_authors(void)
{
	return (struct query){.index = TABLE_GSI4, .partition = STR("AUTHOR")};
}

struct query
query_people(struct arena *arena, struct str standing, struct str prefix)
{
	struct query query = query_users();

	if (standing.len != 0) {
		query.index = TABLE_GSI2;
		query.partition = key_standing(arena, standing);
	}
	query.op = prefix.len != 0 ? SORT_BEGINS : SORT_ANY;
	query.low = prefix;
	return query;
}

struct query
query_audit(struct arena *arena, struct str month)
{
	return (struct query){.index = TABLE_PRIMARY, .partition = tagged(arena, "AUDIT", month)};
}

struct query
query_groups(void)
{
	return all_of("GROUP");
}

struct query
query_leaving(void)
{
	return all_of("LEAVING");
}

struct query
query_members(struct arena *arena, struct str group)
{
	return (struct query){.index = TABLE_GSI2,
	    .partition = tagged(arena, "GROUP", group),
	    .op = SORT_BEGINS,
	    .low = STR("USER#")};
}

struct query
query_collections(void)
{
	return all_of("COLLECTION");
}

struct query
query_pages(void)
{
	return all_of("PAGE");
}

bool
query_posts(struct arena *arena, enum posts_of of, struct str name, struct str from, struct str to,
    int64_t now, struct query *out)
{
	/* "#" follows a time in a sort key and "$" follows "#": "<now>$" lies behind all of now's. */
	struct str until = STR_CONCAT(arena, time_format(arena, now), STR("$"));
	/* "~" lies behind every character of a time. */
	struct str end = to.len != 0 ? STR_CONCAT(arena, to, STR("~")) : until;
	struct str prefix = STR("");

	if (str_cmp(until, end) < 0)
		end = until;
	if (str_cmp(from, end) > 0)
		return false;
	*out = (struct query){.op = SORT_BETWEEN};
	switch (of) {
	case POSTS_ALL:
		out->index = TABLE_GSI3;
		out->partition = STR("POST");
		break;
	case POSTS_OF_AUTHOR:
		out->index = TABLE_GSI1;
		out->partition = tagged(arena, "USER", name);
		prefix = STR("POST#");
		break;
	case POSTS_OF_CATEGORY:
		out->index = TABLE_GSI2;
		out->partition = tagged(arena, "CATEGORY", name);
		break;
	case POSTS_OF_TAG:
		out->index = TABLE_GSI2;
		out->partition = tagged(arena, "TAG", name);
		break;
	}
	/* A key is never empty; "0" lies before every time. */
	out->low = STR_CONCAT(arena, prefix, from.len != 0 ? from : STR("0"));
	out->high = STR_CONCAT(arena, prefix, end);
	return true;
}

struct query
query_ranking(struct str ranking)
{
	return (struct query){.index = TABLE_GSI4, .partition = ranking, .descending = true};
}

#include "model/key.h"

#include "base/arena.h"
#include "model/people/user.h"
#include "model/post/collection.h"

#include <inttypes.h>

#define METADATA STR("METADATA")

/* "<kind>#<name>" */
static struct str
tagged(struct arena *arena, const char *kind, struct str name)
{
	return STR_CONCAT(arena, str_of(kind), STR("#"), name);
}

static struct key
head_of(struct arena *arena, const char *kind, struct str name)
{
	return (struct key){tagged(arena, kind, name), METADATA};
}

static struct key
claim(struct arena *arena, const char *kind, struct str name)
{
	struct str both = tagged(arena, kind, name);

	return (struct key){both, both};
}

struct key
key_site_settings(void)
{
	return (struct key){STR("SITE"), STR("SETTINGS")};
}

struct key
key_site_secret(void)
{
	return (struct key){STR("SITE"), STR("SECRET")};
}

struct key
key_site_picture_key(void)
{
	return (struct key){STR("SITE"), STR("PICTUREKEY")};
}

struct key
key_table_format(void)
{
	return (struct key){STR("SITE"), STR("FORMAT")};
}

struct key
key_first_admin(void)
{
	return (struct key){STR("SITE"), STR("FIRSTADMIN")};
}

struct key
key_backup(void)
{
	return (struct key){STR("SITE"), STR("BACKUP")};
}

struct key
key_user(struct arena *arena, struct str username)
{
	return head_of(arena, "USER", username);
}

struct key
key_email(struct arena *arena, struct str address)
{
	return claim(arena, "USEREMAIL", address);
}

struct key
key_name_guard(struct arena *arena, struct str skeleton, struct str username)
{
	return (struct key){tagged(arena, "NAME", skeleton), username};
}

struct key
key_category(struct arena *arena, struct str slug)
{
	return head_of(arena, "CATEGORY", slug);
}

struct key
key_tag(struct str tag)
{
	return (struct key){STR("TAGS"), tag};
}

struct key
key_category_count(struct str slug)
{
	return (struct key){STR("CATEGORIES"), slug};
}

struct key
key_slug(struct arena *arena, struct str slug)
{
	return claim(arena, "SLUG", slug);
}

struct key
key_post(struct arena *arena, struct str id)
{
	return head_of(arena, "POST", id);
}

struct key
key_post_body(struct arena *arena, struct str id)
{
	return (struct key){tagged(arena, "POST", id), STR("BODY")};
}

struct key
key_post_stats(struct arena *arena, struct str id)
{
	return (struct key){tagged(arena, "POST", id), STR("STATS")};
}

struct key
key_collection(struct arena *arena, struct str id)
{
	return head_of(arena, "COLLECTION", id);
}

struct key
key_collected(struct arena *arena, struct str id, int64_t position, struct str post)
{
	return (struct key){tagged(arena, "COLLECTION", id),
	    str_fmt(arena, "POST#%04" PRId64 "#%.*s", position, STR_ARGS(post))};
}

struct key
key_group(struct arena *arena, struct str name)
{
	return head_of(arena, "GROUP", name);
}

struct key
key_media(struct arena *arena, struct str hash)
{
	return head_of(arena, "MEDIA", hash);
}

struct key
key_pictures(struct arena *arena, struct str username)
{
	return (struct key){tagged(arena, "USER", username), STR("PICTURES")};
}

struct key
key_media_use(struct arena *arena, struct str hash, struct str post)
{
	return (struct key){tagged(arena, "MEDIA", hash), tagged(arena, "POST", post)};
}

struct key
key_membership(struct arena *arena, struct str username, struct str group)
{
	return (struct key){tagged(arena, "USER", username), tagged(arena, "MEMBERSHIP", group)};
}

struct key
key_notice(struct arena *arena, struct str username, struct str id)
{
	return (struct key){tagged(arena, "USER", username), tagged(arena, "NOTICE", id)};
}

struct key
key_session(struct arena *arena, struct str hash)
{
	return claim(arena, "SESSION", hash);
}

struct key
key_invitation(struct arena *arena, struct str hash)
{
	return claim(arena, "INVITATION", hash);
}

struct key
key_audit(struct arena *arena, int64_t created, struct str id)
{
	return (struct key){tagged(arena, "AUDIT", str_sub(time_format(arena, created), 0, 7)), id};
}

struct key
key_reset(struct arena *arena, struct str hash)
{
	return claim(arena, "RESET", hash);
}

struct key
key_rate(struct arena *arena, struct str what, struct str who, int64_t window)
{
	return (struct key){STR_CONCAT(arena, STR("RATE#"), what, STR("#"), who),
	    str_fmt(arena, "%" PRId64, window)};
}

struct key
key_lease(struct str work)
{
	return (struct key){STR("LEASE"), work};
}

struct key
key_last_known_time(void)
{
	return (struct key){STR("TIME"), STR("KNOWN")};
}

struct str
key_name(struct key key)
{
	struct str name;

	str_cut(key.pk, '#', &name);
	return name;
}

struct str
key_comment_path(struct str sort)
{
	struct str path;

	str_cut(sort, '#', &path);
	return path;
}

struct key
key_comment(struct arena *arena, struct str post, struct str path)
{
	return (struct key){
	    tagged(arena, "POST", post), STR_CONCAT(arena, STR("COMMENT#"), path)};
}

struct key
key_comment_text(struct arena *arena, struct str post, struct str id, int64_t until)
{
	return (struct key){tagged(arena, "POST", post),
	    STR_CONCAT(arena, STR("WAS#"), id, STR("#"), time_format(arena, until))};
}

bool
key_comment_parent(struct key key, struct key *out)
{
	size_t end = key.sk.len;

	while (end > 0 && key.sk.base[end - 1] != '.')
		end--;
	*out = (struct key){key.pk, str_sub(key.sk, 0, end > 0 ? end - 1 : 0)};
	return end > 0;
}

struct key
key_comment_place(struct arena *arena, struct str id)
{
	return head_of(arena, "COMMENT", id);
}

bool
key_is_own(struct key key, struct str username)
{
	struct str kind, name;

	kind = str_cut(key.pk, '#', &name);
	return str_eq(kind, STR("USER")) && str_eq(name, username);
}

static void
set_index(
    struct arena *arena, struct item *item, enum table_index index, struct str pk, struct str sk)
{
	item_set(arena, item, table_pk_name(index), value_string(pk));
	item_set(arena, item, table_sk_name(index), value_string(sk));
}

struct str
key_category_place(struct arena *arena, int64_t order, struct str slug)
{
	return str_fmt(arena, "%04" PRId64 "#%.*s", order, STR_ARGS(slug));
}

/* "~" sorts after every digit. */
struct str
key_merged_place(struct arena *arena, struct str slug)
{
	return STR_CONCAT(arena, STR("~"), slug);
}

void
key_index_category(struct arena *arena, struct item *item, int64_t order, struct str slug)
{
	set_index(arena, item, TABLE_GSI3, STR("CATEGORY"), key_category_place(arena, order, slug));
}

static struct str
created_place(struct arena *arena, const struct collection *collection)
{
	return STR_CONCAT(arena, time_format(arena, collection->created), STR("#"), collection->id);
}

void
key_index_collection_owner(
    struct arena *arena, struct item *item, const struct collection *collection)
{
	set_index(arena, item, TABLE_GSI1, tagged(arena, "USER", collection->owner),
	    STR_CONCAT(arena, STR("COLLECTION#"), created_place(arena, collection)));
}

void
key_index_collection(struct arena *arena, struct item *item, const struct collection *collection)
{
	if (!collection->is_public)
		return;
	set_index(arena, item, TABLE_GSI3, STR("COLLECTION"), created_place(arena, collection));
	if (collection->front_post.len != 0)
		set_index(arena, item, TABLE_GSI2, STR("FRONT"), created_place(arena, collection));
}

void
key_index_collected(struct arena *arena, struct item *item, struct str id, struct str post)
{
	set_index(
	    arena, item, TABLE_GSI2, tagged(arena, "ABOUT", post), tagged(arena, "COLLECTION", id));
}

void
key_index_group(struct arena *arena, struct item *item, struct str name)
{
	set_index(arena, item, TABLE_GSI3, STR("GROUP"), name);
}

void
key_index_membership(struct arena *arena, struct item *item, struct str group, struct str username)
{
	set_index(arena, item, TABLE_GSI2, tagged(arena, "GROUP", group),
	    tagged(arena, "USER", username));
}

struct str
key_people(struct arena *arena, struct str role_or_status)
{
	return tagged(arena, "PEOPLE", role_or_status);
}

void
key_index_user(struct arena *arena, struct item *item, struct str username, struct str role_or_status)
{
	set_index(arena, item, TABLE_GSI2, key_people(arena, role_or_status), username);
	set_index(arena, item, TABLE_GSI3, STR("USER"), username);
}

void
key_index_author(struct arena *arena, struct item *item, struct str username)
{
	if (username_valid(username))
		set_index(arena, item, TABLE_GSI4, STR("AUTHOR"), username);
}

void
key_index_invitation(
    struct arena *arena, struct item *item, struct str by, int64_t created, struct str hash)
{
	set_index(arena, item, TABLE_GSI1, tagged(arena, "USER", by),
	    STR_CONCAT(arena, STR("INVITATION#"), time_format(arena, created), STR("#"), hash));
}

void
key_index_session(
    struct arena *arena, struct item *item, struct str username, int64_t created, struct str hash)
{
	set_index(arena, item, TABLE_GSI1, tagged(arena, "USER", username),
	    STR_CONCAT(arena, STR("SESSION#"), time_format(arena, created), STR("#"), hash));
}

void
key_index_comment(struct arena *arena, struct item *item, struct str author, int64_t created,
    struct str id, bool held)
{
	struct str place = STR_CONCAT(arena, time_format(arena, created), STR("#"), id);
	struct key by_id = key_comment_place(arena, id);

	set_index(arena, item, TABLE_GSI1, tagged(arena, "USER", author),
	    STR_CONCAT(arena, held ? STR("HELD#") : STR("COMMENT#"), place));
	set_index(arena, item, TABLE_GSI2, by_id.pk, by_id.sk);
	set_index(arena, item, TABLE_GSI3, held ? STR("HELD") : STR("SAID"), place);
}

void
key_index_comment_text(
    struct arena *arena, struct item *item, struct str author, int64_t until, struct str id)
{
	set_index(arena, item, TABLE_GSI1, tagged(arena, "USER", author),
	    STR_CONCAT(arena, STR("WAS#"), time_format(arena, until), STR("#"), id));
}

void
key_index_left_media(struct arena *arena, struct item *item, int64_t look, struct str hash)
{
	set_index(arena, item, TABLE_GSI3, STR("LEFTMEDIA"),
	    STR_CONCAT(arena, time_format(arena, look), STR("#"), hash));
}

void
key_index_media(
    struct arena *arena, struct item *item, struct str username, int64_t created, struct str hash)
{
	set_index(arena, item, TABLE_GSI1, tagged(arena, "USER", username),
	    STR_CONCAT(arena, STR("MEDIA#"), time_format(arena, created), STR("#"), hash));
}

void
key_set(struct arena *arena, struct item *item, struct key key, enum item_kind kind)
{
	item_set(arena, item, STR("PK"), value_string(key.pk));
	item_set(arena, item, STR("SK"), value_string(key.sk));
	item_set(arena, item, STR("Type"), kind_type(kind));
}

void
key_index_leaving(struct arena *arena, struct item *item, struct str username)
{
	set_index(arena, item, TABLE_GSI3, STR("LEAVING"), username);
}

/* In an index by post, the person is at the end of the sort key: "RATING#<t>#<u>". */
static void
hand_over_end(
    struct arena *arena, struct item *item, enum table_index index, struct str from, struct str to)
{
	struct str key = item_string(item, table_sk_name(index));
	struct str end = STR_CONCAT(arena, STR("#"), from);

	if (str_ends(key, end))
		item_set(arena, item, table_sk_name(index),
		    value_string(STR_CONCAT(arena, str_sub(key, 0, key.len - from.len), to)));
}

void
key_hand_over(struct arena *arena, struct item *item, struct str to)
{
	struct str owner = tagged(arena, "USER", to), from, rest = item_key(item).pk;

	if (item_get(item, table_pk_name(TABLE_GSI1)) != NULL)
		item_set(arena, item, table_pk_name(TABLE_GSI1), value_string(owner));
	if (!str_starts(rest, STR("USER#")))
		return;
	str_cut(rest, '#', &from);
	item_set(arena, item, STR("PK"), value_string(owner));
	hand_over_end(arena, item, TABLE_GSI2, from, to);
	hand_over_end(arena, item, TABLE_GSI3, from, to);
}

/* --- Queries: each of one partition of the table or of an index -------------------------------- */

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
query_comment_texts(struct arena *arena, struct str post, struct str id)
{
	return (struct query){.index = TABLE_PRIMARY,
	    .partition = tagged(arena, "POST", post),
	    .op = SORT_BEGINS,
	    .low = STR_CONCAT(arena, STR("WAS#"), id, STR("#")),
	    .descending = true};
}

struct query
query_comment_texts_of(struct arena *arena, struct str username)
{
	return (struct query){.index = TABLE_GSI1,
	    .partition = tagged(arena, "USER", username),
	    .op = SORT_BEGINS,
	    .low = STR("WAS#"),
	    .descending = true};
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
query_collection_whole(struct arena *arena, struct str id)
{
	return (struct query){.index = TABLE_PRIMARY,
	    .partition = tagged(arena, "COLLECTION", id),
	    .limit = TABLE_QUERY_MAX,
	    .consistent = true};
}

struct query
query_collections_with(struct arena *arena, struct str post)
{
	return (struct query){.index = TABLE_GSI2,
	    .partition = tagged(arena, "ABOUT", post),
	    .op = SORT_BEGINS,
	    .low = STR("COLLECTION#")};
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
query_comments_of(struct arena *arena, struct str username)
{
	return activity(arena, username, "COMMENT#");
}

struct query
query_comments_held_of(struct arena *arena, struct str username)
{
	return activity(arena, username, "HELD#");
}

struct query
query_comments_hidden_of(struct arena *arena, struct str username)
{
	return activity(arena, username, "HIDDEN#");
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
query_comments_held(void)
{
	return all_of("HELD");
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
	return (struct query){.index = TABLE_PRIMARY, .partition = STR("TAGS")};
}

struct query
query_older_tags(void)
{
	return all_of("TAG");
}

bool
key_is_older_tag(struct key key)
{
	return !str_eq(key.pk, STR("TAGS"));
}

struct query
query_category_counts(void)
{
	return (struct query){.index = TABLE_PRIMARY, .partition = STR("CATEGORIES")};
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
query_people(struct arena *arena, struct str role_or_status, struct str prefix)
{
	struct query query = query_users();

	if (role_or_status.len != 0) {
		query.index = TABLE_GSI2;
		query.partition = key_people(arena, role_or_status);
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
query_front_collections(void)
{
	return (struct query){.index = TABLE_GSI2, .partition = STR("FRONT")};
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
	/*
	 * "#" follows a time in a sort key and "$" sorts after "#": "<now>$" is after all keys of
	 * now.
	 */
	struct str until = STR_CONCAT(arena, time_format(arena, now), STR("$"));
	/* "~" sorts after every character of a time. */
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
	/* A key is never empty; "0" sorts before every time. */
	out->low = STR_CONCAT(arena, prefix, from.len != 0 ? from : STR("0"));
	out->high = STR_CONCAT(arena, prefix, end);
	return true;
}

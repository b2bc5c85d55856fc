#include "model/key_moderation.h"

#include "base/arena.h"
#include "model/reader/flag.h"

static struct str
partition_of(struct arena *arena, struct str target)
{
	return STR_CONCAT(arena, STR("FLAGS#"), target);
}

static struct str
place_at(struct arena *arena, int64_t when, struct str id)
{
	return STR_CONCAT(arena, time_format(arena, when), STR("#"), id);
}

static void
set(struct arena *arena, struct item *item, enum table_index index, struct str pk, struct str sk)
{
	item_set(arena, item, table_pk_name(index), value_string(pk));
	item_set(arena, item, table_sk_name(index), value_string(sk));
}

enum { ID_LEN = 14 };

struct str
key_flag_target(struct arena *arena, const struct flag_target *target)
{
	struct str id = str_sub(target->path, target->path.len - ID_LEN, ID_LEN);

	switch (target->what) {
	case FLAG_POST: return STR_CONCAT(arena, STR("POST#"), target->post);
	case FLAG_COMMENT: return STR_CONCAT(arena, STR("COMMENT#"), id);
	case FLAG_REVIEW:
		return STR_CONCAT(arena, STR("REVIEW#"), target->post, STR("#"), target->person);
	case FLAG_PROFILE: return STR_CONCAT(arena, STR("PROFILE#"), target->person);
	case FLAG_COLLECTION:
	case FLAG_WHATS: break;
	}
	return STR_CONCAT(arena, STR("COLLECTION#"), target->collection);
}

/* --- Single items ----------------------------------------------------------------------------------- */

struct key
key_flag(struct arena *arena, struct str target, struct str username)
{
	return (struct key){partition_of(arena, target), STR_CONCAT(arena, STR("FLAG#"), username)};
}

struct key
key_flagged(struct arena *arena, struct str target)
{
	return (struct key){partition_of(arena, target), STR("TARGET")};
}

struct key
key_staff_note(struct arena *arena, struct str about, struct str id)
{
	return (struct key){STR_CONCAT(arena, STR("NOTES#"), about), id};
}

struct key
key_restriction(struct arena *arena, struct str target)
{
	return (struct key){partition_of(arena, target), STR("RESTRICTION")};
}

struct key
key_moderation_act(struct arena *arena, int64_t created, struct str id)
{
	return (struct key){STR_CONCAT(arena, STR("MODERATION#"),
				str_sub(time_format(arena, created), 0, 7)),
	    id};
}

/* --- Queries ---------------------------------------------------------------------------------------- */

struct query
query_flags(struct arena *arena, struct str target)
{
	return (struct query){.index = TABLE_PRIMARY, .partition = partition_of(arena, target)};
}

struct query
query_replies(struct arena *arena, struct str post, struct str path)
{
	return (struct query){.index = TABLE_PRIMARY,
	    .partition = STR_CONCAT(arena, STR("POST#"), post),
	    .op = SORT_BEGINS,
	    .low = STR_CONCAT(arena, STR("COMMENT#"), path, STR("."))};
}

static struct query
all_of(const char *type)
{
	return (struct query){.index = TABLE_GSI3, .partition = str_of(type)};
}

struct query
query_flagged(void)
{
	return all_of("FLAG");
}

struct query
query_comments_hidden(void)
{
	return all_of("HIDDEN");
}

struct query
query_comments_answered(void)
{
	return all_of("ANSWERED");
}

static const char *const restriction_lists[] = {[RESTRICTIONS_HELD] = "THINGHELD",
    [RESTRICTIONS_HIDDEN] = "THINGHIDDEN",
    [RESTRICTIONS_ANSWERED] = "THINGANSWERED"};

struct query
query_restrictions(enum restriction_list list)
{
	return all_of(restriction_lists[list]);
}

struct query
query_restrictions_of(struct arena *arena, struct str owner)
{
	return (struct query){.index = TABLE_GSI1,
	    .partition = STR_CONCAT(arena, STR("USER#"), owner),
	    .op = SORT_BEGINS,
	    .low = STR("RESTRICTED#"),
	    .descending = true};
}

static struct query
before(struct arena *arena, struct query query, int64_t time)
{
	query.op = SORT_LT;
	query.low = time_format(arena, time);
	return query;
}

struct query
query_comments_hidden_before(struct arena *arena, int64_t time, bool answered)
{
	return before(arena, answered ? query_comments_answered() : query_comments_hidden(), time);
}

struct query
query_restrictions_before(struct arena *arena, int64_t time, bool answered)
{
	return before(arena,
	    query_restrictions(answered ? RESTRICTIONS_ANSWERED : RESTRICTIONS_HIDDEN), time);
}

struct query
query_staff_notes(struct arena *arena, struct str about)
{
	return (struct query){.index = TABLE_PRIMARY,
	    .partition = STR_CONCAT(arena, STR("NOTES#"), about),
	    .descending = true};
}

struct query
query_moderation(struct arena *arena, struct str month)
{
	return (struct query){.index = TABLE_PRIMARY,
	    .partition = STR_CONCAT(arena, STR("MODERATION#"), month),
	    .descending = true};
}

struct query
query_flags_by(struct arena *arena, struct str username)
{
	return (struct query){.index = TABLE_GSI1,
	    .partition = STR_CONCAT(arena, STR("USER#"), username),
	    .op = SORT_BEGINS,
	    .low = STR("FLAG#"),
	    .descending = true};
}

/* --- Index keys ------------------------------------------------------------------------------------- */

void
key_index_flag(struct arena *arena, struct item *item, struct str username, int64_t created,
    struct str target)
{
	set(arena, item, TABLE_GSI1, STR_CONCAT(arena, STR("USER#"), username),
	    STR_CONCAT(arena, STR("FLAG#"), place_at(arena, created, target)));
}

void
key_index_flagged(struct arena *arena, struct item *item, int64_t created, struct str target)
{
	set(arena, item, TABLE_GSI3, STR("FLAG"), place_at(arena, created, target));
}

void
key_list_restriction(struct arena *arena, struct item *item, int64_t when, struct str target,
    enum restriction_list list)
{
	set(arena, item, TABLE_GSI3, str_of(restriction_lists[list]), place_at(arena, when, target));
}

void
key_index_restriction(struct arena *arena, struct item *item, struct str owner, int64_t when,
    struct str target, enum restriction_list list)
{
	set(arena, item, TABLE_GSI1, STR_CONCAT(arena, STR("USER#"), owner),
	    STR_CONCAT(arena, STR("RESTRICTED#"), place_at(arena, when, target)));
	key_list_restriction(arena, item, when, target, list);
}

void
key_index_comment_hidden(
    struct arena *arena, struct item *item, struct str author, int64_t hidden, struct str id)
{
	struct str place = place_at(arena, hidden, id);

	set(arena, item, TABLE_GSI1, STR_CONCAT(arena, STR("USER#"), author),
	    STR_CONCAT(arena, STR("HIDDEN#"), place));
	set(arena, item, TABLE_GSI3, STR("HIDDEN"), place);
}

void
key_index_comment_answered(
    struct arena *arena, struct item *item, int64_t answered, struct str id)
{
	set(arena, item, TABLE_GSI3, STR("ANSWERED"), place_at(arena, answered, id));
}

static struct str
hidden_under(struct arena *arena, struct str post)
{
	return STR_CONCAT(arena, STR("HIDDEN#"), post);
}

void
key_index_comment_under(
    struct arena *arena, struct item *item, struct str post, int64_t when, struct str id)
{
	set(arena, item, TABLE_GSI4, hidden_under(arena, post), place_at(arena, when, id));
}

struct query
query_comments_hidden_under(struct arena *arena, struct str post)
{
	return (struct query){.index = TABLE_GSI4,
	    .partition = hidden_under(arena, post),
	    .descending = true};
}

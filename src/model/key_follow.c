#include "model/key_follow.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/reader/watch.h"

static struct str
of_user(struct arena *arena, struct str username)
{
	return STR_CONCAT(arena, STR("USER#"), username);
}

/* --- Single items ----------------------------------------------------------------------------------- */

struct key
key_follow(struct arena *arena, struct str username, struct str followed)
{
	return (struct key){
	    of_user(arena, username), STR_CONCAT(arena, STR("FOLLOWING#"), followed)};
}

struct key
key_hidden(struct arena *arena, struct str username)
{
	return (struct key){of_user(arena, username), STR("MEMO#HIDDEN")};
}

struct key
key_person_counts(struct arena *arena, struct str username)
{
	return (struct key){of_user(arena, username), STR("COUNTS")};
}

/* "THREAD#<root>" */
static struct str
watched(struct arena *arena, const struct watch_target *target)
{
	static const char *const whats[] = {"", "POST#", "THREAD#", "TAG#", "CATEGORY#"};

	return STR_CONCAT(arena, str_of(whats[target->what]),
	    target->what == WATCH_POST ? target->post : target->name);
}

struct key
key_watch(struct arena *arena, struct str username, const struct watch_target *target)
{
	struct str sort = STR_CONCAT(arena, STR("WATCH#"), watched(arena, target));

	if (target->what == WATCH_POST || target->what == WATCH_THREAD)
		sort = STR_CONCAT(arena, STR("POST#"), target->post, STR("#WATCH"),
		    target->what == WATCH_THREAD ? STR("#") : STR(""), target->name);
	return (struct key){of_user(arena, username), sort};
}

/* --- Queries ---------------------------------------------------------------------------------------- */

struct query
query_following(struct arena *arena, struct str username)
{
	return (struct query){.index = TABLE_PRIMARY,
	    .partition = of_user(arena, username),
	    .op = SORT_BEGINS,
	    .low = STR("FOLLOWING#")};
}

struct query
query_followers(struct arena *arena, struct str username)
{
	return (struct query){.index = TABLE_GSI1,
	    .partition = of_user(arena, username),
	    .op = SORT_BEGINS,
	    .low = STR("FOLLOWER#")};
}

struct query
query_follow_requests(struct arena *arena, struct str username)
{
	return (struct query){.index = TABLE_GSI1,
	    .partition = of_user(arena, username),
	    .op = SORT_BEGINS,
	    .low = STR("REQUEST#")};
}

struct query
query_blocks_of(struct arena *arena, struct str username)
{
	return (struct query){
	    .index = TABLE_GSI2, .partition = STR_CONCAT(arena, STR("BLOCKING#"), username)};
}

struct query
query_blocks_against(struct arena *arena, struct str username)
{
	return (struct query){
	    .index = TABLE_GSI1, .partition = STR_CONCAT(arena, STR("BLOCKED#"), username)};
}

struct query
query_watches_of(struct arena *arena, struct str username)
{
	return (struct query){.index = TABLE_GSI1,
	    .partition = of_user(arena, username),
	    .op = SORT_BEGINS,
	    .low = STR("WATCH#")};
}

struct query
query_watchers(struct arena *arena, const struct watch_target *target)
{
	return (struct query){.index = TABLE_GSI2,
	    .partition = STR_CONCAT(arena, STR("WATCHERS#"), watched(arena, target))};
}

/* --- Index keys ------------------------------------------------------------------------------------- */

static void
set_index(
    struct arena *arena, struct item *item, enum table_index index, struct str pk, struct str sk)
{
	item_set(arena, item, table_pk_name(index), value_string(pk));
	item_set(arena, item, table_sk_name(index), value_string(sk));
}

void
key_index_follower(struct arena *arena, struct item *item, struct str follower, struct str followed,
    struct str created)
{
	set_index(arena, item, TABLE_GSI1, of_user(arena, followed),
	    STR_CONCAT(arena, STR("FOLLOWER#"), created, STR("#"), follower));
}

void
key_index_follow_request(struct arena *arena, struct item *item, struct str follower,
    struct str followed, struct str created)
{
	set_index(arena, item, TABLE_GSI1, of_user(arena, followed),
	    STR_CONCAT(arena, STR("REQUEST#"), created, STR("#"), follower));
}

void
key_index_block(struct arena *arena, struct item *item, struct str blocker, struct str blocked,
    struct str created)
{
	set_index(arena, item, TABLE_GSI1, STR_CONCAT(arena, STR("BLOCKED#"), blocked),
	    STR_CONCAT(arena, created, STR("#"), blocker));
	set_index(arena, item, TABLE_GSI2, STR_CONCAT(arena, STR("BLOCKING#"), blocker),
	    STR_CONCAT(arena, created, STR("#"), blocked));
}

void
key_index_watch(struct arena *arena, struct item *item, struct str username, int64_t created,
    const struct watch_target *target)
{
	struct str what = watched(arena, target);

	set_index(arena, item, TABLE_GSI1, of_user(arena, username),
	    STR_CONCAT(arena, STR("WATCH#"), time_format(arena, created), STR("#"), what));
	set_index(
	    arena, item, TABLE_GSI2, STR_CONCAT(arena, STR("WATCHERS#"), what), username);
}

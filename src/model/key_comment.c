#include "model/key_comment.h"

#include "base/arena.h"
#include "base/clock.h"

#include <inttypes.h>

static struct str
of_post(struct arena *arena, struct str post)
{
	return STR_CONCAT(arena, STR("POST#"), post);
}

struct key
key_tally(struct arena *arena, struct str post, struct str root)
{
	return (struct key){of_post(arena, post), STR_CONCAT(arena, STR("TALLY#"), root)};
}

struct str
key_tally_root(struct str sort)
{
	struct str root;

	str_cut(sort, '#', &root);
	return root;
}

struct tally_places
key_tally_places(struct arena *arena, struct str post, struct str root, int64_t score)
{
	return (struct tally_places){.threads = STR_CONCAT(arena, STR("THREADS#"), post),
	    .place = root,
	    .best = STR_CONCAT(arena, STR("BEST#"), post),
	    .best_place = str_fmt(arena, "%06" PRId64 "#%.*s", score, STR_ARGS(root))};
}

/* "#" sorts before ".", so these come before the replies. */
#define VOTES STR("#VOTES")

struct key
key_comment_votes(struct arena *arena, struct str post, struct str path)
{
	return (struct key){
	    of_post(arena, post), STR_CONCAT(arena, STR("COMMENT#"), path, VOTES)};
}

void
key_comment_votes_of(struct key key, struct str *post, struct str *path)
{
	struct str rest;

	str_cut(key.pk, '#', post);
	str_cut(key.sk, '#', &rest);
	*path = str_cut(rest, '#', &rest);
}

static void
stand(struct arena *arena, struct item *item, enum table_index index, struct str pk, struct str sk)
{
	item_set(arena, item, table_pk_name(index), value_string(pk));
	item_set(arena, item, table_sk_name(index), value_string(sk));
}

void
key_index_comment_votes(struct arena *arena, struct item *item, struct str id, int64_t score)
{
	stand(arena, item, TABLE_GSI4, STR("BEST"),
	    str_fmt(arena, "%06" PRId64 "#%.*s", score, STR_ARGS(id)));
}

static struct str
of_user(struct arena *arena, struct str username)
{
	return STR_CONCAT(arena, STR("USER#"), username);
}

struct key
key_comment_vote(struct arena *arena, struct str username, struct str post, struct str comment)
{
	return (struct key){of_user(arena, username),
	    STR_CONCAT(arena, STR("POST#"), post, STR("#VOTE#"), comment)};
}

void
key_index_comment_vote(struct arena *arena, struct item *item, struct str username,
    int64_t created, struct str post, struct str comment)
{
	stand(arena, item, TABLE_GSI1, of_user(arena, username),
	    STR_CONCAT(arena, STR("VOTE#"), time_format(arena, created), STR("#"), post, STR("#"),
		comment));
	stand(arena, item, TABLE_GSI2, STR_CONCAT(arena, STR("ABOUT#"), post),
	    STR_CONCAT(arena, STR("VOTE#"), comment, STR("#"), username));
}

struct str
key_fold_comment(struct arena *arena, struct str post, struct str path)
{
	return STR_CONCAT(arena, post, STR("#"), path);
}

bool
key_fold_is_comment(struct str fold, struct str *post, struct str *path)
{
	*post = str_cut(fold, '#', path);
	return path->len != 0;
}

struct key
key_read_mark(struct arena *arena, struct str username, struct str post)
{
	return (struct key){
	    of_user(arena, username), STR_CONCAT(arena, STR("POST#"), post, STR("#READ"))};
}

#define DRAFTS STR("COMMENTDRAFT#")

struct key
key_comment_draft(struct arena *arena, struct str username, struct str post, struct str form)
{
	return (struct key){
	    of_user(arena, username), STR_CONCAT(arena, DRAFTS, post, STR("#"), form)};
}

struct query
query_comment_drafts(struct arena *arena, struct str username)
{
	return (struct query){
	    .partition = of_user(arena, username), .op = SORT_BEGINS, .low = DRAFTS};
}

struct query
query_comments_best(void)
{
	return (struct query){.index = TABLE_GSI4, .partition = STR("BEST"), .descending = true};
}

struct query
query_comments_newest(void)
{
	return (struct query){.index = TABLE_GSI3, .partition = STR("SAID"), .descending = true};
}

/* "/" is the byte after ".", with which the keys of all descendants of a root continue. */
struct query
query_next_root(struct arena *arena, struct str post, struct str root)
{
	if (root.len == 0)
		return query_comments(arena, post);
	return (struct query){.partition = of_post(arena, post),
	    .op = SORT_BETWEEN,
	    .low = STR_CONCAT(arena, STR("COMMENT#"), root, STR("/")),
	    .high = STR("COMMENT#~")};
}

struct query
query_posts_whole(void)
{
	return (struct query){.index = TABLE_GSI3, .partition = STR("POST")};
}

struct query
query_threads(struct arena *arena, struct str post, enum thread_order order)
{
	struct tally_places places = key_tally_places(arena, post, STR(""), 0);
	bool best = order == THREAD_BEST;

	return (struct query){.index = best ? TABLE_GSI4 : TABLE_GSI3,
	    .partition = best ? places.best : places.threads,
	    .descending = order != THREAD_OLDEST};
}

struct query
query_thread(struct arena *arena, struct str post, struct str path)
{
	return (struct query){.partition = of_post(arena, post),
	    .op = SORT_BEGINS,
	    .low = STR_CONCAT(arena, STR("COMMENT#"), path)};
}

struct query
query_comment_by_id(struct arena *arena, struct str id)
{
	struct key place = key_comment_place(arena, id);

	return (struct query){.index = TABLE_GSI2,
	    .partition = place.pk,
	    .op = SORT_EQ,
	    .low = place.sk,
	    .limit = 1};
}

#include "pages/shared/followed.h"

#include "base/arena.h"
#include "model/post/post.h"
#include "model/post/posts.h"
#include "model/reader/follow.h"
#include "pages/shared/publication.h"

enum http_status
followed_check(struct request *rq, enum action action, const struct post *post, bool *followed)
{
	struct read follow;
	enum http_status status;
	struct thing thing;
	bool follows;

	if (followed != NULL)
		*followed = false;
	if (post != NULL && may(rq->viewer, action, thing_post(post, rq->now)))
		return HTTP_OK;
	if (rq->viewer == NULL)
		return HTTP_NOT_FOUND;
	follow = follow_read(rq->arena, rq->viewer->user.username,
	    post != NULL ? post->author : rq->viewer->user.username);
	status = page_read(rq, &follow, 1);
	if (status != HTTP_OK || post == NULL)
		return status != HTTP_OK ? status : HTTP_NOT_FOUND;
	follows = follow_holds(&follow);
	if (followed != NULL)
		*followed = follows;
	thing = thing_followed(thing_post(post, rq->now), follows);
	return may(rq->viewer, action, thing) ? HTTP_OK : HTTP_NOT_FOUND;
}

/* The index of a key among some of one person's, or `count`. */
static size_t
followed_place(const struct key *keys, size_t count, struct key key)
{
	size_t i = 0;

	while (i < count && !str_eq(keys[i].sk, key.sk))
		i++;
	return i;
}

enum http_status
followed_heads(struct request *rq, struct read *list, struct read *heads, struct read *follows)
{
	struct read reads[2];
	struct key *keys;
	enum http_status status;
	size_t count = 0;

	*follows = (struct read){.kind = READ_BATCH};
	if (!posts_heads(rq->arena, list, &reads[0]))
		return HTTP_OK;
	keys = ARENA_ARRAY(rq->arena, list->found_count, struct key);
	for (size_t i = 0; rq->viewer != NULL && i < list->found_count; i++) {
		struct str author = item_string(&list->found[i], STR("PostAuthor"));
		struct key key;

		if (author.len == 0)
			continue;
		key = follow_read(rq->arena, rq->viewer->user.username, author).key;
		if (followed_place(keys, count, key) == count)
			keys[count++] = key;
	}
	reads[1] = (struct read){.kind = READ_BATCH, .batch = {keys, count}, .consistent = true};
	status = page_read(rq, reads, count != 0 ? 2 : 1);
	*heads = reads[0];
	*follows = reads[1];
	return status;
}

bool
followed_may_read(struct request *rq, const struct post *post, const struct read *follows)
{
	bool followed = false;

	if (rq->viewer != NULL && follows->batch.count != 0) {
		struct key key =
		    follow_read(rq->arena, rq->viewer->user.username, post->author).key;
		size_t at = followed_place(follows->batch.keys, follows->batch.count, key);

		followed =
		    at < follows->batch.count && follow_counts(follow_status(follows->items[at]));
	}
	return may(rq->viewer, MAY_READ, thing_followed(thing_post(post, rq->now), followed));
}

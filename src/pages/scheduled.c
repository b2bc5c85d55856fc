#include "pages/scheduled.h"

#include "base/arena.h"
#include "model/key_post.h"

/* More than anybody plans; of those behind, a counter is early. */
enum { LOOKED_AT = 200 };

struct read
scheduled_read(struct request *rq)
{
	struct read read = {.kind = READ_QUERY, .query = query_scheduled(rq->arena, rq->now)};

	read.query.limit = LOOKED_AT;
	return read;
}

struct scheduled
scheduled_take(struct request *rq, const struct read *read)
{
	struct post *posts = ARENA_ARRAY(rq->arena, read->found_count, struct post);

	for (size_t i = 0; i < read->found_count; i++)
		post_from_item(rq->arena, &read->found[i], &posts[i]);
	return (struct scheduled){posts, read->found_count};
}

static bool
has_tag(const struct post *post, struct str tag)
{
	for (size_t i = 0; i < post->tags.count; i++)
		if (str_eq(post->tags.strings[i], tag))
			return true;
	return false;
}

int64_t
scheduled_with(const struct scheduled *scheduled, struct str tag)
{
	int64_t count = 0;

	for (size_t i = 0; i < scheduled->count; i++)
		count += has_tag(&scheduled->posts[i], tag);
	return count;
}

int64_t
scheduled_by(const struct scheduled *scheduled, struct str username)
{
	int64_t count = 0;

	for (size_t i = 0; i < scheduled->count; i++)
		count += post_written_by(&scheduled->posts[i], username);
	return count;
}

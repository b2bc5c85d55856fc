#include "pages/shared/texts.h"

#include "base/arena.h"
#include "model/key_post.h"
#include "model/post/post_read.h"
#include "pages/shared/publication.h"

#include <assert.h>

static_assert(2 * TEXTS_MAX <= TABLE_BATCH_MAX, "heads and texts are one batch");

/* False: not everybody may see it. */
static bool
take(struct request *rq, const struct item *head, const struct item *text, struct whole_post *out)
{
	*out = (struct whole_post){.has_text = false};
	if (head == NULL)
		return false;
	post_from_item(rq->arena, head, &out->post);
	if (!post_visible_to(&out->post, NULL, rq->now))
		return false;
	if (text != NULL && !post_torn(out->post.revisions, text)) {
		post_body_from_item(rq->arena, text, &out->body);
		out->has_text = true;
	}
	return true;
}

enum http_status
texts_read(struct request *rq, const struct str *ids, size_t id_count, struct whole_post **posts,
    size_t *count)
{
	struct key *keys = ARENA_ARRAY(rq->arena, 2 * id_count, struct key);
	struct read read = {.kind = READ_BATCH, .batch = {keys, 2 * id_count}};
	enum http_status status;

	assert(id_count <= TEXTS_MAX);
	*count = 0;
	*posts = ARENA_ARRAY(rq->arena, id_count, struct whole_post);
	if (id_count == 0)
		return HTTP_OK;
	for (size_t i = 0; i < id_count; i++) {
		keys[2 * i] = key_post(rq->arena, ids[i]);
		keys[2 * i + 1] = key_post_body(rq->arena, ids[i]);
	}
	status = page_read(rq, &read, 1);
	for (size_t i = 0; status == HTTP_OK && i < id_count; i++)
		*count += take(rq, read.items[2 * i], read.items[2 * i + 1], &(*posts)[*count]);
	return status;
}

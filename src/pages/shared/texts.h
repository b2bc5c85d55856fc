#ifndef PAGES_SHARED_TEXTS_H
#define PAGES_SHARED_TEXTS_H

#include "model/post/post.h"
#include "web/http/request.h"

enum { TEXTS_MAX = 50 /* that are read at once */ };

/* A post with its text, which is missing while a save has not reached both. */
struct whole_post {
	struct post post;
	struct post_body body;
	bool has_text;
};

/*
 * The posts of these ids, each once and TEXTS_MAX at most, with their texts, in one round trip: in their order, without
 * those that not everybody may see. As lists may be behind, the heads that are read here decide.
 */
enum http_status texts_read(struct request *rq, const struct str *ids, size_t id_count,
    struct whole_post **posts, size_t *count);

#endif

#ifndef PAGES_PUBLIC_COLLECTION_H
#define PAGES_PUBLIC_COLLECTION_H

#include "model/post/collection.h"
#include "web/http/request.h"

/*
 * For feeds and books, which are the same for whoever asks: the collection that the address names, and up to `limit` of the
 * items that name its posts, from the last one back with `last`. HTTP_NOT_FOUND for one that not everybody may see, also to
 * its owner.
 */
enum http_status collection_read_public(
    struct request *rq, uint32_t limit, bool last, struct collection *out, struct read *posts);

#endif

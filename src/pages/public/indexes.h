#ifndef PAGES_PUBLIC_INDEXES_H
#define PAGES_PUBLIC_INDEXES_H

#include "model/post/catalogue.h"
#include "text/view.h"
#include "web/http/dispatch.h"

/* A link with how many posts are behind it, as several indexes show it. */
struct counted_link_view {
	struct str url, name, count_text;
};

extern const struct view_type counted_link_view_type;

/*
 * Tags that were counted in the catalogue, as links. It may be behind, so that their items are read, too: a tag that no post has
 * that everybody may read is not named. False: there is nothing to read.
 */
bool tags_counted_prepare(
    struct request *rq, const struct tag_count *tags, size_t count, struct read *read);
/* Is the i-th of them to be named? */
bool tag_counted_shown(struct request *rq, const struct read *read, size_t i);

#endif

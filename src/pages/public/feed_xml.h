#ifndef PAGES_PUBLIC_FEED_XML_H
#define PAGES_PUBLIC_FEED_XML_H

#include "model/post/post.h"
#include "web/http/response.h"

/* What a feed says, whatever it is the feed of. */
struct feed {
	struct str title, subtitle;
	struct str path;  /* the feed's own address */
	struct str about; /* of the page that it is the feed of */
	const struct post *posts;
	size_t count;
	struct item *const *bodies; /* one for each post; NULL where there is none */
};

/* Writes it as the response, which changes when the newest of its posts does. Always HTTP_OK. */
enum http_status feed_put(struct request *rq, struct response *rs, const struct feed *feed);

#endif

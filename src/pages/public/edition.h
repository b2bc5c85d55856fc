#ifndef PAGES_PUBLIC_EDITION_H
#define PAGES_PUBLIC_EDITION_H

#include "base/span.h"
#include "model/post/posts.h"
#include "pages/shared/texts.h"
#include "web/http/dispatch.h"

/* The edition of the week that a time is in, of the site's zone: "/edition/2026-w47" and "Week 47". After page_read(). */
struct str edition_path(struct request *rq, int64_t time);
struct str edition_name(struct request *rq, int64_t time);

/* The week of an edition: its posts, newest first, and the nearest ones before and after it. */
struct week {
	struct span span;
	struct posts posts;
	struct posts earlier, later; /* one, or none */
};

/*
 * Reads that of the address. HTTP_NOT_FOUND, with a sentence for the error page, of what is no week or yet to come; or how
 * a read failed.
 */
enum http_status week_read(struct request *rq, struct response *rs, struct week *out);

/* "16–22 November 2026" */
struct str week_days(struct request *rq, struct span week);

/* Which posts are set with their texts: as many as texts_read() takes, of so many words together. */
size_t texts_chosen(const struct posts *posts, struct str ids[TEXTS_MAX]);

/* Into the order of an edition: what leads, other texts, notes, links. */
void edition_sort(struct arena *arena, struct whole_post *posts, size_t count);

#endif

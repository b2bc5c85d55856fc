#ifndef PAGES_WRITE_WRITE_LINKS_H
#define PAGES_WRITE_WRITE_LINKS_H

#include "model/post/media.h"
#include "web/http/request.h"

struct post;

/*
 * Is anything there, where a text leads within the site? Of what this writer may not know the answer is that of what is
 * not there.
 */
enum { LINKS_MAX = 40, TARGETS_MAX = LINKS_MAX + MEDIA_USES_MAX };

/* Where a text leads, or what it shows. */
struct target {
	struct str path;   /* in its one form, or "#heading" */
	const char *field; /* of the form, that names it */
	bool picture;
	const char *trouble; /* "leads nowhere", …; NULL: none that is known */
};

/*
 * Says the trouble of each of them, TARGETS_MAX at most, that lead from this post; `page` is the post's own, for its
 * headings. Asks the table in one round trip, and once more when posts were renamed; not at all when there is nothing
 * to ask. When that fails, nothing is said of what had to be asked. After page_read().
 */
void links_follow(struct request *rq, const struct post *own, struct str page,
    struct target *targets, size_t count);

#endif

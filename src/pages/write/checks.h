#ifndef PAGES_WRITE_CHECKS_H
#define PAGES_WRITE_CHECKS_H

#include "model/post/writing.h"
#include "pages/shared/form_view.h"

/*
 * The warnings before a post is published: pictures without descriptions, links within the site
 * that lead nowhere, no excerpt, a page that is too heavy. They refuse nothing: the author is told
 * first. docs/writing.md has the list.
 */
struct advice {
	const struct form_error_view *items; /* a sentence, and the field that it is about */
	size_t count;
};

/*
 * Looks at a draft that draft_fill() has rendered, and at the page that readers would get, and asks the table where its
 * links lead. After page_read().
 */
struct advice write_checks(struct request *rq, const struct draft *draft);

/* Of all that only which of its pictures are not there, for what becomes a post again without anybody having read it. */
struct advice write_missing_pictures(struct request *rq, const struct draft *draft);

/*
 * Why a published draft waits: a note with something of the lists does, as a comment; other posts are left to their authors.
 * Empty: it does not.
 */
struct str write_held_for(struct request *rq, const struct post *post, struct str markdown);

#endif

#ifndef PAGES_SHARED_LISTED_H
#define PAGES_SHARED_LISTED_H

#include "web/http/dispatch.h"

/*
 * What of the lists of words, domains and links a text has, as it was typed and as it is read: "it has the word “casino”";
 * empty: nothing. What has something waits for an editor, and its author is not told why. After page_read().
 */
struct str listed_in(struct request *rq, struct str markdown);

/* The same of what the viewer is about to show to others: whoever moderates waits for nobody. */
struct str listed_of_viewer(struct request *rq, struct str markdown);

#endif

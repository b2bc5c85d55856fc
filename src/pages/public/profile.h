#ifndef PAGES_PUBLIC_PROFILE_H
#define PAGES_PUBLIC_PROFILE_H

#include "model/people/user.h"
#include "model/reader/follow.h"
#include "pages/public/follow.h"
#include "pages/shared/layout.h"

/*
 * What the pages about a person share: who they are, what one can do about them, and the way to their other pages. Each
 * reads its list in one trip with profile_prepare(), and what the list names in a second one.
 *
 * A private profile keeps to a name for those who may not see it (MAY_SEE_PROFILE), on all of these pages: what somebody
 * has published is found elsewhere as well and stays, but not what they said, collected, follow and are followed by.
 */
enum profile_tab {
	PROFILE_POSTS,
	PROFILE_COMMENTS,
	PROFILE_COLLECTIONS,
	PROFILE_FOLLOWERS,
	PROFILE_FOLLOWING
};

struct profile_view {
	struct str name, username, bio, avatar_url, link_url, link_host, joined, joined_text;
	struct str posts_text, followers_text, followers_url, following_text, following_url,
	    feed_url, flag_url;
	LIST_OF(struct follow_button_view) buttons;
	struct breadcrumbs breadcrumbs;
	LIST_OF(struct nav_link_view) tabs;
};

extern const struct view_type profile_view_type;

struct profile {
	struct user user;          /* hidden from whoever may not see it: user_hide() */
	enum follow_status follow; /* what the viewer has to do with them */
	bool shown;                /* they may see it */
};

enum { PROFILE_READS = 3 };

/* The reads of who the address names, PROFILE_READS at most. False: it can't be anybody's name. */
bool profile_prepare(struct request *rq, struct read *reads, size_t *count);

/* Their answers. HTTP_OK, or HTTP_NOT_FOUND. */
enum http_status profile_take(struct request *rq, const struct read *reads, struct profile *out);

/* Fills the head of a page, and what its frame says of the person; the title is theirs. After page_read(). */
void profile_fill(struct request *rq, struct response *rs, const struct profile *profile,
    enum profile_tab tab, struct profile_view *view, struct page_frame *frame);

#endif

#ifndef PAGES_PUBLIC_PROFILE_H
#define PAGES_PUBLIC_PROFILE_H

#include "model/people/user.h"
#include "model/reader/follow.h"
#include "pages/public/follow.h"
#include "pages/shared/card.h"
#include "pages/shared/layout.h"

/*
 * Shared by the pages about a person: the profile, the buttons, and the tabs. Each reads its list
 * in one trip with profile_prepare(), and what the list names in a second one.
 *
 * Of a private profile only the name is shown to people who may not see it (MAY_SEE_PROFILE), on
 * all of these pages: posts can be found elsewhere and stay visible, but not comments, collections,
 * follows and followers.
 */
enum profile_tab {
	PROFILE_POSTS,
	PROFILE_COMMENTS,
	PROFILE_REVIEWS,
	PROFILE_COLLECTIONS,
	PROFILE_FOLLOWERS,
	PROFILE_FOLLOWING
};

struct profile_view {
	struct str name, username, bio, avatar_url, link_url, link_host, joined, joined_text;
	bool verified;
	struct str words_text, rating_text; /* of the page of posts; or empty */
	const struct image_view *cover;
	struct str posts_text, followers_text, followers_url, following_text, following_url,
	    feed_url, book_url, flag_url;
	LIST_OF(struct follow_button_view) buttons;
	struct breadcrumbs breadcrumbs;
	LIST_OF(struct nav_link_view) tabs;
};

extern const struct view_type profile_view_type;

struct profile {
	struct user user;          /* without what the viewer may not see: user_hide() */
	const struct item *follow; /* the viewer's relation to them, or NULL */
	bool shown;                /* the viewer may see the profile */
};

enum { PROFILE_READS = 3 };

/* What counts what they have written, for the page of their posts; what is shown of it, after profile_fill(). */
struct read profile_figures_read(struct request *rq);
void profile_figures_fill(struct request *rq, const struct profile *profile, const struct item *figures,
    struct profile_view *view);

/* The reads of the person in the address, PROFILE_READS at most. False: it is not a valid name. */
bool profile_prepare(struct request *rq, struct read *reads, size_t *count);

/* Takes the results. HTTP_OK, or HTTP_NOT_FOUND. */
enum http_status profile_take(struct request *rq, const struct read *reads, struct profile *out);

/*
 * The person of the first two reads as everybody gets them, whoever asks: for feeds and books. HTTP_OK, or HTTP_NOT_FOUND.
 */
enum http_status profile_take_public(struct request *rq, const struct read *reads, struct user *out);

/*
 * The people whom these lists have found, with the numbers of each, for which it takes a trip. Whoever shows a number of
 * posts subtracts the scheduled ones (pages/shared/scheduled.h).
 */
enum http_status profiles_counted(struct request *rq, const struct read *lists, size_t list_count,
    struct user **out, size_t *count);

/*
 * Fills the head of a page, and the person's part of its frame; the title is the person's name.
 * After page_read().
 */
void profile_fill(struct request *rq, struct response *rs, const struct profile *profile,
    enum profile_tab tab, struct profile_view *view, struct page_frame *frame);

#endif

#ifndef PAGES_PUBLIC_REACTION_H
#define PAGES_PUBLIC_REACTION_H

#include "model/reader/reaction.h"
#include "pages/public/post_view.h"

/* The reactions under a post: a button for each that it has. */
struct reactions_view {
	struct str action_url; /* of the form, of somebody who is signed in; a stranger has links */
	LIST_OF(struct reaction_button_view) buttons;
	struct str likes_url; /* the list of likers, for viewers who may see it */
};

extern const struct view_type reactions_view_type;

/* NULL when the viewer can do nothing with it. */
const struct reactions_view *reactions_view(struct request *rq, const struct post_shown *shown);

/* The limit of the day is reached: says when to try again. */
enum http_status reaction_too_many(struct request *rq, struct response *rs, uint32_t wait);

#endif

#ifndef PAGES_PUBLIC_REACTION_H
#define PAGES_PUBLIC_REACTION_H

#include "model/reader/reaction.h"
#include "pages/public/post_view.h"

/* What readers think of a post, under its text: a button for each reaction that it takes. */
struct reactions_view {
	struct str action_url; /* of the form, of somebody who is signed in; a stranger has links */
	LIST_OF(struct reaction_button_view) buttons;
	struct str likes_url; /* who likes it, for who may see that */
};

extern const struct view_type reactions_view_type;

/* NULL when nobody can do anything with it. */
const struct reactions_view *reactions_view(struct request *rq, const struct post_shown *shown);

#endif

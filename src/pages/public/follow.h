#ifndef PAGES_PUBLIC_FOLLOW_H
#define PAGES_PUBLIC_FOLLOW_H

#include "model/reader/follow.h"
#include "text/view.h"
#include "web/http/dispatch.h"

/* What one can do about a person, on their page: a button that says how it is to be, or a link to the question. */
struct follow_button_view {
	struct str url, token, wish, text; /* without a wish: a link */
};

extern const struct view_type follow_button_view_type;

enum { FOLLOW_BUTTONS_MAX = 4 };

struct follow_buttons {
	struct follow_button_view items[FOLLOW_BUTTONS_MAX];
	size_t count;
};

/* Those that the viewer has, or a stranger. `follow` is what they have to do with the person now, or NULL. */
void follow_buttons_fill(struct request *rq, struct response *rs, const struct user *user,
    const struct item *follow, struct follow_buttons *out);

#endif

#ifndef PAGES_ACCOUNT_SESSIONS_H
#define PAGES_ACCOUNT_SESSIONS_H

#include "text/view.h"
#include "web/http/dispatch.h"

/* Where one is signed in, for the page of one's account. */
struct session_view {
	struct str agent, since_text, used_text, hash;
	bool current;
};

extern const struct view_type session_view_type;

/* "Firefox on Linux" of what a browser calls itself. */
struct str sessions_browser(struct arena *arena, struct str agent);

/* The form by which they are ended. */
extern const struct form sessions_form;

struct read sessions_read(struct request *rq);

/* Those of the answer that are good. */
const struct session_view *sessions_shown(
    struct request *rq, const struct read *read, size_t *count);

#endif

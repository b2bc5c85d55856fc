#ifndef PAGES_ACCOUNT_WAITING_H
#define PAGES_ACCOUNT_WAITING_H

#include "pages/shared/form_view.h"

/*
 * A form that was sent without a session. It waits in the forms of signing in, from page to page, until its writer is
 * in: where to, and its texts as they came. Files can't be kept.
 */
struct waiting {
	struct str address;
	struct str
	    body; /* as the page carries it: sealed, for an hour, where a password is among the texts */
	struct str next; /* without an address nothing waits: where they want to go */
};

/*
 * The largest body of a form in which another waits: what writing sends, which sends the most, and the form's own. The
 * one that waits is carried with its letters as they are, so that the browser encodes them once.
 */
size_t waiting_body_max(void);

/* What the request itself sent; of files alone nothing is left to wait. In the arena. */
struct waiting waiting_now(struct request *rq);

/* Is that more than comes back with the form of signing in? */
bool waiting_is_too_much(const struct request *rq);

/* Were there files in it, which are to be chosen once more? */
bool waiting_lacks_files(const struct request *rq);

/* What the form carries that was sent now; without an address there is none. */
struct waiting waiting_carried(struct request *rq);

/* Its texts, urlencoded. In the arena. */
struct str waiting_texts(struct request *rq, const struct waiting *waiting);

/* Hides it in a form. */
void waiting_carry(struct request *rq, const struct waiting *waiting, struct form_view *form);

#endif

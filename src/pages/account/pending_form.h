#ifndef PAGES_ACCOUNT_PENDING_FORM_H
#define PAGES_ACCOUNT_PENDING_FORM_H

#include "pages/shared/form_view.h"

/*
 * A pending form: one that was sent without a session. The sign-in pages carry it, with its address
 * and its texts, until its sender is signed in. Files can't be kept.
 */
struct pending_form {
	struct str address;
	struct str
	    body; /* as the page carries it: sealed, for an hour, where a password is among the texts */
	struct str next; /* without an address there is no pending form: where they want to go */
};

/*
 * The largest body of a form that carries a pending one: the largest form is that of writing, plus
 * the carrying form's own. The pending one is carried unencoded, so that the browser encodes it
 * once.
 */
size_t pending_form_body_max(void);

/* What the request itself sent; if only files, there is nothing to keep. In the arena. */
struct pending_form pending_form_sent(struct request *rq);

/* Is it too large for the sign-in form to carry? */
bool pending_form_is_too_much(const struct request *rq);

/* Did it contain files, which have to be chosen again? */
bool pending_form_lacks_files(const struct request *rq);

/* The pending form that the request's form carries; without an address there is none. */
struct pending_form pending_form_carried(struct request *rq);

/* Its texts, urlencoded. In the arena. */
struct str pending_form_texts(struct request *rq, const struct pending_form *waiting);

/* Hides it in a form. */
void pending_form_carry(
    struct request *rq, const struct pending_form *waiting, struct form_view *form);

#endif

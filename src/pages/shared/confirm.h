#ifndef PAGES_SHARED_CONFIRM_H
#define PAGES_SHARED_CONFIRM_H

#include "web/http/dispatch.h"

/* The page that asks for confirmation: only its button does anything. */
struct confirmation {
	struct str title, message;
	struct str action_url, cancel_url;
	const char *button;
	struct str name, value; /* one more hidden field; empty: none */
	bool destroys;          /* what it does can't be undone, or takes something away: its button looks it */
	bool sure;              /* the handler asks confirmed(), as it is the one that asked */
};
enum http_status confirm(
    struct request *rq, struct response *rs, const struct confirmation *confirmation);

/* Was the button of such a page pressed? */
bool confirmed(const struct request *rq);

#endif

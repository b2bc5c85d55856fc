#ifndef WEB_HTTP_REFUSAL_H
#define WEB_HTTP_REFUSAL_H

#include "web/http/request.h"

/*
 * That somebody was refused, as a line of the log that other programs read, so that its form stays (docs/deploy.md):
 *
 *	refused what=sign-in address=192.0.2.7 account=noor route=/login
 *
 * What: sign-in, code (of the second step), password (asked for again), csrf, permission, limit. The address is "-" where
 * the settings do not have it logged. An account is one that there is, else "-": what was typed as a name may be a
 * password, and is never logged.
 */
void refusal_note(struct request *rq, const char *what, struct str account);

/* The same for an answer with status 403 or 429; nothing for others. */
void refusal_note_status(struct request *rq, enum http_status status);

#endif

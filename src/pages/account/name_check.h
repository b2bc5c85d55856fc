#ifndef PAGES_ACCOUNT_NAME_CHECK_H
#define PAGES_ACCOUNT_NAME_CHECK_H

#include "web/http/dispatch.h"

/*
 * May somebody take the name that they entered? For people who are not authors; the command line
 * does not ask.
 */
struct asked_name {
	const char *field; /* of the request's form */
	struct str name;   /* empty: they chose none */
};

/* What there is to be read for it, with whatever else is: one for each. Nothing of one that nobody chose. */
size_t names_read(
    struct request *rq, const struct asked_name *names, size_t count, struct read *reads);

/*
 * Refuses in the form those that are reserved, that people may take for the name of somebody who writes here (but for
 * `self`, a username), or that are wrong by themselves. Who is `staff` may have one that is reserved for them. `reads` are
 * names_read(), read. HTTP_OK, or how the table failed.
 */
enum http_status names_refuse(struct request *rq, const struct asked_name *names, size_t count,
    const struct read *reads, struct str self, bool staff);

#endif

#ifndef PAGES_PUBLIC_FLAG_H
#define PAGES_PUBLIC_FLAG_H

#include "model/reader/flag.h"
#include "web/http/request.h"

/*
 * Where something is flagged; empty when it is not for the viewer to flag. A stranger is led to sign in there. `may` is
 * what may() says.
 */
struct str flag_url(struct request *rq, const struct flag_target *target, bool may);

#endif

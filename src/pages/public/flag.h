#ifndef PAGES_PUBLIC_FLAG_H
#define PAGES_PUBLIC_FLAG_H

#include "model/reader/flag.h"
#include "web/http/request.h"

/*
 * The page for flagging something; empty when the viewer may not. It asks a stranger to sign in.
 * `may` is the result of may().
 */
struct str flag_url(struct request *rq, const struct flag_target *target, bool may);

#endif

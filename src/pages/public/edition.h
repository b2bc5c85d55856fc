#ifndef PAGES_PUBLIC_EDITION_H
#define PAGES_PUBLIC_EDITION_H

#include "web/http/request.h"

/* The edition of the week that a time is in, of the site's zone: "/edition/2026-w47" and "Week 47". After page_read(). */
struct str edition_path(struct request *rq, int64_t time);
struct str edition_name(struct request *rq, int64_t time);

#endif

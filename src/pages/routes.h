#ifndef PAGES_ROUTES_H
#define PAGES_ROUTES_H

#include "web/dispatch.h"

/* Every page of the site, one row each. */
extern const struct route routes[];
extern const size_t route_count;

#endif

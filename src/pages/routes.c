#include "pages/routes.h"

#include "pages/pages.h"

const struct route routes[] = {
    {METHOD_GET, "/", page_front, .policy = CACHE_PAGE},
    {METHOD_GET, "/healthz", page_health},
};

const size_t route_count = sizeof(routes) / sizeof(routes[0]);

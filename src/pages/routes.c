#include "pages/routes.h"

#define ROUTE(address, name, ...) {address, &page_##name, __VA_ARGS__},
const struct route site_routes[] = {
#include "pages/routes.def"
};
#undef ROUTE
const size_t site_route_count = sizeof(site_routes) / sizeof(site_routes[0]);

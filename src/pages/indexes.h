#ifndef PAGES_INDEXES_H
#define PAGES_INDEXES_H

#include "web/view.h"

/* A link with how many posts are behind it, as several indexes show it. */
struct counted_link_view {
	struct str url, name, count_text;
};

extern const struct view_type counted_link_view_type;

#endif

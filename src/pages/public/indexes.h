#ifndef PAGES_PUBLIC_INDEXES_H
#define PAGES_PUBLIC_INDEXES_H

#include "text/view.h"

/* A link with how many posts are behind it, as several indexes show it. */
struct counted_link_view {
	struct str url, name, count_text;
};

extern const struct view_type counted_link_view_type;

#endif

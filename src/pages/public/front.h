#ifndef PAGES_PUBLIC_FRONT_H
#define PAGES_PUBLIC_FRONT_H

#include "model/post/collection.h"
#include "model/post/posts.h"
#include "model/reader/comment.h"
#include "model/site/settings.h"
#include "pages/shared/card.h"
#include "pages/shared/layout.h"
#include "pages/shared/lists.h"

/* The front page: front.c reads what there is, front_sheet.c says where each post stands. */

enum { FRONT_DISCUSSED = 2, FRONT_OLD = 2, FRONT_SAID = 2 };

/* A comment, and the post under which it stands. */
struct front_said {
	struct comment comment;
	const struct post *post;
};

/* For the rail: posts that are not new, the newest comments, a collection. All of it is what strangers see. */
struct front_others {
	struct post discussed[FRONT_DISCUSSED], old[FRONT_OLD];
	struct front_said said[FRONT_SAID];
	const struct collection *collection; /* NULL: there is none */
	size_t discussed_count, old_count, said_count;
};

/*
 * What there is to place: what editors have chosen, and the newest posts, each of which gets one place; the first `fresh` of
 * them must get one.
 */
struct front_sheet {
	const struct post *lead; /* NULL: the best of the newest */
	struct post pinned[SETTINGS_PINNED_MAX];
	size_t pinned_count;
	struct posts newest, stock;
	bool *placed;
	size_t fresh, count;
	struct front_others others;
};

struct front_box_view;
struct front_topic_view;
struct front_section_view;

struct front_view {
	struct layout_view layout;
	struct str edition_text;
	struct str edition_url; /* of the week of the newest post; empty: there is none */
	const struct post_card_view *lead, *second;
	LIST_OF(struct post_card_view) beside;
	LIST_OF(struct post_card_view) cards;
	LIST_OF(struct front_box_view) rail, below;
	LIST_OF(struct front_topic_view) topics;
	LIST_OF(struct front_section_view) sections;
	struct str empty_text;
	LIST_OF(struct link_view) empty_ways;
	const struct pagination_view *pagination;
};

extern const struct view_type front_view_type;

/* The newest posts, in order, of which there are sheet->count. */
const struct post *sheet_post(const struct front_sheet *sheet, size_t i);

/* Places all posts. After page_read(). */
void front_sheet_fill(struct request *rq, struct front_sheet *sheet, struct front_view *view);

#endif

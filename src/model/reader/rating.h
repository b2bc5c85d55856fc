#ifndef MODEL_READER_RATING_H
#define MODEL_READER_RATING_H

#include "model/bind.h"

/* What one person thinks of a link: 1 to 5 stars, perhaps with a note. */
struct rating {
	struct str post, post_title, author, author_name, note;
	int64_t stars;
	int64_t created, updated;
};

void rating_from_item(struct arena *arena, const struct item *item, struct rating *out);

extern const struct binding_table rating_bindings;

#endif

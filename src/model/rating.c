#include "model/rating.h"

static const struct binding bindings[] = {
    BIND_STRING("Author", struct rating, author),
    BIND_STRING("AuthorName", struct rating, author_name),
    BIND_TIME("CreatedAt", struct rating, created),
    BIND_STRING("Note", struct rating, note),
    BIND_STRING("Post", struct rating, post),
    BIND_STRING("PostTitle", struct rating, post_title),
    BIND_NUMBER("Stars", struct rating, stars),
    BIND_TIME("UpdatedAt", struct rating, updated),
};
static const struct binding_table table = BINDINGS(bindings);

void
rating_from_item(struct arena *arena, const struct item *item, struct rating *out)
{
	*out = (struct rating){.stars = 0};
	bind_read(arena, &table, item, out);
	if (out->stars < 1)
		out->stars = 1;
	if (out->stars > 5)
		out->stars = 5;
	if (out->author_name.len == 0)
		out->author_name = out->author;
}

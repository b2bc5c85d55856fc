#include "model/rating.h"

static const struct binding bindings[] = {
    BIND_STRING("Author", struct rating, author),
    BIND_TEXT("AuthorName", struct rating, author_name, TEXT_LINE),
    BIND_TIME("CreatedAt", struct rating, created),
    BIND_TEXT("Note", struct rating, note, TEXT_LINES),
    BIND_STRING("Post", struct rating, post),
    BIND_TEXT("PostTitle", struct rating, post_title, TEXT_LINE),
    BIND_NUMBER("Stars", struct rating, stars),
    BIND_TIME("UpdatedAt", struct rating, updated),
};
const struct binding_table rating_bindings = BINDINGS(bindings);

void
rating_from_item(struct arena *arena, const struct item *item, struct rating *out)
{
	*out = (struct rating){.stars = 0};
	bind_read(arena, &rating_bindings, item, out);
	if (out->stars < 1)
		out->stars = 1;
	if (out->stars > 5)
		out->stars = 5;
	if (out->author_name.len == 0)
		out->author_name = out->author;
}

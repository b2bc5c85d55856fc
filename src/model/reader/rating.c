#include "model/reader/rating.h"

static const struct binding bindings[] = {
    BIND_STRING(RECORDED, "Author", struct rating, author),
    BIND_TEXT(COPIED, "AuthorName", struct rating, author_name, TEXT_LINE),
    BIND_TIME(RECORDED, "CreatedAt", struct rating, created),
    BIND_TEXT(WRITTEN, "Note", struct rating, note, TEXT_LINES),
    BIND_STRING(RECORDED, "Post", struct rating, post),
    BIND_TEXT(COPIED, "PostTitle", struct rating, post_title, TEXT_LINE),
    BIND_NUMBER(WRITTEN, "Stars", struct rating, stars),
    BIND_TIME(RECORDED, "UpdatedAt", struct rating, updated),
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

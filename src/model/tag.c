#include "model/tag.h"

static const struct binding bindings[] = {
    BIND_NUMBER("Posts", struct tag, posts),
    BIND_STRING("Tag", struct tag, name),
};
static const struct binding_table table = BINDINGS(bindings);

void
tag_from_item(struct arena *arena, const struct item *item, struct tag *out)
{
	*out = (struct tag){.posts = 0};
	bind_read(arena, &table, item, out);
}

#include "model/draft_link.h"

#include "base/arena.h"
#include "model/key_post.h"

static const struct binding bindings[] = {
    BIND_BOOLEAN("AsAuthor", struct draft_link, as_author),
    BIND_STRING("By", struct draft_link, by),
    BIND_STRING("ByName", struct draft_link, by_name),
    BIND_TIME("CreatedAt", struct draft_link, created),
    BIND_NUMBER("ExpiresAt", struct draft_link, expires),
    BIND_STRING("Post", struct draft_link, post),
};
static const struct binding_table table = BINDINGS(bindings);

void
draft_link_from_item(struct arena *arena, const struct item *item, struct draft_link *out)
{
	*out = (struct draft_link){.created = 0};
	bind_read(arena, &table, item, out);
	str_cut(item_key(item).pk, '#', &out->hash);
}

bool
draft_link_good(const struct draft_link *link, const struct post *post)
{
	return str_eq(link->post, post->id) &&
	       (!link->as_author || post_written_by(post, link->by));
}

struct write
draft_link_put(struct arena *arena, const struct draft_link *link)
{
	struct write write = {.kind = WRITE_PUT};

	bind_write(arena, &table, link, &write.item);
	key_set(arena, &write.item, key_draft_link(arena, link->hash), STR("DraftLink"));
	key_index_draft_link(arena, &write.item, link);
	return write;
}

struct write
draft_link_delete(struct arena *arena, struct str hash, struct str post)
{
	struct condition *own = ARENA_NEW(arena, struct condition);

	*own = (struct condition){.op = COND_EQ, .name = STR("Post"), .value = value_string(post)};
	return (struct write){
	    .kind = WRITE_DELETE, .key = key_draft_link(arena, hash), .condition = own};
}

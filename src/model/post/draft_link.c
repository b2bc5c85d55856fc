#include "model/post/draft_link.h"

#include "base/arena.h"
#include "model/key_post.h"
#include "model/viewer.h"

static const struct binding bindings[] = {
    BIND_BOOLEAN(RECORDED, "AsAuthor", struct draft_link, as_author),
    BIND_STRING(RECORDED, "By", struct draft_link, by),
    BIND_TEXT(COPIED, "ByName", struct draft_link, by_name, TEXT_LINE),
    BIND_TIME(RECORDED, "CreatedAt", struct draft_link, created),
    BIND_NUMBER(RECORDED, "ExpiresAt", struct draft_link, expires),
    BIND_STRING(RECORDED, "Group", struct draft_link, group),
    BIND_STRING(RECORDED, "Post", struct draft_link, post),
};
const struct binding_table draft_link_bindings = BINDINGS(bindings);

void
draft_link_from_item(struct arena *arena, const struct item *item, struct draft_link *out)
{
	*out = (struct draft_link){.created = 0};
	bind_read(arena, &draft_link_bindings, item, out);
	str_cut(item_key(item).pk, '#', &out->hash);
}

bool
draft_link_left(const struct draft_link *link, const struct post *post)
{
	return link->as_author && !post_written_by(post, link->by);
}

/* --- Who made it ------------------------------------------------------------------------------------ */

enum { MAKER, MEMBERSHIP, GROUP };

size_t
draft_link_reads(
    struct arena *arena, const struct draft_link *link, struct read reads[DRAFT_LINK_READS])
{
	struct key *group = ARENA_NEW(arena, struct key);

	reads[MAKER] =
	    (struct read){.kind = READ_GET, .key = key_user(arena, link->by), .consistent = true};
	if (link->group.len == 0)
		return MAKER + 1;
	*group = key_group(arena, link->group);
	reads[MEMBERSHIP] = (struct read){.kind = READ_GET,
	    .key = key_membership(arena, link->by, link->group),
	    .consistent = true};
	reads[GROUP] = (struct read){.kind = READ_BATCH, .batch = {group, 1}, .consistent = true};
	return DRAFT_LINK_READS;
}

bool
draft_link_good(struct arena *arena, const struct draft_link *link,
    const struct read reads[DRAFT_LINK_READS], const struct post *post, int64_t now)
{
	const struct viewer_group group = {.name = link->group};
	struct viewer maker = {.groups = &group};

	if (!str_eq(link->post, post->id) || draft_link_left(link, post) ||
	    reads[MAKER].item == NULL)
		return false;
	user_from_item(arena, reads[MAKER].item, &maker.user);
	maker.permissions = permissions_of_role(maker.user.role);
	if (link->group.len != 0 && reads[MEMBERSHIP].item != NULL) {
		maker.group_count = 1;
		viewer_permit(arena, &reads[GROUP], &maker);
	}
	return may(&maker, MAY_READ, thing_post(post, now));
}

/* --- Writing ---------------------------------------------------------------------------------------- */

struct write
draft_link_put(struct arena *arena, const struct draft_link *link)
{
	struct write write = {.kind = WRITE_PUT};

	bind_write(arena, &draft_link_bindings, link, &write.item);
	key_set(arena, &write.item, key_draft_link(arena, link->hash), ITEM_DRAFT_LINK);
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

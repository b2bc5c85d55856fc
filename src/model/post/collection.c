#include "model/post/collection.h"

#include "model/permission.h"

static const struct binding bindings[] = {
    BIND_TIME(RECORDED, "CreatedAt", struct collection, created),
    BIND_TEXT(WRITTEN, "Description", struct collection, description, TEXT_LINES),
    BIND_STRING(RECORDED, "FrontPost", struct collection, front_post),
    BIND_STRING(DERIVED, "HTML", struct collection, html),
    BIND_STRING(RECORDED, "Id", struct collection, id),
    BIND_TEXT(WRITTEN, "Name", struct collection, name, TEXT_LINE),
    BIND_STRING(RECORDED, "Owner", struct collection, owner),
    BIND_TEXT(COPIED, "OwnerName", struct collection, owner_name, TEXT_LINE),
    BIND_NUMBER(COUNTED, "Posts", struct collection, posts),
    BIND_NUMBER(DERIVED, "Renderer", struct collection, renderer),
    BIND_BOOLEAN(WRITTEN, "Series", struct collection, series),
    BIND_TIME(RECORDED, "UpdatedAt", struct collection, updated),
};
const struct binding_table collection_bindings = BINDINGS(bindings);

static const struct binding collected_rows[] = {
    BIND_TIME(RECORDED, "AddedAt", struct collected, added),
    BIND_BOOLEAN(RECORDED, "ForFront", struct collected, for_front),
    BIND_TEXT(WRITTEN, "Note", struct collected, note, TEXT_LINES),
    BIND_NUMBER(WRITTEN, "Position", struct collected, position),
    BIND_STRING(RECORDED, "Post", struct collected, post),
    BIND_STRING(RECORDED, "PostAuthor", struct collected, author),
};
const struct binding_table collected_bindings = BINDINGS(collected_rows);

static const struct binding part_rows[] = {
    BIND_STRING(DERIVED, "After", struct series_part, after),
    BIND_STRING(DERIVED, "Before", struct series_part, before),
    BIND_STRING(DERIVED, "Collection", struct series_part, collection),
    BIND_NUMBER(DERIVED, "Part", struct series_part, part),
    BIND_NUMBER(DERIVED, "Parts", struct series_part, parts),
    BIND_STRING(DERIVED, "Post", struct series_part, post),
};
const struct binding_table series_part_bindings = BINDINGS(part_rows);

void
collection_from_item(struct arena *arena, const struct item *item, struct collection *out)
{
	*out = (struct collection){.posts = 0};
	bind_read(arena, &collection_bindings, item, out);
	out->is_public = str_eq(item_string(item, STR("Visibility")), STR("public"));
	for (enum restricted i = RESTRICTED_HELD; i <= RESTRICTED_HIDDEN; i++)
		if (str_eq(item_string(item, STR("Visibility")), str_of(restricted_words[i])))
			out->restricted = i;
	if (out->owner_name.len == 0)
		out->owner_name = out->owner;
}

void
collected_from_item(struct arena *arena, const struct item *item, struct collected *out)
{
	*out = (struct collected){.position = 0};
	bind_read(arena, &collected_bindings, item, out);
}

void
series_part_from_item(struct arena *arena, const struct item *item, struct series_part *out)
{
	*out = (struct series_part){.part = 0};
	bind_read(arena, &series_part_bindings, item, out);
}

bool
collection_visible_to(const struct collection *collection, const struct viewer *viewer)
{
	return may(viewer, MAY_READ, thing_collection(collection));
}

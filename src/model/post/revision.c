#include "model/post/revision.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key_post.h"
#include "model/post/post_fields.h"

static const struct binding bindings[] = {
    BIND_STRING(RECORDED, "By", struct revision, by),
    BIND_TEXT(COPIED, "ByName", struct revision, by_name, TEXT_LINE),
    BIND_NUMBER(RECORDED, "Number", struct revision, number),
    BIND_STRING(RECORDED, "Post", struct revision, post_id),
    BIND_TIME(RECORDED, "SavedAt", struct revision, saved),
    BIND_STRING(RECORDED, "What", struct revision, what),
};
const struct binding_table revision_bindings = BINDINGS(bindings);

void
revision_from_item(struct arena *arena, const struct item *item, struct revision *out)
{
	*out = (struct revision){.number = 0};
	bind_read(arena, &revision_bindings, item, out);
	post_from_item(arena, item, &out->post);
	post_body_from_item(arena, item, &out->body);
}

/* The body without the HTML of its steps. */
static struct post_body
source_of(struct arena *arena, const struct post_body *body)
{
	struct post_body source = *body;
	struct step *steps = ARENA_ARRAY(arena, body->step_count, struct step);

	for (size_t i = 0; i < body->step_count; i++)
		steps[i].markdown = body->steps[i].markdown;
	source.steps = steps;
	return source;
}

/* Copies the attributes of a head or body that are written by people. */
static void
take_written(
    struct arena *arena, const struct binding_table *of, const struct item *whole, struct item *out)
{
	for (size_t i = 0; i < of->count; i++) {
		struct str name = of->bindings[i].name;
		const struct value *value = item_get(whole, name);

		if (of->bindings[i].mark == MARK_WRITTEN && value != NULL)
			item_set(arena, out, name, *value);
	}
}

struct item
revision_item(struct arena *arena, const struct revision *revision)
{
	struct post_body source = source_of(arena, &revision->body);
	struct item whole = {.count = 0}, item = {.count = 0};

	post_to_item(arena, &revision->post, &whole);
	post_body_to_item(arena, &source, &whole);
	take_written(arena, &post_head_bindings, &whole, &item);
	take_written(arena, &post_body_bindings, &whole, &item);
	bind_write(arena, &revision_bindings, revision, &item);
	key_set(
	    arena, &item, key_revision(arena, revision->post_id, revision->number), ITEM_REVISION);
	return item;
}

void
revision_apply(const struct revision *revision, struct draft *draft)
{
	post_take_written(&revision->post, &draft->post);
	draft->body = revision->body;
}

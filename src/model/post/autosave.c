#include "model/post/autosave.h"

#include "base/clock.h"
#include "model/key_post.h"

enum { AUTOSAVE_SECONDS = 30 * 86400 };

static const struct binding bindings[] = {
    BIND_STRINGS(WRITTEN, "Inputs", struct autosave, inputs),
    BIND_STRING(RECORDED, "Post", struct autosave, post),
    BIND_TIME(RECORDED, "SavedAt", struct autosave, saved),
    BIND_STRING(RECORDED, "Username", struct autosave, username),
    BIND_NUMBER(RECORDED, "Version", struct autosave, version),
};
const struct binding_table autosave_bindings = BINDINGS(bindings);

static const struct binding said[] = {
    BIND_STRING(RECORDED, "Post", struct unsaved, post),
    BIND_TIME(RECORDED, "SavedAt", struct unsaved, saved),
    BIND_STRING(WRITTEN, "Title", struct unsaved, title),
};
const struct binding_table unsaved_bindings = BINDINGS(said);

struct key
autosave_key(struct arena *arena, const struct autosave *a)
{
	struct str form = a->form.len != 0 ? a->form : str_of(post_kind_name(a->kind));

	return a->post.len != 0 ? key_autosave(arena, a->post, a->username)
				: key_autosave_new(arena, a->username, a->kind, form);
}

static enum post_kind
kind_from_item(const struct item *item)
{
	int kind = post_kind_of(item_string(item, STR("Kind")));

	return kind >= 0 ? (enum post_kind)kind : KIND_ARTICLE;
}

void
autosave_from_item(struct arena *arena, const struct item *item, struct autosave *out)
{
	*out = (struct autosave){.kind = kind_from_item(item)};
	bind_read(arena, &autosave_bindings, item, out);
	if (out->post.len != 0)
		return;
	/* "AUTOSAVE#article#<form>", or without a form in older tables. */
	str_cut(item_key(item).sk, '#', &out->form);
	if (str_find(out->form, '#') < out->form.len)
		str_cut(out->form, '#', &out->form);
}

void
unsaved_from_item(struct arena *arena, const struct item *item, struct unsaved *out)
{
	*out = (struct unsaved){.kind = kind_from_item(item)};
	bind_read(arena, &unsaved_bindings, item, out);
}

static struct item
item_of(struct arena *arena, struct key key, enum item_kind is, enum post_kind kind, int64_t now)
{
	struct item item = {.count = 0};

	key_set(arena, &item, key, is);
	item_set(arena, &item, STR("Kind"), value_string(str_of(post_kind_name(kind))));
	item_set(arena, &item, TABLE_EXPIRES, value_number(now / 1000 + AUTOSAVE_SECONDS));
	return item;
}

size_t
autosave_put(struct arena *arena, const struct autosave *autosave, struct str title, int64_t now,
    struct write out[AUTOSAVE_WRITES])
{
	struct autosave mine = *autosave;
	const struct unsaved unsaved = {mine.post, title, mine.kind, now};

	mine.saved = now;
	out[0] = (struct write){.kind = WRITE_PUT,
	    .item = item_of(arena, autosave_key(arena, &mine), ITEM_AUTOSAVE, mine.kind, now)};
	bind_write(arena, &autosave_bindings, &mine, &out[0].item);
	if (mine.post.len == 0)
		return 1;
	out[1] = (struct write){.kind = WRITE_PUT,
	    .item = item_of(arena, key_unsaved(arena, mine.username, mine.post), ITEM_UNSAVED, mine.kind, now)};
	bind_write(arena, &unsaved_bindings, &unsaved, &out[1].item);
	return 2;
}

size_t
autosave_drop(
    struct arena *arena, const struct autosave *autosave, struct write out[AUTOSAVE_WRITES])
{
	out[0] = (struct write){.kind = WRITE_DELETE, .key = autosave_key(arena, autosave)};
	if (autosave->post.len == 0)
		return 1;
	out[1] = (struct write){
	    .kind = WRITE_DELETE, .key = key_unsaved(arena, autosave->username, autosave->post)};
	return 2;
}

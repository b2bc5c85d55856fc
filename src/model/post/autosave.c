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

struct key
autosave_key(struct arena *arena, const struct autosave *a)
{
	struct str form = a->form.len != 0 ? a->form : str_of(post_kind_name(a->kind));

	return a->post.len != 0 ? key_autosave(arena, a->post, a->username)
				: key_autosave_new(arena, a->username, a->kind, form);
}

void
autosave_from_item(struct arena *arena, const struct item *item, struct autosave *out)
{
	int kind = post_kind_of(item_string(item, STR("Kind")));

	*out = (struct autosave){.kind = kind >= 0 ? (enum post_kind)kind : KIND_ARTICLE};
	bind_read(arena, &autosave_bindings, item, out);
	if (out->post.len != 0)
		return;
	/* "AUTOSAVE#article#<form>", or without a form in older tables. */
	str_cut(item_key(item).sk, '#', &out->form);
	if (str_find(out->form, '#') < out->form.len)
		str_cut(out->form, '#', &out->form);
}

struct write
autosave_put(struct arena *arena, const struct autosave *autosave, int64_t now)
{
	struct write put = {.kind = WRITE_PUT};
	struct autosave mine = *autosave;

	mine.saved = now;
	key_set(arena, &put.item, autosave_key(arena, &mine), ITEM_AUTOSAVE);
	bind_write(arena, &autosave_bindings, &mine, &put.item);
	item_set(arena, &put.item, STR("Kind"), value_string(str_of(post_kind_name(mine.kind))));
	item_set(arena, &put.item, TABLE_EXPIRES, value_number(now / 1000 + AUTOSAVE_SECONDS));
	return put;
}

struct write
autosave_drop(struct arena *arena, const struct autosave *autosave)
{
	return (struct write){.kind = WRITE_DELETE, .key = autosave_key(arena, autosave)};
}

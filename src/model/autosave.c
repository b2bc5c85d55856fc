#include "model/autosave.h"

#include "base/clock.h"
#include "model/key_post.h"

enum { AUTOSAVE_SECONDS = 30 * 86400 };

static const struct binding bindings[] = {
    BIND_STRINGS("Inputs", struct autosave, inputs),
    BIND_STRING("Post", struct autosave, post),
    BIND_TIME("SavedAt", struct autosave, saved),
    BIND_STRING("Username", struct autosave, username),
    BIND_NUMBER("Version", struct autosave, version),
};
static const struct binding_table table = BINDINGS(bindings);

struct key
autosave_key(struct arena *arena, struct str username, struct str post, enum post_kind kind)
{
	return post.len != 0 ? key_autosave(arena, post, username)
			     : key_autosave_new(arena, username, kind);
}

void
autosave_from_item(struct arena *arena, const struct item *item, struct autosave *out)
{
	int kind = post_kind_of(item_string(item, STR("Kind")));

	*out = (struct autosave){.kind = kind >= 0 ? (enum post_kind)kind : KIND_ARTICLE};
	bind_read(arena, &table, item, out);
}

struct write
autosave_put(struct arena *arena, const struct autosave *autosave, int64_t now)
{
	struct write put = {.kind = WRITE_PUT};
	struct autosave mine = *autosave;

	mine.saved = now;
	key_set(arena, &put.item, autosave_key(arena, mine.username, mine.post, mine.kind),
	    STR("Autosave"));
	bind_write(arena, &table, &mine, &put.item);
	item_set(arena, &put.item, STR("Kind"), value_string(str_of(post_kind_name(mine.kind))));
	item_set(arena, &put.item, TABLE_EXPIRES, value_number(now / 1000 + AUTOSAVE_SECONDS));
	return put;
}

struct write
autosave_drop(struct arena *arena, struct str username, struct str post, enum post_kind kind)
{
	return (struct write){
	    .kind = WRITE_DELETE, .key = autosave_key(arena, username, post, kind)};
}

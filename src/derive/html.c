/* HTML that an older renderer has made of a text is made anew, so that no page has to render while it is read. */
#include "derive/rows.h"

#include "base/arena.h"
#include "model/key.h"
#include "model/kinds.h"
#include "model/site/settings.h"

struct str
html_subject(struct arena *arena, struct key key, const struct kind *kind)
{
	return kind != NULL && kind->markdown != MARKDOWN_NONE ? subject_of_key(arena, key)
							       : STR("");
}

/* A Body that was imported or is from before does not say in which language it is. */
static enum table_rc
set_language(struct derive *d, struct item *body)
{
	struct arena *arena = d->call->arena;
	struct read reads[] = {
	    {.kind = READ_GET,
		.key = key_post(arena, key_name(item_key(body))),
		.consistent = true},
	    {.kind = READ_GET, .key = key_site_settings(), .consistent = true},
	};
	enum table_rc rc = table_read(d->table, d->call, reads, 2);
	struct settings settings;
	struct str language;

	if (rc != TABLE_OK)
		return rc;
	settings_from_item(arena, reads[1].item, &settings);
	language = reads[0].item != NULL ? item_string(reads[0].item, STR("Language")) : STR("");
	item_set(arena, body, STR("HTMLLanguage"),
	    value_string(language.len != 0 ? language : settings.language));
	return TABLE_OK;
}

enum table_rc
html_derive(struct derive *d, struct str subject)
{
	struct read read = {.kind = READ_GET, .key = subject_key(subject), .consistent = true};
	enum table_rc rc = table_read(d->table, d->call, &read, 1);
	struct item wanted;
	bool named;

	if (rc != TABLE_OK || read.item == NULL)
		return rc;
	named = !kind_is(read.item, ITEM_BODY) || item_get(read.item, STR("HTMLLanguage")) != NULL;
	if (named && item_number(read.item, STR("Renderer")) >= MARKDOWN_RENDERER)
		return rc;
	wanted = item_copy(d->call->arena, read.item);
	if (!named)
		rc = set_language(d, &wanted);
	if (rc != TABLE_OK)
		return rc;
	return markdown_store(d->call->arena, &wanted, d->site) ? derive_item(d, read.item, &wanted)
								: TABLE_OK;
}

/* HTML that an older renderer has made of a text is made anew, so that no page has to render while it is read. */
#include "derive/rows.h"

#include "base/arena.h"
#include "model/kinds.h"

struct str
html_subject(struct arena *arena, struct key key)
{
	const struct kind *kind = kind_of_key(key);

	return kind != NULL && kind->markdown != MARKDOWN_NONE ? subject_of_key(arena, key) : STR("");
}

enum table_rc
html_derive(struct derive *d, struct str subject)
{
	struct read read = {.kind = READ_GET, .key = subject_key(subject), .consistent = true};
	enum table_rc rc = table_read(d->table, d->call, &read, 1);
	struct item wanted;

	if (rc != TABLE_OK || read.item == NULL ||
	    item_number(read.item, STR("Renderer")) >= MARKDOWN_RENDERER)
		return rc;
	wanted = item_copy(d->call->arena, read.item);
	return markdown_store(d->call->arena, &wanted, d->site) ? derive_item(d, read.item, &wanted)
								 : TABLE_OK;
}

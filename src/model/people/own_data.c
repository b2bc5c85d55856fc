/*
 * Two queries find everything: the person's own partition, and their activity in GSI1, where items
 * of the first appear again and are left out. The text of a post and the content of a collection
 * are read after their heads.
 *
 * A position is the number of the query and its cursor: "0…", "1…".
 */
#include "model/people/own_data.h"

#include "base/arena.h"
#include "model/key.h"
#include "model/kinds.h"
#include "model/post/post.h"
#include "table/json.h"

enum { ITEMS_AT_ONCE = 40, COLLECTED_MAX = 1000 };

/* --- JSON ------------------------------------------------------------------------------------------- */

static void put_item(
    struct buf *out, const struct item *item, const struct binding_table *const *tables);

static void
put_strings(struct buf *out, const struct str *strings, size_t count)
{
	buf_putc(out, '[');
	for (size_t i = 0; i < count; i++) {
		if (i != 0)
			buf_putc(out, ',');
		json_put_string(out, strings[i]);
	}
	buf_putc(out, ']');
}

/* `of`: the bindings of the maps in it. */
static void
put_value(struct buf *out, const struct value *value, const struct binding_table *of)
{
	const struct binding_table *const tables[] = {of, NULL};

	switch (value->kind) {
	case VALUE_STRING: json_put_string(out, value->string); break;
	case VALUE_NUMBER: buf_fmt(out, "%lld", (long long)value->number); break;
	case VALUE_BOOLEAN: buf_put(out, value->boolean ? STR("true") : STR("false")); break;
	case VALUE_MAP: put_item(out, &value->map, tables); break;
	case VALUE_STRING_SET: put_strings(out, value->set.members, value->set.count); break;
	case VALUE_LIST:
		buf_putc(out, '[');
		for (size_t i = 0; i < value->list.count; i++) {
			if (i != 0)
				buf_putc(out, ',');
			put_value(out, &value->list.values[i], of);
		}
		buf_putc(out, ']');
		break;
	case VALUE_NULL:
	case VALUE_BINARY: BUF_PUT(out, "null"); break;
	}
}

/* Keys, derived attributes and secrets are left out. */
static bool
is_left_out(struct str name, const struct binding *binding)
{
	if (str_eq(name, STR("PK")) || str_eq(name, STR("SK")) || str_starts(name, STR("GSI")))
		return true;
	return binding != NULL && (binding->mark == MARK_DERIVED || binding->mark == MARK_SECRET);
}

static void
put_item(struct buf *out, const struct item *item, const struct binding_table *const *tables)
{
	bool first = true;

	buf_putc(out, '{');
	for (size_t i = 0; i < item->count; i++) {
		const struct attribute *a = &item->attributes[i];
		const struct binding *binding = bind_find(tables, a->name);

		if (is_left_out(a->name, binding))
			continue;
		if (!first)
			buf_putc(out, ',');
		first = false;
		json_put_string(out, a->name);
		buf_putc(out, ':');
		put_value(out, &a->value, binding != NULL ? binding->of : NULL);
	}
	buf_putc(out, '}');
}

static void
put_line(struct buf *out, const struct item *item)
{
	static const struct binding_table *const none[] = {NULL};
	const struct kind *kind = kind_of(item);

	put_item(out, item, kind != NULL ? kind->bindings : none);
	buf_putc(out, '\n');
}

static enum kind_own
own_of(const struct item *item)
{
	const struct kind *kind = kind_of(item);

	return kind != NULL ? kind->own : OWN_AS_IT_IS;
}

/* A post that is not for everybody gets "Draft": true, which other programs understand. */
static void
put_own(struct arena *arena, struct buf *out, const struct item *item)
{
	enum kind_own own = own_of(item);
	struct item line = item_shallow(arena, item);
	struct post post;

	if (own == OWN_HEAD || own == OWN_HEAD_AND_TEXT) {
		post_from_item(arena, item, &post);
		if (!post_is_public(&post))
			item_set(arena, &line, STR("Draft"), value_boolean(true));
	}
	put_line(out, &line);
}

/* --- Reading ---------------------------------------------------------------------------------------- */

/* Adds the reads that belong to a head: the text of a post, the content of a collection. */
static size_t
plan_more(struct arena *arena, const struct item *items, size_t count, struct read *reads)
{
	size_t planned = 0;

	for (size_t i = 0; i < count; i++) {
		enum kind_own own = own_of(&items[i]);
		struct str id = item_string(&items[i], STR("Id"));

		if (own == OWN_HEAD_AND_TEXT) {
			reads[planned++] =
			    (struct read){.kind = READ_GET, .key = key_post_body(arena, id)};
		} else if (own == OWN_AND_CONTENT) {
			reads[planned] =
			    (struct read){.kind = READ_QUERY, .query = query_collection(arena, id)};
			reads[planned++].query.limit = COLLECTED_MAX;
		}
	}
	return planned;
}

/* The text of a post, with the post's id. */
static void
put_body(struct arena *arena, const struct read *read, struct buf *out)
{
	struct item body;
	struct str rest, post;

	if (read->item == NULL)
		return;
	body = item_shallow(arena, read->item);
	str_cut(read->key.pk, '#', &rest);
	post = rest;
	item_set(arena, &body, STR("Post"), value_string(post));
	put_line(out, &body);
}

static enum table_rc
put_more(struct table *table, struct table_call *call, const struct item *items, size_t count,
    struct buf *out)
{
	struct read reads[ITEMS_AT_ONCE];
	size_t planned = plan_more(call->arena, items, count, reads);
	enum table_rc rc = planned != 0 ? table_read(table, call, reads, planned) : TABLE_OK;

	for (size_t i = 0; rc == TABLE_OK && i < planned; i++) {
		if (reads[i].kind == READ_GET)
			put_body(call->arena, &reads[i], out);
		for (size_t n = 0; n < reads[i].found_count; n++)
			put_line(out, &reads[i].found[n]);
	}
	return rc;
}

static struct query
query_at(struct arena *arena, struct str username, bool activity, struct str cursor)
{
	struct query query =
	    activity ? query_activity(arena, username) : query_own(arena, username);

	query.limit = ITEMS_AT_ONCE;
	query.cursor = cursor;
	return query;
}

enum table_rc
own_data(struct table *table, struct table_call *call, struct str username, struct str *position,
    struct buf *out)
{
	bool activity = position->len != 0 && position->base[0] == '1';
	struct str next = str_sub(*position, 1, position->len);
	size_t begun = out->len;

	for (;;) {
		struct query query = query_at(call->arena, username, activity, next);
		struct item *found;
		size_t count;
		enum table_rc rc = table_query(table, call, &query, &found, &count, &next);

		for (size_t i = 0; rc == TABLE_OK && i < count; i++)
			if (!activity || !key_is_own(item_key(&found[i]), username))
				put_own(call->arena, out, &found[i]);
		if (rc == TABLE_OK && activity)
			rc = put_more(table, call, found, count, out);
		if (rc != TABLE_OK)
			return rc;
		if (next.len == 0 && activity) {
			*position = STR("");
			return TABLE_OK;
		}
		activity = activity || next.len == 0;
		if (out->len - begun >= OWN_DATA_PART) {
			*position = STR_CONCAT(call->arena, activity ? STR("1") : STR("0"), next);
			return TABLE_OK;
		}
	}
}

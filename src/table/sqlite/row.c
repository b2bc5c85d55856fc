/*
 * The embedded engine's rows: how one stores its item, so that a save writes few pages.
 *
 *   data = item                    as item_binary.c makes it; its first byte is a version, less than 0x80
 *        | 0x80 length item zeros  padded to the end of its last page
 *        | 0x81 id                 compressed, in the row `id` of `packed`
 *
 * Both numbers are in decimal, the length in eight digits.
 *
 * Padded. SQLite keeps the beginning of a long row beside its neighbours and the rest in pages of its own. A row that
 * changes its length gives those back and takes others, which also writes the list of free pages and the file's first
 * page; one that keeps its length is written in place. So it is padded: it takes no more pages than it would
 * otherwise, and a text that grows by some words stays in place.
 *
 * Packed. Items of which no cached page is made are seldom read: a post's revisions, an autosave. They are compressed,
 * and several share a page of `packed`, where new ones are appended. What pages are made of is not compressed: to
 * decompress a text takes as long as to make its page.
 *
 * Only an item in no index is stored in these two ways, because an index holds the whole row once more.
 */
#include "base/arena.h"
#include "table/rules.h"
#include "table/sqlite/sqlite_private.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

enum {
	FORM_FILLED = 0x80,
	FORM_PACKED = 0x81,
	FILLED_HEAD = 1 + 8,
	ROW_HEAD_MAX = 64, /* more than what SQLite adds to place and data of a row in no index */
};

/* --- Reading ------------------------------------------------------------------------------------ */

enum table_rc
unreadable(struct table_call *call)
{
	call->why = "a stored item is damaged";
	return TABLE_CORRUPT;
}

static bool
inflated(struct arena *arena, struct str packed, uint64_t len, struct str *out)
{
	uLongf got = len;
	char *bytes;

	/* Nothing longer is ever stored, whatever a damaged row says. */
	if (len > 2 * ITEM_SIZE_MAX)
		return false;
	bytes = arena_room(arena, len);
	*out = (struct str){bytes, len};
	return uncompress((Bytef *)bytes, &got, (const Bytef *)packed.base, packed.len) == Z_OK &&
	       got == len;
}

/* While the row that names `id` is being read, so that both are of one snapshot. */
static enum table_rc
unpack(struct connection *c, struct table_call *call, int64_t id, struct str *out)
{
	sqlite3_stmt *st = statement(c, SQL_GET_PACKED);
	enum table_rc rc = TABLE_OK;
	int code;

	if (st == NULL)
		return storage_failed(c, call, SQLITE_ERROR);
	sqlite3_bind_int64(st, 1, id);
	code = sqlite3_step(st);
	if (code == SQLITE_ROW)
		rc = inflated(call->arena, column_bytes(st, 1),
			 (uint64_t)sqlite3_column_int64(st, 0), out)
			 ? TABLE_OK
			 : unreadable(call);
	else
		rc = code == SQLITE_DONE ? unreadable(call) : storage_failed(c, call, code);
	sqlite3_reset(st);
	return rc;
}

/* The bytes of an item that is padded or packed; *packed says which. */
static enum table_rc
restored(struct connection *c, struct table_call *call, struct str *data, int64_t *packed)
{
	bool filled = (unsigned char)data->base[0] == FORM_FILLED;
	int64_t number;

	if (!str_int(str_sub(*data, 1, filled ? FILLED_HEAD - 1 : data->len), &number) ||
	    number < 0)
		return unreadable(call);
	if (!filled) {
		*packed = number;
		return unpack(c, call, number, data);
	}
	*data = str_sub(*data, FILLED_HEAD, data->len);
	if ((uint64_t)number > data->len)
		return unreadable(call);
	*data = (struct str){arena_copy(call->arena, data->base, (size_t)number), (size_t)number};
	return TABLE_OK;
}

enum table_rc
column_item(struct connection *c, struct table_call *call, sqlite3_stmt *st, int at,
    struct item *out, struct stored *stored)
{
	struct str data = column_bytes(st, at);
	int64_t packed = 0;
	enum table_rc rc;

	if (__builtin_expect(data.len != 0 && (unsigned char)data.base[0] >= FORM_FILLED, 0)) {
		rc = restored(c, call, &data, &packed);
		if (rc != TABLE_OK)
			return rc;
	} else {
		data.base = arena_copy(call->arena, data.base, data.len);
	}
	if (stored != NULL) {
		stored->bytes = data;
		stored->packed = packed;
	}
	return item_decode(call->arena, data, out) ? TABLE_OK : unreadable(call);
}

/* --- The form of an item ------------------------------------------------------------------------ */

/*
 * How much of a row is stored in the B-tree page: at most, and when it has pages of its own
 * (SQLite's file format, 1.6).
 */
static size_t
local_max(size_t page)
{
	return (page - 12) * 64 / 255 - 23;
}

static size_t
local_rest(size_t page)
{
	return (page - 12) * 32 / 255 - 23;
}

static struct str
filled(struct arena *arena, size_t page, size_t beside, struct str item)
{
	size_t each = page - 4, first = local_rest(page);
	size_t pages = (beside + FILLED_HEAD + item.len - first + each - 1) / each;
	size_t len = first + pages * each - beside;
	char *out = arena_alloc(arena, len);

	assert(pages != 0 && len >= FILLED_HEAD + item.len);
	snprintf(out, len, "%c%0*zu", FORM_FILLED, FILLED_HEAD - 1, item.len);
	memcpy(out + FILLED_HEAD, item.base, item.len);
	return (struct str){out, len};
}

static struct str
deflated(struct arena *arena, struct str item)
{
	uLongf len = compressBound(item.len);
	char *out = arena_room(arena, len);

	if (compress((Bytef *)out, &len, (const Bytef *)item.base, item.len) != Z_OK)
		out_of_memory();
	return (struct str){out, len};
}

static bool
is_in_index(const struct item *item)
{
	struct str pk, sk;

	for (int index = TABLE_GSI1; index <= TABLE_GSI4; index++)
		if (item_index_key(item, (enum table_index)index, &pk, &sk))
			return true;
	return false;
}

void
row_form(struct sqlite_table *t, struct arena *arena, struct str place, const struct item *item,
    struct row_form *out)
{
	size_t page = (size_t)t->writer->page_bytes, beside = place.len + ROW_HEAD_MAX;
	struct key key;

	*out = (struct row_form){.bytes = item_encode(arena, item)};
	out->data = out->bytes;
	if (beside + out->bytes.len <= local_max(page) || is_in_index(item))
		return;
	if (place_key(place, &key) && !table_is_seen(&t->table, key))
		out->packed = deflated(arena, out->bytes);
	else
		out->data = filled(arena, page, beside, out->bytes);
}

/* --- Storing ------------------------------------------------------------------------------------ */

/* Makes the row `*id` of `packed`, 0 for none, what the new form needs. */
static int
store_packed(struct connection *c, const struct row_form *new, int64_t *id)
{
	bool wanted = new != NULL &&new->packed.len != 0;
	sqlite3_stmt *st;
	int code;

	if (*id == 0 && !wanted)
		return SQLITE_DONE;
	st = statement(c, !wanted    ? SQL_DELETE_PACKED
			  : *id == 0 ? SQL_INSERT_PACKED
				     : SQL_UPDATE_PACKED);
	if (st == NULL)
		return SQLITE_ERROR;
	if (*id != 0)
		sqlite3_bind_int64(st, 1, *id);
	if (wanted) {
		sqlite3_bind_int64(st, 2, (int64_t) new->bytes.len);
		bind_bytes(st, 3, new->packed);
	}
	code = statement_run(st);
	*id = !wanted ? 0 : *id == 0 ? sqlite3_last_insert_rowid(c->db) : *id;
	return code;
}

static void
bind_row(sqlite3_stmt *st, struct arena *arena, const struct item *item, struct str data)
{
	const struct value *expires = item_get(item, TABLE_EXPIRES);

	if (expires != NULL && expires->kind == VALUE_NUMBER)
		sqlite3_bind_int64(st, 2, expires->number);
	else
		sqlite3_bind_null(st, 2);
	bind_bytes(st, 3, data);
	for (int index = TABLE_GSI1; index <= TABLE_GSI4; index++) {
		struct str pk, sk;

		if (item_index_key(item, (enum table_index)index, &pk, &sk))
			bind_place(st, 3 + index, place_of(arena, pk, sk));
		else
			sqlite3_bind_null(st, 3 + index);
	}
}

/*
 * An index is a table of its own, so that a row that keeps its key is written in place. In an index
 * of its own, SQLite deletes the row and inserts another, and if the row was between two pages,
 * that writes both, and their parent.
 */
static int
store_index(struct connection *c, struct arena *arena, enum table_index index,
    const struct stored *old, const struct item *new, struct str data)
{
	struct str pk, sk, was = STR(""), is = STR("");
	int code = SQLITE_DONE;
	sqlite3_stmt *st;

	if (old->item != NULL && item_index_key(old->item, index, &pk, &sk))
		was = place_of(arena, pk, sk);
	if (new != NULL && item_index_key(new, index, &pk, &sk))
		is = place_of(arena, pk, sk);
	if (was.len != 0 && !str_eq(was, is)) {
		st = statement(c, (enum statement)(SQL_DROP_GSI1 + index - TABLE_GSI1));
		if (st == NULL)
			return SQLITE_ERROR;
		bind_place(st, 1, was);
		bind_place(st, 2, old->place);
		code = statement_run(st);
	}
	if (code == SQLITE_DONE && is.len != 0) {
		st = statement(c, (enum statement)((str_eq(was, is) ? SQL_PUT_GSI1 : SQL_ADD_GSI1) +
						   index - TABLE_GSI1));
		if (st == NULL)
			return SQLITE_ERROR;
		bind_place(st, 1, is);
		bind_place(st, 2, old->place);
		bind_bytes(st, 3, data);
		code = statement_run(st);
	}
	return code;
}

enum table_rc
store_row(struct connection *c, struct table_call *call, const struct stored *old,
    const struct item *new, const struct row_form *form)
{
	bool there = old->bytes.base != NULL;
	sqlite3_stmt *st = statement(c, new == NULL ? SQL_DELETE : there ? SQL_UPDATE : SQL_INSERT);
	int64_t packed = old->packed;
	int code;

	assert(there == (old->item != NULL) && (there || packed == 0));
	assert((new == NULL) == (form == NULL));
	assert(form == NULL || form->packed.len == 0 || !is_in_index(new));
	code = store_packed(c, form, &packed);
	if (code != SQLITE_DONE || st == NULL)
		return storage_failed(c, call, st == NULL ? SQLITE_ERROR : code);
	bind_place(st, 1, old->place);
	if (new != NULL)
		bind_row(st, call->arena, new,
		    packed == 0 ? form->data
				: str_fmt(call->arena, "%c%" PRId64, FORM_PACKED, packed));
	code = statement_run(st);
	for (int index = TABLE_GSI1; index <= TABLE_GSI4 && code == SQLITE_DONE; index++)
		code = store_index(c, call->arena, (enum table_index)index, old, new,
		    form != NULL ? form->data : STR(""));
	return code == SQLITE_DONE ? TABLE_OK : storage_failed(c, call, code);
}

/* --- Checking ----------------------------------------------------------------------------------- */

#define INDEX_ERROR(n)                                                                              \
	"SELECT (SELECT count(*) FROM item WHERE gsi" #n " IS NOT NULL) !="                        \
	" (SELECT count(*) FROM gsi" #n ") OR EXISTS (SELECT 1 FROM gsi" #n " AS g LEFT JOIN item" \
	" ON item.place = g.place WHERE item.gsi" #n " IS NOT g.gsi OR item.data IS NOT g.data)"

/* Every row of `packed` is referenced by one of `item`, and vice versa. */
static const char packed_error[] =
    "WITH named AS (SELECT CAST(CAST(substr(data, 2) AS TEXT) AS INTEGER) AS id FROM item"
    " WHERE data >= x'81' AND data < x'82')"
    "SELECT (SELECT count(*) FROM named) != (SELECT count(*) FROM packed)"
    " OR EXISTS (SELECT 1 FROM packed WHERE id NOT IN (SELECT id FROM named))";

const char *
row_error(sqlite3 *db)
{
	static const struct {
		const char *sql, *error;
	} checks[] = {
	    {INDEX_ERROR(1), "the index GSI1 does not hold the same as the table"},
	    {INDEX_ERROR(2), "the index GSI2 does not hold the same as the table"},
	    {INDEX_ERROR(3), "the index GSI3 does not hold the same as the table"},
	    {INDEX_ERROR(4), "the index GSI4 does not hold the same as the table"},
	    {packed_error, "compressed items are missing, or belong to nothing"},
	};

	if (sqlite_ask(db, "PRAGMA user_version") != SQLITE_TABLE_VERSION)
		return NULL;
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++)
		if (sqlite_ask(db, checks[i].sql) != 0)
			return checks[i].error;
	return NULL;
}

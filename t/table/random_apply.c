/* Executes an operation and describes its result. */
#include "random_op.h"

#include "base/arena.h"
#include "spell.h"

#include <inttypes.h>
#include <stdlib.h>

void
op_describe(struct buf *out, const struct op *op)
{
	static const char *const kinds[] = {[OP_WRITE] = "",
	    [OP_TRANSACT] = "transaction",
	    [OP_READ] = "read",
	    [OP_QUERY] = "",
	    [OP_SWEEP] = "sweep",
	    [OP_PASS] = "time passes:",
	    [OP_LOOK] = "look at the whole table and stream"};

	buf_put(out, str_of(kinds[op->kind]));
	if (op->kind == OP_PASS)
		buf_fmt(out, " %" PRId64 " ms", op->pass);
	if (op->token.len != 0) {
		BUF_PUT(out, " with token ");
		spell_string(out, op->token);
	}
	for (size_t i = 0; i < op->read_count; i++) {
		const struct read *read = &op->reads[i];

		if (read->kind == READ_QUERY) {
			spell_query(out, &read->query);
			buf_fmt(out, " by %u", read->query.limit);
			if (op->write_count != 0)
				BUF_PUT(out, ", behind the first page ");
		} else if (read->kind == READ_GET) {
			BUF_PUT(out, "\n#     get ");
			spell_key(out, read->key);
		}
		for (size_t k = 0; read->kind == READ_BATCH && k < read->batch.count; k++) {
			buf_put(out, k == 0 ? STR("\n#     batch ") : STR(", "));
			spell_key(out, read->batch.keys[k]);
		}
	}
	for (size_t i = 0; i < op->write_count; i++) {
		if (op->kind == OP_TRANSACT)
			BUF_PUT(out, "\n#     ");
		spell_write(out, &op->writes[i]);
	}
}

static void
tell_rc(struct buf *out, enum table_rc rc)
{
	buf_put(out, str_of(spell_rc(rc)));
}

static void
apply_write(struct table *table, struct table_call *call, struct write *write, struct buf *out)
{
	enum table_rc rc = table_write(table, call, write);

	tell_rc(out, rc);
	if (rc == TABLE_OK && write->returns != RETURN_NONE) {
		BUF_PUT(out, " returned ");
		spell_item(out, write->returned);
	}
	if (rc == TABLE_CONDITION) {
		BUF_PUT(out, " failed on ");
		spell_item(out, write->failed);
	}
}

static void
apply_transaction(struct table *table, struct table_call *call, struct op *op, struct buf *out)
{
	enum table_rc rc = table_transact(table, call, op->writes, op->write_count, op->token);

	tell_rc(out, rc);
	for (size_t i = 0; rc == TABLE_CANCELLED && i < op->write_count; i++) {
		BUF_PUT(out, "\n#     ");
		tell_rc(out, op->writes[i].rc);
		if (op->writes[i].rc == TABLE_CONDITION) {
			BUF_PUT(out, " failed on ");
			spell_item(out, op->writes[i].failed);
		}
	}
}

static void
apply_reads(struct table *table, struct table_call *call, struct op *op, struct buf *out)
{
	enum table_rc rc = table_read(table, call, op->reads, op->read_count);

	tell_rc(out, rc);
	for (size_t i = 0; rc == TABLE_OK && i < op->read_count; i++) {
		struct read *read = &op->reads[i];

		for (size_t k = 0; k < (read->kind == READ_BATCH ? read->batch.count : 1); k++) {
			BUF_PUT(out, "\n#     ");
			spell_item(out, read->kind == READ_BATCH ? read->items[k] : read->item);
		}
	}
}

/* --- Queries ---------------------------------------------------------------------------------- */

/* A line of an answer, and its sort key where the contract leaves the order open. */
struct line {
	struct str sort;
	struct key key;
	struct str text;
	size_t at;
};

struct lines {
	struct line *lines;
	size_t count;
};

static void
add_line(struct arena *arena, struct lines *lines, struct line line)
{
	if ((lines->count & (lines->count - 1)) == 0)
		lines->lines = arena_grow(arena, lines->lines, lines->count * sizeof(line),
		    (lines->count == 0 ? 1 : lines->count * 2) * sizeof(line));
	line.at = lines->count;
	lines->lines[lines->count++] = line;
}

static int
key_order(const struct line *a, const struct line *b)
{
	int order = str_cmp(a->key.pk, b->key.pk);

	return order != 0 ? order : str_cmp(a->key.sk, b->key.sk);
}

/* By key, and of one key as they came. */
static int
by_key(const void *a, const void *b)
{
	const struct line *one = a, *other = b;
	int order = key_order(one, other);

	return order != 0 ? order : (one->at > other->at) - (one->at < other->at);
}

static void
tell_lines(struct buf *out, const struct lines *lines)
{
	for (size_t i = 0; i < lines->count; i++) {
		BUF_PUT(out, "\n#     ");
		buf_put(out, lines->lines[i].text);
	}
}

/* Each run of equal sort keys by the items' own keys. */
static void
order_ties(struct lines *lines)
{
	for (size_t i = 0, end; i < lines->count; i = end) {
		for (end = i + 1; end < lines->count; end++)
			if (!str_eq(lines->lines[i].sort, lines->lines[end].sort))
				break;
		qsort(&lines->lines[i], end - i, sizeof(lines->lines[0]), by_key);
	}
}

static struct str
item_text(struct arena *arena, const struct item *item)
{
	struct buf text = {.arena = arena};

	spell_item(&text, item);
	return buf_str(&text);
}

static void
apply_query(struct table *table, struct table_call *call, struct op *op, struct buf *out)
{
	struct read read = op->reads[0];
	struct str sort_name = table_sk_name(read.query.index);
	struct lines lines = {0};
	enum table_rc rc;
	int pages = 0;

	do {
		rc = table_read(table, call, &read, 1);
		tell_rc(out, rc);
		if (rc != TABLE_OK)
			break;
		buf_fmt(out, " %zu%s ", read.found_count, read.next.len != 0 ? " and more," : "");
		for (size_t i = 0; i < read.found_count; i++) {
			struct item *item = &read.found[i];

			add_line(call->arena, &lines,
			    (struct line){.sort = item_string(item, sort_name),
				.key = item_key(item),
				.text = item_text(call->arena, item)});
		}
		if (pages == 0 && op->write_count != 0)
			apply_write(table, call, &op->writes[0], out);
		read.query.cursor = read.next;
	} while (read.next.len != 0 && ++pages < 10000);
	if (read.query.index != TABLE_PRIMARY)
		order_ties(&lines);
	tell_lines(out, &lines);
}

/* --- The whole -------------------------------------------------------------------------------- */

static void
tell_table(struct table *table, struct table_call *call, uint32_t limit, struct buf *out)
{
	struct lines lines = {0};
	struct walk_page page = {.next = STR("")};
	enum table_rc rc;

	do {
		rc = table_walk(table, call, page.next, limit, &page);
		if (rc != TABLE_OK)
			break;
		for (size_t i = 0; i < page.count; i++)
			add_line(call->arena, &lines,
			    (struct line){.key = item_key(&page.items[i]),
				.text = item_text(call->arena, &page.items[i])});
	} while (page.next.len != 0);
	tell_rc(out, rc);
	if (lines.count != 0)
		qsort(lines.lines, lines.count, sizeof(lines.lines[0]), by_key);
	tell_lines(out, &lines);
}

static struct str
record_text(struct arena *arena, const struct change_record *record)
{
	static const char *const kinds[] = {
	    [CHANGE_INSERT] = "insert ", [CHANGE_MODIFY] = "modify ", [CHANGE_DELETED] = "delete "};
	struct buf text = {.arena = arena};

	buf_put(&text, str_of(kinds[record->kind]));
	spell_key(&text, record->key);
	if (record->expired)
		BUF_PUT(&text, " expired");
	return buf_str(&text);
}

/* The stream keeps the order of each item's changes, so that is how they are compared. */
static void
tell_stream(struct table *table, struct table_call *call, uint32_t limit, struct buf *out)
{
	struct lines lines = {0};
	struct change_page page = {.next = STREAM_OLDEST};
	enum table_rc rc;

	do {
		rc = table_changes(table, call, page.next, limit, &page);
		for (size_t i = 0; rc == TABLE_OK && i < page.count; i++)
			add_line(call->arena, &lines,
			    (struct line){.key = page.records[i].key,
				.text = record_text(call->arena, &page.records[i])});
	} while (rc == TABLE_OK && page.count != 0);
	BUF_PUT(out, "\n#   stream ");
	tell_rc(out, rc);
	if (lines.count != 0)
		qsort(lines.lines, lines.count, sizeof(lines.lines[0]), by_key);
	tell_lines(out, &lines);
}

static void
apply_sweep(struct table *table, struct table_call *call, uint32_t limit, struct buf *out)
{
	uint32_t removed = 0, all = 0;
	enum table_rc rc;

	do {
		rc = table_sweep(table, call, limit, &removed);
		all += removed;
	} while (rc == TABLE_OK && removed != 0);
	tell_rc(out, rc);
	buf_fmt(out, " %u removed", all);
}

void
op_apply(struct table *table, struct clock *clock, struct op *op, struct buf *out)
{
	struct table_call call = {.arena = out->arena};

	switch (op->kind) {
	case OP_WRITE: apply_write(table, &call, &op->writes[0], out); break;
	case OP_TRANSACT: apply_transaction(table, &call, op, out); break;
	case OP_READ: apply_reads(table, &call, op, out); break;
	case OP_QUERY: apply_query(table, &call, op, out); break;
	case OP_SWEEP: apply_sweep(table, &call, op->limit, out); break;
	case OP_PASS: clock->fixed_now += op->pass; break;
	case OP_LOOK:
		tell_table(table, &call, op->limit, out);
		tell_stream(table, &call, op->limit, out);
		break;
	}
	table_release(table, &call);
}

#include "failing_table.h"

#include "tap.h"

/* Does this call fail? */
static bool
fails(struct failing_table *failing)
{
	failing->calls++;
	return failing->calls == failing->fail_at ||
	       (failing->for_good && failing->fail_at != 0 && failing->calls > failing->fail_at);
}

/* In a call of its own, as somebody else has one. */
static void
meddle(struct failing_table *failing, struct arena *arena)
{
	struct table_call call = {.arena = arena};
	struct write write;

	if (failing->behind == NULL)
		return;
	if (failing->behind_skips != 0) {
		failing->behind_skips--;
		return;
	}
	write = *failing->behind;
	failing->behind = NULL;
	if (table_write(failing->inner, &call, &write) != TABLE_OK)
		bail_out("somebody else can't write: %s", call.why != NULL ? call.why : "");
	table_release(failing->inner, &call);
}

static void
measure(struct failing_table *failing, const struct read *reads, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (reads[i].kind == READ_GET && reads[i].item != NULL)
			failing->got += item_size(reads[i].item);
		for (size_t n = 0; reads[i].kind == READ_QUERY && n < reads[i].found_count; n++)
			failing->got += item_size(&reads[i].found[n]);
	}
}

static enum table_rc
failing_read(struct table *table, struct table_call *call, struct read *reads, size_t count)
{
	struct failing_table *failing = (struct failing_table *)table;
	enum table_rc rc;

	if (fails(failing))
		return failing->rc;
	rc = failing->inner->engine->read(failing->inner, call, reads, count);
	if (rc == TABLE_OK)
		measure(failing, reads, count);
	meddle(failing, call->arena);
	return rc;
}

static enum table_rc
failing_write(struct table *table, struct table_call *call, struct write *write)
{
	struct failing_table *failing = (struct failing_table *)table;

	failing->writes++;
	return fails(failing) ? failing->rc
			      : failing->inner->engine->write(failing->inner, call, write);
}

static enum table_rc
failing_transact(struct table *table, struct table_call *call, struct write *writes, size_t count,
    struct str token)
{
	struct failing_table *failing = (struct failing_table *)table;

	failing->writes++;
	return fails(failing)
		   ? failing->rc
		   : failing->inner->engine->transact(failing->inner, call, writes, count, token);
}

static enum table_rc
failing_hold(struct table *table, struct table_call *call)
{
	struct failing_table *failing = (struct failing_table *)table;

	return fails(failing) ? failing->rc : table_hold(failing->inner, call);
}

static void
failing_release(struct table *table, struct table_call *call)
{
	table_release(((struct failing_table *)table)->inner, call);
}

static enum table_rc
failing_changes(struct table *table, struct table_call *call, struct str position, uint32_t limit,
    struct change_page *page)
{
	struct failing_table *failing = (struct failing_table *)table;

	return fails(failing) ? failing->rc
			      : failing->inner->engine->changes(
				    failing->inner, call, position, limit, page);
}

static enum table_rc
failing_walk(struct table *table, struct table_call *call, struct str cursor, uint32_t limit,
    struct walk_page *page)
{
	struct failing_table *failing = (struct failing_table *)table;

	return fails(failing)
		   ? failing->rc
		   : failing->inner->engine->walk(failing->inner, call, cursor, limit, page);
}

static uint64_t
failing_version(struct table *table)
{
	return table_version(((struct failing_table *)table)->inner);
}

static const struct table_engine engine = {
    .name = "failing",
    .deadline_ms = 5000,
    .read = failing_read,
    .write = failing_write,
    .transact = failing_transact,
    .hold = failing_hold,
    .release = failing_release,
    .changes = failing_changes,
    .walk = failing_walk,
    .version = failing_version,
};

void
failing_table_begin(struct failing_table *failing, struct table *inner)
{
	*failing = (struct failing_table){
	    .table = {&engine, inner->clock, .slots = inner->slots}, .inner = inner};
}

void
failing_table_arm(struct failing_table *failing, unsigned n, enum table_rc rc)
{
	failing->fail_at = n;
	failing->rc = rc;
	failing->calls = failing->writes = 0;
}

#include "table/table.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/limiter.h"
#include "table/rules.h"
#include "table/slots.h"

#include <assert.h>

static const struct str pk_names[] = {
    STR_INIT("PK"), STR_INIT("GSI1PK"), STR_INIT("GSI2PK"), STR_INIT("GSI3PK"), STR_INIT("GSI4PK")};
static const struct str sk_names[] = {
    STR_INIT("SK"), STR_INIT("GSI1SK"), STR_INIT("GSI2SK"), STR_INIT("GSI3SK"), STR_INIT("GSI4SK")};

struct str
table_pk_name(enum table_index index)
{
	return pk_names[index];
}

struct str
table_sk_name(enum table_index index)
{
	return sk_names[index];
}

struct key
item_key(const struct item *item)
{
	return (struct key){
	    item_string(item, pk_names[TABLE_PRIMARY]), item_string(item, sk_names[TABLE_PRIMARY])};
}

const char *
table_rc_text(enum table_rc rc)
{
	switch (rc) {
	case TABLE_OK: return "done";
	case TABLE_CONDITION: return "a condition was false";
	case TABLE_CANCELLED: return "the transaction was refused";
	case TABLE_CONFLICT: return "another transaction was under way";
	case TABLE_INVALID: return "the request breaks a rule of the table";
	case TABLE_BAD_CURSOR: return "the cursor belongs to another query";
	case TABLE_TOKEN_USED: return "the token belongs to another transaction";
	case TABLE_TRIMMED: return "the stream has forgotten this position";
	case TABLE_DEADLINE: return "time ran out";
	case TABLE_THROTTLED: return "the table takes no more at the moment";
	case TABLE_FULL: return "no space is left";
	case TABLE_UNAVAILABLE: return "the table is unavailable";
	case TABLE_CORRUPT: return "what is stored can't be read";
	}
	return "unknown";
}

const char table_fenced[] = "the table takes no writes while it is handed over to another store";

/* What every call does before and after its engine's part. */
struct passage {
	int64_t began;
	int64_t given; /* the caller's deadline, to be restored */
	uint32_t halves, writes; /* what the call had cost before */
};

static enum table_rc
enter(struct table *table, struct table_call *call, const char *error, struct passage *passage)
{
	int64_t now = clock_monotonic(table->clock);

	call->why = NULL;
	call->unsure = false;
	passage->given = call->deadline;
	passage->halves = call->cost.read_half_units;
	passage->writes = call->cost.write_units;
	passage->began = clock_micros();
	if (error != NULL) {
		call->why = error;
		return TABLE_INVALID;
	}
	if (call->deadline == 0)
		call->deadline = now + (table->deadline_ms != 0 ? table->deadline_ms
								: table->engine->deadline_ms);
	return call->deadline > now ? TABLE_OK : TABLE_DEADLINE;
}

/* A call that failed has a reason, for whoever looks at it at once or later. */
static enum table_rc
told(struct table_call *call, enum table_rc rc)
{
	if (rc == TABLE_OK)
		return rc;
	if (call->why == NULL)
		call->why = table_rc_text(rc);
	call->failed = call->why;
	return rc;
}

static enum table_rc
leave(struct table *table, struct table_call *call, const struct passage *passage, size_t requests, enum table_rc rc)
{
	call->deadline = passage->given;
	call->cost.requests += (uint32_t)requests;
	call->cost.round_trips++;
	call->cost.micros += clock_micros() - passage->began;
	if (call->cost.read_half_units != passage->halves || call->cost.write_units != passage->writes) {
		table->spent_halves += call->cost.read_half_units - passage->halves;
		table->spent_writes += call->cost.write_units - passage->writes;
	}
	return told(call, rc);
}

enum table_rc
table_read(struct table *table, struct table_call *call, struct read *reads, size_t count)
{
	struct passage passage;
	const char *error = NULL;
	enum table_rc rc;

	for (size_t i = 0; i < count; i++) {
		reads[i].item = NULL;
		reads[i].items = NULL;
		reads[i].found = NULL;
		reads[i].found_count = 0;
		reads[i].next = STR("");
		if (error == NULL)
			error = rules_read(&reads[i]);
		if (error == NULL && !reads[i].unnoted)
			read_set_note(call->noted, &reads[i]);
	}
	rc = enter(table, call, error, &passage);
	if (rc == TABLE_OK && count != 0)
		rc = table->engine->read(table, call, reads, count);
	return leave(table, call, &passage, count, rc);
}

/* Writers wait for one another and for the disk; at most as many as there are spare threads. */
static enum table_rc
enter_to_write(struct table *table, struct table_call *call)
{
	if (table->writers == NULL || call->background || limiter_enter(table->writers, STR("")))
		return TABLE_OK;
	call->why = "too many writers are waiting already";
	return TABLE_THROTTLED;
}

static void
leave_writers(struct table *table, const struct table_call *call)
{
	if (table->writers != NULL && !call->background)
		limiter_leave(table->writers, STR(""));
}

enum table_rc
table_write(struct table *table, struct table_call *call, struct write *write)
{
	struct passage passage;
	enum table_rc rc;

	table_release(table, call);
	write->returned = write->failed = NULL;
	rc = enter(table, call, rules_write(write, false), &passage);
	if (rc == TABLE_OK)
		rc = enter_to_write(table, call);
	if (rc == TABLE_OK) {
		rc = table->engine->write(table, call, write);
		leave_writers(table, call);
	}
	write->rc = rc;
	return leave(table, call, &passage, 1, rc);
}

enum table_rc
table_transact(struct table *table, struct table_call *call, struct write *writes, size_t count,
    struct str token)
{
	struct passage passage;
	enum table_rc rc;

	table_release(table, call);
	for (size_t i = 0; i < count; i++) {
		writes[i].rc = TABLE_OK;
		writes[i].returned = writes[i].failed = NULL;
	}
	rc = enter(table, call, rules_transaction(call->arena, writes, count, token), &passage);
	if (rc == TABLE_OK)
		rc = enter_to_write(table, call);
	if (rc == TABLE_OK) {
		rc = table->engine->transact(table, call, writes, count, token);
		leave_writers(table, call);
	}
	return leave(table, call, &passage, 1, rc);
}

enum table_rc
table_write_each(struct table *table, struct table_call *call, struct write *writes, size_t count)
{
	struct passage passage;
	enum table_rc rc;

	if (table->engine->write_each == NULL)
		return count == 1 ? table_write(table, call, writes)
				  : table_transact(table, call, writes, count, STR(""));
	table_release(table, call);
	for (size_t i = 0; i < count; i++) {
		writes[i].rc = TABLE_OK;
		writes[i].returned = writes[i].failed = NULL;
	}
	rc = enter(table, call, rules_transaction(call->arena, writes, count, STR("")), &passage);
	if (rc == TABLE_OK)
		rc = enter_to_write(table, call);
	if (rc == TABLE_OK) {
		rc = table->engine->write_each(table, call, writes, count);
		leave_writers(table, call);
	}
	return leave(table, call, &passage, (uint32_t)count, rc);
}

enum table_rc
table_changes(struct table *table, struct table_call *call, struct str position, uint32_t limit,
    struct change_page *page)
{
	struct passage passage;
	const char *error =
	    limit < 1 || limit > TABLE_CHANGES_MAX ? "the stream gives 1 to 1,000 records" : NULL;
	enum table_rc rc;

	*page = (struct change_page){.next = position};
	rc = enter(table, call, error, &passage);
	if (rc == TABLE_OK)
		rc = table->engine->changes(table, call, position, limit, page);
	return leave(table, call, &passage, 1, rc);
}

enum table_rc
table_walk(struct table *table, struct table_call *call, struct str cursor, uint32_t limit,
    struct walk_page *page)
{
	struct passage passage;
	const char *error =
	    limit < 1 || limit > TABLE_QUERY_MAX ? "a walk's limit is 1 to 1,000" : NULL;
	enum table_rc rc;

	*page = (struct walk_page){.next = STR("")};
	rc = enter(table, call, error, &passage);
	if (rc == TABLE_OK)
		rc = table->engine->walk(table, call, cursor, limit, page);
	return leave(table, call, &passage, 1, rc);
}

enum table_rc
table_hold(struct table *table, struct table_call *call)
{
	enum table_rc rc;

	if (table->engine->hold == NULL || call->hold != NULL)
		return TABLE_OK;
	call->why = NULL;
	rc = table->engine->hold(table, call);
	return told(call, rc);
}

void
table_release(struct table *table, struct table_call *call)
{
	if (call->hold == NULL)
		return;
	table->engine->release(table, call);
	assert(call->hold == NULL);
}

enum table_rc
table_sweep(struct table *table, struct table_call *call, uint32_t limit, uint32_t *removed)
{
	struct passage passage;
	enum table_rc rc;

	*removed = 0;
	if (table->engine->sweep == NULL)
		return TABLE_OK;
	table_release(table, call);
	rc = enter(table, call, NULL, &passage);
	if (rc == TABLE_OK)
		rc = table->engine->sweep(table, call, limit, removed);
	return leave(table, call, &passage, 1, rc);
}

uint64_t
table_version(struct table *table)
{
	return table->engine->version != NULL ? table->engine->version(table) : 0;
}

bool
table_is_seen(const struct table *table, struct key key)
{
	return table->unseen == NULL || !table->unseen(key);
}

void
table_shed(struct table *table)
{
	if (table->engine->shed != NULL)
		table->engine->shed(table);
}

void
table_close(struct table *table)
{
	if (table != NULL)
		table->engine->close(table);
}

enum table_rc
table_get(struct table *table, struct table_call *call, struct key key, struct item **item)
{
	struct read read = {.kind = READ_GET, .key = key};
	enum table_rc rc = table_read(table, call, &read, 1);

	*item = read.item;
	return rc;
}

enum table_rc
table_query(struct table *table, struct table_call *call, const struct query *query,
    struct item **found, size_t *count, struct str *next)
{
	struct read read = {.kind = READ_QUERY, .query = *query};
	enum table_rc rc = table_read(table, call, &read, 1);

	*found = read.found;
	*count = read.found_count;
	*next = read.next;
	return rc;
}

enum table_rc
table_put(struct table *table, struct table_call *call, struct item item)
{
	struct write write = {.kind = WRITE_PUT, .item = item};

	return table_write(table, call, &write);
}

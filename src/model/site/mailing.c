#include "model/site/mailing.h"

#include "base/arena.h"
#include "model/key_subscriber.h"
#include "model/kinds.h"
#include "model/plan.h"

static const char *const whats[] = {"post", "week", NULL};

static const struct binding bindings[] = {
    BIND_STRING(RECORDED, "After", struct mailing, after),
    BIND_TIME(RECORDED, "CreatedAt", struct mailing, made),
    BIND_TIME(RECORDED, "DoneAt", struct mailing, done),
    BIND_NUMBER(RECORDED, "Letters", struct mailing, letters),
    BIND_STRING(RECORDED, "Thing", struct mailing, thing),
    BIND_STRING(RECORDED, "Title", struct mailing, title),
    BIND_CHOICE(RECORDED, "What", struct mailing, what, whats),
};
const struct binding_table mailing_bindings = BINDINGS(bindings);

static const struct binding state[] = {
    BIND_STRING(RECORDED, "Last", struct mailing_state, last),
    BIND_TIME(RECORDED, "WeekAt", struct mailing_state, week),
};
const struct binding_table mailing_state_bindings = BINDINGS(state);

void
mailing_from_item(struct arena *arena, const struct item *item, struct mailing *out)
{
	*out = (struct mailing){.made = 0};
	bind_read(arena, &mailing_bindings, item, out);
}

static enum table_rc
get(struct table *table, struct table_call *call, struct key key, struct item **out)
{
	struct read read = {.kind = READ_GET, .key = key, .consistent = true};
	enum table_rc rc = table_read(table, call, &read, 1);

	*out = read.item;
	return rc;
}

/* An attribute is as it was read; there was no item if `was` is NULL. */
static enum table_rc
put(struct table *table, struct table_call *call, struct item item, struct str name,
    const struct str *was)
{
	const struct condition missing = {.op = COND_MISSING, .name = name};
	const struct condition same = {
	    .op = COND_EQ, .name = name, .value = value_string(was != NULL ? *was : STR(""))};
	struct write write = {.kind = WRITE_PUT, .item = item, .condition = &same};

	if (was == NULL)
		write.condition = &plan_absent;
	else if (was->len == 0)
		write.condition = &missing;
	return table_write(table, call, &write);
}

enum table_rc
mailing_get(struct table *table, struct table_call *call, enum mailing_what what,
    struct str thing, struct mailing *out, bool *there)
{
	struct item *item;
	enum table_rc rc =
	    get(table, call, key_mailing(call->arena, str_of(whats[what]), thing), &item);

	*there = rc == TABLE_OK && item != NULL;
	if (*there)
		mailing_from_item(call->arena, item, out);
	return rc;
}

enum table_rc
mailing_store(struct table *table, struct table_call *call, const struct mailing *was,
    const struct mailing *is)
{
	struct item item = {.count = 0};

	key_set(call->arena, &item, key_mailing(call->arena, str_of(whats[is->what]), is->thing),
	    ITEM_MAILING);
	key_index_mailing(call->arena, &item, is->made, is->thing);
	bind_write(call->arena, &mailing_bindings, is, &item);
	return put(table, call, item, STR("After"), was != NULL ? &was->after : NULL);
}

enum table_rc
mailing_state_get(
    struct table *table, struct table_call *call, struct mailing_state *out, bool *there)
{
	struct item *item;
	enum table_rc rc = get(table, call, key_mailing_state(), &item);

	*out = (struct mailing_state){.week = 0};
	*there = rc == TABLE_OK && item != NULL;
	if (*there)
		bind_read(call->arena, &mailing_state_bindings, item, out);
	return rc;
}

enum table_rc
mailing_state_store(struct table *table, struct table_call *call, const struct mailing_state *was,
    const struct mailing_state *is)
{
	struct item item = {.count = 0};

	key_set(call->arena, &item, key_mailing_state(), ITEM_MAILING_STATE);
	bind_write(call->arena, &mailing_state_bindings, is, &item);
	return put(table, call, item, STR("Last"), was != NULL ? &was->last : NULL);
}

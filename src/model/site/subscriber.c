#include "model/site/subscriber.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key_subscriber.h"
#include "model/kinds.h"
#include "model/people/session.h"

#include <sodium.h>

enum { HASH_BYTES = SUBSCRIBER_HASH_LEN / 2, DAY_SECONDS = 86400 };

static const char *const statuses[] = {"waiting", "confirmed", "gone", NULL};
static const char *const rhythms[] = {"each", "weekly", NULL};

static const struct binding bindings[] = {
    BIND_STRING(RECORDED, "Address", struct subscriber, address),
    BIND_TIME(RECORDED, "ConfirmedAt", struct subscriber, confirmed),
    BIND_TIME(RECORDED, "CreatedAt", struct subscriber, created),
    BIND_TIME(RECORDED, "GoneAt", struct subscriber, gone),
    BIND_CHOICE(RECORDED, "Rhythm", struct subscriber, rhythm, rhythms),
    BIND_CHOICE(RECORDED, "Status", struct subscriber, status, statuses),
    BIND_STRING(SECRET, "Token", struct subscriber, token),
};
const struct binding_table subscriber_bindings = BINDINGS(bindings);

void
subscriber_from_item(struct arena *arena, const struct item *item, struct subscriber *out)
{
	*out = (struct subscriber){.created = 0};
	bind_read(arena, &subscriber_bindings, item, out);
	str_cut(item_key(item).pk, '#', &out->hash);
}

const char *
rhythm_name(enum rhythm rhythm)
{
	return rhythms[rhythm];
}

struct str
subscriber_hash(struct arena *arena, struct str address)
{
	unsigned char hash[HASH_BYTES];
	char *text = arena_alloc(arena, SUBSCRIBER_HASH_LEN + 1);

	crypto_generichash(
	    hash, sizeof(hash), (const unsigned char *)address.base, address.len, NULL, 0);
	sodium_bin2hex(text, SUBSCRIBER_HASH_LEN + 1, hash, sizeof(hash));
	return (struct str){text, SUBSCRIBER_HASH_LEN};
}

/* --- Codes ------------------------------------------------------------------------------------------- */

struct str
subscriber_code(struct arena *arena, const struct subscriber *subscriber)
{
	return STR_CONCAT(arena, subscriber->hash, STR("."), subscriber->token);
}

bool
subscriber_read(struct arena *arena, struct str code, struct read *read)
{
	struct str token, hash = str_cut(code, '.', &token);

	for (size_t i = 0; i < hash.len; i++)
		if (!(hash.base[i] >= '0' && hash.base[i] <= '9') &&
		    !(hash.base[i] >= 'a' && hash.base[i] <= 'f'))
			return false;
	*read = (struct read){
	    .kind = READ_GET, .key = key_subscriber(arena, hash), .consistent = true};
	return hash.len == SUBSCRIBER_HASH_LEN && token.len == SESSION_TOKEN_LEN;
}

bool
subscriber_take(
    struct arena *arena, const struct read *answer, struct str code, struct subscriber *out)
{
	struct str token;

	if (answer->item == NULL)
		return false;
	subscriber_from_item(arena, answer->item, out);
	str_cut(code, '.', &token);
	return out->token.len == token.len && sodium_memcmp(out->token.base, token.base, token.len) == 0;
}

/* --- Changes ----------------------------------------------------------------------------------------- */

static int64_t
expires(const struct subscriber *s)
{
	switch (s->status) {
	case SUBSCRIBER_WAITING: return s->created / 1000 + SUBSCRIBER_WAITS_DAYS * DAY_SECONDS;
	case SUBSCRIBER_GONE: return s->gone / 1000 + SUBSCRIBER_GONE_DAYS * DAY_SECONDS;
	case SUBSCRIBER_CONFIRMED: break;
	}
	return 0;
}

static enum subscriber_list
list_of(const struct subscriber *s)
{
	if (s->status == SUBSCRIBER_CONFIRMED)
		return s->rhythm == RHYTHM_EACH ? SUBSCRIBERS_EACH : SUBSCRIBERS_WEEKLY;
	return s->status == SUBSCRIBER_WAITING ? SUBSCRIBERS_WAITING : SUBSCRIBERS_GONE;
}

static struct item
item_of(struct arena *arena, const struct subscriber *s)
{
	const int64_t times[] = {s->created, s->confirmed, s->gone};
	struct item item = {.count = 0};

	key_set(arena, &item, key_subscriber(arena, s->hash), ITEM_SUBSCRIBER);
	key_index_subscriber(arena, &item, str_of(subscriber_list_name(list_of(s))), times[s->status],
	    s->hash);
	bind_write(arena, &subscriber_bindings, s, &item);
	if (expires(s) != 0)
		item_set(arena, &item, TABLE_EXPIRES, value_number(expires(s)));
	return item;
}

static struct condition
same(struct str name, struct str value)
{
	return (struct condition){COND_EQ, .name = name, .value = value_string(value)};
}

/* As it was read; who was not there may have been one that is over, which is swept later. */
static const struct condition *
as_read(struct arena *arena, const struct subscriber *was)
{
	struct condition *all = ARENA_ARRAY(arena, 4, struct condition);

	if (was == NULL) {
		all[1] = plan_absent;
		all[2] = (struct condition){COND_EXISTS, .name = TABLE_EXPIRES};
		all[0] = (struct condition){COND_ANY, .children = all + 1, .count = 2};
		return all;
	}
	all[1] = same(STR("Token"), was->token);
	all[2] = same(STR("Status"), str_of(statuses[was->status]));
	all[3] = same(STR("Rhythm"), str_of(rhythms[was->rhythm]));
	all[0] = (struct condition){COND_ALL, .children = all + 1, .count = 3};
	return all;
}

/* `was` NULL: there was none. */
static enum plan_rc
replace(struct plan *plan, const struct subscriber *was, const struct subscriber *is)
{
	struct arena *arena = plan->call->arena;
	struct item after = item_of(arena, is), before = {.count = 0};

	if (was != NULL)
		before = item_of(arena, was);
	plan_add(plan,
	    (struct write){.kind = WRITE_PUT, .item = after, .condition = as_read(arena, was)},
	    PLAN_CHANGED);
	plan_recount(plan, was != NULL ? &before : NULL, &after);
	return plan_commit(plan);
}

enum plan_rc
subscriber_ask(
    struct plan *plan, struct str address, enum rhythm rhythm, struct subscriber *out)
{
	struct arena *arena = plan->call->arena;
	struct str hash = subscriber_hash(arena, address);
	struct read read = {
	    .kind = READ_GET, .key = key_subscriber(arena, hash), .consistent = true};
	enum table_rc rc = table_read(plan->table, plan->call, &read, 1);
	struct subscriber was;
	bool waits = false;

	if (rc != TABLE_OK)
		return plan_failed(plan, rc);
	if (read.item != NULL) {
		subscriber_from_item(arena, read.item, &was);
		*out = was;
		if (was.status == SUBSCRIBER_CONFIRMED)
			return PLAN_DONE;
		waits = was.status == SUBSCRIBER_WAITING;
	}
	*out = (struct subscriber){.hash = hash,
	    .address = address,
	    .token = waits ? was.token : session_token(arena, plan->clock),
	    .status = SUBSCRIBER_WAITING,
	    .rhythm = rhythm,
	    .created = plan->now};
	return replace(plan, read.item != NULL ? &was : NULL, out);
}

enum plan_rc
subscriber_confirm(struct plan *plan, const struct subscriber *was)
{
	struct subscriber is = *was;

	if (was->status == SUBSCRIBER_CONFIRMED)
		return PLAN_DONE;
	if (was->status == SUBSCRIBER_GONE)
		return PLAN_NOT_THERE;
	is.status = SUBSCRIBER_CONFIRMED;
	is.confirmed = plan->now;
	return replace(plan, was, &is);
}

enum plan_rc
subscriber_set_rhythm(struct plan *plan, const struct subscriber *was, enum rhythm rhythm)
{
	struct subscriber is = *was;

	if (was->status != SUBSCRIBER_CONFIRMED)
		return PLAN_NOT_THERE;
	if (was->rhythm == rhythm)
		return PLAN_DONE;
	is.rhythm = rhythm;
	return replace(plan, was, &is);
}

enum plan_rc
subscriber_end(struct plan *plan, const struct subscriber *was)
{
	struct subscriber is = *was;

	if (was->status == SUBSCRIBER_GONE)
		return PLAN_DONE;
	is.status = SUBSCRIBER_GONE;
	is.gone = plan->now;
	is.address = STR("");
	return replace(plan, was, &is);
}

/* --- Numbers and lists ------------------------------------------------------------------------------- */

void
subscriber_counts_from_item(const struct item *item, struct subscriber_counts *out)
{
	*out = (struct subscriber_counts){.each = 0};
	if (item == NULL)
		return;
	out->each = item_number(item, STR("Each"));
	out->weekly = item_number(item, STR("Weekly"));
}

const char *
subscriber_list_name(enum subscriber_list list)
{
	static const char *const names[SUBSCRIBER_LISTS] = {"each", "weekly", "waiting", "gone"};

	return names[list];
}

struct query
subscribers_in(struct arena *arena, enum subscriber_list list)
{
	return query_subscribers(arena, str_of(subscriber_list_name(list)));
}

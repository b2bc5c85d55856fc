#include "model/site/outbox.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/key_outbox.h"
#include "model/kinds.h"
#include "model/plan.h"

#include <assert.h>
#include <sodium.h>

static const char *const statuses[] = {
    "waiting", "handed", "sent", "refused", "unsure", "dropped", NULL};

static const struct binding bindings[] = {
    BIND_TIME(RECORDED, "CreatedAt", struct letter, made),
    BIND_TIME(RECORDED, "DueAt", struct letter, due),
    BIND_TIME(RECORDED, "HandedAt", struct letter, handed),
    BIND_CHOICE(RECORDED, "Status", struct letter, status, statuses),
    BIND_STRING(RECORDED, "Thing", struct letter, thing),
    BIND_STRING(RECORDED, "To", struct letter, to),
    BIND_NUMBER(RECORDED, "Tries", struct letter, tries),
    BIND_STRING(RECORDED, "What", struct letter, what),
    BIND_STRING(RECORDED, "Why", struct letter, why),
};
const struct binding_table letter_bindings = BINDINGS(bindings);

static const struct binding sender[] = {
    BIND_TIME(RECORDED, "DownSince", struct sender_state, down_since),
    BIND_NUMBER(RECORDED, "Refused", struct sender_state, refused),
    BIND_NUMBER(RECORDED, "Sent", struct sender_state, sent),
    BIND_TIME(RECORDED, "StoredAt", struct sender_state, stored),
    BIND_NUMBER(RECORDED, "Unsure", struct sender_state, unsure),
    BIND_STRING(RECORDED, "Why", struct sender_state, why),
};
const struct binding_table sender_state_bindings = BINDINGS(sender);

static struct key
key_of(struct arena *arena, const struct letter *letter)
{
	return key_letter(arena, letter->to, letter->what, letter->thing);
}

static int64_t
due_of(const struct letter *letter)
{
	return letter->due != 0 ? letter->due : letter->made;
}

int64_t
letter_until(const struct letter *letter)
{
	return letter->made + LETTER_WAITS_MS;
}

struct str
letter_id(struct arena *arena, const struct letter *letter)
{
	struct key key = key_of(arena, letter);
	struct str both = STR_CONCAT(arena, key.pk, STR("\n"), key.sk);
	unsigned char hash[16];
	char *hex = arena_alloc(arena, 2 * sizeof(hash) + 1);

	crypto_generichash(
	    hash, sizeof(hash), (const unsigned char *)both.base, both.len, NULL, 0);
	sodium_bin2hex(hex, 2 * sizeof(hash) + 1, hash, sizeof(hash));
	return (struct str){hex, 2 * sizeof(hash)};
}

/* --- Adding ------------------------------------------------------------------------------------------ */

static struct item
item_of(struct arena *arena, const struct letter *letter)
{
	struct letter first = *letter;
	struct item item = {0};
	struct key key = key_of(arena, letter), place;

	assert(memchr(letter->to.base, '#', letter->to.len) == NULL && letter->thing.len != 0);
	first.due = due_of(letter);
	key_set(arena, &item, key, ITEM_LETTER);
	place = key_outbox(arena, first.due, key);
	item_set(arena, &item, table_pk_name(TABLE_GSI3), value_string(place.pk));
	item_set(arena, &item, table_sk_name(TABLE_GSI3), value_string(place.sk));
	bind_write(arena, &letter_bindings, &first, &item);
	/* One that nobody sends, as where there is no mail server, goes by itself. */
	item_set(arena, &item, TABLE_EXPIRES,
	    value_number(letter_until(&first) / 1000 +
			 (letter->status != LETTER_WAITING ? LETTER_KEPT_S : 0)));
	return item;
}

/* At most LETTERS_AT_ONCE. */
static enum table_rc
add_some(struct table *table, struct table_call *call, const struct letter *const *letters,
    size_t count, bool check, size_t *added)
{
	struct key keys[LETTERS_AT_ONCE];
	struct write writes[LETTERS_AT_ONCE];
	struct read read = {
	    .kind = READ_BATCH, .consistent = true, .batch = {.keys = keys, .count = count}};
	size_t missing = 0;
	enum table_rc rc;

	for (size_t i = 0; i < count; i++)
		keys[i] = key_of(call->arena, letters[i]);
	rc = table_read(table, call, &read, 1);
	for (size_t i = 0; rc == TABLE_OK && i < count; i++)
		if (read.items[i] == NULL)
			writes[missing++] = (struct write){.kind = WRITE_PUT,
			    .item = item_of(call->arena, letters[i]),
			    .condition = &plan_absent};
	if (rc != TABLE_OK || missing == 0)
		return rc;
	if (!check)
		rc = missing == 1 ? table_write(table, call, writes)
				  : table_transact(table, call, writes, missing, STR(""));
	*added += rc == TABLE_OK ? missing : 0;
	return rc;
}

enum table_rc
outbox_add(struct table *table, struct table_call *call, const struct letter *letters, size_t count,
    int64_t now, bool check, size_t *added)
{
	const struct letter *some[LETTERS_AT_ONCE];
	size_t some_count = 0;
	enum table_rc rc = TABLE_OK;

	*added = 0;
	for (size_t i = 0; rc == TABLE_OK && i < count; i++) {
		if (now < letter_until(&letters[i]))
			some[some_count++] = &letters[i];
		if (some_count == 0 || (some_count < LETTERS_AT_ONCE && i + 1 < count))
			continue;
		rc = add_some(table, call, some, some_count, check, added);
		some_count = 0;
	}
	return rc;
}

/* --- Sending ----------------------------------------------------------------------------------------- */

static enum table_rc
letters_of(struct table *table, struct table_call *call, struct query query, uint32_t limit,
    struct letter **out, size_t *count)
{
	struct item *found;
	struct str next;
	enum table_rc rc;

	query.limit = limit;
	rc = table_query(table, call, &query, &found, count, &next);
	if (rc != TABLE_OK)
		return rc;
	*out = ARENA_ARRAY(call->arena, *count, struct letter);
	for (size_t i = 0; i < *count; i++)
		bind_read(call->arena, &letter_bindings, &found[i], &(*out)[i]);
	return TABLE_OK;
}

enum table_rc
outbox_due(struct table *table, struct table_call *call, int64_t now, uint32_t limit,
    struct letter **out, size_t *count)
{
	return letters_of(table, call, query_outbox_due(call->arena, now), limit, out, count);
}

enum table_rc
outbox_of(struct table *table, struct table_call *call, struct str to, struct str what,
    struct str thing, uint32_t limit, struct letter **out, size_t *count)
{
	struct query query = query_letters(call->arena, to, what, thing);

	query.consistent = true;
	return letters_of(table, call, query, limit, out, count);
}

/* Its status and its tries are as they were read: each step changes one of them. */
static const struct condition *
as_read(struct arena *arena, const struct letter *letter)
{
	struct condition *all = ARENA_ARRAY(arena, 3, struct condition);

	all[0] = (struct condition){.op = COND_ALL, .children = all + 1, .count = 2};
	all[1] = (struct condition){COND_EQ, .name = STR("Status"),
	    .value = value_string(str_of(statuses[letter->status]))};
	all[2] = (struct condition){
	    COND_EQ, .name = STR("Tries"), .value = value_number(letter->tries)};
	return all;
}

static struct item
whole(struct arena *arena, const struct letter *letter)
{
	struct item item = item_of(arena, letter);

	if (letter->status == LETTER_WAITING || letter->status == LETTER_HANDED)
		return item;
	item_remove(&item, table_pk_name(TABLE_GSI3));
	item_remove(&item, table_sk_name(TABLE_GSI3));
	return item;
}

enum table_rc
outbox_move(struct table *table, struct table_call *call, struct letter *letters, size_t count,
    const struct letter_step *step, int64_t now)
{
	struct write *writes = ARENA_ARRAY(call->arena, count, struct write);
	struct letter *after = ARENA_ARRAY(call->arena, count, struct letter);
	enum table_rc rc;

	assert(count > 0 && count <= LETTERS_AT_ONCE);
	for (size_t i = 0; i < count; i++) {
		after[i] = letters[i];
		after[i].status = step->status;
		after[i].tries += step->tries;
		after[i].why = step->why;
		if (step->status == LETTER_WAITING)
			after[i].due = step->due;
		if (step->status == LETTER_HANDED) {
			after[i].handed = now;
			after[i].due = now + LETTER_ANSWER_MS;
		}
		writes[i] = (struct write){.kind = WRITE_PUT,
		    .item = whole(call->arena, &after[i]),
		    .condition = as_read(call->arena, &letters[i])};
	}
	rc = count == 1 ? table_write(table, call, writes)
			: table_transact(table, call, writes, count, STR(""));
	if (rc == TABLE_OK)
		memcpy(letters, after, count * sizeof(*letters));
	return rc;
}

/* --- The sender's state ------------------------------------------------------------------------------ */

enum table_rc
sender_state_store(
    struct table *table, struct table_call *call, const struct sender_state *state)
{
	struct item item = {0};

	key_set(call->arena, &item, key_sender_state(), ITEM_SENDER_STATE);
	bind_write(call->arena, &sender_state_bindings, state, &item);
	return table_put(table, call, item);
}

#include "model/secret.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"

#include <string.h>

static enum table_rc
take(const struct item *item, unsigned char secret[SECRET_BYTES])
{
	const struct value *key = item_get(item, STR("Key"));

	if (key == NULL || key->kind != VALUE_BINARY || key->string.len != SECRET_BYTES)
		return TABLE_CORRUPT;
	memcpy(secret, key->string.base, SECRET_BYTES);
	return TABLE_OK;
}

enum table_rc
secret_get(struct table *table, struct table_call *call, struct clock *clock,
    unsigned char secret[SECRET_BYTES], bool *made)
{
	static const struct condition absent = {.op = COND_MISSING, .name = STR_INIT("PK")};
	struct write put = {.kind = WRITE_PUT, .condition = &absent};
	const struct key key = key_site_secret();
	struct item *item;
	struct str bytes;
	enum table_rc rc;

	if (made != NULL)
		*made = false;
	rc = table_get(table, call, key, &item);
	if (rc != TABLE_OK || item != NULL)
		return rc == TABLE_OK ? take(item, secret) : rc;
	clock->random(clock, secret, SECRET_BYTES);
	bytes = (struct str){arena_copy(call->arena, secret, SECRET_BYTES), SECRET_BYTES};
	item_set(call->arena, &put.item, STR("PK"), value_string(key.pk));
	item_set(call->arena, &put.item, STR("SK"), value_string(key.sk));
	item_set(call->arena, &put.item, STR("Type"), value_string(STR("Secret")));
	item_set(call->arena, &put.item, STR("Key"), value_binary(bytes));
	rc = table_write(table, call, &put);
	if (rc == TABLE_CONDITION)
		return put.failed != NULL ? take(put.failed, secret) : TABLE_CONFLICT;
	if (rc == TABLE_OK && made != NULL)
		*made = true;
	return rc;
}

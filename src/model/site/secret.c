#include "model/site/secret.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/people/two_step.h"
#include "table/retry.h"

#include <sodium.h>
#include <string.h>

enum { PEOPLE_AT_ONCE = 200 };

/* --- Keys ------------------------------------------------------------------------------------------- */

static void
derive(const unsigned char key[SECRET_BYTES], const char *purpose, unsigned char *out, size_t bytes)
{
	crypto_generichash(
	    out, bytes, (const unsigned char *)purpose, strlen(purpose), key, SECRET_BYTES);
}

struct str
secret_id(struct arena *arena, const unsigned char key[SECRET_BYTES])
{
	unsigned char hash[16];
	char *text = arena_alloc(arena, SECRET_ID_LEN + 1);

	derive(key, "id", hash, sizeof(hash));
	sodium_bin2hex(text, SECRET_ID_LEN + 1, hash, SECRET_ID_LEN / 2);
	return (struct str){text, SECRET_ID_LEN};
}

bool
secrets_have(struct arena *arena, const struct secrets *secrets, struct str id)
{
	for (size_t i = 0; i < secrets->count; i++)
		if (str_eq(secret_id(arena, secrets->keys[i]), id))
			return true;
	return false;
}

static bool
has(const struct secrets *secrets, const unsigned char key[SECRET_BYTES])
{
	for (size_t i = 0; i < secrets->count; i++)
		if (sodium_memcmp(secrets->keys[i], key, SECRET_BYTES) == 0)
			return true;
	return false;
}

/* Inserts a key; when full, the oldest is dropped. The prepared key stays the last. */
static void
insert(struct secrets *secrets, size_t at, const unsigned char key[SECRET_BYTES])
{
	size_t in_use = secrets->count - secrets->prepared;

	if (in_use == SECRETS_MAX) {
		memmove(secrets->keys[in_use - 1], secrets->keys[in_use],
		    (secrets->count - in_use) * SECRET_BYTES);
		secrets->count--;
		at = at < SECRETS_MAX ? at : SECRETS_MAX - 1;
	}
	memmove(secrets->keys[at + 1], secrets->keys[at], (secrets->count - at) * SECRET_BYTES);
	memcpy(secrets->keys[at], key, SECRET_BYTES);
	secrets->count++;
}

void
secrets_add_newest(struct secrets *secrets, const unsigned char key[SECRET_BYTES])
{
	if (!has(secrets, key))
		insert(secrets, 0, key);
}

void
secrets_add_old(struct secrets *secrets, const unsigned char key[SECRET_BYTES])
{
	if (!has(secrets, key))
		insert(secrets, secrets->count - secrets->prepared, key);
}

void
secrets_derive(const struct secrets *secrets, const char *purpose, struct secret_keys *out)
{
	out->count = secrets->count != 0 ? secrets->count : 1;
	for (size_t i = 0; i < out->count; i++)
		derive(secrets->keys[i], purpose, out->keys[i], SECRET_BYTES);
}

/* --- The mark --------------------------------------------------------------------------------------- */

enum table_rc
secret_mark_get(struct table *table, struct table_call *call, struct secret_mark *mark)
{
	struct item *item;
	const struct value *key;
	enum table_rc rc = table_get(table, call, key_site_secret(), &item);

	*mark = (struct secret_mark){.id = STR("")};
	if (rc != TABLE_OK || item == NULL)
		return rc;
	mark->id = item_string(item, STR("KeyId"));
	key = item_get(item, STR("Key"));
	if (key != NULL && (key->kind != VALUE_BINARY || key->string.len != SECRET_BYTES))
		return TABLE_CORRUPT;
	if (key != NULL)
		mark->key = key->string;
	return TABLE_OK;
}

/* It is unchanged. */
static void
still(struct condition out[2], const struct secret_mark *was)
{
	out[0] = (struct condition){.op = was->id.len != 0 ? COND_EQ : COND_MISSING,
	    .name = STR("KeyId"),
	    .value = value_string(was->id)};
	out[1] = (struct condition){.op = was->key.len != 0 ? COND_EQ : COND_MISSING,
	    .name = STR("Key"),
	    .value = value_binary(was->key)};
}

enum table_rc
secret_mark_put(struct table *table, struct table_call *call, const struct secret_mark *was,
    const struct secret_mark *next)
{
	struct condition each[2];
	const struct condition all = {.op = COND_ALL, .children = each, .count = 2};
	struct write put = {.kind = WRITE_PUT, .condition = &all};

	still(each, was);
	key_set(call->arena, &put.item, key_site_secret(), ITEM_SECRET);
	item_set(call->arena, &put.item, STR("KeyId"), value_string(next->id));
	if (next->key.len != 0)
		item_set(call->arena, &put.item, STR("Key"), value_binary(next->key));
	return table_write(table, call, &put);
}

/* --- Sealing anew ----------------------------------------------------------------------------- */

static void
note_lost(struct sealing *done, struct str username)
{
	done->lost = arena_grow(done->arena, done->lost, done->lost_count * sizeof(*done->lost),
	    (done->lost_count + 1) * sizeof(*done->lost));
	done->lost[done->lost_count++] = str_dup(done->arena, username);
}

/* Seals one person's anew. Somebody who changes theirs meanwhile uses the newest key. */
static enum table_rc
seal_one(struct table *table, struct table_call *call, struct clock *clock,
    const struct secret_keys *keys, bool look, const struct item *person, struct sealing *done)
{
	const struct value *sealed = item_get(person, STR("SecondKey"));
	struct str name = item_string(person, STR("Username")), text;
	struct write write;
	enum table_rc rc;
	size_t by;

	if (sealed == NULL || sealed->kind != VALUE_BINARY)
		return TABLE_OK;
	if (!sealed_open_any(call->arena, keys, name, sealed->string, &text, &by)) {
		note_lost(done, name);
		return TABLE_OK;
	}
	if (by == 0 || look) {
		done->already += by == 0;
		done->anew += by != 0;
		return TABLE_OK;
	}
	write = two_step_seal_anew(call->arena, clock, keys, name, sealed->string, text);
	rc = table_write(table, call, &write);
	done->anew += rc == TABLE_OK;
	return rc == TABLE_CONDITION ? TABLE_OK : rc;
}

enum table_rc
secret_seal_anew(struct table *table, struct clock *clock, const struct secrets *secrets, bool look,
    struct sealing *done)
{
	struct query query = query_users();
	struct retry retry = {0};
	struct secret_keys keys;
	enum table_rc rc;

	*done = (struct sealing){.arena = done->arena};
	secrets_derive(secrets, TWO_STEP_KEY, &keys);
	query.limit = PEOPLE_AT_ONCE;
	do {
		const struct sealing before = *done;
		struct arena *arena = arena_new();
		struct table_call call = {.arena = arena};
		struct str next = STR("");
		struct item *found;
		size_t count = 0;

		rc = table_query(table, &call, &query, &found, &count, &next);
		for (size_t i = 0; rc == TABLE_OK && i < count; i++)
			rc = seal_one(table, &call, clock, &keys, look, &found[i], done);
		/* A page that failed is repeated, and counted then. */
		if (rc == TABLE_OK)
			query.cursor = str_dup(done->arena, next);
		else
			*done = before;
		table_release(table, &call);
		arena_free(arena);
	} while (rc == TABLE_OK ? query.cursor.len != 0 : retry_again(&retry, rc));
	sodium_memzero(&keys, sizeof(keys));
	return rc;
}

/* --- Sealing and opening ----------------------------------------------------------------------- */

/* nonce | ciphertext and tag */
enum {
	NONCE = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES,
	TAG = crypto_aead_xchacha20poly1305_ietf_ABYTES,
};
_Static_assert((int)SECRET_BYTES == (int)SEALED_KEY_BYTES, "what derives from a secret is a key");
_Static_assert(crypto_aead_xchacha20poly1305_ietf_KEYBYTES == SEALED_KEY_BYTES, "a key's size");

static const unsigned char *
bytes(struct str s)
{
	return (const unsigned char *)s.base;
}

struct str
sealed_make(struct arena *arena, struct clock *clock, const unsigned char key[SEALED_KEY_BYTES],
    struct str bound, struct str text)
{
	unsigned char *out = arena_alloc(arena, NONCE + text.len + TAG);

	clock->random(clock, out, NONCE);
	crypto_aead_xchacha20poly1305_ietf_encrypt(
	    out + NONCE, NULL, bytes(text), text.len, bytes(bound), bound.len, NULL, out, key);
	return (struct str){(const char *)out, NONCE + text.len + TAG};
}

bool
sealed_open(struct arena *arena, const unsigned char key[SEALED_KEY_BYTES], struct str bound,
    struct str sealed, struct str *text)
{
	unsigned char *out;

	if (sealed.len < NONCE + TAG)
		return false;
	out = arena_alloc(arena, sealed.len - NONCE - TAG);
	if (crypto_aead_xchacha20poly1305_ietf_decrypt(out, NULL, NULL, bytes(sealed) + NONCE,
		sealed.len - NONCE, bytes(bound), bound.len, bytes(sealed), key) != 0)
		return false;
	*text = (struct str){(const char *)out, sealed.len - NONCE - TAG};
	return true;
}

bool
sealed_open_any(struct arena *arena, const struct secret_keys *keys, struct str bound,
    struct str sealed, struct str *text, size_t *by)
{
	for (size_t i = 0; i < keys->count; i++) {
		if (!sealed_open(arena, keys->keys[i], bound, sealed, text))
			continue;
		if (by != NULL)
			*by = i;
		return true;
	}
	return false;
}

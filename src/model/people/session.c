#include "model/people/session.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/people/user.h"

#include <sodium.h>

enum { HASH_BYTES = SESSION_HASH_LEN / 2, VARIANT = sodium_base64_VARIANT_URLSAFE_NO_PADDING };

static const struct binding bindings[] = {
    BIND_STRING(RECORDED, "Agent", struct session, agent),
    BIND_TIME(RECORDED, "CreatedAt", struct session, created),
    BIND_NUMBER(SECRET, "Era", struct session, era),
    BIND_STRING(RECORDED, "Role", struct session, role),
    BIND_TIME(RECORDED, "UsedAt", struct session, used),
    BIND_STRING(RECORDED, "Username", struct session, username),
};
const struct binding_table session_bindings = BINDINGS(bindings);

struct str
session_token(struct arena *arena, struct clock *clock)
{
	unsigned char bytes[SESSION_TOKEN_BYTES];
	char *text = arena_alloc(arena, SESSION_TOKEN_LEN + 1);

	clock->random(clock, bytes, sizeof(bytes));
	sodium_bin2base64(text, SESSION_TOKEN_LEN + 1, bytes, sizeof(bytes), VARIANT);
	sodium_memzero(bytes, sizeof(bytes));
	return (struct str){text, SESSION_TOKEN_LEN};
}

struct str
session_hash(struct arena *arena, struct str token)
{
	unsigned char hash[HASH_BYTES];
	char *text = arena_alloc(arena, SESSION_HASH_LEN + 1);

	/* A token is random throughout: a fast hash without a salt is enough. */
	crypto_generichash(
	    hash, sizeof(hash), (const unsigned char *)token.base, token.len, NULL, 0);
	sodium_bin2hex(text, SESSION_HASH_LEN + 1, hash, sizeof(hash));
	return (struct str){text, SESSION_HASH_LEN};
}

bool
session_token_parts(struct str pass, struct str *username, struct str *token)
{
	*username = str_cut(pass, '.', token);
	if (!username_valid(*username) || token->len != SESSION_TOKEN_LEN)
		return false;
	for (size_t i = 0; i < token->len; i++) {
		char c = token->base[i];

		if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9') &&
		    c != '-' && c != '_')
			return false;
	}
	return true;
}

void
session_from_item(struct arena *arena, const struct item *item, struct session *out)
{
	*out = (struct session){.era = 0};
	bind_read(arena, &session_bindings, item, out);
	str_cut(item_key(item).pk, '#', &out->hash);
}

bool
session_good(const struct session *session, const struct user *user, int64_t now)
{
	return str_eq(session->username, user->username) && user->status == USER_ACTIVE &&
	       session->era == user->era && now - session->created < SESSION_AGE_MS &&
	       now - session->used < SESSION_IDLE_MS;
}

bool
session_outdated(const struct session *session, const struct user *user)
{
	return !str_eq(session->role, str_of(role_name(user->role)));
}

bool
session_stale(const struct session *session, int64_t now)
{
	return now - session->used >= SESSION_TOUCH_MS;
}

/* When it expires if it is not used again: in seconds, rounded up. */
static int64_t
expires(int64_t created, int64_t used)
{
	int64_t age = created + SESSION_AGE_MS, idle = used + SESSION_IDLE_MS;

	return ((age < idle ? age : idle) + 999) / 1000;
}

struct write
session_put(struct arena *arena, const struct session *session)
{
	struct write put = {.kind = WRITE_PUT};

	key_set(arena, &put.item, key_session(arena, session->hash), ITEM_SESSION);
	item_set(arena, &put.item, TABLE_EXPIRES,
	    value_number(expires(session->created, session->used)));
	key_index_session(arena, &put.item, session->username, session->created, session->hash);
	bind_write(arena, &session_bindings, session, &put.item);
	return put;
}

static const struct condition *
is_of(struct arena *arena, struct str username)
{
	struct condition *condition = ARENA_NEW(arena, struct condition);

	*condition = (struct condition){
	    .op = COND_EQ, .name = STR("Username"), .value = value_string(username)};
	return condition;
}

struct write
session_delete(struct arena *arena, struct str hash, struct str username)
{
	return (struct write){.kind = WRITE_DELETE,
	    .key = key_session(arena, hash),
	    .condition = is_of(arena, username)};
}

struct write
session_touch(struct arena *arena, const struct session *session, int64_t now)
{
	struct change *changes = ARENA_ARRAY(arena, 2, struct change);

	changes[0] =
	    (struct change){CHANGE_SET, STR("UsedAt"), value_string(time_format(arena, now))};
	changes[1] = (struct change){
	    CHANGE_SET, TABLE_EXPIRES, value_number(expires(session->created, now))};
	/* The condition keeps an ended session from being created again. */
	return (struct write){.kind = WRITE_UPDATE,
	    .key = key_session(arena, session->hash),
	    .changes = changes,
	    .change_count = 2,
	    .condition = is_of(arena, session->username)};
}

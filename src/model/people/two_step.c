#include "model/people/two_step.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "model/people/account_private.h"
#include "model/key.h"
#include "model/site/secret.h"
#include "model/people/totp.h"

#include <sodium.h>

enum { HASH_BYTES = 16 };

/* The form of a code that is hashed, however it was typed. */
static struct str
normal(struct arena *arena, struct str typed)
{
	struct str code = str_lower(arena, typed);
	struct buf out = {.arena = arena};

	for (size_t i = 0; i < code.len; i++)
		if (code.base[i] != '-' && code.base[i] != ' ')
			buf_putc(&out, code.base[i]);
	return buf_str(&out);
}

static enum password_rc
slow_hash(struct password_limiter *limiter, struct arena *arena, struct str salt, struct str typed,
    struct str *out)
{
	return password_stretch(
	    limiter, arena, normal(arena, typed), (const unsigned char *)salt.base, out);
}

enum password_rc
two_step_codes(struct password_limiter *limiter, struct arena *arena, struct clock *clock,
    struct recovery *out)
{
	char *salt = arena_alloc(arena, PASSWORD_SALT_BYTES);
	enum password_rc rc = PASSWORD_RIGHT;

	clock->random(clock, salt, PASSWORD_SALT_BYTES);
	out->salt = (struct str){salt, PASSWORD_SALT_BYTES};
	for (size_t i = 0; i < RECOVERY_CODES && rc == PASSWORD_RIGHT; i++) {
		out->codes[i] = password_make(arena, clock);
		rc = slow_hash(limiter, arena, out->salt, out->codes[i], &out->hashes[i]);
	}
	return rc;
}

/* The hash of codes made before there was a salt. */
static struct str
fast_hash(struct arena *arena, struct str username, struct str typed)
{
	struct str code = normal(arena, typed);
	unsigned char hash[HASH_BYTES];
	char *text = arena_alloc(arena, 2 * HASH_BYTES + 1);
	crypto_generichash_state state;

	crypto_generichash_init(&state, NULL, 0, HASH_BYTES);
	crypto_generichash_update(&state, (const unsigned char *)username.base, username.len);
	crypto_generichash_update(&state, (const unsigned char *)code.base, code.len);
	crypto_generichash_final(&state, hash, HASH_BYTES);
	sodium_bin2hex(text, 2 * HASH_BYTES + 1, hash, HASH_BYTES);
	return (struct str){text, 2 * HASH_BYTES};
}

enum plan_rc
two_step_set(struct plan *plan, struct clock *clock, const unsigned char key[SEALED_KEY_BYTES],
    const struct user *user, struct str secret, int64_t step, const struct recovery *recovery,
    struct session *session)
{
	struct edit *edit = edit_begin(plan);

	edit_change(edit, CHANGE_SET, STR("RecoveryCodes"),
	    value_set(edit->arena, recovery->hashes, RECOVERY_CODES));
	edit_change(edit, CHANGE_SET, STR("RecoverySalt"), value_binary(recovery->salt));
	if (secret.len != 0) {
		edit_change(edit, CHANGE_SET, STR("SecondKey"),
		    value_binary(sealed_make(edit->arena, clock, key, user->username, secret)));
		edit_change(edit, CHANGE_SET, STR("SecondLast"), value_number(step));
	}
	edit_only(edit, (struct condition){.op = secret.len != 0 ? COND_MISSING : COND_EXISTS,
			    .name = STR("SecondKey")});
	if (secret.len != 0)
		return edit_next_era(edit, user, session, AUDIT_USER_SESSIONS);
	edit_only_in_era(edit, user->era);
	edit_end(edit, user->username);
	return plan_commit(plan);
}

enum plan_rc
two_step_off(struct plan *plan, const struct user *user)
{
	struct edit *edit = edit_begin(plan);

	edit_change(edit, CHANGE_REMOVE, STR("SecondKey"), value_null());
	edit_change(edit, CHANGE_REMOVE, STR("SecondLast"), value_null());
	edit_change(edit, CHANGE_REMOVE, STR("RecoveryCodes"), value_null());
	edit_change(edit, CHANGE_REMOVE, STR("RecoverySalt"), value_null());
	edit_only_in_era(edit, user->era);
	edit_end(edit, user->username);
	audit_log(plan, AUDIT_USER_TWO_STEP, user->username, STR("off"));
	return plan_commit(plan);
}

/* Marks the code's step as used; the condition lets only one of two do so. */
static void
use_step(struct edit *edit, int64_t step)
{
	struct condition *either = ARENA_ARRAY(edit->arena, 2, struct condition);

	either[0] = (struct condition){.op = COND_MISSING, .name = STR("SecondLast")};
	either[1] = (struct condition){
	    .op = COND_LT, .name = STR("SecondLast"), .value = value_number(step)};
	edit_change(edit, CHANGE_SET, STR("SecondLast"), value_number(step));
	edit_only(edit, (struct condition){.op = COND_ANY, .children = either, .count = 2});
}

static void
use_recovery(struct edit *edit, struct str hash)
{
	edit_change(edit, CHANGE_SET_DELETE, STR("RecoveryCodes"),
	    value_set(edit->arena, arena_copy(edit->arena, &hash, sizeof(hash)), 1));
	edit_only(edit,
	    (struct condition){
		.op = COND_CONTAINS, .name = STR("RecoveryCodes"), .value = value_string(hash)});
}

static bool
has_recovery(const struct two_step *two_step, struct str hash)
{
	for (size_t i = 0; i < two_step->codes_left; i++)
		if (str_eq(two_step->codes[i], hash))
			return true;
	return false;
}

bool
two_step_is_recovery(struct str typed)
{
	size_t count = 0;

	for (size_t i = 0; i < typed.len; i++)
		count += typed.base[i] != '-' && typed.base[i] != ' ';
	return count > TOTP_DIGITS;
}

/* The hash of a recovery code, if it is one. */
static enum password_rc
recovery_hash(struct password_limiter *limiter, struct arena *arena, const struct account *account,
    struct str typed, struct str *out)
{
	/* matches no hash */
	*out = STR("-");
	if (!two_step_is_recovery(typed))
		return PASSWORD_WRONG;
	if (account->two_step.salt.len == PASSWORD_SALT_BYTES)
		return slow_hash(limiter, arena, account->two_step.salt, typed, out);
	*out = fast_hash(arena, account->user.username, typed);
	return PASSWORD_RIGHT;
}

enum password_rc
two_step_use(struct plan *plan, struct password_limiter *limiter, const struct secret_keys *keys,
    const struct account *account, struct str typed)
{
	const struct user *user = &account->user;
	struct edit *edit = edit_begin(plan);
	struct str secret, hash;
	int64_t step;

	if (!sealed_open_any(
		edit->arena, keys, user->username, account->two_step.key, &secret, NULL))
		secret = STR("");
	step = totp_match(secret, typed, plan->now, account->two_step.last);
	if (step == 0 &&
	    recovery_hash(limiter, edit->arena, account, typed, &hash) == PASSWORD_BUSY)
		return PASSWORD_BUSY;
	if (step != 0)
		use_step(edit, step);
	else
		use_recovery(edit, hash);
	edit_only_if(edit, STR("SecondKey"), value_binary(account->two_step.key));
	edit_end(edit, user->username);
	return step != 0 || has_recovery(&account->two_step, hash) ? PASSWORD_RIGHT
								   : PASSWORD_WRONG;
}

bool
two_step_opens(struct arena *arena, const struct secret_keys *keys, const struct account *account)
{
	struct str secret;

	return sealed_open_any(
	    arena, keys, account->user.username, account->two_step.key, &secret, NULL);
}

struct write
two_step_seal_anew(struct arena *arena, struct clock *clock, const struct secret_keys *keys,
    struct str username, struct str sealed, struct str secret)
{
	struct change *change = ARENA_NEW(arena, struct change);
	struct condition *still = ARENA_NEW(arena, struct condition);

	*change = (struct change){CHANGE_SET, STR("SecondKey"),
	    value_binary(sealed_make(arena, clock, keys->keys[0], username, secret))};
	*still = (struct condition){
	    .op = COND_EQ, .name = STR("SecondKey"), .value = value_binary(sealed)};
	return (struct write){.kind = WRITE_UPDATE,
	    .key = key_user(arena, username),
	    .changes = change,
	    .change_count = 1,
	    .condition = still};
}

/*
 * The site's secret: it is in a file, and the table alone opens nothing. An older table gives its
 * key away; a missing or different file is noticed; a new key seals anew; and running processes
 * notice it.
 */
#include "lib/store.h"
#include "lib/tap.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "model/key.h"
#include "model/people/totp.h"
#include "model/people/two_step.h"
#include "model/site/secret.h"
#include "server/secret.h"

#include <fcntl.h>
#include <sodium.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PEOPLE = 3 };
static const int64_t NOW = INT64_C(1794994200000);
static const struct log quiet = {.fd = -1, .level = LOG_ERROR};
static const char *const names[PEOPLE] = {"noor", "kofi", "marta"};

struct place {
	struct arena *arena;
	struct clock clock;
	struct test_store store;
	struct table *table;
	struct config config;
	const char *path;
	struct str totp;
};

static struct table_call
call_of(struct place *p)
{
	return (struct table_call){.arena = p->arena};
}

/* What a start finds; why is empty on success. */
static struct str
start(struct place *p, bool may_make, struct secrets *out)
{
	struct str why = STR("");
	bool done =
	    secrets_open(&p->config, may_make, p->table, &p->clock, p->arena, &quiet, out, &why);

	if (done != (why.len == 0))
		bail_out("a start that fails says why");
	return why;
}

static bool
says(struct str why, const char *what)
{
	return memmem(why.base, why.len, what, strlen(what)) != NULL;
}

static struct account
found(struct place *p, const char *name)
{
	struct table_call call = call_of(p);
	struct plan plan = {.table = p->table, .call = &call, .now = NOW};
	struct account account;

	if (account_find(&plan, str_of(name), &account) != PLAN_DONE)
		bail_out("%s is not there", name);
	return account;
}

/* Which of the keys opens somebody's second step, or -1. */
static int64_t
opened_by(struct place *p, const struct secrets *secrets, const char *name)
{
	struct account account = found(p, name);
	struct secret_keys keys;
	struct str text;
	size_t by;

	secrets_derive(secrets, TWO_STEP_KEY, &keys);
	return sealed_open_any(p->arena, &keys, str_of(name), account.two_step.key, &text, &by) &&
		       str_eq(text, p->totp)
		   ? (int64_t)by
		   : -1;
}

static void
turn_on(struct place *p, const struct secrets *secrets, const char *name)
{
	struct table_call call = call_of(p);
	struct plan plan = {.table = p->table, .call = &call, .now = NOW};
	struct account account = found(p, name);
	const struct password_cost cheap = {1, 8192};
	struct password_limiter *limiter = password_limiter_new(&cheap, 1, 0);
	struct recovery codes;
	struct secret_keys keys;

	secrets_derive(secrets, TWO_STEP_KEY, &keys);
	(void)two_step_codes(limiter, p->arena, &p->clock, &codes);
	password_limiter_free(limiter);
	if (two_step_set(&plan, &p->clock, keys.keys[0], &account.user, p->totp, 1, &codes, NULL) !=
	    PLAN_DONE)
		bail_out("%s has no second step", name);
}

/* --- What somebody finds who has all of the table -------------------------------------------------- */

static bool
opens_noors(struct place *p, struct str candidate)
{
	struct secrets guess = {.count = 1};

	if (candidate.len != SECRET_BYTES)
		return false;
	memcpy(guess.keys[0], candidate.base, SECRET_BYTES);
	return opened_by(p, &guess, "noor") >= 0;
}

/* Everything of 32 bytes, as it is or in hexadecimal, is tried. */
static unsigned
keys_in_the_table(struct place *p)
{
	struct table_call call = call_of(p);
	struct walk_page page = {.next = STR("")};
	unsigned keys = 0;

	do {
		struct str cursor = page.next;

		if (table_walk(p->table, &call, cursor, 100, &page) != TABLE_OK)
			bail_out("the walk failed");
		for (size_t i = 0; i < page.count; i++) {
			const struct item *item = &page.items[i];

			for (size_t n = 0; n < item->count; n++) {
				const struct value *value = &item->attributes[n].value;
				unsigned char bytes[SECRET_BYTES];
				size_t len = 0;

				if (value->kind == VALUE_BINARY)
					keys += opens_noors(p, value->string);
				if (value->kind == VALUE_STRING &&
				    sodium_hex2bin(bytes, sizeof(bytes), value->string.base,
					value->string.len, NULL, &len, NULL) == 0)
					keys += opens_noors(p, (struct str){(char *)bytes, len});
			}
		}
	} while (page.next.len != 0);
	table_release(p->table, &call);
	return keys;
}

/* --- The cases ---------------------------------------------------------------------------------------- */

static void
first_start(struct place *p)
{
	struct secrets made, again;
	struct stat about;

	ok(says(start(p, false, &made), "the first start of the site makes it"),
	    "a command does not make the secret");
	is_str(start(p, true, &made), STR(""), "the first start does");
	ok(stat(p->path, &about) == 0 && (about.st_mode & 0777) == 0400,
	    "... in a file that its owner alone may read");
	is_str(start(p, true, &again), STR(""), "the next start");
	ok(again.count == 1 && memcmp(made.keys, again.keys, sizeof(made.keys)) == 0,
	    "... finds the same");
	for (size_t i = 0; i < PEOPLE; i++)
		turn_on(p, &made, names[i]);
	is_int(opened_by(p, &made, "noor"), 0, "it opens a second step");
	is_int(keys_in_the_table(p), 0, "nothing in the table does");
}

static void
wrong_files(struct place *p)
{
	const char *aside = str_fmt(p->arena, "%s.aside", p->path).base;
	struct secrets out;
	FILE *file;

	rename(p->path, aside);
	ok(says(start(p, true, &out), "is not there"), "a file that is gone is an error");
	ok(access(p->path, F_OK) != 0, "... and no other is made");
	file = fopen(p->path, "w");
	fprintf(file, "key %.*s\n", 2 * SECRET_BYTES,
	    "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef");
	fclose(file);
	ok(says(start(p, true, &out), "another site's"), "another site's is an error");
	file = fopen(p->path, "w");
	fputs("# one\nkey abc\n", file);
	fclose(file);
	ok(says(start(p, true, &out), "secret:2: "), "a torn one is, with its line");
	file = fopen(p->path, "w");
	fclose(file);
	ok(says(start(p, true, &out), "no key in it"), "so is an empty one");
	unlink(p->path);
	symlink(p->path, p->path);
	ok(says(start(p, true, &out), p->path), "... and one that can't be read");
	unlink(p->path);
	rename(aside, p->path);
	is_str(start(p, true, &out), STR(""), "with the right one all is well again");
}

/* A table in which the key lay, with second steps that it sealed. */
static void
old_table(struct place *p)
{
	struct table_call call = call_of(p);
	struct secrets old = {.count = 1}, now;
	struct item item = {.count = 0};
	const struct key key = key_site_secret();

	unlink(p->path);
	p->clock.random(&p->clock, old.keys[0], SECRET_BYTES);
	item_set(p->arena, &item, STR("PK"), value_string(key.pk));
	item_set(p->arena, &item, STR("SK"), value_string(key.sk));
	item_set(p->arena, &item, STR("Type"), value_string(STR("Secret")));
	item_set(p->arena, &item, STR("Key"),
	    value_binary((struct str){(char *)old.keys[0], SECRET_BYTES}));
	if (table_put(p->table, &call, item) != TABLE_OK)
		bail_out("the table failed");
	for (size_t i = 0; i < PEOPLE; i++) {
		struct plan plan = {.table = p->table, .call = &call, .now = NOW};
		struct account account = found(p, names[i]);

		two_step_off(&plan, &account.user);
		turn_on(p, &old, names[i]);
	}
	is_int(keys_in_the_table(p), 1, "a table from before opens its second steps by itself");
	is_str(start(p, true, &now), STR(""), "a start takes the key out");
	is_int(keys_in_the_table(p), 0, "... and then it does not");
	is_int((int64_t)now.count, 2, "the file has a new key and the old one");
	ok(memcmp(now.keys[1], old.keys[0], SECRET_BYTES) == 0, "... behind the new one");
	for (size_t i = 0; i < PEOPLE; i++)
		is_int(
		    opened_by(p, &now, names[i]), 0, "%s's second step is sealed anew", names[i]);
	is_int(opened_by(p, &old, "noor"), -1, "... and the old key opens it no more");
}

/* A backup from before is restored: the file has its key already. */
static void
old_backup(struct place *p)
{
	struct table_call call = call_of(p);
	struct secrets now, old;
	struct item item = {.count = 0};
	const struct key key = key_site_secret();
	struct plan plan = {.table = p->table, .call = &call, .now = NOW};
	struct account account = found(p, "kofi");

	start(p, true, &now);
	old = (struct secrets){.count = 1};
	memcpy(old.keys[0], now.keys[1], SECRET_BYTES);
	item_set(p->arena, &item, STR("PK"), value_string(key.pk));
	item_set(p->arena, &item, STR("SK"), value_string(key.sk));
	item_set(p->arena, &item, STR("Type"), value_string(STR("Secret")));
	item_set(p->arena, &item, STR("Key"),
	    value_binary((struct str){(char *)old.keys[0], SECRET_BYTES}));
	table_put(p->table, &call, item);
	two_step_off(&plan, &account.user);
	turn_on(p, &old, "kofi");
	is_str(start(p, true, &now), STR(""), "a restored table from before");
	is_int((int64_t)now.count, 2, "... brings no key that is there already");
	is_int(opened_by(p, &now, "kofi"), 0, "... and is sealed anew");
	is_int(keys_in_the_table(p), 0, "... and opens nothing");
}

static void
sealing_anew(struct place *p)
{
	struct sealing done = {.arena = p->arena};
	unsigned char key[SECRET_BYTES];
	struct secrets secrets, lost = {.count = 1};

	start(p, true, &secrets);
	p->clock.random(&p->clock, key, sizeof(key));
	secrets_add_newest(&secrets, key);
	is_int(secret_seal_anew(p->table, &p->clock, &secrets, true, &done), TABLE_OK, "looking");
	is_int((int64_t)done.anew, PEOPLE, "... tells how many an older key sealed");
	is_int(opened_by(p, &secrets, "noor"), 1, "... and changes none");
	is_int(secret_seal_anew(p->table, &p->clock, &secrets, false, &done), TABLE_OK, "sealing");
	is_int((int64_t)done.anew, PEOPLE, "... takes them all");
	is_int(opened_by(p, &secrets, "noor"), 0, "... and the newest key opens them");
	is_int(
	    secret_seal_anew(p->table, &p->clock, &secrets, false, &done), TABLE_OK, "once more");
	is_int((int64_t)done.already, PEOPLE, "... there is nothing to do");
	p->clock.random(&p->clock, lost.keys[0], SECRET_BYTES);
	is_int(secret_seal_anew(p->table, &p->clock, &lost, false, &done), TABLE_OK,
	    "with a key that opens none");
	is_int((int64_t)done.lost_count, PEOPLE, "... their names are told");
	ok(opened_by(p, &secrets, "noor") == 0, "... and nothing is lost that was there");
	for (int i = 0; i < 2 * SECRETS_MAX; i++) {
		p->clock.random(&p->clock, key, sizeof(key));
		secrets_add_newest(&secrets, key);
	}
	is_int((int64_t)secrets.count, SECRETS_MAX, "of many keys the oldest go");
	ok(memcmp(secrets.keys[0], key, sizeof(key)) == 0, "... and the newest is in front");
}

/*
 * A running process notices a new key without a restart, and continues when it can't read the file.
 */
static void
watching(struct place *p)
{
	unsigned char key[SECRET_BYTES];
	struct secrets before, changed, seen;
	struct secret_watch *watch;
	struct str why;

	start(p, true, &before);
	watch = secret_watch_new(p->path, &before, &quiet);
	secret_watch_get(watch, &seen);
	ok(memcmp(seen.keys[0], before.keys[0], SECRET_BYTES) == 0, "a process has the secret");
	changed = before;
	p->clock.random(&p->clock, key, sizeof(key));
	secrets_add_newest(&changed, key);
	if (secret_file_replace(p->arena, p->path, &changed, &why) != SECRET_FILE_DONE)
		bail_out("%.*s", STR_ARGS(why));
	for (int i = 0; i < 2400 && memcmp(seen.keys[0], key, sizeof(key)) != 0; i++) {
		usleep(50000);
		secret_watch_get(watch, &seen);
	}
	ok(memcmp(seen.keys[0], key, sizeof(key)) == 0, "... and another one when it is there");
	is_int((int64_t)seen.count, (int64_t)before.count + 1, "... beside those from before");
	secret_watch_free(watch);
	secret_watch_free(NULL);
}

int
main(void)
{
	struct place p = {.arena = arena_new(), .clock = clock_fixed(NOW, 1)};
	struct table_call call;
	struct plan plan;

	if (sodium_init() < 0)
		bail_out("libsodium can't start");
	p.table = test_store_open(&p.store, &p.clock);
	p.path = str_fmt(p.arena, "%s/secret", p.store.folder).base;
	p.config = (struct config){.secret_file = str_of(p.path)};
	p.totp = totp_secret(p.arena, &p.clock);
	call = call_of(&p);
	plan = (struct plan){.table = p.table, .call = &call, .now = NOW};
	for (size_t i = 0; i < PEOPLE; i++)
		account_create(&plan, &(struct new_account){.username = str_of(names[i]),
					  .password = STR("hash"),
					  .status = USER_ACTIVE});
	first_start(&p);
	wrong_files(&p);
	old_table(&p);
	old_backup(&p);
	sealing_anew(&p);
	watching(&p);
	test_store_close(&p.store);
	arena_free(p.arena);
	return tap_done();
}

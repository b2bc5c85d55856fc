/*
 * broadsheet secret rotate: adds a new key to the secret, and seals what the table holds anew with
 * it.
 * broadsheet secret adopt: continues with a new secret, or the existing one, where the right one is
 * lost.
 */
#include "cli/commands.h"

#include "base/arena.h"
#include "base/clock.h"
#include "server/secret.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

const struct option secret_options[] = {
    {"prepare", NULL, "rotate: only put the next key into the file, for several machines"},
    {"yes", NULL, "adopt: what the lost secret sealed is lost"},
    {NULL},
};

/* By then every process of this machine has read the file. */
enum { SEEN_AFTER_MS = 2 * SECRET_WATCH_MS };

static void
wait_until_seen(void)
{
	const struct timespec time = {SEEN_AFTER_MS / 1000, SEEN_AFTER_MS % 1000 * 1000000L};

	nanosleep(&time, NULL);
}

static void
tell_lost(const struct sealing *done)
{
	for (size_t i = 0; i < done->lost_count; i++)
		warn("%.*s: the second step can't be opened; a recovery code lets them in, or "
		     "`broadsheet user one-step %.*s` turns it off",
		    STR_ARGS(done->lost[i]), STR_ARGS(done->lost[i]));
}

/* Seals anew, with the newest key, what is sealed. */
static enum outcome
seal(struct invocation *in, struct table *table, const struct secrets *secrets)
{
	struct sealing done = {.arena = in->arena};
	enum table_rc rc = secret_seal_anew(table, in->clock, secrets, false, &done);

	if (rc != TABLE_OK)
		return table_failed(rc, NULL);
	tell_lost(&done);
	printf("Sealed anew: %llu\n", (unsigned long long)done.anew);
	return OUTCOME_DONE;
}

/* Replaces the table's mark. */
static enum outcome
mark(struct invocation *in, struct table *table, const struct secrets *secrets)
{
	struct table_call call = {.arena = in->arena};
	const struct secret_mark mine = {.id = secret_id(in->arena, secrets->keys[0])};
	struct secret_mark was;
	enum table_rc rc = secret_mark_get(table, &call, &was);

	if (rc == TABLE_OK && was.key.len != 0) {
		complain(
		    "this table is from before and has its key: the next start of the site puts it "
		    "into the file");
		return OUTCOME_FAILED;
	}
	if (rc == TABLE_OK)
		rc = secret_mark_put(table, &call, &was, &mine);
	table_release(table, &call);
	return rc == TABLE_OK ? OUTCOME_DONE : table_failed(rc, call.why);
}

static enum outcome
write_file(struct invocation *in, const char *path, const struct secrets *secrets)
{
	struct str why;

	if (secret_file_replace(in->arena, path, secrets, &why) == SECRET_FILE_DONE)
		return OUTCOME_DONE;
	complain("%.*s", STR_ARGS(why));
	return OUTCOME_FAILED;
}

/* --- rotate ----------------------------------------------------------------------------------------- */

static enum outcome
prepare(struct invocation *in, const char *path, struct secrets *secrets)
{
	enum outcome outcome = OUTCOME_DONE;

	if (!secrets->prepared) {
		in->clock->random(in->clock, secrets->keys[secrets->count++], SECRET_BYTES);
		secrets->prepared = true;
		outcome = write_file(in, path, secrets);
	}
	if (outcome == OUTCOME_DONE)
		printf("The next key is in %s. Copy this file to the other machines, then type "
		       "`broadsheet secret rotate` here.\n",
		    path);
	return outcome;
}

static enum outcome
rotate(struct invocation *in, struct table *table)
{
	const struct log log = {.fd = STDERR_FILENO, .level = LOG_NOTICE, .plain = true};
	const char *path = config_secret_file(&in->config, in->arena);
	unsigned char key[SECRET_BYTES];
	struct secrets secrets;
	enum outcome outcome;
	struct str why;
	bool prepared;

	if (!secrets_open(&in->config, false, table, in->clock, in->arena, &log, &secrets, &why)) {
		complain("%.*s", STR_ARGS(why));
		return OUTCOME_FAILED;
	}
	if (option_given(in, "prepare") != NULL)
		return prepare(in, path, &secrets);
	prepared = secrets.prepared;
	if (prepared)
		memcpy(key, secrets.keys[--secrets.count], sizeof(key));
	else
		in->clock->random(in->clock, key, sizeof(key));
	secrets.prepared = false;
	secrets_add_newest(&secrets, key);
	sodium_memzero(key, sizeof(key));
	outcome = write_file(in, path, &secrets);
	if (outcome != OUTCOME_DONE)
		return outcome;
	printf("A new key is in front in %s\n", path);
	wait_until_seen();
	outcome = mark(in, table, &secrets);
	if (outcome == OUTCOME_DONE)
		outcome = seal(in, table, &secrets);
	if (outcome == OUTCOME_DONE)
		printf("Keep a copy of the file%s.\n",
		    prepared ? ", and copy it to the other machines once more" : "");
	return outcome;
}

/* --- adopt ------------------------------------------------------------------------------------------ */

static enum outcome
adopt(struct invocation *in, struct table *table)
{
	const char *path = config_secret_file(&in->config, in->arena);
	unsigned char key[SECRET_BYTES];
	struct secrets secrets;
	enum secret_file_rc rc;
	enum outcome outcome;
	struct str why;

	if (option_given(in, "yes") == NULL) {
		complain("secret adopt: whoever has a second step may need a recovery code then, "
			 "and links "
			 "in use may be void; --yes does it");
		return OUTCOME_USAGE;
	}
	rc = secret_file_read(in->arena, path, &secrets, &why);
	if (rc == SECRET_FILE_MISSING) {
		secrets = (struct secrets){.count = 0};
		in->clock->random(in->clock, key, sizeof(key));
		secrets_add_newest(&secrets, key);
		sodium_memzero(key, sizeof(key));
		rc = secret_file_create(in->arena, path, &secrets, &why);
		if (rc == SECRET_FILE_MISSING)
			why = str_fmt(in->arena, "%s: somebody has made it just now", path);
	}
	if (rc != SECRET_FILE_DONE) {
		complain("%.*s", STR_ARGS(why));
		return OUTCOME_FAILED;
	}
	outcome = mark(in, table, &secrets);
	if (outcome == OUTCOME_DONE)
		printf("The secret of this table is the one in %s\n", path);
	return outcome == OUTCOME_DONE ? seal(in, table, &secrets) : outcome;
}

enum outcome
cmd_secret(struct invocation *in)
{
	static const struct {
		const char *name;
		enum outcome (*run)(struct invocation *in, struct table *table);
	} actions[] = {{"rotate", rotate}, {"adopt", adopt}};
	struct table *table = NULL;
	enum outcome outcome;

	for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++) {
		if (strcmp(in->arguments[0], actions[i].name) != 0)
			continue;
		outcome = open_store(in, TABLE_OPEN_EXISTING, &table);
		if (outcome == OUTCOME_DONE)
			outcome = actions[i].run(in, table);
		table_close(table);
		return outcome;
	}
	complain("secret: there is no \"%s\"; there are rotate and adopt", in->arguments[0]);
	return OUTCOME_USAGE;
}

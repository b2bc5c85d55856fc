#include "server/secret.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"

#include <sodium.h>
#include <unistd.h>

/* The state of a start. */
struct start {
	const char *path;
	bool made; /* this start created the file */
	struct table *table;
	struct table_call call;
	struct clock *clock;
	const struct log *log;
	struct secrets *secrets;
	struct secret_mark mark;
	struct str *why;
};

static bool
fail(struct start *s, enum table_rc rc)
{
	*s->why = STR_CONCAT(s->call.arena, STR("the site's secret: "),
	    str_of(s->call.why != NULL ? s->call.why : table_rc_text(rc)));
	return false;
}

static bool
is_lost(struct start *s)
{
	*s->why = str_fmt(s->call.arena,
	    "%s is not there: the site's secret, whose key %.*s seals this table. Put its copy "
	    "back, or "
	    "take it from another machine of this site; if it is lost, see `broadsheet help "
	    "secret`",
	    s->path, STR_ARGS(s->mark.id));
	return false;
}

static bool
is_another(struct start *s)
{
	*s->why = str_fmt(s->call.arena,
	    "%s is another site's secret: this table is sealed with the key %.*s, which is not in "
	    "it. Put "
	    "the right copy there, or take it from another machine of this site; if it is lost, "
	    "see "
	    "`broadsheet help secret`",
	    s->path, STR_ARGS(s->mark.id));
	return false;
}

/* Creates the file for a site that has none; includes the key that an older table holds. */
static bool
make(struct start *s)
{
	unsigned char key[SECRET_BYTES];
	enum secret_file_rc rc;

	*s->secrets = (struct secrets){.count = 0};
	s->clock->random(s->clock, key, sizeof(key));
	secrets_add_newest(s->secrets, key);
	sodium_memzero(key, sizeof(key));
	if (s->mark.key.len != 0)
		secrets_add_old(s->secrets, (const unsigned char *)s->mark.key.base);
	rc = secret_file_create(s->call.arena, s->path, s->secrets, s->why);
	if (rc == SECRET_FILE_DONE) {
		s->made = true;
		log_line(s->log, LOG_NOTICE,
		    "The site's secret is made: %s. No backup of the table has it: keep a copy "
		    "apart.",
		    s->path);
		return true;
	}
	/* Another process was faster. */
	return rc == SECRET_FILE_MISSING &&
	       secret_file_read(s->call.arena, s->path, s->secrets, s->why) == SECRET_FILE_DONE;
}

/* Reads the file and checks that it has all keys that this table needs. */
static bool
take_file(struct start *s, bool may_make)
{
	size_t count;

	switch (secret_file_read(s->call.arena, s->path, s->secrets, s->why)) {
	case SECRET_FILE_DONE: break;
	case SECRET_FILE_WRONG: return false;
	case SECRET_FILE_MISSING:
		if (s->mark.id.len != 0)
			return is_lost(s);
		if (may_make)
			return make(s);
		*s->why = str_fmt(s->call.arena,
		    "%s is not there: the first start of the site makes it", s->path);
		return false;
	}
	if (s->mark.id.len != 0 && !secrets_have(s->call.arena, s->secrets, s->mark.id))
		return is_another(s);
	count = s->secrets->count;
	if (s->mark.key.len != 0)
		secrets_add_old(s->secrets, (const unsigned char *)s->mark.key.base);
	return count == s->secrets->count ||
	       secret_file_replace(s->call.arena, s->path, s->secrets, s->why) == SECRET_FILE_DONE;
}

/*
 * Stores in the table which key seals. Of several machines that start at the same time one
 * succeeds; the others need its file.
 */
static bool
mark(struct start *s)
{
	const struct secret_mark mine = {
	    .id = secret_id(s->call.arena, s->secrets->keys[0]), .key = s->mark.key};
	enum table_rc rc = secret_mark_put(s->table, &s->call, &s->mark, &mine);

	if (rc == TABLE_OK) {
		s->mark = mine;
		return true;
	}
	if (rc == TABLE_CONDITION)
		rc = secret_mark_get(s->table, &s->call, &s->mark);
	else
		return fail(s, rc);
	if (rc != TABLE_OK)
		return fail(s, rc);
	if (secrets_have(s->call.arena, s->secrets, s->mark.id))
		return true;
	if (s->made)
		unlink(s->path);
	return is_lost(s);
}

/* Removes the key from the table, where it is no longer used. */
static bool
take_key_out(struct start *s)
{
	struct secret_mark next = {.id = s->mark.id};
	struct sealing done = {.arena = s->call.arena};
	enum table_rc rc = secret_seal_anew(s->table, s->clock, s->secrets, false, &done);

	if (rc == TABLE_OK)
		rc = secret_mark_put(s->table, &s->call, &s->mark, &next);
	/* Another process has done it. */
	if (rc != TABLE_OK && rc != TABLE_CONDITION)
		return fail(s, rc);
	log_line(s->log, LOG_NOTICE,
	    "The key that the table held is in %s now and in the table no more; %llu second steps "
	    "were "
	    "sealed anew.",
	    s->path, (unsigned long long)done.anew);
	return true;
}

bool
secrets_open(const struct config *config, bool may_make, struct table *table, struct clock *clock,
    struct arena *arena, const struct log *log, struct secrets *out, struct str *why)
{
	struct start s = {.path = config_secret_file(config, arena),
	    .table = table,
	    .call = {.arena = arena},
	    .clock = clock,
	    .log = log,
	    .secrets = out,
	    .why = why};
	enum table_rc rc = secret_mark_get(table, &s.call, &s.mark);
	bool done = rc == TABLE_OK ? take_file(&s, may_make) : fail(&s, rc);

	if (done && s.mark.id.len == 0)
		done = mark(&s);
	if (done && s.mark.key.len != 0)
		done = take_key_out(&s);
	table_release(table, &s.call);
	return done;
}

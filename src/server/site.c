#include "server/site.h"

#include <config.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/limiter.h"
#include "base/memory.h"
#include "derive/sender.h"
#include "derive/stream_worker.h"
#include "model/kinds.h"
#include "model/people/invitation.h"
#include "model/people/password.h"
#include "model/post/post_fields.h"
#include "model/reader/reaction.h"
#include "model/site/format.h"
#include "model/site/load.h"
#include "model/site/move.h"
#include "model/site/upgrade.h"
#include "pages/routes.h"
#include "pages/shared/publication.h"
#include "pages/write/form.h"
#include "pages/write/revision_parts.h"
#include "server/config.h"
#include "server/move_watch.h"
#include "server/secret.h"
#include "server/store.h"
#include "server/sweeper.h"
#include "text/post_file.h"
#include "text/template.h"
#include "web/http/asset.h"
#include "web/http/dispatch.h"
#include "web/http/large.h"
#include "web/http/spending.h"
#include "web/mail/mail.h"
#include "web/session/session.h"
#include "web/views/views.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* --- Mail ------------------------------------------------------------------------------------- */

enum { PASSWORD_BYTES_MAX = 1000 };

/* The first line of the file. */
static bool
read_password(const char *path, struct arena *arena, struct str *out, struct str *why)
{
	char *text = arena_alloc(arena, PASSWORD_BYTES_MAX);
	struct str rest;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd >= 0 ? read(fd, text, PASSWORD_BYTES_MAX) : -1;

	if (got < 0)
		*why = str_fmt(arena, "smtp-password-file: %s: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	if (got < 0)
		return false;
	*out = str_dup(arena, str_cut((struct str){text, (size_t)got}, '\n', &rest));
	return true;
}

/* The default sender: an address at the site's host, without its port. */
static struct str
usual_sender(const struct config *config, struct arena *arena)
{
	struct str rest, host = config->origin;

	host = str_sub(host, str_find(host, '/') + 2, host.len);
	return STR_CONCAT(arena, STR("noreply@"), str_cut(host, ':', &rest));
}

bool
mail_of(
    const struct config *config, struct arena *arena, struct mail_transport *out, struct str *why)
{
	*out = (struct mail_transport){
	    .send = mail_smtp,
	    .url = config->smtp_url,
	    .from = config->smtp_from.len != 0 ? config->smtp_from : usual_sender(config, arena),
	    .user = config->smtp_user,
	    .password = STR(""),
	};
	if (!mail_available) {
		*why = STR("smtp-url is set, but this broadsheet was built without libcurl");
		return false;
	}
	return config->smtp_password_file.len == 0 ||
	       read_password(config->smtp_password_file.base, arena, &out->password, why);
}

/* --- Pictures --------------------------------------------------------------------------------- */

/* broadsheet-image is in the same folder as this program. */
struct media_store *
media_open(const struct config *config, struct arena *arena)
{
	struct media_store_options options = {
	    .directory = config->media.base, .file_max = (size_t)config->upload_bytes};
	char path[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path));
	size_t slash = len > 0 && (size_t)len < sizeof(path) ? (size_t)len : 0;

	while (slash > 0 && path[slash - 1] != '/')
		slash--;
	if (slash != 0)
		options.program = str_fmt(arena, "%.*sbroadsheet-image", (int)slash, path).base;
	return media_store_new(&options);
}

/* --- The site --------------------------------------------------------------------------------- */

enum { PASSWORDS_WAITING = 16, OWN_BYTES = 24 * 1024 * 1024 };

/* A writer waits for the disk and for other writers. A spare thread takes over for each. */
enum { WRITERS_LEAST = 64 };

enum { SWEEP_FIRST_MS = 5 * 1000, SWEEP_EVERY_MS = 60 * 1000, VIEWS_EVERY_MS = 60 * 1000 };

/* A worker's own site; the web layer sees only its first member. */
struct own_site {
	struct site site;
	struct clock clock;
	struct arena *arena; /* of what lives as long as the worker, including this struct */
	struct sweeper *sweeper;
	struct stream_worker *stream_worker;
	struct sender *sender;
	bool derives; /* this process has both */
	struct mail_transport transport; /* of letters, where site.mailer is */
	bool moves;   /* the table may be handed over to another store */
	struct move_watch *move_watch;
	struct limiter *writers;
};

static void
close_site(struct site *site)
{
	struct own_site *own = (struct own_site *)site;

	move_watch_stop(own->move_watch);
	mailer_stop(site->mailer);
	sender_stop(own->sender);
	stream_worker_stop(own->stream_worker);
	sweeper_stop(own->sweeper);
	views_stop(site->views);
	spending_stop(site->spending);
	site_end(site);
	publications_free(site->page_data);
	assets_free(site->assets);
	templates_free(site->templates);
	password_limiter_free(site->passwords);
	limiter_free(site->large);
	media_store_free(site->media);
	secret_watch_free(site->watch);
	table_close(site->table);
	limiter_free(own->writers);
	arena_free(own->arena);
}

static void
tell_operator(void *context, struct str sentence)
{
	log_line(context, LOG_ERROR, "%.*s", STR_ARGS(sentence));
}

/* Only a warning: workers may start while a running site is importing. */
static void
warn_of_loads(struct own_site *own, const struct site_context *context)
{
	struct table_call call = {.arena = own->arena};
	const char *warning;

	if (load_warning(own->site.table, &call, &warning) == TABLE_OK && warning != NULL)
		log_line(context->log, LOG_WARNING, "%s.", warning);
	table_release(own->site.table, &call);
}

/*
 * Notes the format in which this program writes, so that older ones refuse, and carries over what pages list. Only a
 * warning: all else is read in its old form as well, and a table that can't be written to can still be read.
 */
static void
note_format(struct own_site *own, const struct site_context *context)
{
	struct table_call call = {.arena = own->arena};
	struct format format;
	uint64_t names;

	if (format_begin(own->site.table, &call, &format) == TABLE_OK &&
	    format.carried < FORMAT_NOW) {
		if (upgrade_names(own->site.table, &names) == TABLE_OK && names != 0)
			log_line(context->log, LOG_NOTICE,
			    "%d categories and tags were carried over.", (int)names);
		log_line(context->log, LOG_WARNING,
		    "The table has items of an older form: `broadsheet table upgrade` carries them "
		    "over, while the site runs.");
	}
	table_release(own->site.table, &call);
}

/* May it be served? A table that was handed over is what the site was then. */
static bool
is_at_home(struct own_site *own, const struct site_context *context)
{
	struct table_call call = {.arena = own->arena};
	struct move move;
	enum table_rc rc = move_get(own->site.table, &call, &move);

	table_release(own->site.table, &call);
	if (rc == TABLE_OK && str_eq(move.state, MOVE_COPY))
		log_line(context->log, LOG_WARNING,
		    "The table is a copy of %.*s: nothing can be written until it is handed over, or "
		    "`broadsheet table release` says that this is the site now.",
		    STR_ARGS(move.other));
	if (rc != TABLE_OK || !str_eq(move.state, MOVE_MOVED))
		return true;
	log_line(context->log, LOG_ERROR,
	    "The table was handed over to %.*s: set `store`, or `next-store`, to that.", STR_ARGS(move.other));
	return false;
}

static bool
open_table(struct own_site *own, const struct site_context *context)
{
	struct str why;
	enum table_rc rc;

	/* If the table is missing, most likely its disk is: see cmd_serve.c. */
	rc = store_open(
	    context->config, TABLE_OPEN_EXISTING, &own->clock, own->arena, &own->site.table, &why);
	if (rc != TABLE_OK) {
		log_line(context->log, LOG_ERROR, "%.*s", STR_ARGS(why));
		return false;
	}
	own->site.table->tell = tell_operator;
	own->site.table->tell_context = (void *)(uintptr_t)context->log;
	if (own->site.table->warning != NULL)
		log_line(context->log, LOG_WARNING, "%s", own->site.table->warning);
	own->site.table->writers = own->writers;
	/* The deadline of a call is that of a page, so a missing table is reported soon. */
	own->site.deadline_ms = context->config->table_timeout_ms != 0
				    ? context->config->table_timeout_ms
				    : own->site.table->engine->deadline_ms;
	if (!is_at_home(own, context))
		return false;
	warn_of_loads(own, context);
	note_format(own, context);
	return true;
}

static bool
open_picture_key(struct own_site *own, const struct site_context *context)
{
	struct table_call call = {.arena = own->arena};
	enum table_rc rc =
	    media_key_get(own->site.table, &call, &own->clock, own->site.picture_key);

	table_release(own->site.table, &call);
	if (rc != TABLE_OK)
		log_line(context->log, LOG_ERROR, "the key of the pictures' names: %s",
		    call.why != NULL ? call.why : table_rc_text(rc));
	return rc == TABLE_OK;
}

static bool
open_secret(struct own_site *own, const struct site_context *context)
{
	struct str why;

	if (!secrets_open(context->config, true, own->site.table, &own->clock, own->arena,
		context->log, &own->site.secrets, &why)) {
		log_line(context->log, LOG_ERROR, "%.*s", STR_ARGS(why));
		return false;
	}
	own->site.watch = secret_watch_new(
	    config_secret_file(context->config, own->arena), &own->site.secrets, context->log);
	return true;
}

/* Loads the templates and static files. */
static bool
open_looks(struct own_site *own, const struct site_context *context)
{
	const struct config *config = context->config;
	struct str why;

	own->site.templates = templates_load(config->templates.base, own->arena, &why);
	if (own->site.templates != NULL)
		own->site.assets = assets_load(config->assets.base, own->arena, &why);
	if (own->site.assets == NULL)
		log_line(context->log, LOG_ERROR, "%.*s", STR_ARGS(why));
	return own->site.assets != NULL;
}

/* --- The first admin -------------------------------------------------------------------------- */

/* Beside the site's secret: whoever may read that may become the first admin. */
static const char *
first_admin_file(const struct config *config, struct arena *arena)
{
	const char *secret = config_secret_file(config, arena), *slash = strrchr(secret, '/');

	return str_fmt(arena, "%.*sfirst-admin", slash != NULL ? (int)(slash - secret + 1) : 0, secret)
	    .base;
}

/* Whole or not at all, in place of the one of the last start. False: errno says why. */
static bool
write_link(struct arena *arena, const char *path, struct str link)
{
	const char *fresh = str_fmt(arena, "%s.%ld", path, (long)getpid()).base;
	int fd = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600), why;
	ssize_t written;

	if (fd < 0)
		return false;
	errno = ENOSPC;
	written = write(fd, link.base, link.len);
	if (close(fd) == 0 && written == (ssize_t)link.len && rename(fresh, path) == 0)
		return true;
	why = errno;
	(void)unlink(fresh);
	errno = why;
	return false;
}

/*
 * A site that has no admin says how one is made: by a link, which is printed on a terminal and otherwise written to a
 * file, as a log is no place for it. A link that was not used before is good no more.
 */
static void
offer_first_admin(struct own_site *own, const struct site_context *context)
{
	struct table_call call = {.arena = own->arena};
	struct plan plan = {
	    .table = own->site.table, .call = &call, .now = clock_now(&own->clock)};
	const char *path = first_admin_file(context->config, own->arena);
	struct str code, link;
	bool wanted = false;
	enum plan_rc rc = first_admin_wanted(&plan, &wanted);

	if (rc == PLAN_DONE && (!wanted || isatty(context->log->fd)))
		(void)unlink(path); /* that of the last start */
	if (rc == PLAN_DONE && wanted)
		rc = first_admin_begin(&plan, &own->clock, &code);
	table_release(own->site.table, &call);
	if (rc != PLAN_DONE)
		log_line(context->log, LOG_WARNING, "No link for the first admin could be made: %s.",
		    call.why != NULL ? call.why : table_rc_text(plan.failed));
	if (rc != PLAN_DONE || !wanted)
		return;
	link = STR_CONCAT(
	    own->arena, own->site.origin, STR("/register?invitation="), code, STR("\n"));
	if (isatty(context->log->fd))
		dprintf(context->log->fd,
		    "There is no admin yet. Who registers by this link becomes one; it is good once, for a day:\n%.*s",
		    STR_ARGS(link));
	else if (write_link(own->arena, path, link))
		log_line(context->log, LOG_NOTICE,
		    "There is no admin yet. Who registers by the link in %s becomes one; it is good once, for a day.",
		    path);
	else
		log_line(context->log, LOG_WARNING,
		    "There is no admin yet, and %s can't be written: %s. `broadsheet user create --admin` makes one.",
		    path, strerror(errno));
}

/* Sets up mail, if a server is configured. */
static bool
open_mail(struct own_site *own, const struct site_context *context)
{
	struct str why;

	if (context->config->smtp_url.len == 0)
		return true;
	if (!mail_of(context->config, own->arena, &own->transport, &why)) {
		log_line(context->log, LOG_ERROR, "%.*s", STR_ARGS(why));
		return false;
	}
	own->site.mailer = mailer_start(&own->transport, &own->site, context->log);
	return own->site.mailer != NULL;
}

/* --- What the staff may know of it ------------------------------------------------------------- */

/* The settings hold no secret, but files that do; with whom letters are handed over is nobody's business either. */
static void
tell_facts(struct own_site *own, const struct config *config)
{
	struct site_fact *facts = ARENA_ARRAY(own->arena, config_setting_count, struct site_fact);

	for (size_t i = 0; i < config_setting_count; i++) {
		facts[i].name = str_of(config_settings[i].name);
		facts[i].value = config->values[i].text;
		if (str_eq(facts[i].name, STR("smtp-user")) && config->smtp_user.len != 0)
			facts[i].value = STR("(set)");
	}
	own->site.facts = (struct site_facts){.version = STR(PACKAGE_VERSION),
	    .no_backup = config->driver->backup != NULL ? NULL : config->driver->no_backup,
	    .settings = facts,
	    .count = config_setting_count};
}

/* The part that needs neither files nor a table. */
static struct own_site *
new_site(const struct site_context *context)
{
	struct arena *arena = arena_new();
	struct own_site *own = ARENA_NEW(arena, struct own_site);
	unsigned threads = config_threads(context->config);

	own->arena = arena;
	own->clock = clock_system();
	own->writers = limiter_new(
	    &(struct limiter_bounds){.at_once = threads > WRITERS_LEAST ? threads : WRITERS_LEAST});
	own->site = (struct site){
	    .clock = &own->clock,
	    .log = context->log,
	    .log_addresses = context->config->log_addresses,
	    .routes = site_routes,
	    .route_count = site_route_count,
	    .render_error = page_error,
	    .finished = publication_drop,
	    .page_data = publications_new(),
	    .origin = context->config->origin,
	};
	return own;
}

/*
 * Divides memory between the page cache and password hashing: by the settings, or by the limit of
 * the control group, which has to allow at least one hash beside the program's own memory.
 */
static void
share_memory(struct own_site *own, const struct site_context *context)
{
	const int64_t one = (int64_t)password_cost_usual.memory, limit = memory_bound("").limit;
	int64_t passwords = context->config->password_bytes / one;
	int64_t left = limit - OWN_BYTES - one;

	/* A cached page would not show that its template has changed. */
	if (!context->config->development)
		own->site.cache_bytes = (size_t)context->config->cache_bytes;
	if (left < 0) {
		log_line(context->log, LOG_ERROR,
		    "The control group has %d MB of memory: that is too little to hash a password, "
		    "so "
		    "nobody can sign in. Give it %d MB or more.",
		    (int)(limit >> 20), (int)((OWN_BYTES + one) >> 20));
		left = 0;
	}
	if ((int64_t)own->site.cache_bytes > left)
		own->site.cache_bytes = (size_t)left;
	left = (left - (int64_t)own->site.cache_bytes) / one + 1;
	own->site.passwords = password_limiter_new(&password_cost_usual,
	    (unsigned)(passwords < left ? passwords : left), PASSWORDS_WAITING);
	password_limiter_ask(own->site.passwords, memory_fits);
}

/* Are things that are declared in several places complete in all of them? */
static bool
declarations_hold(struct own_site *own, const struct site_context *context)
{
	static const char *(*const checks[])(struct arena *) = {kinds_error, reactions_error,
	    post_fields_error, write_form_error, revision_parts_error, post_file_error};
	const char *error = NULL;

	for (size_t i = 0; error == NULL && i < sizeof(checks) / sizeof(checks[0]); i++)
		error = checks[i](own->arena);
	if (error != NULL)
		log_line(context->log, LOG_ERROR, "%s", error);
	return error == NULL;
}

static struct site *
open_site(void *data)
{
	const struct site_context *context = data;
	struct own_site *own = new_site(context);
	const char *error;

	own->site.load_viewer = session_load;
	own->site.sign_in_first = page_sign_in_first;
	own->site.lead_first = page_two_step_first;
	own->derives = context->config->stream_worker;
	own->moves = context->config->next_driver != NULL &&
		     (context->config->next_driver != context->config->driver ||
			 !str_eq(context->config->next_store, context->config->store));
	tell_facts(own, context->config);
	share_memory(own, context);
	own->site.large = large_limiter_new();
	own->site.media = media_open(context->config, own->arena);
	media_store_prepare(own->site.media);
	if (!declarations_hold(own, context) || !open_looks(own, context) ||
	    !open_table(own, context) || !open_secret(own, context) ||
	    !open_picture_key(own, context) || !open_mail(own, context))
		goto failed;
	own->site.spending =
	    spending_new(own->site.table, site_routes, site_route_count, context->log);
	own->site.views = views_new(own->site.table, own->site.origin, context->log);
	error = site_start(&own->site);
	if (error == NULL) {
		offer_first_admin(own, context);
		return &own->site;
	}
	log_line(context->log, LOG_ERROR, "%s", error);
failed:
	close_site(&own->site);
	return NULL;
}

/* The supervisor starts another worker, which opens the other store. */
static void
moved(const struct log *log, struct str other)
{
	log_line(log, LOG_NOTICE, "The table was handed over to %.*s: a new worker opens it.", STR_ARGS(other));
	kill(getppid(), SIGHUP);
}

/* What goes on beside requests. */
static void
begin(struct site *site)
{
	struct own_site *own = (struct own_site *)site;

	spending_start(site->spending);
	views_start(site->views, VIEWS_EVERY_MS);
	own->sweeper =
	    sweeper_start(site->table, site->media, site->log, SWEEP_FIRST_MS, SWEEP_EVERY_MS);
	if (own->moves)
		own->move_watch = move_watch_start(site->table, site->log, moved);
	if (own->derives)
		own->stream_worker = stream_worker_start(&(struct stream_worker_options){
		    .table = site->table, .log = site->log, .site = site->origin});
	if (own->derives && site->mailer != NULL)
		own->sender = sender_start(&(struct sender_options){.table = site->table,
		    .log = site->log,
		    .transport = &own->transport,
		    .secrets = &site->secrets,
		    .site = site->origin});
}

/* If the templates can't be read, pages are plain. */
static struct site *
open_fallback(void *data)
{
	const struct site_context *context = data;
	struct own_site *own = new_site(context);

	own->site.away = "no worker is ready to answer; the log says why where one could not start";
	open_looks(own, context);
	if (site_start(&own->site) == NULL)
		return &own->site;
	close_site(&own->site);
	return NULL;
}

static unsigned
watch_limiters(struct site *site, const struct limiter_watcher *watcher)
{
	return password_limiter_watch(site->passwords, watcher) +
	       limiter_watch(site->large, watcher) + media_store_watch(site->media, watcher) +
	       limiter_watch(site->table->writers, watcher);
}

/*
 * In development a changed template is used from this request on. If it is broken, every page shows
 * the error, since that is what its author needs to know.
 */
static void
respond_in_development(
    struct site *site, const struct request_input *in, struct arena *arena, struct response *out)
{
	struct str error;

	request_takes_time(in);
	if (site->templates == NULL || templates_refresh(site->templates, arena, &error)) {
		site_respond(site, in, arena, out);
		return;
	}
	log_line(site->log, LOG_ERROR, "%.*s", STR_ARGS(error));
	response_init(out, arena);
	out->status = HTTP_FAILED;
	out->policy = CACHE_NEVER;
	out->content_type = STR("text/plain; charset=utf-8");
	buf_put(&out->body, error);
	BUF_PUT(&out->body, "\n");
	response_finish(out, in, NULL);
}

struct serve_app
site_app(struct site_context *context)
{
	return (struct serve_app){
	    .context = context,
	    .open = open_site,
	    .fallback = open_fallback,
	    .close = close_site,
	    .watch = watch_limiters,
	    .begin = begin,
	    .body_max = site_body_max,
	    .respond = context->config->development ? respond_in_development : site_respond,
	    .release = response_release,
	};
}

/* The table of settings: the name, valid values and the purpose of each. */
#include "server/config.h"

#include "base/arena.h"
#include "model/people/password.h"
#include "model/people/user.h"
#include "table/driver.h"

#include <string.h>
#include <unistd.h>

#define SETTING_COUNT (sizeof(config_settings) / sizeof(config_settings[0]))

enum { THREADS_LEAST = 4, THREADS_MOST = 512, THREADS_WAITING = 64, TABLE_TIMEOUT_MOST_S = 600 };

static const int64_t CACHE_MOST = INT64_C(64) << 30, UPLOAD_MOST = 30 << 20;

const char config_default_file[] = SYSCONFDIR "/broadsheet/broadsheet.conf";

static bool
read_store(struct arena *arena, struct str text, struct config *out)
{
	struct str rest;

	out->driver = table_driver_of(text, &rest);
	if (out->driver == NULL)
		return false;
	out->store = str_dup(arena, rest);
	return true;
}

static bool
read_next_store(struct arena *arena, struct str text, struct config *out)
{
	struct str rest;

	out->next_driver = NULL;
	if (str_eq(text, STR("none")))
		return true;
	out->next_driver = table_driver_of(text, &rest);
	out->next_store = str_dup(arena, rest);
	return out->next_driver != NULL;
}

static bool
read_socket(struct arena *arena, struct str text, struct config *out)
{
	out->socket = str_eq(text, STR("-")) ? STR("") : str_dup(arena, text);
	return text.len != 0;
}

static bool
read_threads(struct arena *arena, struct str text, struct config *out)
{
	(void)arena;
	if (str_eq(text, STR("auto"))) {
		out->threads = 0;
		return true;
	}
	return str_int(text, &out->threads) && out->threads >= 1 && out->threads <= THREADS_MOST;
}

static bool
read_table_timeout(struct arena *arena, struct str text, struct config *out)
{
	(void)arena;
	if (str_eq(text, STR("auto"))) {
		out->table_timeout_ms = 0;
		return true;
	}
	if (!str_int(text, &out->table_timeout_ms) || out->table_timeout_ms < 1 ||
	    out->table_timeout_ms > TABLE_TIMEOUT_MOST_S)
		return false;
	out->table_timeout_ms *= 1000;
	return true;
}

unsigned
config_threads(const struct config *config)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned least = config->driver->is_remote ? THREADS_WAITING : THREADS_LEAST;

	if (config->threads != 0)
		return (unsigned)config->threads;
	return processors > (long)least ? (unsigned)processors : least;
}

/* What is allowed in "//host:port": no character that begins a path, a query or a fragment. */
static bool
host_valid(struct str host)
{
	const struct str ends = STR("/?#@\\\"<>");

	for (size_t i = 0; i < host.len; i++) {
		unsigned char c = (unsigned char)host.base[i];

		if (c <= ' ' || c >= 0x7f || str_find(ends, (char)c) < ends.len)
			return false;
	}
	return host.len != 0;
}

static bool
read_origin(struct arena *arena, struct str text, struct config *out)
{
	struct str host = text;

	if (str_starts(text, STR("https://")))
		host = str_sub(text, 8, text.len);
	else if (str_starts(text, STR("http://")))
		host = str_sub(text, 7, text.len);
	else
		return false;
	out->origin = str_dup(arena, text);
	return host_valid(host);
}

static bool
read_directory(struct arena *arena, struct str text, struct str *out)
{
	*out = str_dup(arena, text);
	return text.len != 0;
}

static bool
read_templates(struct arena *arena, struct str text, struct config *out)
{
	return read_directory(arena, text, &out->templates);
}

static bool
read_assets(struct arena *arena, struct str text, struct config *out)
{
	return read_directory(arena, text, &out->assets);
}

static bool
read_media(struct arena *arena, struct str text, struct config *out)
{
	return read_directory(arena, text, &out->media);
}

/* "none" means empty. */
static struct str
or_none(struct arena *arena, struct str text)
{
	return str_eq(text, STR("none")) ? STR("") : str_dup(arena, text);
}

static bool
read_secret_file(struct arena *arena, struct str text, struct config *out)
{
	out->secret_file = str_eq(text, STR("auto")) ? STR("") : str_dup(arena, text);
	return text.len != 0;
}

const char *
config_secret_file(const struct config *config, struct arena *arena)
{
	const char *slash;

	if (config->secret_file.len != 0)
		return config->secret_file.base;
	if (!config->driver->is_file)
		return LOCALSTATEDIR "/lib/broadsheet/secret";
	slash = strrchr(config->store.base, '/');
	return str_fmt(arena, "%.*ssecret",
	    slash != NULL ? (int)(slash - config->store.base + 1) : 0, config->store.base)
	    .base;
}

static bool
read_smtp_url(struct arena *arena, struct str text, struct config *out)
{
	struct str host = STR("");

	out->smtp_url = or_none(arena, text);
	if (str_starts(text, STR("smtps://")))
		host = str_sub(text, 8, text.len);
	else if (str_starts(text, STR("smtp://")))
		host = str_sub(text, 7, text.len);
	return out->smtp_url.len == 0 || host_valid(host);
}

static bool
read_smtp_from(struct arena *arena, struct str text, struct config *out)
{
	struct str address;

	if (str_eq(text, STR("auto")))
		return true;
	if (!email_normal(arena, text, &address))
		return false;
	out->smtp_from = str_dup(arena, address);
	return true;
}

static bool
read_smtp_user(struct arena *arena, struct str text, struct config *out)
{
	out->smtp_user = or_none(arena, text);
	return text.len != 0;
}

static bool
read_smtp_password_file(struct arena *arena, struct str text, struct config *out)
{
	out->smtp_password_file = or_none(arena, text);
	return text.len != 0;
}

/* A number of bytes up to `most`, possibly followed by K, M or G. */
static bool
read_bytes(struct str text, int64_t most, int64_t *out)
{
	static const struct {
		char unit;
		int64_t bytes;
	} units[] = {{'K', 1024}, {'M', 1024 * 1024}, {'G', 1024 * 1024 * 1024}};
	int64_t scale = 1, number;

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (text.len != 0 && text.base[text.len - 1] == units[i].unit) {
			scale = units[i].bytes;
			text.len--;
			break;
		}
	}
	if (!str_int(text, &number) || number < 0 || number > most / scale)
		return false;
	*out = number * scale;
	return true;
}

static bool
read_cache(struct arena *arena, struct str text, struct config *out)
{
	(void)arena;
	return read_bytes(text, CACHE_MOST, &out->cache_bytes);
}

static bool
read_password_memory(struct arena *arena, struct str text, struct config *out)
{
	(void)arena;
	return read_bytes(text, CACHE_MOST, &out->password_bytes) &&
	       out->password_bytes >= (int64_t)password_cost_usual.memory;
}

static bool
read_upload(struct arena *arena, struct str text, struct config *out)
{
	(void)arena;
	return read_bytes(text, UPLOAD_MOST, &out->upload_bytes) && out->upload_bytes > 0;
}

static bool
read_log_level(struct arena *arena, struct str text, struct config *out)
{
	(void)arena;
	return log_level_of(text, &out->log_level);
}

static bool
read_log_addresses(struct arena *arena, struct str text, struct config *out)
{
	(void)arena;
	out->log_addresses = str_eq(text, STR("yes"));
	return out->log_addresses || str_eq(text, STR("no"));
}

static bool
read_development(struct arena *arena, struct str text, struct config *out)
{
	(void)arena;
	out->development = str_eq(text, STR("yes"));
	return out->development || str_eq(text, STR("no"));
}

static bool
read_stream_worker(struct arena *arena, struct str text, struct config *out)
{
	(void)arena;
	out->stream_worker = str_eq(text, STR("yes"));
	return out->stream_worker || str_eq(text, STR("no"));
}

const struct setting config_settings[] = {
    {
	.name = "store",
	.value = "STORE",
	.fallback = "sqlite:" LOCALSTATEDIR "/lib/broadsheet/broadsheet.db",
	.wanted = table_drivers_wanted,
	.description = table_drivers_described,
	.read = read_store,
    },
    {
	.name = "next-store",
	.value = "STORE",
	.fallback = "none",
	.wanted = "none, or a store as of `store`",
	.description = "the store from when `copy --follow` has handed the table over to it",
	.read = read_next_store,
    },
    {
	.name = "socket",
	.value = "PATH",
	.fallback = RUNSTATEDIR "/broadsheet/broadsheet.sock",
	.wanted = "a path, or - for a socket that is handed over",
	.description = "the UNIX socket for the web server; -: one that is handed over",
	.read = read_socket,
    },
    {
	.name = "threads",
	.value = "NUMBER",
	.fallback = "auto",
	.wanted = "a number from 1 to 512, or auto",
	.description = "how many requests are answered at once; auto: by processors and store",
	.read = read_threads,
    },
    {
	.name = "table-timeout",
	.value = "SECONDS",
	.fallback = "auto",
	.wanted = "a number from 1 to 600, or auto",
	.description = "how long a page may wait for the table; auto: by store, a few seconds",
	.read = read_table_timeout,
    },
    {
	.name = "origin",
	.value = "ADDRESS",
	.fallback = "http://localhost",
	.wanted = "http:// or https:// and a host, nothing behind it",
	.description = "the public address of the site, for links that say in full where they lead",
	.read = read_origin,
    },
    {
	.name = "templates",
	.value = "DIR",
	.fallback = PKGDATADIR "/templates",
	.wanted = "a directory",
	.description = "where the templates are",
	.read = read_templates,
    },
    {
	.name = "static",
	.value = "DIR",
	.fallback = PKGDATADIR "/static",
	.wanted = "a directory",
	.description = "where stylesheets, scripts and icons are",
	.read = read_assets,
    },
    {
	.name = "media",
	.value = "DIR",
	.fallback = LOCALSTATEDIR "/lib/broadsheet/media",
	.wanted = "a directory",
	.description = "where pictures that people upload are kept",
	.read = read_media,
    },
    {
	.name = "secret-file",
	.value = "FILE",
	.fallback = "auto",
	.wanted = "a file, or auto",
	.description = "the site's secret; auto: the file `secret` beside the table's file",
	.read = read_secret_file,
    },
    {
	.name = "smtp-url",
	.value = "ADDRESS",
	.fallback = "none",
	.wanted = "smtp://HOST:PORT or smtps://HOST:PORT, or none",
	.description =
	    "the mail server: smtp://HOST:PORT, smtps://HOST:PORT; none: no mail is sent",
	.read = read_smtp_url,
    },
    {
	.name = "smtp-from",
	.value = "ADDRESS",
	.fallback = "auto",
	.wanted = "an e-mail address, or auto",
	.description = "who sends the mail; auto: noreply@ and the host of the origin",
	.read = read_smtp_from,
    },
    {
	.name = "smtp-user",
	.value = "NAME",
	.fallback = "none",
	.wanted = "a name, or none",
	.description = "who signs in to the mail server; none: nobody needs to",
	.read = read_smtp_user,
    },
    {
	.name = "smtp-password-file",
	.value = "FILE",
	.fallback = "none",
	.wanted = "a file, or none",
	.description = "a file whose first line is the password for the mail server",
	.read = read_smtp_password_file,
    },
    {
	.name = "upload",
	.value = "BYTES",
	.fallback = "10M",
	.wanted = "a number of bytes up to 30M, with K or M behind it if you like",
	.description = "how large a picture may be that somebody uploads",
	.read = read_upload,
    },
    {
	.name = "cache",
	.value = "BYTES",
	.fallback = "64M",
	.wanted = "a number of bytes up to 64G, with K, M or G behind it if you like; 0 for none",
	.description = "how much memory finished pages may take; 0: none are kept",
	.read = read_cache,
    },
    {
	.name = "password-memory",
	.value = "BYTES",
	.fallback = "128M",
	.wanted = "a number of bytes from 64M, with M or G behind it if you like",
	.description = "how much memory hashing passwords may take at once; each takes 64M",
	.read = read_password_memory,
    },
    {
	.name = "log-level",
	.value = "LEVEL",
	.fallback = "info",
	.wanted = "error, warning, notice, info or debug",
	.description = "how much is logged: error, warning, notice, info (every request) or debug",
	.read = read_log_level,
    },
    {
	.name = "log-addresses",
	.value = "yes|no",
	.fallback = "yes",
	.wanted = "yes or no",
	.description = "log from which network address somebody was refused",
	.read = read_log_addresses,
    },
    {
	.name = "stream-worker",
	.value = "yes|no",
	.fallback = "yes",
	.wanted = "yes or no",
	.description = "whether serve derives what follows from changes; no: `work` does",
	.read = read_stream_worker,
    },
    {
	.name = "development",
	.value = "yes|no",
	.fallback = "no",
	.wanted = "yes or no",
	.description = "read templates again when they change, and show what is wrong with them",
	.read = read_development,
    },
};

const size_t config_setting_count = SETTING_COUNT;

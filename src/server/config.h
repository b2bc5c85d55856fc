#ifndef SERVER_CONFIG_H
#define SERVER_CONFIG_H

#include "base/log.h"
#include "base/str.h"

struct arena;

/*
 * The program's settings. Each has one name, `log-level`, with which it can be set in four places,
 * of which the first takes precedence:
 *
 * 1. a flag, --log-level info
 *
 * 2. the environment, BROADSHEET_LOG_LEVEL=info
 *
 * 3. a file, log-level = info, in /etc/broadsheet/broadsheet.conf or --config FILE
 *
 * 4. its default
 *
 * config_settings is the one table of them: it drives the reading, the help, and `broadsheet
 * check`.
 */

struct table_driver;

/* All strings are followed by a NUL and live in the arena of config_load(). */
struct config {
	const struct table_driver *driver;   /* the store's */
	struct str store;                    /* what the driver calls it: a path, a name */
	const struct table_driver *next_driver; /* of where the store moves; NULL: nowhere */
	struct str next_store;
	struct str socket;                   /* empty: one that is handed over */
	int64_t threads;                     /* 0: config_threads() chooses */
	int64_t table_timeout_ms;            /* of a page; 0: the store's own */
	struct str origin;                   /* "https://example.org", without a slash at its end */
	struct str templates, assets, media; /* directories */
	struct str secret_file;              /* empty: config_secret_file() chooses */
	struct str smtp_url;  /* where letters are handed over; empty: none are sent */
	struct str smtp_from; /* their sender; empty: one at the origin's host */
	struct str smtp_user; /* empty: no signing in */
	struct str smtp_password_file;
	int64_t cache_bytes;
	int64_t password_bytes; /* that hashing may take at once */
	int64_t upload_bytes;   /* of one picture */
	enum log_level log_level;
	bool log_addresses, development;
	bool stream_worker; /* `serve` runs one */

	struct config_value *values; /* for each of config_settings, in their order */
	struct str file;             /* the file that was read; empty when there was none */
};

enum config_source { CONFIG_DEFAULT, CONFIG_FILE, CONFIG_ENVIRONMENT, CONFIG_FLAG };

/* What a setting was set to, and where: "--store", "BROADSHEET_STORE", "/etc/…/broadsheet.conf:12". */
struct config_value {
	enum config_source source;
	struct str text, where;
};

struct setting {
	const char *name;
	const char *value;    /* the placeholder for its value in the help: "PATH" */
	const char *fallback; /* the default */
	const char *wanted;   /* what would be right, for an error: "a number from 1 to 512" */
	const char *description;
	bool (*read)(struct arena *arena, struct str text, struct config *out); /* false: wrong */
};

extern const struct setting config_settings[];
extern const size_t config_setting_count;

/* The variable of the environment that sets it: BROADSHEET_LOG_LEVEL. */
struct str setting_variable(struct arena *arena, const struct setting *setting);

/*
 * The number of threads: the setting; otherwise one for each processor, and at least four, or 64
 * with a table on the network, for which a thread mostly waits.
 */
unsigned config_threads(const struct config *config);

/*
 * The file of the site's secret: the setting; otherwise `secret` in the directory of the table's
 * file, or in /var/lib/broadsheet if the table is not a file. In the arena.
 */
const char *config_secret_file(const struct config *config, struct arena *arena);

/* Where the file is when nobody says. */
extern const char config_default_file[];

struct config_flag {
	const char *name, *value;
};

struct config_input {
	const char
	    *file; /* of --config; NULL: BROADSHEET_CONFIG, or the default file if it is there */
	const struct config_flag *flags;
	size_t flag_count;
	char *const *environment; /* ended by NULL */
};

/* Reads all settings. False if one is invalid, with *why saying where, and what would be valid. */
bool config_load(
    const struct config_input *in, struct arena *arena, struct config *out, struct str *why);

/*
 * A variable that begins with BROADSHEET_ but sets nothing; NULL when there is none. *meant is the one
 * that is near, or NULL. For a warning only: other programs may have variables like that.
 */
const char *config_stray_variable(
    char *const *environment, struct arena *arena, const char **meant);

/* --- The file ------------------------------------------------------------------------------- */

/* One setting of the file; the slices point into its text. */
struct config_line {
	unsigned number; /* from 1 */
	struct str name, value;
};

struct config_lines {
	struct config_line *lines;
	size_t count;
	unsigned wrong_line; /* after a failure */
	const char *why;
};

/*
 * Reads the file's form: lines of `name = value`, white space around both ignored, empty lines and lines
 * that begin with # skipped. Names are small letters and hyphens, each there once; a value may be empty.
 * False when a line is anything else. It knows no names.
 */
bool config_parse(struct arena *arena, struct str text, struct config_lines *out);

#endif

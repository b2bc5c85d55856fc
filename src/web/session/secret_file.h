#ifndef WEB_SESSION_SECRET_FILE_H
#define WEB_SESSION_SECRET_FILE_H

#include "model/site/secret.h"

struct log;

/*
 * The file with the site's secret: a line for each key, 64 hexadecimal digits behind the word `key`, newest first; or
 * behind `next`, at the end, for one that is prepared. Empty lines and those that begin with # are skipped. Only its
 * owner may read it.
 */
enum secret_file_rc {
	SECRET_FILE_DONE,
	SECRET_FILE_MISSING, /* or, where it is to be made, there already */
	SECRET_FILE_WRONG,   /* *why says how, with the path, in the arena */
};

enum secret_file_rc secret_file_read(
    struct arena *arena, const char *path, struct secrets *out, struct str *why);

/* Makes it, as a whole or not at all, on the disk; mode 0400. Made by root it is whose the folder is. */
enum secret_file_rc secret_file_create(
    struct arena *arena, const char *path, const struct secrets *secrets, struct str *why);

/* Puts another in place of one that is there, whose owner and group it keeps. */
enum secret_file_rc secret_file_replace(
    struct arena *arena, const char *path, const struct secrets *secrets, struct str *why);

/* --- While the site runs ---------------------------------------------------------------------------- */

/*
 * The secrets of a file that may change: it is looked at once a second, so that every process knows another key soon
 * after it was put there, and without a restart. What can't be read then is logged, and the keys stay as they were.
 */
struct secret_watch;
enum { SECRET_WATCH_MS = 1000 };

/* The path is copied; the log must outlive it. */
struct secret_watch *secret_watch_new(
    const char *path, const struct secrets *secrets, const struct log *log);
void secret_watch_get(struct secret_watch *watch, struct secrets *out);
/* NULL is allowed. */
void secret_watch_free(struct secret_watch *watch);

#endif

#ifndef WEB_VIEWS_VIEWS_H
#define WEB_VIEWS_VIEWS_H

#include "base/str.h"

#include <stdint.h>

struct log;
struct request_input;
struct table;

/*
 * Counts in memory how often public pages are read, and adds that to the table each minute (model/post/figures.h): a view
 * costs no write, and a process that is killed loses the views of a minute.
 *
 * A view is a GET of a page by a browser: not by a program that says what it is, nor ahead of time (prefetched). Nothing of
 * who reads is kept: no address, no cookie; of where they came from the host alone. So a page that is read twice is two views.
 */
struct views;

/* Counts, and adds when asked to. The table and the log (or NULL) must outlive it; `origin` is the site's. */
struct views *views_new(struct table *table, struct str origin, const struct log *log);

/* Adds by a thread of its own from now on, every so many milliseconds. False when none can be had, which it has logged. */
bool views_start(struct views *views, int every_ms);

/* Ends that thread, adds what is left, and frees it. NULL is allowed. */
void views_stop(struct views *views);

/*
 * A page was answered: that of a post, by its id, or (empty) another one. Quick, and safe for threads; without `views`
 * nothing.
 */
void views_note(struct views *views, const struct request_input *in, struct str post);

/* Readers did something, or took it back: a number of a post's Stats has changed (plan.counted; `who` are the views). */
void views_count(void *who, struct str counter, int64_t by);

/* Adds what was counted. False when some of it is left, or (rather than counting it twice) lost: the log says why. */
bool views_flush(struct views *views);

/* Whether it is a browser that somebody reads with, as far as its User-Agent tells. */
bool views_by_reader(struct str user_agent);

/*
 * The host of a Referer, in small letters, without "www." and port, in `room`, which has FIGURES_HOST_BYTES; empty when it
 * is none, or one of the two given.
 */
struct str views_host(struct str referer, struct str own, struct str asked, char *room);

#endif

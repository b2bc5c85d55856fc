#ifndef DERIVE_ROWS_H
#define DERIVE_ROWS_H

#include "derive/derivation.h"
#include "text/markdown.h"

/* What the rows of derivations.c name: each in a file of its own. */

struct str copies_subject(struct arena *arena, struct key key, const struct kind *kind);
enum table_rc copies_derive(struct derive *d, struct str subject);

enum { HTML_VERSION = MARKDOWN_RENDERER };
struct str html_subject(struct arena *arena, struct key key, const struct kind *kind);
enum table_rc html_derive(struct derive *d, struct str subject);

struct str rankings_subject(struct arena *arena, struct key key, const struct kind *kind);
enum table_rc rankings_derive(struct derive *d, struct str subject);

struct str feed_subject(struct arena *arena, struct key key, const struct kind *kind);
enum table_rc feed_derive(struct derive *d, struct str subject);

struct str due_subject(struct arena *arena, struct key key, const struct kind *kind);
enum table_rc due_derive(struct derive *d, struct str subject);

/* What the worker does when the time of such a post has come. */
struct due {
	struct str post;
	struct item *item;
};

enum { DUE_MAX = 20 /* that are found at once */ };

/* The first of those that are due by now; in the call's arena. */
enum table_rc due_find(
    struct table *table, struct table_call *call, int64_t now, struct due found[DUE_MAX], size_t *count);

/* All was derived: it is due no more, unless it was rescheduled meanwhile, or the clock was put back. */
enum table_rc due_done(struct table *table, struct table_call *call, const struct due *due);

struct str catalogue_subject(struct arena *arena, struct key key, const struct kind *kind);
enum table_rc catalogue_derive(struct derive *d, struct str subject);

struct str series_subject(struct arena *arena, struct key key, const struct kind *kind);
enum table_rc series_derive(struct derive *d, struct str subject);

struct str notifications_subject(struct arena *arena, struct key key, const struct kind *kind);
enum table_rc notifications_derive(struct derive *d, struct str subject);

struct str search_subject(struct arena *arena, struct key key, const struct kind *kind);
enum table_rc search_derive(struct derive *d, struct str subject);
extern const struct derivation_bulk search_bulk;

struct str queue_subject(struct arena *arena, struct key key, const struct kind *kind);
enum table_rc queue_derive(struct derive *d, struct str subject);

/* Who follows what a comment is in, or a post (derive/watchers.c). */
struct tells;
struct post;
enum table_rc watchers_tell_comment(
    struct derive *d, struct str subject, const struct tells *fact, const struct post *post);
enum table_rc watchers_tell_post(
    struct derive *d, struct str subject, const struct tells *fact, const struct post *post);

/* Subjects that are an item: its key in one text, and back. */
struct str subject_of_key(struct arena *arena, struct key key);
struct key subject_key(struct str subject);

#endif

#ifndef MODEL_READER_FLAG_H
#define MODEL_READER_FLAG_H

#include "model/plan.h"
#include "model/reader/comment.h"
#include "model/reader/trust.h"

/*
 * Flags, by which readers ask the staff to look at something. A person can flag a thing once. The
 * flags of a thing are in a partition of their own, with an item that summarises them, which is in
 * the queue until somebody has decided: all flags are settled at once. Some flags of trusted people
 * hold a comment until then.
 */
enum flag_what { FLAG_POST, FLAG_COMMENT, FLAG_REVIEW, FLAG_PROFILE, FLAG_COLLECTION, FLAG_WHATS };
enum flag_reason {
	FLAG_SPAM,
	FLAG_UNKIND,
	FLAG_OFF_TOPIC,
	FLAG_ILLEGAL,
	FLAG_OTHER,
	FLAG_REASONS
};

/*
 * The flagged thing: a post, a comment on it, the review of `person`; a profile of `person`; a
 * collection.
 */
struct flag_target {
	enum flag_what what;
	struct str post, path, person, collection;
};

/* "post", as in addresses; -1: none. */
const char *flag_what_name(enum flag_what what);
int flag_what_of(struct str name);
/* "Spam or advertising" */
const char *flag_reason_label(enum flag_reason reason);

struct flag {
	struct str author, note;
	enum flag_reason reason;
	bool trusted; /* the person was trusted at that time */
	int64_t created;
};

enum flagged_status { FLAGGED_OPEN, FLAGGED_DISMISSED, FLAGGED_UPHELD };

/* The summary of all flags of a thing. */
struct flagged {
	struct str name, settled_by;
	struct flag_target target;
	enum flagged_status status;
	int64_t flags;
	int64_t created, updated, settled; /* created: of the first flag since the last settling */
};

void flag_from_item(struct arena *arena, const struct item *item, struct flag *out);
void flagged_from_item(struct arena *arena, const struct item *item, struct flagged *out);

/* The read of all flags of a thing, with their summary. */
enum { FLAGS_READ = 100 };
struct read flags_read(struct arena *arena, struct str name);
const struct item *flags_target_item(const struct read *answer); /* NULL: it was never flagged */
const struct item *flags_of(const struct read *answer, struct str username); /* NULL: not by them */

struct new_flag {
	const struct flag_target *target;
	enum flag_reason reason;
	struct str note;
	enum trust trust;
	const struct moderation *moderation;
	const struct item *comment; /* the flagged comment; NULL: it is something else */
	const struct read *flags;   /* flags_read(), answered */
};

/*
 * Adds the flag of the person who acts; PLAN_DONE also if there is one already. PLAN_TOO_MANY:
 * today's limit is reached. PLAN_GONE: the comment does not exist any more. PLAN_CHANGED: too many
 * concurrent flags.
 */
enum plan_rc flag_create(struct plan *plan, const struct new_flag *flag);

/* Adds to the plan that the flags are settled; PLAN_CHANGED when there is a new one. */
void flag_settle(struct plan *plan, const struct item *flagged, bool upheld);

/*
 * The keys of the flags of a comment and its ancestors; and how many of these were not dismissed.
 */
size_t flags_above(struct arena *arena, struct str path, struct key keys[]);
int64_t flags_counted(
    struct arena *arena, const struct moderation *m, const struct read *batch, int64_t now);

extern const struct binding_table flag_bindings, flagged_bindings;

#endif

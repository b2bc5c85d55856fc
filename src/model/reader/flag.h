#ifndef MODEL_READER_FLAG_H
#define MODEL_READER_FLAG_H

#include "model/plan.h"
#include "model/reader/comment.h"
#include "model/reader/trust.h"

/*
 * What readers flag: that something should be looked at by the staff. A person flags a thing once. The flags of a thing
 * lie together, with one item for the thing, which stands in the queue until somebody has decided: all flags are
 * settled at once. Some of people who are trusted hold a comment until then.
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

/* What is flagged: a post, a comment on it, what `person` gave it; a profile of `person`; a collection. */
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
	bool trusted; /* whoever flagged it was, then */
	int64_t created;
};

enum flagged_status { FLAGGED_OPEN, FLAGGED_DISMISSED, FLAGGED_UPHELD };

/* All flags of a thing together. */
struct flagged {
	struct str name, settled_by;
	struct flag_target target;
	enum flagged_status status;
	int64_t flags;
	int64_t created, updated, settled; /* the first one since it was last settled; the last one */
};

void flag_from_item(struct arena *arena, const struct item *item, struct flag *out);
void flagged_from_item(struct arena *arena, const struct item *item, struct flagged *out);

/* The read of everything about a thing, and of what is known of all its flags. */
enum { FLAGS_READ = 100 };
struct read flags_read(struct arena *arena, struct str name);
const struct item *flags_target_item(const struct read *answer); /* NULL: never flagged */
const struct item *flags_of(const struct read *answer, struct str username); /* NULL: not theirs */

struct new_flag {
	const struct flag_target *target;
	enum flag_reason reason;
	struct str note;
	enum trust trust;
	const struct moderation *moderation;
	const struct item *comment; /* that it is about; NULL: it is about another thing */
	const struct read *flags;   /* flags_read(), answered */
};

/*
 * Who acts flags it; PLAN_DONE also if they have already. PLAN_TOO_MANY: not today. PLAN_GONE: the comment is not there
 * any more. PLAN_CHANGED: many did, at the same moment.
 */
enum plan_rc flag_create(struct plan *plan, const struct new_flag *flag);

/* Adds to the plan that the flags are settled, as they were read: PLAN_CHANGED when there is another one. */
void flag_settle(struct plan *plan, const struct item *flagged, bool upheld);

/* How many flags a comment and those above it have that were not dismissed. The keys are those of all of them. */
size_t flags_above(struct arena *arena, struct str path, struct key keys[]);
int64_t flags_counted(
    struct arena *arena, const struct moderation *m, const struct read *batch, int64_t now);

extern const struct binding_table flag_bindings, flagged_bindings;

#endif

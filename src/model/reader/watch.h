#ifndef MODEL_READER_WATCH_H
#define MODEL_READER_WATCH_H

#include "model/bind.h"
#include "model/plan.h"
#include "model/site/rate.h"

/*
 * What somebody follows that is no person: the comments on a post, a thread of them, a tag, a category. Nobody else
 * learns of it, and nothing counts it.
 *
 * Those of a post lie among the person's reactions to it, which its pages read anyway.
 */
enum watch_what { WATCH_NOTHING, WATCH_POST, WATCH_THREAD, WATCH_TAG, WATCH_CATEGORY, WATCHES };

struct watch_target {
	enum watch_what what;
	struct str name; /* of the tag, of the category; the thread's root; empty: the post is enough */
	struct str post; /* of a thread or a post: its id */
};

struct watch {
	enum watch_what what;
	struct str name, post, username;
	int64_t created;
};

extern const struct binding_table watch_bindings;
void watch_from_item(struct arena *arena, const struct item *item, struct watch *out);

/* "thread", as in addresses, and back; WATCH_NOTHING for what is none. */
const char *watch_name(enum watch_what what);
enum watch_what watch_of(struct str name);

/* Does this person follow it? The read, which sees every write at once, and its answer. */
struct read watch_read(struct arena *arena, struct str username, const struct watch_target *target);

/*
 * Who acts follows it from now on, or no more. PLAN_DONE, too, when it was so already. PLAN_TOO_MANY: the limit (TRUST_FOLLOW)
 * is reached.
 */
enum plan_rc watch_begin(
    struct plan *plan, const struct watch_target *target, const struct rate *limit);
enum plan_rc watch_end(struct plan *plan, const struct watch_target *target);

#endif

#ifndef T_MODEL_WRITING_SHARED_H
#define T_MODEL_WRITING_SHARED_H

#include "writing_whole.h"

#define TAP_SHARED
#include "base/clock.h"
#include "lib/store.h"
#include "lib/tap.h"
#include "model/key_post.h"
#include "model/post/posts.h"
#include "model/post/writing.h"

/* A table with two people, two categories, and nothing written. */
struct desk_place {
	struct arena *arena;
	struct clock clock;
	struct test_store store;
	struct table *table;
	struct table_call call;
	struct plan plan;
};

/* --- Rooms ---------------------------------------------------------------------------------------- */

/* One post after another, from the first draft to the last day; then what was read halfway through a save, and what many do at once. */
void writing_lives(struct desk_place *p);
void writing_ends(struct desk_place *p);
void writing_torn(struct desk_place *p);
void writing_crowds(struct desk_place *p);

/* --- What they share ------------------------------------------------------------------------------ */

enum { MINUTE = 60000 };
#define NOW INT64_C(1795000000000)

void add_category(struct desk_place *p, const char *slug);
void let_pass(struct desk_place *p, int64_t ms);
void is_whole(struct desk_place *p, const char *after);
struct draft draft_of(const char *slug, enum post_kind kind);
struct written stored(struct desk_place *p, const char *id);
struct draft draft_from(const struct written *written);
/* As its writer does: by a save. */
enum plan_rc publish(
    struct plan *plan, const struct written *old, int64_t at, struct post *post);
int64_t posts_of(struct desk_place *p, struct key key);
size_t on_desk(struct desk_place *p, const char *who, enum desk section);
size_t in_list(struct desk_place *p, enum posts_of of, const char *name);

#endif

#include "model/reader/comment_write.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/key_post.h"
#include "model/permission.h"
#include "model/reader/follow.h"
#include "model/reader/tally.h"
#include "model/site/audit.h"
#include "model/site/rate.h"

enum { TRIES = 4, ONCE_SECONDS = 7 * 86400, PATH_LEVEL = 14 + 1 };
enum { PAUSE_NEW = 60, PAUSE = 5, NETWORK_MOST = 10, REPEAT_MS = 5 * 60 * 1000 };
enum { UNMARKED_MS = 5 * 60 * 1000, EDITABLE_MS = 86400000, KEPT_SECONDS = 30 * 86400 };
#define TRUST_AGE_MS (INT64_C(7) * 86400000)

/* --- Who writes -------------------------------------------------------------------------------------- */

enum trust { TRUST_NEW, TRUST_KNOWN, TRUST_TRUSTED };

static const struct {
	int64_t most;
	uint32_t pause;
	unsigned links_max;
	int64_t network_most;
} limits_of[] = {
    [TRUST_NEW] = {COMMENT_WAITING, PAUSE_NEW, 0, NETWORK_MOST},
    [TRUST_KNOWN] = {6, PAUSE, 2, NETWORK_MOST},
    [TRUST_TRUSTED] = {20, PAUSE, 10, 0},
};

void
comment_limit_reads(struct arena *arena, struct str username, struct read *reads)
{
	reads[0] = (struct read){.kind = READ_QUERY, .query = query_comments_of(arena, username)};
	reads[0].query.limit = COMMENT_TRUSTED;
	reads[1] =
	    (struct read){.kind = READ_QUERY, .query = query_comments_held_of(arena, username)};
	reads[1].query.limit = COMMENT_WAITING;
	reads[0].query.descending = reads[1].query.descending = true;
}

static enum trust
trust_of(const struct viewer *viewer, size_t approved, int64_t now)
{
	if (viewer->user.role != ROLE_READER || may(viewer, MAY_MODERATE, NO_THING))
		return TRUST_TRUSTED;
	if (approved >= COMMENT_TRUSTED && viewer->user.created <= now - TRUST_AGE_MS)
		return TRUST_TRUSTED;
	return approved != 0 ? TRUST_KNOWN : TRUST_NEW;
}

void
comment_limits_take(struct arena *arena, const struct viewer *viewer, const struct read *reads,
    int64_t now, struct comment_limits *out)
{
	enum trust trust = trust_of(viewer, reads[0].found_count, now);
	struct comment *lately =
	    ARENA_ARRAY(arena, reads[0].found_count + reads[1].found_count, struct comment);
	int64_t last = 0, wait;

	*out = (struct comment_limits){.waits = trust == TRUST_NEW,
	    .full = trust == TRUST_NEW && reads[1].found_count >= COMMENT_WAITING,
	    .most = limits_of[trust].most,
	    .links_max = limits_of[trust].links_max,
	    .network_most = limits_of[trust].network_most,
	    .lately = lately};
	for (size_t r = 0; r < COMMENT_LIMIT_READS; r++)
		for (size_t i = 0; i < reads[r].found_count; i++) {
			struct comment *comment = &lately[out->lately_count++];

			comment_from_item(arena, &reads[r].found[i], comment);
			last = comment->created > last ? comment->created : last;
		}
	wait = last + (int64_t)limits_of[trust].pause * 1000 - now;
	if (last != 0 && wait > 0)
		out->pause = (uint32_t)((wait + 999) / 1000);
}

bool
comment_repeats(const struct comment_limits *limits, struct str markdown, int64_t now)
{
	for (size_t i = 0; i < limits->lately_count; i++)
		if (limits->lately[i].created > now - REPEAT_MS &&
		    str_eq(limits->lately[i].markdown, markdown))
			return true;
	return false;
}

/* --- Where it stands --------------------------------------------------------------------------------- */

bool
comment_path_valid(struct str path)
{
	if (path.len % PATH_LEVEL != PATH_LEVEL - 1 || comment_level(path) > COMMENT_LEVELS)
		return false;
	for (size_t i = 0; i < path.len; i++) {
		char c = path.base[i];
		bool in_id = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z');

		if (i % PATH_LEVEL == PATH_LEVEL - 1 ? c != '.' : !in_id)
			return false;
	}
	return true;
}

unsigned
comment_level(struct str path)
{
	return (unsigned)((path.len + 1) / PATH_LEVEL);
}

/* The path under which a reply stands, of what it answers or of what that stands under; empty: at the root. */
static struct str
place_under(const struct new_comment *comment)
{
	struct str to = comment->to != NULL ? comment->to->path : STR("");

	return comment_level(to) < COMMENT_LEVELS ? to : str_sub(to, 0, to.len - PATH_LEVEL);
}

/* --- Writing ----------------------------------------------------------------------------------------- */

struct read
comment_once_read(struct arena *arena, struct str username, struct str once)
{
	return (struct read){.kind = READ_GET, .key = key_once(arena, username, once)};
}

static struct str
once_path(const struct item *item, struct str post)
{
	if (item == NULL || !str_eq(item_string(item, STR("Post")), post))
		return STR("");
	return item_string(item, STR("Comment"));
}

struct str
comment_once_path(const struct read *read, struct str post)
{
	return once_path(read->item, post);
}

static void
add_once(struct plan *plan, const struct new_comment *comment)
{
	struct arena *arena = plan->call->arena;
	struct item item = {.count = 0};

	key_set(arena, &item, key_once(arena, plan->by, comment->once), ITEM_ONCE);
	item_set(arena, &item, STR("Comment"), value_string(comment->path));
	item_set(arena, &item, STR("Post"), value_string(comment->post->id));
	item_set(arena, &item, TABLE_EXPIRES, value_number(plan->now / 1000 + ONCE_SECONDS));
	plan_create(plan, item, PLAN_ALREADY);
}

static const struct condition *
has_status(struct arena *arena, const char *status)
{
	struct condition *condition = ARENA_NEW(arena, struct condition);

	*condition = (struct condition){
	    .op = COND_EQ, .name = STR("Status"), .value = value_string(str_of(status))};
	return condition;
}

static void
add_check(struct plan *plan, struct key key, const char *status, enum plan_rc refusal)
{
	plan_add(plan,
	    (struct write){.kind = WRITE_CHECK,
		.key = key,
		.condition = has_status(plan->call->arena, status)},
	    refusal);
}

/* One more of the replies of what everybody sees. */
static void
add_reply(struct plan *plan, struct key parent)
{
	struct change *change = ARENA_NEW(plan->call->arena, struct change);

	*change = (struct change){CHANGE_ADD, STR("Replies"), value_number(1)};
	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = parent,
		.changes = change,
		.change_count = 1,
		.condition = has_status(plan->call->arena, "visible")},
	    PLAN_GONE);
}

/*
 * What it is said to has to be there still. What it stands under counts it, once it is visible; at the last level that is
 * another than what it answers, and may be deleted.
 */
static void
add_counts(struct plan *plan, const struct new_comment *comment, struct str under)
{
	struct arena *arena = plan->call->arena;
	struct str post = comment->post->id, to = STR("");

	if (comment->to != NULL)
		to = comment->to->path;
	if (!comment->held)
		plan_count_post(plan, post, plan->by, STR("Comments"), 1);
	if (to.len != 0 && !comment->held && str_eq(to, under)) {
		add_reply(plan, key_comment(arena, post, under));
		return;
	}
	if (to.len != 0)
		add_check(plan, key_comment(arena, post, to), "visible", PLAN_GONE);
	if (under.len != 0 && !comment->held)
		plan_count(plan, key_comment(arena, post, under), STR("Replies"), 1, PLAN_GONE);
}

/* Nobody under whose post it stands, and nobody whom it answers, has blocked who writes it. */
static void
add_unblocked(struct plan *plan, const struct new_comment *comment)
{
	const struct post *post = comment->post;
	struct str *people = ARENA_ARRAY(plan->call->arena, post->other_count + 2, struct str);
	size_t count = 0;

	people[count++] = post->author;
	for (size_t i = 0; i < post->other_count; i++)
		people[count++] = post->others[i].username;
	if (comment->to != NULL && !post_written_by(post, comment->to->author))
		people[count++] = comment->to->author;
	follow_add_unblocked(plan, people, count);
}

/* One try, under this id. */
static enum plan_rc
create_as(struct plan *plan, struct new_comment *comment, struct str id)
{
	struct arena *arena = plan->call->arena;
	struct str under = place_under(comment);
	struct item item = {.count = 0};
	struct comment stored = {.id = id,
	    .post = comment->post->id,
	    .post_title = comment->post->title,
	    .author = plan->by,
	    .author_name = plan->by_name,
	    .markdown = comment->markdown,
	    .html = comment->html,
	    .renderer = comment->renderer,
	    .status = comment->held ? COMMENT_HELD : COMMENT_VISIBLE,
	    .created = plan->now,
	    .updated = plan->now};

	comment->path = id;
	if (under.len != 0) {
		stored.parent = str_sub(under, under.len - (PATH_LEVEL - 1), under.len);
		comment->path = STR_CONCAT(arena, under, STR("."), id);
	}
	if (comment->once.len != 0)
		add_once(plan, comment);
	add_check(plan, key_post(arena, comment->post->id), "published", PLAN_NOT_THERE);
	add_counts(plan, comment, under);
	add_unblocked(plan, comment);
	if (!comment->held)
		tally_add(plan, comment->post->id, comment->path, under.len != 0);
	rate_add(plan, comment->rates, comment->rate_count, false);
	key_set(arena, &item, key_comment(arena, comment->post->id, comment->path), ITEM_COMMENT);
	key_index_comment(arena, &item, plan->by, plan->now, id, comment->held);
	bind_write(arena, &comment_bindings, &stored, &item);
	/* Two ids of one millisecond can be the same: the other one stays. */
	plan_create(plan, item, PLAN_TAKEN);
	return plan_commit(plan);
}

enum plan_rc
comment_create(struct plan *plan, struct new_comment *comment)
{
	enum plan_rc rc = PLAN_TAKEN;

	for (int i = 0; i < TRIES && rc == PLAN_TAKEN; i++)
		rc = create_as(plan, comment, id_new(plan->call->arena, plan->clock));
	if (rc == PLAN_ALREADY)
		comment->path = once_path(plan->found, comment->post->id);
	return rc;
}

static void
note_decision(struct plan *plan, const struct comment *comment, const char *what)
{
	audit_log(plan, AUDIT_COMMENT, comment->author,
	    STR_CONCAT(plan->call->arena, str_of(what), STR(", under “"),
		comment->post_title.len != 0 ? comment->post_title : comment->post, STR("”")));
}

/* --- Changing ---------------------------------------------------------------------------------------- */

bool
comment_editable(const struct comment *comment, int64_t now)
{
	return comment->created > now - EDITABLE_MS;
}

static void
keep_text(struct plan *plan, const struct comment *comment)
{
	struct arena *arena = plan->call->arena;
	struct item item = {.count = 0};

	key_set(arena, &item, key_comment_text(arena, comment->post, comment->id, plan->now),
	    ITEM_COMMENT_TEXT);
	key_index_comment_text(arena, &item, comment->author, plan->now, comment->id);
	item_set(arena, &item, STR("Author"), value_string(comment->author));
	item_set(arena, &item, STR("Comment"), value_string(comment->id));
	item_set(arena, &item, STR("CreatedAt"), value_string(time_format(arena, plan->now)));
	item_set(arena, &item, STR("Markdown"), value_string(comment->markdown));
	item_set(arena, &item, STR("Post"), value_string(comment->post));
	item_set(arena, &item, TABLE_EXPIRES, value_number(plan->now / 1000 + KEPT_SECONDS));
	plan_put(plan, item);
}

/* As it was read: nobody has decided on it, or edited it. */
static const struct condition *
is_as_read(struct arena *arena, const struct item *stored, const char *status)
{
	struct condition *both = ARENA_ARRAY(arena, 2, struct condition);
	struct condition *all = ARENA_NEW(arena, struct condition);

	both[0] = *has_status(arena, status);
	both[1] = (struct condition){.op = COND_EQ,
	    .name = STR("Markdown"),
	    .value = value_string(item_string(stored, STR("Markdown")))};
	*all = (struct condition){.op = COND_ALL, .children = both, .count = 2};
	return all;
}

enum plan_rc
comment_edit(struct plan *plan, const struct item *stored, struct str markdown, struct str html,
    int64_t renderer)
{
	struct arena *arena = plan->call->arena;
	struct change *changes = ARENA_ARRAY(arena, 4, struct change);
	struct comment comment;
	size_t count = 0;

	comment_from_item(arena, stored, &comment);
	changes[count++] = (struct change){CHANGE_SET, STR("Markdown"), value_string(markdown)};
	changes[count++] = (struct change){CHANGE_SET, STR("HTML"), value_string(html)};
	changes[count++] = (struct change){CHANGE_SET, STR("Renderer"), value_number(renderer)};
	/* Whoever decides on what waits is to have read it as it is. */
	if (comment.status == COMMENT_HELD || plan->now > comment.created + UNMARKED_MS)
		changes[count++] = (struct change){
		    CHANGE_SET, STR("UpdatedAt"), value_string(time_format(arena, plan->now))};
	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = item_key(stored),
		.changes = changes,
		.change_count = count,
		.condition =
		    is_as_read(arena, stored, comment.status == COMMENT_HELD ? "held" : "visible")},
	    PLAN_CHANGED);
	keep_text(plan, &comment);
	return plan_commit(plan);
}

enum plan_rc
comment_delete(struct plan *plan, const struct item *stored)
{
	static const char *const gone[] = {"Author", "AuthorName", "HTML", "Markdown", "Renderer"};
	enum { GONE = sizeof(gone) / sizeof(gone[0]) };
	struct arena *arena = plan->call->arena;
	struct change *changes = ARENA_ARRAY(arena, GONE + 6, struct change);
	struct comment comment;
	size_t count = 0;

	comment_from_item(arena, stored, &comment);
	if (comment.status == COMMENT_HELD)
		return comment_refuse(plan, stored);
	changes[count++] = (struct change){CHANGE_SET, STR("Status"), value_string(STR("deleted"))};
	changes[count++] = (struct change){
	    CHANGE_SET, STR("UpdatedAt"), value_string(time_format(arena, plan->now))};
	changes[count++] = (struct change){.op = CHANGE_REMOVE, .name = table_pk_name(TABLE_GSI1)};
	changes[count++] = (struct change){.op = CHANGE_REMOVE, .name = table_sk_name(TABLE_GSI1)};
	changes[count++] = (struct change){.op = CHANGE_REMOVE, .name = table_pk_name(TABLE_GSI3)};
	changes[count++] = (struct change){.op = CHANGE_REMOVE, .name = table_sk_name(TABLE_GSI3)};
	for (size_t i = 0; i < GONE; i++)
		changes[count++] = (struct change){.op = CHANGE_REMOVE, .name = str_of(gone[i])};
	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = item_key(stored),
		.changes = changes,
		.change_count = count,
		.condition = has_status(arena, "visible")},
	    PLAN_TAKEN);
	plan_recount(plan, stored, NULL);
	if (comment.parent.len == 0 && comment.replies == 0)
		tally_drop(plan, comment.post, comment.path);
	keep_text(plan, &comment);
	note_decision(plan, &comment, "deleted");
	return plan_commit(plan);
}

/* --- What waits -------------------------------------------------------------------------------------- */

/* Nothing of it changes but where it stands, and that it counts. */
enum plan_rc
comment_approve(struct plan *plan, const struct item *held)
{
	struct arena *arena = plan->call->arena;
	const struct str places[] = {table_sk_name(TABLE_GSI1), table_pk_name(TABLE_GSI3),
	    table_sk_name(TABLE_GSI3)};
	enum { PLACES = sizeof(places) / sizeof(places[0]) };
	struct change *changes = ARENA_ARRAY(arena, 1 + PLACES, struct change);
	struct item item = {.count = 0};
	struct comment comment;

	comment_from_item(arena, held, &comment);
	for (size_t i = 0; i < held->count; i++)
		item_set(arena, &item, held->attributes[i].name, held->attributes[i].value);
	key_index_comment(arena, &item, comment.author, comment.created, comment.id, false);
	item_set(arena, &item, STR("Status"), value_string(STR("visible")));
	changes[0] = (struct change){CHANGE_SET, STR("Status"), value_string(STR("visible"))};
	for (size_t i = 0; i < PLACES; i++)
		changes[1 + i] = (struct change){
		    CHANGE_SET, places[i], value_string(item_string(&item, places[i]))};
	plan_add(plan,
	    (struct write){.kind = WRITE_UPDATE,
		.key = item_key(held),
		.changes = changes,
		.change_count = 1 + PLACES,
		.condition = is_as_read(arena, held, "held")},
	    PLAN_TAKEN);
	tally_add(plan, comment.post, comment.path, false);
	plan_recount(plan, NULL, &item);
	note_decision(plan, &comment, "approved");
	return plan_commit(plan);
}

/* Nobody has seen it, nothing counts it, and nothing answers it. */
enum plan_rc
comment_refuse(struct plan *plan, const struct item *held)
{
	struct comment comment;

	comment_from_item(plan->call->arena, held, &comment);
	plan_add(plan,
	    (struct write){.kind = WRITE_DELETE,
		.key = item_key(held),
		.condition = has_status(plan->call->arena, "held")},
	    PLAN_TAKEN);
	note_decision(plan, &comment, "refused");
	return plan_commit(plan);
}

/* Slugs, autosaves, and the end of a post. */
#include "writing_shared.h"

#include "base/arena.h"
#include "model/post/autosave.h"

/* --- Slugs ----------------------------------------------------------------------------------------- */

static void
slugs(struct desk_place *p)
{
	struct draft other = draft_of("slack-water", KIND_NOTE);
	struct written w;
	struct draft draft;
	struct item *claim;

	is_int(writing_create(&p->plan, &other), PLAN_TAKEN, "a slug is one post's");
	other.any_slug = true;
	is_int(writing_create(&p->plan, &other), PLAN_DONE, "... another one gets the next");
	is_str(other.post.id, STR("slack-water-2"), "... with a number");
	w = stored(p, "slack-water");
	draft = draft_from(&w);
	draft.post.slug = STR("still-water");
	is_int(writing_save(&p->plan, &w, &draft), PLAN_DONE, "a new slug");
	is_str(draft.post.id, STR("slack-water"), "... the id stays");
	table_get(p->table, &p->call, key_slug(p->arena, STR("slack-water")), &claim);
	is_str(item_string(claim, STR("Post")), STR("slack-water"), "... the old slug leads to it");
	table_get(p->table, &p->call, key_slug(p->arena, STR("still-water")), &claim);
	is_str(item_string(claim, STR("Post")), STR("slack-water"), "... as the new one does");
	other = draft_of("slack-water", KIND_NOTE);
	is_int(writing_create(&p->plan, &other), PLAN_TAKEN, "nobody else gets the old one");
	w = stored(p, "slack-water");
	draft = draft_from(&w);
	draft.post.slug = STR("slack-water-2");
	is_int(writing_save(&p->plan, &w, &draft), PLAN_TAKEN, "nor this one somebody's");
	draft.post.slug = STR("slack-water");
	is_int(writing_save(&p->plan, &w, &draft), PLAN_DONE, "it may go back to its own");
	is_whole(p, "changes of address");
}

/* --- The end --------------------------------------------------------------------------------------- */

/* A post whose category is deleted while the post is deleted. */
static void
without_its_shelf(struct desk_place *p)
{
	struct write gone = {.kind = WRITE_DELETE, .key = key_category_count(STR("shelf"))};
	struct draft draft = draft_of("shelved", KIND_NOTE);
	struct written w;
	struct post post;

	add_category(p, "shelf");
	draft.post.category = STR("shelf");
	draft.post.status = STATUS_PUBLISHED;
	writing_create(&p->plan, &draft);
	w = stored(p, "shelved");
	writing_delete(&p->plan, &w, 1, &post);
	table_write(p->table, &p->call, &gone);
	w = stored(p, "shelved");
	is_int(writing_undelete(&p->plan, &w, &post), PLAN_DONE,
	    "had back though its category is gone");
	is_str(post.category, STR(""), "... without one");
	is_whole(p, "that");
	w = stored(p, "shelved");
	writing_delete(&p->plan, &w, 3, &post);
}

static void
deleted(struct desk_place *p)
{
	struct written w = stored(p, "slack-water");
	int64_t version = w.post.version, published = w.post.published;
	struct draft draft = draft_of("slack-water", KIND_NOTE);
	struct post post;

	is_int(
	    writing_delete(&p->plan, &w, version - 1, &post), PLAN_CHANGED, "not what has changed");
	is_int(writing_delete(&p->plan, &w, version, &post), PLAN_DONE, "deleted");
	ok(post_gone(&post, p->plan.now), "... its address says that it is gone");
	is_int((int64_t)on_desk(p, "ann", DESK_DELETED), 3, "... its author can have it back");
	is_whole(p, "a deletion");
	w = stored(p, "slack-water");
	is_int(writing_delete(&p->plan, &w, version + 1, &post), PLAN_CHANGED, "once is enough");
	is_int(writing_undelete(&p->plan, &w, &post), PLAN_DONE, "had back");
	is_int(post.status, STATUS_PUBLISHED, "... as it was");
	is_int(post.published, published, "... under its old time");
	is_whole(p, "an undeletion");
	let_pass(p, DELETED_KEPT_MS + MINUTE);
	w = stored(p, "slack-water");
	ok(w.body_item != NULL, "... and it stays after all the time there was");
	is_int(writing_delete(&p->plan, &w, w.post.version, &post), PLAN_DONE, "deleted again");
	let_pass(p, DELETED_KEPT_MS - MINUTE);
	w = stored(p, "slack-water");
	ok(written_kept(&w, p->plan.now), "a minute before its time is up it is kept");
	let_pass(p, 2 * MINUTE);
	w = stored(p, "slack-water");
	ok(w.body_item == NULL, "then its text is gone");
	is_int(writing_undelete(&p->plan, &w, &post), PLAN_GONE, "... and can't be had back");
	is_int((int64_t)on_desk(p, "ann", DESK_DELETED), 0, "... nor is it offered");
	is_int(writing_create(&p->plan, &draft), PLAN_TAKEN, "... its slug is nobody's for ever");
	ok(post_gone(&w.post, p->plan.now), "... and its address still says so");
}

/* --- Autosaves ------------------------------------------------------------------------------------- */

static bool
autosaved(struct desk_place *p, const char *post, struct autosave *out)
{
	const struct autosave mine = {
	    .username = STR("ann"), .post = str_of(post), .kind = KIND_NOTE};
	struct item *item = NULL;

	table_get(p->table, &p->call, autosave_key(p->arena, &mine), &item);
	if (item != NULL)
		autosave_from_item(p->arena, item, out);
	return item != NULL;
}

static enum table_rc
autosave(struct desk_place *p, const struct autosave *autosave)
{
	struct write writes[AUTOSAVE_WRITES];
	size_t count = autosave_put(p->arena, autosave, STR("Half a ti"), p->plan.now, writes);

	return table_write_each(p->table, &p->call, writes, count);
}

/* Of how many stored posts it is said that something is not saved. */
static size_t
said_unsaved(struct desk_place *p)
{
	struct read read = {.kind = READ_QUERY, .query = query_unsaved(p->arena, STR("ann"))};

	read.query.limit = 10;
	table_read(p->table, &p->call, &read, 1);
	return read.found_count;
}

static void
autosaves(struct desk_place *p)
{
	static const struct str inputs[] = {
	    STR_INIT("title"), STR_INIT("Half a ti"), STR_INIT("markdown"), STR_INIT("")};
	struct autosave saved = {
	    .username = STR("ann"), .kind = KIND_NOTE, .inputs = {inputs, 4}, .version = 3};
	struct draft draft = draft_of("autosaved", KIND_NOTE);
	struct autosave got;
	struct written w;

	is_int(autosave(p, &saved), TABLE_OK, "what is typed of a new post");
	ok(autosaved(p, "", &got), "... is kept");
	is_int((int64_t)got.inputs.count, 4, "... as it was typed, empty or not");
	is_str(got.inputs.strings[1], STR("Half a ti"), "... every word");
	is_int((int64_t)said_unsaved(p), 0, "... and is listed by itself");
	writing_create(&p->plan, &draft);
	ok(!autosaved(p, "", &got), "... until it is saved");
	saved.post = STR("autosaved");
	autosave(p, &saved);
	is_int(autosave(p, &saved), TABLE_OK, "the next one takes its place");
	is_str(stored(p, "autosaved").body.markdown, STR("First.\n"), "the post does not know");
	ok(autosaved(p, "autosaved", &got) && got.version == 3, "it knows where it began");
	is_int((int64_t)said_unsaved(p), 1, "... and is said of its post once");
	w = stored(p, "autosaved");
	draft = draft_from(&w);
	writing_save(&p->plan, &w, &draft);
	ok(!autosaved(p, "autosaved", &got) && said_unsaved(p) == 0, "... and goes with the next save");
}

void
writing_ends(struct desk_place *p)
{
	slugs(p);
	autosaves(p);
	deleted(p);
	without_its_shelf(p);
}

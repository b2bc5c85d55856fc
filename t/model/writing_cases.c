/*
 * Posts from their first draft to their end: every state, what follows from each, two who write at once,
 * a storm of writers, and a table that fails.
 */
#include "writing_cases.h"

#include "../failing_table.h"
#include "../tap.h"
#include "base/arena.h"
#include "base/buf.h"
#include "model/account.h"
#include "model/autosave.h"
#include "model/key_post.h"
#include "model/media.h"
#include "model/posts.h"
#include "model/revision.h"

#include <pthread.h>
#include <sodium.h>

static const int64_t NOW = 1795000000000;
enum { MINUTE = 60000, CROWD = 16, STORM_POSTS = 4, STORM_TURNS = 30 };

/* --- The place ------------------------------------------------------------------------------------- */

static void
add_person(struct desk_place *p, const char *name)
{
	struct accounts a = {.table = p->table, .call = &p->call, .now = NOW};
	const struct new_account new = {.username = str_of(name),
	    .email = STR_CONCAT(p->arena, str_of(name), STR("@example.org")),
	    .role = ROLE_AUTHOR,
	    .status = USER_ACTIVE};

	if (account_create(&a, &new) != ACCOUNT_DONE)
		bail_out("no %s", name);
}

static void
add_category(struct desk_place *p, const char *slug)
{
	struct item item = {.count = 0};

	key_set(p->arena, &item, key_category(p->arena, str_of(slug)), STR("Category"));
	item_set(p->arena, &item, STR("Slug"), value_string(str_of(slug)));
	table_put(p->table, &p->call, item);
}

static void
place_open(struct desk_place *p, const struct harness *harness)
{
	*p = (struct desk_place){.arena = arena_new(), .clock = clock_fixed(NOW, 7)};
	p->table = harness->open(harness->context, &p->clock);
	if (p->table == NULL)
		bail_out("no table");
	p->call = (struct table_call){.arena = p->arena};
	p->w = (struct writings){.table = p->table,
	    .call = &p->call,
	    .now = NOW,
	    .by = STR("ann"),
	    .by_name = STR("Ann")};
	add_person(p, "ann");
	add_person(p, "bob");
	add_category(p, "tides");
	add_category(p, "town");
}

static void
place_close(struct desk_place *p, const struct harness *harness)
{
	table_close(p->table);
	if (harness->closed != NULL)
		harness->closed(harness->context);
	arena_free(p->arena);
}

static void
pass(struct desk_place *p, int64_t ms)
{
	p->w.now += ms;
	p->clock.fixed_now += ms;
}

static void
is_whole(struct desk_place *p, const char *after)
{
	const char *flaw = table_flaw(p->arena, p->table);

	if (!ok(flaw == NULL, "the table is whole after %s", after))
		printf("# %s\n", flaw);
}

static struct draft
draft_of(const char *slug, enum post_kind kind)
{
	static const struct str tags[] = {STR_INIT("rope"), STR_INIT("weather")};

	return (struct draft){.post = {.slug = str_of(slug),
				  .title = STR("A title"),
				  .kind = kind,
				  .author = STR("ann"),
				  .author_name = STR("Ann"),
				  .category = STR("tides"),
				  .tags = {tags, 2},
				  .visibility = VISIBILITY_PUBLIC},
	    .body = {.markdown = STR("First.\n"), .html = STR("<p>First.</p>\n"), .renderer = 1}};
}

static struct written
stored(struct desk_place *p, const char *id)
{
	struct written written;
	bool there;

	if (written_get(&p->w, str_of(id), &written, &there) != TABLE_OK || !there)
		bail_out("%s is not there", id);
	return written;
}

/* What is stored, to be changed and saved. */
static struct draft
draft_from(const struct written *written)
{
	return (struct draft){.post = written->post, .body = written->body};
}

static int64_t
posts_of(struct desk_place *p, struct key key)
{
	struct item *item = NULL;

	table_get(p->table, &p->call, key, &item);
	return item != NULL ? item_number(item, STR("Posts")) : -1;
}

static size_t
on_desk(struct desk_place *p, const char *who, enum desk section)
{
	struct query query = query_desk(p->arena, str_of(who), section, p->w.now);
	struct item *found;
	struct str next;
	size_t count = 99;

	query.limit = 50;
	table_query(p->table, &p->call, &query, &found, &count, &next);
	return count;
}

/* How many posts a stranger finds. */
static size_t
in_list(struct desk_place *p, enum posts_of of, const char *name)
{
	struct posts_query query = {.of = of, .name = str_of(name), .limit = 20};
	struct read read;
	struct posts posts;

	posts_prepare(p->arena, &query, p->w.now, &read);
	table_read(p->table, &p->call, &read, 1);
	if (of == POSTS_OF_TAG)
		return read.found_count;
	posts_take(p->arena, &query, &read, NULL, p->w.now, &posts);
	return posts.count;
}

/* --- A life ---------------------------------------------------------------------------------------- */

static void
first_draft(struct desk_place *p)
{
	struct draft draft = draft_of("slack-water", KIND_ARTICLE);
	struct written w;

	draft.post.published = NOW - 5;
	draft.post.planned = NOW + MINUTE;
	is_int(writing_create(&p->w, &draft), WRITING_DONE, "a draft");
	is_str(draft.post.id, STR("slack-water"), "... has its slug as id");
	w = stored(p, "slack-water");
	is_int(w.post.version, 1, "... in its first version");
	is_int(w.post.published, 0, "... and has not been published");
	is_int(w.post.planned, NOW + MINUTE, "... but there is a plan");
	is_int(w.post.created, NOW, "... created now");
	is_str(w.body.html, STR("<p>First.</p>\n"), "... its text rendered");
	is_int((int64_t)on_desk(p, "ann", DESK_DRAFTS), 1, "its author finds it");
	is_int((int64_t)in_list(p, POSTS_ALL, ""), 0, "nobody else does");
	is_int(posts_of(p, key_tag(p->arena, STR("rope"))), -1, "its tags are not there yet");
	is_whole(p, "a first draft");
}

static void
published(struct desk_place *p)
{
	struct written w = stored(p, "slack-water");
	struct post post;

	is_int(writing_publish(&p->w, &w, 1, p->w.now, &post), WRITING_DONE, "published");
	is_int(post.published, p->w.now, "... now");
	is_int((int64_t)in_list(p, POSTS_ALL, ""), 1, "... for all");
	is_int((int64_t)in_list(p, POSTS_OF_CATEGORY, "tides"), 1, "... in its category");
	is_int((int64_t)in_list(p, POSTS_OF_TAG, "rope"), 1, "... at its tag");
	is_int((int64_t)in_list(p, POSTS_OF_AUTHOR, "ann"), 1, "... at its author");
	is_int(posts_of(p, key_user(p->arena, STR("ann"))), 1, "... and counted there");
	is_int(posts_of(p, key_tag(p->arena, STR("rope"))), 1, "... as at its tags");
	is_int(stored(p, "slack-water").post.revisions, 1, "no revision: no text was saved");
	is_whole(p, "publishing");
}

static void
edited(struct desk_place *p)
{
	static const struct str tags[] = {STR_INIT("rope"), STR_INIT("knots"), STR_INIT("rope")};
	struct written w = stored(p, "slack-water");
	struct draft draft = draft_from(&w);
	struct post_body second = {.markdown = STR("Second.\n"), .renderer = 1};

	pass(p, MINUTE);
	draft.body = second;
	draft.post.category = STR("town");
	draft.post.tags = (struct strings_value){tags, 3};
	draft.post.likes = 77;
	draft.post.author = STR("bob");
	is_int(writing_save(&p->w, &w, &draft), WRITING_DONE, "text, category and tags changed");
	is_int(draft.post.version, 3, "... the third version");
	is_int(draft.post.likes, 0, "... its counts are the table's");
	is_str(draft.post.author, STR("ann"), "... and so is its author");
	is_int(draft.post.published, w.post.published, "... published when it was");
	is_int(draft.post.updated, p->w.now, "... and changed now");
	is_int(posts_of(p, key_category(p->arena, STR("tides"))), 0, "one post less there");
	is_int(posts_of(p, key_category(p->arena, STR("town"))), 1, "... one more here");
	is_int(posts_of(p, key_tag(p->arena, STR("weather"))), 0, "a tag without posts");
	is_int(posts_of(p, key_tag(p->arena, STR("rope"))), 1, "one named twice counts once");
	is_whole(p, "an edit");
	draft = draft_from(&w);
	is_int(
	    writing_save(&p->w, &w, &draft), WRITING_CHANGED, "who has not seen it saves nothing");
	is_str(stored(p, "slack-water").body.markdown, STR("Second.\n"), "... and changes nothing");
	w = stored(p, "slack-water");
	draft = draft_from(&w);
	draft.post.version = 1;
	is_int(
	    writing_save(&p->w, &w, &draft), WRITING_CHANGED, "... nor by naming an old version");
}

static void
revisions(struct desk_place *p)
{
	struct query query = query_revisions(p->arena, STR("slack-water"));
	struct revision first, second;
	struct written w = stored(p, "slack-water");
	struct draft draft = draft_from(&w);
	struct item *found;
	struct str next;
	size_t count;

	query.limit = 10;
	table_query(p->table, &p->call, &query, &found, &count, &next);
	is_int((int64_t)count, 2, "each save of the text made a revision");
	revision_from_item(p->arena, &found[0], &first);
	revision_from_item(p->arena, &found[1], &second);
	is_int(first.number, 1, "... the first");
	is_str(first.body.markdown, STR("First.\n"), "... with what was written");
	is_str(first.body.html, STR(""), "... and no HTML");
	is_str(first.by, STR("ann"), "... by whom");
	is_str(first.post.category, STR("tides"), "... where it was to stand");
	is_int(second.number, 2, "... and the second");
	revision_apply(&first, &draft);
	is_str(draft.body.markdown, STR("First.\n"), "the first one's text again");
	is_int((int64_t)draft.post.tags.count, 2, "... and its tags");
	is_int(draft.post.version, w.post.version, "... for a save of today's version");
}

/* A post that was there before there were revisions. */
static void
older_post(struct desk_place *p)
{
	struct draft draft = draft_of("from-a-seed", KIND_NOTE);
	struct written w;
	struct item head;
	struct query query = query_revisions(p->arena, STR("from-a-seed"));
	struct revision first;
	struct item *found;
	struct str next;
	size_t count;
	struct write gone = {
	    .kind = WRITE_DELETE, .key = key_revision(p->arena, STR("from-a-seed"), 1)};

	writing_create(&p->w, &draft);
	w = stored(p, "from-a-seed");
	head = item_shallow(p->arena, w.head_item);
	item_remove(&head, STR("Version"));
	item_remove(&head, STR("Revisions"));
	table_put(p->table, &p->call, head);
	table_write(p->table, &p->call, &gone);
	w = stored(p, "from-a-seed");
	draft = draft_from(&w);
	draft.body = (struct post_body){.markdown = STR("New.\n")};
	is_int(writing_save(&p->w, &w, &draft), WRITING_DONE, "a post without a version");
	is_int(draft.post.version, 1, "... gets one");
	is_int(draft.post.revisions, 2, "... and two revisions");
	query.limit = 10;
	table_query(p->table, &p->call, &query, &found, &count, &next);
	revision_from_item(p->arena, &found[0], &first);
	is_int((int64_t)count, 2, "... that are there");
	is_str(first.body.markdown, STR("First.\n"), "... the first is what it said before");
	w = stored(p, "from-a-seed");
	is_int(writing_delete(&p->w, &w, 1, &draft.post), WRITING_DONE, "... deleted as a draft");
}

/* --- States ---------------------------------------------------------------------------------------- */

static void
scheduled(struct desk_place *p)
{
	struct draft draft = draft_of("tomorrow", KIND_HOWTO);
	struct written w;
	struct post post;

	draft.post.status = STATUS_PUBLISHED;
	draft.post.published = p->w.now + MINUTE;
	is_int(writing_create(&p->w, &draft), WRITING_DONE, "one that is to appear in a minute");
	is_int((int64_t)on_desk(p, "ann", DESK_SCHEDULED), 1, "... is on its author's desk");
	is_int((int64_t)in_list(p, POSTS_OF_CATEGORY, "tides"), 0, "... in no list");
	pass(p, MINUTE - 1);
	is_int((int64_t)in_list(p, POSTS_OF_CATEGORY, "tides"), 0, "... nor a moment before");
	pass(p, 1);
	is_int((int64_t)in_list(p, POSTS_OF_CATEGORY, "tides"), 1, "... appears at its minute");
	is_int((int64_t)on_desk(p, "ann", DESK_SCHEDULED), 0, "... and is scheduled no more");
	is_whole(p, "scheduling");

	draft = draft_of("never", KIND_NOTE);
	draft.post.status = STATUS_PUBLISHED;
	draft.post.published = p->w.now + MINUTE;
	writing_create(&p->w, &draft);
	w = stored(p, "never");
	is_int(writing_unpublish(&p->w, &w, 1, &post), WRITING_DONE, "called off in time");
	is_int(post.status, STATUS_DRAFT, "... it is a draft again");
	is_int(post.planned, p->w.now + MINUTE, "... with its time as a plan");
	is_int(post.published, 0, "... and was never published");
	w = stored(p, "never");
	writing_delete(&p->w, &w, 2, &post);
	ok(!post_gone(&post, p->w.now + 10 * MINUTE), "... nor is it ever said to be gone");
	is_whole(p, "calling off");
}

static void
unpublished(struct desk_place *p)
{
	struct written w = stored(p, "tomorrow");
	int64_t first = w.post.published;
	struct post post;

	pass(p, MINUTE);
	is_int(writing_unpublish(&p->w, &w, 1, &post), WRITING_DONE, "taken back");
	is_int(post.status, STATUS_UNPUBLISHED, "... it is unpublished");
	is_int((int64_t)in_list(p, POSTS_OF_CATEGORY, "tides"), 0, "... in no list");
	is_int((int64_t)in_list(p, POSTS_OF_TAG, "rope"), 1, "... at no tag");
	is_int((int64_t)on_desk(p, "ann", DESK_UNPUBLISHED), 1, "... on its author's desk");
	is_whole(p, "unpublishing");
	w = stored(p, "tomorrow");
	is_int(writing_publish(&p->w, &w, 2, first, &post), WRITING_DONE, "published again");
	is_int(post.published, first, "... under its old time");
	is_whole(p, "publishing again");
}

static void
closed(struct desk_place *p)
{
	struct written w = stored(p, "tomorrow");
	struct draft draft = draft_from(&w);

	draft.post.visibility = VISIBILITY_PRIVATE;
	is_int(writing_save(&p->w, &w, &draft), WRITING_DONE, "for its author alone");
	is_int((int64_t)on_desk(p, "ann", DESK_CLOSED), 1, "... among what is closed");
	is_int((int64_t)in_list(p, POSTS_OF_AUTHOR, "ann"), 1, "... the other one is still public");
	is_whole(p, "closing");
	w = stored(p, "tomorrow");
	draft = draft_from(&w);
	draft.post.visibility = VISIBILITY_PUBLIC;
	is_int(writing_save(&p->w, &w, &draft), WRITING_DONE, "for all again");
	is_whole(p, "opening");
}

static void
with_others(struct desk_place *p)
{
	static const struct coauthor bob[] = {{STR_INIT("bob"), STR_INIT("Bob")}};
	static const struct coauthor nobody[] = {{STR_INIT("nobody"), STR_INIT("Nobody")}};
	struct written w = stored(p, "tomorrow");
	struct draft draft = draft_from(&w);

	draft.post.others = nobody;
	draft.post.other_count = 1;
	is_int(writing_save(&p->w, &w, &draft), WRITING_NO_AUTHOR, "not with somebody who is not");
	draft = draft_from(&w);
	draft.post.others = bob;
	draft.post.other_count = 1;
	is_int(writing_save(&p->w, &w, &draft), WRITING_DONE, "written together with bob");
	is_int((int64_t)in_list(p, POSTS_OF_AUTHOR, "bob"), 1, "... among what he has written");
	is_int((int64_t)on_desk(p, "bob", DESK_PUBLISHED), 1, "... and on his desk");
	is_int(posts_of(p, key_user(p->arena, STR("bob"))), 1, "... and counted");
	is_int((int64_t)in_list(p, POSTS_ALL, ""), 2, "... once in the list of all");
	is_whole(p, "adding an author");
	w = stored(p, "tomorrow");
	draft = draft_from(&w);
	draft.post.other_count = 0;
	is_int(writing_save(&p->w, &w, &draft), WRITING_DONE, "alone again");
	is_int((int64_t)in_list(p, POSTS_OF_AUTHOR, "bob"), 0, "... he has nothing");
	is_whole(p, "removing an author");
}

static void
categories(struct desk_place *p)
{
	struct write gone = {.kind = WRITE_DELETE, .key = key_category(p->arena, STR("brief"))};
	struct draft draft = draft_of("in-nothing", KIND_NOTE);
	struct written w;

	draft.post.category = STR("nowhere");
	draft.post.status = STATUS_PUBLISHED;
	is_int(writing_create(&p->w, &draft), WRITING_NO_CATEGORY, "not into what is not there");
	add_category(p, "brief");
	draft.post.category = STR("brief");
	is_int(writing_create(&p->w, &draft), WRITING_DONE, "into one that is");
	table_write(p->table, &p->call, &gone);
	w = stored(p, "in-nothing");
	draft = draft_from(&w);
	draft.post.category = STR("");
	is_int(writing_save(&p->w, &w, &draft), WRITING_DONE, "out of one that has gone meanwhile");
	is_whole(p, "a category's end");
}

static void
pages(struct desk_place *p)
{
	struct draft draft = draft_of("imprint", KIND_PAGE);
	struct query query = query_pages();
	struct item *found;
	struct str next;
	size_t count;

	draft.post.category = STR("");
	draft.post.tags.count = 0;
	draft.post.status = STATUS_PUBLISHED;
	is_int(writing_create(&p->w, &draft), WRITING_DONE, "a page");
	query.limit = 10;
	table_query(p->table, &p->call, &query, &found, &count, &next);
	is_int((int64_t)count, 1, "... is among the pages");
	is_int((int64_t)on_desk(p, "ann", DESK_PAGES), 1, "... on a desk");
	is_whole(p, "a page");
}

/* --- Slugs ----------------------------------------------------------------------------------------- */

static void
slugs(struct desk_place *p)
{
	struct draft other = draft_of("slack-water", KIND_NOTE);
	struct written w;
	struct draft draft;
	struct item *claim;

	is_int(writing_create(&p->w, &other), WRITING_SLUG_TAKEN, "a slug is one post's");
	other.any_slug = true;
	is_int(writing_create(&p->w, &other), WRITING_DONE, "... another one gets the next");
	is_str(other.post.id, STR("slack-water-2"), "... with a number");
	w = stored(p, "slack-water");
	draft = draft_from(&w);
	draft.post.slug = STR("still-water");
	is_int(writing_save(&p->w, &w, &draft), WRITING_DONE, "a new slug");
	is_str(draft.post.id, STR("slack-water"), "... the id stays");
	table_get(p->table, &p->call, key_slug(p->arena, STR("slack-water")), &claim);
	is_str(item_string(claim, STR("Post")), STR("slack-water"), "... the old slug leads to it");
	table_get(p->table, &p->call, key_slug(p->arena, STR("still-water")), &claim);
	is_str(item_string(claim, STR("Post")), STR("slack-water"), "... as the new one does");
	other = draft_of("slack-water", KIND_NOTE);
	is_int(writing_create(&p->w, &other), WRITING_SLUG_TAKEN, "nobody else gets the old one");
	w = stored(p, "slack-water");
	draft = draft_from(&w);
	draft.post.slug = STR("slack-water-2");
	is_int(writing_save(&p->w, &w, &draft), WRITING_SLUG_TAKEN, "nor this one somebody's");
	draft.post.slug = STR("slack-water");
	is_int(writing_save(&p->w, &w, &draft), WRITING_DONE, "it may go back to its own");
	is_whole(p, "changes of address");
}

/* --- Pictures -------------------------------------------------------------------------------------- */

#define HARBOUR "0123456789abcdef0123456789abcdef"
#define BOAT "fedcba9876543210fedcba9876543210"

/* What the table says of a picture's use: "<post> <title>" for each. */
static struct str
uses(struct desk_place *p, const char *hash)
{
	struct query query = query_media_uses(p->arena, str_of(hash));
	struct buf out = {.arena = p->arena};
	struct item *found;
	struct str next;
	size_t count;

	query.limit = 10;
	if (table_query(p->table, &p->call, &query, &found, &count, &next) != TABLE_OK)
		bail_out("the uses can't be read");
	for (size_t i = 0; i < count; i++) {
		struct media_use use;

		media_use_from_item(p->arena, &found[i], &use);
		buf_fmt(&out, "%s%.*s %.*s", i != 0 ? ", " : "", STR_ARGS(use.post),
		    STR_ARGS(use.title));
	}
	return buf_str(&out);
}

static void
pictures(struct desk_place *p)
{
	struct draft draft = draft_of("with-pictures", KIND_ARTICLE);
	struct written old;

	draft.body.markdown = STR("![A harbour](/media/" HARBOUR "-1600x900.jpg)");
	is_int(writing_create(&p->w, &draft), WRITING_DONE, "a post with a picture");
	is_str(uses(p, HARBOUR), STR("with-pictures A title"), "... is noted beside the picture");
	old = stored(p, "with-pictures");
	draft = draft_from(&old);
	draft.post.title = STR("Boats");
	draft.post.thumbnail.url = STR("/media/" BOAT "-480x270.jpg");
	is_int(writing_save(&p->w, &old, &draft), WRITING_DONE,
	    "... with another title and thumbnail");
	is_str(uses(p, HARBOUR), STR("with-pictures Boats"), "... is noted anew");
	is_str(uses(p, BOAT), STR("with-pictures Boats"), "... beside both");
	old = stored(p, "with-pictures");
	draft = draft_from(&old);
	draft.body.markdown = STR("No harbour.");
	is_int(writing_save(&p->w, &old, &draft), WRITING_DONE, "... without the first one");
	is_str(uses(p, HARBOUR), STR(""), "... leaves that one");
	is_str(uses(p, BOAT), STR("with-pictures Boats"), "... and not the other");
	old = stored(p, "with-pictures");
	is_int(writing_delete(&p->w, &old, old.post.version, &draft.post), WRITING_DONE, "deleted");
	is_str(
	    uses(p, BOAT), STR("with-pictures Boats"), "... it still uses it, as it may come back");
	pass(p, DELETED_KEPT_MS - MINUTE);
	old = stored(p, "with-pictures");
	is_int(writing_undelete(&p->w, &old, &draft.post), WRITING_DONE, "which it does");
	pass(p, 2 * MINUTE);
	is_str(uses(p, BOAT), STR("with-pictures Boats"), "... to stay");
	old = stored(p, "with-pictures");
	is_int(writing_delete(&p->w, &old, old.post.version, &draft.post), WRITING_DONE,
	    "deleted again");
	pass(p, DELETED_KEPT_MS + MINUTE);
	is_str(uses(p, BOAT), STR(""), "... and for good: then it uses nothing");
}

static void
long_slugs(struct desk_place *p)
{
	char longest[101];
	struct draft draft;

	memset(longest, 'a', 100);
	longest[100] = '\0';
	draft = draft_of(longest, KIND_NOTE);
	writing_create(&p->w, &draft);
	draft = draft_of(longest, KIND_NOTE);
	draft.any_slug = true;
	is_int(writing_create(&p->w, &draft), WRITING_DONE, "the longest slug, once more");
	ok(slug_valid(draft.post.slug) && str_ends(draft.post.slug, STR("a-2")),
	    "... is cut for its number");
}

/* --- The end --------------------------------------------------------------------------------------- */

static void
deleted(struct desk_place *p)
{
	struct written w = stored(p, "slack-water");
	int64_t version = w.post.version, published = w.post.published;
	struct draft draft = draft_of("slack-water", KIND_NOTE);
	struct post post;

	is_int(
	    writing_delete(&p->w, &w, version - 1, &post), WRITING_CHANGED, "not what has changed");
	is_int(writing_delete(&p->w, &w, version, &post), WRITING_DONE, "deleted");
	ok(post_gone(&post, p->w.now), "... its address says that it is gone");
	is_int((int64_t)on_desk(p, "ann", DESK_DELETED), 3, "... its author can have it back");
	is_whole(p, "a deletion");
	w = stored(p, "slack-water");
	is_int(writing_delete(&p->w, &w, version + 1, &post), WRITING_CHANGED, "once is enough");
	is_int(writing_undelete(&p->w, &w, &post), WRITING_DONE, "had back");
	is_int(post.status, STATUS_PUBLISHED, "... as it was");
	is_int(post.published, published, "... under its old time");
	is_whole(p, "an undeletion");
	pass(p, DELETED_KEPT_MS + MINUTE);
	w = stored(p, "slack-water");
	ok(w.body_item != NULL, "... and it stays after all the time there was");
	is_int(writing_delete(&p->w, &w, w.post.version, &post), WRITING_DONE, "deleted again");
	pass(p, DELETED_KEPT_MS - MINUTE);
	w = stored(p, "slack-water");
	ok(written_kept(&w, p->w.now), "a minute before its time is up it is kept");
	pass(p, 2 * MINUTE);
	w = stored(p, "slack-water");
	ok(w.body_item == NULL, "then its text is gone");
	is_int(writing_undelete(&p->w, &w, &post), WRITING_GONE, "... and can't be had back");
	is_int((int64_t)on_desk(p, "ann", DESK_DELETED), 0, "... nor is it offered");
	is_int(
	    writing_create(&p->w, &draft), WRITING_SLUG_TAKEN, "... its slug is nobody's for ever");
	ok(post_gone(&w.post, p->w.now), "... and its address still says so");
}

static void
revisions_expire(struct desk_place *p)
{
	struct draft draft = draft_of("of-many-revisions", KIND_NOTE);
	struct query query = query_revisions(p->arena, STR("of-many-revisions"));
	struct written w;
	struct item *found;
	struct str next;
	struct post post;
	size_t count, expiring = 0;

	writing_create(&p->w, &draft);
	for (int i = 0; i < 60; i++) {
		w = stored(p, "of-many-revisions");
		draft = draft_from(&w);
		if (writing_save(&p->w, &w, &draft) != WRITING_DONE)
			bail_out("save %d", i);
	}
	w = stored(p, "of-many-revisions");
	writing_delete(&p->w, &w, w.post.version, &post);
	query.limit = 100;
	table_query(p->table, &p->call, &query, &found, &count, &next);
	for (size_t i = 0; i < count; i++)
		expiring += item_get(&found[i], TABLE_EXPIRES) != NULL;
	is_int((int64_t)expiring, 61, "all revisions of a deleted post expire");
	w = stored(p, "of-many-revisions");
	is_int(writing_undelete(&p->w, &w, &post), WRITING_DONE, "had back");
	pass(p, 2 * DELETED_KEPT_MS);
	table_query(p->table, &p->call, &query, &found, &count, &next);
	is_int((int64_t)count, 61, "... all of them stay");
}

/* --- Autosaves ------------------------------------------------------------------------------------- */

static bool
autosaved(struct desk_place *p, const char *post, struct autosave *out)
{
	struct item *item = NULL;

	table_get(
	    p->table, &p->call, autosave_key(p->arena, STR("ann"), str_of(post), KIND_NOTE), &item);
	if (item != NULL)
		autosave_from_item(p->arena, item, out);
	return item != NULL;
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
	struct write put = autosave_put(p->arena, &saved, p->w.now);

	is_int(table_write(p->table, &p->call, &put), TABLE_OK, "what is typed of a new post");
	ok(autosaved(p, "", &got), "... is kept");
	is_int((int64_t)got.inputs.count, 4, "... as it was typed, empty or not");
	is_str(got.inputs.strings[1], STR("Half a ti"), "... every word");
	writing_create(&p->w, &draft);
	ok(!autosaved(p, "", &got), "... until it is saved");
	saved.post = STR("autosaved");
	put = autosave_put(p->arena, &saved, p->w.now);
	table_write(p->table, &p->call, &put);
	put = autosave_put(p->arena, &saved, p->w.now);
	is_int(table_write(p->table, &p->call, &put), TABLE_OK, "the next one takes its place");
	is_str(stored(p, "autosaved").body.markdown, STR("First.\n"), "the post does not know");
	ok(autosaved(p, "autosaved", &got) && got.version == 3, "it knows where it began");
	w = stored(p, "autosaved");
	draft = draft_from(&w);
	writing_save(&p->w, &w, &draft);
	ok(!autosaved(p, "autosaved", &got), "... and goes with the next save");
}

static void
too_long(struct desk_place *p)
{
	size_t size = 390 * 1024;
	char *text = arena_alloc(p->arena, size);
	struct draft draft = draft_of("endless", KIND_ARTICLE);

	memset(text, 'a', size);
	draft.body.markdown = (struct str){text, size};
	draft.body.html = (struct str){text, size};
	is_int(writing_create(&p->w, &draft), WRITING_TOO_LONG, "a text that no item holds");
	draft.body.html = STR("");
	is_int(writing_create(&p->w, &draft), WRITING_DONE, "... one that just fits");
}

/* --- At once --------------------------------------------------------------------------------------- */

struct racer {
	struct desk_place *place;
	pthread_barrier_t *start;
	const struct written *from; /* NULL: creates */
	unsigned number;
	bool any_slug;
	enum writing_rc rc;
};

static void *
race(void *data)
{
	struct racer *racer = data;
	struct arena *arena = arena_new();
	struct table_call call = {.arena = arena};
	struct writings w = racer->place->w;
	struct draft draft = draft_of("the-one-slug", KIND_NOTE);

	w.call = &call;
	draft.any_slug = racer->any_slug;
	draft.post.status = STATUS_PUBLISHED;
	if (racer->from != NULL) {
		draft = draft_from(racer->from);
		draft.post.title = str_fmt(arena, "Title %u", racer->number);
	}
	pthread_barrier_wait(racer->start);
	racer->rc = racer->from != NULL ? writing_save(&w, racer->from, &draft)
					: writing_create(&w, &draft);
	arena_free(arena);
	return NULL;
}

/* How many of a crowd end in this way. */
static unsigned
run_race(struct desk_place *p, const struct written *from, bool any_slug, enum writing_rc lost,
    unsigned *won)
{
	struct racer racers[CROWD];
	pthread_t threads[CROWD];
	pthread_barrier_t start;
	unsigned count = 0;

	*won = 0;
	pthread_barrier_init(&start, NULL, CROWD);
	for (unsigned i = 0; i < CROWD; i++) {
		racers[i] = (struct racer){p, &start, from, i, any_slug, WRITING_TABLE};
		pthread_create(&threads[i], NULL, race, &racers[i]);
	}
	for (unsigned i = 0; i < CROWD; i++) {
		pthread_join(threads[i], NULL);
		*won += racers[i].rc == WRITING_DONE;
		count += racers[i].rc == lost;
	}
	pthread_barrier_destroy(&start);
	return count;
}

static void
races(struct desk_place *p)
{
	struct written w;
	unsigned won, lost;

	lost = run_race(p, NULL, false, WRITING_SLUG_TAKEN, &won);
	is_int(won, 1, "of %d who create one slug, one does", CROWD);
	is_int(lost, CROWD - 1, "... and the others are told");
	w = stored(p, "the-one-slug");
	lost = run_race(p, &w, false, WRITING_CHANGED, &won);
	is_int(won, 1, "of %d who save on one version, one does", CROWD);
	is_int(lost, CROWD - 1, "... and the others are told");
	is_whole(p, "two races");
	run_race(p, NULL, true, WRITING_TABLE, &won);
	is_int(won, CROWD, "who takes any slug gets one");
	is_whole(p, "a crowd of new posts");
}

/* --- A storm --------------------------------------------------------------------------------------- */

/* One turn of somebody who does whatever comes to mind to some post, and may well be too late. */
static void
turn(struct writings *w, uint64_t chance)
{
	static const char *const ids[] = {"storm-0", "storm-1", "storm-2", "storm-3"};
	static const char *const towns[] = {"tides", "town", ""};
	static const struct str tags[] = {
	    STR_INIT("rope"), STR_INIT("fog"), STR_INIT("rope-work"), STR_INIT("ice")};
	static const struct coauthor bob[] = {{STR_INIT("bob"), STR_INIT("Bob")}};
	struct written old;
	struct draft draft;
	struct post post;
	bool there;

	if (written_get(w, str_of(ids[chance % STORM_POSTS]), &old, &there) != TABLE_OK || !there)
		return;
	chance /= STORM_POSTS;
	draft = draft_from(&old);
	draft.post.category = str_of(towns[chance % 3]);
	draft.post.tags = (struct strings_value){&tags[chance % 3], 2};
	draft.post.others = bob;
	draft.post.other_count = chance / 3 % 2;
	draft.post.visibility = chance / 6 % 4 == 0 ? VISIBILITY_PRIVATE : VISIBILITY_PUBLIC;
	draft.post.published = w->now - (int64_t)(chance % 7) * MINUTE;
	switch (chance / 24 % 5) {
	case 0: writing_publish(w, &old, old.post.version, w->now, &post); break;
	case 1: writing_unpublish(w, &old, old.post.version, &post); break;
	case 2: writing_delete(w, &old, old.post.version, &post); break;
	case 3: writing_undelete(w, &old, &post); break;
	default:
		draft.post.status =
		    old.post.status == STATUS_DELETED ? STATUS_DRAFT : STATUS_PUBLISHED;
		writing_save(w, &old, &draft);
	}
}

static void *
storm(void *data)
{
	struct racer *racer = data;
	struct arena *arena = arena_new();
	uint64_t state = racer->number * UINT64_C(0x9e3779b97f4a7c15) + 1;

	for (int i = 0; i < STORM_TURNS; i++) {
		struct table_call call = {.arena = arena};
		struct writings w = racer->place->w;

		w.call = &call;
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		turn(&w, state >> 8);
		arena_reset(arena);
	}
	arena_free(arena);
	return NULL;
}

static void
storms(struct desk_place *p)
{
	struct racer racers[4];
	pthread_t threads[4];

	for (unsigned i = 0; i < STORM_POSTS; i++) {
		struct draft draft =
		    draft_of(str_cstring(p->arena, str_fmt(p->arena, "storm-%u", i)), KIND_NOTE);

		writing_create(&p->w, &draft);
	}
	for (unsigned i = 0; i < 4; i++) {
		racers[i] = (struct racer){.place = p, .number = i + 1};
		pthread_create(&threads[i], NULL, storm, &racers[i]);
	}
	for (unsigned i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	ok(stored(p, "storm-0").post.version > 3, "a storm has passed over four posts");
	is_whole(p, "a storm");
}

/* --- A table that fails ---------------------------------------------------------------------------- */

static void
failures(struct desk_place *p)
{
	struct failing_table failing;
	struct writings w = p->w;
	unsigned failed = 0, n;
	enum writing_rc rc = WRITING_TABLE;

	failing_table_begin(&failing, p->table);
	w.table = &failing.table;
	for (n = 1; rc == WRITING_TABLE && n < 20; n++) {
		struct draft draft = draft_of("storm-0", KIND_NOTE);

		draft.any_slug = true;
		draft.post.status = STATUS_PUBLISHED;
		failing_table_arm(&failing, n, TABLE_UNAVAILABLE);
		rc = writing_create(&w, &draft);
		failed += rc == WRITING_TABLE && w.failed == TABLE_UNAVAILABLE;
	}
	is_int(rc, WRITING_DONE, "a post is written when the table no longer fails");
	is_int(failed, n - 2, "... and each failure on the way is told");
	is_whole(p, "failures");
}

/* ----------------------------------------------------------------------------------------------------- */

int
writing_cases(const struct harness *harness)
{
	struct desk_place p;

	if (sodium_init() < 0)
		bail_out("libsodium can't start");
	place_open(&p, harness);
	first_draft(&p);
	published(&p);
	edited(&p);
	revisions(&p);
	older_post(&p);
	scheduled(&p);
	unpublished(&p);
	closed(&p);
	with_others(&p);
	categories(&p);
	slugs(&p);
	pages(&p);
	autosaves(&p);
	deleted(&p);
	place_close(&p, harness);

	place_open(&p, harness);
	long_slugs(&p);
	too_long(&p);
	races(&p);
	storms(&p);
	failures(&p);
	revisions_expire(&p);
	pictures(&p);
	place_close(&p, harness);
	return tap_done();
}

/* Drafts, states, revisions, authors and categories. */
#include "writing_shared.h"

#include "base/arena.h"
#include "model/key_follow.h"
#include "model/key_post.h"
#include "model/post/revision.h"

/* --- A life ---------------------------------------------------------------------------------------- */

static void
first_draft(struct desk_place *p)
{
	struct draft draft = draft_of("slack-water", KIND_ARTICLE);
	struct written w;

	draft.post.published = NOW - 5;
	draft.post.planned = NOW + MINUTE;
	is_int(writing_create(&p->plan, &draft), PLAN_DONE, "a draft");
	is_str(draft.post.id, STR("slack-water"), "... has its slug as id");
	w = stored(p, "slack-water");
	is_int(w.post.version, 1, "... in its first version");
	is_int(w.post.published, 0, "... and has not been published");
	is_int(w.post.planned, NOW + MINUTE, "... but there is a plan");
	is_int(w.post.created, NOW, "... created now");
	is_str(w.body.html, STR("<p>First.</p>\n"), "... its text rendered");
	is_int((int64_t)on_desk(p, "ann", DESK_DRAFTS), 1, "its author finds it");
	is_int((int64_t)in_list(p, POSTS_ALL, ""), 0, "nobody else does");
	is_int(posts_of(p, key_tag(STR("rope"))), -1, "its tags are not there yet");
	is_whole(p, "a first draft");
}

static void
published(struct desk_place *p)
{
	struct written w = stored(p, "slack-water");
	struct post post;

	is_int(publish(&p->plan, &w, p->plan.now, &post), PLAN_DONE, "published");
	is_int(post.published, p->plan.now, "... now");
	is_int((int64_t)in_list(p, POSTS_ALL, ""), 1, "... for all");
	is_int((int64_t)in_list(p, POSTS_OF_CATEGORY, "tides"), 1, "... in its category");
	is_int((int64_t)in_list(p, POSTS_OF_TAG, "rope"), 1, "... at its tag");
	is_int((int64_t)in_list(p, POSTS_OF_AUTHOR, "ann"), 1, "... at its author");
	is_int(posts_of(p, key_person_counts(p->arena, STR("ann"))), 1, "... and counted there");
	is_int(posts_of(p, key_tag(STR("rope"))), 1, "... as at its tags");
	is_whole(p, "publishing");
}

static void
edited(struct desk_place *p)
{
	static const struct str tags[] = {STR_INIT("rope"), STR_INIT("knots"), STR_INIT("rope")};
	struct written w = stored(p, "slack-water");
	struct draft draft = draft_from(&w);
	struct post_body second = {.markdown = STR("Second.\n"), .renderer = 1};

	let_pass(p, MINUTE);
	draft.body = second;
	draft.post.category = STR("town");
	draft.post.tags = (struct strings_value){tags, 3};
	draft.post.likes = 77;
	draft.post.author = STR("bob");
	is_int(writing_save(&p->plan, &w, &draft), PLAN_DONE, "text, category and tags changed");
	is_int(draft.post.version, 3, "... the third version");
	is_int(draft.post.likes, 0, "... its counts are the table's");
	is_str(draft.post.author, STR("ann"), "... and so is its author");
	is_int(draft.post.published, w.post.published, "... published when it was");
	is_int(draft.post.updated, p->plan.now, "... and changed now");
	is_int(posts_of(p, key_category_count(STR("tides"))), 0, "one post less there");
	is_int(posts_of(p, key_category_count(STR("town"))), 1, "... one more here");
	is_int(posts_of(p, key_tag(STR("weather"))), 0, "a tag without posts");
	is_int(posts_of(p, key_tag(STR("rope"))), 1, "one named twice counts once");
	is_whole(p, "an edit");
	draft = draft_from(&w);
	is_int(
	    writing_save(&p->plan, &w, &draft), PLAN_CHANGED, "who has not seen it saves nothing");
	is_str(stored(p, "slack-water").body.markdown, STR("Second.\n"), "... and changes nothing");
	w = stored(p, "slack-water");
	draft = draft_from(&w);
	draft.post.version = 1;
	is_int(
	    writing_save(&p->plan, &w, &draft), PLAN_CHANGED, "... nor by naming an old version");
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
	is_int((int64_t)count, 3, "each save made a revision");
	revision_from_item(p->arena, &found[0], &first);
	revision_from_item(p->arena, &found[2], &second);
	is_int(first.number, 1, "... the first");
	is_str(first.body.markdown, STR("First.\n"), "... with what was written");
	is_str(first.body.html, STR(""), "... and no HTML");
	is_str(first.by, STR("ann"), "... by whom");
	is_str(first.post.category, STR("tides"), "... where it was to stand");
	is_int(second.number, 3, "... and the last");
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
	struct item head, body;
	struct query query = query_revisions(p->arena, STR("from-a-seed"));
	struct revision first;
	struct item *found;
	struct str next;
	size_t count;
	struct write gone = {
	    .kind = WRITE_DELETE, .key = key_revision(p->arena, STR("from-a-seed"), 1)};

	writing_create(&p->plan, &draft);
	w = stored(p, "from-a-seed");
	head = item_shallow(p->arena, w.head_item);
	item_remove(&head, STR("Version"));
	item_remove(&head, STR("Revisions"));
	table_put(p->table, &p->call, head);
	body = item_shallow(p->arena, w.body_item);
	item_remove(&body, STR("Revision"));
	table_put(p->table, &p->call, body);
	table_write(p->table, &p->call, &gone);
	w = stored(p, "from-a-seed");
	draft = draft_from(&w);
	draft.body = (struct post_body){.markdown = STR("New.\n")};
	is_int(writing_save(&p->plan, &w, &draft), PLAN_DONE, "a post without a version");
	is_int(draft.post.version, 1, "... gets one");
	is_int(draft.post.revisions, 2, "... and two revisions");
	query.limit = 10;
	table_query(p->table, &p->call, &query, &found, &count, &next);
	revision_from_item(p->arena, &found[0], &first);
	is_int((int64_t)count, 2, "... that are there");
	is_str(first.body.markdown, STR("First.\n"), "... the first is what it said before");
	w = stored(p, "from-a-seed");
	is_int(writing_delete(&p->plan, &w, 1, &draft.post), PLAN_DONE, "... deleted as a draft");
}

/* --- States ---------------------------------------------------------------------------------------- */

static void
scheduled(struct desk_place *p)
{
	struct draft draft = draft_of("tomorrow", KIND_HOWTO);
	struct written w;
	struct post post;

	draft.post.status = STATUS_PUBLISHED;
	draft.post.published = p->plan.now + MINUTE;
	is_int(writing_create(&p->plan, &draft), PLAN_DONE, "one that is to appear in a minute");
	is_int((int64_t)on_desk(p, "ann", DESK_SCHEDULED), 1, "... is on its author's desk");
	is_int((int64_t)in_list(p, POSTS_OF_CATEGORY, "tides"), 0, "... in no list");
	let_pass(p, MINUTE - 1);
	is_int((int64_t)in_list(p, POSTS_OF_CATEGORY, "tides"), 0, "... nor a moment before");
	let_pass(p, 1);
	is_int((int64_t)in_list(p, POSTS_OF_CATEGORY, "tides"), 1, "... appears at its minute");
	is_int((int64_t)on_desk(p, "ann", DESK_SCHEDULED), 0, "... and is scheduled no more");
	is_whole(p, "scheduling");

	draft = draft_of("never", KIND_NOTE);
	draft.post.status = STATUS_PUBLISHED;
	draft.post.published = p->plan.now + MINUTE;
	writing_create(&p->plan, &draft);
	w = stored(p, "never");
	draft = draft_from(&w);
	draft.post.status = STATUS_DRAFT;
	draft.post.planned = draft.post.published;
	is_int(writing_save(&p->plan, &w, &draft), PLAN_DONE, "called off in time");
	is_int(draft.post.planned, p->plan.now + MINUTE, "... it keeps its time as a plan");
	is_int(draft.post.published, 0, "... and was never published");
	w = stored(p, "never");
	writing_delete(&p->plan, &w, 2, &post);
	ok(!post_gone(&post, p->plan.now + 10 * MINUTE), "... nor is it ever said to be gone");
	is_whole(p, "calling off");
}

static void
unpublished(struct desk_place *p)
{
	struct written w = stored(p, "tomorrow");
	int64_t first = w.post.published;
	struct post post;

	let_pass(p, MINUTE);
	is_int(writing_unpublish(&p->plan, &w, 1, &post), PLAN_DONE, "taken back");
	is_int(post.status, STATUS_UNPUBLISHED, "... it is unpublished");
	is_int((int64_t)in_list(p, POSTS_OF_CATEGORY, "tides"), 0, "... in no list");
	is_int((int64_t)in_list(p, POSTS_OF_TAG, "rope"), 1, "... at no tag");
	is_int((int64_t)on_desk(p, "ann", DESK_UNPUBLISHED), 1, "... on its author's desk");
	is_whole(p, "unpublishing");
	w = stored(p, "tomorrow");
	is_int(publish(&p->plan, &w, first, &post), PLAN_DONE, "published again");
	is_int(post.published, first, "... under its old time");
	is_whole(p, "publishing again");
}

static void
closed(struct desk_place *p)
{
	struct written w = stored(p, "tomorrow");
	struct draft draft = draft_from(&w);

	draft.post.visibility = VISIBILITY_PRIVATE;
	is_int(writing_save(&p->plan, &w, &draft), PLAN_DONE, "for its author alone");
	is_int((int64_t)on_desk(p, "ann", DESK_CLOSED), 1, "... among what is closed");
	is_int((int64_t)in_list(p, POSTS_OF_AUTHOR, "ann"), 1, "... the other one is still public");
	is_whole(p, "closing");
	w = stored(p, "tomorrow");
	draft = draft_from(&w);
	draft.post.visibility = VISIBILITY_PUBLIC;
	is_int(writing_save(&p->plan, &w, &draft), PLAN_DONE, "for all again");
	is_whole(p, "opening");
}

static void
change_one(struct desk_place *p, struct key key, struct change change)
{
	struct write write = {
	    .kind = WRITE_UPDATE, .key = key, .changes = &change, .change_count = 1};

	if (table_write(p->table, &p->call, &write) != TABLE_OK)
		bail_out("an item can't be changed");
}

/* Of a person whose posts were counted in their own item: nothing is counted there but what goes. */
static void
counted_before(struct desk_place *p)
{
	struct key own = key_user(p->arena, STR("ann"));
	struct key counts = key_person_counts(p->arena, STR("ann"));
	struct write gone = {.kind = WRITE_DELETE, .key = counts};
	struct written w = stored(p, "tomorrow");
	int64_t all = posts_of(p, counts);
	struct post post;

	change_one(p, own, (struct change){CHANGE_SET, STR("Posts"), value_number(5)});
	if (table_write(p->table, &p->call, &gone) != TABLE_OK)
		bail_out("an item can't be removed");
	is_int(writing_unpublish(&p->plan, &w, w.post.version, &post), PLAN_DONE, "in an older table");
	is_int(posts_of(p, own), 4, "... a post that goes is counted down where it was counted");
	is_int(posts_of(p, counts), -1, "... and nowhere else");
	w = stored(p, "tomorrow");
	is_int(publish(&p->plan, &w, w.post.published, &post), PLAN_DONE, "and published again");
	is_int(posts_of(p, counts), 1, "... it is counted beside them");
	is_int(posts_of(p, own), 4, "... and not in their own item");
	w = stored(p, "tomorrow");
	is_int(writing_unpublish(&p->plan, &w, w.post.version, &post), PLAN_DONE, "not public again");
	is_int(posts_of(p, counts), 0, "... it is counted down there");
	is_int(posts_of(p, own), 4, "... and there only");
	change_one(p, own, (struct change){.op = CHANGE_REMOVE, .name = STR("Posts")});
	w = stored(p, "tomorrow");
	is_int(publish(&p->plan, &w, w.post.published, &post), PLAN_DONE, "all as before");
	change_one(p, counts, (struct change){CHANGE_SET, STR("Posts"), value_number(all)});
	is_whole(p, "counting in two places");
}

/*
 * Somebody who is asked to be a coauthor becomes one only by accepting: then, for a public post,
 * all of it changes at once.
 */
static void
asked(struct desk_place *p, const struct coauthor *bob)
{
	struct written w = stored(p, "tomorrow");
	struct draft draft = draft_from(&w);
	struct key declined = key_declined(p->arena, bob->username, STR("tomorrow"));
	struct item *item = NULL;
	struct post post;

	draft.post.asked = bob;
	draft.post.asked_count = 1;
	is_int(writing_save(&p->plan, &w, &draft), PLAN_DONE, "bob is asked to be an author");
	is_int((int64_t)on_desk(p, "bob", DESK_ASKED), 1, "... which his desk says");
	is_int((int64_t)on_desk(p, "bob", DESK_PUBLISHED), 0, "... and no more");
	is_int((int64_t)in_list(p, POSTS_OF_AUTHOR, "bob"), 0, "... it is not in his list");
	is_int(posts_of(p, key_person_counts(p->arena, STR("bob"))), 0, "... nor counted");
	is_whole(p, "asking an author");
	w = stored(p, "tomorrow");
	is_int(writing_accept(&p->plan, &w, bob, &post), PLAN_DONE, "he says yes");
	is_int((int64_t)in_list(p, POSTS_OF_AUTHOR, "bob"), 1, "... it is in his list");
	is_int(posts_of(p, key_person_counts(p->arena, STR("bob"))), 1, "... and counted");
	is_int((int64_t)on_desk(p, "bob", DESK_ASKED), 0, "... and he is asked no more");
	is_whole(p, "accepting");
	w = stored(p, "tomorrow");
	is_int(writing_accept(&p->plan, &w, bob, &post), PLAN_CHANGED, "nor can he say it twice");
	is_int(writing_step_back(&p->plan, &w, bob->username, &post), PLAN_DONE, "he steps back");
	is_int(posts_of(p, key_person_counts(p->arena, STR("bob"))), 0, "... and is not counted");
	is_whole(p, "stepping back");
	table_get(p->table, &p->call, declined, &item);
	ok(writing_declined(item, p->plan.now), "... which is kept");
	ok(!writing_declined(item, p->plan.now + INT64_C(366) * 86400000), "... for a year");
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
	is_int(writing_save(&p->plan, &w, &draft), PLAN_NO_AUTHOR, "not with somebody who is not");
	draft = draft_from(&w);
	draft.post.others = bob;
	draft.post.other_count = 1;
	is_int(writing_save(&p->plan, &w, &draft), PLAN_DONE, "written together with bob");
	is_int((int64_t)in_list(p, POSTS_OF_AUTHOR, "bob"), 1, "... among what he has written");
	is_int((int64_t)on_desk(p, "bob", DESK_PUBLISHED), 1, "... and on his desk");
	is_int(posts_of(p, key_person_counts(p->arena, STR("bob"))), 1, "... and counted");
	is_int((int64_t)in_list(p, POSTS_ALL, ""), 2, "... once in the list of all");
	is_whole(p, "adding an author");
	w = stored(p, "tomorrow");
	draft = draft_from(&w);
	draft.post.other_count = 0;
	is_int(writing_save(&p->plan, &w, &draft), PLAN_DONE, "alone again");
	is_int((int64_t)in_list(p, POSTS_OF_AUTHOR, "bob"), 0, "... he has nothing");
	is_whole(p, "removing an author");
	asked(p, &bob[0]);
	counted_before(p);
}

static void
categories(struct desk_place *p)
{
	struct write gone = {.kind = WRITE_DELETE, .key = key_category_count(STR("brief"))};
	struct draft draft = draft_of("in-nothing", KIND_NOTE);
	struct written w;

	draft.post.category = STR("nowhere");
	draft.post.status = STATUS_PUBLISHED;
	is_int(writing_create(&p->plan, &draft), PLAN_NO_CATEGORY, "not into what is not there");
	add_category(p, "brief");
	draft.post.category = STR("brief");
	is_int(writing_create(&p->plan, &draft), PLAN_DONE, "into one that is");
	table_write(p->table, &p->call, &gone);
	w = stored(p, "in-nothing");
	draft = draft_from(&w);
	draft.post.category = STR("");
	is_int(writing_save(&p->plan, &w, &draft), PLAN_DONE, "out of one that has gone meanwhile");
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
	is_int(writing_create(&p->plan, &draft), PLAN_DONE, "a page");
	query.limit = 10;
	table_query(p->table, &p->call, &query, &found, &count, &next);
	is_int((int64_t)count, 1, "... is among the pages");
	is_int((int64_t)on_desk(p, "ann", DESK_PAGES), 1, "... on a desk");
	is_whole(p, "a page");
}

void
writing_lives(struct desk_place *p)
{
	first_draft(p);
	published(p);
	edited(p);
	revisions(p);
	older_post(p);
	scheduled(p);
	unpublished(p);
	closed(p);
	with_others(p);
	categories(p);
	pages(p);
}

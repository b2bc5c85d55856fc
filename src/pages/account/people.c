/*
 * /account/following, /followers, /blocked and /muted: people that one follows, followers and
 * requests, people one has blocked, and people and tags one has muted.
 */
#include "base/arena.h"
#include "model/key.h"
#include "model/key_follow.h"
#include "model/people/user.h"
#include "model/reader/follow.h"
#include "model/slug.h"
#include "pages/public/follow.h"
#include "pages/routes.h"
#include "pages/shared/card.h"
#include "pages/shared/done.h"
#include "pages/shared/form_view.h"
#include "pages/shared/layout.h"
#include "pages/shared/lists.h"
#include "pages/shared/plan.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"
#include "text/url.h"
#include "web/session/csrf.h"

#include <stdlib.h>

enum { PEOPLE_SHOWN = 50, LISTS = 2, BUTTONS = 3 };

struct person_button_view {
	struct str wish, username, text, name;
};

struct person_view {
	struct str url, name, note;
	bool verified;
	LIST_OF(struct person_button_view) buttons;
};

struct people_list_view {
	struct str heading, empty_text, all_wish, all_text;
	LIST_OF(struct person_view) people;
};

struct people_view {
	struct layout_view layout;
	struct str title, intro, notice, action_url, token;
	LIST_OF(struct people_list_view) lists;
	const struct pagination_view *pagination;
};

VIEW_FIELDS(person_button_view, STRING(wish), STRING(username), STRING(text), STRING(name))
VIEW_FIELDS(person_view, STRING(url), STRING(name), STRING(note), FLAG(verified),
    LIST(buttons, person_button_view))
VIEW_FIELDS(people_list_view, STRING(heading), STRING(empty_text),
    STRING(all_wish), STRING(all_text), LIST(people, person_view))
VIEW_FIELDS(people_view, VIEW(layout, layout_view), STRING(title), STRING(intro), STRING(notice),
    STRING(action_url), STRING(token), LIST(lists, people_list_view),
    OPTION(pagination, pagination_view))
TEMPLATE(people_template, "people", people_view)

/* The value of a button, its label, and whom it is for: some are for those of whose posts one is told, or is not. */
struct wish {
	const char *wish, *text;
	enum { OF_ALL, OF_TOLD, OF_UNTOLD } of;
};

/* A list on a page: what it reads, and the actions on those it shows. */
struct people_list {
	const char *heading, *empty_text;
	struct query (*query)(struct arena *arena, struct str username);
	bool descending, blocks; /* blocks: it shows blocks only */
	struct str who;          /* the attribute with the person's name */
	struct wish wishes[BUTTONS];
	struct wish all; /* for everybody on it at once, if they are several */
};

struct people_page {
	const char *title, *intro;
	struct people_list lists[LISTS]; /* the last one is paginated */
	size_t count;
};

static const struct people_page following = {
    "Whom you follow",
    "You see what they publish for their followers, and they see that you follow them.",
    {{NULL, "You follow nobody yet. People’s pages have a button for it.", query_following, false,
	false, STR_INIT("Followed"),
	{{"tell", "Tell me of new posts", OF_UNTOLD},
	    {"stop-telling", "Don’t tell me of new posts", OF_TOLD}, {"unfollow", "Unfollow"}}}},
    1,
};

static const struct people_page followers = {
    "Who follows you",
    "They see what you publish for your followers. Nobody is told when you remove them.",
    {{"Requests", NULL, query_follow_requests, false, false, STR_INIT("Follower"),
	 {{"approve", "Approve"}, {"refuse", "Refuse"}},
	 {"approve-all", "Approve all"}},
	{"Followers", "Nobody follows you yet.", query_followers, true, false, STR_INIT("Follower"),
	    {{"remove", "Remove"}}}},
    2,
};

static const struct people_page blocked = {
    "Whom you have blocked",
    "They can’t follow you, answer you or write under what you have published, and are not told "
    "so.",
    {{NULL, "You have blocked nobody. People’s pages have a button for it.", query_blocks_of, true, true, STR_INIT("Followed"),
	{{"unblock", "Unblock"}}}},
    1,
};

/* --- Showing ---------------------------------------------------------------------------------------- */

/* Does the list show this item? */
static bool
is_shown(const struct people_list *list, const struct item *item)
{
	return (follow_status(item) == FOLLOW_BLOCKED) == list->blocks;
}

/* The people of all lists, without duplicates: a request that is being approved may be in two. */
static size_t
keys_of(
    struct request *rq, const struct people_page *page, const struct read *reads, struct key *keys)
{
	size_t count = 0;

	for (size_t i = 0; i < page->count; i++)
		for (size_t n = 0; n < reads[i].found_count; n++) {
			struct key key = key_user(
			    rq->arena, item_string(&reads[i].found[n], page->lists[i].who));

			if (is_shown(&page->lists[i], &reads[i].found[n]) &&
			    list_place_of(keys, count, key) == count)
				keys[count++] = key;
		}
	return count;
}

/* NULL for a closed account. */
static const struct item *
person_of(struct request *rq, const struct read *names, struct str username)
{
	size_t i =
	    list_place_of(names->batch.keys, names->batch.count, key_user(rq->arena, username));

	return i < names->batch.count ? names->items[i] : NULL;
}

static bool
is_offered(const struct wish *wish, const struct item *item)
{
	return wish->of == OF_ALL ||
	       (follow_counts(follow_status(item)) && follow_tells(item) == (wish->of == OF_TOLD));
}

/* `person` is NULL for a closed account. */
static void
person_fill(struct request *rq, const struct people_list *list, const struct item *item,
    const struct item *person, struct person_view *out)
{
	struct person_button_view *buttons =
	    ARENA_ARRAY(rq->arena, BUTTONS, struct person_button_view);
	struct str username = item_string(item, list->who);
	struct user user;

	*out = (struct person_view){.name = username};
	if (person != NULL) {
		user_from_item(rq->arena, person, &user);
		out->name = user.display_name;
		if (user_visible(&user))
			out->url = author_path(rq->arena, username);
		out->verified = is_verified(rq, username);
	}
	if (follow_status(item) == FOLLOW_ASKED && str_eq(list->who, STR("Followed")))
		out->note = STR("Has not answered your request yet");
	for (size_t i = 0; i < BUTTONS && list->wishes[i].wish != NULL; i++)
		if (is_offered(&list->wishes[i], item))
			buttons[out->buttons.count++] =
			    (struct person_button_view){.wish = str_of(list->wishes[i].wish),
				.username = username,
				.text = str_of(list->wishes[i].text),
				.name = out->name};
	out->buttons.items = buttons;
}

static void
list_fill(struct request *rq, const struct people_list *list, const struct read *read,
    const struct read *names, struct people_list_view *out)
{
	struct person_view *rows =
	    ARENA_ARRAY(rq->arena, read->found_count + 1, struct person_view);

	out->heading = str_of(list->heading);
	/* The partition has others as well, so a page may show nobody although there are more. */
	if (read->next.len == 0 && read->query.cursor.len == 0)
		out->empty_text = str_of(list->empty_text);
	out->people.items = rows;
	for (size_t i = 0; i < read->found_count; i++)
		if (is_shown(list, &read->found[i]))
			person_fill(rq, list, &read->found[i],
			    person_of(rq, names, item_string(&read->found[i], list->who)),
			    &rows[out->people.count++]);
	if (list->all.wish != NULL && out->people.count > 1) {
		out->all_wish = str_of(list->all.wish);
		out->all_text = str_of(list->all.text);
	}
}

static enum http_status
respond_people(struct request *rq, struct response *rs, const struct people_page *page,
    const struct read *reads, const struct read *names)
{
	struct people_view *view = ARENA_NEW(rq->arena, struct people_view);
	struct people_list_view *lists =
	    ARENA_ARRAY(rq->arena, page->count, struct people_list_view);
	struct page_frame frame = {.title = str_of(page->title), .noindex = true};

	for (size_t i = 0; i < page->count; i++) {
		struct people_list_view *list = &lists[view->lists.count];

		*list = (struct people_list_view){.heading = STR("")};
		list_fill(rq, &page->lists[i], &reads[i], names, list);
		/* A list without a text for being empty is left out when it is. */
		if (list->people.count != 0 || list->empty_text.len != 0)
			view->lists.count++;
	}
	view->lists.items = lists;
	view->title = str_of(page->title);
	view->intro = str_of(page->intro);
	view->notice = str_of(done_says(rq));
	view->action_url = rq->path;
	view->token = csrf_token(rq, rs);
	view->pagination = pagination_onward(rq, reads[page->count - 1].next);
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(people_template, view));
}

static enum http_status
show(struct request *rq, struct response *rs, const struct people_page *page)
{
	struct read reads[LISTS], names = {.kind = READ_BATCH};
	struct key *keys = ARENA_ARRAY(rq->arena, LISTS * PEOPLE_SHOWN, struct key);
	enum http_status status;
	struct str cursor;

	if (!list_cursor_of(rq, "after", &cursor))
		return HTTP_BAD_REQUEST;
	for (size_t i = 0; i < page->count; i++) {
		reads[i] = (struct read){.kind = READ_QUERY,
		    .query = page->lists[i].query(rq->arena, rq->viewer->user.username)};
		reads[i].query.limit = PEOPLE_SHOWN;
		reads[i].query.descending = page->lists[i].descending;
		if (i + 1 == page->count)
			reads[i].query.cursor = cursor;
	}
	status = page_read(rq, reads, page->count);
	if (status != HTTP_OK)
		return status;
	names.batch.keys = keys;
	names.batch.count = keys_of(rq, page, reads, keys);
	if (names.batch.count != 0)
		status = page_read(rq, &names, 1);
	return status == HTTP_OK ? respond_people(rq, rs, page, reads, &names) : status;
}

static enum http_status
show_following(struct request *rq, struct response *rs)
{
	return show(rq, rs, &following);
}

static enum http_status
show_followers(struct request *rq, struct response *rs)
{
	return show(rq, rs, &followers);
}

static enum http_status
show_blocked(struct request *rq, struct response *rs)
{
	return show(rq, rs, &blocked);
}

/* --- Whom and what one has muted --------------------------------------------------------------------- */

static int
by_name(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

/* The names of a set, sorted. */
static const struct str *
sorted(struct request *rq, const struct strings_value *names)
{
	struct str *all = ARENA_ARRAY(rq->arena, names->count, struct str);

	for (size_t i = 0; i < names->count; i++)
		all[i] = names->strings[i];
	if (names->count != 0)
		qsort(all, names->count, sizeof(*all), by_name);
	return all;
}

static struct person_view
muted_view(struct request *rq, const char *wish, struct str value, struct str name)
{
	struct person_button_view *button = ARENA_NEW(rq->arena, struct person_button_view);
	struct person_view view = {.name = name};

	*button = (struct person_button_view){
	    .wish = str_of(wish), .username = value, .text = STR("Unmute"), .name = name};
	view.buttons.items = button;
	view.buttons.count = 1;
	return view;
}

/* Reads the people of these names, in batches in one round trip. */
static enum http_status
read_people(struct request *rq, const struct str *names, size_t count, struct item **people)
{
	struct key *keys = ARENA_ARRAY(rq->arena, count, struct key);
	struct read reads[HIDDEN_PEOPLE_MAX / TABLE_BATCH_MAX + 1];
	size_t batches = 0;
	enum http_status status;

	for (size_t i = 0; i < count; i++)
		keys[i] = key_user(rq->arena, names[i]);
	for (size_t at = 0; at < count; at += TABLE_BATCH_MAX)
		reads[batches++] = (struct read){.kind = READ_BATCH,
		    .batch = {
			&keys[at], count - at < TABLE_BATCH_MAX ? count - at : TABLE_BATCH_MAX}};
	status = page_read(rq, reads, batches);
	for (size_t i = 0; status == HTTP_OK && i < count; i++)
		people[i] = reads[i / TABLE_BATCH_MAX].items[i % TABLE_BATCH_MAX];
	return status;
}

static void
list_people(struct request *rq, const struct str *names, struct item **people, size_t count,
    struct people_list_view *out)
{
	struct person_view *rows = ARENA_ARRAY(rq->arena, count, struct person_view);

	for (size_t i = 0; i < count; i++) {
		struct user user = {.username = names[i]};

		if (people[i] != NULL)
			user_from_item(rq->arena, people[i], &user);
		rows[i] = muted_view(rq, "person", names[i],
		    user.display_name.len != 0 ? user.display_name : names[i]);
		if (people[i] != NULL && user_visible(&user))
			rows[i].url = author_path(rq->arena, names[i]);
	}
	out->heading = STR("People");
	out->empty_text = STR("You have muted nobody. People’s pages have a button for it.");
	out->people.items = rows;
	out->people.count = count;
}

static void
list_tags(struct request *rq, const struct strings_value *tags, struct people_list_view *out)
{
	struct person_view *rows = ARENA_ARRAY(rq->arena, tags->count, struct person_view);
	const struct str *names = sorted(rq, tags);

	for (size_t i = 0; i < tags->count; i++) {
		rows[i] = muted_view(rq, "tag", names[i], names[i]);
		rows[i].url = url_join(rq->arena, STR("/tag/"), names[i]);
	}
	out->heading = STR("Tags");
	out->empty_text = STR("You have muted no tag. The pages of tags have a button for it.");
	out->people.items = rows;
	out->people.count = tags->count;
}

static enum http_status
show_muted(struct request *rq, struct response *rs)
{
	const struct hidden *hidden = &rq->viewer->hidden;
	size_t count =
	    hidden->muted.count < HIDDEN_PEOPLE_MAX ? hidden->muted.count : HIDDEN_PEOPLE_MAX;
	struct people_view *view = ARENA_NEW(rq->arena, struct people_view);
	struct people_list_view *lists = ARENA_ARRAY(rq->arena, 2, struct people_list_view);
	struct item **people = ARENA_ARRAY(rq->arena, count, struct item *);
	const struct str *names = sorted(rq, &hidden->muted);
	struct page_frame frame = {.title = STR("Whom and what you have muted"), .noindex = true};
	enum http_status status = read_people(rq, names, count, people);

	if (status != HTTP_OK)
		return status;
	list_people(rq, names, people, count, &lists[0]);
	list_tags(rq, &hidden->muted_tags, &lists[1]);
	view->lists.items = lists;
	view->lists.count = 2;
	view->title = frame.title;
	view->intro =
	    STR("What these people write is folded: you open it when you want to. Nobody is told.");
	view->notice = str_of(done_says(rq));
	view->action_url = rq->path;
	view->token = csrf_token(rq, rs);
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(people_template, view));
}

/* --- What is sent ----------------------------------------------------------------------------------- */

/* The person that the button of that name is for; false: it was not pressed. */
static bool
wishes(struct request *rq, const char *wish, struct str *who)
{
	*who = input_of(rq, wish);
	return username_valid(*who);
}

static enum http_status
unfollow(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of(rq);
	struct str who;

	if (wishes(rq, "tell", &who))
		return plan_answer(rq, rs, &plan, follow_tell(&plan, who, true), rq->path, "told");
	if (wishes(rq, "stop-telling", &who))
		return plan_answer(
		    rq, rs, &plan, follow_tell(&plan, who, false), rq->path, "untold");
	if (!wishes(rq, "unfollow", &who))
		return HTTP_BAD_REQUEST;
	return plan_answer(rq, rs, &plan, follow_end(&plan, plan.by, who), rq->path, "unfollowed");
}

static enum http_status
decide(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of(rq);
	struct str who;

	if (input_of(rq, "approve-all").len != 0)
		return plan_answer(
		    rq, rs, &plan, follow_approve_all(&plan), rq->path, "all-approved");
	if (wishes(rq, "approve", &who))
		return plan_answer(rq, rs, &plan, follow_approve(&plan, who), rq->path, "approved");
	if (wishes(rq, "refuse", &who))
		return plan_answer(
		    rq, rs, &plan, follow_end(&plan, who, plan.by), rq->path, "refused");
	if (wishes(rq, "remove", &who))
		return plan_answer(
		    rq, rs, &plan, follow_end(&plan, who, plan.by), rq->path, "removed");
	return HTTP_BAD_REQUEST;
}

static enum http_status
unblock(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of(rq);
	struct str who;

	if (!wishes(rq, "unblock", &who))
		return HTTP_BAD_REQUEST;
	return plan_answer(rq, rs, &plan, follow_unblock(&plan, who), rq->path, "unblocked");
}

static enum http_status
unmute(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of(rq);
	const struct hidden *hidden = &rq->viewer->hidden;
	struct str tag = input_of(rq, "tag"), who;

	if (wishes(rq, "person", &who))
		return plan_answer(
		    rq, rs, &plan, hidden_mute(&plan, hidden, who, false), rq->path, "unmuted");
	if (slug_valid(tag))
		return plan_answer(
		    rq, rs, &plan, hidden_mute_tag(&plan, hidden, tag, false), rq->path, "unmuted");
	return HTTP_BAD_REQUEST;
}

PAGE(muted, .get = show_muted, .post = unmute, .query = QUERY("done"))
PAGE(following, .get = show_following, .post = unfollow, .query = QUERY("after", "done"))
PAGE(followers, .get = show_followers, .post = decide, .query = QUERY("after", "done"))
PAGE(blocked, .get = show_blocked, .post = unblock, .query = QUERY("after", "done"))

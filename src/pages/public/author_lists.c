/*
 * GET /author/<username>/comments, /reviews, /collections, /followers and /following: the tabs of a
 * person's profile. The first trip reads the list, the second what it names: of posts the heads, so that
 * nothing is shown that is under a post which the viewer may not see.
 */
#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/key_follow.h"
#include "model/key_rating.h"
#include "model/permission.h"
#include "model/post/collection.h"
#include "model/reader/comment.h"
#include "model/viewer.h"
#include "pages/public/profile.h"
#include "pages/public/review.h"
#include "pages/public/thread_view.h"
#include "pages/routes.h"
#include "pages/shared/lists.h"
#include "pages/shared/publication.h"
#include "pages/shared/stored.h"
#include "pages/shared/words.h"
#include "text/url.h"

enum { SAID_SHOWN = 20, COLLECTIONS_SHOWN = 200, PEOPLE_SHOWN = 50 };

struct said_view {
	struct str url, post_url, post_title, date, date_text, folded;
	bool edited;
	struct html body_html;
};

struct author_comments_view {
	struct layout_view layout;
	struct profile_view profile;
	LIST_OF(struct said_view) comments;
	struct str empty_text;
	const struct pagination_view *pagination;
};

struct author_reviews_view {
	struct layout_view layout;
	struct profile_view profile;
	LIST_OF(struct review_view) reviews;
	struct str empty_text;
	const struct pagination_view *pagination;
};

struct author_collection_view {
	struct str url, name, description, date, date_text;
	bool private;
};

struct author_collections_view {
	struct layout_view layout;
	struct profile_view profile;
	LIST_OF(struct author_collection_view) collections;
	struct str empty_text;
};

struct named_view {
	struct str url, name, username;
	bool verified;
};

struct author_people_view {
	struct layout_view layout;
	struct profile_view profile;
	struct str heading;
	LIST_OF(struct named_view) people;
	struct str empty_text;
	const struct pagination_view *pagination;
};

VIEW_FIELDS(said_view, STRING(url), STRING(post_url), STRING(post_title), STRING(date),
    STRING(date_text), STRING(folded), FLAG(edited), HTML(body_html))
VIEW_FIELDS(author_comments_view, VIEW(layout, layout_view), VIEW(profile, profile_view),
    LIST(comments, said_view), STRING(empty_text), OPTION(pagination, pagination_view))
VIEW_FIELDS(author_reviews_view, VIEW(layout, layout_view), VIEW(profile, profile_view),
    LIST(reviews, review_view), STRING(empty_text), OPTION(pagination, pagination_view))
VIEW_FIELDS(author_collection_view, STRING(url), STRING(name), STRING(description), STRING(date),
    STRING(date_text), FLAG(private))
VIEW_FIELDS(author_collections_view, VIEW(layout, layout_view), VIEW(profile, profile_view),
    LIST(collections, author_collection_view), STRING(empty_text))
VIEW_FIELDS(named_view, STRING(url), STRING(name), STRING(username), FLAG(verified))
VIEW_FIELDS(author_people_view, VIEW(layout, layout_view), VIEW(profile, profile_view),
    STRING(heading), LIST(people, named_view), STRING(empty_text),
    OPTION(pagination, pagination_view))
TEMPLATE(author_comments_template, "author_comments", author_comments_view)
TEMPLATE(author_reviews_template, "author_reviews", author_reviews_view)
TEMPLATE(author_collections_template, "author_collections", author_collections_view)
TEMPLATE(author_people_template, "author_people", author_people_view)

/* --- Shared ----------------------------------------------------------------------------------- */

/* The page of a tab: the person and a list, which is empty where it may not be shown. */
struct person_list {
	struct profile profile;
	struct read list;
};

static enum http_status
load(struct request *rq, struct query (*query)(struct arena *arena, struct str username),
    uint32_t limit, bool descending, struct person_list *out)
{
	struct read reads[PROFILE_READS + 1];
	enum http_status status;
	struct str cursor;
	size_t count;

	if (!profile_prepare(rq, reads, &count))
		return HTTP_NOT_FOUND;
	if (!list_cursor_of(rq, "after", &cursor))
		return HTTP_BAD_REQUEST;
	reads[count] = (struct read){
	    .kind = READ_QUERY, .query = query(rq->arena, request_param(rq, "username"))};
	reads[count].query.limit = limit;
	reads[count].query.descending = descending;
	reads[count].query.cursor = cursor;
	status = page_read(rq, reads, count + 1);
	if (status == HTTP_OK)
		status = profile_take(rq, reads, &out->profile);
	if (status != HTTP_OK)
		return status;
	out->list = reads[count];
	if (!out->profile.shown) {
		out->list.found_count = 0;
		out->list.next = STR("");
	}
	return HTTP_OK;
}

/* The head, the layout, and the text for an empty list. */
static void
frame(struct request *rq, struct response *rs, const struct person_list *of, enum profile_tab tab,
    const char *title, const char *empty, struct profile_view *view, struct layout_view *layout,
    struct str *empty_text)
{
	struct page_frame frame = {.noindex = false};

	profile_fill(rq, rs, &of->profile, tab, view, &frame);
	frame.title =
	    STR_CONCAT(rq->arena, of->profile.user.display_name, STR(": "), str_of(title));
	if (of->list.query.cursor.len == 0)
		*empty_text = str_of(
		    of->profile.shown ? empty : "They show this to whom they let follow them.");
	list_fresh(rq, rs);
	layout_fill(rq, &frame, layout);
}

/* --- /author/<u>/comments ---------------------------------------------------------------------------- */

/* May the viewer see the comment, and its post? */
static bool
is_heard(struct request *rq, const struct person_list *of, const struct comment *c,
    const struct post *post)
{
	/* Whether they follow any other author is not known here. */
	bool followed = follow_counts(follow_status(of->profile.follow)) &&
			str_eq(post->author, of->profile.user.username);

	return may(rq->viewer, MAY_READ, thing_comment(c)) &&
	       may(rq->viewer, MAY_READ, thing_followed(thing_post(post, rq->now), followed));
}

static void
fill_comments(struct request *rq, const struct person_list *of, const struct read *heads,
    struct author_comments_view *view)
{
	struct said_view *rows = ARENA_ARRAY(rq->arena, of->list.found_count, struct said_view);

	for (size_t i = 0; i < of->list.found_count; i++) {
		struct said_view *out = &rows[view->comments.count];
		struct comment c;
		const struct item *head;
		struct post post;

		comment_from_item(rq->arena, &of->list.found[i], &c);
		head = list_named_post(rq, heads, c.post);
		if (head == NULL)
			continue;
		post_from_item(rq->arena, head, &post);
		if (!is_heard(rq, of, &c, &post))
			continue;
		note_confidential(rq, &post);
		*out = (struct said_view){.post_url = post_path(rq->arena, &post),
		    .post_title = words_title(&post),
		    .date = time_format(rq->arena, c.created),
		    .date_text = words_date_near(rq, c.created),
		    .edited = c.updated > c.created,
		    .body_html = stored_comment_html(rq, &c)};
		out->url = comment_permalink(rq, &post, c.path);
		out->folded = folded_for(rq, c.author, &c.author_name, &(struct str){NULL, 0});
		view->comments.count++;
	}
	view->comments.items = rows;
}

static enum http_status
show_comments(struct request *rq, struct response *rs)
{
	struct author_comments_view *view = ARENA_NEW(rq->arena, struct author_comments_view);
	struct read heads;
	struct person_list of;
	enum http_status status = load(rq, query_comments_of, SAID_SHOWN, true, &of);

	if (status == HTTP_OK)
		status = list_named_posts(rq, &of.list, &heads);
	if (status != HTTP_OK)
		return status;
	fill_comments(rq, &of, &heads, view);
	view->pagination = pagination_onward(rq, of.list.next);
	frame(rq, rs, &of, PROFILE_COMMENTS, "comments", "They have not commented on anything.",
	    &view->profile, &view->layout, &view->empty_text);
	return respond(rq, rs, TEMPLATE_WITH(author_comments_template, view));
}

/* --- /author/<u>/reviews ----------------------------------------------------------------------------- */

static enum http_status
show_reviews(struct request *rq, struct response *rs)
{
	struct author_reviews_view *view = ARENA_NEW(rq->arena, struct author_reviews_view);
	struct review_view *rows;
	struct read heads;
	struct person_list of;
	enum http_status status = load(rq, query_ratings_of, SAID_SHOWN, true, &of);

	if (status == HTTP_OK)
		status = list_named_posts(rq, &of.list, &heads);
	if (status != HTTP_OK)
		return status;
	rows = ARENA_ARRAY(rq->arena, of.list.found_count, struct review_view);
	for (size_t i = 0; i < of.list.found_count; i++)
		view->reviews.count += review_fill_elsewhere(
		    rq, &of.list.found[i], &heads, false, &rows[view->reviews.count]);
	view->reviews.items = rows;
	view->pagination = pagination_onward(rq, of.list.next);
	frame(rq, rs, &of, PROFILE_REVIEWS, "reviews", "They have not rated anything.",
	    &view->profile, &view->layout, &view->empty_text);
	return respond(rq, rs, TEMPLATE_WITH(author_reviews_template, view));
}

/* --- /author/<u>/collections ------------------------------------------------------------------------- */

static enum http_status
show_collections(struct request *rq, struct response *rs)
{
	struct author_collections_view *view = ARENA_NEW(rq->arena, struct author_collections_view);
	struct author_collection_view *rows;
	struct person_list of;
	enum http_status status = load(rq, query_collections_of, COLLECTIONS_SHOWN, true, &of);

	if (status != HTTP_OK)
		return status;
	rows = ARENA_ARRAY(rq->arena, of.list.found_count, struct author_collection_view);
	for (size_t i = 0; i < of.list.found_count; i++) {
		struct collection c;

		/* The partition has private ones, too. */
		collection_from_item(rq->arena, &of.list.found[i], &c);
		if (!collection_visible_to(&c, rq->viewer))
			continue;
		rq->confidential = rq->confidential || !c.is_public;
		rows[view->collections.count++] = (struct author_collection_view){
		    .url = url_join(rq->arena, STR("/collection/"), c.id),
		    .name = c.name,
		    .description = markdown_plain(rq->arena,
			stored_html(rq, MARKDOWN_READER, c.description, c.html, c.renderer)),
		    .date = time_format(rq->arena, c.updated),
		    .date_text = words_date_near(rq, c.updated),
		    .private = !c.is_public};
	}
	view->collections.items = rows;
	frame(rq, rs, &of, PROFILE_COLLECTIONS, "collections", "They have not collected anything.",
	    &view->profile, &view->layout, &view->empty_text);
	return respond(rq, rs, TEMPLATE_WITH(author_collections_template, view));
}

/* --- /author/<u>/followers and /following ------------------------------------------------------------- */

struct circle {
	struct query (*query)(struct arena *arena, struct str username);
	bool descending;
	struct str who; /* the attribute with the person's name */
	enum profile_tab tab;
	const char *heading, *title, *empty;
};

/*
 * Only active follows are shown; requests and blocks, which are in the same partition, are private.
 */
static size_t
keys_of(struct request *rq, const struct circle *circle, const struct read *list, struct key *keys)
{
	size_t count = 0;

	for (size_t i = 0; i < list->found_count; i++) {
		struct key key = key_user(rq->arena, item_string(&list->found[i], circle->who));

		if (follow_counts(follow_status(&list->found[i])) &&
		    list_place_of(keys, count, key) == count)
			keys[count++] = key;
	}
	return count;
}

static void
fill_people(struct request *rq, const struct read *people, struct author_people_view *view)
{
	struct named_view *rows = ARENA_ARRAY(rq->arena, people->batch.count, struct named_view);

	for (size_t i = 0; i < people->batch.count; i++) {
		struct user user;

		if (people->items[i] == NULL)
			continue;
		user_from_item(rq->arena, people->items[i], &user);
		user_withhold(&user);
		if (user.status == USER_ACTIVE && user_visible(&user) &&
		    (rq->viewer == NULL || !viewer_blocks(rq->viewer, user.username)))
			rows[view->people.count++] =
			    (struct named_view){author_path(rq->arena, user.username),
				user.display_name, user.username, is_verified(rq, user.username)};
	}
	view->people.items = rows;
}

static enum http_status
show_circle(struct request *rq, struct response *rs, const struct circle *circle)
{
	struct author_people_view *view = ARENA_NEW(rq->arena, struct author_people_view);
	struct key *keys = ARENA_ARRAY(rq->arena, PEOPLE_SHOWN, struct key);
	struct read people = {.kind = READ_BATCH};
	struct person_list of;
	enum http_status status = load(rq, circle->query, PEOPLE_SHOWN, circle->descending, &of);

	if (status != HTTP_OK)
		return status;
	people.batch.keys = keys;
	people.batch.count = keys_of(rq, circle, &of.list, keys);
	if (people.batch.count != 0)
		status = page_read(rq, &people, 1);
	if (status != HTTP_OK)
		return status;
	fill_people(rq, &people, view);
	view->heading = str_of(circle->heading);
	view->pagination = pagination_onward(rq, of.list.next);
	frame(rq, rs, &of, circle->tab, circle->title, of.list.next.len == 0 ? circle->empty : "",
	    &view->profile, &view->layout, &view->empty_text);
	return respond(rq, rs, TEMPLATE_WITH(author_people_template, view));
}

static enum http_status
show_followers(struct request *rq, struct response *rs)
{
	static const struct circle followers = {query_followers, true, STR_INIT("Follower"),
	    PROFILE_FOLLOWERS, "Followers", "followers", "Nobody follows them yet."};

	return show_circle(rq, rs, &followers);
}

static enum http_status
show_following(struct request *rq, struct response *rs)
{
	static const struct circle following = {query_following, false, STR_INIT("Followed"),
	    PROFILE_FOLLOWING, "Whom they follow", "whom they follow", "They follow nobody yet."};

	return show_circle(rq, rs, &following);
}

PAGE(author_comments, .get = show_comments, .query = QUERY("after"))
PAGE(author_reviews, .get = show_reviews, .query = QUERY("after"))
PAGE(author_collections, .get = show_collections)
PAGE(author_followers, .get = show_followers, .query = QUERY("after"))
PAGE(author_following, .get = show_following, .query = QUERY("after"))

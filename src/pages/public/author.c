/* GET /author/<username>: a person's profile, posts and collections. */
#include "base/arena.h"
#include "base/zone.h"
#include "model/key.h"
#include "model/people/user.h"
#include "model/post/collection.h"
#include "model/reader/follow.h"
#include "pages/public/follow.h"
#include "pages/public/indexes.h"
#include "pages/public/json_ld.h"
#include "pages/routes.h"
#include "pages/shared/layout.h"
#include "pages/shared/lists.h"
#include "pages/shared/publication.h"
#include "pages/shared/scheduled.h"
#include "pages/shared/words.h"
#include "text/url.h"

enum { COLLECTIONS_SHOWN = 20, COLLECTIONS_READ = 200 };

struct author_view {
	struct layout_view layout;
	struct str name, username, bio, avatar_url, link_url, link_host, joined, joined_text;
	struct str posts_text, followers_text, feed_url;
	LIST_OF(struct follow_button_view) buttons;
	struct breadcrumbs breadcrumbs;
	LIST_OF(struct post_card_view) posts;
	struct str empty_text;
	const struct pagination_view *pagination;
	LIST_OF(struct counted_link_view) collections;
};

VIEW_FIELDS(author_view, VIEW(layout, layout_view), STRING(name), STRING(username), STRING(bio),
    STRING(avatar_url), STRING(link_url), STRING(link_host), STRING(joined), STRING(joined_text),
    STRING(posts_text), STRING(followers_text), STRING(feed_url), LIST(buttons, follow_button_view),
    LIST(breadcrumbs, link_view), LIST(posts, post_card_view), STRING(empty_text),
    OPTION(pagination, pagination_view), LIST(collections, counted_link_view))
TEMPLATE(author_template, "author", author_view)

static void
fill_profile(struct request *rq, const struct user *user, struct author_view *view)
{
	struct date joined = zone_date(rq->zone, user->created);

	view->name = user->display_name;
	view->username = user->username;
	view->posts_text = words_count(rq->arena, user->posts, "post", "posts");
	view->joined = str_sub(time_format(rq->arena, zone_local(rq->zone, user->created)), 0, 10);
	view->joined_text = words_month(rq->arena, joined.year, joined.month);
	view->bio = user->bio;
	view->avatar_url = user->avatar_url;
	view->followers_text = words_some(rq->arena, user->followers, "follower", "followers");
	view->link_url = user->link;
	view->link_host = words_host(user->link);
}

/* The newest ones that the viewer may see: the partition has private ones as well. */
static void
fill_collections(struct request *rq, const struct read *read, struct author_view *view)
{
	struct counted_link_view *rows =
	    ARENA_ARRAY(rq->arena, COLLECTIONS_SHOWN, struct counted_link_view);
	size_t count = 0;

	for (size_t i = 0; i < read->found_count && count < COLLECTIONS_SHOWN; i++) {
		struct collection c;

		collection_from_item(rq->arena, &read->found[i], &c);
		if (collection_visible_to(&c, rq->viewer))
			rows[count++] = (struct counted_link_view){
			    .url = url_join(rq->arena, STR("/collection/"), c.id),
			    .name = c.name,
			    .count_text = c.is_public ? STR("") : STR("Private")};
	}
	view->collections.items = rows;
	view->collections.count = count;
}

static enum http_status
show(struct request *rq, struct response *rs, const struct user *user, const struct posts *posts,
    const struct read *collections, enum follow_status status)
{
	struct follow_buttons *buttons = ARENA_NEW(rq->arena, struct follow_buttons);
	struct author_view *view = ARENA_NEW(rq->arena, struct author_view);
	struct breadcrumbs trail = trail_home(rq);
	struct str path = url_join(rq->arena, STR("/author/"), user->username);
	struct page_frame frame = {.title = user->display_name,
	    .description = user->bio,
	    .path = path,
	    .feed_path = STR_CONCAT(rq->arena, path, STR("/feed.atom")),
	    .feed_title = user->display_name,
	    .picture = user->avatar_url,
	    .og_type = "profile"};

	fill_profile(rq, user, view);
	follow_buttons_fill(rq, rs, user, status, buttons);
	view->buttons.items = buttons->items;
	view->buttons.count = buttons->count;
	breadcrumb(rq, &trail, STR("/authors"), STR("Authors"));
	frame.json_ld = json_ld_profile(rq, user, &trail, path);
	view->feed_url = frame.feed_path;
	view->breadcrumbs = trail;
	view->posts.items = cards_of(rq, posts->posts, posts->count);
	view->posts.count = posts->count;
	view->empty_text = STR("Nothing has been published yet.");
	view->pagination = pagination_of(rq, posts->newer, posts->older);
	fill_collections(rq, collections, view);
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(author_template, view));
}

static enum http_status
load(struct request *rq, struct response *rs)
{
	struct str name = request_param(rq, "username");
	struct posts_page page;
	struct posts posts;
	struct read reads[5];
	enum http_status status;
	struct user user;
	enum follow_status follow;
	bool first;

	if (!username_valid(name))
		return HTTP_NOT_FOUND;
	status = posts_page_prepare(rq, POSTS_OF_AUTHOR, name, 0, &page);
	if (status != HTTP_OK)
		return status;
	reads[0] = (struct read){.kind = READ_GET, .key = key_user(rq->arena, name)};
	reads[1] = page.read;
	reads[2] =
	    (struct read){.kind = READ_QUERY, .query = query_collections_of(rq->arena, name)};
	reads[2].query.limit = COLLECTIONS_READ;
	reads[2].query.descending = true;
	reads[3] = follow_counts_read(rq->arena, name);
	if (rq->viewer != NULL)
		reads[4] = follow_read(rq->arena, rq->viewer->user.username, name);
	status = page_read(rq, reads, rq->viewer != NULL ? 5 : 4);
	if (status != HTTP_OK)
		return status;
	if (reads[0].item == NULL)
		return HTTP_NOT_FOUND;
	user_from_item(rq->arena, reads[0].item, &user);
	follow_counts_take(&reads[3], &user);
	user.posts -= scheduled_by(rq, name);
	if (!user_visible(&user))
		return HTTP_NOT_FOUND;
	/* Of a private profile only the name is shown; its public posts remain public. */
	follow = rq->viewer != NULL ? follow_status(reads[4].item) : FOLLOW_NONE;
	if (!may_show_profile(rq, &user, follow_counts(follow)))
		user_hide(&user);
	page.read = reads[1];
	posts_page_take(rq, &page, NULL, &posts, &first);
	if (first)
		return redirect(rs, HTTP_SEE_OTHER, rq->path);
	list_fresh(rq, rs);
	return show(rq, rs, &user, &posts, &reads[2], follow);
}

PAGE(author, .get = load, .query = list_parameters)

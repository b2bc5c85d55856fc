/*
 * GET /account/feed: what those have published whom one follows, newest first. Somebody whose feed has nothing yet is shown
 * who writes what is read most.
 */
#include "base/arena.h"
#include "model/permission.h"
#include "model/reader/feed_page.h"
#include "model/site/settings.h"
#include "model/viewer.h"
#include "pages/routes.h"
#include "pages/shared/lists.h"
#include "pages/shared/plan.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"
#include "text/url.h"
#include "web/session/csrf.h"

enum { SUGGESTED = 8, SUGGESTED_FROM = 60 };

static const struct ranking_query read_most = {.ranking = RANKING_HOT, .limit = SUGGESTED_FROM};

/* Somebody to follow, and what they have written. */
struct suggestion_view {
	struct str url, name, follow_url, post_url, post_title;
	bool verified;
};

struct own_feed_view {
	struct layout_view layout;
	struct str token, partly_text, suggestions_text;
	LIST_OF(struct post_card_view) posts;
	struct str empty_text;
	LIST_OF(struct suggestion_view) suggestions;
	const struct pagination_view *pagination;
};

VIEW_FIELDS(suggestion_view, STRING(url), STRING(name), STRING(follow_url), STRING(post_url),
    STRING(post_title), FLAG(verified))
VIEW_FIELDS(own_feed_view, VIEW(layout, layout_view), STRING(token), STRING(partly_text),
    STRING(suggestions_text), LIST(posts, post_card_view), STRING(empty_text),
    LIST(suggestions, suggestion_view), OPTION(pagination, pagination_view))
TEMPLATE(own_feed_template, "own_feed", own_feed_view)

/* --- Whom to follow ------------------------------------------------------------------------------------ */

/* Whom they do not know yet, nor want not to meet, and each once. */
static bool
is_suggested(struct request *rq, const struct feed_reading *feed, const struct post *post,
    const struct own_feed_view *view)
{
	struct str url = author_path(rq->arena, post->author);

	if (url.len == 0 || str_eq(post->author, rq->viewer->user.username) ||
	    feed_follows(feed, post->author) || viewer_mutes(rq->viewer, post->author) ||
	    viewer_blocks(rq->viewer, post->author))
		return false;
	for (size_t i = 0; i < view->suggestions.count; i++)
		if (str_eq(view->suggestions.items[i].url, url))
			return false;
	return true;
}

static void
fill_suggestions(struct request *rq, const struct feed_reading *feed, const struct read *hot,
    struct own_feed_view *view)
{
	struct suggestion_view *out = ARENA_ARRAY(rq->arena, SUGGESTED, struct suggestion_view);
	struct posts posts;

	posts_ranked(rq->arena, &read_most, hot, NULL, rq->now, &posts);
	view->suggestions.items = out;
	for (size_t i = 0; i < posts.count && view->suggestions.count < SUGGESTED; i++) {
		const struct post *post = &posts.posts[i];

		if (!is_suggested(rq, feed, post, view))
			continue;
		out[view->suggestions.count] =
		    (struct suggestion_view){.url = author_path(rq->arena, post->author),
			.name = post->author_name,
			.post_url = post_path(rq->arena, post),
			.post_title = words_title(post),
			.verified = is_verified(rq, post->author)};
		out[view->suggestions.count].follow_url = STR_CONCAT(
		    rq->arena, out[view->suggestions.count].url, STR("/follow"));
		view->suggestions.count++;
	}
	if (view->suggestions.count != 0)
		view->suggestions_text = STR("People you could follow");
}

/* --- The page ------------------------------------------------------------------------------------------ */

/* Both trips. *hot: what suggestions are made of; it has not been read where none are needed. */
static enum http_status
read_feed(struct request *rq, struct str until, struct feed_reading *feed, struct read *hot)
{
	enum http_status status;
	size_t count;

	*hot = (struct read){.kind = READ_QUERY};
	feed_begin(rq->arena, rq->viewer, until, rq->now, feed);
	status = page_read(rq, feed->first, FEED_FIRST_READS);
	if (status != HTTP_OK)
		return status;
	feed_go_on(feed);
	count = feed->second_count;
	if (until.len == 0 && feed->entry_count == 0 &&
	    !turned_off(settings_off(rq->settings), MAY_FOLLOW, NO_THING) &&
	    posts_prepare_ranking(rq->arena, &read_most, &feed->second[count]))
		count++;
	if (count != 0)
		status = page_read(rq, feed->second, count);
	if (count != feed->second_count)
		*hot = feed->second[count - 1];
	return status;
}

/* So that the stream worker puts into it what comes. A failure does not matter to the page. */
static void
note_seen(struct request *rq, const struct feed_reading *feed)
{
	struct plan plan = plan_of(rq);

	(void)feed_note_seen(&plan, feed->state, feed->filled);
}

static enum http_status
respond_feed(struct request *rq, struct response *rs, const struct feed_reading *feed,
    const struct feed_page *page, const struct read *hot)
{
	struct own_feed_view *view = ARENA_NEW(rq->arena, struct own_feed_view);
	struct page_frame frame = {.title = STR("Your feed"), .noindex = true};
	bool follows = feed->followed.count != 0;

	for (size_t i = 0; i < page->count; i++)
		note_confidential(rq, &page->posts[i]);
	view->posts.items = cards_of(rq, page->posts, page->count);
	view->posts.count = page->count;
	if (feed->until.len != 0)
		view->empty_text = STR("There is nothing older.");
	else if (follows)
		view->empty_text = STR("The people you follow have published nothing that you could see here.");
	else
		view->empty_text = STR("You follow nobody yet. What people publish whom you follow will be here: each author’s page has a button for it.");
	if (page->count == 0 && hot->found_count != 0)
		fill_suggestions(rq, feed, hot, view);
	if (feed->partly)
		view->partly_text = str_fmt(rq->arena,
		    "You follow more than %d people: what is older than a month is of %d of them here.",
		    FEED_AUTHORS_MAX, FEED_AUTHORS_MAX);
	view->token = csrf_token(rq, rs);
	view->pagination = pagination_onward(rq, page->next);
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(own_feed_template, view));
}

static enum http_status
show(struct request *rq, struct response *rs)
{
	struct feed_reading *feed = ARENA_NEW(rq->arena, struct feed_reading);
	struct feed_page page;
	struct read hot;
	struct str until;
	enum http_status status;

	if (!list_cursor_of(rq, "after", &until))
		return HTTP_BAD_REQUEST;
	status = read_feed(rq, until, feed, &hot);
	if (status != HTTP_OK)
		return status;
	feed_take(feed, &page);
	if (until.len == 0)
		note_seen(rq, feed);
	return respond_feed(rq, rs, feed, &page, &hot);
}

PAGE(own_feed, .get = show, .query = QUERY("after"))

/* GET /author/<username>: a person's profile, and their posts. */
#include "base/arena.h"
#include "pages/public/profile.h"
#include "pages/routes.h"
#include "pages/shared/lists.h"
#include "pages/shared/publication.h"

struct author_view {
	struct layout_view layout;
	struct profile_view profile;
	LIST_OF(struct post_card_view) posts;
	struct str empty_text;
	const struct pagination_view *pagination;
};

VIEW_FIELDS(author_view, VIEW(layout, layout_view), VIEW(profile, profile_view),
    LIST(posts, post_card_view), STRING(empty_text), OPTION(pagination, pagination_view))
TEMPLATE(author_template, "author", author_view)

static enum http_status
show(struct request *rq, struct response *rs)
{
	struct author_view *view = ARENA_NEW(rq->arena, struct author_view);
	struct read reads[PROFILE_READS + 2];
	struct page_frame frame = {.noindex = false};
	struct posts_page page;
	struct profile profile;
	enum http_status status;
	struct posts posts;
	size_t count;
	bool first;

	if (!profile_prepare(rq, reads, &count))
		return HTTP_NOT_FOUND;
	status = posts_page_prepare(rq, POSTS_OF_AUTHOR, request_param(rq, "username"), 0, &page);
	if (status != HTTP_OK)
		return status;
	reads[count] = page.read;
	reads[count + 1] = profile_figures_read(rq);
	status = page_read(rq, reads, count + 2);
	if (status == HTTP_OK)
		status = profile_take(rq, reads, &profile);
	if (status != HTTP_OK)
		return status;
	/* Public posts of a private person are public all the same. */
	page.read = reads[count];
	posts_page_take(rq, &page, NULL, &posts, &first);
	if (first)
		return redirect(rs, HTTP_SEE_OTHER, rq->path);
	list_fresh(rq, rs);
	profile_fill(rq, rs, &profile, PROFILE_POSTS, &view->profile, &frame);
	profile_figures_fill(rq, &profile, reads[count + 1].item, &view->profile);
	view->posts.items = cards_of(rq, posts.posts, posts.count);
	view->posts.count = posts.count;
	view->empty_text = STR("Nothing has been published yet.");
	view->pagination = pagination_of(rq, posts.newer, posts.older);
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(author_template, view));
}

PAGE(author, .get = show, .query = list_parameters)

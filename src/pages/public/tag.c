/*
 * GET /tag/<tag>: the posts with a tag, and the tags that are seen together with it. The tag's own items only name the posts, so
 * it takes two trips. POST /tag/<tag>/mute: mutes it, or no longer.
 */
#include "base/arena.h"
#include "model/key_catalogue.h"
#include "model/post/tag.h"
#include "model/slug.h"
#include "model/viewer.h"
#include "pages/public/indexes.h"
#include "pages/public/json_ld.h"
#include "pages/public/watch.h"
#include "pages/routes.h"
#include "pages/shared/layout.h"
#include "pages/shared/lists.h"
#include "pages/shared/publication.h"
#include "pages/shared/scheduled.h"
#include "pages/shared/words.h"
#include "pages/shared/form_view.h"
#include "pages/shared/plan.h"
#include "text/url.h"
#include "web/session/csrf.h"

struct tag_view {
	struct layout_view layout;
	struct str name, posts_text, feed_url;
	struct breadcrumbs breadcrumbs;
	LIST_OF(struct counted_link_view) related;
	LIST_OF(struct link_view) catalogue; /* links and how-tos with it */
	LIST_OF(struct post_card_view) posts;
	struct str empty_text;
	const struct pagination_view *pagination;
	const struct watch_view *watch;
	struct str mute_url, mute_wish, mute_text, token; /* empty for a stranger */
};

VIEW_FIELDS(tag_view, VIEW(layout, layout_view), STRING(name), STRING(posts_text), STRING(feed_url),
    LIST(breadcrumbs, link_view), LIST(related, counted_link_view), LIST(catalogue, link_view),
    LIST(posts, post_card_view), STRING(empty_text), OPTION(pagination, pagination_view), OPTION(watch, watch_view), STRING(mute_url), STRING(mute_wish), STRING(mute_text),
    STRING(token))
TEMPLATE(tag_template, "tag", tag_view)

static void
fill_mute(struct request *rq, struct response *rs, struct str path, struct tag_view *view)
{
	bool muted = viewer_mutes_tag(rq->viewer, view->name);

	if (rq->viewer == NULL)
		return;
	view->mute_url = STR_CONCAT(rq->arena, path, STR("/mute"));
	view->mute_wish = muted ? STR("unmute") : STR("mute");
	view->mute_text = muted ? STR("Unmute this tag") : STR("Mute this tag");
	view->token = csrf_token(rq, rs);
}

/* --- Tags that are seen together with it ----------------------------------------------------------------- */

/* What a page is made of. */
struct loaded {
	struct tag tag;
	struct posts posts;
	const struct read *entries; /* of each kind in the catalogue, the newest */
	const struct tag_count *related;
	size_t related_count;
	struct read related_tags;
	bool watched;
};

static const enum post_kind kinds[] = {KIND_ARTICLE, KIND_LINK, KIND_HOWTO, KIND_NOTE};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]), OF_EACH = 50, RELATED_MAX = 12 };

static void
prepare_related(struct request *rq, struct str name, struct read *reads)
{
	for (size_t i = 0; i < KINDS; i++) {
		reads[i] = (struct read){.kind = READ_QUERY,
		    .query = query_catalogue(
			rq->arena, catalogue_kind(rq->arena, kinds[i], name), CATALOGUE_NEWEST)};
		reads[i].query.limit = OF_EACH;
	}
}

static const struct tag_count *
related_to(struct request *rq, struct str name, const struct read *reads, size_t *count)
{
	const struct strings_value own = {&name, 1};
	struct catalogue_entry *entries =
	    ARENA_ARRAY(rq->arena, (size_t)KINDS * OF_EACH, struct catalogue_entry);
	size_t all = 0;

	for (size_t i = 0; i < KINDS; i++)
		for (size_t j = 0; j < reads[i].found_count; j++)
			catalogue_entry_from_item(rq->arena, &reads[i].found[j], &entries[all++]);
	return catalogue_tags(rq->arena, entries, all, &own, RELATED_MAX, count);
}

static void
fill_related(struct request *rq, const struct loaded *loaded, struct tag_view *view)
{
	struct counted_link_view *links =
	    ARENA_ARRAY(rq->arena, loaded->related_count, struct counted_link_view);
	size_t count = 0;

	for (size_t i = 0; i < loaded->related_count; i++) {
		const struct tag_count *tag = &loaded->related[i];

		if (tag_counted_shown(rq, &loaded->related_tags, i))
			links[count++] = (struct counted_link_view){
			    url_join(rq->arena, STR("/tag/"), tag->tag), tag->tag,
			    words_count(rq->arena, (int64_t)tag->count, "post", "posts")};
	}
	view->related.items = links;
	view->related.count = count;
}

/* To the links and the how-tos with it, where there are any. */
static void
fill_catalogue(struct request *rq, const struct read *reads, struct tag_view *view)
{
	static const struct {
		struct str path, name;
	} pages[KINDS] = {[1] = {STR_INIT("/links?tags="), STR_INIT("Links by stars")},
	    [2] = {STR_INIT("/howtos?tags="), STR_INIT("How-tos by what they take")}};
	struct link_view *links = ARENA_ARRAY(rq->arena, KINDS, struct link_view);
	size_t count = 0;

	for (size_t i = 0; i < KINDS; i++)
		if (pages[i].path.len != 0 && reads[i].found_count != 0)
			links[count++] = (struct link_view){
			    url_join(rq->arena, pages[i].path, view->name), pages[i].name};
	view->catalogue.items = links;
	view->catalogue.count = count;
}

/* --- The page --------------------------------------------------------------------------------------------- */

static enum http_status
show(struct request *rq, struct response *rs, const struct loaded *loaded)
{
	const struct tag *tag = &loaded->tag;
	const struct posts *posts = &loaded->posts;
	const struct watch_target target = {.what = WATCH_TAG, .name = tag->name};
	struct tag_view *view = ARENA_NEW(rq->arena, struct tag_view);
	struct breadcrumbs trail = trail_home(rq);
	struct str path = url_join(rq->arena, STR("/tag/"), tag->name);
	struct page_frame frame = {.title = tag->name,
	    .path = path,
	    .feed_path = STR_CONCAT(rq->arena, path, STR("/feed.atom")),
	    .feed_title = tag->name};

	breadcrumb(rq, &trail, STR("/tags"), STR("Tags"));
	frame.json_ld = json_ld_breadcrumbs(rq, &trail, tag->name, path);
	view->name = tag->name;
	view->watch = watch_view(rq, rs, &target, loaded->watched);
	fill_mute(rq, rs, path, view);
	fill_related(rq, loaded, view);
	fill_catalogue(rq, loaded->entries, view);
	view->posts_text = words_count(rq->arena, tag->posts, "post", "posts");
	view->feed_url = frame.feed_path;
	view->breadcrumbs = trail;
	view->posts.items = cards_of(rq, posts->posts, posts->count);
	view->posts.count = posts->count;
	view->empty_text = STR("Nothing with this tag has been published yet.");
	view->pagination = pagination_of(rq, posts->newer, posts->older);
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(tag_template, view));
}

/* The heads of the posts, and the numbers of the related tags. */
static enum http_status
load_named(struct request *rq, struct read *list, struct read *heads, struct loaded *out)
{
	struct read reads[2];
	bool posts = posts_heads(rq->arena, list, &reads[0]);
	bool tags = tags_counted_prepare(rq, out->related, out->related_count, &reads[posts]);
	enum http_status status = page_read(rq, reads, (size_t)posts + tags);

	if (posts)
		*heads = reads[0];
	if (tags)
		out->related_tags = reads[posts];
	return status;
}

static enum http_status
load(struct request *rq, struct response *rs)
{
	struct str name = request_param(rq, "tag");
	const struct watch_target target = {.what = WATCH_TAG, .name = name};
	struct read reads[2 + KINDS + 1], heads, *watched = &reads[2 + KINDS];
	struct loaded loaded = {.entries = &reads[2]};
	struct posts_page page;
	enum http_status status;
	bool first;

	/* A tag has the form of a slug; a longer name might not fit into a key. */
	if (!slug_valid(name))
		return HTTP_NOT_FOUND;
	status = posts_page_prepare(rq, POSTS_OF_TAG, name, 0, &page);
	if (status != HTTP_OK)
		return status;
	reads[0] = (struct read){.kind = READ_GET, .key = key_tag(name)};
	reads[1] = page.read;
	prepare_related(rq, name, &reads[2]);
	if (rq->viewer != NULL)
		*watched = watch_read(rq->arena, rq->viewer->user.username, &target);
	status = page_read(rq, reads, 2 + KINDS + (rq->viewer != NULL));
	if (status != HTTP_OK)
		return status;
	if (reads[0].item == NULL)
		return HTTP_NOT_FOUND;
	page.read = reads[1];
	loaded.watched = rq->viewer != NULL && watched->item != NULL;
	loaded.related = related_to(rq, name, loaded.entries, &loaded.related_count);
	status = load_named(rq, &page.read, &heads, &loaded);
	if (status != HTTP_OK)
		return status;
	posts_page_take(rq, &page, &heads, &loaded.posts, &first);
	if (first)
		return redirect(rs, HTTP_SEE_OTHER, rq->path);
	/* A tag whose only post is scheduled is not visible yet. */
	if (loaded.posts.count == 0 && page.query.cursor.len == 0)
		return HTTP_NOT_FOUND;
	tag_from_item(rq->arena, reads[0].item, &loaded.tag);
	loaded.tag.posts -= scheduled_with(rq, loaded.tag.name);
	list_fresh(rq, rs);
	return show(rq, rs, &loaded);
}

static enum http_status
mute(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of(rq);
	struct str wish = input_of(rq, "do"), name = request_param(rq, "tag");
	bool on = str_eq(wish, STR("mute"));
	struct read read = {.kind = READ_GET};
	enum http_status status;
	enum plan_rc rc;

	if (!slug_valid(name))
		return HTTP_NOT_FOUND;
	if (!on && !str_eq(wish, STR("unmute")))
		return HTTP_BAD_REQUEST;
	read.key = key_tag(name);
	status = on ? page_read(rq, &read, 1) : HTTP_OK;
	if (status != HTTP_OK)
		return status;
	if (on && read.item == NULL)
		return HTTP_NOT_FOUND;
	rc = hidden_mute_tag(&plan, &rq->viewer->hidden, name, on);
	if (rc == PLAN_FULL)
		rs->error_text = "You have muted as many tags as you can. Unmute one first.";
	if (rc == PLAN_FULL)
		return HTTP_CONFLICT;
	return rc == PLAN_DONE
		   ? redirect(rs, HTTP_SEE_OTHER, url_join(rq->arena, STR("/tag/"), name))
		   : plan_refused(rs, &plan, rc);
}

PAGE(tag_mute, .post = mute)
PAGE(tag, .get = load, .query = list_parameters)

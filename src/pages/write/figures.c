/*
 * GET /figures/<id>: how often a post was read, by days, from where its readers came, and what they did; for those who may
 * edit it. Bookmarks are for its authors.
 * GET /figures/<id>/days.csv, hosts.csv: the same as files.
 *
 * The second trip reads what its kind lets readers do, which is indexed by person: of more than a thousand, those who
 * come first by their names are counted by day, and the page says so.
 */
#include "pages/shared/figures.h"

#include "base/arena.h"
#include "model/key_post.h"
#include "model/reader/rating.h"
#include "model/slug.h"
#include "pages/routes.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"
#include "pages/write/revisions.h"
#include "text/url.h"

struct post_figures {
	struct figures figures;
	struct post post;
	bool marks; /* they see bookmarks */
	int64_t total;
	struct views_sum hosts;
};

/* What readers do to this kind of post: NULL, nothing that is counted by day. */
static const char *
deed_of(const struct post *post)
{
	return reaction_fits(post, REACTION_LIKE)   ? "Likes"
	       : reaction_fits(post, REACTION_VOTE) ? "Votes"
	       : post->kind == KIND_LINK            ? "Ratings"
						    : NULL;
}

static struct query
deeds_query(struct arena *arena, const struct post *post)
{
	struct query query = query_ratings(arena, post->id);

	if (reaction_fits(post, REACTION_LIKE))
		query = query_reactions_about(arena, post->id, "LIKE");
	else if (reaction_fits(post, REACTION_VOTE))
		query = query_reactions_about(arena, post->id, "VOTE");
	/* Ratings are by time. */
	query.descending = true;
	query.limit = TABLE_QUERY_MAX;
	return query;
}

static void
count_deeds(struct request *rq, struct figures *f, const char *name, const struct read *read)
{
	struct series *s = figures_series(rq, f, name);
	int64_t ms;

	for (size_t i = 0; i < read->found_count; i++)
		/* A vote on a comment stands beside those on the post. */
		if (item_string(&read->found[i], STR("Comment")).len == 0 &&
		    time_parse(item_string(&read->found[i], STR("CreatedAt")), &ms))
			series_add_at(rq, f, s, ms);
	if (read->next.len != 0)
		s->note = STR("There are many: only a thousand of them are counted by day.");
}

/* The second trip: what readers did. */
static enum http_status
load_deeds(struct request *rq, struct post_figures *p)
{
	const char *deed = deed_of(&p->post);
	struct read reads[2], *marks = &reads[deed != NULL];
	size_t count = deed != NULL;
	enum http_status status;

	if (deed != NULL)
		reads[0] =
		    (struct read){.kind = READ_QUERY, .query = deeds_query(rq->arena, &p->post)};
	if (p->marks && p->post.kind != KIND_PAGE) {
		*marks = (struct read){.kind = READ_QUERY,
		    .query = query_reactions_about(rq->arena, p->post.id, "BOOKMARK")};
		marks->query.limit = TABLE_QUERY_MAX;
		count++;
	}
	if (count == 0)
		return HTTP_OK;
	status = page_read(rq, reads, count);
	if (status != HTTP_OK)
		return status;
	if (deed != NULL)
		count_deeds(rq, &p->figures, deed, &reads[0]);
	if (marks < reads + count)
		count_deeds(rq, &p->figures, "Bookmarks", marks);
	return HTTP_OK;
}

static enum http_status
load(struct request *rq, struct post_figures *p)
{
	enum { HEAD, TOTAL, DAYS, READS };
	struct str id = request_param(rq, "id");
	struct figures *f = &p->figures;
	struct read reads[READS];
	enum http_status status;
	struct series *views;

	if (!slug_valid(id))
		return HTTP_NOT_FOUND;
	if (!figures_begin(rq, f))
		return HTTP_BAD_REQUEST;
	reads[HEAD] = (struct read){.kind = READ_GET, .key = key_post(rq->arena, id)};
	reads[TOTAL] = (struct read){.kind = READ_GET, .key = key_views_total(rq->arena, id)};
	reads[DAYS] =
	    (struct read){.kind = READ_QUERY, .query = query_views(rq->arena, id, f->from)};
	status = page_read(rq, reads, READS);
	if (status == HTTP_OK)
		status = page_post_for(rq, &reads[HEAD], MAY_EDIT, &p->post);
	if (status != HTTP_OK)
		return status;
	figures_know(rq, f);
	p->marks = may(rq->viewer, MAY_SEE_MARKS, thing_post(&p->post, rq->now));
	if (reads[TOTAL].item != NULL)
		p->total = item_number(reads[TOTAL].item, STR("Views"));
	views = figures_series(rq, f, "Views");
	for (size_t i = 0; i < reads[DAYS].found_count; i++) {
		struct day_views day;

		day_views_from_item(rq->arena, &reads[DAYS].found[i], &day);
		series_add(rq, f, views, day.day, day.views);
		views_sum(rq->arena, &p->hosts, day.hosts, day.host_count);
	}
	views_sum_sort(&p->hosts);
	return load_deeds(rq, p);
}

static struct str
figures_path(struct arena *arena, const struct post *post)
{
	return url_join(arena, STR("/figures/"), post->id);
}

static void
fill_facts(struct request *rq, const struct post_figures *p, struct figures_view *view)
{
	const struct post *post = &p->post;

	figures_fact(rq, view, "Views in all", p->total);
	if (reaction_fits(post, REACTION_LIKE))
		figures_fact(rq, view, "Likes", post->likes);
	if (reaction_fits(post, REACTION_VOTE)) {
		figures_fact(rq, view, "Votes for it", post->ups);
		figures_fact(rq, view, "Against it", post->downs);
	}
	if (post->kind == KIND_LINK)
		figures_fact(rq, view, "Ratings", post->ratings);
	if (post->kind != KIND_PAGE)
		figures_fact(rq, view, "Comments", post->comments);
	if (p->marks && post->kind != KIND_PAGE)
		figures_fact(rq, view, "Bookmarks", post->bookmarks);
}

static enum http_status
show(struct request *rq, struct response *rs)
{
	struct post_figures *p = ARENA_NEW(rq->arena, struct post_figures);
	struct figures_view *view = ARENA_NEW(rq->arena, struct figures_view);
	enum http_status status = load(rq, p);

	if (status != HTTP_OK)
		return status;
	view->title = STR("Figures");
	view->intro = words_title(&p->post);
	view->breadcrumbs = revisions_trail(rq, &p->post, false);
	view->note =
	    STR("A view is a page opened in a browser; programs are left out as far as they "
		"say what they are, and so are you and the other authors. Nothing is kept of "
		"who reads.");
	fill_facts(rq, p, view);
	figures_hosts(rq, view, &p->hosts, p->figures.series[0].sum);
	return figures_respond(rq, rs, &p->figures, figures_path(rq->arena, &p->post), view);
}

static enum http_status
download(struct request *rq, struct response *rs)
{
	struct post_figures *p = ARENA_NEW(rq->arena, struct post_figures);
	struct str file = request_param(rq, "file");
	bool days = str_eq(file, STR("days.csv"));
	enum http_status status = HTTP_NOT_FOUND;

	if (days || str_eq(file, STR("hosts.csv")))
		status = load(rq, p);
	if (status != HTTP_OK)
		return status;
	/* A file's name is ASCII, which an id need not be. */
	return days ? figures_days_csv(rq, rs, &p->figures, file)
		    : figures_sums_csv(rq, rs, "host", &p->hosts, file);
}

PAGE(figures, .get = show, .query = QUERY("days"))
PAGE(figures_file, .get = download, .query = QUERY("days"))

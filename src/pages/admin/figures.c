/*
 * GET /admin/figures: how often the publication was read, by days, which posts most, and from where its readers came.
 * GET /admin/figures/days.csv, posts.csv, hosts.csv: the same as files.
 */
#include "pages/shared/figures.h"

#include "base/arena.h"
#include "model/key_post.h"
#include "pages/admin/admin.h"
#include "pages/routes.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"
#include "text/url.h"

struct site_figures {
	struct figures figures;
	int64_t total;
	struct views_sum hosts, posts;
};

static enum http_status
load(struct request *rq, struct site_figures *s)
{
	enum { TOTAL, DAYS, READS };
	struct figures *f = &s->figures;
	static const char *const names[DEEDS] = {"Reactions", "Comments", "Bookmarks"};
	struct series *views, *of_posts, *deeds[DEEDS];
	struct read reads[READS];
	enum http_status status;

	if (!figures_begin(rq, f))
		return HTTP_BAD_REQUEST;
	reads[TOTAL] = (struct read){.kind = READ_GET, .key = key_views_total(rq->arena, STR(""))};
	reads[DAYS] =
	    (struct read){.kind = READ_QUERY, .query = query_views(rq->arena, STR(""), f->from)};
	status = page_read(rq, reads, READS);
	if (status != HTTP_OK)
		return status;
	figures_know(rq, f);
	if (reads[TOTAL].item != NULL)
		s->total = item_number(reads[TOTAL].item, STR("Views"));
	views = figures_series(rq, f, "Views");
	of_posts = figures_series(rq, f, "Views of posts");
	for (enum deed deed = 0; deed < DEEDS; deed++)
		deeds[deed] = figures_series(rq, f, names[deed]);
	deeds[DEED_REACTION]->note = STR("Likes, votes on posts, ratings.");
	for (size_t i = 0; i < reads[DAYS].found_count; i++) {
		struct day_views day;

		day_views_from_item(rq->arena, &reads[DAYS].found[i], &day);
		series_add(rq, f, views, day.day, day.views);
		series_add(rq, f, of_posts, day.day, day.post_views);
		for (enum deed deed = 0; deed < DEEDS; deed++)
			series_add(rq, f, deeds[deed], day.day, day.deeds[deed]);
		views_sum(rq->arena, &s->hosts, day.hosts, day.host_count);
		views_sum(rq->arena, &s->posts, day.posts, day.post_count);
	}
	views_sum_sort(&s->hosts);
	views_sum_sort(&s->posts);
	return HTTP_OK;
}

/* The posts that were read most, in the second trip; of what the viewer may not read, the number alone. */
static enum http_status
show_posts(struct request *rq, const struct site_figures *s, struct figures_view *view)
{
	struct figures_list_view *list = figures_list(rq, view, "posts", "Read most");
	size_t count = s->posts.count < FIGURES_ROWS ? s->posts.count : FIGURES_ROWS;
	struct figure_view *rows = ARENA_ARRAY(rq->arena, count, struct figure_view);
	struct key *keys = ARENA_ARRAY(rq->arena, count, struct key);
	struct read read = {.kind = READ_BATCH, .batch = {keys, count}};
	enum http_status status;

	list->empty_text = STR("No post was read in these days.");
	if (count == 0)
		return HTTP_OK;
	for (size_t i = 0; i < count; i++)
		keys[i] = key_post(rq->arena, s->posts.items[i].name);
	status = page_read(rq, &read, 1);
	if (status != HTTP_OK)
		return status;
	for (size_t i = 0; i < count; i++) {
		struct post post = {.id = STR("")};

		if (read.items[i] != NULL)
			post_from_item(rq->arena, read.items[i], &post);
		rows[i] = (struct figure_view){.name = STR("A post that you may not read"),
		    .value = words_number(rq->arena, s->posts.items[i].views)};
		if (post.id.len == 0 || !may(rq->viewer, MAY_READ, thing_post(&post, rq->now)))
			continue;
		rows[i].name = words_title(&post);
		rows[i].url = may(rq->viewer, MAY_EDIT, thing_post(&post, rq->now))
				  ? url_join(rq->arena, STR("/figures/"), post.id)
				  : post_path(rq->arena, &post);
	}
	list->rows.items = rows;
	list->rows.count = count;
	return HTTP_OK;
}

static enum http_status
show(struct request *rq, struct response *rs)
{
	struct site_figures *s = ARENA_NEW(rq->arena, struct site_figures);
	struct figures_view *view = ARENA_NEW(rq->arena, struct figures_view);
	const struct admin_view *staff = admin_page(rq, "/admin/figures", STR("Figures"));
	enum http_status status = load(rq, s);

	if (status == HTTP_OK)
		status = show_posts(rq, s, view);
	if (status != HTTP_OK)
		return status;
	view->title = staff->title;
	view->sections.items = staff->sections.items;
	view->sections.count = staff->sections.count;
	view->note = STR("A view is a page opened in a browser, by a member or by a stranger; "
			 "programs are left out as far as "
			 "they say what they are. Of what readers do, what they take back on a day "
			 "is subtracted. "
			 "Nothing is kept of who reads. What nginx answers from a cache of its own "
			 "is not seen here.");
	figures_fact(rq, view, "Views in all", s->total);
	figures_hosts(rq, view, &s->hosts, s->figures.series[0].sum);
	return figures_respond(rq, rs, &s->figures, STR("/admin/figures"), view);
}

static enum http_status
download(struct request *rq, struct response *rs)
{
	struct site_figures *s = ARENA_NEW(rq->arena, struct site_figures);
	struct str file = request_param(rq, "file");
	bool days = str_eq(file, STR("days.csv")), posts = str_eq(file, STR("posts.csv"));
	enum http_status status = HTTP_NOT_FOUND;

	if (days || posts || str_eq(file, STR("hosts.csv")))
		status = load(rq, s);
	if (status != HTTP_OK)
		return status;
	if (days)
		return figures_days_csv(rq, rs, &s->figures, file);
	return posts ? figures_sums_csv(rq, rs, "post", &s->posts, file)
		     : figures_sums_csv(rq, rs, "host", &s->hosts, file);
}

PAGE(admin_figures, .get = show, .query = QUERY("days"))
PAGE(admin_figures_file, .get = download, .query = QUERY("days"))

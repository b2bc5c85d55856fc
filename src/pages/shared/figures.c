#include "pages/shared/figures.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/zone.h"
#include "pages/shared/words.h"
#include "text/template.h"

#include <assert.h>
#include <inttypes.h>

VIEW_FIELDS(figure_view, STRING(url), STRING(name), STRING(value))
VIEW_FIELDS(figures_list_view, STRING(id), STRING(name), STRING(text), STRING(empty_text),
    LIST(rows, figure_view))
VIEW_FIELDS(plot_view, STRING(name), STRING(text), STRING(label), STRING(path), STRING(first_text),
    STRING(last_text), NUMBER(width))
VIEW_FIELDS(figures_day_view, STRING(day), STRING(text), STRINGS(values))
VIEW_FIELDS(figures_view, VIEW(layout, layout_view), LIST(sections, nav_link_view),
    LIST(spans, nav_link_view), LIST(breadcrumbs, link_view), STRING(title), STRING(intro),
    STRING(note), STRING(days_text), LIST(facts, figure_view), LIST(plots, plot_view),
    LIST(lists, figures_list_view), STRINGS(columns), LIST(days, figures_day_view),
    LIST(ways, link_view))
TEMPLATE(figures_template, "figures", figures_view)

static const int64_t day_ms = INT64_C(24) * 60 * 60 * 1000;

static const struct {
	size_t days;
	const char *value, *name; /* of the parameter; in the page */
} spans[] = {{30, "", "30 days"}, {90, "90", "90 days"}, {365, "365", "A year"}};
enum {
	SPANS = sizeof(spans) / sizeof(spans[0]),
	FACTS = 8,
	FILES = 3,
	BAR = 10,     /* units of a plot: of a day, */
	HEIGHT = 100, /* and of the largest number */
};

/* --- Numbers by day ---------------------------------------------------------------------------------- */

/* "2026-11-18" of a day since 1970. */
static struct str
day_name(struct arena *arena, int64_t day)
{
	struct date date = time_date(day * day_ms);

	return str_fmt(arena, "%04d-%02d-%02d", date.year, date.month, date.day);
}

bool
figures_begin(struct request *rq, struct figures *f)
{
	struct str wanted = request_query(rq, "days");

	*f = (struct figures){.days = 0};
	for (size_t i = 0; i < SPANS; i++)
		if (str_eq(wanted, str_of(spans[i].value)))
			f->days = spans[i].days;
	f->from = day_name(rq->arena, rq->now / day_ms - (int64_t)f->days - 1);
	return f->days != 0;
}

void
figures_know(struct request *rq, struct figures *f)
{
	f->first = zone_local(rq->zone, rq->now) / day_ms - (int64_t)f->days + 1;
}

struct series *
figures_series(struct request *rq, struct figures *f, const char *name)
{
	struct series *s = &f->series[f->series_count];

	assert(f->series_count < FIGURES_SERIES);
	f->series_count++;
	*s = (struct series){.name = name, .by_day = ARENA_ARRAY(rq->arena, f->days, int64_t)};
	return s;
}

static void
add(const struct figures *f, struct series *s, int64_t day, int64_t n)
{
	if (day < f->first || day >= f->first + (int64_t)f->days)
		return;
	s->by_day[day - f->first] += n;
	s->sum += n;
}

void
series_add(struct request *rq, const struct figures *f, struct series *s, struct str day, int64_t n)
{
	int64_t ms;

	if (time_parse(STR_CONCAT(rq->arena, day, STR("T00:00:00Z")), &ms))
		add(f, s, ms / day_ms, n);
}

void
series_add_at(struct request *rq, const struct figures *f, struct series *s, int64_t ms)
{
	add(f, s, zone_local(rq->zone, ms) / day_ms, 1);
}

/* --- Names with numbers --------------------------------------------------------------------------------- */

void
views_sum(struct arena *arena, struct views_sum *sum, const struct views_of *more, size_t count)
{
	struct views_of *all = ARENA_ARRAY(arena, sum->count + count, struct views_of);
	size_t n = sum->count;

	for (size_t i = 0; i < n; i++)
		all[i] = sum->items[i];
	for (size_t i = 0; i < count; i++) {
		size_t at = 0;

		while (at < n && !str_eq(all[at].name, more[i].name))
			at++;
		if (at == n)
			all[n++] = (struct views_of){more[i].name, 0};
		all[at].views += more[i].views;
	}
	*sum = (struct views_sum){all, n};
}

void
views_sum_sort(struct views_sum *sum)
{
	views_sort(sum->items, sum->count);
}

/* --- The page ---------------------------------------------------------------------------------------------- */

void
figures_fact(struct request *rq, struct figures_view *view, const char *name, int64_t value)
{
	struct figure_view *facts = (struct figure_view *)(uintptr_t)view->facts.items;

	if (facts == NULL)
		view->facts.items = facts = ARENA_ARRAY(rq->arena, FACTS, struct figure_view);
	assert(view->facts.count < FACTS);
	facts[view->facts.count++] =
	    (struct figure_view){.name = str_of(name), .value = words_number(rq->arena, value)};
}

struct figures_list_view *
figures_list(struct request *rq, struct figures_view *view, const char *id, const char *name)
{
	struct figures_list_view *lists = (struct figures_list_view *)(uintptr_t)view->lists.items;

	if (lists == NULL)
		view->lists.items = lists =
		    ARENA_ARRAY(rq->arena, FIGURES_LISTS, struct figures_list_view);
	assert(view->lists.count < FIGURES_LISTS);
	lists += view->lists.count++;
	lists->id = str_of(id);
	lists->name = str_of(name);
	return lists;
}

void
figures_hosts(
    struct request *rq, struct figures_view *view, const struct views_sum *hosts, int64_t views)
{
	struct figures_list_view *list = figures_list(rq, view, "hosts", "Where readers came from");
	struct figure_view *rows = ARENA_ARRAY(rq->arena, FIGURES_ROWS, struct figure_view);

	for (size_t i = 0; i < hosts->count; i++) {
		views -= hosts->items[i].views;
		if (i < FIGURES_ROWS)
			rows[list->rows.count++] =
			    (struct figure_view){.name = hosts->items[i].name,
				.value = words_number(rq->arena, hosts->items[i].views)};
	}
	list->rows.items = rows;
	list->empty_text = STR("No other site has led anybody here in these days.");
	if (hosts->count != 0 && views > 0)
		list->text = STR_CONCAT(rq->arena, words_count(rq->arena, views, "view", "views"),
		    STR(" came from this site, or their browsers did not say from where."));
}

/* A time on that day, for words. */
static int64_t
noon_of(struct request *rq, int64_t day)
{
	return zone_utc(rq->zone, day * day_ms + day_ms / 2);
}

/* The bars, as one path: each rises from the ground and returns to it. */
static struct str
path_of(struct arena *arena, const struct figures *f, const struct series *s, int64_t most)
{
	struct buf out = {.arena = arena};

	for (size_t i = 0; i < f->days; i++) {
		int64_t height = (s->by_day[i] * HEIGHT + most - 1) / most;

		if (height > 0)
			buf_fmt(&out, "M%zu %dv-%" PRId64 "h%dv%" PRId64 "z", i * BAR, HEIGHT,
			    height, BAR - 1, height);
	}
	return buf_str(&out);
}

static void
fill_plot(
    struct request *rq, const struct figures *f, const struct series *s, struct plot_view *out)
{
	size_t most = 0;

	for (size_t i = 1; i < f->days; i++)
		if (s->by_day[i] > s->by_day[most])
			most = i;
	out->name = str_of(s->name);
	out->text = STR("None in these days.");
	if (s->sum != 0) {
		out->text = STR_CONCAT(rq->arena, words_number(rq->arena, s->sum),
		    STR(" in these days, at most "), words_number(rq->arena, s->by_day[most]),
		    STR(" on "), words_date_near(rq, noon_of(rq, f->first + (int64_t)most)),
		    STR("."));
		/* More may have been taken back than done. */
		if (s->by_day[most] > 0)
			out->path = path_of(rq->arena, f, s, s->by_day[most]);
	}
	out->label = STR_CONCAT(
	    rq->arena, out->name, STR(" by day: "), out->text, STR(" The table has the numbers."));
	if (s->note.len != 0)
		out->text = STR_CONCAT(rq->arena, out->text, STR(" "), s->note);
	out->width = (int64_t)f->days * BAR;
	out->first_text = words_date_near(rq, noon_of(rq, f->first));
	out->last_text = words_date_near(rq, noon_of(rq, f->first + (int64_t)f->days - 1));
}

/* A row for each day on which there was something, the last one first. */
static void
fill_days(struct request *rq, const struct figures *f, struct figures_view *view)
{
	struct figures_day_view *days = ARENA_ARRAY(rq->arena, f->days, struct figures_day_view);
	struct str *columns = ARENA_ARRAY(rq->arena, f->series_count, struct str);

	for (size_t n = 0; n < f->series_count; n++)
		columns[n] = str_of(f->series[n].name);
	for (size_t i = f->days; i-- > 0;) {
		struct figures_day_view *day = &days[view->days.count];
		struct str *values = ARENA_ARRAY(rq->arena, f->series_count, struct str);
		bool some = false;

		for (size_t n = 0; n < f->series_count; n++) {
			some |= f->series[n].by_day[i] != 0;
			values[n] = words_number(rq->arena, f->series[n].by_day[i]);
		}
		if (!some)
			continue;
		day->day = day_name(rq->arena, f->first + (int64_t)i);
		day->text = words_date_near(rq, noon_of(rq, f->first + (int64_t)i));
		day->values.items = values;
		day->values.count = f->series_count;
		view->days.count++;
	}
	if (view->days.count < f->days)
		view->days_text = STR("On days that are not here there was nothing.");
	view->days.items = days;
	view->columns.items = columns;
	view->columns.count = f->series_count;
}

/* An address of the page, or one below it, with the days. */
static struct str
with_days(struct request *rq, struct str path, const char *file, const char *days)
{
	return STR_CONCAT(
	    rq->arena, path, str_of(file), days[0] != '\0' ? STR("?days=") : STR(""), str_of(days));
}

static void
fill_links(struct request *rq, const struct figures *f, struct str path, struct figures_view *view)
{
	struct nav_link_view *links = ARENA_ARRAY(rq->arena, SPANS, struct nav_link_view);
	struct breadcrumbs ways = {NULL, 0};
	const char *days = "";

	for (size_t i = 0; i < SPANS; i++) {
		links[i] = (struct nav_link_view){with_days(rq, path, "", spans[i].value),
		    str_of(spans[i].name), spans[i].days == f->days};
		if (links[i].current)
			days = spans[i].value;
	}
	view->spans.items = links;
	view->spans.count = SPANS;
	breadcrumb(rq, &ways, with_days(rq, path, "/days.csv", days), STR("The days, as CSV"));
	for (size_t i = 0; i < view->lists.count; i++) {
		const struct figures_list_view *list = &view->lists.items[i];
		struct str file = STR_CONCAT(rq->arena, STR("/"), list->id, STR(".csv"));

		breadcrumb(rq, &ways, with_days(rq, path, file.base, days),
		    STR_CONCAT(rq->arena, STR("The "), list->id, STR(", as CSV")));
	}
	view->ways.items = ways.items;
	view->ways.count = ways.count;
}

enum http_status
figures_respond(struct request *rq, struct response *rs, const struct figures *f, struct str path,
    struct figures_view *view)
{
	struct plot_view *plots = ARENA_ARRAY(rq->arena, f->series_count, struct plot_view);
	struct page_frame frame = {.title = view->title, .noindex = true};

	for (size_t i = 0; i < f->series_count; i++)
		fill_plot(rq, f, &f->series[i], &plots[i]);
	view->plots.items = plots;
	view->plots.count = f->series_count;
	fill_days(rq, f, view);
	fill_links(rq, f, path, view);
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(figures_template, view));
}

/* --- Files --------------------------------------------------------------------------------------------------- */

static enum http_status
answer_csv(struct request *rq, struct response *rs, struct str name)
{
	rs->content_type = STR("text/csv; charset=utf-8");
	response_header(rs, STR("Content-Disposition"),
	    str_fmt(rq->arena, "attachment; filename=\"%.*s\"", STR_ARGS(name)));
	return HTTP_OK;
}

enum http_status
figures_days_csv(struct request *rq, struct response *rs, const struct figures *f, struct str name)
{
	BUF_PUT(&rs->body, "day");
	for (size_t n = 0; n < f->series_count; n++)
		buf_fmt(
		    &rs->body, ",%.*s", STR_ARGS(str_lower(rq->arena, str_of(f->series[n].name))));
	BUF_PUT(&rs->body, "\r\n");
	for (size_t i = 0; i < f->days; i++) {
		buf_put(&rs->body, day_name(rq->arena, f->first + (int64_t)i));
		for (size_t n = 0; n < f->series_count; n++)
			buf_fmt(&rs->body, ",%" PRId64, f->series[n].by_day[i]);
		BUF_PUT(&rs->body, "\r\n");
	}
	return answer_csv(rq, rs, name);
}

enum http_status
figures_sums_csv(struct request *rq, struct response *rs, const char *head,
    const struct views_sum *sum, struct str name)
{
	buf_fmt(&rs->body, "%s,views\r\n", head);
	/* Hosts and ids of posts hold nothing that CSV would need to quote. */
	for (size_t i = 0; i < sum->count; i++)
		buf_fmt(&rs->body, "%.*s,%" PRId64 "\r\n", STR_ARGS(sum->items[i].name),
		    sum->items[i].views);
	return answer_csv(rq, rs, name);
}

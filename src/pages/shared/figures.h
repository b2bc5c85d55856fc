#ifndef PAGES_SHARED_FIGURES_H
#define PAGES_SHARED_FIGURES_H

#include "model/post/figures.h"
#include "pages/shared/layout.h"

/*
 * What the pages of figures share, that of a post and that of the site: numbers by day, as plots, as a table and as CSV;
 * and names with their numbers. Templates: figures.mustache.
 */
enum { FIGURES_SERIES = 5, FIGURES_ROWS = 20 };

/* A number for each day. */
struct series {
	const char *name; /* "Views" */
	struct str note;  /* what is to be known of it, or empty */
	int64_t *by_day, sum;
};

/* The days that a page is about, up to today. */
struct figures {
	size_t days;
	struct str from; /* a day before all of them, in whatever zone: to be read from there */
	int64_t first;   /* the first one, as days since 1970 in the site's zone */
	struct series series[FIGURES_SERIES];
	size_t series_count;
};

/* By ?days=. False: it is none that the page offers. */
bool figures_begin(struct request *rq, struct figures *f);

/* After page_read(): finds the days. */
void figures_know(struct request *rq, struct figures *f);

/* One more series, all 0. */
struct series *figures_series(struct request *rq, struct figures *f, const char *name);

/* Counts on the day ("2026-11-18"), or on that of a time. What is on none of the days is left out. */
void series_add(
    struct request *rq, const struct figures *f, struct series *s, struct str day, int64_t n);
void series_add_at(struct request *rq, const struct figures *f, struct series *s, int64_t ms);

/* Sums of names over several days. */
struct views_sum {
	struct views_of *items;
	size_t count;
};
void views_sum(
    struct arena *arena, struct views_sum *sum, const struct views_of *more, size_t count);
/* The most first. */
void views_sum_sort(struct views_sum *sum);

/* --- The page -------------------------------------------------------------------------------------- */

struct figure_view {
	struct str url, name, value;
};

struct figures_list_view {
	struct str id, name, text, empty_text;
	LIST_OF(struct figure_view) rows;
};

struct plot_view {
	struct str name, text, label, path, first_text, last_text;
	int64_t width;
};

struct figures_day_view {
	struct str day, text;
	LIST_OF(struct str) values;
};

enum { FIGURES_LISTS = 2 };

struct figures_view {
	struct layout_view layout;
	LIST_OF(struct nav_link_view) sections, spans;
	struct breadcrumbs breadcrumbs;
	struct str title, intro, note, days_text;
	LIST_OF(struct figure_view) facts;
	LIST_OF(struct plot_view) plots;
	LIST_OF(struct figures_list_view) lists;
	LIST_OF(struct str) columns;
	LIST_OF(struct figures_day_view) days;
	LIST_OF(struct link_view) ways;
};

/* One more fact, "Views in all"; room for eight. */
void figures_fact(struct request *rq, struct figures_view *view, const char *name, int64_t value);

/* From where readers came: the hosts, and how many views have none. */
void figures_hosts(
    struct request *rq, struct figures_view *view, const struct views_sum *hosts, int64_t views);

/* One more list, of so many rows at most. */
struct figures_list_view *figures_list(
    struct request *rq, struct figures_view *view, const char *id, const char *name);

/* Plots, table and links, and the answer. `path` is the page's own. */
enum http_status figures_respond(struct request *rq, struct response *rs, const struct figures *f,
    struct str path, struct figures_view *view);

/* The files: days.csv, and names with a number each, such as hosts.csv. `name` is of the file. */
enum http_status figures_days_csv(
    struct request *rq, struct response *rs, const struct figures *f, struct str name);
enum http_status figures_sums_csv(struct request *rq, struct response *rs, const char *head,
    const struct views_sum *sum, struct str name);

#endif

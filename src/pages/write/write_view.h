#ifndef PAGES_WRITE_WRITE_VIEW_H
#define PAGES_WRITE_WRITE_VIEW_H

#include "pages/public/post_view.h"
#include "pages/shared/form_view.h"
#include "pages/shared/layout.h"
#include "pages/write/write_checks.h"
#include "pages/write/write_form.h"
#include "pages/write/write_meanwhile.h"
#include "pages/write/write_unsaved.h"

/* The page on which somebody writes: templates/write.mustache. */

struct row_view {
	int64_t number;
	struct str first, second;    /* what is typed */
	struct str up, down, remove; /* the buttons' values; empty: there is none */
};

struct rows_view {
	struct str anchor, legend, hint, error, add, add_label, action_url;
	struct str first_name, first_label, second_name,
	    second_label; /* second: empty, there is none */
	bool lines;
	LIST_OF(struct row_view) rows;
};

struct write_view {
	struct layout_view layout;
	struct str heading, kind, status_text, notice, url, revisions_url, share_url, action_url,
	    token, version, once;
	struct str save_label, publish_label, unpublish_label; /* empty: there is no such button */
	LIST_OF(struct unsaved_form_view) unsaved;             /* what was typed and never saved */
	bool unsaved_more;
	bool howto, link, note, page, stored;
	LIST_OF(struct form_error_view) errors;
	const struct post_view *preview;
	LIST_OF(struct form_error_view) advice;
	struct str advice_intro, anyway_label; /* the button behind it; empty: there is none */
	const struct meanwhile_view *meanwhile;
	LIST_OF(struct hidden_field_view) carried; /* of it, through the form */
	struct field_view title, excerpt, markdown, slug, category, thumbnail_url, thumbnail_alt;
	struct field_view canonical, language, visibility, group, others, when, address, source,
	    difficulty;
	struct field_view minutes, cost, currency;
	LIST_OF(struct str) tags, known_tags;
	struct str tags_error;
	LIST_OF(struct rows_view) materials, steps; /* materials and tools; the steps */
};

extern const struct template_spec write_template;

/* What the page is made of. */
struct write_page {
	const struct typed *typed;
	const struct written *old;     /* NULL: a new post */
	const struct read *known_tags; /* the answered query of tags, or NULL */
	const struct post_shown *preview;
	struct advice advice;
	const char *anyway; /* the button that publishes in spite of it; NULL: it is but told */
	const char *notice;
	struct unsaved_forms unsaved; /* what else was typed and not saved */
	struct str
	    once; /* of a new post, the name of its form; empty: as it was sent, or a new one */
};

/* "/edit/<id>", or "/write/<kind>". */
struct str write_path(struct arena *arena, enum post_kind kind, const struct written *old);

/* In write_choices.c: the choices of category, group and tags, once the fields are filled. */
void write_offer(struct request *rq, const struct write_page *page, struct write_view *view);

/* Fills and renders it. After page_read(), or without it when the table failed. */
enum http_status write_respond(
    struct request *rq, struct response *rs, const struct write_page *page);

#endif

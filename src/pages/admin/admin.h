#ifndef PAGES_ADMIN_ADMIN_H
#define PAGES_ADMIN_ADMIN_H

#include "model/people/account.h"
#include "pages/shared/done.h"
#include "pages/shared/plan.h"
#include "pages/shared/filter.h"
#include "pages/shared/form_view.h"
#include "pages/shared/layout.h"
#include "pages/shared/lists.h"
#include "pages/shared/picture_form.h"
#include "pages/shared/plan.h"

/*
 * The building blocks of the staff's pages: all of them are one template, templates/admin.mustache,
 * which shows panels: rows with buttons, a form, a few links.
 */

/* A button of a row: what it sends, to the panel's address or its own. */
struct admin_button_view {
	struct str field, value, label;
	struct str key; /* a keyboard shortcut, or empty */
	struct str own_url; /* empty: the panel's */
	bool destroys;
};

/* Notes of a row, a line each. */
struct admin_note_view {
	struct str text;
};

struct admin_row_view {
	struct str url, name, text, badge;
	int64_t depth;
	bool has_body; /* a text of its own under it, as a comment's */
	struct html body_html;
	struct str way_url, way_text; /* one more link */
	struct str pick;              /* what its check box sends; empty: it has none */
	bool picked;
	LIST_OF(struct admin_note_view) notes;
	LIST_OF(struct admin_button_view) buttons;
};

/* What the address says already, and is to go on saying. */
struct admin_kept_view {
	struct str name, value;
};

/* A search: one line of text, and one thing to choose. */
struct admin_search_view {
	struct str action_url, label, name, value, hint, select_label, select_name;
	/* Words that rows are to have (pages/shared/filter.h). No label: there is no such box. */
	struct str filter_label, filter;
	LIST_OF(struct option_view) options;
	LIST_OF(struct admin_kept_view) kept;
};

/* Above rows with check boxes: what is to be done to those that are chosen. */
struct admin_bulk_view {
	struct str label, name;
	LIST_OF(struct option_view) options;
	LIST_OF(struct admin_button_view) buttons;
};

struct admin_panel_view {
	struct str id, heading, text, empty_text;
	struct str action_url, token; /* where the rows' buttons lead; both empty: they have none */
	struct str secret, secret_hint; /* a link that was just made, to be copied; or empty */
	const struct admin_search_view *search;
	const struct admin_bulk_view *bulk;
	LIST_OF(struct admin_row_view) rows;
	const struct pagination_view *pagination;
	const struct form_view *form;
	const struct picture_form_view *picture;
	LIST_OF(struct nav_link_view) ways;
};

enum { ADMIN_PANELS_MAX = 9 };

struct admin_view {
	struct layout_view layout;
	LIST_OF(struct nav_link_view) sections;
	struct breadcrumbs breadcrumbs;
	struct str title, intro, notice, staff_script_url;
	LIST_OF(struct admin_panel_view) panels;
};

/* A new page, with what ?done= says of the act that led here. `section` is the path of its section: "/admin/users". */
struct admin_view *admin_page(struct request *rq, const char *section, struct str title);

/* One more panel; NULL heading: none. At most ADMIN_PANELS_MAX. */
struct admin_panel_view *admin_panel(struct admin_view *view, const char *id, const char *heading);

/* The box of a plain filter. */
struct admin_search_view *admin_filter(
    struct request *rq, const struct filter *filter, const char *label, const char *action_url);

/* Where the buttons of a panel's rows lead, with the form's token. */
void admin_buttons_lead(
    struct request *rq, struct response *rs, struct admin_panel_view *panel, struct str action_url);

/* One more button of a row; the result, good until the next, may be given an address of its own. */
struct admin_button_view *admin_button(struct request *rq, struct admin_row_view *row,
    const char *field, struct str value, const char *label);

/* The panel's form, filled. */
struct form_view *admin_form(struct request *rq, struct response *rs,
    struct admin_panel_view *panel, const struct form_result *result, struct str action_url);

/* One more link of a panel. */
void admin_way(
    struct request *rq, struct admin_panel_view *panel, struct str url, const char *name);

/* One more step of the trail, which begins with the section. */
void admin_trail(struct request *rq, struct admin_view *view, struct str url, struct str name);

/* Answers with the page. After page_read(). */
enum http_status admin_respond(struct request *rq, struct response *rs, struct admin_view *view);

/*
 * The page of the settings, with why a nameplate was not taken, or nothing; and the form of that. `pictures` is an
 * answered covers_read().
 */
enum http_status admin_settings_show(struct request *rq, struct response *rs, struct str error);
struct picture_form_view *admin_nameplate(
    struct request *rq, struct response *rs, const struct read *pictures, struct str error);

/* Refuses a colour, in this field of the request's form, that is none, or that nobody could read. */
void admin_check_colour(struct request *rq, const char *field);

/* --- Acts ------------------------------------------------------------------------------------------- */

/* --- People and what they did ------------------------------------------------------------------------ */

/* The roles, with what each may do. */
extern const struct choice admin_roles[];

/* A person as a row. */
struct admin_row_view admin_user_row(struct request *rq, const struct user *user);
/* What of their e-mail address: also that it waits to be confirmed, or that there is none. */
struct str admin_user_email(struct request *rq, const struct user *user);

/* An act as a row: who did what to whom, when. */
struct admin_row_view admin_log_row(struct request *rq, const struct item *item);

#endif

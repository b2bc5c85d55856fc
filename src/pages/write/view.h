#ifndef PAGES_WRITE_VIEW_H
#define PAGES_WRITE_VIEW_H

#include "pages/public/post_view.h"
#include "pages/shared/cover.h"
#include "pages/shared/form_view.h"
#include "pages/shared/layout.h"
#include "pages/write/checks.h"
#include "pages/write/form.h"

struct conflict_view;

/* The page on which somebody writes: templates/write.mustache. */

/*
 * What somebody has typed and not saved, as it is offered to them again: of a new post on the page where such posts are
 * written and on their desk; of a stored one where it is edited.
 */
struct unsaved_form_view {
	struct str title, kind_label;
	struct str when_text, url,
	    discard;           /* when it was typed; to take it up; the value that throws it away */
	struct str action_url; /* where that is sent */
};
extern const struct view_type unsaved_form_view_type;

struct unsaved_forms {
	LIST_OF(struct unsaved_form_view) list;
	bool more; /* than are read at once */
};

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
	struct str editor_style_url; /* its own sheet and scripts */
	LIST_OF(struct str) scripts;
	struct str heading, kind, status_text, notice, url, revisions_url, share_url, action_url,
	    token, version, once;
	struct str save_label, publish_label, unpublish_label; /* empty: there is no such button */
	LIST_OF(struct unsaved_form_view) unsaved;             /* what was typed and never saved */
	bool unsaved_more;
	bool howto, link, note, page, stored;
	LIST_OF(struct form_error_view) errors;
	const struct post_view *preview;
	struct str preview_address, preview_taken; /* where it will be, whole; that another post is there, or empty */
	const struct post_card_view *preview_card;
	LIST_OF(struct form_error_view) advice;
	struct str advice_intro, anyway_label; /* the button behind it; empty: there is none */
	const struct conflict_view *conflict;
	LIST_OF(struct hidden_field_view) carried; /* of it, through the form */
	struct field_view title, excerpt, markdown, category;
	LIST_OF(struct field_view)
	above, below,  /* the text: what such a post alone has; what is wanted daily */
	    folded; /* the rest */
	bool unfolded;  /* something of it is to be seen */
	struct str tags; /* with commas between them */
	LIST_OF(struct str) known_tags;
	struct str tags_error;
	struct covers_view cover;
	struct str words_text; /* how much it is, where that is known: the script counts what is typed */
	LIST_OF(struct rows_view) materials, steps; /* materials and tools; the steps */
};

extern const struct template_spec write_template;

/* What the page is made of. */
struct write_page {
	const struct typed *typed;
	const struct written *old;     /* NULL: a new post */
	const struct read *known_tags; /* the answered query of tags, or NULL */
	const struct read *pictures;   /* that of covers_read(), or NULL */
	const struct post_shown *preview;
	struct advice advice;
	const char *anyway; /* the button that publishes in spite of it; NULL: it is but told */
	const char *notice;
	const char *taken; /* that another post has the address of what is previewed, or NULL */
	bool opened;        /* it is shown for the first time, and nothing was sent */
	struct unsaved_forms unsaved; /* what else was typed and not saved */
	struct str
	    once; /* of a new post, the name of its form; empty: as it was sent, or a new one */
};

/* "/edit/<id>", or "/write/<kind>". */
struct str write_path(struct arena *arena, enum post_kind kind, const struct written *old);

/* Why others do not see it, though its author has published it; NULL: that is not so. */
const char *says_restricted(const struct post *post);

/* The read of those of new posts, of one kind or (NULL) of all; and what there is, but for the form of that name. */
struct read unsaved_read(struct request *rq, const enum post_kind *kind);
void unsaved_fill(
    struct request *rq, const struct read *answer, struct str but, struct unsaved_forms *out);

/* That of a stored post, where it is edited. */
void unsaved_fill_stored(
    struct request *rq, const struct autosave *autosave, struct unsaved_forms *out);
/* The same on the desk, which knows of it only what its list says. */
struct unsaved_form_view unsaved_stored(struct request *rq, const struct unsaved *unsaved);

/* The name of the form in the value of a button that throws one away: "discard-<form>". False: it is none. */
bool unsaved_discards(struct str value, struct str *form);

/* Fills and renders it. After page_read(), or without it when the table failed. */
enum http_status write_respond(
    struct request *rq, struct response *rs, const struct write_page *page);

#endif

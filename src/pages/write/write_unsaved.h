#ifndef PAGES_WRITE_WRITE_UNSAVED_H
#define PAGES_WRITE_WRITE_UNSAVED_H

#include "model/post/autosave.h"
#include "text/view.h"
#include "web/http/dispatch.h"

/*
 * What somebody has typed and not saved, as it is offered to them again: of a new post on the page where such posts are
 * written and on their desk; of a stored one where it is edited.
 */
struct unsaved_form_view {
	struct str title, kind_label; /* of a new post */
	struct str when_text, url, discard; /* when it was typed; to take it up; the value that throws it away */
	struct str action_url;              /* where that is sent */
};
extern const struct view_type unsaved_form_view_type;

struct unsaved_forms {
	LIST_OF(struct unsaved_form_view) list;
	bool more; /* than are read at once */
};

/* The read of those of new posts, of one kind or (NULL) of all; and what there is, but for the form of that name. */
struct read unsaved_read(struct request *rq, const enum post_kind *kind);
void unsaved_fill(
    struct request *rq, const struct read *answer, struct str but, struct unsaved_forms *out);

/* That of a stored post. */
void unsaved_fill_stored(
    struct request *rq, const struct autosave *autosave, struct unsaved_forms *out);

/* The name of the form in the value of a button that throws one away: "discard-<form>". False: it is none. */
bool unsaved_discards(struct str value, struct str *form);

#endif

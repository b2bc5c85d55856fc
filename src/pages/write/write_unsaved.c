#include "pages/write/write_unsaved.h"

#include "base/arena.h"
#include "model/key_post.h"
#include "model/slug.h"
#include "pages/shared/card.h"
#include "pages/shared/words.h"
#include "pages/write/write_form.h"
#include "text/url.h"

/* Each holds a whole form. Those beyond come when these are saved or thrown away, and none is there for ever. */
enum { OFFERED = 20 };

#define DISCARD "discard-"

VIEW_FIELDS(unsaved_form_view, STRING(title), STRING(kind_label), STRING(when_text), STRING(url),
    STRING(discard), STRING(action_url))

struct read
unsaved_read(struct request *rq, const enum post_kind *kind)
{
	struct read read = {.kind = READ_QUERY,
	    .query = query_autosaves_new(rq->arena, rq->viewer->user.username, kind)};

	/* The names of forms sort by the time at which they were opened. */
	read.query.limit = OFFERED;
	read.query.descending = true;
	return read;
}

static struct unsaved_form_view
view_of(struct request *rq, const struct autosave *a)
{
	struct str name = str_of(post_kind_name(a->kind));
	struct str action = url_join(rq->arena, STR("/write/"), name);

	return (struct unsaved_form_view){.title = autosave_title(rq, a),
	    .kind_label = words_kind(a->kind),
	    .when_text = words_moment(rq, a->saved),
	    .url = STR_CONCAT(rq->arena, action, STR("?take="), a->form),
	    .discard = STR_CONCAT(rq->arena, STR(DISCARD), a->form),
	    .action_url = action};
}

void
unsaved_fill(
    struct request *rq, const struct read *answer, struct str but, struct unsaved_forms *out)
{
	struct unsaved_form_view *views =
	    ARENA_ARRAY(rq->arena, answer->found_count, struct unsaved_form_view);
	size_t count = 0;

	for (size_t i = 0; i < answer->found_count; i++) {
		struct autosave a;

		autosave_from_item(rq->arena, &answer->found[i], &a);
		if (!str_eq(a.form, but))
			views[count++] = view_of(rq, &a);
	}
	out->list.items = views;
	out->list.count = count;
	out->more = answer->next.len != 0;
}

void
unsaved_fill_stored(
    struct request *rq, const struct autosave *autosave, struct unsaved_forms *out)
{
	struct unsaved_form_view *view = ARENA_NEW(rq->arena, struct unsaved_form_view);
	struct str action = url_join(rq->arena, STR("/edit/"), autosave->post);

	*view = (struct unsaved_form_view){.when_text = words_moment(rq, autosave->saved),
	    .url = STR_CONCAT(rq->arena, action, STR("?take=up")),
	    .discard = STR("discard"),
	    .action_url = action};
	out->list.items = view;
	out->list.count = 1;
}

bool
unsaved_discards(struct str value, struct str *form)
{
	if (!str_starts(value, STR(DISCARD)))
		return false;
	*form = str_sub(value, sizeof(DISCARD) - 1, value.len);
	return slug_valid(*form);
}

#include "pages/shared/form_page.h"

#include "base/arena.h"
#include "pages/shared/form_view.h"
#include "pages/shared/layout.h"
#include "text/template.h"

struct form_page_view {
	struct layout_view layout;
	struct str title, intro, notice, cancel_url;
	const struct form_view *form;
};

VIEW_FIELDS(form_page_view, VIEW(layout, layout_view), STRING(title), STRING(intro), STRING(notice),
    STRING(cancel_url), OPTION(form, form_view))
TEMPLATE(form_page_template, "form_page", form_page_view)

enum http_status
form_page(struct request *rq, struct response *rs, const struct form_page *page)
{
	struct form_page_view *view = ARENA_NEW(rq->arena, struct form_page_view);
	struct form_view *form = ARENA_NEW(rq->arena, struct form_view);
	struct page_frame frame = {.title = page->title, .noindex = true};

	*view = (struct form_page_view){.title = page->title,
	    .intro = page->intro,
	    .notice = page->notice,
	    .cancel_url = page->back};
	if (page->form != NULL) {
		form_view_fill(rq, rs,
		    page->filled != NULL ? page->filled : form_shown(rq, page->form), form);
		if (page->form->action == NULL)
			form->action_url = rq->address;
		view->form = form;
	}
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(form_page_template, view));
}

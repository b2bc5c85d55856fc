#include "pages/account/pending_form.h"

#include "base/arena.h"
#include "pages/account/sign_in.h"
#include "pages/write/form.h"
#include "text/url.h"
#include "web/form/ticket.h"
#include "web/session/csrf.h"

#define PURPOSE "waiting"

enum { SEALED_MS = 60 * 60 * 1000 };

size_t
pending_form_body_max(void)
{
	return write_body_max() + SITE_BODY_USUAL;
}

static struct str
texts_of(struct request *rq)
{
	struct buf body = {.arena = rq->arena};

	for (size_t i = 0; i < rq->inputs.count; i++) {
		const struct part *part = &rq->inputs.parts[i];

		if (part->file)
			continue;
		if (body.len != 0)
			buf_putc(&body, '&');
		url_put_carried(&body, part->name);
		buf_putc(&body, '=');
		url_put_carried(&body, part->content);
	}
	return buf_str(&body);
}

/*
 * A form of a stranger may not be larger than what the sign-in form can return, with each byte as
 * three.
 */
bool
pending_form_is_too_much(const struct request *rq)
{
	size_t bytes = 0;

	for (size_t i = 0; i < rq->inputs.count; i++)
		if (!rq->inputs.parts[i].file)
			bytes += rq->inputs.parts[i].content.len;
	return bytes * 3 > write_body_max();
}

bool
pending_form_lacks_files(const struct request *rq)
{
	for (size_t i = 0; i < rq->inputs.count; i++)
		if (rq->inputs.parts[i].file && rq->inputs.parts[i].content.len != 0)
			return true;
	return rq->in->body_too_large;
}

/* Was there any other text that somebody wrote? */
static bool
has_texts(const struct request *rq)
{
	for (size_t i = 0; i < rq->inputs.count; i++)
		if (!rq->inputs.parts[i].file && rq->inputs.parts[i].content.len != 0 &&
		    !str_eq(rq->inputs.parts[i].name, CSRF_INPUT))
			return true;
	return false;
}

struct pending_form
pending_form_sent(struct request *rq)
{
	if (pending_form_lacks_files(rq) && !has_texts(rq))
		return (struct pending_form){.next = rq->address};
	if (!rq->route->page->proves)
		return (struct pending_form){.address = rq->address, .body = texts_of(rq)};
	return (struct pending_form){.address = rq->address,
	    .body = ticket_make(rq, PURPOSE, rq->address, texts_of(rq), SEALED_MS)};
}

struct pending_form
pending_form_carried(struct request *rq)
{
	return (struct pending_form){
	    input_of(rq, "waiting-for"), input_of(rq, "waiting"), sign_in_next(rq)};
}

struct str
pending_form_texts(struct request *rq, const struct pending_form *waiting)
{
	struct str texts;

	if (ticket_open(rq, PURPOSE, waiting->address, waiting->body, &texts))
		return texts;
	/* An expired ticket leaves a form without content, which has no "=". */
	return str_find(waiting->body, '=') < waiting->body.len ? waiting->body : STR("");
}

void
pending_form_carry(struct request *rq, const struct pending_form *waiting, struct form_view *form)
{
	form_view_hide(rq, form, STR("waiting-for"), waiting->address);
	form_view_hide(rq, form, STR("waiting"), waiting->body);
	if (waiting->address.len == 0 && !str_eq(waiting->next, STR("/")))
		form_view_hide(rq, form, STR("next"), waiting->next);
}

/* /account/notifications/settings: of what somebody wants to be told, on the page and by mail. */
#include "base/arena.h"
#include "model/people/notification.h"
#include "pages/account/sign_in.h"
#include "pages/routes.h"
#include "pages/shared/done.h"
#include "pages/shared/form_view.h"
#include "pages/shared/plan.h"
#include "pages/shared/publication.h"

struct settings_form {
	struct strings page, mail;
};

static const struct field fields[] = {
    {FIELD_LIST(struct settings_form, page), .label = "On the page, and counted at its link",
	.count_max = NOTE_WHATS},
    {FIELD_LIST(struct settings_form, mail), .label = "By mail, at once", .count_max = NOTE_WHATS,
	.hint = "One letter for each discussion in a quarter of an hour."},
};
static const struct form form = FORM("notifications", struct settings_form, fields,
    .action = "/account/notifications/settings", .button = "Save");

static const char *const labels[NOTE_WHATS] = {
    [NOTE_REPLY] = "Somebody answers me",
    [NOTE_MENTION] = "Somebody mentions me",
    [NOTE_COMMENT] = "Comments on what I have published",
    [NOTE_THREAD] = "Comments in discussions that I follow",
    [NOTE_FOLLOWER] = "Somebody follows me",
    [NOTE_REQUEST] = "Somebody asks to follow me",
    [NOTE_APPROVED] = "Somebody lets me follow them",
    [NOTE_POST] = "New posts of authors of whom I want to be told",
    [NOTE_TAG] = "New posts with tags that I follow",
    [NOTE_CATEGORY] = "New posts in categories that I follow",
    [NOTE_COAUTHOR] = "Somebody asks to name me as an author",
    [NOTE_DECISION] = "What moderators decide on something of mine",
    [NOTE_QUEUE] = "What waits for moderators",
};

/* Is this offered to the viewer? What waits for moderators is for those. */
static bool
is_offered(struct request *rq, unsigned what, unsigned all)
{
	return all & 1U << what && (what != NOTE_QUEUE || may(rq->viewer, MAY_MODERATE, NO_THING));
}

static void
offer(struct request *rq, struct form_view *view, const struct form_result *result, const char *name,
    unsigned all)
{
	struct option_view *options = ARENA_ARRAY(rq->arena, NOTE_WHATS, struct option_view);
	size_t count = 0;

	for (unsigned what = 0; what < NOTE_WHATS; what++)
		if (is_offered(rq, what, all))
			options[count++] = (struct option_view){
			    .value = note_word((enum note_what)what), .label = str_of(labels[what])};
	form_view_offer(rq, view, result, name, options, count);
}

static void
fill(struct form_result *result, const char *name, unsigned bits)
{
	for (unsigned what = 0; what < NOTE_WHATS; what++)
		if (bits & 1U << what)
			form_fill_more(result, name, note_word((enum note_what)what));
}

static enum http_status
show(struct request *rq, struct response *rs)
{
	static const struct link_view ways[] = {
	    {STR_INIT("/account/notifications"), STR_INIT("Notifications")},
	    {STR_INIT("/account/letters"), STR_INIT("The letter of the week")}};
	struct sign_in_view *view = ARENA_NEW(rq->arena, struct sign_in_view);
	struct form_view *shown = ARENA_NEW(rq->arena, struct form_view);
	struct form_result *result = form_shown(rq, &form);
	struct read read = note_settings_read(rq->arena, rq->viewer->user.username);
	struct note_settings settings;
	enum http_status status = page_read(rq, &read, 1);

	if (status != HTTP_OK)
		return status;
	note_settings_from_item(read.item, &settings);
	if (!form_was_sent(rq, &form)) {
		fill(result, "page", settings.page);
		fill(result, "mail", settings.mail);
	}
	form_view_fill(rq, rs, result, shown);
	offer(rq, shown, result, "page", NOTE_ALL);
	offer(rq, shown, result, "mail", NOTE_MAILABLE);
	view->title = STR("What I am told of");
	view->notice = str_of(done_says(rq));
	view->form = shown;
	view->ways.items = ways;
	view->ways.count = sizeof(ways) / sizeof(ways[0]);
	return sign_in_respond(rq, rs, view);
}

static unsigned
bits_of(const struct strings *words)
{
	unsigned bits = 0;
	enum note_what what;

	for (size_t i = 0; i < words->count; i++)
		if (note_of_word(words->strings[i], &what))
			bits |= 1U << what;
	return bits;
}

/* What was not offered stays as it is for everybody. */
static enum http_status
save(struct request *rq, struct response *rs)
{
	const struct settings_form *in = rq->form->values;
	struct note_settings settings = {bits_of(&in->page), bits_of(&in->mail) & NOTE_MAILABLE};
	struct plan plan = plan_of(rq);

	if (!is_offered(rq, NOTE_QUEUE, NOTE_ALL))
		settings.page |= 1U << NOTE_QUEUE;
	return plan_answer(rq, rs, &plan, note_settings_set(&plan, &settings), rq->path, "settings");
}

PAGE(notification_settings, .get = show, .post = save, .refused = show, .form = &form,
    .query = QUERY("done"))

/*
 * POST /admin/comments/bulk: one decision on several things of the queue, DECIDED_MAX at most. First it names what it would
 * do to each, and what it would skip and why; its button does it. Each is decided by itself, as by its own button: what has
 * changed meanwhile is skipped, so that the form can be sent twice. When the table fails, what is not done is there to be
 * sent again.
 */
#include "pages/admin/admin.h"

#include "base/arena.h"
#include "pages/admin/decide.h"
#include "pages/routes.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"

static const char here[] = "/admin/comments/bulk";

/* What can be done, and what is said of each. */
static const struct {
	enum decision decision;
	const char *reason, *label, *would, *did;
} actions[] = {
    {DECIDE_APPROVE, NULL, "Approve", "It would be there for everybody.",
	"It is there for everybody."},
    {DECIDE_HIDE, "spam", "Hide: advertising", "It would be hidden.", "It is hidden."},
    {DECIDE_HIDE, "unkind", "Hide: unkind", "It would be hidden.", "It is hidden."},
    {DECIDE_HIDE, "off-topic", "Hide: off topic", "It would be hidden.", "It is hidden."},
    {DECIDE_HIDE, "rules", "Hide: other", "It would be hidden.", "It is hidden."},
    {DECIDE_DISMISS, NULL, "Dismiss the flags", "Its flags would be dismissed.",
	"Its flags are dismissed."},
    {DECIDE_UPHOLD, NULL, "Settle the flags: they were right", "Its flags would be settled.",
	"Its flags are settled."},
    {DECIDE_RESTORE, NULL, "Restore", "It would be there for everybody again.",
	"It is there for everybody again."},
    {DECIDE_KEEP, NULL, "Keep hidden: the answer is read", "It would stay hidden.",
	"It stays hidden."},
};
enum { ACTIONS = sizeof(actions) / sizeof(actions[0]), NOT_CHOSEN = ACTIONS };

/* "hide spam": the value of a choice. */
static struct str
word_of(struct request *rq, size_t action)
{
	struct str name = str_of(decision_name(actions[action].decision));

	return actions[action].reason == NULL
		   ? name
		   : STR_CONCAT(rq->arena, name, STR(" "), str_of(actions[action].reason));
}

static size_t
action_of(struct request *rq, struct str word)
{
	size_t i = 0;

	while (i < ACTIONS && !str_eq(word, word_of(rq, i)))
		i++;
	return i;
}

static void
add_button(struct admin_bulk_view *bulk, const char *value, struct str label)
{
	struct admin_button_view *buttons = (struct admin_button_view *)bulk->buttons.items;

	buttons[bulk->buttons.count++] = (struct admin_button_view){
	    .field = STR("do"), .value = str_of(value), .label = label, .own_url = str_of(here)};
}

/* The button that Enter presses comes first, and does nothing yet. */
static struct admin_bulk_view *
controls(struct request *rq, size_t chosen)
{
	struct admin_bulk_view *bulk = ARENA_NEW(rq->arena, struct admin_bulk_view);
	struct option_view *options = ARENA_ARRAY(rq->arena, ACTIONS, struct option_view);

	for (size_t i = 0; i < ACTIONS; i++)
		options[i] =
		    (struct option_view){word_of(rq, i), str_of(actions[i].label), i == chosen};
	*bulk = (struct admin_bulk_view){.label = STR("Those chosen:"), .name = STR("action")};
	bulk->options.items = options;
	bulk->options.count = ACTIONS;
	bulk->buttons.items = ARENA_ARRAY(rq->arena, 2, struct admin_button_view);
	add_button(bulk, "look", STR("What would this do?"));
	return bulk;
}

const struct admin_bulk_view *
bulk_controls(struct request *rq, bool flagged)
{
	return controls(rq, action_of(rq, flagged ? STR("dismiss") : STR("approve")));
}

/* --- What is chosen ----------------------------------------------------------------------------------- */

/* What was chosen, and what becomes of each. */
struct bulk {
	size_t action;
	struct decided *all;
	const char **skipped; /* why; NULL: it is not */
	bool *open;           /* nothing was done to it yet */
	size_t count, beyond; /* more than that were chosen, and are left out */
};

/* One is chosen once, whatever was sent. */
static bool
is_chosen(const struct bulk *bulk, struct str value)
{
	for (size_t i = 0; i < bulk->count; i++)
		if (str_eq(bulk->all[i].value, value))
			return true;
	return false;
}

/* False: something is chosen that there can't be. */
static bool
take_choice(struct request *rq, struct bulk *bulk)
{
	bulk->all = ARENA_ARRAY(rq->arena, DECIDED_MAX, struct decided);
	bulk->skipped = ARENA_ARRAY(rq->arena, DECIDED_MAX, const char *);
	bulk->open = ARENA_ARRAY(rq->arena, DECIDED_MAX, bool);
	for (size_t i = 0; i < rq->inputs.count; i++) {
		const struct part *part = &rq->inputs.parts[i];

		if (!str_eq(part->name, STR("pick")) || is_chosen(bulk, part->content))
			continue;
		if (bulk->count == DECIDED_MAX) {
			bulk->beyond++;
			continue;
		}
		if (!decided_parse(rq, part->content, &bulk->all[bulk->count]))
			return false;
		bulk->open[bulk->count++] = true;
	}
	return true;
}

static enum http_status
load(struct request *rq, struct bulk *bulk)
{
	enum http_status status = decided_read(rq, bulk->all, bulk->count);

	for (size_t i = 0; status == HTTP_OK && i < bulk->count; i++)
		bulk->skipped[i] =
		    decided_refusal(rq, &bulk->all[i], actions[bulk->action].decision);
	return status;
}

/* --- The page ------------------------------------------------------------------------------------------ */

static struct str
says_of(struct request *rq, const struct bulk *bulk, size_t i)
{
	const struct decided *d = &bulk->all[i];
	const char *reason = actions[bulk->action].reason;
	const char *told = reason != NULL ? hiding_reason_says(str_of(reason)) : NULL;
	struct str quote = d->text.len == 0 || d->barred
			       ? STR("")
			       : STR_CONCAT(rq->arena, STR(" “"), d->text, STR("”"));

	if (bulk->skipped[i] != NULL)
		return STR_CONCAT(rq->arena, str_of(bulk->skipped[i]), quote);
	return STR_CONCAT(rq->arena,
	    str_of(bulk->open[i] ? actions[bulk->action].would : actions[bulk->action].did),
	    told != NULL ? STR(" Its author is told: ") : STR(""), str_of(told), quote);
}

static struct admin_row_view
row_of(struct request *rq, const struct bulk *bulk, size_t i)
{
	const struct decided *d = &bulk->all[i];
	struct admin_row_view row = {.name = d->title, .text = says_of(rq, bulk, i)};

	if (bulk->skipped[i] != NULL)
		row.badge = STR("skipped");
	else if (!bulk->open[i])
		row.badge = STR("done");
	else
		row.pick = d->value;
	row.picked = row.pick.len != 0;
	return row;
}

/* "2 would be done, 1 is skipped." */
static struct str
intro_of(struct request *rq, const struct bulk *bulk, size_t open, size_t skipped)
{
	size_t done = bulk->count - open - skipped;
	struct str said = STR("");

	if (done != 0)
		said =
		    STR_CONCAT(rq->arena, words_number(rq->arena, (int64_t)done), STR(" done. "));
	if (open != 0)
		said = STR_CONCAT(rq->arena, said, words_number(rq->arena, (int64_t)open),
		    done == 0 ? STR(" would be done. ") : STR(" not done yet. "));
	if (skipped != 0)
		said = STR_CONCAT(
		    rq->arena, said, words_number(rq->arena, (int64_t)skipped), STR(" skipped. "));
	if (bulk->beyond != 0)
		said = STR_CONCAT(rq->arena, said,
		    str_fmt(rq->arena, "%zu more left out: %d at once are the most. ", bulk->beyond,
			(int)DECIDED_MAX));
	return said.len != 0 ? said : STR("Nothing is chosen.");
}

static enum http_status
show(struct request *rq, struct response *rs, const struct bulk *bulk)
{
	struct admin_view *view = admin_page(rq, "/admin/comments", STR("Several at once"));
	struct admin_panel_view *panel = admin_panel(view, "chosen", NULL);
	struct admin_row_view *rows = ARENA_ARRAY(rq->arena, bulk->count, struct admin_row_view);
	size_t open = 0, skipped = 0;
	struct admin_bulk_view *choice;

	for (size_t i = 0; i < bulk->count; i++) {
		rows[i] = row_of(rq, bulk, i);
		open += rows[i].picked;
		skipped += bulk->skipped[i] != NULL;
	}
	view->intro = intro_of(rq, bulk, open, skipped);
	panel->rows.items = rows;
	panel->rows.count = bulk->count;
	panel->empty_text = STR("Choose something in the queue first, by its check box.");
	admin_buttons_lead(rq, rs, panel, str_of(here));
	if (open != 0) {
		choice = controls(rq, bulk->action);
		add_button(choice, "act",
		    STR_CONCAT(rq->arena, STR("Do it: "), str_of(actions[bulk->action].label)));
		panel->bulk = choice;
	}
	admin_way(rq, panel, STR("/admin/comments"), "To the queue");
	return admin_respond(rq, rs, view);
}

/* --- Doing it ------------------------------------------------------------------------------------------ */

/* HTTP_OK, or how the table failed: the rest is open still. */
static enum http_status
carry_out(struct request *rq, struct bulk *bulk)
{
	const char *reason = actions[bulk->action].reason;
	struct str why = str_of(reason != NULL ? hiding_reason_says(str_of(reason)) : NULL);

	for (size_t i = 0; i < bulk->count; i++) {
		struct plan plan = plan_of_staff(rq);
		enum plan_rc rc;

		if (bulk->skipped[i] != NULL)
			continue;
		rc = decided_carry_out(
		    rq, &plan, &bulk->all[i], actions[bulk->action].decision, why);
		if (rc == PLAN_TABLE)
			return status_of(plan.failed);
		bulk->open[i] = false;
		if (rc != PLAN_DONE)
			bulk->skipped[i] = rc == PLAN_GONE ? "It can’t be restored any more."
							   : "It was changed just now.";
	}
	return HTTP_OK;
}

static enum http_status
press(struct request *rq, struct response *rs)
{
	struct bulk *bulk = ARENA_NEW(rq->arena, struct bulk);
	bool act = str_eq(input_of(rq, "do"), STR("act"));
	enum http_status status;

	*bulk = (struct bulk){.action = action_of(rq, input_of(rq, "action"))};
	if (bulk->action == NOT_CHOSEN || !take_choice(rq, bulk))
		return HTTP_BAD_REQUEST;
	status = load(rq, bulk);
	if (status != HTTP_OK)
		return status;
	status = act ? carry_out(rq, bulk) : HTTP_OK;
	return status == HTTP_OK ? show(rq, rs, bulk)
				 : response_form_again(rs, show(rq, rs, bulk), status);
}

/* Where somebody reloads it who has signed in anew. */
static enum http_status
to_queue(struct request *rq, struct response *rs)
{
	(void)rq;
	return redirect(rs, HTTP_SEE_OTHER, STR("/admin/comments"));
}

PAGE(admin_comments_bulk, .get = to_queue, .post = press)

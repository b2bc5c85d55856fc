/* /admin/addresses: ranges of network addresses from which nobody comments or registers for a time, with a way back. */
#include "base/arena.h"
#include "model/site/address_block.h"
#include "pages/admin/admin.h"
#include "pages/routes.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"

enum { HOUR_MS = 3600000 };

struct block_form {
	struct str range, why;
	int64_t hours;
};
static const struct choice lengths[] = {
    {STR_INIT("1"), "An hour", 1},
    {STR_INIT("24"), "A day", 24},
    {STR_INIT("168"), "A week", 168},
    {STR_INIT("720"), "30 days", 720},
    {STR_INIT(""), NULL, 0},
};
static const struct field block_fields[] = {
    {FIELD_LINE(struct block_form, range), .label = "Addresses", .required = true, .max = 60,
	.missing = "Which addresses?",
	.hint = "One address, or a range: 192.0.2.0/24, 2001:db8::/32."},
    {FIELD_CHOICE(struct block_form, hours), .label = "For how long", .required = true,
	.missing = "For how long?", .choices = lengths},
    {FIELD_LINE(struct block_form, why), .label = "Why", .max = ADDRESS_BLOCK_WHY_MAX,
	.hint = "For the staff."},
};
static const struct form block_form =
    FORM("block", struct block_form, block_fields, .action = "/admin/addresses", .button = "Block");

static enum http_status
show_with(struct request *rq, struct response *rs, const struct read *read)
{
	struct admin_view *view = admin_page(rq, "/admin/addresses", STR("Addresses"));
	struct admin_panel_view *panel = admin_panel(view, "blocked", NULL);
	struct admin_row_view *rows =
	    ARENA_ARRAY(rq->arena, read->found_count, struct admin_row_view);

	for (size_t i = 0; i < read->found_count; i++) {
		struct address_block block;

		address_block_from_item(rq->arena, &read->found[i], &block);
		rows[i] = (struct admin_row_view){.name = block.range,
		    .text = STR_CONCAT(rq->arena, STR("Until "), words_moment(rq, block.until),
			STR(", by "), block.by, block.why.len != 0 ? STR(": ") : STR(""),
			block.why)};
		admin_button(rq, &rows[i], "remove", block.range, "Unblock");
	}
	view->intro = STR("From these networks nobody comments or registers, but the staff. "
			  "Everybody reads.");
	panel->rows.items = rows;
	panel->rows.count = read->found_count;
	panel->empty_text = STR("No address is blocked.");
	admin_buttons_lead(rq, rs, panel, STR("/admin/addresses"));
	panel = admin_panel(view, "block-panel", "Block addresses");
	admin_form(rq, rs, panel, form_shown(rq, &block_form), STR("/admin/addresses"));
	return admin_respond(rq, rs, view);
}

static enum http_status
show(struct request *rq, struct response *rs)
{
	struct read read = address_blocks_read();
	enum http_status status = page_read(rq, &read, 1);

	return status == HTTP_OK ? show_with(rq, rs, &read) : status;
}

/* The buttons have no fields. */
static enum http_status
show_or_remove(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of_staff(rq);
	struct str removed = input_of(rq, "remove"), range;
	enum plan_rc rc;

	if (removed.len == 0)
		return show(rq, rs);
	if (!address_range_normal(rq->arena, removed, &range))
		return HTTP_BAD_REQUEST;
	rc = address_block_remove(&plan, range);
	return plan_answer(
	    rq, rs, &plan, rc == PLAN_TAKEN ? PLAN_DONE : rc, STR("/admin/addresses"), "unblocked");
}

static enum http_status
block(struct request *rq, struct response *rs)
{
	const struct block_form *in = rq->form->values;
	struct read read = address_blocks_read();
	struct plan plan = plan_of_staff(rq);
	enum http_status status = page_read(rq, &read, 1);
	struct str range;

	if (status != HTTP_OK)
		return status;
	if (!address_range_normal(rq->arena, in->range, &range))
		form_refuse(rq->form, "range",
		    "This is no address, nor a range such as 192.0.2.0/24; or it is too wide: a /8 "
		    "at most, of IPv6 a /16.");
	else if (address_in_range(rq->arena, rq->in->remote_addr, range))
		form_refuse(rq->form, "range", "You are in this range yourself.");
	else if (read.found_count >= ADDRESS_BLOCKS_MAX)
		form_refuse(rq->form, "range", "So many are blocked already. Unblock one first.");
	if (!rq->form->valid)
		return show_with(rq, rs, &read);
	return plan_answer(rq, rs, &plan,
	    address_block_add(&plan, range, rq->now + in->hours * HOUR_MS, in->why),
	    STR("/admin/addresses"), "blocked");
}

PAGE(admin_addresses, .get = show, .post = block, .refused = show_or_remove, .form = &block_form,
    .query = QUERY("done"))

/*
 * /admin/person/<username>: what moderators need to know about a person: their trust level, their
 * comments, held and hidden ones, what these said before they were edited or deleted, their flags, and notes of the staff.
 */
#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/key_moderation.h"
#include "model/people/staff_note.h"
#include "model/people/user.h"
#include "model/site/settings.h"
#include "pages/admin/comment_rows.h"
#include "pages/routes.h"
#include "pages/shared/card.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"

enum { NOTES_SHOWN = 50, FLAGS_SHOWN = 20, TEXTS_SHOWN = 20, NOTE_MAX = 2000 };

struct note_form {
	struct str text;
};

static const struct field note_fields[] = {
    {FIELD_TEXT(struct note_form, text), .label = "Note", .required = true, .max = NOTE_MAX,
	.missing = "Write something first.", .rows = 3,
	.hint = "For whoever moderates; the person does not see it."},
};
static const struct form note_form =
    FORM("note", struct note_form, note_fields, .button = "Keep the note");

enum { PERSON, TRUST, NOTES = TRUST + TRUST_READS, FLAGS, TEXTS, READS };

static enum http_status
load(struct request *rq, struct user *user, struct read reads[READS])
{
	struct str name = request_param(rq, "username");
	enum http_status status;

	if (!username_valid(name))
		return HTTP_NOT_FOUND;
	reads[PERSON] = (struct read){.kind = READ_GET, .key = key_user(rq->arena, name)};
	trust_reads(rq->arena, name, &reads[TRUST]);
	reads[TRUST + TRUST_HIDDEN].query.limit = MODERATION_APPROVED_MAX;
	reads[NOTES] =
	    (struct read){.kind = READ_QUERY, .query = query_staff_notes(rq->arena, name)};
	reads[NOTES].query.limit = NOTES_SHOWN;
	reads[FLAGS] = (struct read){.kind = READ_QUERY, .query = query_flags_by(rq->arena, name)};
	reads[FLAGS].query.limit = FLAGS_SHOWN;
	reads[TEXTS] =
	    (struct read){.kind = READ_QUERY, .query = query_comment_texts_of(rq->arena, name)};
	reads[TEXTS].query.limit = TEXTS_SHOWN;
	status = page_read(rq, reads, READS);
	if (status != HTTP_OK)
		return status;
	if (reads[PERSON].item == NULL)
		return HTTP_NOT_FOUND;
	user_from_item(rq->arena, reads[PERSON].item, user);
	return HTTP_OK;
}

static void
show_comments(struct request *rq, struct response *rs, struct comment_rows *rows,
    const char *id, const char *heading, const struct read *read, struct admin_view *view)
{
	struct admin_panel_view *panel;
	struct admin_row_view *shown =
	    ARENA_ARRAY(rq->arena, read->found_count, struct admin_row_view);
	size_t count = 0;

	for (size_t i = 0; i < read->found_count; i++)
		count += comment_row(rows, &read->found[i], &shown[count]);
	if (count == 0)
		return;
	panel = admin_panel(view, id, heading);
	panel->rows.items = shown;
	panel->rows.count = count;
	admin_buttons_lead(rq, rs, panel, STR("/admin/comments"));
}

static void
show_texts(struct request *rq, struct comment_rows *rows, const struct read *read,
    struct admin_view *view)
{
	struct admin_panel_view *panel;
	struct admin_row_view *shown =
	    ARENA_ARRAY(rq->arena, read->found_count, struct admin_row_view);
	size_t count = 0;

	for (size_t i = 0; i < read->found_count; i++)
		count += comment_row_text(rows, &read->found[i], &shown[count]);
	if (count == 0)
		return;
	panel = admin_panel(view, "texts", "What they edited or deleted in the last 30 days");
	panel->rows.items = shown;
	panel->rows.count = count;
}

static void
show_notes(struct request *rq, struct response *rs, const struct read *read,
    struct admin_view *view)
{
	struct admin_panel_view *panel = admin_panel(view, "notes", "Notes");
	struct admin_row_view *rows =
	    ARENA_ARRAY(rq->arena, read->found_count, struct admin_row_view);

	for (size_t i = 0; i < read->found_count; i++) {
		struct staff_note note;

		staff_note_from_item(rq->arena, &read->found[i], &note);
		rows[i] = (struct admin_row_view){.name = note.text,
		    .text = STR_CONCAT(rq->arena, note.author, STR(", "),
			words_moment(rq, note.created))};
		admin_button(rq, &rows[i], "remove", note.id, "Remove");
	}
	panel->rows.items = rows;
	panel->rows.count = read->found_count;
	panel->empty_text = STR("Nobody has noted anything.");
	admin_buttons_lead(rq, rs, panel, rq->path);
	admin_form(rq, rs, panel, form_shown(rq, &note_form), rq->path);
}

static void
show_flags(struct request *rq, const struct read *read, struct admin_view *view)
{
	struct admin_panel_view *panel = admin_panel(view, "flags", "What they flagged");
	struct admin_row_view *rows =
	    ARENA_ARRAY(rq->arena, read->found_count, struct admin_row_view);

	for (size_t i = 0; i < read->found_count; i++) {
		struct flag flag;

		flag_from_item(rq->arena, &read->found[i], &flag);
		rows[i] = (struct admin_row_view){
		    .name = str_of(flag_reason_label(flag.reason)),
		    .text = STR_CONCAT(rq->arena, words_moment(rq, flag.created),
			flag.note.len != 0 ? STR(" · ") : STR(""), flag.note)};
	}
	panel->rows.items = rows;
	panel->rows.count = read->found_count;
	panel->empty_text = STR("Nothing.");
}

static enum http_status
show(struct request *rq, struct response *rs)
{
	struct comment_rows *rows = comment_rows(rq);
	struct admin_view *view;
	struct read reads[READS];
	struct user user;
	enum http_status status = load(rq, &user, reads);

	if (status != HTTP_OK)
		return status;
	for (size_t r = TRUST; r < NOTES; r++)
		for (size_t i = 0; i < reads[r].found_count; i++)
			comment_rows_add(rows, &reads[r].found[i]);
	for (size_t i = 0; i < reads[TEXTS].found_count; i++)
		comment_rows_add_text(rows, &reads[TEXTS].found[i]);
	status = comment_rows_read(rows);
	if (status != HTTP_OK)
		return status;
	view = admin_page(rq, "/admin/comments",
	    user.display_name.len != 0 ? user.display_name : user.username);
	view->intro = STR_CONCAT(rq->arena, user.username, STR(": "),
	    user.role != ROLE_READER
		? str_of(role_name(user.role))
		: str_of(trust_name(trust_of_person(
		      &rq->settings->moderation, &user, &reads[TRUST], rq->now))),
	    STR(", here since "), words_date(rq, user.created), STR("."));
	show_notes(rq, rs, &reads[NOTES], view);
	show_comments(rq, rs, rows, "waiting", "What waits", &reads[TRUST + TRUST_WAITING], view);
	show_comments(rq, rs, rows, "hidden", "What was hidden", &reads[TRUST + TRUST_HIDDEN], view);
	show_comments(rq, rs, rows, "said", "What they said last", &reads[TRUST + TRUST_SAID], view);
	show_texts(rq, rows, &reads[TEXTS], view);
	show_flags(rq, &reads[FLAGS], view);
	return admin_respond(rq, rs, view);
}

static enum http_status
write(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of_staff(rq);
	const struct note_form *in = rq->form->values;
	struct read reads[READS];
	struct user user;
	enum http_status status = load(rq, &user, reads);

	if (status != HTTP_OK)
		return status;
	return plan_answer(rq, rs, &plan, staff_note_add(&plan, user.username, in->text), rq->path,
	    "noted");
}

/* The remove button sends no text, so the form is refused, and this is called. */
static enum http_status
remove_or_again(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of_staff(rq);
	struct str id = input_of(rq, "remove"), name = request_param(rq, "username");

	if (id.len == 0)
		return show(rq, rs);
	if (!username_valid(name) || id.len != 14)
		return HTTP_BAD_REQUEST;
	return plan_answer(
	    rq, rs, &plan, staff_note_remove(&plan, name, id), rq->path, "removed");
}

PAGE(admin_person, .get = show, .post = write, .refused = remove_or_again, .form = &note_form,
    .query = QUERY("done"))

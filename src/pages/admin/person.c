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
#include "pages/shared/lists.h"
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

/* The lists of the page; each goes on by itself. */
static const struct row_list {
	size_t read;
	const char *name, *heading;
} lists[] = {
    {TRUST + TRUST_WAITING, "waiting", "What waits"},
    {TRUST + TRUST_HIDDEN, "hidden", "What was hidden"},
    {TRUST + TRUST_SAID, "said", "What they said last"},
    {TEXTS, "texts", "What they edited or deleted in the last 30 days"},
    {FLAGS, "flags", "What they flagged"},
};
enum { LISTS = sizeof(lists) / sizeof(lists[0]) };

/* With ?list= that one alone is shown; LISTS: all are. */
static size_t
list_wanted(struct request *rq)
{
	struct str name = request_query(rq, "list");
	size_t i = 0;

	while (i < LISTS && !str_eq(name, str_of(lists[i].name)))
		i++;
	return i;
}

static enum http_status
load(struct request *rq, struct user *user, struct read reads[READS])
{
	size_t only = list_wanted(rq);
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
	if (only < LISTS && !list_cursor_of(rq, "after", &reads[lists[only].read].query.cursor))
		return HTTP_BAD_REQUEST;
	status = page_read(rq, reads, READS);
	if (status != HTTP_OK)
		return status;
	if (reads[PERSON].item == NULL)
		return HTTP_NOT_FOUND;
	user_from_item(rq->arena, reads[PERSON].item, user);
	return HTTP_OK;
}

static bool
flag_row(struct request *rq, const struct item *item, struct admin_row_view *out)
{
	struct flag flag;

	flag_from_item(rq->arena, item, &flag);
	*out = (struct admin_row_view){.name = str_of(flag_reason_label(flag.reason)),
	    .text = STR_CONCAT(rq->arena, words_moment(rq, flag.created),
		flag.note.len != 0 ? STR(" · ") : STR(""), flag.note)};
	return true;
}

static void
show_list(struct request *rq, struct response *rs, struct comment_rows *rows,
    const struct row_list *list, const struct read *read, struct admin_view *view)
{
	struct admin_row_view *shown =
	    ARENA_ARRAY(rq->arena, read->found_count, struct admin_row_view);
	struct admin_panel_view *panel;
	size_t count = 0;

	for (size_t i = 0; i < read->found_count; i++)
		count += list->read == FLAGS ? flag_row(rq, &read->found[i], &shown[count])
			 : list->read == TEXTS
			     ? comment_row_text(rows, &read->found[i], &shown[count])
			     : comment_row(rows, &read->found[i], &shown[count]);
	if (count == 0 && read->next.len == 0 && list->read != FLAGS)
		return;
	panel = admin_panel(view, list->name, list->heading);
	panel->rows.items = shown;
	panel->rows.count = count;
	panel->empty_text = STR("Nothing.");
	panel->pagination = pagination_of_list(rq, list->name, list->heading, read->next);
	if (list->read >= TRUST && list->read < NOTES)
		admin_buttons_lead(rq, rs, panel, STR("/admin/comments"));
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

static enum http_status
show(struct request *rq, struct response *rs)
{
	struct comment_rows *rows = comment_rows(rq);
	struct admin_view *view;
	struct read reads[READS];
	struct user user;
	enum http_status status = load(rq, &user, reads);
	size_t only = list_wanted(rq);

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
	if (only < LISTS) {
		admin_trail(rq, view, rq->path, view->title);
		show_list(rq, rs, rows, &lists[only], &reads[lists[only].read], view);
		return admin_respond(rq, rs, view);
	}
	view->intro = STR_CONCAT(rq->arena, user.username, STR(": "),
	    user.role != ROLE_READER
		? str_of(role_name(user.role))
		: str_of(trust_name(trust_of_person(
		      &rq->settings->moderation, &user, &reads[TRUST], rq->now))),
	    STR(", here since "), words_date(rq, user.created), STR("."));
	show_notes(rq, rs, &reads[NOTES], view);
	for (size_t i = 0; i < LISTS; i++)
		show_list(rq, rs, rows, &lists[i], &reads[lists[i].read], view);
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
    .query = QUERY("after", "done", "list"))

/* /admin/moderation: the rules for readers: limits by trust level, and what is held. */
#include "base/arena.h"
#include "model/reader/word_list.h"
#include "pages/admin/admin.h"
#include "pages/routes.h"
#include "pages/shared/publication.h"
#include "pages/shared/stored.h"

#define NUMBER(member, low, high, ...)                                                   \
	{                                                                                \
		FIELD_NUMBER(struct moderation, member), .required = true, .min = (low), \
		.max = (high), __VA_ARGS__                                               \
	}

/* A number of each of the three levels, in the order of the table's columns. */
#define NUMBERS(member, low, high, text)                                                 \
	NUMBER(new_##member, low, high, .label = "New: " text),                           \
	    NUMBER(known_##member, low, high, .label = "Known: " text),                   \
	    NUMBER(trusted_##member, low, high, .label = "Trusted: " text)

/* The rows of the table, which has the first fields of the form. */
static const char *const table_rows[] = {"Comments in ten minutes; new: that may wait", "Seconds between two comments", "Links in a comment, else it waits",
    "People mentioned in a comment, else it waits", "Likes and votes a day", "Follows a day",
    "Flags a day"};
static const struct form_column_view table_columns[] = {
    {STR_INIT("New"), STR_INIT("nothing of theirs was approved yet")},
    {STR_INIT("Known"), STR_INIT("a comment was")},
    {STR_INIT("Trusted"), STR_INIT("also authors and staff")},
};
enum { ROWS = sizeof(table_rows) / sizeof(table_rows[0]), COLUMNS = 3, CELLS = ROWS * COLUMNS };

static const struct field moderation_fields[] = {
    NUMBER(new_comments, 0, MODERATION_APPROVED_MAX, .label = "New: comments that may wait"),
    NUMBER(known_comments, 1, 1000, .label = "Known: comments in ten minutes"),
    NUMBER(trusted_comments, 1, 1000, .label = "Trusted: comments in ten minutes"),
    NUMBERS(pause, 0, 3600, "seconds between two comments"),
    NUMBERS(links, 0, 100, "links in a comment"),
    NUMBERS(mentions, 0, 100, "people mentioned in a comment"),
    NUMBERS(reactions, 0, 10000, "likes and votes a day"),
    NUMBERS(follows, 0, 10000, "follows a day"),
    NUMBERS(flags, 0, 1000, "flags a day"),
    NUMBER(trusted_after, 1, MODERATION_APPROVED_MAX,
	.label = "Trusted after so many comments that everybody sees"),
    NUMBER(trusted_days, 0, 365, .label = "... and so many days since they registered"),
    NUMBER(upheld_days, 0, 365, .label = "... and so many days since a comment of theirs was hidden"),
    NUMBER(first_day, 1, 1000, .label = "Comments of somebody who registered today"),
    NUMBER(network, 1, 10000, .label = "Comments from one network in ten minutes",
	.hint = "Of people who are not trusted. A network is the first 24 bits of an IPv4 address, "
		"48 of an IPv6 one."),
    NUMBER(registrations, 1, 10000, .label = "Registrations from one network a day"),
    NUMBER(flags_hold, 0, 100, .label = "Flags of trusted people that hold a comment",
	.hint = "0: none do."),
    NUMBER(flags_days, 1, 365, .label = "... that are so many days old at most"),
    NUMBER(heat_minutes, 0, 1000,
	.label = "Minutes between two replies of a person in a thread that was flagged",
	.hint = "And one more for each flag."),
    NUMBER(close_days, 0, 36500, .label = "Days after which a post takes no more comments",
	.hint = "0: it always does."),
    {FIELD_TEXT(struct moderation, words), .label = "Words that make a comment wait",
	.max = MODERATION_LIST_MAX, .rows = 6,
	.hint = "A word or several on each line, as they stand by themselves. Nobody is told why "
		"their comment waits."},
    {FIELD_TEXT(struct moderation, domains), .label = "Domains that make a comment wait",
	.max = MODERATION_LIST_MAX, .hint = "One on each line, with all below it: spam.example."},
    {FIELD_TEXT(struct moderation, links), .label = "Links that make a comment wait",
	.max = MODERATION_LIST_MAX,
	.hint = "A part of an address on each line: /?ref=."},
    {FIELD_FLAG(struct moderation, name_staff),
	.label = "The log of decisions that readers see names who decided"},
    {FIELD_FLAG(struct moderation, name_people),
	.label = "It names whose comment it was"},
};
static const struct form moderation_form = FORM("moderation", struct moderation, moderation_fields,
    .action = "/admin/moderation", .button = "Save");

/* Fills the form from the table: form and settings have the same layout. */
static void
fill(struct request *rq, struct form_result *result)
{
	for (size_t i = 0; i < moderation_form.count; i++) {
		const struct field *field = &moderation_fields[i];
		const char *value = (const char *)&rq->settings->moderation + field->offset;
		const char *name = str_cstring(rq->arena, field->name);

		if (field->kind == FIELD_KIND_NUMBER)
			form_fill(result, name,
			    str_fmt(rq->arena, "%lld", (long long)*(const int64_t *)value));
		else if (field->kind == FIELD_KIND_FLAG)
			form_fill(result, name, *(const bool *)value ? STR("1") : STR(""));
		else
			form_fill(result, name, *(const struct str *)value);
	}
}

/* The first fields of the form become a table. */
static void
arrange(struct request *rq, struct form_view *form)
{
	struct form_table_view *table = ARENA_NEW(rq->arena, struct form_table_view);
	struct form_row_view *rows = ARENA_ARRAY(rq->arena, ROWS, struct form_row_view);

	for (size_t i = 0; i < ROWS; i++) {
		rows[i].label = str_of(table_rows[i]);
		rows[i].cells.items = form->fields.items + i * COLUMNS;
		rows[i].cells.count = COLUMNS;
	}
	*table = (struct form_table_view){.caption = STR("By how far somebody is trusted")};
	table->columns.items = table_columns;
	table->columns.count = COLUMNS;
	table->rows.items = rows;
	table->rows.count = ROWS;
	form->table = table;
	form->fields.items += CELLS;
	form->fields.count -= CELLS;
}

static enum http_status
show(struct request *rq, struct response *rs)
{
	struct admin_view *view = admin_page(rq, "/admin/moderation", STR("Rules"));
	struct admin_panel_view *panel = admin_panel(view, "rules", NULL);
	struct form_result *result = form_shown(rq, &moderation_form);
	enum http_status status = page_read(rq, NULL, 0);

	if (status != HTTP_OK)
		return status;
	if (!form_was_sent(rq, &moderation_form))
		fill(rq, result);
	view->intro = STR("What readers may do, by how far they are trusted. Whatever is saved here "
			  "holds at once.");
	arrange(rq, admin_form(rq, rs, panel, result, STR("/admin/moderation")));
	admin_way(rq, panel, STR("/admin/moderation/try"), "What would the lists do?");
	admin_way(rq, panel, STR("/moderation"), "The log that readers see");
	return admin_respond(rq, rs, view);
}

static enum http_status
save(struct request *rq, struct response *rs)
{
	const struct moderation *in = rq->form->values;
	struct moderation is = *in;
	struct plan plan = plan_of_staff(rq);

	return plan_answer(rq, rs, &plan, settings_save_moderation(&plan, &is),
	    STR("/admin/moderation"), "rules");
}

PAGE(admin_moderation, .get = show, .post = save, .refused = show, .form = &moderation_form,
    .query = QUERY("done"))

/* --- What would the lists do? ------------------------------------------------------------------------- */

struct try_form {
	struct str text;
};

static const struct field try_fields[] = {
    {FIELD_TEXT(struct try_form, text), .label = "Text", .required = true, .max = 5000,
	.missing = "Write something first.", .focus = true,
	.hint = "In Markdown, as a comment."},
};
static const struct form try_form = FORM("try", struct try_form, try_fields,
    .action = "/admin/moderation/try", .button = "What would this do?");

/* What becomes of a text, by where it was typed. */
static void
show_kinds(struct admin_view *view, bool found)
{
	static const struct admin_row_view held[] = {
	    {.name = STR_INIT("A comment, or an edit of one"),
		.text = STR_INIT("It would wait for an editor.")},
	    {.name = STR_INIT("The note of a review"),
		.text = STR_INIT("The stars would count at once; the note would wait.")},
	    {.name = STR_INIT("What somebody says of themselves: name, text, link"),
		.text = STR_INIT("It would be stored; others would see the username alone until an "
				 "editor has read it.")},
	    {.name = STR_INIT("The name or description of a collection"),
		.text = STR_INIT("Nobody else would see the collection until an editor has read "
				 "it.")},
	    {.name = STR_INIT("A note, as a post"),
		.text = STR_INIT("It would be saved unpublished, and wait for an editor.")},
	    {.name = STR_INIT("An article, a link, a how-to"),
		.text = STR_INIT("The lists are not asked: authors answer for these.")},
	};
	static const struct admin_row_view let_through[] = {
	    {.name = STR_INIT("Comments, notes, profiles, collections, posts"),
		.text = STR_INIT("They would appear at once, as far as the lists are concerned.")},
	};
	struct admin_panel_view *panel = admin_panel(view, "kinds", "What would become of it");

	panel->rows.items = found ? held : let_through;
	panel->rows.count = found ? sizeof(held) / sizeof(held[0]) : 1;
}

static enum http_status
show_try(struct request *rq, struct response *rs, struct str found, bool tried)
{
	struct admin_view *view = admin_page(rq, "/admin/moderation", STR("What the lists do"));
	struct admin_panel_view *panel = admin_panel(view, "tried", NULL);

	view->intro = STR("Nothing is sent: it says what would become of a comment with this text.");
	if (tried)
		view->notice = found.len != 0
				   ? STR_CONCAT(rq->arena,
					 STR("It would wait for an editor: it has "), found,
					 STR("."))
				   : STR("The lists would let it through.");
	admin_form(rq, rs, panel, form_shown(rq, &try_form), STR("/admin/moderation/try"));
	if (tried)
		show_kinds(view, found.len != 0);
	return admin_respond(rq, rs, view);
}

static enum http_status
open_try(struct request *rq, struct response *rs)
{
	enum http_status status = page_read(rq, NULL, 0);

	return status == HTTP_OK ? show_try(rq, rs, STR(""), false) : status;
}

static enum http_status
try(struct request *rq, struct response *rs)
{
	struct str text = ((const struct try_form *)rq->form->values)->text;
	enum http_status status = page_read(rq, NULL, 0);

	if (status != HTTP_OK)
		return status;
	return show_try(rq, rs,
	    word_list_found(rq->arena, &rq->settings->moderation,
		STR_CONCAT(rq->arena, text, STR("\n"), markdown_text(rq->arena, text))),
	    true);
}

PAGE(admin_moderation_try, .get = open_try, .post = try, .refused = open_try, .form = &try_form)

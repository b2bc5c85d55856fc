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

static const struct field moderation_fields[] = {
    NUMBER(new_comments, 0, MODERATION_APPROVED_MAX, .label = "New: comments that may wait",
	.hint = "New is of whom no comment was approved yet: what they write waits for an editor."),
    NUMBER(new_pause, 0, 3600, .label = "New: seconds between two comments"),
    NUMBER(new_links, 0, 100, .label = "New: links in a comment"),
    NUMBER(new_mentions, 0, 100, .label = "New: people mentioned in a comment"),
    NUMBER(new_reactions, 0, 10000, .label = "New: likes and votes a day"),
    NUMBER(new_follows, 0, 10000, .label = "New: follows a day"),
    NUMBER(new_flags, 0, 1000, .label = "New: flags a day"),
    NUMBER(known_comments, 1, 1000, .label = "Known: comments in ten minutes",
	.hint = "Known is of whom a comment was approved."),
    NUMBER(known_pause, 0, 3600, .label = "Known: seconds between two comments"),
    NUMBER(known_links, 0, 100, .label = "Known: links in a comment, else it waits"),
    NUMBER(known_mentions, 0, 100, .label = "Known: people mentioned in a comment, else it waits"),
    NUMBER(known_reactions, 0, 10000, .label = "Known: likes and votes a day"),
    NUMBER(known_follows, 0, 10000, .label = "Known: follows a day"),
    NUMBER(known_flags, 0, 1000, .label = "Known: flags a day"),
    NUMBER(trusted_comments, 1, 1000, .label = "Trusted: comments in ten minutes",
	.hint = "Authors and the staff are trusted, and whom the next numbers describe."),
    NUMBER(trusted_pause, 0, 3600, .label = "Trusted: seconds between two comments"),
    NUMBER(trusted_links, 0, 100, .label = "Trusted: links in a comment, else it waits"),
    NUMBER(trusted_mentions, 0, 100,
	.label = "Trusted: people mentioned in a comment, else it waits"),
    NUMBER(trusted_reactions, 0, 10000, .label = "Trusted: likes and votes a day"),
    NUMBER(trusted_follows, 0, 10000, .label = "Trusted: follows a day"),
    NUMBER(trusted_flags, 0, 1000, .label = "Trusted: flags a day"),
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
	admin_form(rq, rs, panel, result, STR("/admin/moderation"));
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

static enum http_status
show_try(struct request *rq, struct response *rs, struct str found, bool tried)
{
	struct admin_view *view = admin_page(rq, "/admin/moderation", STR("What the lists do"));
	struct admin_panel_view *panel = admin_panel(view, "try", NULL);

	view->intro = STR("Nothing is sent: it says what would become of a comment with this text.");
	if (tried)
		view->notice = found.len != 0
				   ? STR_CONCAT(rq->arena,
					 STR("It would wait for an editor: it has "), found,
					 STR("."))
				   : STR("The lists would let it through.");
	admin_form(rq, rs, panel, form_shown(rq, &try_form), STR("/admin/moderation/try"));
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

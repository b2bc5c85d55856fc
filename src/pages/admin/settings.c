/* /admin/settings: the publication's name and texts, and how it is run. */
#include "base/arena.h"
#include "base/zone.h"
#include "pages/admin/admin.h"
#include "pages/routes.h"
#include "pages/shared/publication.h"

struct settings_form {
	struct str name, tagline, description, language, time_zone, picture, colour, footer;
	struct str reads_price, writes_price, price_currency;
	int64_t registration, two_step_for, posts_per_page, pictures_mb, search_newness;
	bool comments_off, votes_off, ratings_off, follows_off, mail_paused, subscribers_paused;
};

static const struct choice registrations[] = {
    {STR_INIT("closed"), "Closed: nobody registers", REGISTRATION_CLOSED},
    {STR_INIT("invitation"), "By invitation", REGISTRATION_INVITATION},
    {STR_INIT("approval"), "By approval: all may register, and wait to be let in",
	REGISTRATION_APPROVAL},
    {STR_INIT("open"), "Open: all may register", REGISTRATION_OPEN},
    {STR_INIT(""), NULL, 0},
};

static const struct choice two_steps[] = {
    {STR_INIT("nobody"), "Nobody: whoever wants one turns it on", TWO_STEP_OF_NOBODY},
    {STR_INIT("admins"), "Admins", TWO_STEP_OF_ADMINS},
    {STR_INIT("editors"), "Editors and admins", TWO_STEP_OF_EDITORS},
    {STR_INIT("authors"), "Authors, editors and admins", TWO_STEP_OF_AUTHORS},
    {STR_INIT("everybody"), "Everybody", TWO_STEP_OF_EVERYBODY},
    {STR_INIT(""), NULL, 0},
};

static const struct field settings_fields[] = {
    {FIELD_LINE(struct settings_form, name), .label = "Name of the publication", .required = true, .max = 80,
	.missing = "A publication has a name."},
    {FIELD_LINE(struct settings_form, tagline), .label = "Tagline", .max = 120,
	.hint = "One line below the name, on the front page."},
    {FIELD_TEXT(struct settings_form, description), .label = "Description", .max = 300,
	.hint = "What search engines and feeds say of it."},
    {FIELD_LANGUAGE(struct settings_form, language), .label = "Language", .required = true,
	.missing = "Which language is it in?", .hint = "A language tag: en, pt-BR, de."},
    {FIELD_LINE(struct settings_form, time_zone), .label = "Time zone", .required = true, .max = 64,
	.missing = "Which time does it keep? UTC, if you are not sure.",
	.hint = "Of all times that are shown and typed."},
    {FIELD_CHOICE(struct settings_form, registration), .label = "Who may register",
	.required = true, .choices = registrations},
    {FIELD_CHOICE(struct settings_form, two_step_for), .label = "Who must sign in in two steps",
	.choices = two_steps,
	.hint = "Whoever must, and has no second step yet, sets it up before anything else."},
    {FIELD_FLAG(struct settings_form, comments_off), .label = "Comments are turned off",
	.hint = "Nobody writes one, on the whole site. What was written stays; so with the next "
		"three."},
    {FIELD_FLAG(struct settings_form, votes_off), .label = "Likes and votes are turned off"},
    {FIELD_FLAG(struct settings_form, ratings_off), .label = "Ratings are turned off"},
    {FIELD_FLAG(struct settings_form, follows_off), .label = "Following is turned off"},
    {FIELD_FLAG(struct settings_form, mail_paused), .label = "Letters are paused",
	.hint = "To subscribers, about answers, and of the week: they wait, for two days at most. "
		"Letters about accounts are sent."},
    {FIELD_FLAG(struct settings_form, subscribers_paused),
	.label = "Letters to subscribers are paused",
	.hint = "Those alone, of posts and of the week. They go on within ten minutes after this "
		"is taken back; what is older than two days by then is not sent."},
    {FIELD_NUMBER(struct settings_form, posts_per_page), .label = "Posts a page", .required = true,
	.min = 1, .max = 100},
    {FIELD_NUMBER(struct settings_form, pictures_mb), .label = "Pictures of one person, in MB",
	.min = 1, .max = SETTINGS_PICTURES_MB_MAX,
	.hint = "What all that one person has uploaded may take; left empty, 1000."},
    {FIELD_NUMBER(struct settings_form, search_newness),
	.label = "How much the search prefers new posts, in %", .min = 0, .max = SETTINGS_NEWNESS_MAX,
	.wrong = "Write a whole number from 0 to 50.",
	.hint = "What was published today has its score raised by so much, what is a year old by half of "
		"that. 0, or left empty: age does not count."},
    {FIELD_PICTURE(struct settings_form, picture), .label = "Picture",
	.hint = "Shown elsewhere beside links to pages that have none: the address of an upload, "
		"or one that begins with https://."},
    {FIELD_LINE(struct settings_form, colour), .label = "Second colour", .max = 20,
	.hint = "Of headings of sections and of what stands above titles, such as #1f4e79. In the dark a lighter one is shown. "
		"Each section may have its own, at Categories."},
    {FIELD_TEXT(struct settings_form, footer), .label = "Footer", .max = 2000,
	.hint = "Markdown, at the end of every page."},
    {FIELD_LINE(struct settings_form, reads_price), .label = "Price of 100 million read units", .max = 12,
	.hint = "With DynamoDB: such as 12.50. Then the overview says what the table costs."},
    {FIELD_LINE(struct settings_form, writes_price), .label = "Price of 100 million write units",
	.max = 12, .hint = "Such as 62.50."},
    {FIELD_LINE(struct settings_form, price_currency), .label = "Currency of these prices", .max = 3,
	.hint = "Such as USD."},
};
static const struct form settings_form = FORM("settings", struct settings_form, settings_fields,
    .action = "/admin/settings", .button = "Save");

/* The form as the table has it. */
static void
fill(struct request *rq, struct form_result *result)
{
	const struct settings *is = rq->settings;

	form_fill(result, "name", is->name);
	form_fill(result, "tagline", is->tagline);
	form_fill(result, "description", is->description);
	form_fill(result, "language", is->language);
	form_fill(result, "registration", str_of(registration_name(is->registration)));
	form_fill(result, "two_step_for", str_of(two_step_for_name(is->two_step_for)));
	form_fill(result, "comments_off", is->comments_off ? STR("1") : STR("0"));
	form_fill(result, "votes_off", is->votes_off ? STR("1") : STR("0"));
	form_fill(result, "ratings_off", is->ratings_off ? STR("1") : STR("0"));
	form_fill(result, "follows_off", is->follows_off ? STR("1") : STR("0"));
	form_fill(result, "mail_paused", is->mail_paused ? STR("1") : STR("0"));
	form_fill(result, "subscribers_paused", is->subscribers_paused ? STR("1") : STR("0"));
	form_fill(result, "posts_per_page", str_fmt(rq->arena, "%d", (int)is->posts_per_page));
	form_fill(result, "pictures_mb", str_fmt(rq->arena, "%lld", (long long)is->pictures_mb));
	form_fill(result, "search_newness", str_fmt(rq->arena, "%d", (int)is->search_newness));
	form_fill(result, "time_zone", is->time_zone);
	form_fill(result, "picture", is->picture);
	form_fill(result, "colour", is->colour);
	form_fill(result, "footer", is->footer);
	form_fill(result, "reads_price", is->reads_price);
	form_fill(result, "writes_price", is->writes_price);
	form_fill(result, "price_currency", is->price_currency);
}

/* All zones; and what was typed or is set, if it is none of them. */
static void
offer_zones(struct request *rq, struct form_view *form, const struct form_result *result)
{
	size_t count, shown = 0;
	const struct str *names = zone_names(rq->arena, &count);
	struct str is = form_raw(result, "time_zone");
	struct option_view *options = ARENA_ARRAY(rq->arena, count + 2, struct option_view);
	bool listed = is.len == 0;

	options[shown++] = (struct option_view){.label = STR("Choose one")};
	for (size_t i = 0; i < count; i++) {
		options[shown++] = (struct option_view){names[i], names[i], false};
		listed |= str_eq(names[i], is);
	}
	if (!listed)
		options[shown++] = (struct option_view){is, is, false};
	form_view_offer(rq, form, result, "time_zone", options, shown);
}

enum http_status
admin_settings_show(struct request *rq, struct response *rs, struct str error)
{
	struct admin_view *view = admin_page(rq, "/admin/settings", STR("Settings"));
	struct admin_panel_view *panel = admin_panel(view, "site", NULL);
	struct form_result *result = form_shown(rq, &settings_form);
	struct read pictures = covers_read(rq);
	enum http_status status = page_read(rq, &pictures, 1);

	if (status != HTTP_OK)
		return status;
	if (!form_was_sent(rq, &settings_form))
		fill(rq, result);
	view->intro = STR("Whatever is saved here is on every page at once.");
	offer_zones(rq, admin_form(rq, rs, panel, result, STR("/admin/settings")), result);
	admin_panel(view, "look", NULL)->picture = admin_nameplate(rq, rs, &pictures, error);
	return admin_respond(rq, rs, view);
}

static enum http_status
show(struct request *rq, struct response *rs)
{
	return admin_settings_show(rq, rs, STR(""));
}

/* Only the system knows whether it has the zone. */
static void
check_zone(struct request *rq)
{
	const struct settings_form *in = rq->form->values;

	if (in->time_zone.len != 0 &&
	    (!time_zone_valid(in->time_zone) || !zone_known(rq->arena, in->time_zone)))
		form_refuse(rq->form, "time_zone",
		    "This zone is not known here. Choose one of the list.");
}

static void
check_prices(struct request *rq)
{
	const struct settings_form *in = rq->form->values;

	if (in->reads_price.len != 0 && !text_keeps(TEXT_AMOUNT, in->reads_price))
		form_refuse(rq->form, "reads_price", "Write an amount, such as 12 or 12.50.");
	if (in->writes_price.len != 0 && !text_keeps(TEXT_AMOUNT, in->writes_price))
		form_refuse(rq->form, "writes_price", "Write an amount, such as 62 or 62.50.");
	if (in->price_currency.len != 0 && !text_keeps(TEXT_CURRENCY, in->price_currency))
		form_refuse(rq->form, "price_currency", "Write a currency's three letters, such as USD.");
}

static void
check(struct request *rq)
{
	check_zone(rq);
	check_prices(rq);
	admin_check_colour(rq, "colour");
}

static enum http_status
show_again(struct request *rq, struct response *rs)
{
	check(rq);
	return show(rq, rs);
}

static enum http_status
save(struct request *rq, struct response *rs)
{
	const struct settings_form *in = rq->form->values;
	const struct settings is = {.name = in->name,
	    .tagline = in->tagline,
	    .description = in->description,
	    .language = in->language,
	    .time_zone = in->time_zone,
	    .picture = in->picture,
	    .colour = str_lower(rq->arena, in->colour),
	    .footer = in->footer,
	    .reads_price = in->reads_price,
	    .writes_price = in->writes_price,
	    .price_currency = in->price_currency,
	    .posts_per_page = in->posts_per_page,
	    .pictures_mb = in->pictures_mb != 0 ? in->pictures_mb : SETTINGS_PICTURES_MB,
	    .search_newness = in->search_newness,
	    .comments_off = in->comments_off,
	    .votes_off = in->votes_off,
	    .ratings_off = in->ratings_off,
	    .follows_off = in->follows_off,
	    .mail_paused = in->mail_paused,
	    .subscribers_paused = in->subscribers_paused,
	    .registration = (enum registration)in->registration,
	    .two_step_for = (enum two_step_for)in->two_step_for};
	struct plan plan = plan_of_staff(rq);
	enum plan_rc rc;

	check(rq);
	if (!rq->form->valid)
		return show(rq, rs);
	rc = settings_save(&plan, &is);
	return plan_answer(rq, rs, &plan, rc, STR("/admin/settings"), "settings");
}

PAGE(admin_settings, .get = show, .post = save, .refused = show_again, .form = &settings_form,
    .query = QUERY("done"))

/*
 * GET /admin: what a new site has yet to do, how much waits to be decided, who waits to be let in, and the latest
 * entries of the log; for staff who do more than write.
 */
#include "base/arena.h"
#include "base/clock.h"
#include "model/key.h"
#include "model/key_moderation.h"
#include "model/key_outbox.h"
#include "model/key_rating.h"
#include "model/key_staff.h"
#include "model/post/posts.h"
#include "model/site/backup.h"
#include "model/site/units.h"
#include "model/site/work.h"
#include "pages/admin/admin.h"
#include "pages/routes.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"

enum { SHOWN = 10, COUNTED = 50, SECOND_MS = 1000, ROUTES = 20, PRICED = 100 * 1000 * 1000 };

/* What is read: first what waits for whoever moderates. */
enum {
	HELD,
	FLAGGED,
	ANSWERED,
	NOTES,
	APPEALS,
	THINGS,
	REPLIES,
	QUEUE_LISTS,
	PEOPLE = QUEUE_LISTS,
	LOG,
	LETTERS,
	POSTED,
	OTHERS,
	INVITED,
	BACKUP,
	WORK,
	UNITS = WORK + WORK_READS,
	READS = UNITS + UNITS_READS,
};

/* --- To begin with ------------------------------------------------------------------------------------ */

/* What a new site has yet to do. It is gone when all is done. */
static void
show_steps(struct request *rq, const struct read *reads, struct admin_view *view)
{
	const struct settings *is = rq->settings;
	const struct {
		bool done;
		const char *url, *name, *text;
	} steps[] = {
	    {is->created != 0, "/admin/settings#settings-name", "Name the publication", ""},
	    {is->time_zone.len != 0, "/admin/settings#settings-time_zone", "Choose its time zone", ""},
	    {is->created != 0, "/admin/settings#settings-language", "Choose its language", ""},
	    {publication_of(rq)->categories.count != 0, "/admin/categories", "Make a category",
		"The first ones stand at the head of each page."},
	    {is->tagline.len != 0 || is->picture.len != 0, "/admin/settings#settings-tagline",
		"Give it a look", "A tagline under its name, and a picture for links to it."},
	    {reads[POSTED].found_count != 0, "/write", "Write the first post", ""},
	    {reads[OTHERS].found_count > 1 || reads[INVITED].found_count != 0, "/admin/invitations?role=author",
		"Invite an author", ""},
	    {rq->site->mailer != NULL, "/admin/system", "Set up mail",
		"An operator sets smtp-url. Until then nobody gets a link to choose a new password by."},
	    {backup_made(reads[BACKUP].item) != 0 || rq->site->facts.no_backup != NULL,
		"/admin/system", "Make a backup", "An operator runs “broadsheet backup”, best every night."},
	};
	enum { STEPS = sizeof(steps) / sizeof(steps[0]) };
	struct admin_row_view *rows = ARENA_ARRAY(rq->arena, STEPS, struct admin_row_view);
	struct admin_panel_view *panel;
	size_t count = 0;

	for (size_t i = 0; i < STEPS; i++)
		if (!steps[i].done)
			rows[count++] = (struct admin_row_view){.url = str_of(steps[i].url),
			    .name = str_of(steps[i].name), .text = str_of(steps[i].text)};
	if (count == 0)
		return;
	panel = admin_panel(view, "steps", "To begin with");
	panel->text = str_fmt(rq->arena, "%zu of %d steps are done.", STEPS - count, STEPS);
	panel->rows.items = rows;
	panel->rows.count = count;
}

/* --- What waits, and what was done -------------------------------------------------------------------- */

static void
show_people(
    struct request *rq, struct response *rs, const struct read *read, struct admin_view *view)
{
	struct admin_panel_view *panel = admin_panel(view, "waiting", "Waiting to be let in");
	struct admin_row_view *rows =
	    ARENA_ARRAY(rq->arena, read->found_count, struct admin_row_view);

	for (size_t i = 0; i < read->found_count; i++) {
		struct user user;

		user_from_item(rq->arena, &read->found[i], &user);
		rows[i] = admin_user_row(rq, &user);
		admin_button(rq, &rows[i], "from", STR("overview"), "Let in")->own_url =
		    STR_CONCAT(rq->arena, rows[i].url, STR("/enable"));
		admin_button(rq, &rows[i], "from", STR("overview"), "Decline")->own_url =
		    STR_CONCAT(rq->arena, rows[i].url, STR("/disable"));
	}
	admin_buttons_lead(rq, rs, panel, STR("/admin"));
	panel->rows.items = rows;
	panel->rows.count = read->found_count;
	panel->empty_text = STR("Nobody waits.");
	if (read->next.len != 0)
		admin_way(rq, panel, STR("/admin/users?standing=waiting"), "All who wait");
}

static void
show_log(struct request *rq, const struct read *read, struct admin_view *view)
{
	struct admin_panel_view *panel = admin_panel(view, "log", "Done lately");
	struct admin_row_view *rows =
	    ARENA_ARRAY(rq->arena, read->found_count, struct admin_row_view);

	for (size_t i = 0; i < read->found_count; i++)
		rows[i] = admin_log_row(rq, &read->found[i]);
	panel->rows.items = rows;
	panel->rows.count = read->found_count;
	panel->empty_text = STR("Nothing yet this month.");
}

/* "3 comments", "10 or more comments" */
static struct str
count_text(struct request *rq, const struct read *read, const char *one, const char *many)
{
	bool more = read->next.len != 0;

	return STR_CONCAT(rq->arena, words_number(rq->arena, (int64_t)read->found_count),
	    more ? STR(" or more ") : STR(" "), str_of(read->found_count == 1 ? one : many));
}

/* What waits for whoever moderates: a line for each list in which there is something. */
static void
show_queue(struct request *rq, const struct read *reads, struct admin_view *view)
{
	static const struct {
		const char *one, *many, *then, *url;
	} lists[QUEUE_LISTS] = {
	    [HELD] = {"comment", "comments", " to be approved or hidden", "/admin/comments#held"},
	    [FLAGGED] = {"thing", "things", " that readers have flagged", "/admin/comments#flagged"},
	    [ANSWERED] = {"answer", "answers", " to what was hidden", "/admin/comments#answered"},
	    [NOTES] = {"note", "notes", " of reviews to be approved or hidden", "/admin/reviews"},
	    [THINGS] = {"post, profile or collection", "posts, profiles and collections",
		" to be approved or hidden", "/admin/comments#things"},
	    [REPLIES] = {"answer", "answers", " to posts, notes, profiles and collections hidden",
		"/admin/comments#replies"},
	    [APPEALS] = {"answer", "answers", " of those who are suspended", "/admin/appeals"},
	};
	struct admin_panel_view *panel = admin_panel(view, "queue", "To be decided");
	struct admin_row_view *rows = ARENA_ARRAY(rq->arena, QUEUE_LISTS, struct admin_row_view);

	for (size_t i = 0; i < QUEUE_LISTS; i++)
		if (reads[i].found_count != 0)
			rows[panel->rows.count++] =
			    (struct admin_row_view){.url = str_of(lists[i].url),
				.name = STR_CONCAT(rq->arena,
				    count_text(rq, &reads[i], lists[i].one, lists[i].many),
				    str_of(lists[i].then))};
	panel->rows.items = rows;
	panel->empty_text = STR("Nothing waits for an editor.");
	admin_way(rq, panel, STR("/admin/comments"), "To the queue");
}

/* The pages, for somebody who may edit them and writes no posts: they have no other link. */
static void
show_pages(struct request *rq, struct admin_view *view)
{
	struct admin_panel_view *panel = admin_panel(view, "pages", "Pages");

	panel->text = STR("Those that stand by themselves, such as “About”.");
	admin_way(rq, panel, STR("/admin/posts?state=pages"), "All pages");
	admin_way(rq, panel, STR("/write/page"), "Write a page");
}

/* When all derivations were last made anew as a whole, if each was; 0: not yet. */
static int64_t
made_anew(const struct work *work)
{
	int64_t at = work->derived_count != 0 ? INT64_MAX : 0;

	for (size_t i = 0; i < work->derived_count; i++)
		at = work->derived[i].rebuilt_at < at ? work->derived[i].rebuilt_at : at;
	return at;
}

static struct str
throughput_text(struct request *rq, const struct work_state *state)
{
	struct work_pace pace = work_pace(state, rq->now);

	return STR_CONCAT(rq->arena, words_count(rq->arena, pace.a_minute, "change", "changes"),
	    STR(" a minute lately; while it works it handles "), words_number(rq->arena, pace.a_second),
	    STR(" a second"));
}

/* What follows from changes: how far behind them it is, and what needs an operator. */
static void
show_work(struct request *rq, const struct work *work, struct admin_view *view)
{
	struct admin_panel_view *panel = admin_panel(view, "work", "Derived from changes");
	struct admin_row_view *rows = ARENA_ARRAY(rq->arena, 4, struct admin_row_view);
	size_t *count = &panel->rows.count;
	struct str when = STR("within a second");
	int64_t behind = work->state.stored_at - work->state.record_at;

	if (behind >= SECOND_MS)
		when = STR_CONCAT(rq->arena,
		    words_count(rq->arena, behind / SECOND_MS, "second", "seconds"),
		    STR(" after it was made"));
	if (!work->led)
		panel->text = STR("Nobody works: counts, copies of names and the like stay as they are. "
				  "Set stream-worker to yes, or run “broadsheet work”.");
	panel->rows.items = rows;
	panel->empty_text = STR("Nothing has changed yet.");
	if (work->state.handled != 0)
		rows[(*count)++] = (struct admin_row_view){.name = STR_CONCAT(rq->arena,
		    words_count(rq->arena, work->state.handled, "change", "changes"),
		    STR(" handled, the last one "), when)};
	if (work->state.recent_micros != 0)
		rows[(*count)++] = (struct admin_row_view){.name = throughput_text(rq, &work->state)};
	if (work->rebuilding)
		rows[(*count)++] = (struct admin_row_view){.name = STR_CONCAT(rq->arena,
		    STR("Everything is being made anew: "),
		    words_count(rq->arena, work->rebuild.items, "item", "items"), STR(" read so far"))};
	else if (made_anew(work) != 0)
		rows[(*count)++] = (struct admin_row_view){.name = STR_CONCAT(rq->arena,
		    STR("Everything was last made anew "), words_moment(rq, made_anew(work)))};
	if (work->parked_count != 0)
		rows[(*count)++] = (struct admin_row_view){.name = STR_CONCAT(rq->arena,
		    words_number(rq->arena, (int64_t)work->parked_count),
		    STR(" could not be derived: see “broadsheet work --status”"))};
}

/* Those to many, and about answers: not those about accounts. */
static void
show_letters(struct request *rq, const struct read *outbox, const struct work *work,
    struct admin_view *view)
{
	struct admin_panel_view *panel = admin_panel(view, "letters", "Letters");
	struct admin_row_view *rows = ARENA_ARRAY(rq->arena, 3, struct admin_row_view);
	const struct sender_state *is = &work->sender;
	size_t *count = &panel->rows.count;

	if (rq->site->mailer == NULL)
		panel->text = STR("No mail server is set: smtp-url.");
	else if (rq->settings->mail_paused)
		panel->text = STR("Letters are paused. They wait for two days at most.");
	else if (!work->sends)
		panel->text = STR("Nobody sends: set stream-worker to yes, or run “broadsheet work”.");
	else if (rq->settings->subscribers_paused)
		panel->text = STR("Letters to subscribers are paused. They wait for two days at most.");
	panel->rows.items = rows;
	panel->empty_text = STR("None was sent yet, and none waits.");
	if (is->down_since != 0)
		rows[(*count)++] = (struct admin_row_view){.name = STR_CONCAT(rq->arena,
		    STR("The mail server can’t be used since "),
		    words_moment(rq, is->down_since), STR(": "), is->why)};
	if (outbox->found_count != 0)
		rows[(*count)++] = (struct admin_row_view){
		    .name = STR_CONCAT(rq->arena, count_text(rq, outbox, "letter", "letters"),
			STR(" to be sent"))};
	if (is->sent + is->refused + is->unsure != 0)
		rows[(*count)++] = (struct admin_row_view){.name = STR_CONCAT(rq->arena,
		    words_number(rq->arena, is->sent), STR(" sent, "),
		    words_number(rq->arena, is->refused), STR(" refused or given up, "),
		    words_number(rq->arena, is->unsure),
		    STR(" of which it is not known whether they have arrived"))};
}

/* --- What the table costs ----------------------------------------------------------------------------- */

/* An amount of money in hundredths; 0 when there is none. */
static double
hundredths(struct str amount)
{
	struct str part, whole = str_cut(amount, '.', &part);
	int64_t units = 0, rest = 0;

	if (!str_int(whole, &units))
		return 0;
	if (part.len != 0 && str_int(part, &rest) && part.len == 1)
		rest *= 10;
	return (double)(units * 100 + rest);
}

/* "1,203 read and 88 write units, US$0.01" */
static struct str
units_text(struct request *rq, const struct units *u)
{
	const struct settings *prices = rq->settings;
	double of_reads = hundredths(prices->reads_price) * (double)u->read_halves / 2;
	double money = (of_reads + hundredths(prices->writes_price) * (double)u->writes) / PRICED;
	struct str said = STR_CONCAT(rq->arena, words_number(rq->arena, (u->read_halves + 1) / 2),
	    STR(" read and "), words_number(rq->arena, u->writes), STR(" write units"));

	if (prices->reads_price.len == 0 && prices->writes_price.len == 0)
		return said;
	return STR_CONCAT(rq->arena, said, STR(", "),
	    words_money(rq->arena, str_fmt(rq->arena, "%.2f", money / 100), prices->price_currency));
}

static struct str
route_name(const struct units *u)
{
	return str_eq(u->what, UNITS_REST) ? STR("The worker, letters, figures and clearing up") : u->what;
}

/* What a route has cost in the month, and today if it was asked. */
static struct str
route_text(struct request *rq, const struct units *month, const struct units *today, size_t count)
{
	struct str said = STR_CONCAT(rq->arena, STR("this month "), units_text(rq, month));

	for (size_t i = 0; i < count; i++)
		if (str_eq(today[i].what, month->what))
			return STR_CONCAT(
			    rq->arena, STR("today "), units_text(rq, &today[i]), STR("; "), said);
	return said;
}

/* Nothing where the store bills nothing. */
static void
show_costs(struct request *rq, const struct read *reads, struct admin_view *view)
{
	struct units today, month, *units = units_take(rq->arena, &reads[UNITS_MONTH], &month);
	struct units *of_today = units_take(rq->arena, &reads[UNITS_TODAY], &today);
	size_t count = reads[UNITS_MONTH].found_count, shown = count < ROUTES ? count : ROUTES;
	struct admin_panel_view *panel;
	struct admin_row_view *rows;

	if (count == 0)
		return;
	panel = admin_panel(view, "costs", "What the table costs");
	panel->text = STR("Counted every ten minutes, in days and months of UTC, as the store answered. What it "
			  "bills for storage, backups and its stream is not in it.");
	rows = ARENA_ARRAY(rq->arena, shown + 2, struct admin_row_view);
	rows[0] = (struct admin_row_view){.name = STR("Today"), .text = units_text(rq, &today)};
	rows[1] = (struct admin_row_view){.name = STR("This month"), .text = units_text(rq, &month)};
	for (size_t i = 0; i < shown; i++)
		rows[2 + i] = (struct admin_row_view){.name = route_name(&units[i]),
		    .text = route_text(rq, &units[i], of_today, reads[UNITS_TODAY].found_count)};
	panel->rows.items = rows;
	panel->rows.count = shown + 2;
	if (may(rq->viewer, MAY_MANAGE, NO_THING))
		admin_way(rq, panel, STR("/admin/settings#settings-reads_price"), "Set the prices");
}

static enum http_status
show(struct request *rq, struct response *rs)
{
	const struct query queries[WORK] = {
	    [HELD] = query_comments_held(),
	    [FLAGGED] = query_flagged(),
	    [ANSWERED] = query_comments_answered(),
	    [NOTES] = query_ratings_held(),
	    [APPEALS] = query_appeals(),
	    [THINGS] = query_restrictions(RESTRICTIONS_HELD),
	    [REPLIES] = query_restrictions(RESTRICTIONS_ANSWERED),
	    [PEOPLE] = query_people(rq->arena, str_of(user_status_name(USER_WAITING)), STR("")),
	    [LOG] = query_audit(rq->arena, str_sub(time_format(rq->arena, rq->now), 0, 7)),
	    [LETTERS] = query_outbox(),
	    [OTHERS] = query_users(),
	};
	struct posts_query newest = {.of = POSTS_ALL, .limit = 1};
	struct read reads[READS];
	bool manages = may(rq->viewer, MAY_MANAGE, NO_THING);
	bool moderates = may(rq->viewer, MAY_MODERATE, NO_THING);
	struct admin_view *view = admin_page(rq, "/admin", STR("Overview"));
	enum http_status status;
	struct work work;

	for (size_t i = 0; i < WORK; i++) {
		reads[i] = (struct read){.kind = READ_QUERY, .query = queries[i]};
		reads[i].query.limit = i < QUEUE_LISTS || i == LETTERS ? COUNTED : SHOWN;
	}
	(void)posts_prepare(rq->arena, &newest, rq->now, &reads[POSTED]);
	reads[OTHERS].query.limit = 2;
	reads[INVITED].query = query_invitations_of(rq->arena, rq->viewer->user.username);
	reads[INVITED].query.limit = 1;
	reads[BACKUP] = backup_read();
	work_reads(reads + WORK);
	units_reads(rq->arena, rq->now, reads + UNITS);
	reads[LOG].query.descending = true;
	/* An admin moderates as well. */
	status = page_read(rq, reads, manages ? READS : moderates ? QUEUE_LISTS : 0);
	if (status != HTTP_OK)
		return status;
	view->intro =
	    STR("What keeps the publication going. Whatever is done here stands in its log.");
	if (manages)
		show_steps(rq, reads, view);
	if (moderates)
		show_queue(rq, reads, view);
	if (manages) {
		show_people(rq, rs, &reads[PEOPLE], view);
		show_log(rq, &reads[LOG], view);
		work_take(rq->arena, &reads[WORK], rq->now, &work);
		show_work(rq, &work, view);
		show_letters(rq, &reads[LETTERS], &work, view);
		show_costs(rq, &reads[UNITS], view);
	}
	if (may(rq->viewer, MAY_WRITE_PAGES, NO_THING))
		show_pages(rq, view);
	return admin_respond(rq, rs, view);
}

PAGE(admin, .get = show, .query = QUERY("done"))

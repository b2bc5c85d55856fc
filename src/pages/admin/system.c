/*
 * GET /admin/system: how the program is set up, for those who look after the site: versions, the store, where mail goes,
 * backups, all settings of the program. Nothing that is secret.
 */
#include "base/arena.h"
#include "model/site/backup.h"
#include "pages/admin/admin.h"
#include "pages/routes.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"

enum { DAY_MS = 86400 * 1000 };

static struct str
setting(struct request *rq, struct str name)
{
	const struct site_facts *facts = &rq->site->facts;

	for (size_t i = 0; i < facts->count; i++)
		if (str_eq(facts->settings[i].name, name))
			return facts->settings[i].value;
	return STR("");
}

/* "Last made on 18 November 2026, 04:00 UTC, 2 days ago." */
static struct str
backups(struct request *rq, const struct item *item)
{
	int64_t at = backup_made(item), days = (rq->now - at) / DAY_MS;

	if (rq->site->facts.no_backup != NULL)
		return str_of(rq->site->facts.no_backup);
	if (at == 0)
		return STR("None was made with “broadsheet backup”.");
	return STR_CONCAT(rq->arena, STR("Last made on "), words_moment(rq, at), STR(", "),
	    days > 0 ? words_count(rq->arena, days, "day", "days") : STR("less than a day"),
	    STR(" ago."));
}

static struct str
mail(struct request *rq)
{
	if (rq->site->mailer == NULL)
		return STR("Nobody sends letters: smtp-url is not set.");
	return STR_CONCAT(rq->arena, STR("Handed over to "), setting(rq, STR("smtp-url")),
	    rq->settings->mail_paused ? STR(", but paused in the settings.") : STR("."));
}

static void
show_summary(struct request *rq, const struct item *backup, struct admin_view *view)
{
	struct admin_panel_view *panel = admin_panel(view, "summary", NULL);
	struct admin_row_view *rows = ARENA_ARRAY(rq->arena, 4, struct admin_row_view);

	rows[0] = (struct admin_row_view){.name = STR("Broadsheet"), .text = rq->site->facts.version};
	rows[1] = (struct admin_row_view){.name = STR("Store"), .text = setting(rq, STR("store"))};
	rows[2] = (struct admin_row_view){.name = STR("Mail"), .text = mail(rq)};
	rows[3] = (struct admin_row_view){.name = STR("Backups"), .text = backups(rq, backup)};
	panel->rows.items = rows;
	panel->rows.count = 4;
}

static void
show_settings(struct request *rq, struct admin_view *view)
{
	struct admin_panel_view *panel = admin_panel(view, "settings", "Settings of the program");
	const struct site_facts *facts = &rq->site->facts;
	struct admin_row_view *rows = ARENA_ARRAY(rq->arena, facts->count, struct admin_row_view);

	for (size_t i = 0; i < facts->count; i++)
		rows[i] = (struct admin_row_view){
		    .name = facts->settings[i].name, .text = facts->settings[i].value};
	panel->text = STR("As they were when this process started. They are changed in "
			  "broadsheet.conf, the environment or flags, not here.");
	panel->rows.items = rows;
	panel->rows.count = facts->count;
}

static enum http_status
show(struct request *rq, struct response *rs)
{
	struct admin_view *view = admin_page(rq, "/admin/system", STR("System"));
	struct read backup = backup_read();
	enum http_status status = page_read(rq, &backup, 1);

	if (status != HTTP_OK)
		return status;
	view->intro = STR("How the program runs, for those who look after it.");
	show_summary(rq, backup.item, view);
	show_settings(rq, view);
	return admin_respond(rq, rs, view);
}

PAGE(admin_system, .get = show)

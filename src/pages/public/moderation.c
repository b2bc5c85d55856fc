/*
 * GET /moderation: what was done by hand to what readers wrote and to who wrote it, month by month, the newest first. A
 * post that is not for the viewer is not named. Whose it was, and who did it, is said if admins have chosen so.
 */
#include "base/arena.h"
#include "base/clock.h"
#include "model/key_moderation.h"
#include "model/post/post.h"
#include "model/site/moderation_log.h"
#include "model/site/settings.h"
#include "pages/routes.h"
#include "pages/shared/card.h"
#include "pages/shared/layout.h"
#include "pages/shared/lists.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"

enum { SHOWN = 50, MONTH_LEN = 7 };

struct moderation_act_view {
	struct str date, date_text, text, why, post_url, post_title;
};

struct moderation_view {
	struct layout_view layout;
	struct breadcrumbs breadcrumbs;
	struct str month_text, earlier_url;
	LIST_OF(struct moderation_act_view) acts;
	const struct pagination_view *pagination;
};

VIEW_FIELDS(moderation_act_view, STRING(date), STRING(date_text), STRING(text), STRING(why),
    STRING(post_url), STRING(post_title))
VIEW_FIELDS(moderation_view, VIEW(layout, layout_view), LIST(breadcrumbs, link_view),
    STRING(month_text), STRING(earlier_url), LIST(acts, moderation_act_view),
    OPTION(pagination, pagination_view))
TEMPLATE(moderation_template, "moderation", moderation_view)

/* "2026-11": the month of the address, or this one. */
static bool
month_of(struct request *rq, struct date *out)
{
	struct str wanted = request_query(rq, "month");
	int64_t year, month;

	*out = time_date(rq->now);
	out->day = 1;
	if (wanted.len == 0)
		return true;
	if (wanted.len != MONTH_LEN || !str_int(str_sub(wanted, 0, 4), &year) ||
	    !str_int(str_sub(wanted, 5, 2), &month) || wanted.base[4] != '-' || month < 1 ||
	    month > 12 || year < 2000)
		return false;
	out->year = (int)year;
	out->month = (int)month;
	return true;
}

static struct str
month_name(struct request *rq, int year, int month)
{
	return str_sub(time_format(rq->arena, time_of_day(year, month, 1)), 0, MONTH_LEN);
}

/* How a thing is called, alone and with the name of whose it is around it. */
static const struct {
	const char *alone, *before, *after, *verb;
} things[] = {
    [MODERATED_COMMENT] = {"A comment", "A comment by ", "", " was "},
    [MODERATED_THREAD] = {"A thread", "The thread of ", "", " was "},
    [MODERATED_COMMENTS] = {"The comments", "The comments of ", "", " were "},
    [MODERATED_PERSON] = {"Somebody", "", "", " was "},
    [MODERATED_ACCOUNT] = {"What somebody had left", "What ", " had left", " was "},
    [MODERATED_ADDRESSES] = {"A range of addresses", "A range of addresses of ", "", " was "},
    [MODERATED_POST] = {"A post", "A post by ", "", " was "},
    [MODERATED_NOTE] = {"The note of a review", "The note of a review by ", "", " was "},
    [MODERATED_PROFILE] = {"A profile", "The profile of ", "", " was "},
    [MODERATED_COLLECTION] = {"A collection", "A collection of ", "", " was "},
    [MODERATED_SITE_COMMENTS] = {"Comments", "Comments of ", "", " were "},
    [MODERATED_SITE_VOTES] = {"Votes and likes", "Votes and likes of ", "", " were "},
    [MODERATED_SITE_RATINGS] = {"Ratings", "Ratings of ", "", " were "},
    [MODERATED_SITE_FOLLOWS] = {"Follows", "Follows of ", "", " were "},
};

/* "A comment by noor was hidden by tobias" */
static struct str
words_of(struct request *rq, const struct moderation_act *act)
{
	const struct moderation *m = &rq->settings->moderation;
	bool named = m->name_people && act->person.len != 0;
	struct str by = STR("");

	if (act->by_author)
		by = STR(" by the author of the post");
	else if (m->name_staff)
		by = STR_CONCAT(rq->arena, STR(" by "), act->actor);
	return STR_CONCAT(rq->arena,
	    str_of(named ? things[act->thing].before : things[act->thing].alone),
	    named ? act->person : STR(""), named ? str_of(things[act->thing].after) : STR(""),
	    str_of(things[act->thing].verb), act->what,
	    act->thing >= MODERATED_SITE_COMMENTS ? STR(" for the whole site") : STR(""),
	    act->until != 0 ? STR(" until ") : STR(""),
	    act->until != 0 ? words_date_near(rq, act->until) : STR(""), by);
}

static void
fill_acts(struct request *rq, const struct read *list, const struct read *heads,
    struct moderation_view *view)
{
	struct moderation_act_view *acts =
	    ARENA_ARRAY(rq->arena, list->found_count, struct moderation_act_view);

	for (size_t i = 0; i < list->found_count; i++) {
		struct moderation_act act;
		struct post post;

		moderation_act_from_item(rq->arena, &list->found[i], &act);
		acts[i] = (struct moderation_act_view){
		    .date = time_format(rq->arena, act.created),
		    .date_text = words_date_near(rq, act.created),
		    .text = words_of(rq, &act),
		    .why = act.why};
		for (size_t h = 0; h < heads->batch.count; h++) {
			if (heads->items[h] == NULL)
				continue;
			post_from_item(rq->arena, heads->items[h], &post);
			if (!str_eq(post.id, act.post) ||
			    !post_visible_to(&post, rq->viewer, rq->now))
				continue;
			acts[i].post_url = post_path(rq->arena, &post);
			acts[i].post_title = words_title(&post);
		}
	}
	view->acts.items = acts;
	view->acts.count = list->found_count;
}

/* The heads of the posts, each once. */
static enum http_status
read_heads(struct request *rq, const struct read *list, struct read *heads)
{
	struct key *keys = ARENA_ARRAY(rq->arena, list->found_count, struct key);
	size_t count = 0;

	for (size_t i = 0; i < list->found_count; i++) {
		struct str post = item_string(&list->found[i], STR("Post"));
		struct key key = key_post(rq->arena, post);
		size_t k = 0;

		if (post.len == 0)
			continue;
		while (k < count && !str_eq(keys[k].pk, key.pk))
			k++;
		if (k == count)
			keys[count++] = key;
	}
	*heads = (struct read){.kind = READ_BATCH, .batch = {keys, count}};
	return count != 0 ? page_read(rq, heads, 1) : HTTP_OK;
}

static enum http_status
show(struct request *rq, struct response *rs)
{
	struct moderation_view *view = ARENA_NEW(rq->arena, struct moderation_view);
	struct page_frame frame = {.title = STR("What the editors decided"), .noindex = true};
	struct read list = {.kind = READ_QUERY}, heads;
	enum http_status status;
	struct date month;
	struct str cursor;
	bool newer;

	if (!month_of(rq, &month) || !list_cursor(rq, &cursor, &newer) || newer)
		return HTTP_BAD_REQUEST;
	frame.path = STR("/moderation");
	list.query = query_moderation(rq->arena, month_name(rq, month.year, month.month));
	list.query.cursor = cursor;
	list.query.limit = SHOWN;
	status = page_read(rq, &list, 1);
	if (status == HTTP_OK)
		status = read_heads(rq, &list, &heads);
	if (status != HTTP_OK)
		return status;
	fill_acts(rq, &list, &heads, view);
	view->breadcrumbs = trail_home(rq);
	view->month_text = words_month(rq->arena, month.year, month.month);
	view->earlier_url = STR_CONCAT(rq->arena, STR("/moderation?month="),
	    month.month > 1 ? month_name(rq, month.year, month.month - 1)
			    : month_name(rq, month.year - 1, 12));
	view->pagination = pagination_onward(rq, list.next);
	list_fresh(rq, rs);
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(moderation_template, view));
}

PAGE(moderation, .get = show, .query = QUERY("after", "month"))

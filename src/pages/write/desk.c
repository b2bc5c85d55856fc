/*
 * GET /desk and /desk/<section>: one's own posts by state, drafts first. All sections are counted
 * in the round trip that reads the one shown.
 */
#include "base/arena.h"
#include "base/clock.h"
#include "model/key_post.h"
#include "model/people/person_counts.h"
#include "pages/routes.h"
#include "pages/shared/card.h"
#include "pages/shared/done.h"
#include "pages/shared/filter.h"
#include "pages/shared/lists.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"
#include "pages/write/view.h"
#include "text/template.h"
#include "text/url.h"
#include "web/session/csrf.h"

#include <inttypes.h>
#include <stdlib.h>

enum { SHOWN = 20, COUNTED = 100, CHANGES_READ = 500 };

struct desk_tab_view {
	struct str url, name, count_text;
	bool current;
};

struct desk_post_view {
	struct str url, title, kind_label, date, date_text, note_text, view_url, figures_url, undelete_url;
	struct str changes_url, changes_text; /* what was typed in its form and not saved; or empty */
	struct str by_text, leave_url;      /* of a post of which they are a coauthor */
	struct str accept_url, decline_url; /* of a post of which they are asked to be a coauthor */
};

struct desk_view {
	struct layout_view layout;
	struct str title, notice, empty_text, token;
	struct str filter_url, filter; /* the box that looks in this section */
	bool writes; /* may they write? */
	LIST_OF(struct desk_tab_view) tabs;
	LIST_OF(struct unsaved_form_view) unsaved; /* beside the drafts */
	bool unsaved_more;
	LIST_OF(struct desk_post_view) posts;
	const struct pagination_view *pagination;
};

VIEW_FIELDS(desk_tab_view, STRING(url), STRING(name), STRING(count_text), FLAG(current))
VIEW_FIELDS(desk_post_view, STRING(url), STRING(title), STRING(kind_label), STRING(date),
    STRING(date_text), STRING(note_text), STRING(view_url), STRING(figures_url), STRING(undelete_url),
    STRING(changes_url), STRING(changes_text), STRING(by_text),
    STRING(leave_url), STRING(accept_url), STRING(decline_url))
VIEW_FIELDS(desk_view, VIEW(layout, layout_view), STRING(title), STRING(notice), STRING(empty_text),
    STRING(token), STRING(filter_url), STRING(filter), FLAG(writes), LIST(tabs, desk_tab_view), LIST(unsaved, unsaved_form_view),
    FLAG(unsaved_more), LIST(posts, desk_post_view), OPTION(pagination, pagination_view))
TEMPLATE(desk_template, "desk", desk_view)

static const struct section {
	enum desk desk;
	struct str name; /* in the address */
	const char *title, *empty;
	bool oldest_first; /* the next one to be published first */
} sections[] = {
    {DESK_DRAFTS, STR_INIT("drafts"), "Drafts", "No drafts. A blank page is waiting.", false},
    {DESK_ASKED, STR_INIT("requests"), "Requests", "Nobody asks you to be named as an author.",
	false},
    {DESK_SCHEDULED, STR_INIT("scheduled"), "Scheduled", "Nothing is scheduled.", true},
    {DESK_PUBLISHED, STR_INIT("published"), "Published", "Nothing is published yet.", false},
    {DESK_CLOSED, STR_INIT("closed"), "For some", "Nothing that only some may read.", false},
    {DESK_CLOSED_SCHEDULED, STR_INIT("closed-scheduled"), "For some, scheduled",
	"Nothing is scheduled for some.", true},
    {DESK_PAGES, STR_INIT("pages"), "Pages", "No pages of yours.", false},
    {DESK_UNPUBLISHED, STR_INIT("unpublished"), "Unpublished", "Nothing was taken back.", false},
    {DESK_DELETED, STR_INIT("deleted"), "Deleted", "Nothing was deleted in the last 30 days.",
	false},
};
enum { SECTIONS = sizeof(sections) / sizeof(sections[0]), ASKED = 1 };
_Static_assert(SECTIONS == 9, "the second of them is what one is asked");

/* The section of the address, or NULL. */
static const struct section *
section_of(struct request *rq)
{
	struct str name = request_param(rq, "section");

	if (name.len == 0)
		return &sections[0];
	for (size_t i = 1; i < SECTIONS; i++)
		if (str_eq(name, sections[i].name))
			return &sections[i];
	return NULL;
}

static struct read
read_section(struct request *rq, const struct section *section, uint32_t limit)
{
	struct read read = {.kind = READ_QUERY,
	    .query = query_desk(rq->arena, rq->viewer->user.username, section->desk, rq->now)};

	read.query.limit = limit;
	read.query.descending = !section->oldest_first;
	return read;
}

static struct str
count_text(struct request *rq, const struct section *section, const struct read *counted,
    int64_t in_lists)
{
	int64_t count = (int64_t)counted[section - sections].found_count;

	/* Public posts are counted in the table, and scheduled ones are few. */
	if (section->desk == DESK_PUBLISHED && counted[section - sections].next.len != 0)
		count = in_lists - (int64_t)counted[DESK_SCHEDULED].found_count;
	else if (counted[section - sections].next.len != 0)
		return str_fmt(rq->arena, "%d+", COUNTED);
	return words_number(rq->arena, count);
}

static struct str
section_url(struct request *rq, const struct section *section)
{
	return section == sections ? STR("/desk")
				   : url_join(rq->arena, STR("/desk/"), section->name);
}

/* Tabs for sections that have posts, and for those that are always shown. */
static void
fill_tabs(struct request *rq, const struct section *shown, const struct read *counted,
    int64_t in_lists, struct desk_view *view)
{
	struct desk_tab_view *tabs = ARENA_ARRAY(rq->arena, SECTIONS, struct desk_tab_view);
	size_t count = 0;

	for (size_t i = 0; i < SECTIONS; i++) {
		bool usual = sections[i].desk == DESK_DRAFTS || sections[i].desk == DESK_PUBLISHED;

		if (!usual && &sections[i] != shown && counted[i].found_count == 0)
			continue;
		tabs[count++] = (struct desk_tab_view){
		    .url = section_url(rq, &sections[i]),
		    .name = str_of(sections[i].title),
		    .count_text = count_text(rq, &sections[i], counted, in_lists),
		    .current = &sections[i] == shown,
		};
	}
	view->tabs.items = tabs;
	view->tabs.count = count;
}

static void
fill_time(struct request *rq, const struct post *post, struct desk_post_view *out)
{
	int64_t time;

	out->date_text = words_when(rq, post, &time);
	out->date = time_format(rq->arena, time);
	if (post->status == STATUS_DRAFT && post->planned != 0)
		out->note_text =
		    STR_CONCAT(rq->arena, STR("Planned for "), words_moment(rq, post->planned));
	if (post->status == STATUS_DELETED)
		out->note_text = STR_CONCAT(rq->arena, STR("Gone for good on "),
		    words_date(rq, post->deleted + DELETED_KEPT_MS));
}

/* People who are asked to be coauthors accept or decline here; coauthors can leave. */
static void
fill_authors(struct request *rq, const struct post *post, struct desk_post_view *out)
{
	struct str edit = url_join(rq->arena, STR("/edit/"), post->id);
	struct thing thing = thing_post(post, rq->now);
	bool asked = may(rq->viewer, MAY_ACCEPT, thing);

	if (str_eq(post->author, rq->viewer->user.username))
		return;
	out->by_text = STR_CONCAT(rq->arena, STR("By "), post->author_name,
	    asked ? STR("; you are asked to be named as an author beside them")
		  : STR("; you are named as an author beside them"));
	if (asked)
		out->accept_url = STR_CONCAT(rq->arena, edit, STR("/accept"));
	if (may(rq->viewer, MAY_STEP_BACK, thing))
		*(asked ? &out->decline_url : &out->leave_url) =
		    STR_CONCAT(rq->arena, edit, STR("/leave"));
}

static void
fill_post(struct request *rq, const struct post *post, struct desk_post_view *out)
{
	out->title = words_title(post);
	out->kind_label = words_kind(post->kind);
	fill_time(rq, post, out);
	fill_authors(rq, post, out);
	if (post->status == STATUS_DELETED) {
		out->undelete_url = STR_CONCAT(
		    rq->arena, url_join(rq->arena, STR("/edit/"), post->id), STR("/undelete"));
		return;
	}
	out->url = may(rq->viewer, MAY_EDIT, thing_post(post, rq->now))
		       ? url_join(rq->arena, STR("/edit/"), post->id)
		       : post_path(rq->arena, post);
	out->view_url = post_path(rq->arena, post);
	if (post->status == STATUS_PUBLISHED && post->published <= rq->now &&
	    may(rq->viewer, MAY_EDIT, thing_post(post, rq->now)))
		out->figures_url = url_join(rq->arena, STR("/figures/"), post->id);
}

/* --- What was typed in the forms of stored posts and not saved -------------------------------- */

struct unsaved_change {
	struct unsaved is;
	bool listed; /* with its post */
};

struct unsaved_changes {
	struct unsaved_change *all;
	size_t count;
	bool more; /* than are read at once */
};

static struct read
read_changes(struct request *rq)
{
	struct read read = {.kind = READ_QUERY,
	    .query = query_unsaved(rq->arena, rq->viewer->user.username)};

	read.query.limit = CHANGES_READ;
	return read;
}

static int
newest_first(const void *a, const void *b)
{
	int64_t x = ((const struct unsaved_change *)a)->is.saved, y = ((const struct unsaved_change *)b)->is.saved;

	return x < y ? 1 : x > y ? -1 : 0;
}

static struct unsaved_changes
changes_of(struct request *rq, const struct read *answer)
{
	struct unsaved_changes changes = {ARENA_ARRAY(rq->arena, answer->found_count, struct unsaved_change),
	    answer->found_count, answer->next.len != 0};

	for (size_t i = 0; i < changes.count; i++)
		unsaved_from_item(rq->arena, &answer->found[i], &changes.all[i].is);
	if (changes.count != 0)
		qsort(changes.all, changes.count, sizeof(changes.all[0]), newest_first);
	return changes;
}

static void
fill_changes(
    struct request *rq, const struct post *post, struct unsaved_changes *changes, struct desk_post_view *out)
{
	for (size_t i = 0; i < changes->count && out->url.len != 0; i++) {
		struct unsaved_change *change = &changes->all[i];

		if (!str_eq(change->is.post, post->id))
			continue;
		change->listed = true;
		out->changes_url = unsaved_stored(rq, &change->is).url;
		out->changes_text = STR_CONCAT(rq->arena, STR("Changes of "),
		    words_moment(rq, change->is.saved), STR(" are not saved"));
	}
}

/*
 * Beside the drafts: forms for new posts that were never saved, and changes of posts that are not in this list: published
 * ones, those of others, deleted ones.
 */
static void
fill_unsaved(
    struct request *rq, const struct read *answer, const struct unsaved_changes *changes, struct desk_view *view)
{
	struct unsaved_forms unsaved;
	struct unsaved_form_view *all;
	size_t count, shown = 0;

	unsaved_fill(rq, answer, STR(""), &unsaved);
	count = unsaved.list.count;
	all = ARENA_ARRAY(rq->arena, count + SHOWN, struct unsaved_form_view);
	for (size_t i = 0; i < count; i++)
		all[i] = unsaved.list.items[i];
	view->unsaved_more = unsaved.more || changes->more;
	for (size_t i = 0; i < changes->count; i++) {
		if (changes->all[i].listed)
			continue;
		view->unsaved_more = view->unsaved_more || shown == SHOWN;
		if (shown < SHOWN)
			all[count + shown++] = unsaved_stored(rq, &changes->all[i].is);
	}
	view->unsaved.items = all;
	view->unsaved.count = count + shown;
}

/* --- The posts -------------------------------------------------------------------------------- */

/* Those of the section that pass. */
static void
fill_posts(struct request *rq, const struct read *shown, const struct filter *filter,
    struct unsaved_changes *changes, struct desk_view *view)
{
	struct desk_post_view *posts =
	    ARENA_ARRAY(rq->arena, shown->found_count, struct desk_post_view);
	size_t count = 0;

	for (size_t i = 0; i < shown->found_count; i++) {
		struct post post;

		post_from_item(rq->arena, &shown->found[i], &post);
		if (!filter_passes(rq, filter, &post))
			continue;
		fill_post(rq, &post, &posts[count]);
		fill_changes(rq, &post, changes, &posts[count++]);
	}
	view->posts.items = posts;
	view->posts.count = count;
}

static void
fill_filter(struct request *rq, const struct section *section, const struct filter *filter,
    const struct read *shown, struct desk_view *view)
{
	view->filter = filter->typed;
	if (shown->found_count != 0 || filter->count != 0)
		view->filter_url = section_url(rq, section);
	if (filter->count == 0)
		view->empty_text = str_of(section->empty);
	else if (shown->next.len != 0)
		view->empty_text = STR("Not among these: there are more, further down.");
	else
		view->empty_text = STR("Nothing here has all of these words in its title, excerpt or tags.");
}

/* What is read: a few of each section, and more of the one that is shown; changes that are not saved are listed with drafts. */
enum { SHOWN_ONES = SECTIONS, COUNTS, CHANGES, UNSAVED, READS };

static enum http_status
read_desk(struct request *rq, const struct section *section, const struct filter *filter, struct read reads[READS])
{
	struct read *shown = &reads[SHOWN_ONES];
	bool newer;

	for (size_t i = 0; i < SECTIONS; i++)
		reads[i] = read_section(rq, &sections[i], COUNTED);
	*shown = read_section(rq, section, filter->count != 0 ? (uint32_t)FILTER_READ : (uint32_t)SHOWN);
	if (!list_cursor(rq, &shown->query.cursor, &newer) || newer)
		return HTTP_BAD_REQUEST;
	reads[COUNTS] = person_counts_read(rq->arena, rq->viewer->user.username);
	reads[CHANGES] = read_changes(rq);
	reads[UNSAVED] = unsaved_read(rq, NULL);
	return page_read(rq, reads, section->desk == DESK_DRAFTS ? READS : UNSAVED);
}

static enum http_status
show(struct request *rq, struct response *rs)
{
	const struct filter filter = filter_of(rq);
	const struct section *section = section_of(rq);
	struct desk_view *view = ARENA_NEW(rq->arena, struct desk_view);
	struct page_frame frame = {.title = STR("Your desk"), .noindex = true};
	struct read reads[READS], *shown = &reads[SHOWN_ONES];
	struct user user = rq->viewer->user;
	struct unsaved_changes changes;
	enum http_status status;

	if (section == NULL)
		return HTTP_NOT_FOUND;
	status = read_desk(rq, section, &filter, reads);
	if (status != HTTP_OK)
		return status;
	person_counts_add(reads[COUNTS].item, &user);
	changes = changes_of(rq, &reads[CHANGES]);
	fill_posts(rq, shown, &filter, &changes, view);
	fill_filter(rq, section, &filter, shown, view);
	/* On the first page alone: the others do not know which of them stand with drafts before. */
	if (section->desk == DESK_DRAFTS && filter.count == 0 && shown->query.cursor.len == 0)
		fill_unsaved(rq, &reads[UNSAVED], &changes, view);
	view->title = frame.title;
	view->token = csrf_token(rq, rs);
	view->writes = may(rq->viewer, MAY_WRITE, NO_THING);
	view->notice = str_of(done_says(rq));
	if (view->notice.len == 0 && section->desk != DESK_ASKED && reads[ASKED].found_count != 0)
		view->notice = STR("Somebody asks you to be named as an author: see “Requests”.");
	fill_tabs(rq, section, reads, user.posts, view);
	view->pagination = pagination_of(rq, STR(""), shown->next);
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(desk_template, view));
}

PAGE(desk, .get = show, .typed = true, .query = QUERY("after", "before", "done", "q"))

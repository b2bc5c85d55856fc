#include "pages/shared/layout.h"

#include "base/arena.h"
#include "base/zone.h"
#include "model/language.h"
#include "model/post/media.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"
#include "text/url.h"
#include "web/http/asset.h"

VIEW_FIELDS(link_view, STRING(url), STRING(name))
VIEW_FIELDS(feed_view, STRING(url), STRING(title))
VIEW_FIELDS(nav_link_view, STRING(url), STRING(name), FLAG(current), STRING(section))
VIEW_FIELDS(nameplate_view, STRING(src), NUMBER(width), NUMBER(height))
VIEW_FIELDS(article_view, STRING(published), STRING(modified), STRING(section), STRINGS(authors),
    STRINGS(tags))
VIEW_FIELDS(layout_view, STRING(lang), STRING(dir), STRING(page_title), STRING(page_description),
    STRING(canonical_url), FLAG(noindex), STRING(og_title), STRING(og_type), STRING(og_locale),
    STRING(og_image_url), STRING(og_image_alt), STRING(twitter_card), NUMBER(og_image_width),
    NUMBER(og_image_height), OPTION(article, article_view), LIST(feeds, feed_view), HTML(json_ld),
    STRING(section), OPTION(nameplate, nameplate_view), STRING(colours_url),
    STRING(style_url), STRING(script_url), STRING(comments_script_url), STRING(unread_script_url), STRING(search_script_url),
    STRING(icon_url), STRING(site_name), STRING(tagline),
    STRING(today), STRING(today_text), LIST(nav, nav_link_view), LIST(account, link_view),
    LIST(pages, link_view), STRING(search_url), FLAG(by_mail), HTML(footer_html))

/* Shown when no publication could be read yet. */
static const struct publication nameless = {
    .settings = {.name = STR_INIT("Broadsheet"), .language = STR_INIT("en")}};

void
breadcrumb(struct request *rq, struct breadcrumbs *trail, struct str url, struct str name)
{
	struct link_view *items = ARENA_ARRAY(rq->arena, trail->count + 1, struct link_view);

	for (size_t i = 0; i < trail->count; i++)
		items[i] = trail->items[i];
	items[trail->count++] = (struct link_view){url, name};
	trail->items = items;
}

void
breadcrumb_category(struct request *rq, struct breadcrumbs *trail, const struct category *category)
{
	const struct category *line[8];
	size_t count = 0;

	for (; category != NULL && count < sizeof(line) / sizeof(line[0]);
	     category = category->parent)
		line[count++] = category;
	while (count-- > 0)
		breadcrumb(rq, trail, url_join(rq->arena, STR("/category/"), line[count]->slug),
		    line[count]->name);
}

struct breadcrumbs
trail_home(struct request *rq)
{
	struct breadcrumbs trail = {.count = 0};

	breadcrumb(rq, &trail, STR("/"), rq->settings->name);
	return trail;
}

struct str
absolute(const struct request *rq, struct str address)
{
	return str_starts(address, STR("/")) ? STR_CONCAT(rq->arena, rq->site->origin, address)
					     : address;
}

struct str
section_coloured(const struct category *category)
{
	const struct category *top = category_top(category);

	return top != NULL && top->colour.len != 0 ? top->slug : STR("");
}

/* It has its own size, in its address. */
static const struct nameplate_view *
nameplate_of(struct request *rq, struct str picture)
{
	struct media_address address;
	struct nameplate_view *view;

	if (!media_address_read(picture, STR(""), &address))
		return NULL;
	view = ARENA_NEW(rq->arena, struct nameplate_view);
	*view = (struct nameplate_view){picture, address.size.width, address.size.height};
	return view;
}

/* Is `top` the category of the section, or an ancestor of it? */
static bool
leads_to(const struct publication *p, const struct category *top, struct str section)
{
	const struct category *c = section.len != 0 ? category_find(&p->categories, section) : NULL;

	while (c != NULL && c != top)
		c = c->parent;
	return c != NULL;
}

static void
fill_nav(
    struct request *rq, const struct publication *p, struct str section, struct layout_view *out)
{
	struct nav_link_view *nav =
	    ARENA_ARRAY(rq->arena, p->categories.count, struct nav_link_view);
	size_t count = 0;

	for (size_t i = 0; i < p->categories.count; i++) {
		const struct category *c = &p->categories.categories[i];

		if (c->depth != 0)
			continue;
		nav[count++] = (struct nav_link_view){
		    .url = url_join(rq->arena, STR("/category/"), c->slug),
		    .name = c->name,
		    .section = section_coloured(c),
		    .current = leads_to(p, c, section),
		};
	}
	out->nav.items = nav;
	out->nav.count = count;
}

static void
fill_pages(struct request *rq, const struct publication *p, struct layout_view *out)
{
	struct link_view *pages = ARENA_ARRAY(rq->arena, p->page_count, struct link_view);

	for (size_t i = 0; i < p->page_count; i++)
		pages[i] = (struct link_view){
		    url_join(rq->arena, STR("/page/"), p->pages[i].slug), p->pages[i].title};
	out->pages.items = pages;
	out->pages.count = p->page_count;
}

static void
fill_feeds(struct request *rq, const struct publication *p, const struct page_frame *frame,
    struct layout_view *out)
{
	struct feed_view *feeds = ARENA_ARRAY(rq->arena, 2, struct feed_view);

	feeds[0] = (struct feed_view){STR("/feed.atom"), p->settings.name};
	feeds[1] = (struct feed_view){frame->feed_path,
	    STR_CONCAT(rq->arena, p->settings.name, STR(": "), frame->feed_title)};
	out->feeds.items = feeds;
	out->feeds.count = frame->feed_path.len != 0 ? 2 : 1;
}

/* "Notifications (3)": static/unread.js says the same a minute later. */
static struct str
notifications(struct request *rq)
{
	int64_t unread = rq->viewer->messages.unread;

	if (unread <= 0)
		return STR("Notifications");
	if (unread > NOTE_UNREAD_MAX)
		return str_fmt(rq->arena, "Notifications (%d+)", NOTE_UNREAD_MAX);
	return str_fmt(rq->arena, "Notifications (%lld)", (long long)unread);
}

/* "Admin (3)": so many wait to be let in. */
static struct str
admin(struct request *rq)
{
	struct str waiting = publication_waiting(rq);

	if (waiting.len == 0)
		return STR("Admin");
	return STR_CONCAT(rq->arena, STR("Admin ("), waiting, STR(")"));
}

/* The parts for the reader; cached pages of strangers are all alike. */
static void
fill_account(struct request *rq, struct layout_view *out)
{
	struct link_view *links = ARENA_ARRAY(rq->arena, 6, struct link_view);
	size_t count = 0;

	if (may(rq->viewer, MAY_TAKE_PART, NO_THING))
		links[count++] = (struct link_view){STR("/account/feed"), STR("Your feed")};
	if (may(rq->viewer, MAY_WRITE, NO_THING)) {
		links[count++] = (struct link_view){STR("/write"), STR("Write")};
		links[count++] = (struct link_view){STR("/desk"), STR("Desk")};
	}
	if (may(rq->viewer, MAY_OVERSEE, NO_THING))
		links[count++] = (struct link_view){STR("/admin"), admin(rq)};
	if (rq->viewer != NULL && rq->viewer->suspended)
		links[count++] =
		    (struct link_view){STR("/account/suspension"), STR("You are suspended")};
	if (rq->viewer != NULL)
		links[count++] = (struct link_view){STR("/account/notifications"), notifications(rq)};
	links[count++] = rq->viewer != NULL
			     ? (struct link_view){STR("/account"), rq->viewer->user.display_name}
			     : (struct link_view){STR("/login"), STR("Sign in")};
	out->account.items = links;
	out->account.count = count;
}

/* "pt-BR" in the form of Open Graph, "pt_BR"; empty for a tag without a region. */
static struct str
locale(struct arena *arena, struct str tag)
{
	struct str rest, language = str_cut(tag, '-', &rest);

	while (rest.len != 0) {
		struct str part = str_cut(rest, '-', &rest);

		if (part.len == 2)
			return STR_CONCAT(arena, language, STR("_"), part);
	}
	return STR("");
}

/* The page's picture, or the site's; the address of an uploaded one contains its size. */
static void
fill_picture(struct request *rq, const struct publication *p, const struct page_frame *frame,
    struct layout_view *out)
{
	struct str picture = frame->picture.len != 0 ? frame->picture : p->settings.picture;
	struct media_address address;

	out->twitter_card = picture.len != 0 ? STR("summary_large_image") : STR("summary");
	out->og_image_url = absolute(rq, picture);
	out->og_image_alt = frame->picture_alt;
	if (!media_address_read(picture, rq->site->origin, &address))
		return;
	out->og_image_width = address.size.width;
	out->og_image_height = address.size.height;
}

/* Later pages of a list are not for search engines: their content moves from page to page. */
static bool
is_later_page(const struct request *rq)
{
	static const char *const cursors[] = {"after", "before", "reviews"};

	for (size_t i = 0; i < sizeof(cursors) / sizeof(cursors[0]); i++)
		if (request_query(rq, cursors[i]).len != 0)
			return true;
	return false;
}

void
layout_fill(struct request *rq, const struct page_frame *frame, struct layout_view *out)
{
	const struct publication *p = publication_any(rq);
	struct str today = time_format(rq->arena, zone_local(rq->zone, rq->now));
	bool noindex = frame->noindex || is_later_page(rq);

	if (p == NULL)
		p = &nameless;
	*out = (struct layout_view){
	    .lang = p->settings.language,
	    .dir = language_direction(p->settings.language),
	    .page_title = frame->title.len != 0
			      ? STR_CONCAT(rq->arena, frame->title, STR(" · "), p->settings.name)
			      : p->settings.name,
	    .page_description =
		frame->description.len != 0 ? frame->description : p->settings.description,
	    .canonical_url = frame->path.len != 0 && !noindex ? absolute(rq, frame->path) : STR(""),
	    .noindex = noindex,
	    .og_title = frame->title.len != 0 ? frame->title : p->settings.name,
	    .og_type = str_of(frame->og_type != NULL ? frame->og_type : "website"),
	    .og_locale = locale(
		rq->arena, frame->language.len != 0 ? frame->language : p->settings.language),
	    .article = frame->article,
	    .json_ld = frame->json_ld,
	    .section = section_coloured(frame->section.len != 0
					    ? category_find(&p->categories, frame->section)
					    : NULL),
	    .nameplate = nameplate_of(rq, p->settings.nameplate),
	    .colours_url = p->colours_url,
	    .style_url = asset_url(rq->site->assets, STR("style.css")),
	    .script_url = asset_url(rq->site->assets, STR("broadsheet.js")),
	    .comments_script_url = may(rq->viewer, MAY_TAKE_PART, NO_THING)
				       ? asset_url(rq->site->assets, STR("comments.js"))
				       : STR(""),
	    .unread_script_url = rq->viewer != NULL ? asset_url(rq->site->assets, STR("unread.js")) : STR(""),
	    .icon_url = asset_url(rq->site->assets, STR("icon.svg")),
	    .site_name = p->settings.name,
	    .tagline = p->settings.tagline,
	    .today = str_sub(today, 0, 10),
	    .today_text = words_day(rq, rq->now),
	    .search_url = STR("/search"),
	    .search_script_url = asset_url(rq->site->assets, STR("search.js")),
	    .by_mail = rq->site->mailer != NULL,
	    .footer_html = p->footer,
	};
	fill_picture(rq, p, frame, out);
	fill_nav(rq, p, frame->section, out);
	fill_account(rq, out);
	fill_pages(rq, p, out);
	fill_feeds(rq, p, frame, out);
}

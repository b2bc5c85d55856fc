/*
 * What stands where on the front page, in tiers: the lead; a second one at half its size, and headlines beside it; cards;
 * beside them a narrow column, the rail; below, a strip for each section, and headlines.
 *
 * All posts of a page of the list are on it. Those that follow them, the stock, fill what these leave empty: rows of cards are
 * full, the rail is as long as the news beside it, sections have three headlines.
 */
#include "base/arena.h"
#include "base/zone.h"
#include "model/post/ranking.h"
#include "pages/public/front.h"
#include "pages/public/thread_view.h"
#include "pages/shared/publication.h"
#include "pages/shared/stored.h"
#include "pages/shared/words.h"
#include "text/markdown.h"
#include "text/text.h"
#include "text/url.h"

#include <assert.h>

enum {
	LEADING = 12, /* the lead is among so many of the newest */
	BESIDE = 3,   /* beside the second lead */
	ROW = 3,
	ROWS = 2,
	BRIEFS = 3,
	LINKS = 2,
	POPULAR = 3,
	MORE = 8,
	TOPIC = 3, /* headlines of a section */
	BOXES = 8,
	RAIL = BRIEFS + LINKS + POPULAR + FRONT_DISCUSSED + FRONT_OLD + MORE,
	WORDS_MAX = 100, /* characters of a comment */
	DAY_MS = 86400000,
	WEEK_MS = 7 * DAY_MS,
};

/* A comment: its first words, and the post that it is on. */
struct front_said_view {
	struct str url, text, author_url, author_name, post_url, post_title;
	bool author_verified;
};

struct front_box_view {
	struct str title, url, kind;
	LIST_OF(struct post_card_view) posts;
	LIST_OF(struct front_said_view) said;
};

/* A section's strip: the picture is of one of its posts. */
struct front_topic_view {
	struct str title, url, section, picture_url;
	const struct image_view *thumbnail;
	LIST_OF(struct post_card_view) posts;
};

struct front_section_view {
	struct str title, url;
	LIST_OF(struct post_card_view) posts;
};

VIEW_FIELDS(front_said_view, STRING(url), STRING(text), STRING(author_url), STRING(author_name),
    STRING(post_url), STRING(post_title), FLAG(author_verified))
VIEW_FIELDS(front_box_view, STRING(title), STRING(url), STRING(kind), LIST(posts, post_card_view),
    LIST(said, front_said_view))
VIEW_FIELDS(front_topic_view, STRING(title), STRING(url), STRING(section), STRING(picture_url),
    OPTION(thumbnail, image_view), LIST(posts, post_card_view))
VIEW_FIELDS(front_section_view, STRING(title), STRING(url), LIST(posts, post_card_view))
VIEW_FIELDS(front_view, VIEW(layout, layout_view), STRING(edition_text), STRING(edition_url),
    OPTION(lead, post_card_view),
    OPTION(second, post_card_view), LIST(beside, post_card_view), LIST(cards, post_card_view),
    LIST(rail, front_box_view), LIST(below, front_box_view), LIST(topics, front_topic_view),
    LIST(sections, front_section_view), STRING(empty_text), LIST(empty_ways, link_view),
    OPTION(pagination, pagination_view))

/* --- What there is to place ---------------------------------------------------------------------------- */

const struct post *
sheet_post(const struct front_sheet *sheet, size_t i)
{
	return i < sheet->fresh ? &sheet->newest.posts[i] : &sheet->stock.posts[i - sheet->fresh];
}

/* It is placed. */
static struct post
take(struct front_sheet *sheet, size_t i)
{
	assert(!sheet->placed[i]);
	sheet->placed[i] = true;
	return *sheet_post(sheet, i);
}

static bool
is_story(const struct post *post)
{
	return post->kind == KIND_ARTICLE || post->kind == KIND_HOWTO;
}

/* Of all that are new; any kind. */
static bool
is_any(const struct post *post)
{
	return post->kind != KIND_PAGE;
}

static bool
is_note(const struct post *post)
{
	return post->kind == KIND_NOTE;
}

static bool
is_link(const struct post *post)
{
	return post->kind == KIND_LINK;
}

/* Takes up to `limit` posts of the first `among` that are of that kind, newest first. */
static size_t
take_some(struct front_sheet *sheet, bool (*is)(const struct post *post), size_t among, size_t limit,
    struct post *out)
{
	size_t count = 0;

	for (size_t i = 0; i < among && count < limit; i++)
		if (!sheet->placed[i] && is(sheet_post(sheet, i)))
			out[count++] = take(sheet, i);
	return count;
}

/* How many of them there are. */
static size_t
left(const struct front_sheet *sheet, bool (*is)(const struct post *post))
{
	size_t count = 0;

	for (size_t i = 0; i < sheet->count; i++)
		count += !sheet->placed[i] && is(sheet_post(sheet, i));
	return count;
}

/* What a lead needs. One that lacks something leads only where none has more. */
static int
worth(const struct post *post)
{
	return (is_story(post) ? 8 : 0) + (is_link(post) ? 4 : 0) + (post->excerpt.len != 0) +
	       (post->category.len != 0) + post_has_picture(post);
}

/* The newest of the best of those that are new, or NULL. */
static struct post *
take_lead(struct request *rq, struct front_sheet *sheet, bool (*is)(const struct post *post))
{
	size_t best = sheet->fresh, among = sheet->fresh < LEADING ? sheet->fresh : LEADING;
	struct post *lead;

	for (size_t i = 0; i < among; i++)
		if (!sheet->placed[i] && is(sheet_post(sheet, i)) &&
		    (best == sheet->fresh ||
			worth(sheet_post(sheet, i)) > worth(sheet_post(sheet, best))))
			best = i;
	if (best == sheet->fresh)
		return NULL;
	lead = ARENA_NEW(rq->arena, struct post);
	*lead = take(sheet, best);
	return lead;
}

/* --- How much room it takes ----------------------------------------------------------------------------- */

/* Pixels, on a screen that shows the rail beside the news; roughly, as fonts differ: the style evens it out. */
static size_t
lines_of(struct str text, size_t characters, size_t height)
{
	return (text.len + characters - 1) / characters * height;
}

static size_t
brief_height(const struct post *post)
{
	return 54 + lines_of(post->title, 30, 24) + lines_of(post->excerpt, 38, 24);
}

static size_t
lead_height(const struct post *post)
{
	size_t text = 54 + lines_of(post->excerpt, post_has_picture(post) ? 34 : 84, 31);

	return 60 + lines_of(post->title, 28, 67) + (post_has_picture(post) && text < 350 ? 350 : text);
}

static size_t
card_height(const struct post *post)
{
	size_t picture = post_has_picture(post) ? 185 : 0;

	return 130 + picture + lines_of(post->title, 22, 27) + lines_of(post->excerpt, 30, 27);
}

/* --- The news -------------------------------------------------------------------------------------------- */

/* What is placed beside the rail, and how high that is. */
struct news {
	const struct post *lead, *second;
	struct post beside[BESIDE], cards[ROW * ROWS];
	size_t beside_count, card_count, height;
	size_t pinned; /* so many of those that are pinned have their place */
};

static size_t
pins_left(const struct front_sheet *sheet, const struct news *news)
{
	return sheet->pinned_count - news->pinned;
}

/* Those that are pinned, then the newest. */
static size_t
take_stories(struct front_sheet *sheet, struct news *news, size_t limit, struct post *out)
{
	size_t count = 0;

	while (count < limit && pins_left(sheet, news) != 0)
		out[count++] = sheet->pinned[news->pinned++];
	return count + take_some(sheet, is_story, sheet->count, limit - count, out + count);
}

/* In full rows: what is left over stands with its section, or below. */
static void
place_cards(struct front_sheet *sheet, struct news *news)
{
	size_t stories = pins_left(sheet, news) + left(sheet, is_story), height = 0;
	size_t limit = news->second == NULL ? stories : stories - stories % ROW;

	news->card_count =
	    take_stories(sheet, news, limit < ROW * ROWS ? limit : ROW * ROWS, news->cards);
	for (size_t i = 0; i < news->card_count; i++) {
		size_t high = card_height(&news->cards[i]);

		height = i % ROW == 0 || high > height ? high : height;
		if (i % ROW == ROW - 1 || i + 1 == news->card_count)
			news->height += height;
	}
}

/* The second lead is the first that is pinned, or again the best of the newest. */
static const struct post *
take_second(struct request *rq, struct front_sheet *sheet, struct news *news)
{
	if (pins_left(sheet, news) + left(sheet, is_story) <= BESIDE)
		return NULL;
	return pins_left(sheet, news) != 0 ? &sheet->pinned[news->pinned++]
					   : take_lead(rq, sheet, is_story);
}

static void
place_news(struct request *rq, struct front_sheet *sheet, struct news *news)
{
	*news = (struct news){.lead = sheet->lead};
	if (news->lead == NULL)
		news->lead = take_lead(rq, sheet, is_any);
	/* All that there is may be pinned. */
	if (news->lead == NULL && pins_left(sheet, news) != 0)
		news->lead = &sheet->pinned[news->pinned++];
	if (news->lead == NULL)
		return;
	news->height = lead_height(news->lead);
	/* Few posts make a row instead. */
	news->second = take_second(rq, sheet, news);
	if (news->second != NULL) {
		enum { SECOND = 520 };
		size_t height = 0;

		news->beside_count = take_stories(sheet, news, BESIDE, news->beside);
		for (size_t i = 0; i < news->beside_count; i++)
			height += brief_height(&news->beside[i]);
		news->height += height > SECOND ? height : SECOND;
	}
	place_cards(sheet, news);
}

static void
fill_news(struct request *rq, const struct news *news, struct front_view *view)
{
	view->lead = news->lead != NULL ? cards_of(rq, news->lead, 1) : NULL;
	view->second = news->second != NULL ? cards_of(rq, news->second, 1) : NULL;
	view->beside.items = cards_of(rq, news->beside, news->beside_count);
	view->beside.count = news->beside_count;
	view->cards.items = cards_of(rq, news->cards, news->card_count);
	view->cards.count = news->card_count;
}

/* --- The rail -------------------------------------------------------------------------------------------- */

struct rail {
	struct request *rq;
	struct front_box_view boxes[BOXES];
	struct post_card_view cards[RAIL];
	struct front_said_view said[FRONT_SAID];
	struct post_card_view collection;
	/* of the comments and of the collection, with their headings; 0: there are none */
	size_t said_count, said_high, collection_high;
	size_t kept; /* of the room, for these two */
	size_t count, filled, high, room;
};

enum { HEADING = 65 };

/* Is there room for so much? If so, it is taken. */
static bool
rail_has_room(struct rail *rail, size_t high)
{
	if (rail->high + high > rail->room - rail->kept)
		return false;
	rail->high += high;
	return true;
}

/* Adds a post to the box, if there is room for it. */
static bool
rail_add(struct rail *rail, struct front_box_view *box, const struct post *post)
{
	size_t high = brief_height(post) + (box->posts.count == 0 ? HEADING : 0);

	if (rail->filled == RAIL || !rail_has_room(rail, high))
		return false;
	if (box->posts.count++ == 0)
		box->posts.items = &rail->cards[rail->filled];
	card_fill(rail->rq, post, &rail->cards[rail->filled++]);
	return true;
}

static void
rail_end(struct rail *rail, const struct front_box_view *box)
{
	assert(rail->count < BOXES);
	if (box->posts.count + box->said.count != 0)
		rail->boxes[rail->count++] = *box;
}

static void
rail_add_posts(
    struct rail *rail, struct front_box_view box, const struct post *posts, size_t count)
{
	for (size_t i = 0; i < count && rail_add(rail, &box, &posts[i]); i++)
		;
	rail_end(rail, &box);
}

/* The next post of the sheet for a box, or sheet->count. */
static size_t
next_of(const struct front_sheet *sheet, bool (*is)(const struct post *post))
{
	size_t i = 0;

	while (i < sheet->count && (sheet->placed[i] || !is(sheet_post(sheet, i))))
		i++;
	return i;
}

static size_t
next_note(struct arena *arena, const struct front_sheet *sheet)
{
	(void)arena;
	return next_of(sheet, is_note);
}

static size_t
next_link(struct arena *arena, const struct front_sheet *sheet)
{
	(void)arena;
	return next_of(sheet, is_link);
}

static size_t
next_any(struct arena *arena, const struct front_sheet *sheet)
{
	(void)arena;
	return next_of(sheet, is_any);
}

static size_t
next_popular(struct arena *arena, const struct front_sheet *sheet)
{
	size_t best = sheet->count;
	struct str most = STR("");

	for (size_t i = 0; i < sheet->count; i++) {
		const struct post *post = sheet_post(sheet, i);
		struct str score;

		if (sheet->placed[i] || !is_story(post) || ranking_engagement(post) < 1)
			continue;
		score = ranking_hot(arena, post->published, ranking_engagement(post));
		if (best == sheet->count || str_cmp(score, most) > 0) {
			best = i;
			most = score;
		}
	}
	return best;
}

static void
rail_add_of(struct rail *rail, struct front_sheet *sheet, struct front_box_view box,
    size_t (*next)(struct arena *arena, const struct front_sheet *sheet), size_t limit)
{
	while (box.posts.count < limit) {
		size_t i = next(rail->rq->arena, sheet);

		if (i == sheet->count || !rail_add(rail, &box, sheet_post(sheet, i)))
			break;
		(void)take(sheet, i);
	}
	rail_end(rail, &box);
}

static void
fill_said(struct request *rq, const struct front_said *said, struct front_said_view *out)
{
	const struct comment *c = &said->comment;

	*out = (struct front_said_view){
	    .url = comment_permalink(rq, said->post, c->path),
	    .text = text_excerpt(
		rq->arena, markdown_plain(rq->arena, stored_comment_html(rq, c)), WORDS_MAX),
	    .author_url = author_path(rq->arena, c->author),
	    .author_name = c->author_name,
	    .author_verified = is_verified(rq, c->author),
	    .post_url = post_path(rq->arena, said->post),
	    .post_title = words_title(said->post)};
}

static void
fill_collection(struct request *rq, const struct collection *c, struct post_card_view *out)
{
	*out = (struct post_card_view){.title = c->name,
	    .url = url_join(rq->arena, STR("/collection/"), c->id),
	    .excerpt = text_excerpt(rq->arena,
		markdown_plain(rq->arena,
		    stored_html(rq, MARKDOWN_READER, c->description, c->html, c->renderer)),
		WORDS_MAX),
	    .author_url = author_path(rq->arena, c->owner),
	    .author_name = c->owner_name,
	    .author_verified = is_verified(rq, c->owner),
	    .date = time_format(rq->arena, c->updated),
	    .date_text = words_date_near(rq, c->updated)};
}

/* What readers have said and collected has its room, unless that would be more than half of all. */
static void
keep_room(struct rail *rail, const struct front_others *others)
{
	for (size_t i = 0; i < others->said_count; i++) {
		struct front_said_view *said = &rail->said[rail->said_count];

		fill_said(rail->rq, &others->said[i], said);
		if (said->text.len == 0)
			continue;
		rail->said_high += 54 + lines_of(said->text, 38, 24) +
				   lines_of(said->post_title, 38, 24) +
				   (rail->said_count == 0 ? HEADING : 0);
		rail->said_count++;
	}
	if (others->collection != NULL) {
		fill_collection(rail->rq, others->collection, &rail->collection);
		rail->collection_high = HEADING + 54 + lines_of(rail->collection.title, 30, 24) +
					lines_of(rail->collection.excerpt, 38, 24);
	}
	rail->kept = rail->said_high + rail->collection_high;
	if (rail->kept * 2 > rail->room)
		rail->kept = 0;
}

/* Both where there is room for them, which may have been kept. */
static void
rail_add_readers(struct rail *rail)
{
	rail->kept = 0;
	if (rail->said_count != 0 && rail_has_room(rail, rail->said_high))
		rail_end(rail, &(struct front_box_view){.title = STR("Newest comments"),
				   .url = STR("/comments"),
				   .kind = STR("newest"),
				   .said = {rail->said, rail->said_count}});
	if (rail->collection_high != 0 && rail_has_room(rail, rail->collection_high))
		rail_end(rail, &(struct front_box_view){.title = STR("A collection"),
				   .url = STR("/collections"),
				   .kind = STR("collected"),
				   .posts = {&rail->collection, 1}});
}

static void
begin_rail(struct rail *rail, struct front_sheet *sheet)
{
	const struct front_others *others = &sheet->others;

	keep_room(rail, others);
	rail_add_of(rail, sheet, (struct front_box_view){.title = STR("Briefs"), .kind = STR("briefs")},
	    next_note, BRIEFS);
	rail_add_of(rail, sheet,
	    (struct front_box_view){STR("Elsewhere"), STR("/links"), STR("links"), {NULL, 0}, {NULL, 0}}, next_link,
	    LINKS);
	rail_add_posts(rail,
	    (struct front_box_view){
		STR("Most discussed"), STR("/discussed/year"), STR("discussed"), {NULL, 0}, {NULL, 0}},
	    others->discussed, others->discussed_count);
	rail_add_posts(rail,
	    (struct front_box_view){STR("From the archive"), STR("/archive"), STR("old"), {NULL, 0}, {NULL, 0}},
	    others->old, others->old_count);
	rail_add_readers(rail);
}

/* Beside the news if it is as long, or nearly; else below them. */
static void
end_rail(struct rail *rail, struct front_sheet *sheet, struct front_view *view)
{
	rail_add_of(rail, sheet,
	    (struct front_box_view){STR("Popular now"), STR("/hot"), STR("hot"), {NULL, 0}, {NULL, 0}},
	    next_popular, POPULAR);
	rail_add_of(rail, sheet, (struct front_box_view){.title = STR("Also new"), .kind = STR("more")},
	    next_any, MORE);
	if (rail->high * 5 >= rail->room * 4) {
		view->rail.items = rail->boxes;
		view->rail.count = rail->count;
	} else {
		view->below.items = rail->boxes;
		view->below.count = rail->count;
	}
}

/* --- Sections -------------------------------------------------------------------------------------------- */

/* Is the post in that category, or in one under it? */
static bool
lies_under(const struct publication *p, const struct post *post, const struct category *top)
{
	const struct category *c =
	    post->category.len != 0 ? category_find(&p->categories, post->category) : NULL;

	while (c != NULL && c != top)
		c = c->parent;
	return c != NULL;
}

/* Its newest posts, one of which has a picture, if any has. Returns how many: 0 if they make no strip. */
static size_t
pick_topic(const struct publication *p, const struct front_sheet *sheet, const struct category *top,
    size_t picked[TOPIC])
{
	bool pictured = false;
	size_t count = 0;

	for (size_t i = 0; i < sheet->count && (count < TOPIC || !pictured); i++) {
		const struct post *post = sheet_post(sheet, i);

		if (sheet->placed[i] || !lies_under(p, post, top) ||
		    (count == TOPIC && !post_has_picture(post)))
			continue;
		pictured = pictured || post_has_picture(post);
		picked[count < TOPIC ? count++ : TOPIC - 1] = i;
	}
	return count == TOPIC || pictured ? count : 0;
}

static void
fill_topic(struct request *rq, struct front_sheet *sheet, const struct category *top,
    const size_t picked[TOPIC], size_t count, struct front_topic_view *out)
{
	struct post_card_view *cards = ARENA_ARRAY(rq->arena, TOPIC, struct post_card_view);

	*out = (struct front_topic_view){
	    .title = top->name,
	    .section = section_coloured(top),
	    .url = url_join(rq->arena, STR("/category/"), top->slug)};
	for (size_t i = 0; i < count; i++) {
		const struct post post = take(sheet, picked[i]);

		card_fill(rq, &post, &cards[i]);
		if (out->thumbnail == NULL && cards[i].thumbnail != NULL) {
			out->thumbnail = cards[i].thumbnail;
			out->picture_url = cards[i].url;
		}
	}
	out->posts.items = cards;
	out->posts.count = count;
}

static void
fill_topics(struct request *rq, struct front_sheet *sheet, struct front_view *view)
{
	const struct publication *p = publication_of(rq);
	struct front_topic_view *topics =
	    ARENA_ARRAY(rq->arena, p->categories.count, struct front_topic_view);
	for (size_t i = 0; i < p->categories.count; i++) {
		const struct category *c = &p->categories.categories[i];
		size_t picked[TOPIC], count = c->depth == 0 ? pick_topic(p, sheet, c, picked) : 0;

		if (count > 1)
			fill_topic(rq, sheet, c, picked, count, &topics[view->topics.count++]);
	}
	view->topics.items = topics;
}

/* --- What is left ---------------------------------------------------------------------------------------- */

/* The heading for a post of that time: "Earlier this week", "Earlier this month", or the month. */
static struct str
section_of(struct request *rq, int64_t time, struct str *url)
{
	struct date d = zone_date(rq->zone, time), today = zone_date(rq->zone, rq->now);

	*url = STR("");
	if (rq->now - time < WEEK_MS)
		return STR("Earlier this week");
	*url = str_fmt(rq->arena, "/archive/%04d/%02d", d.year, d.month);
	if (d.year == today.year && d.month == today.month)
		return STR("Earlier this month");
	return words_month(rq->arena, d.year, d.month);
}

static void
fill_sections(struct request *rq, const struct front_sheet *sheet, struct front_view *view)
{
	struct front_section_view *sections =
	    ARENA_ARRAY(rq->arena, sheet->fresh, struct front_section_view);
	struct post_card_view *cards = ARENA_ARRAY(rq->arena, sheet->fresh, struct post_card_view);
	size_t filled = 0, count = 0;

	for (size_t i = 0; i < sheet->fresh; i++) {
		struct str url, title;

		if (sheet->placed[i])
			continue;
		title = section_of(rq, sheet->newest.posts[i].published, &url);
		if (count == 0 || !str_eq(sections[count - 1].title, title)) {
			sections[count] = (struct front_section_view){.title = title, .url = url};
			sections[count++].posts.items = &cards[filled];
		}
		card_fill(rq, &sheet->newest.posts[i], &cards[filled++]);
		sections[count - 1].posts.count++;
	}
	view->sections.items = sections;
	view->sections.count = count;
}

/* How new it is: "7 new posts this week", or when the last one was published. */
static struct str
edition_text(struct request *rq, const struct front_sheet *sheet)
{
	struct date today = zone_date(rq->zone, rq->now), last;
	size_t count = 0;

	if (sheet->count == 0)
		return STR("");
	while (count < sheet->count && rq->now - sheet_post(sheet, count)->published < WEEK_MS)
		count++;
	if (count == sheet->count && sheet->stock.older.len != 0)
		return str_fmt(rq->arena, "More than %zu new posts this week", count);
	if (count != 0)
		return STR_CONCAT(rq->arena,
		    words_count(rq->arena, (int64_t)count, "new post", "new posts"),
		    STR(" this week"));
	last = zone_date(rq->zone, sheet->newest.posts[0].published);
	return STR_CONCAT(rq->arena,
	    last.year == today.year && last.month == today.month
		? STR("Last post earlier this month, on ")
		: STR("Last post on "),
	    words_date_near(rq, sheet->newest.posts[0].published));
}

void
front_sheet_fill(struct request *rq, struct front_sheet *sheet, struct front_view *view)
{
	struct rail *rail = ARENA_NEW(rq->arena, struct rail);
	struct news news;

	place_news(rq, sheet, &news);
	fill_news(rq, &news, view);
	*rail = (struct rail){.rq = rq, .room = news.height};
	begin_rail(rail, sheet);
	fill_topics(rq, sheet, view);
	end_rail(rail, sheet, view);
	fill_sections(rq, sheet, view);
	view->edition_text = edition_text(rq, sheet);
}

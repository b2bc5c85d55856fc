/*
 * Likes, votes and bookmarks: the buttons under a post, POST /react/<post>, to which they are sent, and GET /post/<slug>/likes,
 * a list for its authors and the staff.
 *
 * A button says what is to be, `like=love` or `bookmark=off`, and does not toggle, so it can be sent twice. A stranger
 * gets links instead of buttons, to GET /react/<post>?like=love, which asks for confirmation after signing in.
 */
#include "pages/public/reaction.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key_post.h"
#include "model/reader/trust.h"
#include "model/slug.h"
#include "pages/routes.h"
#include "pages/shared/card.h"
#include "pages/shared/confirm.h"
#include "pages/shared/followed.h"
#include "pages/shared/form_view.h"
#include "pages/shared/lists.h"
#include "pages/shared/plan.h"
#include "pages/shared/publication.h"
#include "pages/shared/words.h"
#include "text/url.h"

enum { LIKES_SHOWN = 50 };

struct reaction_button_view {
	struct str name, value, label, count_text;
	struct str url; /* for a stranger */
	bool pressed;
};

VIEW_FIELDS(reaction_button_view, STRING(name), STRING(value), STRING(label), STRING(count_text),
    STRING(url), FLAG(pressed))
VIEW_FIELDS(
    reactions_view, STRING(action_url), LIST(buttons, reaction_button_view), STRING(likes_url))

/* --- Under a post ----------------------------------------------------------------------------------- */

static struct str
react_path(struct arena *arena, const struct post *post)
{
	return url_join(arena, STR("/react/"), post->id);
}

/* May the viewer do this, or would they after signing in? */
static bool
is_offered(struct request *rq, const struct post_shown *l, enum reaction what)
{
	struct thing thing = thing_reaction(&l->post, what, rq->now);

	if (rq->viewer != NULL)
		return may(rq->viewer, MAY_REACT, thing_followed(thing, l->followed));
	return may(NULL, MAY_READ, thing) && reaction_fits(&l->post, what) &&
	       !turned_off(settings_off(rq->settings), MAY_REACT, thing);
}

static void
fill_button(struct request *rq, const struct post_shown *l, enum opinion wish,
    struct reaction_button_view *out)
{
	const struct opinion_kind *opinion = &opinion_kinds[wish];
	struct post_stats stats = l->stats;
	int64_t count = *post_stats_number(&stats, opinion->counter);

	out->name = str_of(reaction_kinds[opinion->of].name);
	out->label = str_of(opinion->label);
	out->pressed = l->mine.opinions[opinion->of] == wish;
	out->value = str_of(opinion_kinds[out->pressed ? OPINION_OFF : wish].name);
	if (count > 0 && !opinion->private)
		out->count_text = words_number(rq->arena, count);
	if (rq->viewer == NULL)
		out->url = STR_CONCAT(rq->arena, react_path(rq->arena, &l->post), STR("?"),
		    out->name, STR("="), out->value);
}

const struct reactions_view *
reactions_view(struct request *rq, const struct post_shown *l)
{
	struct reactions_view *view = ARENA_NEW(rq->arena, struct reactions_view);
	struct reaction_button_view *out =
	    ARENA_ARRAY(rq->arena, OPINIONS, struct reaction_button_view);
	size_t count = 0;

	for (enum opinion o = OPINION_OFF + 1; o < OPINIONS; o++)
		if (is_offered(rq, l, opinion_kinds[o].of))
			fill_button(rq, l, o, &out[count++]);
	if (count == 0)
		return NULL;
	view->buttons.items = out;
	view->buttons.count = count;
	if (rq->viewer != NULL)
		view->action_url = react_path(rq->arena, &l->post);
	if (l->stats.likes + l->stats.loves + l->stats.laughs > 0 &&
	    may(rq->viewer, MAY_SEE_LIKERS,
		thing_followed(thing_post(&l->post, rq->now), l->followed)))
		view->likes_url =
		    STR_CONCAT(rq->arena, post_path(rq->arena, &l->post), STR("/likes"));
	return view;
}

/* --- Doing it --------------------------------------------------------------------------------------- */

/* What a request is about. */
struct react {
	enum reaction what;
	enum opinion wish;
	struct post post;
	struct read own; /* what they think of it so far */
	enum trust trust;
	bool followed;
};

static bool
wish_of(struct request *rq, bool from_form, struct react *out)
{
	for (out->what = 0; out->what < REACTIONS; out->what++) {
		const char *name = reaction_kinds[out->what].name;
		struct str word = from_form ? input_of(rq, name) : request_query(rq, name);

		if (word.len != 0)
			return reaction_opinion(out->what, word, &out->wish);
	}
	return false;
}

/* HTTP_OK when it may be done. */
static enum http_status
load(struct request *rq, struct response *rs, bool from_form, struct react *r)
{
	struct str id = request_param(rq, "id");
	enum { HEAD, OWN, TRUST, READS = TRUST + TRUST_READS };
	struct read reads[READS];
	enum http_status status;
	bool wished = wish_of(rq, from_form, r), there;

	if (!slug_valid(id))
		return HTTP_NOT_FOUND;
	reads[HEAD] = (struct read){.kind = READ_GET, .key = key_post(rq->arena, id)};
	trust_reads(rq->arena, rq->viewer->user.username, &reads[TRUST]);
	if (wished)
		reads[OWN] = reaction_read(rq->arena, rq->viewer->user.username, id, r->what);
	status = page_read(rq, reads, !wished ? OWN : from_form ? READS : TRUST);
	if (status != HTTP_OK)
		return status;
	there = reads[HEAD].item != NULL;
	if (there)
		post_from_item(rq->arena, reads[HEAD].item, &r->post);
	status = followed_check(rq, MAY_READ, there ? &r->post : NULL, &r->followed);
	if (status != HTTP_OK)
		return status;
	if (!wished)
		return HTTP_BAD_REQUEST;
	r->own = reads[OWN];
	if (from_form)
		r->trust = trust_of(&rq->settings->moderation, rq->viewer, &reads[TRUST], rq->now);
	/* What was done once can be taken back, whatever has become of it. */
	if (r->wish == OPINION_OFF ||
	    may(rq->viewer, MAY_REACT,
		thing_followed(thing_reaction(&r->post, r->what, rq->now), r->followed)))
		return HTTP_OK;
	if (post_written_by(&r->post, rq->viewer->user.username))
		rs->error_text = "It is a post of yours: that is for others to say.";
	return HTTP_FORBIDDEN;
}

/* The page they came from. */
static struct str
way_back(struct request *rq, const struct post *post)
{
	struct str from = input_of(rq, "from");

	if (str_eq(from, STR("likes")))
		return STR("/account/likes");
	if (str_eq(from, STR("bookmarks")))
		return STR("/account/bookmarks");
	return STR_CONCAT(rq->arena, post_path(rq->arena, post), STR("#reactions"));
}

enum http_status
reaction_too_many(struct request *rq, struct response *rs, uint32_t wait)
{
	bool hours = wait > 3600;

	rs->retry_after = wait;
	rs->error_text = str_cstring(
	    rq->arena, STR_CONCAT(rq->arena,
			   STR("That is as much as anybody can do in a day. Please try again in "),
			   hours ? words_count(rq->arena, (wait + 3599) / 3600, "hour", "hours")
				 : words_count(rq->arena, (wait + 59) / 60, "minute", "minutes"),
			   STR(".")));
	return HTTP_TOO_MANY;
}

static enum http_status
react(struct request *rq, struct response *rs)
{
	struct plan plan = plan_of(rq);
	struct react r = {.wish = OPINION_OFF};
	enum http_status status = load(rq, rs, true, &r);
	uint32_t wait = 0;
	struct rate limit;
	enum plan_rc rc;

	if (status != HTTP_OK)
		return status;
	limit = trust_rate(&rq->settings->moderation, r.trust, TRUST_REACT, plan.by);
	rc = reaction_set(&plan, &r.post, r.what, r.wish, &r.own, &limit, &wait);
	if (rc == PLAN_TOO_MANY)
		return reaction_too_many(rq, rs, wait);
	return rc == PLAN_DONE ? redirect(rs, HTTP_SEE_OTHER, way_back(rq, &r.post))
			       : plan_refused(rs, &plan, rc);
}

/* After signing in: asks whether they still want what they clicked as a stranger. */
static enum http_status
ask(struct request *rq, struct response *rs)
{
	struct react r = {.wish = OPINION_OFF};
	enum http_status status = load(rq, rs, false, &r);
	struct confirmation confirmation = {.button = "Yes"};

	if (status != HTTP_OK)
		return status;
	if (reaction_from_item(r.what, r.own.item) == r.wish)
		return redirect(rs, HTTP_SEE_OTHER, way_back(rq, &r.post));
	confirmation.title = STR_CONCAT(rq->arena, str_of(opinion_kinds[r.wish].label), STR(": “"),
	    words_title(&r.post), STR("”?"));
	confirmation.action_url = react_path(rq->arena, &r.post);
	confirmation.cancel_url = post_path(rq->arena, &r.post);
	confirmation.button = opinion_kinds[r.wish].label;
	confirmation.name = str_of(reaction_kinds[r.what].name);
	confirmation.value = str_of(opinion_kinds[r.wish].name);
	return confirm(rq, rs, &confirmation);
}

PAGE(react, .get = ask, .post = react, .query = QUERY("bookmark", "like", "vote"))

/* --- Likers ----------------------------------------------------------------------------------- */

struct liker_view {
	struct str url, name, feeling_text, date, date_text;
};

struct likes_view {
	struct layout_view layout;
	struct str title, post_url, post_title;
	LIST_OF(struct liker_view) likers;
	const struct pagination_view *pagination;
};

VIEW_FIELDS(
    liker_view, STRING(url), STRING(name), STRING(feeling_text), STRING(date), STRING(date_text))
VIEW_FIELDS(likes_view, VIEW(layout, layout_view), STRING(title), STRING(post_url),
    STRING(post_title), LIST(likers, liker_view), OPTION(pagination, pagination_view))
TEMPLATE(likes_template, "likes", likes_view)

static enum http_status
show_likes(
    struct request *rq, struct response *rs, const struct post *post, const struct read *likes)
{
	struct likes_view *view = ARENA_NEW(rq->arena, struct likes_view);
	struct liker_view *likers = ARENA_ARRAY(rq->arena, likes->found_count, struct liker_view);
	struct page_frame frame = {.title = STR("Who likes it"), .noindex = true};

	note_confidential(rq, post);
	for (size_t i = 0; i < likes->found_count; i++) {
		const struct item *like = &likes->found[i];
		enum opinion wish = reaction_from_item(REACTION_LIKE, like);
		int64_t created = 0;

		(void)time_parse(item_string(like, STR("CreatedAt")), &created);
		likers[i] = (struct liker_view){
		    .url = author_path(rq->arena, item_string(like, STR("Author"))),
		    .name = item_string(like, STR("AuthorName")),
		    .feeling_text = str_of(opinion_kinds[wish].label),
		    .date = time_format(rq->arena, created),
		    .date_text = words_date_near(rq, created)};
		unname(rq, item_string(like, STR("Author")), &likers[i].name, &likers[i].url);
	}
	view->title = frame.title;
	view->post_url = post_path(rq->arena, post);
	view->post_title = words_title(post);
	view->likers.items = likers;
	view->likers.count = likes->found_count;
	view->pagination = pagination_onward(rq, likes->next);
	layout_fill(rq, &frame, &view->layout);
	return respond(rq, rs, TEMPLATE_WITH(likes_template, view));
}

/*
 * By the id; the address of a renamed post is its id as well, and the redirect is known after the
 * first trip.
 */
static enum http_status
likes(struct request *rq, struct response *rs)
{
	struct str slug = request_param(rq, "slug"), id;
	struct read claim, reads[2];
	struct react r = {.wish = OPINION_OFF};
	enum http_status status;
	bool newer;

	if (!slug_valid(slug))
		return HTTP_NOT_FOUND;
	claim = (struct read){.kind = READ_GET, .key = key_slug(rq->arena, slug)};
	status = page_read(rq, &claim, 1);
	if (status != HTTP_OK)
		return status;
	if (claim.item == NULL)
		return HTTP_NOT_FOUND;
	id = item_string(claim.item, STR("Post"));
	reads[0] = (struct read){.kind = READ_GET, .key = key_post(rq->arena, id)};
	reads[1] = (struct read){.kind = READ_QUERY, .query = query_reactions_about(rq->arena, id, "LIKE")};
	reads[1].query.limit = LIKES_SHOWN;
	if (!list_cursor(rq, &reads[1].query.cursor, &newer) || newer)
		return HTTP_BAD_REQUEST;
	status = page_read(rq, reads, 2);
	if (status != HTTP_OK)
		return status;
	if (reads[0].item == NULL)
		return HTTP_NOT_FOUND;
	post_from_item(rq->arena, reads[0].item, &r.post);
	status = followed_check(rq, MAY_READ, &r.post, &r.followed);
	if (status != HTTP_OK)
		return status;
	if (!may(rq->viewer, MAY_SEE_LIKERS,
		thing_followed(thing_post(&r.post, rq->now), r.followed)))
		return HTTP_NOT_FOUND;
	return show_likes(rq, rs, &r.post, &reads[1]);
}

PAGE(likes, .get = likes, .query = list_parameters)

#include "pages/write/write_checks.h"

#include "base/arena.h"
#include "model/text_rule.h"
#include "pages/public/post_view.h"
#include "pages/write/write_links.h"
#include "text/url.h"
#include "web/http/gzip.h"

#include <string.h>

enum {
	ADVICE_MAX = TARGETS_MAX + 6,
	HEAVY = 20 * 1024, /* compressed, as every page of the site is lighter (t/e2e/browser.t) */
	PICTURES_MANY = 20
};

struct checks {
	struct request *rq;
	struct form_error_view advice[ADVICE_MAX];
	size_t count;
	struct target targets[TARGETS_MAX]; /* each once */
	size_t target_count;
	size_t pictures, undescribed;
	bool linked;     /* a picture that browsers would not show */
	struct str page; /* as readers will get it */
};

static void
advise(struct checks *c, const char *field, struct str sentence)
{
	if (c->count < ADVICE_MAX)
		c->advice[c->count++] = (struct form_error_view){
		    .id = STR_CONCAT(c->rq->arena, STR("write-"), str_of(field)),
		    .error = sentence};
}

/* --- What it weighs --------------------------------------------------------------------------------- */

/* The page as a stranger will get it, but for what others add: comments, and links to more posts. */
static struct str
render(struct request *rq, const struct draft *draft)
{
	struct request stranger = *rq;
	struct response *page = ARENA_NEW(rq->arena, struct response);
	struct post_shown *shown = ARENA_NEW(rq->arena, struct post_shown);
	struct post_view *view = ARENA_NEW(rq->arena, struct post_view);

	stranger.viewer = NULL;
	shown->post = draft->post;
	shown->body = draft->body;
	shown->post.status = STATUS_PUBLISHED;
	if (shown->post.published == 0)
		shown->post.published = rq->now;
	response_init(page, rq->arena);
	post_view_fill_page(&stranger, shown, view);
	if (post_respond(&stranger, page, draft->post.kind, view) != HTTP_OK)
		return STR("");
	return response_body(page);
}

static void
weigh(struct checks *c)
{
	struct buf packed = {.arena = c->rq->arena};
	size_t weight = c->page.len;

	if (gzip_put(c->rq->site->gzip, &packed, c->page))
		weight = packed.len;
	if (weight > HEAVY)
		advise(c, "markdown",
		    str_fmt(c->rq->arena,
			"The page weighs %zu KB, compressed and without its pictures: over %d, two "
			"posts may be better than one.",
			(weight + 1023) / 1024, HEAVY / 1024));
	if (c->pictures > PICTURES_MANY)
		advise(c, "markdown",
		    str_fmt(c->rq->arena,
			"There are %zu pictures: whoever has a slow line will wait.", c->pictures));
}

/* --- What the text has in it ------------------------------------------------------------------------ */

/* The path of an address of this site, without what follows it; empty for another's. */
static struct str
own_path(const struct request *rq, struct str address)
{
	struct str origin = rq->site->origin, rest;

	if (origin.len != 0 && str_starts(address, origin))
		address = str_sub(address, origin.len, address.len);
	if (!url_is_local(address))
		return STR("");
	return str_cut(str_cut(address, '#', &rest), '?', &rest);
}

/* However many links there are, they leave room for the pictures. */
static void
note(struct checks *c, struct target target)
{
	size_t alike = 0;

	for (size_t i = 0; i < c->target_count; i++) {
		if (str_eq(c->targets[i].path, target.path))
			return;
		alike += c->targets[i].picture == target.picture;
	}
	if (alike < (target.picture ? (size_t)MEDIA_USES_MAX : (size_t)LINKS_MAX))
		c->targets[c->target_count++] = target;
}

static void
note_address(struct checks *c, struct str address, const char *field, bool picture)
{
	struct arena *arena = c->rq->arena;
	struct str path = own_path(c->rq, address), decoded;

	if (str_starts(address, STR("#")))
		note(c, (struct target){address, field, picture});
	else if (path.len != 0 && path_decode(arena, path, &decoded) == HTTP_OK)
		note(c, (struct target){path_canonical(arena, decoded, true), field, picture});
}

/* What an attribute of a tag says. */
static struct str
attribute(struct str tag, const char *mark)
{
	size_t len = strlen(mark);
	const char *at = memmem(tag.base, tag.len, mark, len);
	struct str rest;

	if (at == NULL)
		return STR("");
	return str_cut(str_sub(tag, (size_t)(at - tag.base) + len, tag.len), '"', &rest);
}

/* The HTML is our renderer's own: its tags and attributes have one form. */
static void
look_at(struct checks *c, struct str html)
{
	static const struct str link = STR_INIT("<a href=\""), picture = STR_INIT("<img ");

	for (size_t i = 0; i < html.len; i++) {
		struct str tag, rest;

		i += str_find(str_sub(html, i, html.len), '<');
		tag = str_cut(str_sub(html, i, html.len), '>', &rest);
		c->linked = c->linked || str_starts(tag, STR("<a class=\"picture\""));
		if (str_starts(tag, link))
			note_address(c, attribute(tag, link.base), "markdown", false);
		if (!str_starts(tag, picture))
			continue;
		c->pictures++;
		c->undescribed += attribute(tag, " alt=\"").len == 0;
		note_address(c, attribute(tag, " src=\""), "markdown", true);
	}
}

/* --- All of it -------------------------------------------------------------------------------------- */

static void
follow_links(struct checks *c, const struct post *own)
{
	struct arena *arena = c->rq->arena;

	links_follow(c->rq, own, c->page, c->targets, c->target_count);
	for (size_t i = 0; i < c->target_count; i++) {
		const struct target *t = &c->targets[i];

		if (t->trouble == NULL)
			continue;
		advise(c, t->field,
		    t->picture
			? STR_CONCAT(arena, STR("The picture "), t->path, STR(" is not there."))
			: STR_CONCAT(arena, STR("The link to "), t->path, STR(" "),
			      str_of(t->trouble), STR(".")));
	}
}

static void
look_through(struct checks *c, const struct draft *draft)
{
	look_at(c, draft->body.html);
	for (size_t i = 0; i < draft->body.step_count; i++)
		look_at(c, draft->body.steps[i].html);
	note_address(c, draft->post.thumbnail.url, "thumbnail_url", true);
}

struct advice
write_missing_pictures(struct request *rq, const struct draft *draft)
{
	struct checks *c = ARENA_NEW(rq->arena, struct checks);
	size_t count;

	c->rq = rq;
	look_through(c, draft);
	count = c->target_count;
	c->target_count = 0;
	for (size_t i = 0; i < count; i++)
		if (c->targets[i].picture)
			c->targets[c->target_count++] = c->targets[i];
	follow_links(c, &draft->post);
	return (struct advice){c->advice, c->count};
}

struct advice
write_checks(struct request *rq, const struct draft *draft)
{
	struct checks *c = ARENA_NEW(rq->arena, struct checks);
	const struct post *post = &draft->post;

	c->rq = rq;
	c->page = render(rq, draft);
	look_through(c, draft);
	if (post->excerpt.len == 0 && post->kind != KIND_NOTE && post->kind != KIND_PAGE)
		advise(c, "excerpt", STR("There is no excerpt: lists show the title alone."));
	if (post->thumbnail.url.len != 0 && post->thumbnail.alt.len == 0)
		advise(c, "thumbnail_alt", STR("Nobody has said what the post’s picture shows."));
	if (c->undescribed != 0)
		advise(c, "markdown",
		    c->undescribed == 1 ? STR("A picture in the text has no description: write it "
					      "between its brackets.")
					: str_fmt(rq->arena,
					      "%zu pictures in the text have no description: write "
					      "it between their brackets.",
					      c->undescribed));
	if (c->linked)
		advise(c, "markdown",
		    STR("A picture in the text is shown as a link, for browsers load one only from "
			"an address that begins with https://."));
	weigh(c);
	follow_links(c, post);
	return (struct advice){c->advice, c->count};
}

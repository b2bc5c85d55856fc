#include "pages/public/json_ld.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/people/portrait.h"
#include "model/site/settings.h"
#include "pages/shared/card.h"
#include "pages/shared/stored.h"
#include "pages/shared/words.h"
#include "table/json.h"
#include "text/escape.h"
#include "text/markdown.h"
#include "text/url.h"

/* ,"name":"text"; nothing for an empty text. */
static void
member(struct buf *out, const char *name, struct str text)
{
	if (text.len == 0)
		return;
	BUF_PUT(out, ",\"");
	buf_put(out, str_of(name));
	BUF_PUT(out, "\":");
	json_put_string(out, text);
}

static void
put_breadcrumbs(struct request *rq, struct buf *out, const struct breadcrumbs *trail,
    struct str here, struct str path)
{
	BUF_PUT(out, "{\"@context\":\"https://schema.org\",\"@type\":\"BreadcrumbList\","
		     "\"itemListElement\":[");
	for (size_t i = 0; i <= trail->count; i++) {
		bool last = i == trail->count;

		buf_put(out, i != 0 ? STR(",") : STR(""));
		BUF_PUT(out, "{\"@type\":\"ListItem\",\"position\":");
		buf_int(out, (int64_t)i + 1);
		member(out, "name", last ? here : trail->items[i].name);
		member(out, "item", absolute(rq, last ? path : trail->items[i].url));
		BUF_PUT(out, "}");
	}
	BUF_PUT(out, "]}");
}

struct html
json_ld_breadcrumbs(
    struct request *rq, const struct breadcrumbs *trail, struct str here, struct str path)
{
	struct buf out = {.arena = rq->arena};

	put_breadcrumbs(rq, &out, trail, here, path);
	return escape_json(rq->arena, buf_str(&out));
}

struct html
json_ld_profile(
    struct request *rq, const struct user *user, const struct breadcrumbs *trail, struct str path)
{
	struct buf out = {.arena = rq->arena};

	BUF_PUT(&out, "[{\"@context\":\"https://schema.org\",\"@type\":\"ProfilePage\"");
	if (user->created != 0)
		member(&out, "dateCreated", time_format(rq->arena, user->created));
	BUF_PUT(&out, ",\"mainEntity\":{\"@type\":\"Person\"");
	member(&out, "name", user->display_name);
	member(&out, "alternateName", user->username);
	member(&out, "url", absolute(rq, path));
	member(&out, "description", user->bio);
	member(&out, "image", absolute(rq, portrait_of(rq->arena, rq->site->origin, user)));
	if (user->link.len != 0) {
		BUF_PUT(&out, ",\"sameAs\":[");
		json_put_string(&out, user->link);
		BUF_PUT(&out, "]");
	}
	BUF_PUT(&out, "}},");
	put_breadcrumbs(rq, &out, trail, user->display_name, path);
	BUF_PUT(&out, "]");
	return escape_json(rq->arena, buf_str(&out));
}

static void
put_howto(
    struct request *rq, struct buf *out, const struct post *post, const struct post_body *body)
{
	if (post->minutes > 0)
		buf_fmt(out, ",\"totalTime\":\"PT%lldM\"", (long long)post->minutes);
	if (post->cost.len != 0 && post->currency.len != 0) {
		BUF_PUT(out, ",\"estimatedCost\":{\"@type\":\"MonetaryAmount\"");
		member(out, "currency", post->currency);
		member(out, "value", post->cost);
		BUF_PUT(out, "}");
	}
	BUF_PUT(out, ",\"supply\":[");
	for (size_t i = 0; i < body->material_count; i++) {
		buf_fmt(out, "%s{\"@type\":\"HowToSupply\"", i != 0 ? "," : "");
		member(out, "name", body->materials[i].name);
		BUF_PUT(out, "}");
	}
	BUF_PUT(out, "],\"tool\":[");
	for (size_t i = 0; i < body->tools.count; i++) {
		buf_fmt(out, "%s{\"@type\":\"HowToTool\"", i != 0 ? "," : "");
		member(out, "name", body->tools.strings[i]);
		BUF_PUT(out, "}");
	}
	BUF_PUT(out, "],\"step\":[");
	for (size_t i = 0; i < body->step_count; i++) {
		buf_fmt(
		    out, "%s{\"@type\":\"HowToStep\",\"position\":%zu", i != 0 ? "," : "", i + 1);
		member(out, "text",
		    markdown_plain(
			rq->arena, stored_html(rq, MARKDOWN_AUTHOR, body->steps[i].markdown,
				       body->steps[i].html, body->renderer)));
		member(out, "url",
		    str_fmt(rq->arena, "%.*s#step-%zu",
			STR_ARGS(absolute(rq, post_path(rq->arena, post))), i + 1));
		BUF_PUT(out, "}");
	}
	BUF_PUT(out, "]");
}

/* A link is a work published elsewhere, with the ratings of readers here. */
static void
put_link(struct request *rq, struct buf *out, const struct post *post)
{
	BUF_PUT(out, ",\"about\":{\"@type\":\"WebSite\"");
	member(out, "name", words_host(post->url));
	member(out, "url", post->url);
	if (post->ratings > 0) {
		BUF_PUT(out, ",\"aggregateRating\":{\"@type\":\"AggregateRating\"");
		member(out, "ratingValue", words_mean(rq->arena, post->stars, post->ratings));
		buf_fmt(out, ",\"bestRating\":5,\"worstRating\":1,\"ratingCount\":%lld}",
		    (long long)post->ratings);
	}
	BUF_PUT(out, "}");
}

static void
put_person(struct request *rq, struct buf *out, struct str name, struct str username)
{
	struct str path = author_path(rq->arena, username);

	BUF_PUT(out, "{\"@type\":\"Person\"");
	member(out, "name", name);
	if (path.len != 0)
		member(out, "url", absolute(rq, path));
	BUF_PUT(out, "}");
}

/* An object, or an array of several. */
static void
put_authors(struct request *rq, struct buf *out, const struct post *post)
{
	BUF_PUT(out, ",\"author\":");
	if (post->other_count != 0)
		BUF_PUT(out, "[");
	put_person(rq, out, post->author_name, post->author);
	for (size_t i = 0; i < post->other_count; i++) {
		BUF_PUT(out, ",");
		put_person(rq, out, post->others[i].name, post->others[i].username);
	}
	if (post->other_count != 0)
		BUF_PUT(out, "]");
}

struct html
json_ld_post(struct request *rq, const struct post *post, struct str picture,
    const struct post_body *body, const struct breadcrumbs *trail)
{
	struct buf out = {.arena = rq->arena};
	struct str path = post_path(rq->arena, post);
	struct str title = words_title(post);

	BUF_PUT(&out, "[{\"@context\":\"https://schema.org\",\"@type\":");
	json_put_string(&out, post->kind == KIND_HOWTO ? STR("HowTo") : STR("Article"));
	member(&out, post->kind == KIND_HOWTO ? "name" : "headline", title);
	member(&out, "description", post->excerpt);
	member(&out, "url", absolute(rq, path));
	member(&out, "mainEntityOfPage", absolute(rq, path));
	member(
	    &out, "inLanguage", post->language.len != 0 ? post->language : rq->settings->language);
	member(&out, "datePublished", time_format(rq->arena, post->published));
	member(&out, "dateModified",
	    time_format(
		rq->arena, post->updated > post->published ? post->updated : post->published));
	member(&out, "image", absolute(rq, picture));
	put_authors(rq, &out, post);
	BUF_PUT(&out, ",\"publisher\":{\"@type\":\"Organization\"");
	member(&out, "name", rq->settings->name);
	member(&out, "url", absolute(rq, STR("/")));
	BUF_PUT(&out, "},\"commentCount\":");
	buf_int(&out, post->comments);
	if (post->kind == KIND_HOWTO)
		put_howto(rq, &out, post, body);
	if (post->kind == KIND_LINK)
		put_link(rq, &out, post);
	BUF_PUT(&out, "},");
	put_breadcrumbs(rq, &out, trail, title, path);
	BUF_PUT(&out, "]");
	return escape_json(rq->arena, buf_str(&out));
}

#include "pages/shared/stored.h"

#include "base/clock.h"
#include "web/http/dispatch.h"

static struct html
stored(struct request *rq, const struct markdown_options *options, struct str markdown,
    struct str html, int64_t renderer)
{
	struct markdown rendered;
	int64_t begun;

	if (markdown_kept(html, renderer, &rendered.html))
		return rendered.html;
	begun = clock_micros();
	markdown_render(rq->arena, markdown, options, &rendered);
	rq->cost.markdown += clock_micros() - begun;
	return rendered.html;
}

struct html
stored_html(struct request *rq, enum markdown_trust trust, struct str markdown, struct str html,
    int64_t renderer)
{
	const struct markdown_options options = {.trust = trust, .site = rq->site->origin};

	return stored(rq, &options, markdown, html, renderer);
}

struct html
stored_body_html(struct request *rq, const struct post_body *body)
{
	const struct markdown_options options = {.trust = MARKDOWN_AUTHOR,
	    .site = rq->site->origin,
	    .hashtags = body->hashtags,
	    .mentions = body->mentions,
	    .language = body->language,
	    .gallery = body->gallery};

	return stored(rq, &options, body->markdown, body->html, body->renderer);
}

struct html
stored_comment_html(struct request *rq, const struct comment *comment)
{
	const struct markdown_options options = {.trust = MARKDOWN_READER,
	    .site = rq->site->origin,
	    .mentions = comment->mentions};

	return stored(rq, &options, comment->markdown, comment->html, comment->renderer);
}

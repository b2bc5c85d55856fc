#include "pages/shared/stored.h"

#include "base/clock.h"
#include "web/http/dispatch.h"

struct html
stored_html(struct request *rq, enum markdown_trust trust, struct str markdown, struct str html,
    int64_t renderer)
{
	struct markdown_options options = {.trust = trust, .site = rq->site->origin};
	struct markdown rendered;
	int64_t begun;

	if (markdown_kept(html, renderer, &rendered.html))
		return rendered.html;
	begun = clock_micros();
	markdown_render(rq->arena, markdown, &options, &rendered);
	rq->cost.markdown += clock_micros() - begun;
	return rendered.html;
}

/* Which comments wait for an editor, and how many somebody may write. */
#include "base/arena.h"
#include "base/clock.h"
#include "model/reader/comment_write.h"
#include "model/site/settings.h"
#include "pages/public/comment.h"
#include "pages/shared/form_view.h"
#include "pages/shared/listed.h"
#include "pages/shared/publication.h"
#include "text/markdown.h"

#include <string.h>

enum { TRAP_MS = 3000 };

int64_t
comment_links(struct html html)
{
	struct str rest = html.text, mark = STR("nofollow ugc");
	int64_t count = 0;
	const char *at;

	while (rest.len != 0 && (at = memmem(rest.base, rest.len, mark.base, mark.len)) != NULL) {
		rest = str_sub(rest, (size_t)(at - rest.base) + mark.len, rest.len);
		count++;
	}
	return count;
}

int64_t
comment_mentions(struct request *rq, struct str text)
{
	return (int64_t)markdown_mentions(rq->arena, text).count;
}

/* What only programs do: to send a form at once, or to fill in what people do not see. */
static const char *
trapped(struct request *rq, const struct comment_limits *limits)
{
	if (limits->trust == TRUST_TRUSTED)
		return NULL;
	if (input_of(rq, "website").len != 0)
		return "a field that nobody sees was filled in";
	return id_time(input_of(rq, "once")) > rq->now - TRAP_MS ? "it was sent within 3 seconds"
								   : NULL;
}

struct str
comment_held_for(
    struct request *rq, const struct comment_limits *limits, struct str text, struct html html)
{
	const char *trap = trapped(rq, limits);
	struct str found = listed_in(rq, text);

	if (found.len != 0)
		return found;
	if (trap != NULL)
		return str_of(trap);
	if (comment_links(html) > limits->links_max)
		return STR("it has many links");
	if (comment_mentions(rq, text) > limits->mentions_max)
		return STR("it mentions many people");
	return limits->waits ? STR("nothing of theirs was approved yet") : STR("");
}

size_t
comment_rates(struct request *rq, const struct comment_limits *limits,
    struct rate rates[COMMENT_RATES_MAX])
{
	struct str self = rq->viewer->user.username;
	size_t count = 0;

	rates[count++] = (struct rate){STR("comments"), self, limits->most};
	if (limits->network_most != 0)
		rates[count++] = (struct rate){STR("comments-from"),
		    rate_network(rq->arena, rq->in->remote_addr), limits->network_most};
	if (limits->first_day_most != 0)
		rates[count++] = (struct rate){.what = STR("comments-first-day"),
		    .who = self,
		    .most = limits->first_day_most,
		    .window = RATE_DAY_SECONDS};
	return count;
}

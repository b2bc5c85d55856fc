#include "pages/public/thread.h"
#include "pages/shared/card.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/post/post.h"
#include "pages/shared/stored.h"
#include "pages/shared/words.h"
#include "text/url.h"

enum { DEPTH_SHOWN = 6 };

VIEW_FIELDS(comment_view, STRING(id), NUMBER(depth), FLAG(deleted), FLAG(held), STRING(author_url),
    STRING(author_name), FLAG(by_author), STRING(date), STRING(date_text), FLAG(edited),
    STRING(parent_id), STRING(parent_name), STRING(votes_text), STRING(reply_url), HTML(body_html))

/* "5 points"; nothing while nobody has voted. */
static struct str
votes_text(struct arena *arena, const struct comment *c)
{
	int64_t points = c->ups - c->downs;

	if (c->ups == 0 && c->downs == 0)
		return STR("");
	return STR_CONCAT(arena, points < 0 ? STR("−") : STR(""),
	    words_number(arena, points < 0 ? -points : points),
	    points == 1 || points == -1 ? STR(" point") : STR(" points"));
}

static void
fill(struct request *rq, const struct post *post, const struct comment *c,
    const struct comment *parent, struct comment_view *out)
{
	*out = (struct comment_view){
	    .id = c->id,
	    .depth = c->depth < DEPTH_SHOWN ? c->depth : DEPTH_SHOWN,
	    .deleted = c->status == COMMENT_DELETED,
	};
	if (out->deleted)
		return;
	out->author_url = author_path(rq->arena, c->author);
	out->author_name = c->author_name;
	out->by_author = str_eq(c->author, post->author);
	out->date = time_format(rq->arena, c->created);
	out->date_text = words_date_near(rq, c->created);
	out->edited = c->updated > c->created;
	out->votes_text = votes_text(rq->arena, c);
	out->body_html = stored_html(rq, MARKDOWN_READER, c->markdown, c->html, c->renderer);
	if (parent != NULL) {
		out->parent_id = parent->id;
		out->parent_name = parent->author_name;
	}
}

const struct comment_view *
thread_views(struct request *rq, const struct post *post, const struct thread *thread)
{
	struct comment_view *views = ARENA_ARRAY(rq->arena, thread->count, struct comment_view);

	for (size_t i = 0; i < thread->count; i++) {
		const struct comment *c = &thread->comments[i], *parent = NULL;

		/* Reading order: what it answers is the last one before it that is less deep. */
		for (size_t j = i; j-- > 0 && parent == NULL && c->depth != 0;)
			if (thread->comments[j].depth < c->depth)
				parent = &thread->comments[j];
		fill(rq, post, c, parent, &views[i]);
	}
	return views;
}

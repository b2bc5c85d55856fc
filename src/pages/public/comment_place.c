/*
 * What is read where a comment is written, in one trip: the post, what is answered, the writer's limits; and whether
 * anything can be sent.
 */
#include "pages/public/comment.h"

#include "base/arena.h"
#include "model/key_comment.h"
#include "model/key_moderation.h"
#include "model/key_post.h"
#include "model/reader/comment_draft.h"
#include "model/reader/discussion.h"
#include "model/reader/flag.h"
#include "model/reader/follow.h"
#include "model/reader/mention.h"
#include "model/reader/trust.h"
#include "model/site/address_block.h"
#include "model/site/settings.h"
#include "model/slug.h"
#include "model/viewer.h"
#include "pages/public/thread_view.h"
#include "pages/shared/card.h"
#include "pages/shared/form_view.h"
#include "pages/shared/suspended.h"
#include "pages/shared/publication.h"
#include "text/markdown.h"

const char comment_shut_by_block[] = "You can’t write here.";
static const char shut_by_age[] = "The comments here are closed by now.";
static const char shut_off[] = "Comments are turned off here for now.";

/* Are comments turned off? */
static bool
is_off(const struct request *rq)
{
	return turned_off(rq->viewer->off, MAY_COMMENT, NO_THING);
}

/* Is it theirs to comment on, or would it be if comments were not turned off or closed? */
static bool
may_comment_on(const struct request *rq, const struct post *post, bool followed)
{
	return post_takes_comments(post, rq->now) &&
	       may(rq->viewer, MAY_READ, thing_followed(thing_post(post, rq->now), followed));
}

/*
 * May they comment on it? That may depend on whom they follow; a missing post takes as many trips.
 */
static enum http_status
check(struct request *rq, bool there, const struct post *post)
{
	struct str self = rq->viewer->user.username;
	struct read follow = follow_read(rq->arena, self, there ? post->author : self);
	enum http_status status;

	if (there && may_comment_on(rq, post, false))
		return HTTP_OK;
	status = page_read(rq, &follow, 1);
	if (status != HTTP_OK || !there)
		return status != HTTP_OK ? status : HTTP_NOT_FOUND;
	if (post_gone(post, rq->now))
		return HTTP_GONE;
	return may_comment_on(rq, post, follow_holds(&follow)) ? HTTP_OK : HTTP_NOT_FOUND;
}

/* Is it opened where nobody writes just now? The staff do; of what is sent the dispatcher has seen to it. */
static bool
is_from_blocked(struct request *rq, const struct read *blocks)
{
	return blocks != NULL && !may(rq->viewer, MAY_MODERATE, NO_THING) &&
	       address_blocked(rq->arena, blocks, rq->in->remote_addr);
}

static bool
is_blocked(const struct read *blockers, const struct comment_place *place)
{
	const struct post *post = &place->post;

	for (size_t i = 0; i < post->other_count; i++)
		if (follow_blocked_by(blockers, post->others[i].username))
			return true;
	return follow_blocked_by(blockers, post->author) ||
	       (place->item != NULL && follow_blocked_by(blockers, place->to.author));
}

/* Whether they have flagged it, and the flags of it and its ancestors. */
enum { OWN_FLAG, FLAGS_ABOVE, FLAG_READS };

static size_t
read_flags(struct request *rq, struct str to, struct read reads[FLAG_READS])
{
	const struct flag_target target = {.what = FLAG_COMMENT, .path = to};
	struct key *keys = ARENA_ARRAY(rq->arena, COMMENT_LEVELS, struct key);
	size_t count = flags_above(rq->arena, to, keys);

	reads[OWN_FLAG] = (struct read){.kind = READ_GET,
	    .key = key_flag(
		rq->arena, key_flag_target(rq->arena, &target), rq->viewer->user.username)};
	reads[FLAGS_ABOVE] = (struct read){.kind = READ_BATCH, .batch = {keys, count}};
	return FLAG_READS;
}

static void
take_flags(
    struct request *rq, struct str to, const struct read reads[FLAG_READS], struct comment_place *place)
{
	const struct moderation *m = &rq->settings->moderation;
	int64_t flags = flags_counted(rq->arena, m, &reads[FLAGS_ABOVE], rq->now), last = 0, wait;
	struct str rest, root = str_cut(to, '.', &rest);

	place->flagged = reads[OWN_FLAG].item != NULL;
	for (size_t i = 0; flags != 0 && i < place->limits.lately_count; i++) {
		const struct comment *own = &place->limits.lately[i];

		if (str_eq(own->post, place->post.id) && str_starts(own->path, root) &&
		    own->created > last)
			last = own->created;
	}
	wait = last + (m->heat_minutes + flags) * 60000 - rq->now;
	if (last != 0 && wait > 0)
		place->heat = (uint32_t)((wait + 999) / 1000);
}

/* --- Asking ------------------------------------------------------------------------------------------ */

enum { HEAD, STATS, BLOCKERS, DRAFTS, LIMITS, ALWAYS = LIMITS + TRUST_READS, READS = ALWAYS + 6 };

/* All reads. Of those that not every address needs the places; NULL: it is not read. */
struct asked {
	struct read reads[READS];
	size_t count;
	struct read *to, *flags, *sent, *named, *blocks;
};

static struct read *
ask_also(struct asked *asked, struct read read)
{
	asked->reads[asked->count] = read;
	return &asked->reads[asked->count++];
}

/* `to`: the comment that is answered or changed; empty: none. `text`: what is sent. */
static void
ask(struct request *rq, struct str id, struct str to, struct str text,
    const struct comment_place *place, struct asked *asked)
{
	struct str self = rq->viewer->user.username, once = input_of(rq, "once");
	struct read *reads = asked->reads, named;

	asked->count = ALWAYS;
	asked->to = asked->flags = asked->sent = asked->named = asked->blocks = NULL;
	reads[HEAD] = (struct read){.kind = READ_GET, .key = key_post(rq->arena, id)};
	reads[STATS] = (struct read){.kind = READ_GET, .key = key_post_stats(rq->arena, id)};
	reads[BLOCKERS] = follow_blockers_read(rq->arena, self);
	reads[DRAFTS] = comment_drafts_read(rq->arena, self);
	trust_reads(rq->arena, self, &reads[LIMITS]);
	if (to.len != 0)
		asked->to = ask_also(asked,
		    (struct read){.kind = READ_GET, .key = key_comment(rq->arena, id, to)});
	if (place->answers) {
		asked->flags = &reads[asked->count];
		asked->count += read_flags(rq, to, asked->flags);
	}
	if (slug_valid(once))
		asked->sent = ask_also(asked, comment_once_read(rq->arena, self, once));
	if (mention_read(rq->arena, self, markdown_mentions(rq->arena, text), &named))
		asked->named = ask_also(asked, named);
	if (rq->method == METHOD_GET)
		asked->blocks = ask_also(asked, address_blocks_read());
}

/* --- Answers ----------------------------------------------------------------------------------------- */

static void
take(struct request *rq, struct str to, struct asked *asked, struct comment_place *place)
{
	const struct read *reads = asked->reads;

	post_stats_from_item(rq->arena, reads[STATS].item, &place->stats);
	comment_limits_take(rq->arena, &rq->settings->moderation, rq->viewer, &reads[LIMITS],
	    rq->now, &place->limits);
	if (asked->flags != NULL)
		take_flags(rq, to, asked->flags, place);
	if (asked->sent != NULL)
		place->sent = comment_once_path(asked->sent, place->post.id);
	place->item = asked->to != NULL ? asked->to->item : NULL;
	if (place->item != NULL)
		comment_from_item(rq->arena, place->item, &place->to);
}

/* Why nothing can be sent; NULL: it can. */
static const char *
shut_of(struct request *rq, struct str to, const struct asked *asked, const struct comment_place *place,
    bool over)
{
	const char *closed;

	if (is_from_blocked(rq, asked->blocks))
		return shut_out_text;
	if (is_off(rq))
		return shut_off;
	if (over)
		return shut_by_age;
	closed = discussion_says(rq, &place->post, to);
	if (closed == NULL && !place->edits && is_blocked(&asked->reads[BLOCKERS], place))
		return comment_shut_by_block;
	return closed;
}

/* Does what it answers or changes exist no more, or can they not do that any more? */
static bool
is_gone(const struct request *rq, const struct comment_place *place)
{
	enum action action = place->edits ? MAY_EDIT : MAY_COMMENT;

	return place->item == NULL ||
	       (!is_off(rq) && !may(rq->viewer, action, thing_comment(&place->to))) ||
	       (place->edits && !comment_editable(&place->to, rq->now));
}

enum http_status
comment_place_load(struct request *rq, struct str text, struct comment_place *place)
{
	struct str id = request_param(rq, "id"), to = request_query(rq, "edit");
	struct asked asked;
	enum http_status status;
	bool over;

	*place = (struct comment_place){.edits = to.len != 0};
	if (!place->edits)
		to = request_query(rq, "to");
	place->answers = !place->edits && to.len != 0;
	if (!slug_valid(id) || (to.len != 0 && !comment_path_valid(to)))
		return HTTP_NOT_FOUND;
	if (!may(rq->viewer, MAY_SEND, NO_THING))
		return HTTP_FORBIDDEN;
	ask(rq, id, to, text, place, &asked);
	status = page_read(rq, asked.reads, asked.count);
	if (status != HTTP_OK)
		return status;
	place->mentioned = mention_take(rq->arena, asked.named);
	place->drafts = asked.reads[DRAFTS];
	if (asked.reads[HEAD].item != NULL)
		post_from_item(rq->arena, asked.reads[HEAD].item, &place->post);
	status = check(rq, asked.reads[HEAD].item != NULL, &place->post);
	if (status != HTTP_OK)
		return status;
	over = !place->edits &&
	       moderation_over(&rq->settings->moderation, place->post.published, rq->now);
	if (over && rq->method != METHOD_POST)
		return HTTP_NOT_FOUND;
	note_confidential(rq, &place->post);
	take(rq, to, &asked, place);
	place->shut = shut_of(rq, to, &asked, place, over);
	place->to_gone = to.len != 0 && is_gone(rq, place);
	return HTTP_OK;
}

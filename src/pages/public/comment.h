#ifndef PAGES_PUBLIC_COMMENT_H
#define PAGES_PUBLIC_COMMENT_H

#include "model/post/post.h"
#include "model/reader/comment_write.h"
#include "model/site/rate.h"
#include "text/view.h"
#include "web/http/request.h"

/* Where one writes a comment on a post, or a reply to what stands at this path of its thread. */
struct str comment_write_url(struct request *rq, const struct post *post, struct str to);
/* Where one edits one's own, and where it is deleted. */
struct str comment_edit_url(struct request *rq, const struct post *post, struct str path);
struct str comment_delete_url(struct request *rq, const struct post *post, struct str path);

/* What is read where one is written: comment_place.c. */
struct comment_place {
	struct post post;
	struct post_stats stats;
	struct comment to;
	const struct item *item; /* `to`: the comment that it answers or changes */
	bool answers, edits;     /* answers: a reply; edits: a change of it */
	bool to_gone;            /* it does not exist, or can't be changed, any more */
	const char *shut;        /* why nothing can be sent, though it can be read; NULL: it can */
	struct comment_limits limits;
	bool flagged;    /* they have flagged the comment that it answers */
	uint32_t heat;   /* seconds until they may reply in this flagged thread; 0: now */
	struct str sent; /* the path of the comment that this form made before; empty: none */
	struct strings_value mentioned; /* whom the text that is sent may link to */
	struct read drafts;
};

/*
 * The address has the post's id, which never changes, so that everything is read in one trip. A
 * post for followers takes another one, and so does a missing post. `text`: what is sent, whose mentions are looked up.
 */
enum http_status comment_place_load(
    struct request *rq, struct str text, struct comment_place *place);

/* Who is blocked by somebody is not told that. */
extern const char comment_shut_by_block[];

/* Where it is hidden, held back, restored or marked by hand; and by whom it was hidden, as its author reads it. */
struct str comment_decide_url(struct request *rq, struct str post, struct str path);
struct str comment_hidden_text(const struct comment *comment);

/* The post and the comment of `?at=`, with its item: a 404 if either is not there. Who may what, the caller asks. */
enum http_status comment_load(
    struct request *rq, struct post *post, struct comment *comment, const struct item **item);

/* The page on which an author answers to the hiding of a comment. */
struct str comment_answer_url(struct request *rq, const struct post *post, struct str path);
/* How many links lead away from what a reader wrote, as it was rendered; and how many people it calls by name. */
int64_t comment_links(struct html html);
int64_t comment_mentions(struct request *rq, struct str text);

/* Why a comment, or the note of a review, waits, for the staff alone; empty: it does not. */
struct str comment_held_for(
    struct request *rq, const struct comment_limits *limits, struct str text, struct html html);

/* The limits that a comment counts against; returns how many. */
enum { COMMENT_RATES_MAX = 3 };
size_t comment_rates(struct request *rq, const struct comment_limits *limits,
    struct rate rates[COMMENT_RATES_MAX]);

#endif

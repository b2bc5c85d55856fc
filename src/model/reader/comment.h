#ifndef MODEL_READER_COMMENT_H
#define MODEL_READER_COMMENT_H

#include "model/bind.h"

/* A comment, and the thread under a post. */
enum comment_status { COMMENT_HELD, COMMENT_VISIBLE, COMMENT_DELETED, COMMENT_HIDDEN };

struct read;
struct viewer;

struct comment {
	struct str path; /* in its thread: the ids from the root to it */
	struct str id, post, post_title, parent, author, author_name;
	struct str markdown, html;
	int64_t renderer; /* the version of the renderer that made html; 0: none did */
	struct strings_value mentions; /* the people whom it names, and links to */
	enum comment_status status;
	int64_t ups, downs;
	int64_t created, updated;
	int64_t appeared; /* when it was approved or restored; 0: it was there at once */
	struct str held_for;               /* why it is held; not shown to its author */
	struct str hidden_by, hidden_why;  /* by whom of the staff, and why; shown to its author */
	struct str answer;                 /* the author's answer */
	bool by_author;                    /* an author of the post has hidden it, or holds it back */
	bool settled;                      /* the staff have restored it: the post's authors leave it */
	bool staff;                        /* it speaks for the staff */
	int64_t hidden, answered;
	unsigned depth; /* in its thread: 0 for a root */
	size_t below;   /* how many comments behind it in the thread lie under it */
	size_t more;    /* of a root: how many more descendants there are, which were not read */
};

/* The length of an id; a path is the ids from the root to the comment, joined by ".". */
enum { COMMENT_ID_LEN = 14 };

/*
 * Only roots are ordered; their descendants are sorted by time. THREAD_BEST: by score, then the
 * newest.
 */
enum thread_order { THREAD_BEST, THREAD_NEWEST, THREAD_OLDEST, THREAD_ORDERS };

/*
 * The lower bound of Wilson's interval of the share of ups, at 80 %, where its author counts as an
 * up; from 0 to 999,999. Without votes it is 378,447.
 */
int64_t comment_score(int64_t ups, int64_t downs);

/* The root of a path, and the path of the parent; empty for a root. */
struct str comment_path_root(struct str path);
struct str comment_path_parent(struct str path);

/* In reading order: each comment stands right before the replies to it. */
struct thread {
	struct comment *comments;
	size_t count;
};

void comment_from_item(struct arena *arena, const struct item *item, struct comment *out);

/* To everybody except its author, a hidden comment looks like a deleted one. */
void comment_withhold(struct comment *comment, const struct viewer *viewer);

/* Adds the votes counted in its item CommentVotes, which may be NULL. */
void comment_add_votes(struct comment *comment, const struct item *votes);

/* So many more readers are against it than for it that it is folded where it stands, and the front page leaves it out. */
bool comment_voted_down(const struct comment *comment);

/*
 * The thread from the items of query_comments(), as a stranger may see it: what is held is left out
 * with all under it, and so is what is deleted and has no visible reply. A deleted one that has is kept
 * for its place; its text and author are gone, and so it is with a hidden one, except for its author. A held comment
 * is shown, with what is under it, to whom may() lets read it: its author and who moderates. `viewer` is NULL for a stranger.
 */
struct thread thread_from_items(
    struct arena *arena, const struct item *items, size_t count, const struct viewer *viewer);

/*
 * For a query of comments: limits it to so many, with their items of votes, which are between them;
 * and cuts the answer to that number, adjusting its cursor.
 */
void comments_limit(struct read *read, uint32_t most);
void comments_cut(struct arena *arena, struct read *answer, uint32_t most);

/*
 * Sorts the roots, each with its descendants. They are in reading order, which is the oldest first.
 */
void thread_sort(struct arena *arena, struct thread *thread, enum thread_order order);

/* Puts these roots first, each with its descendants, in this order. */
void thread_pin(struct arena *arena, struct thread *thread, const struct strings_value *roots);

extern const struct binding_table comment_bindings;

#endif

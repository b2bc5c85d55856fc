#include "model/reader/comment.h"

#include "base/arena.h"
#include "model/key_comment.h"
#include "model/permission.h"
#include "table/cursor_key.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FOLDED_BELOW = -5 };

/* An unknown word is the first one, so that it is shown to nobody. */
static const char *const statuses[] = {"held", "visible", "deleted", "hidden", NULL};

static const struct binding bindings[] = {
    BIND_TEXT(WRITTEN, "Answer", struct comment, answer, TEXT_LINES),
    BIND_TIME(RECORDED, "AnsweredAt", struct comment, answered),
    BIND_TIME(RECORDED, "AppearedAt", struct comment, appeared),
    BIND_STRING(RECORDED, "Author", struct comment, author),
    BIND_TEXT(COPIED, "AuthorName", struct comment, author_name, TEXT_LINE),
    BIND_BOOLEAN(RECORDED, "ByAuthor", struct comment, by_author),
    BIND_TIME(RECORDED, "CreatedAt", struct comment, created),
    BIND_NUMBER(COUNTED, "Downs", struct comment, downs),
    BIND_STRING(DERIVED, "HTML", struct comment, html),
    BIND_STRING(SECRET, "HeldFor", struct comment, held_for),
    BIND_TIME(RECORDED, "HiddenAt", struct comment, hidden),
    BIND_STRING(SECRET, "HiddenBy", struct comment, hidden_by),
    BIND_TEXT(WRITTEN, "HiddenWhy", struct comment, hidden_why, TEXT_LINES),
    BIND_STRING(RECORDED, "Id", struct comment, id),
    BIND_STRING(WRITTEN, "Markdown", struct comment, markdown),
    BIND_STRINGS(DERIVED, "Mentions", struct comment, mentions),
    BIND_STRING(RECORDED, "Parent", struct comment, parent),
    BIND_STRING(RECORDED, "Post", struct comment, post),
    BIND_TEXT(COPIED, "PostTitle", struct comment, post_title, TEXT_LINE),
    BIND_NUMBER(DERIVED, "Renderer", struct comment, renderer),
    BIND_BOOLEAN(RECORDED, "Settled", struct comment, settled),
    BIND_BOOLEAN(RECORDED, "Staff", struct comment, staff),
    BIND_CHOICE(RECORDED, "Status", struct comment, status, statuses),
    BIND_TIME(RECORDED, "UpdatedAt", struct comment, updated),
    BIND_NUMBER(COUNTED, "Ups", struct comment, ups),
};
const struct binding_table comment_bindings = BINDINGS(bindings);

void
comment_from_item(struct arena *arena, const struct item *item, struct comment *out)
{
	*out = (struct comment){.status = COMMENT_HELD};
	bind_read(arena, &comment_bindings, item, out);
	out->path = key_comment_path(item_string(item, table_sk_name(TABLE_PRIMARY)));
	if (out->author_name.len == 0)
		out->author_name = out->author;
	if (out->status == COMMENT_DELETED)
		out->author = out->author_name = out->markdown = out->html = STR("");
}

void
comment_add_votes(struct comment *comment, const struct item *votes)
{
	if (votes == NULL)
		return;
	comment->ups += item_number(votes, STR("Ups"));
	comment->downs += item_number(votes, STR("Downs"));
}

bool
comment_voted_down(const struct comment *comment)
{
	return comment->ups - comment->downs < FOLDED_BELOW;
}

void
comment_withhold(struct comment *comment, const struct viewer *viewer)
{
	if (comment->status == COMMENT_HIDDEN &&
	    (viewer == NULL || !str_eq(comment->author, viewer->user.username)))
		*comment = (struct comment){.path = comment->path,
		    .id = comment->id,
		    .status = COMMENT_DELETED,
		    .hidden = comment->hidden,
		    .by_author = comment->by_author,
		    .depth = comment->depth};
}

struct str
comment_path_root(struct str path)
{
	return str_sub(path, 0, path.len < COMMENT_ID_LEN ? path.len : COMMENT_ID_LEN);
}

struct str
comment_path_parent(struct str path)
{
	return str_sub(path, 0, path.len > COMMENT_ID_LEN ? path.len - COMMENT_ID_LEN - 1 : 0);
}

int64_t
comment_score(int64_t ups, int64_t downs)
{
	const double z = 1.281552, zz = z * z;
	double up = (double)(ups > 0 ? ups : 0) + 1, all = up + (double)(downs > 0 ? downs : 0);
	double share = up / all;
	double bound =
	    (share + zz / (2 * all) - z * sqrt((share * (1 - share) + zz / (4 * all)) / all)) /
	    (1 + zz / all);

	/* six digits in a key */
	return llround(bound * 999999);
}

static unsigned
depth_of(const struct item *item)
{
	struct str path = key_comment_path(item_string(item, table_sk_name(TABLE_PRIMARY)));
	unsigned depth = 0;

	for (size_t i = 0; i < path.len; i++)
		depth += path.base[i] == '.';
	return depth;
}

/* Counts the descendants of each comment, and drops deleted ones without visible descendants. */
static void
settle(struct thread *thread)
{
	struct comment *comments = thread->comments;
	size_t kept = thread->count;

	/* From the end, so that descendants come before their ancestors. */
	for (size_t i = thread->count; i-- > 0;) {
		size_t below = 0;

		while (i + 1 + below < kept && comments[i + 1 + below].depth > comments[i].depth)
			below++;
		comments[i].below = below;
		if (comments[i].status != COMMENT_DELETED || below != 0)
			continue;
		for (size_t j = i; j + 1 < kept; j++)
			comments[j] = comments[j + 1];
		kept--;
	}
	thread->count = kept;
}

/* Adds the counted votes of the last comment, if it is shown. */
static void
take_votes(struct thread *thread, const struct item *votes)
{
	struct comment *last = thread->count > 0 ? &thread->comments[thread->count - 1] : NULL;
	struct str post, path;

	key_comment_votes_of(item_key(votes), &post, &path);
	if (last != NULL && str_eq(last->path, path))
		comment_add_votes(last, votes);
}

void
comments_limit(struct read *read, uint32_t most)
{
	read->query.limit = 2 * most;
}

void
comments_cut(struct arena *arena, struct read *answer, uint32_t most)
{
	uint32_t count = 0;

	for (size_t i = 0; i < answer->found_count; i++) {
		count += !kind_is(&answer->found[i], ITEM_COMMENT_VOTES);
		if (count <= most)
			continue;
		answer->next = cursor_key_write(arena, &answer->query, &answer->found[i - 1]);
		answer->found_count = i;
	}
}

struct thread
thread_from_items(
    struct arena *arena, const struct item *items, size_t count, const struct viewer *viewer)
{
	struct thread thread = {.comments = ARENA_ARRAY(arena, count, struct comment)};
	unsigned hidden_from =
	    UINT32_MAX; /* everything deeper than a held comment is hidden with it */

	for (size_t i = 0; i < count; i++) {
		struct comment *comment = &thread.comments[thread.count];
		unsigned depth = depth_of(&items[i]);

		if (kind_is(&items[i], ITEM_COMMENT_VOTES)) {
			take_votes(&thread, &items[i]);
			continue;
		}
		if (depth > hidden_from)
			continue;
		hidden_from = UINT32_MAX;
		comment_from_item(arena, &items[i], comment);
		comment->depth = depth;
		comment_withhold(comment, viewer);
		if (comment->status == COMMENT_HELD &&
		    !may(viewer, MAY_READ, thing_comment(comment)))
			hidden_from = depth;
		else
			thread.count++;
	}
	settle(&thread);
	return thread;
}

/* --- In another order ------------------------------------------------------------------------------- */

/* A root and its descendants. */
struct group {
	const struct comment *first;
	size_t count;
	int64_t score;
};

static int
best_first(const void *a, const void *b)
{
	const struct group *left = a, *right = b;

	if (left->score != right->score)
		return left->score > right->score ? -1 : 1;
	return left->first < right->first ? 1 : -1;
}

static int
newest_first(const void *a, const void *b)
{
	const struct group *left = a, *right = b;

	return left->first < right->first ? 1 : -1;
}

void
thread_sort(struct arena *arena, struct thread *thread, enum thread_order order)
{
	struct comment *sorted = ARENA_ARRAY(arena, thread->count, struct comment);
	struct group *groups = ARENA_ARRAY(arena, thread->count, struct group);
	size_t count = 0, at = 0;

	if (order == THREAD_OLDEST || thread->count == 0)
		return;
	for (size_t i = 0; i < thread->count; i += groups[count++].count) {
		const struct comment *root = &thread->comments[i];

		groups[count] =
		    (struct group){root, root->below + 1, comment_score(root->ups, root->downs)};
	}
	qsort(groups, count, sizeof(*groups), order == THREAD_BEST ? best_first : newest_first);
	for (size_t i = 0; i < count; i++) {
		memcpy(&sorted[at], groups[i].first, groups[i].count * sizeof(*sorted));
		at += groups[i].count;
	}
	thread->comments = sorted;
}

void
thread_pin(struct arena *arena, struct thread *thread, const struct strings_value *roots)
{
	struct comment *pinned = ARENA_ARRAY(arena, thread->count, struct comment);
	size_t count = 0;

	for (size_t r = 0; r <= roots->count; r++)
		for (size_t i = 0, next; i < thread->count; i = next) {
			const struct comment *root = &thread->comments[i];
			size_t place = 0;

			next = i + root->below + 1;
			while (place < roots->count && !str_eq(roots->strings[place], root->path))
				place++;
			/* In the last round those that are not pinned. */
			if (place != r)
				continue;
			memcpy(&pinned[count], root, (next - i) * sizeof(*pinned));
			count += next - i;
		}
	thread->comments = pinned;
}

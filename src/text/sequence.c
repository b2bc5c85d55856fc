/*
 * Eugene Myers, "An O(ND) Difference Algorithm and Its Variations" (1986), in linear space.
 *
 * Think of a grid with a column for each old element and a row for each new one. A path from one corner to
 * the other goes right (an element is taken out), down (one is put in), or, for free, diagonally where the
 * two are the same. Diagonal d is where column - row = d. A search from either corner notes how far it can
 * come on each diagonal with one more step; where the two meet, the grid is parted, and both parts are
 * searched the same way.
 *
 * A search that has made `most` steps without meeting the other parts the grid at the furthest point that
 * either has reached. That is not always on a shortest path, but it bounds the time.
 */
#include "text/sequence.h"

#include "base/arena.h"
#include "base/check.h"

struct point {
	int32_t x, y;
};

/* A part of the grid: from a corner, included, to the other, excluded. */
struct box {
	struct point from, to;
};

struct search {
	struct sequence *old, *new;
	int32_t *ahead, *back; /* the column reached on each diagonal, from either corner */
	int32_t most;
};

/* The diagonals that a search has reached, every other one of them in a round. */
struct front {
	int32_t low, high;
};

static bool
same(const struct search *s, int32_t x, int32_t y)
{
	return s->old->elements[x] == s->new->elements[y];
}

/* A front one step wider; beyond the box's diagonals it shrinks by one instead, to keep its rhythm. */
static void
widen(struct front *front, int32_t *reached, const struct box *box, int32_t nowhere)
{
	const int32_t low = box->from.x - box->to.y, high = box->to.x - box->from.y;

	if (front->low > low)
		reached[--front->low - 1] = nowhere;
	else
		front->low++;
	if (front->high < high)
		reached[++front->high + 1] = nowhere;
	else
		front->high--;
}

/* One more step from the start. True: it meets the other search at *at. */
static bool
step_ahead(struct search *s, const struct box *box, struct front *mine, const struct front *other,
    struct point *at)
{
	int32_t *reached = s->ahead;

	widen(mine, reached, box, -1);
	for (int32_t d = mine->high; d >= mine->low; d -= 2) {
		int32_t right = reached[d - 1] + 1, down = reached[d + 1];
		int32_t x = right > down ? right : down, y = x - d;

		while (x < box->to.x && y < box->to.y && same(s, x, y))
			x++, y++;
		reached[d] = x;
		if (other != NULL && d >= other->low && d <= other->high && s->back[d] <= x) {
			*at = (struct point){x, y};
			return true;
		}
	}
	return false;
}

/* The same from the end. */
static bool
step_back(struct search *s, const struct box *box, struct front *mine, const struct front *other,
    struct point *at)
{
	int32_t *reached = s->back;

	widen(mine, reached, box, INT32_MAX);
	for (int32_t d = mine->high; d >= mine->low; d -= 2) {
		int32_t up = reached[d - 1], left = reached[d + 1] - 1;
		int32_t x = up < left ? up : left, y = x - d;

		while (x > box->from.x && y > box->from.y && same(s, x - 1, y - 1))
			x--, y--;
		reached[d] = x;
		if (other != NULL && d >= other->low && d <= other->high && s->ahead[d] >= x) {
			*at = (struct point){x, y};
			return true;
		}
	}
	return false;
}

/* The point within the box that one of the searches has taken furthest. */
static struct point
furthest(const struct search *s, const struct box *box, struct front ahead, struct front back)
{
	struct point first = box->from, last = box->to;

	for (int32_t d = ahead.low; d <= ahead.high; d += 2) {
		int32_t x = s->ahead[d] < box->to.x ? s->ahead[d] : box->to.x;
		int32_t y = x - d < box->to.y ? x - d : box->to.y;

		x = y + d;
		if (x + y > first.x + first.y)
			first = (struct point){x, y};
	}
	for (int32_t d = back.low; d <= back.high; d += 2) {
		int32_t x = s->back[d] > box->from.x ? s->back[d] : box->from.x;
		int32_t y = x - d > box->from.y ? x - d : box->from.y;

		x = y + d;
		if (x + y < last.x + last.y)
			last = (struct point){x, y};
	}
	if (first.x + first.y - box->from.x - box->from.y >=
	    box->to.x + box->to.y - last.x - last.y)
		return first;
	return last;
}

/* Where to part a box whose sides are not empty and whose corners are no same elements. */
static struct point
part(struct search *s, const struct box *box)
{
	const int32_t start = box->from.x - box->from.y, end = box->to.x - box->to.y;
	const bool odd = ((start - end) & 1) != 0;
	struct front ahead = {start, start}, back = {end, end};
	struct point at;

	s->ahead[start] = box->from.x;
	s->back[end] = box->to.x;
	for (int32_t round = 1; round <= s->most; round++) {
		if (step_ahead(s, box, &ahead, odd ? &back : NULL, &at) ||
		    step_back(s, box, &back, odd ? NULL : &ahead, &at))
			return at;
	}
	return furthest(s, box, ahead, back);
}

/* The box without what is the same at its corners. */
static struct box
trimmed(const struct search *s, struct box box)
{
	while (box.from.x < box.to.x && box.from.y < box.to.y && same(s, box.from.x, box.from.y))
		box.from.x++, box.from.y++;
	while (
	    box.from.x < box.to.x && box.from.y < box.to.y && same(s, box.to.x - 1, box.to.y - 1))
		box.to.x--, box.to.y--;
	return box;
}

/* The smaller part is another call, the larger one another round: so calls nest only a few deep. */
static void
compare(struct search *s, struct box box)
{
	for (;;) {
		struct box small, large;
		struct point at;

		box = trimmed(s, box);
		if (box.from.x == box.to.x || box.from.y == box.to.y)
			break;
		at = part(s, &box);
		/* Within the box, and at neither corner: both parts are smaller than it. */
		assert(at.x >= box.from.x && at.x <= box.to.x && at.y >= box.from.y &&
		       at.y <= box.to.y);
		assert(at.x - box.from.x + at.y - box.from.y > 0 &&
		       box.to.x - at.x + box.to.y - at.y > 0);
		small = (struct box){box.from, at};
		large = (struct box){at, box.to};
		if (at.x - box.from.x + at.y - box.from.y > box.to.x - at.x + box.to.y - at.y) {
			small = (struct box){at, box.to};
			large = (struct box){box.from, at};
		}
		compare(s, small);
		box = large;
	}
	for (int32_t x = box.from.x; x < box.to.x; x++)
		s->old->changed[x] = true;
	for (int32_t y = box.from.y; y < box.to.y; y++)
		s->new->changed[y] = true;
}

/* What is left unchanged is the same in both, in order. */
static bool
sequences_ok(const struct sequence *old, const struct sequence *new)
{
	size_t x = 0, y = 0;

	for (;; x++, y++) {
		while (x < old->count && old->changed[x])
			x++;
		while (y < new->count &&new->changed[y])
			y++;
		if (x == old->count || y == new->count)
			return x == old->count && y == new->count;
		if (old->elements[x] != new->elements[y])
			return false;
	}
}

void
sequence_compare(struct arena *arena, struct sequence *old, struct sequence *new, uint32_t most)
{
	struct search s = {.old = old, .new = new, .most = (int32_t)most};
	/* Diagonals from -new->count to old->count, and one more on either side. */
	size_t diagonals = old->count + new->count + 3;

	assert(old->count < 1u << 30 && new->count < 1u << 30 && most > 0 && most <= INT32_MAX);
	s.ahead = ARENA_ARRAY(arena, diagonals, int32_t) + new->count + 1;
	s.back = ARENA_ARRAY(arena, diagonals, int32_t) + new->count + 1;
	compare(&s, (struct box){.to = {(int32_t)old->count, (int32_t) new->count}});
	assert_whole(sequences_ok(old, new));
}

#include "text/diff.h"

#include "base/arena.h"
#include "base/check.h"

#include <stdlib.h>

/* --- Sequences of numbers --------------------------------------------------------------------- */

/*
 * Eugene Myers, "An O(ND) Difference Algorithm and Its Variations" (1986), in linear space.
 *
 * Think of a grid with a column for each old element and a row for each new one. A path from one corner to
 * the other goes right (an element is removed), down (one is added), or, for free, diagonally where the
 * two are the same. Diagonal d is where column - row = d. A search from either corner notes how far it can
 * come on each diagonal with one more step; where the two meet, the grid is divided, and both parts are
 * searched the same way.
 *
 * A search that has made `most` steps without meeting the other divides the grid at the furthest point that
 * either has reached. That is not always on a shortest path, but it bounds the time.
 */

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

/* The range of diagonals that a search has reached; every other one in each round. */
struct front {
	int32_t low, high;
};

static bool
same(const struct search *s, int32_t x, int32_t y)
{
	return s->old->elements[x] == s->new->elements[y];
}

/* A front one step wider; at the box's edge it shrinks by one instead, to keep the parity. */
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

/* One more step from the start. True: it has met the other search at *at. */
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

/* One more step from the end. */
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

/* The point within the box that is furthest on one of the searches. */
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

/* Where to divide a box with non-empty sides whose corners are different elements. */
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

/* The box without equal elements at its corners. */
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

/* Recurses into the smaller part and loops over the larger one, so recursion is shallow. */
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
		/* Within the box, and at neither corner: both parts are smaller. */
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

/* The unchanged elements are the same in both, in order. */
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

/* --- Lines and words -------------------------------------------------------------------------- */

enum {
	LINES_MOST = 512, /* the limit of sequence_compare(): see there */
	WORDS_MOST = 128,
	ALIKE = 3, /* one byte in so many must stay, or the lines count as entirely changed */
};

/* One text in parts: lines, or words. */
struct parts {
	struct str *parts;
	size_t count;
	struct sequence sequence;
};

/* --- Numbers for parts: equal parts have equal numbers ---------------------------------------- */

struct entry {
	struct str part;
	uint32_t *number;
};

static int
compare_entries(const void *a, const void *b)
{
	return str_cmp(((const struct entry *)a)->part, ((const struct entry *)b)->part);
}

/* By sorting, whose time no choice of texts can increase much. */
static void
number_parts(struct arena *arena, struct parts *old, struct parts *new)
{
	struct parts *both[] = {old, new};
	size_t total = old->count + new->count, at = 0;
	struct entry *entries = ARENA_ARRAY(arena, total, struct entry);
	uint32_t number = 0;

	for (int i = 0; i < 2; i++) {
		uint32_t *numbers = ARENA_ARRAY(arena, both[i]->count, uint32_t);

		both[i]->sequence = (struct sequence){.elements = numbers,
		    .count = both[i]->count,
		    .changed = ARENA_ARRAY(arena, both[i]->count, bool)};
		for (size_t j = 0; j < both[i]->count; j++)
			entries[at++] = (struct entry){both[i]->parts[j], &numbers[j]};
	}
	if (total != 0)
		qsort(entries, total, sizeof(*entries), compare_entries);
	for (size_t i = 0; i < total; i++) {
		if (i != 0 && compare_entries(&entries[i - 1], &entries[i]) != 0)
			number++;
		*entries[i].number = number;
	}
}

/* --- Words ---------------------------------------------------------------------------------------- */

enum sort_of { IN_WORD, SPACE, ALONE };

/*
 * Letters and digits form words, blanks form gaps; anything else is a word by itself: punctuation,
 * line ends, and characters of scripts that do not separate words.
 */
static enum sort_of
sort_of(uint32_t rune)
{
	if (rune == ' ' || rune == '\t' || rune == 0xa0)
		return SPACE;
	if (rune < 0x80)
		return (rune >= 'a' && rune <= 'z') || (rune >= 'A' && rune <= 'Z') ||
			       (rune >= '0' && rune <= '9')
			   ? IN_WORD
			   : ALONE;
	if (rune < 0xc0 || (rune >= 0x2000 && rune < 0x2c00) || rune >= 0x2e80)
		return ALONE;
	return IN_WORD;
}

/* Cuts the first word off the text. */
static struct str
take_word(struct str *text)
{
	size_t end = 0;
	enum sort_of sort = sort_of(str_rune(*text, &end));
	struct str word;

	for (size_t next = end; sort != ALONE && next < text->len; end = next)
		if (sort_of(str_rune(*text, &next)) != sort)
			break;
	word = str_sub(*text, 0, end);
	*text = str_sub(*text, end, text->len - end);
	return word;
}

/* All words of a text. False: they are too many. */
static bool
split_words(struct arena *arena, struct str text, struct parts *out)
{
	struct str rest = text;

	*out = (struct parts){.count = 0};
	while (rest.len != 0 && out->count <= DIFF_WORDS) {
		take_word(&rest);
		out->count++;
	}
	if (rest.len != 0)
		return false;
	out->parts = ARENA_ARRAY(arena, out->count, struct str);
	for (size_t i = 0; i < out->count; i++)
		out->parts[i] = take_word(&text);
	return true;
}

/* Is it blank, or a line end? */
static bool
is_gap(struct str word)
{
	size_t at = 0;

	return word.base[0] == '\n' || sort_of(str_rune(word, &at)) == SPACE;
}

/* A gap between two changed words counts as changed, so that they read as one. */
static void
join_changes(struct parts *words)
{
	bool *changed = words->sequence.changed;

	for (size_t i = 1; i + 1 < words->count; i++)
		if (is_gap(words->parts[i]) && changed[i - 1] && changed[i + 1])
			changed[i] = true;
}

/* The number of bytes of unchanged words, without gaps. */
static size_t
staying(const struct parts *words)
{
	size_t bytes = 0;

	for (size_t i = 0; i < words->count; i++)
		if (!words->sequence.changed[i] && !is_gap(words->parts[i]))
			bytes += words->parts[i].len;
	return bytes;
}

/* Distributes the words over some consecutive lines, as pieces. */
static void
give_pieces(struct arena *arena, const struct parts *words, struct diff_line *lines, size_t count)
{
	struct diff_piece *pieces = ARENA_ARRAY(arena, words->count, struct diff_piece);
	size_t used = 0, word = 0;

	for (size_t i = 0; i < count; i++, word++) {
		const char *end = lines[i].text.base + lines[i].text.len;

		lines[i].pieces = &pieces[used];
		for (; word < words->count && words->parts[word].base < end; word++) {
			bool changed = words->sequence.changed[word];

			if (lines[i].piece_count != 0 && pieces[used - 1].changed == changed) {
				pieces[used - 1].text.len += words->parts[word].len;
				continue;
			}
			pieces[used++] = (struct diff_piece){words->parts[word], changed};
			lines[i].piece_count++;
		}
	}
}

/* From the first of some consecutive lines to the last. */
static struct str
span(const struct diff_line *lines, size_t count)
{
	const struct str *last = &lines[count - 1].text;

	return (struct str){
	    lines[0].text.base, (size_t)(last->base + last->len - lines[0].text.base)};
}

/* Compares removed lines with those added in the same place. */
static void
compare_words(struct arena *arena, struct diff_line *going, size_t going_count, size_t coming_count)
{
	struct diff_line *coming = going + going_count;
	struct parts old, new;
	struct str before, after;
	size_t stay;

	if (going_count == 0 || coming_count == 0)
		return;
	before = span(going, going_count);
	after = span(coming, coming_count);
	if (!split_words(arena, before, &old) || !split_words(arena, after, &new))
		return;
	number_parts(arena, &old, &new);
	sequence_compare(arena, &old.sequence, &new.sequence, WORDS_MOST);
	stay = staying(&old);
	if (stay == 0 || (stay * ALIKE < before.len && stay * ALIKE < after.len))
		return;
	join_changes(&old);
	join_changes(&new);
	give_pieces(arena, &old, going, going_count);
	give_pieces(arena, &new, coming, coming_count);
}

/* --- Lines ----------------------------------------------------------------------------------------- */

/* Empty lines are also slices of the text, at their place. */
static void
split_lines(struct arena *arena, struct str text, struct parts *out)
{
	size_t count = 1, from = 0;

	for (size_t i = 0; i < text.len && count < DIFF_LINES; i++)
		count += text.base[i] == '\n';
	out->count = count;
	out->parts = ARENA_ARRAY(arena, count, struct str);
	for (size_t i = 0; i + 1 < count; i++) {
		size_t end = from;

		while (text.base[end] != '\n')
			end++;
		out->parts[i] = (struct str){text.base + from, end - from};
		from = end + 1;
	}
	out->parts[count - 1] = (struct str){text.base + from, text.len - from};
}

/* Appends the changed lines of one text from *at on to the result. */
static size_t
take_changed(const struct parts *lines, size_t *at, enum diff_mark mark, struct diff_line *out)
{
	size_t count = 0;

	for (; *at < lines->count && lines->sequence.changed[*at]; count++) {
		uint32_t number = (uint32_t)++ * at;

		out[count] = (struct diff_line){.mark = mark,
		    .old_number = mark == DIFF_GOES ? number : 0,
		    .new_number = mark == DIFF_COMES ? number : 0,
		    .text = lines->parts[number - 1]};
	}
	return count;
}

void
diff_texts(struct arena *arena, struct str old_text, struct str new_text, struct diff *out)
{
	struct parts old, new;
	struct diff_line *lines;
	size_t count = 0, i = 0, j = 0;

	*out = (struct diff){.count = 0};
	split_lines(arena, old_text, &old);
	split_lines(arena, new_text, &new);
	number_parts(arena, &old, &new);
	sequence_compare(arena, &old.sequence, &new.sequence, LINES_MOST);
	lines = ARENA_ARRAY(arena, old.count + new.count, struct diff_line);
	while (i < old.count || j < new.count) {
		size_t going = take_changed(&old, &i, DIFF_GOES, &lines[count]);
		size_t coming = take_changed(&new, &j, DIFF_COMES, &lines[count + going]);

		compare_words(arena, &lines[count], going, coming);
		out->going += going;
		out->coming += coming;
		count += going + coming;
		/* Unchanged lines advance in both texts. */
		for (; i < old.count && !old.sequence.changed[i] && !new.sequence.changed[j];
		     i++, j++)
			lines[count++] = (struct diff_line){.mark = DIFF_STAYS,
			    .old_number = (uint32_t)i + 1,
			    .new_number = (uint32_t)j + 1,
			    .text = new.parts[j]};
	}
	out->lines = lines;
	out->count = count;
}

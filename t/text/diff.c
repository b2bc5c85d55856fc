/* Differences of texts: exact, minimal, by words where lines are similar, and limited in time. */
#include "lib/tap.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "text/diff.h"

/* --- What a difference says, in one line: " same|-gone|+come", changed words in brackets ---------- */

static struct str
spelled(struct arena *arena, struct str old, struct str new)
{
	struct buf out = {.arena = arena};
	struct diff diff;

	diff_texts(arena, old, new, &diff);
	for (size_t i = 0; i < diff.count; i++) {
		const struct diff_line *line = &diff.lines[i];

		if (i != 0)
			buf_putc(&out, '|');
		buf_putc(&out, " -+"[line->mark]);
		if (line->piece_count == 0)
			buf_put(&out, line->text);
		for (size_t j = 0; j < line->piece_count; j++) {
			if (line->pieces[j].changed)
				buf_putc(&out, '[');
			buf_put(&out, line->pieces[j].text);
			if (line->pieces[j].changed)
				buf_putc(&out, ']');
		}
	}
	return buf_str(&out);
}

static const struct {
	const char *old, *new, *diff, *sentence;
} cases[] = {
    {"", "", " ", "Two empty texts are one empty line that stays."},
    {"a\nb", "a\nb", " a| b", "Lines of the same text stay."},
    {"a\nc", "a\nb\nc", " a|+b| c", "A line comes."},
    {"a\nb\nc", "a\nc", " a|-b| c", "A line goes."},
    {"", "new", "-|+new", "A text comes in place of nothing."},
    {"old", "", "-old|+", "A text goes."},
    {"a", "a\n", " a|+", "A line end at the end is seen."},
    {"a\n\n\nb", "a\n\nb", " a| |-| b", "An empty line goes."},
    {"one two three", "one 2 three", "-one [two] three|+one [2] three", "A word is changed."},
    {"one two three four", "one deux trois four", "-one [two three] four|+one [deux trois] four",
	"Words next to each other are changed as one."},
    {"The tide is low.", "The tide is very low.", "-The tide is low.|+The tide is [very ]low.",
	"A word comes."},
    {"Low, tide", "Low tide", "-Low[,] tide|+Low tide", "Punctuation is a word of its own."},
    {"naïve café", "naive café", "-[naïve] café|+[naive] café",
	"Words are whole, whatever their letters."},
    {"\xe6\xbd\xae\xe6\xb1\x90\xe4\xbd\x8e", "\xe6\xbd\xae\xe6\xb1\x90\xe9\xab\x98",
	"-\xe6\xbd\xae\xe6\xb1\x90[\xe4\xbd\x8e]|+\xe6\xbd\xae\xe6\xb1\x90[\xe9\xab\x98]",
	"Where words are not parted, signs are compared."},
    {"alpha beta gamma", "quite something else", "-alpha beta gamma|+quite something else",
	"Lines that have nothing in common are changed as a whole."},
    {"a b c\nd e f", "a b c d e f", "-a b c|-d e f|+a b c[ ]d e f",
	"Lines that are joined have the same words."},
    {"first\nthe second line here\nthird\nlast", "first\nthe 2nd line here\nnew third\nlast",
	" first|-the [second] line here|-third|+the [2nd] line here|+[new ]third| last",
	"All lines of a change are compared with all."},
    {"x\ny one\nz", "x\nz\ny one", " x|-y one| z|+y one", "What moves goes and comes."},
    {"bad \xff bytes", "bad \xfe bytes", "-bad [\xff] bytes|+bad [\xfe] bytes",
	"Bytes that are no text are compared as they are."},
};

static void
examples(struct arena *arena)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		is_str(spelled(arena, str_of(cases[i].old), str_of(cases[i].new)),
		    str_of(cases[i].diff), "%s", cases[i].sentence);
}

/* --- Properties -------------------------------------------------------------------------------------- */

/* Is the difference one of these two texts? What is wrong, or NULL. */
static const char *
error(struct arena *arena, struct str old, struct str new, const struct diff *diff)
{
	struct buf sides[2] = {{.arena = arena}, {.arena = arena}};
	uint32_t numbers[2] = {0, 0};
	size_t going = 0, coming = 0;

	for (size_t i = 0; i < diff->count; i++) {
		const struct diff_line *line = &diff->lines[i];
		const bool in[2] = {line->mark != DIFF_COMES, line->mark != DIFF_GOES};
		const uint32_t said[2] = {line->old_number, line->new_number};
		struct buf joined = {.arena = arena};

		for (int side = 0; side < 2; side++) {
			if (in[side] && numbers[side]++ != 0)
				buf_putc(&sides[side], '\n');
			if (in[side])
				buf_put(&sides[side], line->text);
			if (said[side] != (in[side] ? numbers[side] : 0))
				return "a line's number is wrong";
		}
		for (size_t j = 0; j < line->piece_count; j++)
			buf_put(&joined, line->pieces[j].text);
		if (line->piece_count != 0 && !str_eq(buf_str(&joined), line->text))
			return "a line's pieces are not the line";
		going += line->mark == DIFF_GOES;
		coming += line->mark == DIFF_COMES;
	}
	if (!str_eq(buf_str(&sides[0]), old))
		return "what stays or goes is not the old text";
	if (!str_eq(buf_str(&sides[1]), new))
		return "what stays or comes is not the new text";
	return going == diff->going && coming == diff->coming ? NULL : "it counts wrong";
}

/* A text by chance of few different lines, so that many are the same. */
static struct str
text_by_chance(struct arena *arena, struct clock *clock, unsigned lines)
{
	static const char *const pool[] = {"", "a", "b", "the low tide", "the high tide", "tide",
	    " the  low\ttide", "ß ü", "\xff", "low, tide."};
	struct buf out = {.arena = arena};
	unsigned char bytes[64];

	clock->random(clock, bytes, sizeof(bytes));
	lines = lines != 0 ? bytes[0] % lines : 0;
	for (unsigned i = 0; i < lines; i++) {
		clock->random(clock, bytes, 1);
		buf_put(&out, str_of(pool[bytes[0] % (sizeof(pool) / sizeof(pool[0]))]));
		if (bytes[0] < 200)
			buf_putc(&out, '\n');
	}
	return buf_str(&out);
}

static void
texts_by_chance(struct arena *arena)
{
	struct clock clock = clock_fixed(0, 11);
	unsigned bad = 0;

	for (unsigned i = 0; i < 3000; i++) {
		struct str old = text_by_chance(arena, &clock, i % 50);
		struct str new = text_by_chance(arena, &clock, i % 40);
		struct diff diff;
		const char *wrong;

		diff_texts(arena, old, new, &diff);
		wrong = error(arena, old, new, &diff);
		if (wrong != NULL && bad++ == 0)
			fprintf(stderr, "# %u: %s\n", i, wrong);
		arena_reset(arena);
	}
	is_int(bad, 0, "Of 3,000 pairs of texts, the difference gives both texts back.");
}

enum { LONGEST = 40 };

/* How many elements of two short sequences can stay: by looking at all pairs. */
static size_t
common(const struct sequence *a, const struct sequence *b)
{
	size_t best[LONGEST + 1][LONGEST + 1] = {{0}};

	for (size_t i = 1; i <= a->count; i++) {
		for (size_t j = 1; j <= b->count; j++) {
			size_t up = best[i - 1][j], left = best[i][j - 1];

			best[i][j] = up > left ? up : left;
			if (a->elements[i - 1] == b->elements[j - 1])
				best[i][j] = best[i - 1][j - 1] + 1;
		}
	}
	return best[a->count][b->count];
}

/* How many elements stay; SIZE_MAX when those of the two are not the same. */
static size_t
stays(const struct sequence *a, const struct sequence *b)
{
	size_t i = 0, j = 0, count = 0;

	for (;; i++, j++, count++) {
		while (i < a->count && a->changed[i])
			i++;
		while (j < b->count && b->changed[j])
			j++;
		if (i == a->count || j == b->count)
			return i == a->count && j == b->count ? count : SIZE_MAX;
		if (a->elements[i] != b->elements[j])
			return SIZE_MAX;
	}
}

static void
sequences_by_chance(struct arena *arena)
{
	static const uint32_t mosts[] = {1000, 1, 2, 5};
	struct clock clock = clock_fixed(0, 3);
	unsigned larger[4] = {0}, wrong[4] = {0};

	for (unsigned i = 0; i < 20000; i++) {
		uint32_t elements[2][LONGEST];
		unsigned char bytes[2 * LONGEST + 3];
		struct sequence two[2];

		clock.random(&clock, bytes, sizeof(bytes));
		for (int side = 0; side < 2; side++) {
			for (int j = 0; j < LONGEST; j++)
				elements[side][j] =
				    bytes[side * LONGEST + j] % (2U + bytes[82] % 8U);
			two[side] = (struct sequence){
			    .elements = elements[side], .count = bytes[80 + side] % (LONGEST + 1)};
		}
		for (int m = 0; m < 4; m++) {
			size_t stay;

			two[0].changed = ARENA_ARRAY(arena, LONGEST, bool);
			two[1].changed = ARENA_ARRAY(arena, LONGEST, bool);
			sequence_compare(arena, &two[0], &two[1], mosts[m]);
			stay = stays(&two[0], &two[1]);
			wrong[m] += stay == SIZE_MAX;
			larger[m] += stay != common(&two[0], &two[1]);
		}
		arena_reset(arena);
	}
	for (int m = 0; m < 4; m++)
		is_int(wrong[m], 0,
		    "Of 20,000 pairs of sequences, what stays is the same in both, looking %u far.",
		    mosts[m]);
	is_int(larger[0], 0, "... and it is as much as can be, when the search goes far enough.");
	ok(larger[1] > 0, "... which it does not when it may not.");
}

/* --- Texts that somebody made to cost much ---------------------------------------------------------- */

static struct str
hostile(struct arena *arena, int kind, unsigned turn)
{
	struct clock clock = clock_fixed(0, 5 + turn);
	struct buf out = {.arena = arena};
	unsigned char bytes[1000];

	while (out.len < 200 * 1000) {
		clock.random(&clock, bytes, sizeof(bytes));
		for (size_t i = 0; i < sizeof(bytes) && out.len < 200 * 1000; i++) {
			bool one = bytes[i] & 1;

			switch (kind) {
			case 0: buf_put(&out, one ? STR("a\n") : STR("b\n")); break;
			case 1: buf_put(&out, one ? STR("a ") : STR("b ")); break;
			case 2: buf_putc(&out, '\n'); break;
			case 3: buf_putc(&out, (char)bytes[i]); break;
			case 4: buf_fmt(&out, "%u-%u-%zu\n", turn, bytes[i], i); break;
			case 5:
				buf_put(&out, STR("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n"));
				break;
			default: buf_put(&out, one ? STR("- x\n\n") : STR("\t. y .\n")); break;
			}
		}
		if (kind == 2 && turn == 1 && out.len > 100 * 1000)
			break;
	}
	return buf_str(&out);
}

static void
hostile_texts(void)
{
	for (int kind = 0; kind < 7; kind++) {
		struct arena *arena = arena_new();
		struct str old = hostile(arena, kind, 0), new = hostile(arena, kind, 1);
		size_t before = arena_footprint(arena);
		const char *wrong;
		struct diff diff;

		diff_texts(arena, old, new, &diff);
		ok(arena_footprint(arena) - before < 64 * 1024 * 1024,
		    "The difference of hostile texts of 200 KB fits in 64 MB (%d).", kind);
		wrong = error(arena, old, new, &diff);
		ok(wrong == NULL, "... and gives both texts back%s%s.", wrong != NULL ? ": " : "",
		    wrong != NULL ? wrong : "");
		arena_free(arena);
	}
}

int
main(void)
{
	struct arena *arena = arena_new();

	examples(arena);
	texts_by_chance(arena);
	sequences_by_chance(arena);
	hostile_texts();
	arena_free(arena);
	return tap_done();
}

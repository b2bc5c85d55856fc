#include "pages/write/diff_view.h"

#include "base/arena.h"
#include "pages/shared/words.h"
#include "text/diff.h"
#include "text/text.h"

enum {
	AROUND = 2,           /* unchanged lines before and after a change */
	AROUND_LENGTH = 240,  /* length of such a line */
	SHOWN_LINES = 1000,   /* of a difference */
	SHOWN_PIECES = 10000, /* of all its lines; those beyond are shown as changed entirely */
};

VIEW_FIELDS(diff_piece_view, STRING(text), FLAG(changed))
VIEW_FIELDS(diff_line_view, FLAG(goes), FLAG(comes), FLAG(blank), STRING(gap_text),
    LIST(pieces, diff_piece_view))
VIEW_FIELDS(diff_view, STRING(label), STRING(counts_text), LIST(lines, diff_line_view))

/* Is the line changed, or near one that is? */
static bool
near_change(const struct diff *diff, size_t i)
{
	size_t from = i > AROUND ? i - AROUND : 0;

	for (size_t j = from; j < diff->count && j <= i + AROUND; j++)
		if (diff->lines[j].mark != DIFF_STAYS)
			return true;
	return false;
}

static void
show_line(
    struct arena *arena, const struct diff_line *line, size_t *pieces, struct diff_line_view *out)
{
	const bool stays = line->mark == DIFF_STAYS;
	const bool whole = line->piece_count == 0 || *pieces + line->piece_count > SHOWN_PIECES;
	size_t count = whole ? 1 : line->piece_count;
	struct diff_piece_view *views = ARENA_ARRAY(arena, count, struct diff_piece_view);

	for (size_t i = 0; i < count && !whole; i++)
		views[i] = (struct diff_piece_view){line->pieces[i].text, line->pieces[i].changed};
	if (whole)
		views[0] = (struct diff_piece_view){line->text, !stays};
	if (stays && line->text.len > AROUND_LENGTH)
		views[0].text = text_excerpt(arena, line->text, AROUND_LENGTH);
	*pieces += count;
	*out = (struct diff_line_view){.goes = line->mark == DIFF_GOES,
	    .comes = line->mark == DIFF_COMES,
	    .blank = str_trim(line->text).len == 0};
	out->pieces.items = views;
	out->pieces.count = count;
}

static struct diff_line_view
gap(struct arena *arena, size_t lines, const char *one, const char *many)
{
	return (struct diff_line_view){.gap_text = words_count(arena, (int64_t)lines, one, many)};
}

static void
show_lines(struct arena *arena, const struct diff *diff, struct diff_view *out)
{
	/* Each shown line may have a gap before it. */
	struct diff_line_view *views =
	    ARENA_ARRAY(arena, 2 * (size_t)SHOWN_LINES + 1, struct diff_line_view);
	size_t count = 0, shown = 0, pieces = 0, i = 0;

	while (i < diff->count && shown < SHOWN_LINES) {
		size_t hidden = 0;

		for (; i < diff->count && !near_change(diff, i); i++)
			hidden++;
		if (hidden != 0)
			views[count++] = gap(arena, hidden, "unchanged line", "unchanged lines");
		if (i < diff->count) {
			show_line(arena, &diff->lines[i++], &pieces, &views[count++]);
			shown++;
		}
	}
	if (i < diff->count)
		views[count++] = gap(arena, diff->count - i, "more line", "more lines");
	out->lines.items = views;
	out->lines.count = count;
}

bool
diff_view_fill(
    struct arena *arena, struct str label, struct str old, struct str new, struct diff_view *out)
{
	struct str gone, come;
	struct diff diff;

	*out = (struct diff_view){.label = label};
	if (str_eq(old, new))
		return false;
	diff_texts(arena, old, new, &diff);
	gone = words_some(arena, (int64_t)diff.going, "line removed", "lines removed");
	come = words_some(arena, (int64_t)diff.coming, "line added", "lines added");
	out->counts_text = gone.len != 0 && come.len != 0 ? STR_CONCAT(arena, gone, STR(", "), come)
							  : STR_CONCAT(arena, gone, come);
	show_lines(arena, &diff, out);
	return true;
}

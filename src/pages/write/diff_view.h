#ifndef PAGES_WRITE_DIFF_VIEW_H
#define PAGES_WRITE_DIFF_VIEW_H

#include "base/str.h"
#include "text/view.h"

struct arena;

/*
 * The difference of two texts as templates/diff.mustache shows it: what was changed, with a line or two
 * around it. Words that go are <del>, words that come <ins>, and each line says for a screen reader which
 * of the two it is.
 */
struct diff_piece_view {
	struct str text;
	bool changed;
};

/* Either a line, or (gap_text) how many lines are left out here. */
struct diff_line_view {
	bool goes, comes, blank;
	struct str gap_text;
	LIST_OF(struct diff_piece_view) pieces;
};

struct diff_view {
	struct str label;       /* what it is the text of: "Title" */
	struct str counts_text; /* "3 lines removed, 1 added" */
	LIST_OF(struct diff_line_view) lines;
};

extern const struct view_type diff_view_type;

/*
 * Fills the view; false when the texts are the same, and then there is nothing in it. All in the arena;
 * the label and the texts are not copied. However large the difference is, a page can hold the view: what
 * is too much is counted instead.
 */
bool diff_view_fill(
    struct arena *arena, struct str label, struct str old, struct str new, struct diff_view *out);

#endif

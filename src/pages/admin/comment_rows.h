#ifndef PAGES_ADMIN_COMMENT_ROWS_H
#define PAGES_ADMIN_COMMENT_ROWS_H

#include "model/reader/comment_write.h"
#include "model/reader/flag.h"
#include "pages/admin/admin.h"

/*
 * Comments as the staff see them, each with what it takes to decide: its post, what it answers, who wrote it and how far
 * they are trusted, and what readers flagged. All that is read in one round trip, after the lists.
 */
enum { COMMENT_ROWS_MAX = 20 };

struct comment_rows;
struct comment_rows *comment_rows(struct request *rq);

/* One more thing that is to be shown: a comment, or what was flagged. At most 3 * COMMENT_ROWS_MAX. */
void comment_rows_add(struct comment_rows *rows, const struct item *comment);
void comment_rows_add_flagged(struct comment_rows *rows, const struct item *flagged);

enum http_status comment_rows_read(struct comment_rows *rows);

/*
 * The row of one that was added; false when its post is not for the viewer to read, or when it is not there any more. A
 * comment has the buttons that its status allows, a flagged thing besides those that settle its flags.
 */
bool comment_row(
    struct comment_rows *rows, const struct item *comment, struct admin_row_view *out);
bool comment_row_flagged(
    struct comment_rows *rows, const struct item *flagged, struct admin_row_view *out);

/* What a button of a comment sends, and the way back: the comment, and when it was as it was shown. */
struct str comment_row_value(struct request *rq, const struct comment *comment);
bool comment_row_parse(struct str value, struct str *post, struct str *path, struct str *shown);

/* Why a comment is hidden, in a word, and as its author is told; NULL: no such word. */
const char *comment_row_reason(struct str word);

#endif

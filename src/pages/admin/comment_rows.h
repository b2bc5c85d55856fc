#ifndef PAGES_ADMIN_COMMENT_ROWS_H
#define PAGES_ADMIN_COMMENT_ROWS_H

#include "model/reader/comment_write.h"
#include "model/reader/flag.h"
#include "pages/admin/admin.h"

/*
 * Comments as the staff see them, each with what a decision needs: its post, its parent, its author
 * and their trust level, and its flags. All that is read in one round trip, after the lists.
 */
enum { COMMENT_ROWS_MAX = 20 };

struct comment_rows;
struct comment_rows *comment_rows(struct request *rq);

/* Adds a comment, or a flagged thing. At most 5 * COMMENT_ROWS_MAX. */
void comment_rows_add(struct comment_rows *rows, const struct item *comment);
/* What one said before it was edited or deleted. */
void comment_rows_add_text(struct comment_rows *rows, const struct item *text);
void comment_rows_add_flagged(struct comment_rows *rows, const struct item *flagged);
void comment_rows_add_restricted(struct comment_rows *rows, const struct item *restriction);

enum http_status comment_rows_read(struct comment_rows *rows);

/*
 * The row of what was added; false when the viewer may not read its post, or when it does not exist
 * any more. A comment has the buttons that its status allows, a flagged thing also those that
 * settle its flags.
 */
bool comment_row(
    struct comment_rows *rows, const struct item *comment, struct admin_row_view *out);
bool comment_row_text(
    struct comment_rows *rows, const struct item *text, struct admin_row_view *out);
bool comment_row_flagged(
    struct comment_rows *rows, const struct item *flagged, struct admin_row_view *out);
/* Of a thing that is held or hidden, with why. */
bool comment_row_restricted(
    struct comment_rows *rows, const struct item *restriction, struct admin_row_view *out);

#endif

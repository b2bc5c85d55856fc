#ifndef TEXT_ESCAPE_H
#define TEXT_ESCAPE_H

#include "base/buf.h"
#include "text/view.h"

/*
 * Appends text so that it is text in HTML and in XML, and inside a double- or single-quoted
 * attribute: & < > " and ' become references. Bytes of all other values go through as they are.
 */
void escape_html(struct buf *out, struct str text);

/* JSON for the inside of a <script>, where references are none: each < in it becomes \u003c. In the arena. */
struct html escape_json(struct arena *arena, struct str json);

#endif

#ifndef WEB_ESCAPE_H
#define WEB_ESCAPE_H

#include "base/buf.h"

/*
 * Appends text so that it is text in HTML and in XML, and inside a double- or single-quoted
 * attribute: & < > " and ' become references. Bytes of all other values go through as they are.
 */
void escape_html(struct buf *out, struct str text);

#endif

#ifndef TEXT_XML_H
#define TEXT_XML_H

#include "base/buf.h"
#include "text/view.h"

/*
 * Text in XML 1.0, also inside of an attribute: escaped, and without what XML can't contain, not even as references (most
 * controls, U+FFFE and U+FFFF).
 */
void xml_text(struct buf *out, struct str text);

/* Where the texts of a book come from and where its pictures are. */
struct xhtml_rules {
	struct str site; /* "https://example.org": links into it are made absolute */
	/* Where a picture of this address lies for who reads the text; empty: nowhere, and its description stands for it. */
	struct str (*picture)(void *context, struct str address);
	void *context;
};

/*
 * HTML that our Markdown renderer made, as well-formed XML: elements without an end are closed, pictures have one file, and
 * links lead out of the text or to its own anchors.
 */
void xhtml_put(struct buf *out, struct html html, const struct xhtml_rules *rules);

#endif

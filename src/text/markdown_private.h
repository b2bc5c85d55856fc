#ifndef TEXT_MARKDOWN_PRIVATE_H
#define TEXT_MARKDOWN_PRIVATE_H

#include "base/buf.h"
#include "text/markdown.h"

#include <cmark.h>

/* What the files of the renderer share. Nobody else includes this. */

enum {
	CONTENTS_MAX = 200, /* headings in a table of contents; more have an id but no entry */
	DEPTH_MAX = 32, /* elements within each other in the HTML; what is deeper loses its mark */
	LANGUAGE_MAX = 32,   /* bytes in the name of a code block's language */
	SLUGS_MAX = 2000,    /* headings with an id; more have none */
	SLUG_RUNES_MAX = 60, /* characters of a heading's id behind its prefix */
};

/* How wide an image is shown: a column of text (static/style.css), or all that a narrow screen has. */
#define MARKDOWN_IMAGE_SIZES "(min-width: 640px) 580px, 100vw"

/* --- markdown_guard.c: what cmark is given --- */

/* The source with marks in it that bound cmark's time. */
struct str guard_source(struct arena *arena, struct str source);

/*
 * What cmark read, without those marks; `pipe` stands for an escaped pipe: "|" in text, "\|" where
 * backslashes mean nothing. What no XML may hold, and a feed is XML, becomes U+FFFD. The text itself when
 * there is nothing to change.
 */
struct str guard_undo(struct arena *arena, struct str text, struct str pipe);

/* --- markdown_heading.c: levels, ids, contents --- */

struct outline {
	struct arena *arena;
	struct str prefix; /* of every id */
	int first_level;
	int open[6], depth; /* the source's levels of the headings that the current one is under */
	struct slug *slugs; /* a hash table of all ids */
	size_t slug_count, slug_capacity;
	struct heading *contents;
	size_t count;
};

/* The next heading in the order of the text: its level in the HTML and its id, of its own or empty. */
struct heading outline_add(struct outline *outline, int source_level, struct str title);

/* Puts it into the contents. */
void outline_list(struct outline *outline, struct heading heading);

/* --- markdown_write.c: the tree as HTML --- */

struct writer {
	struct buf *out;
	const struct markdown_options *options;
	struct outline *outline;
	cmark_iter *iter;
	int depth;        /* of inline elements that are open */
	int heading;      /* the level of the one that is open */
	cmark_node *link; /* the one that is open, or NULL */
	bool cell;        /* of a table is open */
};

/* Writes the node and all under it. */
void markdown_write(struct writer *writer, cmark_node *node);

/* Appends what is under the node in one line, the marks left out. */
void text_put(struct buf *out, cmark_node *node);

/* --- markdown_names.c --- */

/* Writes a text, in which hashtags and mentions are links. */
void names_put(struct writer *writer, struct str text);

/* --- markdown_table.c --- */

/* Writes the paragraph as a table, if it is one. */
bool markdown_table(struct writer *writer, cmark_node *paragraph);

#endif

#ifndef TEXT_TEMPLATE_PARSE_H
#define TEXT_TEMPLATE_PARSE_H

#include "base/str.h"

struct arena;

/*
 * Mustache text into a tree. Knows delimiters, white space and nesting; knows nothing of views.
 *
 * White space follows the mustache specification. A tag that stands alone on its line (except those
 * that print) takes the line with it. What stands before a lone {{>partial}}, {{<parent}} or
 * {{$block}} is indentation for each line of what comes in its place. To make that possible, text is
 * kept line by line, and a line that begins with a tag begins with an empty text node.
 */

/* The first thing that was wrong: all that happens after it is ignored. */
struct template_fault {
	struct arena *arena; /* of the text */
	struct str text;     /* "templates/post.mustache:12: ..."; empty while nothing is wrong */
};

void template_fail(struct template_fault *fault, struct str path, unsigned line, const char *format,
    ...) __attribute__((format(printf, 4, 5)));

enum template_node_kind {
	NODE_TEXT,
	NODE_VALUE,    /* {{name}} */
	NODE_RAW,      /* {{{name}}} and {{&name}} */
	NODE_SECTION,  /* {{#name}} */
	NODE_INVERTED, /* {{^name}} */
	NODE_PARTIAL,  /* {{>name}} */
	NODE_PARENT,   /* {{<name}}: its children that count are blocks, its arguments */
	NODE_BLOCK,    /* {{$name}}: in a parent an argument, elsewhere a place for one */
};

struct template_node {
	enum template_node_kind kind;
	unsigned line;
	struct str text;   /* of NODE_TEXT at most one line, with its end; else the name */
	struct str indent; /* NODE_PARTIAL, NODE_PARENT, NODE_BLOCK: see above */
	size_t dedent;     /* an argument's own indentation, not to be shown */
	bool line_start;   /* NODE_TEXT: begins a line of its file */
	bool inside_line;  /* those three: does not stand alone on its lines */
	struct template_node *children, *next;
};

struct template_file {
	struct str name; /* as {{>name}} writes it */
	struct str path; /* for messages */
	struct template_node *nodes;
	const struct template_mention *includes; /* what it names with > and < */
	const struct template_mention *blocks;   /* its places for arguments */
};

struct template_mention {
	struct str name;
	const struct template_mention *next;
};

enum {
	TEMPLATE_NESTING_MAX = 32, /* of sections in a file, and of files in one another */
};

/*
 * Parses file->path's text into file->nodes, in the arena; names and texts are slices of `text`.
 * `lenient` allows text beside the blocks of a parent, which is never shown. False, with the fault,
 * when the text is not a template.
 */
bool template_parse(struct arena *arena, struct str text, bool lenient, struct template_file *file,
    struct template_fault *fault);

#endif

#ifndef TEXT_TEMPLATE_PROGRAM_H
#define TEXT_TEMPLATE_PROGRAM_H

#include "base/buf.h"
#include "text/view.h"

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

/*
 * What a template is when it is compiled: operations on a few pointers into the page's view, one for
 * each list, option and partial that is being shown. All that a name needs is which pointer, and how
 * many bytes behind it.
 */

enum template_code {
	OP_TEXT,   /* `size` bytes at program->text + offset */
	OP_STRING, /* escapes the struct str at `slot` + offset */
	OP_HTML,   /* the struct html there, as it is */
	OP_NUMBER, /* the int64_t there */
	OP_COUNT,  /* the size_t there */
	/* The four below jump when what is there is true (not 0, not NULL) as `to` says: 0 or 1. */
	OP_IF_COUNT,
	OP_IF_NUMBER,
	OP_IF_FLAG,
	OP_IF_POINTER,
	OP_FOLLOW, /* slot `to` becomes the pointer there; jumps when it is NULL */
	OP_LOOP, /* slot `to` becomes the first item of the list there; jumps when there is none */
	OP_NEXT, /* slot `to` moves on by `size` bytes, and jumps unless that was the last item */
	OP_CALL, /* the partial that begins at `jump`, with slot 1 = `slot` + offset */
	OP_END,
};

struct template_op {
	uint8_t code;
	uint8_t slot;
	uint8_t to;
	uint32_t offset;
	uint32_t size;
	uint32_t jump;
};

struct template_program {
	const struct template_op *ops; /* begins at the first */
	size_t count;
	const char *text;
	size_t text_len;
};

/* The compiler's limit on pointers in one place. */
enum { TEMPLATE_SLOTS = 16 };

/* What is beyond these is not shown: a mistake in a template has to end somewhere. */
enum {
	TEMPLATE_DEPTH_MAX = 200,       /* partials that show themselves, in one another */
	TEMPLATE_STEPS_MAX = 1 << 16,   /* their number, and that of all lists' items, on a page */
	TEMPLATE_OUTPUT_MAX = 64 << 20, /* bytes */
};

/* Where templates come from. */
struct template_library {
	/*
	 * The parsed file of that name. NULL when there is none, and when it is broken: then the
	 * fault says so.
	 */
	const struct template_file *(*find)(
	    struct template_library *library, struct str name, struct template_fault *fault);
	bool
	    lenient; /* as mustache has it: what is unknown or missing is empty; for its own tests */
};

/*
 * Compiles the template of that name for a view, with all that it includes; the result is in
 * `arena`. NULL, with the fault, when it is wrong.
 */
const struct template_program *template_compile(struct arena *arena,
    struct template_library *library, struct str name, const struct view_type *view,
    struct template_fault *fault);

/* Shows the view, which is of the type that the program was compiled for. */
void template_run(const struct template_program *program, const void *view, struct buf *out);

#endif

#ifndef TEXT_TEMPLATE_PROGRAM_H
#define TEXT_TEMPLATE_PROGRAM_H

#include "base/buf.h"
#include "text/template_parse.h"
#include "text/view.h"

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

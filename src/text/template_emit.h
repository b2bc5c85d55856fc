#ifndef TEXT_TEMPLATE_EMIT_H
#define TEXT_TEMPLATE_EMIT_H

#include "text/template_program.h"

/* A program while it is written: for the compiler. `{.arena = arena, .text.arena = arena}` is empty. */
struct template_output {
	struct arena *arena;
	struct buf text;
	struct template_op *ops;
	size_t count, capacity;
	bool joins;     /* more text may join the last operation */
	bool too_large; /* from then on nothing is added */
};

/* One more operation; gives its address, for what is only known later. */
uint32_t template_emit(struct template_output *out, struct template_op op);

/* Text joins the text before it, unless somebody jumps between the two. */
void template_emit_text(struct template_output *out, struct str text);

/* The address of the next operation, for jumps to it. */
uint32_t template_emit_here(struct template_output *out);

/* A copy in `arena` of what was written. */
const struct template_program *template_emit_program(
    const struct template_output *out, struct arena *arena);

#endif

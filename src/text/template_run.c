#include "text/template_program.h"

#include "text/escape.h"

#include <assert.h>
#include <string.h>

struct run {
	const struct template_program *program;
	const void *view;
	struct buf *out;
	unsigned depth, steps;
};

/* Views are read as bytes: the types of their structs are unknown here. */
#define READ(type, from) (*(type *)memcpy(&(type){0}, (from), sizeof(type)))

static bool
is_true(const struct template_op *op, const char *at)
{
	switch (op->code) {
	case OP_IF_COUNT: return READ(size_t, at) != 0;
	case OP_IF_NUMBER: return READ(int64_t, at) != 0;
	case OP_IF_FLAG: return READ(bool, at);
	default: return READ(const void *, at) != NULL;
	}
}

static bool
may_go_on(struct run *run)
{
	return run->steps++ < TEMPLATE_STEPS_MAX && run->out->len < TEMPLATE_OUTPUT_MAX;
}

/* The address of an operation's operand. */
#define AT (slots[op->slot] + op->offset)

/* Runs the operations from `op` on, with slot 1 at `item`. */
static void
run_from(struct run *run, const struct template_op *op, const char *item)
{
	const struct template_op *ops = run->program->ops;
	const char *slots[TEMPLATE_SLOTS] = {run->view, item}, *ends[TEMPLATE_SLOTS];

	for (;; op++) {
		struct view_list list;

		switch ((enum template_code)op->code) {
		case OP_TEXT:
			buf_put(run->out, (struct str){run->program->text + op->offset, op->size});
			break;
		case OP_STRING: escape_html(run->out, READ(struct str, AT)); break;
		case OP_HTML: buf_put(run->out, READ(struct html, AT).text); break;
		case OP_NUMBER: buf_int(run->out, READ(int64_t, AT)); break;
		case OP_COUNT: buf_int(run->out, (int64_t)READ(size_t, AT)); break;
		case OP_IF_COUNT:
		case OP_IF_NUMBER:
		case OP_IF_FLAG:
		case OP_IF_POINTER:
			if (is_true(op, AT) == (op->to != 0))
				op = ops + op->jump - 1;
			break;
		case OP_FOLLOW:
			slots[op->to] = READ(const char *, AT);
			if (slots[op->to] == NULL)
				op = ops + op->jump - 1;
			break;
		case OP_LOOP:
			list = READ(struct view_list, AT);
			if (list.count == 0) {
				op = ops + op->jump - 1;
				break;
			}
			slots[op->to] = list.items;
			ends[op->to] = slots[op->to] + list.count * op->size;
			break;
		case OP_NEXT:
			slots[op->to] += op->size;
			if (slots[op->to] != ends[op->to] && may_go_on(run))
				op = ops + op->jump - 1;
			break;
		case OP_CALL:
			if (run->depth == TEMPLATE_DEPTH_MAX || !may_go_on(run))
				break;
			run->depth++;
			run_from(run, ops + op->jump, AT);
			run->depth--;
			break;
		case OP_END: return;
		}
	}
}

void
template_run(const struct template_program *program, const void *view, struct buf *out)
{
	struct run run = {program, view, out};

	/* Static text is a good part of any page. */
	buf_room(out, program->text_len);
	run_from(&run, program->ops, NULL);
	assert(run.depth == 0);
}

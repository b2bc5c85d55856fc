#include "text/template_emit.h"

#include "base/arena.h"

#include <assert.h>

enum { OPS_MAX = 1 << 20, TEXT_MAX = 16 << 20 };

uint32_t
template_emit(struct template_output *out, struct template_op op)
{
	if (out->count == OPS_MAX) {
		out->too_large = true;
		return OPS_MAX - 1;
	}
	if (out->count == out->capacity) {
		size_t want = out->capacity != 0 ? out->capacity * 2 : 256;

		out->ops =
		    arena_grow(out->arena, out->ops, out->capacity * sizeof(op), want * sizeof(op));
		out->capacity = want;
	}
	out->joins = op.code == OP_TEXT;
	out->ops[out->count] = op;
	return (uint32_t)out->count++;
}

void
template_emit_text(struct template_output *out, struct str text)
{
	if (text.len == 0)
		return;
	if (out->text.len + text.len > TEXT_MAX) {
		out->too_large = true;
		return;
	}
	if (!out->joins)
		template_emit(
		    out, (struct template_op){.code = OP_TEXT, .offset = (uint32_t)out->text.len});
	buf_put(&out->text, text);
	out->ops[out->count - 1].size += (uint32_t)text.len;
}

uint32_t
template_emit_here(struct template_output *out)
{
	out->joins = false;
	return (uint32_t)out->count;
}

static bool
is_jump(enum template_code code)
{
	return (code >= OP_IF_COUNT && code <= OP_LOOP) || code == OP_NEXT || code == OP_CALL;
}

/* Whatever the view is, a program reads its own text, uses the slots that there are, goes on in itself, and ends. */
__attribute__((unused)) static bool
template_program_ok(const struct template_program *program)
{
	for (size_t i = 0; i < program->count; i++) {
		const struct template_op *op = &program->ops[i];

		if (op->code > OP_END || op->slot >= TEMPLATE_SLOTS || op->to >= TEMPLATE_SLOTS)
			return false;
		if (op->code == OP_TEXT &&
		    (op->offset > program->text_len || op->size > program->text_len - op->offset))
			return false;
		if (is_jump(op->code) && op->jump >= program->count)
			return false;
		/* What has no items has no size; of others, the end is found by adding it up. */
		if ((op->code == OP_LOOP || op->code == OP_NEXT) && op->size == 0)
			return false;
	}
	return program->count != 0 && program->ops[program->count - 1].code == OP_END;
}

const struct template_program *
template_emit_program(const struct template_output *out, struct arena *arena)
{
	struct template_program *program = ARENA_NEW(arena, struct template_program);

	program->ops = arena_copy(arena, out->ops, out->count * sizeof(*out->ops));
	program->count = out->count;
	program->text = arena_copy(arena, out->text.base, out->text.len);
	program->text_len = out->text.len;
	assert(!out->too_large && template_program_ok(program));
	return program;
}

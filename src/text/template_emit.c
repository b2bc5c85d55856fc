#include "text/template_emit.h"

#include "base/arena.h"

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

const struct template_program *
template_emit_program(const struct template_output *out, struct arena *arena)
{
	struct template_program *program = ARENA_NEW(arena, struct template_program);

	program->ops = arena_copy(arena, out->ops, out->count * sizeof(*out->ops));
	program->count = out->count;
	program->text = arena_copy(arena, out->text.base, out->text.len);
	program->text_len = out->text.len;
	return program;
}

#include "text/term_list.h"

#include "base/buf.h"

static void
put_use(struct buf *out, struct str before, const struct term_use *use)
{
	size_t same = 0;

	while (same < before.len && same < use->term.len && before.base[same] == use->term.base[same])
		same++;
	buf_putc(out, (char)same);
	buf_putc(out, (char)(use->term.len - same));
	buf_put(out, str_sub(use->term, same, SIZE_MAX));
	buf_putc(out, (char)(use->frequency & 0xff));
	buf_putc(out, (char)(use->frequency >> 8));
}

void
term_list_write(
    struct buf *out, uint8_t kind, uint8_t length, const struct term_use *uses, size_t count)
{
	buf_putc(out, (char)kind);
	buf_putc(out, (char)length);
	for (size_t i = 0; i < count; i++)
		put_use(out, i != 0 ? uses[i - 1].term : STR(""), &uses[i]);
}

void
term_list_begin(struct term_list *list, struct str bytes)
{
	bool any = bytes.len >= 2;

	list->rest = any ? str_sub(bytes, 2, SIZE_MAX) : STR("");
	list->kind = any ? (uint8_t)bytes.base[0] : 0;
	list->length = any ? (uint8_t)bytes.base[1] : 0;
	list->use = (struct term_use){.term = {list->bytes, 0}};
}

bool
term_list_next(struct term_list *list)
{
	const unsigned char *at = (const unsigned char *)list->rest.base;
	size_t same, more;

	if (list->rest.len < 4)
		return false;
	same = at[0];
	more = at[1];
	if (same > list->use.term.len || list->rest.len < 4 + more)
		return false;
	memcpy(list->bytes + same, at + 2, more);
	list->use = (struct term_use){{list->bytes, same + more}, at[2 + more] | (uint32_t)at[3 + more] << 8};
	list->rest = str_sub(list->rest, 4 + more, SIZE_MAX);
	return true;
}

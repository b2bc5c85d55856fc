#include "table/cursor_key.h"

#include "base/buf.h"

enum { DESCENDING = 8 };

static void
put_part(struct buf *buf, struct str part)
{
	buf_putc(buf, (char)(part.len >> 8));
	buf_putc(buf, (char)(part.len & 0xff));
	buf_put(buf, part);
}

struct str
cursor_key_make(struct arena *arena, const struct query *query, struct key key, struct str place)
{
	struct buf buf = {.arena = arena};

	buf_putc(&buf, (char)((int)query->index | (query->descending ? DESCENDING : 0)));
	put_part(&buf, key.pk);
	put_part(&buf, key.sk);
	if (query->index != TABLE_PRIMARY) {
		put_part(&buf, query->partition);
		put_part(&buf, place);
	}
	return buf_str(&buf);
}

struct str
cursor_key_write(struct arena *arena, const struct query *query, const struct item *item)
{
	return cursor_key_make(
	    arena, query, item_key(item), item_string(item, table_sk_name(query->index)));
}

static bool
take_part(struct str *rest, struct str *part)
{
	size_t len;

	if (rest->len < 2)
		return false;
	len = (size_t)(unsigned char)rest->base[0] << 8 | (unsigned char)rest->base[1];
	if (rest->len - 2 < len || len == 0)
		return false;
	*part = str_sub(*rest, 2, len);
	*rest = str_sub(*rest, 2 + len, rest->len);
	return true;
}

bool
query_covers(const struct query *query, struct str sk)
{
	switch (query->op) {
	case SORT_ANY: return true;
	case SORT_EQ: return str_eq(sk, query->low);
	case SORT_LT: return str_cmp(sk, query->low) < 0;
	case SORT_LE: return str_cmp(sk, query->low) <= 0;
	case SORT_GT: return str_cmp(sk, query->low) > 0;
	case SORT_GE: return str_cmp(sk, query->low) >= 0;
	case SORT_BETWEEN: return str_cmp(sk, query->low) >= 0 && str_cmp(sk, query->high) <= 0;
	case SORT_BEGINS: return str_starts(sk, query->low);
	}
	return false;
}

bool
cursor_key_read(const struct query *query, struct cursor_key *out)
{
	struct str rest = str_sub(query->cursor, 1, query->cursor.len), partition;
	int expected = (int)query->index | (query->descending ? DESCENDING : 0);

	if (query->cursor.len == 0 || query->cursor.base[0] != (char)expected)
		return false;
	if (!take_part(&rest, &out->key.pk) || !take_part(&rest, &out->key.sk))
		return false;
	partition = out->key.pk;
	out->place = out->key.sk;
	if (query->index != TABLE_PRIMARY &&
	    (!take_part(&rest, &partition) || !take_part(&rest, &out->place)))
		return false;
	return rest.len == 0 && str_eq(partition, query->partition) &&
	       query_covers(query, out->place);
}

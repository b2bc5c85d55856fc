/*
 * The stored form of an item.
 *
 *   stored     = version attributes
 *   version    = one byte, VERSION: it names this grammar and the dictionary of names
 *   attributes = count (varint), then for each attribute, in the bytewise order of names, a name and
 *                a value
 *   name       = 0x80 + its index in the dictionary, if it has one;
 *                else its length (head 0x01 to 0x7f) and its bytes
 *   value      = a head, which tells the kind and holds a number n, and what follows:
 *
 *                  0x00-0x7f  string      n bytes
 *                  0x80-0xbf  number      nothing; n is the number, zigzag: 0, -1, 1, -2, 2 …
 *                  0xc0-0xcf  list        n values
 *                  0xd0-0xdf  map         n times a name and a value, like attributes
 *                  0xe0-0xef  string set  n + 1 times a length (varint) and bytes, in order
 *                  0xf0-0xfb  binary      n bytes
 *                  0xfd       null
 *                  0xfe       false
 *                  0xff       true
 *
 *   A head of a range holds n as the distance from the range's first byte. In the range's last byte,
 *   n is that distance plus the varint after the head. A varint is 7 bits a byte, the lowest first,
 *   the high bit set on all bytes but the last.
 *
 * Invariants, which the reader checks:
 *
 *   1. An item has one stored form: names and members in order without repeats, no name spelled out
 *      that the dictionary has, no varint longer than need be, nothing after the end. So two items
 *      are equal when their stored forms are, and every form that is read would be written again.
 *   2. Nothing is read before its length was compared with the rest; a count never exceeds the rest
 *      either, so a short text can't cause a large allocation.
 *   3. Lists and maps nest at most ITEM_DEPTH_MAX deep.
 *   4. Strings are not validated: item_error() did that before they were stored.
 *
 * A version never changes once something was stored with it. To give more names a code, add a version
 * with a dictionary of its own; the old one stays, for reading.
 */
#include "table/item.h"

#include "base/arena.h"
#include "base/buf.h"
#include "table/item_names.h"

#include <assert.h>
#include <string.h>

enum { VERSION = 1 };

/* The first byte of each range of heads, and the end of the last range. */
enum {
	HEAD_STRING = 0x00,
	HEAD_NUMBER = 0x80,
	HEAD_LIST = 0xc0,
	HEAD_MAP = 0xd0,
	HEAD_SET = 0xe0,
	HEAD_BINARY = 0xf0,
	HEAD_UNUSED = 0xfc,
	HEAD_NULL = 0xfd,
	HEAD_FALSE = 0xfe,
	HEAD_TRUE = 0xff,

	NAME_LITERAL = 0x00,
	NAME_CODE = 0x80,
};

_Static_assert(NAME_CODE + ITEM_NAMES <= 0x100, "a code is one byte");

/* --- Writing --------------------------------------------------------------------------------- */

enum { VARINT_MAX = 10 }; /* bytes, for 64 bits */

static void
put_varint(struct buf *out, uint64_t n)
{
	char *at = buf_room(out, VARINT_MAX);
	size_t len = 0;

	for (; n >= 0x80; n >>= 7)
		at[len++] = (char)(n | 0x80);
	at[len++] = (char)n;
	out->len += len;
}

/* Writes n in the range of heads from `first` to before `end`. */
static void
put_head(struct buf *out, unsigned first, unsigned end, uint64_t n)
{
	unsigned most = end - 1 - first;

	if (n < most) {
		buf_putc(out, (char)(first + n));
	} else {
		buf_putc(out, (char)(end - 1));
		put_varint(out, n - most);
	}
}

static void put_attributes(struct buf *out, const struct item *item);

static void
put_value(struct buf *out, const struct value *value)
{
	uint64_t bits;

	switch (value->kind) {
	case VALUE_STRING:
		put_head(out, HEAD_STRING, HEAD_NUMBER, value->string.len);
		buf_put(out, value->string);
		break;
	case VALUE_NUMBER:
		bits = (uint64_t)value->number;
		put_head(out, HEAD_NUMBER, HEAD_LIST,
		    bits << 1 ^ (value->number < 0 ? ~UINT64_C(0) : 0));
		break;
	case VALUE_LIST:
		put_head(out, HEAD_LIST, HEAD_MAP, value->list.count);
		for (size_t i = 0; i < value->list.count; i++)
			put_value(out, &value->list.values[i]);
		break;
	case VALUE_MAP:
		put_head(out, HEAD_MAP, HEAD_SET, value->map.count);
		put_attributes(out, &value->map);
		break;
	case VALUE_STRING_SET:
		assert(value->set.count != 0);
		put_head(out, HEAD_SET, HEAD_BINARY, value->set.count - 1);
		for (size_t i = 0; i < value->set.count; i++) {
			put_varint(out, value->set.members[i].len);
			buf_put(out, value->set.members[i]);
		}
		break;
	case VALUE_BINARY:
		put_head(out, HEAD_BINARY, HEAD_UNUSED, value->string.len);
		buf_put(out, value->string);
		break;
	case VALUE_NULL: buf_putc(out, (char)HEAD_NULL); break;
	case VALUE_BOOLEAN: buf_putc(out, (char)(value->boolean ? HEAD_TRUE : HEAD_FALSE)); break;
	}
}

static void
put_attributes(struct buf *out, const struct item *item)
{
	for (size_t i = 0; i < item->count; i++) {
		struct str name = item->attributes[i].name;
		size_t code = item_name_code(name);

		assert(name.len != 0);
		assert(i == 0 || str_cmp(item->attributes[i - 1].name, name) < 0);
		if (code != ITEM_NAMES) {
			buf_putc(out, (char)(NAME_CODE + code));
		} else {
			put_head(out, NAME_LITERAL, NAME_CODE, name.len);
			buf_put(out, name);
		}
		put_value(out, &item->attributes[i].value);
	}
}

struct str
item_encode(struct arena *arena, const struct item *item)
{
	struct buf out = {.arena = arena};

	buf_room(&out, item_size(item) + 64);
	buf_putc(&out, VERSION);
	put_varint(&out, item->count);
	put_attributes(&out, item);
	return buf_str(&out);
}

/* --- Reading --------------------------------------------------------------------------------- */

struct reader {
	const unsigned char *at;
	const unsigned char *end;
	struct arena *arena;
};

static size_t
left(const struct reader *in)
{
	return (size_t)(in->end - in->at);
}

static bool
get_varint(struct reader *in, uint64_t *n)
{
	*n = 0;
	for (unsigned shift = 0; in->at != in->end; shift += 7) {
		unsigned char byte = *in->at++;

		/* The tenth byte has one bit, and a final byte of 0 would be redundant. */
		if ((shift == 63 && byte > 1) || (byte == 0 && shift != 0))
			return false;
		*n |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return true;
	}
	return false;
}

/* The n of a head that was already read. */
static inline bool
get_head(struct reader *in, unsigned head, unsigned first, unsigned end, uint64_t *n)
{
	*n = head - first;
	if (__builtin_expect(head != end - 1, 1))
		return true;
	return get_varint(in, n) && !__builtin_add_overflow(*n, end - 1 - first, n);
}

/* `len` bytes as they are. */
static inline bool
get_bytes(struct reader *in, uint64_t len, struct str *out)
{
	if (len > left(in))
		return false;
	*out = (struct str){(const char *)in->at, (size_t)len};
	in->at += len;
	return true;
}

static bool get_value(struct reader *in, unsigned depth, struct value *out);

/*
 * Reads a name and checks that it sorts after `last`, the one before it; also *code, which may be
 * ITEM_NAMES.
 */
static inline bool
get_name(struct reader *in, struct str *name, const struct str *last, size_t *code)
{
	uint64_t len;
	size_t last_code = *code;
	unsigned head;

	if (in->at == in->end)
		return false;
	head = *in->at++;
	if (__builtin_expect(head >= NAME_CODE, 1)) {
		*code = head - NAME_CODE;
		if (*code >= ITEM_NAMES)
			return false;
		*name = item_names[*code];
		if (last != NULL && last_code < ITEM_NAMES)
			return *code > last_code;
	} else {
		*code = ITEM_NAMES;
		if (!get_head(in, head, NAME_LITERAL, NAME_CODE, &len) || len == 0 ||
		    !get_bytes(in, len, name) || item_name_code(*name) != ITEM_NAMES)
			return false;
	}
	return last == NULL || str_cmp(*last, *name) < 0;
}

static bool
get_attributes(struct reader *in, uint64_t count, unsigned depth, struct item *out)
{
	struct attribute *attributes;
	const struct str *last = NULL;
	size_t code = ITEM_NAMES;

	*out = (struct item){0};
	if (count == 0)
		return true;
	/* An attribute takes at least two bytes. */
	if (count > left(in) / 2)
		return false;
	attributes = arena_room(in->arena, (size_t)count * sizeof(*attributes));
	for (size_t i = 0; i < count; i++) {
		if (!get_name(in, &attributes[i].name, last, &code) ||
		    !get_value(in, depth, &attributes[i].value))
			return false;
		last = &attributes[i].name;
	}
	*out = (struct item){.attributes = attributes, .count = (size_t)count};
	return true;
}

static bool
get_list(struct reader *in, uint64_t count, unsigned depth, struct value *out)
{
	struct value *values;

	*out = (struct value){.kind = VALUE_LIST};
	if (count > left(in))
		return false;
	values = ARENA_ARRAY(in->arena, (size_t)count, struct value);
	for (size_t i = 0; i < count; i++)
		if (!get_value(in, depth, &values[i]))
			return false;
	out->list.values = values;
	out->list.count = (size_t)count;
	return true;
}

static bool
get_set(struct reader *in, uint64_t n, struct value *out)
{
	struct str *members;
	uint64_t len;

	*out = (struct value){.kind = VALUE_STRING_SET};
	if (n >= left(in))
		return false;
	members = ARENA_ARRAY(in->arena, (size_t)n + 1, struct str);
	for (size_t i = 0; i <= n; i++)
		if (!get_varint(in, &len) || !get_bytes(in, len, &members[i]) ||
		    (i != 0 && str_cmp(members[i - 1], members[i]) >= 0))
			return false;
	out->set.members = members;
	out->set.count = (size_t)n + 1;
	return true;
}

/* The types other than string and number. */
static bool
get_rare(struct reader *in, unsigned head, unsigned depth, struct value *out)
{
	uint64_t n;

	*out = (struct value){.kind = VALUE_NULL};
	switch (head) {
	case HEAD_NULL: return true;
	case HEAD_FALSE:
	case HEAD_TRUE: *out = value_boolean(head == HEAD_TRUE); return true;
	case HEAD_UNUSED: return false;
	default: break;
	}
	if (head >= HEAD_BINARY) {
		out->kind = VALUE_BINARY;
		return get_head(in, head, HEAD_BINARY, HEAD_UNUSED, &n) &&
		       get_bytes(in, n, &out->string);
	}
	if (head >= HEAD_SET)
		return get_head(in, head, HEAD_SET, HEAD_BINARY, &n) && get_set(in, n, out);
	if (depth == ITEM_DEPTH_MAX)
		return false;
	if (head < HEAD_MAP)
		return get_head(in, head, HEAD_LIST, HEAD_MAP, &n) &&
		       get_list(in, n, depth + 1, out);
	out->kind = VALUE_MAP;
	return get_head(in, head, HEAD_MAP, HEAD_SET, &n) &&
	       get_attributes(in, n, depth + 1, &out->map);
}

/* `depth` is the number of enclosing lists and maps. */
static inline bool
get_value(struct reader *in, unsigned depth, struct value *out)
{
	uint64_t n;
	unsigned head;

	if (in->at == in->end)
		return false;
	head = *in->at++;
	if (head < HEAD_NUMBER) {
		out->kind = VALUE_STRING;
		return get_head(in, head, HEAD_STRING, HEAD_NUMBER, &n) &&
		       get_bytes(in, n, &out->string);
	}
	if (head < HEAD_LIST) {
		out->kind = VALUE_NUMBER;
		if (!get_head(in, head, HEAD_NUMBER, HEAD_LIST, &n))
			return false;
		out->number = (int64_t)(n >> 1 ^ (0 - (n & 1)));
		return true;
	}
	return get_rare(in, head, depth, out);
}

bool
item_decode(struct arena *arena, struct str bytes, struct item *out)
{
	struct reader in = {.at = (const unsigned char *)bytes.base, .arena = arena};
	uint64_t count;

	*out = (struct item){0};
	if (bytes.len == 0 || *in.at++ != VERSION)
		return false;
	in.end = (const unsigned char *)bytes.base + bytes.len;
	if (get_varint(&in, &count) && get_attributes(&in, count, 0, out) && in.at == in.end)
		return true;
	*out = (struct item){0};
	return false;
}

#include "model/site/address_block.h"

#include "base/arena.h"
#include "base/clock.h"
#include "model/key_staff.h"
#include "model/site/audit.h"
#include "model/site/moderation_log.h"

#include <arpa/inet.h>
#include <string.h>

enum { WIDEST_4 = 8, WIDEST_6 = 16, DIGITS_MAX = 3 };

static const struct binding bindings[] = {
    BIND_STRING(RECORDED, "By", struct address_block, by),
    BIND_TIME(RECORDED, "CreatedAt", struct address_block, created),
    BIND_STRING(RECORDED, "Range", struct address_block, range),
    BIND_TIME(RECORDED, "Until", struct address_block, until),
    BIND_TEXT(WRITTEN, "Why", struct address_block, why, TEXT_LINE),
};
const struct binding_table address_block_bindings = BINDINGS(bindings);

void
address_block_from_item(struct arena *arena, const struct item *item, struct address_block *out)
{
	*out = (struct address_block){.until = 0};
	bind_read(arena, &address_block_bindings, item, out);
}

/* --- Ranges ------------------------------------------------------------------------------------------ */

struct range {
	_Alignas(struct in6_addr) unsigned char bytes[sizeof(struct in6_addr)];
	unsigned bits, bits_max; /* 32 or 128 */
};

/* An address alone, with all of its bits. */
static bool
parse_address(struct arena *arena, struct str text, struct range *out)
{
	const char *typed = str_cstring(arena, text);

	if (memchr(text.base, '\0', text.len) != NULL)
		return false;
	out->bits_max = 128;
	if (inet_pton(AF_INET6, typed, out->bytes) == 1) {
		if (IN6_IS_ADDR_V4MAPPED((struct in6_addr *)out->bytes)) {
			memmove(out->bytes, out->bytes + 12, 4);
			out->bits_max = 32;
		}
	} else if (inet_pton(AF_INET, typed, out->bytes) == 1) {
		out->bits_max = 32;
	} else {
		return false;
	}
	out->bits = out->bits_max;
	return true;
}

static bool
parse_bits(struct str text, unsigned *bits)
{
	*bits = 0;
	for (size_t i = 0; i < text.len; i++) {
		if (text.base[i] < '0' || text.base[i] > '9')
			return false;
		*bits = *bits * 10 + (unsigned)(text.base[i] - '0');
	}
	return text.len != 0 && text.len <= DIGITS_MAX;
}

static bool
parse(struct arena *arena, struct str text, struct range *out)
{
	struct str bits, address = str_cut(text, '/', &bits);

	if (address.len == 0 || address.len >= INET6_ADDRSTRLEN ||
	    !parse_address(arena, address, out))
		return false;
	if (address.len == text.len)
		return true;
	return parse_bits(bits, &out->bits) && out->bits <= out->bits_max;
}

/* Whether the first bits of two addresses are the same. */
static bool
same_bits(const unsigned char *a, const unsigned char *b, unsigned bits)
{
	unsigned whole = bits / 8, rest = bits % 8;
	unsigned char mask = (unsigned char)(0xff << (8 - rest));

	return memcmp(a, b, whole) == 0 && (rest == 0 || ((a[whole] ^ b[whole]) & mask) == 0);
}

bool
address_range_normal(struct arena *arena, struct str typed, struct str *out)
{
	char text[INET6_ADDRSTRLEN];
	struct range range;

	if (!parse(arena, str_trim(typed), &range) ||
	    range.bits < (range.bits_max == 32 ? WIDEST_4 : WIDEST_6))
		return false;
	for (unsigned bit = range.bits; bit < range.bits_max; bit++)
		range.bytes[bit / 8] &= (unsigned char)~(0x80 >> bit % 8);
	if (inet_ntop(range.bits_max == 32 ? AF_INET : AF_INET6, range.bytes, text, sizeof(text)) ==
	    NULL)
		return false;
	*out = str_fmt(arena, "%s/%u", text, range.bits);
	return true;
}

bool
address_in_range(struct arena *arena, struct str address, struct str range)
{
	struct range of, one;

	return parse(arena, range, &of) && address.len < INET6_ADDRSTRLEN &&
	       parse_address(arena, address, &one) && of.bits_max == one.bits_max &&
	       same_bits(of.bytes, one.bytes, of.bits);
}

/* --- Those that are blocked -------------------------------------------------------------------------- */

struct read
address_blocks_read(void)
{
	struct read read = {.kind = READ_QUERY, .query = query_address_blocks()};

	read.query.limit = ADDRESS_BLOCKS_MAX;
	return read;
}

bool
address_blocked(struct arena *arena, const struct read *blocks, struct str address)
{
	for (size_t i = 0; i < blocks->found_count; i++)
		if (address_in_range(arena, address, item_string(&blocks->found[i], STR("Range"))))
			return true;
	return false;
}

enum plan_rc
address_block_add(struct plan *plan, struct str range, int64_t until, struct str why)
{
	struct arena *arena = plan->call->arena;
	struct item item = {.count = 0};
	const struct address_block block = {
	    .range = range, .by = plan->by, .why = why, .created = plan->now, .until = until};

	key_set(arena, &item, key_address_block(range), ITEM_ADDRESS_BLOCK);
	bind_write(arena, &address_block_bindings, &block, &item);
	item_set(arena, &item, TABLE_EXPIRES, value_number(until / 1000));
	plan_put(plan, item);
	audit_log(plan, AUDIT_ADDRESS_BLOCK, range,
	    STR_CONCAT(arena, STR("blocked until "), time_format(arena, until),
		why.len != 0 ? STR(": ") : STR(""), why));
	/* Which one is nobody's business. */
	moderation_log_staff(plan, MODERATED_ADDRESSES, "blocked", STR(""), until);
	return plan_commit(plan);
}

enum plan_rc
address_block_remove(struct plan *plan, struct str range)
{
	plan_add(plan,
	    (struct write){
		.kind = WRITE_DELETE, .key = key_address_block(range), .condition = &plan_present},
	    PLAN_TAKEN);
	audit_log(plan, AUDIT_ADDRESS_BLOCK, range, STR("unblocked"));
	moderation_log_staff(plan, MODERATED_ADDRESSES, "unblocked", STR(""), 0);
	return plan_commit(plan);
}

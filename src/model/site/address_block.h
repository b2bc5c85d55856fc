#ifndef MODEL_SITE_ADDRESS_BLOCK_H
#define MODEL_SITE_ADDRESS_BLOCK_H

#include "model/bind.h"
#include "model/plan.h"

/*
 * Ranges of network addresses from which nobody sends anything or registers for a time; everybody reads. They are the items of
 * one partition, which expire by themselves, and few enough to be read with whatever is sent.
 */
enum { ADDRESS_BLOCKS_MAX = 200, ADDRESS_BLOCK_WHY_MAX = 200 };

struct address_block {
	struct str range, by, why;
	int64_t created, until; /* milliseconds */
};

void address_block_from_item(
    struct arena *arena, const struct item *item, struct address_block *out);

/*
 * The one form of a range: "192.0.2.0/24", "2001:db8::/32", of a single address with /32 or /128. False for what is none,
 * and for a range that is so wide that it may be a mistake: more than a /8, or a /16 of IPv6.
 */
bool address_range_normal(struct arena *arena, struct str typed, struct str *out);

/* Is the address in a range of that form? An IPv4 address mapped into IPv6 is itself. */
bool address_in_range(struct arena *arena, struct str address, struct str range);

/* The read of all; and is this address in one of them? */
struct read address_blocks_read(void);
bool address_blocked(struct arena *arena, const struct read *blocks, struct str address);

/* Until then nobody writes from there. Once more, it is until then, for that reason. */
enum plan_rc address_block_add(struct plan *plan, struct str range, int64_t until, struct str why);
enum plan_rc address_block_remove(struct plan *plan, struct str range);

extern const struct binding_table address_block_bindings;

#endif

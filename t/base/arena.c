/* The arena: zeroed, aligned, growing, reset. */
#include "lib/tap.h"

#include "base/arena.h"

int
main(void)
{
	struct arena *arena = arena_new();
	bool aligned = true, zeroed = true, kept = true;
	unsigned char *grown = NULL, *a, *b;
	size_t before;

	for (size_t size = 0; size < 5000; size += 7) {
		unsigned char *p = arena_alloc(arena, size);

		aligned = aligned && (uintptr_t)p % 16 == 0;
		for (size_t i = 0; i < size; i++)
			zeroed = zeroed && p[i] == 0;
		memset(p, 0xaa, size);
	}
	ok(aligned, "allocations are aligned for any type");
	ok(zeroed, "and zeroed");
	ok(arena_alloc(arena, 10 << 20) != NULL, "a large one gets a block of its own");
	before = arena_footprint(arena);
	arena_reset(arena);
	ok(arena_footprint(arena) < before / 10, "a reset gives large blocks back");
	a = arena_alloc(arena, 32);
	ok(a[0] == 0 && a[31] == 0, "memory is zeroed again after a reset");
	for (int round = 0; round < 2; round++) {
		arena_reset(arena);
		before = arena_footprint(arena);
		for (int i = 0; i < 240; i++)
			arena_alloc(arena, 1000);
		ok(round == 0 || arena_footprint(arena) == before,
		    "what a page needs is there for the next one");
	}
	for (int i = 0; i < 1000; i++)
		arena_alloc(arena, 1000);
	arena_reset(arena);
	ok(arena_footprint(arena) == before, "... and no more than that");
	for (size_t size = 1; size < 300000; size *= 3) {
		grown = arena_grow(arena, grown, size / 3, size);
		for (size_t i = 0; i < size / 3; i++)
			kept = kept && grown[i] == (unsigned char)(i * 31);
		for (size_t i = 0; i < size; i++)
			grown[i] = (unsigned char)(i * 31);
	}
	ok(kept, "what grows keeps its bytes");
	arena_reset(arena);
	a = arena_alloc(arena, 16);
	b = arena_grow(arena, a, 16, 64);
	ok(a == b, "the last allocation grows in place");
	arena_alloc(arena, 1);
	ok(arena_grow(arena, b, 64, 128) != b, "an earlier one moves");
	arena_free(arena);
	arena_free(NULL);
	return tap_done();
}

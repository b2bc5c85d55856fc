#include "base/arena.h"

#include "base/check.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define ARENA_POISONS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_POISONS 1
#endif
#endif

#ifdef ARENA_POISONS
#include <sanitizer/asan_interface.h>
#define POISON(base, size) ASAN_POISON_MEMORY_REGION((base), (size))
#define UNPOISON(base, size) ASAN_UNPOISON_MEMORY_REGION((base), (size))
/* A gap between allocations, so that the sanitizer finds an overrun. */
enum { REDZONE = 16 };
#else
#define POISON(base, size) ((void)(base), (void)(size))
#define UNPOISON(base, size) ((void)(base), (void)(size))
enum { REDZONE = 0 };
#endif

/*
 * A page's worth of a request fits in a few blocks, which a reset keeps: to give them back and to get them again for each
 * page takes the system as long as a fifth of the page. A larger allocation gets its own.
 */
enum { BLOCK_SIZE = 64 * 1024, BLOCKS_KEPT = 4, ALIGNMENT = 16 };

struct block {
	struct block *next; /* the block that was filled before this one */
	size_t capacity;
	size_t used;
	_Alignas(ALIGNMENT) unsigned char bytes[];
};

struct arena {
	struct block *current;
	struct block *spare; /* blocks of the usual size that a reset has kept */
	size_t footprint;
};

void
out_of_memory(void)
{
	static const char text[] = "<2>out of memory\n";
	ssize_t ignored = write(STDERR_FILENO, text, sizeof(text) - 1);

	(void)ignored;
	abort();
}

static size_t
aligned(size_t size)
{
	if (size > SIZE_MAX / 4)
		out_of_memory();
	return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/*
 * In all blocks the used part is aligned and within the capacity; their sizes add up to what was
 * allocated from the system.
 */
static bool
arena_ok(const struct arena *arena)
{
	size_t footprint = 0;

	for (const struct block *block = arena->current; block != NULL; block = block->next) {
		if (block->used > block->capacity || block->used % ALIGNMENT != 0)
			return false;
		footprint += block->capacity;
	}
	for (const struct block *block = arena->spare; block != NULL; block = block->next) {
		if (block->capacity != BLOCK_SIZE)
			return false;
		footprint += block->capacity;
	}
	return footprint == arena->footprint;
}

static struct block *
new_block(struct arena *arena, size_t capacity)
{
	struct block *block = malloc(sizeof(*block) + capacity);

	if (block == NULL)
		out_of_memory();
	block->capacity = capacity;
	POISON(block->bytes, capacity);
	arena->footprint += capacity;
	return block;
}

static void
add_block(struct arena *arena, size_t at_least)
{
	struct block *block = arena->spare;

	if (block != NULL && at_least <= BLOCK_SIZE)
		arena->spare = block->next;
	else
		block = new_block(arena, at_least > BLOCK_SIZE ? at_least : BLOCK_SIZE);
	block->next = arena->current;
	block->used = 0;
	arena->current = block;
	assert_whole(arena_ok(arena));
}

struct arena *
arena_new(void)
{
	struct arena *arena = calloc(1, sizeof(*arena));

	if (arena == NULL)
		out_of_memory();
	return arena;
}

static void
free_block(struct arena *arena, struct block *block)
{
	arena->footprint -= block->capacity;
	UNPOISON(block->bytes, block->capacity);
	free(block);
}

static void
free_blocks(struct arena *arena, struct block *block)
{
	while (block != NULL) {
		struct block *next = block->next;

		free_block(arena, block);
		block = next;
	}
}

void
arena_free(struct arena *arena)
{
	if (arena == NULL)
		return;
	assert_whole(arena_ok(arena));
	free_blocks(arena, arena->current);
	free_blocks(arena, arena->spare);
	assert(arena->footprint == 0);
	free(arena);
}

void
arena_reset(struct arena *arena)
{
	size_t kept = 0;

	for (const struct block *block = arena->spare; block != NULL; block = block->next)
		kept++;
	while (arena->current != NULL) {
		struct block *block = arena->current;

		arena->current = block->next;
		/* One that a large allocation needed is freed. */
		if (kept == BLOCKS_KEPT || block->capacity != BLOCK_SIZE) {
			free_block(arena, block);
			continue;
		}
		POISON(block->bytes, block->capacity);
		block->next = arena->spare;
		arena->spare = block;
		kept++;
	}
	assert(arena->footprint == kept * BLOCK_SIZE);
}

/* `size` bytes, not zeroed. */
static unsigned char *
take(struct arena *arena, size_t size)
{
	size_t need = aligned(size) + REDZONE;
	struct block *block = arena->current;
	unsigned char *base;

	if (block == NULL || block->capacity - block->used < need) {
		add_block(arena, need);
		block = arena->current;
	}
	base = block->bytes + block->used;
	block->used += need;
	UNPOISON(base, size);
	return base;
}

void *
arena_alloc(struct arena *arena, size_t size)
{
	return memset(take(arena, size), 0, size);
}

void *
arena_array(struct arena *arena, size_t count, size_t size)
{
	if (size != 0 && count > SIZE_MAX / size)
		out_of_memory();
	return arena_alloc(arena, count * size);
}

void *
arena_room(struct arena *arena, size_t size)
{
	return take(arena, size);
}

void *
arena_copy(struct arena *arena, const void *from, size_t size)
{
	void *copy = take(arena, size);

	if (size != 0)
		memcpy(copy, from, size);
	return copy;
}

void *
arena_extend(struct arena *arena, void *old, size_t used, size_t old_size, size_t new_size)
{
	struct block *block = arena->current;
	unsigned char *base = old;
	size_t keep = used < new_size ? used : new_size;

	assert(used <= old_size && (old != NULL || old_size == 0));
	if (old != NULL && block != NULL &&
	    base + aligned(old_size) + REDZONE == block->bytes + block->used) {
		size_t offset = (size_t)(base - block->bytes);
		size_t need = aligned(new_size) + REDZONE;

		if (block->capacity - offset >= need) {
			block->used = offset + need;
			POISON(base, block->capacity - offset);
			UNPOISON(base, new_size);
			return base;
		}
	}
	base = take(arena, new_size);
	if (keep != 0)
		memcpy(base, old, keep);
	return base;
}

void *
arena_grow(struct arena *arena, void *old, size_t old_size, size_t new_size)
{
	unsigned char *base = arena_extend(arena, old, old_size, old_size, new_size);

	if (new_size > old_size)
		memset(base + old_size, 0, new_size - old_size);
	return base;
}

size_t
arena_footprint(const struct arena *arena)
{
	return arena->footprint;
}

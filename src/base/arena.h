#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

/*
 * Memory with one owner and one end: whatever a request allocates comes from its arena and goes
 * with it. Nothing in an arena is freed by itself.
 *
 * Allocation does not fail. When the system has no memory left, arena_alloc() says so on standard
 * error and aborts; no caller tests for it. A process that runs out of memory ends cleanly, and its
 * supervisor starts another.
 *
 * Under AddressSanitizer, memory that an arena holds but has not handed out is poisoned.
 *
 * An arena belongs to one thread at a time.
 */
struct arena;

/* A new, empty arena. The caller ends it with arena_free(). */
struct arena *arena_new(void);

/* Ends the arena and everything in it. NULL is allowed. */
void arena_free(struct arena *arena);

/* Forgets everything in the arena but keeps its first block for the next request. */
void arena_reset(struct arena *arena);

/* `size` bytes, zeroed, aligned for any type. A size of 0 gives a pointer that may not be read. */
void *arena_alloc(struct arena *arena, size_t size);

/* The same for `count` elements of `size` bytes; a product that overflows aborts. */
void *arena_array(struct arena *arena, size_t count, size_t size);

/* `size` bytes that hold anything, for what is written before it is read. */
void *arena_room(struct arena *arena, size_t size);

/* A copy of `size` bytes, aligned for any type. */
void *arena_copy(struct arena *arena, const void *from, size_t size);

/*
 * Makes the allocation at `old`, of `old_size` bytes, `new_size` bytes long; in place where it was
 * the last one, else as a copy. What is new is zeroed. `old` may be NULL with `old_size` 0.
 */
void *arena_grow(struct arena *arena, void *old, size_t old_size, size_t new_size);

/*
 * The same for bytes that are written before they are read: only the first `used` of the old ones are kept,
 * and what is new holds anything.
 */
void *arena_extend(struct arena *arena, void *old, size_t used, size_t old_size, size_t new_size);

/* How many bytes the arena has taken from the system. */
size_t arena_footprint(const struct arena *arena);

/* What every allocator of this program does when there is no memory: says so and aborts. */
_Noreturn void out_of_memory(void);

#define ARENA_NEW(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, count, type) ((type *)arena_array((arena), (count), sizeof(type)))

#endif

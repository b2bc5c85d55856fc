#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

/*
 * Memory that is freed as a whole: everything that a request allocates comes from its arena and is
 * freed with it. Nothing in an arena is freed individually.
 *
 * Allocation does not fail. When the system has no memory left, arena_alloc() prints an error and
 * aborts; callers don't check for it. A process that runs out of memory exits, and its supervisor
 * starts another.
 *
 * Under AddressSanitizer, memory that an arena has but has not allocated is poisoned.
 *
 * An arena belongs to one thread at a time.
 */
struct arena;

/* A new, empty arena. The caller frees it with arena_free(). */
struct arena *arena_new(void);

/* Frees the arena and everything in it. NULL is allowed. */
void arena_free(struct arena *arena);

/* Frees everything in the arena, of which 256 KB stay for the next request. */
void arena_reset(struct arena *arena);

/* `size` bytes, zeroed, aligned for any type. A size of 0 gives a pointer that may not be read. */
void *arena_alloc(struct arena *arena, size_t size);

/* The same for `count` elements of `size` bytes; a product that overflows aborts. */
void *arena_array(struct arena *arena, size_t count, size_t size);

/* `size` uninitialised bytes, for data that is written before it is read. */
void *arena_room(struct arena *arena, size_t size);

/* A copy of `size` bytes, aligned for any type. */
void *arena_copy(struct arena *arena, const void *from, size_t size);

/*
 * Resizes the allocation at `old` from `old_size` to `new_size` bytes; in place if it was the last
 * one, otherwise by copying. New bytes are zeroed. `old` may be NULL with `old_size` 0.
 */
void *arena_grow(struct arena *arena, void *old, size_t old_size, size_t new_size);

/*
 * The same without initialising: only the first `used` of the old bytes are kept, and new ones are
 * undefined.
 */
void *arena_extend(struct arena *arena, void *old, size_t used, size_t old_size, size_t new_size);

/* How many bytes the arena has taken from the system. */
size_t arena_footprint(const struct arena *arena);

/* What every allocator of this program does when memory runs out: prints an error and aborts. */
_Noreturn void out_of_memory(void);

#define ARENA_NEW(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, count, type) ((type *)arena_array((arena), (count), sizeof(type)))

#endif

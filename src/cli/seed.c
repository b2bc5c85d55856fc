#include "cli/seed.h"

#include "base/arena.h"
#include "base/buf.h"
#include "cli/seed_text.h"
#include "model/kinds.h"
#include "server/folder.h"
#include "table/json.h"
#include "table/rules.h"
#include "text/markdown.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { PLACE_LINE_BITS = 32 };

struct reading {
	struct arena *arena;
	int64_t now;
	struct str origin;
	struct seed *seed;
	size_t capacity;
	struct str *why;
	struct str *names;  /* of the files */
	size_t file_number; /* of the current file */
};

/* Parses a line into an item. False with a reason, which is put after "FILE:LINE". */
static bool
read_item(struct reading *r, struct str line, struct item *item, struct str *reason)
{
	struct json_error error;
	const char *violation;
	struct str name;

	if (!item_from_json(r->arena, line, item, &error)) {
		*reason = str_fmt(r->arena, ":%zu: %s", error.offset + 1, error.why);
		return false;
	}
	if (!seed_expand(r->arena, r->now, item, reason)) {
		*reason = STR_CONCAT(r->arena, STR(": "), *reason);
		return false;
	}
	/* Items without Markdown stay as they are. */
	(void)markdown_store(r->arena, item, r->origin);
	violation = rules_item(item);
	if (violation != NULL)
		*reason = str_fmt(r->arena, ": %s", violation);
	else if ((violation = kind_violation(item, &name)) != NULL)
		*reason = str_fmt(r->arena, ": %.*s: expected %s", STR_ARGS(name), violation);
	return violation == NULL;
}

static void
keep(struct reading *r, const struct item *item, unsigned line)
{
	struct seed *seed = r->seed;

	if (seed->count == r->capacity) {
		size_t more = r->capacity != 0 ? r->capacity * 2 : 1024;

		seed->items = arena_grow(
		    r->arena, seed->items, r->capacity * sizeof(*item), more * sizeof(*item));
		r->capacity = more;
	}
	seed->items[seed->count++] = *item;
	key_set_add(&seed->keys, item_key(item), r->file_number << PLACE_LINE_BITS | line);
}

static bool
read_file(struct reading *r, const char *path)
{
	struct str text, reason;
	struct item item;
	unsigned number = 0;

	if (!file_read(r->arena, path, SIZE_MAX / 2, &text)) {
		*r->why = str_fmt(r->arena, "%s: %s", path, strerror(errno));
		return false;
	}
	while (text.len > 0) {
		struct str line = str_cut(text, '\n', &text);

		number++;
		if (str_trim(line).len == 0 || line.base[0] == '#')
			continue;
		if (!read_item(r, line, &item, &reason)) {
			*r->why = str_fmt(r->arena, "%s:%u%.*s", path, number, STR_ARGS(reason));
			return false;
		}
		keep(r, &item, number);
	}
	return true;
}

/* The paths of the seed's files; none when the directory has none or can't be read. */
static size_t
list_files(struct reading *r, const char *directory)
{
	const char **names;
	size_t count;

	if (!folder_list(r->arena, directory, ".jsonl", &names, &count))
		*r->why = str_fmt(r->arena, "%s: %s", directory, strerror(errno));
	else if (count == 0)
		*r->why = str_fmt(r->arena, "%s: holds no *.jsonl", directory);
	r->names = ARENA_ARRAY(r->arena, count, struct str);
	for (size_t i = 0; i < count; i++)
		r->names[i] = str_fmt(r->arena, "%s/%s", directory, names[i]);
	return count;
}

static struct str
place_text(struct reading *r, uint64_t place)
{
	return str_fmt(r->arena, "%s:%u", r->names[place >> PLACE_LINE_BITS].base,
	    (unsigned)(place & UINT32_MAX));
}

bool
seed_read(struct arena *arena, const char *directory, int64_t now, struct str origin,
    struct seed *out, struct str *why)
{
	struct reading r = {.arena = arena, .now = now, .origin = origin, .seed = out, .why = why};
	uint64_t places[2];

	*out = (struct seed){0};
	out->files = list_files(&r, directory);
	for (r.file_number = 0; r.file_number < out->files; r.file_number++)
		if (!read_file(&r, r.names[r.file_number].base))
			return false;
	if (out->files == 0)
		return false;
	if (key_set_seal(&out->keys, places))
		return true;
	*why = str_fmt(arena, "%s: the same key as at %s", place_text(&r, places[1]).base,
	    place_text(&r, places[0]).base);
	return false;
}

void
seed_free(struct seed *seed)
{
	key_set_free(&seed->keys);
}

size_t
seed_count(const struct seed *seed, enum item_kind kind)
{
	size_t count = 0;

	for (size_t i = 0; i < seed->count; i++)
		count += kind_is(&seed->items[i], kind);
	return count;
}

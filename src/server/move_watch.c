#include "server/move_watch.h"

#include "base/arena.h"
#include "base/ticker.h"
#include "model/site/move.h"

#include <stdlib.h>

enum { EVERY_MS = 1000, AGAIN = 10 };

struct move_watch {
	struct table *table;
	const struct log *log;
	void (*moved)(const struct log *log, struct str other);
	struct ticker *ticker;
	struct arena *arena;
	int patience; /* so many looks are left out */
};

static void
look(void *context)
{
	struct move_watch *w = context;
	struct table_call call = {.arena = w->arena, .background = true};
	struct move move;

	if (w->patience > 0) {
		w->patience--;
		return;
	}
	if (move_get(w->table, &call, &move) == TABLE_OK && str_eq(move.state, MOVE_MOVED)) {
		w->moved(w->log, move.other);
		w->patience = AGAIN;
	}
	table_release(w->table, &call);
	arena_reset(w->arena);
}

struct move_watch *
move_watch_start(
    struct table *table, const struct log *log, void (*moved)(const struct log *log, struct str other))
{
	struct move_watch *w = calloc(1, sizeof(*w));

	if (w == NULL)
		out_of_memory();
	*w = (struct move_watch){.table = table, .log = log, .moved = moved, .arena = arena_new()};
	w->ticker = ticker_start(EVERY_MS, look, w, log, "see whether the table is handed over");
	if (w->ticker != NULL)
		return w;
	arena_free(w->arena);
	free(w);
	return NULL;
}

void
move_watch_stop(struct move_watch *w)
{
	if (w == NULL)
		return;
	ticker_stop(w->ticker);
	arena_free(w->arena);
	free(w);
}

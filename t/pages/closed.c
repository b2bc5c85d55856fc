/* A table that is closed while it is handed over to another store: pages go on, and whoever writes is told to wait. */
#include "staff.h"

#include "model/key_work.h"
#include "model/site/move.h"

#include <time.h>

#define POST "/post/the-tide-in-forty-lines-of-c"
#define TEXT "The tide does not wait for a table."

static void
closed(struct seeded *s)
{
	struct table_call call = {.arena = s->arena};
	struct browser b = browser_of(s, "marta"), stranger = browser(s, "192.0.2.61");

	s->table->fence = key_move();
	get(&b, POST);
	if (move_close(s->table, &call, STR("sqlite:b"), STR("a process")) != TABLE_OK)
		bail_out("not closed: %s", call.why);
	/* Others see it a moment later at most. */
	nanosleep(&(struct timespec){.tv_sec = TABLE_FENCE_MS / 1000, .tv_nsec = 100 * 1000 * 1000}, NULL);
	is_int(get(&stranger, POST), HTTP_OK, "strangers read while the table is closed");
	is_int(get(&b, POST), HTTP_OK, "... and whoever is signed in");
	get(&b, POST "/comment");
	is_int(SUBMIT(&b, POST "/comment", "text", TEXT), HTTP_UNAVAILABLE, "nobody writes");
	ok(header(&b.last, "Retry-After").len != 0, "... and is told when to try again");
	ok(says(&b, TEXT), "... with what was typed");
	if (move_open(s->table, &call, STR("a process")) != TABLE_OK)
		bail_out("not opened: %s", call.why);
	get(&b, POST "/comment");
	is_int(SUBMIT(&b, POST "/comment", "text", TEXT), HTTP_SEE_OTHER, "afterwards they do");
	get(&b, POST);
	ok(says(&b, TEXT), "... and it is there");
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	closed(&s);
	browsers_close(&s);
	return tap_done();
}

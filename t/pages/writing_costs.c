/* How many trips the pages of the editor wait for. */
#include "writer.h"

#include "lib/tap.h"

static void
costs(struct seeded *s)
{
	static const struct {
		const char *address;
		uint32_t trips;
	} pages[] = {{"/write", 1}, {"/write/article", 2}, {"/edit/whip-a-ropes-end", 2},
	    {"/desk", 2}, {"/desk/published", 2}, {"/desk/deleted", 2}};
	struct browser b = browser_of(s, "tobias");

	become(s, "tobias", "admin");
	/* The first page of another role brings another token, and the next the publication as it is then. */
	get(&b, "/desk");
	get(&b, "/desk");
	for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
		get(&b, pages[i].address);
		is_int(b.last.cost.round_trips, pages[i].trips, "%s: the viewer, and %u more",
		    pages[i].address, pages[i].trips - 1);
	}
	get(&b, "/edit/whip-a-ropes-end");
	SUBMIT(&b, "/edit/whip-a-ropes-end", "do", "save", "title", "A bowline", "step", "One.",
	    "slug", "whip-a-ropes-end");
	is_int(b.last.status, HTTP_SEE_OTHER, "a save");
	is_int(b.last.cost.round_trips, 3, "... is the viewer, what is there, and one transaction");
}

int
main(void)
{
	struct seeded s;

	browsers_open(&s);
	costs(&s);
	browsers_close(&s);
	return tap_done();
}

#ifndef T_PAGES_TRIALS_H
#define T_PAGES_TRIALS_H

#include "browser.h"
#include "lib/failing_table.h"

/*
 * What pages and forms of people who are signed in cost, and what happens when the table fails: at
 * each call of each in turn. The site's table is a failing one.
 */
struct trial_page {
	const char *who, *address; /* NULL: a stranger */
	uint32_t requests,
	    trips; /* when the publication is at hand, the session's own read with them */
};

/* Each page costs what is said, and writes nothing. */
void trial_costs(
    struct seeded *s, struct failing_table *failing, const struct trial_page *pages, size_t count);

/* Each answers 503 whichever of its calls fails, and is as it was then. */
void trial_pages(
    struct seeded *s, struct failing_table *failing, const struct trial_page *pages, size_t count);

struct trial_form {
	const char *says, *who, *page; /* who sends it: NULL: a stranger; from which page */
	void (*send)(void *context, struct browser *b); /* NULL: as the next two say */
	const char *action;
	const char *const *pairs; /* names and values to NULL */
	enum http_status right;
	unsigned whole; /* only so many of its first calls fail in this test; 0: all */
};

/* Each answers 503, and has changed nothing but what counts tries, whichever of its calls fails; then it is done. */
void trial_forms(struct seeded *s, struct failing_table *failing, const struct trial_form *forms,
    size_t count, void *context);

/* The last line of a main() whose checks are all of these. */
int trials_done(void);

#endif
